package conformance_test

import (
	"database/sql"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"milaan/adapters/storage"
	"milaan/domain"
	port "milaan/ports"
	"milaan/tests/only"
)

// A statement that cannot be compiled is an error and no panic.
func TestStatementsThatCannotBeCompiled(t *testing.T) {
	onBoth(t, func(t *testing.T, settings storage.Settings) {
		s := withAccount(t, settings)
		require.NoError(t, submit(t.Context(), s, "batch"))
		behind := raw(t, settings)
		require.NoError(t, only.Err(behind.Exec("ALTER TABLE batches RENAME COLUMN completed TO renamed")))
		end := port.JobEnd{BatchJob: domain.BatchJob{BatchID: "batch"}, At: start}
		require.Error(t, s.Write(t.Context(), account.ID, port.Entry{End: end}))
		require.NoError(t, only.Err(behind.Exec("ALTER TABLE batch_jobs RENAME COLUMN took_us TO renamed")))
		require.Error(t, only.Err(s.Batches.Load(t.Context(), account.ID, 1)))
	})
}

// What an account's batches keep is limited: their files until a job ends, and
// then its result, until that is deleted.
func TestKeptBytesAreLimited(t *testing.T) {
	onBoth(t, func(t *testing.T, settings storage.Settings) {
		s, behind := withAccount(t, settings), raw(t, settings)
		neighbour := another(t, s, "neighbour")
		kept := func() (bytes, stored int64) {
			require.NoError(t, behind.QueryRow("SELECT SUM(kept_bytes) FROM batches").Scan(&bytes))
			require.NoError(t, behind.QueryRow("SELECT COALESCE(SUM(LENGTH(result)), 0) FROM batch_jobs").Scan(&stored))
			return bytes, stored
		}
		request := port.Request{Storefront: []byte("orders"), Courier: []byte("lines")}
		size := int64(len("orders") + len("lines"))
		batch := domain.Batch{ID: "first", AccountID: account.ID, Jobs: 2, SubmittedAt: start}
		require.NoError(t, s.Batches.Submit(t.Context(), batch, []port.Request{request, request}, domain.RequestClaim{}))
		files, _ := kept()
		require.Equal(t, 2*size, files)
		for position := range batch.Jobs {
			end := port.JobEnd{BatchJob: domain.BatchJob{BatchID: batch.ID, Position: position}, At: start, Result: make([]byte, 1000)}
			require.NoError(t, s.Write(t.Context(), account.ID, port.Entry{End: end}))
			got, stored := kept()
			require.Equal(t, stored+size*int64(1-position), got, "the result takes the place of the files")
		}

		require.NoError(t, only.Err(behind.Exec("UPDATE batches SET kept_bytes = $1", domain.MaxKept-size)))
		add := func(id, accountID string) error {
			return s.Batches.Submit(t.Context(), domain.Batch{ID: id, AccountID: accountID, SubmittedAt: start}, []port.Request{request}, domain.RequestClaim{})
		}
		require.NoError(t, add("that fits", account.ID))
		require.ErrorIs(t, add("that does not", account.ID), domain.ErrKeptResults)
		require.NoError(t, add("of a neighbour", neighbour.ID))
		require.Len(t, jobsAdded(t, behind), 2+1+1)
		require.NoError(t, s.Sweep(t.Context(), port.Expiry{Results: start.Add(time.Hour)}))
		require.NoError(t, add("after results were deleted", account.ID))
	})
}

