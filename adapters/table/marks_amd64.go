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
