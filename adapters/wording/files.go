package wording

import (
	"slices"
	"strconv"
	"strings"

	"milaan/domain"
	"milaan/ports/peers"
)

// How many items of a list are shown.
const (
	shownColumns = 12
	shownNames   = 5
)

func (c *Catalogue) fileMessage(e *domain.FileError, names peers.Names) string {
	text, _ := c.faults().about.append(c, nil, &fileError{FileError: e, Catalogue: c, names: names})
	return string(text)
}

type fileError struct {
	*domain.FileError
	*Catalogue
	names peers.Names
}

var fileValues = values[fileError]{
	texts: stringValues(map[string]func(*fileError) (string, bool){
		"if export":        func(f *fileError) (string, bool) { return "", f.File == domain.StorefrontFile },
		"if report":        func(f *fileError) (string, bool) { return "", f.File == domain.CourierFile },
		"if bank":          func(f *fileError) (string, bool) { return "", f.File == domain.StatementFile },
		"if ledger":        func(f *fileError) (string, bool) { return "", f.File == domain.LedgerFile },
		"if several":       func(f *fileError) (string, bool) { return "", f.Report > 0 },
		"if source":        func(f *fileError) (string, bool) { return "", f.OfSource },
		"if of bank":       func(f *fileError) (string, bool) { return "", f.OfBank },
		"if sized":         func(f *fileError) (string, bool) { return "", f.Count > 0 },
		"if large":         func(f *fileError) (string, bool) { return "", domain.IsTooLarge([]byte(f.Value)) },
		"if payout":        func(f *fileError) (string, bool) { return "", slices.Contains(f.Roles, domain.RoleRemittanceDate) },
		"if API":           func(f *fileError) (string, bool) { return "", f.names.Surface() == peers.API },
		"if page":          func(f *fileError) (string, bool) { return "", f.names.Surface() == peers.Pages },
		"if terminal":      func(f *fileError) (string, bool) { return "", f.names.Surface() == peers.CommandLine },
		"wrong":            func(f *fileError) (string, bool) { return f.say(f.faults().of[f.Rule].wrong) },
		"remedy":           func(f *fileError) (string, bool) { return f.say(f.faults().of[f.Rule].remedy) },
		"file":             func(f *fileError) (string, bool) { return f.names.File(f.File, f.Report), true },
		"report":           func(f *fileError) (string, bool) { return f.names.File(domain.CourierFile, f.Report), true },
		"sheet":            func(f *fileError) (string, bool) { return quoted(f.Sheet), f.Sheet != "" },
		"line":             func(f *fileError) (string, bool) { return strconv.Itoa(f.Line), f.Line > 0 },
		"column":           func(f *fileError) (string, bool) { return quoted(f.Column), f.Column != "" },
		"cell":             func(f *fileError) (string, bool) { return quoted(f.Value), f.Value != "" },
		"more":             func(f *fileError) (string, bool) { return strconv.Itoa(f.More), f.More > 0 },
		"count":            func(f *fileError) (string, bool) { return strconv.Itoa(f.Count), true },
		"limit":            func(f *fileError) (string, bool) { return strconv.Itoa(f.Limit), true },
		"largest amount":   func(*fileError) (string, bool) { return (domain.MaxRupees * domain.Rupee).String(), true },
		"amount":           func(f *fileError) (string, bool) { return f.Amount.String(), true },
		"if mapping":       func(f *fileError) (string, bool) { _, named := f.mapping(); return "", named },
		"mapping":          func(f *fileError) (string, bool) { return f.mapping() },
		"options":          func(f *fileError) (string, bool) { return f.options(), true },
		"role":             func(f *fileError) (string, bool) { return f.role(0) },
		"other role":       func(f *fileError) (string, bool) { return f.role(1) },
		"looked for":       func(f *fileError) (string, bool) { return f.lookedFor(), true },
		"one of":           func(f *fileError) (string, bool) { return f.oneOf(), true },
		"found":            func(f *fileError) (string, bool) { return f.found(), true },
		"places":           func(f *fileError) (string, bool) { return f.places(), true },
		"readings":         func(f *fileError) (string, bool) { return f.readings(), true },
		"storefront":       func(f *fileError) (string, bool) { e, known := f.exporter(0); return e.Storefront, known },
		"other storefront": func(f *fileError) (string, bool) { e, known := f.exporter(1); return e.Storefront, known },
		"steps":            func(f *fileError) (string, bool) { e, known := f.exporter(0); return e.Steps, known },
		"statement":        func(f *fileError) (string, bool) { return f.statement(), true },
	}),
	numbers: map[string]func(*fileError) (int, bool){
		"more": func(f *fileError) (int, bool) { return f.More, f.More > 0 },
	},
}

