package verdict

import (
	"bytes"
	"encoding/binary"
	"hash/maphash"
	"slices"
)

// keyIndex is a hash table that gives the position of a key among the keys added so
// far. Letters of either case are the same to it, unless exact is set. It uses open
// addressing with slots of eight bytes: a lookup reads one cache line of the table
// and the key itself. After its first runs it allocates nothing. It stores slices of
// the keys and no copies, so the caller keeps their bytes unchanged, in an arena.
type keyIndex struct {
	keys  [][]byte
	slots []slot // the slots between its length and its capacity are empty
	taken int    // how many slots are not empty
	seed  maphash.Seed
	fold  []byte // scratch for keys with small letters
	exact bool   // keys are compared byte for byte
}

// slot holds the low half of a key's hash and the key's position plus one. An at of
// 0 marks an empty slot.
type slot struct{ hash, at uint32 }

const fewestSlots = 1 << 10

// reset forgets the keys and keeps the memory. The table becomes small again:
// otherwise a small run after a large one would have to clear all of it. The seed
// changes with every run, so that nobody can prepare keys that collide.
func (x *keyIndex) reset() {
	clear(x.slots)
	clear(x.keys) // the garbage collector could not free the keys' memory otherwise
	x.keys, x.taken = x.keys[:0], 0
	if cap(x.fold) > largeText {
		x.fold = nil
	}
	x.seed = maphash.MakeSeed()
	if x.slots == nil {
		x.slots = make([]slot, fewestSlots)
	}
	x.slots = x.slots[:fewestSlots]
}

// expect makes room for n more keys.
func (x *keyIndex) expect(n int) {
	x.keys = slices.Grow(x.keys, n)
	size := len(x.slots)
	for 8*(len(x.keys)+n) > 7*size {
		size *= 2
	}
	if size > len(x.slots) {
		x.resize(size)
	}
}

// add returns the position of key, and adds the key if it is new. The index then
// stores the slice itself: the caller must not change its bytes, and may replace
// keys[at] by a copy.
func (x *keyIndex) add(key []byte) (at int, isNew bool) {
	if 8*len(x.keys) >= 7*len(x.slots) { // filled to seven eighths: a table that fits the cache is faster than one with shorter probes
		x.resize(2 * len(x.slots))
	}
	hash := x.hash(key)
	s := x.probe(key, hash)
	if s.at != 0 {
		return int(s.at - 1), false
	}
	x.keys = append(x.keys, key)
	*s = slot{hash: hash, at: uint32(len(x.keys))}
	x.taken++
	return len(x.keys) - 1, true
}

// addHidden adds a key that find does not return, and gives its position.
func (x *keyIndex) addHidden(key []byte) (at int) {
	x.keys = append(x.keys, key)
	return len(x.keys) - 1
}

// show makes find return keys that were added by addHidden, those from a position on, one for each place in first. If find already
// returns the same key at another position, that stays so. It puts the positions that find now gives into first, which has room
// for keysAtOnce at most. The caller has made room for the keys with expect. The slots of all are read first, so that the processor
// can wait for the memory of many at the same time.
func (x *keyIndex) show(from int, first []int32) {
	var hashes [keysAtOnce]uint32
	var kept [keysAtOnce]slot
	mask := uint32(len(x.slots) - 1)
	for i := range first {
		hashes[i] = x.hash(x.keys[from+i])
		kept[i] = x.slots[hashes[i]&mask]
	}
	for i := range first {
		s := &x.slots[hashes[i]&mask]
		if kept[i].at != 0 || s.at != 0 {
			s = x.probe(x.keys[from+i], hashes[i])
		}
		if s.at == 0 {
			*s = slot{hash: hashes[i], at: uint32(from + i + 1)}
			x.taken++
		}
		first[i] = int32(s.at) - 1
	}
}

// find returns the position of key, or -1 if the index does not have it.
func (x *keyIndex) find(key []byte) int {
	if len(key) == 0 || len(x.keys) == 0 {
		return -1
	}
	return int(x.probe(key, x.hash(key)).at) - 1
}

// keysAtOnce is how many keys findAll finds at most.
const keysAtOnce = 64

// findAll is find for several keys; it puts their positions into at. It reads the slots of all
// keys, then where they are kept, and then their bytes, so that the processor can wait for the
// memory of many at the same time.
func (x *keyIndex) findAll(keys [][]byte, at []int32) {
	var kept [keysAtOnce][]byte
	mask := uint32(len(x.slots) - 1)
	for i, key := range keys {
		at[i] = int32(x.slots[x.hash(key)&mask].at) - 1
	}
	for i := range keys {
		if at[i] >= 0 {
			kept[i] = x.keys[at[i]]
		}
	}
	for i, key := range keys {
		if len(key) == 0 || !bytes.Equal(kept[i], key) {
			at[i] = int32(x.find(key)) // not in its first slot, or in other letters
		}
	}
}

// probe returns the slot that holds key, or the empty slot where it would be put.
func (x *keyIndex) probe(key []byte, hash uint32) *slot {
	mask := uint32(len(x.slots) - 1)
	for i := hash & mask; ; i = (i + 1) & mask {
		s := &x.slots[i]
		if s.at == 0 || s.hash == hash && x.same(x.keys[s.at-1], key) {
			return s
		}
	}
}

// resize makes a table of size slots, which is a power of two.
func (x *keyIndex) resize(size int) {
	if x.taken == 0 && size <= cap(x.slots) {
		x.slots = x.slots[:size]
		return
	}
	old := x.slots
	x.slots = make([]slot, size)
	mask := uint32(len(x.slots) - 1)
	for _, s := range old {
		if s.at == 0 {
			continue
		}
		i := s.hash & mask
		for x.slots[i].at != 0 {
			i = (i + 1) & mask
		}
		x.slots[i] = s
	}
}

func (x *keyIndex) same(a, b []byte) bool {
	return bytes.Equal(a, b) || !x.exact && bytes.EqualFold(a, b)
}

// hash is equal for keys that same calls the same.
func (x *keyIndex) hash(key []byte) uint32 {
	if x.exact {
		return uint32(maphash.Bytes(x.seed, key))
	}
	const each = 0x0101010101010101 // a byte, eight times
	rest := key
	for ; len(rest) >= 8; rest = rest[8:] {
		eight := binary.LittleEndian.Uint64(rest)
		if (eight|(eight+(0x80-'a')*each))&(0x80*each) != 0 {
			return uint32(maphash.Bytes(x.seed, x.foldKey(key)))
		}
	}
	for _, b := range rest {
		if b >= 'a' {
			return uint32(maphash.Bytes(x.seed, x.foldKey(key)))
		}
	}
	return uint32(maphash.Bytes(x.seed, key))
}

// foldKey returns key in the one form that all its spellings in either case share.
// It is valid until the next call.
func (x *keyIndex) foldKey(key []byte) []byte {
	x.fold = appendFolded(slices.Grow(x.fold[:0], len(key)), key)
	return x.fold
}
