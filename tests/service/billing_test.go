package service

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"milaan/config"
	"milaan/domain"
	"milaan/tests/fakes/razorpay"
	"milaan/tests/fakes/smtp"
	"milaan/tests/only"
)

// selling starts a service that sells subscriptions at a fake Razorpay.
func selling(t *testing.T, db database, clock *Clock) (*Service, *razorpay.Server) {
	fake := razorpay.New(t, clock.Now, razorpay.PlanOf("plan_solo", "monthly"), razorpay.PlanOf("plan_pro", "monthly"), razorpay.PlanOf("plan_year", "yearly"))
	return sellingAt(t, db(t), clock, fake), fake
}

func sellingAt(t *testing.T, databaseURL string, clock *Clock, fake *razorpay.Server) *Service {
	return Start(t, Options{DatabaseURL: databaseURL, clock: clock, Settings: func(c *config.Config) { c.Billing = soldAt(fake) }})
}

// soldAt are the settings of a service that sells subscriptions at a fake Razorpay.
func soldAt(fake *razorpay.Server) config.Billing {
	return config.Billing{RazorpayKeyID: razorpay.KeyID, RazorpayKeySecret: razorpay.KeySecret, RazorpayURL: fake.URL(),
		RazorpayWebhookSecrets: config.SecretList{razorpay.WebhookSecret, razorpay.FormerSecret},
		RazorpayPlans:          config.BillingPlans{{ID: "plan_solo", Plan: "solo"}, {ID: "plan_pro", Plan: "pro"}, {ID: "plan_year", Plan: "enterprise"}}}
}

func post(t *testing.T, s *Service, n razorpay.Notice) Answer {
	t.Helper()
	return s.Do(t, s.Request(t, http.MethodPost, "/hooks/razorpay", bytes.NewReader(n.Body),
		"Content-Type", "application/json", "X-Razorpay-Signature", n.Signature, "X-Razorpay-Event-Id", n.ID))
}

// own sends a request about the account with its session token.
func (c *Customer) own(t *testing.T, method, path string, body any) Answer {
	t.Helper()
	text := only.Value(json.Marshal(body))(t)
	return c.service.Do(t, c.service.Request(t, method, path, bytes.NewReader(text), "Content-Type", "application/json", "Authorization", "Bearer "+c.Session(t)))
}

// becomes waits until the account is so, by the jobs of notices.
func (c *Customer) becomes(t *testing.T, want string) {
	t.Helper()
	var got string
	require.Eventually(t, func() bool {
		a := only.Value(c.service.Manage.Show(t.Context(), c.Email))(t)
		now := c.service.Clock.Now()
		runs, _ := a.MonthlyCap()
		got = fmt.Sprint(a.Plan, " ", a.SubscriptionAt(now), " ", runs, " ", a.Cycle(now).Start)
		return got == want
	}, workTime, 5*time.Millisecond, "%v", &got)
}

func (c *Customer) id(t *testing.T) string {
	return only.Value(c.service.Manage.Show(t.Context(), c.Email))(t).ID
}

var notSetUp = func(a *domain.Account) { a.Plan, a.Subscription = domain.Solo, domain.SubscriptionIncomplete }

