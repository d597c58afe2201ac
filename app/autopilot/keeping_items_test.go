package autopilot_test

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"milaan/domain"
	"milaan/ports"
	"milaan/tests/fakes/storage"
	"milaan/tests/only"
)

// kept are the open items that a connection keeps, by order: flag and state.
func (b *passBench) kept(c domain.Connection) map[string]string {
	items := only.Value(b.items.OpenItems(b.T.Context(), b.Account, c.ID))(b.T)
	defer items.Release()
	all := map[string]string{}
	for item := range items.FinishedRun.OpenItems() {
		if item.Open {
			all[string(items.Result(item.Order).OrderID)] = strings.TrimSpace(item.Now.Flag.String() + " " + item.Now.Mark.State.String())
		}
	}
	return all
}

func (b *passBench) mark(c domain.Connection, order string, was, mark domain.Mark) error {
	return b.items.MarkItems(b.T.Context(), b.Account, c.ID, []ports.ItemChange{{ChosenOrder: domain.ChosenOrder{OrderID: order}, Was: was, Mark: mark}})
}

// TestItemsOfAConnection lets sixty days go by: money comes after fifty, when its order has long left the window, and after
// 180 days without a trace an order is deleted.
func TestItemsOfAConnection(t *testing.T) {
	t.Parallel()
	b, c := connectedPass(t, storage.EnterpriseAccount(), "north/delhivery")
	late, paid := b.sell("#1", 500, 29), b.sell("#2", 700, 0)
	b.sell("#3", 900, 27)
	b.put("north", "a.csv", domain.DayOf(b.Now), paid)
	require.Equal(t, domain.PassStored, b.make(b.due(c)).Outcome)
	require.ErrorIs(t, only.Err(b.items.OpenItems(t.Context(), b.Account, c.ID)), domain.ErrNoItems, "off unless somebody switches it on")

	require.NoError(t, b.items.KeepItems(t.Context(), b.Account.ID, c.ID, true, domain.ByDashboard))
	require.Empty(t, b.kept(c), "no pass has written them yet")
	require.Equal(t, domain.PassStored, b.make(b.due(c)).Outcome, "the same files are compared again, so that there is a ledger")
	require.Equal(t, domain.PassUnchanged, b.make(b.due(c)).Outcome)
	require.Equal(t, map[string]string{"#1": "MISSING", "#3": "MISSING"}, b.kept(c))

	disputed := domain.Mark{State: domain.Disputed, RaisedOn: domain.DayOf(b.Now), Note: "Asha, by telephone"}
	require.NoError(t, b.mark(c, "#1", domain.Mark{}, disputed))
	require.ErrorIs(t, b.mark(c, "#1", domain.Mark{}, domain.Mark{State: domain.Refused}), domain.ErrItemChanged, "somebody else was first")
	require.NoError(t, b.mark(c, "#1", disputed, domain.Mark{State: domain.Promised}))
	require.NoError(t, b.mark(c, "#3", domain.Mark{}, disputed))
	require.Equal(t, domain.RuleUnknownOrder, domain.FaultsOf(b.mark(c, "#77", domain.Mark{}, disputed))[0].Rule)

	b.Now = b.Now.AddDate(0, 0, 50)
	b.shop.orders = nil
	b.sell("#4", 100, 1)
	b.sources.places["north"].files = nil
	b.put("north", "b.csv", domain.DayOf(b.Now), late)
	pass := b.make(b.due(c))
	require.Equal(t, domain.PassStored, pass.Outcome, pass.Failure)
	require.Equal(t, map[string]string{"#3": "MISSING disputed", "#4": "AWAITING_NEXT_CYCLE"}, b.kept(c), "the late money clears its order, and marks stay")

	pack := only.Value(b.items.DisputeItems(t.Context(), b.Account, c.ID, "delhivery"))(t)
	var names []string
	var letter bytes.Buffer
	require.NoError(t, only.Err(pack.Write(func(name string) (io.Writer, error) {
		if names = append(names, name); strings.HasSuffix(name, ".txt") {
			return &letter, nil
		}
		return io.Discard, nil
	})))
	pack.Release()
	require.Contains(t, letter.String(), "#3", names)
	require.NotContains(t, letter.String(), "#4")
	require.ErrorIs(t, only.Err(b.items.DisputeItems(t.Context(), b.Account, c.ID, "dtdc")), domain.ErrNothingToDispute)

	b.Now = b.Now.AddDate(0, 0, domain.ItemsKeptFor-49)
	require.NoError(t, b.items.ForgetItems(t.Context()))
	require.Equal(t, map[string]string{"#4": "AWAITING_NEXT_CYCLE"}, b.kept(c), "nobody has seen the other one for long")
	require.NoError(t, b.items.ForgetItems(t.Context()), "nothing is left to be forgotten")

	require.NoError(t, b.items.KeepItems(t.Context(), b.Account.ID, c.ID, false, domain.ByDashboard))
	require.ErrorIs(t, only.Err(b.items.OpenItems(t.Context(), b.Account, c.ID)), domain.ErrNoItems)
	require.NotContains(t, b.log.String(), "#3", "no order is logged")
}

