package cli

import (
	"fmt"
	"time"

	"github.com/spf13/cobra"
	"go.uber.org/fx"

	"milaan/adapters/cli/terminal"
	"milaan/adapters/view"
	"milaan/domain"
	"milaan/ports"
)

func peopleCommand(deps Deps) *cobra.Command {
	return group(&cobra.Command{
		Use:   "people",
		Short: "Invite, change and remove the people who work for an account",
		Long: fmt.Sprintf(`Invite, change and remove the people who work for an account. Who has the account's own
address is always an owner. Others are members, each with a role:

  owner        everything: people, the key, the webhook, connections and settings too
  accountant   runs, documents and reports, and what they need
  reader       the history of runs

An account has at most %d members and open invitations together, and makes at most %d
invitations a day. The API key is the account's: everybody who has it may use it.`, domain.MaxPeople, domain.MaxInvitations),
		Example: `  milaan people list --email accounts@shop.example
  milaan people invite --email accounts@shop.example --person ca@books.example --role accountant
  milaan people set --email accounts@shop.example --person ca@books.example --role reader
  milaan people remove --email accounts@shop.example --person ca@books.example`,
	}, listPeopleCommand(deps), inviteCommand(deps), setRoleCommand(deps), removePersonCommand(deps))
}

func personFlag(cmd *cobra.Command) *string {
	return requiredFlag(cmd, "person", "e-mail address of the person", "")
}

func roleFlag(cmd *cobra.Command) *string {
	return requiredFlag(cmd, "role", "owner, accountant or reader", ": owner, accountant or reader")
}

func listPeopleCommand(deps Deps) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "list --email E",
		Short: "List who works for an account, and who is invited",
		Long: `List who works for an account, and who is invited. The state own is that of the account's
own address.`,
		Example: "  milaan people list --email accounts@shop.example --json",
	}
	asJSON := cmd.Flags().Bool("json", false, "print JSON")
	return forAccount(cmd, deps, func(cmd *cobra.Command, people ports.ManagingPeople, account domain.Account) error {
		found, err := people.People(cmd.Context(), account.ID)
		if err != nil {
			return err
		}
		views := view.NewListedPeople(&account, &found)
		if *asJSON {
			return printJSON(cmd.OutOrStdout(), views)
		}
		t := terminal.NewTable("PERSON", "ROLE", "STATE", "SINCE", "UNTIL")
		for _, v := range views {
			t.Add(v.Email, string(v.Role), v.State, momentText(time.Time(v.AddedAt)), momentText(time.Time(v.Until)))
		}
		return terminal.WriteTables(cmd.OutOrStdout(), t)
	})
}

func inviteCommand(deps Deps) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "invite --email E --person P --role R",
		Short: "Invite a person to work for an account",
		Long: `Invite a person to work for an account, and print the link by which they become a member,
alone on the last line. It serves once, within 7 days, and takes the place of an earlier
one for the same address. If mail is set up, it is mailed to the person too. Where an
identity provider signs people in, the person must sign in there with this very address.
The link begins with MILAAN_PUBLIC_URL or, if that is not set, with MILAAN_ADDR.`,
		Example: "  milaan people invite --email accounts@shop.example --person ca@books.example --role accountant",
	}
	person, role := personFlag(cmd), roleFlag(cmd)
	return forAccount(cmd, deps, func(cmd *cobra.Command, inviting inviting, account domain.Account) error {
		if inviting.Base == "" {
			return errNoBase
		}
		address, err := personAddress(*person)
		if err != nil {
			return err
		}
		made, err := inviting.People.Invite(cmd.Context(), account, address, *role, domain.ByCommandLine)
		if err == nil && made.Mailed {
			_, err = fmt.Fprintln(cmd.ErrOrStderr(), "The link is mailed to the person too.")
		}
		return say(cmd, err, "%s%s%s", inviting.Base, ports.InvitationPage, made.Token)
	})
}

// inviting makes invitations, and knows where they lead.
type inviting struct {
	fx.In

	People ports.ManagingPeople
	Base   ports.BaseURL
}

func setRoleCommand(deps Deps) *cobra.Command {
	cmd := &cobra.Command{
		Use:     "set --email E --person P --role R",
		Short:   "Change the role of a member, or of an open invitation",
		Long:    "Change the role of a member, or of an open invitation. It holds from the member's next\nrequest on.",
		Example: "  milaan people set --email accounts@shop.example --person ca@books.example --role reader",
	}
	person, role := personFlag(cmd), roleFlag(cmd)
	return forAccount(cmd, deps, func(cmd *cobra.Command, people ports.ManagingPeople, account domain.Account) error {
		id, err := findPerson(cmd, people, account, *person)
		if err == nil {
			err = people.ChangeRole(cmd.Context(), account.ID, id, *role, domain.ByCommandLine)
		}
		return say(cmd, err, "The role is changed.")
	})
}

func removePersonCommand(deps Deps) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "remove --email E --person P",
		Short: "Remove a member, or withdraw an open invitation",
		Long: "Remove a member, or withdraw an open invitation. A member's sessions for the account end\nat once. The API key stays " +
			"as it is: if they know it, issue another one.",
		Example: "  milaan people remove --email accounts@shop.example --person ca@books.example",
	}
	person := personFlag(cmd)
	return forAccount(cmd, deps, func(cmd *cobra.Command, people ports.ManagingPeople, account domain.Account) error {
		id, err := findPerson(cmd, people, account, *person)
		if err == nil {
			err = people.Remove(cmd.Context(), account.ID, id, domain.ByCommandLine)
		}
		return say(cmd, err, "The person is removed.")
	})
}

// personAddress reads --person. The domain's own fault would name --email, which is the account's.
func personAddress(person string) (string, error) {
	email, err := domain.ParseEmail(person)
	if err != nil {
		err = usagef("--person must be an e-mail address such as ca@books.example")
	}
	return email, err
}

// findPerson returns the id of a member or of an open invitation by the address.
func findPerson(cmd *cobra.Command, people ports.ManagingPeople, account domain.Account, person string) (string, error) {
	email, err := personAddress(person)
	if err != nil {
		return "", err
	}
	if email == account.Email {
		return "", domain.ErrOwnAddress
	}
	found, err := people.People(cmd.Context(), account.ID)
	if err != nil {
		return "", err
	}
	for _, m := range found.Members {
		if m.Email == email {
			return m.ID, nil
		}
	}
	for _, i := range found.Invitations {
		if i.Email == email {
			return i.ID, nil
		}
	}
	return "", domain.ErrNoMember
}
