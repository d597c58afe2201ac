package table

import (
	"bytes"
	"cmp"
	"encoding/csv"
	"errors"
	"math"
	"slices"

	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"

	"milaan/adapters/table/sheet"
	"milaan/domain"
	"milaan/ports"
	"milaan/ports/peers"
)

// headerLines is among how many lines the header is looked for (guide:
// verdict 1). Among farLines lines and the first bytes after them we look for it only to
// say that it stands too far down.
const (
	headerLines = 100
	farLines    = 1000
	farBytes    = 256 << 10
)

// delimiters are what separates cells, the likeliest first.
var delimiters = []byte{',', ';', '\t', '|'}

// blankSheet are the characters of a file whose cells are all blank.
const blankSheet = " \r\n\t,;|\""

// Settings are the limits of a file. The zero value has none but that of its size.
type Settings struct {
	MaxRows int   // records below the header that are not blank; 0: any number
	MaxText int64 // bytes of a workbook's cells as text; 0: as many as a workbook of its size may have
}

// A workbook without a limit may have this many bytes of text, and as many more for each of its own. The text of large exports has up
// to ten times the bytes of their workbook, and forty times where most columns say the same on every row. Otherwise a workbook of
// 1 KB, in which a text is said once for a million cells, would take all memory.
const (
	textOfAny  = 64 << 20
	textOfByte = 100
)

// Contract returns the limits of the files of a request.
func Contract() Settings { return Settings{MaxRows: domain.MaxRows, MaxText: 25 << 20} }

// Reader reads tables.
type Reader struct {
	maxRows int
	maxText int64 // 0: as the workbook's size has it
}

// New makes a Reader that takes files as the contract limits them.
func New() *Reader { return NewWithin(Contract()) }

// NewWithin makes a Reader that takes files within other limits.
func NewWithin(s Settings) *Reader {
	return &Reader{maxRows: cmp.Or(s.MaxRows, math.MaxInt), maxText: s.MaxText}
}

// csvFile is a file whose header is known, or is looked for.
type csvFile struct {
	file    domain.File
	sheet   string // of a workbook with several; blank: none
	whole   []byte // a sheet's text; nil: the table is no sheet
	merged  []sheet.Merged
	spread  []spread // of SpreadMerged
	maxRows int
	dialect dialect
	header  [][]byte
	body    []byte // what stands below the header
	line    int    // the physical line on which body begins
	arena   arena
	odd     [][]byte // of Cells

	headerLine int
	wide       widest
}

// widest is the first line above a table's body with the most cells, if those are
// more than maxColumns. To count them again may take long.
type widest struct{ line, cells int }

func (r *Reader) rowsOf(content ports.Content) int {
	if content.MaxRows > 0 {
		return min(content.MaxRows, r.maxRows)
	}
	return r.maxRows
}

func (r *Reader) Open(
	file domain.File, content ports.Content, recognise func([][]byte) (bool, error), missing func(int, [][]byte) error,
) (peers.Table, error) {
	meant := recognise // of the sheets of a workbook
	if file != domain.LedgerFile {
		recognise, meant = refusingOurs(file, recognise), passingOurs(file, recognise)
	}
	if content.Workbook {
		if t, is, err := r.openWorkbook(file, content, recognise, meant, missing); is {
			return t, err
		}
	}
	maxRows := r.rowsOf(content)
	text, err := decode(file, content.Bytes, content.Workbook)
	if err != nil {
		return nil, err
	}
	eol := byte('\n')
	if bytes.IndexByte(text, '\n') < 0 && bytes.IndexByte(text, '\r') >= 0 {
		eol = '\r'
	}
	line := 1
	commas, rest := declaredDelimiter(text, eol)
	if len(rest) < len(text) {
		text, line = rest, 2
	}
	if len(bytes.Trim(text, blankSheet)) == 0 {
		return nil, notCSV(file, domain.RuleEmpty)
	}
	seen := noting{content.Seen}
	seen.kind(ports.KindCSV)
	if commas == nil {
		commas = byLikelihood(text, eol)
	}
	var wide widest
	for i, comma := range commas {
		t := &csvFile{file: file, maxRows: maxRows, dialect: dialect{comma: comma, eol: eol}, line: line}
		if found, err := t.findHeader(text, headerLines, recognise); found || err != nil {
			seen.table(t)
			return t, err
		}
		if i == 0 {
			wide = t.wide
		}
	}
	for _, comma := range commas {
		t := &csvFile{file: file, maxRows: maxRows, dialect: dialect{comma: comma, eol: eol}, line: line}
		if err := t.farHeader(text, recognise); err != nil {
			return nil, err
		}
	}
	t := &csvFile{file: file, maxRows: maxRows, dialect: dialect{comma: commas[0], eol: eol}, line: line}
	if wide.cells > maxColumns {
		return nil, t.tooWide(wide.line, wide.cells)
	}
	at, cells := t.likeliestHeader(text)
	seen.likeliest(t, text, at)
	return nil, missing(at, cells)
}

