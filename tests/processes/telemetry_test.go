package processes_test

import (
	"bytes"
	"maps"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/collector/pdata/ptrace"

	"milaan/tests/fakes/otlp"
)

// released is the program as it is released: it can send traces and metrics.
var released = sync.OnceValues(func() (string, error) {
	program := filepath.Join(filepath.Dir(binary), "milaan-released")
	return program, link(program, "-tags", "otel")
})

func newReleased(t *testing.T) *installation {
	t.Helper()
	in := newInstallation(t, "")
	var err error
	in.program, err = released()
	require.NoError(t, err)
	return in
}

// sentAtOnce has the program send soon what it would collect for some seconds.
func sentAtOnce(c *otlp.Collector) []string {
	return []string{toThisMachine, "OTEL_EXPORTER_OTLP_ENDPOINT=" + c.URL, "OTEL_BSP_SCHEDULE_DELAY=20", "OTEL_METRIC_EXPORT_INTERVAL=200"}
}

// theSpan waits for the span with a name, of which there is one.
func theSpan(t *testing.T, c *otlp.Collector, name string) otlp.Span {
	t.Helper()
	await(t, "the span "+name, func() bool { return len(c.Spans(name)) > 0 })
	spans := c.Spans(name)
	require.Len(t, spans, 1, name)
	return spans[0]
}

// steps are the names of the spans within one, in their order, once there are as many.
func steps(t *testing.T, c *otlp.Collector, of otlp.Span, n int) (names []string) {
	t.Helper()
	await(t, "the steps of "+of.Name(), func() bool { return len(c.Within(of.SpanID())) >= n })
	spans := c.Within(of.SpanID())
	slices.SortStableFunc(spans, func(a, b otlp.Span) int { return int(a.StartTimestamp()) - int(b.StartTimestamp()) })
	for _, s := range spans {
		require.Equal(t, of.TraceID(), s.TraceID())
		require.Equal(t, ptrace.SpanKindInternal, s.Kind())
		names = append(names, s.Name())
	}
	return names
}

// TestTraces makes a run, a batch and a delivery, and looks at what a collector gets of them: the
// trace of the client goes on, the run is named, and nothing is told of a person or a file.
func TestTraces(t *testing.T) {
	t.Parallel()
	in := newReleased(t)
	c, endpoint := otlp.New(t, nil), newReceiver(t)
	a := in.accounts(t, 1, -1)[0]
	in.watch(t, endpoint, a)
	r := in.start(t, append(sentAtOnce(c), "OTEL_RESOURCE_ATTRIBUTES=deployment.environment.name=testing",
		"OTEL_EXPORTER_OTLP_HEADERS=x-collector=a%20word", "OTEL_EXPORTER_OTLP_TRACES_COMPRESSION=none")...)
	const trace, parent = "4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7"
	private := []string{a.id, a.key, "the-clients-request", "a-client-said-so", "a-question", "ORDER-77001", "the-brand", endpoint.url}
	ran := send(browser, jsonBy(t, r.url+"/reconcile?q=a-question", a.key, bytes.NewReader(runBody("the-brand")),
		"Traceparent", "00-"+trace+"-"+parent+"-01", "Tracestate", "who=a-client-said-so", "Baggage", "who=a-client-said-so",
		"X-Request-Id", "the-clients-request"))
	outcomeOf(t, ran)
	runID := ran.header.Get("X-Run-Id")

	request := theSpan(t, c, "POST /reconcile")
	require.Equal(t, "milaan", request.Service)
	require.Equal(t, trace, request.TraceID().String())
	require.Equal(t, parent, request.ParentSpanID().String())
	require.Equal(t, ptrace.SpanKindServer, request.Kind())
	require.Equal(t, map[string]any{"http.request.method": "POST", "http.route": "/reconcile", "http.response.status_code": int64(200),
		"milaan.run_id": runID}, request.Attributes().AsRaw())
	require.Equal(t, []string{"receive", "read", "compare", "store", "answer"}, steps(t, c, request, 5))
	require.Greater(t, request.EndTimestamp(), request.StartTimestamp())
	line := lineWith(t, r, `"request_id":"the-clients-request"`)
	require.Contains(t, line, `"trace_id":"`+trace+`","span_id":"`+request.SpanID().String()+`"`)
	require.Contains(t, line, `"run_id":"`+runID+`"`)

	deliver := theSpan(t, c, "job deliver")
	require.Equal(t, []string{"post"}, steps(t, c, deliver, 1))
	require.Equal(t, map[string]any{"milaan.outcome": "delivered"}, c.Within(deliver.SpanID())[0].Attributes().AsRaw())
	require.Equal(t, request.SpanID(), deliver.Links().At(0).SpanID(), "the request that has added the job")
	for _, posts := range endpoint.seen() {
		for _, p := range posts {
			require.NotContains(t, p.header, "Traceparent", "endpoints are strangers")
		}
	}

	in.awaitBatch(t, r.submit(t, a, bytes.NewReader(batchBody([]string{"in-a-batch"}))))
	queued, job := theSpan(t, c, "POST /reconcile/batch"), theSpan(t, c, "job batch_run")
	require.NotEqual(t, queued.TraceID(), job.TraceID())
	require.Equal(t, queued.TraceID(), job.Links().At(0).TraceID())
	require.Equal(t, queued.SpanID(), job.Links().At(0).SpanID())
	require.Equal(t, ptrace.SpanKindConsumer, job.Kind())
	require.Equal(t, []string{"read", "compare", "store"}, steps(t, c, job, 3))
	require.ElementsMatch(t, []string{"milaan.run_id", "milaan.outcome"}, slices.Collect(maps.Keys(job.Attributes().AsRaw())))
	require.Contains(t, lineWith(t, r, `"msg":"batch job"`), `"trace_id":"`+job.TraceID().String())

	require.Equal(t, http.StatusUnauthorized, r.reconcile(t, "no-key", "x").status)
	require.Equal(t, http.StatusOK, r.probe(t, "/readyz"))
	await(t, "the refused request", func() bool { return len(c.Spans("POST /reconcile")) == 2 })
	refused := c.Spans("POST /reconcile")[1]
	require.True(t, refused.ParentSpanID().IsEmpty())
	require.Equal(t, ptrace.StatusCodeUnset, refused.Status().Code(), "it is no fault of the service")
	require.Empty(t, c.Spans("GET /readyz"))

	r.stop(t)
	in.mu.Lock()
	private = append(private, slices.Collect(maps.Keys(in.private))...)
	in.mu.Unlock()
	for _, text := range private {
		require.NotContains(t, string(c.Raw()), text)
	}
	require.Contains(t, string(c.Raw()), "deployment.environment.name")
	for _, header := range c.Asked() {
		require.Equal(t, "a word", header.Get("X-Collector"))
	}
}

