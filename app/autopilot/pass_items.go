package autopilot

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"

	"milaan/domain"
	"milaan/ports"
)

// begins says whether the pass is the first one that keeps open items: it compares the same files again.
func (t *attempt) begins() bool { return t.Items.Kept && !t.Items.Written }

// findKept finds what is kept of the open items of the connection, and reserves the memory to read it and to write it anew, beside
// a number of bytes. Who has them kept while a pass is made has them from the next one on.
func (t *attempt) findKept(ctx context.Context, beside int64) error {
	if !t.Items.Kept {
		return nil
	}
	kept, err := t.in.Ledgers.Find(ctx, t.Account.ID, t.Connection.ID)
	switch {
	case errors.Is(err, domain.ErrNoItems):
		return nil
	case errors.Is(err, domain.ErrItemsUnread):
		t.unread = true
		return nil
	case errors.Is(err, domain.ErrNoConnection): // it is removed
		return domain.ErrNothingToDo
	case err != nil:
		return fmt.Errorf("find the open items of a connection: %w", err)
	}
	t.kept = &kept
	return t.reserve(ctx, beside+2*int64(len(kept.Text))+ports.WorkBytesFor(kept.Text))
}

// keep writes down what the next pass knows of a run; nil if the open items of the connection are not kept.
func (t *attempt) keep(finished *ports.FinishedRun) (*ports.PassLedger, error) {
	if t.kept == nil {
		return nil, nil
	}
	text, oldest, err := writtenLedger(finished, t.in.WriteLedger, len(t.kept.Text))
	return &ports.PassLedger{Since: t.kept.Since, Version: t.kept.Version, Text: text, Oldest: oldest}, err
}

// isUnread says whether an error is that what is kept of open items cannot be read, and notes it. The shop can do nothing about that,
// so the pass goes on without them, and leaves them as they are for a program that can read them.
func (t *attempt) isUnread(ctx context.Context, err error) bool {
	fault, isFault := errors.AsType[*domain.FileError](err)
	if !isFault || fault.File != domain.LedgerFile {
		return false
	}
	t.unread = true
	t.in.Log.LogAttrs(ctx, slog.LevelError, "kept open items cannot be read", slog.String("connection_id", t.Connection.ID),
		slog.String("rule", string(fault.Rule)))
	return true
}

// withUnread adds to the warnings of a pass that it was made without the open items which are kept.
func (t *attempt) withUnread(warnings []domain.Warning) []domain.Warning {
	if !t.unread {
		return warnings
	}
	return append(slices.Clip(warnings), domain.Warning{Code: domain.WarnItemsUnread})
}

// keepAgain is what an unchanged pass says of open items that people have marked since the last pass, or that it could not read, and
// what it keeps of them: what people have written off is no claim any more, and mails should not wait for another report to say so.
func (t *attempt) keepAgain(ctx context.Context) (sums []domain.CourierSum, ledger *ports.PassLedger, err error) {
	if err := t.findKept(ctx, 0); err != nil || t.kept == nil {
		return nil, nil, err
	}
	finished, err := t.in.Reconciling.CompareKept(ctx, *t.kept, t.terms(), domain.DayOf(t.in.Clock()))
	switch {
	case t.isUnread(ctx, err):
		return nil, nil, nil
	case err != nil:
		return nil, nil, fmt.Errorf("read the open items of a connection: %w", err)
	}
	defer finished.Release()
	ledger, err = t.keep(finished)
	return claimed(finished.Reconciliation), ledger, err
}
