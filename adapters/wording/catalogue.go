package wording

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"milaan/domain"
	"milaan/domain/verdict"
)

// Catalogue says everything in one language.
type Catalogue struct {
	fixedWords

	zeroIsSingular bool
	spellsDays     bool // a day is written with the name of its month, as pages do, and not as 2026-03-31

	paid     clause[domain.Reason] // the whole reason of most orders: see AppendReason
	phrases  [phraseCount]string
	figures  [figureCount]clause[domain.Reason]
	unlisted [2]clause[domain.Reason]
	causes   [causeCount]clause[domain.Reason]
	notes    [noteCount]clause[domain.Reason]
	advice   [flagCount]clause[domain.Reason]
	window   clause[domain.Reason] // from when the window is counted
	listed   clause[domain.Reason] // the COD amounts of an order's lines

	// What is said of few runs is read when it is first said: reading it all takes as long as
	// comparing two small files.

	guidance func() []clause[reach]
	desk     func() *desk
	warnings func(domain.WarningCode) clause[warning]
	faults   func() *faults
	errors   func(errorKind) clause[failure]
	fields   func(faultKind) clause[failure]

	connections func(connectorKind) clause[connectorError]
	connectors  func() map[domain.Connector]connectorWords
}

// desk is what a courier reads of a dispute.
type desk struct {
	flags [flagCount]clause[domain.Reason]
	notes [noteCount]clause[domain.Reason]
	// what was paid on a shared AWB, and for which orders that counts
	sharedMoney clause[domain.Reason]
	reminder    clause[domain.Reason]
	dispute     clause[verdict.Dispute]
}

type faults struct {
	about clause[fileError]
	of    map[domain.FileRule]fault
}

type fault struct{ wrong, remedy clause[fileError] }

// fixedWords are the words of a language in which no value stands.
type fixedWords struct {
	Separator string            `json:"separator"` // between the parts of a sentence
	Colon     string            `json:"colon"`     // after the phrase that a reason begins with
	Brackets  [2]string         `json:"brackets"`  // around a cause that explains the part before it
	Quotes    [2]string         `json:"quotes"`    // around what the two files say
	List      [2]string         `json:"list"`      // between the items of a list, and before the last one
	Or        [2]string         `json:"or"`        // before the last one of several to choose from, and before each further name
	Files     map[string]string `json:"files"`

	Only       string     `json:"only"`        // the report, where there is only one
	SourceName string     `json:"source_name"` // a report source of a connection, by its {number}
	Months     [12]string `json:"months"`
	Pages      pageWords  `json:"pages"`

	// For what is wrong with fields and files.

	Types   map[string]string `json:"types"`    // of JSON values
	Reads   string            `json:"reads"`    // between a role and the columns that may play it
	Cut     [2]string         `json:"cut"`      // around how many things are left out
	Blank   string            `json:"blank"`    // a header without names
	ItsName string            `json:"its_name"` // stands for the name of a column
}

// texts returns a section of english.json in a language (see entries). The phrases of reasons must not be
// changed, nor what begins some errors: clients may look for them. What a courier reads of a dispute, and
// mails, are in English alone, and labels are in the translations of the pages.
type texts func(section string) []byte

