package dashboard

import (
	"encoding/json"
	"net/http"
	"net/url"
	"path"
	"strings"

	"github.com/gin-gonic/gin"

	"milaan/domain"
	"milaan/ports"
)

// callbackPath is where the identity provider sends people back to, below Path.
const callbackPath = "/sign-in/callback"

// sealPlace is the place for which what is kept of a sign-in is sealed.
const sealPlace = "sign-in at the identity provider"

// redirectAddress is the address that the provider is told and must know.
func (d *Dashboard) redirectAddress() string { return d.server.Base() + Path + callbackPath }

// beginOpenID is GET /app/api/sign-in/oidc: it sends the browser to the identity provider.
func (d *Dashboard) beginOpenID(c *gin.Context, _ By) error {
	if !d.Provider.Enabled() {
		return &domain.Error{Kind: domain.KindMissing, Code: domain.CodeNoRoute}
	}
	if err := d.SigningIn.CountSignIn(c.Request.Context(), d.server.Client(c.Request)); err != nil {
		return d.backToSignIn(c, err)
	}
	address, pending, err := d.Provider.Begin(c.Request.Context(), d.redirectAddress(), localPage(c.Query("to")))
	if err != nil {
		return d.backToSignIn(c, err)
	}
	pending.Invitation = d.acceptedInvitation(c)
	kept, err := json.Marshal(pending)
	if err != nil {
		return err
	}
	d.setCookie(c, openIDCookie, d.seal(kept, sealPlace), domain.SignInLinkLimit)
	c.Redirect(http.StatusFound, address)
	return nil
}

// finishOpenID is GET /app/sign-in/callback: the provider sends the browser back.
func (d *Dashboard) finishOpenID(c *gin.Context, _ By) error {
	if !d.Provider.Enabled() {
		return &domain.Error{Kind: domain.KindMissing, Code: domain.CodeNoRoute}
	}
	if c.Query("code") == "" && c.Query("error") == "" { // they have signed out there
		c.Redirect(http.StatusSeeOther, Path+"/sign-in?signed-out")
		return nil
	}
	to, err := d.admitPerson(c)
	d.dropCookie(c, openIDCookie) // it serves once
	if err != nil {
		return d.backToSignIn(c, err)
	}
	c.Redirect(http.StatusSeeOther, to)
	return nil
}

// admitPerson signs in whom the provider has identified, and returns the page to go to.
func (d *Dashboard) admitPerson(c *gin.Context) (to string, err error) {
	ctx := c.Request.Context()
	if err := d.SigningIn.CountSignIn(ctx, d.server.Client(c.Request)); err != nil {
		return "", err
	}
	pending, err := d.pendingSignIn(c.Request)
	if err != nil {
		return "", err
	}
	identity, err := d.Provider.Finish(ctx, d.redirectAddress(), c.Query("code"), c.Query("state"), pending)
	if err != nil {
		return "", err
	}
	session, err := d.SigningIn.Admit(ctx, ports.Arrival{Identity: identity, Client: d.server.Client(c.Request),
		Address: d.server.Address(c.Request), Invitation: pending.Invitation})
	if err != nil {
		return "", err
	}
	if err := d.begin(c, session); err != nil {
		return "", err
	}
	d.keepProviderToken(c, identity.IDToken)
	return localPage(pending.To), nil
}

// providerPlace is the place for which the identity provider's token is sealed.
const providerPlace = "sign-out at the identity provider"

// mostKept is how long the sealed token may be. Browsers take cookies of 4096 bytes, and some
// proxies no more than that of all headers of an answer.
const mostKept = 2900

// keepProviderToken has the browser keep the identity provider's token until it signs out. It
// serves for nothing else here. Without one that is too long, the provider asks the person who
// signs out.
func (d *Dashboard) keepProviderToken(c *gin.Context, token string) {
	sealed := d.seal([]byte(token), providerPlace)
	if token == "" || len(sealed) > mostKept {
		d.dropCookie(c, providerCookie)
		return
	}
	d.setCookie(c, providerCookie, sealed, domain.SessionLimit)
}

// providerToken returns the token that the browser has kept; blank if there is none that can be
// opened.
func (d *Dashboard) providerToken(r *http.Request) string {
	token, _ := d.open(r, providerCookie, providerPlace)
	return string(token)
}

// pendingSignIn opens what the browser has kept of its sign-in. It returns domain.ErrPerson
// if the browser did not begin one here.
func (d *Dashboard) pendingSignIn(r *http.Request) (pending ports.PendingSignIn, err error) {
	kept, err := d.open(r, openIDCookie, sealPlace)
	if kind, _, known := domain.KindOf(err); known && kind == domain.KindUnavailable {
		return pending, err
	}
	if err == nil {
		err = json.Unmarshal(kept, &pending)
	}
	if err != nil {
		return pending, domain.ErrPerson.Caused(err)
	}
	return pending, nil
}

// backToSignIn sends the browser to the page on which people sign in, which says by the
// error's code why they did not. A fault of the service is returned.
func (d *Dashboard) backToSignIn(c *gin.Context, err error) error {
	_, code, known := domain.KindOf(err)
	if !known {
		return err
	}
	d.server.LogFailure(c, err)
	c.Redirect(http.StatusSeeOther, Path+"/sign-in?failed="+url.QueryEscape(string(code)))
	return nil
}

// localPage returns an address if it is one of this dashboard's pages, or else the first page.
// Anyone can make a link to sign in that names another one.
func localPage(address string) string {
	u, err := url.Parse(address)
	odd := func(r rune) bool { return r <= ' ' || r == '\\' || r == 0x7f }
	if err != nil || u.Scheme != "" || u.Host != "" || u.User != nil || u.Opaque != "" || strings.ContainsFunc(address, odd) ||
		path.Clean(u.Path) != u.Path || !Covers(u.Path) || strings.HasPrefix(u.Path, Path+"/api") || strings.HasPrefix(u.Path, Path+"/sign-in") {
		return Path
	}
	return u.String()
}
