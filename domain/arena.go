package domain

import "bytes"

// arena keeps copies of short texts side by side. What a run needs of the two
// files (names, AWBs, references) is copied into one, for two reasons: the files
// themselves can go as soon as they are read, and the copies of a whole file
// fit a processor's cache, where the file does not. A warm arena allocates
// nothing.
type arena struct {
	blocks [][]byte // all of the same size
	full   int      // how many of them are used up
	large  [][]byte // texts that would leave much of a block unused
}

const (
	arenaBlock = 256 << 10
	largeText  = arenaBlock / 4
)

// keep returns a copy of text, which is good until the arena is reset.
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

// within finds part in a text that was kept, or keeps it too.
func (a *arena) within(kept, part []byte) []byte {
	if i := len(kept) - len(part); bytes.HasSuffix(kept, part) { // #1001 and 1001
		return kept[i:]
	}
	if i := bytes.Index(kept, part); i >= 0 {
		return kept[i : i+len(part) : i+len(part)]
	}
	return a.keep(part)
}

// bytes is how much memory the arena holds.
func (a *arena) bytes() int {
	n := 0
	for _, b := range a.blocks {
		n += cap(b)
	}
	for _, b := range a.large {
		n += cap(b)
	}
	return n
}

// used is how much of it has texts in it; an earlier run may have left more.
func (a *arena) used() int {
	n := 0
	for _, b := range a.blocks[:min(a.full+1, len(a.blocks))] {
		n += cap(b)
	}
	for _, b := range a.large {
		n += cap(b)
	}
	return n
}

// reset forgets the texts and keeps the memory, but for that of large ones.
func (a *arena) reset() {
	for i := range a.blocks {
		a.blocks[i] = a.blocks[i][:0]
	}
	clear(a.large)
	a.full, a.large = 0, a.large[:0]
}
