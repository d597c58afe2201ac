package service

import (
	"fmt"
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"milaan/config"
	"milaan/domain"
	"milaan/tests/fakes/web"
	"milaan/tests/only"
)

// me is the part of GET /app/api/me that says who asks.
type me struct {
	Visitor string `json:"visitor"`
	SignIn  struct {
		Link bool `json:"link"`
		OIDC bool `json:"oidc"`
	} `json:"sign_in"`
	Account *struct {
		Email string `json:"email"`
		Plan  string `json:"plan"`
	} `json:"account"`
	Quota *struct {
		Used     int    `json:"used"`
		Cap      *int   `json:"cap"`
		ResetsOn string `json:"resets_on"`
	} `json:"quota"`
	BaseURL string `json:"base_url"`
}

func (b *Browser) me(t testing.TB) (m me) {
	t.Helper()
	b.Get(t, "/app/api/me").JSON(t, &m)
	return m
}

// signedInAs is whom the service takes the browser's owner for; blank: nobody.
func (b *Browser) signedInAs(t testing.TB) string {
	t.Helper()
	m := b.me(t)
	if m.Account == nil {
		return ""
	}
	require.Equal(t, "account", m.Visitor)
	return m.Account.Email
}

// link is the token of a sign-in link.
func (c *Customer) link(t testing.TB) string {
	t.Helper()
	token := only.Value(c.service.Links.Link(t.Context(), c.Email, ""))(t)
	c.service.secrets.Store(token, true)
	return token
}

// redeem sends the token of a link as the page does.
func (b *Browser) redeem(t testing.TB, token string) Answer {
	t.Helper()
	return b.Send(t, http.MethodPost, "/app/api/sign-in", map[string]string{"token": token})
}

// cookies are those that an answer sets, by their names.
func (a Answer) cookies() map[string]*http.Cookie {
	set := map[string]*http.Cookie{}
	for _, cookie := range (&http.Response{Header: a.Header}).Cookies() {
		set[cookie.Name] = cookie
	}
	return set
}

// securityLog are the kinds and details of an account's security events, oldest first.
func (c *Customer) securityLog(t testing.TB) (events []string) {
	t.Helper()
	for _, row := range c.service.Query(t, "SELECT kind, detail, way FROM security_events JOIN accounts ON accounts.id = account_id WHERE email = '"+c.Email+"' ORDER BY at_us, security_events.id") {
		events = append(events, strings.Join(row, " "))
	}
	return events
}

// TestSignInByLink holds that a link of the command line signs in once, for ten minutes.
func TestSignInByLink(t *testing.T) {
	onBoth(t, func(t *testing.T, db database) {
		s := Start(t, Options{DatabaseURL: db(t)})
		c := s.Account(t)
		t.Run("a link signs in, with a cookie that no script reads", func(t *testing.T) {
			a := s.Browser().redeem(t, c.link(t))
			require.Equal(t, http.StatusNoContent, a.Status)
			require.Empty(t, a.Body)
			set := a.cookies()
			require.Len(t, set, 1)
			cookie := set["milaan"]
			s.secrets.Store(cookie.Value, true)
			require.Len(t, cookie.Value, 43, "32 bytes")
			require.True(t, cookie.HttpOnly)
			require.False(t, cookie.Secure, "this is plain HTTP on one machine")
			require.Equal(t, http.SameSiteLaxMode, cookie.SameSite)
			require.Equal(t, "/", cookie.Path)
			require.Empty(t, cookie.Domain)
			require.Equal(t, 30*24*60*60, cookie.MaxAge)
			b := &Browser{service: s, cookie: "milaan=" + cookie.Value}
			m := b.me(t)
			require.Equal(t, c.Email, m.Account.Email)
			require.Equal(t, "pro", m.Account.Plan)
			require.Equal(t, 10, *m.Quota.Cap)
			require.Equal(t, "2026-12-21", m.Quota.ResetsOn)
			require.True(t, m.SignIn.Link)
			require.False(t, m.SignIn.OIDC)
			require.NotContains(t, fmt.Sprint(s.Query(t, "SELECT * FROM sessions")), cookie.Value)
			require.Equal(t, []string{"sign_in_link_made  command_line", "signed_in link dashboard"}, c.securityLog(t))
		})
		t.Run("a link serves once, also if many use it at the same time", func(t *testing.T) {
			link := c.link(t)
			answers := sendAtOnce(16, func(int) Answer { return s.Browser().redeem(t, link) })
			require.Equal(t, map[int]int{http.StatusNoContent: 1, http.StatusUnauthorized: 15}, statuses(answers))
			for _, a := range answers {
				if a.Status != http.StatusNoContent {
					a.RefusedPage(t, 401, "session_invalid", "")
					require.Empty(t, a.cookies())
				}
			}
			s.Clock.Advance(2 * time.Minute)
		})
		t.Run("a link that has expired signs nobody in, nor does a session token", func(t *testing.T) {
			old := c.link(t)
			s.Clock.Advance(11 * time.Minute)
			for _, token := range []string{old, c.Session(t)} {
				s.Browser().redeem(t, token).RefusedPage(t, 401, "session_invalid", "")
			}
		})
	})
}

