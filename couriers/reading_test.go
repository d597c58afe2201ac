package couriers_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"milaan/adapters/storefront"
	"milaan/adapters/table"
	"milaan/couriers"
	"milaan/domain"
	"milaan/domain/verdict"
	"milaan/ports"
	"milaan/tests/only"
)

// export makes the orders of an export from the names and AWBs of its orders,
// each as name or name=AWB, all of 1 March 2026.
func export(t *testing.T, orders ...string) func() *verdict.Orders {
	t.Helper()
	text := "Name,Total,Created at,Tracking Number\n"
	for _, order := range orders {
		name, awb, _ := strings.Cut(order, "=")
		text += name + ",100,2026-03-01," + awb + "\n"
	}
	var read verdict.Orders
	read.Reset()
	require.NoError(t, storefront.New(table.New()).Orders(ports.Content{Bytes: []byte(text)}).Read(&read))
	return func() *verdict.Orders { return &read }
}

// unasked fails the test if the export is waited for.
func unasked(t *testing.T) func() *verdict.Orders {
	return func() *verdict.Orders {
		t.Error("the export is waited for, although the report says it all")
		return nil
	}
}

func readReport(text string, orders func() *verdict.Orders) (*verdict.Remittances, domain.Mapping, error) {
	return readAs(ports.MappingChoice{}, text, orders)
}

func readAs(choice ports.MappingChoice, text string, orders func() *verdict.Orders) (*verdict.Remittances, domain.Mapping, error) {
	var lines verdict.Remittances
	mapping, err := couriers.New(table.New()).Remittances(ports.Content{Bytes: []byte(text)}, choice).Read(orders, &lines)
	return &lines, mapping, err
}

func mustRead(t *testing.T, text string, orders func() *verdict.Orders) *verdict.Remittances {
	t.Helper()
	lines, _ := only.Both(readReport(text, orders))(t)
	return lines
}

// TestNamesOfWhatWasPaidOut: a net amount that is not known as one would leave the gross amount, and all of it would count as paid.
func TestNamesOfWhatWasPaidOut(t *testing.T) {
	for _, name := range []string{"Remitted Amt.", "Net Remittance Amount", "COD Remitted Amount", "Net Paid", "Amt Paid", "Net Settlement Amount", "Net Payout Amount", "Amount Disbursed", "Remitted Amount (Rs.)", "Net Payable (INR)", "Net Amount in Rs"} {
		line := mustRead(t, "AWB,COD Amount,"+name+",Remittance Date\nA1,100,90,2026-03-05\n", noOrders).At(0)
		require.Equal(t, []domain.Paise{100_00, 90_00}, []domain.Paise{line.Collected, line.Remitted}, name)
	}
	// One that may be the gross amount that is remitted later leaves an older name its place.
	line := mustRead(t, "AWB,COD Amount,COD Remitted Amount,Net Payable,Remittance Date\nA1,100,100,90,2026-03-05\n", noOrders).At(0)
	require.Equal(t, domain.Paise(90_00), line.Remitted)
	// A name with a unit means what it means without.
	line = mustRead(t, "AWB,Order Value (Rs.),Net Payable (Rs),Remittance Date\nA1,100,90,\n", noOrders).At(0)
	require.Equal(t, []domain.Paise{100_00, 0, 0}, []domain.Paise{line.Listed, line.Collected, line.Remitted})
}

