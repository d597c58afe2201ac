package accounts_test

import (
	"bytes"
	"image"
	"image/png"
	"testing"

	"github.com/stretchr/testify/require"

	"milaan/adapters/logo"
	"milaan/app/accounts"
	"milaan/domain"
	"milaan/ports"
	"milaan/tests/fakes/storage"
	"milaan/tests/only"
)

// TestBrandingIsSetPartByPart holds that what a change leaves out stays as it is.
func TestBrandingIsSetPartByPart(t *testing.T) {
	t.Parallel()
	s := storage.New(t, storage.ProAccount())
	m := &accounts.Managing{Brandings: s.Brandings, Clean: logo.Clean, Clock: s.Clock}
	var file bytes.Buffer
	require.NoError(t, png.Encode(&file, image.NewGray(image.Rect(0, 0, 3, 2))))
	require.ErrorIs(t, only.Err(m.ShowBranding(t.Context(), s.Account.ID)), domain.ErrNoBranding)

	b, err := m.SetBranding(t.Context(), s.Account, domain.ByCommandLine, ports.BrandingChange{Name: new(" Asha "), Colour: new("#1A4F8B"), Footer: new("foot"), Logo: file.Bytes()})
	require.NoError(t, err)
	require.Equal(t, "Asha foot #1A4F8B", b.Name+" "+b.Footer+" "+b.Colour.String())
	require.NotEmpty(t, b.Logo)
	kept := b.Logo
	b, err = m.SetBranding(t.Context(), s.Account, domain.ByCommandLine, ports.BrandingChange{Footer: new(""), Colour: new(" ")})
	require.NoError(t, err)
	require.Equal(t, domain.Branding{Name: "Asha", Logo: kept}, b)
	require.Equal(t, b, only.Value(m.ShowBranding(t.Context(), s.Account.ID))(t))
	require.NoError(t, only.Err(m.SetBranding(t.Context(), s.Account, domain.ByCommandLine, ports.BrandingChange{NoLogo: true, Name: new("")})))
	require.ErrorIs(t, m.RemoveBranding(t.Context(), s.Account.ID, domain.ByCommandLine), domain.ErrNoBranding)
	require.NoError(t, only.Err(m.SetBranding(t.Context(), s.Account, domain.ByCommandLine, ports.BrandingChange{Name: new("x")})))
	require.NoError(t, m.RemoveBranding(t.Context(), s.Account.ID, domain.ByCommandLine))
	require.ErrorIs(t, only.Err(m.ShowBranding(t.Context(), s.Account.ID)), domain.ErrNoBranding)
}

func TestBrandingIsRefused(t *testing.T) {
	t.Parallel()
	s := storage.New(t, storage.ProAccount())
	m := &accounts.Managing{Brandings: s.Brandings, Clean: logo.Clean, Clock: s.Clock}
	_, err := m.SetBranding(t.Context(), s.Account, domain.ByCommandLine, ports.BrandingChange{Name: new("a\nb"), Colour: new("#FFFFFF"), Footer: new("a\nb"), Logo: []byte("<svg/>")})
	require.Equal(t, domain.Faults{
		{Field: domain.FieldBrandingName, Rule: domain.RuleLabel, Max: domain.MaxLabel}, {Field: domain.FieldBrandingLogo, Rule: domain.RuleImage},
		{Field: domain.FieldBrandingColour, Rule: domain.RuleContrast, Value: "#FFFFFF"}, {Field: domain.FieldBrandingFooter, Rule: domain.RuleLine, Max: domain.MaxFooter},
	}, domain.FaultsOf(err), "all faults are told at once")
	require.ErrorIs(t, only.Err(m.ShowBranding(t.Context(), s.Account.ID)), domain.ErrNoBranding)
	require.ErrorIs(t, only.Err(m.SetBranding(t.Context(), domain.Account{ID: "nobody", Plan: domain.Pro}, domain.ByCommandLine, ports.BrandingChange{})), domain.ErrNoAccount)
	s.Change(func(a *domain.Account) { a.Plan = domain.Solo })
	require.ErrorIs(t, only.Err(m.SetBranding(t.Context(), s.Account, domain.ByCommandLine, ports.BrandingChange{Name: new("x")})), domain.ErrBrandingPlan)
}
