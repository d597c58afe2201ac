package sources_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"strings"
	"testing"
	"time"

	"github.com/emersion/go-imap/v2"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"milaan/adapters/outbound"
	"milaan/adapters/sources"
	"milaan/domain"
	"milaan/ports"
	mail "milaan/tests/fakes/imap"
	"milaan/tests/fakes/zips"
	"milaan/tests/only"
)

// sentAt is when the mails of these tests come, unless they say otherwise.
var sentAt = time.Date(2026, 11, 10, 9, 0, 0, 0, time.FixedZone("", 5*3600+1800))

// since is the start of the window that is asked for.
var since = time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC)

// registry makes sources of servers on this machine.
func registry(t testing.TB, change ...func(*sources.Params)) *sources.Registry {
	t.Helper()
	p := sources.Params{
		Settings: sources.Settings{AllowLoopback: true, Limits: sources.Limits{Pause: time.Millisecond}},
		Guards:   outbound.New(outbound.Settings{}), Clock: func() time.Time { return sentAt },
	}
	for _, c := range change {
		c(&p)
	}
	return sources.New(p)
}

func limited(change func(*sources.Limits)) func(*sources.Params) {
	return func(p *sources.Params) { change(&p.Settings.Limits) }
}

// access is a source with settings, of which the last ones count.
func access(connector domain.Connector, settings ...map[string]string) ports.SourceAccess {
	all := domain.Settings{}
	for _, some := range settings {
		maps.Copy(all, some)
	}
	return ports.SourceAccess{AccountID: "account", ConnectionID: "connection", Source: domain.ReportSource{ID: "source", Connector: connector, Settings: all}}
}

// opened opens a source until the test ends.
func opened(t testing.TB, r *sources.Registry, a ports.SourceAccess) ports.OpenSource {
	t.Helper()
	s := only.Value(r.Open(t.Context(), a))(t)
	t.Cleanup(func() { require.NoError(t, s.Close()) })
	return s
}

// failed requires an error about a connector, and returns it. Its text has nothing of the
// server.
func failed(t testing.TB, err error, rule domain.ConnectorRule) domain.ConnectorError {
	t.Helper()
	var failure *domain.ConnectorError
	require.ErrorAs(t, err, &failure)
	require.Equal(t, rule, failure.Rule, "%v", err)
	for _, secret := range []string{"127.0.0.1", mail.User, mail.Password, "secretly", ".csv"} {
		require.NotContains(t, err.Error(), secret)
	}
	return *failure
}

// leakless requires that nothing that began in a test, its servers included, goes on after it.
func leakless(t *testing.T) {
	before := goleak.IgnoreCurrent()
	t.Cleanup(func() { goleak.VerifyNone(t, before) })
}

// contents lists and reads everything, by name.
func contents(t testing.TB, s ports.OpenSource) map[string]string {
	t.Helper()
	files := only.Value(s.List(t.Context(), since))(t)
	all := map[string]string{}
	for _, f := range files {
		require.True(t, f.Settled)
		content := only.Value(s.Read(t.Context(), f, 1<<20))(t)
		all[f.Name] = string(content)
	}
	require.Len(t, all, len(files))
	return all
}

// mailOf is a mail with attachments, each a name and its content.
func mailOf(entries ...string) mail.Mail {
	m := mail.Mail{From: "\"Courier, COD\" <remit@courier.example>", Subject: "Remittance", Date: sentAt}
	for i := 0; i < len(entries); i += 2 {
		m.Attachments = append(m.Attachments, mail.Attachment{Name: entries[i], Content: []byte(entries[i+1])})
	}
	return m
}

