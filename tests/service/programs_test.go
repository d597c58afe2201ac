package service

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"milaan/config"
	"milaan/domain"
)

// program manages the account of its owner with a session token.
type program struct {
	*Customer
	header []string
}

func (c *Customer) program(t *testing.T) program {
	t.Helper()
	// Programs get English, whatever language they ask for.
	return program{c, []string{"Authorization", "Bearer " + c.Session(t), "Accept-Language", "hi"}}
}

// send sends a body as JSON; nil sends none.
func (p program) send(t *testing.T, method, path string, body any) Answer {
	t.Helper()
	if body == nil {
		return p.service.Do(t, p.service.Request(t, method, path, nil, p.header...))
	}
	return p.service.Do(t, p.service.Request(t, method, path, bytes.NewReader(encoded(t, body)), append(p.header, "Content-Type", "application/json")...))
}

// does is send of what must succeed, and returns the members of the answer.
func (p program) does(t *testing.T, method, path string, body any) map[string]any {
	t.Helper()
	a := p.send(t, method, path, body)
	require.Less(t, a.Status, 300, string(a.Body))
	if len(a.Body) == 0 {
		return nil
	}
	return fields(t, a.Body)
}

// whenRead is a body before which something happens.
type whenRead struct {
	io.Reader
	before func()
}

func (r whenRead) Read(p []byte) (int, error) {
	r.before()
	return r.Reader.Read(p)
}

