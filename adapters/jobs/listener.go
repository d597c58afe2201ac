package jobs

import (
	"context"
	"errors"
	"time"

	"github.com/riverqueue/river/riverdriver"
	"github.com/riverqueue/river/riverdriver/riversqlite"
)

// sqliteDriver is river's, but for its listener. River's own queries the database for notifications every 50 ms, which is a third
// of what an idle service does. River promises nothing of the two interfaces that are filled here; without this file all works as well.
type sqliteDriver struct {
	*riversqlite.Driver
	added <-chan struct{}
}

// GetListener makes the one listener of a client.
func (d sqliteDriver) GetListener(params *riverdriver.GetListenenerParams) riverdriver.Listener {
	return &listener{Listener: d.Driver.GetListener(params), added: d.added}
}

type listener struct {
	riverdriver.Listener
	added <-chan struct{}
	until time.Time // until then it queries as often as river's own
}

// WaitForNotification queries once every fetchEvery, because another process on the same file may have added jobs. Those of
// this process are committed just after it was told of them.
func (l *listener) WaitForNotification(ctx context.Context) (*riverdriver.Notification, error) {
	for {
		querying, cancel := context.WithDeadline(ctx, l.until)
		heard, err := l.Listener.WaitForNotification(querying)
		cancel()
		if !errors.Is(err, context.DeadlineExceeded) {
			return heard, err
		}
		often := 10 * time.Millisecond // for one query
		select {
		case <-l.added:
			time.Sleep(5 * time.Millisecond) // most commits take less
			often = time.Second
		case <-time.After(fetchEvery):
		case <-ctx.Done():
			return nil, ctx.Err()
		}
		l.until = time.Now().Add(often)
	}
}
