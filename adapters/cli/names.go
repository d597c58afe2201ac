package cli

import (
	"errors"

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
	return "--column " + quoted(role.String()+"="+shown(column))
}

// worded is what people are told of an error: in words of the catalogue if the
// business knows it and nobody has worded it yet.
func (n names) worded(err error, words ports.Wording) error {
	if _, _, known := domain.KindOf(err); known {
		return errors.New(string(words.AppendError(nil, err, n)))
	}
	return err
}
