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
