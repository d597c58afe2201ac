package reading

import (
	"context"
	"errors"
	"strconv"
	"strings"
	"time"

	"milaan/adapters/documents/ledger"
	"milaan/adapters/statement"
	"milaan/adapters/storefront"
	"milaan/adapters/table"
	"milaan/app/runs"
	"milaan/couriers"
	"milaan/domain"
	"milaan/domain/verdict"
	"milaan/ports"
)

// engine drives the real engine as the service does, without HTTP and database.
type engine struct {
	reconciling    ports.Reconciling
	export, report []byte
}

func newEngine() *engine {
	tables := table.New()
	return &engine{reconciling: runs.NewReconciling(runs.ReconcilingParams{Storefronts: storefront.New(tables), Couriers: couriers.New(tables),
		ReadStatement: statement.New(tables).Read, OpenLedger: ledger.New(table.NewWithin(table.Settings{MaxRows: ledger.MaxRows})).Open, Clock: time.Now})}
}

// reconcile writes a case as files and has the engine answer it. An error is a fault of
// the engine: a refusal is an answer.
func (e *engine) reconcile(given Case) (Answer, error) {
	outcome, release, err := e.decide(given)
	if fault := (*domain.FileError)(nil); errors.As(err, &fault) {
		return Answer{Refused: err.Error()}, nil
	}
	if err != nil {
		return Answer{}, err
	}
	defer release()
	answer := Answer{
		Complete:          outcome.Guidance.CoverageComplete,
		GuaranteedDays:    outcome.Guidance.GuaranteedCoverageDays,
		Awaiting:          outcome.Guidance.AwaitingNextCycle,
		AmountRisk:        int64(outcome.Tally.AtRisk),
		Accepted:          int64(outcome.Accepted),
		Unclaimed:         outcome.Tally.Unclaimed,
		UnclaimedRemitted: int64(outcome.Tally.UnclaimedPaid),
	}
	if d := outcome.Guidance.BatchAsOf; d != domain.NoDay {
		answer.BatchAsOf = d.String()
	}
	if d := outcome.Guidance.DataThrough; d != domain.NoDay {
		answer.DataThrough = d.String()
	}
	for i := range outcome.Len() {
		result := outcome.Result(i)
		answer.Verdicts = append(answer.Verdicts, Verdict{
			Name: string(result.OrderID), Flag: result.Flag.String(),
			Due: int64(result.Due), Remitted: int64(result.Remitted), Accepted: int64(result.Accepted), Shortfall: int64(result.Shortfall),
			DaysOverdue: result.DaysOverdue, MatchMode: result.MatchMode.String(), AWB: string(result.AWB), Status: result.Status,
		})
		if result.Flag.IsFlagged() {
			answer.Flagged++
		}
	}
	if len(given.Reports) > 0 {
		answer.Totals, answer.Payouts = totalsOf(outcome)
	}
	answer.Warnings = map[string]Warning{}
	for _, w := range outcome.Warnings() {
		answer.Warnings[string(w.Code)] = Warning{Is: true, Count: w.Count, Paise: int64(w.Amount)}
	}
	return answer, nil
}

var errAltered = errors.New("a file was altered while it was read: it is hashed meanwhile")

func (e *engine) decide(given Case) (outcome *verdict.Reconciliation, release func(), err error) {
	run, err := e.preview(given, nil)
	if err != nil {
		return nil, nil, err
	}
	return run.Reconciliation, run.Release, nil
}

// preview answers a case and, if there is one, the ledger of the run before.
func (e *engine) preview(given Case, previous []byte) (*ports.FinishedRun, error) {
	e.export = appendExport(e.export[:0], given)
	minor := int(given.MinorRupees)
	req := ports.Request{Storefront: e.export, Reports: appendReports(given), Previous: previous, OverdueDays: &given.OffsetDays, MinorGap: &minor}
	if len(given.Reports) == 0 {
		e.report = appendReport(e.report[:0], given)
		req.Courier, req.Reports = e.report, nil
	}
	if given.Accept {
		req.Charges = domain.AcceptCharges
	}
	export, report := string(e.export), string(e.report)
	run, err := e.reconciling.Preview(context.Background(), req)
	if string(e.export) != export || string(e.report) != report {
		return nil, errAltered
	}
	return run, err
}

