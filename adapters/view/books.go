package view

import "milaan/domain"

// Books is how the vouchers of an account are written.
type Books struct {
	Ledgers []BookLedger `json:"ledgers"`
	ByOrder bool         `json:"by_order"`
}

// BookLedger is the name of a ledger of vouchers.
type BookLedger struct {
	Key   string `json:"key"`
	Name  string `json:"name"` // blank: Usual
	Usual string `json:"usual"`
}

// NewBooks returns the books of an account, with the names that stand in place of blank ones.
func NewBooks(b *domain.Books) Books {
	v, usual := Books{ByOrder: b.ByOrder}, domain.DefaultBooks()
	names := usual.Ledgers()
	for i, ledger := range b.Ledgers() {
		v.Ledgers = append(v.Ledgers, BookLedger{ledger.Key, *ledger.Name, *names[i].Name})
	}
	return v
}
