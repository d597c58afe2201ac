package app_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"milaan/adapters/table"
	"milaan/adapters/wording"
	"milaan/app/mails"
	"milaan/couriers"
	"milaan/domain"
	"milaan/ports"
)

// letters are the storage and the server of mails in memory.
type letters struct {
	ports.Accounts

	watched []ports.WatchedConnection
	runs    []domain.Run // latest first
	mails   []domain.Mail
	choice  domain.MailChoice
	sent    []ports.Message
	fail    error
}

func (p *letters) Connections(_ context.Context, q ports.AlarmQuery) (page []ports.WatchedConnection, _ error) {
	for _, w := range p.watched {
		if w.Connection.ID > q.After && len(page) < q.Limit {
			page = append(page, w)
		}
	}
	return page, nil
}

func (p *letters) Watched(_ context.Context, _, id string) (ports.WatchedConnection, error) {
	for _, w := range p.watched {
		if w.Connection.ID == id {
			return w, nil
		}
	}
	return ports.WatchedConnection{}, domain.ErrNoConnection
}

func (p *letters) OfAccount(_ context.Context, accountID string) (of []ports.WatchedConnection, _ error) {
	for _, w := range p.watched {
		if w.Connection.AccountID == accountID {
			of = append(of, w)
		}
	}
	return of, nil
}

func (p *letters) RunsBetween(_ context.Context, accountID string, from, to time.Time, _ int) (runs []domain.Run, _ error) {
	for _, r := range p.runs {
		if r.AccountID == accountID && !r.At.Before(from) && r.At.Before(to) {
			runs = append(runs, r)
		}
	}
	return runs, nil
}

func (p *letters) Add(_ context.Context, m domain.Mail) (bool, error) {
	if !p.choice.Wants(m.Kind) || slices.ContainsFunc(p.mails, func(o domain.Mail) bool {
		return o.AccountID == m.AccountID && o.Kind == m.Kind && o.ConnectionID == m.ConnectionID && o.Period == m.Period
	}) {
		return false, nil
	}
	p.mails = append(p.mails, m)
	return true, nil
}

func (p *letters) Find(_ context.Context, id string) (domain.Mail, domain.Account, error) {
	for _, m := range p.mails {
		if m.ID == id && m.SentAt.IsZero() && p.choice.Wants(m.Kind) {
			return m, domain.Account{ID: m.AccountID, Email: "asha@shop.example"}, nil
		}
	}
	return domain.Mail{}, domain.Account{}, domain.ErrNothingToDo
}

func (p *letters) Sent(_ context.Context, id string, at time.Time) error {
	for i := range p.mails {
		if p.mails[i].ID == id {
			p.mails[i].SentAt = at
		}
	}
	return nil
}

func (p *letters) Choice(context.Context, string) (domain.MailChoice, error) { return p.choice, nil }

func (p *letters) Choose(_ context.Context, accountID string, change func(*domain.MailChoice)) error {
	if accountID != "a" {
		return domain.ErrNoAccount
	}
	change(&p.choice)
	return nil
}

func (p *letters) ByID(_ context.Context, id string) (domain.Account, error) {
	if id != "a" {
		return domain.Account{}, domain.ErrNoAccount
	}
	return domain.Account{ID: id, Email: "asha@shop.example"}, nil
}

func (p *letters) Enabled() bool { return true }

func (p *letters) Send(_ context.Context, m ports.Message) error {
	if p.fail == nil {
		p.sent = append(p.sent, m)
	}
	return p.fail
}

type oneKey struct{}

func (oneKey) Subkeys(string) [][32]byte { return [][32]byte{{1}} }

var monday = time.Date(2026, 11, 23, 9, 0, 0, 0, domain.Kolkata)

// office is the letters with the use cases around it.
func office(p *letters, now *time.Time) (*mails.Alarming, *mails.Mailing) {
	clock := func() time.Time { return *now }
	return mails.NewAlarming(mails.AlarmingParams{Alarms: p, Mails: p, Mailer: p, Clock: clock}),
		&mails.Mailing{Mails: p, Mailer: p, Text: wording.NewMails(couriers.New(table.New())).MailText, Alarms: p, Accounts: p, Subkeys: oneKey{}, Base: "https://milaan.example", Clock: clock}
}

func (p *letters) sendAll(t *testing.T, mailing *mails.Mailing) {
	for _, m := range slices.Clone(p.mails) {
		require.NoError(t, mailing.Send(t.Context(), m.ID))
	}
}

