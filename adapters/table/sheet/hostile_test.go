package sheet_test

import (
	"archive/zip"
	"bytes"
	"cmp"
	"compress/flate"
	"encoding/binary"
	"fmt"
	"math"
	"os"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"milaan/adapters/table/sheet"
	"milaan/tests/garbage"
	"milaan/tests/only"
)

// TestBrokenWorkbooks reads a workbook whole or not at all.
func TestBrokenWorkbooks(t *testing.T) {
	row := `<row r="1"><c r="A1"><v>1</v></c></row>`
	in := func(rows string) parts { return parts{"xl/worksheets/sheet1.xml": sheetOf(rows)} }
	part := func(name, text string) parts { return parts{"xl/worksheets/sheet1.xml": sheetOf(row), name: text} }
	for name, p := range map[string]parts{
		"rows out of order":               in(`<row r="2"><c r="A2"><v>1</v></c></row>` + row),
		"a row twice":                     in(row + row),
		"row 0":                           in(`<row r="0"/>`),
		"a row beyond the last":           in(`<row r="1048577"/>`),
		"a row of a text":                 in(`<row r="x"/>`),
		"a row of many digits":            in(`<row r="18446744073709551617"/>`),
		"one more row than the last":      in(`<row r="1048576"/><row/>`),
		"cells out of order":              in(`<row r="1"><c r="B1"><v>1</v></c><c r="A1"><v>1</v></c></row>`),
		"rows out of order by cells":      in(`<row><c r="A3"><v>1</v></c></row><row><c r="A2"><v>1</v></c></row>`),
		"a row that its second cell says": in(`<row><c><v>1</v></c><c r="B2"><v>1</v></c></row>`),
		"a cell beyond the last row":      in(`<row><c r="A1048577"><v>1</v></c></row>`),
		"a cell twice":                    in(`<row r="1"><c r="A1"><v>1</v></c><c r="A1"><v>1</v></c></row>`),
		"a cell of another row":           in(`<row r="1"><c r="A2"><v>1</v></c></row>`),
		"a column beyond the last":        in(`<row r="1"><c r="XFE1"><v>1</v></c></row>`),
		"one more column":                 in(`<row r="1"><c r="XFD1"><v>1</v></c><c><v>1</v></c></row>`),
		"a column of four letters":        in(`<row r="1"><c r="AAAA1"><v>1</v></c></row>`),
		"no column":                       in(`<row r="1"><c r="1"><v>1</v></c></row>`),
		"a text that is not there":        in(`<row r="1"><c r="A1" t="s"><v>3</v></c></row>`),
		"text minus one":                  in(`<row r="1"><c r="A1" t="s"><v>-1</v></c></row>`),
		"text of many digits":             in(`<row r="1"><c r="A1" t="s"><v>18446744073709551616</v></c></row>`),
		"text of no number":               in(`<row r="1"><c r="A1" t="s"><v>x</v></c></row>`),
		"texts without a part":            {"xl/worksheets/sheet1.xml": sheetOf(`<row r="1"><c r="A1" t="s"><v>0</v></c></row>`), "xl/sharedStrings.xml": ""},
		"a cell of an unknown kind":       in(`<row r="1"><c r="A1" t="q"><v>1</v></c></row>`),
		"an entity":                       in(`<row r="1"><c r="A1" t="str"><v>&lol;</v></c></row>`),
		"an entity without an end":        in(`<row r="1"><c r="A1" t="str"><v>&amp</v></c></row>`),
		"character 0":                     in(`<row r="1"><c r="A1" t="str"><v>&#0;</v></c></row>`),
		"half a character":                in(`<row r="1"><c r="A1" t="str"><v>&#xD800;</v></c></row>`),
		"closed twice":                    in(`</sheetData></worksheet></worksheet>`),
		"closed in another order":         in(`<row r="1"><c r="A1"><v>1</c></v></row>`),
		"deep":                            in(strings.Repeat("<x>", 300) + strings.Repeat("</x>", 300)),
		"a tag in a tag":                  in(`<row <c></row>`),
		"no name":                         in(`< row/>`),
		"a declaration in it":             in(`<!ELEMENT x>`),
		"no sheet":                        part("xl/worksheets/sheet1.xml", `<chartsheet/>`),
		"no XML":                          part("xl/worksheets/sheet1.xml", "AWB No,COD Amount\n"),
		"empty":                           part("xl/worksheets/sheet1.xml", " "),
		"two documents":                   part("xl/worksheets/sheet1.xml", sheetOf(row)+sheetOf(row)),
		"text behind":                     part("xl/worksheets/sheet1.xml", sheetOf(row)+"x"),
		"billion laughs": part("xl/worksheets/sheet1.xml", `<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">]>`+
			sheetOf(`<row r="1"><c r="A1" t="str"><v>&b;</v></c></row>`)),
		"texts behind all texts":    part("xl/sharedStrings.xml", `<sst/><si><t>x</t></si>`+strings.Repeat(" ", 1000)),
		"a document type in texts":  part("xl/sharedStrings.xml", `<!DOCTYPE x SYSTEM "file:///etc/passwd"><sst/>`),
		"a document type in styles": part("xl/styles.xml", `<!DOCTYPE x><styleSheet/>`),
		"a document type, workbook": part("xl/workbook.xml", `<!DOCTYPE x><workbook/>`),
		"a document type, archive":  part("_rels/.rels", `<!DOCTYPE x><Relationships/>`),
		"another coding":            part("xl/worksheets/sheet1.xml", strings.Replace(sheetOf(row), "UTF-8", "ISO-8859-1", 1)),
		"UTF-16":                    part("xl/worksheets/sheet1.xml", "\xff\xfe<\x00a\x00/\x00>\x00"),
		"a sheet without a part":    part("xl/_rels/workbook.xml.rels", relations(`Id="rId1" Type="x/worksheet" Target="worksheets/sheet9.xml"`)),
		"a sheet without relations": part("xl/_rels/workbook.xml.rels", ""),
		"two sheets of one part":    part("xl/workbook.xml", `<workbook xmlns:r="r"><sheets><sheet name="a" r:id="rId1"/><sheet name="b" r:id="rId1"/></sheets></workbook>`),
		"a loop of relations":       part("xl/_rels/workbook.xml.rels", relations(`Id="rId1" Type="x/worksheet" Target="workbook.xml"`)),
		"two parts of one name":     part("XL/worksheets/../worksheets/SHEET1.xml", sheetOf(row)),
	} {
		t.Run(name, func(t *testing.T) {
			texts, err := open(p.zipped(), mostText)
			require.ErrorIs(t, err, sheet.ErrBroken, "%q", texts)
		})
	}
}