// TestMailbox holds that the attachments of the mails of a window are listed and read, in
// every way in which a server is spoken to, and that nothing else of a mail is fetched or
// changed.
func TestMailbox(t *testing.T) {
	leakless(t)
	for name, way := range map[string]mail.Way{"TLS": mail.TLS, "STARTTLS": mail.StartTLS, "plain": mail.Plain} {
		t.Run(name, func(t *testing.T) {
			s := mail.New(t, way)
			body := mailOf("a.csv", "1", "logo.png", "2", "B.XLSX", "3")
			body.Attachments = append(body.Attachments,
				mail.Attachment{Disposition: "attachment; filename*=UTF-8''%E2%82%B9.csv", Encoding: "quoted-printable", Content: []byte("₹=4")},
				mail.Attachment{Disposition: `attachment; filename="=?utf-8?B?4oK5LnhscyI=?="`, Type: `application/vnd.ms-excel; name="=?utf-8?B?4oK5Lnhscw==?="`, Encoding: "7bit", Content: []byte("5")},
				mail.Attachment{Disposition: "attachment", Type: "text/csv", Content: []byte("6")})
			body.Attachments[4].Disposition = "attachment"
			s.Add(t, mail.Mailbox, sentAt, body.Bytes())
			s.Add(t, mail.Mailbox, sentAt.AddDate(0, 0, 1), mailOf("a.csv", strings.Repeat("7", 700_000)).Bytes())
			s.Add(t, mail.Mailbox, since.Add(-time.Second), mailOf("old.csv", "x").Bytes())
			s.Add(t, mail.Mailbox, since, mailOf("first.csv", "8").Bytes())
			s.Add(t, mail.Mailbox, sentAt, mailOf("deleted.csv", "x").Bytes(), imap.FlagDeleted)
			s.Add(t, mail.Mailbox, sentAt, mailOf("big.pdf", strings.Repeat("x", 3<<20)).Bytes())
			open := opened(t, registry(t), access("imap", s.Settings()))
			require.Equal(t, map[string]string{
				"a (2026-11-10).csv": "1", "B.XLSX": "3", "₹.csv": "₹=4", "₹.xls": "5", "attachment.csv": "6", "a (2026-11-11).csv": strings.Repeat("7", 700_000), "first.csv": "8",
			}, trimmed(contents(t, open)))
			commands, said := s.Commands()
			require.Contains(t, commands, "EXAMINE INBOX")
			require.NotContains(t, commands, " STORE ")
			require.NotContains(t, strings.ReplaceAll(commands, "BODY.PEEK[", ""), "BODY[")
			require.NotContains(t, commands, "PEEK[]")
			require.Less(t, said, 2<<20, "nothing of the large attachment that is no report")
		})
	}
}

// trimmed takes away the end of the line that a mail adds to what is not encoded.
func trimmed(all map[string]string) map[string]string {
	for name, text := range all {
		all[name] = strings.TrimRight(text, "\r\n")
	}
	return all
}

