package razorpay_test

import (
	"encoding/json"
	"net"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/stretchr/testify/require"

	"milaan/adapters/razorpay"
	"milaan/domain"
	"milaan/ports"
	fake "milaan/tests/fakes/razorpay"
	"milaan/tests/only"
)

var now = time.Date(2026, time.November, 20, 12, 0, 0, 0, domain.Kolkata)

var (
	monthly = ports.BillingPlan{ID: "plan_m", Plan: domain.Pro, Period: "monthly", Interval: 1}
	yearly  = ports.BillingPlan{ID: "plan_y", Plan: domain.Enterprise, Period: "yearly", Interval: 1}
)

func started(t *testing.T) (*fake.Server, *razorpay.Client) {
	clock := func() time.Time { return now }
	server := fake.New(t, clock, fake.PlanOf("plan_m", "monthly"), fake.PlanOf("plan_y", "yearly"))
	return server, razorpay.New(razorpay.Settings{KeyID: fake.KeyID, KeySecret: fake.KeySecret, WebhookSecrets: []string{fake.WebhookSecret, fake.FormerSecret},
		Plans: []ports.BillingPlan{{ID: "plan_m", Plan: domain.Pro}, {ID: "plan_y", Plan: domain.Enterprise}, {ID: "plan_gone", Plan: domain.Solo}},
		URL:   server.URL(), Pause: time.Nanosecond}, clock)
}

func TestASubscriptionsLife(t *testing.T) {
	server, client := started(t)
	ctx := t.Context()
	made := only.Value(client.Subscribe(ctx, ports.NewSubscription{Plan: yearly, AccountID: "account-1", Attempt: "attempt-1"}))(t)
	require.Equal(t, domain.BilledSubscription{ID: "sub_000001", AccountID: "account-1", PlanID: "plan_y", Plan: domain.Enterprise, Status: domain.BilledCreated,
		CreatedAt: now.UTC(), URL: "https://rzp.example/sub_000001"}, made)
	require.Equal(t, 10, server.All()[0].Charges)
	server.Activate(made.ID)
	got := only.Value(client.Fetch(ctx, made.ID))(t)
	require.Equal(t, domain.BilledActive, got.Status)
	require.Equal(t, time.Date(2027, time.November, 20, 12, 0, 0, 0, domain.Kolkata).UTC(), got.PaidUntil)
	require.Equal(t, []any{1, false, time.Time{}}, []any{got.Charges, got.Fixed, got.BeginsAt})
	require.Equal(t, []string{"2026-11-20", "2027-11-20"}, []string{got.PeriodStart.String(), got.PeriodEnd.String()})

	got = only.Value(client.Change(ctx, made.ID, "plan_m"))(t)
	require.Equal(t, domain.Pro, got.Plan)
	got = only.Value(client.Cancel(ctx, made.ID, false))(t)
	require.True(t, got.Ending)
	require.Equal(t, domain.BilledActive, got.Status)
	for range 2 { // the second finds that it has ended
		got = only.Value(client.Cancel(ctx, made.ID, true))(t)
		require.Equal(t, now.UTC(), got.EndedAt)
		require.False(t, got.Ending)
	}
	_, err := client.Change(ctx, made.ID, "plan_y")
	require.ErrorIs(t, err, domain.ErrBillingRefused)
	require.NotContains(t, err.Error(), "canary-description")
	require.ErrorIs(t, only.Err(client.Fetch(ctx, "sub_unknown")), domain.ErrNoSubscription)
	require.ErrorIs(t, only.Err(client.Cancel(ctx, "sub_unknown", true)), domain.ErrNoSubscription)
	asked := len(server.Asked())
	for _, id := range []string{"", "../plans/plan_m", "sub_1/cancel", "sub 1", strings.Repeat("s", 65)} {
		require.ErrorIs(t, only.Err(client.Fetch(ctx, id)), domain.ErrNoSubscription, id)
	}
	require.Len(t, server.Asked(), asked, "what is no id becomes no path")
}

func TestNewSubscriptionsAreListedInPages(t *testing.T) {
	server, client := started(t)
	for range 230 {
		server.Create("plan_m", "account-1")
	}
	server.Edit("sub_000007", func(s *fake.Subscription) { s.Created = now.Add(-time.Hour).Unix() })
	server.Edit("sub_000009", func(s *fake.Subscription) { s.Status = "" }) // cannot be read
	require.Len(t, only.Value(client.Since(t.Context(), now.Add(-time.Minute)))(t), 228)
	require.Equal(t, []string{"GET /v1/subscriptions", "GET /v1/subscriptions", "GET /v1/subscriptions"}, server.Asked())
}

