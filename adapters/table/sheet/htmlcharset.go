package sheet

import (
	"bytes"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"
)

func isUTF16(content []byte) bool {
	return bytes.HasPrefix(content, []byte("\xff\xfe")) || bytes.HasPrefix(content, []byte("\xfe\xff"))
}

// isMarked says whether the first bytes of a page say in which characters it is.
func isMarked(content []byte) bool {
	return isUTF16(content) || bytes.HasPrefix(content, []byte("\ufeff"))
}

// utf8Guess is that a page is UTF-8. The page is looked at while it is read. The zero value holds.
type utf8Guess struct {
	page   []byte
	looked int
	wrong  bool
}

// holdsTo says whether the page can be UTF-8 up to a place.
func (g *utf8Guess) holdsTo(end int) bool {
	end = min(end, len(g.page))
	for range utf8.UTFMax - 1 { // so that no character is in two pieces
		if end < len(g.page) && end > g.looked && !utf8.RuneStart(g.page[end]) {
			end--
		}
	}
	if end > g.looked {
		g.wrong = g.wrong || !utf8.Valid(g.page[g.looked:end])
		g.looked = end
	}
	return !g.wrong
}

// toUTF8 returns a page as UTF-8: from UTF-16 if its first bytes say so, as it is if it
// can be UTF-8, or else from the character set that it names, or from Windows-1252.
func toUTF8(content []byte) []byte {
	switch {
	case isUTF16(content):
		content, _, _ = transform.Bytes(unicode.BOMOverride(unicode.UTF8.NewDecoder()), content) // what is no UTF-16 becomes U+FFFD: no error
		return content
	case bytes.HasPrefix(content, []byte("\ufeff")):
		return content[len("\ufeff"):]
	case utf8.Valid(content):
		return content
	}
	named, known := charsets[charsetOf(content)]
	if known && named == nil {
		return content // appendText replaces what is no UTF-8
	}
	longer := 0 // characters that are no ASCII: nearly all have two bytes
	for _, b := range content {
		longer += int(b >> 7)
	}
	return appendFrom(make([]byte, 0, len(content)+longer), content, named)
}

// charsets are the character sets that a page may name, and for UTF-8, nil.
var charsets = map[string]*charmap.Charmap{
	"utf-8": nil, "utf8": nil, "iso-8859-1": charmap.Windows1252, "latin1": charmap.Windows1252, "us-ascii": charmap.Windows1252,
	"windows-1250": charmap.Windows1250, "windows-1251": charmap.Windows1251, "windows-1252": charmap.Windows1252,
	"windows-1253": charmap.Windows1253, "windows-1254": charmap.Windows1254, "windows-1255": charmap.Windows1255,
	"windows-1256": charmap.Windows1256, "windows-1257": charmap.Windows1257, "windows-1258": charmap.Windows1258,
	"iso-8859-2": charmap.ISO8859_2, "iso-8859-15": charmap.ISO8859_15, "macintosh": charmap.Macintosh,
}

// charsetOf returns the character set that the first kilobyte of a page names.
func charsetOf(content []byte) string {
	start := bytes.ToLower(content[:min(len(content), 1024)])
	for _, before := range []string{"charset=", "encoding="} {
		if _, named, found := bytes.Cut(start, []byte(before)); found {
			named = bytes.TrimLeft(named, `"' `)
			if end := bytes.IndexAny(named, "\"'>;?/ "); end >= 0 {
				return string(named[:end])
			}
		}
	}
	return ""
}
