package cli

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"milaan/adapters/cli/terminal"
	"milaan/adapters/view"
	"milaan/adapters/wording"
	"milaan/domain"
	"milaan/ports"
)

func webhookCommand(deps Deps) *cobra.Command {
	return group(&cobra.Command{
		Use:   "webhook",
		Short: "Manage the URL that is called after each run (Enterprise)",
		Long: `Manage the URL that is called after each run and each complete batch. Each POST is signed
with the account's signing secret; milaan help webhooks says how a receiver verifies that.
The commands work while the service runs; it sees a change at the next attempt.`,
		Example: `  milaan webhook set --email accounts@shop.example --url https://shop.example/milaan
  milaan webhook test --email accounts@shop.example
  milaan webhook deliveries --email accounts@shop.example`,
	}, webhookSetCommand(deps), webhookRotateCommand(deps), webhookShowCommand(deps), webhookRemoveCommand(deps),
		webhookTestCommand(deps), deliveriesCommand(deps), redeliverCommand(deps))
}

func webhookSetCommand(deps Deps) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "set --email E --url U",
		Short: "Set the URL, and print the signing secret",
		Long: `Set the URL that is called after each stored run, and print the webhook as JSON. The
first time, the JSON has the secret that signs the calls; it is not shown again. Calls to
a URL that is set later are signed with the same secret. The URL must begin with https://
and its host must have public addresses only. For development, with
MILAAN_WEBHOOK_ALLOW_LOOPBACK=true, it may also be on this machine.`,
		Example: "  milaan webhook set --email accounts@shop.example --url https://shop.example/milaan",
	}
	url := requiredFlag(cmd, "url", "https:// URL that is called", "")
	return forAccount(cmd, deps, func(cmd *cobra.Command, webhooks ports.ManagingWebhooks, account domain.Account) error {
		w, secret, err := webhooks.Set(cmd.Context(), account, *url, domain.ByCommandLine)
		return printWebhook(cmd, deps, account.Email, w, secret, err)
	})
}

func webhookRotateCommand(deps Deps) *cobra.Command {
	return forAccount(&cobra.Command{
		Use:   "rotate --email E",
		Short: "Make a new signing secret, and print it",
		Long: `Make a new signing secret and print the webhook with it as JSON; the secret is not shown
again. For 24 hours webhook-signature has a signature of the former secret too.
X-Milaan-Sig is made with the new secret from now on.`,
		Example: "  milaan webhook rotate --email accounts@shop.example",
	}, deps, func(cmd *cobra.Command, webhooks ports.ManagingWebhooks, account domain.Account) error {
		w, secret, err := webhooks.Rotate(cmd.Context(), account.ID, domain.ByCommandLine)
		return printWebhook(cmd, deps, account.Email, w, secret, err)
	})
}

func webhookShowCommand(deps Deps) *cobra.Command {
	return forAccount(&cobra.Command{
		Use:   "show --email E",
		Short: "Print the webhook as JSON",
		Long: `Print the webhook as JSON, with the signing secret if it was never shown; it is not shown
again. An account has a secret that was never shown if its batches name a webhook_url and
it has never set a URL of its own. If the secret is lost, make a new one: rotate.`,
		Example: "  milaan webhook show --email accounts@shop.example",
	}, deps, func(cmd *cobra.Command, webhooks ports.ManagingWebhooks, account domain.Account) error {
		w, secret, err := webhooks.Show(cmd.Context(), account.ID)
		return printWebhook(cmd, deps, account.Email, w, secret, err)
	})
}

func webhookRemoveCommand(deps Deps) *cobra.Command {
	return forAccount(&cobra.Command{
		Use:   "remove --email E",
		Short: "Delete the URL and the signing secret",
		Long: `Delete the URL and the signing secret. Deliveries that are pending are dropped. A URL that
is set later gets a new secret.`,
		Example: "  milaan webhook remove --email accounts@shop.example",
	}, deps, func(cmd *cobra.Command, webhooks ports.ManagingWebhooks, account domain.Account) error {
		return say(cmd, webhooks.Remove(cmd.Context(), account.ID, domain.ByCommandLine), "The webhook is removed.")
	})
}

func webhookTestCommand(deps Deps) *cobra.Command {
	return forAccount(&cobra.Command{
		Use:   "test --email E",
		Short: "Send a test event now, and print the delivery",
		Long: `Send a test event from here, once and at once, whether the service runs or not, and print
the delivery as JSON. The event has the fields of a run summary; its brand is "Milaan
test" and its run_id begins with test-. The command fails if the URL does not answer
with 2xx.`,
		Example: "  milaan webhook test --email accounts@shop.example",
	}, deps, func(cmd *cobra.Command, deliveries ports.ManagingWebhooks, account domain.Account) error {
		d, err := deliveries.Test(cmd.Context(), account)
		if err != nil {
			return err
		}
		if err := printJSON(cmd.OutOrStdout(), view.NewListedDelivery(&d)); err != nil {
			return err
		}
		if d.State != domain.DeliveryDelivered {
			return fmt.Errorf("the test event was not delivered: %s", attemptsText(d))
		}
		return nil
	})
}

