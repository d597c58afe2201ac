package verdict

import (
	"bytes"
	"slices"
)

// arena stores copies of short texts one after another. Everything that a run needs
// of the two files (names, AWBs, references) is copied into an arena, for two
// reasons: the memory of the files can be given back as soon as they are read, and
// the copies fit into a processor's cache, where the files do not. Once it has
// grown, an arena allocates nothing.
type arena struct {
	blocks [][]byte // all of the same size
	full   int      // how many blocks are full
	large  [][]byte // texts so large that they would leave much of a block unused, and parts of them
	larges int      // how many bytes these texts have
}

const (
	blockBits  = 18
	arenaBlock = 1 << blockBits
	largeText  = arenaBlock / 4
)

// place says where a text lies in an arena, in a third of the memory of a slice and with nothing for the garbage collector to follow.
// It has the block, where in the block the text begins, and its length; of a large text, the length is 0 and its number stands in place of
// the block, from 1. The zero place has no text.
type place uint64

func placeOf(block, from, length int) place {
	return place(block)<<(2*blockBits) | place(from)<<blockBits | place(length)
}

// at returns the text at a place. It is valid until the arena is reset.
func (a *arena) at(p place) []byte {
	const mask = arenaBlock - 1
	if n := int(p & mask); n > 0 {
		from := int(p >> blockBits & mask)
		return a.blocks[p>>(2*blockBits)][from : from+n : from+n]
	}
	return a.largeAt(p)
}

func (a *arena) largeAt(p place) []byte {
	if p == 0 {
		return nil
	}
	return a.large[p>>(2*blockBits)-1]
}

// keep returns a copy of text, which is valid until the arena is reset.
func (a *arena) keep(text []byte) []byte { return a.at(a.put(text)) }

func (a *arena) put(text []byte) place {
	if len(text) == 0 {
		return 0
	}
	if len(text) > largeText {
		a.larges += len(text)
		return a.putLarge(bytes.Clone(text))
	}
	for a.full < len(a.blocks) {
		if b := a.blocks[a.full]; cap(b)-len(b) >= len(text) {
			a.blocks[a.full] = append(b, text...)
			return placeOf(a.full, len(b), len(text))
		}
		a.full++
	}
	a.blocks = append(a.blocks, append(make([]byte, 0, arenaBlock), text...))
	return placeOf(a.full, 0, len(text))
}

func (a *arena) putLarge(text []byte) place {
	a.large = append(a.large, slices.Clip(text))
	return placeOf(len(a.large), 0, 0)
}

// within returns the place of part, which is not empty, inside a text that is already stored. If part is
// not in that text, it is stored as well.
func (a *arena) within(kept place, part []byte) place {
	whole := a.at(kept)
	i := len(whole) - len(part) // 1001 in #1001
	if !bytes.HasSuffix(whole, part) {
		i = bytes.Index(whole, part)
	}
	switch {
	case i < 0:
		return a.put(part)
	case len(whole) > largeText:
		return a.putLarge(whole[i : i+len(part)])
	}
	return kept + placeOf(0, i, len(part)) - placeOf(0, 0, len(whole))
}

// bytes is how much memory the arena holds, in bytes.
func (a *arena) bytes() int { return len(a.blocks)*arenaBlock + a.larges }

// used is how much of that memory has texts of this run in it. An earlier run may
// have needed more.
func (a *arena) used() int { return min(a.full+1, len(a.blocks))*arenaBlock + a.larges }

// reset removes all texts. It keeps the memory of the blocks and gives back that of
// large texts.
func (a *arena) reset() {
	for i := range a.blocks {
		a.blocks[i] = a.blocks[i][:0]
	}
	clear(a.large)
	a.full, a.large, a.larges = 0, a.large[:0], 0
}
