package table

import (
	"encoding/binary"
	"math/bits"
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

// marker goes through a text, 64 bytes at a time, and finds the delimiters and line ends that
// stand in no quoted cell. It understands quotation marks that open a cell right after a
// delimiter, and close it right before one, and cells of the form ="…". Of others it only says
// that they are odd.
type marker struct {
	from         int    // where the present 64 bytes begin; negative: nothing is marked
	commas, eols uint64 // of the present bytes, those in no quoted cell
	odd          bool   // the marks end before an odd quotation mark

	inside uint64 // all bits: the next bytes begin inside a quoted cell
	parted uint64 // 1: the byte before them is a delimiter, a line end or a closing mark
	shut   uint64 // 1: that byte is a closing mark

	ahead [windowBlocks]marks
	taken int // how many of ahead are behind
	ready int // how many are filled
	next  int // how many are to be filled at once
}

// windowBlocks is how many times 64 bytes are marked at once.
const windowBlocks = 32

// none makes the marker begin anew.
func (m *marker) none() { m.from = -2 * markedBytes }

// begin marks the text from a position on, at which a record begins.
func (m *marker) begin(at int) {
	m.from, m.odd, m.inside, m.parted, m.shut = at-markedBytes, false, 0, 1, 0
	m.taken, m.ready, m.next = 0, 0, 1 // a file of odd records is not marked far ahead each time
}

// advance marks the next 64 bytes. It returns false at the end of the text, and after an
// odd quotation mark.
func (m *marker) advance(text []byte, d dialect) bool {
	m.from += markedBytes
	if m.odd || m.from > len(text) {
		return false
	}
	if m.taken == m.ready {
		m.fill(text[m.from:], d)
	}
	now := &m.ahead[m.taken]
	m.taken++
	if now.quotes|m.inside|m.shut == 0 {
		m.commas, m.eols, m.parted = now.commas, now.eols, (now.commas|now.eols)>>63
		return true
	}
	m.quoted(now, text, d)
	return true
}

// quoted finds the delimiters and line ends among 64 bytes that have quotation marks or follow some.
func (m *marker) quoted(now *marks, text []byte, d dialect) {
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
	if odd != 0 {
		if first := m.firstOdd(odd, closing<<1|m.shut, text, d); first != 0 {
			m.odd = true
			commas, eols = commas&(first-1), eols&(first-1)
		}
	}
	m.commas, m.eols = commas, eols
	m.inside, m.parted, m.shut = uint64(int64(in)>>63), parting>>63, closing>>63
}

// firstOdd is the first of some quotation marks that is odd after all; 0 if none is. shut are the bytes behind
// marks that close a cell.
func (m *marker) firstOdd(odd, shut uint64, text []byte, d dialect) uint64 {
	for ; odd != 0; odd &= odd - 1 {
		first, at := odd&-odd, m.from+bits.TrailingZeros64(odd)
		if closes := shut&first != 0; closes && !d.endsInCR(text[at:]) || !closes && !d.opensWrapped(text, at) {
			return first
		}
	}
	return 0
}

// fill marks text ahead. The end of the text counts as the end of a line.
func (m *marker) fill(text []byte, d dialect) {
	m.taken, m.ready = 0, min(m.next, len(text)/markedBytes)
	m.next = min(2*m.next, windowBlocks)
	if m.ready > 0 {
		mark(text, m.ahead[:m.ready], d.comma, d.eol)
		return
	}
	var last [markedBytes]byte
	n := copy(last[:], text)
	m.ready = 1
	mark(last[:], m.ahead[:1], d.comma, d.eol)
	end, a := uint64(1)<<n, &m.ahead[0]
	a.commas, a.eols = a.commas&(end-1), a.eols|end
}

// opensWrapped says whether the quotation mark at a position is the first one of a cell of the form ="…".
func (d dialect) opensWrapped(text []byte, at int) bool {
	return at > 0 && (at == 1 || text[at-2] == d.comma || text[at-2] == d.eol) && d.wrapped(text[at-1:]) > 0
}

// endsInCR says whether a text begins with a \r that belongs to the line's end.
func (d dialect) endsInCR(text []byte) bool {
	return len(text) > 0 && len(d.withoutLoneCR(text)) < len(text)
}
