package service

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"milaan/adapters/httpapi/intake"
	"milaan/domain"
	"milaan/tests/fakes/zips"
	"milaan/tests/only"
)

// pageRun is the answer of POST /app/api/reconcile.
type pageRun struct {
	Run
	Results []pageResult `json:"results"`
	Summary struct {
		flagSums
		Flagged int        `json:"flagged_count"`
		Flags   []flagSums `json:"flags"`
		Ageing  []struct {
			From   int     `json:"from"`
			To     *int    `json:"to"`
			Orders int     `json:"orders"`
			Amount float64 `json:"amount"`
		} `json:"ageing"`
	} `json:"summary"`
	GuidanceText []string          `json:"guidance_text"`
	Reports      []json.RawMessage `json:"reports"`
	Payouts      []json.RawMessage `json:"payouts"`
	Unclaimed    []json.RawMessage `json:"unclaimed"`
	Bank         json.RawMessage   `json:"bank"`
}

type pageResult struct {
	Result
	Dispute   *string           `json:"dispute"`
	OrderDate string            `json:"order_date"`
	Lines     []json.RawMessage `json:"lines"`
}

type flagSums struct {
	Flag      string  `json:"flag"`
	Orders    int     `json:"orders"`
	Due       float64 `json:"due"`
	Remitted  float64 `json:"remitted"`
	Shortfall float64 `json:"shortfall"`
	AtRisk    float64 `json:"amount_risk"`
}

// inspected is the answer of POST /app/api/inspect.
type inspected struct {
	Orders *struct {
		inspectedFile
		Recognised, Name string
		Orders           int
	}
	Reports []inspectedReport
	Bank    *inspectedFile
	Ledger  *struct {
		inspectedFile
		Orders, Lines, Open int
		Brand               string
		AsOf                string `json:"as_of"`
	} `json:"previous"`
}

type inspectedFile struct {
	Is, Kind, Sheet string
	HeaderLine      int `json:"header_line"`
	Header          []string
	Columns         []struct {
		Name    string
		Samples []string
	}
	Rows     int
	From, To *string
	Fault    *pageFault
}

type inspectedReport struct {
	inspectedFile
	Courier, Name string
	Also          []string
	Saved         bool
	Mapping       []struct {
		Role, Column, Source string
		Required             bool
		Candidates, Samples  []string
	}
	Missing    []string
	SavedName  string   `json:"saved_name"`
	SavedNames []string `json:"saved_names"`
	HeaderHash string   `json:"header_hash"`
}

func (r inspectedReport) columnOf(role string) string {
	for _, m := range r.Mapping {
		if m.Role == role {
			return m.Column + "/" + m.Source
		}
	}
	return ""
}

func (b *Browser) reconcile(t testing.TB, body Body) pageRun {
	t.Helper()
	return answered[pageRun](t, b.SendForm(t, "/app/api/reconcile", body.Form(t)))
}

func (b *Browser) inspect(t testing.TB, body Body) inspected {
	t.Helper()
	return answered[inspected](t, b.SendForm(t, "/app/api/inspect", body.Form(t)))
}

func withParts(form []byte, namesAndTexts ...string) []byte {
	form = bytes.TrimSuffix(bytes.TrimSpace(form), []byte("--"+FormBoundary+"--"))
	for i := 0; i < len(namesAndTexts); i += 2 {
		form = append(form, PartOfForm(namesAndTexts[i], namesAndTexts[i+1])...)
	}
	return append(form, EndOfForm...)
}

