package ledger_test

import (
	"bytes"
	"cmp"
	"encoding/csv"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"milaan/adapters/documents/ledger"
	"milaan/adapters/table"
	"milaan/domain"
	"milaan/domain/verdict"
	"milaan/ports"
	"milaan/tests/garbage"
	"milaan/tests/only"
)

func TestMain(m *testing.M) { garbage.Waits(m) }

func march(day int) domain.Day { return domain.DayFromDate(2026, 3, day) }

func empty() (*verdict.Orders, *verdict.Remittances) {
	orders, lines := new(verdict.Orders), new(verdict.Remittances)
	orders.Reset()
	lines.Reset()
	return orders, lines
}

// finished is a run over these.
func finished(t testing.TB, orders *verdict.Orders, lines *verdict.Remittances) *ports.FinishedRun {
	var r verdict.Reconciliation
	require.NoError(t, r.Decide(orders, lines, domain.TermsFor(nil, 0, nil)))
	return ports.NewFinishedRun(&r, domain.Run{Brand: "Asha"}, domain.Mapping{}, nil)
}

// aRun has a short order, one that is awaited, a settled one, an order with signs of formulas, and an unclaimed line.
func aRun(t testing.TB) *ports.FinishedRun {
	orders, lines := empty()
	for i, name := range []string{"#1001", "#1002", "#1003", "=1+1"} {
		o, _ := orders.FindOrAdd([]byte(name))
		o.Total, o.HasTotal, o.CreatedOn, o.CreatedSecond = 100_00, true, march(1+8*i), int32(1+3600*i+59)
		o.Fulfilment, o.FulfilmentText, o.Financial, o.Payment = verdict.Fulfilled, "fulfilled", domain.FinancialPending, domain.PaymentCOD
		o.Method, o.Carrier = orders.Share([]byte("Cash on Delivery (COD)")), orders.Share([]byte("Delhivery"))
		orders.Track(o, []byte{'1', '9', '0', '4', '0', '7', '6', '0', '8', '6', '8', '9', '3', byte('0' + i)})
	}
	lines.Begin("delhivery")
	var mapping domain.Mapping
	mapping[domain.RoleCODAmount], mapping[domain.RoleRemittedAmount] = "COD", "Paid"
	lines.SetMapping(mapping)
	lines.SetCharges([]string{"Freight; express=1"})
	for i, paid := range []domain.Paise{90_00, 100_00, 20_00} {
		lines.Add(verdict.Remittance{AWB: []byte{'1', '9', '0', '4', '0', '7', '6', '0', '8', '6', '8', '9', '3', "019"[i]}, OrderID: []byte{'7', byte('0' + i)},
			UTR: []byte("U1"), Listed: 100_00, Stated: paid, Collected: 100_00, Remitted: paid, RemittedOn: march(9), HasRemitted: true, Line: int32(2 + i)})
		lines.AddCharge(0, 100_00-paid)
	}
	return finished(t, orders, lines)
}

// rowsOf are the rows of a run's ledger.
func rowsOf(t testing.TB, run *ports.FinishedRun) (rows [][]string) {
	require.NoError(t, ledger.Write(run, func(cells [][]byte) error {
		var row []string
		for _, cell := range cells {
			row = append(row, domain.SpreadsheetID(cell))
		}
		rows = append(rows, row)
		return nil
	}))
	return rows
}

func textOf(t testing.TB, rows [][]string) []byte {
	var b bytes.Buffer
	require.NoError(t, csv.NewWriter(&b).WriteAll(rows))
	return b.Bytes()
}

func newReader() *ledger.Reader {
	return ledger.New(table.NewWithin(table.Settings{MaxRows: ledger.MaxRows}))
}

// readInto reads a ledger into what is empty.
func readInto(text []byte) (orders *verdict.Orders, lines *verdict.Remittances, err error) {
	l, err := newReader().Open(ports.Content{Bytes: text})
	if err != nil {
		return nil, nil, err
	}
	defer l.Close()
	orders, lines = empty()
	if err := l.Lines(lines); err != nil {
		return nil, nil, err
	}
	return orders, lines, l.Orders(orders)
}

// again writes the ledger of a run over nothing but a ledger.
func again(t testing.TB, text []byte) [][]string {
	orders, lines := only.Both(readInto(text))(t)
	lines.Begin("delhivery")
	return rowsOf(t, finished(t, orders, lines))
}

func column(rows [][]string, name string) int {
	for i, of := range rows[0] {
		if of == name {
			return i
		}
	}
	panic(name)
}

