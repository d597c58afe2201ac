package service

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/crypto/ssh"

	"milaan/config"
	"milaan/domain"
	"milaan/tests/fakes/network"
	"milaan/tests/fakes/sftp"
	"milaan/tests/fakes/shopify"
	"milaan/tests/fakes/smtp"
	"milaan/tests/fakes/zips"
	"milaan/tests/only"
)

// told is what pages tell the account of its passes, and nobody else.
var told = []string{"FILESECRET", "KEPTNAMESECRET", "FOLDERSECRET", "HEADERSECRET", "CURRENCYSECRET", "kolam-secret", "usersecret"}

// hidden is what nobody is told, besides the secret settings.
var hidden = []string{"ORDERSECRET", "AWBSECRET", "COMPANYSECRET", "CELLSECRET", "KEPTCELLSECRET", "GATEWAYSECRET", "73913771.37", "7391377137", "61131761.17", "6113176117", "86421986.19", "8642198619", "ANSWERSECRET"}

// secretOrders are three orders whose contents can be told from all else, as those of private.
func secretOrders() (orders []shopify.Order) {
	for i, amount := range []domain.Paise{7391377137, 8642198619, 7391377137} {
		at := Morning.Add(-time.Duration(20+i) * 24 * time.Hour)
		orders = append(orders, shopify.Order{
			ID: int64(100 + i), Name: fmt.Sprintf("#ORDERSECRET%d", i), CreatedAt: at, Financial: "PENDING", Fulfilment: "FULFILLED",
			Gateways: []string{"Cash on Delivery (COD) GATEWAYSECRET"}, Total: amount, Outstanding: amount,
			Fulfilments: []shopify.Fulfilment{{CreatedAt: at, Tracking: []shopify.Tracking{{Number: fmt.Sprintf("AWBSECRET%d", i), Company: "COMPANYSECRET"}}}},
		})
	}
	return orders
}

// lockedKey is a private key with a passphrase, and one line of it. Its old way of locking
// takes no time to open, unlike that of ssh-keygen, and each pass opens it several times.
func lockedKey(t *testing.T, passphrase string) (text, line string, public ssh.PublicKey) {
	t.Helper()
	key := only.Value(ecdsa.GenerateKey(elliptic.P256(), rand.Reader))(t)
	der := only.Value(x509.MarshalECPrivateKey(key))(t)
	block, err := x509.EncryptPEMBlock(rand.Reader, "EC PRIVATE KEY", der, []byte(passphrase), x509.PEMCipherAES256) //nolint:staticcheck // it keeps nothing that is secret
	require.NoError(t, err)
	text = string(pem.EncodeToMemory(block))
	public = only.Value(ssh.NewPublicKey(&key.PublicKey))(t)
	return text, strings.Split(text, "\n")[4], public
}

