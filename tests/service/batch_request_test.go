package service

import (
	"bytes"
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"milaan/domain"
)

// TestBatchRequest holds what POST /reconcile/batch takes and refuses.
func TestBatchRequest(t *testing.T) {
	t.Parallel()
	s := Start(t, Options{})
	t.Run("a batch is answered at once with its receipt", func(t *testing.T) {
		a := s.Customer(t).Batch(t, Jobs(Named("one"), Named("two")))
		require.Len(t, fields(t, a.Body), 5)
		got := a.Accepted(t)
		require.True(t, got.OK)
		require.NoError(t, uuid.Validate(got.BatchID))
		require.Equal(t, 2, got.Jobs)
		require.Equal(t, "queued", got.Status)
		require.NotNil(t, got.Estimate)
		require.GreaterOrEqual(t, *got.Estimate, int64(0))
		require.Equal(t, "/status/"+got.BatchID, a.Header.Get("Location"))
	})
	t.Run("1 to 20 jobs", func(t *testing.T) {
		c := s.Customer(t, OnPlan(domain.Enterprise))
		twenty := make([]Body, 20)
		for i := range twenty {
			twenty[i] = Named(i)
		}
		require.Equal(t, 20, c.Submit(t, Jobs(twenty...)).Jobs)
		c.Batch(t, Jobs(append([]Body{Named(20)}, twenty...)...)).Refused(t, 400, "jobs has more than 20 entries")
		c.Batch(t, Body{"jobs": []Body{}}).Refused(t, 400, "jobs must have 1 to 20 entries: send at least one job")
		c.Batch(t, Body{}).Refused(t, 400, "jobs is missing: send an array of 1 to 20 jobs")
		c.Batch(t, Body{"jobs": nil}).Refused(t, 400, "jobs is missing")
		c.Batch(t, Body{"jobs": "x"}).Refused(t, 400, "jobs must be an array of 1 to 20 jobs, not a string")
	})
	t.Run("brand is required in every job", func(t *testing.T) {
		c := s.Customer(t)
		for _, job := range []Body{Small(), Named(""), Named(" \u00a0"), Small().With("brand", nil)} {
			c.Batch(t, Jobs(Named("good"), job)).Refused(t, 400, "jobs[1].brand is missing")
		}
	})
	t.Run("every job has the fields of POST reconcile under their rules", func(t *testing.T) {
		for _, job := range []Body{
			Named("b").Without("shopify"), Named("b").With("courier", ""), Named("b").With("courier", 5), Named("b").With("courierName", "pigeon"),
			Named("b").With("overdue_threshold_days", 31), Named("b").With("overdue_threshold_days", 7.5), Named("b").With("minor_gap_threshold", -1),
			Named("b").With("columns", Body{"awb": "AWB No"}), Named("b").With("courierName", "custom").With("columns", Body{"size": "AWB No"}),
			Named(strings.Repeat("b", 101)), Named("a\tb"),
		} {
			c := s.Customer(t)
			alone := c.Reconcile(t, job)
			require.Equal(t, http.StatusBadRequest, alone.Status)
			c.Batch(t, Jobs(job)).Refused(t, 400, "jobs[0]."+alone.Message())
		}
		c := s.Customer(t)
		report := c.Complete(t, Jobs(Named("b").With("overdue_threshold_days", json.Number("9.0")).With("minor_gap_threshold", nil).With("unknown", Body{})))
		require.Equal(t, 9, report.Results[0].Guidance.OffsetDays)
	})
	t.Run("a batch is taken as a whole or not at all", func(t *testing.T) {
		c := s.Customer(t)
		c.Batch(t, Jobs(Named("good"), Small())).Refused(t, 400, "jobs[1].brand")
		c.Complete(t, Jobs(Named("another")))
		require.Len(t, s.Query(t, "SELECT id FROM runs WHERE brand = 'another'"), 1)
		require.Empty(t, s.Query(t, "SELECT id FROM runs WHERE brand = 'good'"))
	})
	t.Run("the whole body is at most 25 MB", func(t *testing.T) {
		c := s.Customer(t)
		text, err := json.Marshal(Jobs(Named("b")))
		require.NoError(t, err)
		full := append(text, bytes.Repeat([]byte(" "), megabytes25-len(text))...)
		require.Equal(t, http.StatusAccepted, s.Post(t, "/reconcile/batch", c.Key, full).Status)
		s.Post(t, "/reconcile/batch", c.Key, append(full, ' ')).Refused(t, 413, "request body larger than 25 MB (26,214,400 bytes)")
	})
	t.Run("a batch counts as one request for the rate", func(t *testing.T) {
		c := s.Customer(t, OnPlan(domain.Enterprise))
		for i := range 10 {
			c.Submit(t, Jobs(Named(2*i), Named(2*i+1)))
		}
		a := c.Batch(t, Jobs(Named("b")))
		a.Refused(t, 429, "Rate limit exceeded")
		require.Equal(t, "300", a.Header.Get("Retry-After"))
		c.Reconcile(t, Small()).Refused(t, 429, "Rate limit exceeded")
	})
	t.Run("a batch is not held to the run cap, which is each job's own", func(t *testing.T) {
		capped := s.Customer(t, Capped(0))
		capped.Batch(t, Jobs(Small())).Refused(t, 400, "jobs[0].brand is missing")
		require.Equal(t, http.StatusAccepted, capped.Batch(t, Jobs(Named("b"))).Status)
	})
}
