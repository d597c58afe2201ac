package service

import (
	"fmt"
	"net/http"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"milaan/config"
	"milaan/domain"
)

// TestBatchRuns holds what becomes of jobs: the same as of POST /reconcile.
func TestBatchRuns(t *testing.T) {
	onBoth(t, func(t *testing.T, db database) {
		s := Start(t, Options{DatabaseURL: db(t)})
		t.Run("results come in the order sent, each as POST reconcile would have answered", func(t *testing.T) {
			c, twin := s.Customer(t, OnPlan(domain.Enterprise)), s.Customer(t)
			jobs := make([]Body, 20)
			for i := range jobs {
				jobs[i] = Body{
					"brand":   fmt.Sprint(" b", i, " "),
					"shopify": Export(Order{Name: fmt.Sprint("#", i), Total: "100", AWB: fmt.Sprint("A", i)}),
					"courier": Report(Line{AWB: fmt.Sprint("A", i), Remitted: fmt.Sprint(i + 1), RemittedOn: "2026-10-10"}),
				}
			}
			jobs[7] = EightFlags().With("brand", "eight").With("courierName", "Ecom Express").With("overdue_threshold_days", 12)
			report := c.Complete(t, Jobs(jobs...))
			require.Equal(t, "complete", report.Status)
			require.Equal(t, 20, report.Jobs)
			require.Equal(t, 20, report.Completed)
			require.Len(t, report.Results, 20)
			for i, r := range report.Results {
				require.Nil(t, r.Error)
				require.Nil(t, r.Duplicate)
				if i != 7 {
					require.Equal(t, fmt.Sprint("b", i), r.Brand)
					require.Empty(t, r.CourierName)
					require.Equal(t, fmt.Sprint("#", i), r.Results[0].OrderID)
				}
			}
			require.Equal(t, "eight", report.Results[7].Brand)
			require.Equal(t, "ecom_express", report.Results[7].CourierName)
			require.Equal(t, twin.Run(t, jobs[7]), report.Results[7].Run)
			require.Equal(t, twin.Run(t, jobs[3]), report.Results[3].Run)
			require.Len(t, s.Query(t, "SELECT id FROM runs WHERE source = 'batch'"), 20, "in the audit history")
		})
		t.Run("a job that fails on its files ends with its error, and the others go on", func(t *testing.T) {
			c := s.Customer(t)
			report := c.Complete(t, Jobs(Named("first"), badFile().With("brand", "second").With("courierName", "DTDC"), Named("third")))
			require.Equal(t, 3, report.Completed)
			require.Equal(t, []string{"RECONCILED"}, report.Results[0].flags())
			failed := report.Results[1]
			require.Equal(t, "second", failed.Brand)
			require.Equal(t, "dtdc", failed.CourierName)
			require.Equal(t, c.Reconcile(t, badFile()).Message(), *failed.Error)
			require.Nil(t, failed.Results)
			require.Equal(t, []string{"RECONCILED"}, report.Results[2].flags())
		})
	})
}

// TestBatchStatus holds GET /status: the states, and who is told of them.
func TestBatchStatus(t *testing.T) {
	t.Parallel()
	brake, brakes := NewBrake()
	s := Start(t, Options{Broken: brakes})
	t.Cleanup(brake.LetGo)
	t.Run("a batch is queued, then processing, then complete with its results", func(t *testing.T) {
		c := s.Customer(t, OnPlan(domain.Enterprise))
		workers := max(1, runtime.GOMAXPROCS(0)/2)
		var held []string
		for sent := 0; sent <= workers; sent += 20 {
			jobs := make([]Body, 20)
			for i := range jobs {
				jobs[i] = Held(fmt.Sprint(sent + i))
			}
			held = append(held, c.Submit(t, Jobs(jobs...)).BatchID)
		}
		c.Await(t, held[0], domain.BatchProcessing)
		require.Eventually(t, func() bool { return brake.Held() >= workers }, workTime, pause, "no worker is free")
		waiting := c.Submit(t, Jobs(Named("waits"))).BatchID

		a := c.Status(t, waiting)
		report := a.Report(t)
		require.Equal(t, BatchReport{BatchID: waiting, Status: "queued", Jobs: 1, SubmittedAt: report.SubmittedAt}, report)
		require.Equal(t, s.Clock.Now().UTC().Format("2006-01-02T15:04:05.000Z"), *report.SubmittedAt)
		require.NotContains(t, string(a.Body), `"results"`)
		require.Equal(t, "no-store", a.Header.Get("Cache-Control"))

		a = c.Status(t, held[0])
		report = a.Report(t)
		require.Equal(t, "processing", report.Status)
		require.Equal(t, 20, report.Jobs)
		require.Less(t, report.Completed, 20)
		require.NotNil(t, report.StartedAt)
		require.Nil(t, report.CompletedAt)
		require.NotContains(t, string(a.Body), `"results"`)

		brake.LetGo()
		for _, id := range append(held, waiting) {
			c.Await(t, id, domain.BatchComplete)
			report := c.Status(t, id).Report(t)
			require.Equal(t, "complete", report.Status)
			require.Equal(t, report.Jobs, report.Completed)
			require.Len(t, report.Results, report.Jobs)
			require.NotNil(t, report.CompletedAt)
		}
	})
	t.Run("the status is for the account alone", func(t *testing.T) {
		owner, other := s.Customer(t), s.Customer(t)
		id := owner.Submit(t, Jobs(Named("b"))).BatchID
		require.Equal(t, http.StatusOK, owner.Status(t, id).Status)
		unknown := other.Status(t, uuid.NewString())
		unknown.Refused(t, 404, "no such batch")
		require.Equal(t, unknown.Message(), other.Status(t, id).Message(), "no one is told that it exists")
		require.Equal(t, unknown.Message(), other.Status(t, "no-id").Message())
		s.Get(t, "/status/"+id).Refused(t, 401, "API key")
		owner.Change(t, func(a *domain.Account) { a.PhoneVerified = false })
		owner.Status(t, id).Refused(t, 403, "phone_not_verified: ")
		owner.Change(t, func(a *domain.Account) { a.PhoneVerified, a.Subscription = true, domain.SubscriptionEnded })
		owner.Status(t, id).Refused(t, 403, "the account's subscription has ended")
		owner.Change(t, func(a *domain.Account) { a.Subscription = domain.SubscriptionActive })
		old := owner.Key
		owner.Rotate(t)
		require.Equal(t, http.StatusOK, owner.Status(t, id).Status, "with the new key as well")
		s.Get(t, "/status/"+id, "Authorization", "Bearer "+old).Refused(t, 401, "API key")
	})
}

