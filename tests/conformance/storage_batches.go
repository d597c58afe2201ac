package conformance

import (
	"bytes"
	"fmt"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"milaan/domain"
	"milaan/ports"
	"milaan/tests/only"
)

// PlainText stands in the files, the results and the endpoints of the cases. No
// database holds it.
const PlainText = "AWB1904076086893"

// aRequest has another value in every field, and every second one no numbers.
func aRequest(i int) ports.Request {
	none, days := 0, 5
	req := ports.Request{Storefront: fmt.Append(nil, "Name,Total\n", i, PlainText, "\xff\x00"), Courier: []byte("AWB,COD\n" + PlainText),
		CourierName: "custom", Brand: "Brand ₹", Columns: map[string]string{"awb": "Waybill ₹"}, OverdueDays: &days, MinorGap: &none,
		Source: domain.SourceBatch}
	if i%2 == 1 {
		req.OverdueDays, req.MinorGap, req.Columns = nil, nil, nil
		req.Statement, req.Workbooks, req.Sheets, req.Include = []byte{}, true, []string{"Mar", "Apr"}, domain.IncludeLines
		req.Charges, req.Mapping = domain.AcceptCharges, "Express"
		req.Courier, req.Reports = nil, []ports.Report{{Courier: []byte("AWB\n1"), CourierName: "custom", Columns: map[string]string{"awb": "AWB"}}, {Courier: []byte("AWB\n2")}}
	}
	return req
}

// ofSeveralReports has a value in the fields that aRequest has not.
func ofSeveralReports() ports.Request {
	req := aRequest(1)
	req.Courier = nil
	req.Reports = []ports.Report{{Courier: []byte("AWB\n" + PlainText), CourierName: "custom", Columns: map[string]string{"awb": "AWB"}}, {Courier: []byte("UTR\n1")}}
	req.Previous = []byte("Milaan ledger 1\n" + PlainText)
	req.Statement, req.Workbooks, req.Sheets, req.Include = []byte("Date,Credit"), true, []string{"Jan", "Feb"}, domain.IncludePayouts|domain.IncludeLines
	return req
}

func requests(n int) []ports.Request {
	all := make([]ports.Request, n)
	for i := range all {
		all[i] = aRequest(i)
	}
	return all
}

func submitted(t *testing.T, s Storage, account domain.Account, id, webhookURL string, requests ...ports.Request) domain.Batch {
	t.Helper()
	b := domain.Batch{ID: id, AccountID: account.ID, WebhookURL: webhookURL, Jobs: len(requests), SubmittedAt: noon}
	require.NoError(t, s.Batches.Submit(t.Context(), b, requests, domain.RequestClaim{}))
	return b
}

func aResult(position int) []byte {
	return fmt.Appendf(nil, `{"brand":"b","n":%d,"awb":%q}`, position, PlainText)
}

func anEnd(b domain.Batch, position int) ports.JobEnd {
	id := fmt.Sprint("delivery-of-", b.ID)
	return ports.JobEnd{BatchJob: domain.BatchJob{BatchID: b.ID, Position: position}, At: noon.Add(time.Minute), Took: time.Second,
		Result: aResult(position), Delivery: domain.Delivery{ID: id, EventID: "evt_" + id, CreatedAt: noon.Add(time.Minute)}}
}

func ended(t *testing.T, s Storage, account domain.Account, end ports.JobEnd) {
	t.Helper()
	require.NoError(t, s.Write(t.Context(), account.ID, ports.Entry{End: end}))
}

func endAll(t *testing.T, s Storage, account domain.Account, b domain.Batch) {
	t.Helper()
	for i := range b.Jobs {
		ended(t, s, account, anEnd(b, i))
	}
}

func resultsOf(t *testing.T, s Storage, b domain.Batch) (results []string, failed error) {
	t.Helper()
	for result, err := range s.Batches.Results(t.Context(), b) {
		if err != nil {
			require.NoError(t, failed, "an error ends the results")
			failed = err
			continue
		}
		results = append(results, string(result))
	}
	return results, failed
}

