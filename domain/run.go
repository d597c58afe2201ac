package domain

import (
	"fmt"
	"time"
)

// DuplicateSpan is how long after a run an identical one is a duplicate of it
// (guide: limits 4). A run that is exactly this old still counts.
const DuplicateSpan = 30 * time.Second

// MaxRows is how many records the export may have over HTTP, and all reports together
// (guide: limits 5).
const MaxRows = 50_000

// MaxReports is how many reports a run may have (guide: verdict 7).
const MaxReports = 20

// MaxListedRuns is how many runs of the history are listed at once.
const MaxListedRuns = 200

// MinRunRetention is how long every run is kept at least, whatever the operator sets:
// longer than two cycles, so that the runs of a cycle are counted until it is over.
const MinRunRetention = 62 * 24 * time.Hour

// Source says what requested a run.
type Source string

// The sources of runs.
const (
	SourceAPI       Source = "api"
	SourceBatch     Source = "batch"
	SourceDashboard Source = "dashboard"
	SourceAutopilot Source = "autopilot" // its runs do not count towards the cap (guide: limits 1)
)

// Sources lists the sources.
func Sources() []Source { return []Source{SourceAPI, SourceBatch, SourceDashboard, SourceAutopilot} }

// Tally is the result of a run in counts and sums: everything about the two files
// that may be stored. It has no AWB, no order name and no amount of a single order.
type Tally struct {
	StorefrontRows int // records of the export below its header
	CourierRows    int
	Orders         int
	Flags          FlagCounts
	Due            Paise
	Remitted       Paise
	Shortfall      Paise // the sum over all orders; a surplus counts as negative
	AtRisk         Paise // the sum of the positive shortfalls of flagged orders
	Unclaimed      int   // lines of the report that belong to no order
	UnclaimedPaid  Paise // what was remitted on these lines
}

// InputHash is a keyed hash of the files of a run and of everything else that decides its
// results. The zero InputHash stands for none: earlier versions have stored none.
type InputHash [32]byte

// Plus returns the sums of both, count by count and sum by sum.
func (t Tally) Plus(other Tally) Tally { return t.Minus(Tally{}.Minus(other)) }

// Minus returns how much more t is than another tally, count by count and sum by sum.
func (t Tally) Minus(other Tally) Tally {
	t.StorefrontRows -= other.StorefrontRows
	t.CourierRows -= other.CourierRows
	t.Orders -= other.Orders
	for flag, n := range other.Flags {
		t.Flags[flag] -= n
	}
	t.Due -= other.Due
	t.Remitted -= other.Remitted
	t.Shortfall -= other.Shortfall
	t.AtRisk -= other.AtRisk
	t.Unclaimed -= other.Unclaimed
	t.UnclaimedPaid -= other.UnclaimedPaid
	return t
}

// Run is the audit record of one reconciliation (guide: limits 6).
type Run struct {
	ID          string // UUID
	AccountID   string
	Brand       string
	CourierName string // id of the courier that the request named, or those of its reports joined by CourierSeparator; blank: it named none
	Source      Source
	At          time.Time
	Took        time.Duration
	Tally       Tally
	Terms       Terms
	Guidance    Guidance
	InputHash   InputHash
}

// Couriers returns the ids of the couriers that the request named; none if it named none.
func (r Run) Couriers() []string { return SplitCouriers(r.CourierName) }

// Fingerprint is equal for two runs that the contract calls identical: the same
// brand, courierName, row counts and flag counts. Only fingerprints of one account
// may be compared.
func (r Run) Fingerprint() string {
	return fmt.Sprintf("%d/%d%v%q%q", r.Tally.StorefrontRows, r.Tally.CourierRows, r.Tally.Flags, r.Brand, r.CourierName)
}