// TestItemsAreSwitchedDuringAPass holds that a pass which has begun before everything was deleted brings nothing back, and that
// a mark which is made meanwhile stays.
func TestItemsAreSwitchedDuringAPass(t *testing.T) {
	t.Parallel()
	b, c := connectedPass(t, storage.EnterpriseAccount(), "north/delhivery")
	b.sell("#1", 500, 29)
	paid := b.sell("#2", 700, 0)
	b.put("north", "a.csv", domain.DayOf(b.Now), paid)
	keep := func(keeps bool) {
		b.Now = b.Now.Add(time.Second)
		require.NoError(t, b.items.KeepItems(t.Context(), b.Account.ID, c.ID, keeps, domain.ByDashboard))
	}
	keep(true)
	require.Equal(t, domain.PassStored, b.make(b.due(c)).Outcome)
	require.Equal(t, map[string]string{"#1": "MISSING"}, b.kept(c))

	place := b.sources.places["north"]
	during := func(do func()) {
		b.put("north", "more.csv", domain.DayOf(b.Now), b.sell("#9", 100, 20))
		b.Before("store run", do) // the pass has read what was kept
		require.Equal(t, domain.PassStored, b.make(b.due(c)).Outcome)
		place.files = place.files[:1]
	}
	during(func() { require.NoError(t, b.mark(c, "#1", domain.Mark{}, domain.Mark{State: domain.Disputed})) })
	require.Equal(t, map[string]string{"#1": "MISSING disputed"}, b.kept(c))
	require.Equal(t, domain.PassStored, b.make(b.due(c)).Outcome)
	require.Equal(t, map[string]string{"#1": "MISSING disputed"}, b.kept(c), "the line of #9 is remembered")
	during(func() { keep(false); keep(true) })
	require.Empty(t, b.kept(c), "what the pass has written was of what is deleted")
}

