package httpapi

import (
	"bytes"
	"context"
	"io"
	"mime/multipart"
	"net/http"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"
	"weak"

	"github.com/stretchr/testify/require"

	"milaan/domain"
	"milaan/ports"
	"milaan/tests/only"
)

// formOf is a form of pairs of names and values, and its Content-Type. Names of files are
// sent as those of files.
func formOf(t *testing.T, pairs ...string) (text, media string) {
	t.Helper()
	var b bytes.Buffer
	w := multipart.NewWriter(&b)
	for i := 0; i < len(pairs); i += 2 {
		write := w.CreateFormField
		if slices.Contains([]string{"orders", "report", "bank", "previous"}, pairs[i]) {
			file := "any name.xlsx"
			if pairs[i+1] == "" {
				file = "" // as browsers name what nobody has chosen
			}
			write = func(name string) (writer, error) { return w.CreateFormFile(name, file) }
		}
		require.NoError(t, only.Err(only.Value(write(pairs[i]))(t).Write([]byte(pairs[i+1]))))
	}
	require.NoError(t, w.Close())
	return b.String(), w.FormDataContentType()
}

func (s *service) postForm(t *testing.T, pairs ...string) reply {
	t.Helper()
	form, media := formOf(t, pairs...)
	return s.postAs(t, media, form)
}

func (s *service) postAs(t *testing.T, media, form string) reply {
	t.Helper()
	r := s.postTo(t, "/reconcile/files", text(form))
	r.Header.Set("Content-Type", media)
	return do(t, r)
}