// TestRetention holds that a shorter retention than the usual one is kept to: at
// once in the answers, and in the database by the next round of housekeeping.
func TestRetention(t *testing.T) {
	onBoth(t, func(t *testing.T, db database) {
		const retention = time.Hour
		s := Start(t, Options{DatabaseURL: db(t), Settings: func(c *config.Config) { c.Batch.Retention = retention }})
		t.Run("MILAAN_BATCH_RETENTION says when the results of a batch are deleted", func(t *testing.T) {
			const results = "SELECT batch_id FROM batch_jobs WHERE result IS NOT NULL"
			c := s.Customer(t)
			id := c.Submit(t, Jobs(Named("one"), Named("two"))).BatchID
			c.Await(t, id, domain.BatchComplete)
			s.Clock.Advance(retention - time.Second)
			require.NoError(t, s.Housekeep.Sweep(t.Context()))
			require.Len(t, c.Status(t, id).Report(t).Results, 2)
			require.Len(t, s.Query(t, results), 2)

			s.Clock.Advance(2 * time.Second)
			c.Status(t, id).Refused(t, 410, "the results of this batch have been deleted")
			require.NoError(t, s.Housekeep.Sweep(t.Context()))
			require.Empty(t, s.Query(t, results))
			c.Status(t, id).Refused(t, 410, "the results of this batch have been deleted")
			require.Len(t, s.Query(t, "SELECT id FROM runs WHERE source = 'batch'"), 2, "the audit history stays")
		})
	})
}

// TestNothingOfABatchIsReadable looks for the files of a batch wherever the
// service writes, while their job waits, and when its results are there.
func TestNothingOfABatchIsReadable(t *testing.T) {
	onBoth(t, func(t *testing.T, db database) {
		brake, brakes := NewBrake()
		s := Start(t, Options{DatabaseURL: db(t), Broken: brakes, Settings: OnLoopback})
		t.Cleanup(brake.LetGo)
		t.Run("inputs and results of a batch are sealed at rest", func(t *testing.T) {
			c, e := s.Customer(t), NewEndpoint(t, nil)
			held := private.good.With("courier", private.good["courier"].(string)+"HELD,,,,2026-10-10,\n")
			jobs := Jobs(held, private.bad.With("brand", "bad")).With("webhook_url", e.URL+"/URLSECRET")
			_, id, _ := strings.Cut(c.Keyed(t, "/reconcile/batch", "REQUESTKEY", jobs).Header.Get("Location"), "/status/")
			require.Eventually(t, func() bool { return brake.Held() > 0 }, workTime, pause)
			needles := append([]string{"URLSECRET", "REQUESTKEY"}, private.contents...)
			s.writesNone(t, needles)
			brake.LetGo()
			c.Await(t, id, domain.BatchComplete)
			c.Deliveries(t)
			s.writesNone(t, needles)
			report := c.Status(t, id)
			require.Contains(t, string(report.Body), "AWBSECRET1", "its owner can read them")
			require.Contains(t, string(report.Body), "CELLSECRET")
			require.Contains(t, string(e.Calls()[0].Body), "AWBSECRET1")
			s.writesNone(t, needles)
		})
	})
}
