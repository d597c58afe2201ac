package webhooks_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"milaan/app/webhooks"
	"milaan/domain"
	"milaan/ports"
	"milaan/tests/fakes/hooks"
	"milaan/tests/fakes/storage"
	"milaan/tests/only"
)

type deliveringBench struct {
	*storage.Store
	receivers  *hooks.Receivers
	delivering *webhooks.Delivering
	log        bytes.Buffer
}

func newDeliveringBench(t testing.TB, account domain.Account) *deliveringBench {
	t.Helper()
	b := &deliveringBench{Store: storage.New(t, account)}
	b.receivers = &hooks.Receivers{Clock: b.Clock}
	b.delivering = webhooks.NewDelivering(webhooks.DeliveringParams{
		Deliveries: b.Deliveries, Batches: b.Batches, Poster: b.receivers, Answers: hooks.PlainAnswers{},
		Clock: b.Clock, Background: ports.Background{Deliveries: 100}, Log: slog.New(slog.NewTextHandler(&b.log, nil)),
	})
	return b
}

// newHookedBench is a bench of an account that has an endpoint.
func newHookedBench(t testing.TB) *deliveringBench {
	t.Helper()
	b := newDeliveringBench(t, storage.EnterpriseAccount())
	b.SetWebhook(domain.Webhook{Endpoint: "https://hooks.example/1", Secret: hooks.Secret})
	return b
}

var deliveredRun = domain.Run{ID: "run-1", AccountID: "account-1", Brand: "Asha", At: storage.LateEvening}

func (b *deliveringBench) write(e ports.Entry) {
	require.NoError(b.T, b.Runs.Update(context.Background(), "account-1", func(book ports.RunBook) error { return book.Write(e) }))
}

func (b *deliveringBench) lastJob() ports.Job {
	jobs := b.Jobs()
	return jobs[len(jobs)-1]
}

// event adds the delivery of a run.
func (b *deliveringBench) event(id string) ports.Job {
	if len(b.RunIDs()) == 0 {
		b.write(ports.Entry{Run: deliveredRun})
	}
	require.NoError(b.T, b.Deliveries.Add(context.Background(), domain.Delivery{ID: id, EventID: "evt_" + id, AccountID: "account-1",
		Kind: domain.RunDelivery, RunID: "run-1", CreatedAt: b.Now}))
	return b.lastJob()
}

// batchDone adds a complete batch of two jobs with its delivery.
func (b *deliveringBench) batchDone(id string) ports.Job {
	batch := domain.Batch{ID: id, AccountID: "account-1", Jobs: 2, WebhookURL: "https://batches.example/", SubmittedAt: b.Now}
	require.NoError(b.T, b.Batches.Submit(context.Background(), batch, make([]ports.Request, 2), domain.RequestClaim{}))
	for i, result := range []string{"first", "second"} {
		b.write(ports.Entry{End: ports.JobEnd{BatchJob: domain.BatchJob{BatchID: id, Position: i}, At: b.Now, Result: []byte(result),
			Delivery: domain.Delivery{ID: "delivery-" + id, EventID: "evt_" + id, CreatedAt: b.Now}}})
	}
	return b.lastJob()
}

// mustDeliver does a job, which must not fail, and returns when it is to be done again.
func mustDeliver(t *testing.T, delivering *webhooks.Delivering, job ports.Job) (again time.Duration) {
	t.Helper()
	again = only.Value(delivering.Deliver(t.Context(), job, ports.JobAttempt{}))(t)
	return again
}

func TestDeliveryOfARun(t *testing.T) {
	t.Parallel()
	b := newHookedBench(t)
	require.Zero(t, mustDeliver(t, b.delivering, b.event("d1")))
	require.Len(t, b.receivers.Posts, 1)
	got := b.receivers.Posts[0]
	require.Equal(t, "https://hooks.example/1", got.Endpoint)
	require.Equal(t, string(hooks.PlainAnswers{}.Summary(deliveredRun)), got.Body)
	want := map[string]string{"Content-Type": "application/json", "User-Agent": "Milaan-Webhooks/1", "X-Milaan-Event": "run"}
	for _, h := range b.Webhook().Headers("evt_d1", b.Now, []byte(got.Body)) {
		want[h.Name] = h.Value
	}
	require.Equal(t, want, got.Headers)
	require.Equal(t, domain.DeliveryDelivered, b.Delivery("d1").State)
	require.Equal(t, []domain.Attempt{{Number: 1, At: b.Now, Outcome: domain.OutcomeDelivered, Status: 200}}, b.Delivery("d1").Attempts)
}

