package processes_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"
	"github.com/stretchr/testify/require"

	"milaan/domain"
)

// Whatever an endpoint does, it sees one POST of an event that it takes, and two
// of one that it does not. Others verify the signatures: the library of Standard
// Webhooks, and openssl as the README has it.
func TestWhatEndpointsDo(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, in *installation) {
		t.Parallel()
		endpoint := newReceiver(t)
		cases := []struct {
			path     string
			posts    int
			state    domain.DeliveryState
			outcomes domain.Outcome
		}{
			{"/ok", 1, domain.DeliveryDelivered, domain.OutcomeDelivered},
			{"/500", 2, domain.DeliveryFailed, domain.OutcomeRefused},
			{"/404", 2, domain.DeliveryFailed, domain.OutcomeRefused},
			{"/redirect", 2, domain.DeliveryFailed, domain.OutcomeRedirected},
			{"/hang", 2, domain.DeliveryFailed, domain.OutcomeTimeout},
			{"/trickle", 1, domain.DeliveryDelivered, domain.OutcomeDelivered}, // its status is all that counts
			{"/reset", 2, domain.DeliveryFailed, domain.OutcomeUnreachable},
		}
		who, endpoints := in.accounts(t, len(cases), -1), map[string]string{}
		for i, c := range cases {
			endpoints[who[i].id] = endpoint.url + c.path
		}
		secrets := in.setWebhooks(t, endpoints)
		r := in.start(t, toThisMachine)
		for i := range cases {
			outcomeOf(t, r.reconcile(t, who[i].key, brandOf(i)))
		}
		await(t, "all deliveries", func() bool { return in.count(t, "SELECT COUNT(*) FROM deliveries WHERE state = 'pending'") == 0 })

		for i, c := range cases {
			row := in.query(t, "SELECT event_id, state, run_id FROM deliveries WHERE account_id = '"+who[i].id+"'", 3)
			require.Len(t, row, 1)
			require.Equal(t, string(c.state), row[0][1], c.path)
			posts := endpoint.of(row[0][0])
			require.Len(t, posts, c.posts, c.path)
			for n, p := range posts {
				require.Equal(t, http.Header{
					"Content-Type": {"application/json"}, "X-Milaan-Event": {"run"},
					"Webhook-Id": {row[0][0]},
				}, only(p.header, "Content-Type", "X-Milaan-Event", "Webhook-Id"))
				s := summaryOf(t, p)
				require.Equal(t, summary{Brand: brandOf(i), RunAt: s.RunAt, FlaggedCount: 2, AmountRisk: 948, RunID: row[0][2]}, s)
				_, err := time.Parse("2006-01-02T15:04:05.000Z", s.RunAt)
				require.NoError(t, err)
				verifyByOthers(t, p, secrets[who[i].id].Reveal())
				require.Equal(t, posts[0].body, posts[n].body)
			}
			for _, attempt := range in.query(t, "SELECT a.outcome FROM delivery_attempts a JOIN deliveries d ON d.id = a.delivery_id WHERE d.event_id = '"+row[0][0]+"'", 1) {
				require.Equal(t, string(c.outcomes), attempt[0], c.path)
			}
		}
		require.Len(t, endpoint.seen(), len(cases), "the target of a redirect is not called")
		r.stop(t)
	})
}

func only(h http.Header, names ...string) http.Header {
	some := http.Header{}
	for _, name := range names {
		some[name] = h.Values(name)
	}
	return some
}

// verifyByOthers verifies both signatures of a POST.
func verifyByOthers(t *testing.T, p posted, secret string) {
	t.Helper()
	verifier, err := standardwebhooks.NewWebhook(secret)
	require.NoError(t, err)
	require.NoError(t, verifier.Verify(p.body, p.header))
	require.Error(t, verifier.Verify(append([]byte(" "), p.body...), p.header))
	if _, err := exec.LookPath("openssl"); err != nil {
		t.Logf("NOT TESTED: %v", err)
		return
	}
	file := filepath.Join(t.TempDir(), "body.json")
	require.NoError(t, os.WriteFile(file, p.body, 0o600))
	out, err := exec.Command("openssl", "dgst", "-sha256", "-hmac", secret, "-r", file).Output()
	require.NoError(t, err)
	digest, _, _ := strings.Cut(string(out), " ")
	require.Equal(t, digest, p.header.Get("X-Milaan-Sig"))
}

