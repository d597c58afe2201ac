package view

import "milaan/domain"

// Run is a run as the pages show it.
type Run struct {
	runHead[Instant]
	runUnclaimed
	OverdueDays int      `json:"overdue_threshold_days"`
	MinorGap    Rupees   `json:"minor_gap_threshold"`
	Guidance    Guidance `json:"cycle_guidance"`
	Sums
}

// NewRun returns a run as the pages show it.
func NewRun(r *domain.Run) Run {
	return Run{runHead: newRunHead[Instant](r), runUnclaimed: newRunUnclaimed(&r.Tally), OverdueDays: r.Terms.OffsetDays,
		MinorGap: Rupees(r.Terms.MinorGap), Guidance: NewGuidance(&r.Guidance), Sums: NewSums(&r.Tally)}
}

// ListedRun is a run as the commands print it.
type ListedRun struct {
	runHead[Second]
	Sums
	runUnclaimed
}

// NewListedRun returns a run as the commands print it.
func NewListedRun(r *domain.Run) ListedRun {
	return ListedRun{newRunHead[Second](r), NewSums(&r.Tally), newRunUnclaimed(&r.Tally)}
}

// ExportedRun is a run in the export of an account.
type ExportedRun struct {
	runHead[Instant]
	runCounts
	runAmounts
	runUnclaimed
	OffsetDays       int     `json:"offset_days"`
	MinorGap         Rupees  `json:"minor_gap_threshold"`
	BatchAsOf        *string `json:"batch_as_of"`
	DataThrough      *string `json:"courier_data_through"`
	CoverageComplete bool    `json:"courier_coverage_complete"`
}

// NewExportedRun returns a run as the export of an account has it.
func NewExportedRun(r *domain.Run) ExportedRun {
	return ExportedRun{runHead: newRunHead[Instant](r), runCounts: newRunCounts(&r.Tally), runAmounts: newRunAmounts(&r.Tally),
		runUnclaimed: newRunUnclaimed(&r.Tally), OffsetDays: r.Terms.OffsetDays, MinorGap: Rupees(r.Terms.MinorGap),
		BatchAsOf: OrNone(r.Guidance.BatchAsOf.String()), DataThrough: OrNone(r.Guidance.DataThrough.String()),
		CoverageComplete: r.Guidance.CoverageComplete}
}

// TrendPoint is a run in the trend.
type TrendPoint struct {
	runName[Instant]
	AtRisk    Rupees `json:"amount_risk"`
	Shortfall Rupees `json:"shortfall"`
}

// NewTrendPoint returns a run as the trend has it.
func NewTrendPoint(r *domain.Run) TrendPoint {
	return TrendPoint{newRunName[Instant](r), Rupees(r.Tally.AtRisk), Rupees(r.Tally.Shortfall)}
}

// RunsPage is a page of the history.
type RunsPage struct {
	Runs     []Run           `json:"runs"`
	Next     *string         `json:"next"` // where the following page begins; null: there is none
	Brands   []string        `json:"brands"`
	Couriers []string        `json:"couriers"`
	Sources  []domain.Source `json:"sources"`
}

// Comparison is two runs side by side.
type Comparison struct {
	A      Run  `json:"a"`
	B      Run  `json:"b"`
	Change Sums `json:"change"` // b minus a
}

// Sums is what two runs are compared by. In a change, each is a difference.
type Sums struct {
	runCounts
	Flagged int `json:"flagged_count"`
	runAmounts
}

// NewSums returns the counts and sums of a run.
func NewSums(t *domain.Tally) Sums {
	return Sums{newRunCounts(t), t.Flags.Flagged(), newRunAmounts(t)}
}

// Guidance is the cycle_guidance of the API.
type Guidance struct {
	OffsetDays       int                 `json:"offset_days"`
	OffsetSource     domain.OffsetSource `json:"offset_source"`
	BatchAsOf        string              `json:"batch_as_of"`
	CoverageComplete bool                `json:"courier_coverage_complete"`
	DataThrough      *string             `json:"courier_data_through"`
	Guaranteed       int                 `json:"guaranteed_coverage_days"`
	Awaiting         int                 `json:"awaiting_next_cycle_count"`
}

// NewGuidance returns the view of guidance.
func NewGuidance(g *domain.Guidance) Guidance {
	return Guidance{OffsetDays: g.OffsetDays, OffsetSource: g.OffsetSource, BatchAsOf: g.BatchAsOf.String(),
		CoverageComplete: g.CoverageComplete, DataThrough: OrNone(g.DataThrough.String()), Guaranteed: g.GuaranteedCoverageDays,
		Awaiting: g.AwaitingNextCycle}
}

// runName says which run it is. At is never null.
type runName[T Instant | Second] struct {
	ID       string   `json:"run_id"`
	At       T        `json:"run_at" ts:"string"`
	Brand    string   `json:"brand"`
	Couriers []string `json:"couriers"` // ids
}

func newRunName[T Instant | Second](r *domain.Run) runName[T] {
	return runName[T]{ID: r.ID, At: T(r.At), Brand: r.Brand, Couriers: OrEmpty(r.Couriers())}
}

// runHead says where a run comes from and how much it has read.
type runHead[T Instant | Second] struct {
	runName[T]
	Source         domain.Source `json:"source"`
	TookMS         int64         `json:"took_ms"`
	StorefrontRows int           `json:"storefront_rows"`
	CourierRows    int           `json:"courier_rows"`
}

func newRunHead[T Instant | Second](r *domain.Run) runHead[T] {
	return runHead[T]{newRunName[T](r), r.Source, r.Took.Milliseconds(), r.Tally.StorefrontRows, r.Tally.CourierRows}
}

type runCounts struct {
	Orders int            `json:"orders"`
	Flags  map[string]int `json:"flags"` // all of them
}

func newRunCounts(t *domain.Tally) runCounts {
	v := runCounts{Orders: t.Orders, Flags: map[string]int{}}
	for flag, n := range t.Flags {
		v.Flags[domain.Flag(flag).String()] = n
	}
	return v
}

type runAmounts struct {
	Due       Rupees `json:"due"`
	Remitted  Rupees `json:"remitted"`
	Shortfall Rupees `json:"shortfall"`
	AtRisk    Rupees `json:"amount_risk"`
}

func newRunAmounts(t *domain.Tally) runAmounts {
	return runAmounts{Rupees(t.Due), Rupees(t.Remitted), Rupees(t.Shortfall), Rupees(t.AtRisk)}
}

// runUnclaimed is the lines of the reports that belong to no order.
type runUnclaimed struct {
	Lines    int    `json:"unclaimed_lines"`
	Remitted Rupees `json:"unclaimed_remitted"`
}

func newRunUnclaimed(t *domain.Tally) runUnclaimed {
	return runUnclaimed{t.Unclaimed, Rupees(t.UnclaimedPaid)}
}
