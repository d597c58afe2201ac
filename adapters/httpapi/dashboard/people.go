package dashboard

import (
	"net/http"

	"github.com/gin-gonic/gin"

	"milaan/adapters/view"
	"milaan/domain"
	"milaan/ports"
)

func (d *Dashboard) addPeople(r Routes) {
	r.Read("/account/people", domain.Owner, func(c *gin.Context, by By) error {
		found, err := d.People.People(c.Request.Context(), by.Account.ID)
		return answer(c, http.StatusOK, view.NewPeople(by.Account, &found, by.Email), err)
	})
	r.Change(http.MethodPost, "/account/people", domain.Owner, Sending(d, func(c *gin.Context, by By, sent *struct {
		Email string `json:"email"`
		Role  string `json:"role"`
	}) error {
		made, err := d.People.Invite(c.Request.Context(), *by.Account, sent.Email, sent.Role, by.Actor())
		if err != nil {
			return err
		}
		return answer(c, http.StatusCreated, view.MadeInvitation{ID: made.ID, Link: d.server.Base() + ports.InvitationPage + made.Token,
			Until: view.Instant(made.Until), Mailed: made.Mailed}, nil)
	}))
	// The id is that of a member, or of an open invitation.
	r.Change(http.MethodPatch, "/account/people/:id", domain.Owner, Sending(d, func(c *gin.Context, by By, sent *struct {
		Role string `json:"role"`
	}) error {
		return noContent(c, d.People.ChangeRole(c.Request.Context(), by.Account.ID, c.Param("id"), sent.Role, by.Actor()))
	}))
	r.Change(http.MethodDelete, "/account/people/:id", domain.Owner, func(c *gin.Context, by By) error {
		return noContent(c, d.People.Remove(c.Request.Context(), by.Account.ID, c.Param("id"), by.Actor()))
	})

	// The browser gets a session for another account of its person.
	r.Account(http.MethodPost, "/api/account/switch", domain.Reader, Sending(d, func(c *gin.Context, by By, sent *struct {
		AccountID string `json:"account_id"`
	}) error {
		made, err := d.SigningIn.Switch(c.Request.Context(), by.signedIn(), sent.AccountID, by.Actor())
		if err != nil {
			return err
		}
		return noContent(c, d.begin(c, made))
	}))
	r.Account(http.MethodDelete, "/api/account/membership", domain.Reader, d.countChange(func(c *gin.Context, by By) error {
		if err := d.SigningIn.Leave(c.Request.Context(), by.signedIn(), by.Actor()); err != nil {
			return err
		}
		d.dropCookie(c, sessionCookie)
		return noContent(c, nil)
	}))
	r.Anyone(http.MethodPost, "/api/invitation", d.showInvitation)
	r.Anyone(http.MethodPost, "/api/invitation/accept", d.acceptInvitation)
}

// signedIn is who asks, as the use cases know them.
func (by By) signedIn() ports.SignedIn {
	return ports.SignedIn{Session: by.Session, Account: *by.Account, Email: by.Email, Role: by.Role}
}
