package app_test

import (
	"bytes"
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"milaan/app"
	"milaan/domain"
	"milaan/ports"
)

const aRequestKey = "order 7, again"

// onceBench has the use cases of request keys on the shelf.
type onceBench struct {
	*batchingBench
	runs    *app.Reconciling
	batches *app.Batching
}

func newOnceBench(account domain.Account) *onceBench {
	b := &onceBench{batchingBench: newBatchingBench(account)}
	b.clockedBy(func() time.Time { return b.now })
	return b
}

// clockedBy has the leases go by a clock.
func (b *onceBench) clockedBy(clock ports.Clock) {
	claiming := app.NewClaiming(claimShelf{b.shelf}, noSecret{}, clock)
	b.runs, b.batches = b.newReconciling(claiming), b.newBatching(claiming)
}

func (b *onceBench) keyed(key string) ports.Caller {
	return ports.Caller{Account: b.account, RequestKey: key}
}

// run asks for a run under aRequestKey. The texts are the caller's own.
func (b *onceBench) run(t *testing.T, req ports.Request) (answer, error) {
	t.Helper()
	return b.runUnder(t.Context(), aRequestKey, req)
}

// answer is what is told of an outcome.
type answer struct {
	runID             string
	duplicate, repeat bool
	orders            int
}

func (b *onceBench) runUnder(ctx context.Context, key string, req ports.Request) (answer, error) {
	req.Storefront, req.Courier = bytes.Clone(req.Storefront), bytes.Clone(req.Courier)
	o, err := b.runs.Reconcile(ctx, b.keyed(key), req)
	if err != nil {
		return answer{}, err
	}
	defer o.Release()
	clear(req.Storefront) // as reading may
	return answer{o.Run.ID, o.Duplicate, o.Repeat, o.Tally.Orders}, nil
}

func TestARepeatIsAnsweredAndNotDoneAgain(t *testing.T) {
	b := newOnceBench(enterpriseAccount())
	b.webhooks["account-1"] = domain.Webhook{Endpoint: "https://hooks.example/"}
	req := sampleRequest(t, "Asha")
	first, err := b.run(t, req)
	require.NoError(t, err)
	require.Equal(t, answer{b.shelf.runs[0].ID, false, false, 156}, first)
	b.now = b.now.Add(domain.ClaimSpan - time.Second) // no duplicate any more
	none := 0
	b.account.RunCap = &none // and at a cap that has been lowered since
	for range 3 {
		again, err := b.run(t, req)
		require.NoError(t, err)
		require.Equal(t, answer{first.runID, true, true, 156}, again)
	}
	require.Len(t, b.shelf.runs, 1)
	require.Len(t, b.deliveries, 1)

	b.now = b.now.Add(time.Second)
	_, err = b.run(t, req)
	require.ErrorIs(t, err, &domain.Error{Code: domain.CodeRunCap}, "after a day the key stands for nothing")
	b.account.RunCap = nil
	second, err := b.run(t, req)
	require.NoError(t, err)
	require.False(t, second.duplicate)
	require.NotEqual(t, first.runID, second.runID)
}

func TestAKeyStandsForOneRequest(t *testing.T) {
	seven, eight := 7, 8
	for name, change := range map[string]func(*ports.Request){
		"storefront":                      func(r *ports.Request) { r.Storefront = append(bytes.Clone(r.Storefront), '\n') },
		"courier":                         func(r *ports.Request) { r.Courier = append(bytes.Clone(r.Courier), '\n') },
		"courierName":                     func(r *ports.Request) { r.CourierName = "custom" },
		"brand":                           func(r *ports.Request) { r.Brand = "Ravi" },
		"brand, as it was spelled":        func(r *ports.Request) { r.Brand = "Asha " },
		"overdue_threshold_days":          func(r *ports.Request) { r.OverdueDays = &eight },
		"overdue_threshold_days, 7":       func(r *ports.Request) { r.OverdueDays = &seven },
		"minor_gap_threshold":             func(r *ports.Request) { r.MinorGap = &seven },
		"columns":                         func(r *ports.Request) { r.CourierName, r.Columns = "custom", map[string]string{"awb": "AWB No"} },
		"the texts in each other's place": func(r *ports.Request) { r.Storefront, r.Courier = r.Courier, r.Storefront },
	} {
		t.Run(name, func(t *testing.T) {
			b := newOnceBench(proAccount())
			_, err := b.run(t, sampleRequest(t, "Asha"))
			require.NoError(t, err)
			other := sampleRequest(t, "Asha")
			change(&other)
			_, err = b.run(t, other)
			require.ErrorIs(t, err, domain.ErrKeyReused)
			require.Len(t, b.shelf.runs, 1)
			_, err = b.runUnder(t.Context(), "another key", other)
			require.NotErrorIs(t, err, domain.ErrKeyReused)
			_, err = b.runUnder(t.Context(), "ORDER 7, again", other)
			require.NotErrorIs(t, err, domain.ErrKeyReused, "case counts")
		})
	}
	t.Run("fields come before the key", func(t *testing.T) {
		b := newOnceBench(proAccount())
		_, err := b.run(t, sampleRequest(t, "Asha"))
		require.NoError(t, err)
		wrong := sampleRequest(t, "Asha")
		wrong.CourierName = "pigeon"
		_, err = b.run(t, wrong)
		require.ErrorIs(t, err, &domain.Error{Code: domain.CodeField})
	})
	t.Run("another account's key is another key", func(t *testing.T) {
		b := newOnceBench(proAccount())
		_, err := b.run(t, sampleRequest(t, "Asha"))
		require.NoError(t, err)
		b.account.ID, b.account.RunCap = "account-2", nil
		other, err := b.run(t, sampleRequest(t, "Ravi"))
		require.NoError(t, err)
		require.False(t, other.repeat)
		require.Len(t, b.claims, 2, "equal keys of two accounts have different hashes")
	})
	t.Run("without a key nothing is kept", func(t *testing.T) {
		b := newOnceBench(proAccount())
		_, err := b.runUnder(t.Context(), "", sampleRequest(t, "Asha"))
		require.NoError(t, err)
		require.Empty(t, b.claims)
	})
}

