package browser_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/xuri/excelize/v2"

	"milaan/tests/browser"
	"milaan/tests/fakes/zips"
	"milaan/tests/service"
)

// locked returns a workbook with a password.
func locked(t *testing.T) string {
	t.Helper()
	var b bytes.Buffer
	book := excelize.NewFile()
	require.NoError(t, book.Write(&b))
	require.NoError(t, book.Close())
	encrypted, err := excelize.Encrypt(b.Bytes(), &excelize.Options{Password: "x"})
	require.NoError(t, err)
	return string(encrypted)
}

// TestWrongFilesAreNamed drops files that have nothing to read: on the page, which does not know
// then what they should have been, and in each place. Each is spoken of by its own name.
func TestWrongFilesAreNamed(t *testing.T) {
	s := serve(t, service.Options{})
	const empty = "is empty; export or download it again"
	wrong := []struct{ name, content, says string }{
		{"nothing.csv", "", empty},
		{"mark.csv", "\ufeff", empty},
		{"mark-16.csv", "\xff\xfe", empty},
		{"lines.csv", "\r\n\r\n \r\n", empty},
		{"commas.csv", ",,,\n,,,\n", empty},
		{"photo.png", "\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR", "is a picture"},
		{"photo.jpg", "\xff\xd8\xff\xe0\x00\x10JFIF", "is a picture"},
		{"scan.pdf", "%PDF-1.7\n%\xe2\xe3\xcf\xd3\n", "is a PDF document"},
		{"locked.xlsx", locked(t), "is a workbook that is protected by a password; open it and save it without the password"},
		{"march.zip", string(zips.Of("march.csv", "<a/>\n")), "is an archive such as ZIP"},
		{"letter.docx", string(zips.Of("[Content_Types].xml", "<a/>\n", "word/document.xml", "<a/>\n")), "is a document of another program"},
	}
	var paths []string
	for _, f := range wrong {
		paths = append(paths, written(t, f.name, f.content))
	}
	tab := browser.Open(t, s.URL)
	says := func(i int) {
		f := wrong[i]
		card := fmt.Sprintf(`document.querySelector('.file-card[aria-label="%s"]')`, f.name)
		tab.Wait(card + `?.getAttribute("aria-busy") === "false"`)
		tab.See(f.name + ": " + f.says)
		for _, more := range []string{"know what it is", "Courier", "columns"} {
			require.NotContains(t, browser.Eval[string](tab, card+`.innerText`), more, "nothing else can be done with %s", f.name)
		}
	}
	never := func() {
		t.Helper()
		for _, text := range []string{"the orders file", "not answered", "the report:", "the bank statement:"} {
			require.NotContains(t, strings.ToLower(browser.Eval[string](tab, `document.querySelector("main").innerText`)), text)
		}
	}
	tab.Go("/app")
	tab.Drop("h1", paths...)
	for i := range wrong {
		says(i)
	}
	never()
	tab.Look("wrong-files")
	for i := range wrong {
		for _, place := range []string{exportZone, reportZone, "Add a bank statement"} {
			tab.Go("/app")
			tab.Upload(place, paths[i])
			says(i)
			never()
		}
	}
}

// TestFilesOfAHeaderAloneAreNamed drops files that have nothing below their header.
func TestFilesOfAHeaderAloneAreNamed(t *testing.T) {
	s := serve(t, service.Options{})
	tab := browser.Open(t, s.URL)
	for _, f := range []struct{ name, header, says string }{
		{"march-orders.csv", "Name,Total,Created at", "march-orders.csv: has no orders below its header"},
		{"march.csv", "AWB No,Order ID,COD Amount,Remittance Date", "march.csv has nothing below its header."},
		{"bank.csv", "Date,Narration,Credit", "bank.csv: has no line with a date below its header"},
		{"odd.csv", "Parcel,Door,Bank", "odd.csv has nothing below its header."},
	} {
		tab.Go("/app")
		tab.Drop("h1", written(t, f.name, f.header+"\n")).See(f.says)
	}
	tab.Axe()
}
