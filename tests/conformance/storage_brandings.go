package conformance

import (
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"milaan/domain"
)

func changeBranding(t *testing.T, s Storage, accountID string, change func(b *domain.Branding)) domain.Branding {
	t.Helper()
	changed, err := s.Brandings.Update(t.Context(), accountID, domain.SecurityEvent{}, func(b *domain.Branding) error {
		change(b)
		return nil
	})
	require.NoError(t, err)
	return changed
}

func brandingRoundTrip(t *testing.T, one, other Storage) {
	account, neighbour := created(t, one, "branding"), created(t, one, "neighbour")
	_, err := one.Brandings.Of(t.Context(), account.ID)
	require.ErrorIs(t, err, domain.ErrNoBranding)

	full := domain.Branding{Name: "आशा ₹", Logo: []byte(strings.Repeat("\x00\xff", domain.MaxLogoBytes/2)), Colour: domain.Colour{1, 128, 255}, Footer: "one line"}
	var was domain.Branding
	for _, want := range []domain.Branding{full, {Name: "name"}, {Logo: []byte("logo")}, {Colour: domain.Colour{255, 0, 0}}, {Footer: "footer"}, full} {
		got := changeBranding(t, one, account.ID, func(b *domain.Branding) {
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
		changeBranding(t, one, account.ID, func(b *domain.Branding) { *b = domain.Branding{} })
		_, err = other.Brandings.Of(t.Context(), account.ID)
		require.ErrorIs(t, err, domain.ErrNoBranding)
	}
}

func brandingUpdateFails(t *testing.T, one, _ Storage) {
	account := created(t, one, "refused")
	was := changeBranding(t, one, account.ID, func(b *domain.Branding) { b.Name = "kept" })
	refusal := errors.New("refused")
	_, err := one.Brandings.Update(t.Context(), account.ID, domain.SecurityEvent{}, func(b *domain.Branding) error {
		*b = domain.Branding{}
		return refusal
	})
	require.Same(t, refusal, err)
	now, err := one.Brandings.Of(t.Context(), account.ID)
	require.NoError(t, err)
	require.Equal(t, was, now)

	_, err = one.Brandings.Update(t.Context(), "nobody", domain.SecurityEvent{}, func(*domain.Branding) error {
		t.Error("there is nothing to change")
		return nil
	})
	require.ErrorIs(t, err, domain.ErrNoAccount)
}

func brandingUpdatesParallel(t *testing.T, one, other Storage) {
	account := created(t, one, "busy")
	requireInParallel(t, one, other, func(s Storage, _ int) error {
		_, err := s.Brandings.Update(t.Context(), account.ID, domain.SecurityEvent{}, func(b *domain.Branding) error {
			b.Footer += "x"
			return nil
		})
		return err
	})
	b, err := one.Brandings.Of(t.Context(), account.ID)
	require.NoError(t, err)
	require.Equal(t, strings.Repeat("x", many), b.Footer)
}
