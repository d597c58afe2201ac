package runs

import (
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"slices"
	"strings"

	"go.uber.org/fx"

	"milaan/app/hashing"
	"milaan/domain"
	"milaan/ports"
)

// Documents makes documents of runs on the spot.
type Documents struct {
	fx.In

	Reconciling *Reconciling
	Brandings   ports.Brandings
	Books       ports.Books
	Reporters   []ports.Reporter
}

// MakeDocument reads branding and books first: if that fails, no run is counted.
func (d *Documents) MakeDocument(ctx context.Context, caller ports.Caller, req ports.DocumentRequest) (*ports.Document, error) {
	if err := d.Reconciling.enterSandbox(caller, &req.Request); err != nil {
		return nil, err
	}
	return d.make(ctx, caller.Account, req, func(t task) (*ports.FinishedRun, error) { return d.run(ctx, caller, t, req) })
}

func (d *Documents) PreviewDocument(ctx context.Context, req ports.DocumentRequest) (*ports.Document, error) {
	return d.make(ctx, domain.Account{}, req, func(t task) (*ports.FinishedRun, error) { return d.Reconciling.preview(ctx, t) })
}

// make makes the document of the run that run makes of the checked request.
func (d *Documents) make(
	ctx context.Context, a domain.Account, req ports.DocumentRequest, run func(task) (*ports.FinishedRun, error),
) (*ports.Document, error) {
	t, faults := d.Reconciling.check(req.Request)
	t.ofDocument, t.marks, t.only = true, req.Marks, req.Only
	reporter := d.check(req, &faults)
	if err := d.Reconciling.findAsked(ctx, a, &t, faults.Sorted()); err != nil {
		return nil, err
	}
	branding, err := d.brandingOf(ctx, a, req.BrandingName)
	if err != nil {
		return nil, err
	}
	var books domain.Books // of a visitor: the usual ones
	if a.ID != "" {
		if books, err = d.Books.Of(ctx, a.ID); err != nil {
			return nil, err
		}
	}
	finished, err := run(t)
	if err != nil {
		return nil, err
	}
	finished.Books = books
	return documentOf(reporter, finished, branding), nil
}

func documentOf(reporter ports.Reporter, run *ports.FinishedRun, branding domain.Branding) *ports.Document {
	write := func(create ports.CreateFile) ([]domain.Warning, error) {
		return reporter.Write(create, run, branding)
	}
	return &ports.Document{FinishedRun: run, Format: reporter.Format(), Write: write}
}

// OfKept makes the dispute pack of a run of kept open items.
func (d *Documents) OfKept(ctx context.Context, a domain.Account, run *ports.FinishedRun) (*ports.Document, error) {
	at := slices.IndexFunc(d.Reporters, func(r ports.Reporter) bool { return r.Format() == domain.FormatDispute })
	branding, err := d.brandingOf(ctx, a, "")
	if err != nil {
		return nil, err
	}
	return documentOf(d.Reporters[at], run, branding), nil
}

// withDisputes are the formats that have disputes alone, or in a file of their own.
var withDisputes = []domain.Format{domain.FormatCSV, domain.FormatDispute}

// check checks the fields that a document has besides those of its run. It returns the
// reporter of the format.
func (d *Documents) check(req ports.DocumentRequest, faults *domain.Faults) ports.Reporter {
	var formats []string
	var reporter ports.Reporter
	for _, format := range domain.Formats() {
		i := slices.IndexFunc(d.Reporters, func(r ports.Reporter) bool { return r.Format() == format })
		if i < 0 {
			continue
		}
		if formats = append(formats, string(format)); string(format) == req.Format {
			reporter = d.Reporters[i]
		}
	}
	rule := domain.RuleOneOf
	if req.Format == "" {
		rule = domain.RuleMissing
	}
	faults.Add(reporter == nil, domain.Fault{Field: domain.FieldFormat, Rule: rule, Options: formats})
	faults.Add(req.Only != nil && reporter != nil && !slices.Contains(withDisputes, reporter.Format()),
		domain.Fault{Field: domain.FieldOnly, Rule: domain.RuleFormat, Options: []string{string(domain.FormatCSV), string(domain.FormatDispute)}})
	faults.AddAll(domain.CheckBranding(domain.Branding{Name: req.BrandingName}))
	return reporter
}

// run makes the run of a document, once for all requests with the caller's request key.
func (d *Documents) run(ctx context.Context, caller ports.Caller, t task, req ports.DocumentRequest) (*ports.FinishedRun, error) {
	if caller.RequestKey != "" && !caller.Sandbox {
		return d.Reconciling.reconcileOnce(ctx, caller, t, documentFingerprint(req))
	}
	return d.Reconciling.reconcile(ctx, caller, t, addNothing)
}

// documentFingerprint returns the fingerprint of a request for a document. Its texts must be as they
// were received.
func documentFingerprint(req ports.DocumentRequest) (sum fingerprint) {
	h := hashing.Fields{Hash: sha256.New()}
	h.Text([]byte("document"))
	h.Text([]byte(req.Format))
	h.Text([]byte(req.BrandingName))
	writeRequest(h, req.Request)
	if req.Marks != nil || req.Only != nil { // or else the fingerprint is that of an earlier version
		h.Number(len(req.Marks))
		for i := range req.Marks {
			m := &req.Marks[i]
			for _, text := range []string{m.OrderID, m.AWB, m.State.String(), m.Note} {
				h.Text([]byte(text))
			}
			h.Number(int(m.RaisedOn))
			h.Number(int(m.PromisedUntil))
		}
		h.Flag(req.Only != nil)
		for _, chosen := range req.Only {
			h.Text([]byte(chosen.OrderID))
			h.Text([]byte(chosen.AWB))
		}
	}
	h.Sum(sum[:0])
	return sum
}

// brandingOf returns the branding of an account's documents: the stored one, if the
// account's plan has any, under another name if one is given. It is empty for Milaan's own.
func (d *Documents) brandingOf(ctx context.Context, a domain.Account, name string) (domain.Branding, error) {
	name = strings.TrimSpace(name)
	if !a.HasBranding() {
		if name != "" {
			return domain.Branding{}, domain.ErrBrandingPlan
		}
		return domain.Branding{}, nil
	}
	b, err := d.Brandings.Of(ctx, a.ID)
	if err != nil && !errors.Is(err, domain.ErrNoBranding) {
		return domain.Branding{}, err
	}
	b.Name = cmp.Or(name, b.Name)
	return b, nil
}
