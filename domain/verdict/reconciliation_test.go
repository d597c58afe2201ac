package verdict_test

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"milaan/domain"
	"milaan/domain/verdict"
)

// Properties of every pair of files.

type pair struct {
	orders []export
	lines  []verdict.Remittance
	terms  domain.Terms
}

// export is an order as the storefront has it.
type export struct {
	verdict.Order

	awbs    []byte
	method  string
	carrier string

	namesake bool // if another order has the name, it is told from that by when it was created
}

// fresh has room for the orders and the lines of a run.
func fresh() (*verdict.Orders, *verdict.Remittances) {
	orders, lines := new(verdict.Orders), new(verdict.Remittances)
	orders.Reset()
	lines.Reset()
	return orders, lines
}

// addTo adds the order to others.
func (e export) addTo(orders *verdict.Orders) {
	o, isNew := orders.FindOrAdd(e.Name)
	if !isNew && e.namesake {
		o = orders.FindOrAddNamesake(o, domain.Moment{Day: e.CreatedOn, Second: e.CreatedSecond})
	}
	o.CreatedSecond = e.CreatedSecond
	o.Fulfilment, o.Total, o.HasTotal, o.Outstanding, o.HasOutstanding = e.Fulfilment, e.Total, e.HasTotal, e.Outstanding, e.HasOutstanding
	o.CreatedOn, o.FulfilledOn, o.Financial, o.Payment, o.Cancelled = e.CreatedOn, e.FulfilledOn, e.Financial, e.Payment, e.Cancelled
	if e.method != "" {
		o.Method = orders.Share([]byte(e.method))
	}
	if e.carrier != "" {
		o.Carrier = orders.Share([]byte(e.carrier))
	}
	if len(e.awbs) > 0 {
		orders.Track(o, e.awbs)
	}
}

// drawPair draws few orders and lines from few names, so that they meet often:
// shared AWBs, repeated lines, clones, rounded numbers, reversals.
func drawPair(t *rapid.T) pair {
	awb := rapid.SampledFrom([]string{"", "A1", "a1", "A2", "A3", "A4", "A1, A2", "A3;A5", "1.90408E+12"})
	lineAWB := rapid.SampledFrom([]string{"", "A1", "a1", "A2", "A3", "A4", "A5", "A9"})
	id := rapid.SampledFrom([]string{"1", "2", "3", "4", "5", "1-C", "9", ""})
	day := rapid.Custom(func(t *rapid.T) domain.Day {
		if rapid.IntRange(0, 4).Draw(t, "dated") == 0 {
			return domain.NoDay
		}
		return ago(rapid.IntRange(-25, 50).Draw(t, "ago"))
	})
	amount := rapid.Custom(func(t *rapid.T) domain.Paise {
		return domain.Paise(rapid.SampledFrom([]int64{0, 1, 100, 199, 200, 201, 50_000, 99_800, 100_000, 100_001, -50_000}).Draw(t, "amount"))
	})
	var p pair
	for i := range rapid.IntRange(1, 6).Draw(t, "orders") {
		p.orders = append(p.orders, export{awbs: []byte(awb.Draw(t, "awb")), Order: verdict.Order{
			Name:           fmt.Appendf(nil, "#%d", i+1),
			Fulfilment:     verdict.Fulfilment(rapid.IntRange(0, int(verdict.Restocked)).Draw(t, "fulfilment")),
			Total:          amount.Draw(t, "total"),
			HasTotal:       rapid.Bool().Draw(t, "has total"),
			Outstanding:    amount.Draw(t, "outstanding"),
			HasOutstanding: rapid.Bool().Draw(t, "has outstanding"),
			CreatedOn:      day.Draw(t, "created"),
			FulfilledOn:    day.Draw(t, "fulfilled"),
			Financial:      domain.Financial(rapid.IntRange(0, int(domain.FinancialVoided)).Draw(t, "financial")),
			Payment:        domain.Payment(rapid.IntRange(0, int(domain.PaymentCash)).Draw(t, "payment")),
			Cancelled:      rapid.IntRange(0, 5).Draw(t, "cancelled") == 0,
		}})
	}
	for range rapid.IntRange(0, 24).Draw(t, "lines") {
		p.lines = append(p.lines, verdict.Remittance{
			AWB:         []byte(lineAWB.Draw(t, "awb")),
			OrderID:     []byte(id.Draw(t, "id")),
			UTR:         []byte(rapid.SampledFrom([]string{"", "U1"}).Draw(t, "utr")),
			Collected:   amount.Draw(t, "collected"),
			Remitted:    amount.Draw(t, "remitted"),
			RemittedOn:  day.Draw(t, "remitted on"),
			DeliveredOn: day.Draw(t, "delivered on"),
			Returned:    rapid.IntRange(0, 5).Draw(t, "returned") == 0,
		})
	}
	for i := range p.lines {
		l := &p.lines[i]
		l.Listed, l.Stated, l.HasRemitted, l.HasStatus = l.Collected, l.Remitted, true, l.Returned
	}
	overdue := rapid.IntRange(domain.MinOverdueDays, domain.MaxOverdueDays).Draw(t, "overdue days")
	gap := rapid.IntRange(domain.MinMinorGap, domain.MaxMinorGap).Draw(t, "minor gap")
	p.terms = domain.TermsFor(&overdue, 0, &gap)
	return p
}

