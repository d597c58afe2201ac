package wording

import (
	"strings"

	"milaan/domain"
	"milaan/ports/glue"
)

// pageWords are the names that the pages of the dashboard use.
type pageWords struct {
	files  [domain.StatementFile + 1]string
	fields map[domain.Field]string
	roles  [domain.RoleCount]string
	report string // one of several, by its {number}
	of     string // the {name} of a field of a {report}
	as     string // a {column} with its {role}
}

// translate returns the words with say of each.
func (w pageWords) translate(say func(english string) string) pageWords {
	for i := range w.files {
		w.files[i] = say(w.files[i])
	}
	for i := range w.roles {
		w.roles[i] = say(w.roles[i])
	}
	w.fields = translateMap(w.fields, say)
	w.report, w.of, w.as = say(w.report), say(w.of), say(w.as)
	return w
}

// pageNames has the names that the pages use in a language. It fills glue.Names.
type pageNames struct{ *Catalogue }

func (pageNames) Surface() glue.Surface { return glue.Pages }

func (n pageNames) File(f domain.File, report int) string {
	if f == domain.CourierFile && report > 0 {
		return fillIn(n.pages.report, "{number}", string(appendNumber(nil, report)))
	}
	return n.pages.files[f]
}

func (n pageNames) Field(f *domain.Fault) string {
	name := n.pages.fields[f.Field]
	if f.Setting != "" {
		label, _ := n.Catalogue.Setting(f.Connector, f.Setting)
		name = quoted(label)
	}
	switch {
	case f.Source > 0:
		return fillIn(n.pages.of, "{name}", name, "{report}", fillIn(n.sourceName, "{number}", string(appendNumber(nil, f.Source))))
	case f.Report == 0:
		return name
	case f.Field == domain.FieldCourier || f.Field == domain.FieldReports:
		return n.File(domain.CourierFile, f.Report)
	}
	return fillIn(n.pages.of, "{name}", name, "{report}", n.File(domain.CourierFile, f.Report))
}

func (n pageNames) Column(_ int, role domain.Role, column string) string {
	return fillIn(n.pages.as, "{column}", string(n.appendQuoted(nil, []byte(column))), "{role}", n.pages.roles[role])
}

// fillIn puts values in the place of their names, which stand before them.
func fillIn(text string, namesAndValues ...string) string {
	return strings.NewReplacer(namesAndValues...).Replace(text)
}

// roleName is how a sentence names a role: as it is stated where the names are used.
func (c *Catalogue) roleName(role domain.Role, names glue.Names) string {
	if names.Surface() == glue.Pages {
		return c.pages.roles[role]
	}
	return role.String()
}