// TestProgramsManageAnAccount holds that a program can do with a session token what people do on
// the pages, and is told in its own names what is wrong.
func TestProgramsManageAnAccount(t *testing.T) {
	t.Parallel()
	s := Start(t, Options{Settings: func(c *config.Config) {
		OnLoopback(c)
		ConnectingHere(c)
	}})
	owner := func(t *testing.T) program { return s.Customer(t, OnPlan(domain.Enterprise)).program(t) }

	t.Run("history", func(t *testing.T) {
		p := owner(t)
		a, b := p.Reconcile(t, Named("one")).Header.Get("X-Run-Id"), p.Reconcile(t, Named("two")).Header.Get("X-Run-Id")
		first := p.does(t, http.MethodGet, "/account/runs?limit=1", nil)
		require.Equal(t, b, first["next"])
		require.Equal(t, b, first["runs"].([]any)[0].(map[string]any)["run_id"])
		second := p.does(t, http.MethodGet, "/account/runs?limit=1&after="+b, nil)
		require.Nil(t, second["next"])
		require.Equal(t, second["runs"].([]any)[0], p.does(t, http.MethodGet, "/account/runs/"+a, nil))
		require.EqualValues(t, 0, p.does(t, http.MethodGet, "/account/compare?a="+a+"&b="+b, nil)["change"].(map[string]any)["due"])
		p.send(t, http.MethodGet, "/account/compare?a="+a+"&b=", nil).Refused(t, 400, "the address must give b, as b=… after ?")
		p.send(t, http.MethodGet, "/account/runs?limit=0", nil).Refused(t, 400, "limit must be a whole number from 1 to 200")
		p.send(t, http.MethodGet, "/account/runs?from=yesterday", nil).Refused(t, 400, "from must be a date")
		p.send(t, http.MethodGet, "/account/runs?limit=1&limit=2", nil).Refused(t, 400, "the address gives limit more than once: give it once")
		p.send(t, http.MethodGet, "/account/runs?brand=%zz", nil).Refused(t, 400, "the part of the address after ? is not encoded")
	})
	t.Run("an account that changes while a body is sent", func(t *testing.T) {
		for path, want := range map[string]string{"/account/branding": "documents of one's own brand need the Pro", "/account/webhook": "webhooks need the Enterprise plan"} {
			p := owner(t)
			body := whenRead{strings.NewReader("{}"), func() { p.Change(t, OnPlan(domain.Solo)) }}
			header := append(p.header, "Content-Type", "application/json", "Expect", "100-continue")
			p.service.Do(t, p.service.Request(t, http.MethodPut, path, body, header...)).Refused(t, 403, want)
		}
		p := owner(t)
		b := p.SignIn(t)
		end := func() { p.Change(t, func(a *domain.Account) { a.Subscription = domain.SubscriptionEnded }) }
		body := whenRead{strings.NewReader(string(Small().Form(t))), end}
		header := append(b.usual(), "Content-Type", FormMedia, "Expect", "100-continue")
		b.service.Do(t, b.service.Request(t, http.MethodPost, "/app/api/reconcile", body, header...)).RefusedPage(t, 403, "subscription_ended", "")
	})
	t.Run("a person who is removed while a body is sent", func(t *testing.T) {
		form := string(Small().Form(t))
		for path, body := range map[string]string{"/app/api/connections/x/open-items/marks": "{}", "/app/api/connections/x/sources/y/files": form, "/app/api/reconcile": form} {
			m := owner(t).member(t, domain.Accountant)
			m.service.skipMinutes() // of the rate of signing in
			id, owners, b := m.account.idOf(t, m.Email), m.account.SignIn(t), m.SignIn(t)
			media := FormMedia
			if body == "{}" {
				media = "application/json"
			}
			removed := whenRead{strings.NewReader(body), func() { owners.Send(t, http.MethodDelete, "/app/api/account/people/"+id, nil) }}
			header := append(b.usual(), "Content-Type", media, "Expect", "100-continue")
			b.service.Do(t, b.service.Request(t, http.MethodPost, path, removed, header...)).RefusedPage(t, 401, "session", "")
		}
	})
	t.Run("saved mappings", func(t *testing.T) {
		p := owner(t)
		header := []string{"Sent On", "DOCKET", "Door", "Bank"} // in another order than the report, and spelled otherwise
		mapping := Body{"name": "Speedy", "header_names": header, "columns": byBank}
		p.does(t, http.MethodPost, "/account/named-mappings", mapping)
		require.Equal(t, "450", remittedAs(t, p.Customer, Body{"courier": unknown}), "the report is read by it")
		p.send(t, http.MethodPost, "/account/named-mappings", mapping).Refused(t, 409, "there is a saved mapping of this name already")
		p.does(t, http.MethodPost, "/account/named-mappings", mapping.With("columns", byDoor).With("replace", true))
		require.Equal(t, "500", remittedAs(t, p.Customer, Body{"courier": unknown}))
		p.does(t, http.MethodPatch, "/account/named-mappings", Body{"name": "speedy", "to": "Speedy Post"})
		p.send(t, http.MethodPatch, "/account/named-mappings", Body{"name": "speedy"}).Refused(t, 400, "to is missing: give the mapping a name")
		named := p.does(t, http.MethodGet, "/account/mappings", nil)["named"].([]any)
		require.Equal(t, "Speedy Post", named[0].(map[string]any)["name"])
		p.does(t, http.MethodDelete, "/account/named-mappings?name=Speedy+Post", nil)
		p.send(t, http.MethodDelete, "/account/named-mappings?name=Speedy+Post", nil).Refused(t, 404, "the account has no saved mapping of this name")
		p.send(t, http.MethodDelete, "/account/named-mappings", nil).Refused(t, 400, "the address must give name, as name=… after ?")
		p.send(t, http.MethodPost, "/account/named-mappings", mapping.With("name", " ")).Refused(t, 400, "name is missing: give the mapping a name")
		p.send(t, http.MethodPost, "/account/named-mappings", mapping.With("name", "Speedy \u202ex")).Refused(t, 400, "name must be at most 100 characters, none of them a control character")
		p.send(t, http.MethodPost, "/account/named-mappings", mapping.With("header_names", nil)).Refused(t, 400, `header_names is missing: send an array of the names of all columns of the report, such as "AWB No", "COD Amount", "Remittance Date"`)
		p.send(t, http.MethodPost, "/account/named-mappings", mapping.With("header_names", []string{})).Refused(t, 400, "header_names is missing")
		p.send(t, http.MethodPost, "/account/named-mappings", mapping.With("header_names", nil).With("columns", Body{})).
			Refused(t, 400, "columns must have a column for the AWB or the order, for an amount, and for the day or the amount of the payment; header_names is missing")
		p.send(t, http.MethodPost, "/account/named-mappings", mapping.With("header_names", "DOCKET")).Refused(t, 400, "the field header_names of the request body has another type")
		p.send(t, http.MethodPost, "/account/connections/test", Body{"sources": []Body{{"connector": 5}}}).Refused(t, 400, "the field sources.connector of the request body has another type")
	})
	t.Run("a mapping that could read no report is not saved", func(t *testing.T) {
		p := owner(t)
		for _, c := range []struct {
			header []string
			bank   any
			want   string
		}{
			{[]string{"Docket", "Door", "Bank", "Sent On"}, "Bnak", `columns names "Bnak" for remitted_amount, which must be one column of the report's header and have no other role`},
			{[]string{"Docket", "Bank", "bank ", "Sent On"}, "BANK", `columns names "BANK" for remitted_amount, which must be`},
			{[]string{"Docket", "Door", "Bank", "Sent On"}, "docket", `columns names "docket" for remitted_amount, which must be`},
			{[]string{"Docket", "Door", "Bank", "Sent On"}, []string{"Bank", "Door"}, "the field columns.remitted_amount of the request body has another type"},
		} {
			columns := Body{"awb": "Docket", "remitted_amount": c.bank, "remittance_date": "Sent On"}
			p.send(t, http.MethodPost, "/account/named-mappings", Body{"name": "Speedy", "header_names": c.header, "columns": columns}).Refused(t, 400, c.want)
		}
		hindi := Body{"name": "तेज़", "header_names": []string{"डॉकेट", "राशि", "तारीख"}, "columns": Body{"awb": "डॉकेट", "remitted_amount": "राशि"}}
		p.does(t, http.MethodPost, "/account/named-mappings", hindi)
		p.send(t, http.MethodPost, "/account/named-mappings", hindi.With("header_names", []string{"डॉकेट", "राशि", "राशि "})).
			Refused(t, 400, `columns names "राशि" for remitted_amount`)
		p.does(t, http.MethodPost, "/account/named-mappings", Body{"name": "spelled", "header_names": []string{"Docket", "Bank", "BANK", "Sent On"}, "columns": byBank})
	})
	t.Run("books", func(t *testing.T) {
		p := owner(t)
		bank := func(of map[string]any) any { return of["ledgers"].([]any)[0] }
		require.Equal(t, map[string]any{"key": "bank", "name": "", "usual": "Bank Account"}, bank(p.does(t, http.MethodGet, "/account/books", nil)))
		p.send(t, http.MethodPut, "/account/books", Body{"ledgers": Body{"freight": "a\x01b"}}).Refused(t, 400, "ledgers.freight must be at most 100 characters")
		p.does(t, http.MethodPut, "/account/books", Body{"ledgers": Body{"bank": "HDFC 4411"}})
		set := p.does(t, http.MethodPut, "/account/books", Body{"by_order": true})
		require.Equal(t, map[string]any{"key": "bank", "name": "HDFC 4411", "usual": "Bank Account"}, bank(set), "what is left out stays")
		require.Equal(t, true, set["by_order"])
		require.Equal(t, set, p.does(t, http.MethodGet, "/account/books", nil))
	})
}

