package wording

import (
	"fmt"
	"math/bits"
	"strconv"
	"strings"
	"unicode/utf8"

	"milaan/domain"
)

// Catalogue says everything in one language. It fills ports.Wording.
type Catalogue struct {
	singular  func(n int) bool
	separator string
	colon     string
	brackets  [2]string
	quotes    [2]string
	list      [2]string
	or        string
	files     [domain.CourierFile + 1]string

	phrases  [phraseCount]string
	figures  [figureCount]clause
	unlisted [2]clause
	causes   [causeCount]clause
	notes    [noteCount]clause
	advice   [flagCount]clause
	warnings map[domain.WarningCode]clause
	about    clause
	faults   map[domain.FileRule]fault
	lists    lists
	errors   map[errorKind]said
	fields   map[faultKind]said
	types    map[string]string

	settled settled
}

// fault is what is wrong with a file, and what to do about it.
type fault struct{ wrong, remedy clause }

// language is a table of words: a Catalogue as people write it. A value stands in
// braces by its name (values.go). A number with its words is
// {name|one line|# lines}: the first form is for those that singular knows, and #
// stands for the number. What stands in square brackets is left out if a value in
// it is not told. A brace that is meant as one is doubled. A value whose name begins
// with if says nothing: it is told where the sentence is for some readers, or about
// some files.
type language struct {
	singular  func(n int) bool
	separator string    // between the parts of a sentence
	colon     string    // after the phrase that a reason begins with
	brackets  [2]string // around a cause that explains the part before it
	quotes    [2]string // around what the two files say
	list      [2]string // between examples, and before the last one
	or        string    // before the last one of several to choose from
	files     [domain.CourierFile + 1]string

	phrases  [phraseCount]string
	figures  [figureCount]text
	unlisted [2]text // of a MISSING order: with the report's reach and without
	causes   [causeCount]text
	notes    map[domain.Notes]text // one note each
	advice   [flagCount]text
	warnings map[domain.WarningCode]text
	about    text // a file's fault: where it is, what is wrong, and what to do
	faults   map[domain.FileRule]faultText
	lists    lists
	errors   map[errorKind]spoken
	fields   map[faultKind]spoken // the rest of a sentence that begins with the field's name
	types    map[string]string    // of JSON values
}

type faultText struct{ wrong, remedy text }

// lists is how a file's fault tells of several things.
type lists struct {
	or      [2]string // between columns that may be meant, and between further names
	reads   string    // between a role and the columns that may play it
	cut     [2]string // around how many things are left out
	blank   string    // a header without names
	itsName string    // stands for the name of a column
}

// text is one part of a sentence in several ways. The first one whose values are
// all told is used, so the last one should need none that may be missing.
type text []string

// clause is a text that has been read, and wording one way of it.
type (
	clause  []wording
	wording []piece
)

// piece is words and what follows them: a value, or a group that may be left out.
// A value with forms is a number: each form is what stands before the number and
// after it.
type piece struct {
	words string
	value value
	forms []form
	group wording
}

type form struct {
	before, after string
	number        bool
}

// English is the catalogue in English.
func English() *Catalogue { return read(english()) }

// read makes a catalogue of a language's table. A fault in a table is a fault of
// the program, and stops it.
func read(l language) *Catalogue {
	fitsJSON(l.separator, l.colon, l.brackets[0], l.brackets[1], l.quotes[0], l.quotes[1], l.list[0], l.list[1])
	fitsJSON(l.phrases[:]...)
	fitsJSON(l.files[:]...)
	c := &Catalogue{singular: l.singular, separator: l.separator, colon: l.colon, brackets: l.brackets, quotes: l.quotes,
		list: l.list, or: l.or, files: l.files, phrases: l.phrases, warnings: map[domain.WarningCode]clause{}}
	readAll(c.figures[:], l.figures[:], reasonValues)
	readAll(c.unlisted[:], l.unlisted[:], reasonValues)
	readAll(c.causes[:], l.causes[:], reasonValues)
	for note, t := range l.notes {
		c.notes[bits.TrailingZeros32(uint32(note))] = readText(t, reasonValues)
	}
	readAll(c.advice[:], l.advice[:], reasonValues)
	for code, t := range l.warnings {
		c.warnings[code] = readText(t, warningValues)
	}
	c.readFaults(l)
	c.readErrors(l)
	c.settle()
	return c
}

