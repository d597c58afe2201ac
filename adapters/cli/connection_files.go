package cli

import (
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"milaan/adapters/cli/terminal"
	"milaan/adapters/view"
	"milaan/domain"
	"milaan/ports"
)

func keepCommand(deps Deps) *cobra.Command {
	var source int
	cmd := &cobra.Command{
		Use:   "keep --email E [--brand B] FILE...",
		Short: "Keep reports for the autopilot, for sources of the kind upload",
		Long: `Keep reports for the autopilot, for a report source of the kind upload. They are sealed in
the database, every pass reads them, and they are deleted after 60 days. A file with the
name of one that is kept replaces it.`,
		Example: "  milaan connection keep --email accounts@shop.example delhivery-*.csv",
		Args:    cobra.MinimumNArgs(1),
	}
	cmd.Flags().IntVar(&source, "source", 0, "position of the source, from 1; needed if several are of this kind")
	return forConnection(cmd, deps, func(cmd *cobra.Command, pilot ports.ManagingConnections, c domain.Connection) error {
		at, err := keepingSource(pilot, c, source)
		if err != nil {
			return err
		}
		for _, path := range cmd.Flags().Args() {
			content, err := readFile(cmd, path)
			if err != nil {
				return err
			}
			file := domain.KeptFile{AccountID: c.AccountID, ConnectionID: c.ID, SourceID: c.Sources[at-1].ID, Name: filepath.Base(path)}
			if _, err := pilot.Keep(cmd.Context(), file, content); err != nil {
				text := names{paths: map[domain.File]string{domain.CourierFile: path}}.message(err, deps.Words())
				return fmt.Errorf("%s was not kept: %s", terminal.PrintableText(pathText(path)), text)
			}
			if err := say(cmd, nil, "Kept %s", terminal.PrintableText(pathText(path))); err != nil {
				return err
			}
		}
		return nil
	})
}

// keepingSource returns the position of the source that keeps files; position 0 means the
// only one.
func keepingSource(pilot ports.ManagingConnections, c domain.Connection, position int) (int, error) {
	_, kinds := pilot.Connectors()
	keeps := map[domain.Connector]bool{}
	for _, info := range kinds {
		keeps[info.ID] = info.Kept
	}
	var all []int
	for i, s := range c.Sources {
		if keeps[s.Connector] {
			all = append(all, i+1)
			if position == i+1 {
				return position, nil
			}
		}
	}
	switch {
	case len(all) == 0:
		return 0, usagef("the connection has no report source of the kind upload: add one, see milaan connection set")
	case position == 0 && len(all) == 1:
		return all[0], nil
	}
	numbers := strings.Trim(strings.ReplaceAll(fmt.Sprint(all), " ", ", "), "[]")
	return 0, usagef("say which source keeps the files: --source is one of %s", numbers)
}

func keptFilesCommand(deps Deps) *cobra.Command {
	return forConnection(&cobra.Command{
		Use:   "files --email E [--brand B]",
		Short: "List the reports that are kept for the autopilot",
		Long: `List the reports that are kept for the autopilot, latest first, with the day on which each
is deleted.`,
		Example: "  milaan connection files --email accounts@shop.example",
	}, deps, func(cmd *cobra.Command, pilot ports.ManagingConnections, c domain.Connection) error {
		files, err := pilot.KeptFiles(cmd.Context(), c.AccountID, c.ID)
		if err != nil {
			return err
		}
		t := terminal.NewTable("ID", "FILE", "SOURCE", ">BYTES", "KEPT SINCE", "DELETED ON")
		for _, f := range files {
			t.Add(f.ID, f.Name, strconv.Itoa(c.Source(f.SourceID)), strconv.FormatInt(f.Bytes, 10), momentText(f.At),
				domain.DayOf(f.At.Add(domain.KeptFileSpan)).String())
		}
		return t.WriteOr(cmd.OutOrStdout(), "No files are kept.")
	})
}

func forgetCommand(deps Deps) *cobra.Command {
	cmd := &cobra.Command{
		Use:     "forget --email E [--brand B] --id ID",
		Short:   "Delete a report that is kept for the autopilot",
		Long:    "Delete a report that is kept for the autopilot. The command files lists their ids.",
		Example: "  milaan connection forget --email accounts@shop.example --id 0199a3c0-2f61-7d02-9d0e-5a1c0c4f7e11",
	}
	id := requiredFlag(cmd, "id", "id of the file", "")
	return forConnection(cmd, deps, func(cmd *cobra.Command, pilot ports.ManagingConnections, c domain.Connection) error {
		return say(cmd, pilot.RemoveKept(cmd.Context(), c.AccountID, c.ID, *id), "The file is deleted.")
	})
}

