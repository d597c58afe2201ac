package config

import (
	"cmp"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Telemetry is where traces and metrics are sent, by the standard variables of OpenTelemetry.
type Telemetry struct {
	Traces, Metrics Receiver
	// Continued says that the trace of a client goes on, which its header traceparent names.
	Continued bool
}

// Receiver is what takes the traces or the metrics, by OTLP over HTTP.
type Receiver struct {
	URL         string // blank: nothing is sent
	Headers     map[string]Secret
	Certificate string        // path of the PEM certificates that it may have; blank: the system's
	Timeout     time.Duration // of sending once, with all that is tried again
	Gzip        bool
}

// On says whether anything is sent.
func (t Telemetry) On() bool { return t.Traces.URL != "" || t.Metrics.URL != "" }

const telemetryPrefix = "OTEL_"

// TelemetryVariable is a variable of OpenTelemetry that is honoured. The library reads those that
// are not read here.
type TelemetryVariable struct {
	Name    string
	Meaning string // Markdown, in a line, without a period at its end
}

// TelemetryVariables are all that are honoured, in the order in which they are described.
func TelemetryVariables() []TelemetryVariable { return telemetryVariables }

var telemetryVariables = []TelemetryVariable{
	{"OTEL_EXPORTER_OTLP_ENDPOINT", "address of the collector, such as `http://127.0.0.1:4318`; traces go to `/v1/traces` below it, metrics to `/v1/metrics`"},
	{"OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "the whole address for traces"},
	{"OTEL_EXPORTER_OTLP_METRICS_ENDPOINT", "the whole address for metrics"},
	{"OTEL_TRACES_EXPORTER", "`otlp` or `none`; `otlp` alone sends to `http://localhost:4318`"},
	{"OTEL_METRICS_EXPORTER", "the same for metrics"},
	{"OTEL_SDK_DISABLED", "`true`: nothing is sent"},
	{"OTEL_EXPORTER_OTLP_HEADERS", "headers for the collector, such as `authorization=Bearer%20abc`; several have commas between them"},
	{"OTEL_EXPORTER_OTLP_PROTOCOL", "`http/protobuf`, the only one that is spoken"},
	{"OTEL_EXPORTER_OTLP_COMPRESSION", "`gzip` or `none`"},
	{"OTEL_EXPORTER_OTLP_TIMEOUT", "milliseconds that sending may take; `10000`"},
	{"OTEL_EXPORTER_OTLP_CERTIFICATE", "path of the PEM certificates that the collector's own may be signed by"},
	{"OTEL_SERVICE_NAME", "name of the service; `milaan`"},
	{"OTEL_RESOURCE_ATTRIBUTES", "what else is told of it, such as `deployment.environment.name=production`"},
	{"OTEL_TRACES_SAMPLER", "which traces are sent: `parentbased_always_on`, `always_on`, `always_off`, `traceidratio` and so on"},
	{"OTEL_TRACES_SAMPLER_ARG", "for `traceidratio`, the part of them, such as `0.1`"},
	{"OTEL_PROPAGATORS", "`tracecontext`: a client's `traceparent` is honoured; `none`: it is not"},
	{"OTEL_METRIC_EXPORT_INTERVAL", "milliseconds from one time that metrics are sent to the next; `60000`"},
	{"OTEL_METRIC_EXPORT_TIMEOUT", "milliseconds that gathering and sending them may take; `30000`"},
	{"OTEL_BSP_SCHEDULE_DELAY", "milliseconds that spans wait for others at most; `5000`"},
	{"OTEL_BSP_EXPORT_TIMEOUT", "milliseconds that sending spans may take; `30000`"},
	{"OTEL_BSP_MAX_QUEUE_SIZE", "spans that may wait; more are lost; `2048`"},
	{"OTEL_BSP_MAX_EXPORT_BATCH_SIZE", "spans that are sent together; `512`"},
}

// ofOneSignal are the variables of which each signal may have its own, by their last part.
var ofOneSignal = []string{"ENDPOINT", "HEADERS", "PROTOCOL", "COMPRESSION", "TIMEOUT", "CERTIFICATE"}

const (
	telemetryTimeout = 10 * time.Second
	otlp             = "OTEL_EXPORTER_OTLP_"
	usualCollector   = "http://localhost:4318"
)

// telemetryOf reads the variables of OpenTelemetry in an environment. As its specification wants
// it, a value that cannot be used stops no program: there is a warning, and nothing is sent.
func telemetryOf(environ []string) (t Telemetry, warnings []string) {
	given := map[string]string{}
	for _, entry := range environ {
		if name, value, _ := strings.Cut(entry, "="); strings.HasPrefix(name, telemetryPrefix) && strings.TrimSpace(value) != "" {
			given[name] = strings.TrimSpace(value)
		}
	}
	if strings.EqualFold(given["OTEL_SDK_DISABLED"], "true") {
		return Telemetry{}, nil
	}
	warn := func(format string, args ...any) {
		if w := fmt.Sprintf(format, args...); !slices.Contains(warnings, w) { // both signals have the same fault
			warnings = append(warnings, w)
		}
	}
	t.Traces = receiverOf(given, "TRACES", warn)
	t.Metrics = receiverOf(given, "METRICS", warn)
	if !t.On() {
		return Telemetry{}, warnings
	}
	t.Continued = continued(given["OTEL_PROPAGATORS"], warn)
	for _, name := range slices.Sorted(maps.Keys(given)) {
		if !honoured(name) {
			warn("%s is not honoured", name)
		}
	}
	return t, warnings
}

func honoured(name string) bool {
	return slices.ContainsFunc(ofOneSignal, func(part string) bool { return name == otlp+"TRACES_"+part || name == otlp+"METRICS_"+part }) ||
		slices.ContainsFunc(telemetryVariables, func(v TelemetryVariable) bool { return v.Name == name })
}

// receiverOf reads where a signal is sent: nowhere, unless a collector or the exporter is named.
func receiverOf(given map[string]string, signal string, warn func(string, ...any)) Receiver {
	of := func(part string) (value, variable string) {
		if own := otlp + signal + "_" + part; given[own] != "" {
			return given[own], own
		}
		return given[otlp+part], otlp + part
	}
	chosen := "OTEL_" + signal + "_EXPORTER"
	address, variable := of("ENDPOINT")
	switch exporter := given[chosen]; {
	case exporter == "none", exporter == "" && address == "":
		return Receiver{}
	case exporter != "" && exporter != "otlp":
		warn("%s is %q and must be otlp or none: nothing is sent", chosen, exporter)
		return Receiver{}
	}
	if protocol, by := of("PROTOCOL"); protocol != "" && protocol != "http/protobuf" {
		warn("%s is %q and must be http/protobuf: nothing is sent", by, protocol)
		return Receiver{}
	}
	u, err := url.Parse(cmp.Or(address, usualCollector))
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		warn("%s is no address such as %s: nothing is sent", variable, usualCollector) // it may have a password in it
		return Receiver{}
	}
	if variable == otlp+"ENDPOINT" {
		u = u.JoinPath("v1", strings.ToLower(signal))
	}
	r := Receiver{URL: u.String(), Timeout: telemetryTimeout}
	r.Certificate, _ = of("CERTIFICATE")
	if text, by := of("HEADERS"); text != "" {
		if r.Headers, err = headersIn(text); err != nil {
			warn("%s is no list such as name=value,name=value: nothing is sent", by)
			return Receiver{}
		}
	}
	if text, by := of("TIMEOUT"); text != "" {
		ms, err := strconv.ParseUint(text, 10, 31)
		if r.Timeout = time.Duration(ms) * time.Millisecond; err != nil || ms == 0 {
			warn("%s is %q and must be a number of milliseconds: it is %d", by, text, telemetryTimeout.Milliseconds())
			r.Timeout = telemetryTimeout
		}
	}
	switch text, by := of("COMPRESSION"); text {
	case "gzip":
		r.Gzip = true
	case "", "none":
	default:
		warn("%s is %q and must be gzip or none: it is none", by, text)
	}
	return r
}

// headersIn reads a list such as name=value,name=value, whose values are escaped as in URLs.
func headersIn(text string) (map[string]Secret, error) {
	headers := map[string]Secret{}
	for part := range strings.SplitSeq(text, ",") {
		name, value, found := strings.Cut(part, "=")
		name = strings.TrimSpace(name)
		value, err := url.PathUnescape(strings.TrimSpace(value))
		if !found || name == "" || err != nil || strings.ContainsFunc(name+value, func(r rune) bool { return r < ' ' || r == 0x7f }) {
			return nil, fmt.Errorf("%q is no header", name)
		}
		headers[name] = Secret(value)
	}
	return headers, nil
}

// continued says whether the list of propagators has tracecontext. Milaan sends nothing on, so that
// it has no use for baggage.
func continued(list string, warn func(string, ...any)) (is bool) {
	if list == "" {
		return true
	}
	for name := range strings.SplitSeq(list, ",") {
		switch name = strings.TrimSpace(name); name {
		case "tracecontext":
			is = true
		case "baggage", "none", "":
		default:
			warn("OTEL_PROPAGATORS has %q, which is not honoured", name)
		}
	}
	return is
}
