package answer

import (
	"strconv"

	"milaan/domain"
	"milaan/domain/verdict"
	"milaan/ports"
)

// included appends what the request has asked for besides the contract's fields, but for
// what belongs to each result (guide: verdict 8). Nothing is allocated per row.
func (s *stream) included(o *ports.FinishedRun) error {
	if o.Include.Has(domain.IncludePayouts) {
		s.charged = o.StateCharges()
		if err := s.totals(o.ReportTotals()); err != nil {
			return err
		}
		if err := s.payouts(o.Payouts()); err != nil {
			return err
		}
	}
	if o.Include.Has(domain.IncludeUnclaimed) {
		if err := s.unclaimed(o.Reconciliation); err != nil {
			return err
		}
	}
	if o.Statement != nil {
		return s.statement(o.Statement)
	}
	return nil
}

// listing appends the elements of an array, separated by commas.
func listing[T any](s *stream, name string, all []T, appendOne func([]byte, *T) []byte) error {
	s.b = append(append(append(s.b, `"`...), name...), `":[`...)
	for i := range all {
		if i > 0 {
			s.b = append(s.b, ',')
		}
		s.b = appendOne(s.b, &all[i])
		if err := s.flushIfLong(); err != nil {
			return err
		}
	}
	s.b = append(s.b, ']')
	return nil
}

func (s *stream) totals(all []verdict.ReportTotals) error {
	s.b = append(s.b, ',')
	return listing(s, "reports", all, func(b []byte, t *verdict.ReportTotals) []byte {
		return append(s.charges(appendTotals(b, t), t.Charges), '}')
	})
}

func (s *stream) payouts(all []verdict.Payout) error {
	s.b = append(s.b, ',')
	return listing(s, "payouts", all, func(b []byte, p *verdict.Payout) []byte {
		return append(s.charges(appendPayout(append(b, '{'), p), p.Charges), '}')
	})
}

// charges appends what reports state as charges, if one of them has a column of charges.
func (s *stream) charges(b []byte, sum domain.Paise) []byte {
	if !s.charged {
		return b
	}
	return sum.AppendRupees(append(b, `,"charges":`...))
}

func appendTotals(b []byte, t *verdict.ReportTotals) []byte {
	b = strconv.AppendInt(append(b, `{"report":`...), int64(t.Report), 10)
	b = appendGiven(b, `,"courier":`, []byte(t.Courier))
	b = strconv.AppendInt(append(b, `,"rows":`...), int64(t.Rows), 10)
	if t.Through == domain.NoDay {
		b = append(b, `,"data_through":null`...)
	} else {
		b = appendDay(b, `,"data_through":"`, t.Through)
	}
	b = appendSum(b, `,"read":`, t.Read)
	b = appendSum(b, `,"matched":`, t.Matched)
	b = appendSum(b, `,"unclaimed":`, t.Unclaimed)
	b = appendSum(b, `,"repeated":`, t.Repeated)
	return appendSum(b, `,"unidentified":`, t.Unidentified)
}

func appendSum(b []byte, name string, sum verdict.LineSum) []byte {
	b = strconv.AppendInt(append(append(b, name...), `{"lines":`...), int64(sum.Lines), 10)
	return append(sum.Remitted.AppendRupees(append(b, `,"remitted":`...)), '}')
}

// appendPayout appends the fields of a payout.
func appendPayout(b []byte, p *verdict.Payout) []byte {
	b = appendNamesOfPayout(b, p)
	b = strconv.AppendInt(append(b, `,"lines":`...), int64(p.Lines), 10)
	b = p.Collected.AppendRupees(append(b, `,"collected":`...))
	if p.DeductedKnown {
		b = p.Deducted.AppendRupees(append(b, `,"deducted":`...))
	} else {
		b = append(b, `,"deducted":null`...)
	}
	return p.Paid.AppendRupees(append(b, `,"paid":`...))
}

// appendNamesOfPayout appends the fields by which a payout is told from others.
func appendNamesOfPayout(b []byte, p *verdict.Payout) []byte {
	b = strconv.AppendInt(append(b, `"report":`...), int64(p.Report), 10)
	b = appendGiven(b, `,"courier":`, []byte(p.Courier))
	b = appendGiven(b, `,"utr":`, p.UTR)
	return appendDay(b, `,"remitted_on":"`, p.RemittedOn)
}