// lineWith waits for the line of the log with a text.
func lineWith(t *testing.T, r *replica, text string) (found string) {
	t.Helper()
	await(t, "a line with "+text, func() bool {
		for line := range strings.Lines(r.journal.text()) {
			if strings.Contains(line, text) {
				found = line
				return true
			}
		}
		return false
	})
	return found
}

// TestMetricsAreSent compares what a collector gets with what Prometheus gets.
func TestMetricsAreSent(t *testing.T) {
	t.Parallel()
	in, c := newReleased(t), otlp.New(t, nil)
	r := in.start(t, append(sentAtOnce(c), "OTEL_TRACES_EXPORTER=none")...)
	outcomeOf(t, r.reconcile(t, in.accounts(t, 1, -1)[0].key, "x"))
	scraped := string(get(t, r.url+"/metrics").body)
	require.Contains(t, scraped, `milaan_runs_total{outcome="stored"} 1`)
	stored := func() (n float64) {
		if runs, found := c.Metric("milaan_runs_total"); found {
			require.True(t, runs.Sum().IsMonotonic())
			for _, p := range runs.Sum().DataPoints().All() {
				if outcome, _ := p.Attributes().Get("outcome"); outcome.AsString() == "stored" {
					n += p.DoubleValue()
				}
			}
		}
		return n
	}
	await(t, "the run to be counted", func() bool { return stored() == 1 })
	for line := range strings.Lines(scraped) {
		if of, isType := strings.CutPrefix(line, "# TYPE "); isType {
			name, _, _ := strings.Cut(of, " ")
			_, found := c.Metric(name)
			require.True(t, found || strings.HasPrefix(name, "promhttp_"), name)
		}
	}
	seconds, _ := c.Metric("milaan_http_request_seconds")
	point := seconds.Histogram().DataPoints().At(0)
	require.Equal(t, point.ExplicitBounds().Len()+1, point.BucketCounts().Len())
	require.Empty(t, c.Spans("POST /reconcile"))
	r.stop(t)
}

// TestACollectorThatFails is one that hangs, or has a fault. Requests are answered as ever, and a
// stop waits for some seconds at most.
func TestACollectorThatFails(t *testing.T) {
	t.Parallel()
	for name, refuse := range map[string]func(http.ResponseWriter, *http.Request){
		"hangs":   func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() },
		"faults":  func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusInternalServerError) },
		"is busy": func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusServiceUnavailable) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			in, c := newReleased(t), otlp.New(t, refuse)
			r := in.start(t, append(sentAtOnce(c), "OTEL_EXPORTER_OTLP_TIMEOUT=1000")...)
			a := in.accounts(t, 1, -1)[0]
			outcomeOf(t, r.reconcile(t, a.key, "before"))
			await(t, "the collector to be asked", func() bool { return len(c.Asked()) > 1 })
			outcomeOf(t, r.reconcile(t, a.key, "meanwhile"))
			lineWith(t, r, "cannot be sent, and are lost until they can be again")
			began := time.Now()
			r.stop(t)
			require.Less(t, time.Since(began), waitLimit/4)
			require.LessOrEqual(t, strings.Count(r.journal.text(), "cannot be sent"), 2, "one line for traces, and one for metrics")
		})
	}
}

// TestNothingIsSentUnasked starts the program with a collector that it is not to use.
func TestNothingIsSentUnasked(t *testing.T) {
	t.Parallel()
	for name, of := range map[string]struct {
		plain bool // the program that go run makes
		more  []string
		says  string
	}{
		"disabled":       {more: []string{"OTEL_SDK_DISABLED=true"}},
		"by other means": {more: []string{"OTEL_EXPORTER_OTLP_PROTOCOL=grpc"}, says: "must be http/protobuf: nothing is sent"},
		"built without":  {plain: true, says: "build it with -tags otel"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			in, c := newReleased(t), otlp.New(t, nil)
			if of.plain {
				in.program = binary
			}
			r := in.start(t, append(sentAtOnce(c), of.more...)...)
			outcomeOf(t, r.reconcile(t, in.accounts(t, 1, -1)[0].key, "x"))
			require.Contains(t, r.journal.text(), of.says)
			require.NotContains(t, r.journal.text(), "trace_id")
			r.stop(t)
			require.Empty(t, c.Asked())
		})
	}
}
