package service

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/fx"

	"milaan/adapters/jobs"
	"milaan/adapters/sources"
	"milaan/adapters/storefront/shops"
	"milaan/app/autopilot"
	"milaan/app/mails"
	"milaan/config"
	"milaan/domain"
	"milaan/ports"
	"milaan/tests/fakes/shopify"
	"milaan/tests/only"
)

// Autopilot is a service whose autopilot goes by the test's clock: passes are made when a
// test asks for the next one, and no sooner. One connection may have passes under way at a
// time, because the clock moves on by what a pass wants to wait.
type Autopilot struct {
	*Service
	Shops *shopify.Fake

	scheduling autopilot.Scheduling
	alarming   *mails.Alarming
	passes     ports.PassLog
	waits      atomic.Int64 // how often a pass asked to be called again
	added      atomic.Int64 // mails that are to be sent
	sent       atomic.Int64 // jobs of mails that have ended
}

// StartAutopilot runs a service that may connect to this machine, and a server that stands in
// for Shopify, both with the clock of the service.
func StartAutopilot(t testing.TB, o Options) *Autopilot {
	t.Helper()
	a := &Autopilot{Shops: shopify.New(t)}
	clock := &Clock{now: Morning}
	if !o.Now.IsZero() {
		clock.Set(o.Now)
	}
	settings := o.Settings
	o.Settings = func(c *config.Config) {
		OnLoopback(c)
		ConnectingHere(c)
		if settings != nil {
			settings(c)
		}
	}
	if o.Broken == nil {
		o.Broken = fx.Options()
	}
	o.Broken = fx.Options(o.Broken,
		// Nothing comes by itself; a test that wants that asks for it with its own Options.
		fx.Decorate(func(s jobs.Settings) jobs.Settings {
			s.Schedule, s.Alarms = 24*time.Hour, 24*time.Hour
			return s
		}),
		fx.Decorate(func(s shops.Settings) shops.Settings {
			s.Limits.Now = clock.Now
			s.Limits.Sleep = func(ctx context.Context, d time.Duration) error {
				clock.Advance(d)
				return ctx.Err()
			}
			return s
		}),
		fx.Decorate(func(s sources.Settings) sources.Settings {
			s.Limits.Pause = time.Millisecond // before a server that is away is tried again
			return s
		}),
		fx.Decorate(func(w ports.Work) ports.Work { return hurrying{w, a, clock} }),
		fx.Decorate(func(m ports.Mails) ports.Mails { return countedMails{m, &a.added} }),
		fx.Populate(&a.scheduling, &a.alarming, &a.passes),
	)
	o.clock = clock
	a.Shops.SetClock(clock.Now)
	a.Service = Start(t, o)
	return a
}

// hurrying moves the clock on by what a pass wants to wait and calls it again, so that nobody waits for it: the engine
// looks once a second for what it was asked to call again (tests/jobs: TestAJobMayAskToBeCalledAgain).
type hurrying struct {
	ports.Work
	autopilot *Autopilot
	clock     *Clock
}

func (h hurrying) Do(ctx context.Context, job ports.Job, made ports.JobAttempt) (time.Duration, error) {
	again, err := h.Work.Do(ctx, job, made)
	for job.Kind == ports.PassJob && again > 0 && err == nil {
		h.autopilot.waits.Add(1)
		h.clock.Advance(again)
		again, err = h.Work.Do(ctx, job, made)
	}
	if job.Kind == ports.MailJob && err == nil {
		h.autopilot.sent.Add(1)
	}
	return again, err
}

// countedMails counts the mails that are added.
type countedMails struct {
	ports.Mails
	added *atomic.Int64
}

func (m countedMails) Add(ctx context.Context, mail domain.Mail) (added bool, err error) {
	added, err = m.Mails.Add(ctx, mail)
	if added {
		m.added.Add(1)
	}
	return added, err
}

// Connection is a connection as pages see it.
type Connection struct {
	ID           string     `json:"id"`
	State        string     `json:"state"`
	NextPassAt   time.Time  `json:"next_pass_at"`
	CheckedAt    *time.Time `json:"checked_at"`
	FailingSince *time.Time `json:"failing_since"`
	LastRunID    string     `json:"last_run_id"`
	Failure      *Failure   `json:"failure"`

	autopilot *Autopilot
	browser   *Browser
	accountID string
}

// Failure is what is wrong with a connection, as pages see it.
type Failure struct {
	Rule    string `json:"rule"`
	Source  int    `json:"source"`
	Setting string `json:"setting"`
	File    string `json:"file"`
	Message string `json:"message"`
}

// Pass is a pass as pages see it.
type Pass struct {
	ID      string   `json:"id"`
	Outcome string   `json:"outcome"`
	Failure *Failure `json:"failure"`
	RunID   string   `json:"run_id"`
	Orders  int      `json:"orders"`
	Sources []struct {
		Couriers []string `json:"couriers"`
		Files    int      `json:"files"`
		Lines    int      `json:"lines"`
		Through  *string  `json:"through"`
		Behind   bool     `json:"behind"`
	} `json:"sources"`
	Warnings []Warning `json:"warnings"`
}

