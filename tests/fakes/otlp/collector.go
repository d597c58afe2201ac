// Package otlp is a collector of traces and metrics, which reads them as OpenTelemetry's own does.
package otlp

import (
	"bytes"
	"compress/gzip"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync"
	"testing"

	"go.opentelemetry.io/collector/pdata/pcommon"
	"go.opentelemetry.io/collector/pdata/pmetric"
	"go.opentelemetry.io/collector/pdata/ptrace"

	"milaan/tests/fakes/locked"
)

// Collector is one that listens until the end of the test.
type Collector struct {
	URL string

	mu      sync.Mutex
	spans   []Span
	metrics pmetric.Metrics // those that came last
	raw     []byte
	headers []http.Header
	faults  []error
	refuse  func(http.ResponseWriter, *http.Request) // nil: it takes all
}

// Span is a span with the name of its service.
type Span struct {
	ptrace.Span
	Service string
}

// New makes a collector. refuse answers in its place; nil: it takes all.
func New(t testing.TB, refuse func(http.ResponseWriter, *http.Request)) *Collector {
	c := &Collector{metrics: pmetric.NewMetrics(), refuse: refuse}
	server := httptest.NewServer(c)
	t.Cleanup(func() {
		server.CloseClientConnections()
		server.Close()
		for _, err := range c.faults {
			t.Error(err)
		}
	})
	c.URL = server.URL
	return c
}

func (c *Collector) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	sent, err := io.ReadAll(r.Body)
	if err != nil {
		return // its sender, which stops for example, has given it up
	}
	body, err := unpacked(r, sent)
	c.mu.Lock()
	c.raw, c.headers = append(c.raw, body...), append(c.headers, r.Header)
	refuse := c.refuse
	c.mu.Unlock()
	if refuse != nil {
		refuse(w, r)
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case err != nil:
	case r.URL.Path == "/v1/traces":
		err = c.take(body)
	case r.URL.Path == "/v1/metrics":
		c.metrics, err = new(pmetric.ProtoUnmarshaler).UnmarshalMetrics(body)
	default:
		w.WriteHeader(http.StatusNotFound)
	}
	if err != nil {
		c.faults = append(c.faults, err)
		w.WriteHeader(http.StatusBadRequest)
	}
}

func unpacked(r *http.Request, sent []byte) ([]byte, error) {
	if r.Header.Get("Content-Encoding") != "gzip" {
		return sent, nil
	}
	text, err := gzip.NewReader(bytes.NewReader(sent))
	if err != nil {
		return nil, err
	}
	return io.ReadAll(text)
}

func (c *Collector) take(body []byte) error {
	traces, err := new(ptrace.ProtoUnmarshaler).UnmarshalTraces(body)
	if err != nil {
		return err
	}
	for _, of := range traces.ResourceSpans().All() {
		name, _ := of.Resource().Attributes().AsRaw()["service.name"].(string)
		for _, scope := range of.ScopeSpans().All() {
			for _, s := range scope.Spans().All() {
				c.spans = append(c.spans, Span{s, name})
			}
		}
	}
	return nil
}

// Spans returns those with a name that have come so far.
func (c *Collector) Spans(name string) (found []Span) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, s := range c.spans {
		if s.Name() == name {
			found = append(found, s)
		}
	}
	return found
}

func (c *Collector) Within(parent pcommon.SpanID) (found []Span) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, s := range c.spans {
		if s.ParentSpanID() == parent {
			found = append(found, s)
		}
	}
	return found
}

// Metric returns a metric as it came last.
func (c *Collector) Metric(name string) (_ pmetric.Metric, found bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, of := range c.metrics.ResourceMetrics().All() {
		for _, scope := range of.ScopeMetrics().All() {
			for _, m := range scope.Metrics().All() {
				if m.Name() == name {
					return m, true
				}
			}
		}
	}
	return pmetric.NewMetric(), false
}

func (c *Collector) Raw() []byte {
	return locked.Get(&c.mu, func() []byte { return slices.Clone(c.raw) })
}

func (c *Collector) Asked() []http.Header {
	return locked.Get(&c.mu, func() []http.Header { return slices.Clone(c.headers) })
}
