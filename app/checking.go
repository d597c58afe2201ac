package app

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"milaan/domain"
	"milaan/ports"
)

// task is a request that has been checked.
type task struct {
	ports.Request
	courier string // id, or blank
	choice  ports.MappingChoice
}

// content is one of the task's files, in the form in which it is read.
func (t *task) content(bytes []byte) ports.Content {
	return ports.Content{Bytes: bytes, Workbook: t.Workbooks, Sheets: t.Sheets}
}

// Check fills ports.Reconciling.
func (r *Reconciling) Check(req ports.Request) domain.Faults {
	_, faults := r.check(req)
	return faults
}

// check checks the fields of a request, and nothing else does. It returns the first
// fault of each field; if courierName is faulty, columns are checked as for custom.
func (r *Reconciling) check(req ports.Request) (task, domain.Faults) {
	t, faults := task{Request: req}, slices.Clone(req.Misread)
	if faults.Has(domain.FieldJob) {
		return t, faults
	}
	faults.Add(!domain.GoodLabel(req.CourierName), domain.Fault{Field: domain.FieldCourierName, Rule: domain.RuleLabel, Max: domain.MaxLabel})
	if name := strings.TrimSpace(req.CourierName); name != "" {
		id, known := r.in.Couriers.Identify(name)
		if t.courier = id; !known {
			faults.Add(true, domain.Fault{Field: domain.FieldCourierName, Rule: domain.RuleOneOf, Options: r.courierIDs()})
		}
	}
	brand := strings.TrimSpace(req.Brand)
	faults.Add(!domain.GoodLabel(req.Brand), domain.Fault{Field: domain.FieldBrand, Rule: domain.RuleLabel, Max: domain.MaxLabel})
	faults.Add(brand == "" && req.Source == domain.SourceBatch, domain.Fault{Field: domain.FieldBrand, Rule: domain.RuleMissing})
	t.Brand = cmp.Or(brand, domain.DefaultBrand)
	for _, f := range domain.CheckTerms(req.OverdueDays, req.MinorGap) {
		faults.Add(true, f)
	}
	if req.Columns != nil {
		faults.Add(t.courier != domain.CustomCourier && !faults.Has(domain.FieldCourierName), domain.Fault{Field: domain.FieldColumns, Rule: domain.RuleCustom})
		columns, fault := columnsByRole(req.Columns)
		faults.Add(fault.Rule != "", fault)
		t.choice.Columns = columns
	}
	return t, faults.Sorted()
}

func (r *Reconciling) courierIDs() (ids []string) {
	for _, courier := range r.in.Couriers.Catalogue() {
		ids = append(ids, courier.ID)
	}
	return ids
}

// columnsByRole reads the roles of columns. The fault has no rule if nothing is wrong.
func columnsByRole(columns map[string]string) (map[domain.Role]string, domain.Fault) {
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
		case strings.TrimSpace(columns[name]) == "":
			fault.Rule, fault.Role = domain.RuleBlank, role
			return nil, fault
		}
		byRole[role] = columns[name]
	}
	return byRole, fault
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
