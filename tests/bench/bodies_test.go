package bench_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"milaan/adapters/httpapi/intake"
	"milaan/domain"
	"milaan/tests/fakes/zips"
	"milaan/tests/only"
	"milaan/tests/service"
)

// What a request may allocate, all of it added up, whether it is let go at once
// or not: a number of bytes per byte of the body, and what any request takes. A job
// of a batch is sealed and opened again on its way.
const (
	allocatedPerByte   = 10
	allocatedPerJob    = 30
	allocatedByRequest = 8 << 20
)

// allocatedByInspection is what an inspection may allocate besides. A run ends at the first
// faulty report. An inspection looks at each, and of one without a header at its first
// thousand lines as a report, as an export and as a statement, with each delimiter: 2 MB a
// report.
const allocatedByInspection = 64 << 20

// hostile sends bodies that nobody sends in earnest, and measures.
type hostile struct {
	service  *service.Service
	customer *service.Customer
}

func startHostile(t *testing.T) *hostile {
	s := service.Start(t, service.Options{})
	h := &hostile{service: s, customer: s.Customer(t, service.OnPlan(domain.Enterprise))}
	// What is made once is made before anything is measured: above all a workspace for as
	// many rows as a request may have. Making it takes 8 MB, and twice that under the race
	// detector.
	h.send(t, "/reconcile", wellBody(service.OneOrder, service.OneLine, ""))
	h.send(t, "/reconcile", wellBody(full(service.OneOrder, ",\n", 1<<20), full(service.OneLine, ",\n", 1<<20), ""))
	return h
}

