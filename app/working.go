package app

import (
	"context"
	"fmt"
	"time"

	"go.uber.org/fx"

	"milaan/app/autopilot"
	"milaan/app/billing"
	"milaan/app/mails"
	"milaan/app/runs"
	"milaan/app/webhooks"
	"milaan/ports"
)

// Working gives each job to the use case that does it.
type Working map[ports.JobKind]func(context.Context, ports.Job, ports.JobAttempt) (again time.Duration, err error)

// WorkingParams are the use cases that do jobs. Those of kinds that are never added may be
// nil.
type WorkingParams struct {
	fx.In

	Delivering   *webhooks.Delivering
	Running      *runs.RunningBatches
	Housekeeping *Housekeeping
	Scheduling   *autopilot.Scheduling
	Passing      *autopilot.Passing
	Alarming     *mails.Alarming
	Mailing      *mails.Mailing
	Billing      *billing.Notices
}

// NewWorking lists the use case of each kind of job.
func NewWorking(p WorkingParams) Working {
	return Working{
		ports.DeliverJob: p.Delivering.Deliver,
		ports.RunJob: func(ctx context.Context, job ports.Job, a ports.JobAttempt) (time.Duration, error) {
			return 0, p.Running.Run(ctx, job, a)
		},
		ports.SweepJob: func(ctx context.Context, _ ports.Job, _ ports.JobAttempt) (time.Duration, error) {
			return 0, p.Housekeeping.Sweep(ctx)
		},
		ports.ScheduleJob: p.Scheduling.Schedule,
		ports.PassJob:     p.Passing.Make,
		ports.AlarmJob: func(ctx context.Context, _ ports.Job, _ ports.JobAttempt) (time.Duration, error) {
			return 0, p.Alarming.Round(ctx)
		},
		ports.MailJob: func(ctx context.Context, job ports.Job, _ ports.JobAttempt) (time.Duration, error) {
			return 0, p.Mailing.Send(ctx, job.Mail)
		},
		ports.BillingJob: func(ctx context.Context, job ports.Job, _ ports.JobAttempt) (time.Duration, error) {
			return 0, p.Billing.Do(ctx, job)
		},
		ports.BillingRoundJob: func(ctx context.Context, _ ports.Job, _ ports.JobAttempt) (time.Duration, error) {
			return 0, p.Billing.Round(ctx)
		},
	}
}

// Do returns an error for a job of an unknown kind: an instance of another version has
// added it and may do it at the next attempt.
func (w Working) Do(ctx context.Context, job ports.Job, a ports.JobAttempt) (again time.Duration, err error) {
	do, known := w[job.Kind]
	if !known {
		return 0, fmt.Errorf("no use case does jobs of the kind %q", job.Kind)
	}
	return do(ctx, job, a)
}
