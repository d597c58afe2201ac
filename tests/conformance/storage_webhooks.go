package conformance

import (
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"milaan/domain"
)

const anEndpoint = "https://shop.example/hooks?token=of-the-endpoint"

// enterprise is an account that may have webhooks, with an endpoint.
func enterprise(t *testing.T, s Storage, name string) domain.Account {
	t.Helper()
	a := anAccount(name)
	a.Plan = domain.Enterprise
	require.NoError(t, s.Accounts.Create(t.Context(), a))
	ChangeWebhook(t, s, a.ID, func(w *domain.Webhook) { w.Endpoint, w.Secret = anEndpoint, aSecret })
	return a
}

const (
	aSecret      = domain.SigningSecret("whsec_the-present-one")
	formerSecret = domain.SigningSecret("whsec_the-former-one")
)

func webhookRoundTrip(t *testing.T, one, other Storage) {
	account, neighbour := created(t, one, "webhook"), created(t, one, "neighbour")
	_, err := one.Webhooks.Of(t.Context(), account.ID)
	require.ErrorIs(t, err, domain.ErrNoWebhook)

	full := domain.Webhook{AccountID: account.ID, Endpoint: anEndpoint, Secret: aSecret, Former: formerSecret,
		RotatedAt: noon.Add(time.Hour), Shown: true, SetAt: noon}
	bare := domain.Webhook{AccountID: account.ID, Secret: formerSecret}
	was := domain.Webhook{AccountID: account.ID}
	for _, want := range []domain.Webhook{full, bare, full} {
		got := ChangeWebhook(t, one, account.ID, func(w *domain.Webhook) {
			require.Equal(t, was, *w)
			*w = want
			w.AccountID = neighbour.ID
		})
		require.Equal(t, want, got)
		require.Equal(t, want, WebhookOf(t, other, account.ID))
		was = want
	}
	_, err = one.Webhooks.Of(t.Context(), neighbour.ID)
	require.ErrorIs(t, err, domain.ErrNoWebhook)
}

func webhookWithoutSecret(t *testing.T, one, other Storage) {
	account := enterprise(t, one, "removed")
	for range 2 {
		ChangeWebhook(t, one, account.ID, func(w *domain.Webhook) { w.Secret = "" })
		_, err := other.Webhooks.Of(t.Context(), account.ID)
		require.ErrorIs(t, err, domain.ErrNoWebhook)
	}
}

func webhookUpdateFails(t *testing.T, one, _ Storage) {
	account := enterprise(t, one, "refused")
	was := WebhookOf(t, one, account.ID)
	refusal := errors.New("refused")
	_, err := one.Webhooks.Update(t.Context(), account.ID, domain.SecurityEvent{}, func(w *domain.Webhook) error {
		*w = domain.Webhook{}
		return refusal
	})
	require.Same(t, refusal, err)
	require.Equal(t, was, WebhookOf(t, one, account.ID))

	_, err = one.Webhooks.Update(t.Context(), "nobody", domain.SecurityEvent{}, func(*domain.Webhook) error {
		t.Error("there is nothing to change")
		return nil
	})
	require.ErrorIs(t, err, domain.ErrNoAccount)
}

func webhookUpdatesParallel(t *testing.T, one, other Storage) {
	account := created(t, one, "counting")
	requireInParallel(t, one, other, func(s Storage, _ int) error {
		_, err := s.Webhooks.Update(t.Context(), account.ID, domain.SecurityEvent{}, func(w *domain.Webhook) error {
			w.Secret += "x"
			return nil
		})
		return err
	})
	got := WebhookOf(t, one, account.ID)
	require.Len(t, got.Secret.Reveal(), many)
}
