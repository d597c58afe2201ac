package domain

// arena keeps copies of short texts side by side. What a run needs of the two
// files (names, AWBs, references) is copied into one, for two reasons: the files
// themselves can go as soon as they are read, and the copies of a whole file
// fit a processor's cache, where the file does not. A warm arena allocates
// nothing.
type arena struct {
	blocks [][]byte // all of the same size, but for those of texts larger than that
	full   int      // how many of them are used up
}

const arenaBlock = 256 << 10

// keep returns a copy of text, which is good until the arena is reset.
func (a *arena) keep(text []byte) []byte {
	if len(text) == 0 {
		return nil
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
	b := append(make([]byte, 0, max(arenaBlock, len(text))), text...)
	a.blocks = append(a.blocks, b)
	return b[:len(b):len(b)]
}

// bytes is how much memory the arena holds.
func (a *arena) bytes() int {
	n := 0
	for _, b := range a.blocks {
		n += cap(b)
	}
	return n
}

// reset forgets the texts and keeps the memory.
func (a *arena) reset() {
	for i := range a.blocks {
		a.blocks[i] = a.blocks[i][:0]
	}
	a.full = 0
}
