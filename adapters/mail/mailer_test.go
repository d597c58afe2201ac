package mail_test

import (
	"context"
	"errors"
	"io"
	"mime/quotedprintable"
	netmail "net/mail"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"milaan/adapters/mail"
	"milaan/config"
	"milaan/ports"
	"milaan/tests/fakes/smtp"
	"milaan/tests/only"
)

func message() ports.Message {
	return ports.Message{ID: "0199-a", To: "asha@shop.example", Subject: "Milaan: ₹1,240.00 at risk", Text: "Shop A: ₹1,240.00 at risk.\n",
		Unsubscribe: "https://milaan.example/unsubscribe?token=digest.1.x", At: time.Date(2026, 11, 23, 3, 30, 0, 0, time.UTC)}
}

func TestAMailIsTakenAsItIsWritten(t *testing.T) {
	server := smtp.New(t, "milaan", "hush")
	m, err := mail.New(config.Mail{SMTPURL: config.Secret("smtp://milaan:hush@" + server.Addr), MailFrom: "Milaan <milaan@milaan.example>"})
	require.NoError(t, err)
	require.True(t, m.Enabled())
	for range 2 {
		require.NoError(t, m.Send(t.Context(), message()))
	}
	mails := server.Mails()
	require.Len(t, mails, 2)
	require.Equal(t, "asha@shop.example", mails[0].To)
	var ids []string
	for _, taken := range mails {
		read := only.Value(netmail.ReadMessage(strings.NewReader(taken.Data)))(t)
		ids = append(ids, read.Header.Get("Message-ID"))
		require.Equal(t, `"Milaan" <milaan@milaan.example>`, read.Header.Get("From"))
		require.Equal(t, "<https://milaan.example/unsubscribe?token=digest.1.x>", read.Header.Get("List-Unsubscribe"))
		require.Equal(t, "List-Unsubscribe=One-Click", read.Header.Get("List-Unsubscribe-Post"))
		require.Equal(t, "Mon, 23 Nov 2026 03:30:00 +0000", read.Header.Get("Date"))
		body := only.Value(io.ReadAll(quotedprintable.NewReader(read.Body)))(t)
		require.Contains(t, string(body), "Shop A: ₹1,240.00 at risk.")
		require.Contains(t, string(body), "To get no more of these mails: https://milaan.example/unsubscribe?token=digest.1.x")
	}
	require.Equal(t, []string{"<0199-a@milaan.example>", "<0199-a@milaan.example>"}, ids, "a mail that is sent twice has one Message-ID")
}

func TestErrorsTellNothingOfAMail(t *testing.T) {
	server := smtp.New(t, "milaan", "hush")
	wrong, err := mail.New(config.Mail{SMTPURL: config.Secret("smtp://milaan:secret-word@" + server.Addr), MailFrom: "milaan@milaan.example"})
	require.NoError(t, err)
	right, err := mail.New(config.Mail{SMTPURL: config.Secret("smtp://milaan:hush@" + server.Addr), MailFrom: "milaan@milaan.example"})
	require.NoError(t, err)
	server.Refuse(errors.New("no mailbox asha@shop.example here"))
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	for name, err := range map[string]error{
		"sign-in refused": wrong.Send(t.Context(), message()),
		"mail refused":    right.Send(t.Context(), message()),
		"ended":           right.Send(ended, message()),
	} {
		require.Error(t, err, name)
		for _, secret := range []string{"asha", "secret-word", "hush", "1,240"} {
			require.NotContains(t, err.Error(), secret, name)
		}
	}
	require.Empty(t, server.Mails())
}

func TestWithoutAServerNothingIsSent(t *testing.T) {
	require.False(t, only.Value(mail.New(config.Mail{}))(t).Enabled())
	for _, s := range []config.Mail{{SMTPURL: "smtp://", MailFrom: "a@b.example"}, {SMTPURL: "smtps://u:hush@mail.example", MailFrom: "nobody"}, {SMTPURL: "smtps://u:hush@mail.example:99999x", MailFrom: "a@b.example"}} {
		_, err := mail.New(s)
		require.Error(t, err)
		require.NotContains(t, err.Error(), "hush")
	}
}