// inJSON escapes what a JSON string may not hold, and leaves what is not UTF-8 as it is.
var inJSON = func() *strings.Replacer {
	pairs := []string{`"`, `\"`, `\`, `\\`, "\n", `\n`, "\r", `\r`, "\t", `\t`}
	for c := range byte(' ') {
		pairs = append(pairs, string(rune(c)), fmt.Sprintf(`\u%04x`, c))
	}
	return strings.NewReplacer(pairs...)
}()

func quotedJSON(text string) string { return `"` + inJSON.Replace(text) + `"` }

// full repeats a unit after a head until a JSON string of it has about
// size bytes.
func full(head, unit string, size int) string {
	return head + strings.Repeat(unit, max(0, size-len(quotedJSON(head)))/(len(quotedJSON(unit))-2))
}

func wellBody(export, report, more string) string {
	return `{"shopify":` + quotedJSON(export) + `,"courier":` + quotedJSON(report) + `,"brand":"b"` + more + `}`
}

// send returns the status, the message and how many bytes were allocated.
func (h *hostile) send(t require.TestingT, path, body string) (status int, message string, allocated int) {
	h.service.Clock.Advance(7e9) // ten of them are a minute's
	request := only.Value(http.NewRequest(http.MethodPost, h.service.URL+path, strings.NewReader(body)))(t)
	request.Header.Set("Content-Type", "application/json")
	if path == "/reconcile/files" || path == "/inspect" {
		request.Header.Set("Content-Type", service.FormMedia)
	}
	request.Header.Set("Authorization", "Bearer "+h.customer.Key)
	if strings.HasPrefix(path, "/app/") { // of a visitor
		request.Header.Set("Content-Type", service.FormMedia)
		request.Header.Del("Authorization")
		request.Header.Set("Sec-Fetch-Site", "same-origin")
	}
	var answer bytes.Buffer
	allocated = allocatedBy(func() {
		response, err := http.DefaultClient.Do(request)
		require.NoError(t, err)
		status = response.StatusCode
		require.NoError(t, only.Err(io.Copy(&answer, io.LimitReader(response.Body, 64<<10))))
		require.NoError(t, only.Err(io.Copy(io.Discard, response.Body)))
		require.NoError(t, response.Body.Close())
	})
	var fault struct{ Error, Code string } // of a page
	if json.Unmarshal(answer.Bytes(), &fault) == nil && fault.Code != "" {
		return status, fault.Error, allocated
	}
	return status, service.Answer{Body: answer.Bytes()}.Message(), allocated
}

func allocatedBy(work func()) int {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	work()
	runtime.ReadMemStats(&after)
	return int(after.TotalAlloc - before.TotalAlloc)
}

// demand sends a body and holds the bound: it is answered, or refused with a
// message that says what is wrong.
func (h *hostile) demand(t require.TestingT, name, body string) {
	h.demandOf(t, "/reconcile", name, body)
}

// demandOf does so on a route.
func (h *hostile) demandOf(t require.TestingT, path, name, body string) {
	most := allocatedPerByte*len(body) + allocatedByRequest
	if path == "/app/api/inspect" || path == "/inspect" {
		most += allocatedByInspection
	}
	requireBounded(t, name, body, http.StatusOK, most, func() (status int, message string, allocated int) {
		status, message, allocated = h.send(t, path, body)
		require.Less(t, len(message), 4<<10, name)
		return status, message, allocated
	})
}

// tries is how often a request is sent whose bytes allocated are over the bound. The
// runtime counts those of the whole process, so that the background work of the service
// can add to them, and so can a new workspace or buffer where the pool has none; what the
// body itself makes the service allocate, it does every time.
const tries = 3

// requireBounded holds that a body is taken, or refused with a message, and for how many
// bytes allocated at most. send sends it and says how it was answered.
func requireBounded(t require.TestingT, name, body string, taken, most int, send func() (status int, message string, allocated int)) {
	var measured []int
	for range tries {
		status, message, allocated := send()
		if status != taken {
			require.Contains(t, []int{http.StatusBadRequest, http.StatusRequestEntityTooLarge}, status, "%s: %s", name, message)
			require.NotEmpty(t, message, name)
		}
		if allocated <= most {
			return
		}
		measured = append(measured, allocated)
	}
	require.FailNow(t, "too much is allocated",
		"%s: %d bytes for a body of %d, where %d are the most", name, measured, len(body), most)
}

// demandBatch does so for a batch, until it is complete.
func (h *hostile) demandBatch(t *testing.T, name, body string) {
	most := allocatedPerJob*len(body) + 4*allocatedByRequest
	requireBounded(t, name, body, http.StatusAccepted, most, func() (status int, message string, allocated int) {
		var answer service.Answer
		allocated = allocatedBy(func() {
			h.service.Clock.Advance(7e9)
			answer = h.service.Post(t, "/reconcile/batch", h.customer.Key, []byte(body))
			if answer.Status == http.StatusAccepted {
				h.customer.Await(t, answer.Accepted(t).BatchID, domain.BatchComplete)
			}
		})
		return answer.Status, answer.Message(), allocated
	})
}

var wellOne = `{"courier":` + quotedJSON(service.OneLine) + `}`

// manyReports is a body with these reports.
func manyReports(reports ...string) string {
	return `{"shopify":` + quotedJSON(service.OneOrder) + `,"include":["payouts","unclaimed","orders","lines"],"reports":[` + strings.Join(reports, ",") + `]}`
}

// fields are the places of a body that can be long. Each makes a body of a text.
var longFields = map[string]func(text string) string{
	"shopify": func(text string) string { return wellBody(text, service.OneLine, "") },
	"courier": func(text string) string { return wellBody(service.OneOrder, text, "") },
	"both":    func(text string) string { return wellBody(text[:len(text)/2], text[len(text)/2:], "") },
	"custom courier": func(text string) string {
		return wellBody(service.OneOrder, text, `,"courierName":"custom","columns":{"awb":"x"}`)
	},
	"brand": func(text string) string {
		return wellBody(service.OneOrder, service.OneLine, `,"brand":`+quotedJSON(text))
	},
	"courierName": func(text string) string {
		return wellBody(service.OneOrder, service.OneLine, `,"courierName":`+quotedJSON(text))
	},
	"role": func(text string) string {
		return wellBody(service.OneOrder, service.OneLine, `,"courierName":"custom","columns":{`+quotedJSON(text)+`:"x"}`)
	},
	"column": func(text string) string {
		return wellBody(service.OneOrder, service.OneLine, `,"courierName":"custom","columns":{"awb":`+quotedJSON(text)+`}`)
	},
	"days": func(text string) string {
		return wellBody(service.OneOrder, service.OneLine, `,"overdue_threshold_days":`+quotedJSON(text))
	},
	"unknown value": func(text string) string { return wellBody(service.OneOrder, service.OneLine, `,"x":`+quotedJSON(text)) },
	"unknown name": func(text string) string {
		return wellBody(service.OneOrder, service.OneLine, `,`+quotedJSON(text)+`:1`)
	},
	"bank": func(text string) string {
		return wellBody(service.OneOrder, service.OneLine, `,"bank":`+quotedJSON(text))
	},
	"previous": func(text string) string {
		return wellBody(service.OneOrder, service.OneLine, `,"previous":`+quotedJSON(text))
	},
	"include": func(text string) string {
		return wellBody(service.OneOrder, service.OneLine, `,"include":[`+quotedJSON(text)+`]`)
	},
	"one report": func(text string) string { return manyReports(`{"courier":` + quotedJSON(text) + `}`) },
	"a report among many": func(text string) string {
		return manyReports(append(slices.Repeat([]string{wellOne}, 19), `{"courier":`+quotedJSON(text)+`}`)...)
	},
	"twenty reports": func(text string) string {
		return manyReports(slices.Repeat([]string{`{"courier":` + quotedJSON(text[:len(text)/20]) + `}`}, 20)...)
	},
	"21 reports": func(text string) string {
		return manyReports(slices.Repeat([]string{`{"courier":` + quotedJSON(text[:len(text)/21]) + `}`}, 21)...)
	},
	"a report's courierName": func(text string) string {
		return manyReports(wellOne, `{"courier":"x","courierName":`+quotedJSON(text)+`}`)
	},
	"a report's columns": func(text string) string {
		return manyReports(wellOne, `{"courier":"x","courierName":"custom","columns":{`+quotedJSON(text)+`:"x"}}`)
	},
	"JSON in reports": func(text string) string { return manyReports(text) },
	"JSON in include": func(text string) string { return wellBody(service.OneOrder, service.OneLine, `,"include":[`+text+`]`) },
	"JSON":            func(text string) string { return text },
	"more JSON":       func(text string) string { return wellBody(service.OneOrder, service.OneLine, text) },
}

// drawUnit draws one byte, two, or a piece that means something.
func drawUnit(t *rapid.T) string {
	return rapid.OneOf(
		rapid.Map(rapid.Byte(), func(b byte) string { return string([]byte{b}) }),
		rapid.Map(rapid.SliceOfN(rapid.Byte(), 2, 2), func(b []byte) string { return string(b) }),
		rapid.Map(rapid.SliceOfN(rapid.SampledFrom([]byte(",;|\t\n\r\"'= a1-.#₹\u00a0")), 1, 6), func(b []byte) string { return string(b) }),
		rapid.SampledFrom([]string{"AWB No,", "Name,", `"",`, `="",`, "\u00a0", "\u00a0,", "\ufeff", "₹,", "Total;", ",\n", "\"\n\"", `"x":[`, `,"x":1`, `,"columns":{"a":""}`, `,"brand":"b"`,
			`,"shopify":""`, "1.2E+9 ", "A1 ", "1.", "01/13/2026,", "#1,5,2026-01-01,A\n", "#1,5,01/13/2026,\n", "A1,5,2026-01-01\n", strings.Repeat("x", 3000) + ",", strings.Repeat(",", 2001) + "\n"}),
	).Draw(t, "unit")
}

func drawHead(t *rapid.T) string {
	return rapid.SampledFrom([]string{"", "", "x", `"`, "\ufeff", "sep=;\n", service.OneOrder, service.OneLine, strings.TrimSuffix(service.OneOrder, "\n"), strings.TrimSuffix(service.OneLine, "\n"),
		"Name,Total,Created at," + strings.Repeat("AWB,", 1990) + "\n", strings.Repeat("AWB,", 1990), "AWB No,COD Amount,Remittance Date,UTR\n" + strings.Repeat("x,y\n", 38)}).Draw(t, "head")
}

