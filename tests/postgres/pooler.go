package postgres

import (
	"errors"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

var errNoPooler = errors.New("no PgBouncer found: install pgbouncer")

// Pooler puts a PgBouncer of the test's own before the server of a database, and
// returns the database's URL there. mode is session, transaction or statement;
// options are further lines of its configuration, such as "default_pool_size = 1".
func Pooler(t testing.TB, databaseURL, mode string, options ...string) string {
	t.Helper()
	program, err := findPooler()
	unlessMissing(t, err)
	target, err := url.Parse(databaseURL)
	if err != nil {
		t.Fatal(err)
	}
	p, err := newPooler(program)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.discard)
	if err := p.configure(target, mode, options); err != nil {
		t.Fatal(err)
	}
	pooled := *target
	pooled.Host = fmt.Sprintf("127.0.0.1:%d", p.port)
	p.address = pooled.String()
	if err := p.start(p.command()); err != nil {
		t.Fatal(err)
	}
	return p.address
}

type pooler struct {
	*daemon
	program string
	port    int
}

func newPooler(program string) (*pooler, error) {
	d, err := newDaemon("pgbouncer", "")
	if err != nil {
		return nil, err
	}
	port, err := FreePort()
	return &pooler{daemon: d, program: program, port: port}, err
}

// configure admits every client that names the superuser.
func (p *pooler) configure(target *url.URL, mode string, options []string) error {
	users := filepath.Join(p.folder, "users")
	lines := append([]string{
		"[databases]",
		fmt.Sprintf("* = host=%s port=%s", target.Hostname(), target.Port()),
		"[pgbouncer]",
		"listen_addr = 127.0.0.1",
		fmt.Sprintf("listen_port = %d", p.port),
		"unix_socket_dir =",
		"auth_type = trust",
		"auth_file = " + users,
		"pool_mode = " + mode,
	}, options...)
	for path, text := range map[string]string{p.configuration(): strings.Join(lines, "\n") + "\n", users: fmt.Sprintf("%q \"\"\n", superuser)} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			return err
		}
		if err := p.owner.give(path); err != nil {
			return err
		}
	}
	return nil
}

func (p *pooler) configuration() string { return filepath.Join(p.folder, "pgbouncer.ini") }

func (p *pooler) command() *exec.Cmd { return exec.Command(p.program, p.configuration()) }

// findPooler looks for the program, which Debian keeps off an ordinary user's
// path.
func findPooler() (string, error) {
	if path, err := exec.LookPath("pgbouncer"); err == nil {
		return path, nil
	}
	if executable("/usr/sbin", "pgbouncer") {
		return "/usr/sbin/pgbouncer", nil
	}
	return "", errNoPooler
}
