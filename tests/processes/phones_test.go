package processes_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"milaan/tests/fakes/msg91"
)

// viaSMS are the settings of a service that sends its phone codes to a fake of MSG91.
func viaSMS(sms *msg91.Server) []string {
	return []string{"MILAAN_OTP=msg91", "MILAAN_MSG91_AUTH_KEY=" + msg91.AuthKey, "MILAAN_MSG91_TEMPLATE=" + msg91.Template, "MILAAN_MSG91_URL=" + sms.URL}
}

func otherCode(code string, i int) string {
	var n int
	_, _ = fmt.Sscan("1"+code, &n)
	return fmt.Sprint((n+1+i)%1_000_000 + 1_000_000)[1:]
}

// The commands verify a phone beside the running service: codes, checks and rates are those
// of both.
func TestPhoneByCommands(t *testing.T) {
	alongside(t)
	onPostgreSQL(t, func(t *testing.T, in *installation) {
		sms := msg91.New(t)
		in.hide("the authkey", msg91.AuthKey)
		r := in.start(t, viaSMS(sms)...)
		const email = "merchant@shop.example"
		session := in.session(t, email, "pro")
		viewOf(t, in.run(t, "account", "set", "--email", email, "--phone-verified=false"))
		refused(t, r.issueKey(t, session), http.StatusForbidden, "phone_not_verified")

		in.succeed(t, viaSMS(sms), "account", "phone", "send", "--email", email, "--number", "+91 98765 43210")
		in.hide("a phone number", "9876543210")
		code := sms.Last().Code
		again := in.runWith(t, viaSMS(sms), "account", "phone", "send", "--email", email, "--number", "6123456789")
		require.Equal(t, 1, again.code)
		require.Contains(t, again.stderr, "too many requests in a short time")
		refused(t, post(t, r.url+"/account/phone", session, strings.NewReader(`{"number":"9876543210"}`)), http.StatusTooManyRequests, "Rate limit exceeded")
		refused(t, post(t, r.url+"/account/phone/verify", session, strings.NewReader(`{"code":"`+otherCode(code, 0)+`"}`)), http.StatusBadRequest, "this code does not verify the number: compare it with the latest message, or ask for a new code; tries left: 4")
		wrong := in.runWith(t, nil, "account", "phone", "verify", "--email", email, "--code", otherCode(code, 1))
		require.Contains(t, wrong.stderr, "tries left: 3")
		require.Equal(t, "The phone number is verified.\n", in.succeed(t, nil, "account", "phone", "verify", "--email", email, "--code", code))
		require.Contains(t, in.succeed(t, nil, "account", "phone", "--email", email), `"number": "+91 ••••• ••210"`)
		outcomeOf(t, r.reconcile(t, keyOf(t, r.issueKey(t, session)), "first"))
		r.stop(t)

		off := in.runWith(t, nil, "account", "phone", "send", "--email", email, "--number", "9876543210")
		require.Equal(t, 1, off.code)
		require.Contains(t, off.stderr, "this service sends no phone codes: set MILAAN_OTP")
	})
}
