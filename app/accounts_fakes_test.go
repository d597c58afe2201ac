package app_test

import (
	"context"
	"time"

	"milaan/domain"
	"milaan/ports"
)

// accountsBook is ports.Accounts in memory.
type accountsBook struct {
	byEmail map[string]domain.Account
	fault   error
}

func newAccountsBook(accounts ...domain.Account) *accountsBook {
	b := &accountsBook{byEmail: map[string]domain.Account{}}
	for _, a := range accounts {
		b.byEmail[a.Email] = a
	}
	return b
}

func (b *accountsBook) Create(_ context.Context, a domain.Account) error {
	if _, taken := b.byEmail[a.Email]; taken {
		return domain.ErrAccountTaken
	}
	b.byEmail[a.Email] = a
	return b.fault
}

func (b *accountsBook) ByEmail(_ context.Context, email string) (domain.Account, error) {
	a, found := b.byEmail[email]
	switch {
	case b.fault != nil:
		return domain.Account{}, b.fault
	case !found:
		return domain.Account{}, domain.ErrNoAccount
	}
	return a, nil
}

func (b *accountsBook) Update(ctx context.Context, email string, change func(*domain.Account) error) (domain.Account, error) {
	a, err := b.ByEmail(ctx, email)
	if err != nil {
		return domain.Account{}, err
	}
	if err := change(&a); err != nil {
		return domain.Account{}, err
	}
	b.byEmail[email] = a
	return a, nil
}

// keyRing is ports.Keys in memory for one account. It calls each decision
// twice, as a database may that asks for a transaction to be repeated.
type keyRing struct {
	account   domain.Account
	key       domain.APIKey // the active one
	window    domain.RateWindow
	looked    int // times that a key was looked up
	remembers int // times that a window was stored
	otherHash bool
}

func (r *keyRing) Present(_ context.Context, hash domain.KeyHash, decide func(ports.KeyUse) (domain.RateWindow, bool, error)) error {
	r.looked++
	if hash != r.key.Hash && !r.otherHash {
		return domain.ErrKey
	}
	use := ports.KeyUse{Key: r.key, Account: r.account, Window: r.window}
	_, _, _ = decide(use)
	next, changed, err := decide(use)
	if changed {
		r.window = next
		r.remembers++
	}
	return err
}

func (r *keyRing) Rotate(_ context.Context, key domain.APIKey) error {
	r.key = key
	return nil
}

// clockAt is a clock that stands until it is moved.
type clockAt struct{ now time.Time }

func (c *clockAt) time() time.Time { return c.now }

// proAccount may use the API.
func proAccount() domain.Account {
	return domain.Account{
		ID: "account-1", Email: "asha@shop.example", Plan: domain.Pro, Subscription: domain.SubscriptionActive,
		SubscribedOn: domain.DayFromDate(2026, time.January, 31), PlanSince: domain.DayFromDate(2026, time.January, 31),
		BillingDay: 31, PhoneVerified: true,
	}
}
