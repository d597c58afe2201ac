package httpapi

import (
	"encoding/json"
	"io"
	"net/http"

	"milaan/adapters/view"
	"milaan/ports"
)

// writeInspection writes the answer for a page.
func (s *Server) writeInspection(w io.Writer, r *http.Request, found *ports.Inspection) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	return e.Encode(view.NewInspection(found, s.params.Couriers.Catalogue(), func(fault error) *view.Failure {
		return s.dashboard.Failure(r, fault)
	}))
}
