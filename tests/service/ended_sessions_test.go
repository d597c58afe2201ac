package service

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"milaan/domain"
)

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
