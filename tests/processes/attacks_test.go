package processes_test

import (
	"bytes"
	"encoding/base64"
	endian "encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"sync"
	"unicode/utf16"

	"milaan/tests/fakes/zips"
)

// burden is a request that nobody sends in earnest: it takes much of the service.
type burden struct {
	path  string // of the API, or of a page if it begins with /app/
	media string
	body  []byte
}

// attacks are made once, by name.
var attacks = sync.OnceValue(func() map[string]burden {
	all := map[string]burden{}
	for name, files := range map[string][]string{
		"far cells":          twenty(farSheet(true)),
		"a far cell":         twenty(farSheet(false)),
		"long texts":         twenty(textSheet()),
		"one text again":     twenty(sharedSheet()),
		"blank elements":     twenty(zips.XLSX(strings.Repeat("<row>"+strings.Repeat("<c/>", 1000)+"</row>", 1500), "")),
		"blanks":             twenty(zips.XLSX(strings.Repeat(" ", 15<<20), "")),
		"repeated cells":     twenty(zips.ODS(strings.Repeat(`<table-row number-rows-repeated="2500"><table-cell number-columns-repeated="16"><p>x</p></table-cell></table-row>`, 20))),
		"repeated far cells": twenty(zips.ODS(`<table-row number-rows-repeated="49000"><table-cell number-columns-repeated="16380"/><table-cell><p>x</p></table-cell></table-row>`)),
		"an old workbook":    twenty(xlsOf()),
		"a page":             twenty(pageOf()),
		"far cells of pages": twenty("<table><tr><td>AWB No<td>COD Amount<td>Remittance Date" + strings.Repeat("<tr>"+strings.Repeat("<td colspan=1000>", 16)+"<td>x", 3000)),
	} {
		form := formWith(files)
		all["inspect "+name] = burden{"/app/api/inspect", formMedia, form}
		all["upload "+name] = burden{"/app/api/reconcile", formMedia, form}
		all["files "+name] = burden{"/reconcile/files", formMedia, form}
	}
	large := func(most int) string {
		return until(most, "AWB No,COD Amount,Remittance Date\n", 50_000, func(i int) string { return fmt.Sprintf("%d%s,5,2026-01-01\n", i, strings.Repeat("x", 1300)) })
	}
	wide := func(most int) string {
		return "\xff\xfe" + utf16Of(until(most/2, "AWB No,COD Amount,Remittance Date\n", 25_000, func(i int) string { return fmt.Sprintf("%d%s,5,2026-01-01\n", i, strings.Repeat("字", 1200)) }))
	}
	for name, report := range map[string]string{"long AWBs": large(63 << 20), "UTF-16": wide(63 << 20)} {
		all["inspect "+name] = burden{"/app/api/inspect", formMedia, formWith([]string{report})}
		all["upload "+name] = burden{"/app/api/reconcile", formMedia, formWith([]string{report})}
	}
	all["files long AWBs"] = burden{"/reconcile/files", formMedia, formWith([]string{large(24 << 20)})}
	all["large bodies"] = burden{"/reconcile", "application/json", withBrand(largeCargo().body)}
	export, report := flagged()
	flaggedBody, _ := json.Marshal(map[string]string{"shopify": export, "courier": report, "brand": "b", "format": "pdf"}) // strings always encode
	for _, format := range []string{"pdf", "xlsx", "dispute"} {
		body := bytes.Replace(flaggedBody, []byte(`"format":"pdf"`), []byte(`"format":"`+format+`"`), 1)
		all["document "+format] = burden{"/report", "application/json", body}
	}
	all["many flagged"] = burden{"/reconcile", "application/json", flaggedBody}
	all["a batch of one"] = burden{"/reconcile/batch", "application/json", []byte(`{"jobs":[` + string(withBrand(largeCargo().body)) + `]}`)}
	noise, noisy := rand.NewChaCha8([32]byte{}), make([]byte, 360)
	export = until(20<<20, "Name,Created at,Total,Notes\n", 49_000, func(i int) string {
		_, _ = noise.Read(noisy) // it never fails
		return fmt.Sprintf("#%d,2026-01-01,5,%s\n", i, base64.StdEncoding.EncodeToString(noisy))
	})
	noiseBody, _ := json.Marshal(map[string]string{"shopify": export, "courier": report, "brand": "b"})
	all["a batch of noise"] = burden{"/reconcile/batch", "application/json", []byte(`{"jobs":[` + string(noiseBody) + `]}`)}
	job := string(withBrand(smallCargo().body))
	all["a batch of many"] = burden{"/reconcile/batch", "application/json", []byte(`{"jobs":[` + strings.TrimSuffix(strings.Repeat(job+",", min(20, (20<<20)/len(job))), ",") + `]}`)}
	return all
})

