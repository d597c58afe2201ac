package service

import (
	"net/http"
	"slices"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
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
	t.Run("a batch is taken as a whole or not at all", func(t *testing.T) {
		c := s.Customer(t)
		c.Batch(t, Jobs(Named("good"), Small())).Refused(t, 400, "jobs[1].brand")
		c.Batch(t, Jobs(slices.Repeat([]Body{Named("good")}, 21)...)).Refused(t, 400, "jobs has more than 20 entries")
		c.Complete(t, Jobs(Named("another")))
		require.Len(t, s.Query(t, "SELECT id FROM runs WHERE brand = 'another'"), 1)
		require.Empty(t, s.Query(t, "SELECT id FROM runs WHERE brand = 'good'"))
	})
	t.Run("a batch is not held to the run cap, which is each job's own", func(t *testing.T) {
		capped := s.Customer(t, Capped(0))
		capped.Batch(t, Jobs(Small())).Refused(t, 400, "jobs[0].brand is missing")
		require.Equal(t, http.StatusAccepted, capped.Batch(t, Jobs(Named("b"))).Status)
	})
}
