package processes_test

import (
	"net/http"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

// ledger is what clients know of their runs. Each request has a brand of its
// own, so that its row can be told from every other.
type ledger struct {
	mu         sync.Mutex
	accounts   []account
	each       int                  // requests per account at most
	sent       int                  // requests so far; their brands are brandOf of 0 to sent-1
	answered   map[string]storedRun // by brand
	unanswered int
}

// storedRun is a run's row, or what a client believes of it.
type storedRun struct{ id, account string }

// newLedger makes accounts enough for a number of requests, each of them for
// as many as stay below the rate of its key.
func newLedger(t *testing.T, in *installation, requests, each int) *ledger {
	return &ledger{accounts: in.accounts(t, requests/each+1, -1), each: each, answered: map[string]storedRun{}}
}

// next draws a request. Those that follow each other are of different accounts.
func (l *ledger) next() (brand string, who account) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.sent >= l.each*len(l.accounts) {
		panic("the ledger has too few accounts")
	}
	brand, who = brandOf(l.sent), l.accounts[l.sent%len(l.accounts)]
	l.sent++
	return brand, who
}

// run sends one request and notes what came of it. A header that says 200 is
// an answer, even if the rest of it is lost.
func (l *ledger) run(t *testing.T, r *replica) answer {
	brand, who := l.next()
	a := r.reconcile(t, who.key, brand)
	l.mu.Lock()
	defer l.mu.Unlock()
	if a.status == http.StatusOK {
		l.answered[brand] = storedRun{id: a.header.Get("X-Run-Id"), account: who.id}
	} else {
		l.unanswered++
	}
	return a
}

// check compares the ledger with the database: every answered run is stored
// once, and no request is stored twice. It returns how many unanswered requests
// are stored.
func (l *ledger) check(t *testing.T, in *installation) (unheard int) {
	t.Helper()
	stored := map[string]storedRun{}
	ids := map[string]bool{}
	for _, row := range in.query(t, "SELECT brand, id, account_id FROM runs WHERE source = 'api'", 3) {
		brand, run := row[0], storedRun{id: row[1], account: row[2]}
		if _, twice := stored[brand]; twice {
			t.Errorf("the request of %s is stored twice", brand)
		}
		if ids[run.id] {
			t.Errorf("two runs have the id %s", run.id)
		}
		stored[brand], ids[run.id] = run, true
	}
	for brand, run := range l.answered {
		if stored[brand] != run {
			t.Errorf("the answer to %s was run %v, and stored is %v", brand, run, stored[brand])
		}
	}
	for i := range l.sent {
		_, known := l.answered[brandOf(i)]
		if _, found := stored[brandOf(i)]; found && !known {
			unheard++
		}
		delete(stored, brandOf(i))
	}
	require.Empty(t, stored, "runs that nobody asked for")
	require.Equal(t, l.sent, len(l.answered)+l.unanswered)
	return unheard
}
