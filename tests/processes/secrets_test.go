package processes_test

import (
	"bytes"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"milaan/domain"
	"milaan/tests/only"
)

// The whole way from one secret to another while the service runs: nobody is
// refused, every delivery is made, every result is there, and in the end the old
// secret opens nothing and is needed for nothing.
func TestTheSecretIsChangedWhileTheServiceRuns(t *testing.T) {
	t.Parallel()
	const email = "changing@shop.example"
	onPostgreSQL(t, func(t *testing.T, in *installation) {
		t.Parallel()
		former := in.secret
		fresh := randomHex()
		in.hide("the new secret key", fresh)
		keys := func(secrets ...string) string { return "MILAAN_SECRET_KEY=" + strings.Join(secrets, ",") }
		endpoint := newReceiver(t)
		accounts := in.accounts(t, size(40, 300, 1000), -1)
		endpoints := in.watch(t, endpoint, accounts...)
		instances := []*replica{in.start(t, toThisMachine), in.start(t, toThisMachine)}
		roll := func(secrets ...string) {
			t.Helper()
			for i, old := range instances {
				instances[i] = in.start(t, toThisMachine, keys(secrets...))
				old.stop(t)
			}
		}
		token := in.session(t, email, "pro")
		keyOf(t, instances[0].issueKey(t, token))
		kept := instances[0].submit(t, accounts[0], strings.NewReader(string(batchBody([]string{"kept"}))))
		step := 0
		// works shows that every instance opens what is sealed, and seals what all open.
		works := func() {
			t.Helper()
			for i, r := range instances {
				step++
				who := accounts[step%len(accounts)]
				run := r.reconcile(t, who.key, fmt.Sprint("step-", step))
				outcomeOf(t, run)
				id := run.header.Get("X-Run-Id")
				await(t, "the run's delivery", func() bool {
					for _, posts := range endpoint.seen() {
						for _, p := range posts {
							if bytes.Contains(p.body, []byte(id)) && summaryOf(t, p).RunID == id {
								require.Equal(t, signingSecret.Signature(p.body), p.header.Get(domain.SignatureHeader))
								return true
							}
						}
					}
					return false
				})
				batch := instances[1-i].submit(t, who, strings.NewReader(string(batchBody([]string{fmt.Sprint("batch-", step)}))))
				for _, b := range []struct{ key, id string }{{who.key, batch}, {accounts[0].key, kept}} {
					in.awaitBatch(t, b.id)
					status := r.report(t, b.key, b.id)
					require.Equal(t, "complete", status.Status)
					require.Empty(t, status.Results[0].Error)
				}
			}
		}
		refuses := func(words string, secrets ...string) {
			t.Helper()
			r := in.launch(t, keys(secrets...))
			require.Equal(t, 1, r.exitCode(t), r.journal.text())
			require.Contains(t, r.journal.text(), words)
		}

		works()
		roll(former, fresh)
		works()
		roll(fresh, former)
		works()
		require.Equal(t, http.StatusOK, instances[0].issueKey(t, token).status, "a token by the old secret is good as long as that is named")
		refuses("not among those of MILAAN_SECRET_KEY", former)
		refuses("not among those of MILAAN_SECRET_KEY", fresh)

		for i := range size(4, 20, 100) {
			c := in.command([]string{keys(fresh, former)}, "reseal")
			require.NoError(t, startTied(c))
			time.AfterFunc(time.Duration(20+i*23%120)*time.Millisecond, func() { _ = c.Process.Kill() })
			_ = c.Wait()
			if i%3 == 0 {
				works()
			}
		}
		done := in.succeed(t, []string{keys(fresh, former)}, "reseal")
		require.Contains(t, done, "Cannot be opened: 0.\nEvery other secret can be taken out of MILAAN_SECRET_KEY. Wait until 24 hours after the service began to seal with the first one")
		t.Log(done)
		require.Contains(t, in.succeed(t, []string{keys(fresh, former)}, "reseal"), "Sealed afresh: 0. ")
		works()
		roll(fresh)
		works()
		require.Equal(t, http.StatusUnauthorized, instances[0].issueKey(t, token).status)
		refuses("set up with another secret key", former)
		in.secret = fresh
		require.Equal(t, http.StatusOK, instances[0].issueKey(t, in.newSession(t, email)).status)
		for _, r := range instances {
			r.stop(t)
		}
		in.requireWebhooks(t, fresh, endpoints)
	})
}

// requireWebhooks opens every webhook with one secret, past the service.
func (in *installation) requireWebhooks(t *testing.T, secret string, endpoints map[string]string) {
	t.Helper()
	webhooks, done := in.webhooks(t, secret)
	defer done()
	for id, endpoint := range endpoints {
		w := only.Value(webhooks.Of(t.Context(), id))(t)
		require.Equal(t, endpoint, w.Endpoint)
		require.Equal(t, signingSecret, w.Secret)
	}
}

