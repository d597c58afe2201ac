package runs

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"milaan/domain"
	"milaan/domain/verdict"
	"milaan/ports"
)

// task is a request that has been checked.
type task struct {
	ports.Request
	courier string    // under which the run is stored: an id, several joined by domain.CourierSeparator, or blank
	reports []*report // one, or all if the request has Reports
	// ofDocument says that the run is for a document: it is a duplicate of any run of
	// the cycle with the same files and settings.
	ofDocument bool
	marks      []domain.MarkedOrder // of a document
	only       []domain.ChosenOrder // of a document
	taken      *ports.Taken         // by its workbooks
	named      []domain.NamedMapping
	listed     bool // named are those of the account
}

type report struct {
	content []byte
	courier string // id, or blank
	choice  ports.MappingChoice
	mapping string // the name of the saved mapping that the request names; blank: none
	sheet   string // of a workbook of which several are read; blank: as the request says
}

// content is one of the task's files, in the form in which it is read.
func (t *task) content(bytes []byte) ports.Content {
	c := ports.Content{Bytes: bytes, Workbook: t.Workbooks, Sheets: t.Sheets, Taken: t.taken}
	if t.Sandbox {
		c.MaxRows = domain.SandboxRows
	}
	return c
}

func (t *task) contentOf(r *report) ports.Content {
	c := t.content(r.content)
	if r.sheet != "" {
		c.Sheets = []string{r.sheet}
	}
	return c
}

// spread makes a report of each sheet of a workbook of which the request names several
// (guide: verdict 7).
func (t *task) spread(couriers ports.Couriers) error {
	if len(t.Sheets) == 0 {
		return nil
	}
	var all []*report
	for _, r := range t.reports {
		sheets := couriers.Sheets(t.contentOf(r), r.choice)
		for _, sheet := range sheets {
			one := *r
			one.sheet = sheet
			all = append(all, &one)
		}
		if len(sheets) == 0 {
			all = append(all, r)
		}
	}
	if len(all) > domain.MaxReports && len(all) > len(t.reports) {
		return tooManyReports()
	}
	t.reports = all
	return nil
}

// unknownSheets returns the names of sheets that no file has, which has been read.
func (t *task) unknownSheets() (names []string) {
	for _, name := range t.Sheets {
		if _, found := t.taken.Sheets.Load(name); !found && name != ports.AllSheets {
			names = append(names, domain.Shortened(name))
		}
	}
	return names
}

func tooManyReports() error {
	return domain.Faults{{Field: domain.FieldReports, Rule: domain.RuleTooMany, Max: domain.MaxReports}}.Err()
}

// seenContent is content that notes what its reader sees.
func (t *task) seenContent(bytes []byte, seen *ports.Seen) ports.Content {
	c := t.content(bytes)
	c.Seen = seen
	return c
}

// hasFiles says whether the files of the request have been read.
func (t *task) hasFiles() bool { return t.Storefront != nil }

// several says whether messages must name the report.
func (t *task) several() bool { return len(t.reports) > 1 }

// mappings returns, for each courier that is named, the mapping by which its last report
// was read.
func (t *task) mappings(read []verdict.ReadReport) (saved []ports.SavedMapping) {
	for i, report := range t.reports {
		if report.courier == "" {
			continue
		}
		if report.choice.Asked != nil ||
			report.courier == domain.CustomCourier && (t.Source == domain.SourceDashboard || read[i].MappingName != "") {
			continue // it has a name of its own, and replaces nothing of another courier
		}
		m := ports.SavedMapping{CourierName: report.courier, Mapping: read[i].Mapping}
		for _, role := range []domain.Role{domain.RoleOrderID, domain.RoleCharges} {
			m.Mapping[role] = report.stated(role, read[i].Saved)
		}
		if at := slices.IndexFunc(saved, func(s ports.SavedMapping) bool { return s.CourierName == m.CourierName }); at >= 0 {
			saved[at] = m
			continue
		}
		saved = append(saved, m)
	}
	return saved
}

// stated returns the column that a person has stated for a role, now or when the mapping was
// saved by which the report was read: of one that did not fit nothing is saved again, or the next
// report would need its columns. Of the order and of charges no other is saved: which of several
// columns names the orders is another one for another brand, and each file is searched for
// charges, so that a new one is found.
func (r *report) stated(role domain.Role, bySaved bool) string {
	if bySaved {
		return r.choice.Saved[role]
	}
	return r.choice.Columns[role]
}

