package conformance_test

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"milaan/adapters/storage"
	"milaan/domain"
	port "milaan/ports"
	"milaan/tests/conformance"
	"milaan/tests/migrated"
	"milaan/tests/only"
)

// allTables lists the tables of a database.
func allTables(t testing.TB, db *sql.DB) (tables []string) {
	t.Helper()
	query := "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name"
	if isPostgres(t, db) {
		query = "SELECT tablename FROM pg_tables WHERE schemaname = 'public' ORDER BY tablename"
	}
	return texts(t, db, query)
}

func isPostgres(t testing.TB, db *sql.DB) bool {
	t.Helper()
	return strings.Contains(fmt.Sprintf("%T", db.Driver()), "stdlib")
}

// texts are the rows of a query of one column.
func texts(t testing.TB, db *sql.DB, query string, arguments ...any) (found []string) {
	t.Helper()
	rows, err := db.QueryContext(context.WithoutCancel(t.Context()), query, arguments...)
	require.NoError(t, err)
	defer func() { require.NoError(t, rows.Close()) }()
	for rows.Next() {
		var text string
		require.NoError(t, rows.Scan(&text))
		found = append(found, text)
	}
	require.NoError(t, rows.Err())
	return found
}

// rowsWith dumps the rows of all tables that hold a text.
func rowsWith(t testing.TB, db *sql.DB, text string) (found []string) {
	t.Helper()
	for _, table := range allTables(t, db) {
		for _, row := range dump(t, db, table) {
			if strings.Contains(row, text) {
				found = append(found, table+": "+row)
			}
		}
	}
	slices.Sort(found)
	return found
}

// dump writes the rows of a table as text.
func dump(t testing.TB, db *sql.DB, table string) (lines []string) {
	t.Helper()
	rows, err := db.QueryContext(context.WithoutCancel(t.Context()), "SELECT * FROM "+table)
	require.NoError(t, err)
	defer func() { require.NoError(t, rows.Close()) }()
	columns := only.Value(rows.Columns())(t)
	for rows.Next() {
		cells := make([]any, len(columns))
		into := make([]any, len(columns))
		for i := range cells {
			into[i] = &cells[i]
		}
		require.NoError(t, rows.Scan(into...))
		var line strings.Builder
		for i, cell := range cells {
			if raw, isBytes := cell.([]byte); isBytes {
				cell = string(raw)
			}
			fmt.Fprintf(&line, "%s=%v ", columns[i], cell)
		}
		lines = append(lines, line.String())
	}
	require.NoError(t, rows.Err())
	return lines
}

// notAccounts are the tables of which closing an account deletes nothing, and why.
var notAccounts = map[string]string{
	"goose_db_version": "which migrations have run",
	"service_facts":    "what the instances agree on",
	"redeemed_links":   "ids of sign-in links, which are drawn at random and name nobody",
	"sign_ups":         "when clients have made accounts, and not which ones",
	"rate_windows":     "the account's are deleted by their subjects",
	"billing_notices":  "ids of the billing provider's notices, which name nobody",
	"jobs_added":       "stands for the tables of the job engine, which deletes by itself",
}

// Whoever makes a table with rows of accounts must have closing delete them.
func TestClosingKnowsEveryTable(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, settings storage.Settings) {
		settings.Also = migrateOutbox
		opened(t, settings)
		db := raw(t, settings)
		deleted := map[string]bool{"accounts": true}
		for _, table := range storage.AccountTables {
			require.False(t, deleted[table], "%s is in the list twice", table)
			deleted[table] = true
		}
		tables := allTables(t, db)
		for range tables { // rows that refer to deleted ones and are deleted with them
			for _, table := range tables {
				for _, parent := range cascades(t, db, table) {
					deleted[table] = deleted[table] || deleted[parent]
				}
			}
		}
		for _, table := range tables {
			if why, named := notAccounts[table]; named {
				require.False(t, deleted[table], "%s: %s", table, why)
				continue
			}
			require.True(t, deleted[table], "closing an account leaves what %s has of it: add the table to storage.AccountTables, or here with the reason", table)
		}
	})
}

