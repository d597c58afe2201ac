package service

import (
	"cmp"
	"fmt"
	"mime"
	"net/http"
	"net/mail"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"milaan/config"
	"milaan/domain"
	"milaan/tests/fakes/network"
	"milaan/tests/fakes/s3"
	"milaan/tests/fakes/sftp"
	"milaan/tests/fakes/shopify"
	"milaan/tests/fakes/smtp"
	"milaan/tests/fakes/web"
)

// happening is what happens in an hour, and what must come of it. In an hour
// that is not listed, what was usual last must come, without a webhook and without a mail.
type happening struct {
	day, hour int // in India; the first day is 1
	what      string
	do        func()
	came      string // outcome, what the pass read, webhooks, subjects of mails
	why       string
	then      string // what comes in the hours after it; blank: unchanged
}

// TestFortnight follows one connection through 16 days, with a pass in every hour and a look
// for mails after it: what came of each thing that happened, and of nothing else.
func TestFortnight(t *testing.T) {
	if os.Getenv("MILAAN_SOAK") == "" {
		t.Skip("NOT TESTED: set MILAAN_SOAK to short or 1 for 16 days of the autopilot")
	}
	t.Parallel()
	onBoth(t, func(t *testing.T, db database) {
		mails := smtp.New(t, "", "")
		a := StartAutopilot(t, Options{DatabaseURL: db(t), Settings: func(c *config.Config) {
			c.Mail.SMTPURL, c.Mail.MailFrom = config.Secret("smtp://"+mails.Addr), "Milaan <milaan@milaan.example>"
		}})
		f := newFortnight(t, a)
		first := domain.DayOf(a.Clock.Now())
		happenings := f.happenings()
		var log []string
		usual := "unchanged"
		for a.Clock.Now().Before((first + 16).Start()) {
			f.connection = f.connection.Show(t)
			a.Clock.Set(f.connection.NextPassAt)
			now := a.Clock.Now().In(domain.Kolkata)
			day, hour := int(domain.DayOf(now)-first)+1, now.Hour()
			at := slices.IndexFunc(happenings, func(h happening) bool { return h.day == day && h.hour == hour })
			want := happening{came: usual}
			if at >= 0 {
				want = happenings[at]
				happenings = slices.Delete(happenings, at, at+1)
				usual = cmp.Or(want.then, "unchanged")
				if want.do != nil {
					want.do()
				}
			}
			came := f.hour(t, mails)
			if came != want.came {
				t.Errorf("day %d, %02d h: %s\n got  %s\n want %s\n why  %s", day, hour, want.what, came, want.came, want.why)
			}
			if want.why != "" {
				log = append(log, fmt.Sprintf("| %2d, %02d h | %s | %s | %s |", day, hour, want.what, came, want.why))
			}
		}
		require.Empty(t, happenings)
		t.Logf("%d passes\n| when | what | what came of it | why |\n|---|---|---|---|\n%s", f.passes, strings.Join(log, "\n"))
		require.GreaterOrEqual(t, f.shop.SignIns(), 16, "a token is valid for a day")
	})
}

// fortnight is the connection, its shop and its couriers.
type fortnight struct {
	autopilot  *Autopilot
	connection *Connection
	customer   *Customer
	endpoint   *Endpoint
	shop       *shopify.Shop
	server     *sftp.Server
	bucket     *s3.Server
	orders     []shopify.Order
	lines      []Line // of all orders
	put        func(name string, content string)
	passes     int
	calls      int
	mails      int
}

