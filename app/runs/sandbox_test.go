package runs_test

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"milaan/adapters/storefront"
	"milaan/adapters/table"
	"milaan/app/runs"
	"milaan/couriers"
	"milaan/domain"
	"milaan/ports"
	"milaan/tests/fakes/hooks"
	"milaan/tests/fakes/storage"
	"milaan/tests/only"
)

// rows is a request whose files have the given number of rows each.
func rows(brand string, export int, reports ...int) ports.Request {
	var orders strings.Builder
	orders.WriteString("Name,Total,Created at,AWB\n")
	for i := range export {
		fmt.Fprintf(&orders, "#%d,1,2026-01-01,A%d\n", i, i)
	}
	req := ports.Request{Storefront: []byte(orders.String()), Brand: brand, Source: domain.SourceAPI}
	for n, lines := range reports {
		text := bytes.NewBufferString("AWB No,COD Amount,Amount Remitted,Remittance Date\n")
		for i := range lines {
			fmt.Fprintf(text, "A%d,1,1,2026-01-0%d\n", i, n+1)
		}
		req.Reports = append(req.Reports, ports.Report{Courier: text.Bytes()})
	}
	if len(reports) == 1 {
		req.Courier, req.Reports = req.Reports[0].Courier, nil
	}
	return req
}

func (b *batchingBench) tries() int {
	n := only.Value(b.Runs.SandboxRuns(b.T.Context(), b.Account.ID, domain.DayOf(b.Now)))(b.T)
	return n
}

func (b *batchingBench) nameSandboxLimit() ports.Caller {
	return ports.Caller{Account: b.Account, Sandbox: true, RequestKey: "once"}
}

func (b *batchingBench) try(req ports.Request) error {
	o, err := b.reconciling.Reconcile(b.T.Context(), b.nameSandboxLimit(), req)
	if err == nil {
		require.Empty(b.T, o.Run.ID)
		require.False(b.T, o.Duplicate)
		o.Release()
	}
	return err
}

// tests/service holds that a try stores nothing else.
func TestATryIsAnnouncedOnThePlanWithWebhooks(t *testing.T) {
	t.Parallel()
	b := newBatchingBench(t, storage.EnterpriseAccount())
	b.SetWebhook(domain.Webhook{Endpoint: "https://hooks.example/", Secret: hooks.Secret})
	require.NoError(t, b.try(rows("Asha", 3, 3)))
	b.Change(func(a *domain.Account) { a.Plan, a.Subscription = domain.Solo, domain.SubscriptionIncomplete })
	require.NoError(t, b.try(rows("Asha", 3, 3)))
	require.Equal(t, 2, b.tries())
	require.Len(t, b.AllDeliveries(), 1)
}

func clone(req ports.Request) ports.Request {
	req.Storefront, req.Courier = bytes.Clone(req.Storefront), bytes.Clone(req.Courier)
	return req
}

// The account's own window holds, and what it has saved of its couriers' columns does not.
func TestATryGoesByTheAccountsWindow(t *testing.T) {
	t.Parallel()
	b := newBatchingBench(t, storage.EnterpriseAccount())
	b.Change(func(a *domain.Account) { a.OverdueDays = 11 })
	o := only.Value(b.reconciling.Reconcile(t.Context(), b.nameSandboxLimit(), rows("Asha", 3, 3)))(t)
	defer o.Release()
	require.Equal(t, 11, o.Run.Terms.OffsetDays)
}

func TestTriesOfADay(t *testing.T) {
	t.Parallel()
	b := newBatchingBench(t, storage.ProAccount())
	midnight := domain.DayOf(b.Now).Start().Add(24 * time.Hour)
	b.Now = midnight.Add(-time.Hour)
	bad := rows("Asha", 3, 3)
	bad.Courier = []byte("neither\nnor\n")
	for n := range domain.SandboxRuns {
		require.ErrorIs(t, b.try(clone(bad)), domain.ErrFile, "it is not counted")
		require.NoError(t, b.try(rows(fmt.Sprint(n), 3, 3)))
	}
	require.Equal(t, domain.SandboxRuns, b.tries())
	for _, req := range []ports.Request{rows("Asha", 3, 3), bad, rows("Asha", 101, 3)} {
		got, ok := errors.AsType[*domain.Error](b.try(req))
		require.True(t, ok)
		require.Equal(t, domain.Error{Kind: domain.KindTooMany, Code: domain.CodeRunCap, Detail: domain.DetailSandbox,
			RetryAfter: time.Hour, Limit: 50, Day: domain.DayOf(midnight)}, *got)
	}
	require.Equal(t, domain.SandboxRuns, b.tries())
	unnamed := rows("Asha", 3, 3)
	unnamed.CourierName = "pigeon"
	require.ErrorIs(t, b.try(unnamed), &domain.Error{Code: domain.CodeField}, "fields come first")

	b.Now = midnight
	require.NoError(t, b.try(rows("Asha", 3, 3)))
	require.Equal(t, 1, b.tries())
}

