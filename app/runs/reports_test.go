package runs_test

import (
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"milaan/adapters/storefront"
	"milaan/adapters/table"
	"milaan/app/runs"
	"milaan/couriers"
	"milaan/domain"
	"milaan/ports"
	"milaan/tests/only"
)

// comparer compares files without a database. maxRows is how many rows the reports may have
// together.
func comparer(maxRows int) *runs.Reconciling {
	tables := table.New()
	return runs.NewReconciling(runs.ReconcilingParams{Storefronts: storefront.New(tables), Couriers: couriers.New(tables), Clock: time.Now, MaxRows: ports.MaxRows(maxRows)})
}

func texts(all ...string) (reports []ports.Report) {
	for _, text := range all {
		reports = append(reports, ports.Report{Courier: []byte(text)})
	}
	return reports
}

const (
	threeOrders   = "Name,Total,Created at,AWB\n#1,100,2026-01-01,A1\n#2,200,2026-01-02,A2\n#3,300,2026-01-03,A3\n"
	delhiveryHead = "AWB No,COD Amount,Remittance Date\n"
)

// TestFaultsOfSeveralReports holds which fields of a request with several reports are
// refused, and that the report is named.
func TestFaultsOfSeveralReports(t *testing.T) {
	t.Parallel()
	ids := courierNames()
	good := ports.Report{Courier: []byte("x")}
	for name, c := range map[string]struct {
		request ports.Request
		want    domain.Faults
	}{
		"neither":          {ports.Request{}, domain.Faults{{Field: domain.FieldCourier, Rule: domain.RuleMissing}}},
		"both":             {ports.Request{Courier: []byte("x"), Reports: []ports.Report{good}}, domain.Faults{{Field: domain.FieldReports, Rule: domain.RuleEither}}},
		"none":             {ports.Request{Reports: []ports.Report{}}, domain.Faults{{Field: domain.FieldReports, Rule: domain.RuleTooFew, Min: 1, Max: 20}}},
		"one":              {ports.Request{Reports: []ports.Report{good}}, nil},
		"twenty":           {ports.Request{Reports: copies(good, 20)}, nil},
		"twenty-one":       {ports.Request{Reports: copies(good, 21)}, domain.Faults{{Field: domain.FieldReports, Rule: domain.RuleTooMany, Max: 20}}},
		"blank":            {ports.Request{Reports: []ports.Report{good, {}}}, domain.Faults{{Field: domain.FieldCourier, Report: 2, Rule: domain.RuleMissing}}},
		"columns beside":   {ports.Request{CourierName: "custom", Columns: map[string]string{"awb": "A"}, Reports: []ports.Report{good}}, domain.Faults{{Field: domain.FieldColumns, Rule: domain.RuleInEach}}},
		"unknown courier":  {ports.Request{Reports: []ports.Report{good, {Courier: []byte("x"), CourierName: "bluedart"}}}, domain.Faults{{Field: domain.FieldCourierName, Report: 2, Rule: domain.RuleOneOf, Options: ids}}},
		"columns alone":    {ports.Request{Reports: []ports.Report{{Courier: []byte("x"), Columns: map[string]string{"awb": "A"}}}}, domain.Faults{{Field: domain.FieldColumns, Report: 1, Rule: domain.RuleCustom}}},
		"a faulty role":    {ports.Request{Reports: []ports.Report{good, {Courier: []byte("x"), CourierName: "Custom", Columns: map[string]string{"x": "A"}}}}, domain.Faults{{Field: domain.FieldColumns, Report: 2, Rule: domain.RuleRole, Value: "x"}}},
		"two of one field": {ports.Request{Reports: []ports.Report{{}, {}}}, domain.Faults{{Field: domain.FieldCourier, Report: 1, Rule: domain.RuleMissing}, {Field: domain.FieldCourier, Report: 2, Rule: domain.RuleMissing}}},
		"read wrongly":     {ports.Request{Reports: []ports.Report{good, {}}, Misread: domain.Faults{{Field: domain.FieldCourier, Report: 2, Rule: domain.RuleType}}}, domain.Faults{{Field: domain.FieldCourier, Report: 2, Rule: domain.RuleType}}},
		"no object":        {ports.Request{Reports: []ports.Report{good, {}}, Misread: domain.Faults{{Field: domain.FieldReports, Report: 2, Rule: domain.RuleObject}}}, domain.Faults{{Field: domain.FieldReports, Report: 2, Rule: domain.RuleObject}}},
		"their order": {ports.Request{Brand: strings.Repeat("b", 101), Reports: []ports.Report{{CourierName: "x"}, {}}},
			domain.Faults{{Field: domain.FieldCourier, Report: 1, Rule: domain.RuleMissing}, {Field: domain.FieldCourierName, Report: 1, Rule: domain.RuleOneOf, Options: ids},
				{Field: domain.FieldCourier, Report: 2, Rule: domain.RuleMissing}, {Field: domain.FieldBrand, Rule: domain.RuleLabel, Max: 100}}},
	} {
		c.request.Storefront = []byte("x")
		require.Equal(t, c.want, comparer(0).Check(c.request), name)
	}
	require.Empty(t, comparer(0).Check(ports.Request{Reports: make([]ports.Report, 2)}), "files that are not read yet")
	noExport := domain.Faults{{Field: domain.FieldStorefront, Rule: domain.RuleMissing}}
	require.Len(t, comparer(0).Check(ports.Request{Reports: make([]ports.Report, 2), Misread: noExport}), 3, "an export that is missing hides no report that is")
}

