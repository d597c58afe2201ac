package processes_test

import (
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"
)

// shell runs a snippet of the README in an installation's folder.
func (in *installation) shell(t *testing.T, script string) {
	t.Helper()
	c := exec.Command("sh", "-e", "-c", script)
	c.Dir = in.dir
	out, err := c.CombinedOutput()
	require.NoError(t, err, "%s\n%s", script, out)
}

// plain is an installation as somebody has it who sets nothing: its data is where
// the README says, and its secret is generated.
func plain(t *testing.T) *installation {
	t.Helper()
	in := newInstallation(t, "")
	in.data, in.secret = filepath.Join(in.dir, "milaan-data"), ""
	return in
}

// runs makes runs one after the other, each of a brand of its own, until enough
// is true; acknowledged takes the brands that were answered with a stored run.
func (r *replica) runs(t *testing.T, accounts []account, acknowledged *sync.Map, enough func() bool) {
	const perKey = 9 // of the ten a minute that its rate allows
	var wait sync.WaitGroup
	for i, a := range accounts {
		wait.Go(func() {
			for j := 0; j < perKey && !enough(); j++ {
				brand := brandOf(i*perKey + j)
				if got := r.reconcile(t, a.key, brand); got.err == nil && got.status == http.StatusOK && got.header.Get("X-Run-Id") != "" {
					acknowledged.Store(brand, true)
				}
			}
		})
	}
	wait.Wait()
}

// stored are the brands of the runs in an installation's database.
func (in *installation) stored(t *testing.T) map[string]bool {
	t.Helper()
	brands := map[string]bool{}
	for _, row := range in.query(t, "SELECT brand FROM runs", 1) {
		brands[row[0]] = true
	}
	return brands
}

func brandsOf(acknowledged *sync.Map) (brands []string) {
	for brand := range acknowledged.Range {
		brands = append(brands, brand.(string))
	}
	return brands
}

// What was acknowledged before the README's backup began is in it, although the
// service went on under load, and a service on the restored folder goes on from
// there: with the runs, the keys and the secret, and without what the folder held
// before.
func TestBackingUpAndRestoring(t *testing.T) {
	t.Parallel()
	needed(t, "sqlite3")
	in := plain(t)
	accounts := in.accounts(t, 24, -1)
	r := in.start(t)
	token := in.session(t, "before@shop.example", "pro")
	var acknowledged sync.Map
	var enough atomic.Bool
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		r.runs(t, accounts[1:], &acknowledged, enough.Load)
	}()
	await(t, "the load to come", func() bool { return len(brandsOf(&acknowledged)) >= 20 })
	before := brandsOf(&acknowledged)
	in.shell(t, snippet(t, "backup"))
	amid := len(brandsOf(&acknowledged))
	enough.Store(true)
	<-ended
	outcomeOf(t, r.reconcile(t, accounts[0].key, "after the backup"))
	r.kill() // its write-ahead log stays behind

	elsewhere := plain(t)
	elsewhere.shell(t, "cp -Rp '"+in.data+"' '"+in.dir+"/backup' .") // the former is what the folder held before
	require.FileExists(t, filepath.Join(elsewhere.data, "milaan.db-wal"))
	elsewhere.shell(t, snippet(t, "restore"))
	require.Equal(t, "ok", elsewhere.query(t, "PRAGMA integrity_check", 1)[0][0])
	restored := elsewhere.start(t)
	rows := elsewhere.stored(t)
	for _, brand := range before {
		require.True(t, rows[brand], "%s was acknowledged before the backup began", brand)
	}
	require.False(t, rows["after the backup"])
	outcomeOf(t, restored.reconcile(t, accounts[0].key, "restored"))
	require.Equal(t, http.StatusOK, restored.issueKey(t, token).status, "the secret that signed the session is there")
	restored.stop(t)
	t.Logf("%d runs before the backup, %d when it was done, %d in it", len(before), amid, len(rows))
}

// A copy of the database's file alone lacks what was stored last.
func TestCopyingTheDatabaseFileLosesRuns(t *testing.T) {
	t.Parallel()
	in := plain(t)
	accounts := in.accounts(t, 2, -1)
	r := in.start(t)
	var acknowledged sync.Map
	r.runs(t, accounts, &acknowledged, func() bool { return false })
	all := brandsOf(&acknowledged)
	require.Len(t, all, 18)
	copied := plain(t)
	require.NoError(t, os.MkdirAll(copied.data, 0o700))
	text, err := os.ReadFile(filepath.Join(in.data, "milaan.db"))
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(copied.data, "milaan.db"), text, 0o600))
	kept := 0
	if len(copied.query(t, "SELECT name FROM sqlite_master WHERE name = 'runs'", 1)) > 0 {
		kept = len(copied.stored(t))
	}
	lost := len(all) - kept
	require.Positive(t, lost)
	require.Len(t, in.stored(t), len(all), "they are in milaan.db-wal")
	r.stop(t)
	t.Logf("%d of %d runs are not in the copy", lost, len(all))
}
