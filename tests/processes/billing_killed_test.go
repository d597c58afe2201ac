package processes_test

import (
	"bytes"
	"math/rand/v2"
	"net/http"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"milaan/tests/fakes/razorpay"
)

// Notices that are lost, doubled and shuffled, to processes that are killed meanwhile, leave
// the accounts as ordered ones would.
func TestKilledDuringNotices(t *testing.T) {
	soaking(t)
	onBoth(t, func(t *testing.T, in *installation) {
		for _, secret := range []string{razorpay.KeySecret, razorpay.WebhookSecret, razorpay.FormerSecret} {
			in.hide("a secret of Razorpay", secret)
		}
		fake := razorpay.New(t, time.Now, razorpay.PlanOf("plan_pro", "monthly"), razorpay.PlanOf("plan_solo", "yearly"))
		settings := soldAt(fake)
		kills := size(1, 3, 20)
		accounts := in.accounts(t, 24*kills, -1)
		want := map[string]string{}
		var left []razorpay.Notice
		for round := range kills {
			left = killDuringNotices(t, in.start(t, settings...), append(left, noticesOf(fake, accounts[24*round:24*round+24], want)...))
		}
		r := in.start(t, settings...)
		parallel(8, len(left), func(i int) {
			if status := postNotice(t, r, left[i]); status != http.StatusOK {
				t.Errorf("a notice was answered %d", status)
			}
		})
		var got map[string]string
		awaitWithin(t, recovery, "the accounts to follow their subscriptions", func() bool { // what the killed processes had begun is taken over
			got = map[string]string{}
			for _, row := range in.query(t, "SELECT id, plan, subscription, CASE WHEN period_end_day > period_start_day THEN 'billed' ELSE '' END FROM accounts", 4) {
				got[row[0]] = row[1] + " " + row[2] + " " + row[3]
			}
			for id, is := range want {
				if got[id] != is {
					return false
				}
			}
			return true
		})
		require.Equal(t, want, got)
		r.stop(t)
	})
}

// soldAt are the settings of a service that sells subscriptions at a fake Razorpay.
func soldAt(fake *razorpay.Server) []string {
	return []string{"MILAAN_RAZORPAY_KEY_ID=" + razorpay.KeyID, "MILAAN_RAZORPAY_KEY_SECRET=" + razorpay.KeySecret,
		"MILAAN_RAZORPAY_WEBHOOK_SECRETS=" + razorpay.FormerSecret + "," + razorpay.WebhookSecret,
		"MILAAN_RAZORPAY_PLANS=plan_pro=pro,plan_solo=solo", "MILAAN_RAZORPAY_URL=" + fake.URL()}
}