func withBrand(body []byte) []byte { return append([]byte(`{"brand":"b",`), body[1:]...) }

const (
	formBoundary = "boundary-of-the-attacks"
	formMedia    = "multipart/form-data; boundary=" + formBoundary
)

// formWith is a form with one order and these reports.
func formWith(reports []string) []byte {
	var b bytes.Buffer
	part := func(name, content string) {
		fmt.Fprintf(&b, "--%s\r\nContent-Disposition: form-data; name=%q; filename=\"f\"\r\n\r\n%s\r\n", formBoundary, name, content)
	}
	part("orders", orders)
	for _, report := range reports {
		part("report", report)
	}
	part("brand", "b")
	fmt.Fprintf(&b, "--%s--\r\n", formBoundary)
	return b.Bytes()
}

func twenty(file string) []string {
	files := make([]string, 20)
	for i := range files {
		files[i] = file
	}
	return files
}

// until makes lines until there are most of them, or that number of bytes.
func until(bytes int, head string, most int, line func(i int) string) string {
	var b strings.Builder
	b.WriteString(head)
	for i := range most {
		next := line(i)
		if b.Len()+len(next) > bytes {
			break
		}
		b.WriteString(next)
	}
	return b.String()
}

func utf16Of(text string) string {
	units := utf16.Encode([]rune(text))
	encoded := make([]byte, 0, 2*len(units))
	for _, u := range units {
		encoded = endian.LittleEndian.AppendUint16(encoded, u)
	}
	return string(encoded)
}

// farSheet has 49,998 rows, and a cell in the last column of each row, or of the last one.
func farSheet(each bool) string {
	return zips.XLSX(until(math.MaxInt, "", 49_997, func(i int) string {
		far := ""
		if each || i == 49_996 {
			far = fmt.Sprintf(`<c r="XFD%d"><v>1</v></c>`, i+3)
		}
		return fmt.Sprintf(`<row r="%d"><c r="A%d"><v>%d</v></c><c><v>5</v></c>%s</row>`, i+3, i+3, i, far)
	}), "")
}

// textSheet has rows with 30 MB of text.
func textSheet() string {
	text := strings.Repeat("y", 600)
	return zips.XLSX(until(math.MaxInt, "", 49_998, func(i int) string {
		return fmt.Sprintf(`<row><c t="str"><v>A%d</v></c><c><v>5</v></c><c t="str"><v>2026-01-01</v></c><c t="str"><v>%s</v></c></row>`, i, text)
	}), "")
}

// sharedSheet has one long text again and again.
func sharedSheet() string {
	return zips.XLSX(strings.Repeat(`<row><c t="s"><v>0</v></c><c><v>5</v></c><c t="s"><v>0</v></c><c t="s"><v>0</v></c></row>`, 600), "<si><t>"+strings.Repeat("x", 30_000)+"</t></si>")
}

// xlsOf is a bare BIFF8 sheet with 20,000 rows, each with a cell in the last column.
func xlsOf() string {
	var b []byte
	record := func(kind uint16, data []byte) {
		b = endian.LittleEndian.AppendUint16(b, kind)
		b = endian.LittleEndian.AppendUint16(b, uint16(len(data)))
		b = append(b, data...)
	}
	record(0x0809, []byte{0, 6, 0x10, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0})
	label := func(row, col int, text string) {
		data := endian.LittleEndian.AppendUint16(nil, uint16(row))
		data = endian.LittleEndian.AppendUint16(data, uint16(col))
		data = endian.LittleEndian.AppendUint16(append(data, 0, 0), uint16(len(text)))
		record(0x0204, append(append(data, 0), text...))
	}
	for i, name := range []string{"AWB No", "COD Amount", "Remittance Date"} {
		label(0, i, name)
	}
	for row := range 20_000 {
		label(row+1, 255, "x")
	}
	record(0x000a, nil)
	return string(b)
}

// pageOf is a page with as many rows as a report may have.
func pageOf() string {
	return until(1<<20, "<table><tr><td>AWB No<td>COD Amount<td>Remittance Date", 49_998, func(i int) string { return fmt.Sprintf("<tr><td>A%d<td>5<td>2026-01-01", i) })
}

// flagged are files of 50,000 orders, each of which was paid short.
func flagged() (export, report string) {
	export = until(math.MaxInt, "Name,Total,Created at,Fulfilled at,Payment Method,Tracking Number\n", 50_000, func(i int) string {
		return fmt.Sprintf("#%d,900,2026-01-01,2026-01-02,COD,%014d\n", i, i+10_000_000)
	})
	report = until(math.MaxInt, "AWB No,COD Amount,Remitted Amount,Remittance Date\n", 50_000, func(i int) string {
		return fmt.Sprintf("%014d,900,700,2026-01-10\n", i+10_000_000)
	})
	return export, report
}
