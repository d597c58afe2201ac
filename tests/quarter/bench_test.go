package quarter

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"milaan/domain"
)

// shopOf is a month of a shop with so many orders, of which nine in ten are paid.
func shopOf(orders, from int, on time.Time) Month {
	m := Month{reports: make([][]string, len(Couriers))}
	for i := range orders {
		day := on.AddDate(0, 0, i%20)
		o := order{name: fmt.Sprintf("#%d", from+i), awb: fmt.Sprintf("19%010d", from+i), courier: "delhivery", total: "1499", financial: "pending", fulfilment: "fulfilled",
			created: day.Format("2006-01-02 15:04:05 -0700")}
		m.orders = append(m.orders, o)
		if i%10 > 0 {
			m.reports[0] = append(m.reports[0], fmt.Sprintf("%s,%s,1499,1499,%s,U%d,Delivered", o.awb, o.name, day.AddDate(0, 0, 7).Format(time.DateOnly), i%40))
		}
	}
	return m
}

// BenchmarkRemembered compares a run with a ledger of 5,000 orders with the same run without it, for each order and line
// that either reads.
func BenchmarkRemembered(b *testing.B) {
	r := reconciling()
	before := reconcile(b, r, request(shopOf(5_000, 100_000, time.Date(2026, 1, 1, 10, 0, 0, 0, domain.Kolkata))))
	text := files(b, before, domain.FormatCSV)["ledger.csv"]
	request := request(shopOf(25_000, 200_000, time.Date(2026, 2, 1, 10, 0, 0, 0, domain.Kolkata)))
	took := func(previous []byte) (all time.Duration, rows int) {
		req := request
		req.Previous = previous
		begun := time.Now()
		run, err := r.Preview(b.Context(), req)
		require.NoError(b, err)
		all = time.Since(begun)
		rows = run.Tally.StorefrontRows + run.Tally.CourierRows
		run.Release()
		return all, rows
	}
	ledgerRows := 0
	for range before.RememberedOrders() {
		ledgerRows++
	}
	for range before.RememberedLines() {
		ledgerRows++
	}
	var with, without time.Duration
	rows := 0
	for b.Loop() {
		took(nil)
		var a, c time.Duration
		a, rows = took(nil)
		c, _ = took(text)
		without, with = without+a, with+c
	}
	b.ReportMetric(with.Seconds()/without.Seconds(), "with/without")
	b.ReportMetric(with.Seconds()/float64(rows+ledgerRows)/(without.Seconds()/float64(rows)), "with/without-per-line")
}
