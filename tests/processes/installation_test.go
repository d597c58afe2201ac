package processes_test

import (
	"cmp"
	"context"
	"crypto/rand"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net/url"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/libtnb/sqlite"
	"github.com/stretchr/testify/require"

	"milaan/adapters/storage"
	"milaan/domain"
	"milaan/tests/migrated"
	"milaan/tests/only"
	"milaan/tests/postgres"
)

// installation is a database and what all instances of the service share with it.
type installation struct {
	dir      string // working directory of every process
	data     string // MILAAN_DATA_DIR
	database string // MILAAN_DATABASE_URL
	detour   string // the same by another way, for the processes; blank: no other
	secret   string // MILAAN_SECRET_KEY
	program  string // blank: the one that people get
	excused  string // an error that the logs may tell of, for the test is about it; blank: none

	mu       sync.Mutex
	journals []*journal
	private  map[string]string // what no log may contain, and what it is
	pool     *sql.DB           // of open, if the database is PostgreSQL
}

// onBoth runs a test on SQLite, and where that is asked for on PostgreSQL too, each time on a
// database that holds nothing; that of PostgreSQL has been migrated.
func onBoth(t *testing.T, test func(t *testing.T, in *installation)) {
	onBothFrom(t, clone, test)
}

// onBothFrom is onBoth with another function that makes the database of PostgreSQL.
func onBothFrom(t *testing.T, database func(testing.TB) string, test func(t *testing.T, in *installation)) {
	onSQLite(t, test)
	t.Run("PostgreSQL", func(t *testing.T) {
		postgres.OnlyWithBoth(t)
		test(t, newInstallation(t, database(t)))
	})
}

// onSQLite runs a test on that alone: it takes long, and shows nearly the same on the other.
func onSQLite(t *testing.T, test func(t *testing.T, in *installation)) {
	t.Run("SQLite", func(t *testing.T) { test(t, newInstallation(t, "")) })
}

// onPostgreSQL does the same with that, for a test of several processes on one database.
func onPostgreSQL(t *testing.T, test func(t *testing.T, in *installation)) {
	t.Run("PostgreSQL", func(t *testing.T) { test(t, newInstallation(t, clone(t))) })
}

// clone makes a database of PostgreSQL that the program has migrated. Where tests of services on
// that are not asked for, it skips the test.
func clone(t testing.TB) string {
	t.Helper()
	postgres.OnlyWithBoth(t)
	return postgres.Clone(t, "processes", func(databaseURL string) error { return migrate("MILAAN_DATABASE_URL=" + databaseURL) })
}

// migrate lets the program migrate the database of a setting, with no others.
func migrate(setting string) error {
	c := exec.Command(binary, "migrate")
	c.Dir, c.Env = filepath.Dir(binary), []string{setting}
	if out, err := c.CombinedOutput(); err != nil {
		return fmt.Errorf("migrate: %w\n%s", err, out)
	}
	return nil
}

// newInstallation makes an installation on a database without accounts; a blank URL is
// SQLite. At the end of the test everything that its processes wrote is
// checked.
func newInstallation(t *testing.T, databaseURL string) *installation {
	t.Helper()
	in := &installation{dir: t.TempDir(), secret: randomHex(), private: map[string]string{}}
	in.data = filepath.Join(in.dir, "data")
	in.hide("the secret key", in.secret)
	if databaseURL != "" {
		// The server trusts everybody, so it takes any password.
		password := randomHex()
		u := only.Value(url.Parse(databaseURL))(t)
		u.User = url.UserPassword(u.User.Username(), password)
		in.database = u.String()
		in.hide("the database password", password)
	}
	for _, cell := range []string{"19041200302349", "ORDER-77001", "asha.buyer@example.com"} {
		in.hide("a cell of a file", cell)
	}
	t.Cleanup(func() {
		in.inspect(t)
		if in.pool != nil {
			require.NoError(t, in.pool.Close())
		}
	})
	return in
}

