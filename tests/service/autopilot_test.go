package service

import (
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"milaan/domain"
	"milaan/tests/fakes/sftp"
	"milaan/tests/fakes/shopify"
)

// TestAutopilot follows one connection from its first pass on, over HTTP, with a shop and a
// courier's server on this machine.
func TestAutopilot(t *testing.T) {
	onBoth(t, func(t *testing.T, db database) {
		a := StartAutopilot(t, Options{DatabaseURL: db(t)})
		server := sftp.New(t, sftp.Options{})
		orders, lines := ShopOrders(200, time.Date(2026, time.October, 10, 9, 0, 0, 0, domain.Kolkata), 4*time.Hour)
		shop := a.Shops.Add("kolam-kitchen", orders)
		report := Report(lines...)
		server.Put("remittance-1.csv", sftp.File{Content: []byte(report), Modified: Morning.Add(-48 * time.Hour)})

		customer, endpoint := a.Customer(t, OnPlan(domain.Enterprise), Capped(1)), NewEndpoint(t, nil)
		secret := customer.Watch(t, endpoint)
		c := a.Connect(t, customer, "Kolam Kitchen", shop, Source("sftp", server.Settings()))

		t.Run("the first pass looks twice, stores a run and announces it", func(t *testing.T) {
			require.Equal(t, "active", c.State)
			pass := c.NextPass(t)
			require.Equal(t, "stored", pass.Outcome, "%+v", pass.Failure)
			require.EqualValues(t, 1, a.waits.Load(), "the second look comes 60 s after the first")
			require.Equal(t, 200, pass.Orders)
			require.Len(t, pass.Sources, 1)
			require.Equal(t, 1, pass.Sources[0].Files)
			require.Equal(t, len(lines), pass.Sources[0].Lines)
			require.True(t, pass.Sources[0].Behind)

			runs := c.History(t, sourceOf(domain.SourceAutopilot))
			require.Len(t, runs, 1)
			require.Equal(t, pass.RunID, runs[0].ID)
			require.Equal(t, "Kolam Kitchen", runs[0].Brand)
			require.Len(t, customer.Deliveries(t), 1)
			calls := endpoint.Calls()
			require.Len(t, calls, 1)
			verified(t, secret, calls[0])
			require.Equal(t, pass.RunID, fields(t, calls[0].Body)["run_id"])
			require.InDelta(t, runs[0].AtRisk, fields(t, calls[0].Body)["amount_risk"], 0.001)
		})
		t.Run("the same orders and report by POST /reconcile have the same verdicts, and the cap has not been touched", func(t *testing.T) {
			a.Clock.Advance(time.Minute) // else it would be a duplicate
			answer := customer.Reconcile(t, Body{"shopify": exportOf(orders), "courier": report, "brand": "Kolam Kitchen", "courierName": "delhivery"})
			flags := map[string]int{}
			for _, r := range answer.Run(t).Results {
				flags[r.Flag]++
			}
			byAutopilot := c.History(t, sourceOf(domain.SourceAutopilot))[0]
			byRequest := c.Run(t, answer.Header.Get("X-Run-Id"))
			require.Greater(t, len(flags), 4, "there are different verdicts to compare: %v", flags)
			require.Equal(t, "api", byRequest.Source)
			byRequest.ID, byRequest.Source = byAutopilot.ID, byAutopilot.Source
			require.Equal(t, byRequest, byAutopilot)
			customer.Reconcile(t, Named("another")).Refused(t, http.StatusTooManyRequests, "Run limit of 1/month reached")
		})
		t.Run("a pass with the same inputs stores and announces nothing", func(t *testing.T) {
			run, waits := c.Show(t).LastRunID, a.waits.Load()
			pass := c.NextPass(t)
			require.Equal(t, "unchanged", pass.Outcome, "%+v", pass.Failure)
			require.Equal(t, run, pass.RunID)
			require.Equal(t, waits, a.waits.Load(), "its files were seen an hour ago")
			require.Len(t, c.History(t, sourceOf(domain.SourceAutopilot)), 1)
			require.Len(t, customer.Deliveries(t), 2, "the other is of the request")
			require.Equal(t, a.Clock.Now().UnixMilli(), c.Show(t).CheckedAt.UnixMilli())
		})
		t.Run("a report that was replaced makes a new run, although the cap is reached", func(t *testing.T) {
			server.Put("remittance-1.csv", sftp.File{Content: []byte(Report(lines[:len(lines)-40]...)), Modified: a.Clock.Now()})
			pass := c.NextPass(t)
			require.Equal(t, "stored", pass.Outcome, "%+v", pass.Failure)
			require.Equal(t, len(lines)-40, pass.Sources[0].Lines)
			require.Len(t, c.History(t, sourceOf(domain.SourceAutopilot)), 2)
			require.Len(t, customer.Deliveries(t), 3)
		})
		t.Run("a report that grows between two looks makes no run", func(t *testing.T) {
			server.Put("remittance-2.csv", sftp.File{Content: []byte(Report(lines[len(lines)-40:]...)), Modified: a.Clock.Now()})
			waits := a.waits.Load()
			server.Before(func(request, _ string) {
				if request == "List" && a.waits.Load() > waits {
					server.Grow("remittance-2.csv", "\n", a.Clock.Now())
				}
			})
			pass := c.NextPass(t)
			server.Before(nil)
			require.Equal(t, "failed", pass.Outcome)
			require.Equal(t, "growing", pass.Failure.Rule)
			require.Equal(t, "remittance-2.csv", pass.Failure.File)
			pass = c.NextPass(t)
			require.Equal(t, "stored", pass.Outcome, "an hour later it has ceased to grow")
			require.Len(t, c.History(t, sourceOf(domain.SourceAutopilot)), 3)
		})
		t.Run("after a refused secret no pass is made until it is stated anew", func(t *testing.T) {
			shop.SetSecret("another")
			pass := c.NextPass(t)
			require.Equal(t, "failed", pass.Outcome)
			require.Equal(t, "refused", pass.Failure.Rule)
			require.Equal(t, "client_secret", pass.Failure.Setting)
			require.Equal(t, "needs_attention", c.Show(t).State)
			for range 3 {
				a.Clock.Advance(time.Hour)
				requests := shop.Requests()
				require.Nil(t, c.schedule(t))
				require.Equal(t, requests, shop.Requests())
			}
			settings := shop.Settings()
			settings["client_secret"] = "another"
			body := Connecting("Kolam Kitchen", shop.Settings(), Source("sftp", server.Settings()))
			body["shop"] = Body{"connector": "shopify", "settings": settings}
			require.Equal(t, http.StatusOK, c.browser.Send(t, http.MethodPut, "/app/api/connections/"+c.ID, body).Status)
			require.Equal(t, "active", c.Show(t).State)
			pass = c.NextPass(t)
			require.Contains(t, []string{"stored", "unchanged"}, pass.Outcome, "%+v", pass.Failure)
			require.Nil(t, c.Show(t).Failure)
		})
		t.Run("neither the log nor a page has a secret", func(t *testing.T) {
			page := string(c.browser.Get(t, "/app/api/connections/"+c.ID).Body)
			for _, secret := range []string{sftp.Password, shopify.ClientSecret, "another"} {
				require.NotContains(t, a.Log.String(), secret)
				require.NotContains(t, page, secret)
			}
			for _, private := range []string{"remittance-1.csv", lines[0].AWB, orders[0].Name + `"`, "acme"} {
				require.NotContains(t, a.Log.String(), private)
			}
		})
	})
}