const (
	// These fill tables with many numbered rows, of which later ones come later.
	numbers = " WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < %d) "

	batchRows = "INSERT INTO batches (id, account_id, jobs, completed, submitted_at_us, completed_at_us, kept_bytes, dropped)" +
		numbers + "SELECT 'row-' || i, 'account', 1, 1, i, i, %d, FALSE FROM n"
	resultRows = "INSERT INTO batch_jobs (batch_id, position, bytes, ended_at_us, took_us, result)" +
		numbers + "SELECT 'row-' || i, 0, 1, i, 1, 'sealed' FROM n"
	settledRows = "INSERT INTO deliveries (id, event_id, account_id, kind, state, created_at_us, settled_at_us)" +
		numbers + "SELECT 'row-' || i, 'event', 'account', 'test', 'failed', i, i FROM n"
	pendingRows = "INSERT INTO deliveries (id, event_id, account_id, kind, state, created_at_us, settled_at_us)" +
		numbers + "SELECT 'row-' || i, 'event', 'account', 'test', 'pending', i, NULL FROM n"
	claimRows = "INSERT INTO claims (account_id, request_key_hash, request_hash, holder, made_at_us, held_until_us)" +
		numbers + "SELECT 'account', CAST(CAST(i AS TEXT) AS BYTEA), 'sealed', 'row-' || i, i, i FROM n"

	binary      = "BLOB" // as SQLite calls it
	revokedRows = "INSERT INTO api_keys (id, account_id, hash, prefix, issued_at_us, revoked_at_us)" +
		numbers + "SELECT 'row-' || i, 'account', CAST('row-' || i AS " + binary + "), 'prefix', i, i FROM n"

	sessionRows = "INSERT INTO sessions (id, account_id, hash, created_at_us, used_at_us)" +
		numbers + "SELECT 'row-' || i, 'account', CAST('row-' || i AS " + binary + "), i, i FROM n"
	linkRows   = "INSERT INTO redeemed_links (id, until_us)" + numbers + "SELECT 'row-' || i, i FROM n"
	noticeRows = "INSERT INTO billing_notices (id, taken_at_us)" + numbers + "SELECT 'row-' || i, i FROM n"
	eventRows  = "INSERT INTO security_events (id, account_id, at_us, kind, detail, way)" +
		numbers + "SELECT 'row-' || i, 'account', i, 'signed_in', '', 'dashboard' FROM n"
	runRows = "INSERT INTO runs " +
		numbers + "SELECT 'row-' || i, 'account', 'brand', 'dtdc', 'api', i, 1, 'f', 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 'default', 1, 1, 'default', 1, TRUE, 1, 1, 1, NULL FROM n"
	runDeliveries = "INSERT INTO deliveries (id, event_id, account_id, kind, run_id, state, created_at_us, settled_at_us) " +
		"SELECT id, 'event', 'account', 'run', id, 'failed', at_us, at_us FROM runs"

	connectionRows = "INSERT INTO connections (id, account_id, brand, settings, window_days, alert_paise, revision, created_at_us, changed_at_us, state, next_pass_at_us, at_risk_paise, left_orders, left_paise)" +
		numbers + "SELECT 'row-' || i, 'account', 'brand ' || i, CAST('sealed' AS " + binary + "), 45, 0, 1, 1, 1, 'active', i, 0, 0, 0 FROM n"
	passRows = "INSERT INTO passes (id, connection_id, slot_us, asked, due_at_us, ended_at_us, outcome, details)" +
		numbers + "SELECT 'row-' || i, 'row-1', i, FALSE, i, i, 'failed', CAST('sealed' AS " + binary + ") FROM n"
	fileRows = "INSERT INTO kept_files (id, connection_id, source_id, name, bytes, at_us)" +
		numbers + "SELECT 'row-' || i, 'row-1', 'source', CAST('sealed' AS " + binary + "), %d, i FROM n"
	contentRows = "INSERT INTO kept_contents (file_id, content) SELECT id, CAST('sealed' AS " + binary + ") FROM kept_files"
	stateRows   = "INSERT INTO pass_states (connection_id, remembered) SELECT id, CAST('sealed' AS " + binary + ") FROM connections"
	ledgerRows  = "INSERT INTO connection_ledgers (connection_id, since_us, version, text, marks) SELECT id, 1, 1, CAST('sealed' AS " + binary + "), CAST('sealed' AS " + binary + ") FROM connections"
	mailRows    = "INSERT INTO mails (id, account_id, kind, connection_id, period, created_at_us, sent_at_us)" +
		numbers + "SELECT 'row-' || i, 'account', 'digest', '', 'row-' || i, i, NULL FROM n"

	windowRows = "INSERT INTO rate_windows (subject, admitted, blocked_until_us, changed_at_us, version)" +
		numbers + "SELECT 'row-' || i, '', NULL, i, 1 FROM n"

	unswept = "SELECT COUNT(*) FROM batches b JOIN batch_jobs j ON j.batch_id = b.id WHERE NOT dropped OR result IS NOT NULL"
)

