package config

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestTelemetryIsOffUntilACollectorIsNamed(t *testing.T) {
	for _, environ := range [][]string{
		nil,
		{"OTEL_SERVICE_NAME=shop"},
		{"OTEL_TRACES_EXPORTER=none", "OTEL_METRICS_EXPORTER=none", "OTEL_EXPORTER_OTLP_ENDPOINT=http://collector:4318"},
		{"OTEL_SDK_DISABLED=TRUE", "OTEL_EXPORTER_OTLP_ENDPOINT=http://collector:4318", "OTEL_WHATEVER=1"},
		{"OTEL_EXPORTER_OTLP_ENDPOINT= "},
	} {
		got, warnings := telemetryOf(environ)
		require.Zero(t, got, environ)
		require.Empty(t, warnings, environ)
	}
}

func TestTelemetryIsRead(t *testing.T) {
	const collector = "OTEL_EXPORTER_OTLP_ENDPOINT=http://collector:4318"
	both := func(change func(*Receiver)) Telemetry {
		traces := Receiver{URL: "http://collector:4318/v1/traces", Timeout: 10 * time.Second}
		metrics := Receiver{URL: "http://collector:4318/v1/metrics", Timeout: 10 * time.Second}
		change(&traces)
		change(&metrics)
		return Telemetry{Traces: traces, Metrics: metrics, Continued: true}
	}
	usual := both(func(*Receiver) {})
	for name, c := range map[string]struct {
		environ  []string
		want     Telemetry
		warnings []string
	}{
		"a collector": {[]string{collector}, usual, nil},
		"below a path": {[]string{"OTEL_EXPORTER_OTLP_ENDPOINT=https://collector/otel/"}, Telemetry{
			Traces:  Receiver{URL: "https://collector/otel/v1/traces", Timeout: 10 * time.Second},
			Metrics: Receiver{URL: "https://collector/otel/v1/metrics", Timeout: 10 * time.Second}, Continued: true}, nil},
		"an exporter alone": {[]string{"OTEL_TRACES_EXPORTER=otlp"}, Telemetry{
			Traces: Receiver{URL: "http://localhost:4318/v1/traces", Timeout: 10 * time.Second}, Continued: true}, nil},
		"metrics have their own": {[]string{collector, "OTEL_TRACES_EXPORTER=none", "OTEL_EXPORTER_OTLP_METRICS_ENDPOINT=http://other/push",
			"OTEL_EXPORTER_OTLP_HEADERS=a=1", "OTEL_EXPORTER_OTLP_METRICS_HEADERS=b=2, c=Bearer%20x", "OTEL_EXPORTER_OTLP_METRICS_TIMEOUT=250",
			"OTEL_EXPORTER_OTLP_COMPRESSION=gzip", "OTEL_EXPORTER_OTLP_METRICS_CERTIFICATE=/ca.pem"}, Telemetry{
			Metrics: Receiver{URL: "http://other/push", Headers: map[string]Secret{"b": "2", "c": "Bearer x"}, Timeout: 250 * time.Millisecond,
				Gzip: true, Certificate: "/ca.pem"}, Continued: true}, nil},
		"no trace goes on": {[]string{collector, "OTEL_PROPAGATORS=none"}, Telemetry{Traces: usual.Traces, Metrics: usual.Metrics}, nil},
		"another way": {[]string{collector, "OTEL_PROPAGATORS=b3,tracecontext,baggage"}, usual,
			[]string{`OTEL_PROPAGATORS has "b3", which is not honoured`}},
		"gRPC": {[]string{collector, "OTEL_EXPORTER_OTLP_PROTOCOL=grpc", "OTEL_EXPORTER_OTLP_TRACES_PROTOCOL=http/protobuf"},
			Telemetry{Traces: usual.Traces, Continued: true},
			[]string{`OTEL_EXPORTER_OTLP_PROTOCOL is "grpc" and must be http/protobuf: nothing is sent`}},
		"another exporter": {[]string{collector, "OTEL_TRACES_EXPORTER=console"}, Telemetry{Metrics: usual.Metrics, Continued: true},
			[]string{`OTEL_TRACES_EXPORTER is "console" and must be otlp or none: nothing is sent`}},
		"no address": {[]string{"OTEL_EXPORTER_OTLP_TRACES_ENDPOINT=user:password@collector"}, Telemetry{},
			[]string{"OTEL_EXPORTER_OTLP_TRACES_ENDPOINT is no address such as http://localhost:4318: nothing is sent"}},
		"no headers": {[]string{"OTEL_EXPORTER_OTLP_TRACES_ENDPOINT=http://c", "OTEL_EXPORTER_OTLP_HEADERS=hush"}, Telemetry{},
			[]string{"OTEL_EXPORTER_OTLP_HEADERS is no list such as name=value,name=value: nothing is sent"}},
		"a header with a line of its own": {[]string{"OTEL_EXPORTER_OTLP_TRACES_ENDPOINT=http://c", "OTEL_EXPORTER_OTLP_HEADERS=a=b%0d%0ac:d"}, Telemetry{},
			[]string{"OTEL_EXPORTER_OTLP_HEADERS is no list such as name=value,name=value: nothing is sent"}},
		"no time": {[]string{collector, "OTEL_EXPORTER_OTLP_TIMEOUT=10s"}, usual, []string{
			`OTEL_EXPORTER_OTLP_TIMEOUT is "10s" and must be a number of milliseconds: it is 10000`}},
		"what is not honoured": {[]string{collector, "OTEL_SPAN_EVENT_COUNT_LIMIT=1", "OTEL_LOGS_EXPORTER=otlp"}, usual,
			[]string{"OTEL_LOGS_EXPORTER is not honoured", "OTEL_SPAN_EVENT_COUNT_LIMIT is not honoured"}},
	} {
		got, warnings := telemetryOf(c.environ)
		require.Equal(t, c.want, got, name)
		require.Equal(t, c.warnings, warnings, name)
	}
}

// TestTelemetryStopsNothing holds that the variables, which a platform may set for all programs,
// only warn.
func TestTelemetryStopsNothing(t *testing.T) {
	c, err := Load([]string{"OTEL_EXPORTER_OTLP_ENDPOINT=http://c", "OTEL_EXPORTER_OTLP_PROTOCOL=grpc"})
	require.NoError(t, err)
	require.False(t, c.Telemetry.On())
	require.Len(t, c.Warnings, 1, "once for both signals")
}