func TestAmountsOfALine(t *testing.T) {
	const gross, net, both = "AWB,COD Amount,Remittance Date,Remittance Status,Status\n", "AWB,Remitted Amount,Remittance Date,Remittance Status,Status\n",
		"AWB,COD Amount,Remitted Amount,Remittance Date,Remittance Status,Status\n"
	for _, c := range []struct {
		what string
		text string
		want verdict.Remittance
	}{
		{"dated and without a status is paid", gross + "A1,100,2026-03-05,,", verdict.Remittance{Listed: 10000, Collected: 10000, Remitted: 10000}},
		{"paid by its status", gross + "A1,100,2026-03-05,Remitted,", verdict.Remittance{Listed: 10000, Collected: 10000, Remitted: 10000}},
		{"a date that is still to come", gross + "A1,100,Pending,,", verdict.Remittance{Listed: 10000, Collected: 10000}},
		{"undated is not paid", gross + "A1,100,,Remitted,", verdict.Remittance{Listed: 10000, Collected: 10000}},
		{"not remitted", gross + "A1,100,2026-03-05,Not Remitted,", verdict.Remittance{Listed: 10000, Collected: 10000}},
		{"taken back, and yet unpaid", gross + "A1,-100,2026-03-05,Reversed,", verdict.Remittance{Listed: -10000, Collected: -10000}},
		{"no money hangs on an unknown status of an undated line", gross + "A1,100,,Partially remitted,", verdict.Remittance{Listed: 10000, Collected: 10000}},
		{"nor on that of an undated line's NA", gross + "A1,100,,NA,", verdict.Remittance{Listed: 10000, Collected: 10000}},
		{"NA beside net changes nothing", net + "A1,90,,N/A,", verdict.Remittance{Stated: 9000, Collected: 9000, Remitted: 9000, HasRemitted: true}},
		{"a line in place of a status is blank", gross + "A1,100,2026-03-05,---,", verdict.Remittance{Listed: 10000, Collected: 10000, Remitted: 10000}},
		{"nor on that of nothing", gross + "A1,0,2026-03-05,Partially remitted,", verdict.Remittance{}},
		{"net", net + "A1,90,2026-03-05,,", verdict.Remittance{Stated: 9000, Collected: 9000, Remitted: 9000, HasRemitted: true}},
		{"net proves payment without a date", net + "A1,90,,,", verdict.Remittance{Stated: 9000, Collected: 9000, Remitted: 9000, HasRemitted: true}},
		{"net, but unpaid", net + "A1,90,2026-03-05,Pending,", verdict.Remittance{Stated: 9000, HasRemitted: true}},
		{"what is taken back counts whatever the status", net + "A1,-90,2026-03-05,Pending,", verdict.Remittance{Stated: -9000, Collected: -9000, Remitted: -9000, HasRemitted: true}},
		{"an unknown status beside net changes nothing", net + "A1,90,,Partially Remitted,", verdict.Remittance{Stated: 9000, Collected: 9000, Remitted: 9000, HasRemitted: true}},
		{"both", both + "A1,100,90,2026-03-05,,", verdict.Remittance{Listed: 10000, Stated: 9000, Collected: 10000, Remitted: 9000, HasRemitted: true}},
		{"both, unpaid: what was collected stays", both + "A1,100,90,2026-03-05,On hold,", verdict.Remittance{Listed: 10000, Stated: 9000, Collected: 10000, HasRemitted: true}},
		{"payable with a date", "AWB,Amount Payable,Remittance Date\nA1,90,2026-03-05", verdict.Remittance{Stated: 9000, Collected: 9000, Remitted: 9000, HasRemitted: true}},
		{"payable, and the date is blank", "AWB,Net_Payable,Remittance Date\nA1,90,", verdict.Remittance{Stated: 9000, HasRemitted: true}},
		{"remittable, and the date is blank", "AWB,Remittable Amount (INR),UTR Date\nA1,90,", verdict.Remittance{Stated: 9000, HasRemitted: true}},
		{"payable taken back, and the date is blank", "AWB,Payable,Remittance Date\nA1,-90,-", verdict.Remittance{Stated: -9000, HasRemitted: true}},
		{"payable where the file has no dates", "AWB,Final Payable Amount\nA1,90", verdict.Remittance{Stated: 9000, Collected: 9000, Remitted: 9000, HasRemitted: true}},
		{"to be collected, and remitted", "AWB,Order Value,Remittance Date\nA1,100,2026-03-05", verdict.Remittance{Listed: 10000, Collected: 10000, Remitted: 10000, ToBeCollected: true}},
		{"to be collected, and not remitted", "AWB,Order Value,Remittance Date\nA1,100,", verdict.Remittance{Listed: 10000, ToBeCollected: true}},
		{"to be collected, and less was remitted", "AWB,Price,Remitted Amount\nA1,100,90", verdict.Remittance{Listed: 10000, Stated: 9000, Collected: 10000, Remitted: 9000, ToBeCollected: true, HasRemitted: true}},
		{"to be collected, and taken back", "AWB,Price,Remittance Date\nA1,-100,2026-03-05", verdict.Remittance{Listed: -10000, Collected: -10000, Remitted: -10000, ToBeCollected: true}},
		{"to be collected, and nothing but a charge", "AWB,Price,Remitted Amount\nA1,100,-40", verdict.Remittance{Listed: 10000, Stated: -4000, Remitted: -4000, ToBeCollected: true, HasRemitted: true}},
		{"returned", gross + "A1,100,,,RTO_DELIVERED", verdict.Remittance{Listed: 10000, Collected: 10000, HasStatus: true, Returned: true}},
		{"never left", gross + "A1,100,,,Pickup scheduled", verdict.Remittance{Listed: 10000, Collected: 10000, HasStatus: true, NeverLeft: true}},
		{"no status", gross + "A1,100,,,N/A", verdict.Remittance{Listed: 10000, Collected: 10000}},
	} {
		t.Run(c.what, func(t *testing.T) {
			lines := mustRead(t, c.text, unasked(t))
			require.Equal(t, 1, lines.Len())
			require.Empty(t, lines.Warnings)
			got := *lines.At(0)
			if got.HasStatus {
				require.NotEmpty(t, lines.Status(got.Status).Text)
			} else {
				require.Zero(t, got.Status)
			}
			require.EqualValues(t, 2, got.Line)
			got.AWB, got.RemittedOn, got.Status, got.MoneyStatus, got.Line = nil, 0, 0, 0, 0
			require.Equal(t, c.want, got)
		})
	}
}

func TestColumnsOfWhatWasToBeCollected(t *testing.T) {
	for header, want := range map[string]bool{
		"Collectable Amount": true, "COD Payable Amount": true, "COD Payble Amount": true, "COD Value": true, "Order Value": true, "ORDER_AMOUNT": true,
		"Total Order Amount": true, "Order Total": true, "Invoice Value": true, "Invoice Amount": true, "Product Value": true, "price*": true,
		"COD Amount": false, "Total Amount": false, "COD Collected": false, "COD Amount (INR)": false, "Collected Amount": false, "Gross Amount": false, "Amount": false,
	} {
		lines := mustRead(t, "AWB Number,"+header+",Remittance Date\nA1,100,\n", unasked(t))
		require.Equal(t, want, lines.At(0).ToBeCollected, header)
		require.Equal(t, want, lines.At(0).Collected == 0, header)
	}
}

