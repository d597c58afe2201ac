package cli

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"milaan/adapters/cli/terminal"
	"milaan/domain"
	"milaan/ports"
)

func reportCommand(deps Deps) *cobra.Command {
	var (
		given  inputFlags
		wanted documentFlags
		brand  brandFlags
	)
	cmd := &cobra.Command{
		Use:   "report ORDERS REPORT...",
		Short: "Write what a comparison finds as a workbook, a PDF, dispute packs or vouchers",
		Long: `Compare files as milaan reconcile does, once, and write the documents that are asked for:

  --xlsx FILE       a workbook: summary, orders, disputes, payouts, unclaimed, open items
  --csv FOLDER      a CSV file of each of these sheets
  --pdf FILE        a report to print or send, with the flagged orders
  --dispute FOLDER  for each courier the orders to dispute, with a covering letter
  --tally FILE      the payouts as vouchers, in the XML that TallyPrime imports
  --journal FILE    the same as a journal for Zoho Books and QuickBooks, in CSV

With --only, dispute packs and disputes.csv have just these orders.

With --bank, vouchers post what the statement shows to the bank, and the rest to a ledger
of what is not yet credited. A payout has the same voucher id every time it is written.

Files appear only once all documents are complete. A file that exists is not overwritten,
unless --force is given. Folders are created. In place of one FILE, - is standard output.
Warnings, and which files were written, go to standard error.

Given again with --previous, the workbook or ledger.csv has the next run remember what is
still owed: orders that the next export does not have are not forgotten, nor what you have
noted on the sheet Open items.

The files of the run and the flags about them are those of milaan reconcile. With
--brand-name, --logo, --colour and --footer, documents are your own.`,
		Example: `  milaan report orders.csv delhivery.csv dtdc.xlsx --xlsx may.xlsx --pdf may.pdf
  milaan report june.csv payouts.xlsx --previous may.xlsx --xlsx june.xlsx
  milaan report orders.csv remittance.csv --dispute disputes --brand-name "Asha Textiles"
  milaan report orders.csv remittance.csv --dispute disputes --only 1003,1006
  milaan report orders.csv remittance.csv --bank bank.csv --tally may.xml
  milaan report orders.csv remittance.csv --pdf - --logo logo.png --colour '#7a1f3d' > may.pdf`,
		Args: exportAndReports,
	}
	given.addTo(cmd)
	wanted.addTo(cmd)
	brand.addTo(cmd, "brand-name")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if cmd.Flags().Changed("only") && len(wanted.only) == 0 {
			return usagef("--only names no order: leave it out for all disputes")
		}
		targets, err := wanted.targets()
		if err != nil {
			return err
		}
		for _, t := range targets {
			if err := t.check(cmd.OutOrStdout(), wanted.force); err != nil {
				return err
			}
		}
		offline, err := deps.Offline()
		if err != nil {
			return err
		}
		change, err := brand.change(cmd)
		if err != nil {
			return err
		}
		marks, err := change.Read(offline.CleanLogo)
		if err != nil {
			return err
		}
		books, err := readBooks(cmd, wanted.books)
		if err != nil {
			return err
		}
		const all = domain.IncludePayouts | domain.IncludeUnclaimed | domain.IncludeOrders | domain.IncludeLines
		return compare(cmd, offline, &given, args, all, func(in *inputs, run *ports.FinishedRun) error {
			if err := run.Choose(wanted.chosen()).Err(); err != nil {
				return in.name(err)
			}
			run.Books = books
			r := &report{run: run, in: in, warnings: run.Warnings(), words: deps.Words()}
			if err := r.warnBeside(cmd.ErrOrStderr(), terminal.ColourAuto); err != nil {
				return err
			}
			return writeDocuments(cmd, offline.Reporters, targets, r, marks, wanted.force)
		})
	}
	return cmd
}

// documentFlags say which documents are written, and where.
type documentFlags struct {
	xlsx, csv, pdf, dispute, tally, journal string // paths; blank: not asked for
	books                                   string // path; blank: the usual names
	only                                    []string
	force                                   bool
}

func (f *documentFlags) addTo(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVar(&f.xlsx, "xlsx", "", "write a workbook to this file")
	flags.StringVar(&f.csv, "csv", "", "write CSV files into this folder")
	flags.StringVar(&f.pdf, "pdf", "", "write a PDF to this file")
	flags.StringVar(&f.dispute, "dispute", "", "write a dispute pack for each courier into this folder")
	flags.StringSliceVar(&f.only, "only", nil, "orders that disputes are for, by their names; may be repeated")
	flags.StringVar(&f.tally, "tally", "", "write vouchers for TallyPrime to this XML file")
	flags.StringVar(&f.journal, "journal", "", "write vouchers for Zoho Books and QuickBooks to this CSV file")
	flags.StringVar(&f.books, "books", "", "names of the ledgers of vouchers, in a file as milaan account books show prints it")
	flags.BoolVar(&f.force, "force", false, "overwrite files that exist")
}

type target struct {
	format domain.Format
	flag   string
	path   string
	folder bool // path is a folder for the document's files
}

