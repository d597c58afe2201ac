package webhooks_test

import (
	"context"
	"iter"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"time"

	"milaan/app/webhooks"
	"milaan/domain"
	"milaan/ports"
	"milaan/tests/fakes/hooks"
	"milaan/tests/fakes/storage"
)

// memoryBench delivers from memory: for tests under testing/synctest, where a call of
// a database would not count as waiting, and for TestCrashes, which needs thousands of
// stores. step is called before and after each operation, and may panic or return an
// error, as a process may die or a database fail.
type memoryBench struct {
	ports.Deliveries
	mu         sync.Mutex
	pending    map[string]domain.Delivery
	result     string // of each of the two jobs of every batch
	now        time.Time
	step       func() error
	receivers  *hooks.Receivers
	delivering *webhooks.Delivering
}

func newMemoryBench(workers int, clock ports.Clock) *memoryBench {
	b := &memoryBench{pending: map[string]domain.Delivery{}, now: storage.LateEvening, step: func() error { return nil }}
	if clock == nil {
		clock = func() time.Time { return b.now }
	}
	b.receivers = &hooks.Receivers{Clock: clock}
	b.delivering = webhooks.NewDelivering(webhooks.DeliveringParams{
		Deliveries: b, Batches: memoryBatches{b: b}, Poster: b.receivers, Answers: hooks.PlainAnswers{},
		Clock: clock, Background: ports.Background{Deliveries: workers}, Log: slog.New(slog.DiscardHandler),
	})
	return b
}

func (b *memoryBench) add(kind domain.DeliveryKind, accountID, id string) ports.Job {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.pending[id] = domain.Delivery{ID: id, EventID: "evt_" + id, AccountID: accountID, Kind: kind, State: domain.DeliveryPending}
	return ports.Job{Kind: ports.DeliverJob, AccountID: accountID, Delivery: id}
}

// event adds the delivery of a run for an account.
func (b *memoryBench) event(accountID, id string) ports.Job {
	return b.add(domain.RunDelivery, accountID, id)
}

// batch adds the delivery of a complete batch of two jobs.
func (b *memoryBench) batch(id string) ports.Job { return b.add(domain.BatchDelivery, "account-1", id) }

// doing brackets an operation with steps.
func (b *memoryBench) doing(id string, do func(d *domain.Delivery) error) error {
	if err := b.step(); err != nil {
		return err
	}
	b.mu.Lock()
	d := b.pending[id]
	err := do(&d)
	if err == nil {
		b.pending[id] = d
	}
	b.mu.Unlock()
	if err != nil {
		return err
	}
	return b.step()
}

func (b *memoryBench) Find(_ context.Context, _, id string) (found domain.Delivery, err error) {
	err = b.doing(id, func(d *domain.Delivery) error {
		found = *d
		return nil
	})
	return found, err
}

func (b *memoryBench) Attempt(_ context.Context, id string, at time.Time) (out ports.Outgoing, err error) {
	used := false
	err = b.doing(id, func(d *domain.Delivery) error {
		switch used = len(d.Attempts) >= domain.MaxAttempts; {
		case d.State != domain.DeliveryPending:
			return domain.ErrNothingToDo
		case used:
			d.State = domain.DeliveryFailed
			return nil
		}
		out = ports.Outgoing{Delivery: *d, Number: len(d.Attempts) + 1, Endpoint: hookOf(d.AccountID), Webhook: domain.Webhook{Secret: hooks.Secret}}
		d.Attempts = append(slices.Clone(d.Attempts), domain.Attempt{Number: out.Number, At: at})
		return nil
	})
	if err == nil && used {
		err = domain.ErrNothingToDo
	}
	return out, err
}

func hookOf(accountID string) string { return "https://hooks.example/" + accountID }

func (b *memoryBench) Complete(_ context.Context, id string, a domain.Attempt, state domain.DeliveryState) error {
	return b.doing(id, func(d *domain.Delivery) error {
		d.Attempts = slices.Clone(d.Attempts)
		d.Attempts[a.Number-1], d.State = a, state
		return nil
	})
}

type memoryBatches struct {
	ports.Batches
	b *memoryBench
}

func (m memoryBatches) Find(_ context.Context, accountID, id string) (domain.Batch, error) {
	return domain.Batch{ID: id, AccountID: accountID, Jobs: 2, Completed: 2, CompletedAt: storage.LateEvening}, m.b.step()
}

func (m memoryBatches) Results(context.Context, domain.Batch) iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		for range 2 {
			if err := m.b.step(); !yield([]byte(strings.Clone(m.b.result)), err) || err != nil {
				return
			}
		}
	}
}
