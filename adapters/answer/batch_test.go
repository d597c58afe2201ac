package answer_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"iter"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/fx"

	"milaan/adapters/answer"
	"milaan/adapters/wording"
	"milaan/domain"
	"milaan/domain/verdict"
	"milaan/ports"
	"milaan/ports/peers"
)

// oddTexts are what brands and messages may hold and JSON may not.
var oddTexts = []string{"", "default", `"quoted"`, `back\slash`, "new\nline\t\r\x01", "नाम 😀", "bad\xffbyte", "a\u2028b"}

// decoded reads exactly one JSON value into a T that knows every field of it.
func decoded[T any](t *testing.T, text []byte) T {
	t.Helper()
	var v T
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	d.UseNumber()
	require.NoError(t, d.Decode(&v), string(text))
	require.False(t, d.More(), string(text))
	return v
}

// clean is what encoding/json makes of a text.
func clean(text string) string { return strings.ToValidUTF8(text, "\ufffd") }

func TestTheSummaryHasExactlyFiveFields(t *testing.T) {
	run := domain.Run{ID: "0199-a", Brand: "default", CourierName: "delhivery", At: time.Date(2026, time.November, 21, 15, 30, 0, 5e6, time.FixedZone("IST", 19800))}
	run.Tally.AtRisk = 371850
	for i, f := range domain.Flags() {
		run.Tally.Flags[f] = 1 << i
	}
	require.Equal(t, fmt.Sprintf(`{"brand":"default","run_at":"2026-11-21T10:00:00.005Z","flagged_count":%d,"amount_risk":3718.5,"run_id":"0199-a"}`,
		run.Tally.Flags.Flagged()), string(answer.New(wording.New(), nil).Summary(run)))
}

func TestSummariesOfAnyRun(t *testing.T) {
	noon := time.Date(2026, time.November, 21, 12, 0, 0, 0, time.UTC)
	field := func(name string, run domain.Run) any {
		return decoded[map[string]any](t, answer.New(wording.New(), nil).Summary(run))[name]
	}
	for at, want := range map[time.Time]string{
		noon:                               "2026-11-21T12:00:00.000Z",
		noon.Add(999 * time.Millisecond):   "2026-11-21T12:00:00.999Z",
		noon.Add(time.Second - 1):          "2026-11-21T12:00:00.999Z",
		noon.Add(100 * time.Millisecond):   "2026-11-21T12:00:00.100Z",
		noon.In(time.FixedZone("", -3600)): "2026-11-21T12:00:00.000Z",
	} {
		require.Equal(t, want, field("run_at", domain.Run{At: at}))
	}
	for paise, want := range map[domain.Paise]json.Number{0: "0", 5: "0.05", 50: "0.5", 100: "1", 129999: "1299.99", 1 << 52: "45035996273704.96"} {
		require.Equal(t, want, field("amount_risk", domain.Run{At: noon, Tally: domain.Tally{AtRisk: paise}}))
	}
	for _, brand := range oddTexts {
		require.Equal(t, clean(brand), field("brand", domain.Run{At: noon, Brand: brand}))
	}
}

// job is an element of a batch's results.
type job struct {
	Brand       *string `json:"brand"`
	CourierName *string `json:"courierName"`
	Error       *string `json:"error"`
	reply
}

func element(t *testing.T, brand, courierName string, o *ports.FinishedRun) []byte {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, answer.New(wording.New(), nil).JobResult(&b, brand, courierName, o))
	return b.Bytes()
}

func TestAJobsResultIsTheAnswerWithItsNames(t *testing.T) {
	for _, duplicate := range []bool{false, true} {
		o := finishedRun([]string{"#1", "#2"}, []string{"A1", ""}, verdict.Remittance{AWB: []byte("A1"), Collected: 1050, Remitted: 1050, RemittedOn: asOf})
		o.Duplicate, o.Run.ID = duplicate, "0199"
		_, alone := write(t, o, false)
		text := element(t, "मेरा \"brand\"", "delhivery", o)
		got := decoded[job](t, text)
		require.Equal(t, "मेरा \"brand\"", *got.Brand)
		require.Equal(t, "delhivery", *got.CourierName)
		require.Nil(t, got.Error)
		require.Equal(t, alone, got.reply, "what POST /reconcile would have answered")
		require.NotContains(t, string(text), "\n")
	}
}

// clients has the names for clients of the API, for sentences that name no field and no
// file.
type clients struct{ peers.Names }

func (clients) Surface() peers.Surface { return peers.API }

func TestAJobsFault(t *testing.T) {
	for _, text := range oddTexts {
		var b bytes.Buffer
		require.NoError(t, answer.New(wording.New(), clients{}).JobFault(&b, text, "", domain.ErrBody(domain.DetailSyntax, text)))
		got := decoded[job](t, b.Bytes())
		require.Equal(t, clean(text), *got.Brand)
		require.Empty(t, *got.CourierName, "it is there even if no courier was named")
		require.Equal(t, "the request body is not valid JSON: "+clean(text), *got.Error)
		require.Nil(t, got.Results)
		require.Nil(t, got.CycleGuidance)
	}
}

