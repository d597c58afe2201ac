package domain

import (
	"bytes"
	"encoding/binary"
	"hash/maphash"
	"slices"
	"sync"
	"unicode"
	"unicode/utf8"
)

// keyIndex finds the position of a key among the keys added so far, letters of
// either case being the same. It is an open-addressing table of eight bytes a
// slot: a lookup touches one cache line of the table and the key itself, and a
// warm index allocates nothing. It keeps no copies: the keys lie in an arena.
type keyIndex struct {
	keys  [][]byte // must stay as they are
	slots []slot   // what its capacity has beyond is empty
	taken int      // slots
	seed  maphash.Seed
	fold  []byte // scratch for keys with small letters
}

// slot holds the low half of a key's hash and its position plus one; 0 is an
// empty slot.
type slot struct{ hash, at uint32 }

const fewestSlots = 1 << 10

// reset forgets the keys and keeps the memory. The table is small again, or a
// small run after a large one would clear all of it. The seed changes with
// every run, so that nobody can prepare keys that collide.
func (x *keyIndex) reset() {
	clear(x.slots)
	clear(x.keys) // or they would keep alive what they lie in
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

// expect makes room for n further keys.
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

// add returns the position of key, which is a new one if the key is. Then the
// key is kept as it is, and the caller sees to it that it stays so.
func (x *keyIndex) add(key []byte) (at int, isNew bool) {
	if 8*len(x.keys) >= 7*len(x.slots) { // a small table that fits the cache beats short probes
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

// addHidden gives a key one more position, at which find does not find it.
func (x *keyIndex) addHidden(key []byte) (at int) {
	x.keys = append(x.keys, key)
	return len(x.keys) - 1
}

// show lets find find a key that was added hidden, unless it finds the same key
// already: it returns the position at which it is found. There must be room for it
// (see expect).
func (x *keyIndex) show(at int) (first int) {
	hash := x.hash(x.keys[at])
	s := x.probe(x.keys[at], hash)
	if s.at == 0 {
		*s = slot{hash: hash, at: uint32(at + 1)}
		x.taken++
	}
	return int(s.at - 1)
}

// find returns the position of key, or -1.
func (x *keyIndex) find(key []byte) int {
	if len(key) == 0 || len(x.keys) == 0 {
		return -1
	}
	return int(x.probe(key, x.hash(key)).at) - 1
}

// probe gives the slot that holds key, or the empty one where it belongs.
func (x *keyIndex) probe(key []byte, hash uint32) *slot {
	mask := uint32(len(x.slots) - 1)
	for i := hash & mask; ; i = (i + 1) & mask {
		s := &x.slots[i]
		if s.at == 0 || s.hash == hash && sameKey(x.keys[s.at-1], key) {
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

// hash is equal for keys that sameKey calls the same.
func (x *keyIndex) hash(key []byte) uint32 {
	const each = 0x0101010101010101 // a byte, eight times
	rest := key
	for ; len(rest) >= 8; rest = rest[8:] {
		eight := binary.LittleEndian.Uint64(rest)
		if (eight|(eight+(0x80-'a')*each))&(0x80*each) != 0 {
			return uint32(maphash.Bytes(x.seed, x.folded(key)))
		}
	}
	for _, b := range rest {
		if b >= 'a' {
			return uint32(maphash.Bytes(x.seed, x.folded(key)))
		}
	}
	return uint32(maphash.Bytes(x.seed, key))
}

// folded writes key in the one form that all its spellings share.
func (x *keyIndex) folded(key []byte) []byte {
	x.fold = appendFolded(x.fold[:0], key)
	return x.fold
}

// appendFolded appends a text in the one form that all its spellings share, which
// is never longer.
func appendFolded(dst, text []byte) []byte {
	var folds []uint16
	for len(text) > 0 {
		if text[0] < utf8.RuneSelf {
			dst = append(dst, upper(text[0]))
			text = text[1:]
			continue
		}
		if folds == nil {
			folds = basicFolds()
		}
		if len(text) > 1 && 0xC2 <= text[0] && text[0] < 0xE0 && text[1]&0xC0 == 0x80 { // two bytes, most often
			if fold := folds[rune(text[0]&0x1F)<<6|rune(text[1]&0x3F)]; 0x80 <= fold && fold < 0x800 {
				dst = append(dst, 0xC0|byte(fold>>6), 0x80|byte(fold&0x3F))
			} else {
				dst = utf8.AppendRune(dst, rune(fold))
			}
			text = text[2:]
			continue
		}
		r, n := utf8.DecodeRune(text)
		if r == utf8.RuneError && n == 1 {
			dst = append(dst, text[0]) // not a character: itself only
		} else if int(r) < len(folds) && folds[r] == uint16(r) {
			dst = append(dst, text[:n]...)
		} else {
			dst = utf8.AppendRune(dst, smallestFold(r))
		}
		text = text[n:]
	}
	return dst
}

// smallestFold gives the first of all characters that differ from r in case
// only.
func smallestFold(r rune) rune {
	if r < utf8.RuneSelf {
		if 'a' <= r && r <= 'z' {
			return r - 'a' + 'A'
		}
		return r // what else folds with it, such as the Kelvin sign, is greater
	}
	if int(r) < len(basicFolds()) {
		return rune(basicFolds()[r])
	}
	return searchedFold(r)
}

// basicFolds is smallestFold for the basic plane: a search in tables for each
// character takes many times longer. Nobody needs it whose keys are ASCII.
var basicFolds = sync.OnceValue(func() []uint16 {
	folds := make([]uint16, 1<<16)
	for r := range folds {
		folds[r] = uint16(searchedFold(rune(r)))
	}
	return folds
})

func searchedFold(r rune) rune {
	least := r
	for other := unicode.SimpleFold(r); other != r; other = unicode.SimpleFold(other) {
		least = min(least, other)
	}
	return least
}

// sameKey compares two keys, letters of either case being the same.
func sameKey(a, b []byte) bool {
	return bytes.Equal(a, b) || bytes.EqualFold(a, b)
}