// read makes a catalogue of a language's texts. A mistake in them is a mistake of the
// program, and stops it.
func read(of texts) *Catalogue {
	w, reasons := decoded[fixedWords](of("words")), maps.Collect(entries(of("reasons")))
	fitsJSON(w.Separator, w.Colon, w.Brackets[0], w.Brackets[1], w.Quotes[0], w.Quotes[1], w.List[0], w.List[1])
	fitsJSON(slices.Collect(maps.Values(w.Files))...)
	c := &Catalogue{fixedWords: w,
		window:   readText(textOf(reasons["window"]), reasonValues),
		listed:   readText(textOf(reasons["listed"]), reasonValues),
		guidance: sync.OnceValue(of.readGuidance),

		desk:        sync.OnceValue(of.readDesk),
		warnings:    later(func() []byte { return of("warnings") }, asIs[domain.WarningCode], readText, warningValues),
		faults:      sync.OnceValue(of.readFaults),
		errors:      later(func() []byte { return of("errors") }, readErrorKind, readAny, failureValues),
		fields:      later(func() []byte { return of("fields") }, readFaultKind, readAny, failureValues),
		connections: later(func() []byte { return of("connections") }, readConnectorKind, readAny, connectorValues),
		connectors: sync.OnceValue(func() map[domain.Connector]connectorWords {
			return decoded[map[domain.Connector]connectorWords](of("connectors"))
		}),
	}
	for name, words := range entries(reasons["phrases"]) {
		phrase := textOf(words)
		fitsJSON(phrase...)
		c.phrases[slices.Index(phraseNames, name)] = phrase[0]
	}
	readNamed(c.figures[:], reasons["figures"], figureNames)
	readNamed(c.unlisted[:], reasons["unlisted"], unlistedNames)
	readNamed(c.causes[:], reasons["causes"], causeNames)
	readNamed(c.notes[:], reasons["notes"], noteNames)
	readNamed(c.advice[:], reasons["advice"], flagNames())
	if c.advice[domain.Reconciled] == nil {
		ways := textOf(maps.Collect(entries(reasons["figures"]))[figureNames[paidInFull]])
		way := c.phrases[fullyRemitted] + w.Colon + ways[len(ways)-1]  // the others are of charges that count as paid
		allKnown := strings.NewReplacer("[", "", "]", "").Replace(way) // this is quicker, and most have all values
		c.paid = clause[domain.Reason]{readWording(allKnown, reasonValues), readWording(way, reasonValues)}
	}
	return c
}

// readGuidance reads sentences, each of which is left out if no way of it has all values.
func (of texts) readGuidance() (all []clause[reach]) {
	for _, t := range decoded[[]text](of("guidance")) {
		all = append(all, readText(t, reachValues))
	}
	return all
}

func (of texts) readDesk() *desk {
	parts := maps.Collect(entries(of("desk")))
	d := &desk{dispute: readText(textOf(parts["dispute"]), disputeValues), reminder: readText(textOf(parts["reminder"]), reasonValues),
		sharedMoney: readText(textOf(parts["shared_money"]), reasonValues)}
	readNamed(d.flags[:], parts["flags"], flagNames())
	readNamed(d.notes[:], parts["notes"], noteNames)
	return d
}

func (of texts) readFaults() *faults {
	f := &faults{readText(textOf(of("about")), fileValues), map[domain.FileRule]fault{}}
	for rule, parts := range entries(of("files")) {
		part := maps.Collect(entries(parts))
		f.of[domain.FileRule(rule)] = fault{readText(textOf(part["wrong"]), fileValues), readText(textOf(part["remedy"]), fileValues)}
	}
	return f
}

func readNamed(into []clause[domain.Reason], from []byte, names []string) {
	for name, words := range entries(from) {
		at := slices.Index(names, name)
		if at < 0 {
			panic(fmt.Sprintf("wording: no part of reasons is called %q", name))
		}
		into[at] = readText(textOf(words), reasonValues)
	}
}

// fitsJSON stops the program if words would have to be escaped in JSON (see
// peers.Wording).
func fitsJSON(all ...string) {
	for _, words := range all {
		odd := func(r rune) bool { return r < ' ' || r == '"' || r == '\\' || r == utf8.RuneError }
		if strings.ContainsFunc(words, odd) {
			panic(fmt.Sprintf("wording: %q cannot stand in JSON as it is", words))
		}
	}
}

func (c *Catalogue) enumerate(items []string, beforeLast string) string {
	if len(items) < 2 {
		return strings.Join(items, "")
	}
	last := len(items) - 1
	return strings.Join(items[:last], c.List[0]) + beforeLast + items[last]
}
