package quarter

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/xuri/excelize/v2"

	"milaan/domain"
	"milaan/ports"
	"milaan/tests/only"
)

// shopMonth is what a shop has of one month alone: orders, the lines that the courier has paid in it, and the bank's lines.
type shopMonth struct {
	orders []order
	report []string
	bank   []string
	moved  int // by the bank, in paise
}

// drawShop draws months in which each order is paid in the end: at once or in parts, taken back and paid again, and by transfers that
// come days later or are returned and sent once more. It returns what was collected.
func drawShop(chance *rand.Rand, n int) (months []shopMonth, collected int) {
	months = make([]shopMonth, n)
	begin := time.Date(2026, 1, 1, 12, 0, 0, 0, domain.Kolkata)
	monthOf := func(on time.Time) *shopMonth { return &months[min(int(on.Month())-1+12*(on.Year()-2026), n-1)] }
	rupees := func(paise int) string { return fmt.Sprintf("%d.%02d", paise/100, paise%100) }
	type line struct {
		awb, order string
		cod, paid  int
	}
	bank := func(on time.Time, utr string, amount int) {
		m := monthOf(on)
		m.moved += amount
		debit, credit := "", rupees(max(amount, 0))
		if amount < 0 {
			debit, credit = rupees(-amount), ""
		}
		m.bank = append(m.bank, fmt.Sprintf("%s,NEFT %s DELHIVERY,%s,%s", on.Format(time.DateOnly), utr, debit, credit))
	}
	later := map[int][]line{} // by day
	utrs := 0
	var pay func(day int, lines []line, again bool)
	pay = func(day int, lines []line, again bool) {
		utrs++
		utr, on, sum := fmt.Sprintf("UTRN26%08d", utrs), begin.AddDate(0, 0, day), 0
		m := monthOf(on)
		for _, l := range lines {
			sum += l.paid
			paid := rupees(max(l.paid, -l.paid))
			if l.paid < 0 {
				paid = "-" + paid
			}
			m.report = append(m.report, fmt.Sprintf("%s,%s,%s,%s,%s,%s,Delivered", l.awb, l.order, rupees(l.cod), paid, on.Format(time.DateOnly), utr))
		}
		came := day + chance.IntN(12)
		if sum != 0 {
			bank(begin.AddDate(0, 0, came), utr, sum)
		}
		if sum > 0 && !again && chance.IntN(8) == 0 {
			bank(begin.AddDate(0, 0, came+1+chance.IntN(9)), utr, -sum)
			pay(day+15, lines, true)
		}
	}
	last := (n - 2) * 30
	for day := range last + 45 {
		if day < last {
			on := begin.AddDate(0, 0, day)
			cod := 100_00 + chance.IntN(300_000)
			o := order{name: fmt.Sprint("#", 1001+day), awb: fmt.Sprintf("19%010d", 4_076_086_893+day*7), courier: "delhivery", total: rupees(cod), financial: "pending",
				fulfilment: "fulfilled", created: on.Format("2006-01-02 15:04:05 -0700")}
			monthOf(on).orders = append(monthOf(on).orders, o)
			collected += cod
			part := func(paid int) line { return line{o.awb, o.name, cod, paid} }
			at, first := day+7-day%7, 1+chance.IntN(cod-1)
			switch chance.IntN(6) {
			case 0:
				later[at], later[at+14] = append(later[at], part(first)), append(later[at+14], part(cod-first))
			case 1:
				later[at], later[at+7], later[at+21] = append(later[at], part(cod)), append(later[at+7], part(-cod)), append(later[at+21], part(cod))
			default:
				later[at] = append(later[at], part(cod))
			}
		}
		if len(later[day]) > 0 {
			pay(day, later[day], false)
		}
	}
	return months, collected
}

