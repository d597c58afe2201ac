package processes_test

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// A service whose disk is full answers with 503, says in its log that the disk
// is full and which, is not ready, and is again when there is space. What it had
// acknowledged is there.
func TestDiskIsFull(t *testing.T) {
	alongside(t)
	in := newInstallation(t, "")
	require.NoError(t, os.MkdirAll(in.data, 0o700))
	if err := syscall.Mount("tmpfs", in.data, "tmpfs", 0, "size=16m,mode=0700"); err != nil {
		t.Skipf("NOT TESTED ON A FULL DISK: a small file system cannot be mounted: %v", err)
	}
	t.Cleanup(func() { require.NoError(t, syscall.Unmount(in.data, syscall.MNT_DETACH)) })
	accounts := in.accounts(t, 3, -1)
	r := in.start(t)
	in.faulty(r.journal)
	outcomeOf(t, r.reconcile(t, accounts[0].key, brandOf(0)))

	ballast := filepath.Join(in.data, "ballast")
	require.NoError(t, fill(ballast))
	full := 0
	for i := range 5 {
		a := r.reconcile(t, accounts[1].key, strings.Repeat(fmt.Sprint(i), 100))
		if a.status == http.StatusOK {
			continue // the log had a place for it
		}
		refused(t, a, http.StatusServiceUnavailable, "the disk of the service's database is full")
		require.NotContains(t, string(a.body), in.data)
		full++
	}
	require.Positive(t, full)
	await(t, "the log to say why", func() bool {
		return strings.Contains(r.journal.text(), "the disk is full: the embedded database in "+in.data)
	})
	refused(t, get(t, r.url+"/readyz"), http.StatusServiceUnavailable, "the disk of the service's database is full")

	require.NoError(t, os.Remove(ballast))
	await(t, "the service to become ready", func() bool { return r.probe(t, "/readyz") == http.StatusOK })
	outcomeOf(t, r.reconcile(t, accounts[2].key, brandOf(1)))
	r.stop(t)
	require.Equal(t, 2+5-full, in.count(t, "SELECT COUNT(*) FROM runs"))
	require.Equal(t, "ok", in.query(t, "PRAGMA integrity_check", 1)[0][0])
}

// fill writes a file until the disk is full.
func fill(path string) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }()
	for block := make([]byte, 1<<12); err == nil; {
		_, err = f.Write(block)
	}
	return os.Chmod(path, 0o600)
}
