// Package inflate inflates what is deflated (RFC 1951), for the parts of archives, which are the most of what is read
// of a workbook. It takes less than half of the time of compress/flate: it decodes into the memory of whoever reads, without
// a window between, and takes up to eight bytes of its input at a time.
package inflate

import (
	"encoding/binary"
	"errors"
	"io"
)

// ErrDamaged says that the input was not deflated, or has been changed.
var ErrDamaged = errors.New("the deflated bytes are damaged")

const (
	window       = 32 << 10 // how far a copy may lie back
	inputSize    = 64 << 10
	longestCopy  = 258
	inputAtOnce  = 16 // bytes that one turn of the fast loop may take
	outputAtOnce = 2 + longestCopy
)

// state is what stands next in the input.
type state uint8

// The states.
const (
	atBlock state = iota
	inStored
	inCodes
	atEnd
)

// Reader inflates what it reads from another reader. It reads up to inputSize bytes more of it than it needs.
type Reader struct {
	from io.Reader
	err  error // with which the input or the output ended

	input   [inputSize]byte
	at, end int    // of the bytes of input that are not used yet
	bits    uint64 // that were taken from input, the next one lowest
	held    uint   // how many

	state  state
	final  bool // the block is the last
	stored int  // bytes of the block that stand as they are
	length int  // bytes of a copy that are still to be made
	back   int  // how far it lies back

	before [window]byte // the last bytes of the output before what is read now
	known  int          // how many there are, at its end

	literals  [literalRoom]entry
	distances [distanceRoom]entry
	lengths   [mostLiterals + mostDistances]uint8
}

// NewReader makes a Reader of what is deflated.
func NewReader(from io.Reader) *Reader {
	r := new(Reader)
	r.Reset(from)
	return r
}

// Reset begins anew, with another input.
func (r *Reader) Reset(from io.Reader) {
	r.from, r.err = from, nil
	r.at, r.end, r.bits, r.held = 0, 0, 0, 0
	r.state, r.final, r.stored, r.length, r.known = atBlock, false, 0, 0, 0
}

// Close fills io.ReadCloser. There is nothing to close.
func (r *Reader) Close() error { return nil }

// Read fills io.Reader. It reads less than it may only at the end.
func (r *Reader) Read(into []byte) (n int, err error) {
	for n < len(into) && r.err == nil {
		switch r.state {
		case atBlock:
			r.block()
		case inStored:
			n = r.copyStored(into, n)
		case inCodes:
			n = r.decode(into, n)
		case atEnd:
			r.err = io.EOF
		}
	}
	r.remember(into[:n])
	if n > 0 {
		return n, nil
	}
	return 0, r.err
}

// remember keeps the last bytes of the output.
func (r *Reader) remember(output []byte) {
	if len(output) >= window {
		copy(r.before[:], output[len(output)-window:])
		r.known = window
		return
	}
	copy(r.before[:], r.before[len(output):])
	copy(r.before[window-len(output):], output)
	r.known = min(window, r.known+len(output))
}

// fill takes bits from the input until there are 56 of them or some more, or all.
func (r *Reader) fill() {
	for r.held < 56 {
		if r.at == r.end && !r.more() {
			return
		}
		r.bits |= uint64(r.input[r.at]) << r.held
		r.at++
		r.held += 8
	}
}

// more reads further input. It is false at its end.
func (r *Reader) more() bool {
	if r.at < r.end {
		copy(r.input[:], r.input[r.at:r.end])
	}
	r.at, r.end = 0, r.end-r.at
	for tries := 0; tries < 100; tries++ {
		n, err := r.from.Read(r.input[r.end:])
		r.end += n
		if n > 0 {
			return true
		}
		if err != nil {
			if !errors.Is(err, io.EOF) {
				r.fail(err)
			}
			return false
		}
	}
	r.fail(io.ErrNoProgress)
	return false
}

func (r *Reader) fail(err error) {
	if r.err == nil {
		r.err = err
	}
}

// take takes the given number of bits, at most 32. It is false if there are fewer.
func (r *Reader) take(n uint) (uint32, bool) {
	if r.held < n {
		if r.fill(); r.held < n {
			r.fail(io.ErrUnexpectedEOF)
			return 0, false
		}
	}
	v := uint32(r.bits & (1<<n - 1))
	r.bits >>= n
	r.held -= n
	return v, true
}

// block reads what stands before a block.
func (r *Reader) block() {
	if r.final {
		r.state = atEnd
		return
	}
	head, ok := r.take(3)
	if !ok {
		return
	}
	r.final = head&1 == 1
	switch head >> 1 {
	case 0:
		r.take(r.held & 7) // up to the next byte
		size, ok := r.take(32)
		if !ok {
			return
		}
		if uint16(size) != ^uint16(size>>16) {
			r.fail(ErrDamaged)
			return
		}
		r.stored, r.state = int(uint16(size)), inStored
	case 1:
		if r.fixed() {
			r.state = inCodes
		}
	case 2:
		if r.dynamic() {
			r.state = inCodes
		}
	default:
		r.fail(ErrDamaged)
	}
}

