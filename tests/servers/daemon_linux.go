package servers

import (
	"fmt"
	"net"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"runtime"
	"strconv"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"milaan/tests/only"
	"milaan/tests/postgres"
)

// startLimit is how long a server may take to accept a connection, and to end.
const startLimit = 2 * time.Minute

// daemon is a server with its folder and its owner: us, or nobody if we are root, whom neither server
// would let in.
type daemon struct {
	testing.TB
	folder   string
	user     string
	group    string
	uid, gid int
	port     int
}

// newDaemon makes the folder of a server.
func newDaemon(t testing.TB) *daemon {
	t.Helper()
	own, err := user.Current()
	require.NoError(t, err)
	if own.Uid == "0" {
		own = only.Value(user.Lookup("nobody"))(t)
	}
	group := only.Value(user.LookupGroupId(own.Gid))(t)
	d := &daemon{TB: t, user: own.Username, group: group.Name}
	d.uid = only.Value(strconv.Atoi(own.Uid))(t)
	d.gid = only.Value(strconv.Atoi(own.Gid))(t)
	// Not t.TempDir: the path of a socket has at most 107 bytes.
	d.folder, err = os.MkdirTemp("", "milaan-") //nolint:usetesting // see above
	require.NoError(t, err)
	t.Cleanup(func() { _ = os.RemoveAll(d.folder) })
	d.port = only.Value(postgres.FreePort())(t)
	d.own()
	return d
}

func (d *daemon) path(name string) string { return filepath.Join(d.folder, name) }

func (d *daemon) write(name, text string) string {
	d.Helper()
	path := d.path(name)
	require.NoError(d, os.MkdirAll(filepath.Dir(path), 0o700))
	require.NoError(d, os.WriteFile(path, []byte(text), 0o600))
	return path
}

// own makes everything in the folder the owner's.
func (d *daemon) own() {
	d.Helper()
	require.NoError(d, filepath.WalkDir(d.folder, func(path string, _ os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		return os.Lchown(path, d.uid, d.gid)
	}))
}

// start starts a server that stays in the foreground, until the test ends.
func (d *daemon) start(program string, arguments ...string) {
	d.Helper()
	d.own()
	log := only.Value(os.Create(d.path("output")))(d)
	command := exec.Command(program, arguments...)
	command.Dir, command.Stdout, command.Stderr = d.folder, log, log
	command.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGTERM}
	if os.Geteuid() == 0 {
		command.SysProcAttr.Credential = &syscall.Credential{Uid: uint32(d.uid), Gid: uint32(d.gid)}
	}
	started, ended := make(chan error), make(chan struct{})
	go func() {
		runtime.LockOSThread() // the kernel ties the process to the thread that starts it
		started <- command.Start()
		_ = command.Wait()
		close(ended)
	}()
	require.NoError(d, <-started)
	d.Cleanup(func() {
		_ = syscall.Kill(-command.Process.Pid, syscall.SIGTERM)
		select {
		case <-ended:
		case <-time.After(startLimit):
			_ = syscall.Kill(-command.Process.Pid, syscall.SIGKILL)
			<-ended
		}
		_ = log.Close()
	})
	address := fmt.Sprintf("127.0.0.1:%d", d.port)
	for deadline := time.Now().Add(startLimit); ; {
		conn, err := net.Dial("tcp", address)
		if err == nil {
			_ = conn.Close()
			return
		}
		select {
		case <-ended:
			text, _ := os.ReadFile(d.path("output"))
			require.FailNow(d, "the server has ended", "%s", text)
		case <-time.After(20 * time.Millisecond):
			require.False(d, time.Now().After(deadline), "the server does not begin")
		}
	}
}