// TestRunsOfTheDashboard holds what a run in the dashboard is, beside one of the API.
func TestRunsOfTheDashboard(t *testing.T) {
	t.Parallel()
	s := Start(t, Options{Settings: OnLoopback})
	t.Run("a run is stored with its source, counted and announced, and a repeat is a duplicate", func(t *testing.T) {
		c, e := s.Customer(t, OnPlan(domain.Enterprise)), NewEndpoint(t, nil)
		c.Watch(t, e)
		b := c.SignIn(t)
		a := b.SendForm(t, "/app/api/reconcile", EightFlags().Form(t))
		run := answered[pageRun](t, a)
		require.NotNil(t, run.RunID)
		require.Equal(t, *run.RunID, a.Header.Get("X-Run-Id"))
		require.Nil(t, run.Duplicate)
		require.Equal(t, [][]string{{"dashboard"}}, s.Query(t, fmt.Sprintf("SELECT source FROM runs WHERE id = '%s'", *run.RunID)))
		c.Deliveries(t)
		require.Len(t, e.Calls(), 1)
		again := b.reconcile(t, EightFlags())
		require.True(t, *again.Duplicate)
		require.Equal(t, run.RunID, again.RunID)
		require.True(t, *c.Run(t, EightFlags()).Duplicate, "for the API it is the same run")
	})
	t.Run("the answer is that of the API with everything included, and its sums are those of the results", func(t *testing.T) {
		c := s.Customer(t)
		run := c.SignIn(t).reconcile(t, Months())
		s.Clock.Advance(time.Minute)
		of := c.Run(t, Months())
		require.Len(t, run.Results, len(of.Results))
		slices.SortFunc(run.Results, func(a, b pageResult) int { return cmp.Compare(a.OrderID, b.OrderID) }) // as in the export
		sums := map[string]flagSums{}
		disputed := 0
		for i, r := range run.Results {
			of.Results[i].FlagReason = daysSpelled(of.Results[i].FlagReason)
			require.Equal(t, of.Results[i], r.Result)
			require.NotEmpty(t, r.OrderDate)
			f := sums[r.Flag]
			f.Flag, f.Orders = r.Flag, f.Orders+1
			due, remitted, shortfall := number(t, r.CODAmount), number(t, r.Remitted), number(t, r.Shortfall)
			f.Due, f.Remitted, f.Shortfall = f.Due+due, f.Remitted+remitted, f.Shortfall+shortfall
			flagged := r.Flag != "RECONCILED" && r.Flag != "AWAITING_NEXT_CYCLE"
			if flagged {
				f.AtRisk += math.Max(shortfall, 0)
			}
			sums[r.Flag] = f
			require.Equal(t, flagged && shortfall > 0, r.Dispute != nil, r.Flag)
			if r.Dispute != nil {
				disputed++
				require.Contains(t, *r.Dispute, "order "+r.OrderID+": ordered ")
			}
		}
		require.Positive(t, disputed)
		var all flagSums
		for _, f := range run.Summary.Flags {
			require.Equal(t, sums[f.Flag], f)
			delete(sums, f.Flag)
			all.Orders, all.Due, all.Remitted = all.Orders+f.Orders, all.Due+f.Due, all.Remitted+f.Remitted
			all.Shortfall, all.AtRisk = all.Shortfall+f.Shortfall, all.AtRisk+f.AtRisk
		}
		require.Empty(t, sums)
		require.Equal(t, all, run.Summary.flagSums)
		aged := 0.0
		for _, band := range run.Summary.Ageing {
			aged += band.Amount
		}
		require.InDelta(t, all.AtRisk, aged, 0.001)
		require.NotEmpty(t, run.GuidanceText)
		require.Contains(t, strings.Join(run.GuidanceText, " "), "report ")
		require.Len(t, run.Reports, 2)
		require.NotEmpty(t, run.Payouts)
		require.Len(t, run.Unclaimed, 1)
		require.NotEmpty(t, run.Bank)
		require.NotEmpty(t, run.Results[0].Lines)
	})
	t.Run("a Solo account has its two runs, and then the day on which it has more", func(t *testing.T) {
		c := s.Account(t, OnPlan(domain.Solo))
		b := c.SignIn(t)
		for i := range 2 {
			b.reconcile(t, Named(i))
		}
		a := b.SendForm(t, "/app/api/reconcile", Named("third").Form(t))
		a.RefusedPage(t, http.StatusTooManyRequests, "run_cap_reached", "")
		require.NotEmpty(t, a.Header.Get("Retry-After"))
		require.True(t, *b.reconcile(t, Named(1)).Duplicate, "a duplicate succeeds at the cap")
		b.SendForm(t, "/app/api/inspect", Small().Form(t)).JSON(t, new(inspected))
		require.Equal(t, http.StatusOK, b.SendForm(t, "/app/api/document", withParts(Named(0).Form(t), "format", "csv")).Status, "of a run that was made")
		b.SendForm(t, "/app/api/document", withParts(Named("fourth").Form(t), "format", "csv")).RefusedPage(t, http.StatusTooManyRequests, "run_cap_reached", "")
		b.SendForm(t, "/app/api/document", withParts(Named(0).Form(t), "format", "csv", "branding_name", "Asha")).RefusedPage(t, http.StatusForbidden, "branding_not_in_plan", "")
	})
	t.Run("columns may be stated for any courier, and are saved on Enterprise", func(t *testing.T) {
		c := s.Customer(t, OnPlan(domain.Enterprise))
		b := c.SignIn(t)
		odd := Small().With("courier", byBoth).With("courierName", "delhivery")
		require.Equal(t, "COD Amount/detected", b.inspect(t, odd).Reports[0].columnOf("cod_amount"))
		stated := odd.With("columns", Body{"cod_amount": "Order Value"})
		require.Equal(t, "Order Value/stated", b.inspect(t, stated).Reports[0].columnOf("cod_amount"))
		require.Equal(t, "500", b.reconcile(t, stated).Results[0].Remitted.String())
		found := b.inspect(t, odd).Reports[0]
		require.True(t, found.Saved)
		require.Equal(t, "Order Value/saved", found.columnOf("cod_amount"))
		require.Equal(t, "500", paid(t, c, byBoth), "for the API too")
		require.False(t, b.inspect(t, odd.Without("courierName")).Reports[0].Saved)
		require.Equal(t, http.StatusBadRequest, c.SendForm(t, stated.Form(t)).Status, "there with custom alone")
	})
	t.Run("a visitor's run is stored, counted and announced nowhere", func(t *testing.T) {
		runs := s.Runs(t)
		b := s.Browser()
		run := b.reconcile(t, Months())
		require.Nil(t, run.RunID)
		require.Nil(t, run.Duplicate)
		require.Nil(t, b.reconcile(t, Months()).Duplicate)
		require.NotEmpty(t, run.Summary.Flags)
		a := b.SendForm(t, "/app/api/document", withParts(Months().Form(t), "format", "dispute"))
		require.Equal(t, http.StatusOK, a.Status, string(a.Body))
		require.Empty(t, a.Header.Get("X-Run-Id"))
		require.Contains(t, a.Header.Get("Content-Disposition"), "-dispute.zip")
		b.SendForm(t, "/app/api/document", withParts(Months().Form(t), "format", "dispute", "branding_name", "Asha")).RefusedPage(t, http.StatusForbidden, "branding_not_in_plan", "")
		require.Equal(t, runs, s.Runs(t))
	})
}

