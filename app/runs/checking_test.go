package runs_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"milaan/couriers"
	"milaan/domain"
	"milaan/domain/verdict"
	"milaan/ports"
	"milaan/tests/fakes/storage"
)

// Every field with a fault is told of, in the order of the fields.
func TestFaultsOfARequest(t *testing.T) {
	t.Parallel()
	hundred := strings.Repeat("ñ", 100)
	number := func(n int) *int { return &n }
	var many = map[string]string{}
	for i := range domain.RoleCount + 1 {
		many[fmt.Sprint(i)] = "x"
	}
	label, roles := domain.Fault{Rule: domain.RuleLabel, Max: 100}, domain.Fault{Field: domain.FieldColumns}
	of := func(field domain.Field, fault domain.Fault) domain.Fault {
		fault.Field = field
		return fault
	}
	rule := func(r domain.Rule) domain.Fault { f := roles; f.Rule = r; return f }
	unknown := domain.Fault{Field: domain.FieldCourierName, Rule: domain.RuleOneOf,
		Options: courierNames()}
	named := func(role, column string) ports.Request {
		return ports.Request{CourierName: " Custom ", Columns: map[string]string{role: column}}
	}
	b := newRunningBench(t, storage.ProAccount())
	unread := domain.Fault{Field: domain.FieldCourierName, Rule: domain.RuleType, Value: "number"}
	for name, c := range map[string]struct {
		request ports.Request
		want    domain.Faults
	}{
		"the longest labels":   {ports.Request{Brand: hundred, CourierName: " dtdc "}, nil},
		"bounds":               {ports.Request{OverdueDays: number(30), MinorGap: number(0)}, nil},
		"columns":              {named("awb", "Docket"), nil},
		"no columns":           {ports.Request{CourierName: "custom", Columns: map[string]string{}}, nil},
		"a long label":         {ports.Request{Brand: hundred + "ñ", CourierName: hundred + "ñ"}, domain.Faults{of(domain.FieldCourierName, label), of(domain.FieldBrand, label)}},
		"blanks that are none": {ports.Request{Brand: "\n", CourierName: "\n", Source: domain.SourceBatch}, domain.Faults{of(domain.FieldCourierName, label), of(domain.FieldBrand, label)}},
		"a control character":  {ports.Request{Brand: "a\u0085b"}, domain.Faults{of(domain.FieldBrand, label)}},
		"a job without brand":  {ports.Request{Brand: " ", Source: domain.SourceBatch}, domain.Faults{{Field: domain.FieldBrand, Rule: domain.RuleMissing}}},
		"numbers": {ports.Request{OverdueDays: number(31), MinorGap: number(-1)},
			domain.Faults{domain.OutOfBounds(domain.FieldOverdueDays), domain.OutOfBounds(domain.FieldMinorGap)}},
		"an unknown courier":     {ports.Request{CourierName: "pigeon", MinorGap: number(11)}, domain.Faults{unknown, domain.OutOfBounds(domain.FieldMinorGap)}},
		"columns of a courier":   {ports.Request{CourierName: "dtdc", Columns: map[string]string{}}, domain.Faults{rule(domain.RuleCustom)}},
		"columns of nobody":      {ports.Request{Columns: map[string]string{"awb": "x"}}, domain.Faults{rule(domain.RuleCustom)}},
		"columns, as for custom": {ports.Request{CourierName: "pigeon", Columns: map[string]string{"awb": "x"}}, domain.Faults{unknown}},
		"an unknown role too": {ports.Request{CourierName: "pigeon", Columns: map[string]string{"y": "x", "x": "y"}},
			domain.Faults{unknown, {Field: domain.FieldColumns, Rule: domain.RuleRole, Value: "x"}}},
		"a long role":           {named(hundred, "x"), domain.Faults{{Field: domain.FieldColumns, Rule: domain.RuleRole, Value: hundred[:60] + "…"}}},
		"a role without name":   {named("utr", " "), domain.Faults{{Field: domain.FieldColumns, Rule: domain.RuleBlank, Role: domain.RoleUTR}}},
		"too many charges":      {named("charges", strings.Repeat("x"+domain.ColumnSeparator, verdict.MaxCharges)+"x"), domain.Faults{{Field: domain.FieldColumns, Rule: domain.RuleTooMany, Max: verdict.MaxCharges}}},
		"a charge without name": {named("charges", "Freight"+domain.ColumnSeparator), domain.Faults{{Field: domain.FieldColumns, Rule: domain.RuleBlank, Role: domain.RoleCharges}}},
		"too many roles":        {ports.Request{CourierName: "custom", Columns: many}, domain.Faults{{Field: domain.FieldColumns, Rule: domain.RuleTooMany, Max: 10}}},
		"fields that could not be read": {ports.Request{Misread: domain.Faults{unread, {Field: domain.FieldStorefront, Rule: domain.RuleMissing}}, Brand: "\t", Columns: map[string]string{"awb": "x"}},
			domain.Faults{{Field: domain.FieldStorefront, Rule: domain.RuleMissing}, unread, of(domain.FieldBrand, label)}},
		"a job that is none": {ports.Request{Misread: domain.Faults{{Field: domain.FieldJob, Rule: domain.RuleType}}, Source: domain.SourceBatch},
			domain.Faults{{Field: domain.FieldJob, Rule: domain.RuleType}}},
	} {
		require.Equal(t, c.want, b.reconciling.Check(c.request), name)
		_, err := b.reconciling.Reconcile(t.Context(), ports.Caller{}, c.request)
		if c.want != nil {
			require.Equal(t, c.want.Err(), err, name)
		}
	}
}

// courierNames are those that a request may name: whoever adds a courier changes no test of runs.
func courierNames() (names []string) {
	for _, courier := range couriers.New(nil).Catalogue() {
		names = append(names, courier.ID)
	}
	return names
}