func TestSubscriptionsByRazorpay(t *testing.T) {
	onBoth(t, func(t *testing.T, db database) {
		clock := &Clock{now: time.Date(2026, time.October, 31, 10, 0, 0, 0, domain.Kolkata)}
		s, fake := selling(t, db, clock)
		c := s.Account(t, notSetUp)
		const path = "/account/subscription"
		a := c.own(t, http.MethodPost, path, Body{"plan": "pro"})
		require.Equal(t, `{"url":"https://rzp.example/sub_000001"}`+"\n", string(a.Body))
		require.Equal(t, c.id(t), fake.All()[0].Notes["milaan_account"])
		require.Len(t, fake.All()[0].Notes["milaan_attempt"], 36)
		c.own(t, http.MethodPost, path, Body{"plan": "pro"})
		require.Len(t, fake.All(), 1)
		c.IssueKeyRefused(t, "account setup incomplete")

		id := fake.All()[0].ID
		fake.Activate(id)
		n := fake.Notify("subscription.activated", id)
		for _, secret := range []string{razorpay.WebhookSecret, razorpay.FormerSecret} {
			tampered := n
			tampered.Signature = razorpay.Sign(n.Body, secret)
			tampered.Body = bytes.Replace(n.Body, []byte("active"), []byte("paused"), 1)
			post(t, s, tampered).Refused(t, http.StatusUnauthorized, "the X-Razorpay-Signature is not one of this body")
		}
		for _, answer := range sendAtOnce(64, func(int) Answer { return post(t, s, n) }) {
			require.Equal(t, http.StatusOK, answer.Status)
		}
		c.becomes(t, "pro active 10 2026-10-31")
		c.Rotate(t)
		require.Equal(t, http.StatusOK, c.Reconcile(t, Named("first")).Status)
		metrics := string(s.Get(t, "/metrics").Body)
		require.Contains(t, metrics, `milaan_billing_notices_total{outcome="taken"} 1`)
		require.Contains(t, metrics, `milaan_billing_notices_total{outcome="repeated"} 63`)
		require.Contains(t, metrics, `milaan_billing_notices_total{outcome="refused"} 2`)
		c.own(t, http.MethodPost, path, Body{"plan": "pro"}).Refused(t, http.StatusConflict, "the account has an active subscription")
		c.own(t, http.MethodPatch, path, Body{"plan": "gold"}).Refused(t, http.StatusBadRequest, "plan must be solo, pro, enterprise, plan_solo, plan_pro or plan_year")

		for _, stranger := range []string{fake.Create("plan_pro", "nobody"), fake.Create("plan_other", c.id(t)), fake.Create("plan_pro", "")} {
			require.Equal(t, http.StatusOK, post(t, s, fake.Notify("subscription.activated", stranger)).Status)
		}
		require.Equal(t, http.StatusOK, post(t, s, fake.Notify("refund.processed", id)).Status)
		require.Eventually(t, func() bool { // each is counted, and then said
			metrics, log := string(s.Get(t, "/metrics").Body), s.Log.String()
			return strings.Contains(metrics, `outcome="unknown_account"} 2`) && strings.Contains(metrics, `outcome="unknown_plan"} 1`) &&
				strings.Count(log, "a subscription names no account of this service") == 2 &&
				strings.Contains(log, "a subscription has a plan that the settings of Razorpay do not name")
		}, workTime, 5*time.Millisecond)

		// The cycle is that of the billed period, and the 31st comes back after November.
		clock.Set(time.Date(2026, time.November, 30, 11, 0, 0, 0, domain.Kolkata))
		fake.Activate(id)
		require.Equal(t, http.StatusOK, post(t, s, fake.Notify("subscription.charged", id)).Status)
		c.becomes(t, "pro active 10 2026-11-30")
		clock.Set(time.Date(2026, time.December, 30, 11, 0, 0, 0, domain.Kolkata))
		c.becomes(t, "pro active 10 2026-11-30")

		view := struct {
			Status, Plan string
			EndsAt       string `json:"ends_at"`
		}{}
		a = c.own(t, http.MethodDelete, path, nil)
		require.NoError(t, json.Unmarshal(a.Body, &view), string(a.Body))
		require.Equal(t, "active pro 2026-12-31T04:30:00.000Z", view.Status+" "+view.Plan+" "+view.EndsAt)
		require.Equal(t, http.StatusOK, c.Reconcile(t, Named("second")).Status)
		fake.Edit(id, func(sub *razorpay.Subscription) { sub.Status, sub.Ended = "cancelled", sub.End })
		require.Equal(t, http.StatusOK, post(t, s, fake.Notify("subscription.cancelled", id)).Status)
		clock.Set(time.Unix(fake.All()[0].End, 0))
		require.Eventually(t, func() bool { // a run that is tried before the job of the notice counts towards the rate
			a, err := s.Manage.Show(t.Context(), c.Email)
			return err == nil && a.SubscriptionAt(clock.Now()) == domain.SubscriptionEnded
		}, workTime, 5*time.Millisecond)
		require.Equal(t, http.StatusForbidden, c.Reconcile(t, Named("third")).Status)
		for _, secret := range []string{razorpay.KeySecret, razorpay.WebhookSecret, razorpay.FormerSecret, "rzp.example"} {
			require.NotContains(t, s.Log.String(), secret)
		}
	})
}

