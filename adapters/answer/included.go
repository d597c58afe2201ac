package answer

import (
	"iter"
	"slices"
	"strconv"

	"milaan/adapters/view"
	"milaan/domain"
	"milaan/domain/bank"
	"milaan/domain/verdict"
	"milaan/ports"
)

// included appends what the request has asked for besides the contract's fields, but for
// what belongs to each result (guide: verdict 8). Nothing is allocated per row, but for each
// payout and each line of a bank statement.
func (s *stream) included(o *ports.FinishedRun) error {
	if o.Include.Has(domain.IncludePayouts) {
		charged := o.StateCharges()
		s.b = append(s.b, ',')
		err := listing(s, "reports", slices.Values(o.ReportTotals()), func(t verdict.ReportTotals) {
			s.value(view.NewReportTotals(&t, charged))
		})
		if err != nil {
			return err
		}
		s.b = append(s.b, ',')
		err = listing(s, "payouts", slices.Values(o.Payouts()), func(p verdict.Payout) { s.payout(&p, charged) })
		if err != nil {
			return err
		}
	}
	if o.Include.Has(domain.IncludeUnclaimed) {
		s.b = append(s.b, ',')
		if err := listing(s, "unclaimed", o.UnclaimedLines(), func(line *verdict.Remittance) {
			s.lineOf(o.Reconciliation, line)
			s.b = append(s.b, '}')
		}); err != nil {
			return err
		}
	}
	if o.Include.Has(domain.IncludeOpenItems) {
		if err := s.openItems(o.Reconciliation); err != nil {
			return err
		}
	}
	if o.Statement != nil {
		return s.statement(o.Statement)
	}
	return nil
}

// listing appends an array of what write appends.
func listing[T any](s *stream, name string, all iter.Seq[T], write func(T)) error {
	s.b = append(append(append(s.b, '"'), name...), `":[`...)
	first := true
	for one := range all {
		if !first {
			s.b = append(s.b, ',')
		}
		first = false
		write(one)
		s.endRow()
		if err := s.flushIfLong(); err != nil {
			return err
		}
	}
	s.b = append(s.b, ']')
	return nil
}

// payout appends a view.Payout. Where each line has a UTR of its own, there are as many payouts as lines.
func (s *stream) payout(p *verdict.Payout, charged bool) {
	b := strconv.AppendInt(append(s.b, `{"report":`...), int64(p.Report), 10)
	b = appendGiven(b, `,"courier":`, []byte(p.Courier))
	b = appendGiven(b, `,"utr":`, p.UTR)
	b = appendDay(b, `,"remitted_on":"`, p.RemittedOn)
	b = strconv.AppendInt(append(b, `,"lines":`...), int64(p.Lines), 10)
	b = p.Collected.AppendRupees(append(b, `,"collected":`...))
	if b = append(b, `,"deducted":`...); p.DeductedKnown {
		b = p.Deducted.AppendRupees(b)
	} else {
		b = append(b, "null"...)
	}
	b = p.Paid.AppendRupees(append(b, `,"paid":`...))
	if charged {
		b = p.Charges.AppendRupees(append(b, `,"charges":`...))
	}
	s.b = append(b, '}')
}

// lineOf begins the object of a line of a report.
func (s *stream) lineOf(r *verdict.Reconciliation, line *verdict.Remittance) {
	b := strconv.AppendInt(append(s.b, `{"report":`...), int64(r.ReportOf(line)), 10)
	b = strconv.AppendInt(append(b, `,"line":`...), int64(line.Line), 10)
	b = appendGiven(b, `,"awb":`, line.AWB)
	b = appendGiven(b, `,"order_id":`, line.OrderID)
	b = line.Listed.AppendRupees(append(b, `,"cod_amount":`...))
	b = line.Remitted.AppendRupees(append(b, `,"remitted":`...))
	b = appendDay(b, `,"remitted_on":"`, line.RemittedOn)
	s.b = appendGiven(b, `,"utr":`, line.UTR)
}

// details appends what is known of an order besides its result.
func (s *stream) details(r *verdict.Reconciliation, i int, f *verdict.Result) {
	d := r.Details(i)
	b := appendDay(s.b, `,"order_date":"`, f.OrderedOn)
	b = appendDay(b, `,"due_by":"`, f.DueBy)
	b = appendDay(b, `,"remitted_on":"`, d.RemittedOn)
	b = appendGiven(b, `,"utr":`, d.UTR)
	b = appendGiven(b, `,"courier_status":`, d.CourierStatus)
	if f.Accepted != 0 {
		b = f.Accepted.AppendRupees(append(b, `,"accepted_charges":`...))
	}
	if d.Report > 0 {
		b = strconv.AppendInt(append(b, `,"report":`...), int64(d.Report), 10)
	}
	s.b = b
}

func (s *stream) lines(r *verdict.Reconciliation, i int) error {
	s.b = append(s.b, `,"lines":[`...)
	first := true
	for line := range r.LinesOf(i) {
		if !first {
			s.b = append(s.b, ',')
		}
		first = false
		s.lineOf(r, line)
		b := appendDay(s.b, `,"delivered_on":"`, line.DeliveredOn)
		s.b = append(appendGiven(b, `,"status":`, r.StatusOf(line).Text), '}')
		if err := s.flushIfLong(); err != nil {
			return err
		}
	}
	s.b = append(s.b, ']')
	return nil
}

func (s *stream) statement(f *bank.Findings) error {
	s.b = append(s.b, `,"bank":{`...)
	if f.From != domain.NoDay {
		s.b = appendDay(appendDay(s.b, `"from":"`, f.From), `,"to":"`, f.To)
		s.b = append(s.b, ',')
	}
	payout := func(p bank.CreditedPayout) { s.value(view.NewCreditedPayout(&p)) }
	if err := listing(s, "payouts", slices.Values(f.Payouts), payout); err != nil {
		return err
	}
	s.b = append(s.b, ',')
	credit := func(l bank.StatementLine) { s.value(view.NewBankCredit(&l)) }
	if err := listing(s, "other_credits", slices.Values(f.Others), credit); err != nil {
		return err
	}
	var earlier []bank.CreditedPayout
	for _, p := range f.CreditedEarlier() {
		earlier = append(earlier, *p)
	}
	if len(earlier) > 0 {
		s.b = append(s.b, ',')
		if err := listing(s, "earlier_payouts", slices.Values(earlier), payout); err != nil {
			return err
		}
	}
	s.b = append(s.b, '}')
	return nil
}

// appendGiven appends a text after its name; nothing if it is blank.
func appendGiven(b []byte, name string, text []byte) []byte {
	if len(text) == 0 {
		return b
	}
	return appendText(append(b, name...), text)
}

// appendDay appends a date after its name, which ends with the opening quote; nothing if
// there is no date.
func appendDay(b []byte, name string, d domain.Day) []byte {
	if d == domain.NoDay {
		return b
	}
	return append(d.AppendTo(append(b, name...)), '"')
}
