package dashboard

import (
	"errors"
	"net/http"

	"github.com/gin-gonic/gin"

	"milaan/adapters/view"
	"milaan/domain"
)

func (d *Dashboard) addKeys(r Routes) {
	for path, kind := range map[string]domain.KeyKind{"/api/key": domain.LiveKey, "/api/sandbox-key": domain.SandboxKey} {
		r.Account(http.MethodGet, path, domain.Owner, func(c *gin.Context, by By) error {
			active, err := d.Accounts.ActiveKey(c.Request.Context(), by.Account.ID, kind)
			if err != nil && !errors.Is(err, domain.ErrNoKey) {
				return err
			}
			var v struct {
				Key *view.Key `json:"key"` // null: there is none
			}
			if err == nil {
				v.Key = &view.Key{Prefix: active.Prefix, IssuedAt: view.Instant(active.IssuedAt), UsedAt: view.Instant(active.UsedAt)}
			}
			return answer(c, http.StatusOK, v, nil)
		})
		// It is told which key the page shows, so that a page that is out of date replaces no other.
		r.Account(http.MethodPost, path, domain.Owner, d.countChange(Sending(d, func(c *gin.Context, by By, sent *struct {
			Replaces string `json:"replaces"` // prefix; blank: none
		}) error {
			issued, err := d.Accounts.ReplaceKey(c.Request.Context(), *by.Account, kind, sent.Replaces, by.Actor())
			return answer(c, http.StatusOK, view.NewKey{Key: issued.Secret, Prefix: issued.Prefix}, err)
		})))
		r.Account(http.MethodDelete, path, domain.Owner, d.countChange(Sending(d, func(c *gin.Context, by By, sent *struct {
			Prefix string `json:"prefix"`
		}) error {
			return noContent(c, d.Accounts.RevokeKey(c.Request.Context(), *by.Account, kind, sent.Prefix, by.Actor()))
		})))
	}
}
