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

func anInvitation(account domain.Account, name string) domain.Invitation {
	return domain.Invitation{ID: "invitation-" + account.ID + name, AccountID: account.ID, Email: name + "@people.example", Role: domain.Accountant,
		Hash: sha256.Sum256([]byte(account.ID + name)), MadeAt: noon, Until: noon.Add(domain.InvitationLimit)}
}

// invite stores an invitation whose event has the invitation's id.
func invite(t *testing.T, s Storage, i domain.Invitation) error {
	return s.People.Invite(t.Context(), i, anEvent("event of "+i.ID, i.MadeAt, domain.SecurityInvited), domain.Mail{})
}

func invited(t *testing.T, s Storage, account domain.Account, name string) domain.Invitation {
	t.Helper()
	i := anInvitation(account, name)
	require.NoError(t, invite(t, s, i))
	return i
}

// accept accepts an invitation. The member and the session have the name in their ids.
func accept(t *testing.T, s Storage, i domain.Invitation, name string, confined bool) error {
	session := aSession(domain.Account{ID: i.AccountID}, name)
	session.Confined = confined
	return s.People.Accept(t.Context(), i.Hash, "member-"+i.AccountID+name, session,
		anEvent("added "+i.ID+name, noon, domain.SecurityMemberAdded), anEvent("signed in "+i.ID+name, noon, domain.SecuritySignedIn))
}

// joined makes a member of the account, with a session that is not confined.
func joined(t *testing.T, s Storage, account domain.Account, name string) (domain.Member, domain.Session) {
	t.Helper()
	i := invited(t, s, account, name)
	require.NoError(t, accept(t, s, i, name, false))
	session := aSession(account, name)
	session.MemberID = "member-" + account.ID + name
	return domain.Member{ID: session.MemberID, Email: i.Email, Role: i.Role, AddedAt: noon}, session
}

func peopleOf(t *testing.T, s Storage, account domain.Account, at time.Time) ([]domain.Member, []domain.Invitation) {
	t.Helper()
	members, open := only.Both(s.People.List(t.Context(), account.ID, at))(t)
	return members, open
}

var _ = promises.add("a member's session has their role", func(t *testing.T, one, other Storage) {
	account := created(t, one, "joined")
	member, session := joined(t, one, account, "ravi")
	found := only.Value(other.Sessions.Find(t.Context(), session.Hash))(t)
	require.Equal(t, ports.SignedIn{Session: session, Account: account, Email: "ravi@people.example", Role: domain.Accountant}, found)
	members, open := peopleOf(t, other, account, noon)
	require.Equal(t, []domain.Member{member}, members)
	require.Empty(t, open)

	again := aSession(account, "again")
	again.MemberID, again.Confined = member.ID, true
	require.NoError(t, other.Sessions.Begin(t.Context(), again, "", time.Time{}, domain.SecurityEvent{}))
	found = only.Value(one.Sessions.Find(t.Context(), again.Hash))(t)
	require.Equal(t, again, found.Session)

	neighbour := created(t, one, "neighbour")
	theirs, unknown := aSession(neighbour, "theirs"), aSession(account, "unknown")
	theirs.MemberID, unknown.MemberID = member.ID, "nobody"
	for _, session := range []domain.Session{theirs, unknown} {
		err := one.Sessions.Begin(t.Context(), session, "", time.Time{}, anEvent(session.ID, noon, domain.SecuritySignedIn))
		require.ErrorIs(t, err, domain.ErrNotMember, "a member is one account's")
		requireNoSession(t, other, session)
	}
	require.Empty(t, eventIDs(t, one, neighbour))
})

