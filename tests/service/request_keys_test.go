package service

import (
	"bytes"
	"encoding/json"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"milaan/domain"
)

const keyReused = "this Idempotency-Key stands for another request"

// TestRequestKeys holds what an Idempotency-Key does (guide: limits 4).
func TestRequestKeys(t *testing.T) {
	t.Parallel()
	s := Start(t, Options{Settings: OnLoopback})
	t.Run("the same request under the same key is answered again and not done again", func(t *testing.T) {
		c, e := s.Customer(t, OnPlan(domain.Enterprise)), NewEndpoint(t, nil)
		c.Watch(t, e)
		before := s.Runs(t)
		first := c.Keyed(t, "/reconcile", "k", EightFlags())
		require.Nil(t, first.Run(t).Duplicate)
		require.NotEmpty(t, first.Header.Get("X-Run-Id"))
		s.Clock.Advance(domain.RequestKeySpan - time.Microsecond)
		c.Change(t, func(a *domain.Account) { none := 0; a.RunCap = &none })
		c.Keyed(t, "/reconcile", "k", EightFlags()).Repeats(t, first)
		spelled, err := json.MarshalIndent(EightFlags().With("unknown", 7).With("brand", nil).With("columns", nil), " ", "\t")
		require.NoError(t, err)
		spelled = bytes.Replace(spelled, []byte("AWB1001"), []byte(`\u0041WB1001`), 1)
		c.KeyedText(t, "/reconcile", " k ", spelled).Repeats(t, first)
		require.Equal(t, before+1, s.Runs(t))
		require.Len(t, c.Deliveries(t), 1, "it is announced once")
		require.Len(t, e.Calls(), 1)
		c.Keyed(t, "/reconcile", "K", EightFlags()).Refused(t, 429, "Run limit of 0/month reached")

		s.Clock.Advance(time.Microsecond)
		c.Keyed(t, "/reconcile", "k", EightFlags()).Refused(t, 429, "Run limit of 0/month reached")
		c.Change(t, func(a *domain.Account) { a.RunCap = nil })
		afresh := c.Keyed(t, "/reconcile", "k", Named("after 24 h the key is free"))
		require.Nil(t, afresh.Run(t).Duplicate)
	})
	t.Run("a batch is taken once under a key", func(t *testing.T) {
		c, e := s.Customer(t), NewEndpoint(t, nil)
		jobs := Jobs(Named("one"), Named("two")).With("webhook_url", e.URL)
		first := c.Keyed(t, "/reconcile/batch", "k", jobs)
		receipt := first.Accepted(t)
		c.Await(t, receipt.BatchID, domain.BatchComplete)
		again := func() {
			a := c.Keyed(t, "/reconcile/batch", "k", jobs)
			want := AcceptedBatch{OK: true, BatchID: receipt.BatchID, Jobs: 2, Status: "complete", Estimate: new(int64(0))}
			require.Equal(t, want, a.Accepted(t))
			require.Equal(t, first.Header.Get("Location"), a.Header.Get("Location"))
		}
		again()
		s.Clock.Advance(domain.RequestKeySpan - time.Second)
		require.NoError(t, s.Housekeep.Sweep(t.Context()))
		again()
		require.Len(t, s.Query(t, "SELECT id FROM batches WHERE account_id = '"+c.ID(t)+"'"), 1)
		require.Len(t, s.Query(t, "SELECT id FROM runs WHERE account_id = '"+c.ID(t)+"'"), 2)
		c.Deliveries(t)
		require.Len(t, e.Calls(), 1)
		s.Clock.Advance(time.Second)
		a := c.Keyed(t, "/reconcile/batch", "k", jobs)
		require.Equal(t, http.StatusAccepted, a.Status)
		require.NotEqual(t, first.Header.Get("Location"), a.Header.Get("Location"))
	})
	t.Run("a repeat saves no mapping", func(t *testing.T) {
		c := s.Customer(t, OnPlan(domain.Enterprise))
		byValue := Small().With("courierName", "delhivery").With("courier", byOrderValue)
		first := c.Keyed(t, "/reconcile", "k", byValue)
		require.Equal(t, "400", paid(t, c, "AWB No,COD Amount,Remittance Date\nAWB1001,400,2026-10-10\n"), "a report of other columns comes between")
		c.Keyed(t, "/reconcile", "k", byValue).Repeats(t, first)
		require.Equal(t, "400", paid(t, c, byBoth), "and its columns are the saved ones")
	})
}

// TestDuplicates holds section 2.2: identical runs within 30 s.
func TestDuplicates(t *testing.T) {
	t.Parallel()
	s := Start(t, Options{})
	duplicate := func(t *testing.T, c *Customer, b Body) bool {
		t.Helper()
		return c.Run(t, b).Duplicate != nil
	}
	c := s.Customer(t)
	require.False(t, duplicate(t, c, Small()))
	require.True(t, duplicate(t, c, Small()))
	s.Clock.Advance(30 * time.Second)
	require.True(t, duplicate(t, c, Small()))
	s.Clock.Advance(time.Microsecond)
	require.False(t, duplicate(t, c, Small()))
}
