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
	guidance []clause[reach]

	// What is said of few runs is read when it is first said: reading it all takes as long as
	// comparing two small files.

	desk     func() *desk
	warnings func() map[domain.WarningCode]clause[warning]
	faults   func() *faults
	errors   func() map[errorKind]clause[failure]
	fields   func() map[faultKind]clause[failure]

	connections func() map[connectorKind]clause[connectorError]
	connectors  func() map[domain.Connector]connectorWords
}

// desk is what a courier reads of a dispute.
type desk struct {
	flags    [flagCount]clause[domain.Reason]
	notes    [noteCount]clause[domain.Reason]
	reminder clause[domain.Reason]
	dispute  clause[verdict.Dispute]
}

type faults struct {
	about clause[fileError]
	of    map[domain.FileRule]fault
}

// fault is what is wrong with a file, and what to do about it.
type fault struct{ wrong, remedy clause[fileError] }

// language is english.json: a Catalogue as people write it.
type language struct {
	ZeroIsSingular bool `json:"-"`

	Words   fixedWords `json:"words"`
	Reasons struct {
		Phrases  map[string]string `json:"phrases"` // they must not be changed: clients may look for them
		Figures  map[string]text   `json:"figures"`
		Window   text              `json:"window"`   // from when the window is counted
		Unlisted map[string]text   `json:"unlisted"` // of a MISSING order
		Causes   map[string]text   `json:"causes"`
		Notes    map[string]text   `json:"notes"`
		Advice   map[string]text   `json:"advice"` // by flag
		Listed   text              `json:"listed"` // the COD amounts of an order's lines: one; one on several lines; all; more than all
	} `json:"reasons"`
	Guidance []text                      `json:"guidance"` // one sentence each, which is left out if no way of it has all values
	Warnings map[domain.WarningCode]text `json:"warnings"`
	About    text                        `json:"about"` // a file's fault: where it is, what is wrong, and what to do
	Files    map[domain.FileRule]struct {
		Wrong  text `json:"wrong"`
		Remedy text `json:"remedy"`
	} `json:"files"`
	Errors map[errorKind]text `json:"errors"` // what is wrong and what to do; clients may look for some of them
	Fields map[faultKind]text `json:"fields"` // the rest of a sentence that begins with the field's name

	Connections map[connectorKind]text              `json:"connections"` // what is wrong with a shop or a report source
	Connectors  map[domain.Connector]connectorWords `json:"connectors"`

	// What a courier reads of a dispute, and mails, are in English alone. Labels are in the
	// translations of the pages.

	Labels labels `json:"labels"`
	Desk   struct {
		Flags    map[string]text `json:"flags"`
		Notes    map[string]text `json:"notes"` // sentences that follow
		Reminder text            `json:"reminder"`
		Dispute  text            `json:"dispute"`
	} `json:"desk"`
	Mails mailTexts `json:"mails"`
}

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

// texts returns texts of a language: at least the sections of english.json with these names.
type texts func(sections ...string) language

// read makes a catalogue of a language's texts. A mistake in them is a mistake of the
// program, and stops it.
func read(of texts) *Catalogue {
	l := of("words", "reasons", "guidance")
	w, reasons := l.Words, &l.Reasons
	fitsJSON(w.Separator, w.Colon, w.Brackets[0], w.Brackets[1], w.Quotes[0], w.Quotes[1], w.List[0], w.List[1])
	fitsJSON(slices.Collect(maps.Values(reasons.Phrases))...)
	fitsJSON(slices.Collect(maps.Values(w.Files))...)
	c := &Catalogue{fixedWords: w, zeroIsSingular: l.ZeroIsSingular,
		window: readText(reasons.Window, reasonValues),
		listed: readText(reasons.Listed, reasonValues),

		desk:        sync.OnceValue(of.readDesk),
		warnings:    later(func() map[domain.WarningCode]text { return of("warnings").Warnings }, readText, warningValues),
		faults:      sync.OnceValue(of.readFaults),
		errors:      later(func() map[errorKind]text { return of("errors").Errors }, readAny, failureValues),
		fields:      later(func() map[faultKind]text { return of("fields").Fields }, readAny, failureValues),
		connections: later(func() map[connectorKind]text { return of("connections").Connections }, readAny, connectorValues),
		connectors:  sync.OnceValue(func() map[domain.Connector]connectorWords { return of("connectors").Connectors }),
	}
	for name, words := range reasons.Phrases {
		c.phrases[slices.Index(phraseNames, name)] = words
	}
	readNamed(c.figures[:], reasons.Figures, figureNames)
	readNamed(c.unlisted[:], reasons.Unlisted, unlistedNames)
	readNamed(c.causes[:], reasons.Causes, causeNames)
	readNamed(c.notes[:], reasons.Notes, noteNames)
	readNamed(c.advice[:], reasons.Advice, flagNames())
	for _, t := range l.Guidance {
		c.guidance = append(c.guidance, readText(t, reachValues))
	}
	if c.advice[domain.Reconciled] == nil {
		ways := reasons.Figures[figureNames[paidInFull]]
		way := c.phrases[fullyRemitted] + w.Colon + ways[len(ways)-1]  // the others are of charges that count as paid
		allKnown := strings.NewReplacer("[", "", "]", "").Replace(way) // this is quicker, and most have all values
		c.paid = clause[domain.Reason]{readWording(allKnown, reasonValues), readWording(way, reasonValues)}
	}
	return c
}

func (of texts) readDesk() *desk {
	l := of("desk").Desk
	d := &desk{dispute: readText(l.Dispute, disputeValues), reminder: readText(l.Reminder, reasonValues)}
	readNamed(d.flags[:], l.Flags, flagNames())
	readNamed(d.notes[:], l.Notes, noteNames)
	return d
}

func (of texts) readFaults() *faults {
	l := of("about", "files")
	f := &faults{readText(l.About, fileValues), map[domain.FileRule]fault{}}
	for rule, t := range l.Files {
		f.of[rule] = fault{readText(t.Wrong, fileValues), readText(t.Remedy, fileValues)}
	}
	return f
}

// readNamed reads parts of reasons by their names.
func readNamed(into []clause[domain.Reason], from map[string]text, names []string) {
	for name, t := range from {
		at := slices.Index(names, name)
		if at < 0 {
			panic(fmt.Sprintf("wording: no part of reasons is called %q", name))
		}
		into[at] = readText(t, reasonValues)
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

// enumerate joins items, with other words before the last one.
func (c *Catalogue) enumerate(items []string, beforeLast string) string {
	if len(items) < 2 {
		return strings.Join(items, "")
	}
	last := len(items) - 1
	return strings.Join(items[:last], c.List[0]) + beforeLast + items[last]
}
