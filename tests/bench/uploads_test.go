package bench_test

import (
	"encoding/binary"
	"fmt"
	"net/http"
	"os"
	"runtime"
	"runtime/debug"
	"strings"
	"sync/atomic"
	"testing"
	"time"
	"unicode/utf16"

	"github.com/stretchr/testify/require"

	"milaan/adapters/httpapi/intake"
	"milaan/tests/fakes/zips"
	"milaan/tests/service"
)

// mostOfUpload is how many bytes of memory the whole process may have while the largest
// upload is read and reconciled.
const mostOfUpload = 640 << 20

// utf16Of is a text as spreadsheet programs write "Unicode text".
func utf16Of(text string) string {
	units := utf16.Encode([]rune(text))
	encoded := append(make([]byte, 0, 2+2*len(units)), 0xff, 0xfe)
	for _, u := range units {
		encoded = binary.LittleEndian.AppendUint16(encoded, u)
	}
	return string(encoded)
}

// TestLargestUploads uploads files that nobody uploads in earnest, and holds what they
// allocate, how much memory there is at the peak, and that others are answered meanwhile.
// Without MILAAN_SOAK they are of 1 MB, and the peak is not looked at.
func TestLargestUploads(t *testing.T) {
	size, soak := 1<<20, os.Getenv("MILAAN_SOAK") != ""
	if soak {
		size = intake.MaxUpload - 4<<10
		defer debug.SetGCPercent(debug.SetGCPercent(10)) // as the program sets it
	}
	h := startHostile(t)
	orders := func(text string) string {
		return service.PartOfForm("orders", text) + service.PartOfForm("report", service.OneLine)
	}
	report := func(text string) string {
		return service.PartOfForm("orders", service.OneOrder) + service.PartOfForm("report", text)
	}
	bank := func(text string) string { return orders(service.OneOrder) + service.PartOfForm("bank", text) }
	filled := func(head, unit string) string { return head + strings.Repeat(unit, (size-len(head))/len(unit)) }
	lines := func(head string, most int, line func(i int) string) string {
		var b strings.Builder
		for b.WriteString(head); most > 0; most-- {
			next := line(most)
			if b.Len()+len(next) > size {
				break
			}
			b.WriteString(next)
		}
		return b.String()
	}
	long := strings.Repeat("x", 1250)
	cells := `<row><c t="str"><v>A1</v></c><c><v>5</v></c><c t="str"><v>2026-01-01</v></c><c t="str"><v>` + strings.Repeat("y", 900) + "</v></c></row>"
	for name, body := range map[string]func() string{
		"an export": func() string {
			return orders(lines(service.OneOrder, 50_000, func(i int) string {
				return fmt.Sprintf("#%d,%d,2026-01-01,A%d%s\n", i, i, i, strings.Repeat(",", 3)+long[:1200])
			}))
		},
		"bytes that are not UTF-8": func() string {
			return orders(service.OneOrder + strings.Repeat("\xff", (size-len(service.OneOrder))/3))
		},
		"quotes":             func() string { return orders(filled("", `"`)) },
		"quotes in a report": func() string { return report(filled(service.OneLine, `"",`)) },
		"line ends":          func() string { return orders(filled(service.OneOrder, "\n")) },
		"zeros":              func() string { return report(filled("", "\x00")) },
		"commas":             func() string { return orders(filled("", ",")) },
		"a million rows":     func() string { return orders(filled(service.OneOrder, "#1,5,2026-01-01,A1\n")) },
		"long names": func() string {
			return orders(lines("Name,Total,Created at\n", 50_000, func(i int) string { return fmt.Sprintf("#%d%s,5,2026-01-01\n", i, long) }))
		},
		"long AWBs": func() string {
			return report(lines("AWB No,COD Amount,Remittance Date\n", 50_000, func(i int) string { return fmt.Sprintf("%d%s,5,2026-01-01\n", i, long) }))
		},
		"ideographs of UTF-16": func() string {
			return orders(utf16Of(lines("Name,Total,Created at\n", 25_000, func(i int) string { return fmt.Sprintf("#%d%s,5,2026-01-01\n", i, strings.Repeat("字", 700)) })))
		},
		"halves of characters": func() string { return report("\xff\xfe" + filled("", "\x00\xd8")) },
		"twenty reports": func() string {
			return service.PartOfForm("orders", service.OneOrder) + strings.Repeat(service.PartOfForm("report", full(service.OneLine, "A1,5,2026-01-01\n", size/21)), 20)
		},
		"twenty exports": func() string {
			return service.PartOfForm("orders", service.OneOrder) + strings.Repeat(service.PartOfForm("report", full(service.OneOrder, "#1,5,2026-01-01,A\n", size/21)), 20)
		},
		"narrations": func() string {
			return bank(lines("Date,Narration,Credit\n", 50_000, func(i int) string { return fmt.Sprintf("2026-01-01,%d%s,5\n", i, long) }))
		},
		"rows of a page": func() string {
			return report(filled("<table><tr><td>AWB No<td>COD Amount<td>Remittance Date", "<tr><td>A1<td>5<td>2026-01-01"))
		},
		"tables in tables": func() string { return report(filled("", "<table>")) },
		"a page in UTF-16": func() string {
			return report(utf16Of(filled("<table><tr><td>AWB No<td>COD Amount<td>Remittance Date", "<tr><td>A1<td>5<td>2026-01-01")[:size/2]))
		},
		"texts of a workbook":   func() string { return report(zips.XLSX(strings.Repeat(cells, size/len(cells)), "")) },
		"a workbook of nothing": func() string { return report(zips.XLSX(strings.Repeat(" ", 4*size), "")) },
		"an old workbook":       func() string { return report("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + filled("", "\xff")) },
	} {
		t.Run(name, func(t *testing.T) {
			text := body() + service.EndOfForm
			require.LessOrEqual(t, len(text), intake.MaxUpload)
			for _, route := range []string{"inspect", "reconcile"} {
				h.demandUpload(t, route, name, text, soak)
			}
		})
	}
}

// allocatedByTexts is what an upload may allocate for the texts of its workbooks, besides
// the bytes of the body: as many as for a text of that length, which grows on the way.
const allocatedByTexts = 20

// demandUpload holds what an upload allocates, and if the peak is looked at, that peak and
// that others are answered.
func (h *hostile) demandUpload(t *testing.T, route, name, text string, peak bool) {
	t.Helper()
	most := (allocatedPerByte+allocatedByTexts)*len(text) + allocatedByRequest + allocatedByInspection
	requireBounded(t, route+" "+name, text, http.StatusOK, most, func() (status int, message string, allocated int) {
		if !peak {
			return h.send(t, "/app/api/"+route, text)
		}
		runtime.GC()
		var ended atomic.Bool
		highest := make(chan uint64)
		go func() {
			var largest uint64
			for !ended.Load() {
				var m runtime.MemStats
				runtime.ReadMemStats(&m)
				largest = max(largest, m.HeapInuse+m.StackInuse)
				time.Sleep(2 * time.Millisecond)
			}
			highest <- largest
		}()
		others := make(chan int)
		go func() {
			a, err := http.DefaultClient.Get(h.service.URL + "/healthz")
			if err != nil {
				others <- 0
				return
			}
			_ = a.Body.Close()
			others <- a.StatusCode
		}()
		status, message, allocated = h.send(t, "/app/api/"+route, text)
		require.Equal(t, http.StatusOK, <-others)
		ended.Store(true)
		require.Less(t, <-highest, uint64(mostOfUpload), "%s, at the peak", name)
		return status, message, allocated
	})
}
