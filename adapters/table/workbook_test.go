package table_test

import (
	"bytes"
	"cmp"
	"fmt"
	"math/rand"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/xuri/excelize/v2"

	"milaan/adapters/table"
	"milaan/domain"
	"milaan/ports"
	"milaan/ports/peers"
	"milaan/tests/fakes/zips"
	"milaan/tests/only"
)

// tab is a sheet of a workbook.
type tab struct {
	name   string
	hidden bool
	rows   [][]any
}

// headed is a sheet whose header is below a title.
func headed(name string, more ...[]any) tab {
	return tab{name: name, rows: append([][]any{{"A report"}, nil, {"a", "b"}, {1, 2}}, more...)}
}

// workbookOf makes a workbook with a library that is not ours.
func workbookOf(t *testing.T, tabs ...tab) []byte {
	t.Helper()
	book := excelize.NewFile()
	for i, s := range tabs {
		if i == 0 {
			require.NoError(t, book.SetSheetName("Sheet1", s.name))
		} else {
			require.NoError(t, only.Err(book.NewSheet(s.name)))
		}
		for y, row := range s.rows {
			require.NoError(t, book.SetSheetRow(s.name, fmt.Sprintf("A%d", y+1), &row))
		}
	}
	for i, s := range tabs {
		if s.hidden {
			require.NoError(t, book.SetSheetVisible(tabs[i].name, false))
		}
	}
	return only.Value(book.WriteToBuffer())(t).Bytes()
}

// openSheet opens a workbook whose headers have a cell a, and of which these sheets are
// wanted.
func openSheet(content []byte, wanted ...string) (peers.Table, error) {
	return openAs(table.New(), ports.Content{Bytes: content, Workbook: true, Sheets: wanted})
}

func openAs(r *table.Reader, content ports.Content) (peers.Table, error) {
	return r.Open(domain.CourierFile, content, isHeader,
		func(line int, cells [][]byte) error {
			return &domain.FileError{Rule: domain.RuleNoColumn, Line: line, Value: string(bytes.Join(cells, []byte("|")))}
		})
}

func isHeader(cells [][]byte) (bool, error) {
	for _, c := range cells {
		switch string(c) {
		case "a":
			return true, nil
		case "faulty":
			return false, &domain.FileError{Rule: domain.RuleAmbiguous}
		}
	}
	return false, nil
}

