package cli

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"
	"go.uber.org/fx"

	"milaan/config"
	"milaan/ports"
)

func resealCommand(deps Deps) *cobra.Command {
	var lost bool
	cmd := &cobra.Command{
		Use:   "reseal",
		Short: "Seal with the first secret key what is sealed with another one",
		Long: `Seal with the first secret of MILAAN_SECRET_KEY what is sealed with one of the others.
After that the others are needed only for request keys (Idempotency-Key), which hold for
24 hours: one from before the service sealed with the first secret has no effect without
them. The service may run meanwhile, if all its instances have the same secrets with the
same one first. The command may be interrupted and repeated.

It prints how much was sealed again, how much was sealed with the first secret already,
and how much none of the secrets can open.

With --lost it also gives up what only a secret that is not in MILAAN_SECRET_KEY could
open, so that the service starts without that secret. milaan help secret says what is
sealed, and what must be set or sent again.`,
		Example: `  MILAAN_SECRET_KEY=$NEW,$OLD milaan reseal
  milaan reseal --lost`,
	}
	cmd.Flags().BoolVar(&lost, "lost", false, "a secret that was in use is lost: give up what only it can open")
	return opening(cmd, deps, func(cmd *cobra.Command, secrets ports.ManagingSecrets) error {
		done, err := secrets.Reseal(cmd.Context())
		out := cmd.OutOrStdout()
		unreadable := "Cannot be opened"
		if lost && err == nil {
			unreadable = "Cannot be opened, and given up"
		}
		_, printed := fmt.Fprintf(out, "Sealed afresh: %d. Sealed with the first secret already: %d. %s: %d.\n", done.Afresh, done.Kept,
			unreadable, done.Unreadable)
		switch {
		case err != nil:
		case lost:
			_, printed = fmt.Fprint(out, adviceOnLost(done), "No secret but the first is needed any more.\n")
		default:
			_, printed = fmt.Fprintln(out, "Every other secret can be taken out of "+config.Prefix+"SECRET_KEY. "+
				"Wait until 24 hours after the service began to seal with the first one: request keys from before that have no effect "+
				"without the others.")
		}
		return errors.Join(err, printed)
	}, fx.Decorate(func(s config.Secrets) config.Secrets {
		s.Lost = lost
		return s
	}))
}

// adviceOnLost says what to do about data that no secret can open any more.
func adviceOnLost(done ports.Resealed) (text string) {
	switch done.Webhooks {
	case 0:
	case 1:
		text = "The webhook of 1 account is among that: set it again with milaan webhook set.\n"
	default:
		text = fmt.Sprintf("The webhooks of %d accounts are among that: set them again with milaan webhook set.\n", done.Webhooks)
	}
	if done.Connections > 0 {
		text += fmt.Sprintf("Connections of the autopilot whose settings are among that: %d. Set them again with milaan connection set, "+
			"with their secrets; reports that were kept for them must be uploaded again.\n", done.Connections)
	}
	if done.Unreadable > 0 {
		text += "Batches whose files or results are among that end with an error, or have none any more: send them again.\n" +
			"What was given up stays in the database until it is replaced or deleted, and the next reseal counts it again.\n"
	}
	return text
}
