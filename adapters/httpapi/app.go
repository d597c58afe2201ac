package httpapi

import (
	"cmp"
	"io"
	"net/http"
	"slices"

	"github.com/gin-gonic/gin"

	"milaan/adapters/httpapi/intake"
	"milaan/domain"
	"milaan/ports/peers"
)

// appServer is the server as the dashboard sees it.
type appServer struct {
	*Server
	*transport
}

func (s appServer) Body(c *gin.Context, account string, most int64) ([]byte, error) {
	if err := demandJSON(c.Request.Header); err != nil {
		return nil, err
	}
	body, err := s.readAtMost(c.Request, cmp.Or(account, s.Client(c.Request)), most, domain.DetailPage)
	if err != nil {
		return nil, err
	}
	defer body.Release()
	return slices.Clone(body.Text), nil
}

// readAtMost reads a body of at most limit bytes, and returns an error with detail for a longer
// one. subject is the account or the client's address whose share of memory the body takes. The
// caller must release the body.
func (s *Server) readAtMost(r *http.Request, subject string, limit int64, detail domain.Detail) (intake.Arrival, error) {
	return atMost(r, limit, detail, func() (intake.Arrival, error) { return s.intake.Read(r, subject, func([]byte) {}) })
}

func atMost(r *http.Request, limit int64, detail domain.Detail, read func() (intake.Arrival, error)) (intake.Arrival, error) {
	if r.ContentLength > limit {
		return intake.Arrival{}, tooLarge(detail, limit)
	}
	body, err := read()
	if err != nil {
		return intake.Arrival{}, err
	}
	if int64(len(body.Text)) > limit {
		body.Release()
		return intake.Arrival{}, tooLarge(detail, limit)
	}
	return body, nil
}

// Stream charges what is in memory at a time like a body in flight.
func (s appServer) Stream(c *gin.Context, account string, write func(io.Writer) error) error {
	giveBack, err := s.intake.Reserve(c.Request.Context(), account)
	if err != nil {
		return err
	}
	defer giveBack()
	return s.stream(c, write)
}

func (s appServer) ProgramNames() peers.Names { return AccountNames{} }

func (s appServer) NoteAccount(c *gin.Context, id string) { c.Set(accountKey, id) }

func (s appServer) LogFailure(c *gin.Context, err error) {
	r := refuse(err)
	c.Set(codeKey, string(r.code))
	s.logFailure(c, r, err)
}
