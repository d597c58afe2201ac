package sheet

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"strings"
	"unicode/utf16"
)

// oleMagic begins every OLE2 compound file: an .xls, a protected .xlsx, a .doc.
const oleMagic = "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"

// The numbers of sectors at which a chain ends, and of entries of the directory that
// mean none.
const (
	endOfChain = 0xfffffffe
	noSector   = 0xffffffff
)

const (
	oleHeader  = 512
	oleEntry   = 128 // bytes of an entry of the directory
	miniShift  = 6   // sectors of short streams have 64 bytes
	rootEntry  = 5   // types of entries
	streamType = 2
)

// oleFile is an OLE2 compound file, a small file system: its bytes are divided into
// sectors, and the FAT has for each sector the number of the one that follows it in a
// stream. Every chain is followed for as many steps as the file has sectors at most,
// and no size that the file states is believed.
type oleFile struct {
	content []byte
	shift   uint     // a sector has 1<<shift bytes
	fat     []uint32 // the sectors that hold the FAT
	wideLen bool     // sizes of streams have 64 bits
}

// workbookStream returns the stream of the workbook. It returns ErrPassword if the file
// is the wrapper of a protected .xlsx, and errOther if it has no workbook.
func workbookStream(content []byte) (*recordStream, error) {
	c, err := openOLE(content)
	if err != nil {
		return nil, err
	}
	directory, err := c.chain(c.field(48), -1)
	if err != nil {
		return nil, err
	}
	streams, err := rootStreams(directory)
	if err != nil {
		return nil, err
	}
	for _, name := range []string{"workbook", "book"} {
		if entry := streams[name]; entry != nil {
			return c.stream(entry, directory)
		}
	}
	if streams["encryptedpackage"] != nil {
		return nil, ErrPassword
	}
	return nil, errOther
}

func broken(format string, values ...any) error {
	return fmt.Errorf(format+": %w", append(values, ErrBroken)...)
}

func openOLE(content []byte) (*oleFile, error) {
	if len(content) < oleHeader {
		return nil, broken("a compound file of %d bytes", len(content))
	}
	c := &oleFile{content: content, shift: uint(binary.LittleEndian.Uint16(content[30:]))}
	if c.shift != 9 && c.shift != 12 {
		return nil, broken("sectors of 2^%d bytes", c.shift)
	}
	c.wideLen = binary.LittleEndian.Uint16(content[26:]) > 3
	return c, c.findFAT()
}

// findFAT lists the sectors of the FAT: the header has the first 109 of them, and a
// chain of sectors the rest.
func (c *oleFile) findFAT() error {
	needed := c.sectors()>>(c.shift-2) + 1
	list := func(numbers []byte) (more bool) {
		for ; len(numbers) >= 4; numbers = numbers[4:] {
			sector := binary.LittleEndian.Uint32(numbers)
			if sector == noSector || len(c.fat) == needed {
				return false
			}
			c.fat = append(c.fat, sector)
		}
		return true
	}
	next := c.field(68)
	more := list(c.content[76:oleHeader])
	for more && next < endOfChain {
		sector := c.sector(next)
		if len(sector) < 1<<c.shift {
			return broken("a part of the FAT's list is missing")
		}
		more = list(sector[:len(sector)-4])
		next = binary.LittleEndian.Uint32(sector[len(sector)-4:])
	}
	return nil
}

// sectors is how many sectors the file can have.
func (c *oleFile) sectors() int { return len(c.content) >> c.shift }

func (c *oleFile) field(at int) uint32 { return binary.LittleEndian.Uint32(c.content[at:]) }

// sector returns the bytes of a sector: fewer than a sector has, or none, at the
// file's end.
func (c *oleFile) sector(n uint32) []byte {
	from := min((int64(n)+1)<<c.shift, int64(len(c.content)))
	return c.content[from:min(from+1<<c.shift, int64(len(c.content)))]
}

// next returns the sector that follows one in its stream.
func (c *oleFile) next(n uint32) uint32 {
	i := int(n >> (c.shift - 2))
	if i >= len(c.fat) {
		return noSector
	}
	entry := c.sector(c.fat[i])
	at := int(n&(1<<(c.shift-2)-1)) * 4
	if at+4 > len(entry) {
		return noSector
	}
	return binary.LittleEndian.Uint32(entry[at:])
}

// chain returns the bytes of a stream that begins with a sector: size of them, or all
// if size is below 0. It copies nothing if the sectors stand one after another.
func (c *oleFile) chain(first uint32, size int64) ([]byte, error) {
	pieces, err := c.pieces(first, size)
	return joined(pieces), err
}

func joined(pieces [][]byte) []byte {
	if len(pieces) == 1 {
		return pieces[0]
	}
	return bytes.Join(pieces, nil)
}