// TestSheetsThatBreakOff refuses a sheet of which any byte at its end is missing, in both
// formats, and an archive that is not whole: they are never read as fewer rows.
func TestSheetsThatBreakOff(t *testing.T) {
	xlsx := sheetOf(`<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1"><v>1</v></c></row><row r="2"><c r="A2" t="inlineStr"><is><t>x&gt;</t></is></c></row>`)
	for n := range len(xlsx) {
		require.ErrorIs(t, only.Err(open(parts{"xl/worksheets/sheet1.xml": xlsx[:n]}.zipped(), mostText)), sheet.ErrBroken, xlsx[:n])
	}
	ods := contentOf(`<table:table table:name="s"><table:table-row><table:table-cell office:value-type="float" office:value="1"><text:p>1</text:p></table:table-cell></table:table-row></table:table>`)
	for n := range len(ods) {
		_, err := open(parts{"mimetype": "application/vnd.oasis.opendocument.spreadsheet", "content.xml": ods[:n]}.alone(), mostText)
		require.ErrorIs(t, err, sheet.ErrBroken, ods[:n])
	}
	for _, whole := range [][]byte{bookOf(`<row r="1"><c r="A1" t="s"><v>0</v></c></row>`), odsOf(`<table:table table:name="s"/>`)} {
		for n := 4; n < len(whole); n++ {
			require.ErrorIs(t, only.Err(open(whole[:n], mostText)), sheet.ErrBroken, n)
		}
	}
}

