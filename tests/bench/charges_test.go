package bench

import (
	"bytes"
	"encoding/csv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"milaan/domain"
	"milaan/ports"
)

// chargeColumns are what a courier may keep of the cash, as its report states it.
var chargeColumns = []string{"Freight", "COD Fee", "GST"}

// withCharges adds columns of these names to a report, with an amount in each line.
func withCharges(tb testing.TB, report []byte, names []string) []byte {
	lines, err := csv.NewReader(bytes.NewReader(report)).ReadAll()
	require.NoError(tb, err)
	lines[0] = append(lines[0], names...)
	for i, line := range lines[1:] {
		lines[1+i] = append(line, rupees(3000+i%2000), rupees(1500+i%500), rupees(810+i%450))
	}
	var b bytes.Buffer
	require.NoError(tb, csv.NewWriter(&b).WriteAll(lines))
	return b.Bytes()
}

// otherColumns are as many, and nobody reads them.
var otherColumns = []string{"Comment", "Pin Num", "Zip"}

// TestTheBenchmarkReadsCharges holds that what BenchmarkCharges compares is what it says.
func TestTheBenchmarkReadsCharges(t *testing.T) {
	files := Draw(500, false)
	for name, columns := range map[string][]string{"charges": chargeColumns, "others": otherColumns} {
		run, err := newEngine().reconciling.Preview(t.Context(), ports.Request{Storefront: bytes.Clone(files.Orders), Courier: withCharges(t, files.Remittances, columns)})
		require.NoError(t, err)
		require.Equal(t, name == "charges", run.Mapping[domain.RoleCharges] != "", name)
		run.Release()
	}
}

// BenchmarkCharges prints how many times as long a report takes whose columns of charges are
// read as one in which columns of these values have other names, and as one without such
// columns: alternating in the same run and each at its best.
func BenchmarkCharges(b *testing.B) {
	files, e := Draw(domain.MaxRows, false), newEngine()
	reports := [][]byte{files.Remittances, withCharges(b, files.Remittances, otherColumns), withCharges(b, files.Remittances, chargeColumns)}
	var best [3]time.Duration
	for b.Loop() {
		for i, report := range reports {
			req := ports.Request{Storefront: bytes.Clone(files.Orders), Courier: bytes.Clone(report)} // reading may alter it
			if took := e.took(b, req); best[i] == 0 || took < best[i] {
				best[i] = took
			}
		}
	}
	b.ReportMetric(float64(best[2])/float64(best[1]), "charges/others")
	b.ReportMetric(float64(best[2])/float64(best[0]), "charges/without")
	b.ReportMetric(float64(best[0])/1e6, "ms-without")
}