// takeBesideOut takes the order ids out of lines that name an order which has an AWB, but
// do not bear an AWB of the export: the order of the lines decides on them (guide: verdict 3).
func (p pair) takeBesideOut() {
	borne, tracked := map[string]bool{}, map[string]bool{}
	for _, o := range p.orders {
		for _, awb := range strings.FieldsFunc(strings.ToUpper(string(o.awbs)), func(r rune) bool { return strings.ContainsRune(",; ", r) }) {
			borne[awb], tracked[string(o.Name[1:])] = true, true
		}
	}
	for i := range p.lines {
		id, _, _ := strings.Cut(string(p.lines[i].OrderID), "-")
		if tracked[id] && !borne[strings.ToUpper(string(p.lines[i].AWB))] {
			p.lines[i].OrderID = nil
		}
	}
}

// found is all that a run says, in a form that can be compared.
type found struct {
	results  []string
	tally    domain.Tally
	guidance domain.Guidance
}

// decide reconciles the files that fill makes. Without terms it uses the default ones.
func decide(terms domain.Terms, fill func(*verdict.Orders, *verdict.Remittances)) (*verdict.Reconciliation, error) {
	orders, remittances := fresh()
	fill(orders, remittances)
	var r verdict.Reconciliation
	return &r, r.Decide(orders, remittances, cmp.Or(terms, domain.TermsFor(nil, 0, nil)))
}

// mustDecide is decide for files that are not refused.
func mustDecide(terms domain.Terms, fill func(*verdict.Orders, *verdict.Remittances)) *verdict.Reconciliation {
	r, err := decide(terms, fill)
	if err != nil {
		panic(err)
	}
	return r
}

func (p pair) reconcile() *verdict.Reconciliation {
	return mustDecide(p.terms, func(orders *verdict.Orders, remittances *verdict.Remittances) {
		for _, o := range p.orders {
			o.addTo(orders)
		}
		for _, l := range p.lines {
			remittances.Add(l)
		}
	})
}

func (p pair) warnings() map[domain.WarningCode]domain.Warning {
	found := map[domain.WarningCode]domain.Warning{}
	for _, w := range p.reconcile().Warnings() {
		found[w.Code] = w
	}
	return found
}

func (p pair) run() found { return foundBy(p.reconcile()) }

func foundBy(r *verdict.Reconciliation) found {
	f := found{tally: r.Tally, guidance: r.Guidance}
	for i := range r.Len() {
		res, reason := r.Result(i), r.Reason(i)
		reason.Reports = 0 // in how many files the lines are is not found
		f.results = append(f.results, fmt.Sprintf("%s %s %d %d %d %d %s %s %s %+v", res.AWB, res.OrderID, res.Due, res.Remitted,
			res.Shortfall, res.DaysOverdue, res.Flag, res.Status, res.MatchMode, reason))
	}
	return f
}

