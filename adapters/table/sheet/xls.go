package sheet

import (
	"cmp"
	"encoding/binary"
	"slices"
	"sort"

	"golang.org/x/text/encoding/charmap"
)

// The records of BIFF5 and BIFF8 that are read.
const (
	recFormula    = 0x0006
	recEnd        = 0x000a
	recEpoch      = 0x0022
	recProtected  = 0x002f
	recContinue   = 0x003c
	recCodePage   = 0x0042
	recSheet      = 0x0085
	recNumbers    = 0x00bd
	recBlanks     = 0x00be
	recRichLabel  = 0x00d6
	recStyle      = 0x00e0
	recMerged     = 0x00e5
	recStrings    = 0x00fc
	recSharedText = 0x00fd
	recSize       = 0x0200
	recBlank      = 0x0201
	recNumber     = 0x0203
	recLabel      = 0x0204
	recTruth      = 0x0205
	recResult     = 0x0207 // the text that the formula before it gives
	recRow        = 0x0208
	recArray      = 0x0221 // these three stand between a formula and its text
	recTable      = 0x0236
	recShared     = 0x04bc
	recSmallNum   = 0x027e
	recFormat     = 0x041e
	recBegin      = 0x0809
)

// biff8 is the version since which texts are Unicode. BIFF5 has them in a code page.
const biff8 = 0x0600

// longestRecord is how many bytes a record has at most. Longer ones are continued.
const longestRecord = 8224

// The kinds of a part that a recBegin names, and of a sheet that a recSheet names.
const (
	partWorkbook = 0x0005
	partSheet    = 0x0010
	plainSheet   = 0
)

// The sheets of a workbook, and the columns of a sheet. No program makes as many
// sheets; reading each of a million takes long, however short they are.
const (
	mostSheets = 4096
	xlsColumns = 256
)

// xlsBook is an .xls: a stream of records, of which the first part describes the
// workbook, and one part after it each sheet.
type xlsBook struct {
	contents
	stream   *recordStream
	sheets   []xlsSheet
	most     int64 // bytes that a text may have
	left     int64 // bytes that the texts of all readings may have
	claim    func(bytes int) error
	passed   func(part []byte) // nil: nobody asks
	wide     bool              // BIFF8
	codePage *charmap.Charmap  // of BIFF5; nil: UTF-8, or else Windows-1252
	from1904 bool
	styles   []format // what numbers are, by style
	cell     []byte   // room for a cell
	texts    []byte   // the table of texts, one after another
	ends     []uint32 // where each of them ends
	merged   []Merged
}

// xlsSheet is where a sheet's part begins, and where the next one's does.
type xlsSheet struct {
	name       string
	hidden     bool
	plain      bool // it has cells, and is no chart
	begin, end int
}

// openXLS opens an .xls of BIFF8, or of BIFF5, which Excel 95 wrote. It returns
// ErrPassword for a protected workbook, which may be an .xlsx, and ErrBroken for a damaged
// one and for one that is older than Excel 5.
func openXLS(content []byte, l Limits) (Workbook, error) {
	stream := newRecordStream([][]byte{content})
	if !isBareXLS(content) {
		var err error
		if stream, err = workbookStream(content); err != nil {
			return nil, err
		}
	}
	b := &xlsBook{contents: contents{kind: KindXLS}, stream: stream, most: l.Text, left: 3 * l.Text, claim: l.Claim, passed: l.Passed}
	if err := b.readWorkbook(); err != nil {
		return nil, err
	}
	if len(b.sheets) == 0 {
		return nil, broken("a workbook without sheets")
	}
	for _, s := range b.sheets {
		b.names, b.hidden = append(b.names, s.name), append(b.hidden, s.hidden)
	}
	return b, nil
}

// isBareXLS says whether a file is the records of BIFF5 or BIFF8 without a container,
// as old scripts write them.
func isBareXLS(content []byte) bool {
	if len(content) < 12 || content[0] != 0x09 || content[1] != 0x08 || content[2] != 8 && content[2] != 16 || content[3] != 0 {
		return false
	}
	version, part := binary.LittleEndian.Uint16(content[4:]), binary.LittleEndian.Uint16(content[6:])
	return (version == 0 || version == 0x0500 || version == biff8) && (part == partWorkbook || part == partSheet)
}