// refusingOurs refuses what Milaan has written, because some columns of it are named as those of reports.
func refusingOurs(file domain.File, recognise func([][]byte) (bool, error)) func([][]byte) (bool, error) {
	return func(cells [][]byte) (bool, error) {
		if rule := oursBy(cells); rule != "" {
			return false, &domain.FileError{File: file, Rule: rule}
		}
		return recognise(cells)
	}
}

// passingOurs takes no sheet that Milaan has written for the one that is meant, but the ledger: a workbook of Milaan has it, and
// a workbook of somebody else may have another of its sheets.
func passingOurs(file domain.File, recognise func([][]byte) (bool, error)) func([][]byte) (bool, error) {
	return func(cells [][]byte) (bool, error) {
		switch rule := oursBy(cells); rule {
		case "":
			return recognise(cells)
		case domain.RuleLedger:
			return false, &domain.FileError{File: file, Rule: rule}
		}
		return false, nil
	}
}

// oursBy returns the rule by which a table that Milaan has written is no file of somebody else; blank: it is none of Milaan's.
func oursBy(header [][]byte) domain.FileRule {
	isLedger := func(cell []byte) bool { return bytes.HasPrefix(domain.Unwrap(cell), []byte(domain.LedgerHeading)) }
	switch {
	case slices.ContainsFunc(header, isLedger):
		return domain.RuleLedger
	case domain.ListsOpenItems(header):
		return domain.RuleOpenItems
	case domain.ListsResults(header):
		return domain.RuleResults
	}
	return ""
}

// findHeader looks for the header among the lines up to the last. If recognise returns an
// error, the header is the line that has it.
func (t *csvFile) findHeader(text []byte, last int, recognise func([][]byte) (bool, error)) (bool, error) {
	var cells [][]byte // of one line after the other
	for len(text) > 0 && t.line <= last {
		head := text
		record, width, rest := t.headRecord(cells[:0], text)
		t.headerLine = t.line
		t.line += linesOf(text[:len(text)-len(rest)], t.dialect.eol)
		if text = rest; width > maxColumns {
			if width > t.wide.cells {
				t.wide = widest{line: t.headerLine, cells: width}
			}
			continue // prose or an attack: no export has half as many columns
		}
		if cells = record; !twoFilled(cells) {
			continue // each kind of file has ids or dates, and amounts
		}
		found, err := false, t.refuseLinesIn(head[:len(head)-len(rest)], cells, recognise)
		if err == nil {
			found, err = recognise(cells)
		}
		if found || err != nil {
			t.header, t.body = cells, rest
			if fault, is := errors.AsType[*domain.FileError](err); is && fault.Rule == domain.RuleLedgerVersion {
				fault.Line = t.headerLine
			}
			return found && err == nil, err
		}
	}
	return false, nil
}

