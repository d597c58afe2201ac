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

// TestNothingOfTheAutopilotIsReadable has passes fetch orders and reports, one of them kept
// for the autopilot, which is the second of the exceptions to "nothing is kept" (decisions,
// section 5), and another that cannot be read. Then it looks for their contents and names, and
// for what the shop and the server are called, wherever the service writes.
func TestNothingOfTheAutopilotIsReadable(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, db database) {
		a := StartAutopilot(t, Options{DatabaseURL: db(t)})
		created := time.Date(2026, time.November, 1, 9, 0, 0, 0, domain.Kolkata)
		order := func(id int64, name, awb, gateway string, total domain.Paise) shopify.Order {
			return shopify.Order{ID: id, Name: name, CreatedAt: created, Financial: "PENDING", Fulfilment: "FULFILLED", Gateways: []string{gateway}, Total: total, Outstanding: total,
				Fulfilments: []shopify.Fulfilment{{CreatedAt: created, Tracking: []shopify.Tracking{{Number: awb, Company: "Delhivery"}}}}}
		}
		shop := a.Shops.Add("shopsecret", []shopify.Order{
			order(1, "#ORDERNAME1", "AWBSECRET1", "Cash on Delivery (COD)", 7391_37),
			order(2, "#ORDERNAME2", "AWBSECRET2", "METHODSECRET Wallet", 4242_42),
			order(3, "#ORDERNAME3", "AWBSECRET3", "Cash on Delivery (COD)", 1818_81),
		})
		server := sftp.New(t, sftp.Options{})
		put := func(name, content string) {
			server.Put(name, sftp.File{Content: []byte(content), Modified: a.Clock.Now().Add(-time.Hour)})
		}
		put("FILESECRET.csv", Report(
			Line{AWB: "AWBSECRET1", Collected: "7391.37", Remitted: "6113.17", RemittedOn: "2026-11-10", Status: "STATUSSECRET"},
			Line{AWB: "AWBSECRET2", Collected: "4242.42", Remitted: "4242.42", RemittedOn: "2026-11-10", Status: "Delivered"}))
		customer, endpoint := a.Customer(t, OnPlan(domain.Enterprise)), NewEndpoint(t, nil)
		customer.Watch(t, endpoint)
		source := Source("sftp", server.Settings())
		source["pattern"] = "FILESECRET*.csv"
		c := a.Connect(t, customer, "Asha", shop, source, FromUploads())
		var made struct {
			Sources []struct{ ID string }
		}
		c.browser.Get(t, "/app/api/connections/"+c.ID).JSON(t, &made)
		sent := c.browser.SendForm(t, "/app/api/connections/"+c.ID+"/sources/"+made.Sources[1].ID+"/files", keptForm("UPLOADSECRET.csv"))
		require.Equal(t, http.StatusCreated, sent.Status, string(sent.Body))
		listed := string(c.browser.Get(t, "/app/api/connections/"+c.ID+"/files").Body)
		require.Contains(t, listed, "UPLOADSECRET.csv", "its owner is told")
		require.Equal(t, "stored", c.NextPass(t).Outcome)
		put("FILESECRET-2.csv", Report(Line{AWB: "AWBSECRET3", Collected: "1818.81", Remitted: "CELLSECRET", RemittedOn: "2026-11-10"}))
		failed := c.NextPass(t)
		require.Equal(t, "failed", failed.Outcome)
		require.Equal(t, "FILESECRET-2.csv", failed.Failure.File, "its owner is told")
		require.NotContains(t, failed.Failure.Message, "CELLSECRET", "and nothing of what it says")

		private := []string{"ORDERNAME", "ordername", "AWBSECRET", "awbsecret", "METHODSECRET", "STATUSSECRET", "CELLSECRET", "FILESECRET", "UPLOADSECRET",
			"7391.37", "739137", "6113.17", "611317", "4242.42", "424242", "1818.81", "181881", "shopsecret", shopify.ClientSecret, sftp.Password, server.HostKey(0)}
		place := ":" + server.Settings()["port"] // of the server
		a.writesNone(t, private)
		requireNone(t, "the log", a.Log.String(), []string{place})
		requireNone(t, "the metrics", string(a.Get(t, "/metrics").Body), append(private, place, "Asha"))
		customer.Deliveries(t)
		require.NotEmpty(t, endpoint.Calls())
		for _, call := range endpoint.Calls() {
			requireNone(t, "a webhook", string(call.Body), private)
		}

		require.Equal(t, http.StatusNoContent, c.browser.Send(t, http.MethodDelete, "/app/api/connections/"+c.ID, Body{"brand": "Asha"}).Status)
		for _, table := range []string{"connections", "pass_states", "passes", "kept_files", "kept_contents"} {
			require.Empty(t, a.Query(t, "SELECT * FROM "+table), "%s: what is removed is gone", table)
		}
		require.Len(t, c.History(t, sourceOf(domain.SourceAutopilot)), 1, "but for its runs")
	})
}
