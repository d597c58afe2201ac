package processes_test

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/creack/pty"
	"github.com/stretchr/testify/require"
	"golang.org/x/term"

	"milaan/domain"
	"milaan/tests/only"
)

// screen is a pseudo terminal on which everything appears as it was written.
type screen struct {
	theirs *os.File
	shown  *journal
	ended  chan struct{} // closed once nothing can be written to it any more
}

func newScreen(t *testing.T, columns uint16) *screen {
	t.Helper()
	ours, theirs, err := pty.Open()
	if err != nil {
		t.Skipf("NOT TESTED: no pseudo terminal: %v", err)
	}
	require.NoError(t, only.Err(term.MakeRaw(int(theirs.Fd()))))
	require.NoError(t, pty.Setsize(theirs, &pty.Winsize{Rows: 24, Cols: columns}))
	s := &screen{theirs: theirs, shown: &journal{}, ended: make(chan struct{})}
	go func() {
		defer close(s.ended)
		_, _ = io.Copy(s.shown, ours) // ends with an error when nobody has the other side open
		_ = ours.Close()
	}()
	t.Cleanup(func() {
		_ = theirs.Close()
		<-s.ended
	})
	return s
}

// wait runs a command to its end, and returns its exit code once all that it wrote
// to the screen is there.
func (s *screen) wait(t *testing.T, c *exec.Cmd) int {
	t.Helper()
	waitFor(t, c, s.shown)
	require.NoError(t, s.theirs.Close())
	<-s.ended
	return c.ProcessState.ExitCode()
}

// on runs a command with its output on the screen and its errors on another one, and returns
// what is shown on either. With the errors is said that it works, whenever this machine takes
// more than a second for it.
func (s *screen) on(t *testing.T, in *installation, extra []string, args ...string) (shown, told string) {
	t.Helper()
	c, errors := in.command(extra, args...), newScreen(t, 500)
	c.Stdout, c.Stderr = s.theirs, errors.theirs
	require.NoError(t, startTied(c))
	code := s.wait(t, c)
	require.NoError(t, errors.theirs.Close())
	<-errors.ended
	require.Zero(t, code, errors.shown.text())
	return s.shown.text(), errors.shown.text()
}

// quietly is on for a command that has nothing to say beside its output, but that it works.
func (s *screen) quietly(t *testing.T, in *installation, extra []string, args ...string) string {
	t.Helper()
	shown, told := s.on(t, in, extra, args...)
	require.NotContains(t, told, "\n", "a line that stays")
	return shown
}

var sgr = regexp.MustCompile("\x1b\\[[0-9;]*m")

// samples are two files of the repository with every flag but few.
func samples(t *testing.T) (export, report string) {
	t.Helper()
	folder := only.Value(filepath.Abs(filepath.Join(root, "couriers", "testdata", "delhivery")))(t)
	return filepath.Join(folder, "payout.orders.csv"), filepath.Join(folder, "payout.csv")
}

// A terminal has colours and lines that fit; a pipe has neither, byte for byte.
func TestReconcileOnATerminal(t *testing.T) {
	t.Parallel()
	in := newInstallation(t, "")
	export, report := samples(t)
	capable := []string{"TERM=xterm-256color"}
	piped := in.runWith(t, capable, "reconcile", export, report)
	require.Zero(t, piped.code, piped.stderr)
	require.NotContains(t, piped.stdout, "\x1b")
	require.Empty(t, piped.stderr)

	wide := newScreen(t, 500).quietly(t, in, capable, "reconcile", export, report)
	require.Contains(t, wide, "\n\x1b[31mSHORT_PAID\x1b[0m")
	require.Contains(t, wide, "\n\x1b[32mRECONCILED\x1b[0m")
	require.Equal(t, piped.stdout, sgr.ReplaceAllString(wide, ""), "colours are all that is added")

	require.Equal(t, piped.stdout, newScreen(t, 500).quietly(t, in, []string{"TERM=xterm", "NO_COLOR=1"}, "reconcile", export, report))
	for line := range strings.Lines(newScreen(t, 80).quietly(t, in, []string{"NO_COLOR=1"}, "reconcile", export, report)) {
		require.LessOrEqual(t, len([]rune(strings.TrimRight(line, "\n"))), 80, "%q", line)
	}
}

