package cli

import (
	"errors"

	"github.com/spf13/cobra"

	"milaan/domain"
	"milaan/ports"
)

func holdCommand(deps Deps) *cobra.Command {
	return opening(&cobra.Command{
		Use:   "hold",
		Short: "Have the service send nothing until milaan resume",
		Long: `Have the service send nothing until milaan resume: no webhook, no mail and no phone code,
no pass of the autopilot, and no change of a subscription at Razorpay. Everything else
goes on: pages, the API, runs and batches. What is to be sent waits.

Run it after you have restored a PostgreSQL database, before you start the service on it.
If the service runs, all its instances follow within seconds; what is under way ends.`,
		Example: `  pg_restore --dbname="$MILAAN_DATABASE_URL" milaan.dump && milaan hold`,
	}, deps, func(cmd *cobra.Command, holding ports.Holding) error {
		since, err := holding.Hold(cmd.Context())
		return say(cmd, err, "The service is held since %s: it sends nothing until milaan resume.", momentText(since))
	})
}

func resumeCommand(deps Deps) *cobra.Command {
	var discard bool
	cmd := &cobra.Command{
		Use:   "resume",
		Short: "Have a held service send again",
		Long: `Have a held service send again, such as a restored copy. All its instances follow within
seconds. What has waited is sent, each event and each mail once.

With --discard, the events and mails that waited when the hold began are dropped, and
alarms and digests that are due: the service that was backed up may have sent them after
the backup. Events of batches that were not complete then are dropped too. What has come
since the hold began is sent. milaan help backup says which to choose.`,
		Example: `  milaan resume
  milaan resume --discard`,
	}
	cmd.Flags().BoolVar(&discard, "discard", false, "drop what waited when the hold began")
	return opening(cmd, deps, func(cmd *cobra.Command, holding ports.Holding) error {
		w, err := holding.Resume(cmd.Context(), discard)
		if errors.Is(err, domain.ErrNotHeld) {
			return say(cmd, nil, "The service is not held: there is nothing to resume.")
		}
		if err == nil && discard {
			err = say(cmd, nil, "Dropped what had waited since before %s: %s, %s.", momentText(w.Since),
				countOf(w.DroppedEvents, "event"), countOf(w.DroppedMails, "mail"))
		}
		return say(cmd, err, "The service is resumed: %s and %s are sent now, and the autopilot goes on.", countOf(w.Events, "event"),
			countOf(w.Mails, "mail"))
	})
}
