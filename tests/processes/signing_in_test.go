package processes_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// A link of the command line signs in at the running service, once, and the session outlives
// the process that has made it. The service says at its start where the dashboard is.
func TestALinkSignsIn(t *testing.T) {
	alongside(t)
	const email = "asha@shop.example"
	in := newInstallation(t, "")
	in.hide("an e-mail address", email)
	r := in.start(t)
	await(t, "the address of the dashboard", func() bool { return strings.Contains(r.journal.text(), "Milaan is at "+r.url+"/app: ") })
	in.succeed(t, nil, "account", "create", "--email", email, "--plan", "solo")

	nowhere := in.run(t, "session", "--email", email, "--link")
	require.Equal(t, 1, nowhere.code)
	require.Contains(t, nowhere.stderr, "set MILAAN_PUBLIC_URL")

	printed := in.succeed(t, []string{"MILAAN_PUBLIC_URL=" + r.url}, "session", "--email", email, "--link")
	lines := strings.Split(strings.TrimSpace(printed), "\n")
	token, found := strings.CutPrefix(lines[len(lines)-1], r.url+"/app/sign-in#token=")
	require.True(t, found, printed)
	in.hide("the token of a sign-in link", token)
	redeem := func() answer {
		return send(browser, request(t, http.MethodPost, r.url+"/app/api/sign-in", strings.NewReader(`{"token":"`+token+`"}`),
			"Content-Type", "application/json", "Sec-Fetch-Site", "same-origin"))
	}
	signedIn := redeem()
	require.Equal(t, http.StatusNoContent, signedIn.status, string(signedIn.body))
	require.Equal(t, http.StatusUnauthorized, redeem().status)
	cookies := (&http.Response{Header: signedIn.header}).Cookies()
	require.Len(t, cookies, 1)
	in.hide("the secret of a session", cookies[0].Value)

	r.kill()
	r = in.start(t)
	me := send(browser, request(t, http.MethodGet, r.url+"/app/api/me", nil, "Cookie", "milaan="+cookies[0].Value))
	require.Equal(t, http.StatusOK, me.status)
	require.Contains(t, string(me.body), `"email":"`+email+`"`)
	require.Equal(t, http.StatusUnauthorized, redeem().status)
	r.stop(t)
}