// TestSheetsWithAHeader reads the sheet that is meant, and says which may be meant.
func TestSheetsWithAHeader(t *testing.T) {
	notes := tab{name: "Notes", rows: [][]any{{"x", "y", "z"}, {"nothing"}}}
	hidden := headed("Hidden", []any{"h", "h"})
	hidden.hidden = true
	far := tab{name: "Far", rows: append(make([][]any, 120), []any{"a", "b"})}
	wide := tab{name: "Wide", rows: [][]any{make([]any, 2500)}}
	wide.rows[0][2499] = "x"
	faulty := tab{name: "Faulty", rows: [][]any{{"faulty", "b"}}}
	ours := tab{name: "Orders", rows: [][]any{{"Order", "AWB", "a", "Shortfall", "Days overdue", "Reason"}, {1, 2}}}
	items := tab{name: "Open items", rows: [][]any{{"Order", "a", "State", "Raised on", "Promised until", "Note"}, {1, 2}}}
	ledger := tab{name: "Ledger", hidden: true, rows: [][]any{{"Milaan ledger 1", "a"}, {1, 2}}}
	courier := domain.CourierFile
	lines := tab{name: "Sheet1", rows: [][]any{{"a", "b", "c"}, {1, 2, ""}, {3, 4, "x"}}}
	more, names := tab{name: "Sheet2", rows: [][]any{{5, 6, "y"}, {7, 8, "z"}}}, tab{name: "Names", rows: [][]any{{"x", "y", "z"}}}
	continued := &domain.FileError{File: courier, Rule: domain.RuleContinued, Value: "Sheet2", Options: []string{"Sheet1"}}
	for name, c := range map[string]struct {
		tabs   []tab
		wanted []string
		sheet  string // that is read
		line   int    // of its first row; 0: 4
		fault  *domain.FileError
	}{
		"the only sheet":                 {tabs: []tab{headed("One")}},
		"the only one with a header":     {tabs: []tab{notes, headed("March")}, sheet: "March"},
		"one of the shown":               {tabs: []tab{notes, headed("March"), hidden}, sheet: "March"},
		"the hidden one":                 {tabs: []tab{notes, hidden}, sheet: "Hidden"},
		"several":                        {tabs: []tab{headed("March"), notes, headed("April")}, fault: &domain.FileError{File: courier, Rule: domain.RuleSeveralSheets, Options: []string{"March", "April"}}},
		"several hidden":                 {tabs: []tab{notes, {name: "H1", hidden: true, rows: headed("").rows}, hidden}, fault: &domain.FileError{File: courier, Rule: domain.RuleSeveralSheets, Options: []string{"H1", "Hidden"}}},
		"one of several by name":         {tabs: []tab{headed("March"), notes, headed("April")}, wanted: []string{" april "}, sheet: "April"},
		"a hidden one by name":           {tabs: []tab{headed("March"), hidden}, wanted: []string{"HIDDEN"}, sheet: "Hidden"},
		"one of two names":               {tabs: []tab{headed("March"), headed("April")}, wanted: []string{"May", "March"}, sheet: "March"},
		"two of two names":               {tabs: []tab{headed("March"), headed("April"), headed("May")}, wanted: []string{"May", "March"}, fault: &domain.FileError{File: courier, Rule: domain.RuleSeveralSheets, Options: []string{"March", "May"}}},
		"the one with a header, of two":  {tabs: []tab{headed("March"), notes, headed("May")}, wanted: []string{"Notes", "March"}, sheet: "March"},
		"another name, one header":       {tabs: []tab{headed("March"), notes}, wanted: []string{"April"}, sheet: "March"},
		"another name, several headers":  {tabs: []tab{headed("March"), notes, headed("May")}, wanted: []string{"April"}, fault: &domain.FileError{File: courier, Rule: domain.RuleNoSheet, Value: "April", Options: []string{"March", "Notes", "May"}}},
		"a name without a header":        {tabs: []tab{headed("March"), notes}, wanted: []string{"notes"}, fault: &domain.FileError{Rule: domain.RuleNoColumn, Sheet: "Notes", Line: 1, Value: "x|y|z"}},
		"no header":                      {tabs: []tab{{name: "First", rows: [][]any{nil, {"x", "y"}}}, notes}, fault: &domain.FileError{Rule: domain.RuleNoColumn, Sheet: "Notes", Line: 1, Value: "x|y|z"}},
		"no header in the only sheet":    {tabs: []tab{{name: "First", rows: [][]any{nil, {"x", "y"}}}}, fault: &domain.FileError{Rule: domain.RuleNoColumn, Line: 2, Value: "x|y"}},
		"a header too far down":          {tabs: []tab{notes, far}, fault: &domain.FileError{File: courier, Rule: domain.RuleFarHeader, Sheet: "Far", Line: 121, Limit: 100}},
		"a header too far down, alone":   {tabs: []tab{far}, fault: &domain.FileError{File: courier, Rule: domain.RuleFarHeader, Line: 121, Limit: 100}},
		"too wide":                       {tabs: []tab{notes, wide}, fault: &domain.FileError{File: courier, Rule: domain.RuleWide, Sheet: "Wide", Line: 1, NoHeader: true, Count: 2500, Limit: 2000}},
		"a header with a fault":          {tabs: []tab{notes, faulty}, fault: &domain.FileError{Rule: domain.RuleAmbiguous, Sheet: "Faulty"}},
		"a header, and one with a fault": {tabs: []tab{headed("March"), faulty}, fault: &domain.FileError{File: courier, Rule: domain.RuleSeveralSheets, Options: []string{"March", "Faulty"}}},
		"lines that go on":               {tabs: []tab{lines, names, more}, fault: continued},
		"all lines in another sheet":     {tabs: []tab{{name: "Sheet1", rows: lines.rows[:1]}, more}, fault: continued},
		"lines that go on, all sheets":   {tabs: []tab{lines, more}, wanted: []string{"*"}, fault: continued},
		"the first part of the lines":    {tabs: []tab{lines, more}, wanted: []string{"Sheet1"}, sheet: "Sheet1", line: 2},
		"a sheet of as many columns":     {tabs: []tab{lines, names}, sheet: "Sheet1", line: 2},
		"beside a row that is too wide":  {tabs: []tab{{name: "Sheet1", rows: [][]any{lines.rows[0], {1, 2, "", "x"}}}, more}, fault: continued},
		"one of blank cells":             {tabs: []tab{lines, {name: "Blank", rows: [][]any{{"", "", " "}}}}, sheet: "Sheet1", line: 2},
		"a sheet of ours beside it":      {tabs: []tab{ours, headed("March"), notes}, sheet: "March"},
		"sheets of ours with the ledger": {tabs: []tab{ours, notes, ledger}, fault: &domain.FileError{File: courier, Rule: domain.RuleLedger, Sheet: "Ledger"}},
		"sheets of ours alone":           {tabs: []tab{notes, ours, items}, fault: &domain.FileError{File: courier, Rule: domain.RuleResults, Sheet: "Orders"}},
		"the sheet of ours":              {tabs: []tab{ours}, fault: &domain.FileError{File: courier, Rule: domain.RuleResults}},
		"a sheet of ours by name":        {tabs: []tab{headed("March"), ours}, wanted: []string{"Orders"}, fault: &domain.FileError{File: courier, Rule: domain.RuleResults, Sheet: "Orders"}},
		"the open items by name":         {tabs: []tab{headed("March"), items}, wanted: []string{"Open items"}, fault: &domain.FileError{File: courier, Rule: domain.RuleOpenItems, Sheet: "Open items"}},
		"empty":                          {tabs: []tab{{name: "One"}, {name: "Two"}}, fault: &domain.FileError{File: courier, Rule: domain.RuleEmpty}},
		"rows beyond the header":         {tabs: []tab{notes, headed("March", []any{1, 2, 3})}, sheet: "March", fault: &domain.FileError{File: courier, Sheet: "March", Rule: domain.RuleBeyondHeader, Line: 5, Value: "3", Count: 3, Limit: 2}},
	} {
		t.Run(name, func(t *testing.T) {
			opened, err := openSheet(workbookOf(t, c.tabs...), c.wanted...)
			if c.fault != nil && c.sheet == "" {
				require.Equal(t, c.fault, err)
				return
			}
			require.NoError(t, err)
			require.Equal(t, c.sheet, opened.(peers.Sheeted).Sheet())
			rows, cells := opened.Rows([]int{0, 1}), make([][]byte, 2)
			require.True(t, rows.Next(cells))
			require.Equal(t, fmt.Sprint("1 2 ", cmp.Or(c.line, 4)), fmt.Sprintf("%s %s %d", cells[0], cells[1], rows.Line()))
			for rows.Next(cells) {
			}
			if c.fault != nil {
				require.Equal(t, c.fault, rows.Err())
				return
			}
			require.NoError(t, rows.Err())
		})
	}
}

