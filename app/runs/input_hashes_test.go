package runs

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"milaan/domain"
	"milaan/ports"
)

// anyCourier knows every courier.
type anyCourier struct{ ports.Couriers }

func (anyCourier) Identify(name string) (id string, known bool) { return strings.ToLower(name), true }

// ofRun is a request with a text in every field that decides the results of a run, changed
// by change.
func ofRun(change func(req *ports.Request)) *task {
	req := ports.Request{Storefront: []byte("orders"), Courier: []byte("report"), CourierName: "custom", Columns: map[string]string{"awb": "x"}, Brand: "b"}
	change(&req)
	t, _ := (&Reconciling{in: ReconcilingParams{Couriers: anyCourier{}}}).check(req)
	return &t
}

// inReports changes a request to one with several reports.
func inReports(reports ...ports.Report) func(req *ports.Request) {
	return func(req *ports.Request) {
		req.Courier, req.CourierName, req.Columns, req.Reports = nil, "", nil, reports
	}
}

// TestInputHashesTellRunsApart changes each field that decides the results, and each that does
// not.
func TestInputHashesTellRunsApart(t *testing.T) {
	key, terms := newHashKey([32]byte{1}), domain.TermsFor(nil, 0, nil)
	same := key.inputs(ofRun(func(*ports.Request) {}), terms)
	x, y := map[string]string{"awb": "x"}, map[string]string{"awb": "y"}
	for name, change := range map[string]func(*ports.Request){
		"include":                func(req *ports.Request) { req.Include = domain.IncludeLines },
		"statement":              func(req *ports.Request) { req.Statement = []byte("bank") },
		"workbooks":              func(req *ports.Request) { req.Workbooks = true },
		"source":                 func(req *ports.Request) { req.Source = domain.SourceBatch },
		"a courier's capitals":   func(req *ports.Request) { req.CourierName = "Custom" },
		"blanks around a brand":  func(req *ports.Request) { req.Brand = " b " },
		"one of several reports": inReports(ports.Report{Courier: []byte("report"), CourierName: "custom", Columns: x}),
	} {
		require.Equal(t, same, key.inputs(ofRun(change), terms), name)
	}
	seen := map[[32]byte]string{same: "the same"}
	for name, change := range map[string]func(*ports.Request){
		"orders": func(req *ports.Request) { req.Storefront = []byte("order") }, "report": func(req *ports.Request) { req.Courier = []byte("reports") },
		"swapped":           func(req *ports.Request) { req.Storefront, req.Courier = req.Courier, req.Storefront },
		"brand":             func(req *ports.Request) { req.Brand = "" },
		"courier":           func(req *ports.Request) { req.CourierName = "dtdc" },
		"columns":           func(req *ports.Request) { req.Columns = y },
		"no columns":        func(req *ports.Request) { req.Columns = nil },
		"ledger":            func(req *ports.Request) { req.Previous = []byte("ledger") },
		"an empty ledger":   func(req *ports.Request) { req.Previous = []byte{} },
		"sheets":            func(req *ports.Request) { req.Sheets = []string{"Mar"} },
		"two reports":       inReports(ports.Report{Courier: []byte("rep"), CourierName: "custom"}, ports.Report{Courier: []byte("ort")}),
		"two other reports": inReports(ports.Report{Courier: []byte("repo"), CourierName: "custom"}, ports.Report{Courier: []byte("rt")}),
		"another's courier": inReports(ports.Report{Courier: []byte("repo")}, ports.Report{Courier: []byte("rt"), CourierName: "custom"}),
		"its columns":       inReports(ports.Report{Courier: []byte("report"), CourierName: "custom", Columns: map[string]string{"awb": "z"}}),
	} {
		sum := key.inputs(ofRun(change), terms)
		require.NotContains(t, seen, sum, name)
		seen[sum] = name
	}
	for _, other := range []domain.Terms{domain.TermsFor(new(8), 0, nil), domain.TermsFor(nil, 0, new(3)), domain.TermsFor(nil, 0, nil, domain.AcceptCharges)} {
		sum := key.inputs(ofRun(func(*ports.Request) {}), other)
		require.NotContains(t, seen, sum)
		seen[sum] = "terms"
	}
	for _, column := range []string{"Docket", "Parcel"} { // of one name
		run := ofRun(func(req *ports.Request) { req.Columns, req.Mapping = nil, "B" })
		run.reports[0].choice.Asked = &domain.NamedMapping{Name: "B", Mapping: domain.Mapping{domain.RoleAWB: column}}
		sum := key.inputs(run, terms)
		require.NotContains(t, seen, sum, column)
		seen[sum] = column
	}
	require.Equal(t, same, key.inputs(ofRun(func(*ports.Request) {}), domain.TermsFor(new(domain.DefaultOverdueDays), 0, nil)), "it does not matter who has set the terms")
}

// TestInputHashesByEachSecret holds that a run of the time of a former secret is found, and
// that accounts do not share hashes.
func TestInputHashesByEachSecret(t *testing.T) {
	older, newer := [32]byte{1}, [32]byte{2}
	terms, run := domain.TermsFor(nil, 0, nil), ofRun(func(*ports.Request) {})
	both := NewInputHashing(fixedSubkeys{newer, older}).of("account", run, terms)
	require.Equal(t, NewInputHashing(fixedSubkeys{older}).of("account", run, terms), both[1:])
	require.NotEqual(t, both[0], both[1])
	require.NotEqual(t, both, NewInputHashing(fixedSubkeys{newer, older}).of("another", run, terms))
}

// fixedSubkeys are the same keys for every purpose.
type fixedSubkeys [][32]byte

func (k fixedSubkeys) Subkeys(string) [][32]byte { return k }
