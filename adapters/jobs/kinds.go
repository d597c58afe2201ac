package jobs

import (
	"time"

	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"

	"milaan/domain"
	"milaan/ports"
)

// kind is how the jobs of one kind are done.
type kind struct {
	name    ports.JobKind
	queue   string             // of its own, so that no kind waits for another
	workers func(Settings) int // of one instance
	limit   time.Duration      // of one attempt
	// attempts is how many errors a job may have; with the last it is given up.
	attempts int
	// mustEnd says that the application is still called for a job at which
	// domain.MaxDeaths processes have died, until it has ended the job without doing it.
	mustEnd bool
	// period is the time after which the instance that leads adds the next job; nil: jobs
	// are added by the application. There is never more than one that has not ended. One
	// that fails is given up, because the next comes by itself.
	period func(Settings) time.Duration
}

// turnsQueue is the queue whose jobs are begun in turn by account: see turns.go.
const turnsQueue = "batches"

// kinds has a row for each kind of job. To add one, add its row here, its name to
// ports/jobs.go, and the use case that does it to app/working.go. What a job needs besides
// the fields of ports.Job is added there and, in three places below, to args.
var kinds = []kind{
	// One POST, and what is recorded before and after it.
	{name: ports.DeliverJob, queue: "deliveries", workers: func(s Settings) int { return s.Deliveries }, limit: 30 * time.Second, attempts: 20},
	// Files of 25 MB, on a machine that has much else to do.
	{name: ports.RunJob, queue: turnsQueue, workers: func(s Settings) int { return s.Runners }, limit: 5 * time.Minute, attempts: 20, mustEnd: true},
	{name: ports.SweepJob, queue: "housekeeping", workers: func(Settings) int { return 1 }, limit: time.Minute, attempts: 1,
		period: func(s Settings) time.Duration { return s.Sweep }},
	// The minute is for storing what became of a pass whose time is over. A pass that has
	// failed for as long as its attempts take is late for its hour, and the next one comes.
	{name: ports.PassJob, queue: "passes", workers: func(s Settings) int { return s.Passes }, limit: domain.PassLimit + time.Minute, attempts: 10, mustEnd: true},
	// A mail server may be away for a day.
	{name: ports.MailJob, queue: "mails", workers: func(Settings) int { return 2 }, limit: 2 * time.Minute, attempts: 150},
	{name: ports.ScheduleJob, queue: "schedule", workers: func(Settings) int { return 1 }, limit: time.Minute, attempts: 1,
		period: func(s Settings) time.Duration { return s.Schedule }},
	{name: ports.AlarmJob, queue: "alarms", workers: func(Settings) int { return 1 }, limit: 10 * time.Minute, attempts: 1,
		period: func(s Settings) time.Duration { return s.Alarms }},
	// The billing provider may be away for some hours; a round fetches what was given up.
	{name: ports.BillingJob, queue: "billing", workers: func(Settings) int { return 4 }, limit: time.Minute, attempts: 40},
	{name: ports.BillingRoundJob, queue: "billing_rounds", workers: func(Settings) int { return 1 }, limit: 10 * time.Minute, attempts: 1,
		period: func(s Settings) time.Duration { return s.Billing }},
}

// spareAttempts are added to the attempts that river allows, for it also counts those
// that ended with the death of a process.
const spareAttempts = 10

// kindOf finds a kind by its name.
func kindOf(name ports.JobKind) (k kind, known bool) {
	for _, k := range kinds {
		if k.name == name {
			return k, true
		}
	}
	return kind{}, false
}

// args is what river keeps of a job, of whatever kind. The names of its fields
// are read by other versions of the program.
type args struct {
	kind      ports.JobKind // river keeps it in a column
	AccountID string        `json:"account_id,omitempty"`
	Delivery  string        `json:"delivery,omitempty"`
	BatchID   string        `json:"batch_id,omitempty"`
	Position  int           `json:"position,omitempty"`
	Pass      string        `json:"pass,omitempty"`
	Mail      string        `json:"mail,omitempty"`
	Billed    string        `json:"billed,omitempty"`
	Plan      string        `json:"plan,omitempty"`
}

func argsOf(job ports.Job) args {
	return args{kind: job.Kind, AccountID: job.AccountID, Delivery: job.Delivery, BatchID: job.Run.BatchID, Position: job.Run.Position,
		Pass: job.Pass, Mail: job.Mail, Billed: job.Billed, Plan: job.BilledPlan}
}

// Kind fills river.JobArgs.
func (a args) Kind() string { return string(a.kind) }

// InsertOpts fills river.JobArgsWithInsertOpts.
func (a args) InsertOpts() river.InsertOpts {
	k, _ := kindOf(a.kind)
	opts := river.InsertOpts{Queue: k.queue, MaxAttempts: k.attempts + spareAttempts}
	if k.period != nil {
		opts.UniqueOpts.ByState = []rivertype.JobState{rivertype.JobStateAvailable, rivertype.JobStatePending,
			rivertype.JobStateRunning, rivertype.JobStateRetryable, rivertype.JobStateScheduled}
	}
	return opts
}

// jobOf is the job of a row of river's.
func jobOf(row *river.Job[args]) ports.Job {
	a := row.Args
	return ports.Job{Kind: ports.JobKind(row.Kind), AccountID: a.AccountID, Delivery: a.Delivery,
		Run: domain.BatchJob{BatchID: a.BatchID, Position: a.Position}, Pass: a.Pass, Mail: a.Mail, Billed: a.Billed, BilledPlan: a.Plan}
}
