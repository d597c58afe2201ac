package browser_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"milaan/domain"
	"milaan/tests/browser"
	"milaan/tests/service"
)

// TestASandboxKeyIsMadeAndUsed makes one on a plan without the API, uses, rotates and revokes it.
func TestASandboxKeyIsMadeAndUsed(t *testing.T) {
	s := serve(t, service.Options{})
	c := s.Account(t, service.OnPlan(domain.Solo))
	tab := browser.Open(t, s.URL).SignIn(s, c, "/app/keys")
	tab.See("Your account cannot use the API", "Sandbox key")
	tab.Click("Create a sandbox key")
	first := takeSecret(tab, "Sandbox key")
	prefix := first[:len("milaan_sandbox_")+8]
	tab.See(prefix, "never", "KEY='"+prefix+"…'")
	require.NotContains(t, browser.Eval[string](tab, "document.documentElement.outerHTML"), first, "the key is in the page after it was closed")
	answer := s.Reconcile(t, first, service.Small())
	require.Equal(t, 200, answer.Status, "%s", answer.Body)
	require.Equal(t, "true", answer.Header.Get("X-Sandbox"))

	tab.Click("Rotate the sandbox key…")
	tab.Fill("To confirm, type", prefix).Press("\r")
	second := takeSecret(tab, "Sandbox key")
	s.Reconcile(t, first, service.Small()).Refused(t, 401, "")
	tab.Click("Revoke the sandbox key…")
	tab.Fill("To confirm, type", second[:len(prefix)]).Press("\r").See("The sandbox key is revoked.", "Create a sandbox key")
	s.Reconcile(t, second, service.Small()).Refused(t, 401, "")
	tab.Go("/app/history").See("No runs yet")
}
