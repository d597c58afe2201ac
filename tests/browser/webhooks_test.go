package browser_test

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"sync/atomic"
	"testing"
	"time"

	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/require"

	"milaan/domain"
	"milaan/tests/browser"
	"milaan/tests/service"
)

// TestAWebhookIsSetUpAndSeenToArrive sets a URL, and verifies the test that arrives there with
// the secret that was shown.
func TestAWebhookIsSetUpAndSeenToArrive(t *testing.T) {
	var broken atomic.Bool
	endpoint := service.NewEndpoint(t, func(w http.ResponseWriter, _ *http.Request) {
		if broken.Load() {
			w.WriteHeader(http.StatusInternalServerError)
		}
	})
	s := serve(t, service.Options{Settings: service.OnLoopback})
	tab := browser.Open(t, s.URL).SignIn(s, s.Account(t, service.OnPlan(domain.Enterprise)), "/app/webhooks")
	tab.See("Set a URL", "Verify a call").Axe()

	// What was typed stays beside what is wrong with it.
	browser.Eval[bool](tab, `milaanTest.field("URL that is called").focus(), true`)
	tab.Press("http://shop.example/x" + kb.Tab + "\r").Wait(`document.querySelector(".field-error") !== null`)
	tab.Wait(focused("URL that is called"))
	require.Equal(t, "http://shop.example/x", tab.Value("URL that is called"))
	tab.Axe()

	tab.Fill("URL that is called", endpoint.URL)
	tab.Click("Save")
	secret := takeSecret(tab, "Signing secret")
	tab.Wait(focused("Save")) // where the secret was asked for
	tab.See("Your URL", "Nothing has been sent yet.")
	tab.Click("Send a test").See("Delivered", "answered 200 after")
	call := endpoint.Calls()[0]
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write(call.Body)
	require.Equal(t, hex.EncodeToString(mac.Sum(nil)), call.Header.Get("X-Milaan-Sig"))
	tab.Look("webhooks")
	tab.Resize(390, 800).Wait(fits)
	tab.Resize(1280, 900)

	broken.Store(true)
	tab.Click("Send again").See("Failed", "refused with 500 after").Axe()

	tab.Click("Rotate the secret…")
	tab.ClickOn("dialog .danger")
	require.NotEqual(t, secret, takeSecret(tab, "Signing secret"))
	tab.See("Until 22 Nov 2026, 10:00 am, the header webhook-signature has a signature of the former secret too.")
	s.Clock.Advance(24 * time.Hour)
	tab.Go("/app/webhooks").See("Your URL")
	tab.Gone("a signature of the former secret")
	tab.Click("Remove…").See("Your URL is not called any more").Axe()
	tab.ClickOn("dialog .danger").See("Set a URL")
	require.Empty(t, tab.Value("URL that is called"))
}
