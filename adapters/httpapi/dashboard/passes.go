package dashboard

import (
	"net/http"

	"github.com/gin-gonic/gin"

	"milaan/adapters/view"
	"milaan/domain"
	"milaan/ports/glue"
)

// passNames are the names of a page for the warnings of a pass, whose orders come from no file.
type passNames struct{ glue.Names }

func (passNames) Surface() glue.Surface { return glue.Passes }

// passView is a pass.
type passView struct {
	ID        string             `json:"id"`
	Slot      view.Instant       `json:"slot"`
	Asked     bool               `json:"asked"` // by a person
	DueAt     view.Instant       `json:"due_at"`
	StartedAt view.Instant       `json:"started_at"` // null: it waits
	EndedAt   view.Instant       `json:"ended_at"`   // null: it waits or is under way
	Outcome   domain.PassOutcome `json:"outcome"`    // blank: it waits or is under way
	Failure   *failureView       `json:"failure"`
	RunID     string             `json:"run_id"`
	Orders    int                `json:"orders"`
	Sources   []sourceResultView `json:"sources"`
	Left      view.OrderSum      `json:"left"`
	Leaving   view.OrderSum      `json:"leaving"`
	Warnings  []warningView      `json:"warnings"`
}

// sourceResultView is what a report source contributed to a pass.
type sourceResultView struct {
	SourceID string   `json:"source_id"`
	Couriers []string `json:"couriers"` // ids
	Files    int      `json:"files"`
	Lines    int      `json:"lines"`
	Through  *string  `json:"through"` // null: it has no date
	Behind   bool     `json:"behind"`  // the run reaches no further because of it
	// LeftOut are mails with reports that were not taken, latest first.
	LeftOut []leftOutView `json:"left_out"`
	// RefusedFrom is the day from which the source is refused, because its settings are of an
	// earlier version; null: they are not.
	RefusedFrom *string `json:"refused_from"`
}

// warningView is a warning of the pass's run.
type warningView struct {
	Code    domain.WarningCode `json:"code"`
	Message string             `json:"message"`
	Count   int                `json:"count"`
	Amount  *view.Rupees       `json:"amount"` // null: it speaks of none
}

func (d *Dashboard) viewPass(r *http.Request, p *domain.Pass) passView {
	v := passView{
		ID: p.ID, Slot: view.Instant(p.Slot), Asked: p.Asked, DueAt: view.Instant(p.Due), StartedAt: view.Instant(p.StartedAt), EndedAt: view.Instant(p.EndedAt),
		Outcome: p.Outcome, Failure: d.viewFailure(r, p.Failure), RunID: p.RunID, Orders: p.Orders, Left: view.NewOrderSum(p.Left), Leaving: view.NewOrderSum(p.Leaving),
		Sources: make([]sourceResultView, len(p.Sources)), Warnings: make([]warningView, len(p.Warnings)),
	}
	for i, s := range p.Sources {
		v.Sources[i] = sourceResultView{SourceID: s.SourceID, Couriers: view.OrEmpty(domain.SplitCouriers(s.Courier)), Files: s.Files, Lines: s.Lines, Through: view.OrNone(s.Through.String()), Behind: s.Behind,
			LeftOut: d.viewLeftOut(r, s.LeftOut), RefusedFrom: view.OrNone(s.RefusedFrom.String())}
	}
	for i := range p.Warnings {
		w := &p.Warnings[i]
		v.Warnings[i] = warningView{Code: w.Code, Message: string(d.Words(r).AppendWarning(nil, w, passNames{d.Names(r)})), Count: w.Count}
		if w.HasAmount {
			v.Warnings[i].Amount = new(view.Rupees(w.Amount))
		}
	}
	return v
}

// askPass is POST /app/api/connections/:id/run.
func (d *Dashboard) askPass(c *gin.Context, by By) error {
	asked, err := d.Autopilot.Managing.Run(c.Request.Context(), by.Account.ID, c.Param("id"))
	if err != nil {
		return err
	}
	writeJSON(c, http.StatusAccepted, d.viewPass(c.Request, &asked))
	return nil
}

// listPasses is GET /app/api/connections/:id/passes, the latest first.
func (d *Dashboard) listPasses(c *gin.Context, by By) error {
	latest, err := d.Autopilot.Reading.Passes(c.Request.Context(), by.Account.ID, c.Param("id"))
	if err != nil {
		return err
	}
	views := make([]passView, len(latest))
	for i := range latest {
		views[i] = d.viewPass(c.Request, &latest[i])
	}
	writeJSON(c, http.StatusOK, struct {
		Passes []passView `json:"passes"`
	}{views})
	return nil
}
