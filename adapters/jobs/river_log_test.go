package jobs

import (
	"bytes"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestAMessageOfRiversIsNotRepeatedAtOnce(t *testing.T) {
	var text bytes.Buffer
	now := time.Unix(0, 0)
	log := newRiverLog(slog.New(slog.NewTextHandler(&text, nil)), func() time.Time { return now })
	log.Info("started")
	for range 100 {
		log.Error("cannot fetch")
		log.With("queue", "deliveries").WithGroup("more").Error("cannot fetch")
	}
	log.Warn("slow")
	require.Equal(t, 2, strings.Count(text.String(), "\n"), text.String())
	require.NotContains(t, text.String(), "ERROR")
	now = now.Add(repeatAfter)
	log.Error("cannot fetch")
	require.Equal(t, 2, strings.Count(text.String(), "cannot fetch"))
}