// refuseLinesIn returns an error if what stands in a record before a \r, outside quotation marks, is a header by itself: where the lines
// of the body end with \n, those above it that end with \r alone would be lost with what they list. Else the \r is one of a name.
func (t *csvFile) refuseLinesIn(record []byte, cells [][]byte, recognise func([][]byte) (bool, error)) error {
	if t.dialect.eol == '\r' || bytes.IndexByte(bytes.TrimRight(record, "\r\n"), '\r') < 0 {
		return nil
	}
	var err error
	tries := 10 // a header has few such names, and a hostile one would be looked for behind each
	t.dialect.eachCell(record, func(column int, cell []byte, quoted bool) {
		last, lost, more := bytes.Cut(withoutBlanks(cell), []byte{'\r'})
		if !more || quoted || err != nil || tries == 0 {
			return
		}
		tries--
		if found, other := recognise(append(slices.Clone(cells[:column]), last)); found || other != nil {
			err = &domain.FileError{File: t.file, Sheet: t.sheet, Rule: domain.RuleBeyondHeader, Line: t.headerLine,
				Value: domain.Quotable(domain.Unwrap(lost)), Count: len(cells), Limit: column + 1}
		}
	})
	return err
}

func twoFilled(cells [][]byte) bool {
	filled := 0
	for _, c := range cells {
		if len(c) > 0 {
			if filled++; filled == 2 {
				return true
			}
		}
	}
	return false
}

// farHeader returns an error with the header's line if the header stands too far down,
// and nil if there is none there either.
func (t *csvFile) farHeader(text []byte, recognise func([][]byte) (bool, error)) error {
	found, _ := t.findHeader(text[:min(len(text), farBytes)], farLines, func(cells [][]byte) (bool, error) {
		found, err := recognise(cells)
		return found || err != nil, nil // a header with a fault is one
	})
	if !found {
		return nil
	}
	return &domain.FileError{File: t.file, Sheet: t.sheet, Rule: domain.RuleFarHeader, Line: t.headerLine, Limit: headerLines}
}

// headRecord reads a record above the table's body. A preamble may have any text: if
// its quoting is broken, a record is one line. For a record of more than maxColumns
// cells, headRecord returns their number and no cells. It cuts a cell that is too long
// for a name, and leaves it too long for one. It appends the cells to those given, whose
// array it may use again.
func (t *csvFile) headRecord(cells [][]byte, text []byte) (_ [][]byte, width int, rest []byte) {
	width, end, sound := t.measure(text)
	if !sound {
		end = t.dialect.lineEnd(text)
		width = bytes.Count(text[:end], []byte{t.dialect.comma}) + 1
		if width <= maxColumns {
			cells = append(cells, bytes.Split(text[:end], []byte{t.dialect.comma})...)
		}
		end = min(end+1, len(text))
	} else if width <= maxColumns {
		cells, _, _ = t.record(slices.Grow(cells, width), text[:end])
	}
	for i, c := range cells {
		if len(c) > longestCell {
			cells[i] = c[:domain.MaxColumnName+1]
			continue
		}
		cells[i] = domain.Unwrap(c)
	}
	return cells, width, text[end:]
}

// measure counts the cells of the record at the beginning of text, and returns where
// the next record begins. It keeps no cells.
func (t *csvFile) measure(text []byte) (width, end int, sound bool) {
	width, rest, broken := t.dialect.eachCell(text, func(int, []byte, bool) {})
	return width, len(text) - len(rest), broken == ""
}

// linesOf is how many physical lines a record takes.
func linesOf(record []byte, eol byte) int {
	n := bytes.Count(record, []byte{eol})
	if len(record) > 0 && record[len(record)-1] != eol {
		n++
	}
	return n
}

// likeliestHeader returns the line that a message shows if no header was found: the first of the lines with the most cells.
// Blank cells at the end of a line are not counted: a title may have them too. None has more than maxColumns.
func (t *csvFile) likeliestHeader(text []byte) (at int, header [][]byte) {
	for line := t.line; len(text) > 0 && line <= headerLines; {
		cells, _, rest := t.headRecord(nil, text)
		for len(cells) > 0 && len(cells[len(cells)-1]) == 0 {
			cells = cells[:len(cells)-1]
		}
		if len(cells) > len(header) {
			at, header = line, cells
		}
		line += linesOf(text[:len(text)-len(rest)], t.dialect.eol)
		text = rest
	}
	return at, header
}

