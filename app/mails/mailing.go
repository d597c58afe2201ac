package mails

import (
	"context"
	"errors"

	"go.uber.org/fx"

	"milaan/app/accounts"
	"milaan/domain"
	"milaan/ports"
)

// Mailing sends the mails that are stored, each at least once. It does a MailJob. It also
// lets people choose which mails they get.
type Mailing struct{ in MailingParams }

// MailingParams are what NewMailing needs.
type MailingParams struct {
	fx.In

	Mails         ports.Mails
	Mailer        ports.Mailer
	Text          ports.MailText
	Alarms        ports.Alarms
	Unsubscribing *Unsubscribing
	Invitations   ports.Invitations
	Billing       ports.BillingBook
	Tokens        *accounts.InvitationTokens
	Base          ports.BaseURL
	Clock         ports.Clock
}

// NewMailing makes the use case.
func NewMailing(p MailingParams) *Mailing { return &Mailing{p} }

// Send sends a mail. What it says is read now. If the process dies after the server has
// taken it, it is sent once more, with the same Message-ID.
func (m *Mailing) Send(ctx context.Context, id string) error {
	mail, account, err := m.in.Mails.Find(ctx, id)
	switch {
	case errors.Is(err, domain.ErrNothingToDo):
		return nil
	case err != nil:
		return err
	}
	content, to, err := m.content(ctx, mail, account)
	if err != nil {
		return err
	}
	if content != nil && m.in.Mailer.Enabled() {
		message := ports.Message{ID: mail.ID, To: to, At: mail.CreatedAt}
		message.Subject, message.Text = m.in.Text(*content)
		if m.in.Base != "" && content.Invitation == nil { // whoever is invited gets one mail
			message.Unsubscribe = string(m.in.Base) + "/unsubscribe?token=" + m.in.Unsubscribing.Link(account.ID, mail.Kind)
		}
		if err := m.in.Mailer.Send(ctx, message); err != nil {
			return err
		}
	}
	return m.in.Mails.Sent(ctx, id, m.in.Clock())
}

// content returns what a mail says, and to whom; nil if there is nothing to say any more.
func (m *Mailing) content(
	ctx context.Context, mail domain.Mail, account domain.Account,
) (content *ports.MailContent, to string, err error) {
	switch mail.Kind {
	case domain.MailInvitation:
		return m.invitation(ctx, mail, account)
	case domain.MailTwice:
		all, err := m.in.Billing.Of(ctx, mail.AccountID)
		if err != nil || domain.ChargedTwice(all) == nil {
			return nil, "", err
		}
		return &ports.MailContent{Kind: mail.Kind, At: mail.CreatedAt, Base: string(m.in.Base)}, account.Email, nil
	}
	content, err = m.report(ctx, mail)
	return content, account.Email, err
}

func (m *Mailing) invitation(ctx context.Context, mail domain.Mail, account domain.Account) (*ports.MailContent, string, error) {
	i, err := m.in.Invitations.ByID(ctx, mail.Period)
	if errors.Is(err, domain.ErrInvitation) {
		return nil, "", nil
	}
	if err != nil {
		return nil, "", err
	}
	token := m.in.Tokens.Of(i)
	if token == "" || m.in.Base == "" || !i.Open(m.in.Clock()) {
		return nil, "", nil
	}
	link := string(m.in.Base) + ports.InvitationPage + token
	return &ports.MailContent{Kind: mail.Kind, At: mail.CreatedAt, Base: string(m.in.Base),
		Invitation: &ports.MailedInvitation{Account: account.Email, Role: i.Role, Link: link, Until: i.Until}}, i.Email, nil
}

// report returns what a mail about passes says; nil if there is nothing to say any more.
func (m *Mailing) report(ctx context.Context, mail domain.Mail) (*ports.MailContent, error) {
	content := &ports.MailContent{Kind: mail.Kind, At: mail.CreatedAt, Base: string(m.in.Base)}
	if mail.Kind == domain.MailDigest {
		from, to, _ := domain.DigestWeek(mail.CreatedAt)
		week, err := weekOf(ctx, m.in.Alarms, mail.AccountID, from, to)
		if err != nil || len(week) == 0 {
			return nil, err
		}
		content.Week = week
		return content, nil
	}
	watched, err := m.in.Alarms.Watched(ctx, mail.AccountID, mail.ConnectionID)
	if errors.Is(err, domain.ErrNoConnection) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	still := false
	for _, due := range watched.Connection.Alarms(watched.Last, m.in.Clock()) {
		still = still || due.Kind == mail.Kind
	}
	if !still {
		return nil, nil
	}
	content.Connection, content.Result = watched.Connection, watched.Last
	return content, nil
}

func (m *Mailing) Choice(ctx context.Context, accountID string) (choice domain.MailChoice, enabled bool, err error) {
	choice, err = m.in.Mails.Choice(ctx, accountID)
	return choice, m.in.Mailer.Enabled(), err
}

func (m *Mailing) Choose(ctx context.Context, accountID string, choice domain.MailChoice) error {
	return m.in.Mails.Choose(ctx, accountID, func(c *domain.MailChoice) { *c = choice })
}
