package sheet

import (
	"bytes"
	"strconv"
	"strings"
)

type odsCell struct {
	kind, value, date, time, truth []byte
	stated                         []byte // the text in an attribute
	formula                        bool
	repeated, rows                 int    // rows that it covers
	text                           []byte // the paragraphs in it
}

// odsHeads are the tags of the last text and the last number that were read up to their >. Nearly all others are the
// same, but for the number.
type odsHeads struct{ text, number, afterNumber []byte }

// read reads the tag of a cell that is as the last one, and returns where its > stands; 0 for others.
func (h *odsHeads) read(c *odsCell, b []byte) int {
	if len(h.text) > 0 && bytes.HasPrefix(b, h.text) {
		*c = odsCell{kind: odsText, repeated: 1}
		return len(h.text) - 1
	}
	if len(h.number) == 0 || !bytes.HasPrefix(b, h.number) {
		return 0
	}
	from := len(h.number)
	n := bytes.IndexByte(b[from:], '"')
	if n < 0 || !bytes.HasPrefix(b[from+n:], h.afterNumber) {
		return 0
	}
	*c = odsCell{kind: odsNumber, value: b[from : from+n], repeated: 1}
	return from + n + len(h.afterNumber) - 1
}

// learn keeps the tag of a cell that has been read up to its >, if the next ones may have the same.
func (h *odsHeads) learn(c *odsCell, tag []byte) {
	const number, value = ` office:value="`, `value="`
	if c.repeated > 1 || c.formula || c.date != nil || c.time != nil || c.truth != nil || c.stated != nil {
		return
	}
	at := bytes.Index(tag, []byte(number))
	switch {
	case c.value == nil && bytes.Equal(c.kind, odsText):
		h.text = append(append(h.text[:0], tag...), '>')
	case at > 0 && bytes.Equal(c.kind, odsNumber) && bytes.Count(tag, []byte(value)) == 1:
		at += len(number)
		h.number = append(h.number[:0], tag[:at]...)
		h.afterNumber = append(append(h.afterNumber[:0], tag[at+len(c.value):]...), '>')
	}
}

// The kinds of nearly all cells.
var odsText, odsNumber = []byte("string"), []byte("float")

// readPlain reads the attributes of a cell as programs write them, each with a blank before it and a value
// between double quotes, and returns where the first of > and /> stands behind them; -1 for all others.
func (c *odsCell) readPlain(b []byte, i int) int {
	const kind, kindAgain, number = `office:value-type="`, `calcext:value-type="`, `office:value="`
	const style, repeated = `table:style-name="`, `table:number-columns-repeated="`
	for *c = (odsCell{repeated: 1}); i+1 < len(b) && b[i] == ' ' && b[i+1] != '/'; {
		i++
		var times []byte
		to := &c.kind
		switch rest := b[i:]; {
		case bytes.HasPrefix(rest, []byte(kind)):
			i += len(kind)
		case bytes.HasPrefix(rest, []byte(kindAgain)):
			i, to = i+len(kindAgain), nil
		case bytes.HasPrefix(rest, []byte(number)):
			i, to = i+len(number), &c.value
		case bytes.HasPrefix(rest, []byte(style)):
			i, to = i+len(style), nil
		case bytes.HasPrefix(rest, []byte(repeated)):
			i, to = i+len(repeated), &times
		default:
			if i = c.readOther(b, i); i < 0 {
				return -1
			}
			continue
		}
		n := bytes.IndexByte(b[i:], '"')
		if n < 0 {
			return -1
		}
		if to != nil {
			*to = b[i : i+n]
		}
		if times != nil {
			c.repeated = repeats(times)
		}
		i += n + 1
	}
	if i < len(b) && b[i] == ' ' {
		i++ // before />
	}
	if i+1 >= len(b) || b[i] != '>' && b[i] != '/' {
		return -1
	}
	return i
}

