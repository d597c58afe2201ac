package processes_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// leaseLimit is how long a request key may be taken after its process has died.
const leaseLimit = 30 * time.Second

// keyed is a request under a request key: a run, or a batch of one job.
type keyed struct {
	who   account
	brand string // and request key
	batch bool
}

// send sends the request to a replica.
func (k keyed) send(t *testing.T, r *replica) answer {
	if k.batch {
		return postKeyed(t, browser, r.url+"/reconcile/batch", k, batchBody([]string{k.brand}))
	}
	return postKeyed(t, browser, r.url+"/reconcile", k, runBody(k.brand))
}

func postKeyed(t *testing.T, client *http.Client, url string, k keyed, body []byte) answer {
	return send(client, jsonBy(t, url, k.who.key, bytes.NewReader(body), "Idempotency-Key", k.brand))
}

// outcomeID is the run or batch that an answer is about, and whether it was
// made for it; blank if the answer is none.
func (k keyed) outcomeID(a answer) (id string, first bool) {
	if a.err != nil {
		return "", false
	}
	var body struct {
		BatchID   string `json:"batch_id"`
		RunID     string `json:"run_id"`
		Duplicate bool
	}
	switch {
	case a.status == http.StatusAccepted && json.Unmarshal(a.body, &body) == nil:
		return body.BatchID, true
	case a.status == http.StatusOK && json.Unmarshal(a.body, &body) == nil && body.Duplicate:
		return body.RunID, false
	case a.status == http.StatusOK:
		return a.header.Get("X-Run-Id"), true
	}
	return "", false
}

// insist sends the request until it is answered, as the API's description says:
// at once after a broken connection, and after Retry-After otherwise.
func (k keyed) insist(t *testing.T, replicaNow func() *replica) (id string, waits int, err error) {
	for deadline := time.Now().Add(leaseLimit + 2*waitLimit); time.Now().Before(deadline); {
		a := k.send(t, replicaNow())
		if id, _ := k.outcomeID(a); id != "" {
			return id, waits, nil
		}
		switch {
		case a.err != nil:
			time.Sleep(10 * glance)
		case a.status == http.StatusConflict && a.header.Get("Retry-After") == "5":
			waits++
			if longAsked() {
				time.Sleep(5 * time.Second)
			} else {
				time.Sleep(10 * glance) // for leasesEnd
			}
		case a.status == http.StatusServiceUnavailable:
			time.Sleep(time.Second)
		default:
			return "", waits, fmt.Errorf("%+v was answered %d: %s", k, a.status, a.body)
		}
	}
	return "", waits, fmt.Errorf("%+v was never answered", k)
}

// leasesEnd has the leases end by which processes hold request keys, as if they had
// lasted their time; unless the long forms of tests were asked for, which wait.
func (in *installation) leasesEnd(t *testing.T) {
	t.Helper()
	if !longAsked() {
		in.exec(t, "UPDATE claims SET held_until_us = made_at_us WHERE run_id IS NULL AND batch_id IS NULL")
	}
}

// Instances of the service are killed while they make runs and take batches, and
// every client sends its request again under the same key until it has an
// answer: then each of them is stored, once, and known by one id. On SQLite, where
// there is one instance, only if the long forms of tests were asked for.
func TestKilledUnderRequestKeys(t *testing.T) {
	alongside(t)
	if longAsked() {
		t.Run("SQLite", func(t *testing.T) { killedUnderRequestKeys(t, newInstallation(t, ""), 1) })
	}
	t.Run("PostgreSQL", func(t *testing.T) {
		killedUnderRequestKeys(t, newInstallation(t, clone(t)), 2)
	})
}

