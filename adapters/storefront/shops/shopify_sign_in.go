package shops

import (
	"context"
	"crypto/sha256"
	"errors"
	"net/http"
	"strings"
	"sync"
	"time"

	"golang.org/x/oauth2"
	"golang.org/x/oauth2/clientcredentials"

	"milaan/domain"
)

// tokens keeps the tokens of client credentials while they are valid. A token is found with
// the shop and both credentials, so credentials that have changed get another one.
type tokens struct {
	mu  sync.Mutex
	all map[[32]byte]keptToken
	now func() time.Time
}

type keptToken struct {
	token string
	until time.Time
}

// maxTokens is how many tokens are kept. A token less costs one more request.
const maxTokens = 20_000

func newTokens(now func() time.Time) *tokens {
	return &tokens{all: map[[32]byte]keptToken{}, now: now}
}

func (t *tokens) find(key [32]byte) string {
	t.mu.Lock()
	defer t.mu.Unlock()
	if kept := t.all[key]; t.now().Before(kept.until) {
		return kept.token
	}
	return ""
}

func (t *tokens) keep(key [32]byte, token string, valid time.Duration) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for other := range t.all { // in no particular order
		if len(t.all) < maxTokens {
			break
		}
		delete(t.all, other)
	}
	t.all[key] = keptToken{token, t.now().Add(valid)}
}

// forget removes a token that was refused, unless there is another one by now.
func (t *tokens) forget(key [32]byte, token string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.all[key].token == token {
		delete(t.all, key)
	}
}

// A token is not used in its last minutes. One whose end is not stated is kept for a while.
const (
	tokenMargin = 5 * time.Minute
	usualSpan   = time.Hour
)

func (s *openShop) tokenKey() [32]byte {
	return sha256.Sum256([]byte(strings.Join([]string{s.client.address.url(""), s.settings[settingID], s.settings[settingSecret]}, "\x00")))
}

// token returns a token to ask with, and whether it is one that was kept.
func (s *openShop) token(ctx context.Context) (token string, kept bool, err error) {
	if s.settings[settingID] == "" {
		return s.settings[settingToken], false, nil
	}
	if token := s.tokens.find(s.tokenKey()); token != "" {
		return token, true, nil
	}
	token, err = s.signIn(ctx)
	return token, false, err
}

// signIn gets a new token for the client credentials.
func (s *openShop) signIn(ctx context.Context) (string, error) {
	// The library makes the request, and the client repeats it and reads its answer.
	through := &http.Client{Transport: asking{s.client}, CheckRedirect: s.client.http.CheckRedirect}
	form := clientcredentials.Config{
		ClientID: s.settings[settingID], ClientSecret: s.settings[settingSecret],
		TokenURL: s.client.address.url(shopifySignIn), AuthStyle: oauth2.AuthStyleInParams,
	}
	token, err := form.Token(context.WithValue(ctx, oauth2.HTTPClient, through))
	if err == nil {
		valid := usualSpan
		if !token.Expiry.IsZero() {
			valid = time.Until(token.Expiry)
		}
		s.tokens.keep(s.tokenKey(), token.AccessToken, valid-tokenMargin)
		return token.AccessToken, nil
	}
	if e, is := errors.AsType[*domain.ConnectorError](err); is {
		return "", e
	}
	// The texts of the library's errors have the answer in them: they go nowhere.
	e, is := errors.AsType[*oauth2.RetrieveError](err)
	switch {
	case ctx.Err() != nil:
		return "", ctx.Err()
	case !is || e.Response == nil:
		return "", badAnswer(0)
	}
	switch e.Response.StatusCode {
	case http.StatusBadRequest, http.StatusUnauthorized, http.StatusForbidden:
	default:
		return "", badAnswer(e.Response.StatusCode)
	}
	refused := &domain.ConnectorError{Rule: domain.ConnRefused}
	switch e.ErrorCode {
	case "invalid_client":
		refused.Setting = settingSecret
	case "application_cannot_be_found":
		refused.Setting = settingID
	case "shop_not_permitted", "app_not_installed":
		refused.Setting = settingShop
	}
	return "", refused
}

// asking makes the requests of a library by a client of ours.
type asking struct{ client *client }

func (a asking) RoundTrip(r *http.Request) (*http.Response, error) {
	got, err := a.client.ask(r.Context(), func(ctx context.Context) (*http.Request, error) {
		again := r.Clone(ctx)
		if r.GetBody != nil {
			body, err := r.GetBody()
			if err != nil {
				return nil, err
			}
			again.Body = body
		}
		return again, nil
	})
	if err != nil {
		return nil, err
	}
	return got.response(r), nil
}
