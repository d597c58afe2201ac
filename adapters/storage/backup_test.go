package storage_test

import (
	"archive/tar"
	"bytes"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"milaan/adapters/storage"
	"milaan/adapters/storage/backup"
	"milaan/adapters/storage/sqlite"
	"milaan/domain"
	"milaan/ports"
	"milaan/tests/only"
)

var now = time.Date(2026, time.March, 31, 6, 30, 0, 0, time.UTC)

const secretText = "c2VjcmV0\n"

// service is a data directory.
type service struct {
	dir     string
	backups *backup.Backups
}

func newService(t *testing.T, dir string) service {
	t.Helper()
	return service{dir, backup.New(settingsOf(dir), func() time.Time { return now })}
}

func settingsOf(dir string) backup.Settings {
	return backup.Settings{Dir: dir, Secret: filepath.Join(dir, "secret.key"), Version: "v1.0.0"}
}

func (s service) open(t *testing.T) *storage.Store {
	t.Helper()
	store := only.Value(storage.Open(t.Context(), storage.Settings{DataDir: s.dir}, slog.New(slog.DiscardHandler)))(t)
	t.Cleanup(func() { _ = store.Close() })
	return store
}

// withAccounts sets a service up; its store stays open, as by a service that runs.
func withAccounts(t *testing.T, n int) (service, *storage.Store) {
	t.Helper()
	s := newService(t, filepath.Join(t.TempDir(), "data # 1?%41"))
	store := s.open(t)
	for range n {
		addAccount(t, store)
	}
	require.NoError(t, os.WriteFile(filepath.Join(s.dir, "secret.key"), []byte(secretText), 0o600))
	return s, store
}

func addAccount(t *testing.T, store *storage.Store) {
	t.Helper()
	a := domain.Account{ID: uuid.NewString(), Email: uuid.NewString() + "@shop.example", Plan: domain.Pro, Subscription: domain.SubscriptionActive,
		SubscribedOn: domain.DayOf(now), PlanSince: domain.DayOf(now), BillingDay: 1, CreatedAt: now}
	require.NoError(t, storage.New[storage.Accounts](store, nil).Create(t.Context(), a))
}

func accounts(t *testing.T, store *storage.Store) (n int) {
	t.Helper()
	for _, err := range storage.NewWithJobs[storage.AllAccounts](store, nil, nil).List(t.Context(), ports.AccountFilter{}) {
		require.NoError(t, err)
		n++
	}
	return n
}

// What is in the database of a service that runs comes back elsewhere with the secret, held; what came
// after the backup does not.
func TestABackupComesBack(t *testing.T) {
	t.Parallel()
	s, store := withAccounts(t, 3)
	file := filepath.Join(t.TempDir(), "it's a backup.tar")
	made := only.Value(s.backups.Write(t.Context(), file, false))(t)
	addAccount(t, store)
	info := only.Value(os.Stat(file))(t)
	require.Equal(t, os.FileMode(0o600), info.Mode().Perm())
	require.Equal(t, info.Size(), made.Bytes)
	require.EqualValues(t, 3, made.Accounts)
	require.True(t, made.Secret)
	requireAlone(t, file)

	require.ErrorContains(t, only.Err(s.backups.Write(t.Context(), file, false)), "is there already: give another name, or add --force")
	require.NoError(t, only.Err(s.backups.Write(t.Context(), file, true)), "with force it is replaced")
	dir := filepath.Dir(file)
	require.EqualError(t, only.Err(s.backups.Write(t.Context(), dir, true)), dir+" is a folder: give the name of a file in it")
	nowhere := filepath.Join(dir, "nowhere")
	require.EqualError(t, only.Err(s.backups.Write(t.Context(), filepath.Join(nowhere, "a.tar"), false)),
		"there is no folder "+nowhere+" for the backup: make it, or give another name")
	inFile := only.Err(s.backups.Write(t.Context(), filepath.Join(file, "a.tar"), false))
	require.ErrorContains(t, inFile, file+": ")
	require.NotContains(t, inFile.Error(), ".milaan-backup-")

	elsewhere := newService(t, filepath.Join(t.TempDir(), "deep", "elsewhere"))
	done := only.Value(elsewhere.backups.Restore(t.Context(), file, false))(t)
	require.Empty(t, done.Kept)
	require.EqualValues(t, 4, done.Backup.Accounts)
	restored := elsewhere.open(t)
	require.Equal(t, 4, accounts(t, restored))
	since := only.Value(storage.NewHolds(restored).Held(t.Context()))(t)
	require.Equal(t, now, since)
	requireContent(t, filepath.Join(elsewhere.dir, "secret.key"), secretText)
	since = only.Value(storage.NewHolds(store).Held(t.Context()))(t)
	require.Zero(t, since, "the service that was backed up goes on")
}

