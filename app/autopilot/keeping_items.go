package autopilot

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"

	"go.uber.org/fx"

	"milaan/app/admission"
	"milaan/app/runs"
	"milaan/domain"
	"milaan/domain/verdict"
	"milaan/ports"
)

// KeepingItems keeps the open items of connections (guide: autopilot).
type KeepingItems struct {
	fx.In

	Accounts    ports.Accounts
	Connections ports.Connections
	Ledgers     ports.ConnectionLedgers
	Reconciling *runs.Reconciling
	Documents   runs.Documents
	WriteLedger ports.WriteLedger
	Clock       ports.Clock
	Log         *slog.Logger
}

func (k *KeepingItems) KeepItems(ctx context.Context, accountID, connectionID string, keeps bool, by domain.Actor) error {
	c, err := k.Connections.Find(ctx, accountID, connectionID)
	if err != nil {
		return err
	}
	now, kind := k.Clock(), domain.SecurityItemsDeleted
	if keeps {
		kind = domain.SecurityItemsKept
	}
	event := admission.NewEvent(domain.SecurityEvent{At: now, Kind: kind, Detail: c.Brand, By: by})
	return k.Ledgers.Switch(ctx, accountID, connectionID, keeps, now, event)
}

func (k *KeepingItems) OpenItems(ctx context.Context, account domain.Account, connectionID string) (*ports.KeptItems, error) {
	c, err := k.Connections.Find(ctx, account.ID, connectionID)
	if err != nil {
		return nil, err
	}
	kept, err := k.Ledgers.Find(ctx, account.ID, connectionID)
	if err != nil {
		return nil, err
	}
	run, err := k.compare(ctx, account, c, kept)
	if err != nil {
		return nil, orUnread(err)
	}
	return &ports.KeptItems{FinishedRun: run, Since: kept.Since, WrittenAt: kept.WrittenAt}, nil
}

// compare makes a run of what is kept of a connection alone.
func (k *KeepingItems) compare(
	ctx context.Context, a domain.Account, c domain.Connection, kept domain.KeptLedger,
) (*ports.FinishedRun, error) {
	terms := domain.TermsFor(c.OverdueDays, a.OverdueDays, c.MinorGap, c.Charges, a.Charges())
	run, err := k.Reconciling.CompareKept(ctx, kept, terms, domain.DayOf(k.Clock()))
	if err != nil {
		return nil, fmt.Errorf("read the open items of a connection: %w", err)
	}
	run.Run.Brand = c.Brand
	return run, nil
}

// orUnread says in place of a fault of what is kept, which names a line that nobody can look at, what people can do.
func orUnread(err error) error {
	if errors.Is(err, domain.ErrFile) {
		return domain.ErrItemsUnread
	}
	return err
}

// markTries is how often marks are checked anew because a pass or somebody else has changed the ledger meanwhile.
const markTries = 5

func (k *KeepingItems) MarkItems(ctx context.Context, account domain.Account, connectionID string, changes []ports.ItemChange) error {
	c, err := k.Connections.Find(ctx, account.ID, connectionID)
	if err != nil {
		return err
	}
	for range markTries {
		kept, err := k.Ledgers.Find(ctx, account.ID, connectionID)
		if err != nil {
			return err
		}
		marks, err := k.change(ctx, account, c, kept, changes)
		if err != nil {
			return err
		}
		kept.Marks = marks
		if marked, err := k.Ledgers.Mark(ctx, account.ID, connectionID, kept); marked || err != nil {
			return err
		}
	}
	return domain.ErrBusy
}

