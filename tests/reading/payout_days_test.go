package reading

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"milaan/ports"
)

// payouts is an export beside some reports of its month and of the month before, with dates day first or month first. The
// UTRs of their lines say which days are true.
type payouts struct {
	given  Case
	before *Case // the run before, whose ledger the run is given; nil: there is none
	style  int   // see spelling
}

// payer is a courier that pays all parcels of some days together.
type payer struct {
	id, begins      string // begins: its AWBs
	gap, first, lag int    // days between payouts, and from delivery to the earliest one
}

// drawPayouts draws the orders of three months, of which the last is exported, and what couriers pay for them.
func drawPayouts(chance *rand.Rand) payouts {
	oneOf := func(n int) bool { return chance.IntN(n) == 0 }
	month := 1 + time.Month(chance.IntN(11)) // the one before the export's
	start := func(of time.Month) int {
		return int(time.Date(2026, of, 1, 0, 0, 0, 0, time.UTC).Sub(monthStart) / (24 * time.Hour))
	}
	from, last := start(month+1), start(month+2)-1
	if oneOf(3) {
		last -= chance.IntN(18)
	}
	if oneOf(4) {
		from -= 15
	}
	p := payouts{style: 1 + chance.IntN(2), given: Case{OffsetDays: 7, MinorRupees: 2, Columns: Columns{AWB: true, OrderID: !oneOf(3), CODAmount: "COD Amount",
		RemittedAmount: "Remitted Amount", RemittanceDate: true, DeliveredDate: oneOf(2), UTR: true}}}
	payers := []payer{{"delhivery", "1490", []int{1, 3, 7, 7, 7, 14}[chance.IntN(6)], chance.IntN(14), 2 + chance.IntN(8)}}
	if oneOf(4) {
		payers = append(payers, payer{"dtdc", "88", []int{7, 7, 14}[chance.IntN(3)], chance.IntN(14), 2 + chance.IntN(8)})
	}
	type report struct {
		of    payer
		on    int
		lines []Line
	}
	var reports []*report
	earlier := p.given
	perDay, spell, iso := 1+chance.IntN(3), spelling(p.style), spelling(0)
	for n, created := 0, start(month-1); created <= last; created++ {
		for range chance.IntN(2*perDay + 1) {
			n++
			of := payers[chance.IntN(len(payers))]
			sent := created + chance.IntN(3)
			delivered := sent + 2 + chance.IntN(5)
			o := Order{Name: fmt.Sprintf("#%d", 1000+n), CreatedAt: iso(created), FulfilledAt: iso(sent), Financial: "pending", Fulfilment: "fulfilled",
				Tracking: fmt.Sprintf("%s%08d", of.begins, 60868+17*n), Total: Rupees(int64(400 + 10*chance.IntN(100))), Currency: "INR"}
			switch {
			case created >= from:
				p.given.Orders = append(p.given.Orders, o)
			case created >= start(month):
				earlier.Orders = append(earlier.Orders, o)
			}
			on := delivered + of.lag
			if oneOf(30) {
				on += 15 + chance.IntN(30)
			}
			for (on-of.first)%of.gap != 0 {
				on++
			}
			if oneOf(20) || on < start(month) || on > last+14 {
				continue
			}
			at := slices.IndexFunc(reports, func(r *report) bool { return r.of == of && r.on == on })
			if at < 0 {
				at, reports = len(reports), append(reports, &report{of: of, on: on})
			}
			reports[at].lines = append(reports[at].lines, Line{AWB: o.Tracking, OrderID: o.Name, CODAmount: o.Total, RemittedAmount: o.Total,
				RemittanceDate: spell(on), DeliveredDate: spell(delivered), UTR: "UTR" + strings.ToUpper(of.id) + iso(on)})
		}
	}
	chance.Shuffle(len(reports), func(i, j int) { reports[i], reports[j] = reports[j], reports[i] })
	add := func(to *Case, r *report) {
		to.Lines, to.Reports = append(to.Lines, r.lines...), append(to.Reports, Report{Lines: len(r.lines), Courier: r.of.id})
	}
	count := min(1+chance.IntN(4), len(reports))
	for _, r := range reports[:count] {
		add(&p.given, r)
	}
	for _, r := range reports[count:min(count+2, len(reports))] {
		if r.on < from {
			add(&earlier, r)
		}
	}
	if len(earlier.Orders) > 0 && len(earlier.Reports) > 0 && oneOf(2) {
		earlier = earlier.withISODays(p.style)
		p.before = &earlier
	}
	return p
}

