package service

import (
	"cmp"
	"encoding/json"
	"net/http"
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"milaan/config"
	"milaan/domain"
)

// leastRoles says who may use which route below /app/api, and which route of these is for
// programs too, without /app/api in front. Routes for anyone are not here.
var leastRoles = map[string]struct {
	role    domain.MemberRole
	program bool
}{
	"POST /app/api/sign-out-everywhere": {"reader", false},

	"GET /app/api/account/people":               {"owner", true},
	"POST /app/api/account/people":              {"owner", true},
	"PATCH /app/api/account/people/:id":         {"owner", true},
	"DELETE /app/api/account/people/:id":        {"owner", true},
	"POST /app/api/account/switch":              {"reader", false},
	"DELETE /app/api/account/membership":        {"reader", false},
	"GET /app/api/account/phone":                {"owner", true},
	"POST /app/api/account/phone":               {"owner", true},
	"POST /app/api/account/phone/verify":        {"owner", true},
	"GET /app/api/account/subscription":         {"owner", true},
	"GET /app/api/account/subscription/preview": {"owner", true},
	"POST /app/api/account/subscription":        {"owner", true},
	"PATCH /app/api/account/subscription":       {"owner", true},
	"DELETE /app/api/account/subscription":      {"owner", true},
	"GET /app/api/account/export":               {"owner", true},
	"DELETE /app/api/account":                   {"owner", true},
	"PATCH /app/api/account":                    {"owner", false},
	"GET /app/api/security":                     {"owner", false},
	"GET /app/api/security/download":            {"owner", false},

	"POST /app/api/inspect":   {"accountant", false},
	"POST /app/api/reconcile": {"accountant", false},
	"POST /app/api/document":  {"accountant", false},

	"GET /app/api/runs":     {"reader", false},
	"GET /app/api/runs/:id": {"reader", false},
	"GET /app/api/trend":    {"reader", false},
	"GET /app/api/compare":  {"reader", false},

	"GET /app/api/mappings":             {"accountant", false},
	"DELETE /app/api/mappings/:courier": {"accountant", false},
	"POST /app/api/named-mappings":      {"accountant", false},
	"PATCH /app/api/named-mappings":     {"accountant", false},
	"DELETE /app/api/named-mappings":    {"accountant", false},

	"GET /app/api/key":            {"owner", false},
	"POST /app/api/key":           {"owner", false},
	"DELETE /app/api/key":         {"owner", false},
	"GET /app/api/sandbox-key":    {"owner", false},
	"POST /app/api/sandbox-key":   {"owner", false},
	"DELETE /app/api/sandbox-key": {"owner", false},

	"GET /app/api/webhook":                           {"owner", false},
	"PUT /app/api/webhook":                           {"owner", false},
	"DELETE /app/api/webhook":                        {"owner", false},
	"POST /app/api/webhook/secret":                   {"owner", false},
	"POST /app/api/webhook/rotate":                   {"owner", false},
	"POST /app/api/webhook/test":                     {"owner", false},
	"GET /app/api/webhook/deliveries":                {"owner", false},
	"POST /app/api/webhook/deliveries/:id/redeliver": {"owner", false},

	"GET /app/api/branding":      {"accountant", false},
	"PUT /app/api/branding":      {"owner", false},
	"GET /app/api/branding/logo": {"accountant", false},

	"GET /app/api/connectors":                             {"accountant", false},
	"GET /app/api/connections":                            {"accountant", false},
	"POST /app/api/connections":                           {"owner", false},
	"POST /app/api/connections/test":                      {"owner", false},
	"GET /app/api/connections/:id":                        {"accountant", false},
	"PUT /app/api/connections/:id":                        {"owner", false},
	"DELETE /app/api/connections/:id":                     {"owner", false},
	"POST /app/api/connections/:id/pause":                 {"owner", false},
	"POST /app/api/connections/:id/run":                   {"accountant", false},
	"GET /app/api/connections/:id/passes":                 {"accountant", false},
	"GET /app/api/connections/:id/files":                  {"accountant", false},
	"DELETE /app/api/connections/:id/files/:file":         {"accountant", false},
	"POST /app/api/connections/:id/sources/:source/files": {"accountant", false},
	"GET /app/api/connections/:id/seen":                   {"accountant", false},
	"POST /app/api/connections/:id/ignored":               {"accountant", false},
	"DELETE /app/api/connections/:id/ignored/:file":       {"accountant", false},

	"GET /app/api/mails": {"owner", false},
	"PUT /app/api/mails": {"owner", false},
}

// more says how much a role may do.
var more = map[domain.MemberRole]int{"reader": 1, "accountant": 2, "owner": 3}

// invited is the link's token of an invitation that the account's owner makes.
func (c *Customer) invited(t testing.TB, email, role string) string {
	t.Helper()
	a := c.SignInTo(t, c.Email).Send(t, http.MethodPost, "/app/api/account/people", Body{"email": email, "role": role})
	require.Equal(t, http.StatusCreated, a.Status, string(a.Body))
	var made struct{ Link string }
	require.NoError(t, json.Unmarshal(a.Body, &made))
	_, token, found := strings.Cut(made.Link, "/app/invitation#token=")
	require.True(t, found, made.Link)
	c.service.secrets.Store(token, true)
	return token
}

// accept accepts an invitation, and signs the browser in if that succeeds.
func (b *Browser) accept(t testing.TB, token string) Answer {
	t.Helper()
	a := b.Send(t, http.MethodPost, "/app/api/invitation/accept", Body{"token": token})
	for _, cookie := range a.cookies() {
		b.cookie = cookie.Name + "=" + cookie.Value
		b.service.secrets.Store(cookie.Value, true)
	}
	return a
}

// member is somebody who works for the customer's account.
type member struct {
	*Customer // has their address
	account   *Customer
}

