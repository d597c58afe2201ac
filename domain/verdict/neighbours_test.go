package verdict

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestWhatOrdersAreKnown tests what the readers of reports ask about the orders.
func TestWhatOrdersAreKnown(t *testing.T) {
	var o Orders
	o.Reset()
	for _, name := range []string{"#1", "#2"} {
		order, _ := o.FindOrAdd([]byte(name))
		require.True(t, o.Track(order, []byte("A"+name[1:])))
	}
	for known, at := range map[string]int{"1": 0, "2": 1, "1-C": 0, "2-c": 1} {
		require.Equal(t, at, o.Find([]byte(known)), known)
	}
	for _, unknown := range []string{"", "3", "3-C", "A1"} {
		require.Equal(t, -1, o.Find([]byte(unknown)), unknown)
	}
	require.True(t, o.HasAWB([]byte("A1")))
	require.True(t, o.HasAWB([]byte("a2")))
	require.False(t, o.HasAWB([]byte("1")))
	require.False(t, o.HasAWB(nil))
}