// TestIgnoredFilesOverHTTP holds that an accountant has a file ignored which stops every pass, and
// that it stays another account's.
func TestIgnoredFilesOverHTTP(t *testing.T) {
	t.Parallel()
	a := StartAutopilot(t, Options{})
	server := sftp.New(t, sftp.Options{})
	orders, lines := ShopOrders(20, time.Date(2026, time.October, 20, 9, 0, 0, 0, domain.Kolkata), 4*time.Hour)
	shop := a.Shops.Add("ignoring", orders)
	modified := Morning.Add(-48 * time.Hour)
	server.Put("remittance.csv", sftp.File{Content: []byte(Report(lines...)), Modified: modified})
	server.Put("customers.csv", sftp.File{Content: []byte("Name,Email,Phone\nAsha,asha@shop.example,1\n"), Modified: modified})
	server.Put("logo.png", sftp.File{Content: []byte("\x89PNG\r\n\x1a\n"), Modified: modified})
	server.Put("locked.csv", sftp.File{Content: []byte("What,Else\n1,2\n"), Modified: modified})
	c := a.Connect(t, a.Customer(t, OnPlan(domain.Pro)), "Ignoring", shop, Source("sftp", server.Settings()))
	pass := c.NextPass(t)
	require.Equal(t, "failed", pass.Outcome)
	require.Equal(t, "locked.csv", pass.Failure.File)

	var seen struct {
		Files []struct {
			ID, Name, Rule, Reason string
			LeftOut                bool `json:"left_out"`
		}
		Ignored []struct{ ID, Name string }
	}
	path := "/app/api/connections/" + c.ID
	c.browser.Get(t, path+"/seen").JSON(t, &seen)
	found := map[string]string{}
	for _, f := range seen.Files {
		found[f.Name] = f.Rule
		if f.Name == "locked.csv" {
			stranger := a.Customer(t, OnPlan(domain.Pro)).SignIn(t)
			require.Equal(t, 404, stranger.Send(t, http.MethodPost, path+"/ignored", Body{"file": f.ID}).Status)
			require.Equal(t, 404, stranger.Get(t, path+"/seen").Status)
			require.Equal(t, 201, c.browser.Send(t, http.MethodPost, path+"/ignored", Body{"file": f.ID}).Status)
		}
	}
	require.Equal(t, "header", found["locked.csv"])
	require.Empty(t, found["remittance.csv"])
	pass = c.NextPass(t)
	require.Equal(t, "stored", pass.Outcome, "%+v", pass.Failure)
	require.Equal(t, 1, pass.Sources[0].Files)
	c.browser.Get(t, path+"/seen").JSON(t, &seen)
	for _, f := range seen.Files {
		found[f.Name] = f.Rule
	}
	require.Equal(t, map[string]string{"remittance.csv": "", "customers.csv": "customers", "logo.png": "picture", "locked.csv": "ignored"}, found)
	require.Len(t, seen.Ignored, 1)
	require.Contains(t, string(c.browser.Get(t, "/app/api/account/export").Body), `"ignored_files": [{"id":"`+seen.Ignored[0].ID+`"`)
	require.Equal(t, 204, c.browser.Send(t, http.MethodDelete, path+"/ignored/"+seen.Ignored[0].ID, nil).Status)
	require.Equal(t, "failed", c.NextPass(t).Outcome)
}