func TestStatusesAreKept(t *testing.T) {
	lines := mustRead(t, "AWB,COD Amount,Remittance Date,Remittance Status,Status\nA1,1,,Initiated,Delivered\nA2,1,,Initiated,\nA3,1,,,RTO\nA4,1,,Pending,Delivered\n", unasked(t))
	var got []string
	for i := range lines.Len() {
		line := lines.At(i)
		got = append(got, fmt.Sprintf("%s|%s", lines.Status(line.MoneyStatus).Text, lines.Status(line.Status).Text))
	}
	require.Equal(t, []string{"Initiated|Delivered", "Initiated|", "|RTO", "Pending|Delivered"}, got)
	require.Equal(t, lines.At(0).Status, lines.At(3).Status)
}

// TestLinesThatAreNoParcels tells footers, notes, headers and money without a
// name from parcels.
func TestLinesThatAreNoParcels(t *testing.T) {
	const head = "AWB No,Order ID,COD Amount,Remittance Date,Remarks\n"
	const parcel = "A1,#1,100,2026-03-05,\n"
	for _, c := range []struct {
		what   string
		line   string
		orders []string
		want   string // ids of the lines read besides A1, or how many are unidentified
	}{
		{what: "separators", line: "----,====,***,___,..."},
		{what: "a footer", line: "Total,,100,,"},
		{what: "a footer with a colon", line: "Grand Total :,,100,,"},
		{what: "a footer beside a count", line: "Total,1,100,,"},
		{what: "a footer as the order id", line: ",UTR Total,100,,"},
		{what: "a footer with a reference", line: "Total for U2,,100,,"},
		{what: "a footer beside an AWB of digits", line: "12345,TOTAL,100,,"},
		{what: "in one word", line: "GrandTotal,,100,,"},
		{what: "a footer elsewhere", line: ",,100,,Sub-total"},
		{what: "a footer beyond the columns read", line: ",,,,Total 100"},
		{what: "a note", line: "* Amounts in INR,,,,"},
		{what: "a note with an amount that is none", line: "Note,,see above,,"},
		{what: "a note with a date that is none", line: "End of report,,,n/a yet,"},
		{what: "money without a name", line: ",,50,2026-03-05,", want: "1 of ₹50"},
		{what: "money beside a note", line: "misc,,50,2026-03-05,", want: "1 of ₹50"},
		{what: "money taken back without a name", line: ",,-50,,", want: "1 of -₹50"},
		{what: "a blank id beside one", line: "N/A,#2,50,2026-03-05,", want: "/2"},
		{what: "a note beside an id", line: "self,#2,50,2026-03-05,", want: "/2"},
		{what: "an AWB without a digit that the export bears", line: "ABCDEF,,50,2026-03-05,", orders: []string{"#1=ABCDEF"}, want: "ABCDEF/"},
		{what: "an order without a digit that the export knows", line: ",alpha,50,2026-03-05,", orders: []string{"#ALPHA"}, want: "/alpha"},
		{what: "and its clone", line: ",alpha-C,50,2026-03-05,", orders: []string{"ALPHA"}, want: "/alpha-C"},
		{what: "an order whose name is a total", line: "A2,Total-7,50,2026-03-05,", orders: []string{"TOTAL-7"}, want: "A2/Total-7"},
		{what: "the same, of no order", line: "A2,Total-7,50,2026-03-05,"},
		{what: "total within a word", line: "A2,Totally1,50,2026-03-05,", want: "A2/Totally1"},
		{what: "the header again", line: "AWB No,Order ID,COD Amount,Remittance Date,Remarks"},
		{what: "the header again, written otherwise", line: "AWB NO.,order_id,COD AMOUNT,Remittance Date,Remarks"},
	} {
		t.Run(c.what, func(t *testing.T) {
			lines := mustRead(t, head+c.line+"\n"+parcel+c.line+"\n", export(t, append([]string{"#9"}, c.orders...)...))
			var ids []string
			for i := range lines.Len() {
				if line := lines.At(i); string(line.AWB) != "A1" {
					ids = append(ids, string(line.AWB)+"/"+string(line.OrderID))
				}
			}
			for _, w := range lines.Warnings {
				if w.Code == domain.WarnUnidentifiedMoney {
					require.True(t, w.HasAmount)
					require.Equal(t, 2, w.Count)
					ids = append(ids, fmt.Sprintf("1 of %s", w.Amount/2), "")
				}
			}
			if c.want == "" {
				require.Empty(t, ids)
				return
			}
			require.Len(t, ids, 2)
			require.Equal(t, c.want, ids[0])
		})
	}
}

// TestOrdinaryLinesDoNotWait reads what nearly every report has without a look at
// the export.
func TestOrdinaryLinesDoNotWait(t *testing.T) {
	lines := mustRead(t, "AWB No,Order ID,COD Amount,Remittance Date\nSF26T1,#T-1,1,15-03-2026\n1.9E+13,,1,15-03-2026\n,1001-C,1,\n-,1,1,\nNA,2.0,1,\n,,,\n", unasked(t))
	require.Equal(t, 5, lines.Len())
	require.Empty(t, lines.Warnings)
}