// pieces is chain for a stream in pieces: sectors that stand one after another are one.
func (c *oleFile) pieces(first uint32, size int64) (pieces [][]byte, _ error) {
	if size > int64(len(c.content)) {
		return nil, broken("a stream of %d bytes in a file of %d", size, len(c.content))
	}
	from, end, have := int64(0), int64(0), int64(0) // of the last piece, and the bytes of all
	steps := c.sectors() + 1
	for n := first; n != endOfChain && (size < 0 || have < size); n = c.next(n) {
		start := (int64(n) + 1) << c.shift
		if steps--; steps < 0 || start >= int64(len(c.content)) {
			return nil, broken("a chain of sectors leads nowhere")
		}
		if start != end || end == 0 {
			from, pieces = start, append(pieces, nil)
		}
		end = min(start+1<<c.shift, int64(len(c.content)))
		have += end - start
		pieces[len(pieces)-1] = c.content[from:end]
	}
	if have < size {
		return nil, broken("a stream of %d bytes breaks off after %d", size, have)
	}
	if last := len(pieces) - 1; size >= 0 && last >= 0 {
		pieces[last] = pieces[last][:int64(len(pieces[last]))-have+size]
	}
	return pieces, nil
}

// stream returns the bytes of an entry of the directory. Short streams lie in one long
// stream, the root's, with a FAT of their own.
func (c *oleFile) stream(entry, directory []byte) (*recordStream, error) {
	first, size := c.extent(entry)
	if size >= int64(c.field(56)) {
		pieces, err := c.pieces(first, size)
		return newRecordStream(pieces), err
	}
	rootFirst, rootSize := c.extent(directory)
	minis, err := c.chain(rootFirst, rootSize)
	if err != nil {
		return nil, err
	}
	fat, err := c.chain(c.field(60), -1)
	if err != nil {
		return nil, err
	}
	if size > int64(len(minis)) {
		return nil, broken("a short stream of %d bytes among %d", size, len(minis))
	}
	var all []byte
	for n := int64(first); int64(len(all)) < size; {
		if n<<miniShift >= int64(len(minis)) || n*4+4 > int64(len(fat)) {
			return nil, broken("a short stream breaks off after %d of %d bytes", len(all), size)
		}
		all = append(all, minis[n<<miniShift:min((n+1)<<miniShift, int64(len(minis)))]...)
		n = int64(binary.LittleEndian.Uint32(fat[n*4:]))
	}
	return newRecordStream([][]byte{all[:size]}), nil
}

// extent returns an entry's first sector and its size. Where sizes have 32 bits, what
// stands beside them may be anything. A size beyond any file is found by chain.
func (c *oleFile) extent(entry []byte) (first uint32, size int64) {
	first, size = binary.LittleEndian.Uint32(entry[116:]), int64(binary.LittleEndian.Uint32(entry[120:]))
	if c.wideLen {
		size |= int64(binary.LittleEndian.Uint32(entry[124:])&0x7fffffff) << 32
	}
	return first, size
}

// rootStreams returns the entries of the streams that lie in the root, by their names
// in lower case. The entries of a folder are a tree, from which files of other
// programs, set into a sheet, are kept apart: they have workbooks of their own.
func rootStreams(directory []byte) (map[string][]byte, error) {
	entries := len(directory) / oleEntry
	if entries == 0 || directory[66] != rootEntry {
		return nil, broken("no root in the directory")
	}
	streams := map[string][]byte{}
	waiting := []uint32{binary.LittleEndian.Uint32(directory[76:])}
	for left := entries; len(waiting) > 0; left-- {
		n := waiting[len(waiting)-1]
		waiting = waiting[:len(waiting)-1]
		if n == noSector {
			left++
			continue
		}
		if int64(n) >= int64(entries) || left == 0 {
			return nil, broken("the directory leads nowhere")
		}
		entry := directory[int(n)*oleEntry:][:oleEntry]
		if name := entryName(entry); entry[66] == streamType && wanted(name) && streams[name] == nil {
			streams[name] = entry
		}
		waiting = append(waiting, binary.LittleEndian.Uint32(entry[68:]), binary.LittleEndian.Uint32(entry[72:]))
	}
	return streams, nil
}

func wanted(name string) bool {
	return name == "workbook" || name == "book" || name == "encryptedpackage"
}

// entryName returns the name of an entry in lower case, or "" if it is longer than a
// name may be.
func entryName(entry []byte) string {
	n := int(binary.LittleEndian.Uint16(entry[64:]))
	if n < 2 || n > 64 {
		return ""
	}
	units := make([]uint16, 0, 32)
	for i := 0; i+1 < n; i += 2 {
		units = append(units, binary.LittleEndian.Uint16(entry[i:]))
	}
	name := string(utf16.Decode(units))
	name, _, _ = strings.Cut(name, "\x00")
	return strings.ToLower(name)
}

// isXLS says whether a file is an .xls, or the wrapper of a protected workbook: an
// OLE2 compound file, or the records of a workbook without a container.
func isXLS(content []byte) bool {
	return bytes.HasPrefix(content, []byte(oleMagic)) || isBareXLS(content)
}
