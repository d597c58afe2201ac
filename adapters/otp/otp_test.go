package otp

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"milaan/config"
	"milaan/domain"
	"milaan/tests/fakes/msg91"
)

const (
	number domain.PhoneNumber = "+919876543210"
	code   domain.PhoneCode   = "012345"
)

// canaries are what no error and no log may have.
var canaries = []string{"9876543210", "98765", "543210", "012345", msg91.AuthKey}

func requireNoCanary(t *testing.T, text string) {
	t.Helper()
	for _, canary := range canaries {
		require.NotContains(t, text, canary)
	}
}

func settings(url string) config.OTP {
	return config.OTP{Way: config.OTPMSG91, MSG91AuthKey: msg91.AuthKey, MSG91Template: msg91.Template, MSG91URL: url}
}

func send(t *testing.T, s config.OTP) error {
	t.Helper()
	sender := New(s, nil, slog.New(slog.DiscardHandler))
	require.True(t, sender.Enabled())
	err := sender.SendCode(t.Context(), number, code)
	if err != nil {
		requireNoCanary(t, fmt.Sprintf("%v %+v %#v", err, err, err))
	}
	return err
}

func TestACodeGoesToMSG91(t *testing.T) {
	fake := msg91.New(t)
	require.NoError(t, send(t, settings(fake.URL)))
	require.NoError(t, send(t, settings(fake.URL+"/")))
	want := msg91.Message{Mobile: "919876543210", Code: "012345", Expiry: 10}
	require.Equal(t, []msg91.Message{want, want}, fake.Sent())
}

// What MSG91 refuses was not sent; all else may have been.
func TestWhatMSG91DoesNotTake(t *testing.T) {
	fake := msg91.New(t)
	wrongKey, wrongTemplate := settings(fake.URL), settings(fake.URL)
	wrongKey.MSG91AuthKey, wrongTemplate.MSG91Template = "another-key", "another"
	require.ErrorIs(t, send(t, wrongKey), domain.ErrPhoneUnsent)
	require.EqualError(t, send(t, wrongTemplate), "phone_code_unsent/refused: MSG91 refused a phone code: status 200, type error, code 400")
	require.Empty(t, fake.Sent())

	answer := func(status int, body string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(status)
			_, _ = io.WriteString(w, body)
		}
	}
	for name, c := range map[string]struct {
		serve  http.HandlerFunc
		unsent bool
		text   string
	}{
		"an error as MSG91 words it":   {answer(200, `{"message":"no balance for 919876543210","type":"error","code":"301"}`), true, "phone_code_unsent/refused: MSG91 refused a phone code: status 200, type error, code 301"},
		"an error with a number":       {answer(200, `{"type":"error","code":418}`), true, "code 418"},
		"an error with an odd code":    {answer(200, `{"type":"error","code":"9876543210"}`), true, "code none"},
		"an error without a code":      {answer(401, `{"type":"error","hasError":true}`), true, "status 401, type error, code none"},
		"a refusal without a body":     {answer(403, ""), true, "status 403, type unknown, code none"},
		"a type that repeats the code": {answer(200, `{"type":"012345"}`), false, "status 200, type unknown, code none"},
		"a success that is none":       {answer(500, `{"type":"success"}`), false, "status 500, type success, code none"},
		"a page":                       {answer(200, "<html>012345</html>"), false, "type unknown"},
		"an empty answer":              {answer(200, ""), false, "type unknown"},
		"another JSON":                 {answer(200, `[]`), false, "type unknown"},
		"a broken server":              {answer(502, "bad gateway"), false, "status 502"},
		"a redirect": {func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, fake.URL+"/stolen", http.StatusTemporaryRedirect)
		}, true, "status 307"},
		"an endless answer":   {endless, false, "type unknown"},
		"a broken connection": {func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }, false, "MSG91 cannot be reached: "},
		"an answer that breaks off": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "100")
			_, _ = io.WriteString(w, `{"type"`)
		}, false, "the answer of MSG91, status 200, broke off"},
	} {
		t.Run(name, func(t *testing.T) {
			fake.Intercept(c.serve)
			defer fake.Intercept(nil)
			before := fake.Requests()
			err := send(t, settings(fake.URL))
			require.ErrorContains(t, err, c.text)
			require.Equal(t, c.unsent, errors.Is(err, domain.ErrPhoneUnsent))
			require.Equal(t, before+1, fake.Requests(), "nothing is sent twice, or to where a redirect leads")
		})
	}
}

