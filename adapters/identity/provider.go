package identity

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2"

	"milaan/config"
	"milaan/domain"
	"milaan/ports"
)

// Provider signs people in at the OpenID Connect provider, by the code flow with PKCE.
type Provider struct {
	oidc     *OIDC
	settings config.Identity
}

// NewProvider makes a Provider that shares what the check of session tokens has discovered.
func NewProvider(o *OIDC) *Provider { return &Provider{o, o.settings} }

// Enabled says whether the settings name the service as a client of the provider.
func (p *Provider) Enabled() bool { return p.settings.OIDCClientID != "" }

// Begin returns the provider's address. Scopes that the provider does not know may make it
// refuse the request, so the phone is asked for only if the provider says that it can tell.
func (p *Provider) Begin(ctx context.Context, redirect, to string) (string, ports.PendingSignIn, error) {
	provider, err := p.oidc.provider(ctx)
	if err != nil {
		return "", ports.PendingSignIn{}, errProvider.Caused(err)
	}
	client := p.client(provider, redirect)
	if slices.Contains(provider.scopes, "phone") {
		client.Scopes = append(client.Scopes, "phone")
	}
	pending := ports.PendingSignIn{State: rand.Text(), Nonce: rand.Text(), Verifier: oauth2.GenerateVerifier(), To: to,
		Until: p.oidc.clock().Add(domain.SignInLinkLimit)}
	return client.AuthCodeURL(pending.State, oidc.Nonce(pending.Nonce), oauth2.S256ChallengeOption(pending.Verifier)), pending, nil
}

// Finish exchanges the code and checks the ID token. If that has no e-mail address, the
// provider is asked for it: a provider may put it there alone.
func (p *Provider) Finish(ctx context.Context, redirect, code, state string, pending ports.PendingSignIn) (ports.Identity, error) {
	switch {
	case pending.State == "" || subtle.ConstantTimeCompare([]byte(state), []byte(pending.State)) != 1:
		return ports.Identity{}, domain.ErrPerson.Caused(errors.New("the state is not the one of this browser's sign-in"))
	case p.oidc.clock().After(pending.Until):
		return ports.Identity{}, domain.ErrPerson.Caused(errors.New("the sign-in took too long"))
	case code == "":
		return ports.Identity{}, domain.ErrPerson.Caused(errors.New("the provider sent no code"))
	}
	provider, err := p.oidc.provider(ctx)
	if err != nil {
		return ports.Identity{}, errProvider.Caused(err)
	}
	ctx, cancel := context.WithTimeout(oidc.ClientContext(ctx, p.oidc.client), outboundLimit)
	defer cancel()
	token, err := p.client(provider, redirect).Exchange(ctx, code, oauth2.VerifierOption(pending.Verifier))
	if err != nil {
		return ports.Identity{}, refusedBy(err)
	}
	text, _ := token.Extra("id_token").(string)
	verified, err := p.oidc.verify(ctx, provider, text, p.settings.OIDCClientID)
	if errors.Is(err, domain.ErrSession) {
		err = domain.ErrPerson.Caused(err)
	}
	if err != nil {
		return ports.Identity{}, err
	}
	if subtle.ConstantTimeCompare([]byte(verified.Nonce), []byte(pending.Nonce)) != 1 {
		return ports.Identity{}, domain.ErrPerson.Caused(errors.New("the nonce is not the one of this browser's sign-in"))
	}
	identity, err := identityOf(verified)
	if err == nil && identity.Email == "" {
		identity, err = p.askFor(ctx, provider, token, verified.Subject)
	}
	if errors.Is(err, domain.ErrSession) {
		err = domain.ErrPerson.Caused(err)
	}
	identity.Provider, identity.IDToken = p.host(), text
	return identity, err
}

// SignOut returns the address of the provider's end_session_endpoint (OpenID Connect
// RP-Initiated Logout 1.0).
func (p *Provider) SignOut(ctx context.Context, redirect, idToken string) (string, error) {
	provider, err := p.oidc.provider(ctx)
	if err != nil {
		return "", errProvider.Caused(err)
	}
	if provider.signOut == "" {
		return "", nil
	}
	address, err := url.Parse(provider.signOut)
	if err != nil || address.Host == "" || address.Scheme != "https" && !strings.HasPrefix(p.settings.OIDCIssuer, address.Scheme+"://") {
		return "", errProvider.Caused(errors.New("its end_session_endpoint is not an https address"))
	}
	query := address.Query()
	query.Set("client_id", p.settings.OIDCClientID)
	query.Set("post_logout_redirect_uri", redirect)
	if idToken != "" {
		query.Set("id_token_hint", idToken)
	}
	address.RawQuery = query.Encode()
	return address.String(), nil
}

// askFor asks the provider about the person whom an ID token names.
func (p *Provider) askFor(ctx context.Context, provider *discovered, token *oauth2.Token, subject string) (ports.Identity, error) {
	if provider.UserInfoEndpoint() == "" {
		return ports.Identity{}, nil
	}
	info, err := provider.UserInfo(ctx, oauth2.StaticTokenSource(token))
	switch {
	case err != nil:
		return ports.Identity{}, errProvider.Caused(err)
	case info.Subject != subject:
		return ports.Identity{}, domain.ErrPerson.Caused(errors.New("the provider told about another person"))
	}
	return identityOf(info)
}

func (p *Provider) client(provider *discovered, redirect string) *oauth2.Config {
	return &oauth2.Config{
		ClientID: p.settings.OIDCClientID, ClientSecret: string(p.settings.OIDCClientSecret), Endpoint: provider.Endpoint(),
		RedirectURL: redirect, Scopes: []string{oidc.ScopeOpenID, "email"},
	}
}

// host is how the security log names the provider.
func (p *Provider) host() string {
	u, err := url.Parse(p.settings.OIDCIssuer)
	if err != nil {
		return ""
	}
	return u.Host
}

// refusedBy tells a provider that refuses a code from one that does not answer. The
// library's error has the provider's whole answer, so it is not passed on.
func refusedBy(err error) error {
	refusal, is := errors.AsType[*oauth2.RetrieveError](err)
	switch {
	case is && refusal.Response.StatusCode < http.StatusInternalServerError:
		return domain.ErrPerson.Caused(errors.New("the provider refused the code: " + refusal.ErrorCode))
	case is:
		return errProvider.Caused(errors.New("the provider answered " + refusal.Response.Status))
	}
	return errProvider.Caused(err)
}

// noProvider is where no provider is set.
type noProvider struct{}

func (noProvider) Enabled() bool { return false }

func (noProvider) Begin(context.Context, string, string) (string, ports.PendingSignIn, error) {
	return "", ports.PendingSignIn{}, domain.ErrPerson
}

func (noProvider) SignOut(context.Context, string, string) (string, error) { return "", nil }

func (noProvider) Finish(context.Context, string, string, string, ports.PendingSignIn) (ports.Identity, error) {
	return ports.Identity{}, domain.ErrPerson
}
