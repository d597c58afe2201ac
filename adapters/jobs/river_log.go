package jobs

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"milaan/ports"
)

// repeatAfter is how long a message of river's is not repeated: while the database is
// away, river logs the same several times a second.
const repeatAfter = 10 * time.Second

// riverLog is the handler of the log that river writes to. It lets warnings and errors
// through, the same message once in repeatAfter, and errors as warnings: river logs that
// the database is away, which comes back, and what is wrong with a job is logged by us.
type riverLog struct {
	slog.Handler
	clock   ports.Clock
	written *writtenMessages
}

type writtenMessages struct {
	sync.Mutex
	at map[string]time.Time
}

func newRiverLog(log *slog.Logger, clock ports.Clock) *slog.Logger {
	return slog.New(riverLog{log.Handler(), clock, &writtenMessages{at: map[string]time.Time{}}})
}

// Enabled is true from warnings on.
func (l riverLog) Enabled(ctx context.Context, level slog.Level) bool {
	return level >= slog.LevelWarn && l.Handler.Enabled(ctx, level)
}

// Handle writes a message as a warning, unless it was written a moment ago.
func (l riverLog) Handle(ctx context.Context, r slog.Record) error {
	if !l.written.note(r.Message, l.clock()) {
		return nil
	}
	r.Level = min(r.Level, slog.LevelWarn)
	return l.Handler.Handle(ctx, r)
}

func (w *writtenMessages) note(message string, now time.Time) bool {
	w.Lock()
	defer w.Unlock()
	if last, known := w.at[message]; known && now.Sub(last) < repeatAfter {
		return false
	}
	w.at[message] = now
	return true
}

// WithAttrs returns a handler that has the same messages written.
func (l riverLog) WithAttrs(attrs []slog.Attr) slog.Handler {
	l.Handler = l.Handler.WithAttrs(attrs)
	return l
}

// WithGroup returns a handler that has the same messages written.
func (l riverLog) WithGroup(name string) slog.Handler {
	l.Handler = l.Handler.WithGroup(name)
	return l
}
