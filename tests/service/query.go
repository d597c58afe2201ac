package service

import (
	"database/sql"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	_ "github.com/jackc/pgx/v5/stdlib" // the driver of database/sql
	"github.com/libtnb/sqlite"
	"github.com/stretchr/testify/require"

	"milaan/tests/only"
)

// Query asks the service's database, past the service.
func (s *Service) Query(t testing.TB, query string) [][]string {
	t.Helper()
	db, done := s.database(t)
	defer done()
	return rowsOf(t, db, query)
}

func rowsOf(t testing.TB, db *sql.DB, query string) [][]string {
	t.Helper()
	rows, err := db.QueryContext(t.Context(), query)
	require.NoError(t, err)
	defer func() { _ = rows.Close() }()
	columns := only.Value(rows.Columns())(t)
	var all [][]string
	for rows.Next() {
		cells, targets := make([]sql.NullString, len(columns)), make([]any, len(columns))
		for i := range cells {
			targets[i] = &cells[i]
		}
		require.NoError(t, rows.Scan(targets...))
		texts := make([]string, len(columns))
		for i, cell := range cells {
			texts[i] = cell.String
		}
		all = append(all, texts)
	}
	require.NoError(t, rows.Err())
	return all
}

// database opens the service's database past the service, until done. A server keeps one session
// for all queries, because a new one takes longer than most of them. A file is closed each time,
// or the service would not be the last one that closes it.
func (s *Service) database(t testing.TB) (db *sql.DB, done func()) {
	t.Helper()
	if s.DatabaseURL == "" {
		db, err := sql.Open(sqlite.DriverName, "file:"+filepath.Join(s.DataDir, "milaan.db")+"?_pragma=query_only(1)&_pragma=busy_timeout(5000)")
		require.NoError(t, err)
		return db, func() { _ = db.Close() }
	}
	s.querying.Do(func() {
		s.queries = only.Value(sql.Open("pgx", s.DatabaseURL))(t)
		s.queries.SetMaxIdleConns(1)
	})
	return s.queries, func() {}
}

// Runs counts the runs that are stored, of all accounts.
func (s *Service) Runs(t testing.TB) int {
	t.Helper()
	return len(s.Query(t, "SELECT id FROM runs"))
}

// Tables are the rows of all tables, each read by the same connection: a new one of SQLite reads all definitions first.
func (s *Service) Tables(t testing.TB) map[string][][]string {
	t.Helper()
	db, done := s.database(t)
	defer done()
	query := "SELECT name FROM sqlite_master WHERE type = 'table'"
	if s.DatabaseURL != "" {
		query = "SELECT table_name FROM information_schema.tables WHERE table_schema = 'public'"
	}
	all := map[string][][]string{}
	for _, row := range rowsOf(t, db, query) {
		all[row[0]] = rowsOf(t, db, "SELECT * FROM "+row[0])
	}
	require.Contains(t, all, "runs")
	return all
}

// HoldsNone holds that none of the texts is anywhere that the service writes to: the log, the
// database, the data directory and the metrics; and in no file below a folder, which the test
// has made the one of temporary files.
func (s *Service) HoldsNone(t testing.TB, temporary string, texts []string) {
	t.Helper()
	s.writesNone(t, texts)
	requireNone(t, "the metrics", string(s.Get(t, "/metrics").Body), texts)
	requireNoFile(t, temporary, texts)
}

// LogsNone holds that none of the texts is in the log, the metrics or in a temporary file:
// for what the database keeps by its contract.
func (s *Service) LogsNone(t testing.TB, temporary string, texts []string) {
	t.Helper()
	requireNone(t, "the log", s.Log.String(), texts)
	requireNone(t, "the metrics", string(s.Get(t, "/metrics").Body), texts)
	requireNoFile(t, temporary, texts)
}

// DiskHoldsNone holds that none of the texts is in a file of the data directory.
func (s *Service) DiskHoldsNone(t testing.TB, texts []string) {
	t.Helper()
	s.diskHoldsNone(t, texts)
}

// writesNone holds that none of the texts is where the service writes: in the log, the
// database or the data directory.
func (s *Service) writesNone(t testing.TB, texts []string) {
	t.Helper()
	requireNone(t, "the log", s.Log.String(), texts)
	s.databaseHoldsNone(t, texts)
	s.diskHoldsNone(t, texts)
}

func (s *Service) databaseHoldsNone(t testing.TB, texts []string) {
	t.Helper()
	for table, rows := range s.Tables(t) {
		for _, row := range rows {
			requireNone(t, "table "+table, strings.Join(row, "|"), texts)
		}
	}
}

func (s *Service) diskHoldsNone(t testing.TB, texts []string) {
	t.Helper()
	files := 0
	require.NoError(t, filepath.WalkDir(s.DataDir, func(path string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		raw, err := os.ReadFile(path)
		files++
		requireNone(t, path, string(raw), texts)
		return err
	}))
	require.Positive(t, files)
}

// requireNoFile holds that no file below a folder has one of the texts. Files may go away
// meanwhile.
func requireNoFile(t testing.TB, folder string, texts []string) {
	t.Helper()
	require.NoError(t, filepath.WalkDir(folder, func(path string, entry os.DirEntry, err error) error {
		if errors.Is(err, os.ErrNotExist) {
			return nil
		}
		if err != nil || !entry.Type().IsRegular() {
			return err
		}
		raw, err := os.ReadFile(path)
		requireNone(t, path, string(raw), texts)
		if errors.Is(err, os.ErrNotExist) {
			return nil
		}
		return err
	}))
}

// requireNone holds that a place has none of the texts.
func requireNone(t testing.TB, place, content string, texts []string) {
	t.Helper()
	for _, text := range texts {
		if strings.Contains(content, text) {
			t.Errorf("%s holds %s", place, text)
		}
	}
}