func TestReconcileFiles(t *testing.T) {
	s := start(t, nil)
	var seen request
	s.reconcile = func(_ context.Context, c caller, r request) (*outcome, error) {
		seen = r
		seen.Storefront, seen.Courier, seen.Statement = bytes.Clone(r.Storefront), bytes.Clone(r.Courier), bytes.Clone(r.Statement)
		seen.Reports = slices.Clone(r.Reports)
		for i := range seen.Reports {
			seen.Reports[i].Courier = bytes.Clone(seen.Reports[i].Courier)
		}
		require.Equal(t, "key", c.RequestKey)
		r.Read()
		r.Made(&ports.FinishedRun{Memory: 10})
		return s.outcome(storedRun), nil
	}
	send := func(pairs ...string) reply {
		form, media := formOf(t, pairs...)
		r := s.postTo(t, "/reconcile/files", text(form))
		r.Header.Set("Content-Type", media)
		r.Header.Set("Idempotency-Key", "key")
		return do(t, r)
	}
	got := send("orders", "Name\r\n#1", "report", "AWB \"No\"\xff", "courierName", "custom", "brand", "Chai ₹\xff", "columns", `{"awb":"Docket"}`,
		"overdue_threshold_days", " 7.0 ", "minor_gap_threshold", "0", "charges", "flag", "include", "payouts, lines", "include", "orders", "sheet", "March", "sheet", "April 2026", "sheet", "", "webhook", "ignored")
	require.Equal(t, http.StatusOK, got.status, got.body)
	require.JSONEq(t, `{"results":[],"cycle_guidance":{}}`, got.body)
	require.Equal(t, storedRun, got.header.Get("X-Run-Id"))
	require.Equal(t, "no-store", got.header.Get("Cache-Control"))
	seven, zero := 7, 0
	seen.Read, seen.Made, seen.Claim = nil, nil, nil
	require.Equal(t, request{
		Storefront: []byte("Name\r\n#1"), Courier: []byte("AWB \"No\"\xff"), CourierName: "custom", Brand: "Chai ₹\ufffd", Workbooks: true, Sheets: []string{"March", "April 2026"},
		Columns: map[string]string{"awb": "Docket"}, OverdueDays: &seven, MinorGap: &zero, Charges: domain.FlagCharges, Source: domain.SourceAPI, Include: domain.IncludePayouts | domain.IncludeLines | domain.IncludeOrders,
	}, seen)
	require.Equal(t, []string{"admit " + goodKey, "reconcile"}, s.asked())
	require.EqualValues(t, 1, figure(t, s.server.figures, "milaan_runs_total", "outcome", "stored"))
	require.Zero(t, figure(t, s.server.figures, "milaan_body_bytes"))
	require.Contains(t, s.log.String(), "route=/reconcile/files")

	got = send("report", "a", "report", "b", "orders", "o", "courierName", "", "courierName", "dtdc", "bank", "d", "previous", "e", "columns", `{"awb":"x"}`, "columns", " ", "brand", "", "overdue_threshold_days", "")
	require.Equal(t, http.StatusOK, got.status, got.body)
	require.Equal(t, []ports.Report{{Courier: []byte("a"), Columns: map[string]string{"awb": "x"}}, {Courier: []byte("b"), CourierName: "dtdc"}}, seen.Reports)
	require.Equal(t, "d", string(seen.Statement))
	require.Equal(t, "e", string(seen.Previous))
	require.Empty(t, seen.Courier)
	require.Nil(t, seen.OverdueDays)

	got = send("report", "a", "report", "b", "orders", "o", "courierName", `["","dtdc"]`, "columns", `["{\"awb\":\"x\"}"," "]`, "include", `["payouts","lines"]`, "sheet", `["March","April 2026"]`, "mapping", `["[","Weekly"]`)
	require.Equal(t, http.StatusOK, got.status, got.body)
	require.Equal(t, []ports.Report{{Courier: []byte("a"), Columns: map[string]string{"awb": "x"}, Mapping: "["}, {Courier: []byte("b"), CourierName: "dtdc", Mapping: "Weekly"}}, seen.Reports)
	require.Equal(t, domain.IncludePayouts|domain.IncludeLines, seen.Include)
	require.Equal(t, []string{"March", "April 2026"}, seen.Sheets)

	got = send("orders", "o", "report", "a", "mapping", "[x", "sheet", `["x"`, "brand", `["b"]`)
	require.Equal(t, http.StatusOK, got.status, got.body)
	require.Equal(t, []any{"[x", []string{`["x"`}, `["b"]`}, []any{seen.Mapping, seen.Sheets, seen.Brand}, "these are no arrays, or fields that are given once")

	got = send("orders", "o", "report", "a", "report", "b", "courierName", "dtdc", "bank", "")
	require.Equal(t, http.StatusOK, got.status, got.body)
	require.Empty(t, seen.CourierName)
	require.Equal(t, []ports.Report{{Courier: []byte("a"), CourierName: "dtdc"}, {Courier: []byte("b"), CourierName: "dtdc"}}, seen.Reports, "one for all")
	require.Empty(t, seen.Statement)
	require.Nil(t, seen.Previous)
}

