package conformance

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"milaan/domain"
	"milaan/ports"
	"milaan/tests/only"
)

// Fill makes an account that has everything that is stored of accounts. Its name is in every
// id and text, sealed or not, so that none can be overlooked.
func Fill(t *testing.T, s Storage, name string) domain.Account {
	t.Helper()
	ctx := t.Context()
	account := enterprise(t, s, name)
	event := func(id string) domain.SecurityEvent { return anEvent(id+name, noon, domain.SecurityAccount) }
	require.NoError(t, s.Events.Add(ctx, domain.SecurityEvent{ID: "event" + name, AccountID: account.ID, At: noon, Kind: domain.SecurityAccount, Detail: name,
		Whom: name, By: domain.Actor{Way: domain.WayAPI, Name: name, Address: name}}))
	issued(t, s, account, name+"-former")
	key := issued(t, s, account, name)
	window := func(domain.RateWindow) (domain.RateWindow, bool) {
		return domain.RateWindow{Admitted: []time.Time{noon}}, true
	}
	require.NoError(t, s.Keys.Present(ctx, key.Hash, noon, func(ports.KeyUse) (domain.RateWindow, bool, error) {
		next, changed := window(domain.RateWindow{})
		return next, changed, nil
	}))
	require.NoError(t, s.Windows.Update(ctx, "status:"+account.ID, window))
	begun(t, s, account, name)
	joined(t, s, account, "colleague-"+name)
	invited(t, s, account, "invited-"+name)
	Change(t, s.Brandings, account.ID, func(b *domain.Branding) { b.Name, b.Footer = name, name })
	Change(t, s.Books, account.ID, func(b *domain.Books) { b.Bank, b.Difference = name, name })
	require.NoError(t, s.Mails.Choose(ctx, account.ID, func(c *domain.MailChoice) { c.NoDigest = true }))
	require.NoError(t, s.Mappings.Save(ctx, account.ID, aNamedMapping(name), false, domain.SecurityEvent{}))
	require.NoError(t, only.Err(s.Mails.Add(ctx, aMail(account, name))))

	run := aRun(account, "run-"+name, noon)
	run.Brand = name
	claim := taken(t, s, aClaim(account, "of a run", name))
	claim.RunID = run.ID
	delivery := aDelivery(account, "of-"+name)
	delivery.RunID = run.ID
	require.NoError(t, s.Write(ctx, account.ID, ports.Entry{Run: run, Event: delivery, Claim: claim, SavedAt: noon,
		Mappings: []ports.SavedMapping{{CourierName: "delhivery", Mapping: domain.Mapping{domain.RoleAWB: name}}}}))
	attempt := attempted(t, s, delivery.ID, noon)
	failed := failedAttempt(attempt.Number)
	failed.Failure = name
	require.NoError(t, s.Deliveries.Complete(ctx, delivery.ID, failed, domain.DeliveryPending))

	ofBatch := taken(t, s, aClaim(account, "of a batch", name))
	batch := domain.Batch{ID: "batch-" + name, AccountID: account.ID, WebhookURL: anEndpoint + name, Jobs: 2, SubmittedAt: noon}
	require.NoError(t, s.Batches.Submit(ctx, batch, requests(2), ofBatch))
	ended(t, s, account, anEnd(batch, 0))
	submitted(t, s, account, "open-"+name, anEndpoint, aRequest(0))
	taken(t, s, aClaim(account, "of nothing yet", name))

	connection := connected(t, s, account, name)
	changeConnection(t, s, connection, func(c *domain.Connection) { c.Brand, c.Failure = name, aFailure() })
	keeping(t, s, connection, name+".csv", "AWB\n"+name)
	ignoring(t, s, connection, name)
	kept(t, s, connection)
	pass := asked(t, s, connection, name)
	require.NoError(t, only.Err(s.Passes.Begin(ctx, pass.ID, noon)))
	require.NoError(t, s.Passes.StoreSnapshots(ctx, pass.ID, noon, map[string]domain.Snapshot{name: {Version: name, At: noon}}))
	end := anEndOf(pass, connection)
	end.Pass.RunID = ""
	end.Ledger = &ports.PassLedger{Since: noon, Text: []byte(name), Oldest: 1}
	require.NoError(t, s.Passes.End(ctx, end))
	mark(t, s, connection, aMark(name))
	asked(t, s, connection, name+"-open")
	verifiedPhone(t, s, account)
	putCode(t, s, account, name)
	billed := aBilled(account, name)
	billed.PlanID = name
	looked(t, s, billed, noon)
	require.NoError(t, starts(ctx, s, startOf(account, name, time.Hour), noon))
	require.NoError(t, s.Write(ctx, account.ID, ports.Entry{SandboxRun: noon}))
	changeAccountBy(t, s, account.Email, event("changed"))
	return AccountOf(t, s, account.Email)
}