// Without the secret that is lost the service starts again, and what only that
// could open counts as absent.
func TestALostSecretIsGivenUp(t *testing.T) {
	t.Parallel()
	onSQLite(t, func(t *testing.T, in *installation) {
		t.Parallel()
		endpoint := newReceiver(t)
		a := in.accounts(t, 1, -1)[0]
		in.watch(t, endpoint, a)
		in.start(t).stop(t)
		in.secret = randomHex()
		in.hide("the new secret key", in.secret)
		r := in.launch(t)
		require.Equal(t, 1, r.exitCode(t))
		require.Contains(t, r.journal.text(), "milaan help secret says what to do")
		require.Equal(t, 1, in.run(t, "reseal").code)

		lost := in.succeed(t, nil, "reseal", "--lost")
		require.Contains(t, lost, "Sealed afresh: 0. Sealed with the first secret already: 0. Cannot be opened, and given up: 2.\n"+
			"The webhook of 1 account is among that: set it again with milaan webhook set.\n")
		r = in.start(t, toThisMachine)
		outcomeOf(t, r.reconcile(t, a.key, "after"))
		r.stop(t)
	})
}

// A data directory that was restored in part is refused with the remedy, and
// nothing in it is touched.
func TestARestoredFolderThatIsNotWhole(t *testing.T) {
	t.Parallel()
	in := newInstallation(t, "")
	const email = "restored@shop.example"
	in.secret = "" // generated
	token := in.session(t, email, "pro")
	r := in.start(t)
	key := keyOf(t, r.issueKey(t, token))
	r.stop(t)
	database, secret := filepath.Join(in.data, "milaan.db"), filepath.Join(in.data, "secret.key")
	whole := map[string][]byte{}
	for _, file := range []string{database, database + "-wal", database + "-shm"} {
		if data, err := os.ReadFile(file); err == nil {
			whole[file] = data
		}
	}
	lies := only.Value(os.ReadFile(secret))(t)
	in.hide("the generated secret", strings.TrimSpace(string(lies)))
	refuses := func(words ...string) {
		t.Helper()
		for range 2 {
			r := in.launch(t)
			require.Equal(t, 1, r.exitCode(t), r.journal.text())
			for _, w := range words {
				require.Contains(t, r.journal.text(), w)
			}
		}
	}

	for file := range whole {
		require.NoError(t, os.Remove(file))
	}
	require.NoError(t, os.WriteFile(database, nil, 0o600))
	refuses(database+" holds no tables", "restore milaan.db from the backup again", "delete milaan.db")
	require.Equal(t, 1, in.run(t, "account", "show", "--email", email).code, "nor do the commands make a new one")
	for file, data := range whole {
		require.NoError(t, os.WriteFile(file, data, 0o600))
	}

	require.NoError(t, os.Remove(secret))
	refuses(secret+" is missing", "put the file back from your backup", "MILAAN_SECRET_KEY is not set")
	require.NoFileExists(t, secret)
	require.Zero(t, in.run(t, "account", "show", "--email", email).code, "account commands need no secret")
	require.NoError(t, os.WriteFile(secret, lies, 0o600))

	r = in.start(t)
	outcomeOf(t, r.reconcile(t, key, "restored"))
	r.stop(t)

	require.NoError(t, os.Remove(secret))
	in.succeed(t, nil, "reseal", "--lost")
	r = in.start(t)
	outcomeOf(t, r.reconcile(t, key, "with a new secret"))
	require.Equal(t, http.StatusUnauthorized, r.issueKey(t, token).status, "sessions by the lost one are over")
	r.stop(t)
}

// A first start that is killed, at whatever moment, is taken up by the next one:
// with a secret that it makes itself, and beside one that was there before.
func TestAFirstStartThatIsKilledIsTakenUp(t *testing.T) {
	t.Parallel()
	for i := range size(6, 24, 300) {
		in := newInstallation(t, "")
		in.secret = ""
		if i%2 == 1 {
			require.NoError(t, os.Mkdir(in.data, 0o700))
			given := randomHex()
			in.hide("the secret that was there before", given)
			require.NoError(t, os.WriteFile(filepath.Join(in.data, "secret.key"), []byte(given), 0o600))
		}
		r := in.launch(t)
		time.Sleep(time.Duration(i*29%120) * time.Millisecond) // at another moment each time
		r.kill()
		r = in.start(t)
		require.Zero(t, in.run(t, "account", "create", "--email", fmt.Sprintf("first%d@shop.example", i), "--plan", "pro").code)
		r.stop(t)
		var names []string
		require.NoError(t, filepath.WalkDir(in.data, func(path string, _ fs.DirEntry, err error) error {
			names = append(names, filepath.Base(path))
			return err
		}))
		require.Contains(t, names, "secret.key")
		require.NotContains(t, names, "secret.key.proposed")
		require.NotContains(t, names, "milaan.db.making")
	}
}
