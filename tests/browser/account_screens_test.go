package browser_test

import (
	"testing"

	"milaan/tests/browser"
)

// accountScreens are the screens of the account, its people and its keys in states that others
// bring about, such as the billing provider.
var accountScreens = []screen{
	{name: "setup", path: "/app", stage: (*accountStage).fresh, sees: "Set up your account"},
	{name: "setup-loading", path: "/app/setup", stage: (*accountStage).fresh, answers: "never", sees: "Loading…"},
	{name: "setup-failed", path: "/app/setup", stage: (*accountStage).fresh, answers: "refuses", sees: tooMuch},
	{name: "setup-wrong-number", path: "/app/setup", stage: func(s *accountStage) {
		s.fresh()
		s.refuse("POST /account/phone", 400, "invalid_field", "the number is no Indian mobile number: enter ten digits that begin with 6 to 9", "number")
	}, does: func(_ *testing.T, tab *browser.Tab) {
		tab.Fill("Phone number", "12345").Press("\r")
	}, sees: "The number is no Indian mobile number"},
	{name: "setup-code", path: "/app/setup", stage: (*accountStage).sentCode, does: sendsCode, sees: "A code is on its way to 98765 43210."},
	{name: "setup-code-opened-again", path: "/app/setup", stage: func(s *accountStage) {
		s.fresh()
		s.set("GET /account/phone", object{"verified": false, "number": nil, "code_open_until": "2026-11-21T04:40:00Z", "next_send_at": nil})
	}, sees: "A code was sent to the number that you entered."},
	{name: "setup-wrong-code", path: "/app/setup", stage: (*accountStage).sentCode, does: func(t *testing.T, tab *browser.Tab) {
		sendsCode(t, tab)
		tab.Fill("Code", "000000").Press("\r")
	}, sees: "This code is wrong or has expired"},
	{name: "setup-plan", path: "/app/setup", stage: (*accountStage).verified, sees: "₹1,999 every month"},
	{name: "setup-waiting", path: "/app/setup", stage: func(s *accountStage) {
		s.verified()
		s.billed("created", nil)
	}, sees: "The payment of the plan Pro has not arrived yet…"},
	{name: "setup-done", path: "/app/setup", sees: "Everything is ready"},
	{name: "setup-by-operator", path: "/app/setup", stage: func(s *accountStage) {
		s.fresh()
		s.change(func(me object) { me["phone_codes"], me["billing"], me["sandbox"] = false, false, false })
	}, sees: "This service sends no codes to phones."},
	{name: "setup-unfinished", path: "/app/history", stage: (*accountStage).fresh, answers: "never", sees: "The account is not set up yet, so it cannot make runs."},
	{name: "setup-ended", path: "/app/history", stage: func(s *accountStage) {
		s.change(func(me object) { me["account"].(object)["subscription"] = "ended" })
	}, answers: "never", sees: "The subscription has ended, so the account cannot make runs."},

	{name: "account-billed", path: "/app/account", sees: "Paid from 5 Nov 2026 on."},
	{name: "account-loading", path: "/app/account", answers: "never", sees: "Loading…"},
	{name: "account-failed", path: "/app/account", answers: "refuses", sees: tooMuch},
	{name: "account-change-plan", path: "/app/account", does: clicks("Change the plan"), sees: "Change to this plan"},
	{name: "account-plan-preview", path: "/app/account", stage: (*accountStage).downgrades, does: clicks("Change the plan"), sees: "The API key stops working"},
	{name: "account-plan-follows", path: "/app/account", stage: func(s *accountStage) { s.followed() }, sees: "Then the plan Solo begins, if you agree"},
	{name: "account-cancel", path: "/app/account", does: clicks("Cancel the subscription…"), sees: "It stays active until 5 Dec 2026"},
	{name: "account-cancelled", path: "/app/account", stage: func(s *accountStage) { s.billed("active", "2026-12-04T18:30:00Z") }, sees: "The subscription is cancelled, and ends on"},
	{name: "account-pending", path: "/app/account", stage: func(s *accountStage) { s.billed("pending", nil) }, sees: "The last payment has failed and is tried again."},
	{name: "account-halted", path: "/app/account", stage: func(s *accountStage) { s.billed("halted", nil) }, sees: "The payments have failed several times"},
	{name: "account-phone-change", path: "/app/account", does: clicks("Change the number"), sees: "The present one holds until the new one is verified."},
	{name: "account-everybody", path: "/app/account", does: clicks("Sign everybody out…"), sees: "Everybody who works for this account is signed out"},
	{name: "account-close", path: "/app/account", does: clicks("Close the account…"), sees: "To confirm, type asha@shop.example"},
	{name: "account-close-refused", path: "/app/account", stage: func(s *accountStage) {
		s.refuse("DELETE /account", 503, "billing_unavailable", "the billing provider does not answer, so nothing was closed: try again in a minute")
	}, does: func(_ *testing.T, tab *browser.Tab) {
		tab.Click("Close the account…")
		tab.Fill("To confirm, type", "asha@shop.example").Press("\r")
	}, sees: "so nothing was closed"},
	{name: "account-reader", path: "/app/account", stage: (*accountStage).reader, sees: "Leave the account…"},
	{name: "account-leave", path: "/app/account", stage: (*accountStage).reader, does: clicks("Leave the account…"), sees: "You are signed out, and can come back only by another invitation."},

	{name: "people", path: "/app/people", stage: (*accountStage).shared, sees: "1 open invitation"},
	{name: "people-alone", path: "/app/people", stage: (*accountStage).alone, sees: "1 person"},
	{name: "people-loading", path: "/app/people", answers: "never", sees: "Loading…"},
	{name: "people-failed", path: "/app/people", answers: "refuses", sees: tooMuch},
	{name: "people-wrong", path: "/app/people", stage: func(s *accountStage) {
		s.alone()
		s.refuse("POST /account/people", 400, "invalid_field", "email must be an e-mail address, such as accounts@shop.example", "email")
	}, does: invites, sees: "Email must be an e-mail address"},
	{name: "people-link", path: "/app/people", stage: func(s *accountStage) {
		s.shared()
		s.set("POST /account/people", object{"id": "i1", "link": "https://milaan.example/app/invitation#token=AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", "mailed": true})
	}, does: invites, sees: "Send this link to ca@books.example"},
	{name: "people-role", path: "/app/people", stage: (*accountStage).shared, does: clicks("Change the role of"), sees: "The role of ravi@shop.example"},
	{name: "people-remove", path: "/app/people", stage: (*accountStage).shared, does: clicks("Remove ravi"), sees: "To confirm, type ravi@shop.example"},
	{name: "people-withdraw", path: "/app/people", stage: (*accountStage).shared, does: clicks("Withdraw the"), sees: "Its link does not work any more."},

	{name: "invitation", path: "/app/invitation#token=AAAA", stage: (*accountStage).invited, sees: "asha@shop.example invites you"},
	{name: "invitation-of-another", path: "/app/invitation#token=AAAA", stage: func(s *accountStage) {
		s.invited()
		s.refuse("POST /invitation/accept", 403, "invitation_of_another", "this invitation is for another e-mail address: sign in with the address that was invited")
	}, does: clicks("Accept"), sees: "This invitation is for another e-mail address"},
	{name: "invitation-used", path: "/app/invitation#token=AAAA", stage: func(s *accountStage) {
		s.refuse("POST /invitation", 404, "invitation_invalid", "this invitation was accepted before, was withdrawn, is more than 7 days old or is not one of ours")
	}, sees: "This invitation cannot be accepted"},
	{name: "invitation-busy", path: "/app/invitation#token=AAAA", stage: func(s *accountStage) { s.refuse("POST /invitation", 503, "busy", tooMuch) }, sees: tooMuch},
	{name: "invitation-loading", path: "/app/invitation#token=AAAA", answers: "never", sees: "Loading…"},
	{name: "invitation-none", path: "/app/invitation", sees: "Open the link of your invitation"},

	{name: "sandbox", path: "/app/keys", stage: (*accountStage).sandboxed, does: func(_ *testing.T, tab *browser.Tab) {
		tab.See("milaan_sandbox_abcdefgh")
		openAll(tab)
	}, sees: "sandbox:403-phone"},
	{name: "sandbox-none", path: "/app/keys", sees: "Create a sandbox key"},
	{name: "sandbox-unverified", path: "/app/keys", stage: (*accountStage).fresh, sees: "The phone number of the account has to be verified first."},
	{name: "sandbox-rotate", path: "/app/keys", stage: (*accountStage).sandboxed, does: clicks("Rotate the sandbox"), sees: "To confirm, type milaan_sandbox_abcdefgh"},
	{name: "sandbox-secret", path: "/app/keys", stage: func(s *accountStage) {
		s.set("POST /sandbox-key", object{"key": "milaan_sandbox_abcdefgh0123456789", "prefix": "milaan_sandbox_abcdefgh"})
	}, does: clicks("Create a sandbox key"), sees: "Your new sandbox key"},

	{name: "role", path: "/app/keys", stage: (*accountStage).reader, sees: "Your role does not include this"},
	{name: "accounts", path: "/app/setup", stage: (*accountStage).several, does: func(_ *testing.T, tab *browser.Tab) { tab.ClickOn(".menu > button") }, sees: "mill@cloth.example"},
	{name: "sign-in-closed", path: "/app/sign-in?closed", stage: (*accountStage).nobody, sees: "The account is closed, and everything of it is deleted."},
	{name: "sign-in-left", path: "/app/sign-in?left", stage: (*accountStage).nobody, sees: "You have left the account, and are signed out."},
	{name: "sign-in-sign-up", path: "/app/sign-in?failed=setup_incomplete", stage: (*accountStage).nobody, sees: "If you have no account yet, one is made for your e-mail address."},

	{name: "hindi-setup", path: "/app/setup", stage: (*accountStage).fresh, hindi: true, sees: "फ़ोन नंबर"},
	{name: "hindi-plans", path: "/app/setup", stage: (*accountStage).verified, hindi: true, sees: "₹1,999 हर महीने"},
	{name: "hindi-people", path: "/app/people", stage: (*accountStage).shared, hindi: true, sees: "1 खुला आमंत्रण"},
	{name: "hindi-invitation", path: "/app/invitation#token=AAAA", stage: (*accountStage).invited, hindi: true, sees: "आमंत्रित"},
	{name: "hindi-sandbox", path: "/app/keys", stage: (*accountStage).sandboxed, hindi: true, sees: "सैंडबॉक्स"},
	{name: "hindi-billed", path: "/app/account", hindi: true, sees: "सदस्यता रद्द करें…"},
	{name: "hindi-plan-preview", path: "/app/account", stage: (*accountStage).downgrades, does: clicks("प्लान बदलें"), hindi: true, sees: "API कुंजी काम करना बंद कर देगी"},
	{name: "hindi-plan-follows", path: "/app/account", stage: func(s *accountStage) { s.followed() }, hindi: true, sees: "भुगतान सेवा पर मंज़ूर करें"},
	{name: "hindi-role", path: "/app/keys", stage: (*accountStage).reader, hindi: true, sees: "भूमिका"},
}

func sendsCode(_ *testing.T, tab *browser.Tab) {
	tab.Fill("Phone number", "98765 43210").Press("\r").See("A code is on its way")
}

func invites(_ *testing.T, tab *browser.Tab) {
	tab.Fill("E-mail address", "ca@books.example").Press("\r")
}