// TestSessionsOfBrowsers holds how sessions begin and end.
func TestSessionsOfBrowsers(t *testing.T) {
	t.Parallel()
	s := Start(t, Options{})
	t.Run("a sign-in makes a new secret, whatever the browser had", func(t *testing.T) {
		c := s.Account(t)
		planted := strings.Repeat("A", 43)
		b := &Browser{service: s, cookie: "milaan=" + planted}
		first := b.redeem(t, c.link(t)).cookies()["milaan"].Value
		require.NotEqual(t, planted, first)
		require.Empty(t, b.signedInAs(t), "who has planted a secret is not signed in by it")
		b.cookie = "milaan=" + first
		second := b.redeem(t, c.link(t)).cookies()["milaan"].Value
		require.NotEqual(t, first, second)
		require.Empty(t, b.signedInAs(t), "the session that the browser had has ended")
		b.cookie = "milaan=" + second
		require.Equal(t, c.Email, b.signedInAs(t))
	})
	t.Run("a session ends after seven days without use", func(t *testing.T) {
		c := s.Account(t)
		b := c.SignIn(t)
		s.Clock.Advance(7*24*time.Hour - time.Second)
		require.Equal(t, c.Email, b.signedInAs(t))
		s.Clock.Advance(7*24*time.Hour - time.Second)
		require.Equal(t, c.Email, b.signedInAs(t))
		s.Clock.Advance(7 * 24 * time.Hour)
		require.Empty(t, b.signedInAs(t))
		b.Send(t, http.MethodPost, "/app/api/sign-out-everywhere", nil).RefusedPage(t, 401, "session", "")
	})
	t.Run("a session ends after thirty days in any case", func(t *testing.T) {
		c := s.Account(t)
		b := c.SignIn(t)
		for range 29 {
			s.Clock.Advance(24 * time.Hour)
			require.Equal(t, c.Email, b.signedInAs(t))
		}
		s.Clock.Advance(24*time.Hour - time.Second)
		require.Equal(t, c.Email, b.signedInAs(t))
		s.Clock.Advance(time.Second)
		require.Empty(t, b.signedInAs(t))
	})
	t.Run("its last use is stored once in five minutes", func(t *testing.T) {
		c := s.Account(t)
		b := c.SignIn(t)
		used := func() string {
			return s.Query(t, "SELECT used_at_us FROM sessions JOIN accounts ON accounts.id = account_id WHERE email = '"+c.Email+"'")[0][0]
		}
		begun := used()
		s.Clock.Advance(5*time.Minute - time.Second)
		b.me(t)
		require.Equal(t, begun, used())
		s.Clock.Advance(time.Second)
		b.me(t)
		require.NotEqual(t, begun, used())
	})
	t.Run("who signs out is signed out here alone", func(t *testing.T) {
		c := s.Account(t)
		here, there := c.SignIn(t), c.SignIn(t)
		a := here.Send(t, http.MethodPost, "/app/api/sign-out", nil)
		require.Equal(t, http.StatusNoContent, a.Status)
		require.Equal(t, -1, a.cookies()["milaan"].MaxAge)
		require.Empty(t, here.signedInAs(t))
		require.Equal(t, c.Email, there.signedInAs(t))
		require.Equal(t, http.StatusNoContent, here.Send(t, http.MethodPost, "/app/api/sign-out", nil).Status, "it may be repeated")
	})
	t.Run("who signs out everywhere is signed out everywhere", func(t *testing.T) {
		c, other := s.Account(t), s.Account(t)
		browsers, others := []*Browser{c.SignIn(t), c.SignIn(t), c.SignIn(t)}, other.SignIn(t)
		a := browsers[1].Send(t, http.MethodPost, "/app/api/sign-out-everywhere", nil)
		require.Equal(t, http.StatusNoContent, a.Status)
		require.Equal(t, -1, a.cookies()["milaan"].MaxAge)
		for _, b := range browsers {
			require.Empty(t, b.signedInAs(t))
		}
		require.Equal(t, other.Email, others.signedInAs(t))
		require.Equal(t, "signed_out_everywhere 3 dashboard", c.securityLog(t)[6])
	})
}