// targets returns the documents that are asked for. One that goes to standard output is
// the last. It returns a usageError if there is none, or if two have one file.
func (f *documentFlags) targets() (asked []target, err error) {
	all := []target{
		{domain.FormatXLSX, "--xlsx", f.xlsx, false}, {domain.FormatCSV, "--csv", f.csv, true},
		{domain.FormatPDF, "--pdf", f.pdf, false}, {domain.FormatDispute, "--dispute", f.dispute, true},
		{domain.FormatTally, "--tally", f.tally, false}, {domain.FormatJournal, "--journal", f.journal, false},
	}
	var standard []target
	flagOf := map[string]string{} // by the path of a file
	for _, t := range all {
		switch {
		case t.path == "":
			continue
		case t.path == standardInput && t.folder:
			return nil, usagef("%s writes several files: give a folder, not -", t.flag)
		case t.path == standardInput:
			standard = append(standard, t)
			continue
		case !t.folder && flagOf[t.path] != "":
			return nil, usagef("%s and %s are one file: give each its own", flagOf[t.path], t.flag)
		case !t.folder:
			flagOf[t.path] = t.flag
		}
		asked = append(asked, t)
	}
	asked = append(asked, standard...)
	others := slices.DeleteFunc(slices.Clone(asked), func(t target) bool {
		return t.format == domain.FormatDispute || t.format == domain.FormatCSV
	})
	switch {
	case len(f.only) > 0 && len(others) > 0:
		return nil, usagef("--only leaves other orders out of --dispute and --csv: write %s with a command of its own", others[0].flag)
	case len(asked) == 0:
		return nil, usagef("say what to write: --xlsx FILE, --csv FOLDER, --pdf FILE, --dispute FOLDER, --tally FILE or --journal FILE, one or " +
			"more of them")
	case len(standard) > 1:
		return nil, usagef("only one document can go to standard output: give the other one a file")
	}
	return asked, nil
}

// chosen are the orders that disputes are for; nil: all.
func (f *documentFlags) chosen() (orders []domain.ChosenOrder) {
	for _, name := range f.only {
		orders = append(orders, domain.ChosenOrder{OrderID: name})
	}
	return orders
}

// check returns an error if the document cannot be written, as far as that is known
// before there is one.
func (t *target) check(out io.Writer, force bool) error {
	if t.path == standardInput {
		if _, is := terminal.Width(out); is {
			return usagef("%s -: a terminal cannot show this document: give a file, or send standard output to one", t.flag)
		}
		return nil
	}
	info, err := os.Stat(t.path)
	switch there := err == nil; { // else creating it says what is wrong, if anything is
	case there && t.folder && !info.IsDir():
		return fmt.Errorf("%s is a file, and %s writes into a folder: give the name of a folder", terminal.PrintableText(t.path), t.flag)
	case there && !t.folder:
		return mayReplace(t.path, info, force)
	}
	return nil
}

// writeDocuments writes documents, and says on standard error what they leave out and which files they are.
func writeDocuments(cmd *cobra.Command, reporters []ports.Reporter, targets []target, r *report, b domain.Branding, force bool) error {
	ctx, stop := signal.NotifyContext(cmd.Context(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop) // a second signal ends the process at once
	working := terminal.StartProgress(cmd.ErrOrStderr(), "Writing")
	defer working.End()
	files := newDocumentFiles(ctx, disk{}, r.in.paths(), force)
	defer files.Discard()
	r.warnings = nil
	for _, t := range targets {
		working.Now("Writing " + string(t.format))
		of := slices.IndexFunc(reporters, func(r ports.Reporter) bool { return r.Format() == t.format })
		if of < 0 {
			return fmt.Errorf("%s: this program cannot write %s", t.flag, t.format)
		}
		create := files.at(t.path)
		switch {
		case t.folder:
			create = files.in(t.path)
		case t.path == standardInput:
			create = func(string) (io.Writer, error) { return cmd.OutOrStdout(), nil }
		}
		leftOut, err := reporters[of].Write(create, r.run, b)
		if err != nil {
			return err
		}
		r.warnings = domain.AddWarnings(r.warnings, leftOut)
	}
	if err := files.Publish(); err != nil {
		return err
	}
	working.End()
	if err := r.warnBeside(cmd.ErrOrStderr(), terminal.ColourAuto); err != nil {
		return err
	}
	for _, path := range files.Paths() {
		if _, err := fmt.Fprintf(cmd.ErrOrStderr(), "Wrote %s\n", terminal.PrintableText(path)); err != nil {
			return err
		}
	}
	for _, t := range targets {
		if t.format == domain.FormatDispute {
			return warnOfOlderPacks(cmd.ErrOrStderr(), t.path, files.Paths())
		}
	}
	return nil
}

// warnOfOlderPacks names what an earlier dispute pack has left in a folder: who sends it claims what may have been paid since.
func warnOfOlderPacks(w io.Writer, folder string, written []string) error {
	var older []string
	found, err := os.ReadDir(folder)
	if err != nil {
		return err
	}
	for _, file := range found {
		isOne := strings.HasPrefix(file.Name(), "dispute-") || file.Name() == "nothing-to-dispute.txt"
		if isOne && !slices.ContainsFunc(written, func(path string) bool { return filepath.Base(path) == file.Name() }) {
			older = append(older, file.Name())
		}
	}
	if older == nil {
		return nil
	}
	word := terminal.NewScreen(w, terminal.ColourAuto).Paint(terminal.Alarm, warningWord)
	_, err = fmt.Fprintf(w, "%s %s has files of an earlier dispute pack: %s. Do not send them, delete them.\n", word,
		terminal.PrintableText(folder), terminal.PrintableText(strings.Join(older, ", ")))
	return err
}