func TestTheSandboxReadsFewRows(t *testing.T) {
	t.Parallel()
	b := newBatchingBench(t, storage.ProAccount())
	tables := table.New()
	b.reconciling = runs.NewReconciling(runs.ReconcilingParams{Storefronts: storefront.New(tables), Couriers: couriers.New(tables), Runs: b.Runs, Clock: b.Clock, MaxRows: domain.MaxRows})
	for name, c := range map[string]struct {
		request ports.Request
		want    domain.FileError // no rule: none
	}{
		"as many as there may be":  {rows("Asha", 100, 100), domain.FileError{}},
		"in reports together":      {rows("Asha", 100, 40, 60), domain.FileError{}},
		"an export":                {rows("Asha", 101, 3), domain.FileError{File: domain.StorefrontFile, Rule: domain.RuleSandboxRows, Line: 102, Limit: 100}},
		"a report":                 {rows("Asha", 3, 101), domain.FileError{File: domain.CourierFile, Rule: domain.RuleSandboxRows, Line: 102, Limit: 100}},
		"one of several":           {rows("Asha", 3, 3, 101), domain.FileError{File: domain.CourierFile, Report: 2, Rule: domain.RuleSandboxRows, Line: 102, Limit: 100}},
		"reports beyond the limit": {rows("Asha", 3, 40, 40, 21), domain.FileError{File: domain.CourierFile, Report: 3, Rule: domain.RuleSandboxTogether, Limit: 100}},
	} {
		t.Run(name, func(t *testing.T) {
			err := b.try(c.request)
			if c.want.Rule == "" {
				require.NoError(t, err)
				return
			}
			got, ok := errors.AsType[*domain.FileError](err)
			require.True(t, ok, err)
			require.Equal(t, c.want, *got)
		})
	}
	o, err := b.reconciling.Reconcile(t.Context(), b.caller(), rows("Asha", 101, 101))
	require.NoError(t, err, "a live key has its own limit")
	o.Release()
}

func TestABrandAsksForAnError(t *testing.T) {
	t.Parallel()
	b := newBatchingBench(t, storage.ProAccount())
	for range domain.SandboxRuns {
		require.NoError(t, b.try(rows("Asha", 3, 3)))
	}
	limit, _ := b.Account.MonthlyCap()
	for brand, want := range map[string]error{
		"sandbox:403-phone":  domain.ErrPhone,
		" sandbox:403-plan ": domain.ErrPlan,
		"sandbox:429-rate":   domain.ErrRate(5 * time.Minute),
		"sandbox:429-runs":   domain.ErrRunCap(limit, b.Account.Cycle(b.Now), b.Now),
		"sandbox:500":        domain.ErrFault.Caused(domain.ErrSimulated),
	} {
		require.Equal(t, want, b.try(ports.Request{Brand: brand}), "also without files, and at the cap")
		if _, code, _ := domain.KindOf(want); code != domain.CodeFault {
			o, err := b.reconciling.Reconcile(t.Context(), b.caller(), rows(brand, 3, 3))
			require.NoError(t, err, "with a live key it is a brand")
			require.Equal(t, strings.TrimSpace(brand), o.Run.Brand)
			o.Release()
		}
	}
	b.Change(func(a *domain.Account) { a.Plan, a.RunCap = domain.Enterprise, nil })
	require.Equal(t, domain.ErrRunCap(10, b.Account.Cycle(b.Now), b.Now), b.try(ports.Request{Brand: "sandbox:429-runs"}), "an account without a cap")
	b.Now = b.Now.Add(24 * time.Hour)
	for _, brand := range []string{"sandbox:", "sandbox:404", "sandbox:500 too"} {
		fault := b.try(rows(brand, 3, 3))
		require.Equal(t, domain.Faults{{Field: domain.FieldBrand, Rule: domain.RuleOneOf, Options: domain.SandboxBrands()}}.Err(), fault)
	}
	require.NoError(t, b.try(rows("Sandbox:404", 3, 3)), "case counts")
	require.Equal(t, 1, b.tries())
}

