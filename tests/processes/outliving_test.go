package processes_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"net/http"
	"slices"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"milaan/ports"
)

// recovery is how long after the last kill everything that was acknowledged
// may take to be done: the takeover's 30 s, and the retries that follow it.
const recovery = 2 * time.Minute

// batchBody is the request for a batch with one job per brand.
func batchBody(brands []string) []byte {
	jobs := make([]json.RawMessage, len(brands))
	for i, brand := range brands {
		jobs[i] = runBody(brand)
	}
	body, _ := json.Marshal(map[string]any{"jobs": jobs}) // cannot fail
	return body
}

// submit hands a replica a batch that must be taken, and returns its id.
func (r *replica) submit(t *testing.T, who account, body io.Reader) string {
	t.Helper()
	a := post(t, r.url+"/reconcile/batch", who.key, body)
	require.Equal(t, http.StatusAccepted, a.status, "%s %v", a.body, a.err)
	var receipt batchStatus
	require.NoError(t, json.Unmarshal(a.body, &receipt))
	return receipt.BatchID
}

// status asks a replica how a batch stands.
func (r *replica) status(t *testing.T, key, id string) answer {
	return send(browser, request(t, http.MethodGet, r.url+"/status/"+id, nil, "Authorization", "Bearer "+key))
}

// awaitBatch waits until a batch is complete. It asks the database: the rate of asking the
// service is used up in a second.
func (in *installation) awaitBatch(t *testing.T, id string) {
	t.Helper()
	await(t, "the batch", func() bool {
		return in.count(t, "SELECT COUNT(*) FROM batches WHERE completed_at_us IS NOT NULL AND id = '"+id+"'") == 1
	})
}

// batchStatus is the report on a batch.
type batchStatus struct {
	BatchID   string `json:"batch_id"`
	Status    string
	Jobs      int
	Completed int
	Results   []struct {
		Brand   string
		Error   string
		Results []struct{ Flag string }
	}
}

// promise is a batch that was acknowledged.
type promise struct {
	id     string
	who    account
	brands []string
}

// storm is a stream of runs and batches on replicas that are killed.
type storm struct {
	in       *installation
	book     *ledger
	batchers []account // each for as many batches as stay below the rate of its key
	replicas []atomic.Pointer[replica]
	answers  atomic.Int64

	mu       sync.Mutex
	promises []promise
	unheard  map[string]bool // brands of batches that were not acknowledged
	sent     int             // batches
	faults   []error
}

// work sends requests to the replicas until over is closed; a few of them are
// batches.
func (s *storm) work(t *testing.T, over <-chan struct{}) {
	for !closed(over) {
		place := &s.replicas[rand.IntN(len(s.replicas))]
		r := place.Load()
		var a answer
		if rand.IntN(5) == 0 {
			a = s.submit(t, r)
		} else if a = s.book.run(t, r); a.err == nil && a.status != http.StatusOK && a.status != http.StatusServiceUnavailable {
			s.fault(fmt.Errorf("a run was answered %d: %s", a.status, a.body))
			return
		}
		s.answers.Add(1)
		if a.err != nil { // killed: wait for the next one there
			await(t, "another replica", func() bool { return place.Load() != r || closed(over) })
		}
	}
}

func closed(c <-chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}

func (s *storm) submit(t *testing.T, r *replica) answer {
	s.mu.Lock()
	who := s.batchers[s.sent%len(s.batchers)]
	s.sent++
	brands := make([]string, 3)
	for i := range brands {
		brands[i] = fmt.Sprintf("batch-%06d-%d", s.sent, i)
	}
	s.mu.Unlock()
	a := post(t, r.url+"/reconcile/batch", who.key, bytes.NewReader(batchBody(brands)))
	s.mu.Lock()
	defer s.mu.Unlock()
	if a.status != http.StatusAccepted {
		for _, brand := range brands {
			s.unheard[brand] = true
		}
		if a.err == nil && a.status != http.StatusServiceUnavailable {
			s.faults = append(s.faults, fmt.Errorf("a batch was answered %d: %s", a.status, a.body))
		}
		return a
	}
	var receipt batchStatus
	if a.err != nil || json.Unmarshal(a.body, &receipt) != nil {
		for _, brand := range brands {
			s.unheard[brand] = true // acknowledged, but nobody knows as what
		}
		return a
	}
	s.promises = append(s.promises, promise{id: receipt.BatchID, who: who, brands: brands})
	return a
}

func (s *storm) fault(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.faults = append(s.faults, err)
}

// Instances of the service are killed under a stream of runs and batches. Every
// acknowledged run and batch is accounted for exactly once; every event comes
// once or twice, and not at all only if two kills fell between the record of an
// attempt and its POST.
func TestKilledUnderBatchesAndWebhooks(t *testing.T) {
	alongside(t)
	killedUnderWork(t, newInstallation(t, clone(t)), size(2, 3, 3), size(2, 10, 200))
}

// TestKilledUnderBatchesAndWebhooksOnSQLite is no part of the test above: parts that run beside
// other tests are begun last, and both wait some ten seconds for the end of leases.
func TestKilledUnderBatchesAndWebhooksOnSQLite(t *testing.T) {
	alongside(t)
	killedUnderWork(t, newInstallation(t, ""), 1, size(2, 5, 100))
}