func TestTwoReportsInOneFile(t *testing.T) {
	const first = "AWB No,COD Amount,Remittance Date\nA1,100,2026-03-05\n"
	for what, second := range map[string]string{
		"another order of columns": "COD Amount,AWB No,Remittance Date\n",
		"narrower":                 "Waybill Number,Amount Payable\n",
		"wider":                    "AWB Number,Order ID,COD Amount,Remittance Date,UTR\n",
		"much wider":               "AWB Number,Order ID,COD Amount,Remittance Date,UTR" + strings.Repeat(",x", 100) + "\n",
		"more of the same":         "AWB No,COD Amount,Remittance Date,UTR\n",
		"quoted":                   "\"Tracking ID\",\"Price\",\"Paid On\"\n",
	} {
		_, _, err := readReport(first+"\n"+second+"A2,1,1,\n", noOrders)
		e, _ := errors.AsType[*domain.FileError](err)
		require.NotNil(t, e, what)
		require.Equal(t, []any{domain.CourierFile, domain.RuleSecondHeader, 4}, []any{e.File, e.Rule, e.Line}, what)
		if what == "narrower" {
			require.Equal(t, []string{"Waybill Number", "Amount Payable"}, e.Found)
		}
	}
}

// TestATableOfAnotherKindBelow has a table of parcels in which nothing is paid out.
func TestATableOfAnotherKindBelow(t *testing.T) {
	const first = "AWB No,Order ID,COD Amount,Remitted Amount,Remittance Date,UTR\nA1,#1,100,100,2026-03-05,U1\n"
	for _, c := range []struct{ what, header, line string }{
		{"charges", "AWB No,Order ID,RTO Charges,Total Amount", "A2,#2,60,70.80"},
		{"charges with a rate", "AWB No,RTO Charges,GST @18%", "A2,60,10.80"},
		{"weights", "AWB,Order,Old freight,New freight", "A2,#2,60,80"},
		{"claims, numbered", "Sr.,Waybill,Claim approved", "1,A2,500"},
		{"claims by order", ",Order ID,,Claim approved", ",#2,,500"},
		{"below an empty one", "AWB No,RTO Charges\nAWB No,Claim approved", "A2,500"},
		{"a courier's own name", "Airwaybill Number,Lost on", "A2,2026-03-05"},
	} {
		_, _, err := readReport(first+",,,,,\nAnother table,,,,,\n"+c.header+"\n"+c.line+"\n", noOrders)
		e, _ := errors.AsType[*domain.FileError](err)
		require.NotNil(t, e, c.what)
		last := c.header[strings.LastIndex(c.header, "\n")+1:]
		require.Equal(t, []any{domain.CourierFile, domain.RuleSecondHeader, 5 + strings.Count(c.header, "\n")}, []any{e.File, e.Rule, e.Line}, c.what)
		require.Equal(t, strings.Split(last, ","), e.Found, c.what)

		lines := mustRead(t, first+c.header+"\nTotal,,0,0,,\n", noOrders)
		require.Equal(t, 1, lines.Len(), "an empty table: "+c.what)
	}
	for what, line := range map[string]string{
		"the header again, in part":  "AWB NO,Order Id,,,,",
		"a payment's reference":      "Reference No,NEFT of the bank,,,,",
		"a value beside its name":    "AWB,,,,,U7",
		"a name alone":               "AWB,,,,,",
		"the header in other words":  "AWB Number,Order No,COD Amt,Remitted rupees,Paid on,UTR No",
		"a section":                  "Waybill,COD,,,,",
		"words of a note":            "AWB missing,order cancelled,,,,",
		"a footer":                   "AWB Total,Order Total,100,100,,",
		"the header after another's": "AWB No,Order ID,RTO Charges\nAWB No,Order ID,COD Amount,Remitted Amount,Remittance Date,UTR",
		"the same, in other letters": "AWB No,Order ID,RTO Charges\nAWB NO.,ORDER ID,COD amount,Remitted Amount,Remittance Date,UTR",
	} {
		lines := mustRead(t, first+line+"\nA2,#2,100,100,2026-03-05,U1\n", noOrders)
		require.Equal(t, 2, lines.Len(), what)
	}
	const charged = "AWB No,COD Amount,Freight,Remittance Date\n"
	for what, text := range map[string]string{
		"charges of the report's own": charged + "A1,100,9,2026-03-05\nAWB Number,COD Amt,Freight Charges,Paid on\nA2,100,9,2026-03-05\n",
		"a second line of the header": charged + "Waybill,INR,Freight (INR),DD-MM-YYYY\nA1,100,9,2026-03-05\nA2,100,9,2026-03-05\n",
	} {
		require.Equal(t, 2, mustRead(t, text, noOrders).Len(), what)
	}
}

