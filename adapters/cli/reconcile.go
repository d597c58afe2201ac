package cli

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"milaan/domain"
	"milaan/ports"
	"milaan/ports/glue"
)

func reconcileCommand(deps Deps) *cobra.Command {
	var (
		as      format
		terms   termFlags
		courier string
		columns []string
	)
	cmd := &cobra.Command{
		Use:   "reconcile ORDERS.csv REMITTANCE.csv",
		Short: "Compare two files on the spot, without service or account",
		Long: `Compare an orders export with a courier's remittance report without a service and
without an account; nothing is stored. Totals come first, then warnings, then the orders
that need attention. Each file may have up to 2 GB and any number of rows. Give the whole
report: orders whose lines are in another part of it would be MISSING.

milaan couriers lists the couriers whose reports are known. A report is recognised by its
header. Flagged orders do not change the exit code: it is 0 if the files could be
compared, 1 if not, and 2 if the command was not understood.

On a terminal the table is made to fit, and flags are coloured. A file or a pipe gets
plain text without line breaks in the table. With --csv, Excel opens the result correctly:
long AWBs stay text, order_date and due_by are dates. Warnings then go to standard error.

One of the two files may be -, which is standard input.`,
		Example: `  milaan reconcile orders.csv remittance.csv
  milaan reconcile orders.csv remittance.csv --overdue-days 10 --all
  milaan reconcile orders.csv remittance.csv --csv > flagged.csv
  milaan reconcile orders.csv remittance.csv --all --color always | less -R
  milaan reconcile orders.csv payout.csv --column awb=Docket --column "cod_amount=Amt (Rs)"`,
		Args: twoFiles,
	}
	flags := cmd.Flags()
	as.addTo(cmd)
	terms.addTo(cmd)
	flags.StringVar(&courier, "courier", "", courierUsage)
	flags.StringArrayVar(&columns, "column", nil, columnUsage)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if as.json && as.csv {
			return usagef("--json and --csv exclude each other")
		}
		req := ports.Request{CourierName: courier}
		var err error
		if req.Columns, err = parseColumns(columns); err != nil {
			return err
		}
		if len(req.Columns) > 0 && courier == "" {
			req.CourierName = domain.CustomCourier
		}
		req.OverdueDays, req.MinorGap = terms.set(cmd)
		return reconcile(cmd, deps, req, args[0], args[1], &as)
	}
	return cmd
}

// What the flags mean that say whose report it is.
const (
	courierUsage = "id of the courier, for the record only; custom, with --column, also says which columns are read"
	columnUsage  = "role=Header: which column has which role (courier custom); may be repeated"
)

// termFlags are the terms of a run that a request can set.
type termFlags struct{ overdueDays, minorGap int }

func (f *termFlags) addTo(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.IntVar(&f.overdueDays, "overdue-days", domain.DefaultOverdueDays, "days after delivery until an unpaid order is overdue, 1 to 30")
	flags.IntVar(&f.minorGap, "minor-gap", domain.DefaultMinorGap, "largest shortfall in rupees that is tolerated, 0 to 10")
}

// set returns the terms that the command line sets; nil for those that it does not set.
func (f *termFlags) set(cmd *cobra.Command) (overdueDays, minorGap *int) {
	if cmd.Flags().Changed("overdue-days") {
		overdueDays = &f.overdueDays
	}
	if cmd.Flags().Changed("minor-gap") {
		minorGap = &f.minorGap
	}
	return overdueDays, minorGap
}

// parseColumns reads role=Header. The header may hold further equals signs.
func parseColumns(columns []string) (map[string]string, error) {
	if len(columns) == 0 {
		return nil, nil
	}
	byRole := make(map[string]string, len(columns))
	for _, c := range columns {
		role, header, found := strings.Cut(c, "=")
		role = strings.TrimSpace(role)
		if _, known := domain.ParseRole(role); !found || !known || strings.TrimSpace(header) == "" {
			return nil, usagef("--column %q must be role=Header; the roles are %s", c, domain.RoleNames())
		}
		if byRole[role] != "" {
			return nil, usagef("--column names a column for %s twice", role)
		}
		byRole[role] = header
	}
	return byRole, nil
}

// format says how a finished run is printed.
type format struct {
	json, csv bool
	all       bool // orders that are not flagged too
	colours   colourMode
}

func (f *format) addTo(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.BoolVar(&f.json, "json", false, "print what POST /reconcile answers")
	flags.BoolVar(&f.csv, "csv", false, "print flagged orders as CSV for a spreadsheet; warnings go to standard error")
	flags.BoolVar(&f.all, "all", false, fmt.Sprintf("list orders that are not flagged too, also with --csv; as text, up to %d orders are all listed anyway", fewOrders))
	f.colours = colourAuto
	flags.Var(&f.colours, "color", "colour flags and warnings: auto (on a terminal, unless NO_COLOR is set), always or never")
}

// write prints a finished run. A CSV file has no place for warnings, so they go to
// standard error.
func (f *format) write(cmd *cobra.Command, offline Offline, words glue.Wording, o *ports.FinishedRun, ordersPath, courierPath string) error {
	out, warnings := cmd.OutOrStdout(), o.Warnings()
	switch {
	case f.json:
		return offline.Answers.Write(out, o, false)
	case f.csv:
		beside := newScreen(cmd.ErrOrStderr(), f.colours)
		for i := range warnings {
			if _, err := fmt.Fprintf(cmd.ErrOrStderr(), "%s %s\n", beside.paint(alarm, warningWord), warningText(words, &warnings[i], namesOf(ordersPath, courierPath))); err != nil {
				return err
			}
		}
		return writeCSV(out, o.Reconciliation, words, f.all)
	}
	r := report{run: o, warnings: warnings, words: words, ordersPath: ordersPath, courierPath: courierPath,
		all: f.all, screen: newScreen(out, f.colours)}
	return r.write(out)
}

func reconcile(cmd *cobra.Command, deps Deps, req ports.Request, ordersPath, courierPath string, as *format) error {
	offline, err := deps.Offline()
	if err != nil {
		return err
	}
	if err := offline.Reconciling.Check(req).Err(); err != nil {
		return err
	}
	both := fileName(ordersPath) + " and " + fileName(courierPath)
	working := startProgress(cmd.ErrOrStderr(), "Reading "+both)
	defer working.end()
	if req.Storefront, req.Courier, err = readFiles(cmd, ordersPath, courierPath); err != nil {
		return err
	}
	working.now("Comparing " + both)
	run, err := offline.Reconciling.Preview(cmd.Context(), req)
	working.end()
	if err != nil {
		return errors.New(namesOf(ordersPath, courierPath).message(err, deps.Wording))
	}
	defer run.Release()
	return as.write(cmd, offline, deps.Wording, run, ordersPath, courierPath)
}
