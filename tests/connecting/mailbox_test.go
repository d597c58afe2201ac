package connecting_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	goimap "github.com/emersion/go-imap/v2"
	"github.com/stretchr/testify/require"

	"milaan/adapters/outbound"
	"milaan/adapters/sources"
	"milaan/domain"
	"milaan/ports"
	"milaan/tests/connecting"
	"milaan/tests/fakes/imap"
)

func TestSourceMailbox(t *testing.T) {
	t.Parallel()
	connecting.Sources(t, connecting.Kind{Start: startMailbox(imap.TLS), Without: []string{"a file that changes after the list is not read"}})
}

// TestSourceMailboxStartTLS runs the cases in which a connection that begins without
// encryption could differ.
func TestSourceMailboxStartTLS(t *testing.T) {
	t.Parallel()
	connecting.Sources(t, connecting.Kind{Start: startMailbox(imap.StartTLS), Only: []string{
		"the bytes are those of the disk", "a refused login is no empty source", "a server that says nothing is not waited for",
		"a server that hangs up leaves nothing in part", "a server that is not there is unreachable",
	}})
}

func startMailbox(way imap.Way) func(testing.TB) *connecting.Place {
	return func(t testing.TB) *connecting.Place {
		server := imap.New(t, way)
		server.Create(t, "Couriers")
		s := server.Settings()
		s["mailbox"] = "Couriers"
		mails := map[string]goimap.UID{}
		remove := func(name string) {
			if uid, ok := mails[name]; ok {
				server.Remove(t, "Couriers", uid)
				delete(mails, name)
			}
		}
		return &connecting.Place{
			Source: domain.ReportSource{Connector: "imap", Settings: s},
			Put: func(name string, content []byte, modified time.Time) {
				remove(name)
				mail := imap.Mail{From: "remit@courier.example", Subject: "Remittance", Date: modified, Attachments: []imap.Attachment{{Name: name, Content: content}}}
				mails[name] = server.Add(t, "Couriers", modified, mail.Bytes())
			},
			Remove:  remove,
			Settled: true,
			Network: server.Unruly,
			Wrong: map[string]domain.Settings{
				"the password": connecting.With(s, "password", "wrong"),
				"the user":     connecting.With(s, "user", "somebody"),
			},
			Missing:     connecting.With(s, "mailbox", "Elsewhere"),
			At:          func(host string) domain.Settings { return connecting.With(s, "host", host) },
			HostSetting: "host",
		}
	}
}

// TestAttachmentsOfOneName holds that attachments with one name are a series of which only the latest
// counts, letter case aside, if the settings say so, and count by themselves otherwise.
func TestAttachmentsOfOneName(t *testing.T) {
	t.Parallel()
	server := imap.New(t, imap.TLS)
	came := time.Now().Truncate(time.Second)
	proof := []string{"Authentication-Results: mx.host.example; dmarc=pass header.from=courier.example"}
	for i, name := range []string{"COD 1120.csv", "cod 1120.CSV", "COD 1121.csv"} {
		mail := imap.Mail{From: "remit@courier.example", Subject: "Remittance", Date: came, Above: proof, Attachments: []imap.Attachment{{Name: name, Content: []byte("AWB\n")}}}
		server.Add(t, imap.Mailbox, came.Add(time.Duration(i-3)*time.Hour), mail.Bytes())
	}
	twice := imap.Mail{From: "remit@courier.example", Subject: "Remittance", Date: came, Above: proof, Attachments: []imap.Attachment{{Name: "cod.csv", Content: []byte("AWB\n")},
		{Name: "cod.csv", Content: []byte("AWB\n1\n")}}}
	server.Add(t, imap.Mailbox, came, twice.Bytes())
	for sameName, want := range map[string][]string{"": {"", "", "", "", ""}, "all": {"", "", "", "", ""},
		"newest": {"cod 1120.csv", "cod 1120.csv", "cod 1121.csv", "cod.csv", "cod.csv 2"}} {
		settings := connecting.With(server.Settings(), "same_name", sameName)
		settings["from"], settings["sender_check"], settings["authserv_id"] = "remit@courier.example", "required", "mx.host.example"
		registry := sources.New(sources.Params{Settings: sources.Settings{AllowLoopback: true}, Guards: outbound.New(outbound.Settings{})})
		opened, err := registry.Open(t.Context(), ports.SourceAccess{Source: domain.ReportSource{Connector: "imap", Settings: settings}})
		require.NoError(t, err)
		files, err := opened.List(t.Context(), came.Add(-24*time.Hour))
		require.NoError(t, err)
		slices.SortFunc(files, func(a, b ports.SourceFile) int { return a.Modified.Compare(b.Modified) })
		var series []string
		for _, f := range files {
			series = append(series, f.Series)
			require.NotEmpty(t, f.Numbering)
			require.True(t, strings.HasPrefix(f.Version, f.Numbering), f.Version)
		}
		require.Equal(t, want, series, sameName)
		require.NoError(t, opened.Close())
	}
}
