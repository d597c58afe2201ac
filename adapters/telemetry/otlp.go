//go:build otel

package telemetry

import (
	"time"

	"github.com/VictoriaMetrics/easyproto"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/sdk/instrumentation"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"
	"go.opentelemetry.io/otel/sdk/resource"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"
)

// The numbers of fields are those of opentelemetry-proto 1: trace/v1/trace.proto,
// metrics/v1/metrics.proto, common/v1/common.proto and resource/v1/resource.proto.

type message = *easyproto.MessageMarshaler

var messages easyproto.MarshalerPool

func written(write func(message)) []byte {
	m := messages.Get()
	defer messages.Put(m)
	write(m.MessageMarshaler())
	return m.Marshal(nil)
}

// traceMessage is an ExportTraceServiceRequest. All spans are of one resource and one scope. What a
// client says in tracestate, which may be anything, is left out.
func traceMessage(spans []sdktrace.ReadOnlySpan) []byte {
	return written(func(m message) {
		if len(spans) == 0 {
			return
		}
		of := m.AppendMessage(1)
		writeResource(of.AppendMessage(1), spans[0].Resource())
		scope := of.AppendMessage(2)
		writeScope(scope.AppendMessage(1), spans[0].InstrumentationScope())
		for _, s := range spans {
			writeSpan(scope.AppendMessage(2), s)
		}
	})
}

func writeSpan(m message, s sdktrace.ReadOnlySpan) {
	writeIDs(m, s.SpanContext())
	if parent := s.Parent(); parent.HasSpanID() {
		id := parent.SpanID()
		m.AppendBytes(4, id[:])
	}
	m.AppendString(5, s.Name())
	m.AppendInt32(6, int32(s.SpanKind())) //nolint:gosec // five kinds, with the same numbers
	m.AppendFixed64(7, nano(s.StartTime()))
	m.AppendFixed64(8, nano(s.EndTime()))
	writeAttributes(m, 9, s.Attributes())
	m.AppendUint32(10, uint32(s.DroppedAttributes())) //nolint:gosec // a count
	for _, link := range s.Links() {
		writeIDs(m.AppendMessage(13), link.SpanContext)
	}
	if s.Status().Code == codes.Error {
		m.AppendMessage(15).AppendInt32(3, 2)
	}
}

func writeIDs(m message, c trace.SpanContext) {
	traceID, spanID := c.TraceID(), c.SpanID()
	m.AppendBytes(1, traceID[:])
	m.AppendBytes(2, spanID[:])
}

func writeResource(m message, r *resource.Resource) { writeAttributes(m, 1, r.Attributes()) }

func writeScope(m message, s instrumentation.Scope) {
	m.AppendString(1, s.Name)
	m.AppendString(2, s.Version)
}

func writeAttributes(m message, field uint32, all []attribute.KeyValue) {
	for _, a := range all {
		pair := m.AppendMessage(field)
		pair.AppendString(1, string(a.Key))
		value := pair.AppendMessage(2)
		switch a.Value.Type() {
		case attribute.BOOL:
			value.AppendBool(2, a.Value.AsBool())
		case attribute.INT64:
			value.AppendInt64(3, a.Value.AsInt64())
		case attribute.FLOAT64:
			value.AppendDouble(4, a.Value.AsFloat64())
		default: // lists, of which there are none
			value.AppendString(1, a.Value.String())
		}
	}
}

// metricMessage is an ExportMetricsServiceRequest.
func metricMessage(all *metricdata.ResourceMetrics) []byte {
	return written(func(m message) {
		of := m.AppendMessage(1)
		writeResource(of.AppendMessage(1), all.Resource)
		for _, s := range all.ScopeMetrics {
			scope := of.AppendMessage(2)
			writeScope(scope.AppendMessage(1), s.Scope)
			for _, metric := range s.Metrics {
				writeMetric(scope.AppendMessage(2), metric)
			}
		}
	})
}

// cumulative is AGGREGATION_TEMPORALITY_CUMULATIVE, which all of Prometheus' figures are.
const cumulative = 2

// writeMetric writes a metric of a kind that Prometheus has, native histograms left out: the service
// has none.
func writeMetric(m message, metric metricdata.Metrics) {
	m.AppendString(1, metric.Name)
	m.AppendString(2, metric.Description)
	m.AppendString(3, metric.Unit)
	switch data := metric.Data.(type) {
	case metricdata.Gauge[float64]:
		writeNumbers(m.AppendMessage(5), data.DataPoints)
	case metricdata.Sum[float64]:
		sum := m.AppendMessage(7)
		writeNumbers(sum, data.DataPoints)
		sum.AppendInt32(2, cumulative)
		sum.AppendBool(3, data.IsMonotonic)
	case metricdata.Histogram[float64]:
		histogram := m.AppendMessage(9)
		for _, p := range data.DataPoints {
			point := histogram.AppendMessage(1)
			writeSpanOfTime(point, p.StartTime, p.Time)
			point.AppendFixed64(4, p.Count)
			point.AppendDouble(5, p.Sum)
			point.AppendFixed64s(6, p.BucketCounts)
			point.AppendDoubles(7, p.Bounds)
			writeAttributes(point, 9, p.Attributes.ToSlice())
		}
		histogram.AppendInt32(2, cumulative)
	case metricdata.Summary:
		summary := m.AppendMessage(11)
		for _, p := range data.DataPoints {
			point := summary.AppendMessage(1)
			writeSpanOfTime(point, p.StartTime, p.Time)
			point.AppendFixed64(4, p.Count)
			point.AppendDouble(5, p.Sum)
			for _, q := range p.QuantileValues {
				quantile := point.AppendMessage(6)
				quantile.AppendDouble(1, q.Quantile)
				quantile.AppendDouble(2, q.Value)
			}
			writeAttributes(point, 7, p.Attributes.ToSlice())
		}
	}
}

func writeNumbers(m message, points []metricdata.DataPoint[float64]) {
	for _, p := range points {
		point := m.AppendMessage(1)
		writeSpanOfTime(point, p.StartTime, p.Time)
		point.AppendDouble(4, p.Value)
		writeAttributes(point, 7, p.Attributes.ToSlice())
	}
}

// writeSpanOfTime writes from when to when a point has counted.
func writeSpanOfTime(m message, from, to time.Time) {
	if !from.IsZero() {
		m.AppendFixed64(2, nano(from))
	}
	m.AppendFixed64(3, nano(to))
}

func nano(t time.Time) uint64 { return uint64(t.UnixNano()) } //nolint:gosec // after 1970
