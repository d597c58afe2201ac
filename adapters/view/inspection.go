package view

import (
	"encoding/hex"
	"errors"
	"slices"

	"milaan/domain"
	"milaan/ports"
)

// FileNames are the files of a request as forms name their parts.
var FileNames = map[domain.File]string{domain.StorefrontFile: "orders", domain.CourierFile: "report", domain.StatementFile: "bank",
	domain.LedgerFile: "previous"}

// NewInspection returns the view of an inspection.
func NewInspection(found *ports.Inspection, catalogue []ports.CourierInfo, say Sentence) Inspection {
	v := Inspection{Reports: []InspectedReport{}}
	if o := found.Orders; o != nil {
		v.Orders = &InspectedOrders{InspectedFile: newInspectedFile(&o.Inspected, say), Recognised: o.Exporter.ID, Name: o.Exporter.Name,
			Orders: o.Orders}
	}
	for i := range found.Reports {
		v.Reports = append(v.Reports, newInspectedReport(&found.Reports[i], catalogue, say))
	}
	if found.Statement != nil {
		v.Bank = new(newInspectedFile(found.Statement, say))
	}
	if l := found.Ledger; l != nil {
		v.Ledger = &InspectedLedger{InspectedFile: newInspectedFile(&l.Inspected, say), Orders: l.Orders, Lines: l.Lines,
			Open: l.Open, Brand: l.Brand, AsOf: l.AsOf.String()}
	}
	return v
}

func newInspectedFile(f *ports.Inspected, say Sentence) InspectedFile {
	v := InspectedFile{Is: Is(FileNames[f.Is]), Kind: Kind(f.Kind), Sheet: f.Sheet, HeaderLine: f.HeaderLine,
		Header: OrEmpty(f.Header), Columns: []InspectedColumn{}, Rows: f.Rows, From: OrNone(f.From.String()),
		To: OrNone(f.To.String()), Fault: newFailure(f.Fault, say)}
	for i, name := range f.Header {
		v.Columns = append(v.Columns, InspectedColumn{Name: name, Samples: OrEmpty(f.Samples[i])})
	}
	return v
}

// newFailure returns the view of a file's fault; nil of none.
func newFailure(fault error, say Sentence) *Failure {
	if fault == nil {
		return nil
	}
	_, code, _ := domain.KindOf(fault)
	v := &Failure{Error: say(fault), Code: code}
	if e, ok := errors.AsType[*domain.FileError](fault); ok {
		v.File, v.Report = FileNames[e.File], e.Report
	}
	return v
}

func newInspectedReport(f *ports.InspectedReport, catalogue []ports.CourierInfo, say Sentence) InspectedReport {
	v := InspectedReport{InspectedFile: newInspectedFile(&f.Inspected, say), Courier: f.Courier, Also: []string{},
		Saved: f.Saved != domain.Mapping{}, SavedName: f.Name, SavedNames: OrEmpty(f.Names), HeaderHash: hashOrNone(f.HeaderHash),
		Missing: []string{}, Charges: OrEmpty(f.Mapping.Charges())}
	for _, c := range catalogue {
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
		v.Mapping = []RoleMapping{}
		return v
	}
	for _, role := range domain.Roles() {
		if role != domain.RoleCharges {
			v.Mapping = append(v.Mapping, newRoleMapping(f, role))
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

func newRoleMapping(f *ports.InspectedReport, role domain.Role) RoleMapping {
	v := RoleMapping{Role: role.String(), Column: f.Mapping[role], Source: "none", Candidates: OrEmpty(f.Candidates[role]),
		Samples: []string{}}
	without := f.Mapping
	without[role] = ""
	v.Required = slices.Contains(f.Missing, role) || v.Column != "" && without.MissingRoles() != nil
	switch _, stated := f.Stated[role]; {
	case v.Column == "":
	case stated:
		v.Source = "stated"
	case f.Saved[role] != "":
		v.Source = "saved"
	default:
		v.Source = "detected"
	}
	if at := slices.Index(f.Header, v.Column); at >= 0 && v.Column != "" {
		v.Samples = OrEmpty(f.Samples[at])
	}
	return v
}