func changeAccountBy(t *testing.T, s Storage, email string, event domain.SecurityEvent) {
	t.Helper()
	require.NoError(t, only.Err(s.Accounts.Update(t.Context(), email, event, func(a *domain.Account) error {
		a.OverdueDays++
		return nil
	})))
}

// addresses lists the accounts that a filter asks for.
func addresses(t *testing.T, s Storage, f ports.AccountFilter) (emails []string) {
	t.Helper()
	for account, err := range s.All.List(t.Context(), f) {
		require.NoError(t, err)
		emails = append(emails, account.Email)
	}
	return emails
}

var _ = promises.add("accounts are listed by their addresses", func(t *testing.T, one, other Storage) {
	ctx := t.Context()
	require.Empty(t, addresses(t, one, ports.AccountFilter{}))
	c, a, b := created(t, one, "c"), created(t, one, "a"), created(t, one, "b")
	b = Change(t, one.Accounts, b.Email, func(a *domain.Account) { a.Plan, a.Subscription = domain.Solo, domain.SubscriptionEnded })
	a = Change(t, one.Accounts, a.Email, func(a *domain.Account) { a.Plan = domain.Solo })
	all := other.All.List(ctx, ports.AccountFilter{})
	for range 2 {
		var found []domain.Account
		for account, err := range all {
			require.NoError(t, err)
			found = append(found, account)
		}
		require.Equal(t, []domain.Account{a, b, c}, found)
	}
	require.Equal(t, []string{a.Email, b.Email}, addresses(t, other, ports.AccountFilter{Plan: domain.Solo}))
	require.Equal(t, []string{a.Email, c.Email}, addresses(t, other, ports.AccountFilter{Subscription: domain.SubscriptionActive}))
	require.Equal(t, []string{b.Email}, addresses(t, other, ports.AccountFilter{Plan: domain.Solo, Subscription: domain.SubscriptionEnded}))
	for account, err := range all {
		require.NoError(t, err)
		require.Equal(t, a, account)
		break // whoever has seen enough reads no more
	}
	gone, leave := context.WithCancel(ctx)
	leave()
	for _, err := range one.All.List(gone, ports.AccountFilter{}) {
		require.ErrorIs(t, err, context.Canceled)
	}
})

var _ = promises.add("a deleted account leaves nothing", func(t *testing.T, one, other Storage) {
	ctx := t.Context()
	leaving, staying := Fill(t, one, "leaving"), Fill(t, other, "staying")
	require.NotEmpty(t, one.Rows(t, "leaving"))
	stays := other.Rows(t, "staying")
	require.NoError(t, one.All.Erase(ctx, leaving.ID))
	require.Empty(t, other.Rows(t, "leaving"))
	require.Equal(t, stays, other.Rows(t, "staying"), "what another account has is untouched")
	require.ErrorIs(t, one.All.Erase(ctx, leaving.ID), domain.ErrNoAccount)
	require.ErrorIs(t, one.All.Erase(ctx, "nobody"), domain.ErrNoAccount)
	require.ErrorIs(t, only.Err(other.Accounts.ByEmail(ctx, leaving.Email)), domain.ErrNoAccount)
	Fill(t, other, "leaving")
	require.NotNil(t, staying)
})

