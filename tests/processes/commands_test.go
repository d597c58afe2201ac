package processes_test

import (
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"milaan/tests/only"
)

// session makes an account by the command line and returns a session token.
func (in *installation) session(t *testing.T, email, plan string) string {
	t.Helper()
	in.hide("an e-mail address", email)
	in.succeed(t, nil, "account", "create", "--email", email, "--plan", plan)
	return in.newSession(t, email)
}

func (in *installation) newSession(t *testing.T, email string) string {
	t.Helper()
	lines := strings.Split(strings.TrimSpace(in.succeed(t, nil, "session", "--email", email)), "\n")
	token := lines[len(lines)-1]
	in.hide("a session token", token)
	return token
}

// accountView is what the account commands print.
type accountView struct {
	Email      string
	Plan       string
	MonthlyCap *int `json:"monthly_cap"`
}

func viewOf(t *testing.T, r ran) accountView {
	t.Helper()
	require.Zero(t, r.code, r.stderr)
	var v accountView
	require.NoError(t, json.Unmarshal([]byte(r.stdout), &v))
	return v
}

// From an account to a run, with the commands beside the running service.
func TestCommandsWorkWhileTheServiceRuns(t *testing.T) {
	alongside(t)
	const email = "Accounts@shop.example"
	onBoth(t, func(t *testing.T, in *installation) {
		r := in.start(t)
		in.hide("an e-mail address", strings.ToLower(email))
		require.Equal(t, accountView{Email: strings.ToLower(email), Plan: "solo", MonthlyCap: new(2)},
			viewOf(t, in.run(t, "account", "create", "--email", email, "--plan", "solo")))

		token := in.newSession(t, email)
		refused(t, r.issueKey(t, token), http.StatusForbidden, "the account's plan has no API access")
		require.Equal(t, "pro", viewOf(t, in.run(t, "account", "set", "--email", email, "--plan", "pro", "--run-cap", "2")).Plan)
		require.Equal(t, accountView{Email: strings.ToLower(email), Plan: "pro", MonthlyCap: new(2)},
			viewOf(t, in.run(t, "account", "show", "--email", email)))
		key := keyOf(t, r.issueKey(t, token))
		require.NotEmpty(t, outcomeOf(t, r.reconcile(t, key, "first")).Results)

		// What a command changes holds at the next request.
		viewOf(t, in.run(t, "account", "set", "--email", email, "--phone-verified=false"))
		refused(t, r.reconcile(t, key, "second"), http.StatusForbidden, "phone_not_verified")
		viewOf(t, in.run(t, "account", "set", "--email", email, "--phone-verified"))
		outcomeOf(t, r.reconcile(t, key, "second"))
		refused(t, r.reconcile(t, key, "third"), http.StatusTooManyRequests, "Run limit of 2/month reached")
		viewOf(t, in.run(t, "account", "set", "--email", email, "--run-cap", "none"))
		outcomeOf(t, r.reconcile(t, key, "third"))

		for range 2 {
			require.Zero(t, in.run(t, "migrate").code)
		}
		outcomeOf(t, r.reconcile(t, key, "fourth"))
		r.stop(t)
	})
}

// A database of an earlier version, which gives no disk space back, is rebuilt by
// milaan migrate and by the service. Another command does what it was asked.
func TestWhoRebuildsAnOldDatabase(t *testing.T) {
	t.Parallel()
	old := func() *installation {
		in := newInstallation(t, "")
		require.Zero(t, in.run(t, "migrate").code)
		db, done := in.open(t)
		db.SetMaxOpenConns(1)
		for _, statement := range []string{"PRAGMA journal_mode = DELETE", "PRAGMA auto_vacuum = 0", "VACUUM"} {
			require.NoError(t, only.Err(db.ExecContext(t.Context(), statement)))
		}
		done()
		return in
	}
	mode := func(in *installation) int { return in.count(t, "PRAGMA auto_vacuum") }
	in := old()
	viewOf(t, in.run(t, "account", "create", "--email", "old@shop.example", "--plan", "pro"))
	require.Zero(t, mode(in))
	require.Zero(t, in.run(t, "migrate").code)
	require.Equal(t, 2, mode(in))

	in = old()
	require.Zero(t, mode(in))
	in.start(t).stop(t)
	require.Equal(t, 2, mode(in))
}

func TestExitCodes(t *testing.T) {
	alongside(t)
	in := newInstallation(t, "")
	for said, exits := range map[string]int{"serve --port 1": 2, "reconcile orders.csv remittance.csv": 1} {
		r := in.run(t, strings.Fields(said)...)
		require.Equal(t, exits, r.code, r.stderr)
		require.NotEmpty(t, r.stderr)
		require.Empty(t, r.stdout)
	}
}

// A run on the spot needs no settings and leaves nothing behind, nor do documents, and what needs no database.
func TestReconcileOnTheSpotLeavesNothing(t *testing.T) {
	alongside(t)
	in := newInstallation(t, "")
	files := t.TempDir()
	ordersPath, remittancePath := filepath.Join(files, "orders.csv"), filepath.Join(files, "remittance.csv")
	require.NoError(t, os.WriteFile(ordersPath, []byte(orders), 0o600))
	require.NoError(t, os.WriteFile(remittancePath, []byte(remittance), 0o600))
	// Settings that would stop the service do not concern it.
	away := []string{"MILAAN_DATABASE_URL=postgres://nobody@127.0.0.1:1/none", "MILAAN_ADDR=0.0.0.0:80"}
	var o outcome
	require.NoError(t, json.Unmarshal([]byte(in.succeed(t, away, "reconcile", ordersPath, remittancePath, "--json")), &o))
	require.Len(t, o.Results, 3)
	require.Equal(t, "RECONCILED", o.Results[0].Flag)
	require.Equal(t, "SHORT_PAID", o.Results[1].Flag)
	require.Equal(t, "MISSING", o.Results[2].Flag)

	in.succeed(t, away, "report", ordersPath, remittancePath, "--csv", filepath.Join(files, "tables"))
	require.Contains(t, in.succeed(t, nil, "connection", "kinds"), "shopify")
	require.Regexp(t, `^milaan \S+.*, go1\.`, in.succeed(t, nil, "version"))
	require.Empty(t, only.Value(os.ReadDir(in.dir))(t), "no data directory, nor anything else")
}
