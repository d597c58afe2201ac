package packaging_test

import (
	"bytes"
	"debug/elf"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"milaan/tests/needed"
	"milaan/tests/only"
	"milaan/tests/postgres"
)

// entering is the variable that has this program run another one as a container does, with the
// root that it names.
const entering = "ENTER"

func TestMain(m *testing.M) {
	if folder := os.Getenv(entering); folder != "" {
		fmt.Fprintln(os.Stderr, "enter the container:", enter(folder, os.Getenv("DATA"), os.Getenv("OWNER"), os.Args[1:]))
		os.Exit(1)
	}
	os.Exit(m.Run())
}

// enter makes a folder the root, on which nothing can be written but in the data's, and becomes
// another program, as a user without privileges. It returns only if that fails. The namespaces
// of its mounts and its processes must be its own: it is the first process of the container.
func enter(folder, data, owner string, args []string) error {
	runtime.LockOSThread()
	user, err := strconv.Atoi(owner)
	if err != nil {
		return err
	}
	for _, step := range []func() error{
		func() error { return unix.Mount("", "/", "", unix.MS_REC|unix.MS_PRIVATE, "") },
		func() error { return unix.Mount(folder, folder, "", unix.MS_BIND, "") },
		func() error { return unix.Mount(folder+data, folder+data, "", unix.MS_BIND, "") },
		func() error {
			return unix.Mount("", folder, "", unix.MS_REMOUNT|unix.MS_BIND|unix.MS_RDONLY|unix.MS_NOSUID|unix.MS_NODEV, "")
		},
		func() error { return unix.Chroot(folder) },
		func() error { return unix.Chdir("/") },
		func() error { return syscall.Setgroups(nil) },
		func() error { return syscall.Setgid(user) },
		func() error { return syscall.Setuid(user) },
		func() error { return unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) },
		// Changing the user undoes it.
		func() error { return unix.Prctl(unix.PR_SET_PDEATHSIG, uintptr(syscall.SIGKILL), 0, 0, 0) },
		func() error { return unix.Exec(args[0], args, os.Environ()) },
	} {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

// contained is a root with what the Containerfile copies into the image, and what it runs there.
type contained struct {
	image
	folder string
	extra  []string // settings
}

// newContained builds the program as the Containerfile does, and lays out the root.
func newContained(t *testing.T) *contained {
	t.Helper()
	if !needed.All() {
		t.Skip("NOT TESTED: for the image all is compiled once more; set MILAAN_TEST_REQUIRE_PROGRAMS")
	}
	if os.Geteuid() != 0 {
		t.Skip("NOT TESTED: only root may have the program run with another root")
	}
	c := &contained{image: containerfile(t), folder: t.TempDir()}
	user := c.owner(t)
	for _, of := range c.copies {
		from, to := of[len(of)-2], c.folder+of[len(of)-1]
		switch from {
		case "/etc/ssl/certs/ca-certificates.crt":
			require.NoError(t, os.MkdirAll(filepath.Dir(to), 0o755))
			text, err := os.ReadFile(from)
			if err != nil {
				t.Log("NOT TESTED: this machine has no certificates where the image has them:", err)
			}
			require.NoError(t, os.WriteFile(to, text, 0o644))
		case "/image/usr":
			build := exec.Command("go", slices.Concat([]string{"build"}, c.flags, []string{"-o", filepath.Join(to, "bin/milaan"), root})...)
			build.Env = append(os.Environ(), "CGO_ENABLED=0")
			output, err := build.CombinedOutput()
			require.NoError(t, err, "%s", output)
		case "/image/data":
			require.NoError(t, os.MkdirAll(to, 0o700))
			require.NoError(t, os.Chown(to, user, user))
		default:
			t.Fatalf("the test does not know %s", from)
		}
	}
	// The folders above the root are the machine's own, and t.TempDir is for root alone.
	require.NoError(t, os.Chmod(c.folder, 0o755))
	return c
}

func (c *contained) owner(t *testing.T) int {
	t.Helper()
	name, group, _ := strings.Cut(c.user, ":")
	require.Equal(t, name, group)
	return only.Value(strconv.Atoi(name))(t)
}

// data is where the image keeps what may be written.
func (c *contained) data() string {
	for _, e := range c.env {
		if folder, is := strings.CutPrefix(e, "MILAAN_DATA_DIR="); is {
			return folder
		}
	}
	return ""
}

// command is a program of the image in a container with its root.
func (c *contained) command(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	this := only.Value(os.Executable())(t)
	command := exec.Command(this, args...)
	command.Env = slices.Concat(c.env, c.extra, []string{entering + "=" + c.folder, "DATA=" + c.data(), fmt.Sprint("OWNER=", c.owner(t))})
	command.SysProcAttr = &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWNS | syscall.CLONE_NEWPID, Pdeathsig: syscall.SIGKILL}
	return command
}

