package table

import (
	"bytes"

	"milaan/domain"
)

// dialect is how a file separates cells and records.
type dialect struct {
	comma byte
	eol   byte // \n, or \r in files of old spreadsheets that have no \n
}

const quote = '"'

// maxColumns is how many cells a line may have to be looked at as a header, and
// longestCell how many bytes a cell of it may have, blanks included, to be looked
// at as a column's name: four times the longest name.
const (
	maxColumns  = 2000
	longestCell = 4 * domain.MaxColumnName
)

// record reads the record at the beginning of text, and appends its cells. It returns what follows
// the record, and which rule of quoting it breaks, if any. A cell that is too long for a column's
// name keeps its doubled quotation marks: it is not worth a copy.
func (t *csvFile) record(cells [][]byte, text []byte) (_ [][]byte, rest []byte, broken domain.FileRule) {
	_, rest, broken = t.dialect.eachCell(text, func(_ int, cell []byte, quoted bool) {
		if quoted && len(cell) <= longestCell {
			cell = t.arena.unquoted(cell, t.dialect.eol)
		}
		cells = append(cells, cell)
	})
	return cells, rest, broken
}

// eachCell calls found with the cells of the record at the beginning of text, one after the other, and
// of a quoted cell with what stands between its quotation marks. It returns how many cells there are,
// what follows the record, and which rule of quoting it breaks, if any. A quotation mark inside a cell
// that does not begin with one is a character like any other (guide: verdict 1).
func (d dialect) eachCell(text []byte, found func(column int, cell []byte, quoted bool)) (width int, rest []byte, broken domain.FileRule) {
	line := d.lineEnd(text)
	for ; ; width++ {
		if line > 0 && text[0] == d.comma { // many cells are empty
			found(width, nil, false)
			text, line = text[1:], line-1
			continue
		}
		var cell, after []byte
		quoted := false
		switch blanks := d.beforeQuote(text); {
		case blanks >= 0:
			quoted = true
			if cell, after, broken = d.quoted(text[blanks:]); broken != "" {
				return width, nil, broken
			}
		case d.wrapped(text) > 0:
			cell = text[:d.wrapped(text)]
			after = d.withoutLoneCR(text[len(cell):])
		default:
			if n := bytes.IndexByte(text[:line], d.comma); n >= 0 {
				cell, after = text[:n], text[n:]
			} else {
				cell, after = d.withoutCR(text[:line], text[line:]), text[line:]
			}
		}
		found(width, cell, quoted)
		if line -= len(text) - len(after); line < 0 {
			line = d.lineEnd(after) // the cell has a line's end in it
		}
		if len(after) == 0 {
			return width + 1, nil, ""
		}
		if text, line = after[1:], line-1; after[0] == d.eol {
			return width + 1, text, ""
		}
	}
}

// lineEnd is how many bytes text's first line has, its end not counted.
func (d dialect) lineEnd(text []byte) int {
	if n := bytes.IndexByte(text, d.eol); n >= 0 {
		return n
	}
	return len(text)
}

// beforeQuote is how many blanks stand before the opening quotation mark of a
// cell; -1 for a cell that is not quoted.
func (d dialect) beforeQuote(text []byte) int {
	if len(text) == 0 || text[0] > quote || text[0] == d.comma {
		return -1
	}
	return d.blanksBeforeQuote(text)
}

// blanksBeforeQuote is beforeQuote for a cell that may be quoted.
func (d dialect) blanksBeforeQuote(text []byte) int {
	for i, b := range text {
		switch {
		case b == quote:
			return i
		case b > ' ' || b == d.comma || b == d.eol:
			return -1
		}
	}
	return -1
}

// afterQuote takes off the blanks after a closing quotation mark.
func (d dialect) afterQuote(rest []byte) []byte {
	for len(rest) > 0 && (rest[0] == ' ' || rest[0] == '\t') && rest[0] != d.comma {
		rest = rest[1:]
	}
	return d.withoutLoneCR(rest)
}

