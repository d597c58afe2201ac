package processes_test

import (
	"bytes"
	"context"
	"database/sql"
	"testing"

	"github.com/stretchr/testify/require"

	"milaan/tests/postgres"
)

// A pooler that gives one client's session to others would break the service
// some minutes after its start: the service and every command refuse it at once.
func TestPoolersThatShareSessionsAreRefused(t *testing.T) {
	t.Parallel()
	postgres.OnlyWithBoth(t)
	database := postgres.Database(t) // of all cases, for none changes it
	commands := [][]string{{"serve"}, {"migrate"}, {"account", "create", "--email", "accounts@shop.example", "--plan", "pro"}}
	for name, c := range map[string]struct {
		mode    string
		options []string
		busy    bool // others use the pool
	}{
		"transaction":                 {mode: "transaction"},
		"statement":                   {mode: "statement"},
		"one connection":              {mode: "transaction", options: []string{"default_pool_size = 1"}},
		"round-robin":                 {mode: "transaction", options: []string{"server_round_robin = 1", "min_pool_size = 5"}},
		"busy":                        {mode: "transaction", busy: true},
		"busy, with few connections":  {mode: "transaction", options: []string{"default_pool_size = 3"}, busy: true},
		"busy, round-robin":           {mode: "transaction", options: []string{"server_round_robin = 1"}, busy: true},
		"sessions are cleaned always": {mode: "transaction", options: []string{"server_reset_query_always = 1"}},
		"sessions are never cleaned":  {mode: "transaction", options: []string{"server_reset_query ="}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			pooler := postgres.Pooler(t, database, c.mode, c.options...)
			if c.busy {
				occupy(t, pooler)
			}
			in := newInstallation(t, database)
			in.detour = pooler
			// All commands open the database in the same way: it is enough to see each of them at one
			// pooler.
			asked := commands[:1]
			if name == "transaction" || longAsked() {
				asked = commands
			}
			for _, command := range asked {
				r := in.run(t, command...)
				require.Equal(t, 1, r.code, r.stderr)
				require.Contains(t, r.stderr, "session mode")
				require.Contains(t, r.stderr, "MILAAN_DATABASE_URL")
				require.NotContains(t, r.stderr, "listening")
			}
			require.Zero(t, in.count(t, "SELECT COUNT(*) FROM information_schema.tables WHERE table_schema = 'public'"), "nothing was migrated")
		})
	}
}

// occupy lets clients of others make short transactions until the test ends.
func occupy(t *testing.T, url string) {
	t.Helper()
	db, err := sql.Open("pgx", url+"&default_query_exec_mode=simple_protocol")
	require.NoError(t, err)
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		parallel(4, 4, func(int) {
			for ctx.Err() == nil {
				_, _ = db.ExecContext(ctx, "SELECT pg_sleep(0.002)")
			}
		})
	}()
	t.Cleanup(func() {
		stop()
		<-ended
		require.NoError(t, db.Close())
	})
}

// Behind a pooler that gives each client a session of its own everything works. It is the test of whole
// services on PostgreSQL that is always done.
func TestPoolerInSessionMode(t *testing.T) {
	t.Parallel()
	in := newInstallation(t, postgres.Database(t))
	in.detour = postgres.Pooler(t, in.database, "session", "default_pool_size = 40")
	for range 3 { // each takes the migrations' lock, and leaves it to the next
		in.succeed(t, nil, "migrate")
	}
	who := in.accounts(t, 1, -1)[0]
	first, second := in.start(t), in.start(t)
	outcomeOf(t, first.reconcile(t, who.key, "Asha"))
	require.True(t, outcomeOf(t, second.reconcile(t, who.key, "Asha")).Duplicate)
	batch := first.submit(t, who, bytes.NewReader(batchBody([]string{"Blue", "Lotus"})))
	in.awaitBatch(t, batch)
	require.Contains(t, string(second.status(t, who.key, batch).body), `"status":"complete"`)
	second.stop(t)
	first.stop(t)
}

// A pooler that has one session for all is told apart from one that shares them.
func TestPoolerWithOneSession(t *testing.T) {
	postgres.OnlyWithBoth(t)
	t.Parallel()
	in := newInstallation(t, postgres.Database(t))
	in.detour = postgres.Pooler(t, in.database, "session", "default_pool_size = 1")
	r := in.run(t, "migrate")
	require.Equal(t, 1, r.code, r.stderr)
	require.Contains(t, r.stderr, "default_pool_size")
}