func number(t *testing.T, n json.Number) float64 {
	t.Helper()
	return only.Value(n.Float64())(t)
}

// TestUploadsAreChecked holds the errors of uploads, their rate and their limits.
func TestUploadsAreChecked(t *testing.T) {
	t.Parallel()
	s := Start(t, Options{})
	c := s.Customer(t)
	b := c.SignIn(t)
	refused := func(a Answer) pageFault {
		var fault pageFault
		require.Equal(t, http.StatusBadRequest, a.Status, string(a.Body))
		require.NoError(t, json.Unmarshal(a.Body, &fault))
		return fault
	}
	t.Run("an error names the file and the report, in the words of the page", func(t *testing.T) {
		bad := Months().With("reports", []Body{
			{"courier": "AWB No,COD Amount,Remittance Date\nAWB1001,900,2026-10-10\n"},
			{"courier": "AWB No,COD Amount,Remittance Date\nAWB1003,x,2026-10-10\n"},
		})
		fault := refused(b.SendForm(t, "/app/api/reconcile", bad.Form(t)))
		require.Equal(t, pageFault{Error: `report 2, line 2, column "COD Amount": "x" is not an amount; write it like 1299.50`, Code: "file_invalid", File: "report", Report: 2}, fault)
		fault = refused(b.SendForm(t, "/app/api/reconcile", bad.Form(t), "Accept-Language", "hi"))
		require.NotContains(t, fault.Error, "not an amount")
		require.Equal(t, "orders", refused(b.SendForm(t, "/app/api/reconcile", Small().With("shopify", "x").Form(t))).File)
		require.Equal(t, "bank", refused(b.SendForm(t, "/app/api/reconcile", Small().With("bank", "x").Form(t))).File)
	})
	t.Run("all faulty fields are told at once, by the names of the parts", func(t *testing.T) {
		fault := refused(b.SendForm(t, "/app/api/reconcile", Small().With("courierName", "ups").With("overdue_threshold_days", 99).Form(t)))
		require.Equal(t, "field_invalid", fault.Code)
		require.Equal(t, "courierName", fault.Field)
		require.Len(t, fault.Faults, 2)
		require.Equal(t, "overdue_threshold_days", fault.Faults[1].Field)
		require.Equal(t, "orders", refused(b.SendForm(t, "/app/api/reconcile", []byte(PartOfForm("report", OneLine)+EndOfForm))).Field)
		require.Equal(t, "report", refused(b.SendForm(t, "/app/api/reconcile", []byte(PartOfForm("orders", OneOrder)+EndOfForm))).Field)
		require.Equal(t, "format", refused(b.SendForm(t, "/app/api/document", Small().Form(t))).Field)
		require.Equal(t, "body_invalid", refused(b.SendForm(t, "/app/api/inspect", []byte("no form"))).Code)
		b.SendForm(t, "/app/api/reconcile", Small().Form(t), "Content-Type", "application/json").RefusedPage(t, http.StatusUnsupportedMediaType, "not_json", "")
	})
	t.Run("bytes that are not UTF-8 count as the U+FFFD that they become", func(t *testing.T) {
		form := func(n int) []byte {
			return []byte(PartOfForm("orders", OneOrder+strings.Repeat("\xff", n)) + PartOfForm("report", OneLine) + EndOfForm)
		}
		most := (intake.MaxUpload - len(OneOrder) - len(OneLine)) / 3
		b.SendForm(t, "/app/api/inspect", form(most+1)).RefusedPage(t, http.StatusRequestEntityTooLarge, "body_too_large", "")
		require.Equal(t, http.StatusOK, b.SendForm(t, "/app/api/inspect", form(most)).Status)
	})
	t.Run("the page's language is that of reasons, warnings and guidance", func(t *testing.T) {
		var english, hindi pageRun
		b.SendForm(t, "/app/api/reconcile", EightFlags().Form(t)).JSON(t, &english)
		b.SendForm(t, "/app/api/reconcile", EightFlags().Form(t), "Accept-Language", "hi").JSON(t, &hindi)
		for i, r := range hindi.Results {
			require.NotEqual(t, english.Results[i].FlagReason, r.FlagReason)
			require.Equal(t, english.Results[i].Dispute, r.Dispute, "what the courier reads")
		}
		require.Equal(t, english.Summary, hindi.Summary)
		require.NotEqual(t, c.Run(t, EightFlags()).Results[0].FlagReason, hindi.Results[0].FlagReason, "the API speaks English")
	})
	t.Run("runs and documents have a rate together, and inspections one of their own", func(t *testing.T) {
		hurried := s.Customer(t).SignIn(t)
		for i := range domain.UploadRate.Limit {
			route, form := "/app/api/reconcile", Small().Form(t)
			if i%2 == 1 {
				route, form = "/app/api/document", withParts(form, "format", "csv")
			}
			require.Equal(t, http.StatusOK, hurried.SendForm(t, route, form).Status)
		}
		a := hurried.SendForm(t, "/app/api/reconcile", Small().Form(t))
		a.RefusedPage(t, http.StatusTooManyRequests, "rate_limited", "")
		require.NotEmpty(t, a.Header.Get("Retry-After"))
		hurried.SendForm(t, "/app/api/document", Small().Form(t)).RefusedPage(t, http.StatusTooManyRequests, "rate_limited", "")
		require.Equal(t, http.StatusOK, hurried.SendForm(t, "/app/api/inspect", Small().Form(t)).Status)
		require.Equal(t, http.StatusOK, b.SendForm(t, "/app/api/inspect", Small().Form(t)).Status, "of another account")
		s.Clock.Advance(domain.UploadRate.Span)
		require.Equal(t, http.StatusOK, hurried.SendForm(t, "/app/api/reconcile", Small().Form(t)).Status)
	})
}