// TestSheetsThatGoOn holds that a sheet in which the lines of one of several with a header go on is read as well, which is an error:
// nobody would miss it otherwise.
func TestSheetsThatGoOn(t *testing.T) {
	week := func(name string) tab { return tab{name: name, rows: [][]any{{"a", "b", "c"}, {1, 2, "x"}}} }
	content := workbookOf(t, week("W1"), tab{name: "Names", rows: [][]any{{"x", "y", "z"}}}, week("W2"), tab{name: "W2b", rows: [][]any{{5, 6, "y"}}})
	sheets := func(wanted ...string) []string {
		return table.New().Sheets(ports.Content{Bytes: content, Workbook: true, Sheets: wanted}, isHeader)
	}
	require.Equal(t, []string{"W1", "W2", "W2b"}, sheets(ports.AllSheets))
	require.Equal(t, []string{"W1", "W2"}, sheets("W2", "W1", "Names"))
	_, err := openSheet(content)
	require.Equal(t, &domain.FileError{File: domain.CourierFile, Rule: domain.RuleSeveralSheets, Options: []string{"W1", "W2", "W2b"}}, err)
	_, err = openSheet(content, "W2b")
	require.Equal(t, &domain.FileError{Rule: domain.RuleNoColumn, Sheet: "W2b", Line: 1, Value: "5|6|y"}, err)
}

