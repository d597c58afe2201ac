package domain_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"milaan/domain"
)

func TestTheStateOfABatchFollowsFromItsTimes(t *testing.T) {
	at := time.Date(2026, time.November, 21, 10, 0, 0, 0, time.UTC)
	for want, b := range map[domain.BatchState]domain.Batch{
		"queued":     {Jobs: 2, SubmittedAt: at},
		"processing": {Jobs: 2, SubmittedAt: at, StartedAt: at, Completed: 1},
		"complete":   {Jobs: 2, SubmittedAt: at, StartedAt: at, CompletedAt: at, Completed: 2},
	} {
		require.Equal(t, want, b.State())
	}
	never := domain.Batch{Jobs: 1, SubmittedAt: at, CompletedAt: at, Completed: 1, Dropped: true}
	require.Equal(t, domain.BatchComplete, never.State(), "a batch whose jobs were given up has never begun")
}

// Jobs are started round-robin by account. So of another account's long queue, only as many jobs come before
// a batch as this account has itself.
func TestWhatIsDoneBeforeABatch(t *testing.T) {
	waiting := map[string]domain.Waiting{
		"own":   {Jobs: 2, Bytes: 30},
		"long":  {Jobs: 400, Bytes: 4000},
		"short": {Jobs: 1, Bytes: 500},
	}
	require.EqualValues(t, 30+3*10+500, domain.Ahead(waiting, "own", 1))
	require.EqualValues(t, 30+22*10+500, domain.Ahead(waiting, "own", domain.MaxBatch))
	require.EqualValues(t, 10+500+15, domain.Ahead(waiting, "new", 1))
	require.EqualValues(t, 4000+500+30, domain.Ahead(waiting, "new", 1000))
	require.Zero(t, domain.Ahead(nil, "new", 1))
}