// Half of the endpoints hang, and the events of the other half come as if they
// did not: the delay from the run's time to the POST.
func TestHangingEndpointsDelayNobody(t *testing.T) {
	onBoth(t, func(t *testing.T, in *installation) {
		const perSecond, jobs = 100, 20
		seconds := size(3, 6, 60)
		batches := seconds * perSecond / jobs
		endpoint := newReceiver(t)
		who, endpoints := in.accounts(t, max(10, batches/8+1), -1), map[string]string{}
		for i, a := range who {
			endpoints[a.id] = endpoint.url + []string{"/ok/", "/hang/"}[i%2] + a.id
		}
		in.setWebhooks(t, endpoints)
		r := in.start(t, toThisMachine)
		pace := time.NewTicker(time.Second * jobs / perSecond)
		defer pace.Stop()
		healthy := map[string]bool{}
		for i := range batches {
			a := who[i%len(who)]
			brands := make([]string, jobs)
			for j := range brands {
				brands[j] = brandOf(i*jobs + j)
				healthy[brands[j]] = i%len(who)%2 == 0
			}
			answer := post(t, r.url+"/reconcile/batch", a.key, strings.NewReader(string(batchBody(brands))))
			require.Equal(t, http.StatusAccepted, answer.status, "%s %v", answer.body, answer.err)
			<-pace.C
		}
		var delays []time.Duration
		arrived := func() int {
			delays = delays[:0]
			for _, posts := range endpoint.seen() {
				var s summary
				if json.Unmarshal(posts[0].body, &s) != nil || !healthy[s.Brand] {
					continue
				}
				ran, err := time.Parse("2006-01-02T15:04:05.000Z", s.RunAt)
				require.NoError(t, err)
				delays = append(delays, posts[0].at.Sub(ran))
			}
			return len(delays)
		}
		want := 0
		for _, well := range healthy {
			if well {
				want++
			}
		}
		require.Eventually(t, func() bool { return arrived() == want }, patience, 50*time.Millisecond, "an event for a healthy endpoint is missing")
		t.Logf("%d events a second for %d s, half of %d endpoints hang: %d healthy deliveries, delays %s",
			perSecond, seconds, len(who), len(delays), waits(delays))
	})
}

// A queue full of batches leaves the service to those who wait for an answer.
func TestBatchesDoNotStarveRuns(t *testing.T) {
	onBoth(t, func(t *testing.T, in *installation) {
		const rows, jobs = 4_500, 20 // as many rows as fit the body
		runs, batches := size(30, 60, 400), size(1, 2, 10)
		hands, batchers := in.accounts(t, 2*runs/8+1, -1), in.accounts(t, batches/8+1, -1)
		r := in.start(t)
		measure := func(from int, goOn func(i int) bool) (took []time.Duration) {
			for i := 0; goOn(i); i++ {
				a := smallCargo().haul(t, r, hands[(from+i)/8%len(hands)].key, brandOf(from+i))
				require.Equal(t, http.StatusOK, a.status, "%s %v", a.body, a.err)
				took = append(took, a.took)
			}
			return took
		}
		idle := measure(0, func(i int) bool { return i < runs })

		job := newCargo(rows, false)
		for i := range batches {
			var body strings.Builder
			for j := range jobs {
				fmt.Fprintf(&body, `,{"brand":"shop %d of batch %d",%s`, j, i, job.body[1:])
			}
			a := post(t, r.url+"/reconcile/batch", batchers[i/8].key, strings.NewReader(`{"jobs":[`+body.String()[1:]+`]}`))
			require.Equal(t, http.StatusAccepted, a.status, "%s %v", a.body, a.err)
		}
		const open = "SELECT COUNT(*) FROM batches WHERE completed_at_us IS NULL"
		left := in.count(t, open)
		full := measure(runs, func(i int) bool { return i < runs })
		still := in.count(t, open)
		require.Eventually(t, func() bool { return in.count(t, open) == 0 }, recovery, 100*time.Millisecond)
		t.Logf("runs of 500 orders, one after the other: %s with an idle queue; %s with a queue of %d to %d batches of %d times %d orders",
			waits(idle), waits(full), left, still, jobs, rows)
	})
}
