package processes_test

import (
	"maps"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"milaan/tests/postgres"
)

// firstBesideLater is the commit of the first program that serves while a later one migrates its
// database (decision 17).
const firstBesideLater = "b6f9b8512d6ca74fc7491d98a4acb7945170bf8e"

// Today's program is started beside that one, which serves, and migrates: no request gets an
// error from either, then or later, and everything is as if there were one.
func TestUpgradingUnderLoad(t *testing.T) {
	if !longAsked() {
		t.Skip("NOT TESTED: set MILAAN_SOAK for an earlier program beside today's, which takes a minute to build")
	}
	alongside(t)
	in := newInstallation(t, postgres.Database(t))
	in.program, _ = builtFrom(t, firstBesideLater)
	before := in.start(t, toThisMachine)
	version := func() int { return in.count(t, "SELECT MAX(version_id) FROM goose_db_version") }
	first := version()

	// The tests have today's storage, which would migrate the database: they fill another one.
	filled := newInstallation(t, clone(t))
	filled.secret = in.secret
	tr := newTraffic(t, filled, size(16, 60, 200))
	for _, table := range []string{"accounts", "api_keys", "sessions", "webhooks"} {
		in.copyRows(t, filled, table)
	}
	maps.Copy(in.private, filled.private)

	half, flowing := len(tr.accounts)/2, make(chan struct{})
	tr.replicas = []*replica{before}
	go func() {
		defer close(flowing)
		tr.flow(t, 0, half)
	}()
	await(t, "requests", func() bool { return tr.sent.Load() > int64(half) })
	in.program = ""
	after := in.start(t, toThisMachine)
	beside := tr.sent.Load()
	<-flowing
	require.Equal(t, http.StatusOK, before.probe(t, "/readyz"), "the one before serves on")
	tr.replicas = []*replica{before, after}
	tr.flow(t, half, len(tr.accounts))
	t.Logf("%d requests, of which %d before the later program was ready, while the schema went from version %d to %d: %d faults",
		tr.sent.Load(), beside, first, version(), len(tr.faults))
	tr.check(t, in)
	before.stop(t)
	after.stop(t)
}

// copyRows copies the rows of a table of another installation, with the columns that the table has
// here.
func (in *installation) copyRows(t *testing.T, from *installation, table string) {
	t.Helper()
	var names, values, rows []string
	for _, row := range in.query(t, "SELECT column_name FROM information_schema.columns WHERE table_schema = 'public' AND table_name = '"+table+"'", 1) {
		names, values = append(names, row[0]), append(values, "quote_nullable("+row[0]+"::text)")
	}
	for _, row := range from.query(t, "SELECT concat_ws(', ', "+strings.Join(values, ", ")+") FROM "+table, 1) {
		rows = append(rows, "("+row[0]+")")
	}
	in.exec(t, "INSERT INTO "+table+" ("+strings.Join(names, ", ")+") VALUES "+strings.Join(rows, ", "))
}

// A run whose answer is a 500 was undone as a whole: it is not counted, announced or known as the
// first of its kind, and the same request is a run once the fault is gone.
func TestARunWithAFaultIsNotCounted(t *testing.T) {
	alongside(t)
	onBoth(t, func(t *testing.T, in *installation) {
		endpoint, who := newReceiver(t), in.accounts(t, 1, 1)
		in.watch(t, endpoint, who...)
		browsing := in.people(t, who...)[0]
		r := in.start(t, toThisMachine)
		in.faulty(r.journal)
		requests := map[string]func(brand string) answer{
			"with a request key": func(brand string) answer { return keyed{who: who[0], brand: brand}.send(t, r) },
			"in the dashboard":   func(brand string) answer { return r.upload(t, browsing.cookie, brand) },
			"of a program":       func(brand string) answer { return r.reconcile(t, who[0].key, brand) },
		}
		in.exec(t, "ALTER TABLE deliveries RENAME TO away") // the run is stored by then, in the same transaction
		for name, ask := range requests {
			a := ask(name)
			require.Equal(t, http.StatusInternalServerError, a.status, "%s: %s", name, a.body)
		}
		require.Zero(t, in.count(t, "SELECT COUNT(*) FROM runs"))
		in.exec(t, "ALTER TABLE away RENAME TO deliveries")
		require.False(t, outcomeOf(t, requests["with a request key"]("with a request key")).Duplicate)
		refused(t, requests["of a program"]("of a program"), http.StatusTooManyRequests, "Run limit of 1/month reached")
		require.Equal(t, 1, in.count(t, "SELECT COUNT(*) FROM runs"))
		await(t, "the announcement", func() bool { return len(endpoint.seen()) > 0 })
		require.Equal(t, 1, in.count(t, "SELECT COUNT(*) FROM deliveries"))
	})
}
