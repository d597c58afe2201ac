package app

import (
	"context"
	"fmt"
	"time"

	"milaan/domain"
	"milaan/ports"
)

// counted is what a rate counts. It begins the subjects of the rate's windows. All instances,
// also those of other versions, must use the same texts: they share the windows.
type counted string

// What is counted for an account. The account's id follows, so that the windows are deleted
// with the account.
const (
	countedChanges        counted = "change"
	countedExports        counted = "export"
	countedInspections    counted = "inspection"
	countedIssues         counted = "issue" // keys that are issued
	countedPasses         counted = "pass"  // those that people ask for
	countedPolls          counted = "status"
	countedTests          counted = "test" // of connections
	countedUploads        counted = "upload"
	countedSandboxIssues  counted = "sandbox-issue"
	countedSandboxPolls   counted = "sandbox-status"
	countedSandboxBatches counted = ports.DaySubject + "sandbox-batch"
	countedPhoneCodes     counted = ports.DaySubject + "phone"
)

// What is counted for somebody who is not to be known from the database. A name of
// ports.Pseudonyms follows.
const (
	countedDemos       counted = "demo"    // of a client
	countedSignIns     counted = "sign-in" // of a client
	countedSignUps     counted = "sign-up" // of a client
	countedSwitches    counted = "switch"  // of a person
	countedNumberCodes counted = ports.DaySubject + "phone-number"
)

// allPhoneCodes is the subject of the phone codes that the service sends to all accounts.
const allPhoneCodes = "phone-codes"

// of returns the subject for an account's id or a name.
func (c counted) of(whom string) string { return string(c) + ":" + whom }

// count counts a request of a subject towards a rate. It returns an error with CodeRate
// over the rate, and the storage's error if the request cannot be counted: then it must
// not be served.
func count(ctx context.Context, windows ports.RateWindows, subject string, rate domain.Rate, clock ports.Clock) error {
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
