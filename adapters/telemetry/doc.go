// Package telemetry sends traces and metrics by OTLP over HTTP to a collector that the operator has
// named. It is in programs that are built with the tag otel, as the released ones are: OpenTelemetry's
// libraries are 1 MB of the program and as much of an idle service's memory.
//
// The libraries' own exporters are not used: they come with gRPC and Protocol Buffers, which are
// 10 MB of the program, and call methods by name (decision 20). What they do beside the libraries is
// in otlp.go, which writes messages, and sending.go, which sends them.
package telemetry