// An account is deleted while others store things for it: what comes before is deleted, and what
// comes after is refused.
var _ = promises.add("nothing is stored for an account that is deleted", func(t *testing.T, one, other Storage) {
	ctx := t.Context()
	for round := range 3 {
		name := fmt.Sprint("leaving", round)
		account := Fill(t, one, name)
		connection := ConnectionOf(t, one, domain.Connection{AccountID: account.ID, ID: aConnection(account, name).ID})
		key := aKey(account, name)
		store := []func(s Storage, id string) error{
			func(s Storage, id string) error {
				return s.Write(ctx, account.ID, announcement(account, aDelivery(account, id)))
			},
			func(s Storage, id string) error {
				b := domain.Batch{ID: id, AccountID: account.ID, Jobs: 1, SubmittedAt: noon}
				return s.Batches.Submit(ctx, b, requests(1), domain.RequestClaim{})
			},
			func(s Storage, id string) error {
				_, err := s.Claims.Take(ctx, aClaim(account, id, id))
				return err
			},
			func(s Storage, id string) error {
				d := domain.Delivery{ID: id, EventID: id, AccountID: account.ID, Kind: domain.TestDelivery, State: domain.DeliveryPending, CreatedAt: noon}
				return s.Deliveries.Add(ctx, d)
			},
			func(s Storage, id string) error {
				session := aSession(account, id)
				return s.Sessions.Begin(ctx, session, "", time.Time{}, anEvent("of-"+id, noon, domain.SecuritySignedIn))
			},
			func(s Storage, id string) error {
				return s.KeptFiles.Add(ctx, aFile(connection, id, id), []byte(id))
			},
			func(s Storage, id string) error {
				return s.ignore(t, anIgnored(connection, id), domain.SecurityEvent{})
			},
			func(s Storage, id string) error {
				return addMarks(ctx, s, connection, aMark(id))
			},
			func(s Storage, id string) error {
				return s.Ledgers.Switch(ctx, account.ID, connection.ID, false, noon, anEvent("off-"+id, noon, domain.SecurityConnection))
			},
			func(s Storage, id string) error {
				return s.Ledgers.Switch(ctx, account.ID, connection.ID, true, noon, anEvent("on-"+id, noon, domain.SecurityConnection))
			},
			func(s Storage, _ string) error {
				_, err := s.Passes.Schedule(ctx, noon.Add(time.Hour), domain.PassPeriod, 10)
				return err
			},
			func(s Storage, id string) error {
				_, err := s.Mails.Add(ctx, aMail(account, id))
				return err
			},
			func(s Storage, id string) error {
				return s.Keys.Rotate(ctx, aKey(account, id), anEvent("of-"+id, noon, domain.SecurityKeyIssued))
			},
			func(s Storage, id string) error {
				return s.Keys.Present(ctx, key.Hash, noon, func(u ports.KeyUse) (domain.RateWindow, bool, error) {
					return domain.RateWindow{Admitted: append(u.Window.Admitted, noon)}, true, nil
				})
			},
			func(s Storage, _ string) error {
				_, err := s.Deliveries.Attempt(ctx, "of-"+name, noon)
				return err
			},
		}
		errs := InParallel(one, other, func(s Storage, i int) error {
			if i == many/2 {
				return s.All.Erase(ctx, account.ID)
			}
			return store[i%len(store)](s, fmt.Sprint(name, "-", i))
		})
		require.NoError(t, errs[many/2])
		for i, err := range errs {
			if err != nil {
				require.True(t, refused(err), "%d: %v", i, err)
			}
		}
		require.Empty(t, other.Rows(t, name))
		for i, do := range store {
			if err := do(other, fmt.Sprint(name, "-after-", i)); err != nil {
				require.True(t, refused(err), "%d: %v", i, err)
			}
		}
		require.Empty(t, one.Rows(t, name))
	}
})

// Requests of an account are counted, each towards a rate of its own, while it is deleted.
var _ = promises.add("no window of a deleted account is stored", func(t *testing.T, one, other Storage) {
	ctx := t.Context()
	for range 5 {
		account := anAccount("windows")
		account.ID = uuid.NewString()
		require.NoError(t, one.Accounts.Create(ctx, account))
		count := func(s Storage, rate string) error {
			return s.Windows.Update(ctx, rate+":"+account.ID, func(w domain.RateWindow) (domain.RateWindow, bool) {
				return domain.RateWindow{Admitted: append(w.Admitted, noon)}, true
			})
		}
		errs := InParallel(one, other, func(s Storage, i int) error {
			if i == many/2 {
				return s.All.Erase(ctx, account.ID)
			}
			return count(s, fmt.Sprint(i/2))
		})
		require.NoError(t, errs[many/2])
		Succeeded(t, errs, domain.ErrNoAccount)
		require.ErrorIs(t, count(one, "later"), domain.ErrNoAccount)
		require.Empty(t, other.Rows(t, account.ID))
	}
})

// refused says whether an error is one that the ports promise for what is not there.
func refused(err error) bool {
	for _, promised := range []error{domain.ErrNoAccount, domain.ErrNoConnection, domain.ErrNoItems, domain.ErrNothingToDo, domain.ErrKey, domain.ErrNoRun, domain.ErrSession, domain.ErrPassRunning,
		domain.ErrOpenBatches} {
		if errors.Is(err, promised) {
			return true
		}
	}
	return false
}
