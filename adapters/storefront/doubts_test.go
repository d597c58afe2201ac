package storefront_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"milaan/adapters/storefront"
	"milaan/adapters/table"
	"milaan/domain"
	"milaan/domain/verdict"
	"milaan/ports"
)

// named lists the orders as name, total and creation.
func named(orders *verdict.Orders) []string {
	var all []string
	for i := range orders.Len() {
		o := orders.At(i)
		all = append(all, fmt.Sprintf("%s %s %s", o.Name, o.Total, o.CreatedOn))
	}
	return all
}

// TestTwoStoresExportedTogether reads orders that two stores gave one name.
func TestTwoStoresExportedTogether(t *testing.T) {
	for name, c := range map[string]struct {
		rows string
		want []string
	}{
		"two days":                     {"#1,100,2026-03-01\n#1,200,2026-03-05\n", []string{"#1 ₹100 2026-03-01", "#1 ₹200 2026-03-05"}},
		"two times of one day":         {"#1,100,2026-03-01 10:00:00 +0530\n#1,200,2026-03-01 10:00:01 +0530\n", []string{"#1 ₹100 2026-03-01", "#1 ₹200 2026-03-01"}},
		"one instant in two zones":     {"#1,100,2026-03-01 10:00:00 +0530\n#1,100,2026-03-01T04:30:00Z\n", []string{"#1 ₹100 2026-03-01"}},
		"one lacks a time":             {"#1,100,2026-03-01 10:00:00 +0530\n#1,200,2026-03-01\n", []string{"#1 ₹100 2026-03-01"}},
		"the first lacks a time":       {"#1,100,01/03/2026\n#1,200,2026-03-01 10:00:00 +0530\n", []string{"#1 ₹100 2026-03-01"}},
		"the day is that of the other": {"#1,100,2026-03-01 10:00:00 +0530\n#1,200,2026-03-02 10:00:00 +0530\n#1,300,2026-03-02\n", []string{"#1 ₹100 2026-03-01", "#1 ₹200 2026-03-02"}},
		"a name is one however written": {"#a1,100,2026-03-01\nA1,200,2026-03-05\n", []string{"#a1 ₹100 2026-03-01",
			"#a1 ₹200 2026-03-05"}},
		"rows without a date are of the latest above":      {"#1,,2026-03-01\n#1,100,\n#1,200,2026-03-05\n#1,300,\n", []string{"#1 ₹100 2026-03-01", "#1 ₹200 2026-03-05"}},
		"and other orders may stand between":               {"#1,,2026-03-01\n#2,7,2026-03-01\n#1,200,2026-03-05\n#2,,\n#1,300,\n#2,8,\n", []string{"#1 ₹0 2026-03-01", "#2 ₹7 2026-03-01", "#1 ₹200 2026-03-05"}},
		"a row of the first again":                         {"#1,,2026-03-01\n#1,200,2026-03-05\n#1,100,2026-03-01\n", []string{"#1 ₹100 2026-03-01", "#1 ₹200 2026-03-05"}},
		"a row with nothing of an order's own begins none": {"#1,100,2026-03-01 10:00:00 +0530\n#1,,2026-03-01 11:30:00 +0530\n#1,-,2026-03-09\n", []string{"#1 ₹100 2026-03-01"}},
		"and belongs to the one of its date":               {"#1,,2026-03-01\n#1,200,2026-03-05\n#1,,2026-03-01\n#1,100,\n", []string{"#1 ₹100 2026-03-01", "#1 ₹200 2026-03-05"}},
		"or else to the latest above":                      {"#1,,2026-03-01\n#1,200,2026-03-05\n#1,,2026-03-07\n#1,100,\n", []string{"#1 ₹0 2026-03-01", "#1 ₹200 2026-03-05"}},
		"such a row does not hide the next order's date":   {"#1,100,2026-03-01\n#1,,2026-03-05\n#1,200,2026-03-05\n", []string{"#1 ₹100 2026-03-01", "#1 ₹200 2026-03-05"}},
		"nor the order's own":                              {"#1,100,2026-03-01\n#1,,2026-03-05\n#1,100,2026-03-01\n", []string{"#1 ₹100 2026-03-01"}},
		"a date that comes late is the order's":            {"#1,100,\n#1,,2026-03-05\n", []string{"#1 ₹100 2026-03-05"}},
		"a date that is repeated is the order's":           {"#1,100,2026-03-05\n#1,300,2026-03-05\n", []string{"#1 ₹100 2026-03-05"}},
		"two exports with their headers":                   {"#1,100,2026-03-01\nName,Total,Created at\n#1,200,2026-03-05\n", []string{"#1 ₹100 2026-03-01", "#1 ₹200 2026-03-05"}},
		"no date at all":                                   {"#1,100,2026-03-01\n#2,100,N/A\n#2,200,-\n", []string{"#1 ₹100 2026-03-01", "#2 ₹100 "}},
		"month first is known before names are settled":    {"#1,100,03/01/2026\n#1,200,03/15/2026\n#1,,03/01/2026\n", []string{"#1 ₹100 2026-03-01", "#1 ₹200 2026-03-15"}},
	} {
		t.Run(name, func(t *testing.T) {
			orders := mustRead(t, "Name,Total,Created at\n"+c.rows)
			require.Equal(t, c.want, named(orders))
			require.Empty(t, orders.Warnings)
		})
	}
}

