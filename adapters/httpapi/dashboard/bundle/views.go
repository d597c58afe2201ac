package bundle

import (
	"fmt"
	"reflect"
	"strings"

	"milaan/adapters/view"
)

// Made returns the sources that are made of Go's, by their names in the folder of the sources.
func Made() map[string][]byte {
	return map[string][]byte{LabelsFile: labels(), "views.ts": views()}
}

// views returns the source with the shapes of adapters/view that pages read.
func views() []byte {
	b := []byte("// Made of adapters/view, which says what the members are, by go generate ./adapters/httpapi/dashboard/assets.\n")
	for _, shape := range []any{view.Account{}, view.Guidance{}, view.Sums{}, view.Run{}, view.RunsPage{}, view.TrendPoint{}, view.Comparison{}} {
		t := reflect.TypeOf(shape)
		b = fmt.Appendf(b, "\nexport interface %s {\n%s}\n", t.Name(), members(t))
	}
	return b
}

// members returns the members of a struct as JSON has them: those of an embedded struct stand
// in its place.
func members(t reflect.Type) string {
	var b strings.Builder
	for f := range t.Fields() {
		name, option, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch stated := f.Tag.Get("ts"); {
		case f.Anonymous:
			b.WriteString(members(f.Type))
		case stated != "":
			fmt.Fprintf(&b, "  %s: %s;\n", name, stated)
		case option == "omitempty":
			fmt.Fprintf(&b, "  %s?: %s;\n", name, typeOf(f.Type))
		default:
			fmt.Fprintf(&b, "  %s: %s;\n", name, typeOf(f.Type))
		}
	}
	return b.String()
}

// typeOf returns what TypeScript calls the JSON of a Go type. A type that it does not know
// panics, because it asks for a line here.
func typeOf(t reflect.Type) string {
	if t == reflect.TypeFor[view.Instant]() {
		return "string | null"
	}
	switch t.Kind() {
	case reflect.Bool:
		return "boolean"
	case reflect.Int, reflect.Int64: // also view.Rupees
		return "number"
	case reflect.String:
		return "string"
	case reflect.Pointer:
		return typeOf(t.Elem()) + " | null"
	case reflect.Slice:
		return typeOf(t.Elem()) + "[]"
	case reflect.Map:
		return "Record<string, " + typeOf(t.Elem()) + ">"
	case reflect.Struct:
		return t.Name()
	}
	panic("no TypeScript for " + t.String())
}