var _ = promises.add("a person's accounts are listed", func(t *testing.T, one, other Storage) {
	ctx := t.Context()
	list := func(s Storage, email string) (all []ports.Membership) {
		all = only.Value(s.People.WorksFor(ctx, email))(t)
		return all
	}
	own, first, second := created(t, one, "person"), created(t, one, "first"), created(t, one, "second")
	require.Empty(t, list(one, "nobody@shop.example"))
	require.Equal(t, []ports.Membership{{Account: own, Role: domain.Owner, Proven: true}}, list(one, own.Email))
	member := func(account domain.Account, name string, at time.Time, confined bool) ports.Membership {
		i := anInvitation(account, name)
		i.Email = own.Email
		require.NoError(t, invite(t, one, i))
		session := aSession(account, name)
		session.CreatedAt, session.Confined = at, confined
		require.NoError(t, other.People.Accept(ctx, i.Hash, "member "+name, session, domain.SecurityEvent{}, domain.SecurityEvent{}))
		return ports.Membership{Account: account, MemberID: "member " + name, Role: domain.Accountant, Proven: !confined}
	}
	b, a := member(second, "b", noon.Add(time.Minute), true), member(first, "a", noon, true)
	require.Equal(t, []ports.Membership{{Account: own, Role: domain.Owner, Proven: true}, a, b}, list(other, own.Email), "confined sessions are nobody's last")

	begin := func(account domain.Account, name, memberID string) {
		session := aSession(account, name)
		session.MemberID = memberID
		require.NoError(t, one.Sessions.Begin(ctx, session, "", time.Time{}, domain.SecurityEvent{}))
	}
	begin(second, "of b", b.MemberID)
	b.Last, b.Proven = true, true
	require.Equal(t, []ports.Membership{{Account: own, Role: domain.Owner, Proven: true}, a, b}, list(other, own.Email))
	begin(own, "own", "")
	b.Last = false
	require.Equal(t, []ports.Membership{{Account: own, Role: domain.Owner, Last: true, Proven: true}, a, b}, list(other, own.Email))
	require.NoError(t, only.Err(other.Sessions.EndAll(ctx, second.ID, ports.SessionScope{}, domain.SecurityEvent{})))
	require.Equal(t, []ports.Membership{{Account: own, Role: domain.Owner, Last: true, Proven: true}, a, b}, list(other, own.Email), "who was proven stays so")
	require.Empty(t, list(one, "Person@shop.example"), "addresses are compared byte for byte")
	begin(second, "of b once more", b.MemberID)
	require.NoError(t, one.People.Remove(ctx, second.ID, b.MemberID, domain.SecurityEvent{}, domain.SecurityEvent{}))
	require.Equal(t, []ports.Membership{{Account: own, Role: domain.Owner, Proven: true}, a}, list(other, own.Email))
})

var _ = promises.add("an invitation comes back as it was stored", func(t *testing.T, one, other Storage) {
	ctx := t.Context()
	account, neighbour := created(t, one, "inviting"), created(t, one, "neighbour")
	first, second := invited(t, one, account, "b"), invited(t, one, account, "a")
	theirs := invited(t, one, neighbour, "a")
	for _, want := range []domain.Invitation{first, second, theirs} {
		found, inviting := only.Both(other.People.Find(ctx, want.Hash))(t)
		require.Equal(t, want, found)
		require.Equal(t, want.AccountID, inviting.ID)
		require.Equal(t, want, only.Value(other.People.ByID(ctx, want.ID))(t))
	}
	_, open := peopleOf(t, other, account, noon)
	require.ElementsMatch(t, []domain.Invitation{first, second}, open)
	_, open = peopleOf(t, other, account, first.Until)
	require.Empty(t, open, "its time is over")
	require.ErrorIs(t, only.Err2(one.People.Find(ctx, domain.InvitationHash{1})), domain.ErrInvitation)
	require.ErrorIs(t, only.Err(one.People.ByID(ctx, "unknown")), domain.ErrInvitation)

	own := anInvitation(account, "own")
	own.Email = account.Email
	require.ErrorIs(t, invite(t, one, own), domain.ErrOwnAddress)
	require.ErrorIs(t, invite(t, one, anInvitation(anAccount("unknown"), "x")), domain.ErrNoAccount)
	require.Len(t, eventIDs(t, one, account), 2)
})

