package service

import (
	"bytes"
	"cmp"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"milaan/config"
	"milaan/domain"
)

// works is the part of GET /app/api/me that says for whom somebody works.
type works struct {
	Person   string `json:"person"`
	Role     string `json:"role"`
	Accounts []struct {
		ID    string `json:"id"`
		Email string `json:"email"`
		Role  string `json:"role"`
	} `json:"accounts"`
	Setup *struct {
		Phone        bool `json:"phone"`
		Subscription bool `json:"subscription"`
	} `json:"setup"`
	Account *struct {
		Email        string `json:"email"`
		Plan         string `json:"plan"`
		Subscription string `json:"subscription"`
	} `json:"account"`
	SignUp bool `json:"sign_up"`
}

func (b *Browser) works(t testing.TB) (w works) {
	t.Helper()
	b.Get(t, "/app/api/me").JSON(t, &w)
	return w
}

// people are the addresses and roles of who works for the account, and who is invited.
func (c *Customer) people(t testing.TB) (all []string) {
	t.Helper()
	var listed struct {
		People, Invitations []struct{ ID, Email, Role string }
	}
	c.SignInTo(t, c.Email).Get(t, "/app/api/account/people").JSON(t, &listed)
	for _, p := range listed.People {
		all = append(all, p.Email+" "+p.Role)
	}
	for _, i := range listed.Invitations {
		all = append(all, i.Email+" "+i.Role+" invited")
	}
	return all
}

// idOf is the id of a person or an invitation.
func (c *Customer) idOf(t testing.TB, email string) string {
	t.Helper()
	var listed struct {
		People, Invitations []struct{ ID, Email string }
	}
	c.SignInTo(t, c.Email).Get(t, "/app/api/account/people").JSON(t, &listed)
	for _, p := range append(listed.People, listed.Invitations...) {
		if p.Email == email {
			return p.ID
		}
	}
	require.Fail(t, "no such person", email)
	return ""
}

// TestLinksAreNotOfTheCaller holds that no link leads to a server whose name somebody has sent
// as Host: who opens an invitation hands its token to the server that the link names.
func TestLinksAreNotOfTheCaller(t *testing.T) {
	t.Parallel()
	const elsewhere = "elsewhere.example"
	owner := func(t *testing.T, s *Service, base string) {
		t.Helper()
		c := s.Account(t)
		ask := func(method, path string, body Body, header ...string) string {
			r := s.Request(t, method, path, bytes.NewReader(encoded(t, body)), append(header, "Content-Type", "application/json")...)
			r.Host = elsewhere
			a := s.Do(t, r)
			require.Less(t, a.Status, 300, string(a.Body))
			require.False(t, bytes.Contains(a.Body, []byte(elsewhere)), path)
			return string(a.Body)
		}
		page := []string{"Cookie", c.SignIn(t, s.header...).cookie, "Sec-Fetch-Site", "same-origin"}
		require.Contains(t, ask("POST", "/app/api/account/people", Body{"email": "one@books.example", "role": "reader"}, page...), `"link":"`+base+`/app/invitation#token=`)
		require.Contains(t, ask("POST", "/account/people", Body{"email": "two@books.example", "role": "reader"}, "Authorization", "Bearer "+c.Session(t)), `"link":"`+base+`/app/invitation#token=`)
		require.Contains(t, ask("GET", "/app/api/me", nil, page...), `"base_url":"`+base+`"`)
		require.True(t, strings.Contains(ask("GET", "/", nil), "curl "+cmp.Or(base, "https://milaan.example")+"/demo"))
	}
	t.Run("the bound address", func(t *testing.T) {
		s := Start(t, Options{})
		owner(t, s, s.URL)
	})
	t.Run("the address that is set", func(t *testing.T) {
		owner(t, Start(t, Options{Settings: func(c *config.Config) { c.HTTP.PublicURL = "https://milaan.shop.example/" }}), "https://milaan.shop.example")
	})
	t.Run("the page knows it where the service does not", func(t *testing.T) {
		s := Start(t, Options{Settings: func(c *config.Config) {
			c.HTTP.TrustedProxies = config.Networks{netip.MustParsePrefix("127.0.0.1/32")}
		}})
		s.header = []string{"X-Forwarded-Proto", "https"}
		owner(t, s, "")
	})
	t.Run("the identity provider sends people back to the service", func(t *testing.T) {
		p := startAtProvider(t)
		r := p.Request(t, "GET", "/app/api/sign-in/oidc", nil)
		r.Host = elsewhere
		a := p.Do(t, r)
		require.Equal(t, http.StatusFound, a.Status)
		to, err := url.Parse(a.Header.Get("Location"))
		require.NoError(t, err)
		require.Equal(t, p.URL+"/app/sign-in/callback", to.Query().Get("redirect_uri"))
	})
}