// TestHostileBodies draws bodies of one repeated byte, of pairs and of pieces of
// files, bare or after a beginning that is well, in every field, and holds what
// they make the service allocate to a multiple of their bytes.
func TestHostileBodies(t *testing.T) {
	h := startHostile(t)
	rapid.Check(t, func(t *rapid.T) {
		field := rapid.SampledFrom(slices.Sorted(maps.Keys(longFields))).Draw(t, "field")
		body := longFields[field](full(drawHead(t), drawUnit(t), rapid.SampledFrom([]int{100 << 10, 1 << 20}).Draw(t, "size")))
		h.demand(t, field, body)
	})
}

// TestHostileForms does the same for the parts of forms, and for what is no form, for the API
// and in the dashboard.
func TestHostileForms(t *testing.T) {
	h := startHostile(t)
	between, end := service.PartOfForm, service.EndOfForm
	well := between("orders", service.OneOrder) + between("report", service.OneLine)
	places := map[string]func(text string) string{
		"orders": func(text string) string { return between("orders", text) + between("report", service.OneLine) + end },
		"report": func(text string) string { return between("orders", service.OneOrder) + between("report", text) + end },
		"twenty reports": func(text string) string {
			return between("orders", service.OneOrder) + strings.Repeat(between("report", text[:len(text)/20]), 20) + end
		},
		"bank":        func(text string) string { return well + between("bank", text) + end },
		"previous":    func(text string) string { return well + between("previous", text) + end },
		"brand":       func(text string) string { return well + between("brand", text) + end },
		"courierName": func(text string) string { return well + between("courierName", text) + end },
		"columns": func(text string) string {
			return well + between("courierName", "custom") + between("columns", text) + end
		},
		"days":     func(text string) string { return well + between("overdue_threshold_days", text) + end },
		"include":  func(text string) string { return well + between("include", text) + end },
		"sheet":    func(text string) string { return well + between("sheet", text) + end },
		"unknown":  func(text string) string { return well + between("x", text) + end },
		"a name":   func(text string) string { return well + between(text, "x") + end },
		"a header": func(text string) string { return "--" + service.FormBoundary + "\r\n" + text },
		"no form":  func(text string) string { return text },
		"after it": func(text string) string { return well + end + text },
	}
	h.demandOf(t, "/app/api/inspect", "reports of many columns", places["twenty reports"](strings.Repeat(full("Name,Total,Created at,"+strings.Repeat("AWB,", 1990)+"\n", "X: y\r\n", 15<<10), 20)))
	h.demandOf(t, "/app/api/inspect", "reports of blank cells", strings.Repeat(service.PartOfForm("report", "x"+strings.Repeat(strings.Repeat(",", 199)+"\n", 75)), 20)+service.EndOfForm)
	h.demandOf(t, "/app/api/inspect", "reports of one long cell", places["twenty reports"](strings.Repeat("x", 300<<10)))
	rapid.Check(t, func(t *rapid.T) {
		place := rapid.SampledFrom(slices.Sorted(maps.Keys(places))).Draw(t, "place")
		unit := rapid.OneOf(rapid.Custom(drawUnit), rapid.SampledFrom([]string{"\r\n--" + service.FormBoundary, "\r\n--" + service.FormBoundary + "x", "--", "X: y\r\n", between("report", "x"), between("x", "")})).Draw(t, "form's unit")
		body := places[place](full(drawHead(t), unit, rapid.SampledFrom([]int{20 << 10, 300 << 10}).Draw(t, "size")))
		h.demandOf(t, rapid.SampledFrom([]string{"/reconcile/files", "/inspect", "/app/api/reconcile", "/app/api/inspect"}).Draw(t, "path"), place, body)
	})
}