var _ = promises.add("an invitation is sent with its mail", func(t *testing.T, one, other Storage) {
	ctx := t.Context()
	account := created(t, one, "mailing")
	i := anInvitation(account, "mailed")
	mail := domain.Mail{ID: "mail", AccountID: account.ID, Kind: domain.MailInvitation, Period: i.ID, CreatedAt: noon}
	require.NoError(t, one.People.Invite(ctx, i, domain.SecurityEvent{}, mail))
	require.Equal(t, []string{"mail"}, mailJobs(t, other))
	require.NoError(t, one.Mails.Choose(ctx, account.ID, func(c *domain.MailChoice) { c.NoAlerts, c.NoDigest = true, true }))
	found, _, err := other.Mails.Find(ctx, "mail")
	require.NoError(t, err, "whoever is invited has not chosen anything")
	require.Equal(t, mail, found)
	again := anInvitation(account, "again")
	require.Error(t, one.People.Invite(ctx, again, domain.SecurityEvent{}, mail), "the mail cannot be stored")
	require.ErrorIs(t, only.Err(other.People.ByID(ctx, again.ID)), domain.ErrInvitation, "an invitation is stored with its mail or not at all")
})

var _ = promises.add("an invitation takes the place of the former one", func(t *testing.T, one, other Storage) {
	account := created(t, one, "again")
	first := invited(t, one, account, "first")
	second := anInvitation(account, "second")
	second.Email, second.Role = first.Email, domain.Reader
	require.NoError(t, invite(t, other, second))
	require.ErrorIs(t, accept(t, one, first, "by the first", false), domain.ErrInvitation)
	_, open := peopleOf(t, one, account, noon)
	require.Equal(t, []domain.Invitation{second}, open)
	require.NoError(t, accept(t, one, second, "by the second", false))
	third := anInvitation(account, "third")
	third.Email = first.Email
	require.ErrorIs(t, invite(t, one, third), domain.ErrMemberExists)
})

var _ = promises.add("an invitation is accepted once", func(t *testing.T, one, other Storage) {
	account := created(t, one, "once")
	i := invited(t, one, account, "i")
	require.NoError(t, accept(t, one, i, "first", false))
	require.ErrorIs(t, accept(t, other, i, "second", false), domain.ErrInvitation)
	requireNoSession(t, one, aSession(account, "second"))
	require.ErrorIs(t, only.Err2(other.People.Find(t.Context(), i.Hash)), domain.ErrInvitation)
	events := only.Value(other.Events.Latest(t.Context(), account.ID, many))(t)
	var added []string
	for _, e := range events {
		if e.Kind == domain.SecurityMemberAdded {
			added = append(added, e.Detail)
		}
	}
	require.Equal(t, []string{"accountant"}, added, "the detail is the role")
	require.Len(t, events, 3)

	taken := invited(t, one, account, "taken")
	require.Error(t, accept(t, one, taken, "first", false), "the member cannot be stored")
	require.NoError(t, only.Err2(one.People.Find(t.Context(), taken.Hash)), "an invitation is accepted with its member or not at all")
})

var _ = promises.add("one of many acceptances of an invitation succeeds", func(t *testing.T, one, other Storage) {
	account := created(t, one, "parallel")
	i := invited(t, one, account, "i")
	which := Succeeded(t, InParallel(one, other, func(s Storage, n int) error { return accept(t, s, i, runID(n), n%3 == 0) }), domain.ErrInvitation)
	require.Len(t, which, 1)
	members, open := peopleOf(t, one, account, noon)
	require.Len(t, members, 1)
	require.Empty(t, open)
	for n := range many {
		_, err := other.Sessions.Find(t.Context(), aSession(account, runID(n)).Hash)
		require.Equal(t, n == which[0], err == nil)
	}
})

var _ = promises.add("an invitation is not accepted when its time is over", func(t *testing.T, one, _ Storage) {
	account := created(t, one, "over")
	late, soon := anInvitation(account, "late"), anInvitation(account, "soon")
	late.Until, soon.Until = noon, noon.Add(time.Microsecond)
	require.NoError(t, invite(t, one, late))
	require.NoError(t, invite(t, one, soon))
	require.ErrorIs(t, accept(t, one, late, "late", false), domain.ErrInvitation)
	require.NoError(t, accept(t, one, soon, "soon", false))
	elsewhere := invited(t, one, created(t, one, "elsewhere"), "x")
	elsewhere.AccountID = account.ID
	require.ErrorIs(t, accept(t, one, elsewhere, "x", false), domain.ErrInvitation, "it is another account's")
})

