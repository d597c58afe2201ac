package wording

import (
	"slices"
	"strconv"
	"unicode/utf8"

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
	c.lists, c.faults = l.lists, map[domain.FileRule]fault{}
	c.about = readText(l.about, fileValues)
	for rule, t := range l.faults {
		c.faults[rule] = fault{readText(t.wrong, fileValues), readText(t.remedy, fileValues)}
	}
}

// appendFileError appends what is wrong with one of the two files.
func (c *Catalogue) appendFileError(dst []byte, e *domain.FileError, names ports.Names) []byte {
	of := &fileError{FileError: e, names: names}
	of.wrong, of.remedy = c.faults[e.Rule].wrong.choose(of), c.faults[e.Rule].remedy.choose(of)
	return c.append(dst, c.about.choose(of), of)
}

// fileError is a domain.FileError as a sentence needs it.
type fileError struct {
	*domain.FileError
	names         ports.Names
	wrong, remedy wording
}

func (f *fileError) told(v value) bool {
	switch v {
	case line:
		return f.Line > 0
	case column:
		return f.Column != ""
	case cell:
		return f.Value != ""
	case more:
		return f.More > 0
	case role:
		return len(f.Roles) > 0
	case otherRole:
		return len(f.Roles) > 1
	case lookedFor, oneOf:
		return len(f.LookedFor) > 0
	case remedy:
		return f.remedy != nil
	case storefront, steps:
		return len(f.Exporters) > 0
	case otherStorefront:
		return len(f.Exporters) > 1
	case ifExport:
		return f.File == domain.StorefrontFile
	case ifReport:
		return f.File == domain.CourierFile
	case ifPayout:
		return slices.Contains(f.Roles, domain.RoleRemittanceDate)
	case ifAPI:
		return f.names.Surface() == ports.API
	case ifTerminal:
		return f.names.Surface() == ports.CommandLine
	}
	return true
}

func (f *fileError) number(value) int { return f.More }

func (f *fileError) appendValue(dst []byte, v value, c *Catalogue) []byte {
	switch v {
	case wrong:
		return c.append(dst, f.wrong, f)
	case remedy:
		return c.append(dst, f.remedy, f)
	case file:
		return append(dst, f.names.File(f.File)...)
	case report:
		return append(dst, f.names.File(domain.CourierFile)...)
	case line:
		return strconv.AppendInt(dst, int64(f.Line), 10)
	case more:
		return strconv.AppendInt(dst, int64(f.More), 10)
	case counted:
		return strconv.AppendInt(dst, int64(f.Count), 10)
	case limit:
		return strconv.AppendInt(dst, int64(f.Limit), 10)
	case amount:
		return f.Amount.AppendText(dst)
	case column:
		return appendCell(dst, f.Column)
	case cell:
		return appendCell(dst, f.Value)
	case role:
		return append(dst, f.Roles[0].String()...)
	case otherRole:
		return append(dst, f.Roles[1].String()...)
	case lookedFor:
		return f.appendLookedFor(dst, c)
	case oneOf:
		return f.appendOneOf(dst, c)
	case found:
		return f.appendFound(dst, c)
	case places:
		return f.appendPlaces(dst, c)
	case readings:
		return f.appendReadings(dst, c)
	case storefront:
		return append(dst, f.Exporters[0].Storefront...)
	case otherStorefront:
		return append(dst, f.Exporters[1].Storefront...)
	case steps:
		return append(dst, f.Exporters[0].Steps...)
	case statement:
		return f.appendStatement(dst, c)
	}
	return dst
}

// appendCell appends a text of a file in quotation marks, with what cannot be seen
// escaped.
func appendCell(dst []byte, text string) []byte {
	return strconv.AppendQuote(dst, domain.Shortened(text))
}

// appendLookedFor appends, for each role, the names that would do.
func (f *fileError) appendLookedFor(dst []byte, c *Catalogue) []byte {
	for i, names := range f.LookedFor {
		if i > 0 {
			dst = append(append(dst, c.separator...), c.lists.or[1]...)
		}
		dst = c.appendList(dst, names, shownNames)
	}
	return dst
}

// appendOneOf appends a name, and the others that would do as well.
func (f *fileError) appendOneOf(dst []byte, c *Catalogue) []byte {
	between, end := c.brackets[0], ""
	for i, name := range f.LookedFor[0] {
		if i > 0 {
			dst = append(append(dst, between...), c.lists.or[1]...)
			between, end = c.list[0], c.brackets[1]
		}
		dst = append(dst, name...)
	}
	return append(dst, end...)
}

// appendFound appends the names in a header.
func (f *fileError) appendFound(dst []byte, c *Catalogue) []byte {
	named := slices.DeleteFunc(slices.Clone(f.Found), func(name string) bool { return name == "" })
	if len(named) == 0 {
		return append(dst, c.lists.blank...)
	}
	return c.appendList(dst, named, shownColumns)
}

// appendPlaces appends where in a header a name stands, and in a report, where two
// spellings may be one name, how it is written there.
func (f *fileError) appendPlaces(dst []byte, c *Catalogue) []byte {
	shown := f.Candidates[:min(len(f.Candidates), shownColumns)]
	for i, p := range shown {
		if i > 0 {
			dst = append(dst, c.list[1]...)
		}
		if dst = strconv.AppendInt(dst, int64(p.Place), 10); p.Column != "" {
			dst = append(appendCell(append(dst, c.brackets[0]...), p.Column), c.brackets[1]...)
		}
	}
	return c.appendCut(dst, len(f.Candidates)-len(shown))
}

// appendReadings appends, for each role, the columns that may play it and the
// couriers that say so.
func (f *fileError) appendReadings(dst []byte, c *Catalogue) []byte {
	for i, r := range f.Candidates {
		switch {
		case i > 0 && r.Role == f.Candidates[i-1].Role:
			dst = append(dst, c.lists.or[0]...)
		case i > 0:
			dst = append(dst, c.separator...)
			fallthrough
		default:
			dst = append(append(dst, r.Role.String()...), c.lists.reads...)
		}
		dst = append(appendCell(dst, r.Column), c.brackets[0]...)
		dst = append(c.appendList(dst, r.Couriers, len(r.Couriers)), c.brackets[1]...)
	}
	return dst
}

// appendStatement appends what to state so that the column meant plays its role.
func (f *fileError) appendStatement(dst []byte, c *Catalogue) []byte {
	if len(f.Candidates) > 0 {
		return append(dst, f.names.Column(f.Candidates[0].Role, domain.Shortened(f.Candidates[0].Column))...)
	}
	return append(dst, f.names.Column(f.Roles[0], c.lists.itsName)...)
}

// appendList appends names, of which no more than most are shown, with what cannot
// be seen escaped: it could do anything to a terminal.
func (c *Catalogue) appendList(dst []byte, names []string, most int) []byte {
	shown := names[:min(len(names), most)]
	for i, name := range shown {
		if i > 0 {
			dst = append(dst, c.list[0]...)
		}
		for _, r := range domain.Shortened(name) {
			if strconv.IsGraphic(r) || !isBlank(r) {
				dst = utf8.AppendRune(dst, r)
				continue
			}
			escaped := strconv.QuoteRuneToASCII(r)
			dst = append(dst, escaped[1:len(escaped)-1]...)
		}
	}
	return c.appendCut(dst, len(names)-len(shown))
}

// appendCut appends how many things of a list are not shown.
func (c *Catalogue) appendCut(dst []byte, n int) []byte {
	if n == 0 {
		return dst
	}
	return append(strconv.AppendInt(append(dst, c.lists.cut[0]...), int64(n), 10), c.lists.cut[1]...)
}
