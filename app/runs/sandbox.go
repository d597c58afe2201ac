package runs

import (
	"context"
	"errors"

	"milaan/app/ids"
	"milaan/domain"
	"milaan/ports"
)

// enterSandbox marks a request of a sandbox caller, and returns the error that its brand asks
// for. This comes before all other checks, so that the brand alone is enough.
func (r *Reconciling) enterSandbox(caller ports.Caller, req *ports.Request) error {
	req.Sandbox = caller.Sandbox
	if !caller.Sandbox {
		return nil
	}
	return caller.Account.SimulatedError(req.Brand, r.in.Clock())
}

// reconcileInSandbox compares the files as reconcile does, and counts the run among the
// account's sandbox runs of the day. Nothing else is stored. As with the monthly cap, an account
// that has none left is told so whatever its files are.
func (r *Reconciling) reconcileInSandbox(ctx context.Context, caller ports.Caller, t task, add addToEntry) (*ports.FinishedRun, error) {
	finished, _, err := r.compareForAccount(ctx, caller, t)
	if err != nil {
		return nil, r.runsBeforeFault(ctx, caller.Account, err)
	}
	if err := r.countSandboxRun(ctx, finished, add); err != nil {
		finished.Release()
		return nil, err
	}
	return finished, nil
}

// runsBeforeFault replaces the error of a faulty file by the one of the sandbox's runs of a day,
// as capBeforeFault does outside the sandbox.
func (r *Reconciling) runsBeforeFault(ctx context.Context, a domain.Account, fault error) error {
	if !errors.Is(fault, domain.ErrFile) {
		return fault
	}
	now := r.in.Clock()
	switch used, err := r.in.Runs.SandboxRuns(ctx, a.ID, domain.DayOf(now)); {
	case err != nil:
		return err
	case used >= domain.SandboxRuns:
		return domain.ErrSandboxRuns(now)
	}
	return nameSandboxLimit(fault)
}

// countSandboxRun counts a run of the sandbox, and adds the test that the account's endpoint
// gets in place of an event.
func (r *Reconciling) countSandboxRun(ctx context.Context, finished *ports.FinishedRun, add addToEntry) error {
	run := finished.Run
	test := newSandboxTest(domain.Delivery{AccountID: run.AccountID, CreatedAt: run.At})
	return r.in.Runs.Update(ctx, run.AccountID, func(book ports.RunBook) error {
		e := ports.Entry{SandboxRun: run.At}
		if book.Account().HasWebhooks() {
			e.Event = test
		}
		if err := add(finished, &e); err != nil {
			return err
		}
		return book.Write(e)
	})
}

// newSandboxTest makes the test that the sandbox sends in place of an event.
func newSandboxTest(d domain.Delivery) domain.Delivery {
	d.Kind, d.Sandbox = domain.TestDelivery, true
	return domain.NewDelivery(ids.New(), d)
}

// nameSandboxLimit gives the fault of a file with more rows than the sandbox reads the rule that
// says so.
func nameSandboxLimit(fault error) error {
	f, ok := errors.AsType[*domain.FileError](fault)
	if ok && f.Rule == domain.RuleRows {
		f.Rule = domain.RuleSandboxRows
	}
	if ok && f.Rule == domain.RuleRowsTogether {
		f.Rule = domain.RuleSandboxTogether
	}
	return fault
}
