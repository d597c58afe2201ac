package autopilot

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"time"

	"milaan/app/runs"
	"milaan/domain"
	"milaan/ports"
)

// endAfter ends a pass whose attempt has ended with an error, if that error ends it. It returns
// the error for the engine.
func (t *attempt) endAfter(ctx, limited context.Context, a ports.JobAttempt, err error) error {
	failure, isFailure := errors.AsType[*domain.ConnectorError](err)
	switch {
	case err == nil, errors.Is(err, domain.ErrNothingToDo), errors.Is(err, domain.ErrNoAccount):
		return nil // it has ended, perhaps by another attempt, or its connection is gone
	case ctx.Err() != nil:
		return err
	case errors.Is(err, errNotEntitled):
		return t.end(ctx, t.newSkippedEnd())
	case isFailure:
		return t.end(ctx, t.newFailedEnd(failure))
	case limited.Err() != nil:
		return t.end(ctx, t.newFailedEnd(&domain.ConnectorError{Rule: domain.ConnInterrupted, Cause: err}))
	case a.Last:
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), runs.EndLimit)
		defer cancel()
		return errors.Join(err, t.end(ctx, t.newFailedEnd(&domain.ConnectorError{Rule: domain.ConnFault})))
	}
	return err
}

// endUnchanged ends a pass whose inputs are those of the last run.
func (t *attempt) endUnchanged(ctx context.Context, from domain.Day, state domain.PassState, left domain.OrderSum, orders int) error {
	last, err := t.lastResult(ctx)
	if err != nil {
		return err
	}
	wasUnread := false
	last.Warnings = slices.DeleteFunc(slices.Clone(last.Warnings), func(w domain.Warning) bool {
		wasUnread = wasUnread || w.Code == domain.WarnItemsUnread
		return w.Code == domain.WarnLeavingWindow || w.Code == domain.WarnItemsUnread
	})
	open, ledger := last.OpenItems, (*ports.PassLedger)(nil)
	switch {
	case !t.Items.Kept:
		open = nil
	case t.Items.Marked || wasUnread:
		if open, ledger, err = t.keepAgain(ctx); err != nil {
			return err
		}
	}
	leaving := state.Leaving(from)
	if open != nil { // what leaves the window unpaid stays in the open items
		left, leaving = domain.OrderSum{}, domain.OrderSum{}
	}
	result := domain.PassResult{
		Outcome: domain.PassUnchanged, RunID: t.Connection.LastRunID, Orders: orders, Left: left, Leaving: leaving, OpenItems: open,
		Sources: t.withLeftOut(state.Files, last.Sources), Warnings: domain.PassWarnings(t.withUnread(last.Warnings), leaving),
	}
	end := t.newMadeEnd(result, state, func(*domain.ConnectionStatus) {})
	end.Ledger = ledger
	return t.end(ctx, end)
}

// lastResult is the result of the last pass that did not fail, which an unchanged pass has
// too. In most cases that is one of the latest passes. They are listed by when they were due:
// one that was asked for may have ended before one that was due earlier.
func (t *attempt) lastResult(ctx context.Context) (domain.PassResult, error) {
	for _, limit := range []int{3, int(domain.PassRetention / domain.PassPeriod)} {
		passes, err := t.in.PassLog.Latest(ctx, t.Account.ID, t.Connection.ID, limit)
		if err != nil {
			return domain.PassResult{}, fmt.Errorf("find the last pass: %w", err)
		}
		var last domain.Pass
		for _, pass := range passes {
			made := pass.Outcome == domain.PassStored || pass.Outcome == domain.PassUnchanged
			if made && pass.EndedAt.After(last.EndedAt) {
				last = pass
			}
		}
		if last.Outcome != "" {
			return last.PassResult, nil
		}
	}
	return domain.PassResult{}, nil
}

