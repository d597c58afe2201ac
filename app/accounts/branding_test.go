package accounts_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"milaan/adapters/logo"
	"milaan/app/accounts"
	"milaan/domain"
	"milaan/ports"
	"milaan/tests/fakes/storage"
	"milaan/tests/only"
)

func TestABrandingIsRemoved(t *testing.T) {
	t.Parallel()
	s := storage.New(t, storage.ProAccount())
	m := &accounts.Managing{Brandings: s.Brandings, Clean: logo.Clean, Clock: s.Clock}
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
