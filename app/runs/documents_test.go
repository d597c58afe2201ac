package runs_test

import (
	"io"
	"testing"

	"github.com/stretchr/testify/require"

	"milaan/app/accounts"
	"milaan/app/runs"
	"milaan/domain"
	"milaan/ports"
	"milaan/tests/fakes/storage"
)

// noted is a reporter that notes the branding of its documents.
type noted struct{ branding *domain.Branding }

func (noted) Format() domain.Format { return domain.FormatPDF }

func (n noted) Write(_ func(string) (io.Writer, error), _ *ports.FinishedRun, b domain.Branding) ([]domain.Warning, error) {
	*n.branding = b
	return nil, nil
}

// TestDocumentsOfSoloAreMilaans holds that a branding of an account that was moved to Solo is
// kept, and not used.
func TestDocumentsOfSoloAreMilaans(t *testing.T) {
	t.Parallel()
	b := newRunningBench(t, storage.ProAccount())
	var used domain.Branding
	documents := &runs.Documents{Reconciling: b.reconciling, Brandings: b.Brandings, Books: b.Books, Reporters: []ports.Reporter{noted{&used}}}
	branding := accounts.Managing{Brandings: b.Brandings, Clock: b.Clock}
	_, err := branding.SetBranding(t.Context(), b.Account, domain.ByCommandLine, ports.BrandingChange{Name: new("Asha")})
	require.NoError(t, err)
	ask := func(plan domain.Plan, name string) error {
		b.Change(func(a *domain.Account) { a.Plan = plan })
		d, err := documents.MakeDocument(t.Context(), ports.Caller{Account: b.Account}, ports.DocumentRequest{Request: sampleRequest(t, "b"), Format: "pdf", BrandingName: name})
		if err != nil {
			return err
		}
		defer d.Release()
		_, err = d.Write(nil)
		return err
	}
	for plan, want := range map[domain.Plan]string{domain.Pro: "Asha", domain.Enterprise: "Asha", domain.Solo: ""} {
		require.NoError(t, ask(plan, ""))
		require.Equal(t, want, used.Name, plan)
	}
	require.ErrorIs(t, ask(domain.Solo, "Ravi"), domain.ErrBrandingPlan)
	require.NoError(t, ask(domain.Pro, "Ravi"))
	require.Equal(t, "Ravi", used.Name)
}