func TestPlansAreAskedForOnceInAnHour(t *testing.T) {
	server, client := started(t)
	want := []ports.BillingPlan{{ID: "plan_m", Plan: domain.Pro, Name: "Plan plan_m", Period: "monthly", Interval: 1, Amount: 99900},
		{ID: "plan_y", Plan: domain.Enterprise, Name: "Plan plan_y", Period: "yearly", Interval: 1, Amount: 99900}, {ID: "plan_gone", Plan: domain.Solo}}
	require.Equal(t, want, client.Plans(t.Context()))
	require.Equal(t, want, client.Plans(t.Context()))
	require.Len(t, server.Asked(), 3)
	off := razorpay.New(razorpay.Settings{}, func() time.Time { return now })
	require.Empty(t, off.Plans(t.Context()))
	require.False(t, off.Enabled())
	require.ErrorIs(t, only.Err(off.Fetch(t.Context(), "sub_1")), domain.ErrNoBilling)
	require.ErrorIs(t, only.Err(off.Subscribe(t.Context(), ports.NewSubscription{Plan: monthly, AccountID: "a"})), domain.ErrNoBilling)
	require.ErrorIs(t, only.Err(off.Read(nil, "")), domain.ErrNoBilling)
}

// A request that makes nothing is repeated while Razorpay does not answer; another is not.
func TestRazorpayIsAway(t *testing.T) {
	server, client := started(t)
	id := server.Create("plan_m", "account-1")
	for name, answer := range map[string]func(w http.ResponseWriter){
		"down":      func(w http.ResponseWriter) { w.WriteHeader(http.StatusBadGateway) },
		"throttled": func(w http.ResponseWriter) { w.WriteHeader(http.StatusTooManyRequests) },
		"redirects": func(w http.ResponseWriter) { w.Header().Set("Location", "http://127.0.0.1:1/"); w.WriteHeader(302) },
		"no JSON":   func(w http.ResponseWriter) { _, _ = w.Write([]byte("<html>")) },
		"too much":  func(w http.ResponseWriter) { _, _ = w.Write([]byte(`{"id":"` + strings.Repeat("x", 5<<20))) },
		"cut short": func(w http.ResponseWriter) { w.Header().Set("Content-Length", "100"); _, _ = w.Write([]byte("{")) },
		"nothing":   func(w http.ResponseWriter) { _, _ = w.Write([]byte("{}")) },
		"another's": func(w http.ResponseWriter) {
			_ = json.NewEncoder(w).Encode(fake.Subscription{ID: "sub_other", Status: "active", Created: 1_700_000_000})
		},
		"no instant": func(w http.ResponseWriter) {
			_ = json.NewEncoder(w).Encode(fake.Subscription{ID: id, Status: "active", Created: 1_700_000_000, Start: 1, End: 1 << 60})
		},
	} {
		server.Answer(func(w http.ResponseWriter, _ *http.Request) bool {
			answer(w)
			return true
		})
		_, err := client.Fetch(t.Context(), id)
		require.ErrorIs(t, err, domain.ErrBilling, name)
		require.NotContains(t, err.Error(), fake.KeySecret)
		if name == "another's" {
			continue
		}
		before := len(server.Asked())
		_, err = client.Subscribe(t.Context(), ports.NewSubscription{Plan: monthly, AccountID: "account-1", Attempt: "attempt-2"})
		asked := server.Asked()[before:]
		if name == "throttled" || name == "redirects" {
			require.ErrorIs(t, err, domain.ErrBilling, name)
			require.Equal(t, []string{"POST /v1/subscriptions"}, asked, "%s: it was not made", name)
			continue
		}
		require.ErrorIs(t, err, domain.ErrBillingLost, name)
		require.Equal(t, []string{"POST /v1/subscriptions", "GET /v1/subscriptions"}, slices.Compact(asked), "%s: it is looked for", name)
		posts := slices.DeleteFunc(asked, func(a string) bool { return !strings.HasPrefix(a, "POST") })
		require.Len(t, posts, 1, "%s: nothing is made twice", name)
	}
	listener := only.Value(net.Listen("tcp", "127.0.0.1:0"))(t)
	require.NoError(t, listener.Close())
	unreachable := razorpay.New(razorpay.Settings{KeyID: fake.KeyID, URL: "http://" + listener.Addr().String(), Pause: time.Nanosecond},
		func() time.Time { return now })
	_, err := unreachable.Subscribe(t.Context(), ports.NewSubscription{Plan: monthly, AccountID: "account-1", Attempt: "attempt-3"})
	require.ErrorIs(t, err, domain.ErrBilling)
	require.NotErrorIs(t, err, domain.ErrBillingLost, "it was not asked for")
	failures := 2
	server.Answer(func(w http.ResponseWriter, _ *http.Request) bool {
		if failures--; failures < 0 {
			return false
		}
		w.WriteHeader(http.StatusServiceUnavailable)
		return true
	})
	require.NoError(t, only.Err(client.Fetch(t.Context(), id)), "it answers at the third time")
	server.Answer(nil)
	wrong := razorpay.New(razorpay.Settings{KeyID: fake.KeyID, KeySecret: "another", URL: server.URL(), Pause: time.Nanosecond}, func() time.Time { return now })
	require.ErrorIs(t, only.Err(wrong.Fetch(t.Context(), id)), domain.ErrBilling, "refused credentials are the operator's to mend")
}