// defaultDeliveries and maxDeliveries are how many deliveries are listed.
const (
	defaultDeliveries = 20
	maxDeliveries     = 1000
)

func deliveriesCommand(deps Deps) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "deliveries --email E",
		Short: "List the latest deliveries and their attempts",
		Long: `List the latest deliveries, latest first, each with its attempts. A delivery is under way
(pending in JSON), delivered (an attempt was answered with 2xx), failed (both attempts
failed; a test has one attempt) or dropped (there was nobody to call any more: the webhook
was removed, the plan has no webhooks, or the batch's results were deleted). They are
kept for 30 days.`,
		Example: `  milaan webhook deliveries --email accounts@shop.example
  milaan webhook deliveries --email accounts@shop.example --limit 200 --json`,
	}
	limit := cmd.Flags().Int("limit", defaultDeliveries, fmt.Sprintf("how many, 1 to %d", maxDeliveries))
	asJSON := cmd.Flags().Bool("json", false, "print JSON")
	cmd.PreRunE = func(*cobra.Command, []string) error {
		if *limit < 1 || *limit > maxDeliveries {
			return usagef("--limit must be 1 to %d", maxDeliveries)
		}
		return nil
	}
	return forAccount(cmd, deps, func(cmd *cobra.Command, deliveries ports.ManagingWebhooks, account domain.Account) error {
		latest, err := deliveries.Deliveries(cmd.Context(), account.ID, *limit)
		if err != nil {
			return err
		}
		return printDeliveries(cmd.OutOrStdout(), latest, *asJSON)
	})
}

func redeliverCommand(deps Deps) *cobra.Command {
	return forAccount(&cobra.Command{
		Use:   "redeliver --email E ID",
		Short: "Have the service send an event again",
		Long: `Have the service send an event again. The webhook-id is the same, so that a receiver can
recognise the event. ID is the id of a delivery, which the command deliveries lists. The
new delivery is printed as JSON; the service sends it, now or when it runs again.`,
		Example: "  milaan webhook redeliver --email accounts@shop.example 0193b0a2-7a51-7c6e-9d5e-0a2f4c1b7e90",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return usagef("give the id of one delivery; %d given", len(args))
			}
			return nil
		},
	}, deps, func(cmd *cobra.Command, deliveries ports.ManagingWebhooks, account domain.Account) error {
		d, err := deliveries.Redeliver(cmd.Context(), account, cmd.Flags().Arg(0))
		if err != nil {
			return err
		}
		return printJSON(cmd.OutOrStdout(), view.NewListedDelivery(&d))
	})
}

func printWebhook(cmd *cobra.Command, deps Deps, email string, w domain.Webhook, secret string, err error) error {
	if err != nil {
		return err
	}
	if err := printJSON(cmd.OutOrStdout(), view.NewListedWebhook(email, &w, secret, deps.Clock())); err != nil || secret == "" {
		return err
	}
	_, err = fmt.Fprintln(cmd.ErrOrStderr(), "Keep the secret now: it is not shown again.")
	return err
}

func printDeliveries(w io.Writer, deliveries []domain.Delivery, asJSON bool) error {
	if asJSON {
		return printJSON(w, view.Each(deliveries, view.NewListedDelivery))
	}
	t := terminal.NewTable("Delivery", "Of", "Since", "State", "Attempts")
	for _, d := range deliveries {
		t.Add(d.ID, string(d.Kind), momentText(d.CreatedAt), wording.DeliveryStates[d.State], attemptsText(d))
	}
	return t.WriteOr(w, "No deliveries yet: each stored run makes one.")
}

func attemptsText(d domain.Delivery) string {
	var words []string
	for _, a := range d.Attempts {
		said := fmt.Sprintf("%s after %s", a.Outcome, a.Took.Round(time.Millisecond))
		switch {
		case a.Outcome == "":
			said = "not known"
		case a.Status != 0:
			said = fmt.Sprintf("%s (%d) in %s", a.Outcome, a.Status, a.Took.Round(time.Millisecond))
		}
		if a.Failure != "" {
			said += ": " + a.Failure
		}
		words = append(words, said)
	}
	if len(words) == 0 {
		return "none yet"
	}
	return strings.Join(words, ", then ")
}
