package httpapi

import (
	"bytes"
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
	// The answer is small, and the outcome's memory may be that of a large run: a
	// client that reads slowly must not keep it.
	var answer bytes.Buffer
	if err := s.answers.Write(&answer, outcome, true); err != nil {
		_ = c.Error(err)
		return
	}
	outcome.Release()
	c.Header("Cache-Control", "no-store")
	s.stream(c, func(w io.Writer) error {
		_, err := w.Write(answer.Bytes())
		return err
	})
}
