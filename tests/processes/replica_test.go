package processes_test

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

const (
	// waitLimit is how long a process may take to start, to stop or to do what
	// one command or request asks. It only ends what hangs: machines are slow.
	waitLimit = 2 * time.Minute
	// glance is the pause between two looks at something that is awaited.
	glance = 10 * time.Millisecond
)

// replica is one process of the service.
type replica struct {
	url     string
	journal *journal
	process *exec.Cmd
	ended   chan struct{}
}

// launch starts a replica and returns before it is ready; extra settings go
// before the installation's own.
func (in *installation) launch(t *testing.T, extra ...string) *replica {
	t.Helper()
	r := &replica{journal: in.newJournal(), process: in.command(extra, "serve")}
	r.process.Stdout, r.process.Stderr = r.journal, r.journal
	r.ended = startUntilCleanup(t, r.process)
	return r
}

// start starts a replica and waits until it is ready.
func (in *installation) start(t *testing.T, extra ...string) *replica {
	t.Helper()
	r := in.launch(t, extra...)
	r.awaitReady(t)
	return r
}

// awaitReady waits until the replica says that requests are worth sending.
func (r *replica) awaitReady(t *testing.T) {
	t.Helper()
	await(t, "the service to become ready", func() bool {
		select {
		case <-r.ended:
			t.Fatalf("the service ended at its start:\n%s", r.journal.text())
		default:
		}
		r.url = r.journal.address()
		return r.url != "" && r.probe(t, "/readyz") == http.StatusOK
	})
}

// await looks until something is so: the less often, the longer it takes, because a look at the database opens it.
func await(t *testing.T, what string, so func() bool) {
	t.Helper()
	for began := time.Now(); !so(); time.Sleep(min(max(glance, time.Since(began)/10), 20*glance)) {
		if time.Since(began) > waitLimit {
			t.Fatalf("waited in vain for %s", what)
		}
	}
}

// probe is the status of a GET, 0 if there was no answer.
func (r *replica) probe(t *testing.T, path string) int {
	return get(t, r.url+path).status
}

// signal sends a signal to a process that may have ended.
func (r *replica) signal(s os.Signal) { _ = r.process.Process.Signal(s) }

// kill ends the replica as a power cut does, and waits for it.
func (r *replica) kill() {
	r.signal(syscall.SIGKILL)
	<-r.ended
}

// stop asks the replica to stop and checks that it ends in order.
func (r *replica) stop(t *testing.T) {
	t.Helper()
	r.signal(syscall.SIGTERM)
	require.Zero(t, r.exitCode(t), r.journal.text())
}

// exitCode waits for the end of the replica.
func (r *replica) exitCode(t *testing.T) int {
	t.Helper()
	select {
	case <-r.ended:
	case <-time.After(waitLimit):
		t.Fatalf("the process does not end:\n%s", r.journal.text())
	}
	return r.process.ProcessState.ExitCode()
}

// ran is a command that has ended.
type ran struct {
	code           int
	stdout, stderr string
}

// run runs one command of the program to its end.
func (in *installation) run(t *testing.T, args ...string) ran { return in.runWith(t, nil, args...) }

// runWith is run with extra settings.
func (in *installation) runWith(t *testing.T, extra []string, args ...string) ran {
	t.Helper()
	log, c := in.newJournal(), in.command(extra, args...)
	var stdout bytes.Buffer
	c.Stdout, c.Stderr = &stdout, log
	require.NoError(t, startTied(c))
	waitFor(t, c, log)
	return ran{code: c.ProcessState.ExitCode(), stdout: stdout.String(), stderr: log.text()}
}

// succeed runs a command that must end well, with extra settings, and returns what it prints.
func (in *installation) succeed(t *testing.T, extra []string, args ...string) string {
	t.Helper()
	r := in.runWith(t, extra, args...)
	require.Zero(t, r.code, r.stderr)
	return r.stdout
}

// waitFor waits until a command has ended, and kills one that takes too long.
func waitFor(t *testing.T, c *exec.Cmd, log *journal) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), waitLimit)
	defer cancel()
	defer context.AfterFunc(ctx, func() { _ = c.Process.Kill() })()
	_ = c.Wait()
	require.NoError(t, ctx.Err(), "%v does not end:\n%s", c.Args, log.text())
}

// journal is what one process writes to its log.
type journal struct {
	faulty bool // errors in it are what the test is about
	mu     sync.Mutex
	bytes  bytes.Buffer
	bound  string
}

// Write fills io.Writer. The line that names the bound address is remembered.
func (j *journal) Write(p []byte) (int, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	n, err := j.bytes.Write(p)
	if j.bound == "" {
		j.bound = boundAddress(j.bytes.String())
	}
	return n, err
}

func boundAddress(log string) string {
	for line := range strings.Lines(log) {
		var entry struct{ Msg, Address string }
		if json.Unmarshal([]byte(line), &entry) == nil && entry.Msg == "listening" {
			return entry.Address
		}
	}
	return ""
}

// address is the URL that the service listens on; blank until it does.
func (j *journal) address() string {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.bound
}

func (j *journal) text() string {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.bytes.String()
}
