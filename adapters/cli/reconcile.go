package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"milaan/adapters/cli/terminal"
	"milaan/domain"
	"milaan/ports"
)

func reconcileCommand(deps Deps) *cobra.Command {
	var (
		as    format
		given inputFlags
	)
	cmd := &cobra.Command{
		Use:   "reconcile ORDERS REPORT...",
		Short: "Compare files on the spot, without service or account",
		Long: `Compare an orders export with the remittance reports of couriers without a service and
without an account; nothing is stored. Totals come first, then warnings, then the orders
that need attention. Give whole reports, up to 20: orders whose lines are in a part that
is not given look unpaid. A line that several reports list counts once, and a later report
may correct a payout of an earlier one, so give the oldest first. Each file may have up
to 2 GB and any number of rows, and may be CSV or a workbook (.xlsx, .xls, .ods, or an
HTML table). One of the files may be -, which is standard input.

milaan couriers lists the couriers whose reports are known. A report is recognised by its
header. FILE:courier names the courier of one report, --courier that of all others. In the
same way, --column FILE:role=Header is for one report, and role=Header for all of them but
those with a known courier of their own. Write the file as you gave it.

--payouts adds what each courier paid out when, and holds the lines of each report against
what became of them; --unclaimed adds the lines that belong to no order. --bank says of
each payout whether the statement has it.

On a terminal tables are made to fit, and flags are coloured. A file or a pipe gets plain
text without line breaks in tables. With --csv, Excel opens the result correctly: long
AWBs stay text, and dates are dates. It has the flagged orders, or with --payouts or
--unclaimed that table. Warnings then go to standard error.

Flagged orders do not change the exit code: it is 0 if the files could be compared, 1 if
not, and 2 if the command was not understood.`,
		Example: `  milaan reconcile orders.csv remittance.csv
  milaan reconcile orders.csv delhivery-1.xlsx delhivery-2.xlsx payout.csv:dtdc
  milaan reconcile orders.csv remittance.csv --overdue-days 10 --all
  milaan reconcile orders.csv remittance.csv --csv > flagged.csv
  milaan reconcile orders.csv older.xlsx newer.xlsx --payouts --bank statement.xls
  milaan reconcile orders.csv remittance.csv --all --color always | less -R
  milaan reconcile orders.csv payout.csv --column awb=Docket --column "cod_amount=Amt (Rs)"`,
		Args: exportAndReports,
	}
	as.addTo(cmd)
	given.addTo(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if err := as.check(given.bank != ""); err != nil {
			return err
		}
		offline, err := deps.Offline()
		if err != nil {
			return err
		}
		return compare(cmd, offline, &given, args, as.include(given.bank != ""), func(in *inputs, run *ports.FinishedRun) error {
			return as.write(cmd, offline, deps.Words, in, run)
		})
	}
	return cmd
}

// compare reads the files of a run and compares them, and then calls write.
func compare(cmd *cobra.Command, offline Offline, given *inputFlags, args []string, include domain.Include,
	write func(*inputs, *ports.FinishedRun) error) error {
	in, err := given.inputs(args, offline.Couriers)
	if err != nil {
		return err
	}
	req := in.request()
	req.Include = include
	given.terms.set(cmd, &req.OverdueDays, &req.MinorGap, &req.Charges)
	if err := offline.Reconciling.Check(req).Err(); err != nil {
		return in.name(err)
	}
	files := fileName(in.orders) + " and " + in.reportsText()
	working := terminal.StartProgress(cmd.ErrOrStderr(), "Reading "+files)
	defer working.End()
	if err := in.read(cmd, &req); err != nil {
		return err
	}
	offline.Foresee(req.Bytes())
	working.Now("Comparing " + files)
	run, err := offline.Reconciling.Preview(cmd.Context(), req)
	working.End()
	if err != nil {
		return in.name(err)
	}
	defer run.Release()
	return write(in, run)
}

