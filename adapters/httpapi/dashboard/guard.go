package dashboard

import (
	"errors"
	"net"
	"net/http"
	"net/url"
	"strings"

	"github.com/gin-gonic/gin"

	"milaan/domain"
	"milaan/ports/peers"
)

var (
	errCrossOrigin = &domain.Error{Kind: domain.KindForbidden, Code: domain.CodeCrossOrigin}
	errBearer      = &domain.Error{Kind: domain.KindUnauthenticated, Code: domain.CodeSignedOut, Detail: domain.DetailBearer}
)

// guard makes the checks of every request, and sets the headers of every answer. Browsers
// keep no answer, and hand none to a page of another origin.
func (d *Dashboard) guard(c *gin.Context) error {
	h := c.Writer.Header()
	h.Set("Cache-Control", "no-store")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	if err := d.checkOrigin(c.Request); err != nil {
		return err
	}
	for _, value := range c.Request.Header.Values("Authorization") {
		if scheme, _, _ := strings.Cut(value, " "); strings.EqualFold(scheme, "Bearer") {
			return errBearer
		}
	}
	return nil
}

// checkOrigin refuses a request that may change something unless it comes from a page of
// this service: a browser sends the cookie with the requests of other pages too, and any
// page can ask a service on its reader's own machine. Browsers say where a request comes
// from; one without that is no page's.
func (d *Dashboard) checkOrigin(r *http.Request) error {
	if r.Method == http.MethodGet || r.Method == http.MethodHead {
		return nil
	}
	if r.Header.Get("Origin") == "" && r.Header.Get("Sec-Fetch-Site") == "" {
		return errCrossOrigin
	}
	if err := d.origins.Check(r); err != nil {
		return errCrossOrigin.Caused(err)
	}
	return nil
}

// identify finds the session of a request's cookie; no account if there is none, or it has
// ended.
func (d *Dashboard) identify(c *gin.Context) (By, error) {
	secret := d.cookieOf(c.Request, sessionCookie)
	if secret == "" {
		return By{}, nil
	}
	signedIn, err := d.SigningIn.Check(c.Request.Context(), secret)
	if errors.Is(err, domain.ErrSession) {
		return By{ended: true}, nil
	}
	if err != nil {
		return By{}, err
	}
	d.server.NoteAccount(c, signedIn.Account.ID)
	return By{Account: &signedIn.Account, Session: signedIn.Session, Email: signedIn.Email, Role: signedIn.Role,
		Address: d.server.Address(c.Request)}, nil
}

// sessionHeader is the name of the header by which a page says that it has a session, with any
// value. Another tab may have ended it, and then there is no cookie that tells of it.
const sessionHeader = "X-Session"

// AccountHeader is the name of the header by which a program with a session token says which
// of its person's accounts it means: the account's e-mail address.
const AccountHeader = "X-Account"

// Bearer returns the token of the Authorization header. ok is false unless there is
// exactly one such header, with the scheme Bearer.
func Bearer(h http.Header) (token string, ok bool) {
	values := h.Values("Authorization")
	if len(values) != 1 {
		return "", false
	}
	scheme, token, _ := strings.Cut(values[0], " ")
	token = strings.TrimSpace(token)
	return token, strings.EqualFold(scheme, "Bearer") && token != "" && !strings.ContainsAny(token, " \t")
}

// identifyProgram finds the account of the session token of a request.
func (d *Dashboard) identifyProgram(c *gin.Context) (By, error) {
	token, ok := Bearer(c.Request.Header)
	if !ok {
		return By{}, domain.ErrSession
	}
	address := d.server.Address(c.Request)
	signedIn, err := d.SigningIn.Identify(c.Request.Context(), token, c.GetHeader(AccountHeader), address)
	if err != nil {
		return By{}, err
	}
	d.server.NoteAccount(c, signedIn.Account.ID)
	return By{Account: &signedIn.Account, Email: signedIn.Email, Role: signedIn.Role, Address: address}, nil
}

// isVisitor says whether a request without a session comes from a browser on this machine,
// to a service that only this machine can reach. The name in Host must be this machine's
// too: the owner of another name can have it lead here, and then a page of theirs is of the
// same origin as the service, for the browser (DNS rebinding). A proxy that nobody has
// declared may write this machine's name into Host; Origin stays as the browser has sent it.
func (d *Dashboard) isVisitor(r *http.Request) bool {
	origin := r.Header.Get("Origin")
	return d.server.Local(r) && namesThisMachine(r.Host) && (origin == "" || IsOfThisMachine(origin))
}

// IsOfThisMachine says whether an address, such as http://localhost:8080, names this machine.
func IsOfThisMachine(address string) bool {
	u, err := url.Parse(address)
	return err == nil && namesThisMachine(u.Host)
}

func namesThisMachine(host string) bool {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	} else {
		host = strings.TrimSuffix(strings.TrimPrefix(host, "["), "]")
	}
	return peers.IsThisMachine(host)
}
