package accounts

import (
	"context"

	"go.uber.org/fx"

	"milaan/app/admission"
	"milaan/app/ids"
	"milaan/domain"
	"milaan/ports"
)

// People manages who works for an account.
type People struct {
	fx.In

	Members ports.People
	Tokens  InvitationTokens
	Mailer  ports.Mailer
	Base    ports.BaseURL
	Clock   ports.Clock
}

func (p *People) People(ctx context.Context, accountID string) (ports.PeopleOf, error) {
	members, open, err := p.Members.List(ctx, accountID, p.Clock())
	return ports.PeopleOf{Members: members, Invitations: open}, err
}

// Invite needs the address by which people reach the service, for the link in the mail.
func (p *People) Invite(ctx context.Context, a domain.Account, email, role string, by domain.Actor) (ports.NewInvitation, error) {
	email, err := domain.ParseNewEmail(email)
	if err != nil {
		return ports.NewInvitation{}, err
	}
	parsed, err := domain.ParseMemberRole(role)
	if err != nil {
		return ports.NewInvitation{}, err
	}
	now := p.Clock()
	made := ports.NewInvitation{Invitation: domain.Invitation{ID: ids.New(), AccountID: a.ID, Email: email, Role: parsed, MadeAt: now,
		Until: now.Add(domain.InvitationLimit)}}
	made.Token = p.Tokens.tokens(made.ID)[0]
	if made.Hash, err = domain.HashInvitation(made.Token); err != nil {
		return ports.NewInvitation{}, err
	}
	var mail domain.Mail
	if made.Mailed = p.Mailer.Enabled() && p.Base != ""; made.Mailed {
		mail = domain.Mail{ID: ids.New(), AccountID: a.ID, Kind: domain.MailInvitation, Period: made.ID, CreatedAt: now}
	}
	event := admission.NewEvent(domain.SecurityEvent{AccountID: a.ID, At: now, Kind: domain.SecurityInvited, Detail: string(parsed),
		Whom: email, By: by})
	if err := p.Members.Invite(ctx, made.Invitation, event, mail); err != nil {
		return ports.NewInvitation{}, err
	}
	return made, nil
}

func (p *People) ChangeRole(ctx context.Context, accountID, id, role string, by domain.Actor) error {
	parsed, err := domain.ParseMemberRole(role)
	if err != nil {
		return err
	}
	return p.Members.ChangeRole(ctx, accountID, id, parsed,
		admission.NewEvent(domain.SecurityEvent{At: p.Clock(), Kind: domain.SecurityMemberChanged, Detail: string(parsed), By: by}))
}

func (p *People) Remove(ctx context.Context, accountID, id string, by domain.Actor) error {
	now := p.Clock()
	return p.Members.Remove(ctx, accountID, id,
		admission.NewEvent(domain.SecurityEvent{At: now, Kind: domain.SecurityMemberGone, By: by}),
		admission.NewEvent(domain.SecurityEvent{At: now, Kind: domain.SecurityUninvited, By: by}))
}
