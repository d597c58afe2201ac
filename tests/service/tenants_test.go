package service

import (
	"cmp"
	"encoding/base64"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"milaan/domain"
)

// pageRoute is who may use a route below /app/api, and what it answers to whom.
type pageRoute struct {
	// path and body ask for what an account has; nil: the route itself, no body.
	path func(owned) string
	body func(*testing.T, owned) any

	least   domain.MemberRole // the role that may do least of those that may use it
	program bool              // is for programs too, below /account

	anyone  bool // needs no session
	own     int  // the status for the account itself; 0: 200
	foreign int  // with another account's ids; 0: own
	member  int  // for a member, if their role allows it; 0: own
	ended   int  // once the subscription has ended; 0: own
	phone   int  // while the phone is not verified; 0: ended
	solo    int  // on the plan Solo; 0: own
	form    bool // is sent a form with files
	kept    bool // is sent a form with one report that is kept
}

// owned is what an account has, by its ids, and what nobody else may see.
type owned struct {
	run, other, key, delivery string
	sandboxKey                string
	connection, source, file  string // of the autopilot, whose brand is mark
	account, person           string // its own id, and that of an open invitation
	mark                      string
	shop                      string // URL
	texts                     []string
}

// pageRoutes has every route below /app/api. Those that end what the account has come last.
func pageRoutes() map[string]pageRoute {
	at := func(beginning string, id func(owned) string, end string) func(owned) string {
		return func(o owned) string { return beginning + id(o) + end }
	}
	run := func(o owned) string { return o.run }
	connection := func(end string) func(owned) string {
		return at("/app/api/connections/", func(o owned) string { return o.connection }, end)
	}
	person := at("/app/api/account/people/", func(o owned) string { return o.person }, "")
	const owner, accountant, reader = domain.Owner, domain.Accountant, domain.Reader
	fixed := func(body any) func(*testing.T, owned) any { return func(*testing.T, owned) any { return body } }
	return map[string]pageRoute{
		"GET /app/api/me":                   {anyone: true},
		"POST /app/api/sign-in":             {anyone: true, body: fixed(Body{"token": "x"}), own: 401},
		"GET /app/api/sign-in/oidc":         {anyone: true, own: 404},
		"POST /app/api/sign-out":            {anyone: true, own: 204},
		"GET /app/api/sample":               {anyone: true},
		"GET /app/api/words/:code":          {anyone: true, path: at("/app/api/words/", func(owned) string { return "en" }, "")},
		"POST /app/api/sign-out-everywhere": {least: reader, own: 204},

		"GET /app/api/account/people":        {least: owner, program: true},
		"POST /app/api/account/people":       {least: owner, program: true, body: fixed(Body{"email": "new@people.example", "role": "reader"}), own: 201},
		"PATCH /app/api/account/people/:id":  {least: owner, program: true, path: person, body: fixed(Body{"role": "reader"}), own: 204, foreign: 404},
		"DELETE /app/api/account/people/:id": {least: owner, program: true, path: person, own: 204, foreign: 404},
		"POST /app/api/account/switch":       {least: reader, body: func(_ *testing.T, o owned) any { return Body{"account_id": o.account} }, own: 204, foreign: 403},
		"DELETE /app/api/account/membership": {least: reader, own: 409, member: 204},
		"POST /app/api/invitation":           {anyone: true, body: fixed(Body{"token": strings.Repeat("A", 43)}), own: 404},
		"POST /app/api/invitation/accept":    {anyone: true, body: fixed(Body{"token": strings.Repeat("A", 43)}), own: 404},

		"POST /app/api/inspect":   {least: accountant, form: true, ended: 403},
		"POST /app/api/reconcile": {least: accountant, form: true, ended: 403},
		"POST /app/api/document":  {least: accountant, form: true, ended: 403},

		"GET /app/api/runs":     {least: reader, program: true},
		"GET /app/api/runs/:id": {least: reader, program: true, path: at("/app/api/runs/", run, ""), foreign: 404},
		"GET /app/api/trend":    {least: reader},
		"GET /app/api/compare":  {least: reader, program: true, path: func(o owned) string { return "/app/api/compare?a=" + o.run + "&b=" + o.other }, foreign: 404},

		"GET /app/api/mappings":             {least: accountant, program: true},
		"DELETE /app/api/mappings/:courier": {least: accountant, program: true, path: at("/app/api/mappings/", func(owned) string { return "delhivery" }, ""), own: 204, foreign: 404},
		"POST /app/api/named-mappings":      {least: accountant, program: true, body: func(_ *testing.T, o owned) any { return aMapping("another "+o.mark).With("replace", true) }, own: 204, solo: 403},
		"PATCH /app/api/named-mappings":     {least: accountant, program: true, body: func(_ *testing.T, o owned) any { return Body{"name": "of " + o.mark, "to": "of " + o.mark} }, own: 204, foreign: 404},
		"DELETE /app/api/named-mappings":    {least: accountant, program: true, path: func(o owned) string { return "/app/api/named-mappings?name=of+" + o.mark }, own: 204, foreign: 404},

		"GET /app/api/key":    {least: owner},
		"POST /app/api/key":   {least: owner, body: func(_ *testing.T, o owned) any { return Body{"replaces": o.key} }, foreign: 409, ended: 403, solo: 403},
		"DELETE /app/api/key": {least: owner, body: func(_ *testing.T, o owned) any { return Body{"prefix": o.key} }, own: 204, foreign: 404},

		"GET /app/api/sandbox-key":    {least: owner},
		"POST /app/api/sandbox-key":   {least: owner, body: func(_ *testing.T, o owned) any { return Body{"replaces": o.sandboxKey} }, foreign: 409, phone: 403},
		"DELETE /app/api/sandbox-key": {least: owner, body: func(_ *testing.T, o owned) any { return Body{"prefix": o.sandboxKey} }, own: 204, foreign: 404},

		"GET /app/api/webhook":                           {least: owner, program: true, foreign: 404},
		"PUT /app/api/webhook":                           {least: owner, program: true, body: fixed(Body{"endpoint": "https://127.0.0.1/another"}), solo: 403},
		"DELETE /app/api/webhook":                        {least: owner, program: true, own: 204, foreign: 404},
		"POST /app/api/webhook/secret":                   {least: owner, program: true, foreign: 404},
		"POST /app/api/webhook/rotate":                   {least: owner, program: true, foreign: 404},
		"POST /app/api/webhook/test":                     {least: owner, program: true, foreign: 404, solo: 403},
		"GET /app/api/webhook/deliveries":                {least: owner, program: true},
		"POST /app/api/webhook/deliveries/:id/redeliver": {least: owner, program: true, path: at("/app/api/webhook/deliveries/", func(o owned) string { return o.delivery }, "/redeliver"), foreign: 404, solo: 403},

		"GET /app/api/books": {least: accountant, program: true},
		"PUT /app/api/books": {least: owner, program: true, body: fixed(Body{"ledgers": Body{"bank": "another"}})},

		"GET /app/api/branding":      {least: accountant, program: true},
		"PUT /app/api/branding":      {least: owner, program: true, body: fixed(Body{"name": "another"}), solo: 403},
		"GET /app/api/branding/logo": {least: accountant, program: true, foreign: 404},

		"GET /app/api/connectors":                         {least: accountant, program: true},
		"GET /app/api/connections":                        {least: accountant, program: true},
		"GET /app/api/open-items":                         {least: reader},
		"POST /app/api/connections":                       {least: owner, program: true, body: func(_ *testing.T, o owned) any { return connecting(o, "another") }, own: 201, ended: 403, solo: 403},
		"POST /app/api/connections/test":                  {least: owner, program: true, body: func(_ *testing.T, o owned) any { return connecting(o, "x").With("id", o.connection) }, foreign: 404, ended: 403, solo: 403},
		"GET /app/api/connections/:id":                    {least: accountant, program: true, path: connection(""), foreign: 404},
		"PUT /app/api/connections/:id":                    {least: owner, program: true, path: connection(""), body: func(_ *testing.T, o owned) any { return connecting(o, o.mark) }, foreign: 404, ended: 403, solo: 403},
		"DELETE /app/api/connections/:id":                 {least: owner, program: true, path: connection(""), body: func(_ *testing.T, o owned) any { return Body{"brand": o.mark} }, own: 204, foreign: 404},
		"POST /app/api/connections/:id/pause":             {least: owner, program: true, path: connection("/pause"), body: fixed(Body{"paused": true}), foreign: 404},
		"POST /app/api/connections/:id/run":               {least: accountant, program: true, path: connection("/run"), own: 202, foreign: 404, ended: 403, solo: 403},
		"GET /app/api/connections/:id/passes":             {least: accountant, program: true, path: connection("/passes"), foreign: 404},
		"GET /app/api/connections/:id/files":              {least: accountant, program: true, path: connection("/files"), foreign: 404},
		"DELETE /app/api/connections/:id/files/:file":     {least: accountant, program: true, path: func(o owned) string { return "/app/api/connections/" + o.connection + "/files/" + o.file }, own: 204, foreign: 404},
		"GET /app/api/connections/:id/seen":               {least: accountant, program: true, path: connection("/seen"), foreign: 404},
		"GET /app/api/connections/:id/open-items":         {least: reader, program: true, path: connection("/open-items"), own: 404, foreign: 404},
		"GET /app/api/connections/:id/open-items/dispute": {least: accountant, program: true, path: connection("/open-items/dispute"), own: 404, foreign: 404},
		"PUT /app/api/connections/:id/open-items":         {least: owner, program: true, path: connection("/open-items"), body: fixed(Body{"keep": false}), own: 204, foreign: 404},
		"POST /app/api/connections/:id/open-items/marks":  {least: accountant, program: true, path: connection("/open-items/marks"), body: fixed(Body{"marks": []Body{{"order_id": "#1"}}, "was": []Body{{"order_id": "#1"}}}), own: 404, foreign: 404},
		"POST /app/api/connections/:id/ignored":           {least: accountant, program: true, path: connection("/ignored"), body: fixed(Body{"file": "unknown"}), own: 404, foreign: 404},
		"DELETE /app/api/connections/:id/ignored/:file":   {least: accountant, program: true, path: connection("/ignored/unknown"), own: 404, foreign: 404},
		"POST /app/api/connections/:id/sources/:source/files": {least: accountant, program: true, kept: true, path: func(o owned) string {
			return "/app/api/connections/" + o.connection + "/sources/" + o.source + "/files"
		}, own: 201, foreign: 404},

		"GET /app/api/mails": {least: owner},
		"PUT /app/api/mails": {least: owner, body: fixed(Body{"digest": false})},

		"GET /app/api/account/export": {least: owner, program: true},
		// Another test closes an account: here others are to be asked afterwards.
		"DELETE /app/api/account": {least: owner, program: true, body: fixed(Body{"confirm": "somebody@else.example"}), own: 400},

		"PATCH /app/api/account": {least: owner, body: fixed(Body{"overdue_days": 3})},
		"GET /app/api/security":  {least: owner},

		"GET /app/api/security/download": {least: owner},

		"GET /app/api/account/phone":         {least: owner, program: true},
		"POST /app/api/account/phone":        {least: owner, program: true, body: fixed(Body{"number": "+91 98765 43210"}), own: 404}, // no codes are sent
		"POST /app/api/account/phone/verify": {least: owner, program: true, body: fixed(Body{"code": "123456"}), own: 400},
		// No billing provider is configured.
		"GET /app/api/account/subscription":         {least: owner, program: true},
		"GET /app/api/account/subscription/preview": {least: owner, program: true, own: 404},
		"POST /app/api/account/subscription":        {least: owner, program: true, body: fixed(Body{"plan": "pro"}), own: 404},
		"PATCH /app/api/account/subscription":       {least: owner, program: true, body: fixed(Body{"plan": "pro"}), own: 404},
		"DELETE /app/api/account/subscription":      {least: owner, program: true, own: 404},
	}
}

