package jsonbody

import "golang.org/x/sys/cpu"

// fast says that the processor has the instructions of plainAVX2.
var fast = cpu.X86.HasAVX2 && cpu.X86.HasBMI1

// vector is how many bytes plainAVX2 reads and writes at once. What it writes must not reach what
// it has not read.
const vector = 32

// goOnFast does the beginning of what goOn does, from index i on and writing to index w, as far as
// it can: it stops where goOn must look closer, and returns both indexes.
func (u *unescaping) goOnFast(buf []byte, w, i int) (int, int) {
	for fast && i-w >= vector {
		w, i = plainAVX2(buf, w, i, &short)
		stop, invalid := beyondASCII(buf, i)
		if stop == i {
			break
		}
		u.invalid += invalid
		w += copy(buf[w:], buf[i:stop])
		i = stop
	}
	return w, i
}

// plainAVX2 decodes ASCII and escapes of one letter. It stops before anything else, and before the
// last bytes of buf. i must be at least vector bytes beyond w.
//
//go:noescape
func plainAVX2(buf []byte, w, i int, short *[256]byte) (int, int)
