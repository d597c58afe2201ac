package table

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"math"
	"slices"
	"strings"

	"milaan/adapters/table/sheet"
	"milaan/domain"
	"milaan/ports"
	"milaan/ports/peers"
)

// workbook is a file with sheets, one of which is to be read.
type workbook struct {
	sheet.Workbook
	rows   int // as csvFile.maxRows
	file   domain.File
	names  []string
	seen   noting
	most   int64 // bytes of text that it may have
	own    int64 // of which its size allows for this many; the workbooks of a run share the others. 0: it has a limit of another kind
	bytes  int   // of the file
	claims *reading
}

// sheetDialect is how package sheet writes the text of a sheet.
var sheetDialect = dialect{comma: ',', eol: '\n'}

// openWorkbook opens the sheet that is meant, if content is a workbook. If not, is is
// false. meant recognises the header of such a sheet, and recognise also those that are refused.
func (r *Reader) openWorkbook(
	file domain.File, content ports.Content, recognise, meant func([][]byte) (bool, error), missing func(int, [][]byte) error,
) (_ peers.Table, is bool, _ error) {
	claims := &reading{of: content.Taken}
	defer claims.end()
	limits, own := r.limitsOf(content, claims)
	book, is, err := sheet.Open(content.Bytes, limits)
	if !is {
		return nil, false, nil
	}
	w := &workbook{Workbook: book, rows: r.rowsOf(content), file: file, seen: noting{content.Seen}, most: limits.Text, own: own,
		bytes: len(content.Bytes), claims: claims}
	if err != nil {
		return nil, true, w.fault(err)
	}
	w.seen.kind(kindsOf[book.Kind()])
	w.names = book.Sheets()
	one, among, err := w.choose(content.Sheets, meant)
	if err != nil {
		return nil, true, err
	}
	if one < 0 {
		refused, err := w.headed(among, recognise)
		if err == nil && len(refused) == 0 {
			err = w.explain(among, meant, missing)
		}
		if err != nil {
			keep(content, book)
			return nil, true, err
		}
		one = refused[0]
	}
	text, err := w.read(one, func(*csvFile) func([][]byte) (bool, error) { return recognise })
	if shared := int64(len(text)) - own; err == nil && content.Taken != nil && shared > 0 && content.Taken.Text.Add(shared) > w.most-own {
		err = sheet.ErrLarge
	}
	if err != nil {
		return nil, true, w.fault(err)
	}
	keep(content, book)
	t := w.table(one)
	t.whole, t.merged = text, w.Merged(one)
	found, err := t.findHeader(text, headerLines, recognise)
	if err == nil && !found {
		return nil, true, w.explain([]int{one}, meant, missing)
	}
	w.seen.table(t)
	return t, true, t.named(err)
}

// limitsOf returns what the workbook of a run may take, and as workbook.own how much of its text its size allows for.
func (r *Reader) limitsOf(content ports.Content, claims *reading) (_ sheet.Limits, own int64) {
	limits, most := sheet.Limits{Claim: claims.claim}, r.maxText
	if content.Taken != nil {
		most, limits.Elements = cmp.Or(content.Taken.Most, most), &content.Taken.Elements
		limits.Passed = content.Taken.Passed
		if content.Taken.Files > 0 {
			limits.Inflated, limits.Files = &content.Taken.Unpacked, content.Taken.Files
		}
	}
	if most == 0 {
		own = min(textOfByte*int64(len(content.Bytes)), math.MaxInt32-textOfAny) // places in texts are kept in 32 bits
		most, limits.Elements, limits.Inflated = textOfAny+own, nil, nil
	}
	limits.Text, limits.Again = most, openedOf(content)
	return limits, own
}

// openedOf returns the workbook that was opened of the same content, if it is kept. One of another content is kept no longer.
func openedOf(content ports.Content) sheet.Workbook {
	if content.Taken == nil || len(content.Bytes) == 0 {
		return nil
	}
	kept := content.Taken.Opened.Load()
	if kept == nil {
		return nil
	}
	if len(kept.Content) != len(content.Bytes) || &kept.Content[0] != &content.Bytes[0] {
		content.Taken.Opened.CompareAndSwap(kept, nil)
		return nil
	}
	return kept.Book.(sheet.Workbook)
}

