package reading

import (
	"cmp"
	"fmt"
	"maps"
	"reflect"
	"regexp"
	"slices"
	"sort"
	"strings"
	"testing"
)

// comparison collects how two readings of many cases differ.
type comparison struct {
	engine *engine
	cases  int
	rules  map[string]int // which rules spoke, and how often
	kinds  map[string]*kind
}

// kind is one sort of disagreement, with its plainest example.
type kind struct {
	count   int
	example Case
	weight  int
}

func newComparison() *comparison {
	return &comparison{engine: newEngine(), rules: map[string]int{}, kinds: map[string]*kind{}}
}

// add answers a case twice. weight says how far from plain the case is: of the
// disagreements of one kind, the plainest is shown.
func (c *comparison) add(given Case, weight int) {
	c.cases++
	want, _, all := c.answer(given)
	if want.Refused != "" {
		c.rules["refused: "+plainly(want.Refused)]++
	}
	for _, rule := range want.Hits {
		c.rules[rule]++
	}
	for _, v := range want.Verdicts {
		c.rules["due "+v.DueRule]++
		c.rules["flag "+v.FlagRule]++
	}
	for _, name := range all {
		k := c.kinds[name]
		if k == nil {
			k = &kind{weight: weight + 1}
			c.kinds[name] = k
		}
		k.count++
		if weight < k.weight {
			k.weight = weight
			k.example = given
		}
	}
}

// answer gives both answers to a case and what they differ in.
func (c *comparison) answer(given Case) (want, got Answer, all []string) {
	want = Reconcile(given)
	got, err := c.engine.reconcile(given)
	if err != nil {
		return want, got, []string{"the engine fails: " + err.Error()}
	}
	return want, got, differences(want, got)
}

// shrink takes from a case whatever can go while the two still differ in the same.
func (c *comparison) shrink(given Case, name string) Case {
	differs := func(candidate Case) bool {
		_, _, all := c.answer(candidate)
		return slices.Contains(all, name)
	}
	for changed := true; changed; {
		changed = false
		try := func(candidate Case) {
			if differs(candidate) {
				given, changed = candidate, true
			}
		}
		for i := len(given.Orders) - 1; i >= 0; i-- {
			candidate := given
			candidate.Orders = slices.Delete(slices.Clone(given.Orders), i, i+1)
			try(candidate)
		}
		for i := len(given.Lines) - 1; i >= 0; i-- {
			candidate := given
			candidate.Lines = slices.Delete(slices.Clone(given.Lines), i, i+1)
			try(candidate)
		}
		for i := range given.Orders {
			for _, cell := range []string{"PaidAt", "FulfilledAt", "CancelledAt", "Financial", "Fulfilment", "PaymentMethod", "Tracking", "Outstanding", "Carrier"} {
				candidate := given
				candidate.Orders = slices.Clone(given.Orders)
				if clearCell(&candidate.Orders[i], cell) {
					try(candidate)
				}
			}
		}
		for i := range given.Lines {
			for _, cell := range []string{"AWB", "OrderID", "RemittanceDate", "DeliveredDate", "Status", "RemittanceStatus", "UTR", "Charges"} {
				candidate := given
				candidate.Lines = slices.Clone(given.Lines)
				if clearCell(&candidate.Lines[i], cell) {
					try(candidate)
				}
			}
		}
	}
	return given
}

// clearCell clears a cell of an order or a line, and says whether it was not blank.
func clearCell[T Order | Line](row *T, name string) bool {
	cell := reflect.ValueOf(row).Elem().FieldByName(name)
	said := !cell.IsZero()
	cell.SetZero()
	return said
}

