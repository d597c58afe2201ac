package browser_test

import (
	"bytes"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/oauth2-proxy/mockoidc"
	"github.com/stretchr/testify/require"

	"milaan/config"
	"milaan/domain"
	"milaan/tests/browser"
	"milaan/tests/fakes/razorpay"
	"milaan/tests/service"
)

// TestTheFirstDayOfAMerchant signs up at a provider, verifies the phone, tries the sandbox,
// buys a plan, makes the first run, invites the accountant, and closes the account.
func TestTheFirstDayOfAMerchant(t *testing.T) {
	t.Parallel()
	const shop, books = "asha@shop.example", "ca@books.example"
	provider := service.NewProvider(t)
	var s *service.Service
	billing := razorpay.New(t, func() time.Time { return s.Clock.Now() }, razorpay.PlanOf("plan_solo", "monthly"), razorpay.PlanOf("plan_pro", "monthly"), razorpay.PlanOf("plan_year", "yearly"))
	s = service.Start(t, service.Options{Settings: func(c *config.Config) {
		codesToLog(c)
		c.Identity = config.Identity{OIDCIssuer: provider.Issuer(), OIDCAudience: "milaan", OIDCClientID: provider.ClientID, OIDCClientSecret: config.Secret(provider.ClientSecret), SignUp: true}
		c.Billing = config.Billing{RazorpayKeyID: razorpay.KeyID, RazorpayKeySecret: razorpay.KeySecret, RazorpayWebhookSecrets: config.SecretList{razorpay.WebhookSecret},
			RazorpayPlans: config.BillingPlans{{ID: "plan_solo", Plan: "solo"}, {ID: "plan_pro", Plan: "pro"}, {ID: "plan_year", Plan: "pro"}}, RazorpayURL: billing.URL()}
	}})
	provider.FastForward(time.Until(s.Clock.Now()))
	arrives := func(email string) {
		provider.QueueUser(&mockoidc.MockUser{Subject: email, Email: email, EmailVerified: true})
	}

	// Sign up.
	owner := browser.Open(t, s.URL).Go("/app/sign-in")
	owner.See("If you have no account yet, one is made for your e-mail address.").Look("day-1-sign-up")
	arrives(shop)
	owner.Click("Continue to sign in").At("/app/setup")
	owner.See(shop, "Set up your account", "First the phone number, and then you choose a plan.").Look("day-2-setup")

	// The phone.
	owner.Fill("Phone number", "+91 98765 43210").Press("\r").See("A code is on its way to +91 98765 43210.").Shot("day-3-code")
	owner.Fill("Code", phoneCode(t, s)).Press("\r").See("The phone number is verified.", "Choose a plan", "₹999 every month")
	owner.Look("day-4-plans")

	// The sandbox.
	owner.Click("API keys").At("/app/keys")
	owner.See("The account is not set up yet, so it cannot make runs.", "Your account cannot use the API")
	owner.Click("Create a sandbox key")
	sandbox := takeSecret(owner, "Sandbox key")
	tried := s.Reconcile(t, sandbox, service.Small())
	require.Equal(t, http.StatusOK, tried.Status, "%s", tried.Body)
	require.Equal(t, "true", tried.Header.Get("X-Sandbox"))
	owner.Go("/app/keys").See("milaan_sandbox_").Look("day-5-sandbox")

	// The subscription. Razorpay's own page is on its own server, which no test asks.
	owner.Tolerate()
	owner.Click("Finish the setup").See("Choose a plan")
	owner.Click("Pro ₹999 every month")
	owner.Click("Continue to payment")
	require.Eventually(t, func() bool { return len(billing.All()) == 1 }, time.Minute, 10*time.Millisecond)
	owner.Wait(`location.protocol === "chrome-error:" || location.host.endsWith("rzp.example")`)
	owner.Go("/app/setup").See("The payment of the plan Pro has not arrived yet…").Look("day-6-waiting")
	id := billing.All()[0].ID
	billing.Activate(id)
	post(t, s, billing.Notify("subscription.activated", id))
	owner.See("Everything is ready").Look("day-7-ready")
	owner.Go("/app/account").See("Pro", "Active", "0 of 10 runs are used.", "The next payment is on 21 Dec 2026, by itself.")
	owner.Look("day-8-account")

	// The first real run.
	owner.Go("/app")
	ranFiles(t, owner)
	owner.See("At risk").Shot("day-9-results")

	// The accountant.
	owner.Go("/app/people")
	owner.Fill("E-mail address", books).Press("\r").See("It is shown this once.").Shot("day-10-invitation")
	link := owner.Value("Invitation link")
	owner.Click("I have copied it").See("1 open invitation")
	accountant := browser.Open(t, s.URL).Go(strings.TrimPrefix(link, s.URL))
	accountant.See(shop+" invites you", "Accountant").Look("day-11-invited")
	arrives(books)
	accountant.Click("Accept").At("/app").See(books)
	accountant.Click("History").See("21 Nov 2026").Shot("day-12-history")
	accountant.Go("/app/account").See("Your role: Accountant.", "1 of 10 runs are used.").Look("day-13-accountant")

	// The end.
	owner.Go("/app/security")
	owner.See("The account was made at the first sign-in", "A code was sent to a phone", "The phone number was verified", "Razorpay", "An invitation was accepted")
	owner.Shot("day-14-security")
	owner.Go("/app/account")
	owner.Click("Close the account…").See("If it has a subscription, that is cancelled at the billing provider first.")
	owner.Fill("To confirm, type", shop)
	owner.Shot("day-15-close")
	owner.Press("\r").At("/app/sign-in?closed").See("The account is closed, and everything of it is deleted.")
	owner.Look("day-16-closed")
	require.Equal(t, "cancelled", billing.All()[0].Status)
	accountant.Click("History").At("/app/sign-in?to=%2Fapp%2Fhistory")
	s.Reconcile(t, sandbox, service.Small()).Refused(t, http.StatusUnauthorized, "")
	_, err := s.Manage.Show(t.Context(), shop)
	require.ErrorIs(t, err, domain.ErrNoAccount)
}

func post(t *testing.T, s *service.Service, n razorpay.Notice) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, s.URL+"/hooks/razorpay", bytes.NewReader(n.Body))
	require.NoError(t, err)
	r.Header.Set("X-Razorpay-Signature", n.Signature)
	r.Header.Set("X-Razorpay-Event-Id", n.ID)
	answer, err := http.DefaultClient.Do(r)
	require.NoError(t, err)
	require.NoError(t, answer.Body.Close())
	require.Equal(t, http.StatusOK, answer.StatusCode)
}
