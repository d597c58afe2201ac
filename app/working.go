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

// Working gives each job to the use case that does it. Those of kinds that are never added may be
// missing.
type Working struct {
	fx.In

	Delivering   *webhooks.Delivering
	Running      runs.RunningBatches
	Housekeeping Housekeeping
	Scheduling   autopilot.Scheduling
	Passing      *autopilot.Passing
	Alarming     *mails.Alarming
	Mailing      mails.Mailing
	Billing      *billing.Notices
}

// Do returns an error for a job of an unknown kind: an instance of another version has
// added it and may do it at the next attempt.
func (w *Working) Do(ctx context.Context, job ports.Job, a ports.JobAttempt) (again time.Duration, err error) {
	switch job.Kind {
	case ports.DeliverJob:
		return w.Delivering.Deliver(ctx, job, a)
	case ports.RunJob:
		return 0, w.Running.Run(ctx, job, a)
	case ports.SweepJob:
		return 0, w.Housekeeping.Sweep(ctx)
	case ports.ScheduleJob:
		return 0, w.Scheduling.Schedule(ctx)
	case ports.PassJob:
		return w.Passing.Make(ctx, job, a)
	case ports.AlarmJob:
		return 0, w.Alarming.Round(ctx)
	case ports.MailJob:
		return 0, w.Mailing.Send(ctx, job.Mail)
	case ports.BillingJob:
		return 0, w.Billing.Do(ctx, job)
	case ports.BillingRoundJob:
		return 0, w.Billing.Round(ctx)
	}
	return 0, fmt.Errorf("no use case does jobs of the kind %q", job.Kind)
}
