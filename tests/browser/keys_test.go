package browser_test

import (
	"testing"

	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/require"

	"milaan/domain"
	"milaan/tests/browser"
	"milaan/tests/service"
)

// TestKeys makes a key, uses it, rotates it and revokes it.
func TestKeys(t *testing.T) {
	s := serve(t, service.Options{})
	c := s.Account(t)
	tab := browser.Open(t, s.URL).SignIn(s, c, "/app/keys")
	tab.See("No key yet").Axe()
	tab.Click("Create a key")
	first := takeSecret(tab, "API key")
	prefix := first[:len("milaan_live_")+8]
	tab.See("Active key", prefix, "never", s.URL+"/reconcile/files", "KEY='"+prefix+"…'")
	require.NotContains(t, browser.Eval[string](tab, "document.documentElement.outerHTML"), first, "the key is in the page after it was closed")
	tab.Look("keys")
	s.Reconcile(t, first, service.Small()).Run(t)

	tab.Click("Rotate…")
	tab.Fill("To confirm, type", "milaan_live").Press("\r")
	require.Equal(t, "true", browser.Eval[string](tab, `document.querySelector("dialog .danger").getAttribute("aria-disabled")`))
	tab.Axe()
	tab.Fill("To confirm, type", prefix).Press("\r")
	second := takeSecret(tab, "API key")
	s.Reconcile(t, first, service.Small()).Refused(t, 401, "")
	s.Reconcile(t, second, service.Named("again")).Run(t)

	tab.Click("Revoke…")
	tab.Fill("To confirm, type", second[:len(prefix)])
	tab.ClickOn("dialog .danger").See("No key yet", "The key is revoked.")
	s.Reconcile(t, second, service.Small()).Refused(t, 401, "")
}

// takeSecret returns the secret that a dialog shows once, and closes the dialog.
func takeSecret(tab *browser.Tab, label string) string {
	tab.See("Store it now").Axe()
	secret := tab.Value(label)
	tab.Press(kb.Escape)
	tab.Press(kb.Escape)
	tab.Click("I have stored it").Wait(`document.querySelector("dialog") === null`)
	return secret
}

// TestAKeyThatAnotherHasReplaced rotates a key while somebody else does so.
func TestAKeyThatAnotherHasReplaced(t *testing.T) {
	s := serve(t, service.Options{})
	c := s.Customer(t)
	tab := browser.Open(t, s.URL).SignIn(s, c, "/app/keys")
	tab.See(c.Key[:len("milaan_live_")+8])
	tab.Click("Rotate…")
	tab.Fill("To confirm, type", c.Key[:len("milaan_live_")+8])
	c.Rotate(t)
	tab.Press("\r").Wait(`document.querySelector("dialog .notice.error") !== null`)
	tab.See("To confirm, type " + c.Key[:len("milaan_live_")+8]).Axe()
}

// TestWhoMayNotUseTheAPI shows why, and offers nothing that would be refused.
func TestWhoMayNotUseTheAPI(t *testing.T) {
	s := serve(t, service.Options{})
	tab := browser.Open(t, s.URL).SignIn(s, s.Account(t, service.OnPlan(domain.Solo)), "/app/keys")
	tab.See("Your account cannot use the API", "The API is part of the Pro and Enterprise plans.").Axe()
	tab.Go("/app/webhooks").See("Webhooks are part of the Enterprise plan").Axe()
	tab.Go("/app/branding").See("Branding is part of the Pro and Enterprise plans").Axe()
	tab.Go("/app/mappings").See("Mappings are saved on the Enterprise plan").Axe()
}

// TestASandboxKeyIsMadeAndUsed makes one on a plan without the API, uses, rotates and revokes it.
func TestASandboxKeyIsMadeAndUsed(t *testing.T) {
	s := serve(t, service.Options{})
	c := s.Account(t, service.OnPlan(domain.Solo))
	tab := browser.Open(t, s.URL).SignIn(s, c, "/app/keys")
	tab.See("Your account cannot use the API", "Sandbox key", "Up to 100 rows in a file, 50 runs in a day, and 10 requests in 60 seconds.")
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
