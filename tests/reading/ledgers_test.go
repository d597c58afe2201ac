package reading

import (
	"bytes"
	"cmp"
	"encoding/csv"
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"milaan/adapters/documents/ledger"
	"milaan/domain"
	"milaan/domain/verdict"
	"milaan/ports"
	"milaan/tests/only"
)

// ofLedgers are rules that quarters must reach, and what must become of claims in some of them.
var ofLedgers = []string{
	"runs: listed again", "runs: only the earlier one says paid", "shared AWB", "beside: a repeat", "beside: pays what is owed", "beside: takes money back",
	"beside: a replacement", "accepted charges compared with the due", "due 1 prepaid", "due 2 cancelled", "due 4 returned", "due 7 total, repeats back",
	"due 5 part-paid, by an earlier export",
	"Before", "New", "Changed", "PartlyPaid", "Cleared", "WrittenOff", "Reopened", "Now", "Recovered", "Awaited", "Overpaid", "Promises",
}

// TestRunsWithLedgers compares months whose exports and reports are spread over some runs, with a ledger file between
// them, with one plain run over everything: what each order owes and was paid, and how the claims move from run to run.
// They are the same each time.
func TestRunsWithLedgers(t *testing.T) {
	t.Parallel()
	e, chance, rules := newEngine(), rand.New(rand.NewPCG(26, 26)), map[string]int{}
	for range size(120, 3_000, 100_000) {
		q := drawQuarter(chance)
		faults := only.Value(e.follow(q, rules))(t)
		if len(faults) > 0 {
			q, faults = e.shrinkQuarter(q, faults)
			t.Fatal(showQuarter(q, faults))
		}
	}
	requireReached(t, rules, ofLedgers...)
}

// TestRunsWithRoundedLedgers compares the same where a spreadsheet has rounded the AWBs of the ledgers between the runs, so that
// lines belong to the orders that they name.
func TestRunsWithRoundedLedgers(t *testing.T) {
	t.Parallel()
	e, chance, rules := newEngine(), rand.New(rand.NewPCG(27, 26)), map[string]int{}
	for range size(60, 2_000, 50_000) {
		q := drawQuarter(chance)
		if !q.runs[0].Columns.OrderID {
			continue
		}
		q.rounded = true
		q.leaveNamed()
		faults := only.Value(e.follow(q, rules))(t)
		if len(faults) > 0 {
			q, faults = e.shrinkQuarter(q, faults)
			t.Fatal(showQuarter(q, faults))
		}
	}
	requireReached(t, rules, "runs: listed again", "Changed", "PartlyPaid", "Cleared")
}

// leaveNamed leaves only lines that pay a part of what one order owes, which they name by its id and its AWB: of others the AWB
// decides, or how many parcels there are.
func (q *quarter) leaveNamed() {
	bearers, named, owed := map[string][]string{}, map[string][]string{}, map[string]int64{}
	note := func(of map[string][]string, key, name string) {
		if !slices.Contains(of[key], name) {
			of[key] = append(of[key], name)
		}
	}
	for _, o := range AtOnce(q.runs).Orders {
		note(named, orderKey(o.Name), heldAs(o))
		awbs, _ := (&run{hits: map[string]bool{}}).trackingOf(o.Tracking)
		for _, awb := range awbs {
			note(bearers, awb, heldAs(o))
		}
	}
	for _, run := range q.runs {
		for _, o := range run.Orders {
			alone := (&order{Order: o}).owesAlone()
			if o.PaymentMethod != "" {
				alone = 0
			}
			if known, is := owed[heldAs(o)]; !is || alone < known {
				owed[heldAs(o)] = alone
			}
		}
	}
	seen := map[string]bool{}
	for i := range q.runs {
		run, at := &q.runs[i], 0
		lines := run.Lines
		run.Lines = nil
		for r := range run.Reports {
			given := lines[at : at+run.Reports[r].Lines]
			at += len(given)
			before := len(run.Lines)
			for _, l := range given {
				paid := l.RemittedAmount
				if run.Columns.RemittedAmount == "" {
					paid = l.CODAmount
				}
				of, by := named[orderKey(l.OrderID)], bearers[awbText(l.AWB)]
				same := fmt.Sprint(l.AWB, "|", orderKey(l.OrderID), "|", l.CODAmount, "|", l.RemittedAmount, "|", l.RemittanceDate, "|", l.UTR)
				l.RemittanceStatus = ""
				switch {
				case strings.HasPrefix(l.AWB, "END"), seen[same]:
				case len(of) != 1 || !slices.Equal(of, by) || couldBeRounded(awbText(l.AWB)) || paid.Paise <= 0 || paid.Paise > owed[of[0]] ||
					run.Columns.RemittanceDate && l.RemittanceDate == "" || l.Status != "" && l.Status != "Delivered":
					continue
				default:
					seen[same] = true
					owed[of[0]] -= paid.Paise
				}
				run.Lines = append(run.Lines, l)
			}
			run.Reports[r].Lines = len(run.Lines) - before
		}
	}
}