func newFortnight(t *testing.T, a *Autopilot) *fortnight {
	f := &fortnight{autopilot: a, server: sftp.New(t, sftp.Options{}), bucket: s3.New(t), endpoint: NewEndpoint(t, nil)}
	now := a.Clock.Now()
	f.orders, f.lines = ShopOrders(120, now.AddDate(0, 0, -24), 4*time.Hour)
	// Two orders are unpaid and leave the window of 45 days on the third day.
	old, _ := ShopOrders(14, now.AddDate(0, 0, -43), time.Second)
	for i, o := range old[12:] {
		o.ID, o.Name, o.Fulfilments[0].Tracking[0].Number = int64(9_000_000+i), fmt.Sprintf("#9%d", i), fmt.Sprintf("SR9%010d", i)
		f.orders = append(f.orders, o)
	}
	f.shop = a.Shops.Add("kolam-kitchen", f.orders)
	f.put = func(name, content string) {
		f.server.Put(name, sftp.File{Content: []byte(content), Modified: a.Clock.Now().Add(-10 * time.Minute)})
	}
	f.put("delhivery-1.csv", Report(f.lines[60:90]...))
	f.bucket.Put(t, "xpressbees-1.csv", []byte(Report(f.lines[90:100]...)), now.Add(-time.Hour))
	f.customer = a.Customer(t, OnPlan(domain.Enterprise))
	f.customer.Watch(t, f.endpoint)
	delhivery, xpressbees := Source("sftp", f.server.Settings()).With("courier", "delhivery"), Source("s3", f.bucket.Settings()).With("courier", "xpressbees")
	body := Connecting("Kolam Kitchen", f.shop.Settings(), delhivery, xpressbees).With("alert_above", 1_17_000)
	b := f.customer.SignIn(t)
	for { // until a pass and the full hour before it are in the same hour of India
		answer := b.Send(t, http.MethodPost, "/app/api/connections", body)
		require.Equal(t, http.StatusCreated, answer.Status, string(answer.Body))
		f.connection = &Connection{autopilot: a, browser: b, accountID: f.customer.ID(t)}
		answer.Status = http.StatusOK
		answer.JSON(t, f.connection)
		if domain.PassOffset(f.connection.ID, domain.PassPeriod) < 20*time.Minute {
			return f
		}
		removed := b.Send(t, http.MethodDelete, "/app/api/connections/"+f.connection.ID, Body{"brand": "Kolam Kitchen"})
		require.Less(t, removed.Status, 300, string(removed.Body))
		a.Clock.Advance(time.Minute)
	}
}

// hour makes the pass that is due, looks for mails, and returns what came of it.
func (f *fortnight) hour(t *testing.T, server *smtp.Server) string {
	t.Helper()
	a := f.autopilot
	pass := f.connection.schedule(t)
	require.NotNil(t, pass, "no pass is due")
	f.passes++
	came := []string{string(pass.Outcome)}
	if pass.Failure != nil {
		came = append(came, string(pass.Failure.Rule))
	}
	if pass.Outcome == domain.PassStored {
		for _, s := range pass.Sources {
			came = append(came, fmt.Sprintf("%d/%d", s.Files, s.Lines))
		}
	}
	if pass.Outcome == domain.PassStored {
		came = append(came, fmt.Sprintf("₹%.0f at risk", f.connection.Run(t, pass.RunID).AtRisk))
	}
	if pass.Leaving.Orders > 0 {
		came = append(came, fmt.Sprintf("%d leave", pass.Leaving.Orders))
	}
	if pass.Left.Orders > 0 {
		came = append(came, fmt.Sprintf("%d have left", pass.Left.Orders))
	}
	if pass.Outcome == domain.PassStored {
		f.customer.Deliveries(t)
	}
	calls := len(f.endpoint.Calls())
	if calls > f.calls {
		came = append(came, fmt.Sprintf("webhook ×%d", calls-f.calls))
		require.Equal(t, pass.RunID, fields(t, f.endpoint.Calls()[calls-1].Body)["run_id"])
	}
	f.calls = calls
	require.NoError(t, a.alarming.Round(t.Context()))
	a.awaitMails(t)
	for _, m := range server.Mails()[f.mails:] {
		f.mails++
		read, err := mail.ReadMessage(strings.NewReader(m.Data))
		require.NoError(t, err)
		subject, err := new(mime.WordDecoder).DecodeHeader(read.Header.Get("Subject"))
		require.NoError(t, err)
		subject, _, _ = strings.Cut(subject, " since ") // a minute that differs
		came = append(came, "mail: "+subject)
	}
	return strings.Join(came, ", ")
}

// awaitMails waits until every mail that was added has been sent.
func (a *Autopilot) awaitMails(t testing.TB) {
	t.Helper()
	for deadline := time.Now().Add(workTime); ; time.Sleep(5 * time.Millisecond) {
		if a.added.Load() == a.sent.Load() {
			return
		}
		if time.Now().After(deadline) {
			t.Fatal("a mail is not sent")
		}
	}
}

