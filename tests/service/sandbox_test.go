package service

import (
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"milaan/config"
	"milaan/domain"
	"milaan/ports"
)

// IssueSandboxKey sends POST /generate-sandbox-key.
func (s *Service) IssueSandboxKey(t testing.TB, token string) Answer {
	t.Helper()
	return s.issue(t, "/generate-sandbox-key", token)
}

// Sandbox is the customer with a new sandbox key in place of the live one.
func (c *Customer) Sandbox(t testing.TB) *Customer {
	t.Helper()
	a := c.service.IssueSandboxKey(t, c.Session(t))
	issued := answered[IssuedKey](t, a)
	require.True(t, strings.HasPrefix(issued.Key, issued.Prefix))
	require.Regexp(t, `^milaan_sandbox_[0-9A-Za-z]{8}$`, issued.Prefix)
	return &Customer{Email: c.Email, Key: issued.Key, service: c.service}
}

// incomplete is what a new account is: it has neither a plan that has the API nor a
// subscription.
func incomplete(a *domain.Account) {
	a.Plan, a.Subscription = domain.Solo, domain.SubscriptionIncomplete
}

// everything is what all tables hold but those of the job engine, and but for when keys were
// used and requests were counted.
func (s *Service) everything(t testing.TB) map[string][]string {
	t.Helper()
	all := map[string][]string{}
	for table, rows := range s.Tables(t) {
		if strings.HasPrefix(table, "river_") || strings.HasPrefix(table, "job") || table == "sqlite_sequence" || table == "rate_windows" {
			continue
		}
		for _, row := range rows {
			if table == "api_keys" {
				row = row[:5]
			}
			all[table] = append(all[table], strings.Join(row, "|"))
		}
		slices.Sort(all[table])
	}
	return all
}

// others are the tables that differ, and how many rows they have more.
func others(before, after map[string][]string) map[string]int {
	more := map[string]int{}
	for _, table := range slices.Sorted(maps.Keys(after)) {
		if !slices.Equal(before[table], after[table]) {
			more[table] = len(after[table]) - len(before[table])
		}
	}
	return more
}

func TestTheSandboxKey(t *testing.T) {
	t.Parallel()
	s := Start(t, Options{})
	t.Run("it needs a verified phone, and no plan", func(t *testing.T) {
		c := s.Account(t, incomplete)
		sandbox := c.Sandbox(t)
		a := sandbox.Reconcile(t, Small())
		a.Run(t)
		require.Equal(t, "true", a.Header.Get("X-Sandbox"))
		require.Empty(t, a.Header.Get("X-Run-Id"))
		c.Change(t, func(a *domain.Account) { a.PhoneVerified = false })
		s.IssueSandboxKey(t, c.Session(t)).Refused(t, 403, "phone_not_verified")
		refused := sandbox.Reconcile(t, Small())
		refused.Refused(t, 403, "phone_not_verified")
		require.Equal(t, "true", refused.Header.Get("X-Sandbox"))
	})
	t.Run("it stands beside the live key", func(t *testing.T) {
		c := s.Customer(t)
		first := c.Sandbox(t)
		require.Empty(t, c.Reconcile(t, Small()).Header.Get("X-Sandbox"))
		second := c.Sandbox(t)
		a := first.Reconcile(t, Small())
		a.Refused(t, 401, "API key missing, malformed or expired")
		require.Equal(t, "true", a.Header.Get("X-Sandbox"))
		second.Run(t, Small())
		c.Rotate(t)
		second.Run(t, Small())
		require.Equal(t, http.StatusOK, c.Reconcile(t, Named("live")).Status)
	})
	t.Run("what the account has saved of a courier's columns is not used", func(t *testing.T) {
		c := s.Customer(t, OnPlan(domain.Enterprise))
		require.Equal(t, "500", paid(t, c, byOrderValue))
		require.Equal(t, "400", paid(t, c.Sandbox(t), byBoth))
	})
	t.Run("issuing has its own rate", func(t *testing.T) {
		c := s.Customer(t)
		for range 5 {
			c.Sandbox(t)
		}
		a := s.IssueSandboxKey(t, c.Session(t))
		a.Refused(t, 429, "Rate limit exceeded")
		require.Equal(t, "60", a.Header.Get("Retry-After"))
		c.Rotate(t)
		s.IssueSandboxKey(t, c.Key).Refused(t, 401, "an API key cannot issue keys")
		s.IssueSandboxKey(t, "").Refused(t, 401, "session token missing")
	})
	t.Run("its rate is its own", func(t *testing.T) {
		c := s.Customer(t, OnPlan(domain.Enterprise))
		sandbox := c.Sandbox(t)
		for range 10 {
			sandbox.Run(t, Small())
		}
		a := sandbox.Reconcile(t, Small())
		a.Refused(t, 429, "Rate limit exceeded")
		require.Equal(t, "300", a.Header.Get("Retry-After"))
		c.Run(t, Small())
		another := c.Sandbox(t)
		another.Reconcile(t, Small()).Refused(t, 429, "Rate limit exceeded")
		s.Clock.Advance(5 * time.Minute)
		another.Run(t, Small())
	})
}

