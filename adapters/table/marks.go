package table

import (
	"encoding/binary"
	"math"
	"math/bits"
	"sync"
)

// marks are where the bytes that matter stand among 64 bytes of a text, a bit for each
// byte, the first in the lowest bit.
type marks struct{ commas, quotes, eols uint64 }

const markedBytes = 64

// markPlain marks 64 bytes of a text for each of the marks, eight bytes at a time.
func markPlain(text []byte, into []marks, comma, eol byte) {
	commas, quotes, eols := ones*uint64(comma), uint64(ones*quote), ones*uint64(eol)
	for i := range into {
		block := text[i*markedBytes:][:markedBytes]
		var m marks
		for at := 0; at < markedBytes; at += 8 {
			word := binary.LittleEndian.Uint64(block[at:])
			m.commas |= where(word, commas) << at
			m.quotes |= where(word, quotes) << at
			m.eols |= where(word, eols) << at
		}
		into[i] = m
	}
}

const (
	ones = 0x0101010101010101
	low7 = 0x7f7f7f7f7f7f7f7f
)

// where gives eight bits, one for each byte of w that is the byte of which pattern
// consists.
func where(w, pattern uint64) uint64 {
	x := w ^ pattern
	equal := ^(((x & low7) + low7) | x | low7) // 0x80 in each byte that is equal
	return equal * 0x0002040810204081 >> 56    // moves these bits together: none of the products meet
}

// marker finds the delimiters and line ends of a text that stand in no quoted cell, a window at a
// time, which begins with a record. It understands quotation marks that open a cell right after a
// delimiter, and close it right before one, and cells of the form ="…". At others, which are odd, it
// ends the window.
type marker struct {
	from    int      // where the window begins
	ends    []uint16 // -1, and where in the window its delimiters and line ends stand
	lines   []uint16 // the line ends alone
	inEnds  int      // how many ends has; the rest is room
	inLines int      // how many lines has
	cell    int      // where in ends the present record begins: with the end of the one before
	line    int      // which of lines ends the present record

	blocks int    // how many times 64 bytes the next window has
	inside uint64 // all bits: the next bytes begin inside a quoted cell
	parted uint64 // 1: the byte before them is a delimiter, a line end or a closing mark
	shut   uint64 // 1: that byte is a closing mark
	lent   *room  // that ends and lines are in; nil: they have memory of their own, or none
}

// room is for the ends and lines of a window of usual size. Rooms are used again: for a small file they would be most of what
// reading it allocates.
type room struct {
	ends, lines [1 + (usualBlocks+1)*markedBytes]uint16
}

var rooms = sync.Pool{New: func() any { return new(room) }}

// grow makes room for the window.
func (m *marker) grow() {
	m.giveBack()
	if m.blocks <= usualBlocks {
		m.lent = rooms.Get().(*room)
		m.ends, m.lines = m.lent.ends[:], m.lent.lines[:]
	} else {
		m.ends, m.lines = make([]uint16, 1+(m.blocks+1)*markedBytes), make([]uint16, 1+(m.blocks+1)*markedBytes)
	}
	m.ends[0] = math.MaxUint16
}

// giveBack lets others use the room: the next window needs another one.
func (m *marker) giveBack() {
	if m.lent != nil {
		rooms.Put(m.lent)
	}
	m.ends, m.lines, m.lent = nil, nil, nil
}

// usualBlocks is how many times 64 bytes a window has at most unless one record is longer, and
// mostBlocks how many it has then. A position in the largest one has 16 bits.
const (
	usualBlocks = 64
	mostBlocks  = 512
)

// none makes the marker begin anew, with a small window: a file of odd records is not marked far
// ahead each time.
func (m *marker) none() { m.inEnds, m.inLines, m.cell, m.line, m.blocks = 0, 0, 0, 0, 1 }

// find makes the record at a position the present one, which none or the end of the one before
// was before, but for empty lines. It returns false if the record has an odd quotation mark, or
// is longer than the largest window.
func (m *marker) find(text []byte, at int, d dialect) bool {
	for m.line < m.inLines && m.from+int(m.lines[m.line]) < at { // an empty line
		m.line++
		m.cell++
	}
	if m.line < m.inLines {
		return true
	}
	m.from = at
	for {
		whole := m.fill(text, d)
		switch {
		case m.inLines == 0 && (!whole || m.blocks*markedBytes > len(text)-at || m.blocks == mostBlocks):
			return false
		case m.inLines == 0:
			m.blocks *= 2
			continue
		case !whole:
			m.blocks = 1
		case m.blocks < usualBlocks:
			m.blocks *= 2
		}
		return true
	}
}

