package service

import (
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"milaan/domain"
)

// private are two files, and a request that fails on them, whose contents can
// be told from everything else that the service writes: amounts have ten digits, because six may
// stand by chance in a time or an id.
var private = struct {
	good, bad, foreign Body
	quoted, contents   []string
	bank, ledger       string
}{
	good: Body{
		"shopify": Export(
			Order{Name: "#ORDERNAME1", Email: "buyer1@private.example", Total: "73913771.37", AWB: "AWBSECRET1"},
			Order{Name: "#ORDERNAME2", Email: "buyer2@private.example", Total: "42424242.42", AWB: "AWBSECRET2"},
			Order{Name: "#ORDERNAME3", Email: "buyer3@private.example", Total: "18188181.81"},
			Order{Name: "#ORDERNAME5", Email: "buyer5@private.example", Total: "29299292.92", Payment: "METHODSECRET Wallet", Financial: "pending"},
			Order{Name: "#ORDERNAME6", Email: "buyer6@private.example", Total: "35355353.53", AWB: "AWBSECRET6"}),
		"courier": "AWB No,Order ID,COD Amount,Remitted Amount,Remittance Date,Status,Remittance Status\n" +
			"AWBSECRET1,,73913771.37,61131761.17,2026-10-10,Delivered,\n" +
			"AWBSECRET2,,42424242.42,42424242.42,2026-10-10,Delivered,\n" +
			"AWBSECRET6,,35355353.53,,,STATUSSECRET,MONEYSECRET\n" +
			"AWBSECRET9,,,56565656.56,2026-10-10,,\n" +
			"AWBSECRET8,,,1.00,2026-10-10,,\n",
		"brand": "private",
	},
	bank: "Date,Narration,Credit\n2026-10-10,NARRATIONSECRET DELHIVERY,84848484.84\n",
	// What a person has noted in a ledger of the good one.
	ledger: "LEDGERSECRET",
	// What reasons and warnings repeat of the good one.
	quoted: []string{"METHODSECRET", "STATUSSECRET", "MONEYSECRET"},
	bad: Body{
		"shopify": Export(Order{Name: "#ORDERNAME4", Email: "buyer4@private.example", Total: "CELLSECRET", AWB: "AWBSECRET4"}),
		"courier": Report(Line{AWB: "AWBSECRET4"}),
	},
	foreign: Body{
		"shopify": "Name,Total,Created at,Currency\n#ORDERNAME7,51515151.51,2026-10-01,CURRENCYSECRET\n",
		"courier": Report(Line{OrderID: "ORDERNAME7", Remitted: "51515151.51", RemittedOn: "2026-10-10"}),
	},
	contents: []string{"ORDERNAME", "ordername", "private.example", "AWBSECRET", "awbsecret", "CELLSECRET",
		"NARRATIONSECRET", "LEDGERSECRET", "84848484.84", "8484848484", "METHODSECRET", "STATUSSECRET", "MONEYSECRET", "CURRENCYSECRET", "29299292.92", "2929929292", "35355353.53", "3535535353", "51515151.51", "5151515151",
		"73913771.37", "7391377137", "61131761.17", "6113176117", "42424242.42", "4242424242", "18188181.81", "1818818181", "56565656.56", "5656565656"},
}

