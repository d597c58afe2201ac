package processes_test

import (
	"bytes"
	"crypto/rand"
	"encoding/base64"
	"mime/multipart"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"milaan/adapters/storage"
	"milaan/domain"
)

// person is an account with a signed-in browser.
type person struct{ id, cookie string }

// people signs accounts in, past the service.
func (in *installation) people(t *testing.T, accounts ...account) []person {
	t.Helper()
	store, done := in.store(t)
	defer done()
	all := make([]person, len(accounts))
	for i, a := range accounts {
		var random [32]byte
		_, _ = rand.Read(random[:]) // never fails
		secret, now := base64.RawURLEncoding.EncodeToString(random[:]), time.Now()
		in.hide("the secret of a session", secret)
		session := domain.Session{ID: uuid.NewString(), AccountID: a.id, Hash: domain.HashSession(secret), CreatedAt: now, UsedAt: now}
		require.NoError(t, storage.New[storage.Sessions](store, nil).Begin(t.Context(), session, "", time.Time{}, domain.SecurityEvent{
			ID: uuid.NewString(), AccountID: a.id, At: now, Kind: domain.SecuritySignedIn, By: domain.ByDashboard}))
		all[i] = person{id: a.id, cookie: "milaan=" + secret}
	}
	return all
}

// asPage asks a replica as a page of the dashboard does.
func (r *replica) asPage(t *testing.T, method, path, cookie, media string, body []byte) answer {
	return send(browser, request(t, method, r.url+"/app/api/"+path, bytes.NewReader(body), "Cookie", cookie, "Sec-Fetch-Site", "same-origin", "Content-Type", media))
}

// upload has a replica reconcile the two files, as the dashboard does.
func (r *replica) upload(t *testing.T, cookie, brand string) answer {
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	for name, text := range map[string]string{"orders": orders, "report": remittance} {
		part, _ := form.CreateFormFile(name, name+".csv") // memory takes everything
		_, _ = part.Write([]byte(text))
	}
	_ = form.WriteField("brand", brand)
	_ = form.Close()
	return r.asPage(t, http.MethodPost, "reconcile", cookie, form.FormDataContentType(), body.Bytes())
}

// A link of the command line signs in, once, at either replica, which says at its start where the dashboard is. A session that one
// replica has made is one at the other, ends at both at once, and outlives the process.
func TestSessionsHoldAcrossReplicas(t *testing.T) {
	alongside(t)
	const email = "asha@shop.example"
	onBoth(t, func(t *testing.T, in *installation) {
		in.hide("an e-mail address", email)
		both := in.pair(t)
		in.succeed(t, nil, "account", "create", "--email", email, "--plan", "solo")
		await(t, "the address of the dashboard", func() bool { return strings.Contains(both[0].journal.text(), "Milaan is at "+both[0].url+"/app: ") })
		nowhere := in.run(t, "session", "--email", email, "--link")
		require.Equal(t, 1, nowhere.code)
		require.Contains(t, nowhere.stderr, "set MILAAN_PUBLIC_URL")
		signIn := func(at *replica) (cookie string) {
			printed := in.succeed(t, []string{"MILAAN_PUBLIC_URL=" + at.url}, "session", "--email", email, "--link")
			_, token, found := strings.Cut(strings.TrimSpace(printed), "/app/sign-in#token=")
			require.True(t, found, printed)
			in.hide("the token of a sign-in link", token)
			a := at.asPage(t, http.MethodPost, "sign-in", "", "application/json", []byte(`{"token":"`+token+`"}`))
			require.Equal(t, http.StatusNoContent, a.status, string(a.body))
			cookies := (&http.Response{Header: a.header}).Cookies()
			require.Len(t, cookies, 1)
			in.hide("the secret of a session", cookies[0].Value)
			for _, other := range both {
				again := other.asPage(t, http.MethodPost, "sign-in", "", "application/json", []byte(`{"token":"`+token+`"}`))
				require.Equal(t, http.StatusUnauthorized, again.status, "a link signs in once")
			}
			return "milaan=" + cookies[0].Value
		}
		first, second := signIn(both[0]), signIn(both[1])
		status := func(cookie string) (statuses []int) {
			for _, r := range both {
				statuses = append(statuses, r.asPage(t, http.MethodGet, "key", cookie, "", nil).status)
			}
			return statuses
		}
		require.Equal(t, []int{200, 200}, status(first))
		require.Equal(t, []int{200, 200}, status(second))
		require.Equal(t, http.StatusNoContent, both[1].asPage(t, http.MethodPost, "sign-out-everywhere", second, "application/json", []byte("{}")).status)
		require.Equal(t, []int{401, 401}, status(first))
		require.Equal(t, []int{401, 401}, status(second))

		third := signIn(both[0])
		both[0].kill()
		both[0] = in.start(t)
		require.Equal(t, []int{200, 200}, status(third))
	})
}