func (f *fileError) say(t clause[fileError]) (string, bool) {
	words, known := t.append(f.Catalogue, nil, f)
	return string(words), known
}

func (f *fileError) role(i int) (string, bool) {
	if i >= len(f.Roles) {
		return "", false
	}
	return f.roleName(f.Roles[i], f.names), true
}

// quoted returns a text of a file in quotation marks, with invisible characters escaped.
func quoted(text string) string { return strconv.Quote(domain.Shortened(text)) }

// visible returns the name of a column with invisible characters escaped, because they
// could do anything to a terminal.
func visible(name string) string {
	var b strings.Builder
	for _, r := range domain.Shortened(name) {
		if strconv.IsGraphic(r) || !isBlank(r) {
			b.WriteRune(r)
			continue
		}
		escaped := strconv.QuoteRuneToASCII(r)
		b.WriteString(escaped[1 : len(escaped)-1])
	}
	return b.String()
}

func (f *fileError) bracketed(text string) string { return f.Brackets[0] + text + f.Brackets[1] }

// join joins at most the given number of texts, and says how many it leaves out.
func (f *fileError) join(texts []string, between string, most int) string {
	left := len(texts) - most
	if left <= 0 {
		return strings.Join(texts, between)
	}
	return strings.Join(texts[:most], between) + f.Cut[0] + strconv.Itoa(left) + f.Cut[1]
}

func (f *fileError) exporter(i int) (of domain.Exporter, known bool) {
	if i >= len(f.Exporters) {
		return of, false
	}
	return f.Exporters[i], true
}

// lookedFor lists, for each role, the names that are accepted.
func (f *fileError) lookedFor() string {
	var roles []string
	for _, names := range f.LookedFor {
		roles = append(roles, f.join(names, f.List[0], shownNames))
	}
	return strings.Join(roles, f.Separator+f.Or[1])
}

// oneOf returns a name, and the others that are accepted too.
func (f *fileError) oneOf() string {
	names := f.LookedFor[0]
	if len(names) == 1 {
		return names[0]
	}
	return names[0] + f.bracketed(f.Or[1]+strings.Join(names[1:], f.List[0]+f.Or[1]))
}

// mapping is the name of the saved mapping whose column is not there.
func (f *fileError) mapping() (string, bool) {
	if f.Rule != domain.RuleNotThere || len(f.Options) == 0 {
		return "", false
	}
	return quoted(f.Options[0]), true
}

// options lists the names of sheets or of mappings.
func (f *fileError) options() string {
	shown := make([]string, len(f.Options))
	for i, name := range f.Options {
		shown[i] = quoted(name)
	}
	return f.join(shown, f.List[0], shownColumns)
}

// found lists the names in a header.
func (f *fileError) found() string {
	var named []string
	for _, name := range f.Found {
		if name != "" {
			named = append(named, visible(name))
		}
	}
	if named == nil {
		return f.Blank
	}
	return f.join(named, f.List[0], shownColumns)
}

// places lists where in a header a name stands. In a report two spellings may be the same
// name, so each place has its spelling.
func (f *fileError) places() string {
	var all []string
	for _, c := range f.Candidates {
		place := strconv.Itoa(c.Place)
		if c.Column != "" {
			place += f.bracketed(quoted(c.Column))
		}
		all = append(all, place)
	}
	return f.join(all, f.List[1], shownColumns)
}

// readings lists, for each role, the columns that may have it and the couriers that read
// them so.
func (f *fileError) readings() string {
	var roles []string
	for i, c := range f.Candidates {
		column := quoted(c.Column) + f.bracketed(strings.Join(c.Couriers, f.List[0]))
		if i > 0 && c.Role == f.Candidates[i-1].Role {
			roles[len(roles)-1] += f.Or[0] + column
			continue
		}
		roles = append(roles, f.roleName(c.Role, f.names)+f.Reads+column)
	}
	return strings.Join(roles, f.Separator)
}

// statement returns what the caller must state so that the right column has the role.
func (f *fileError) statement() string {
	if len(f.Candidates) > 0 {
		return f.names.Column(f.Report, f.Candidates[0].Role, domain.Shortened(f.Candidates[0].Column))
	}
	return f.names.Column(f.Report, f.Roles[0], f.ItsName)
}
