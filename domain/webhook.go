package domain

import (
	"cmp"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"io"
	"net/url"
	"strconv"
	"strings"
	"time"
)

const (
	// SigningSecretPrefix begins every signing secret, as Standard Webhooks demands,
	// so that a leaked secret can be recognised.
	SigningSecretPrefix = "whsec_"
	// RotationSpan is how long the former secret still signs after a rotation,
	// together with the new one.
	RotationSpan = 24 * time.Hour
	// MaxAttempts is how many POSTs a delivery may have in all cases: the first one
	// and one automatic retry (guide: webhooks).
	MaxAttempts = 2
	// PostLimit is how long one POST may take, from the DNS lookup of the
	// endpoint's name to the last byte that is read (guide: webhooks).
	PostLimit = 5 * time.Second
	// MaxEndpoint is how many bytes the URL of an endpoint may have.
	MaxEndpoint = 2048
	// MaxFailure is how many bytes of a failed answer are stored with the attempt.
	MaxFailure = 200

	signingBytes = 32 // random bytes in a secret
)

// SigningSecret signs an account's webhooks. It is SigningSecretPrefix and 32
// random bytes in base64. Printing or logging it does not show it; only Reveal
// does.
type SigningSecret string

// MintSigningSecret makes a secret of random bytes.
func MintSigningSecret(random [signingBytes]byte) SigningSecret {
	return SigningSecret(SigningSecretPrefix + base64.StdEncoding.EncodeToString(random[:]))
}

// Reveal returns the secret as text. It is shown to its owner once.
func (s SigningSecret) Reveal() string { return string(s) }

// Format keeps the secret out of every verb of fmt.
func (s SigningSecret) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, "[redacted]") }

// MarshalText keeps the secret out of JSON and of the log.
func (s SigningSecret) MarshalText() ([]byte, error) { return []byte("[redacted]"), nil }

// Signature is the signature of the contract: the HMAC-SHA256 of the
// raw body in hexadecimal. Its key is the secret as its owner was shown it, with
// the prefix.
func (s SigningSecret) Signature(body []byte) string {
	mac := hmac.New(sha256.New, []byte(s))
	mac.Write(body)
	return hex.EncodeToString(mac.Sum(nil))
}

// standardSignature is the signature of Standard Webhooks. Its key is the bytes
// whose base64 follows the prefix.
func (s SigningSecret) standardSignature(id string, at time.Time, body []byte) string {
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(string(s), SigningSecretPrefix))
	if err != nil {
		key = []byte(s) // MintSigningSecret did not make it; an empty key must not sign
	}
	mac := hmac.New(sha256.New, key)
	_, _ = fmt.Fprintf(mac, "%s.%d.", id, at.Unix())
	mac.Write(body)
	return "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil))
}

// Webhook says where an account is told of its runs, and which secret signs what it
// is told. An account without an endpoint may still have a secret, which signs the
// results of its batches.
type Webhook struct {
	AccountID string
	Endpoint  string // URL; blank: the account is not told of its runs
	Secret    SigningSecret
	Former    SigningSecret // the secret before the last rotation; blank: none
	RotatedAt time.Time     // time of the last rotation
	Shown     bool          // the secret has been shown to its owner
	SetAt     time.Time     // when the endpoint was set
}

// Rotate replaces the secret. The present one becomes the former one, and still
// signs for RotationSpan.
func (w *Webhook) Rotate(next SigningSecret, now time.Time) {
	w.Secret, w.Former, w.RotatedAt, w.Shown = next, w.Secret, now, false
}

// Host returns the host of the endpoint. Its path and its query may hold secrets of its owner.
func (w Webhook) Host() string {
	u, err := url.Parse(w.Endpoint)
	if err != nil {
		return ""
	}
	return u.Hostname()
}

// FormerUntil is when the former secret stops signing; the zero time if it does not
// sign any more, or if there is none.
func (w Webhook) FormerUntil(now time.Time) time.Time {
	if end := w.RotatedAt.Add(RotationSpan); w.Former != "" && now.Before(end) {
		return end
	}
	return time.Time{}
}