// TestPassesSumOpenItems holds what passes say of the open items of a connection: per courier how many and how much, nothing where
// they are not kept, an unchanged pass as the one before, and nothing of an order.
func TestPassesSumOpenItems(t *testing.T) {
	t.Parallel()
	b := newPassBench(t, storage.EnterpriseAccount())
	c, without := b.connect("Asha", "north/delhivery", "south/dtdc"), b.connect("Uma", "north/delhivery", "south/dtdc")
	paid, short := b.sell("#CANARY1", 500, 29), b.sell("#CANARY2", 700, 28)
	late := b.sell("#CANARY3", 900, 27)
	more := b.sell("#CANARY4", 1_000, 29)
	b.put("north", "a.csv", domain.DayOf(b.Now), paid)
	b.sources.places["south"].files = []fileInMemory{{name: "b.csv", content: "CN Number,COD Amount (INR),Remittance Date\n" + short.awb + ",600," + domain.DayOf(b.Now).String() + "\n" + more.awb + ",900," + domain.DayOf(b.Now).String() + "\n", version: 1, modified: b.Now.Add(-time.Hour), settled: true}}
	sum := func(courier string, orders int, rupees domain.Paise) domain.CourierSum {
		return domain.CourierSum{Courier: courier, OrderSum: domain.OrderSum{Orders: orders, Amount: rupees * domain.Rupee}}
	}
	first := b.make(b.ask(c))
	require.Equal(t, domain.PassStored, first.Outcome, first.Failure)
	require.Nil(t, first.OpenItems, "off unless somebody switches it on")

	require.NoError(t, b.items.KeepItems(t.Context(), b.Account.ID, c.ID, true, domain.ByDashboard))
	open := []domain.CourierSum{sum("", 1, 900), sum("dtdc", 2, 200)}
	stored := b.make(b.ask(c))
	require.Equal(t, domain.PassStored, stored.Outcome, stored.Failure)
	require.Equal(t, open, stored.OpenItems)
	unchanged := b.make(b.ask(c))
	require.Equal(t, domain.PassUnchanged, unchanged.Outcome)
	require.Equal(t, open, unchanged.OpenItems)
	b.sources.places["north"].files[0].version++ // with the same content, so that only reading it shows it
	unchanged = b.make(b.ask(c))
	require.Equal(t, domain.PassUnchanged, unchanged.Outcome)
	require.Equal(t, open, unchanged.OpenItems)
	require.NotContains(t, fmt.Sprintf("%+v", unchanged), "CANARY")

	before := b.kept(c)
	require.NoError(t, b.mark(c, "#CANARY4", domain.Mark{}, domain.Mark{State: domain.WrittenOff}))
	b.Before("list source", func() {
		require.NoError(t, b.mark(c, "#CANARY3", domain.Mark{}, domain.Mark{State: domain.Disputed}))
	})
	unchanged = b.make(b.ask(c))
	require.Equal(t, domain.PassUnchanged, unchanged.Outcome)
	require.Equal(t, []domain.CourierSum{sum("", 1, 900), sum("dtdc", 1, 100)}, unchanged.OpenItems, "what is written off is no claim, without another report")
	before["#CANARY4"], before["#CANARY3"] = "SHORT_PAID written off", "MISSING disputed"
	require.Equal(t, before, b.kept(c))
	again := b.make(b.ask(c))
	require.Equal(t, unchanged.OpenItems, again.OpenItems)
	require.Empty(t, only.Value(b.Ledgers.Find(t.Context(), b.Account.ID, c.ID))(t).Marks, "they are in the text")
	require.NoError(t, b.mark(c, "#CANARY4", domain.Mark{State: domain.WrittenOff}, domain.Mark{}))
	unchanged = b.make(b.ask(c))
	require.Equal(t, open, unchanged.OpenItems)

	require.Nil(t, b.make(b.ask(without)).OpenItems, "each connection by itself")

	b.Now = b.Now.AddDate(0, 0, 40)
	b.shop.orders = nil
	b.sell("#CANARY5", 100, 0)
	b.put("north", "c.csv", domain.DayOf(b.Now), late)
	b.sources.places["south"].files = nil
	stored = b.make(b.ask(c))
	require.Equal(t, domain.PassStored, stored.Outcome, stored.Failure)
	require.Equal(t, []domain.CourierSum{sum("dtdc", 2, 200)}, stored.OpenItems, "what has been paid since is no claim, although its order has left the window")

	b.Now = b.Now.Add(time.Hour)
	b.sources.places["north"].fault = &domain.ConnectorError{Rule: domain.ConnUnreachable, Source: 1}
	failed := b.make(b.ask(c))
	require.Equal(t, domain.PassFailed, failed.Outcome)
	require.Nil(t, failed.OpenItems)
	b.sources.places["north"].fault = nil

	require.NoError(t, b.items.KeepItems(t.Context(), b.Account.ID, c.ID, false, domain.ByDashboard))
	require.Nil(t, b.make(b.ask(c)).OpenItems, "switched off")
}

