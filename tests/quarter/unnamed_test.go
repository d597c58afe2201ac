package quarter

import (
	"bytes"
	"encoding/csv"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"milaan/domain"
	"milaan/ports"
	"milaan/tests/only"
)

// TestReportsOfUnnamedCouriersListedAgain gives each sample of a report whose courier no profile knows to two runs: as it may have been
// before its UTRs were known, or with other amounts, and then as it is. They end as one run over both.
func TestReportsOfUnnamedCouriersListedAgain(t *testing.T) {
	exports := only.Value(filepath.Glob("../../couriers/testdata/custom/*.orders.csv"))(t)
	require.NotEmpty(t, exports)
	less := regexp.MustCompile(`\d[\d,]*`)
	for _, export := range exports {
		orders := only.Value(os.ReadFile(export))(t)
		later := only.Value(os.ReadFile(strings.Replace(export, ".orders.", ".", 1)))(t)
		for what, earlier := range map[string][]byte{
			"as it is": later,
			"before its UTRs": withCells(t, later, func(string) string { return "" },
				"UTR", "UTR No", "Remittance UTR", "Remittance ID"),
			"with other amounts": withCells(t, later, func(cell string) string {
				return less.ReplaceAllStringFunc(cell, func(rupees string) string {
					n := only.Value(strconv.Atoi(strings.ReplaceAll(rupees, ",", "")))(t)
					return strconv.Itoa(max(n-n/10, 0))
				})
			}, "AMOUNT", "COD_AMOUNT", "Price", "Net Amount", "Net Payable", "Total Order Amount", "Collectable Amount"),
		} {
			request := func(previous []byte, reports ...[]byte) ports.Request {
				req := ports.Request{Storefront: orders, Previous: previous, Workbooks: true}
				for _, report := range reports {
					req.Reports = append(req.Reports, ports.Report{Courier: slices.Clone(report)})
				}
				return req
			}
			atOnce := reconcile(t, reconciling(), request(nil, earlier, later))
			for _, report := range atOnce.Reports() {
				require.Contains(t, []string{"", domain.CustomCourier}, report.Courier, export)
			}
			first := reconcile(t, reconciling(), request(nil, earlier))
			for _, previous := range [][]byte{asCSV(t)(first), asWorkbook(t)(first)} {
				second := reconcile(t, reconciling(), request(previous, later))
				require.Equal(t, ends(atOnce), ends(second), "%s %s", filepath.Base(export), what)
			}
		}
	}
}

// withCells changes the cells of some columns. A report that is not quite CSV stays as it is.
func withCells(t testing.TB, report []byte, change func(cell string) string, columns ...string) []byte {
	r := csv.NewReader(bytes.NewReader(report))
	r.FieldsPerRecord = -1
	rows, err := r.ReadAll()
	if err != nil {
		return report
	}
	at := -1
	for _, row := range rows {
		header := slices.IndexFunc(row, func(cell string) bool { return slices.Contains(columns, strings.TrimSpace(cell)) })
		if header >= 0 {
			at = header
		} else if 0 <= at && at < len(row) {
			row[at] = change(row[at])
		}
	}
	return textOf(t, rows)
}

func textOf(t testing.TB, rows [][]string) []byte {
	var b bytes.Buffer
	require.NoError(t, csv.NewWriter(&b).WriteAll(rows))
	return b.Bytes()
}
