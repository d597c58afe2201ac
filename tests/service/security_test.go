package service

import (
	"encoding/csv"
	"encoding/json"
	"net/http"
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"milaan/config"
	"milaan/domain"
	"milaan/tests/only"
)

// securityLine is a line of a security log as it is downloaded.
type securityLine struct{ At, Kind, Detail, Via, Actor, Whom, Address string }

// TestTheSecurityLogNamesWhoDidWhatToWhom holds what owners learn of what was done for their account:
// by whom, to whom, from which address; and that nobody else does.
func TestTheSecurityLogNamesWhoDidWhatToWhom(t *testing.T) {
	onBoth(t, func(t *testing.T, db database) {
		s := Start(t, Options{DatabaseURL: db(t), Settings: func(c *config.Config) {
			OnLoopback(c)
			c.HTTP.TrustedProxies = config.Networks{netip.MustParsePrefix("127.0.0.1/32")}
		}})
		s.header = []string{"X-Forwarded-Proto", "https"}
		from := func(address string) []string { return []string{"X-Forwarded-For", "198.51.100.9, " + address} } // the first one is the client's own invention
		c, other := s.Account(t, OnPlan(domain.Enterprise)), s.Account(t)
		const home, elsewhere = "2001:db8:1:2:3:4:5:6", "203.0.113.7"
		owner := c.SignIn(t, from(home)...)
		ok := func(a Answer) { require.Less(t, a.Status, 300, string(a.Body)) }

		token := c.invited(t, "asha@books.example", "accountant")
		member := s.Browser(from(elsewhere)...)
		member.accept(t, token)
		ok(owner.Send(t, http.MethodPatch, "/app/api/account/people/"+c.idOf(t, "asha@books.example"), Body{"role": "reader"}))
		member.Send(t, http.MethodPost, "/app/api/key", Body{"replaces": ""}).RefusedPage(t, 403, "role", "")
		key := answered[IssuedKey](t, owner.Send(t, http.MethodPost, "/app/api/key", Body{"replaces": ""}))
		s.secrets.Store(key.Key, true)
		ok(owner.Send(t, http.MethodDelete, "/app/api/key", Body{"prefix": key.Prefix}))
		s.Post(t, "/reconcile", key.Key, encoded(t, Small()), from(elsewhere)...).Refused(t, 401, "API key missing")
		ok(owner.Send(t, http.MethodDelete, "/app/api/account/people/"+c.idOf(t, "asha@books.example"), nil))
		require.NoError(t, only.Err(s.Links.Link(t.Context(), c.Email, "")))

		whole := func(b *Browser) (lines []securityLine) {
			a := b.Get(t, "/app/api/security/download?format=json")
			require.Contains(t, a.Header.Get("Content-Disposition"), `filename="milaan-security-2026-11-`)
			require.NoError(t, json.Unmarshal(a.Body, &lines))
			return lines
		}
		lines := whole(owner)
		find := func(kind string) (found securityLine) {
			for _, l := range lines {
				if l.Kind == kind {
					found = l
				}
			}
			require.NotEmpty(t, found.At, kind)
			found.At = ""
			return found
		}
		for _, want := range []securityLine{
			{Kind: "invitation_made", Detail: "accountant", Via: "dashboard", Actor: c.Email, Whom: "asha@books.example", Address: find("invitation_made").Address},
			{Kind: "member_added", Detail: "accountant", Via: "invitation", Whom: "asha@books.example", Address: elsewhere},
			{Kind: "member_changed", Detail: "reader", Via: "dashboard", Actor: c.Email, Whom: "asha@books.example", Address: home},
			{Kind: "refused_by_role", Detail: "POST /app/api/key", Via: "invitation", Actor: "asha@books.example", Address: elsewhere},
			{Kind: "key_issued", Detail: key.Prefix, Via: "dashboard", Actor: c.Email, Address: home},
			{Kind: "key_revoked", Detail: key.Prefix, Via: "dashboard", Actor: c.Email, Address: home},
			{Kind: "revoked_key_used", Detail: key.Prefix, Via: "api", Actor: key.Prefix, Address: elsewhere},
			{Kind: "member_removed", Detail: "reader", Via: "dashboard", Actor: c.Email, Whom: "asha@books.example", Address: home},
			{Kind: "sign_in_link_made", Via: "command_line", Whom: c.Email},
		} {
			require.Equal(t, want, find(want.Kind))
		}
		for i, l := range lines[1:] {
			require.Less(t, lines[i].At, l.At+"Z", "the oldest first")
		}

		for _, b := range []*Browser{other.SignIn(t), s.Browser()} {
			text := string(b.Get(t, "/app/api/security/download?format=csv").Body) + string(b.Get(t, "/app/api/security").Body)
			for _, theirs := range []string{"asha@books.example", c.Email, home, elsewhere, key.Prefix} {
				require.NotContains(t, text, theirs)
			}
		}
		for _, row := range s.Query(t, "SELECT * FROM security_events") {
			for _, personal := range []string{".example", home, elsewhere} {
				require.NotContains(t, strings.Join(row, " "), personal, "it is sealed")
			}
		}
		require.NotContains(t, s.Log.String(), "asha@books.example")
		require.NotContains(t, s.Log.String(), home)
		require.Contains(t, string(owner.Get(t, "/app/api/account/export").Body), `"whom":"asha@books.example","address":"`+home+`"`)
	})
}

