package telemetry

import "go.uber.org/fx"

// Module provides peers.Tracing, which is nil if no traces are sent, and sends the metrics of the
// service while the application runs. Without an address nothing is made and nothing is started.
func Module() fx.Option {
	return fx.Module("telemetry", fx.Provide(newTracing), fx.Invoke(sendMetrics))
}