// TestCellsOfAnOrdersOwn has one of them in the second of two rows whose creation
// differs: it begins another order.
func TestCellsOfAnOrdersOwn(t *testing.T) {
	const columns = "Name,Created at,Total,Outstanding Balance,Financial Status,Fulfillment Status,Payment Method,Cancelled at,Tracking Number,Paid at,Fulfilled at,Currency\n"
	for cells, want := range map[string]int{
		",,,,,,,,,":              1,
		"-,N/A,null,--,nan,,,,,": 1,
		",,,,,,A7,,,":            1, // a further parcel
		",,,,,,,2026-03-06,,":    1,
		",,,,,,,,2026-03-06,":    1,
		",,,,,,,,,INR":           1,
		"1,,,,,,,,,":             2,
		"0,,,,,,,,,":             2,
		",0,,,,,,,,":             2,
		",,pending,,,,,,,":       2,
		",,,unfulfilled,,,,,,":   2,
		",,,,COD,,,,,":           2,
		",,,,,2026-03-06,,,,":    2,
	} {
		orders := mustRead(t, columns+"#1,2026-03-01,100,,,,,,,,,\n#1,2026-03-05,"+cells+"\n")
		require.Equal(t, want, orders.Len(), "%q", cells)
	}
}

func TestOneNameIsNotThatOfAHundredStores(t *testing.T) {
	var text strings.Builder
	for i := range verdict.MaxNamesakes + 1 {
		fmt.Fprintf(&text, "#1,5,%s\n", day(time.March, 1)+domain.Day(i))
	}
	requireFault(t, "Name,Total,Created at\n"+text.String(), domain.FileError{Rule: domain.RuleNamesakes, Line: 102, Column: "Created at", Value: "2026-06-09", Limit: verdict.MaxNamesakes})
}

func TestCurrencies(t *testing.T) {
	orders := mustRead(t, "Name,Total,Currency,Created at\n"+
		"#1,5,INR,2026-03-01\n#1,,USD,\n"+
		"#2,5,usd,2026-03-01\n#2,,INR,\n"+
		"#3,5,,2026-03-01\n#3,,EUR,\n"+
		"#4,5,₹,2026-03-01\n#5,5,Rs,2026-03-01\n#6,5,-,2026-03-01\n#7,5,'usd,2026-03-01\n")
	foreign := map[string]string{}
	for i := range orders.Len() {
		if o := orders.At(i); o.Currency != 0 {
			foreign[string(o.Name)] = fmt.Sprintf("%s in line %d", orders.Text(o.Currency), o.CurrencyLine)
		}
	}
	require.Equal(t, map[string]string{"#2": "usd in line 4", "#3": "EUR in line 7", "#7": "usd in line 11"}, foreign, "the first cell that says something wins")
	require.Equal(t, "Currency", orders.CurrencyColumn)
	require.Zero(t, mustRead(t, "Name,Total,Created at\n#1,5,2026-03-01\n").At(0).Currency, "the column is optional")
}

