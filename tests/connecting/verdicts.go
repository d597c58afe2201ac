package connecting

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"milaan/adapters/storefront"
	"milaan/adapters/table"
	"milaan/couriers"
	"milaan/domain"
	"milaan/domain/verdict"
	"milaan/ports"
	"milaan/tests/fakes/zips"
	"milaan/tests/only"
)

// report is a report on the disk, with the export of a shop.
type report struct {
	content, orders []byte
}

// diskReports reads the samples of all couriers, and workbooks of all kinds, by names under
// which a source may have them.
func diskReports(t *testing.T) map[string]report {
	read := func(path string) []byte {
		return only.Value(os.ReadFile(path))(t)
	}
	samples := filepath.Join("..", "..", "couriers", "testdata")
	all := map[string]report{}
	for _, path := range only.Value(filepath.Glob(filepath.Join(samples, "*", "*.csv")))(t) {
		if !strings.HasSuffix(path, ".orders.csv") {
			name := filepath.Base(filepath.Dir(path)) + "-" + filepath.Base(path)
			all[name] = report{read(path), read(strings.TrimSuffix(path, ".csv") + ".orders.csv")}
		}
	}
	workbooks := only.Value(filepath.Glob(filepath.Join("..", "..", "adapters", "table", "sheet", "testdata", "*.xls*")))(t)
	for _, path := range workbooks {
		all[filepath.Base(path)] = report{read(path), read(filepath.Join(samples, "custom", "panel.orders.csv"))}
	}
	require.Greater(t, len(all), 30)
	return all
}

// verdicts compares a report with the orders, and returns everything that came of it.
func verdicts(t *testing.T, r report) string {
	tables := table.New()
	var orders verdict.Orders
	orders.Reset()
	require.NoError(t, storefront.New(tables).Orders(ports.Content{Bytes: bytes.Clone(r.orders)}).Read(&orders))
	var lines verdict.Remittances
	content := ports.Content{Bytes: bytes.Clone(r.content), Workbook: true}
	mapping, err := couriers.New(tables).Remittances(content, ports.MappingChoice{}).Read(func() *verdict.Orders { return &orders }, &lines)
	if err != nil {
		return fmt.Sprintf("%#v", err)
	}
	var run verdict.Reconciliation
	require.NoError(t, run.Decide(&orders, &lines, domain.Terms{OffsetDays: 7, MinorGap: 100}))
	var said strings.Builder
	fmt.Fprintf(&said, "%v %+v %+v\n", mapping, run.Tally, run.Guidance)
	for i := range run.Len() {
		fmt.Fprintf(&said, "%+v\n", run.Result(i))
	}
	return said.String()
}

// Every report is read through the source: what comes of it is what comes of the
// file on the disk.
var _ = sourceCases.add("the verdicts are those of the disk", func(t *testing.T, w *world) {
	disk := diskReports(t)
	expected := map[string]report{}
	for name, r := range disk {
		w.Put(name, r.content, now)
		expected[w.listed(name)] = r
	}
	const packed = "delhivery-remittance.csv"
	w.Put("packed.zip", zips.Of(packed, string(disk[packed].content)), now)
	expected[w.listed("packed.zip")] = disk[packed]

	opened := w.mustOpen()
	files := w.mustList(opened, now.Add(-time.Hour))
	require.Len(t, files, len(expected))
	decided := 0
	for _, f := range files {
		content, err := opened.Read(t.Context(), f, domain.MaxPassBytes)
		require.NoError(t, err, f.Name)
		onDisk := verdicts(t, expected[f.Name])
		require.Equal(t, onDisk, verdicts(t, report{content, expected[f.Name].orders}), f.Name)
		if strings.Contains(onDisk, "Flag:") {
			decided++
		}
	}
	require.Greater(t, decided, 20)
})
