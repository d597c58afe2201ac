// Package naming has the names that documents give to things, and what they say about
// flags and reports.
package naming

import (
	"strconv"

	"milaan/domain"
	"milaan/ports/peers"
)

// Names is how sentences of a document name things.
type Names struct{}

func (Names) Surface() peers.Surface { return peers.API }

func (Names) File(f domain.File, report int) string {
	switch {
	case f == domain.StorefrontFile:
		return "the export"
	case f == domain.StatementFile:
		return "the bank statement"
	case f == domain.LedgerFile:
		return "the ledger"
	case report > 0:
		return "report " + strconv.Itoa(report)
	}
	return "the report"
}

func (Names) Field(f *domain.Fault) string { return f.Field.String() }

func (Names) Column(_ int, role domain.Role, column string) string {
	return column + " as " + role.String()
}
