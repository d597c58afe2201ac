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
	key, terms := newDigestKey([32]byte{1}), domain.TermsFor(nil, 0, nil)
	same := key.digest(ofRun(func(*task) {}), terms)
	for name, change := range map[string]func(t *task){
		"include":   func(t *task) { t.Include = domain.IncludeLines },
		"statement": func(t *task) { t.Statement = []byte("bank") },
		"workbooks": func(t *task) { t.Workbooks = true },
		"source":    func(t *task) { t.Source = domain.SourceBatch },
		"one of several reports": func(t *task) {
			t.Courier, t.Reports = nil, []ports.Report{{Courier: t.Courier}}
		},
	} {
		require.Equal(t, same, key.digest(ofRun(change), terms), name)
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
		sum := key.digest(ofRun(change), terms)
		require.NotContains(t, seen, sum, name)
		seen[sum] = name
	}
	for _, other := range []domain.Terms{domain.TermsFor(new(8), 0, nil), domain.TermsFor(nil, 0, new(3))} {
		sum := key.digest(ofRun(func(*task) {}), other)
		require.NotContains(t, seen, sum)
		seen[sum] = "terms"
	}
	require.Equal(t, same, key.digest(ofRun(func(*task) {}), domain.TermsFor(new(domain.DefaultOverdueDays), 0, nil)), "it does not matter who has set the terms")
}

// TestRunDigestsByEachSecret holds that a run of the time of a former secret is found, and
// that accounts do not share digests.
func TestRunDigestsByEachSecret(t *testing.T) {
	older, newer := [32]byte{1}, [32]byte{2}
	terms, run := domain.TermsFor(nil, 0, nil), ofRun(func(*task) {})
	both := NewDigesting(fixedSubkeys{newer, older}).of("account", run, terms)
	require.Equal(t, NewDigesting(fixedSubkeys{older}).of("account", run, terms), both[1:])
	require.NotEqual(t, both[0], both[1])
	require.NotEqual(t, both, NewDigesting(fixedSubkeys{newer, older}).of("another", run, terms))
}

// fixedSubkeys fills ports.Subkeys with the same keys for every purpose.
type fixedSubkeys [][32]byte

func (k fixedSubkeys) Subkeys(string) [][32]byte { return k }

// BenchmarkRunDigest is what a run of 5 MB of orders and as large a report pays for it.
func BenchmarkRunDigest(b *testing.B) {
	run := ofRun(func(t *task) { t.Storefront, t.Courier = make([]byte, 5<<20), make([]byte, 5<<20) })
	d := NewDigesting(fixedSubkeys{{1}})
	b.SetBytes(run.Bytes())
	for b.Loop() {
		d.of("account", run, domain.Terms{})
	}
}