// TestMailboxFilters holds that the folder, the sender, the subject and the pattern choose
// among mails, letter case aside, and subjects by parts of words.
func TestMailboxFilters(t *testing.T) {
	s := mail.New(t, mail.TLS)
	s.Create(t, "Überweisungen/COD")
	for i, m := range []mail.Mail{
		{From: "COD Desk <remit@courier.example>", Subject: "Your REMITTANCE of today"},
		{From: "remit@courier.example", Subject: "Invoice"},
		{From: "someone@else.example", Subject: "Remittance"},
		{From: "=?utf-8?Q?K=C3=BChn?= <x@y.example>", Subject: "=?utf-8?B?4oK5IHJlbWl0dGFuY2Vz?="},
	} {
		m.Date = sentAt
		m.Attachments = []mail.Attachment{{Name: fmt.Sprintf("%d.csv", i), Content: []byte("x")}}
		s.Add(t, mail.Mailbox, sentAt, m.Bytes())
	}
	s.Add(t, "Überweisungen/COD", sentAt, mailOf("folder.csv", "x").Bytes())
	for name, c := range map[string]struct {
		settings map[string]string
		pattern  string
		want     []string
	}{
		"no filter":            {nil, "", []string{"0.csv", "1.csv", "2.csv", "3.csv"}},
		"sender":               {map[string]string{"from": "REMIT@Courier.Example"}, "", []string{"0.csv", "1.csv"}},
		"domain of the sender": {map[string]string{"from": "@courier.example"}, "", []string{"0.csv", "1.csv"}},
		"several senders":      {map[string]string{"from": "someone@else.example, @y.example;remit@courier.example"}, "", []string{"0.csv", "1.csv", "2.csv", "3.csv"}},
		"subject":              {map[string]string{"subject": "remittance"}, "", []string{"0.csv", "2.csv", "3.csv"}},
		"both":                 {map[string]string{"from": "@courier.example", "subject": "remitt"}, "", []string{"0.csv"}},
		"letters beyond ASCII": {map[string]string{"from": "x@y.example", "subject": "₹"}, "", []string{"3.csv"}},
		"a domain above":       {map[string]string{"from": "@example.com, courier@example.in"}, "", nil},
		"nobody":               {map[string]string{"from": "nobody@courier.example"}, "", nil},
		"pattern":              {nil, "[02].CSV", []string{"0.csv", "2.csv"}},
		"folder":               {map[string]string{"mailbox": "Überweisungen/COD"}, "", []string{"folder.csv"}},
	} {
		t.Run(name, func(t *testing.T) {
			a := access("imap", s.Settings(), c.settings)
			a.Source.Pattern = c.pattern
			files := only.Value(opened(t, registry(t), a).List(t.Context(), since))(t)
			var names []string
			for _, f := range files {
				names = append(names, f.Name)
			}
			require.Equal(t, c.want, names)
		})
	}
}

// TestMailboxVersions holds that an attachment keeps its version as long as its mail is
// there, and that a mail that goes between list and read is named.
func TestMailboxVersions(t *testing.T) {
	s := mail.New(t, mail.TLS)
	first := s.Add(t, mail.Mailbox, sentAt, mailOf("a.csv", "1", "b.csv", "2").Bytes())
	open := opened(t, registry(t), access("imap", s.Settings()))
	before := only.Value(open.List(t.Context(), since))(t)
	require.Len(t, before, 2)
	require.NotEqual(t, before[0].Version, before[1].Version)
	require.True(t, before[0].Modified.Equal(sentAt))
	s.Add(t, mail.Mailbox, sentAt, mailOf("c.csv", "1").Bytes())
	after := only.Value(opened(t, registry(t), access("imap", s.Settings())).List(t.Context(), since))(t)
	require.Len(t, after, 3)
	require.Equal(t, []string{before[0].Version, before[1].Version}, []string{after[0].Version, after[1].Version})
	s.Remove(t, mail.Mailbox, first)
	_, err := open.Read(t.Context(), before[0], 100)
	require.Equal(t, "a.csv", failed(t, err, domain.ConnGone).File)
	_, err = opened(t, registry(t), access("imap", s.Settings())).Read(t.Context(), after[2], 0)
	require.Equal(t, "c.csv", failed(t, err, domain.ConnManyBytes).File)
}

// TestMailboxRefusals holds that a sign-in that is refused, a folder that is missing and a
// server that is busy are told apart, and are never an empty mailbox.
func TestMailboxRefusals(t *testing.T) {
	leakless(t)
	s := mail.New(t, mail.TLS)
	open := func(more map[string]string) error {
		_, err := registry(t).Open(t.Context(), access("imap", s.Settings(), more))
		return err
	}
	require.Equal(t, "password", failed(t, open(map[string]string{"password": "secretly"}), domain.ConnRefused).Setting)
	require.Equal(t, "mailbox", failed(t, open(map[string]string{"mailbox": "secretly"}), domain.ConnNoFolder).Setting)
	for name, c := range map[string]struct {
		answer *imap.Error
		want   domain.ConnectorRule
	}{
		"an app password is needed": {&imap.Error{Type: imap.StatusResponseTypeNo, Code: "ALERT", Text: "Application-specific password required secretly"}, domain.ConnRefused},
		"expired":                   {&imap.Error{Type: imap.StatusResponseTypeNo, Code: imap.ResponseCodeExpired, Text: "secretly"}, domain.ConnRefused},
		"busy":                      {&imap.Error{Type: imap.StatusResponseTypeNo, Code: imap.ResponseCodeUnavailable, Text: "secretly"}, domain.ConnUnreachable},
		"too many connections":      {&imap.Error{Type: imap.StatusResponseTypeNo, Code: "ALERT", Text: "Too many simultaneous connections. secretly"}, domain.ConnUnreachable},
	} {
		t.Run(name, func(t *testing.T) {
			s.Refuse(c.answer)
			failed(t, open(nil), c.want)
		})
	}
}

