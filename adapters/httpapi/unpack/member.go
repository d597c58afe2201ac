package unpack

import (
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io"

	"github.com/klauspost/compress/flate"
)

// mostTables is how many bytes of a gzip stream may be tables of blocks, of which each counts as one of tableBytes at
// least. To read the tables of a block takes some 2 µs, however little text follows. Encoders write a block for some
// 10 KB of text, and one each time they flush.
const (
	mostTables = 2 << 20
	tableBytes = 10
)

// mostBuffered is how many bytes are read at most before a text is given out that has filled the window: 32 KB of 15 bits.
const mostBuffered = 64 << 10

// member reads the one member of a gzip stream (RFC 1952).
type member struct {
	from   *counted
	text   io.Reader // gives out what it has at the end of each block
	sum    uint32
	size   uint32
	tables int // bytes so far, but for the last block

	block struct{ packed, text int } // bytes of the last block
}

func (b *Body) beginGzip() error {
	m := &member{from: &b.packed}
	if err := m.begin(); err != nil {
		return err
	}
	m.text = flate.NewReaderOpts(m.from, flate.WithPartialBlock())
	b.stream = m
	return nil
}

// The flags of a header, and how long a name or a comment may be.
const (
	flagSum, flagExtra, flagName, flagComment, reservedFlags = 1 << 1, 1 << 2, 1 << 3, 1 << 4, 0xe0

	mostName = 512
)

var errNoMember = errors.New("the header of a gzip stream is none")

// begin reads the header.
func (m *member) begin() error {
	sum := crc32.NewIEEE()
	head := io.TeeReader(m.from, sum)
	var fixed [10]byte
	if _, err := io.ReadFull(head, fixed[:]); err != nil {
		return err
	}
	flags := fixed[3]
	if fixed[0] != 0x1f || fixed[1] != 0x8b || fixed[2] != 8 || flags&reservedFlags != 0 {
		return errNoMember
	}
	if flags&flagExtra != 0 {
		if _, err := io.ReadFull(head, fixed[:2]); err != nil {
			return err
		}
		if _, err := io.CopyN(io.Discard, head, int64(binary.LittleEndian.Uint16(fixed[:]))); err != nil {
			return err
		}
	}
	for _, flag := range []byte{flagName, flagComment} {
		for i := 0; flags&flag != 0; i++ {
			if _, err := io.ReadFull(head, fixed[:1]); err != nil {
				return err
			}
			if fixed[0] == 0 {
				break
			}
			if i == mostName {
				return errNoMember
			}
		}
	}
	if flags&flagSum == 0 {
		return nil
	}
	want := uint16(sum.Sum32())
	if _, err := io.ReadFull(m.from, fixed[:2]); err != nil {
		return err
	}
	if binary.LittleEndian.Uint16(fixed[:]) != want {
		return errNoMember
	}
	return nil
}

func (m *member) Read(p []byte) (n int, err error) {
	before := m.from.used()
	m.from.idle = before + mostBuffered + mostTables - m.tables
	n, err = m.text.Read(p)
	m.from.idle = 0
	if packed := m.from.used() - before; packed > 0 {
		m.tables += tableBytes + max(0, m.block.packed-m.block.text)
		m.block.packed, m.block.text = packed, 0
	}
	m.block.text += n
	if m.tables > mostTables {
		return n, errManyBlocks
	}
	m.sum, m.size = crc32.Update(m.sum, crc32.IEEETable, p[:n]), m.size+uint32(n) //nolint:gosec // by 2³², as the trailer has it
	if errors.Is(err, io.EOF) {
		return n, m.end()
	}
	return n, err
}

// end reads the trailer.
func (m *member) end() error {
	var trailer [8]byte
	if _, err := io.ReadFull(m.from, trailer[:]); err != nil {
		return whole(err)
	}
	if binary.LittleEndian.Uint32(trailer[:]) != m.sum || binary.LittleEndian.Uint32(trailer[4:]) != m.size {
		return errNoMember
	}
	return io.EOF
}
