package httpapi

import (
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

// inspectionView is the answer of POST /app/api/inspect. Files that were not given are null.
type inspectionView struct {
	Orders  *ordersView  `json:"orders"`
	Reports []reportView `json:"reports"`
	Bank    *fileView    `json:"bank"`
}

// fileView is what a file was recognised as.
type fileView struct {
	Is         string       `json:"is"` // orders, report or bank, by its content; blank: not known
	Kind       ports.Kind   `json:"kind"`
	Sheet      string       `json:"sheet"`
	HeaderLine int          `json:"header_line"` // 0: no line looks like a header
	Header     []string     `json:"header"`
	Columns    []columnView `json:"columns"`
	Rows       int          `json:"rows"`
	From       *string      `json:"from"`
	To         *string      `json:"to"`
	Fault      any          `json:"fault"`
}

// columnView is a column of the header.
type columnView struct {
	Name    string   `json:"name"`
	Samples []string `json:"samples"`
}

type ordersView struct {
	fileView
	Recognised string `json:"recognised"` // id of the storefront
	Name       string `json:"name"`
	Orders     int    `json:"orders"`
}

type reportView struct {
	fileView
	Courier string     `json:"courier"` // id; blank: not known
	Name    string     `json:"name"`
	Also    []string   `json:"also"` // ids of the other couriers that know the header as well
	Saved   bool       `json:"saved"`
	Mapping []roleView `json:"mapping"`
	Charges []string   `json:"charges"` // the columns of charges
	Missing []string   `json:"missing"` // roles of which one at least needs a column
}

// roleView is a role and the column that has it.
type roleView struct {
	Role       string   `json:"role"`
	Column     string   `json:"column"` // blank: none
	Source     string   `json:"source"` // detected, saved, stated or none
	Required   bool     `json:"required"`
	Candidates []string `json:"candidates"` // if it cannot be decided which column has the role
	Samples    []string `json:"samples"`
}

// writeInspection writes the answer for a page.
func (s *Server) writeInspection(w io.Writer, r *http.Request, found *ports.Inspection) error {
	v := inspectionView{Reports: []reportView{}}
	if o := found.Orders; o != nil {
		v.Orders = &ordersView{fileView: s.viewFile(r, &o.Inspected), Recognised: o.Exporter.ID, Name: o.Exporter.Name, Orders: o.Orders}
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

func (s *Server) viewFile(r *http.Request, f *ports.Inspected) fileView {
	v := fileView{Is: dashboard.FileNames[f.Is], Kind: f.Kind, Sheet: f.Sheet, HeaderLine: f.HeaderLine, Header: view.OrEmpty(f.Header), Columns: []columnView{}, Rows: f.Rows,
		From: dayText(f.From), To: dayText(f.To), Fault: s.dashboard.FaultView(r, f.Fault)}
	for i, name := range f.Header {
		v.Columns = append(v.Columns, columnView{name, view.OrEmpty(f.Samples[i])})
	}
	return v
}

// dayText is null in JSON for a day that is not known.
func dayText(d domain.Day) *string {
	if d == domain.NoDay {
		return nil
	}
	return new(d.String())
}

func (s *Server) viewReport(r *http.Request, f *ports.InspectedReport) reportView {
	v := reportView{fileView: s.viewFile(r, &f.Inspected), Courier: f.Courier, Also: []string{}, Saved: f.Saved, Missing: []string{}, Charges: view.OrEmpty(f.Mapping.Charges())}
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
		v.Mapping = []roleView{}
		return v
	}
	for _, role := range domain.Roles() {
		if role != domain.RoleCharges {
			v.Mapping = append(v.Mapping, viewRole(f, role))
		}
	}
	if isOfColumns(f.Fault) && (len(f.Missing) > 0 || len(f.Candidates) > 0) && f.Is != domain.StorefrontFile && f.Is != domain.StatementFile {
		v.Fault = nil // which columns it is about is said in mapping and missing
	}
	return v
}

// isOfColumns says whether all that is wrong with a report is that some roles have no column.
func isOfColumns(fault error) bool {
	f, ok := errors.AsType[*domain.FileError](fault)
	return ok && (f.Rule == domain.RuleNoColumn || f.Rule == domain.RuleAmbiguous)
}

func viewRole(f *ports.InspectedReport, role domain.Role) roleView {
	v := roleView{Role: role.String(), Column: f.Mapping[role], Source: "none", Candidates: view.OrEmpty(f.Candidates[role]), Samples: []string{}}
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