// allocatedByWorkbook is what a form with workbooks may allocate, besides the bytes of the
// body: the texts of all of them may be 25 MB, which are made once, growing on the way, and
// so may the shared texts of each.
const allocatedByWorkbook = 8 * (25 << 20)

// TestHostileWorkbooks sends workbooks that nobody sends in earnest, alone and twenty times: those that
// make much text of few bytes, for the bound is of all files of a form. What the readers bound of one file is in
// adapters/table/sheet.
func TestHostileWorkbooks(t *testing.T) {
	h := startHostile(t)
	for name, c := range map[string]struct {
		book string
		want int // alone
	}{
		"well xlsx":        {zips.XLSX("", ""), http.StatusOK},
		"well ods":         {zips.ODS(""), http.StatusOK},
		"long texts":       {zips.XLSX(strings.Repeat(`<row><c t="str"><v>A1</v></c><c><v>5</v></c><c t="str"><v>2026-01-01</v></c><c t="str"><v>`+strings.Repeat("x", 10_000)+"</v></c></row>", 250), ""), http.StatusOK},
		"one text again":   {zips.XLSX(strings.Repeat(`<row><c/><c/><c/><c t="s"><v>0</v></c></row>`, 20_000), "<si><t>"+strings.Repeat("x", 30_000)+"</t></si>"), http.StatusBadRequest},
		"texts of nothing": {zips.XLSX("", strings.Repeat("<si/>", 1<<17)), http.StatusOK},
	} {
		t.Run(name, func(t *testing.T) {
			for _, n := range []int{1, 20} {
				body := service.PartOfForm("orders", service.OneOrder) + strings.Repeat(service.PartOfForm("report", c.book), n) + service.EndOfForm
				most := allocatedPerByte*len(body) + allocatedByRequest + allocatedByWorkbook
				requireBounded(t, name, body, http.StatusOK, most, func() (status int, message string, allocated int) {
					status, message, allocated = h.send(t, "/reconcile/files", body)
					if n == 1 {
						require.Equal(t, c.want, status, message)
					}
					return status, message, allocated
				})
			}
		})
	}
}

