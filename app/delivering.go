package app

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"strings"
	"sync"
	"time"

	"github.com/google/uuid"
	"github.com/sethvargo/go-retry"
	"go.uber.org/fx"
	"golang.org/x/sync/semaphore"

	"milaan/domain"
	"milaan/ports"
)

const (
	// retryAfter and retryJitter say when the second attempt follows a failed
	// first one: a receiver that was being restarted is back by then, and those
	// that failed together are not called again together.
	retryAfter  = 4 * time.Second
	retryJitter = 2 * time.Second
	// completeLimit is how long the record of an attempt may take once the job
	// itself has been told to stop.
	completeLimit = 5 * time.Second
	// unrecordedDeaths is how many processes may die while they make a body of
	// which no attempt is recorded yet. From then on the attempt is recorded first,
	// so that domain.MaxAttempts end what domain.MaxDeaths must not exceed. A
	// delivery is never given up for deaths alone: whatever else is being done in
	// the process may be their cause.
	unrecordedDeaths = domain.MaxDeaths - domain.MaxAttempts
	// mostBodies is how many large bodies of batches one copy of the service
	// holds: one of 20 large jobs is some 60 MB.
	mostBodies = 2
	// smallBody is up to how many bytes a body needs no room while it is posted: a
	// hundred such are less than one large one.
	smallBody = 512 << 10
	// bodyPause is after how long a batch's delivery that found no room for its
	// body looks again.
	bodyPause = 2 * time.Second
)

const (
	eventPrefix = "evt_"        // begins the id of every event
	testRun     = "test-"       // begins the run_id of a test
	testBrand   = "Milaan test" // says in the dashboards of receivers what it is
)

// newDelivery gives a delivery its ids, a new event's unless it has one.
func newDelivery(d domain.Delivery) domain.Delivery {
	if d.EventID == "" {
		d.EventID = eventPrefix + strings.ReplaceAll(newID(), "-", "")
	}
	d.ID, d.State = newID(), domain.DeliveryPending
	return d
}

// Delivering tells accounts' endpoints of events.
type Delivering struct {
	in DeliveringParams

	slots      *slots
	bodies     *semaphore.Weighted
	sickBodies *semaphore.Weighted // leaves a body's room to those that answer
}

// DeliveringParams are what NewDelivering needs.
type DeliveringParams struct {
	fx.In

	Deliveries ports.Deliveries
	Batches    ports.Batches
	Poster     ports.Poster
	Summaries  ports.Summaries
	Answers    ports.BatchAnswers
	Clock      ports.Clock
	Background ports.Background
	Log        *slog.Logger
}

// NewDelivering makes the use case.
func NewDelivering(p DeliveringParams) *Delivering {
	return &Delivering{
		in: p, slots: newSlots(p.Background.Deliveries, p.Clock),
		bodies: semaphore.NewWeighted(mostBodies), sickBodies: semaphore.NewWeighted(mostBodies - 1),
	}
}

// Deliver makes the next attempt at a delivery, if it is due one. again above
// zero asks to be called again after that time: for a second attempt, or
// because the endpoint has as many POSTs under way as it may.
func (d *Delivering) Deliver(ctx context.Context, job ports.Job, a ports.JobAttempt) (again time.Duration, err error) {
	// Before a slot is asked for, so that what has been settled meanwhile does not
	// go on queueing for one.
	delivery, err := d.in.Deliveries.Find(ctx, job.AccountID, job.Delivery)
	switch {
	case errors.Is(err, domain.ErrNoDelivery):
		return 0, nil
	case err != nil:
		return 0, err
	case delivery.State != domain.DeliveryPending:
		return 0, nil
	}
	if wait := d.underWay(delivery); wait > 0 {
		return wait, nil
	}
	slot, wait := d.slots.take(job.AccountID)
	if slot == nil {
		return wait, nil
	}
	defer slot.release()
	var body []byte
	if delivery.Kind == domain.BatchDelivery {
		leave, entered := d.enterBodies(slot.sick)
		if !entered {
			return bodyPause + rand.N(bodyPause), nil
		}
		defer leave()
		if a.Deaths < unrecordedDeaths {
			// Made before the attempt is recorded: a database that fails on the way
			// costs no attempt.
			if body, err = d.batchBody(ctx, delivery); err != nil {
				return 0, err
			}
			if len(body) <= smallBody {
				leave()
			}
		}
	}
	state, _, err := d.attempt(ctx, delivery, body, slot)
	switch {
	case errors.Is(err, domain.ErrNothingToDo):
		return 0, nil
	case err != nil:
		return 0, err
	case state == domain.DeliveryPending:
		wait, _ := retry.WithJitter(retryJitter, retry.NewConstant(retryAfter)).Next()
		return wait, nil
	}
	return 0, nil
}

// underWay is how long the delivery's last attempt may still be under way: an
// engine that takes a slow copy of the service for dead gives the job to another
// one, which must not spend the second attempt beside the first. The copies'
// clocks may differ by as much as an attempt takes; one that is further ahead
// says nothing, and waiting for it would hold the event up for as long.
func (d *Delivering) underWay(delivery domain.Delivery) time.Duration {
	const longest = domain.PostLimit + completeLimit
	n := len(delivery.Attempts)
	if n == 0 || delivery.Attempts[n-1].Outcome != "" {
		return 0
	}
	ago := d.in.Clock().Sub(delivery.Attempts[n-1].At)
	if ago < -longest {
		return 0
	}
	return min(longest-ago, longest)
}