var _ = promises.add("a batch comes back as it was submitted", func(t *testing.T, one, other Storage) {
	account, neighbour := created(t, one, "batch"), created(t, one, "neighbour")
	asked := append(requests(2), ofSeveralReports())
	b := submitted(t, one, account, "batch", anEndpoint, asked...)
	asked = append(requests(2), ofSeveralReports()) // what was submitted belongs to the storage
	var jobs []ports.Job
	for i := range 3 {
		jobs = append(jobs, ports.Job{Kind: ports.RunJob, AccountID: account.ID, Run: domain.BatchJob{BatchID: b.ID, Position: i}})
	}
	require.ElementsMatch(t, jobs, one.Jobs(t))
	require.Equal(t, b, BatchOf(t, other, account.ID, b.ID))
	require.Equal(t, domain.BatchQueued, b.State())

	// In any order, and more than once.
	for n, i := range []int{2, 0, 2, 1} {
		who, req, err := other.Batches.Begin(t.Context(), domain.BatchJob{BatchID: b.ID, Position: i}, noon.Add(time.Duration(n)*time.Second))
		require.NoError(t, err)
		require.Equal(t, account, who)
		require.Equal(t, asked[i], req)
		clear(req.Storefront) // it is ours
	}
	b.StartedAt = noon
	require.Equal(t, b, BatchOf(t, one, account.ID, b.ID))
	require.Equal(t, domain.BatchProcessing, b.State())

	for _, unknown := range []domain.BatchJob{{BatchID: b.ID, Position: 3}, {BatchID: b.ID, Position: -1}, {BatchID: "unknown"}} {
		require.ErrorIs(t, only.Err2(one.Batches.Begin(t.Context(), unknown, noon)), domain.ErrNothingToDo)
	}
	require.ErrorIs(t, only.Err(one.Batches.Find(t.Context(), neighbour.ID, b.ID)), domain.ErrNoBatch)
	require.ErrorIs(t, only.Err(one.Batches.Find(t.Context(), account.ID, "unknown")), domain.ErrNoBatch)
	b.ID, b.AccountID = "of-nobody", "nobody"
	require.ErrorIs(t, one.Batches.Submit(t.Context(), b, requests(1), domain.RequestClaim{}), domain.ErrNoAccount)
	require.ElementsMatch(t, jobs, one.Jobs(t))
})

var _ = promises.add("the last job completes the batch", func(t *testing.T, one, other Storage) {
	account, neighbour := created(t, one, "completed"), created(t, one, "neighbour")
	b := submitted(t, one, account, "batch", "", requests(2)...)
	added := one.Jobs(t)
	ended(t, one, account, anEnd(b, 1))
	got := BatchOf(t, other, account.ID, b.ID)
	b.Completed = 1
	require.Equal(t, b, got)

	nothingToDo := func(account domain.Account, end ports.JobEnd) {
		require.ErrorIs(t, one.Write(t.Context(), account.ID, ports.Entry{Run: aRun(account, "of a job that is done twice", noon), End: end}), domain.ErrNothingToDo)
		requireNoRuns(t, one, account)
	}
	nothingToDo(account, anEnd(b, 1))
	nothingToDo(neighbour, anEnd(b, 0))
	nothingToDo(account, anEnd(b, 2))
	nothingToDo(account, anEnd(domain.Batch{ID: "unknown"}, 0))
	require.ErrorIs(t, only.Err2(one.Batches.Begin(t.Context(), domain.BatchJob{BatchID: b.ID, Position: 1}, noon)), domain.ErrNothingToDo)

	last := anEnd(b, 0)
	ended(t, other, account, last)
	got = BatchOf(t, one, account.ID, b.ID)
	b.Completed, b.CompletedAt = 2, last.At
	require.Equal(t, b, got)
	require.Equal(t, []string{string(aResult(0)), string(aResult(1))}, only.Value(resultsOf(t, one, got))(t))
	require.Equal(t, added, one.Jobs(t), "nobody is to be called")
})

var _ = promises.add("each job ends once, each batch too", func(t *testing.T, one, other Storage) {
	account := created(t, one, "completed")
	b := submitted(t, one, account, "batch", anEndpoint, requests(domain.MaxBatch)...)
	added := len(one.Jobs(t))
	ends := inParallel(beyondLimits, one, other, func(s Storage, i int) error {
		end := anEnd(b, i%domain.MaxBatch)
		end.Delivery.ID += runID(i)
		return s.Write(t.Context(), account.ID, ports.Entry{End: end})
	})
	require.Len(t, Succeeded(t, ends, domain.ErrNothingToDo), domain.MaxBatch)
	got := BatchOf(t, one, account.ID, b.ID)
	require.Equal(t, domain.MaxBatch, got.Completed)
	require.Equal(t, domain.BatchComplete, got.State())
	require.Len(t, one.Jobs(t), added+1)
	require.Len(t, only.Value(one.Deliveries.Latest(t.Context(), account.ID, many))(t), 1)
})

