package answer

import (
	"strconv"

	"milaan/domain"
	"milaan/domain/verdict"
	"milaan/ports"
)

// disputeOf appends the line of the dispute letter about an order.
func (s *stream) disputeOf(r *verdict.Reconciliation, i int) {
	if !r.Dispute(i, &s.dispute) {
		return
	}
	b := append(s.b, `,"dispute":"`...)
	text := len(b)
	s.b = append(escaped(s.letter.AppendDispute(b, &s.dispute), text), '"')
}

// sums appends what a page shows first: the sums of the run, those of each flag, how long
// the money has been late, and guidance in sentences.
func (s *stream) sums(o *ports.FinishedRun) {
	t := &o.Tally
	b := strconv.AppendInt(append(s.b, `"summary":{"orders":`...), int64(t.Orders), 10)
	b = appendAmounts(b, t.Due, t.Remitted, t.Shortfall, t.AtRisk)
	b = strconv.AppendInt(append(b, `,"flagged_count":`...), int64(t.Flags.Flagged()), 10)
	b = append(b, `,"flags":[`...)
	for i, f := range o.FlagTotals() {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(append(append(b, `{"flag":"`...), f.Flag.String()...), `","orders":`...)
		b = append(appendAmounts(strconv.AppendInt(b, int64(f.Orders), 10), f.Due, f.Remitted, f.Shortfall, f.AtRisk), '}')
	}
	b = append(b, `],"ageing":[`...)
	for i, band := range o.Ageing() {
		if i > 0 {
			b = append(b, ',')
		}
		b = strconv.AppendInt(append(b, `{"from":`...), int64(band.From), 10)
		if b = append(b, `,"to":`...); band.To < 0 {
			b = append(b, "null"...)
		} else {
			b = strconv.AppendInt(b, int64(band.To), 10)
		}
		b = strconv.AppendInt(append(b, `,"orders":`...), int64(band.Orders), 10)
		b = append(band.AtRisk.AppendRupees(append(b, `,"amount":`...)), '}')
	}
	b = append(b, `]},"guidance_text":[`...)
	for i, sentence := range s.words.Guidance(&o.Guidance, len(o.Reports()), s.names) {
		if i > 0 {
			b = append(b, ',')
		}
		b = appendText(b, []byte(sentence))
	}
	s.b = append(b, ']')
}

func appendAmounts(b []byte, due, remitted, shortfall, atRisk domain.Paise) []byte {
	b = due.AppendRupees(append(b, `,"due":`...))
	b = remitted.AppendRupees(append(b, `,"remitted":`...))
	b = shortfall.AppendRupees(append(b, `,"shortfall":`...))
	return atRisk.AppendRupees(append(b, `,"amount_risk":`...))
}