func randomHex() string {
	var b [32]byte
	_, _ = rand.Read(b[:]) // never fails
	return hex.EncodeToString(b[:])
}

// command is the program with the installation's settings and no others. Of a
// setting given twice the last one holds, and extra comes last.
func (in *installation) command(extra []string, args ...string) *exec.Cmd {
	c := exec.Command(cmp.Or(in.program, binary), args...)
	c.Dir = in.dir
	c.Env = append([]string{
		"HOME=" + in.dir,
		"MILAAN_ADDR=127.0.0.1:0",
		"MILAAN_DATA_DIR=" + in.data,
		"MILAAN_DATABASE_URL=" + postgres.Narrow(cmp.Or(in.detour, in.database)),
		"MILAAN_SECRET_KEY=" + in.secret,
	}, extra...)
	c.WaitDelay = waitLimit
	return c
}

// hide names a text that no log may contain.
func (in *installation) hide(what, text string) {
	in.mu.Lock()
	defer in.mu.Unlock()
	in.private[text] = what
}

func (in *installation) newJournal() *journal {
	in.mu.Lock()
	defer in.mu.Unlock()
	j := &journal{}
	in.journals = append(in.journals, j)
	return j
}

// faulty says that errors in a log are what the test is about.
func (in *installation) faulty(j *journal) {
	in.mu.Lock()
	defer in.mu.Unlock()
	j.faulty = true
}

// wholeKey is an API key that shows more than its prefix may.
var wholeKey = regexp.MustCompile(regexp.QuoteMeta(domain.LiveKeyPrefix) + `[0-9A-Za-z]{9,}`)

// unitless finds a duration as Go writes it, where a log must have a number.
var unitless = regexp.MustCompile(`":"(\d+(\.\d+)?(ns|µs|ms|s|m|h))+"`)

// inspect looks in the logs and the data directory for what no process may write.
func (in *installation) inspect(t *testing.T) {
	for _, j := range in.journals {
		log := j.text()
		for text, what := range in.private {
			if strings.Contains(log, text) {
				t.Errorf("a log holds %s", what)
			}
		}
		if wholeKey.MatchString(log) {
			t.Error("a log holds an API key")
		}
		if unitless.MatchString(log) {
			t.Errorf("a log writes a duration as text: %s", unitless.FindString(log))
		}
		if in.excused != "" {
			log = strings.Join(slices.DeleteFunc(strings.Split(log, "\n"), func(line string) bool { return strings.Contains(line, in.excused) }), "\n")
		}
		faults := []string{`"level":"ERROR"`, "panic: ", "goroutine 1 ["}
		if j.faulty {
			faults = faults[1:]
		}
		for _, fault := range faults {
			if at := strings.Index(log, fault); at >= 0 {
				t.Errorf("a log tells of a fault: %.2000s", log[at:])
			}
		}
	}
	in.checkModes(t)
}

// checkModes checks that nobody else can read the data directory.
func (in *installation) checkModes(t *testing.T) {
	_ = filepath.WalkDir(in.data, func(path string, entry fs.DirEntry, err error) error {
		if entry == nil || err != nil {
			return fs.SkipAll // there is none: the database is PostgreSQL, or was never opened
		}
		want := fs.FileMode(0o600)
		if entry.IsDir() {
			want = 0o700
		}
		if info, err := entry.Info(); err == nil && info.Mode().Perm() != want {
			t.Errorf("%s has mode %o and must have %o", path, info.Mode().Perm(), want)
		}
		return nil
	})
}

// account is one that may use the API.
type account struct{ id, key string }

// accounts makes n accounts with a key each, past the service. A runCap below 0
// is none.
func (in *installation) accounts(t *testing.T, n, runCap int) []account {
	t.Helper()
	store, done := in.store(t)
	defer done()
	made := make([]account, n)
	faults := make([]error, n)
	parallel(2, n, func(i int) { made[i], faults[i] = newAccount(t.Context(), store, runCap) })
	require.NoError(t, errors.Join(faults...))
	return made
}