// enterBodies asks for the room of one body, without waiting for it: a worker
// that waits could deliver something else. leave may be called again.
func (d *Delivering) enterBodies(sick bool) (leave func(), entered bool) {
	if sick && !d.sickBodies.TryAcquire(1) {
		return nil, false
	}
	if d.bodies.TryAcquire(1) {
		return sync.OnceFunc(func() {
			d.bodies.Release(1)
			if sick {
				d.sickBodies.Release(1)
			}
		}), true
	}
	if sick {
		d.sickBodies.Release(1)
	}
	return nil, false
}

// deliverNow makes a delivery's first attempt for somebody who waits for it,
// outside the slots, and returns it as it then is.
func (d *Delivering) deliverNow(ctx context.Context, delivery domain.Delivery) (domain.Delivery, error) {
	state, made, err := d.attempt(ctx, delivery, nil, d.slots.extra(delivery.AccountID))
	if err != nil {
		return domain.Delivery{}, err
	}
	delivery.State, delivery.Attempts = state, []domain.Attempt{made}
	return delivery, nil
}

// attempt records an attempt, makes it, and records what came of it: the record
// comes first, so that whatever dies in between no event costs a third POST.
// Once it is recorded, the end of the job's context, which comes late in a stop of
// the service, ends the POST and not the record. A batch's body that is not there
// yet is made in between.
func (d *Delivering) attempt(ctx context.Context, delivery domain.Delivery, body []byte, slot *slot) (domain.DeliveryState, domain.Attempt, error) {
	at := d.in.Clock()
	out, err := d.in.Deliveries.Attempt(ctx, delivery.ID, at)
	if err != nil {
		return "", domain.Attempt{}, err
	}
	switch delivery.Kind {
	case domain.RunDelivery:
		body = d.in.Summaries.Summary(out.Run)
	case domain.TestDelivery:
		body = d.in.Summaries.Summary(madeUpRun(delivery))
	case domain.BatchDelivery:
		if body == nil {
			if body, err = d.batchBody(ctx, delivery); err != nil {
				return "", domain.Attempt{}, err
			}
		}
	}
	made, state := domain.Attempt{Failure: "the results of the batch have been deleted"}, domain.DeliveryDropped
	if len(body) > 0 { // else there is nothing to send
		slot.beginPost()
		made = d.in.Poster.Post(ctx, out.Endpoint, headers(out, at, body), body)
		slot.endPost(made.Outcome)
		state = stateAfter(delivery.Kind, out.Number, made.Outcome)
	}
	made.Number, made.At = out.Number, at
	d.tell(ctx, delivery, made, state)

	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), completeLimit)
	defer cancel()
	if err := d.in.Deliveries.Complete(ctx, delivery.ID, made, state); err != nil {
		return "", domain.Attempt{}, fmt.Errorf("complete an attempt: %w", err)
	}
	return state, made, nil
}

// tell logs an attempt, without the endpoint, which may hold secrets.
func (d *Delivering) tell(ctx context.Context, delivery domain.Delivery, made domain.Attempt, state domain.DeliveryState) {
	attrs := []slog.Attr{
		slog.String("account_id", delivery.AccountID), slog.String("delivery_id", delivery.ID), slog.String("kind", string(delivery.Kind)),
		slog.Int("attempt", made.Number), slog.String("outcome", string(made.Outcome)), slog.Int("status", made.Status),
		slog.String("state", string(state)), slog.Duration("took", made.Took),
	}
	if delivery.RunID != "" {
		attrs = append(attrs, slog.String("run_id", delivery.RunID))
	}
	if delivery.BatchID != "" {
		attrs = append(attrs, slog.String("batch_id", delivery.BatchID))
	}
	d.in.Log.LogAttrs(ctx, slog.LevelInfo, "delivery attempt", attrs...)
}

// stateAfter is how far a delivery has come with an attempt. A test is made
// once, for somebody is waiting to see what comes of it.
func stateAfter(kind domain.DeliveryKind, number int, outcome domain.Outcome) domain.DeliveryState {
	switch {
	case outcome == domain.OutcomeDelivered:
		return domain.DeliveryDelivered
	case number >= domain.MaxAttempts || kind == domain.TestDelivery:
		return domain.DeliveryFailed
	}
	return domain.DeliveryPending
}

// headers are what a POST says besides its body.
func headers(out ports.Outgoing, at time.Time, body []byte) []domain.Header {
	return append([]domain.Header{
		{Name: "Content-Type", Value: "application/json"},
		{Name: "User-Agent", Value: "Milaan-Webhooks/1"},
		{Name: "X-Milaan-Event", Value: string(out.Delivery.Kind)},
	}, out.Webhook.Headers(out.Delivery.EventID, at, body)...)
}

// madeUpRun is what a test tells of: a run that says so and found nothing. Its
// id follows from the event's, so that a test sent again has the same body.
func madeUpRun(d domain.Delivery) domain.Run {
	id := strings.TrimPrefix(d.EventID, eventPrefix)
	if event, err := uuid.Parse(id); err == nil {
		id = event.String()
	}
	return domain.Run{ID: testRun + id, AccountID: d.AccountID, Brand: testBrand, At: d.CreatedAt}
}

// batchBody is the report on a complete batch: what GET /status answers. It is
// empty if the results have been deleted, which settles the delivery when it is
// attempted.
func (d *Delivering) batchBody(ctx context.Context, delivery domain.Delivery) ([]byte, error) {
	batch, err := d.in.Batches.Find(ctx, delivery.AccountID, delivery.BatchID)
	var b bytes.Buffer
	if err == nil {
		err = d.in.Answers.Status(&b, batch, d.in.Batches.Results(ctx, batch))
	}
	switch {
	case errors.Is(err, domain.ErrNoBatch), errors.Is(err, domain.ErrBatchGone):
		return nil, nil
	case err != nil:
		return nil, fmt.Errorf("write the report on a batch: %w", err)
	}
	return b.Bytes(), nil
}
