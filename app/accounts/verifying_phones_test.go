package accounts_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"milaan/adapters/secrets"
	"milaan/app"
	"milaan/app/accounts"
	"milaan/app/runs"
	"milaan/domain"
	"milaan/ports"
	"milaan/tests/fakes/storage"
	"milaan/tests/only"
)

// phoneBench is the use case with a sender that keeps the codes.
type phoneBench struct {
	*storage.Store
	off     bool
	refusal error // of the sender
	perHour int

	mu   sync.Mutex
	sent []sentTo
}

type sentTo struct {
	number domain.PhoneNumber
	code   domain.PhoneCode
	cut    bool // the caller has left
}

func (b *phoneBench) Enabled() bool { return !b.off }

func (b *phoneBench) SendCode(ctx context.Context, number domain.PhoneNumber, code domain.PhoneCode) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.sent = append(b.sent, sentTo{number, code, ctx.Err() != nil})
	return b.refusal
}

// unverified is an account whose phone and subscription are missing.
func unverified() domain.Account {
	a := storage.ProAccount()
	a.PhoneVerified, a.Subscription = false, domain.SubscriptionIncomplete
	return a
}

func newPhoneBench(t testing.TB) *phoneBench {
	t.Helper()
	return &phoneBench{Store: storage.New(t, unverified()), perHour: 200}
}

func (b *phoneBench) useCaseWith(subkeys ports.Subkeys, names ports.Pseudonyms) *accounts.VerifyingPhones {
	return &accounts.VerifyingPhones{
		Phones: b.Phones, Sender: b, PerHour: ports.PhoneCodesPerHour(b.perHour), Windows: b.Windows, Names: names, Subkeys: subkeys, Clock: b.Clock,
	}
}

func (b *phoneBench) useCase() *accounts.VerifyingPhones { return b.useCaseWith(b.Secrets, b.Secrets) }

const anyNumber = "+91 98765 43210"

func (b *phoneBench) send(number string) string {
	b.T.Helper()
	require.NoError(b.T, only.Err(b.useCase().Send(b.T.Context(), b.Account, number, domain.ByDashboard)))
	return b.sent[len(b.sent)-1].code.Reveal()
}

func (b *phoneBench) verify(code string) error {
	return b.useCase().Verify(b.T.Context(), b.Account, code, domain.ByDashboard)
}

func (b *phoneBench) state() ports.PhoneState {
	b.T.Helper()
	stored := only.Value(b.Accounts.ByID(b.T.Context(), b.Account.ID))(b.T)
	return only.Value(b.useCase().State(b.T.Context(), stored))(b.T)
}

// sweep deletes what has expired.
func (b *phoneBench) sweep() error {
	house := app.Housekeeping{Delete: b.Sweep, Running: runs.RunningBatches{Jobs: b.Batches, Runs: b.Runs, Clock: b.Clock}, Clock: b.Clock}
	return house.Sweep(b.T.Context())
}

func wrong(code string) string {
	if code == "000000" {
		return "000001"
	}
	return "000000"
}

func TestAPhoneIsVerifiedByItsCode(t *testing.T) {
	t.Parallel()
	b := newPhoneBench(t)
	require.Equal(t, ports.PhoneState{CanSend: true}, b.state())
	sent := only.Value(b.useCase().Send(t.Context(), b.Account, anyNumber, domain.ByAPI))(t)
	require.Equal(t, ports.PhoneCodeSent{Until: b.Now.Add(10 * time.Minute), NextAt: b.Now.Add(time.Minute)}, sent)
	require.Equal(t, domain.PhoneNumber("+919876543210"), b.sent[0].number)
	require.Equal(t, ports.PhoneState{CanSend: true, OpenUntil: sent.Until, NextAt: sent.NextAt}, b.state())

	code := b.sent[0].code.Reveal()
	b.Now = b.Now.Add(time.Second)
	require.NoError(t, b.useCase().Verify(t.Context(), b.Account, " "+code[:3]+"-"+code[3:]+"\n", domain.ByCommandLine))
	require.Equal(t, ports.PhoneState{Verified: true, Number: "+919876543210", CanSend: true, NextAt: sent.NextAt}, b.state())
	require.Equal(t, []storage.Logged{{Kind: domain.SecurityPhone, Detail: "", By: domain.ByCommandLine}, {Kind: domain.SecurityPhoneCode, Detail: "", By: domain.ByAPI}}, b.SecurityLog())
	stored := only.Value(b.Accounts.ByID(t.Context(), b.Account.ID))(t)
	require.ErrorIs(t, stored.MayUseAPI(b.Now), domain.ErrSetup, "the subscription is next")

	require.ErrorIs(t, b.verify(code), domain.ErrPhoneCode, "OWASP ASVS 5.0, 6.5.1: a code can be used once")
}