// What takes more than a second says so on a terminal, and leaves nothing there.
func TestReconcileShowsThatItWorks(t *testing.T) {
	t.Parallel()
	in := newInstallation(t, "")
	export, report := samples(t)
	rows := only.Value(os.ReadFile(export))(t)
	want := in.run(t, "reconcile", export, report)

	slow := func(stderr io.Writer) (*exec.Cmd, io.WriteCloser, *bytes.Buffer) {
		c, stdout := in.command(nil, "reconcile", "-", report), new(bytes.Buffer)
		c.Stdout, c.Stderr = stdout, stderr
		stdin := only.Value(c.StdinPipe())(t)
		require.NoError(t, startTied(c))
		return c, stdin, stdout
	}
	s := newScreen(t, 100)
	onScreen, toScreen, stdout := slow(s.theirs)
	log := in.newJournal()
	onPipe, toPipe, stdoutOfPipe := slow(log)
	shown := regexp.MustCompile(`^Reading standard input and payout\.csv: [1-9]\d* s`) // 1 s, unless this machine is slow
	require.Eventually(t, func() bool { return shown.MatchString(s.shown.text()) }, waitLimit, 10*time.Millisecond)
	for _, stdin := range []io.WriteCloser{toScreen, toPipe} {
		require.NoError(t, only.Err(stdin.Write(rows)))
		require.NoError(t, stdin.Close())
	}
	require.Zero(t, s.wait(t, onScreen))
	lines := strings.Split(s.shown.text(), "\r")
	require.Empty(t, lines[len(lines)-1], "the cursor is back at the beginning")
	require.Equal(t, strings.Repeat(" ", len(lines[len(lines)-3])), lines[len(lines)-2], "and the line is blank")
	require.NoError(t, onPipe.Wait())
	require.Empty(t, log.text(), "nobody watches a pipe")
	require.Equal(t, strings.ReplaceAll(want.stdout, filepath.Base(export), "standard input"), stdout.String())
	require.Equal(t, stdout.String(), stdoutOfPipe.String())
}

// Both files have more rows than the service takes. The CSV that comes of them is
// read by encoding/csv and, with a header that is not Milaan's, as a report by the
// command itself: its AWBs are still whole.
func TestReconcileTakesAnyNumberOfRows(t *testing.T) {
	t.Parallel()
	in := newInstallation(t, "")
	const n = domain.MaxRows + 5000
	export, report := filepath.Join(in.dir, "export.csv"), filepath.Join(in.dir, "report.csv")
	var orders, lines bytes.Buffer
	orders.WriteString("Name,Created at,Fulfillment Status,Total,Tracking Number\n")
	lines.WriteString("AWB No,COD Amount,Remitted Amount,Remittance Date\n")
	for i := range n {
		awb, total := 14902602000001+i, 100+i%900
		fmt.Fprintf(&orders, "#%d,2026-02-01,fulfilled,%d,%d\n", i+1, total, awb)
		short := 0
		if i%100 == 99 {
			short = 50
		}
		fmt.Fprintf(&lines, "%d,%d,%d,10-02-2026\n", awb, total, total-short)
	}
	require.NoError(t, os.WriteFile(export, orders.Bytes(), 0o600))
	require.NoError(t, os.WriteFile(report, lines.Bytes(), 0o600))

	read := func(args ...string) [][]string {
		printed := in.succeed(t, nil, append([]string{"reconcile", "--csv"}, args...)...)
		text, marked := strings.CutPrefix(printed, "\ufeff")
		require.True(t, marked)
		records := only.Value(csv.NewReader(strings.NewReader(text)).ReadAll())(t)
		foreign := strings.Replace(printed, "flag_reason", "remark", 1)
		require.NoError(t, os.WriteFile(filepath.Join(in.dir, "result.csv"), []byte(foreign), 0o600))
		return records
	}
	all := read("--all", export, report)
	require.Len(t, all, 1+n)
	require.Equal(t, []string{`="14902602000001"`, "#1", "100", "100", "0", "0", "RECONCILED"}, all[1][:7])
	require.Equal(t, []string{"2026-02-01", "2026-02-08", "2026-02-10", "", "", "report.csv"}, all[1][10:])

	again := read("--all", "--column", "awb=awb", "--column", "remitted_amount=remitted", export, filepath.Join(in.dir, "result.csv"))
	for i, record := range again {
		require.Equal(t, all[i][:7], record[:7])
	}
}
