package browser_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"milaan/adapters/httpapi/dashboard/assets"
	"milaan/tests/browser"
)

// stage serves the pages with answers that a test has made, so that it can show what no
// files would lead to.
type stage struct {
	URL     string
	sample  atomic.Pointer[[]byte]
	refuses atomic.Int32 // how many times GET /app/api/sample is still refused
	lost    atomic.Value // the name of a file whose connection is lost
}

func newStage(t testing.TB, sample []byte) *stage {
	t.Helper()
	s := &stage{}
	s.sample.Store(&sample)
	pages := assets.New()
	mux := http.NewServeMux()
	mux.Handle("GET /app", pages.Page(http.StatusOK))
	mux.Handle("GET /app/", pages.Page(http.StatusOK))
	for name, file := range pages.Files {
		served := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if s.lost.Load() == name {
				panic(http.ErrAbortHandler)
			}
			file.ServeHTTP(w, r)
		})
		mux.Handle("GET "+assets.At+name, served)
		mux.Handle("GET "+strings.Replace(assets.Again, ":failures", "{failures}", 1)+name, served)
	}
	mux.HandleFunc("GET /app/api/me", func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, `{"visitor":"local","sign_in":{"link":true,"oidc":false},"account":null,"quota":null,"limits":{"rows":50000,"reports":20,"body_bytes":67108864},"couriers":[{"id":"delhivery","name":"Delhivery"}],"languages":[{"code":"en","name":"English"}],"defaults":{"overdue_days":7,"minor_gap":2},"retention_days":731,"base_url":"http://127.0.0.1"}`)
	})
	mux.HandleFunc("GET /app/api/sample", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Cache-Control", "no-store")
		if s.refuses.Add(-1) >= 0 {
			w.WriteHeader(http.StatusServiceUnavailable)
			fmt.Fprint(w, `{"error":"The service has too much to do. Send the request again in some seconds.","code":"busy"}`)
			return
		}
		_, _ = w.Write(*s.sample.Load())
	})
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	s.URL = server.URL
	return s
}

// open opens the results of the sample in a tab.
func (s *stage) open(t testing.TB) *browser.Tab {
	t.Helper()
	tab := browser.Open(t, s.URL).Go("/app/results?sample")
	tab.See("Sample results", "At risk")
	return tab
}

// Shapes of the answer of POST /app/api/reconcile, in paise where they are amounts.
type (
	line struct {
		Report     int    `json:"report"`
		Line       int    `json:"line"`
		AWB        string `json:"awb,omitempty"`
		OrderID    string `json:"order_id,omitempty"`
		Listed     rupees `json:"cod_amount"`
		Remitted   rupees `json:"remitted"`
		RemittedOn string `json:"remitted_on,omitempty"`
		UTR        string `json:"utr,omitempty"`
		Status     string `json:"status,omitempty"`
	}
	order struct {
		AWB       string `json:"awb"`
		Name      string `json:"order_id"`
		Due       rupees `json:"cod_amount"`
		Remitted  rupees `json:"remitted"`
		Shortfall rupees `json:"shortfall"`
		Days      int    `json:"days_overdue"`
		Flag      string `json:"flag"`
		Reason    string `json:"flag_reason"`
		Status    string `json:"status"`
		MatchMode string `json:"match_mode"`
		OrderDate string `json:"order_date,omitempty"`
		DueBy     string `json:"due_by,omitempty"`
		UTR       string `json:"utr,omitempty"`
		Lines     []line `json:"lines"`
		Dispute   string `json:"dispute,omitempty"`
	}
	flagSum struct {
		Flag      string `json:"flag"`
		Orders    int    `json:"orders"`
		Due       rupees `json:"due"`
		Remitted  rupees `json:"remitted"`
		Shortfall rupees `json:"shortfall"`
		AtRisk    rupees `json:"amount_risk"`
	}
	band struct {
		From   int    `json:"from"`
		To     *int   `json:"to"`
		Orders int    `json:"orders"`
		Amount rupees `json:"amount"`
	}
	payout struct {
		Report     int     `json:"report"`
		Courier    string  `json:"courier,omitempty"`
		UTR        string  `json:"utr,omitempty"`
		RemittedOn string  `json:"remitted_on,omitempty"`
		Lines      int     `json:"lines"`
		Collected  rupees  `json:"collected"`
		Deducted   *rupees `json:"deducted"`
		Paid       rupees  `json:"paid"`
	}
	answered struct {
		Results   []order  `json:"results"`
		Guidance  any      `json:"cycle_guidance"`
		Warnings  any      `json:"warnings,omitempty"`
		Reports   any      `json:"reports"`
		Payouts   []payout `json:"payouts"`
		Unclaimed []line   `json:"unclaimed"`
		Bank      any      `json:"bank,omitempty"`
		Duplicate bool     `json:"duplicate,omitempty"`
		RunID     string   `json:"run_id"`
		Summary   struct {
			Orders    int       `json:"orders"`
			Due       rupees    `json:"due"`
			Remitted  rupees    `json:"remitted"`
			Shortfall rupees    `json:"shortfall"`
			AtRisk    rupees    `json:"amount_risk"`
			Flagged   int       `json:"flagged_count"`
			Flags     []flagSum `json:"flags"`
			Ageing    []band    `json:"ageing"`
		} `json:"summary"`
		Text            []string `json:"guidance_text"`
		AcceptedCharges rupees   `json:"accepted_charges,omitzero"`
	}
)