// endless answers until the client has read enough.
func endless(w http.ResponseWriter, r *http.Request) {
	for range 1000 {
		if _, err := io.WriteString(w, strings.Repeat(" ", 1<<14)); err != nil || r.Context().Err() != nil {
			return
		}
	}
}

func TestMSG91IsAway(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	address := listener.Addr().String()
	require.NoError(t, listener.Close())
	err = send(t, settings("http://"+address))
	require.ErrorContains(t, err, "MSG91 cannot be reached: ")
	require.NotErrorIs(t, err, domain.ErrPhoneUnsent)
}

// deadlineOf is a client's transport that never answers, and notes how long it may take.
type deadlineOf struct{ left time.Duration }

func (d *deadlineOf) RoundTrip(r *http.Request) (*http.Response, error) {
	at, _ := r.Context().Deadline()
	d.left = time.Until(at)
	return nil, context.DeadlineExceeded
}

func TestMSG91HasTenSeconds(t *testing.T) {
	transport := &deadlineOf{}
	s := settings("")
	err := New(s, &http.Client{Transport: transport}, nil).SendCode(t.Context(), number, code)
	require.Error(t, err)
	requireNoCanary(t, err.Error())
	require.LessOrEqual(t, transport.left, 10*time.Second)
	require.Positive(t, transport.left)

	ended, cancel := context.WithCancel(t.Context())
	cancel()
	err = New(s, &http.Client{Transport: transport}, nil).SendCode(ended, number, code)
	require.EqualError(t, err, "MSG91 did not answer in time: context canceled")
}

// toAddress notes where requests go.
type toAddress struct{ url, body string }

func (a *toAddress) RoundTrip(r *http.Request) (*http.Response, error) {
	text, _ := io.ReadAll(r.Body)
	a.url, a.body = r.URL.String(), string(text)
	return &http.Response{StatusCode: 200, Body: io.NopCloser(strings.NewReader(`{"type":"success"}`))}, nil
}

// Addresses are in the logs of proxies.
func TestTheAddressHasNeitherNumberNorCode(t *testing.T) {
	transport := &toAddress{}
	require.NoError(t, New(settings(""), &http.Client{Transport: transport}, nil).SendCode(t.Context(), number, code))
	require.Equal(t, "https://control.msg91.com/api/v5/otp", transport.url)
	require.JSONEq(t, `{"template_id":"`+msg91.Template+`","mobile":"919876543210","otp":"012345","otp_expiry":10}`, transport.body)
}

func TestACodeGoesToTheLog(t *testing.T) {
	var log bytes.Buffer
	sender := New(config.OTP{Way: config.OTPLog}, nil, slog.New(slog.NewJSONHandler(&log, &slog.HandlerOptions{Level: slog.LevelWarn})))
	require.True(t, sender.Enabled())
	require.NoError(t, sender.SendCode(t.Context(), number, code))
	require.Contains(t, log.String(), `"number":"+91 ••••• ••210","code":"012345"`)
	_, said, _ := strings.Cut(log.String(), `"level"`) // the time before it may have the same digits
	require.NotContains(t, said, "98765")
}

func TestNothingIsSentUnlessItIsSet(t *testing.T) {
	for _, s := range []config.OTP{{}, {Way: config.OTPOff}} {
		sender := New(s, nil, nil)
		require.False(t, sender.Enabled())
		require.ErrorIs(t, sender.SendCode(t.Context(), number, code), domain.ErrPhoneUnsent)
	}
}
