package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"go.uber.org/fx"

	"milaan/adapters/cli/terminal"
	"milaan/domain"
	"milaan/ports"
)

func connectionCommand(deps Deps) *cobra.Command {
	return group(&cobra.Command{
		Use:   "connection",
		Short: "Connect shops and report sources for the autopilot (Pro and Enterprise)",
		Long: `Connect a shop and its report sources for the autopilot, which compares them every hour.
A connection is written as a JSON file; the command kinds says what may stand in it, and
show prints one to begin with. The commands work while the service runs, which makes the
passes.`,
		Example: `  milaan connection kinds
  milaan connection test --email accounts@shop.example --file connection.json
  milaan connection add --email accounts@shop.example --file connection.json
  milaan connection passes --email accounts@shop.example --brand "Asha Textiles"`,
	}, connectionKindsCommand(deps), connectionAddCommand(deps), connectionSetCommand(deps), connectionTestCommand(deps),
		connectionListCommand(deps), connectionShowCommand(deps), passesCommand(deps), connectionRunCommand(deps),
		pauseCommand(deps, "pause", "Stop the passes of a connection", true),
		pauseCommand(deps, "resume", "Make passes of a connection again, also of one that needs attention", false),
		connectionRemoveCommand(deps), keepCommand(deps), keptFilesCommand(deps), forgetCommand(deps), seenCommand(deps),
		ignoreCommand(deps), takeBackCommand(deps), mailsCommand(deps))
}

// forConnection completes a command about the connection that --brand names.
func forConnection(
	cmd *cobra.Command, deps Deps, do func(cmd *cobra.Command, pilot ports.ManagingConnections, c domain.Connection) error,
) *cobra.Command {
	brand := cmd.Flags().String("brand", "", "brand of the connection; needed if the account has several")
	return forAccount(cmd, deps, func(cmd *cobra.Command, pilot ports.ManagingConnections, account domain.Account) error {
		c, err := findConnection(cmd, pilot, account.ID, *brand)
		if err != nil {
			return err
		}
		return do(cmd, pilot, c)
	})
}

// findConnection finds a connection by its brand; blank means the only one.
func findConnection(
	cmd *cobra.Command, pilot ports.ManagingConnections, accountID, brand string,
) (domain.Connection, error) {
	all, err := pilot.List(cmd.Context(), accountID)
	if err != nil {
		return domain.Connection{}, err
	}
	var brands []string
	for i := range all {
		if all[i].Brand == brand || brand == "" && len(all) == 1 {
			return all[i], nil
		}
		brands = append(brands, quoted(terminal.PrintableText(all[i].Brand)))
	}
	if len(brands) > 0 {
		return domain.Connection{}, usagef("say which connection: --brand is one of %s", strings.Join(brands, ", "))
	}
	return domain.Connection{}, domain.ErrNoConnection
}

func connectionKindsCommand(deps Deps) *cobra.Command {
	return opening(&cobra.Command{
		Use:   "kinds",
		Short: "List the kinds of shops and report sources, with their settings",
		Long: `List the kinds of shops and report sources that can be connected, with the settings of
each: * marks those that are needed, ! those that are never shown again. An example of a
file for add and set is at the end.`,
		Example: "  milaan connection kinds",
	}, deps, func(cmd *cobra.Command, all catalogues) error {
		shops, sources := all.Shops.Catalogue(), all.Sources.Catalogue()
		t := terminal.NewTable("KIND", "ID", "SETTING", "WHAT IT IS", "WHERE IT IS FOUND")
		addKinds(t, deps, "shop", shops)
		addKinds(t, deps, "report source", sources)
		if err := terminal.WriteTables(cmd.OutOrStdout(), t); err != nil {
			return err
		}
		_, err := fmt.Fprint(cmd.OutOrStdout(), connectionExample)
		return err
	}, noKeptFiles())
}

// catalogues are the kinds of shops and of report sources that the operator allows.
type catalogues struct {
	fx.In

	Shops   ports.Shops
	Sources ports.ReportSources
}

// noKeptFiles is for catalogues, which read no kept file: so no database is opened, and no data
// folder is made.
func noKeptFiles() fx.Option {
	return fx.Replace(fx.Annotate(struct{ ports.KeptFiles }{}, fx.As(new(ports.KeptFiles))))
}

