package browser_test

import (
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"milaan/config"
	"milaan/domain"
	"milaan/tests/browser"
	"milaan/tests/service"
)

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

// TestAPhoneNumberIsVerified enters what is no number, a wrong code, and then the right one.
func TestAPhoneNumberIsVerified(t *testing.T) {
	s := serve(t, service.Options{Settings: codesToLog})
	c := s.Account(t, func(a *domain.Account) { a.PhoneVerified = false })
	tab := browser.Open(t, s.URL).SignIn(s, c, "/app/keys")
	tab.See("The account is not set up yet", "The phone number of the account is not verified.")
	tab.Click("Finish the setup").At("/app/setup")
	tab.Fill("Phone number", "12345").Press("\r").Wait(`document.querySelector(".field-error") !== null`)
	tab.Wait(focused("Phone number")).Axe()
	tab.Fill("Phone number", "098765 43210").Press("\r").See("A code is on its way to 098765 43210. It works until 10:10 am.")
	code := phoneCode(t, s)
	tab.Fill("Code", wrong(code)).Press("\r").Wait(`document.querySelector(".field-error") !== null`)
	tab.Wait(focused("Code")).Look("phone-wrong-code")
	tab.Go("/app/account").See("A code was sent to the number that you entered.")
	tab.Fill("Code", code[:3]+" "+code[3:]).Press("\r")
	tab.See("The phone number is verified.", "The number +91 ••••• ••210 is verified.").Axe()
	tab.Click("Security log").See("A code was sent to a phone", "The phone number was verified")
	tab.Go("/app/keys").See("No key yet")
}

func wrong(code string) string {
	last := code[len(code)-1]
	return code[:len(code)-1] + string('0'+(last-'0'+1)%10)
}
