package bench

import (
	"bytes"
	"context"
	"io"
	"os"
	"runtime"
	"runtime/debug"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"milaan/adapters/table"
	"milaan/domain"
	"milaan/ports"
)

// The files of milaan reconcile may have more rows than the service takes: most
// is how many of them are measured, against as many as the service takes.
const (
	most       = 300_000
	timesFiles = 3 // as much as the files have is what a run allocates at most
)

// newOffline makes the engine of the command line, which takes any number of rows.
func newOffline() *engine { return newEngineOn(table.NewWithin(table.Settings{})) }

// reconcile runs files as a program of its own does: in memory that nobody has
// used before.
func (f Files) reconcile(out io.Writer) (orders int, err error) {
	offline := newOffline()
	outcome, err := offline.reconciling.Preview(context.Background(), ports.Request{Storefront: f.Orders, Courier: f.Remittances})
	if err != nil {
		return 0, err
	}
	defer outcome.Release()
	return outcome.Tally.Orders, offline.answers.Write(out, outcome, false)
}

// TestMemoryOfLargeFilesIsLinear counts the bytes that a run allocates, collected
// since or not, of a third of most rows, or of most with MILAAN_SOAK.
func TestMemoryOfLargeFilesIsLinear(t *testing.T) {
	allocated := func(f Files) float64 {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		orders, err := f.reconcile(io.Discard)
		runtime.ReadMemStats(&after)
		require.NoError(t, err)
		require.Greater(t, orders, 1000)
		return float64(after.TotalAlloc - before.TotalAlloc)
	}
	rows := most / 3
	if os.Getenv("MILAAN_SOAK") != "" {
		rows = most
	}
	few, many := Draw(domain.MaxRows, false), Draw(rows, false)
	bytesOfFew, bytesOfMany := allocated(few), allocated(many)
	files := float64(len(many.Orders) + len(many.Remittances))
	t.Logf("%d rows: %.0f MB; %d rows: %.0f MB, %.2f times the files", domain.MaxRows, bytesOfFew/1e6, rows, bytesOfMany/1e6, bytesOfMany/files)
	require.Less(t, bytesOfMany/bytesOfFew, 1.2*float64(rows/domain.MaxRows))
	require.Less(t, bytesOfMany/files, float64(timesFiles))
}

// TestLargeFilesAreReconciledWhole cuts the report of a large run in two, as the
// limit on rows used to advise: orders paid by the other half are disputed then.
func TestLargeFilesAreReconciledWhole(t *testing.T) {
	files := Draw(domain.MaxRows+10_000, false)
	flags := func(f Files) domain.FlagCounts {
		outcome, err := newOffline().reconciling.Preview(t.Context(), ports.Request{Storefront: f.Orders, Courier: f.Remittances})
		require.NoError(t, err)
		defer outcome.Release()
		return outcome.Tally.Flags
	}
	whole := flags(Files{bytes.Clone(files.Orders), bytes.Clone(files.Remittances)}) // reading may alter them
	half := len(files.Remittances) / 2
	for files.Remittances[half-1] != '\n' {
		half++
	}
	files.Remittances = files.Remittances[:half]
	part := flags(files)
	lost := func(f domain.FlagCounts) int { return f[domain.Missing] + f[domain.Overdue] }
	require.Less(t, lost(whole), lost(part)/2)
	require.Greater(t, whole[domain.Reconciled], part[domain.Reconciled])
}

// BenchmarkLarge prints how many times as long six times as many rows take, in
// turn in the same run and each at its best: 7 is the most that it should be, on a
// machine that does nothing else. No garbage is collected during a run, as on the
// command line, where a run ends before its heap is collected.
func BenchmarkLarge(b *testing.B) {
	few, many := Draw(domain.MaxRows, false), Draw(most, false)
	usual := debug.SetGCPercent(-1)
	b.Cleanup(func() { debug.SetGCPercent(usual) })
	var best [2]time.Duration
	for b.Loop() {
		for i, f := range []Files{few, many} {
			f = Files{bytes.Clone(f.Orders), bytes.Clone(f.Remittances)} // reading may alter them
			runtime.GC()
			began := time.Now()
			if _, err := f.reconcile(io.Discard); err != nil {
				b.Fatal(err)
			}
			if took := time.Since(began); best[i] == 0 || took < best[i] {
				best[i] = took
			}
		}
	}
	b.ReportMetric(float64(best[1])/float64(best[0]), "times")
}
