package sheet

import (
	"encoding/binary"
	"math"
	"strconv"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
)

// appendCell appends a cell, whose record stands at a place, unless it is blank.
func (b *xlsBook) appendCell(t *csvText, row, col, at, end int) error {
	kind, data, next := b.stream.record(at, end)
	style, value := int(binary.LittleEndian.Uint16(data[4:])), data[6:]
	cell := b.cell[:0]
	switch kind {
	case recNumber:
		cell = b.appendStyled(cell, style, float(value))
	case recSmallNum:
		cell = b.appendStyled(cell, style, smallFloat(value))
	case recNumbers:
		of := data[4+6*(col-int(binary.LittleEndian.Uint16(data[2:]))):]
		cell = b.appendStyled(cell, int(binary.LittleEndian.Uint16(of)), smallFloat(of[2:]))
	case recTruth:
		cell = appendTruthOrError(cell, value[0], value[1] != 0)
	case recSharedText:
		n := int(binary.LittleEndian.Uint32(value))
		if n >= len(b.ends) {
			return broken("text %d of %d", n, len(b.ends))
		}
		from := uint32(0)
		if n > 0 {
			from = b.ends[n-1]
		}
		return t.put(row, col, b.texts[from:b.ends[n]])
	case recLabel, recRichLabel:
		record := b.continued(at, end)
		text, err := b.label(record, 6)
		if err == nil && kind == recLabel && len(record.now) > 0 {
			err = broken("%d bytes after a text", len(record.now))
		}
		if err != nil {
			return err
		}
		return t.put(row, col, text)
	case recFormula:
		switch {
		case value[6] != 0xff || value[7] != 0xff:
			cell = b.appendStyled(cell, style, float(value))
		case value[0] == 1 || value[0] == 2:
			cell = appendTruthOrError(cell, value[2], value[0] == 2)
		case value[0] == 0:
			text, err := b.result(next, end)
			if err != nil {
				return err
			}
			return t.put(row, col, text)
		}
	}
	b.cell = cell
	return t.putRaw(row, col, cell)
}

// result returns the text that a formula gives, which stands after it. A program that
// does not compute writes none.
func (b *xlsBook) result(at, end int) ([]byte, error) {
	for {
		switch kind, _, next := b.stream.record(at, end); kind {
		case recArray, recTable, recShared:
			at = next
		case recResult:
			return b.label(b.continued(at, end), 0)
		default:
			return []byte(notComputed), nil
		}
	}
}

// label reads a text with its length before it, of which skip bytes are before that.
// The text is good until the next is read.
func (b *xlsBook) label(r *segments, skip int) ([]byte, error) {
	r.skip(skip)
	n, sound := r.uint16()
	text := b.cell[:0]
	if b.wide {
		if sound {
			text, sound = r.text(text, int(n))
		}
	} else {
		var narrow []byte
		for range n {
			c, ok := r.byte()
			sound = sound && ok
			narrow = append(narrow, c)
		}
		text = b.appendBytes(text, narrow)
	}
	b.cell = text
	if !sound {
		return nil, broken("a text of %d characters breaks off", n)
	}
	return text, nil
}

func (b *xlsBook) appendStyled(dst []byte, style int, v float64) []byte {
	is := plainNumber
	if style < len(b.styles) {
		is = b.styles[style]
	}
	switch {
	case math.IsNaN(v) || math.IsInf(v, 0): // no program writes them
		return append(dst, "#NUM!"...)
	case is == plainNumber && v == math.Trunc(v) && math.Abs(v) < 1e15: // as appendNumber does, in a fifth of the time
		return strconv.AppendInt(dst, int64(v), 10)
	}
	return appendFormatted(dst, v, is, b.from1904)
}

func float(data []byte) float64 { return math.Float64frombits(binary.LittleEndian.Uint64(data)) }

// smallFloat returns the number that 30 bits hold: an integer or the upper part of a
// float, either of them perhaps times 100.
func smallFloat(data []byte) float64 {
	bits := binary.LittleEndian.Uint32(data)
	v := math.Float64frombits(uint64(bits&^3) << 32)
	if bits&2 != 0 {
		v = float64(int32(bits) >> 2)
	}
	if bits&1 != 0 {
		v /= 100
	}
	return v
}

// errorTexts are what cells show instead of a value, by the number of the error.
var errorTexts = map[byte]string{0x00: "#NULL!", 0x07: "#DIV/0!", 0x0f: "#VALUE!", 0x17: "#REF!", 0x1d: "#NAME?", 0x24: "#NUM!",
	0x2a: "#N/A", 0x2b: "#GETTING_DATA"}

func appendTruthOrError(dst []byte, v byte, isError bool) []byte {
	switch {
	case !isError && v != 0:
		return append(dst, "TRUE"...)
	case !isError:
		return append(dst, "FALSE"...)
	}
	if text, ok := errorTexts[v]; ok {
		return append(dst, text...)
	}
	return strconv.AppendInt(append(dst, "#ERROR "...), int64(v), 10)
}

// codePages are the encodings that a BIFF5 file may name by its number.
var codePages = map[uint16]*charmap.Charmap{
	437: charmap.CodePage437, 850: charmap.CodePage850, 852: charmap.CodePage852, 866: charmap.CodePage866,
	874: charmap.Windows874, 1250: charmap.Windows1250, 1251: charmap.Windows1251, 1252: charmap.Windows1252,
	1253: charmap.Windows1253, 1254: charmap.Windows1254, 1255: charmap.Windows1255, 1256: charmap.Windows1256,
	1257: charmap.Windows1257, 1258: charmap.Windows1258, 10000: charmap.Macintosh, 32768: charmap.Macintosh,
}

// appendBytes appends a text of BIFF5 as UTF-8. Scripts that name no code page write
// UTF-8 or Windows-1252.
func (b *xlsBook) appendBytes(dst, text []byte) []byte { return appendFrom(dst, text, b.codePage) }

// appendFrom appends a text in a code page as UTF-8. If none is named, the text is
// UTF-8 if it can be, or else Windows-1252.
func appendFrom(dst, text []byte, from *charmap.Charmap) []byte {
	if from == nil {
		if utf8.Valid(text) {
			return append(dst, text...)
		}
		from = charmap.Windows1252
	}
	for _, c := range text {
		if c < 0x80 {
			dst = append(dst, c)
			continue
		}
		dst = utf8.AppendRune(dst, from.DecodeByte(c))
	}
	return dst
}