func TestTheDigestIsSentOnceAndWorstFirst(t *testing.T) {
	t.Parallel()
	run := func(brand string, at time.Time, atRisk domain.Paise) domain.Run {
		r := domain.Run{AccountID: "a", Brand: brand, At: at, Tally: domain.Tally{AtRisk: atRisk}}
		if atRisk > 0 {
			r.Tally.Flags[domain.Missing] = 2
		}
		return r
	}
	p := &letters{
		watched: []ports.WatchedConnection{{Connection: domain.Connection{ID: "c1", AccountID: "a", Brand: "Kurta", ConnectionStatus: domain.ConnectionStatus{State: domain.ConnectionActive}}}},
		runs: []domain.Run{run("Kurta", monday.Add(-time.Hour), 1_240_00), run("Sari", monday.Add(-2*time.Hour), 5_000_00), run("Clean", monday.Add(-3*time.Hour), 0),
			run("Kurta", monday.AddDate(0, 0, -1), 900_00), run("Kurta", monday.AddDate(0, 0, -8), 700_00)},
	}
	now := monday.Add(-time.Minute)
	alarming, mailing := office(p, &now)
	// The digest of the week before is more than a day late, and is not sent any more.
	require.NoError(t, alarming.Round(t.Context()))
	require.Empty(t, p.mails)
	now = monday
	for range 3 {
		again, _ := office(p, &now) // another process
		require.NoError(t, again.Round(t.Context()))
		require.NoError(t, alarming.Round(t.Context()))
	}
	require.Len(t, p.mails, 1)
	p.sendAll(t, mailing)
	p.sendAll(t, mailing)
	require.Len(t, p.sent, 1)
	require.Equal(t, "asha@shop.example", p.sent[0].To)
	require.Equal(t, "Milaan: ₹6,240 at risk with your couriers, most of it for Sari", p.sent[0].Subject)
	require.Equal(t, `This is what the runs of the last seven days found, worst first.

Sari: ₹5,000 at risk in 2 orders.
  1 run this week, the latest on 23 Nov 2026, 7:00 am IST.

Kurta: ₹1,240 at risk in 2 orders; a week before it was ₹700.
  2 runs this week, the latest on 23 Nov 2026, 8:00 am IST.

Orders and reasons: compare the same orders and reports by hand, at https://milaan.example/app
Autopilot: https://milaan.example/app/autopilot
You get this mail because an account of Milaan has your address. The link at its end, or your mail program, ends such mails.
`, p.sent[0].Text)
	require.Contains(t, p.sent[0].Unsubscribe, "https://milaan.example/unsubscribe?token=digest.a.")
}

// Of a connection without a run in the week, a digest says what was last known of it and how old that
// is, and of one that was never compared it says so: what is not known is not ₹0.
func TestADigestSaysWhatWasLastKnown(t *testing.T) {
	t.Parallel()
	failing := domain.ConnectionStatus{State: domain.ConnectionActive, FailingSince: monday.AddDate(0, 0, -9),
		Failure: &domain.ConnectorError{Rule: domain.ConnInterrupted}}
	known, never := failing, failing
	known.AtRisk, known.LastRunID, known.LastRunAt, known.CheckedAt = 1_417_50, "r", monday.AddDate(0, 0, -20), monday.AddDate(0, 0, -10)
	unchanged := known
	unchanged.FailingSince, unchanged.Failure, unchanged.AtRisk, unchanged.CheckedAt = time.Time{}, nil, 900_00, monday.Add(-time.Hour)
	watched := func(id, brand string, status domain.ConnectionStatus) ports.WatchedConnection {
		return ports.WatchedConnection{Connection: domain.Connection{ID: id, AccountID: "a", Brand: brand, ConnectionStatus: status}}
	}
	digest := func(all ...ports.WatchedConnection) ports.Message {
		p, now := &letters{watched: all}, monday
		alarming, mailing := office(p, &now)
		require.NoError(t, alarming.Round(t.Context()))
		p.mails = slices.DeleteFunc(p.mails, func(m domain.Mail) bool { return m.Kind != domain.MailDigest })
		p.sendAll(t, mailing)
		require.Len(t, p.sent, 1)
		return p.sent[0]
	}
	got := digest(watched("c1", "New", never), watched("c2", "Sari", unchanged), watched("c3", "Kurta", known))
	require.Equal(t, "Milaan: ₹2,317.50 at risk with your couriers, most of it for Kurta", got.Subject)
	why := ". Reason: "
	at := strings.Index(got.Text, why) + len(why)
	why += got.Text[at : at+strings.Index(got.Text[at:], "\n")]
	require.Contains(t, got.Text, `
Kurta: ₹1,417.50 at risk when it was last compared.
  No new run this week: it was last compared on 13 Nov 2026, 9:00 am IST, 10 days ago.
  The autopilot has made no run since 14 Nov 2026, 9:00 am IST`+why+`

Sari: ₹900 at risk when it was last compared.
  No new run this week: it was last compared on 23 Nov 2026, 8:00 am IST.

New: never compared yet, so nobody knows what is at risk.
  The autopilot has made no run since 14 Nov 2026, 9:00 am IST`+why+`
`)
	require.Equal(t, "Milaan: New was never compared, so nobody knows what is at risk", digest(watched("c1", "New", never)).Subject)
}