// quarter is what some runs are given, the oldest first.
type quarter struct {
	runs  []Case
	marks []map[string]Noted // of the ledger that each run writes, by name and day of the order

	rounded bool // a spreadsheet rounds the AWBs of ledgers
}

// drawQuarter draws a case, and gives its orders and lines to some runs.
func drawQuarter(chance *rand.Rand) quarter {
	oneOf := func(n int) bool { return chance.IntN(n) == 0 }
	var given Case
	for draws := []func(*rand.Rand) Case{draw, drawMonth, drawMonth}; ; {
		if given = draws[chance.IntN(len(draws))](chance); isPlainlyDated(given) {
			break
		}
	}
	q := quarter{runs: make([]Case, 2+chance.IntN(3))}
	last := len(q.runs) - 1
	for i := range q.runs {
		q.runs[i] = given
		q.runs[i].Orders, q.runs[i].Lines, q.runs[i].Reports = nil, nil, nil
	}
	for _, order := range assemble(given.Orders) {
		o := order.Order
		o.Tracking = strings.TrimSpace(o.Tracking)
		newest := true // what it says holds
		for i := last - chance.IntN(len(q.runs)); i >= 0; i-- {
			if !newest && !oneOf(3) {
				continue
			}
			as := o
			if oneOf(8) {
				as.Financial, as.CancelledAt = "pending", ""
			}
			if oneOf(8) {
				as.Fulfilment, as.FulfilledAt = "", ""
			}
			if oneOf(12) && as.Total.Stated {
				as.Total.Paise += 10_000
			}
			if !newest && oneOf(4) && as.Total.Paise > 0 && as.Outstanding.Paise == 0 {
				as.Financial, as.Outstanding = "partially_paid", Amount{Stated: true, Paise: as.Total.Paise / 4 * 3}
				for at := range given.Lines { // the courier lists the rest
					if l := &given.Lines[at]; sameWord(o.Financial, "paid") && orderKey(l.OrderID) == orderKey(o.Name) {
						l.CODAmount, l.RemittedAmount = as.Outstanding, as.Outstanding
					}
				}
			}
			if !newest && oneOf(4) {
				as.Tracking = "" // it had not left
			}
			if !as.isOrders() { // it would be a row of another one
				as.Financial = "pending"
			}
			q.runs[i].Orders, newest = append(q.runs[i].Orders, as), false
		}
	}
	// Lines of one courier stand in a report of each run.
	lines := make([][][]Line, len(q.runs))
	couriers := []string{"dtdc"}
	if len(given.Reports) > 0 {
		couriers = nil
		for _, r := range given.Reports {
			if !slices.Contains(couriers, r.Courier) {
				couriers = append(couriers, r.Courier)
			}
		}
	}
	for i := range lines {
		lines[i] = make([][]Line, len(couriers))
	}
	of, paidAs := &run{given: given}, map[string]string{}
	for at, l := range given.Lines {
		report := of.reportOf(at)
		if hasTotal(l.AWB) || hasTotal(l.OrderID) || l.AWB == "" && (l.OrderID == "" || !given.Columns.OrderID) {
			continue
		}
		courier := 0
		if len(given.Reports) > 0 {
			courier = slices.Index(couriers, given.Reports[report].Courier)
			if slices.ContainsFunc(given.Reports[:report], func(r Report) bool { return r.Courier == couriers[courier] }) {
				continue
			}
		}
		from := chance.IntN(len(q.runs))
		for i := from; i <= last; i++ {
			if i > from && !oneOf(4) {
				continue
			}
			as := l // what says neither which money it is nor how much
			if oneOf(8) {
				as.Status = []string{"", "", "Delivered", "RTO Delivered", "In Transit"}[chance.IntN(5)]
			}
			if oneOf(8) {
				as.DeliveredDate = []string{"", "2026-01-15", "2026-02-15"}[chance.IntN(3)]
			}
			if oneOf(8) {
				as.RemittanceStatus = remittanceStatus[chance.IntN(3)]
			}
			// Which of equal lines of one report comes first is not said, if one is paid and the other is not.
			money := fmt.Sprint(i, "|", as.AWB, "|", as.OrderID, "|", as.CODAmount, "|", as.RemittedAmount, "|", as.RemittanceDate, "|", as.UTR)
			if status, is := paidAs[money]; is {
				as.RemittanceStatus = status
			}
			paidAs[money] = as.RemittanceStatus
			lines[i][courier] = append(lines[i][courier], as)
		}
	}
	q.end(chance, lines, couriers)
	q.marks = make([]map[string]Noted, len(q.runs))
	for i := range q.runs {
		q.marks[i] = map[string]Noted{}
		for _, o := range q.runs[i].Orders {
			if oneOf(6) {
				q.marks[i][heldAs(o)] = Noted{WrittenOff: oneOf(2), PromisedUntil: "2026-02-01"}
			}
		}
	}
	return q
}

