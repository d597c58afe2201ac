package browser_test

import (
	"maps"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"milaan/config"
	"milaan/tests/browser"
	"milaan/tests/service"
)

// TestTheSetupLeadsToRuns verifies a phone number, after a wrong one and a wrong code, and buys
// a plan, whose payment arrives later.
func TestTheSetupLeadsToRuns(t *testing.T) {
	t.Parallel()
	s := newAccountStage(t)
	s.fresh()
	tab := s.open(t, "/app")
	tab.At("/app/setup").See("Set up your account", "The account", "Phone number", "Plan", "after that").Look("setup")

	s.refuse("POST /account/phone", 400, "invalid_field", "the number is no Indian mobile number: enter ten digits that begin with 6 to 9", "number")
	browser.Eval[bool](tab, `milaanTest.field("Phone number").focus(), true`)
	tab.Press("12345\r").See("The number is no Indian mobile number")
	tab.Wait(focused("Phone number")).Axe()
	s.set("POST /account/phone", object{"until": "2026-11-21T04:40:00Z", "next_send_at": soon()})
	browser.Eval[bool](tab, `((now) => { Date.now = () => now; return true; })(Date.now())`) // however long it takes until the wait is looked at
	tab.Fill("Phone number", "98765 43210").Press("\r")
	tab.See("A code is on its way to 98765 43210. It works until 10:10 am.", "Send another code (in ").Look("setup-code")
	s.refuse("POST /account/phone/verify", 400, "phone_code_invalid", "this code is wrong or has expired: 4 checks are left")
	tab.Fill("Code", "000000").Press("\r").See("This code is wrong or has expired: 4 checks are left")
	tab.Wait(focused("Code")).Look("setup-wrong-code")
	tab.Click("Use another number")
	tab.See("Send a code (in ") // nor can one be sent to that one yet
	require.Equal(t, "98765 43210", tab.Value("Phone number"))
	tab.Go("/app/setup")
	tab.Fill("Phone number", "98765 43210")
	tab.Click("Send a code").See("A code is on its way")
	s.set("POST /account/phone/verify", object{"verified": true})
	s.set("GET /account/phone", object{"verified": true, "number": "+91 ••••• ••210"})
	s.change(func(me object) {
		me["account"].(object)["phone_verified"] = true
	})
	tab.Fill("Code", "123456").Press("\r")
	tab.See("The phone number is verified.", "Choose a plan", "₹499 every month", "₹19,990 every year", "While you wait, you can try the API with a sandbox key.")
	tab.Look("setup-plan")
	require.Contains(t, s.changes(), `POST /account/phone/verify {"code":"123456"}`)

	s.set("POST /account/subscription", object{"url": s.URL + "/app/setup?paid"})
	s.set("GET /account/subscription", object{"plans": stagedPlans, "status": "created", "plan": "enterprise", "manage": "https://pay.example/sub_1"})
	tab.Click("Enterprise")
	tab.See("Any number of runs in a month. Now: 10.") // the button says what follows once that is known
	tab.Click("Continue to payment").At("/app/setup?paid")
	tab.See("The payment of the plan Enterprise has not arrived yet…", "Look again")
	require.Equal(t, []string{`POST /account/subscription {"plan":"plan_e"}`}, s.changes())
	tab.Look("setup-waiting")
	s.change(func(me object) {
		me["account"].(object)["subscription"] = "active"
	})
	tab.See("Everything is ready") // the page looks by itself
	tab.Look("setup-done")
	tab.Click("Reconcile files").At("/app").Gone("The account is not set up yet")
}

// TestTheBannerLeadsToTheSetup shows it on each screen until the account can make runs, and to
// owners alone.
func TestTheBannerLeadsToTheSetup(t *testing.T) {
	t.Parallel()
	s := newAccountStage(t)
	s.fresh()
	tab := s.open(t, "/app/keys")
	tab.See("The account is not set up yet, so it cannot make runs.", "Your account cannot use the API", "The phone number of the account has to be verified first.")
	tab.Look("setup-banner")
	tab.Click("Finish the setup").At("/app/setup").Gone("The account is not set up yet, so it cannot make runs.")
	s.change(func(me object) { me["role"], me["person"] = "accountant", "ca@books.example" })
	tab.Go("/app").Gone("The account is not set up yet, so it cannot make runs.")
}

