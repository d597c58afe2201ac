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
