package bench

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"milaan/adapters/answer"
	"milaan/adapters/httpapi/jsonbody"
	"milaan/adapters/storefront"
	"milaan/adapters/table"
	"milaan/adapters/wording"
	"milaan/app/runs"
	"milaan/couriers"
	"milaan/ports"
	"milaan/ports/peers"
)

// engine is the service's way from a body to an answer, without the server, the
// account and the database.
type engine struct {
	reconciling ports.Reconciling
	answers     peers.Answers
	buffer      []byte
}

func newEngine() *engine { return newEngineOn(table.New()) }

func newEngineOn(tables *table.Reader) *engine {
	return &engine{
		reconciling: runs.NewReconciling(runs.ReconcilingParams{Storefronts: storefront.New(tables), Couriers: couriers.New(tables), Clock: time.Now}),
		answers:     answer.New(wording.New(), nil),
	}
}

// run leaves the body as it is: the decoder works in place, so it is given a
// copy, as the service gives it what it has just received.
func (e *engine) run(request []byte, out io.Writer) error {
	e.buffer = append(e.buffer[:0], request...)
	var f jsonbody.Fields
	if err := jsonbody.Decode(e.buffer, &f); err != nil {
		return err
	}
	outcome, err := e.reconciling.Preview(context.Background(), ports.Request{Storefront: f.Shopify, Courier: f.Courier})
	if err != nil {
		return err
	}
	defer outcome.Release()
	return e.answers.Write(out, outcome, false)
}

// TestEngineAgreesWithThePlainWay compares the two row by row, words aside.
func TestEngineAgreesWithThePlainWay(t *testing.T) {
	for _, full := range []bool{false, true} {
		for _, rows := range []int{1, 500, 5000} {
			t.Run(label(rows, full), func(t *testing.T) {
				request := Draw(rows, full).Body()
				results := func(run func([]byte, io.Writer) error) []plainResult {
					return wordless(t, func(out io.Writer) error { return run(request, out) })
				}
				want := results(Plain)
				require.NotEmpty(t, want)
				require.Equal(t, want, results(newEngine().run))
			})
		}
	}
}

// wordless are the results that an answer has, words aside.
func wordless(t *testing.T, write func(io.Writer) error) []plainResult {
	t.Helper()
	var out bytes.Buffer
	require.NoError(t, write(&out))
	var answer plainAnswer
	require.NoError(t, json.Unmarshal(out.Bytes(), &answer))
	for i := range answer.Results {
		answer.Results[i].FlagReason = ""
	}
	return answer.Results
}

// BenchmarkReconcile prints the engine beside the plain way, alternating, on the same
// body, and the ratio of their times in the middle one of all rounds.
func BenchmarkReconcile(b *testing.B) {
	for _, full := range []bool{false, true} {
		for _, rows := range []int{500, 5000, 50_000} {
			if full && rows == 50_000 {
				rows = 25_000 // what fits a request
			}
			request := Draw(rows, full).Body()
			ways := map[string]func([]byte, io.Writer) error{"plain": Plain, "engine": newEngine().run}
			b.Run(label(rows, full), func(b *testing.B) {
				for name, run := range ways {
					b.Run(name, func(b *testing.B) { measure(b, request, run) })
				}
				b.Run("ratio", func(b *testing.B) {
					var ratios []float64
					for b.Loop() {
						var times [2]time.Duration
						for i, name := range []string{"engine", "plain"} {
							began := time.Now()
							if err := ways[name](request, io.Discard); err != nil {
								b.Fatal(err)
							}
							times[i] = time.Since(began)
						}
						ratios = append(ratios, ratio(times[0], times[1]))
					}
					b.ReportMetric(middle(ratios), "engine/plain")
				})
			})
		}
	}
}

func measure(b *testing.B, request []byte, run func([]byte, io.Writer) error) {
	b.SetBytes(int64(len(request)))
	b.ReportAllocs()
	for b.Loop() {
		if err := run(request, io.Discard); err != nil {
			b.Fatal(err)
		}
	}
}
