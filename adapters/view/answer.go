package view

import (
	"milaan/domain"
	"milaan/domain/bank"
	"milaan/domain/verdict"
)

// Answer is a run's answer to a page. What it has of rows adapters/answer writes straight from the
// run, without a view of each; its tests hold that both are equal. Amounts are rupees, and days
// YYYY-MM-DD.
type Answer struct {
	Summary      Summary         `json:"summary"`
	GuidanceText []string        `json:"guidance_text,omitzero"`
	Duplicate    bool            `json:"duplicate,omitempty"`
	RunID        string          `json:"run_id,omitempty"`
	Accepted     *Rupees         `json:"accepted_charges,omitempty"` // charges that count as paid
	Guidance     Guidance        `json:"cycle_guidance"`
	Warnings     []AnswerWarning `json:"warnings,omitzero"`
	Results      []OrderResult   `json:"results"`
	Reports      []ReportTotals  `json:"reports,omitzero"`
	Payouts      []Payout        `json:"payouts,omitzero"`
	Unclaimed    []CourierLine   `json:"unclaimed,omitzero"`
	OpenItems    *OpenItems      `json:"open_items,omitempty"`
	Bank         *Bank           `json:"bank,omitempty"`
}

// Amounts are the sums of orders.
type Amounts struct {
	Orders    int    `json:"orders"`
	Due       Rupees `json:"due"`
	Remitted  Rupees `json:"remitted"`
	Shortfall Rupees `json:"shortfall"`
	AtRisk    Rupees `json:"amount_risk"`
}

// Summary is the sums of a run.
type Summary struct {
	Amounts
	Flagged int          `json:"flagged_count"`
	Flags   []FlagSum    `json:"flags"`
	Ageing  []AgeingBand `json:"ageing"`
}

// FlagSum is the sums of the orders with a flag.
type FlagSum struct {
	Flag string `json:"flag"`
	Amounts
}

// AgeingBand is the unpaid orders that are from From to To days late.
type AgeingBand struct {
	From   int    `json:"from"`
	To     *int   `json:"to"` // null: no end
	Orders int    `json:"orders"`
	Amount Rupees `json:"amount"`
}

// NewSummary returns the view of a run's sums, of those of each flag and of how long the money has
// been late.
func NewSummary(t *domain.Tally, flags []verdict.FlagTotals, bands []verdict.AgeBand) Summary {
	s := Summary{Amounts: newAmounts(t.Orders, t.Due, t.Remitted, t.Shortfall, t.AtRisk), Flagged: t.Flags.Flagged(),
		Flags: []FlagSum{}, Ageing: []AgeingBand{}}
	for _, f := range flags {
		s.Flags = append(s.Flags, FlagSum{f.Flag.String(), newAmounts(f.Orders, f.Due, f.Remitted, f.Shortfall, f.AtRisk)})
	}
	for _, b := range bands {
		band := AgeingBand{From: b.From, Orders: b.Orders, Amount: Rupees(b.AtRisk)}
		if b.To >= 0 {
			band.To = &b.To
		}
		s.Ageing = append(s.Ageing, band)
	}
	return s
}

func newAmounts(orders int, due, remitted, shortfall, atRisk domain.Paise) Amounts {
	return Amounts{orders, Rupees(due), Rupees(remitted), Rupees(shortfall), Rupees(atRisk)}
}

// AnswerWarning is a warning of a run.
type AnswerWarning struct {
	Code    domain.WarningCode `json:"code"`
	Message string             `json:"message"`
	Count   *int               `json:"count,omitempty"`
	Amount  *Rupees            `json:"amount,omitempty"`
}

// NewAnswerWarning returns the view of a warning with its message.
func NewAnswerWarning(w *domain.Warning, message string) AnswerWarning {
	v := AnswerWarning{Code: w.Code, Message: message, Amount: rupeesIf(w.HasAmount, w.Amount)}
	if w.HasCount() {
		v.Count = &w.Count
	}
	return v
}

// OrderResult is what a run says of an order.
type OrderResult struct {
	AWB           string        `json:"awb"`
	OrderID       string        `json:"order_id"`
	CODAmount     Rupees        `json:"cod_amount"`
	Remitted      Rupees        `json:"remitted"`
	Shortfall     Rupees        `json:"shortfall"`
	DaysOverdue   int           `json:"days_overdue"`
	Flag          string        `json:"flag"`
	FlagReason    string        `json:"flag_reason"`
	Status        string        `json:"status"`
	MatchMode     string        `json:"match_mode"`
	OrderDate     string        `json:"order_date,omitempty"`
	DueBy         string        `json:"due_by,omitempty"`
	RemittedOn    string        `json:"remitted_on,omitempty"`
	UTR           string        `json:"utr,omitempty"`
	CourierStatus string        `json:"courier_status,omitempty"`
	Accepted      Rupees        `json:"accepted_charges,omitzero"`
	Report        int           `json:"report,omitempty"`
	Lines         []CourierLine `json:"lines,omitzero"`
	Courier       string        `json:"courier,omitempty"` // for a page: whom the letter about it goes to
	Dispute       string        `json:"dispute,omitempty"` // the sentence to send to the courier
}

// CourierLine is a line of a report.
type CourierLine struct {
	Report      int    `json:"report"` // from 1
	Line        int    `json:"line"`
	AWB         string `json:"awb,omitempty"`
	OrderID     string `json:"order_id,omitempty"`
	CODAmount   Rupees `json:"cod_amount"`
	Remitted    Rupees `json:"remitted"`
	DeliveredOn string `json:"delivered_on,omitempty"`
	RemittedOn  string `json:"remitted_on,omitempty"`
	Status      string `json:"status,omitempty"`
	UTR         string `json:"utr,omitempty"`
}