// cascades lists the tables whose rows take rows of a table with them.
func cascades(t testing.TB, db *sql.DB, table string) []string {
	t.Helper()
	if isPostgres(t, db) {
		return texts(t, db, "SELECT confrelid::regclass::text FROM pg_constraint WHERE contype = 'f' AND confdeltype = 'c' AND conrelid = $1::regclass", table)
	}
	return texts(t, db, `SELECT "table" FROM pragma_foreign_key_list(?) WHERE on_delete = 'CASCADE'`, table)
}

// The account with everything has rows in every table that closing knows: else the tests that
// look for what is left would find nothing.
func TestAFilledAccountIsInEveryTable(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, settings storage.Settings) {
		settings.Also = migrateOutbox
		one, _ := twice(t, settings)
		conformance.Fill(t, one, "everywhere")
		db := raw(t, settings)
		for _, table := range allTables(t, db) {
			if _, named := notAccounts[table]; !named {
				require.NotEmpty(t, dump(t, db, table), table)
			}
		}
	})
}

// What SQLite has deleted is in none of its files.
func TestSQLitesFilesForgetAnAccount(t *testing.T) {
	t.Parallel()
	folder := migratedFolder(t)
	one, _ := twice(t, storage.Settings{DataDir: folder})
	var ids []string
	for _, name := range []string{"leaving", "staying"} {
		account := conformance.Fill(t, one, name)
		ids = append(ids, account.ID)
	}
	for i := range 400 { // many pages, some of which are split, with rows of both on each
		for _, name := range []string{"leaving", "staying"} {
			account := conformance.AccountOf(t, one, name+"@shop.example")
			run := domain.Run{ID: fmt.Sprintf("%x-run-of-%s-%d", i*7919%400, name, i), AccountID: account.ID, Brand: name, Source: domain.SourceAPI, At: account.CreatedAt}
			require.NoError(t, one.Write(t.Context(), account.ID, port.Entry{Run: run}))
		}
	}
	require.NoError(t, one.All.Erase(t.Context(), ids[0]))
	for _, entry := range only.Value(os.ReadDir(folder))(t) {
		content := only.Value(os.ReadFile(filepath.Join(folder, entry.Name())))(t)
		if at := bytes.Index(content, []byte("leaving")); at >= 0 {
			t.Errorf("%s has at %d of %d: %q", entry.Name(), at, len(content), content[max(0, at-40):min(len(content), at+40)])
		}
		if entry.Name() == migrated.File {
			require.Contains(t, string(content), "staying")
		}
	}
}

// unwilling is an outbox that drops jobs and then fails.
type unwilling struct {
	outbox
	fail func() error
}

func (r unwilling) Drop(ctx context.Context, tx *sql.Tx, conn *pgx.Conn, accountID string) error {
	if err := (outbox{}).Drop(ctx, tx, conn, accountID); err != nil {
		return err
	}
	return r.fail()
}

// A deletion that cannot be finished deletes nothing.
func TestAnAccountIsDeletedWholeOrNotAtAll(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, settings storage.Settings) {
		settings.Also = migrateOutbox
		one, _ := twice(t, settings)
		account := conformance.Fill(t, one, "whole")
		before := one.Rows(t, "whole")
		refusal := errors.New("refused")
		failing := storage.NewWithJobs[storage.AllAccounts](opened(t, settings), unwilling{fail: func() error { return refusal }}, nil)
		require.ErrorIs(t, failing.Erase(t.Context(), account.ID), refusal)
		require.Equal(t, before, one.Rows(t, "whole"))
		gone, leave := context.WithCancel(t.Context())
		leaving := storage.NewWithJobs[storage.AllAccounts](opened(t, settings), unwilling{fail: func() error { leave(); return nil }}, nil)
		require.ErrorIs(t, leaving.Erase(gone, account.ID), context.Canceled)
		require.Equal(t, before, one.Rows(t, "whole"))
	})
}
