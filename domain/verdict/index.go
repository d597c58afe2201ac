package verdict

import (
	"bytes"
	"encoding/binary"
	"hash/maphash"
	"slices"
)

// keyIndex is a hash table that gives the position of a key among the keys added so
// far. Letters of either case are the same to it, unless exact is set. It uses open
// addressing with slots of four bytes: a lookup reads one cache line of the table
// and the key itself. After its first runs it allocates nothing. The caller keeps the
// keys in an arena.
type keyIndex struct {
	texts *arena  // that has the keys
	keys  []place // in texts
	slots []slot  // the slots between its length and its capacity are empty
	taken int     // how many slots are not empty
	seed  maphash.Seed
	fold  []byte // scratch for keys with small letters
	exact bool   // keys are compared byte for byte
}

// slot holds a key's position plus one in as many low bits as the places of the table have, and in the others those of the key's hash.
// 0 is an empty slot.
type slot uint32

const fewestSlots = 1 << 10

// reset forgets the keys and keeps the memory. The next ones are in texts. The table becomes small again:
// otherwise a small run after a large one would have to clear all of it. The seed
// changes with every run, so that nobody can prepare keys that collide.
func (x *keyIndex) reset(texts *arena) {
	clear(x.slots)
	x.texts, x.keys, x.taken = texts, x.keys[:0], 0
	if cap(x.fold) > largeText {
		x.fold = nil
	}
	x.seed = maphash.MakeSeed()
	if x.slots == nil {
		x.slots = make([]slot, fewestSlots)
	}
	x.slots = x.slots[:fewestSlots]
}

// expect makes room for n more keys. The table is filled to seven eighths: one that fits the cache is faster than one with shorter probes.
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

func (x *keyIndex) key(at int32) []byte { return x.texts.at(x.keys[at]) }

// add returns the position of key, and adds the key if it is new. Then the caller must set keys[at] before the index is used again.
func (x *keyIndex) add(key []byte) (at int, isNew bool) {
	x.expect(1)
	hash := x.hash(key)
	s := x.probe(key, hash)
	if *s != 0 {
		return x.position(*s), false
	}
	*s = x.slot(hash, len(x.keys))
	x.taken++
	return x.addHidden(0), true
}

// addHidden adds a key that find does not return, and gives its position.
func (x *keyIndex) addHidden(key place) (at int) {
	x.keys = append(x.keys, key)
	return len(x.keys) - 1
}

// slot is that of a key with a hash at a position. position is what it has for a slot; -1: it is empty.
func (x *keyIndex) slot(hash uint32, at int) slot { return slot(hash&^x.mask() | uint32(at+1)) }
func (x *keyIndex) position(s slot) int           { return int(uint32(s)&x.mask()) - 1 }
func (x *keyIndex) mask() uint32                  { return uint32(len(x.slots) - 1) }

// show makes find return keys that were added by addHidden, those from a position on, one for each place in first. If find already
// returns the same key at another position, that stays so. It puts the positions that find now gives into first, which has room
// for keysAtOnce at most. The caller has made room for the keys with expect. The slots of all are read first, so that the processor
// can wait for the memory of many at the same time.
func (x *keyIndex) show(from int, first []int32) {
	var hashes [keysAtOnce]uint32
	var kept [keysAtOnce]slot
	mask := x.mask()
	for i := range first {
		hashes[i] = x.hash(x.key(int32(from + i)))
	}
	for i := range first {
		kept[i] = x.slots[hashes[i]&mask]
	}
	for i := range first {
		s := &x.slots[hashes[i]&mask]
		if kept[i] != 0 || *s != 0 {
			s = x.probe(x.key(int32(from+i)), hashes[i])
		}
		if *s == 0 {
			*s = x.slot(hashes[i], from+i)
			x.taken++
		}
		first[i] = int32(x.position(*s))
	}
}

// find returns the position of key, or -1 if the index does not have it.
func (x *keyIndex) find(key []byte) int {
	if len(key) == 0 || len(x.keys) == 0 {
		return -1
	}
	return x.position(*x.probe(key, x.hash(key)))
}

// keysAtOnce is how many keys findAll finds at most.
const keysAtOnce = 64

// findAll is find for several keys; it puts their positions into at. It reads the slots of all
// keys, then where they are kept, and then their bytes, so that the processor can wait for the
// memory of many at the same time.
func (x *keyIndex) findAll(keys [][]byte, at []int32) {
	var kept [keysAtOnce][]byte
	var alike [keysAtOnce]bool
	mask := x.mask()
	for i, key := range keys {
		at[i] = int32(x.hash(key) & mask)
	}
	for i := range keys {
		at[i] = int32(x.position(x.slots[at[i]]))
	}
	for i := range keys {
		if at[i] >= 0 {
			kept[i] = x.key(at[i])
		}
	}
	for i, key := range keys {
		alike[i] = endAlike(kept[i], key)
	}
	for i, key := range keys {
		if !alike[i] || !bytes.Equal(kept[i], key) {
			at[i] = int32(x.find(key)) // not in its first slot, or in other letters
		}
	}
}

// endAlike says whether two texts, neither of them empty, may be equal: they are of one length and end with the same byte. Asked of many
// before they are compared, it lets the processor wait for the memory of many at the same time.
func endAlike(a, b []byte) bool { return len(a) > 0 && len(a) == len(b) && a[len(a)-1] == b[len(b)-1] }

// probe returns the slot that holds key, or the empty slot where it would be put.
func (x *keyIndex) probe(key []byte, hash uint32) *slot {
	mask := x.mask()
	for i := hash & mask; ; i = (i + 1) & mask {
		s := &x.slots[i]
		if *s == 0 || (uint32(*s)^hash)&^mask == 0 && x.same(x.key(int32(x.position(*s))), key) {
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
	old, before := x.slots, x.mask()
	x.slots = make([]slot, size)
	mask := x.mask()
	for _, s := range old {
		if s == 0 {
			continue
		}
		at := int(uint32(s)&before) - 1
		hash := x.hash(x.key(int32(at)))
		i := hash & mask
		for x.slots[i] != 0 {
			i = (i + 1) & mask
		}
		x.slots[i] = x.slot(hash, at)
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
