package webhooks

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
	// retryAfter is the backoff between a failed first attempt and the second one:
	// long enough for a receiver to be restarted. retryJitter keeps deliveries that
	// failed at the same time from being retried at the same time.
	retryAfter  = 4 * time.Second
	retryJitter = 2 * time.Second
	// completeLimit is how long the service tries to store how an attempt ended after
	// the context of the job has ended.
	completeLimit = 5 * time.Second
	// unrecordedDeaths is how many processes may die while they make the body of a
	// batch before an attempt is recorded. After that many deaths the attempt is
	// recorded first, so that domain.MaxAttempts ends the delivery before more than
	// domain.MaxDeaths processes have died. A delivery never fails because of deaths
	// alone: another job of the process may be their cause.
	unrecordedDeaths = domain.MaxDeaths - domain.MaxAttempts
	// mostBodies is how many large bodies of batches one instance of the service
	// holds at once: the body of 20 large jobs is about 60 MB.
	mostBodies = 2
	// smallBody is up to how many bytes a body does not count towards mostBodies
	// while it is posted: a hundred such bodies are smaller than one large one.
	smallBody = 512 << 10
	// bodyPause is after how long a delivery asks again if mostBodies are held.
	bodyPause = 2 * time.Second
)

const (
	testRun   = "test-"       // begins the run_id of a test
	testBrand = "Milaan test" // tells a reader of the receiver's dashboard that it is a test
)

// Delivering posts events to the endpoints of accounts.
type Delivering struct {
	in DeliveringParams

	limiter         *limiter
	bodies          *semaphore.Weighted
	unhealthyBodies *semaphore.Weighted // fewer, so that unhealthy endpoints never take all of bodies
}

// DeliveringParams are what NewDelivering needs.
type DeliveringParams struct {
	fx.In

	Deliveries ports.Deliveries
	Batches    ports.Batches
	Poster     ports.Poster
	Answers    ports.BatchAnswers
	Clock      ports.Clock
	Background ports.Background
	Log        *slog.Logger
}

// NewDelivering makes the use case.
func NewDelivering(p DeliveringParams) *Delivering {
	return &Delivering{
		in: p, limiter: newLimiter(p.Background.Deliveries, p.Clock),
		bodies: semaphore.NewWeighted(mostBodies), unhealthyBodies: semaphore.NewWeighted(mostBodies - 1),
	}
}

