package processes_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"
)

// container is a control group with a limit of memory, in which one process runs.
type container struct {
	folder string // blank: this machine lets nobody make one
	limit  int64  // bytes
}

// groups are the files of the two versions of control groups.
var groups = []struct {
	root, limit, swap string
	v2                bool
}{
	{"/sys/fs/cgroup", "memory.max", "memory.swap.max", true},
	{"/sys/fs/cgroup/memory", "memory.limit_in_bytes", "memory.memsw.limit_in_bytes", false},
}

// containers is how many containers were made, for their names.
var containers atomic.Int32

// newContainer makes a container until the end of the test.
func newContainer(t *testing.T, limit int64) *container {
	t.Helper()
	for _, g := range groups {
		folder := filepath.Join(g.root, fmt.Sprintf("milaan-test-%d-%d", os.Getpid(), containers.Add(1)))
		if err := os.Mkdir(folder, 0o755); err != nil {
			continue
		}
		bytes := strconv.FormatInt(limit, 10)
		if setLimit(folder, g.limit, bytes) != nil {
			_ = os.Remove(folder)
			continue
		}
		if g.v2 {
			bytes = "0" // of swap alone
		}
		_ = setLimit(folder, g.swap, bytes) // there may be no swap
		t.Cleanup(func() { require.NoError(t, os.Remove(folder)) })
		return &container{folder: folder, limit: limit}
	}
	t.Log("NOT TESTED: this machine lets nobody make a control group: the limit is held against VmHWM")
	return &container{limit: limit}
}

// setLimit writes a file that a control group has: in another folder there is none.
func setLimit(folder, file, bytes string) error {
	f, err := os.OpenFile(filepath.Join(folder, file), os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	_, err = f.WriteString(bytes)
	return errors.Join(err, f.Close())
}

// start starts a replica in the container, and waits until it is ready.
func (c *container) start(t *testing.T, in *installation, extra ...string) *replica {
	t.Helper()
	if c.folder == "" {
		return in.start(t, append(extra, fmt.Sprintf("GOMEMLIMIT=%d", c.limit/10*7+64*mebibyte))...)
	}
	r := &replica{journal: in.newJournal(), process: in.command(extra, "serve")}
	r.process.Args = append([]string{"sh", "-c", `echo $$ > "$0" && exec "$@"`, filepath.Join(c.folder, "cgroup.procs"), r.process.Path}, r.process.Args[1:]...)
	r.process.Path = "/bin/sh"
	r.process.Stdout, r.process.Stderr = r.journal, r.journal
	r.ended = startUntilCleanup(t, r.process)
	r.awaitReady(t)
	return r
}

// killed returns how many processes the kernel has killed for want of memory.
func (c *container) killed(t *testing.T) int {
	t.Helper()
	for _, file := range []string{"memory.events", "memory.oom_control"} {
		text, err := os.ReadFile(filepath.Join(c.folder, file))
		if errors.Is(err, os.ErrNotExist) {
			continue
		}
		require.NoError(t, err)
		for line := range strings.Lines(string(text)) {
			if n, is := strings.CutPrefix(strings.TrimSpace(line), "oom_kill "); is {
				killed, err := strconv.Atoi(n)
				require.NoError(t, err)
				return killed
			}
		}
	}
	return 0
}
