package runs_test

import (
	"bytes"
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"milaan/app/runs"
	"milaan/domain"
	"milaan/ports"
	"milaan/tests/fakes/storage"
	"milaan/tests/only"
)

const aRequestKey = "order 7, again"

// onceBench has the use cases that know request keys.
type onceBench struct {
	*batchingBench
	reconcilingOnce *runs.Reconciling
	batchingOnce    *runs.Batching
}

func newOnceBench(t *testing.T, account domain.Account) *onceBench {
	t.Helper()
	b := &onceBench{batchingBench: newBatchingBench(t, account)}
	b.clockedBy(b.Clock)
	return b
}

// clockedBy has the leases go by a clock.
func (b *onceBench) clockedBy(clock ports.Clock) {
	claiming := runs.NewClaiming(b.Claims, b.Secrets, clock)
	b.reconcilingOnce, b.batchingOnce = b.newReconciling(claiming), b.newBatching(claiming)
}

func (b *onceBench) keyed(key string) ports.Caller {
	return ports.Caller{Account: b.Account, RequestKey: key}
}

// run asks for a run under aRequestKey. The texts are the caller's own.
func (b *onceBench) run(t *testing.T, req ports.Request) (answer, error) {
	t.Helper()
	return b.runUnder(t.Context(), aRequestKey, req)
}

// mustRun is run for what must not fail.
func (b *onceBench) mustRun(t *testing.T, req ports.Request) answer {
	t.Helper()
	a := only.Value(b.run(t, req))(t)
	return a
}

// mustRefuse is run for what must end with an error.
func (b *onceBench) mustRefuse(t *testing.T, req ports.Request, want error, why ...any) {
	t.Helper()
	require.ErrorIs(t, only.Err(b.run(t, req)), want, why...)
}

// answer is what is told of an outcome.
type answer struct {
	runID             string
	duplicate, repeat bool
	orders            int
}

func (b *onceBench) runUnder(ctx context.Context, key string, req ports.Request) (answer, error) {
	req.Storefront, req.Courier = bytes.Clone(req.Storefront), bytes.Clone(req.Courier)
	o, err := b.reconcilingOnce.Reconcile(ctx, b.keyed(key), req)
	if err != nil {
		return answer{}, err
	}
	defer o.Release()
	clear(req.Storefront) // as reading may
	return answer{o.Run.ID, o.Duplicate, o.Repeat, o.Tally.Orders}, nil
}

func TestWhileTheFirstIsUnderWay(t *testing.T) {
	t.Parallel()
	b := newOnceBench(t, storage.ProAccount())
	req, other := sampleRequest(t, "Asha"), sampleRequest(t, "Ravi")
	asked := 0
	b.reading = func() error {
		if asked++; asked > 1 {
			return nil
		}
		b.mustRefuse(t, req, domain.ErrKeyRunning)
		b.mustRefuse(t, other, domain.ErrKeyReused)
		require.ErrorIs(t, only.Err(b.batchingOnce.Submit(t.Context(), b.keyed(aRequestKey), ports.BatchRequest{Jobs: []ports.Request{req}})), domain.ErrKeyReused)
		return nil
	}
	first := b.mustRun(t, req)
	require.False(t, first.duplicate)
	require.Equal(t, 1, asked, "who is refused has read nothing")
	again := b.mustRun(t, req)
	require.Equal(t, first.runID, again.runID)
}

func TestAFailedRequestLeavesNoTraceOfItsKey(t *testing.T) {
	t.Parallel()
	lost := errors.New("the line was cut")
	none := 0
	for name, c := range map[string]struct {
		fail func(b *onceBench, leave func())
		want error // nil: a panic
	}{
		"a faulty file": {func(b *onceBench, _ func()) {
			b.reading = func() error { return &domain.FileError{File: domain.StorefrontFile, Rule: domain.RuleEmpty} }
		}, domain.ErrFile},
		"the cap":      {func(b *onceBench, _ func()) { b.Change(func(a *domain.Account) { a.RunCap = &none }) }, &domain.Error{Code: domain.CodeRunCap}},
		"a fault":      {func(b *onceBench, _ func()) { b.reading = func() error { return lost } }, lost},
		"a panic":      {func(b *onceBench, _ func()) { b.reading = func() error { panic("row 9") } }, nil},
		"no database":  {func(b *onceBench, _ func()) { b.Fault = storage.Failing("store run", domain.ErrDatabase) }, domain.ErrDatabase},
		"nobody knows": {func(b *onceBench, _ func()) { b.Fault = storage.Failing("store run", domain.ErrUnsettled) }, domain.ErrUnsettled},
		"the caller has gone": {func(b *onceBench, leave func()) {
			b.reading = func() error { leave(); return nil }
		}, context.Canceled},
		"no database for the claim":       {func(b *onceBench, _ func()) { b.Fault = storage.Failing("take", domain.ErrDatabase) }, domain.ErrDatabase},
		"a claim whose storing broke off": {func(b *onceBench, _ func()) { b.Fault = storage.Failing("after take", domain.ErrDatabase) }, domain.ErrDatabase},
	} {
		t.Run(name, func(t *testing.T) {
			b := newOnceBench(t, storage.ProAccount())
			ctx, leave := context.WithCancel(t.Context())
			defer leave()
			c.fail(b, leave)
			if c.want == nil {
				require.Panics(t, func() { _, _ = b.runUnder(ctx, aRequestKey, sampleRequest(t, "Asha")) })
			} else {
				require.ErrorIs(t, only.Err(b.runUnder(ctx, aRequestKey, sampleRequest(t, "Asha"))), c.want)
			}
			require.Zero(t, b.Claimed())
			require.Empty(t, b.RunIDs())

			b.reading, b.Fault = func() error { return nil }, storage.Failing("", nil)
			b.Change(func(a *domain.Account) { a.RunCap = nil })
			other := b.mustRun(t, sampleRequest(t, "Ravi")) // the key is free, for any request
			require.False(t, other.duplicate)
		})
	}
}

