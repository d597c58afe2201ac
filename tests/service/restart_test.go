package service

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"milaan/config"
	"milaan/domain"
)

// TestRestart holds that a service that is started again goes on where the last
// one stopped.
func TestRestart(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	start := func() *Service {
		return Start(t, Options{Settings: func(c *config.Config) {
			c.Storage.DataDir, c.Secrets.DataDir = folder, folder
		}})
	}
	before := start()
	blocked, capped, enterprise := before.Customer(t), before.Customer(t, Capped(1)), before.Customer(t, OnPlan(domain.Enterprise))
	blockedBy(t, blocked)
	first := capped.Reconcile(t, Small())
	require.Equal(t, "500", paid(t, enterprise, byOrderValue))
	session := capped.Session(t)
	before.Stop()

	after := start()
	a := after.Reconcile(t, blocked.Key, Small())
	a.Refused(t, 429, "Rate limit exceeded")
	require.Equal(t, "300", a.Header.Get("Retry-After"))
	require.Equal(t, first.Header.Get("X-Run-Id"), *after.Reconcile(t, capped.Key, Small()).Run(t).RunID)
	after.Reconcile(t, capped.Key, Named("other")).Refused(t, 429, "Run limit of 1/month reached")
	enterprise.service = after
	require.Equal(t, "500", paid(t, enterprise, byBoth))
	require.Equal(t, http.StatusOK, after.IssueKey(t, session).Status)
}
