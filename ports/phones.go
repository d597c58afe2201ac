package ports

import (
	"context"
	"milaan/domain"
	"time"
)

// VerifyingPhones verifies the phone numbers of accounts.
type VerifyingPhones interface {
	// CanSend says whether the service sends phone codes at all.
	CanSend() bool
	// State returns what is known of an account's phone.
	State(ctx context.Context, account domain.Account) (PhoneState, error)
	// Send sends a phone code to a number, as a person writes it; the account's code before
	// it is not valid any more. The number that is verified stays so. It returns
	// domain.ErrPhoneCodesOff, ErrPhoneUnsent, an error with CodeField for a text that is no
	// number, and one with CodeRate if too many were sent for the account or to the number.
	// After domain.ErrPhoneRefused another code can be sent at once, unless the day's are used
	// up: one that was refused counts towards domain.PhoneDayRate alone.
	Send(ctx context.Context, account domain.Account, number string, by domain.Actor) (PhoneCodeSent, error)
	// Verify makes the number to which the account's code was sent its verified one.
	// domain.PhoneCodeChecks guesses are judged, and one succeeds at most, however many are
	// made at the same time. It returns domain.ErrPhoneCode, and an error with CodeField for
	// a text that can be no code, which is not judged.
	Verify(ctx context.Context, account domain.Account, code string, by domain.Actor) error
}

// PhoneState is what an account's own people may see of its phone.
type PhoneState struct {
	Verified bool
	Number   domain.PhoneNumber // the verified one; blank: not known here, or none
	// CanSend says whether the service sends phone codes at all.
	CanSend bool
	// OpenUntil is until when a code that was sent is valid; the zero time: there is none.
	OpenUntil time.Time
	// NextAt is when the account can have a code sent at the earliest; the zero time: now. The
	// rates of the number and of the service can put it off further.
	NextAt time.Time
}

// PhoneCodeSent is what somebody is told who asked for a phone code.
type PhoneCodeSent struct {
	Until  time.Time // the code is valid until then
	NextAt time.Time // another one can be sent then, unless the day's are used up
}

// OTPSender sends phone codes by SMS, if the operator has set a service for it.
type OTPSender interface {
	// Enabled says whether codes are sent.
	Enabled() bool
	// SendCode sends a code that is valid for domain.PhoneCodeSpan. Its errors have neither
	// the number nor the code. After domain.ErrPhoneRefused nothing was sent; after any other
	// error it is not known whether the code was.
	SendCode(ctx context.Context, number domain.PhoneNumber, code domain.PhoneCode) error
}

// PhoneCodesPerHour is how many phone codes the service sends in any 60 minutes, of all
// accounts together. It bounds what an attacker with many accounts can spend.
type PhoneCodesPerHour int

// Phones stores the verified numbers of accounts and the codes that were sent. Numbers are
// sealed, each for its own account; one that cannot be opened any more counts as not known.
type Phones interface {
	// Put stores a code in place of the account's former one, and event, in one
	// transaction. It returns domain.ErrNoAccount.
	Put(ctx context.Context, code domain.SentCode, event domain.SecurityEvent) error
	// Of returns the account's verified number, and the code that it has at a time and whose
	// checks are not used up; the zero values for none.
	Of(ctx context.Context, accountID string, at time.Time) (domain.Phone, domain.SentCode, error)
	// Check counts a check of the code that the account has at a time, and returns the code
	// with this check counted. The check stays counted whatever the caller finds, and
	// whenever it dies: of any number of callers at the same time, domain.PhoneCodeChecks
	// get the code. The others get domain.ErrPhoneCode.
	Check(ctx context.Context, accountID string, at time.Time) (domain.SentCode, error)
	// MarkVerified makes the number of the account's code its verified one, and stores event, in
	// one transaction, with which the code is used. It returns domain.ErrPhoneCode if the
	// account has no code with this id at that time: of any number of callers one succeeds.
	MarkVerified(ctx context.Context, accountID, codeID string, at time.Time, event domain.SecurityEvent) error
	// Drop deletes a code that was not sent. It may be repeated.
	Drop(ctx context.Context, accountID, codeID string) error
}