type status struct {
	BatchID     string             `json:"batch_id"`
	Status      string             `json:"status"`
	Jobs        int                `json:"jobs"`
	Completed   int                `json:"completed"`
	SubmittedAt *string            `json:"submitted_at"`
	StartedAt   *string            `json:"started_at"`
	CompletedAt *string            `json:"completed_at"`
	Results     *[]json.RawMessage `json:"results"`
}

func report(t *testing.T, b domain.Batch, results iter.Seq2[[]byte, error]) string {
	t.Helper()
	var out bytes.Buffer
	require.NoError(t, answer.New(wording.New(), nil).Status(&out, b, results))
	require.NotEmpty(t, decoded[status](t, out.Bytes()).BatchID)
	return out.String()
}

// given yields elements in one buffer, as storage does: each is good until the
// next.
func given(elements ...string) iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		var buffer []byte
		for _, e := range elements {
			if buffer = append(buffer[:0], e...); !yield(buffer, nil) {
				return
			}
		}
	}
}

func TestTheReportOnABatch(t *testing.T) {
	at := time.Date(2026, time.November, 21, 10, 0, 0, 0, time.UTC)
	b := domain.Batch{ID: "0199-b", AccountID: "a", WebhookURL: "https://shop.example/?token=hush", Jobs: 2, SubmittedAt: at}
	require.Equal(t, `{"batch_id":"0199-b","status":"queued","jobs":2,"completed":0,"submitted_at":"2026-11-21T10:00:00.000Z","started_at":null,"completed_at":null}`+"\n",
		report(t, b, nil))
	b.StartedAt, b.Completed = at.Add(12*time.Millisecond), 1
	require.Equal(t, `{"batch_id":"0199-b","status":"processing","jobs":2,"completed":1,"submitted_at":"2026-11-21T10:00:00.000Z","started_at":"2026-11-21T10:00:00.012Z","completed_at":null}`+"\n",
		report(t, b, nil))
	b.CompletedAt, b.Completed = at.Add(time.Second), 2
	require.Equal(t, `{"batch_id":"0199-b","status":"complete","jobs":2,"completed":2,"submitted_at":"2026-11-21T10:00:00.000Z","started_at":"2026-11-21T10:00:00.012Z","completed_at":"2026-11-21T10:00:01.000Z","results":[{"brand":"a"},{"brand":"b"}]}`+"\n",
		report(t, b, given(`{"brand":"a"}`, `{"brand":"b"}`)))
	require.Contains(t, report(t, b, given()), `"results":[]}`)
}

// TestALongReport mixes elements that are gathered with ones that are written
// by themselves; all come once and in order.
func TestALongReport(t *testing.T) {
	var elements []string
	for i, size := range []int{10, 300 << 10, 20, 200 << 10, 200 << 10, 256 << 10, 0, 1 << 20} {
		elements = append(elements, fmt.Sprintf(`{"brand":"%d%s"}`, i, strings.Repeat("x", size)))
	}
	got := decoded[status](t, []byte(report(t, domain.Batch{ID: "0199"}, given(elements...))))
	require.Len(t, *got.Results, len(elements))
	for i, e := range elements {
		require.True(t, e == string((*got.Results)[i]), "element %d", i)
	}
}

func TestResultsThatFailLeaveNothingWritten(t *testing.T) {
	var out bytes.Buffer
	err := answer.New(wording.New(), nil).Status(&out, domain.Batch{ID: "0199"}, func(yield func([]byte, error) bool) {
		_ = yield([]byte(`{}`), nil) && yield(nil, domain.ErrBatchGone)
	})
	require.ErrorIs(t, err, domain.ErrBatchGone)
	require.Empty(t, out.String())
}

// limited takes a number of bytes and breaks.
type limited int

func (l *limited) Write(p []byte) (int, error) {
	if *l -= limited(len(p)); *l < 0 {
		return 0, errBroken
	}
	return len(p), nil
}

func TestWritersThatFail(t *testing.T) {
	w := answer.New(wording.New(), clients{})
	require.ErrorIs(t, w.Write(brokenPipe{}, finishedRun([]string{"#1"}, []string{""}), false), errBroken)
	require.ErrorIs(t, w.JobFault(brokenPipe{}, "", "", domain.ErrJobFailed), errBroken)
	require.ErrorIs(t, w.JobResult(brokenPipe{}, "", "", finishedRun([]string{"#1"}, []string{""})), errBroken)
	large := strings.Repeat("x", 300<<10)
	for _, room := range []limited{0, 200, 300 << 10, 600 << 10} {
		ended := 0
		err := w.Status(&room, domain.Batch{ID: "0199"}, func(yield func([]byte, error) bool) {
			for range 3 {
				if !yield([]byte(large), nil) {
					return
				}
				ended++
			}
		})
		require.ErrorIs(t, err, errBroken)
		require.Less(t, ended, 3, "results are not read on for nobody")
	}
	require.ErrorIs(t, w.Status(brokenPipe{}, domain.Batch{}, nil), errBroken)
}

func TestTheModuleAnswersForBatches(t *testing.T) {
	app := fx.New(wording.Module(), answer.Module(), fx.NopLogger, fx.Provide(func() peers.Names { return nil }), fx.Invoke(func(peers.Answers, ports.BatchAnswers, ports.BatchAnswers) {}))
	require.NoError(t, app.Err())
}
