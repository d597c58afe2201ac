package backup

import (
	"archive/tar"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io"
	"os"
	"time"

	"milaan/adapters/storage/sqlite"
)

// The entries of an archive, in this order. The last one is written once the others are, so an archive
// that was cut off has none.
const (
	databaseEntry = "milaan.db"
	secretEntry   = "secret.key"
	contentsEntry = "backup.json"
)

// mostSmall is how many bytes the entries may have that are read into memory.
const mostSmall = 1 << 20

type contents struct {
	MadeAt   time.Time        `json:"made_at"`
	Version  string           `json:"version"` // of the program
	Schema   int64            `json:"schema"`
	Rows     map[string]int64 `json:"rows"` // of the main tables
	Database sum              `json:"database"`
	Secret   *sum             `json:"secret"` // null: there is none
}

type sum struct {
	Bytes  int64  `json:"bytes"`
	SHA256 string `json:"sha256"`
}

func (s sum) is(n int64, h hash.Hash) bool {
	return s.Bytes == n && s.SHA256 == hex.EncodeToString(h.Sum(nil))
}

// write writes an archive of a database file and a secret, nil for none.
func write(out io.Writer, c contents, database string, secret []byte) error {
	archive := tar.NewWriter(out)
	file, err := os.Open(database)
	if err != nil {
		return err
	}
	defer func() { _ = file.Close() }() // it was only read
	info, err := file.Stat()
	if err != nil {
		return err
	}
	if c.Database, err = add(archive, databaseEntry, c.MadeAt, file, info.Size()); err != nil {
		return err
	}
	if secret != nil {
		added, err := add(archive, secretEntry, c.MadeAt, bytes.NewReader(secret), int64(len(secret)))
		if err != nil {
			return err
		}
		c.Secret = &added
	}
	text, err := json.MarshalIndent(c, "", "  ")
	if err != nil {
		return err
	}
	if _, err := add(archive, contentsEntry, c.MadeAt, bytes.NewReader(text), int64(len(text))); err != nil {
		return err
	}
	return archive.Close()
}

func add(archive *tar.Writer, name string, at time.Time, from io.Reader, size int64) (sum, error) {
	if err := archive.WriteHeader(&tar.Header{Name: name, Mode: 0o600, Size: size, ModTime: at.Truncate(time.Second)}); err != nil {
		return sum{}, err
	}
	h := sha256.New()
	if _, err := io.Copy(io.MultiWriter(archive, h), from); err != nil {
		return sum{}, err
	}
	return sum{size, hex.EncodeToString(h.Sum(nil))}, nil
}

var errArchive = errors.New("it is not a whole backup of milaan backup, or was damaged on its way")

// read reads an archive to its end, writes its database to a writer, and compares everything with what
// the archive says of itself. It returns errArchive.
func read(ctx context.Context, file string, database io.Writer) (c contents, secret []byte, err error) {
	in, err := os.Open(file)
	if err != nil {
		return c, nil, err
	}
	defer func() { _ = in.Close() }() // it was only read
	archive := tar.NewReader(in)
	ofDatabase, ofSecret := sha256.New(), sha256.New()
	var size int64
	for _, name := range []string{databaseEntry, secretEntry, contentsEntry} {
		header, err := archive.Next()
		if err == nil && name == secretEntry && header.Name == contentsEntry {
			name = contentsEntry
		}
		if err != nil || header.Name != name || header.Typeflag != tar.TypeReg {
			return c, nil, unread(err)
		}
		switch name {
		case databaseEntry:
			size, err = io.Copy(io.MultiWriter(database, ofDatabase), untilCancelled{ctx, archive})
		case secretEntry:
			secret, err = io.ReadAll(io.LimitReader(archive, mostSmall))
			ofSecret.Write(secret)
		default:
			err = json.NewDecoder(io.LimitReader(archive, mostSmall)).Decode(&c)
		}
		if err != nil {
			return c, nil, unread(err)
		}
		if name == contentsEntry {
			break
		}
	}
	if !c.Database.is(size, ofDatabase) || (c.Secret != nil) != (secret != nil) ||
		secret != nil && !c.Secret.is(int64(len(secret)), ofSecret) {
		return c, nil, errArchive
	}
	return c, secret, nil
}

// unread passes on what is not the archive's own fault.
func unread(err error) error {
	if failed, ok := errors.AsType[*os.PathError](err); ok {
		return failed
	}
	if errors.Is(err, context.Canceled) {
		return err
	}
	return errArchive
}

// untilCancelled reads until its context ends: a database may be large.
type untilCancelled struct {
	ctx  context.Context
	from io.Reader
}

func (r untilCancelled) Read(p []byte) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	return r.from.Read(p)
}

func (c contents) agrees(found sqlite.Content) error {
	if found.Schema != c.Schema {
		return fmt.Errorf("%w: its schema has version %d and not %d", errArchive, found.Schema, c.Schema)
	}
	for table, n := range c.Rows {
		if found.Counts[table] != n {
			return fmt.Errorf("%w: %s has %d rows and not %d", errArchive, table, found.Counts[table], n)
		}
	}
	return nil
}