func TestResultsHaveTheirDates(t *testing.T) {
	dated, undated := priced("#1", "", rupees(100)), priced("#2", "", rupees(100))
	dated.CreatedOn, dated.FulfilledOn, undated.CreatedOn = ago(40), ago(38), domain.NoDay
	r := pair{orders: []export{dated, undated}}.reconcile()
	require.Equal(t, ago(40), r.Result(0).OrderedOn)
	require.Equal(t, ago(38-7), r.Result(0).DueBy, "seven days after it was sent")
	require.Zero(t, r.Result(1).OrderedOn)
	require.Zero(t, r.Result(1).DueBy)
}

func TestShufflingLinesChangesNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := drawPair(t)
		for i := range p.lines { // of two lines with the same date, the lower one has the status
			p.lines[i].HasStatus, p.lines[i].Returned = false, false
		}
		p.takeBesideOut()
		want := p.run()
		p.lines = rapid.Permutation(p.lines).Draw(t, "shuffled")
		require.Equal(t, want, p.run())
	})
}

func TestUnrelatedLineChangesNoResult(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := drawPair(t)
		want := p.run()
		// It has no date, because a later date would change how far the file reaches.
		foreign := verdict.Remittance{AWB: []byte("FOREIGN"), OrderID: []byte("X7"), Collected: 100, Remitted: 100}
		p.lines = slices.Insert(p.lines, rapid.IntRange(0, len(p.lines)).Draw(t, "at"), foreign)
		got := p.run()
		require.Equal(t, want.results, got.results)
		require.Equal(t, want.tally.Unclaimed+1, got.tally.Unclaimed)
		require.Equal(t, want.tally.UnclaimedPaid+100, got.tally.UnclaimedPaid)
	})
}

// TestMoneyIsConserved adds everything up. If money came, due minus remitted and the charges that
// are accepted is the shortfall. If none came, the shortfall is what is due, unless the order still
// waits. And every rupee of the courier's file belongs to one order or is
// unclaimed, once.
func TestMoneyIsConserved(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := drawPair(t)
		p.terms.AcceptCharges = rapid.Bool().Draw(t, "accept charges")
		r := mustDecide(p.terms, func(orders *verdict.Orders, remittances *verdict.Remittances) {
			for _, o := range p.orders {
				o.addTo(orders)
			}
			remittances.Begin("")
			for _, l := range p.lines {
				remittances.Add(l)
				if off := rapid.SampledFrom([]domain.Paise{0, 100, -100, 101, -l.Listed}).Draw(t, "what charges leave"); l.Listed != l.Stated {
					remittances.AddCharge(0, l.Listed-l.Stated-off)
				}
			}
			remittances.SetCharges([]string{"Freight"})
			remittances.SetMapping(domain.Mapping{domain.RoleCODAmount: "COD", domain.RoleRemittedAmount: "Net"})
		})

		var flags domain.FlagCounts
		var due, remitted, accepted, awaiting, shortfall, atRisk domain.Paise
		for i := range r.Len() {
			res := r.Result(i)
			flags[res.Flag]++
			due, remitted, accepted, shortfall = due+res.Due, remitted+res.Remitted, accepted+res.Accepted, shortfall+res.Shortfall
			require.GreaterOrEqual(t, res.Due, domain.Paise(0))
			if res.Flag == domain.AwaitingNextCycle {
				require.Zero(t, res.Shortfall)
				require.Zero(t, res.Remitted)
				require.Zero(t, res.Accepted)
				awaiting += res.Due
			} else {
				require.Equal(t, res.Due-res.Remitted-res.Accepted, res.Shortfall)
			}
			require.True(t, res.Accepted == 0 || p.terms.AcceptCharges)
			if res.Shortfall > 0 && res.Flag.IsFlagged() {
				atRisk += res.Shortfall
			}
			require.Equal(t, res.Flag == domain.Overdue || res.Flag == domain.Missing, res.DaysOverdue > 0)
		}
		require.Equal(t, accepted, r.Accepted)
		require.Equal(t, due, remitted+awaiting+shortfall+accepted)
		require.Equal(t, flags, r.Tally.Flags)
		require.Equal(t, []domain.Paise{due, remitted, shortfall, atRisk}, []domain.Paise{r.Tally.Due, r.Tally.Remitted, r.Tally.Shortfall, r.Tally.AtRisk})

		var all, repeated domain.Paise
		for _, l := range p.lines {
			all += l.Remitted
		}
		for _, w := range r.Warnings() {
			if w.Code == domain.WarnRepeatedLines {
				repeated = w.Amount
			}
		}
		require.Equal(t, all, remitted+r.Tally.UnclaimedPaid+repeated)
	})
}

