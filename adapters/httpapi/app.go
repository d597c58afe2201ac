package httpapi

import (
	"cmp"
	"io"
	"net/http"
	"slices"

	"github.com/gin-gonic/gin"

	"milaan/domain"
)

// appServer is the server as the dashboard sees it. It fills dashboard.Server.
type appServer struct{ *Server }

// OverHTTPS fills dashboard.Server.
func (s appServer) OverHTTPS(r *http.Request) bool { return s.transport.overHTTPS(r) }

// Local fills dashboard.Server.
func (s appServer) Local(r *http.Request) bool { return s.transport.local(r) }

// Client fills dashboard.Server.
func (s appServer) Client(r *http.Request) string { return s.transport.client(r) }

// Base fills dashboard.Server.
func (s appServer) Base(r *http.Request) string {
	if s.params.Settings.PublicURL != "" {
		return s.params.Settings.PublicURL
	}
	if s.transport.overHTTPS(r) {
		return "https://" + r.Host
	}
	return "http://" + r.Host
}

// Body fills dashboard.Server.
func (s appServer) Body(c *gin.Context, account string, most int64) ([]byte, error) {
	if err := demandJSON(c.Request.Header); err != nil {
		return nil, err
	}
	tooLarge := &domain.Error{Kind: domain.KindTooLarge, Code: domain.CodeBodyTooLarge, Detail: domain.DetailPage, Bytes: most}
	if c.Request.ContentLength > most {
		return nil, tooLarge
	}
	body, err := s.intake.Read(c.Request, cmp.Or(account, s.transport.client(c.Request)), func([]byte) {})
	if err != nil {
		return nil, err
	}
	defer body.Release()
	if int64(len(body.Text)) > most {
		return nil, tooLarge
	}
	return slices.Clone(body.Text), nil
}

// Stream fills dashboard.Server. What is in memory at a time is charged like a body in flight.
func (s appServer) Stream(c *gin.Context, account string, write func(io.Writer) error) error {
	giveBack, err := s.intake.Reserve(c.Request.Context(), account)
	if err != nil {
		return err
	}
	defer giveBack()
	return s.stream(c, write)
}

// Bearer fills dashboard.Server.
func (s appServer) Bearer(r *http.Request) (token string, ok bool) { return bearer(r.Header) }

// NoteAccount fills dashboard.Server.
func (s appServer) NoteAccount(c *gin.Context, id string) { c.Set(accountKey, id) }

// LogFailure fills dashboard.Server.
func (s appServer) LogFailure(c *gin.Context, err error) {
	r := refuse(err)
	c.Set(codeKey, string(r.code))
	s.logFailure(c, r, err)
}