// connecting is the body of a connection whose shop lets nobody in, with a source of uploads:
// what the account has, once it has it.
func connecting(o owned, brand string) Body {
	return Connecting(brand, domain.Settings{"shop": "asha.myshopify.com", "access_token": "shpat_canary", "base_url": o.shop}, FromUploads().With("id", o.source))
}

// keptForm is a form with one report that is kept under a name.
func keptForm(name string) []byte {
	return fmt.Appendf(nil, "--%s\r\nContent-Disposition: form-data; name=\"file\"; filename=%q\r\n\r\nAWB No,COD Amount,Amount Remitted,Remittance Date\nA1,100,100,2026-11-20\n\r\n--%s--\r\n", FormBoundary, name, FormBoundary)
}

// order is the order in which the routes of a table are asked: first those that change
// nothing, then those that change, and last those that end what the account has.
func order(table map[string]pageRoute) []string {
	rank := func(route string) int {
		switch {
		case strings.HasPrefix(route, "GET"):
			return 0
		case strings.HasSuffix(route, "/membership"):
			return 8 // a member is out after it
		case strings.Contains(route, "sign-out"):
			return 9
		case route == "DELETE /app/api/connections/:id":
			return 6
		case strings.HasPrefix(route, "DELETE"):
			return 5
		case route == "POST /app/api/key", route == "POST /app/api/sandbox-key":
			return 4 // the key has another prefix after it
		}
		return 1
	}
	return slices.SortedFunc(maps.Keys(table), func(a, b string) int {
		return cmp.Or(rank(a)-rank(b), strings.Compare(a, b))
	})
}

