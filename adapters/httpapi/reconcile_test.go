package httpapi

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"milaan/adapters/httpapi/compress"
	"milaan/adapters/httpapi/dashboard"
	"milaan/adapters/httpapi/jsonbody"
	"milaan/domain"
	"milaan/ports"
	"milaan/tests/only"
)

func TestReconcile(t *testing.T) {
	s := start(t, nil)
	var seen request
	var by caller
	s.reconcile = func(_ context.Context, c caller, r request) (*outcome, error) {
		by, seen = c, r
		seen.Storefront, seen.Courier = []byte(string(r.Storefront)), []byte(string(r.Courier)) // ours no longer
		return s.outcome(storedRun), nil
	}
	got := do(t, s.post(t, text(`{"shopify":"Name\n#1","courier":"AWB \"No\"","courierName":"custom","brand":"Chai ₹",
		"columns":{"awb":"Docket"},"overdue_threshold_days":7.0,"minor_gap_threshold":0e0,"charges":"accept","webhook":"ignored"}`)))
	require.Equal(t, http.StatusOK, got.status, got.body)
	require.JSONEq(t, `{"results":[],"cycle_guidance":{}}`, got.body)
	require.Equal(t, jsonType, got.header.Get("Content-Type"))
	require.Equal(t, storedRun, got.header.Get("X-Run-Id"))
	require.Equal(t, "no-store", got.header.Get("Cache-Control"))
	require.Equal(t, "nosniff", got.header.Get("X-Content-Type-Options"))
	require.Empty(t, got.header.Get("Strict-Transport-Security"), "this is plain HTTP on loopback")

	seven, zero := 7, 0
	require.NotNil(t, seen.Read, "the body's memory can go once it is read")
	seen.Read, seen.Made, seen.Claim = nil, nil, nil
	require.Equal(t, request{
		Storefront: []byte("Name\n#1"), Courier: []byte(`AWB "No"`), CourierName: "custom", Brand: "Chai ₹",
		Columns: map[string]string{"awb": "Docket"}, OverdueDays: &seven, MinorGap: &zero, Charges: domain.AcceptCharges, Source: domain.SourceAPI,
	}, seen)
	require.Equal(t, "account-1", by.Account.ID)
	require.Equal(t, []string{"admit " + goodKey, "reconcile"}, s.asked())
	require.Equal(t, 1, s.released)
	require.EqualValues(t, 1, figure(t, s.server.figures, "milaan_runs_total", "outcome", "stored"))

	log := s.log.String()
	require.Contains(t, log, "route=/reconcile")
	require.Contains(t, log, "account_id=account-1")
	require.Contains(t, log, "status=200")
	for _, private := range []string{"asha@", goodKey, "Chai"} {
		require.NotContains(t, log, private)
	}
}

// While a run is stored, its request keeps the memory of the results alone.
func TestARunKeepsItsResultsMemoryWhileItIsStored(t *testing.T) {
	s := start(t, nil)
	charged := func() float64 { return figure(t, s.server.figures, "milaan_body_bytes") }
	results := 100.0
	s.reconcile = func(_ context.Context, _ caller, r request) (*outcome, error) {
		before := charged()
		r.Read()
		require.Less(t, charged(), before)
		r.Made(&outcome{Memory: 100})
		require.InDelta(t, results, charged(), 0)
		return s.outcome(storedRun), nil
	}
	long := strings.Replace(goodBody, "{", `{"x":"`+strings.Repeat("x", 1<<19)+`",`, 1)
	plain := s.post(t, text(long))
	plain.Header.Set("Accept-Encoding", "identity")
	require.Equal(t, 200, do(t, plain).status)
	require.Zero(t, charged())
	results += compress.Memory // by default the client accepts gzip
	require.Equal(t, 200, do(t, s.post(t, text(long))).status)
	require.Zero(t, charged())
}

// A document is made in memory, which may be more than its run took. So its request is charged
// for the flagged orders until the document is written, or if it is one of vouchers for the lines.
func TestADocumentIsChargedWhileItIsWritten(t *testing.T) {
	for format, least := range map[domain.Format]float64{domain.FormatPDF: 1000 * bytesPerFlagged, domain.FormatTally: 2000 * bytesPerVoucher,
		domain.FormatJournal: 2000 * bytesPerVoucher} {
		s := start(t, nil)
		charged := func() float64 { return figure(t, s.server.figures, "milaan_body_bytes") }
		s.makes = func(r ports.DocumentRequest) (*ports.Document, error) {
			r.Read()
			run := s.outcome(storedRun)
			run.Tally.Flags[domain.Missing], run.Tally.CourierRows = 1000, 2000
			return &ports.Document{FinishedRun: run, Format: format, Write: func(create func(string) (io.Writer, error)) ([]domain.Warning, error) {
				assert.GreaterOrEqual(t, charged(), least)
				w := only.Value(create("report.pdf"))(t)
				_, err := io.WriteString(w, "%PDF")
				return nil, err
			}}, nil
		}
		got := do(t, s.postTo(t, "/report", text(goodBody)))
		require.Equal(t, 200, got.status)
		require.Equal(t, "%PDF", got.body)
		require.Zero(t, charged())
		require.Equal(t, 1, s.released)
	}
}

