package identity

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"sync"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"

	"milaan/config"
	"milaan/domain"
	"milaan/ports"
)

// algorithms are those that a provider may sign with, all of them with a key
// pair: a token under an HMAC of the public key is refused.
var algorithms = []string{oidc.RS256, oidc.PS256, oidc.ES256, oidc.EdDSA}

const (
	// outboundLimit is how long the provider may take to answer.
	outboundLimit = 10 * time.Second
	// retryDiscovery is the time after a failed discovery in which the provider is not asked
	// again, so that a provider that is away is not asked once per request.
	retryDiscovery = 2 * time.Second
	// keepKeys is the least time between two fetches of the keys. A token that names an
	// unknown key has them fetched again, and anyone can make such a token: the provider
	// must not have to answer for each.
	keepKeys = 5 * time.Second
)

// errProvider says that the provider did not answer, so that no token can be checked now.
var errProvider = &domain.Error{Kind: domain.KindUnavailable, Code: domain.CodeProvider, RetryAfter: 5 * time.Second}

// OIDC checks the tokens of an OpenID Connect provider. The provider is asked for its
// discovery document when the first token comes, and again until it answers, so that a
// provider that is away does not keep the service from starting. Its keys are kept, and
// fetched again when a token names an unknown one.
type OIDC struct {
	settings config.Identity
	client   *http.Client
	clock    ports.Clock

	discovery chan struct{} // a lock that can be waited for with a context; it guards the fields below
	found     *discovered   // nil: not yet
	failed    error
	failedAt  time.Time
}

// NewOIDC makes the check. A nil client is one with a time limit.
func NewOIDC(settings config.Identity, client *http.Client, clock ports.Clock) *OIDC {
	client = cmp.Or(client, &http.Client{Timeout: outboundLimit})
	return &OIDC{settings: settings, client: client, clock: clock, discovery: make(chan struct{}, 1)}
}

// Verify returns domain.ErrSession for a token that is not valid, and an error
// of domain.KindUnavailable if the provider had to be asked and did not answer.
func (o *OIDC) Verify(ctx context.Context, token string) (ports.Identity, error) {
	provider, err := o.provider(ctx)
	if err != nil {
		return ports.Identity{}, errProvider.Caused(err)
	}
	verified, err := o.verify(ctx, provider, token, o.settings.OIDCAudience)
	if err != nil {
		return ports.Identity{}, err
	}
	identity, err := identityOf(verified)
	identity.IssuedAt = verified.IssuedAt
	return identity, err
}

// verify checks a token of the provider that is for an audience, with the errors of Verify.
func (o *OIDC) verify(ctx context.Context, provider *discovered, token, audience string) (*oidc.IDToken, error) {
	watched := &watchedKeys{KeySet: provider.keys}
	// A verifier costs little. It is made per call, so that the call can tell a bad signature
	// from keys that could not be fetched.
	verifier := oidc.NewVerifier(o.settings.OIDCIssuer, watched, &oidc.Config{
		ClientID:             audience,
		SupportedSigningAlgs: algorithms,
		Now:                  func() time.Time { return o.clock().Add(-leeway) },
	})
	verified, err := verifier.Verify(ctx, token)
	if watched.unreachable != nil {
		return nil, errProvider.Caused(watched.unreachable)
	}
	if err != nil {
		return nil, domain.ErrSession.Caused(err)
	}
	return verified, nil
}

// identityOf reads the claims about a person.
func identityOf(from interface{ Claims(v any) error }) (ports.Identity, error) {
	var claims struct {
		Email         string  `json:"email"`
		EmailVerified boolean `json:"email_verified"`
		PhoneVerified boolean `json:"phone_number_verified"`
	}
	if err := from.Claims(&claims); err != nil {
		return ports.Identity{}, domain.ErrSession.Caused(err)
	}
	return ports.Identity{Email: claims.Email, EmailVerified: bool(claims.EmailVerified), PhoneVerified: bool(claims.PhoneVerified)}, nil
}

type discovered struct {
	*oidc.Provider

	keys    oidc.KeySet
	scopes  []string // that the provider knows, as far as it says
	signOut string   // where its sessions end; blank: it does not say
}

// provider returns the provider. The first call reads the discovery document; the
// others wait for it, or until their own ctx ends.
func (o *OIDC) provider(ctx context.Context) (*discovered, error) {
	select {
	case o.discovery <- struct{}{}:
		defer func() { <-o.discovery }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	if o.found != nil {
		return o.found, nil
	}
	if o.failed != nil && o.clock().Sub(o.failedAt) < retryDiscovery {
		return nil, o.failed
	}
	// The caller may go away, but the result is for all callers.
	lasting := oidc.ClientContext(context.WithoutCancel(ctx), o.client)
	provider, err := oidc.NewProvider(lasting, o.settings.OIDCIssuer)
	if err != nil {
		o.failed, o.failedAt = err, o.clock()
		return nil, err
	}
	var document struct {
		Keys    string   `json:"jwks_uri"`
		Scopes  []string `json:"scopes_supported"`
		SignOut string   `json:"end_session_endpoint"`
	}
	if err := provider.Claims(&document); err != nil {
		return nil, err
	}
	paced := *o.client
	paced.Transport = &pacedTransport{next: paced.Transport, clock: o.clock}
	o.found = &discovered{provider, oidc.NewRemoteKeySet(oidc.ClientContext(lasting, &paced), document.Keys), document.Scopes,
		document.SignOut}
	return o.found, nil
}

// watchedKeys remembers why a signature could not be checked. The verifier turns the error
// into text, so it is caught before.
type watchedKeys struct {
	oidc.KeySet

	unreachable error
}

// VerifySignature checks a signature by the key set. The key set wraps the cause of a failed
// fetch; the error of a bad signature wraps nothing. If the fetch was refused because the
// keys are new, the signature is bad too.
func (w *watchedKeys) VerifySignature(ctx context.Context, token string) ([]byte, error) {
	payload, err := w.KeySet.VerifySignature(ctx, token)
	if err != nil && errors.Unwrap(err) != nil && !errors.Is(err, errKeysAreNew) {
		w.unreachable = err
	}
	return payload, err
}

var errKeysAreNew = errors.New("the provider's keys were fetched a moment ago")

// pacedTransport fetches the provider's keys, but not within keepKeys after the last fetch.
type pacedTransport struct {
	next  http.RoundTripper // nil: the usual one
	clock ports.Clock

	mu      sync.Mutex
	fetched time.Time
}

// RoundTrip returns errKeysAreNew instead of asking too soon.
func (p *pacedTransport) RoundTrip(r *http.Request) (*http.Response, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if now := p.clock(); now.Sub(p.fetched) < keepKeys {
		return nil, errKeysAreNew
	}
	answer, err := cmp.Or(p.next, http.DefaultTransport).RoundTrip(r)
	if err == nil && answer.StatusCode == http.StatusOK {
		p.fetched = p.clock()
	}
	return answer, err
}

// boolean is a claim that some providers write as a string.
type boolean bool

// UnmarshalJSON takes true, "true" and their opposites; null is false.
func (b *boolean) UnmarshalJSON(text []byte) error {
	var s string
	if json.Unmarshal(text, &s) == nil {
		*b = s == "true"
		return nil
	}
	return json.Unmarshal(text, (*bool)(b))
}
