package runs

import (
	"cmp"
	"context"
	"errors"
	"strings"
	"time"

	"go.uber.org/fx"

	"milaan/domain"
	"milaan/ports"
)

// ReadingHistory reads the runs that are stored.
type ReadingHistory struct {
	fx.In

	History ports.RunHistory
	Store   ports.Runs
	Clock   ports.Clock
}

// Runs asks for one run more than the page has, to know whether there is another page.
func (h *ReadingHistory) Runs(ctx context.Context, accountID string, f ports.RunFilter) (runs []domain.Run, next string, err error) {
	f, err = h.check(ctx, accountID, f)
	if err != nil {
		return nil, "", err
	}
	page := f.Limit
	f.Limit++
	runs, err = h.History.List(ctx, accountID, f)
	if err != nil || len(runs) <= page {
		return runs, "", err
	}
	return runs[:page], runs[page-1].ID, nil
}

// check returns a filter as storage takes it. The run of After must be one of the
// account's: a page that begins after a run that nobody knows would be any page.
func (h *ReadingHistory) check(ctx context.Context, accountID string, f ports.RunFilter) (ports.RunFilter, error) {
	var faults domain.Faults
	for field, label := range map[domain.Field]string{domain.FieldBrand: f.Brand, domain.FieldCourierName: f.Courier} {
		faults.Add(!domain.IsStorable(label), domain.Fault{Field: field, Rule: domain.RuleLabel, Max: domain.MaxLabel})
	}
	f.Brand, f.Courier = strings.TrimSpace(f.Brand), strings.ToLower(strings.TrimSpace(f.Courier))
	var sources []string
	known := f.Source == ""
	for _, s := range domain.Sources() {
		sources = append(sources, string(s))
		known = known || s == f.Source
	}
	faults.Add(!known, domain.Fault{Field: domain.FieldSource, Rule: domain.RuleOneOf, Options: sources})
	faults.Add(!f.From.IsZero() && !f.To.IsZero() && !f.From.Before(f.To),
		domain.Fault{Field: domain.FieldTo, Rule: domain.RuleNotBefore, Day: domain.DayOf(f.From)})
	f.Limit = cmp.Or(f.Limit, domain.MaxListedRuns)
	faults.Add(f.Limit < 1 || f.Limit > domain.MaxListedRuns, domain.OutOfBounds(domain.FieldLimit))
	if f.After != "" && len(faults) == 0 {
		_, err := h.Run(ctx, accountID, f.After)
		if err != nil && !errors.Is(err, domain.ErrNoRun) {
			return f, err
		}
		faults.Add(err != nil, domain.Fault{Field: domain.FieldAfter, Rule: domain.RuleCursor})
	}
	return f, faults.Sorted().Err()
}

func (h *ReadingHistory) Run(ctx context.Context, accountID, id string) (domain.Run, error) {
	if !domain.IsStorable(id) {
		return domain.Run{}, domain.ErrNoRun
	}
	return h.History.Run(ctx, accountID, id)
}

func (h *ReadingHistory) Labels(ctx context.Context, accountID string) (ports.RunLabels, error) {
	return h.History.Labels(ctx, accountID)
}

func (h *ReadingHistory) Compare(ctx context.Context, accountID, a, b string) (c ports.Comparison, err error) {
	if c.A, err = h.Run(ctx, accountID, a); err != nil {
		return ports.Comparison{}, err
	}
	if c.B, err = h.Run(ctx, accountID, b); err != nil {
		return ports.Comparison{}, err
	}
	c.Change = c.B.Tally.Minus(c.A.Tally)
	return c, nil
}

func (h *ReadingHistory) Usage(ctx context.Context, a domain.Account) (ports.Usage, error) {
	return usageOf(a, h.Clock(), func(since time.Time) (int, error) { return h.Store.RunsSince(ctx, a.ID, since) })
}

// usageOf counts the runs of the account's present cycle. The cap holds by this count, and
// people see it.
func usageOf(a domain.Account, now time.Time, runsSince func(time.Time) (int, error)) (ports.Usage, error) {
	cycle := a.Cycle(now)
	u := ports.Usage{ResetsOn: cycle.End}
	u.Cap, u.Limited = a.MonthlyCap()
	var err error
	u.Used, err = runsSince(cycle.Start.Start())
	return u, err
}
