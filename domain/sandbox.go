package domain

import "time"

// The limits of the sandbox, in which an account tries the API with a key of its own.
const (
	SandboxRows = 100 // of each file, and of all reports of a run together
	SandboxRuns = 50  // of an account on a day in Asia/Kolkata
	// SandboxRetention is how long a complete batch is kept.
	SandboxRetention = time.Hour
)

// MayUse returns nil if the account may use a key of this kind now. Otherwise it returns what
// MayUseAPI or MayUseSandbox returns.
func (a Account) MayUse(kind KeyKind, now time.Time) error {
	if kind == SandboxKey {
		return a.MayUseSandbox()
	}
	return a.MayUseAPI(now)
}

// MayUseSandbox returns nil if the account may use the sandbox now, and otherwise ErrPhone:
// it needs neither a plan nor a subscription.
func (a Account) MayUseSandbox() error {
	if !a.PhoneVerified {
		return ErrPhone
	}
	return nil
}
