package storefront_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/xuri/excelize/v2"

	"milaan/adapters/storefront"
	"milaan/adapters/table"
	"milaan/domain"
	"milaan/domain/verdict"
	"milaan/ports"
	"milaan/ports/peers"
)

func read(text string) (*verdict.Orders, error) {
	var orders verdict.Orders
	orders.Reset()
	err := storefront.New(table.New()).Orders(ports.Content{Bytes: []byte(text)}).Read(&orders)
	return &orders, err
}

func mustRead(t *testing.T, text string) *verdict.Orders {
	t.Helper()
	orders, err := read(text)
	require.NoError(t, err)
	return orders
}

func requireFault(t *testing.T, text string, want domain.FileError) {
	t.Helper()
	_, err := read(text)
	want.File = domain.StorefrontFile
	if want.Rule == domain.RuleNoColumn {
		want.Exporters = []domain.Exporter{{Storefront: "Shopify", Steps: "Orders, Export, Plain CSV file"}}
	}
	require.Equal(t, &want, err)
}

func day(month time.Month, n int) domain.Day { return domain.DayFromDate(2026, month, n) }

const header = "Name,Email,Financial Status,Paid at,Fulfillment Status,Fulfilled at,Total,Created at,Cancelled at,Payment Method,Outstanding Balance,Fulfillment: Tracking Number\n"

func TestOrderIsReadWhole(t *testing.T) {
	orders := mustRead(t, header+
		`#1001,a@example.com,Pending,,Fulfilled,2026-03-02 10:00:00 +0530,"1,299.50",2026-03-01 23:59:59 +0530,,Cash on Delivery (COD),500.00,"38061, 38062"`+"\n")
	require.Equal(t, 1, orders.Len())
	o := *orders.At(0)
	require.Equal(t, "#1001", string(o.Name))
	require.Equal(t, "38061, 38062", string(orders.AWBs(nil, &o)))
	require.EqualExportedValues(t, verdict.Order{
		Fulfilment: verdict.Fulfilled, FulfilmentText: "fulfilled", Total: 129950, HasTotal: true, Outstanding: 50000, HasOutstanding: true,
		CreatedOn: day(time.March, 1), CreatedSecond: 24 * 60 * 60, Method: o.Method, FulfilledOn: day(time.March, 2), Financial: domain.FinancialPending, Payment: domain.PaymentCOD, Name: []byte("#1001"),
	}, o)
	require.Equal(t, "Cash on Delivery (COD)", string(orders.Text(o.Method)))
	require.Equal(t, 1, orders.Rows)
}

// TestRowsOfOneOrder reads an order of several items: further rows repeat the
// name and leave the order's cells blank, or repeat the total, and rows of
// other orders may stand between them.
func TestRowsOfOneOrder(t *testing.T) {
	orders := mustRead(t, header+
		"#1,,pending,,,,100,2026-03-01,,COD,,\n"+
		"#1,,,,,,,,,,,\n"+
		"#2,,paid,,fulfilled,2026-03-05,200,2026-03-02,,Razorpay,0,B1\n"+
		"#1,,,,unfulfilled,2026-03-09,100,2026-03-01,,Razorpay,40,A1\n"+
		"#2,,pending,,,,999,,2026-03-06,,,B1\n"+
		"#2,,,,,,,,,,,B2;B3\n")
	require.Equal(t, 2, orders.Len())
	require.Equal(t, 6, orders.Rows)
	first, second := orders.At(0), orders.At(1)
	require.Equal(t, domain.Paise(10000), first.Total, "amounts are never summed")
	require.Equal(t, day(time.March, 1), first.CreatedOn, "the first non-blank cell wins")
	require.Equal(t, domain.PaymentCOD, first.Payment)
	require.Equal(t, "A1", string(orders.AWBs(nil, first)), "a blank cell is filled by a later row")
	require.Equal(t, "B1, B2, B3", string(orders.AWBs(nil, second)), "further rows are further parcels, and a cell that is repeated is not")
	require.Equal(t, domain.Paise(4000), first.Outstanding)
	require.Equal(t, domain.Paise(20000), second.Total)
	require.Equal(t, domain.FinancialPaid, second.Financial)
	require.True(t, second.Cancelled, "a blank cell takes nothing back")
}

