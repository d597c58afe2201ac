// Package zips makes zip files, workbooks among them.
package zips

import (
	"archive/zip"
	"bytes"
	"io"
	"io/fs"
	"strings"
)

// Of is a zip file of files, each a name and then its text.
func Of(files ...string) []byte {
	var all bytes.Buffer
	z := zip.NewWriter(&all)
	for i := 0; i < len(files); i += 2 {
		file, _ := z.Create(files[i]) // nothing fails in memory
		_, _ = io.WriteString(file, files[i+1])
	}
	_ = z.Close()
	return all.Bytes()
}

// OfAny is a zip file of texts by their names, in any order.
func OfAny(texts map[string]string) []byte {
	var files []string
	for name, text := range texts {
		files = append(files, name, text)
	}
	return Of(files...)
}

// Files are the texts of the files of a zip file, by their names.
func Files(archive []byte) (map[string]string, error) {
	z, err := zip.NewReader(bytes.NewReader(archive), int64(len(archive)))
	if err != nil {
		return nil, err
	}
	files := map[string]string{}
	for _, f := range z.File {
		text, err := fs.ReadFile(z, f.Name)
		if err != nil {
			return nil, err
		}
		files[f.Name] = string(text)
	}
	return files, nil
}

// XLSX is a workbook with the header of a report, a line and such rows, and with shared texts.
func XLSX(rows, texts string) string {
	cells := func(texts ...string) string {
		return `<row><c t="str"><v>` + strings.Join(texts, `</v></c><c t="str"><v>`) + `</v></c></row>`
	}
	return string(Of("xl/workbook.xml", `<workbook><sheets><sheet name="S" r:id="r"/></sheets></workbook>`,
		"xl/_rels/workbook.xml.rels", `<Relationships><Relationship Id="r" Type="worksheet" Target="sheet.xml"/><Relationship Id="s" Type="sharedStrings" Target="texts.xml"/></Relationships>`,
		"xl/texts.xml", "<sst>"+texts+"</sst>",
		"xl/sheet.xml", `<worksheet><sheetData>`+cells("AWB No", "COD Amount", "Remittance Date", "Remarks")+cells("A1", "5", "2026-01-01")+rows+`</sheetData></worksheet>`))
}

// ODS is such a workbook as OpenDocument.
func ODS(rows string) string {
	cell := func(text string) string { return "<table-cell><p>" + text + "</p></table-cell>" }
	return string(Of("mimetype", "application/vnd.oasis.opendocument.spreadsheet", "content.xml",
		`<document-content><body><spreadsheet><table name="S"><table-row>`+cell("AWB No")+cell("COD Amount")+cell("Remittance Date")+`</table-row><table-row>`+
			cell("A1")+cell("5")+cell("2026-01-01")+`</table-row>`+rows+`</table></spreadsheet></body></document-content>`))
}