// TestATableBeside has columns behind a blank one that may be of the lines or of another table.
func TestATableBeside(t *testing.T) {
	const gross, net = "AWB No,Order ID,COD Amount,Remittance Date,,", "AWB No,Order ID,Remitted Amount,,"
	line := func(i int, cells string) string { return fmt.Sprintf("A%d,#%d,100,2026-03-05,,%s\n", i, i, cells) }
	pending := func(i int, cells string) string { return fmt.Sprintf("A%d,#%d,100,Pending,,%s\n", i, i, cells) }
	for _, c := range []struct {
		what, text string
		line       int // of the error
		column     string
	}{
		{"a summary", gross + "Particulars,Amount Payable\n" + line(1, "COD,300") + line(2, "Freight,-30") + line(3, ","), 4, "Amount Payable"},
		{"of one line", gross + "Net Payable\n" + line(1, "270") + line(2, "") + line(3, ""), 3, "Net Payable"},
		{"with a gap", gross + "Particulars,Amount Payable\n" + line(1, "COD,300") + line(2, ",") + line(3, "Net,270") +
			line(4, ",") + line(5, ",") + line(6, ",") + line(7, ","), 5, "Amount Payable"},
		{"of statuses", gross + "Status,Parcels\n" + line(1, "RTO,1") + line(2, "Delivered,2") + pending(3, ",") + line(4, ","), 0, ""},
		{"of UTRs beside net amounts", net + "UTR,Sum\nA1,#1,90,,U1,90\nA2,#2,0,,,\nA3,#3,90,,,\n", 0, ""},
		{"a UTR that is merged over the lines", gross + "UTR\n" + line(1, "U1") + line(2, "") + line(3, ""), 0, ""},
		{"with a second blank column", gross + "Particulars,,Amount Payable\n" + line(1, "COD,,300") + line(2, ",,"), 3, "Amount Payable"},
		{"before the lines", "Particulars,Amount Payable,,AWB No,COD Amount,Remittance Date\nCOD,300,,A1,100,2026-03-05\n,,,A2,100,2026-03-05\n", 3, "Amount Payable"},
		{"which takes a role from the lines", "AWB No,COD Amount,Net Payable,,Particulars,Remitted Amount\nA1,100,90,,COD,300\nA2,100,90,,,\n", 3, "Remitted Amount"},
		{"before the lines, from which it takes a role", "Particulars,Remitted Amount,,AWB No,COD Amount,Net Payable\nCOD,300,,A1,100,90\n,,,A2,100,0\n,,,A3,100,90\n", 4, "Remitted Amount"},
		{"below which is a footer", gross + "Particulars,Amount Payable\n" + line(1, "COD,300") + line(2, ",") + "Total,2,200,,,,300\n", 3, "Amount Payable"},
		{"the same column on all lines", gross + "Amount Payable\n" + line(1, "90") + line(2, "90"), 0, ""},
		{"on paid lines", gross + "Amount Payable,UTR\n" + line(1, "90,U1") + line(2, "90,U1") + pending(3, ",") + pending(4, "NA,-"), 0, ""},
		{"on paid net lines", net + "UTR\nA1,#1,90,,U1\nA2,#2,0,,\n", 0, ""},
		{"on some lines", gross + "Delivered Date\n" + line(1, "2026-03-01") + line(2, "") + line(3, "2026-03-01") + line(4, ""), 0, ""},
		{"on later lines", gross + "Status\n" + line(1, "") + line(2, "RTO") + line(3, ""), 0, ""},
		{"on no line", gross + "Status\n" + line(1, "") + line(2, ""), 0, ""},
		{"beside what is no report by itself", "AWB No,,COD Amount,,Remittance Date\nA1,,100,,2026-03-05\nA2,,100,,\n", 0, ""},
		{"without a role", gross + "Particulars,Rupees\n" + line(1, "COD,300") + line(2, ","), 0, ""},
	} {
		_, _, err := readReport(c.text, noOrders)
		if c.line == 0 {
			require.NoError(t, err, c.what)
			continue
		}
		e, _ := errors.AsType[*domain.FileError](err)
		require.NotNil(t, e, c.what)
		require.Equal(t, []any{domain.CourierFile, domain.RuleSideTable, c.line, c.column}, []any{e.File, e.Rule, e.Line, e.Column}, c.what)
	}
	const text = gross + "Amount Payable\nA1,#1,100,2026-03-05,,90\nA2,#2,100,2026-03-05,,\n"
	saved := mapped(t, "awb", "AWB No", "cod_amount", "COD Amount", "remittance_date", "Remittance Date", "remitted_amount", "Amount Payable")
	for _, choice := range []ports.MappingChoice{{Columns: choose(t, "remitted_amount", "Amount Payable")}, {Saved: &saved}} {
		lines, _, err := readAs(choice, text, noOrders)
		require.NoError(t, err, "a person has named the column")
		require.Equal(t, domain.Paise(9000), lines.At(0).Remitted)
	}
}

// TestManyLinesWithoutIDs is about a file of nothing but lines that might be
// headers: only some are looked at as such.
func TestManyLinesWithoutIDs(t *testing.T) {
	lines := mustRead(t, "AWB No,COD Amount,Remittance Date\n"+strings.Repeat("a,b,c\n", 20_000)+"AWB Number,COD Amount,Remittance Date\nA1,1,\n", noOrders)
	require.Equal(t, 1, lines.Len())
	require.Equal(t, 20_002, lines.Rows)
}

