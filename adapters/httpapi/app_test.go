package httpapi

import (
	"encoding/json"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"testing"

	"github.com/gin-gonic/gin"
	"github.com/stretchr/testify/require"

	"milaan/adapters/httpapi/dashboard"
	"milaan/domain"
	"milaan/tests/only"
)

// guarded is a service whose dashboard has a route of each kind.
func guarded(t *testing.T, change func(*Settings)) *service {
	t.Helper()
	return start(t, change, func(routes dashboard.Routes) {
		answer := func(c *gin.Context, by dashboard.By) error {
			name := "nobody"
			if by.Account != nil {
				name = by.Account.ID
			}
			c.String(http.StatusOK, name)
			return nil
		}
		for _, method := range []string{http.MethodGet, http.MethodPost} {
			routes.Anyone(method, "/api/test/anyone", answer)
			routes.AccountOrVisitor(method, "/api/test/visitor", domain.Owner, answer)
			routes.Account(method, "/api/test/account", domain.Owner, answer)
		}
	})
}

// sent is one request, and what it is answered with.
type sent struct {
	method, path string
	header       []string
	status       int
	body         string // or the code of the error
}

func (s *service) demandAnswers(t *testing.T, all map[string]sent) {
	t.Helper()
	for name, want := range all {
		t.Run(name, func(t *testing.T) {
			got := s.call(t, want.method, "/app/api/test/"+want.path, want.header...)
			require.Equal(t, want.status, got.status, got.body)
			require.Equal(t, "no-store", got.header.Get("Cache-Control"))
			require.Contains(t, got.header.Get("Content-Security-Policy"), "frame-ancestors 'none'")
			if want.status == http.StatusOK {
				require.Equal(t, want.body, got.body)
				return
			}
			var refused struct{ Error, Code string }
			require.NoError(t, json.Unmarshal([]byte(got.body), &refused))
			require.NotEmpty(t, refused.Error)
			require.Equal(t, want.body, refused.Code)
			require.Empty(t, got.header.Get("WWW-Authenticate"))
		})
	}
}

func TestWhoMayAskForWhat(t *testing.T) {
	t.Parallel()
	cookie := []string{"Cookie", "milaan=" + signedIn}
	page := []string{"Sec-Fetch-Site", "same-origin"}
	guarded(t, nil).demandAnswers(t, map[string]sent{
		"anyone":                       {http.MethodGet, "anyone", nil, 200, "nobody"},
		"anyone is not looked for":     {http.MethodGet, "anyone", cookie, 200, "nobody"},
		"an account":                   {http.MethodGet, "account", cookie, 200, "account-1"},
		"an account as a visitor":      {http.MethodGet, "visitor", cookie, 200, "account-1"},
		"a visitor":                    {http.MethodGet, "visitor", nil, 200, "nobody"},
		"a visitor is no account":      {http.MethodGet, "account", nil, 401, "session"},
		"a session that is not":        {http.MethodGet, "account", []string{"Cookie", "milaan=other"}, 401, "session"},
		"the same cookie twice":        {http.MethodGet, "account", []string{"Cookie", "milaan=" + signedIn + "; milaan=" + signedIn}, 401, "session"},
		"a cookie of HTTPS over HTTP":  {http.MethodGet, "account", []string{"Cookie", "__Host-milaan=" + signedIn}, 401, "session"},
		"a key":                        {http.MethodGet, "account", append(cookie, "Authorization", "Bearer "+goodKey), 401, "session"},
		"a key of anyone":              {http.MethodGet, "anyone", []string{"Authorization", "bearer x"}, 401, "session"},
		"a change by a page":           {http.MethodPost, "account", append(cookie, page...), 200, "account-1"},
		"a change by nobody's page":    {http.MethodPost, "account", cookie, 403, "cross_origin"},
		"a visitor's change":           {http.MethodPost, "visitor", page, 200, "nobody"},
		"a visitor without a page":     {http.MethodPost, "visitor", nil, 403, "cross_origin"},
		"a change by another site":     {http.MethodPost, "account", append(cookie, "Sec-Fetch-Site", "cross-site"), 403, "cross_origin"},
		"a change by another port":     {http.MethodPost, "visitor", []string{"Sec-Fetch-Site", "same-site"}, 403, "cross_origin"},
		"a change by another origin":   {http.MethodPost, "visitor", []string{"Origin", "https://elsewhere.example"}, 403, "cross_origin"},
		"a change by a hidden origin":  {http.MethodPost, "visitor", []string{"Origin", "null"}, 403, "cross_origin"},
		"behind an undeclared proxy":   {http.MethodGet, "visitor", []string{"X-Forwarded-For", "203.0.113.7"}, 401, "session"},
		"behind an undeclared proxy 2": {http.MethodGet, "visitor", []string{"Forwarded", "for=203.0.113.7"}, 401, "session"},
	})
}

func TestThePagesHaveErrorsOfTheirOwn(t *testing.T) {
	t.Parallel()
	s := guarded(t, nil)
	for path, code := range map[string]string{"/app/api/nothing": "route_missing", "/app/api/sign-out": "method_not_allowed"} {
		var refused struct{ Error, Code string }
		require.NoError(t, json.Unmarshal([]byte(s.call(t, http.MethodGet, path).body), &refused))
		require.Equal(t, code, refused.Code)
	}
	require.NotContains(t, s.call(t, http.MethodGet, "/apple").body, `"code"`)
}

