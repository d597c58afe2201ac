package runs

import (
	"milaan/domain/verdict"
	"milaan/ports"
)

// openLedger opens the ledger of a task; an empty one if it has none.
func (r *Reconciling) openLedger(t *task) (ports.Ledger, error) {
	if t.Previous == nil {
		return noLedger{}, nil
	}
	return r.openLedgerOf(t.content(t.Previous))
}

func (r *Reconciling) openLedgerOf(content ports.Content) (ports.Ledger, error) {
	content.MaxRows, content.Sheets = 0, nil // its orders are counted, and the sheets are those of reports
	return r.in.OpenLedger(content)
}

// noLedger is an empty ledger.
type noLedger struct{}

func (noLedger) Lines(*verdict.Remittances) error { return nil }
func (noLedger) Orders(*verdict.Orders) error     { return nil }
func (noLedger) Close()                           {}
