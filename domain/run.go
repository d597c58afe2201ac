package domain

import (
	"fmt"
	"time"
)

// DuplicateSpan is how long a run is remembered for duplicates (contract,
// section 2.2). A run exactly this old still counts.
const DuplicateSpan = 30 * time.Second

// MaxRows is how many records each of the two files may have (contract,
// section 8).
const MaxRows = 50_000

// Source says who asked for a run.
type Source string

// The sources of runs.
const (
	SourceAPI   Source = "api"
	SourceBatch Source = "batch"
)

// Tally is what a run comes to: everything about the two files that may be
// kept. It holds no AWB, no order name and no amount of a single order.
type Tally struct {
	StorefrontRows int // records below the header
	CourierRows    int
	Orders         int
	Flags          FlagCounts
	Due            Paise
	Remitted       Paise
	Shortfall      Paise // over all orders, surpluses deducted
	AtRisk         Paise // shortfall over flagged orders that are owed money
	Unclaimed      int   // lines of the courier file that no order claims
	UnclaimedPaid  Paise // remitted on them
}

// Run is the audit record of one reconciliation (decisions, section 5).
type Run struct {
	ID          string // UUID
	AccountID   string
	Brand       string
	CourierName string // id of the courier that the request named, or blank
	Source      Source
	At          time.Time
	Took        time.Duration
	Tally       Tally
	Terms       Terms
	Guidance    Guidance
}

// Fingerprint is equal for two runs that the contract calls identical: same
// brand, same courierName, same row counts and flag counts. Compare it within
// one account only.
func (r Run) Fingerprint() string {
	return fmt.Sprintf("%d/%d%v%q%q", r.Tally.StorefrontRows, r.Tally.CourierRows, r.Tally.Flags, r.Brand, r.CourierName)
}
