package dashboard

import (
	"encoding/json"
	"errors"
	"net/http"

	"github.com/gin-gonic/gin"

	"milaan/adapters/view"
	"milaan/domain"
	"milaan/ports"
)

// mostFields is how many bytes the body of a request without files may have.
const mostFields = 64 << 10

// readJSON reads the body of a request without files. account is as in Server.Body.
func (d *Dashboard) readJSON(c *gin.Context, account string, most int64, into any) error {
	text, err := d.server.Body(c, account, most)
	if err != nil {
		return err
	}
	return DecodeObject(text, into)
}

// readSent is readJSON of what somebody has sent who was admitted, and admits them anew.
func (d *Dashboard) readSent(c *gin.Context, by *By, most int64, into any) error {
	if err := d.readJSON(c, by.Account.ID, most, into); err != nil {
		return err
	}
	return by.AdmitAgain(c)
}

// Sending returns the handler of a request without files that says something in its body.
func Sending[T any](d *Dashboard, h func(c *gin.Context, by By, sent *T) error) Handler {
	return func(c *gin.Context, by By) error {
		var sent T
		if err := d.readSent(c, &by, mostFields, &sent); err != nil {
			return err
		}
		return h(c, by, &sent)
	}
}

// maySend is Sending for a body that may be left out.
func maySend[T any](d *Dashboard, h func(c *gin.Context, by By, sent *T) error) Handler {
	sends := Sending(d, h)
	return func(c *gin.Context, by By) error {
		if c.Request.ContentLength == 0 {
			return h(c, by, new(T))
		}
		return sends(c, by)
	}
}

// DecodeObject reads the JSON object that the body of a request is. It returns an error of the domain
// that says what is wrong with it.
func DecodeObject(text []byte, into any) error {
	if len(text) == 0 {
		return domain.ErrBody(domain.DetailNoObject, "null")
	}
	err := json.Unmarshal(text, into)
	if wrong, is := errors.AsType[*json.UnmarshalTypeError](err); is && wrong.Field == "" {
		return domain.ErrBody(domain.DetailNoObject, wrong.Value)
	} else if is {
		return domain.ErrBody(domain.DetailFieldType, wrong.Field)
	}
	if err != nil {
		return domain.ErrBody(domain.DetailSyntax, err.Error())
	}
	return nil
}

// answer answers with JSON, unless the request failed.
func answer(c *gin.Context, status int, v any, err error) error {
	if err == nil {
		c.Data(status, "application/json; charset=utf-8", Encode(v))
	}
	return err
}

// list answers with what a use case listed, as a page sees it, or returns its error.
func list[T, V any](c *gin.Context, name string, all []T, show func(*T) V, err error) error {
	return answer(c, http.StatusOK, map[string][]V{name: view.Each(all, show)}, err)
}

// noContent answers a request that has nothing to say, unless it failed.
func noContent(c *gin.Context, err error) error {
	if err == nil {
		c.Status(http.StatusNoContent)
	}
	return err
}

// signIn is POST /app/api/sign-in, with the token of a sign-in link.
func (d *Dashboard) signIn(c *gin.Context, _ By) error {
	token, err := d.readToken(c)
	if err != nil {
		return err
	}
	session, err := d.SigningIn.Redeem(c.Request.Context(), token, d.server.Address(c.Request))
	if err != nil {
		return err
	}
	return noContent(c, d.begin(c, session))
}

// begin gives the browser a new session, in place of the one that it has. Its secret is
// always a new one, so that nobody can know it who has set a cookie before.
func (d *Dashboard) begin(c *gin.Context, session ports.NewSession) error {
	former, err := d.identify(c)
	if err == nil && former.Account != nil {
		err = d.SigningIn.SignOut(c.Request.Context(), former.Session)
	}
	if err != nil {
		return err
	}
	d.server.NoteAccount(c, session.Account.ID)
	d.setCookie(c, sessionCookie, session.Secret, domain.SessionLimit)
	return nil
}

// signOut is POST /app/api/sign-out. It succeeds without a session too.
func (d *Dashboard) signOut(c *gin.Context, _ By) error {
	by, err := d.identify(c)
	if err == nil && by.Account != nil {
		err = d.SigningIn.SignOut(c.Request.Context(), by.Session)
	}
	if err != nil {
		return err
	}
	return d.signedOut(c, by.Account != nil)
}

// signedOut answers a browser whose session has ended here: with the address at the identity
// provider where the person's session ends too, if there is one. Whatever becomes of that one,
// they are signed out here.
func (d *Dashboard) signedOut(c *gin.Context, wasSignedIn bool) error {
	idToken := d.providerToken(c.Request)
	d.dropCookie(c, sessionCookie)
	d.dropCookie(c, providerCookie)
	if !wasSignedIn && idToken == "" {
		return noContent(c, nil)
	}
	address, err := d.Provider.SignOut(c.Request.Context(), d.redirectAddress(), idToken)
	if err != nil {
		d.server.LogFailure(c, err)
	}
	if err != nil || address == "" {
		return noContent(c, nil)
	}
	return answer(c, http.StatusOK, struct {
		ContinueAt string `json:"continue_at"` // address at the provider
	}{address}, nil)
}

// signOutEverywhere is POST /app/api/sign-out-everywhere, of the person or, for an owner who
// says so, of everybody.
func (d *Dashboard) signOutEverywhere(c *gin.Context, by By, sent *struct {
	Everybody bool `json:"everybody"`
}) error {
	if err := d.SigningIn.SignOutEverywhere(c.Request.Context(), by.signedIn(), sent.Everybody, by.Actor()); err != nil {
		return err
	}
	return d.signedOut(c, true)
}