// keep keeps a workbook of which several sheets are read, each for itself, or which may be read again, so that it is not taken apart
// each time.
func keep(content ports.Content, book sheet.Workbook) {
	if content.Taken != nil && len(content.Bytes) > 0 && (len(content.Sheets) > 0 || content.Taken.Again) {
		content.Taken.Opened.Store(&ports.OpenedWorkbook{Content: content.Bytes, Book: book})
	}
}

// largeReading is how many bytes are claimed for the reading of a workbook that may be read at the same time as others of its run. Exports
// of as many rows as a run may have take less, but for those with more columns than shops and couriers fill.
const largeReading = 32 << 20

// reading claims memory of a run for the reading of a workbook.
type reading struct {
	of    *ports.Taken // nil: it is part of no run
	held  int
	large bool // it has the run's turn
}

// claim waits until no other workbook of the run is large, if this one is. A text that grows takes up to twice its bytes.
func (r *reading) claim(bytes int) error {
	if r.of == nil {
		return nil
	}
	if r.held += bytes; r.held > largeReading && !r.large {
		r.of.Large.Lock()
		r.large = true
	}
	if r.of.Claim == nil {
		return nil
	}
	return r.of.Claim(2 * int64(bytes))
}

// end is called when nothing but the text is needed any more.
func (r *reading) end() {
	if r.large {
		r.of.Large.Unlock()
	}
	r.held, r.large = 0, false
}

func (w *workbook) head(sheet, lines int) ([]byte, error) {
	text, err := w.AppendText(nil, sheet, lines)
	if err != nil {
		return nil, err
	}
	return w.withoutGaps(text, 0, 0)
}

// read returns the text of a sheet, as far as it is needed to read the rows below its header.
func (w *workbook) read(sheet int, recognise func(*csvFile) func([][]byte) (bool, error)) ([]byte, error) {
	text, err := w.AppendText(nil, sheet, 0)
	if err != nil || !hasGaps(text) {
		return text, err
	}
	head, err := w.withoutGaps(linesUpTo(text, headerLines, sheetDialect.eol), 0, 0)
	if err != nil {
		return nil, err
	}
	t := w.table(sheet)
	if found, err := t.findHeader(head, headerLines, recognise(t)); !found && err == nil {
		return head, nil // why there is no header is told by the first lines
	}
	return w.withoutGaps(text, t.headerLine, len(t.header))
}

// linesUpTo returns the first lines of a text.
func linesUpTo(text []byte, lines int, eol byte) []byte {
	end := 0
	for range lines {
		n := bytes.IndexByte(text[end:], eol)
		if n < 0 {
			return text
		}
		end += n + 1
	}
	return text[:end]
}

func (r *Reader) Sheets(content ports.Content, recognise func([][]byte) (bool, error)) (names []string) {
	if !content.Workbook || len(content.Sheets) == 0 {
		return nil
	}
	claims := &reading{of: content.Taken}
	defer claims.end()
	limits, _ := r.limitsOf(content, claims)
	book, is, err := sheet.Open(content.Bytes, limits)
	if !is || err != nil {
		return nil // whoever reads it says what is wrong
	}
	noting{content.Seen}.kind(kindsOf[book.Kind()])
	keep(content, book)
	w := &workbook{Workbook: book, names: book.Sheets(), claims: claims}
	wanted := w.ofNames(content.Sheets)
	if len(wanted) < 2 {
		return nil
	}
	recognise = passingOurs(domain.CourierFile, recognise)
	headed, err := w.headed(wanted, recognise)
	if err != nil || len(headed) < 2 {
		return nil
	}
	for _, i := range w.withContinuations(headed, wanted, recognise) {
		names = append(names, w.names[i])
	}
	return names
}

// withContinuations returns the sheets that have a header, and those of some without one in which the lines of the one before them go
// on: whoever reads such a sheet says that it has no header.
func (w *workbook) withContinuations(headed, among []int, recognise func([][]byte) (bool, error)) (all []int) {
	for k, one := range headed {
		all = append(all, one)
		after := among[slices.Index(among, one)+1:]
		if k+1 < len(headed) {
			after = after[:slices.Index(after, headed[k+1])]
		}
		if i, err := w.continuation(one, after, recognise); err == nil && i >= 0 {
			all = append(all, i)
		}
	}
	return all
}