// TestSignInRate holds that attempts to sign in are counted for each client.
func TestSignInRate(t *testing.T) {
	t.Parallel()
	s := Start(t, Options{Settings: func(c *config.Config) {
		c.HTTP.TrustedProxies = config.Networks{netip.MustParsePrefix("127.0.0.1/32")}
	}})
	c := s.Account(t)
	client := func(address string) *Browser {
		return s.Browser("X-Forwarded-Proto", "https", "X-Forwarded-For", address)
	}
	for range 20 {
		client("203.0.113.7").redeem(t, "x").RefusedPage(t, 401, "session_invalid", "")
	}
	link := c.link(t)
	a := client("203.0.113.7").redeem(t, link)
	a.RefusedPage(t, 429, "rate_limited", "")
	require.Equal(t, "60", a.Header.Get("Retry-After"))
	require.Equal(t, http.StatusNoContent, client("203.0.113.8").redeem(t, link).Status, "another client, and the link was not used up")
	s.Clock.Advance(time.Minute)
	client("203.0.113.7").redeem(t, "x").RefusedPage(t, 401, "session_invalid", "")
	require.NotContains(t, fmt.Sprint(s.Query(t, "SELECT * FROM rate_windows")), "203.0.113")
	require.NotContains(t, s.Log.String(), "203.0.113")
}

// TestCookiesOverHTTPS holds the cookie's name where the client speaks HTTPS: to the service
// itself, or to its proxy.
func TestCookiesOverHTTPS(t *testing.T) {
	t.Parallel()
	demand := func(t *testing.T, s *Service, header ...string) {
		t.Helper()
		c := s.Account(t)
		cookie := s.Browser(header...).redeem(t, c.link(t)).cookies()["__Host-milaan"]
		require.NotNil(t, cookie)
		require.True(t, cookie.Secure && cookie.HttpOnly)
		require.Equal(t, "/", cookie.Path)
		require.Empty(t, cookie.Domain)
		b := s.Browser(header...)
		b.cookie = "__Host-milaan=" + cookie.Value
		require.Equal(t, c.Email, b.signedInAs(t))
		a := b.Send(t, http.MethodPost, "/app/api/sign-out", nil)
		require.Equal(t, -1, a.cookies()["__Host-milaan"].MaxAge)
		b = c.SignIn(t, header...)
		b.cookie = strings.TrimPrefix(b.cookie, "__Host-")
		require.Empty(t, b.signedInAs(t), "a cookie of this name may come from plain HTTP or another host")
	}
	t.Run("to the service", func(t *testing.T) {
		cert, key, trust := web.Certificate(t)
		demand(t, Start(t, Options{Trust: trust, Settings: func(c *config.Config) { c.HTTP.TLSCert, c.HTTP.TLSKey = cert, key }}))
	})
	t.Run("to a proxy", func(t *testing.T) {
		demand(t, Start(t, Options{Settings: func(c *config.Config) {
			c.HTTP.TrustedProxies = config.Networks{netip.MustParsePrefix("127.0.0.1/32")}
		}}), "X-Forwarded-Proto", "https")
	})
}

// TestSessionsStayWithThePages holds that no cookie opens the API, and no key the pages.
func TestSessionsStayWithThePages(t *testing.T) {
	t.Parallel()
	s := Start(t, Options{})
	c := s.Customer(t)
	b := c.SignIn(t)
	for _, path := range []string{"/reconcile", "/reconcile/files", "/reconcile/batch", "/inspect", "/report", "/generate-api-key"} {
		a := s.Post(t, path, "", []byte("{}"), "Cookie", b.cookie, "Sec-Fetch-Site", "same-origin")
		require.Contains(t, []int{http.StatusUnauthorized, http.StatusUnsupportedMediaType}, a.Status, path)
	}
	s.Get(t, "/status/1", "Cookie", b.cookie).Refused(t, 401, "API key missing")
	require.Zero(t, s.Runs(t))
	for method, path := range s.pageRoutes() {
		a := b.Send(t, method, path, nil, "Authorization", "Bearer "+c.Key)
		if method != http.MethodHead {
			a.RefusedPage(t, 401, "session", "")
		}
	}
	require.Equal(t, c.Email, b.signedInAs(t))
}

