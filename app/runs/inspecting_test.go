package runs_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"milaan/adapters/documents/ledger"
	"milaan/adapters/statement"
	"milaan/adapters/storefront"
	"milaan/adapters/table"
	"milaan/app/runs"
	"milaan/couriers"
	"milaan/domain"
	"milaan/ports"
	"milaan/tests/fakes/storage"
	"milaan/tests/only"
)

// newInspecting makes what inspects and runs, of files with a limit of rows.
func newInspecting(maxRows int) *runs.Reconciling {
	tables := table.New()
	return runs.NewReconciling(runs.ReconcilingParams{Storefronts: storefront.New(tables), Couriers: couriers.New(tables), ReadStatement: statement.New(tables).Read,
		OpenLedger: ledger.New(tables).Open, MaxRows: ports.MaxRows(maxRows)})
}

// TestAnInspectionFindsWhatARunFinds holds that the first fault of an inspection is the fault
// of a run, and that there is none if a run has none.
func TestAnInspectionFindsWhatARunFinds(t *testing.T) {
	t.Parallel()
	const (
		export = "Name,Total,Created at\n#1,5,2026-01-01\n"
		report = "AWB No,Order ID,COD Amount,Remittance Date\nA1,#1,5,2026-01-01\n"
		bank   = "Date,Narration,Credit\n2026-01-01,DTDC,5\n"
	)
	for name, files := range map[string][]string{ // export, statement, reports
		"all well":             {export, bank, report, report},
		"an amount":            {export + "#2,x,2026-01-01\n", bank, report},
		"a date of an order":   {export + "#2,5,yesterday\n", bank, report},
		"no order":             {"Name,Total,Created at\n", bank, report},
		"two faulty reports":   {export, bank, report, report + "A2,,x,2026-01-01\n", report + "A2,,y,2026-01-01\n"},
		"an open quote":        {export, bank, report + "\"A2"},
		"a cell too many":      {export, bank, report + "A2,,5,2026-01-01,x\n"},
		"a statement's amount": {export, bank + "2026-01-02,DTDC,x\n", report},
		"a stated column":      {export, bank, "Docket,Amt,Paid On\nA1,5,2026-01-01\n"},
		"an unknown header":    {export, bank, "a,b\n1,2\n"},
		"an ambiguous header":  {export, bank, "AWB No,AWB Number,COD Amount,Remittance Date\nA1,A2,5,2026-10-10\n"},
		"a PDF":                {export, bank, "%PDF-1.4"},
		"too many rows":        {export, bank, report + strings.Repeat("A2,,5,2026-01-01\n", 3), report + strings.Repeat("A3,,5,2026-01-01\n", 3)},
		"months first":         {export + "#2,5,2026-03-01\n", bank, "AWB No,Order ID,COD Amount,Remittance Date\nA1,#1,5,01/13/2026\nA1,#1,5,13/01/2026\n"},
	} {
		t.Run(name, func(t *testing.T) {
			request := func() ports.Request {
				req := ports.Request{Storefront: []byte(files[0]), Statement: []byte(files[1]), Source: domain.SourceDashboard, Workbooks: true}
				for _, text := range files[2:] {
					req.Reports = append(req.Reports, ports.Report{Courier: []byte(text)})
				}
				return req
			}
			reconciling := newInspecting(6)
			_, want := reconciling.Preview(t.Context(), request())
			found := only.Value(reconciling.Inspect(t.Context(), nil, request()))(t)
			require.Len(t, found.Reports, len(files)-2)
			faults := []error{found.Orders.Fault}
			for i := range found.Reports {
				faults = append(faults, found.Reports[i].Fault)
			}
			faults = append(faults, found.Statement.Fault)
			for _, fault := range faults {
				if fault != nil {
					require.Equal(t, want, fault)
					return
				}
			}
			require.NoError(t, want)
		})
	}
}

