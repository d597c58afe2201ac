package ports

import "milaan/domain"

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