// The run was stored, and the answer was lost on its way.
func TestAStoredRunIsFoundByItsKey(t *testing.T) {
	t.Parallel()
	b := newOnceBench(t, storage.ProAccount())
	b.Fault = storage.Failing("after store run", domain.ErrUnsettled)
	b.mustRefuse(t, sampleRequest(t, "Asha"), domain.ErrUnsettled)
	require.Len(t, b.RunIDs(), 1)
	b.Now = b.Now.Add(time.Hour)
	again := b.mustRun(t, sampleRequest(t, "Asha"))
	require.Equal(t, answer{b.RunIDs()[0], true, true, 156}, again)
}

// A process that dies leaves its claim behind, for as long as its lease lasts.
func TestAClaimOfTheDeadEndsWithItsLease(t *testing.T) {
	t.Parallel()
	b := newOnceBench(t, storage.ProAccount())
	b.reading = func() error { return errors.New("killed") }
	b.Fault = storage.Failing("release", errors.New("and so nothing is released"))
	require.ErrorContains(t, only.Err(b.run(t, sampleRequest(t, "Asha"))), "killed")
	require.Equal(t, 1, b.Claimed())
	b.reading, b.Fault = func() error { return nil }, storage.Failing("", nil)

	b.Now = b.Now.Add(domain.RequestLease - 1)
	b.mustRefuse(t, sampleRequest(t, "Asha"), domain.ErrKeyRunning)
	b.Now = b.Now.Add(1)
	first := b.mustRun(t, sampleRequest(t, "Asha"))
	require.False(t, first.duplicate)
	require.Len(t, b.RunIDs(), 1)
}

// A process that was suspended beyond its lease stores nothing beside the one
// that took its place.
func TestALostClaimStoresNothing(t *testing.T) {
	t.Parallel()
	b := newOnceBench(t, storage.ProAccount())
	var second answer
	suspended := false
	b.reading = func() error {
		if !suspended {
			suspended = true
			b.Now = b.Now.Add(domain.RequestLease)
			second = b.mustRun(t, sampleRequest(t, "Asha"))
			b.Now = b.Now.Add(time.Minute) // the rule of duplicates is not what helps
		}
		return nil
	}
	b.mustRefuse(t, sampleRequest(t, "Asha"), domain.ErrKeyRunning)
	require.Len(t, b.RunIDs(), 1)
	require.Equal(t, second.runID, b.RunIDs()[0])
	again := b.mustRun(t, sampleRequest(t, "Asha"))
	require.Equal(t, second.runID, again.runID)
}

// A run that takes longer than a lease keeps its claim.
func TestALeaseIsRenewed(t *testing.T) {
	t.Parallel()
	b := newOnceBench(t, storage.ProAccount())
	synctest.Test(t, func(t *testing.T) {
		b.clockedBy(time.Now)
		req := sampleRequest(t, "Asha")
		var away atomic.Bool // the database
		b.Fault = func(name string) error {
			if name == "renew" && away.Load() {
				return domain.ErrDatabase
			}
			return nil
		}
		slow := true
		b.reading = func() error {
			if slow {
				slow = false
				time.Sleep(5*domain.RequestRenewal + time.Second)
				away.Store(true)
				time.Sleep(2 * domain.RequestRenewal) // two failures do no harm
				b.mustRefuse(t, req, domain.ErrKeyRunning)
			}
			return nil
		}
		b.mustRun(t, req)
		require.Equal(t, 7, b.Calls["renew"])
		time.Sleep(time.Hour)
		require.Equal(t, 7, b.Calls["renew"], "and not any longer than it takes")
	})
}

