package autopilot_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"milaan/domain"
	"milaan/tests/fakes/storage"
)

// BenchmarkKeptItems compares passes that keep the open items of 3,000 orders with passes that do not. Shop, source and database
// are in memory, so that what is left is reading, comparing and storing.
func BenchmarkKeptItems(b *testing.B) {
	pass := func(keeps bool) func() time.Duration {
		bench := newPassBench(b, storage.EnterpriseAccount())
		c := bench.connect("Asha", "north/delhivery")
		var paid []soldOrder
		for i := range 3000 {
			if o := bench.sell(fmt.Sprintf("#%d", 1000+i), 500+i%100, i%30); i%10 > 0 {
				paid = append(paid, o)
			}
		}
		if keeps {
			require.NoError(b, bench.items.KeepItems(b.Context(), bench.Account.ID, c.ID, true, domain.ByDashboard))
		}
		n := 0
		return func() time.Duration {
			n++
			bench.sources.places["north"].files = nil
			bench.put("north", fmt.Sprintf("%d.csv", n), domain.DayOf(bench.Now), paid[:len(paid)-n%50]...).settled = true
			job := bench.due(c)
			begun := time.Now()
			require.Equal(b, domain.PassStored, bench.make(job).Outcome)
			return time.Since(begun)
		}
	}
	without, with := pass(false), pass(true)
	var plain, kept time.Duration
	for b.Loop() {
		plain += without()
		kept += with()
	}
	b.ReportMetric(kept.Seconds()/plain.Seconds(), "with/without")
	b.ReportMetric((kept-plain).Seconds()*1000/float64(b.N), "ms-more")
}
