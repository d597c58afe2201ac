package processes_test

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"milaan/adapters/storage"
)

// Processes that are killed while accounts are closed: each account is there as a whole
// afterwards, or nothing of it is, and one whose end was answered is gone.
func TestKilledWhileClosing(t *testing.T) {
	soaking(t)
	onBoth(t, func(t *testing.T, in *installation) {
		const clients, runs = 12, 2
		gone, whole := 0, 0
		for round := range size(1, 5, 50) {
			accounts := in.accounts(t, clients, -1)
			people := in.people(t, accounts...)
			r := in.start(t)
			parallel(clients, clients*runs, func(i int) {
				r.reconcile(t, accounts[i%clients].key, fmt.Sprintf("%d-%d", round, i))
			})
			addresses := make([]string, clients)
			for i, p := range people {
				addresses[i] = in.query(t, "SELECT email FROM accounts WHERE id = '"+p.id+"'", 1)[0][0]
			}
			ended := make([]bool, clients)
			killed := r // r is another one by the time that a late timer fires
			time.AfterFunc(rand.N(150*time.Millisecond), func() { killed.signal(syscall.SIGKILL) })
			atOnce(clients, func(i int) {
				ended[i] = closeAccount(t, r, people[i], addresses[i]) == http.StatusNoContent
			})
			r.kill()

			r = in.start(t)
			for i, p := range people {
				left := in.leftOf(t, p.id)
				if left["accounts"] == 0 {
					require.Empty(t, withoutZeros(left), "nothing is left of an account that is gone")
					gone++
					continue
				}
				require.False(t, ended[i], "its end was answered")
				require.Equal(t, []int{runs, 1, 1}, []int{left["runs"], left["api_keys"], left["sessions"]}, "it is there as a whole")
				whole++
				require.Equal(t, http.StatusNoContent, closeAccount(t, r, p, addresses[i]))
				require.Empty(t, withoutZeros(in.leftOf(t, p.id)))
			}
			r.stop(t)
		}
		t.Logf("gone at the kill: %d, whole: %d", gone, whole)
	})
}

// closeAccount closes an account as its owner does in the dashboard, and returns 0 if there was
// no answer.
func closeAccount(t *testing.T, r *replica, p person, address string) int {
	return r.asPage(t, http.MethodDelete, "account", p.cookie, "application/json", fmt.Appendf(nil, `{"confirm":%q}`, address)).status
}

// leftOf counts the rows of an account by table.
func (in *installation) leftOf(t *testing.T, id string) map[string]int {
	left := map[string]int{
		"accounts":     in.count(t, "SELECT COUNT(*) FROM accounts WHERE id = '"+id+"'"),
		"rate_windows": in.count(t, "SELECT COUNT(*) FROM rate_windows WHERE subject LIKE '%"+id+"'"),
	}
	for _, table := range storage.AccountTables {
		left[table] = in.count(t, "SELECT COUNT(*) FROM "+table+" WHERE account_id = '"+id+"'")
	}
	return left
}

func withoutZeros(counts map[string]int) map[string]int {
	some := map[string]int{}
	for name, n := range counts {
		if n > 0 {
			some[name] = n
		}
	}
	return some
}