// TestMailboxArchives holds that the report in an attached archive is read, and that an
// archive that cannot be is named.
func TestMailboxArchives(t *testing.T) {
	s := mail.New(t, mail.TLS)
	s.Add(t, mail.Mailbox, sentAt, mailOf("a.zip", string(zips.Of("June.csv", "1,2")), "b.ZIP", "no archive").Bytes())
	open := opened(t, registry(t), access("imap", s.Settings()))
	files := only.Value(open.List(t.Context(), since))(t)
	require.Len(t, files, 2)
	require.Equal(t, "1,2", string(only.Value(open.Read(t.Context(), files[0], 1<<20))(t)))
	_, err := open.Read(t.Context(), files[1], 1<<20)
	require.Equal(t, "b.ZIP", failed(t, err, domain.ConnArchive).File)
}

// TestHostileMailServers holds that no mail server can make Milaan hang, panic, take much
// memory or say what the server wants in a log.
func TestHostileMailServers(t *testing.T) {
	leakless(t)
	text := `("text" "csv" ("name" "a.csv") NIL NIL "base64" 8 1)`
	listed := func(w io.Writer, command string) bool {
		switch {
		case strings.HasPrefix(command, "UID SEARCH"):
			fmt.Fprint(w, "* SEARCH 1\r\n")
		case strings.Contains(command, "BODYSTRUCTURE"):
			fmt.Fprintf(w, "* 1 FETCH (UID 1 INTERNALDATE \"10-Nov-2026 09:00:00 +0000\" BODYSTRUCTURE %s)\r\n", text)
		default:
			return false
		}
		return true
	}
	on := func(prefix string, send string, more ...string) func(io.Writer, string) error {
		return func(w io.Writer, command string) error {
			if strings.HasPrefix(command, prefix) || strings.Contains(command, prefix) {
				_, err := io.WriteString(w, send)
				for _, text := range more {
					if err == nil {
						_, err = io.WriteString(w, text)
					}
				}
				return err
			}
			listed(w, command)
			return nil
		}
	}
	mailWith := func(structure string) string {
		return "* 1 FETCH (UID 1 INTERNALDATE \"10-Nov-2026 09:00:00 +0000\" BODYSTRUCTURE " + structure + ")\r\n"
	}
	hangUp := errors.New("hang up")
	for name, c := range map[string]struct {
		answer func(io.Writer, string) error
		want   domain.ConnectorRule
	}{
		"a bomb of levels":             {on("BODYSTRUCTURE", mailWith(strings.Repeat("(", 200_000))), domain.ConnAnswer},
		"levels hidden by a literal":   {on("UID SEARCH", "* OK {200}\r\n* 1 FETCH (BODYSTRUCTURE "+strings.Repeat("(", 200)), domain.ConnAnswer},
		"a mail of very many parts":    {on("BODYSTRUCTURE", mailWith("("+strings.Repeat(text, 501)+` "mixed")`)), domain.ConnAnswer},
		"mails without end":            {on("UID SEARCH", strings.Repeat("* SEARCH 1 3 5 7 9 11 13\r\n", 20_000)), domain.ConnAnswer},
		"four thousand million mails":  {on("UID SEARCH", "* ESEARCH  UID ALL 1:4294967295\r\n"), domain.ConnManyFiles},
		"all mails there may ever be":  {on("UID SEARCH", "* SEARCH 0\r\n"), domain.ConnAnswer},
		"more mails than there may be": {on("UID SEARCH", "* ESEARCH  UID ALL 1:10001\r\n"), domain.ConnManyFiles},
		"a name without end":           {on("BODYSTRUCTURE", "* 1 FETCH (UID 1 BODYSTRUCTURE (\""+strings.Repeat("x", 8<<20)), domain.ConnAnswer},
		"answers without end":          {on("UID SEARCH", strings.Repeat("* 3 EXISTS\r\n", 500_000)), domain.ConnManyBytes},
		"a literal that lies":          {on("BODY.PEEK", "* 1 FETCH (UID 1 BODY[1]<0> {9}\r\nQVdC)\r\n"), domain.ConnAnswer},
		"a literal of gigabytes":       {on("BODY.PEEK", "* 1 FETCH (UID 1 BODY[1]<0> {4294967296}\r\nQVdC)\r\n"), domain.ConnAnswer},
		"more than was asked for":      {on("BODY.PEEK", "* 1 FETCH (UID 1 BODY[1]<0> {600000}\r\n", strings.Repeat("A", 600_000), ")\r\n"), domain.ConnAnswer},
		"an attachment without end":    {on("BODY.PEEK", "* 1 FETCH (UID 1 BODY[1]<0> {524288}\r\n", strings.Repeat("A", 512<<10), ")\r\n"), domain.ConnGone},
		"a part of base64":             {on("BODY.PEEK", "* 1 FETCH (UID 1 BODY[1]<0> {7}\r\nQVdCLEF)\r\n"), domain.ConnGone},
		"another mail":                 {on("BODY.PEEK", "* 1 FETCH (UID 2 BODY[1]<0> {4}\r\nQVdC)\r\n"), domain.ConnGone},
		"another part":                 {on("BODY.PEEK", "* 1 FETCH (UID 1 BODY[2]<0> {4}\r\nQVdC)\r\n"), domain.ConnGone},
		"no date":                      {on("BODYSTRUCTURE", "* 1 FETCH (UID 1 BODYSTRUCTURE "+text+")\r\n"), domain.ConnAnswer},
		"a word that nobody knows":     {on("UID SEARCH", "* SECRETLY yours\r\n"), domain.ConnAnswer},
		"what only a mail can have":    {on("UID SEARCH", "* 1 SECRETLY\r\n"), domain.ConnAnswer},
		"the end of the connection": {func(w io.Writer, command string) error {
			listed(w, command)
			return ended(command, "BODY.PEEK", hangUp)
		}, domain.ConnUnreachable},
		"the end in the list":           {func(w io.Writer, command string) error { return ended(command, "UID SEARCH", hangUp) }, domain.ConnUnreachable},
		"no answer to a sign-in":        {func(_ io.Writer, command string) error { return ended(command, "LOGIN", hangUp) }, domain.ConnUnreachable},
		"a panic of the library":        {on("UID SEARCH", "* 1 FETCH (UID 1 BODY[HEADER.FIELDS] NIL)\r\n"), domain.ConnAnswer},
		"a connection without validity": {on("EXAMINE", "* OK [UIDVALIDITY 0] x\r\n"), domain.ConnAnswer},
	} {
		t.Run(name, func(t *testing.T) {
			s := mail.NewHostile(t, c.answer)
			r := registry(t, limited(func(l *sources.Limits) { l.ListBytes, l.Idle, l.Open = 1<<20, 5*time.Second, 20*time.Second }))
			err := readAll(t.Context(), r, access("imap", s.Settings()))
			failed(t, err, c.want)
		})
	}
}

func ended(command, at string, with error) error {
	if strings.Contains(command, at) {
		return with
	}
	return nil
}

func readAll(ctx context.Context, r *sources.Registry, a ports.SourceAccess) error {
	s, err := r.Open(ctx, a)
	if err != nil {
		return err
	}
	defer s.Close()
	files, err := s.List(ctx, since)
	if err != nil {
		return err
	}
	for _, f := range files {
		if _, err := s.Read(ctx, f, 2<<20); err != nil {
			return err
		}
	}
	return nil
}
