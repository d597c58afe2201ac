package httpapi

import (
	"errors"

	"github.com/gin-gonic/gin"

	"milaan/adapters/httpapi/pages"
	"milaan/domain"
)

// showUnsubscription answers a link in a mail with a page. It changes nothing, because
// programs that look for viruses follow links.
func (s *Server) showUnsubscription(c *gin.Context) error {
	email, digests, err := s.params.Mails.CheckLink(c.Request.Context(), c.Query("token"))
	if err != nil && !errors.Is(err, domain.ErrMailLink) {
		return err
	}
	pages.ServeUnsubscription(c.Writer, pages.Unsubscription{Email: email, Digests: digests})
	return nil
}

// unsubscribe ends the mails. It needs neither a session nor a body (RFC 8058).
func (s *Server) unsubscribe(c *gin.Context) error {
	ctx, token := c.Request.Context(), c.Query("token")
	email, digests, err := s.params.Mails.CheckLink(ctx, token)
	if err == nil {
		err = s.params.Mails.Unsubscribe(ctx, token)
	}
	if err != nil {
		return err
	}
	pages.ServeUnsubscription(c.Writer, pages.Unsubscription{Email: email, Digests: digests, Done: true})
	return nil
}