func TestOnlyAStoredRunsAnswerBearsItsID(t *testing.T) {
	s := start(t, nil)
	s.reconcile = func(context.Context, caller, request) (*outcome, error) {
		o := s.outcome(storedRun)
		o.Duplicate = true
		return o, nil
	}
	require.NotContains(t, do(t, s.post(t, text(goodBody))).header, "X-Run-Id", "a duplicate is not stored; its body names the first run")
	require.EqualValues(t, 1, figure(t, s.server.figures, "milaan_runs_total", "outcome", "duplicate"))
	require.Zero(t, figure(t, s.server.figures, "milaan_runs_total", "outcome", "stored"))

	s.reconcile = func(context.Context, caller, request) (*outcome, error) { return s.outcome(""), nil }
	require.NotContains(t, do(t, s.post(t, text(goodBody))).header, "X-Run-Id", "nothing was stored")
}

func TestContentType(t *testing.T) {
	for media, good := range map[string]bool{
		"application/json": true, "Application/JSON": true, "application/json; charset=utf-8": true, `application/json;charset="UTF-8"`: true,
		"application/json; profile=x": true, "": false, "application/json; charset=latin1": false, "application/jsonp": false,
		"text/json": false, "application/json, text/plain": false, "application/problem+json": false, ";": false,
	} {
		err := demandJSON(http.Header{"Content-Type": {media}})
		if good {
			require.NoError(t, err, media)
		} else {
			require.Equal(t, errMedia, err, media)
		}
	}
	require.Equal(t, errMedia, demandJSON(http.Header{}))
	for _, types := range [][]string{{"application/json", "application/json"}, {"text/csv", "application/json"}, {"application/json", ""}} {
		require.Equal(t, errMediaTwice, demandJSON(http.Header{"Content-Type": types}), types)
	}
	s := start(t, nil)
	for encoding, want := range map[string]error{"": nil, "Identity": nil, "gzip": nil, "br": errCoding, "identity, gzip": errCoding, "gzip, gzip": errCoding, "gzip, zstd": errCoding} {
		r := s.post(t, text(goodBody))
		r.Header.Set("Content-Encoding", encoding)
		plain := demandJSON(r.Header)
		if want == nil {
			require.Equal(t, encoding == "gzip", plain != nil, encoding)
			continue
		}
		require.Equal(t, errPacked, plain, encoding)
		got := do(t, r)
		demandError(t, got, 415, said(want))
		require.Equal(t, "gzip, zstd", got.header.Get("Accept-Encoding"), encoding)
		r.Header.Add("Content-Encoding", "gzip")
		require.Equal(t, errMediaTwice, demandJSON(r.Header), "a proxy may read the other one")
	}
}

func TestBearer(t *testing.T) {
	for value, want := range map[string]string{
		"Bearer k": "k", "bearer k": "k", "BEARER  k ": "k", "Bearer": "", "Bearer ": "", "Basic k": "", "k": "", "Bearer a b": "", "": "",
	} {
		got, ok := dashboard.Bearer(http.Header{"Authorization": {value}})
		require.Equal(t, want != "", ok, value)
		if ok {
			require.Equal(t, want, got)
		}
	}
	_, ok := dashboard.Bearer(http.Header{"Authorization": {"Bearer a", "Bearer b"}})
	require.False(t, ok, "two keys")
	_, ok = dashboard.Bearer(http.Header{})
	require.False(t, ok)
}

// What is said of the fields of a request, alone or in a batch.
const (
	noExport   = "shopify is missing: send the whole text of the storefront's orders export (CSV) as a string"
	noReport   = "courier is missing: send the whole text of the courier's remittance report (CSV) as a string"
	badDays    = "overdue_threshold_days must be a whole number from 1 to 30"
	badGap     = "minor_gap_threshold must be a whole number from 0 to 10"
	badCharges = "charges must be accept or flag"
	badColumns = `columns must be an object whose values are strings, such as {"awb": "Docket No"}`
)

