package table

// mark is markPlain by the instructions for 16 bytes at once that every amd64 processor has.
func mark(text []byte, into []marks, comma, eol byte) {
	if len(into) > 0 {
		_ = text[len(into)*markedBytes-1]
		markSSE2(&text[0], &into[0], len(into), comma, eol)
	}
}

// markSSE2 marks blocks times 64 bytes.
//
//go:noescape
func markSSE2(text *byte, into *marks, blocks int, comma, eol byte)