// ReportTotals are the control totals of a report.
type ReportTotals struct {
	Report       int        `json:"report"`
	Remembered   bool       `json:"remembered,omitempty"` // it stands for a courier's lines of a ledger
	Courier      string     `json:"courier,omitempty"`
	Rows         int        `json:"rows"`
	DataThrough  *string    `json:"data_through"`
	Read         LineTotals `json:"read"`
	Matched      LineTotals `json:"matched"`
	Unclaimed    LineTotals `json:"unclaimed"`
	Repeated     LineTotals `json:"repeated"`
	Unidentified LineTotals `json:"unidentified"`
	Charges      *Rupees    `json:"charges,omitempty"`

	// Corrected is absent if no later report corrects a line of this one.
	Corrected *LineTotals `json:"corrected,omitempty"`
}

// NewReportTotals returns the view of a report. charged says that some report states charges.
func NewReportTotals(t *verdict.ReportTotals, charged bool) ReportTotals {
	v := ReportTotals{Report: t.Report, Remembered: t.Remembered, Courier: t.Courier, Rows: t.Rows,
		DataThrough: OrNone(t.Through.String()), Read: newLineTotals(t.Read), Matched: newLineTotals(t.Matched),
		Unclaimed: newLineTotals(t.Unclaimed), Repeated: newLineTotals(t.Repeated),
		Unidentified: newLineTotals(t.Unidentified), Charges: rupeesIf(charged, t.Charges)}
	if t.Corrected.Lines > 0 {
		corrected := newLineTotals(t.Corrected)
		v.Corrected = &corrected
	}
	return v
}

// LineTotals are a number of lines and what they remit.
type LineTotals struct {
	Lines    int    `json:"lines"`
	Remitted Rupees `json:"remitted"`
}

func newLineTotals(s verdict.LineSum) LineTotals { return LineTotals{s.Lines, Rupees(s.Remitted)} }

// PayoutName tells a payout from others.
type PayoutName struct {
	Report     int    `json:"report"`
	Courier    string `json:"courier,omitempty"`
	UTR        string `json:"utr,omitempty"`
	RemittedOn string `json:"remitted_on,omitempty"`
}

func newPayoutName(p *verdict.Payout) PayoutName {
	return PayoutName{p.Report, p.Courier, string(p.UTR), p.RemittedOn.String()}
}

// Payout is a payout of a courier. Its charges are there if some report states charges.
type Payout struct {
	PayoutName
	Lines     int     `json:"lines"`
	Collected Rupees  `json:"collected"`
	Deducted  *Rupees `json:"deducted"`
	Paid      Rupees  `json:"paid"`
	Charges   *Rupees `json:"charges,omitempty"`
}

// Bank is what a statement of the bank says of the payouts.
type Bank struct {
	From           string           `json:"from,omitempty"`
	To             string           `json:"to,omitempty"`
	Payouts        []CreditedPayout `json:"payouts"`
	OtherCredits   []BankCredit     `json:"other_credits"`
	EarlierPayouts []CreditedPayout `json:"earlier_payouts,omitzero"` // of which only the ledger has lines
}

// CreditedPayout is a payout and its credits.
type CreditedPayout struct {
	PayoutName
	Paid        Rupees       `json:"paid"`
	State       string       `json:"state"`
	Absence     string       `json:"absence,omitempty" ts:"'outside_statement' | 'undated' | 'nothing_paid'"`
	Received    *Rupees      `json:"received,omitempty"`
	Together    int          `json:"together,omitempty"`
	Credit      *BankCredit  `json:"credit,omitempty"`
	MoreCredits []BankCredit `json:"more_credits,omitzero"`
	Debits      []BankCredit `json:"debits,omitzero"`
}

// NewCreditedPayout returns the view of a payout with what the statement says of it.
func NewCreditedPayout(p *bank.CreditedPayout) CreditedPayout {
	v := CreditedPayout{PayoutName: newPayoutName(&p.Payout), Paid: Rupees(p.Paid), State: p.State.String()}
	if p.State == bank.CreditMissing {
		v.Absence = p.Absence.String()
		return v
	}
	v.Received = new(Rupees(p.Received))
	if p.Together > 1 {
		v.Together = p.Together
	}
	for i := range p.Credits {
		credit := NewBankCredit(&p.Credits[i])
		if i == 0 {
			v.Credit = &credit
		} else {
			v.MoreCredits = append(v.MoreCredits, credit)
		}
	}
	for i := range p.Debits {
		v.Debits = append(v.Debits, NewBankCredit(&p.Debits[i]))
	}
	return v
}

// BankCredit is a line of a statement.
type BankCredit struct {
	Line      int    `json:"line"`
	Date      string `json:"date,omitempty"`
	Amount    Rupees `json:"amount"`
	Narration string `json:"narration"`
	Courier   string `json:"courier,omitempty"`
}

// NewBankCredit returns the view of a line of a statement.
func NewBankCredit(l *bank.StatementLine) BankCredit {
	return BankCredit{l.Line, l.On.String(), Rupees(l.Amount), l.Narration, l.Courier}
}

// rupeesIf returns an amount that is null, or left out, if it is not known.
func rupeesIf(known bool, p domain.Paise) *Rupees {
	if !known {
		return nil
	}
	return new(Rupees(p))
}
