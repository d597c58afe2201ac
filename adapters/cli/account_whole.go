package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"time"

	"github.com/spf13/cobra"
	"go.uber.org/fx"

	"milaan/adapters/cli/terminal"
	"milaan/adapters/view"
	"milaan/domain"
	"milaan/ports"
	"milaan/ports/peers"
)

type exporter struct {
	fx.In

	Exporting ports.ClosingAccounts
	Exports   peers.Answers
}

func listCommand(deps Deps) *cobra.Command {
	var plan, subscription string
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List the accounts of the service",
		Long: `List the accounts of the service by their e-mail addresses. However many there are, few
are in memory. CAP is how many runs a billing cycle may have.`,
		Example: `  milaan account list
  milaan account list --plan enterprise --subscription active
  milaan account list --json`,
	}
	flags := cmd.Flags()
	flags.StringVar(&plan, "plan", "", "only accounts of this plan: solo, pro or enterprise")
	flags.StringVar(&subscription, "subscription", "", "only accounts whose subscription is active, ended or incomplete")
	flags.BoolVar(&asJSON, "json", false, "print a JSON list, one account a line")
	return opening(cmd, deps, func(cmd *cobra.Command, listing ports.ManagingAccounts) error {
		accounts := listing.List(cmd.Context(), ports.AccountFilter{Plan: domain.Plan(plan), Subscription: domain.Subscription(subscription)})
		if asJSON {
			return printAccountsJSON(cmd.OutOrStdout(), accounts, deps.Clock())
		}
		return printAccounts(cmd.OutOrStdout(), accounts, deps.Clock())
	})
}

// printAccountsJSON prints accounts as a list, each as soon as it is read.
func printAccountsJSON(out io.Writer, accounts iter.Seq2[domain.Account, error], now time.Time) error {
	before := "["
	for account, err := range accounts {
		if err != nil {
			return err
		}
		text, err := json.Marshal(view.NewListedAccount(&account, now))
		if err != nil {
			return err
		}
		if _, err := fmt.Fprintf(out, "%s\n  %s", before, text); err != nil {
			return err
		}
		before = ","
	}
	if before == "[" {
		_, err := fmt.Fprintln(out, "[]")
		return err
	}
	_, err := fmt.Fprintln(out, "\n]")
	return err
}

// printAccounts prints accounts as a table. They are read twice: the first time to learn how
// wide the columns are.
func printAccounts(out io.Writer, accounts iter.Seq2[domain.Account, error], now time.Time) error {
	var failed error
	listed := 0
	t := terminal.NewTable("E-MAIL", "PLAN", "SUBSCRIPTION", "SINCE", "PHONE", ">CAP", "CREATED")
	t.Rows = func(yield func([][]byte) bool) {
		for a, err := range accounts {
			if failed = err; err != nil {
				return
			}
			listed++
			phone, limit := "not verified", "none"
			if a.PhoneVerified {
				phone = "verified"
			}
			if runs, limited := a.MonthlyCap(); limited {
				limit = fmt.Sprint(runs)
			}
			row := [][]byte{[]byte(terminal.PrintableText(a.Email)), []byte(a.Plan), []byte(a.SubscriptionAt(now)),
				[]byte(a.SubscribedOn.String()), []byte(phone), []byte(limit),
				[]byte(domain.DayOf(a.CreatedAt).String())}
			if !yield(row) {
				return
			}
		}
	}
	for range t.Rows {
		break
	}
	switch {
	case failed != nil:
		return failed
	case listed == 0:
		_, err := fmt.Fprintln(out, "No accounts.")
		return err
	}
	if err := terminal.WriteTables(out, t); err != nil {
		return err
	}
	return failed
}