// skipMinutes gives each request a new minute, so that no rate of sign-ins is met.
func (s *Service) skipMinutes() { s.Clock.Advance(2 * time.Minute) }

// TestPeopleJoin holds what becomes of an invitation, where people sign in by links.
func TestPeopleJoin(t *testing.T) {
	onBoth(t, func(t *testing.T, db database) {
		s := Start(t, Options{DatabaseURL: db(t)})
		c := s.Account(t)
		t.Run("an invitation is looked at and accepted", func(t *testing.T) {
			s.skipMinutes()
			token := c.invited(t, " CA@Books.example", "accountant")
			require.Equal(t, []string{c.Email + " owner", "ca@books.example accountant invited"}, c.people(t))
			b := s.Browser()
			seen := fields(t, b.Send(t, http.MethodPost, "/app/api/invitation", Body{"token": token}).Body)
			require.Equal(t, map[string]any{"account": c.Email, "email": "ca@books.example", "role": "accountant", "until": seen["until"]}, seen, "nothing else of the account")
			require.JSONEq(t, `{"accepted":true,"sign_in":null}`, string(b.accept(t, token).Body))
			w := b.works(t)
			require.Equal(t, "ca@books.example", w.Person)
			require.Equal(t, "accountant", w.Role)
			require.Equal(t, c.Email, w.Account.Email)
			require.Len(t, w.Accounts, 1)
			require.Equal(t, []string{c.Email + " owner", "ca@books.example accountant"}, c.people(t))
			require.Subset(t, c.securityLog(t), []string{"invitation_made accountant dashboard", "member_added accountant invitation", "signed_in invitation invitation"})
			for _, table := range []string{"invitations", "members", "sessions", "security_events"} {
				for _, row := range s.Query(t, "SELECT * FROM "+table) {
					require.NotContains(t, strings.Join(row, " "), token)
				}
			}
		})
		t.Run("a changed role holds at the next request", func(t *testing.T) {
			s.skipMinutes()
			m := c.member(t, domain.Accountant)
			b, owner, path := m.SignIn(t), c.SignIn(t), "/app/api/account/people/"+c.idOf(t, m.Email)
			b.Get(t, "/app/api/mappings").JSON(t, new(map[string]any))
			require.Equal(t, http.StatusNoContent, owner.Send(t, http.MethodPatch, path, Body{"role": "reader"}).Status)
			b.Get(t, "/app/api/mappings").RefusedPage(t, 403, "role", "")
			require.Equal(t, http.StatusNoContent, owner.Send(t, http.MethodPatch, path, Body{"role": "owner"}).Status)
			require.Equal(t, http.StatusOK, b.Get(t, "/app/api/account/people").Status)
			owner.Send(t, http.MethodPatch, path, Body{"role": "admin"}).RefusedPage(t, 400, "field_invalid", "role")
		})
		t.Run("a removed member is out at once", func(t *testing.T) {
			s.skipMinutes()
			m := c.member(t, domain.Owner)
			b, again := m.SignIn(t), m.SignIn(t)
			token := m.Session(t)
			require.Equal(t, http.StatusNoContent, c.SignIn(t).Send(t, http.MethodDelete, "/app/api/account/people/"+c.idOf(t, m.Email), nil).Status)
			for _, out := range []*Browser{b, again} {
				out.Get(t, "/app/api/runs").RefusedPage(t, 401, "session", "")
				require.Empty(t, out.signedInAs(t))
			}
			s.IssueKey(t, token).Refused(t, 403, "account setup incomplete")
			_, err := s.Links.Link(t.Context(), m.Email, "")
			require.ErrorIs(t, err, domain.ErrNoAccount)
		})
		t.Run("somebody may leave, but not who has the account's own address", func(t *testing.T) {
			s.skipMinutes()
			m := c.member(t, domain.Reader)
			b := m.SignIn(t)
			require.Equal(t, http.StatusNoContent, b.Send(t, http.MethodDelete, "/app/api/account/membership", nil).Status)
			require.Empty(t, b.signedInAs(t))
			c.SignIn(t).Send(t, http.MethodDelete, "/app/api/account/membership", nil).RefusedPage(t, 409, "own_address", "")
			require.NotContains(t, strings.Join(c.people(t), ","), m.Email)
		})
		t.Run("a sign-out is the person's, unless an owner says everybody", func(t *testing.T) {
			s.skipMinutes()
			m := c.member(t, domain.Reader)
			theirs, other, owner := m.SignIn(t), m.SignIn(t), c.SignIn(t)
			theirs.Send(t, http.MethodPost, "/app/api/sign-out-everywhere", Body{"everybody": true}).RefusedPage(t, 403, "role", "")
			require.Equal(t, http.StatusNoContent, theirs.Send(t, http.MethodPost, "/app/api/sign-out-everywhere", nil).Status)
			require.Empty(t, other.signedInAs(t))
			require.Equal(t, c.Email, owner.signedInAs(t))
			again := m.SignIn(t)
			require.Equal(t, http.StatusNoContent, owner.Send(t, http.MethodPost, "/app/api/sign-out-everywhere", Body{"everybody": true}).Status)
			require.Empty(t, again.signedInAs(t))
		})
	})
}

