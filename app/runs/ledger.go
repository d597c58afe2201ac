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
	content.MaxRows *= rowsOfAnOrder // elsewhere than in the sandbox none is set, and its orders are counted
	content.Sheets = nil             // these are sheets of reports
	return r.in.OpenLedger(content)
}

// rowsOfAnOrder is how many rows of a ledger there may be for each row of an export: the order and its lines.
const rowsOfAnOrder = 4

type noLedger struct{}

func (noLedger) Lines(*verdict.Remittances) error { return nil }
func (noLedger) Orders(*verdict.Orders) error     { return nil }
func (noLedger) Rows() int                        { return 0 }
func (noLedger) Close()                           {}
