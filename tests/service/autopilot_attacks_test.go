package service

import (
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"milaan/config"
	"milaan/tests/fakes/sftp"
	"milaan/tests/fakes/smtp"
)

// TestAttacksOnTheAutopilot holds what an account cannot do with connections, by the routes
// that pages use.
func TestAttacksOnTheAutopilot(t *testing.T) {
	onBoth(t, func(t *testing.T, db database) {
		post := smtp.New(t, "", "")
		a := StartAutopilot(t, Options{DatabaseURL: db(t), Settings: func(c *config.Config) {
			c.Mail.SMTPURL, c.Mail.MailFrom = config.Secret("smtp://"+post.Addr), "milaan@example.com"
		}})
		orders, _ := ShopOrders(5, Morning.Add(-20*24*time.Hour), time.Hour)
		shop := a.Shops.Add("asha", orders)
		server := sftp.New(t, sftp.Options{})
		server.Put("a.csv", sftp.File{Content: []byte(Report(Line{AWB: "SR014335212000", Collected: "1000", Remitted: "1", RemittedOn: "2026-11-10"})), Modified: Morning.Add(-time.Hour)})
		customer := a.Customer(t)
		const brand = `<img src=x onerror=alert(1)> & sons`
		c := a.Connect(t, customer, brand, shop, Source("sftp", server.Settings()))
		path := "/app/api/connections"

		t.Run("stored secrets go to no other place, by no setting", func(t *testing.T) {
			var thief atomic.Int64
			stranger := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { thief.Add(1) }))
			t.Cleanup(stranger.Close)
			other := sftp.New(t, sftp.Options{})
			host, port := other.HostPort()
			shown := answered[connectionOf](t, c.browser.Get(t, path+"/"+c.ID))
			changes := []struct {
				shop          bool
				setting, with string
			}{{true, "base_url", stranger.URL}, {true, "shop", "mallory.myshopify.com"}, {true, "client_id", "another"},
				{false, "host", "localhost"}, {false, "port", port}, {false, "user", "another"}}
			require.Equal(t, "127.0.0.1", host)
			for _, change := range changes {
				ofShop, ofSource := maps.Clone(shown.Shop.Settings), maps.Clone(shown.Sources[0].Settings)
				field := "sources[0].settings.password"
				if change.shop {
					ofShop[change.setting], field = change.with, "shop.settings.client_secret"
				} else {
					ofSource[change.setting] = change.with
				}
				body := Connecting(brand, ofShop, Source("sftp", ofSource).With("id", shown.Sources[0].ID)).With("id", c.ID)
				a.Clock.Advance(10 * time.Second)
				c.browser.Send(t, http.MethodPost, path+"/test", body).RefusedPage(t, 400, "field_invalid", field)
				c.browser.Send(t, http.MethodPut, path+"/"+c.ID, body).RefusedPage(t, 400, "field_invalid", field)
			}
			require.Zero(t, thief.Load())
			require.Zero(t, other.Accepted())
		})
		t.Run("a shop cannot send the service elsewhere", func(t *testing.T) {
			var reached atomic.Int64
			inside := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { reached.Add(1) }))
			t.Cleanup(inside.Close)
			for _, to := range []string{inside.URL, "http://169.254.169.254/latest/meta-data/"} {
				shop.Intercept(func(w http.ResponseWriter, r *http.Request) bool {
					http.Redirect(w, r, to, http.StatusTemporaryRedirect)
					return true
				})
				found := answered[testOf](t, c.browser.Send(t, http.MethodPost, path+"/test", Connecting("x", shop.Settings())))
				require.Equal(t, "answer", found.Shop.Failure.Rule)
			}
			shop.Intercept(nil)
			require.Zero(t, reached.Load())
		})
		t.Run("a brand is one line, and is text in a mail", func(t *testing.T) {
			a.Clock.Advance(time.Minute)
			for _, odd := range []string{"Asha\r\nBcc: mallory@example.com", "Asha\x00", strings.Repeat("x", 2000)} {
				c.browser.Send(t, http.MethodPost, path, Connecting(odd, shop.Settings(), FromUploads())).RefusedPage(t, 400, "field_invalid", "brand")
			}
			server.Refuse(true)
			require.NotNil(t, c.NextPass(t)) // of the one connection: passes of others would take turns with it
			a.Clock.Advance(25 * time.Hour)
			require.NoError(t, a.alarming.Round(t.Context()))
			require.Eventually(t, func() bool { return len(post.Mails()) > 0 }, workTime, 5*time.Millisecond)
			mail := post.Mails()[0]
			require.Equal(t, 1, strings.Count(mail.Data, "\r\nSubject: "))
			require.Contains(t, mail.Data, "Content-Type: text/plain")
			require.NotContains(t, mail.Data, "text/html")
		})
		t.Run("nobody makes links that end mails", func(t *testing.T) {
			forged := []string{"", "digest", "digest.." + strings.Repeat("A", 43), "alerts." + customer.ID(t) + "." + strings.Repeat("A", 43), "alerts." + customer.ID(t) + ".", "root." + customer.ID(t) + ".x", strings.Repeat(".", 5000)}
			for _, token := range forged {
				got := a.Do(t, a.Request(t, http.MethodPost, "/unsubscribe?token="+url.QueryEscape(token), nil))
				require.Equal(t, http.StatusNotFound, got.Status, token)
				require.Contains(t, string(got.Body), "this link is not one of ours")
			}
			require.Empty(t, a.Query(t, "SELECT account_id FROM mail_choices"))
			require.NotContains(t, a.Log.String(), strings.Repeat("A", 43))
		})
	})
}
