package cli

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"milaan/domain"
	"milaan/ports"
)

// phoned is ports.VerifyingPhones in memory.
type phoned struct {
	*managed
	state ports.PhoneState
	asked []string
	fault error
}

func (p *phoned) CanSend() bool { return p.state.CanSend }

func (p *phoned) State(_ context.Context, a domain.Account) (ports.PhoneState, error) {
	p.asked = append(p.asked, "state "+a.ID)
	return p.state, p.fault
}

func (p *phoned) Send(_ context.Context, a domain.Account, number string, by domain.Actor) (ports.PhoneCodeSent, error) {
	p.asked = append(p.asked, "send "+a.ID+" "+number+" "+string(by.Way))
	at := today.Start().Add(15 * time.Hour)
	return ports.PhoneCodeSent{Until: at.Add(10 * time.Minute), NextAt: at.Add(time.Minute)}, p.fault
}

func (p *phoned) Verify(_ context.Context, a domain.Account, code string, by domain.Actor) error {
	p.asked = append(p.asked, "verify "+a.ID+" "+code+" "+string(by.Way))
	return p.fault
}

func (p *phoned) deps() Deps {
	return Deps{Open: opens(&p.closed, as[ports.ManagingAccounts](p), as[ports.VerifyingPhones](p))}
}

func newPhoned() *phoned {
	p := &phoned{managed: newManaged()}
	p.accounts[asha] = domain.Account{ID: "1", Email: asha}
	return p
}

func TestPhoneCommands(t *testing.T) {
	p := newPhoned()
	got := run(p.deps(), "account", "phone", "--email", asha)
	require.Equal(t, ran{stdout: `{
  "email": "asha@shop.example",
  "verified": false,
  "number": null,
  "can_send": false,
  "code_open_until": null,
  "next_send_at": null
}
`}, got)
	p.state = ports.PhoneState{Verified: true, Number: "+919876543210", CanSend: true, OpenUntil: today.Start().Add(15 * time.Hour), NextAt: today.Start().Add(14*time.Hour + 51*time.Minute)}
	got = run(p.deps(), "account", "phone", "--email", asha)
	require.JSONEq(t, `{"email":"asha@shop.example","verified":true,"number":"+91 ••••• ••210","can_send":true,"code_open_until":"2026-11-21T09:30:00Z","next_send_at":"2026-11-21T09:21:00Z"}`, got.stdout)
	got = run(p.deps(), "account", "phone", "send", "--email", asha, "--number", "+91 98765 43210")
	require.JSONEq(t, `{"email":"asha@shop.example","until":"2026-11-21T09:40:00Z","next_send_at":"2026-11-21T09:31:00Z"}`, got.stdout)
	require.Equal(t, ran{stdout: "The phone number is verified.\n"}, run(p.deps(), "account", "phone", "verify", "--email", asha, "--code", "123456"))
	require.Equal(t, []string{"state 1", "state 1", "send 1 +91 98765 43210 command_line", "verify 1 123456 command_line"}, p.asked)
	require.Equal(t, 4, p.closed)
}

func TestPhoneCommandsFail(t *testing.T) {
	p := newPhoned()
	for want, arguments := range map[string][]string{
		"--email is required":                                             {"account", "phone"},
		"--number is required, such as +91 98765 43210":                   {"account", "phone", "send", "--email", asha},
		"--code is required: the digits of the message":                   {"account", "phone", "verify", "--email", asha},
		`unknown command "sent": did you mean milaan account phone send?`: {"account", "phone", "sent", "--email", asha},
	} {
		run(p.deps(), arguments...).refused(t, ExitUsage, want)
	}
	require.Empty(t, p.asked)
	run(p.deps(), "account", "phone", "--email", "ravi@shop.example").refused(t, ExitFailed, "no account has this e-mail address")
	p.fault = domain.ErrPhoneGuess(3)
	for _, command := range [][]string{{"phone"}, {"phone", "send", "--number", "x"}, {"phone", "verify", "--code", "x"}} {
		got := run(p.deps(), append(append([]string{"account"}, command...), "--email", asha)...)
		got.refused(t, ExitFailed, "compare it with the latest message, or ask for a new code; tries left: 3")
	}
	p.fault = domain.Faults{{Field: domain.FieldPhoneNumber, Rule: domain.RulePhone}}.Err()
	require.Contains(t, run(p.deps(), "account", "phone", "send", "--email", asha, "--number", "x").stderr, "--number must be a mobile number of India")
}
