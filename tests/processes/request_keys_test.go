package processes_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"sync"
	"sync/atomic"
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

func (k keyed) send(t *testing.T, r *replica) answer {
	if k.batch {
		return postKeyed(t, browser, r.url+"/reconcile/batch", k, batchBody([]string{k.brand}))
	}
	return postKeyed(t, browser, r.url+"/reconcile", k, runBody(k.brand))
}

func postKeyed(t *testing.T, client *http.Client, url string, k keyed, body []byte) answer {
	return send(client, jsonBy(t, url, k.who.key, bytes.NewReader(body), "Idempotency-Key", k.brand))
}

// outcomeID is the run or batch that an answer is about; blank if the answer is none.
func (k keyed) outcomeID(a answer) string {
	if a.err != nil {
		return ""
	}
	var body struct {
		BatchID   string `json:"batch_id"`
		RunID     string `json:"run_id"`
		Duplicate bool
	}
	switch {
	case a.status == http.StatusAccepted && json.Unmarshal(a.body, &body) == nil:
		return body.BatchID
	case a.status == http.StatusOK && json.Unmarshal(a.body, &body) == nil && body.Duplicate:
		return body.RunID
	case a.status == http.StatusOK:
		return a.header.Get("X-Run-Id")
	}
	return ""
}

// insist sends the request until it is answered, as the API's description says:
// at once after a broken connection, and after Retry-After otherwise.
func (k keyed) insist(t *testing.T, replicaNow func() *replica) (id string, waits int, err error) {
	for deadline := time.Now().Add(leaseLimit + 2*waitLimit); time.Now().Before(deadline); {
		a := k.send(t, replicaNow())
		if id := k.outcomeID(a); id != "" {
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
				time.Sleep(50 * glance) // for leasesEnd; ten of them within a minute are too many requests
			}
		case a.status == http.StatusServiceUnavailable, a.status == http.StatusTooManyRequests: // a server may end a statement of a dead one late
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
		free := func() {
			in.leasesEnd(t)
			in.exec(t, "DELETE FROM rate_windows") // what was cut off has been counted
		}
		free()
		replicas[i].Store(in.start(t))
		free() // the database may have ended a statement of the dead one since then
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
