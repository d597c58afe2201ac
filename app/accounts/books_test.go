package accounts_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"milaan/app/accounts"
	"milaan/domain"
	"milaan/tests/fakes/storage"
	"milaan/tests/only"
)

// TestBooksOfAnAccount holds that names are set one by one, and checked.
func TestBooksOfAnAccount(t *testing.T) {
	t.Parallel()
	s := storage.New(t, storage.ProAccount())
	m := &accounts.Managing{Books: s.Books, Clock: s.Clock}
	b, err := m.SetBooks(t.Context(), s.Account.ID, domain.ByCommandLine, func(b *domain.Books) { b.Bank, b.ByOrder = "  HDFC Bank ", true })
	require.NoError(t, err)
	require.Equal(t, domain.Books{Bank: "HDFC Bank", ByOrder: true}, b)
	_, err = m.SetBooks(t.Context(), s.Account.ID, domain.ByCommandLine, func(b *domain.Books) { b.Freight = "a\nb" })
	require.Equal(t, domain.Faults{{Field: domain.FieldBookLedger, Rule: domain.RuleLabel, Max: domain.MaxLabel, Value: "freight"}}, domain.FaultsOf(err))
	shown, err := m.ShowBooks(t.Context(), s.Account.ID)
	require.NoError(t, err)
	require.Equal(t, b, shown)
	require.Equal(t, "COD charges", shown.Complete().CODCharges)
	require.Equal(t, "HDFC Bank", shown.Complete().Bank)
	require.ErrorIs(t, only.Err(m.SetBooks(t.Context(), "nobody", domain.ByCommandLine, func(*domain.Books) {})), domain.ErrNoAccount)
}