// TestDamagedArchives finds bytes that are other than they were written.
func TestDamagedArchives(t *testing.T) {
	text := sheetOf(strings.Repeat(`<row><c><v>1</v></c><c><v>22</v></c></row>`, 500))
	deflated := func(text string) []byte {
		var b bytes.Buffer
		w := only.Value(flate.NewWriter(&b, 6))(t)
		require.NoError(t, only.Err(w.Write([]byte(text))))
		require.NoError(t, w.Close())
		return b.Bytes()
	}
	whole := parts{}.zipped()
	require.ErrorIs(t, only.Err(open(whole, mostText)), sheet.ErrBroken, "the sheet is missing")
	others := parts{"xl/workbook.xml": `<workbook xmlns:r="r"><sheets><sheet name="a" r:id="a"/></sheets></workbook>`,
		"xl/_rels/workbook.xml.rels": relations(`Id="a" Type="x/worksheet" Target="s.xml"`)}
	for name, content := range map[string][]byte{
		"another sum":     stored("xl/s.xml", zip.Store, []byte(text), uint64(len(text))-1, others),
		"a lying size":    stored("xl/s.xml", zip.Deflate, deflated(text), 10, others),
		"a larger size":   stored("xl/s.xml", zip.Deflate, deflated(text), uint64(len(text))+1, others),
		"no method":       stored("xl/s.xml", 99, []byte(text), uint64(len(text)), others),
		"no deflate data": stored("xl/s.xml", zip.Deflate, []byte("xxxxxxxx"), uint64(len(text)), others),
		"ended early":     stored("xl/s.xml", zip.Deflate, deflated(text)[:20], uint64(len(text)), others),
		"wrong sum":       stored("xl/s.xml", zip.Deflate, deflated(text), uint64(len(text)), others), // the sum is that of the deflated bytes
	} {
		require.ErrorIs(t, only.Err(open(content, mostText)), sheet.ErrBroken, name)
	}
	// Any bit of the file is another: it is refused, or was one of those that say nothing.
	one := bookOf(strings.Repeat(`<row><c t="s"><v>0</v></c><c><v>22</v></c></row>`, 20))
	want := only.Value(open(one, mostText))(t)
	for i := range one {
		one[i] ^= 1 << (i % 8)
		if got, err := open(one, mostText); err == nil && len(got) > 0 {
			require.Equal(t, want, got, i)
		}
		one[i] ^= 1 << (i % 8)
	}
}

// attack is a file that nobody sends in earnest, and how it is refused; nil: it is read.
type attack struct {
	content []byte
	want    error
	most    int64 // bytes that the text may have; 0: 1 MB
}