// HistoryRun is a run as the history shows it.
type HistoryRun struct {
	ID       string         `json:"run_id"`
	Brand    string         `json:"brand"`
	Source   string         `json:"source"`
	Couriers []string       `json:"couriers"`
	Orders   int            `json:"orders"`
	Flags    map[string]int `json:"flags"`
	Flagged  int            `json:"flagged_count"`
	Lines    int            `json:"courier_rows"`
	AtRisk   float64        `json:"amount_risk"`
	Remitted float64        `json:"remitted"`
	Guidance Guidance       `json:"cycle_guidance"`
}

// Connect makes a connection as the page does.
func (a *Autopilot) Connect(t testing.TB, c *Customer, brand string, shop *shopify.Shop, sources ...Body) *Connection {
	t.Helper()
	b := c.SignIn(t)
	answer := b.Send(t, http.MethodPost, "/app/api/connections", Connecting(brand, shop.Settings(), sources...))
	require.Equal(t, http.StatusCreated, answer.Status, string(answer.Body))
	made := &Connection{autopilot: a, browser: b, accountID: c.ID(t)}
	answer.Status = http.StatusOK
	answer.JSON(t, made)
	return made
}

// Show asks for the connection as it is now.
func (c *Connection) Show(t testing.TB) *Connection {
	t.Helper()
	shown := &Connection{autopilot: c.autopilot, browser: c.browser, accountID: c.accountID}
	c.browser.Get(t, "/app/api/connections/"+c.ID).JSON(t, shown)
	return shown
}

// Passes lists the passes, latest first.
func (c *Connection) Passes(t testing.TB) []Pass {
	t.Helper()
	return answered[struct{ Passes []Pass }](t, c.browser.Get(t, "/app/api/connections/"+c.ID+"/passes")).Passes
}

// NextPass moves the clock to the time at which the next pass is due, unless that has gone by,
// and waits until it has ended. It returns nil if no pass was made.
func (c *Connection) NextPass(t testing.TB) *Pass {
	t.Helper()
	a := c.autopilot
	if due := c.Show(t).NextPassAt; due.After(a.Clock.Now()) {
		a.Clock.Set(due)
	}
	made := c.schedule(t)
	if made == nil {
		return nil
	}
	listed := c.Passes(t)
	at := slices.IndexFunc(listed, func(p Pass) bool { return p.ID == made.ID })
	require.GreaterOrEqual(t, at, 0)
	return &listed[at]
}

// schedule makes the pass that is due now, and returns it as it is stored; nil: none is due.
// Passes are listed by when they were due. One that a person has asked for may have been due
// later than the one that is made now, so this looks for the one that was not there before.
func (c *Connection) schedule(t testing.TB) *domain.Pass {
	t.Helper()
	before := map[string]bool{}
	for _, pass := range c.latest(t) {
		before[pass.ID] = true
	}
	c.autopilot.Schedule(t)
	for _, pass := range c.latest(t) {
		if !before[pass.ID] {
			return c.AwaitEnd(t, pass.ID)
		}
	}
	return nil
}

// Schedule makes the passes that are due now.
func (a *Autopilot) Schedule(t testing.TB) {
	t.Helper()
	require.NoError(t, a.scheduling.Schedule(t.Context()))
}

// Follow goes on with a connection at the next service on its database, where the customer
// signs in again.
func (c *Connection) Follow(t testing.TB, customer *Customer, next *Autopilot) {
	t.Helper()
	customer.service = next.Service
	c.autopilot, c.browser = next, customer.SignIn(t)
}

// AwaitEnd waits until a pass has ended; with a blank id, until the latest one has.
func (c *Connection) AwaitEnd(t testing.TB, id string) *domain.Pass {
	t.Helper()
	for deadline := time.Now().Add(workTime); ; time.Sleep(5 * time.Millisecond) {
		all := c.latest(t)
		at := slices.IndexFunc(all, func(p domain.Pass) bool { return id == "" || p.ID == id })
		if at >= 0 && !all[at].EndedAt.IsZero() {
			return &all[at]
		}
		if time.Now().After(deadline) {
			t.Fatal("a pass does not end")
		}
	}
}

// latest lists some passes, those that were due last first.
func (c *Connection) latest(t testing.TB) []domain.Pass {
	t.Helper()
	return only.Value(c.autopilot.passes.Latest(t.Context(), c.accountID, c.ID, 5))(t)
}

func (c *Connection) Run(t testing.TB, id string) HistoryRun {
	t.Helper()
	return answered[HistoryRun](t, c.browser.Get(t, "/app/api/runs/"+id))
}

// History lists all runs, latest first.
func (c *Connection) History(t testing.TB, query string) []HistoryRun {
	t.Helper()
	return answered[struct{ Runs []HistoryRun }](t, c.browser.Get(t, "/app/api/runs?"+query)).Runs
}