func addKinds(t *terminal.Table, deps Deps, kind string, all []ports.ConnectorInfo) {
	for _, info := range all {
		if len(info.Settings) == 0 {
			t.Add(kind, string(info.ID), "", deps.Words().Connector(info.ID), "")
		}
		for i, s := range info.Settings {
			id, of := string(info.ID), kind
			if i > 0 {
				id, of = "", ""
			}
			name := s.Name
			if s.Required {
				name += " *"
			}
			if s.Secret {
				name += " !"
			}
			label, hint := deps.Words().Setting(info.ID, s.Name)
			switch {
			case len(s.Options) > 0:
				label += " (" + strings.Join(s.Options, " or ") + ")"
			case s.Default != "":
				label += " (" + s.Default + ")"
			}
			t.Add(of, id, name, label, hint)
		}
	}
}

const connectionExample = `
A file for add and set:

  {
    "brand": "Asha Textiles",
    "shop": {"connector": "shopify", "settings": {"shop": "asha.myshopify.com", "access_token": {"env": "SHOPIFY_TOKEN"}}},
    "sources": [
      {"connector": "sftp", "pattern": "*.csv", "courier": "delhivery",
       "settings": {"host": "files.asha.example", "user": "milaan", "private_key": {"file": "id_ed25519"}, "host_key": "SHA256:..."}}
    ],
    "window_days": 45,
    "alert_above": 25000
  }

A setting is a text, {"file": "PATH"} or {"env": "VARIABLE"}. With set, a secret that is left out stays as it is.
Further fields: overdue_threshold_days, minor_gap_threshold, charges (accept or flag); of a source: columns, such as {"awb": "Docket No"}.
`

func connectionAddCommand(deps Deps) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "add --email E --file F",
		Short: "Connect a shop and its report sources",
		Long: `Connect the shop and the report sources that a JSON file describes (see kinds), and print
the connection as JSON without its secrets. Nothing is connected to yet; test does that.
The first pass is made within an hour.`,
		Example: "  milaan connection add --email accounts@shop.example --file connection.json",
	}
	file := connectionFile(cmd, true)
	return forAccount(cmd, deps, func(cmd *cobra.Command, pilot ports.ManagingConnections, account domain.Account) error {
		change, err := readConnection(cmd, *file)
		if err != nil {
			return err
		}
		saved, err := pilot.Save(cmd.Context(), account.ID, "", domain.ByCommandLine, change)
		return printConnection(cmd, deps, pilot, saved, err)
	})
}

func connectionSetCommand(deps Deps) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "set --email E [--brand B] --file F",
		Short: "Change a connection",
		Long: `Replace the settings of a connection by those of a JSON file, and print it. Secrets that
the file leaves out stay as they are, unless the host or the user that they are for
changes. Sources keep their kept files if the file has their ids, as show prints them. A
file that show has printed is refused if somebody has changed the connection since then;
without its revision it replaces whatever there is.`,
		Example: `  milaan connection show --email accounts@shop.example > connection.json
  milaan connection set --email accounts@shop.example --file connection.json`,
	}
	file := connectionFile(cmd, true)
	return forConnection(cmd, deps, func(cmd *cobra.Command, pilot ports.ManagingConnections, c domain.Connection) error {
		change, err := readConnection(cmd, *file)
		if err != nil {
			return err
		}
		saved, err := pilot.Save(cmd.Context(), c.AccountID, c.ID, domain.ByCommandLine, change)
		return printConnection(cmd, deps, pilot, saved, err)
	})
}

func connectionTestCommand(deps Deps) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "test --email E [--file F | --brand B]",
		Short: "Connect now, and say what works and what does not",
		Long: `Connect to the shop and to every report source of a JSON file, or of a connection that is
stored, from here and now, read the latest reports, and say what works and what does
not. Nothing is stored. The command fails if something does not work.`,
		Example: `  milaan connection test --email accounts@shop.example --file connection.json
  milaan connection test --email accounts@shop.example --brand "Asha Textiles"`,
	}
	file := connectionFile(cmd, false)
	brand := cmd.Flags().String("brand", "", "brand of a stored connection, whose secrets are used")
	return forAccount(cmd, deps, func(cmd *cobra.Command, pilot ports.ManagingConnections, account domain.Account) error {
		var stored domain.Connection
		var change ports.ConnectionChange
		var err error
		if *file == "" || *brand != "" {
			if stored, err = findConnection(cmd, pilot, account.ID, *brand); err != nil {
				return err
			}
			change = changeOf(stored)
		}
		if *file != "" {
			if change, err = readConnection(cmd, *file); err != nil {
				return err
			}
		}
		found, err := pilot.Test(cmd.Context(), account.ID, stored.ID, change)
		if err != nil {
			return namedError{err, names{connection: true}}
		}
		return printTest(cmd, deps, found)
	})
}