// TestMethodsAreKeptOnce holds that an export of three methods keeps three texts,
// which outlive the export.
func TestMethodsAreKeptOnce(t *testing.T) {
	methods := []string{"Cash on Delivery (COD)", "Razorpay + COD", "Gokwik"}
	text := []byte("Name,Total,Created at,Payment Method\n")
	for i := range 300 {
		text = fmt.Appendf(text, "#%d,5,2026-03-01,%s\n", i+1, methods[i%3])
	}
	var orders verdict.Orders
	orders.Reset()
	require.NoError(t, storefront.New(table.New()).Orders(ports.Content{Bytes: text}).Read(&orders))
	clear(text)
	for i := range 300 {
		o := orders.At(i)
		require.Equal(t, methods[i%3], string(orders.Text(o.Method)))
		require.Equal(t, orders.At(i%3).Method, o.Method)
		require.Equal(t, []domain.Payment{domain.PaymentCOD, domain.PaymentCOD, domain.PaymentUnknown}[i%3], o.Payment)
		require.Equal(t, i%3 == 1, o.PartPrepaid)
	}
}

// TestDatesThatReadBothWays reads a column that gives no order its date in the way that fits
// the orders' time, and says so.
func TestDatesThatReadBothWays(t *testing.T) {
	warned := func(column string, dayFirst bool) []domain.Warning {
		return []domain.Warning{{Code: domain.WarnAmbiguousDates, File: domain.StorefrontFile, Column: column, DayFirst: dayFirst}}
	}
	const head = "Name,Total,Created at,Paid at,Fulfilled At*,Cancelled at\n"
	for name, c := range map[string]struct {
		rows      string
		fulfilled domain.Day
		warnings  []domain.Warning
	}{
		"far off":                   {"#1,5,2026-03-01,,03/11/2026,\n#2,5,2026-03-02,,03/05/2026,\n", day(time.March, 11), warned("Fulfilled At*", false)},
		"not so far":                {"#1,5,2026-03-01,,03/05/2026,\n", day(time.March, 5), warned("Fulfilled At*", false)},
		"day first fits":            {"#1,5,2026-03-01,,05/03/2026,\n", day(time.March, 5), nil},
		"both fit":                  {"#1,5,2026-03-01,,04/03/2026,\n", day(time.March, 4), warned("Fulfilled At*", true)},
		"some have one reading":     {"#1,5,2026-03-01,,03/11/2026,\n#2,5,2026-03-02,,13/03/2026,\n", day(time.November, 3), nil},
		"far off both ways":         {"#1,5,2026-01-01,,09/11/2026,\n", day(time.November, 9), warned("Fulfilled At*", true)},
		"as another column":         {"#1,5,13/02/2026,,03/04/2026,\n", day(time.April, 3), nil},
		"month first as another":    {"#1,5,02/13/2026,,04/03/2026,\n", day(time.April, 3), warned("Fulfilled At*", false)},
		"cancelled":                 {"#1,5,2026-03-01,,2026-03-04,03/11/2026\n", day(time.March, 4), warned("Cancelled at", false)},
		"it dates an order":         {"#1,5,,,03/11/2026,\n#2,5,2026-03-01,,,\n", day(time.November, 3), nil},
		"the order date's itself":   {"#1,5,03/11/2026,,2026-03-12,\n#2,5,01/02/2026,,,\n", day(time.March, 12), nil},
		"unlike another column":     {"#1,5,02/06/2026,,02/13/2026,\n#2,5,02/07/2026,,02/03/2026,\n", day(time.February, 13), warned("Created at", true)},
		"like another column":       {"#1,5,02/06/2026,,13/06/2026,\n#2,5,02/07/2026,,03/07/2026,\n", day(time.June, 13), nil},
		"the others differ":         {"#1,5,02/06/2026,,02/13/2026,13/02/2026\n", day(time.February, 13), nil},
		"the order date is another": {"#2,5,2026-03-02,,,\n#1,5,,03/01/2026,03/11/2026,\n", day(time.March, 11), warned("Fulfilled At*", false)},
	} {
		t.Run(name, func(t *testing.T) {
			orders := mustRead(t, head+c.rows)
			found := domain.NoDay
			for i := range orders.Len() {
				if found == domain.NoDay {
					found = orders.At(i).FulfilledOn
				}
			}
			require.Equal(t, c.fulfilled.String(), found.String())
			require.Equal(t, c.warnings, orders.Warnings)
		})
	}
}

// TestSumsAndHeadersBelowAreNoOrders passes over what people add to exports.
func TestSumsAndHeadersBelowAreNoOrders(t *testing.T) {
	for _, row := range []string{"Total,5,", "Grand Total :,5,", "TOTAL (2 orders),5,", "Total of 12 orders,5,", ",5,", "-,,", ",nil,", ",–,2026-03-01", "note,,"} {
		orders, err := read("Name,Total,Created at,Financial Status\n#1,5,2026-03-01,paid\n" + row + ",Total\n#2,6,2026-03-02,paid\n")
		if row == "note,," {
			require.Equal(t, 3, orders.Len(), "a name need not have a digit")
			continue
		}
		require.NoError(t, err, row)
		require.Equal(t, []string{"#1 ₹5 2026-03-01", "#2 ₹6 2026-03-02"}, named(orders), row)
	}
}

