package domain

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"
)

const (
	// SigningSecretPrefix begins every signing secret, as Standard Webhooks has
	// it, so that a leaked one can be told for what it is.
	SigningSecretPrefix = "whsec_"
	// RotationSpan is how long the former secret signs beside the new one.
	RotationSpan = 24 * time.Hour
	// MaxAttempts is how many POSTs a delivery may cost, whatever happens: one
	// and the automatic retry (contract, section 6).
	MaxAttempts = 2
	// PostLimit is how long one POST may take, from the look-up of the
	// endpoint's name to the last byte that is read (contract, section 6).
	PostLimit = 5 * time.Second
	// MaxEndpoint is how long an endpoint's URL may be, in bytes.
	MaxEndpoint = 2048
	// MaxFailure is how much of a failed answer an attempt remembers, in bytes.
	MaxFailure = 200

	signingBytes = 32 // of randomness
)

// SigningSecret signs an account's webhooks. It is the prefix and 32 random
// bytes in base64. It never prints itself: Reveal does.
type SigningSecret string

// MintSigningSecret draws a secret. The error is random's.
func MintSigningSecret(random io.Reader) (SigningSecret, error) {
	var raw [signingBytes]byte
	if _, err := io.ReadFull(random, raw[:]); err != nil {
		return "", fmt.Errorf("draw a signing secret: %w", err)
	}
	return SigningSecret(SigningSecretPrefix + base64.StdEncoding.EncodeToString(raw[:])), nil
}

// Reveal is the secret in words, for the one time that its owner is shown it.
func (s SigningSecret) Reveal() string { return string(s) }

// Format keeps the secret out of every verb of fmt.
func (s SigningSecret) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, "[redacted]") }

// MarshalText keeps the secret out of JSON and of the log.
func (s SigningSecret) MarshalText() ([]byte, error) { return []byte("[redacted]"), nil }

// Signature is the contract's (section 6): the HMAC-SHA256 of the raw body in
// hexadecimal. Its key is the secret as it was shown, prefix and all.
func (s SigningSecret) Signature(body []byte) string {
	mac := hmac.New(sha256.New, []byte(s))
	mac.Write(body)
	return hex.EncodeToString(mac.Sum(nil))
}

// standardSignature is that of Standard Webhooks, whose key is what the base64
// after the prefix stands for.
func (s SigningSecret) standardSignature(id string, at time.Time, body []byte) string {
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(string(s), SigningSecretPrefix))
	if err != nil {
		key = []byte(s) // not one that we have minted; it must not sign with nothing
	}
	mac := hmac.New(sha256.New, key)
	_, _ = fmt.Fprintf(mac, "%s.%d.", id, at.Unix())
	mac.Write(body)
	return "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil))
}

// Webhook is what an account has set up to be told of its runs: where, and with
// which secret. An account without an endpoint may still have a secret, which
// signs the results of its batches.
type Webhook struct {
	AccountID string
	Endpoint  string // URL; blank: runs are not announced
	Secret    SigningSecret
	Former    SigningSecret // the secret before the last rotation; blank: none
	RotatedAt time.Time     // of the last rotation
	Shown     bool          // the secret has been shown to its owner
	SetAt     time.Time     // when the endpoint was set
}

// Rotate puts a new secret in the place of the present one, which goes on
// signing for RotationSpan.
func (w *Webhook) Rotate(next SigningSecret, now time.Time) {
	w.Secret, w.Former, w.RotatedAt, w.Shown = next, w.Secret, now, false
}

// FormerUntil is when the former secret stops signing; the zero time if it does
// not sign now.
func (w Webhook) FormerUntil(now time.Time) time.Time {
	if end := w.RotatedAt.Add(RotationSpan); w.Former != "" && now.Before(end) {
		return end
	}
	return time.Time{}
}

// Header is a name and a value.
type Header struct{ Name, Value string }

// SignatureHeader is the contract's header (section 6).
const SignatureHeader = "X-Milaan-Sig"

// Headers are the signatures that a POST bears: the contract's, by the present
// secret, and those of Standard Webhooks, by the former one too while it signs.
// id is the event's, the same for each attempt.
func (w Webhook) Headers(id string, at time.Time, body []byte) []Header {
	standard := w.Secret.standardSignature(id, at, body)
	if !w.FormerUntil(at).IsZero() {
		standard += " " + w.Former.standardSignature(id, at, body)
	}
	return []Header{
		{SignatureHeader, w.Secret.Signature(body)},
		{"webhook-id", id},
		{"webhook-timestamp", strconv.FormatInt(at.Unix(), 10)},
		{"webhook-signature", standard},
	}
}

// DeliveryKind says what a delivery brings.
type DeliveryKind string

// The kinds of deliveries.
const (
	RunDelivery   DeliveryKind = "run"   // the summary of a stored run
	BatchDelivery DeliveryKind = "batch" // the results of a batch, to its own webhook_url
	TestDelivery  DeliveryKind = "test"  // a made-up summary that says so
)

// DeliveryState is how far a delivery has come.
type DeliveryState string

// The states of a delivery. All but the first are final.
const (
	DeliveryPending   DeliveryState = "pending"
	DeliveryDelivered DeliveryState = "delivered" // an attempt was answered with 2xx
	DeliveryFailed    DeliveryState = "failed"    // both attempts are used up (a test has one), or it was pending for too long
	// DeliveryDropped: nobody is to be called any more. The webhook was removed,
	// the plan has none, or the batch's results were deleted.
	DeliveryDropped DeliveryState = "dropped"
)

// Delivery is one event on its way to one endpoint.
type Delivery struct {
	ID        string
	EventID   string // webhook-id; a delivery sent again by hand keeps it
	AccountID string
	Kind      DeliveryKind
	RunID     string // of a RunDelivery
	BatchID   string // of a BatchDelivery
	State     DeliveryState
	CreatedAt time.Time
	Attempts  []Attempt // in the order of their numbers
}

// Outcome is how an attempt ended.
type Outcome string

// The outcomes of an attempt. A blank one belongs to an attempt that was
// recorded and never completed: it may or may not have reached the endpoint.
const (
	OutcomeDelivered   Outcome = "delivered"   // 2xx
	OutcomeRefused     Outcome = "refused"     // an answer that is neither 2xx nor a redirect
	OutcomeRedirected  Outcome = "redirected"  // a redirect, which is never followed
	OutcomeTimeout     Outcome = "timeout"     // no answer within PostLimit
	OutcomeUnreachable Outcome = "unreachable" // no connection, or a broken one
	OutcomeForbidden   Outcome = "forbidden"   // the endpoint's name leads to an address that is not public
)

// Attempt is one POST. It is recorded before it is sent; what came of it is
// added after.
type Attempt struct {
	Number  int // 1 or 2
	At      time.Time
	Took    time.Duration
	Outcome Outcome
	Status  int    // HTTP status of the answer; 0: none came
	Failure string // what was wrong, with the first bytes of the answer; blank for a success
}
