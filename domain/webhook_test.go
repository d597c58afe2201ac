package domain_test

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"testing"
	"time"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"
	"github.com/stretchr/testify/require"

	"milaan/domain"
	"milaan/tests/only"
)

// The secrets of the tests: 32 bytes that count from 0, and from 32.
const (
	firstSecret  domain.SigningSecret = "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="
	secondSecret domain.SigningSecret = "whsec_ICEiIyQlJicoKSorLC0uLzAxMjM0NTY3ODk6Ozw9Pj8="
)

var rotated = time.Date(2026, time.November, 21, 10, 0, 0, 0, time.UTC)

func headersOf(w domain.Webhook, id string, at time.Time, body []byte) http.Header {
	headers := http.Header{}
	for _, h := range w.Headers(id, at, body) {
		headers.Set(h.Name, h.Value)
	}
	return headers
}

// The figures were computed by openssl, which knows nothing of this package:
//
//	printf %s "$BODY" | openssl dgst -sha256 -hmac "$SECRET"
//	printf %s "evt_0199.1795255200.$BODY" | openssl dgst -sha256 -mac HMAC -macopt hexkey:000102… -binary | base64
func TestSignaturesAreThoseOfOpenSSL(t *testing.T) {
	body := []byte(`{"brand":"default","run_at":"2026-11-21T10:00:00.000Z","flagged_count":3,"amount_risk":3718.5,"run_id":"0199"}`)
	w := domain.Webhook{Secret: secondSecret, Former: firstSecret, RotatedAt: rotated}
	require.Equal(t, []domain.Header{
		{Name: "X-Milaan-Sig", Value: "1a5b81aa412ad7305029e73c820a0a7790002d9aef497a0887408c8569c02845"},
		{Name: "webhook-id", Value: "evt_0199"},
		{Name: "webhook-timestamp", Value: "1795255200"},
		{Name: "webhook-signature", Value: "v1,+Jnm+7r4iUJTgRatjaCJzu5xjlqheE/LepWh6JF3TR0= v1,oXpEGrMwnRQfBUgw06nkt3wFYSMMZzxJCeDsTLKjFjg="},
	}, w.Headers("evt_0199", rotated, body))
}

// TestOthersVerifyWhatWeSign verifies with the library that README.md recommends to
// receivers.
func TestOthersVerifyWhatWeSign(t *testing.T) {
	now := time.Now() // the library compares with its own clock
	body := []byte(`{"brand":"नाम","run_id":"0199"}`)
	signed := headersOf(domain.Webhook{Secret: firstSecret}, "evt_1", now, body)
	verify := func(secret domain.SigningSecret, headers http.Header, body []byte) error {
		return only.Value(standardwebhooks.NewWebhook(secret.Reveal()))(t).Verify(body, headers)
	}
	require.NoError(t, verify(firstSecret, signed, body))
	require.Error(t, verify(secondSecret, signed, body), "by another secret")
	require.Error(t, verify(firstSecret, signed, append(body, ' ')), "another body")
	for _, name := range []string{"webhook-id", "webhook-timestamp"} {
		altered := signed.Clone()
		altered.Set(name, "1"+altered.Get(name))
		require.Error(t, verify(firstSecret, altered, body), name)
	}
	late := headersOf(domain.Webhook{Secret: firstSecret}, "evt_1", now.Add(-time.Hour), body)
	require.Error(t, verify(firstSecret, late, body), "a POST that somebody kept")
}

func TestBothSecretsSignForADayAfterTheRotation(t *testing.T) {
	w := domain.Webhook{Secret: firstSecret, Shown: true}
	w.Rotate(secondSecret, rotated)
	require.Equal(t, domain.Webhook{Secret: secondSecret, Former: firstSecret, RotatedAt: rotated}, w, "the new secret has not been shown")
	body := []byte("{}")
	for name, c := range map[string]struct {
		at   time.Time
		both bool
	}{
		"at once":        {rotated, true},
		"a moment early": {rotated.Add(24*time.Hour - 1), true},
		"after a day":    {rotated.Add(24 * time.Hour), false},
		"long after":     {rotated.Add(24 * 365 * time.Hour), false},
	} {
		t.Run(name, func(t *testing.T) {
			headers := headersOf(w, "evt_1", c.at, body)
			require.Equal(t, secondSecret.Signature(body), headers.Get(domain.SignatureHeader), "the contract's header is the new secret's alone")
			for secret, signs := range map[domain.SigningSecret]bool{secondSecret: true, firstSecret: c.both} {
				receiver := only.Value(standardwebhooks.NewWebhook(secret.Reveal()))(t)
				require.Equal(t, signs, receiver.VerifyIgnoringTimestamp(body, headers) == nil)
			}
			if c.both {
				require.Equal(t, rotated.Add(domain.RotationSpan), w.FormerUntil(c.at))
				require.Len(t, strings.Fields(headers.Get("webhook-signature")), 2)
			} else {
				require.Zero(t, w.FormerUntil(c.at))
				require.Len(t, strings.Fields(headers.Get("webhook-signature")), 1)
			}
		})
	}
}

