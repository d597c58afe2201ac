package jobs

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"milaan/ports"
)

// saidAgain is how long a sentence of river's is not repeated: while the
// database is away, it has the same to say several times a second.
const saidAgain = 10 * time.Second

// calm is the log that river writes to: warnings and errors, each now and then,
// and none as more than a warning. River complains of the database, which comes
// back; what is wrong with a job is ours to say.
type calm struct {
	slog.Handler
	clock ports.Clock
	said  *sayings
}

// sayings are when each sentence was last written.
type sayings struct {
	sync.Mutex
	at map[string]time.Time
}

func newCalm(log *slog.Logger, clock ports.Clock) *slog.Logger {
	return slog.New(calm{log.Handler(), clock, &sayings{at: map[string]time.Time{}}})
}

// Enabled is true from warnings on.
func (c calm) Enabled(ctx context.Context, level slog.Level) bool {
	return level >= slog.LevelWarn && c.Handler.Enabled(ctx, level)
}

// Handle writes a sentence, as a warning, unless it was written a moment ago.
func (c calm) Handle(ctx context.Context, r slog.Record) error {
	now := c.clock()
	c.said.Lock()
	last, known := c.said.at[r.Message]
	repeated := known && now.Sub(last) < saidAgain
	if !repeated {
		c.said.at[r.Message] = now
	}
	c.said.Unlock()
	if repeated {
		return nil
	}
	r.Level = min(r.Level, slog.LevelWarn)
	return c.Handler.Handle(ctx, r)
}

// WithAttrs keeps the calm.
func (c calm) WithAttrs(attrs []slog.Attr) slog.Handler {
	c.Handler = c.Handler.WithAttrs(attrs)
	return c
}

// WithGroup keeps the calm.
func (c calm) WithGroup(name string) slog.Handler {
	c.Handler = c.Handler.WithGroup(name)
	return c
}
