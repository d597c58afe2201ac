package service

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/mail"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/fx"

	"milaan/app/mails"
	"milaan/config"
	"milaan/ports"
	"milaan/tests/fakes/smtp"
	"milaan/tests/only"
)

// TestTheMailOfAnInvitation holds that whoever is invited gets a mail with the link, which
// serves once, and that a mail that is sent again is the same mail.
func TestTheMailOfAnInvitation(t *testing.T) {
	t.Parallel()
	post := smtp.New(t, "", "")
	var mailing mails.Mailing
	s := Start(t, Options{FaultsExpected: true,
		Settings: func(c *config.Config) {
			c.Mail.SMTPURL, c.Mail.MailFrom = config.Secret("smtp://"+post.Addr), "Milaan <milaan@milaan.example>"
			c.HTTP.PublicURL = "https://milaan.shop.example"
		},
		Broken: fx.Options(fx.Populate(&mailing),
			fx.Decorate(func(w ports.Work) ports.Work { return oneAttempt{w} })),
	})
	c := s.Account(t)
	post.Lose(errors.New("the connection has broken off"))
	a := c.SignIn(t).Send(t, http.MethodPost, "/app/api/account/people", Body{"email": "ca@books.example", "role": "accountant"})
	require.Equal(t, http.StatusCreated, a.Status, string(a.Body))
	link := fields(t, a.Body)["link"].(string)
	require.Equal(t, true, fields(t, a.Body)["mailed"])
	_, token, _ := strings.Cut(link, "#token=")
	s.secrets.Store(token, true)
	require.Eventually(t, func() bool { return len(post.Mails()) == 1 }, workTime, 5*time.Millisecond)

	// The attempt after an answer that was lost, in this process or in the next one.
	post.Lose(nil)
	ids := s.Query(t, "SELECT id FROM mails")
	require.Len(t, ids, 1)
	require.NoError(t, mailing.Send(t.Context(), ids[0][0]))
	require.NoError(t, mailing.Send(t.Context(), ids[0][0]), "there is nothing to do any more")
	mails := post.Mails()
	require.Len(t, mails, 2)
	var messageIDs []string
	for _, m := range mails {
		require.Equal(t, "ca@books.example", m.To)
		read := only.Value(mail.ReadMessage(strings.NewReader(m.Data)))(t)
		messageIDs = append(messageIDs, read.Header.Get("Message-ID"))
		require.Empty(t, read.Header.Get("List-Unsubscribe"))
		require.Contains(t, plain(string(only.Value(io.ReadAll(read.Body))(t))), link)
	}
	require.NotEmpty(t, messageIDs[0])
	require.Equal(t, messageIDs[0], messageIDs[1])

	s.skipMinutes()
	b := s.Browser()
	require.JSONEq(t, `{"accepted":true,"sign_in":null}`, string(b.accept(t, token).Body))
	require.Equal(t, "ca@books.example accountant", b.works(t).Person+" "+b.works(t).Role)
	s.Browser().accept(t, token).RefusedPage(t, 404, "invitation_invalid", "")
	requireNone(t, "the log", s.Log.String(), []string{"ca@books.example", token})
	s.databaseHoldsNone(t, []string{token})

	// Who is not invited any more gets no mail.
	post.Lose(errors.New("the connection has broken off"))
	withdrawn := c.SignIn(t).Send(t, http.MethodPost, "/app/api/account/people", Body{"email": "late@books.example", "role": "reader"})
	require.Equal(t, http.StatusCreated, withdrawn.Status, string(withdrawn.Body))
	require.Eventually(t, func() bool { return len(post.Mails()) == 3 }, workTime, 5*time.Millisecond)
	require.Equal(t, http.StatusNoContent, c.SignIn(t).Send(t, http.MethodDelete, "/app/api/account/people/"+c.idOf(t, "late@books.example"), nil).Status)
	post.Lose(nil)
	for _, row := range s.Query(t, "SELECT id FROM mails") {
		require.NoError(t, mailing.Send(t.Context(), row[0]))
	}
	require.Len(t, post.Mails(), 3)
}

// oneAttempt makes one attempt to send a mail, and no second one by itself.
type oneAttempt struct{ ports.Work }

func (w oneAttempt) Do(ctx context.Context, job ports.Job, made ports.JobAttempt) (time.Duration, error) {
	again, err := w.Work.Do(ctx, job, made)
	if job.Kind == ports.MailJob && err != nil {
		again, err = time.Hour, nil
	}
	return again, err
}

// plain undoes the quoted-printable line ends and signs that a link may have.
func plain(text string) string {
	return strings.NewReplacer("=\r\n", "", "=3D", "=").Replace(text)
}