func TestFaultsSayHowManyMore(t *testing.T) {
	const head = "AWB No,COD Amount,Remittance Date,Delivered Date,Remittance Status\n"
	amount, paid, delivered, status := []domain.Role{domain.RoleCODAmount}, []domain.Role{domain.RoleRemittanceDate}, []domain.Role{domain.RoleDeliveredDate}, []domain.Role{domain.RoleRemittanceStatus}
	for _, c := range []struct {
		what, text string
		want       domain.FileError
	}{
		{"one", "A1,12x,,,\nA2,1,,,\n", domain.FileError{Rule: domain.RuleAmount, Line: 2, Column: "COD Amount", Value: "12x", Roles: amount}},
		{"two", "A1,12x,,,\nA2,1,,,\nA3,13x,,,\n", domain.FileError{Rule: domain.RuleAmount, Line: 2, Column: "COD Amount", Value: "12x", Roles: amount, More: 1}},
		{"many, footers and notes aside", "A1,12x,,,\n" + strings.Repeat("A2,y,,,\nTotal,y,,,\n,y,,,\nnote,y,,,\n", 40), domain.FileError{Rule: domain.RuleAmount, Line: 2, Column: "COD Amount", Value: "12x", Roles: amount, More: 40}},
		{"others' faults aside", "A1,12x,,,\nA2,1,soon,,\n", domain.FileError{Rule: domain.RuleAmount, Line: 2, Column: "COD Amount", Value: "12x", Roles: amount}},
		{"dates", "A1,1,soon,,\nA2,1,2026-03-05,x,\nA3,1,later,,\n", domain.FileError{Rule: domain.RuleDate, Line: 2, Column: "Remittance Date", Value: "soon", Roles: paid, More: 1}},
		{"no such day", "A1,1,2026-02-30,,\n", domain.FileError{Rule: domain.RuleDate, Line: 2, Column: "Remittance Date", Value: "2026-02-30", Roles: paid}},
		{"statuses", "A1,1,2026-03-05,,Partially Remitted\nA2,1,2026-03-05,,Paid\nA3,1,2026-03-05,,Paid on due date\nA4,0,2026-03-05,,Maybe\nA5,1,,,Maybe\n",
			domain.FileError{Rule: domain.RuleUnknownStatus, Line: 2, Column: "Remittance Status", Value: "Partially Remitted", Roles: status, More: 1, Amount: 100}},
		{"months first among days first", "A1,1,15/03/2026,,\nA2,1,03/16/2026,,\nA3,1,03/17/2026,,\n",
			domain.FileError{Rule: domain.RuleMonthFirst, Line: 3, Column: "Remittance Date", Value: "03/16/2026", Roles: paid, More: 1}},
		{"days first among months first", "A1,1,03/16/2026,,\nA2,1,03/17/2026,,\nA3,1,15/03/2026,,\n",
			domain.FileError{Rule: domain.RuleMonthFirst, Line: 2, Column: "Remittance Date", Value: "03/16/2026", Roles: paid, More: 1}},
		{"a slip of the pen", "A1,1,2026-03-05,,\nA2,1,2062-03-05,,\nTotal,1,2026-03-06,,\nA3,1,2026-03-06,,\n",
			domain.FileError{Rule: domain.RuleFarDate, Line: 3, Column: "Remittance Date", Value: "2062-03-05", Roles: paid}},
		{"a slip in the other column", "A1,1,2026-03-05,2026-03-01,\n\n\nA2,1,2026-03-05,01-03-2028,\n", domain.FileError{Rule: domain.RuleFarDate, Line: 5, Column: "Delivered Date", Value: "01-03-2028", Roles: delivered}},
	} {
		t.Run(c.what, func(t *testing.T) {
			_, _, err := readReport(head+c.text, noOrders)
			c.want.File = domain.CourierFile
			require.Equal(t, &c.want, err)
		})
	}
	mustRead(t, head+"A1,1,2026-03-05,,\nA2,1,2062-03-05,,\nA3,1,2062-03-05,,\n", noOrders) // two agree
}

func TestDatesThatReadBothWays(t *testing.T) {
	const head = "AWB No,COD Amount,Remittance Date,Delivered Date\n"
	warned := func(column string, dayFirst bool) []domain.Warning {
		return []domain.Warning{{Code: domain.WarnAmbiguousDates, File: domain.CourierFile, Column: column, DayFirst: dayFirst}}
	}
	march, other := domain.DayFromDate(2026, time.March, 6), domain.DayFromDate(2026, time.June, 3)
	for what, c := range map[string]struct {
		rows      string
		remitted  domain.Day // on the first line
		delivered domain.Day
		warnings  []domain.Warning
	}{
		"3 June is too late for orders of 1 March": {"A1,1,03/06/2026,\nA2,1,03/12/2026,\n", march, domain.NoDay, warned("Remittance Date", false)},
		"day first fits":                  {"A1,1,06/03/2026,\n", march, domain.NoDay, nil},
		"nothing tells":                   {"A1,1,03/04/2026,\n", domain.DayFromDate(2026, time.April, 3), domain.NoDay, warned("Remittance Date", true)},
		"the same day both ways":          {"A1,1,04/04/2026,\n", domain.DayFromDate(2026, time.April, 4), domain.NoDay, nil},
		"the other column tells":          {"A1,1,03/06/2026,13/05/2026\n", other, domain.DayFromDate(2026, time.May, 13), nil},
		"the other column tells the same": {"A1,1,06/03/2026,02/27/2026\n", other, domain.DayFromDate(2026, time.February, 27), warned("Remittance Date", false)},
		"each by itself":                  {"A1,1,03/06/2026,05/03/2026\n", march, domain.DayFromDate(2026, time.March, 5), warned("Remittance Date", false)},
		"another form tells nothing":      {"A1,1,03/06/2026,2026-03-05\n", march, domain.DayFromDate(2026, time.March, 5), warned("Remittance Date", false)},
	} {
		lines := mustRead(t, head+c.rows, export(t, "#1"))
		require.Equal(t, c.remitted.String(), lines.At(0).RemittedOn.String(), what)
		require.Equal(t, c.delivered.String(), lines.At(0).DeliveredOn.String(), what)
		require.Equal(t, c.warnings, lines.Warnings, what)
		require.Equal(t, strings.Count(c.rows, "\n"), lines.Len(), "read once")
	}
	lines := mustRead(t, head+"A1,1,03/11/2026,\nA2,1,13/11/2026,\n", unasked(t))
	require.Equal(t, domain.DayFromDate(2026, time.November, 3), lines.At(0).RemittedOn, "one proves the others")
}

