package quarter

import (
	"encoding/csv"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"milaan/domain"
	"milaan/ports"
	"milaan/tests/only"
)

// shopOf is a month of a shop with so many orders, of which nine in ten are paid.
func shopOf(orders, from int, on time.Time) Month {
	m := Month{reports: make([][]string, len(Couriers))}
	for i := range orders {
		day := on.AddDate(0, 0, i*20/orders)
		o := order{name: fmt.Sprintf("#%d", from+i), awb: fmt.Sprintf("19%010d", from+i), courier: "delhivery", total: fmt.Sprint(499 + i*37%2500), financial: "pending", fulfilment: "fulfilled",
			created: day.Add(time.Duration(i*53%72_000) * time.Second).Format("2006-01-02 15:04:05 -0700")}
		m.orders = append(m.orders, o)
		if i%10 > 0 {
			m.reports[0] = append(m.reports[0], fmt.Sprintf("%s,%s,%s,%s,%s,U%d,Delivered", o.awb, o.name, o.total, o.total, day.AddDate(0, 0, 7).Format(time.DateOnly), i*40/orders))
		}
	}
	return m
}

// wide is an export in the 79 columns that Shopify writes; those that no rule reads have what a sample has there.
func wide(b *testing.B, export string) []byte {
	b.Helper()
	sample := only.Value(os.Open("../../couriers/testdata/delhivery/payout.orders.csv"))(b)
	defer sample.Close()
	rows := only.Value(csv.NewReader(sample).ReadAll())(b)
	header, cells := rows[0], rows[1]
	cells[slices.Index(header, "Outstanding Balance")] = ""
	lean := only.Value(csv.NewReader(strings.NewReader(export)).ReadAll())(b)
	to := make([]int, len(lean[0]))
	for i, name := range lean[0] {
		if to[i] = slices.Index(header, name); to[i] < 0 {
			to[i] = len(header)
			header, cells = append(header, name), append(cells, "")
		}
	}
	var text strings.Builder
	w := csv.NewWriter(&text)
	require.NoError(b, w.Write(header))
	for _, row := range lean[1:] {
		for i, cell := range row {
			cells[to[i]] = cell
		}
		require.NoError(b, w.Write(cells))
	}
	w.Flush()
	return []byte(text.String())
}

// BenchmarkRemembered compares a run with a ledger of 5,000 orders with the same run without it, for each order and line
// that either reads: with an export of ten columns, and with one as Shopify writes it. It compares the fastest runs: what
// else the machine does makes runs slower, and none faster.
func BenchmarkRemembered(b *testing.B) {
	r := reconciling()
	before := reconcile(b, r, request(shopOf(5_000, 100_000, time.Date(2026, 1, 1, 10, 0, 0, 0, domain.Kolkata))))
	text := files(b, before, domain.FormatCSV)["ledger.csv"]
	ledgerRows := 0
	for range before.RememberedOrders() {
		ledgerRows++
	}
	for range before.RememberedLines() {
		ledgerRows++
	}
	lean := request(shopOf(25_000, 200_000, time.Date(2026, 2, 1, 10, 0, 0, 0, domain.Kolkata)))
	full := lean
	full.Storefront = wide(b, string(lean.Storefront))
	for name, request := range map[string]ports.Request{"lean": lean, "full": full} {
		b.Run(name, func(b *testing.B) {
			took := func(previous []byte) (all time.Duration, rows int) {
				req := request
				req.Previous = previous
				begun := time.Now()
				run := only.Value(r.Preview(b.Context(), req))(b)
				all = time.Since(begun)
				rows = run.Tally.StorefrontRows + run.Tally.CourierRows
				run.Release()
				return all, rows
			}
			with, without, rows := time.Hour, time.Hour, 0
			for b.Loop() {
				var all time.Duration
				all, rows = took(nil)
				without = min(without, all)
				all, _ = took(text)
				with = min(with, all)
			}
			b.ReportMetric(with.Seconds()/without.Seconds(), "with/without")
			b.ReportMetric(with.Seconds()/float64(rows+ledgerRows)/(without.Seconds()/float64(rows)), "with/without-per-line")
			b.ReportMetric(without.Seconds()*1e3, "ms-without")
		})
	}
}
