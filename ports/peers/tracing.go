package peers

import (
	"context"

	"milaan/ports"
)

// Tracing tells those who collect traces of requests and jobs. The contexts that it returns have
// the span (ports.SpanOf).
type Tracing interface {
	// Request begins the span of a request. header returns the value of a header of it, so that
	// the trace of the client goes on. end ends it with the status of the answer.
	Request(ctx context.Context, method, route string, header func(name string) string) (_ context.Context, end func(status int))
	// Job begins the span of an attempt at a job, which the caller ends. cause is what Cause
	// returned where the job was added; blank: nothing.
	Job(ctx context.Context, kind ports.JobKind, cause string) context.Context
}

// Cause names the span of a context to whoever is linked to it later, as the header traceparent
// does; blank: none.
func Cause(ctx context.Context) string {
	trace, span := ports.SpanOf(ctx).IDs()
	if trace == "" {
		return ""
	}
	return "00-" + trace + "-" + span + "-01"
}