func TestShapeOfARequest(t *testing.T) {
	with := func(more string) string { return `{"shopify":"a","courier":"b",` + more + `}` }
	several := func(reports ...string) string {
		return `{"shopify":"a","reports":[` + strings.Join(reports, ",") + `]}`
	}
	const good = `{"courier":"b"}`
	for sent, want := range map[string]string{
		``:                                "the request body is empty: send a JSON object with shopify and courier",
		`{"shopify":"a`:                   "the request body is not valid JSON: unexpected end of JSON input (at byte 13)",
		`[]`:                              "the request body must be a JSON object, not an array",
		`"x"`:                             "the request body must be a JSON object, not a string",
		` null `:                          "the request body must be a JSON object, not null",
		`7`:                               "the request body must be a JSON object, not a number",
		`{}`:                              noExport,
		`{"shopify":null,"courier":"b"}`:  noExport,
		`{"shopify":"","courier":"b"}`:    noExport,
		`{"shopify":"a"}`:                 noReport,
		`{"shopify":"a","courier":5}`:     "courier must be a string, not a number",
		`{"shopify":["a"],"courier":"b"}`: "shopify must be a string, not an array",
		`{"shopify":true,"courier":"b"}`:  "shopify must be a string, not a boolean",
		`{"SHOPIFY":"a","courier":"b"}`:   noExport,

		with(`"brand":null,"courierName":null`):                        "",
		with(`"brand":{}`):                                             "brand must be a string, not an object",
		with(`"courierName":7`):                                        "courierName must be a string, not a number",
		with(`"overdue_threshold_days":3.0e1`):                         "",
		with(`"overdue_threshold_days":null`):                          "",
		with(`"overdue_threshold_days":7.5`):                           badDays,
		with(`"overdue_threshold_days":"7"`):                           badDays,
		with(`"overdue_threshold_days":3e9`):                           badDays,
		with(`"overdue_threshold_days":1e999`):                         badDays,
		with(`"minor_gap_threshold":10.01`):                            badGap,
		with(`"minor_gap_threshold":true`):                             badGap,
		with(`"minor_gap_threshold":-1`):                               "", // which is for the use case to judge
		with(`"charges":null`):                                         "",
		with(`"charges":"Accept"`):                                     "", // which is for the use case to judge
		with(`"charges":""`):                                           badCharges,
		with(`"charges":true`):                                         badCharges,
		with(`"charges":["accept"]`):                                   badCharges,
		with(`"columns":{}`):                                           "",
		with(`"columns":[]`):                                           badColumns,
		with(`"columns":{"awb":1}`):                                    badColumns,
		with(`"columns":"awb"`):                                        badColumns,
		with(`"minor_gap_threshold":0.5,"overdue_threshold_days":0.5`): badDays,

		with(`"bank":"x","include":["lines","orders","payouts","unclaimed"]`): "",
		with(`"bank":[]`):             "bank must be a string, not an array",
		with(`"include":"payouts"`):   "include must be an array of names: payouts, unclaimed, orders, lines, open_items",
		with(`"include":[null]`):      "include must be an array of names: payouts, unclaimed, orders, lines, open_items",
		with(`"include":["Payouts"]`): `include has an unknown name "Payouts"; what can be included is payouts, unclaimed, orders, lines, open_items`,
		with(`"include":[""]`):        `include has an unknown name ""; what can be included is payouts, unclaimed, orders, lines, open_items`,
		with(`"reports":null`):        "",
		with(`"reports":[{}]`):        "reports and courier cannot both be given: send one report as courier, or several as reports",
		with(`"reports":[]`):          "reports and courier cannot both be given: send one report as courier, or several as reports",

		`{"shopify":"a","courier":null,"reports":[{"courier":"b"},{"courier":"c","courierName":"x","columns":{"awb":"d"}}]}`: "",

		several():                       "reports must have 1 to 20 entries: send at least one report",
		several(`{}`):                   "reports[0].courier is missing: send the whole text of the courier's remittance report (CSV) as a string",
		several(good, `{"courier":""}`): "reports[1].courier is missing: send the whole text of the courier's remittance report (CSV) as a string",
		several(good, `{"courier":5}`):  "reports[1].courier must be a string, not a number",
		several(good, `null`):           "reports[1] must be a JSON object, not null",
		several(good, `"b"`, `5`):       "reports[1] must be a JSON object, not a string",
		several(good, `{"courier":"b","courierName":true}`):   "reports[1].courierName must be a string, not a boolean",
		several(good, `{"courier":"b","columns":{"awb":[]}}`): "reports[1]." + badColumns,
		several(slices.Repeat([]string{good}, 20)...):         "",
		several(slices.Repeat([]string{good}, 21)...):         "reports has more than 20 entries: send the others in another run, or join those of one courier to one file",
		`{"shopify":"a","reports":{}}`:                        "reports must be an array of 1 to 20 reports, not an object",
	} {
		r, err := readRequest([]byte(sent), new(jsonbody.Decoder))
		requireSameJob(t, sent, r, err)
		if err == nil {
			err = onlyFirst(r.Misread.Err())
		}
		if want == "" {
			require.NoError(t, err, sent)
			continue
		}
		require.Equal(t, 400, refuse(err).status, sent)
		require.Equal(t, want, said(err), sent)
	}
	for _, fields := range []string{
		`"overdue_threshold_days":7.0`, `"OVERDUE_THRESHOLD_DAYS":0`, `"minor_gap_threshold":1e1`, `"minor_gap_threshold":11`,
		`"minor_gap_threshold":1,"minor_gap_threshold":-1`, `"minor_gap_threshold":"x","minor_gap_threshold":1`, `"unknown":{"shopify":5}`,
		`"courierName":"DTDC"`, `"courierName":"a\u0000"`, `"columns":null`, `"courierName":"custom","columns":{"awb":"x"}`,
		`"courierName":"custom","columns":{"awb":null}`, `"shopify":null`, `"Shopify":"again"`, `"courier":false`, `"\u0063ourier":"escaped"`,
		`"courier":"\ud800"`, `"brand":"` + strings.Repeat("ñ", 101) + `"`, `"brand":5,"brand":{}`, `"columns":{"awb":"x"},"columns":[]`,
	} {
		r, err := readRequest([]byte(with(fields)), new(jsonbody.Decoder))
		requireSameJob(t, with(fields), r, err)
	}
}

