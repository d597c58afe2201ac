package conformance

import (
	"testing"

	"github.com/stretchr/testify/require"

	"milaan/domain"
)

func booksRoundTrip(t *testing.T, one, other Storage) {
	account, neighbour := created(t, one, "books"), created(t, one, "neighbour of books")
	b, err := one.Books.Of(t.Context(), account.ID)
	require.NoError(t, err)
	require.Zero(t, b)

	full := domain.Books{ByOrder: true}
	for _, ledger := range full.Ledgers() {
		*ledger.Name = "खाता " + ledger.Key
	}
	require.Equal(t, full, Change(t, one.Books, account.ID, func(b *domain.Books) { *b = full }))
	b, err = other.Books.Of(t.Context(), account.ID)
	require.NoError(t, err)
	require.Equal(t, full, b)
	b, err = one.Books.Of(t.Context(), neighbour.ID)
	require.NoError(t, err)
	require.Zero(t, b, "those of another account")
	require.Zero(t, Change(t, other.Books, account.ID, func(b *domain.Books) { *b = domain.Books{} }))
}

var booksUpdates = updates(func(s Storage) updating[domain.Books] { return s.Books },
	func(b *domain.Books) { b.Bank += "x" }, func(b domain.Books) int { return len(b.Bank) })
