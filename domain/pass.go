package domain

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"time"
)

// The limits of one pass.
const (
	// MaxPassFiles is how many reports a pass reads together.
	MaxPassFiles = 250
	// MaxPassBytes is how many bytes these have together, and how many the orders of the
	// shop may have.
	MaxPassBytes = 64 << 20
	// PassLimit is how long a pass may take in all: less than until the next one. Most take
	// seconds, but a large shop may allow so few requests that its orders take half an hour.
	PassLimit = 50 * time.Minute
	// SnapshotInterval is the time between two snapshots of a file that was not seen by an earlier pass.
	// A file whose version differs in the second one is still growing.
	SnapshotInterval = 60 * time.Second
	// MaxTestedFiles is how many of the latest files of a source a test reads.
	MaxTestedFiles = 3
	// MaxTestedFolders is how many folders of a mailbox a test names.
	MaxTestedFolders = 50
	// MaxSeenFiles is how many files of a source are remembered from one pass to the next.
	MaxSeenFiles = 500
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

// TestRate is how many tests of connections one account makes. Each may sign in to
// MaxReportSources servers, which may be those of somebody else.
var TestRate = Rate{Limit: 30, Span: 10 * time.Minute}

// PassOutcome is how a pass has ended.
type PassOutcome string

// The outcomes.
const (
	PassUnderWay  PassOutcome = ""
	PassStored    PassOutcome = "stored"    // a run was stored
	PassUnchanged PassOutcome = "unchanged" // the inputs were those of the last run
	PassFailed    PassOutcome = "failed"    // nothing was stored
	PassSkipped   PassOutcome = "skipped"   // the account's plan or subscription has ended, or the connection was paused meanwhile
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
	Slot       time.Time
	Asked      bool // by a person
	Due        time.Time
	StartedAt  time.Time // of its first attempt; zero: it waits
	SnapshotAt time.Time // of its first snapshots; zero: none yet
	EndedAt    time.Time
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
	// OpenItems are what is claimed from each courier, in the order of their ids; nil: the connection does not keep its open items.
	OpenItems []CourierSum
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
	// LeftOut are mails with reports that were not taken, latest first, without their senders.
	LeftOut []LeftOutMail
	// Skipped are files that were left out, latest first, at most MaxLeftOut.
	Skipped []SkippedFile
	// RefusedFrom is the day from which the source is refused, because its settings are of an
	// earlier version; NoDay: they are not.
	RefusedFrom Day
}

// PassState is what a connection remembers from one pass to the next. Storage seals it.
type PassState struct {
	// Snapshots are the files that the last pass saw, by a keyed hash of source and name.
	Snapshots map[string]Snapshot
	// InputHash is of the inputs of the last stored run; zero: none.
	InputHash InputHash
	// Unpaid are the orders of the last run that are unpaid, by the day of the order.
	Unpaid map[Day]OrderSum
	// From is the first day whose orders have not been counted as having left the window;
	// NoDay: none have.
	From Day
	// ContentHash is of the inputs of the last stored run with the contents of the files in place
	// of their versions; zero: it is not known.
	ContentHash InputHash
	// Files are those that the last pass knew of that came so far as to look at them, in the
	// order of the sources; of each source at most MaxSeenFiles.
	Files []SeenFile
	// MoreFiles is how many it knew of besides; newer ones replace them.
	MoreFiles int
	// Former says since when a pass knows that a source, by its id, has settings of an earlier
	// version.
	Former map[string]time.Time
}

// FormerSpan is how long passes go on with settings that an earlier version has saved and that
// this one does not accept. It begins with the first pass of this version, so that nobody is
// refused without a warning, whenever an operator installs it.
const FormerSpan = 30 * 24 * time.Hour

// MoveWindow returns the state of a connection whose window now begins on a day, and which
// orders have left the window unpaid since the last pass. Each is counted once, even if
// people make the window shorter and longer again.
func (s PassState) MoveWindow(from Day) (moved PassState, left OrderSum) {
	moved = s
	moved.From = max(s.From, from)
	moved.Unpaid = map[Day]OrderSum{}
	for day, sum := range s.Unpaid {
		switch {
		case day >= from:
			moved.Unpaid[day] = sum
		case day >= s.From:
			left = left.Plus(sum)
		}
	}
	return moved, left
}

// Leaving returns the unpaid orders of a day that is the first of the window, and so leave it
// with the next day.
func (s PassState) Leaving(from Day) OrderSum {
	if from < s.From {
		return OrderSum{} // they have been counted before
	}
	return s.Unpaid[from]
}

func (s OrderSum) Plus(other OrderSum) OrderSum {
	return OrderSum{Orders: s.Orders + other.Orders, Amount: s.Amount + other.Amount}
}

// PassWarnings returns the warnings of a pass: those of its run without what they quote of the
// files, each once for all reports, and one of the orders that leave the window unpaid. Of a kept ledger nobody
// can correct an AWB.
func PassWarnings(ofRun []Warning, leaving OrderSum) (kept []Warning) {
	for _, w := range ofRun {
		if w.Code == WarnRoundedAWBs && w.File == LedgerFile {
			continue
		}
		w.Report, w.By, w.Column, w.OtherColumn, w.Examples, w.PaidOn = 0, 0, "", "", nil, nil
		if w.Code == WarnFooterDiffers { // its figures are of one footer
			w = Warning{Code: w.Code, Reports: w.Reports}
		}
		i := slices.IndexFunc(kept, func(k Warning) bool { return k.Code == w.Code && k.File == w.File })
		if i < 0 {
			kept = append(kept, w)
			continue
		}
		kept[i].Count += w.Count
		kept[i].Of += w.Of
		kept[i].Payouts += w.Payouts
		kept[i].Amount += w.Amount
	}
	if leaving.Orders > 0 {
		kept = append(kept, Warning{Code: WarnLeavingWindow, Count: leaving.Orders, Amount: leaving.Amount, HasAmount: true})
	}
	return kept
}

// SkippedFile is a file that a pass has left out.
type SkippedFile struct {
	Name string // shortened
	Rule ConnectorRule
}

// SeenFile is a file that a pass knew of.
type SeenFile struct {
	SourceID string
	Name     string
	Version  string
	Modified time.Time
	// Sum is the SHA-256 of its content; zero: it was not read, or cannot be unpacked.
	Sum [32]byte
	// Rule says why it was left out, or why it stopped the pass; blank: it is a report, or was not
	// read.
	Rule ConnectorRule
}

// ID identifies the file, in this version, among those of its connection.
func (f SeenFile) ID() string {
	h := sha256.New()
	for _, text := range []string{f.SourceID, f.Name, f.Version} {
		fmt.Fprintf(h, "%d:%s", len(text), text)
	}
	return hex.EncodeToString(h.Sum(nil)[:16])
}

// Snapshot is the version of a file, without its content, and when it was seen.
type Snapshot struct {
	Version string // a keyed hash
	At      time.Time
}