// TestAnInvitationIsAccepted opens its link, which works once.
func TestAnInvitationIsAccepted(t *testing.T) {
	t.Parallel()
	s := newAccountStage(t)
	s.invited()
	tab := s.open(t, "/app/invitation#token=AAAA")
	tab.See("asha@shop.example invites you", "ca@books.example", "Accountant", "accepting it signs you in as that person")
	require.Equal(t, "/app/invitation", browser.Eval[string](tab, address), "the token is in the address")
	tab.Look("invitation")
	s.refuse("POST /invitation/accept", 503, "busy", "the service is busy: try again")
	tab.Click("Accept").See("The service is busy: try again")
	tab.Forgive("503")
	s.set("POST /invitation/accept", object{"accepted": true, "sign_in": nil})
	s.change(func(me object) { me["role"], me["person"] = "reader", "ca@books.example" })
	s.set("GET /runs", object{"runs": []object{}, "next": nil, "brands": []string{}, "couriers": []string{}, "sources": []string{}})
	s.set("GET /trend", object{"points": []object{}})
	tab.Click("Accept").At("/app/history").See("You work for asha@shop.example now.")
	s.refuse("POST /invitation", 401, "invitation_invalid", "this invitation was accepted before, was withdrawn or has expired: ask for another one")
	tab.Go("/app/invitation#token=AAAA").See("This invitation cannot be accepted", "This invitation was accepted before").Axe()
	tab.Go("/app/invitation").See("Open the link of your invitation").Axe()
}

// TestARoleIsOfferedWhatItMayDo shows others why not.
func TestARoleIsOfferedWhatItMayDo(t *testing.T) {
	t.Parallel()
	s := newAccountStage(t)
	s.reader()
	links := func(tab *browser.Tab) string {
		return browser.Eval[string](tab, `[...document.querySelectorAll(".top nav a, .subnav a")].map((a) => a.getAttribute("href").slice(4)).join(" ")`)
	}
	tab := s.open(t, "/app")
	tab.At("/app/history").See("No runs yet")
	tab.Gone("Reconcile files")
	require.Equal(t, "/history /autopilot /account", links(tab))
	for _, path := range []string{"/app/mapping", "/app/autopilot/x", "/app/mappings", "/app/keys", "/app/webhooks", "/app/branding", "/app/books", "/app/people", "/app/security", "/app/setup"} {
		tab.Go(path)
		tab.See("Your role does not include this", "You may read the history of this account", "You are signed in as ravi@shop.example, for the account asha@shop.example.")
	}
	tab.Look("role-reader")
	tab.Go("/app/account").See("An owner of the account can change the plan.", "Your role: Read-only.", "Leave the account…")
	tab.Gone("Days after delivery")
	tab.Gone("Close the account")
	tab.Gone("Who has signed in")
	require.Equal(t, "/history /autopilot /account /account", links(tab))
	tab.Look("account-reader")

	s.change(func(me object) { me["role"] = "accountant" })
	tab.Go("/app/mappings")
	require.Equal(t, " /history /autopilot /account /account /mappings", links(tab))
	tab.Go("/app/keys").See("You are an accountant of this account")
}

// TestAnotherAccountIsChosen changes to another account of the person, in two tabs.
func TestAnotherAccountIsChosen(t *testing.T) {
	t.Parallel()
	s := newAccountStage(t)
	s.several()
	tab := s.open(t, "/app/account")
	tab.ClickOn(".menu > button").See("Accounts", "mill@cloth.example").Look("switcher")
	s.set("POST /account/switch", nil)
	s.change(func(me object) {
		me["role"] = "accountant"
		me["account"].(object)["email"] = "mill@cloth.example"
	})
	tab.Click("mill@cloth.example").At("/app").See("You work for mill@cloth.example now.")
	require.Equal(t, []string{`POST /account/switch {"account_id":"a2"}`}, s.changes())
}

