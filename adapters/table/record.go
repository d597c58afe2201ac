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

// maxColumns is how many cells a line may have to be looked at as a header.
const maxColumns = 2000

// The ways in which quoting breaks; encoding/csv knows the same three.
const (
	quoteInside  = "has a quotation mark inside a cell that does not begin with one"
	quoteTrailed = "has text after a cell's closing quotation mark"
	quoteOpen    = "opens a quotation mark that is never closed"
	quoteAdvice  = "write the cell in quotation marks and double those inside it, or export the file again"
)

// record reads the record at the beginning of text, cell by cell, and returns
// what follows it, how many physical lines it takes, and what is wrong with its
// quoting, if anything. It allocates: rows.go reads ordinary records.
func (d dialect) record(text []byte) (cells [][]byte, rest []byte, lines int, problem string) {
	lines = 1
	for {
		if len(text) > 0 && text[0] == quote {
			cell, after, problem := d.quoted(text)
			if problem != "" {
				return cells, nil, lines, problem
			}
			lines += bytes.Count(text[:len(text)-len(after)], []byte{d.eol})
			cells, text = append(cells, cell), after
		} else if wrapped := d.wrapped(text); wrapped > 0 {
			cells, text = append(cells, text[:wrapped]), d.withoutLoneCR(text[wrapped:])
		} else {
			n := bytes.IndexAny(text, string([]byte{d.comma, d.eol}))
			if n < 0 {
				n = len(text)
			}
			cell := d.withoutCR(text[:n], text[n:])
			if bytes.IndexByte(cell, quote) >= 0 {
				return cells, nil, lines, quoteInside
			}
			cells, text = append(cells, cell), text[n:]
		}
		if len(text) == 0 {
			return cells, nil, lines, ""
		}
		ended := text[0] == d.eol
		text = text[1:]
		if ended {
			return cells, text, lines, ""
		}
	}
}

// quoted reads the quoted cell at the beginning of text. What follows begins
// with a delimiter or a line's end, or is empty.
func (d dialect) quoted(text []byte) (cell, rest []byte, problem string) {
	inner := text[1:]
	doubled := false
	for at := 0; ; {
		n := bytes.IndexByte(inner[at:], quote)
		if n < 0 {
			return nil, nil, quoteOpen
		}
		at += n
		if at+1 < len(inner) && inner[at+1] == quote {
			doubled = true
			at += 2
			continue
		}
		cell, rest = inner[:at], inner[at+1:]
		break
	}
	if doubled {
		cell = bytes.ReplaceAll(cell, []byte(`""`), []byte(`"`))
	}
	if d.eol == '\n' && bytes.IndexByte(cell, '\r') >= 0 {
		cell = bytes.ReplaceAll(cell, []byte("\r\n"), []byte("\n"))
	}
	rest = d.withoutLoneCR(rest)
	if len(rest) > 0 && rest[0] != d.comma && rest[0] != d.eol {
		return nil, nil, quoteTrailed
	}
	return cell, rest, ""
}

// wrapped is the length of the cell at the beginning of text if it is of the
// form ="…" with which spreadsheets keep a number as text; 0 if it is not. It
// need not be quoted, although it has quotation marks in it: programs that
// write it do not quote it.
func (d dialect) wrapped(text []byte) int {
	if len(text) < 3 || text[0] != '=' || text[1] != quote {
		return 0
	}
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
	for _, cell := range bytes.FieldsFunc(raw, func(r rune) bool { return r == rune(d.comma) || r == quote || r == '\n' || r == '\r' }) {
		if !domain.IsSeparator(domain.Unwrapped(cell)) {
			return false
		}
	}
	return true
}
