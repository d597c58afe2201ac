package domain

import (
	"errors"
	"slices"
	"strings"
	"time"
)

// The limits of the sandbox, in which an account tries the API with a key of its own.
const (
	SandboxRows = 100 // of each file, and of all reports of a run together
	SandboxRuns = 50  // of an account on a day in Asia/Kolkata
	// SandboxBatches is how many batches of an account are taken in 24 hours.
	SandboxBatches = 50
	// SandboxRetention is how long a complete batch is kept.
	SandboxRetention = time.Hour
)

// SandboxBatchRate bounds the batches of an account. A job that fails uses up no run, but each
// batch makes the service call an address of its sender's choice, who has paid nothing.
var SandboxBatchRate = Rate{Limit: SandboxBatches, Span: 24 * time.Hour}

// sandboxBrandPrefix begins the brands that ask the sandbox for an error. With a live key they
// are brands like any other.
const sandboxBrandPrefix = "sandbox:"

// The brands by which the sandbox answers with an error that is hard to cause.
const (
	brandOfPhone = sandboxBrandPrefix + "403-phone"
	brandOfPlan  = sandboxBrandPrefix + "403-plan"
	brandOfRate  = sandboxBrandPrefix + "429-rate"
	brandOfRuns  = sandboxBrandPrefix + "429-runs"
	brandOfFault = sandboxBrandPrefix + "500"
)

// SandboxBrands lists these brands.
func SandboxBrands() []string {
	return []string{brandOfPhone, brandOfPlan, brandOfRate, brandOfRuns, brandOfFault}
}

// ErrSimulated is the cause of a fault of the service that has not happened: a brand of the
// sandbox has asked for it.
var ErrSimulated = errors.New("a brand of the sandbox has asked for this")

// GoodSandboxBrand says whether a sandbox run may have a brand: one that begins with
// sandboxBrandPrefix must be one of SandboxBrands.
func GoodSandboxBrand(brand string) bool {
	brand = strings.TrimSpace(brand)
	return !strings.HasPrefix(brand, sandboxBrandPrefix) || slices.Contains(SandboxBrands(), brand)
}

// SimulatedError returns the error that a brand asks the sandbox for, as an account with a live
// key gets it now; nil if it asks for none.
func (a Account) SimulatedError(brand string, now time.Time) error {
	switch strings.TrimSpace(brand) {
	case brandOfPhone:
		return ErrPhone
	case brandOfPlan:
		return ErrPlan
	case brandOfRate:
		return ErrRate(KeyRate.Block)
	case brandOfRuns:
		limit, limited := a.MonthlyCap()
		if !limited { // as on Pro
			limit, _ = Account{Plan: Pro, SubscribedOn: newPricing}.MonthlyCap()
		}
		return ErrRunCap(limit, a.Cycle(now), now)
	case brandOfFault:
		return ErrFault.Caused(ErrSimulated)
	}
	return nil
}

// ErrSandboxRuns returns the error of a sandbox run beyond SandboxRuns. More are to be had
// when the day is over.
func ErrSandboxRuns(now time.Time) *Error {
	tomorrow := DayOf(now) + 1
	return &Error{Kind: KindTooMany, Code: CodeRunCap, Detail: DetailSandbox, RetryAfter: tomorrow.Start().Sub(now), Limit: SandboxRuns,
		Day: tomorrow}
}

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
