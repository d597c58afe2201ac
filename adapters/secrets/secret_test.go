package secrets

import (
	"bytes"
	"cmp"
	"context"
	"encoding/hex"
	"errors"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gofrs/flock"
	"github.com/stretchr/testify/require"
	"go.uber.org/fx"

	"milaan/config"
	"milaan/ports"
	"milaan/ports/peers"
	"milaan/tests/only"
)

var quiet = slog.New(slog.DiscardHandler)

func counting(from byte) []byte {
	b := make([]byte, 32)
	for i := range b {
		b[i] = from + byte(i)
	}
	return b
}

// loaded loads secrets, which must not fail.
func loaded(t *testing.T, settings config.Secrets, f *facts) *Secrets {
	t.Helper()
	return only.Value(Load(t.Context(), settings, f, quiet))(t)
}

func mode(t *testing.T, path string) fs.FileMode {
	t.Helper()
	return only.Value(os.Stat(path))(t).Mode().Perm()
}

func TestSubkeys(t *testing.T) {
	s := New(counting(0))
	require.Equal(t, s.Subkeys("a"), New(counting(0)).Subkeys("a"), "the same in all instances")
	require.NotEqual(t, s.Subkeys("a"), s.Subkeys("b"))
	require.NotEqual(t, s.Subkeys("a"), New(counting(1)).Subkeys("a"))
	key := s.Subkeys("session tokens")[0]
	require.Equal(t, "1586882f3104a1d36aaffce11cee570291b1543c327789d0d18994b2c795852a", hex.EncodeToString(key[:]), "a new program gives the old keys, or every session ends")
}

func TestPseudonyms(t *testing.T) {
	s := New(counting(0))
	require.Regexp(t, "^[0-9a-f]{32}$", s.Of("203.0.113.7"))
	require.Equal(t, "09723f474f1bfa491356fe0861337444", s.Of("203.0.113.7"), "a new program gives the old names")
	require.Equal(t, s.Of("203.0.113.7"), New(counting(0)).Of("203.0.113.7"))
	require.NotEqual(t, s.Of("203.0.113.7"), s.Of("203.0.113.8"))
	require.NotEqual(t, s.Of("203.0.113.7"), New(counting(1)).Of("203.0.113.7"), "meaningless without the secret")
}

func TestTheSettingsComeFirst(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	require.Equal(t, New(counting(0)), loaded(t, config.Secrets{Keys: config.SecretKeys{counting(0)}, DataDir: dir}, newFacts()))
	require.NoDirExists(t, dir)
}

func TestGeneratedSecretStaysAndIsPrivate(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "deep", "data")
	first := loaded(t, config.Secrets{DataDir: dir}, newFacts())
	require.Len(t, first.first().master, 32)
	require.Equal(t, fs.FileMode(0o700), mode(t, dir))
	require.Equal(t, fs.FileMode(0o600), mode(t, filepath.Join(dir, FileName)))
	require.Equal(t, []string{FileName}, entries(t, dir), "no drafts are left")

	require.Equal(t, first, loaded(t, config.Secrets{DataDir: dir}, newFacts()))
	require.NotEqual(t, first, loaded(t, config.Secrets{DataDir: t.TempDir()}, newFacts()))

	text := only.Value(os.ReadFile(filepath.Join(dir, FileName)))(t)
	settings, err := config.Load([]string{"MILAAN_SECRET_KEY=" + string(text)})
	require.NoError(t, err, "the file's content serves as MILAAN_SECRET_KEY of another instance")
	require.Equal(t, first, New(settings.Secrets.Keys...))
}

func TestInstancesThatStartAtOnceAgree(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	var wait sync.WaitGroup
	var secrets [32]*Secrets
	f := newFacts()
	start := make(chan struct{})
	for i := range secrets {
		wait.Go(func() {
			<-start
			secrets[i], _ = Load(t.Context(), config.Secrets{DataDir: dir}, f, quiet)
		})
	}
	close(start)
	wait.Wait()
	for _, s := range secrets {
		require.NotNil(t, s)
		require.Equal(t, secrets[0], s)
	}
	require.Equal(t, []string{FileName}, entries(t, dir))
}

// entries are what lies in a folder but for the lock, which stays and is empty.
func entries(t *testing.T, dir string) []string {
	t.Helper()
	found := only.Value(os.ReadDir(dir))(t)
	var names []string
	for _, entry := range found {
		if entry.Name() != FileName+lockSuffix {
			names = append(names, entry.Name())
		}
	}
	return names
}

func TestOfInstancesInTwoFoldersOneSetsTheDatabaseUp(t *testing.T) {
	f := newFacts()
	dirs := []string{t.TempDir(), t.TempDir(), t.TempDir(), t.TempDir()}
	faults := make([]error, len(dirs))
	var wait sync.WaitGroup
	for i, dir := range dirs {
		wait.Go(func() { _, faults[i] = Load(t.Context(), config.Secrets{DataDir: dir}, f, quiet) })
	}
	wait.Wait()
	accepted := 0
	for i, dir := range dirs {
		if faults[i] == nil {
			accepted++
			require.Equal(t, []string{FileName}, entries(t, dir))
			continue
		}
		require.ErrorIs(t, faults[i], errAbsent)
		require.ErrorContains(t, faults[i], filepath.Join(dir, FileName)+" is missing, and MILAAN_SECRET_KEY is not set")
		require.Empty(t, entries(t, dir), "a refused instance leaves nothing that would be refused again")
	}
	require.Equal(t, 1, accepted)
}