func (s *stream) unclaimed(r *verdict.Reconciliation) error {
	s.b = append(s.b, `,"unclaimed":[`...)
	first := true
	for line := range r.UnclaimedLines() {
		s.lineOf(line, first)
		s.b = append(s.b, '}')
		first = false
		if err := s.flushIfLong(); err != nil {
			return err
		}
	}
	s.b = append(s.b, ']')
	return nil
}

// lineOf begins the object of a line of a report.
func (s *stream) lineOf(line *verdict.Remittance, first bool) {
	b := s.b
	if !first {
		b = append(b, ',')
	}
	b = strconv.AppendInt(append(b, `{"report":`...), int64(line.Report)+1, 10)
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
	if d.Report > 0 {
		b = strconv.AppendInt(append(b, `,"report":`...), int64(d.Report), 10)
	}
	s.b = b
}

// lines appends the courier's lines of an order.
func (s *stream) lines(r *verdict.Reconciliation, i int) error {
	s.b = append(s.b, `,"lines":[`...)
	first := true
	for line := range r.LinesOf(i) {
		s.lineOf(line, first)
		b := appendDay(s.b, `,"delivered_on":"`, line.DeliveredOn)
		s.b = append(appendGiven(b, `,"status":`, r.StatusOf(line).Text), '}')
		first = false
		if err := s.flushIfLong(); err != nil {
			return err
		}
	}
	s.b = append(s.b, ']')
	return nil
}

func (s *stream) statement(f *verdict.StatementFindings) error {
	s.b = append(s.b, `,"bank":{`...)
	if f.From != domain.NoDay {
		s.b = appendDay(appendDay(s.b, `"from":"`, f.From), `,"to":"`, f.To)
		s.b = append(s.b, ',')
	}
	if err := listing(s, "payouts", f.Payouts, appendCredited); err != nil {
		return err
	}
	s.b = append(s.b, ',')
	if err := listing(s, "other_credits", f.Others, appendStatementLine); err != nil {
		return err
	}
	s.b = append(s.b, '}')
	return nil
}

func appendCredited(b []byte, p *verdict.CreditedPayout) []byte {
	b = p.Paid.AppendRupees(append(appendNamesOfPayout(append(b, '{'), &p.Payout), `,"paid":`...))
	b = append(append(append(b, `,"state":"`...), p.State.String()...), '"')
	if p.State == verdict.CreditMissing {
		b = appendGiven(b, `,"absence":`, []byte(p.Absence.String()))
		return append(b, '}')
	}
	b = p.Received.AppendRupees(append(b, `,"received":`...))
	if p.Together > 1 {
		b = strconv.AppendInt(append(b, `,"together":`...), int64(p.Together), 10)
	}
	if len(p.Credits) > 0 {
		b = appendStatementLine(append(b, `,"credit":`...), &p.Credits[0])
		b = appendStatementLines(b, `,"more_credits":[`, p.Credits[1:])
	}
	return append(appendStatementLines(b, `,"debits":[`, p.Debits), '}')
}

// appendStatementLines appends an array after its name, which ends with the opening bracket;
// nothing if it is empty.
func appendStatementLines(b []byte, name string, lines []verdict.StatementLine) []byte {
	if len(lines) == 0 {
		return b
	}
	b = append(b, name...)
	for i := range lines {
		if i > 0 {
			b = append(b, ',')
		}
		b = appendStatementLine(b, &lines[i])
	}
	return append(b, ']')
}

func appendStatementLine(b []byte, l *verdict.StatementLine) []byte {
	b = strconv.AppendInt(append(b, `{"line":`...), int64(l.Line), 10)
	b = appendDay(b, `,"date":"`, l.On)
	b = l.Amount.AppendRupees(append(b, `,"amount":`...))
	b = appendText(append(b, `,"narration":`...), []byte(l.Narration))
	return append(appendGiven(b, `,"courier":`, []byte(l.Courier)), '}')
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