func attacks() map[string]attack {
	times := func(text string, n int) string { return strings.Repeat(text, n) }
	in := func(rows string) []byte { return parts{"xl/worksheets/sheet1.xml": sheetOf(rows)}.zipped() }
	ods := func(tables string) []byte { return odsOf(tables) }
	sheets := func(n int) (list, related string) {
		var a, b strings.Builder
		for i := range n {
			fmt.Fprintf(&a, `<sheet name="s%d" r:id="i%d"/>`, i, i)
			fmt.Fprintf(&b, `<Relationship Id="i%d" Type="x/worksheet" Target="s%d.xml"/>`, i, i)
		}
		return `<workbook xmlns:r="r"><sheets>` + a.String() + `</sheets></workbook>`, `<Relationships>` + b.String() + `</Relationships>`
	}
	long := func(n int, each func(i int) string) string {
		var b strings.Builder
		for i := range n {
			b.WriteString(each(i))
		}
		return b.String()
	}
	names := long(30, func(i int) string { return fmt.Sprintf(`<sheet name="%d%s" r:id="i%d"/>`, i, times("n", 1<<17), i) })
	manySheets, manyRelations := sheets(50_000)
	fewSheets, fewRelations := sheets(1100)
	var sparse strings.Builder
	for i := range 400 {
		fmt.Fprintf(&sparse, `<row r="%d"><c r="XFD%d"><v>1</v></c></row>`, i+1, i+1)
	}
	cell := `<table:table-cell office:value-type="string"><text:p>x</text:p></table:table-cell>`
	return map[string]attack{
		"blanks":                         {content: in(times(" ", 40<<20)), want: sheet.ErrLarge},
		"merged cells":                   {content: merging(1 << 16)},
		"a million merged cells":         {content: merging(1 << 20), want: sheet.ErrLarge},
		"blanks that are few":            {content: in(times(times(" ", 1000)+"<x/>", 3000))},
		"a comment":                      {content: in("<!--" + times("x", 3<<20) + "-->"), want: sheet.ErrLarge},
		"a tag":                          {content: in("<row " + times("x", 3<<20) + ">"), want: sheet.ErrLarge},
		"a tag of quotes":                {content: in(`<row a="` + times(`>`, 3<<20) + `"/>`), want: sheet.ErrLarge},
		"a value":                        {content: in(`<row><c t="str"><v>` + times("x", 3<<20) + `</v></c></row>`), want: sheet.ErrLarge},
		"a value in pieces":              {content: in(`<row><c t="str"><v>` + times("x<?y?>", 1<<20+1) + `</v></c></row>`), want: sheet.ErrLarge},
		"a value of many runs":           {content: in(`<row><c t="inlineStr"><is>` + times("<r><t>xxxxxxxx</t></r>", 200_000) + `</is></c></row>`), want: sheet.ErrLarge},
		"an attribute many times":        {content: in(`<row ` + times(`r="1" `, 150_000) + `/>`)},
		"elements that are never closed": {content: in(times("<x>", 1<<20)), want: sheet.ErrBroken},
		"elements without text":          {content: in("<row>" + times("<c/>", 16000) + "</row>" + times("<row>"+times("<x/>", 1<<18)+"</row>", 21)), want: sheet.ErrLarge},
		"elements of long names":         {content: in(times("<"+times("x", 1<<16)+">", 23)), want: sheet.ErrLarge},
		"empty rows":                     {content: in(times("<row/>", 1<<20+1)), want: sheet.ErrBroken},
		"gaps between rows":              {content: in(`<row r="1048576"><c><v>1</v></c></row>`), want: sheet.ErrLarge, most: 1 << 19},
		"gaps between columns":           {content: in(sparse.String())},
		"a text shared often":            {content: parts{"xl/sharedStrings.xml": `<sst><si><t>` + times("x", 32767) + `</t></si></sst>`, "xl/worksheets/sheet1.xml": sheetOf(`<row>` + times(`<c t="s"><v>0</v></c>`, 16000) + `</row>`)}.zipped(), want: sheet.ErrLarge},
		"a million texts":                {content: parts{"xl/sharedStrings.xml": `<sst>` + times("<si/>", 1<<20+2) + `</sst>`, "xl/worksheets/sheet1.xml": sheetOf("")}.zipped(), want: sheet.ErrLarge},
		"a million styles":               {content: parts{"xl/styles.xml": `<styleSheet><cellXfs>` + times("<xf/>", 1<<20) + `</cellXfs></styleSheet>`, "xl/worksheets/sheet1.xml": sheetOf("")}.zipped(), want: sheet.ErrLarge},
		"50,000 sheets":                  {content: parts{"xl/workbook.xml": manySheets, "xl/_rels/workbook.xml.rels": manyRelations}.zipped(), want: sheet.ErrLarge},
		"1,100 sheets":                   {content: parts{"xl/workbook.xml": fewSheets, "xl/_rels/workbook.xml.rels": fewRelations}.zipped(), want: sheet.ErrLarge},
		"a million sheets of one":        {content: parts{"xl/workbook.xml": `<workbook xmlns:r="r"><sheets>` + times(`<sheet name="a" r:id="rId1"/>`, 500_000) + `</sheets></workbook>`}.zipped(), want: sheet.ErrBroken},
		"relations of long kinds": {content: parts{"xl/_rels/workbook.xml.rels": `<Relationships>` + long(15, func(i int) string {
			return fmt.Sprintf(`<Relationship Id="i%d" Type="%s/x" Target="x"/>`, i, times("x", 1<<20-99))
		}) + `</Relationships>`}.zipped(), want: sheet.ErrLarge},
		"long names of sheets": {content: parts{"xl/workbook.xml": `<workbook xmlns:r="r"><sheets>` + names + `</sheets></workbook>`, "xl/_rels/workbook.xml.rels": fewRelations}.zipped(), want: sheet.ErrLarge, most: 4 << 20},
		"ods: styles of long names": {content: parts{"mimetype": "application/vnd.oasis.opendocument.spreadsheet", "content.xml": strings.Replace(contentOf(""), "<office:body>", long(15, func(i int) string {
			return fmt.Sprintf(`<style:style style:name="%d%s"><style:table-properties table:display="false"/></style:style>`, i, times("s", 1<<20-99))
		})+"<office:body>", 1)}.alone(), want: sheet.ErrLarge},
		"ods: long names of tables":     {content: ods(long(30, func(i int) string { return fmt.Sprintf(`<table:table table:name="%d%s"/>`, i, times("s", 1<<17)) })), want: sheet.ErrLarge, most: 8 << 20},
		"all cells declared":            {content: parts{"xl/worksheets/sheet1.xml": `<worksheet><dimension ref="A1:XFD1048576"/><sheetData><row r="1" spans="1:16384"><c r="A1"><v>1</v></c></row></sheetData></worksheet>`}.zipped()},
		"30,000 entries":                {content: manyEntries(30_000), want: sheet.ErrLarge},
		"entries over one another":      {content: overlapping(200, 1<<19), want: sheet.ErrLarge},
		"an archive in itself":          {content: stored("xl/x.zip", zip.Store, bookOf(`<row/>`), uint64(len(bookOf(`<row/>`))), parts{"xl/workbook.xml": `<workbook/>`})},
		"a size of 16 EB":               {content: stored("xl/workbook.xml", zip.Deflate, []byte{3, 0}, math.MaxUint64-1, nil), want: sheet.ErrLarge},
		"ods: a cell repeated":          {content: ods(`<table:table table:name="s"><table:table-row>` + strings.Replace(cell, "<table:table-cell", `<table:table-cell table:number-columns-repeated="999999999"`, 1) + `</table:table-row></table:table>`), want: sheet.ErrBroken},
		"ods: a row repeated":           {content: ods(`<table:table table:name="s"><table:table-row table:number-rows-repeated="1048577">` + cell + `</table:table-row></table:table>`), want: sheet.ErrBroken},
		"ods: all cells repeated":       {content: ods(`<table:table table:name="s"><table:table-row table:number-rows-repeated="1048576">` + strings.Replace(cell, "<table:table-cell", `<table:table-cell table:number-columns-repeated="16384"`, 1) + `</table:table-row></table:table>`), want: sheet.ErrLarge},
		"ods: nothing repeated":         {content: ods(`<table:table table:name="s">` + times(`<table:table-row table:number-rows-repeated="1048576"><table:table-cell table:number-columns-repeated="16384"/></table:table-row>`, 10_000) + `</table:table>`)},
		"ods: blanks repeated":          {content: ods(`<table:table table:name="s"><table:table-row><table:table-cell><text:p>` + times(`<text:s text:c="999999999"/>`, 100_000) + `</text:p></table:table-cell></table:table-row></table:table>`), want: sheet.ErrLarge},
		"ods: tables in one another":    {content: ods(times(`<table:table table:name="s"><table:table-row><table:table-cell>`, 100_000)), want: sheet.ErrBroken},
		"ods: many tables":              {content: ods(times(`<table:table table:name="s"/>`, 100_000)), want: sheet.ErrLarge},
		"ods: names of a million bytes": {content: ods(times(`<table:table table:name="`+times("s", 1<<20)+`"/>`, 3)), want: sheet.ErrLarge},
		"ods: laughs":                   {content: parts{"mimetype": "application/vnd.oasis.opendocument.spreadsheet", "content.xml": `<!DOCTYPE x [<!ENTITY a "aaaa">]>` + contentOf("")}.alone(), want: sheet.ErrBroken},
	}
}