// rupees is an amount in paise, which JSON has in rupees.
type rupees int64

func (r rupees) MarshalJSON() ([]byte, error) { return []byte(r.decimal()), nil }

func (r rupees) decimal() string {
	sign := ""
	if r < 0 {
		sign, r = "-", -r
	}
	text := fmt.Sprintf("%s%d.%02d", sign, r/100, r%100)
	return strings.TrimSuffix(strings.TrimRight(text, "0"), ".")
}

// shown is an amount as the page writes it: ₹1,23,456.70.
func (r rupees) shown() string {
	sign := ""
	if r < 0 {
		sign, r = "-", -r
	}
	whole := fmt.Sprint(int64(r) / 100)
	for at := len(whole) - 3; at > 0; at -= 2 {
		whole = whole[:at] + "," + whole[at:]
	}
	return fmt.Sprintf("%s₹%s.%02d", sign, whole, r%100)
}

var flagsDrawn = []string{"MISSING", "SHORT_PAID", "OVERDUE", "RTO_ANOMALY", "MINOR_DIFF", "OVERPAID", "AWAITING_NEXT_CYCLE", "RECONCILED", "A_LATER_FLAG"}

// hostile are texts that a file may have.
var hostile = []string{`<img src=x onerror=alert(1)>`, `=HYPERLINK("http://x")`, `"quoted" \ back`, "मिलान ₹", "É CAPITALS É", "\u2028 line", "emoji 😀", "-1+1", "@cmd", "a\tb\nc"}