func TestAVerifiedNumberHoldsUntilTheNextIs(t *testing.T) {
	t.Parallel()
	b := newPhoneBench(t)
	require.NoError(t, b.verify(b.send(anyNumber)))
	b.Now = b.Now.Add(time.Minute)
	code := b.send("6123456789")
	require.Equal(t, domain.PhoneNumber("+919876543210"), b.state().Number)
	require.Error(t, b.verify(wrong(code)))
	require.True(t, b.state().Verified)
	require.NoError(t, b.verify(code))
	require.Equal(t, domain.PhoneNumber("+916123456789"), b.state().Number)
}

// OWASP ASVS 5.0, 6.5.6: what verified the account can be taken back, by the operator.
func TestANumberThatDoesNotHoldIsNotShown(t *testing.T) {
	t.Parallel()
	b := newPhoneBench(t)
	require.NoError(t, b.verify(b.send(anyNumber)))
	b.Change(func(a *domain.Account) { a.PhoneVerified = false })
	b.Now = b.Now.Add(time.Minute)
	require.Equal(t, ports.PhoneState{CanSend: true}, b.state())
	b.Change(func(a *domain.Account) { a.PhoneVerified = true })
	require.Equal(t, domain.PhoneNumber("+919876543210"), b.state().Number)
}

// OWASP ASVS 5.0, 6.6.3: guesses are limited. All that may be wrong with a code has one error.
func TestFiveGuessesAreJudged(t *testing.T) {
	t.Parallel()
	b := newPhoneBench(t)
	guess := func(code string) *domain.Error {
		t.Helper()
		var e *domain.Error
		require.ErrorAs(t, b.verify(code), &e)
		require.ErrorIs(t, e, domain.ErrPhoneCode)
		require.Equal(t, domain.KindInvalid, e.Kind)
		return e
	}
	unknown := guess("123456")
	require.Zero(t, unknown.Limit, "no code was sent")
	code := b.send(anyNumber)
	for left := 4; left > 0; left-- {
		require.Equal(t, left, guess(wrong(code)).Limit)
	}
	require.Equal(t, unknown, guess(wrong(code)), "the fifth")
	require.Equal(t, unknown, guess(code), "the right code is not judged any more")
	require.Zero(t, b.state().OpenUntil, "no code is open")

	b.Now = b.Now.Add(time.Minute)
	next := b.send(anyNumber)
	if next != code {
		require.Equal(t, 4, guess(code).Limit, "OWASP ASVS 5.0, 6.6.2: the former code is of no use for the next request")
	}
	require.NoError(t, b.verify(next))
	require.Equal(t, unknown, guess(next))
}

func TestTextsThatAreNoCodesAreNotJudged(t *testing.T) {
	t.Parallel()
	b := newPhoneBench(t)
	code := b.send(anyNumber)
	for range 10 {
		for _, text := range []string{"", "12345", "1234567", "abcdef", strings.Repeat("1", 1<<16)} {
			err := b.verify(text)
			require.Equal(t, domain.Faults{{Field: domain.FieldPhoneCode, Rule: domain.RulePhoneCode, Max: 6}}, domain.FaultsOf(err))
		}
	}
	require.NoError(t, b.verify(code))
}

