package service

import (
	"bytes"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"milaan/domain"
	"milaan/tests/fakes/razorpay"
)

// Each switch writes to the security log of the account that a person goes to: somebody who may
// only read must not be able to fill it.
func TestSwitchingHasARate(t *testing.T) {
	t.Parallel()
	s := Start(t, Options{})
	own, other := s.Customer(t), s.Customer(t)
	require.Equal(t, http.StatusOK, own.SignIn(t).accept(t, other.invited(t, own.Email, "reader")).Status)
	b := own.SignIn(t)
	ids := []string{other.id(t), own.id(t)}
	switchTo := func(i int) Answer {
		a := b.Send(t, http.MethodPost, "/app/api/account/switch", Body{"account_id": ids[i%2]})
		for _, cookie := range a.cookies() {
			b.cookie = fmt.Sprint(cookie.Name, "=", cookie.Value)
			s.secrets.Store(cookie.Value, true)
		}
		return a
	}
	for i := range domain.ChangeRate.Limit {
		require.Equal(t, http.StatusNoContent, switchTo(i).Status, i)
	}
	switchTo(0).RefusedPage(t, http.StatusTooManyRequests, "rate_limited", "")
	require.Equal(t, own.Email, b.works(t).Account.Email)
	s.Clock.Advance(domain.ChangeRate.Span)
	require.Equal(t, http.StatusNoContent, switchTo(0).Status)
}

// What somebody can do at the address of notices without the provider's secret, and with a
// notice that they have seen.
func TestNoticesAttacked(t *testing.T) {
	t.Parallel()
	clock := &Clock{now: time.Date(2026, time.October, 14, 10, 0, 0, 0, domain.Kolkata)}
	s, fake := selling(t, onSQLite, clock)
	a, b := s.Account(t, notSetUp), s.Account(t, notSetUp)
	require.Equal(t, http.StatusOK, a.own(t, http.MethodPost, "/account/subscription", Body{"plan": "pro"}).Status)
	id := fake.All()[0].ID
	fake.Activate(id)
	seen := fake.Notify("subscription.activated", id)
	require.Equal(t, http.StatusOK, post(t, s, seen).Status)
	a.becomes(t, "pro active 10 2026-10-14")

	asked := len(fake.Asked())
	for _, answer := range sendAtOnce(64, func(i int) Answer {
		again := seen
		again.ID = fmt.Sprint("evt_made_up_", i)
		return post(t, s, again)
	}) {
		require.Equal(t, http.StatusOK, answer.Status)
	}
	metrics := string(s.Get(t, "/metrics").Body)
	require.Contains(t, metrics, `milaan_billing_notices_total{outcome="taken"} 1`)
	require.Contains(t, metrics, `milaan_billing_notices_total{outcome="repeated"} 64`)
	require.Len(t, fake.Asked(), asked, "nothing is fetched for them")

	// A subscription stays with the account that it was made for.
	fake.Edit(id, func(sub *razorpay.Subscription) { sub.Notes = map[string]string{"milaan_account": b.id(t)} })
	clock.Advance(time.Second)
	require.Equal(t, http.StatusOK, post(t, s, fake.Notify("subscription.updated", id)).Status)
	require.Eventually(t, func() bool { return len(fake.Asked()) > asked }, workTime, pause)
	a.becomes(t, "pro active 10 2026-10-14")
	require.Empty(t, s.Query(t, "SELECT id FROM billed_subscriptions WHERE account_id = '"+b.id(t)+"'"))
	b.IssueKeyRefused(t, "account setup incomplete")

	twice := s.Request(t, http.MethodPost, "/hooks/razorpay", bytes.NewReader(seen.Body), "Content-Type", "application/json", "X-Razorpay-Event-Id", "evt_x")
	twice.Header["X-Razorpay-Signature"] = []string{strings.Repeat("0", 64), seen.Signature}
	s.Do(t, twice).Refused(t, http.StatusUnauthorized, "the X-Razorpay-Signature is not one of this body")
	for name, body := range map[string]string{"deep": strings.Repeat("[", 200_000), "deep and signed": `{"event":"x","payload":` + strings.Repeat(`{"a":`, 40_000), "large": strings.Repeat(" ", 257<<10)} {
		forged := razorpay.Notice{ID: "evt_" + name, Body: []byte(body), Signature: razorpay.Sign([]byte(body), "guessed")}
		want := http.StatusUnauthorized
		switch name {
		case "deep and signed":
			forged.Signature, want = razorpay.Sign(forged.Body, razorpay.WebhookSecret), http.StatusBadRequest
		case "large":
			want = http.StatusRequestEntityTooLarge
		}
		require.Equal(t, want, post(t, s, forged).Status, name)
	}
	require.Len(t, s.Query(t, "SELECT id FROM billing_notices"), 4, "two notices, each by its id and by its body")
}