// TestDatesOfAReportAreReadWithTheOrders holds that dates which can be read both ways are
// read in an inspection as in a run: the export decides.
func TestDatesOfAReportAreReadWithTheOrders(t *testing.T) {
	t.Parallel()
	inspecting := newInspecting(0)
	request := ports.Request{Storefront: []byte("Name,Total,Created at\n#1,5,2026-01-01\n"), Courier: []byte("AWB No,COD Amount,Remittance Date\nA1,5,01/12/2026\n"), Source: domain.SourceDashboard}
	found := only.Value(inspecting.Inspect(t.Context(), nil, request))(t)
	require.Equal(t, "2026-01-12", found.Reports[0].From.String())
	request.Storefront = nil
	found = only.Value(inspecting.Inspect(t.Context(), nil, request))(t)
	require.Equal(t, "2026-12-01", found.Reports[0].To.String())
	require.Nil(t, found.Orders)
}

// TestInspectionsUseSavedMappings holds that an Enterprise account's saved mapping is used as
// in a run, and that nothing is stored.
func TestInspectionsUseSavedMappings(t *testing.T) {
	t.Parallel()
	b := newRunningBench(t, storage.EnterpriseAccount())
	req := ports.Request{Storefront: []byte(threeOrders), CourierName: "dtdc", Source: domain.SourceDashboard,
		Courier: []byte("AWB No,COD Amount,Order Value,Remittance Date\nA1,100,200,2026-01-09\n"), Columns: map[string]string{"cod_amount": "Order Value"}}
	run := only.Value(b.reconciling.Reconcile(t.Context(), ports.Caller{Account: b.Account}, req))(t)
	run.Release()
	req.Columns = nil
	for _, saved := range []bool{true, false} {
		account := b.Account
		if !saved {
			account.Plan = domain.Pro
		}
		found := only.Value(b.reconciling.Inspect(t.Context(), &account, req))(t)
		require.Equal(t, map[bool]string{true: "Order Value"}[saved], found.Reports[0].Saved[domain.RoleCODAmount])
		require.Equal(t, map[bool]string{true: "Order Value", false: "COD Amount"}[saved], found.Reports[0].Mapping[domain.RoleCODAmount])
	}
	require.Len(t, b.Store.RunIDs(), 1)
}

// TestInspectionsOfWrongFields holds that fields are checked, but no file is demanded.
func TestInspectionsOfWrongFields(t *testing.T) {
	t.Parallel()
	inspecting := newInspecting(0)
	_, err := inspecting.Inspect(t.Context(), nil, ports.Request{CourierName: "ups", Source: domain.SourceDashboard})
	var faults *domain.Error
	require.ErrorAs(t, err, &faults)
	require.Len(t, faults.Faults, 1)
	require.Equal(t, domain.FieldCourierName, faults.Faults[0].Field)
	found := only.Value(inspecting.Inspect(t.Context(), nil, ports.Request{Source: domain.SourceDashboard}))(t)
	require.Empty(t, found.Reports)
}

// TestSamplesAreFewAndShort holds what an inspection repeats of a file.
func TestSamplesAreFewAndShort(t *testing.T) {
	t.Parallel()
	inspecting := newInspecting(0)
	var text strings.Builder
	text.WriteString("AWB No,COD Amount,Remittance Date,Remarks,Blank\n")
	for i := range 2000 {
		fmt.Fprintf(&text, "A%d,5,2026-01-01,%s%d,\n", i, strings.Repeat("x", 100), i%2)
	}
	found := only.Value(inspecting.Inspect(t.Context(), nil, ports.Request{Courier: []byte(text.String()), Source: domain.SourceDashboard}))(t)
	seen := found.Reports[0].Seen
	require.Equal(t, 2000, seen.Rows)
	require.Equal(t, []string{"A0", "A1", "A2"}, seen.Samples[0])
	require.Equal(t, []string{"5"}, seen.Samples[1])
	require.Equal(t, []string{strings.Repeat("x", 60) + "…"}, seen.Samples[3])
	require.Empty(t, seen.Samples[4])
}