// TestInspections holds what files are recognised as.
func TestInspections(t *testing.T) {
	t.Parallel()
	s := Start(t, Options{})
	b := s.Browser()
	t.Run("of the files of a run, each by itself", func(t *testing.T) {
		found := b.inspect(t, Months())
		o := found.Orders
		require.Equal(t, []any{"orders", "shopify", "Shopify", "csv", 1, 4, 4, "2026-10-01", "2026-10-01"}, []any{o.Is, o.Recognised, o.Name, o.Kind, o.HeaderLine, o.Rows, o.Orders, *o.From, *o.To})
		require.Nil(t, o.Fault)
		require.Equal(t, "Name", o.Header[0])
		require.Equal(t, []string{"#1001", "#1002", "#1003"}, o.Columns[0].Samples)
		require.Len(t, found.Reports, 2)
		r := found.Reports[0]
		require.Equal(t, []any{"report", "delhivery", "Delhivery", "csv", 2, "2026-10-10", "2026-10-17"}, []any{r.Is, r.Courier, r.Name, r.Kind, r.Rows, *r.From, *r.To})
		require.Equal(t, "AWB No/detected", r.columnOf("awb"))
		require.Equal(t, "/none", r.columnOf("remittance_status"))
		require.Equal(t, "Docket/stated", found.Reports[1].columnOf("awb"))
		require.Equal(t, []any{"bank", "2026-10-10", "2026-10-18", 2}, []any{found.Bank.Is, *found.Bank.From, *found.Bank.To, found.Bank.Rows})
	})
	t.Run("a file in a wrong place is what it is", func(t *testing.T) {
		files := map[string]string{"orders": Small()["shopify"].(string), "report": Small()["courier"].(string), "bank": Months()["bank"].(string)}
		for is, text := range files {
			found := b.inspect(t, Body{"shopify": text, "courier": text, "bank": text})
			require.Equal(t, []string{is, is, is}, []string{found.Orders.Is, found.Reports[0].Is, found.Bank.Is})
			for place, fault := range map[string]*pageFault{"orders": found.Orders.Fault, "report": found.Reports[0].Fault, "bank": found.Bank.Fault} {
				require.Equal(t, place == is, fault == nil, "%s as %s", is, place)
			}
		}
		nothing := b.inspect(t, Body{"shopify": "a,b\n1,2\n", "courier": "%PDF-1.4", "bank": "\x00\x01"})
		require.Empty(t, nothing.Orders.Is+nothing.Reports[0].Is+nothing.Bank.Is)
		require.Equal(t, "report", nothing.Reports[0].Fault.File)
		require.Contains(t, nothing.Reports[0].Fault.Error, "is a PDF document")
		require.Equal(t, []string{"a", "b"}, nothing.Orders.Header, "the line that looks most like a header")
	})
	t.Run("workbooks have their kind and their sheet", func(t *testing.T) {
		found := b.inspect(t, Body{"shopify": workbook(t, "nothing\n", OneOrder), "courier": page(OneLine)})
		require.Equal(t, []any{"xlsx", "Sheet2", "orders", 1}, []any{found.Orders.Kind, found.Orders.Sheet, found.Orders.Is, found.Orders.Orders})
		require.Equal(t, []any{"html", "report"}, []any{found.Reports[0].Kind, found.Reports[0].Is})
		several := b.inspect(t, Body{"shopify": workbook(t, OneOrder, OneOrder)})
		require.Contains(t, several.Orders.Fault.Error, "has several sheets")
		require.Equal(t, "xlsx", several.Orders.Kind)
	})
}

