package httpapi

import (
	"net/http"

	"github.com/gin-gonic/gin"

	"milaan/domain"
)

// mostNotice is how many bytes a notice of the billing provider may have.
const mostNotice = 256 << 10

// takeNotice is POST /hooks/razorpay. The signature is over the body as it was sent. Whatever a
// signed notice is about, it is answered with 200: otherwise Razorpay would post it again, and
// after a day call the webhook off.
func (s *Server) takeNotice(c *gin.Context) error {
	body, err := s.readAtMost(c.Request, s.transport.Client(c.Request), mostNotice, domain.DetailNotice)
	if err != nil {
		return err
	}
	defer body.Release()
	h := c.Request.Header
	if err := s.params.Billing.TakeNotice(c.Request.Context(), h.Get("X-Razorpay-Event-Id"), h.Get("X-Razorpay-Signature"),
		body.Text); err != nil {
		return err
	}
	c.Status(http.StatusOK)
	return nil
}