var _ = promises.add("the limit of people is exact", func(t *testing.T, one, other Storage) {
	account := created(t, one, "many")
	// Enough days before that they do not count as invitations of the day.
	before := func(n, days int) domain.Invitation {
		i := anInvitation(account, fmt.Sprint("p", n))
		i.MadeAt = noon.Add(-time.Duration(days) * domain.InvitationSpan)
		return i
	}
	over := anInvitation(account, "over")
	over.MadeAt, over.Until = noon.Add(-10*domain.InvitationSpan), noon
	require.NoError(t, invite(t, one, over), "an invitation whose time is over does not count")
	for n := range domain.MaxPeople - 5 {
		require.NoError(t, invite(t, one, before(n, 6-n/domain.MaxInvitations)))
		if n%2 == 0 {
			require.NoError(t, accept(t, one, before(n, 0), fmt.Sprint("p", n), false))
		}
	}
	which := Succeeded(t, InParallel(one, other, func(s Storage, n int) error { return invite(t, s, anInvitation(account, fmt.Sprint("q", n))) }), domain.ErrPeople)
	require.Len(t, which, 5)
	members, open := peopleOf(t, other, account, noon)
	require.Equal(t, domain.MaxPeople, len(members)+len(open))
	require.NoError(t, one.People.Remove(t.Context(), account.ID, members[0].ID, domain.SecurityEvent{}, domain.SecurityEvent{}))
	require.NoError(t, invite(t, other, anInvitation(account, "room")))
	require.ErrorIs(t, invite(t, other, anInvitation(account, "no room")), domain.ErrPeople)
	replaced := anInvitation(account, "in place")
	replaced.Email = "room@people.example"
	require.NoError(t, invite(t, other, replaced), "the former one of the address does not count")
})

var _ = promises.add("the limit of invitations is exact", func(t *testing.T, one, other Storage) {
	ctx := t.Context()
	account, neighbour := created(t, one, "daily"), created(t, one, "neighbour")
	early := anInvitation(account, "early")
	early.MadeAt = noon.Add(-domain.InvitationSpan)
	require.NoError(t, invite(t, one, early), "it stops counting exactly a day later")
	refusal := domain.ErrInvitations(0)
	errs := inParallel(beyondLimits, one, other, func(s Storage, n int) error {
		i := anInvitation(account, fmt.Sprint(n))
		if err := invite(t, s, i); err != nil {
			return err
		}
		return s.People.Remove(ctx, account.ID, i.ID, domain.SecurityEvent{}, domain.SecurityEvent{At: noon})
	})
	require.Len(t, Succeeded(t, errs, refusal), domain.MaxInvitations, "one that was withdrawn counts too")
	later := anInvitation(account, "later")
	later.MadeAt = noon.Add(domain.InvitationSpan - time.Minute)
	err := invite(t, other, later)
	require.Equal(t, domain.ErrInvitations(time.Minute), err)
	later.MadeAt = noon.Add(domain.InvitationSpan)
	require.NoError(t, invite(t, other, later))
	require.NoError(t, invite(t, other, anInvitation(neighbour, "theirs")))
})