func TestEveryFailureIsRetriedOnce(t *testing.T) {
	t.Parallel()
	for _, outcome := range []domain.Outcome{domain.OutcomeRefused, domain.OutcomeRedirected, domain.OutcomeTimeout, domain.OutcomeUnreachable, domain.OutcomeForbidden} {
		t.Run(string(outcome), func(t *testing.T) {
			b := newHookedBench(t)
			b.receivers.Answer = func(string, int) domain.Attempt { return domain.Attempt{Outcome: outcome} }
			job := b.event("d1")
			again := mustDeliver(t, b.delivering, job)
			require.GreaterOrEqual(t, again, 2*time.Second)
			require.LessOrEqual(t, again, 6*time.Second)
			require.Equal(t, domain.DeliveryPending, b.Delivery("d1").State)

			for range 3 {
				b.Now = b.Now.Add(again)
				again = mustDeliver(t, b.delivering, job)
				require.Zero(t, again)
			}
			require.Len(t, b.receivers.Posts, 2)
			require.Equal(t, b.receivers.Posts[0].Headers["webhook-id"], b.receivers.Posts[1].Headers["webhook-id"])
			require.NotEqual(t, b.receivers.Posts[0].Headers["webhook-timestamp"], b.receivers.Posts[1].Headers["webhook-timestamp"])
			require.Equal(t, domain.DeliveryFailed, b.Delivery("d1").State)
		})
	}
}

func TestRetriesAreApart(t *testing.T) {
	t.Parallel()
	different := map[time.Duration]bool{}
	b := newMemoryBench(100, nil)
	b.receivers.Answer = hooks.Refused
	for i := range 20 {
		different[mustDeliver(t, b.delivering, b.event("account-1", fmt.Sprint(i)))] = true
	}
	require.Greater(t, len(different), 1)
}

func TestNothingToDeliver(t *testing.T) {
	t.Parallel()
	b := newHookedBench(t)
	gone := b.event("d1")
	b.SetWebhook(domain.Webhook{})
	for _, job := range []ports.Job{gone, {AccountID: "account-1", Delivery: "unknown"}, {AccountID: "account-2", Delivery: "d1"}} {
		require.Zero(t, mustDeliver(t, b.delivering, job))
	}
	require.Empty(t, b.receivers.Posts)
	require.Equal(t, domain.DeliveryDropped, b.Delivery("d1").State)
}

func TestDeliveryOfABatch(t *testing.T) {
	t.Parallel()
	b := newHookedBench(t)
	require.Zero(t, mustDeliver(t, b.delivering, b.batchDone("b1")))
	require.Equal(t, "https://batches.example/", b.receivers.Posts[0].Endpoint)
	require.Equal(t, "complete 2 of 2; first; second", b.receivers.Posts[0].Body)
	require.Equal(t, "batch", b.receivers.Posts[0].Headers["X-Milaan-Event"])

	job := b.batchDone("b2")
	away := errors.New("database away")
	b.Fault = storage.Failing("results", away)
	require.ErrorIs(t, only.Err(b.delivering.Deliver(t.Context(), job, ports.JobAttempt{})), away)
	require.Empty(t, b.Delivery("delivery-b2").Attempts, "what failed before the POST costs no attempt")

	b.Fault = storage.Failing("", nil)
	b.DeleteResults()
	mustDeliver(t, b.delivering, job)
	require.Equal(t, domain.DeliveryDropped, b.Delivery("delivery-b2").State)
	require.Len(t, b.receivers.Posts, 1)
}

func TestAnAttemptIsCompletedWhileStopping(t *testing.T) {
	t.Parallel()
	b := newHookedBench(t)
	ctx, stop := context.WithCancel(t.Context())
	b.receivers.Answer = func(string, int) domain.Attempt {
		stop()
		return domain.Attempt{Outcome: domain.OutcomeDelivered, Status: 204}
	}
	require.NoError(t, only.Err(b.delivering.Deliver(ctx, b.event("d1"), ports.JobAttempt{})))
	require.Equal(t, domain.DeliveryDelivered, b.Delivery("d1").State)
	require.Equal(t, 204, b.Delivery("d1").Attempts[0].Status)

	require.ErrorIs(t, only.Err(b.delivering.Deliver(ctx, b.event("d2"), ports.JobAttempt{})), context.Canceled)
	require.Empty(t, b.Delivery("d2").Attempts, "what has not begun is left to another instance")
}

// The end of a job's context comes late in a stop of the service. It ends the POST
// too, and what came of it is recorded.
func TestAStopEndsAPost(t *testing.T) {
	t.Parallel()
	b := newHookedBench(t)
	ctx, stop := context.WithCancel(t.Context())
	b.receivers.During = func(ctx context.Context) {
		stop()
		<-ctx.Done()
	}
	b.receivers.Answer = func(string, int) domain.Attempt { return domain.Attempt{Outcome: domain.OutcomeUnreachable} }
	again := only.Value(b.delivering.Deliver(ctx, b.event("d1"), ports.JobAttempt{}))(t)
	require.GreaterOrEqual(t, again, 2*time.Second, "the second attempt is another instance's")
	require.Equal(t, domain.DeliveryPending, b.Delivery("d1").State)
	require.Equal(t, domain.OutcomeUnreachable, b.Delivery("d1").Attempts[0].Outcome)
}