// TestNotesOfAConnectionAreBounded holds that no note is taken with which all together would be too long, and that one may be shortened.
func TestNotesOfAConnectionAreBounded(t *testing.T) {
	t.Parallel()
	b, c := connectedPass(t, storage.EnterpriseAccount(), "north/delhivery")
	b.sell("#1", 500, 29)
	b.sell("#2", 700, 28)
	b.put("north", "a.csv", domain.DayOf(b.Now), b.sell("#3", 900, 0))
	require.NoError(t, b.items.KeepItems(t.Context(), b.Account.ID, c.ID, true, domain.ByDashboard))
	require.Equal(t, domain.PassStored, b.make(b.due(c)).Outcome)
	note := func(bytes int) domain.Mark { return domain.Mark{Note: strings.Repeat("x", bytes)} }
	const half = domain.MaxNotes / 2
	require.NoError(t, b.mark(c, "#1", domain.Mark{}, note(half)))
	require.Equal(t, domain.Faults{{Field: domain.FieldMarks, Rule: domain.RuleNotes, Max: domain.MaxNotes}}.Err(),
		b.mark(c, "#2", domain.Mark{}, note(half+1)))
	require.NoError(t, b.mark(c, "#2", domain.Mark{}, note(half)))
	require.Error(t, b.mark(c, "#1", note(half), note(half+1)))
	require.NoError(t, b.mark(c, "#1", note(half), note(half-1)))
}

// TestMarksAreOfTheOrdersThatWereSeen holds that what is noted on an order without an AWB is not said of one with its name that a
// pass finds later, nor of one that a pass which is under way finds, nor of one that somebody has not been shown.
func TestMarksAreOfTheOrdersThatWereSeen(t *testing.T) {
	t.Parallel()
	b, c := connectedPass(t, storage.EnterpriseAccount(), "north/delhivery")
	b.put("north", "a.csv", domain.DayOf(b.Now), b.sell("#9", 700, 0))
	sell := func(daysAgo int) {
		b.sell("#1", 500, daysAgo)
		b.shop.orders[len(b.shop.orders)-1].awb = ""
	}
	states := func() (all []string) {
		items := only.Value(b.items.OpenItems(t.Context(), b.Account, c.ID))(t)
		defer items.Release()
		for item := range items.FinishedRun.OpenItems() {
			all = append(all, strings.TrimSpace(items.CreatedAt(item.Order).Day.String()+" "+item.Now.Mark.State.String()))
		}
		return all
	}
	sold := func(daysAgo int, state string) string {
		return strings.TrimSpace(domain.DayOf(b.Now.AddDate(0, 0, -daysAgo)).String() + " " + state)
	}
	sell(29)
	require.NoError(t, b.items.KeepItems(t.Context(), b.Account.ID, c.ID, true, domain.ByDashboard))
	require.Equal(t, domain.PassStored, b.make(b.due(c)).Outcome)
	writtenOff := domain.Mark{State: domain.WrittenOff}
	require.NoError(t, b.mark(c, "#1", domain.Mark{}, writtenOff))
	sell(28)
	require.Equal(t, domain.PassStored, b.make(b.due(c)).Outcome)
	require.Equal(t, []string{sold(29, "written off"), sold(28, "")}, states(), "the pass has found the second one")

	sell(27)
	b.Before("store run", func() { require.NoError(t, b.mark(c, "#1", domain.Mark{}, domain.Mark{State: domain.Disputed})) })
	require.Equal(t, domain.PassStored, b.make(b.due(c)).Outcome)
	require.Equal(t, []string{sold(29, "written off"), sold(28, "disputed"), sold(27, "")}, states(), "a pass that was under way has found the third")

	sell(26)
	require.Equal(t, domain.PassStored, b.make(b.due(c)).Outcome)
	require.ErrorIs(t, b.mark(c, "#1", domain.Mark{}, writtenOff), domain.ErrItemChanged, "somebody has seen one, and there are two")
	both := ports.ItemChange{ChosenOrder: domain.ChosenOrder{OrderID: "#1"}, Mark: writtenOff}
	require.NoError(t, b.items.MarkItems(t.Context(), b.Account, c.ID, []ports.ItemChange{both, both}))
	require.Equal(t, []string{sold(29, "written off"), sold(28, "disputed"), sold(27, "written off"), sold(26, "written off")}, states())
}