// TestWhatToActOnComesFirst holds the order in which people look at orders.
func TestWhatToActOnComesFirst(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := drawPair(t).reconcile()
		order := r.ToActOn()
		want := make([]int32, r.Len())
		for i := range want {
			want[i] = int32(i)
		}
		rank := func(res verdict.Result) (rank int, amount domain.Paise) {
			switch {
			case res.Flag.IsFlagged() && res.Shortfall > 0:
				return 0, -res.Shortfall
			case res.Flag.IsFlagged():
				return 1, res.Shortfall
			case res.Flag == domain.AwaitingNextCycle:
				return 2, 0
			}
			return 3, 0
		}
		slices.SortStableFunc(want, func(a, b int32) int {
			rankA, amountA := rank(r.Result(int(a)))
			rankB, amountB := rank(r.Result(int(b)))
			return cmp.Or(cmp.Compare(rankA, rankB), cmp.Compare(amountA, amountB))
		})
		require.Equal(t, want, order)
	})
}

// TestWhatALedgerHasIsAmongWhatToActOn holds that the orders of earlier exports stand among those of this one, where somebody asks for all.
func TestWhatALedgerHasIsAmongWhatToActOn(t *testing.T) {
	known := during(1, []export{orderOf(rupees(1000), 1)}).run(t, domain.TermsFor(nil, 0, nil), ledger{})
	small, large := orderOf(rupees(10), 31), orderOf(rupees(2000), 31)
	small.Name, small.awbs, large.Name, large.awbs = []byte("#2"), []byte("A2"), []byte("#3"), []byte("A3")
	r := during(2, []export{small, large}).run(t, domain.TermsFor(nil, 0, nil), remember(known))
	names := func(orders []int32) (names []string) {
		for _, i := range orders {
			names = append(names, string(r.Result(int(i)).OrderID))
		}
		return names
	}
	require.Equal(t, []string{"#3", "#1", "#2", "#82", "#81"}, names(r.AllToActOn()), "the largest shortfall first")
	require.Equal(t, []string{"#3", "#2", "#82"}, names(r.ToActOn()))
	items := 0
	for _, i := range r.AllToActOn() {
		if r.IsItem(int(i)) {
			items++
		}
	}
	require.Equal(t, 3, items)
}

// onceOnly is the money of a file in which repeated lines count once, computed in
// the simplest way.
func onceOnly(lines []verdict.Remittance) domain.Paise {
	seen := map[string]bool{}
	var sum domain.Paise
	for _, l := range lines {
		key := fmt.Sprintf("%q %q %q %d %d %d", bytes.ToUpper(l.AWB), bytes.ToUpper(l.OrderID), l.UTR, l.Collected, l.Remitted, l.RemittedOn)
		if !seen[key] {
			seen[key] = true
			sum += l.Remitted
		}
	}
	return sum
}

// TestManyLinesOfOneParcel finds repeats by sorting, which is done only for claims
// of many lines.
func TestManyLinesOfOneParcel(t *testing.T) {
	var p pair
	p.orders = []export{{Order: verdict.Order{Name: []byte("#1"), Total: rupees(1000), HasTotal: true, CreatedOn: asOf}}}
	for i := range 3000 {
		p.lines = append(p.lines, verdict.Remittance{OrderID: []byte("1"), Remitted: domain.Paise(i % 100), Stated: domain.Paise(i % 100), Collected: domain.Paise(i % 7), Listed: domain.Paise(i % 7)})
	}
	require.Equal(t, onceOnly(p.lines), p.reconcile().Result(0).Remitted)
}