// TestTheSandboxStoresNothing compares all tables before and after each kind of request.
func TestTheSandboxStoresNothing(t *testing.T) {
	onBoth(t, func(t *testing.T, db database) {
		s := Start(t, Options{DatabaseURL: db(t), Settings: OnLoopback})
		c, e := s.Customer(t, OnPlan(domain.Enterprise)), NewEndpoint(t, nil)
		sandbox := c.Sandbox(t)
		body := private.good.With("courierName", "delhivery")
		live := c.Reconcile(t, body)
		ledger := c.Ledger(t, september())
		sandbox.Run(t, Small()) // from now on there is a count of the day
		before := s.everything(t)
		one := map[string]int{"sandbox_runs": 0}

		got := sandbox.Reconcile(t, body)
		require.JSONEq(t, string(live.Body), string(got.Body), "the engine is the real one")
		require.Equal(t, one, others(before, s.everything(t)))
		for range 2 {
			a := sandbox.Keyed(t, "/reconcile", "a key", body)
			require.JSONEq(t, string(live.Body), string(a.Body), "no repeat, and no duplicate")
		}
		files := sandbox.SendForm(t, body.Form(t))
		require.Equal(t, http.StatusOK, files.Status, string(files.Body))
		require.Equal(t, "true", files.Header.Get("X-Sandbox"))
		document := sandbox.Document(t, body.With("format", "csv"))
		require.Equal(t, http.StatusOK, document.Status, string(document.Body))
		require.Equal(t, "true", document.Header.Get("X-Sandbox"))
		require.Empty(t, document.Header.Get("X-Run-Id"))
		sandbox.Reconcile(t, private.bad).Refused(t, 400, "storefront file")
		run := strings.SplitAfterN(ledger, "\n", 3)[1]
		sandbox.Reconcile(t, october().With("previous", ledger+strings.Repeat(run, 400))).Refused(t, 400, "ledger (previous), line 402: has more than 400 rows below its header")
		sandbox.Reconcile(t, manyOrders(101)).Refused(t, 400, "storefront file (shopify), line 102: has more than 100 rows below its header, the most that the sandbox reads")
		require.Equal(t, one, others(before, s.everything(t)))
		require.Equal(t, [][]string{{"6"}}, s.Query(t, "SELECT runs FROM sandbox_runs"))

		// With an endpoint, each run sends it a test.
		secret := c.Watch(t, e)
		before = s.everything(t)
		sandbox.Run(t, body)
		deliveries := c.Deliveries(t)
		require.Len(t, deliveries, 1)
		require.Equal(t, domain.TestDelivery, deliveries[0].Kind)
		require.Equal(t, domain.DeliveryDelivered, deliveries[0].State)
		require.Len(t, e.Calls(), 1)
		call := e.Calls()[0]
		require.Equal(t, contractSignature(secret, call.Body), call.Header.Get("X-Milaan-Sig"))
		require.Equal(t, "true", call.Header.Get("X-Sandbox"))
		require.Equal(t, "test", call.Header.Get("X-Milaan-Event"))
		require.Equal(t, "Milaan test", fields(t, call.Body)["brand"])
		require.Equal(t, map[string]int{"sandbox_runs": 0, "deliveries": 1, "delivery_attempts": 1}, others(before, s.everything(t)))
		c.Run(t, Named("live"))
		c.Deliveries(t)
		require.Len(t, e.Calls(), 2)
		require.Empty(t, e.Calls()[1].Header.Get("X-Sandbox"))
		s.writesNone(t, private.contents)
	})
}

