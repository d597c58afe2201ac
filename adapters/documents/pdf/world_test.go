package pdf_test

import (
	"bytes"
	"fmt"
	"io"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"milaan/adapters/documents/pdf"
	"milaan/adapters/wording"
	"milaan/domain"
	"milaan/domain/verdict"
	"milaan/ports"
)

// made is when the documents of tests are made.
var made = time.Date(2026, 4, 2, 14, 50, 0, 0, domain.Kolkata)

func march(day int) domain.Day { return domain.DayFromDate(2026, time.March, day) }

// files are an export and a report that a test fills.
type files struct {
	orders verdict.Orders
	lines  verdict.Remittances
	terms  domain.Terms
}

func newFiles() *files {
	f := &files{terms: domain.TermsFor(nil, 0, nil)}
	f.orders.Reset()
	f.lines.Reset()
	return f
}

// order adds a fulfilled order, unless its name says nothing.
func (f *files) order(name, awb string, total domain.Paise, on domain.Day) {
	o, _ := f.orders.FindOrAdd([]byte(name))
	if o == nil {
		return
	}
	o.Total, o.HasTotal = total, true
	f.orders.Track(o, []byte(awb))
	o.CreatedOn, o.FulfilledOn, o.Fulfilment, o.FulfilmentText = on, on, verdict.Fulfilled, "fulfilled"
}

// line adds a line of the report.
func (f *files) line(awb string, collected, paid domain.Paise, on domain.Day) {
	f.lines.Add(verdict.Remittance{AWB: []byte(awb), Collected: collected, Listed: collected, Remitted: paid, RemittedOn: on, UTR: []byte("UTIBR62026031500012345")})
}

func (f *files) run(t testing.TB) *ports.FinishedRun {
	t.Helper()
	f.orders.Rows, f.lines.Rows = f.orders.Len(), f.lines.Len()
	var r verdict.Reconciliation
	require.NoError(t, r.Decide(&f.orders, &f.lines, f.terms))
	run := domain.Run{ID: "0199c0de-7e57-7abc-8def-0123456789ab", CourierName: "shiprocket", Brand: "default", At: made, Terms: f.terms, Tally: r.Tally, Guidance: r.Guidance}
	return ports.NewFinishedRun(&r, run, domain.Mapping{}, nil)
}

// shop is a run with the given number of orders of each flag, and as many that are settled.
func shop(n int) *files {
	f := newFiles()
	for i := range n {
		name, awb := fmt.Sprint("#", 10_000+i), fmt.Sprint(14908_0000_000+i)
		price := domain.Paise(799_00 + i%40*50_00)
		on := march(1 + i%8)
		f.order(name+"A", "1"+awb, price, on)
		f.line("1"+awb, price, price, march(9))
		f.order(name+"B", "2"+awb, price, on)
		f.line("2"+awb, price, price-120_50, march(12))
		f.order(name+"C", "3"+awb, price, on)
		f.order(name+"D", "4"+awb, price, on)
		f.lines.Add(verdict.Remittance{AWB: []byte("4" + awb), Collected: price, Listed: price, Status: f.lines.AddStatus([]byte("RTO Delivered")), HasStatus: true, Returned: true})
		f.order(name+"E", "5"+awb, price, on)
		f.line("5"+awb, price, price-1_00, march(14))
		f.order(name+"F", "6"+awb, price, on)
		f.line("6"+awb, price, price+20_00, march(14))
		f.order(name+"G", "7"+awb, price, march(29))
		f.order(name+"H", "8"+awb, price, on)
		f.line("8"+awb, price, 0, domain.NoDay)
	}
	f.line("late", 1, 1, march(31))
	return f
}

func written(t testing.TB, run *ports.FinishedRun, b domain.Branding) []byte {
	t.Helper()
	var out bytes.Buffer
	reporter := pdf.Reporter{Clock: func() time.Time { return made }, Words: wording.New()}
	created := 0
	require.NoError(t, reporter.Write(func(name string) (io.Writer, error) {
		created++
		require.Equal(t, "milaan-report.pdf", name)
		return &out, nil
	}, run, b))
	require.Equal(t, 1, created)
	return out.Bytes()
}