func TestADuplicateIsAnOutcome(t *testing.T) {
	t.Parallel()
	b := newOnceBench(t, storage.ProAccount())
	plain := only.Value(b.runUnder(t.Context(), "", sampleRequest(t, "Asha")))(t)
	first := b.mustRun(t, sampleRequest(t, "Asha"))
	require.Equal(t, answer{plain.runID, true, false, 156}, first)
	b.Now = b.Now.Add(time.Hour)
	again := b.mustRun(t, sampleRequest(t, "Asha"))
	require.Equal(t, answer{plain.runID, true, true, 156}, again)
	require.Len(t, b.RunIDs(), 1)
}

func TestABatchIsTakenOnce(t *testing.T) {
	t.Parallel()
	b := newOnceBench(t, storage.ProAccount())
	requests := []ports.Request{sampleRequest(t, "Asha"), sampleRequest(t, "Ravi")}
	submit := func(key, url string, requests ...ports.Request) (ports.SubmittedBatch, error) {
		return b.batchingOnce.Submit(t.Context(), b.keyed(key), ports.BatchRequest{Jobs: requests, WebhookURL: url})
	}
	repeat := func() ports.SubmittedBatch {
		taken := only.Value(submit(aRequestKey, "", requests...))(t)
		return taken
	}
	refuse := func(want error, key, url string, requests ...ports.Request) {
		require.ErrorIs(t, only.Err(submit(key, url, requests...)), want)
	}
	first, again := repeat(), repeat()
	require.Equal(t, first.Batch, again.Batch)
	require.Equal(t, 1600*time.Millisecond, again.Estimate, "what is waiting, of which the batch is a part")

	b.Fault = storage.Failing("submit", domain.ErrOpenBatches) // as many batches as there may be
	require.NoError(t, b.running.Run(t.Context(), b.Jobs()[0], ports.JobAttempt{}))
	again = repeat()
	require.Equal(t, first.ID, again.ID)
	require.Equal(t, domain.BatchProcessing, again.State())
	require.NoError(t, b.running.Run(t.Context(), b.Jobs()[1], ports.JobAttempt{}))
	b.DeleteResults()
	again = repeat()
	require.Equal(t, first.ID, again.ID, "even if its results are deleted")
	require.Equal(t, domain.BatchComplete, again.State())
	require.Zero(t, again.Estimate)
	require.Len(t, b.Jobs(), 2)

	for _, other := range [][]ports.Request{{requests[1], requests[0]}, {requests[0]}, append(requests[:2:2], requests[0])} {
		refuse(domain.ErrKeyReused, aRequestKey, "", other...)
	}
	refuse(domain.ErrKeyReused, aRequestKey, webhookURL, requests...)
	b.mustRefuse(t, requests[0], domain.ErrKeyReused, "a run is another request than a batch")
	refuse(&domain.Error{Code: domain.CodeField}, aRequestKey, "", small(" ")) // fields come before the key

	refuse(domain.ErrOpenBatches, "another key", "", requests...)
	for _, operation := range []string{"load", "submit", "take"} {
		b.Fault = storage.Failing(operation, domain.ErrDatabase)
		refuse(domain.ErrDatabase, "another key", "", requests...)
	}
	b.Fault = storage.Failing("", nil)
	second, err := submit("another key", "", requests[0])
	require.NoError(t, err, "those that failed left no trace of their key")
	require.NotEqual(t, first.ID, second.ID)
	require.NoError(t, only.Err(submit("", "", requests...)))
	require.Equal(t, 2, b.Claimed())
}

// The host of a webhook_url is looked up for the first request alone; what is
// wrong with its text comes before the key, as with any field.
func TestARepeatedBatchNeedsNoNameServers(t *testing.T) {
	t.Parallel()
	b := newOnceBench(t, storage.ProAccount())
	ask := func(url string) (ports.SubmittedBatch, error) {
		return b.batchingOnce.Submit(t.Context(), b.keyed(aRequestKey), ports.BatchRequest{Jobs: []ports.Request{sampleRequest(t, "Asha")}, WebhookURL: url})
	}
	b.receivers.Refuse = domain.RuleNameServers
	_, err := ask("https://batches.example/")
	require.Equal(t, domain.Faults{{Field: domain.FieldWebhookURL, Rule: domain.RuleNameServers}}.Err(), err)
	require.Zero(t, b.Claimed(), "the key is free")
	b.receivers.Refuse = ""
	first := only.Value(ask("https://batches.example/"))(t)
	b.receivers.Refuse = domain.RuleNameServers
	again := only.Value(ask("https://batches.example/"))(t)
	require.Equal(t, first.ID, again.ID)
	require.ErrorIs(t, only.Err(ask("https://other.example/")), domain.ErrKeyReused)
	require.ErrorIs(t, only.Err(ask("ftp://other.example/")), &domain.Error{Code: domain.CodeField})
	require.Len(t, b.Jobs(), 1)
}