func TestColumnsThatCouldBeTheOrderID(t *testing.T) {
	for _, c := range []struct {
		what   string
		text   string
		orders []string
		want   string // the column taken
		better string // the one of the better name, if it is not
	}{
		{"the better name names the orders", "AWB No,Order ID,Reference No,COD Amount,Remittance Date\nA1,#1,77,1,\nA2,#2,78,1,\n", []string{"#1", "#2"}, "Order ID", ""},
		{"the other names more", "AWB No,Order ID,Reference No,COD Amount,Remittance Date\nA1,77,#1,1,\nA2,2,#2,1,\n", []string{"#1", "#2"}, "Reference No", "Order ID"},
		{"as many", "AWB No,Order ID,Reference No,COD Amount,Remittance Date\nA1,1,9,1,\nA2,9,2,1,\n", []string{"#1", "#2"}, "Order ID", ""},
		{"none", "AWB No,Order ID,Reference No,COD Amount,Remittance Date\nA1,7,8,1,\n", []string{"#1", "#2"}, "Order ID", ""},
		{"orders count, not lines", "AWB No,Order ID,Ref No,COD Amount,Remittance Date\nA1,1,7,1,\nA1,2,7,1,\nA1,9,7,1,\n", []string{"#1", "#2", "#7"}, "Order ID", ""},
		{"clones are orders", "AWB No,Order ID,Ref No,COD Amount,Remittance Date\nA1,7,1-C,1,\n", []string{"#1"}, "Ref No", "Order ID"},
		{"a clone is no order of its own", "AWB No,Order ID,Order No,COD Amount,Remittance Date\nA1,1001,1001,1,\nA2,1002,1001-C,1,\nA3,7,1001-c,1,\n",
			[]string{"#1001", "#1002"}, "Order ID", "Order No"},
		{"small letters name the same order", "AWB No,Order ID,Order No,COD Amount,Remittance Date\nA1,so1,so1,1,\nA2,so2,SO1,1,\nA3,7,So1,1,\n",
			[]string{"SO1", "SO2"}, "Order ID", "Order No"},
		{"one of three", "AWB No,Order Name,Order No,Customer Reference,COD Amount,Remittance Date\nA1,x1,x2,1,1,\n", []string{"#1"}, "Customer Reference", "Order Name"},
		{"two of one name are no choice", "AWB No,Order ID,Ref No,Ref No,COD Amount,Remittance Date\nA1,7,1,1,1,\n", []string{"#1"}, "Order ID", ""},
		{"without AWBs", "Order ID,Reference No,COD Amount,Remittance Date\n7,1,1,\n", []string{"#1"}, "Reference No", "Order ID"},
	} {
		t.Run(c.what, func(t *testing.T) {
			lines, mapping := only.Both(readReport(c.text, export(t, c.orders...)))(t)
			require.Equal(t, c.want, mapping[domain.RoleOrderID])
			if c.better == "" {
				require.Empty(t, lines.Warnings)
				return
			}
			require.Equal(t, []domain.Warning{{Code: domain.WarnOrderIDColumn, Column: c.want, OtherColumn: c.better}}, lines.Warnings)
		})
	}

	const text = "AWB No,Order ID,Reference No,COD Amount,Remittance Date\nA1,77,1,1,\n"
	t.Run("a person decides", func(t *testing.T) {
		saved := mapped(t, "awb", "AWB No", "order_id", "Order ID", "cod_amount", "COD Amount", "remittance_date", "Remittance Date")
		for _, choice := range []ports.MappingChoice{{Columns: choose(t, "order_id", "Order ID")}, {Saved: &saved}} {
			lines, mapping := only.Both(readAs(choice, text, unasked(t)))(t)
			require.Equal(t, "Order ID", mapping[domain.RoleOrderID])
			require.Empty(t, lines.Warnings)
		}
		_, mapping := only.Both(readAs(ports.MappingChoice{Columns: choose(t, "awb", "AWB No")}, text, export(t, "#1")))(t)
		require.Equal(t, "Reference No", mapping[domain.RoleOrderID], "who names another column leaves this one to the export")
	})
	t.Run("the export cannot be read", func(t *testing.T) {
		_, mapping := only.Both(readReport(text, noOrders))(t)
		require.Equal(t, "Order ID", mapping[domain.RoleOrderID])
	})
}

