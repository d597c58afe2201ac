package processes_test

import (
	"bytes"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"net/http"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// send sends the attack once, as an account.
func (a burden) send(t *testing.T, r *replica, by account, cookie string) answer {
	var header []string
	if strings.HasPrefix(a.path, "/app/") {
		header = []string{"Cookie", cookie, "Sec-Fetch-Site", "same-origin", "Content-Type", a.media}
	} else {
		header = []string{"Authorization", "Bearer " + by.key, "Content-Type", a.media}
	}
	request := request(t, http.MethodPost, r.url+a.path, nil, header...)
	request.Body, request.ContentLength = io.NopCloser(bytes.NewReader(a.body)), int64(len(a.body))
	response, err := hauler.Do(request)
	if err != nil {
		return answer{err: err}
	}
	defer func() { _ = response.Body.Close() }()
	_, err = io.Copy(io.Discard, response.Body) // which may be large
	return answer{status: response.StatusCode, err: err}
}

// worst are attacks of which each killed a container of 512 MB, or nearly, when eight accounts
// made it.
var worst = []string{"inspect one text again", "upload repeated far cells", "a batch of one", "document dispute", "upload far cells", "inspect far cells", "upload UTF-16", "large bodies"}

// mixtures are attacks that eight accounts make together, by name: those that send first have
// the first of them, and so on. Long, each attack is made by all; and all are mixed, at random
// but the same each time.
func mixtures() map[string][]string {
	mixed := map[string][]string{"the worst": worst}
	if !longAsked() {
		return mixed
	}
	names, random := slices.Sorted(maps.Keys(attacks())), rand.New(rand.NewPCG(1, 2))
	for i := range size(0, 2, 20) {
		random.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
		mixed[fmt.Sprintf("%02d: %s", i, strings.Join(names[:8], ", "))] = slices.Clone(names[:8])
	}
	for _, name := range names {
		if size(0, 0, 1) == 1 {
			mixed["all "+name] = []string{name}
		}
	}
	return mixed
}

// TestCrowd has eight accounts attack the service in a container of 512 MB, which README calls
// enough: it lives, and then answers others. tests/bench has each attack alone.
func TestCrowd(t *testing.T) {
	const limit, accounts = 512 * mebibyte, 8
	heavy(t)
	all, each := attacks(), size(1, 6, 6) // requests of an account
	for name, mixture := range mixtures() {
		t.Run(name, func(t *testing.T) {
			in := newInstallation(t, "")
			crowd := in.accounts(t, accounts+1, -1)
			people := in.people(t, crowd...)
			c := newContainer(t, limit)
			r := c.start(t, in)
			watched := r.watchMemory()
			statuses, began := make([]int, accounts*each), time.Now()
			atOnce(len(statuses), func(i int) {
				of := i % accounts
				a := all[mixture[i%len(mixture)]].send(t, r, crowd[of], people[of].cookie)
				if statuses[i] = a.status; a.err != nil {
					t.Errorf("%s: %v", mixture[i%len(mixture)], a.err)
				}
			})
			took, peak := time.Since(began), watched()
			require.Zero(t, c.killed(t))
			outcomeOf(t, r.reconcile(t, crowd[accounts].key, "afterwards"))
			require.Less(t, peak, c.limit)
			counts := map[int]int{}
			for _, status := range statuses {
				counts[status]++
			}
			t.Logf("at most %d MiB; answers by status: %v; %v", peak/mebibyte, counts, took.Round(time.Millisecond))
			r.kill()
		})
	}
}

// watchMemory looks again and again at the most memory that the replica has held, also of one
// that is killed in the end. The function that it returns ends that, and returns the most, in
// bytes.
func (r *replica) watchMemory() func() int64 {
	status, stop, ended := fmt.Sprintf("/proc/%d/status", r.process.Process.Pid), make(chan struct{}), make(chan int64)
	go func() {
		peak, looks := int64(0), time.NewTicker(glance)
		defer looks.Stop()
		for {
			if text, err := os.ReadFile(status); err == nil {
				if found := peakLine.FindSubmatch(text); found != nil {
					kilobytes, _ := strconv.ParseInt(string(found[1]), 10, 64) // digits
					peak = max(peak, kilobytes<<10)
				}
			}
			select {
			case <-stop:
				ended <- peak
				return
			case <-looks.C:
			}
		}
	}()
	return func() int64 {
		close(stop)
		return <-ended
	}
}

var peakLine = regexp.MustCompile(`VmHWM:\s+(\d+) kB`)

// neighbourly is how long 99 of 100 answers to 500 orders may take at most while another account
// attacks.
const neighbourly = 300 * time.Millisecond

// TestNeighboursOfAnAttack has one account attack the service in a container, again and again,
// while others send 500 orders each. How long they may take is held on a machine that does
// nothing else, so only in the long form.
func TestNeighboursOfAnAttack(t *testing.T) {
	const limit, each = 512 * mebibyte, 8
	soaking(t)
	all, neighbours := attacks(), size(0, 24, 300)
	small := smallCargo()
	for _, name := range slices.Sorted(maps.Keys(all)) {
		t.Run(name, func(t *testing.T) {
			in := newInstallation(t, "")
			accounts := in.accounts(t, 1+neighbours/each+1, -1)
			people := in.people(t, accounts[0])
			r := newContainer(t, limit).start(t, in)
			small.learn(t, r, accounts[len(accounts)-1].key)
			ended, attacking := make(chan struct{}), sync.WaitGroup{}
			for range 6 {
				attacking.Go(func() {
					for {
						select {
						case <-ended:
							return
						default:
							_ = all[name].send(t, r, accounts[0], people[0].cookie)
						}
					}
				})
			}
			took := make([]time.Duration, 0, neighbours)
			for i := range neighbours {
				a := small.haul(t, r, accounts[1+i/each].key, brandOf(i))
				require.NoError(t, small.judge(a))
				took = append(took, a.took)
			}
			close(ended)
			r.kill()
			attacking.Wait()
			t.Logf("beside %s: %s", name, waits(took))
			if size(0, 0, 1) == 1 {
				require.Less(t, took[(len(took)-1)*99/100], neighbourly)
			}
		})
	}
}