func TestOrderDate(t *testing.T) {
	orders := mustRead(t, header+
		"#1,,,2026-03-03,,2026-03-04,1,2026-03-01,,,,\n"+
		"#2,,,2026-03-03,,2026-03-04,1,,,,,\n"+
		"#3,,,,,2026-03-04,1,N/A,,,,\n"+
		"#4,,,,,,1,-,,,,\n")
	for i, want := range []domain.Day{day(time.March, 1), day(time.March, 3), day(time.March, 4), domain.NoDay} {
		require.Equal(t, want, orders.At(i).OrderedOn(), "order %d", i+1)
	}
	for _, only := range []string{"Created at", "Paid at", "Fulfilled at"} {
		orders := mustRead(t, "Name,Total,"+only+"\n#1,5,2026-03-01\n")
		require.Equal(t, day(time.March, 1), orders.At(0).OrderedOn())
	}
}

// TestSeveralTrackingColumns reads them all: each app that ships orders fills in
// its own.
func TestSeveralTrackingColumns(t *testing.T) {
	orders := mustRead(t, "Name,Total,Created at,Tracking Number,AWB\n#1,5,2026-03-01,,A1\n#2,5,2026-03-01,T2,\n#3,5,2026-03-01,A3,A3\n#4,5,2026-03-01,-,=\"A4\"\n")
	for i, want := range []string{"A1", "T2", "A3", "A4"} {
		require.Equal(t, want, string(orders.AWBs(nil, orders.At(i))), "order %d", i+1)
	}
}

// TestRowsThatRepeatSeveralAWBs is about a long order whose every row has the
// same two cells: they are two AWBs and not two thousand.
func TestRowsThatRepeatSeveralAWBs(t *testing.T) {
	orders := mustRead(t, "Name,Total,Created at,Tracking Number,AWB\n"+strings.Repeat("#1,5,2026-03-01,14902602000001,14902602000002\n", 1000))
	require.Equal(t, "14902602000001, 14902602000002", string(orders.AWBs(nil, orders.At(0))))
}

func TestOwnStatusesAreNoted(t *testing.T) {
	for status, own := range map[string]bool{"Fulfilled": false, "": false, "packed by Asha": true} {
		orders := mustRead(t, header+"#1001,,,,"+status+",,1,2026-03-01,,,,\n#1002,,,,unfulfilled,,1,2026-03-01,,,,\n")
		require.Equal(t, own, orders.OwnStatuses, status)
	}
}

func TestStatuses(t *testing.T) {
	orders := mustRead(t, header+
		"#1,,voided,,Restocked,,1,2026-03-01,,gokwik_cod,,\n"+
		"#2,,partially_paid,,NA,,1,2026-03-01,2026-03-02 10:00:00 +0530,Razorpay + Cash on Delivery (COD),,\n"+
		"#3,,authorized,,partial,,1,2026-03-01,,Gokwik PPCOD,,\n"+
		"#4,,,,,,1,2026-03-01,,Promocode,,\n"+
		"#5,,pending,,,,1,2026-03-01,,Manual,,\n"+
		"#6,,,,,,1,2026-03-01,,cash_on_delivery,,\n"+
		"#7,,,,,,1,2026-03-01,,nan,,\n"+
		"#8,,\u00a0voided,,,,1,2026-03-01,,C.O.D.,,\n"+
		"#9,,N/A,,,,1,2026-03-01,,codpayment,,\n"+
		"#9,,voided,,,,,,,,,\n")
	payments := []domain.Payment{domain.PaymentCOD, domain.PaymentCOD, domain.PaymentCOD, domain.PaymentUnknown, domain.PaymentManual, domain.PaymentCOD, domain.PaymentBlank, domain.PaymentCOD, domain.PaymentCOD}
	for i, want := range payments {
		require.Equal(t, want, orders.At(i).Payment, "order %d", i+1)
	}
	for _, voided := range []int{0, 7, 8} {
		require.Equal(t, domain.FinancialVoided, orders.At(voided).Financial)
	}
	require.Equal(t, domain.FinancialPartlyPaid, orders.At(1).Financial)
	require.Equal(t, domain.FinancialOther, orders.At(2).Financial)
	require.Equal(t, "restocked", orders.At(0).Status())
	require.Equal(t, "cancelled", orders.At(1).Status())
	require.Equal(t, "partial", orders.At(2).Status())
	require.Equal(t, "unfulfilled", orders.At(3).Status())
}

