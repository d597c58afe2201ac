package conformance

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"milaan/domain"
	"milaan/ports"
	"milaan/tests/only"
)

// aMark has another value in every field.
func aMark(name string) domain.KeptMark {
	return domain.KeptMark{MarkedOrder: domain.MarkedOrder{ChosenOrder: domain.ChosenOrder{OrderID: "#" + name, AWB: "AWB " + name},
		Mark: domain.Mark{State: domain.Promised, RaisedOn: domain.DayFromDate(2026, 3, 1), PromisedUntil: domain.DayFromDate(2026, 4, 2), Note: "₹ by " + name}},
		Created: domain.Moment{Day: domain.DayFromDate(2026, 2, 3), Second: 4}}
}

// aPlainMark has a state alone.
func aPlainMark(name string, state domain.ItemState) domain.KeptMark {
	return domain.KeptMark{MarkedOrder: domain.MarkedOrder{ChosenOrder: domain.ChosenOrder{OrderID: name}, Mark: domain.Mark{State: state}}}
}

// addMarks adds marks to those that are stored, however many others do at the same time.
func addMarks(ctx context.Context, s Storage, c domain.Connection, added ...domain.KeptMark) error {
	for {
		found, err := s.Ledgers.Find(ctx, c.AccountID, c.ID)
		if err != nil {
			return err
		}
		found.Marks = append(found.Marks, added...)
		if marked, err := s.Ledgers.Mark(ctx, c.AccountID, c.ID, found); marked || err != nil {
			return err
		}
	}
}

// kept has the open items of a connection kept since noon.
func kept(t *testing.T, s Storage, c domain.Connection) domain.KeptLedger {
	t.Helper()
	require.NoError(t, s.Ledgers.Switch(t.Context(), c.AccountID, c.ID, true, noon, domain.SecurityEvent{}))
	return ledgerOf(t, s, c)
}

// mark adds marks, and returns what is stored then.
func mark(t *testing.T, s Storage, c domain.Connection, added ...domain.KeptMark) domain.KeptLedger {
	t.Helper()
	require.NoError(t, addMarks(t.Context(), s, c, added...))
	return ledgerOf(t, s, c)
}

func ledgerOf(t *testing.T, s Storage, c domain.Connection) domain.KeptLedger {
	t.Helper()
	return only.Value(s.Ledgers.Find(t.Context(), c.AccountID, c.ID))(t)
}

// endWithLedger makes a pass that began with a ledger and has written a text.
func endWithLedger(t *testing.T, s Storage, c domain.Connection, id string, of domain.KeptLedger, text string) ports.PassEnd {
	t.Helper()
	end := anEndOf(asked(t, s, c, id), c)
	end.Ledger = &ports.PassLedger{Since: of.Since, Version: of.Version, Text: []byte(text), Oldest: domain.DayFromDate(2026, 1, 31)}
	return end
}

var _ = promises.add("a ledger comes back as it was stored", func(t *testing.T, one, other Storage) {
	ctx := t.Context()
	account, neighbour := created(t, one, "ledger"), created(t, one, "neighbour")
	c, second := connected(t, one, account, "one"), connected(t, one, account, "two")
	require.Equal(t, domain.KeptLedger{Since: noon}, kept(t, one, c))
	for _, listed := range only.Value(other.Connections.List(ctx, account.ID))(t) {
		require.Equal(t, listed.ID == c.ID, listed.KeepsItems)
	}
	end := endWithLedger(t, one, c, "first", ledgerOf(t, one, c), PlainText)
	require.NoError(t, one.Passes.End(ctx, end))
	want := domain.KeptLedger{Since: noon, Text: []byte(PlainText), Version: 1, Oldest: end.Ledger.Oldest, WrittenAt: end.Pass.EndedAt}
	require.Equal(t, want, ledgerOf(t, other, c))

	want.Marks, want.Version = []domain.KeptMark{aMark(PlainText), aPlainMark("#2", domain.Unmarked)}, 2
	for state := range domain.ItemStates() {
		want.Marks = append(want.Marks, aPlainMark(fmt.Sprint("#", state), domain.ItemState(state)))
	}
	require.Equal(t, want, mark(t, other, c, want.Marks...))
	require.Equal(t, want, ledgerOf(t, one, c))
	require.Empty(t, one.Rows(t, PlainText), "texts and marks are sealed")
	stored := want
	stored.Marks = nil
	require.True(t, only.Value(one.Ledgers.Mark(ctx, account.ID, c.ID, stored))(t))
	want.Marks, want.Version = nil, 3
	require.Equal(t, want, ledgerOf(t, other, c), "all marks are taken back")

	for i, text := range []string{strings.Repeat("a long ledger\n", 1<<16), "\x28\xb5\x2f\xfd begins as what is compressed"} {
		require.NoError(t, one.Passes.End(ctx, endWithLedger(t, one, c, fmt.Sprint(i), ledgerOf(t, one, c), text)))
		require.Equal(t, text, string(ledgerOf(t, other, c).Text))
	}
	want = ledgerOf(t, other, c)
	for of, missing := range map[[2]string]error{{account.ID, second.ID}: domain.ErrNoItems, {account.ID, "unknown"}: domain.ErrNoConnection,
		{neighbour.ID, c.ID}: domain.ErrNoConnection, {"nobody", c.ID}: domain.ErrNoConnection} {
		found, err := other.Ledgers.Find(ctx, of[0], of[1])
		require.ErrorIs(t, err, missing)
		require.Zero(t, found)
		marked, err := other.Ledgers.Mark(ctx, of[0], of[1], want)
		require.ErrorIs(t, err, missing)
		require.False(t, marked)
		require.ErrorIs(t, other.Ledgers.Replace(ctx, of[0], of[1], want), missing)
		if errors.Is(missing, domain.ErrNoConnection) {
			for _, keeps := range []bool{true, false} {
				require.ErrorIs(t, other.Ledgers.Switch(ctx, of[0], of[1], keeps, noon, connectionEvent("never")), missing)
			}
		}
	}
	require.Equal(t, want, ledgerOf(t, one, c))
	require.Empty(t, eventIDs(t, one, account))
	require.Empty(t, eventIDs(t, one, neighbour))
})