// TestContestedAWB is about three parcels whose AWBs a spreadsheet has rounded to
// one number in both files. Their order ids still tell them apart.
func TestContestedAWB(t *testing.T) {
	var p pair
	for i := range 3 {
		p.orders = append(p.orders, export{awbs: []byte("1904080000000"), Order: verdict.Order{Name: fmt.Appendf(nil, "#%d", i+1), Total: rupees(100), HasTotal: true, CreatedOn: asOf}})
		p.lines = append(p.lines, verdict.Remittance{AWB: []byte("1904080000000"), OrderID: fmt.Append(nil, i+1), Remitted: rupees(100), RemittedOn: ago(1)})
	}
	require.Equal(t, 3, p.run().tally.Flags[domain.Reconciled])
}

// TestHostileFilesTakeLinearTime would not end in time if the suffix of a clone
// were removed again and again, or if all AWBs of two orders were searched for
// every line with one of them.
func TestHostileFilesTakeLinearTime(t *testing.T) {
	var p pair
	var awbs []string
	for i := range verdict.MaxAWBs {
		awbs = append(awbs, fmt.Sprintf("A%d", i))
	}
	cell := []byte(strings.Join(awbs, ","))
	for i := range 5_000 {
		p.orders = append(p.orders, export{awbs: cell, Order: verdict.Order{Name: fmt.Appendf(nil, "#%d", i+1), Total: 100, HasTotal: true, CreatedOn: asOf}})
	}
	for i := range 50_000 {
		p.lines = append(p.lines, verdict.Remittance{AWB: []byte(awbs[len(awbs)-1]), OrderID: fmt.Append(nil, 5_000-i%5_000), Remitted: domain.Paise(i), Stated: domain.Paise(i)})
	}
	p.lines = append(p.lines, verdict.Remittance{AWB: []byte("X"), OrderID: []byte("z" + strings.Repeat("-c", 5_000_000)), Remitted: 5})
	got := p.run()
	require.Equal(t, 1, got.tally.Unclaimed)
	require.Equal(t, domain.Paise(5), got.tally.UnclaimedPaid)
}

// TestRepeatedLinesInOtherSpellings: ids and references that differ in case only
// are the same.
func TestRepeatedLinesInOtherSpellings(t *testing.T) {
	p := pair{orders: []export{{Order: verdict.Order{Name: []byte("#1"), Total: rupees(500), HasTotal: true, CreatedOn: asOf}}}}
	for _, awb := range []string{"a1", "A1", "A1"} {
		p.lines = append(p.lines, verdict.Remittance{AWB: []byte(awb), OrderID: []byte("1"), UTR: []byte("u" + awb[1:]), Remitted: rupees(500), RemittedOn: ago(1)})
	}
	p.lines[1].UTR = []byte("U1")
	require.Equal(t, 1, p.run().tally.Flags[domain.Reconciled])
	require.Contains(t, p.run().results[0], "A1 #1 ")
}

// TestWarmRunAllocatesNothing: a run in a used workspace allocates only what a few
// unusual orders need.
func TestWarmRunAllocatesNothing(t *testing.T) {
	var orders verdict.Orders
	var remittances verdict.Remittances
	var r verdict.Reconciliation
	names := make([][]byte, 2000)
	for i := range names {
		names[i] = fmt.Appendf(nil, "#%d", 1000+i)
	}
	run := func() {
		orders.Reset()
		remittances.Reset()
		for _, name := range names {
			o, _ := orders.FindOrAdd(name)
			o.Total, o.HasTotal, o.CreatedOn = rupees(10), true, asOf
			remittances.Add(verdict.Remittance{OrderID: name[1:], Remitted: rupees(10)})
		}
		if err := r.Decide(&orders, &remittances, domain.TermsFor(nil, 0, nil)); err != nil {
			panic(err)
		}
	}
	run()
	require.LessOrEqual(t, testing.AllocsPerRun(10, run), 2.0)
	require.Equal(t, len(names), r.Tally.Flags[domain.Reconciled])
}
