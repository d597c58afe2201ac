package conformance

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"milaan/domain"
	"milaan/ports"
	"milaan/tests/only"
)

// anEvent has an id that no other event of the test has.
func anEvent(id string, at time.Time, kind domain.SecurityKind) domain.SecurityEvent {
	return domain.SecurityEvent{ID: id, At: at, Kind: kind, Detail: "detail ₹ of " + id, By: domain.ByDashboard}
}

// eventIDs are the ids of an account's events, latest first.
func eventIDs(t *testing.T, s Storage, account domain.Account) (ids []string) {
	t.Helper()
	for _, e := range only.Value(s.Events.Latest(t.Context(), account.ID, domain.SecurityLogLength))(t) {
		require.Equal(t, account.ID, e.AccountID)
		ids = append(ids, e.ID)
	}
	return ids
}

func aSession(account domain.Account, name string) domain.Session {
	return domain.Session{ID: "session-" + account.ID + name, AccountID: account.ID, Hash: sha256.Sum256([]byte(account.ID + name)),
		CreatedAt: noon, UsedAt: noon.Add(time.Microsecond)}
}

// begun begins a session without a link.
func begun(t *testing.T, s Storage, account domain.Account, name string) domain.Session {
	t.Helper()
	session := aSession(account, name)
	require.NoError(t, s.Sessions.Begin(t.Context(), session, "", time.Time{}, domain.SecurityEvent{}))
	return session
}

func requireNoSession(t *testing.T, s Storage, sessions ...domain.Session) {
	t.Helper()
	for _, session := range sessions {
		require.ErrorIs(t, only.Err(s.Sessions.Find(t.Context(), session.Hash)), domain.ErrSession)
	}
}

var _ = promises.add("a session comes back with its account", func(t *testing.T, one, other Storage) {
	account := created(t, one, "session")
	first, second := begun(t, one, account, "first"), begun(t, other, account, "second")
	for _, session := range []domain.Session{first, second} {
		found := only.Value(other.Sessions.Find(t.Context(), session.Hash))(t)
		require.Equal(t, ports.SignedIn{Session: session, Account: account, Email: account.Email, Role: domain.Owner}, found)
	}
	account = Change(t, one.Accounts, account.Email, func(a *domain.Account) { a.Plan, a.Subscription, a.RunCap = domain.Solo, domain.SubscriptionEnded, nil })
	found := only.Value(other.Sessions.Find(t.Context(), first.Hash))(t)
	require.Equal(t, account, found.Account, "the account is as it is now")

	for _, after := range []time.Duration{time.Hour, time.Minute} { // the second one comes from a clock that is behind
		require.NoError(t, one.Sessions.Touch(t.Context(), first.ID, noon.Add(after)))
	}
	found = only.Value(other.Sessions.Find(t.Context(), first.Hash))(t)
	first.UsedAt = noon.Add(time.Hour)
	require.Equal(t, first, found.Session)
	require.NoError(t, one.Sessions.Touch(t.Context(), "unknown", noon))

	require.Error(t, one.Sessions.Begin(t.Context(), first, "", time.Time{}, domain.SecurityEvent{}), "a session stored twice is a fault of the program")
	require.ErrorIs(t, one.Sessions.Begin(t.Context(), aSession(anAccount("unknown"), "s"), "link", noon, domain.SecurityEvent{}), domain.ErrNoAccount)
	requireNoSession(t, one, aSession(account, "unknown"))
})

var _ = promises.add("a sign-in link is redeemed once", func(t *testing.T, one, other Storage) {
	account, neighbour := created(t, one, "redeemed"), created(t, one, "neighbour")
	begin := func(s Storage, a domain.Account, name, link string) error {
		return s.Sessions.Begin(t.Context(), aSession(a, name), link, noon.Add(time.Minute), anEvent("signed in "+name, noon, domain.SecuritySignedIn))
	}
	require.NoError(t, begin(one, account, "first", "link"))
	require.ErrorIs(t, begin(other, account, "second", "link"), domain.ErrSession)
	require.ErrorIs(t, begin(other, neighbour, "theirs", "link"), domain.ErrSession)
	requireNoSession(t, one, aSession(account, "second"), aSession(neighbour, "theirs"))
	require.Equal(t, []string{"signed in first"}, eventIDs(t, one, account))
	require.Empty(t, eventIDs(t, one, neighbour))
	require.NoError(t, begin(other, account, "third", "another link"))

	require.Error(t, begin(one, account, "first", "a link whose session cannot be stored"))
	require.NoError(t, begin(one, account, "fourth", "a link whose session cannot be stored"), "a link is redeemed with its session or not at all")
	for i := range 2 {
		require.NoError(t, begin(one, account, fmt.Sprint("provider ", i), ""), "a blank id is no link")
	}
})

