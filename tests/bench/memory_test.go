package bench

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"milaan/adapters/httpapi/jsonbody"
	"milaan/ports"
)

// TestWorkBytesBoundsWhatARunKeeps holds what lives while an outcome is being
// written, beside the body, to what ports.WorkBytesFor says. Bodies are ordinary, or
// made to be kept: long names, AWBs and statuses, with MILAAN_SOAK as many as there may be
// and without it a fifth.
func TestWorkBytesBoundsWhatARunKeeps(t *testing.T) {
	part := 5
	if os.Getenv("MILAAN_SOAK") != "" {
		part = 1
	}
	const orders = "Name,Total,Created at,AWB,Fulfillment Status\\n"
	const lines = "AWB No,Order ID,COD Amount,Remittance Date,UTR\\n"
	repeated := func(head string, rows int, row func(i int) string) string {
		var b strings.Builder
		b.WriteString(head)
		for i := range rows {
			b.WriteString(row(i))
		}
		return b.String()
	}
	request := func(export, report string) []byte {
		return []byte(`{"shopify":"` + export + `","courier":"` + report + `"}`)
	}
	fill := func(unit string, n int) string { return strings.Repeat(unit, n) }
	for name, request := range map[string][]byte{
		"ordinary, small": Draw(500, false).Body(),
		"ordinary, lean":  Draw(50_000/part, false).Body(),
		"ordinary, full":  Draw(25_000/part, true).Body(),
		"short rows": request(repeated(orders, 50_000, func(i int) string { return fmt.Sprintf(`%x,,2026-01-01,%x,\n`, i, i) }),
			repeated(lines, 50_000, func(i int) string { return fmt.Sprintf(`%x,%x,1,,\n`, i, i) })),
		"few short rows": request(repeated(orders, 900, func(i int) string { return fmt.Sprintf(`%x,,2026-01-01,%x,\n`, i, i) }), lines+"1,1,1,,"),
		"long names":     request(repeated(orders, 50_000/part, func(i int) string { return fmt.Sprintf(`%d%s,1,2026-01-01,,\n`, i, fill("x", 470)) }), lines+"1,1,1,,"),
		"huge names":     request(repeated(orders, 300, func(i int) string { return fmt.Sprintf(`%d%s,1,2026-01-01,,\n`, i, fill("x", 80_000)) }), lines+"1,1,1,,"),
		"long AWBs": request(repeated(orders, 3_000/part, func(i int) string {
			return fmt.Sprintf(`%d,1,2026-01-01,%s,\n`, i, repeated("", 49, func(j int) string { return fmt.Sprintf("%d%s ", j, fill("x", 78)) }))
		}), lines+"1,1,1,,"),
		"many AWBs": request(repeated(orders, 3_000/part, func(i int) string {
			return fmt.Sprintf(`%d,1,2026-01-01,%s,\n`, i, repeated("", 50, func(j int) string { return fmt.Sprintf("%x ", i*50+j) }))
		}), lines+"1,1,1,,"),
		"shared AWBs": request(repeated(orders, 50_000, func(i int) string { return fmt.Sprintf(`%x,1,2026-01-01,%x,\n`, i, i/2) }),
			repeated(lines, 50_000, func(i int) string { return fmt.Sprintf(`%x,,%d,,\n`, i/2, i) })),
		"many shared AWBs": request(repeated(orders, 3_000/part, func(i int) string {
			return fmt.Sprintf(`%d,1,2026-01-01,%s,\n`, i, repeated("", 50, func(j int) string { return fmt.Sprintf("%x ", i/2*50+j) }))
		}), repeated(lines, 50_000, func(i int) string { return fmt.Sprintf(`%x,,1,,\n`, i) })),
		"lines beside those by AWB": request(repeated(orders, 25_000, func(i int) string { return fmt.Sprintf(`%x,1,2026-01-01,%x,\n`, i, i) }),
			repeated(lines, 50_000, func(i int) string { return fmt.Sprintf(`%x,%x,1,,\n`, i, i%25_000) })),
		"long statuses": request(repeated(orders, 50_000/part, func(i int) string { return fmt.Sprintf(`%d,1,2026-01-01,,%d%s\n`, i, i, fill("X", 470)) }), lines+"1,1,1,,"),
		"long lines": request(orders+"1,1,2026-01-01,,", repeated(lines, 50_000/part, func(i int) string {
			return fmt.Sprintf(`%d%s,%d%s,1,2026-01-01,%d%s\n`, i, fill("a", 150), i, fill("b", 150), i, fill("c", 150))
		})),
		"not UTF-8": request(repeated(orders, 50_000/part, func(i int) string { return fmt.Sprintf(`%d%s,1,2026-01-01,,\n`, i, fill("\xff", 140)) }), lines+"1,1,1,,"),
	} {
		t.Run(name, func(t *testing.T) {
			e := newEngine()
			buffer := bytes.Clone(request)
			bound := ports.WorkBytesFor(request)
			require.LessOrEqual(t, bound, ports.WorkBytes(int64(len(request))))
			before := heap()
			var f jsonbody.Fields
			require.NoError(t, jsonbody.Decode(buffer, &f))
			outcome, err := e.reconciling.Preview(context.Background(), ports.Request{Storefront: f.Shopify, Courier: f.Courier})
			require.NoError(t, err)
			require.NoError(t, e.answers.Write(io.Discard, outcome, false))
			kept := heap() - before
			t.Logf("%d bytes of a body of %d, at most %d", kept, len(request), bound)
			require.Less(t, len(request), 25<<20)
			require.LessOrEqual(t, kept, bound)
			runtime.KeepAlive(buffer)
			runtime.KeepAlive(f)
			outcome.Release()
		})
	}
}

// heap is how many bytes live.
func heap() int64 {
	runtime.GC()
	runtime.GC() // what pools have let go of
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}