// Deliver makes the next attempt at a delivery, if there is to be one. If again is
// above zero, the engine must call it again after that time: for the second attempt, or
// because the endpoint has as many POSTs under way as it may have.
func (d *Delivering) Deliver(ctx context.Context, job ports.Job, a ports.JobAttempt) (again time.Duration, err error) {
	// Looked up before a place is taken, so that a delivery that has ended does not wait
	// for a place any longer.
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
	place, wait := d.limiter.acquire(job.AccountID)
	if place == nil {
		return wait, nil
	}
	defer place.release()
	var body []byte
	if delivery.Kind == domain.BatchDelivery {
		leave, entered := d.enterBodies(place.unhealthy)
		if !entered {
			return bodyPause + rand.N(bodyPause), nil
		}
		defer leave()
		if a.Deaths < unrecordedDeaths {
			// Made before the attempt is recorded: if the database fails here, no attempt
			// is used up.
			if body, err = d.batchBody(ctx, delivery); err != nil {
				return 0, err
			}
			if len(body) <= smallBody {
				leave()
			}
		}
	}
	state, _, err := d.attempt(ctx, delivery, body, place)
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

// underWay returns for how long the delivery's last attempt may still be under way. If
// the engine takes a slow instance of the service for dead, it gives the job to another
// instance, which must not make the second attempt at the same time as the first. The
// clocks of the instances may differ by as much as an attempt takes. A time that is
// further ahead is not believed: waiting for it would delay the event by that much.
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

// enterBodies reserves memory for one body if it is free. It does not wait: the worker
// could deliver something else meanwhile. leave frees it and may be called again.
func (d *Delivering) enterBodies(unhealthy bool) (leave func(), entered bool) {
	if unhealthy && !d.unhealthyBodies.TryAcquire(1) {
		return nil, false
	}
	leaveUnhealthy := func() {
		if unhealthy {
			d.unhealthyBodies.Release(1)
		}
	}
	if !d.bodies.TryAcquire(1) {
		leaveUnhealthy()
		return nil, false
	}
	return sync.OnceFunc(func() {
		d.bodies.Release(1)
		leaveUnhealthy()
	}), true
}

// deliverNow makes a delivery's first attempt for a caller that waits for it. It takes
// no place. It returns the delivery with the attempt.
func (d *Delivering) deliverNow(ctx context.Context, delivery domain.Delivery) (domain.Delivery, error) {
	state, made, err := d.attempt(ctx, delivery, nil, d.limiter.extra(delivery.AccountID))
	if err != nil {
		return domain.Delivery{}, err
	}
	delivery.State, delivery.Attempts = state, []domain.Attempt{made}
	return delivery, nil
}

// attempt records an attempt, makes it, and records how it ended. The attempt is
// recorded before it is made, so that no event is ever posted a third time, whatever
// process dies. If the job's context ends after that, which happens late in a stop of
// the service, the POST ends, and how it ended is still recorded. body is nil for a
// batch whose body has not been made yet.
func (d *Delivering) attempt(
	ctx context.Context, delivery domain.Delivery, body []byte, place *place,
) (domain.DeliveryState, domain.Attempt, error) {
	at := d.in.Clock()
	out, err := d.in.Deliveries.Attempt(ctx, delivery.ID, at)
	if err != nil {
		return "", domain.Attempt{}, err
	}
	switch delivery.Kind {
	case domain.RunDelivery:
		body = d.in.Answers.Summary(out.Run)
	case domain.TestDelivery:
		body = d.in.Answers.Summary(madeUpRun(delivery))
	case domain.BatchDelivery:
		if body == nil {
			if body, err = d.batchBody(ctx, delivery); err != nil {
				return "", domain.Attempt{}, err
			}
		}
	}
	made, state := domain.Attempt{Failure: "the results of the batch have been deleted"}, domain.DeliveryDropped
	if len(body) > 0 { // it is empty if the results have been deleted
		place.beginPost()
		made = d.in.Poster.Post(ctx, out.Endpoint, headers(out, at, body), body)
		place.endPost(made.Outcome)
		state = stateAfter(delivery.ByHand(), out.Number, made.Outcome)
	}
	made.Number, made.At = out.Number, at
	d.logAttempt(ctx, delivery, made, state)

	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), completeLimit)
	defer cancel()
	if err := d.in.Deliveries.Complete(ctx, delivery.ID, made, state); err != nil {
		return "", domain.Attempt{}, fmt.Errorf("complete an attempt: %w", err)
	}
	return state, made, nil
}

// logAttempt logs an attempt, without the endpoint, which may contain secrets.
func (d *Delivering) logAttempt(ctx context.Context, delivery domain.Delivery, made domain.Attempt, state domain.DeliveryState) {
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

// stateAfter returns the state of a delivery after an attempt. One that is made by hand has one
// attempt, because a person waits for its outcome.
func stateAfter(byHand bool, number int, outcome domain.Outcome) domain.DeliveryState {
	switch {
	case outcome == domain.OutcomeDelivered:
		return domain.DeliveryDelivered
	case number >= domain.MaxAttempts || byHand:
		return domain.DeliveryFailed
	}
	return domain.DeliveryPending
}

func headers(out ports.Outgoing, at time.Time, body []byte) []domain.Header {
	about := []domain.Header{
		{Name: "Content-Type", Value: "application/json"},
		{Name: "User-Agent", Value: "Milaan-Webhooks/1"},
		{Name: "X-Milaan-Event", Value: string(out.Delivery.Kind)},
	}
	if out.Delivery.Sandbox {
		about = append(about, domain.Header{Name: domain.SandboxHeader, Value: "true"})
	}
	return append(about, out.Webhook.Headers(out.Delivery.EventID, at, body)...)
}

// madeUpRun returns the run that a test announces. Its brand says that it is a test, and
// it found nothing. Its id is derived from the event's id, so that a test that is sent
// again has the same body.
func madeUpRun(d domain.Delivery) domain.Run {
	id := strings.TrimPrefix(d.EventID, domain.EventPrefix)
	if event, err := uuid.Parse(id); err == nil {
		id = event.String()
	}
	return domain.Run{ID: testRun + id, AccountID: d.AccountID, Brand: testBrand, At: d.CreatedAt}
}

// batchBody returns the report on a complete batch, as GET /status answers it. It is
// empty if the results have been deleted: then the attempt drops the delivery.
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
