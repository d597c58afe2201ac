package httpapi

import (
	"log/slog"
	"net/http"
	"strconv"

	"github.com/gin-gonic/gin"

	"milaan/domain"
	"milaan/ports"
)

// reconcile is POST /reconcile. Its checks come in the order of decisions,
// section 5: media type, key, phone, subscription, plan and rate by the header
// alone; then the body's size, its JSON and fields; then the use case.
func (s *Server) reconcile(c *gin.Context) {
	if err := demandJSON(c.Request.Header); err != nil {
		_ = c.Error(err)
		return
	}
	caller, err := s.admit(c)
	if err != nil {
		_ = c.Error(err)
		return
	}
	b, err := s.intake.read(c, caller.Account.ID)
	if err != nil {
		_ = c.Error(err)
		return
	}
	defer b.release()
	outcome, err := s.runFor(c, caller, b)
	s.figures.run(outcome, err)
	if err != nil {
		_ = c.Error(err)
		return
	}
	defer outcome.Release()
	if outcome.Run.ID != "" && !outcome.Duplicate { // a duplicate's answer says whose it is in its body
		c.Header("X-Run-Id", outcome.Run.ID)
	}
	c.Header("Cache-Control", "no-store")
	s.writeOutcome(c, outcome, false)
}

func (s *Server) admit(c *gin.Context) (ports.Caller, error) {
	key, ok := bearer(c.Request.Header)
	if !ok {
		return ports.Caller{}, domain.ErrKey
	}
	caller, err := s.gate.Admit(c.Request.Context(), key)
	if err == nil {
		c.Set(accountKey, caller.Account.ID)
	}
	return caller, err
}

// runFor reconciles the two files of a body, whose buffer goes as soon as both
// are read: neither the database nor a slow client keeps it.
func (s *Server) runFor(c *gin.Context, caller ports.Caller, b arrival) (*ports.Outcome, error) {
	request, err := requestFrom(b.text)
	if err != nil {
		return nil, err
	}
	request.Read = b.free
	if err := s.reconciling.Check(request); err != nil {
		return nil, err
	}
	return s.reconciling.Reconcile(c.Request.Context(), caller, request)
}

// writeOutcome streams the results. A client that goes away meanwhile is its
// own affair; any other failure is ours, and the answer is broken off.
func (s *Server) writeOutcome(c *gin.Context, o *ports.Outcome, resultsOnly bool) {
	uploadOf(c).answering(s.settings.WriteTimeout)
	c.Header("Content-Type", jsonType)
	c.Status(http.StatusOK)
	w := &watched{to: c.Writer}
	err := s.answers.Write(w, o, resultsOnly)
	switch {
	case err == nil:
	case w.failed:
		s.log.LogAttrs(c.Request.Context(), slog.LevelDebug, "the client went away before the end of its answer",
			slog.String("request_id", c.GetString(requestIDKey)))
	default:
		_ = c.Error(err)
	}
}

// watched remembers whether the client's end was what failed.
type watched struct {
	to     gin.ResponseWriter
	failed bool
}

// Size fills ports.Sized: an answer whose length the client knows needs no
// chunks, and one call of the system less.
func (w *watched) Size(n int) { w.to.Header().Set("Content-Length", strconv.Itoa(n)) }

func (w *watched) Write(p []byte) (int, error) {
	n, err := w.to.Write(p)
	w.failed = w.failed || err != nil
	return n, err
}
