package processes_test

import (
	"cmp"
	"database/sql"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"milaan/tests/postgres"
)

// A caller may wait so long for an answer while the database is away: as long
// as the storage's own timeout, and more on a busy machine. If it falls silent
// amid the commit of a run, the storage waits as long once more, to find out what
// became of the run.
const (
	longestAnswer          = 20 * time.Second
	longestAnswerOfACommit = 25 * time.Second
)

// PostgreSQL is stopped and started again under load. Callers get clean
// refusals meanwhile, runs again afterwards, and nothing is lost or doubled.
func TestDatabaseOutage(t *testing.T) {
	t.Parallel()
	for _, mode := range []struct {
		name string
		stop func(*testing.T, *postgres.Server, *installation)
	}{
		{"fast", func(t *testing.T, s *postgres.Server, _ *installation) { s.Stop(t) }},
		{"immediate", stopImmediately},
	} {
		t.Run(mode.name, func(t *testing.T) {
			if mode.name == "fast" && !longAsked() {
				t.Skip("it is done with MILAAN_SOAK: the other way is harder on the service")
			}
			postgres.OnlyWithBoth(t)
			t.Parallel()
			server := postgres.Start(t)
			in := newInstallation(t, server.Database(t))
			outages := size(1, 2, 5)
			o := &outage{book: newLedger(t, in, outages*2000, 10), replicas: in.pair(t)}
			for range outages {
				o.loseDatabase(t, 3, func() { mode.stop(t, server, in) })
				o.regainDatabase(t, func() { server.Start(t) })
				o.runsPass(t)
				mode.stop(t, server, in)
				server.Start(t)
				o.runsPass(t) // although every connection of the pools is dead
			}
			unheard := o.book.check(t, in)
			for _, r := range o.replicas {
				r.stop(t)
			}
			t.Logf("%d outages: %d requests, %d answered and all of them stored once, %d refused of which %d are stored; longest answer %v, ready again at most %v after the database",
				outages, o.book.sent, len(o.book.answered), o.book.unanswered, unheard, o.slowest.Round(time.Millisecond), o.recovery.Round(time.Millisecond))
		})
	}
}

// stopImmediately stops the server without a word to its sessions, which is
// what a crash looks like.
func stopImmediately(t *testing.T, server *postgres.Server, in *installation) {
	t.Helper()
	db, err := sql.Open("pgx", in.database)
	require.NoError(t, err)
	defer func() { _ = db.Close() }()
	var pid int
	require.NoError(t, db.QueryRowContext(t.Context(), "SELECT split_part(pg_read_file('postmaster.pid'), E'\\n', 1)::int").Scan(&pid))
	require.NoError(t, syscall.Kill(pid, syscall.SIGQUIT))
	server.Stop(t) // nothing more than to wait
}

// outage is load on two replicas through the loss of their database.
type outage struct {
	book     *ledger
	replicas [2]*replica
	longest  time.Duration // that an answer may take; 0: longestAnswer

	mu                sync.Mutex
	passed, turned    int // answers with 200 and 503
	faults            []error
	slowest, recovery time.Duration
}

// run sends one request and notes whether its answer is one that a caller can
// live with.
func (o *outage) run(t *testing.T, client int) answer {
	a := o.book.run(t, o.replicas[client%2])
	o.mu.Lock()
	defer o.mu.Unlock()
	o.slowest = max(o.slowest, a.took)
	if a.took > cmp.Or(o.longest, longestAnswer) {
		o.faults = append(o.faults, fmt.Errorf("an answer took %v", a.took))
	}
	text, err := errorOf(a)
	switch {
	case a.err == nil && a.status == http.StatusOK:
		o.passed++
		return a
	case err != nil:
		o.faults = append(o.faults, err)
	case a.status != http.StatusServiceUnavailable:
		o.faults = append(o.faults, fmt.Errorf("answered %d %s", a.status, text))
	case a.header.Get("Retry-After") != "5":
		o.faults = append(o.faults, fmt.Errorf("Retry-After is %q with %s", a.header.Get("Retry-After"), text))
	}
	o.turned++
	return a
}

func (o *outage) answers() (passed, turned int) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.passed, o.turned
}

func (o *outage) requireClean(t *testing.T) {
	t.Helper()
	o.mu.Lock()
	defer o.mu.Unlock()
	require.NoError(t, errors.Join(o.faults...))
}

// loseDatabase stops the database amid runs. Each client goes on until it was
// refused as often as refusals says.
func (o *outage) loseDatabase(t *testing.T, refusals int, stop func()) {
	t.Helper()
	const clients = 8
	before := size(30, 100, 400)
	began, _ := o.answers()
	var wait sync.WaitGroup
	for n := range clients {
		wait.Go(func() {
			for left := refusals; left > 0; {
				if o.run(t, n).status != http.StatusOK {
					left--
				}
			}
		})
	}
	await(t, "runs before the outage", func() bool {
		passed, turned := o.answers()
		return passed >= began+before || turned > 0
	})
	stop()
	wait.Wait()
	o.requireClean(t)
	for _, r := range o.replicas {
		refused(t, get(t, r.url+"/readyz"), http.StatusServiceUnavailable, "the service cannot reach its database")
		require.Equal(t, http.StatusOK, r.probe(t, "/healthz"), "the process itself is well")
	}
}

// regainDatabase starts the database again and waits until the replicas have
// noticed. They are not restarted.
func (o *outage) regainDatabase(t *testing.T, start func()) {
	start()
	began := time.Now()
	for _, r := range o.replicas {
		r.awaitReady(t)
	}
	o.recovery = max(o.recovery, time.Since(began))
}

// runsPass runs for a while, and no run is refused.
func (o *outage) runsPass(t *testing.T) {
	t.Helper()
	_, turned := o.answers()
	parallel(8, size(32, 80, 80), func(i int) { o.run(t, i) })
	o.requireClean(t)
	_, now := o.answers()
	require.Equal(t, turned, now, "runs that were refused")
}
