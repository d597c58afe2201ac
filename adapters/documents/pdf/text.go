package pdf

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"milaan/domain"
)

// longestText and longestCell are how many characters are shown of a text and of a cell of
// a table at most, so that a file's longest cell costs little more than an ordinary one.
const (
	longestText = 1200
	longestCell = 72
)

// ellipsis stands where a text was cut.
const ellipsis = "…"

// The joiners decide which form a Devanagari cluster has.
const (
	nonJoiner = '\u200c'
	joiner    = '\u200d'
	virama    = '\u094d'
	dotted    = '\u25cc' // the circle that carries a sign without a letter
)

// clean makes a text harmless: UTF-8 on one line, without control characters and without
// those that change the order in which text is read. Blanks are single. A text longer than
// longestText is cut.
func clean(s string) string { return cleanTo(s, longestText) }

// cleanCell does the same for a cell of a table.
func cleanCell(s []byte) string {
	return cleanTo(string(s[:min(len(s), bytesFor(longestCell)+utf8.UTFMax)]), longestCell)
}

// bytesFor returns how many bytes of a text are looked at for the given number of characters. It is
// twice what they can take, because some are left out.
func bytesFor(characters int) int { return 2 * characters * utf8.UTFMax }

func cleanTo(s string, most int) string {
	if isPlain(s, most) {
		return s
	}
	s = domain.CutText(s, bytesFor(most))
	s = norm.NFC.String(strings.ToValidUTF8(s, string(utf8.RuneError)))
	var b strings.Builder
	b.Grow(len(s))
	n, blank := 0, false
	last := rune(0)
	for _, r := range s {
		switch {
		case unicode.IsSpace(r):
			blank = true
			continue
		case r == joiner || r == nonJoiner:
			if !isDevanagari(last) || blank {
				continue
			}
		case isUnseen(r):
			continue
		case !unicode.IsGraphic(r):
			r = utf8.RuneError // a private or unassigned character
		}
		if blank && n > 0 && n < most {
			b.WriteByte(' ')
			n++
		}
		if blank = false; n >= most {
			b.WriteString(ellipsis)
			break
		}
		b.WriteRune(r)
		last = r
		n++
	}
	return b.String()
}

// isPlain says whether clean would leave a text as it is, as most are: printable ASCII, and
// the signs of Milaan's own sentences.
func isPlain(s string, most int) bool {
	if len(s) > most {
		return false
	}
	last := rune(' ')
	for _, r := range s {
		switch {
		case r == ' ' && last == ' ', r < ' ', r > '~' && r != '₹' && r != '“' && r != '”' && r != '…':
			return false
		}
		last = r
	}
	return last != ' ' || s == ""
}

// isUnseen says whether a character has no form of its own: control characters, those that
// set the direction of text, tags, and those that choose a variant of the one before.
func isUnseen(r rune) bool {
	return unicode.In(r, unicode.Cc, unicode.Cf, unicode.Variation_Selector)
}

// isMark says whether a character is drawn on the one before.
func isMark(r rune) bool { return r >= 0x300 && unicode.In(r, unicode.Mn, unicode.Mc, unicode.Me) }

func isDevanagari(r rune) bool { return 0x900 <= r && r <= 0x97f }

// script says how a piece is drawn.
type script uint8

const (
	latin      script = iota // a glyph for each character
	devanagari               // shaped
	lacking                  // no font has its characters
)

// scriptOf returns the script of a character after a piece of a script.
func (t *typeface) scriptOf(r rune, before script) script {
	switch {
	case r < latins && t.widths[r] > 0 && r != dotted:
		return latin
	case isDevanagari(r) || r == dotted:
		if _, has := t.devanagari.NominalGlyph(r); has {
			return devanagari
		}
	case r == joiner || r == nonJoiner:
		return before
	}
	return lacking
}

// nextPiece cuts the first piece off a text that is not empty.
func (t *typeface) nextPiece(s string) (piece, rest string, of script) {
	for i, r := range s {
		this := t.scriptOf(r, of)
		if i == 0 {
			of = this
		} else if this != of {
			return s[:i], s[i:], of
		}
	}
	return s, "", of
}

// boxWidth is how wide the box is that stands for a character that no font has, and boxGap
// the gap on either side of it.
const boxWidth, boxGap = 640, 70

// boxes returns how many boxes stand for a piece that no font has. Marks have none.
func boxes(piece string) (n int) {
	for _, r := range piece {
		if !isMark(r) {
			n++
		}
	}
	return n
}

