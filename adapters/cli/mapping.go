package cli

import (
	"cmp"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"milaan/adapters/cli/terminal"
	"milaan/adapters/view"
	"milaan/domain"
	"milaan/ports"
)

func mappingCommand(deps Deps) *cobra.Command {
	return group(&cobra.Command{
		Use:   "mapping",
		Short: "List, rename and remove saved mappings (Enterprise)",
		Long: `List, rename and remove saved mappings: which column of a report has which role. The
mapping of a courier is that of the last run that named the courier; the next such run
reads by it. A mapping with a name was saved by a person in the dashboard; reports with
exactly its header are read by it, if their courier is not named.`,
		Example: `  milaan mapping list --email accounts@shop.example
  milaan mapping rename --email accounts@shop.example --name "Speedy" --to "Speedy Post"
  milaan mapping remove --email accounts@shop.example --courier delhivery`,
	}, mappingListCommand(deps), mappingRenameCommand(deps), mappingRemoveCommand(deps))
}

func mappingListCommand(deps Deps) *cobra.Command {
	cmd := &cobra.Command{
		Use:     "list --email E",
		Short:   "List the saved mappings",
		Long:    "List the saved mappings of an account, by courier and by name, with columns and times.",
		Example: "  milaan mapping list --email accounts@shop.example",
	}
	asJSON := cmd.Flags().Bool("json", false, "print JSON")
	return forAccount(cmd, deps, func(cmd *cobra.Command, mappings ports.ManagingAccounts, account domain.Account) error {
		saved, err := mappings.Mappings(cmd.Context(), account.ID)
		if err != nil {
			return err
		}
		named, err := mappings.NamedMappings(cmd.Context(), account.ID)
		if err != nil {
			return err
		}
		if *asJSON {
			return printJSON(cmd.OutOrStdout(), view.NewListedMappings[view.Second](saved, named))
		}
		t := terminal.NewTable("COURIER OR NAME", "SAVED", "COLUMNS")
		for _, s := range saved {
			t.Add(s.CourierName, savedText(s.SavedAt), mappingText(s.Mapping))
		}
		for _, n := range named {
			t.Add(strconv.Quote(n.Name), savedText(n.SavedAt), mappingText(n.Mapping))
		}
		return t.WriteOr(cmd.OutOrStdout(), "No saved mappings.")
	})
}

func mappingRenameCommand(deps Deps) *cobra.Command {
	cmd := &cobra.Command{
		Use:     "rename --email E --name N --to N",
		Short:   "Rename a mapping that has a name",
		Long:    "Rename a mapping that has a name. Requests that name it must then name it by the new one.",
		Example: `  milaan mapping rename --email accounts@shop.example --name "Speedy" --to "Speedy Post"`,
	}
	name := requiredFlag(cmd, "name", "the name that it has", "")
	to := requiredFlag(cmd, "to", "the name that it gets", "")
	return forAccount(cmd, deps, func(cmd *cobra.Command, mappings ports.ManagingAccounts, account domain.Account) error {
		return say(cmd, mappings.RenameMapping(cmd.Context(), account.ID, *name, *to, domain.ByCommandLine), "The mapping is renamed.")
	})
}

func mappingRemoveCommand(deps Deps) *cobra.Command {
	var courier, name string
	cmd := &cobra.Command{
		Use:   "remove --email E (--courier C | --name N)",
		Short: "Remove the saved mapping of a courier or with a name",
		Long: `Remove the saved mapping of a courier, or the one with a name. The next run finds the
columns by the header of the report, and if it names the courier, saves them again for it.`,
		Example: `  milaan mapping remove --email accounts@shop.example --courier delhivery
  milaan mapping remove --email accounts@shop.example --name "Speedy"`,
	}
	cmd.Flags().StringVar(&courier, "courier", "", "the courier's id")
	cmd.Flags().StringVar(&name, "name", "", "the name of a mapping that has one")
	cmd.PreRunE = func(*cobra.Command, []string) error {
		if (courier == "") == (name == "") {
			return usagef("say which mapping: --courier or --name")
		}
		return nil
	}
	return forAccount(cmd, deps, func(cmd *cobra.Command, mappings ports.ManagingAccounts, account domain.Account) error {
		remove := mappings.RemoveMapping
		if name != "" {
			remove = mappings.RemoveNamedMapping
		}
		return say(cmd, remove(cmd.Context(), account.ID, cmp.Or(courier, name), domain.ByCommandLine), "The mapping is removed.")
	})
}

// savedText says when a mapping was saved; earlier versions have not stored it.
func savedText(at time.Time) string {
	if at.IsZero() {
		return unknown
	}
	return momentText(at)
}