// mostLooked is among how many lines of all sheets together the header is looked for. To compare one with what all couriers call
// their columns takes some 10 µs, and a page of a few megabytes may have thousands of tables.
const mostLooked = 100 * headerLines

// headed returns those of some sheets that have a header. A header that has a fault is one.
func (w *workbook) headed(among []int, recognise func([][]byte) (bool, error)) (headed []int, err error) {
	looked := 0
	for _, i := range among {
		text, err := w.head(i, headerLines)
		if err != nil {
			return nil, w.fault(err)
		}
		t := w.table(i)
		if found, err := t.findHeader(text, headerLines, recognise); found || err != nil {
			headed = append(headed, i)
		}
		if looked += t.headerLine; looked > mostLooked {
			return nil, &domain.FileError{File: w.file, Rule: domain.RuleSeveralSheets, Options: w.options(among)}
		}
	}
	return headed, nil
}

// choose returns the only sheet that has a header, or -1 and the sheets among which it
// was looked for. They are those that the caller names, if the workbook has any of them;
// else those that a spreadsheet program shows; and the hidden ones if no other has a
// header.
func (w *workbook) choose(wanted []string, recognise func([][]byte) (bool, error)) (one int, among []int, err error) {
	shown, hidden := w.ofNames(wanted), []int(nil)
	named := len(shown) > 0
	if !named {
		shown, hidden = w.shown()
	}
	for _, among := range [][]int{shown, hidden} {
		if len(among) == 1 && (named || len(w.names) == 1) {
			return among[0], nil, nil
		}
		headed, err := w.headed(among, recognise)
		switch {
		case err != nil:
			return -1, nil, err
		case len(headed) == 1:
			i, err := w.continuation(headed[0], among, recognise)
			if err == nil && i >= 0 {
				err = &domain.FileError{File: w.file, Rule: domain.RuleContinued, Value: domain.Shortened(w.names[i]), Options: w.options(headed)}
			}
			return headed[0], nil, err
		case len(headed) > 1 && len(wanted) > 0 && !named:
			return -1, nil, &domain.FileError{File: w.file, Rule: domain.RuleNoSheet, Value: domain.Shortened(wanted[0]), Options: w.options(nil)}
		case len(headed) > 1:
			all := w.withContinuations(headed, among, recognise)
			return -1, nil, &domain.FileError{File: w.file, Rule: domain.RuleSeveralSheets, Options: w.options(all)}
		}
	}
	return -1, append(shown, hidden...), nil
}

// continuation returns that of some sheets in which the lines of one that has a header go on, as those of a page with several tables and
// of a long export in an old workbook do; -1 if there is none. Nobody would read them there.
func (w *workbook) continuation(of int, among []int, recognise func([][]byte) (bool, error)) (sheet int, err error) {
	const fewest = 3 // columns: sheets of notes have as many as two by chance
	if len(among) == 0 {
		return -1, nil
	}
	t := w.table(of)
	text, err := w.head(of, headerLines+1)
	if err != nil {
		return -1, w.fault(err)
	}
	if found, _ := t.findHeader(text, headerLines, recognise); !found || len(t.header) < fewest {
		return -1, nil // a header with a fault is told by whoever reads the sheet
	}
	first, _, _ := t.headRecord(nil, t.body)
	for _, i := range among {
		text, err := w.head(i, 1)
		if err != nil {
			return -1, w.fault(err)
		}
		row, width, _ := t.headRecord(nil, text)
		if i != of && width == len(t.header) && isFilledAs(row, first) {
			return i, nil
		}
	}
	return -1, nil
}

// isFilledAs says whether two rows of as many cells can be of one table: in no column one of them has a digit and the other text without
// any. A row without any digit is no line of a table.
func isFilledAs(row, first [][]byte) bool {
	for i, cell := range first[:min(len(first), len(row))] {
		if len(cell) > 0 && len(row[i]) > 0 && hasDigit(cell) != hasDigit(row[i]) {
			return false
		}
	}
	return slices.ContainsFunc(row, hasDigit)
}

func hasDigit(cell []byte) bool { return bytes.ContainsAny(cell, "0123456789") }

