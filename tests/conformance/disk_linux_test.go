//go:build !race

// The disk of the suites is tested here, and not beside its package, because every further test
// binary that links SQLite takes a second.

package conformance_test

import (
	"database/sql"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/libtnb/sqlite"
	"github.com/stretchr/testify/require"

	"milaan/tests/only"
	"milaan/tests/powercut"
)

// With synchronous=FULL every commit survives; with NORMAL the last ones may be
// lost, and with OFF the database may be damaged: the disk does lose what was not
// synced.
func TestDiskLosesWhatWasNotSynced(t *testing.T) {
	lost := map[string]int{}
	damaged := map[string]int{}
	for _, level := range []string{"FULL", "NORMAL", "OFF"} {
		t.Run(level, func(t *testing.T) {
			chance := rand.New(rand.NewPCG(1, 2))
			folder := t.TempDir()
			require.NoError(t, os.WriteFile(filepath.Join(folder, "test.db"), nil, 0o600))
			disk := powercut.Watch(t, folder)
			db := openFacts(t, folder, "_pragma=journal_mode(WAL)&_pragma=wal_autocheckpoint(20)&_pragma=synchronous("+level+")")
			require.NoError(t, only.Err(db.Exec("CREATE TABLE facts (n INTEGER PRIMARY KEY, padding BLOB)")))
			const facts = 120
			moments := make([]int, facts)
			for n := range facts {
				require.NoError(t, only.Err(db.Exec("INSERT INTO facts VALUES (?, randomblob(2000))", n)))
				moments[n] = disk.Now()
			}
			require.NoError(t, db.Close())
			for n, moment := range moments {
				db := openFacts(t, disk.Cut(t, moment, chance), "")
				var found int
				var verdict string
				if db.QueryRow("PRAGMA integrity_check").Scan(&verdict) != nil || verdict != "ok" {
					damaged[level]++
				} else if err := db.QueryRow("SELECT COUNT(*) FROM facts WHERE n <= ?", n).Scan(&found); err != nil || found != n+1 {
					lost[level]++
				}
				require.NoError(t, db.Close())
			}
		})
	}
	t.Log("lost", lost, "damaged", damaged)
	require.Zero(t, lost["FULL"]+damaged["FULL"])
	require.Positive(t, lost["NORMAL"])
	require.Zero(t, damaged["NORMAL"])
	require.Positive(t, damaged["OFF"])
}

// A full disk refuses what would make a file longer, and takes the rest.
func TestDiskTakesNoMoreThanItsLimit(t *testing.T) {
	folder := t.TempDir()
	disk := powercut.Watch(t, folder)
	db := openFacts(t, folder, "_pragma=journal_mode(DELETE)")
	require.NoError(t, only.Err(db.Exec("CREATE TABLE facts (n INTEGER PRIMARY KEY, padding BLOB)")))
	disk.Limit(disk.Size() + 100_000)
	require.NoError(t, only.Err(db.Exec("INSERT INTO facts VALUES (1, zeroblob(10000))")))
	require.ErrorContains(t, only.Err(db.Exec("INSERT INTO facts VALUES (2, zeroblob(1000000))")), "disk is full")
	disk.Limit(0)
	require.NoError(t, only.Err(db.Exec("INSERT INTO facts VALUES (2, zeroblob(1000000))")))
	require.NoError(t, db.Close())
}

func openFacts(t *testing.T, folder, options string) *sql.DB {
	t.Helper()
	db := only.Value(sql.Open(sqlite.DriverName, fmt.Sprintf("file:%s?%s", filepath.Join(folder, "test.db"), options)))(t)
	db.SetMaxOpenConns(1)
	return db
}
