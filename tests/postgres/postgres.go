// Package postgres runs a private PostgreSQL server for tests: from the
// machine's own binaries, in a folder and on a loopback port of its own, as an
// unprivileged user where the tests run as root. The server ends with the test
// binary, on Linux even if that is killed.
//
// The binaries are looked for in MILAAN_TEST_POSTGRES_BIN, in PATH and where
// Debian puts them. Where there are none, tests are skipped, loudly; they fail
// if CI or MILAAN_TEST_REQUIRE_POSTGRES is set. The same holds for PgBouncer,
// which Pooler starts.
package postgres

import (
	"cmp"
	"database/sql"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	_ "github.com/jackc/pgx/v5/stdlib" // the driver of database/sql

	"milaan/tests/garbage"
)

const (
	superuser = "milaan"
	// waitLimit is how long the server may take to start or stop.
	waitLimit = 60 * time.Second
)

// Server is one PostgreSQL server that may be stopped and started.
type Server struct {
	*daemon
	bin  string
	port int
	main *sql.DB // its own database, from which others are made

	asked    sync.Once
	strategy string // of copying
}

// shared is the server of this test binary, from its first use to its end.
var shared struct {
	once   sync.Once
	server *Server
	err    error
}

var databases atomic.Int64

// templates are the functions that make the templates of Clone, by name.
var templates sync.Map

// Database makes an empty database on a server that the whole test binary
// shares, and returns its URL. The binary's TestMain must be Main.
func Database(t testing.TB) string {
	t.Helper()
	shared.once.Do(func() { shared.server, shared.err = launch() })
	unlessMissing(t, shared.err)
	return shared.server.Database(t)
}

// Clone makes a database as Database does, but not an empty one: it is a copy of a
// template, which migrate prepares once for the test binary. name tells templates apart.
func Clone(t testing.TB, name string, migrate func(databaseURL string) error) string {
	t.Helper()
	made, _ := templates.LoadOrStore(name, sync.OnceValues(func() (string, error) {
		template := Database(t)
		return template[strings.LastIndex(template, "/")+1 : strings.Index(template, "?")], migrate(template)
	}))
	template, err := made.(func() (string, error))()
	if err != nil {
		t.Fatal(err)
	}
	return shared.server.create(t, " TEMPLATE "+template+shared.server.copying())
}

// Process is the process id of the server that Database has started.
func Process(t testing.TB) int {
	t.Helper()
	if shared.server == nil {
		t.Fatal("no server was started")
	}
	return shared.server.process.Process.Pid
}

// OnlyWithBoth skips a test of services on PostgreSQL unless MILAAN_TEST_BOTH_DATABASES is set, as
// .ci/run does: tests/conformance tests the storage on both always.
func OnlyWithBoth(t testing.TB) {
	t.Helper()
	if os.Getenv("MILAAN_TEST_BOTH_DATABASES") == "" {
		t.Skip("NOT TESTED on PostgreSQL: set MILAAN_TEST_BOTH_DATABASES")
	}
}

// Narrow gives whoever opens a database few connections to it; blank is SQLite. Each costs the server as much as many of its
// statements, and with a handful all meets that would meet with more. Long tests have as many as are shipped.
//
//soak:same
func Narrow(databaseURL string) string {
	if databaseURL == "" || os.Getenv("MILAAN_SOAK") != "" {
		return databaseURL
	}
	return databaseURL + "&pool_max_conns=6"
}

// Start starts a server of the test's own, to be stopped and started at will.
func Start(t testing.TB) *Server {
	t.Helper()
	server, err := launch()
	unlessMissing(t, err)
	t.Cleanup(server.discard)
	return server
}

// Main runs the tests, which are a *testing.M, lets their garbage wait, and then ends the shared server. Temporary
// files of the tests are in memory where there is room, except those of long tests. Call it
// from TestMain.
func Main(m interface{ Run() int }) {
	leave := keepTemporaryFiles()
	code := garbage.Waits(m)
	leave()
	if shared.server != nil {
		shared.server.discard()
	}
	removeServers()
	os.Exit(code)
}

// Database makes an empty database on the server and returns its URL.
func (s *Server) Database(t testing.TB) string {
	t.Helper()
	return s.create(t, s.copying())
}

func (s *Server) create(t testing.TB, options string) string {
	t.Helper()
	name := "test_" + strconv.FormatInt(databases.Add(1), 10)
	if _, err := s.main.ExecContext(t.Context(), "CREATE DATABASE "+name+options); err != nil {
		t.Fatal(err)
	}
	return s.url(name)
}

// copying is how a database is copied, one that is empty too: by its files, which takes half
// the time of the way by the log that servers since version 15 take if nothing is said.
func (s *Server) copying() string {
	s.asked.Do(func() {
		var version int
		if s.main.QueryRow("SELECT current_setting('server_version_num')::int").Scan(&version) == nil && version >= 150000 {
			s.strategy = " STRATEGY FILE_COPY"
		}
	})
	return s.strategy
}

func (s *Server) url(database string) string {
	return fmt.Sprintf("postgres://%s@127.0.0.1:%d/%s?sslmode=disable", superuser, s.port, database)
}

// Stop stops the server at once: sessions are ended, and new ones refused.
func (s *Server) Stop(t testing.TB) {
	t.Helper()
	if err := s.stop(os.Interrupt); err != nil {
		t.Fatal(err)
	}
}

// Start starts the server again, at the same address.
func (s *Server) Start(t testing.TB) {
	t.Helper()
	if err := s.launch(); err != nil {
		t.Fatal(err)
	}
}

var errMissing = errors.New("no PostgreSQL binaries found: install PostgreSQL, or set MILAAN_TEST_POSTGRES_BIN to the folder of initdb and postgres")