// merging is a workbook whose sheet has a cell that is merged so many times, each time with a million others.
func merging(times int) []byte {
	const merge = `<mergeCell ref="A1:A1048576"/>`
	text := strings.Replace(sheetOf(`<row><c><v>1</v></c></row>`), `<mergeCell ref="A1:B1"/>`, strings.Repeat(merge, times), 1)
	return parts{"xl/worksheets/sheet1.xml": text}.zipped()
}

// manyEntries is an archive of the given number of empty parts.
func manyEntries(n int) []byte {
	p := parts{}
	for i := range n {
		p[fmt.Sprintf("%x", i)] = "x"
	}
	return p.alone()
}

// overlapping is an archive whose workbook has the given number of sheets, all of which are the same
// bytes of the file, that are inflated to this size.
func overlapping(n, size int) []byte {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	var list, related strings.Builder
	for i := range n {
		fmt.Fprintf(&list, `<sheet name="s%d" r:id="i%d"/>`, i, i)
		fmt.Fprintf(&related, `<Relationship Id="i%d" Type="x/worksheet" Target="s%03d.xml"/>`, i, i)
	}
	add := func(name, text string) {
		w, err := z.Create(name)
		if err == nil {
			_, err = w.Write([]byte(text))
		}
		if err != nil {
			panic(err)
		}
	}
	add("xl/workbook.xml", `<workbook xmlns:r="r"><sheets>`+list.String()+`</sheets></workbook>`)
	add("xl/_rels/workbook.xml.rels", `<Relationships>`+related.String()+`</Relationships>`)
	add("xl/s000.xml", `<worksheet><sheetData>`+strings.Repeat(" ", size)+`</sheetData></worksheet>`)
	for i := 1; i < n; i++ {
		add(fmt.Sprintf("xl/s%03d.xml", i), "")
	}
	if err := z.Close(); err != nil {
		panic(err)
	}
	content := b.Bytes()
	// The directory's entries of the other sheets are those of the first, but for the name.
	entry := bytes.Index(content, []byte("PK\x01\x02"))
	var offset []byte
	var header []byte
	for at := entry; at >= 0 && at < len(content) && string(content[at:at+4]) == "PK\x01\x02"; {
		name := int(binary.LittleEndian.Uint16(content[at+28:]))
		rest := int(binary.LittleEndian.Uint16(content[at+30:])) + int(binary.LittleEndian.Uint16(content[at+32:]))
		switch part := string(content[at+46 : at+46+name]); {
		case part == "xl/s000.xml":
			header, offset = content[at+8:at+28], content[at+42:at+46]
		case strings.HasPrefix(part, "xl/s"):
			copy(content[at+8:at+28], header)
			copy(content[at+42:at+46], offset)
		}
		at += 46 + name + rest
	}
	return content
}

