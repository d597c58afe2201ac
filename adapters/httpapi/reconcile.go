package httpapi

import (
	"context"
	"io"
	"log/slog"
	"net/http"
	"strconv"

	"github.com/gin-gonic/gin"

	"milaan/adapters/httpapi/body"
	"milaan/adapters/httpapi/intake"
	"milaan/domain"
	"milaan/ports"
)

// reconcile is POST /reconcile. Its checks come in the order of decisions,
// section 5: media type, key, phone, subscription, plan and rate by the header
// alone; then the body's size, its JSON and fields; then the use case.
func (s *Server) reconcile(c *gin.Context) error {
	var decoder body.Decoder
	caller, b, err := s.receive(c, decoder.Arrived)
	if err != nil {
		return err
	}
	defer b.Release()
	outcome, err := s.runFor(c, caller, b, &decoder)
	s.figures.run(outcome, err)
	if err != nil {
		return err
	}
	defer outcome.Release()
	c.Set(runKey, outcome.Run.ID)
	if outcome.Run.ID != "" && !outcome.Duplicate { // a duplicate's answer says whose it is in its body
		c.Header("X-Run-Id", outcome.Run.ID)
	}
	return s.stream(c, func(w io.Writer) error { return s.params.Answers.Write(w, outcome, false) })
}

// receive makes the checks by the header and then takes the body in, which the
// caller must release. arrived is told of what has come of it.
func (s *Server) receive(c *gin.Context, arrived func(body []byte)) (ports.Caller, intake.Arrival, error) {
	if err := demandJSON(c.Request.Header); err != nil {
		return ports.Caller{}, intake.Arrival{}, err
	}
	caller, err := admit(c, s.params.Gate.Admit)
	if err != nil {
		return ports.Caller{}, intake.Arrival{}, err
	}
	b, err := s.intake.Read(c.Request, caller.Account.ID, arrived)
	return caller, b, err
}

// admit asks a gate about the request's key.
func admit(c *gin.Context, gate func(ctx context.Context, secret string) (ports.Caller, error)) (ports.Caller, error) {
	key, ok := bearer(c.Request.Header)
	if !ok {
		return ports.Caller{}, domain.ErrKey
	}
	caller, err := gate(c.Request.Context(), key)
	c.Set(accountKey, caller.Account.ID)
	return caller, err
}

// runFor reconciles the two files of a body, whose buffer goes as soon as both
// are read: neither the database nor a slow client keeps it. Nor does the database
// keep what was charged for the work but for the results.
func (s *Server) runFor(c *gin.Context, caller ports.Caller, b intake.Arrival, decoder *body.Decoder) (*ports.FinishedRun, error) {
	request, err := requestFrom(b.Text, decoder)
	if err != nil {
		return nil, err
	}
	request.Read, request.Made = b.Free, b.Keep
	key, faults := requestKey(c.Request.Header)
	caller.RequestKey, request.Misread = key, append(request.Misread, faults...)
	outcome, err := s.params.Reconciling.Reconcile(c.Request.Context(), caller, request)
	return outcome, onlyFirst(byKey(key, err))
}

// stream answers 200 with what write writes. A client that goes away meanwhile
// is its own affair. Any other failure is answered as an error if nothing is
// written yet; else the answer is broken off.
func (s *Server) stream(c *gin.Context, write func(io.Writer) error) error {
	c.Header("Content-Type", jsonType)
	c.Header("Cache-Control", "no-store")
	c.Status(http.StatusOK)
	w := &watched{to: c.Writer}
	err := write(w)
	if w.failed {
		s.params.Log.LogAttrs(c.Request.Context(), slog.LevelDebug, "the client went away before the end of its answer",
			slog.String(requestIDKey, c.GetString(requestIDKey)))
		return nil
	}
	return err
}

// watched remembers whether the client's end was what failed.
type watched struct {
	to     gin.ResponseWriter
	failed bool
}

// Size fills glue.Sized: an answer whose length the client knows needs no
// chunks, and one call of the system less.
func (w *watched) Size(n int) { w.to.Header().Set("Content-Length", strconv.Itoa(n)) }

func (w *watched) Write(p []byte) (int, error) {
	n, err := w.to.Write(p)
	w.failed = w.failed || err != nil
	return n, err
}