func requireContent(t *testing.T, path, want string) {
	t.Helper()
	require.Equal(t, want, string(only.Value(os.ReadFile(path))(t)))
}

func requireAlone(t *testing.T, file string) {
	t.Helper()
	require.Len(t, only.Value(os.ReadDir(filepath.Dir(file)))(t), 1, "nothing is left beside it")
}

// A directory with data is left alone, and one that is used is with force too. With force, the data are
// kept beside the restored ones, whole.
func TestARestoreKeepsWhatWasThere(t *testing.T) {
	t.Parallel()
	s, store := withAccounts(t, 1)
	file := filepath.Join(t.TempDir(), "backup")
	require.NoError(t, only.Err(s.backups.Write(t.Context(), file, false)))
	addAccount(t, store)
	require.ErrorContains(t, only.Err(s.backups.Restore(t.Context(), file, false)), "has data already: set MILAAN_DATA_DIR to another directory, or add --force")
	require.ErrorContains(t, only.Err(s.backups.Restore(t.Context(), file, true)), "a service or a command uses")
	require.Equal(t, 2, accounts(t, store))
	require.NoFileExists(t, sqlite.Restoring(s.dir))

	require.NoError(t, store.Close())
	require.NoError(t, os.WriteFile(filepath.Join(s.dir, "secret.key"), []byte("another"), 0o600))
	done := only.Value(s.backups.Restore(t.Context(), file, true))(t)
	require.Len(t, done.Kept, 2)
	requireContent(t, done.Kept[1], "another")
	requireContent(t, filepath.Join(s.dir, "secret.key"), secretText)
	former := newService(t, t.TempDir())
	require.NoError(t, os.Rename(done.Kept[0], filepath.Join(former.dir, "milaan.db")))
	require.Equal(t, 2, accounts(t, former.open(t)))
	require.Equal(t, 1, accounts(t, s.open(t)))
}

// A second restore at the same moment would give what it keeps the names that the first one has given.
func TestARestoreReplacesNothingThatWasKept(t *testing.T) {
	t.Parallel()
	s, store := withAccounts(t, 2)
	file := filepath.Join(t.TempDir(), "backup")
	require.NoError(t, only.Err(s.backups.Write(t.Context(), file, false)))
	addAccount(t, store)
	require.NoError(t, store.Close())
	done := only.Value(s.backups.Restore(t.Context(), file, true))(t)
	require.ErrorIs(t, only.Err(s.backups.Restore(t.Context(), file, true)), fs.ErrExist)
	former := newService(t, t.TempDir())
	require.NoError(t, os.Rename(done.Kept[0], filepath.Join(former.dir, "milaan.db")))
	require.Equal(t, 3, accounts(t, former.open(t)))
	require.Equal(t, 2, accounts(t, s.open(t)))
}

// Of restores into one directory at the same time, one succeeds.
func TestOneRestoreAtATime(t *testing.T) {
	t.Parallel()
	s, _ := withAccounts(t, 1)
	file := filepath.Join(t.TempDir(), "backup")
	require.NoError(t, only.Err(s.backups.Write(t.Context(), file, false)))
	elsewhere := newService(t, t.TempDir())
	var wait sync.WaitGroup
	var succeeded atomic.Int64
	for range 2 {
		wait.Go(func() {
			switch _, err := elsewhere.backups.Restore(t.Context(), file, false); {
			case err == nil:
				succeeded.Add(1)
			default:
				assert.ErrorContains(t, err, "has data already")
			}
		})
	}
	wait.Wait()
	require.EqualValues(t, 1, succeeded.Load())
	restored := elsewhere.open(t)
	require.Equal(t, 1, accounts(t, restored))
	require.Equal(t, now, only.Value(storage.NewHolds(restored).Held(t.Context()))(t))
}

// A file that comes while a backup is written is not replaced.
func TestABackupReplacesNothingThatCameMeanwhile(t *testing.T) {
	t.Parallel()
	s, _ := withAccounts(t, 1)
	file := filepath.Join(t.TempDir(), "backup")
	backups := backup.New(settingsOf(s.dir), func() time.Time { // it is asked once the first look is over
		assert.NoError(t, os.WriteFile(file, []byte("another"), 0o600))
		return now
	})
	require.ErrorContains(t, only.Err(backups.Write(t.Context(), file, false)), "is there already")
	requireContent(t, file, "another")
	requireAlone(t, file)
}