func TestShapeOfAForm(t *testing.T) {
	s := start(t, nil)
	with := func(more ...string) []string { return append([]string{"orders", "o", "report", "r"}, more...) }
	for _, c := range []struct {
		want string
		form []string
	}{
		{"", with()},
		{"", with("orders ", "x", "Report", "x")},
		{"orders is missing: send the storefront's orders export as a file in a part of this name", []string{"report", "r"}},
		{"orders is missing: send the storefront's orders export as a file in a part of this name", []string{"orders", "", "report", "r"}},
		{"report is missing: send the courier's remittance report as a file in a part of this name", []string{"orders", "o"}},
		{"report is missing: send the courier's remittance report as a file in a part of this name", []string{"orders", "o", "report", ""}},
		{"report 2 is missing: send the courier's remittance report as a file in a part of this name", with("report", "")},
		{"report has more than 20 entries: send the others in another run, or join those of one courier to one file", with(slices.Repeat([]string{"report", "x"}, 20)...)},
		{"", with(slices.Repeat([]string{"report", "x"}, 19)...)},
		{"orders is given more than once: send it once", with("orders", "again")},
		{"bank is given more than once: send it once", with("bank", "a", "bank", "b")},
		{"previous is given more than once: send it once", with("previous", "a", "previous", "b")},
		{"brand is given more than once: send it once", with("brand", "a", "brand", "b")},
		{"courierName is given neither once nor as often as report: send it once for all reports, or once for each of the 1 in their order", with("courierName", "a", "courierName", "b")},
		{"columns is given neither once nor as often as report: send it once for all reports, or once for each of the 3 in their order", with("report", "b", "report", "c", "columns", "{}", "columns", "{}")},
		{badColumns, with("columns", "awb=x")},
		{"", with("columns", "[]", "sheet", "[]")},
		{badColumns, with("columns", "[1]")},
		{badColumns, with("columns", `{"awb":5}`)},
		{badColumns, with("columns", `{"awb":"`+strings.Repeat("x", 9000)+`"}`)},
		{`columns of report 2 must be an object whose values are strings, such as {"awb": "Docket No"}`, with("report", "b", "columns", "", "columns", "x")},
		{badDays, with("overdue_threshold_days", "7.5")},
		{badDays, with("overdue_threshold_days", "seven")},
		{badDays, with("overdue_threshold_days", "0x7")},
		{badDays, with("overdue_threshold_days", `7,"brand":"x"`)},
		{badGap, with("minor_gap_threshold", `"1"`)},
		{"", with("charges", "")},
		{"charges is given more than once: send it once", with("charges", "flag", "charges", "flag")},
		{"minor_gap_threshold is given more than once: send it once", with("minor_gap_threshold", "1", "minor_gap_threshold", "1")},
		{`include has an unknown name "payout"; what can be included is payouts, unclaimed, orders, lines, open_items`, with("include", "orders,payout,x")},
	} {
		got := s.postForm(t, c.form...)
		if c.want == "" {
			require.Equal(t, http.StatusOK, got.status, got.body)
			continue
		}
		demandError(t, got, 400, c.want)
	}
	none := "the request body is empty: send a form with the files orders and report"
	whole, media := formOf(t, with()...)
	for _, c := range []struct{ media, form, want string }{
		{media, "", none},
		{media, whole[:len(whole)-9], "the form does not end with the boundary that Content-Type names, so that it may not be whole: send it again"},
		{media, "x\r\n" + whole, "the form does not begin with the boundary that Content-Type names: send both as your program made them"},
		{media, whole + "x", "the form goes on after its last boundary: send nothing after it"},
		{media, strings.Replace(whole, "form-data", "attachment", 1), "a part of the form has a header that cannot be read: give each part one Content-Disposition: form-data with its name, in a header of at most 4 KiB"},
		{media, strings.Replace(whole, "application/octet-stream", "multipart/mixed; boundary=x", 1), "a part of the form has parts of its own: send each file in a part of its own"},
		{media, strings.Replace(whole, "Content-Type: application", "Content-Transfer-Encoding: base64\r\nContent-Type: application", 1), "a part of the form is encoded for transfer: send the files as they are, without Content-Transfer-Encoding"},
		{"multipart/form-data", whole, "the form does not begin with the boundary that Content-Type names: send both as your program made them"},
		{"multipart/form-data; boundary=other", whole, "the form does not begin with the boundary that Content-Type names: send both as your program made them"},
	} {
		demandError(t, s.postAs(t, c.media, c.form), 400, c.want)
	}
	many, media := formOf(t, with(slices.Repeat([]string{"x", "y"}, 99)...)...)
	demandError(t, s.postAs(t, media, many), 400, "the form has more than 100 parts: leave out those that are not needed")
}

// TestWhatReportsShareIsNotCopied holds that a part of any length, which belongs to twenty
// reports, takes no more memory than once.
func TestWhatReportsShareIsNotCopied(t *testing.T) {
	shared := []byte("{}")
	for i := range domain.MaxReports {
		require.Same(t, &shared[0], &perReport{shared}.of(i)[0])
	}
	require.Nil(t, perReport{}.of(1))
}