// blankCells is a workbook with the given number of cells that are blank, below a header.
func blankCells(t *testing.T, n int) []byte {
	t.Helper()
	return zips.OfAny(map[string]string{
		"xl/workbook.xml":            `<workbook><sheets><sheet name="S" r:id="r"/></sheets></workbook>`,
		"xl/_rels/workbook.xml.rels": `<Relationships><Relationship Id="r" Type="worksheet" Target="worksheets/sheet1.xml"/></Relationships>`,
		"xl/worksheets/sheet1.xml":   `<worksheet><sheetData><row><c t="str"><v>a</v></c><c t="str"><v>b</v></c></row>` + strings.Repeat(`<row>`+strings.Repeat(`<c/>`, 1000)+`</row>`, n/1000) + `</sheetData></worksheet>`,
	})
}

// TestWorkbooksThatCannotBeRead says why, and of how much text a workbook may have.
func TestWorkbooksThatCannotBeRead(t *testing.T) {
	content := workbookOf(t, headed("March", []any{strings.Repeat("x", 2000), "y"}))
	fault := func(r *table.Reader, content ports.Content) *domain.FileError {
		_, err := openAs(r, content)
		return faultOf(t, err)
	}
	workbook := func(content []byte) ports.Content { return ports.Content{Bytes: content, Workbook: true} }
	require.Equal(t, &domain.FileError{File: domain.CourierFile, Rule: domain.RuleBrokenWorkbook}, fault(table.New(), workbook(content[:len(content)-10])))
	require.Equal(t, &domain.FileError{File: domain.CourierFile, Rule: domain.RuleLargeWorkbook, Limit: 1000}, fault(table.NewWithin(table.Settings{MaxText: 1000}), workbook(content)))
	require.Equal(t, &domain.FileError{File: domain.CourierFile, Rule: domain.RuleWorkbook}, fault(table.New(), ports.Content{Bytes: content}), "the caller takes text alone")
	encrypted := only.Value(excelize.Encrypt(content, &excelize.Options{Password: "x"}))(t)
	require.Equal(t, &domain.FileError{File: domain.CourierFile, Rule: domain.RulePassword}, fault(table.New(), workbook(encrypted)))
	require.Equal(t, domain.RuleEmpty, fault(table.New(), workbook([]byte(" \n"))).Rule)
	require.Equal(t, domain.RulePDF, fault(table.New(), workbook([]byte("%PDF-1.7"))).Rule)
	for part, rule := range map[string]domain.FileRule{"march.csv": domain.RuleArchive, "[Content_Types].xml": domain.RuleDocument,
		"Index/Document.iwa": domain.RuleDocument} {
		require.Equal(t, rule, fault(table.New(), workbook(zips.OfAny(map[string]string{part: ""}))).Rule, part)
	}

	for _, part := range []string{"_rels/.rels", "xl/_rels/workbook.xml.rels", "xl/styles.xml", "xl/workbook.xml"} {
		parts := map[string]string{
			"_rels/.rels":     `<Relationships><Relationship Id="r" Type="officeDocument" Target="xl/workbook.xml"/></Relationships>`,
			"xl/workbook.xml": `<workbook><sheets><sheet name="S" r:id="r"/></sheets></workbook>`,
			"xl/_rels/workbook.xml.rels": `<Relationships><Relationship Id="r" Type="worksheet" Target="worksheets/sheet1.xml"/>` +
				`<Relationship Id="s" Type="styles" Target="styles.xml"/></Relationships>`,
		}
		parts[part] = "<cut off"
		require.Equal(t, domain.RuleBrokenWorkbook, fault(table.New(), workbook(zips.OfAny(parts))).Rule, part)
	}

	small, ofRun := table.NewWithin(table.Settings{MaxText: 5000}), new(ports.Taken)
	for range 2 {
		require.NoError(t, only.Err(openAs(small, ports.Content{Bytes: content, Workbook: true, Taken: ofRun})))
	}
	require.Equal(t, domain.RuleLargeWorkbook, fault(small, ports.Content{Bytes: content, Workbook: true, Taken: ofRun}).Rule, "the workbooks of a run are held to the limit of one")

	blank, ofRun := blankCells(t, 1_000_000), new(ports.Taken)
	for range 4 {
		require.NoError(t, only.Err(openAs(small, ports.Content{Bytes: blank, Workbook: true, Taken: ofRun})))
	}
	require.Equal(t, domain.RuleLargeWorkbook, fault(small, ports.Content{Bytes: blank, Workbook: true, Taken: ofRun}).Rule, "so are their blank cells")

	plain, err := openAs(table.New(), workbook([]byte("a;b\n1;2\n")))
	require.NoError(t, err, "text is read where a workbook may stand")
	require.Len(t, plain.Header(), 2)
	require.Empty(t, plain.(peers.Sheeted).Sheet())
	require.ErrorIs(t, peers.NameSheet(plain, errNoHeader), errNoHeader)
	require.NoError(t, peers.NameSheet(plain, nil))
	require.NotErrorIs(t, peers.NameSheet(plain, errNoHeader), domain.ErrFile)
}

