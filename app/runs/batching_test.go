package runs_test

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"milaan/app/runs"
	"milaan/domain"
	"milaan/ports"
	"milaan/tests/fakes/hooks"
	"milaan/tests/fakes/storage"
	"milaan/tests/only"
)

const webhookURL = "https://batches.example/done"

type batchingBench struct {
	*runningBench
	receivers *hooks.Receivers
	batching  *runs.Batching
}

func newBatchingBench(t *testing.T, account domain.Account) *batchingBench {
	t.Helper()
	b := &batchingBench{runningBench: newRunningBench(t, account)}
	b.receivers = &hooks.Receivers{Clock: b.Clock}
	b.Load = &domain.BatchLoad{AheadBytes: 3000, DoneBytes: 1000, DoneTook: time.Second}
	b.batching = b.newBatching(nil)
	return b
}

func (b *batchingBench) newBatching(claiming *runs.Claiming) *runs.Batching {
	return &runs.Batching{
		Batches: b.Batches, Webhooks: b.Webhooks, Poster: b.receivers, Reconciling: b.reconciling, Claiming: claiming,
		Answers: hooks.PlainAnswers{}, Clock: b.Clock, Windows: b.Windows,
		Background: ports.Background{Retention: 24 * time.Hour, Runners: 2, PickUp: 100 * time.Millisecond},
	}
}

func (b *batchingBench) caller() ports.Caller { return ports.Caller{Account: b.Account} }

func small(brand string) ports.Request {
	return ports.Request{Storefront: bytes.Repeat([]byte("o"), 300), Courier: bytes.Repeat([]byte("r"), 200), Brand: brand}
}

func TestSubmit(t *testing.T) {
	t.Parallel()
	b := newBatchingBench(t, storage.ProAccount())
	got := only.Value(b.batching.Submit(t.Context(), b.caller(), ports.BatchRequest{Jobs: []ports.Request{small("Asha"), small("Ravi")}}))(t)
	require.NotEmpty(t, got.ID)
	require.Equal(t, domain.Batch{ID: got.ID, AccountID: "account-1", Jobs: 2, SubmittedAt: storage.LateEvening}, got.Batch)
	require.Equal(t, domain.BatchQueued, got.State())
	require.Equal(t, got.Batch, b.Batch(got.ID))
	require.Len(t, b.Jobs(), 2)
	require.Zero(t, b.Webhook(), "without webhook_url nothing is signed")
}

func TestSubmitTellsAllFaultsByTheirJobs(t *testing.T) {
	t.Parallel()
	b := newBatchingBench(t, storage.ProAccount())
	days := 31
	late, unknown, odd := small("Asha"), small("Asha"), small(" ")
	late.OverdueDays, unknown.CourierName, odd.Columns = &days, "pigeon", map[string]string{"awb": "x"}
	unread := ports.Request{Misread: domain.Faults{{Field: domain.FieldJob, Rule: domain.RuleType}}}
	requests := []ports.Request{small("Asha"), small(strings.Repeat("x", 101)), late, small(""), unknown, odd, unread}
	faults := func(batch ports.BatchRequest) string {
		_, err := b.batching.Submit(t.Context(), b.caller(), batch)
		require.ErrorIs(t, err, &domain.Error{Code: domain.CodeField})
		fault, _ := errors.AsType[*domain.Error](err)
		var told []string
		for _, f := range fault.Faults {
			told = append(told, fmt.Sprintf("%d %v %s", f.Job, f.Field, f.Rule))
		}
		return strings.Join(told, "; ")
	}
	require.Equal(t, "2 brand label; 3 overdue_days whole; 4 brand missing; 5 courier_name one_of; 6 brand missing; 6 columns custom; 7 job type; 0 webhook_url https",
		faults(ports.BatchRequest{Jobs: requests, WebhookURL: "http://batches.example"}))
	require.Equal(t, "0 jobs too_few", faults(ports.BatchRequest{}))
	require.Equal(t, "0 jobs missing; 0 webhook_url type; 0 request_key twice", faults(ports.BatchRequest{Misread: domain.Faults{
		{Field: domain.FieldRequestKey, Rule: domain.RuleTwice}, {Field: domain.FieldJobs, Rule: domain.RuleMissing}, {Field: domain.FieldWebhookURL, Rule: domain.RuleType}}}))
	require.Equal(t, "0 jobs too_many; 1 brand missing", faults(ports.BatchRequest{Jobs: append(append([]ports.Request{small("")}, slices.Repeat([]ports.Request{small("b")}, 19)...), unread)}),
		"the jobs beyond the twentieth are not looked at")
	require.Empty(t, b.Jobs())
	require.Zero(t, b.Webhook())
}