// recordStream is a stream of records. Its pieces are read where they lie in the file, with sectors of the
// FAT between them, so that the stream takes no memory of its own. One of very many pieces is copied.
type recordStream struct {
	pieces [][]byte
	begins []int // where each piece begins in the stream, and where the stream ends
	latest int   // the piece of the latest record
}

// mostPieces is how many pieces a stream is read in. One of more is copied.
const mostPieces = 1024

func newRecordStream(pieces [][]byte) *recordStream {
	if len(pieces) > mostPieces {
		pieces = [][]byte{joined(pieces)}
	}
	s := &recordStream{pieces: pieces, begins: make([]int, 1, len(pieces)+1)}
	for i, piece := range pieces {
		s.begins = append(s.begins, s.begins[i]+len(piece))
	}
	return s
}

func (s *recordStream) size() int { return s.begins[len(s.pieces)] }

// at returns some bytes from a place on, which the stream must have. It copies those of several pieces.
func (s *recordStream) at(from, n int) []byte {
	if n == 0 {
		return nil
	}
	i := s.latest
	if from < s.begins[i] || from >= s.begins[i+1] {
		i = sort.Search(len(s.pieces), func(i int) bool { return from < s.begins[i+1] })
	}
	s.latest = i
	piece := s.pieces[i][from-s.begins[i]:]
	if n <= len(piece) {
		return piece[:n]
	}
	all := append(make([]byte, 0, n), piece...)
	for len(all) < n {
		i++
		all = append(all, s.pieces[i][:min(n-len(all), len(s.pieces[i]))]...)
	}
	return all
}

// pass calls passed with the bytes between two places.
func (s *recordStream) pass(from, to int, passed func(part []byte)) {
	for i, piece := range s.pieces {
		if begin, end := max(from, s.begins[i]), min(to, s.begins[i+1]); begin < end {
			passed(piece[begin-s.begins[i] : end-s.begins[i]])
		}
	}
}

// record returns the kind and the bytes of the record at a place, and where the next
// one begins: 0 if the stream ends inside it, or if no record is that long.
func (s *recordStream) record(at, end int) (kind uint16, data []byte, next int) {
	if at+4 > end {
		return 0, nil, 0
	}
	head := s.at(at, 4)
	kind = binary.LittleEndian.Uint16(head)
	length := int(binary.LittleEndian.Uint16(head[2:]))
	if next = at + 4 + length; next > end || length > longestRecord {
		return 0, nil, 0
	}
	return kind, s.at(at+4, length), next
}

// readWorkbook reads the first part of the stream.
func (b *xlsBook) readWorkbook() error {
	kind, data, at := b.stream.record(0, b.stream.size())
	if at == 0 || kind != recBegin || len(data) < 4 {
		return broken("the workbook begins with record %#x, as those older than Excel 5 do", kind)
	}
	b.wide = binary.LittleEndian.Uint16(data) == biff8
	if binary.LittleEndian.Uint16(data[2:]) == partSheet {
		b.sheets = []xlsSheet{{name: "Sheet1", end: b.stream.size()}}
		return nil
	}
	var offsets []int
	styles, custom := []uint16(nil), map[uint16]format{}
	for {
		from := at
		kind, data, at = b.stream.record(from, b.stream.size())
		if at == 0 {
			return broken("the workbook's description breaks off")
		}
		sound := true
		switch kind {
		case recEnd:
			if len(data) > 0 {
				return broken("an end of %d bytes", len(data))
			}
			b.styles = make([]format, len(styles))
			for i, id := range styles {
				described, known := custom[id]
				if !known {
					described = builtIn(int(id))
				}
				b.styles[i] = described
			}
			if err := b.noSheetAt(at, b.stream.size(), offsets); err != nil {
				return err
			}
			return b.placeSheets(at, offsets)
		case recProtected:
			return ErrPassword
		case recEpoch:
			b.from1904 = len(data) > 0 && data[0] == 1
		case recCodePage:
			if len(data) >= 2 {
				b.codePage = codePages[binary.LittleEndian.Uint16(data)]
			}
		case recStyle:
			if sound = len(data) >= 4; sound {
				styles = append(styles, binary.LittleEndian.Uint16(data[2:]))
			}
		case recFormat:
			sound = b.readFormat(data, custom)
		case recSheet:
			offsets, sound = b.readSheet(data, offsets)
		case recStrings:
			sound = b.readTexts(b.continued(from, b.stream.size()))
		}
		if !sound {
			return broken("record %#x of %d bytes", kind, len(data))
		}
		if len(offsets) > mostSheets {
			return ErrLarge
		}
	}
}

