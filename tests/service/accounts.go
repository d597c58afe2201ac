package service

import (
	"fmt"
	"net"
	"sync/atomic"
	"testing"
	"time"

	"github.com/oauth2-proxy/mockoidc"
	"github.com/stretchr/testify/require"

	"milaan/domain"
	"milaan/tests/only"
)

var customers atomic.Int64

// Customer is an account and, once one is issued, its key.
type Customer struct {
	Email string
	Key   string

	service *Service
}

// Account makes an account of plan Pro that may use the API, unless changed.
func (s *Service) Account(t testing.TB, changes ...func(*domain.Account)) *Customer {
	t.Helper()
	a := domain.Account{Email: fmt.Sprintf("owner%d@shop.example", customers.Add(1)), Plan: domain.Pro, PhoneVerified: true}
	for _, change := range changes {
		change(&a)
	}
	a = only.Value(s.Manage.Create(t.Context(), a))(t)
	return &Customer{Email: a.Email, service: s}
}

// Customer makes an account and issues its key.
func (s *Service) Customer(t testing.TB, changes ...func(*domain.Account)) *Customer {
	t.Helper()
	c := s.Account(t, changes...)
	c.Rotate(t)
	return c
}

// OnPlan changes the plan of an account that is being made.
func OnPlan(p domain.Plan) func(*domain.Account) { return func(a *domain.Account) { a.Plan = p } }

// Capped gives an account that is being made a cap of its own.
func Capped(runs int) func(*domain.Account) { return func(a *domain.Account) { a.RunCap = &runs } }

// Stored is the account as it is now.
func (c *Customer) Stored(t testing.TB) domain.Account {
	t.Helper()
	return only.Value(c.service.Manage.Show(t.Context(), c.Email))(t)
}

// Change alters the account, as the command line does.
func (c *Customer) Change(t testing.TB, change func(*domain.Account)) {
	t.Helper()
	_, err := c.service.Manage.Change(t.Context(), c.Email, domain.ByCommandLine, func(a *domain.Account, _ domain.Day) error {
		change(a)
		return nil
	})
	require.NoError(t, err)
}

// Session is a session token of the built-in issuer.
func (c *Customer) Session(t testing.TB) string {
	t.Helper()
	token := only.Value(c.service.Sign.Session(t.Context(), c.Email, time.Hour))(t)
	c.service.secrets.Store(token, true)
	return token
}

// Rotate issues a key as the dashboard does, and uses it from now on. It
// returns the answer.
func (c *Customer) Rotate(t testing.TB) IssuedKey {
	t.Helper()
	issued := answered[IssuedKey](t, c.service.IssueKey(t, c.Session(t)))
	c.Key = issued.Key
	return issued
}

// Reconcile sends a run with the customer's key.
func (c *Customer) Reconcile(t testing.TB, b Body) Answer {
	t.Helper()
	return c.service.Reconcile(t, c.Key, b)
}

// Run sends a run that must succeed.
func (c *Customer) Run(t testing.TB, b Body) Run {
	t.Helper()
	return c.Reconcile(t, b).Run(t)
}

// NewProvider starts an identity provider, which ends with the test.
func NewProvider(t testing.TB) *mockoidc.MockOIDC {
	t.Helper()
	provider := only.Value(mockoidc.NewServer(nil))(t)
	require.NoError(t, provider.Start(only.Value(net.Listen("tcp", "127.0.0.1:0"))(t), nil))
	t.Cleanup(func() { require.NoError(t, provider.Shutdown()) })
	return provider
}