func TestMediaTypeOfAForm(t *testing.T) {
	s := start(t, nil)
	form, media := formOf(t, "orders", "o", "report", "r")
	for _, other := range []string{"", "application/json", "multipart/mixed; boundary=x", "application/x-www-form-urlencoded", "multipart/form-data, text/plain", ";"} {
		demandError(t, s.postAs(t, other, form), 415, said(errForm))
	}
	require.Equal(t, 200, s.postAs(t, strings.Replace(media, "multipart/form-data", "Multipart/Form-Data; charset=utf-8", 1), form).status)
	for name, want := range map[string]error{"Content-Encoding": errPacked, "Content-Type": errFormTwice} {
		r := s.postTo(t, "/reconcile/files", text(form))
		r.Header.Set("Content-Type", media)
		r.Header.Add(name, "gzip")
		demandError(t, do(t, r), 415, said(want))
	}
	r := s.post(t, text(form))
	r.Header.Set("Content-Type", media)
	demandError(t, do(t, r), 415, said(errMedia))
}

// TestWorkbooksAreChargedForTheirText holds that a form with what may be a workbook is
// charged for more than its length, and one of CSV is not.
func TestWorkbooksAreChargedForTheirText(t *testing.T) {
	s := start(t, nil)
	var charged float64
	s.reconcile = func(context.Context, caller, request) (*outcome, error) {
		charged = figure(t, s.server.figures, "milaan_body_bytes")
		return s.outcome(storedRun), nil
	}
	const csv = "Name,Total\n#1,5\n"
	for beginning, workbook := range map[string]bool{
		"": false, "PK\x03\x04": true, "\xd0\xcf\x11\xe0": true, "<html>": true, "\ufeff \r\n<table>": true, "\t\x08\x10": true, "\xff\xfe<\x00h\x00": true, "P,K": false, "\"<\"": false, "\t,": false,
	} {
		for _, name := range []string{"orders", "report", "bank", "brand"} {
			form := []string{"orders", csv, "report", csv, "report", csv, "bank", csv}
			i := slices.Index(form, name)
			if i < 0 {
				form = append(form, name, beginning+csv)
			} else {
				form[i+1] = beginning + csv
			}
			require.Equal(t, 200, s.postForm(t, form...).status)
			require.Equal(t, workbook && name != "brand", charged > 256<<10, "%q as %s: %v", beginning, name, charged)
			require.Zero(t, figure(t, s.server.figures, "milaan_body_bytes"))
		}
	}
}

// TestFilesThatWereReadAreForgotten holds that nothing of a request has its body any more once its
// files were read: what a client that reads slowly holds is what is charged for its answer.
func TestFilesThatWereReadAreForgotten(t *testing.T) {
	s := start(t, nil)
	var body weak.Pointer[byte]
	s.reconcile = func(_ context.Context, _ ports.Caller, r ports.Request) (*ports.FinishedRun, error) {
		body = weak.Make(&r.Storefront[0])
		r.Read()
		r.Made(&ports.FinishedRun{Memory: 10})
		return s.outcome(storedRun), nil
	}
	s.write = func(io.Writer, *ports.FinishedRun, bool) error {
		require.Eventually(t, func() bool { runtime.GC(); return body.Value() == nil }, time.Minute, time.Millisecond)
		return nil
	}
	const bytes = 3 << 20 // buffers of this size lie in no list of spares
	form, media := formOf(t, "orders", "Name\n"+strings.Repeat("#1\n", bytes/3), "report", "AWB No\n1")
	require.Equal(t, http.StatusOK, do(t, s.post(t, text(`{"shopify":"`+strings.Repeat("#1,", bytes/3)+`","courier":"AWB No"}`))).status)
	for path, header := range map[string][2]string{"/reconcile/files": {"X-Any", "1"}, "/app/api/reconcile": {"Cookie", "milaan=" + signedIn}} {
		r := s.postTo(t, path, text(form))
		r.Header.Set("Content-Type", media)
		r.Header.Set("Sec-Fetch-Site", "same-origin")
		if r.Header.Set(header[0], header[1]); header[0] == "Cookie" {
			r.Header.Del("Authorization")
		}
		got := do(t, r)
		require.Equal(t, http.StatusOK, got.status, got.body)
	}
}