// journal is what a program has written, while it still runs.
type journal struct {
	sync.Mutex
	bytes.Buffer
}

func (j *journal) Write(p []byte) (int, error) {
	j.Lock()
	defer j.Unlock()
	return j.Buffer.Write(p)
}

// line is the log's first line with a message; nil if there is none yet.
func (j *journal) line(message string) map[string]any {
	j.Lock()
	defer j.Unlock()
	for line := range bytes.Lines(j.Bytes()) {
		var entry map[string]any
		if json.Unmarshal(line, &entry) == nil && entry["msg"] == message {
			return entry
		}
	}
	return nil
}

// TestTheImageServes runs what the Containerfile puts into the image: the program alone, as the first
// process, as its user, on a root that cannot be written to.
func TestTheImageServes(t *testing.T) {
	t.Parallel()
	c := newContained(t)
	program := only.Value(elf.Open(c.folder + c.entry[0]))(t)
	for _, p := range program.Progs {
		require.NotEqual(t, elf.PT_INTERP, p.Type, "it needs no library: there is none")
	}
	require.NoError(t, program.Close())
	before := c.files(t)

	port := only.Value(postgres.FreePort())(t)
	metrics := fmt.Sprint("127.0.0.1:", port)
	c.extra = []string{"MILAAN_ADDR=127.0.0.1:0", "MILAAN_METRICS_ADDR=" + metrics, "MILAAN_TRUSTED_PROXIES=127.0.0.1"}
	log, service := &journal{}, c.command(t, slices.Concat(c.entry, c.image.command)...)
	service.Stdout, service.Stderr = log, log
	if err := service.Start(); err != nil {
		t.Skipf("NOT TESTED: this machine lets nobody make a container: %v", err)
	}
	ended := make(chan error, 1)
	go func() { ended <- service.Wait(); close(ended) }()
	t.Cleanup(func() { _, _ = service.Process.Kill(), <-ended })
	const limit = 2 * time.Minute
	require.Eventually(t, func() bool {
		select {
		case err := <-ended:
			t.Errorf("the service ended at its start: %v\n%s", err, log.String())
			return true
		default:
			return log.line("listening") != nil
		}
	}, limit, 10*time.Millisecond)
	if t.Failed() {
		return
	}
	address, _ := log.line("listening")["address"].(string)

	// The health check of the image, a command of a person, and what a client gets.
	run := func(args ...string) string {
		t.Helper()
		output, err := c.command(t, args...).CombinedOutput()
		require.NoError(t, err, "%s", output)
		return string(output)
	}
	require.Contains(t, run(c.test...), "ready")
	run(append(slices.Clone(c.entry), "account", "create", "--email", "shop@shop.example", "--plan", "pro")...)
	request := only.Value(http.NewRequestWithContext(t.Context(), http.MethodGet, address+"/demo", nil))(t)
	request.Header.Set("X-Forwarded-Proto", "https")
	answer, err := http.DefaultClient.Do(request)
	require.NoError(t, err)
	body := only.Value(io.ReadAll(answer.Body))(t)
	require.NoError(t, answer.Body.Close())
	require.Equal(t, http.StatusOK, answer.StatusCode, "%s", body)

	// It is the first process of its container, for which a signal is nothing unless it asks for it.
	status := only.Value(os.ReadFile(fmt.Sprintf("/proc/%d/status", service.Process.Pid)))(t)
	require.Regexp(t, `(?m)^NSpid:\t\d+\t1$`, string(status))
	require.Regexp(t, `(?m)^Uid:(\t`+fmt.Sprint(c.owner(t))+`){4}$`, string(status))
	require.Regexp(t, `(?m)^CapEff:\t0+$`, string(status))
	require.NoError(t, service.Process.Signal(syscall.SIGTERM))
	select {
	case err := <-ended:
		require.NoError(t, err, log.String())
	case <-time.After(limit):
		t.Fatalf("the service does not end:\n%s", log.String())
	}
	require.NotNil(t, log.line("stopped"))
	require.Equal(t, before, c.files(t), "all that it writes is in the data's folder")
	require.FileExists(t, filepath.Join(c.folder, c.data(), "milaan.db"))
}

// files are those of the root, but for the data.
func (c *contained) files(t *testing.T) (all []string) {
	t.Helper()
	require.NoError(t, filepath.WalkDir(c.folder, func(path string, d fs.DirEntry, err error) error {
		if d != nil && d.IsDir() && path == filepath.Join(c.folder, c.data()) {
			return fs.SkipDir
		}
		all = append(all, path)
		return err
	}))
	return all
}