// pageRoutes are the methods and paths of the pages' resources, as the router has them, with
// something in the place of parameters.
func (s *Service) pageRoutes() func(yield func(method, path string) bool) {
	return func(yield func(method, path string) bool) {
		for _, route := range s.Routes {
			method, path, _ := strings.Cut(route, " ")
			path = strings.NewReplacer(":id", storedBefore, ":courier", "dtdc", ":code", "hi").Replace(path)
			if strings.HasPrefix(path, "/app/api/") && !yield(method, path) {
				return
			}
		}
	}
}

const storedBefore = "01890000-0000-7000-8000-000000000001"

// forAnyone are the resources for which nobody needs to sign in, even far away.
// Who presents an invitation has no account yet.
var forAnyone = []string{
	"GET /app/api/me", "POST /app/api/sign-in", "GET /app/api/sign-in/oidc", "POST /app/api/sign-out", "GET /app/api/words/hi", "GET /app/api/sample",
	"POST /app/api/invitation", "POST /app/api/invitation/accept",
}

// forVisitors are the resources for those at a service on their own machine.
var forVisitors = []string{"POST /app/api/inspect", "POST /app/api/reconcile", "POST /app/api/document"}

// TestEveryResourceIsGuarded goes through all resources that the router has, so that a new
// one is among them.
func TestEveryResourceIsGuarded(t *testing.T) {
	t.Parallel()
	s := Start(t, Options{})
	c := s.Account(t)
	cookie := c.SignIn(t).cookie
	seen := 0
	for method, path := range s.pageRoutes() {
		if method == http.MethodHead {
			continue // it is the same handler as GET
		}
		seen++
		route := method + " " + path
		ask := func(header ...string) Answer {
			return s.Do(t, s.Request(t, method, path, strings.NewReader("{}"), append([]string{"Content-Type", "application/json"}, header...)...))
		}
		a := ask("Sec-Fetch-Site", "same-origin", "X-Forwarded-For", "203.0.113.7")
		if slices.Contains(forAnyone, route) {
			require.NotEqual(t, "session", a.Code(), route)
		} else {
			a.RefusedPage(t, 401, "session", "")
		}
		if a := ask("Sec-Fetch-Site", "same-origin"); !slices.Contains(append(forAnyone, forVisitors...), route) {
			a.RefusedPage(t, 401, "session", "")
		}
		require.Contains(t, a.Header.Get("Content-Security-Policy"), "frame-ancestors 'none'", route)
		require.Equal(t, "nosniff", a.Header.Get("X-Content-Type-Options"), route)
		require.Equal(t, "same-origin", a.Header.Get("Cross-Origin-Resource-Policy"), route)
		if method == http.MethodGet {
			continue
		}
		for _, from := range [][]string{{}, {"Origin", "https://elsewhere.example"}, {"Origin", s.URL, "Sec-Fetch-Site", "cross-site"}} {
			ask(append(from, "Cookie", cookie)...).RefusedPage(t, 403, "cross_origin", "")
			ask(from...).RefusedPage(t, 403, "cross_origin", "")
		}
	}
	require.GreaterOrEqual(t, seen, 5)
	b := &Browser{service: s, cookie: cookie}
	require.Equal(t, c.Email, b.signedInAs(t), "none of it has done anything")
	for _, from := range [][]string{{"Origin", s.URL}, {"Sec-Fetch-Site", "same-origin"}, {"Sec-Fetch-Site", "none"}, {"Origin", s.URL, "Sec-Fetch-Site", "same-origin"}} {
		a := s.Do(t, s.Request(t, http.MethodPost, "/app/api/sign-out", nil, from...))
		require.Equal(t, http.StatusNoContent, a.Status, from)
	}
}

// TestPagesAreOfThePublicOrigin holds that a proxy may call the service by another name.
func TestPagesAreOfThePublicOrigin(t *testing.T) {
	t.Parallel()
	s := Start(t, Options{Settings: func(c *config.Config) {
		c.HTTP.TrustedProxies, c.HTTP.PublicURL = config.Networks{netip.MustParsePrefix("127.0.0.1/32")}, "https://milaan.shop.example"
	}})
	proxied := s.Browser("X-Forwarded-Proto", "https", "Sec-Fetch-Site", "", "Origin", "https://milaan.shop.example")
	require.Equal(t, http.StatusNoContent, proxied.Send(t, http.MethodPost, "/app/api/sign-out", nil).Status)
	require.Equal(t, "https://milaan.shop.example", proxied.me(t).BaseURL)
	proxied = s.Browser("X-Forwarded-Proto", "https", "Sec-Fetch-Site", "", "Origin", "https://elsewhere.example")
	proxied.Send(t, http.MethodPost, "/app/api/sign-out", nil).RefusedPage(t, 403, "cross_origin", "")
}

