package processes_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"milaan/config"
	"milaan/tests/bench"
	"milaan/tests/only"
)

// cargo is a request that is sent again and again, each time under another
// brand so that it is no duplicate, and its right answer.
type cargo struct {
	body  []byte // without a brand
	right []byte // the answer, once learnt
}

// The two sizes that loads are made of: a small shop's day, and as many rows of
// a full export as a request of 25 MiB can hold.
var (
	smallCargo = sync.OnceValue(func() *cargo { return newCargo(500, false) })
	largeCargo = sync.OnceValue(func() *cargo { return newCargo(27_000, true) })
)

func newCargo(rows int, full bool) *cargo {
	return &cargo{body: bench.Draw(rows, full).Body()}
}

// hauler is a browser for loads: it waits for as long as a slow machine takes
// to get through one.
var hauler = &http.Client{Timeout: 10 * waitLimit, Transport: &http.Transport{MaxIdleConnsPerHost: 128}}

func (c *cargo) megabytes() float64 { return float64(len(c.body)) / 1e6 }

// haul sends the cargo to a replica. The brand goes before the rest, so that all
// requests share one body.
func (c *cargo) haul(t *testing.T, r *replica, key, brand string) answer {
	head := `{"brand":` + strconv.Quote(brand) + `,`
	body := io.MultiReader(strings.NewReader(head), bytes.NewReader(c.body[1:]))
	request := jsonBy(t, r.url+"/reconcile", key, body)
	request.ContentLength = int64(len(head) + len(c.body) - 1)
	return send(hauler, request)
}

// batch is the request for a batch of n jobs with the cargo, under brandOf from
// and the brands that follow.
func (c *cargo) batch(from, n int) string {
	jobs := make([]string, n)
	for i := range jobs {
		jobs[i] = `{"brand":` + strconv.Quote(brandOf(from+i)) + `,` + string(c.body[1:])
	}
	return `{"jobs":[` + strings.Join(jobs, ",") + `]}`
}

// verdict is what an answer says of one order, words aside.
type verdict struct {
	OrderID   string `json:"order_id"`
	AWB       string
	Flag      string
	Shortfall float64
}

// learn asks for the answer once, while nothing else happens, and compares it
// with what the plain way says of the same files. An answer does not depend on
// its brand or its moment, so every other one must be the same to the byte.
func (c *cargo) learn(t *testing.T, r *replica, key string) {
	t.Helper()
	a := c.haul(t, r, key, "learnt")
	require.NoError(t, a.err)
	require.Equal(t, http.StatusOK, a.status, "%.500s", a.body)
	var plain bytes.Buffer
	require.NoError(t, bench.Plain(c.body, &plain))
	verdicts := func(body []byte) []verdict {
		var all struct{ Results []verdict }
		require.NoError(t, json.Unmarshal(body, &all))
		return all.Results
	}
	want := verdicts(plain.Bytes())
	require.NotEmpty(t, want)
	require.Equal(t, want, verdicts(a.body))
	c.right = a.body
}

// judge is nil for the right answer.
func (c *cargo) judge(a answer) error {
	switch {
	case a.err != nil:
		return a.err
	case a.status != http.StatusOK:
		return fmt.Errorf("answered %d: %.500s", a.status, a.body)
	case !bytes.Equal(a.body, c.right):
		return fmt.Errorf("an answer of %d bytes is not the one of %d bytes that it was when nothing else happened", len(a.body), len(c.right))
	}
	return nil
}

// peakMemory is the most memory that the replica has held so far, in bytes, as
// the kernel counts what is resident. It is 0 where only Linux could tell.
func (r *replica) peakMemory(t *testing.T) int64 {
	t.Helper()
	return r.resident(t, "VmHWM")
}

// resident is a line of what the kernel says of the replica's memory, in bytes.
func (r *replica) resident(t *testing.T, line string) int64 {
	t.Helper()
	if runtime.GOOS != "linux" {
		t.Log("NOT TESTED: a process's memory is read from Linux only")
		return 0
	}
	status := only.Value(os.ReadFile(fmt.Sprintf("/proc/%d/status", r.process.Process.Pid)))(t)
	found := regexp.MustCompile(line + `:\s+(\d+) kB`).FindSubmatch(status)
	require.NotNil(t, found, "%s", status)
	return only.Value(strconv.ParseInt(string(found[1]), 10, 64))(t) << 10
}

// What a process may hold in bytes beside the bodies of requests: the tables of
// each run in flight, which are 20 MB for 50,000 orders and less for these, and
// the program with its database and connections.
const (
	mebibyte      = 1 << 20
	largestBody   = 25 * mebibyte
	tablesOfRun   = 20 * mebibyte
	programItself = 64 * mebibyte
)

// memoryBound is the most that a process may hold with a budget for bodies, in
// bytes. Seven eighths of the budget are for large bodies, each of which counts
// in full from its first byte until its answer is written, so that no more runs
// are in flight than fit; of the heap a tenth may be garbage before it is
// collected. Thirty bodies without a budget would be 750 MiB.
func memoryBound(budget int64) int64 {
	inFlight := budget * 7 / 8 / largestBody
	return (budget+inFlight*tablesOfRun)*11/10 + programItself
}

// shippedBudget is the default of MILAAN_BODY_MEMORY.
var shippedBudget = int64(config.Defaults().HTTP.BodyMemory)