// copyStored copies bytes that stand in the input as they are.
func (r *Reader) copyStored(into []byte, n int) int {
	for r.stored > 0 && n < len(into) {
		if r.held > 0 { // whole bytes
			b, _ := r.take(8)
			into[n] = byte(b)
			n, r.stored = n+1, r.stored-1
			continue
		}
		if r.at == r.end && !r.more() {
			r.fail(io.ErrUnexpectedEOF)
			return n
		}
		copied := copy(into[n:], r.input[r.at:min(r.end, r.at+r.stored)])
		n, r.at, r.stored = n+copied, r.at+copied, r.stored-copied
	}
	if r.stored == 0 {
		r.state = atBlock
	}
	return n
}

// fixed makes the tables of a block that brings none.
func (r *Reader) fixed() bool {
	var lengths [288]uint8
	for i := range lengths {
		switch {
		case i < 144, i >= 280:
			lengths[i] = 8
		case i < 256:
			lengths[i] = 9
		default:
			lengths[i] = 7
		}
	}
	var distances [32]uint8
	for i := range distances {
		distances[i] = 5
	}
	return makeTable(r.literals[:], literalBits, lengths[:], literalEntries[:]) &&
		makeTable(r.distances[:], distanceBits, distances[:], distanceEntries[:])
}

// order is in which order the lengths of the codes stand by which those of the others are written.
var order = [19]uint8{16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15}

// dynamic reads the tables of a block.
func (r *Reader) dynamic() bool {
	head, ok := r.take(14)
	if !ok {
		return false
	}
	literals, distances, ordered := int(head&31)+257, int(head>>5&31)+1, int(head>>10)+4
	if literals > mostLiterals || distances > mostDistances {
		r.fail(ErrDamaged)
		return false
	}
	var own [19]uint8
	for _, i := range order[:ordered] {
		n, ok := r.take(3)
		if !ok {
			return false
		}
		own[i] = uint8(n)
	}
	var table [orderRoom]entry
	if !makeTable(table[:], orderBits, own[:], orderEntries[:]) {
		r.fail(ErrDamaged)
		return false
	}
	lengths := r.lengths[:literals+distances]
	for i := 0; i < len(lengths); {
		r.fill()
		e := table[r.bits&(orderRoom-1)]
		if e&isSpecial != 0 {
			r.failAt(e)
			return false
		}
		if _, ok := r.take(uint(e & 0xff)); !ok {
			return false
		}
		value, times := uint8(e>>16), 1
		if value >= 16 {
			extra, least := uint([]uint8{2, 3, 7}[value-16]), []int{3, 3, 11}[value-16]
			more, ok := r.take(extra)
			if !ok {
				return false
			}
			times = least + int(more)
			if value > 16 {
				value = 0
			} else if i > 0 {
				value = lengths[i-1]
			} else {
				times = len(lengths) + 1 // there is none to repeat
			}
		}
		if i+times > len(lengths) {
			r.fail(ErrDamaged)
			return false
		}
		for range times {
			lengths[i] = value
			i++
		}
	}
	if !makeTable(r.literals[:], literalBits, lengths[:literals], literalEntries[:]) ||
		!makeTable(r.distances[:], distanceBits, lengths[literals:], distanceEntries[:]) {
		r.fail(ErrDamaged)
		return false
	}
	return true
}

// failAt fails for an entry that is no code: the input is damaged, or ends there.
func (r *Reader) failAt(e entry) {
	if r.held < longestCode && e == noCode {
		r.fail(io.ErrUnexpectedEOF)
		return
	}
	r.fail(ErrDamaged)
}

// decode decodes up to the end of the block or of the output, and returns where the output ends.
func (r *Reader) decode(into []byte, n int) int {
	for r.err == nil && r.state == inCodes && n < len(into) {
		if r.length > 0 {
			n = r.copyBack(into, n)
			continue
		}
		if r.end-r.at >= inputAtOnce && len(into)-n >= outputAtOnce {
			n = r.decodeFast(into, n)
			continue
		}
		n = r.decodeOne(into, n)
	}
	return n
}

// decodeOne decodes a literal or a copy near the end of the input or of the output.
func (r *Reader) decodeOne(into []byte, n int) int {
	r.fill()
	e, ok := r.symbol(r.literals[:], literalMask)
	switch {
	case !ok:
	case e&isLiteral != 0:
		into[n] = byte(e >> 16)
		n++
	case e == endOfBlock:
		r.state = atBlock
	default:
		length := e >> 16
		if d, ok := r.symbol(r.distances[:], distanceMask); ok {
			r.length, r.back = int(length), int(d>>16)
		}
	}
	return n
}

