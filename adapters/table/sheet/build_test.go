package sheet_test

import (
	"archive/zip"
	"bytes"
	"hash/crc32"
	"maps"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"milaan/adapters/table/sheet"
	"milaan/tests/fakes/zips"
)

const (
	mainSpace     = `xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"`
	relationSpace = `xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"`
	relationKind  = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/"
)

// parts are the parts of a workbook by name; a part without text is left out.
type parts map[string]string

// zipped is an archive of these parts and those of a plain workbook, whose sheet is at
// xl/worksheets/sheet1.xml.
func (p parts) zipped() []byte {
	all := parts{
		"[Content_Types].xml": `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>`,
		"_rels/.rels":         relations(`Id="rId1" Type="` + relationKind + `officeDocument" Target="xl/workbook.xml"`),
		"xl/workbook.xml":     `<workbook ` + mainSpace + ` ` + relationSpace + `><sheets><sheet name="Sheet1" sheetId="1" r:id="rId1"/></sheets></workbook>`,
		"xl/_rels/workbook.xml.rels": relations(`Id="rId1" Type="`+relationKind+`worksheet" Target="worksheets/sheet1.xml"`,
			`Id="rId2" Type="`+relationKind+`sharedStrings" Target="sharedStrings.xml"`, `Id="rId3" Type="`+relationKind+`styles" Target="styles.xml"`),
		"xl/sharedStrings.xml": `<sst ` + mainSpace + `><si><t>zero</t></si><si><t/></si><si><t>two, &quot;quoted&quot;</t></si></sst>`,
		"xl/styles.xml": `<styleSheet ` + mainSpace + `><numFmts><numFmt numFmtId="164" formatCode="dd\-mm\-yyyy hh:mm:ss"/><numFmt numFmtId="165" formatCode="[h]:mm:ss"/></numFmts>` +
			`<cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="164"/><xf numFmtId="21"/><xf numFmtId="165"/><xf numFmtId="10"/></cellXfs></styleSheet>`,
	}
	maps.Copy(all, p)
	return all.alone()
}

// alone is an archive of these parts only.
func (p parts) alone() []byte {
	there := maps.Clone(p)
	maps.DeleteFunc(there, func(_, text string) bool { return text == "" })
	return zips.OfAny(there)
}

func relations(attributes ...string) string {
	text := `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">`
	for _, a := range attributes {
		text += "<Relationship " + a + "/>"
	}
	return text + "</Relationships>"
}

// sheetOf is a worksheet with these rows.
func sheetOf(rows string) string {
	return `<?xml version="1.0" encoding="UTF-8" standalone="yes"?><worksheet ` + mainSpace + `><dimension ref="A1"/><sheetData>` + rows + `</sheetData><mergeCells><mergeCell ref="A1:B1"/></mergeCells></worksheet>`
}

// bookOf is a workbook of one sheet with these rows. Blanks follow them, so that they are
// read as those of a long sheet are.
func bookOf(rows string) []byte {
	return parts{"xl/worksheets/sheet1.xml": sheetOf(rows + strings.Repeat(" ", 1000))}.zipped()
}

// stored is an archive with one part more, whose bytes and sizes are as given.
func stored(name string, method uint16, compressed []byte, size uint64, more parts) []byte {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for other, text := range more {
		w, err := z.Create(other)
		if err == nil {
			_, err = w.Write([]byte(text))
		}
		if err != nil {
			panic(err)
		}
	}
	w, err := z.CreateRaw(&zip.FileHeader{Name: name, Method: method, CRC32: crc32.ChecksumIEEE(compressed), CompressedSize64: uint64(len(compressed)), UncompressedSize64: size})
	if err == nil {
		_, err = w.Write(compressed)
	}
	if err == nil {
		err = z.Close()
	}
	if err != nil {
		panic(err)
	}
	return b.Bytes()
}

// odsOf is an OpenDocument with these tables.
func odsOf(tables string) []byte {
	return parts{"mimetype": "application/vnd.oasis.opendocument.spreadsheet", "content.xml": contentOf(tables)}.alone()
}

func contentOf(tables string) string {
	return `<office:document-content xmlns:office="o" xmlns:table="t" xmlns:text="x" xmlns:calcext="c" xmlns:style="s"><office:automatic-styles>` +
		`<style:style style:name="ta2" style:family="table"><style:table-properties table:display="false"/></style:style>` +
		`</office:automatic-styles><office:body><office:spreadsheet>` + tables + `</office:spreadsheet></office:body></office:document-content>`
}

// open opens a workbook and reads all its sheets, and returns the first error.
func open(content []byte, most int64) (texts []string, err error) {
	book, is, err := sheet.Open(content, sheet.Limits{Text: most})
	if !is || err != nil {
		return nil, err
	}
	for i := range book.Sheets() {
		text, err := book.AppendText(nil, i, 0)
		if err != nil {
			return texts, err
		}
		texts = append(texts, string(text))
	}
	return texts, nil
}

// textOf is the text of a workbook's first sheet.
func textOf(t *testing.T, content []byte) string {
	t.Helper()
	texts, err := open(content, mostText)
	require.NoError(t, err)
	require.NotEmpty(t, texts)
	return strings.TrimSuffix(spread(texts[0]), "\n")
}

var gap = regexp.MustCompile("\x1f[0-9]+\x1f")

// spread writes separators in the place of gaps.
func spread(text string) string {
	return gap.ReplaceAllStringFunc(text, func(found string) string {
		n, _ := strconv.Atoi(strings.Trim(found, "\x1f"))
		return strings.Repeat(",", n)
	})
}
