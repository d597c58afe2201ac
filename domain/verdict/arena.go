package verdict

import "bytes"

// arena stores copies of short texts one after another. Everything that a run needs
// of the two files (names, AWBs, references) is copied into an arena, for two
// reasons: the memory of the files can be given back as soon as they are read, and
// the copies fit into a processor's cache, where the files do not. Once it has
// grown, an arena allocates nothing.
type arena struct {
	blocks [][]byte // all of the same size
	full   int      // how many blocks are full
	large  [][]byte // texts so large that they would leave much of a block unused
}

const (
	arenaBlock = 256 << 10
	largeText  = arenaBlock / 4
)

// keep returns a copy of text, which is valid until the arena is reset.
func (a *arena) keep(text []byte) []byte {
	if len(text) == 0 {
		return nil
	}
	if len(text) > largeText {
		kept := bytes.Clone(text)
		a.large = append(a.large, kept)
		return kept[:len(kept):len(kept)]
	}
	for a.full < len(a.blocks) {
		if b := a.blocks[a.full]; cap(b)-len(b) >= len(text) {
			from := len(b)
			b = append(b, text...)
			a.blocks[a.full] = b
			return b[from:len(b):len(b)]
		}
		a.full++
	}
	b := append(make([]byte, 0, arenaBlock), text...)
	a.blocks = append(a.blocks, b)
	return b[:len(b):len(b)]
}

// within returns the place of part inside a text that is already stored. If part is
// not in that text, it is stored as well.
func (a *arena) within(kept, part []byte) []byte {
	if i := len(kept) - len(part); bytes.HasSuffix(kept, part) { // 1001 in #1001
		return kept[i:]
	}
	if i := bytes.Index(kept, part); i >= 0 {
		return kept[i : i+len(part) : i+len(part)]
	}
	return a.keep(part)
}

// bytes is how much memory the arena holds, in bytes.
func (a *arena) bytes() int { return capacities(a.blocks, a.large) }

// used is how much of that memory has texts of this run in it. An earlier run may
// have needed more.
func (a *arena) used() int { return capacities(a.blocks[:min(a.full+1, len(a.blocks))], a.large) }

func capacities(lists ...[][]byte) (sum int) {
	for _, list := range lists {
		for _, b := range list {
			sum += cap(b)
		}
	}
	return sum
}

// reset removes all texts. It keeps the memory of the blocks and gives back that of
// large texts.
func (a *arena) reset() {
	for i := range a.blocks {
		a.blocks[i] = a.blocks[i][:0]
	}
	clear(a.large)
	a.full, a.large = 0, a.large[:0]
}
