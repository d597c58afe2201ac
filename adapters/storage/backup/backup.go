// Package backup copies the embedded database and its secret to one file, and back. The file is a tar
// archive, so that an operator can take it apart without this program: milaan.db, secret.key unless the
// secret is in a setting, and backup.json, which says what they are.
package backup

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"milaan/adapters/storage"
	"milaan/adapters/storage/sqlite"
	"milaan/ports"
	"milaan/ports/peers"
)

// Settings say what is copied.
type Settings struct {
	// Dir is the data directory.
	Dir string
	// PostgreSQL says that the database is not embedded.
	PostgreSQL bool
	// Secret is the path of the generated secret; blank if the secret is in a setting.
	Secret string
	// Version is this program's.
	Version string
}

// Backups fills peers.Backups.
type Backups struct {
	settings Settings
	clock    ports.Clock
}

// New returns the backups of a data directory.
func New(s Settings, clock ports.Clock) *Backups { return &Backups{s, clock} }

var (
	errBackUpPostgreSQL = errors.New("MILAAN_DATABASE_URL is set, so the database is not embedded: back it up with pg_dump; " +
		"milaan help backup has the command")
	errRestorePostgreSQL = errors.New("MILAAN_DATABASE_URL is set, so the database is not embedded: restore it with pg_restore, and run " +
		"milaan hold; milaan help backup has the commands")
)

const (
	// partPrefix begins the names of what is being written, whatever the name of the backup: each
	// day may have its own. What a killed process has left of it is deleted after partSpan.
	partPrefix = ".milaan-backup-"
	partSpan   = 24 * time.Hour
)

// Write copies the database beside the file, packs the copy with the secret, and reads all of it again.
func (b *Backups) Write(ctx context.Context, file string, force bool) (_ peers.Backup, err error) {
	if b.settings.PostgreSQL {
		return peers.Backup{}, errBackUpPostgreSQL
	}
	if err := refuseThere(file, force); err != nil {
		return peers.Backup{}, err
	}
	if !sqlite.HasData(b.settings.Dir) {
		return peers.Backup{}, fmt.Errorf("there is no database in %s: set MILAAN_DATA_DIR as the service has it", b.settings.Dir)
	}
	b.forgetParts(file)
	defer func() { err = orFull(err, filepath.Dir(file)) }()
	var secret []byte
	if b.settings.Secret != "" {
		if secret, err = os.ReadFile(b.settings.Secret); err != nil {
			return peers.Backup{}, fmt.Errorf("read the secret, which is a part of the backup: %w", err)
		}
	}
	copied, err := newPart(file)
	if err != nil {
		return peers.Backup{}, err
	}
	defer func() { _ = os.Remove(copied.Name()) }()
	if err := copied.Close(); err != nil {
		return peers.Backup{}, err
	}
	c := contents{MadeAt: b.clock().UTC(), Version: b.settings.Version}
	found, err := sqlite.CopyTo(ctx, b.settings.Dir, copied.Name())
	if err != nil {
		return peers.Backup{}, err
	}
	c.Schema, c.Rows = found.Schema, found.Counts
	part, err := newPart(file)
	if err != nil {
		return peers.Backup{}, err
	}
	defer func() { _ = os.Remove(part.Name()) }() // once it has its name, this does nothing
	if err := errors.Join(write(part, c, copied.Name(), secret), part.Sync(), part.Close()); err != nil {
		return peers.Backup{}, fmt.Errorf("write the backup: %w", err)
	}
	if c, _, err = read(ctx, part.Name(), io.Discard); err != nil {
		return peers.Backup{}, fmt.Errorf("read the backup again: %w", err)
	}
	info, err := os.Stat(part.Name())
	if err != nil {
		return peers.Backup{}, err
	}
	if err := refuseThere(file, force); err != nil {
		return peers.Backup{}, err
	}
	if err := os.Rename(part.Name(), file); err != nil {
		return peers.Backup{}, err
	}
	sqlite.SyncDir(filepath.Dir(file))
	return told(c, info.Size()), nil
}

// orFull says in place of an error that the disk of a folder is full, if that is why.
func orFull(err error, dir string) error {
	if !sqlite.NoSpace(err) {
		return err
	}
	return fmt.Errorf("the disk of %s is full, and nothing is left of what was written: free some space there, "+
		"twice what the database has, or give another folder", dir)
}

func told(c contents, size int64) peers.Backup {
	return peers.Backup{MadeAt: c.MadeAt, Accounts: c.Rows["accounts"], Runs: c.Rows["runs"],
		Secret: c.Secret != nil, Bytes: size}
}

func refuseThere(file string, force bool) error {
	info, err := os.Lstat(file)
	switch {
	case err == nil && info.IsDir():
		return fmt.Errorf("%s is a folder: give the name of a file in it", file)
	case err != nil || force:
		return nil //nolint:nilerr // it is not there, or the write says what is wrong
	}
	return fmt.Errorf("%s is there already: give another name, or add --force to replace it", file)
}