var _ = promises.add("open items are kept while they are switched on", func(t *testing.T, one, other Storage) {
	account := created(t, one, "switching")
	c, stays := connected(t, one, account, "one"), connected(t, one, account, "two")
	before := kept(t, one, stays)
	turn := func(s Storage, keeps bool, at time.Time, event string) {
		t.Helper()
		require.NoError(t, s.Ledgers.Switch(t.Context(), account.ID, c.ID, keeps, at, anEvent(event, at, domain.SecurityConnection)))
	}
	turn(one, false, noon, "none-1")
	turn(one, true, noon, "on")
	require.Equal(t, []string{"on"}, eventIDs(t, other, account), "nothing was kept before")
	marked := mark(t, one, c, aMark("1"))
	turn(other, true, noon.Add(time.Hour), "none-2")
	require.Equal(t, marked, ledgerOf(t, one, c), "it stays as it is")
	turn(other, false, noon.Add(time.Hour), "off")
	require.ErrorIs(t, only.Err(one.Ledgers.Find(t.Context(), account.ID, c.ID)), domain.ErrNoItems)
	turn(one, true, noon.Add(2*time.Hour), "again")
	require.Equal(t, domain.KeptLedger{Since: noon.Add(2 * time.Hour)}, ledgerOf(t, one, c), "with nothing of before")
	require.Equal(t, []string{"again", "off", "on"}, eventIDs(t, one, account))
	require.Equal(t, before, ledgerOf(t, one, stays))
})

var _ = promises.add("one of many switches is in the log", func(t *testing.T, one, other Storage) {
	account := created(t, one, "switches")
	c := connected(t, one, account, "")
	for n, keeps := range []bool{true, false} {
		requireInParallel(t, one, other, func(s Storage, i int) error {
			at := noon.Add(time.Duration(i) * time.Second)
			return s.Ledgers.Switch(t.Context(), account.ID, c.ID, keeps, at, anEvent(fmt.Sprint(keeps, i), at, domain.SecurityConnection))
		})
		events := only.Value(one.Events.Latest(t.Context(), account.ID, domain.SecurityLogLength))(t)
		require.Len(t, events, n+1)
		if keeps {
			require.Equal(t, fmt.Sprint(keeps, int(ledgerOf(t, one, c).Since.Sub(noon)/time.Second)), events[0].ID)
		}
	}
})

var _ = promises.add("marks of another version alter nothing", func(t *testing.T, one, other Storage) {
	c := connected(t, one, created(t, one, "late"), "")
	kept(t, one, c)
	before := mark(t, one, c, aMark("1"))
	for of, changed := range map[string]func(*domain.KeptLedger){
		"a version of before": func(l *domain.KeptLedger) { l.Version-- },
		"a version to come":   func(l *domain.KeptLedger) { l.Version++ },
		"another beginning":   func(l *domain.KeptLedger) { l.Since = l.Since.Add(time.Microsecond) },
	} {
		late := before
		late.Marks = []domain.KeptMark{aMark("never")}
		changed(&late)
		marked, err := other.Ledgers.Mark(t.Context(), c.AccountID, c.ID, late)
		require.NoError(t, err, of)
		require.False(t, marked, of)
		require.Equal(t, before, ledgerOf(t, one, c), of)
	}
})

