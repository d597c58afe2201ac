package verdict

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestSeveralKeysAreFoundAsOne looks up keys that are there, in other letters or not there at all.
func TestSeveralKeysAreFoundAsOne(t *testing.T) {
	var x keyIndex
	x.reset()
	const kept = 3000
	for i := range kept {
		x.add(fmt.Appendf(nil, "AWB%d", i))
	}
	keys := [][]byte{nil, []byte("awb7"), []byte("no such key")}
	for i := 0; len(keys) < keysAtOnce; i++ {
		keys = append(keys, fmt.Appendf(nil, "AWB%d", i*2*kept/keysAtOnce)) // half of them are beyond the last
	}
	at := make([]int32, len(keys))
	x.findAll(keys, at)
	require.EqualValues(t, 7, at[1])
	for i, key := range keys {
		require.EqualValues(t, x.find(key), at[i], "%s", key)
	}
}
