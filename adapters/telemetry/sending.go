//go:build otel

package telemetry

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/sethvargo/go-retry"
	sdkmetric "go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"

	"milaan/config"
)

// errUnsent is why a message was not taken. The sender has told it.
var errUnsent = errors.New("the collector has not taken what was sent to it")

// firstPause is how long the sender waits before it tries again, and then twice as long each time.
const firstPause = 500 * time.Millisecond

// mostOfAnswer is how much is read of an answer, so that its connection can be used again.
const mostOfAnswer = 64 << 10

// sender sends messages of one signal.
type sender struct {
	to     config.Receiver
	what   string
	client *http.Client
	log    *slog.Logger
	failed atomic.Bool // the last message was not taken
}

func newSender(to config.Receiver, what string, log *slog.Logger) (*sender, error) {
	transport := http.DefaultTransport.(*http.Transport).Clone()
	if to.Certificate != "" {
		text, err := os.ReadFile(to.Certificate)
		if err != nil {
			return nil, fmt.Errorf("OTEL_EXPORTER_OTLP_CERTIFICATE: %w", err)
		}
		known := x509.NewCertPool()
		if !known.AppendCertsFromPEM(text) {
			return nil, fmt.Errorf("OTEL_EXPORTER_OTLP_CERTIFICATE: %s has no certificate in PEM", to.Certificate)
		}
		transport.TLSClientConfig = &tls.Config{MinVersion: tls.VersionTLS12, RootCAs: known}
	}
	s := &sender{to: to, what: what, log: log, client: &http.Client{
		Transport: transport,
		// The headers may have a secret, which is the collector's alone.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
	u, err := url.Parse(to.URL)
	if err != nil {
		return nil, err
	}
	log.Info(what+" are sent", "host", u.Host)
	return s, nil
}

// send sends a message, and tries again within the timeout if the collector asks for that. The
// first message that is not taken has a line in the log, and then the first that is taken again.
func (s *sender) send(ctx context.Context, message []byte) error {
	if s.to.Gzip {
		var packed bytes.Buffer
		w := gzip.NewWriter(&packed)
		_, _ = w.Write(message) // to memory
		_ = w.Close()
		message = packed.Bytes()
	}
	limited, cancel := context.WithTimeout(ctx, s.to.Timeout)
	defer cancel()
	err := retry.Do(limited, retry.NewExponential(firstPause), func(ctx context.Context) error { return s.post(ctx, message) })
	switch {
	case err != nil && !s.failed.Swap(true):
		s.log.Warn(s.what+" cannot be sent, and are lost until they can be again", "error", withoutAddress(err))
	case err == nil && s.failed.Swap(false):
		s.log.Info(s.what + " are sent again")
	}
	if err != nil {
		return fmt.Errorf("%w: %w", errUnsent, withoutAddress(err))
	}
	return nil
}

// withoutAddress leaves out the collector's address, in which a password may stand.
func withoutAddress(err error) error {
	if of, ok := errors.AsType[*url.Error](err); ok {
		return of.Err
	}
	return err
}

func (s *sender) post(ctx context.Context, message []byte) error {
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, s.to.URL, bytes.NewReader(message))
	if err != nil {
		return err
	}
	for name, value := range s.to.Headers {
		r.Header.Set(name, string(value))
	}
	r.Header.Set("Content-Type", "application/x-protobuf")
	r.Header.Set("User-Agent", "milaan/"+config.ThisBuild().Version)
	if s.to.Gzip {
		r.Header.Set("Content-Encoding", "gzip")
	}
	answer, err := s.client.Do(r)
	if err != nil {
		return retry.RetryableError(err)
	}
	_, _ = io.CopyN(io.Discard, answer.Body, mostOfAnswer)
	_ = answer.Body.Close()
	switch answer.StatusCode {
	case http.StatusTooManyRequests, http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		err = waitAsAsked(ctx, answer.Header)
		return retry.RetryableError(errors.Join(statusError(answer.StatusCode), err))
	}
	if answer.StatusCode/100 != 2 {
		return statusError(answer.StatusCode)
	}
	return nil
}

type statusError int

func (e statusError) Error() string { return fmt.Sprintf("the collector answered with %d", int(e)) }

// waitAsAsked waits for the seconds of Retry-After.
func waitAsAsked(ctx context.Context, header http.Header) error {
	var wait time.Duration // 0 for a date, or none: the pause is the sender's own
	if seconds, err := strconv.ParseUint(header.Get("Retry-After"), 10, 31); err == nil {
		wait = time.Duration(seconds) * time.Second
	}
	select {
	case <-time.After(wait):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// spanExporter is OpenTelemetry's exporter of spans.
type spanExporter struct{ *sender }

// ExportSpans sends spans.
func (e spanExporter) ExportSpans(ctx context.Context, spans []sdktrace.ReadOnlySpan) error {
	return e.send(ctx, traceMessage(spans))
}

// Shutdown has nothing to stop.
func (spanExporter) Shutdown(context.Context) error { return nil }

// metricExporter is OpenTelemetry's exporter of metrics.
type metricExporter struct{ *sender }

func (e metricExporter) Export(ctx context.Context, m *metricdata.ResourceMetrics) error {
	return e.send(ctx, metricMessage(m))
}

// Temporality says that figures are counted from the start.
func (metricExporter) Temporality(sdkmetric.InstrumentKind) metricdata.Temporality {
	return metricdata.CumulativeTemporality
}

// Aggregation is for instruments of OpenTelemetry, of which there are none.
func (metricExporter) Aggregation(k sdkmetric.InstrumentKind) sdkmetric.Aggregation {
	return sdkmetric.DefaultAggregationSelector(k)
}

// ForceFlush has nothing to send: Export sends at once.
func (metricExporter) ForceFlush(context.Context) error { return nil }

// Shutdown has nothing to stop.
func (metricExporter) Shutdown(context.Context) error { return nil }