var _ = promises.add("marks do not overwrite each other", func(t *testing.T, one, other Storage) {
	c := connected(t, one, created(t, one, "marking"), "")
	kept(t, one, c)
	requireInParallel(t, one, other, func(s Storage, i int) error {
		return addMarks(t.Context(), s, c, aMark(fmt.Sprint(i)))
	})
	stored := ledgerOf(t, one, c)
	require.Len(t, stored.Marks, many)
	require.Equal(t, many, stored.Version)
	for i := range many {
		require.Contains(t, stored.Marks, aMark(fmt.Sprint(i)))
	}
})

// One is stored with the run of its pass, and one with a pass that has no run.
var _ = promises.add("a pass stores its ledger in place of the marks", func(t *testing.T, one, other Storage) {
	ctx := t.Context()
	account := enterprise(t, one, "passing")
	c, neighbour := connected(t, one, account, "one"), connected(t, one, account, "two")
	kept(t, one, c)
	kept(t, one, neighbour)
	before, beside := mark(t, one, c, aMark("1")), mark(t, one, neighbour, aMark("2"))
	end := endWithLedger(t, one, c, "first", before, "with a run")
	entry := passRun(account, end.Pass, c, "run")
	entry.Pass.Ledger = end.Ledger
	undone := errors.New("undone")
	require.ErrorIs(t, one.Runs.Update(ctx, account.ID, func(b ports.RunBook) error {
		require.NoError(t, b.Write(entry))
		return undone
	}), undone)
	require.Equal(t, before, ledgerOf(t, other, c), "with its run or not at all")
	require.NoError(t, one.Write(ctx, account.ID, entry))
	want := domain.KeptLedger{Since: noon, Text: []byte("with a run"), Version: 2, Oldest: end.Ledger.Oldest, WrittenAt: entry.Pass.Pass.EndedAt}
	require.Equal(t, want, ledgerOf(t, other, c), "the marks are in the text")
	entry.Pass.Ledger = &ports.PassLedger{Since: noon, Version: 2, Text: []byte("late")}
	require.ErrorIs(t, other.Write(ctx, account.ID, entry), domain.ErrNothingToDo)
	require.Equal(t, want, ledgerOf(t, other, c), "a pass ends once")

	end = endWithLedger(t, one, c, "second", mark(t, one, c, aMark("3")), "without a run")
	end.Ledger.Oldest = domain.NoDay
	require.NoError(t, other.Passes.End(ctx, end))
	want = domain.KeptLedger{Since: noon, Text: []byte("without a run"), Version: 4, WrittenAt: end.Pass.EndedAt}
	require.Equal(t, want, ledgerOf(t, one, c))
	require.NoError(t, other.Passes.End(ctx, anEndOf(asked(t, one, c, "third"), c)))
	require.Equal(t, want, ledgerOf(t, one, c), "a pass without a ledger leaves it")
	require.Equal(t, beside, ledgerOf(t, one, neighbour))
})

// A pass begins, and its owner stops keeping open items, or begins anew.
var _ = promises.add("a ledger of before a switch is not stored", func(t *testing.T, one, other Storage) {
	ctx := t.Context()
	c := connected(t, one, created(t, one, "stale"), "")
	first := kept(t, one, c)
	for i, text := range []string{"by a pass of before", "by a pass with a run"} {
		end := endWithLedger(t, one, c, fmt.Sprint("stopped-", i), first, text)
		require.NoError(t, other.Ledgers.Switch(ctx, c.AccountID, c.ID, false, noon, domain.SecurityEvent{}))
		require.NoError(t, one.Passes.End(ctx, end), "the pass ends all the same")
		require.ErrorIs(t, only.Err(one.Ledgers.Find(ctx, c.AccountID, c.ID)), domain.ErrNoItems)

		end = endWithLedger(t, one, c, fmt.Sprint("anew-", i), first, text)
		require.NoError(t, other.Ledgers.Switch(ctx, c.AccountID, c.ID, true, noon.Add(time.Microsecond), domain.SecurityEvent{}))
		want := ledgerOf(t, one, c)
		require.Equal(t, want.Version, first.Version, "its Since alone tells them apart")
		require.NoError(t, one.Passes.End(ctx, end))
		require.Equal(t, want, ledgerOf(t, one, c))
		require.Equal(t, end.Pass.ID, passesOf(t, one, c)[0].ID)
		require.Equal(t, domain.PassStored, passesOf(t, one, c)[0].Outcome)
	}
})

