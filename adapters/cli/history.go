package cli

import (
	"fmt"
	"strconv"

	"github.com/spf13/cobra"

	"milaan/adapters/cli/terminal"
	"milaan/adapters/view"
	"milaan/domain"
	"milaan/ports"
)

// defaultRuns is how many runs are listed.
const defaultRuns = 20

func historyCommand(deps Deps) *cobra.Command {
	var (
		f        ports.RunFilter
		source   string
		from, to string
		asJSON   bool
	)
	cmd := &cobra.Command{
		Use:   "history --email E",
		Short: "List an account's runs, with their counts and sums",
		Long: `List the runs of an account, latest first, with their counts and sums. Of the files
nothing is kept, so there are no orders to list. Dates are days in India, and --from and
--to include their day. If there are more runs than listed, the last line says how to
list the next ones.`,
		Example: `  milaan history --email accounts@shop.example
  milaan history --email accounts@shop.example --courier delhivery --from 2026-10-01 --to 2026-10-31
  milaan history --email accounts@shop.example --limit 200 --json`,
	}
	flags := cmd.Flags()
	flags.StringVar(&f.Brand, "brand", "", "only runs of this brand")
	flags.StringVar(&f.Courier, "courier", "", "only runs that named this courier, alone or among others")
	flags.StringVar(&source, "source", "", "only runs of this source: "+listed(domain.Sources()))
	flags.StringVar(&from, "from", "", "only runs of this day or later, such as 2026-10-01")
	flags.StringVar(&to, "to", "", "only runs of this day or earlier")
	flags.StringVar(&f.After, "after", "", "only runs before the run with this id")
	flags.IntVar(&f.Limit, "limit", defaultRuns, fmt.Sprintf("how many, 1 to %d", domain.MaxListedRuns))
	flags.BoolVar(&asJSON, "json", false, "print JSON")
	cmd.PreRunE = func(*cobra.Command, []string) error {
		var faults domain.Faults
		if day := faults.ReadDay(domain.FieldFrom, from); day != domain.NoDay {
			f.From = day.Start()
		}
		if day := faults.ReadDay(domain.FieldTo, to); day != domain.NoDay {
			f.To = (day + 1).Start()
		}
		faults.Add(f.Limit == 0, domain.OutOfBounds(domain.FieldLimit))
		f.Source = domain.Source(source)
		return faults.Err()
	}
	return forAccount(cmd, deps, func(cmd *cobra.Command, history ports.ReadingHistory, account domain.Account) error {
		runs, next, err := history.Runs(cmd.Context(), account.ID, f)
		if err != nil {
			return err
		}
		return printRuns(cmd, runs, next, asJSON)
	})
}

func printRuns(cmd *cobra.Command, runs []domain.Run, next string, asJSON bool) error {
	out := cmd.OutOrStdout()
	if asJSON {
		return printJSON(out, runsView{view.Each(runs, view.NewListedRun), view.OrNone(next)})
	}
	t := terminal.NewTable("RUN", "AT", "BRAND", "COURIER", "SOURCE", ">ORDERS", ">FLAGGED", ">DUE", ">REMITTED", ">SHORTFALL", ">AT RISK")
	for i := range runs {
		r := &runs[i]
		t.Add(r.ID, momentText(r.At), r.Brand, r.CourierName, string(r.Source), strconv.Itoa(r.Tally.Orders),
			strconv.Itoa(r.Tally.Flags.Flagged()), r.Tally.Due.Exact(), r.Tally.Remitted.Exact(), r.Tally.Shortfall.Exact(),
			r.Tally.AtRisk.Exact())
	}
	if err := t.WriteOr(out, "No runs."); err != nil || next == "" {
		return err
	}
	_, err := fmt.Fprintf(out, "\nThere are more: give the same flags and --after %s.\n", next)
	return err
}

// runsView is a page of the history as the commands print it.
type runsView struct {
	Runs []view.ListedRun `json:"runs"`
	Next *string          `json:"next"` // for --after; null: there are no more
}
