package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"milaan/adapters/cli/terminal"
	"milaan/adapters/view"
	"milaan/domain"
	"milaan/ports"
)

// securityCommand is below account.
func securityCommand(deps Deps) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "security --email E",
		Short: "List the account's security log",
		Long: fmt.Sprintf(`List the security log of an account, latest first: sign-ins, and changes of its key,
webhook, branding, saved mappings and settings, each with the way in which it was done.
At most %d lines are listed. The log has no secrets and no personal data.`, domain.SecurityLogLength),
		Example: "  milaan account security --email accounts@shop.example",
		Args:    flagsOnly,
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return forAccount(cmd, deps, func(cmd *cobra.Command, security ports.Gate, account domain.Account) error {
		events, err := security.LatestEvents(cmd.Context(), account.ID)
		if err != nil {
			return err
		}
		if asJSON {
			return printJSON(cmd.OutOrStdout(), view.Each(events, view.NewSecurityEvent[view.Second]))
		}
		if len(events) == 0 {
			_, err := fmt.Fprintln(cmd.OutOrStdout(), "Nothing has happened yet.")
			return err
		}
		t := terminal.NewTable("AT", "WHAT", "DETAIL", "BY")
		for _, e := range events {
			t.Add(view.Second(e.At).String(), string(e.Kind), e.Detail, string(e.By))
		}
		return terminal.WriteTables(cmd.OutOrStdout(), t)
	})
}