var _ = promises.add("the limit of open batches is exact", func(t *testing.T, one, other Storage) {
	account := created(t, one, "open")
	taken := Succeeded(t, inParallel(beyondLimits, one, other, func(s Storage, i int) error {
		return s.Batches.Submit(t.Context(), domain.Batch{ID: runID(i), AccountID: account.ID, SubmittedAt: noon}, requests(1), domain.RequestClaim{})
	}), domain.ErrOpenBatches)
	require.Len(t, taken, domain.MaxOpenBatches)
	require.Len(t, one.Jobs(t), domain.MaxOpenBatches, "what was not taken has no jobs")

	submitted(t, one, created(t, one, "neighbour"), "of-a-neighbour", "", aRequest(0))
	ended(t, one, account, anEnd(domain.Batch{ID: runID(taken[0])}, 0))
	submitted(t, one, account, "after-one-is-complete", "", aRequest(0))
	require.ErrorIs(t, one.Batches.Submit(t.Context(), domain.Batch{ID: "one-more", AccountID: account.ID, SubmittedAt: noon}, requests(1), domain.RequestClaim{}), domain.ErrOpenBatches)
})

var _ = promises.add("old batches are swept away", func(t *testing.T, one, other Storage) {
	account := created(t, one, "swept")
	old := submitted(t, one, account, "old", "", requests(2)...)
	kept := submitted(t, one, account, "kept", "", requests(1)...)
	open := submitted(t, one, account, "open", "", requests(1)...)
	endAll(t, one, account, old)
	later := anEnd(kept, 0)
	later.At = later.At.Add(time.Microsecond)
	ended(t, one, account, later)
	for range 2 {
		require.NoError(t, other.Sweep(t.Context(), ports.Expiry{Results: later.At, Batches: noon}))
		require.True(t, BatchOf(t, one, account.ID, old.ID).Dropped)
		require.Equal(t, domain.BatchComplete, BatchOf(t, one, account.ID, old.ID).State())
		results, err := resultsOf(t, one, BatchOf(t, one, account.ID, old.ID))
		require.ErrorIs(t, err, domain.ErrBatchGone)
		require.Empty(t, results)
		require.False(t, BatchOf(t, one, account.ID, kept.ID).Dropped)
		results = only.Value(resultsOf(t, one, BatchOf(t, one, account.ID, kept.ID)))(t)
		require.Len(t, results, 1)
	}
	require.NoError(t, other.Sweep(t.Context(), ports.Expiry{Results: later.At, Batches: later.At}))
	require.ErrorIs(t, only.Err(one.Batches.Find(t.Context(), account.ID, old.ID)), domain.ErrNoBatch)
	require.False(t, BatchOf(t, one, account.ID, kept.ID).Dropped)
	require.ErrorIs(t, only.Err(resultsOf(t, one, domain.Batch{ID: old.ID, AccountID: account.ID, Jobs: 2})), domain.ErrBatchGone)
	require.NoError(t, only.Err2(one.Batches.Begin(t.Context(), domain.BatchJob{BatchID: open.ID}, noon)))
})

var _ = promises.add("stale jobs are listed", func(t *testing.T, one, other Storage) {
	account, neighbour := created(t, one, "stale"), created(t, one, "neighbour")
	first := submitted(t, one, account, "first", "", requests(3)...)
	submitted(t, one, neighbour, "second", "", requests(1)...)
	ended(t, one, account, anEnd(first, 1))
	want := []ports.StaleJob{
		{BatchJob: domain.BatchJob{BatchID: "first", Position: 0}, AccountID: account.ID},
		{BatchJob: domain.BatchJob{BatchID: "first", Position: 2}, AccountID: account.ID},
		{BatchJob: domain.BatchJob{BatchID: "second", Position: 0}, AccountID: neighbour.ID},
	}
	list := func(before time.Time, limit int) []ports.StaleJob {
		return only.Value(other.Batches.Stale(t.Context(), before, limit))(t)
	}
	require.Equal(t, want, list(noon.Add(time.Microsecond), many))
	require.Equal(t, want[:2], list(noon.Add(time.Microsecond), 2))
	require.Empty(t, list(noon, many))
})