// TestEmptyFilesAreNamed gives files without a byte, or with nothing in them, wherever a form may
// have one. A part without the name of a file is one that nobody has chosen.
func TestEmptyFilesAreNamed(t *testing.T) {
	t.Parallel()
	s := Start(t, Options{})
	c := s.Customer(t)
	b := c.SignIn(t)
	form := func(part, content, file string) []byte {
		var all strings.Builder
		for name, text := range map[string]string{"orders": OneOrder, "report": OneLine, "bank": "Date,Narration,Credit\n2026-01-01,DTDC,5\n"} {
			if name == part {
				all.WriteString(strings.Replace(PartOfForm(name, content), `name="`+name+`"`, fmt.Sprintf(`name=%q; filename=%q`, name, file), 1))
				continue
			}
			all.WriteString(PartOfForm(name, text))
		}
		return []byte(all.String() + PartOfForm("format", "csv") + EndOfForm)
	}
	inAPI := map[string]string{"orders": "storefront file (orders)", "report": "courier file (report)", "bank": "bank statement (bank)"}
	for _, content := range []string{"", ",,,\n,,,\n"} {
		for part, called := range inAPI {
			empty := form(part, content, "mine.csv")
			for _, route := range []string{"/app/api/reconcile", "/app/api/document"} {
				var fault pageFault
				a := b.SendForm(t, route, empty)
				require.Equal(t, http.StatusBadRequest, a.Status, "%q as %s: %s", content, part, a.Body)
				require.NoError(t, json.Unmarshal(a.Body, &fault))
				require.Equal(t, pageFault{Error: "mine.csv: is empty; export or download it again", Code: "file_invalid", File: part}, fault)
				s.Clock.Advance(domain.UploadRate.Span)
			}
			found := answered[inspected](t, b.SendForm(t, "/app/api/inspect", empty))
			faults := map[string]*pageFault{"orders": found.Orders.Fault, "report": found.Reports[0].Fault, "bank": found.Bank.Fault}
			require.Equal(t, "mine.csv: is empty; export or download it again", faults[part].Error)
			delete(faults, part)
			for other, fault := range faults {
				require.Nil(t, fault, other)
			}
			c.SendForm(t, empty).Refused(t, http.StatusBadRequest, called+": is empty; export or download it again")
			s.Clock.Advance(domain.UploadRate.Span)
		}
	}
	require.Equal(t, http.StatusOK, b.SendForm(t, "/app/api/reconcile", form("bank", "", "")).Status, "no statement was chosen")
}