// TestMarksOfASweepDuringAPass has a person note something while a pass reads its reports, and then a sweep delete what is
// outdated: the pass, which knows of neither, takes nothing back.
func TestMarksOfASweepDuringAPass(t *testing.T) {
	t.Parallel()
	b, c := connectedPass(t, storage.EnterpriseAccount(), "north/delhivery")
	pass := func(file string, sold ...string) {
		t.Helper()
		b.shop.orders, b.sources.places["north"].files = nil, nil
		for _, name := range sold[1:] {
			b.sell(name, 100, 20)
		}
		b.put("north", file, domain.DayOf(b.Now), b.sell(sold[0], 700, 1))
		require.Equal(t, domain.PassStored, b.make(b.due(c)).Outcome)
	}
	require.NoError(t, b.items.KeepItems(t.Context(), b.Account.ID, c.ID, true, domain.ByDashboard))
	pass("a.csv", "#2", "#1")
	b.Now = b.Now.AddDate(0, 0, 100)
	pass("b.csv", "#5", "#4")
	b.Now = b.Now.AddDate(0, 0, 81) // #1 is outdated now
	b.Before("read file", func() {
		require.NoError(t, b.mark(c, "#4", domain.Mark{}, domain.Mark{State: domain.Disputed, Note: "by telephone"}))
		require.NoError(t, b.mark(c, "#1", domain.Mark{}, domain.Mark{State: domain.Disputed}))
		require.NoError(t, b.items.ForgetItems(t.Context()))
		kept := only.Value(b.Ledgers.Find(t.Context(), b.Account.ID, c.ID))(t)
		require.Len(t, kept.Marks, 1, "that of the order that stays")
	})
	pass("c.csv", "#7", "#6")
	require.Contains(t, b.kept(c)["#4"], "disputed")
}

// TestItemsAreForgottenWithoutPasses holds that what is forgotten takes its marks with it, that what stays is judged by the terms of
// the connection, and that a ledger which cannot be read keeps nothing and nobody waiting.
func TestItemsAreForgottenWithoutPasses(t *testing.T) {
	t.Parallel()
	b := newPassBench(t, storage.EnterpriseAccount())
	change := b.changeOf("Asha", "north/delhivery")
	change.MinorGap = new(int)
	*change.MinorGap = 10
	c := only.Value(b.managing.Save(t.Context(), b.Account.ID, "", domain.ByDashboard, change))(t)
	short, paid := b.sell("#1", 500, 20), b.sell("#2", 700, 0)
	b.sell("#3", 900, 20)
	short.rupees = 495
	b.put("north", "a.csv", domain.DayOf(b.Now), short, paid)
	require.NoError(t, b.items.KeepItems(t.Context(), b.Account.ID, c.ID, true, domain.ByDashboard))
	require.Equal(t, domain.PassStored, b.make(b.due(c)).Outcome)
	require.Equal(t, map[string]string{"#1": "MINOR_DIFF", "#3": "MISSING"}, b.kept(c))

	b.Now = b.Now.AddDate(0, 0, 100)
	b.shop.orders = nil
	b.sell("#4", 100, 0)
	b.sources.places["north"].files = nil
	b.put("north", "b.csv", domain.DayOf(b.Now)-100, short)
	require.Equal(t, domain.PassStored, b.make(b.due(c)).Outcome)
	require.NoError(t, b.mark(c, "#3", domain.Mark{}, domain.Mark{State: domain.Disputed, Note: "Asha"}))
	b.Now = b.Now.AddDate(0, 0, 81)
	require.NoError(t, b.items.ForgetItems(t.Context()))
	require.Equal(t, map[string]string{"#1": "MINOR_DIFF", "#4": "AWAITING_NEXT_CYCLE"}, b.kept(c))
	kept := only.Value(b.Ledgers.Find(t.Context(), b.Account.ID, c.ID))(t)
	require.Empty(t, kept.Marks, "the note on the order is forgotten, too")
	require.NotContains(t, string(kept.Text), "#3")

	kept.Text, kept.Oldest = []byte("no,ledger\n1,2\n"), 1
	require.NoError(t, b.Ledgers.Replace(t.Context(), b.Account.ID, c.ID, kept))
	require.NoError(t, b.items.ForgetItems(t.Context()))
	kept = only.Value(b.Ledgers.Find(t.Context(), b.Account.ID, c.ID))(t)
	require.Empty(t, kept.Text)
	require.Contains(t, b.log.String(), "outdated open items cannot be read, and are deleted")
	b.sell("#5", 100, 0)
	require.Equal(t, domain.PassStored, b.make(b.due(c)).Outcome, "the next pass writes them anew")
	require.NotEmpty(t, b.kept(c))
}

