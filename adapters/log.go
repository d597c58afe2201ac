package adapters

import (
	"io"
	"log/slog"
	"math"
	"os"
	"time"

	"milaan/config"
)

// newLog writes to standard error: standard output belongs to the commands.
func newLog(c config.Log) *slog.Logger { return NewLog(os.Stderr, c.Level) }

// NewLog writes one JSON object a line. A duration is a number of milliseconds,
// to the microsecond, and its name says so: took becomes took_ms.
func NewLog(w io.Writer, level slog.Leveler) *slog.Logger {
	return slog.New(slog.NewJSONHandler(w, &slog.HandlerOptions{Level: level, ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
		if a.Value.Kind() == slog.KindDuration {
			return slog.Float64(a.Key+"_ms", milliseconds(a.Value.Duration()))
		}
		return a
	}}))
}

func milliseconds(d time.Duration) float64 {
	return math.Round(float64(d)/float64(time.Microsecond)) / 1000
}
