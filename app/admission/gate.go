package admission

import (
	"context"

	"go.uber.org/fx"

	"milaan/domain"
	"milaan/ports"
)

// Gate lets requests with an API key in, and uploads and changes of the dashboard.
type Gate struct {
	fx.In

	Keys    ports.Keys
	Windows ports.RateWindows
	Clock   ports.Clock
	Sandbox ports.SandboxOn
}

// Admit checks the key, the account and the rate, in the order of guide: limits 2.
// A request of an account that may not use the API does not count towards the rate.
func (g *Gate) Admit(ctx context.Context, secret string) (ports.Caller, error) {
	return g.present(ctx, secret, true)
}

func (g *Gate) AdmitAgain(ctx context.Context, secret string) (ports.Caller, error) {
	return g.present(ctx, secret, false)
}

// AdmitPoll makes the same checks, but counts towards the rate of polls: waiting for a
// batch does not use up the rate of runs, and a key that is blocked for its runs may
// still poll.
func (g *Gate) AdmitPoll(ctx context.Context, secret string) (ports.Caller, error) {
	caller, err := g.present(ctx, secret, false)
	if err != nil {
		return caller, err
	}
	polls := Polls
	if caller.Sandbox {
		polls = SandboxPolls
	}
	return caller, Count(ctx, g.Windows, polls.Of(caller.Account.ID), domain.PollRate, g.Clock)
}

// present checks the key and the account, and then the rate of the key if the request counts
// towards it. A key that is not well formed is refused without a query. If the key is known,
// the caller is returned with an error as well.
func (g *Gate) present(ctx context.Context, secret string, counts bool) (ports.Caller, error) {
	hash, kind, err := domain.CheckKey(secret)
	if err == nil && kind == domain.SandboxKey && !g.Sandbox {
		err = domain.ErrKey
	}
	if err != nil {
		return ports.Caller{}, err
	}
	var caller ports.Caller
	err = g.Keys.Present(ctx, hash, g.Clock(), func(use ports.KeyUse) (domain.RateWindow, bool, error) {
		if !domain.SameHash(use.Key.Hash, hash) {
			return use.Window, false, domain.ErrKey
		}
		caller = ports.Caller{Account: use.Account, Sandbox: kind == domain.SandboxKey, NoMappings: !use.Mappings}
		if err := use.Account.MayUse(kind, g.Clock()); err != nil || !counts {
			return use.Window, false, err
		}
		rate := domain.KeyRate
		if caller.Sandbox {
			rate = domain.SandboxRate
		}
		next, wait, changed := rate.Admit(use.Window, g.Clock())
		if wait > 0 {
			return next, changed, domain.ErrRate(wait)
		}
		return next, changed, nil
	})
	return caller, err
}

func (g *Gate) AdmitRun(ctx context.Context, a domain.Account) error {
	return g.admitUpload(ctx, a, Uploads, domain.UploadRate)
}

func (g *Gate) AdmitInspection(ctx context.Context, a domain.Account) error {
	return g.admitUpload(ctx, a, Inspections, domain.InspectionRate)
}

// admitUpload checks the account and counts the request. A request of an account that may not
// reconcile does not count.
func (g *Gate) admitUpload(ctx context.Context, a domain.Account, what Counted, rate domain.Rate) error {
	if err := a.MayReconcile(g.Clock()); err != nil {
		return err
	}
	return Count(ctx, g.Windows, what.Of(a.ID), rate, g.Clock)
}

func (g *Gate) CountChange(ctx context.Context, accountID string) error {
	return Count(ctx, g.Windows, Changes.Of(accountID), domain.ChangeRate, g.Clock)
}
