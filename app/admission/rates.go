package admission

import (
	"context"
	"fmt"
	"time"

	"milaan/domain"
	"milaan/ports"
)

// Counted is what a rate counts. It begins the subjects of the rate's windows. All instances,
// also those of other versions, must use the same texts: they share the windows.
type Counted string

// What is counted for an account. The account's id follows, so that the windows are deleted
// with the account.
const (
	Changes        Counted = "change"
	Exports        Counted = "export"
	Inspections    Counted = "inspection"
	Issues         Counted = "issue" // keys that are issued
	Passes         Counted = "pass"  // those that people ask for
	Polls          Counted = "status"
	Refreshes      Counted = "refresh"     // of subscriptions
	Subscribing    Counted = "subscribing" // whether a subscription is made or not
	Tests          Counted = "test"        // of connections
	Uploads        Counted = "upload"
	SandboxIssues  Counted = "sandbox-issue"
	SandboxPolls   Counted = "sandbox-status"
	SandboxBatches Counted = ports.DaySubject + "sandbox-batch"
	PhoneCodes     Counted = ports.DaySubject + "phone"
	Refused        Counted = ports.DaySubject + "refused-" // and the kind of the event
)

// What is counted for somebody who is not to be known from the database. A name of
// ports.Pseudonyms follows.
const (
	Demos       Counted = "demo"    // of a client
	SignIns     Counted = "sign-in" // of a client
	SignUps     Counted = "sign-up" // of a client
	Switches    Counted = "switch"  // of a person
	NumberCodes Counted = ports.DaySubject + "phone-number"
)

// AllPhoneCodes is the subject of the phone codes that the service sends to all accounts.
const AllPhoneCodes = "phone-codes"

// Of returns the subject for an account's id or a name.
func (c Counted) Of(whom string) string { return string(c) + ":" + whom }

// Count counts a request of a subject towards a rate. It returns an error with CodeRate
// over the rate, and the storage's error if the request cannot be counted: then it must
// not be served.
func Count(ctx context.Context, windows ports.RateWindows, subject string, rate domain.Rate, clock ports.Clock) error {
	var wait time.Duration
	err := windows.Update(ctx, subject, func(w domain.RateWindow) (next domain.RateWindow, changed bool) {
		next, wait, changed = rate.Admit(w, clock())
		return next, changed
	})
	switch {
	case err != nil:
		return fmt.Errorf("count a request towards its rate: %w", err)
	case wait > 0:
		return domain.ErrRate(wait)
	}
	return nil
}
