package connecting_test

import (
	"bytes"
	"context"
	"encoding/csv"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/xuri/excelize/v2"

	"milaan/adapters/outbound"
	"milaan/adapters/sources"
	"milaan/adapters/storefront"
	"milaan/adapters/table"
	"milaan/app/runs"
	"milaan/couriers"
	"milaan/domain"
	"milaan/ports"
	"milaan/tests/fakes/imap"
	"milaan/tests/fakes/ithink"
	"milaan/tests/fakes/zips"
	"milaan/tests/only"
)

// TestSameVerdictsFromEverySource holds that a month of iThink gets the same verdicts whether
// its report is read from disk, comes as an attachment of any kind, from iThink itself, or was
// uploaded for the autopilot.
func TestSameVerdictsFromEverySource(t *testing.T) {
	t.Parallel()
	month := filepath.Join("..", "service", "testdata", "pairs", "month_ithink")
	report := only.Value(os.ReadFile(filepath.Join(month, "report.csv")))(t)
	records := only.Value(csv.NewReader(bytes.NewReader(report)).ReadAll())(t)
	workbook := workbookOf(t, records)
	window := time.Date(2025, 12, 1, 0, 0, 0, 0, time.UTC)
	came := time.Date(2026, 1, 21, 10, 0, 0, 0, time.UTC)

	disk := verdicts(t, month, report)
	require.Greater(t, len(disk), 20)
	flags := map[string]bool{}
	for _, v := range disk {
		flags[v.flag] = true
	}
	require.Greater(t, len(flags), 1, "of different kinds")

	mailed := func(name string, content []byte) func(*testing.T) (sources.Params, domain.ReportSource) {
		return func(t *testing.T) (sources.Params, domain.ReportSource) {
			server := imap.New(t, imap.TLS)
			server.Add(t, imap.Mailbox, came, imap.Mail{From: "cod@courier.example", Subject: "COD", Date: came, Attachments: []imap.Attachment{{Name: name, Content: content}}}.Bytes())
			return sources.Params{}, domain.ReportSource{Connector: "imap", Settings: server.Settings()}
		}
	}
	for name, start := range map[string]func(*testing.T) (sources.Params, domain.ReportSource){
		"a mail with CSV":                 mailed("report.csv", report),
		"a mail with a workbook":          mailed("report.xlsx", workbook),
		"a mail with CSV in an archive":   mailed("report.zip", zips.Of("June/report.csv", string(report))),
		"a mail with a workbook in a zip": mailed("report.zip", zips.Of("report.xlsx", string(workbook))),
		"iThink": func(t *testing.T) (sources.Params, domain.ReportSource) {
			server := ithink.New(t)
			days := map[string][]ithink.Line{}
			for _, r := range records[1:] {
				day := only.Value(time.Parse("02-Jan-06", r[3]))(t)
				key := day.Format(time.DateOnly)
				days[key] = append(days[key], ithink.Line{Order: r[0], AWB: r[1], Price: r[2]})
			}
			for day, lines := range days {
				server.Pay(day, lines...)
			}
			return sources.Params{Clock: func() time.Time { return came }}, domain.ReportSource{Connector: "ithink", Settings: server.Settings()}
		},
		"an upload": func(*testing.T) (sources.Params, domain.ReportSource) {
			kept := &kept{contents: map[string][]byte{}}
			kept.put("report.csv", report, came)
			return sources.Params{Kept: kept}, domain.ReportSource{ID: "source", Connector: "upload"}
		},
	} {
		t.Run(name, func(t *testing.T) {
			params, source := start(t)
			params.Settings.AllowLoopback, params.Guards = true, outbound.New(outbound.Settings{})
			open := only.Value(sources.New(params).Open(t.Context(), ports.SourceAccess{Source: source}))(t)
			defer func() { require.NoError(t, open.Close()) }()
			files := only.Value(open.List(t.Context(), window))(t)
			var reports [][]byte
			for _, f := range files {
				content := only.Value(open.Read(t.Context(), f, 1<<20))(t)
				reports = append(reports, content)
			}
			require.Equal(t, disk, verdicts(t, month, reports...))
		})
	}
}

// verdict is what is found of an order.
type flagged struct {
	order, flag              string
	due, remitted, shortfall domain.Paise
	matched                  string
	overdue                  int
}

// verdicts compares the orders of a month with reports.
func verdicts(t *testing.T, month string, reports ...[]byte) (all []flagged) {
	t.Helper()
	orders := only.Value(os.ReadFile(filepath.Join(month, "orders.csv")))(t)
	tables := table.New()
	engine := runs.NewReconciling(runs.ReconcilingParams{
		Storefronts: storefront.New(tables), Couriers: couriers.New(tables),
		Clock: func() time.Time { return time.Date(2026, 1, 22, 0, 0, 0, 0, time.UTC) },
	})
	request := ports.Request{Storefront: orders, Workbooks: true}
	for _, r := range reports {
		// All are of one courier; reading may alter them.
		request.Reports = append(request.Reports, ports.Report{Courier: slices.Clone(r), CourierName: domain.CustomCourier})
	}
	run := only.Value(engine.Preview(context.Background(), request))(t)
	defer run.Release()
	for i := range run.Len() {
		r := run.Result(i)
		all = append(all, flagged{string(r.OrderID), r.Flag.String(), r.Due, r.Remitted, r.Shortfall, fmt.Sprint(r.MatchMode), r.DaysOverdue})
	}
	return all
}

func workbookOf(t *testing.T, records [][]string) []byte {
	t.Helper()
	book := excelize.NewFile()
	defer func() { require.NoError(t, book.Close()) }()
	for i, r := range records {
		require.NoError(t, book.SetSheetRow("Sheet1", only.Value(excelize.CoordinatesToCellName(1, i+1))(t), &r))
	}
	var b bytes.Buffer
	require.NoError(t, book.Write(&b))
	return b.Bytes()
}
