package bundle

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"milaan/adapters/view"
	"milaan/adapters/wording"
	"milaan/domain"
)

// Made returns the sources that are made of Go's, by their names in the folder of the sources.
func Made() map[string][]byte { return map[string][]byte{LabelsFile: labels(), viewsFile: views()} }

// viewsFile is the source with the shapes of the service's answers, in the folder of the sources.
const viewsFile = "views.ts"

// answers are the shapes of adapters/view that pages read.
var answers = []any{
	view.Me{}, view.Failure{}, view.Inspection{}, view.Answer{}, view.RunsPage{}, view.TrendPoint{}, view.Comparison{}, view.SavedMapping{},
	view.NamedMapping{},
	view.Key{}, view.NewKey{}, view.Webhook{}, view.Delivery{}, view.Branding{}, view.Books{}, view.SecurityEvent{},
	view.Phone[view.Instant]{},
	view.SentCode[view.Instant]{}, view.Subscription{}, view.BillingPreview{},
	view.People{}, view.MadeInvitation{}, view.InvitedTo{}, view.Accepted{},
	view.Connectors{}, view.Connection{}, view.Pass{}, view.Tested{}, view.KeptFile{}, view.KeptItems{}, view.ConnectionName{},
	view.SeenFiles{}, view.MailChoice{},
}

// named are the types of texts and maps that have a name in TypeScript.
var named = map[reflect.Type]struct{ name, is string }{
	reflect.TypeFor[domain.MemberRole]():      {"Role", oneOf(slices.Values(domain.MemberRoles))},
	reflect.TypeFor[view.Is]():                {"Is", `"orders" | "report" | "bank" | "previous" | ""`},
	reflect.TypeFor[view.Kind]():              {"Kind", `"csv" | "xlsx" | "xls" | "ods" | "html" | "xml" | ""`},
	reflect.TypeFor[domain.ConnectionState](): {"ConnectionState", oneOf(maps.Keys(wording.ConnectionStates))},
	reflect.TypeFor[domain.PassOutcome]():     {"PassOutcome", oneOf(maps.Keys(wording.PassOutcomes))},
	reflect.TypeFor[domain.DeliveryState]():   {"DeliveryState", oneOf(maps.Keys(wording.DeliveryStates))},
	reflect.TypeFor[domain.Columns]():         {"Columns", "Record<string, string | string[]>"}, // a list of charges
}

func oneOf[T ~string](values func(func(T) bool)) string {
	var all []string
	for v := range values {
		all = append(all, fmt.Sprintf("%q", v))
	}
	slices.Sort(all)
	return strings.Join(all, " | ")
}

// shapes are what a source with shapes declares, by name.
type shapes map[string]string

// views returns the source with the shapes of the answers, by name.
func views() []byte {
	all := shapes{}
	for _, answer := range answers {
		all.typeOf(reflect.TypeOf(answer))
	}
	b := []byte("// Made of adapters/view, which says what the members are, by go generate ./adapters/httpapi/dashboard/assets.\n")
	for _, name := range slices.Sorted(maps.Keys(all)) {
		b = append(b, "\nexport "+all[name]...)
	}
	return b
}

// members returns the members of a struct as JSON has them: those of an embedded struct stand
// in its place.
func (all shapes) members(t reflect.Type) string {
	var b strings.Builder
	for f := range t.Fields() {
		name, option, _ := strings.Cut(f.Tag.Get("json"), ",")
		if f.Anonymous {
			b.WriteString(all.members(f.Type))
			continue
		}
		is := f.Tag.Get("ts")
		if is == "" {
			is = all.typeOf(f.Type)
		}
		if option != "" {
			name, is = name+"?", strings.TrimSuffix(is, " | null")
		}
		fmt.Fprintf(&b, "  %s: %s;\n", name, is)
	}
	return b.String()
}

// typeOf returns what TypeScript calls the JSON of a Go type, and declares it if it has a name.
// A type that it does not know panics, because it asks for a line here.
func (all shapes) typeOf(t reflect.Type) string {
	if as, ok := named[t]; ok {
		all[as.name] = fmt.Sprintf("type %s = %s;\n", as.name, as.is)
		return as.name
	}
	if t == reflect.TypeFor[view.Instant]() {
		return "string | null"
	}
	switch t.Kind() {
	case reflect.Bool:
		return "boolean"
	case reflect.Int, reflect.Int64, reflect.Float64: // also view.Rupees
		return "number"
	case reflect.String:
		return "string"
	case reflect.Pointer:
		return all.typeOf(t.Elem()) + " | null"
	case reflect.Slice:
		return all.typeOf(t.Elem()) + "[]"
	case reflect.Map:
		return "Record<string, " + all.typeOf(t.Elem()) + ">"
	case reflect.Struct:
		name, _, _ := strings.Cut(t.Name(), "[") // without the types of a generic one
		if _, known := all[name]; !known {
			all[name] = "" // it may have itself in it
			all[name] = fmt.Sprintf("interface %s {\n%s}\n", name, all.members(t))
		}
		return name
	}
	panic("no TypeScript for " + t.String())
}
