package service

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"milaan/config"
	"milaan/domain"
	"milaan/tests/fakes/msg91"
)

// phones is a service that sends its codes to a fake of MSG91.
type phones struct {
	*Service
	sms *msg91.Server
}

// phoneKeys are the secret of all instances.
var phoneKeys = config.SecretKeys{bytes.Repeat([]byte{1}, 32)}

func startPhones(t *testing.T, o Options) phones {
	t.Helper()
	sms := msg91.New(t)
	o.Settings = func(c *config.Config) {
		c.Secrets.Keys = phoneKeys
		c.OTP = config.OTP{Way: config.OTPMSG91, PerHour: 100, MSG91AuthKey: msg91.AuthKey, MSG91Template: msg91.Template, MSG91URL: sms.URL}
	}
	return phones{Start(t, o), sms}
}

// newMerchant is an account that has nothing but an e-mail address.
func (p phones) newMerchant(t *testing.T) *Customer {
	t.Helper()
	return p.Account(t, func(a *domain.Account) { a.PhoneVerified, a.Subscription = false, domain.SubscriptionIncomplete })
}

// asker asks for an account as a page or as a program does.
type asker func(t testing.TB, method, path string, body any) Answer

// askers are both ways.
func (c *Customer) askers(t *testing.T) map[string]asker {
	t.Helper()
	b, session := c.SignIn(t), c.Session(t)
	return map[string]asker{
		"a page": func(t testing.TB, method, path string, body any) Answer {
			return b.Send(t, method, "/app/api"+path, body)
		},
		"a program": func(t testing.TB, method, path string, body any) Answer {
			if body == nil {
				return c.service.Get(t, path, "Authorization", "Bearer "+session)
			}
			return c.service.Do(t, c.service.Request(t, method, path, bytes.NewReader(encoded(t, body)), "Content-Type", "application/json", "Authorization", "Bearer "+session))
		},
	}
}

func encoded(t testing.TB, body any) []byte {
	t.Helper()
	text, err := json.Marshal(body)
	if err != nil {
		t.Errorf("the request cannot be encoded: %v", err)
	}
	return text
}

// refusedBy holds the error of an answer, for pages and for programs.
func refusedBy(t *testing.T, a Answer, status int, message string) {
	t.Helper()
	require.Equal(t, status, a.Status, string(a.Body))
	require.Contains(t, string(a.Body), `"error":"`+message)
}

const phonePath, verifyPath = "/account/phone", "/account/phone/verify"

// wrongCode is the i-th code that is not this one.
func wrongCode(code string, i int) Body {
	n := 0
	_, _ = fmt.Sscan(strings.TrimLeft(code, "0"), &n)
	return Body{"code": fmt.Sprintf("%06d", (n+1+i)%1_000_000)}
}

