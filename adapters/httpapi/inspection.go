package httpapi

import (
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"slices"

	"milaan/adapters/httpapi/dashboard"
	"milaan/adapters/view"
	"milaan/domain"
	"milaan/ports"
)

// writeInspection writes the answer for a page.
func (s *Server) writeInspection(w io.Writer, r *http.Request, found *ports.Inspection) error {
	v := view.Inspection{Reports: []view.InspectedReport{}}
	if o := found.Orders; o != nil {
		v.Orders = &view.InspectedOrders{InspectedFile: s.viewFile(r, &o.Inspected), Recognised: o.Exporter.ID, Name: o.Exporter.Name,
			Orders: o.Orders}
	}
	for i := range found.Reports {
		v.Reports = append(v.Reports, s.viewReport(r, &found.Reports[i]))
	}
	if found.Statement != nil {
		bank := s.viewFile(r, found.Statement)
		v.Bank = &bank
	}
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	return e.Encode(v)
}

func (s *Server) viewFile(r *http.Request, f *ports.Inspected) view.InspectedFile {
	v := view.InspectedFile{Is: view.Is(dashboard.FileNames[f.Is]), Kind: view.Kind(f.Kind), Sheet: f.Sheet, HeaderLine: f.HeaderLine,
		Header: view.OrEmpty(f.Header), Columns: []view.InspectedColumn{}, Rows: f.Rows, From: view.OrNone(f.From.String()),
		To: view.OrNone(f.To.String()), Fault: s.dashboard.Failure(r, f.Fault)}
	for i, name := range f.Header {
		v.Columns = append(v.Columns, view.InspectedColumn{Name: name, Samples: view.OrEmpty(f.Samples[i])})
	}
	return v
}

func (s *Server) viewReport(r *http.Request, f *ports.InspectedReport) view.InspectedReport {
	v := view.InspectedReport{InspectedFile: s.viewFile(r, &f.Inspected), Courier: f.Courier, Also: []string{}, Saved: f.Saved,
		SavedName: f.Name, SavedNames: view.OrEmpty(f.Names), HeaderHash: hashOrNone(f.HeaderHash),
		Missing: []string{}, Charges: view.OrEmpty(f.Mapping.Charges())}
	for _, c := range s.params.Couriers.Catalogue() {
		if c.ID == f.Courier {
			v.Name = c.Name
		}
	}
	for _, c := range f.Couriers {
		if c.ID != f.Courier && c.ID != domain.CustomCourier {
			v.Also = append(v.Also, c.ID)
		}
	}
	for _, role := range f.Missing {
		v.Missing = append(v.Missing, role.String())
	}
	if f.HeaderLine == 0 {
		v.Mapping = []view.RoleMapping{}
		return v
	}
	for _, role := range domain.Roles() {
		if role != domain.RoleCharges {
			v.Mapping = append(v.Mapping, viewRole(f, role))
		}
	}
	if len(f.Names) > 0 {
		v.Fault = nil // which is said in saved_names
	}
	if isOfColumns(f.Fault) && (len(f.Missing) > 0 || len(f.Candidates) > 0) && f.Is != domain.StorefrontFile && f.Is != domain.StatementFile {
		v.Fault = nil // which columns it is about is said in mapping and missing
	}
	return v
}

// hashOrNone returns a hash as text; blank if there is none.
func hashOrNone(hash domain.HeaderHash) string {
	if hash == (domain.HeaderHash{}) {
		return ""
	}
	return hex.EncodeToString(hash[:])
}

// isOfColumns says whether all that is wrong with a report is that some roles have no column.
func isOfColumns(fault error) bool {
	f, ok := errors.AsType[*domain.FileError](fault)
	return ok && (f.Rule == domain.RuleNoColumn || f.Rule == domain.RuleAmbiguous)
}

func viewRole(f *ports.InspectedReport, role domain.Role) view.RoleMapping {
	v := view.RoleMapping{Role: role.String(), Column: f.Mapping[role], Source: "none", Candidates: view.OrEmpty(f.Candidates[role]),
		Samples: []string{}}
	without := f.Mapping
	without[role] = ""
	v.Required = slices.Contains(f.Missing, role) || v.Column != "" && without.MissingRoles() != nil
	switch _, stated := f.Stated[role]; {
	case v.Column == "":
	case stated:
		v.Source = "stated"
	case f.Saved:
		v.Source = "saved"
	default:
		v.Source = "detected"
	}
	if at := slices.Index(f.Header, v.Column); at >= 0 && v.Column != "" {
		v.Samples = view.OrEmpty(f.Samples[at])
	}
	return v
}
