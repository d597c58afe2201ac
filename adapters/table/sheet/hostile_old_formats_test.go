package sheet

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math/rand"
	"os"
	"runtime"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
)

// hostileSize is about how many bytes a hostile file has: as many as a file may have if
// MILAAN_SOAK is set.
func hostileSize() int {
	if os.Getenv("MILAAN_SOAK") != "" {
		return 25 << 20
	}
	return 256 << 10
}

// allocated returns how many bytes a function allocates: the least of three tries.
func allocated(try func()) uint64 {
	least := ^uint64(0)
	for range 3 {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		try()
		runtime.ReadMemStats(&after)
		least = min(least, after.TotalAlloc-before.TotalAlloc)
	}
	return least
}

// requireRefused reads all sheets of a hostile file, and makes sure that it is refused
// with one of our errors, or read, and that no more than the given number of bytes are allocated for
// each byte of the file and of its text.
func requireRefused(t *testing.T, content []byte, refused bool, perByte int) {
	t.Helper()
	const most = 2 << 20 // of text
	var text string
	var err error
	used := allocated(func() { text, err = readWithin(content, most) })
	if refused {
		require.Error(t, err)
	}
	if err != nil {
		require.True(t, errors.Is(err, ErrBroken) || errors.Is(err, ErrLarge) || errors.Is(err, errOther), "%v", err)
	}
	bound := 1<<20 + perByte*(len(content)+len(text))
	if err != nil {
		bound += 4 * most // what was made before the error
	}
	require.LessOrEqual(t, used, uint64(bound), "bytes for %d", len(content))
}

// put32 returns a copy of a file with a number at a place.
func put32(content []byte, at int, v uint32) []byte {
	c := bytes.Clone(content)
	binary.LittleEndian.PutUint32(c[at:], v)
	return c
}

// TestHostileContainers: chains of sectors that loop or lead out of the file, and sizes
// that are lies.
func TestHostileContainers(t *testing.T) {
	stream := append(oneSheet(made(nil).number(0, 0, 0, 1)), make([]byte, 100_000)...)
	content, short := xls(stream), xls(oneSheet(made(nil).number(0, 0, 0, 1)))
	fat := func(c []byte, sector uint32) int { // where the FAT has the sector's follower
		return oleHeader + 512*int(binary.LittleEndian.Uint32(c[76+4*(sector/128):])) + 4*int(sector%128)
	}
	entry := func(c []byte, n int) int {
		return oleHeader + 512*int(binary.LittleEndian.Uint32(c[48:])) + oleEntry*n
	}
	directory := binary.LittleEndian.Uint32(content[48:])
	for name, c := range map[string][]byte{
		"a stream leads out":               put32(content, fat(content, 9), 0x0fffffff),
		"a stream ends early":              put32(content, fat(content, 9), endOfChain),
		"a stream begins outside":          put32(content, entry(content, 1)+116, 0x12345678),
		"a stream of 4 GB":                 put32(content, entry(content, 1)+120, 0xffffffff),
		"a stream of 16 EB":                put32(put32(content, entry(content, 1)+124, 0xffffffff), 24, 4<<16),
		"a stream of nothing":              put32(content, entry(content, 1)+120, 0),
		"the directory follows itself":     put32(content, fat(content, directory), directory),
		"the directory is elsewhere":       put32(content, 48, 0x7fffffff),
		"no root":                          put32(content, entry(content, 0)+64, 0),
		"an entry is its own brother":      put32(content, entry(content, 1)+72, 1),
		"an entry has a brother outside":   put32(content, entry(content, 1)+68, 77),
		"the root is its own child":        put32(content, entry(content, 0)+76, 0),
		"no FAT":                           put32(content, 76, noSector),
		"the FAT is outside":               put32(content, 76, 0x7fffffff),
		"sectors of 2^255 bytes":           put32(content, 28, 0x00ff0000),
		"short streams are outside":        put32(short, entry(short, 0)+116, 0x7fffffff),
		"short streams are 4 GB":           put32(short, entry(short, 0)+120, 0xffffffff),
		"the short streams' FAT is broken": put32(short, 60, endOfChain),
		"a short stream is very long":      put32(put32(short, 56, 0xffffffff), entry(short, 1)+120, 0xfffffff0),
		"nothing after the magic":          content[:8],
		"nothing after the header":         content[:oleHeader],
		"zeros":                            append([]byte(oleMagic), make([]byte, 1<<20)...),
	} {
		t.Run(name, func(t *testing.T) { requireRefused(t, c, true, 4) })
	}
	for _, c := range [][]byte{put32(content, fat(content, 3), 3), put32(content, fat(content, 9), 0)} {
		requireRefused(t, c, false, 4) // a stream returns to itself after the last record
	}

	// The list of the FAT's sectors is a chain that returns to itself.
	loop := append(bytes.Clone(content), make([]byte, 512)...)
	sector := uint32(len(content)/512 - 1)
	for i := range 127 {
		binary.LittleEndian.PutUint32(loop[len(content)+4*i:], sector)
	}
	binary.LittleEndian.PutUint32(loop[len(content)+508:], sector)
	for i := range 109 {
		binary.LittleEndian.PutUint32(loop[76+4*i:], sector)
	}
	requireRefused(t, put32(put32(loop, 68, sector), 72, 0xffffffff), true, 4)
	requireRefused(t, put32(put32(loop, 68, 0x7fffffff), 72, 0xffffffff), true, 4)
}