// TestTheSubscriptionInEveryState shows what the billing provider says, and what to do.
func TestTheSubscriptionInEveryState(t *testing.T) {
	t.Parallel()
	s := newAccountStage(t)
	tab := s.open(t, "/app/account")
	tab.See("Paid from 5 Nov 2026 on. The next payment is on 5 Dec 2026, by itself.", "Payments at the billing provider")
	tab.Look("account-billed")
	tab.Click("Change the plan")
	tab.See("Choose a plan", "Change to this plan", "The plan changes at once.", "Any number of runs in a month. Now: 10.").Axe()
	s.set("PATCH /account/subscription", object{})
	tab.Click("Enterprise")
	tab.Click("Change to this plan").See("The plan is changed.")
	tab.Click("Cancel the subscription…").See("It stays active until 5 Dec 2026, which is paid for.")
	require.Equal(t, "Keep the subscription", browser.Eval[string](tab, `document.querySelector("dialog .actions .secondary").textContent`),
		"Cancel beside it could mean either")
	tab.Axe()
	s.refuse("DELETE /account/subscription", 503, "billing_unavailable", "the billing provider does not answer: try again in a minute")
	tab.ClickOn("dialog .danger").See("the billing provider does not answer: try again in a minute")
	tab.Forgive("503")
	s.refuse("DELETE /account/subscription", 409, "subscription_otherwise", "it is not as it was shown any more")
	s.unpaid()
	tab.ClickOn("dialog .danger").See("it is not as it was shown any more", "It ends at once, because nothing is paid for now.")
	tab.Shot("account-cancel-otherwise")
	s.set("DELETE /account/subscription", nil)
	tab.ClickOn("dialog .danger").See("The subscription is cancelled.")
	require.Equal(t, []string{`PATCH /account/subscription {"anew":false,"ends_now":false,"plan":"plan_e"}`, `DELETE /account/subscription {"ends_now":false}`,
		`DELETE /account/subscription {"ends_now":false}`, `DELETE /account/subscription {"ends_now":true}`}, s.changes())
	for _, state := range []struct {
		of   object
		sees string
	}{
		{object{"status": "pending", "plan": "pro", "ends_now": true}, "The last payment has failed and is tried again."},
		{object{"status": "active", "plan": "pro", "ends_at": "2026-12-04T18:30:00Z"}, "The subscription is cancelled, and ends on 5 Dec 2026, 12:00 am."},
		{object{"status": "halted", "plan": "pro"}, "The payments have failed several times, so the subscription has ended."},
		{object{"status": "paused", "plan": "pro"}, "The subscription is paused at the billing provider."},
		{object{"status": "completed", "plan": "pro"}, "The subscription has run out."},
		{object{"status": "cancelled", "plan": "pro", "ends_at": "2026-01-04T10:00:00Z"}, "The subscription was cancelled."},
		{object{"status": "authenticated", "plan": "pro"}, "The payment of the plan Pro is being confirmed…"},
		{object{"status": "", "plan": ""}, "Choose a plan"},
	} {
		state.of["plans"], state.of["manage"] = stagedPlans, ""
		s.set("GET /account/subscription", state.of)
		tab.Go("/app/account").See(state.sees).Look("account-subscription-" + state.of["status"].(string))
		if state.of["status"] == "pending" {
			tab.Click("Cancel the subscription…").See("It ends at once, because nothing is paid for now.")
		}
	}
	s.refuse("GET /account/subscription", 503, "billing_unavailable", "the billing provider does not answer: try again in a minute")
	tab.Go("/app/account").See("The billing provider does not answer", "Try again")
	tab.Forgive("503")
}

// TestAPlanIsPreviewed says money, day and consequences before anything is done, asks before
// less is bought, and follows what waits to be agreed to.
func TestAPlanIsPreviewed(t *testing.T) {
	t.Parallel()
	s := newAccountStage(t)
	s.downgrades()
	tab := s.open(t, "/app/account")
	tab.Click("Change the plan")
	tab.Click("Solo")
	tab.See("You pay ₹499 every month, from 5 Dec 2026, 12:00 am on.", "So it is cancelled to that day, and another one follows",
		"2 runs in a month. Now: 10.", "The API key stops working", "What is stored stays")
	tab.Look("plan-preview")
	tab.Click("Continue to payment").See("Change to Solo?").Look("plan-downgrade")
	require.Empty(t, s.changes(), "nothing is done before it is confirmed")
	followed := s.followed()
	s.set("PATCH /account/subscription", followed)
	tab.ClickOn("dialog .danger").At("/app/account?agreed")
	require.Equal(t, []string{`PATCH /account/subscription {"anew":true,"ends_now":false,"plan":"plan_s"}`}, s.changes())
	tab.See("The plan Pro is paid for until 5 Dec 2026, 12:00 am.", "Then the plan Solo begins, if you agree to it at the billing provider before.",
		"Agree at the billing provider", "Cancel the next plan…")
	tab.Look("plan-follows")
	agreed := maps.Clone(followed)
	agreed["next"] = object{"plan": "solo", "status": "authenticated", "begins_at": "2026-12-04T18:30:00Z", "manage": nil}
	s.set("GET /account/subscription", agreed)
	tab.See("Then the plan Solo begins by itself.") // the page looks by itself
	agreed["twice"] = true
	s.set("GET /account/subscription", agreed)
	s.previews(object{"plan": stagedPlans[1], "from": "pro", "anew": true, "ends_now": true, "cap_before": 10, "cap_after": 10})
	tab.Go("/app/account").See("The account has several subscriptions that go on side by side")
	tab.Click("Choose another plan").See("The subscription that you have is cancelled at once, because nothing is paid for now.")
	tab.Look("plan-twice")
}

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
	tab.Fill("To confirm, type", "somebody@shop.example").Press("\r").Wait(`document.querySelector("dialog .danger").ariaDisabled === "true"`)
	tab.Fill("To confirm, type", c.Email)
	tab.Look("account-close")
	tab.Press("\r").At("/app/sign-in?closed").See("The account is closed, and everything of it is deleted.")
	require.Nil(t, tab.Cookie("milaan"))
	s.Reconcile(t, c.Key, service.Named("again")).Refused(t, 401, "")
	tab.Go("/app/history").See("You need an account for this")
}