// ofNames returns the sheets that have one of these names, case and the blanks around them
// aside. If there is none, ports.AllSheets stands for all that a spreadsheet program shows.
func (w *workbook) ofNames(wanted []string) (found []int) {
	for i, name := range w.names {
		isWanted := false
		for _, s := range wanted {
			if !strings.EqualFold(strings.TrimSpace(s), strings.TrimSpace(name)) {
				continue
			}
			isWanted = true
			if w.claims.of != nil {
				w.claims.of.Sheets.Store(s, true)
			}
		}
		if isWanted {
			found = append(found, i)
		}
	}
	if len(found) == 0 && slices.Contains(wanted, ports.AllSheets) {
		found, _ = w.shown()
	}
	return found
}

// shown returns the sheets that a spreadsheet program shows, and those that it hides.
func (w *workbook) shown() (shown, hidden []int) {
	for i := range w.names {
		if w.Hidden(i) {
			hidden = append(hidden, i)
			continue
		}
		shown = append(shown, i)
	}
	return shown, hidden
}

// mostOptions is how many sheets an error names at most.
const mostOptions = 50

// options returns the names of sheets, or of all sheets.
func (w *workbook) options(of []int) (names []string) {
	for i, name := range w.names {
		if (of == nil || slices.Contains(of, i)) && len(names) < mostOptions {
			names = append(names, domain.Shortened(name))
		}
	}
	return names
}

// explain says why no sheet has a header: it stands too far down in one, a line of one is
// too wide, or else of missing, by the line of all sheets that looks most like a header.
func (w *workbook) explain(among []int, recognise func([][]byte) (bool, error), missing func(int, [][]byte) error) error {
	var likeliest, wide *csvFile
	var line, likeliestSheet int
	var header [][]byte
	looked, lines := 0, farLines
	for _, i := range among {
		if looked > mostLooked {
			lines = headerLines
		}
		text, err := w.head(i, lines)
		if err != nil {
			return w.fault(err)
		}
		looked += linesOf(text, sheetDialect.eol)
		if err := w.table(i).farHeader(text, recognise); err != nil {
			return err
		}
		t := w.table(i)
		if at, cells := t.likeliestHeader(text); likeliest == nil || len(cells) > len(header) {
			likeliest, line, header, likeliestSheet = t, at, cells, i
		}
		if _, _ = t.findHeader(text, headerLines, none); t.wide.cells > maxColumns && wide == nil {
			wide = t
		}
	}
	switch {
	case wide != nil:
		return wide.tooWide(wide.wide.line, wide.wide.cells)
	case len(header) == 0:
		return &domain.FileError{File: w.file, Rule: domain.RuleEmpty}
	}
	w.noteLikeliest(likeliestSheet, line)
	return likeliest.named(missing(line, header))
}

// noteLikeliest notes the line of a sheet that looks most like a header.
func (w *workbook) noteLikeliest(sheet, line int) {
	if w.seen.Seen == nil {
		return
	}
	if text, err := w.read(sheet, onLine(line)); err == nil {
		w.seen.likeliest(w.table(sheet), text, line)
	}
}

func onLine(line int) func(*csvFile) func([][]byte) (bool, error) {
	return func(t *csvFile) func([][]byte) (bool, error) {
		return func([][]byte) (bool, error) { return t.headerLine == line, nil }
	}
}

// none takes no line for a header.
func none([][]byte) (bool, error) { return false, nil }

// table is a sheet whose header is to be looked for.
func (w *workbook) table(sheet int) *csvFile {
	t := &csvFile{file: w.file, maxRows: w.rows, dialect: sheetDialect, line: 1}
	if len(w.names) > 1 {
		t.sheet = domain.Shortened(w.names[sheet])
	}
	return t
}

func (w *workbook) fault(err error) error {
	if _, isOurs := errors.AsType[*domain.Error](err); isOurs || errors.Is(err, context.Canceled) {
		return err // there is no memory for it
	}
	e := &domain.FileError{File: w.file, Rule: domain.RuleBrokenWorkbook}
	switch {
	case errors.Is(err, sheet.ErrPassword):
		e.Rule = domain.RulePassword
	case errors.Is(err, sheet.ErrLarge):
		if e.Rule, e.Limit = domain.RuleLargeWorkbook, int(w.most); w.own > 0 {
			e.Count = w.bytes
		}
	}
	return e
}
