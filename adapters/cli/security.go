package cli

import (
	"fmt"
	"iter"

	"github.com/spf13/cobra"
	"go.uber.org/fx"

	"milaan/adapters/cli/terminal"
	"milaan/domain"
	"milaan/ports"
	"milaan/ports/peers"
)

type securityLog struct {
	fx.In

	Gate    ports.Gate
	Answers peers.Answers
}

func securityCommand(deps Deps) *cobra.Command {
	var asJSON, asCSV, all bool
	cmd := &cobra.Command{
		Use:   "security --email E [--all] [--csv | --json]",
		Short: "List the account's security log",
		Long: fmt.Sprintf(`List the security log of an account: sign-ins, refusals, and changes of its people, keys,
webhook, connections, subscription, saved mappings, branding and settings. Each line says
who did it (ACTOR), in which way (BY), to whom, and from which address. The latest %d
lines are listed, latest first; with --all the whole log, the oldest first.

The log has no secrets. It has the e-mail addresses and IP addresses of people, for %d
days: keep a file that you make of it as carefully as the account's other data.`, domain.SecurityLogLength,
			int(domain.SecurityRetention.Hours()/24)),
		Example: `  milaan account security --email accounts@shop.example
  milaan account security --email accounts@shop.example --all --csv > security.csv`,
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	cmd.Flags().BoolVar(&asCSV, "csv", false, "print CSV")
	cmd.Flags().BoolVar(&all, "all", false, "the whole log, the oldest line first")
	return forAccount(cmd, deps, func(cmd *cobra.Command, log securityLog, account domain.Account) error {
		if asJSON && asCSV {
			return usagef("say --json or --csv, not both")
		}
		events := log.Gate.AllEvents(cmd.Context(), account.ID)
		if !all {
			latest, err := log.Gate.LatestEvents(cmd.Context(), account.ID)
			if err != nil {
				return err
			}
			events = each(latest)
		}
		if asJSON || asCSV {
			return log.Answers.WriteSecurityLog(cmd.OutOrStdout(), events, asCSV)
		}
		return printSecurityLog(cmd, events)
	})
}

// each yields values that are there.
func each[T any](all []T) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for _, v := range all {
			if !yield(v, nil) {
				return
			}
		}
	}
}

func printSecurityLog(cmd *cobra.Command, events iter.Seq2[domain.SecurityEvent, error]) error {
	t := terminal.NewTable("AT", "WHAT", "WHOM", "DETAIL", "ACTOR", "BY", "ADDRESS")
	for e, err := range events {
		if err != nil {
			return err
		}
		t.Add(momentText(e.At), string(e.Kind), terminal.PrintableText(e.Whom), terminal.PrintableText(e.Detail),
			terminal.PrintableText(e.By.Name), string(e.By.Way), e.By.Address)
	}
	return t.WriteOr(cmd.OutOrStdout(), "Nothing has happened yet.")
}
