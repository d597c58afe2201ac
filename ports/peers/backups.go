package peers

import (
	"context"
	"time"
)

// Backups copies the embedded database with its secret to a file, and back. Errors tell a person
// what to do.
type Backups interface {
	// Write writes a backup while the service may run, and reads it again. Until it is whole
	// there is no file of that name; one that is there is replaced only with force.
	Write(ctx context.Context, file string, force bool) (Backup, error)
	// Restore puts a backup into the data directory, held: what is started on it sends nothing. It
	// refuses a directory that has data; with force it keeps these under other names. It refuses
	// one that a process uses, and a file that is damaged or of a later version.
	Restore(ctx context.Context, file string, force bool) (Restored, error)
}

// Backup is what a file holds.
type Backup struct {
	MadeAt   time.Time
	Accounts int64
	Runs     int64
	Secret   bool  // secret.key is in it
	Bytes    int64 // of the file
}

// Restored is what a restore has done.
type Restored struct {
	Backup Backup
	Folder string
	Kept   []string // names of the files that were there before
	// SecretLeft says that the backup has a secret which was not restored, because MILAAN_SECRET_KEY is set.
	SecretLeft bool
}
