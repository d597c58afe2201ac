package httpapi

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"milaan/adapters/httpapi/intake"
	"milaan/domain"
	"milaan/ports"
)

const jobText = `{"shopify":"Name,Total\n#1,5","courier":"AWB No\n1","brand":"b"}`

// jobsOf is the body of a batch.
func jobsOf(jobs ...string) string { return `{"jobs":[` + strings.Join(jobs, ",") + `]}` }

func (s *service) batch(t *testing.T, body string) reply {
	t.Helper()
	return do(t, s.postTo(t, "/reconcile/batch", text(body)))
}

func TestSubmittingABatch(t *testing.T) {
	s := start(t, nil)
	var seen []request
	var by caller
	var webhook string
	s.submit = func(_ context.Context, c caller, batch batched) (ports.SubmittedBatch, error) {
		by, seen, webhook = c, batch.Jobs, batch.WebhookURL
		return ports.SubmittedBatch{Batch: domain.Batch{ID: someBatch, Jobs: len(seen), Completed: 0}, Estimate: 4200*time.Millisecond + 1}, nil
	}
	got := s.batch(t, `{"JOBS":5,"Webhook_URL":5,"jobs":[
		{"shopify":"Name\n#1","courier":"AWB \"No\"","courierName":"custom","brand":"Chai ₹","columns":{"awb":"Docket"},
		 "overdue_threshold_days":7.0,"minor_gap_threshold":0e0,"charges":"accept","source":"ignored"},
		{"shopify":"x","shopify":"Name\n#2","courier":"AWB","Brand":5,"brand":"b","overdue_threshold_days":null}
	],"webhook_url":"https://hooks.example.com/milaan","ignored":[]}`)
	require.Equal(t, http.StatusAccepted, got.status, got.body)
	require.JSONEq(t, `{"ok":true,"batch_id":"`+someBatch+`","jobs":2,"status":"queued","estimated_completion_ms":4201}`, got.body)
	require.Equal(t, jsonType, got.header.Get("Content-Type"))
	require.Equal(t, "no-store", got.header.Get("Cache-Control"))
	require.Equal(t, "/status/"+someBatch, got.header.Get("Location"))

	seven, zero := 7, 0
	require.Equal(t, []request{
		{Storefront: []byte("Name\n#1"), Courier: []byte(`AWB "No"`), CourierName: "custom", Brand: "Chai ₹",
			Columns: map[string]string{"awb": "Docket"}, OverdueDays: &seven, MinorGap: &zero, Charges: domain.AcceptCharges, Source: domain.SourceBatch},
		{Storefront: []byte("Name\n#2"), Courier: []byte("AWB"), Brand: "b", Source: domain.SourceBatch},
	}, seen)
	require.Equal(t, "https://hooks.example.com/milaan", webhook)
	require.Equal(t, "account-1", by.Account.ID)
	require.Equal(t, []string{"admit " + goodKey, "submit"}, s.asked(), "one request for the rate")
	require.Zero(t, figure(t, s.server.figures, "milaan_body_bytes"), "the body's place is given back")

	log := s.log.String()
	require.Contains(t, log, "route=/reconcile/batch")
	require.Contains(t, log, "account_id=account-1")
	for _, private := range []string{"Chai", "hooks.example.com", goodKey, "Docket"} {
		require.NotContains(t, log, private)
	}
}

// A job's texts must stay as they are when the body's buffer serves another
// request, for the use case still has them.
func TestJobsDoNotShareTheBodysBuffer(t *testing.T) {
	s := start(t, nil)
	long := strings.Repeat("a", 5000)
	s.submit = func(ctx context.Context, _ caller, batch batched) (ports.SubmittedBatch, error) {
		requests := batch.Jobs
		if requests[0].Brand == "other" {
			return ports.SubmittedBatch{}, nil
		}
		other := strings.NewReplacer(long, strings.Repeat("z", 5000), `"b"`, `"other"`).Replace(jobsOf(`{"shopify":"` + long + `","courier":"b","brand":"b"}`))
		if _, err := attempt(s.postTo(t, "/reconcile/batch", text(other)).WithContext(ctx)); err != nil {
			return ports.SubmittedBatch{}, err
		}
		if string(requests[0].Storefront) != long {
			return ports.SubmittedBatch{}, errors.New("the texts have changed")
		}
		return ports.SubmittedBatch{Batch: domain.Batch{Jobs: 1}}, nil
	}
	require.Equal(t, 202, s.batch(t, jobsOf(`{"shopify":"`+long+`","courier":"b","brand":"b"}`)).status, s.log.String())
}

