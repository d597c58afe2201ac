package runs

import (
	"milaan/domain/verdict"
	"milaan/ports"
)

// openLedger opens a ledger; an empty one if there is none.
func (r *Reconciling) openLedger(content ports.Content) (ports.Ledger, error) {
	if content.Bytes == nil {
		return noLedger{}, nil
	}
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
