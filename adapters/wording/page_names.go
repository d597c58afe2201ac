package wording

import (
	"strings"

	"milaan/domain"
	"milaan/ports/peers"
)

type pageWords struct {
	Files  map[string]string `json:"files"`
	Fields map[string]string `json:"fields"`
	Roles  map[string]string `json:"roles"`
	Report string            `json:"report"` // one of several, by its {number}
	Of     string            `json:"of"`     // the {name} of a field of a {report}
	As     string            `json:"as"`     // a {column} with its {role}
}

type pageNames struct{ *Catalogue }

func (pageNames) Surface() peers.Surface { return peers.Pages }

func (n pageNames) File(f domain.File, report int) string {
	if f == domain.CourierFile && report > 0 {
		return fillIn(n.Pages.Report, "{number}", grouped(report))
	}
	return n.Pages.Files[f.String()]
}

func (n pageNames) Field(f *domain.Fault) string {
	name := n.Pages.Fields[f.Field.String()]
	if f.Setting != "" {
		label, _ := n.Catalogue.Setting(f.Connector, f.Setting)
		name = quoted(label)
	}
	switch {
	case f.Source > 0:
		return fillIn(n.Pages.Of, "{name}", name, "{report}", fillIn(n.SourceName, "{number}", grouped(f.Source)))
	case f.Entry > 0:
		return name + " " + grouped(f.Entry)
	case f.Report == 0:
		return name
	case f.Field == domain.FieldCourier || f.Field == domain.FieldReports:
		return n.File(domain.CourierFile, f.Report)
	}
	return fillIn(n.Pages.Of, "{name}", name, "{report}", n.File(domain.CourierFile, f.Report))
}

func (n pageNames) Column(_ int, role domain.Role, column string) string {
	return fillIn(n.Pages.As, "{column}", string(n.appendQuoted(nil, []byte(column))), "{role}", n.Pages.Roles[role.String()])
}

func grouped(n int) string { return string(domain.AppendGrouped(nil, n)) }

// fillIn puts values in the place of their names, which stand before them.
func fillIn(text string, namesAndValues ...string) string {
	return strings.NewReplacer(namesAndValues...).Replace(text)
}

// roleName is how a sentence names a role: as it is stated where the names are used.
func (c *Catalogue) roleName(role domain.Role, names peers.Names) string {
	if names.Surface() == peers.Pages {
		return c.Pages.Roles[role.String()]
	}
	return role.String()
}