func TestABatchOfTheSandbox(t *testing.T) {
	t.Parallel()
	b := newBatchingBench(t, storage.EnterpriseAccount())
	b.SetWebhook(domain.Webhook{Endpoint: "https://hooks.example/", Secret: hooks.Secret})
	_, err := b.batching.Submit(t.Context(), b.nameSandboxLimit(), ports.BatchRequest{Jobs: []ports.Request{rows("sandbox:404", 3, 3)}})
	require.ErrorIs(t, err, &domain.Error{Code: domain.CodeField})
	jobs := []ports.Request{rows("Asha", 3, 3), rows("Ravi", 101, 3)}
	for _, brand := range domain.SandboxBrands() {
		jobs = append(jobs, rows(brand, 3, 3))
	}
	got := only.Value(b.batching.Submit(t.Context(), b.nameSandboxLimit(), ports.BatchRequest{Jobs: jobs, WebhookURL: webhookURL}))(t)
	require.True(t, b.Batch(got.ID).Sandbox)
	require.Zero(t, b.Claimed())
	for _, job := range b.Jobs() {
		require.NoError(t, b.running.Run(t.Context(), job, ports.JobAttempt{}))
	}
	require.Equal(t, 1, b.tries())
	require.Empty(t, b.RunIDs())
	require.Contains(t, b.Result(got.ID, 0), "3 orders")
	for i, want := range []string{"sandbox_rows", "phone_not_verified", "no_pro_access", "rate_limited", "run_cap_reached", "job_failed"} {
		require.Contains(t, b.log.String(), fmt.Sprintf("position=%d outcome=refused", i+1))
		if i > 0 {
			require.Contains(t, b.log.String(), "code="+want)
		}
	}
	kinds := map[domain.DeliveryKind]int{}
	for _, d := range b.AllDeliveries() {
		require.True(t, d.Sandbox)
		kinds[d.Kind]++
	}
	require.Equal(t, map[domain.DeliveryKind]int{domain.TestDelivery: 2, domain.BatchDelivery: 1}, kinds, "the run's test, and the batch's")

	status := func(caller ports.Caller) error {
		_, err := b.batching.Status(t.Context(), caller, got.ID)
		return err
	}
	require.NoError(t, status(b.nameSandboxLimit()))
	require.ErrorIs(t, status(b.caller()), domain.ErrNoBatch, "a live key does not see it")
	live := only.Value(b.batching.Submit(t.Context(), b.caller(), ports.BatchRequest{Jobs: []ports.Request{small("Asha")}}))(t)
	require.ErrorIs(t, only.Err(b.batching.Status(t.Context(), b.nameSandboxLimit(), live.ID)), domain.ErrNoBatch)

	b.Now = b.Batch(got.ID).CompletedAt.Add(time.Hour - time.Microsecond)
	house := b.house(24 * time.Hour)
	require.NoError(t, house.Sweep(t.Context()))
	require.NoError(t, status(b.nameSandboxLimit()))
	b.Now = b.Now.Add(time.Microsecond)
	require.ErrorIs(t, status(b.nameSandboxLimit()), domain.ErrNoBatch, "before the sweep too")
	b.Now = b.Now.Add(time.Microsecond)
	require.NoError(t, house.Sweep(t.Context()))
	require.Equal(t, []string{live.ID}, storage.Column[string](b.Store, "SELECT id FROM batches"))
	require.Equal(t, []string{live.ID}, storage.Column[string](b.Store, "SELECT DISTINCT batch_id FROM batch_jobs"))
	require.Equal(t, 1, b.tries())
	b.Now = b.Now.Add(48 * time.Hour)
	require.NoError(t, house.Sweep(t.Context()))
	require.Empty(t, storage.Column[int](b.Store, "SELECT runs FROM sandbox_runs"))
}

// A batch of the sandbox posts its results wherever its sender likes, also if all of its jobs fail, which uses up none of the
// account's runs.
func TestFewBatchesOfTheSandboxInADay(t *testing.T) {
	t.Parallel()
	b := newBatchingBench(t, storage.ProAccount())
	submit := func() error {
		batch := ports.BatchRequest{Jobs: []ports.Request{rows("sandbox:500", 3, 3)}, WebhookURL: webhookURL}
		return only.Err(b.batching.Submit(t.Context(), b.nameSandboxLimit(), batch))
	}
	for range domain.SandboxBatches {
		require.NoError(t, submit())
		for _, job := range b.Jobs() {
			require.NoError(t, b.running.Run(t.Context(), job, ports.JobAttempt{}))
		}
	}
	storage.RequireWait(t, submit(), domain.SandboxBatchRate.Span)
	require.NoError(t, b.try(rows("Asha", 3, 3)), "runs have a limit of their own")
	b.Now = b.Now.Add(domain.SandboxBatchRate.Span)
	require.NoError(t, submit())
}

// A job that is done twice, or whose end is not stored, is counted once.
func TestAJobOfTheSandboxIsCountedOnce(t *testing.T) {
	t.Parallel()
	b := newBatchingBench(t, storage.ProAccount())
	got := only.Value(b.batching.Submit(t.Context(), b.nameSandboxLimit(), ports.BatchRequest{Jobs: []ports.Request{rows("Asha", 3, 3)}}))(t)
	job := b.Jobs()[0]
	b.Fault = storage.Failing("store run", domain.ErrDatabase)
	require.ErrorIs(t, b.running.Run(t.Context(), job, ports.JobAttempt{}), domain.ErrDatabase)
	require.Zero(t, b.tries())
	b.Fault = storage.Failing("", nil)
	for range 2 {
		require.NoError(t, b.running.Run(t.Context(), job, ports.JobAttempt{}))
	}
	require.Equal(t, 1, b.tries())
	require.Equal(t, domain.BatchComplete, b.Batch(got.ID).State())
}