// totalsOf are the totals of a run in the form of the plain reading.
func totalsOf(run *verdict.Reconciliation) (all []Totals, payouts []Payout) {
	sum := func(s verdict.LineSum) Sum { return Sum{s.Lines, int64(s.Remitted)} }
	for _, t := range run.ReportTotals() {
		all = append(all, Totals{sum(t.Read), sum(t.Matched), sum(t.Unclaimed), sum(t.Repeated), sum(t.Corrected), sum(t.Unidentified)})
	}
	for _, p := range run.Payouts() {
		payouts = append(payouts, Payout{Report: p.Report, UTR: string(p.UTR), Date: p.RemittedOn.String(), Lines: p.Lines, Collected: int64(p.Collected), Paid: int64(p.Paid)})
	}
	return all, payouts
}

func appendReports(given Case) (reports []ports.Report) {
	for _, r := range given.Reports {
		one, n := given, min(r.Lines, len(given.Lines)) // a case that is being shrunk has fewer
		one.Lines, given.Lines = given.Lines[:n], given.Lines[n:]
		reports = append(reports, ports.Report{Courier: appendReport(nil, one), CourierName: r.Courier})
	}
	return reports
}

func appendExport(dst []byte, given Case) []byte {
	dst = append(dst, "Name,Created at,Paid at,Fulfilled at,Cancelled at,Financial Status,Fulfillment Status,Payment Method,Total,Outstanding Balance,Currency,Tracking Number,Tracking Company\n"...)
	for _, o := range given.Orders {
		dst = appendRow(dst, o.Name, o.CreatedAt, o.PaidAt, o.FulfilledAt, o.CancelledAt, o.Financial, o.Fulfilment, o.PaymentMethod,
			money(o.Total), money(o.Outstanding), o.Currency, o.Tracking, o.Carrier)
	}
	return dst
}

// appendReport writes the courier's report of a case.
func appendReport(dst []byte, given Case) []byte {
	has := given.Columns
	cells := make([]string, 0, 12)
	row := func(l Line, isHeader bool) {
		cells = cells[:0]
		add := func(is bool, header, cell string) {
			switch {
			case !is:
			case isHeader:
				cells = append(cells, header)
			default:
				cells = append(cells, cell)
			}
		}
		add(has.AWB, "AWB Number", l.AWB)
		add(has.OrderID, "Order ID", l.OrderID)
		add(has.CODAmount != "", has.CODAmount, money(l.CODAmount))
		add(has.RemittedAmount != "", has.RemittedAmount, money(l.RemittedAmount))
		add(has.RemittanceDate, "Remittance Date", l.RemittanceDate)
		add(has.DeliveredDate, "Delivered Date", l.DeliveredDate)
		add(has.Status, "Status", l.Status)
		add(has.RemittanceStatus, "Remittance Status", l.RemittanceStatus)
		add(has.UTR, "UTR", l.UTR)
		for i, header := range has.Charges {
			add(header != "", header, l.Charges[i])
		}
		dst = appendRow(dst, cells...)
	}
	row(Line{}, true)
	for _, l := range given.Lines {
		row(l, false)
	}
	return dst
}

func appendRow(dst []byte, cells ...string) []byte {
	for i, cell := range cells {
		if i > 0 {
			dst = append(dst, ',')
		}
		if strings.ContainsAny(cell, "\",\n") {
			cell = `"` + strings.ReplaceAll(cell, `"`, `""`) + `"`
		}
		dst = append(dst, cell...)
	}
	return append(dst, '\n')
}

func money(a Amount) string {
	if !a.Stated {
		return ""
	}
	if a.Paise%100 == 0 {
		return strconv.FormatInt(a.Paise/100, 10)
	}
	return strconv.FormatFloat(float64(a.Paise)/100, 'f', 2, 64)
}