func TestWhileTheFirstIsUnderWay(t *testing.T) {
	b := newOnceBench(proAccount())
	req, other := sampleRequest(t, "Asha"), sampleRequest(t, "Ravi")
	asked := 0
	b.fault = func() error {
		if asked++; asked > 1 {
			return nil
		}
		_, err := b.run(t, req)
		require.ErrorIs(t, err, domain.ErrKeyRunning)
		_, err = b.run(t, other)
		require.ErrorIs(t, err, domain.ErrKeyReused)
		_, err = b.batches.Submit(t.Context(), b.keyed(aRequestKey), ports.BatchRequest{Jobs: []ports.Request{req}})
		require.ErrorIs(t, err, domain.ErrKeyReused)
		return nil
	}
	first, err := b.run(t, req)
	require.NoError(t, err)
	require.False(t, first.duplicate)
	require.Equal(t, 1, asked, "who is refused has read nothing")
	again, err := b.run(t, req)
	require.NoError(t, err)
	require.Equal(t, first.runID, again.runID)
}

func TestAFailedRequestLeavesNoTraceOfItsKey(t *testing.T) {
	lost := errors.New("the line was cut")
	none := 0
	for name, c := range map[string]struct {
		fail func(b *onceBench, leave func())
		want error // nil: a panic
	}{
		"a faulty file": {func(b *onceBench, _ func()) {
			b.fault = func() error { return &domain.FileError{File: domain.StorefrontFile, Rule: domain.RuleEmpty} }
		}, domain.ErrFile},
		"the cap":      {func(b *onceBench, _ func()) { b.account.RunCap = &none }, &domain.Error{Code: domain.CodeRunCap}},
		"a fault":      {func(b *onceBench, _ func()) { b.fault = func() error { return lost } }, lost},
		"a panic":      {func(b *onceBench, _ func()) { b.fault = func() error { panic("row 9") } }, nil},
		"no database":  {func(b *onceBench, _ func()) { b.swaps = failing("settle", domain.ErrDatabase) }, domain.ErrDatabase},
		"nobody knows": {func(b *onceBench, _ func()) { b.swaps = failing("settle", domain.ErrUnsettled) }, domain.ErrUnsettled},
		"the caller has gone": {func(b *onceBench, leave func()) {
			b.fault = func() error { leave(); return nil }
		}, context.Canceled},
		"no database for the claim": {func(b *onceBench, _ func()) { b.swaps = failing("take", domain.ErrDatabase) }, domain.ErrDatabase},
		"a claim whose storing broke off": {func(b *onceBench, _ func()) {
			steps := 0
			b.step = func() error {
				if steps++; steps == 2 { // after the first thing that was stored
					return domain.ErrDatabase
				}
				return nil
			}
		}, domain.ErrDatabase},
	} {
		t.Run(name, func(t *testing.T) {
			b := newOnceBench(proAccount())
			ctx, leave := context.WithCancel(t.Context())
			defer leave()
			c.fail(b, leave)
			if c.want == nil {
				require.Panics(t, func() { _, _ = b.runUnder(ctx, aRequestKey, sampleRequest(t, "Asha")) })
			} else {
				_, err := b.runUnder(ctx, aRequestKey, sampleRequest(t, "Asha"))
				require.ErrorIs(t, err, c.want)
			}
			require.Empty(t, b.claims)
			require.Empty(t, b.shelf.runs)

			b.fault, b.swaps, b.step = func() error { return nil }, failing("", nil), func() error { return nil }
			b.account.RunCap = nil
			other, err := b.run(t, sampleRequest(t, "Ravi"))
			require.NoError(t, err, "the key is free, for any request")
			require.False(t, other.duplicate)
		})
	}
}