var _ = promises.add("a member's role is changed", func(t *testing.T, one, other Storage) {
	ctx := t.Context()
	account, neighbour := created(t, one, "roles"), created(t, one, "neighbour")
	member, session := joined(t, one, account, "ravi")
	open := invited(t, one, account, "open")
	event := anEvent("changed", noon, domain.SecurityMemberChanged)
	before := eventIDs(t, one, account)
	for _, id := range []string{member.ID, open.ID} {
		require.ErrorIs(t, other.People.ChangeRole(ctx, neighbour.ID, id, domain.Owner, event), domain.ErrNoMember)
		require.NoError(t, other.People.ChangeRole(ctx, account.ID, id, domain.Accountant, event), "nothing changes")
	}
	require.ErrorIs(t, other.People.ChangeRole(ctx, account.ID, "unknown", domain.Owner, event), domain.ErrNoMember)
	require.ErrorIs(t, other.People.ChangeRole(ctx, "unknown", member.ID, domain.Owner, event), domain.ErrNoMember)
	require.Equal(t, before, eventIDs(t, one, account))

	require.NoError(t, other.People.ChangeRole(ctx, account.ID, member.ID, domain.Reader, event))
	require.Equal(t, domain.Reader, only.Value(one.Sessions.Find(ctx, session.Hash))(t).Role)
	event.ID = "changed too"
	require.NoError(t, other.People.ChangeRole(ctx, account.ID, open.ID, domain.Owner, event))
	_, invitations := peopleOf(t, one, account, noon)
	open.Role = domain.Owner
	require.Equal(t, []domain.Invitation{open}, invitations)
	require.Len(t, eventIDs(t, one, account), len(before)+2)
	event.At = open.Until
	require.ErrorIs(t, other.People.ChangeRole(ctx, account.ID, open.ID, domain.Reader, event), domain.ErrNoMember, "its time is over")
})

var _ = promises.add("a removed member is out", func(t *testing.T, one, other Storage) {
	ctx := t.Context()
	account, neighbour := created(t, one, "removed"), created(t, one, "neighbour")
	member, session := joined(t, one, account, "ravi")
	kept := begun(t, one, account, "kept")
	open := invited(t, one, account, "open")
	gone, withdrawn := anEvent("gone", noon, domain.SecurityMemberGone), anEvent("withdrawn", noon, domain.SecurityUninvited)
	for _, id := range []string{member.ID, open.ID} {
		require.ErrorIs(t, one.People.Remove(ctx, neighbour.ID, id, gone, withdrawn), domain.ErrNoMember)
		require.NoError(t, other.People.Remove(ctx, account.ID, id, gone, withdrawn))
		require.ErrorIs(t, other.People.Remove(ctx, account.ID, id, gone, withdrawn), domain.ErrNoMember)
	}
	require.ErrorIs(t, other.People.Remove(ctx, "unknown", member.ID, gone, withdrawn), domain.ErrNoMember)
	requireNoSession(t, one, session)
	require.NoError(t, only.Err(one.Sessions.Find(ctx, kept.Hash)))
	require.ErrorIs(t, accept(t, one, open, "too late", false), domain.ErrInvitation)
	events := only.Value(one.Events.Latest(ctx, account.ID, domain.SecurityLogLength))(t)
	details := map[string]string{}
	for _, e := range events {
		details[e.ID] = e.Detail
	}
	require.Equal(t, "accountant", details["gone"])
	require.Equal(t, "accountant", details["withdrawn"])
	require.Empty(t, only.Value(one.People.WorksFor(ctx, member.Email))(t))
})

// Of sessions that a member begins while they are removed, none is left.
var _ = promises.add("a removal and a sign-in at once", func(t *testing.T, one, other Storage) {
	ctx := t.Context()
	account := created(t, one, "crossing")
	member, _ := joined(t, one, account, "ravi")
	errs := InParallel(one, other, func(s Storage, i int) error {
		if i == many/2 {
			return s.People.Remove(ctx, account.ID, member.ID, domain.SecurityEvent{}, domain.SecurityEvent{})
		}
		session := aSession(account, runID(i))
		session.MemberID = member.ID
		return s.Sessions.Begin(ctx, session, "", time.Time{}, domain.SecurityEvent{})
	})
	Succeeded(t, errs, domain.ErrNotMember)
	require.NoError(t, errs[many/2])
	for i := range many {
		requireNoSession(t, other, aSession(account, runID(i)))
	}
})