// TestPagesListWhatToActOnFirst holds that a page gets the orders with money at risk first, and
// those that nobody has to look at last, while the API keeps the order of the export.
func TestPagesListWhatToActOnFirst(t *testing.T) {
	t.Parallel()
	s := Start(t, Options{})
	c := s.Customer(t)
	page := c.SignIn(t).reconcile(t, EightFlags())
	type seen struct {
		Flag      string
		Shortfall float64
	}
	var got []seen
	for _, r := range page.Results {
		shortfall := only.Value(r.Shortfall.Float64())(t)
		got = append(got, seen{r.Flag, shortfall})
	}
	ranks := []string{"MISSING", "SHORT_PAID", "OVERDUE", "RTO_ANOMALY", "MINOR_DIFF", "OVERPAID", "AWAITING_NEXT_CYCLE", "RECONCILED"}
	rank := func(flag string) int { return max(4, slices.Index(ranks, flag)) }
	require.True(t, slices.IsSortedFunc(got, func(a, b seen) int {
		return cmp.Or(cmp.Compare(rank(a.Flag), rank(b.Flag)), cmp.Compare(math.Abs(b.Shortfall), math.Abs(a.Shortfall)))
	}), "%v", got)
	require.Equal(t, "OVERPAID", got[len(got)-3].Flag)
	names := func(all []Result) (names []string) {
		for _, r := range all {
			names = append(names, r.OrderID)
		}
		return names
	}
	var ofPage []Result
	for _, r := range page.Results {
		ofPage = append(ofPage, r.Result)
	}
	inAPI := names(c.Run(t, EightFlags()).Results)
	require.True(t, slices.IsSorted(inAPI), "%v", inAPI)
	require.NotEqual(t, inAPI, names(ofPage))
	require.ElementsMatch(t, inAPI, names(ofPage))
}

// TestTheSampleOfThePages holds that anyone gets the sample, in the page's language, though
// the service is not on this machine.
func TestTheSampleOfThePages(t *testing.T) {
	t.Parallel()
	s := Start(t, Options{})
	b := s.Browser("Host", "milaan.example")
	var first, again, hindi pageRun
	b.Get(t, "/app/api/sample").JSON(t, &first)
	b.Get(t, "/app/api/sample").JSON(t, &again)
	b.Get(t, "/app/api/sample", "Accept-Language", "hi").JSON(t, &hindi)
	require.Equal(t, first, again)
	require.Greater(t, len(first.Results), 20)
	require.NotEmpty(t, first.Results[len(first.Results)-1].Lines)
	require.NotEmpty(t, first.Summary.Flags)
	require.NotEmpty(t, first.Payouts)
	require.Nil(t, first.RunID)
	require.NotEqual(t, first.Results[0].FlagReason, hindi.Results[0].FlagReason)
	require.Zero(t, s.Runs(t))
}

// TestTheDisputesSentenceIsTheLetters holds that a page shows the sentences that are in the
// dispute letter.
func TestTheDisputesSentenceIsTheLetters(t *testing.T) {
	t.Parallel()
	s := Start(t, Options{})
	b := s.Browser()
	run := b.reconcile(t, EightFlags())
	a := b.SendForm(t, "/app/api/document", withParts(EightFlags().Form(t), "format", "dispute"))
	require.Equal(t, http.StatusOK, a.Status)
	letters := ""
	for name, text := range only.Value(zips.Files(a.Body))(t) {
		if strings.HasSuffix(name, ".txt") {
			letters += strings.Join(strings.Fields(text), " ")
		}
	}
	for _, r := range run.Results {
		if r.Dispute != nil {
			require.Contains(t, letters, *r.Dispute)
		}
	}
}

var isoDay = regexp.MustCompile(`\d{4}-\d{2}-\d{2}`)

// daysSpelled writes the days of a sentence as pages do.
func daysSpelled(sentence string) string {
	return isoDay.ReplaceAllStringFunc(sentence, func(day string) string {
		at, err := time.Parse(time.DateOnly, day)
		if err != nil {
			return day
		}
		return at.Format("2 Jan 2006")
	})
}