type format struct {
	json, csv bool
	all       bool // orders that are not flagged too
	payouts   bool
	unclaimed bool
	included  []string // names of what JSON has, too
	colours   terminal.ColourMode
}

func (f *format) addTo(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.BoolVar(&f.json, "json", false, "print what POST /reconcile answers")
	flags.BoolVar(&f.csv, "csv", false, "print flagged orders, or the table of --payouts or --unclaimed, as CSV for a spreadsheet; "+
		"warnings go to standard error")
	flags.BoolVar(&f.all, "all", false, fmt.Sprintf("list orders that are not flagged too, also with --csv; as text, up to %d orders are "+
		"all listed anyway", fewOrders))
	flags.BoolVar(&f.payouts, "payouts", false, "print the control totals of each report and the payouts, too; with --json, include payouts")
	flags.BoolVar(&f.unclaimed, "unclaimed", false, "print the control totals of each report and the lines that belong to no order, too; "+
		"with --json, include unclaimed")
	flags.StringSliceVar(&f.included, "include", nil, "with --json: what the answer has, too, as in the field include: "+
		strings.Join(domain.Inclusions(), ", "))
	f.colours = terminal.ColourAuto
	flags.Func("color", "`WHEN` to colour flags and warnings: auto (on a terminal, unless NO_COLOR is set), always or never (default auto)",
		f.colours.Set)
}

// check returns a usageError for flags that exclude each other. banked says that there is
// a bank statement.
func (f *format) check(banked bool) error {
	if err := checkIncluded(f.included); err != nil {
		return err
	}
	switch {
	case f.json && f.csv:
		return usagef("--json and --csv exclude each other")
	case len(f.included) > 0 && !f.json:
		return usagef("--include is for --json; as text and as CSV, give --payouts or --unclaimed")
	case f.csv && f.all && (f.payouts || f.unclaimed):
		return usagef("--csv prints one table: give --all, which is for orders, or --payouts or --unclaimed")
	case f.csv && f.unclaimed && (f.payouts || banked):
		return usagef("--csv prints one table: give --unclaimed, or --payouts with or without --bank")
	case f.csv && f.all && banked:
		return usagef("--csv prints one table: give --all, which is for orders, or --bank, which is for payouts")
	}
	return nil
}

// checkIncluded returns a usageError for a name that is none of domain.Inclusions.
func checkIncluded(names []string) error {
	if _, unknown := domain.ParseInclude(names); unknown != "" {
		return usagef("--include is %q and must be one or more of %s, with commas between them", unknown, strings.Join(domain.Inclusions(), ", "))
	}
	return nil
}

// include returns what the run must include for the flags. As text and as CSV, a bank
// statement is held against the payouts, so these are printed with it.
func (f *format) include(banked bool) domain.Include {
	include, _ := domain.ParseInclude(f.included)
	if !f.json {
		f.payouts = f.payouts || banked
	}
	if f.payouts {
		include |= domain.IncludePayouts
	}
	if f.unclaimed {
		include |= domain.IncludeUnclaimed
	}
	return include
}

// write prints a finished run. A CSV file has no place for warnings, so they go to
// standard error.
func (f *format) write(cmd *cobra.Command, offline Offline, words func() Words, in *inputs, run *ports.FinishedRun) error {
	out := cmd.OutOrStdout()
	if f.json {
		return offline.Answers.Write(out, run, false)
	}
	r := report{run: run, in: in, warnings: run.Warnings(), words: words(),
		all: f.all, payouts: f.payouts, unclaimed: f.unclaimed, screen: terminal.NewScreen(out, f.colours)}
	if !f.csv {
		return r.write(out)
	}
	if err := r.warnBeside(cmd.ErrOrStderr(), f.colours); err != nil {
		return err
	}
	switch {
	case f.payouts:
		return r.writePayoutsCSV(out, run.Payouts(), run.Statement)
	case f.unclaimed:
		return r.writeUnclaimedCSV(out, run.UnclaimedLines())
	}
	return r.writeOrdersCSV(out)
}