// TestALedgerTellsTheOrderOfALine holds that a ledger has the order id that a line was told by another one, and that ledgers of earlier
// versions, which do not say it, are read.
func TestALedgerTellsTheOrderOfALine(t *testing.T) {
	orders, lines := empty()
	for _, of := range [][2]string{{"#1", ""}, {"#2", "A2"}} {
		o, _ := orders.FindOrAdd([]byte(of[0]))
		o.Total, o.HasTotal, o.CreatedOn, o.Fulfilment = 100_00, true, march(1), verdict.Fulfilled
		orders.Track(o, []byte(of[1]))
	}
	for _, named := range []bool{true, false} { // the second report corrects the first one
		lines.Begin("delhivery")
		lines.SetMapping(domain.Mapping{domain.RoleCODAmount: "COD", domain.RoleRemittedAmount: "Paid"})
		for _, id := range []string{"1", "2"} {
			l := verdict.Remittance{AWB: []byte("A" + id), UTR: []byte("U1"), Listed: 100_00, Stated: 98_00, Collected: 100_00, Remitted: 98_00, HasRemitted: true}
			if named {
				l.OrderID, l.Stated, l.Remitted = []byte(id), 99_00, 99_00
			}
			lines.Add(l)
		}
	}
	rows := rowsOf(t, finished(t, orders, lines))
	ofLines := func(rows [][]string) (all []string) {
		for _, row := range rows[1:] {
			if row[0] == "line" {
				all = append(all, row[column(rows, "AWB")]+row[column(rows, "Remitted")]+" "+row[column(rows, "Told order")])
			}
		}
		return all
	}
	require.Equal(t, []string{"A198 1", "A298 "}, ofLines(rows))
	require.Equal(t, []string{"A198 1", "A298 "}, ofLines(again(t, textOf(t, rows))))
	for _, of := range []string{"Told order", "Last seen"} {
		at := column(rows, of)
		for i := range rows {
			rows[i] = slices.Delete(rows[i], at, at+1)
		}
	}
	require.Equal(t, []string{"A198 ", "A298 "}, ofLines(again(t, textOf(t, rows))))
}

func TestALedgerIsReadAsItIsWritten(t *testing.T) {
	rows := rowsOf(t, aRun(t))
	require.Equal(t, "Asha", rows[1][column(rows, "Order")])
	state, note, until := column(rows, "State"), column(rows, "Note"), column(rows, "Promised until")
	for _, row := range rows[2:] {
		if row[0] == "order" && row[column(rows, "Flag")] == "SHORT_PAID" {
			row[state], row[note], row[until] = "Promised", "'=cmd|'/c calc'!A1\nsaid \"soon\"", "31/03/2026"
		}
	}
	t.Run("in any order, with columns added and moved", func(t *testing.T) {
		want := again(t, textOf(t, rows))
		chance := rand.New(rand.NewPCG(1, 2))
		mixed := make([][]string, len(rows))
		for i, row := range rows {
			mixed[i] = append([]string{"mine"}, row...)
			mixed[i][1], mixed[i][3] = mixed[i][3], mixed[i][1]
		}
		chance.Shuffle(len(mixed)-1, func(i, j int) { mixed[i+1], mixed[j+1] = mixed[j+1], mixed[i+1] })
		require.ElementsMatch(t, want, again(t, textOf(t, mixed)))
	})
	found := again(t, textOf(t, rows))
	marked := 0
	for _, row := range found {
		if row[state] == "promised" {
			marked++
			require.Equal(t, "'=cmd|'/c calc'!A1\nsaid \"soon\"", row[note], "as text")
			require.Equal(t, "20260331", row[until])
		}
	}
	require.Equal(t, 1, marked)
}

// TestTheKeyOfAnUnnamedCourierIsKept holds that a ledger has what tells a courier apart that nobody names, as a text of which no
// spreadsheet program makes a number.
func TestTheKeyOfAnUnnamedCourierIsKept(t *testing.T) {
	orders, lines := empty()
	o, _ := orders.FindOrAdd([]byte("#1001"))
	o.Total, o.HasTotal, o.CreatedOn = 100_00, true, march(1)
	for i, header := range []uint64{1e9, 1 << 63, 0} {
		lines.Begin("")
		lines.SetHeader(header)
		lines.Add(verdict.Remittance{AWB: []byte{'A', byte('1' + i)}, OrderID: []byte("1001"), Remitted: 1_00, Stated: 1_00, HasRemitted: true})
	}
	rows := rowsOf(t, finished(t, orders, lines))
	var keys []string
	for _, row := range rows[3:] {
		require.Equal(t, "line", row[0])
		keys = append(keys, row[column(rows, "Carrier")])
	}
	require.Equal(t, []string{"unnamed-000000003b9aca00", "unnamed-8000000000000000", ""}, keys)
	require.Equal(t, rows[3:], again(t, textOf(t, rows))[3:], "the next ledger has them too")
}