func (t *csvFile) tooWide(line, width int) error {
	return &domain.FileError{File: t.file, Sheet: t.sheet, Rule: domain.RuleWide, Line: line, NoHeader: true, Count: width, Limit: maxColumns}
}

func (t *csvFile) Sheet() string { return t.sheet }

func (t *csvFile) Text() ([]byte, error) {
	if t.spread == nil {
		return t.whole, nil
	}
	text := bytes.NewBuffer(bytes.Clone(t.whole[:len(t.whole)-len(t.body)]))
	columns := make([]int, len(t.header))
	for i := range columns {
		columns[i] = i
	}
	line, out, record := t.line, csv.NewWriter(text), make([]string, len(columns))
	rows := t.Rows(columns)
	for cells := make([][]byte, len(columns)); rows.Next(cells); {
		for ; line < rows.Line(); line++ {
			text.WriteByte('\n')
		}
		for i, cell := range cells {
			record[i] = string(cell)
		}
		_ = out.Write(record) // to memory
		out.Flush()
		line += bytes.Count(rows.Record(), []byte{'\n'})
	}
	if err := rows.Err(); err != nil {
		return nil, t.named(err)
	}
	return text.Bytes(), nil
}

func (t *csvFile) named(err error) error { return peers.NameSheet(t, err) }

// declaredDelimiter reads the `sep=;` line that spreadsheets understand. It
// returns nil and the whole text if there is none.
func declaredDelimiter(text []byte, eol byte) (commas, rest []byte) {
	first, rest, _ := bytes.Cut(text, []byte{eol})
	first = bytes.Trim(bytes.TrimRight(first, "\r"), `"`)
	if len(first) < 4 || !bytes.EqualFold(first[:4], []byte("sep=")) {
		return nil, text
	}
	if len(first) == 4 || first[4] == quote || first[4] == '=' {
		// No delimiter, or one that means something else in a cell, as in "…" and ="…":
		// the delimiter is guessed from the text. Otherwise two programs could read the
		// file differently.
		return nil, rest
	}
	return first[4:5], rest
}

// byLikelihood sorts the delimiters by how often the first lines have them.
func byLikelihood(text []byte, eol byte) []byte {
	first := linesUpTo(text, headerLines, eol)
	var counts [256]int
	for _, comma := range delimiters {
		counts[comma] = bytes.Count(first, []byte{comma})
	}
	sorted := slices.Clone(delimiters)
	slices.SortStableFunc(sorted, func(a, b byte) int { return cmp.Compare(counts[b], counts[a]) })
	return sorted
}

// decode returns the text as UTF-8 without a byte order mark, or an error that says
// what kind of file it is. opened says that the file was looked at as a workbook, and is
// none that we read. A binary file that came through a JSON string has lost bytes, so decode
// also knows the forms that common JSON encoders make of them.
func decode(file domain.File, text []byte, opened bool) ([]byte, error) {
	if bytes.HasPrefix(text, []byte("\xff\xfe")) || bytes.HasPrefix(text, []byte("\xfe\xff")) {
		text, _, _ = transform.Bytes(unicode.BOMOverride(unicode.UTF8.NewDecoder()), text) // what is no UTF-16 becomes U+FFFD: no error
	} else if rule := otherKind(text, opened); rule != "" {
		return nil, notCSV(file, rule)
	}
	return bytes.TrimPrefix(text, []byte("\ufeff")), nil
}