func TestNames(t *testing.T) {
	orders := mustRead(t, "Name,Total,Created at\n'#1001,1,2026-03-01\n\"=\"\"#1002\"\"\",1,2026-03-01\nSDA-1001-2026,1,2026-03-01\n1001ord,1,2026-03-01\n1001ORD,1,2026-03-01\nTotal,5,\n,,\n")
	var names []string
	for i := range orders.Len() {
		names = append(names, string(orders.At(i).Name))
	}
	require.Equal(t, []string{"#1001", "#1002", "SDA-1001-2026", "1001ord"}, names, "case does not tell orders apart, and a sum is no order")
}

// TestMonthFirst is about a column that only makes sense month first: it is
// read again from the top, and columns that can be read both ways are read like it.
func TestMonthFirst(t *testing.T) {
	orders := mustRead(t, "Name,Total,Created at,Fulfilled at\n#1,5,03/02/2026,03/02/2026\n#1,,,\n#2,6,03/15/2026,04/02/2026\n")
	require.Equal(t, 2, orders.Len())
	require.Equal(t, 3, orders.Rows)
	require.Equal(t, day(time.March, 2), orders.At(0).CreatedOn)
	require.Equal(t, day(time.March, 15), orders.At(1).CreatedOn)
	require.Equal(t, day(time.March, 2), orders.At(0).FulfilledOn)
	orders = mustRead(t, "Name,Total,Created at,Fulfilled at\n#1,5,03/02/2026,03/02/2026\n#2,6,03/15/2026,14/02/2026\n")
	require.Equal(t, day(time.February, 3), orders.At(0).FulfilledOn, "another column stays day first if one of its dates can only be read so")

	requireFault(t, "Name,Total,Created at\n#1,5,03/15/2026\n#2,5,15/03/2026\n", domain.FileError{Rule: domain.RuleMonthFirst, Line: 2, Column: "Created at", Value: "03/15/2026"}) // a column cannot be both
}

// numbers is a cell of n tracking numbers.
func numbers(n int) string {
	var cell strings.Builder
	for i := range n {
		fmt.Fprintf(&cell, "A%d;", i)
	}
	return cell.String()
}

