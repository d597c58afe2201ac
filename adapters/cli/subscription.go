package cli

import (
	"context"

	"github.com/spf13/cobra"

	"milaan/adapters/view"
	"milaan/domain"
	"milaan/ports"
)

func subscriptionCommand(deps Deps) *cobra.Command {
	return group(&cobra.Command{
		Use:   "subscription",
		Short: "Show, preview, start, change, cancel and refresh the subscription at Razorpay",
		Long: `Show, preview, start, change, cancel and refresh the subscription at Razorpay, as the
account's owner does in the dashboard. Commands that print the subscription do so as JSON.
They need the MILAAN_RAZORPAY settings of the service.`,
		Example: `  milaan account subscription show --email accounts@shop.example
  milaan account subscription start --email accounts@shop.example --plan pro
  milaan account subscription refresh --email accounts@shop.example`,
	},
		subscriptionAction(deps, "show", "Print the subscription as JSON",
			"Print what is stored of the account's subscription as JSON. What is not known is null.",
			ports.ManagingBilling.Show),
		subscriptionPreviewCommand(deps), subscriptionStartCommand(deps), subscriptionChangeCommand(deps), subscriptionCancelCommand(deps),
		subscriptionAction(deps, "refresh", "Fetch the subscription from Razorpay now",
			`Fetch the account's subscriptions from Razorpay now, change the account as they say, and
print the one that decides as JSON. The service does so by itself at each notice of
Razorpay, and at least once a day.`,
			ports.ManagingBilling.Refresh))
}

// subscriptionAction makes a command that has no flag but --email.
func subscriptionAction(
	deps Deps, name, short, long string, do func(ports.ManagingBilling, context.Context, string) (ports.AccountBilling, error),
) *cobra.Command {
	return forAccount(&cobra.Command{
		Use:     name + " --email E",
		Short:   short,
		Long:    long,
		Example: "  milaan account subscription " + name + " --email accounts@shop.example",
	}, deps, func(cmd *cobra.Command, billing ports.ManagingBilling, account domain.Account) error {
		shown, err := do(billing, cmd.Context(), account.ID)
		return printSubscription(cmd, deps, shown, err)
	})
}

func planFlag(cmd *cobra.Command) *string {
	const plans = "solo, pro or enterprise, or Razorpay's id of a plan"
	return requiredFlag(cmd, "plan", plans, ": "+plans)
}

func subscriptionStartCommand(deps Deps) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "start --email E --plan PLAN",
		Short: "Make a subscription, and print the page where it is paid",
		Long: `Make a subscription at Razorpay, and print the address of the page where its customer
pays, alone on the last line. Nothing is charged before. It begins when what is paid for
ends, and an earlier one that could still be charged for is ended before it is made. If
one of the same plan waits to be paid, its page is printed again.`,
		Example: "  milaan account subscription start --email accounts@shop.example --plan pro",
	}
	plan := planFlag(cmd)
	return forAccount(cmd, deps, func(cmd *cobra.Command, billing ports.ManagingBilling, account domain.Account) error {
		made, err := billing.Start(cmd.Context(), account.ID, *plan, domain.ByCommandLine)
		return say(cmd, err, "%s", made.URL)
	})
}

func subscriptionPreviewCommand(deps Deps) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "preview --email E --plan PLAN",
		Short: "Print what choosing a plan would do as JSON",
		Long: `Print what choosing a plan would do as JSON: whether another subscription takes the
place of the active one, when the plan begins, what it costs, and what the account gains
and loses. Nothing is changed.`,
		Example: "  milaan account subscription preview --email accounts@shop.example --plan solo",
	}
	plan := planFlag(cmd)
	return forAccount(cmd, deps, func(cmd *cobra.Command, billing ports.ManagingBilling, account domain.Account) error {
		p, err := billing.Preview(cmd.Context(), account.ID, *plan)
		return printView(cmd, p, err, func(p *ports.BillingPreview) any { return view.NewBillingPreview(p, deps.Clock()) })
	})
}

func subscriptionChangeCommand(deps Deps) *cobra.Command {
	var to ports.PlanChange
	cmd := &cobra.Command{
		Use:   "change --email E --plan PLAN [--anew] [--ends-now=false]",
		Short: "Move the subscription to another plan at once",
		Long: `Move the active subscription to another plan at Razorpay at once, and print it as JSON.
Razorpay refuses that for one that is paid by UPI or e-mandate, or whose payment has
failed. With --anew, that one ends when what is paid for ends, and another one begins
then, once its customer has agreed on its page: next.manage.
The first change of plan ends the older monthly caps of accounts that subscribed before
September 2026.`,
		Example: "  milaan account subscription change --email accounts@shop.example --plan enterprise",
	}
	cmd.Flags().BoolVar(&to.Anew, "anew", false, "begin another one when what is paid for ends")
	endsNow := endsNowFlag(cmd, "preview")
	plan := planFlag(cmd)
	return forAccount(cmd, deps, func(cmd *cobra.Command, billing ports.ManagingBilling, account domain.Account) error {
		to.Plan, to.EndsNow = *plan, endsNow()
		shown, err := billing.Change(cmd.Context(), account.ID, to, domain.ByCommandLine)
		return printSubscription(cmd, deps, shown, err)
	})
}

func subscriptionCancelCommand(deps Deps) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "cancel --email E [--ends-now=false]",
		Short: "Cancel the subscription to the end of the billed period",
		Long: `Cancel the subscription to the end of the billed period, and print it as JSON. A
subscription of which nothing is paid for now ends at once.`,
		Example: "  milaan account subscription cancel --email accounts@shop.example",
	}
	endsNow := endsNowFlag(cmd, "show")
	return forAccount(cmd, deps, func(cmd *cobra.Command, billing ports.ManagingBilling, account domain.Account) error {
		shown, err := billing.Cancel(cmd.Context(), account.ID, endsNow(), domain.ByCommandLine)
		return printSubscription(cmd, deps, shown, err)
	})
}

// endsNowFlag adds --ends-now to a command. What it returns is nil if the flag is not given.
func endsNowFlag(cmd *cobra.Command, shownBy string) func() *bool {
	var endsNow bool
	const name = "ends-now"
	cmd.Flags().BoolVar(&endsNow, name, false, "do nothing unless ends_now is still as "+shownBy+" has printed it: true or false")
	return func() *bool {
		if !cmd.Flags().Changed(name) {
			return nil
		}
		return &endsNow
	}
}

func printSubscription(cmd *cobra.Command, deps Deps, b ports.AccountBilling, err error) error {
	return printView(cmd, b, err, func(b *ports.AccountBilling) any { return view.NewListedSubscription(b, deps.Clock()) })
}
