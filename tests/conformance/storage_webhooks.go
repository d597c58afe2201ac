package conformance

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"milaan/domain"
	"milaan/tests/only"
)

const anEndpoint = "https://shop.example/hooks?token=of-the-endpoint"

// enterprise is an account that may have webhooks, with an endpoint.
func enterprise(t *testing.T, s Storage, name string) domain.Account {
	t.Helper()
	a := anAccount(name)
	a.Plan = domain.Enterprise
	require.NoError(t, s.Accounts.Create(t.Context(), a))
	Change(t, s.Webhooks, a.ID, func(w *domain.Webhook) { w.Endpoint, w.Secret = anEndpoint, aSecret })
	return a
}

const (
	aSecret      = domain.SigningSecret("whsec_the-present-one")
	formerSecret = domain.SigningSecret("whsec_the-former-one")
)

func webhookRoundTrip(t *testing.T, one, other Storage) {
	account, neighbour := created(t, one, "webhook"), created(t, one, "neighbour")
	require.ErrorIs(t, only.Err(one.Webhooks.Of(t.Context(), account.ID)), domain.ErrNoWebhook)

	full := domain.Webhook{AccountID: account.ID, Endpoint: anEndpoint, Secret: aSecret, Former: formerSecret,
		RotatedAt: noon.Add(time.Hour), Shown: true, SetAt: noon}
	bare := domain.Webhook{AccountID: account.ID, Secret: formerSecret}
	was := domain.Webhook{AccountID: account.ID}
	for _, want := range []domain.Webhook{full, bare, full} {
		got := Change(t, one.Webhooks, account.ID, func(w *domain.Webhook) {
			require.Equal(t, was, *w)
			*w = want
			w.AccountID = neighbour.ID
		})
		require.Equal(t, want, got)
		require.Equal(t, want, WebhookOf(t, other, account.ID))
		was = want
	}
	require.ErrorIs(t, only.Err(one.Webhooks.Of(t.Context(), neighbour.ID)), domain.ErrNoWebhook)
}

func webhookWithoutSecret(t *testing.T, one, other Storage) {
	account := enterprise(t, one, "removed")
	for range 2 {
		Change(t, one.Webhooks, account.ID, func(w *domain.Webhook) { w.Secret = "" })
		require.ErrorIs(t, only.Err(other.Webhooks.Of(t.Context(), account.ID)), domain.ErrNoWebhook)
	}
}

var webhookUpdates = updates(func(s Storage) updating[domain.Webhook] { return s.Webhooks },
	func(w *domain.Webhook) { w.Secret += "x" }, func(w domain.Webhook) int { return len(w.Secret.Reveal()) })