// A body that kills the process that makes it costs no more deaths than a job may.
func TestABodyThatKillsEndsItsDelivery(t *testing.T) {
	t.Parallel()
	b := newHookedBench(t)
	job, deaths, kills := b.batchDone("b1"), 0, errors.New("the process is dead")
	b.Fault = storage.Failing("results", kills)
	for {
		_, err := b.delivering.Deliver(t.Context(), job, ports.JobAttempt{Deaths: deaths})
		if err == nil && b.Delivery("delivery-b1").State != domain.DeliveryPending {
			break
		}
		if errors.Is(err, kills) {
			deaths++
		}
		b.Now = b.Now.Add(time.Minute)
		require.LessOrEqual(t, deaths, domain.MaxDeaths)
	}
	require.Equal(t, domain.MaxDeaths, deaths)
	require.Equal(t, domain.DeliveryFailed, b.Delivery("delivery-b1").State)

	// One that does no harm arrives, whatever died beside it.
	b = newHookedBench(t)
	require.NoError(t, only.Err(b.delivering.Deliver(t.Context(), b.batchDone("b1"), ports.JobAttempt{Deaths: 100})))
	require.Equal(t, domain.DeliveryDelivered, b.Delivery("delivery-b1").State)
	require.Contains(t, b.receivers.Posts[0].Body, "first")
}

func TestTheLogHasALinePerAttempt(t *testing.T) {
	t.Parallel()
	b := newHookedBench(t)
	b.SetWebhook(domain.Webhook{Endpoint: "https://hooks.example/CONFIDENTIAL?CONFIDENTIAL", Secret: hooks.Secret})
	b.receivers.Answer = func(string, int) domain.Attempt {
		return domain.Attempt{Outcome: domain.OutcomeRefused, Status: 500, Failure: "CONFIDENTIAL", Took: 1500 * time.Microsecond}
	}
	mustDeliver(t, b.delivering, b.event("d1"))
	mustDeliver(t, b.delivering, b.batchDone("b1"))
	lines := strings.Split(strings.TrimSpace(b.log.String()), "\n")
	require.Len(t, lines, 2)
	require.Contains(t, lines[0], `level=INFO msg="delivery attempt" account_id=account-1 delivery_id=d1 kind=run attempt=1 outcome=refused status=500 state=pending took=1.5ms run_id=run-1`)
	require.Contains(t, lines[1], `delivery_id=delivery-b1 kind=batch attempt=1 outcome=refused status=500 state=pending took=1.5ms batch_id=b1`)
	require.NotContains(t, b.log.String(), "CONFIDENTIAL")
}

func TestCompleteThatFailsIsTheEnginesBusiness(t *testing.T) {
	t.Parallel()
	b := newHookedBench(t)
	away := errors.New("database away")
	b.Fault = storage.Failing("complete", away)
	job := b.event("d1")
	for range 2 {
		require.ErrorIs(t, only.Err(b.delivering.Deliver(t.Context(), job, ports.JobAttempt{})), away)

		posts := len(b.receivers.Posts)
		again := mustDeliver(t, b.delivering, job)
		require.Equal(t, 10*time.Second, again, "it may be under way in another instance")
		require.Len(t, b.receivers.Posts, posts)
		b.Now = b.Now.Add(again)
	}
	mustDeliver(t, b.delivering, job)
	require.Len(t, b.receivers.Posts, 2, "a recorded attempt counts")
	require.Equal(t, domain.DeliveryFailed, b.Delivery("d1").State)
}

// TestTheClockOfAnotherInstance has an instance of the service that died while it posted,
// and whose clock was ahead of this one's.
func TestTheClockOfAnotherInstance(t *testing.T) {
	t.Parallel()
	for ahead, want := range map[time.Duration]time.Duration{
		-time.Hour:       0,
		-4 * time.Second: 6 * time.Second,
		0:                10 * time.Second,
		4 * time.Second:  10 * time.Second,
		time.Hour:        0,
	} {
		b := newHookedBench(t)
		job := b.event("d1")
		require.NoError(t, only.Err(b.Deliveries.Attempt(t.Context(), "d1", b.Now.Add(ahead))))
		require.Equal(t, want, mustDeliver(t, b.delivering, job), "%s ahead", ahead)
		require.Equal(t, want == 0, len(b.receivers.Posts) == 1, "%s ahead", ahead)
	}
}