// isPlainlyDated reports whether all dates are ISO days, and no charge is in words: what such columns mean hangs on all cells of a
// file, and a quarter has several files.
func isPlainlyDated(given Case) bool {
	for _, o := range given.Orders {
		if strings.Contains(o.CreatedAt+o.PaidAt+o.FulfilledAt+o.CancelledAt, "/") {
			return false
		}
	}
	for _, l := range given.Lines {
		if strings.Contains(l.RemittanceDate+l.DeliveredDate, "/") || strings.Contains(strings.Join(l.Charges[:], ""), "%") {
			return false
		}
	}
	return true
}

// end gives every run reports with an own order and line each that are as late as all so far, so that no verdict but MISSING hangs on how
// exports and reports are spread.
func (q *quarter) end(chance *rand.Rand, lines [][][]Line, couriers []string) {
	latest := "2026-01-05"
	through := make([]string, len(couriers))
	for i := range q.runs {
		run := &q.runs[i]
		for _, o := range run.Orders {
			latest = later(latest, cmp.Or(o.CreatedAt, o.PaidAt, o.FulfilledAt))
		}
		run.Orders = append(run.Orders, Order{Name: fmt.Sprintf("#%d", 90001+i), CreatedAt: latest, Financial: "pending", Fulfilment: "fulfilled", Total: Rupees(1), Currency: "INR"})
		for c := range couriers {
			for _, l := range lines[i][c] {
				if run.Columns.RemittanceDate {
					through[c] = later(through[c], l.RemittanceDate)
				}
				if run.Columns.DeliveredDate {
					through[c] = later(through[c], l.DeliveredDate)
				}
			}
			l := Line{AWB: fmt.Sprintf("END%d%d", i, c), CODAmount: Rupees(1), RemittedAmount: Rupees(1), RemittanceDate: through[c], DeliveredDate: through[c], UTR: fmt.Sprint("END", i, c)}
			if run.Columns.CODAmount == "" {
				l.CODAmount = blank
			}
			if run.Columns.RemittedAmount == "" {
				l.RemittedAmount = blank
			}
			run.Lines = append(append(run.Lines, lines[i][c]...), l)
			whole := Report{Lines: len(lines[i][c]) + 1, Courier: couriers[c]}
			if whole.Lines > 3 && chance.IntN(4) == 0 { // one for each of two payouts
				first := Report{Lines: 1 + chance.IntN(whole.Lines-1), Courier: couriers[c]}
				run.Reports = append(run.Reports, first)
				whole.Lines -= first.Lines
			}
			run.Reports = append(run.Reports, whole)
		}
	}
}

