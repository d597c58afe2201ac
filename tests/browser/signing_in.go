package browser

import (
	"github.com/stretchr/testify/require"

	"milaan/tests/service"
)

// SignIn signs the tab in as a customer, by a link of the command line, and shows a page. It returns the
// tab.
func (tab *Tab) SignIn(s *service.Service, c *service.Customer, path string) *Tab {
	tab.t.Helper()
	link, err := s.Links.Link(tab.t.Context(), c.Email, "")
	require.NoError(tab.t, err)
	tab.Go("/app/sign-in")
	status := Eval[int](tab, `fetch("/app/api/sign-in", {method: "POST", headers: {"Content-Type": "application/json"}, body: JSON.stringify({token: `+quoted(link)+`})}).then((r) => r.status)`)
	require.Equal(tab.t, 204, status, "sign in")
	return tab.Go(path)
}
