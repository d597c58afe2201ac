package httpapi

import (
	"net/http"

	"github.com/gin-gonic/gin"

	"milaan/adapters/httpapi/dashboard"
	"milaan/adapters/view"
	"milaan/domain"
)

// issueKey is POST /generate-api-key, or POST /generate-sandbox-key. It does not read the body.
func (s *Server) issueKey(c *gin.Context, kind domain.KeyKind) error {
	if err := demandJSON(c.Request.Header); err != nil {
		return err
	}
	session, ok := dashboard.Bearer(c.Request.Header)
	if !ok {
		return domain.ErrSession
	}
	key, err := s.params.SigningIn.IssueKey(c.Request.Context(), session, c.GetHeader(dashboard.AccountHeader),
		s.transport.Address(c.Request), kind)
	c.Set(accountKey, key.AccountID)
	if err != nil {
		return err
	}
	c.Header("Cache-Control", "no-store")
	c.JSON(http.StatusOK, view.NewKey{Key: key.Secret, Prefix: key.Prefix})
	return nil
}