// readFormat notes what numbers are by a number format.
func (b *xlsBook) readFormat(data []byte, custom map[uint16]format) bool {
	if len(data) < 4 {
		return false
	}
	var code []byte
	sound := true
	if b.wide {
		r := segments{now: data[2:]}
		n, _ := r.uint16()
		code, sound = r.text(nil, int(n))
	} else {
		n := min(int(data[2]), len(data)-3)
		code = data[3 : 3+n]
	}
	if sound {
		custom[binary.LittleEndian.Uint16(data)] = formatOf(string(code))
	}
	return true // the cells of a format that cannot be read are numbers
}

// readSheet notes a sheet's place and name.
func (b *xlsBook) readSheet(data []byte, offsets []int) ([]int, bool) {
	if len(data) < 7 {
		return offsets, false
	}
	s := xlsSheet{begin: int(binary.LittleEndian.Uint32(data)), hidden: data[4]&3 != 0}
	name := data[7:]
	if b.wide {
		r := segments{now: name}
		text, sound := r.text(nil, int(data[6]))
		if !sound {
			return offsets, false
		}
		s.name = string(text)
	} else {
		s.name = string(b.appendBytes(nil, name[:min(int(data[6]), len(name))]))
	}
	s.plain = data[5] == plainSheet
	b.sheets = append(b.sheets, s)
	return append(offsets, s.begin), true
}

// placeSheets finds where each sheet's part must end: where the next one begins. All
// stand after the workbook's part. No two sheets share records, so that reading all takes
// one pass. Charts and macros are no sheets.
func (b *xlsBook) placeSheets(after int, offsets []int) error {
	slices.Sort(offsets)
	for i := range b.sheets {
		s := &b.sheets[i]
		next, found := slices.BinarySearch(offsets, s.begin)
		if s.end = b.stream.size(); found && next+1 < len(offsets) {
			s.end = min(offsets[next+1], b.stream.size())
		}
		kind, data, at := b.stream.record(s.begin, s.end)
		if at == 0 || kind != recBegin || len(data) < 4 || s.begin < after {
			return broken("no sheet at %d", s.begin)
		}
		s.plain = s.plain || binary.LittleEndian.Uint16(data[2:]) == partSheet
	}
	b.sheets = slices.DeleteFunc(b.sheets, func(s xlsSheet) bool { return !s.plain })
	return nil
}

// noSheetAt makes sure that no sheet begins at a place but those that begin at offsets:
// one would have lost its name, and its rows would not be read.
func (b *xlsBook) noSheetAt(at, end int, offsets []int) error {
	if kind, _, next := b.stream.record(at, end); next > 0 && kind == recBegin && !slices.Contains(offsets, at) {
		return broken("a sheet without a name at %d", at)
	}
	return nil
}

// continued reads the bytes of the record at a place and of those that continue it.
func (b *xlsBook) continued(at, end int) *segments {
	_, data, next := b.stream.record(at, end)
	return &segments{now: data, stream: b.stream, at: next, end: end}
}

func (b *xlsBook) AppendText(dst []byte, sheet, most int) ([]byte, error) {
	room, whole := int(min(b.most, b.left)), most <= 0
	t, ordered := beginText(dst, room, b.claim), true
	if whole {
		most = lastRow
	}
	s, grown, gone := b.sheets[sheet], !whole, 0
	err := b.eachCell(sheet, func(row, col, at int) error {
		if row >= most || !ordered {
			return nil
		}
		if ordered = row > t.row || row == t.row && col >= t.cells; !ordered {
			return nil
		}
		if text := len(t.text) - len(dst); !grown && text >= enoughToExpect {
			grown = true
			t.expect(int(int64(text) * int64(s.end-at) / int64(at-s.begin)))
		}
		if b.passed != nil && at-gone >= passedAtOnce {
			b.stream.pass(gone, at, b.passed)
			gone = at
		}
		return b.appendCell(&t, row, col, at, s.end)
	}, t.coverRanges)
	if err == nil && !ordered {
		t.text, t.row, t.cells = t.text[:len(dst)], 0, 0
		err = b.appendSorted(&t, sheet, most)
	}
	b.left -= int64(len(t.text) - len(dst))
	b.merged = t.merged
	return t.text, err
}

