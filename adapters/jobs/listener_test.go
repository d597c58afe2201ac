package jobs

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/riverqueue/river/riverdriver"
	"github.com/stretchr/testify/require"
)

// queried counts its queries, by which it hears nothing.
type queried struct {
	riverdriver.Listener
	queries int
}

func (q *queried) WaitForNotification(ctx context.Context) (*riverdriver.Notification, error) {
	for ctx.Err() == nil {
		q.queries++
		select {
		case <-ctx.Done():
		case <-time.After(50 * time.Millisecond):
		}
	}
	return nil, ctx.Err()
}

func TestSQLiteIsSeldomQueriedWhileNothingIsAdded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		db := NewDatabase(nil, nil)
		var q queried
		l := listener{Listener: &q, added: db.added}
		queries := func() int {
			before := q.queries
			ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
			defer cancel()
			heard, err := l.WaitForNotification(ctx)
			require.Nil(t, heard)
			require.ErrorIs(t, err, context.DeadlineExceeded)
			return q.queries - before
		}
		require.InDelta(t, 10, queries(), 1)
		db.added <- struct{}{}
		require.InDelta(t, 30, queries(), 3)
		require.InDelta(t, 10, queries(), 1)
	})
}