var _ = promises.add("an acceptance and a withdrawal at once", func(t *testing.T, one, other Storage) {
	ctx := t.Context()
	for round := range 4 {
		account := created(t, one, fmt.Sprint("round", round))
		i := invited(t, one, account, "i")
		errs := InParallel(one, other, func(s Storage, n int) error {
			var err error
			if n%2 == 0 {
				err = accept(t, s, i, runID(n), false)
			} else if err = s.People.Remove(ctx, account.ID, i.ID, domain.SecurityEvent{}, domain.SecurityEvent{At: noon}); err != nil {
				require.ErrorIs(t, err, domain.ErrNoMember)
				err = domain.ErrInvitation
			}
			return err
		})
		which := Succeeded(t, errs, domain.ErrInvitation)
		require.Len(t, which, 1, "it is accepted or withdrawn")
		members, open := peopleOf(t, one, account, noon)
		require.Empty(t, open)
		require.Equal(t, which[0]%2 == 0, len(members) == 1)
	}
})

var _ = promises.add("a person's sessions end everywhere or here", func(t *testing.T, one, other Storage) {
	ctx := t.Context()
	own, elsewhere := created(t, one, "person"), created(t, one, "elsewhere")
	i := anInvitation(elsewhere, "x")
	i.Email = own.Email
	require.NoError(t, invite(t, one, i))
	require.NoError(t, accept(t, one, i, "x", true))
	mine, theirs := begun(t, one, own, "mine"), begun(t, one, elsewhere, "theirs")
	_, colleague := joined(t, one, own, "colleague")
	joinedSession := aSession(elsewhere, "x")
	event := func(id string) domain.SecurityEvent { return anEvent(id, noon, domain.SecuritySignedOut) }

	ended := only.Value(other.Sessions.EndAll(ctx, own.ID, ports.SessionScope{Email: own.Email}, event("here")))(t)
	require.Equal(t, 1, ended)
	requireNoSession(t, one, mine)
	require.NoError(t, only.Err(one.Sessions.Find(ctx, joinedSession.Hash)), "it is another account's")

	mine = begun(t, one, own, "mine once more")
	ended = only.Value(other.Sessions.EndAll(ctx, elsewhere.ID, ports.SessionScope{Email: own.Email}, event("there")))(t)
	require.Equal(t, 1, ended)
	requireNoSession(t, one, joinedSession)

	again := aSession(elsewhere, "again")
	again.MemberID = "member-" + elsewhere.ID + "x"
	require.NoError(t, one.Sessions.Begin(ctx, again, "", time.Time{}, domain.SecurityEvent{}))
	ended = only.Value(other.Sessions.EndAll(ctx, own.ID, ports.SessionScope{Email: own.Email, Anywhere: true}, event("anywhere")))(t)
	require.Equal(t, 2, ended)
	requireNoSession(t, one, mine, again)
	for _, session := range []domain.Session{theirs, colleague} {
		require.NoError(t, only.Err(one.Sessions.Find(ctx, session.Hash)), "it is another person's")
	}
	ended = only.Value(other.Sessions.EndAll(ctx, own.ID, ports.SessionScope{}, event("everybody")))(t)
	require.Equal(t, 1, ended)
	requireNoSession(t, one, colleague)
	require.Contains(t, eventIDs(t, one, own), "anywhere")
	require.Contains(t, eventIDs(t, one, elsewhere), "there")
})

// signUp makes an account as people make them for themselves.
func signUp(t *testing.T, s Storage, a domain.Account, id, client string, at time.Time) error {
	a.ID, a.CreatedAt = "account-"+id, at
	return s.Accounts.SignUp(t.Context(), a, client, domain.Rate{Limit: 4, Span: time.Hour}, domain.Rate{Limit: 10, Span: domain.InvitationSpan},
		anEvent("signed up "+id, at, domain.SecuritySignedUp))
}

