package jobs

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// A job whose process was killed just after it renewed its lease is begun again within 15 s: the
// lease ends, the next heartbeat of another instance finds that, and its look is found.
func TestATakeoverTakesLessThan15Seconds(t *testing.T) {
	s := Settings{}.WithDefaults()
	require.Less(t, s.Takeover+s.beat()+fetchEvery, 15*time.Second)
}
