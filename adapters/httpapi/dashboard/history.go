package dashboard

import (
	"net/http"
	"slices"
	"strconv"

	"github.com/gin-gonic/gin"

	"milaan/domain"
	"milaan/ports"
)

// runView is a run. It has counts and sums alone: of the files nothing is kept.
type runView struct {
	ID                string        `json:"run_id"`
	At                instant       `json:"run_at"`
	Brand             string        `json:"brand"`
	Couriers          []string      `json:"couriers"` // ids
	Source            domain.Source `json:"source"`
	TookMS            int64         `json:"took_ms"`
	StorefrontRows    int           `json:"storefront_rows"`
	CourierRows       int           `json:"courier_rows"`
	Unclaimed         int           `json:"unclaimed_lines"`
	UnclaimedRemitted rupees        `json:"unclaimed_remitted"`
	OverdueDays       int           `json:"overdue_threshold_days"`
	MinorGap          rupees        `json:"minor_gap_threshold"`
	Guidance          guidanceView  `json:"cycle_guidance"`
	sumsView
}

// sumsView is what two runs are compared by. In a change, each is a difference.
type sumsView struct {
	Orders    int            `json:"orders"`
	Flags     map[string]int `json:"flags"` // all of them
	Flagged   int            `json:"flagged_count"`
	Due       rupees         `json:"due"`
	Remitted  rupees         `json:"remitted"`
	Shortfall rupees         `json:"shortfall"`
	AtRisk    rupees         `json:"amount_risk"`
}

// guidanceView is the cycle_guidance of the API.
type guidanceView struct {
	OffsetDays       int                 `json:"offset_days"`
	OffsetSource     domain.OffsetSource `json:"offset_source"`
	BatchAsOf        string              `json:"batch_as_of"`
	CoverageComplete bool                `json:"courier_coverage_complete"`
	DataThrough      *string             `json:"courier_data_through"`
	Guaranteed       int                 `json:"guaranteed_coverage_days"`
	Awaiting         int                 `json:"awaiting_next_cycle_count"`
}

func viewRun(r *domain.Run) runView {
	g := r.Guidance
	return runView{
		ID: r.ID, At: instant(r.At), Brand: r.Brand, Couriers: OrEmpty(r.Couriers()), Source: r.Source, TookMS: r.Took.Milliseconds(),
		StorefrontRows: r.Tally.StorefrontRows, CourierRows: r.Tally.CourierRows, Unclaimed: r.Tally.Unclaimed, UnclaimedRemitted: rupees(r.Tally.UnclaimedPaid),
		OverdueDays: r.Terms.OffsetDays, MinorGap: rupees(r.Terms.MinorGap), sumsView: viewSums(&r.Tally),
		Guidance: guidanceView{OffsetDays: g.OffsetDays, OffsetSource: g.OffsetSource, BatchAsOf: g.BatchAsOf.String(), CoverageComplete: g.CoverageComplete,
			DataThrough: orNone(g.DataThrough.String()), Guaranteed: g.GuaranteedCoverageDays, Awaiting: g.AwaitingNextCycle},
	}
}

func viewSums(t *domain.Tally) sumsView {
	v := sumsView{Orders: t.Orders, Flags: map[string]int{}, Flagged: t.Flags.Flagged(), Due: rupees(t.Due), Remitted: rupees(t.Remitted),
		Shortfall: rupees(t.Shortfall), AtRisk: rupees(t.AtRisk)}
	for flag, n := range t.Flags {
		v.Flags[domain.Flag(flag).String()] = n
	}
	return v
}

// OrEmpty returns a list that is empty in JSON, not null, if there is nothing in it.
func OrEmpty[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}

// usualRuns is how many runs a page has if the request does not say.
const usualRuns = 50