var _ = promises.add("one of many sign-ups of a person makes an account", func(t *testing.T, one, other Storage) {
	which := Succeeded(t, InParallel(one, other, func(s Storage, n int) error { return signUp(t, s, anAccount("up"), runID(n), "one client", noon) }), domain.ErrAccountTaken)
	require.Len(t, which, 1)
	account := AccountOf(t, one, "up@shop.example")
	require.Equal(t, "account-"+runID(which[0]), account.ID)
	require.Equal(t, []string{"signed up " + runID(which[0])}, eventIDs(t, other, account))
	for n := range 3 {
		require.NoError(t, signUp(t, one, anAccount(fmt.Sprint("up", n)), fmt.Sprint("up", n), "one client", noon), "those that were refused do not count")
	}
	require.Equal(t, domain.ErrRate(time.Hour), signUp(t, other, anAccount("over"), "over", "one client", noon))
	require.Equal(t, domain.ErrRate(time.Microsecond), signUp(t, other, anAccount("over"), "over", "one client", noon.Add(time.Hour-time.Microsecond)))
	require.NoError(t, signUp(t, other, anAccount("over"), "over", "one client", noon.Add(time.Hour)))
})

var _ = promises.add("sign-ups by a clock that was ahead count towards no limit", func(t *testing.T, one, other Storage) {
	for n := range 4 {
		require.NoError(t, signUp(t, one, anAccount(fmt.Sprint("ahead", n)), fmt.Sprint("ahead", n), "one client", noon.Add(3*time.Hour)))
	}
	require.NoError(t, signUp(t, other, anAccount("set"), "set back", "one client", noon))
})

var _ = promises.add("the limit of sign-ups is exact", func(t *testing.T, one, other Storage) {
	require.NoError(t, signUp(t, one, anAccount("early"), "early", "early", noon.Add(-domain.InvitationSpan)))
	created(t, one, "by an operator")
	errs := InParallel(one, other, func(s Storage, n int) error {
		err := signUp(t, s, anAccount(runID(n)), runID(n), fmt.Sprint(n%3), noon)
		if errors.Is(err, domain.ErrRate(0)) {
			return domain.ErrSignUps
		}
		return err
	})
	which := Succeeded(t, errs, domain.ErrSignUps)
	require.Len(t, which, 10)
	for client := range 3 {
		own := 0
		for _, n := range which {
			if n%3 == client {
				own++
			}
		}
		require.LessOrEqual(t, own, 4)
	}
	for n := range many {
		_, err := other.Accounts.ByEmail(t.Context(), runID(n)+"@shop.example")
		if err != nil {
			require.ErrorIs(t, err, domain.ErrNoAccount, "nothing is left of an account that was not let in")
			require.NotContains(t, which, n)
		}
	}
	require.ErrorIs(t, signUp(t, one, anAccount("next"), "next", "another", noon.Add(domain.InvitationSpan-time.Microsecond)), domain.ErrSignUps)
	require.NoError(t, signUp(t, one, anAccount("next"), "next", "another", noon.Add(domain.InvitationSpan)))
	require.NoError(t, other.Sweep(t.Context(), ports.Expiry{SignUps: noon.Add(time.Microsecond)}))
	require.NoError(t, signUp(t, one, anAccount("late"), "late", "late", noon), "what was swept is forgotten")
})

var _ = promises.add("ended invitations are swept away", func(t *testing.T, one, other Storage) {
	account := created(t, one, "swept")
	old, kept := anInvitation(account, "old"), anInvitation(account, "kept")
	old.Until, kept.Until = noon.Add(-time.Microsecond), noon
	old.MadeAt, kept.MadeAt = noon.Add(-domain.InvitationLimit), noon.Add(-domain.InvitationLimit)
	require.NoError(t, invite(t, one, old))
	require.NoError(t, invite(t, one, kept))
	require.NoError(t, other.Sweep(t.Context(), ports.Expiry{}), "a zero time deletes nothing")
	require.NoError(t, only.Err(one.People.ByID(t.Context(), old.ID)))
	require.NoError(t, other.Sweep(t.Context(), ports.Expiry{Invitations: noon}))
	require.ErrorIs(t, only.Err(one.People.ByID(t.Context(), old.ID)), domain.ErrInvitation)
	require.NoError(t, only.Err(one.People.ByID(t.Context(), kept.ID)))
})