func TestAnAlertIsSentAtOnceAndOnce(t *testing.T) {
	t.Parallel()
	now := monday.AddDate(0, 0, 2)
	watched := ports.WatchedConnection{Connection: domain.Connection{ID: "c1", AccountID: "a", Brand: "Kurta", ConnectionTerms: domain.ConnectionTerms{AlertAbove: 1000_00}, CreatedAt: now.AddDate(0, 0, -60),
		Sources: []domain.ReportSource{{ID: "s1", Connector: "sftp"}},
		ConnectionStatus: domain.ConnectionStatus{State: domain.ConnectionRefused, AtRisk: 2000_00, AboveSince: now.Add(-time.Hour), FailingSince: now.Add(-25 * time.Hour),
			Failure: &domain.ConnectorError{Rule: domain.ConnInterrupted}}},
		Last: domain.PassResult{Sources: []domain.SourceResult{{SourceID: "s1", Courier: "delhivery", Through: domain.DayOf(now) - 12}}}}
	p := &letters{watched: []ports.WatchedConnection{watched}}
	alarming, mailing := office(p, &now)
	for range 3 {
		require.NoError(t, alarming.Round(t.Context()))
		p.sendAll(t, mailing)
		now = now.Add(time.Minute)
	}
	var subjects []string
	for _, m := range p.sent {
		subjects = append(subjects, m.Subject)
	}
	require.Equal(t, []string{"Milaan: the autopilot of Kurta has not worked since 24 Nov 2026, 8:00 am IST", "Milaan: reports of Kurta are late", "Milaan: ₹2,000 at risk for Kurta"}, subjects)
	require.Contains(t, p.sent[0].Text, "It makes no further passes until you correct this.")
	require.Contains(t, p.sent[1].Text, "Report source 1 (sftp, delhivery) reaches to 13 Nov 2026.")
	require.Contains(t, p.sent[2].Text, "more than ₹1,000 at risk. The last one found ₹2,000.")

	watched.Last.OpenItems = []domain.CourierSum{}
	kept := &letters{watched: []ports.WatchedConnection{watched}}
	alarming, mailing = office(kept, &now)
	require.NoError(t, alarming.Round(t.Context()))
	kept.sendAll(t, mailing)
	require.Len(t, kept.sent, 3)
	for i, m := range kept.sent {
		require.Contains(t, p.sent[i].Text, "by hand")
		require.NotContains(t, m.Text, "by hand")
		require.Contains(t, m.Text, "Open items: https://milaan.example/app/autopilot/c1/open-items\n")
	}
}

