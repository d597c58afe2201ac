package unpack

import (
	"errors"
	"io"

	"github.com/klauspost/compress/zstd"
)

// MaxWindow is the largest window of a zstd frame, in bytes: the largest that the coding allows (RFC 9659).
const MaxWindow = 8 << 20

// MostTaken is the most that is charged for unpacking a body, in bytes.
const MostTaken = MaxWindow + 1<<20 + ofBlocks

// ofBlocks is what a decoder takes at most besides its window, in bytes: a block, its literals and its tables.
const ofBlocks = 512 << 10

// mostBlocks is how many blocks a frame may have. The largest body has half as many of the smallest
// window, and unpacking the tables of a block takes some 10 µs, however few bytes it has.
const mostBlocks = 50_000

// takenBy returns what the decoder takes for a window. It has a buffer larger than that, in which
// the window moves.
func takenBy(window uint64) int64 {
	room := window
	if window >= 2<<20 {
		room = 1 << 20
	}
	return int64(window+room) + ofBlocks
}

func (b *Body) beginZstd() error {
	f := &frame{from: &b.packed}
	window, err := f.begin()
	if err != nil {
		return err
	}
	if window > MaxWindow {
		b.packed.failed = b.errs.Window
		return b.errs.Window
	}
	giveBack, err := b.charge(takenBy(window))
	if err != nil {
		b.packed.failed = err
		return err
	}
	// It works in the goroutine that reads, and is kept for no other body: that may have a smaller window.
	stream, err := zstd.NewReader(f, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true), zstd.WithDecoderMaxWindow(MaxWindow))
	if err != nil {
		giveBack()
		return err
	}
	b.stream, b.end = stream, func() { stream.Close(); giveBack() }
	return nil
}

// frame reads a frame of zstd (RFC 8878, section 3.1.1) and nothing of what follows it. A decoder alone
// would read one frame after the other.
type frame struct {
	from     *counted
	head     []byte // of the frame or a block, which is not handed on yet
	rest     int    // bytes of the block or the checksum that are not handed on yet
	checksum bool   // comes yet
	blocks   int    // so far
	last     bool   // there is no further block
}

var (
	errManyBlocks = errors.New("the stream has too many blocks")
	errNoText     = errors.New("the frame is to be skipped, or needs a dictionary")
)

// begin reads the header, and returns how many bytes the frame's window has.
func (f *frame) begin() (window uint64, err error) {
	var h zstd.Header
	for err = io.ErrUnexpectedEOF; errors.Is(err, io.ErrUnexpectedEOF); err = h.Decode(f.head) {
		b, err := f.from.ReadByte()
		if err != nil {
			return 0, err
		}
		f.head = append(f.head, b)
	}
	if err == nil && (h.Skippable || h.DictionaryID != 0) {
		err = errNoText
	}
	f.checksum = h.HasCheckSum
	if h.SingleSegment {
		return h.FrameContentSize, err
	}
	return h.WindowSize, err
}

func (f *frame) Read(p []byte) (n int, err error) {
	if len(f.head) == 0 && f.rest == 0 {
		if err := f.next(); err != nil {
			return 0, err
		}
	}
	if len(f.head) > 0 {
		n = copy(p, f.head)
		f.head = f.head[n:]
		return n, nil
	}
	n, err = f.from.Read(p[:min(len(p), f.rest)])
	f.rest -= n
	return n, whole(err)
}

// next reads the header of the next block, if one comes.
func (f *frame) next() error {
	switch {
	case f.last && f.checksum:
		f.checksum, f.rest = false, 4
		return nil
	case f.last:
		return io.EOF
	}
	var head [3]byte
	if _, err := io.ReadFull(f.from, head[:]); err != nil {
		return whole(err)
	}
	bits := int(head[0]) | int(head[1])<<8 | int(head[2])<<16
	f.head, f.last, f.rest = head[:], bits&1 != 0, bits>>3
	if f.blocks++; f.blocks > mostBlocks {
		return errManyBlocks
	}
	if bits>>1&3 == 1 { // one byte, to be repeated
		f.rest = 1
	}
	return nil
}

// whole makes the end an error, where the frame goes on.
func whole(err error) error {
	if errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	return err
}