var _ = promises.add("one of many redemptions of a link succeeds", func(t *testing.T, one, other Storage) {
	mine, theirs := created(t, one, "mine"), created(t, one, "theirs")
	accountOf := func(i int) domain.Account {
		if i%4 < 2 {
			return mine
		}
		return theirs
	}
	for _, link := range []string{"first", "second"} {
		which := Succeeded(t, InParallel(one, other, func(s Storage, i int) error {
			name := link + runID(i)
			return s.Sessions.Begin(t.Context(), aSession(accountOf(i), name), link, noon, anEvent(name, noon, domain.SecuritySignedIn))
		}), domain.ErrSession)
		require.Len(t, which, 1)
		for i := range many {
			_, err := other.Sessions.Find(t.Context(), aSession(accountOf(i), link+runID(i)).Hash)
			require.Equal(t, i == which[0], err == nil)
		}
	}
	require.Len(t, append(eventIDs(t, one, mine), eventIDs(t, one, theirs)...), 2)
})

var _ = promises.add("a session is ended by its account", func(t *testing.T, one, other Storage) {
	account, neighbour := created(t, one, "ended"), created(t, one, "neighbour")
	ended, kept := begun(t, one, account, "ended"), begun(t, one, account, "kept")
	require.NoError(t, one.Sessions.End(t.Context(), neighbour.ID, ended.ID))
	require.NoError(t, only.Err(other.Sessions.Find(t.Context(), ended.Hash)), "another account cannot end it")
	for range 2 {
		require.NoError(t, one.Sessions.End(t.Context(), account.ID, ended.ID))
		requireNoSession(t, other, ended)
	}
	require.NoError(t, other.Sessions.Touch(t.Context(), ended.ID, noon.Add(time.Hour)))
	requireNoSession(t, other, ended)
	require.NoError(t, only.Err(other.Sessions.Find(t.Context(), kept.Hash)))
})

var _ = promises.add("all sessions of an account end", func(t *testing.T, one, other Storage) {
	account, neighbour := created(t, one, "all"), created(t, one, "neighbour")
	first, second, theirs := begun(t, one, account, "first"), begun(t, other, account, "second"), begun(t, one, neighbour, "theirs")
	event := anEvent("everywhere", noon, domain.SecuritySignedOut)
	for _, want := range []int{2, 0} {
		require.Equal(t, want, only.Value(one.Sessions.EndAll(t.Context(), account.ID, ports.SessionScope{}, event))(t))
	}
	requireNoSession(t, other, first, second)
	require.NoError(t, only.Err(other.Sessions.Find(t.Context(), theirs.Hash)))
	events := only.Value(other.Events.Latest(t.Context(), account.ID, many))(t)
	event.AccountID, event.Detail = account.ID, "2"
	require.Equal(t, []domain.SecurityEvent{event}, events)
	require.ErrorIs(t, only.Err(one.Sessions.EndAll(t.Context(), "nobody", ports.SessionScope{}, event)), domain.ErrNoAccount)
})

// Of sessions that begin while all are ended, those are left that began afterwards: none is
// both counted and left.
var _ = promises.add("no session outlives the end of all", func(t *testing.T, one, other Storage) {
	account := created(t, one, "crossing")
	total := make([]int, many)
	requireInParallel(t, one, other, func(s Storage, i int) (err error) {
		if i%4 > 0 {
			return s.Sessions.Begin(t.Context(), aSession(account, runID(i)), "", time.Time{}, domain.SecurityEvent{})
		}
		total[i], err = s.Sessions.EndAll(t.Context(), account.ID, ports.SessionScope{}, anEvent(runID(i), noon, domain.SecuritySignedOut))
		return err
	})
	ended, left := 0, 0
	for i := range many {
		ended += total[i]
		if _, err := one.Sessions.Find(t.Context(), aSession(account, runID(i)).Hash); err == nil {
			left++
		}
	}
	require.Equal(t, many*3/4, ended+left)
})