func unlessMissing(t testing.TB, err error) {
	t.Helper()
	switch {
	case err == nil:
	case (errors.Is(err, errMissing) || errors.Is(err, errNoPooler)) && os.Getenv("CI") == "" && os.Getenv("MILAAN_TEST_REQUIRE_POSTGRES") == "":
		t.Skipf("NOT TESTED ON POSTGRESQL: %v", err)
	default:
		t.Fatalf("start PostgreSQL: %v", err)
	}
}

// launch makes a fresh cluster and starts it.
func launch() (*Server, error) {
	made, err := pristine()
	if err != nil {
		return nil, err
	}
	d, err := newDaemon("postgres", filepath.Dir(made.folder))
	if err != nil {
		return nil, err
	}
	s := &Server{daemon: d, bin: made.bin}
	if err := s.prepare(made.folder); err != nil {
		return nil, errors.Join(err, os.RemoveAll(s.folder))
	}
	if err := s.launch(); err != nil {
		return nil, errors.Join(err, os.RemoveAll(s.folder))
	}
	return s, nil
}

// keepTemporaryFiles gives the tests a folder of their own for temporary files until leave: in
// memory, where syncing a database takes no time, or else on disk. Tests that look at all
// temporary files then see those of nobody else.
func keepTemporaryFiles() (leave func()) {
	folder, err := os.MkdirTemp(cmp.Or(memory(), os.TempDir()), "milaan-")
	if err != nil {
		return func() {} // that folder is not ours to write to
	}
	ours, err := removeWhenWeEnd(folder)
	if err == nil {
		err = errors.Join(os.Chmod(folder, 0o711), os.Setenv("TMPDIR", folder))
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "temporary files are in the folder of all:", err)
	}
	return func() {
		_ = os.RemoveAll(folder)
		if ours != nil {
			_ = ours.Close()
		}
	}
}

// temporary is the folder of temporary files before a test sets another one, into which the
// owner of a server could not walk.
var temporary = os.TempDir()

// cluster is one that initdb has made and that no server has used.
type cluster struct{ bin, folder string }

// pristine is the cluster that the servers of this test binary begin with: copying it takes
// a tenth of the time of initdb. It is in the folder of all servers.
var pristine = sync.OnceValues(func() (cluster, error) {
	bin, err := findBinaries()
	if err != nil {
		return cluster{}, err
	}
	home, err := os.MkdirTemp(cmp.Or(memory(), temporary), "milaan-")
	if err != nil { // that folder is not ours to write to
		home, err = os.MkdirTemp(temporary, "milaan-")
	}
	if err != nil {
		return cluster{}, err
	}
	ours, err := removeWhenWeEnd(home)
	if err := errors.Join(err, os.Chmod(home, 0o711)); err != nil {
		return cluster{}, err
	}
	removeServers = func() {
		_ = os.RemoveAll(home)
		_ = ours.Close()
	}
	d, err := newDaemon("initdb", home)
	if err != nil {
		return cluster{}, err
	}
	return cluster{bin: bin, folder: d.folder}, d.do(filepath.Join(bin, "initdb"), "--pgdata="+data(d.folder), "--username="+superuser,
		"--auth=trust", "--encoding=UTF8", "--no-locale", "--no-sync", "--no-instructions")
})

// removeServers removes the folder of all servers of this test binary.
var removeServers = func() {}

func (s *Server) prepare(pristine string) error {
	if err := s.do("cp", "-R", "-p", data(pristine), data(s.folder)); err != nil {
		return err
	}
	var err error
	if s.port, err = FreePort(); err != nil {
		return err
	}
	s.address = s.url("postgres")
	s.main, err = sql.Open("pgx", s.address)
	return err
}

func (s *Server) discard() {
	_ = s.main.Close()
	s.daemon.discard()
}

func data(folder string) string { return filepath.Join(folder, "data") }

func (s *Server) launch() error {
	return s.start(exec.Command(filepath.Join(s.bin, "postgres"), "-D", data(s.folder), "-p", strconv.Itoa(s.port),
		"-c", "listen_addresses=127.0.0.1", "-c", "unix_socket_directories="+s.folder, "-c", "max_connections=200",
		"-c", "fsync=off", "-c", "full_page_writes=off", "-c", "shared_buffers=32MB"))
}

func findBinaries() (string, error) {
	candidates := []string{os.Getenv("MILAAN_TEST_POSTGRES_BIN")}
	if path, err := exec.LookPath("initdb"); err == nil {
		if real, err := filepath.EvalSymlinks(path); err == nil {
			candidates = append(candidates, filepath.Dir(real))
		}
	}
	installed, _ := filepath.Glob("/usr/lib/postgresql/*/bin")
	for _, folder := range append(candidates, installed...) {
		if folder != "" && executable(folder, "initdb") && executable(folder, "postgres") {
			return folder, nil
		}
	}
	return "", errMissing
}

func executable(folder, name string) bool {
	path, err := exec.LookPath(filepath.Join(folder, name))
	return err == nil && strings.HasPrefix(path, folder)
}

// FreePort returns a port of 127.0.0.1 that nobody uses, for a program that must be told one.
// It is none of those that kernels give to whoever asks for any port: these are taken and
// given back all the time by other tests, even between this call and the program's start.
func FreePort() (int, error) {
	var l net.Listener
	err := errors.New("no port was tried")
	for tries := 0; err != nil && tries < 100; tries++ {
		l, err = net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", 10_000+rand.IntN(22_000)))
	}
	if err != nil {
		return 0, err
	}
	return l.Addr().(*net.TCPAddr).Port, l.Close()
}
