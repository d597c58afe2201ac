package ports

import "context"

// Span is a request or a job, or a part of one, as those see it who collect traces. What is told
// of it is neither of a person nor of a file: ids of runs, words of the code and numbers alone.
type Span interface {
	// Step begins a part of it.
	Step(step Step) Span
	// Set tells a value.
	Set(key SpanKey, value string)
	// End ends it. An error marks it as failed; its text is not told.
	End(err error)
	// IDs are those by which its trace and it are found, in hexadecimal digits; blank if it is not
	// collected.
	IDs() (trace, span string)
}

// Step is a part of a request or a job.
type Step string

// The steps.
const (
	StepReceive      Step = "receive" // taking a body in
	StepRead         Step = "read"    // of files
	StepCompare      Step = "compare"
	StepStore        Step = "store"
	StepAnswer       Step = "answer"
	StepFetchOrders  Step = "fetch orders"
	StepFetchReports Step = "fetch reports"
	StepPost         Step = "post" // to an endpoint
)

// SpanKey is what a value of a span means.
type SpanKey string

// The keys.
const (
	SpanRun     SpanKey = "milaan.run_id"
	SpanOutcome SpanKey = "milaan.outcome"
)

// WithSpan returns a context of which SpanOf returns the span.
func WithSpan(ctx context.Context, s Span) context.Context {
	return context.WithValue(ctx, spanKey{}, s)
}

type spanKey struct{}

// SpanOf returns the span of a context. If no traces are collected, it does nothing.
func SpanOf(ctx context.Context) Span {
	if s, ok := ctx.Value(spanKey{}).(Span); ok {
		return s
	}
	return noSpan{}
}

type noSpan struct{}

func (noSpan) Step(Step) Span            { return noSpan{} }
func (noSpan) Set(SpanKey, string)       {}
func (noSpan) End(error)                 {}
func (noSpan) IDs() (trace, span string) { return "", "" }