// symbol takes a code with its extra bits, and returns its entry with these added; it has no lengths any more.
func (r *Reader) symbol(table []entry, mask uint64) (entry, bool) {
	r.fill()
	e := table[r.bits&mask]
	if e&isNested != 0 {
		if _, ok := r.take(uint(e & 0xff)); !ok {
			return 0, false
		}
		e = table[int(e>>16)+int(r.bits&(1<<(e>>8&31)-1))]
	}
	if e&(isSpecial|0xffff0000) == noCode {
		r.failAt(noCode)
		return 0, false
	}
	code, all := uint(e>>8&31), uint(e&0xff)
	if _, ok := r.take(code); !ok {
		return 0, false
	}
	extra, ok := r.take(all - code)
	return e&^0x1fff + extra<<16, ok
}

// copyBack makes a copy of what lies back, as far as there is room, and returns where the output ends.
func (r *Reader) copyBack(into []byte, n int) int {
	to := min(n+r.length, len(into))
	r.length -= to - n
	if r.back > n { // it begins before this output
		from := r.back - n
		if from > r.known {
			r.fail(ErrDamaged)
			return n
		}
		n += copy(into[n:to], r.before[window-from:])
	}
	return repeat(into, n, to, r.back)
}

// repeat fills the output up to a place with what lies back. If that overlaps what it makes, it copies twice as much each
// time.
func repeat(into []byte, n, to, back int) int {
	for from := n - back; n < to; {
		n += copy(into[n:to], into[from:n])
	}
	return n
}

// decodeFast decodes as long as input and output have room for more than one turn may take.
func (r *Reader) decodeFast(into []byte, n int) int {
	at, bits, held := r.at, r.bits, r.held
	input := r.input[:r.end]
	lastInput, lastOutput := len(input)-inputAtOnce, len(into)-outputAtOnce
	for at <= lastInput && n <= lastOutput {
		bits |= binary.LittleEndian.Uint64(input[at:]) << (held & 63)
		at += int(63-held) >> 3
		held |= 56
		e := r.literals[bits&literalMask]
		if e&isLiteral != 0 {
			bits >>= e & 63
			held -= uint(e & 0xff)
			into[n] = byte(e >> 16)
			n++
			if e = r.literals[bits&literalMask]; e&isLiteral != 0 {
				bits >>= e & 63
				held -= uint(e & 0xff)
				into[n] = byte(e >> 16)
				n++
				if e = r.literals[bits&literalMask]; e&isLiteral != 0 {
					bits >>= e & 63
					held -= uint(e & 0xff)
					into[n] = byte(e >> 16)
					n++
					continue
				}
			}
			bits |= binary.LittleEndian.Uint64(input[at:]) << (held & 63)
			at += int(63-held) >> 3
			held |= 56
		}
		if e&isSpecial != 0 {
			if e&isNested != 0 {
				bits >>= e & 63
				held -= uint(e & 0xff)
				e = r.literals[(uint64(e>>16)+bits&(1<<(e>>8&31)-1))&(literalRoom-1)]
			}
			if e&isLiteral != 0 {
				bits >>= e & 63
				held -= uint(e & 0xff)
				into[n] = byte(e >> 16)
				n++
				continue
			}
			if e&isSpecial != 0 {
				bits >>= e & 63
				held -= uint(e & 0xff)
				if e>>16 != endOfBlock>>16 {
					r.fail(ErrDamaged)
				}
				r.state = atBlock
				break
			}
		}
		length := int(e>>16) + int(bits&(1<<(e&63)-1)>>(e>>8&31))
		bits >>= e & 63
		held -= uint(e & 0xff)
		d := r.distances[bits&distanceMask]
		if d&isSpecial != 0 {
			if d&isNested != 0 {
				bits >>= d & 63
				held -= uint(d & 0xff)
				d = r.distances[(uint64(d>>16)+bits&(1<<(d>>8&31)-1))&(distanceRoom-1)]
			}
			if d&isSpecial != 0 {
				r.fail(ErrDamaged)
				break
			}
		}
		back := int(d>>16) + int(bits&(1<<(d&63)-1)>>(d>>8&31))
		bits >>= d & 63
		held -= uint(d & 0xff)
		switch {
		case back > n:
			r.length, r.back = length, back
			if n = r.copyBack(into, n); r.err != nil {
				r.at, r.bits, r.held = at, bits&(1<<held-1), held
				return n
			}
		case length <= 32 && back >= 8:
			from, to := into[n-back:], into[n:]
			for i := 0; i < length; i += 8 { // up to seven bytes too many, which come anew
				binary.LittleEndian.PutUint64(to[i:], binary.LittleEndian.Uint64(from[i:]))
			}
			n += length
		default:
			n = repeat(into, n, n+length, back)
		}
	}
	r.at, r.bits, r.held = at, bits&(1<<held-1), held
	return n
}