// requireWithin checks the peak of a replica's memory against its budget, and
// returns it in MiB.
func (r *replica) requireWithin(t *testing.T, budget int64) int64 {
	t.Helper()
	peak := r.peakMemory(t)
	require.LessOrEqual(t, peak, memoryBound(budget), "peak memory")
	return peak / mebibyte
}

// soaking passes a test over where nobody asked for the long ones.
func soaking(t *testing.T) {
	t.Helper()
	if !longAsked() {
		t.Skip("NOT TESTED: set MILAAN_SOAK to short or 1 for the service under load")
	}
}

// Thirty of the largest requests at once, each of an account of its own, are
// answered right or told to come again, within the memory that was set; and the
// service is there for the next one.
func TestThirtyOfTheLargestRequestsAtOnce(t *testing.T) {
	soaking(t)
	t.Run("as shipped", func(t *testing.T) { loadAtOnce(t, shippedBudget) })
	t.Run("short of memory and time", func(t *testing.T) {
		const budget = 64 * mebibyte
		loadAtOnce(t, budget, fmt.Sprintf("MILAAN_BODY_MEMORY=%d", budget), "MILAAN_BODY_WAIT=100ms")
	})
}

func loadAtOnce(t *testing.T, budget int64, settings ...string) {
	const asked = 30
	in := newInstallation(t, "")
	accounts := in.accounts(t, asked+1, -1)
	r := in.start(t, settings...)
	load, spare := largeCargo(), accounts[asked].key
	load.learn(t, r, spare)

	answers := make([]answer, asked)
	began := time.Now()
	atOnce(asked, func(i int) { answers[i] = load.haul(t, r, accounts[i].key, brandOf(i)) })
	took := time.Since(began)
	after := r.reconcile(t, spare, "afterwards")
	outcomeOf(t, after)

	passed := 0
	for _, a := range answers {
		if a.status == http.StatusServiceUnavailable {
			refused(t, a, http.StatusServiceUnavailable, "")
			retryAfter(t, a)
			continue
		}
		require.NoError(t, load.judge(a))
		passed++
	}
	require.Positive(t, passed)
	require.Equal(t, passed+2, in.count(t, "SELECT COUNT(*) FROM runs"), "the answered ones are stored, and the first and the last")
	peak := r.requireWithin(t, budget)
	t.Logf("%d requests of %.1f MB at once: %d answered and %d told to come again in %v; at most %d MiB of memory with %d for bodies; a small request right after took %v",
		asked, load.megabytes(), passed, asked-passed, took.Round(time.Millisecond), peak, budget/mebibyte, after.took.Round(time.Millisecond))
	r.stop(t)
}

// For a minute sixteen clients send small and large requests, and every answer
// is right.
func TestAMinuteOfMixedRequests(t *testing.T) {
	const (
		clients = 16
		hauling = 4    // of them, large requests
		most    = 1000 // requests a second, for which there are accounts
		each    = 10   // requests of one account, which is the rate of its key
	)
	soaking(t)
	seconds := size(0, 2, 60)
	onBoth(t, func(t *testing.T, in *installation) {
		accounts := in.accounts(t, seconds*most/each+1, -1)
		last := len(accounts) - 1
		r := in.start(t)
		small, large := smallCargo(), largeCargo()
		small.learn(t, r, accounts[last].key)
		large.learn(t, r, accounts[last].key)

		var (
			asked atomic.Int64
			times [clients][]time.Duration
			fault [clients]error
		)
		began := time.Now()
		end := began.Add(time.Duration(seconds) * time.Second)
		atOnce(clients, func(n int) {
			load := small
			if n < hauling {
				load = large
			}
			for time.Now().Before(end) && fault[n] == nil {
				i := int(asked.Add(1)) - 1
				if i >= each*last {
					return // of accounts, not of time: the machine is faster than we thought
				}
				a := load.haul(t, r, accounts[i%last].key, brandOf(i))
				times[n], fault[n] = append(times[n], a.took), load.judge(a)
			}
		})
		took := time.Since(began)
		require.NoError(t, errors.Join(fault[:]...))
		hauled, light := slices.Concat(times[:hauling]...), slices.Concat(times[hauling:]...)
		require.NotEmpty(t, hauled)
		require.NotEmpty(t, light)
		require.Equal(t, len(hauled)+len(light)+2, in.count(t, "SELECT COUNT(*) FROM runs"), "each is stored, and the first two")
		peak := r.requireWithin(t, shippedBudget)
		megabytes := float64(len(hauled))*large.megabytes() + float64(len(light))*small.megabytes()
		t.Logf("%d clients for %v: %.0f requests/s, %.0f MB/s, no error; %d small ones of %.0f kB: %v; %d large ones of %.1f MB: %v; at most %d MiB of memory",
			clients, took.Round(time.Millisecond), float64(len(hauled)+len(light))/took.Seconds(), megabytes/took.Seconds(),
			len(light), small.megabytes()*1e3, waits(light), len(hauled), large.megabytes(), waits(hauled), peak)
		r.stop(t)
	})
}

// waits says how long answers took.
func waits(all []time.Duration) string {
	slices.Sort(all)
	at := func(percent int) time.Duration { return all[(len(all)-1)*percent/100].Round(100 * time.Microsecond) }
	return fmt.Sprintf("p50 %v, p99 %v, at most %v", at(50), at(99), at(100))
}
