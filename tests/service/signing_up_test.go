package service

import (
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"milaan/app/accounts"
	"milaan/domain"
	"milaan/ports"

	"go.uber.org/fx"
)

// arrivals lets a test admit people as if the identity provider had sent them back.
type arrivals struct{ signing accounts.SigningIn }

// TestSignUp holds that whoever the provider identifies makes one account, if the operator
// allows it, and comes to an invitation's account only with its address.
func TestSignUp(t *testing.T) {
	t.Parallel()
	p := startAtProviderWith(t, true)
	next := func() { p.skipMinutes(); p.provider.FastForward(2 * 60 * 1e9) }

	t.Run("a person makes an account, whose setup is not complete", func(t *testing.T) {
		next()
		b := p.Browser()
		require.True(t, b.works(t).SignUp)
		require.Equal(t, "/app", b.finish(t, p.begin(t, b, "", "New@shop.example", true)).Header.Get("Location"))
		w := b.works(t)
		require.Equal(t, "new@shop.example", w.Account.Email)
		require.Equal(t, "solo incomplete", w.Account.Plan+" "+w.Account.Subscription)
		require.Equal(t, "owner", w.Role)
		require.False(t, w.Setup.Phone)
		require.False(t, w.Setup.Subscription)
		require.Regexp(t, `^signed_up 127\.0\.0\.1:\d+ dashboard$`, (&Customer{Email: "new@shop.example", service: p.Service}).securityLog(t)[0])
		next()
		again := p.Browser()
		again.finish(t, p.begin(t, again, "", "new@shop.example", true))
		require.Equal(t, w.Accounts, again.works(t).Accounts, "the account is there")
	})
	t.Run("an address that is not verified makes none", func(t *testing.T) {
		next()
		b := p.Browser()
		require.Equal(t, "/app/sign-in?failed=setup_incomplete", b.finish(t, p.begin(t, b, "", "unproven@shop.example", false)).Header.Get("Location"))
		require.Empty(t, p.Query(t, "SELECT id FROM accounts WHERE email = 'unproven@shop.example'"))
	})
	t.Run("an invitation is accepted with its address alone", func(t *testing.T) {
		next()
		owner := p.Browser()
		owner.finish(t, p.begin(t, owner, "", "boss@shop.example", true))
		a := owner.Send(t, http.MethodPost, "/app/api/account/people", Body{"email": "ca@books.example", "role": "accountant"})
		require.Equal(t, http.StatusCreated, a.Status, string(a.Body))
		_, token, _ := strings.Cut(fields(t, a.Body)["link"].(string), "#token=")
		p.secrets.Store(token, true)
		for _, who := range []struct{ email, to string }{{"thief@books.example", "/app/sign-in?failed=invitation_of_another"}, {"CA@books.example", "/app"}} {
			next()
			b := p.Browser()
			said := b.accept(t, token)
			require.JSONEq(t, `{"accepted":false,"sign_in":"/app/api/sign-in/oidc?invited=1"}`, string(said.Body))
			require.NotContains(t, b.cookie, token, "the browser keeps it sealed")
			back := p.beginAt(t, b, "/app/api/sign-in/oidc?invited=1", who.email, true)
			require.Equal(t, who.to, b.finish(t, back).Header.Get("Location"))
			if who.to == "/app" {
				require.Equal(t, "accountant", b.works(t).Role)
				require.Equal(t, "boss@shop.example", b.works(t).Account.Email)
			}
		}
		require.Empty(t, p.Query(t, "SELECT id FROM accounts WHERE email LIKE '%@books.example'"), "nobody gets an account by it")
	})
}

// TestSignUpAtOnce holds that of many sign-ins of one person at once, on both databases, one
// makes the account and all sign in, and that a client makes no more accounts than it may.
func TestSignUpAtOnce(t *testing.T) {
	onBoth(t, func(t *testing.T, db database) {
		var a arrivals
		s := Start(t, Options{DatabaseURL: db(t), Broken: fx.Options(
			fx.Decorate(func(w ports.SignInWays) ports.SignInWays { w.SignUp = true; return w }),
			fx.Populate(&a.signing),
		)})
		const many = 64
		errs := make([]error, many)
		admit := func(email string) error {
			_, err := a.signing.Admit(t.Context(), ports.Arrival{Identity: ports.Identity{Email: email, EmailVerified: true, PhoneVerified: true, Provider: "login.example"}, Client: "one"})
			return err
		}
		var all sync.WaitGroup
		for i := range errs {
			all.Go(func() { errs[i] = admit("once@shop.example") })
		}
		all.Wait()
		for i, err := range errs {
			require.NoError(t, err, i)
		}
		require.Len(t, s.Query(t, "SELECT id FROM accounts WHERE email = 'once@shop.example' AND phone_verified"), 1)
		require.Len(t, s.Query(t, "SELECT id FROM security_events WHERE kind = 'signed_up'"), 1)
		for _, name := range []string{"b", "c", "d", "e"} {
			require.NoError(t, admit(name+"@shop.example"))
		}
		err := admit("f@shop.example")
		require.ErrorIs(t, err, domain.ErrRate(0))
		require.NoError(t, admit("once@shop.example"), "who has an account is not held up")
	})
}