// While a batch is submitted, which finds the host of its webhook_url, no more
// memory is charged than its jobs' copies of their texts take; and so it is while
// a faulty batch waits for that.
func TestABatchKeepsTheMemoryOfItsJobs(t *testing.T) {
	s := start(t, nil)
	var kept []float64
	note := func() { kept = append(kept, figure(t, s.server.figures, "milaan_body_bytes")) }
	s.submit = func(_ context.Context, _ caller, batch batched) (ports.SubmittedBatch, error) {
		note()
		return ports.SubmittedBatch{Batch: domain.Batch{Jobs: 1}}, misreadIn(batch).Err()
	}
	job := `{"shopify":"` + strings.Repeat("a", 200<<10) + `","courier":"b","brand":"b"}`
	good := jobsOf(job)
	require.Equal(t, 202, s.batch(t, good).status, s.log.String())
	faulty := `{"webhook_url":"https://hooks.example.com/milaan","jobs":[` + job + `,5]}`
	require.Equal(t, 400, s.batch(t, faulty).status, s.log.String())
	require.Equal(t, []float64{float64(len(good)), float64(len(faulty))}, kept)
}

func TestShapeOfABatch(t *testing.T) {
	s := start(t, nil)
	job := func(more string) string { return strings.TrimSuffix(jobText, "}") + "," + more + "}" }
	for body, want := range map[string]string{
		``:                              "the request body is empty: send a JSON object with jobs",
		`{"jobs":[`:                     "the request body is not valid JSON: unexpected end of JSON input (at byte 9)",
		`{"jobs":[{]}`:                  "the request body is not valid JSON: invalid character ']' looking for beginning of object key string (at byte 11)",
		`[]`:                            "the request body must be a JSON object, not an array",
		` null `:                        "the request body must be a JSON object, not null",
		`5`:                             "the request body must be a JSON object, not a number",
		`{}`:                            "jobs is missing: send an array of 1 to 20 jobs",
		`{"jobs":null}`:                 "jobs is missing: send an array of 1 to 20 jobs",
		`{"jobs":{"a":[]}}`:             "jobs must be an array of 1 to 20 jobs, not an object",
		`{"jobs":7.5,"webhook_url":{}}`: "jobs must be an array of 1 to 20 jobs, not a number; webhook_url must be a string, not an object",

		`{"jobs":[{}],"jobs":[` + jobText + `]}`:                                       "",
		`{"jobs":[` + jobText + `],"jobs":null}`:                                       "jobs is missing: send an array of 1 to 20 jobs",
		`{"jobs":[` + jobText + `],"webhook_url":null}`:                                "",
		`{"jobs":[` + jobText + `],"webhook_url":7,"webhook_url":"https://x.example"}`: "webhook_url must be a string, not a number",
		`{"jobs":[` + jobText + `],"jobs":[{"shopify":"a"}]}`:                          "jobs[0]." + noReport,

		jobsOf(jobText, `null`, `[]`, `"x"`, `7`, `true`): "jobs[1] must be a JSON object, not null; jobs[2] must be a JSON object, not an array; jobs[3] must be a JSON object, not a string; " +
			"jobs[4] must be a JSON object, not a number; jobs[5] must be a JSON object, not a boolean",
		jobsOf(`{"courier":"b"}`, jobText, `{"shopify":null,"courier":"","brand":null}`):                           "jobs[0]." + noExport + "; jobs[2]." + noExport + "; jobs[2]." + noReport,
		jobsOf(job(`"overdue_threshold_days":7.0,"minor_gap_threshold":null,"courierName":"dtdc","columns":null`)): "",

		jobsOf(jobText, `{"shopify":1,"courier":[],"courierName":{},"brand":true,"overdue_threshold_days":"7","minor_gap_threshold":[],"columns":[]}`): "jobs[1].shopify must be a string, not a number; " +
			"jobs[1].courier must be a string, not an array; jobs[1].courierName must be a string, not an object; jobs[1].brand must be a string, not a boolean; jobs[1]." + badDays + "; jobs[1]." + badGap + "; jobs[1]." + badColumns,
		jobsOf(`{"shopify":"a","courier":5,"minor_gap_threshold":7.5}`):                              "jobs[0].courier must be a string, not a number; jobs[0]." + badGap,
		jobsOf(`{"shopify":"a","courier":"b","brand":5,"brand":"b","overdue_threshold_days":1e999}`): "jobs[0].brand must be a string, not a number; jobs[0]." + badDays,
		jobsOf(job(`"columns":{"awb":1}`)):                                                           "jobs[0]." + badColumns,
	} {
		got := s.batch(t, body)
		if want == "" {
			require.Equal(t, 202, got.status, "%s: %s", body, got.body)
			continue
		}
		demandError(t, got, 400, want)
	}
}

func TestTheLargestBatch(t *testing.T) {
	s := start(t, nil)
	empty := len(jobsOf(jobText))
	body := func(size int) string { return jobsOf(jobText + strings.Repeat(" ", size-empty)) }
	require.Equal(t, 202, s.batch(t, body(intake.MaxBody)).status)
	demandError(t, s.batch(t, body(intake.MaxBody+1)), 413, said(errBatchSize))
	demandError(t, do(t, s.postTo(t, "/reconcile/batch", unsized{text(body(intake.MaxBody + 1))})), 413, said(errBatchSize))

	// Elements cost nothing beyond the twenty-first.
	crowd := `{"jobs":[` + strings.Repeat("0,", 1<<20) + `0]}`
	require.Less(t, testing.AllocsPerRun(1, func() {
		batch, err := readBatch(intake.Arrival{Text: []byte(crowd), Free: func() {}, Keep: func(int64) {}})
		require.NoError(t, err)
		require.Len(t, batch.Jobs, domain.MaxBatch+1)
	}), 1000.0)
}

