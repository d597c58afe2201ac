package wording

import (
	"fmt"
	"maps"
	"slices"
	"strings"
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
	desk     [flagCount]clause[domain.Reason]
	deskNote [noteCount]clause[domain.Reason]
	dispute  clause[verdict.Dispute]
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
		Flags   map[string]text `json:"flags"`
		Notes   map[string]text `json:"notes"` // sentences that follow
		Dispute text            `json:"dispute"`
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

// read makes a catalogue of a language's texts. A mistake in them is a mistake of the
// program, and stops it.
func read(l language) *Catalogue {
	w, reasons := l.Words, &l.Reasons
	fitsJSON(w.Separator, w.Colon, w.Brackets[0], w.Brackets[1], w.Quotes[0], w.Quotes[1], w.List[0], w.List[1])
	fitsJSON(slices.Collect(maps.Values(reasons.Phrases))...)
	fitsJSON(slices.Collect(maps.Values(w.Files))...)
	c := &Catalogue{fixedWords: w, zeroIsSingular: l.ZeroIsSingular,
		window:   readText(reasons.Window, reasonValues),
		listed:   readText(reasons.Listed, reasonValues),
		dispute:  readText(l.Desk.Dispute, disputeValues),
		warnings: readMap(l.Warnings, readText, warningValues),
		about:    readText(l.About, fileValues),
		faults:   map[domain.FileRule]fault{},
		errors:   readMap(l.Errors, readAny, failureValues),
		fields:   readMap(l.Fields, readAny, failureValues),

		connections: readMap(l.Connections, readAny, connectorValues), connectors: l.Connectors,
	}
	for name, words := range reasons.Phrases {
		c.phrases[slices.Index(phraseNames, name)] = words
	}
	readNamed(c.figures[:], reasons.Figures, figureNames)
	readNamed(c.unlisted[:], reasons.Unlisted, unlistedNames)
	readNamed(c.causes[:], reasons.Causes, causeNames)
	readNamed(c.notes[:], reasons.Notes, noteNames)
	readNamed(c.advice[:], reasons.Advice, flagNames())
	readNamed(c.desk[:], l.Desk.Flags, flagNames())
	readNamed(c.deskNote[:], l.Desk.Notes, noteNames)
	for _, t := range l.Guidance {
		c.guidance = append(c.guidance, readText(t, reachValues))
	}
	for rule, t := range l.Files {
		c.faults[rule] = fault{readText(t.Wrong, fileValues), readText(t.Remedy, fileValues)}
	}
	if c.advice[domain.Reconciled] == nil {
		ways := reasons.Figures[figureNames[paidInFull]]
		way := c.phrases[fullyRemitted] + w.Colon + ways[len(ways)-1]  // the others are of charges that count as paid
		allKnown := strings.NewReplacer("[", "", "]", "").Replace(way) // this is quicker, and most have all values
		c.paid = clause[domain.Reason]{readWording(allKnown, reasonValues), readWording(way, reasonValues)}
	}
	return c
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
