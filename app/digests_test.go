package app

import (
	"testing"

	"github.com/stretchr/testify/require"

	"milaan/domain"
	"milaan/ports"
)

// ofRun is a request with a text in every field that decides the results of a run, changed
// by change.
func ofRun(change func(t *task)) *task {
	t := &task{Request: ports.Request{Storefront: []byte("orders"), Courier: []byte("report"), Columns: map[string]string{"awb": "x"}, Brand: "b"}, courier: "custom"}
	change(t)
	return t
}

// TestRunDigestsTellRunsApart changes each field that decides the results, and each that does
// not.
func TestRunDigestsTellRunsApart(t *testing.T) {
	terms := domain.TermsFor(nil, 0, nil)
	same := ofRun(func(*task) {}).digest(terms)
	for name, change := range map[string]func(t *task){
		"include":   func(t *task) { t.Include = domain.IncludeLines },
		"statement": func(t *task) { t.Statement = []byte("bank") },
		"workbooks": func(t *task) { t.Workbooks = true },
		"source":    func(t *task) { t.Source = domain.SourceBatch },
		"one of several reports": func(t *task) {
			t.Courier, t.Reports = nil, []ports.Report{{Courier: t.Courier}}
		},
	} {
		require.Equal(t, same, ofRun(change).digest(terms), name)
	}
	seen := map[digest]string{same: "the same"}
	for name, change := range map[string]func(t *task){
		"orders": func(t *task) { t.Storefront = []byte("order") }, "report": func(t *task) { t.Courier = []byte("reports") },
		"swapped":    func(t *task) { t.Storefront, t.Courier = t.Courier, t.Storefront },
		"brand":      func(t *task) { t.Brand = "" },
		"courier":    func(t *task) { t.courier = "dtdc" },
		"columns":    func(t *task) { t.Columns = map[string]string{"awb": "y"} },
		"no columns": func(t *task) { t.Columns = nil },
		"sheets":     func(t *task) { t.Sheets = []string{"Mar"} },
		"two reports": func(t *task) {
			t.Courier, t.Reports = nil, []ports.Report{{Courier: []byte("rep")}, {Courier: []byte("ort")}}
		},
		"two other reports": func(t *task) {
			t.Courier, t.Reports = nil, []ports.Report{{Courier: []byte("repo")}, {Courier: []byte("rt")}}
		},
		"its courier": func(t *task) {
			t.Courier, t.Reports = nil, []ports.Report{{Courier: t.Courier, CourierName: "dtdc"}}
		},
		"its columns": func(t *task) {
			t.Courier, t.Reports = nil, []ports.Report{{Courier: t.Courier, Columns: map[string]string{"awb": "x"}}}
		},
	} {
		sum := ofRun(change).digest(terms)
		require.NotContains(t, seen, sum, name)
		seen[sum] = name
	}
	for _, other := range []domain.Terms{domain.TermsFor(new(8), 0, nil), domain.TermsFor(nil, 0, new(3))} {
		sum := ofRun(func(*task) {}).digest(other)
		require.NotContains(t, seen, sum)
		seen[sum] = "terms"
	}
	require.Equal(t, same, ofRun(func(*task) {}).digest(domain.TermsFor(new(domain.DefaultOverdueDays), 0, nil)), "it does not matter who has set the terms")
}

// TestLargeFilesHaveTheSameDigests holds that hashing at the same time changes nothing.
func TestLargeFilesHaveTheSameDigests(t *testing.T) {
	large := ofRun(func(t *task) { t.Courier = make([]byte, 2*worthAnotherCore) })
	one := large.hashFiles([]ports.Report{{Courier: large.Courier}})
	large.Courier = nil
	require.Equal(t, one, large.hashFiles([]ports.Report{{Courier: make([]byte, 2*worthAnotherCore)}}))
}

// TestRunDigestsByEachSecret holds that a run of the time of a former secret is found, and
// that accounts do not share digests.
func TestRunDigestsByEachSecret(t *testing.T) {
	older, newer := [32]byte{1}, [32]byte{2}
	terms, run := domain.TermsFor(nil, 0, nil), ofRun(func(*task) {})
	both := (&Digesting{secrets: [][32]byte{newer, older}}).of("account", run, terms)
	require.Equal(t, (&Digesting{secrets: [][32]byte{older}}).of("account", run, terms), both[1:])
	require.NotEqual(t, both[0], both[1])
	require.NotEqual(t, both, (&Digesting{secrets: [][32]byte{newer, older}}).of("another", run, terms))
}

// BenchmarkRunDigest is what a run of 5 MB of orders and as large a report pays for it.
func BenchmarkRunDigest(b *testing.B) {
	run := ofRun(func(t *task) { t.Storefront, t.Courier = make([]byte, 5<<20), make([]byte, 5<<20) })
	d := &Digesting{secrets: [][32]byte{{1}}}
	b.SetBytes(run.Bytes())
	for b.Loop() {
		d.of("account", run, domain.Terms{})
	}
}
