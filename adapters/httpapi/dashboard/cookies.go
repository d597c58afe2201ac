package dashboard

import (
	"encoding/base64"
	"net/http"
	"time"

	"github.com/gin-gonic/gin"
)

// The cookies, without the prefix of those over HTTPS.
const (
	sessionCookie = "milaan"
	openIDCookie  = "milaan-sign-in"
	// invitationCookie keeps the token of an invitation that is being accepted.
	invitationCookie = "milaan-invitation"
	// providerCookie keeps the identity provider's token about who has signed in, for signing out.
	providerCookie = "milaan-provider"
)

// cookieName returns the name of a cookie. With the prefix, browsers take the cookie only
// over HTTPS, and from this very host. Over plain HTTP, which the service speaks on this
// machine only, some browsers take no such cookie.
func (d *Dashboard) cookieName(r *http.Request, name string) string {
	if d.server.OverHTTPS(r) {
		return "__Host-" + name
	}
	return name
}

// cookieOf returns the value of a cookie; blank if there is none, or more than one.
func (d *Dashboard) cookieOf(r *http.Request, name string) string {
	if all := r.CookiesNamed(d.cookieName(r, name)); len(all) == 1 {
		return all[0].Value
	}
	return ""
}

// setCookie has the browser keep a cookie for lasts, out of reach of scripts. Other sites'
// pages send it with links to this one alone.
func (d *Dashboard) setCookie(c *gin.Context, name, value string, lasts time.Duration) {
	cookie := &http.Cookie{
		Name: d.cookieName(c.Request, name), Value: value, Path: "/", MaxAge: int(lasts / time.Second),
		Secure: d.server.OverHTTPS(c.Request), HttpOnly: true, SameSite: http.SameSiteLaxMode,
	}
	if value == "" {
		cookie.MaxAge = -1
	}
	http.SetCookie(c.Writer, cookie)
}

// seal returns a text as a cookie has it that nobody else can read.
func (d *Dashboard) seal(text []byte, place string) string {
	return base64.RawURLEncoding.EncodeToString(d.Sealer.Seal(text, place))
}

// open returns the text of a cookie that seal has made; nil if there is no cookie.
func (d *Dashboard) open(r *http.Request, cookie, place string) ([]byte, error) {
	sealed, err := base64.RawURLEncoding.DecodeString(d.cookieOf(r, cookie))
	if err != nil || len(sealed) == 0 {
		return nil, err
	}
	return d.Sealer.Open(sealed, place)
}

func (d *Dashboard) dropCookie(c *gin.Context, name string) { d.setCookie(c, name, "", 0) }