func TestCodesHaveRates(t *testing.T) {
	t.Parallel()
	b := newPhoneBench(t)
	start := b.Now
	send := func(after time.Duration, account domain.Account, number string) error {
		b.Now = start.Add(after)
		_, err := b.useCase().Send(t.Context(), account, number, domain.ByDashboard)
		return err
	}
	other := unverified()
	other.ID, other.Email = "account-2", "ravi@shop.example"
	require.NoError(t, b.Accounts.Create(t.Context(), other))

	require.NoError(t, send(0, b.Account, anyNumber))
	storage.RequireWait(t, send(0, b.Account, "6123456789"), time.Minute)
	storage.RequireWait(t, send(0, other, "09876543210"), time.Minute)
	require.NoError(t, send(0, other, "6123456789"), "what the number refused has not used the account up")
	storage.RequireWait(t, send(time.Minute-1, b.Account, anyNumber), time.Nanosecond)
	for i := range 4 {
		require.NoError(t, send(time.Duration(i+1)*time.Minute, b.Account, anyNumber))
	}
	require.Len(t, b.sent, 6)
	storage.RequireWait(t, send(time.Hour, b.Account, "7123456789"), 23*time.Hour)
	storage.RequireWait(t, send(time.Hour, other, anyNumber), 23*time.Hour)
	require.NoError(t, send(time.Hour, other, "7123456789"))

	require.NoError(t, b.sweep())
	storage.RequireWait(t, send(24*time.Hour-1, b.Account, anyNumber), time.Nanosecond)
	require.NoError(t, b.sweep())
	storage.RequireWait(t, send(24*time.Hour-1, b.Account, anyNumber), time.Nanosecond)
	require.NoError(t, send(24*time.Hour, b.Account, anyNumber))
	require.Len(t, b.sent, 8)
}

// Somebody with many accounts and many numbers cannot spend more than the operator allows.
func TestTheServiceHasARateOfCodes(t *testing.T) {
	t.Parallel()
	b := newPhoneBench(t)
	b.perHour = 3
	send := func(i int) error {
		account := unverified()
		account.ID, account.Email = fmt.Sprint("attacker-", i), fmt.Sprintf("attacker-%d@shop.example", i)
		require.NoError(t, b.Accounts.Create(t.Context(), account))
		_, err := b.useCase().Send(t.Context(), account, fmt.Sprintf("98765432%02d", i), domain.ByAPI)
		return err
	}
	for i := range 3 {
		b.Now = b.Now.Add(time.Minute)
		require.NoError(t, send(i))
	}
	b.Now = b.Now.Add(time.Minute)
	var e *domain.Error
	require.ErrorAs(t, send(3), &e)
	require.ErrorIs(t, e, domain.ErrPhoneUnsent)
	require.Equal(t, 57*time.Minute, e.RetryAfter)
	require.EqualError(t, e, "phone_code_unsent: as many phone codes were sent in the last hour as the operator allows")
	b.Now = b.Now.Add(57 * time.Minute)
	require.NoError(t, send(4))
}

func TestWhatIsNotSent(t *testing.T) {
	t.Parallel()
	b := newPhoneBench(t)
	b.off = true
	require.False(t, b.useCase().CanSend())
	require.ErrorIs(t, only.Err(b.useCase().Send(t.Context(), b.Account, anyNumber, domain.ByDashboard)), domain.ErrPhoneCodesOff)
	require.Equal(t, ports.PhoneState{}, b.state())
	b.off = false
	_, err := b.useCase().Send(t.Context(), b.Account, "+1 202 555 0100", domain.ByDashboard)
	require.Equal(t, domain.Faults{{Field: domain.FieldPhoneNumber, Rule: domain.RulePhone}}, domain.FaultsOf(err))
	require.Empty(t, b.sent)
	require.Empty(t, storage.Column[string](b.Store, "SELECT subject FROM rate_windows"), "neither counts")

	b.refusal = domain.ErrPhoneUnsent.Caused(errors.New("no balance"))
	require.Same(t, b.refusal, only.Err(b.useCase().Send(t.Context(), b.Account, anyNumber, domain.ByDashboard)))
	require.Zero(t, b.state().OpenUntil, "nobody is asked for a code that was not sent")
	b.Now = b.Now.Add(time.Minute)
	b.refusal = errors.New("MSG91 did not answer in time")
	require.EqualError(t, only.Err(b.useCase().Send(t.Context(), b.Account, anyNumber, domain.ByDashboard)), "phone_code_unsent: MSG91 did not answer in time")
	require.NoError(t, b.verify(b.sent[1].code.Reveal()), "it may have arrived all the same")
}

