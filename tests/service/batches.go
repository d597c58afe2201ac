package service

import (
	"bytes"
	"encoding/json"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/fx"

	"milaan/domain"
	"milaan/domain/verdict"
	"milaan/ports"
	"milaan/tests/only"
)

// workTime is how long the work in the background may take, whose engine goes
// by the machine's clock: it is no measure of anything, and very generous.
const workTime = 2 * time.Minute

// pause is the time between two looks at something that is awaited.
const pause = 50 * time.Millisecond

// AcceptedBatch is the body of POST /reconcile/batch.
type AcceptedBatch struct {
	OK       bool   `json:"ok"`
	BatchID  string `json:"batch_id"`
	Jobs     int    `json:"jobs"`
	Status   string `json:"status"`
	Estimate *int64 `json:"estimated_completion_ms"`
}

// BatchReport is the body of GET /status, and of the POST to webhook_url.
type BatchReport struct {
	BatchID     string      `json:"batch_id"`
	Status      string      `json:"status"`
	Jobs        int         `json:"jobs"`
	Completed   int         `json:"completed"`
	SubmittedAt *string     `json:"submitted_at"`
	StartedAt   *string     `json:"started_at"`
	CompletedAt *string     `json:"completed_at"`
	Results     []JobResult `json:"results"`
}

// JobResult is one of its results: a run, or an error.
type JobResult struct {
	Brand       string  `json:"brand"`
	CourierName string  `json:"courierName"`
	Error       *string `json:"error"`
	Run
}

// Jobs is the body of a batch.
func Jobs(jobs ...Body) Body { return Body{"jobs": jobs} }

// Batch sends POST /reconcile/batch with the customer's key.
func (c *Customer) Batch(t testing.TB, b Body) Answer {
	t.Helper()
	return c.service.Post(t, "/reconcile/batch", c.Key, only.Value(json.Marshal(b))(t))
}

// Submit sends a batch that must be taken.
func (c *Customer) Submit(t testing.TB, b Body) AcceptedBatch {
	t.Helper()
	return c.Batch(t, b).Accepted(t)
}

// Accepted is the body of an answer that must be 202.
func (a Answer) Accepted(t testing.TB) AcceptedBatch {
	t.Helper()
	require.Equal(t, http.StatusAccepted, a.Status, string(a.Body))
	return decoded[AcceptedBatch](t, a.Body)
}

// Status asks how a batch stands.
func (c *Customer) Status(t testing.TB, id string) Answer {
	t.Helper()
	return c.service.Get(t, "/status/"+id, "Authorization", "Bearer "+c.Key)
}

// Report is the body of an answer that must be 200.
func (a Answer) Report(t testing.TB) BatchReport {
	t.Helper()
	return answered[BatchReport](t, a)
}

func (c *Customer) ID(t testing.TB) string {
	t.Helper()
	return only.Value(c.service.Manage.Show(t.Context(), c.Email))(t).ID
}

// Await waits until a batch is in a state. It asks past HTTP: the window of
// polling goes by the service's clock, which stands.
func (c *Customer) Await(t testing.TB, id string, state domain.BatchState) {
	t.Helper()
	caller := ports.Caller{Account: domain.Account{ID: c.ID(t)}}
	require.Eventually(t, func() bool {
		b, err := c.service.Batching.Status(t.Context(), caller, id)
		return err == nil && b.State() == state
	}, workTime, pause)
}

// Complete sends a batch, waits until it is complete, and asks for the report.
func (c *Customer) Complete(t testing.TB, b Body) BatchReport {
	t.Helper()
	id := c.Submit(t, b).BatchID
	c.Await(t, id, domain.BatchComplete)
	return c.Status(t, id).Report(t)
}

// Brake holds runs whose report has the word HELD, until it is let go.
type Brake struct {
	LetGo func()

	held atomic.Int64
	gone chan struct{}
}

// NewBrake makes a brake, and the option that builds it in. It must be let go
// before the service stops, which waits for what runs: in a cleanup after Start.
func NewBrake() (*Brake, fx.Option) {
	b := &Brake{gone: make(chan struct{})}
	b.LetGo = sync.OnceFunc(func() { close(b.gone) })
	return b, fx.Decorate(func(c ports.Couriers) ports.Couriers { return brakedCouriers{c, b} })
}

// Held is how many runs it holds or has held.
func (b *Brake) Held() int { return int(b.held.Load()) }

type brakedCouriers struct {
	ports.Couriers
	brake *Brake
}

// Remittances makes a reader that reads a report once it may.
func (c brakedCouriers) Remittances(content ports.Content, choice ports.MappingChoice) ports.RemittancesReader {
	report := c.Couriers.Remittances(content, choice)
	if bytes.Contains(content.Bytes, []byte("HELD")) {
		return brakedReport{report, c.brake}
	}
	return report
}

type brakedReport struct {
	ports.RemittancesReader
	brake *Brake
}

func (r brakedReport) Read(orders func() *verdict.Orders, remittances *verdict.Remittances) (domain.Mapping, error) {
	r.brake.held.Add(1)
	<-r.brake.gone
	return r.RemittancesReader.Read(orders, remittances)
}

// Held is a job that the brake holds.
func Held(brand string) Body {
	return Named(brand).With("courier", Report(
		Line{AWB: "AWB1001", Collected: "1000.00", Remitted: "1000.00", RemittedOn: "2026-10-10"}, Line{AWB: "HELD", RemittedOn: "2026-10-10"}))
}
