package httpapi

import (
	"errors"
	"net/http"
	"strconv"
	"time"

	"github.com/gin-gonic/gin"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"milaan/adapters/httpapi/dashboard"
	"milaan/config"
	"milaan/domain"
	"milaan/ports"
)

// figures are the metrics for Prometheus. They have a registry of their own, so that
// several servers can run in one process.
type figures struct {
	registry *prometheus.Registry
	requests *prometheus.CounterVec
	seconds  *prometheus.HistogramVec
	runs     *prometheus.CounterVec
	flags    *prometheus.CounterVec
	limited  *prometheus.CounterVec
}

func counter(name, help string, labels ...string) *prometheus.CounterVec {
	return prometheus.NewCounterVec(prometheus.CounterOpts{Namespace: "milaan", Name: name, Help: help}, labels)
}

func newFigures() *figures {
	f := &figures{
		registry: prometheus.NewRegistry(),
		requests: counter("http_requests_total", "Requests answered.", "route", "method", "status"),
		seconds: prometheus.NewHistogramVec(prometheus.HistogramOpts{Namespace: "milaan", Name: "http_request_seconds",
			Help:    "From the header of a request to the end of its answer.",
			Buckets: []float64{.005, .01, .025, .05, .1, .25, .5, 1, 2, 5, 10, 30}}, []string{"route"}),
		runs: counter("runs_total", "Runs asked for by POST /reconcile and POST /reconcile/files and in the dashboard, by how they "+
			"ended: stored, duplicate, repeat (by its Idempotency-Key), sandbox (made with a sandbox key, however it ended), or the code "+
			"of the error. Batches are in milaan_jobs_total.", "outcome"),
		flags: counter("flags_total",
			"Orders of the runs that POST /reconcile, POST /reconcile/files and the dashboard have stored, by flag.", "flag"),
		limited: counter("rate_limited_total", "Requests refused for their rate.", "route"),
	}
	f.registry.MustRegister(f.requests, f.seconds, f.runs, f.flags, f.limited,
		buildInfo(config.ThisBuild()), collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return f
}

// expect has in the figures what alerts are about before it happens, because they can only see that
// a figure rises if it was there before: faults of each route, and refusals of requests to the API.
func (f *figures) expect(routes gin.RoutesInfo) {
	for _, r := range routes {
		if r.Method != http.MethodHead {
			f.requests.WithLabelValues(r.Path, methodLabel(r.Method), strconv.Itoa(http.StatusInternalServerError))
		}
		if !dashboard.Covers(r.Path) && r.Method == http.MethodPost {
			f.limited.WithLabelValues(r.Path)
		}
	}
	for _, path := range []string{"/demo", "/status/:job_id"} {
		f.limited.WithLabelValues(path)
	}
}

// buildInfo makes a metric that is always 1. Its labels tell the build.
func buildInfo(b config.Build) prometheus.Collector {
	g := prometheus.NewGauge(prometheus.GaugeOpts{Namespace: "milaan", Name: "build_info",
		Help:        "1; its labels tell which build this is.",
		ConstLabels: prometheus.Labels{"version": b.Version, "revision": b.Revision, "go_version": b.GoVersion}})
	g.Set(1)
	return g
}

// handler answers with text, whatever else a client would like: Prometheus may ask for Protocol
// Buffers first, which are not linked (decision 18).
func (f *figures) handler() http.Handler {
	figures := promhttp.HandlerFor(f.registry, promhttp.HandlerOpts{})
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r.Header.Del("Accept")
		figures.ServeHTTP(w, r)
	})
}

func (f *figures) countRequest(c *gin.Context, took time.Duration) {
	route := routeLabel(c)
	status := strconv.Itoa(c.Writer.Status())
	if e := c.Errors.Last(); e != nil && errors.Is(e.Err, domain.ErrSimulated) {
		status = "simulated" // nothing has failed
	}
	f.requests.WithLabelValues(route, methodLabel(c.Request.Method), status).Inc()
	f.seconds.WithLabelValues(route).Observe(took.Seconds())
}

// countRun counts how a run ended. One without an id is a visitor's, which is not counted.
func (f *figures) countRun(c *gin.Context, o *ports.FinishedRun, err error) {
	switch {
	case isSandbox(c):
		f.runs.WithLabelValues("sandbox").Inc()
	case err != nil:
		f.runs.WithLabelValues(string(refuseTo(c, err).code)).Inc()
	case o.Run.ID == "":
	case o.Repeat:
		f.runs.WithLabelValues("repeat").Inc()
	case o.Duplicate:
		f.runs.WithLabelValues("duplicate").Inc()
	default:
		f.runs.WithLabelValues("stored").Inc()
		for flag, n := range o.Tally.Flags {
			f.flags.WithLabelValues(domain.Flag(flag).String()).Add(float64(n))
		}
	}
}