// otherKind returns what a file is if it is no text; blank: it is text.
func otherKind(text []byte, opened bool) domain.FileRule {
	switch {
	case bytes.HasPrefix(text, []byte("PK\x03\x04")) && !opened:
		return domain.RuleWorkbook
	case bytes.HasPrefix(text, []byte("PK\x03\x04")) && (bytes.Contains(text, []byte("[Content_Types].xml")) ||
		bytes.Contains(text, []byte(".iwa"))): // what Numbers, Pages and Keynote write
		return domain.RuleDocument
	case hasAnyPrefix(text, "PK\x03\x04", "PK\x05\x06", "Rar!\x1a", "7z\xbc\xaf", "\x1f\x8b"):
		return domain.RuleArchive
	case hasAnyPrefix(text, "\xd0\xcf\x11\xe0", "\ufffd\ufffd\x11", "ÐÏ\x11"):
		if opened {
			return domain.RuleDocument
		}
		return domain.RuleOldWorkbook
	case bytes.HasPrefix(bytes.TrimSpace(text[:min(len(text), 64)]), []byte("%PDF-")):
		return domain.RulePDF
	case isPicture(text):
		return domain.RulePicture
	case isMarkup(text):
		return domain.RuleWebPage
	case bytes.IndexByte(text[:min(len(text), 4096)], 0) >= 0:
		return domain.RuleNotText
	}
	return ""
}

// isPicture knows PNG, JPEG, GIF, WebP, TIFF, and the HEIC of phones.
func isPicture(text []byte) bool {
	return hasAnyPrefix(text, "\x89PNG", "\ufffdPNG\r\n", "\xff\xd8\xff", "GIF87a", "GIF89a", "II*\x00", "MM\x00*") ||
		len(text) > 12 && (string(text[8:12]) == "WEBP" && hasAnyPrefix(text, "RIFF") ||
			string(text[4:8]) == "ftyp" && slices.Contains([]string{"heic", "heix", "mif1", "avif"}, string(text[8:12])))
}

func isMarkup(text []byte) bool {
	start := bytes.ToLower(bytes.TrimSpace(bytes.TrimPrefix(text[:min(len(text), 512)], []byte("\ufeff"))))
	return hasAnyPrefix(start, "<!doctype", "<html", "<table", "<?xml", "<head", "<body", "<meta", "<div", "<style")
}

func hasAnyPrefix(text []byte, prefixes ...string) bool {
	return slices.ContainsFunc(prefixes, func(p string) bool { return bytes.HasPrefix(text, []byte(p)) })
}

func notCSV(file domain.File, rule domain.FileRule) error {
	return &domain.FileError{File: file, Rule: rule}
}

func (t *csvFile) Header() [][]byte { return t.header }

// Samples of a file say how long its lines are, unless they are short: then
// all lines are counted, so that a file of short rows is given the memory of its rows
// once, and not step by step. A row has shortestRow bytes at least. Where lines are
// shorter, those that are empty are not counted: a file of nothing but line ends is
// given no memory for orders.
const (
	samples     = 16
	sampleBytes = 4 << 10
	shortLine   = 32
	shortestRow = 3
)

// Lines returns three percent more than samples from all parts of the file suggest, or counts the lines.
func (t *csvFile) Lines() int {
	eol := []byte{t.dialect.eol}
	sampled, ends := 0, 1
	for rest, step := t.body, max(len(t.body)/samples, sampleBytes); len(rest) > 0; rest = rest[min(step, len(rest)):] {
		sample := rest[:min(len(rest), sampleBytes)]
		sampled += len(sample)
		ends += bytes.Count(sample, eol)
	}
	if length := sampled / ends; length >= shortLine {
		lines := len(t.body) / length
		return min(lines+lines/32, t.maxRows)
	}
	lines, most := bytes.Count(t.body, eol)+1, len(t.body)/shortestRow
	if lines > most {
		lines = min(t.filledLines(), most)
	}
	return min(lines, t.maxRows)
}

// filledLines returns how many lines of the body are not empty.
func (t *csvFile) filledLines() (n int) {
	eol := t.dialect.eol
	before := eol
	for _, b := range t.body {
		if before == eol && b != eol {
			n++
		}
		before = b
	}
	return n
}

func (t *csvFile) Close() { t.body, t.arena = nil, nil }