func TestOfThreeSecretsTwoSign(t *testing.T) {
	third := domain.MintSigningSecret([32]byte{7})
	w := domain.Webhook{Secret: firstSecret}
	w.Rotate(secondSecret, rotated)
	w.Rotate(third, rotated.Add(time.Hour))
	require.Equal(t, secondSecret, w.Former)
	require.Equal(t, rotated.Add(25*time.Hour), w.FormerUntil(rotated.Add(25*time.Hour-1)))
}

func TestAWebhookThatWasNeverRotatedSignsOnce(t *testing.T) {
	w := domain.Webhook{Secret: firstSecret}
	require.Zero(t, w.FormerUntil(time.Time{}))
	require.Len(t, strings.Fields(headersOf(w, "evt_1", time.Time{}, nil).Get("webhook-signature")), 1)
}

func TestASecretOfUnknownFormStillSignsWithAllOfIt(t *testing.T) {
	body := []byte("{}")
	odd := headersOf(domain.Webhook{Secret: "whsec_not base64!"}, "evt_1", rotated, body)
	receiver := only.Value(standardwebhooks.NewWebhookRaw([]byte("whsec_not base64!")))(t)
	require.NoError(t, receiver.VerifyIgnoringTimestamp(body, odd))
}

func TestMintingSigningSecrets(t *testing.T) {
	var raw [32]byte
	for i := range raw {
		raw[i] = byte(i)
	}
	minted := domain.MintSigningSecret(raw)
	require.Equal(t, firstSecret, minted)
	decoded := only.Value(base64.StdEncoding.DecodeString(strings.TrimPrefix(minted.Reveal(), "whsec_")))(t)
	require.Equal(t, raw[:], decoded)
}

// TestSigningSecretsAreNeverPrinted tries every verb for which fmt calls the
// methods of a value. fmt does not call them for %T, %p and %w, nor where it
// reports that a verb does not fit, such as %d for a pointer within a struct.
func TestSigningSecretsAreNeverPrinted(t *testing.T) {
	holder := struct {
		Name   string
		Secret domain.SigningSecret
		List   []domain.SigningSecret
		Of     map[string]domain.SigningSecret
	}{"x", firstSecret, []domain.SigningSecret{firstSecret}, map[string]domain.SigningSecret{"a": firstSecret}}
	webhook := domain.Webhook{Secret: firstSecret, Former: firstSecret}
	var out bytes.Buffer
	for verb := 'A'; verb <= 'z'; verb++ {
		if strings.ContainsRune("Tpw", verb) {
			continue
		}
		for _, flags := range []string{"", "+", "#", " ", "0", "-", "50", ".60", "+#"} {
			format := "%" + flags + string(verb)
			_, _ = fmt.Fprintf(&out, format+format+format+format+"\n", firstSecret, holder, &webhook, webhook)
		}
	}
	_, _ = fmt.Fprintln(&out, firstSecret, holder, webhook, fmt.Errorf("send: %v", webhook))
	for _, handler := range []slog.Handler{slog.NewTextHandler(&out, nil), slog.NewJSONHandler(&out, nil)} {
		log := slog.New(handler).With("with", firstSecret)
		log.Info("webhook", "secret", firstSecret, "webhook", webhook, "pointer", &webhook, "holder", holder, slog.Group("g", "secret", firstSecret))
	}
	require.NoError(t, json.NewEncoder(&out).Encode([]any{firstSecret, holder, webhook, &webhook}))

	const key = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="
	printed := strings.ToUpper(out.String())
	for form, text := range map[string]string{
		"as it is": key[:12], "in hexadecimal": "41414543", "in spaced hexadecimal": "41 41 45", "in decimal": "65 65 69",
	} {
		require.False(t, strings.Contains(printed, strings.ToUpper(text)), form)
	}
	require.Contains(t, out.String(), "[redacted]")
}