func copies(r ports.Report, n int) (all []ports.Report) {
	for range n {
		all = append(all, r)
	}
	return all
}

// TestFaultsNameTheirReport holds that the first faulty file is named, whether or not the
// reports are read at the same time.
func TestFaultsNameTheirReport(t *testing.T) {
	t.Parallel()
	good, export := delhiveryHead+"A1,100,2026-01-05\n", threeOrders
	long := delhiveryHead + strings.Repeat("A9,100,2026-01-05\n", 20_000)
	for name, c := range map[string]struct {
		reports []string
		want    domain.FileError
	}{
		"an amount in the third":     {[]string{good, good, good + "A2,much,2026-01-05\n"}, domain.FileError{Report: 3, Rule: domain.RuleAmount, Line: 3, Column: "COD Amount", Value: "much", Roles: []domain.Role{domain.RoleCODAmount}}},
		"the first of two":           {[]string{good + "A2,x,2026-01-05\n", good + "A2,much,2026-01-05\n"}, domain.FileError{Report: 1, Rule: domain.RuleAmount, Line: 3, Column: "COD Amount", Value: "x", Roles: []domain.Role{domain.RoleCODAmount}}},
		"the first of two long ones": {[]string{long, long + "A2,x,2026-01-05\n", long + "A2,much,2026-01-05\n"}, domain.FileError{Report: 2, Rule: domain.RuleAmount, Line: 20002, Column: "COD Amount", Value: "x", Roles: []domain.Role{domain.RoleCODAmount}}},
		"the export again":           {[]string{good, export}, domain.FileError{Report: 2, Rule: domain.RuleGivenTwice, NoHeader: true}},
		"another export":             {[]string{good, export + "#4,300,2026-01-03,A3\n"}, domain.FileError{Report: 2, Rule: domain.RuleOtherFile, NoHeader: true}},
		"too many rows":              {[]string{long, long, long}, domain.FileError{Report: 3, Rule: domain.RuleRowsTogether, Limit: 50_000}},
		"a fault after them":         {[]string{long, long, long, "no report"}, domain.FileError{Report: 3, Rule: domain.RuleRowsTogether, Limit: 50_000}},
	} {
		_, err := comparer(50_000).Preview(t.Context(), ports.Request{Storefront: []byte(export), Reports: texts(c.reports...)})
		c.want.File = domain.CourierFile
		var got *domain.FileError
		require.ErrorAs(t, err, &got, name)
		require.Equal(t, &c.want, got, name)
	}
	var got *domain.FileError
	for position, request := range map[int]ports.Request{0: {Courier: []byte{}}, 2: {Reports: texts(good, "")}} {
		request.Storefront = []byte(export)
		require.ErrorAs(t, only.Err(comparer(0).Preview(t.Context(), request)), &got, "a file without a byte was given")
		require.Equal(t, &domain.FileError{File: domain.CourierFile, Report: position, Rule: domain.RuleEmpty}, got)
	}
	require.ErrorAs(t, only.Err(comparer(0).Preview(t.Context(), ports.Request{Storefront: []byte(good), Reports: texts(good, export)})), &got)
	require.Equal(t, domain.StorefrontFile, got.File)
	require.Equal(t, domain.RuleSwapped, got.Rule)
	require.Equal(t, 2, got.Report, "the report that is the export")
	run, err := comparer(50_000).Preview(t.Context(), ports.Request{Storefront: []byte(export), Reports: texts(long, long, good, good)})
	require.NoError(t, err)
	defer run.Release()
	require.Equal(t, 40_002, run.Tally.CourierRows)
}

