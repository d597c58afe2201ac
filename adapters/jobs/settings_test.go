package jobs

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// A job whose process was killed just after it renewed its lease is begun again within
// the time that the design promises.
func TestATakeoverTakesLessThanHalfAMinute(t *testing.T) {
	s := Settings{}.WithDefaults()
	require.Less(t, s.Takeover+s.beat()+fetchEvery, 30*time.Second)
}
