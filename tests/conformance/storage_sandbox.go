package conformance

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"milaan/domain"
	"milaan/ports"
	"milaan/tests/only"
)

// tried stores a run of the sandbox.
func triesOf(t *testing.T, s Storage, account domain.Account, at time.Time) int {
	t.Helper()
	return only.Value(s.Runs.SandboxRuns(t.Context(), account.ID, domain.DayOf(at)))(t)
}

// aTest is the test that the sandbox sends to an account's endpoint.
func aTest(id string) domain.Delivery {
	return domain.Delivery{ID: id, EventID: "evt_" + id, Kind: domain.TestDelivery, Sandbox: true, CreatedAt: noon}
}

var _ = promises.add("sandbox runs are counted by the day", func(t *testing.T, one, other Storage) {
	account, neighbour := created(t, one, "tries"), created(t, one, "neighbour")
	watching(t, one, account)
	require.Zero(t, triesOf(t, one, account, noon))
	midnight := domain.DayOf(noon).Start().Add(24 * time.Hour)
	for i := range domain.SandboxRuns {
		require.NoError(t, one.Write(t.Context(), account.ID, ports.Entry{SandboxRun: midnight.Add(-time.Duration(i+1) * time.Microsecond)}))
	}
	require.Equal(t, domain.SandboxRuns, triesOf(t, other, account, noon))
	refused := other.Write(t.Context(), account.ID, ports.Entry{SandboxRun: midnight.Add(-time.Microsecond), Event: aTest("refused")})
	require.ErrorIs(t, refused, domain.ErrSandboxRuns(noon))
	require.Empty(t, one.Jobs(t), "what is refused stores nothing")
	require.Equal(t, domain.SandboxRuns, triesOf(t, other, account, noon))

	require.NoError(t, other.Write(t.Context(), account.ID, ports.Entry{SandboxRun: midnight, Event: aTest("first")}))
	require.Equal(t, 1, triesOf(t, one, account, midnight))
	require.NoError(t, one.Write(t.Context(), neighbour.ID, ports.Entry{SandboxRun: noon, Event: aTest("nobody")}))
	require.Equal(t, []ports.Job{{Kind: ports.DeliverJob, AccountID: account.ID, Delivery: "first"}}, one.Jobs(t), "who has no endpoint is not told")
	d := only.Value(other.Deliveries.Find(t.Context(), account.ID, "first"))(t)
	want := aTest("first")
	want.AccountID, want.State = account.ID, domain.DeliveryPending
	require.Equal(t, want, d)
	require.Zero(t, only.Value(one.Runs.RunsSince(t.Context(), account.ID, time.Time{}))(t), "no run is stored")

	require.NoError(t, one.Sweep(t.Context(), ports.Expiry{SandboxRuns: domain.DayOf(noon)}))
	require.Equal(t, domain.SandboxRuns, triesOf(t, other, account, noon))
	require.NoError(t, one.Sweep(t.Context(), ports.Expiry{SandboxRuns: domain.DayOf(midnight)}))
	require.Zero(t, triesOf(t, other, account, noon))
	require.Equal(t, 1, triesOf(t, other, account, midnight))
	require.ErrorIs(t, one.Write(t.Context(), anAccount("unknown").ID, ports.Entry{SandboxRun: noon}), domain.ErrNoAccount)
})

var _ = promises.add("the sandbox runs of a day are exact", func(t *testing.T, one, other Storage) {
	account := created(t, one, "tries")
	left := many / 2
	for range domain.SandboxRuns - left {
		require.NoError(t, one.Write(t.Context(), account.ID, ports.Entry{SandboxRun: noon}))
	}
	which := Succeeded(t, InParallel(one, other, func(s Storage, _ int) error {
		return s.Write(t.Context(), account.ID, ports.Entry{SandboxRun: noon})
	}), domain.ErrSandboxRuns(noon))
	require.Len(t, which, left)
	require.Equal(t, domain.SandboxRuns, triesOf(t, one, account, noon))
})

// watching gives an account that has webhooks an endpoint.
func watching(t *testing.T, s Storage, account domain.Account) {
	t.Helper()
	Change(t, s.Accounts, account.Email, func(a *domain.Account) { a.Plan = domain.Enterprise })
	Change(t, s.Webhooks, account.ID, func(w *domain.Webhook) { w.Endpoint, w.Secret = anEndpoint, aSecret })
}

// A job of a sandbox batch is counted with its end, once. The batch is kept apart from live
// ones, tells the endpoint that it is complete, and is deleted whole.
var _ = promises.add("a sandbox batch is kept apart", func(t *testing.T, one, other Storage) {
	account := created(t, one, "sandbox")
	watching(t, one, account)
	live := submitted(t, one, account, "live", "", aRequest(0))
	for i := range domain.MaxOpenBatches - 1 {
		submitted(t, one, account, runID(i), "", aRequest(0))
	}
	b := domain.Batch{ID: "sandbox", AccountID: account.ID, WebhookURL: anEndpoint, Jobs: 2, SubmittedAt: noon, Sandbox: true}
	require.NoError(t, one.Batches.Submit(t.Context(), b, requests(2), domain.RequestClaim{}), "live batches do not count")
	require.Equal(t, b, BatchOf(t, other, account.ID, b.ID))
	require.False(t, BatchOf(t, other, account.ID, live.ID).Sandbox)
	for position, want := range map[domain.BatchJob]bool{{BatchID: b.ID, Position: 1}: true, {BatchID: live.ID}: false} {
		_, req := only.Both(other.Batches.Begin(t.Context(), position, noon))(t)
		require.Equal(t, want, req.Sandbox)
	}
	waiting := len(one.Jobs(t))
	for range 2 {
		end := anEnd(b, 0)
		end.Test = aTest("too early")
		err := one.Write(t.Context(), account.ID, ports.Entry{SandboxRun: noon, End: end})
		if triesOf(t, other, account, noon) == 1 && err != nil {
			require.ErrorIs(t, err, domain.ErrNothingToDo, "a job ends once")
		}
	}
	require.Equal(t, 1, triesOf(t, other, account, noon))
	require.Len(t, one.Jobs(t), waiting)
	last := anEnd(b, 1)
	last.Test = aTest("complete")
	ended(t, other, account, last)
	all := only.Value(one.Deliveries.Latest(t.Context(), account.ID, 10))(t)
	kinds := map[domain.DeliveryKind]bool{}
	for _, d := range all {
		kinds[d.Kind] = d.Sandbox
	}
	require.Equal(t, map[domain.DeliveryKind]bool{domain.TestDelivery: true, domain.BatchDelivery: true}, kinds)
	of := anEnd(live, 0)
	of.Test = aTest("of a live batch")
	ended(t, one, account, of)
	require.ErrorIs(t, only.Err(one.Deliveries.Find(t.Context(), account.ID, "of a live batch")), domain.ErrNoDelivery)

	completed := noon.Add(time.Minute)
	require.NoError(t, one.Sweep(t.Context(), ports.Expiry{Sandbox: completed}))
	BatchOf(t, other, account.ID, b.ID)
	require.NoError(t, one.Sweep(t.Context(), ports.Expiry{Sandbox: completed.Add(time.Microsecond)}))
	require.ErrorIs(t, only.Err(other.Batches.Find(t.Context(), account.ID, b.ID)), domain.ErrNoBatch)
	results, failed := resultsOf(t, other, b)
	require.Empty(t, results)
	require.ErrorIs(t, failed, domain.ErrBatchGone)
	BatchOf(t, other, account.ID, live.ID)
})