func TestSubmitRefuses(t *testing.T) {
	t.Parallel()
	b := newBatchingBench(t, storage.ProAccount())
	one := ports.BatchRequest{Jobs: []ports.Request{small("Asha")}}
	for _, operation := range []string{"load", "submit"} {
		b.Fault = storage.Failing(operation, domain.ErrDatabase)
		require.ErrorIs(t, only.Err(b.batching.Submit(t.Context(), b.caller(), one)), domain.ErrDatabase)
	}
	require.Empty(t, b.Jobs())
}

func TestSubmitMakesASecretOnDemand(t *testing.T) {
	t.Parallel()
	b := newBatchingBench(t, storage.ProAccount())
	for range 2 {
		got, err := b.batching.Submit(t.Context(), b.caller(), ports.BatchRequest{Jobs: []ports.Request{small("Asha")}, WebhookURL: webhookURL})
		require.NoError(t, err)
		require.Equal(t, webhookURL, got.WebhookURL)
	}
	w := b.Webhook()
	require.Empty(t, w.Endpoint)
	require.False(t, w.Shown)
	first := w.Secret
	require.True(t, strings.HasPrefix(first.Reveal(), domain.SigningSecretPrefix))

	w.Endpoint, w.Shown = "https://hooks.example", true
	b.SetWebhook(w)
	require.NoError(t, only.Err(b.batching.Submit(t.Context(), b.caller(), ports.BatchRequest{Jobs: []ports.Request{small("Asha")}, WebhookURL: webhookURL})))
	require.Equal(t, w, b.Webhook(), "a webhook that is set up stays as it is")
}

func TestEstimate(t *testing.T) {
	t.Parallel()
	b := newBatchingBench(t, storage.ProAccount())
	submit := func(requests ...ports.Request) time.Duration {
		got := only.Value(b.batching.Submit(t.Context(), b.caller(), ports.BatchRequest{Jobs: requests}))(t)
		return got.Estimate
	}
	require.Equal(t, 2100*time.Millisecond, submit(small("a"), small("b")), "4,000 bytes at 1,000 a second by two, and the time to be noticed")
	b.Load.AheadBytes = 0
	require.Equal(t, 600*time.Millisecond, submit(small("a")), "one job has one worker")

	b.Load = &domain.BatchLoad{}
	large := ports.Request{Storefront: bytes.Repeat([]byte("o"), 5<<20), Courier: []byte{}, Brand: "Asha"}
	require.Equal(t, 600*time.Millisecond, submit(large), "no job has ended by which it could be told")
}

func TestStatus(t *testing.T) {
	t.Parallel()
	b := newBatchingBench(t, storage.ProAccount())
	got, err := b.batching.Submit(t.Context(), b.caller(), ports.BatchRequest{Jobs: []ports.Request{sampleRequest(t, "Asha"), small("Ravi")}})
	require.NoError(t, err)
	report := func() string {
		status := only.Value(b.batching.Status(t.Context(), b.caller(), got.ID))(t)
		require.Equal(t, b.Batch(got.ID), status.Batch)
		var out bytes.Buffer
		require.NoError(t, status.Write(&out))
		return out.String()
	}
	require.Equal(t, "queued 0 of 2", report())
	require.NoError(t, b.running.Run(t.Context(), b.Jobs()[0], ports.JobAttempt{}))
	require.Equal(t, "processing 1 of 2", report(), "no results before all are there")
	require.NoError(t, b.running.Run(t.Context(), b.Jobs()[1], ports.JobAttempt{}))
	require.Regexp(t, `^complete 2 of 2; Asha/: 156 orders, duplicate false; Ravi/: the orders file, `, report())

	b.Now = b.Now.Add(24*time.Hour - 1)
	report()
	require.ErrorIs(t, only.Err(b.batching.Status(t.Context(), ports.Caller{Account: domain.Account{ID: "account-2"}}, got.ID)), domain.ErrNoBatch)
	b.Now = b.Now.Add(1)
	require.ErrorIs(t, only.Err(b.batching.Status(t.Context(), b.caller(), got.ID)), domain.ErrBatchGone, "by time, swept or not")

	b.Now = b.Now.Add(-time.Hour)
	b.DeleteResults()
	require.ErrorIs(t, only.Err(b.batching.Status(t.Context(), b.caller(), got.ID)), domain.ErrBatchGone)
	require.ErrorIs(t, only.Err(b.batching.Status(t.Context(), b.caller(), "unknown")), domain.ErrNoBatch)
}