// TestCrashes lets the process die, or the database fail, at every step of a
// delivery, and at every two of them, and does the job until it is done.
func TestCrashes(t *testing.T) {
	t.Parallel()
	fault := errors.New("connection lost")
	kinds := map[string]func(*memoryBench) ports.Job{
		"run":   func(b *memoryBench) ports.Job { return b.event("account-1", "d1") },
		"batch": func(b *memoryBench) ports.Job { return b.batch("b1") },
	}
	for kind, add := range kinds {
		for _, answers := range []func(string, int) domain.Attempt{nil, hooks.Refused} {
			for _, dies := range []bool{true, false} {
				const steps = 24 // more than two attempts have
				for first := range steps {
					for second := range steps {
						b := newMemoryBench(100, nil)
						job := add(b)
						b.receivers.Answer = answers
						step, crashes := 0, 0
						b.step = func() error {
							step++
							if step-1 != first && step-1 != second {
								return nil
							}
							crashes++
							if dies {
								panic("killed")
							}
							return fault
						}
						b.receivers.Step = func() error {
							if dies {
								return b.step()
							}
							return nil
						}
						done := untilDone(b, job)
						posts := len(b.receivers.Posts)
						require.True(t, done)
						require.LessOrEqual(t, posts, 2, "%s, faults at steps %d and %d", kind, first, second)
						if crashes < 2 {
							require.Positive(t, posts, "%s, a fault at step %d", kind, first)
						}
						if crashes == 0 && answers == nil {
							require.Equal(t, 1, posts)
						}
					}
				}
			}
		}
	}
}

// untilDone does a job as an engine would.
func untilDone(b *memoryBench, job ports.Job) bool {
	once := func() (again time.Duration, err error) {
		defer func() {
			if p := recover(); p != nil {
				err = fmt.Errorf("panic: %v", p)
			}
		}()
		return b.delivering.Deliver(context.Background(), job, ports.JobAttempt{})
	}
	for range 10 {
		again, err := once()
		if err == nil && again == 0 {
			return true
		}
		b.now = b.now.Add(max(again, time.Second))
	}
	return false
}

// holdBatches lets the POSTs of a number of batches be under way, each of whose
// bodies has two results of a size.
func holdBatches(t *testing.T, n, size int) (b *memoryBench, letGo func()) {
	b = newMemoryBench(100, time.Now)
	b.result = strings.Repeat("r", size)
	hold := make(chan struct{})
	b.receivers.Answer = func(string, int) domain.Attempt {
		<-hold
		return domain.Attempt{Outcome: domain.OutcomeDelivered}
	}
	for i := range n {
		job := b.batch(fmt.Sprint("held-", i))
		go func() { _, _ = b.delivering.Deliver(t.Context(), job, ports.JobAttempt{}) }()
		synctest.Wait()
	}
	return b, func() {
		close(hold)
		synctest.Wait()
	}
}

func TestTwoLargeBodiesOfBatchesAtOnce(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		b, letGo := holdBatches(t, 2, 256<<10)
		third := b.batch("third")
		require.Positive(t, mustDeliver(t, b.delivering, third))
		require.Empty(t, b.pending["third"].Attempts, "waiting for room costs no attempt")
		letGo()
		require.Zero(t, mustDeliver(t, b.delivering, third))
		require.Len(t, b.receivers.Posts, 3)
	})
}

func TestSmallBodiesOfBatchesNeedNoRoom(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		b, letGo := holdBatches(t, 4, 200<<10)
		posts := len(b.receivers.Posts)
		letGo()
		require.Equal(t, 4, posts)
	})
}

// A test of the sandbox is posted and repeated as an event is, and says where it comes from.
func TestDeliveryOfATry(t *testing.T) {
	t.Parallel()
	b := newHookedBench(t)
	b.receivers.Answer = hooks.Refused
	test := domain.Delivery{ID: "d1", EventID: "evt_0193b0a27a517c6e9d5e0a2f4c1b7e90", AccountID: "account-1", Kind: domain.TestDelivery, Sandbox: true, CreatedAt: b.Now}
	b.write(ports.Entry{SandboxRun: b.Now, Event: test})
	require.NotZero(t, mustDeliver(t, b.delivering, b.lastJob()))
	require.Zero(t, mustDeliver(t, b.delivering, b.lastJob()))
	require.Equal(t, domain.DeliveryFailed, b.Delivery("d1").State)
	require.Len(t, b.receivers.Posts, 2)
	for _, post := range b.receivers.Posts {
		require.Equal(t, "true", post.Headers["X-Sandbox"])
		require.Equal(t, "test", post.Headers["X-Milaan-Event"])
		require.Contains(t, post.Body, "test-0193b0a2-7a51-7c6e-9d5e-0a2f4c1b7e90")
	}
}