func TestFaultsOfSubmittingAreOurs(t *testing.T) {
	s := start(t, nil)
	endpoint := domain.Faults{{Field: domain.FieldWebhookURL, Rule: domain.RuleHTTPS}}.Err()
	for _, c := range []struct {
		err    error
		status int
		text   string
	}{
		{endpoint, 400, said(endpoint)},
		{domain.ErrUnsettled.Caused(errors.New("no route to db-7")), 503, said(errBatchUnsettled)},
		{domain.ErrDatabase.Caused(errors.New("no route to db-7")), 503, said(domain.ErrDatabase)},
		{domain.ErrOpenBatches, 429, said(domain.ErrOpenBatches)},
		{errors.New("the catalogue is lost"), 500, said(domain.ErrFault)},
	} {
		s.submit = func(context.Context, caller, batched) (ports.SubmittedBatch, error) {
			return ports.SubmittedBatch{}, c.err
		}
		demandError(t, s.batch(t, jobsOf(jobText)), c.status, c.text)
	}
	require.Zero(t, figure(t, s.server.figures, "milaan_rate_limited_total"), "no rate is broken")
	require.Contains(t, s.log.String(), "the catalogue is lost")
}

func (s *service) ask(t *testing.T, method, id string) reply {
	t.Helper()
	return s.call(t, method, "/status/"+id, "Authorization", "Bearer "+goodKey)
}

func TestStatusOfABatch(t *testing.T) {
	s := start(t, nil)
	report := `{"status":"complete","results":[` + strings.Repeat(`{"brand":"b"},`, 20_000) + `{}]}`
	var by caller
	s.status = func(_ context.Context, c caller, _ string) (ports.BatchStatus, error) {
		by = c
		return ports.BatchStatus{Write: func(w io.Writer) error {
			_, err := io.Copy(w, text(report))
			return err
		}}, nil
	}
	got := s.ask(t, http.MethodGet, someBatch)
	require.Equal(t, http.StatusOK, got.status)
	require.Equal(t, report, got.body)
	require.Equal(t, jsonType, got.header.Get("Content-Type"))
	require.Equal(t, "no-store", got.header.Get("Cache-Control"))
	require.Equal(t, "account-1", by.Account.ID)

	head := s.ask(t, http.MethodHead, strings.ToUpper(someBatch))
	require.Equal(t, http.StatusOK, head.status)
	require.Empty(t, head.body)
	require.Equal(t, []string{"poll " + goodKey, "status " + someBatch, "poll " + goodKey, "status " + someBatch}, s.asked(), "not by the rate of runs")
	log := s.log.String()
	require.Contains(t, log, "route=/status/:job_id")
	require.Contains(t, log, "account_id=account-1")
}

func TestWhatIsNoBatchIDIsNotLookedFor(t *testing.T) {
	s := start(t, nil)
	for _, id := range []string{"7", strings.ReplaceAll(someBatch, "-", ""), "{" + someBatch + "}", "urn:uuid:" + someBatch, someBatch + "0", someBatch[:35] + "g", "%00"} {
		demandError(t, s.ask(t, http.MethodGet, id), 404, said(domain.ErrNoBatch))
	}
	for _, step := range s.asked() {
		require.Equal(t, "poll "+goodKey, step)
	}
	s.admit = func(context.Context, string) (caller, error) {
		return caller{}, domain.ErrRate(1500 * time.Millisecond)
	}
	got := s.ask(t, http.MethodGet, "7")
	demandError(t, got, 429, "Rate limit exceeded")
	require.Equal(t, "2", got.header.Get("Retry-After"))
	require.EqualValues(t, 1, figure(t, s.server.figures, "milaan_rate_limited_total", "route", "/status/:job_id"))
}

// The results may be deleted, or the database be lost, when the report is about to be
// written. TestAnAnswerThatBreaksOffIsNoWholeAnswer has the middle of an answer.
func TestAReportThatCannotBeWritten(t *testing.T) {
	s := start(t, nil)
	for status, err := range map[int]error{410: domain.ErrBatchGone, 503: domain.ErrDatabase.Caused(errors.New("no route to db-7"))} {
		s.status = func(context.Context, caller, string) (ports.BatchStatus, error) {
			return ports.BatchStatus{Write: func(io.Writer) error { return fmt.Errorf("read the results: %w", err) }}, nil
		}
		demandError(t, s.ask(t, http.MethodGet, someBatch), status, said(err))
	}
}