func TestACodeThatWasRefusedUsesUpNoWait(t *testing.T) {
	t.Parallel()
	b := newPhoneBench(t)
	other := unverified()
	other.ID, other.Email = "account-2", "ravi@shop.example"
	require.NoError(t, b.Accounts.Create(t.Context(), other))
	send := func(account domain.Account, number string) error {
		_, err := b.useCase().Send(t.Context(), account, number, domain.ByDashboard)
		return err
	}
	refusal := domain.ErrPhoneRefused.Caused(errors.New("no such number"))

	b.refusal = refusal
	require.ErrorIs(t, send(b.Account, anyNumber), domain.ErrPhoneUnsent)
	require.Zero(t, b.state().NextAt)
	b.refusal = nil
	require.NoError(t, send(b.Account, anyNumber))
	require.Equal(t, b.Now.Add(time.Minute), b.state().NextAt)
	storage.RequireWait(t, send(b.Account, "6123456789"), time.Minute)
	storage.RequireWait(t, send(other, anyNumber), time.Minute)

	// A refusal gives back its own wait alone: that of a code which was sent stays.
	b.refusal = refusal
	b.Now = b.Now.Add(30 * time.Second)
	storage.RequireWait(t, send(b.Account, "6123456789"), 30*time.Second)
	require.ErrorIs(t, send(other, "6123456789"), domain.ErrPhoneUnsent)
	b.refusal = nil
	storage.RequireWait(t, send(b.Account, "6123456789"), 30*time.Second)
	storage.RequireWait(t, send(other, anyNumber), 30*time.Second)
	require.NoError(t, send(other, "6123456789"))

	// It is not known whether a code was sent that the provider did not answer about.
	b.Now = b.Now.Add(time.Minute)
	b.refusal = errors.New("MSG91 did not answer in time")
	require.ErrorIs(t, send(b.Account, anyNumber), domain.ErrPhoneUnsent)
	storage.RequireWait(t, send(b.Account, anyNumber), time.Minute)
}

// Somebody who makes the provider refuse asks it no more often than somebody whose codes are
// sent: five times in 24 hours for an account and for a number.
func TestRefusedCodesCountTowardsTheDay(t *testing.T) {
	t.Parallel()
	b := newPhoneBench(t)
	b.refusal = domain.ErrPhoneRefused.Caused(errors.New("no such number"))
	b.perHour = 6
	start := b.Now
	send := func(after time.Duration, account domain.Account, number string) error {
		b.Now = start.Add(after)
		_, err := b.useCase().Send(t.Context(), account, number, domain.ByAPI)
		return err
	}
	accounts := make([]domain.Account, 3)
	for i := range accounts {
		accounts[i] = unverified()
		accounts[i].ID, accounts[i].Email = fmt.Sprint("attacker-", i), fmt.Sprintf("attacker-%d@shop.example", i)
		require.NoError(t, b.Accounts.Create(t.Context(), accounts[i]))
	}
	for i := range 5 {
		require.ErrorIs(t, send(time.Duration(i), accounts[0], anyNumber), domain.ErrPhoneUnsent)
	}
	day := 24*time.Hour - 4
	storage.RequireWait(t, send(4, accounts[0], "6123456789"), day)
	storage.RequireWait(t, send(4, accounts[1], anyNumber), day)
	require.Len(t, b.sent, 5)
	require.ErrorIs(t, send(4, accounts[1], "6123456789"), domain.ErrPhoneUnsent)
	var e *domain.Error
	require.ErrorAs(t, send(4, accounts[2], "7123456789"), &e)
	require.Equal(t, time.Hour-4, e.RetryAfter, "and as often as the operator allows")
	require.Len(t, b.sent, 6)
	storage.RequireWait(t, send(24*time.Hour-time.Microsecond, accounts[0], "7123456789"), time.Microsecond)
	require.ErrorIs(t, send(24*time.Hour, accounts[0], "7123456789"), domain.ErrPhoneUnsent)
}

func TestACodeIsSentAlthoughTheCallerLeaves(t *testing.T) {
	t.Parallel()
	b := newPhoneBench(t)
	ctx, leave := context.WithCancel(t.Context())
	b.Fault = func(operation string) error {
		if operation == "after put code" {
			leave()
		}
		return nil
	}
	require.NoError(t, only.Err(b.useCase().Send(ctx, b.Account, anyNumber, domain.ByDashboard)))
	require.False(t, b.sent[0].cut)
}

