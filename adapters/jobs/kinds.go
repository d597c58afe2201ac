package jobs

import (
	"time"

	"milaan/domain"
	"milaan/ports"
)

type kind struct {
	name    ports.JobKind
	queue   string             // of its own, so that no kind waits for another; river's is that of its looks
	workers func(Settings) int // of one instance
	limit   time.Duration      // of one attempt
	// attempts is how many errors a job may have; with the last it is given up.
	attempts int
	// mustEnd says that the application is still called for a job at which
	// domain.MaxDeaths processes have died, until it has ended the job without doing it.
	mustEnd bool
	// sends says that the jobs have something sent to others, or ask them: while the service is held,
	// none is begun.
	sends bool
	// roundRobin says that jobs are begun by round-robin over their accounts: see round_robin.go. The
	// others are begun in the order in which they became due.
	roundRobin bool
	// period is the time after which the one job of a periodic kind is done again; nil: jobs
	// are added by the application. One that fails is done again after its period too.
	period func(Settings) time.Duration
}

// kinds has a row for each kind of job. To add one, add its row here, its name to
// ports/jobs.go, and the use case that does it to app/working.go. What a job needs besides
// the fields of ports.Job is added there and, in three places below, to args.
var kinds = []kind{
	// One POST, and what is recorded before and after it.
	{name: ports.DeliverJob, queue: "deliveries", workers: func(s Settings) int { return s.Deliveries }, limit: 30 * time.Second,
		attempts: 20, sends: true},
	// Files of 25 MB, on a machine that has much else to do.
	{name: ports.RunJob, queue: "batches", roundRobin: true, workers: func(s Settings) int { return s.Runners }, limit: 5 * time.Minute,
		attempts: 20, mustEnd: true},
	{name: ports.SweepJob, queue: "housekeeping", workers: func(Settings) int { return 1 }, limit: time.Minute, attempts: 1,
		period: func(s Settings) time.Duration { return s.Sweep }},
	// The minute is for storing what became of a pass whose time is over. A pass that has
	// failed for as long as its attempts take is late for its hour, and the next one comes.
	{name: ports.PassJob, queue: "passes", workers: func(s Settings) int { return s.Passes }, limit: domain.PassLimit + time.Minute,
		attempts: 10, mustEnd: true, sends: true},
	// A mail server may be away for a day.
	{name: ports.MailJob, queue: "mails", workers: func(Settings) int { return 2 }, limit: 2 * time.Minute, attempts: 150,
		sends: true},
	{name: ports.ScheduleJob, queue: "schedule", workers: func(Settings) int { return 1 }, limit: time.Minute, attempts: 1,
		sends: true, period: func(s Settings) time.Duration { return s.Schedule }},
	{name: ports.AlarmJob, queue: "alarms", workers: func(Settings) int { return 1 }, limit: 10 * time.Minute, attempts: 1,
		sends: true, period: func(s Settings) time.Duration { return s.Alarms }},
	// The billing provider may be away for some hours; a round fetches what was given up.
	{name: ports.BillingJob, queue: "billing", workers: func(Settings) int { return 4 }, limit: time.Minute, attempts: 40,
		sends: true},
	{name: ports.BillingRoundJob, queue: "billing_rounds", workers: func(Settings) int { return 1 }, limit: 10 * time.Minute, attempts: 1,
		sends: true, period: func(s Settings) time.Duration { return s.Billing }},
}

// spareAttempts are added to the attempts that a job may have when it is left behind again and
// again by engines that live.
const spareAttempts = 10

func kindOf(name ports.JobKind) (k kind, known bool) {
	for _, k := range kinds {
		if k.name == name {
			return k, true
		}
	}
	return kind{}, false
}

// args is what the table of jobs, or river's of an earlier version, keeps of what a job is about, of
// whatever kind. The names of its fields are read by other versions of the program.
type args struct {
	kind      ports.JobKind // a column of both
	AccountID string        `json:"account_id,omitempty"` // in river's table alone; a column of ours
	Delivery  string        `json:"delivery,omitempty"`
	BatchID   string        `json:"batch_id,omitempty"`
	Position  int           `json:"position,omitempty"`
	Pass      string        `json:"pass,omitempty"`
	Mail      string        `json:"mail,omitempty"`
	Billed    string        `json:"billed,omitempty"`
	Plan      string        `json:"plan,omitempty"`
	Cause     string        `json:"cause,omitempty"` // the span that the job was added in (peers.Cause)
}

func argsOf(job ports.Job) args {
	return args{kind: job.Kind, Delivery: job.Delivery, BatchID: job.Run.BatchID, Position: job.Run.Position,
		Pass: job.Pass, Mail: job.Mail, Billed: job.Billed, Plan: job.BilledPlan}
}

func (a args) job(kind ports.JobKind, accountID string) ports.Job {
	return ports.Job{Kind: kind, AccountID: accountID, Delivery: a.Delivery,
		Run: domain.BatchJob{BatchID: a.BatchID, Position: a.Position}, Pass: a.Pass, Mail: a.Mail, Billed: a.Billed, BilledPlan: a.Plan}
}

// Kind is by what river finds the worker.
func (a args) Kind() string { return string(a.kind) }
