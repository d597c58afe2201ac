package wording

import (
	"slices"
	"strconv"
	"strings"

	"milaan/domain"
	"milaan/ports"
)

// How many names of a list are shown.
const (
	shownColumns = 12
	shownNames   = 5
)

// readFaults reads the words for what is wrong with files.
func (c *Catalogue) readFaults(l language) {
	c.lists, c.about, c.faults = l.lists, readText(l.about, fileValues), map[domain.FileRule]fault{}
	for rule, t := range l.faults {
		c.faults[rule] = fault{readText(t.wrong, fileValues), readText(t.remedy, fileValues)}
	}
}

// appendFileError appends what is wrong with one of the two files.
func (c *Catalogue) appendFileError(dst []byte, e *domain.FileError, names ports.Names) []byte {
	of := &fileError{FileError: e, Catalogue: c, names: names}
	return c.append(dst, c.about.choose(of), of)
}

// fileError is a domain.FileError as a sentence needs it. Errors are rare: it may
// make strings.
type fileError struct {
	*domain.FileError
	*Catalogue
	names ports.Names
}

func (f *fileError) told(v value) bool {
	_, told := f.tell(v)
	return told
}

func (f *fileError) number(value) int { return f.More }

func (f *fileError) appendValue(dst []byte, v value, _ *Catalogue) []byte {
	text, _ := f.tell(v)
	return append(dst, text...)
}

// tell gives the text of a value. One that is about the readers or the file has no
// text, and is told if it holds.
func (f *fileError) tell(v value) (text string, told bool) {
	switch v {
	case ifExport:
		return "", f.File == domain.StorefrontFile
	case ifReport:
		return "", f.File == domain.CourierFile
	case ifPayout:
		return "", slices.Contains(f.Roles, domain.RoleRemittanceDate)
	case ifAPI:
		return "", f.names.Surface() == ports.API
	case ifTerminal:
		return "", f.names.Surface() == ports.CommandLine
	case wrong:
		text = f.say(f.faults[f.Rule].wrong)
	case remedy:
		text = f.say(f.faults[f.Rule].remedy)
	case file:
		text = f.names.File(f.File)
	case report:
		text = f.names.File(domain.CourierFile)
	case line:
		text = figures(f.Line)
	case more:
		text = figures(f.More)
	case counted:
		text = figures(f.Count)
	case limit:
		text = figures(f.Limit)
	case amount:
		text = f.Amount.String()
	case column:
		text = quoted(f.Column)
	case cell:
		text = quoted(f.Value)
	case role, otherRole:
		text = f.role(int(v - role))
	case lookedFor:
		text = f.lookedFor()
	case oneOf:
		text = f.oneOf()
	case found:
		text = f.found()
	case places:
		text = f.places()
	case readings:
		text = f.readings()
	case storefront:
		text = f.exporter(0).Storefront
	case otherStorefront:
		text = f.exporter(1).Storefront
	case steps:
		text = f.exporter(0).Steps
	case statement:
		text = f.statement()
	}
	return text, text != ""
}

func (f *fileError) say(t clause) string { return string(f.append(nil, t.choose(f), f)) }

func figures(n int) string {
	if n == 0 {
		return ""
	}
	return strconv.Itoa(n)
}

// quoted is a text of a file in quotation marks, with what cannot be seen escaped.
func quoted(text string) string {
	if text == "" {
		return ""
	}
	return strconv.Quote(domain.Shortened(text))
}

// visible is the name of a column without what cannot be seen, which could do
// anything to a terminal.
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

func (f *fileError) bracketed(text string) string { return f.brackets[0] + text + f.brackets[1] }

// join joins no more than most texts, and says how many it leaves out.
func (f *fileError) join(texts []string, between string, most int) string {
	left := len(texts) - most
	if left <= 0 {
		return strings.Join(texts, between)
	}
	return strings.Join(texts[:most], between) + f.lists.cut[0] + strconv.Itoa(left) + f.lists.cut[1]
}

func (f *fileError) role(i int) string {
	if i >= len(f.Roles) {
		return ""
	}
	return f.Roles[i].String()
}

func (f *fileError) exporter(i int) domain.Exporter {
	if i >= len(f.Exporters) {
		return domain.Exporter{}
	}
	return f.Exporters[i]
}

// lookedFor is, for each role, the names that would do.
func (f *fileError) lookedFor() string {
	var roles []string
	for _, names := range f.LookedFor {
		roles = append(roles, f.join(names, f.list[0], shownNames))
	}
	return strings.Join(roles, f.separator+f.lists.or[1])
}

// oneOf is a name, and the others that would do as well.
func (f *fileError) oneOf() string {
	names := f.LookedFor[0]
	if len(names) == 1 {
		return names[0]
	}
	return names[0] + f.bracketed(f.lists.or[1]+strings.Join(names[1:], f.list[0]+f.lists.or[1]))
}

// found is the names in a header.
func (f *fileError) found() string {
	var named []string
	for _, name := range f.Found {
		if name != "" {
			named = append(named, visible(name))
		}
	}
	if named == nil {
		return f.lists.blank
	}
	return f.join(named, f.list[0], shownColumns)
}

// places is where in a header a name stands, and in a report, where two spellings
// may be one name, how it is written there.
func (f *fileError) places() string {
	var all []string
	for _, c := range f.Candidates {
		place := strconv.Itoa(c.Place)
		if c.Column != "" {
			place += f.bracketed(quoted(c.Column))
		}
		all = append(all, place)
	}
	return f.join(all, f.list[1], shownColumns)
}

// readings is, for each role, the columns that may play it and the couriers that
// say so.
func (f *fileError) readings() string {
	var roles []string
	for i, c := range f.Candidates {
		column := quoted(c.Column) + f.bracketed(strings.Join(c.Couriers, f.list[0]))
		if i > 0 && c.Role == f.Candidates[i-1].Role {
			roles[len(roles)-1] += f.lists.or[0] + column
			continue
		}
		roles = append(roles, c.Role.String()+f.lists.reads+column)
	}
	return strings.Join(roles, f.separator)
}

// statement is what to state so that the column meant plays its role.
func (f *fileError) statement() string {
	if len(f.Candidates) > 0 {
		return f.names.Column(f.Candidates[0].Role, domain.Shortened(f.Candidates[0].Column))
	}
	return f.names.Column(f.Roles[0], f.lists.itsName)
}