// member makes a member of the account, by an invitation that is accepted.
func (c *Customer) member(t testing.TB, role domain.MemberRole) member {
	t.Helper()
	email := strings.Replace(c.Email, "@shop", "-"+string(role)+"@people", 1)
	b := c.service.Browser()
	a := b.accept(t, c.invited(t, email, string(role)))
	require.Equal(t, http.StatusOK, a.Status, string(a.Body))
	return member{&Customer{Email: email, service: c.service}, c}
}

// askAsProgram sends the request of a route without /app/api, with a session token.
func (m member) askAsProgram(t *testing.T, name string, route pageRoute, o owned) Answer {
	t.Helper()
	m.service.Clock.Advance(2 * time.Second)
	method, path, _ := strings.Cut(name, " ")
	if route.path != nil {
		path = route.path(o)
	}
	var content []byte
	if route.body != nil {
		text, err := json.Marshal(route.body(t, o))
		require.NoError(t, err)
		content = text
	}
	r := m.service.Request(t, method, strings.TrimPrefix(path, "/app/api"), strings.NewReader(string(content)),
		"Authorization", "Bearer "+m.Session(t), "X-Account", m.account.Email, "Content-Type", "application/json")
	return m.service.Do(t, r)
}

// TestRoles holds for every route, and every role of a person, in their own account and with
// what another one has: who may use it, at both addresses of what is for programs too.
func TestRoles(t *testing.T) {
	t.Parallel()
	s := Start(t, Options{Settings: func(c *config.Config) {
		OnLoopback(c)
		ConnectingHere(c)
		c.HTTP.TrustedProxies = config.Networks{netip.MustParsePrefix("127.0.0.0/8")}
	}})
	s.header = []string{"X-Forwarded-Proto", "https"}
	table := pageRoutes()
	programs := map[string]bool{}
	for _, route := range s.Routes {
		method, path, _ := strings.Cut(route, " ")
		page := method + " /app/api" + path
		if least, known := leastRoles[page]; known && least.program {
			require.Contains(t, table, page, "a page has every route of programs")
			programs[page] = true
		} else if strings.HasPrefix(path, "/account") && method != http.MethodHead {
			require.Fail(t, "a route of programs that nobody has thought of here", route)
		}
	}
	for name, route := range table {
		least, known := leastRoles[name]
		require.Equal(t, !route.anyone, known, name)
		require.Equal(t, least.program, programs[name], name)
	}
	e := NewEndpoint(t, nil)
	for _, role := range domain.MemberRoles {
		want := func(name string, allowed int) int {
			if least := leastRoles[name]; !table[name].anyone && more[role] < more[least.role] {
				return http.StatusForbidden
			}
			return allowed
		}
		for _, own := range []bool{true, false} {
			t.Run(string(role)+map[bool]string{true: " of the account", false: " of another account"}[own], func(t *testing.T) {
				asked := s.Customer(t, OnPlan(domain.Enterprise))
				o := asked.settle(t, e, "canary")
				of := asked
				if !own {
					of = s.Account(t, OnPlan(domain.Enterprise))
				}
				m := of.member(t, role)
				b, owner := m.SignIn(t), of.SignIn(t)
				status := func(name string) int {
					route := table[name]
					if !own {
						return cmp.Or(route.foreign, route.member, route.own, http.StatusOK)
					}
					return cmp.Or(route.member, route.own, http.StatusOK)
				}
				check := func(name string, got Answer) {
					t.Helper()
					require.Equal(t, want(name, status(name)), got.Status, "%s: %s", name, got.Body)
					if got.Status == http.StatusForbidden && want(name, 0) == http.StatusForbidden {
						require.Contains(t, string(got.Body), "your role in this account does not include this", name)
					}
					if !own {
						requireNone(t, name, string(got.Body), o.texts)
					}
				}
				for _, name := range order(table) {
					if !programs[name] || strings.HasPrefix(name, http.MethodDelete) {
						continue
					}
					check(name, m.askAsProgram(t, name, table[name], o))
				}
				for _, name := range order(table) {
					if !own && strings.HasPrefix(name, "PUT /app/api/webhook") {
						continue // its own webhook would answer the next requests
					}
					if name == "DELETE /app/api/account/people/:id" { // once for programs, once for pages
						check(name, m.askAsProgram(t, name, table[name], o))
						if own {
							o.person = of.person(t)
						}
					}
					got := b.ask(t, name, table[name], o)
					check(name, got)
					switch {
					case name == "POST /app/api/key" && got.Status == http.StatusOK:
						o.key = fields(t, got.Body)["prefix"].(string)
					case name == "POST /app/api/sandbox-key" && got.Status == http.StatusOK:
						o.sandboxKey = fields(t, got.Body)["prefix"].(string)
					case strings.HasSuffix(name, "/membership"):
						b.Get(t, "/app/api/runs").RefusedPage(t, 401, "session", "")
						m = of.member(t, role)
						b = m.SignIn(t)
					case strings.Contains(name, "/sign-out"), name == "POST /app/api/account/switch" && got.Status == http.StatusNoContent:
						b.Get(t, "/app/api/runs").RefusedPage(t, 401, "session", "")
						b = m.SignIn(t)
					}
				}
				require.Equal(t, of.Email, owner.signedInAs(t), "the owner's session is not theirs to end")
			})
		}
	}
}

// person is the id of another invitation of the account.
func (c *Customer) person(t testing.TB) string {
	t.Helper()
	a := c.SignInTo(t, c.Email).Send(t, http.MethodPost, "/app/api/account/people", Body{"email": "another@people.example", "role": "reader"})
	require.Equal(t, http.StatusCreated, a.Status, string(a.Body))
	return fields(t, a.Body)["id"].(string)
}
