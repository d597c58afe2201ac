package ports_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"milaan/ports"
)

// TestWithoutACollectorSpansTakeNoMemory holds that a run, which has some steps, does not pay for
// traces that nobody collects.
func TestWithoutACollectorSpansTakeNoMemory(t *testing.T) {
	ctx := t.Context()
	require.Zero(t, testing.AllocsPerRun(100, func() {
		span := ports.SpanOf(ctx)
		step := span.Step(ports.StepRead)
		step.Set(ports.SpanRun, "id")
		step.End(nil)
		if trace, _ := span.IDs(); trace != "" {
			t.Error(trace)
		}
	}))
}