// newPart makes a file beside the backup, for its owner only. Its errors name the folder.
func newPart(file string) (*os.File, error) {
	dir := filepath.Dir(file)
	part, err := os.CreateTemp(dir, partPrefix+"*")
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("there is no folder %s for the backup: make it, or give another name", dir)
	}
	if failed, ok := errors.AsType[*fs.PathError](err); ok {
		failed.Path = dir
	}
	return part, err
}

// forgetParts deletes what killed processes have left.
func (b *Backups) forgetParts(file string) {
	dir := filepath.Dir(file)
	entries, _ := os.ReadDir(dir) // if it cannot be read, the write says so
	for _, e := range entries {
		if !strings.HasPrefix(e.Name(), partPrefix) {
			continue
		}
		if info, err := e.Info(); err == nil && b.clock().Sub(info.ModTime()) > partSpan {
			_ = os.Remove(filepath.Join(dir, e.Name()))
		}
	}
}

// Restore writes and checks the copy beside the database before it changes anything. The database takes
// its place before the secret: a service that is started in between refuses to, because the two do not fit.
func (b *Backups) Restore(ctx context.Context, file string, force bool) (r peers.Restored, err error) {
	dir := b.settings.Dir
	if r.Folder = dir; b.settings.PostgreSQL {
		return r, errRestorePostgreSQL
	}
	info, err := os.Stat(file)
	if err != nil {
		return r, err
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return r, err
	}
	done := false
	unlock, err := sqlite.LockFolder(ctx, dir) // two restores at once would write to the same copy
	if err != nil {
		return r, err
	}
	defer func() { err = errors.Join(err, unlock(done)) }()
	secretThere := b.settings.Secret != "" && there(b.settings.Secret)
	if (sqlite.HasData(dir) || secretThere) && !force {
		return r, fmt.Errorf("%s has data already: set MILAAN_DATA_DIR to another directory, or add --force, which keeps them there under "+
			"other names", dir)
	}
	copied := sqlite.Restoring(dir)
	// A process that is killed leaves them, and a start says so. SQLite would take a journal for one of the new copy.
	if err := removeAll(copied+"-journal", copied); err != nil {
		return r, err
	}
	defer func() {
		if !done {
			_ = removeAll(copied+"-journal", copied)
		}
	}()
	c, secret, err := b.unpack(ctx, file, copied)
	if err != nil {
		return r, orFull(err, dir)
	}
	suffix := ".before-restore-" + b.clock().UTC().Format("20060102T150405.000000")
	r.Kept, err = sqlite.Replace(ctx, dir, suffix)
	if errors.Is(err, sqlite.ErrInUse) {
		return r, fmt.Errorf("a service or a command uses %s: stop it, and restore then", dir)
	}
	if err != nil {
		return r, err
	}
	done = true
	r.Backup = told(c, info.Size())
	if secret == nil || b.settings.Secret == "" {
		r.SecretLeft = secret != nil
		return r, nil
	}
	if former, err := os.ReadFile(b.settings.Secret); err == nil && bytes.Equal(former, secret) {
		return r, nil
	}
	if secretThere {
		if err := os.Rename(b.settings.Secret, b.settings.Secret+suffix); err != nil {
			return r, err
		}
		r.Kept = append(r.Kept, b.settings.Secret+suffix)
	}
	return r, keep(b.settings.Secret, secret)
}

// removeAll removes those of the files that are there.
func removeAll(files ...string) error {
	for _, file := range files {
		if err := os.Remove(file); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

func there(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// unpack writes the database of a backup to a file, checks it, and has it held.
func (b *Backups) unpack(ctx context.Context, file, copied string) (c contents, secret []byte, err error) {
	refused := func(err error) error {
		return fmt.Errorf("%s cannot be restored: %w. Nothing was changed; take another backup", file, err)
	}
	out, err := os.OpenFile(copied, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return c, nil, err
	}
	c, secret, err = read(ctx, file, out)
	if closed := out.Close(); err == nil {
		err = closed
	}
	if err != nil {
		return c, nil, refused(err)
	}
	newest, err := storage.Schema()
	if err != nil {
		return c, nil, err
	}
	if c.Schema > newest {
		return c, nil, fmt.Errorf("%s is of milaan %s, which is newer than this program: restore it with that version", file, c.Version)
	}
	found, err := sqlite.CheckCopy(ctx, copied)
	if err == nil {
		err = c.agrees(found)
	}
	if err != nil {
		return c, nil, refused(err)
	}
	return c, secret, sqlite.HoldCopy(ctx, copied, b.clock())
}

// keep writes a secret for its owner only, whole or not at all.
func keep(path string, secret []byte) error {
	part := path + ".restoring"
	if err := os.Remove(part); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	f, err := os.OpenFile(part, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(secret)
	if err := errors.Join(err, f.Sync(), f.Close()); err != nil {
		return err
	}
	if err := os.Rename(part, path); err != nil {
		return err
	}
	sqlite.SyncDir(filepath.Dir(path))
	return nil
}