// TestHostileWorkbooks: records that lie about what follows them.
func TestHostileWorkbooks(t *testing.T) {
	many := hostileSize() / 8
	offset := func(at uint32) []byte { return made(nil).u32(at).bytes(0, plainSheet, 1, 0, 'S') }
	begins := made(nil).record(recBegin, begin(partWorkbook))
	sheets := bytes.Clone(begins)
	for range many {
		sheets = made(sheets).record(recSheet, offset(0))
	}
	nested := made(nil)
	for range many {
		nested = nested.record(recBegin, begin(partSheet))
	}
	for name, c := range map[string]struct {
		stream  []byte
		refused bool
	}{
		"4 billion texts":             {workbook(made(nil).record(recStrings, made(nil).u32(0xffffffff, 0xffffffff)), madeSheet{cells: made(nil).shared(0, 0, 7)}), true},
		"a text of 65,535 characters": {workbook(made(nil).record(recStrings, made(nil).u32(1, 1).u16(0xffff).bytes(0, 'a'))), true},
		"phonetic text of 4 GB":       {workbook(made(nil).record(recStrings, made(nil).u32(1, 1).u16(1).bytes(textPhonetic).u32(0xffffffff).bytes('a'))), true},
		"texts of nothing":            {workbook(made(nil).record(recStrings, make([]byte, 8000)), madeSheet{cells: made(nil).shared(0, 0, 9)}), false},
		"a text that is nowhere":      {oneSheet(made(nil).shared(0, 0, 0xffffffff)), true},
		"numbers beyond the record":   {oneSheet(made(nil).record(recNumbers, made(nil).u16(0, 0, 0).u32(2).u16(255))), true},
		"numbers from right to left":  {oneSheet(made(nil).record(recNumbers, made(nil).u16(0, 9, 0).u32(2).u16(0))), true},
		"numbers of no bytes":         {oneSheet(made(nil).record(recNumbers, nil)), true},
		"column 65,536":               {oneSheet(made(nil).number(0, 65535, 0, 1)), true},
		"the last row and column":     {oneSheet(made(nil).number(65535, 255, 0, 1).number(0, 0, 0, 1)), false},
		"a short cell":                {oneSheet(made(nil).record(recNumber, []byte{0, 0, 0, 0})), true},
		"a short label":               {oneSheet(made(nil).record(recLabel, []byte{0, 0, 0, 0, 0, 0, 9, 0})), true},
		"a record of 64 KB":           {oneSheet(made(nil).record(0x7777, make([]byte, 65535))), true},
		"no sheets":                   {workbook(nil), true},
		"a sheet nowhere":             {made(bytes.Clone(begins)).record(recSheet, offset(0x7fffffff)).record(recEnd, nil), true},
		"a sheet in the description":  {made(bytes.Clone(begins)).record(recSheet, offset(0)).record(recEnd, nil), true},
		"two sheets in one place":     {made(bytes.Clone(begins)).record(recSheet, offset(46+4)).record(recSheet, offset(50)).record(recEnd, nil).record(recBegin, begin(partSheet)).record(recEnd, nil), true},
		"many sheets":                 {made(sheets).record(recEnd, nil), true},
		"no end":                      {begins, true},
		"parts in parts":              {oneSheet(nested), true},
		"records of nothing":          {oneSheet(make([]byte, 4*many)), false},
		"texts that go on for ever":   {workbook(made(nil).record(recStrings, made(nil).u32(1, 1).u16(9).bytes(0)).record(recContinue, nil).record(recContinue, bytes.Repeat([]byte{0}, 8000))), true},
		"formulas without an end":     {oneSheet(bytes.Repeat(made(nil).formula(0, 0, 0, 0).record(recShared, nil), many/20)), false},
	} {
		t.Run(name, func(t *testing.T) { requireRefused(t, xls(c.stream), c.refused, 6) })
	}
	pieces := made(nil).record(recStrings, made(nil).u32(1, 1))
	for range many {
		pieces = pieces.record(recContinue, []byte{0})
	}
	requireRefused(t, xls(workbook(pieces, madeSheet{name: "S"})), false, 6)
	backwards := made(nil)
	for i := range many / 4 {
		backwards = backwards.number(65535-i%65536, 0, 0, 1)
	}
	requireRefused(t, xls(oneSheet(backwards)), false, 8)
}

