package domain

import "time"

// The limits of one pass.
const (
	// MaxPassFiles is how many reports a pass reads together.
	MaxPassFiles = 250
	// MaxPassBytes is how many bytes these have together, and how many the orders of the
	// shop may have.
	MaxPassBytes = 64 << 20
	// PassLimit is how long a pass may take in all.
	PassLimit = 20 * time.Minute
	// LookSpan is the time between two looks at a file that was not seen by an earlier pass.
	// A file whose version differs in the second look is still growing.
	LookSpan = 60 * time.Second
	// MaxTestedFiles is how many of the latest files of a source a test reads.
	MaxTestedFiles = 3
	// MaxListedPasses is how many passes of a connection are listed.
	MaxListedPasses = 50
	// PassRetention is how long passes are kept.
	PassRetention = 35 * 24 * time.Hour
	// StaleAfter is how long a source may have no newer date before a mail says so.
	StaleAfter = 10 // days
	// FailingLimit is how long passes may fail before a mail says so.
	FailingLimit = 24 * time.Hour
)

// AskedPassRate is how many passes of one account people may ask for.
var AskedPassRate = Rate{Limit: 10, Span: time.Hour}

// PassOutcome is how a pass has ended.
type PassOutcome string

// The outcomes.
const (
	PassUnderWay  PassOutcome = ""
	PassStored    PassOutcome = "stored"    // a run was stored
	PassUnchanged PassOutcome = "unchanged" // the inputs were those of the last run
	PassFailed    PassOutcome = "failed"    // nothing was stored
	PassSkipped   PassOutcome = "skipped"   // the account's plan or subscription has ended, or the connection was paused or removed meanwhile
)

// Pass is one time that the autopilot fetches the orders and reports of a connection and
// compares them. There is at most one for each connection and hour, besides those that
// people ask for, and never two of one connection at the same time.
type Pass struct {
	ID           string // UUID
	AccountID    string
	ConnectionID string
	// Slot identifies the pass among those of its connection: the start of its period, or
	// when a person asked for it.
	Slot      time.Time
	Asked     bool // by a person
	Due       time.Time
	StartedAt time.Time // of its first attempt; zero: it waits
	LookedAt  time.Time // of its first look; zero: none yet
	EndedAt   time.Time
	PassResult
}

// PassResult is what a pass leaves: counts and sums, and nothing of a single order.
type PassResult struct {
	Outcome PassOutcome
	Failure *ConnectorError // of a failed pass
	RunID   string          // of a stored pass, or of the run that an unchanged pass would have repeated
	Orders  int
	Sources []SourceResult // in the order of the connection's sources
	Left    OrderSum       // orders that left the window unpaid with this pass
	Leaving OrderSum       // orders that leave it with the next day, if they stay unpaid
	// Warnings are those of the run, without what they quote of the files.
	Warnings []Warning
}

// SourceResult is what one report source contributed to a pass.
type SourceResult struct {
	SourceID string
	Courier  string // id, or those of its reports joined by CourierSeparator; blank: not known
	Files    int
	Lines    int
	Through  Day // the latest date of its reports; NoDay: none
	// Behind says that the coverage of the run is that of this source.
	Behind bool
}

// PassState is what a connection remembers from one pass to the next. Storage seals it.
type PassState struct {
	// Looks are the files that the last pass saw, by a keyed hash of source and name.
	Looks map[string]Look
	// Digest is of the inputs of the last stored run; zero: none.
	Digest RunDigest
	// Unpaid are the orders of the last run that are unpaid, by the day of the order.
	Unpaid map[Day]OrderSum
	// From is the first day of the window of the last run; NoDay: none.
	From Day
}

// Look is one look at a file.
type Look struct {
	Version string // a keyed hash
	At      time.Time
}
