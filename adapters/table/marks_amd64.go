package table

import "golang.org/x/sys/cpu"

// fast says that the processor has the instructions of markAVX2.
var fast = cpu.X86.HasAVX2

// mark is markPlain, 32 bytes at once where the processor can do that.
func mark(text []byte, into []marks, comma, eol byte) {
	if !fast || len(into) == 0 {
		markPlain(text, into, comma, eol)
		return
	}
	_ = text[len(into)*markedBytes-1]
	markAVX2(&text[0], &into[0], len(into), comma, eol)
}

// markAVX2 marks blocks times 64 bytes.
//
//go:noescape
func markAVX2(text *byte, into *marks, blocks int, comma, eol byte)

// places is placesPlain, where the processor can do that eight at once. It may write 64 places.
func places(all uint64, into []uint16, from uint16) {
	if !cpu.X86.HasBMI1 {
		placesPlain(all, into, from)
		return
	}
	_ = into[markedBytes-1]
	placesBMI1(all, &into[0], from)
}

// placesBMI1 is places for a processor that counts zeros in one step.
//
//go:noescape
func placesBMI1(all uint64, into *uint16, from uint16)

// fastest says that the processor has the instructions of fillAVX512.
var fastest = cpu.X86.HasAVX512F && cpu.X86.HasAVX512BW && cpu.X86.HasAVX512VBMI2 && cpu.X86.HasBMI1 && cpu.X86.HasPCLMULQDQ

// fillFast marks and places blocks of the window, as far as it can: it returns the first that seems to have an odd
// quotation mark, or to.
func (m *marker) fillFast(window []byte, from, to int, d dialect) (at int) {
	if !fastest {
		return from
	}
	_, _, _ = window[to*markedBytes-1], m.ends[(to+1)*markedBytes], m.lines[(to+1)*markedBytes]
	return fillAVX512(m, &window[0], from, to, d.comma, d.eol)
}

// fillAVX512 is fillFast for a window of which all blocks are there. It writes 64 places for each block.
//
//go:noescape
func fillAVX512(m *marker, window *byte, from, to int, comma, eol byte) (at int)