// Upkeep is done in small transactions, for each holds the embedded database's
// only writer. What one of them did stays done when a later one fails, which
// shows that there are several; and one call does all there is to do.
func TestUpkeepIsDoneInPortions(t *testing.T) {
	t.Parallel()
	results := port.Expiry{Results: start}
	cases := map[string]struct {
		rows             int
		fill             []string
		operation, table string
		id, undone       string // names a row; counts what is still to be done
		expiry           port.Expiry
	}{
		"results of many batches": {200, []string{fmt.Sprintf(batchRows, 200, 1), fmt.Sprintf(resultRows, 200)},
			"UPDATE", "batches", "id", unswept, results},
		"large results": {3, []string{fmt.Sprintf(batchRows, 3, 1<<30), fmt.Sprintf(resultRows, 3)},
			"UPDATE", "batches", "id", unswept, results},
		"what remains of batches": {1500, []string{fmt.Sprintf(batchRows, 1500, 1), "UPDATE batches SET dropped = TRUE"},
			"DELETE", "batches", "id", "SELECT COUNT(*) FROM batches",
			port.Expiry{Results: start, Batches: start}},
		"settled deliveries": {1500, []string{fmt.Sprintf(settledRows, 1500)},
			"DELETE", "deliveries", "id", "SELECT COUNT(*) FROM deliveries",
			port.Expiry{Deliveries: start}},
		"revoked keys": {1500, []string{fmt.Sprintf(revokedRows, 1500)},
			"DELETE", "api_keys", "id", "SELECT COUNT(*) FROM api_keys",
			port.Expiry{Keys: start}},
		"sessions": {1500, []string{fmt.Sprintf(sessionRows, 1500)},
			"DELETE", "sessions", "id", "SELECT COUNT(*) FROM sessions",
			port.Expiry{Sessions: start}},
		"idle sessions": {1500, []string{fmt.Sprintf(sessionRows, 1500)},
			"DELETE", "sessions", "id", "SELECT COUNT(*) FROM sessions",
			port.Expiry{Idle: start}},
		"redeemed links": {1500, []string{fmt.Sprintf(linkRows, 1500)},
			"DELETE", "redeemed_links", "id", "SELECT COUNT(*) FROM redeemed_links",
			port.Expiry{Links: start}},
		"security events": {1500, []string{fmt.Sprintf(eventRows, 1500)},
			"DELETE", "security_events", "id", "SELECT COUNT(*) FROM security_events",
			port.Expiry{Events: start}},
		"passes": {1500, []string{fmt.Sprintf(connectionRows, 1), fmt.Sprintf(passRows, 1500)},
			"DELETE", "passes", "id", "SELECT COUNT(*) FROM passes",
			port.Expiry{Passes: start}},
		"many kept files": {50, []string{fmt.Sprintf(connectionRows, 1), fmt.Sprintf(fileRows, 50, 1), contentRows},
			"DELETE", "kept_files", "id", "SELECT COUNT(*) FROM kept_contents",
			port.Expiry{KeptFiles: start}},
		"large kept files": {6, []string{fmt.Sprintf(connectionRows, 1), fmt.Sprintf(fileRows, 6, 25<<20), contentRows},
			"DELETE", "kept_files", "id", "SELECT COUNT(*) FROM kept_contents",
			port.Expiry{KeptFiles: start}},
		"mails": {1500, []string{fmt.Sprintf(mailRows, 1500)},
			"DELETE", "mails", "id", "SELECT COUNT(*) FROM mails",
			port.Expiry{Mails: start}},
		"billing notices": {1500, []string{fmt.Sprintf(noticeRows, 1500)},
			"DELETE", "billing_notices", "id", "SELECT COUNT(*) FROM billing_notices",
			port.Expiry{Notices: start}},
		"runs with deliveries": {1500, []string{fmt.Sprintf(runRows, 1500), runDeliveries},
			"DELETE", "runs", "id", "SELECT COUNT(*) FROM deliveries WHERE run_id IS NOT NULL",
			port.Expiry{Runs: start}},
		"pending deliveries": {1500, []string{fmt.Sprintf(pendingRows, 1500)},
			"UPDATE", "deliveries", "id", "SELECT COUNT(*) FROM deliveries WHERE state = 'pending'",
			port.Expiry{Pending: start}},
		"old claims": {1500, []string{fmt.Sprintf(claimRows, 1500)},
			"DELETE", "claims", "holder", "SELECT COUNT(*) FROM claims",
			port.Expiry{Claims: start, ClaimsAhead: start.Add(1000 * time.Hour)}},
	}
	onBoth(t, func(t *testing.T, settings storage.Settings) {
		s, behind := ports(opened(t, settings)), raw(t, settings)
		empty := emptying(t, behind)
		for name, c := range cases {
			t.Run(name, func(t *testing.T) {
				empty(t)
				require.NoError(t, s.Accounts.Create(t.Context(), account))
				for _, statement := range c.fill {
					execute(t, behind, inTheWordsOf(settings, statement))
				}
				undone := func() (n int) {
					require.NoError(t, behind.QueryRow(c.undone).Scan(&n))
					return n
				}
				require.Equal(t, c.rows, undone())
				allow := refusing(t, behind, settings, c.operation, c.table, fmt.Sprintf("OLD.%s = 'row-%d'", c.id, c.rows))
				require.ErrorContains(t, s.Sweep(t.Context(), c.expiry), "refused")
				require.Less(t, undone(), c.rows)
				require.Positive(t, undone())
				allow()
				require.NoError(t, s.Sweep(t.Context(), c.expiry))
				require.Zero(t, undone())
			})
		}
	})
}