// fill marks the window. It returns false if the window ends at an odd quotation mark. The end of the
// text counts as the end of a line.
func (m *marker) fill(text []byte, d dialect) (whole bool) {
	window := text[m.from:min(m.from+m.blocks*markedBytes, len(text))]
	if len(m.ends) <= (m.blocks+1)*markedBytes {
		m.grow()
	}
	m.inEnds, m.inLines, m.line, m.cell = 1, 0, 0, 0
	m.inside, m.parted, m.shut = 0, 1, 0
	blocks := len(window) / markedBytes
	for at := 0; at < blocks; {
		if at = m.fillFast(window, at, blocks, d); at == blocks {
			break
		}
		var next [8]marks
		some := next[:min(len(next), blocks-at)]
		mark(window[at*markedBytes:], some, d.comma, d.eol)
		for i := range some {
			if !m.place(&some[i], text, at, d) {
				return false
			}
			at++
		}
	}
	if blocks == m.blocks {
		return true
	}
	var last [markedBytes]byte
	var marked [1]marks
	end := uint64(1) << copy(last[:], window[blocks*markedBytes:])
	mark(last[:], marked[:], d.comma, d.eol)
	marked[0].commas, marked[0].eols = marked[0].commas&(end-1), marked[0].eols|end
	return m.place(&marked[0], text, blocks, d)
}

// place adds where the delimiters and line ends of a block stand. It returns false if it adds only those before an odd
// quotation mark.
func (m *marker) place(now *marks, text []byte, block int, d dialect) (whole bool) {
	whole = true
	if now.quotes|m.inside|m.shut == 0 {
		m.parted = (now.commas | now.eols) >> 63
	} else {
		whole = m.quoted(now, text, m.from+block*markedBytes, d)
	}
	all := now.commas | now.eols
	places(all, m.ends[m.inEnds:], uint16(block*markedBytes))
	m.inEnds += bits.OnesCount64(all)
	for ends := now.eols; ends != 0; ends &= ends - 1 {
		m.lines[m.inLines] = uint16(block*markedBytes + bits.TrailingZeros64(ends))
		m.inLines++
	}
	return whole
}

// placesPlain tells the places of the bits of all, in a block that begins at a place.
func placesPlain(all uint64, into []uint16, from uint16) {
	for i := 0; all != 0; i++ {
		into[i] = from + uint16(bits.TrailingZeros64(all))
		all &= all - 1
	}
}

// quoted leaves the marks of delimiters and line ends that stand in no quoted cell, for 64 bytes from a
// position on that have quotation marks or follow some. It returns false if it leaves only those
// before an odd quotation mark.
func (m *marker) quoted(now *marks, text []byte, at int, d dialect) (whole bool) {
	in := now.quotes // from an opening mark on up to the byte before its closing mark
	in ^= in << 1
	in ^= in << 2
	in ^= in << 4
	in ^= in << 8
	in ^= in << 16
	in ^= in<<32 ^ m.inside
	opening, closing := now.quotes&in, now.quotes&^in
	commas, eols := now.commas&^in, now.eols&^in
	parting := commas | eols | closing
	odd := opening&^(parting<<1|m.parted) | (closing<<1|m.shut)&^(commas|eols|opening)
	whole = true
	if odd != 0 {
		if first := firstOdd(odd, closing<<1|m.shut, text, at, d); first != 0 {
			whole = false
			commas, eols = commas&(first-1), eols&(first-1)
		}
	}
	now.commas, now.eols = commas, eols
	m.inside, m.parted, m.shut = uint64(int64(in)>>63), parting>>63, closing>>63
	return whole
}

// firstOdd is the first of some quotation marks among 64 bytes from a position on that is odd after all; 0 if none
// is. shut are the bytes behind marks that close a cell.
func firstOdd(odd, shut uint64, text []byte, from int, d dialect) uint64 {
	for ; odd != 0; odd &= odd - 1 {
		first, at := odd&-odd, from+bits.TrailingZeros64(odd)
		if closes := shut&first != 0; closes && !d.endsInCR(text[at:]) || !closes && !d.opensWrapped(text, at) {
			return first
		}
	}
	return 0
}

// opensWrapped says whether the quotation mark at a position is the first one of a cell of the form ="…".
func (d dialect) opensWrapped(text []byte, at int) bool {
	return at > 0 && (at == 1 || text[at-2] == d.comma || text[at-2] == d.eol) && d.wrapped(text[at-1:]) > 0
}

// endsInCR says whether a text begins with a \r that belongs to the line's end.
func (d dialect) endsInCR(text []byte) bool {
	return len(text) > 0 && len(d.withoutLoneCR(text)) < len(text)
}