// withISODays is a case with the days of its reports as ISO days.
func (c Case) withISODays(style int) Case {
	c.Lines = slices.Clone(c.Lines)
	for i := range c.Lines {
		l := &c.Lines[i]
		l.RemittanceDate, l.DeliveredDate = read(l.RemittanceDate, style == 2), read(l.DeliveredDate, style == 2)
	}
	return c
}

// TestDaysOfPayouts has the engine read reports of which each date may be readable day first and month first, beside an export
// that may not have their orders. Day first is rarely read wrongly, and then no order is MISSING or OVERDUE for it; month first
// not often. Where there is no ledger, the plain reading says the same.
func TestDaysOfPayouts(t *testing.T) {
	c, chance := newComparison(), rand.New(rand.NewPCG(5, 8))
	var cases, wrong [3]int // by style
	for range size(700, 5_000, 50_000) {
		p := drawPayouts(chance)
		if len(p.given.Orders) == 0 || len(p.given.Reports) == 0 {
			continue
		}
		cases[p.style]++
		var ledger []byte
		if p.before != nil {
			ledger = ledgerAfter(t, c.engine, *p.before)
		} else {
			c.add(p.given, len(p.given.Lines))
		}
		run := previewed(t, c.engine, p.given, ledger)
		for _, payout := range run.Payouts() {
			if !strings.HasSuffix(string(payout.UTR), payout.RemittedOn.String()) {
				wrong[p.style]++
				break
			}
		}
		truth := previewed(t, c.engine, p.given.withISODays(p.style), ledger)
		for i := range run.All() {
			is, was := run.Result(i).Flag, truth.Result(i).Flag
			if p.style == 1 && is != was && (is.String() == "MISSING" || is.String() == "OVERDUE") {
				t.Errorf("order %s is %s and not %s:\n%s", run.Result(i).OrderID, is, was, appendReport(nil, p.given))
			}
		}
		truth.Release()
		run.Release()
	}
	t.Logf("of %d cases day first and %d month first, %d and %d are read wrongly", cases[1], cases[2], wrong[1], wrong[2])
	if wrong[1]*100 > cases[1] || wrong[2]*15 > cases[2] {
		t.Errorf("of %d cases day first and %d month first, %d and %d are read wrongly", cases[1], cases[2], wrong[1], wrong[2])
	}
	for _, rule := range []string{
		"dates read as another report's, day first", "dates read as another report's, month first", "dates read day first, by the lines' own orders",
		"dates read month first, by the lines' own orders", "dates read day first, as no line's order is known",
		"dates read month first, by the orders' time", "dates read day first, by the orders' time", "dates read day first, as both readings do",
	} {
		if c.rules[rule] == 0 {
			t.Errorf("no case reaches the rule %q", rule)
		}
	}
	c.report(t)
}

func previewed(t *testing.T, e *engine, given Case, ledger []byte) *ports.FinishedRun {
	t.Helper()
	run, err := e.preview(given, ledger)
	if err != nil {
		t.Fatal(err)
	}
	return run
}

func ledgerAfter(t *testing.T, e *engine, given Case) []byte {
	t.Helper()
	run := previewed(t, e, given, nil)
	defer run.Release()
	ledger, err := e.ledgerOf(run, nil, nil, false)
	if err != nil {
		t.Fatal(err)
	}
	return ledger
}
