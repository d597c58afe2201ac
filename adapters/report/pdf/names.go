package pdf

import (
	"strconv"

	"milaan/domain"
	"milaan/ports/glue"
)

// names is how sentences of a document name things. It fills glue.Names.
type names struct{}

var _ glue.Names = names{}

// Surface fills glue.Names.
func (names) Surface() glue.Surface { return glue.API }

// File fills glue.Names.
func (names) File(f domain.File, report int) string {
	switch {
	case f == domain.StorefrontFile:
		return "the export"
	case f == domain.StatementFile:
		return "the bank statement"
	case report > 0:
		return "report " + strconv.Itoa(report)
	}
	return "the report"
}

// Field fills glue.Names.
func (names) Field(f *domain.Fault) string { return f.Field.String() }

// Column fills glue.Names.
func (names) Column(_ int, role domain.Role, column string) string { return column + " as " + role.String() }