// newMadeEnd is the end of a pass that has not failed.
func (t *attempt) newMadeEnd(result domain.PassResult, state domain.PassState, change func(*domain.ConnectionStatus)) ports.PassEnd {
	end := t.newEnd(result)
	end.State = state
	end.Status = func(s *domain.ConnectionStatus) {
		s.CheckedAt, s.FailingSince, s.Failure = end.Pass.EndedAt, time.Time{}, nil
		if s.State == domain.ConnectionRefused {
			resume(s, t.Connection.ID, end.Pass.EndedAt, passPeriod(t.in.Background))
		}
		s.Left = s.Left.Plus(result.Left)
		change(s)
	}
	return end
}

// resume makes a connection active. Passes that were missed are not made up.
func resume(s *domain.ConnectionStatus, connectionID string, now time.Time, period time.Duration) {
	s.State = domain.ConnectionActive
	if !s.NextPassAt.After(now) {
		s.NextPassAt = domain.NextPass(connectionID, now, period)
	}
}

func (t *attempt) newFailedEnd(failure *domain.ConnectorError) ports.PassEnd {
	end := t.newEnd(domain.PassResult{Outcome: domain.PassFailed, Failure: failure})
	end.State = t.State
	if failure.File != "" && len(t.sources) > 0 && t.sources[0].seen != nil {
		end.State.Files, end.State.MoreFiles = remembered(t.seenAgain(failure))
	}
	end.Status = func(s *domain.ConnectionStatus) {
		s.Failure = failure
		if s.FailingSince.IsZero() {
			s.FailingSince = end.Pass.EndedAt
		}
		if failure.NeedsAttention() && s.State == domain.ConnectionActive {
			s.State = domain.ConnectionRefused
		}
	}
	return end
}

// newSkippedEnd is the end of a pass that is not to be made.
func (t *attempt) newSkippedEnd() ports.PassEnd {
	return t.newEnd(domain.PassResult{Outcome: domain.PassSkipped})
}

// newEnd is the end of a pass with a result, which changes nothing of the connection.
func (t *attempt) newEnd(result domain.PassResult) ports.PassEnd {
	pass := t.Pass
	pass.EndedAt, pass.PassResult = t.in.Clock(), result
	return ports.PassEnd{Pass: pass, Revision: t.Connection.Revision}
}

// end ends a pass without a run. One that has ended before is not changed.
func (t *attempt) end(ctx context.Context, end ports.PassEnd) error {
	switch err := t.in.Passes.End(ctx, end); {
	case errors.Is(err, domain.ErrNothingToDo):
		return nil
	case err != nil:
		return fmt.Errorf("end a pass: %w", err)
	}
	t.logEnd(ctx, end.Pass)
	return nil
}

// logEnd logs the end of a pass: of a failure the connector and the rule, and nothing that an
// account has entered.
func (t *attempt) logEnd(ctx context.Context, pass domain.Pass) {
	level, attrs := slog.LevelInfo, []slog.Attr{
		slog.String("account_id", pass.AccountID), slog.String("connection_id", pass.ConnectionID), slog.String("pass_id", pass.ID),
		slog.String("outcome", string(pass.Outcome)), slog.Bool("asked", pass.Asked),
		slog.Duration("late", max(pass.StartedAt.Sub(pass.Due), 0)), slog.Duration("took", max(pass.EndedAt.Sub(pass.StartedAt), 0)),
	}
	if pass.RunID != "" {
		attrs = append(attrs, slog.String("run_id", pass.RunID), slog.Int("orders", pass.Orders))
	}
	if f := pass.Failure; f != nil {
		attrs = append(attrs, slog.String("connector", string(f.Connector)), slog.Int("source", f.Source), slog.String("rule", string(f.Rule)))
		if f.Rule == domain.ConnFault || f.Rule == domain.ConnInterrupted {
			level = slog.LevelWarn
		}
	}
	t.in.Log.LogAttrs(ctx, level, "pass", attrs...)
}
