package connecting_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"milaan/domain"
	"milaan/ports"
	"milaan/tests/connecting"
	"milaan/tests/fakes/imap"
	"milaan/tests/only"
	"milaan/tests/servers"
)

// read opens a source and returns its files by name, and what is in them.
func read(t *testing.T, connector domain.Connector, settings domain.Settings) (files map[string]ports.SourceFile, contents map[string]string) {
	t.Helper()
	opened := only.Value(open(t.Context(), registry(), connector, settings))(t)
	defer func() { require.NoError(t, opened.Close()) }()
	listed := only.Value(opened.List(t.Context(), time.Now().AddDate(0, 0, -30)))(t)
	files, contents = map[string]ports.SourceFile{}, map[string]string{}
	for _, file := range listed {
		content := only.Value(opened.Read(t.Context(), file, 1<<20))(t)
		files[file.Name], contents[file.Name] = file, string(content)
	}
	return files, contents
}

// realMail is a mail with a report, as a courier sends it.
func realMail(name, content string, sent time.Time) imap.Mail {
	return imap.Mail{From: "remit@courier.example", Subject: "Remittance", Date: sent.Truncate(time.Second),
		Attachments: []imap.Attachment{{Name: name, Content: []byte(content)}, {Name: "logo.png", Content: []byte("x")}}}
}

// TestRealDovecot holds that the attachments of a folder of Dovecot are read, whichever separator the
// server and the setting have; that a mailbox that is made anew has the same files with other versions;
// and that a wrong password is told.
func TestRealDovecot(t *testing.T) {
	t.Parallel()
	for _, kind := range []struct{ separator, prefix, name string }{{"/", "", "Couriers/COD"}, {".", "", "Couriers.COD"}, {".", "INBOX.", "INBOX.Couriers.COD"}} {
		t.Run(kind.name, func(t *testing.T) {
			t.Parallel()
			s := servers.NewDovecot(t, kind.separator, kind.prefix)
			s.Create("Couriers")
			s.Create("Couriers.COD")
			now := time.Now()
			ago := func(days int) time.Time { return now.AddDate(0, 0, -days) }
			s.Deliver("Couriers.COD", realMail("cod.csv", "AWB,COD\n1,2\n", ago(3)))
			s.Deliver("Couriers.COD", realMail("cod.csv", "AWB,COD\n1,2\n3,4\n", ago(1)))
			s.Deliver("Couriers.COD", realMail("old.csv", "x", ago(60)))
			settings := s.Settings()
			day := func(at time.Time) string { return domain.DayOf(at).String() }
			want := map[string]string{"cod (" + day(ago(3)) + ").csv": "AWB,COD\n1,2\n", "cod (" + day(ago(1)) + ").csv": "AWB,COD\n1,2\n3,4\n"}
			var files map[string]ports.SourceFile
			for _, entered := range []string{"Couriers/COD", "Couriers.COD", kind.name} {
				var contents map[string]string
				files, contents = read(t, "imap", connecting.With(settings, "mailbox", entered))
				require.Equal(t, want, contents, entered)
			}

			s.Recreate("Couriers.COD")
			anew, contents := read(t, "imap", connecting.With(settings, "mailbox", kind.name))
			require.Equal(t, want, contents)
			for name := range want {
				require.NotEqual(t, files[name].Version, anew[name].Version, "the server has another UIDVALIDITY")
			}

			opensNot(t, "imap", connecting.With(settings, "mailbox", "Elsewhere"), domain.ConnNoFolder, "mailbox")
			tested, err := registry().Open(t.Context(), ports.SourceAccess{Testing: true,
				Source: domain.ReportSource{Connector: "imap", Settings: connecting.With(settings, "mailbox", "Elsewhere")}})
			require.NoError(t, err)
			require.Subset(t, tested.Folders(), []string{"INBOX", kind.name})
			require.NoError(t, tested.Close())
			opensNot(t, "imap", connecting.With(settings, "password", "wrong"), domain.ConnRefused, "password")
		})
	}
}

// TestRealOpenSSH holds that a folder of OpenSSH is read, by its pinned host key alone, and that refused
// credentials are told. Its server takes seconds to refuse a password, so that it stands in the last file: tests
// that run beside others are begun from the end.
func TestRealOpenSSH(t *testing.T) {
	t.Parallel()
	s := servers.NewOpenSSH(t)
	yesterday := time.Now().AddDate(0, 0, -1).Truncate(time.Second)
	s.Put("cod.csv", "AWB,COD\n1,2\n", yesterday)
	s.Put("old.csv", "x", time.Now().AddDate(0, 0, -60))
	settings := s.Settings()
	files, contents := read(t, "sftp", settings)
	require.Equal(t, map[string]string{"cod.csv": "AWB,COD\n1,2\n"}, contents)
	require.Equal(t, yesterday.Unix(), files["cod.csv"].Modified.Unix())
	s.Put("cod.csv", "AWB,COD\n1,3\n", time.Now())
	again, contents := read(t, "sftp", settings)
	require.Equal(t, "AWB,COD\n1,3\n", contents["cod.csv"])
	require.NotEqual(t, files["cod.csv"].Version, again["cod.csv"].Version)

	_, err := open(t.Context(), registry(), "sftp", connecting.With(settings, "host_key", ""))
	require.Equal(t, s.HostKey, failure(t, err).Value, "a test shows the key")
	opensNot(t, "sftp", connecting.With(settings, "host_key", "SHA256:nThbg6kXUpJWGl7E1IGOCspRomTxdCARLviKw6E5SY8"), domain.ConnHostKey, "host_key")
	other, _ := keyText(t, "")
	opensNot(t, "sftp", connecting.With(settings, "private_key", other), domain.ConnRefused, "private_key")
	opensNot(t, "sftp", connecting.With(settings, "private_key", "", "password", "wrong"), domain.ConnRefused, "password")
	opensNot(t, "sftp", connecting.With(settings, "folder", "nowhere"), domain.ConnNoFolder, "folder")
}
