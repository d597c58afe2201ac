package sqlite

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"os"
	"path/filepath"
	"strings"
	"time"

	"gorm.io/gorm"

	"milaan/adapters/storage/dialect"
)

// incremental is the value of PRAGMA auto_vacuum with which a database can give free pages
// back, and does so when it is told to.
const incremental = 2

const (
	// freePages is how many free pages the database keeps for its next rows (4 MiB), and
	// pagesReturned how many it gives back at once (1 MiB), while requests wait some 10 ms.
	freePages     = 1000
	pagesReturned = 250
	// longestLog is how many bytes the write-ahead log may keep. It grows with the largest
	// transaction: a batch has 25 MB.
	longestLog = 8 << 20
)

// spaceLeft counts the free pages and reads the mode of auto_vacuum. It reads tables and
// not pragmas: SQLite evaluates PRAGMA auto_vacuum while it compiles the statement, and a
// compiled statement is used many times.
const spaceLeft = "SELECT freelist_count, auto_vacuum FROM pragma_freelist_count, pragma_auto_vacuum"

// GiveBack returns the disk space that the database does not need any more to the file
// system. A database that has not been rebuilt keeps it. If a portion leaves as many free
// pages as before, because others free pages at the same time, GiveBack stops, and the next
// call goes on.
func (d *Database) GiveBack(ctx context.Context, read, write dialect.Runner) error {
	returned := false
	for before := int64(math.MaxInt64); ; {
		var left struct{ FreelistCount, AutoVacuum int64 }
		err := read(ctx, "count the free pages", func(db *gorm.DB) error { return db.Raw(spaceLeft).Scan(&left).Error })
		if err != nil {
			return err
		}
		if left.AutoVacuum != incremental || left.FreelistCount <= freePages || left.FreelistCount >= before {
			break
		}
		before = left.FreelistCount
		if err := write(ctx, "give disk space back", shrink); err != nil {
			return err
		}
		returned = true
	}
	if log, err := os.Stat(d.journal.path); returned || err == nil && log.Size() > longestLog {
		return write(ctx, "shorten the write-ahead log", shortenLog)
	}
	return nil
}

// ForgetDeleted shortens the write-ahead log, which has the pages as they were before.
func (d *Database) ForgetDeleted(ctx context.Context, write dialect.Runner) error {
	return write(ctx, "shorten the write-ahead log", shortenLog)
}

// shrink gives one portion back. The query returns an empty row for each page, and moves the
// page when the row is read. The file becomes shorter when the log is written into it.
func shrink(db *gorm.DB) error {
	rows, err := db.Raw(fmt.Sprintf("PRAGMA incremental_vacuum(%d)", pagesReturned)).Rows()
	if err != nil {
		return err
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
	}
	return rows.Err()
}

// shortenLog writes the whole log into the file. If a reader is in the way, SQLite writes a
// part, and the next call the rest.
func shortenLog(db *gorm.DB) error {
	var done struct{ Busy, Log, Checkpointed int64 }
	return db.Raw("PRAGMA wal_checkpoint(TRUNCATE)").Scan(&done).Error
}

// rebuild makes a database of an earlier version able to give disk space back. It is done
// once, and takes about half a minute for 2 GiB. No other process can use the database
// meanwhile, so it is not begun while another one has the database open. If so, or if it
// fails, for example for want of space, the database stays as it was, there is a warning,
// and the next start tries again.
func (w *writer) rebuild(ctx context.Context, path string, log *slog.Logger) error {
	var mode, pages, size, free int64
	for pragma, into := range map[string]*int64{"auto_vacuum": &mode, "page_count": &pages, "page_size": &size, "freelist_count": &free} {
		if err := w.conn.QueryRowContext(ctx, "PRAGMA "+pragma).Scan(into); err != nil {
			return err
		}
	}
	if mode == incremental || pages == 0 {
		return nil
	}
	needed := (pages - free) * size
	began := time.Now()
	err := w.checkAlone(ctx)
	if err == nil {
		log.InfoContext(ctx, "rebuilding the database once, so that it can give disk space back: this may take minutes",
			"database", path, "bytes", pages*size, "bytes_after", needed)
		err = w.vacuum(ctx, filepath.Dir(path))
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		log.WarnContext(ctx, "the database cannot be rebuilt and works on as it is, but gives no disk space back; the next start tries again: "+
			"it needs twice the space that is in use, and no other process of the service at the same time",
			"database", path, "bytes_needed", 2*needed, "error", err)
		return nil
	}
	log.InfoContext(ctx, "rebuilt the database", "took_ms", time.Since(began).Milliseconds())
	return nil
}

// checkAlone returns nil if no other process has the database open: only then can SQLite
// leave the mode of the write-ahead log, to which it returns at once. The pools are opened
// under a lock, which keeps other instances from opening the database in between.
func (w *writer) checkAlone(ctx context.Context) error {
	for _, wanted := range []string{"delete", "wal"} {
		var mode string
		if err := w.conn.QueryRowContext(ctx, "PRAGMA journal_mode = "+wanted).Scan(&mode); err != nil {
			return err
		}
		if mode != wanted {
			return fmt.Errorf("the journal mode is %s and cannot become %s", mode, wanted)
		}
	}
	return nil
}

// vacuum writes the database anew, through a temporary file in the same directory: the
// system's directory for temporary files may be small, or missing.
func (w *writer) vacuum(ctx context.Context, folder string) error {
	queries := []string{
		"PRAGMA temp_store_directory = '" + strings.ReplaceAll(folder, "'", "''") + "'",
		fmt.Sprintf("PRAGMA auto_vacuum = %d", incremental),
		"VACUUM",
		"PRAGMA wal_checkpoint(TRUNCATE)",
	}
	var failed error
	for _, query := range queries {
		if _, failed = w.conn.ExecContext(ctx, query); failed != nil {
			break
		}
	}
	_, err := w.conn.ExecContext(context.WithoutCancel(ctx), "PRAGMA temp_store_directory = ''")
	return errors.Join(failed, err)
}