// peopleBy asks for the people of an account with a session token; blank: of the one that it stands for.
func (s *Service) peopleBy(t *testing.T, token, account string) Answer {
	t.Helper()
	header := []string{"Authorization", "Bearer " + token}
	if account != "" {
		header = append(header, "X-Account", account)
	}
	return s.Do(t, s.Request(t, http.MethodGet, "/account/people", nil, header...))
}

// TestAnInvitationOfAStrangerChangesNothing holds that whoever invites somebody, and accepts
// that by the link in their place, changes nothing for their programs, lists and sign-ins.
func TestAnInvitationOfAStrangerChangesNothing(t *testing.T) {
	onBoth(t, func(t *testing.T, db database) {
		s := Start(t, Options{DatabaseURL: db(t)})
		stranger, works := s.Account(t), s.Account(t)
		person := &Customer{Email: "asha@people.example", service: s}
		acceptsAs := func(b *Browser, of *Customer) *Browser {
			s.skipMinutes()
			require.Equal(t, http.StatusOK, b.accept(t, of.invited(t, person.Email, "owner")).Status)
			return b
		}
		switchTo := func(b *Browser, account *Customer) Answer {
			s.skipMinutes()
			return b.Send(t, http.MethodPost, "/app/api/account/switch", Body{"account_id": account.id(t)})
		}
		accounts := func(b *Browser) (all []string) {
			for _, a := range b.works(t).Accounts {
				all = append(all, a.Email)
			}
			return all
		}

		// They have no account yet: nor has their token.
		attacker := acceptsAs(s.Browser(), stranger)
		s.peopleBy(t, person.Session(t), "").Refused(t, 403, "your session token does not say which account is meant")
		require.Equal(t, []string{stranger.Email}, accounts(attacker))
		require.Equal(t, http.StatusNoContent, attacker.Send(t, http.MethodDelete, "/app/api/account/membership", nil).Status)

		// They are an owner of one account, which their programs need not name.
		acceptsAs(s.Browser(), works)
		require.Equal(t, works.Email, person.SignInTo(t, works.Email).works(t).Account.Email, "this proves their address")
		token := person.Session(t)
		require.Equal(t, http.StatusOK, s.peopleBy(t, token, "").Status)
		attacker = acceptsAs(s.Browser(), stranger)
		a := s.peopleBy(t, token, "")
		require.Equal(t, http.StatusOK, a.Status, string(a.Body))
		require.Contains(t, string(a.Body), works.Email)
		require.Equal(t, http.StatusOK, s.IssueKey(t, person.Session(t)).Status)
		require.Equal(t, http.StatusOK, s.peopleBy(t, token, stranger.Email).Status, "who names the account means it")
		require.Equal(t, []string{stranger.Email}, accounts(attacker))
		switchTo(attacker, works).RefusedPage(t, 403, "not_a_member", "")
		b := person.SignIn(t)
		require.Equal(t, []string{works.Email}, accounts(b))
		require.Equal(t, works.Email, b.works(t).Account.Email)
		switchTo(b, stranger).RefusedPage(t, 403, "not_a_member", "")

		// It counts once they have proved their address to the account themselves.
		s.skipMinutes()
		require.Equal(t, stranger.Email, person.SignInTo(t, stranger.Email).works(t).Account.Email)
		s.peopleBy(t, token, "").Refused(t, 403, "your session token does not say which account is meant")
		require.Len(t, accounts(b), 2)
		require.Equal(t, http.StatusNoContent, switchTo(b, stranger).Status)
	})
}

