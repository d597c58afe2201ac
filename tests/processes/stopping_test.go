package processes_test

import (
	"bytes"
	"io"
	"net"
	"net/http"
	"net/http/httptrace"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"milaan/ports"
)

// heldRun is a request whose body is half sent: in flight until it is let go.
type heldRun struct {
	rest   func()
	answer chan answer
}

// inFlight are the blanks with which the body of a held run begins: having sent so much,
// a client may be silent for half a minute, and of a few bytes only for five seconds.
var inFlight = bytes.Repeat([]byte{' '}, 1<<20)

// hold sends a run's header and the first half of its body. It returns once
// the service has let the request in and asks for the body.
func (r *replica) hold(t *testing.T, key, brand string) *heldRun {
	t.Helper()
	run := runBody(brand)
	body := append(bytes.Clone(inFlight), run...)
	begun, rest := body[:len(body)-len(run)/2], body[len(body)-len(run)/2:]
	reader, writer := io.Pipe()
	asked := make(chan struct{})
	ctx := httptrace.WithClientTrace(t.Context(), &httptrace.ClientTrace{Got100Continue: func() { close(asked) }})
	request := jsonBy(t, r.url+"/reconcile", key, reader, "Expect", "100-continue").WithContext(ctx)
	request.ContentLength = int64(len(body))
	held := &heldRun{answer: make(chan answer, 1), rest: func() {
		_, _ = io.Copy(writer, bytes.NewReader(rest)) // a lost connection shows in the answer
		_ = writer.Close()
	}}
	go func() { held.answer <- send(browser, request) }()
	select {
	case <-asked:
	case a := <-held.answer:
		t.Fatalf("the run was not let in: %d %s %v", a.status, a.body, a.err)
	}
	_, err := writer.Write(begun)
	require.NoError(t, err)
	return held
}

// refusesConnections says that nobody listens at the replica's address.
func (r *replica) refusesConnections(t *testing.T) bool {
	var d net.Dialer
	c, err := d.DialContext(t.Context(), "tcp", strings.TrimPrefix(r.url, "http://"))
	if err != nil {
		return true
	}
	_ = c.Close()
	return false
}

// A replica that is told to stop finishes what it has begun, takes nothing new
// and ends in order; the other one notices nothing.
func TestStoppingFinishesRunsInFlight(t *testing.T) {
	alongside(t)
	const runs = 8
	onBoth(t, func(t *testing.T, in *installation) {
		accounts := in.accounts(t, runs+1, -1)
		both := in.pair(t)
		var held []*heldRun
		for i := range runs {
			held = append(held, both[0].hold(t, accounts[i].key, brandOf(i)))
		}
		both[0].signal(syscall.SIGTERM)
		await(t, "new connections to be refused", func() bool { return both[0].refusesConnections(t) })
		outcomeOf(t, both[1].reconcile(t, accounts[runs].key, "elsewhere"))
		select {
		case <-both[0].ended:
			t.Fatal("it did not wait for the requests in flight")
		default:
		}

		var wait sync.WaitGroup
		for _, h := range held {
			wait.Go(h.rest)
		}
		wait.Wait()
		for _, h := range held {
			outcomeOf(t, <-h.answer)
		}
		require.Zero(t, both[0].exitCode(t), both[0].journal.text())
		require.Equal(t, runs+1, in.count(t, "SELECT COUNT(*) FROM runs"))
		outcomeOf(t, both[1].reconcile(t, accounts[runs].key, "afterwards"))
		both[1].stop(t)
	})
}

// With a delay, a replica that is told to stop says so to whoever probes it, and
// goes on serving until the delay is over. A second signal ends the wait.
func TestStoppingServesForItsDelay(t *testing.T) {
	t.Parallel()
	in := newInstallation(t, "")
	account := in.accounts(t, 1, -1)[0]
	r := in.start(t, "MILAAN_DRAIN_DELAY=1h")
	r.signal(syscall.SIGTERM)
	await(t, "the replica to say that it stops", func() bool { return r.probe(t, "/readyz") == http.StatusServiceUnavailable })
	outcomeOf(t, r.reconcile(t, account.key, "meanwhile"))
	require.Equal(t, http.StatusOK, r.probe(t, "/healthz"))
	require.NotContains(t, r.journal.text(), "request failed", "probes of a stop are no failures")
	diesOf(t, r.process, r.ended, syscall.SIGTERM)

	// How much of a short delay is left for a request is chance, but not when the delay ends.
	const delay = 2 * time.Second
	r = in.start(t, "MILAAN_DRAIN_DELAY="+delay.String())
	began := time.Now()
	r.signal(syscall.SIGTERM)
	await(t, "new connections to be refused", func() bool { return r.refusesConnections(t) })
	require.GreaterOrEqual(t, time.Since(began), delay)
	require.Zero(t, r.exitCode(t), r.journal.text())
	require.Contains(t, r.journal.text(), `"msg":"stopped","took_ms":`)
}

// A replica that is told to stop amid the jobs of batches ends in order: what it
// has begun is done or given back, and after the next start each job has been
// done once and each of its events has come once.
func TestStoppingAmidJobs(t *testing.T) {
	t.Parallel()
	onSQLite(t, func(t *testing.T, in *installation) {
		t.Parallel()
		const (
			jobs, rows = 20, 1_000
			open       = "SELECT COUNT(*) FROM batch_jobs WHERE ended_at_us IS NULL"
			begun      = "SELECT COUNT(*) FROM jobs WHERE engine <> '' AND kind = '" + string(ports.RunJob) + "'"
			untold     = "SELECT COUNT(*) FROM deliveries WHERE state = 'pending'"
		)
		batches := size(2, 5, 5)
		endpoint, who, ids := newReceiver(t), in.accounts(t, batches, -1), make([]string, batches)
		in.watch(t, endpoint, who...)
		r, job := in.start(t, toThisMachine), newCargo(rows, false)
		for i := range ids {
			ids[i] = r.submit(t, who[i], strings.NewReader(job.batch(i*jobs, jobs)))
		}
		await(t, "a job under way", func() bool { return in.count(t, begun) > 0 || in.count(t, open) == 0 })
		r.stop(t)
		left := in.count(t, open)
		if left == 0 {
			t.Log("NOT TESTED: all jobs were done before the stop")
		}
		require.Zero(t, in.count(t, begun), "none must be taken over")

		next := in.start(t, toThisMachine)
		require.Eventually(t, func() bool { return in.count(t, open) == 0 && in.count(t, untold) == 0 }, recovery, 100*time.Millisecond, "work is left undone")
		for i, id := range ids {
			report := next.report(t, who[i].key, id)
			require.Equal(t, "complete", report.Status)
			require.Len(t, report.Results, jobs)
			for j, result := range report.Results {
				require.Empty(t, result.Error)
				require.Equal(t, brandOf(i*jobs+j), result.Brand)
				require.NotEmpty(t, result.Results)
			}
		}
		next.stop(t)
		stored := in.query(t, "SELECT r.brand, d.event_id FROM runs r JOIN deliveries d ON d.run_id = r.id", 2)
		require.Len(t, stored, batches*jobs)
		brands := map[string]bool{}
		for _, row := range stored {
			require.False(t, brands[row[0]], "%s was run twice", row[0])
			brands[row[0]] = true
			require.Len(t, endpoint.of(row[1]), 1, "the event of %s", row[0])
		}
		require.Equal(t, batches*jobs, in.count(t, "SELECT COUNT(*) FROM runs"))
		t.Logf("stopped amid %d jobs with %d to do", batches*jobs, left)
	})
}
