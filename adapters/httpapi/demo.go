package httpapi

import (
	"bytes"
	"io"

	"github.com/gin-gonic/gin"
)

// runDemo is GET /demo: the built-in sample, for anyone, at a rate per client.
func (s *Server) runDemo(c *gin.Context) error {
	outcome, err := s.params.Demo.Demo(c.Request.Context(), s.transport.client(c.Request))
	if err != nil {
		return err
	}
	defer outcome.Release()
	// The answer is small, and the outcome's memory may be that of a large run: a
	// client that reads slowly must not keep it.
	var answer bytes.Buffer
	if err := s.params.Answers.Write(&answer, outcome, true); err != nil {
		return err
	}
	outcome.Release()
	return s.stream(c, func(w io.Writer) error {
		_, err := w.Write(answer.Bytes())
		return err
	})
}