func killedUnderRequestKeys(t *testing.T, in *installation, instances int) {
	const each = 8
	kills := size(3, 8, 100)
	replicas := make([]atomic.Pointer[replica], instances)
	for i := range replicas {
		replicas[i].Store(in.start(t))
	}
	now := func() *replica { return replicas[rand.IntN(instances)].Load() }
	accounts := in.accounts(t, kills*each, -1)

	var mu sync.Mutex
	var faults []error
	ids, waited := map[string]string{}, 0
	var clients sync.WaitGroup
	for round := range kills {
		for i := range each {
			k := keyed{who: accounts[round*each+i], brand: brandOf(round*each + i), batch: i%2 == 1}
			clients.Go(func() {
				id, waits, err := k.insist(t, now)
				again, _, errAgain := k.insist(t, now)
				mu.Lock()
				defer mu.Unlock()
				ids[k.brand] = id
				if waits > 0 {
					waited++
				}
				if err != nil || errAgain != nil || id != again {
					faults = append(faults, fmt.Errorf("%+v is %q (%w) and %q (%w)", k, id, err, again, errAgain))
				}
			})
		}
		time.Sleep(rand.N(30 * time.Millisecond))
		i := rand.IntN(instances)
		dead := replicas[i].Load()
		dead.kill()
		in.leasesEnd(t)
		in.exec(t, "DELETE FROM rate_windows") // what was cut off has been counted
		replicas[i].Store(in.start(t))
	}
	clients.Wait()
	require.Empty(t, faults)

	stored := map[string]int{}
	for _, row := range in.query(t, "SELECT brand, id FROM runs WHERE source = 'api'", 2) {
		stored[row[0]]++
		require.Equal(t, ids[row[0]], row[1], "the run of %s", row[0])
	}
	for brand, n := range stored {
		require.Equal(t, 1, n, "the request of %s", brand)
	}
	require.Len(t, stored, kills*each/2)
	require.Equal(t, kills*each/2, in.count(t, "SELECT COUNT(*) FROM batches"))
	require.Equal(t, kills*each/2, in.count(t, "SELECT COUNT(DISTINCT account_id) FROM batches"))
	require.Equal(t, kills*each, in.count(t, "SELECT COUNT(*) FROM claims WHERE run_id IS NOT NULL OR batch_id IS NOT NULL"))
	require.Equal(t, kills*each, in.count(t, "SELECT COUNT(*) FROM claims"))
	t.Logf("%d kills: %d runs and %d batches, each stored once and known by one id; %d of them waited for the lease of a process that had died",
		kills, kills*each/2, kills*each/2, waited)
}

// A process dies after it has taken a request key and before it has stored what
// the key stands for. The other one refuses the key as long as its lease lasts,
// and makes the request then.
func TestARequestKeyOutlivesItsProcess(t *testing.T) {
	alongside(t)
	in := newInstallation(t, clone(t))
	both := in.pair(t)
	requests := []keyed{{brand: "a run"}, {brand: "a batch", batch: true}}
	for i, who := range in.accounts(t, len(requests), -1) {
		requests[i].who = who
	}
	// What is to be stored waits for these locks; claims do not.
	db, done := in.open(t)
	defer done()
	holding, err := db.BeginTx(t.Context(), nil)
	require.NoError(t, err)
	_, err = holding.Exec("LOCK TABLE runs, batches IN SHARE MODE")
	require.NoError(t, err)

	var dying sync.WaitGroup
	for _, k := range requests {
		dying.Go(func() {
			if a := k.send(t, both[0]); a.err == nil {
				t.Errorf("a process that was killed has answered %d", a.status)
			}
		})
	}
	await(t, "the keys to be taken", func() bool { return in.count(t, "SELECT COUNT(*) FROM claims") == len(requests) })
	both[0].kill()
	died := time.Now()
	dying.Wait()
	require.NoError(t, holding.Rollback())
	for _, k := range requests {
		a := k.send(t, both[1])
		refused(t, a, http.StatusConflict, "a request with this Idempotency-Key is under way")
		require.Equal(t, 5, retryAfter(t, a))
	}
	held := in.count(t, "SELECT MAX(held_until_us) FROM claims")
	require.LessOrEqual(t, held, int(died.Add(leaseLimit).UnixMicro()))
	require.Greater(t, held, int(time.Now().UnixMicro()), "another process waits for the end of the lease")
	in.leasesEnd(t)
	ids, waits, faults := make([]string, len(requests)), make([]int, len(requests)), make([]error, len(requests))
	atOnce(len(requests), func(i int) {
		ids[i], waits[i], faults[i] = requests[i].insist(t, func() *replica { return both[1] })
	})
	took := time.Since(died)
	require.Less(t, took, leaseLimit+10*time.Second, "the lease, a Retry-After, and some time for a slow machine")
	for i, k := range requests {
		require.NoError(t, faults[i])
		require.Equal(t, longAsked(), waits[i] > 0)
		again, first := k.outcomeID(k.send(t, both[1]))
		require.Equal(t, ids[i], again)
		require.Equal(t, k.batch, first, "a repeated run says that it is one")
	}
	require.Equal(t, 1, in.count(t, "SELECT COUNT(*) FROM runs WHERE source = 'api'"))
	require.Equal(t, 1, in.count(t, "SELECT COUNT(*) FROM batches"))
	t.Logf("made by another process %v after the first one's death", took.Round(time.Millisecond))
}