// TestARowAllocatesNothing reads an export as shops have them: methods and statuses
// alternate from row to row, and further rows repeat an order's creation or leave it
// blank.
func TestARowAllocatesNothing(t *testing.T) {
	methods := []string{"Cash on Delivery (COD)", "Razorpay Secure", "gokwik_cod", "Razorpay + COD", "manual"}
	statuses := []string{"fulfilled", "unfulfilled", "partial", "restocked"}
	text := []byte("Name,Total,Currency,Created at,Financial Status,Fulfillment Status,Fulfilled at,Payment Method,Tracking Number\n")
	for i := range 2000 {
		created := fmt.Sprintf("2026-03-%02d 10:11:12 +0530", i%28+1)
		text = fmt.Appendf(text, "#%d,5,INR,%s,pending,%s,2026-03-30,%s,1904%08d\n", i, created, statuses[i%4], methods[i%5], i)
		text = fmt.Appendf(text, "#%d,5,INR,%s,,,,,\n#%d,,,,,,,,\n", i, created, i)
	}
	var orders verdict.Orders
	exports := storefront.New(table.New())
	allocations := testing.AllocsPerRun(5, func() {
		orders.Reset()
		require.NoError(t, exports.Orders(ports.Content{Bytes: text}).Read(&orders))
	})
	require.Equal(t, 2000, orders.Len())
	require.Less(t, allocations, 150.0, "for 6000 rows")
}

func TestAHeaderBelowIsPassedOverWordForWord(t *testing.T) {
	orders := mustRead(t, "Name,Total,Created at,Email\n#1,5,2026-03-01,a\nName,Total,Created at,Email\n#2,6,2026-03-02,b\n")
	require.Equal(t, []string{"#1 ₹5 2026-03-01", "#2 ₹6 2026-03-02"}, named(orders))
	require.Equal(t, 3, orders.Rows, "it is a row for all that")
	requireFault(t, "Name,Total,Created at\n#1,5,2026-03-01\nName,Total,Date\n", domain.FileError{Rule: domain.RuleDate, Line: 3, Column: "Created at", Value: "Date"})
}

// TestHostileExportsAreGoneThroughOnce holds that lines are not counted again and
// again, whatever the export holds.
func TestHostileExportsAreGoneThroughOnce(t *testing.T) {
	const n = 2000
	var many strings.Builder
	for i := range n {
		fmt.Fprintf(&many, "#%d,5,2026-03-01,m%d\n", i+1, i)
	}
	for name, c := range map[string]struct {
		text string
		most int
	}{
		"faults":           {"Name,Total,Created at\n" + strings.Repeat("#1,x,2026-03-01\n", n), 1},
		"no dates":         {"Name,Total,Created at\n" + strings.Repeat("#1,5,soon\n", n), 1},
		"months first":     {"Name,Total,Created at,Fulfilled at,Cancelled at\n" + strings.Repeat("#1,5,01/13/2026,01/14/2026,01/15/2026\n", n), 0},
		"days and months":  {"Name,Total,Created at\n" + strings.Repeat("#1,5,01/13/2026\n#1,,13/01/2026\n", n), 1},
		"methods":          {"Name,Total,Created at,Payment Method\n" + many.String(), 0},
		"slips":            {"Name,Total,Created at\n" + strings.Repeat("#1,5,2026-01-13\n", n) + "#2,5,2066-01-01\n", 1},
		"names":            {"Name,Total,Created at\n" + strings.Repeat("#1,5,2026-01-13\n#1,5,2026-01-14\n", n), 0},
		"other currencies": {"Name,Total,Created at,Currency\n" + strings.Repeat("#1,5,2026-01-13,USD\n#2,5,2026-01-14,EUR\n", n), 2},
	} {
		t.Run(name, func(t *testing.T) {
			asked := 0
			var orders verdict.Orders
			orders.Reset()
			_ = storefront.New(counting{table.New(), &asked}).Orders(ports.Content{Bytes: []byte(c.text)}).Read(&orders)
			require.LessOrEqual(t, asked, c.most)
		})
	}
}
