package answer

import (
	"io"
	"strconv"

	"milaan/adapters/view"
	"milaan/domain"
	"milaan/domain/verdict"
	"milaan/ports"
	"milaan/ports/peers"
)

// WriteItems writes a view.KeptItems.
func (w *Writer) WriteItems(out io.Writer, items *ports.KeptItems, from, limit int, words, letter peers.Wording) error {
	return w.stream(out, func(s *stream) error {
		s.letter, s.words = letter, words
		r := items.Reconciliation
		s.b = append(s.b, `{"as_of":"`...)
		if asOf := r.Guidance.BatchAsOf; asOf != domain.NoDay {
			s.b = asOf.AppendTo(s.b)
		}
		s.b = append(s.b, `","kept_since":`...)
		s.value(view.Instant(items.Since))
		s.b = append(s.b, `,"written_at":`...)
		s.value(view.Instant(items.WrittenAt))
		s.b = append(s.b, `,"items":[`...)
		at := 0
		for item := range r.OpenItems() {
			if at++; at <= from || at > from+limit {
				continue
			}
			if at > from+1 {
				s.b = append(s.b, ',')
			}
			s.openItem(r, &item)
			if err := s.flushIfLong(); err != nil {
				return err
			}
		}
		s.b = append(s.b, `],"movements":`...)
		s.value(view.NewMovements(r.Movements()))
		s.b = append(s.b, `,"next":`...)
		if at > from+limit {
			s.b = strconv.AppendInt(s.b, int64(from+limit), 10)
		} else {
			s.b = append(s.b, "null"...)
		}
		s.b = append(s.b, '}')
		return nil
	})
}

// openItems appends a view.OpenItems. There may be as many as a ledger and the export have orders.
func (s *stream) openItems(r *verdict.Reconciliation) error {
	s.b = append(s.b, `,"open_items":{`...)
	if err := listing(s, "items", r.OpenItems(), func(item verdict.OpenItem) { s.openItem(r, &item) }); err != nil {
		return err
	}
	s.b = append(s.b, `,"movements":`...)
	s.value(view.NewMovements(r.Movements()))
	s.b = append(s.b, '}')
	return nil
}

func (s *stream) openItem(r *verdict.Reconciliation, item *verdict.OpenItem) {
	f, now := r.Result(item.Order), &item.Now
	b := appendText(append(s.b, `{"order_id":`...), f.OrderID)
	b = appendText(append(b, `,"awb":`...), f.AWB)
	b = appendGiven(b, `,"courier":`, []byte(now.Courier))
	b = strconv.AppendBool(append(b, `,"in_export":`...), item.Exported)
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
	b = appendHistory(b, item)
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

// appendHistory appends a view.ItemHistory.
func appendHistory(b []byte, item *verdict.OpenItem) []byte {
	now := &item.Now
	b = appendDay(b, `,"since":"`, now.Since)
	b = appendGiven(b, `,"state":`, []byte(now.Mark.State.String()))
	b = appendDay(b, `,"raised_on":"`, now.Mark.RaisedOn)
	b = appendDay(b, `,"promised_until":"`, now.Mark.PromisedUntil)
	if item.PromisePassed {
		b = append(b, `,"promise_passed":true`...)
	}
	b = appendGiven(b, `,"note":`, []byte(now.Mark.Note))
	return appendGiven(b, `,"change":`, []byte(view.ItemChanges[item.Change]))
}
