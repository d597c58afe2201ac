package processes_test

import (
	"context"
	"errors"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"milaan/tests/only"
	"milaan/tests/postgres"
)

var (
	quickstart = regexp.MustCompile(`(?s)<!-- (?:quickstart|month|documents|http|batch) -->(.*?)<!-- /(?:quickstart|month|documents|http|batch) -->`)
	shellBlock = regexp.MustCompile("(?ms)^```sh\n(.*?)^```")
	// standardAddress is where the service listens if it is not told otherwise.
	standardAddress = regexp.MustCompile(`\b(localhost|127\.0\.0\.1):8080\b`)
	// flaggedResult is one of an answer over HTTP that somebody must act on.
	flaggedResult = regexp.MustCompile(`"flag": ?"(MISSING|SHORT_PAID|OVERDUE|RTO_ANOMALY)"`)
)

// The quickstart of the README and the guide's month and batch, typed line by line into a fresh copy
// of the repository, end with flagged results and with documents. Nothing of it is altered
// but the port, which may be taken on this machine, and the line that compiles the program: in another
// folder Go compiles all of it again, so that is done with MILAAN_SOAK alone.
func TestQuickstart(t *testing.T) {
	t.Parallel()
	sections := quickstart.FindAllStringSubmatch(documentation(t), -1)
	require.Len(t, sections, 5, "README.md and the guide have a quickstart, month, documents, http and batch, each between <!-- quickstart --> and <!-- /quickstart --> and so on")
	var lines strings.Builder
	for _, section := range sections {
		for _, block := range shellBlock.FindAllStringSubmatch(section[1], -1) {
			lines.WriteString(block[1])
		}
	}
	require.NotZero(t, lines.Len(), "the quickstart has no sh block")
	for _, tool := range []string{"sh", "curl"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("NOT TESTED: %v", err)
		}
	}

	const compiling = "go build -o milaan .\n"
	script := lines.String()
	require.Contains(t, script, compiling)
	if !longAsked() {
		script = strings.ReplaceAll(script, compiling, "cp '"+binary+"' milaan\n")
	}
	began := time.Now()
	fresh := filepath.Join(t.TempDir(), "milaan")
	copyRepository(t, fresh)
	address := freeAddress(t)
	out, err := typed(t, fresh, address, standardAddress.ReplaceAllString(script, address))
	require.NoError(t, err, "the quickstart fails:\n%s\n%s", script, out)
	flags := map[string]int{}
	for _, result := range flaggedResult.FindAllStringSubmatch(out, -1) {
		flags[result[1]]++
	}
	require.NotEmpty(t, flags, "the quickstart ends without flagged results:\n%s", out)
	require.Contains(t, out, `"status":"complete"`, "the batch does not end:\n%s", out)
	require.Contains(t, out, `"state":"not_in_statement"`, "the request has a bank statement")
	require.Equal(t, 2, strings.Count(out, `"payouts":[{"report":1,"courier":"delhivery","utr":"INVUTR26031401","remitted_on":"2026-03-14","lines":`), "two requests include payouts")
	for _, document := range []string{"month.xlsx", "month.pdf", "served.pdf", "tables/payouts.csv", "disputes"} {
		require.NoError(t, only.Err(os.Stat(filepath.Join(fresh, "month", document))))
	}
	t.Logf("%d lines took %v and answered with %v", strings.Count(lines.String(), "\n"), time.Since(began).Round(time.Millisecond), flags)
}

// typed runs a script as somebody who has just cloned the repository would: in
// our environment, without settings of the service. The script ends at its
// first error. What it leaves running goes when we do, for a watcher in its
// process group waits for our end of a pipe to close.
func typed(t *testing.T, dir, address, script string) (string, error) {
	t.Helper()
	if runtime.GOOS != "linux" {
		t.Skip("NOT TESTED: a group of processes is tied to us on Linux only")
	}
	theirs, ours := only.Both(os.Pipe())(t)
	defer func() { _ = ours.Close() }()
	output := only.Value(os.Create(filepath.Join(t.TempDir(), "output")))(t)
	defer func() { _ = output.Close() }()
	shell := exec.Command("sh", "-c", "(read -r _ <&3; kill -KILL 0) &\nset -e\n"+script)
	shell.Dir, shell.ExtraFiles = dir, []*os.File{theirs}
	shell.Stdout, shell.Stderr = output, output // files: what is left running holds no pipe of ours
	for _, setting := range os.Environ() {
		if !strings.HasPrefix(setting, "MILAAN_") {
			shell.Env = append(shell.Env, setting)
		}
	}
	// What a debugger needs takes half of the time of linking, and nobody debugs here.
	shell.Env = append(shell.Env, "MILAAN_ADDR="+address, "GOFLAGS="+strings.TrimSpace(os.Getenv("GOFLAGS")+" -ldflags=-w"))
	err := startTied(shell)
	require.NoError(t, errors.Join(err, theirs.Close()))
	ctx, cancel := context.WithTimeout(t.Context(), 4*time.Minute)
	defer cancel()
	defer context.AfterFunc(ctx, func() { _ = ours.Close() })()
	failed := shell.Wait()
	text, err := os.ReadFile(output.Name())
	return string(text), errors.Join(failed, err)
}

