package dashboard

import (
	"errors"
	"net/http"

	"github.com/gin-gonic/gin"

	"milaan/adapters/view"
	"milaan/domain"
)

// keyHandlers are the handlers of the account's key of one kind.
type keyHandlers struct {
	*Dashboard
	kind domain.KeyKind
}

// show is GET /app/api/key and GET /app/api/sandbox-key.
func (d keyHandlers) show(c *gin.Context, by By) error {
	active, err := d.Accounts.ActiveKey(c.Request.Context(), by.Account.ID, d.kind)
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
}

// replace is POST on the same paths. It is told which key the page shows, so that a page that
// is out of date replaces no other.
func (d keyHandlers) replace(c *gin.Context, by By, sent *struct {
	Replaces string `json:"replaces"` // prefix; blank: none
}) error {
	issued, err := d.Accounts.ReplaceKey(c.Request.Context(), *by.Account, d.kind, sent.Replaces, by.Actor())
	return answer(c, http.StatusOK, view.NewKey{Key: issued.Secret, Prefix: issued.Prefix}, err)
}

// revoke is DELETE on the same paths.
func (d keyHandlers) revoke(c *gin.Context, by By, sent *struct {
	Prefix string `json:"prefix"`
}) error {
	return noContent(c, d.Accounts.RevokeKey(c.Request.Context(), *by.Account, d.kind, sent.Prefix, by.Actor()))
}
