package answer

import (
	"milaan/adapters/view"
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
	s.b = append(s.b, `"summary":`...)
	s.value(view.NewSummary(&o.Tally, o.FlagTotals(), o.Ageing()))
	s.b = append(s.b, `,"guidance_text":`...)
	s.value(view.OrEmpty(s.words.Guidance(&o.Guidance, len(o.Reports()), s.names)))
}