// TestMailsSayWhatIsClaimedFromCouriers holds what the digest and the alert say of a connection that keeps its open items: counts
// and sums per courier and where the list is, nothing of an order, and without it each other word that they have anyway.
func TestMailsSayWhatIsClaimedFromCouriers(t *testing.T) {
	t.Parallel()
	const canary = "CANARY-4711"
	kept := []domain.CourierSum{{OrderSum: domain.OrderSum{Orders: 1, Amount: 500_00}}, {Courier: "delhivery", OrderSum: domain.OrderSum{Orders: 12, Amount: 8_420_00}},
		{Courier: "gone", OrderSum: domain.OrderSum{Orders: 2, Amount: 1_00_000_50}}}
	const list = "  Courier not known: 1 order, ₹500\n  Delhivery: 12 orders, ₹8,420\n  gone: 2 orders, ₹1,00,000.50\n  Open items: https://milaan.example/app/autopilot/c1/open-items\n"
	sent := func(open []domain.CourierSum) (digest, alert ports.Message) {
		now := monday
		run := domain.Run{AccountID: "a", Brand: "Kurta", At: now.Add(-time.Hour), Tally: domain.Tally{AtRisk: 2000_00}}
		run.Tally.Flags[domain.Missing] = 3
		p := &letters{runs: []domain.Run{run}, watched: []ports.WatchedConnection{{
			Connection: domain.Connection{ID: "c1", AccountID: "a", Brand: "Kurta", ConnectionTerms: domain.ConnectionTerms{AlertAbove: 1000_00}, Sources: []domain.ReportSource{{ID: "s1", Connector: "sftp"}},
				CreatedAt: now.AddDate(0, 0, -60), ConnectionStatus: domain.ConnectionStatus{State: domain.ConnectionActive, AtRisk: 2000_00, AboveSince: now.Add(-time.Hour), LastRunAt: now.Add(-time.Hour)}},
			Last: domain.PassResult{OpenItems: open, Warnings: []domain.Warning{{Code: domain.WarnUnclaimedLines, Examples: []string{canary}}},
				Sources: []domain.SourceResult{{SourceID: "s1", Through: domain.DayOf(now), Skipped: []domain.SkippedFile{{Name: canary}}}}}}}}
		alarming, mailing := office(p, &now)
		require.NoError(t, alarming.Round(t.Context()))
		p.sendAll(t, mailing)
		require.Len(t, p.sent, 2)
		slices.SortFunc(p.sent, func(a, b ports.Message) int { return strings.Compare(a.Subject, b.Subject) })
		return p.sent[1], p.sent[0]
	}
	digest, alert := sent(nil)
	require.Equal(t, "Milaan: ₹2,000 at risk for Kurta", alert.Subject)
	require.Equal(t, `Since 23 Nov 2026, 8:00 am IST, the runs of Kurta have found more than ₹1,000 at risk. The last one found ₹2,000.

Orders and reasons: compare the same orders and reports by hand, at https://milaan.example/app
Autopilot: https://milaan.example/app/autopilot/c1
You get this mail because an account of Milaan has your address. The link at its end, or your mail program, ends such mails.
`, alert.Text)
	require.Equal(t, "Milaan: ₹2,000 at risk with your couriers, most of it for Kurta", digest.Subject)
	require.Equal(t, `This is what the runs of the last seven days found, worst first.

Kurta: ₹2,000 at risk in 3 orders.
  1 run this week, the latest on 23 Nov 2026, 8:00 am IST.

Orders and reasons: compare the same orders and reports by hand, at https://milaan.example/app
Autopilot: https://milaan.example/app/autopilot
You get this mail because an account of Milaan has your address. The link at its end, or your mail program, ends such mails.
`, digest.Text)
	for _, open := range [][]domain.CourierSum{{}, kept} {
		told := list
		if len(open) == 0 {
			told = list[strings.Index(list, "  Open items"):]
		}
		digestKept, alertKept := sent(open)
		require.Equal(t, digest.Subject, digestKept.Subject)
		require.Equal(t, alert.Subject, alertKept.Subject)
		const byHand = "Orders and reasons: compare the same orders and reports by hand, at https://milaan.example/app\n"
		listed := strings.NewReplacer("8:00 am IST.\n", "8:00 am IST.\n"+told, "₹2,000.\n", "₹2,000.\n"+told, byHand, "")
		require.Equal(t, listed.Replace(digest.Text), digestKept.Text)
		require.Equal(t, listed.Replace(alert.Text), alertKept.Text)
		require.NotContains(t, digestKept.Text+alertKept.Text, canary)
	}
}