// odsOf makes an .ods with one sheet of these rows below the header a, b.
func odsOf(t *testing.T, rows string) []byte {
	t.Helper()
	return zips.OfAny(map[string]string{"mimetype": "application/vnd.oasis.opendocument.spreadsheet",
		"content.xml": `<office:document-content><office:body><office:spreadsheet><table:table table:name="S"><table:table-row>` +
			`<table:table-cell><text:p>a</text:p></table:table-cell><table:table-cell><text:p>b</text:p></table:table-cell></table:table-row>` +
			rows + `</table:table></office:spreadsheet></office:body></office:document-content>`})
}

// sharing makes an .xlsx with this many rows of 100 cells below the header a, b, all of which have the same long text; and with a
// picture of this many bytes.
func sharing(t *testing.T, rows, picture int) []byte {
	t.Helper()
	drawn := make([]byte, picture)
	_, _ = rand.New(rand.NewSource(1)).Read(drawn) // it has no error
	return zips.OfAny(map[string]string{
		"xl/media/logo.png": string(drawn),
		"xl/workbook.xml":   `<workbook><sheets><sheet name="S" r:id="r"/></sheets></workbook>`,
		"xl/_rels/workbook.xml.rels": `<Relationships><Relationship Id="r" Type="worksheet" Target="worksheets/sheet1.xml"/>` +
			`<Relationship Id="s" Type="sharedStrings" Target="sharedStrings.xml"/></Relationships>`,
		"xl/sharedStrings.xml": `<sst><si><t>` + strings.Repeat("x", 32_767) + `</t></si></sst>`,
		"xl/worksheets/sheet1.xml": `<worksheet><sheetData><row><c t="str"><v>a</v></c><c t="str"><v>b</v></c></row>` +
			strings.Repeat(`<row>`+strings.Repeat(`<c t="s"><v>0</v></c>`, 100)+`</row>`, rows) + `</sheetData></worksheet>`,
	})
}

// TestWorkbooksThatExpand holds that a reader without a limit of its own takes far more text of a workbook than real ones of its size
// have, and refuses what would fill the memory: before any of it is written, where the file says how often a cell or a row stands there.
func TestWorkbooksThatExpand(t *testing.T) {
	free := table.NewWithin(table.Settings{})
	row := func(times, cell string) string {
		return `<table:table-row table:number-rows-repeated="` + times + `">` + cell + `</table:table-row>`
	}
	cell := func(times, text string) string {
		return `<table:table-cell table:number-columns-repeated="` + times + `"><text:p>` + text + `</text:p></table:table-cell>`
	}
	text := strings.Replace(cell("16000", strings.Repeat("x", 8000)), "<table:table-cell", `<table:table-cell office:value-type="string"`, 1)
	for name, c := range map[string]struct {
		content []byte
		most    int // bytes that are allocated
	}{
		"ods: rows of repeated cells":   {odsOf(t, row("1000000", cell("16000", "xxxxxxxxxxxxxxxx"))), 4 << 20},
		"ods: repeated rows":            {odsOf(t, row("1000000", cell("1", strings.Repeat("x", 1000)))), 2 << 20},
		"ods: repeated cells":           {odsOf(t, row("1", cell("16000", strings.Repeat("x", 8000)))), 2 << 20},
		"ods: repeated cells of texts":  {odsOf(t, row("1", text)), 2 << 20},
		"xlsx: cells that share a text": {sharing(t, 100, 0), 128 << 20},
	} {
		t.Run(name, func(t *testing.T) {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			_, err := openAs(free, ports.Content{Bytes: c.content, Workbook: true})
			runtime.ReadMemStats(&after)
			limit := 64<<20 + 100*len(c.content)
			require.Equal(t, &domain.FileError{File: domain.CourierFile, Rule: domain.RuleLargeWorkbook, Limit: limit, Count: len(c.content)}, faultOf(t, err))
			require.Less(t, int(after.TotalAlloc-before.TotalAlloc), c.most, "bytes are allocated")
		})
	}
}

