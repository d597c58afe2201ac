package runs_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"milaan/domain"
	"milaan/ports"
	"milaan/tests/fakes/storage"
	"milaan/tests/only"
)

// severalCouriers asks for a run of three reports: one of Shadowfax, one of a courier
// whose columns the request names, and one whose courier it does not name.
func severalCouriers(brand string) ports.Request {
	return ports.Request{
		Storefront: []byte(threeOrders), Brand: brand, Source: domain.SourceAPI,
		Reports: []ports.Report{
			{CourierName: "Shadow-Fax", Courier: []byte("AWB Number,COD Amount (INR),Remittance Date\nA1,100,2026-01-20\n")},
			{CourierName: "custom", Courier: []byte("Docket,Cash,Paid\nA2,200,2026-01-09\n"), Columns: map[string]string{"awb": "Docket", "cod_amount": "Cash", "remittance_date": "Paid"}},
			{Courier: []byte("AWB Code,Total Amount,Payment Date\nA3,300,2026-01-10\n")},
		},
	}
}

// TestARunIsStoredUnderItsCouriers holds what the audit history knows a run of several
// reports by: the courierName of the request, or the ids of those that its reports name.
func TestARunIsStoredUnderItsCouriers(t *testing.T) {
	t.Parallel()
	b := newRunningBench(t, storage.ProAccount())
	one := severalCouriers("joined")
	named := severalCouriers("named")
	named.CourierName = "D T D C"
	unnamed := severalCouriers(" ")
	unnamed.Reports = unnamed.Reports[2:]
	for i, req := range []ports.Request{one, named, unnamed} {
		run := only.Value(b.reconciling.Reconcile(t.Context(), ports.Caller{Account: b.Account}, req))(t)
		require.Equal(t, []string{"custom+shadowfax", "dtdc", ""}[i], run.Run.CourierName)
		require.Equal(t, len(req.Reports), run.Tally.CourierRows)
		run.Release()
	}
	require.Equal(t, []string{"custom+shadowfax", "dtdc", ""}, storage.Column[string](b.Store, "SELECT courier_name FROM runs ORDER BY rowid"))
	require.Equal(t, []string{"joined", "named", "default"}, storage.Column[string](b.Store, "SELECT brand FROM runs ORDER BY rowid"))
	for _, id := range []string{"custom", "shadowfax", "dtdc"} {
		require.Len(t, storage.Column[string](b.Store, "SELECT id FROM runs WHERE '+' || courier_name || '+' LIKE '%+"+id+"+%'"), 1, "%s can be found by itself", id)
	}
}

// TestMappingsAreSavedPerReport holds that each report whose courier is named is read by
// what was saved of that courier, and saves how it was read.
func TestMappingsAreSavedPerReport(t *testing.T) {
	t.Parallel()
	b := newRunningBench(t, storage.EnterpriseAccount())
	run := func(req ports.Request) error {
		b.Now = b.Now.Add(time.Minute)
		run, err := b.reconciling.Reconcile(t.Context(), ports.Caller{Account: b.Account}, req)
		if err == nil {
			require.Equal(t, domain.Paise(600_00), run.Tally.Remitted)
			run.Release()
		}
		return err
	}
	again := func() ports.Request {
		req := severalCouriers("again")
		req.Reports[1].Columns = nil
		return req
	}
	require.ErrorIs(t, run(again()), domain.ErrFile, "nobody knows these columns")
	require.NoError(t, run(severalCouriers("first")))
	for courier, awb := range map[string]string{"shadowfax": "AWB Number", "custom": "Docket", "shiprocket": "", "custom+shadowfax": ""} {
		m, found := only.Both(b.Runs.Mapping(t.Context(), b.Account.ID, courier))(t)
		require.Equal(t, awb != "", found, courier)
		require.Equal(t, awb, m[domain.RoleAWB])
	}
	require.NoError(t, run(again()))

	// Two reports of one courier: the mapping of the last one stays.
	other := again()
	other.Reports[0] = ports.Report{CourierName: "custom", Courier: []byte("Parcel,Cash,Paid\nA1,100,2026-01-20\n"), Columns: map[string]string{"awb": "Parcel", "cod_amount": "Cash", "remittance_date": "Paid"}}
	slices.Reverse(other.Reports)
	require.NoError(t, run(other))
	m, _ := only.Both(b.Runs.Mapping(t.Context(), b.Account.ID, "custom"))(t)
	require.Equal(t, "Parcel", m[domain.RoleAWB])

	// Columns of charges are saved if a person has stated them, and stay with the mapping until a report needs another one.
	charged := "AWB,Cash,Paid,Handling,Freight\nA1,100,2026-01-20,3,4\n"
	requireCharges := func(read, saved string, columns map[string]string) {
		t.Helper()
		req := again()
		req.Brand, req.Reports = "charged"+read+saved, []ports.Report{{CourierName: "custom", Courier: []byte(charged), Columns: columns}}
		run := only.Value(b.reconciling.Reconcile(t.Context(), ports.Caller{Account: b.Account}, req))(t)
		defer run.Release()
		require.Equal(t, read, run.Mapping[domain.RoleCharges])
		m, _ := only.Both(b.Runs.Mapping(t.Context(), b.Account.ID, "custom"))(t)
		require.Equal(t, saved, m[domain.RoleCharges])
	}
	stated := map[string]string{"awb": "AWB", "cod_amount": "Cash", "remittance_date": "Paid"}
	requireCharges("Freight", "", stated)
	stated["charges"] = "Handling"
	requireCharges("Handling", "Handling", stated)
	requireCharges("Handling", "Handling", nil)
	charged = strings.Replace(charged, "Cash,Paid", "COD Amount,Remittance Date", 1)
	requireCharges("Freight", "", nil)

	b.Change(func(a *domain.Account) { a.Plan = domain.Pro })
	b.Account.Plan = domain.Pro
	require.ErrorIs(t, run(again()), domain.ErrFile, "mappings are saved for Enterprise")
}