// TestMonthByMonthTheBooksClear posts ten months one after the other, each from its own reports, its own statement and the ledger of the
// month before: the bank has what its statement shows, and once all is paid, nothing is owed or under way.
func TestMonthByMonthTheBooksClear(t *testing.T) {
	chance := rand.New(rand.NewPCG(28, 3))
	const bank, open, receivable = "Bank Account", "Courier receivable, not yet credited", "Delhivery COD receivable"
	for range 4 {
		months, collected := drawShop(chance, 10)
		r := reconciling()
		var previous []byte
		var exported []order
		posted := map[string]entry{}
		for i, m := range months {
			if len(m.orders) > 0 {
				exported = m.orders
			}
			whole := Month{orders: exported, reports: [][]string{m.report}}
			first, end := time.Date(2026, time.Month(i+1), 1, 0, 0, 0, 0, domain.Kolkata), time.Date(2026, time.Month(i+2), 0, 0, 0, 0, 0, domain.Kolkata)
			text := append(slices.Clone(m.bank), first.Format(time.DateOnly)+",OPENED,,1.00", end.Format(time.DateOnly)+",CLOSED,,1.00")
			slices.Sort(text)
			req := ports.Request{Storefront: []byte(whole.Export()), Workbooks: true, Previous: previous,
				Statement: []byte("Date,Narration,Debit,Credit\n" + strings.Join(text, "\n") + "\n"),
				Reports:   []ports.Report{{CourierName: "delhivery", Courier: []byte(whole.Report(0))}}}
			run := reconcile(t, r, req)
			for _, e := range post(t, files(t, run, domain.FormatTally)["milaan-tally.xml"]) {
				posted[e.ID] = e
			}
			require.Empty(t, run.Statement.Others)
			previous = asCSV(t)(run)
		}
		sums, inBank := map[string]int{}, make([]int, len(months))
		for _, e := range posted {
			for _, l := range e.Ledgers {
				amount := -paise(t, l.Amount)
				sums[l.Name] += amount
				if on, err := time.Parse("20060102", e.Date); l.Name == bank {
					require.NoError(t, err)
					inBank[on.Month()-1] += amount
				}
			}
		}
		for i, m := range months {
			require.Equal(t, m.moved, inBank[i], "month %d", i+1)
		}
		require.Zero(t, sums[open])
		require.Equal(t, -collected, sums[receivable])
		require.Zero(t, sums["Courier differences, unexplained"])
	}
}

// TestAMarkIsOfOneOrder holds that what is noted on one of two orders of one name and day is not the other's, and that nothing
// is asked for an order that is written off.
func TestAMarkIsOfOneOrder(t *testing.T) {
	m := Month{reports: [][]string{{"555,,1,1,2026-01-31,Z,"}}}
	for i, at := range []string{"09", "15"} {
		m.orders = append(m.orders, order{name: "#5001", awb: []string{"19040760868931", "19040760868932"}[i], courier: "delhivery", total: "900", financial: "pending",
			fulfilment: "fulfilled", created: "2026-01-03 " + at + ":00:00 +0530"})
	}
	m.orders = append(m.orders, order{name: "#9999", total: "1", financial: "pending", fulfilment: "fulfilled", created: "2026-01-30 10:00:00 +0530"})
	r := reconciling()
	book := only.Value(excelize.OpenReader(bytes.NewReader(asWorkbook(t)(reconcile(t, r, request(m))))))(t)
	rows := only.Value(book.GetRows("Open items"))(t)
	require.Equal(t, "19040760868932", rows[2][1])
	require.NoError(t, book.SetCellStr("Open items", "M3", domain.WrittenOff.String()))
	require.Equal(t, "State", rows[0][12])
	marked := only.Value(book.WriteToBuffer())(t)
	req := request(m)
	req.Previous = marked.Bytes()
	run := reconcile(t, r, req)
	asked := func(run *ports.FinishedRun) (sum domain.Paise) {
		for i := range run.Len() {
			sum += run.Asked(i)
		}
		return sum
	}
	require.Equal(t, domain.Paise(900_00), asked(run))
	_, all := run.Movements()
	require.Equal(t, domain.Paise(900_00), all.WrittenOff.Amount)
	require.Equal(t, domain.Paise(900_00), all.Now.Amount)
}

// entry is a voucher as a plain program reads it, which knows nothing of how it was made.
type entry struct {
	ID        string `xml:"REMOTEID,attr"`
	Kind      string `xml:"VCHTYPE,attr"`
	Date      string `xml:"DATE"`
	Reference string `xml:"REFERENCE"`
	Ledgers   []struct {
		Name   string `xml:"LEDGERNAME"`
		Amount string `xml:"AMOUNT"`
		Bills  []struct {
			Order  string `xml:"NAME"`
			Amount string `xml:"AMOUNT"`
		} `xml:"BILLALLOCATIONS.LIST"`
	} `xml:"ALLLEDGERENTRIES.LIST"`
}

// paise reads an amount of two decimals.
func paise(t testing.TB, text string) int {
	t.Helper()
	rupees, rest, found := strings.Cut(text, ".")
	require.True(t, found && len(rest) == 2, text)
	n, err := strconv.Atoi(rupees + rest)
	require.NoError(t, err)
	return n
}

// post reads vouchers back, of which each must add up.
func post(t testing.TB, document []byte) []entry {
	t.Helper()
	var read struct {
		Entries []entry `xml:"BODY>IMPORTDATA>REQUESTDATA>TALLYMESSAGE>VOUCHER"`
	}
	require.NoError(t, xml.Unmarshal(document, &read))
	for _, e := range read.Entries {
		left := 0
		for _, l := range e.Ledgers {
			amount := -paise(t, l.Amount)
			left += amount
			settled := 0
			for _, b := range l.Bills {
				settled -= paise(t, b.Amount)
			}
			require.True(t, len(l.Bills) == 0 || settled == amount, "the orders of %s sum to %d", e.ID, settled)
		}
		require.Zero(t, left, e.ID)
	}
	return read.Entries
}