// settle gives an account of each thing one, all of which say its mark.
func (c *Customer) settle(t *testing.T, e *Endpoint, mark string) (o owned) {
	t.Helper()
	c.service.Clock.Advance(time.Hour) // all sign in from one address
	c.Watch(t, &Endpoint{URL: e.URL + "/" + mark})
	for i, id := range []*string{&o.run, &o.other} {
		body := Small().With("brand", mark+string(rune('a'+i))).With("courierName", "delhivery")
		*id = c.Reconcile(t, body).Header.Get("X-Run-Id")
		require.NotEmpty(t, *id)
	}
	deliveries := c.Deliveries(t)
	require.Len(t, deliveries, 2)
	o.delivery, o.key = deliveries[0].ID, c.Key[:20]
	b := c.SignIn(t)
	o.sandboxKey = fields(t, b.Send(t, http.MethodPost, "/app/api/sandbox-key", Body{"replaces": ""}).Body)["prefix"].(string)
	a := b.Send(t, http.MethodPut, "/app/api/branding", Body{"name": mark, "footer": mark, "logo": base64.StdEncoding.EncodeToString(picture(t))})
	require.Equal(t, http.StatusOK, a.Status, string(a.Body))
	a = b.Send(t, http.MethodPut, "/app/api/books", Body{"ledgers": Body{"bank": mark}})
	require.Equal(t, http.StatusOK, a.Status, string(a.Body))
	o.mark, o.shop = mark, e.URL
	require.Equal(t, http.StatusNoContent, b.Send(t, http.MethodPost, "/app/api/named-mappings", aMapping("of "+mark)).Status)
	a = b.Send(t, http.MethodPost, "/app/api/connections", connecting(o, mark))
	require.Equal(t, http.StatusCreated, a.Status, string(a.Body))
	made := fields(t, a.Body)
	o.connection, o.source = made["id"].(string), made["sources"].([]any)[0].(map[string]any)["id"].(string)
	// Paused, so that no pass of it is under way while another account is looked at.
	require.Equal(t, http.StatusOK, b.Send(t, http.MethodPost, "/app/api/connections/"+o.connection+"/pause", Body{"paused": true}).Status)
	a = b.SendForm(t, "/app/api/connections/"+o.connection+"/sources/"+o.source+"/files", keptForm(mark+".csv"))
	require.Equal(t, http.StatusCreated, a.Status, string(a.Body))
	o.file = fields(t, a.Body)["id"].(string)
	a = b.Send(t, http.MethodPost, "/app/api/account/people", Body{"email": mark + "@people.example", "role": "accountant"})
	require.Equal(t, http.StatusCreated, a.Status, string(a.Body))
	o.person = fields(t, a.Body)["id"].(string)
	var works struct {
		Accounts []struct{ ID string }
	}
	b.Get(t, "/app/api/me").JSON(t, &works)
	o.account = works.Accounts[0].ID
	o.texts = []string{o.account, o.person, mark, o.connection, o.source, o.file, o.run, o.other, o.delivery, o.key, o.sandboxKey, c.Email}
	return o
}