// Who accepts an invitation in a browser in which they have signed in proves their address.
func TestAnInvitationAcceptedByItsPersonCounts(t *testing.T) {
	t.Parallel()
	s := Start(t, Options{})
	own, other := s.Account(t), s.Account(t)
	b := own.SignIn(t)
	require.Equal(t, http.StatusOK, b.accept(t, other.invited(t, own.Email, "owner")).Status)
	require.Len(t, b.works(t).Accounts, 2)
	require.Len(t, own.SignIn(t).works(t).Accounts, 2)

	s.skipMinutes()
	link := s.Browser()
	for range 2 { // the session that the first link has begun proves nothing to the second one
		require.Equal(t, http.StatusOK, link.accept(t, s.Account(t).invited(t, own.Email, "reader")).Status)
	}
	require.Len(t, link.works(t).Accounts, 1)
	require.Len(t, b.works(t).Accounts, 2)
}

// TestPeopleWithSeveralAccounts holds what a person may reach, and by which way.
func TestPeopleWithSeveralAccounts(t *testing.T) {
	t.Parallel()
	s := Start(t, Options{})
	own, other, strange := s.Customer(t), s.Customer(t), s.Account(t)
	joins := func(to *Customer, email, role string) *Browser {
		s.skipMinutes()
		b := s.Browser()
		require.Equal(t, http.StatusOK, b.accept(t, to.invited(t, email, role)).Status)
		return b
	}
	confined := joins(other, own.Email, "reader")
	b := own.SignIn(t)
	idOf := func(email string) string {
		for _, a := range b.works(t).Accounts {
			if a.Email == email {
				return a.ID
			}
		}
		return s.Query(t, "SELECT id FROM accounts WHERE email = '"+email+"'")[0][0]
	}
	t.Run("a session that an invitation's link has begun stays in its account", func(t *testing.T) {
		require.Equal(t, own.Email, confined.works(t).Person)
		require.Len(t, confined.works(t).Accounts, 1)
		again := confined.Send(t, http.MethodPost, "/app/api/account/switch", Body{"account_id": confined.works(t).Accounts[0].ID})
		require.Equal(t, http.StatusNoContent, again.Status)
		confined.cookie = "milaan=" + again.cookies()["milaan"].Value
		s.secrets.Store(again.cookies()["milaan"].Value, true)
		confined.Send(t, http.MethodPost, "/app/api/account/switch", Body{"account_id": idOf(own.Email)}).RefusedPage(t, 403, "not_a_member", "")
		require.Equal(t, http.StatusNoContent, confined.Send(t, http.MethodPost, "/app/api/sign-out-everywhere", nil).Status)
		require.Equal(t, own.Email, b.works(t).Account.Email, "whoever has the link does not end the person's own sessions")
	})
	t.Run("a person goes from one account to another", func(t *testing.T) {
		s.skipMinutes()
		require.Equal(t, own.Email, own.SignIn(t).works(t).Account.Email, "the link's session is not what they have used last")
		require.Len(t, b.works(t).Accounts, 1, "nor does it prove that they have joined")
		own.SignInTo(t, other.Email)
		require.Len(t, b.works(t).Accounts, 2)
		former := b.cookie
		a := b.Send(t, http.MethodPost, "/app/api/account/switch", Body{"account_id": idOf(other.Email)})
		require.Equal(t, http.StatusNoContent, a.Status)
		b.cookie = "milaan=" + a.cookies()["milaan"].Value
		s.secrets.Store(a.cookies()["milaan"].Value, true)
		require.NotEqual(t, former, b.cookie)
		require.Empty(t, (&Browser{service: s, cookie: former}).signedInAs(t))
		w := b.works(t)
		require.Equal(t, other.Email, w.Account.Email)
		require.Equal(t, "reader", w.Role)
		require.Equal(t, other.Email, own.SignIn(t).works(t).Account.Email, "the account that they used last")
		for _, id := range []string{idOf(strange.Email), "", "x"} {
			b.Send(t, http.MethodPost, "/app/api/account/switch", Body{"account_id": id}).RefusedPage(t, 403, "not_a_member", "")
		}
	})
	t.Run("a session token stands for one account", func(t *testing.T) {
		s.skipMinutes()
		firstOf := func(a Answer) string {
			listed := answered[struct{ People []struct{ Email string } }](t, a)
			return listed.People[0].Email
		}
		token := own.Session(t)
		require.Equal(t, own.Email, firstOf(s.peopleBy(t, token, "")), "their own")
		require.Equal(t, own.Email, firstOf(s.peopleBy(t, token, strings.ToUpper(own.Email))))
		s.peopleBy(t, token, other.Email).Refused(t, 403, "your role in this account")
		s.peopleBy(t, token, strange.Email).Refused(t, 403, "you do not work for such an account")
		s.peopleBy(t, token, "nobody@shop.example").Refused(t, 403, "you do not work for such an account")
		s.peopleBy(t, own.Key, "").Refused(t, 401, "an API key cannot issue keys or manage the account")
		s.peopleBy(t, "", "").Refused(t, 401, "session token missing")

		somebody := &Customer{Email: "somebody@people.example", service: s}
		joins(other, somebody.Email, "owner")
		somebody.SignIn(t)
		joins(strange, somebody.Email, "accountant")
		somebody.SignInTo(t, strange.Email)
		require.Equal(t, other.Email, firstOf(s.peopleBy(t, somebody.Session(t), "")), "the only one of which they are an owner")
		joins(own, somebody.Email, "owner")
		somebody.SignInTo(t, own.Email)
		s.peopleBy(t, somebody.Session(t), "").Refused(t, 403, "your session token does not say which account is meant")
		require.Equal(t, own.Email, firstOf(s.peopleBy(t, somebody.Session(t), own.Email)))
		a := s.Do(t, s.Request(t, http.MethodPost, "/generate-api-key", strings.NewReader("{}"), "Authorization", "Bearer "+somebody.Session(t),
			"Content-Type", "application/json", "X-Account", own.Email))
		issued := decoded[IssuedKey](t, a.Body)
		s.secrets.Store(issued.Key, true)
		s.Reconcile(t, own.Key, Small()).Refused(t, 401, "API key missing")
		require.Equal(t, http.StatusOK, s.Reconcile(t, issued.Key, Small()).Status)

		sandboxKey := func(account string) Answer {
			return s.Post(t, "/generate-sandbox-key", somebody.Session(t), nil, "X-Account", account)
		}
		sandboxKey("").Refused(t, 403, "your session token does not say which account is meant")
		sandboxKey("nobody@shop.example").Refused(t, 403, "you do not work for such an account")
		var first, second IssuedKey
		sandboxKey(own.Email).JSON(t, &first)
		sandboxKey(strings.ToUpper(other.Email)).JSON(t, &second)
		for account, issued := range map[*Customer]IssuedKey{own: first, other: second} {
			s.secrets.Store(issued.Key, true)
			require.Equal(t, http.StatusOK, s.Reconcile(t, issued.Key, Small()).Status, "each account has one of its own")
			require.Equal(t, [][]string{{issued.Prefix}}, s.Query(t, "SELECT prefix FROM api_keys WHERE kind = 'sandbox' AND account_id = '"+account.id(t)+"'"))
		}
		reader := own.member(t, domain.Reader)
		s.IssueKey(t, reader.Session(t)).Refused(t, 403, "your session token does not say which account is meant")
		s.IssueSandboxKey(t, reader.Session(t)).Refused(t, 403, "your session token does not say which account is meant")
	})
}

