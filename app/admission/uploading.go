package admission

import (
	"context"

	"milaan/domain"
	"milaan/ports"
)

// Uploading lets the uploads of the dashboard in.
type Uploading struct {
	windows ports.RateWindows
	clock   ports.Clock
}

// NewUploading makes the use case. windows keeps the rate windows of uploads.
func NewUploading(windows ports.RateWindows, clock ports.Clock) *Uploading {
	return &Uploading{windows: windows, clock: clock}
}

func (u *Uploading) AdmitRun(ctx context.Context, a domain.Account) error {
	return u.admit(ctx, a, Uploads, domain.UploadRate)
}

func (u *Uploading) AdmitInspection(ctx context.Context, a domain.Account) error {
	return u.admit(ctx, a, Inspections, domain.InspectionRate)
}

// admit checks the account and counts the request. A request of an account that may not
// reconcile does not count.
func (u *Uploading) admit(ctx context.Context, a domain.Account, what Counted, rate domain.Rate) error {
	if err := a.MayReconcile(u.clock()); err != nil {
		return err
	}
	return Count(ctx, u.windows, what.Of(a.ID), rate, u.clock)
}
