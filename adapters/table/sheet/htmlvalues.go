package sheet

import (
	"bytes"
	"strconv"
	"strings"
	"unicode/utf8"
)

// readRaw reads the attributes by which spreadsheet programs say the value of a cell:
// x:num, x:str and class or style are those of Excel, data-t, data-v and data-z those
// of SheetJS.
func (r *pageReader) readRaw(raw *rawValue, key, value []byte) {
	switch string(key) {
	case "x:num":
		if len(value) > 0 {
			raw.kind, raw.text = 'n', append(raw.text[:0], value...)
		}
	case "x:str":
		if len(value) > 0 {
			raw.kind, raw.text = 's', append(raw.text[:0], value...)
		}
	case "data-t":
		if len(value) == 1 && raw.kind == 0 && (value[0] == 'n' || value[0] == 'e') {
			raw.kind, raw.data = value[0], true
		}
	case "id":
		raw.sheet = hasSheetID(value)
	case "data-v":
		raw.text = append(raw.text[:0], value...)
	case "data-z":
		raw.format = formatOf(string(value))
	case "class":
		if len(r.formats) == 0 {
			return // of nearly all pages
		}
		for class := range bytes.FieldsSeq(value) {
			if raw.format == plainNumber {
				raw.format = r.formats[string(class)]
			}
		}
	case "style":
		if code, ok := numberFormat(value); ok {
			raw.format = pageFormat(code)
		}
	}
}

// hasSheetID says that SheetJS has written the id of a cell.
func hasSheetID(id []byte) bool { return bytes.HasPrefix(id, []byte("sjs-")) }

// value returns the value of a cell: what its attributes say, if that is more than the
// text that the page shows, or the text.
func (v rawValue) value(shown []byte, from1904 bool) []byte {
	switch v.kind {
	case 's':
		return v.text
	case 'e':
		if code, err := strconv.ParseUint(string(v.text), 10, 8); err == nil {
			return appendTruthOrError(nil, byte(code), true)
		}
	case 'n':
		if v.format == plainNumber && isPlain(v.text) { // nearly every number
			if bytes.Equal(v.text, shown) || isPadded(shown, v.text) || !showsNumber(shown) {
				return shown
			}
			return v.text
		}
		number, ok := readNumber(v.text)
		if !ok {
			break
		}
		if isPadded(shown, v.text) {
			break
		}
		if v.format != plainNumber || showsNumber(shown) {
			return appendFormatted(nil, number, v.format, from1904)
		}
	}
	return shown
}

// pageFormat is what a number is by a number format that a page or an XML Spreadsheet
// has. Excel writes the formats of every country by name.
func pageFormat(code string) format {
	switch strings.ToLower(code) {
	case "general date", "long date", "medium date", "short date":
		return dateNumber
	case "long time", "medium time", "short time":
		return timeNumber
	}
	return formatOf(code)
}

// showsNumber says whether the text of a cell is the number that its raw value says,
// and not a date or a word that a format makes of it.
func showsNumber(shown []byte) bool {
	for _, currency := range []string{"₹", "Rs.", "Rs", "INR"} {
		shown = bytes.TrimPrefix(shown, []byte(currency))
	}
	for i, c := range shown {
		switch {
		case '0' <= c && c <= '9', strings.IndexByte(".,+%() ", c) >= 0:
		case c == '-' && (i == 0 || shown[i-1]|0x20 == 'e'):
		case c|0x20 == 'e' && i > 0:
		default:
			return false
		}
	}
	return true
}

// msoFormat is the property of a style that has a number format.
const msoFormat = "mso-number-format:"

// numberFormat returns the number format in the declarations of a style. There, a
// backslash stands before a character that means itself, or a number that means one.
func numberFormat(style []byte) (string, bool) {
	_, value, found := bytes.Cut(style, []byte(msoFormat))
	if !found {
		return "", false
	}
	value = bytes.TrimLeft(value, " \t\r\n")
	until := byte(';')
	if len(value) > 0 && (value[0] == '"' || value[0] == '\'') {
		until, value = value[0], value[1:]
	}
	var format []byte
	for i := 0; i < len(value) && value[i] != until && value[i] != '}'; i++ {
		c := value[i]
		if c != '\\' || i+1 == len(value) {
			format = append(format, c)
			continue
		}
		if i+4 < len(value) {
			if code, err := strconv.ParseUint(string(value[i+1:i+5]), 16, 16); err == nil {
				format, i = utf8.AppendRune(format, rune(code)), i+4
				continue
			}
		}
		i++
		format = append(format, value[i])
	}
	return strings.TrimSpace(string(format)), true
}

// readFormats notes the number formats of the classes in a style sheet.
func (r *pageReader) readFormats(sheet []byte) {
	for {
		selector, rest, found := bytes.Cut(sheet, []byte("{"))
		if !found {
			return
		}
		var block []byte
		block, sheet, _ = bytes.Cut(rest, []byte("}"))
		code, found := numberFormat(block)
		_, class, dotted := bytes.Cut(selector, []byte("."))
		if !found || !dotted {
			continue
		}
		if r.formats == nil {
			r.formats = map[string]format{}
		}
		r.formats[string(bytes.TrimSpace(class))] = pageFormat(code)
	}
}
