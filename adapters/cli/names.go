package cli

import (
	"milaan/domain"
	"milaan/ports"
)

// names are what people at a terminal call things: files by their paths, fields by
// their flags. It fills ports.Names.
type names struct{ paths map[domain.File]string }

// Surface fills ports.Names.
func (names) Surface() ports.Surface { return ports.CommandLine }

// File fills ports.Names.
func (n names) File(f domain.File) string { return shown(shownPath(n.paths[f])) }

// Column fills ports.Names.
func (names) Column(role domain.Role, column string) string {
	return "--column " + quoted(role.String()+"="+column)
}