// allocatedByFile is what any file may make the program allocate, allocatedPerText how
// many bytes for each byte of text that it may have, and allocatedPerByte for each of its
// own. An archive's directory alone takes some for each entry of 100 bytes.
const (
	allocatedByFile  = 6 << 20
	allocatedPerText = 8
	allocatedPerByte = 12
)

func TestMain(m *testing.M) { garbage.Waits(m) }

// TestHostileWorkbooks reads or refuses files of every kind of attack, and holds what they
// make the program allocate to a multiple of their bytes and of the text that they may
// have. No more is inflated than 16 MB and 100 times their bytes.
func TestHostileWorkbooks(t *testing.T) {
	folder := t.TempDir()
	t.Setenv("TMPDIR", folder)
	defer func() {
		require.Empty(t, only.Value(os.ReadDir(folder))(t), "nothing is written to disk")
	}()
	for name, a := range attacks() {
		t.Run(name, func(t *testing.T) {
			a.most = cmp.Or(a.most, 1<<20)
			var err error
			most := allocatedByFile + allocatedPerText*int(a.most) + allocatedPerByte*len(a.content)
			allocated := allocatedBy(most, func() { _, err = open(a.content, a.most) })
			if a.want == nil {
				require.NoError(t, err)
			} else {
				require.ErrorIs(t, err, a.want)
			}
			require.LessOrEqual(t, allocated, most, "for %d bytes", len(a.content))
			if os.Getenv("MILAAN_SOAK") != "" {
				t.Logf("%s: %d KB of a file of %d KB", name, allocated>>10, len(a.content)>>10)
			}
		})
	}
}

// allocatedBy is how many bytes a function allocates, in the best of three tries if it is
// more than it may: other goroutines allocate too.
func allocatedBy(most int, work func()) int {
	least := math.MaxInt
	for try := 0; try < 3 && least > most; try++ {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		work()
		runtime.ReadMemStats(&after)
		least = min(least, int(after.TotalAlloc-before.TotalAlloc))
	}
	return least
}
