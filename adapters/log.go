package adapters

import (
	"context"
	"io"
	"log/slog"
	"math"
	"os"
	"time"

	"milaan/config"
	"milaan/ports"
)

// newLog writes to standard error: standard output belongs to the commands.
func newLog(c config.Log) *slog.Logger { return NewLog(os.Stderr, c.Level) }

// NewLog writes one JSON object a line. A duration is a number of milliseconds,
// to the microsecond, and its name says so: took becomes took_ms.
func NewLog(w io.Writer, level slog.Leveler) *slog.Logger {
	return slog.New(traced{slog.NewJSONHandler(w, &slog.HandlerOptions{Level: level, ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
		if d, ok := durationOf(a); ok {
			return slog.Float64(a.Key+"_ms", milliseconds(d))
		}
		return a
	}})})
}

// traced gives lines about a request or a job the ids of its trace and its span, if traces are
// collected.
type traced struct{ slog.Handler }

func (t traced) Handle(ctx context.Context, r slog.Record) error {
	if trace, span := ports.SpanOf(ctx).IDs(); trace != "" {
		r.AddAttrs(slog.String("trace_id", trace), slog.String("span_id", span))
	}
	return t.Handler.Handle(ctx, r)
}

func (t traced) WithAttrs(attrs []slog.Attr) slog.Handler { return traced{t.Handler.WithAttrs(attrs)} }

func (t traced) WithGroup(name string) slog.Handler { return traced{t.Handler.WithGroup(name)} }

// durationOf is the duration that an attribute is; the job engine's library
// writes some of its own as text.
func durationOf(a slog.Attr) (time.Duration, bool) {
	switch {
	case a.Value.Kind() == slog.KindDuration:
		return a.Value.Duration(), true
	case a.Value.Kind() == slog.KindString && (a.Key == "sleep_duration" || a.Key == "timeout"):
		d, err := time.ParseDuration(a.Value.String())
		return d, err == nil
	}
	return 0, false
}

func milliseconds(d time.Duration) float64 {
	return math.Round(float64(d)/float64(time.Microsecond)) / 1000
}
