package domain

import (
	"hash/fnv"
	"slices"
	"time"
)

// The bounds of connections.
const (
	MaxConnections   = 50       // of one account
	MaxReportSources = 20       // of one connection
	MinWindowDays    = 30       // days whose orders a pass fetches
	MaxWindowDays    = 60       // Shopify does not show older orders without a further scope
	DefaultWindow    = 45       // days
	MaxSetting       = 16 << 10 // bytes of one setting; a private key is the longest
)

// Connector is the id of one kind of shop or of report source, such as shopify or sftp.
type Connector string

// Settings are what a connector needs to connect, by name, such as host or password.
type Settings map[string]string

// Shop is the storefront of a connection.
type Shop struct {
	Connector Connector
	Settings  Settings
}

// ReportSource is one place from which reports of couriers come by themselves. (The source
// of a run is something else: see Source.)
type ReportSource struct {
	ID        string // UUID
	Connector Connector
	Settings  Settings
	// of the names of files, as path.Match reads it, letter case aside; blank: all files; names with a dot in front only if it has one too
	Pattern string
	Courier string          // id of the courier of all its reports; blank: as their headers show
	Columns map[Role]string // stated for its reports; nil: as detected
	Since   time.Time       // when it got its settings, secrets and columns aside; zero: with the connection
}

// ConnectionState says whether passes are made.
type ConnectionState string

// The states.
const (
	ConnectionActive ConnectionState = "active"
	ConnectionPaused ConnectionState = "paused"
	// ConnectionRefused is a connection whose shop or source has refused its credentials.
	// No pass is made until the settings change or a person asks for one.
	ConnectionRefused ConnectionState = "needs_attention"
)

// Connection is what an account has set up for the autopilot: a shop and its report sources.
type Connection struct {
	ID        string // UUID
	AccountID string
	Brand     string // label of its runs; no two connections of an account have the same
	Shop      Shop
	Sources   []ReportSource // 1 to MaxReportSources
	ConnectionTerms
	Revision  int // counts the changes of the settings, from 1
	CreatedAt time.Time
	ChangedAt time.Time
	// KeepsItems says whether it keeps its open items; known of connections that were listed for an account.
	KeepsItems bool
	ConnectionStatus
}

// ConnectionTerms is which orders the passes of a connection fetch, and how they are judged.
type ConnectionTerms struct {
	WindowDays  int
	OverdueDays *int    // nil: the account's or Milaan's
	MinorGap    *int    // rupees; nil: Milaan's
	Charges     Charges // blank: the account's
	AlertAbove  Paise   // at risk: a mail is sent if a run has more; 0: none
}

// ConnectionStatus is how the passes of a connection have gone.
type ConnectionStatus struct {
	State ConnectionState
	// NextPassAt is when the next pass is due. It is kept for a connection in any state, and
	// passes are made only for an active one.
	NextPassAt time.Time
	// CheckedAt is the end of the last pass that did not fail, whether or not it stored a
	// run; zero: none.
	CheckedAt time.Time
	// FailingSince is the first of the passes that have failed since then; zero: the last
	// pass did not fail.
	FailingSince time.Time
	Failure      *ConnectorError // of the last pass; nil: it did not fail
	LastRunID    string          // blank: none
	LastRunAt    time.Time
	AtRisk       Paise // of that run
	// AboveSince is when a run first had more at risk than AlertAbove; zero: the last run has
	// not.
	AboveSince time.Time
	// Left are the orders that have left the window unpaid since the connection was made.
	Left OrderSum
}

// OrderSum counts orders and sums what is due for them.
type OrderSum struct {
	Orders int
	Amount Paise
}

// CourierSum are the orders for which money is claimed from one courier, and how much.
type CourierSum struct {
	Courier string // id; blank: not known
	OrderSum
}

// PassPeriod is the time from one pass of a connection to the next (guide: autopilot).
const PassPeriod = time.Hour

// PassOffset returns how long after the start of a period the passes of a connection are
// due. It is drawn from the connection's id, so that the passes of all connections are
// spread over the period.
func PassOffset(connectionID string, period time.Duration) time.Duration {
	h := fnv.New64a()
	_, _ = h.Write([]byte(connectionID))
	sum := h.Sum64() ^ h.Sum64()>>32
	return time.Duration(sum%uint64(period/time.Second)) * time.Second
}

// NextPass returns when the first pass after a time is due. Passes that were missed before
// are not made up.
func NextPass(connectionID string, after time.Time, period time.Duration) time.Time {
	due := after.Truncate(period).Add(PassOffset(connectionID, period))
	if !due.After(after) {
		due = due.Add(period)
	}
	return due
}

// WindowStart returns the first day of the window of a pass that begins at a time.
func (c *Connection) WindowStart(at time.Time) Day { return DayOf(at) - Day(c.WindowDays) }

// Source returns the position, from 1, of the report source with an id; 0: there is none.
func (c *Connection) Source(id string) int {
	return 1 + slices.IndexFunc(c.Sources, func(s ReportSource) bool { return s.ID == id })
}
