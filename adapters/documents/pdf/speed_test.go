package pdf_test

import (
	"bytes"
	"fmt"
	"io"
	"testing"
	"time"

	"codeberg.org/go-pdf/fpdf"
	"github.com/stretchr/testify/require"

	"milaan/adapters/documents/pdf"
	"milaan/adapters/wording"
	"milaan/domain"
	"milaan/ports"
)

// BenchmarkReporter writes documents of the given number of flagged orders, and says how many times as long
// that takes as the library takes to write as many rows as plain cells with a font of its
// own. The names of the last run are in Hindi.
func BenchmarkReporter(b *testing.B) {
	for _, n := range []int{0, 700, 3000, 50_000} {
		run := flagged(n).run(b)
		b.Run(fmt.Sprintf("flagged=%d", n), func(b *testing.B) { compare(b, run) })
	}
	hindi := newFiles()
	for i := range 700 {
		hindi.order(fmt.Sprintf("#%d राधाकृष्ण श्रीवास्तव", i), fmt.Sprint(90000+i), 999_00, march(1+i%8))
	}
	hindi.line("late", 1, 1, march(31))
	run := hindi.run(b)
	b.Run("hindi=700", func(b *testing.B) { compare(b, run) })
}

func compare(b *testing.B, run *ports.FinishedRun) {
	b.ReportAllocs()
	var ours, cells time.Duration
	for range b.N {
		began := time.Now()
		discard(b, run, domain.Branding{Name: "Asha Handlooms"})
		ours += time.Since(began)
		b.StopTimer()
		began = time.Now()
		plain(b, run)
		cells += time.Since(began)
		b.StartTimer()
	}
	b.ReportMetric(float64(ours)/float64(cells), "times-plain")
}

// flagged is a run with the given number of flagged orders.
func flagged(n int) *files {
	f := newFiles()
	for i := range n {
		awb, price := fmt.Sprint(14908_0000_000+i), domain.Paise(799_00+i%40*50_00)
		f.order(fmt.Sprint("#", 10_000+i), awb, price, march(1+i%8))
		switch i % 3 {
		case 1:
			f.line(awb, price, price-120_50, march(12))
		case 2:
			f.line(awb, price, 0, domain.NoDay)
		}
	}
	f.order("#1", "1", 1_00, march(29))
	f.line("late", 1, 1, march(31))
	return f
}

func discard(t testing.TB, run *ports.FinishedRun, b domain.Branding) {
	reporter := pdf.Reporter{Clock: func() time.Time { return made }, Words: wording.New()}
	require.NoError(t, reporter.Write(func(string) (io.Writer, error) { return io.Discard, nil }, run, b))
}

// plain writes the flagged orders of a run as cells, no more than a document lists.
func plain(t testing.TB, run *ports.FinishedRun) {
	p := fpdf.New("P", "pt", "A4", "")
	p.SetFont("Helvetica", "", 7.8)
	p.AddPage()
	words := wording.New()
	written := 0
	for i := range run.Len() {
		o := run.Result(i)
		if !o.Flag.IsFlagged() || written == 20_000 {
			continue
		}
		written++
		for _, cell := range []string{string(o.OrderID), string(o.AWB), o.OrderedOn.String(), o.DueBy.String(), o.Due.String(), o.Remitted.String(), o.Shortfall.String()} {
			p.CellFormat(70, 12, cell, "", 0, "L", false, 0, "")
		}
		p.Ln(12)
		why := run.Reason(i)
		p.CellFormat(500, 12, string(words.AppendReason(nil, &why)), "", 1, "L", false, 0, "")
	}
	require.NoError(t, p.Output(&bytes.Buffer{}))
}