// People and spreadsheet programs write days in other forms, and so did the first ledgers.
func TestDaysInOtherForms(t *testing.T) {
	rows := rowsOf(t, aRun(t))
	want := again(t, textOf(t, rows))
	for _, layout := range []string{`="2006-01-02"`, "02/01/2006", "2006-01-02", "02-Jan-2006"} {
		changed, days := make([][]string, len(rows)), 0
		for i, row := range rows {
			changed[i] = slices.Clone(row)
			for k, cell := range row {
				digits, clock, timed := strings.Cut(strings.Trim(cell, `="`), "T")
				day, err := time.Parse("20060102", digits)
				if err != nil {
					continue
				}
				days++
				changed[i][k] = day.Format(layout)
				if timed {
					changed[i][k] = fmt.Sprintf(`="%s %s:%s:%s"`, day.Format(time.DateOnly), clock[:2], clock[2:4], clock[4:])
				}
			}
		}
		require.Greater(t, days, 10)
		require.Equal(t, want, again(t, textOf(t, changed)), layout)
	}
}

// Orders are read ahead while the export is read, as far as there is room for them.
func TestOrdersAreReadAhead(t *testing.T) {
	text := []string{strings.Join(rowsOf(t, aRun(t))[0], ",")}
	const many = 5_000
	for i := range many {
		text = append(text, fmt.Sprintf("order,#%d,,,20260301,,20260301T10000%d,,%d,,,,,,,,RECONCILED", 1+i, i%10, 1+i))
	}
	read := func(text []string, first, second func(ports.Ledger, *verdict.Orders) error, atOnce bool) (*verdict.Orders, error) {
		l := only.Value(newReader().Open(ports.Content{Bytes: []byte(strings.Join(text, "\n"))}))(t)
		defer l.Close()
		orders := new(verdict.Orders)
		orders.Reset()
		if !atOnce {
			return orders, cmp.Or(first(l, orders), second(l, orders))
		}
		done := make(chan error)
		go func() { done <- first(l, orders) }()
		err := second(l, orders)
		return orders, cmp.Or(err, <-done)
	}
	lines := func(l ports.Ledger, _ *verdict.Orders) error {
		lines := new(verdict.Remittances)
		lines.Reset()
		return l.Lines(lines)
	}
	add := func(l ports.Ledger, orders *verdict.Orders) error { return l.Orders(orders) }
	for _, way := range []struct {
		first, second func(ports.Ledger, *verdict.Orders) error
		atOnce        bool
	}{{lines, add, false}, {add, lines, false}, {lines, add, true}, {add, lines, true}} {
		orders := only.Value(read(text, way.first, way.second, way.atOnce))(t)
		require.Equal(t, many, orders.Len())
		for i := range many {
			require.Equal(t, fmt.Sprintf("#%d", 1+i), string(orders.At(i).Name))
			require.Equal(t, domain.Paise(1+i)*domain.Rupee, orders.At(i).Total)
		}
		for _, line := range []int{7, many - 1} { // among those that are read ahead, and after them
			twice := slices.Clone(text)
			twice[line] = text[line-1]
			_, err := read(twice, way.first, way.second, way.atOnce)
			var fault *domain.FileError
			require.ErrorAs(t, err, &fault)
			require.Equal(t, domain.FileError{File: domain.LedgerFile, Rule: domain.RuleLedgerTwice, Line: line + 1, Column: "Order",
				Value: fmt.Sprintf("#%d", line-1), Limit: verdict.MaxNamesakes}, *fault)
		}
	}
}

// manyAWBs is a cell of more AWBs than an order may have.
func manyAWBs() string {
	var all []string
	for i := range verdict.MaxAWBs + 1 {
		all = append(all, fmt.Sprint("AWB", i))
	}
	return strings.Join(all, ", ")
}