func TestExportsThatCannotBeRead(t *testing.T) {
	const tracking = "Fulfillment: Tracking Number"
	const slips = "Name,Total,Created at,Paid at,Fulfilled at,Cancelled at\n"
	const likes = "Name,Total,Created at,Outstanding Balance,Fulfilled at\n"
	for name, c := range map[string]struct {
		text string
		want domain.FileError
	}{
		"amount":         {header + "#1,,,,,,12x,2026-03-01,,,,\n", domain.FileError{Rule: domain.RuleAmount, Line: 2, Column: "Total", Value: "12x"}},
		"balance":        {header + "#1,,,,,,12,2026-03-01,,,1.2.3,\n", domain.FileError{Rule: domain.RuleAmount, Line: 2, Column: "Outstanding Balance", Value: "1.2.3"}},
		"date":           {header + "#1,,,,,,12,soon,,,,\n", domain.FileError{Rule: domain.RuleDate, Line: 2, Column: "Created at", Value: "soon"}},
		"cancelled":      {header + "#1,,,,,,12,2026-03-01,yes,,,\n", domain.FileError{Rule: domain.RuleDate, Line: 2, Column: "Cancelled at", Value: "yes"}},
		"no such day":    {header + "#1,,,,,,12,2026-02-30,,,,\n", domain.FileError{Rule: domain.RuleDate, Line: 2, Column: "Created at", Value: "2026-02-30"}},
		"no name":        {header + ",,,,,,12,2026-03-01,,,,\n", domain.FileError{Rule: domain.RuleNoName, Line: 2, Column: "Name"}},
		"a dash as name": {header + "-,,,,,,12,2026-03-01,,,,\n", domain.FileError{Rule: domain.RuleNoName, Line: 2, Column: "Name", Value: "-"}},
		"NA as name":     {header + "NA,,,,,,12,2026-03-01,,,,\n", domain.FileError{Rule: domain.RuleNoName, Line: 2, Column: "Name", Value: "NA"}},
		"too many AWBs":  {header + "#1,,,,,,12,2026-03-01,,,," + numbers(verdict.MaxAWBs+1) + "\n", domain.FileError{Rule: domain.RuleTrackingNumbers, Line: 2, Column: tracking, Value: domain.Shortened(numbers(99)), Limit: verdict.MaxAWBs}},
		"control signs":  {"Na\x1b[31mme,Total,Created at\n#1,2,2026-03-01\n", domain.FileError{Rule: domain.RuleNoColumn, Line: 1, NoHeader: true, LookedFor: [][]string{{"Name"}}, Found: []string{"Na\x1b[31mme", "Total", "Created at"}}},
		"no orders":      {header, domain.FileError{Rule: domain.RuleNoOrders}},
		"only a sum":     {header + "Total,,,,,,12,2026-03-01,,,,\n", domain.FileError{Rule: domain.RuleNoOrders}},
		"no dates":       {header + "#1,,,,,,12,,,,,\n", domain.FileError{Rule: domain.RuleNoDates}},
		"no Total":       {"Name,Created at,Email\n#1,2026-03-01,x\n", domain.FileError{Rule: domain.RuleNoColumn, Line: 1, NoHeader: true, LookedFor: [][]string{{"Total"}}, Found: []string{"Name", "Created at", "Email"}}},
		"no Name":        {"Order,Total,Created at\n#1,2,2026-03-01\n", domain.FileError{Rule: domain.RuleNoColumn, Line: 1, NoHeader: true, LookedFor: [][]string{{"Name"}}, Found: []string{"Order", "Total", "Created at"}}},
		"no date column": {"Name,Total\n#1,2\n", domain.FileError{Rule: domain.RuleNoColumn, Line: 1, NoHeader: true, LookedFor: [][]string{{"Created at", "Paid at", "Fulfilled at"}}, Found: []string{"Name", "Total"}}},
		"a column twice": {"Name,Total,Created at,total\n#1,2,2026-03-01,3\n", domain.FileError{Rule: domain.RuleColumnTwice, Column: "Total", Candidates: []domain.Candidate{{Place: 2}, {Place: 4}}}},
		"a workbook":     {"PK\x03\x04", domain.FileError{Rule: domain.RuleWorkbook}},
		"a binary value": {header + "#1,,,,,," + strings.Repeat("z", 500) + ",2026-03-01,,,,\n", domain.FileError{Rule: domain.RuleAmount, Line: 2, Column: "Total", Value: strings.Repeat("z", 60) + "…"}},

		// One date that would move every order's window.
		"created":                            {slips + "#1,5,2026-03-01,,,\n#2,5,2062-03-02,,,\n#3,5,2026-03-03,,,\n", domain.FileError{Rule: domain.RuleFarDate, Line: 3, Column: "Created at", Value: "2062-03-02"}},
		"created first":                      {slips + "\"#1\n\",5,2062-03-01,,,\n#2,5,2026-03-02,,,\n", domain.FileError{Rule: domain.RuleFarDate, Line: 2, Column: "Created at", Value: "2062-03-01"}},
		"paid":                               {slips + "#1,5,,2026-03-01,,\n#2,5,,2062-03-02,,\n", domain.FileError{Rule: domain.RuleFarDate, Line: 3, Column: "Paid at", Value: "2062-03-02"}},
		"fulfilled":                          {slips + "#1,5,2026-03-01,,2026-03-02,\n\n#2,5,2026-03-02,,02/03/2062,\n", domain.FileError{Rule: domain.RuleFarDate, Line: 4, Column: "Fulfilled at", Value: "02/03/2062"}},
		"a year and more":                    {slips + "#1,5,2026-03-01,,,\n#2,5,2027-03-03,,,\n", domain.FileError{Rule: domain.RuleFarDate, Line: 3, Column: "Created at", Value: "2027-03-03"}},
		"a year":                             {slips + "#1,5,2026-03-01,,,\n#2,5,2027-03-02,,,\n", domain.FileError{}},
		"two far dates that agree":           {slips + "#1,5,2062-03-01,,,\n#2,5,2026-03-02,,,\n#3,5,2062-03-01,,,\n", domain.FileError{}},
		"repeated by the order's rows, once": {slips + "#1,5,2062-03-01,,,\n#1,5,2062-03-01,,,\n#2,5,2026-03-02,,,\n", domain.FileError{Rule: domain.RuleFarDate, Line: 2, Column: "Created at", Value: "2062-03-01"}},
		"one date alone":                     {slips + "#1,5,2062-03-01,,,\n", domain.FileError{}},
		"when orders were cancelled decides nothing": {slips + "#1,5,2026-03-01,,,2026-03-02\n#2,5,2026-03-01,,,2062-03-01\n", domain.FileError{}},

		// More says how many more cells of the column are to be mended.
		"two":                   {likes + "#1,x,2026-03-01,y,\n#2,5,2026-03-01,,\n#3,1.2.3,2026-03-01,,\n", domain.FileError{Rule: domain.RuleAmount, Line: 2, Column: "Total", Value: "x", More: 1}},
		"of other columns":      {likes + "#1,5,2026-03-01,x,\n#2,x,2026-03-01,y,\n#3,5,soon,z,\n", domain.FileError{Rule: domain.RuleAmount, Line: 2, Column: "Outstanding Balance", Value: "x", More: 2}},
		"dates":                 {likes + "#1,5,soon,,\n#2,5,2026-02-30,,\n#2,5,,,\n#4,5,later,,\n#5,5,-,,\n", domain.FileError{Rule: domain.RuleDate, Line: 2, Column: "Created at", Value: "soon", More: 2}},
		"a later row's":         {likes + "#1,5,2026-03-01,,\n#1,,soon,,\n", domain.FileError{Rule: domain.RuleDate, Line: 3, Column: "Created at", Value: "soon"}},
		"mixed":                 {likes + "#1,5,02/13/2026,,\n#2,5,13/02/2026,,\n#3,5,02/14/2026,,\n#4,5,03/04/2026,,\n", domain.FileError{Rule: domain.RuleMonthFirst, Line: 2, Column: "Created at", Value: "02/13/2026", More: 1}},
		"mixed, proof first":    {likes + "#2,5,13/02/2026,,\n#1,5,02/13/2026,,\n", domain.FileError{Rule: domain.RuleMonthFirst, Line: 3, Column: "Created at", Value: "02/13/2026"}},
		"doubts of two columns": {likes + "#1,5,02/13/2026,,02/13/2026\n#2,5,03/04/2026,,13/02/2026\n", domain.FileError{Rule: domain.RuleMonthFirst, Line: 2, Column: "Fulfilled at", Value: "02/13/2026"}},
		"no date among doubts":  {likes + "#1,5,02/13/2026,,\n#2,5,soon,,\n#3,5,later,,\n", domain.FileError{Rule: domain.RuleDate, Line: 3, Column: "Created at", Value: "soon", More: 1}},
		"a repeated header":     {likes + "#1,x,2026-03-01,,\nName,Total,Created at,Outstanding Balance,Fulfilled at\n", domain.FileError{Rule: domain.RuleAmount, Line: 2, Column: "Total", Value: "x"}},
	} {
		t.Run(name, func(t *testing.T) {
			if c.want.Rule == "" {
				mustRead(t, c.text)
				return
			}
			requireFault(t, c.text, c.want)
		})
	}
}

