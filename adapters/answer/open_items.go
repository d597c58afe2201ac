package answer

import (
	"milaan/adapters/view"
	"milaan/domain/verdict"
)

// openItems appends a view.OpenItems. There may be as many as a ledger and the export have orders.
func (s *stream) openItems(r *verdict.Reconciliation) error {
	s.b = append(s.b, `,"open_items":{"items":[`...)
	first := true
	for item := range r.OpenItems() {
		if !first {
			s.b = append(s.b, ',')
		}
		first = false
		s.openItem(r, &item)
		s.endRow()
		if err := s.flushIfLong(); err != nil {
			return err
		}
	}
	s.b = append(s.b, `],"movements":`...)
	s.value(view.NewMovements(r.Movements()))
	s.b = append(s.b, '}')
	return nil
}

func (s *stream) openItem(r *verdict.Reconciliation, item *verdict.OpenItem) {
	f, now := r.Result(item.Order), &item.Now
	b := appendText(append(s.b, `{"order_id":`...), f.OrderID)
	b = appendText(append(b, `,"awb":`...), f.AWB)
	b = appendGiven(b, `,"courier":`, []byte(now.Courier))
	if b = append(b, `,"in_export":`...); item.Exported {
		b = append(b, "true"...)
	} else {
		b = append(b, "false"...)
	}
	b = append(append(append(b, `,"flag":"`...), now.Flag.String()...), `","flag_reason":"`...)
	text := len(b)
	r.Explain(item.Order, &s.reason)
	if b = s.words.AppendReason(b, &s.reason); s.reason.Quotes() {
		b = escaped(b, text)
	}
	b = append(b, '"')
	b = appendDay(b, `,"order_date":"`, f.OrderedOn)
	b = appendDay(b, `,"due_by":"`, f.DueBy)
	b = now.Due.AppendRupees(append(b, `,"cod_amount":`...))
	b = now.Remitted.AppendRupees(append(b, `,"remitted":`...))
	if now.Accepted != 0 {
		b = now.Accepted.AppendRupees(append(b, `,"accepted_charges":`...))
	}
	b = now.Shortfall.AppendRupees(append(b, `,"shortfall":`...))
	b = appendDay(b, `,"since":"`, now.Since)
	b = appendGiven(b, `,"state":`, []byte(now.Mark.State.String()))
	b = appendDay(b, `,"raised_on":"`, now.Mark.RaisedOn)
	b = appendDay(b, `,"promised_until":"`, now.Mark.PromisedUntil)
	if item.PromisePassed {
		b = append(b, `,"promise_passed":true`...)
	}
	b = appendGiven(b, `,"note":`, []byte(now.Mark.Note))
	b = appendGiven(b, `,"change":`, []byte(view.ItemChanges[item.Change]))
	if item.Change == verdict.Cleared || item.Change == verdict.Recovered {
		d := r.Details(item.Order)
		b = appendDay(b, `,"cleared_on":"`, d.RemittedOn)
		b = appendGiven(b, `,"utr":`, d.UTR)
	}
	if s.b = b; s.letter != nil && now.Flag.IsFlagged() && now.Shortfall > 0 {
		s.disputeOf(r, item.Order)
	}
	s.b = append(s.b, '}')
}