// follow runs a quarter through the engine, and says where it first differs from the plain reading. It counts the rules that speak.
func (e *engine) follow(q quarter, rules map[string]int) (faults []string, err error) {
	var file []byte
	before := map[string]Held{}
	noted := map[string]Noted{}
	for i := range q.runs {
		all := AtOnce(q.runs[:i+1])
		for at, o := range all.Orders {
			exported := slices.ContainsFunc(q.runs[i].Orders, func(now Order) bool { return heldAs(now) == heldAs(o) })
			if was, known := before[heldAs(o)]; exported {
				all.Orders[at] = o.after(was)
			} else if known {
				all.Orders[at].OwedBefore, all.Orders[at].Outstanding = was.Due != 0, was.Outstanding
			}
		}
		want := Reconcile(all)
		if want.Warnings["corrected_payout"].Is {
			return nil, nil // by which report hangs on how reports are spread: a ledger has those of a courier as one
		}
		run, err := e.preview(q.runs[i], file)
		if fault := (*domain.FileError)(nil); errors.As(err, &fault) {
			if want.Refused != "" {
				return nil, nil // by both
			}
			return []string{fmt.Sprintf("run %d: the engine refuses: %v", i+1, err)}, nil
		}
		if err != nil {
			return nil, err
		}
		if want.Refused != "" {
			run.Release()
			return []string{fmt.Sprintf("run %d: the engine does not refuse: %s", i+1, want.Refused)}, nil
		}
		if slices.ContainsFunc(run.Warnings(), func(w domain.Warning) bool { return w.Code == domain.WarnCorrectedPayout }) {
			run.Release()
			return nil, nil // the same
		}
		now := map[string]Held{}
		couriers := make([]string, run.All())
		for item := range run.OpenItems() {
			couriers[item.Order] = item.Now.Courier
		}
		if run.All() != len(want.Verdicts) {
			run.Release()
			return []string{fmt.Sprintf("run %d: %d orders, plainly %d", i+1, run.All(), len(want.Verdicts))}, nil
		}
		for at, w := range want.Verdicts {
			g := run.Result(at)
			differ := func(what string, a, b any) {
				if a != b {
					faults = append(faults, fmt.Sprintf("run %d: %s of order %s is plainly %v (%s), of the engine %v (%s)", i+1, what, w.Name, a, w.Flag, b, g.Flag))
				}
			}
			differ("name", w.Name, string(g.OrderID))
			differ("due", w.Due, int64(g.Due))
			differ("remitted", w.Remitted, int64(g.Remitted))
			differ("accepted", w.Accepted, int64(g.Accepted))
			differ("shortfall", w.Shortfall, int64(g.Shortfall))
			flag := g.Flag.String()
			if w.Flag == "MISSING" || w.Flag == "OVERDUE" {
				flag = cmp.Or(map[string]string{"MISSING": w.Flag, "OVERDUE": w.Flag}[flag], flag)
			}
			differ("flag", w.Flag, flag)
			name := heldAs(all.Orders[at])
			held, was := Held{Verdict: w, Courier: couriers[at], Total: all.Orders[at].Total, Outstanding: all.Orders[at].Outstanding}, before[name]
			if w.Balance > 0 {
				held.Outstanding = Amount{Stated: true, Paise: w.Balance}
			}
			held.Noted = noted[name].CarriedOn(&was, &held)
			noted[name], now[name] = held.Noted, held
		}
		moved := Moved(before, now, want.BatchAsOf)
		faults = append(faults, compareMovements(fmt.Sprintf("run %d", i+1), moved, run)...)
		for _, hit := range want.Hits {
			rules[hit]++
		}
		for _, v := range want.Verdicts {
			rules["due "+v.DueRule]++
		}
		sums := reflect.TypeFor[Movement]()
		for at, sum := range moved["all"].sums() {
			rules[sums.Field(at).Name] += sum.Lines
		}
		if before = now; len(faults) == 0 {
			file, err = e.ledgerOf(run, q.marks[i], noted, q.rounded)
		}
		run.Release()
		if err != nil || len(faults) > 0 {
			return faults, err
		}
	}
	return nil, nil
}

