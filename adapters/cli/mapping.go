package cli

import (
	"cmp"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"milaan/adapters/cli/terminal"
	"milaan/adapters/view"
	"milaan/domain"
	"milaan/ports"
)

func mappingCommand(deps Deps) *cobra.Command {
	mapping := &cobra.Command{
		Use:   "mapping",
		Short: "List and remove saved mappings (Enterprise)",
		Long: `List and remove saved mappings: which column of a courier's reports has which role, as the
last run that named the courier has read them. The next such run reads by them.`,
		Example: `  milaan mapping list --email accounts@shop.example
  milaan mapping remove --email accounts@shop.example --courier delhivery`,
		Args: noCommand,
		RunE: func(*cobra.Command, []string) error { return usagef("say list or remove") },
	}
	mapping.AddCommand(mappingListCommand(deps), mappingRemoveCommand(deps))
	return mapping
}

func mappingListCommand(deps Deps) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:     "list --email E",
		Short:   "List the saved mappings",
		Long:    "List the saved mappings of an account by courier, with their columns and their times.",
		Example: "  milaan mapping list --email accounts@shop.example",
		Args:    flagsOnly,
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return forAccount(cmd, deps, func(cmd *cobra.Command, mappings ports.ManagingAccounts, account domain.Account) error {
		saved, err := mappings.Mappings(cmd.Context(), account.ID)
		if err != nil {
			return err
		}
		if asJSON {
			return printJSON(cmd.OutOrStdout(), view.Each(saved, view.NewListedMapping[view.Second]))
		}
		if len(saved) == 0 {
			_, err := fmt.Fprintln(cmd.OutOrStdout(), "No saved mappings.")
			return err
		}
		t := terminal.NewTable("COURIER", "SAVED", "COLUMNS")
		for _, s := range saved {
			t.Add(s.CourierName, savedText(s.SavedAt), mappingText(s.Mapping))
		}
		return terminal.WriteTables(cmd.OutOrStdout(), t)
	})
}

func mappingRemoveCommand(deps Deps) *cobra.Command {
	var courier string
	cmd := &cobra.Command{
		Use:   "remove --email E --courier C",
		Short: "Remove the saved mapping of a courier",
		Long: `Remove the saved mapping of a courier. The next run that names the courier finds the
columns by the header of the report, and saves them again.`,
		Example: "  milaan mapping remove --email accounts@shop.example --courier delhivery",
		Args:    flagsOnly,
	}
	cmd.Flags().StringVar(&courier, "courier", "", "the courier's id (required)")
	required(cmd, "courier", "")
	return forAccount(cmd, deps, func(cmd *cobra.Command, mappings ports.ManagingAccounts, account domain.Account) error {
		return say(cmd, mappings.RemoveMapping(cmd.Context(), account.ID, courier, domain.ByCommandLine), "The mapping is removed.")
	})
}

// savedText says when a mapping was saved; earlier versions have not stored it.
func savedText(at time.Time) string {
	return cmp.Or(view.Second(at).String(), unknown)
}
