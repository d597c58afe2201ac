package dashboard

import (
	"net/http"

	"github.com/gin-gonic/gin"

	"milaan/adapters/view"
	"milaan/domain"
	"milaan/ports"
)

func (d *Dashboard) addPeople(r Routes) {
	r.Own(http.MethodGet, "/account/people", domain.Owner, d.listPeople)
	r.Own(http.MethodPost, "/account/people", domain.Owner, d.CountChange(Sending(d, d.invitePerson)))
	r.Own(http.MethodPatch, "/account/people/:id", domain.Owner, d.CountChange(Sending(d, d.changeRole)))
	r.Own(http.MethodDelete, "/account/people/:id", domain.Owner, d.CountChange(d.removePerson))

	r.Account(http.MethodPost, "/api/account/switch", domain.Reader, Sending(d, d.switchAccount))
	r.Account(http.MethodDelete, "/api/account/membership", domain.Reader, d.CountChange(d.leaveAccount))
	r.Anyone(http.MethodPost, "/api/invitation", d.showInvitation)
	r.Anyone(http.MethodPost, "/api/invitation/accept", d.acceptInvitation)
}

// listPeople is GET /account/people.
func (d *Dashboard) listPeople(c *gin.Context, by By) error {
	found, err := d.People.People(c.Request.Context(), by.Account.ID)
	return answer(c, http.StatusOK, view.NewPeople(by.Account, &found, by.Email), err)
}

// invitePerson is POST /account/people.
func (d *Dashboard) invitePerson(c *gin.Context, by By, sent *struct {
	Email string `json:"email"`
	Role  string `json:"role"`
}) error {
	made, err := d.People.Invite(c.Request.Context(), *by.Account, sent.Email, sent.Role, by.Actor())
	if err != nil {
		return err
	}
	return answer(c, http.StatusCreated, view.MadeInvitation{ID: made.ID, Link: d.server.Base() + ports.InvitationPage + made.Token,
		Until: view.Instant(made.Until), Mailed: made.Mailed}, nil)
}

// changeRole is PATCH /account/people/:id, of a member or an open invitation.
func (d *Dashboard) changeRole(c *gin.Context, by By, sent *struct {
	Role string `json:"role"`
}) error {
	return noContent(c, d.People.ChangeRole(c.Request.Context(), by.Account.ID, c.Param("id"), sent.Role, by.Actor()))
}

// removePerson is DELETE /account/people/:id, of a member or an open invitation.
func (d *Dashboard) removePerson(c *gin.Context, by By) error {
	return noContent(c, d.People.Remove(c.Request.Context(), by.Account.ID, c.Param("id"), by.Actor()))
}

// switchAccount is POST /app/api/account/switch: the browser gets a session for another
// account of its person.
func (d *Dashboard) switchAccount(c *gin.Context, by By, sent *struct {
	AccountID string `json:"account_id"`
}) error {
	made, err := d.SigningIn.Switch(c.Request.Context(), by.signedIn(), sent.AccountID, by.Actor())
	if err != nil {
		return err
	}
	return noContent(c, d.begin(c, made))
}

// leaveAccount is DELETE /app/api/account/membership.
func (d *Dashboard) leaveAccount(c *gin.Context, by By) error {
	if err := d.SigningIn.Leave(c.Request.Context(), by.signedIn(), by.Actor()); err != nil {
		return err
	}
	d.dropCookie(c, sessionCookie)
	return noContent(c, nil)
}

// signedIn is who asks, as the use cases know them.
func (by By) signedIn() ports.SignedIn {
	return ports.SignedIn{Session: by.Session, Account: *by.Account, Email: by.Email, Role: by.Role}
}