func TestNoticesAreSigned(t *testing.T) {
	server, client := started(t)
	id := server.Create("plan_m", "account-1")
	n := server.Notify("subscription.charged", id)
	for _, secret := range []string{fake.WebhookSecret, fake.FormerSecret} {
		got := only.Value(client.Read(n.Body, fake.Sign(n.Body, secret)))(t)
		require.Equal(t, domain.BillingNotice{Subscription: id, PlanID: "plan_m"}, got)
		got = only.Value(client.Read(n.Body, strings.ToUpper(fake.Sign(n.Body, secret))))(t)
		require.Equal(t, id, got.Subscription)
		for at := range n.Body { // each bit of the body counts
			tampered := slices.Clone(n.Body)
			tampered[at] ^= 1
			require.ErrorIs(t, only.Err(client.Read(tampered, fake.Sign(n.Body, secret))), domain.ErrNotice)
		}
	}
	for _, signature := range []string{"", "00", "no hex", fake.Sign(n.Body, "another"), fake.Sign(n.Body, ""), n.Signature[:62], n.Signature + "00"} {
		require.ErrorIs(t, only.Err(client.Read(n.Body, signature)), domain.ErrNotice, signature)
	}
	for body, want := range map[string]domain.BillingNotice{
		`{"event":"payment.captured","payload":{"payment":{}}}`:                                                           {},
		`{"event":"invoice.paid","payload":{"invoice":{"entity":{"subscription_id":"sub_7"}}}}`:                           {Subscription: "sub_7"},
		`{"event":"subscription.charged","payload":{"subscription":{"entity":{"id":"../plans","plan_id":"plan_m"}}}}`:     {},
		`{"event":"subscription.charged","payload":{"subscription":{"entity":{"id":"sub_7","plan_id":"` + "a/b" + `"}}}}`: {Subscription: "sub_7"},
	} {
		got, err := client.Read([]byte(body), fake.Sign([]byte(body), fake.WebhookSecret))
		require.NoError(t, err, body)
		require.Equal(t, want, got, body)
	}
	for _, body := range []string{"", "[]", "null", "{", `{"event":7}`, `{}`, `{"event":"x","payload":[]}`} {
		_, err := client.Read([]byte(body), fake.Sign([]byte(body), fake.WebhookSecret))
		kind, code, _ := domain.KindOf(err)
		require.Equal(t, domain.KindInvalid, kind, body)
		require.Equal(t, domain.CodeBody, code, body)
	}
	client.CountNotice(ports.NoticeUnknownPlan)
	figures := make(chan prometheus.Metric, len(ports.NoticeOutcomes))
	client.Collector().Collect(figures)
	require.Len(t, figures, len(ports.NoticeOutcomes), "those that did not happen are there too")
}

// Notes may be missing, and pages of other kinds are not offered.
func TestOddSubscriptions(t *testing.T) {
	server, client := started(t)
	id := server.Create("plan_other", "")
	got := only.Value(client.Fetch(t.Context(), id))(t)
	require.Empty(t, got.AccountID)
	require.Empty(t, got.Plan)
	require.Equal(t, "plan_other", got.PlanID)
	server.Answer(func(w http.ResponseWriter, _ *http.Request) bool {
		_, _ = w.Write([]byte(`{"id":"` + id + `","status":"active","created_at":1700000000,"notes":{"milaan_account":7},"short_url":"javascript:alert(1)"}`))
		return true
	})
	got = only.Value(client.Fetch(t.Context(), id))(t)
	require.Empty(t, got.AccountID)
	require.Empty(t, got.URL)
}