// freeAddress is one that the README can be told beforehand.
func freeAddress(t *testing.T) string {
	t.Helper()
	return net.JoinHostPort("127.0.0.1", strconv.Itoa(only.Value(postgres.FreePort())(t)))
}

// copyRepository copies what belongs to the repository.
func copyRepository(t *testing.T, to string) {
	t.Helper()
	list := exec.Command("git", "-c", "safe.directory=*", "ls-files", "-z", "--cached", "--others", "--exclude-standard")
	list.Dir = root
	out, err := list.Output()
	if err != nil {
		require.NoError(t, os.CopyFS(to, os.DirFS(root))) // unpacked, not cloned
		return
	}
	for path := range strings.SplitSeq(strings.TrimSuffix(string(out), "\x00"), "\x00") {
		content, err := os.ReadFile(filepath.Join(root, path))
		if os.IsNotExist(err) {
			continue // deleted and not yet committed
		}
		require.NoError(t, err)
		require.NoError(t, os.MkdirAll(filepath.Dir(filepath.Join(to, path)), 0o700))
		require.NoError(t, os.WriteFile(filepath.Join(to, path), content, 0o600))
	}
}

// What the README and the guide show of a run is what the program prints: each line of the text,
// and each part of the answer, but for what is left out (…) and for where it is
// broken into lines.
func TestReadmeShowsWhatIsPrinted(t *testing.T) {
	t.Parallel()
	in := newInstallation(t, "")
	shown := documentation(t)
	export, report := samples(t)
	example := func(beginning string) string {
		block := regexp.MustCompile("(?s)\n```\n" + regexp.QuoteMeta(beginning) + "(.*?)```\n").FindStringSubmatch(shown)
		require.NotNil(t, block, "neither the README nor the guide has an example that begins with %s", beginning)
		return block[1]
	}

	showsLines(t, example("$ milaan reconcile payout.orders.csv payout.csv\n"), in.succeed(t, nil, "reconcile", export, report))
	orders, reports, bank := month(t)
	showsLines(t, example("$ milaan reconcile orders.csv delhivery-*.csv xpressbees-* --payouts --bank bank.csv\n"),
		in.succeed(t, nil, append(append([]string{"reconcile", orders}, reports...), "--payouts", "--bank", bank)...))

	dense := func(s string) string { return strings.Join(strings.Fields(s), "") }
	const beginning = `{"results":[`
	rest := dense(in.succeed(t, nil, "reconcile", "--json", export, report))
	for part := range strings.SplitSeq(beginning+example(beginning), "…") {
		part = dense(part)
		_, after, found := strings.Cut(rest, part)
		require.True(t, found, "README.md shows %s, which is not here:\n%s", part, rest)
		rest = after
	}
}

// showsLines holds that an example has lines of a text, in their order, but for what it
// leaves out (…).
func showsLines(t *testing.T, example, text string) {
	t.Helper()
	rest, left := "\n"+text, false // rows are left out before the line
	for line := range strings.Lines(example) {
		shown, cut := strings.CutSuffix(strings.TrimSuffix(line, "\n"), "…")
		if shown == "" && (cut || left) {
			left = true
			continue
		}
		shown = "\n" + shown
		if !cut {
			shown += "\n"
		}
		at := strings.Index(rest, shown)
		require.True(t, at == 0 || left && at > 0, "README.md shows %q, which does not come next in:%s", shown, rest)
		_, after, _ := strings.Cut(rest[at+1:], "\n")
		rest, left = "\n"+after, false
	}
}