// TestLinesOfNoOrderAreForgotten holds that a kept line which belongs to no order goes as orders do, whatever date it has, although
// no pass is made.
func TestLinesOfNoOrderAreForgotten(t *testing.T) {
	t.Parallel()
	b, c := connectedPass(t, storage.EnterpriseAccount(), "north/delhivery")
	require.NoError(t, b.items.KeepItems(t.Context(), b.Account.ID, c.ID, true, domain.ByDashboard))
	paid, stray := b.sell("#2", 700, 5), b.sell("#77", 300, 1)
	b.shop.orders = b.shop.orders[:1]
	b.put("north", "a.csv", domain.DayOf(b.Now), paid)
	b.put("north", "b.csv", domain.DayOf(b.Now)+3, stray)
	require.Equal(t, domain.PassStored, b.make(b.due(c)).Outcome)
	text := func() string {
		require.NoError(t, b.items.ForgetItems(t.Context()))
		return string(only.Value(b.Ledgers.Find(t.Context(), b.Account.ID, c.ID))(t).Text)
	}
	b.Now = b.Now.AddDate(0, 0, domain.ItemsKeptFor)
	require.Contains(t, text(), stray.awb)
	b.Now = b.Now.AddDate(0, 0, 1)
	require.NotContains(t, text(), stray.awb)
	require.NotContains(t, text(), paid.awb)

	b.shop.orders = nil
	paid = b.sell("#3", 700, 0)
	b.sources.places["north"].files = nil
	b.put("north", "c.csv", domain.DayOf(b.Now), paid)
	b.put("north", "d.csv", domain.DayOf(b.Now)-20, stray)
	require.Equal(t, domain.PassStored, b.make(b.due(c)).Outcome)
	b.Now = b.Now.AddDate(0, 0, domain.ItemsKeptFor-20)
	require.Contains(t, text(), stray.awb)
	b.Now = b.Now.AddDate(0, 0, 1)
	require.NotContains(t, text(), stray.awb, "it is older than any order that is kept")
	require.Contains(t, text(), paid.awb)
}

