package verdict_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"milaan/domain"
	"milaan/domain/verdict"
)

// marked is a run whose orders are #1 with two AWBs, two called #2, of which the export has one and the ledger another, and #3 that
// only the ledger has, disputed.
func marked(t *testing.T) *verdict.Reconciliation {
	named := func(name, awbs string, day int) export {
		o := orderOf(rupees(1000), day)
		o.Name, o.awbs = []byte(name), []byte(awbs)
		return o
	}
	first := during(1, []export{named("#2", "A2", 1), named("#3", "A3", 1)}).run(t, domain.TermsFor(nil, 0, nil), ledger{})
	previous := remember(first)
	for i := range previous.orders {
		if string(previous.orders[i].Name) == "#3" {
			previous.orders[i].Found.Mark = domain.Mark{State: domain.Disputed, Note: "by the ledger"}
		}
	}
	m := monthly{orders: []export{named("#1", "A1, 00123", 31), named("#2", "A4; A5", 33), during(2, nil).orders[0]}, lines: during(2, nil).lines}
	return m.run(t, domain.TermsFor(nil, 0, nil), previous)
}

// noted is the note on each order that has one, by name and AWBs.
func noted(r *verdict.Reconciliation) map[string]string {
	all := map[string]string{}
	for i := range r.All() {
		if mark := r.MarkOf(i); mark != (domain.Mark{}) {
			result := r.Result(i)
			all[string(result.OrderID)+" "+string(result.AWB)] = mark.Note
		}
	}
	return all
}

func markOn(orderID, awb, note string) domain.MarkedOrder {
	return domain.MarkedOrder{ChosenOrder: domain.ChosenOrder{OrderID: orderID, AWB: awb}, Mark: domain.Mark{State: domain.Promised, Note: note}}
}

func TestMark(t *testing.T) {
	for name, c := range map[string]struct {
		marks []domain.MarkedOrder
		want  map[string]string
	}{
		"none":                  {nil, map[string]string{"#3 A3": "by the ledger"}},
		"by name":               {[]domain.MarkedOrder{markOn("#1", "", "x")}, map[string]string{"#1 A1, 00123": "x", "#3 A3": "by the ledger"}},
		"by name, spelt anew":   {[]domain.MarkedOrder{markOn(" 1 ", "", "x")}, map[string]string{"#1 A1, 00123": "x", "#3 A3": "by the ledger"}},
		"in the ledger's place": {[]domain.MarkedOrder{markOn("#3", "", "x")}, map[string]string{"#3 A3": "x"}},
		"taken back":            {[]domain.MarkedOrder{{ChosenOrder: domain.ChosenOrder{OrderID: "#3"}}}, map[string]string{}},
		"a namesake, by its AWB": {[]domain.MarkedOrder{markOn("#2", "a2", "x")},
			map[string]string{"#2 A2": "x", "#3 A3": "by the ledger"}},
		"a namesake, by one of its AWBs": {[]domain.MarkedOrder{markOn("#2", "A5", "x")},
			map[string]string{"#2 A4, A5": "x", "#3 A3": "by the ledger"}},
		"both namesakes, one as it is shown": {[]domain.MarkedOrder{markOn("#2", "A4, A5", "x"), markOn("#2", "A2", "y")},
			map[string]string{"#2 A4, A5": "x", "#2 A2": "y", "#3 A3": "by the ledger"}},
		"no namesake: the AWB decides nothing": {[]domain.MarkedOrder{markOn("#1", "A9", "x")},
			map[string]string{"#1 A1, 00123": "x", "#3 A3": "by the ledger"}},
	} {
		t.Run(name, func(t *testing.T) {
			r := marked(t)
			require.Empty(t, r.Mark(c.marks))
			require.Equal(t, c.want, noted(r))
		})
	}
}