// compareMovements says in what the movements of a run differ.
func compareMovements(where string, want map[string]*Movement, run *ports.FinishedRun) (faults []string) {
	couriers, all := run.Movements()
	got := map[string]verdict.Movement{"all": all}
	for _, m := range couriers {
		got[m.Courier] = m
	}
	for courier, w := range want {
		g := got[courier]
		if sum := w.Before.Remitted + w.New.Remitted + w.Changed.Remitted - w.PartlyPaid.Remitted - w.Cleared.Remitted - w.WrittenOff.Remitted +
			w.Reopened.Remitted; sum != w.Now.Remitted {
			faults = append(faults, fmt.Sprintf("%s: the plain sums of %q do not tie: %+v", where, courier, *w))
		}
		var sums []Sum
		for _, s := range []verdict.ItemSum{g.Before, g.New, g.Changed, g.PartlyPaid, g.Cleared, g.WrittenOff, g.Reopened, g.Now, g.Recovered, g.Awaited, g.Overpaid, g.Promises} {
			sums = append(sums, Sum{s.Items, int64(s.Amount)})
		}
		for i, s := range w.sums() {
			if *s != sums[i] {
				faults = append(faults, fmt.Sprintf("%s: movement %d of %q is plainly %v, of the engine %v", where, i, courier, *s, sums[i]))
			}
		}
	}
	return faults
}

// ledgerOf writes the ledger of a run as a file, with what a person has noted on it.
func (e *engine) ledgerOf(run *ports.FinishedRun, marks, noted map[string]Noted, rounded bool) ([]byte, error) {
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	var header []string
	err := ledger.Write(run, func(cells [][]byte) error {
		row := make([]string, len(cells))
		for i, cell := range cells {
			row[i] = string(cell)
		}
		if header == nil {
			header = row
			return w.Write(row)
		}
		cell := func(name string) *string { return &row[slices.Index(header, name)] }
		if row[0] == "order" {
			name := heldAs(Order{Name: *cell("Order"), CreatedAt: spelled(*cell("Created"))})
			if mark, is := marks[name]; is {
				noted[name] = mark
				*cell("State"), *cell("Promised until") = "promised", mark.PromisedUntil
				if mark.WrittenOff {
					*cell("State") = "written off"
				}
			}
		}
		if awb, err := strconv.ParseFloat(*cell("AWB"), 64); err == nil && rounded && awb > 1e11 && (row[0] != "line" || *cell("Order") != "") {
			*cell("AWB") = fmt.Sprintf("%.5E", awb)
		}
		return w.Write(row)
	})
	w.Flush()
	return b.Bytes(), cmp.Or(err, w.Error())
}