// filter reads which runs are asked for. Days are India's, and both count.
func filter(c *gin.Context) (f ports.RunFilter, faults domain.Faults) {
	f = ports.RunFilter{Brand: c.Query("brand"), Courier: c.Query("courier"), Source: domain.Source(c.Query("source")), After: c.Query("after"), Limit: usualRuns}
	if text, given := c.GetQuery("limit"); given {
		n, err := strconv.Atoi(text)
		faults.Add(err != nil || n == 0, domain.OutOfBounds(domain.FieldLimit))
		f.Limit = n
	}
	if day := faults.ReadDay(domain.FieldFrom, c.Query("from")); day != domain.NoDay {
		f.From = day.Start()
	}
	if day := faults.ReadDay(domain.FieldTo, c.Query("to")); day != domain.NoDay {
		f.To = (day + 1).Start()
	}
	return f, faults
}

// runs finds the runs that are asked for.
func (d *Dashboard) runs(c *gin.Context, by By, f ports.RunFilter, faults domain.Faults) (runs []domain.Run, next string, err error) {
	if err := faults.Err(); err != nil {
		return nil, "", err
	}
	return d.History.Runs(c.Request.Context(), by.Account.ID, f)
}

// listRuns is GET /app/api/runs.
func (d *Dashboard) listRuns(c *gin.Context, by By) error {
	f, faults := filter(c)
	runs, next, err := d.runs(c, by, f, faults)
	if err != nil {
		return err
	}
	labels, err := d.History.Labels(c.Request.Context(), by.Account.ID)
	if err != nil {
		return err
	}
	page := struct {
		Runs     []runView       `json:"runs"`
		Next     *string         `json:"next"` // null: there are no more
		Brands   []string        `json:"brands"`
		Couriers []string        `json:"couriers"`
		Sources  []domain.Source `json:"sources"`
	}{make([]runView, len(runs)), orNone(next), OrEmpty(labels.Brands), OrEmpty(labels.Couriers), OrEmpty(labels.Sources)}
	for i := range runs {
		page.Runs[i] = viewRun(&runs[i])
	}
	writeJSON(c, http.StatusOK, page)
	return nil
}

// showRun is GET /app/api/runs/:id.
func (d *Dashboard) showRun(c *gin.Context, by By) error {
	run, err := d.History.Run(c.Request.Context(), by.Account.ID, c.Param("id"))
	if err != nil {
		return err
	}
	writeJSON(c, http.StatusOK, viewRun(&run))
	return nil
}

// pointView is a run in the trend.
type pointView struct {
	ID        string   `json:"run_id"`
	At        instant  `json:"run_at"`
	Brand     string   `json:"brand"`
	Couriers  []string `json:"couriers"`
	AtRisk    rupees   `json:"amount_risk"`
	Shortfall rupees   `json:"shortfall"`
}

// showTrend is GET /app/api/trend: the latest runs, oldest first.
func (d *Dashboard) showTrend(c *gin.Context, by By) error {
	f, faults := filter(c)
	f.Limit, f.After = domain.MaxListedRuns, ""
	runs, _, err := d.runs(c, by, f, faults)
	if err != nil {
		return err
	}
	points := make([]pointView, 0, len(runs))
	for _, r := range slices.Backward(runs) {
		points = append(points, pointView{ID: r.ID, At: instant(r.At), Brand: r.Brand, Couriers: OrEmpty(r.Couriers()), AtRisk: rupees(r.Tally.AtRisk), Shortfall: rupees(r.Tally.Shortfall)})
	}
	writeJSON(c, http.StatusOK, struct {
		Points []pointView `json:"points"`
	}{points})
	return nil
}

// compareRuns is GET /app/api/compare.
func (d *Dashboard) compareRuns(c *gin.Context, by By) error {
	found, err := d.History.Compare(c.Request.Context(), by.Account.ID, c.Query("a"), c.Query("b"))
	if err != nil {
		return err
	}
	writeJSON(c, http.StatusOK, struct {
		A      runView  `json:"a"`
		B      runView  `json:"b"`
		Change sumsView `json:"change"` // b minus a
	}{viewRun(&found.A), viewRun(&found.B), viewSums(&found.Change)})
	return nil
}
