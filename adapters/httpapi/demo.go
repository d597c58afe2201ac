package httpapi

import (
	"bytes"
	"io"

	"github.com/gin-gonic/gin"
)

// runDemo is GET /demo: the built-in sample, for anyone, with a rate per client.
func (s *Server) runDemo(c *gin.Context) error {
	run, err := s.params.Demo.Demo(c.Request.Context(), s.transport.Client(c.Request))
	if err != nil {
		return err
	}
	defer run.Release()
	// The answer is small, but the workspace of the run may be large from an earlier run.
	// It is released now, because the client may read slowly.
	var answer bytes.Buffer
	if err := s.params.Answers.Write(&answer, run, true); err != nil {
		return err
	}
	run.Release()
	return s.stream(c, func(w io.Writer) error {
		_, err := w.Write(answer.Bytes())
		return err
	})
}