// readOther reads an attribute of any name for readPlain, and returns where the tag goes on.
func (c *odsCell) readOther(b []byte, i int) int {
	from, local := i, i
	for ; i < len(b) && (b[i]-'a' < 26 || b[i] == '-' || b[i] == ':'); i++ {
		if b[i] == ':' && local == from {
			local = i + 1
		}
	}
	if i+1 >= len(b) || b[i] != '=' || b[i+1] != '"' {
		return -1
	}
	name := b[local:i]
	i += len(`="`)
	n := bytes.IndexByte(b[i:], '"')
	if n < 0 {
		return -1
	}
	if string(b[from:local]) != "calcext:" {
		c.take(name, b[i:i+n])
	}
	return i + n + 1
}

func (c *odsCell) read(attrs []byte) {
	for c.repeated = 1; ; {
		name, value, rest := nextAttribute(attrs)
		if name == nil {
			return
		}
		if attrs = rest; !bytes.HasPrefix(name, []byte("calcext:")) { // says again what the format's own attributes say
			c.take(localName(name), value)
		}
	}
}

// take takes an attribute of a cell, by its name without prefix.
func (c *odsCell) take(name, value []byte) {
	switch string(name) {
	case "value-type":
		c.kind = value
	case "value":
		c.value = value
	case "date-value":
		c.date = value
	case "time-value":
		c.time = value
	case "boolean-value":
		c.truth = value
	case "string-value":
		c.stated = value
	case "formula":
		c.formula = true
	case "number-columns-repeated":
		c.repeated = repeats(value)
	case "number-rows-spanned":
		c.rows = repeats(value)
	}
}

// appendValue appends the cell's value as text. A number or a date is taken from the
// attributes, as its text may be rounded; but not if the text is an error, for then some
// programs state 0.
func (c *odsCell) appendValue(dst []byte) []byte {
	if saysError(c.text) {
		return append(dst, c.text...)
	}
	switch string(c.kind) {
	case "float", "currency", "percentage":
		if isPadded(c.text, c.value) {
			return append(dst, c.text...)
		}
		if isPlain(c.value) {
			return append(dst, c.value...)
		}
		if f, ok := readNumber(c.value); ok {
			return appendNumber(dst, f)
		}
	case "date":
		if len(c.date) > 0 {
			return appendISODate(dst, c.date)
		}
	case "time":
		if seconds, ok := readDuration(string(c.time)); ok {
			return appendClock(dst, seconds)
		}
	case "boolean":
		if len(c.truth) > 0 {
			return append(dst, bytes.ToUpper(c.truth)...)
		}
	}
	if c.formula && len(c.kind) == 0 && len(c.text) == 0 {
		return append(dst, notComputed...)
	}
	if len(c.text) == 0 && len(c.stated) > 0 {
		dst, _ = appendText(dst, c.stated)
		return dst
	}
	return append(dst, c.text...)
}

// saysError says that a text is what spreadsheet programs show of a formula that has no
// value.
func saysError(text []byte) bool {
	if len(text) == 0 || text[0] != '#' {
		return bytes.HasPrefix(text, []byte("Err:")) // LibreOffice's own
	}
	for _, known := range errorTexts {
		if string(text) == known {
			return true
		}
	}
	return false
}

// readDuration reads a time such as PT10H11M12.5S as seconds; their fraction is cut.
func readDuration(s string) (seconds int64, ok bool) {
	rest, ok := strings.CutPrefix(s, "PT")
	if !ok {
		return 0, false
	}
	for _, unit := range []struct {
		letter  string
		seconds int64
	}{{"H", 3600}, {"M", 60}, {"S", 1}} {
		number, after, found := strings.Cut(rest, unit.letter)
		if !found {
			continue
		}
		whole, _, _ := strings.Cut(strings.Replace(number, ",", ".", 1), ".")
		n, err := strconv.ParseUint(whole, 10, 32)
		if err != nil {
			return 0, false
		}
		seconds, rest = seconds+int64(n)*unit.seconds, after
	}
	return seconds, rest == ""
}
