package processes_test

import (
	"fmt"
	"net/http"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"milaan/tests/postgres"
)

// pair starts two replicas of an installation, at the same moment.
func (in *installation) pair(t *testing.T) [2]*replica {
	t.Helper()
	both := [2]*replica{in.launch(t), in.launch(t)}
	for _, r := range both {
		r.awaitReady(t)
	}
	return both
}

// What one replica stores holds at the other, at once and after both were killed. tests/conformance has every limit that
// is exact although two of them ask at once.
func TestLimitsHoldAcrossReplicas(t *testing.T) {
	alongside(t)
	onPostgreSQL(t, func(t *testing.T, in *installation) {
		both := in.pair(t)
		for _, limit := range []func(*testing.T, *installation, [2]*replica){capHolds, rotationHolds, rateHolds} {
			limit(t, in, both)
		}
	})
}

// Of ten requests of an account with a cap of five, five pass, however many
// clients ask whichever replica.
func capHolds(t *testing.T, in *installation, both [2]*replica) {
	const runCap, each, clients = 5, 10, 64
	accounts := in.accounts(t, size(6, 150, 500), runCap)
	answers := make([]answer, each*len(accounts))
	began := time.Now()
	parallel(clients, len(answers), func(i int) {
		// Neighbours are of one account, so that its requests meet.
		answers[i] = both[i%2].reconcile(t, accounts[i/each].key, brandOf(i))
	})
	took := time.Since(began)

	for n := range accounts {
		passed := 0
		for _, a := range answers[n*each : (n+1)*each] {
			if a.status == http.StatusOK {
				outcomeOf(t, a)
				passed++
				continue
			}
			refused(t, a, http.StatusTooManyRequests, "Run limit of 5/month reached")
		}
		require.Equal(t, runCap, passed, "runs of account %d", n)
	}
	require.Equal(t, runCap*len(accounts), in.count(t, "SELECT COUNT(*) FROM runs"), "it comes first")
	require.Equal(t, len(accounts), in.count(t, fmt.Sprintf(
		"SELECT COUNT(*) FROM (SELECT account_id FROM runs GROUP BY account_id HAVING COUNT(*) = %d) AS at_cap", runCap)))
	t.Logf("%d requests of %d accounts by %d clients over two processes in %v: %d passed, %d at the cap",
		len(answers), len(accounts), clients, took.Round(time.Millisecond), runCap*len(accounts), (each-runCap)*len(accounts))
}

// Of forty requests with one key ten are let in; the block holds in both
// replicas, and is still there after both were killed.
func rateHolds(t *testing.T, in *installation, both [2]*replica) {
	const asked, admitted = 40, 10
	who := in.accounts(t, 1, -1)[0]
	answers := make([]answer, asked)
	atOnce(asked, func(i int) { answers[i] = both[i%2].reconcile(t, who.key, brandOf(i)) })
	require.Equal(t, map[string]int{"200": admitted, "429 Rate limit exceeded": asked - admitted}, tally(answers))
	require.Equal(t, admitted, in.count(t, "SELECT COUNT(*) FROM runs WHERE account_id = '"+who.id+"'"))

	blocked := func(r *replica) {
		a := r.reconcile(t, who.key, "after")
		refused(t, a, http.StatusTooManyRequests, "Rate limit exceeded")
		wait := retryAfter(t, a)
		require.True(t, 300-int(waitLimit.Seconds()) < wait && wait <= 300, "Retry-After %d", wait)
	}
	for _, r := range both {
		blocked(r)
		r.kill()
	}
	for _, r := range in.pair(t) {
		blocked(r)
	}
}

func retryAfter(t *testing.T, a answer) int {
	t.Helper()
	seconds, err := strconv.Atoi(a.header.Get("Retry-After"))
	require.NoError(t, err)
	require.Positive(t, seconds)
	return seconds
}

