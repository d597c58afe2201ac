package service

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"milaan/domain"
	"milaan/tests/fakes/sftp"
	"milaan/tests/fakes/zips"
	"milaan/tests/only"
)

// keptItems is a page of open items as programs see it.
type keptItems struct {
	AsOf      string     `json:"as_of"`
	KeptSince time.Time  `json:"kept_since"`
	WrittenAt *time.Time `json:"written_at"`
	Next      *int       `json:"next"`
	Items     []keptItem `json:"items"`
	Movements struct {
		All struct {
			Now struct {
				Orders int     `json:"orders"`
				Amount float64 `json:"amount"`
			} `json:"now"`
		} `json:"all"`
	} `json:"movements"`
}

type keptItem struct {
	OrderID   string  `json:"order_id"`
	AWB       string  `json:"awb"`
	Courier   string  `json:"courier"`
	Flag      string  `json:"flag"`
	Shortfall float64 `json:"shortfall"`
	State     string  `json:"state"`
	RaisedOn  string  `json:"raised_on"`
	Note      string  `json:"note"`
	Dispute   string  `json:"dispute"`
}

// marking is the body that notes something on an order, of which the sender has seen was.
func marking(order string, was, mark Body) Body {
	return Body{"marks": []Body{mark.With("order_id", order)}, "was": []Body{was.With("order_id", order)}}
}