// TestTheVisitorIsOnThisMachine holds that no name but this machine's makes a visitor, and
// no proxy: a page whose own name leads here is of another origin (DNS rebinding).
func TestTheVisitorIsOnThisMachine(t *testing.T) {
	t.Parallel()
	s := guarded(t, nil)
	_, port, _ := strings.Cut(s.server.Addr().String(), ":")
	for host, status := range map[string]int{
		"localhost:" + port: 200, "LOCALHOST": 200, "127.0.0.1:" + port: 200, "127.7.7.7": 200, "[::1]:" + port: 200, "[::1]": 200, "[::ffff:127.0.0.1]:1": 200,
		"rebound.example:" + port: 401, "localhost.rebound.example": 401, "127.0.0.1.rebound.example": 401, "app.localhost": 401, "localhost.": 401,
		"0.0.0.0:" + port: 401, "[::]": 401, "192.168.1.7": 401, "127.1": 401, "2130706433": 401,
	} {
		r := only.Value(http.NewRequestWithContext(t.Context(), http.MethodGet, s.url("/app/api/test/visitor"), nil))(t)
		r.Host = host
		require.Equal(t, status, do(t, r).status, host)
	}
	for origin, status := range map[string]int{"": 200, "http://127.0.0.1:" + port: 200, "https://localhost": 200, "https://milaan.example": 401, "null": 401, "http://127.0.0.1.rebound.example": 401} {
		require.Equal(t, status, s.call(t, http.MethodGet, "/app/api/test/visitor", "Origin", origin).status, "a proxy may send Host as it calls the service: %q", origin)
	}
	named := guarded(t, func(s *Settings) { s.PublicURL = "https://milaan.example" })
	require.Equal(t, 401, named.call(t, http.MethodGet, "/app/api/test/visitor").status, "others reach the service by its address")
	named = guarded(t, func(s *Settings) { s.PublicURL = "http://localhost:9000" })
	require.Equal(t, 200, named.call(t, http.MethodGet, "/app/api/test/visitor").status)
	behind := guarded(t, func(s *Settings) { s.TrustedProxies = []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8")} })
	require.Equal(t, 401, behind.call(t, http.MethodGet, "/app/api/test/visitor").status)
	behind = guarded(t, func(s *Settings) { s.TrustedProxies = []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")} })
	for header, status := range map[string]int{"": 401, "milaan=" + signedIn: 401, "__Host-milaan=" + signedIn: 200} {
		require.Equal(t, status, behind.call(t, http.MethodGet, "/app/api/test/visitor", "X-Forwarded-Proto", "https", "Cookie", header).status, header)
	}
}

func TestWhereTheDashboardIs(t *testing.T) {
	t.Parallel()
	here := start(t, nil)
	address, visitors := here.server.Dashboard()
	require.Equal(t, here.url("/app"), address)
	require.True(t, visitors)

	proxies := []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}
	address, visitors = start(t, func(s *Settings) { s.TrustedProxies, s.PublicURL = proxies, "https://milaan.example" }).server.Dashboard()
	require.Equal(t, "https://milaan.example/app", address)
	require.False(t, visitors)
	address, visitors = start(t, func(s *Settings) { s.PublicURL = "https://milaan.example" }).server.Dashboard()
	require.Equal(t, "https://milaan.example/app", address)
	require.False(t, visitors)
	named := start(t, func(s *Settings) { s.Addr = "localhost:0" }).server
	address, _ = named.Dashboard()
	_, port := only.Both(net.SplitHostPort(named.Addr().String()))(t)
	require.Equal(t, "http://localhost:"+port+"/app", address, "as the operator calls this machine")
	address, _ = start(t, func(s *Settings) { s.TrustedProxies = proxies }).server.Dashboard()
	require.Empty(t, address, "nobody has said by which address people reach the service")
}

// TestNamesOfTheAPI holds how sentences name what a client of the API can send.
func TestNamesOfTheAPI(t *testing.T) {
	require.Equal(t, `courier file (courier), line 3: no column was found for awb (looked for AWB); the header found is: a; `+
		`rename the column, or send courierName "custom" with columns {"awb": "its name"}`, said(&domain.FileError{
		File: domain.CourierFile, Rule: domain.RuleNoColumn, Line: 3, Roles: []domain.Role{domain.RoleAWB}, LookedFor: [][]string{{"AWB"}}, Found: []string{"a"},
	}))
	require.Contains(t, said(&domain.FileError{File: domain.StorefrontFile, Rule: domain.RuleAmount, Line: 2, Column: "Total", Value: "12x"}),
		`storefront file (shopify), line 2, column "Total": "12x" is not an amount`)
	require.Contains(t, said(&domain.FileError{File: domain.LedgerFile, Rule: domain.RuleLedgerOrders, Limit: 50000}), "ledger (previous): has more than 50000 orders")
	require.Equal(t, "previous", Names{}.Field(&domain.Fault{Field: domain.FieldPrevious}))
}