// TestNoKeptItemIsLostWithTheWindow holds that an order which leaves the window unpaid is neither warned of nor counted as lost
// while open items are kept, but for those that had left it before.
func TestNoKeptItemIsLostWithTheWindow(t *testing.T) {
	t.Parallel()
	b, c := connectedPass(t, storage.EnterpriseAccount(), "north/delhivery")
	window := c.WindowDays
	b.sell("#1", 500, window-1)
	b.put("north", "a.csv", domain.DayOf(b.Now), b.sell("#9", 700, 0))
	require.Equal(t, domain.PassStored, b.make(b.due(c)).Outcome)
	aDayLater := func() domain.Pass {
		b.Now = b.Now.AddDate(0, 0, 1)
		return b.make(b.due(c))
	}
	pass := aDayLater()
	require.Equal(t, domain.OrderSum{Orders: 1, Amount: 500 * domain.Rupee}, pass.Leaving)

	require.NoError(t, b.items.KeepItems(t.Context(), b.Account.ID, c.ID, true, domain.ByDashboard))
	b.sell("#2", 900, window-1)
	pass = aDayLater()
	require.Equal(t, domain.PassStored, pass.Outcome, pass.Failure)
	require.Equal(t, domain.OrderSum{Orders: 1, Amount: 500 * domain.Rupee}, pass.Left, "it has left the window before anything was kept")
	warns := func(p domain.Pass) bool {
		return slices.ContainsFunc(p.Warnings, func(w domain.Warning) bool { return w.Code == domain.WarnLeavingWindow })
	}
	for range 3 {
		require.Zero(t, pass.Leaving, pass.Outcome)
		require.False(t, warns(pass))
		pass = aDayLater()
		require.Zero(t, pass.Left, pass.Outcome)
	}
	require.Equal(t, 1, b.status(c).Left.Orders)
	require.Contains(t, b.kept(c), "#2")
	b.put("north", "b.csv", domain.DayOf(b.Now), b.sell("#3", 100, window-1)) // so that it is compared, and not unchanged
	b.sell("#4", 300, window-1)
	require.Equal(t, domain.PassStored, aDayLater().Outcome)
	pass = aDayLater()
	require.Zero(t, pass.Left, pass.Outcome)

	require.NoError(t, b.items.KeepItems(t.Context(), b.Account.ID, c.ID, false, domain.ByDashboard))
	b.sell("#5", 300, window-1)
	pass = aDayLater()
	require.Equal(t, domain.PassStored, pass.Outcome)
	require.True(t, warns(pass))
	require.Equal(t, domain.OrderSum{Orders: 1, Amount: 300 * domain.Rupee}, aDayLater().Left, "nobody keeps it any more")
}

// TestItemsThatCannotBeReadStopNoPass holds that passes go on without what a newer program has written, leave it as it is, and say
// what to do; and that all is as before once it can be read, or is forgotten.
func TestItemsThatCannotBeReadStopNoPass(t *testing.T) {
	t.Parallel()
	b, c := connectedPass(t, storage.EnterpriseAccount(), "north/delhivery")
	b.sell("#1", 500, c.WindowDays-1)
	b.put("north", "a.csv", domain.DayOf(b.Now), b.sell("#2", 700, 0))
	require.NoError(t, b.items.KeepItems(t.Context(), b.Account.ID, c.ID, true, domain.ByDashboard))
	pass := b.make(b.due(c))
	require.Equal(t, domain.PassStored, pass.Outcome)
	open := pass.OpenItems
	b.Now = b.Now.AddDate(0, 0, 1)
	warns := func(p domain.Pass) bool {
		return slices.ContainsFunc(p.Warnings, func(w domain.Warning) bool { return w.Code == domain.WarnItemsUnread })
	}
	replace := func(text string) (before domain.KeptLedger) {
		before = only.Value(b.Ledgers.Find(t.Context(), b.Account.ID, c.ID))(t)
		after := before
		after.Text = []byte(text)
		require.NoError(t, b.Ledgers.Replace(t.Context(), b.Account.ID, c.ID, after))
		return before
	}
	sold := 10
	for _, unreadable := range []struct {
		why  string
		made func(ours string) string
	}{
		{"its header is of a later version", func(ours string) string { return strings.Replace(ours, "ledger 1", "ledger 9", 1) }},
		{"only a row shows it, when the orders have been read", func(ours string) string { return strings.Replace(ours, "MISSING", "DOUBTFUL", 1) }},
	} {
		kept := only.Value(b.Ledgers.Find(t.Context(), b.Account.ID, c.ID))(t)
		text := unreadable.made(string(kept.Text))
		require.NotEqual(t, string(kept.Text), text)
		replace(text)
		sold++
		b.sell(fmt.Sprintf("#%d", sold), 100, 1)
		pass = b.make(b.due(c))
		require.Equal(t, domain.PassStored, pass.Outcome, pass.Failure)
		require.True(t, warns(pass), unreadable.why)
		require.Nil(t, pass.OpenItems)
		require.Equal(t, 1, pass.Leaving.Orders, "nobody else looks at it")
		unchanged := b.make(b.due(c))
		require.Equal(t, domain.PassUnchanged, unchanged.Outcome)
		require.True(t, warns(unchanged))
		require.Equal(t, pass.Leaving, unchanged.Leaving)
		require.ErrorIs(t, only.Err(b.items.OpenItems(t.Context(), b.Account, c.ID)), domain.ErrItemsUnread)
		require.ErrorIs(t, b.mark(c, "#1", domain.Mark{}, domain.Mark{State: domain.Disputed}), domain.ErrItemsUnread)
		require.Equal(t, text, string(replace(string(kept.Text)).Text), "it is left as it is")

		unchanged = b.make(b.due(c)) // it can be read again
		require.Equal(t, domain.PassUnchanged, unchanged.Outcome)
		require.False(t, warns(unchanged))
		require.Equal(t, open, unchanged.OpenItems)
		require.Zero(t, unchanged.Leaving)
	}
	require.Contains(t, b.log.String(), "kept open items cannot be read")
	require.NotContains(t, b.log.String(), "DOUBTFUL")

	replace("Milaan ledger 9\n")
	b.sell("#3", 100, 1)
	require.True(t, warns(b.make(b.due(c))))
	b.Now = b.Now.Add(time.Second)
	for _, keeps := range []bool{false, true} {
		require.NoError(t, b.items.KeepItems(t.Context(), b.Account.ID, c.ID, keeps, domain.ByDashboard))
	}
	pass = b.make(b.due(c))
	require.Equal(t, domain.PassStored, pass.Outcome)
	require.False(t, warns(pass))
	require.Contains(t, b.kept(c), "#1")
}

