package ports

import (
	"context"
	"milaan/domain"
	"time"
)

// Work is what the job engine asks of the application.
type Work interface {
	// Do does a job. The engine may call it twice for a job, and in two instances at
	// the same time; the effects of the job happen once. If again is above zero, the
	// engine calls Do again after that time, and the attempt did not fail. After an
	// error the engine retries with backoff, unless a says that this is the last
	// attempt. A stop of the instance cancels ctx, and an attempt that it interrupts does
	// not count.
	Do(ctx context.Context, job Job, a JobAttempt) (again time.Duration, err error)
}

// JobAttempt is what the engine knows of an attempt at a job.
type JobAttempt struct {
	// Last says that there is no retry after an error.
	Last bool
	// Deaths is how many processes have died at the job before. From domain.MaxDeaths
	// on, a RunJob or a PassJob must be ended without being done, and Last is false.
	Deaths int
}

// JobKind says what a job does.
type JobKind string

// The kinds of jobs.
const (
	DeliverJob JobKind = "deliver"   // makes a delivery
	RunJob     JobKind = "batch_run" // makes one run of a batch
	SweepJob   JobKind = "sweep"     // deletes what has expired; the engine adds one every minute
	PassJob    JobKind = "pass"      // makes a pass of the autopilot
	MailJob    JobKind = "mail"      // sends a mail
	// ScheduleJob adds the passes that are due; the engine adds one every few seconds.
	ScheduleJob JobKind = "schedule"
	// AlarmJob adds the mails that are due; the engine adds one every minute.
	AlarmJob JobKind = "alarm"
	// BillingJob fetches a subscription from the billing provider and applies it.
	BillingJob JobKind = "billing"
	// BillingRoundJob fetches the subscriptions that no notice may have come for; the engine
	// adds one every minute.
	BillingRoundJob JobKind = "billing_round"
)

// Job is a piece of work that outlives the request for it. It is added in the same
// transaction as what it is about, so that it exists exactly if that transaction is
// committed. Any instance of the service may do it. It holds ids only, and nothing of a
// file.
type Job struct {
	Kind      JobKind
	AccountID string          // blank for a periodic job
	Delivery  string          // id, of a DeliverJob
	Run       domain.BatchJob // of a RunJob
	Pass      string          // id, of a PassJob
	Mail      string          // id, of a MailJob
	// Billed is the billing provider's id of the subscription of a BillingJob, and BilledPlan
	// that of the plan which its notice has shown; blank: none.
	Billed, BilledPlan string
}

// Background is what the operator and the job engine have set for the work in the
// background.
type Background struct {
	Retention    time.Duration // how long a complete batch keeps its results
	RunRetention time.Duration // how long runs are kept
	Deliveries   int           // deliveries that one instance of the service makes at once, at most
	Passes       int           // passes of the autopilot that it makes at once, at most
	PassPeriod   time.Duration // from one pass of a connection to the next; 0: domain.PassPeriod
	Runners      int           // jobs of batches that it runs at once, at most
	PickUp       time.Duration // from adding a job that is due to starting it, if a worker is free
}

// Sweep deletes what has expired and gives the disk space of deleted batches back to the system,
// so that the storage does not grow for ever. If a part of it fails, the other parts are still
// done. It may be repeated.
type Sweep func(ctx context.Context, e Expiry) error

// Expiry says what is to be deleted. A zero time deletes nothing.
type Expiry struct {
	Windows     time.Time  // rate windows, accounts' too, last changed before, except those of DaySubject; the end of a block is a change
	DayWindows  time.Time  // the rate windows of DaySubject
	PhoneCodes  time.Time  // phone codes that were sent before
	Keys        time.Time  // API keys revoked before
	Pending     time.Time  // deliveries created before and still pending: they fail, at this time, and attempts under way still complete
	Deliveries  time.Time  // deliveries that ended before
	Claims      time.Time  // claims made before
	ClaimsAhead time.Time  // claims made after, by a clock that was ahead
	Results     time.Time  // results of batches that were completed before
	Batches     time.Time  // what remains of batches that were completed before
	Sessions    time.Time  // sessions that began before
	Idle        time.Time  // sessions last used before
	Links       time.Time  // redeemed sign-in links that ended before
	Invitations time.Time  // invitations that ended before
	SignUps     time.Time  // what is remembered of accounts that people made for themselves before
	Events      time.Time  // security events from before
	Passes      time.Time  // passes of the autopilot that ended before
	KeptFiles   time.Time  // files that were kept for the autopilot before
	Mails       time.Time  // mails from before
	Notices     time.Time  // notices of the billing provider taken before
	Sandbox     time.Time  // batches of the sandbox that were completed before, with their results
	SandboxRuns domain.Day // the counts of sandbox runs on days before
	// Runs deletes runs made before, and the claims whose outcome they are. Their
	// deliveries lose their RunID and cannot be made any more.
	Runs time.Time
}

// Clock tells the time. The domain and the application read the time in no other way.
type Clock func() time.Time