var _ = promises.add("ended sessions and links are swept away", func(t *testing.T, one, other Storage) {
	account := created(t, one, "swept")
	old, idle, fresh := aSession(account, "old"), aSession(account, "idle"), aSession(account, "fresh")
	old.CreatedAt, old.UsedAt = noon.Add(-domain.SessionLimit-time.Microsecond), noon
	idle.CreatedAt, idle.UsedAt = noon.Add(-domain.SessionLimit), noon.Add(-domain.SessionIdle-time.Microsecond)
	fresh.CreatedAt, fresh.UsedAt = noon.Add(-domain.SessionLimit), noon.Add(-domain.SessionIdle)
	for link, session := range map[string]domain.Session{"a": old, "b": idle, "c": fresh} {
		require.NoError(t, one.Sessions.Begin(t.Context(), session, link, noon.Add(-time.Microsecond), domain.SecurityEvent{}))
	}
	require.NoError(t, one.Sessions.Begin(t.Context(), aSession(account, "now"), "valid", noon, domain.SecurityEvent{}))
	require.NoError(t, other.Sweep(t.Context(), ports.Expiry{}), "a zero time deletes nothing")
	require.NoError(t, only.Err(one.Sessions.Find(t.Context(), old.Hash)))

	for range 2 {
		require.NoError(t, other.Sweep(t.Context(), ports.Expiry{Sessions: noon.Add(-domain.SessionLimit), Idle: noon.Add(-domain.SessionIdle), Links: noon}))
		requireNoSession(t, one, old, idle)
		require.NoError(t, only.Err(one.Sessions.Find(t.Context(), fresh.Hash)))
	}
	again := func(link string) error {
		return one.Sessions.Begin(t.Context(), aSession(account, "by "+link), link, noon, domain.SecurityEvent{})
	}
	require.NoError(t, again("a"), "the link is forgotten: it has ended")
	require.ErrorIs(t, again("valid"), domain.ErrSession)
})

var _ = promises.add("an event is listed for its account", func(t *testing.T, one, other Storage) {
	account, neighbour := created(t, one, "listed"), created(t, one, "neighbour")
	require.Empty(t, eventIDs(t, one, account))
	add := func(id string, a domain.Account, after time.Duration) domain.SecurityEvent {
		e := anEvent(id, noon.Add(after), domain.SecuritySignInLink)
		e.AccountID, e.By = a.ID, domain.ByCommandLine
		require.NoError(t, one.Events.Add(t.Context(), e))
		return e
	}
	first := add("1", account, 0)
	add("2", account, time.Second)
	add("3", account, 0)
	add("4", neighbour, time.Minute)
	require.Equal(t, []string{"3", "2", "1"}, eventIDs(t, other, account), "latest first, whatever the clocks said")
	require.Len(t, only.Value(other.Events.Latest(t.Context(), account.ID, 2))(t), 2)
	require.Equal(t, first, only.Value(other.Events.Latest(t.Context(), account.ID, many))(t)[2])
	first.ID, first.AccountID = "5", "nobody"
	require.ErrorIs(t, one.Events.Add(t.Context(), first), domain.ErrNoAccount)
})

// Of changes at the same time, the log's last line is about the one that holds. A clock that is far
// ahead moves no later event.
var _ = promises.add("events are in the order of what they are about", func(t *testing.T, one, other Storage) {
	account := created(t, one, "order")
	joined(t, one, account, "colleague")
	members, _ := only.Both(one.People.List(t.Context(), account.ID, noon))(t)
	requireInParallel(t, one, other, func(s Storage, i int) error {
		role := domain.MemberRoles[i%len(domain.MemberRoles)]
		e := anEvent(runID(i), noon.Add(time.Minute-time.Duration(i)*time.Millisecond), domain.SecurityMemberChanged)
		e.Detail = string(role)
		return s.People.ChangeRole(t.Context(), account.ID, members[0].ID, role, e)
	})
	members, _ = only.Both(one.People.List(t.Context(), account.ID, noon))(t)
	events := only.Value(other.Events.Latest(t.Context(), account.ID, domain.SecurityLogLength))(t)
	require.Equal(t, string(members[0].Role), events[0].Detail)
	require.Equal(t, members[0].Email, events[0].Whom)
	for i, e := range events[1:] {
		require.True(t, e.At.Before(events[i].At), "%v is not before %v", e.At, events[i].At)
		require.False(t, e.Kind == domain.SecurityMemberChanged && e.Detail == events[i].Detail, "each has changed something")
	}

	ahead := anEvent("ahead", noon.Add(time.Hour), domain.SecuritySignedIn)
	after := anEvent("after", noon.Add(2*time.Minute), domain.SecuritySignedIn)
	for _, e := range []domain.SecurityEvent{ahead, after} {
		e.AccountID = account.ID
		require.NoError(t, one.Events.Add(t.Context(), e))
	}
	events = only.Value(other.Events.Latest(t.Context(), account.ID, 2))(t)
	require.Equal(t, []time.Time{ahead.At, after.At}, []time.Time{events[0].At, events[1].At})
})