// face is how a text is set.
type face struct {
	weight weight
	size   float64 // points
}

// width returns how wide a cleaned text is, in points.
func (d *document) width(s string, f face) float64 {
	return float64(d.units(s, f.weight)) * f.size / unitsPerEm
}

// units returns how wide a cleaned text is, in thousandths of its size.
func (d *document) units(s string, w weight) (n int32) {
	t := &d.faces[w]
	for i := range len(s) {
		c := s[i]
		if c >= utf8.RuneSelf {
			return n + d.unitsOfPieces(s[i:], w)
		}
		n += int32(t.widths[c])
	}
	return n
}

func (d *document) unitsOfPieces(s string, w weight) (n int32) {
	t := &d.faces[w]
	for s != "" {
		var piece string
		var of script
		piece, s, of = t.nextPiece(s)
		n += d.unitsOfPiece(piece, w, of)
	}
	return n
}

func (d *document) unitsOfPiece(piece string, w weight, of script) (n int32) {
	switch of {
	case devanagari:
		for c := range d.shaper.clusters(w, piece) {
			n += c.width
		}
		return n
	case lacking:
		return int32(boxes(piece)) * boxWidth
	}
	for _, r := range piece {
		n += int32(d.faces[w].widths[r])
	}
	return n
}

// lines breaks a cleaned text into lines of a width, in points, between words. A word that is
// wider than a line is broken too, if possible after a hyphen and never inside a cluster. If
// there are more than most lines, the last of them ends in an ellipsis. An empty text has no line.
func (d *document) lines(s string, f face, width float64, most int) (lines []string) {
	room := int32(width * unitsPerEm / f.size)
	if s == "" || most < 1 {
		return lines
	}
	if d.units(s, f.weight) <= room {
		return append(lines, s)
	}
	blank := int32(d.faces[f.weight].widths[' '])
	for s != "" {
		end, used := 0, int32(0) // of the line in s
		for end < len(s) {
			next := len(s)
			if i := strings.IndexByte(s[end:], ' '); i >= 0 {
				next = end + i
			}
			n := d.units(s[end:next], f.weight)
			if used+n > room {
				break
			}
			used += n + blank
			if end = next; end < len(s) {
				end++ // the blank
			}
		}
		if len(lines) == most-1 && end < len(s) {
			return append(lines, d.shorten(s, f.weight, room))
		}
		if end == 0 {
			end = max(d.fitting(s, f.weight, room), firstCluster(s))
			if i := strings.LastIndexAny(s[:end], "-/_"); i > end/2 {
				end = i + 1
			}
		}
		lines = append(lines, strings.TrimSuffix(s[:end], " "))
		s = s[end:]
	}
	return lines
}

// shorten cuts a text so that it fits with an ellipsis, between words if that leaves most
// of it.
func (d *document) shorten(s string, w weight, room int32) string {
	n := d.fitting(s, w, room-d.units(ellipsis, w))
	if blank := strings.LastIndexByte(s[:n], ' '); blank > n/2 && n < len(s) && strings.IndexByte(wordEnds, s[n]) < 0 {
		n = blank
	}
	return strings.TrimRight(s[:n], wordEnds) + ellipsis
}

const wordEnds = " ,;:"

// fitting returns how many bytes of a text fit, in whole clusters. The clusters of a very long
// conjunct can be wider together than the sum of their widths, so what fits is measured again
// as a whole.
func (d *document) fitting(s string, w weight, room int32) (n int) {
	for left := room; ; {
		n = d.fittingParts(s, w, left)
		excess := d.units(s[:n], w) - room
		if n == 0 || excess <= 0 {
			return n
		}
		left -= excess
	}
}

// fittingParts returns how many bytes of a text fit by the sum of the widths of its clusters.
func (d *document) fittingParts(s string, w weight, room int32) (n int) {
	for n < len(s) {
		next := n + firstCluster(s[n:])
		if room -= d.units(s[n:next], w); room < 0 {
			break
		}
		n = next
	}
	return n
}

// longestCluster is how many characters a cluster has at most. No word has more than a
// dozen; a text may join any number.
const longestCluster = 16

// firstCluster returns how many bytes the characters have at the start of a text that must
// stand on one line: a letter and its marks, and in Devanagari a whole conjunct.
func firstCluster(s string) int {
	last, n := rune(0), 0
	for i, r := range s {
		if i > 0 && !isMark(r) && r != joiner && r != nonJoiner && last != virama && last != joiner || n == longestCluster {
			return i
		}
		last = r
		n++
	}
	return len(s)
}