// manyOrders is a body with the given number of orders.
func manyOrders(n int) Body {
	orders := make([]Order, n)
	for i := range orders {
		orders[i] = Order{Name: fmt.Sprint("#", i+1), Total: "1.00", AWB: fmt.Sprint("AWB", i+1)}
	}
	return Small().With("shopify", Export(orders...))
}

// TestTheBrandsOfTheSandbox compares what the sandbox answers with the errors of live keys.
func TestTheBrandsOfTheSandbox(t *testing.T) {
	t.Parallel()
	s := Start(t, Options{})
	live := map[string]Answer{}
	at := func(brand string, change func(*domain.Account), before func(*Customer)) {
		c := s.Customer(t, Capped(2))
		if before != nil {
			before(c)
		}
		c.Change(t, change)
		live[brand] = c.Reconcile(t, Small())
	}
	same := func(*domain.Account) {}
	at("sandbox:403-phone", func(a *domain.Account) { a.PhoneVerified = false }, nil)
	at("sandbox:403-plan", func(a *domain.Account) { a.Plan = domain.Solo }, nil)
	at("sandbox:429-rate", func(a *domain.Account) { a.RunCap = new(100) }, func(c *Customer) {
		for range 10 {
			c.Reconcile(t, Small())
		}
	})
	at("sandbox:429-runs", same, func(c *Customer) {
		c.Run(t, Named("a"))
		c.Run(t, Named("b"))
	})
	c := s.Customer(t, Capped(2))
	sandbox := c.Sandbox(t)
	sandbox.Run(t, Small())
	before := s.everything(t)
	told := func(h http.Header) http.Header {
		h = h.Clone()
		for _, name := range []string{"X-Request-Id", "Date", "X-Sandbox"} {
			h.Del(name)
		}
		return h
	}
	for brand, want := range live {
		for _, body := range []Body{{"brand": brand}, Small().With("brand", brand)} {
			got := sandbox.Reconcile(t, body)
			require.Equal(t, want.Status, got.Status, brand)
			require.Equal(t, string(want.Body), string(got.Body), brand)
			require.Equal(t, told(want.Header), told(got.Header), brand)
			require.Equal(t, "true", got.Header.Get("X-Sandbox"))
		}
	}
	s.Clock.Advance(time.Minute)
	fault := sandbox.Reconcile(t, Small().With("brand", "sandbox:500"))
	fault.Refused(t, 500, "unexpected error in the service: retry once after 5 seconds, and quote X-Request-Id if it stays")
	require.Contains(t, s.Log.String(), `"level":"INFO","msg":"request failed"`)
	sandbox.Document(t, Body{"brand": "sandbox:403-plan", "format": "csv"}).Refused(t, 403, "the account's plan has no API access")
	sandbox.SendForm(t, Small().With("brand", "sandbox:403-phone").Form(t)).Refused(t, 403, "phone_not_verified")
	require.Empty(t, others(before, s.everything(t)), "they count nothing")
	sandbox.Reconcile(t, Named("sandbox:404")).Refused(t, 400,
		"brand begins with sandbox: and asks for an error that the sandbox does not have; it has sandbox:403-phone, sandbox:403-plan, sandbox:429-rate, sandbox:429-runs, sandbox:500")
	require.Equal(t, http.StatusOK, c.Reconcile(t, Named("sandbox:403-phone")).Status, "a label like any other")
	require.Equal(t, http.StatusOK, c.Reconcile(t, Named("sandbox:404")).Status)

	report := sandbox.completeInSandbox(t, Jobs(Named("Asha"), Named("sandbox:429-runs"), Named("sandbox:500")))
	require.Nil(t, report.Results[0].Error)
	require.Equal(t, live["sandbox:429-runs"].Message(), *report.Results[1].Error)
	require.Equal(t, "Unexpected server error: send this job again", *report.Results[2].Error)
}

