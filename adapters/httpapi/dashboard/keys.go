package dashboard

import (
	"errors"
	"net/http"

	"github.com/gin-gonic/gin"

	"milaan/domain"
)

// keyView is what may be shown of an API key.
type keyView struct {
	Prefix   string  `json:"prefix"`
	IssuedAt instant `json:"issued_at"`
	UsedAt   instant `json:"last_used_at"` // null: never
}

// showKey is GET /app/api/key.
func (d *Dashboard) showKey(c *gin.Context, by By) error {
	active, err := d.Keys.Active(c.Request.Context(), by.Account.ID)
	if err != nil && !errors.Is(err, domain.ErrNoKey) {
		return err
	}
	var v struct {
		Key *keyView `json:"key"` // null: there is none
	}
	if err == nil {
		v.Key = &keyView{Prefix: active.Prefix, IssuedAt: instant(active.IssuedAt), UsedAt: instant(active.UsedAt)}
	}
	writeJSON(c, http.StatusOK, v)
	return nil
}

// replaceKey is POST /app/api/key. It is told which key the page shows, so that a page that
// is out of date replaces no other.
func (d *Dashboard) replaceKey(c *gin.Context, by By) error {
	var sent struct {
		Replaces string `json:"replaces"` // prefix; blank: none
	}
	if err := d.readJSON(c, by.Account.ID, mostFields, &sent); err != nil {
		return err
	}
	issued, err := d.Keys.Replace(c.Request.Context(), *by.Account, sent.Replaces, domain.ByDashboard)
	if err != nil {
		return err
	}
	writeJSON(c, http.StatusOK, struct {
		Key    string `json:"key"` // this once
		Prefix string `json:"prefix"`
	}{issued.Secret, issued.Prefix})
	return nil
}

// revokeKey is DELETE /app/api/key.
func (d *Dashboard) revokeKey(c *gin.Context, by By) error {
	var sent struct {
		Prefix string `json:"prefix"`
	}
	if err := d.readJSON(c, by.Account.ID, mostFields, &sent); err != nil {
		return err
	}
	if err := d.Keys.Revoke(c.Request.Context(), *by.Account, sent.Prefix, domain.ByDashboard); err != nil {
		return err
	}
	return noContent(c)
}
