package app

import (
	"context"
	"errors"
	"time"

	"go.uber.org/fx"

	"milaan/app/autopilot"
	"milaan/app/runs"
	"milaan/domain"
	"milaan/ports"
)

const (
	// idleWindow is how long a rate window is kept after its last change: far longer
	// than any span or block of a rate. idleDayWindow is the same for the rates of a day,
	// with time for clocks that differ.
	idleWindow    = time.Hour
	idleDayWindow = 25 * time.Hour
	// deliveryTimeout is how long a delivery may be pending. More events may come for
	// an endpoint that hangs than are sent to it, so that its backlog would grow without
	// this limit. Three days are longer than a weekend on which nobody repairs it. The
	// limit also ends a delivery whose job the engine has given up.
	deliveryTimeout = 3 * 24 * time.Hour
	// deliveryLog is how long a delivery is kept after it has ended.
	deliveryLog = 30 * 24 * time.Hour
	// revokedKeys is how long a key is kept after another one has replaced it.
	revokedKeys = 30 * 24 * time.Hour
	// linkGrace is how long a redeemed sign-in link is remembered after its end, so that it
	// cannot be redeemed again on an instance whose clock is behind.
	linkGrace = time.Hour
	// jobTimeout is how long a job of a batch may wait at least before it is given up,
	// even if results are kept for a shorter time: the engine retries for hours.
	jobTimeout = 24 * time.Hour
)

// Housekeeping deletes what has expired. It does a SweepJob.
type Housekeeping struct {
	fx.In

	Delete     ports.Sweep
	Running    runs.RunningBatches
	Passing    *autopilot.Passing // may be nil if no passes are made
	Items      ports.KeepingItems // the same
	Clock      ports.Clock
	Background ports.Background
}

// Sweep deletes what is older than the constants above, those of the domain and the times
// that the operator has set say; ports.Expiry names each kind of it. It fails
// the deliveries that have been pending for three days. It ends the jobs that the engine
// has given up, so that their files are deleted and their batches complete. If one of
// these fails, the others are still done. It may be repeated.
func (h *Housekeeping) Sweep(ctx context.Context) error {
	now := h.Clock()
	kept := now.Add(-h.Background.Retention)
	return errors.Join(
		h.Running.GiveUpStale(ctx, now.Add(-max(h.Background.Retention, jobTimeout))),
		h.endStalePasses(ctx),
		h.forgetItems(ctx),
		h.Delete(ctx, ports.Expiry{
			Windows: now.Add(-idleWindow), DayWindows: now.Add(-idleDayWindow), PhoneCodes: now.Add(-domain.PhoneCodeSpan),
			Keys:    now.Add(-revokedKeys),
			Pending: now.Add(-deliveryTimeout), Deliveries: now.Add(-deliveryLog),
			Claims: now.Add(-domain.RequestKeySpan), ClaimsAhead: now.Add(domain.RequestKeySpan),
			Sandbox: now.Add(-domain.SandboxRetention), SandboxRuns: domain.DayOf(now) - 1,
			Results: kept, Batches: kept.Add(-domain.RememberedSpan),
			Sessions: now.Add(-domain.SessionLimit), Idle: now.Add(-domain.SessionIdle), Links: now.Add(-linkGrace), Invitations: now,
			SignUps: now.Add(-domain.AllSignUpsRate.Span),
			Events:  now.Add(-domain.SecurityRetention),
			Passes:  now.Add(-domain.PassRetention), KeptFiles: now.Add(-domain.KeptFileSpan), Mails: now.Add(-domain.MailRetention),
			Notices: now.Add(-domain.NoticeRetention),
			Runs:    now.Add(-max(h.Background.RunRetention, domain.MinRunRetention)),
		}),
	)
}

// forgetItems deletes the open items that connections have kept for long enough.
func (h *Housekeeping) forgetItems(ctx context.Context) error {
	if h.Items == nil {
		return nil
	}
	return h.Items.ForgetItems(ctx)
}

// endStalePasses ends the passes that their jobs have not ended.
func (h *Housekeeping) endStalePasses(ctx context.Context) error {
	if h.Passing == nil {
		return nil
	}
	return h.Passing.EndStale(ctx)
}
