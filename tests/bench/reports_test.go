package bench

import (
	"bytes"
	"io"
	"regexp"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"milaan/domain"
	"milaan/ports"
	"milaan/tests/only"
)

// cut cuts a report into n of about as many lines each, which all have its header.
func cut(report []byte, n int) (reports []ports.Report) {
	end := bytes.IndexByte(report, '\n') + 1
	header, lines := report[:end], bytes.SplitAfter(report[end:], []byte("\n"))
	for i := range n {
		part := bytes.Join(lines[len(lines)*i/n:len(lines)*(i+1)/n], nil)
		reports = append(reports, ports.Report{Courier: append(bytes.Clone(header), part...), CourierName: "delhivery"})
	}
	return reports
}

// sentences are the texts of an answer that speak of "the report" or of "the reports".
var sentences = regexp.MustCompile(`"(?:flag_reason|message)":"[^"]*"`)

// TestReportsSayWhatTheirJoinedFileSays holds that the whole answer is the same, with the
// reports read one after the other and at the same time. Of several reports only the
// sentences are worded for several.
func TestReportsSayWhatTheirJoinedFileSays(t *testing.T) {
	for _, rows := range []int{500, 20_000} {
		files := Draw(rows, false)
		answer := func(req ports.Request) string {
			e := newEngine()
			run := only.Value(e.reconciling.Preview(t.Context(), req))(t)
			defer run.Release()
			var b bytes.Buffer
			require.NoError(t, e.answers.Write(&b, run, false))
			return b.String()
		}
		want := answer(ports.Request{Storefront: bytes.Clone(files.Orders), Courier: bytes.Clone(files.Remittances)})
		for _, n := range []int{1, 2, domain.MaxReports} {
			got := answer(ports.Request{Storefront: bytes.Clone(files.Orders), Reports: cut(files.Remittances, n)})
			if n > 1 {
				got, want = sentences.ReplaceAllString(got, ""), sentences.ReplaceAllString(want, "")
			}
			require.True(t, want == got, "%d rows in %d reports have another answer", rows, n)
		}
	}
}

// took is how long a run takes until its answer is written.
func (e *engine) took(b *testing.B, req ports.Request) time.Duration {
	b.Helper()
	began := time.Now()
	run := only.Value(e.reconciling.Preview(b.Context(), req))(b)
	require.NoError(b, e.answers.Write(io.Discard, run, false))
	run.Release()
	return time.Since(began)
}

// BenchmarkReports prints how many times as long as one report the same lines take in ten
// reports, alternating in the same run and each at its best: 1.1 is the most that it should be,
// on a machine that does nothing else.
func BenchmarkReports(b *testing.B) {
	files, e := Draw(domain.MaxRows, false), newEngine()
	var best [2]time.Duration
	for b.Loop() {
		for i, req := range []ports.Request{{Courier: bytes.Clone(files.Remittances)}, {Reports: cut(files.Remittances, 10)}} {
			req.Storefront = bytes.Clone(files.Orders) // reading may alter it
			if took := e.took(b, req); best[i] == 0 || took < best[i] {
				best[i] = took
			}
		}
	}
	b.ReportMetric(float64(best[1])/float64(best[0]), "times")
	b.ReportMetric(float64(best[0])/1e6, "ms-one")
	b.ReportMetric(float64(best[1])/1e6, "ms-ten")
}