// TestHostilePages: pages of nothing but one tag, and spans that are lies.
func TestHostilePages(t *testing.T) {
	size := hostileSize()
	of := func(s string) []byte { return []byte("<table>" + strings.Repeat(s, size/len(s))) }
	for name, c := range map[string]struct {
		page    []byte
		refused bool
	}{
		"tables":                  {of("<table>"), true},
		"tables with rows":        {of("<table><tr>"), true},
		"tables in tables":        {of("<table><tr><td>"), true},
		"rows":                    {append(of("<tr>"), "</tr></table>"...), false},
		"cells":                   {of("<td>"), true},
		"wide cells":              {of("<td colspan=1000000>x"), true},
		"a wide table":            {of("<tr><td colspan=1000000>x<td>x"), true},
		"wide cells of nothing":   {append(of("<tr><td colspan=9999><td colspan=9999>"), "</td></tr></table>"...), false},
		"high cells":              {append([]byte("<table><tr>"+strings.Repeat("<td rowspan=99999>", 16000)), bytes.Repeat([]byte("<tr><td></td></tr>"), size/18)...), true},
		"captions":                {of("<caption>x"), true},
		"attributes":              {of("<td" + strings.Repeat(" a", size/4)), true},
		"an attribute":            {of("<td title='" + strings.Repeat("x", size/2) + "'>"), true},
		"a tag without an end":    {of("<td " + strings.Repeat("x", 3<<20)), true},
		"references":              {append(of("<tr><td>&lt;&notit;&#x10ffff;&#0;</td></tr>"), "</table>"...), false},
		"remarks":                 {of("<!-- -->"), true},
		"a remark":                {append(of("<tr></tr><!--"), bytes.Repeat([]byte("<!--"), size/4)...), true},
		"ends":                    {append([]byte("<table></table>"), of("</table></td></tr>")...), true},
		"a script":                {of("<script>"), true},
		"style sheets":            {append([]byte("<style>"+strings.Repeat(".a{mso-number-format:\"", size/22)+"</style>"), of("<tr><td class=a x:num=1>1</td></tr>")...), false},
		"classes":                 {of("<tr><td class='" + strings.Repeat("a ", 50) + "'>1</td></tr>"), false},
		"text":                    {append(of("x &amp; "), "</table><table><tr><td>1</table>"...), false},
		"less-than signs":         {append(of("< "), "<tr><td>1</td></tr></table>"...), false},
		"markup of an old parser": {of("<![CDATA[<tr><td>]]>"), true},
	} {
		t.Run(name, func(t *testing.T) { requireRefused(t, c.page, c.refused, 40) })
	}
	for name, rows := range map[string]string{
		"elements":      strings.Repeat("<a>", size/3),
		"rows":          strings.Repeat("<Row/>", size/6),
		"far rows":      strings.Repeat(`<Row ss:Index="1048576"><Cell ss:Index="16384"><Data>1</Data></Cell></Row>`, 2),
		"a row beyond":  `<Row ss:Index="2000000000"><Cell><Data>1</Data></Cell></Row>`,
		"a lying span":  `<Row ss:Span="1048575"/><Row><Cell><Data>1</Data></Cell></Row>`,
		"sheets":        strings.Repeat("</Table></Worksheet><Worksheet><Table>", 5000),
		"attributes":    "<Row " + strings.Repeat("a='' ", 3<<20/5) + "/>",
		"laughs":        "&lol9;",
		"a declaration": `<!DOCTYPE lolz [<!ENTITY lol "lol"><!ENTITY lol2 "&lol;&lol;">]><Row><Cell><Data>&lol2;</Data></Cell></Row>`,
	} {
		t.Run("xml "+name, func(t *testing.T) {
			requireRefused(t, spreadsheetXML(rows), name != "rows" && name != "elements", 100)
		})
	}
}

