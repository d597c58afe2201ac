package verdict_test

import (
	"fmt"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"milaan/domain/verdict"
)

// TestReadersAskForOrdersAtTheSameTime has the readers of several reports look up orders whose
// names and AWBs have small letters.
func TestReadersAskForOrdersAtTheSameTime(t *testing.T) {
	var orders verdict.Orders
	orders.Reset()
	const n = 500
	for i := range n {
		o, _ := orders.FindOrAdd(fmt.Appendf(nil, "kurta-%05d", i))
		require.True(t, orders.Track(o, fmt.Appendf(nil, "awbé%07d", i)))
	}
	var readers sync.WaitGroup
	var lost atomic.Int64
	for range 8 {
		readers.Go(func() {
			for i := range n {
				if awb, _ := verdict.AWBKey(fmt.Appendf(nil, "awbé%07d", i)); !orders.HasAWB(awb) {
					lost.Add(1)
				}
				if orders.FindAsked(verdict.OrderKey(fmt.Appendf(nil, "Kurta-%05d", i))) != i {
					lost.Add(1)
				}
			}
		})
	}
	readers.Wait()
	require.Zero(t, lost.Load())
}