// TestFullExport finds the columns among Shopify's 79, wherever they stand.
func TestFullExport(t *testing.T) {
	var head, row strings.Builder
	for i := range 70 {
		fmt.Fprintf(&head, "Lineitem %d,", i)
		fmt.Fprintf(&row, "\"x, %d\",", i)
	}
	orders := mustRead(t, head.String()+"Total,Name,Canceled at,Created at\n"+row.String()+"12.5,#7,,2026-03-01 00:00:00 UTC\n")
	require.Equal(t, domain.Paise(1250), orders.At(0).Total)
	require.Equal(t, day(time.March, 1), orders.At(0).CreatedOn)
}

// counting counts how often the number of a line is asked for, which takes a look
// at all lines before it.
type counting struct {
	peers.Tables
	asked *int
}

type countingTable struct {
	peers.Table
	asked *int
}

type countingRows struct {
	peers.Rows
	asked *int
}

func (c counting) Open(file domain.File, content ports.Content, recognise func([][]byte) (bool, error), missing func(int, [][]byte) error) (peers.Table, error) {
	t, err := c.Tables.Open(file, content, recognise, missing)
	return countingTable{t, c.asked}, err
}

func (c countingTable) Rows(columns []int) peers.Rows {
	return countingRows{c.Table.Rows(columns), c.asked}
}