// store opens the storage of the service past the service, until done.
func (in *installation) store(t *testing.T) (store *storage.Store, done func()) {
	t.Helper()
	if in.database == "" {
		require.NoError(t, beginMigrated(in.data))
	}
	store, err := storage.Open(t.Context(), storage.Settings{DatabaseURL: in.database, DataDir: in.data}, slog.New(slog.DiscardHandler))
	require.NoError(t, err)
	return store, func() { require.NoError(t, store.Close()) }
}

// beginMigrated copies an SQLite file that the program has migrated into a data directory that
// has none.
var beginMigrated = migrated.Copies(func(dataDir string) error { return migrate("MILAAN_DATA_DIR=" + dataDir) })

func newAccount(ctx context.Context, store *storage.Store, runCap int) (account, error) {
	now := time.Now()
	a := domain.Account{
		ID: uuid.NewString(), Email: uuid.NewString() + "@shop.example", Plan: domain.Enterprise, Subscription: domain.SubscriptionActive,
		SubscribedOn: domain.DayOf(now), PlanSince: domain.DayOf(now), BillingDay: 1, PhoneVerified: true, CreatedAt: now,
	}
	if runCap >= 0 {
		a.RunCap = &runCap
	}
	var random [32]byte
	_, _ = rand.Read(random[:])
	secret, hash := domain.MintKey(domain.LiveKey, random)
	if err := storage.New[storage.Accounts](store, nil).Create(ctx, a); err != nil {
		return account{}, err
	}
	key := domain.APIKey{ID: uuid.NewString(), AccountID: a.ID, Kind: domain.LiveKey, Hash: hash, Prefix: domain.ShownPrefix(secret), IssuedAt: now}
	return account{id: a.ID, key: secret}, storage.New[storage.Keys](store, nil).Rotate(ctx, key, domain.SecurityEvent{})
}

// open opens the database past the service, until done. A file may be another one
// the next time; a server is the same, and connecting to it takes long.
func (in *installation) open(t *testing.T) (db *sql.DB, done func()) {
	t.Helper()
	if in.database == "" {
		source := url.URL{Scheme: "file", Path: filepath.Join(in.data, "milaan.db"), RawQuery: "mode=rw&_pragma=busy_timeout(5000)"}
		db := only.Value(sql.Open(sqlite.DriverName, source.String()))(t)
		return db, func() { require.NoError(t, db.Close()) }
	}
	in.mu.Lock()
	defer in.mu.Unlock()
	if in.pool == nil {
		in.pool = only.Value(sql.Open("pgx", in.database))(t)
	}
	return in.pool, func() {}
}

// exec changes the database past the service.
func (in *installation) exec(t *testing.T, statement string) {
	t.Helper()
	db, done := in.open(t)
	defer done()
	require.NoError(t, only.Err(db.ExecContext(t.Context(), statement)))
}

// query reads rows of text columns straight from the database.
func (in *installation) query(t *testing.T, query string, columns int) [][]string {
	t.Helper()
	db, done := in.open(t)
	defer done()
	rows, err := db.QueryContext(t.Context(), query)
	require.NoError(t, err)
	defer func() { _ = rows.Close() }()
	var all [][]string
	for rows.Next() {
		row, cells := make([]string, columns), make([]any, columns)
		for i := range row {
			cells[i] = &row[i]
		}
		require.NoError(t, rows.Scan(cells...))
		all = append(all, row)
	}
	require.NoError(t, rows.Err())
	return all
}

func (in *installation) count(t *testing.T, query string) (n int) {
	t.Helper()
	require.NoError(t, only.Err(fmt.Sscan(in.query(t, query, 1)[0][0], &n)))
	return n
}