// ask sends the request of a route.
func (b *Browser) ask(t *testing.T, name string, route pageRoute, o owned) Answer {
	t.Helper()
	b.service.Clock.Advance(2 * time.Second) // there are more routes than an account may use in a minute
	method, path, _ := strings.Cut(name, " ")
	if route.path != nil {
		path = route.path(o)
	}
	if route.kept {
		return b.SendForm(t, path, keptForm("another.csv"))
	}
	if route.form {
		return b.SendForm(t, path, Small().With("brand", "of a page").With("format", "csv").Form(t))
	}
	var body any
	if route.body != nil {
		body = route.body(t, o)
	}
	return b.Send(t, method, path, body)
}

func orElse(status, other int) int {
	return cmp.Or(status, other)
}

// TestTenants holds for every route below /app/api: nobody gets in without a session, one
// account sees and changes nothing of another, and what an account may do depends on its
// plan, its subscription and its phone as in the API.
func TestTenants(t *testing.T) {
	t.Parallel()
	s := startBehindProxy(t)
	table := pageRoutes()
	var routed []string
	for _, route := range s.Routes {
		if strings.Contains(route, " /app/api/") && !strings.HasPrefix(route, http.MethodHead) {
			routed = append(routed, route)
			require.Contains(t, table, route, "a route that nobody has thought of here")
		}
	}
	require.ElementsMatch(t, routed, slices.Collect(maps.Keys(table)), "and no route that is gone")
	e := NewEndpoint(t, nil)
	enterprise := func() *Customer { return s.Customer(t, OnPlan(domain.Enterprise)) }

	t.Run("nobody gets in without a session", func(t *testing.T) {
		o := enterprise().settle(t, e, "unseen")
		for _, stranger := range []*Browser{s.Browser(), {service: s, cookie: "__Host-milaan=" + strings.Repeat("A", 43)}} {
			for _, name := range order(table) {
				a := stranger.ask(t, name, table[name], o)
				if route := table[name]; route.anyone {
					require.Equal(t, orElse(route.own, 200), a.Status, "%s: %s", name, a.Body)
				} else {
					a.RefusedPage(t, 401, "session", "")
				}
				requireNone(t, name, string(a.Body), o.texts)
			}
		}
	})
	t.Run("another account's things are unknown", func(t *testing.T) {
		a, b := enterprise(), s.Account(t, OnPlan(domain.Enterprise))
		o := a.settle(t, e, "canary")
		owner := a.SignIn(t)
		everything := func() (all []string) {
			for _, name := range order(table) {
				if method, _, _ := strings.Cut(name, " "); method == http.MethodGet && !table[name].anyone && !strings.HasSuffix(name, "/export") { // which says when it was made
					all = append(all, name+string(owner.ask(t, name, table[name], o).Body))
				}
			}
			return all
		}
		before := everything()
		other := b.SignIn(t)
		for _, name := range order(table) {
			route := table[name]
			if strings.Contains(name, "webhook") && strings.HasPrefix(name, http.MethodPut) {
				continue // its own webhook would answer the next requests
			}
			got := other.ask(t, name, route, o)
			require.Equal(t, orElse(route.foreign, orElse(route.own, 200)), got.Status, "%s: %s", name, got.Body)
			requireNone(t, name, string(got.Body), o.texts)
			if name == "POST /app/api/sign-out" || name == "POST /app/api/account/switch" {
				other = b.SignIn(t)
			}
		}
		require.Equal(t, before, everything(), "and stay as they are")
		require.Equal(t, http.StatusOK, a.Reconcile(t, Named("still")).Status)
	})
	for name, c := range map[string]struct {
		change func(*domain.Account)
		want   func(pageRoute) int
	}{
		"an ended subscription": {func(a *domain.Account) { a.Subscription = domain.SubscriptionEnded }, func(r pageRoute) int { return orElse(r.ended, orElse(r.own, 200)) }},
		"a phone that is not verified": {func(a *domain.Account) { a.PhoneVerified = false },
			func(r pageRoute) int { return orElse(r.phone, orElse(r.ended, orElse(r.own, 200))) }},
		"the plan Solo": {func(a *domain.Account) { a.Plan, a.RunCap = domain.Solo, new(20) }, func(r pageRoute) int { return orElse(r.solo, orElse(r.own, 200)) }},
	} {
		t.Run(name, func(t *testing.T) {
			customer := enterprise()
			o := customer.settle(t, e, "own")
			customer.Change(t, c.change)
			b := customer.SignIn(t)
			for _, name := range order(table) {
				got := b.ask(t, name, table[name], o)
				require.Equal(t, c.want(table[name]), got.Status, "%s: %s", name, got.Body)
				if name == "POST /app/api/key" && got.Status == http.StatusOK {
					o.key = fields(t, got.Body)["prefix"].(string)
				}
				if name == "POST /app/api/sandbox-key" && got.Status == http.StatusOK {
					o.sandboxKey = fields(t, got.Body)["prefix"].(string)
				}
				if name == "POST /app/api/sign-out" || name == "POST /app/api/account/switch" {
					b = customer.SignIn(t)
				}
			}
			b.Get(t, "/app/api/security").RefusedPage(t, 401, "session", "")
		})
	}
	text := s.Log.String()
	if !strings.Contains(text, `"route":"/app/api/runs/:id","status":404`) {
		t.Error("the log does not have the pattern of a route")
	}
	figures := string(s.Get(t, "/metrics").Body)
	if !strings.Contains(figures, `route="/app/api/runs/:id"`) {
		t.Error("the metrics do not have the pattern of a route")
	}
	for place, content := range map[string]string{"the log": text, "the metrics": figures} {
		requireNone(t, place, content, []string{"@shop.example", "canary", "milaan_live_", "milaan_sandbox_"})
	}
}
