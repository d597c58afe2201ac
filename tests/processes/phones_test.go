package processes_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"milaan/tests/fakes/msg91"
)

// viaSMS are the settings of a service that sends its phone codes to a fake of MSG91.
func viaSMS(sms *msg91.Server) []string {
	return []string{"MILAAN_OTP=msg91", "MILAAN_MSG91_AUTH_KEY=" + msg91.AuthKey, "MILAAN_MSG91_TEMPLATE=" + msg91.Template, "MILAAN_MSG91_URL=" + sms.URL}
}

func (in *installation) sendPhoneCode(t *testing.T, r *replica, session, number string, sms *msg91.Server) string {
	t.Helper()
	in.hide("a phone number", number)
	a := post(t, r.url+"/account/phone", session, strings.NewReader(`{"number":"`+number+`"}`))
	require.Equal(t, http.StatusAccepted, a.status, string(a.body))
	code := sms.Last().Code
	in.hide("a phone code", `"`+code+`"`)
	return code
}

func otherCode(code string, i int) string {
	var n int
	_, _ = fmt.Sscan("1"+code, &n)
	return fmt.Sprint((n+1+i)%1_000_000 + 1_000_000)[1:]
}

// The commands verify a phone beside the running service: codes, checks and rates are those
// of both.
func TestPhoneByCommands(t *testing.T) {
	alongside(t)
	onPostgreSQL(t, func(t *testing.T, in *installation) {
		sms := msg91.New(t)
		in.hide("the authkey", msg91.AuthKey)
		r := in.start(t, viaSMS(sms)...)
		const email = "merchant@shop.example"
		session := in.session(t, email, "pro")
		viewOf(t, in.run(t, "account", "set", "--email", email, "--phone-verified=false"))
		refused(t, r.issueKey(t, session), http.StatusForbidden, "phone_not_verified")

		in.succeed(t, viaSMS(sms), "account", "phone", "send", "--email", email, "--number", "+91 98765 43210")
		in.hide("a phone number", "9876543210")
		code := sms.Last().Code
		again := in.runWith(t, viaSMS(sms), "account", "phone", "send", "--email", email, "--number", "6123456789")
		require.Equal(t, 1, again.code)
		require.Contains(t, again.stderr, "too many requests in a short time")
		refused(t, post(t, r.url+"/account/phone", session, strings.NewReader(`{"number":"9876543210"}`)), http.StatusTooManyRequests, "Rate limit exceeded")
		refused(t, post(t, r.url+"/account/phone/verify", session, strings.NewReader(`{"code":"`+otherCode(code, 0)+`"}`)), http.StatusBadRequest, "this code does not verify the number: compare it with the latest message, or ask for a new code; tries left: 4")
		wrong := in.runWith(t, nil, "account", "phone", "verify", "--email", email, "--code", otherCode(code, 1))
		require.Contains(t, wrong.stderr, "tries left: 3")
		require.Equal(t, "The phone number is verified.\n", in.succeed(t, nil, "account", "phone", "verify", "--email", email, "--code", code))
		require.Contains(t, in.succeed(t, nil, "account", "phone", "--email", email), `"number": "+91 ••••• ••210"`)
		outcomeOf(t, r.reconcile(t, keyOf(t, r.issueKey(t, session)), "first"))
		r.stop(t)

		off := in.runWith(t, nil, "account", "phone", "send", "--email", email, "--number", "9876543210")
		require.Equal(t, 1, off.code)
		require.Contains(t, off.stderr, "this service sends no phone codes: set MILAAN_OTP")
	})
}

// Processes that are killed while people guess: no more than five guesses at a code are
// judged, a code is used once, and what was answered holds.
func TestKilledWhileVerifying(t *testing.T) {
	alongside(t)
	onPostgreSQL(t, func(t *testing.T, in *installation) {
		sms := msg91.New(t)
		const clients = 16
		verified, cut := 0, 0
		for round := range size(2, 10, 50) {
			replicas := []*replica{in.start(t, viaSMS(sms)...)}
			if in.database != "" {
				replicas = append(replicas, in.start(t, viaSMS(sms)...))
			}
			email := fmt.Sprintf("merchant%d@shop.example", round)
			session := in.session(t, email, "pro")
			viewOf(t, in.run(t, "account", "set", "--email", email, "--phone-verified=false"))
			code := in.sendPhoneCode(t, replicas[0], session, fmt.Sprintf("98%08d", round), sms)
			var answered, right atomic.Int64
			after := 1 + rand.Int64N(6)
			lefts := make([]string, clients)
			atOnce(clients, func(n int) {
				guess := otherCode(code, n)
				if n%4 == 0 {
					guess = code
				}
				a := post(t, replicas[n%len(replicas)].url+"/account/phone/verify", session, strings.NewReader(`{"code":"`+guess+`"}`))
				if a.status == http.StatusOK && a.err == nil {
					right.Add(1)
				}
				var said struct{ Error string }
				if json.Unmarshal(a.body, &said) == nil {
					_, lefts[n], _ = strings.Cut(said.Error, "tries left: ")
				}
				if answered.Add(1) == after {
					time.AfterFunc(rand.N(3*time.Millisecond), func() {
						for _, r := range replicas {
							r.signal(syscall.SIGKILL)
						}
					})
				}
			})
			for _, r := range replicas {
				r.kill()
			}
			if in.database != "" { // the server still ends what it was sent
				require.Eventually(t, func() bool {
					return in.count(t, "SELECT COUNT(*) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid() AND state = 'active'") == 0
				}, time.Minute, 10*time.Millisecond)
			}

			seen := map[string]bool{}
			for _, left := range lefts {
				if left != "" {
					require.False(t, seen[left], "two guesses were the same check")
					seen[left] = true
				}
			}
			require.LessOrEqual(t, len(seen), 4)
			id := in.query(t, "SELECT id FROM accounts WHERE email = '"+email+"'", 1)[0][0]
			stored := in.count(t, "SELECT COUNT(*) FROM phones WHERE account_id = '"+id+"'")
			open := in.count(t, "SELECT COUNT(*) FROM phone_codes WHERE account_id = '"+id+"'")
			events := in.count(t, "SELECT COUNT(*) FROM security_events WHERE kind = 'phone_verified' AND account_id = '"+id+"'")
			flagged := in.count(t, "SELECT COUNT(*) FROM accounts WHERE phone_verified AND id = '"+id+"'")
			require.LessOrEqual(t, right.Load(), int64(1))
			require.LessOrEqual(t, right.Load(), int64(stored), "what was answered holds")
			require.Equal(t, []int{stored, stored, 1 - stored}, []int{events, flagged, open}, "verified as a whole or not at all")

			r := in.start(t, viaSMS(sms)...)
			a := post(t, r.url+"/account/phone/verify", session, strings.NewReader(`{"code":"`+code+`"}`))
			switch {
			case stored == 1:
				verified++
				refused(t, a, http.StatusBadRequest, "this code does not verify the number: it is wrong")
			case in.count(t, "SELECT COUNT(*) FROM phones WHERE account_id = '"+id+"'") == 1:
				cut++
				require.Equal(t, http.StatusOK, a.status, string(a.body))
			default:
				refused(t, a, http.StatusBadRequest, "this code does not verify the number: it is wrong")
				require.Equal(t, 5, in.count(t, "SELECT checks FROM phone_codes WHERE account_id = '"+id+"'"))
			}
			r.stop(t)
		}
		t.Logf("verified before the kill: %d, after it: %d", verified, cut)
	})
}
