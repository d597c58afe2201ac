package wording

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"milaan/domain"
	"milaan/ports"
	"milaan/ports/peers"
)

// TestTheMailOfAnInvitation holds what somebody reads who does not know the service.
func TestTheMailOfAnInvitation(t *testing.T) {
	for role, says := range map[domain.MemberRole]string{
		domain.Owner:      "Your role is owner: you may do everything.",
		domain.Accountant: "Your role is accountant: you may make runs, documents and reports.",
		domain.Reader:     "Your role is reader: you may see the history of runs.",
	} {
		subject, text := NewMails(threeCouriers{}).MailText(ports.MailContent{Kind: domain.MailInvitation, Base: "https://milaan.example", Invitation: &ports.MailedInvitation{
			Account: "asha@shop.example", Role: role, Link: "https://milaan.example/app/invitation#token=x", Until: time.Date(2026, time.November, 29, 6, 30, 0, 0, time.UTC),
		}})
		require.Equal(t, "Milaan: asha@shop.example invites you", subject)
		require.Equal(t, "asha@shop.example invites you to work for their account of Milaan, which compares cash-on-delivery orders with what couriers pay out.\n"+
			says+"\nTo accept, open this link. It serves once, until 29 Nov 2026, 12:00 pm IST, and is for you alone:\nhttps://milaan.example/app/invitation#token=x\n"+
			"If you do not know asha@shop.example, do nothing: without you the link makes nobody a member.\n", text)
	}
}

// TestWhatIsSaidOfPeople holds the sentences about members and invitations.
func TestWhatIsSaidOfPeople(t *testing.T) {
	for want, err := range map[string]error{
		"the account has neither such a person nor such an invitation: the list of people shows those that there are":                                          domain.ErrNoMember,
		"this person works for the account already: change their role instead":                                                                                 domain.ErrMemberExists,
		"this is the account's own address, which is always an owner: it is neither invited nor changed nor removed":                                           domain.ErrOwnAddress,
		"the account has 50 people and open invitations, the most that it may have: remove one that is not needed, and then invite this person":                domain.ErrPeople,
		"the account has made 20 invitations within a day, the most that it may make: invite the others tomorrow":                                              domain.ErrInvitations(time.Hour),
		"this invitation was accepted before, was withdrawn, is more than 7 days old or is not one of ours: ask who has invited you for another one":           domain.ErrInvitation,
		"this invitation is for another e-mail address: sign in at the identity provider with the address that was invited, or ask for an invitation to yours": domain.ErrInvited,
		"you do not work for such an account: choose one of your own accounts, or ask an owner of that one to invite you":                                      domain.ErrNotMember,
		"your session token does not say which account is meant: send the header X-Account with its e-mail address":                                            domain.ErrWhichAccount,
		"too many accounts were made within a day: try again in some hours, or ask who runs this service for an account":                                       domain.ErrSignUps,
		"<role 0> must be owner, accountant or reader":                                                                                                         domain.Faults{{Field: domain.FieldMemberRole, Rule: domain.RuleOneOf, Options: []string{"owner", "accountant", "reader"}}}.Err(),
	} {
		require.Equal(t, want, say(peers.API, err))
	}
}
