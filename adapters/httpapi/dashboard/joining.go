package dashboard

import (
	"errors"
	"net/http"

	"github.com/gin-gonic/gin"

	"milaan/adapters/view"
	"milaan/domain"
	"milaan/ports"
)

// invitationPlace is the place for which the token of an invitation is sealed, while its person
// signs in at the identity provider.
const invitationPlace = "invitation that is being accepted"

// acceptAtProvider is where a person signs in who has accepted an invitation.
const acceptAtProvider = Path + "/api/sign-in/oidc?invited=1"

// readToken counts an attempt, and reads the token of a link.
func (d *Dashboard) readToken(c *gin.Context) (token string, err error) {
	if err := d.SigningIn.CountSignIn(c.Request.Context(), d.server.Client(c.Request)); err != nil {
		return "", err
	}
	var sent struct {
		Token string `json:"token"`
	}
	err = d.readJSON(c, "", mostFields, &sent)
	return sent.Token, err
}

// showInvitation is POST /app/api/invitation.
func (d *Dashboard) showInvitation(c *gin.Context, _ By) error {
	token, err := d.readToken(c)
	if err != nil {
		return err
	}
	shown, err := d.SigningIn.ShowInvitation(c.Request.Context(), token)
	return answer(c, http.StatusOK, view.InvitedTo{Account: shown.Account, Email: shown.Email, Role: shown.Role,
		Until: view.Instant(shown.Until)}, err)
}

// acceptInvitation is POST /app/api/invitation/accept. If the person must first sign in at the
// identity provider, the browser keeps the token, sealed, and is told where to go.
func (d *Dashboard) acceptInvitation(c *gin.Context, _ By) error {
	token, err := d.readToken(c)
	if err != nil {
		return err
	}
	var now *ports.SignedIn
	by, err := d.identify(c)
	if err != nil {
		return err
	}
	if by.Account != nil {
		now = new(by.signedIn())
	}
	var v view.Accepted
	session, err := d.SigningIn.AcceptInvitation(c.Request.Context(), token, now, d.server.Address(c.Request))
	switch {
	case err == nil:
		v.Accepted = true
		if err := d.begin(c, session); err != nil {
			return err
		}
	case errors.Is(err, domain.ErrSignedOut) && d.Provider.Enabled():
		d.setCookie(c, invitationCookie, d.seal([]byte(token), invitationPlace), domain.SignInLinkLimit)
		v.SignIn = new(acceptAtProvider)
	default:
		return err
	}
	return answer(c, http.StatusOK, v, nil)
}

// acceptedInvitation returns the token that the browser has kept, if it begins to sign in to
// accept an invitation; blank if it does not, or the token is not ours.
func (d *Dashboard) acceptedInvitation(c *gin.Context) string {
	if c.Query("invited") == "" {
		return ""
	}
	d.dropCookie(c, invitationCookie) // it serves once
	token, _ := d.open(c.Request, invitationCookie, invitationPlace)
	return string(token)
}
