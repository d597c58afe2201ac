package app

import (
	"context"

	"milaan/domain"
	"milaan/ports"
)

// ReconcilingOnce makes a run once for all requests with one request key. It
// fills ports.Reconciling.
type ReconcilingOnce struct {
	*Reconciling
	claiming *Claiming
}

// NewReconcilingOnce makes the use case.
func NewReconcilingOnce(reconciling *Reconciling, claiming *Claiming) *ReconcilingOnce {
	return &ReconcilingOnce{reconciling, claiming}
}

// Reconcile fills ports.Reconciling. The fields are checked before the key, and
// the request is hashed before its files are read, which may alter them.
func (r *ReconcilingOnce) Reconcile(ctx context.Context, caller ports.Caller, req ports.Request) (o *ports.FinishedRun, err error) {
	if caller.RequestKey == "" {
		return r.Reconciling.Reconcile(ctx, caller, req)
	}
	t, err := r.checked(req)
	if err != nil {
		return nil, err
	}
	err = r.claiming.once(ctx, caller, askedRun(req),
		func(claim domain.Claim) (err error) {
			o, err = r.reconcile(ctx, caller, t, func(o *ports.FinishedRun, e *ports.Entry) error {
				e.Claim, e.Claim.RunID = claim, o.Run.ID // of a duplicate, the run that it repeats
				return nil
			})
			return err
		},
		func(claim domain.Claim) (err error) {
			o, err = r.repeat(ctx, caller, t, claim.RunID)
			return err
		})
	return o, err
}

// repeat makes the answer of a run again, from the files sent and by the terms of
// now, and changes nothing: not even the saved mapping, which a later run may
// have replaced meanwhile.
func (r *ReconcilingOnce) repeat(ctx context.Context, caller ports.Caller, t task, runID string) (*ports.FinishedRun, error) {
	o, _, err := r.finish(ctx, caller, t)
	if err != nil {
		return nil, err
	}
	o.Run.ID, o.Duplicate, o.Repeat = runID, true, true
	return o, nil
}