// The run was stored, and the answer was lost on its way.
func TestAStoredRunIsFoundByItsKey(t *testing.T) {
	b := newOnceBench(proAccount())
	steps := 0
	b.step = func() error {
		if steps++; steps == 4 { // after the transaction that follows the claim's
			return domain.ErrUnsettled
		}
		return nil
	}
	_, err := b.run(t, sampleRequest(t, "Asha"))
	require.ErrorIs(t, err, domain.ErrUnsettled)
	require.Len(t, b.shelf.runs, 1)
	b.now = b.now.Add(time.Hour)
	again, err := b.run(t, sampleRequest(t, "Asha"))
	require.NoError(t, err)
	require.Equal(t, answer{b.shelf.runs[0].ID, true, true, 156}, again)
}

// A process that dies leaves its claim behind, for as long as its lease lasts.
func TestAClaimOfTheDeadEndsWithItsLease(t *testing.T) {
	b := newOnceBench(proAccount())
	b.fault = func() error { return errors.New("killed") }
	b.swaps = failing("release", errors.New("and so nothing is released"))
	_, err := b.run(t, sampleRequest(t, "Asha"))
	require.ErrorContains(t, err, "killed")
	require.Len(t, b.claims, 1)
	b.fault, b.swaps = func() error { return nil }, failing("", nil)

	b.now = b.now.Add(domain.ClaimLease - 1)
	_, err = b.run(t, sampleRequest(t, "Asha"))
	require.ErrorIs(t, err, domain.ErrKeyRunning)
	b.now = b.now.Add(1)
	first, err := b.run(t, sampleRequest(t, "Asha"))
	require.NoError(t, err)
	require.False(t, first.duplicate)
	require.Len(t, b.shelf.runs, 1)
}

// A process that was suspended beyond its lease stores nothing beside the one
// that took its place.
func TestWhoHasLostHisClaimStoresNothing(t *testing.T) {
	b := newOnceBench(proAccount())
	var second answer
	suspended := false
	b.fault = func() (err error) {
		if !suspended {
			suspended = true
			b.now = b.now.Add(domain.ClaimLease)
			second, err = b.run(t, sampleRequest(t, "Asha"))
			require.NoError(t, err)
			b.now = b.now.Add(time.Minute) // the rule of duplicates is not what helps
		}
		return nil
	}
	_, err := b.run(t, sampleRequest(t, "Asha"))
	require.ErrorIs(t, err, domain.ErrKeyRunning)
	require.Len(t, b.shelf.runs, 1)
	require.Equal(t, second.runID, b.shelf.runs[0].ID)
	again, err := b.run(t, sampleRequest(t, "Asha"))
	require.NoError(t, err)
	require.Equal(t, second.runID, again.runID)
}

// A run that takes longer than a lease keeps its claim.
func TestALeaseIsRenewed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newOnceBench(proAccount())
		b.clockedBy(time.Now)
		req := sampleRequest(t, "Asha")
		var away atomic.Bool // the database
		b.swaps = func(name string) error {
			if name == "renew" && away.Load() {
				return domain.ErrDatabase
			}
			return nil
		}
		slow := true
		b.fault = func() error {
			if slow {
				slow = false
				time.Sleep(5*domain.ClaimRenewal + time.Second)
				away.Store(true)
				time.Sleep(2 * domain.ClaimRenewal) // two failures do no harm
				_, err := b.run(t, req)
				require.ErrorIs(t, err, domain.ErrKeyRunning)
			}
			return nil
		}
		_, err := b.run(t, req)
		require.NoError(t, err)
		require.Equal(t, 5, b.renewals)
		time.Sleep(time.Hour)
		require.Equal(t, 5, b.renewals, "and not any longer than it takes")
	})
}

func TestADuplicateIsAnOutcome(t *testing.T) {
	b := newOnceBench(proAccount())
	plain, err := b.runUnder(t.Context(), "", sampleRequest(t, "Asha"))
	require.NoError(t, err)
	first, err := b.run(t, sampleRequest(t, "Asha"))
	require.NoError(t, err)
	require.Equal(t, answer{plain.runID, true, false, 156}, first)
	b.now = b.now.Add(time.Hour)
	again, err := b.run(t, sampleRequest(t, "Asha"))
	require.NoError(t, err)
	require.Equal(t, answer{plain.runID, true, true, 156}, again)
	require.Len(t, b.shelf.runs, 1)
}