// TestItemsThatCannotBeOpened holds that open items which are sealed with another secret do not count as none: whoever asks is told,
// passes leave them as they are, and they are deleted when they are outdated.
func TestItemsThatCannotBeOpened(t *testing.T) {
	t.Parallel()
	b, c := connectedPass(t, storage.EnterpriseAccount(), "north/delhivery")
	b.sell("#1", 500, 29)
	b.put("north", "a.csv", domain.DayOf(b.Now), b.sell("#2", 700, 0))
	require.NoError(t, b.items.KeepItems(t.Context(), b.Account.ID, c.ID, true, domain.ByDashboard))
	require.Equal(t, domain.PassStored, b.make(b.due(c)).Outcome)
	require.NoError(t, b.mark(c, "#1", domain.Mark{}, domain.Mark{State: domain.Disputed}))
	stored := func() string {
		return storage.Column[string](b.Store, "SELECT hex(coalesce(text, '')) || hex(coalesce(marks, '')) FROM connection_ledgers")[0]
	}
	for _, column := range []string{"marks", "text"} {
		require.NoError(t, only.Err(b.Behind.ExecContext(t.Context(), "UPDATE connection_ledgers SET "+column+" = "+column+" || x'00'")))
		before := stored()
		b.sell("#"+column, 100, 1)
		pass := b.make(b.due(c))
		require.Equal(t, domain.PassStored, pass.Outcome)
		require.Equal(t, domain.WarnItemsUnread, pass.Warnings[len(pass.Warnings)-1].Code)
		require.Nil(t, pass.OpenItems)
		require.ErrorIs(t, only.Err(b.items.OpenItems(t.Context(), b.Account, c.ID)), domain.ErrItemsUnread)
		require.ErrorIs(t, b.mark(c, "#1", domain.Mark{}, domain.Mark{State: domain.Disputed}), domain.ErrItemsUnread)
		require.NoError(t, b.items.ForgetItems(t.Context()))
		require.Equal(t, before, stored())
	}
	b.Now = b.Now.AddDate(0, 0, 181)
	require.NoError(t, b.items.ForgetItems(t.Context()))
	require.Empty(t, stored())
	require.Contains(t, b.log.String(), "are deleted")
}