func (k *KeepingItems) change(
	ctx context.Context, a domain.Account, c domain.Connection, kept domain.KeptLedger, changes []ports.ItemChange,
) ([]domain.KeptMark, error) {
	run, err := k.compare(ctx, a, c, kept)
	if err != nil {
		return nil, orUnread(err)
	}
	defer run.Release()
	changed := map[int]bool{}
	var faults domain.Faults
	var marks []domain.KeptMark
	for i, wanted := range changes {
		orders, rule := run.OrdersOf(wanted.ChosenOrder)
		fault := domain.Fault{Field: domain.FieldMarks, Rule: rule, Entry: i + 1, Value: domain.Shortened(wanted.OrderID)}
		if len(orders) > 0 && !slices.ContainsFunc(orders, func(order int) bool { return !changed[order] }) {
			fault.Rule = domain.RuleTwice
		}
		if faults.Add(fault.Rule != "", fault); fault.Rule != "" {
			continue
		}
		seen := seenAs(run, orders, wanted.Was, changed)
		if seen < 0 {
			return nil, domain.ErrItemChanged
		}
		changed[seen] = true
		marks = append(marks, domain.KeptMark{MarkedOrder: domain.MarkedOrder{ChosenOrder: wanted.ChosenOrder, Mark: wanted.Mark},
			Created: run.CreatedAt(seen)})
	}
	faults.Add(longerThanAllowed(run, changes), domain.Fault{Field: domain.FieldMarks, Rule: domain.RuleNotes, Max: domain.MaxNotes})
	if err := faults.Err(); err != nil {
		return nil, err
	}
	for _, wanted := range changes { // who has seen fewer orders that nothing tells apart does not know which they were
		if orders, _ := run.OrdersOf(wanted.ChosenOrder); seenAs(run, orders, wanted.Was, changed) >= 0 {
			return nil, domain.ErrItemChanged
		}
	}
	for _, before := range kept.Marks {
		if orders := run.MarkedBy(&before); slices.ContainsFunc(orders, func(order int) bool { return !changed[order] }) {
			marks = append(marks, before)
		}
	}
	return marks, nil
}

// longerThanAllowed says whether changes make the notes of a run longer, so that together they have more than domain.MaxNotes bytes.
func longerThanAllowed(run *ports.FinishedRun, changes []ports.ItemChange) bool {
	added := 0
	for i := range changes {
		added += len(changes[i].Mark.Note) - len(changes[i].Was.Note)
	}
	if added <= 0 {
		return false
	}
	for order := range run.All() {
		added += len(run.MarkOf(order).Note)
	}
	return added > domain.MaxNotes
}

// seenAs is the first of some orders that has a mark and has not been changed; below 0: none.
func seenAs(run *ports.FinishedRun, orders []int, mark domain.Mark, changed map[int]bool) int {
	for _, order := range orders {
		if !changed[order] && run.MarkOf(order) == mark {
			return order
		}
	}
	return -1
}

func (k *KeepingItems) DisputeItems(ctx context.Context, account domain.Account, connectionID, courier string) (*ports.Document, error) {
	items, err := k.OpenItems(ctx, account, connectionID)
	if err != nil {
		return nil, err
	}
	var chosen []int
	for item := range items.FinishedRun.OpenItems() {
		if item.Now.Courier == courier && items.Asked(item.Order) > 0 {
			chosen = append(chosen, item.Order)
		}
	}
	if len(chosen) == 0 {
		items.Release()
		return nil, domain.ErrNothingToDispute
	}
	items.ChooseOrders(chosen)
	document, err := k.Documents.OfKept(ctx, account, items.FinishedRun)
	if err != nil {
		items.Release()
	}
	return document, err
}

// outdated is how many connections one sweep looks at; the next sweep continues.
const outdated = 20

// ForgetItems deletes the orders of kept ledgers that were last seen domain.ItemsKeptFor days ago. A pass does that too, and
// some connections have none for long.
func (k *KeepingItems) ForgetItems(ctx context.Context) error {
	before := domain.DayOf(k.Clock()) - domain.ItemsKeptFor
	connections, err := k.Ledgers.Outdated(ctx, before, outdated)
	if err != nil {
		return fmt.Errorf("look for outdated open items: %w", err)
	}
	var all error
	for _, c := range connections {
		if err := k.forget(ctx, c); err != nil {
			k.Log.LogAttrs(ctx, slog.LevelWarn, "outdated open items cannot be deleted", slog.String("connection_id", c.ID),
				slog.Any("error", err))
			all = errors.Join(all, err)
		}
	}
	return all
}

