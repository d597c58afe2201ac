package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"milaan/domain"
	"milaan/ports"
)

func reconcileCommand(deps Deps) *cobra.Command {
	var (
		asJSON, asCSV, all bool
		terms              termFlags
		courier            string
		columns            []string
	)
	cmd := &cobra.Command{
		Use:   "reconcile ORDERS.csv REMITTANCE.csv",
		Short: "Compare two files on the spot, without service or account",
		Long: `Compare an orders export with a courier's remittance report on the spot: no service,
no account, nothing stored. Totals come first, then the orders that need attention.

The couriers that are known are listed by milaan couriers; whose report it is, is found
out from its header. Flagged orders do not change the exit code: it is 0 if the files
could be compared, 1 if not, 2 if the command was not understood.

One of the two files may be -, which is standard input.`,
		Example: `  milaan reconcile orders.csv remittance.csv
  milaan reconcile orders.csv remittance.csv --overdue-days 10 --all
  milaan reconcile orders.csv remittance.csv --csv > flagged.csv
  milaan reconcile orders.csv payout.csv --column awb=Docket --column "cod_amount=Amt (Rs)"`,
		Args: twoFiles,
	}
	flags := cmd.Flags()
	flags.BoolVar(&asJSON, "json", false, "print what POST /reconcile answers")
	flags.BoolVar(&asCSV, "csv", false, "print every order's result as CSV, for a spreadsheet")
	flags.BoolVar(&all, "all", false, fmt.Sprintf("list settled orders too; up to %d orders are all listed anyway", fewOrders))
	terms.addTo(cmd)
	flags.StringVar(&courier, "courier", "", courierUsage)
	flags.StringArrayVar(&columns, "column", nil, columnUsage)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if asJSON && asCSV {
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
		if req.OverdueDays, req.MinorGap, err = terms.given(cmd); err != nil {
			return err
		}
		return reconcile(cmd, deps, req, args[0], args[1], formatOf(asJSON, asCSV, all))
	}
	return cmd
}

// What the flags mean that say whose report it is.
const (
	courierUsage = "whose report it is, for the record: a courier's id; only custom, with --column, has a say in the columns"
	columnUsage  = "role=Header: which column plays which role (courier custom); may be given again"
)

// termFlags are the terms of a run that a request can set.
type termFlags struct{ overdueDays, minorGap int }

func (f *termFlags) addTo(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.IntVar(&f.overdueDays, "overdue-days", domain.DefaultOverdueDays, "days after delivery until an unpaid order is overdue, 1 to 30")
	flags.IntVar(&f.minorGap, "minor-gap", domain.DefaultMinorGap, "rupees that are too little to dispute, 0 to 10")
}

// given are the terms that the command line sets; nil for those that it leaves.
func (f *termFlags) given(cmd *cobra.Command) (overdueDays, minorGap *int, err error) {
	if cmd.Flags().Changed("overdue-days") {
		if !domain.GoodOverdueDays(f.overdueDays) {
			return nil, nil, usagef("--overdue-days %s", domain.OverdueDaysRule)
		}
		overdueDays = &f.overdueDays
	}
	if cmd.Flags().Changed("minor-gap") {
		if !domain.GoodMinorGap(f.minorGap) {
			return nil, nil, usagef("--minor-gap %s", domain.MinorGapRule)
		}
		minorGap = &f.minorGap
	}
	return overdueDays, minorGap, nil
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

// format writes an outcome.
type format func(cmd *cobra.Command, engine Engine, o *ports.Outcome, ordersPath, courierPath string) error

func formatOf(asJSON, asCSV, all bool) format {
	switch {
	case asJSON:
		return func(cmd *cobra.Command, engine Engine, o *ports.Outcome, _, _ string) error {
			return engine.Answers.Write(cmd.OutOrStdout(), o, false)
		}
	case asCSV:
		return func(cmd *cobra.Command, engine Engine, o *ports.Outcome, _, _ string) error {
			return writeCSV(cmd.OutOrStdout(), o.Reconciliation, engine.Wording)
		}
	}
	return func(cmd *cobra.Command, engine Engine, o *ports.Outcome, ordersPath, courierPath string) error {
		return writeReport(cmd.OutOrStdout(), o, engine.Wording, ordersPath, courierPath, all)
	}
}

func reconcile(cmd *cobra.Command, deps Deps, req ports.Request, ordersPath, courierPath string, write format) error {
	engine, err := deps.Engine()
	if err != nil {
		return err
	}
	if err := engine.Reconciling.Check(req); err != nil {
		return requestFault(err)
	}
	if req.Storefront, req.Courier, err = readFiles(cmd, ordersPath, courierPath); err != nil {
		return err
	}
	outcome, err := engine.Reconciling.Preview(cmd.Context(), req)
	if err != nil {
		return named(err, map[domain.File]string{domain.StorefrontFile: ordersPath, domain.CourierFile: courierPath})
	}
	defer outcome.Release()
	return write(cmd, engine, outcome, ordersPath, courierPath)
}