func TestFaultsOfStorageBelongToNobodysPhone(t *testing.T) {
	t.Parallel()
	away := errors.New("no route to db-7")
	for _, operation := range []string{"window", "put code", "after put code"} {
		b := newPhoneBench(t)
		b.Fault = storage.Failing(operation, away)
		require.ErrorIs(t, only.Err(b.useCase().Send(t.Context(), b.Account, anyNumber, domain.ByDashboard)), away, operation)
		require.Empty(t, b.sent, "no code goes out that may not be stored")
	}
	b := newPhoneBench(t)
	b.refusal, b.Fault = domain.ErrPhoneUnsent, storage.Failing("drop code", away)
	require.ErrorIs(t, only.Err(b.useCase().Send(t.Context(), b.Account, anyNumber, domain.ByDashboard)), away)
	b.Fault = storage.Failing("phone", away)
	require.ErrorIs(t, only.Err(b.useCase().State(t.Context(), b.Account)), away)
	for _, operation := range []string{"check code", "after check code", "confirm", "after confirm"} {
		b := newPhoneBench(t)
		code := b.send(anyNumber)
		b.Fault = storage.Failing(operation, away)
		require.ErrorIs(t, b.verify(code), away, operation)
		b.Fault = storage.Failing("", nil)
		verified := operation == "after confirm"
		require.Equal(t, verified, b.state().Verified, operation)
		if !verified {
			require.NoError(t, b.verify(code), "a check was counted at most, and the code can still be used")
		}
	}
	gone := unverified()
	gone.ID = "closed"
	b = newPhoneBench(t)
	require.ErrorIs(t, only.Err(b.useCase().Send(t.Context(), gone, "6123456789", domain.ByDashboard)), domain.ErrNoAccount)
	require.ErrorIs(t, b.useCase().Verify(t.Context(), gone, "123456", domain.ByDashboard), domain.ErrPhoneCode)
}

// A code that was sent before the service's secret was changed stays valid.
func TestCodesOutliveAChangeOfTheSecret(t *testing.T) {
	t.Parallel()
	b := newPhoneBench(t)
	code := b.send(anyNumber)
	changed := secrets.New([]byte("another thirty-two bytes of this"), []byte("thirty-two bytes of a test's own"))
	lost := secrets.New([]byte("another thirty-two bytes of this"))
	require.ErrorIs(t, b.useCaseWith(lost, lost).Verify(t.Context(), b.Account, code, domain.ByDashboard), domain.ErrPhoneCode)
	require.NoError(t, b.useCaseWith(changed, changed).Verify(t.Context(), b.Account, code, domain.ByDashboard))
}

// Whatever is done in whatever order: a phone is verified only by the latest code, within its
// time, and by one of five guesses.
func TestPhonesAgainstAModel(t *testing.T) {
	t.Parallel()
	b := newPhoneBench(t)
	rapid.Check(t, func(rt *rapid.T) {
		b.Now = b.Now.Add(48 * time.Hour)
		b.Change(func(a *domain.Account) { a.PhoneVerified = false })
		require.NoError(rt, only.Err(b.Behind.ExecContext(t.Context(), "DELETE FROM phone_codes")))
		var code string
		var sentAt time.Time
		var sends []time.Time
		left := 0
		for range rapid.IntRange(1, 15).Draw(rt, "steps") {
			switch rapid.SampledFrom([]string{"send", "wait", "wrong", "wrong", "right"}).Draw(rt, "step") {
			case "wait":
				b.Now = b.Now.Add(rapid.SampledFrom([]time.Duration{time.Second, time.Minute, 10*time.Minute - time.Second, time.Hour}).Draw(rt, "time"))
			case "send":
				sends = slices.DeleteFunc(sends, func(at time.Time) bool { return b.Now.Sub(at) >= 24*time.Hour })
				may := len(sends) < 5 && (len(sends) == 0 || b.Now.Sub(sends[len(sends)-1]) >= time.Minute)
				_, err := b.useCase().Send(t.Context(), b.Account, anyNumber, domain.ByDashboard)
				require.Equal(rt, may, err == nil)
				if may {
					code, sentAt, left = b.sent[len(b.sent)-1].code.Reveal(), b.Now, 5
					sends = append(sends, b.Now)
				}
			case "wrong":
				if b.Now.Sub(sentAt) < 10*time.Minute && left > 0 {
					left--
				}
				require.ErrorIs(rt, b.verify(wrong(code)), domain.ErrPhoneCode)
			case "right":
				may := code != "" && left > 0 && b.Now.Sub(sentAt) < 10*time.Minute
				if code == "" {
					continue
				}
				require.Equal(rt, may, b.verify(code) == nil)
				if may {
					left = 0
				}
			}
		}
	})
}