var _ = promises.add("marks that are made during a pass stay", func(t *testing.T, one, other Storage) {
	c := connected(t, one, created(t, one, "meanwhile"), "")
	begins := func(id string, want ports.BegunItems) {
		t.Helper()
		pass := asked(t, one, c, id)
		require.Equal(t, want, only.Value(other.Passes.Begin(t.Context(), pass.ID, noon))(t).Items)
		require.NoError(t, one.Passes.End(t.Context(), anEndOf(pass, c)))
	}
	begins("not kept", ports.BegunItems{})
	kept(t, one, c)
	begins("kept", ports.BegunItems{Kept: true})
	begun := mark(t, one, c, aMark("before"))
	begins("marked", ports.BegunItems{Kept: true, Marked: true})
	end := endWithLedger(t, one, c, "first", begun, "without the later mark")
	meanwhile := mark(t, other, c, aMark("meanwhile"))
	require.NoError(t, one.Passes.End(t.Context(), end))
	stored := ledgerOf(t, one, c)
	require.Equal(t, "without the later mark", string(stored.Text))
	require.Equal(t, meanwhile.Marks, stored.Marks)
	require.Equal(t, meanwhile.Version+1, stored.Version)
	begins("written", ports.BegunItems{Kept: true, Written: true, Marked: true})
	require.NoError(t, one.Passes.End(t.Context(), endWithLedger(t, one, c, "second", stored, "with it")))
	require.Empty(t, ledgerOf(t, one, c).Marks, "the next pass has seen it")
	begins("all written", ports.BegunItems{Kept: true, Written: true})
})

// A pass ends while people mark orders: each mark is stored, whatever comes first.
var _ = promises.add("marks and the end of a pass at once", func(t *testing.T, one, other Storage) {
	ctx := t.Context()
	c := connected(t, one, created(t, one, "meeting"), "")
	kept(t, one, c)
	for round := range 5 {
		before := mark(t, one, c, aMark("before"))
		end := endWithLedger(t, one, c, fmt.Sprint(round), before, fmt.Sprint("round ", round))
		var made []domain.KeptMark
		for i := range many {
			made = append(made, aMark(fmt.Sprint(round, "-", i)))
		}
		requireInParallel(t, one, other, func(s Storage, i int) error {
			if i == many/2 {
				return s.Passes.End(ctx, end)
			}
			return addMarks(ctx, s, c, made[i])
		})
		stored := ledgerOf(t, one, c)
		require.Equal(t, fmt.Sprint("round ", round), string(stored.Text))
		for i, m := range made {
			if i != many/2 {
				require.Contains(t, stored.Marks, m)
			}
		}
	}
})

var _ = promises.add("outdated ledgers are listed", func(t *testing.T, one, other Storage) {
	ctx := t.Context()
	account, neighbour := created(t, one, "outdated"), created(t, one, "neighbour")
	day := domain.DayFromDate(2026, 1, 31)
	var want []domain.Connection
	for i, of := range []domain.Account{account, neighbour, account} {
		c := connected(t, one, of, fmt.Sprint(i))
		kept(t, one, c)
		end := endWithLedger(t, one, c, fmt.Sprint(i), ledgerOf(t, one, c), "text")
		end.Ledger.Oldest = day - domain.Day(i)
		require.NoError(t, one.Passes.End(ctx, end))
		want = append(want, domain.Connection{ID: c.ID, AccountID: of.ID})
	}
	slices.Reverse(want)
	none := connected(t, one, account, "none")
	kept(t, one, none)
	end := endWithLedger(t, one, none, "none", ledgerOf(t, one, none), "text")
	end.Ledger.Oldest = domain.NoDay
	require.NoError(t, one.Passes.End(ctx, end))
	kept(t, one, connected(t, one, account, "empty"))
	outdated := func(before domain.Day, limit int) []domain.Connection {
		t.Helper()
		return only.Value(other.Ledgers.Outdated(ctx, before, limit))(t)
	}
	require.Equal(t, want, outdated(day+1, 10), "the oldest first")
	require.Equal(t, want[:2], outdated(day, 10), "before the day")
	require.Equal(t, want[:1], outdated(day+1, 1))
	require.Empty(t, outdated(day-2, 10))
})