// TestAKeyStandsForAllReports holds that a request with another report, another order of
// the reports or another choice of what is included is another request.
func TestAKeyStandsForAllReports(t *testing.T) {
	t.Parallel()
	b := newOnceBench(t, storage.ProAccount())
	first := b.mustRun(t, severalCouriers("Asha"))
	require.Equal(t, answer{first.runID, true, true, 3}, b.mustRun(t, severalCouriers("Asha")))
	for what, alter := range map[string]func(*ports.Request){
		"order":     func(r *ports.Request) { slices.Reverse(r.Reports) },
		"text":      func(r *ports.Request) { r.Reports[0].Courier = append(r.Reports[0].Courier, '\n') },
		"courier":   func(r *ports.Request) { r.Reports[2].CourierName = "shiprocket" },
		"columns":   func(r *ports.Request) { r.Reports[1].Columns["utr"] = "Docket" },
		"fewer":     func(r *ports.Request) { r.Reports = r.Reports[:2] },
		"include":   func(r *ports.Request) { r.Include = domain.IncludePayouts },
		"statement": func(r *ports.Request) { r.Statement = []byte("Date,Credit,Narration\n") },
		"ledger":    func(r *ports.Request) { r.Previous = []byte("Milaan ledger 1\n") },
		"sheets":    func(r *ports.Request) { r.Sheets = []string{"Jan"} },
		"workbooks": func(r *ports.Request) { r.Workbooks = true },
	} {
		req := severalCouriers("Asha")
		alter(&req)
		b.mustRefuse(t, req, domain.ErrKeyReused, what)
	}
	require.Len(t, b.RunIDs(), 1)
}

// TestABatchOfSeveralReports holds that a job of several reports ends with its run, with
// the fault of one report, and under its labels if it is given up.
func TestABatchOfSeveralReports(t *testing.T) {
	t.Parallel()
	b := newRunningBench(t, storage.ProAccount())
	broken := severalCouriers("Ravi")
	broken.Reports[2].Courier = []byte("nothing,to,see\n1,2,3\n")
	jobs := b.submit(t, severalCouriers("Asha"), broken, severalCouriers("Meera"))
	for i, deaths := range []int{0, 0, domain.MaxDeaths} {
		require.NoError(t, only.Err(b.working.Do(t.Context(), jobs[i], ports.JobAttempt{Deaths: deaths})))
	}
	require.Equal(t, "Asha/custom+shadowfax: 3 orders, duplicate false", b.Result("batch-1", 0))
	require.Regexp(t, `^Ravi/custom\+shadowfax: report 3, `, b.Result("batch-1", 1))
	require.Regexp(t, `^Meera/custom\+shadowfax: Given up: `, b.Result("batch-1", 2))
}