// A download as CSV is no program for a spreadsheet, and what the log has of refusals is bounded.
func TestTheSecurityLogAsAFile(t *testing.T) {
	t.Parallel()
	s := Start(t, Options{Settings: OnLoopback})
	c := s.Account(t, OnPlan(domain.Enterprise))
	owner := c.SignIn(t)
	a := owner.Send(t, http.MethodPost, "/app/api/account/people", Body{"email": "=cmd|calc@books.example", "role": "reader"})
	require.Equal(t, http.StatusCreated, a.Status, string(a.Body))
	download := owner.Get(t, "/app/api/security/download")
	require.Equal(t, "text/csv; charset=utf-8", download.Header.Get("Content-Type"))
	rows := only.Value(csv.NewReader(strings.NewReader(strings.TrimPrefix(string(download.Body), "\ufeff"))).ReadAll())(t)
	require.Equal(t, []string{"at", "kind", "actor", "via", "whom", "detail", "address"}, rows[0])
	last := rows[len(rows)-1]
	require.Equal(t, []string{"invitation_made", c.Email, "dashboard", "'=cmd|calc@books.example", "reader", "127.0.0.1"}, last[1:])
	owner.Get(t, "/app/api/security/download?format=xlsx").RefusedPage(t, 400, "field_invalid", "format")

	revoked := s.Customer(t)
	gone := revoked.Key
	revoked.Rotate(t)
	refused := func() int {
		return len(s.Query(t, "SELECT e.id FROM security_events e JOIN accounts a ON a.id = e.account_id WHERE e.kind = 'revoked_key_used' AND a.email = '"+revoked.Email+"'"))
	}
	for range 30 {
		s.Reconcile(t, gone, Small()).Refused(t, 401, "API key missing")
	}
	require.Equal(t, 20, refused())
	reader := revoked.member(t, domain.Reader)
	reader.SignInTo(t, revoked.Email).Send(t, http.MethodPost, "/app/api/key", Body{"replaces": ""}).RefusedPage(t, 403, "role", "")
	require.Contains(t, revoked.securityLog(t), "refused_by_role POST /app/api/key dashboard", "they keep no other refusal out of the log")
	s.Clock.Advance(25 * time.Hour)
	s.Reconcile(t, gone, Small()).Refused(t, 401, "API key missing")
	require.Equal(t, 21, refused())
}
