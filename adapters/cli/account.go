package cli

import (
	"encoding/json"
	"errors"
	"io"
	"strconv"
	"time"

	"github.com/spf13/cobra"
	"go.uber.org/fx"

	"milaan/adapters/view"
	"milaan/domain"
	"milaan/ports"
)

func accountCommand(deps Deps) *cobra.Command {
	return group(&cobra.Command{
		Use:   "account",
		Short: "Create, change, show, list, export and close accounts",
		Long: `Create, change, show, list, export and close accounts. Commands that print an account do
so as JSON. They work while the service runs; it sees a change at the next request.`,
		Example: `  milaan account create --email accounts@shop.example --plan pro
  milaan account set --email accounts@shop.example --subscription ended
  milaan account show --email accounts@shop.example`,
	}, createCommand(deps), setCommand(deps), showCommand(deps), listCommand(deps), exportCommand(deps), closeCommand(deps),
		phoneCommand(deps), subscriptionCommand(deps), brandCommand(deps), booksCommand(deps), securityCommand(deps))
}

// changes are the flags by which set changes an account.
var changes = []string{"plan", "subscription", "subscribed-on", "billing-day", "phone-verified", "run-cap", "overdue-days", "charges"}

// accountFlags are what create and set can say of an account.
type accountFlags struct {
	plan, subscription, subscribedOn, charges string
	billingDay                                int
	phoneVerified                             bool
	runCap, overdueDays                       *int
}

func (f *accountFlags) addTo(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVar(&f.plan, "plan", "", "solo, pro or enterprise; pro and enterprise may use the API")
	flags.StringVar(&f.subscription, "subscription", "active", "active, ended or incomplete (setup not finished)")
	flags.StringVar(&f.subscribedOn, "subscribed-on", "", "day of the subscription, such as 2026-08-31, not after today")
	flags.IntVar(&f.billingDay, "billing-day", 0, "day of the month on which a billing cycle begins, 1 to 31")
	flags.BoolVar(&f.phoneVerified, "phone-verified", true,
		"whether the phone number is verified (--phone-verified=false: it is not, and the API is blocked)")
	flags.Func("run-cap", "`N` runs per billing cycle instead of the plan's, or none for the plan's", orNone(&f.runCap))
	flags.Func("overdue-days", "`N` days until an unpaid order is overdue, 1 to 30, or none for Milaan's 7", orNone(&f.overdueDays))
	flags.StringVar(&f.charges, "charges", "flag", "whether charges that explain a deduction count as paid: accept or flag")
}

// apply alters the account by the flags that were given.
func (f *accountFlags) apply(cmd *cobra.Command, a *domain.Account, today domain.Day) error {
	given := cmd.Flags().Changed
	if given("subscribed-on") {
		day, err := time.Parse(time.DateOnly, f.subscribedOn)
		if err != nil {
			return domain.Faults{{Field: domain.FieldSubscribedOn, Rule: domain.RuleDay}}.Err()
		}
		a.SubscribeOn(domain.DayFromDate(day.Date()))
	}
	if given("plan") {
		a.ChangePlan(domain.Plan(f.plan), today)
	}
	if given("subscription") {
		a.SetSubscription(domain.Subscription(f.subscription))
	}
	if given("billing-day") {
		a.BillingDay = f.billingDay
	}
	if given("phone-verified") {
		a.PhoneVerified = f.phoneVerified
	}
	if given("run-cap") {
		a.RunCap = f.runCap
	}
	if given("overdue-days") {
		a.OverdueDays = 0
		if n := f.overdueDays; n != nil && *n == 0 {
			return domain.Faults{domain.OutOfBounds(domain.FieldOwnOverdueDays)}.Err()
		} else if n != nil {
			a.OverdueDays = *n
		}
	}
	if given("charges") {
		return a.ChooseCharges(domain.Charges(f.charges))
	}
	return nil
}

// orNone reads a whole number, or none, which is nil.
func orNone(into **int) func(string) error {
	return func(s string) error {
		if s == "none" {
			*into = nil
			return nil
		}
		n, err := strconv.Atoi(s)
		if err != nil {
			return errors.New("must be a whole number, or none")
		}
		*into = &n
		return nil
	}
}

func createCommand(deps Deps) *cobra.Command {
	var f accountFlags
	cmd := &cobra.Command{
		Use:   "create --email E --plan PLAN",
		Short: "Create an account",
		Long: `Create an account and print it as JSON. Without other flags it is subscribed from today
on, billed on this day of the month and active, and its phone number is verified.`,
		Example: `  milaan account create --email accounts@shop.example --plan pro
  milaan account create --email old@shop.example --plan solo --subscribed-on 2025-03-31 --billing-day 5
  milaan account create --email big@shop.example --plan enterprise --run-cap 500 --overdue-days 10`,
	}
	f.addTo(cmd)
	for flag, unset := range map[string]string{"subscribed-on": "today", "billing-day": "the day of the month of --subscribed-on"} {
		cmd.Flags().Lookup(flag).Usage += " (default " + unset + ")"
	}
	required(cmd, "plan", ": solo, pro or enterprise")
	return byEmail(cmd, deps, func(cmd *cobra.Command, accounts ports.ManagingAccounts, email string) error {
		a := domain.Account{Email: email, Plan: domain.Plan(f.plan), Subscription: domain.Subscription(f.subscription),
			PhoneVerified: f.phoneVerified}
		if cmd.Flags().Changed("billing-day") && f.billingDay == 0 {
			return domain.Faults{domain.OutOfBounds(domain.FieldBillingDay)}.Err()
		}
		// The plan is set already, so the day of its change does not matter.
		if err := f.apply(cmd, &a, domain.NoDay); err != nil {
			return err
		}
		a, err := accounts.Create(cmd.Context(), a)
		return printAccount(cmd, deps, a, err)
	})
}