// A process is suspended while it makes a run under a key, for longer than its
// lease lasts; another one makes the run meanwhile. When the first goes on, it
// stores nothing and says that it has lost the key.
func TestASuspendedProcessHasLostItsKey(t *testing.T) {
	alongside(t)
	in := newInstallation(t, clone(t))
	both := in.pair(t)
	load := newCargo(size(12_000, 27_000, 27_000), true) // enough to be suspended at it
	body := append([]byte(`{"brand":"suspended",`), load.body[1:]...)
	pause := 100 * glance // between two requests
	if longAsked() {
		pause = 5 * time.Second // there are six in a lease, and the rate allows ten in a minute
	}
	for attempt := range 10 {
		k := keyed{who: in.accounts(t, 1, -1)[0], brand: fmt.Sprint("attempt ", attempt)}
		claim := fmt.Sprintf(" FROM claims WHERE account_id = '%s'", k.who.id)
		answers := make(chan answer, 1)
		go func() { answers <- postKeyed(t, hauler, both[0].url+"/reconcile", k, body) }()
		await(t, "the key to be taken", func() bool { return in.count(t, "SELECT COUNT(*)"+claim) == 1 })
		both[0].signal(syscall.SIGSTOP)
		// Amid a transaction it would keep the other one waiting for its locks.
		const locked = "SELECT COUNT(*) FROM pg_locks JOIN pg_database ON pg_database.oid = database WHERE datname = current_database()" +
			" AND relation IN ('accounts'::regclass, 'claims'::regclass, 'runs'::regclass)" // other tests have tables of the same ids
		if in.count(t, "SELECT COUNT(run_id)"+claim) == 1 || in.count(t, locked) > 0 {
			both[0].signal(syscall.SIGCONT) // it was too quick for us
			require.Equal(t, http.StatusOK, (<-answers).status)
			continue
		}
		second := postKeyed(t, browser, both[1].url+"/reconcile", k, body)
		refused(t, second, http.StatusConflict, "a request with this Idempotency-Key is under way")
		in.leasesEnd(t)
		for deadline := time.Now().Add(leaseLimit + 2*waitLimit); second.status != http.StatusOK && time.Now().Before(deadline); {
			time.Sleep(pause)
			second = postKeyed(t, browser, both[1].url+"/reconcile", k, body)
		}
		id, first := k.outcomeID(second)
		require.True(t, first, "%d %.200s", second.status, second.body)
		both[0].signal(syscall.SIGCONT)
		refused(t, <-answers, http.StatusConflict, "a request with this Idempotency-Key is under way")
		again, first := k.outcomeID(postKeyed(t, browser, both[0].url+"/reconcile", k, body))
		require.Equal(t, id, again)
		require.False(t, first)
		require.Equal(t, 1, in.count(t, fmt.Sprintf("SELECT COUNT(*) FROM runs WHERE account_id = '%s'", k.who.id)))
		return
	}
	t.Fatal("no run could be suspended before it was stored")
}

// Of the same request at the same moment to both replicas, again and again, one
// is made; a client that takes 409 for what it says always ends with its id.
func requestKeysHold(t *testing.T, in *installation, both [2]*replica) {
	const each = 6
	const outcomes = "SELECT (SELECT COUNT(*) FROM runs WHERE source = 'api') + (SELECT COUNT(*) FROM batches)"
	accounts, before := in.accounts(t, size(6, 60, 300), -1), in.count(t, outcomes)
	made, repeated, underWay := 0, 0, 0
	for i, who := range accounts {
		k := keyed{who: who, brand: brandOf(i), batch: i%3 == 2}
		answers := make([]answer, each)
		atOnce(each, func(n int) { answers[n] = k.send(t, both[n%2]) })
		ids, firsts := map[string]bool{}, 0
		for _, a := range answers {
			id, first := k.outcomeID(a)
			if id == "" {
				refused(t, a, http.StatusConflict, "a request with this Idempotency-Key is under way")
				underWay++
				continue
			}
			if ids[id] = true; first {
				firsts++
			} else {
				repeated++
			}
		}
		require.Len(t, ids, 1, "of %+v", k)
		if !k.batch {
			require.Equal(t, 1, firsts, "of %+v", k)
		}
		made++
	}
	require.Equal(t, before+made, in.count(t, outcomes))
	t.Logf("%d requests, each %d times at once over two processes: each stored once, %d repeats, %d under way", made, each, repeated, underWay)
}