// The two clocks may be some minutes apart, either way.
func TestWhatWasMadeIsFoundThoughTheClocksDiffer(t *testing.T) {
	for _, ahead := range []time.Duration{-10 * time.Minute, 10 * time.Minute} {
		server := fake.New(t, func() time.Time { return now.Add(ahead) }, fake.PlanOf("plan_m", "monthly"))
		client := razorpay.New(razorpay.Settings{KeyID: fake.KeyID, KeySecret: fake.KeySecret, URL: server.URL(), Pause: time.Nanosecond},
			func() time.Time { return now })
		server.Lose(func(r *http.Request) bool { return r.Method == http.MethodPost })
		made := only.Value(client.Subscribe(t.Context(), ports.NewSubscription{Plan: monthly, AccountID: "account-1", Attempt: "attempt-1"}))(t)
		require.Equal(t, "sub_000001", made.ID)
	}
}

// Whatever state Razorpay answers for one that is cancelled to its period's end, what is paid stays.
func TestCancelledToTheEnd(t *testing.T) {
	server, client := started(t)
	id := server.Create("plan_m", "account-1")
	server.Activate(id)
	server.Answer(func(w http.ResponseWriter, r *http.Request) bool {
		if strings.HasSuffix(r.URL.Path, "/cancel") {
			_ = json.NewEncoder(w).Encode(fake.Subscription{ID: id, PlanID: "plan_m", Status: "cancelled", Created: now.Unix(),
				Start: now.Unix(), End: now.AddDate(0, 1, 0).Unix(), Ended: now.Unix()})
		}
		return strings.HasSuffix(r.URL.Path, "/cancel")
	})
	got := only.Value(client.Cancel(t.Context(), id, false))(t)
	require.Equal(t, now.AddDate(0, 1, 0).UTC(), got.EndsAt())
	got = only.Value(client.Cancel(t.Context(), id, true))(t)
	require.Equal(t, now.UTC(), got.EndsAt())

	cancels := 0
	server.Answer(func(w http.ResponseWriter, r *http.Request) bool {
		cancelled := fake.Subscription{ID: id, PlanID: "plan_m", Status: "cancelled", Created: now.Unix(),
			Start: now.Unix(), End: now.AddDate(0, 1, 0).Unix(), Ended: now.Unix()}
		switch {
		case r.Method == http.MethodGet:
			_ = json.NewEncoder(w).Encode(cancelled)
		case cancels == 0: // it is done, and the answer is lost
			w.WriteHeader(http.StatusBadGateway)
		default:
			w.WriteHeader(http.StatusBadRequest)
		}
		cancels++
		return true
	})
	got = only.Value(client.Cancel(t.Context(), id, false))(t)
	require.Equal(t, now.AddDate(0, 1, 0).UTC(), got.EndsAt(), "what is paid stays, although the answer was lost")
}

// What is paid by UPI or e-mandate is not changed, and what was asked for with a lost answer is
// found by its notes, among those of others.
func TestASubscriptionThatBeginsLater(t *testing.T) {
	server, client := started(t)
	server.Lose(func(r *http.Request) bool { return r.Method == http.MethodPost })
	begins := now.AddDate(0, 0, 10).UTC()
	server.Create("plan_m", "account-1")
	made, err := client.Subscribe(t.Context(), ports.NewSubscription{Plan: monthly, AccountID: "account-1", Attempt: "attempt-1", BeginsAt: begins})
	require.NoError(t, err)
	require.Equal(t, []any{"sub_000002", begins, 0}, []any{made.ID, made.BeginsAt, made.Charges})
	server.Lose(nil)
	require.Equal(t, []int64{begins.Unix(), begins.Unix() - 60}, []int64{server.All()[1].StartAt, server.All()[1].ExpireBy})
	for _, method := range []string{"upi", "emandate", "card"} {
		id := server.Create("plan_m", "account-1")
		require.True(t, server.Authorize(id, method))
		got := only.Value(client.Fetch(t.Context(), id))(t)
		require.Equal(t, []any{method, method != "card"}, []any{got.Method, got.Fixed})
		_, err := client.Change(t.Context(), id, "plan_y")
		require.Equal(t, method != "card", err != nil)
	}
}
