// Package postgres runs a private PostgreSQL server for tests: from the
// machine's own binaries, in a folder and on a loopback port of its own, as an
// unprivileged user where the tests run as root. The server ends with the test
// binary, on Linux even if that is killed.
//
// The binaries are looked for in MILAAN_TEST_POSTGRES_BIN, in PATH and where
// Debian puts them. Where there are none, tests are skipped, loudly; they fail
// if CI or MILAAN_TEST_REQUIRE_POSTGRES is set.
package postgres

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
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
)

const (
	superuser = "milaan"
	// patience is how long the server may take to start or stop.
	patience = 60 * time.Second
)

// Server is one PostgreSQL server that may be stopped and started.
type Server struct {
	bin, folder string
	owner       *owner
	port        int
	process     *exec.Cmd
	ended       chan struct{}
}

// shared is the server of this test binary, from its first use to its end.
var shared struct {
	once   sync.Once
	server *Server
	err    error
}

var databases atomic.Int64

// Database makes an empty database on a server that the whole test binary
// shares, and returns its URL. The binary's TestMain must be Main.
func Database(t testing.TB) string {
	t.Helper()
	shared.once.Do(func() { shared.server, shared.err = launch() })
	unlessMissing(t, shared.err)
	return shared.server.Database(t)
}

// Start starts a server of the test's own, to be stopped and started at will.
func Start(t testing.TB) *Server {
	t.Helper()
	server, err := launch()
	unlessMissing(t, err)
	t.Cleanup(server.discard)
	return server
}

// Main runs the tests and then ends the shared server. Call it from TestMain.
func Main(m *testing.M) {
	code := m.Run()
	if shared.server != nil {
		shared.server.discard()
	}
	os.Exit(code)
}

// Database makes an empty database on the server and returns its URL.
func (s *Server) Database(t testing.TB) string {
	t.Helper()
	db, err := sql.Open("pgx", s.url("postgres"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	name := "test_" + strconv.FormatInt(databases.Add(1), 10)
	if _, err := db.ExecContext(t.Context(), "CREATE DATABASE "+name); err != nil {
		t.Fatal(err)
	}
	return s.url(name)
}

func (s *Server) url(database string) string {
	return fmt.Sprintf("postgres://%s@127.0.0.1:%d/%s?sslmode=disable", superuser, s.port, database)
}

// Stop stops the server as an administrator does who will not wait: sessions
// are ended, and new ones refused.
func (s *Server) Stop(t testing.TB) {
	t.Helper()
	if err := s.stop(os.Interrupt); err != nil {
		t.Fatal(err)
	}
}

// Start starts the server again, at the same address.
func (s *Server) Start(t testing.TB) {
	t.Helper()
	if err := s.start(); err != nil {
		t.Fatal(err)
	}
}

var errMissing = errors.New("no PostgreSQL binaries found: install PostgreSQL, or set MILAAN_TEST_POSTGRES_BIN to the folder of initdb and postgres")

func unlessMissing(t testing.TB, err error) {
	t.Helper()
	switch {
	case err == nil:
	case errors.Is(err, errMissing) && os.Getenv("CI") == "" && os.Getenv("MILAAN_TEST_REQUIRE_POSTGRES") == "":
		t.Skipf("NOT TESTED ON POSTGRESQL: %v", err)
	default:
		t.Fatalf("start PostgreSQL: %v", err)
	}
}

// launch makes a fresh cluster and starts it.
func launch() (*Server, error) {
	bin, err := findBinaries()
	if err != nil {
		return nil, err
	}
	// Not t.TempDir: the unprivileged owner must be able to walk into it.
	folder, err := os.MkdirTemp("", "milaan-postgres-")
	if err != nil {
		return nil, err
	}
	s := &Server{bin: bin, folder: folder, owner: unprivileged()}
	if err := s.prepare(); err != nil {
		return nil, errors.Join(err, os.RemoveAll(folder))
	}
	if err := s.start(); err != nil {
		return nil, errors.Join(err, os.RemoveAll(folder))
	}
	return s, nil
}

func (s *Server) prepare() error {
	if err := s.owner.give(s.folder); err != nil {
		return err
	}
	initdb := exec.Command(filepath.Join(s.bin, "initdb"), "--pgdata="+s.data(), "--username="+superuser,
		"--auth=trust", "--encoding=UTF8", "--no-locale", "--no-sync", "--no-instructions")
	initdb.Dir = s.folder
	s.owner.run(initdb)
	if out, err := initdb.CombinedOutput(); err != nil {
		return fmt.Errorf("initdb: %w\n%s", err, out)
	}
	var err error
	s.port, err = freePort()
	return err
}

func (s *Server) data() string { return filepath.Join(s.folder, "data") }

func (s *Server) start() error {
	log, err := os.OpenFile(filepath.Join(s.folder, "log"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer func() { _ = log.Close() }()
	s.process = exec.Command(filepath.Join(s.bin, "postgres"), "-D", s.data(), "-p", strconv.Itoa(s.port),
		"-c", "listen_addresses=127.0.0.1", "-c", "unix_socket_directories="+s.folder, "-c", "max_connections=200",
		"-c", "fsync=off", "-c", "full_page_writes=off", "-c", "shared_buffers=32MB")
	s.process.Dir, s.process.Stdout, s.process.Stderr = s.folder, log, log
	s.owner.run(s.process)
	if err := startTied(s.process); err != nil {
		return err
	}
	s.ended = make(chan struct{})
	go func(p *exec.Cmd, ended chan struct{}) {
		_ = p.Wait()
		close(ended)
	}(s.process, s.ended)
	return s.awaitAnswer()
}

// awaitAnswer waits until the server lets somebody in.
func (s *Server) awaitAnswer() error {
	db, err := sql.Open("pgx", s.url("postgres"))
	if err != nil {
		return err
	}
	defer func() { _ = db.Close() }()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	for {
		err := db.PingContext(ctx)
		if err == nil {
			return nil
		}
		select {
		case <-s.ended:
			text, _ := os.ReadFile(filepath.Join(s.folder, "log"))
			return fmt.Errorf("postgres ended: %s", text)
		case <-ctx.Done():
			return errors.Join(err, s.stop(os.Kill))
		case <-time.After(20 * time.Millisecond):
		}
	}
}

func (s *Server) stop(signal os.Signal) error {
	select {
	case <-s.ended:
		return nil
	default:
	}
	if err := s.process.Process.Signal(signal); err != nil && !errors.Is(err, os.ErrProcessDone) {
		return err
	}
	select {
	case <-s.ended:
		return nil
	case <-time.After(patience):
		return errors.New("postgres does not stop")
	}
}

// discard ends the server and removes its folder.
func (s *Server) discard() {
	if err := s.stop(os.Interrupt); err != nil {
		_ = s.process.Process.Kill()
	}
	_ = os.RemoveAll(s.folder)
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

func freePort() (int, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return 0, err
	}
	defer func() { _ = l.Close() }()
	return l.Addr().(*net.TCPAddr).Port, nil
}
