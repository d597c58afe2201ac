package wording

import (
	"fmt"
	"math/bits"
	"strings"
	"unicode/utf8"

	"milaan/domain"
)

// Catalogue says everything in one language. It fills glue.Wording.
type Catalogue struct {
	fixedWords

	spellsDays bool // a day is written with the name of its month, as pages do, and not as 2026-03-31

	paid     clause[domain.Reason] // the whole reason of most orders: see AppendReason
	figures  [figureCount]clause[domain.Reason]
	unlisted [2]clause[domain.Reason]
	causes   [causeCount]clause[domain.Reason]
	notes    [noteCount]clause[domain.Reason]
	advice   [flagCount]clause[domain.Reason]
	window   clause[domain.Reason] // from when the window is counted
	listed   clause[domain.Reason] // the COD amounts of an order's lines
	desk     [flagCount]clause[domain.Reason]
	deskNote [noteCount]clause[domain.Reason]
	dispute  clause[domain.Dispute]
	guidance []clause[reach]
	warnings map[domain.WarningCode]clause[warning]
	about    clause[fileError]
	faults   map[domain.FileRule]fault
	errors   map[errorKind]clause[failure]
	fields   map[faultKind]clause[failure]

	connections map[connectorKind]clause[connectorError]
	connectors  map[domain.Connector]connectorWords
}

// fault is what is wrong with a file, and what to do about it.
type fault struct{ wrong, remedy clause[fileError] }

// language is a table of words: a Catalogue as people write it.
type language struct {
	fixedWords

	figures  [figureCount]text
	unlisted [2]text // of a MISSING order: with the report's reach and without
	causes   [causeCount]text
	notes    map[domain.Notes]text // one note each
	advice   [flagCount]text
	window   text // from when the window is counted
	listed   text // the COD amounts of an order's lines: one; one on several lines; all; more than all
	desk     [flagCount]text
	dispute  text   // of one order, as the courier reads it
	guidance []text // one sentence each, which is left out if no way of it has all values
	warnings map[domain.WarningCode]text
	about    text // a file's fault: where it is, what is wrong, and what to do
	faults   map[domain.FileRule]faultText
	errors   map[errorKind]text
	fields   map[faultKind]text // the rest of a sentence that begins with the field's name

	deskNotes map[domain.Notes]text

	connections map[connectorKind]text // what is wrong with a shop or a report source
	connectors  map[domain.Connector]connectorWords
}

type faultText struct{ wrong, remedy text }

// fixedWords are the words of a language in which no value stands.
type fixedWords struct {
	singular  func(n int) bool
	separator string    // between the parts of a sentence
	colon     string    // after the phrase that a reason begins with
	brackets  [2]string // around a cause that explains the part before it
	quotes    [2]string // around what the two files say
	list      [2]string // between the items of a list, and before the last one
	or        [2]string // before the last one of several to choose from, and before each further name
	files     [domain.CourierFile + 1]string
	phrases   [phraseCount]string

	only       string // the report, where there is only one
	sourceName string // a report source of a connection, by its {number}
	months     [12]string
	pages      pageWords

	// For what is wrong with fields and files.

	types   map[string]string // of JSON values
	reads   string            // between a role and the columns that may play it
	cut     [2]string         // around how many things are left out
	blank   string            // a header without names
	itsName string            // stands for the name of a column
}

// read makes a catalogue of a language's table. A mistake in a table is a mistake of the
// program, and stops it.
func read(l language) *Catalogue {
	fitsJSON(l.separator, l.colon, l.brackets[0], l.brackets[1], l.quotes[0], l.quotes[1], l.list[0], l.list[1])
	fitsJSON(l.phrases[:]...)
	fitsJSON(l.files[:]...)
	c := &Catalogue{fixedWords: l.fixedWords, about: readText(l.about, fileValues), faults: map[domain.FileRule]fault{},
		warnings: readMap(l.warnings, readText, warningValues),
		errors:   readMap(l.errors, readAny, failureValues),
		fields:   readMap(l.fields, readAny, failureValues),

		connections: readMap(l.connections, readAny, connectorValues), connectors: l.connectors,
	}
	c.dispute, c.guidance = readText(l.dispute, disputeValues), make([]clause[reach], len(l.guidance))
	readAll(c.guidance, l.guidance, reachValues)
	readAll(c.figures[:], l.figures[:], reasonValues)
	readAll(c.unlisted[:], l.unlisted[:], reasonValues)
	readAll(c.causes[:], l.causes[:], reasonValues)
	readAll(c.advice[:], l.advice[:], reasonValues)
	readAll(c.desk[:], l.desk[:], reasonValues)
	c.window, c.listed = readText(l.window, reasonValues), readText(l.listed, reasonValues)
	for note, t := range l.deskNotes {
		c.deskNote[bits.TrailingZeros32(uint32(note))] = readText(t, reasonValues)
	}
	if len(l.advice[domain.Reconciled]) == 0 {
		for _, way := range l.figures[paidInFull][len(l.figures[paidInFull])-1:] { // the others are of charges that count as paid
			way = l.phrases[fullyRemitted] + l.colon + way
			allKnown := strings.NewReplacer("[", "", "]", "").Replace(way) // this is quicker, and most have all values
			c.paid = append(c.paid, readWording(allKnown, reasonValues), readWording(way, reasonValues))
		}
	}
	for note, t := range l.notes {
		c.notes[bits.TrailingZeros32(uint32(note))] = readText(t, reasonValues)
	}
	for rule, t := range l.faults {
		c.faults[rule] = fault{readText(t.wrong, fileValues), readText(t.remedy, fileValues)}
	}
	return c
}

// fitsJSON stops the program if words would have to be escaped in JSON (see
// glue.Wording).
func fitsJSON(all ...string) {
	for _, words := range all {
		odd := func(r rune) bool { return r < ' ' || r == '"' || r == '\\' || r == utf8.RuneError }
		if strings.ContainsFunc(words, odd) {
			panic(fmt.Sprintf("wording: %q cannot stand in JSON as it is", words))
		}
	}
}

// enumerate joins items, with other words before the last one.
func (c *Catalogue) enumerate(items []string, beforeLast string) string {
	if len(items) < 2 {
		return strings.Join(items, "")
	}
	last := len(items) - 1
	return strings.Join(items[:last], c.list[0]) + beforeLast + items[last]
}