var _ = promises.add("an outdated ledger is replaced", func(t *testing.T, one, other Storage) {
	ctx := t.Context()
	c := connected(t, one, created(t, one, "replaced"), "")
	kept(t, one, c)
	end := endWithLedger(t, one, c, "first", ledgerOf(t, one, c), "old and new")
	require.NoError(t, one.Passes.End(ctx, end))
	found := mark(t, one, c, aMark("1"))
	replace := func(with domain.KeptLedger) domain.KeptLedger {
		t.Helper()
		require.NoError(t, other.Ledgers.Replace(ctx, c.AccountID, c.ID, with))
		return ledgerOf(t, one, c)
	}
	fresh := found
	fresh.Text, fresh.Oldest, fresh.Marks, fresh.WrittenAt = []byte("new"), found.Oldest+1, []domain.KeptMark{aMark("2")}, noon.Add(time.Hour)
	want := found
	want.Text, want.Oldest, want.Marks, want.Version = fresh.Text, fresh.Oldest, fresh.Marks, found.Version+1
	require.Equal(t, want, replace(fresh), "its text, its Oldest and its marks")
	require.Equal(t, want, replace(fresh), "of a version of before")
	anew := want
	anew.Since, anew.Text = noon.Add(-time.Hour), []byte("of before")
	require.Equal(t, want, replace(anew))
	empty := want
	empty.Text, empty.Oldest, empty.Marks = nil, domain.NoDay, nil
	want.Text, want.Oldest, want.Marks, want.WrittenAt, want.Version = nil, domain.NoDay, nil, time.Time{}, want.Version+1
	require.Equal(t, want, replace(empty), "nothing is left")
	require.NoError(t, one.Ledgers.Switch(ctx, c.AccountID, c.ID, false, noon, domain.SecurityEvent{}))
	require.ErrorIs(t, other.Ledgers.Replace(ctx, c.AccountID, c.ID, want), domain.ErrNoItems)
})

// A mark is stored or in the text that has taken its place, whoever replaces it meanwhile.
var _ = promises.add("no mark is lost while a ledger is replaced", func(t *testing.T, one, other Storage) {
	ctx := t.Context()
	c := connected(t, one, created(t, one, "replacing"), "")
	kept(t, one, c)
	requireInParallel(t, one, other, func(s Storage, i int) error {
		if i%8 != 0 {
			return addMarks(ctx, s, c, aMark(fmt.Sprint(i)))
		}
		found, err := s.Ledgers.Find(ctx, c.AccountID, c.ID)
		if err != nil {
			return err
		}
		for _, m := range found.Marks {
			found.Text = append(found.Text, m.OrderID+";"...)
		}
		return s.Ledgers.Replace(ctx, c.AccountID, c.ID, found)
	})
	stored := ledgerOf(t, one, c)
	for i := range many {
		if m := aMark(fmt.Sprint(i)); i%8 != 0 && !slices.Contains(stored.Marks, m) {
			require.Contains(t, string(stored.Text), m.OrderID+";")
		}
	}
})

// A ledger or marks that cannot be opened are not absent: they stay until their secret comes back, or they are deleted whole.
var _ = promises.add("a ledger of a lost secret is none", func(t *testing.T, one, _ Storage) {
	ctx := t.Context()
	lost := one.LostSecret(t)
	c := connected(t, one, created(t, one, "lost"), "")
	kept(t, one, c)
	require.NoError(t, one.Passes.End(ctx, endWithLedger(t, one, c, "first", ledgerOf(t, one, c), "lost")))
	mark(t, one, c, aMark("lost"))
	stored := ledgerOf(t, one, c)
	unread, err := lost.Ledgers.Find(ctx, c.AccountID, c.ID)
	require.ErrorIs(t, err, domain.ErrItemsUnread)
	require.Equal(t, stored.Since, unread.Since)
	require.Equal(t, stored.Version, unread.Version)

	unread.Text, unread.Marks = []byte("afresh"), []domain.KeptMark{aMark("afresh")}
	require.NoError(t, lost.Ledgers.Replace(ctx, c.AccountID, c.ID, unread))
	require.ErrorIs(t, only.Err(one.Ledgers.Find(ctx, c.AccountID, c.ID)), domain.ErrItemsUnread)
	unread.Version++
	unread.WrittenAt = stored.WrittenAt
	require.Equal(t, unread, ledgerOf(t, lost, c))

	unread.Text, unread.Marks = nil, nil
	require.NoError(t, lost.Ledgers.Replace(ctx, c.AccountID, c.ID, unread))
	require.Equal(t, domain.KeptLedger{Since: noon, Version: unread.Version + 1}, ledgerOf(t, one, c))
})
