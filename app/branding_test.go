package app_test

import (
	"bytes"
	"image"
	"image/png"
	"io"
	"testing"

	"github.com/stretchr/testify/require"

	"milaan/adapters/logo"
	"milaan/app/accounts"
	"milaan/app/runs"
	"milaan/domain"
	"milaan/ports"
)

// TestBrandingIsSetPartByPart holds that what a change leaves out stays as it is.
func TestBrandingIsSetPartByPart(t *testing.T) {
	s := newStore(t, proAccount())
	m := accounts.NewBranding(accounts.BrandingParams{Accounts: s.accounts, Brandings: s.brandings, Logos: logo.New(), Clock: s.clock})
	var file bytes.Buffer
	require.NoError(t, png.Encode(&file, image.NewGray(image.Rect(0, 0, 3, 2))))
	_, err := m.Show(t.Context(), s.account.Email)
	require.ErrorIs(t, err, domain.ErrNoBranding)

	b, err := m.Set(t.Context(), s.account.Email, domain.ByCommandLine, ports.BrandingChange{Name: new(" Asha "), Colour: new("#1A4F8B"), Footer: new("foot"), Logo: file.Bytes()})
	require.NoError(t, err)
	require.Equal(t, "Asha foot #1A4F8B", b.Name+" "+b.Footer+" "+b.Colour.String())
	require.NotEmpty(t, b.Logo)
	kept := b.Logo
	b, err = m.Set(t.Context(), s.account.Email, domain.ByCommandLine, ports.BrandingChange{Footer: new(""), Colour: new(" ")})
	require.NoError(t, err)
	require.Equal(t, domain.Branding{Name: "Asha", Logo: kept}, b)
	shown, err := m.Show(t.Context(), s.account.Email)
	require.NoError(t, err)
	require.Equal(t, b, shown)
	_, err = m.Set(t.Context(), s.account.Email, domain.ByCommandLine, ports.BrandingChange{NoLogo: true, Name: new("")})
	require.NoError(t, err)
	require.ErrorIs(t, m.Remove(t.Context(), s.account.Email, domain.ByCommandLine), domain.ErrNoBranding)
	_, err = m.Set(t.Context(), s.account.Email, domain.ByCommandLine, ports.BrandingChange{Name: new("x")})
	require.NoError(t, err)
	require.NoError(t, m.Remove(t.Context(), s.account.Email, domain.ByCommandLine))
	_, err = m.Show(t.Context(), s.account.Email)
	require.ErrorIs(t, err, domain.ErrNoBranding)
}

func TestBrandingIsRefused(t *testing.T) {
	s := newStore(t, proAccount())
	m := accounts.NewBranding(accounts.BrandingParams{Accounts: s.accounts, Brandings: s.brandings, Logos: logo.New(), Clock: s.clock})
	_, err := m.Set(t.Context(), s.account.Email, domain.ByCommandLine, ports.BrandingChange{Name: new("a\nb"), Colour: new("#FFFFFF"), Footer: new("a\nb"), Logo: []byte("<svg/>")})
	require.Equal(t, domain.Faults{
		{Field: domain.FieldBrandingName, Rule: domain.RuleLabel, Max: domain.MaxLabel}, {Field: domain.FieldBrandingLogo, Rule: domain.RuleImage},
		{Field: domain.FieldBrandingColour, Rule: domain.RuleContrast, Value: "#FFFFFF"}, {Field: domain.FieldBrandingFooter, Rule: domain.RuleLine, Max: domain.MaxFooter},
	}, domain.FaultsOf(err), "all faults are told at once")
	_, err = m.Show(t.Context(), s.account.Email)
	require.ErrorIs(t, err, domain.ErrNoBranding)
	_, err = m.Set(t.Context(), "nobody@shop.example", domain.ByCommandLine, ports.BrandingChange{})
	require.ErrorIs(t, err, domain.ErrNoAccount)
	s.change(func(a *domain.Account) { a.Plan = domain.Solo })
	_, err = m.Set(t.Context(), s.account.Email, domain.ByCommandLine, ports.BrandingChange{Name: new("x")})
	require.ErrorIs(t, err, domain.ErrBrandingPlan)
}

// noted is a reporter that notes the branding of its documents.
type noted struct{ branding *domain.Branding }

func (noted) Format() domain.Format { return domain.FormatPDF }

func (n noted) Write(_ func(string) (io.Writer, error), _ *ports.FinishedRun, b domain.Branding) error {
	*n.branding = b
	return nil
}

// TestDocumentsOfSoloAreMilaans holds that a branding of an account that was moved to Solo is
// kept, and not used.
func TestDocumentsOfSoloAreMilaans(t *testing.T) {
	b := newRunningBench(t, proAccount())
	var used domain.Branding
	documents := runs.NewDocuments(runs.DocumentsParams{Reconciling: b.reconciling, Brandings: b.brandings, Reporters: []ports.Reporter{noted{&used}}})
	_, err := accounts.NewBranding(accounts.BrandingParams{Accounts: b.accounts, Brandings: b.brandings, Clock: b.clock}).Set(t.Context(), b.account.Email, domain.ByCommandLine, ports.BrandingChange{Name: new("Asha")})
	require.NoError(t, err)
	ask := func(plan domain.Plan, name string) error {
		b.change(func(a *domain.Account) { a.Plan = plan })
		d, err := documents.Make(t.Context(), ports.Caller{Account: b.account}, ports.DocumentRequest{Request: sampleRequest(t, "b"), Format: "pdf", BrandingName: name})
		if err != nil {
			return err
		}
		defer d.Release()
		return d.Write(nil)
	}
	for plan, want := range map[domain.Plan]string{domain.Pro: "Asha", domain.Enterprise: "Asha", domain.Solo: ""} {
		require.NoError(t, ask(plan, ""))
		require.Equal(t, want, used.Name, plan)
	}
	require.ErrorIs(t, ask(domain.Solo, "Ravi"), domain.ErrBrandingPlan)
	require.NoError(t, ask(domain.Pro, "Ravi"))
	require.Equal(t, "Ravi", used.Name)
}