// codesToLog has phone codes written to the log.
func codesToLog(c *config.Config) { c.OTP.Way = config.OTPLog }

var loggedCode = regexp.MustCompile(`"code":"(\d{6})"`)

// phoneCode is the last code that the log has.
func phoneCode(t *testing.T, s *service.Service) string {
	t.Helper()
	all := loggedCode.FindAllStringSubmatch(s.Log.String(), -1)
	require.NotEmpty(t, all, "no code is in the log")
	return all[len(all)-1][1]
}

// TestSeveralPeopleWorkForAnAccount invites an accountant, who accepts in a browser of their
// own, makes a run, gets another role, and is removed.
func TestSeveralPeopleWorkForAnAccount(t *testing.T) {
	s := serve(t, service.Options{})
	c := s.Account(t)
	owner, guest := browser.Open(t, s.URL), browser.Open(t, s.URL)
	owner.SignIn(s, c, "/app/people")
	owner.See("1 person", c.Email)
	owner.Fill("E-mail address", "nobody").Press("\r").Wait(`document.querySelector(".field-error") !== null`)
	owner.Wait(focused("E-mail address")).Axe()
	owner.Fill("E-mail address", "CA@books.example").Press("\r").See("It is shown this once.")
	link := owner.Value("Invitation link")
	owner.Click("I have copied it").See("1 open invitation", "ca@books.example", "Accountant").Axe()
	owner.Fill("E-mail address", "mistyped@books.example").Press("\r").See("Send this link to mistyped@books.example, and to nobody else.")
	owner.Click("I have copied it").See("2 open invitations").Click("Withdraw the invitation of mistyped@books.example")
	owner.ClickOn("dialog .danger").See("The invitation is withdrawn.", "1 open invitation")

	path := strings.TrimPrefix(link, s.URL)
	guest.Go(path).See(c.Email+" invites you", "ca@books.example")
	require.Equal(t, "/app/invitation", browser.Eval[string](guest, address), "the token is in the address")
	guest.Axe()
	guest.Click("Accept").At("/app").See("ca@books.example")
	require.NotContains(t, guest.Requested(), path[strings.Index(path, "=")+1:], "the token is in an address")
	guest.Drop("h1", export, report).Wait(settled)
	guest.Wait(`location.pathname === "/app/results" || document.querySelector(".start")?.getAttribute("aria-disabled") === null`)
	if browser.Eval[bool](guest, `location.pathname === "/app"`) {
		guest.ClickOn(".start")
	}
	guest.At("/app/results")
	guest.Go("/app/people").See("Your role does not include this", "You are an accountant of this account").Axe()
	again := browser.Open(t, s.URL).Go(path)
	again.See("This invitation cannot be accepted")

	owner.Go("/app/people").See("2 people")
	owner.Click("Change the role of ca@books.example").See("The role of ca@books.example")
	owner.Click("Read-only")
	owner.ClickOn("dialog [type=submit]").See("Saved. It holds from now on.")
	guest.Go("/app").At("/app/history").See("21 Nov 2026")
	guest.Gone("Reconcile")

	guest.Tolerate()
	require.Equal(t, 403, browser.Eval[int](guest, `fetch("/app/api/security").then((answer) => answer.status)`))

	owner.Click("Remove ca@books.example").See("Remove ca@books.example?")
	owner.Fill("To confirm, type", "ca@books.example").Press("\r")
	owner.See("ca@books.example is removed, and is signed out.", "1 person")
	guest.Go("/app/history").See("You need an account for this")
	owner.Go("/app/security")
	owner.See("Somebody was invited", "An invitation was accepted", "The role of a person was changed", "A person was removed, or has left", "Somebody with the invitation of ca@books.example")
}