// The people whom an event names are told to who has the secret, and stand nowhere unsealed.
var _ = promises.add("an event names people, sealed", func(t *testing.T, one, other Storage) {
	account := created(t, one, "named")
	event := domain.SecurityEvent{ID: "e", AccountID: account.ID, At: noon, Kind: domain.SecurityMemberGone, Detail: "reader",
		Whom: "whom@books.example", By: domain.Actor{Way: domain.WayDashboard, Name: "who@books.example", Address: "2001:db8::7"}}
	require.NoError(t, one.Events.Add(t.Context(), event))
	events := only.Value(other.Events.Latest(t.Context(), account.ID, many))(t)
	require.Equal(t, []domain.SecurityEvent{event}, events)
	for _, text := range []string{"books.example", "2001:db8"} {
		require.Empty(t, one.Rows(t, text))
	}
	events = only.Value(one.LostSecret(t).Events.Latest(t.Context(), account.ID, many))(t)
	event.Whom, event.By.Name, event.By.Address = "", "", ""
	require.Equal(t, []domain.SecurityEvent{event}, events, "the names are lost with the secret, and the log is not")
	require.ErrorIs(t, only.Err(one.MissingSecret(t).Events.Latest(t.Context(), account.ID, many)), domain.ErrMissingSecret)
})

var _ = promises.add("whose key was revoked is known", func(t *testing.T, one, other Storage) {
	account := created(t, one, "revoked")
	former := issued(t, one, account, "former")
	require.ErrorIs(t, only.Err2(other.Events.RevokedKey(t.Context(), former.Hash)), domain.ErrKey, "it is active")
	issued(t, one, account, "next")
	id, prefix := only.Both(other.Events.RevokedKey(t.Context(), former.Hash))(t)
	require.Equal(t, []string{account.ID, former.Prefix}, []string{id, prefix})
	require.ErrorIs(t, only.Err2(other.Events.RevokedKey(t.Context(), aKey(account, "never issued").Hash)), domain.ErrKey)
})