// differences names what two answers differ in, once each.
func differences(want, got Answer) []string {
	switch {
	case want.Refused != "" && got.Refused != "":
		return nil
	case want.Refused != "":
		return []string{"the engine does not refuse: " + plainly(want.Refused)}
	case got.Refused != "":
		return []string{"the engine refuses: " + plainly(got.Refused)}
	}
	var all []string
	note := func(what string, want, got any) {
		if want != got {
			all = append(all, what)
		}
	}
	note("batch_as_of", want.BatchAsOf, got.BatchAsOf)
	note("courier_data_through", want.DataThrough, got.DataThrough)
	note("courier_coverage_complete", want.Complete, got.Complete)
	note("guaranteed_coverage_days", want.GuaranteedDays, got.GuaranteedDays)
	note("unclaimed lines", want.Unclaimed, got.Unclaimed)
	note("unclaimed remitted", want.UnclaimedRemitted, got.UnclaimedRemitted)
	if len(want.Verdicts) != len(got.Verdicts) {
		return append(all, "number of orders")
	}
	for i := range want.Verdicts {
		w, g := want.Verdicts[i], got.Verdicts[i]
		before := len(all)
		note("order_id", w.Name, g.Name)
		note("remitted of an order whose due is "+w.DueRule, w.Remitted, g.Remitted)
		note("cod_amount by rule "+w.DueRule, w.Due, g.Due)
		if len(all) > before {
			continue // the rest follows from these
		}
		note("flag by rule "+w.FlagRule+": "+w.Flag+", of the engine "+g.Flag, w.Flag, g.Flag)
		if w.Flag == g.Flag {
			note("shortfall of "+w.Flag, w.Shortfall, g.Shortfall)
			note("accepted charges of "+w.Flag, w.Accepted, g.Accepted)
			note("days_overdue of "+w.Flag, w.DaysOverdue, g.DaysOverdue)
		}
		note("match_mode "+w.MatchMode, w.MatchMode, g.MatchMode)
		note("awb", sorted(w.AWB), sorted(g.AWB))
		note("status", w.Status, g.Status)
	}
	if len(all) == 0 {
		note("awaiting_next_cycle_count", want.Awaiting, got.Awaiting)
		note("accepted charges of all orders", want.Accepted, got.Accepted)
		note("flagged_count", want.Flagged, got.Flagged)
		note("amount_risk", want.AmountRisk, got.AmountRisk)
		if !want.OpenTotals {
			note("totals", fmt.Sprint(want.Totals), fmt.Sprint(got.Totals))
		}
		note("payouts", fmt.Sprint(want.Payouts), fmt.Sprint(got.Payouts))
		for code, w := range want.Warnings {
			switch g := got.Warnings[code]; {
			case code == "payout_gap": // see below
			case w.Is != g.Is && !w.Open && (w.Is || code != "ambiguous_dates"):
				note("warning "+code, w.Is, g.Is)
			case w.Count != 0 && !w.Open:
				note("warning "+code+" counts", fmt.Sprint(w.Count, w.Paise), fmt.Sprint(g.Count, g.Paise))
			}
		}
		if w := want.Warnings["payout_gap"]; w.Is || !w.Open {
			note("warning payout_gap", w.Is, got.Warnings["payout_gap"].Is)
		}
	}
	return all
}

// sorted puts the AWBs of a result in order: the rules do not say which is first, nor
// whether leading zeros are shown.
func sorted(awbs string) string {
	parts := strings.Split(awbs, ", ")
	for i := range parts {
		parts[i] = awbText(parts[i])
	}
	sort.Strings(parts)
	return strings.Join(parts, ", ")
}

var quoted = regexp.MustCompile(`"[^"]*"`)

// plainly is a message without its figures and what it quotes, so that messages of
// one sort are one.
func plainly(message string) string {
	message = quoted.ReplaceAllString(message, "…")
	return strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' {
			return '#'
		}
		return r
	}, message)
}

// show renders a case and both answers for a person to judge.
func show(given Case, want, got Answer) string {
	var b strings.Builder
	fmt.Fprintf(&b, "overdue_threshold_days %d, minor_gap_threshold %d\n", given.OffsetDays, given.MinorRupees)
	fmt.Fprintf(&b, "export\n%s", indent(string(appendExport(nil, given))))
	fmt.Fprintf(&b, "report, cut into %v\n%s", given.Reports, indent(string(appendReport(nil, given))))
	fmt.Fprintf(&b, "second reading\n%s", indent(answerText(want)))
	fmt.Fprintf(&b, "engine\n%s", indent(answerText(got)))
	return b.String()
}

func answerText(a Answer) string {
	if a.Refused != "" {
		return "refused: " + a.Refused + "\n"
	}
	var b strings.Builder
	for _, code := range slices.Sorted(maps.Keys(a.Warnings)) {
		if w := a.Warnings[code]; w.Is {
			fmt.Fprintf(&b, "warning %s: %d, %s\n", code, w.Count, rupees(w.Paise))
		}
	}
	fmt.Fprintf(&b, "as of %s, data through %s, coverage complete %v, unclaimed %d (%d paise)\n", a.BatchAsOf, a.DataThrough, a.Complete, a.Unclaimed, a.UnclaimedRemitted)
	for _, v := range a.Verdicts {
		fmt.Fprintf(&b, "%s: %s, due %s, remitted %s, shortfall %s, %d days overdue, by %s, AWB %q, %s", v.Name, v.Flag,
			rupees(v.Due), rupees(v.Remitted), rupees(v.Shortfall), v.DaysOverdue, v.MatchMode, v.AWB, v.Status)
		if v.DueRule != "" {
			fmt.Fprintf(&b, " (due by rule %s, flag by rule %s)", v.DueRule, v.FlagRule)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

func rupees(paise int64) string { return "₹" + money(Amount{Paise: paise, Stated: true}) }

func indent(text string) string {
	return "    " + strings.ReplaceAll(strings.TrimSuffix(text, "\n"), "\n", "\n    ") + "\n"
}

// shownKinds is how many sorts of disagreement one test shows.
const shownKinds = 60

// report fails the test if the two readings differ.
func (c *comparison) report(t *testing.T) {
	t.Helper()
	t.Logf("%d cases", c.cases)
	names := slices.SortedFunc(maps.Keys(c.kinds), func(a, b string) int {
		return cmp.Or(cmp.Compare(c.kinds[b].count, c.kinds[a].count), cmp.Compare(a, b))
	})
	for i, name := range names {
		if i == shownKinds {
			t.Errorf("and %d more sorts of disagreement", len(names)-i)
			break
		}
		example := c.shrink(c.kinds[name].example, name)
		want, got, _ := c.answer(example)
		t.Errorf("%d times: %s; for example\n%s", c.kinds[name].count, name, show(example, want, got))
	}
}