// What fails of a sweep does not keep the rest from being done.
func TestASweepGoesOn(t *testing.T) {
	onBoth(t, func(t *testing.T, settings storage.Settings) {
		s, behind := withAccount(t, settings), raw(t, settings)
		tables := []string{"rate_windows", "api_keys", "deliveries", "claims", "batches", "sessions", "redeemed_links", "security_events", "runs", "passes", "kept_files", "mails", "billing_notices"}
		everything := port.Expiry{Windows: start, Keys: start, Pending: start, Deliveries: start.Add(time.Hour), Claims: start, Batches: start,
			Sessions: start, Idle: start, Links: start, Events: start, Runs: start, Passes: start, KeptFiles: start, Mails: start, Notices: start}
		execute(t, behind, inTheWordsOf(settings, strings.ReplaceAll(connectionRows, "%d", "1")))
		for _, broken := range tables {
			for _, fill := range []string{windowRows, revokedRows, pendingRows, claimRows, fmt.Sprintf(batchRows, 1, 1), sessionRows, linkRows, eventRows, runRows, passRows, fileRows, mailRows, noticeRows} {
				execute(t, behind, inTheWordsOf(settings, strings.ReplaceAll(fill, "%d", "1")))
			}
			execute(t, behind, "ALTER TABLE "+broken+" RENAME TO broken")
			require.Error(t, s.Sweep(t.Context(), everything), broken)
			execute(t, behind, "ALTER TABLE broken RENAME TO "+broken)
			for _, table := range tables {
				var left int
				require.NoError(t, behind.QueryRow("SELECT COUNT(*) FROM "+table).Scan(&left))
				needed := table == "runs" && (broken == "deliveries" || broken == "claims") // both refer to runs
				require.Equal(t, table == broken || needed, left > 0, "%s with %s broken", table, broken)
			}
			require.NoError(t, s.Sweep(t.Context(), everything))
		}
	})
}

// inTheWordsOf returns a statement as a database understands it.
func inTheWordsOf(settings storage.Settings, statement string) string {
	if settings.DatabaseURL == "" {
		return statement
	}
	return strings.ReplaceAll(statement, binary, "BYTEA")
}

func execute(t *testing.T, db *sql.DB, statements ...string) {
	t.Helper()
	for _, statement := range statements {
		_, err := db.Exec(statement)
		require.NoError(t, err)
	}
}

// refusing lets the database refuse an operation on the rows of a condition, until allow is
// called or the test ends.
func refusing(t *testing.T, db *sql.DB, settings storage.Settings, operation, table, condition string) (allow func()) {
	t.Helper()
	trigger := fmt.Sprintf("CREATE TRIGGER refusing BEFORE %s ON %s FOR EACH ROW WHEN (%s) ", operation, table, condition)
	undo := []string{"DROP TRIGGER refusing"}
	if settings.DatabaseURL == "" {
		execute(t, db, trigger+"BEGIN SELECT RAISE(ABORT, 'refused'); END")
	} else {
		execute(t, db, "CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'refused'; END $$",
			trigger+"EXECUTE FUNCTION refuse()")
		undo = []string{"DROP FUNCTION refuse() CASCADE"}
	}
	allow = sync.OnceFunc(func() { execute(t, db, undo...) })
	t.Cleanup(allow)
	return allow
}
