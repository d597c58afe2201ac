package processes_test

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"milaan/tests/only"
)

// begun is a command that a test has not let end yet.
type begun struct {
	process *exec.Cmd
	stderr  *journal
	ended   chan struct{}
}

// begin starts a command with the standard input and output that it is given.
func (in *installation) begin(t *testing.T, stdin io.Reader, stdout io.Writer, args ...string) *begun {
	t.Helper()
	b := &begun{process: in.command(nil, args...), stderr: in.newJournal()}
	b.process.Stdin, b.process.Stdout, b.process.Stderr = stdin, stdout, b.stderr
	b.ended = startUntilCleanup(t, b.process)
	return b
}

// diesOf holds that one signal ends a process, which is what makes a shell say
// 128 and the signal's number: 130 after Ctrl-C, 143 after SIGTERM.
func diesOf(t *testing.T, process *exec.Cmd, ended <-chan struct{}, s syscall.Signal) {
	t.Helper()
	require.NoError(t, process.Process.Signal(s))
	select {
	case <-ended:
	case <-time.After(waitLimit):
		t.Fatalf("%v does not end the process", s)
	}
	status := process.ProcessState.Sys().(syscall.WaitStatus)
	require.True(t, status.Signaled(), "it exits with %d", status.ExitStatus())
	require.Equal(t, s, status.Signal())
}

// endings are Ctrl-C and what a supervisor sends.
func endings(t *testing.T) []syscall.Signal {
	if signal.Ignored(os.Interrupt) {
		t.Log("NOT TESTED: Ctrl-C, for whoever started the tests has them ignore it, and so do the processes that they start")
		return []syscall.Signal{syscall.SIGTERM}
	}
	return []syscall.Signal{syscall.SIGINT, syscall.SIGTERM}
}

// inTurn is one of them for a command, and the other for the next one: each takes both in the same way.
func inTurn(t *testing.T, i int) syscall.Signal {
	all := endings(t)
	return all[i%len(all)]
}

// longFiles writes two files that make an output which no pipe holds, and
// returns their paths.
func longFiles(t *testing.T) (ordersPath, remittancePath string) {
	t.Helper()
	export, report := &strings.Builder{}, &strings.Builder{}
	header, _, _ := strings.Cut(orders, "\n")
	fmt.Fprintln(export, header)
	fmt.Fprintln(report, "AWB No,COD Amount,Remitted Amount,Remittance Date")
	for i := range 5_000 {
		fmt.Fprintf(export, "#%d,,2026-02-03 11:22:33 +0530,2026-02-04 09:00:00 +0530,pending,fulfilled,Cash on Delivery (COD),1899.00,1904120%07d\n", i, i)
		fmt.Fprintf(report, "1904120%07d,1899.00,1799.00,10-02-2026\n", i)
	}
	dir := t.TempDir()
	ordersPath, remittancePath = filepath.Join(dir, "orders.csv"), filepath.Join(dir, "remittance.csv")
	require.NoError(t, os.WriteFile(ordersPath, []byte(export.String()), 0o600))
	require.NoError(t, os.WriteFile(remittancePath, []byte(report.String()), 0o600))
	return ordersPath, remittancePath
}

// A command that reads standard input ends at the first signal and prints
// nothing of what it has not finished.
func TestASignalEndsACommandThatReadsStandardInput(t *testing.T) {
	t.Parallel()
	ordersPath, remittancePath := longFiles(t)
	half := only.Value(os.ReadFile(remittancePath))(t)
	half = half[:len(half)/2]
	require.Greater(t, len(half), 64<<10, "more than a pipe holds, so that whoever has written it knows that it is being read")
	for i, args := range [][]string{
		{"couriers", "-"},
		{"request", "-", remittancePath}, {"request", ordersPath, "-"},
		{"reconcile", "-", remittancePath}, {"reconcile", ordersPath, "-"}, {"reconcile", ordersPath, "-", "--json"},
	} {
		s := inTurn(t, i)
		t.Run(strings.ReplaceAll(args[0]+" "+filepath.Base(args[1])+" "+s.String(), " ", "_"), func(t *testing.T) {
			t.Parallel()
			in := newInstallation(t, "")
			stdin, ours := only.Both(os.Pipe())(t)
			defer func() { _ = ours.Close() }()
			var stdout bytes.Buffer
			command := in.begin(t, stdin, &stdout, args...)
			require.NoError(t, stdin.Close())
			require.NoError(t, only.Err(ours.Write(half)))
			diesOf(t, command.process, command.ended, s)
			require.Empty(t, stdout.String())
			require.Empty(t, command.stderr.text())
		})
	}
}

// So does one whose reader takes nothing any more.
func TestASignalEndsACommandThatNobodyReads(t *testing.T) {
	t.Parallel()
	ordersPath, remittancePath := longFiles(t)
	for i, args := range [][]string{
		{"reconcile", ordersPath, remittancePath, "--csv"}, {"reconcile", ordersPath, remittancePath, "--json"},
		{"reconcile", ordersPath, remittancePath}, {"request", ordersPath, remittancePath},
	} {
		s := inTurn(t, i)
		t.Run(strings.ReplaceAll(args[0]+" "+args[len(args)-1][:2]+" "+s.String(), " ", "_"), func(t *testing.T) {
			t.Parallel()
			in := newInstallation(t, "")
			ours, stdout := only.Both(os.Pipe())(t)
			defer func() { _ = ours.Close() }()
			command := in.begin(t, nil, stdout, args...)
			require.NoError(t, stdout.Close())
			require.NoError(t, only.Err(bufio.NewReaderSize(ours, 16).ReadByte()), "it writes")
			diesOf(t, command.process, command.ended, s)
		})
	}
}

// The service ends in order at the first signal, and at once at the second one,
// whatever it still waits for: nothing that it has promised is lost by that.
func TestASecondSignalEndsTheServiceAtOnce(t *testing.T) {
	t.Parallel()
	for _, s := range endings(t) {
		t.Run(s.String(), func(t *testing.T) {
			t.Parallel()
			in := newInstallation(t, "")
			account := in.accounts(t, 1, -1)[0]
			r := in.start(t, "MILAAN_DRAIN_TIMEOUT=10m")
			held := r.hold(t, account.key, "in flight")
			r.signal(syscall.SIGTERM)
			await(t, "new connections to be refused", func() bool { return r.refusesConnections(t) })
			diesOf(t, r.process, r.ended, s)
			go held.rest()
			require.Error(t, (<-held.answer).err)
		})
	}
}