func (c countingRows) Line() int {
	*c.asked++
	return c.Rows.Line()
}

// TestOtherExportsAreTold holds by which headers exports are told from reports, and that one in
// doubt is none.
func TestOtherExportsAreTold(t *testing.T) {
	r := storefront.New(table.New())
	for header, want := range map[string]ports.Exported{
		"Name,Email,Financial Status,Paid at,Fulfillment Status,Fulfilled at,Accepts Marketing,Currency,Subtotal,Total,Lineitem name":                              ports.ExportedOrders,
		"Order Number,Order Status,Customer Note,First Name (Billing),Payment Method Title,Cart Discount Amount,Order Subtotal Amount,Shipping Method Title":       ports.ExportedOrders,
		"Customer ID,First Name,Last Name,Email,Accepts Email Marketing,Default Address Company,Default Address City,Phone,Total Spent,Total Orders,Note,Tags,Odd": ports.ExportedCustomers,
		"Name,E-Mail,Phone":                ports.ExportedCustomers,
		"Customer Name,Mobile,City,,State": ports.ExportedCustomers,
		"Handle,Title,Body (HTML),Vendor,Type,Tags,Published,Variant SKU,Variant Price": ports.ExportedProducts,

		// Reports of couriers, whose own columns nobody knows.
		"Docket,Order ID,Customer Name,Phone,Address,City,State,Pincode,Amt,Paid On": ports.ExportedNothing,
		"Customer Name,Phone,Address,City,State,Pincode,Docket":                      ports.ExportedNothing,
		"Customer Name,Phone,Address,City,State,Pincode,COD Expected":                ports.ExportedNothing,
		"Customer Name,Phone,Address,City,State,Pincode,Net Rs.":                     ports.ExportedNothing,
		"Customer Name,Phone,Address,City,State,Pincode,₹":                           ports.ExportedNothing,
		"Customer Name,Phone,Address,City,State,Pincode,राशि,तिथि,संख्या":            ports.ExportedNothing,
		"Name,Mobile,City,पार्सल संख्या,राशि,भुगतान तिथि":                            ports.ExportedNothing,
		"Customer Name,Phone,Address,City,State,Pincode,Zip Code,Source":             ports.ExportedCustomers,

		"Email,Foo,Bar":                ports.ExportedNothing,
		"Email,Name,Foo":               ports.ExportedNothing,
		"Name,City,State":              ports.ExportedNothing,
		"Email,Phone":                  ports.ExportedNothing,
		"Name,Total,Created at":        ports.ExportedNothing,
		"AWB,COD Amount,Remitted Date": ports.ExportedNothing,
		"":                             ports.ExportedNothing,
	} {
		require.Equal(t, want, r.Exported(strings.Split(header, ",")), header)
	}
}