// Header is the name and the value of an HTTP header.
type Header struct{ Name, Value string }

// SignatureHeader is the name of the contract's header with the signature (guide: webhooks).
const SignatureHeader = "X-Milaan-Sig"

// Headers are the headers that sign a POST: the contract's, signed with the present
// secret, and those of Standard Webhooks, signed with the present secret and, while
// it still signs, the former one. id is the id of the event, which is the same for
// each attempt.
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

// DeliveryKind says what a delivery contains.
type DeliveryKind string

// The kinds of deliveries.
const (
	RunDelivery   DeliveryKind = "run"   // the summary of a stored run
	BatchDelivery DeliveryKind = "batch" // the results of a batch, to its own webhook_url
	TestDelivery  DeliveryKind = "test"  // an invented summary that says that it is a test
)

// DeliveryState is how far a delivery has come.
type DeliveryState string

// The states of a delivery. All but the first are final.
const (
	DeliveryPending   DeliveryState = "pending"
	DeliveryDelivered DeliveryState = "delivered" // an attempt was answered with 2xx
	DeliveryFailed    DeliveryState = "failed"    // all attempts failed (two, or one of a test), or it was pending for too long
	// DeliveryDropped says that nobody is to be told any more: the webhook was removed,
	// the plan does not include webhooks, or the results of the batch were deleted.
	DeliveryDropped DeliveryState = "dropped"
)

// Delivery is one event on its way to one endpoint.
type Delivery struct {
	ID        string
	EventID   string // the webhook-id header; a delivery that is sent again by hand keeps it
	AccountID string
	Kind      DeliveryKind
	RunID     string // of a RunDelivery; blank: the run has been deleted, because its time was over
	BatchID   string // of a BatchDelivery
	Sandbox   bool   // about a sandbox run or a sandbox batch
	State     DeliveryState
	CreatedAt time.Time
	Attempts  []Attempt // in the order of their numbers
}

// EventPrefix begins the id of every event.
const EventPrefix = "evt_"

// NewDelivery gives a delivery its id, and makes of it the id of its event if that has none.
func NewDelivery(id string, d Delivery) Delivery {
	d.ID, d.State = id, DeliveryPending
	d.EventID = cmp.Or(d.EventID, EventPrefix+strings.ReplaceAll(id, "-", ""))
	return d
}

// ByHand says that whoever asks for the delivery makes its only attempt: the engine has no job
// for it. This is so for a test, but not for one that a sandbox run sends.
func (d Delivery) ByHand() bool { return d.Kind == TestDelivery && !d.Sandbox }

// SandboxHeader is the name of the header that answers and webhooks of the sandbox have.
const SandboxHeader = "X-Sandbox"

// Outcome is how an attempt ended.
type Outcome string

// The outcomes of an attempt. The outcome is blank if the attempt was recorded and
// never completed: it may or may not have reached the endpoint.
const (
	OutcomeDelivered   Outcome = "delivered"   // 2xx
	OutcomeRefused     Outcome = "refused"     // an answer that is neither 2xx nor a redirect
	OutcomeRedirected  Outcome = "redirected"  // a redirect, which is never followed
	OutcomeTimeout     Outcome = "timeout"     // no answer within PostLimit
	OutcomeUnreachable Outcome = "unreachable" // no connection, or the connection broke
	OutcomeForbidden   Outcome = "forbidden"   // the endpoint's name resolves to an address that is not public
)

// Attempt is one POST. It is recorded before it is sent, and its outcome is added
// afterwards.
type Attempt struct {
	Number  int // 1 or 2
	At      time.Time
	Took    time.Duration
	Outcome Outcome
	Status  int    // HTTP status of the answer; 0: no answer came
	Failure string // what was wrong, with the first bytes of the answer; blank if the attempt succeeded
}