// IssueKeyRefused holds that the account gets no key.
func (c *Customer) IssueKeyRefused(t *testing.T, beginning string) {
	t.Helper()
	c.service.IssueKey(t, c.Session(t)).Refused(t, http.StatusForbidden, beginning)
}

func TestBillingIsOff(t *testing.T) {
	t.Parallel()
	s := Start(t, Options{})
	c := s.Account(t)
	body := []byte(`{"event":"subscription.charged"}`)
	post(t, s, razorpay.Notice{ID: "evt", Body: body, Signature: razorpay.Sign(body, "")}).Refused(t, http.StatusNotFound, "subscriptions are not sold here")
	post(t, s, razorpay.Notice{Body: bytes.Repeat([]byte("x"), 256<<10+1)}).Refused(t, http.StatusRequestEntityTooLarge, "the notice is larger than 262,144 bytes")
	require.Contains(t, string(c.own(t, http.MethodGet, "/account/subscription", nil).Body), `"configured":false,"plans":[]`)
	for _, method := range []string{http.MethodPost, http.MethodPatch, http.MethodDelete} {
		c.own(t, method, "/account/subscription", Body{"plan": "pro"}).Refused(t, http.StatusNotFound, "subscriptions are not sold here")
	}
}

// A customer whose plan Razorpay does not change, in two windows at once, which are served by
// two services where the database allows that.
func TestAPlanThatFollowsAnother(t *testing.T) {
	onBoth(t, func(t *testing.T, db database) {
		clock := &Clock{now: time.Date(2026, time.October, 31, 10, 0, 0, 0, domain.Kolkata)}
		fake := razorpay.New(t, clock.Now, razorpay.PlanOf("plan_solo", "monthly"), razorpay.PlanOf("plan_pro", "monthly"), razorpay.PlanOf("plan_year", "yearly"))
		url, secrets, office := db(t), t.TempDir(), smtp.New(t, "", "")
		var both []*Service
		for range 2 {
			if url == "" && len(both) == 1 { // SQLite is one service's
				both = append(both, both[0])
				continue
			}
			both = append(both, Start(t, Options{DatabaseURL: url, clock: clock, Settings: func(c *config.Config) {
				c.Billing, c.Secrets.DataDir = soldAt(fake), secrets
				c.Mail.SMTPURL, c.Mail.MailFrom = config.Secret("smtp://"+office.Addr), "Milaan <milaan@milaan.example>"
				c.HTTP.PublicURL = "https://milaan.shop.example"
			}}))
		}
		c := both[0].Account(t, notSetUp)
		session := c.Session(t)
		const path = "/account/subscription"
		at := func(i int, method, path string, body any) Answer {
			text := only.Value(json.Marshal(body))(t)
			s := both[i%2]
			return s.Do(t, s.Request(t, method, path, bytes.NewReader(text), "Content-Type", "application/json", "Authorization", "Bearer "+session))
		}
		counted := func(what string) (n int) {
			for _, asked := range fake.Asked() {
				if asked == what {
					n++
				}
			}
			return n
		}
		sendAtOnce(8, func(i int) Answer { return at(i, http.MethodPost, path, Body{"plan": "pro"}) })
		require.Len(t, fake.All(), 1, "however many ask, one is made")
		id := fake.All()[0].ID
		require.True(t, fake.Authorize(id, "upi"))
		clock.Advance(time.Minute)
		before := counted("GET /v1/subscriptions/" + id)
		sendAtOnce(8, func(i int) Answer { return at(i, http.MethodGet, path, nil) })
		require.Equal(t, before+1, counted("GET /v1/subscriptions/"+id), "Razorpay is asked once in 30 seconds")
		require.Contains(t, string(at(1, http.MethodGet, path, nil).Body), `"subscription":"active","status":"active","plan":"pro"`, "no notice has come")

		at(0, http.MethodPatch, path, Body{"plan": "solo"}).Refused(t, http.StatusConflict, "Razorpay does not change a subscription that is paid by UPI")
		at(0, http.MethodGet, path+"/preview?plan=gold", nil).Refused(t, http.StatusBadRequest, "plan must be solo, pro, enterprise, plan_solo, plan_pro or plan_year")
		preview := at(0, http.MethodGet, path+"/preview?plan=solo", nil)
		require.JSONEq(t, `{"plan":{"id":"plan_solo","plan":"solo","name":"Plan plan_solo","period":"monthly","interval":1,"amount":999},"anew":true,`+
			`"begins_at":"2026-11-30T04:30:00.000Z","ends_now":false,"from":"pro","downgrade":true,"loses":["api","autopilot","branding"],"gains":[],`+
			`"cap_before":10,"cap_after":2}`, string(preview.Body))
		const otherwise = "whether the subscription ends at once (`ends_now`) is not as it was shown any more"
		at(0, http.MethodPatch, path, Body{"plan": "solo", "anew": true, "ends_now": true}).Refused(t, http.StatusConflict, otherwise)
		at(1, http.MethodDelete, path, Body{"ends_now": true}).Refused(t, http.StatusConflict, otherwise)
		at(1, http.MethodDelete, path, Body{"ends_now": "no"}).Refused(t, http.StatusBadRequest, "the field ends_now")
		require.Contains(t, string(at(1, http.MethodGet, path, nil).Body), `"status":"active","plan":"pro","period_start":"2026-10-31","period_end":"2026-11-30",`+
			`"ends_at":null,"ends_now":false`)
		sendAtOnce(8, func(i int) Answer {
			return at(i, http.MethodPatch, path, Body{"plan": "solo", "anew": true, "ends_now": false})
		})
		require.Len(t, fake.All(), 2)
		got := string(at(0, http.MethodGet, path, nil).Body)
		require.Contains(t, got, `"ends_at":"2026-11-30T04:30:00.000Z"`)
		require.Contains(t, got, `"next":{"plan":"solo","status":"created","begins_at":"2026-11-30T04:30:00.000Z","manage":"https://rzp.example/sub_000002"},"twice":false`)

		other := fake.Create("plan_pro", c.id(t)) // by the operator, at Razorpay
		require.True(t, fake.Authorize(other, "card"))
		require.True(t, fake.Authorize("sub_000002", "card"))
		for _, one := range []string{other, "sub_000002"} {
			require.Equal(t, http.StatusOK, post(t, both[0], fake.Notify("subscription.activated", one)).Status)
		}
		require.Eventually(t, func() bool {
			clock.Advance(time.Second)
			return strings.Contains(string(at(1, http.MethodGet, path, nil).Body), `"twice":true`) &&
				strings.Contains(string(both[0].Get(t, "/metrics").Body)+string(both[1].Get(t, "/metrics").Body), `outcome="charged_twice"`)
		}, workTime, 5*time.Millisecond)
		require.Contains(t, both[0].Log.String()+both[1].Log.String(), "an account is charged for several subscriptions")
		require.Eventually(t, func() bool { return len(office.Mails()) == 1 }, workTime, 5*time.Millisecond)
		require.Equal(t, c.Email, office.Mails()[0].To)
		require.Contains(t, office.Mails()[0].Data, "Subject: Milaan: your account is charged for several subscriptions")

		session = both[0].Account(t, notSetUp).Session(t)
		for i := range 10 {
			require.Equal(t, http.StatusOK, at(i, http.MethodPost, path, Body{"plan": []string{"pro", "solo"}[i%2]}).Status)
		}
		for i := range 2 {
			a := at(i, http.MethodPost, path, Body{"plan": "pro"})
			a.Refused(t, http.StatusTooManyRequests, "Rate limit exceeded")
			require.Equal(t, "3600", a.Header.Get("Retry-After"))
		}
		require.Contains(t, string(at(0, http.MethodGet, path, nil).Body), `"status":"created","plan":"solo"`)
	})
}
