package httpapi

import (
	"github.com/gin-gonic/gin"

	"milaan/adapters/httpapi/dashboard"
	"milaan/adapters/httpapi/intake"
	"milaan/adapters/view"
	"milaan/domain"
	"milaan/ports"
	"milaan/ports/peers"
)

// inspectFiles is POST /inspect: what the files of POST /reconcile/files are recognised as, with the same checks in the
// same order. Every file may be missing, and nothing is stored or counted but the request.
func (s *Server) inspectFiles(c *gin.Context) error {
	caller, b, read, err := s.receiveForm(c)
	if err != nil {
		return err
	}
	defer b.Release()
	request, err := read()
	if err != nil {
		return err
	}
	request.Sandbox = caller.Sandbox
	return s.inspect(c, b, &caller.Account, request, s.params.Wording, PartNames{})
}

// inspectUpload is POST /app/api/inspect: the same for a page, with more and in its language.
func (s *Server) inspectUpload(c *gin.Context, by dashboard.By) error {
	form, b, err := s.takeUpload(c, &by, s.params.Gate.AdmitInspection)
	if err != nil {
		return err
	}
	defer b.Release()
	return s.inspect(c, b, by.Account, form.ofPage(), s.dashboard.Words(c.Request), s.dashboard.NamesInRefusals(c.Request))
}

func (s *Server) inspect(
	c *gin.Context, b intake.Arrival, account *domain.Account, request ports.Request, words peers.Wording, names peers.Names,
) error {
	request.Claim = b.Claim
	found, err := s.params.Inspecting.Inspect(c.Request.Context(), account, request)
	if err != nil {
		return err
	}
	b.Release() // nothing of the files is needed any more
	answer := dashboard.Encode(view.NewInspection(found, s.params.Couriers.Catalogue(),
		func(fault error) string { return words.Message(fault, names) }))
	return s.streamWhole(c, answer)
}