func (k *KeepingItems) forget(ctx context.Context, c domain.Connection) error {
	kept, err := k.Ledgers.Find(ctx, c.AccountID, c.ID)
	switch {
	case errors.Is(err, domain.ErrNoItems) || errors.Is(err, domain.ErrNoConnection):
		return nil
	case errors.Is(err, domain.ErrItemsUnread):
		kept = k.withoutAny(ctx, c, kept, "it cannot be opened")
	case err != nil:
		return err
	default:
		if kept, err = k.withoutOutdated(ctx, c, kept); err != nil {
			return err
		}
	}
	return k.Ledgers.Replace(ctx, c.AccountID, c.ID, kept)
}

// withoutOutdated is a kept ledger without what is to be forgotten. Its text has the marks, and they stay beside it: a pass
// that has begun before may put a text in its place that has none of them.
func (k *KeepingItems) withoutOutdated(ctx context.Context, of domain.Connection, kept domain.KeptLedger) (domain.KeptLedger, error) {
	account, err := k.Accounts.ByID(ctx, of.AccountID)
	if err != nil {
		return kept, err
	}
	c, err := k.Connections.Find(ctx, of.AccountID, of.ID)
	if err != nil {
		return kept, err
	}
	run, err := k.compare(ctx, account, c, kept)
	if fault, unreadable := errors.AsType[*domain.FileError](err); unreadable {
		return k.withoutAny(ctx, c, kept, string(fault.Rule)), nil
	}
	if err != nil {
		return kept, err
	}
	kept.Text, kept.Oldest, err = writtenLedger(run, k.WriteLedger, len(kept.Text))
	run.Release()
	if err != nil || len(kept.Marks) == 0 {
		return kept, err
	}
	stays := kept
	stays.Marks = nil
	if run, err = k.compare(ctx, account, c, stays); err != nil {
		return kept, err
	}
	defer run.Release()
	kept.Marks = slices.DeleteFunc(kept.Marks, func(mark domain.KeptMark) bool { return len(run.MarkedBy(&mark)) == 0 })
	return kept, nil
}

// withoutAny forgets a ledger whole that cannot be read any more: nobody could tell which of its orders may stay.
func (k *KeepingItems) withoutAny(ctx context.Context, of domain.Connection, kept domain.KeptLedger, why string) domain.KeptLedger {
	k.Log.LogAttrs(ctx, slog.LevelError, "outdated open items cannot be read, and are deleted", slog.String("connection_id", of.ID),
		slog.String("reason", why))
	kept.Text, kept.Oldest, kept.Marks = nil, domain.NoDay, nil
	return kept
}

// writtenLedger is the text of a run's ledger, and from which day its oldest part is kept. before is how long the text was that the
// run has read: it is about as long.
func writtenLedger(run *ports.FinishedRun, write ports.WriteLedger, before int) (text []byte, oldest domain.Day, err error) {
	var b bytes.Buffer
	b.Grow(before + before/8)
	if err := write(run, &b); err != nil {
		return nil, domain.NoDay, fmt.Errorf("write a ledger: %w", err)
	}
	return b.Bytes(), run.OldestKept(), nil
}

// claimed is what is claimed from each courier, in the order of their ids.
func claimed(r *verdict.Reconciliation) []domain.CourierSum {
	sums := []domain.CourierSum{}
	couriers, _ := r.Movements()
	for i := range couriers {
		if now := couriers[i].Now; now.Items > 0 {
			sum := domain.OrderSum{Orders: now.Items, Amount: now.Amount}
			sums = append(sums, domain.CourierSum{Courier: couriers[i].Courier, OrderSum: sum})
		}
	}
	return sums
}