func setCommand(deps Deps) *cobra.Command {
	var f accountFlags
	cmd := &cobra.Command{
		Use:   "set --email E",
		Short: "Change an account",
		Long: `Change what the flags name and nothing else, and print the account as JSON. A change of
plan ends the older monthly caps of accounts that subscribed before September 2026.`,
		Example: `  milaan account set --email accounts@shop.example --plan enterprise
  milaan account set --email accounts@shop.example --phone-verified=false
  milaan account set --email accounts@shop.example --run-cap none`,
	}
	f.addTo(cmd)
	for _, flag := range []string{"subscription", "phone-verified", "charges"} {
		cmd.Flags().Lookup(flag).DefValue = "" // the default is what the account says
	}
	cmd.PreRunE = anyOf(changes)
	return byEmail(cmd, deps, func(cmd *cobra.Command, accounts ports.ManagingAccounts, email string) error {
		a, err := accounts.Change(cmd.Context(), email, domain.ByCommandLine,
			func(a *domain.Account, today domain.Day) error { return f.apply(cmd, a, today) })
		return printAccount(cmd, deps, a, err)
	})
}

func showCommand(deps Deps) *cobra.Command {
	return byEmail(&cobra.Command{
		Use:     "show --email E",
		Short:   "Print an account as JSON",
		Long:    "Print an account as JSON. A monthly_cap of null is no limit.",
		Example: "  milaan account show --email accounts@shop.example",
	}, deps, func(cmd *cobra.Command, accounts ports.ManagingAccounts, email string) error {
		a, err := accounts.Show(cmd.Context(), email)
		return printAccount(cmd, deps, a, err)
	})
}

// signInPage is where a sign-in link leads. The token is behind #, so that browsers send it
// to no server by themselves, and no log has it.
const signInPage = "/app/sign-in#token="

func sessionCommand(deps Deps) *cobra.Command {
	var ttl time.Duration
	var link bool
	var account string
	cmd := &cobra.Command{
		Use:   "session --email E",
		Short: "Print a session token to issue the API key with, or a link to sign in with",
		Long: `Print a session token of the built-in issuer, alone on the last line. With it a program
can issue the account's API key, by POST /generate-api-key, as people do in the dashboard.

The address is a person's: an account's own, or a member's. A program of somebody who
works for several accounts chooses one by the header X-Account, which is its address; so
does that of a member who has joined by the link of an invitation and has not signed in.
A token is for accounts that are older than itself.

With --link, print a link instead, alone on the last line. Whoever opens it first, within
10 minutes, signs in to the dashboard as this person. The link begins with
MILAAN_PUBLIC_URL or, if that is not set, with MILAAN_ADDR. The account's security log
says that it was made.

If MILAAN_OIDC_ISSUER is set, tokens come from that provider, people sign in there, and
this command fails.`,
		Example: `  milaan session --email accounts@shop.example --link
  milaan session --email accounts@shop.example
  curl -X POST -H "Authorization: Bearer $(milaan session --email accounts@shop.example | tail -n 1)" \
    -H "Content-Type: application/json" http://127.0.0.1:8080/generate-api-key`,
	}
	cmd.Flags().DurationVar(&ttl, "ttl", time.Hour, "how long the token is valid, 1s to 24h")
	cmd.Flags().BoolVar(&link, "link", false, "print a link to sign in with, once and within 10 minutes")
	cmd.Flags().StringVar(&account, "account", "", "with --link: e-mail address of the account, if the person works for several")
	cmd.PreRunE = func(cmd *cobra.Command, _ []string) error {
		if link && cmd.Flags().Changed("ttl") {
			return usagef("--ttl cannot stand beside --link: a link is valid for 10 minutes")
		}
		if !link && account != "" {
			return usagef("--account stands beside --link: a session token is a person's, and the header X-Account of a request chooses the account")
		}
		return nil
	}
	return byEmail(cmd, deps, func(cmd *cobra.Command, signIn signingIn, email string) error {
		if !link {
			token, err := signIn.Sessions.Session(cmd.Context(), email, ttl)
			return say(cmd, err, "%s", token)
		}
		if signIn.Base == "" {
			return errNoBase
		}
		token, err := signIn.Sessions.Link(cmd.Context(), email, account)
		return say(cmd, err, "%s%s%s", signIn.Base, signInPage, token)
	})
}

// signingIn makes session tokens, and links to sign in with.
type signingIn struct {
	fx.In

	Sessions ports.SigningIn
	Base     ports.BaseURL
}

// errNoBase says that nobody could open a link: it has no address.
var errNoBase = errors.New("it is not known by which address people reach the service: set MILAAN_PUBLIC_URL, such as " +
	"https://milaan.example")

func printAccount(cmd *cobra.Command, deps Deps, a domain.Account, err error) error {
	return printView(cmd, a, err, func(a *domain.Account) any { return view.NewListedAccount(a, deps.Clock()) })
}

// printView prints what a use case returned, or returns its error.
func printView[D, V any](cmd *cobra.Command, of D, err error, view func(*D) V) error {
	if err != nil {
		return err
	}
	return printJSON(cmd.OutOrStdout(), view(&of))
}

// printJSON writes a value for people and programs.
func printJSON(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(v)
}
