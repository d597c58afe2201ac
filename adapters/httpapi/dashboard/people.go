package dashboard

import (
	"net/http"

	"github.com/gin-gonic/gin"

	"milaan/adapters/view"
	"milaan/domain"
	"milaan/ports"
)

// addPeople adds the routes of the people of an account.
func (d *Dashboard) addPeople(r Routes) {
	r.Own(http.MethodGet, "/account/people", domain.Owner, d.listPeople)
	r.Own(http.MethodPost, "/account/people", domain.Owner, d.countChange(d.invitePerson))
	r.Own(http.MethodPatch, "/account/people/:id", domain.Owner, d.countChange(d.changeRole))
	r.Own(http.MethodDelete, "/account/people/:id", domain.Owner, d.countChange(d.removePerson))

	r.Account(http.MethodPost, "/api/account/switch", domain.Reader, d.switchAccount)
	r.Account(http.MethodDelete, "/api/account/membership", domain.Reader, d.countChange(d.leaveAccount))
	r.Anyone(http.MethodPost, "/api/invitation", d.showInvitation)
	r.Anyone(http.MethodPost, "/api/invitation/accept", d.acceptInvitation)
}

// personView is somebody who works for the account.
type personView struct {
	ID      string            `json:"id"` // blank: has the account's own address
	Email   string            `json:"email"`
	Role    domain.MemberRole `json:"role"`
	Own     bool              `json:"own"` // has the account's own address, and is always an owner
	You     bool              `json:"you"`
	AddedAt view.Instant      `json:"added_at"`
}

// invitationView is an invitation that is open.
type invitationView struct {
	ID     string            `json:"id"`
	Email  string            `json:"email"`
	Role   domain.MemberRole `json:"role"`
	MadeAt view.Instant      `json:"made_at"`
	Until  view.Instant      `json:"until"`
}

// listPeople is GET /account/people.
func (d *Dashboard) listPeople(c *gin.Context, by By) error {
	found, err := d.People.People(c.Request.Context(), by.Account.ID)
	if err != nil {
		return err
	}
	people := []personView{{Email: by.Account.Email, Role: domain.Owner, Own: true, You: by.Email == by.Account.Email, AddedAt: view.Instant(by.Account.CreatedAt)}}
	for _, m := range found.Members {
		people = append(people, personView{ID: m.ID, Email: m.Email, Role: m.Role, You: by.Email == m.Email, AddedAt: view.Instant(m.AddedAt)})
	}
	invitations := make([]invitationView, len(found.Invitations))
	for i, open := range found.Invitations {
		invitations[i] = invitationView{ID: open.ID, Email: open.Email, Role: open.Role, MadeAt: view.Instant(open.MadeAt), Until: view.Instant(open.Until)}
	}
	writeJSON(c, http.StatusOK, struct {
		People      []personView     `json:"people"`
		Invitations []invitationView `json:"invitations"`
		Most        int              `json:"most"` // members and invitations together
	}{people, invitations, domain.MaxPeople})
	return nil
}

// invitePerson is POST /account/people.
func (d *Dashboard) invitePerson(c *gin.Context, by By) error {
	var sent struct {
		Email string `json:"email"`
		Role  string `json:"role"`
	}
	if err := d.readJSON(c, by.Account.ID, mostFields, &sent); err != nil {
		return err
	}
	made, err := d.People.Invite(c.Request.Context(), *by.Account, sent.Email, sent.Role, by.Way())
	if err != nil {
		return err
	}
	writeJSON(c, http.StatusCreated, struct {
		ID     string       `json:"id"`
		Link   string       `json:"link"` // this once; without the service's address if that is not known
		Until  view.Instant `json:"until"`
		Mailed bool         `json:"mailed"`
	}{made.ID, d.server.Base() + ports.InvitationPage + made.Token, view.Instant(made.Until), made.Mailed})
	return nil
}

// changeRole is PATCH /account/people/:id, of a member or an open invitation.
func (d *Dashboard) changeRole(c *gin.Context, by By) error {
	var sent struct {
		Role string `json:"role"`
	}
	if err := d.readJSON(c, by.Account.ID, mostFields, &sent); err != nil {
		return err
	}
	if err := d.People.ChangeRole(c.Request.Context(), by.Account.ID, c.Param("id"), sent.Role, by.Way()); err != nil {
		return err
	}
	return noContent(c)
}

// removePerson is DELETE /account/people/:id, of a member or an open invitation.
func (d *Dashboard) removePerson(c *gin.Context, by By) error {
	if err := d.People.Remove(c.Request.Context(), by.Account.ID, c.Param("id"), by.Way()); err != nil {
		return err
	}
	return noContent(c)
}

// switchAccount is POST /app/api/account/switch: the browser gets a session for another
// account of its person.
func (d *Dashboard) switchAccount(c *gin.Context, by By) error {
	var sent struct {
		AccountID string `json:"account_id"`
	}
	if err := d.readJSON(c, by.Account.ID, mostFields, &sent); err != nil {
		return err
	}
	made, err := d.SigningIn.Switch(c.Request.Context(), by.signedIn(), sent.AccountID)
	if err != nil {
		return err
	}
	if err := d.begin(c, made); err != nil {
		return err
	}
	return noContent(c)
}

// leaveAccount is DELETE /app/api/account/membership.
func (d *Dashboard) leaveAccount(c *gin.Context, by By) error {
	if err := d.SigningIn.Leave(c.Request.Context(), by.signedIn(), by.Way()); err != nil {
		return err
	}
	d.dropCookie(c, sessionCookie)
	return noContent(c)
}

// signedIn is who asks, as the use cases know them.
func (by By) signedIn() ports.SignedIn {
	return ports.SignedIn{Session: by.Session, Account: *by.Account, Email: by.Email, Role: by.Role}
}