// TestNothingIsKept runs files through every outcome and then looks for their
// contents wherever the service writes (guide: limits 6).
func TestNothingIsKept(t *testing.T) {
	temporary := t.TempDir()
	t.Setenv("TMPDIR", temporary) // of the whole process: no other test runs beside this one
	onBothAlone(t, func(t *testing.T, db database) {
		s := Start(t, Options{DatabaseURL: db(t), Settings: OnLoopback})
		c, e := s.Customer(t, OnPlan(domain.Enterprise)), NewEndpoint(t, nil)
		c.Watch(t, e)
		session := c.Session(t)
		first := c.Reconcile(t, private.good)
		require.Len(t, first.Run(t).Results, 5)
		for _, text := range private.quoted {
			require.Contains(t, string(first.Body), text, "its sender is told")
		}
		require.NotNil(t, c.Run(t, private.good).Duplicate)
		c.Run(t, private.good.With("courierName", "delhivery"))
		foreign := c.Reconcile(t, private.foreign)
		foreign.Refused(t, 400, "storefront file (shopify), line 2")
		require.Contains(t, foreign.Message(), "CURRENCYSECRET")
		other := s.Customer(t, OnPlan(domain.Enterprise))
		ledger := noted(t, other.Ledger(t, private.good), "#ORDERNAME2", map[string]string{"State": "disputed", "Note": private.ledger})
		remembering := private.good.With("previous", ledger)
		require.Equal(t, http.StatusOK, other.Reconcile(t, remembering.With("include", []string{"open_items"})).Status)
		other.Reconcile(t, remembering.With("previous", strings.ReplaceAll(ledger, "disputed", private.ledger))).Refused(t, 400, "ledger (previous), line")
		other.Complete(t, Jobs(remembering))
		const requestKey = "REQUESTKEY of asha"
		for range 2 {
			require.NotNil(t, c.Keyed(t, "/reconcile", requestKey, private.good).Run(t).Duplicate)
		}
		c.Keyed(t, "/reconcile", requestKey, private.bad).Refused(t, 409, keyReused)
		c.Keyed(t, "/reconcile", requestKey+"\t", private.good.With("brand", "a tab is trimmed")).Refused(t, 409, keyReused)
		c.Keyed(t, "/reconcile", requestKey+"ß", private.good).Refused(t, 400, "Idempotency-Key must be")
		require.Equal(t, 1, s.Claims(t), "and what is kept of it is looked through as well")
		browsers := map[string]*Browser{"an account": c.SignIn(t), "a visitor": s.Browser()}
		for who, b := range browsers {
			for _, body := range []Body{private.good, private.bad, private.foreign, private.good.With("bank", private.bank), remembering, private.good.With("shopify", private.good["courier"])} {
				for _, route := range []string{"inspect", "reconcile", "document"} {
					form := strings.ReplaceAll(string(withParts(body.Form(t), "format", "dispute")), `filename="`, `filename="AWBSECRET of asha `)
					a := b.SendForm(t, "/app/api/"+route, []byte(form))
					require.Contains(t, []int{200, 400}, a.Status, "%s, %s: %s", who, route, a.Body)
				}
			}
			require.Equal(t, 200, b.Get(t, "/app/api/sample").Status)
		}
		capped := s.Customer(t, Capped(0))
		capped.Reconcile(t, private.good).Refused(t, 429, "Run limit")
		require.Equal(t, http.StatusUnauthorized, s.Reconcile(t, session, private.good).Status)
		old := c.Key
		c.Rotate(t)
		s.Reconcile(t, old, private.good).Refused(t, 401, "API key")
		s.IssueKey(t, c.Key).Refused(t, 401, "an API key cannot")
		s.Get(t, "/nowhere/AWBSECRET1?key="+c.Key).Refused(t, 404, "no such path")

		t.Run("an error quotes the file to its sender", func(t *testing.T) {
			a := c.Reconcile(t, private.bad)
			a.Refused(t, 400, "storefront file (shopify), line 2")
			require.Contains(t, a.Message(), "CELLSECRET")
			require.NotContains(t, a.Message(), "private.example", "and nothing but the cell")
		})
		unkeyed := sha256.Sum256([]byte(requestKey))
		needles := append([]string{requestKey, "REQUESTKEY", string(unkeyed[:]), hex.EncodeToString(unkeyed[:]), old[20:], c.Key[20:], capped.Key[20:], session, session[len(session)-20:]}, private.contents...)
		t.Run("nothing of the files, no key and no session is in the database", func(t *testing.T) {
			s.databaseHoldsNone(t, needles)
			require.Greater(t, s.Runs(t), 1, "the runs are there")
		})
		t.Run("nothing of the files is in what webhooks carry", func(t *testing.T) {
			c.Deliveries(t)
			require.NotEmpty(t, e.Calls())
			for _, call := range e.Calls() {
				requireNone(t, "a webhook", string(call.Body), private.contents)
			}
		})
		t.Run("nothing of the files, no key and no session is in the log", func(t *testing.T) {
			text := s.Log.String()
			require.Contains(t, text, `"route":"/reconcile"`)
			requireNone(t, "the log", text, append(needles, c.Email, old[:20]))
		})
		t.Run("nothing of the files is in the metrics or in temporary files", func(t *testing.T) {
			metrics := string(s.Get(t, "/metrics").Body)
			require.Contains(t, metrics, `route="/app/api/inspect"`)
			requireNone(t, "the metrics", metrics, private.contents)
			requireNoFile(t, temporary, private.contents)
		})
		t.Run("nothing of the files, no key and no session is on the disk", func(t *testing.T) {
			s.diskHoldsNone(t, needles) // with the write-ahead log
			s.Stop()
			s.diskHoldsNone(t, needles)
		})
	})
}