// draw makes an answer of the given number of orders with sums as the service has them.
func draw(seed uint64, n int) *answered {
	r := rand.New(rand.NewPCG(seed, 11))
	a := &answered{RunID: "01934f00-0000-7000-8000-000000000000", Results: []order{}, Text: []string{"Run again after 14 April 2026 with the report of the next payout."}}
	a.Guidance = map[string]any{"offset_days": 7, "offset_source": "default", "batch_as_of": "2026-03-31", "courier_coverage_complete": false, "courier_data_through": "2026-04-02", "guaranteed_coverage_days": 14, "awaiting_next_cycle_count": 0}
	sums := map[string]*flagSum{}
	day := time.Date(2026, 3, 31, 0, 0, 0, 0, time.UTC)
	for i := range n {
		o := order{Name: fmt.Sprintf("#%d", 1000+r.IntN(10*n)), AWB: fmt.Sprint(1904076000000 + r.Int64N(1e9)), Due: rupees(r.Int64N(500_000)), Flag: flagsDrawn[r.IntN(len(flagsDrawn))],
			Status: []string{"fulfilled", "unfulfilled", "cancelled"}[r.IntN(3)], MatchMode: "awb", OrderDate: day.AddDate(0, 0, -r.IntN(60)).Format(time.DateOnly), UTR: fmt.Sprint("UTR", r.IntN(50))}
		if r.IntN(10) == 0 {
			o.AWB, o.OrderDate, o.MatchMode = "", "", "order_id"
		}
		o.Reason = "Not remitted: " + o.Due.shown() + " since " + o.OrderDate
		if r.IntN(8) == 0 {
			o.Reason = hostile[r.IntN(len(hostile))]
			o.Name = hostile[r.IntN(len(hostile))]
		}
		switch o.Flag {
		case "MISSING", "OVERDUE", "RTO_ANOMALY":
			o.Shortfall, o.Days = o.Due, 1+r.IntN(90)
		case "SHORT_PAID", "MINOR_DIFF":
			o.Remitted = o.Due - rupees(r.Int64N(200))
			o.Shortfall = o.Due - o.Remitted
		case "OVERPAID":
			o.Remitted = o.Due + 1 + rupees(r.Int64N(9_999))
			o.Shortfall = o.Due - o.Remitted
		case "RECONCILED":
			o.Remitted = o.Due
		}
		if o.Days > 0 {
			o.Dispute = "AWB " + o.AWB + ": please remit " + o.Due.shown() + "."
		}
		for k := range r.IntN(3) {
			o.Lines = append(o.Lines, line{Report: 1, Line: 2 + 3*i + k, AWB: o.AWB, OrderID: o.Name, Listed: o.Due, Remitted: o.Remitted, RemittedOn: "2026-03-30", UTR: o.UTR, Status: "Delivered"})
		}
		if o.Lines == nil {
			o.Lines = []line{}
		}
		a.Results = append(a.Results, o)
		s := sums[o.Flag]
		if s == nil {
			s = &flagSum{Flag: o.Flag}
			sums[o.Flag] = s
		}
		risk := rupees(0)
		if o.Flag != "RECONCILED" && o.Flag != "AWAITING_NEXT_CYCLE" && o.Shortfall > 0 {
			risk = o.Shortfall
		}
		s.Orders++
		s.Due, s.Remitted, s.Shortfall, s.AtRisk = s.Due+o.Due, s.Remitted+o.Remitted, s.Shortfall+o.Shortfall, s.AtRisk+risk
	}
	all := &a.Summary
	all.Flags = []flagSum{}
	for _, f := range flagsDrawn {
		if s := sums[f]; s != nil {
			all.Flags = append(all.Flags, *s)
			all.Orders += s.Orders
			all.Due, all.Remitted, all.Shortfall, all.AtRisk = all.Due+s.Due, all.Remitted+s.Remitted, all.Shortfall+s.Shortfall, all.AtRisk+s.AtRisk
		}
	}
	week := 7
	all.Ageing = []band{{From: 0, To: &week, Orders: 3, Amount: all.AtRisk / 2}, {From: 8, Orders: 5, Amount: all.AtRisk - all.AtRisk/2}}
	sum := func(lines int, remitted rupees) map[string]any {
		return map[string]any{"lines": lines, "remitted": remitted}
	}
	a.Reports = []any{map[string]any{"report": 1, "courier": "delhivery", "rows": n, "data_through": "2026-04-02", "read": sum(n, all.Remitted), "matched": sum(n, all.Remitted), "unclaimed": sum(0, 0), "repeated": sum(0, 0), "unidentified": sum(0, 0)}}
	deducted := rupees(1_205)
	a.Payouts = []payout{{Report: 1, Courier: "delhivery", UTR: "UTR1", RemittedOn: "2026-03-30", Lines: n, Collected: all.Remitted + deducted, Deducted: &deducted, Paid: all.Remitted}, {Report: 1, RemittedOn: "2026-03-31", Lines: 1, Collected: 5_000, Paid: 5_000}}
	a.Unclaimed = []line{{Report: 1, Line: 7, AWB: "77", OrderID: "9999", Listed: 50_050, Remitted: 50_050, RemittedOn: "2026-03-30", UTR: "UTR1"}, {Report: 1, Line: 9, OrderID: "8888", Listed: 100, Remitted: 100}}
	return a
}

func (a *answered) text(t testing.TB) []byte {
	t.Helper()
	text, err := json.Marshal(a)
	require.NoError(t, err)
	return inLines(text)
}

// inLines ends a line after each object of a list that is in no other list, as an answer for a
// page does.
func inLines(text []byte) (lines []byte) {
	var open []byte // what the text is in
	quoted := false
	for i := 0; i < len(text); i++ {
		c := text[i]
		lines = append(lines, c)
		switch {
		case quoted && c == '\\':
			i++
			lines = append(lines, text[i])
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '{' || c == '[':
			open = append(open, c)
		case c == '}' || c == ']':
			open = open[:len(open)-1]
			if c == '}' && bytes.HasSuffix(open, []byte("[")) && bytes.Count(open, []byte("[")) == 1 {
				lines = append(lines, '\n')
			}
		}
	}
	return lines
}
