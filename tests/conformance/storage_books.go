package conformance

import (
	"testing"

	"github.com/stretchr/testify/require"

	"milaan/domain"
	"milaan/tests/only"
)

func booksRoundTrip(t *testing.T, one, other Storage) {
	account, neighbour := created(t, one, "books"), created(t, one, "neighbour of books")
	b := only.Value(one.Books.Of(t.Context(), account.ID))(t)
	require.Zero(t, b)

	full := domain.Books{ByOrder: true}
	for _, ledger := range full.Ledgers() {
		*ledger.Name = "खाता " + ledger.Key
	}
	require.Equal(t, full, Change(t, one.Books, account.ID, func(b *domain.Books) { *b = full }))
	b = only.Value(other.Books.Of(t.Context(), account.ID))(t)
	require.Equal(t, full, b)
	b = only.Value(one.Books.Of(t.Context(), neighbour.ID))(t)
	require.Zero(t, b, "those of another account")
	require.Zero(t, Change(t, other.Books, account.ID, func(b *domain.Books) { *b = domain.Books{} }))
}

var booksUpdates = updates(func(s Storage) updating[domain.Books] { return s.Books },
	func(b *domain.Books) { b.Bank += "x" }, func(b domain.Books) int { return len(b.Bank) })