// A process that is killed at any request to Razorpay while somebody subscribes anew leaves one
// subscription that can be paid for, and none beside it; what is paid is seen without a notice.
func TestKilledWhileSubscribing(t *testing.T) {
	soaking(t)
	onBoth(t, func(t *testing.T, in *installation) {
		for _, secret := range []string{razorpay.KeySecret, razorpay.WebhookSecret, razorpay.FormerSecret} {
			in.hide("a secret of Razorpay", secret)
		}
		fake := razorpay.New(t, time.Now, razorpay.PlanOf("plan_pro", "monthly"), razorpay.PlanOf("plan_solo", "yearly"))
		const path, pro = "account/subscription", `{"plan":"plan_pro"}`
		r, deaths := in.start(t, soldAt(fake)...), 0
		for round := range size(5, 8, 12) {
			accounts := in.accounts(t, 1, -1)
			person := in.people(t, accounts...)[0]
			old := fake.Create("plan_solo", accounts[0].id)
			require.True(t, fake.Authorize(old, "card"))
			fake.Edit(old, func(s *razorpay.Subscription) { s.Status = "halted" })
			require.Equal(t, http.StatusOK, postNotice(t, r, fake.Notify("subscription.halted", old)))
			awaitWithin(t, recovery, "the notice", func() bool {
				return in.count(t, "SELECT COUNT(*) FROM billed_subscriptions WHERE id = '"+old+"'") == 1
			})
			left, dying := round, r
			fake.Lose(func(*http.Request) bool { // the request is done, and its answer comes too late
				if left--; left == -1 {
					dying.kill()
				}
				return left == -1
			})
			r.asPage(t, http.MethodPost, path, person.cookie, "application/json", []byte(pro))
			fake.Lose(nil)
			if left < 0 {
				deaths++
				r = in.start(t, soldAt(fake)...)
			}
			in.exec(t, "UPDATE billing_starts SET until_us = 0") // its time passes
			atOnce(4, func(int) { r.asPage(t, http.MethodPost, path, person.cookie, "application/json", []byte(pro)) })
			var open []string
			for _, s := range fake.All() {
				if s.Notes["milaan_account"] == accounts[0].id && s.Status != "cancelled" {
					open = append(open, s.ID)
				}
			}
			require.Len(t, open, 1, "killed at request %d", round)
			require.False(t, fake.Revive(old))
			require.True(t, fake.Authorize(open[0], "upi"))
			got := r.asPage(t, http.MethodGet, path, person.cookie, "application/json", nil)
			require.Contains(t, string(got.body), `"status":"active","plan":"pro"`)
		}
		require.Positive(t, deaths)
		r.stop(t)
	})
}

// noticesOf lets subscriptions of accounts live, and returns the notices of it, doubled and
// shuffled; of each subscription, some but not all may be lost. want gets the states that they
// lead to.
func noticesOf(fake *razorpay.Server, accounts []account, want map[string]string) (all []razorpay.Notice) {
	for i, a := range accounts {
		id := fake.Create("plan_pro", a.id)
		own := []razorpay.Notice{fake.Notify("subscription.authenticated", id)}
		note := func(event string) { own = append(own, fake.Notify("subscription."+event, id)) }
		fake.Activate(id)
		note("activated")
		note("charged")
		want[a.id] = "pro active billed"
		switch i % 4 {
		case 1:
			fake.Edit(id, func(s *razorpay.Subscription) { s.PlanID = "plan_solo" })
			note("updated")
			want[a.id] = "solo active billed"
		case 2:
			fake.Edit(id, func(s *razorpay.Subscription) { s.Status = "halted" })
			note("halted")
			want[a.id] = "pro ended billed"
		case 3:
			fake.Edit(id, func(s *razorpay.Subscription) { s.Status, s.Ended = "cancelled", time.Now().Unix()-60 })
			note("cancelled")
			want[a.id] = "pro ended billed"
		}
		rand.Shuffle(len(own), func(i, j int) { own[i], own[j] = own[j], own[i] })
		own = own[:1+rand.IntN(len(own))] // the others are lost
		all = append(append(all, own...), own...)
	}
	rand.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	return all
}

// killDuringNotices posts notices until the process is killed, and returns those that were not
// answered: Razorpay posts them again.
func killDuringNotices(t *testing.T, r *replica, notices []razorpay.Notice) (left []razorpay.Notice) {
	var answered atomic.Int64
	deadly := 1 + rand.Int64N(int64(len(notices)/2))
	open := make([]bool, len(notices))
	parallel(8, len(notices), func(i int) {
		if status := postNotice(t, r, notices[i]); status != http.StatusOK {
			open[i] = true
		} else if answered.Add(1) == deadly {
			r.signal(syscall.SIGKILL)
		}
	})
	r.kill()
	for i := range notices {
		if open[i] {
			left = append(left, notices[i])
		}
	}
	return left
}

// postNotice posts a notice, and returns 0 if there was no answer.
func postNotice(t *testing.T, r *replica, n razorpay.Notice) int {
	return send(browser, request(t, http.MethodPost, r.url+"/hooks/razorpay", bytes.NewReader(n.Body),
		"Content-Type", "application/json", "X-Razorpay-Signature", n.Signature, "X-Razorpay-Event-Id", n.ID)).status
}
