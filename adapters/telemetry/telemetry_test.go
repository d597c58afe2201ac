//go:build otel

package telemetry

import (
	"context"
	"encoding/pem"
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/stretchr/testify/require"
	bridge "go.opentelemetry.io/contrib/bridges/prometheus"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"
	"go.opentelemetry.io/otel/sdk/resource"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.uber.org/fx"
	"go.uber.org/goleak"

	"milaan/config"
	"milaan/ports"
	"milaan/ports/peers"
	"milaan/tests/fakes/otlp"
)

// lifecycle counts what is to be started and stopped.
type lifecycle struct{ hooks []fx.Hook }

func (l *lifecycle) Append(h fx.Hook) { l.hooks = append(l.hooks, h) }

func (l *lifecycle) stop(t *testing.T) {
	for _, h := range l.hooks {
		require.NoError(t, h.OnStop(t.Context()))
	}
}

// silent is a log that is kept.
func silent() (*slog.Logger, *strings.Builder) {
	var text strings.Builder
	return slog.New(slog.NewTextHandler(&text, nil)), &text
}

func receiver(url string) config.Receiver {
	return config.Receiver{URL: url, Timeout: 5 * time.Second}
}

func TestWithoutAnAddressNothingIsMade(t *testing.T) {
	before := goleak.IgnoreCurrent()
	var life lifecycle
	log, said := silent()
	made, err := newTracing(&life, config.Telemetry{}, log)
	require.NoError(t, err)
	require.Nil(t, made)
	require.NoError(t, sendMetrics(&life, config.Telemetry{}, log, nil))
	require.Empty(t, life.hooks)
	require.Empty(t, said.String())
	goleak.VerifyNone(t, before)
}

func TestEverythingEndsWithAStop(t *testing.T) {
	before := goleak.IgnoreCurrent()
	c := otlp.New(t, nil)
	var life lifecycle
	log, _ := silent()
	settings := config.Telemetry{Traces: receiver(c.URL + "/v1/traces"), Metrics: receiver(c.URL + "/v1/metrics")}
	made, err := newTracing(&life, settings, log)
	require.NoError(t, err)
	require.NoError(t, sendMetrics(&life, settings, log, prometheus.NewRegistry()))
	ports.SpanOf(made.Job(t.Context(), ports.PassJob, "")).End(errors.New("Asha's file is faulty"))
	life.stop(t)
	spans := c.Spans("job pass")
	require.Len(t, spans, 1)
	require.Equal(t, "Error", spans[0].Status().Code().String())
	require.NotContains(t, string(c.Raw()), "Asha")
	goleak.VerifyNone(t, before, goleak.IgnoreAnyFunction("net/http.(*persistConn).readLoop"),
		goleak.IgnoreAnyFunction("net/http.(*persistConn).writeLoop"), goleak.IgnoreAnyFunction("net/http.(*conn).serve"),
		goleak.IgnoreAnyFunction("net/http.(*Server).Serve"))
}

// TestTheClientDecides holds that a client's traceparent is honoured only if it is well formed and the
// operator wants it, and that what it does not sample is not sent and not in the log.
func TestTheClientDecides(t *testing.T) {
	const id = "4bf92f3577b34da6a3ce929d0e0e4736"
	for _, of := range []struct {
		parent          string
		continued       bool
		theirs, sampled bool
	}{
		{"00-" + id + "-00f067aa0ba902b7-01", true, true, true},
		{"00-" + id + "-00f067aa0ba902b7-00", true, true, false},
		{"00-" + id + "-00f067aa0ba902b7-01", false, false, true},
		{"00-" + id + "-0000000000000000-01", true, false, true},
		{"nonsense", true, false, true},
		{"", true, false, true},
	} {
		provider := sdktrace.NewTracerProvider()
		made := &tracing{tracer: provider.Tracer("milaan"), continued: of.continued}
		ctx, end := made.Request(t.Context(), "GET", "/demo", func(name string) string {
			require.Equal(t, "traceparent", name)
			return of.parent
		})
		trace, _ := ports.SpanOf(ctx).IDs()
		require.Equal(t, of.sampled, trace != "", of.parent)
		require.Equal(t, of.theirs && of.sampled, trace == id, of.parent)
		require.Equal(t, of.sampled, peers.Cause(ctx) != "", of.parent)
		end(http.StatusOK)
	}
}