// TestInvitationsAttacked holds what somebody gets who has no invitation, or one that is not
// theirs any more.
func TestInvitationsAttacked(t *testing.T) {
	t.Parallel()
	s := Start(t, Options{})
	c, other := s.Account(t), s.Account(t)
	refused := func(token string) {
		t.Helper()
		s.skipMinutes()
		for _, path := range []string{"/app/api/invitation", "/app/api/invitation/accept"} {
			a := s.Browser().Send(t, http.MethodPost, path, Body{"token": token})
			a.RefusedPage(t, 404, "invitation_invalid", "")
			require.Empty(t, a.cookies())
		}
	}
	token := c.invited(t, "ca@books.example", "owner")
	id := c.idOf(t, "ca@books.example")
	for _, odd := range []string{"", "x", token[1:], token + "A", token[:42] + "!", strings.Repeat("A", 43), strings.Repeat("A", 60000), id, c.Session(t)} {
		refused(odd)
	}
	flipped := "A" + token[1:]
	if flipped == token {
		flipped = "B" + token[1:]
	}
	refused(flipped)

	s.skipMinutes()
	theirs := other.SignIn(t)
	for _, method := range []string{http.MethodPatch, http.MethodDelete} {
		theirs.Send(t, method, "/app/api/account/people/"+id, Body{"role": "owner"}).RefusedPage(t, 404, "member_missing", "")
	}
	again := c.invited(t, "CA@books.example", "reader")
	refused(token)
	require.Equal(t, []string{c.Email + " owner", "ca@books.example reader invited"}, c.people(t), "the later one took its place")
	require.Equal(t, http.StatusNoContent, c.SignIn(t).Send(t, http.MethodDelete, "/app/api/account/people/"+c.idOf(t, "ca@books.example"), nil).Status)
	refused(again)

	late := c.invited(t, "late@people.example", "reader")
	s.Clock.Advance(domain.InvitationLimit)
	refused(late)
	require.Equal(t, []string{c.Email + " owner"}, c.people(t))

	s.skipMinutes()
	b := c.SignIn(t)
	for _, odd := range []struct {
		body   Body
		status int
		code   string
	}{
		{Body{"email": c.Email, "role": "reader"}, 409, "own_address"}, {Body{"email": "x", "role": "reader"}, 400, "field_invalid"},
		{Body{"email": "a@b.example\r\nBcc: c@d.example", "role": "reader"}, 400, "field_invalid"}, {Body{"email": "a@b.example", "role": "Owner"}, 400, "field_invalid"},
		{Body{"email": "a@b.example\u200b", "role": "reader"}, 400, "field_invalid"},
		{Body{"email": "a@b.example"}, 400, "field_invalid"}, {Body{"email": []string{"a@b.example"}, "role": "owner"}, 400, "body_invalid"},
	} {
		a := b.Send(t, http.MethodPost, "/app/api/account/people", odd.body)
		require.Equal(t, odd.status, a.Status, string(a.Body))
		require.Equal(t, odd.code, a.Code())
	}
	guesser := s.Browser()
	for range domain.SignInRate.Limit {
		s.Browser().Send(t, http.MethodPost, "/app/api/invitation", Body{"token": strings.Repeat("A", 43)})
	}
	guesser.Send(t, http.MethodPost, "/app/api/invitation/accept", Body{"token": late}).RefusedPage(t, 429, "rate_limited", "")
	s.skipMinutes()
	crossing := c.invited(t, "crossing@people.example", "reader")
	s.Browser().Send(t, http.MethodPost, "/app/api/invitation/accept", Body{"token": crossing}, "Sec-Fetch-Site", "cross-site").RefusedPage(t, 403, "cross_origin", "")
	made := 0
	for b = other.SignIn(t); made <= domain.MaxInvitations; made++ {
		a := b.Send(t, http.MethodPost, "/app/api/account/people", Body{"email": "one@people.example", "role": "reader"})
		if a.Status == http.StatusTooManyRequests {
			require.Equal(t, "too_many_invitations", a.Code())
			break
		}
		require.Equal(t, http.StatusCreated, a.Status, string(a.Body))
	}
	require.Equal(t, domain.MaxInvitations, made)
	require.NotContains(t, s.Log.String(), "@people.example")
	require.NotContains(t, s.Log.String(), "@books.example")
}
