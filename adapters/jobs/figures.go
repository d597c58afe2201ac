package jobs

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"milaan/ports"
)

// What became of an attempt at a job.
const (
	outcomeDone     = "done"
	outcomeAgain    = "again"    // the job asked to be called later
	outcomeFailed   = "failed"   // tried again by the engine
	outcomeGivenUp  = "given_up" // failed for the last time
	outcomeReturned = "returned" // the engine was stopped
)

// countEvery is the least time between two counts of the jobs: in between, callers get
// the last count, so that many of them cost the database no more than one.
const countEvery = 3 * time.Second

// figures are what Prometheus collects.
type figures struct {
	ledger ledger
	hold   *hold
	clock  ports.Clock
	log    *slog.Logger

	waiting, running, oldest, held *prometheus.Desc
	total                          *prometheus.CounterVec

	mu      sync.Mutex // held while the database is asked
	counted map[ports.JobKind]depth
	at      time.Time
}

func newFigures(ledger ledger, hold *hold, clock ports.Clock, log *slog.Logger) *figures {
	gauge := func(name, help string) *prometheus.Desc {
		return prometheus.NewDesc("milaan_jobs_"+name, help, []string{"kind"}, nil)
	}
	f := &figures{
		ledger: ledger, hold: hold, clock: clock, log: log,
		waiting: gauge("waiting", "Jobs that wait for a worker, of all instances."),
		running: gauge("running", "Jobs that are being done, by all instances."),
		oldest:  gauge("oldest_seconds", "Seconds since the first of the jobs that wait was due."),
		held: prometheus.NewDesc("milaan_held", "1 while the service is held and sends nothing, as a restored copy until milaan resume; else 0.",
			nil, nil),
		total: prometheus.NewCounterVec(prometheus.CounterOpts{Name: "milaan_jobs_total",
			Help: "Attempts at jobs that this instance has made, by how they ended: done, again (the job asked for it), failed, given_up, " +
				"returned (by a stop)."}, []string{"kind", "outcome"}),
	}
	for _, kind := range kinds {
		for _, outcome := range []string{outcomeDone, outcomeAgain, outcomeFailed, outcomeGivenUp, outcomeReturned} {
			f.total.WithLabelValues(string(kind.name), outcome)
		}
	}
	return f
}

// depths counts the jobs, or returns the last count if it is younger than countEvery.
func (f *figures) depths(ctx context.Context) (map[ports.JobKind]depth, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	now := f.clock()
	if f.counted != nil && now.Sub(f.at) < countEvery {
		return f.counted, nil
	}
	counted, err := f.ledger.depths(ctx)
	if err != nil {
		return nil, err
	}
	f.counted, f.at = counted, now
	return counted, nil
}

func (f *figures) Describe(to chan<- *prometheus.Desc) {
	to <- f.waiting
	to <- f.running
	to <- f.oldest
	to <- f.held
	f.total.Describe(to)
}

// Collect gives the figures. If the database does not answer, those that it would
// count are left out.
func (f *figures) Collect(to chan<- prometheus.Metric) {
	f.total.Collect(to)
	held := 0.0
	if f.hold.on.Load() {
		held = 1
	}
	to <- prometheus.MustNewConstMetric(f.held, prometheus.GaugeValue, held)
	depths, err := f.depths(context.Background())
	if err != nil {
		f.log.Warn("the jobs cannot be counted", "error", err)
		return
	}
	for _, k := range kinds {
		d, kind := depths[k.name], string(k.name)
		to <- prometheus.MustNewConstMetric(f.waiting, prometheus.GaugeValue, float64(d.waiting), kind)
		to <- prometheus.MustNewConstMetric(f.running, prometheus.GaugeValue, float64(d.running), kind)
		to <- prometheus.MustNewConstMetric(f.oldest, prometheus.GaugeValue, d.oldest.Seconds(), kind)
	}
}
