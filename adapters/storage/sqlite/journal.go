package sqlite

import (
	"fmt"
	"os"
	"sync"
	"sync/atomic"

	"milaan/domain"
)

// journal is the write-ahead log. SQLite writes it, and could sync it within each durable
// transaction; but then all others would wait for the disk. So the store syncs it, after the
// transaction: those that end while it is being synced are synced together, by the next sync.
// Meanwhile others see a change that a power cut may still take back. But what they store because
// of it is behind it in the log, and on the disk only with it.
type journal struct {
	path    string
	flush   func(*os.File) error
	changes atomic.Int64 // durable ones that are in the log

	mu     sync.Mutex // held during a sync
	file   *os.File   // nil before the first sync
	synced int64      // of the changes, those that are on the disk
	failed error      // of the first sync that failed
}

// sync returns when so many changes are on the disk. If they may not be, it returns
// domain.ErrUnsettled: they are stored, and only a power cut would take them back. After a sync
// that failed no other is tried: it may succeed though the disk lacks a part of the log, because a
// system reports once that it could not write. The log is copied into the database when the
// service stops.
func (j *journal) sync(changes int64) (err error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.synced >= changes {
		return nil
	}
	if j.file == nil {
		if j.file, err = os.OpenFile(j.path, os.O_RDWR, 0); err != nil {
			return unsynced(err)
		}
	}
	all := j.changes.Load()
	if j.failed == nil {
		j.failed = j.flush(j.file)
	}
	if j.failed != nil {
		return unsynced(j.failed)
	}
	j.synced = all
	return nil
}

// unsynced does not wrap the cause: the change must not be tried again.
func unsynced(cause error) error {
	return domain.ErrUnsettled.Caused(fmt.Errorf("sync the write-ahead log; stop the service and start it again: %v", cause))
}

// Close closes the file, which SQLite deletes when its last connection is closed.
func (j *journal) Close() error {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.file == nil {
		return nil
	}
	return j.file.Close()
}