// TestProgramsManageTheAutopilot is the same for connections and passes.
func TestProgramsManageTheAutopilot(t *testing.T) {
	t.Parallel()
	a := StartAutopilot(t, Options{})
	orders, lines := ShopOrders(20, Morning.Add(-30*24*time.Hour), 24*time.Hour)
	shop := a.Shops.Add("asha", orders)
	p := a.Customer(t, OnPlan(domain.Enterprise)).program(t)
	upload := func(path, name string, content string) Answer {
		form := fmt.Appendf(nil, "--%s\r\nContent-Disposition: form-data; name=\"file\"; filename=%q\r\n\r\n%s\r\n--%s--\r\n", FormBoundary, name, content, FormBoundary)
		return a.Do(t, a.Request(t, http.MethodPost, path, bytes.NewReader(form), append(p.header, "Content-Type", FormMedia)...))
	}

	kinds := p.does(t, http.MethodGet, "/account/connectors", nil)
	require.Equal(t, "Shopify", kinds["shops"].([]any)[0].(map[string]any)["name"])
	wanted := Connecting("Asha Textiles", shop.Settings(), FromUploads().With("courier", "delhivery"))
	p.send(t, http.MethodPost, "/account/connections", wanted.With("sources", []Body{Source("sftp", map[string]string{"user": "asha"})})).
		Refused(t, 400, "sources[0].settings.host is missing: enter it")
	made := p.does(t, http.MethodPost, "/account/connections", wanted)
	require.Equal(t, []any{"client_secret"}, made["shop"].(map[string]any)["secrets"])
	require.NotContains(t, made["shop"].(map[string]any)["settings"], "client_secret", "secrets are never answered")
	at := "/account/connections/" + made["id"].(string)
	files := at + "/sources/" + made["sources"].([]any)[0].(map[string]any)["id"].(string) + "/files"

	upload(files, "photo.csv", "no report").Refused(t, 400, "report, line 1: no column was found")
	kept := upload(files, "payout.csv", Report(lines...))
	require.Equal(t, http.StatusCreated, kept.Status, string(kept.Body))
	tested := p.does(t, http.MethodPost, "/account/connections/test", wanted.With("id", made["id"]).With("sources", made["sources"]))
	require.Nil(t, tested["shop"].(map[string]any)["failure"])
	require.EqualValues(t, 1, tested["sources"].([]any)[0].(map[string]any)["matching"])

	asked := p.send(t, http.MethodPost, at+"/run", Body{})
	require.Equal(t, http.StatusAccepted, asked.Status, string(asked.Body))
	c := &Connection{ID: made["id"].(string), autopilot: a, accountID: p.ID(t)}
	c.AwaitEnd(t, fields(t, asked.Body)["id"].(string))
	pass := p.does(t, http.MethodGet, at+"/passes", nil)["passes"].([]any)[0].(map[string]any)
	require.Equal(t, "stored", pass["outcome"], "%v", pass)
	require.Equal(t, pass["run_id"], p.does(t, http.MethodGet, "/account/runs?source=autopilot", nil)["runs"].([]any)[0].(map[string]any)["run_id"])

	seen := p.does(t, http.MethodGet, at+"/seen", nil)["files"].([]any)[0].(map[string]any)
	ignored := p.does(t, http.MethodPost, at+"/ignored", Body{"file": seen["id"]})
	p.does(t, http.MethodDelete, at+"/ignored/"+ignored["id"].(string), nil)
	p.does(t, http.MethodDelete, at+"/files/"+fields(t, kept.Body)["id"].(string), nil)
	require.Empty(t, p.does(t, http.MethodGet, at+"/files", nil)["files"])

	withoutSecret := shop.Settings()
	delete(withoutSecret, "client_secret")
	p.does(t, http.MethodPut, at, Connecting("Asha Silks", withoutSecret, FromUploads()))
	require.Equal(t, "paused", p.does(t, http.MethodPost, at+"/pause", Body{"paused": true})["state"])
	p.send(t, http.MethodDelete, at, Body{"brand": "Asha"}).Refused(t, 400, "brand must be Asha Silks, the brand of the connection")
	p.does(t, http.MethodDelete, at, Body{"brand": "Asha Silks"})
	require.Empty(t, p.does(t, http.MethodGet, "/account/connections", nil)["connections"])
}