// TestExpansionOfARun holds that the workbooks of a run that has no limit of its own do not count together what their sizes allow
// for, and count together what is more.
func TestExpansionOfARun(t *testing.T) {
	free, ofRun := table.NewWithin(table.Settings{}), new(ports.Taken)
	open := func(content []byte) error {
		_, err := openAs(free, ports.Content{Bytes: content, Workbook: true, Taken: ofRun})
		return err
	}
	plain := workbookOf(t, headed("March", []any{strings.Repeat("x", 30_000), "y"}))
	large := sharing(t, 15, 300<<10) // 49 MB of text, and its size allows for 31
	for range 3 {
		require.NoError(t, open(large))
		require.NoError(t, open(plain))
	}
	require.Equal(t, domain.RuleLargeWorkbook, faultOf(t, open(large)).Rule)
	require.NoError(t, open(plain), "a workbook that is within what its size allows for is read all the same")
	ofRun.Elements.Store(1 << 40)
	require.NoError(t, open(plain), "and so are the elements that others have")
}

// TestSheetsOfOneWorkbook: where several sheets of a workbook are read, each for itself, what is common to them is unpacked once.
func TestSheetsOfOneWorkbook(t *testing.T) {
	var texts [][]any
	for i := range 3000 {
		texts = append(texts, []any{fmt.Sprint("a text ", i), i})
	}
	odsTable := func(name string) string {
		return `<table name="` + name + `"><table-row><table-cell><p>a</p></table-cell><table-cell><p>b</p></table-cell></table-row>` +
			strings.Repeat(`<table-row><table-cell><p>1</p></table-cell></table-row>`, 1000) + `</table>`
	}
	ods := zips.OfAny(map[string]string{"mimetype": "application/vnd.oasis.opendocument.spreadsheet",
		"content.xml": `<document-content><body><spreadsheet>` + odsTable("March") + odsTable("April") + `</spreadsheet></body></document-content>`})
	xlsx := workbookOf(t, headed("March", texts...), headed("April"))
	for name, c := range map[string]struct {
		book []byte
		most int64 // bytes that are unpacked of it for the second sheet, in hundredths of those for the first
	}{"ods": {ods, 0}, "xlsx": {xlsx, 10}} {
		taken := &ports.Taken{Files: int64(len(c.book))}
		unpacked := func(sheets ...string) int64 {
			before := taken.Unpacked.Load()
			read, err := openAs(table.New(), ports.Content{Bytes: c.book, Workbook: true, Sheets: sheets, Taken: taken})
			require.NoError(t, err, name)
			require.Equal(t, sheets[0], read.(peers.Sheeted).Sheet(), name)
			require.Equal(t, "a", string(read.Header()[0]), name)
			return taken.Unpacked.Load() - before
		}
		first := unpacked("March")
		require.LessOrEqual(t, unpacked("April"), first*c.most/100, name)
		// What was made of another workbook is not taken for it.
		other := bytes.Clone(c.book)
		_, err := openAs(table.New(), ports.Content{Bytes: other, Workbook: true, Sheets: []string{"March"}, Taken: taken})
		require.NoError(t, err, name)
		require.InDelta(t, first, unpacked("March"), 1, name)
	}
}

