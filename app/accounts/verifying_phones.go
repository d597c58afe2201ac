package accounts

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"time"

	"go.uber.org/fx"

	"milaan/app/admission"
	"milaan/app/ids"
	"milaan/domain"
	"milaan/ports"
)

// VerifyingPhones verifies the phone numbers of accounts.
type VerifyingPhones struct {
	fx.In

	Phones  ports.Phones
	Sender  ports.OTPSender
	PerHour ports.PhoneCodesPerHour
	Windows ports.RateWindows // count for all instances of the service
	Names   ports.Pseudonyms  // keep numbers out of them
	Subkeys ports.Subkeys
	MaySend ports.MaySend
	Clock   ports.Clock
}

// keys returns the keys of codes. The first one is for new codes.
func (v *VerifyingPhones) keys() [][32]byte { return v.Subkeys.Subkeys("phone codes") }

func (v *VerifyingPhones) CanSend() bool { return v.Sender.Enabled() }

// State does not show the number of a verification that does not hold any more.
func (v *VerifyingPhones) State(ctx context.Context, account domain.Account) (ports.PhoneState, error) {
	phone, code, err := v.Phones.Of(ctx, account.ID, v.Clock())
	if err != nil {
		return ports.PhoneState{}, err
	}
	state := ports.PhoneState{Verified: account.PhoneVerified, CanSend: v.Sender.Enabled()}
	if account.PhoneVerified {
		state.Number = phone.Number
	}
	if code.ID != "" {
		state.OpenUntil = code.Until()
	}
	err = v.Windows.Update(ctx, admission.PhoneCodes.Of(account.ID), func(w domain.RateWindow) (domain.RateWindow, bool) {
		now := v.Clock()
		if _, wait, _ := domain.AdmitPhoneCode(w, now); wait > 0 {
			state.NextAt = now.Add(wait)
		}
		return w, false
	})
	return state, err
}

// Send stores the code before it sends it: no code is ever sent that could not be used.
// It is sent even if the caller leaves meanwhile.
func (v *VerifyingPhones) Send(ctx context.Context, account domain.Account, text string, by domain.Actor) (ports.PhoneCodeSent, error) {
	if !v.Sender.Enabled() {
		return ports.PhoneCodeSent{}, domain.ErrPhoneCodesOff
	}
	number, err := domain.ParsePhone(text)
	if err != nil {
		return ports.PhoneCodeSent{}, err
	}
	if err := v.MaySend.Check(ctx); err != nil {
		return ports.PhoneCodeSent{}, err
	}
	waits, err := v.admit(ctx, account.ID, number)
	if err != nil {
		return ports.PhoneCodeSent{}, err
	}
	code, err := domain.DrawPhoneCode(rand.Reader)
	if err != nil {
		return ports.PhoneCodeSent{}, fmt.Errorf("draw a phone code: %w", err)
	}
	now := v.Clock()
	sent := domain.SentCode{ID: ids.New(), AccountID: account.ID, Number: number, SentAt: now}
	sent.Hash = sent.HashOf(code, v.keys()[0])
	if err := v.Phones.Put(ctx, sent, admission.NewEvent(domain.SecurityEvent{At: now, Kind: domain.SecurityPhoneCode,
		By: by})); err != nil {
		return ports.PhoneCodeSent{}, err
	}
	ctx = context.WithoutCancel(ctx)
	if err := v.Sender.SendCode(ctx, number, code); errors.Is(err, domain.ErrPhoneUnsent) {
		// Nobody is asked for a code that never comes, or waits because of it.
		return ports.PhoneCodeSent{}, cmp.Or(v.Phones.Drop(ctx, account.ID, sent.ID), v.giveBack(ctx, waits), err)
	} else if err != nil {
		return ports.PhoneCodeSent{}, domain.ErrPhoneUnsent.Caused(err)
	}
	return ports.PhoneCodeSent{Until: sent.Until(), NextAt: now.Add(domain.PhoneSendRate.Span)}, nil
}

// errManyCodes is for the log.
var errManyCodes = errors.New("as many phone codes were sent in the last hour as the operator allows")

// countedWait is a window in which a code was counted, and when.
type countedWait struct {
	subject string
	at      time.Time
}

// admit counts a code towards the rates of its account, of its number and of the service, and
// returns the first two. It looks at all of them before it counts any, so that a refused request
// uses nothing up, unless another request comes in between.
func (v *VerifyingPhones) admit(ctx context.Context, accountID string, number domain.PhoneNumber) (waits []countedWait, err error) {
	service := domain.Rate{Limit: int(v.PerHour), Span: time.Hour}
	for _, counts := range []bool{false, true} {
		for _, limit := range []struct {
			subject string
			admit   func(domain.RateWindow, time.Time) (domain.RateWindow, time.Duration, bool)
			refused func(wait time.Duration) error
		}{
			{admission.PhoneCodes.Of(accountID), domain.AdmitPhoneCode, refusedByRate},
			{admission.NumberCodes.Of(v.Names.Of("phone number " + number.Reveal())), domain.AdmitPhoneCode, refusedByRate},
			{admission.AllPhoneCodes, service.Admit, refusedByService},
		} {
			var wait time.Duration
			var at time.Time
			err := v.Windows.Update(ctx, limit.subject, func(w domain.RateWindow) (next domain.RateWindow, changed bool) {
				at = v.Clock()
				next, wait, changed = limit.admit(w, at)
				return next, changed && counts
			})
			if err != nil {
				return nil, fmt.Errorf("count a phone code towards its rates: %w", err)
			}
			if wait > 0 {
				return nil, limit.refused(wait)
			}
			if counts && limit.subject != admission.AllPhoneCodes {
				waits = append(waits, countedWait{limit.subject, at})
			}
		}
	}
	return waits, nil
}

// giveBack lets the next code of an account and to a number be sent at once, because the one
// that was counted was refused.
func (v *VerifyingPhones) giveBack(ctx context.Context, waits []countedWait) error {
	for _, wait := range waits {
		err := v.Windows.Update(ctx, wait.subject, func(w domain.RateWindow) (domain.RateWindow, bool) {
			return domain.ReturnPhoneWait(w, wait.at), true
		})
		if err != nil {
			return fmt.Errorf("give the wait for a phone code back: %w", err)
		}
	}
	return nil
}

func refusedByRate(wait time.Duration) error { return domain.ErrRate(wait) }

func refusedByService(wait time.Duration) error {
	unsent := domain.ErrPhoneUnsent.Caused(errManyCodes)
	unsent.RetryAfter = wait
	return unsent
}

// Verify counts the check, for good, before anything is compared.
func (v *VerifyingPhones) Verify(ctx context.Context, account domain.Account, text string, by domain.Actor) error {
	code, err := domain.ParsePhoneCode(text)
	if err != nil {
		return err
	}
	sent, err := v.Phones.Check(ctx, account.ID, v.Clock())
	if err != nil {
		return err
	}
	if !v.isRight(sent, code) {
		return domain.ErrPhoneGuess(sent.ChecksLeft())
	}
	now := v.Clock()
	return v.Phones.MarkVerified(ctx, account.ID, sent.ID, now,
		admission.NewEvent(domain.SecurityEvent{At: now, Kind: domain.SecurityPhone, By: by}))
}

// isRight compares a guess with the code that was sent, by each of the service's secrets: one
// of them may have been the first when the code was sent.
func (v *VerifyingPhones) isRight(sent domain.SentCode, guess domain.PhoneCode) bool {
	right := false
	for _, key := range v.keys() {
		right = domain.SameHash(sent.HashOf(guess, key), sent.Hash) || right
	}
	return right
}
