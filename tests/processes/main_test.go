package processes_test

import (
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"milaan/tests/postgres"
)

// binary is the program under test; root is the repository, seen from here.
var (
	binary string
	root   = filepath.Join("..", "..")
)

func TestMain(m *testing.M) {
	if err := build(); err != nil {
		fmt.Fprintln(os.Stderr, "build the program:", err)
		os.Exit(1)
	}
	// The tests wait most of the time, for leases and timeouts of processes, so more of
	// them run at once than there are cores.
	_ = flag.Set("test.parallel", "12")
	postgres.Main(m)
}

// sweeping keeps the pipe open that the sweeper listens to.
var sweeping io.Closer

// build makes the binary in a temporary folder. postgres.Main does not return, so
// another process, the sweeper, removes the folder: it waits for our end of its pipe to
// close, which happens however we end.
func build() error {
	dir, err := os.MkdirTemp("", "milaan-processes-")
	if err != nil {
		return err
	}
	sweeper := exec.Command("sh", "-c", `trap "" INT TERM HUP; read -r _; rm -rf "$0"`, dir)
	if sweeping, err = sweeper.StdinPipe(); err != nil {
		return err
	}
	if err := sweeper.Start(); err != nil {
		return err
	}
	binary = filepath.Join(dir, "milaan")
	return link(binary)
}

// link makes a program. The go command keeps in its cache the programs that it runs, and not
// those that it builds: it is told to run this one by copying it, so that nothing is linked
// again that has not changed.
func link(to string, flags ...string) error {
	copied := `sh -c 'cp "$0" "$1"'`
	out, err := exec.Command("go", slices.Concat([]string{"run"}, flags, []string{"-exec", copied, "milaan", to})...).CombinedOutput()
	if err != nil {
		return fmt.Errorf("%w\n%s", err, out)
	}
	return nil
}

// started runs functions on one thread, which lives as long as this process: the kernel
// ties a child to the thread that started it, and not to the process.
var started = sync.OnceValue(func() chan<- func() {
	todo := make(chan func())
	go func() {
		runtime.LockOSThread()
		for do := range todo {
			do()
		}
	}()
	return todo
})

// startTied starts a process that ends at the latest with this one.
func startTied(c *exec.Cmd) error {
	tie(c)
	done := make(chan error)
	started() <- func() { done <- c.Start() }
	return <-done
}

// startUntilCleanup starts a process that the end of the test kills. The channel is
// closed once the process has ended.
func startUntilCleanup(t *testing.T, c *exec.Cmd) (ended chan struct{}) {
	t.Helper()
	require.NoError(t, startTied(c))
	ended = make(chan struct{})
	go func() {
		_ = c.Wait()
		close(ended)
	}()
	t.Cleanup(func() {
		_ = c.Process.Kill()
		<-ended
	})
	return ended
}

// size is how much of something a test does: by default, with MILAAN_SOAK=short
// and with any other MILAAN_SOAK.
func size(normal, short, full int) int {
	switch os.Getenv("MILAAN_SOAK") {
	case "":
		return normal
	case "short":
		return short
	}
	return full
}

// longAsked says that somebody asked for the long forms of tests.
func longAsked() bool { return os.Getenv("MILAAN_SOAK") != "" }

// alongside lets a test run beside others, unless its figures are wanted.
//
//soak:same
func alongside(t *testing.T) {
	t.Helper()
	if !longAsked() {
		t.Parallel()
	}
}

// parallel calls do with 0 to n-1, clients of them at once.
func parallel(clients, n int, do func(i int)) {
	var calls errgroup.Group
	calls.SetLimit(clients)
	for i := range n {
		calls.Go(func() error {
			do(i)
			return nil
		})
	}
	_ = calls.Wait()
}

// atOnce calls do with 0 to n-1, all at the same moment.
func atOnce(n int, do func(i int)) {
	start := make(chan struct{})
	var wait sync.WaitGroup
	for i := range n {
		wait.Go(func() {
			<-start
			do(i)
		})
	}
	close(start)
	wait.Wait()
}
