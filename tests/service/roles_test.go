package service

import (
	"bytes"
	"cmp"
	"encoding/json"
	"net/http"
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/stretchr/testify/require"

	"milaan/config"
	"milaan/domain"
)

// more says how much a role may do.
var more = map[domain.MemberRole]int{"reader": 1, "accountant": 2, "owner": 3}

// invited is the link's token of an invitation that the account's owner makes.
func (c *Customer) invited(t testing.TB, email, role string) string {
	t.Helper()
	a := c.SignInTo(t, c.Email).Send(t, http.MethodPost, "/app/api/account/people", Body{"email": email, "role": role})
	require.Equal(t, http.StatusCreated, a.Status, string(a.Body))
	made := decoded[struct{ Link string }](t, a.Body)
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

// ofPrograms is the path of a route for programs by that for pages.
func ofPrograms(page string) string {
	return "/account" + strings.TrimPrefix(strings.TrimPrefix(page, "/app/api"), "/account")
}

// askAsProgram sends the request of a route for programs, with a session token.
func (m member) askAsProgram(t *testing.T, name string, route pageRoute, o owned) Answer {
	t.Helper()
	m.service.Clock.Advance(4 * time.Second) // the account changes more in between
	method, path, _ := strings.Cut(name, " ")
	if route.path != nil {
		path = route.path(o)
	}
	return m.service.askAsProgram(t, method, ofPrograms(path), route, o, "Authorization", "Bearer "+m.Session(t), "X-Account", m.account.Email)
}

// askAsProgram sends the request of a route for programs with a header.
func (s *Service) askAsProgram(t *testing.T, method, path string, route pageRoute, o owned, header ...string) Answer {
	t.Helper()
	content, media := []byte("{}"), "application/json"
	switch {
	case route.kept:
		content, media = keptForm("another.csv"), FormMedia
	case route.body != nil:
		text, err := json.Marshal(route.body(t, o))
		require.NoError(t, err)
		content = text
	}
	return s.Do(t, s.Request(t, method, path, bytes.NewReader(content), append(header, "Content-Type", media)...))
}

// startBehindProxy starts a service behind a proxy, where there are no visitors.
func startBehindProxy(t *testing.T) *Service {
	t.Helper()
	s := Start(t, Options{Settings: func(c *config.Config) {
		OnLoopback(c)
		ConnectingHere(c)
		c.HTTP.TrustedProxies = config.Networks{netip.MustParsePrefix("127.0.0.0/8")}
	}})
	s.header = []string{"X-Forwarded-Proto", "https"}
	return s
}

// TestRoles holds for every route, and every role of a person, in their own account and with
// what another one has: who may use it, at both addresses of what is for programs too.
func TestRoles(t *testing.T) {
	t.Parallel()
	s := startBehindProxy(t)
	table := pageRoutes()
	programs := map[string]bool{}
	for _, route := range s.Routes {
		method, path, _ := strings.Cut(route, " ")
		if !strings.HasPrefix(path, "/account") || method == http.MethodHead {
			continue
		}
		page := method + " /app/api" + path
		if _, known := table[page]; !known {
			page = method + " /app/api" + strings.TrimPrefix(path, "/account")
		}
		require.True(t, table[page].program, "a route of programs that nobody has thought of here: %s", route)
		programs[page] = true
	}
	for name, route := range table {
		require.Equal(t, route.anyone, route.least == "", name)
		require.Equal(t, route.program, programs[name], name)
	}
	e := NewEndpoint(t, nil)
	for _, role := range domain.MemberRoles {
		want := func(name string, allowed int) int {
			if route := table[name]; !route.anyone && more[role] < more[route.least] {
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
					if !own && strings.HasPrefix(name, "PUT /app/api/webhook") {
						continue // its own webhook would answer the next requests
					}
					// What can be done once is done by the page; TestProgramsManage has it by programs.
					once := want(name, status(name)) < 400 && (strings.HasPrefix(name, http.MethodDelete) ||
						name == "POST /app/api/connections" || strings.HasSuffix(name, "/run"))
					if programs[name] && (!once || strings.Contains(name, "/people/")) {
						check(name, m.askAsProgram(t, name, table[name], o))
						if once {
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

// TestProgramsNeedTheirToken holds for every route of programs: without a session token, or with
// anything in its place, nothing of the account is answered or changed.
func TestProgramsNeedTheirToken(t *testing.T) {
	t.Parallel()
	s := startBehindProxy(t)
	c := s.Customer(t, OnPlan(domain.Enterprise))
	o := c.settle(t, NewEndpoint(t, nil), "unseen")
	now := s.Clock.Now()
	key := s.Subkeys.Subkeys("session tokens")[0]
	unverified := signed(t, jose.HS256, key[:], map[string]any{"iss": "milaan", "aud": "milaan/generate-api-key", "sub": c.Email,
		"iat": now.Unix(), "exp": now.Add(24 * time.Hour).Unix(), "email": c.Email, "email_verified": false})
	table, browser := pageRoutes(), c.SignIn(t)
	for _, name := range order(table) {
		if !table[name].program {
			continue
		}
		method, page, _ := strings.Cut(name, " ")
		if table[name].path != nil {
			page = table[name].path(o)
		}
		for of, who := range map[string]struct {
			header []string
			status int
		}{
			"nobody":               {nil, http.StatusUnauthorized},
			"a browser":            {[]string{"Cookie", browser.cookie, "Sec-Fetch-Site", "same-origin"}, http.StatusUnauthorized},
			"the account's key":    {[]string{"Authorization", "Bearer " + c.Key}, http.StatusUnauthorized},
			"an unverified e-mail": {[]string{"Authorization", "Bearer " + unverified}, http.StatusForbidden},
		} {
			a := s.askAsProgram(t, method, ofPrograms(page), table[name], o, who.header...)
			require.Equal(t, who.status, a.Status, "%s: %s: %s", name, of, a.Body)
			require.Empty(t, a.cookies(), name)
			requireNone(t, name, string(a.Body), o.texts)
		}
	}
}