func TestFooters(t *testing.T) {
	const head = "AWB No,Order ID,COD Amount,Remitted Amount,Remittance Date,UTR\n"
	const a, b, c, d = "A1,#1,100,90,2026-03-05,U1\n", "A2,#2,200,180,2026-03-06,U1\n", "A3,#3,400,360,2026-03-06,U2\n", "A4,#4,-50,-45,2026-03-07,U2\n"
	for _, x := range []struct {
		what, text string
		want       *domain.Warning
	}{
		{"right", a + b + "Total,,300,270,,\n", nil},
		{"right, and a count", a + b + "Total,2,300,270,,\n", nil},
		{"rounded to rupees", a + "A2,,0.40,0.40,2026-03-05,\nTotal,,100,90,,\n", nil},
		{"the net sum under gross", a + b + "Total,,270,,,\n", nil},
		{"one of the two", a + b + "Total,,,270,,\n", nil},
		{"in an unknown column", a + b + "Total,,,,999,\n", nil},
		{"sections", a + b + "UTR Total,,300,,,\n" + c + "UTR Total,,400,,,\nGrand Total,,700,,,\n", nil},
		{"sections of sections", a + "Sub Total,,100,,,\n" + b + "Sub Total,,200,,,\nTotal,,300,,,\n" + c + "Sub Total,,400,,,\nTotal,,400,,,\nGrand Total,,700,,,\n", nil},
		{"a summary of UTRs at the end", a + c + b + d + "Total for U1,,300,270,,\nTotal for U2,,350,315,,\n", nil},
		{"a summary of days", a + c + b + "Total on 06-Mar-2026,,600,,,\n", nil},
		{"above the lines", "Total,,300,,,\n" + a + b, nil},
		{"reversals aside", a + b + d + "Total,,300,,,\n", nil},
		{"reversals among them", a + b + d + "Total,,250,,,\n", nil},
		{"a line listed twice, summed once", a + b + b + "Total,,300,,,\n", nil},
		{"a line listed twice, summed twice", a + b + b + "Total,3,500,,,\n", nil},
		{"a line listed twice in other letters, summed once", a + b + "a2,#2,200,180,2026-03-06,u1\nTotal,2,300,,,\n", nil},
		{"what may be two parcels is summed twice", "1.5E+13,,100,90,2026-03-05,U1\n1.5E+13,,100,90,2026-03-05,U1\nTotal,,100,,,\n",
			&domain.Warning{Line: 4, Stated: 10000, Amount: 20000, HasAmount: true}},
		{"parcels counted", a + a + b + "Total,2,400,,,\n", nil},
		{"money without a name", a + b + ",,50,45,,\nTotal,,350,,,\n", nil},
		{"of another kind", a + b + "Total deductions,,55,,,\nTotal freight,,-40,,,\nNet payable total,,,230,,\nTDS total,,1,,,\n", nil},
		{"a number that may be a sum", a + b + "Total,300,,,,\n", nil},
		{"a count in words", a + b + "Total AWBs: 2,,300,,,\n", nil},
		{"a sum", a + b + "\nGrand Total :,,350,270,,\n", &domain.Warning{Line: 5, Stated: 35000, Amount: 30000, HasAmount: true}},
		{"the net sum", a + b + "Total,,300,271,,\n", &domain.Warning{Line: 4, Stated: 27100, Amount: 27000, HasAmount: true}},
		{"without ids", a + b + ",,350,,,Total\n", &domain.Warning{Line: 4, Stated: 35000, Amount: 30000, HasAmount: true}},
		{"a section", a + b + "UTR Total,,300,,,\n" + c + "UTR Total,,410,,,\n", &domain.Warning{Line: 6, Stated: 41000, Amount: 40000, HasAmount: true}},
		{"a count", a + b + "Total,3,300,,,\n", &domain.Warning{Line: 4, StatedCount: 3, Count: 2}},
		{"a count in words that differs", a + b + "Total shipments: 14,,300,,,\n", &domain.Warning{Line: 4, StatedCount: 14, Count: 2}},
		{"the first of several", a + "Total,,101.50,,,\n" + b + "Total,,999,,,\n", &domain.Warning{Line: 3, Stated: 10150, Amount: 10000, HasAmount: true}},
		{"a rupee is not rounding", a + "Total,,101,,,\n", &domain.Warning{Line: 3, Stated: 10100, Amount: 10000, HasAmount: true}},
	} {
		t.Run(x.what, func(t *testing.T) {
			var got *domain.Warning
			for _, w := range mustRead(t, head+x.text, noOrders).Warnings {
				if w.Code == domain.WarnFooterDiffers {
					require.Nil(t, got, "one warning")
					got = &w
				}
			}
			if x.want != nil {
				x.want.Code = domain.WarnFooterDiffers
			}
			require.Equal(t, x.want, got)
		})
	}
}

// TestManyFooters is about a file of nothing but footers.
func TestManyFooters(t *testing.T) {
	lines := mustRead(t, "AWB No,COD Amount,Remittance Date\n"+strings.Repeat("A1,1,\nTotal,1,\n", 20_000), noOrders)
	require.Equal(t, 20_000, lines.Len())
	require.Empty(t, lines.Warnings)
}

// FuzzRemittances reads anything below a header: it is read or refused as a
// file, every line has a name, and the footers of a report that repeats itself do
// not matter to its lines.
func FuzzRemittances(f *testing.F) {
	for _, seed := range []string{
		"A1,#1,100,90,05-03-2026,Paid,Delivered\nTotal,1,100,90,,,\n", ",,5,,,,\n----,,,,,,\nnote,,,,,,\n", "AWB No,Order ID,COD Amount,Remitted Amount,Remittance Date,Remittance Status,Status\n",
		"A1,,1,,03/16/2026,,\nA2,,1,,16/03/2026,,\n", "1.9E+13,#1,(5.00),,46067,Not Remitted,R.T.O.\n", " \"A1\" , \"#1\",5\",,,,\n", "AWB,Price,Paid On\n", "A1,1,x\nA2,1,y\n",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, body string) {
		const head = "AWB No,Order ID,COD Amount,Remitted Amount,Remittance Date,Remittance Status,Status\n"
		lines, _, err := readReport(head+body, noOrders)
		if err != nil {
			require.ErrorIs(t, err, domain.ErrFile)
			return
		}
		for i := range lines.Len() {
			line := lines.At(i)
			require.True(t, len(line.AWB) > 0 || len(line.OrderID) > 0)
			require.Equal(t, line.Listed, line.Collected)
			require.Contains(t, []domain.Paise{0, line.Stated}, line.Remitted)
		}
		if again, _, err := readReport(head+"TOTAL,,,,,,\n"+body, noOrders); err == nil {
			require.Equal(t, lines.Len(), again.Len())
		}
	})
}
