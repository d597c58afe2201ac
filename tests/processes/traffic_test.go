package processes_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"
)

// traffic is what clients ask of replicas while the database is migrated: runs, with request
// keys and without, batches, and the pages of the dashboard. All of it has one right answer.
type traffic struct {
	accounts []account
	people   []person
	replicas []*replica // not changed while requests flow
	receiver *receiver
	sent     atomic.Int64

	mu     sync.Mutex
	faults []error
	runs   []string // ids, of answers to requests for one run
	jobs   int      // of batches that were taken
}

// newTraffic makes the clients. Each run of theirs is announced to a receiver.
func newTraffic(t *testing.T, in *installation, accounts int) *traffic {
	t.Helper()
	tr := &traffic{accounts: in.accounts(t, accounts, -1), receiver: newReceiver(t)}
	tr.people = in.people(t, tr.accounts...)
	in.watch(t, tr.receiver, tr.accounts...)
	return tr
}

// flow sends all requests of the accounts from one to before another: of each as many as the
// rate of its key allows.
func (tr *traffic) flow(t *testing.T, from, to int) {
	const clients = 8
	parallel(clients, to-from, func(i int) {
		i += from
		brand := func(n int) string { return fmt.Sprintf("%d-%d", i, n) }
		for n := range 4 {
			tr.look(t, tr.people[i].cookie)
			tr.run(tr.next().reconcile(t, tr.accounts[i].key, brand(n)))
		}
		for n := range 2 {
			k := keyed{who: tr.accounts[i], brand: "keyed-" + brand(n)}
			first := k.send(t, tr.next())
			tr.run(first)
			again := k.send(t, tr.next())
			if id := k.outcomeID(again); tr.expect(again, http.StatusOK) && id != first.header.Get("X-Run-Id") {
				tr.fault(fmt.Errorf("a repeated request is answered with the run %q, and not with %q", id, first.header.Get("X-Run-Id")))
			}
		}
		jobs := []string{"batch-" + brand(0), "batch-" + brand(1)}
		if tr.expect(post(t, tr.next().url+"/reconcile/batch", tr.accounts[i].key, bytes.NewReader(batchBody(jobs))), http.StatusAccepted) {
			tr.mu.Lock()
			tr.jobs += len(jobs)
			tr.mu.Unlock()
		}
	})
}

// look opens the pages of the dashboard, and changes a setting.
func (tr *traffic) look(t *testing.T, cookie string) {
	for _, page := range []string{"me", "runs", "trend", "mappings", "key", "security", "webhook", "webhook/deliveries", "branding", "connections", "mails"} {
		tr.expect(tr.next().asPage(t, http.MethodGet, page, cookie, "", nil), http.StatusOK)
	}
	tr.expect(tr.next().asPage(t, http.MethodPut, "branding", cookie, "application/json", []byte(`{"name":"Asha"}`)), http.StatusOK)
}

// next is the replica that is asked next: they are asked round-robin.
func (tr *traffic) next() *replica {
	return tr.replicas[int(tr.sent.Add(1))%len(tr.replicas)]
}

func (tr *traffic) fault(err error) {
	tr.mu.Lock()
	defer tr.mu.Unlock()
	tr.faults = append(tr.faults, err)
}

// expect says whether an answer has a status, and notes it as a fault otherwise.
func (tr *traffic) expect(a answer, status int) bool {
	if a.err == nil && a.status == status {
		return true
	}
	tr.fault(fmt.Errorf("answered %d, and not %d: %.300s %w", a.status, status, a.body, a.err))
	return false
}

// run notes the answer to a request for a run.
func (tr *traffic) run(a answer) {
	if tr.expect(a, http.StatusOK) {
		tr.mu.Lock()
		defer tr.mu.Unlock()
		tr.runs = append(tr.runs, a.header.Get("X-Run-Id"))
	}
}

// check checks that no answer was wrong, and that each run that was answered or whose batch
// was taken is stored, once, and announced, once, and no other.
func (tr *traffic) check(t *testing.T, in *installation) {
	t.Helper()
	require.NoError(t, errors.Join(tr.faults...))
	total := len(tr.runs) + tr.jobs
	await(t, "the batches", func() bool { return in.count(t, "SELECT COUNT(*) FROM batches WHERE completed_at_us IS NULL") == 0 })
	stored := map[string]bool{}
	for _, row := range in.query(t, "SELECT id FROM runs", 1) {
		stored[row[0]] = true
	}
	require.Len(t, stored, total, "runs")
	for _, id := range tr.runs {
		require.True(t, stored[id], "the run %s was answered", id)
	}
	await(t, "the announcements", func() bool { return len(tr.receiver.seen()) >= total })
	for id, posts := range tr.receiver.seen() {
		var s summary
		require.NoError(t, json.Unmarshal(posts[0].body, &s))
		require.Len(t, posts, 1, "posts of the delivery %s", id)
		require.True(t, stored[s.RunID], "the run %s was announced", s.RunID)
		delete(stored, s.RunID)
	}
	require.Empty(t, stored, "runs that were not announced")
}