// TestWorkbookAsAnotherKind: a workbook that may be read again as a file of another kind is unpacked once, also if it has no header.
func TestWorkbookAsAnotherKind(t *testing.T) {
	for _, header := range []string{"a", "x"} {
		taken := &ports.Taken{Again: true, Files: 1 << 20}
		book := ports.Content{Taken: taken, Workbook: true, Bytes: zips.OfAny(map[string]string{"mimetype": "application/vnd.oasis.opendocument.spreadsheet",
			"content.xml": `<document-content><body><spreadsheet><table name="S"><table-row><table-cell><p>` + header +
				`</p></table-cell><table-cell><p>b</p></table-cell></table-row></table><table name="T"/></spreadsheet></body></document-content>`})}
		_, first := openAs(table.New(), book)
		unpacked := taken.Unpacked.Load()
		require.Positive(t, unpacked)
		require.Equal(t, first, only.Err(openAs(table.New(), book)))
		require.Equal(t, unpacked, taken.Unpacked.Load(), header)
	}
}

// TestLargeWorkbooksTakeTurns: while a workbook is read that takes much memory, no other one of its run does.
func TestLargeWorkbooksTakeTurns(t *testing.T) {
	book := func(texts int) []byte {
		return workbookOf(t, headed("March", slices.Repeat([][]any{{strings.Repeat("x", 30_000), 1}}, texts)...))
	}
	for texts, turn := range map[int]bool{100: false, 1500: true} {
		taken, took := new(ports.Taken), false
		taken.Claim = func(int64) error {
			if taken.Large.TryLock() {
				taken.Large.Unlock()
			} else {
				took = true
			}
			return nil
		}
		r := table.NewWithin(table.Settings{MaxText: 64 << 20})
		require.NoError(t, only.Err(openAs(r, ports.Content{Bytes: book(texts), Workbook: true, Taken: taken})))
		require.Equal(t, turn, took, texts)
		require.True(t, taken.Large.TryLock(), "the turn is given back")
	}
}

// TestWorkbooksUnpackedAgain: a workbook that is read again and again unpacks no more than the files of the run may.
func TestWorkbooksUnpackedAgain(t *testing.T) {
	book := zips.OfAny(map[string]string{"xl/workbook.xml": `<workbook><sheets><sheet name="S" r:id="r"/></sheets></workbook>`,
		"xl/_rels/workbook.xml.rels": `<Relationships><Relationship Id="r" Type="worksheet" Target="sheet.xml"/></Relationships>`,
		"xl/sheet.xml":               `<worksheet><sheetData><row><c t="str"><v>a</v></c><c t="str"><v>b</v></c></row></sheetData>` + strings.Repeat(strings.Repeat(" ", 1000)+"<x/>", 12<<10) + `</worksheet>`})
	read := func(taken *ports.Taken) (times int) {
		for times < 5 {
			if _, err := openAs(table.New(), ports.Content{Bytes: book, Workbook: true, Taken: taken}); err != nil {
				require.Equal(t, domain.RuleLargeWorkbook, err.(*domain.FileError).Rule)
				break
			}
			times++
		}
		return times
	}
	require.Equal(t, 3, read(&ports.Taken{Files: int64(len(book))}))
	require.Equal(t, 5, read(&ports.Taken{Files: 1 << 20}), "there is a larger file")
	require.Equal(t, 5, read(new(ports.Taken)), "each reading is alone")
}

