package mail

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net/mail"
	"net/url"
	"strconv"
	"strings"
	"time"

	gomail "github.com/wneessen/go-mail"

	"milaan/config"
	"milaan/ports"
	"milaan/ports/peers"
)

// limit is how long it may take to hand a mail to the server.
const limit = 30 * time.Second

// Mailer sends mails. It is safe for concurrent use.
type Mailer struct {
	from    *mail.Address
	host    string
	options []gomail.Option
}

// New makes a Mailer, which sends nothing without a server. It returns an error for settings that
// are no address.
func New(c config.Mail) (*Mailer, error) {
	if c.SMTPURL == "" {
		return &Mailer{}, nil
	}
	u, err := url.Parse(string(c.SMTPURL))
	if err != nil || u.Hostname() == "" {
		return nil, errors.New("the address of the mail server cannot be read") // it has a password, so it is not repeated
	}
	from, err := mail.ParseAddress(c.MailFrom)
	if err != nil {
		return nil, errors.New("the sender of mails is no address")
	}
	m := &Mailer{from: from, host: u.Hostname()}
	m.options = []gomail.Option{gomail.WithTimeout(limit), gomail.WithoutNoop(),
		gomail.WithTLSConfig(&tls.Config{ServerName: u.Hostname(), MinVersion: tls.VersionTLS12})}
	port := 587
	switch {
	case u.Scheme == "smtps":
		port = 465
		m.options = append(m.options, gomail.WithSSL())
	case peers.IsThisMachine(u.Hostname()): // nobody on the way can read a mail
		m.options = append(m.options, gomail.WithTLSPolicy(gomail.TLSOpportunistic))
	default:
		m.options = append(m.options, gomail.WithTLSPolicy(gomail.TLSMandatory))
	}
	if u.Port() != "" {
		if port, err = strconv.Atoi(u.Port()); err != nil {
			return nil, errors.New("the port of the mail server is no number")
		}
	}
	m.options = append(m.options, gomail.WithPort(port))
	if password, has := u.User.Password(); has {
		auth := gomail.SMTPAuthAutoDiscover
		if u.Scheme == "smtp" && peers.IsThisMachine(u.Hostname()) {
			auth = gomail.SMTPAuthPlainNoEnc // the library finds no other way without TLS
		}
		m.options = append(m.options, gomail.WithSMTPAuth(auth), gomail.WithUsername(u.User.Username()), gomail.WithPassword(password))
	}
	return m, nil
}

func (m *Mailer) Enabled() bool { return m.host != "" }

func (m *Mailer) Send(ctx context.Context, message ports.Message) error {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	msg, err := m.compose(message)
	if err != nil {
		return err
	}
	client, err := gomail.NewClient(m.host, m.options...)
	if err != nil {
		return errors.New("the settings of the mail server cannot be used")
	}
	if err := client.DialAndSendWithContext(ctx, msg); err != nil {
		return withoutMessage(ctx, err)
	}
	return nil
}

// compose writes a message of one part of plain text.
func (m *Mailer) compose(message ports.Message) (*gomail.Msg, error) {
	msg := gomail.NewMsg(gomail.WithNoDefaultUserAgent(), gomail.WithEncoding(gomail.EncodingQP))
	msg.SetAddrHeaderFromMailAddress(gomail.HeaderFrom, m.from)
	if err := msg.To(message.To); err != nil {
		return nil, errors.New("the account's e-mail address cannot be written to")
	}
	msg.Subject(message.Subject)
	msg.SetDateWithValue(message.At)
	_, host, _ := strings.Cut(m.from.Address, "@")
	msg.SetMessageIDWithValue(message.ID + "@" + host)
	msg.SetGenHeader("Auto-Submitted", "auto-generated") // RFC 3834: nobody's program answers
	text := message.Text
	if message.Unsubscribe != "" {
		msg.SetListUnsubscribe(message.Unsubscribe)
		msg.SetListUnsubscribePost() // RFC 8058
		text += "\nTo get no more of these mails: " + message.Unsubscribe + "\n"
	}
	msg.SetBodyString(gomail.TypeTextPlain, text)
	return msg, nil
}

// withoutMessage returns an error for the log: what a server answers may repeat the address
// that a mail is for.
func withoutMessage(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return fmt.Errorf("the mail server did not take a mail in time: %w", ctx.Err())
	}
	if e, ok := errors.AsType[*gomail.SendError](err); ok {
		return fmt.Errorf("the mail server refused a mail: code %d, reason %d", e.ErrorCode(), e.Reason)
	}
	return errors.New("the mail server cannot be reached, or refused the sign-in")
}