// quoted reads the quoted cell at the beginning of text, as it stands between
// its quotation marks. What follows begins with a delimiter or a line's end, or
// is empty.
func (d dialect) quoted(text []byte) (inner, rest []byte, broken domain.FileRule) {
	inner = text[1:]
	for at := 0; ; {
		n := bytes.IndexByte(inner[at:], quote)
		if n < 0 {
			return nil, nil, domain.RuleQuoteOpen
		}
		at += n
		if at+1 < len(inner) && inner[at+1] == quote {
			at = afterDoubled(inner, at)
			continue
		}
		inner, rest = inner[:at], inner[at+1:]
		break
	}
	rest = d.afterQuote(rest)
	if len(rest) > 0 && rest[0] != d.comma && rest[0] != d.eol {
		return nil, nil, domain.RuleQuoteTrailed
	}
	return inner, rest, ""
}

// afterDoubled goes over the doubled quotation marks at a position, of which there
// may be millions.
func afterDoubled(text []byte, at int) int {
	for at+1 < len(text) && text[at] == quote && text[at+1] == quote {
		at += 2
	}
	return at
}

// wrapped is the length of the cell at the beginning of text if it is of the
// form ="…" with which spreadsheets keep a number as text; 0 if it is not. It
// need not be quoted, although it has quotation marks in it: programs that
// write it do not quote it.
func (d dialect) wrapped(text []byte) int {
	if len(text) < 3 || text[0] != '=' || text[1] != quote {
		return 0
	}
	return d.wrappedTo(text)
}

// wrappedTo is wrapped for a cell that begins with =".
func (d dialect) wrappedTo(text []byte) int {
	n := bytes.IndexByte(text[2:], quote)
	if n < 0 || bytes.IndexByte(text[2:2+n], d.eol) >= 0 {
		return 0
	}
	n += 3
	if rest := d.withoutLoneCR(text[n:]); len(rest) > 0 && rest[0] != d.comma && rest[0] != d.eol {
		return 0
	}
	return n
}

// withoutLoneCR takes off the \r before a line's end, where a cell has ended.
func (d dialect) withoutLoneCR(rest []byte) []byte {
	if len(rest) > 0 && rest[0] == '\r' && d.eol == '\n' && (len(rest) == 1 || rest[1] == '\n') {
		return rest[1:]
	}
	return rest
}

// withoutCR takes the \r off a record's last cell.
func (d dialect) withoutCR(cell, rest []byte) []byte {
	if n := len(cell); d.eol == '\n' && n > 0 && cell[n-1] == '\r' && (len(rest) == 0 || rest[0] == '\n') {
		return cell[:n-1]
	}
	return cell
}

// blank says that raw text holds nothing but blanks, delimiters, quotation
// marks and separators.
func (d dialect) blank(raw []byte) bool {
	for i, b := range raw {
		switch {
		case b <= ' ', b == d.comma, b == quote, b == '-', b == '=', b == '_', b == '*', b == '.':
		case b >= 0x80:
			return d.blankCells(raw[i:])
		default:
			return false
		}
	}
	return true
}

// blankCells is blank for text with blanks beyond ASCII in it.
func (d dialect) blankCells(raw []byte) bool {
	for len(raw) > 0 {
		n := 0
		for n < len(raw) && raw[n] != d.comma && raw[n] != quote && raw[n] != '\n' && raw[n] != '\r' {
			n++
		}
		if !domain.IsSeparator(domain.Unwrap(raw[:n])) {
			return false
		}
		raw = raw[min(n+1, len(raw)):]
	}
	return true
}

// blankFrom says that a record, whose quoting is sound, has nothing but blanks
// from a column on. If not, cell is the first that is none. It keeps no cells.
func (d dialect) blankFrom(record []byte, column int) (cell []byte, blank bool) {
	for text := record; ; column-- {
		if column <= 0 {
			for len(text) > 0 && (text[0] == d.comma || text[0] == ' ') {
				text = text[1:]
			}
		}
		switch wrapped, blanks := d.wrapped(text), d.beforeQuote(text); {
		case blanks >= 0:
			cell, text, _ = d.quoted(text[blanks:])
		case wrapped > 0:
			cell, text = text[:wrapped], d.withoutLoneCR(text[wrapped:])
		default:
			n := 0
			for n < len(text) && text[n] != d.comma && text[n] != d.eol {
				n++
			}
			cell, text = text[:n], text[n:]
		}
		if column <= 0 && len(domain.Unwrap(cell)) > 0 {
			return cell, false
		}
		if len(text) == 0 || text[0] == d.eol {
			return nil, true
		}
		text = text[1:]
	}
}