// TestDamagedFiles reads 300 damaged copies of each sample: they are refused or read,
// and what is read is text.
func TestDamagedFiles(t *testing.T) {
	samples := map[string][]byte{"excel": []byte(excelPage), "xml": sample(t, "xls-xml.xls"), "sheetjs": sample(t, "html-sheetjs.xls")}
	for _, name := range []string{"xls-biff8.xls", "xls-biff5.xls", "xls-sst.xls", "xls-xlgen.xls"} {
		samples[name] = sample(t, name)
	}
	samples["formulas"] = xls(oneSheet(made(nil).formula(0, 0, 0, 0).record(recResult, made(nil).text("x")).formula(1, 0, 2, 7)))
	for name, content := range samples {
		t.Run(name, func(t *testing.T) {
			random := rand.New(rand.NewSource(1))
			for range 300 {
				c := bytes.Clone(content)
				for range 1 + random.Intn(8) {
					c[random.Intn(len(c))] = byte(random.Intn(256))
				}
				if random.Intn(4) == 0 {
					from, size := random.Intn(len(c)), random.Intn(700)
					copy(c[random.Intn(len(c)):], c[from:min(from+size, len(c))])
				}
				requireAnswer(t, c)
			}
		})
	}
}

// requireAnswer opens a file as whatever it may be, and makes sure that what is read is
// text.
func requireAnswer(t *testing.T, content []byte) {
	t.Helper()
	for _, open := range []func([]byte, Limits) (Workbook, error){openXLS, openHTML} {
		book, err := open(content, within(1<<20))
		for i := range len(sheetsOf(book)) {
			var text []byte
			if text, err = book.AppendText(nil, i, 0); err != nil {
				break
			}
			require.LessOrEqual(t, len(text), 1<<20)
			require.True(t, utf8.Valid(text) && bytes.IndexByte(text, 0) < 0 && bytes.IndexByte(text, '\r') < 0)
		}
		require.True(t, err == nil || errors.Is(err, ErrBroken) || errors.Is(err, ErrLarge) || errors.Is(err, ErrPassword) || errors.Is(err, errOther), "%v", err)
	}
}

func sheetsOf(book Workbook) []string {
	if book == nil {
		return nil
	}
	return book.Sheets()
}

func FuzzXLS(f *testing.F) {
	for _, name := range []string{"xls-biff8.xls", "xls-biff5.xls", "xls-xlgen.xls"} {
		f.Add(sample(f, name))
	}
	f.Add([]byte(xls(oneSheet(made(nil).formula(0, 0, 0, 0).record(recResult, made(nil).text("x"))))))
	f.Fuzz(func(t *testing.T, content []byte) { requireAnswer(t, content) })
}

// FuzzBIFF damages records without their container.
func FuzzBIFF(f *testing.F) {
	for _, name := range []string{"xls-biff8.xls", "xls-biff5.xls", "xls-xlgen.xls"} {
		stream, err := workbookStream(sample(f, name))
		require.NoError(f, err)
		f.Add(joined(stream.pieces))
	}
	f.Fuzz(func(t *testing.T, stream []byte) {
		if isBareXLS(stream) {
			requireAnswer(t, stream)
		}
	})
}

func FuzzHTML(f *testing.F) {
	f.Add(sample(f, "html-sheetjs.xls"))
	f.Add(sample(f, "xls-xml.xls"))
	f.Add([]byte(excelPage))
	f.Add([]byte("<?xml?>urn:schemas-microsoft-com:office:spreadsheet<Cell >")) // a cell of no sheet
	f.Fuzz(func(t *testing.T, content []byte) { requireAnswer(t, content) })
}