func (b *xlsBook) Merged(int) []Merged { return b.merged }

// coverRanges notes the cells of a record of ranges, each of which has its first and last row, and its first and last column.
func (t *csvText) coverRanges(record []byte) error {
	for ranges := record[min(2, len(record)):]; len(ranges) >= 8; ranges = ranges[8:] {
		first, last := int(binary.LittleEndian.Uint16(ranges)), int(binary.LittleEndian.Uint16(ranges[2:]))
		if err := t.cover(first, int(binary.LittleEndian.Uint16(ranges[4:])), last-first+1); err != nil {
			return err
		}
	}
	return nil
}

// xlsCell is where a cell of a sheet stands in the stream.
type xlsCell struct {
	row, col uint16
	at       uint32
}

// appendSorted appends the cells of a sheet whose records are not in the order of its
// rows. Of two that claim one place, the later counts.
func (b *xlsBook) appendSorted(t *csvText, sheet, most int) error {
	var cells []xlsCell
	err := b.eachCell(sheet, func(row, col, at int) error {
		if row < most {
			cells = append(cells, xlsCell{uint16(row), uint16(col), uint32(at)})
		}
		return nil
	}, nil)
	if err != nil {
		return err
	}
	slices.SortFunc(cells, func(a, b xlsCell) int {
		return cmp.Or(cmp.Compare(a.row, b.row), cmp.Compare(a.col, b.col), cmp.Compare(a.at, b.at))
	})
	for i, c := range cells {
		if i+1 < len(cells) && cells[i+1].row == c.row && cells[i+1].col == c.col {
			continue
		}
		if err := b.appendCell(t, int(c.row), int(c.col), int(c.at), b.sheets[sheet].end); err != nil {
			return err
		}
	}
	return nil
}

func hasValue(kind uint16) bool {
	switch kind {
	case recNumber, recSmallNum, recNumbers, recSharedText, recLabel, recRichLabel, recTruth, recFormula:
		return true
	}
	return false
}

// isSound says whether a record of a sheet has the bytes that its kind must have. One of
// another length has been damaged, and may hide those after it.
func isSound(kind uint16, data []byte) bool {
	switch n := len(data); kind {
	case recEnd:
		return n == 0
	case recSize:
		return n == 14 || n == 10
	case recRow:
		return n == 16
	case recBlank:
		return n == 6
	case recNumber:
		return n == 14
	case recSmallNum, recSharedText:
		return n == 10
	case recTruth, recLabel, recRichLabel:
		return n == 8 || n > 8 && kind != recTruth
	case recFormula:
		return n >= 14
	case recNumbers, recBlanks:
		each := 6
		if kind == recBlanks {
			each = 2
		}
		return n >= 6 && n == 6+each*(int(binary.LittleEndian.Uint16(data[n-2:]))-int(binary.LittleEndian.Uint16(data[2:]))+1)
	}
	return true
}

// eachCell calls found with each cell that has a value, in the order of the records,
// and where its record begins; and merged, unless it is nil, with each record of merged ranges.
func (b *xlsBook) eachCell(sheet int, found func(row, col, at int) error, merged func(record []byte) error) error {
	s := b.sheets[sheet]
	depth := 0 // a chart that is set into a sheet has a part inside its part
	for at := s.begin; ; {
		kind, data, next := b.stream.record(at, s.end)
		if next == 0 {
			return broken("sheet %q breaks off", s.name)
		}
		if !isSound(kind, data) {
			return broken("record %#x of %d bytes", kind, len(data))
		}
		switch kind {
		case recBegin:
			depth++
		case recEnd:
			if depth--; depth <= 0 {
				return b.noSheetAt(next, s.end, nil)
			}
		case recProtected:
			return ErrPassword
		case recMerged:
			if merged == nil || depth != 1 {
				break
			}
			if err := merged(data); err != nil {
				return err
			}
		}
		if depth != 1 || !hasValue(kind) {
			at = next
			continue
		}
		row, col := int(binary.LittleEndian.Uint16(data)), int(binary.LittleEndian.Uint16(data[2:]))
		last := col
		if kind == recNumbers {
			last = int(binary.LittleEndian.Uint16(data[len(data)-2:]))
		}
		if last >= xlsColumns {
			return broken("a cell in column %d", last+1)
		}
		for ; col <= last; col++ {
			if err := found(row, col, at); err != nil {
				return err
			}
		}
		at = next
	}
}