// TestADigestIsSentOfOpenItemsAlone holds that money which is claimed for orders that have left the window is worth a digest.
func TestADigestIsSentOfOpenItemsAlone(t *testing.T) {
	t.Parallel()
	now := monday
	watched := ports.WatchedConnection{Connection: domain.Connection{ID: "c1", AccountID: "a", Brand: "Kurta", ConnectionStatus: domain.ConnectionStatus{State: domain.ConnectionActive, LastRunAt: now.Add(-time.Hour)}}}
	quiet, told := &letters{watched: []ports.WatchedConnection{watched}}, &letters{watched: []ports.WatchedConnection{watched}}
	told.watched[0].Last.OpenItems = []domain.CourierSum{{Courier: "dtdc", OrderSum: domain.OrderSum{Orders: 1, Amount: 900_00}}}
	for _, p := range []*letters{quiet, told} {
		alarming, mailing := office(p, &now)
		require.NoError(t, alarming.Round(t.Context()))
		p.sendAll(t, mailing)
	}
	require.Empty(t, quiet.sent)
	require.Len(t, told.sent, 1)
	require.Contains(t, told.sent[0].Text, "  DTDC: 1 order, ₹900\n")
	require.NotContains(t, told.sent[0].Text, "by hand")

	one := watched
	one.Connection.ID, one.Connection.Brand, one.Connection.LastRunID, one.Connection.AtRisk = "c2", "Sari", "r", 500_00
	two := &letters{watched: append(slices.Clone(told.watched), one)}
	alarming, mailing := office(two, &now)
	require.NoError(t, alarming.Round(t.Context()))
	two.sendAll(t, mailing)
	require.Contains(t, two.sent[0].Text, "by hand", "one of them does not keep its open items")
}

func TestAMailWhoseCauseIsGoneIsNotSent(t *testing.T) {
	t.Parallel()
	now := monday.AddDate(0, 0, 2)
	p := &letters{watched: []ports.WatchedConnection{{Connection: domain.Connection{ID: "c1", AccountID: "a", ConnectionStatus: domain.ConnectionStatus{FailingSince: now.Add(-25 * time.Hour)}}}}}
	alarming, mailing := office(p, &now)
	require.NoError(t, alarming.Round(t.Context()))
	p.watched[0].Connection.FailingSince = time.Time{}
	p.sendAll(t, mailing)
	require.Empty(t, p.sent)
	require.False(t, p.mails[0].SentAt.IsZero(), "and is not tried again")
}

func TestADigestIsNotSentOnceThereIsNoConnection(t *testing.T) {
	t.Parallel()
	now := monday
	run := domain.Run{AccountID: "a", Brand: "Kurta", At: monday.Add(-time.Hour)}
	run.Tally.Flags[domain.Missing] = 1
	p := &letters{runs: []domain.Run{run}, watched: []ports.WatchedConnection{{Connection: domain.Connection{ID: "c1", AccountID: "a", Brand: "Kurta"}}}}
	alarming, mailing := office(p, &now)
	require.NoError(t, alarming.Round(t.Context()))
	require.Len(t, p.mails, 1)
	p.watched = nil // it was removed, or the plan or the subscription has ended
	p.sendAll(t, mailing)
	require.Empty(t, p.sent)
}

func TestALinkOfAMailEndsItsKindAlone(t *testing.T) {
	t.Parallel()
	now := monday
	p := &letters{}
	_, ending := office(p, &now)
	token := ending.Link("a", domain.MailStale)
	email, digests, err := ending.CheckLink(t.Context(), token)
	require.NoError(t, err)
	require.Equal(t, "a…@shop.example", email)
	require.False(t, digests)
	for range 2 {
		require.NoError(t, ending.Unsubscribe(t.Context(), token))
	}
	require.Equal(t, domain.MailChoice{NoAlerts: true}, p.choice)
	require.NoError(t, ending.Unsubscribe(t.Context(), ending.Link("a", domain.MailDigest)))
	require.Equal(t, domain.MailChoice{NoAlerts: true, NoDigest: true}, p.choice)
	p.choice = domain.MailChoice{}
	require.NoError(t, ending.Unsubscribe(t.Context(), ending.Link("a", domain.MailDigest)))
	require.Equal(t, domain.MailChoice{NoDigest: true}, p.choice)
	require.ErrorIs(t, ending.Unsubscribe(t.Context(), ending.Link("gone", domain.MailDigest)), domain.ErrMailLink)
	for _, forged := range []string{"", "digest.a.", "digest" + token[len("alerts"):], token + "A", token[:len(token)-1], "alerts.b." + token[len("alerts.a."):], "x.y.z"} {
		_, _, err := ending.CheckLink(t.Context(), forged)
		require.ErrorIs(t, err, domain.ErrMailLink, forged)
		require.ErrorIs(t, ending.Unsubscribe(t.Context(), forged), domain.ErrMailLink, forged)
	}
}
