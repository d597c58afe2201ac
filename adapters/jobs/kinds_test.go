package jobs

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"milaan/ports"
)

func TestEveryKindHasAWholeRow(t *testing.T) {
	queues, settings := map[string]bool{}, Settings{}.WithDefaults()
	for _, k := range kinds {
		require.Equal(t, string(k.name), argsOf(ports.Job{Kind: k.name}).Kind())
		require.False(t, queues[k.queue], "%s has a queue of its own", k.name)
		queues[k.queue] = true
		require.Positive(t, k.workers(settings))
		require.Positive(t, k.attempts)
		require.Positive(t, k.limit)
		w := worker{kind: k}
		require.Equal(t, k.limit, w.Timeout(nil), "one that hangs is cut off")
		if k.period != nil {
			require.LessOrEqual(t, k.period(settings), time.Minute, "what is to be deleted by a certain time is gone soon after")
		}
	}
}
