package app_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"milaan/adapters/storefront"
	"milaan/adapters/table"
	"milaan/app"
	"milaan/couriers"
	"milaan/ports"
)

// closedRuns fails to store, and notes that it was asked.
type closedRuns struct {
	ports.Runs
	steps *[]string
}

var errClosed = errors.New("closed")

func (r closedRuns) Settle(context.Context, string, func(ports.RunBook) error) error {
	*r.steps = append(*r.steps, "stored")
	return errClosed
}

// What a run has read, and how much it has made of that, is told before the
// database is asked, which may take its time.
func TestMemoryIsToldBeforeARunIsStored(t *testing.T) {
	var steps []string
	tables := table.New()
	reconciling := app.NewReconciling(storefront.New(tables), couriers.New(tables), closedRuns{steps: &steps}, noMappings{}, time.Now)
	request := sampleRequest(t, "b")
	request.Read = func() { steps = append(steps, "read") }
	request.Made = func(bytes int64) {
		steps = append(steps, "made")
		require.Positive(t, bytes)
	}
	_, err := reconciling.Reconcile(t.Context(), ports.Caller{}, request)
	require.ErrorIs(t, err, errClosed)
	require.Equal(t, []string{"read", "made", "stored"}, steps)
}

// The memory of a run is its own, not what an earlier one has left.
func TestASmallRunAfterALargeOneIsSmall(t *testing.T) {
	tables := table.New()
	reconciling := app.NewReconciling(storefront.New(tables), couriers.New(tables), nil, nil, time.Now)
	memory := func(orders int) int64 {
		var export strings.Builder
		export.WriteString("Name,Total,Created at,AWB\n")
		for i := range orders {
			fmt.Fprintf(&export, "%0100d,1,2026-01-01,%d\n", i, 1_000_000+i)
		}
		o, err := reconciling.Preview(t.Context(), ports.Request{Storefront: []byte(export.String()), Courier: []byte("AWB No,COD Amount,Remittance Date\n1000000,1,2026-01-01\n")})
		require.NoError(t, err)
		defer o.Release()
		return o.Memory
	}
	small := memory(10)
	require.Greater(t, memory(20_000), 4*small)
	require.Equal(t, small, memory(10))
}
