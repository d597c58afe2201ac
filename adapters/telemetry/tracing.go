//go:build otel

package telemetry

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"sync"
	"time"

	"github.com/go-logr/logr"
	"github.com/google/uuid"
	"github.com/prometheus/client_golang/prometheus"
	bridge "go.opentelemetry.io/contrib/bridges/prometheus"
	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/propagation"
	sdkmetric "go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/resource"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"
	"go.uber.org/fx"

	"milaan/config"
	"milaan/ports"
	"milaan/ports/peers"
)

// flushLimit is how long a stop waits until what has not been sent yet is sent.
const flushLimit = 3 * time.Second

type tracing struct {
	tracer    trace.Tracer
	continued bool
}

func newTracing(life fx.Lifecycle, c config.Telemetry, log *slog.Logger) (peers.Tracing, error) {
	if c.Traces.URL == "" {
		return nil, nil
	}
	s, err := newSender(c.Traces, "traces", log)
	if err != nil {
		return nil, err
	}
	tellFaults(log)
	provider := sdktrace.NewTracerProvider(sdktrace.WithBatcher(spanExporter{s}), sdktrace.WithResource(thisInstance()))
	stopWith(life, provider.Shutdown)
	return &tracing{tracer: provider.Tracer("milaan"), continued: c.Continued}, nil
}

// sendMetrics sends those that Prometheus gets, so that there is one set of them.
func sendMetrics(life fx.Lifecycle, c config.Telemetry, log *slog.Logger, figures prometheus.Gatherer) error {
	if c.Metrics.URL == "" {
		return nil
	}
	s, err := newSender(c.Metrics, "metrics", log)
	if err != nil {
		return err
	}
	tellFaults(log)
	reader := sdkmetric.NewPeriodicReader(metricExporter{s}, sdkmetric.WithProducer(bridge.NewMetricProducer(bridge.WithGatherer(figures))))
	provider := sdkmetric.NewMeterProvider(sdkmetric.WithReader(reader), sdkmetric.WithResource(thisInstance()))
	stopWith(life, provider.Shutdown)
	return nil
}

func stopWith(life fx.Lifecycle, shutdown func(context.Context) error) {
	life.Append(fx.Hook{OnStop: func(ctx context.Context) error {
		limited, cancel := context.WithTimeout(ctx, flushLimit)
		defer cancel()
		_ = shutdown(limited) // what could not be sent was told, and is no reason for a stop to fail
		return nil
	}})
}

// thisInstance is what is told of the service with all traces and metrics. Both name the same
// instance. The environment may name it otherwise.
var thisInstance = sync.OnceValue(func() *resource.Resource {
	build := config.ThisBuild()
	r, err := resource.New(context.Background(), resource.WithTelemetrySDK(), resource.WithAttributes(
		attribute.String("service.name", "milaan"),
		attribute.String("service.version", build.Version),
		attribute.String("service.instance.id", uuid.NewString()),
	), resource.WithFromEnv())
	if err != nil {
		otel.Handle(fmt.Errorf("OTEL_RESOURCE_ATTRIBUTES: %w", err))
	}
	return r
})

// tellFaults has the libraries log as the service does. What cannot be sent was told by the sender.
func tellFaults(log *slog.Logger) {
	otel.SetLogger(logr.FromSlogHandler(log.Handler()))
	otel.SetErrorHandler(otel.ErrorHandlerFunc(func(err error) {
		if !errors.Is(err, errUnsent) {
			log.Warn("OpenTelemetry", "error", err)
		}
	}))
}

// Request implements peers.Tracing.
func (t *tracing) Request(
	ctx context.Context, method, route string, header func(string) string,
) (_ context.Context, end func(status int)) {
	if t.continued {
		ctx = propagation.TraceContext{}.Extract(ctx, propagation.MapCarrier{"traceparent": header("traceparent")})
	}
	ctx, of := t.tracer.Start(ctx, method+" "+route, trace.WithSpanKind(trace.SpanKindServer), trace.WithAttributes(
		attribute.String("http.request.method", method), attribute.String("http.route", route)))
	return ports.WithSpan(ctx, span{of, ctx, t.tracer}), func(status int) {
		of.SetAttributes(attribute.Int("http.response.status_code", status))
		if status >= http.StatusInternalServerError {
			of.SetStatus(codes.Error, "")
		}
		of.End()
	}
}

// Job implements peers.Tracing.
func (t *tracing) Job(ctx context.Context, kind ports.JobKind, cause string) context.Context {
	options := []trace.SpanStartOption{trace.WithNewRoot(), trace.WithSpanKind(trace.SpanKindConsumer)}
	caused := propagation.TraceContext{}.Extract(context.Background(), propagation.MapCarrier{"traceparent": cause})
	if by := trace.SpanContextFromContext(caused); by.IsValid() {
		options = append(options, trace.WithLinks(trace.Link{SpanContext: by}))
	}
	ctx, of := t.tracer.Start(ctx, "job "+string(kind), options...)
	return ports.WithSpan(ctx, span{of, ctx, t.tracer})
}

type span struct {
	of     trace.Span
	within context.Context
	tracer trace.Tracer
}

func (s span) Step(step ports.Step) ports.Span {
	within, of := s.tracer.Start(s.within, string(step))
	return span{of, within, s.tracer}
}

func (s span) Set(key ports.SpanKey, value string) {
	s.of.SetAttributes(attribute.String(string(key), value))
}

// End implements ports.Span.
func (s span) End(err error) {
	if err != nil {
		s.of.SetStatus(codes.Error, "")
	}
	s.of.End()
}

// IDs implements ports.Span.
func (s span) IDs() (traceID, spanID string) {
	c := s.of.SpanContext()
	if !c.IsSampled() {
		return "", ""
	}
	return c.TraceID().String(), c.SpanID().String()
}