// TestExportsAsWorkbooks reads an export that a shop has opened in a spreadsheet and saved
// as a workbook, with dates as numbers of days, and refuses an error cell.
func TestExportsAsWorkbooks(t *testing.T) {
	book := excelize.NewFile()
	set := func(cell string, value any) { require.NoError(t, book.SetCellValue("Sheet1", cell, value)) }
	for i, name := range []string{"Name", "Total", "Created at", "Tracking Number"} {
		set(string(rune('A'+i))+"1", name)
	}
	set("A2", "#1001")
	set("B2", 1499.5)
	set("C2", time.Date(2026, 3, 5, 10, 11, 12, 0, time.UTC))
	set("D2", 190407608689312)
	set("A3", 1002)
	set("C3", time.Date(2026, 3, 6, 0, 0, 0, 0, time.UTC))
	set("D3", "0098765432101")
	_, err := book.NewSheet("Notes")
	require.NoError(t, err)
	read := func(total string) (*verdict.Orders, error) {
		set("B3", total)
		var content bytes.Buffer
		require.NoError(t, book.Write(&content))
		var orders verdict.Orders
		orders.Reset()
		return &orders, storefront.New(table.New()).Orders(ports.Content{Bytes: content.Bytes(), Workbook: true}).Read(&orders)
	}
	orders, err := read("250")
	require.NoError(t, err)
	require.Equal(t, 2, orders.Len())
	_, err = read("#VALUE!")
	require.Equal(t, &domain.FileError{File: domain.StorefrontFile, Rule: domain.RuleAmount, Sheet: "Sheet1", Line: 3, Column: "Total", Value: "#VALUE!"}, err)
}

// An export may name the carrier in several columns, of which one app fills in what
// another leaves blank. The first cell of an order that is not blank holds.
func TestCarriersOfAnExport(t *testing.T) {
	const dated = ",2026-03-01 10:00:00 +0530,100,"
	for _, column := range []string{"Tracking Company", "Shipping Carrier", "Courier", "Courier Name", "Fulfillment: Tracking Company"} {
		orders := mustRead(t, "Name,Created at,Total,"+column+"\n#1"+dated+"Delhivery\n#2"+dated+"\n#2,,,DTDC\n#2,,,Delhivery\n#3"+dated+"N/A\n")
		require.Equal(t, "Delhivery", string(orders.Text(orders.At(0).Carrier)), column)
		require.Equal(t, "DTDC", string(orders.Text(orders.At(1).Carrier)), column)
		require.Zero(t, orders.At(2).Carrier, column)
	}
	orders := mustRead(t, "Name,Created at,Total,Courier,Tracking Company\n#1"+dated+",Delhivery\n#2"+dated+"DTDC,Delhivery\n")
	require.Equal(t, "Delhivery", string(orders.Text(orders.At(0).Carrier)))
	require.Equal(t, "DTDC", string(orders.Text(orders.At(1).Carrier)))
}

// The carriers of many orders are one text.
func TestCarriersAreSharedTexts(t *testing.T) {
	orders := mustRead(t, "Name,Created at,Total,Courier\n#1,2026-03-01,100,Delhivery\n#2,2026-03-01,100,Delhivery\n")
	require.Equal(t, orders.At(0).Carrier, orders.At(1).Carrier)
}
