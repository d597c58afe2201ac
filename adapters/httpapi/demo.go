package httpapi

import (
	"io"

	"github.com/gin-gonic/gin"
)

// runDemo is GET /demo: the built-in sample, for anyone, at a rate per client.
func (s *Server) runDemo(c *gin.Context) {
	outcome, err := s.demo.Demo(c.Request.Context(), s.transport.client(c.Request))
	if err != nil {
		_ = c.Error(err)
		return
	}
	defer outcome.Release()
	c.Header("Cache-Control", "no-store")
	s.stream(c, func(w io.Writer) error { return s.answers.Write(w, outcome, true) })
}
