package runs_test

import (
	"context"
	"fmt"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"milaan/adapters/storefront"
	"milaan/adapters/table"
	"milaan/app/runs"
	"milaan/couriers"
	"milaan/domain/verdict"
	"milaan/ports"
)

// faulty is a storefront whose exports make its reader panic.
type faulty struct {
	ports.Storefronts
	ports.OrdersReader
}

func (f faulty) Orders(ports.Content) ports.OrdersReader { return f }

func (faulty) Size() int64 { return 1 << 20 }

func (faulty) Read(*verdict.Orders) error { panic("a fault of the program") }

// TestAPanicGivesThePlaceBack holds that files which make the program panic keep no others waiting.
func TestAPanicGivesThePlaceBack(t *testing.T) {
	tables := table.New()
	r := runs.NewReconciling(runs.ReconcilingParams{Storefronts: faulty{}, Couriers: couriers.New(tables), Clock: time.Now})
	for range 2 * runtime.GOMAXPROCS(0) {
		limited, cancel := context.WithTimeout(t.Context(), time.Minute)
		require.PanicsWithValue(t, "a fault of the program", func() {
			_, err := r.Preview(limited, ports.Request{Storefront: []byte("x"), Courier: []byte("AWB No,COD Amount,Remittance Date\n1,1,2026-01-01\n")})
			require.NoError(t, err)
		})
		cancel()
	}
}

// TestLargeRunsHaveTheirPlaceUntilTheyAreReleased holds that a run of large files waits while as many
// hold their results as there are cores, but not for long.
func TestLargeRunsHaveTheirPlaceUntilTheyAreReleased(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tables := table.New()
		r := runs.NewReconciling(runs.ReconcilingParams{Storefronts: storefront.New(tables), Couriers: couriers.New(tables), Clock: time.Now})
		const head = "Name,Total,Created at,AWB\n"
		var export strings.Builder
		export.WriteString(head)
		for i := range 1 << 20 / 40 {
			fmt.Fprintf(&export, "%020d,1,2026-01-01,%d\n", i, 5_000_000+i)
		}
		compare := func(export string) *ports.FinishedRun {
			o, err := r.Preview(t.Context(), ports.Request{Storefront: []byte(export), Courier: []byte("AWB No,COD Amount,Remittance Date\n5000000,1,2026-01-01\n")})
			require.NoError(t, err)
			return o
		}
		began, cores := time.Now(), runtime.GOMAXPROCS(0)
		for range 2 {
			var held []*ports.FinishedRun
			for range cores {
				held = append(held, compare(export.String()))
			}
			compare(head + "1,1,2026-01-01,1\n").Release()
			for _, run := range held {
				run.Release()
				run.Release()
			}
		}
		require.Zero(t, time.Since(began), "of runs that were released, and of small ones")
		for range cores + 1 {
			defer compare(export.String()).Release()
		}
		require.Equal(t, 300*time.Millisecond, time.Since(began), "of runs that are not released")
	})
}

// longLedger stands for a ledger of many orders.
type longLedger struct{ ports.Ledger }

func (longLedger) Lines(*verdict.Remittances) error { return nil }
func (longLedger) Orders(*verdict.Orders) error     { return nil }
func (longLedger) Rows() int                        { return 5000 }
func (longLedger) Close()                           {}

// TestALongLedgerNeedsAPlace holds that small files with a long ledger wait as large ones do.
func TestALongLedgerNeedsAPlace(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tables := table.New()
		r := runs.NewReconciling(runs.ReconcilingParams{Storefronts: storefront.New(tables), Couriers: couriers.New(tables), Clock: time.Now,
			OpenLedger: func(ports.Content) (ports.Ledger, error) { return longLedger{}, nil }})
		began := time.Now()
		for range runtime.GOMAXPROCS(0) + 1 {
			o, err := r.Preview(t.Context(), ports.Request{Storefront: []byte("Name,Total,Created at,AWB\n1,1,2026-01-01,1\n"),
				Courier: []byte("AWB No,COD Amount,Remittance Date\n1,1,2026-01-01\n"), Previous: []byte("x")})
			require.NoError(t, err)
			defer o.Release()
		}
		require.Equal(t, 300*time.Millisecond, time.Since(began))
	})
}