// TestHostileBatches draws batches of such jobs.
func TestHostileBatches(t *testing.T) {
	h := startHostile(t)
	draw := rapid.Custom(func(t *rapid.T) string {
		jobs := rapid.IntRange(1, 21).Draw(t, "jobs")
		size := (1 << 20) / jobs
		bodies := make([]string, jobs)
		for i := range bodies {
			field := rapid.SampledFrom(slices.Sorted(maps.Keys(longFields))).Draw(t, "field")
			if bodies[i] = longFields[field](full(drawHead(t), drawUnit(t), size)); !json.Valid([]byte(bodies[i])) {
				bodies[i] = wellBody(full(service.OneOrder, ",", size), service.OneLine, "")
			}
		}
		return `{"jobs":[` + strings.Join(bodies, ",") + `]}`
	})
	for seed := range 12 {
		h.demandBatch(t, fmt.Sprint("seed ", seed), draw.Example(seed))
	}
}

// TestNamedAttacks sends the bodies of 25 MB that once took the service down or nearly
// so. Without MILAAN_SOAK they are of 3 MB, and those of batches of 10 MB; the bound for
// batches is for large ones.
func TestNamedAttacks(t *testing.T) {
	size, batch := 3<<20, 10<<20
	if os.Getenv("MILAAN_SOAK") != "" {
		size, batch = intake.MaxBody-1<<10, intake.MaxBody-1<<10
	}
	h := startHostile(t)
	ledger := h.customer.Ledger(t, service.Small())
	header := ledger[:strings.Index(ledger, "\n")+1]
	export := func(text string) string { return wellBody(text, service.OneLine, "") }
	report := func(text string) string { return wellBody(service.OneOrder, text, "") }
	// lines writes the given number of lines, or fewer where they reach the size.
	lines := func(head string, rows int, line func(i int) string) string {
		var b strings.Builder
		b.WriteString(head)
		for i := 0; i < rows && b.Len() < size; i++ {
			b.WriteString(line(i))
		}
		return b.String()
	}
	for name, body := range map[string]func() string{
		"commas as export":        func() string { return export(full("", ",", size)) },
		"commas as report":        func() string { return report(full("", ",", size)) },
		"semicolons as export":    func() string { return export(full("", ";", size)) },
		"tabs as report":          func() string { return report(full("", "\t", size)) },
		"a,b, as export":          func() string { return export(full("", "a,b,", size)) },
		"quotes as report":        func() string { return report(full("", `"`, size)) },
		"pairs of quotes":         func() string { return export(full("", `"",`, size)) },
		"line ends":               func() string { return export(full("", "\n", size)) },
		"returns":                 func() string { return report(full("", "\r", size)) },
		"6 million AWB No":        func() string { return report(full("", "AWB No,", size)) },
		"row and blanks, export":  func() string { return export(full(strings.TrimSuffix(service.OneOrder, "\n"), ",", size)) },
		"row and blanks, report":  func() string { return report(full(strings.TrimSuffix(service.OneLine, "\n"), ",", size)) },
		"row and no-break spaces": func() string { return report(full(service.OneLine, "\u00a0,", size)) },
		"rows and quoted surplus": func() string { return report(full(strings.TrimSuffix(service.OneLine, "\n"), `,""`, size)) },
		"one huge cell":           func() string { return export(full("", "a", size)) },
		"one huge name":           func() string { return export(full("Name,Total,Created at\n", "a", size-100) + ",5,2026-01-01\n") },
		"one huge amount":         func() string { return export(full("Name,Total,Created at\n#1,", "1", size)) },
		"one huge date":           func() string { return report(full("AWB No,COD Amount,Remittance Date\n1,5,", "1", size)) },
		"a million rows":          func() string { return export(full("Name,Total,Created at\n", "#1,5,2026-01-01\n", size)) },
		"a million columns": func() string {
			return wellBody(service.OneOrder, service.OneLine, `,"courierName":"custom","columns":{`+strings.TrimSuffix(lines("", 1_500_000, func(i int) string { return fmt.Sprintf(`"%x":"",`, i) }), ",")+"}")
		},
		"deep arrays": func() string {
			return wellBody(service.OneOrder, service.OneLine, `,"x":`+strings.Repeat("[", size-200))
		},
		"a million empty reports": func() string { return manyReports(strings.Repeat("{},", size/3-100) + "{}") },
		"a million null reports":  func() string { return manyReports(strings.Repeat("null,", size/5-100) + "null") },
		"deep reports":            func() string { return manyReports(strings.Repeat("[", size-400)) },
		"reports again and again": func() string {
			return manyReports("{}]" + strings.Repeat(`,"reports":[{"courier":"x"}]`, size/28-20) + `,"x":[`)
		},
		"a million inclusions": func() string {
			return wellBody(service.OneOrder, service.OneLine, `,"include":[`+strings.Repeat(`"lines",`, size/8-50)+`"x"]`)
		},
		"deep include": func() string {
			return wellBody(service.OneOrder, service.OneLine, `,"include":`+strings.Repeat("[", size-400))
		},
		"twenty reports of commas": func() string {
			return manyReports(slices.Repeat([]string{`{"courier":` + quotedJSON(full("", ",", size/20-60)) + `}`}, 20)...)
		},
		"twenty reports of lines": func() string {
			return manyReports(slices.Repeat([]string{`{"courier":` + quotedJSON(full(service.OneLine, "A1,5,2026-01-01\n", size/20-60)) + `}`}, 20)...)
		},
		"a statement of commas": func() string {
			return wellBody(service.OneOrder, service.OneLine, `,"bank":`+quotedJSON(full("", ",", size-400)))
		},
		"a ledger of commas": func() string {
			return wellBody(service.OneOrder, service.OneLine, `,"previous":`+quotedJSON(full("", ",", size-400)))
		},
		"a ledger of orders": func() string {
			return wellBody(service.OneOrder, service.OneLine, `,"previous":`+quotedJSON(lines(header, 50_000, func(i int) string {
				return fmt.Sprintf("order,#L%d,%s,,,,,,,,,,,,,,RECONCILED\n", i, strings.Repeat("x", 40))
			})))
		},
		"a ledger of a million rows": func() string {
			return wellBody(service.OneOrder, service.OneLine, `,"previous":`+quotedJSON(full(header, "run\n", size-2000)))
		},
		"a statement of credits": func() string {
			return wellBody(service.OneOrder, service.OneLine, `,"bank":`+quotedJSON(full("Date,Narration,Credit\n", "2026-01-01,DTDC,5\n", size-400)))
		},
		"unknown fields": func() string {
			return wellBody(service.OneOrder, service.OneLine, strings.Repeat(`,"abc":0`, size/8-30))
		},
		"bytes that are not UTF-8": func() string { return export(full("", "\xff", size)) },
		"such bytes in brand":      func() string { return longFields["brand"](full("", "\xff", size)) },
		"50 AWBs in each order": func() string {
			return export(lines("Name,Total,Created at"+strings.Repeat(",AWB", 50)+"\n", 5_500, func(i int) string {
				return fmt.Sprintf("#%d,5,2026-01-01", i) + lines("", 50, func(j int) string { return fmt.Sprintf(",%02d%s", j, strings.Repeat("x", 75)) }) + "\n"
			}))
		},
		"AWBs of an order apart": func() string {
			return export(lines("Name,Total,Created at,AWB\n", 50_000, func(i int) string { return fmt.Sprintf("#%d,5,2026-01-01,%d%s\n", i%1000, i, strings.Repeat("x", 70)) }))
		},
		"the same AWBs again and again": func() string {
			return export(lines("Name,Total,Created at,AWB\n", 5_000, func(i int) string { return fmt.Sprintf("#%d,5,2026-01-01,%s%d\n", i, strings.Repeat("1 ", 2000), i) }))
		},
		"lines alike but for their ends": func() string {
			return report(lines("AWB No,Order ID,COD Amount,Remittance Date\n", 50_000, func(i int) string { return strings.Repeat("ß", 230) + fmt.Sprintf("%d,#1,5,2026-01-01\n", i) }))
		},
		"months first": func() string {
			return export(lines("Name,Total,Created at,Notes\n", 50_000, func(i int) string { return fmt.Sprintf("#%d,5,01/13/2026,%s\n", i, strings.Repeat("x", 480)) }))
		},
		"long names": func() string {
			return export(lines("Name,Total,Created at\n", 50_000, func(i int) string { return fmt.Sprintf("#%d%s,5,2026-01-01\n", i, strings.Repeat("x", 490)) }))
		},
	} {
		t.Run(name, func(t *testing.T) {
			text := body()
			require.Less(t, len(text), intake.MaxBody)
			require.Greater(t, len(text), 2<<20)
			h.demand(t, name, text)
		})
	}
	t.Run("in a batch", func(t *testing.T) {
		h.demandBatch(t, "one job", `{"jobs":[`+export(full("", ",", batch))+`]}`)
		h.demandBatch(t, "twenty jobs", `{"jobs":[`+strings.TrimSuffix(strings.Repeat(report(full("", ",", batch/20-300))+",", 20), ",")+`]}`)
		h.demandBatch(t, "no jobs", `{"jobs":[`+strings.TrimSuffix(strings.Repeat("{},", batch/3), ",")+`]}`)
		h.demandBatch(t, "not UTF-8", `{"jobs":[`+export(full("", "\xff", batch))+`]}`)
	})
}

