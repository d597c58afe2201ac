package conformance

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"milaan/domain"
)

func brandingRoundTrip(t *testing.T, one, other Storage) {
	account, neighbour := created(t, one, "branding"), created(t, one, "neighbour")
	_, err := one.Brandings.Of(t.Context(), account.ID)
	require.ErrorIs(t, err, domain.ErrNoBranding)

	full := domain.Branding{Name: "आशा ₹", Logo: []byte(strings.Repeat("\x00\xff", domain.MaxLogoBytes/2)), Colour: domain.Colour{1, 128, 255}, Footer: "one line"}
	var was domain.Branding
	for _, want := range []domain.Branding{full, {Name: "name"}, {Logo: []byte("logo")}, {Colour: domain.Colour{255, 0, 0}}, {Footer: "footer"}, full} {
		got := Change(t, one.Brandings, account.ID, func(b *domain.Branding) {
			require.Equal(t, was, *b)
			*b = want
		})
		require.Equal(t, want, got)
		got, err = other.Brandings.Of(t.Context(), account.ID)
		require.NoError(t, err)
		require.Equal(t, want, got)
		was = want
	}
	_, err = one.Brandings.Of(t.Context(), neighbour.ID)
	require.ErrorIs(t, err, domain.ErrNoBranding)
	for range 2 {
		Change(t, one.Brandings, account.ID, func(b *domain.Branding) { *b = domain.Branding{} })
		_, err = other.Brandings.Of(t.Context(), account.ID)
		require.ErrorIs(t, err, domain.ErrNoBranding)
	}
}

var brandingUpdates = updates(func(s Storage) updating[domain.Branding] { return s.Brandings },
	func(b *domain.Branding) { b.Footer += "x" }, func(b domain.Branding) int { return len(b.Footer) })
