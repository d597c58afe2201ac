package conformance

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"milaan/domain"
)

func changeBooks(t *testing.T, s Storage, accountID string, change func(b *domain.Books)) domain.Books {
	t.Helper()
	changed, err := s.Books.Update(t.Context(), accountID, domain.SecurityEvent{}, func(b *domain.Books) error {
		change(b)
		return nil
	})
	require.NoError(t, err)
	return changed
}

func booksRoundTrip(t *testing.T, one, other Storage) {
	account, neighbour := created(t, one, "books"), created(t, one, "neighbour of books")
	b, err := one.Books.Of(t.Context(), account.ID)
	require.NoError(t, err)
	require.Zero(t, b)

	full := domain.Books{ByOrder: true}
	for _, ledger := range full.Ledgers() {
		*ledger.Name = "खाता " + ledger.Key
	}
	require.Equal(t, full, changeBooks(t, one, account.ID, func(b *domain.Books) { *b = full }))
	b, err = other.Books.Of(t.Context(), account.ID)
	require.NoError(t, err)
	require.Equal(t, full, b)
	b, err = one.Books.Of(t.Context(), neighbour.ID)
	require.NoError(t, err)
	require.Zero(t, b, "those of another account")

	failure := errors.New("no")
	_, err = one.Books.Update(t.Context(), account.ID, domain.SecurityEvent{}, func(b *domain.Books) error {
		require.Equal(t, full, *b)
		*b = domain.Books{}
		return failure
	})
	require.ErrorIs(t, err, failure)
	require.Equal(t, full, changeBooks(t, other, account.ID, func(*domain.Books) {}))
	require.Zero(t, changeBooks(t, other, account.ID, func(b *domain.Books) { *b = domain.Books{} }))
	_, err = one.Books.Update(t.Context(), "nobody", domain.SecurityEvent{}, func(*domain.Books) error { return nil })
	require.ErrorIs(t, err, domain.ErrNoAccount)
}