// TestMergedCells reads a workbook of a library that is not ours, whose cells cover others in their column, in their row, above the
// header and behind the last column of a line. Only what was asked for is spread, for the rows that are read after that.
func TestMergedCells(t *testing.T) {
	book, err := excelize.OpenReader(bytes.NewReader(workbookOf(t, tab{name: "Sheet1", rows: [][]any{{"May"}, {"a", "b", "c"}, {1, 10, "x"}, {2}, {3, 30}, {4, nil, "y"}, nil, {5, 50}, {6, 60}, {7}}})))
	require.NoError(t, err)
	for from, to := range map[string]string{"A1": "C1", "C2": "C3", "C6": "C8", "B3": "B4", "B9": "C10"} {
		require.NoError(t, book.MergeCell("Sheet1", from, to))
	}
	content := only.Value(book.WriteToBuffer())(t)
	opened := only.Value(openSheet(content.Bytes()))(t)
	all := func() (records []string) {
		rows, cells := opened.Rows([]int{2, -1, 0, 1}), make([][]byte, 4)
		for rows.Next(cells) {
			records = append(records, fmt.Sprintf("%s %s %s", cells[2], cells[3], cells[0]))
		}
		require.NoError(t, rows.Err())
		return records
	}
	require.Equal(t, []string{"1 10 ", "2  ", "3 30 ", "4  y", "5 50 ", "6 60 ", "7  "}, all())
	opened.(peers.Merging).SpreadMerged(-1, 2)
	require.Equal(t, []string{"1 10 ", "2  ", "3 30 ", "4  y", "5 50 y", "6 60 ", "7  "}, all())
	opened.(peers.Merging).SpreadMerged(1)
	require.Equal(t, []string{"1 10 ", "2 10 ", "3 30 ", "4  y", "5 50 y", "6 60 ", "7 60 "}, all())
	require.Equal(t, "May\na,b,c\n1,10,\n2,10,\n3,30,\n4,,y\n\n5,50,y\n6,60,\n7,60,\n", string(only.Value(opened.(peers.Sheeted).Text())(t)), "lines stay where they are")

	require.NoError(t, book.SetCellValue("Sheet1", "D5", "beyond the header"))
	content = only.Value(book.WriteToBuffer())(t)
	opened = only.Value(openSheet(content.Bytes()))(t)
	opened.(peers.Merging).SpreadMerged(1)
	require.Equal(t, &domain.FileError{File: domain.CourierFile, Rule: domain.RuleBeyondHeader, Line: 5, Value: "beyond the header", Count: 4, Limit: 3},
		only.Err(opened.(peers.Sheeted).Text()), "no line is lost")
}

// TestLongMergedCells holds that a small workbook does not become a large text by a cell that holds for many rows.
func TestLongMergedCells(t *testing.T) {
	spread := func(bytes int) (rows int, _ error) {
		page := "<table><tr><td>a<td>b<tr><td>1<td rowspan=3>" + strings.Repeat("x", bytes) + "<tr><td>2<tr><td>3</tr></table>"
		opened := only.Value(openSheet([]byte(page)))(t)
		opened.(peers.Merging).SpreadMerged(1)
		cells, of := make([][]byte, 2), opened.Rows([]int{0, 1})
		for of.Next(cells) {
			require.Len(t, cells[1], bytes)
			rows++
		}
		return rows, of.Err()
	}
	rows, err := spread(1000)
	require.NoError(t, err)
	require.Equal(t, 3, rows)
	_, err = spread(1001)
	require.Equal(t, &domain.FileError{File: domain.CourierFile, Rule: domain.RuleLongMerged, Line: 2, Column: "b",
		Value: domain.Quotable(bytes.Repeat([]byte("x"), 1001)), Limit: 1000}, err)
}

// TestManySheetsAreNotLookedThrough holds that a workbook of thousands of sheets without a header is refused before most of their lines
// have been compared with what couriers call their columns, and one of as many with a header is not.
func TestManySheetsAreNotLookedThrough(t *testing.T) {
	open := func(sheets int, first string) (looked int, err error) {
		page := strings.Repeat("<table>"+first+strings.Repeat("<tr><td>x<td>y", 100)+"</table>", sheets)
		count := func(cells [][]byte) (bool, error) {
			looked++
			return isHeader(cells)
		}
		content := ports.Content{Bytes: []byte(page), Workbook: true, Sheets: []string{ports.AllSheets}}
		if names := table.New().Sheets(content, count); first != "" {
			require.Len(t, names, sheets)
		}
		_, err = table.New().Open(domain.CourierFile, content, count, func(int, [][]byte) error { return &domain.FileError{Rule: domain.RuleNoColumn} })
		return looked, err
	}
	looked, err := open(100, "")
	require.Equal(t, domain.RuleNoColumn, faultOf(t, err).Rule, "so many are looked through")
	require.Less(t, looked, 60_000)
	looked, err = open(1000, "")
	require.Equal(t, domain.RuleSeveralSheets, faultOf(t, err).Rule)
	require.Less(t, looked, 60_000)
	_, err = open(1000, "<tr><td>a<td>b")
	require.Equal(t, domain.RuleSeveralSheets, faultOf(t, err).Rule)
}
