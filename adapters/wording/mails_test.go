package wording

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"milaan/domain"
	"milaan/ports"
)

// threeCouriers are a catalogue for mails, which read nothing of it but names.
type threeCouriers struct{ ports.Couriers }

func (threeCouriers) Catalogue() []ports.CourierInfo {
	return []ports.CourierInfo{{ID: "delhivery", Name: "Delhivery"}, {ID: "xpressbees", Name: "Xpressbees"}, {ID: "custom", Name: "Custom"}}
}

// TestAMailSaysWhatIsClaimed holds the lines of open items, also where the address of the service is not known.
func TestAMailSaysWhatIsClaimed(t *testing.T) {
	sums := []domain.CourierSum{{OrderSum: domain.OrderSum{Orders: 2, Amount: 300_00}}, {Courier: "left", OrderSum: domain.OrderSum{Orders: 1, Amount: 50}},
		{Courier: "xpressbees", OrderSum: domain.OrderSum{Orders: 1234, Amount: 12_34_567_00}}}
	connection := domain.Connection{ID: "c", Brand: "Asha", ConnectionStatus: domain.ConnectionStatus{AtRisk: 100, AboveSince: time.Date(2026, 11, 23, 4, 0, 0, 0, time.UTC)}}
	alert := ports.MailContent{Kind: domain.MailAtRisk, Base: "https://milaan.example", Connection: connection, Result: domain.PassResult{OpenItems: sums}}
	week := []domain.BrandWeek{{Brand: "Asha", Connection: &connection, OpenItems: sums}, {Brand: "Uma", Connection: &domain.Connection{ID: "other"}}}
	digest := ports.MailContent{Kind: domain.MailDigest, Base: alert.Base, Week: week}
	lines := "  Courier not known: 2 orders, ₹300\n  left: 1 order, ₹0.50\n  Xpressbees: 1,234 orders, ₹12,34,567\n"
	for _, c := range []ports.MailContent{alert, digest} {
		_, text := NewMails(threeCouriers{}).MailText(c)
		require.Contains(t, text, "\n"+lines+"  Open items: https://milaan.example/app/autopilot/c/open-items\n\n", c.Kind)
		require.NotContains(t, text, "other/open-items", "it keeps none")
		c.Base = ""
		_, text = NewMails(threeCouriers{}).MailText(c)
		require.Contains(t, text, "\n"+lines+"\n", c.Kind)
		require.NotContains(t, text, "Open items")
	}
	for _, kind := range []domain.MailKind{domain.MailFailing, domain.MailStale} {
		alert.Kind = kind
		_, text := NewMails(threeCouriers{}).MailText(alert)
		require.NotContains(t, text, "Xpressbees", kind)
	}
}

// No mail has the zero time, or money that nobody knows, whatever is not known of what it is about.
func TestNoMailHasAZeroTime(t *testing.T) {
	words := NewMails(threeCouriers{})
	at := func(t *rapid.T, name string) time.Time {
		return rapid.SampledFrom([]time.Time{{}, time.Date(2026, 11, 23, 4, 0, 0, 0, time.UTC), time.Date(2026, 11, 20, 4, 0, 0, 0, time.UTC)}).Draw(t, name)
	}
	connection := func(t *rapid.T) *domain.Connection {
		c := &domain.Connection{ID: "c", Brand: "Kurta", Sources: []domain.ReportSource{{ID: "s", Connector: "sftp", Since: at(t, "since")}}, CreatedAt: at(t, "created")}
		c.AlertAbove, c.AtRisk = 100, domain.Paise(rapid.SampledFrom([]int64{0, 1_417_50}).Draw(t, "at risk"))
		c.CheckedAt, c.FailingSince, c.LastRunAt, c.AboveSince = at(t, "checked"), at(t, "failing"), at(t, "last run"), at(t, "above")
		c.State = rapid.SampledFrom([]domain.ConnectionState{domain.ConnectionActive, domain.ConnectionRefused}).Draw(t, "state")
		if rapid.Bool().Draw(t, "failed") {
			c.Failure = &domain.ConnectorError{Rule: domain.ConnInterrupted}
		}
		return c
	}
	result := func(t *rapid.T) domain.PassResult {
		through := rapid.SampledFrom([]domain.Day{domain.NoDay, domain.DayFromDate(2026, 11, 1)}).Draw(t, "through")
		return domain.PassResult{Sources: []domain.SourceResult{{SourceID: "s", Through: through}}}
	}
	rapid.Check(t, func(t *rapid.T) {
		c := ports.MailContent{At: at(t, "now"), Connection: *connection(t), Result: result(t), Base: "https://milaan.example",
			Kind: rapid.SampledFrom([]domain.MailKind{domain.MailDigest, domain.MailFailing, domain.MailStale, domain.MailAtRisk, domain.MailTwice, domain.MailInvitation}).Draw(t, "kind")}
		if c.Kind == domain.MailInvitation {
			c.Invitation = &ports.MailedInvitation{Account: "a@shop.example", Link: "https://milaan.example/x", Until: at(t, "until")}
		}
		for range rapid.IntRange(1, 3).Draw(t, "brands") {
			w := domain.BrandWeek{Brand: "Kurta", Connection: connection(t), Sources: result(t).Sources}
			if rapid.Bool().Draw(t, "ran") {
				w.Runs, w.Last = 1, domain.Run{At: time.Date(2026, 11, 22, 4, 0, 0, 0, time.UTC), Tally: domain.Tally{AtRisk: 5_00}}
			}
			if rapid.Bool().Draw(t, "ran before") {
				w.Before = &domain.Run{At: time.Date(2026, 11, 12, 4, 0, 0, 0, time.UTC), Tally: domain.Tally{AtRisk: 7_00}}
			}
			w.Stale = w.Connection.StaleSources(domain.PassResult{Sources: w.Sources}, c.At)
			c.Week = append(c.Week, w)
		}
		subject, text := words.MailText(c)
		for _, written := range []string{subject, text} {
			require.NotRegexp(t, `0001|1 Jan 1\b|1970|\byear 1\b`, written)
		}
		if c.Kind == domain.MailDigest {
			for _, w := range c.Week {
				if _, compared := w.State(); compared.IsZero() {
					require.Contains(t, text, "Kurta: never compared yet")
				}
			}
		}
	})
}

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
	_, text := NewMails(threeCouriers{}).MailText(ports.MailContent{Kind: domain.MailDigest, Base: "https://milaan.example", Week: []domain.BrandWeek{week}})
	require.Contains(t, text, "  1 run this week, the latest on 23 Nov 2026, 9:30 am IST.\n"+
		"  Report source 2 (imap) has settings of an earlier version, in which anybody could pose as your courier. From 20 Dec 2026 on, it is refused and the autopilot of Asha stops: edit the connection before.\n"+
		"  Report source 2 (imap) left out 2 mails with reports, because nothing proves the sender: the connection's page has the reasons.\n\n")
}

func TestAMailAboutSeveralSubscriptions(t *testing.T) {
	subject, text := NewMails(threeCouriers{}).MailText(ports.MailContent{Kind: domain.MailTwice, Base: "https://milaan.example"})
	require.Equal(t, "Milaan: your account is charged for several subscriptions", subject)
	require.Contains(t, text, "Your plan: https://milaan.example/app/account\n\nYou get this mail because")
}
