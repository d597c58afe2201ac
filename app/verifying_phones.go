package app

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"time"

	"go.uber.org/fx"

	"milaan/domain"
	"milaan/ports"
)

// VerifyingPhones verifies the phone numbers of accounts. It fills ports.VerifyingPhones.
type VerifyingPhones struct {
	in   VerifyingPhonesParams
	keys [][32]byte // of codes; the first one is for new codes
}

// VerifyingPhonesParams are what NewVerifyingPhones needs.
type VerifyingPhonesParams struct {
	fx.In

	Phones  ports.Phones
	Sender  ports.OTPSender
	PerHour ports.PhoneCodesPerHour
	Windows ports.RateWindows // count for all instances of the service
	Names   ports.Pseudonyms  // keep numbers out of them
	Subkeys ports.Subkeys
	Clock   ports.Clock
}

// NewVerifyingPhones makes the use case.
func NewVerifyingPhones(p VerifyingPhonesParams) *VerifyingPhones {
	return &VerifyingPhones{p, p.Subkeys.Subkeys("phone codes")}
}

// CanSend fills ports.VerifyingPhones.
func (v *VerifyingPhones) CanSend() bool { return v.in.Sender.Enabled() }

// State fills ports.VerifyingPhones. The number of a verification that does not hold any
// more is not shown.
func (v *VerifyingPhones) State(ctx context.Context, account domain.Account) (ports.PhoneState, error) {
	phone, code, err := v.in.Phones.Of(ctx, account.ID, v.in.Clock())
	if err != nil {
		return ports.PhoneState{}, err
	}
	state := ports.PhoneState{Verified: account.PhoneVerified, CanSend: v.in.Sender.Enabled()}
	if account.PhoneVerified {
		state.Number = phone.Number
	}
	if code.ID != "" {
		state.OpenUntil = code.Until()
	}
	err = v.in.Windows.Update(ctx, countedPhoneCodes.of(account.ID), func(w domain.RateWindow) (domain.RateWindow, bool) {
		now := v.in.Clock()
		if _, wait, _ := domain.AdmitPhoneCode(w, now); wait > 0 {
			state.NextAt = now.Add(wait)
		}
		return w, false
	})
	return state, err
}

// Send fills ports.VerifyingPhones. The code is stored before it is sent: no code is ever
// sent that could not be used. It is sent even if the caller leaves meanwhile.
func (v *VerifyingPhones) Send(ctx context.Context, account domain.Account, text string, by domain.Way) (ports.PhoneCodeSent, error) {
	if !v.in.Sender.Enabled() {
		return ports.PhoneCodeSent{}, domain.ErrPhoneCodesOff
	}
	number, err := domain.ParsePhone(text)
	if err != nil {
		return ports.PhoneCodeSent{}, err
	}
	if err := v.admit(ctx, account.ID, number); err != nil {
		return ports.PhoneCodeSent{}, err
	}
	code, err := domain.DrawPhoneCode(rand.Reader)
	if err != nil {
		return ports.PhoneCodeSent{}, fmt.Errorf("draw a phone code: %w", err)
	}
	now := v.in.Clock()
	sent := domain.SentCode{ID: newID(), AccountID: account.ID, Number: number, SentAt: now}
	sent.Hash = sent.HashOf(code, v.keys[0])
	if err := v.in.Phones.Put(ctx, sent, newEvent(domain.SecurityEvent{At: now, Kind: domain.SecurityPhoneCode, By: by})); err != nil {
		return ports.PhoneCodeSent{}, err
	}
	ctx = context.WithoutCancel(ctx)
	if err := v.in.Sender.SendCode(ctx, number, code); errors.Is(err, domain.ErrPhoneUnsent) {
		// Nobody is asked for a code that never comes.
		return ports.PhoneCodeSent{}, cmp.Or(v.in.Phones.Drop(ctx, account.ID, sent.ID), err)
	} else if err != nil {
		return ports.PhoneCodeSent{}, domain.ErrPhoneUnsent.Caused(err)
	}
	return ports.PhoneCodeSent{Until: sent.Until(), NextAt: now.Add(domain.PhoneSendRate.Span)}, nil
}

// errManyCodes is for the log.
var errManyCodes = errors.New("as many phone codes were sent in the last hour as the operator allows")

// admit counts a code towards the rates of its account, of its number and of the service. It
// looks at all of them before it counts any, so that a refused request uses nothing up,
// unless another request comes in between.
func (v *VerifyingPhones) admit(ctx context.Context, accountID string, number domain.PhoneNumber) error {
	service := domain.Rate{Limit: int(v.in.PerHour), Span: time.Hour}
	for _, counts := range []bool{false, true} {
		for _, limit := range []struct {
			subject string
			admit   func(domain.RateWindow, time.Time) (domain.RateWindow, time.Duration, bool)
			refused func(wait time.Duration) error
		}{
			{countedPhoneCodes.of(accountID), domain.AdmitPhoneCode, refusedByRate},
			{countedNumberCodes.of(v.in.Names.Of("phone number " + number.Reveal())), domain.AdmitPhoneCode, refusedByRate},
			{allPhoneCodes, service.Admit, refusedByService},
		} {
			var wait time.Duration
			err := v.in.Windows.Update(ctx, limit.subject, func(w domain.RateWindow) (next domain.RateWindow, changed bool) {
				next, wait, changed = limit.admit(w, v.in.Clock())
				return next, changed && counts
			})
			if err != nil {
				return fmt.Errorf("count a phone code towards its rates: %w", err)
			}
			if wait > 0 {
				return limit.refused(wait)
			}
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

// Verify fills ports.VerifyingPhones. The check is counted, for good, before anything is
// compared.
func (v *VerifyingPhones) Verify(ctx context.Context, account domain.Account, text string, by domain.Way) error {
	code, err := domain.ParsePhoneCode(text)
	if err != nil {
		return err
	}
	sent, err := v.in.Phones.Check(ctx, account.ID, v.in.Clock())
	if err != nil {
		return err
	}
	if !v.isRight(sent, code) {
		return domain.ErrPhoneGuess(sent.ChecksLeft())
	}
	now := v.in.Clock()
	return v.in.Phones.MarkVerified(ctx, account.ID, sent.ID, now, newEvent(domain.SecurityEvent{At: now, Kind: domain.SecurityPhone, By: by}))
}

// isRight compares a guess with the code that was sent, by each of the service's secrets: one
// of them may have been the first when the code was sent.
func (v *VerifyingPhones) isRight(sent domain.SentCode, guess domain.PhoneCode) bool {
	right := false
	for _, key := range v.keys {
		right = sent.HashOf(guess, key).Equal(sent.Hash) || right
	}
	return right
}
