package adapters

import (
	"bytes"
	"encoding/json"
	"log/slog"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestDurationsAreNumbersOfMilliseconds(t *testing.T) {
	var out bytes.Buffer
	log := NewLog(&out, slog.LevelInfo).With("since", time.Minute)
	log.Info("line", "took", 1234567*time.Nanosecond, "none", time.Duration(0), slog.Group("stop", "drain", 30*time.Second), "any", any(time.Hour), "text", "5s", "sleep_duration", "507.4ms", "timeout", "none")
	log.Debug("not at this level")
	var line map[string]any
	require.NoError(t, json.Unmarshal(out.Bytes(), &line))
	delete(line, "time")
	require.Equal(t, map[string]any{
		"level": "INFO", "msg": "line", "since_ms": 60_000.0, "took_ms": 1.235, "none_ms": 0.0,
		"stop": map[string]any{"drain_ms": 30_000.0}, "any_ms": 3_600_000.0, "text": "5s", "sleep_duration_ms": 507.4, "timeout": "none",
	}, line)
}
