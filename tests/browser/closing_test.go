package browser_test

import (
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"milaan/tests/browser"
	"milaan/tests/service"
)

// TestAnAccountTakesItsDataAndEnds downloads what is stored, and closes the account.
func TestAnAccountTakesItsDataAndEnds(t *testing.T) {
	s := serve(t, service.Options{})
	c := s.Customer(t)
	c.Run(t, service.Small().With("brand", "Asha Textiles"))
	tab := browser.Open(t, s.URL).SignIn(s, c, "/app/account")
	folder := tab.Downloads()
	tab.Click("Download your data").See("is in your downloads.")
	text, err := os.ReadFile(downloaded(t, folder, "*.json"))
	require.NoError(t, err)
	data := string(text)
	require.Contains(t, data, "Asha Textiles")
	require.Contains(t, data, c.Email)
	require.NotContains(t, data, c.Key)

	tab.Click("Close the account…")
	tab.Fill("To confirm, type", c.Email)
	tab.Axe()
	tab.Press("\r").At("/app/sign-in?closed").See("The account is closed, and everything of it is deleted.")
	require.Nil(t, tab.Cookie("milaan"))
	s.Reconcile(t, c.Key, service.Named("again")).Refused(t, 401, "")
	tab.Go("/app/history").See("You need an account for this")
}