func TestWhatIsAlteredInALedger(t *testing.T) {
	fault := func(alter func(rows [][]string)) *domain.FileError {
		rows := rowsOf(t, aRun(t))
		alter(rows)
		_, _, err := readInto(textOf(t, rows))
		var f *domain.FileError
		require.ErrorAs(t, err, &f)
		require.Equal(t, domain.LedgerFile, f.File)
		return f
	}
	cell := func(row int, name, value string) func([][]string) {
		return func(rows [][]string) { rows[row][column(rows, name)] = value }
	}
	for name, c := range map[string]struct {
		alter  func([][]string)
		rule   domain.FileRule
		line   int
		column string
	}{
		"a state that is none":           {cell(2, "State", "angry"), domain.RuleLedgerWord, 3, "State"},
		"an amount in words":             {cell(2, "Total", "hundred"), domain.RuleAmount, 3, "Total"},
		"a day that is none":             {cell(2, "Promised until", "31/31/2026"), domain.RuleDate, 3, "Promised until"},
		"an hour that is none":           {cell(2, "Created", "20260301T240000"), domain.RuleDate, 3, "Created"},
		"digits that are no day":         {cell(2, "First seen", "20260230"), domain.RuleDate, 3, "First seen"},
		"a flag that is none":            {cell(2, "Flag", "LOST"), domain.RuleLedgerWord, 3, "Flag"},
		"a row that is none":             {cell(2, "Milaan ledger 1", "other"), domain.RuleLedgerWord, 3, "Milaan ledger 1"},
		"an order without a name":        {cell(2, "Order", ""), domain.RuleNoName, 3, "Order"},
		"another amount of a line":       {cell(6, "COD amount", "101"), domain.RuleLedgerAltered, 7, "Collected"},
		"what no report says was paid":   {cell(6, "Remitted", "4000"), domain.RuleLedgerAltered, 7, "Remitted"},
		"another carrier of a line":      {cell(6, "Carrier", "Ekart"), domain.RuleLedgerAltered, 7, "Carrier"},
		"another fingerprint":            {cell(6, "Fingerprint", strings.Repeat("0", 32)), domain.RuleLedgerAltered, 7, "Fingerprint"},
		"more charges than a report has": {cell(6, "Charges", strings.Repeat("a=1;", verdict.MaxCharges)+"a=1"), domain.RuleLedgerCharges, 7, "Charges"},
		"more AWBs than an order has":    {cell(2, "AWB", manyAWBs()), domain.RuleTrackingNumbers, 3, "AWB"},
		"no fingerprint":                 {cell(6, "Fingerprint", "x"), domain.RuleLedgerAltered, 7, "Fingerprint"},
		"a rounded AWB without order":    {func(r [][]string) { cell(6, "AWB", "1.90408E+13")(r); cell(6, "Order", "")(r) }, domain.RuleLedgerRounded, 7, "AWB"},
		"a line that stands there twice": {func(r [][]string) { copy(r[7], r[6]) }, domain.RuleLedgerTwice, 8, "Fingerprint"},
		"an order without a flag":        {cell(2, "Flag", ""), domain.RuleLedgerWord, 3, "Flag"},
		"an occurrence in words":         {cell(6, "Occurrence", "first"), domain.RuleLedgerAltered, 7, "Occurrence"},
		"no occurrence":                  {cell(6, "Occurrence", ""), domain.RuleLedgerAltered, 7, "Occurrence"},
		"an occurrence of 0":             {cell(6, "Occurrence", "0"), domain.RuleLedgerAltered, 7, "Occurrence"},
		"a newer form":                   {cell(0, "Milaan ledger 1", "Milaan ledger 2"), domain.RuleLedgerVersion, 1, "Milaan ledger 2"},
		"no column of fingerprints":      {cell(0, "Fingerprint", "Prints"), domain.RuleNoColumn, 1, ""},
	} {
		f := fault(c.alter)
		require.Equal(t, c.rule, f.Rule, name)
		require.Equal(t, c.line, f.Line, name)
		require.Equal(t, c.column, f.Column, name)
	}
}