// completeInSandbox is Complete with a sandbox key.
func (c *Customer) completeInSandbox(t testing.TB, b Body) BatchReport {
	t.Helper()
	id := c.Submit(t, b).BatchID
	caller := ports.Caller{Account: domain.Account{ID: c.ID(t)}, Sandbox: true}
	require.Eventually(t, func() bool {
		b, err := c.service.Batching.Status(t.Context(), caller, id)
		return err == nil && b.State() == domain.BatchComplete
	}, workTime, pause)
	return c.Status(t, id).Report(t)
}

func TestWithoutTheSandbox(t *testing.T) {
	t.Parallel()
	on := Start(t, Options{})
	sandbox := on.Customer(t).Sandbox(t)
	on.Stop()
	s := Start(t, Options{Settings: func(c *config.Config) {
		c.Sandbox.On = false
		c.Storage.DataDir, c.Secrets.DataDir = on.DataDir, on.DataDir
	}})
	a := s.Reconcile(t, sandbox.Key, Small())
	a.Refused(t, 401, "API key missing, malformed or expired")
	require.Empty(t, a.Header.Get("X-Sandbox"))
	c := s.Customer(t)
	s.IssueSandboxKey(t, c.Session(t)).Refused(t, 404, "this service has no sandbox: use an API key")
	b := c.SignIn(t)
	b.Send(t, http.MethodPost, "/app/api/sandbox-key", Body{"replaces": ""}).RefusedPage(t, 404, "sandbox_off", "")
	b.Get(t, "/app/api/sandbox-key").RefusedPage(t, 404, "sandbox_off", "")
	require.Equal(t, false, fields(t, b.Get(t, "/app/api/me").Body)["sandbox"])
	require.Equal(t, http.StatusOK, c.Reconcile(t, Small()).Status)
}

func TestTheSandboxKeyOfTheDashboard(t *testing.T) {
	t.Parallel()
	s := Start(t, Options{})
	c := s.Account(t, incomplete)
	b := c.SignIn(t)
	require.Equal(t, true, fields(t, b.Get(t, "/app/api/me").Body)["sandbox"])
	require.JSONEq(t, `{"key":null}`, string(b.Get(t, "/app/api/sandbox-key").Body))
	issued := answered[IssuedKey](t, b.Send(t, http.MethodPost, "/app/api/sandbox-key", Body{"replaces": ""}))
	s.secrets.Store(issued.Key, true)
	s.Reconcile(t, issued.Key, Small()).Run(t)
	b.Send(t, http.MethodPost, "/app/api/sandbox-key", Body{"replaces": ""}).RefusedPage(t, 409, "key_changed", "")
	b.Send(t, http.MethodPost, "/app/api/key", Body{"replaces": ""}).RefusedPage(t, 403, "setup_incomplete", "")
	shown := answered[struct{ Key struct{ Prefix string } }](t, b.Get(t, "/app/api/sandbox-key"))
	require.Equal(t, issued.Prefix, shown.Key.Prefix)
	require.Equal(t, http.StatusNoContent, b.Send(t, http.MethodDelete, "/app/api/sandbox-key", Body{"prefix": issued.Prefix}).Status)
	s.Reconcile(t, issued.Key, Small()).Refused(t, 401, "API key missing")
	require.Contains(t, string(b.Get(t, "/app/api/security").Body), issued.Prefix)
}