// A key that has been replaced through one replica is dead in both at once.
func rotationHolds(t *testing.T, in *installation, both [2]*replica) {
	const admitted = 5
	var session, former string
	for i := range size(4, 30, 100) {
		if i%(admitted-1) == 0 { // the rate of an account is used up
			session = in.session(t, fmt.Sprintf("rotation%d@shop.example", i), "pro")
			former = keyOf(t, both[0].issueKey(t, session))
		}
		require.Equal(t, http.StatusBadRequest, both[(i+1)%2].tryKey(t, former))
		next := keyOf(t, both[i%2].issueKey(t, session))
		require.Equal(t, http.StatusUnauthorized, both[i%2].tryKey(t, former))
		require.Equal(t, http.StatusUnauthorized, both[(i+1)%2].tryKey(t, former))
		former = next
	}
}

// tryKey is 400 for a key that opens the gate, for the request is empty.
func (r *replica) tryKey(t *testing.T, key string) int {
	return post(t, r.url+"/reconcile", key, http.NoBody).status
}

// Replicas that find an empty database at the same moment agree on who makes
// it, and on its secret.
func TestReplicasStartAtOnce(t *testing.T) {
	alongside(t)
	for range size(1, 5, 20) {
		onBothFrom(t, postgres.Database, func(t *testing.T, in *installation) {
			began := time.Now()
			const generated = "MILAAN_SECRET_KEY=" // in the data directory, which they share
			replicas := []*replica{in.launch(t, generated), in.launch(t, generated), in.launch(t, generated)}
			for _, r := range replicas {
				r.awaitReady(t)
			}
			t.Logf("three ready after %v", time.Since(began).Round(time.Millisecond))
			require.Equal(t, in.count(t, "SELECT COUNT(*) FROM goose_db_version"), in.count(t, "SELECT COUNT(DISTINCT version_id) FROM goose_db_version"), "no migration ran twice")
			for _, r := range replicas {
				r.stop(t)
			}
		})
	}
}

// An instance with another secret would not know the others' sessions and clients.
func TestAnotherSecretIsRefused(t *testing.T) {
	alongside(t)
	onBoth(t, func(t *testing.T, in *installation) {
		first := in.start(t)
		other := randomHex()
		in.hide("the other secret key", other)
		second := in.launch(t, "MILAAN_SECRET_KEY="+other)
		require.Equal(t, 1, second.exitCode(t))
		require.Contains(t, second.journal.text(), "give every instance of the service the same MILAAN_SECRET_KEY")
		require.Empty(t, second.journal.address(), "it must not have listened")
		require.Equal(t, http.StatusOK, first.probe(t, "/readyz"))
	})
}

// Account commands agree on no secret with the database, so one that is run
// without the service's secret does not shut the service out. A session needs
// the secret, and an instance that is refused keeps none.
func TestAccountCommandsNeedNoSecret(t *testing.T) {
	alongside(t)
	onBoth(t, func(t *testing.T, in *installation) {
		elsewhere := []string{"MILAAN_SECRET_KEY=", "MILAAN_DATA_DIR=" + filepath.Join(in.dir, "elsewhere")}
		if in.database == "" {
			elsewhere = elsewhere[:1]
		}
		const email = "early@shop.example"
		in.hide("an e-mail address", email)
		in.succeed(t, elsewhere, "migrate")
		in.succeed(t, elsewhere, "account", "create", "--email", email, "--plan", "pro")
		require.Zero(t, in.runWith(t, elsewhere, "account", "show", "--email", email).code)
		require.Zero(t, in.count(t, "SELECT COUNT(*) FROM service_facts"))

		service := in.start(t)
		keyOf(t, service.issueKey(t, in.newSession(t, email)))
		for range 2 {
			refused := in.runWith(t, elsewhere, "session", "--email", email)
			require.Equal(t, 1, refused.code)
			require.Contains(t, refused.stderr, "secret.key is missing, and MILAAN_SECRET_KEY is not set")
		}
		for _, dir := range []string{in.data, filepath.Join(in.dir, "elsewhere")} {
			require.NoFileExists(t, filepath.Join(dir, "secret.key"))
			require.NoFileExists(t, filepath.Join(dir, "secret.key.proposed"))
		}
		service.stop(t)
	})
}
