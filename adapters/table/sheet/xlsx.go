package sheet

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
)

// xlsx is a workbook in Office Open XML, transitional or strict.
type xlsx struct {
	contents
	archive *archive
	most    int64 // bytes that a sheet's text may have
	left    int64 // bytes that the texts of all readings may have

	parts    []string
	from1904 bool
	stale    bool     // programs compute all formulas when they open it: their values may be missing
	formats  []format // by cell style
	texts    sharedTexts
	textPart string // of texts, while they have not been read; blank: there are none
	merged   []Merged
}

// sharedTexts are the shared strings of a workbook, as cells of CSV.
type sharedTexts struct {
	all   []byte
	ends  [][]uint32 // in blocks, as there may be millions
	n     int
	most  int64
	claim func(bytes int) error
}

const endsInBlock = 1 << 14

// add appends a text. plain says that it stands in a cell of CSV as it is.
func (t *sharedTexts) add(value []byte, plain bool) error {
	if plain {
		t.all = append(t.all, value...)
	} else {
		t.all = appendCell(t.all, value)
	}
	if t.n%endsInBlock == 0 {
		if err := t.claim(4 * endsInBlock); err != nil {
			return err
		}
		t.ends = append(t.ends, make([]uint32, endsInBlock))
	}
	t.ends[t.n/endsInBlock][t.n%endsInBlock] = uint32(len(t.all))
	// Each text takes a byte more, so that a million empty ones are not free.
	if t.n++; int64(len(t.all)+t.n) > t.most {
		return ErrLarge
	}
	return nil
}

func (t *sharedTexts) at(n int) []byte {
	from := uint32(0)
	if n > 0 {
		from = t.ends[(n-1)/endsInBlock][(n-1)%endsInBlock]
	}
	return t.all[from:t.ends[n/endsInBlock][n%endsInBlock]]
}

// relation is what one part says of another.
type relation struct{ kind, target string }

// openXLSX opens the workbook that an archive holds, and reads all but its texts and
// sheets.
func openXLSX(a *archive, most int64) (*xlsx, error) {
	book, err := findWorkbook(a)
	if err != nil {
		return nil, err
	}
	related, err := a.relations(book)
	if err != nil {
		return nil, err
	}
	x := &xlsx{contents: contents{kind: KindXLSX}, archive: a, most: most, left: 3 * most}
	for _, r := range related {
		switch r.kind {
		case "styles":
			err = x.readStyles(r.target)
		case "sharedStrings":
			x.textPart = r.target
		}
		if err != nil {
			return nil, err
		}
	}
	return x, x.readWorkbook(book, related)
}

// findWorkbook returns the name of the workbook's part. It is errOther for an archive
// that holds something else, such as a document or a workbook in binary.
func findWorkbook(a *archive) (string, error) {
	const usual = "xl/workbook.xml"
	if !a.has("_rels/.rels") {
		if a.has(usual) {
			return usual, nil
		}
		return "", errOther
	}
	related, err := a.relations("")
	if err != nil {
		return "", err
	}
	for _, r := range related {
		if r.kind == "officeDocument" && strings.HasPrefix(r.target, "xl/") && !strings.HasSuffix(r.target, ".bin") ||
			r.kind == "officeDocument" && strings.HasSuffix(r.target, "workbook.xml") {
			return r.target, nil
		}
	}
	if a.has(usual) {
		return usual, nil
	}
	return "", errOther
}