func TestPhones(t *testing.T) {
	onBoth(t, func(t *testing.T, db database) {
		p := startPhones(t, Options{DatabaseURL: db(t)})
		t.Run("a phone is verified by a code, by a page and by a program", func(t *testing.T) {
			for _, by := range []string{"a page", "a program"} {
				number := "98765432" + fmt.Sprint(10+len(by))
				c := p.newMerchant(t)
				ask := c.askers(t)[by]
				p.IssueKey(t, c.Session(t)).Refused(t, 403, "phone_not_verified: ")
				a := ask(t, "GET", phonePath, nil)
				require.JSONEq(t, `{"verified":false,"number":null,"can_send":true,"code_open_until":null,"next_send_at":null}`, string(a.Body))
				require.Equal(t, "no-store", a.Header.Get("Cache-Control"))

				now := p.Clock.Now()
				a = ask(t, "POST", phonePath, Body{"number": "0" + number})
				require.Equal(t, http.StatusAccepted, a.Status, string(a.Body))
				require.JSONEq(t, `{"until":"`+instant(now.Add(10*time.Minute))+`","next_send_at":"`+instant(now.Add(time.Minute))+`"}`, string(a.Body))
				sent := p.sms.Last()
				require.Equal(t, "91"+number, sent.Mobile)
				require.JSONEq(t, `{"verified":false,"number":null,"can_send":true,"code_open_until":"`+instant(now.Add(10*time.Minute))+`","next_send_at":"`+instant(now.Add(time.Minute))+`"}`, string(ask(t, "GET", phonePath, nil).Body))

				refusedBy(t, ask(t, "POST", verifyPath, wrongCode(sent.Code, 0)), 400, "this code does not verify the number: compare it with the latest message, or ask for a new code; tries left: 4")
				refusedBy(t, ask(t, "POST", verifyPath, Body{"code": "12345"}), 400, map[string]string{"a page": "the code must be the 6 digits of the message", "a program": "code must be the 6 digits of the message"}[by])
				a = ask(t, "POST", verifyPath, Body{"code": sent.Code})
				require.JSONEq(t, `{"verified":true}`, string(a.Body))
				require.JSONEq(t, `{"verified":true,"number":"+91 ••••• ••2`+number[8:]+`","can_send":true,"code_open_until":null,"next_send_at":"`+instant(now.Add(time.Minute))+`"}`, string(ask(t, "GET", phonePath, nil).Body))
				refusedBy(t, ask(t, "POST", verifyPath, Body{"code": sent.Code}), 400, "this code does not verify the number: it is wrong")

				p.IssueKey(t, c.Session(t)).Refused(t, 403, "account setup incomplete")
				c.Change(t, func(a *domain.Account) { a.Subscription = domain.SubscriptionActive })
				c.Rotate(t)
				c.Run(t, Small())
				way := map[string]string{"a page": "dashboard", "a program": "api"}[by]
				require.Subset(t, c.SignIn(t).securityLog(t), []string{"phone_code_sent " + way, "phone_verified " + way})
			}
		})
		t.Run("neither numbers nor codes are anywhere", func(t *testing.T) {
			canaries, codes := []string{msg91.AuthKey}, []string{}
			for _, m := range p.sms.Sent() {
				canaries = append(canaries, m.Mobile, m.Mobile[2:])
				codes = append(codes, m.Code)
				requireNone(t, "the log", p.Log.String(), []string{`"` + m.Code + `"`, "=" + m.Code, " " + m.Code + " "})
			}
			for table, rows := range p.Tables(t) {
				for _, row := range rows {
					for _, cell := range row {
						require.NotContains(t, codes, cell, table)
					}
				}
			}
			canaries = append(canaries, "70412 58391", "7218364905")
			requireNone(t, "the log", p.Log.String(), canaries)
			requireNone(t, "the metrics", string(p.Get(t, "/metrics").Body), canaries)
			p.databaseHoldsNone(t, canaries)
			if p.DatabaseURL == "" {
				p.diskHoldsNone(t, canaries)
			}
			require.Contains(t, fmt.Sprint(p.Query(t, "SELECT subject FROM rate_windows")), "day:phone-number:")
		})
	})
}

// TestNoCodes holds what a service does that sends none, and one that writes them to its log.
func TestNoCodes(t *testing.T) {
	t.Parallel()
	s := Start(t, Options{})
	c := s.Account(t, func(a *domain.Account) { a.PhoneVerified = false })
	for _, ask := range c.askers(t) {
		require.JSONEq(t, `{"verified":false,"number":null,"can_send":false,"code_open_until":null,"next_send_at":null}`, string(ask(t, "GET", phonePath, nil).Body))
		refusedBy(t, ask(t, "POST", phonePath, Body{"number": "7418364904"}), 404, "this service sends no phone codes: ask its operator to verify the number")
		refusedBy(t, ask(t, "POST", verifyPath, Body{"code": "123456"}), 400, "this code does not verify the number: it is wrong")
	}
	require.Contains(t, string(c.SignIn(t).Get(t, "/app/api/me").Body), `"phone_codes":false`)
	c.Change(t, func(a *domain.Account) { a.PhoneVerified = true })
	require.JSONEq(t, `{"verified":true,"number":null,"can_send":false,"code_open_until":null,"next_send_at":null}`, string(c.SignIn(t).Get(t, "/app/api/account/phone").Body))

	s = Start(t, Options{Settings: func(c *config.Config) { c.OTP.Way = config.OTPLog }})
	c = s.Account(t, func(a *domain.Account) { a.PhoneVerified = false })
	ask := c.askers(t)["a page"]
	require.Contains(t, string(c.SignIn(t).Get(t, "/app/api/me").Body), `"phone_codes":true`)
	require.Equal(t, http.StatusAccepted, ask(t, "POST", phonePath, Body{"number": "7418364904"}).Status)
	_, line, _ := strings.Cut(s.Log.String(), `"number":"+91 ••••• ••904","code":"`)
	require.Equal(t, http.StatusOK, ask(t, "POST", verifyPath, Body{"code": line[:6]}).Status)
	requireNone(t, "the log", s.Log.String(), []string{"7418364904"})
}