func TestAllThatPrometheusHasIsWritten(t *testing.T) {
	c := otlp.New(t, nil)
	registry := prometheus.NewRegistry()
	gauge := prometheus.NewGaugeVec(prometheus.GaugeOpts{Name: "gauge", Help: "What it is."}, []string{"kind"})
	gauge.WithLabelValues("a").Set(-2.5)
	counter := prometheus.NewCounter(prometheus.CounterOpts{Name: "counter"})
	counter.Add(7)
	histogram := prometheus.NewHistogram(prometheus.HistogramOpts{Name: "histogram", Buckets: []float64{1, 2}})
	for _, v := range []float64{0.5, 1.5, 1.5, 9} {
		histogram.Observe(v)
	}
	summary := prometheus.NewSummary(prometheus.SummaryOpts{Name: "summary", Objectives: map[float64]float64{0.5: 0.01}})
	summary.Observe(3)
	registry.MustRegister(gauge, counter, histogram, summary)
	log, _ := silent()
	to := receiver(c.URL + "/v1/metrics")
	to.Gzip = true
	s, err := newSender(to, "metrics", log)
	require.NoError(t, err)
	produced, err := bridge.NewMetricProducer(bridge.WithGatherer(registry)).Produce(t.Context())
	require.NoError(t, err)
	all := &metricdata.ResourceMetrics{Resource: resource.NewSchemaless(attribute.String("service.name", "milaan")), ScopeMetrics: produced}
	require.NoError(t, metricExporter{s}.Export(t.Context(), all))

	m, _ := c.Metric("gauge")
	require.Equal(t, "What it is.", m.Description())
	point := m.Gauge().DataPoints().At(0)
	require.InDelta(t, -2.5, point.DoubleValue(), 0)
	require.Equal(t, map[string]any{"kind": "a"}, point.Attributes().AsRaw())
	require.WithinDuration(t, time.Now(), point.Timestamp().AsTime(), time.Minute)
	m, _ = c.Metric("counter")
	require.True(t, m.Sum().IsMonotonic())
	require.Equal(t, "Cumulative", m.Sum().AggregationTemporality().String())
	require.InDelta(t, 7, m.Sum().DataPoints().At(0).DoubleValue(), 0)
	require.WithinDuration(t, time.Now(), m.Sum().DataPoints().At(0).StartTimestamp().AsTime(), time.Minute)
	m, _ = c.Metric("histogram")
	require.Equal(t, "Cumulative", m.Histogram().AggregationTemporality().String())
	h := m.Histogram().DataPoints().At(0)
	require.Equal(t, []uint64{1, 2, 1}, h.BucketCounts().AsRaw())
	require.Equal(t, []float64{1, 2}, h.ExplicitBounds().AsRaw())
	require.Equal(t, uint64(4), h.Count())
	require.InDelta(t, 12.5, h.Sum(), 0)
	m, _ = c.Metric("summary")
	q := m.Summary().DataPoints().At(0)
	require.Equal(t, uint64(1), q.Count())
	require.InDelta(t, 3, q.Sum(), 0)
	require.InDelta(t, 0.5, q.QuantileValues().At(0).Quantile(), 0)
	require.InDelta(t, 3, q.QuantileValues().At(0).Value(), 0)
}

func TestAttributesOfEachKind(t *testing.T) {
	c := otlp.New(t, nil)
	log, _ := silent()
	s, err := newSender(receiver(c.URL+"/v1/traces"), "traces", log)
	require.NoError(t, err)
	provider := sdktrace.NewTracerProvider(sdktrace.WithSyncer(spanExporter{s}), sdktrace.WithResource(resource.Empty()))
	_, of := provider.Tracer("x").Start(t.Context(), "attributes")
	of.SetAttributes(attribute.Bool("yes", true), attribute.Int("number", -7), attribute.Float64("part", 0.25), attribute.String("word", "₹"))
	of.End()
	require.Equal(t, map[string]any{"yes": true, "number": int64(-7), "part": 0.25, "word": "₹"}, c.Spans("attributes")[0].Attributes().AsRaw())
}

func TestWhatIsTriedAgain(t *testing.T) {
	for status, times := range map[int]int32{429: 2, 502: 2, 503: 2, 504: 2, 400: 1, 413: 1, 500: 1} {
		var asked atomic.Int32
		c := otlp.New(t, nil)
		busy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if asked.Add(1) == 1 {
				w.Header().Set("Retry-After", "0")
				w.WriteHeader(status)
				return
			}
			c.ServeHTTP(w, r)
		}))
		log, said := silent()
		s, err := newSender(receiver(busy.URL+"/v1/metrics"), "metrics", log)
		require.NoError(t, err)
		err = s.send(t.Context(), nil)
		require.Equal(t, times == 1, errors.Is(err, errUnsent), status)
		require.Equal(t, times, asked.Load(), status)
		require.Equal(t, times == 1, strings.Contains(said.String(), "cannot be sent"), said.String())
		if times == 1 {
			require.NoError(t, s.send(t.Context(), nil))
			require.Contains(t, said.String(), "metrics are sent again")
		}
		busy.Close()
	}
}

func TestACollectorThatIsNotThere(t *testing.T) {
	log, said := silent()
	to := receiver("http://user:hush@127.0.0.1:1/v1/traces")
	to.Timeout = time.Second
	s, err := newSender(to, "traces", log)
	require.NoError(t, err)
	for range 2 {
		limited, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
		require.ErrorIs(t, s.send(limited, nil), errUnsent)
		cancel()
	}
	require.Equal(t, 1, strings.Count(said.String(), "cannot be sent"), said.String())
	require.NotContains(t, said.String(), "hush")
}

func TestTheCollectorsCertificate(t *testing.T) {
	c := otlp.New(t, nil)
	server := httptest.NewTLSServer(c)
	defer server.Close()
	server.Config.ErrorLog = slog.NewLogLogger(slog.DiscardHandler, 0)
	log, _ := silent()
	to := receiver(server.URL + "/v1/traces")
	s, err := newSender(to, "traces", log)
	require.NoError(t, err)
	limited, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
	defer cancel()
	require.Error(t, s.send(limited, nil), "nobody knows it")

	to.Certificate = filepath.Join(t.TempDir(), "ca.pem")
	_, err = newSender(to, "traces", log)
	require.ErrorContains(t, err, "OTEL_EXPORTER_OTLP_CERTIFICATE")
	require.NoError(t, os.WriteFile(to.Certificate, []byte("none"), 0o600))
	_, err = newSender(to, "traces", log)
	require.ErrorContains(t, err, "has no certificate in PEM")
	text := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw})
	require.NoError(t, os.WriteFile(to.Certificate, text, 0o600))
	s, err = newSender(to, "traces", log)
	require.NoError(t, err)
	require.NoError(t, s.send(t.Context(), nil))
}