// The event is one fact with its change: if either cannot be stored, neither is.
var _ = promises.add("an event is stored with its change or not at all", func(t *testing.T, one, other Storage) {
	account := created(t, one, "changes")
	key := issued(t, one, account, "k")
	session := begun(t, one, account, "s")
	require.NoError(t, one.Write(t.Context(), account.ID, ports.Entry{Mappings: []ports.SavedMapping{{CourierName: "dtdc"}}, SavedAt: noon}))
	changeWebhookWith := func(event domain.SecurityEvent, err error) error {
		_, failed := one.Webhooks.Update(t.Context(), account.ID, event, func(w *domain.Webhook) error { w.Secret = "whsec_"; return err })
		return failed
	}
	changes := map[string]func(event domain.SecurityEvent) error{
		"account": func(e domain.SecurityEvent) error {
			_, err := one.Accounts.Update(t.Context(), account.Email, e, func(a *domain.Account) error { a.OverdueDays = 11; return nil })
			return err
		},
		"webhook": func(e domain.SecurityEvent) error { return changeWebhookWith(e, nil) },
		"branding": func(e domain.SecurityEvent) error {
			_, err := one.Brandings.Update(t.Context(), account.ID, e, func(b *domain.Branding) error { b.Name = "name"; return nil })
			return err
		},
		"rotated": func(e domain.SecurityEvent) error { return one.Keys.Rotate(t.Context(), aKey(account, "rotated"), e) },
		"replaced": func(e domain.SecurityEvent) error {
			return one.Keys.Replace(t.Context(), aKey(account, "replaced"), activeKey(t, one, account).Prefix, e)
		},
		"revoked": func(e domain.SecurityEvent) error {
			return one.Keys.Revoke(t.Context(), account.ID, domain.LiveKey, activeKey(t, one, account).Prefix, noon, e)
		},
		"mapping": func(e domain.SecurityEvent) error { return one.Mappings.Remove(t.Context(), account.ID, "dtdc", e) },
		"begun": func(e domain.SecurityEvent) error {
			return one.Sessions.Begin(t.Context(), aSession(account, "begun"), "link", noon, e)
		},
		"ended": func(e domain.SecurityEvent) error {
			_, err := one.Sessions.EndAll(t.Context(), account.ID, ports.SessionScope{}, e)
			return err
		},
	}
	taken := anEvent("taken", noon, domain.SecurityAccount)
	taken.AccountID = account.ID
	require.NoError(t, one.Events.Add(t.Context(), taken))
	for name, change := range changes {
		require.Error(t, change(taken), name, "the event cannot be stored")
	}
	require.Equal(t, []string{"taken"}, eventIDs(t, other, account))
	require.Equal(t, account, AccountOf(t, other, account.Email))
	require.ErrorIs(t, only.Err(other.Webhooks.Of(t.Context(), account.ID)), domain.ErrNoWebhook)
	require.ErrorIs(t, only.Err(other.Brandings.Of(t.Context(), account.ID)), domain.ErrNoBranding)
	require.Equal(t, key.Prefix, activeKey(t, other, account).Prefix)
	require.Equal(t, account, look(t, other, key.Hash).Account, "the key is active as before")
	require.Len(t, only.Value(other.Mappings.List(t.Context(), account.ID))(t), 1)
	require.NoError(t, only.Err(other.Sessions.Find(t.Context(), session.Hash)))
	requireNoSession(t, other, aSession(account, "begun"))

	refusal := errors.New("refused")
	require.Same(t, refusal, changeWebhookWith(anEvent("refused", noon, domain.SecurityWebhookSet), refusal))
	for _, nothing := range []func() error{
		func() error {
			_, err := one.Webhooks.Update(t.Context(), account.ID, anEvent("w", noon, domain.SecurityWebhookGone), func(*domain.Webhook) error { return nil })
			return err
		},
		func() error {
			_, err := one.Brandings.Update(t.Context(), account.ID, anEvent("b", noon, domain.SecurityBranding), func(*domain.Branding) error { return nil })
			return err
		},
	} {
		require.NoError(t, nothing())
	}
	require.Equal(t, []string{"taken"}, eventIDs(t, other, account), "nothing was there to remove")

	for _, name := range []string{"account", "webhook", "branding", "rotated", "replaced", "revoked", "mapping", "begun", "ended"} {
		event := anEvent(name, noon, domain.SecurityAccount)
		event.AccountID = "another account" // the store knows better
		require.NoError(t, changes[name](event), name)
		require.Contains(t, eventIDs(t, other, account), name)
	}
	require.Len(t, eventIDs(t, other, account), 1+len(changes))
	for name, change := range map[string]func(domain.SecurityEvent) error{"account": changes["account"], "webhook": changes["webhook"], "branding": changes["branding"]} {
		require.NoError(t, change(domain.SecurityEvent{}), name)
	}
	require.Len(t, eventIDs(t, other, account), 1+len(changes), "the zero event is none")
})

var _ = promises.add("old events are swept away", func(t *testing.T, one, other Storage) {
	account := created(t, one, "swept")
	for i, id := range []string{"old", "kept"} {
		e := anEvent(id, noon.Add(time.Duration(i-1)*time.Microsecond), domain.SecuritySignedIn)
		e.AccountID = account.ID
		require.NoError(t, one.Events.Add(t.Context(), e))
	}
	require.NoError(t, other.Sweep(t.Context(), ports.Expiry{}))
	require.Len(t, eventIDs(t, one, account), 2)
	require.NoError(t, other.Sweep(t.Context(), ports.Expiry{Events: noon}))
	require.Equal(t, []string{"kept"}, eventIDs(t, one, account))
})
