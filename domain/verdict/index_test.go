package verdict

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestSeveralKeysAreFoundAsOne looks up keys that are there, in other letters or not there at all.
func TestSeveralKeysAreFoundAsOne(t *testing.T) {
	var x keyIndex
	x.reset(new(arena))
	const kept = 3000
	for i := range kept {
		key := fmt.Appendf(nil, "AWB%d", i)
		at, _ := x.add(key)
		x.keys[at] = x.texts.put(key)
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

// TestKeysThatAreNotShownHaveRoom adds many keys that no slot has, and then one that a slot has: its position must fit there.
func TestKeysThatAreNotShownHaveRoom(t *testing.T) {
	var x keyIndex
	x.reset(new(arena))
	for i := range 5 * fewestSlots {
		x.addHidden(x.texts.put(fmt.Append(nil, "hidden ", i)))
	}
	key := []byte("shown")
	at, isNew := x.add(key)
	require.True(t, isNew)
	x.keys[at] = x.texts.put(key)
	require.Equal(t, 5*fewestSlots, at)
	require.Equal(t, at, x.find(key))
	require.Equal(t, -1, x.find([]byte("hidden 1")))
}

// TestPlacesInAnArena keeps texts of all sizes, and parts of them.
func TestPlacesInAnArena(t *testing.T) {
	var texts arena
	sizes := []int{1, 2, largeText, largeText + 1, 3 * arenaBlock}
	for range 2 {
		var places, parts, others []place
		for i := range 6 * len(sizes) {
			whole := bytes.Repeat([]byte{byte('a' + i)}, sizes[i%len(sizes)])
			whole[len(whole)-1] = '#'
			at := texts.put(whole)
			places, parts = append(places, at), append(parts, texts.within(at, whole[len(whole)/2:]))
			others = append(others, texts.within(at, []byte("no part")))
		}
		for i := range places {
			n := sizes[i%len(sizes)]
			require.Len(t, texts.at(places[i]), n)
			require.Equal(t, bytes.Repeat([]byte{byte('a' + i)}, n-1), texts.at(places[i])[:n-1])
			require.Equal(t, texts.at(places[i])[n/2:], texts.at(parts[i]))
			require.Equal(t, "no part", string(texts.at(others[i])))
		}
		require.Equal(t, len(texts.blocks)*arenaBlock+6*(largeText+1+3*arenaBlock), texts.used(), "a part of a large text takes nothing")
		require.Nil(t, texts.at(texts.put(nil)))
		texts.reset()
		require.Equal(t, len(texts.blocks)*arenaBlock, texts.bytes())
	}
}