// fitsJSON stops the program if words would have to be escaped in JSON (see
// ports.Wording).
func fitsJSON(all ...string) {
	for _, words := range all {
		odd := func(r rune) bool { return r < ' ' || r == '"' || r == '\\' || r == utf8.RuneError }
		if strings.ContainsFunc(words, odd) {
			panic(fmt.Sprintf("wording: %q cannot stand in JSON as it is", words))
		}
	}
}

func readAll(into []clause, from []text, names map[string]value) {
	for i, t := range from {
		into[i] = readText(t, names)
	}
}

func readText(t text, names map[string]value) clause {
	fitsJSON(t...)
	return readAny(t, names)
}

// readAny is readText for what is escaped where it goes.
func readAny(t text, names map[string]value) clause {
	var c clause
	for _, way := range t {
		c = append(c, readWording(way, names))
	}
	return c
}

func readWording(way string, names map[string]value) wording {
	var w wording
	for rest := way; rest != ""; {
		at := strings.IndexAny(rest, "[{")
		if at < 0 {
			return append(w, piece{words: rest})
		}
		if strings.HasPrefix(rest[at:], "{{") {
			w, rest = append(w, piece{words: rest[:at+1]}), rest[at+2:]
			continue
		}
		p, closing := piece{words: rest[:at]}, "}"
		if rest[at] == '[' {
			closing = "]"
		}
		within, after, closed := strings.Cut(rest[at+1:], closing)
		if closing == "]" {
			p.group = readWording(within, names)
		} else {
			p.value, p.forms = readValue(within, names)
		}
		if !closed || p.group == nil && p.value == noValue {
			panic(fmt.Sprintf("wording: %q cannot be read in %q", within, way))
		}
		w, rest = append(w, p), after
	}
	return w
}

func readValue(inBraces string, names map[string]value) (value, []form) {
	parts := strings.Split(inBraces, "|")
	if len(parts) != 1 && len(parts) != 3 {
		return noValue, nil
	}
	var forms []form
	for _, part := range parts[1:] {
		before, after, number := strings.Cut(part, "#")
		forms = append(forms, form{before, after, number})
	}
	return names[parts[0]], forms
}

// values is what a sentence tells of: a reason, a warning or a file's fault.
type values interface {
	told(v value) bool
	number(v value) int
	appendValue(dst []byte, v value, c *Catalogue) []byte
}

// choose finds the wording whose values are all told; nil if there is none.
func (t clause) choose(of values) wording {
	for _, w := range t {
		if w.told(of) {
			return w
		}
	}
	return nil
}

func (w wording) told(of values) bool {
	for i := range w {
		if v := w[i].value; v != noValue && !of.told(v) {
			return false
		}
	}
	return true
}

func (c *Catalogue) append(dst []byte, w wording, of values) []byte {
	for i := range w {
		p := &w[i]
		dst = append(dst, p.words...)
		switch {
		case p.group != nil:
			if p.group.told(of) {
				dst = c.append(dst, p.group, of)
			}
		case p.value == noValue:
		case p.forms == nil:
			dst = of.appendValue(dst, p.value, c)
		default:
			dst = c.appendCounted(dst, p.forms, of.number(p.value))
		}
	}
	return dst
}

func (c *Catalogue) appendCounted(dst []byte, forms []form, n int) []byte {
	f := &forms[1]
	if c.singular(n) {
		f = &forms[0]
	}
	dst = append(dst, f.before...)
	if !f.number {
		return dst
	}
	return append(appendNumber(dst, n), f.after...)
}

// appendNumber groups digits as amounts do: 50,000 and 3,00,000.
func appendNumber(dst []byte, n int) []byte {
	if n < 0 {
		dst = append(dst, '-')
		n = -n
	}
	var digits [20]byte
	all := strconv.AppendUint(digits[:0], uint64(n), 10)
	for i, d := range all {
		if left := len(all) - i; i > 0 && left >= 3 && left%2 == 1 {
			dst = append(dst, ',')
		}
		dst = append(dst, d)
	}
	return dst
}