// TestRunsAfterLargeOnesAreTheirOwn holds that a run has nothing of an earlier run, whose
// reports were read at the same time.
func TestRunsAfterLargeOnesAreTheirOwn(t *testing.T) {
	t.Parallel()
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(4))
	r := comparer(0)
	long := delhiveryHead + strings.Repeat("A9,100,2026-01-25\n", 30_000)
	for _, reports := range [][]string{{long, long, long, long}, {delhiveryHead + "A1,100,2026-01-05\n", delhiveryHead + "A2,200,2026-01-07\n"}, {long, long}} {
		run := only.Value(r.Preview(t.Context(), ports.Request{Storefront: []byte(threeOrders), Reports: texts(reports...)}))(t)
		require.Len(t, run.Reports(), len(reports))
		lines := 0
		for _, of := range run.ReportTotals() {
			lines += of.Read.Lines
		}
		require.Equal(t, run.Tally.CourierRows, lines)
		run.Release()
	}
}

// TestReportsOfSeveralCouriers holds that each report is read by its own header, that a
// line in two of them counts once, and which courier is behind.
func TestReportsOfSeveralCouriers(t *testing.T) {
	t.Parallel()
	reports := []ports.Report{
		{Courier: []byte("Waybill Number,COD Amount,Remittance Date\nA1,100,2026-01-20\n"), CourierName: "shadowfax"},
		{Courier: []byte("AWB No,Collected,Net Payable,Paid On\nA2,200,180,2026-01-09\nA2,200,180,2026-01-09\n"), CourierName: "custom",
			Columns: map[string]string{"cod_amount": "Collected", "remitted_amount": "Net Payable", "remittance_date": "Paid On"}},
		{Courier: []byte("Waybill Number,COD Amount,Remittance Date\nA1,100,2026-01-20\nA9,50,2026-01-21\n"), CourierName: "shadowfax"},
	}
	run := only.Value(comparer(0).Preview(t.Context(), ports.Request{Storefront: []byte(threeOrders), Reports: reports}))(t)
	defer run.Release()
	require.Equal(t, domain.DayFromDate(2026, time.January, 9), run.Guidance.DataThrough)
	require.Equal(t, domain.Behind{Report: 2, Courier: "custom"}, run.Guidance.Behind)
	require.Equal(t, domain.Paise(100_00), run.Result(0).Remitted)
	require.Equal(t, domain.Paise(180_00), run.Result(1).Remitted)
	require.Equal(t, 5, run.Tally.CourierRows)
	require.Equal(t, 1, run.Tally.Unclaimed)
	read := run.Reports()
	require.Len(t, read, 3)
	require.Equal(t, "Collected", read[1].Mapping[domain.RoleCODAmount])
	require.Equal(t, []int{1, 2, 2}, []int{read[0].Rows, read[1].Rows, read[2].Rows})
}