func TestAStartThatWasCutOffIsTakenUpAgain(t *testing.T) {
	dir, f := t.TempDir(), newFacts()
	settings := config.Secrets{DataDir: dir}
	f.fault = errors.New("database away")
	require.ErrorIs(t, only.Err(Load(t.Context(), settings, f, quiet)), f.fault)
	require.Empty(t, entries(t, dir))
	f.alterFault, f.fault = f.fault, nil
	require.ErrorIs(t, only.Err(Load(t.Context(), settings, f, quiet)), f.alterFault)
	require.Equal(t, []string{FileName + ".proposed"}, entries(t, dir))

	// Killed between the database's word and the file: only the claim is there.
	f.alterFault = nil
	proposal := only.Value(read(filepath.Join(dir, FileName+".proposed"), quiet))(t)
	require.NoError(t, NewAgreement(proposal, f).agree(t.Context(), false))
	require.Equal(t, proposal, loaded(t, settings, f))
	require.Equal(t, []string{FileName}, entries(t, dir))

	// Killed between the secret's link and the removal of the proposal.
	require.NoError(t, os.Link(filepath.Join(dir, FileName), filepath.Join(dir, FileName+".proposed")))
	require.Equal(t, proposal, loaded(t, settings, f))
	require.Equal(t, []string{FileName}, entries(t, dir))
}

// A proposal that another instance's success has outrun never takes its place.
func TestAnOldProposalIsNotUsed(t *testing.T) {
	dir, f := t.TempDir(), newFacts()
	settings := config.Secrets{DataDir: dir}
	s := loaded(t, settings, f)
	require.NoError(t, keep(filepath.Join(dir, FileName+".proposed"), counting(0)))
	require.Equal(t, s, loaded(t, settings, f))
}

func TestAFileThatOthersCanReadIsMadePrivate(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, FileName)
	require.NoError(t, os.WriteFile(path, []byte(hex.EncodeToString(counting(0))), 0o600))
	require.NoError(t, os.Chmod(path, 0o644))
	var log bytes.Buffer
	s := only.Value(Load(t.Context(), config.Secrets{DataDir: dir}, newFacts(), slog.New(slog.NewTextHandler(&log, nil))))(t)
	require.Equal(t, New(counting(0)), s)
	require.Equal(t, fs.FileMode(0o600), mode(t, path))
	require.Contains(t, log.String(), "could read the service's secret")
	require.NotContains(t, log.String(), hex.EncodeToString(counting(0)))
}

// An instance that cannot lock the folder proposes nothing, and says why.
func TestAFolderThatCannotBeLocked(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.Mkdir(filepath.Join(dir, FileName+lockSuffix), 0o700))
	_, err := Load(t.Context(), config.Secrets{DataDir: dir}, newFacts(), quiet)
	require.ErrorContains(t, err, "secret.key.lock cannot be locked")
	require.ErrorContains(t, err, "set MILAAN_SECRET_KEY to a key of your own")
	require.Empty(t, entries(t, dir))
}

// A file that another process holds is waited for, and then its secret is taken.
func TestAProposalIsWaitedFor(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		dir := t.TempDir()
		held := flock.New(filepath.Join(dir, FileName+lockSuffix))
		require.NoError(t, held.Lock())
		time.AfterFunc(lockTimeout/2, func() {
			_ = keep(filepath.Join(dir, FileName), counting(0))
			_ = held.Close()
		})
		require.Equal(t, New(counting(0)), loaded(t, config.Secrets{DataDir: dir}, newFacts()))
	})
}

func TestADamagedFileStopsTheStart(t *testing.T) {
	for name, text := range map[string]string{"empty": "", "cut off": hex.EncodeToString(counting(0))[:20], "words": "not a key at all"} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			require.NoError(t, os.WriteFile(filepath.Join(dir, FileName), []byte(text), 0o600))
			_, err := Load(t.Context(), config.Secrets{DataDir: dir}, newFacts(), quiet)
			require.ErrorContains(t, err, "secret.key is damaged")
			require.ErrorContains(t, err, "put it back from your backup")
			require.Equal(t, text, string(only.Value(os.ReadFile(filepath.Join(dir, FileName)))(t)), "it is not replaced")
		})
	}
}

func TestADataDirThatCannotBeMade(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(file, nil, 0o600))
	_, err := Load(t.Context(), config.Secrets{DataDir: filepath.Join(file, "data")}, newFacts(), quiet)
	require.ErrorContains(t, err, "set MILAAN_SECRET_KEY to a key of your own")
}

// facts is peers.Facts in memory.
type facts struct {
	mu         sync.Mutex
	stored     map[string]string
	fault      error // of every call
	alterFault error
}

func newFacts() *facts { return &facts{stored: map[string]string{}} }

func (f *facts) Find(_ context.Context, name string) (string, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.stored[name], f.fault
}

func (f *facts) Alter(_ context.Context, name string, change func(string) (string, error)) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if err := cmp.Or(f.fault, f.alterFault); err != nil {
		return err
	}
	next, err := change(f.stored[name])
	if err == nil {
		f.stored[name] = next
	}
	return err
}

func TestTheStartStopsOnADisagreement(t *testing.T) {
	f := newFacts()
	start := func(key []byte) error {
		return fx.New(Module(), fx.NopLogger,
			fx.Supply(config.Secrets{Keys: config.SecretKeys{key}}, quiet),
			fx.Provide(func() peers.Facts { return f }),
			fx.Invoke(func(ports.Pseudonyms) {})).Err()
	}
	require.NoError(t, start(counting(0)))
	require.ErrorIs(t, start(counting(1)), errOther)
}
