package processes_test

import (
	"io/fs"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"milaan/tests/postgres"
)

// shell runs a snippet of the guide in an installation's folder, with the settings of the installation.
func (in *installation) shell(t *testing.T, script string) {
	t.Helper()
	c := exec.Command("sh", "-e", "-c", script)
	c.Dir = in.dir
	c.Env = append(os.Environ(), "PATH="+filepath.Dir(binary)+":/usr/lib/postgresql/15/bin:"+os.Getenv("PATH"))
	if in.database != "" {
		c.Env = append(c.Env, "MILAAN_DATABASE_URL="+in.database, "MILAAN_SECRET_KEY="+in.secret)
	}
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

// What was acknowledged before the guide's backup began is in it, although the service went on under
// load and is killed then. A service on the restored folder goes on from there: with the runs, the keys
// and the secret, and without what the folder held before.
func TestBackingUpAndRestoring(t *testing.T) {
	t.Parallel()
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
	elsewhere.shell(t, "cp -Rp '"+in.data+"' '"+in.dir+"/milaan-backup.tar' .") // the former is what the folder held before
	require.FileExists(t, filepath.Join(elsewhere.data, "milaan.db-wal"))
	require.Contains(t, in.succeed(t, nil, "backup", "after-a-kill.tar"), "after-a-kill.tar, checked: 25 accounts, ")

	refused := elsewhere.run(t, "restore", "milaan-backup.tar")
	require.Equal(t, 1, refused.code)
	require.Contains(t, refused.stderr, "has data already")
	elsewhere.shell(t, strings.TrimSpace(snippet(t, "restore"))+" --force")
	require.Equal(t, "ok", elsewhere.query(t, "PRAGMA integrity_check", 1)[0][0])
	restored := elsewhere.start(t)
	rows := elsewhere.stored(t)
	for _, brand := range before {
		require.True(t, rows[brand], "%s was acknowledged before the backup began", brand)
	}
	require.False(t, rows["after the backup"])
	outcomeOf(t, restored.reconcile(t, accounts[0].key, "restored"))
	require.Equal(t, http.StatusOK, restored.issueKey(t, token).status, "the secret that signed the session is there")
	require.Equal(t, `{"held":true,"status":"ok"}`, string(get(t, restored.url+"/readyz").body))
	busy := elsewhere.run(t, "restore", "--force", "milaan-backup.tar")
	require.Equal(t, 1, busy.code)
	require.Contains(t, busy.stderr, "stop it, and restore then")
	restored.stop(t)

	again := plain(t)
	again.shell(t, "cp '"+in.dir+"/after-a-kill.tar' milaan-backup.tar")
	again.shell(t, snippet(t, "restore"))
	require.True(t, again.stored(t)["after the backup"])
	t.Logf("%d runs before the backup, %d when it was done, %d in it", len(before), amid, len(rows))
}

// A backup that is killed at whatever moment leaves no file of its name or a whole one, and a restore that
// is killed leaves a folder in which a service refuses to start, or is the one that was backed up.
func TestKilledDuringBackupAndRestore(t *testing.T) {
	t.Parallel()
	in := plain(t)
	in.accounts(t, 3, -1)
	in.start(t).stop(t) // it makes the secret
	in.exec(t, "INSERT INTO service_facts (name, value) VALUES ('bulk', hex(randomblob(8000000)))")
	in.succeed(t, nil, "backup", "whole.tar")
	counts := map[string]int{}
	for i := range size(2, 20, 100) {
		in.killed(t, filepath.Join(in.dir, ".milaan-backup-*"), "backup", "killed.tar")
		if _, err := os.Stat(filepath.Join(in.dir, "killed.tar")); err == nil {
			counts["whole backups"]++
			to := plain(t)
			to.succeed(t, nil, "restore", filepath.Join(in.dir, "killed.tar"))
			require.NoError(t, os.Remove(filepath.Join(in.dir, "killed.tar")))
		} else {
			counts["no backup"]++
		}
		to := plain(t)
		if i%2 == 1 { // into a folder with data
			to.accounts(t, 1, -1)
			to.start(t).stop(t)
		}
		to.killed(t, filepath.Join(to.data, "milaan.db.restoring"), "restore", "--force", filepath.Join(in.dir, "whole.tar"))
		started := to.startOrRefuse(t)
		switch {
		case started == nil:
			counts["refused starts"]++
		case to.count(t, "SELECT COUNT(*) FROM accounts") == 3:
			require.Equal(t, `{"held":true,"status":"ok"}`, string(get(t, started.url+"/readyz").body))
			counts["restored"]++
		case i%2 == 1:
			require.Equal(t, 1, to.count(t, "SELECT COUNT(*) FROM accounts"), "what was there")
			counts["as before"]++
		default:
			_, err := os.Stat(filepath.Join(to.data, "milaan.db.restoring"))
			require.ErrorIs(t, err, fs.ErrNotExist)
			counts["not begun"]++
		}
		if started != nil {
			started.stop(t)
		}
		to.succeed(t, nil, "restore", "--force", filepath.Join(in.dir, "whole.tar"))
		require.Equal(t, 3, to.count(t, "SELECT COUNT(*) FROM accounts"))
		to.start(t).stop(t)
	}
	t.Log(counts)
}

// killed runs a command and kills it some time after there is a file of a name, if it has not ended by then.
func (in *installation) killed(t *testing.T, sign string, args ...string) {
	t.Helper()
	known, err := filepath.Glob(sign) // what earlier ones have left
	require.NoError(t, err)
	c := in.command(nil, args...)
	ended := startUntilCleanup(t, c)
	await(t, "the command to begin or to end", func() bool {
		now, _ := filepath.Glob(sign)
		select {
		case <-ended:
			return true
		default:
			return len(now) > len(known)
		}
	})
	time.Sleep(rand.N(100 * time.Millisecond))
	_ = c.Process.Kill()
	<-ended
}

// startOrRefuse starts the service; nil: it has refused, and said what to do.
func (in *installation) startOrRefuse(t *testing.T) *replica {
	t.Helper()
	r := in.launch(t)
	await(t, "the service to start or to end", func() bool {
		r.url = r.journal.address()
		select {
		case <-r.ended:
			return true
		default:
			return r.url != "" && r.probe(t, "/readyz") == http.StatusOK
		}
	})
	select {
	case <-r.ended:
		require.Regexp(t, "run milaan restore again|put the file back from your backup|was set up with another secret key", r.journal.text())
		return nil
	default:
		return r
	}
}

// The guide's commands for PostgreSQL take everything along, and the copy is held.
func TestBackingUpPostgreSQL(t *testing.T) {
	t.Parallel()
	onPostgreSQL(t, func(t *testing.T, in *installation) {
		accounts := in.accounts(t, 1, -1)
		r := in.start(t)
		outcomeOf(t, r.reconcile(t, accounts[0].key, "before"))
		for _, refused := range []string{"backup", "restore"} {
			got := in.run(t, refused, "file")
			require.Equal(t, 1, got.code)
			require.Contains(t, got.stderr, "milaan help backup has the command")
		}
		in.shell(t, snippet(t, "pg_dump"))
		r.stop(t)
		elsewhere := newInstallation(t, postgres.Database(t))
		elsewhere.secret = in.secret
		elsewhere.shell(t, "cp '"+in.dir+"/milaan.dump' .\n"+snippet(t, "pg_restore"))
		restored := elsewhere.start(t)
		require.True(t, elsewhere.stored(t)["before"])
		require.Equal(t, `{"held":true,"status":"ok"}`, string(get(t, restored.url+"/readyz").body))
		outcomeOf(t, restored.reconcile(t, accounts[0].key, "restored"))
		restored.stop(t)
	})
}