// relations reads what a part is related to, by id; the archive itself is the part "". A
// part without relations has none.
func (a *archive) relations(part string) (map[string]relation, error) {
	folder, file := "", part
	if n := strings.LastIndexByte(part, '/'); n >= 0 {
		folder, file = part[:n+1], part[n+1:]
	}
	name := folder + "_rels/" + file + ".rels"
	if !a.has(name) {
		return nil, nil
	}
	found := map[string]relation{}
	var kept names
	err := a.eachElement(name, false, func(m *markup) error {
		if m.depth != 2 || string(m.name) != "Relationship" {
			return nil
		}
		if !kept.add(len(m.attrs)) || len(found) > 4*mostParts {
			return ErrLarge
		}
		id, known := textOf(m.attrs, "Id")
		kind, known2 := textOf(m.attrs, "Type")
		target, known3 := textOf(m.attrs, "Target")
		if !known || !known2 || !known3 {
			return fmt.Errorf("%w: a relation's attribute", ErrBroken)
		}
		if !strings.HasPrefix(target, "/") && !strings.HasPrefix(target, `\`) {
			target = folder + target
		}
		found[id] = relation{kind: kind[strings.LastIndexByte(kind, '/')+1:], target: partName(target)}
		return nil
	})
	return found, err
}

func (x *xlsx) readWorkbook(part string, related map[string]relation) error {
	used := map[string]bool{}
	var kept names
	return x.archive.eachElement(part, false, func(m *markup) error {
		isSet := func(name string) bool {
			value := attribute(m.attrs, name)
			return string(value) == "1" || string(value) == "true"
		}
		switch string(m.name) {
		case "workbookPr":
			if m.depth == 2 {
				x.from1904 = isSet("date1904")
			}
		case "calcPr":
			if m.depth == 2 {
				x.stale = isSet("fullCalcOnLoad")
			}
		case "sheet":
			if m.depth != 3 {
				return nil
			}
			if len(x.names) == mostParts || !kept.add(len(m.attrs)) {
				return ErrLarge
			}
			name, ok := textOf(m.attrs, "name")
			r, known := related[string(attribute(m.attrs, "id"))]
			switch {
			case !ok || !known:
				return fmt.Errorf("%w: a sheet has no part", ErrBroken)
			case r.kind != "worksheet":
				return nil // a chart, a dialog or macros: no cells
			case used[r.target]:
				return fmt.Errorf("%w: two sheets have one part", ErrBroken)
			}
			used[r.target] = true
			state := string(attribute(m.attrs, "state"))
			x.names = append(x.names, string(inOneLine([]byte(name))))
			x.hidden = append(x.hidden, state == "hidden" || state == "veryHidden")
			x.parts = append(x.parts, r.target)
		}
		return nil
	})
}

// mostStyles is how many styles the cells of a workbook may have. Excel has 65,490 at most.
const mostStyles = 1 << 16

// readStyles reads which styles of cells are dates or times.
func (x *xlsx) readStyles(part string) error {
	if !x.archive.has(part) {
		return nil
	}
	own := map[int]format{}
	inCells := false
	return x.archive.eachElement(part, false, func(m *markup) error {
		if m.depth == 2 {
			inCells = string(m.name) == "cellXfs"
		}
		if m.depth != 3 {
			return nil
		}
		id, err := strconv.Atoi(string(attribute(m.attrs, "numFmtId")))
		switch {
		case string(m.name) == "numFmt" && err == nil:
			code, _ := textOf(m.attrs, "formatCode")
			own[id] = formatOf(code)
		case string(m.name) == "xf" && inCells:
			is, described := own[id]
			if !described {
				is = builtIn(id)
			}
			x.formats = append(x.formats, is)
		}
		if len(own) > mostStyles || len(x.formats) > mostStyles {
			return ErrLarge
		}
		return nil
	})
}

// readTexts reads the shared strings, unless they have been read.
func (x *xlsx) readTexts() error {
	if x.textPart == "" {
		return nil
	}
	in, err := x.archive.open(x.textPart)
	if err != nil {
		return err
	}
	defer in.Close()
	m := newMarkup(in)
	if err := x.archive.claim(int(min(in.size, x.most))); err != nil {
		return err
	}
	t := sharedTexts{all: make([]byte, 0, min(in.size, x.most)), most: x.most, claim: x.archive.claim}
	var value []byte
	for {
		if err := m.plainTexts(&t); err != nil {
			return err
		}
		switch m.next() {
		case ended:
			if m.err == nil {
				x.texts, x.textPart = t, ""
			}
			return m.err
		case opened:
			if m.depth != 2 || string(m.name) != "si" {
				continue
			}
			value = m.appendRich(value[:0])
			if err := t.add(value, false); err != nil {
				return err
			}
		}
	}
}

// plainTexts reads shared strings as long as they stand as nearly all do, such as
//
//	<si><t>Pune</t></si>
//	<si><t xml:space="preserve">Lake View, Pune</t></si>
//
// and leaves the first that does not, and the last bytes of what is inflated, to readTexts. It only saves time.
func (m *markup) plainTexts(t *sharedTexts) error {
	const begin, spaced, end = "<si><t>", `<si><t xml:space="preserve">`, "</t></si>"
	if m.depth != 1 || m.empty {
		return nil
	}
	for m.at+len(spaced)+longestValue+len(end) < m.end {
		b := m.buf[m.at:m.end]
		switch {
		case string(b[:len(begin)]) == begin:
			b = b[len(begin):]
		case string(b[:len(spaced)]) == spaced:
			b = b[len(spaced):]
		default:
			return nil
		}
		n := plainLength(b[:longestValue])
		plain := b[n] == '<'
		if !plain {
			n = bytes.IndexByte(b[:longestValue], '<')
		}
		if n < 0 || string(b[n:n+len(end)]) != end || bytes.IndexByte(b[:n], '&') >= 0 || bytes.IndexByte(b[:n], '_') >= 0 {
			return nil
		}
		if err := t.add(b[:n], plain); err != nil {
			return err
		}
		m.at = m.end - len(b) + n + len(end)
	}
	return nil
}

// appendRich appends the text of the element that was just opened: of the element t in it,
// or of those of its runs. Phonetic runs are left out: they say again how it is read.
func (m *markup) appendRich(dst []byte) []byte {
	outer, from := m.depth, len(dst)
	inText := 0
	for {
		switch m.next() {
		case ended:
			return dst
		case opened:
			switch string(m.name) {
			case "rPh":
				m.skip()
			case "t":
				inText = m.depth
			}
		case texted:
			if inText == m.depth {
				dst = m.appendToken(dst)
			}
		case closed:
			if m.depth < outer {
				return withoutEscapes(dst, from)
			}
			inText = 0
		}
	}
}

// withoutEscapes replaces in dst, from a place on, the characters that XML cannot hold
// and that are written as _x000D_.
func withoutEscapes(dst []byte, from int) []byte {
	text := dst[from:]
	if !bytes.Contains(text, []byte("_x")) {
		return dst
	}
	kept := dst[:from]
	for len(text) > 0 {
		if len(text) >= len("_x000D_") && text[0] == '_' && text[1] == 'x' && text[6] == '_' {
			if n, err := strconv.ParseUint(string(text[2:6]), 16, 16); err == nil && (n < ' ' || n == '_') {
				kept, text = append(kept, byte(n)), text[len("_x000D_"):]
				continue
			}
		}
		kept, text = append(kept, text[0]), text[1:]
	}
	return kept
}

func (x *xlsx) AppendText(dst []byte, sheet, most int) ([]byte, error) {
	if err := x.readTexts(); err != nil {
		return dst, err
	}
	in, err := x.archive.open(x.parts[sheet])
	if err != nil {
		return dst, err
	}
	defer in.Close()
	r := xlsxSheet{
		markup: newMarkup(in),
		book:   x,
		out:    beginText(dst, int(min(x.most, x.left)), x.archive.claim),
		rows:   lastRow,
		size:   in.size,
	}
	if most > 0 {
		r.rows = most
	}
	err = r.read()
	x.left -= int64(len(r.out.text) - len(dst))
	x.merged = r.out.merged
	return r.out.text, err
}

func (x *xlsx) Merged(int) []Merged { return x.merged }
