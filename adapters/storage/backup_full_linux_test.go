package storage_test

import (
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"milaan/tests/only"
)

// On a full disk a backup and a restore say which folder is full, whoever noticed: SQLite, which copies, or the system.
// Nothing that they wrote stays.
func TestABackupOnAFullDisk(t *testing.T) {
	s, _ := withAccounts(t, 1)
	file := filepath.Join(t.TempDir(), "backup")
	database := only.Value(s.backups.Write(t.Context(), file, false))(t).Bytes
	for _, size := range []int64{database / 2, database * 3 / 2} {
		small := t.TempDir()
		if err := syscall.Mount("tmpfs", small, "tmpfs", 0, fmt.Sprint("size=", size)); err != nil {
			t.Skipf("NOT TESTED ON A FULL DISK: a small file system cannot be mounted: %v", err)
		}
		t.Cleanup(func() { require.NoError(t, syscall.Unmount(small, syscall.MNT_DETACH)) })
		full := "the disk of " + small + " is full, and nothing is left of what was written: free some space there"
		require.ErrorContains(t, only.Err(s.backups.Write(t.Context(), filepath.Join(small, "b"), false)), full)
		require.Empty(t, only.Value(os.ReadDir(small))(t))
		if size < database {
			require.ErrorContains(t, only.Err(newService(t, small).backups.Restore(t.Context(), file, false)), full)
			require.NoFileExists(t, filepath.Join(small, "milaan.db.restoring"))
		}
	}
}