// The secret of a backup is left in it where MILAAN_SECRET_KEY is set.
func TestASecretThatIsNotUsedIsSaid(t *testing.T) {
	t.Parallel()
	s, _ := withAccounts(t, 1)
	file := filepath.Join(t.TempDir(), "backup")
	require.NoError(t, only.Err(s.backups.Write(t.Context(), file, false)))
	for _, left := range []bool{true, false} {
		to := settingsOf(t.TempDir())
		if left {
			to.Secret = ""
		}
		done := only.Value(backup.New(to, func() time.Time { return now }).Restore(t.Context(), file, false))(t)
		require.Equal(t, left, done.SecretLeft)
	}
}

// A database that cannot be read is no reason to refuse: it may be why the backup is restored.
func TestARestoreTakesThePlaceOfADamagedDatabase(t *testing.T) {
	t.Parallel()
	s, store := withAccounts(t, 1)
	file := filepath.Join(t.TempDir(), "backup")
	require.NoError(t, only.Err(s.backups.Write(t.Context(), file, false)))
	require.NoError(t, store.Close())
	require.NoError(t, os.WriteFile(filepath.Join(s.dir, "milaan.db"), bytes.Repeat([]byte("damaged "), 1000), 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(s.dir, "milaan.db-wal"), []byte("of it"), 0o600))
	require.Error(t, only.Err(s.backups.Write(t.Context(), file+"2", false)))
	requireAlone(t, file)
	require.NotEmpty(t, only.Value(s.backups.Restore(t.Context(), file, true))(t).Kept)
	require.Equal(t, 1, accounts(t, s.open(t)))
}

// A file that is not whole is refused, wherever it was cut off or changed, and nothing is left of it.
func TestADamagedBackupIsRefused(t *testing.T) {
	t.Parallel()
	s, _ := withAccounts(t, 1)
	file := filepath.Join(t.TempDir(), "backup")
	require.NoError(t, only.Err(s.backups.Write(t.Context(), file, false)))
	whole := only.Value(os.ReadFile(file))(t)
	entries := entriesOf(t, whole)
	require.Equal(t, []string{"milaan.db", "secret.key", "backup.json"}, []string{entries[0].name, entries[1].name, entries[2].name})
	cases := map[string][]byte{"empty": {}, "another file": []byte(strings.Repeat("Name,Total\n", 1000)),
		"without the contents":   packed(t, entries[:2]...),
		"without the secret":     packed(t, entries[0], entries[2]),
		"in another order":       packed(t, entries[2], entries[1], entries[0]),
		"with another database":  packed(t, entry{entries[0].name, append(entries[0].text, 0)}, entries[1], entries[2]),
		"with another secret":    packed(t, entries[0], entry{entries[1].name, []byte("other")}, entries[2]),
		"with a path":            packed(t, entry{"../milaan.db", entries[0].text}, entries[1], entries[2]),
		"with other row counts":  packed(t, entries[0], entries[1], entry{entries[2].name, bytes.Replace(entries[2].text, []byte(`"accounts": 1`), []byte(`"accounts": 2`), 1)}),
		"with another schema":    packed(t, entries[0], entries[1], entry{entries[2].name, bytes.Replace(entries[2].text, []byte(`"schema": 2`), []byte(`"schema": 1`), 1)}),
		"with faulty contents":   packed(t, entries[0], entries[1], entry{entries[2].name, []byte("{")}),
		"with a bit that is off": flipped(whole, len(whole)/2),
	}
	for at := 1000; at < len(whole)-1024; at += len(whole) / 7 {
		cases["cut off at "+time.Duration(at).String()] = whole[:at]
	}
	for name, content := range cases {
		t.Run(name, func(t *testing.T) {
			damaged := filepath.Join(t.TempDir(), "damaged")
			require.NoError(t, os.WriteFile(damaged, content, 0o600))
			elsewhere := newService(t, filepath.Join(t.TempDir(), "data"))
			_, err := elsewhere.backups.Restore(t.Context(), damaged, false)
			require.ErrorContains(t, err, "cannot be restored: it is not a whole backup of milaan backup, or was damaged on its way")
			require.ErrorContains(t, err, "Nothing was changed; take another backup")
			left := only.Value(os.ReadDir(elsewhere.dir))(t)
			require.Len(t, left, 1)
			require.Equal(t, "milaan.db.migrating", left[0].Name(), "the lock")
		})
	}
	newer := packed(t, entries[0], entries[1], entry{entries[2].name, bytes.Replace(entries[2].text, []byte(`"schema": `), []byte(`"schema": 9`), 1)})
	require.NoError(t, os.WriteFile(file, newer, 0o600))
	_, err := newService(t, filepath.Join(t.TempDir(), "data")).backups.Restore(t.Context(), file, false)
	require.ErrorContains(t, err, "is of milaan v1.0.0, which is newer than this program")
}

type entry struct {
	name string
	text []byte
}