func seenCommand(deps Deps) *cobra.Command {
	return forConnection(&cobra.Command{
		Use:   "seen --email E [--brand B]",
		Short: "List the files that the last pass knew of, and those that are ignored",
		Long: `List the files that the last pass knew of, with what it took them for, and the files that
people have said to ignore. A file that is plainly no report is left out by itself; any
other that cannot be read stops the pass.`,
		Example: "  milaan connection seen --email accounts@shop.example",
	}, deps, func(cmd *cobra.Command, pilot ports.ManagingConnections, c domain.Connection) error {
		seen, err := pilot.Seen(cmd.Context(), c.AccountID, c.ID)
		if err != nil {
			return err
		}
		if len(seen.Files)+len(seen.Ignored) == 0 {
			_, err := fmt.Fprintln(cmd.OutOrStdout(), "No files yet.")
			return err
		}
		t := terminal.NewTable("ID", "FILE", "SOURCE", "WHAT IT IS")
		for _, f := range view.NewSeenFiles(seen, &c, deps.sentence).Files {
			what := "to be compared"
			switch {
			case f.LeftOut:
				what = "left out: " + f.Reason
			case f.Rule != "":
				what = "stops the pass: " + f.Reason
			}
			t.Add(f.ID, f.Name, strconv.Itoa(c.Source(f.SourceID)), what)
		}
		i := terminal.NewTable("IGNORED ID", "FILE", "SOURCE", "IGNORED SINCE")
		for _, f := range seen.Ignored {
			i.Add(f.ID, f.Name, strconv.Itoa(c.Source(f.SourceID)), momentText(f.At))
		}
		tables := []*terminal.Table{t, i}
		if len(seen.Ignored) == 0 {
			tables = tables[:1]
		}
		if err := terminal.WriteTables(cmd.OutOrStdout(), tables...); err != nil || seen.More == 0 {
			return err
		}
		_, err = fmt.Fprintf(cmd.OutOrStdout(), "\nNot listed: %d more, which newer files replace.\n", seen.More)
		return err
	})
}

func ignoreCommand(deps Deps) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "ignore --email E [--brand B] --id ID",
		Short: "Ignore a file of a report source from the next pass on",
		Long: `Ignore a file that the last pass knew of, from the next pass on. It may be a report too:
what it alone pays counts as unpaid then. The command seen lists the ids. Only this
version of the file is ignored, so a corrected one with the same name is compared.`,
		Example: "  milaan connection ignore --email accounts@shop.example --id 3f2a9c0d5e7b41868c2d9f01a4b6e8d7",
	}
	id := requiredFlag(cmd, "id", "id of the file", "")
	return forConnection(cmd, deps, func(cmd *cobra.Command, pilot ports.ManagingConnections, c domain.Connection) error {
		f, err := pilot.Ignore(cmd.Context(), c.AccountID, c.ID, *id, domain.ByCommandLine)
		return say(cmd, err, "%s is ignored.", terminal.PrintableText(f.Name))
	})
}

func takeBackCommand(deps Deps) *cobra.Command {
	cmd := &cobra.Command{
		Use:     "take-back --email E [--brand B] --id ID",
		Short:   "Compare a file again that is ignored",
		Long:    "Compare a file again that is ignored, from the next pass on. The command seen lists\nthe ids.",
		Example: "  milaan connection take-back --email accounts@shop.example --id 0199a3c0-2f61-7d02-9d0e-5a1c0c4f7e11",
	}
	id := requiredFlag(cmd, "id", "id of the ignored file", "")
	return forConnection(cmd, deps, func(cmd *cobra.Command, pilot ports.ManagingConnections, c domain.Connection) error {
		return say(cmd, pilot.TakeBack(cmd.Context(), c.AccountID, c.ID, *id, domain.ByCommandLine), "The file is compared again.")
	})
}

func mailsCommand(deps Deps) *cobra.Command {
	var digest, alerts bool
	cmd := &cobra.Command{
		Use:   "mails --email E [--digest=false] [--alerts=false]",
		Short: "Show or choose the mails that the account gets",
		Long: `Show which mails the account gets: the digest of the week, on Mondays if there is
something to say, and alerts about connections. With flags, choose them. Nothing is sent
unless the operator has set MILAAN_SMTP_URL.`,
		Example: "  milaan connection mails --email accounts@shop.example --digest=false",
	}
	cmd.Flags().BoolVar(&digest, "digest", true, "the digest of the week")
	cmd.Flags().BoolVar(&alerts, "alerts", true, "alerts about connections")
	return forAccount(cmd, deps, func(cmd *cobra.Command, mails ports.ChoosingMails, account domain.Account) error {
		choice, enabled, err := mails.Choice(cmd.Context(), account.ID)
		if err != nil {
			return err
		}
		chosen := choice
		if cmd.Flags().Changed("digest") {
			chosen.NoDigest = !digest
		}
		if cmd.Flags().Changed("alerts") {
			chosen.NoAlerts = !alerts
		}
		if chosen != choice {
			if err := mails.Choose(cmd.Context(), account.ID, chosen); err != nil {
				return err
			}
		}
		return printJSON(cmd.OutOrStdout(), view.NewMailChoice(chosen, enabled))
	})
}

// momentText is a time for tables, by the clock of India; a dash if there is none.
func momentText(t time.Time) string {
	if t.IsZero() {
		return "-"
	}
	return t.In(domain.Kolkata).Format("2006-01-02 15:04 IST")
}
