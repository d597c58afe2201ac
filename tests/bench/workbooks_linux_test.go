package bench

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// taken is what a command takes: seconds on the clock and of the processor, and bytes of memory at its peak.
type taken struct{ wall, cpu, peak float64 }

// measured names the variable that has the program and the files for TestSpentByCommand.
const measured = "MILAAN_TEST_MEASURED"

// TestSpentByCommand is a process of the benchmark below. What a process had in memory counts for the program that it starts,
// so a small one has to start it.
func TestSpentByCommand(t *testing.T) {
	program, files, is := strings.Cut(os.Getenv(measured), " ")
	if !is {
		t.Skip("the benchmark of commands runs it")
	}
	c := exec.CommandContext(t.Context(), program, "reconcile", "--json", files+".orders", files+".report")
	began := time.Now()
	require.NoError(t, c.Run())
	fmt.Println(time.Since(began).Seconds(), (c.ProcessState.UserTime() + c.ProcessState.SystemTime()).Seconds(),
		c.ProcessState.SysUsage().(*syscall.Rusage).Maxrss<<10)
}

// BenchmarkWorkbooksOfCommand compares a month by the command, whose files are workbooks, in turn with the same tables as CSV:
// how many times as long it takes, on the clock and of the processor, in the middle one of all rounds, and how many times
// the bytes of their text it has at its peak, with the program itself and with what it has of the files.
//
//	go test ./tests/bench -run '^$' -bench WorkbooksOfCommand -benchtime 10x
func BenchmarkWorkbooksOfCommand(b *testing.B) {
	folder := b.TempDir()
	program := filepath.Join(folder, "milaan")
	built, err := exec.CommandContext(b.Context(), "go", "build", "-o", program, "milaan").CombinedOutput()
	require.NoError(b, err, "%s", built)
	run := func(b *testing.B, name string) (took taken) {
		c := exec.CommandContext(b.Context(), os.Args[0], "-test.run", "^TestSpentByCommand$")
		c.Env = append(os.Environ(), measured+"="+program+" "+filepath.Join(folder, name))
		said, err := c.Output()
		require.NoError(b, err, "%s", said)
		_, err = fmt.Sscanf(string(said), "%g %g %g", &took.wall, &took.cpu, &took.peak)
		require.NoError(b, err, "%s", said)
		return took
	}
	write := func(name string, f Files) {
		require.NoError(b, os.WriteFile(filepath.Join(folder, name+".orders"), f.Orders, 0o600))
		require.NoError(b, os.WriteFile(filepath.Join(folder, name+".report"), f.Remittances, 0o600))
	}
	for _, full := range []bool{false, true} {
		text := Draw(25_000, full)
		write("csv", text)
		for _, kind := range workbookKinds {
			b.Run(label(25_000, full)+"/"+kind.name, func(b *testing.B) {
				book := text.asWorkbooks(kind.make)
				write("book", book)
				var walls, cpus, peaks []float64
				for b.Loop() {
					csv, workbook := run(b, "csv"), run(b, "book")
					walls, cpus = append(walls, workbook.wall/csv.wall), append(cpus, workbook.cpu/csv.cpu)
					peaks = append(peaks, workbook.peak/float64(len(text.Orders)+len(text.Remittances)))
				}
				b.ReportMetric(0, "ns/op")
				b.ReportMetric(middle(walls), "x-csv")
				b.ReportMetric(middle(cpus), "x-csv-cpu")
				b.ReportMetric(middle(peaks), "B/textbyte")
			})
		}
	}
}