func entriesOf(t *testing.T, archive []byte) (all []entry) {
	t.Helper()
	in := tar.NewReader(bytes.NewReader(archive))
	for {
		h, err := in.Next()
		if err == io.EOF {
			return all
		}
		require.NoError(t, err)
		text := only.Value(io.ReadAll(in))(t)
		all = append(all, entry{h.Name, text})
	}
}

func packed(t *testing.T, entries ...entry) []byte {
	t.Helper()
	var b bytes.Buffer
	out := tar.NewWriter(&b)
	for _, e := range entries {
		require.NoError(t, out.WriteHeader(&tar.Header{Name: e.name, Mode: 0o600, Size: int64(len(e.text))}))
		require.NoError(t, only.Err(out.Write(e.text)))
	}
	require.NoError(t, out.Close())
	return b.Bytes()
}

func flipped(text []byte, at int) []byte {
	changed := bytes.Clone(text)
	changed[at] ^= 1
	return changed
}

// A directory in which a restore was cut off before the database had its place does not look like an
// empty service.
func TestACutOffRestoreDoesNotStartEmpty(t *testing.T) {
	t.Parallel()
	s, _ := withAccounts(t, 1)
	file := filepath.Join(t.TempDir(), "backup")
	require.NoError(t, only.Err(s.backups.Write(t.Context(), file, false)))
	elsewhere := newService(t, t.TempDir())
	require.NoError(t, os.WriteFile(sqlite.Restoring(elsewhere.dir), []byte("a part of it"), 0o600))
	journal := sqlite.Restoring(elsewhere.dir) + "-journal"
	require.NoError(t, os.WriteFile(journal, []byte("of that part"), 0o600))
	_, err := storage.Open(t.Context(), storage.Settings{DataDir: elsewhere.dir}, slog.New(slog.DiscardHandler))
	require.ErrorIs(t, err, sqlite.ErrRestoring)
	require.ErrorContains(t, err, "run milaan restore again; to begin with an empty database instead, delete ")
	require.NoError(t, only.Err(elsewhere.backups.Restore(t.Context(), file, false)))
	require.NoFileExists(t, journal, "SQLite would apply it to the next copy")
	require.Equal(t, 1, accounts(t, elsewhere.open(t)))
}

// What is asked for where it cannot be done says what to do instead.
func TestWhatCannotBeBackedUpSaysWhatToDo(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file := filepath.Join(dir, "backup")
	postgres := backup.New(backup.Settings{Dir: dir, PostgreSQL: true}, time.Now)
	require.ErrorContains(t, only.Err(postgres.Write(t.Context(), file, false)), "back it up with pg_dump; milaan help backup has the command")
	require.ErrorContains(t, only.Err(postgres.Restore(t.Context(), file, false)), "restore it with pg_restore, and run milaan hold")
	require.ErrorContains(t, only.Err(newService(t, filepath.Join(dir, "none")).backups.Write(t.Context(), file, false)), "set MILAAN_DATA_DIR as the service has it")
	require.NoDirExists(t, filepath.Join(dir, "none"))
	s, _ := withAccounts(t, 1)
	require.NoError(t, os.Remove(filepath.Join(s.dir, "secret.key")))
	require.ErrorContains(t, only.Err(s.backups.Write(t.Context(), file, false)), "read the secret, which is a part of the backup")
}

// What a killed backup has left is deleted a day later, and not that of another file or of one under way.
func TestWhatAKilledBackupHasLeftIsDeleted(t *testing.T) {
	t.Parallel()
	s, _ := withAccounts(t, 1)
	dir := t.TempDir()
	for name, age := range map[string]time.Duration{".milaan-backup-1": 25 * time.Hour, ".milaan-backup-2": time.Hour, "other.part-1": 25 * time.Hour} {
		path := filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(path, nil, 0o600))
		require.NoError(t, os.Chtimes(path, now.Add(-age), now.Add(-age)))
	}
	require.NoError(t, only.Err(s.backups.Write(t.Context(), filepath.Join(dir, "backup"), false)))
	require.NoFileExists(t, filepath.Join(dir, ".milaan-backup-1"))
	require.FileExists(t, filepath.Join(dir, ".milaan-backup-2"))
	require.FileExists(t, filepath.Join(dir, "other.part-1"))
}

// The data directory and the file may be named from the working directory, as by default.
func TestRelativeNames(t *testing.T) {
	s, _ := withAccounts(t, 1)
	t.Chdir(filepath.Dir(s.dir))
	require.NoError(t, only.Err(newService(t, filepath.Base(s.dir)).backups.Write(t.Context(), "backup.tar", false)))
	require.NoError(t, only.Err(newService(t, "elsewhere").backups.Restore(t.Context(), "backup.tar", false)))
	require.Equal(t, 1, accounts(t, newService(t, "elsewhere").open(t)))
}