func (r *Reconciling) Check(req ports.Request) domain.Faults {
	_, faults := r.check(req)
	return faults
}

// check checks the fields of a request, and nothing else does. It returns the first
// fault of each field; if courierName is faulty, columns are checked as for custom. Of
// a request without an export, which a caller has not read yet, it checks no file.
func (r *Reconciling) check(req ports.Request) (task, domain.Faults) {
	t, faults := task{Request: req, taken: &ports.Taken{Files: req.Bytes(), Claim: req.Claim, Passed: req.Passed}}, slices.Clone(req.Misread)
	if req.Source == domain.SourceDashboard {
		t.taken.Most = ports.MostUploadText
	}
	if faults.Has(domain.FieldJob) {
		return t, faults
	}
	if req.Reports == nil {
		faults.Add(t.hasFiles() && req.Courier == nil && !faults.Has(domain.FieldReports),
			domain.Fault{Field: domain.FieldCourier, Rule: domain.RuleMissing})
		only := ports.Report{Courier: req.Courier, CourierName: req.CourierName, Columns: req.Columns, Mapping: req.Mapping}
		t.reports = []*report{r.checkReport(&faults, 0, only, req.Source == domain.SourceDashboard)}
		t.courier = t.reports[0].courier
	} else {
		r.checkReports(&t, &faults)
	}
	brand := strings.TrimSpace(req.Brand)
	faults.Add(!domain.GoodLabel(req.Brand), domain.Fault{Field: domain.FieldBrand, Rule: domain.RuleLabel, Max: domain.MaxLabel})
	faults.Add(brand == "" && req.Source == domain.SourceBatch, domain.Fault{Field: domain.FieldBrand, Rule: domain.RuleMissing})
	faults.Add(req.Sandbox && !domain.GoodSandboxBrand(brand),
		domain.Fault{Field: domain.FieldBrand, Rule: domain.RuleOneOf, Options: domain.SandboxBrands()})
	t.Brand = cmp.Or(brand, domain.DefaultBrand)
	faults.AddAll(domain.CheckTerms(req.OverdueDays, req.MinorGap, req.Charges))
	return t, faults.Sorted()
}

// checkReports checks several reports. The courierName beside them only names the run.
func (r *Reconciling) checkReports(t *task, faults *domain.Faults) {
	faults.Add(t.Courier != nil, domain.Fault{Field: domain.FieldReports, Rule: domain.RuleEither})
	faults.Add(len(t.Reports) == 0, domain.Fault{Field: domain.FieldReports, Rule: domain.RuleTooFew, Min: 1, Max: domain.MaxReports})
	faults.Add(len(t.Reports) > domain.MaxReports, domain.Fault{Field: domain.FieldReports, Rule: domain.RuleTooMany, Max: domain.MaxReports})
	faults.Add(t.Columns != nil, domain.Fault{Field: domain.FieldColumns, Rule: domain.RuleInEach})
	faults.Add(t.Mapping != "", domain.Fault{Field: domain.FieldMapping, Rule: domain.RuleInEach})
	t.courier = r.Identify(faults, 0, t.CourierName)
	read := t.hasFiles() || faults.Has(domain.FieldStorefront) // then the export is missing, and was looked for
	var named []string
	for i, given := range t.Reports[:min(len(t.Reports), domain.MaxReports)] {
		faults.Add(read && given.Courier == nil && !faults.HasOf(i+1, domain.FieldReports),
			domain.Fault{Field: domain.FieldCourier, Report: i + 1, Rule: domain.RuleMissing})
		checked := r.checkReport(faults, i+1, given, t.Source == domain.SourceDashboard)
		t.reports = append(t.reports, checked)
		if checked.courier != "" {
			named = append(named, checked.courier)
		}
	}
	t.courier = cmp.Or(t.courier, domain.JoinCouriers(named))
}