// TestKeptItemsOverHTTP follows the open items of one connection from the switch to the end of the account, by the routes
// of programs and of pages, and holds that nothing of them stands anywhere but sealed.
func TestKeptItemsOverHTTP(t *testing.T) {
	onBoth(t, func(t *testing.T, db database) {
		a := StartAutopilot(t, Options{DatabaseURL: db(t)})
		server := sftp.New(t, sftp.Options{})
		put := func(name string, modified time.Time, lines string) {
			const header = "AWB No,Order ID,COD Amount,Remitted Amount,Remittance Date,Status\n"
			server.Put(name, sftp.File{Modified: modified, Content: []byte(header + lines)})
		}
		put("payout.csv", a.Clock.Now().Add(-2*time.Hour),
			"AWBSECRET0,,73913771.37,61131761.17,2026-11-10,Delivered\nAWBSECRET1,,86421986.19,86421986.19,2026-11-10,Delivered\n")
		shop := a.Shops.Add("keeping", secretOrders())
		customer := a.Customer(t, OnPlan(domain.Enterprise))
		c := a.Connect(t, customer, "Kolam", shop, Source("sftp", server.Settings()).With("courier", "delhivery"))
		of := func(m member) program {
			return program{m.Customer, []string{"Authorization", "Bearer " + m.Session(t), "X-Account", customer.Email}}
		}
		owner, accountant, reader := customer.program(t), of(customer.member(t, "accountant")), of(customer.member(t, "reader"))
		stranger := a.Customer(t, OnPlan(domain.Enterprise))
		at := "/account/connections/" + c.ID + "/open-items"
		send := func(p program, method, path string, body any) Answer {
			a.Clock.Advance(3 * time.Second)       // an account may change so much in a minute
			p.header[1] = "Bearer " + p.Session(t) // passes take longer than a token is good for
			return p.send(t, method, path, body)
		}
		list := func(query string) (page keptItems) {
			send(reader, http.MethodGet, at+query, nil).JSON(t, &page)
			return page
		}
		byKey := func(key, query string) Answer {
			return a.Do(t, a.Request(t, http.MethodGet, "/connections/"+c.ID+"/open-items"+query, nil, "Authorization", "Bearer "+key))
		}
		keep := func(keeps bool) {
			require.Equal(t, http.StatusNoContent, send(owner, http.MethodPut, at, Body{"keep": keeps}).Status)
		}
		ledgers := func() [][]string { return a.Query(t, "SELECT connection_id FROM connection_ledgers") }
		const (
			notKept    = "the open items of this connection are not kept"
			notAllowed = "your role in this account does not include this"
			otherwise  = "somebody else has changed an order that you mark"
		)
		var first, second keptItem
		disputed := Body{"state": "disputed", "raised_on": "2026-11-20", "note": "NOTESECRET"}

		t.Run("nothing is kept until an owner says so", func(t *testing.T) {
			require.Equal(t, "stored", c.NextPass(t).Outcome)
			require.Empty(t, ledgers())
			send(owner, http.MethodGet, at, nil).Refused(t, 404, notKept)
			byKey(customer.Key, "").Refused(t, 404, notKept)
			send(owner, http.MethodPost, at+"/marks", marking("#1", Body{}, disputed)).Refused(t, 404, notKept)
			send(owner, http.MethodGet, at+"/dispute", nil).Refused(t, 404, notKept)
			for _, p := range []program{accountant, reader} {
				send(p, http.MethodPut, at, Body{"keep": true}).Refused(t, 403, notAllowed)
			}
			send(owner, http.MethodPut, at, Body{}).Refused(t, 400, "keep is missing: send true")
			send(owner, http.MethodPut, at, Body{"keep": "x"}).Refused(t, 400, "the field keep of the request body has another type")
			require.Empty(t, ledgers())
			keep(true)
			page := list("")
			require.Empty(t, page.Items)
			require.Nil(t, page.WrittenAt)
			require.Empty(t, page.AsOf)
			require.Contains(t, strings.Join(customer.securityLog(t), "\n"), "items_kept")
			keep(true)
			require.Equal(t, page, list(""), "what is so already stays as it is")
		})
		t.Run("a pass writes them, and they are listed page by page", func(t *testing.T) {
			put("later.csv", a.Clock.Now(), "AWBSECRET9,,1,1,2026-11-18,Delivered\n")
			pass := c.NextPass(t)
			require.Equal(t, "stored", pass.Outcome, "%+v", pass.Failure)
			all := list("")
			require.Len(t, all.Items, 2)
			require.Nil(t, all.Next)
			require.NotNil(t, all.WrittenAt)
			require.Equal(t, 2, all.Movements.All.Now.Orders)
			first, second = all.Items[0], all.Items[1]
			require.Equal(t, []string{"#ORDERSECRET0", "#ORDERSECRET2"}, slices.Sorted(slices.Values([]string{first.OrderID, second.OrderID})))
			one := list("?limit=1")
			require.Equal(t, []keptItem{first}, one.Items)
			require.Equal(t, 1, *one.Next)
			two := list(fmt.Sprintf("?limit=1&after=%d", *one.Next))
			require.Equal(t, []keptItem{second}, two.Items)
			require.Nil(t, two.Next)
			require.Empty(t, list("?after=50000").Items)
			send(reader, http.MethodGet, at+"?limit=501", nil).Refused(t, 400, "limit must be a whole number from 1 to 500")
			send(reader, http.MethodGet, at+"?after=-1", nil).Refused(t, 400, "after must be a whole number from 0 to 50000")
			send(reader, http.MethodGet, at+"?after=", nil).Refused(t, 400, "after must be a whole number")
		})
		t.Run("a key reads the same, and no sandbox key", func(t *testing.T) {
			require.Equal(t, string(send(reader, http.MethodGet, at, nil).Body), string(byKey(customer.Key, "").Body))
			byKey(customer.Key, "?limit=0").Refused(t, 400, "limit must be a whole number from 1 to 500")
			byKey("milaan_live_unknown", "").Refused(t, 401, "API key missing, malformed or expired")
			byKey(strings.TrimPrefix(owner.header[1], "Bearer "), "").Refused(t, 401, "API key missing, malformed or expired")
			byKey(customer.Sandbox(t).Key, "").Refused(t, 404, "the account has no such connection")
			a.Clock.Advance(2 * time.Minute)
			for range domain.PollRate.Limit {
				require.Equal(t, http.StatusOK, byKey(customer.Key, "?limit=1").Status)
			}
			byKey(customer.Key, "").Refused(t, 429, "Rate limit exceeded")
			a.Clock.Advance(2 * time.Minute)
		})
		t.Run("people mark them, and nobody undoes silently what another one has noted", func(t *testing.T) {
			marks := at + "/marks"
			send(reader, http.MethodPost, marks, marking(first.OrderID, Body{}, disputed)).Refused(t, 403, notAllowed)
			require.Equal(t, http.StatusNoContent, send(accountant, http.MethodPost, marks, marking(first.OrderID, Body{}, disputed)).Status)
			send(owner, http.MethodPost, marks, marking(first.OrderID, Body{}, Body{"state": "refused"})).Refused(t, 409, otherwise)
			both := Body{"marks": []Body{{"order_id": second.OrderID, "state": "refused"}, {"order_id": first.OrderID, "state": "refused"}},
				"was": []Body{{"order_id": second.OrderID}, {"order_id": first.OrderID}}}
			send(owner, http.MethodPost, marks, both).Refused(t, 409, otherwise)
			for wrong, says := range map[string]any{
				"marks must have 1 to 500 entries": Body{"marks": []Body{{"order_id": first.OrderID}}, "was": []Body{}},
				"marks[0] names the order #nobody": marking("#nobody", Body{}, disputed),
				"marks[0] has an unknown state":    marking(first.OrderID, Body{}, Body{"state": "lost"}),
				"was[0] has an unknown state":      marking(first.OrderID, Body{"state": "lost"}, Body{}),
			} {
				send(owner, http.MethodPost, marks, says).Refused(t, 400, wrong)
			}
			page := list("")
			noted := page.Items[0]
			require.Equal(t, []string{"disputed", "2026-11-20", "NOTESECRET"}, []string{noted.State, noted.RaisedOn, noted.Note})
			require.Empty(t, page.Items[1].State, "all marks or none")
			again := marking(first.OrderID, disputed, disputed.With("note", "NOTESECRET2"))
			require.Equal(t, http.StatusNoContent, send(owner, http.MethodPost, marks, again).Status)
			server.Remove("later.csv")
			require.Equal(t, "stored", c.NextPass(t).Outcome)
			require.Equal(t, "NOTESECRET2", list("").Items[0].Note, "passes leave marks as they are")
		})
		t.Run("the dispute pack of a courier", func(t *testing.T) {
			pack := at + "/dispute?courier=" + first.Courier
			send(reader, http.MethodGet, pack, nil).Refused(t, 403, notAllowed)
			got := send(accountant, http.MethodGet, pack, nil)
			require.Equal(t, http.StatusOK, got.Status, string(got.Body))
			require.Equal(t, "application/zip", got.Header.Get("Content-Type"))
			require.Contains(t, got.Header.Get("Content-Disposition"), `.zip"`)
			written := fmt.Sprint(only.Value(zips.Files(got.Body))(t))
			require.Contains(t, written, first.OrderID)
			require.Contains(t, written, first.AWB)
			send(accountant, http.MethodGet, at+"/dispute?courier=dtdc", nil).Refused(t, 409, "nothing is asked of this courier")
		})
		t.Run("another account finds none of it", func(t *testing.T) {
			const none = "the account has no such connection"
			other := stranger.program(t)
			before := list("")
			send(other, http.MethodGet, at, nil).Refused(t, 404, none)
			send(other, http.MethodPut, at, Body{"keep": false}).Refused(t, 404, none)
			send(other, http.MethodPost, at+"/marks", marking(first.OrderID, disputed, Body{})).Refused(t, 404, none)
			send(other, http.MethodGet, at+"/dispute?courier="+first.Courier, nil).Refused(t, 404, none)
			byKey(stranger.Key, "").Refused(t, 404, none)
			page := stranger.SignIn(t)
			path := "/app/api/connections/" + c.ID + "/open-items"
			require.Equal(t, http.StatusNotFound, page.Get(t, path).Status)
			require.Equal(t, http.StatusNotFound, page.Get(t, path+"/dispute").Status)
			require.Equal(t, http.StatusNotFound, page.Send(t, http.MethodPut, path, Body{"keep": false}).Status)
			require.Equal(t, http.StatusNotFound, page.Send(t, http.MethodPost, path+"/marks", marking(first.OrderID, disputed, Body{})).Status)
			require.Equal(t, before, list(""))
		})
		t.Run("a page has also what is written to the courier", func(t *testing.T) {
			page := answered[keptItems](t, c.browser.Get(t, "/app/api/connections/"+c.ID+"/open-items"))
			require.Contains(t, page.Items[0].Dispute, first.AWB)
			require.Equal(t, http.StatusOK, c.browser.Get(t, "/app/api/connections/"+c.ID+"/open-items?limit=50000").Status, "all at once")
			require.Empty(t, list("").Items[0].Dispute)
		})
		private := append(slices.Clone(hidden), "NOTESECRET")
		t.Run("it stands sealed in the database alone", func(t *testing.T) {
			require.Len(t, ledgers(), 1)
			a.writesNone(t, private)
			requireNone(t, "the metrics", string(a.Get(t, "/metrics").Body), private)
			a.Clock.Advance(time.Hour)
			exported := string(send(owner, http.MethodGet, "/account/export", nil).Body)
			require.Contains(t, exported, `"kept_open_items": {"kept_since":"`)
			for _, text := range []string{first.AWB, "NOTESECRET"} {
				require.Contains(t, exported, text, "whoever exports an account has everything that is stored of it")
			}
		})
		t.Run("switched off, all of it is deleted", func(t *testing.T) {
			sealed := a.sealedOfPasses(t, "SELECT text FROM connection_ledgers")
			keep(false)
			require.Empty(t, ledgers())
			send(reader, http.MethodGet, at, nil).Refused(t, 404, notKept)
			a.databaseHoldsNone(t, sealed)
			require.Contains(t, strings.Join(customer.securityLog(t), "\n"), "items_deleted")
			keep(true)
			require.Empty(t, list("").Items, "what was noted before is gone")
		})
		t.Run("closed with its account, all of it is deleted", func(t *testing.T) {
			put("later.csv", a.Clock.Now(), "AWBSECRET8,,1,1,2026-11-18,Delivered\n")
			require.Equal(t, "stored", c.NextPass(t).Outcome)
			require.Len(t, list("").Items, 2)
			sealed := a.sealedOfPasses(t, "SELECT text FROM connection_ledgers")
			a.Clock.Advance(time.Hour)
			require.Equal(t, http.StatusNoContent, customer.own(t, http.MethodDelete, "/account", Body{"confirm": customer.Email}).Status)
			require.Empty(t, ledgers())
			a.databaseHoldsNone(t, sealed)
			a.Stop()
			a.diskHoldsNone(t, append(private, sealed...))
		})
	})
}