var _ = promises.add("the load is measured", func(t *testing.T, one, other Storage) {
	loadOf := func(accountID string, jobs int) domain.BatchLoad {
		return only.Value(other.Batches.Load(t.Context(), accountID, jobs))(t)
	}
	account, neighbour := created(t, one, "load"), created(t, one, "neighbour")
	load := func() domain.BatchLoad { return loadOf(account.ID, 1) }
	require.Equal(t, domain.BatchLoad{}, load())
	size := func(i int) int64 { return aRequest(i).Bytes() }
	b := submitted(t, one, account, "batch", "", requests(3)...)
	all := size(0) + size(1) + size(2)
	require.Equal(t, domain.BatchLoad{AheadBytes: all}, load())
	require.Equal(t, domain.BatchLoad{AheadBytes: all / 3}, loadOf(neighbour.ID, 1), "each account has its turn")
	require.Equal(t, domain.BatchLoad{AheadBytes: all}, loadOf(neighbour.ID, 3))
	ended(t, one, account, anEnd(b, 1))
	unrun := anEnd(b, 0)
	unrun.Took = 0
	ended(t, one, account, unrun)
	require.Equal(t, domain.BatchLoad{AheadBytes: size(2), DoneBytes: size(1), DoneTook: time.Second}, load(), "a job that was given up tells nothing")

	// Only the latest count.
	for i := range 3 {
		slow := submitted(t, one, account, runID(i), "", requests(domain.MaxBatch)...)
		for position := range domain.MaxBatch {
			end := anEnd(slow, position)
			end.At, end.Took = end.At.Add(time.Second), time.Minute
			ended(t, one, account, end)
		}
	}
	l := load()
	require.Zero(t, l.DoneTook%time.Minute)
	require.LessOrEqual(t, l.DoneTook, 60*time.Minute)
})

// A batch may be as large as a request's body, which is tried with MILAAN_SOAK; without it a
// fifth is.
var _ = promises.add("a batch may be large", func(t *testing.T, one, other Storage) {
	account := created(t, one, "large")
	size := 1 << 20
	if os.Getenv("MILAAN_SOAK") != "" {
		size = 5 << 20
	}
	req := ports.Request{Storefront: bytes.Repeat([]byte(PlainText+",\xff\n"), 4*size/len(PlainText)), Courier: bytes.Repeat([]byte{7}, size)}
	b := submitted(t, one, account, "large", "", req)
	_, got := only.Both(other.Batches.Begin(t.Context(), domain.BatchJob{BatchID: b.ID}, noon))(t)
	require.True(t, bytes.Equal(req.Storefront, got.Storefront))
	require.True(t, bytes.Equal(req.Courier, got.Courier))
	end := anEnd(b, 0)
	end.Result = req.Storefront
	ended(t, one, account, end)
	require.True(t, only.Value(resultsOf(t, other, b))(t)[0] == string(req.Storefront))
})

// The labels of a job go when its files do.
var _ = promises.add("a job's labels are there without its files", func(t *testing.T, one, other Storage) {
	account := created(t, one, "labels")
	asked := requests(2)
	asked[0].Brand, asked[0].CourierName = "Asha \n Textiles", "custom"
	asked[1].CourierName, asked[1].Reports = "", []ports.Report{{CourierName: "dtdc"}, {}, {CourierName: "Delhivery"}}
	b := submitted(t, one, account, "labels", "", asked...)
	brand, courierName := only.Both(other.Batches.Labels(t.Context(), domain.BatchJob{BatchID: b.ID}))(t)
	require.Equal(t, []string{asked[0].Brand, asked[0].CourierName}, []string{brand, courierName})
	_, courierName = only.Both(other.Batches.Labels(t.Context(), domain.BatchJob{BatchID: b.ID, Position: 1}))(t)
	require.Equal(t, "dtdc+Delhivery", courierName, "of several reports")
	ended(t, one, account, anEnd(b, 0))
	for _, job := range []domain.BatchJob{{BatchID: b.ID}, {BatchID: b.ID, Position: 7}, {BatchID: "unknown"}} {
		require.ErrorIs(t, only.Err2(other.Batches.Labels(t.Context(), job)), domain.ErrNothingToDo)
	}
})