func exportCommand(deps Deps) *cobra.Command {
	var target string
	var force bool
	cmd := &cobra.Command{
		Use:   "export --email E [-o FILE] [--force]",
		Short: "Write everything that is stored of an account, as JSON",
		Long: `Write everything that is stored of an account and can be told, as one JSON object: the
account, its people, its subscriptions at the billing provider, the prefixes of its keys,
its sessions, saved mappings, branding, the webhook's endpoint, connections with their
passes and kept files, mails, batches with the results that are still kept, deliveries,
the security log, and all runs. It has no secret: no key, no signing secret, no
credentials of shops and report sources, and of the phone number its last digits only.

A file is made for its owner only, and stands there once it is complete. One that exists
is not overwritten unless --force is given.`,
		Example: `  milaan account export --email accounts@shop.example -o account.json
  milaan account export --email accounts@shop.example | jq .runs`,
	}
	cmd.Flags().StringVarP(&target, "output", "o", "-", "file to write; - for standard output")
	cmd.Flags().BoolVar(&force, "force", false, "overwrite a file that exists")
	return forAccount(cmd, deps, func(cmd *cobra.Command, exporter exporter, account domain.Account) error {
		files := newDocumentFiles(cmd.Context(), ownersDisk{}, nil, force)
		defer files.Discard()
		out, err := cmd.OutOrStdout(), error(nil)
		if target != standardInput {
			out, err = files.begin(target)
		}
		if err != nil {
			return err
		}
		export, err := exporter.Exporting.Export(cmd.Context(), account.ID, domain.ByCommandLine)
		if err == nil {
			err = exporter.Exports.WriteExport(out, export)
		}
		if err != nil || target == standardInput {
			return err
		}
		return say(cmd, files.Publish(), "%s has everything that is stored of %s.", terminal.PrintableText(target),
			terminal.PrintableText(account.Email))
	})
}

func closeCommand(deps Deps) *cobra.Command {
	var confirm string
	var leave bool
	cmd := &cobra.Command{
		Use:   "close --email E --confirm E",
		Short: "Delete an account with everything that is stored of it",
		Long: `Delete an account with everything that is stored of it: its keys, its people and their
sessions, its runs, saved mappings, branding, webhook and deliveries, batches with their
files and results, connections with what the autopilot keeps, mails and its security
log. A subscription at the billing provider is cancelled first. Nobody can bring any of
it back, except from a backup of the database: export the account before, if what it has
is still needed.

With --leave-subscription the billing provider is not asked, as when billing is switched
off or the provider does not answer. Razorpay then goes on charging the customer until
the subscription is cancelled there: do that in Razorpay's dashboard.

If the command fails, nothing has been deleted.`,
		Example: `  milaan account export --email old@shop.example -o old.json
  milaan account close --email old@shop.example --confirm old@shop.example`,
	}
	cmd.Flags().StringVar(&confirm, "confirm", "", "the same e-mail address again (required)")
	cmd.Flags().BoolVar(&leave, "leave-subscription", false,
		"do not cancel the subscription; Razorpay goes on charging until it is cancelled there")
	return forAccount(cmd, deps, func(cmd *cobra.Command, closing ports.ClosingAccounts, account domain.Account) error {
		err := closing.Close(cmd.Context(), account, ports.Closing{Confirm: confirm, LeaveSubscription: leave, By: domain.ByCommandLine})
		if errors.Is(err, domain.ErrOpenSubscription) {
			return errors.New("the account has an open subscription at Razorpay, and billing is switched off here: set MILAAN_RAZORPAY_* again, " +
				"so that it is cancelled, or add --leave-subscription: then Razorpay goes on charging until it is cancelled there")
		}
		if err != nil {
			return err
		}
		if leave {
			if _, err := fmt.Fprintln(cmd.ErrOrStderr(), "If the account has a subscription at Razorpay, Razorpay goes on charging for it until "+
				"it is cancelled there."); err != nil {
				return err
			}
		}
		return say(cmd, nil, "The account %s is closed. Nothing is stored of it any more.", terminal.PrintableText(account.Email))
	})
}