// checkReport checks the fields of a report. position counts from 1; 0 means the only
// one. anyCourier says whether columns may be stated for every courier: in the dashboard a
// person sees what they do, and a program that states them for a courier with a profile has
// most likely mixed two reports up.
func (r *Reconciling) checkReport(faults *domain.Faults, position int, given ports.Report, anyCourier bool) *report {
	checked := &report{content: given.Courier, courier: r.Identify(faults, position, given.CourierName)}
	if given.Columns != nil {
		faults.Add(!anyCourier && checked.courier != domain.CustomCourier && !faults.HasOf(position, domain.FieldCourierName),
			domain.Fault{Field: domain.FieldColumns, Report: position, Rule: domain.RuleCustom})
		columns, fault := ColumnsByRole(given.Columns)
		fault.Report = position
		faults.Add(fault.Rule != "", fault)
		checked.choice.Columns = columns
	}
	if checked.mapping = given.Mapping; domain.MappingKey(checked.mapping) == "" {
		checked.mapping = ""
		return checked
	}
	fault := domain.Fault{Field: domain.FieldMapping, Report: position, Rule: domain.RuleLabel, Max: domain.MaxLabel}
	faults.Add(!domain.GoodMappingName(checked.mapping), fault)
	decides := checked.courier != "" && checked.courier != domain.CustomCourier
	faults.Add(given.Columns != nil || decides, domain.Fault{Field: domain.FieldMapping, Report: position, Rule: domain.RuleAlone})
	return checked
}

// Identify checks a courierName and returns the id of the courier that it means; blank if
// it names none.
func (r *Reconciling) Identify(faults *domain.Faults, position int, courierName string) string {
	fault := domain.Fault{Field: domain.FieldCourierName, Report: position, Rule: domain.RuleLabel, Max: domain.MaxLabel}
	faults.Add(!domain.GoodLabel(courierName), fault)
	name := strings.TrimSpace(courierName)
	if name == "" {
		return ""
	}
	id, known := r.in.Couriers.Identify(name)
	if !known {
		fault.Rule, fault.Max = domain.RuleOneOf, 0
		for _, courier := range r.in.Couriers.Catalogue() {
			fault.Options = append(fault.Options, courier.ID)
		}
		faults.Add(true, fault)
	}
	return id
}

// ColumnsByRole reads the roles of columns. The fault has no rule if nothing is wrong.
func ColumnsByRole(columns map[string]string) (map[domain.Role]string, domain.Fault) {
	fault := domain.Fault{Field: domain.FieldColumns}
	if len(columns) > int(domain.RoleCount) {
		fault.Rule, fault.Max = domain.RuleTooMany, int(domain.RoleCount)
		return nil, fault
	}
	byRole := make(map[domain.Role]string, len(columns))
	for _, name := range slices.Sorted(maps.Keys(columns)) {
		role, known := domain.ParseRole(name)
		switch {
		case !known:
			fault.Rule, fault.Value = domain.RuleRole, domain.Shortened(name)
			return nil, fault
		case slices.ContainsFunc(strings.Split(columns[name], domain.ColumnSeparator),
			func(header string) bool { return strings.TrimSpace(header) == "" }):
			fault.Rule, fault.Role = domain.RuleBlank, role
			return nil, fault
		case role == domain.RoleCharges && len(domain.SplitColumns(columns[name])) > verdict.MaxCharges:
			fault.Rule, fault.Max = domain.RuleTooMany, verdict.MaxCharges
			return nil, fault
		}
		byRole[role] = columns[name]
	}
	return byRole, fault
}

// storedLabels returns the labels of a batch's job whose files must not be read.
// courierName is what Request.CourierNames returned.
func (r *Reconciling) storedLabels(brand, courierName string) (_, _ string) {
	req := ports.Request{Brand: brand, CourierName: courierName}
	if names := strings.Split(courierName, domain.CourierSeparator); len(names) > 1 {
		req.CourierName = ""
		for _, name := range names {
			req.Reports = append(req.Reports, ports.Report{CourierName: name})
		}
	}
	return r.labels(req)
}

// labels returns the brand and the courierName under which a run of a batch's request
// is stored. If the request has a fault, courierName is blank and the brand is as given.
func (r *Reconciling) labels(req ports.Request) (brand, courierName string) {
	t, faults := r.check(req)
	if brand = strings.TrimSpace(req.Brand); brand == "" || len(faults) > 0 {
		return brand, ""
	}
	return t.Brand, t.courier
}
