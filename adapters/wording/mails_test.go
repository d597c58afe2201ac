package wording

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"milaan/domain"
	"milaan/ports"
)

// TestADigestWarnsOfSenders holds that a digest is sent because of a mailbox whose settings end,
// or which leaves mails out, and what it says.
func TestADigestWarnsOfSenders(t *testing.T) {
	c := &domain.Connection{ID: "c", Brand: "Asha", Sources: []domain.ReportSource{{ID: "s0", Connector: "sftp"}, {ID: "s1", Connector: "imap"}}}
	week := domain.BrandWeek{Brand: "Asha", Connection: c, Runs: 1, Last: domain.Run{At: time.Date(2026, 11, 23, 4, 0, 0, 0, time.UTC)}}
	require.False(t, week.Worth())
	week.Sources = []domain.SourceResult{{SourceID: "s0"}, {SourceID: "gone", RefusedFrom: 7}}
	require.False(t, week.Worth())
	week.Sources = []domain.SourceResult{{SourceID: "s0"}, {SourceID: "s1", RefusedFrom: domain.DayFromDate(2026, 12, 20), LeftOut: make([]domain.LeftOutMail, 2)}, {SourceID: "gone", RefusedFrom: 7}}
	require.True(t, week.Worth())
	_, text := NewMails().MailText(ports.MailContent{Kind: domain.MailDigest, Base: "https://milaan.example", Week: []domain.BrandWeek{week}})
	require.Contains(t, text, "  1 run this week, the latest on 23 Nov 2026, 09:30.\n"+
		"  Report source 2 (imap) has settings of an earlier version, in which anybody could pose as your courier. From 20 Dec 2026 on, it is refused and the autopilot of Asha stops: edit the connection before.\n"+
		"  Report source 2 (imap) left out 2 mails with reports, because nothing proves the sender: the connection's page has the reasons.\n\n")
}