// ShopOrders makes orders of a shop, one every so often from a time on, and the lines of a
// report that pays them; exceptional orders are short-paid, not delivered or not paid.
func ShopOrders(n int, from time.Time, every time.Duration) (orders []shopify.Order, lines []Line) {
	for i := range n {
		created := from.Add(time.Duration(i) * every)
		awb := fmt.Sprintf("SR%011d", 14335212000+i)
		total := domain.Paise(100_000 + 5_000*(i%37))
		o := shopify.Order{
			ID: int64(5_000_000 + i), Name: fmt.Sprintf("#%d", 1000+i), CreatedAt: created, Financial: "PENDING", Fulfilment: "FULFILLED",
			Gateways: []string{"Cash on Delivery (COD)"}, Total: total, Outstanding: total,
			Fulfilments: []shopify.Fulfilment{{CreatedAt: created.Add(20 * time.Hour), Tracking: []shopify.Tracking{{Number: awb, Company: "Shiprocket"}}}},
		}
		line := Line{AWB: awb, OrderID: o.Name, Collected: rupeesOf(total), Remitted: rupeesOf(total), RemittedOn: domain.DayOf(created.Add(5 * 24 * time.Hour)).String(), Status: "Delivered"}
		switch i % 20 {
		case 3: // 80 rupees short
			line.Remitted = rupeesOf(total - 8_000)
		case 7:
			line.Collected, line.Remitted, line.RemittedOn, line.Status = "", "", "", "RTO Delivered"
		case 11: // delivered, and not paid
			line.Remitted, line.RemittedOn = "", ""
		case 13: // in no report
			line = Line{}
		case 15:
			o.CancelledAt, o.Fulfilment, o.Fulfilments = created.Add(time.Hour), "UNFULFILLED", nil
			line = Line{}
		case 17:
			o.Financial, o.Outstanding, o.Gateways = "PAID", 0, []string{"Razorpay"}
			line = Line{}
		case 19: // a part is paid in advance
			o.Financial, o.Outstanding, o.Gateways = "PARTIALLY_PAID", total/2, []string{"Razorpay", "Cash on Delivery (COD)"}
			line.Collected, line.Remitted = rupeesOf(total/2), rupeesOf(total/2)
		}
		orders = append(orders, o)
		if line != (Line{}) {
			lines = append(lines, line)
		}
	}
	return orders, lines
}

func rupeesOf(p domain.Paise) string { return fmt.Sprintf("%d.%02d", p/100, p%100) }

// exportOf writes orders as the shop's export has them.
func exportOf(orders []shopify.Order) string {
	var b strings.Builder
	b.WriteString("Name,Created at,Fulfilled at,Total,Outstanding Balance,Financial Status,Fulfillment Status,Payment Method,Cancelled at,Currency,Tracking Number\n")
	stamp := func(at time.Time) string {
		if at.IsZero() {
			return ""
		}
		return at.In(domain.Kolkata).Format("2006-01-02 15:04:05 -0700")
	}
	for _, o := range orders {
		var fulfilled time.Time
		var awbs []string
		for _, f := range o.Fulfilments {
			fulfilled = f.CreatedAt
			for _, tracking := range f.Tracking {
				awbs = append(awbs, tracking.Number)
			}
		}
		fmt.Fprintf(&b, "%s,%s,%s,%s,%s,%s,%s,%s,%s,INR,%s\n", o.Name, stamp(o.CreatedAt), stamp(fulfilled), rupeesOf(o.Total), rupeesOf(o.Outstanding),
			strings.ToLower(o.Financial), strings.ToLower(o.Fulfilment), strings.Join(o.Gateways, " + "), stamp(o.CancelledAt), strings.Join(awbs, ";"))
	}
	return b.String()
}

// sourceOf is the query for runs of one source.
func sourceOf(source domain.Source) string { return url.Values{"source": {string(source)}}.Encode() }

// ConnectingHere lets shops and report sources be on this machine, where the fakes are.
func ConnectingHere(c *config.Config) { c.Autopilot.ConnectionLoopback = true }

// NewShop is a shop of a fake that takes the service's time.
func (s *Service) NewShop(t testing.TB, name string, orders ...shopify.Order) *shopify.Shop {
	t.Helper()
	fake := shopify.New(t)
	fake.SetClock(s.Clock.Now)
	return fake.Add(name, orders)
}

// Connecting is the body that sets up a connection.
func Connecting(brand string, shop domain.Settings, sources ...Body) Body {
	return Body{"brand": brand, "shop": Body{"connector": "shopify", "settings": shop}, "sources": sources}
}

// Source is a report source of such a body.
func Source(connector string, settings map[string]string) Body {
	return Body{"connector": connector, "settings": settings}
}

// FromUploads is one whose reports are given to the dashboard.
func FromUploads() Body { return Body{"connector": "upload"} }