func connectionListCommand(deps Deps) *cobra.Command {
	cmd := &cobra.Command{
		Use:     "list --email E",
		Short:   "List the connections and how their passes have gone",
		Long:    `List the connections of an account by brand, with how their last passes have gone.`,
		Example: "  milaan connection list --email accounts@shop.example",
	}
	asJSON := cmd.Flags().Bool("json", false, "print JSON")
	return forAccount(cmd, deps, func(cmd *cobra.Command, pilot ports.ManagingConnections, account domain.Account) error {
		all, err := pilot.List(cmd.Context(), account.ID)
		if err != nil {
			return err
		}
		return printConnections(cmd, deps, pilot, all, *asJSON)
	})
}

func connectionShowCommand(deps Deps) *cobra.Command {
	return forConnection(&cobra.Command{
		Use:   "show --email E [--brand B]",
		Short: "Print a connection as JSON, without its secrets",
		Long: `Print a connection as JSON, as add and set read it, without its secrets. They are never
shown.`,
		Example: "  milaan connection show --email accounts@shop.example > connection.json",
	}, deps, func(cmd *cobra.Command, pilot ports.ManagingConnections, c domain.Connection) error {
		return printConnection(cmd, deps, pilot, c, nil)
	})
}

func passesCommand(deps Deps) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "passes --email E [--brand B]",
		Short: "List the latest passes of a connection",
		Long: `List the latest passes of a connection, latest first: what they found, or why they made
no run, and what each report source contributed. Of orders and lines there are counts.`,
		Example: "  milaan connection passes --email accounts@shop.example",
	}
	asJSON := cmd.Flags().Bool("json", false, "print JSON")
	return forConnection(cmd, deps, func(cmd *cobra.Command, pilot ports.ManagingConnections, c domain.Connection) error {
		passes, err := pilot.Passes(cmd.Context(), c.AccountID, c.ID)
		if err != nil {
			return err
		}
		return printPasses(cmd, deps, c, passes, *asJSON)
	})
}

func connectionRunCommand(deps Deps) *cobra.Command {
	return forConnection(&cobra.Command{
		Use:   "run --email E [--brand B]",
		Short: "Ask for a pass now",
		Long: `Ask the running service for a pass of a connection now. The command passes shows what has
come of it. An account may ask for ten passes an hour.`,
		Example: "  milaan connection run --email accounts@shop.example",
	}, deps, func(cmd *cobra.Command, pilot ports.ManagingConnections, c domain.Connection) error {
		_, err := pilot.Run(cmd.Context(), c.AccountID, c.ID)
		return say(cmd, err, "The pass is asked for.")
	})
}

func pauseCommand(deps Deps, use, short string, paused bool) *cobra.Command {
	return forConnection(&cobra.Command{
		Use: use + " --email E [--brand B]", Short: short, Long: short + ", and print it as JSON.",
		Example: "  milaan connection " + use + " --email accounts@shop.example",
	}, deps, func(cmd *cobra.Command, pilot ports.ManagingConnections, c domain.Connection) error {
		changed, err := pilot.Pause(cmd.Context(), c.AccountID, c.ID, paused, domain.ByCommandLine)
		return printConnection(cmd, deps, pilot, changed, err)
	})
}

func connectionRemoveCommand(deps Deps) *cobra.Command {
	return forConnection(&cobra.Command{
		Use:   "remove --email E --brand B",
		Short: "Delete a connection, its secrets, passes and kept files",
		Long: `Delete a connection with its secrets, its passes and its kept files. Its runs stay in the
history.`,
		Example: `  milaan connection remove --email accounts@shop.example --brand "Asha Textiles"`,
		PreRunE: func(cmd *cobra.Command, _ []string) error {
			if !cmd.Flags().Changed("brand") {
				return usagef("--brand is required")
			}
			return nil
		},
	}, deps, func(cmd *cobra.Command, pilot ports.ManagingConnections, c domain.Connection) error {
		return say(cmd, pilot.Remove(cmd.Context(), c.AccountID, c.ID, domain.ByCommandLine), "The connection is removed.")
	})
}