// happenings are what happens, and what must come of it.
func (f *fortnight) happenings() []happening {
	late := Report(f.lines[30:50]...)
	return []happening{
		{day: 1, hour: 10, what: "the first pass", came: "stored, 1/30, 1/10, ₹116685 at risk, webhook ×1", why: "nothing has been compared before"},
		{day: 1, hour: 15, what: "a report of three days ago is there only now", do: func() {
			f.server.Put("delhivery-2.csv", sftp.File{Content: []byte(late), Modified: f.autopilot.Clock.Now().Add(-72 * time.Hour)})
		}, came: "stored, 2/50, 1/10, ₹86665 at risk, webhook ×1", why: "a file counts if it was modified in the window, whenever it comes"},
		{day: 1, hour: 18, what: "the same report comes again under another name", do: func() { f.put("delhivery-2 (1).csv", late) },
			came: "stored, 3/70, 1/10, ₹86665 at risk, webhook ×1", why: "it is another input, although its lines count once: the money at risk stays what it was"},
		{day: 2, hour: 9, what: "a report grows between the two looks", do: func() {
			f.put("delhivery-3.csv", Report(f.lines[50:55]...))
			waits := f.autopilot.waits.Load()
			f.server.Before(func(request, _ string) {
				if request == "List" && f.autopilot.waits.Load() > waits {
					f.put("delhivery-3.csv", Report(f.lines[50:60]...))
				}
			})
		}, came: "failed, growing", why: "nothing is compared with half of a report"},
		{day: 2, hour: 10, what: "it has ceased to grow", do: func() { f.server.Before(nil) }, came: "stored, 4/80, 1/10, ₹64545 at risk, webhook ×1", why: "it is what it was an hour ago"},
		{day: 2, hour: 14, what: "a report is replaced by a corrected one", do: func() { f.put("delhivery-1.csv", Report(f.lines[60:89]...)) },
			came: "stored, 4/79, 1/10, ₹64545 at risk, webhook ×1", why: "another version of a file is another input"},
		{day: 3, hour: 0, what: "two unpaid orders are of the first day of the window", came: "unchanged, 2 leave", then: "unchanged, 2 leave", why: "they leave it with the next day: a warning, and no run"},
		{day: 3, hour: 3, what: "the shop ends its tokens before their time", do: func() { f.shop.EndTokens() }, came: "unchanged, 2 leave", then: "unchanged, 2 leave", why: "the service signs in again"},
		{day: 3, hour: 9, what: "Monday, 9 h", came: "unchanged, 2 leave, mail: Milaan: ₹64,545 at risk with your couriers, most of it for Kolam Kitchen", then: "unchanged, 2 leave", why: "the digest of the week"},
		{day: 3, hour: 12, what: "the shop asks to wait three times", do: func() { f.shop.Intercept(web.Status(http.StatusTooManyRequests, 3)) },
			came: "unchanged, 2 leave", then: "unchanged, 2 leave", why: "the service waits and asks again"},
		{day: 4, hour: 0, what: "the two orders have left", came: "stored, 4/79, 1/10, ₹61295 at risk, 2 have left, webhook ×1", why: "the orders of the window are others; those that left unpaid are counted once"},
		{day: 4, hour: 6, what: "Delhivery's server is away", do: func() { f.server.Behave(network.Manners{Unreachable: true}) },
			came: "failed, unreachable", then: "failed, unreachable", why: "without one source there is no run"},
		{day: 5, hour: 6, what: "it has been away for a day", came: "failed, unreachable, mail: Milaan: the autopilot of Kolam Kitchen has not worked", then: "failed, unreachable", why: "one mail, and no second one"},
		{day: 5, hour: 8, what: "it is back", do: func() { f.server.Behave(network.Manners{}) }, came: "unchanged", why: "the inputs are those of the last run"},
		{day: 6, hour: 10, what: "two reports are replaced, and pay far too little", do: func() {
			short := slices.Clone(f.lines[50:89])
			for i := range short {
				short[i].Remitted = "1.00"
			}
			f.put("delhivery-1.csv", Report(short[10:]...))
			f.put("delhivery-3.csv", Report(short[:10]...))
		}, came: "stored, 4/79, 1/10, ₹135566 at risk, webhook ×1, mail: Milaan: ₹1,35,566 at risk for Kolam Kitchen", why: "more is at risk than the account's limit: a mail at once"},
		{day: 9, hour: 12, what: "the next report of Delhivery comes", do: func() {
			next := slices.Clone(f.lines[len(f.lines)-4:])
			for i := range next {
				next[i].RemittedOn = domain.DayOf(f.autopilot.Clock.Now()).String()
			}
			f.put("delhivery-4.csv", Report(next...))
		}, came: "stored, 5/83, 1/10, ₹135566 at risk, webhook ×1", why: "new lines; still above the limit, of which one mail was sent"},
		{day: 10, hour: 9, what: "Monday, 9 h", came: "unchanged, mail: Milaan: ₹1,35,566 at risk with your couriers, most of it for Kolam Kitchen", why: "the digest of the second week"},
		{day: 12, hour: 0, what: "the last date of XpressBees is more than ten days ago", came: "unchanged, mail: Milaan: reports of Kolam Kitchen are late", why: "one mail, on the eleventh day, and no second one"},
	}
}