func killedUnderWork(t *testing.T, in *installation, instances, kills int) {
	const clients = 6
	most := size(20, 40, 40) // answers between two kills, but for those that come while a replica starts
	endpoint := newReceiver(t)
	s := &storm{in: in, replicas: make([]atomic.Pointer[replica], instances), unheard: map[string]bool{},
		book: newLedger(t, in, (kills+1)*8*most, 8), batchers: in.accounts(t, (kills+1)*most/2, -1)}
	in.watch(t, endpoint, slices.Concat(s.book.accounts, s.batchers)...)
	for i := range s.replicas {
		s.replicas[i].Store(in.start(t, toThisMachine))
	}

	over := make(chan struct{})
	var wait sync.WaitGroup
	for range clients {
		wait.Go(func() { s.work(t, over) })
	}
	for range kills {
		enough := s.answers.Load() + 1 + rand.Int64N(int64(most))
		await(t, "answers", func() bool { return s.answers.Load() >= enough })
		i := rand.IntN(instances)
		dead := s.replicas[i].Load()
		dead.signal(syscall.SIGKILL)
		<-dead.ended
		s.replicas[i].Store(in.start(t, toThisMachine))
	}
	close(over)
	wait.Wait()
	require.Empty(t, s.faults)

	began := time.Now()
	const undone = `SELECT (SELECT COUNT(*) FROM batches WHERE completed_at_us IS NULL) + (SELECT COUNT(*) FROM deliveries WHERE state = 'pending')`
	for in.count(t, undone) > 0 {
		if time.Since(began) > recovery {
			t.Fatalf("work is left undone: batches and deliveries %d; jobs of a kind, of an engine, with deaths: %v", in.count(t, undone),
				in.query(t, "SELECT kind, engine, deaths, COUNT(*), MIN(due_at_us), MAX(lease_until_us) FROM jobs GROUP BY kind, engine, deaths", 6))
		}
		time.Sleep(10 * glance)
	}
	recovered := time.Since(began)
	s.check(t, endpoint, kills, recovered)
}

// check accounts for everything.
func (s *storm) check(t *testing.T, endpoint *receiver, kills int, recovered time.Duration) {
	stored := map[string]int{}
	for _, row := range s.in.query(t, "SELECT brand FROM runs WHERE source = 'batch'", 1) {
		stored[row[0]]++
	}
	alive := s.replicas[0].Load()
	for i, p := range s.promises {
		for _, brand := range p.brands {
			require.Equal(t, 1, stored[brand], "the job of %s", brand)
			delete(stored, brand)
		}
		if i%max(1, len(s.promises)/50) != 0 {
			continue // polling has a rate, and reading each takes its time
		}
		report := alive.report(t, p.who.key, p.id)
		require.Equal(t, "complete", report.Status)
		require.Len(t, report.Results, len(p.brands))
		for j, result := range report.Results {
			require.Empty(t, result.Error)
			require.Equal(t, p.brands[j], result.Brand)
			require.Len(t, result.Results, 3)
		}
	}
	for brand, n := range stored {
		require.True(t, s.unheard[brand], "a run of a batch that nobody sent: %s", brand)
		require.Equal(t, 1, n, "the job of %s", brand)
	}
	// What a process had done, but not ended when it was killed, is taken over and found to be done.
	require.Eventually(t, func() bool { return s.in.count(t, "SELECT COUNT(*) FROM jobs WHERE origin IS NULL") == 0 },
		recovery, 10*glance, "a job is left")
	unheardRuns := s.book.check(t, s.in)
	runs, deliveries := s.in.count(t, "SELECT COUNT(*) FROM runs"), s.in.count(t, "SELECT COUNT(*) FROM deliveries")
	require.Equal(t, runs, deliveries, "each stored run is one event")
	require.Equal(t, runs, s.in.count(t, "SELECT COUNT(DISTINCT run_id) FROM deliveries"))

	attempts := map[string]int{}
	for _, row := range s.in.query(t, "SELECT d.event_id FROM deliveries d JOIN delivery_attempts a ON a.delivery_id = d.id", 1) {
		attempts[row[0]]++
	}
	posts, silent, twice := endpoint.seen(), 0, 0
	require.Subset(t, slices.Collect(maps.Keys(attempts)), slices.Collect(maps.Keys(posts)), "POSTs that were not recorded")
	for _, row := range s.in.query(t, "SELECT event_id, run_id FROM deliveries", 2) {
		id, came := row[0], posts[row[0]]
		require.LessOrEqual(t, attempts[id], 2)
		require.LessOrEqual(t, len(came), attempts[id], "more POSTs than recorded attempts")
		if len(came) == 0 {
			require.Equal(t, 2, attempts[id], "an event never came, and it was not for two kills")
			silent++
			continue
		}
		if len(came) == 2 {
			twice++
			require.Equal(t, came[0].body, came[1].body)
		}
		require.Equal(t, row[1], summaryOf(t, came[0]).RunID)
	}
	takeover := s.in.count(t, `SELECT COALESCE(MAX(b.at_us - a.at_us), 0) FROM delivery_attempts a JOIN delivery_attempts b
		ON b.delivery_id = a.delivery_id AND a.number = 1 AND b.number = 2 WHERE a.outcome = ''`)
	t.Logf("%d kills: %d runs answered and stored once, %d unanswered of which %d are stored; %d batches acknowledged and complete, each job once; "+
		"%d events: %d came twice, %d never (two kills each), none more often; longest takeover %v; all done %v after the last kill; none given up, at most %d deaths at one job of a batch and %d at one delivery",
		kills, len(s.book.answered), s.book.unanswered, unheardRuns, len(s.promises), deliveries, twice, silent,
		time.Duration(takeover)*time.Microsecond, recovered.Round(time.Millisecond), mostOf(s.in.deaths(ports.RunJob)), mostOf(s.in.deaths(ports.DeliverJob)))
}
