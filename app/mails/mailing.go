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
// lets people choose which mails they get, and end them from a link in a mail.
type Mailing struct {
	fx.In

	Mails       ports.Mails
	Mailer      ports.Mailer
	Text        ports.MailText
	Alarms      ports.Alarms
	Accounts    ports.Accounts
	Invitations ports.Invitations
	Billing     ports.BillingBook
	Subkeys     ports.Subkeys
	Tokens      accounts.InvitationTokens
	Base        ports.BaseURL
	Clock       ports.Clock
}

// Send sends a mail. What it says is read now. If the process dies after the server has
// taken it, it is sent once more, with the same Message-ID.
func (m *Mailing) Send(ctx context.Context, id string) error {
	mail, account, err := m.Mails.Find(ctx, id)
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
	if content != nil && m.Mailer.Enabled() {
		message := ports.Message{ID: mail.ID, To: to, At: mail.CreatedAt}
		message.Subject, message.Text = m.Text(*content)
		if m.Base != "" && content.Invitation == nil { // whoever is invited gets one mail
			message.Unsubscribe = string(m.Base) + "/unsubscribe?token=" + m.Link(account.ID, mail.Kind)
		}
		if err := m.Mailer.Send(ctx, message); err != nil {
			return err
		}
	}
	return m.Mails.Sent(ctx, id, m.Clock())
}

// content returns what a mail says, and to whom; nil if there is nothing to say any more.
func (m *Mailing) content(
	ctx context.Context, mail domain.Mail, account domain.Account,
) (content *ports.MailContent, to string, err error) {
	switch mail.Kind {
	case domain.MailInvitation:
		return m.invitation(ctx, mail, account)
	case domain.MailTwice:
		all, err := m.Billing.Of(ctx, mail.AccountID)
		if err != nil || domain.ChargedTwice(all) == nil {
			return nil, "", err
		}
		return &ports.MailContent{Kind: mail.Kind, At: mail.CreatedAt, Base: string(m.Base)}, account.Email, nil
	}
	content, err = m.report(ctx, mail)
	return content, account.Email, err
}

func (m *Mailing) invitation(ctx context.Context, mail domain.Mail, account domain.Account) (*ports.MailContent, string, error) {
	i, err := m.Invitations.ByID(ctx, mail.Period)
	if errors.Is(err, domain.ErrInvitation) {
		return nil, "", nil
	}
	if err != nil {
		return nil, "", err
	}
	token := m.Tokens.Of(i)
	if token == "" || m.Base == "" || !i.Open(m.Clock()) {
		return nil, "", nil
	}
	link := string(m.Base) + ports.InvitationPage + token
	return &ports.MailContent{Kind: mail.Kind, At: mail.CreatedAt, Base: string(m.Base),
		Invitation: &ports.MailedInvitation{Account: account.Email, Role: i.Role, Link: link, Until: i.Until}}, i.Email, nil
}

// report returns what a mail about passes says; nil if there is nothing to say any more.
func (m *Mailing) report(ctx context.Context, mail domain.Mail) (*ports.MailContent, error) {
	content := &ports.MailContent{Kind: mail.Kind, At: mail.CreatedAt, Base: string(m.Base)}
	if mail.Kind == domain.MailDigest {
		from, to, _ := domain.DigestWeek(mail.CreatedAt)
		week, err := weekOf(ctx, m.Alarms, mail.AccountID, from, to)
		if err != nil || len(week) == 0 {
			return nil, err
		}
		content.Week = week
		return content, nil
	}
	watched, err := m.Alarms.Watched(ctx, mail.AccountID, mail.ConnectionID)
	if errors.Is(err, domain.ErrNoConnection) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	still := false
	for _, due := range watched.Connection.Alarms(watched.Last, m.Clock()) {
		still = still || due.Kind == mail.Kind
	}
	if !still {
		return nil, nil
	}
	content.Connection, content.Result = watched.Connection, watched.Last
	return content, nil
}

func (m *Mailing) Choice(ctx context.Context, accountID string) (choice domain.MailChoice, enabled bool, err error) {
	choice, err = m.Mails.Choice(ctx, accountID)
	return choice, m.Mailer.Enabled(), err
}

func (m *Mailing) Choose(ctx context.Context, accountID string, choice domain.MailChoice) error {
	return m.Mails.Choose(ctx, accountID, func(c *domain.MailChoice) { *c = choice })
}