// TestSeveralReports is the request that several reports, a statement and include make.
func TestSeveralReports(t *testing.T) {
	r, err := readRequest([]byte(`{"shopify":"s","reports":[{"courier":"a\nb","courierName":"dtdc","x":1},{"courier":"c","columns":{"awb":"d"}}],"bank":"e\tf","previous":"g\nh","include":["payouts","open_items"],"courierName":"custom"}`), new(jsonbody.Decoder))
	require.NoError(t, err)
	require.Equal(t, request{
		Storefront: []byte("s"), Statement: []byte("e\tf"), Previous: []byte("g\nh"), CourierName: "custom",
		Include: domain.IncludePayouts | domain.IncludeOpenItems, Source: domain.SourceAPI,
		Reports: []ports.Report{{Courier: []byte("a\nb"), CourierName: "dtdc"}, {Courier: []byte("c"), Columns: map[string]string{"awb": "d"}}},
	}, r)
	require.EqualValues(t, len("s"+"a\nb"+"c"+"e\tf"+"g\nh"), r.Bytes())
	batch := only.Value(decodeBatch([]byte(jobsOf(`{"shopify":"s","reports":[{},{"courier":5},7],"include":["x"],"bank":5}`))))(t)
	require.Equal(t, "bank must be a string, not a number; reports[1].courier must be a string, not a number; reports[2] must be a JSON object, not a number; "+
		`reports[0].courier is missing: send the whole text of the courier's remittance report (CSV) as a string; include has an unknown name "x"; what can be included is payouts, unclaimed, orders, lines, open_items`,
		said(batch.Jobs[0].Misread.Err()))
}

// requireSameJob demands that a job of a batch and the same fields in POST /reconcile are
// the same request, or have the same first fault.
func requireSameJob(t *testing.T, sent string, alone request, err error) {
	t.Helper()
	if !strings.HasPrefix(sent, "{") || !json.Valid([]byte(sent)) {
		return // a batch with it would be none
	}
	job := readJob([]byte(sent))
	if err != nil {
		require.Equal(t, err, job.Misread[:1].Err(), sent)
		return
	}
	alone.Source = domain.SourceBatch
	require.Equal(t, alone, job, sent)
}

func TestDemo(t *testing.T) {
	s := start(t, func(s *Settings) { s.TrustedProxies = prefixes("127.0.0.1/32") })
	got := s.call(t, http.MethodGet, "/demo", "X-Forwarded-Proto", "https", "X-Forwarded-For", "6.6.6.6, 2001:db8::7")
	require.Equal(t, http.StatusOK, got.status)
	require.JSONEq(t, `{"results":[]}`, got.body)
	require.Equal(t, "max-age=31536000", got.header.Get("Strict-Transport-Security"))
	require.Equal(t, []string{"demo 2001:db8::/64"}, s.asked())
	require.NotContains(t, s.log.String(), "2001:db8")

	demandError(t, s.call(t, http.MethodGet, "/demo"), 403, said(errInsecure))

	s.runDemo = func(context.Context, string) (*outcome, error) { return nil, domain.ErrRate(60e9) }
	got = s.call(t, http.MethodGet, "/demo", "X-Forwarded-Proto", "https")
	demandError(t, got, 429, "Rate limit exceeded")
	require.Equal(t, "60", got.header.Get("Retry-After"))
	require.EqualValues(t, 1, figure(t, s.server.figures, "milaan_rate_limited_total", "route", "/demo"))
}