// TestVisitors holds that a page is no visitor whose own name leads to this machine (DNS rebinding).
func TestVisitors(t *testing.T) {
	t.Parallel()
	s := Start(t, Options{})
	for host, who := range map[string]string{"localhost:8080": "local", "rebound.example": "none", "127.0.0.1.rebound.example:8080": "none"} {
		r := s.Request(t, http.MethodGet, "/app/api/me", nil)
		r.Host = host
		require.Equal(t, who, answered[me](t, s.Do(t, r)).Visitor, host)
	}
}

// TestTheAccessLogKnowsAccountsByTheirIDs holds that requests of pages are in the log with
// the account, and without its e-mail address.
func TestTheAccessLogKnowsAccountsByTheirIDs(t *testing.T) {
	t.Parallel()
	s := Start(t, Options{})
	c := s.Account(t)
	b := c.SignIn(t)
	a := only.Value(s.Manage.Show(t.Context(), c.Email))(t)
	b.me(t)
	require.Equal(t, 2, strings.Count(s.Log.String(), `"account_id":"`+a.ID+`"`), "the sign-in, and the request after it")
	require.NotContains(t, s.Log.String(), c.Email)
	require.Equal(t, domain.Pro, a.Plan)
}

// TestNoSiteHasAHoldOnThePages holds that no other site's page can frame a page, keep a
// window of it, or have it run a text as a script.
func TestNoSiteHasAHoldOnThePages(t *testing.T) {
	t.Parallel()
	s := Start(t, Options{})
	for _, path := range []string{"/", "/docs", "/app", "/app/sign-in", "/app/keys", "/app/nothing"} {
		a := s.Get(t, path)
		policy := a.Header.Get("Content-Security-Policy")
		for _, directive := range []string{"default-src 'none'", "frame-ancestors 'none'", "base-uri 'none'", "require-trusted-types-for 'script'", "trusted-types 'none'"} {
			require.Contains(t, policy, directive, path)
		}
		require.NotContains(t, policy, "unsafe", path)
		require.Equal(t, "same-origin", a.Header.Get("Cross-Origin-Opener-Policy"), path)
		require.Equal(t, "nosniff", a.Header.Get("X-Content-Type-Options"), path)
		require.Equal(t, "no-referrer", a.Header.Get("Referrer-Policy"), path)
	}
}

// TestAnEndedSessionIsTold holds that nobody whose session has ended becomes a visitor without
// knowing: what they send would not be stored. The browser forgets the cookie then.
func TestAnEndedSessionIsTold(t *testing.T) {
	t.Parallel()
	s := Start(t, Options{})
	c := s.Account(t)
	b := c.SignIn(t)
	form := Small().Form(t)
	require.Equal(t, http.StatusOK, b.SendForm(t, "/app/api/reconcile", form).Status)
	s.Clock.Advance(domain.SessionIdle)
	for _, route := range []string{"inspect", "reconcile", "document"} {
		a := b.SendForm(t, "/app/api/"+route, form)
		a.RefusedPage(t, http.StatusUnauthorized, "session", "")
		require.Equal(t, -1, a.cookies()["milaan"].MaxAge, "the browser forgets the cookie")
	}
	require.Equal(t, 1, s.Runs(t))
	me := b.Get(t, "/app/api/me")
	require.Contains(t, string(me.Body), `"visitor":"local"`)
	require.Equal(t, -1, me.cookies()["milaan"].MaxAge)
	require.Equal(t, http.StatusOK, s.Browser().SendForm(t, "/app/api/reconcile", form).Status, "and is a visitor from then on")
}

// TestAPageThatHadASessionIsNoVisitor holds that a page whose session was ended in another tab,
// so that its browser has no cookie any more, is told so each time, and not served as a visitor.
func TestAPageThatHadASessionIsNoVisitor(t *testing.T) {
	t.Parallel()
	s := Start(t, Options{})
	form := Small().Form(t)
	b := s.Browser()
	for _, route := range []string{"inspect", "reconcile", "document", "reconcile"} {
		b.SendForm(t, "/app/api/"+route, form, "X-Session", "expected").RefusedPage(t, http.StatusUnauthorized, "session", "")
	}
	require.Contains(t, string(b.Get(t, "/app/api/me", "X-Session", "expected").Body), `"visitor":"local"`)
	require.Equal(t, http.StatusOK, b.SendForm(t, "/app/api/reconcile", form).Status, "a visitor is served as ever")
}