func TestABatchIsTakenOnce(t *testing.T) {
	b := newOnceBench(proAccount())
	requests := []ports.Request{sampleRequest(t, "Asha"), sampleRequest(t, "Ravi")}
	submit := func(key, url string, requests ...ports.Request) (ports.SubmittedBatch, error) {
		return b.batches.Submit(t.Context(), b.keyed(key), ports.BatchRequest{Jobs: requests, WebhookURL: url})
	}
	first, err := submit(aRequestKey, "", requests...)
	require.NoError(t, err)
	again, err := submit(aRequestKey, "", requests...)
	require.NoError(t, err)
	require.Equal(t, first.Batch, again.Batch)
	require.Equal(t, 1600*time.Millisecond, again.Estimate, "what is waiting, of which the batch is a part")

	b.open = true // as many batches as there may be
	require.NoError(t, b.running.Run(t.Context(), b.jobs[0], ports.JobAttempt{}))
	again, err = submit(aRequestKey, "", requests...)
	require.NoError(t, err)
	require.Equal(t, first.ID, again.ID)
	require.Equal(t, domain.BatchProcessing, again.State())
	require.NoError(t, b.running.Run(t.Context(), b.jobs[1], ports.JobAttempt{}))
	dropped := b.shelf.batches[first.ID]
	dropped.Dropped = true
	b.shelf.batches[first.ID] = dropped
	again, err = submit(aRequestKey, "", requests...)
	require.NoError(t, err)
	require.Equal(t, first.ID, again.ID, "even if its results are deleted")
	require.Equal(t, domain.BatchComplete, again.State())
	require.Zero(t, again.Estimate)
	require.Len(t, b.shelf.batches, 1)
	require.Len(t, b.jobs, 2)

	for _, other := range [][]ports.Request{{requests[1], requests[0]}, {requests[0]}, append(requests[:2:2], requests[0])} {
		_, err = submit(aRequestKey, "", other...)
		require.ErrorIs(t, err, domain.ErrKeyReused)
	}
	_, err = submit(aRequestKey, webhookURL, requests...)
	require.ErrorIs(t, err, domain.ErrKeyReused)
	_, err = b.run(t, requests[0])
	require.ErrorIs(t, err, domain.ErrKeyReused, "a run is another request than a batch")
	_, err = submit(aRequestKey, "", small(" "))
	require.ErrorIs(t, err, &domain.Error{Code: domain.CodeField}, "fields come before the key")

	_, err = submit("another key", "", requests...)
	require.ErrorIs(t, err, domain.ErrOpenBatches)
	b.open = false
	for _, operation := range []string{"load", "submit", "take"} {
		b.swaps = failing(operation, domain.ErrDatabase)
		_, err = submit("another key", "", requests...)
		require.ErrorIs(t, err, domain.ErrDatabase)
	}
	b.swaps = failing("", nil)
	second, err := submit("another key", "", requests[0])
	require.NoError(t, err, "those that failed left no trace of their key")
	require.NotEqual(t, first.ID, second.ID)
	_, err = submit("", "", requests...)
	require.NoError(t, err)
	require.Len(t, b.claims, 2)
}

// The host of a webhook_url is looked up for the first request alone; what is
// wrong with its text comes before the key, as with any field.
func TestARepeatedBatchNeedsNoNameServers(t *testing.T) {
	b := newOnceBench(proAccount())
	ask := func(url string) (ports.SubmittedBatch, error) {
		return b.batches.Submit(t.Context(), b.keyed(aRequestKey), ports.BatchRequest{Jobs: []ports.Request{sampleRequest(t, "Asha")}, WebhookURL: url})
	}
	b.receivers.refuse = domain.RuleNameServers
	_, err := ask("https://batches.example/")
	require.Equal(t, domain.Faults{{Field: domain.FieldWebhookURL, Rule: domain.RuleNameServers}}.Err(), err)
	require.Empty(t, b.claims, "the key is free")
	b.receivers.refuse = ""
	first, err := ask("https://batches.example/")
	require.NoError(t, err)
	b.receivers.refuse = domain.RuleNameServers
	again, err := ask("https://batches.example/")
	require.NoError(t, err)
	require.Equal(t, first.ID, again.ID)
	_, err = ask("https://other.example/")
	require.ErrorIs(t, err, domain.ErrKeyReused)
	_, err = ask("ftp://other.example/")
	require.ErrorIs(t, err, &domain.Error{Code: domain.CodeField})
	require.Len(t, b.jobs, 1)
}
