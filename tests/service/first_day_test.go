package service

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"milaan/config"
	"milaan/domain"
	"milaan/tests/fakes/msg91"
	"milaan/tests/fakes/razorpay"
)

// TestTheFirstDayOfAMerchant goes through everything that an account does for itself, from
// signing up to its end, as the pages and the merchant's programs do. Nothing is done by an
// operator.
func TestTheFirstDayOfAMerchant(t *testing.T) {
	onBoth(t, func(t *testing.T, db database) {
		clock, sms := &Clock{now: Morning}, msg91.New(t)
		sold := razorpay.New(t, clock.Now, razorpay.PlanOf("plan_pro", "monthly"))
		p := startAtProviderAs(t, true, Options{DatabaseURL: db(t), clock: clock, Settings: func(c *config.Config) {
			c.OTP = config.OTP{Way: config.OTPMSG91, PerHour: 100, MSG91AuthKey: msg91.AuthKey, MSG91Template: msg91.Template, MSG91URL: sms.URL}
			c.Billing = soldAt(sold)
			c.Billing.RazorpayPlans = config.BillingPlans{{ID: "plan_pro", Plan: "pro"}}
		}})
		const email, accountant, number = "merchant@first-day.example", "books@first-day.example", "9812345670"
		owner := p.Browser()
		c := &Customer{Email: email, service: p.Service}
		setup := func() string {
			m := answered[struct{ Setup, Account json.RawMessage }](t, owner.Get(t, "/app/api/me"))
			return string(m.Setup)
		}
		body := func(method, path string, sent any, status int) map[string]any {
			t.Helper()
			a := owner.Send(t, method, "/app/api"+path, sent)
			require.Equal(t, status, a.Status, string(a.Body))
			return fields(t, a.Body)
		}
		key := func(path string) string {
			t.Helper()
			issued := body(http.MethodPost, path, Body{"replaces": ""}, http.StatusOK)["key"].(string)
			p.secrets.Store(issued, true)
			return issued
		}

		// Signing up. The setup says what is missing, and so does every refusal.
		require.Equal(t, "/app", owner.finish(t, p.begin(t, owner, "", email, true)).Header.Get("Location"))
		require.JSONEq(t, `{"phone":false,"subscription":false}`, setup())
		owner.SendForm(t, "/app/api/reconcile", Small().Form(t)).RefusedPage(t, 403, "phone_not_verified", "")
		owner.Send(t, http.MethodPost, "/app/api/sandbox-key", Body{"replaces": ""}).RefusedPage(t, 403, "phone_not_verified", "")

		// The phone number, by the code of a message.
		body(http.MethodPost, phonePath, Body{"number": number}, http.StatusAccepted)
		body(http.MethodPost, verifyPath, Body{"code": sms.Last().Code}, http.StatusOK)
		require.JSONEq(t, `{"phone":true,"subscription":false}`, setup())

		// The sandbox needs no more than that.
		sandbox := key("/sandbox-key")
		tried := p.Reconcile(t, sandbox, Small())
		require.Equal(t, "true", tried.Header.Get("X-Sandbox"))
		require.NotEmpty(t, tried.Run(t).Results)
		require.Zero(t, owner.me(t).Quota.Used)
		owner.Send(t, http.MethodPost, "/app/api/key", Body{"replaces": ""}).RefusedPage(t, 403, "setup_incomplete", "")

		// The subscription: paid at Razorpay, whose notices come twice and out of order.
		url := body(http.MethodPost, "/account/subscription", Body{"plan": "pro"}, http.StatusOK)["url"].(string)
		require.Len(t, sold.All(), 1)
		id := sold.All()[0].ID
		require.Equal(t, "https://rzp.example/"+id, url)
		sold.Edit(id, func(s *razorpay.Subscription) { s.Status = "authenticated" })
		early := sold.Notify("subscription.authenticated", id)
		sold.Activate(id)
		active := sold.Notify("subscription.activated", id)
		for _, n := range []razorpay.Notice{active, early, active} {
			require.Equal(t, http.StatusOK, post(t, p.Service, n).Status)
		}
		c.becomes(t, "pro active 10 "+clock.Now().In(domain.Kolkata).Format(time.DateOnly))
		require.Eventually(t, func() bool { // or the other notice could be read once the account is gone
			return len(p.Query(t, "SELECT id FROM jobs WHERE kind = 'billing'")) == 0
		}, workTime, 5*time.Millisecond)
		require.JSONEq(t, `{"phone":true,"subscription":true}`, setup())

		// The live key, and the first run that counts.
		live := key("/key")
		first := p.Reconcile(t, live, Small())
		require.NotEmpty(t, first.Header.Get("X-Run-Id"))
		require.Empty(t, first.Header.Get("X-Sandbox"))
		require.Equal(t, tried.Run(t).Results, first.Run(t).Results)
		require.Equal(t, 1, owner.me(t).Quota.Used)

		// The accountant comes by an invitation, makes a run, and gets no key.
		link := body(http.MethodPost, "/account/people", Body{"email": accountant, "role": "accountant"}, http.StatusCreated)["link"].(string)
		_, token, _ := strings.Cut(link, "#token=")
		p.secrets.Store(token, true)
		books := p.Browser()
		books.accept(t, token)
		require.Equal(t, "/app", books.finish(t, p.beginAt(t, books, "/app/api/sign-in/oidc?invited=1", accountant, true)).Header.Get("Location"))
		require.Equal(t, accountant+" accountant "+email, strings.Join([]string{books.works(t).Person, books.works(t).Role, books.works(t).Account.Email}, " "))
		require.NotEmpty(t, books.reconcile(t, Named("the accountant's")).Results)
		require.Equal(t, 2, books.me(t).Quota.Used)
		books.Get(t, "/app/api/key").RefusedPage(t, 403, "role", "")
		books.Send(t, http.MethodDelete, "/app/api/account", Body{"confirm": email}).RefusedPage(t, 403, "role", "")

		// The end. Razorpay is told first, and then nothing is left.
		account := c.id(t)
		stored := []string{account, email, accountant, number, live[:20], sandbox[:20]} // a done job of a notice still names the subscription
		require.Contains(t, strings.Join(p.Query(t, "SELECT * FROM accounts")[0], "|"), account)
		owner.Send(t, http.MethodDelete, "/app/api/account", Body{"confirm": accountant}).RefusedPage(t, 400, "field_invalid", "confirm")
		require.Equal(t, "active", sold.All()[0].Status)
		require.Equal(t, http.StatusNoContent, owner.Send(t, http.MethodDelete, "/app/api/account", Body{"confirm": email}).Status)
		require.Equal(t, "cancelled", sold.All()[0].Status)
		for _, b := range []*Browser{owner, books} {
			require.Empty(t, b.signedInAs(t))
			b.Get(t, "/app/api/runs").RefusedPage(t, 401, "session", "")
		}
		for _, key := range []string{live, sandbox} {
			p.Reconcile(t, key, Small()).Refused(t, 401, "API key missing, malformed or expired")
		}
		require.Equal(t, http.StatusOK, post(t, p.Service, sold.Notify("subscription.cancelled", id)).Status, "it comes after the account has gone")
		require.Eventually(t, func() bool {
			return strings.Contains(string(p.Get(t, "/metrics").Body), `milaan_billing_notices_total{outcome="unknown_account"} 1`)
		}, workTime, 5*time.Millisecond)
		left := p.everything(t)
		for _, nobodys := range []string{"goose_db_version", "service_facts", "billing_notices", "sign_ups"} { // the last two have ids of their own and times
			delete(left, nobodys)
		}
		require.Empty(t, left)
		p.databaseHoldsNone(t, stored)
		requireNone(t, "the log", p.Log.String(), []string{email, accountant, number, sms.Last().Code + `"`})
	})
}