// A ledger that was cut between two rows looks whole, and would forget what is owed.
func TestRowsOfALedgerAreCounted(t *testing.T) {
	whole := rowsOf(t, aRun(t)) // the header, the row of the run, 4 orders and 3 lines
	refused := func(rows [][]string) *domain.FileError {
		_, _, err := readInto(textOf(t, rows))
		var fault *domain.FileError
		require.ErrorAs(t, err, &fault, len(rows))
		return fault
	}
	lacks := func(kind string, has, of int) *domain.FileError {
		return &domain.FileError{File: domain.LedgerFile, Rule: domain.RuleLedgerRows, Value: kind, Count: has, Limit: of}
	}
	for rows := 2; rows < len(whole); rows++ {
		require.Equal(t, lacks("line", max(0, rows-6), 3), refused(whole[:rows]))
	}
	require.Equal(t, lacks("order", 3, 4), refused(slices.Delete(slices.Clone(whole), 2, 3)))
	added := slices.Clone(whole[2])
	added[column(whole, "Order")] = "#2001"
	require.Equal(t, lacks("order", 5, 4), refused(append(slices.Clone(whole), added)))

	cell := &whole[1][column(whole, "AWB")]
	require.Equal(t, `="4 orders and 3 lines"`, *cell)
	*cell = "" // as ledgers of earlier versions have it, and those of people who leave rows out on purpose
	require.NoError(t, only.Err2(readInto(textOf(t, whole[:4]))))
}

// A ledger has bounds of its own for its rows, its orders and its couriers.
func TestLedgersThatAreTooLong(t *testing.T) {
	header := strings.Join(rowsOf(t, aRun(t))[0], ",") + "\n"
	var ofOrders strings.Builder
	for i := range domain.MaxRows + 1 {
		fmt.Fprintf(&ofOrders, "order,#%d,,,20260301,,20260301T100000,,1,,,,,,,,RECONCILED\n", i)
	}
	orders, lines := empty()
	for i := range domain.MaxReports + 1 {
		lines.Begin(fmt.Sprint("courier-", i))
		lines.Add(verdict.Remittance{AWB: fmt.Append(nil, "A", i), Remitted: 1_00, Stated: 1_00, HasRemitted: true})
	}
	var ofCouriers strings.Builder
	for i := range domain.MaxReports + 1 {
		fmt.Fprintf(&ofCouriers, "order,#%d,,courier-%d,20260301,,20260301T100000,,1,,,,,,,,RECONCILED\n", i, i)
	}
	for text, rule := range map[string]domain.FileRule{
		header + strings.Repeat("run\n", 4*domain.MaxRows+2):     domain.RuleRows,
		header + ofOrders.String():                               domain.RuleLedgerOrders,
		header + ofCouriers.String():                             domain.RuleLedgerCouriers,
		string(textOf(t, rowsOf(t, finished(t, orders, lines)))): domain.RuleLedgerCouriers,
	} {
		_, _, err := readInto([]byte(text))
		var fault *domain.FileError
		require.ErrorAs(t, err, &fault, rule)
		require.Equal(t, rule, fault.Rule)
		if rule == domain.RuleLedgerCouriers {
			require.Equal(t, domain.MaxReports, fault.Limit)
		}
	}
}

// Spreadsheet programs write a table in their own way: with a mark of its encoding, other separators and quotes, blank rows,
// and cells below each column of the header.
func TestALedgerThatASpreadsheetHasSaved(t *testing.T) {
	rows := rowsOf(t, aRun(t))
	want := again(t, textOf(t, rows))
	var text strings.Builder
	text.WriteString("\ufeff")
	moved := slices.Concat(rows[:1], rows[2:], rows[1:2], [][]string{make([]string, len(rows[0])), make([]string, len(rows[0]))})
	for _, row := range moved {
		for _, cell := range row {
			text.WriteString(`"` + strings.ReplaceAll(cell, `"`, `""`) + `";`)
		}
		text.WriteString(";\r\n")
	}
	require.Equal(t, want, again(t, []byte(text.String())))
}

// A spreadsheet has rounded an AWB: the order id decides to which order the line belongs, and the fingerprint whether it is
// given again.
func TestARoundedAWBInALedger(t *testing.T) {
	rows := rowsOf(t, aRun(t))
	rows[6][column(rows, "AWB")], rows[6][column(rows, "Order")] = "1.90408E+13", rows[6][column(rows, "Order")]
	_, lines := only.Both(readInto(textOf(t, rows)))(t)
	require.Equal(t, 3, lines.Remembered())
}

func FuzzLedger(f *testing.F) {
	f.Add(textOf(f, rowsOf(f, aRun(f))))
	f.Fuzz(func(t *testing.T, text []byte) {
		orders, lines, err := readInto(text)
		if err != nil {
			var file *domain.FileError
			require.ErrorAs(t, err, &file)
			return
		}
		require.LessOrEqual(t, orders.Len(), domain.MaxRows)
		require.Equal(t, lines.Len(), lines.Remembered())
	})
}