// TestManyMarks sends documents with as many marks or chosen orders as a request may have, or more.
func TestManyMarks(t *testing.T) {
	h := startHostile(t)
	var export strings.Builder
	export.WriteString("Name,Total,Created at\n")
	for i := range domain.MaxMarks {
		fmt.Fprintf(&export, "#%d,5,2026-01-01\n", i)
	}
	many := func(entries int, entry func(i int) string) string {
		var b strings.Builder
		for i := range entries {
			b.WriteString(entry(i) + ",")
		}
		return "[" + strings.TrimSuffix(b.String(), ",") + "]"
	}
	short := func(i int) string { return fmt.Sprintf(`{"order_id":"%d"}`, i) }
	same := func(int) string { return `{"order_id":"1"}` }
	for name, more := range map[string]string{
		"each order":         `"marks":` + many(domain.MaxMarks, short),
		"each order, chosen": `"only":` + many(domain.MaxMarks, short),
		"one order":          `"marks":` + many(domain.MaxMarks, same),
		"one order, chosen":  `"only":` + many(domain.MaxMarks, same),
		"no order":           `"marks":` + many(domain.MaxMarks, func(int) string { return "{}" }),
		"a million":          `"only":` + many(1_000_000, same),
		"both": `"marks":` + many(domain.MaxMarks, func(i int) string { return fmt.Sprintf(`{"order_id":"%d","state":"disputed","note":"x"}`, i) }) +
			`,"only":` + many(domain.MaxMarks, short),
	} {
		t.Run(name, func(t *testing.T) {
			h.demandOf(t, "/report", name, wellBody(export.String(), service.OneLine, `,"format":"dispute",`+more))
		})
	}
}

// TestFilesAreHeldToTheirSizeAsUTF8 is the 413 for what grows beyond 25 MB.
func TestFilesAreHeldToTheirSizeAsUTF8(t *testing.T) {
	h := startHostile(t)
	half := wellBody(full(service.OneOrder, "\xff", 5<<20), service.OneLine, "")
	for path, body := range map[string]string{
		"/reconcile":       wellBody(full(service.OneOrder, "\xff", 10<<20), service.OneLine, ""),
		"/reconcile/batch": `{"jobs":[` + half + "," + half + `]}`,
	} {
		status, message, _ := h.send(t, path, body)
		require.Equal(t, http.StatusRequestEntityTooLarge, status)
		require.Contains(t, message, "once U+FFFD stands for each byte that is not UTF-8")
	}
	status, _, _ := h.send(t, "/reconcile", wellBody(full(service.OneOrder, "\xff,", 1<<20), service.OneLine, ""))
	require.Equal(t, http.StatusBadRequest, status)
}
