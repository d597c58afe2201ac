package sheet

import "bytes"

// plainPage is how many bytes of a page plainCells looks at for one cell.
const plainPage = 64 << 10

// window is what stands at a place of the page, as far as plainCells looks.
func (p *pageTokens) window(at int) []byte { return p.content[at:min(len(p.content), at+plainPage)] }

// plainCells reads cells of a row as long as they stand as nearly all do, such as
//
//	<td>1299.00</td>
//	<td align="left">381, Lake View<br>Indore &amp; Dewas</td>
//	<td data-t="n" data-v="12" id="sjs-B7">12.00</td>
//
// and leaves the first that does not to startCell. It passes over the blanks after a cell too, which say nothing
// there. It only saves time: startCell reads all cells alike.
func (r *pageReader) plainCells(t *pageTable) (err error) {
	if r.odd != nil || !t.inRow || t.inCell {
		return nil
	}
	r.at = afterBlanks(r.content, r.at)
	t.raw = rawValue{text: t.raw.text[:0]}
	began := len(t.text.text)
	t.text.most = began + int(r.left)
	for err == nil && t.col >= len(t.spans) && t.col < lastColumn {
		b := r.window(r.at)
		if n := len(r.blank); n > 0 && len(b) > n && b[n] == '<' && string(b[:n]) == string(r.blank) {
			r.at, t.col, t.cells, t.ended = r.at+n, t.col+1, t.cells+1, true
			continue
		}
		head := r.plainHead(&t.raw, b)
		if head == 0 {
			break
		}
		text, plain, n := r.plainText(t, b[head:])
		if n == 0 {
			break
		}
		began := r.at
		r.at = afterBlanks(r.content, r.at+head+n)
		if len(text) == 0 && t.raw.kind == 0 {
			r.blank = r.content[began:r.at]
		}
		t.column, t.col, t.cells, t.ended = t.col, t.col+1, t.cells+1, true
		switch {
		case plain && t.raw.kind == 0:
			err = t.text.putRaw(int(t.row), t.column, text)
		case t.raw.kind == 0:
			err = t.text.put(int(t.row), t.column, trimCell(text))
		default:
			err = t.text.put(int(t.row), t.column, t.raw.value(trimCell(text), r.from1904))
		}
	}
	r.left -= int64(len(t.text.text) - began)
	return err
}

// plainHead reads the tag of a cell, if its attributes are written as programs write them, and returns its length. It
// is 0 for a tag that is left to startCell.
func (r *pageReader) plainHead(raw *rawValue, b []byte) int {
	i := len("<td")
	if len(b) <= i || string(b[:i]) != "<td" {
		return 0
	}
	*raw = rawValue{text: raw.text[:0]}
	if n := len(r.bare); n > 0 && len(b) >= n && string(b[:n]) == string(r.bare) {
		return n
	}
	had := uint(0)
	for i < len(b) && b[i] == ' ' {
		i++
		from := i
		for i < len(b) && (b[i]-'a' < 26 || b[i] == '-' || b[i] == ':') {
			i++
		}
		if i+1 >= len(b) || i == from || b[i] != '=' || b[i+1] != '"' {
			return 0
		}
		name := b[from:i]
		i += len(`="`)
		n := beforeQuote(b[i:])
		if n < 0 {
			return 0
		}
		value := b[i : i+n]
		i += n + 1
		which := attributeOfCell(name)
		if which == 0 || which == valueOfCell && had&kindOfCell != 0 && raw.kind == 0 {
			continue // nobody asks for it, or it says again what the page shows
		}
		if which == spanOfCell || had&which != 0 || !(which == idOfCell && hasSheetID(value)) && !isBareValue(value) {
			return 0
		}
		had |= which
		r.readRaw(raw, name, value)
	}
	if i >= len(b) || b[i] != '>' {
		return 0
	}
	if raw.data && !raw.sheet {
		*raw = rawValue{text: raw.text}
	}
	if had == 0 {
		r.bare = b[:i+1]
	}
	return i + 1
}

// The attributes of cells that somebody asks for. Those that make a cell span others are one.
const (
	spanOfCell = 1 << iota
	kindOfCell
	valueOfCell
	formatOfCell
	classOfCell
	idOfCell
	styleOfCell
	numberOfCell
	stringOfCell
)

// attributeOfCell is one of these; 0 for an attribute for which nobody asks.
func attributeOfCell(name []byte) uint {
	switch string(name) {
	case "colspan", "rowspan":
		return spanOfCell
	case "class":
		return classOfCell
	case "data-t":
		return kindOfCell
	case "data-v":
		return valueOfCell
	case "data-z":
		return formatOfCell
	case "id":
		return idOfCell
	case "style":
		return styleOfCell
	case "x:num":
		return numberOfCell
	case "x:str":
		return stringOfCell
	}
	return 0
}

// isBareValue says that the value of an attribute is what stands there.
func isBareValue(value []byte) bool {
	for n := plainLength(value); n < len(value); n++ {
		if c := value[n]; c == '&' || c == '\r' || c == 0 {
			return false
		}
	}
	return true
}

// plainText reads the text of a cell up to its end, whose tag is the last that length counts; length is 0 for a text
// that is left to the tokens. plain says that the text stands in a cell of CSV as it is. The text is good until the
// next is read.
func (p *pageTokens) plainText(t *pageTable, b []byte) (text []byte, plain bool, length int) {
	const end = "</td>"
	n, spaced := plainTextLength(b)
	if bytes.HasPrefix(b[n:], []byte(end)) && (n == 0 || spaced) {
		return b[:n], true, n + len(end)
	}
	t.cell, t.blank = t.cell[:0], false
	for i := 0; ; {
		n := bytes.IndexByte(b[i:], '<')
		if n < 0 {
			return nil, false, 0
		}
		text = b[i : i+n]
		if bytes.IndexByte(text, '&') >= 0 {
			var known bool
			if p.room, known = appendPlain(p.room[:0], text); !known {
				return nil, false, 0
			}
			text = p.room
		}
		t.addText(text)
		i += n
		switch rest := b[i:]; {
		case bytes.HasPrefix(rest, []byte(end)):
			return t.cell, false, i + len(end)
		case bytes.HasPrefix(rest, []byte("<br>")):
			i += len("<br>")
		case bytes.HasPrefix(rest, []byte("<br/>")):
			i += len("<br/>")
		default:
			return nil, false, 0
		}
		t.blank = true
	}
}
