package cli

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"milaan/domain"
	"milaan/ports"
)

// TestReportsAndTheirCouriers holds what FILE:courier means where paths have colons, too.
func TestReportsAndTheirCouriers(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, name := range []string{"a.csv", "b.csv", "b.csv:delhivery", "c:delhivery", "10:30.csv", "C"} {
		require.NoError(t, os.WriteFile(name, nil, 0o600))
	}
	for arg, want := range map[string]reportFile{
		"a.csv":                  {path: "a.csv"},
		"a.csv:delhivery":        {path: "a.csv", courier: "delhivery"},
		"a.csv:Delhivery":        {path: "a.csv", courier: "Delhivery"},
		"a.csv:custom":           {path: "a.csv", courier: "custom"},
		"b.csv:delhivery":        {path: "b.csv", courier: "delhivery"}, // both files are there
		"./b.csv:delhivery":      {path: "./b.csv", courier: "delhivery"},
		"c:delhivery":            {path: "c:delhivery"},
		"away.csv:delhivery":     {path: "away.csv", courier: "delhivery"}, // so that the message names the file
		"10:30.csv":              {path: "10:30.csv"},
		"10:30.csv:delhivery":    {path: "10:30.csv", courier: "delhivery"},
		"-":                      {path: "-"},
		"-:delhivery":            {path: "-", courier: "delhivery"},
		`C:\reports\payout.csv`:  {path: `C:\reports\payout.csv`, courier: ""},
		":delhivery":             {path: ":delhivery"},
		"away:there/payout.csv":  {path: "away:there/payout.csv"},
		"C:payout.csv:delhivery": {path: "C:payout.csv", courier: "delhivery"},
	} {
		if strings.HasPrefix(arg, `C:\`) {
			require.NoError(t, os.Remove("C")) // else what follows looks like a mistyped courier
		}
		path, courier, err := splitCourier(arg, catalogue{})
		require.NoError(t, err, arg)
		require.Equal(t, want, reportFile{path: path, courier: courier}, arg)
	}
	_, _, err := splitCourier("a.csv:delhivry", catalogue{})
	require.Equal(t, usageError{`there is no file "a.csv:delhivry", and "delhivry" is no courier; milaan couriers lists the couriers`}, err)
}

// The shells of Windows hand patterns to programs as they are.
func TestPatternsStandForTheirFiles(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, name := range []string{"orders.csv", "week 2.csv", "week 1.csv", "week [3].csv"} {
		require.NoError(t, os.WriteFile(name, nil, 0o600))
	}
	in, err := (&inputFlags{}).inputs([]string{"orders.csv", "week ?.csv", "week [3].csv", "away*.csv", "-"}, catalogue{})
	require.NoError(t, err)
	require.Equal(t, []string{"orders.csv", "week 1.csv", "week 2.csv", "week [3].csv", "away*.csv", "-"}, in.paths())
	require.NoError(t, exportAndReports(nil, []string{"*.csv"}))
	require.ErrorContains(t, exportAndReports(nil, []string{"orders.*"}), "1 file given")
}

// TestSeveralReportsAreOneRequest holds which report gets which courier and columns, and
// that one report alone is asked for as the contract has it.
func TestSeveralReportsAreOneRequest(t *testing.T) {
	folder := t.TempDir()
	path := func(name string) string {
		p := filepath.Join(folder, name)
		require.NoError(t, os.WriteFile(p, []byte("text of "+name), 0o600))
		return p
	}
	orders, first, second, third, bank := path("orders.csv"), path("first.csv"), path("second=2.csv"), path("third.csv"), path("bank.csv")
	p := &previews{build: someOrders}
	got := run(p.deps(), "reconcile", orders, first+":delhivery", second, third+":custom", "--bank", bank, "--sheet", "May", "--sheet", "Orders",
		"--column", "awb=Docket", "--column", second+":awb=AWB = No", "--column", second+":utr=Ref", "--column", second+":charges=Octroi", "--column", second+":charges=Fee=2", "--json")
	require.Zero(t, got.code, got.stderr)
	require.Equal(t, "text of orders.csv", string(p.asked.Storefront))
	require.Nil(t, p.asked.Courier)
	require.Empty(t, p.asked.CourierName)
	require.Equal(t, []ports.Report{
		{Courier: []byte("text of first.csv"), CourierName: "delhivery"},
		{Courier: []byte("text of second=2.csv"), CourierName: "custom", Columns: map[string]string{"awb": "AWB = No", "utr": "Ref", "charges": domain.JoinColumns([]string{"Octroi", "Fee=2"})}},
		{Courier: []byte("text of third.csv"), CourierName: "custom", Columns: map[string]string{"awb": "Docket"}},
	}, p.asked.Reports)
	require.Equal(t, "text of bank.csv", string(p.asked.Statement))
	require.True(t, p.asked.Workbooks)
	require.Equal(t, []string{"May", "Orders"}, p.asked.Sheets)
	require.Zero(t, p.asked.Include, "the answer is the contract's")

	run(p.deps(), "reconcile", orders, first, second+":delhivery", "--courier", "custom", "--json", "--include", "lines,orders", "--unclaimed")
	require.Equal(t, []string{"custom", "delhivery"}, []string{p.asked.Reports[0].CourierName, p.asked.Reports[1].CourierName})
	require.Equal(t, domain.IncludeLines|domain.IncludeOrders|domain.IncludeUnclaimed, p.asked.Include)

	run(p.deps(), "reconcile", orders, first+":delhivery", "--column", first+":awb=Docket")
	require.Nil(t, p.asked.Reports)
	require.Equal(t, "text of first.csv", string(p.asked.Courier))
	require.Equal(t, "delhivery", p.asked.CourierName, "whether it may is for the service to say")
	require.Equal(t, map[string]string{"awb": "Docket"}, p.asked.Columns)
	require.Nil(t, p.asked.Statement)
}

// TestErrorsNameTheReport holds that an error of one of several reports names that file.
func TestErrorsNameTheReport(t *testing.T) {
	orders, first := files(t)
	second := writeFile(t, "second\x1b.csv", "lines")
	shown := strings.ReplaceAll(second, "\x1b", "·")
	args := []string{"reconcile", orders, first, second}
	p := &previews{err: &domain.FileError{File: domain.CourierFile, Report: 2, Rule: domain.RuleAmount, Line: 3}}
	got := run(p.deps(), args...)
	require.Equal(t, ran{code: ExitFailed, stderr: "milaan: " + shown + ", line 3: is not an amount; write it like 1299.50\n"}, got)
	p.err = &domain.FileError{File: domain.StatementFile, Rule: domain.RuleEmpty}
	got = run(p.deps(), append(args, "--bank", first)...)
	require.Contains(t, got.stderr, "milaan: "+first+": is empty")

	p = &previews{check: domain.Faults{{Field: domain.FieldColumns, Rule: domain.RuleCustom, Report: 2}}}
	run(p.deps(), args...).refused(t, ExitUsage, "milaan: --column role=Header of "+shown+" is accepted only with")

	p = &previews{build: someOrders}
	got = run(p.deps(), "reconcile", orders, first, second+".away", filepath.Dir(second))
	got.refused(t, ExitFailed, ".away: no such file")
	require.Zero(t, p.released)
	got = run(p.deps(), "reconcile", orders, first, "--bank", filepath.Dir(second))
	require.Contains(t, got.stderr, "is a folder; give a file")
}

// TestTheSameFileTwice holds that it is read twice: what its lines say the second time
// counts once, as of any two reports.
func TestTheSameFileTwice(t *testing.T) {
	orders, first := files(t)
	p := &previews{build: someOrders}
	require.Zero(t, run(p.deps(), "reconcile", orders, first, first).code)
	require.Len(t, p.asked.Reports, 2)
	one, two := p.asked.Reports[0].Courier, p.asked.Reports[1].Courier
	require.Equal(t, one, two)
	require.NotSame(t, &one[0], &two[0], "reading may alter them in place")
}

func TestUnreadableFiles(t *testing.T) {
	if os.Geteuid() == 0 {
		t.Skip("NOT TESTED: root reads everything")
	}
	orders, first := files(t)
	require.NoError(t, os.Chmod(filepath.Dir(first), 0))
	t.Cleanup(func() { require.NoError(t, os.Chmod(filepath.Dir(first), 0o700)) })
	got := run((&previews{build: someOrders}).deps(), "reconcile", orders, first+":delhivery", orders)
	got.refused(t, ExitFailed, "milaan: "+first+": the user who runs milaan may not open or make it")
}

// TestErrorsOfTheSystem holds that none of them says in Go's words what was being done.
func TestErrorsOfTheSystem(t *testing.T) {
	of := func(op string, err error) error { return &fs.PathError{Op: op, Path: "a\x1b.csv", Err: err} }
	rename := &os.LinkError{Op: "rename", Old: ".b.csv.1", New: "b.csv", Err: syscall.EACCES}
	for want, err := range map[string]error{
		"a·.csv: no such file or folder; check the name":                    of("stat", fs.ErrNotExist),
		"a·.csv: is a folder; give a file":                                  of("read", syscall.EISDIR),
		"a·.csv: one of its folders is a file; check the name":              of("open", syscall.ENOTDIR),
		"a·.csv: the disk is full; free some space, or give another folder": of("write", syscall.ENOSPC),
		"a·.csv: its folder is read-only; give another folder":              of("open", syscall.EROFS),
		"a·.csv: unexpected EOF":                                            of("read", io.ErrUnexpectedEOF),
		"make it: a·.csv: the user who runs milaan may not open or make it; change its permissions or those of its folder": fmt.Errorf("make it: %w", of("mkdir", fs.ErrPermission)),
		"b.csv: the user who runs milaan may not open or make it; change its permissions or those of its folder":           rename,
		"standard output: the disk is full; free some space, or give another folder":                                       &fs.PathError{Op: "write", Path: os.Stdout.Name(), Err: syscall.ENOSPC},
		"disk": errors.New("disk"),
	} {
		require.Equal(t, want, names{}.message(err, nil))
	}
	broken := domain.ErrDatabase.Caused(of("open", fs.ErrNotExist))
	require.Contains(t, names{}.message(broken, words), ": a·.csv: no such file or folder; check the name")
}

func TestShortNames(t *testing.T) {
	in := inputs{reports: []reportFile{{path: "may/a.csv"}, {path: "june/a.csv"}, {path: "june/b\x1b.csv"}, {path: "-"}}}
	require.Equal(t, []string{filepath.Join("may", "a.csv"), filepath.Join("june", "a.csv"), "b·.csv", "standard input"}, in.shortNames())
	require.Equal(t, "4 reports", in.reportsText())
	names := in.names()
	require.Equal(t, "june/a.csv", names.File(domain.CourierFile, 2))
	require.Equal(t, "the reports", names.File(domain.CourierFile, 0))
	require.Equal(t, "--column 'june/a.csv:awb=Docket'", names.Column(2, domain.RoleAWB, "Docket"))
	require.Equal(t, "REPORT", names.Field(&domain.Fault{Field: domain.FieldReports}))
}