// TestNothingOfPassesIsKept makes passes that end in every way, connections that are tested,
// saved and removed, kept files and mails, and then looks for what they held wherever the
// service writes: only what is sealed may have it, and nothing may after it was removed.
func TestNothingOfPassesIsKept(t *testing.T) {
	onBoth(t, func(t *testing.T, db database) {
		post := smtp.New(t, "mailusersecret", "mailpasswordsecret")
		a := StartAutopilot(t, Options{DatabaseURL: db(t), Settings: func(c *config.Config) {
			c.Mail.SMTPURL = config.Secret("smtp://mailusersecret:mailpasswordsecret@" + post.Addr)
			c.Mail.MailFrom = "Milaan <milaan@example.com>"
		}})
		customer := a.Customer(t, OnPlan(domain.Enterprise))
		endpoint := NewEndpoint(t, nil)
		customer.Watch(t, endpoint)
		key, keyLine, public := lockedKey(t, "passphrasesecret")
		server := sftp.New(t, sftp.Options{Authorized: public})
		server.Put("FOLDERSECRET", sftp.File{Folder: true})
		put := func(name string, content []byte) {
			server.Put("FOLDERSECRET/"+name, sftp.File{Content: content, Modified: a.Clock.Now().Add(-2 * time.Hour)})
		}
		report := func(cell string) []byte {
			return []byte("AWB No,Order ID,COD Amount,Remitted Amount,Remittance Date,Status\nAWBSECRET0,,73913771.37,61131761.17,2026-11-10,Delivered\nAWBSECRET1,,86421986.19," + cell + ",2026-11-10,Delivered\n")
		}
		put("FILESECRET-1.csv", report("86421986.19"))
		shop := a.Shops.Add("kolam-secret", secretOrders())
		byPassword := Source("sftp", server.Settings())
		byPassword["settings"].(map[string]string)["folder"] = "FOLDERSECRET"
		byPassword["pattern"] = "*FILESECRET*"
		settings := server.Settings()
		delete(settings, "password")
		settings["private_key"], settings["passphrase"], settings["folder"] = key, "passphrasesecret", "FOLDERSECRET"
		byKey := Source("sftp", settings).With("pattern", "*KEYFILE*")
		put("KEYFILE-1.csv", report("86421986.19"))

		var answers strings.Builder
		b := customer.SignIn(t)
		send := func(method, path string, body any) Answer {
			a.Clock.Advance(3 * time.Second) // an account may change so much in a minute
			got := b.Send(t, method, "/app/api/connections"+path, body)
			answers.Write(got.Body)
			return got
		}
		body := Connecting("Kolam", shop.Settings(), byPassword, byKey, FromUploads()).With("alert_above", 1)
		var c *Connection

		t.Run("connections that are tested, refused and saved", func(t *testing.T) {
			require.Equal(t, http.StatusOK, send(http.MethodPost, "/test", body).Status)
			wrong := server.Settings()
			wrong["password"], wrong["user"] = "wrongpasswordsecret", "usersecret"
			require.Equal(t, http.StatusOK, send(http.MethodPost, "/test", Connecting("Kolam", shop.Settings(), Source("sftp", wrong))).Status)
			wrong["private_key"], wrong["passphrase"] = "brokenkeysecret", "wrongpassphrasesecret"
			require.Equal(t, http.StatusBadRequest, send(http.MethodPost, "", Connecting("Kolam", shop.Settings(), Source("sftp", wrong))).Status)
			wrong["private_key"] = strings.Repeat("longkeysecret", 2000)
			wrong["secretofnobody"] = "unknownsettingsecret"
			require.Equal(t, http.StatusBadRequest, send(http.MethodPost, "", Connecting("Kolam", shop.Settings(), Source("sftp", wrong))).Status)
			require.Equal(t, http.StatusBadRequest, send(http.MethodPost, "", map[string]any{"brand": 1, "shop": "bodysecret"}).Status)
			made := send(http.MethodPost, "", body)
			require.Equal(t, http.StatusCreated, made.Status, string(made.Body))
			c = &Connection{autopilot: a, browser: b, accountID: customer.ID(t)}
			require.NoError(t, json.Unmarshal(made.Body, c))
		})
		var kept struct{ ID string }
		var upload string
		t.Run("a report that is kept, and one that cannot be", func(t *testing.T) {
			shown := answered[connectionOf](t, send(http.MethodGet, "/"+c.ID, nil))
			upload = "/app/api/connections/" + c.ID + "/sources/" + shown.Sources[2].ID + "/files"
			form := func(name, content string) []byte {
				return fmt.Appendf(nil, "--%s\r\nContent-Disposition: form-data; name=\"file\"; filename=%q\r\n\r\n%s\r\n--%s--\r\n", FormBoundary, name, content, FormBoundary)
			}
			got := b.SendForm(t, upload, form("KEPTNAMESECRET.csv", "AWB No,COD Amount,Amount Remitted,Remittance Date\nAWBSECRET2,73913771.37,73913771.37,2026-11-12\nKEPTCELLSECRET,1,1,2026-11-12\n"))
			require.Equal(t, http.StatusCreated, got.Status, string(got.Body))
			require.NoError(t, json.Unmarshal(got.Body, &kept))
			got = b.SendForm(t, upload, form("KEPTNAMESECRET-2.csv", "AWB No,COD Amount,Amount Remitted,Remittance Date\nAWBSECRET2,73913771.37,CELLSECRET,2026-11-12\n"))
			require.Equal(t, http.StatusBadRequest, got.Status, string(got.Body))
		})
		ends := func(name, outcome, rule string) {
			t.Run("a pass that ends "+outcome+" "+rule+" "+name, func(t *testing.T) {
				pass := c.NextPass(t)
				require.NotNil(t, pass)
				require.Equal(t, outcome, pass.Outcome, "%+v", pass.Failure)
				if rule != "" {
					require.Equal(t, rule, pass.Failure.Rule)
					for _, private := range hidden {
						require.NotContains(t, pass.Failure.Message, private)
					}
				}
				send(http.MethodGet, "/"+c.ID, nil)
				send(http.MethodGet, "/"+c.ID+"/passes", nil)
			})
		}
		again := func(name string) { // after what needs attention
			require.Equal(t, http.StatusOK, send(http.MethodPost, "/"+c.ID+"/pause", Body{"paused": false}).Status, name)
		}
		ends("", "stored", "")
		ends("", "unchanged", "")
		require.NoError(t, a.alarming.Round(t.Context()))
		require.Eventually(t, func() bool { return len(post.Mails()) >= 2 }, workTime, 5*time.Millisecond, "of the money at risk, and of a source that is stale")
		put("FILESECRET-2.csv", report("CELLSECRET"))
		ends("a cell", "failed", "report")
		put("FILESECRET-2.csv", []byte("HEADERSECRET,Another\nAWBSECRET0,CELLSECRET\n"))
		ends("a header", "failed", "header")
		server.Remove("FOLDERSECRET/FILESECRET-2.csv")
		put("FILESECRET.zip", zips.Of("CELLSECRET.txt", ""))
		ends("", "failed", "archive")
		server.Remove("FOLDERSECRET/FILESECRET.zip")
		grown := a.waits.Load()
		put("FILESECRET-3.csv", report("1"))
		server.Before(func(request, _ string) {
			if request == "List" && a.waits.Load() > grown {
				server.Grow("FOLDERSECRET/FILESECRET-3.csv", "\n", a.Clock.Now())
			}
		})
		ends("", "failed", "growing")
		server.Before(nil)
		server.Remove("FOLDERSECRET/FILESECRET-3.csv")
		for _, status := range []int{http.StatusTooManyRequests, http.StatusForbidden, http.StatusTeapot} {
			shop.Intercept(func(w http.ResponseWriter, _ *http.Request) bool {
				w.WriteHeader(status)
				fmt.Fprint(w, `{"errors":"ANSWERSECRET"}`)
				return true
			})
			shop.EndTokens()
			ends(fmt.Sprint(status), "failed", map[int]string{http.StatusTooManyRequests: "throttled", http.StatusForbidden: "scope", http.StatusTeapot: "answer"}[status])
			again("refused")
		}
		shop.Intercept(nil)
		foreign := secretOrders()
		foreign[0].Currency = "CURRENCYSECRET"
		shop.SetOrders(foreign)
		ends("", "failed", "currency")
		shop.SetOrders(secretOrders())
		server.Refuse(true)
		ends("a server", "failed", "refused")
		server.Refuse(false)
		again("refused")
		a.Clock.Advance(25 * time.Hour)
		server.Behave(network.Manners{Unreachable: true})
		ends("", "failed", "unreachable")
		require.NoError(t, a.alarming.Round(t.Context()))
		require.Eventually(t, func() bool { return len(post.Mails()) >= 3 }, workTime, 5*time.Millisecond, "of passes that fail")

		secrets := []string{shopify.ClientSecret, sftp.Password, keyLine, "passphrasesecret", "wrongpasswordsecret", "brokenkeysecret", "longkeysecret",
			"unknownsettingsecret", "bodysecret", "mailusersecret", "mailpasswordsecret", "shpca_"}
		private := slices.Concat(secrets, hidden, told)
		t.Run("the pages hide all secrets", func(t *testing.T) {
			requireNone(t, "an answer", answers.String(), append(slices.Clone(secrets), hidden...))
		})
		t.Run("webhooks and mails have nothing of them", func(t *testing.T) {
			require.NotEmpty(t, endpoint.Calls())
			for _, call := range endpoint.Calls() {
				requireNone(t, "a webhook", string(call.Body), private)
			}
			for _, mail := range post.Mails() {
				requireNone(t, "a mail", mail.Data, private)
			}
		})
		t.Run("the log, the metrics, temporary files and the database have nothing of them", func(t *testing.T) {
			require.Contains(t, a.Log.String(), `"rule":"currency"`)
			a.writesNone(t, private)
			requireNone(t, "the metrics", string(a.Get(t, "/metrics").Body), private)
			requireNoneOfOurs(t, private)
			requireNone(t, "the log", a.Log.String(), []string{customer.Email, "127.0.0.1:" + server.Settings()["port"], server.HostKey(0)})
			a.databaseHoldsNone(t, []string{server.HostKey(0)})
		})
		t.Run("what was sealed is gone with the kept file and with the connection", func(t *testing.T) {
			sealed := a.sealedOfPasses(t, "SELECT content FROM kept_contents", "SELECT name FROM kept_files")
			require.Equal(t, http.StatusNoContent, send(http.MethodDelete, "/"+c.ID+"/files/"+kept.ID, nil).Status)
			a.databaseHoldsNone(t, sealed)
			of := a.sealedOfPasses(t, "SELECT settings FROM connections", "SELECT remembered FROM pass_states", "SELECT details FROM passes WHERE details IS NOT NULL")
			require.Equal(t, http.StatusNoContent, send(http.MethodDelete, "/"+c.ID, Body{"brand": "Kolam"}).Status)
			a.databaseHoldsNone(t, of)
			a.Stop()
			a.diskHoldsNone(t, private)
			a.diskHoldsNone(t, append(sealed, of...))
		})
	})
}

// requireNoneOfOurs holds that no temporary file of this process has one of the texts, but for
// those of tests that run at the same time.
func requireNoneOfOurs(t *testing.T, texts []string) {
	t.Helper()
	for _, entry := range only.Value(os.ReadDir(os.TempDir()))(t) {
		if !strings.HasPrefix(entry.Name(), "Test") {
			requireNoFile(t, filepath.Join(os.TempDir(), entry.Name()), texts)
		}
	}
}

// sealedOfPasses returns what queries find, of which each has one sealed column: what is in
// the middle of it, which no page of a database divides.
func (s *Service) sealedOfPasses(t *testing.T, queries ...string) (sealed []string) {
	t.Helper()
	for _, query := range queries {
		rows := s.Query(t, query)
		require.NotEmpty(t, rows, query)
		for _, row := range rows {
			middle := len(row[0]) / 2
			sealed = append(sealed, row[0][middle-8:middle+8])
		}
	}
	return sealed
}
