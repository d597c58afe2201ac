package service

import (
	"fmt"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"milaan/domain"
)

// A batch of the sandbox posts its results wherever its sender likes, also if all of its jobs
// fail, which uses up none of the account's runs.
func TestTheSandboxPostsLittle(t *testing.T) {
	t.Parallel()
	onSQLite(t, func(t *testing.T, db database) {
		s := Start(t, Options{DatabaseURL: db(t), Settings: OnLoopback})
		c, victim := s.Account(t, incomplete), NewEndpoint(t, nil)
		sandbox := c.Sandbox(t)
		taken, refused := 0, Answer{}
		for i := range domain.SandboxBatches + 10 {
			if i%domain.SandboxRate.Limit == 0 {
				s.Clock.Advance(domain.SandboxRate.Span)
			}
			a := sandbox.Batch(t, Jobs(Named("sandbox:500")).With("webhook_url", victim.URL))
			if a.Status != http.StatusAccepted {
				refused = a
				break
			}
			if taken++; taken%domain.SandboxRate.Limit == 0 {
				require.Eventually(t, func() bool { return len(victim.Calls()) == taken }, workTime, pause)
			}
		}
		require.Equal(t, domain.SandboxBatches, taken)
		refused.Refused(t, http.StatusTooManyRequests, "Rate limit exceeded")
		require.Equal(t, "true", refused.Header.Get("X-Sandbox"))
		sandbox.Run(t, Small())
		s.Clock.Advance(domain.SandboxBatchRate.Span)
		require.Equal(t, http.StatusAccepted, sandbox.Batch(t, Jobs(Named("sandbox:500"))).Status)
	})
}

// Each switch writes to the security log of the account that a person goes to: somebody who may
// only read must not be able to fill it.
func TestSwitchingHasARate(t *testing.T) {
	t.Parallel()
	onSQLite(t, func(t *testing.T, db database) {
		s := Start(t, Options{DatabaseURL: db(t)})
		own, other := s.Customer(t), s.Customer(t)
		require.Equal(t, http.StatusOK, s.Browser().accept(t, other.invited(t, own.Email, "reader")).Status)
		b := own.SignIn(t)
		ids := []string{other.id(t), own.id(t)}
		switchTo := func(i int) Answer {
			a := b.Send(t, http.MethodPost, "/app/api/account/switch", Body{"account_id": ids[i%2]})
			for _, cookie := range a.cookies() {
				b.cookie = fmt.Sprint(cookie.Name, "=", cookie.Value)
				s.secrets.Store(cookie.Value, true)
			}
			return a
		}
		for i := range domain.ChangeRate.Limit {
			require.Equal(t, http.StatusNoContent, switchTo(i).Status, i)
		}
		switchTo(0).RefusedPage(t, http.StatusTooManyRequests, "rate_limited", "")
		require.Equal(t, own.Email, b.works(t).Account.Email)
		s.Clock.Advance(domain.ChangeRate.Span)
		require.Equal(t, http.StatusNoContent, switchTo(0).Status)
	})
}