// TestMarkNamesakesThatNothingTellsApart has orders of one name of which one has an AWB, and the others have none.
func TestMarkNamesakesThatNothingTellsApart(t *testing.T) {
	run := func() *verdict.Reconciliation {
		var orders verdict.Orders
		orders.Reset()
		first, _ := orders.FindOrAdd([]byte("#2"))
		first.Total, first.HasTotal, first.CreatedOn = rupees(1000), true, 1
		for day := range domain.Day(2) {
			o := orders.FindOrAddNamesake(first, domain.Moment{Day: 2 + day})
			o.Total, o.HasTotal = rupees(1000), true
			require.True(t, day > 0 || orders.Track(o, []byte("A2")))
			first, _ = orders.FindOrAdd([]byte("#2"))
		}
		var r verdict.Reconciliation
		require.NoError(t, r.Decide(&orders, new(verdict.Remittances), domain.TermsFor(nil, 0, nil)))
		return &r
	}
	notes := func(r *verdict.Reconciliation) (all [3]string) {
		for i := range all {
			all[i] = r.MarkOf(i).Note
		}
		return all
	}
	r := run()
	require.Empty(t, r.Mark([]domain.MarkedOrder{markOn("#2", "", "x")}))
	require.Equal(t, [3]string{"x", "", "x"}, notes(r), "no AWB means those without one")
	orders, rule := r.OrdersOf(domain.ChosenOrder{OrderID: "#2"})
	require.Equal(t, []int{0, 2}, orders)
	require.Empty(t, rule)
	r = run()
	require.Empty(t, r.Mark([]domain.MarkedOrder{markOn("#2", "A2", "y"), markOn("#2", "", "x")}))
	require.Equal(t, [3]string{"x", "y", "x"}, notes(r))
	require.Equal(t, domain.Faults{{Field: domain.FieldMarks, Rule: domain.RuleTwice, Entry: 2, Value: "#2"}},
		run().Mark([]domain.MarkedOrder{markOn("#2", "", "x"), markOn("#2", "", "x")}))
}

func TestMarkRefuses(t *testing.T) {
	for name, c := range map[string]struct {
		marks []domain.MarkedOrder
		entry int
		rule  domain.Rule
		value string
	}{
		"an unknown order":        {[]domain.MarkedOrder{markOn("#1", "", ""), markOn("#7", "", "")}, 2, domain.RuleUnknownOrder, "#7"},
		"no name":                 {[]domain.MarkedOrder{markOn(" ", "A1", "")}, 1, domain.RuleUnknownOrder, " "},
		"a long name":             {[]domain.MarkedOrder{markOn(strings.Repeat("7", 500), "", "")}, 1, domain.RuleUnknownOrder, domain.Shortened(strings.Repeat("7", 500))},
		"a namesake without AWB":  {[]domain.MarkedOrder{markOn("#2", "", "")}, 1, domain.RuleSeveral, "#2"},
		"a namesake by no AWB":    {[]domain.MarkedOrder{markOn("#2", "A1", "")}, 1, domain.RuleUnknownOrder, "#2"},
		"an order twice":          {[]domain.MarkedOrder{markOn("#1", "", ""), markOn("1", "", "")}, 2, domain.RuleTwice, "1"},
		"a namesake twice":        {[]domain.MarkedOrder{markOn("#2", "A4", ""), markOn("#2", "A5", "")}, 2, domain.RuleTwice, "#2"},
		"the first of two faults": {[]domain.MarkedOrder{markOn("#2", "", ""), markOn("#7", "", "")}, 1, domain.RuleSeveral, "#2"},
	} {
		t.Run(name, func(t *testing.T) {
			require.Equal(t, domain.Faults{{Field: domain.FieldMarks, Rule: c.rule, Entry: c.entry, Value: c.value}}, marked(t).Mark(c.marks))
		})
	}
}

func TestChoose(t *testing.T) {
	disputed := func(r *verdict.Reconciliation) (names []string) {
		for i := range r.All() {
			if r.IsDisputed(i) {
				names = append(names, string(r.Result(i).OrderID))
			}
		}
		return names
	}
	called := func(names ...string) []domain.ChosenOrder {
		chosen := []domain.ChosenOrder{}
		for _, name := range names {
			chosen = append(chosen, domain.ChosenOrder{OrderID: name})
		}
		return chosen
	}
	fault := func(entry int, value string) domain.Faults {
		return domain.Faults{{Field: domain.FieldOnly, Rule: domain.RuleUnknownOrder, Entry: entry, Value: value}}
	}
	r := marked(t)
	require.Empty(t, r.Choose(nil))
	require.Equal(t, []string{"#1", "#2", "#2", "#3"}, disputed(r))
	require.Empty(t, r.Choose(called("#3", "2", "2")))
	require.Equal(t, []string{"#2", "#2", "#3"}, disputed(r), "namesakes are chosen together")
	require.Empty(t, r.Choose([]domain.ChosenOrder{{OrderID: "#2", AWB: "A4"}}))
	require.Equal(t, []string{"#2"}, disputed(r), "an AWB tells namesakes apart")
	require.Empty(t, r.Choose(called()))
	require.Empty(t, disputed(r))
	require.Equal(t, fault(2, "#7"), r.Choose(called("#1", "#7")))
	require.Equal(t, fault(1, "#82"), r.Choose(called("#82")), "it is paid")
	require.Equal(t, fault(1, "#2"), r.Choose([]domain.ChosenOrder{{OrderID: "#2", AWB: "A1"}}))

	writtenOff := markOn("#1", "", "")
	writtenOff.State = domain.WrittenOff
	require.Empty(t, r.Mark([]domain.MarkedOrder{writtenOff}))
	require.Equal(t, fault(1, "#1"), r.Choose(called("#1")), "it is written off")
}