// spelled is a day of a ledger, or a moment, as exports write it.
func spelled(cell string) string {
	if day, err := time.Parse("20060102", cell); err == nil {
		return day.Format(time.DateOnly)
	}
	if at, err := time.Parse("20060102T150405", cell); err == nil {
		return at.Format(time.DateTime)
	}
	return cell
}

// shrinkQuarter takes from a quarter what can go while it still shows a fault.
func (e *engine) shrinkQuarter(q quarter, faults []string) (quarter, []string) {
	deadline := time.Now().Add(20 * time.Second)
	for changed := true; changed; {
		changed = false
		try := func(candidate quarter) {
			if time.Now().After(deadline) {
				return
			}
			if found, err := e.follow(candidate, map[string]int{}); err == nil && len(found) > 0 && sortOf(found) == sortOf(faults) {
				q, faults, changed = candidate, found, true
			}
		}
		for i := len(q.runs) - 1; i >= 0; i-- {
			if len(q.runs) == 1 {
				break
			}
			try(quarter{runs: slices.Delete(slices.Clone(q.runs), i, i+1), marks: slices.Delete(slices.Clone(q.marks), i, i+1), rounded: q.rounded})
		}
		for i := range q.runs {
			with := func(change func(*Case)) {
				if i >= len(q.runs) {
					return
				}
				candidate := quarter{runs: slices.Clone(q.runs), marks: q.marks, rounded: q.rounded}
				one := &candidate.runs[i]
				one.Orders, one.Lines, one.Reports = slices.Clone(one.Orders), slices.Clone(one.Lines), slices.Clone(one.Reports)
				change(one)
				try(candidate)
			}
			for at := len(q.runs[i].Orders) - 1; at >= 0; at-- {
				if !strings.HasPrefix(q.runs[i].Orders[at].Name, "#9000") {
					with(func(c *Case) { c.Orders = slices.Delete(c.Orders, at, at+1) })
				}
			}
			for at := len(q.runs[i].Lines) - 1; at >= 0; at-- {
				if strings.HasPrefix(q.runs[i].Lines[at].AWB, "END") {
					continue
				}
				with(func(c *Case) {
					c.Reports[(&run{given: *c}).reportOf(at)].Lines--
					c.Lines = slices.Delete(c.Lines, at, at+1)
				})
			}
			for at := range q.runs[i].Orders {
				for _, cell := range []string{"PaidAt", "FulfilledAt", "CancelledAt", "Financial", "PaymentMethod", "Tracking", "Outstanding", "Carrier"} {
					if !reflect.ValueOf(q.runs[i].Orders[at]).FieldByName(cell).IsZero() {
						with(func(c *Case) { clearCell(&c.Orders[at], cell) })
					}
				}
			}
		}
		for i := range q.marks {
			if len(q.marks[i]) > 0 {
				candidate := quarter{runs: q.runs, marks: slices.Clone(q.marks), rounded: q.rounded}
				candidate.marks[i] = nil
				try(candidate)
			}
		}
		if time.Now().After(deadline) {
			break
		}
	}
	return q, faults
}

// sortOf is the first fault without its names and figures.
func sortOf(faults []string) string {
	what, _, _ := strings.Cut(plainly(faults[0]), " of order ")
	return what
}

// showQuarter renders a quarter for a person to judge.
func showQuarter(q quarter, faults []string) string {
	var b strings.Builder
	for _, fault := range faults {
		fmt.Fprintf(&b, "%s\n", fault)
	}
	fmt.Fprintf(&b, "overdue_threshold_days %d, minor_gap_threshold %d, accepts charges: %v\n", q.runs[0].OffsetDays, q.runs[0].MinorRupees, q.runs[0].Accept)
	for i, run := range q.runs {
		fmt.Fprintf(&b, "run %d\n%s%v\n%s  then noted: %v\n", i+1, indent(string(appendExport(nil, run))), run.Reports, indent(string(appendReport(nil, run))), q.marks[i])
	}
	return b.String()
}
