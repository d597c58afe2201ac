package couriers_test

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"milaan/adapters/table"
	"milaan/couriers"
	"milaan/domain"
	"milaan/domain/verdict"
	"milaan/ports"
	"milaan/tests/only"
)

// chargesOf are the charges of each line, by the names of their columns.
func chargesOf(lines *verdict.Remittances) (all []map[string]domain.Paise) {
	names := lines.Reports()[0].Charges
	for i := range lines.Len() {
		of := map[string]domain.Paise{}
		for _, c := range lines.ChargesOf(lines.At(i)) {
			of[names[c.Column]] += c.Amount
		}
		all = append(all, of)
	}
	return all
}

func TestColumnsOfCharges(t *testing.T) {
	const ids = "AWB,COD Amount,Remitted Amount"
	for _, c := range []struct{ what, columns, want string }{
		{"every name", "Freight,Freight Charges,Shipping Charges,COD Charges,COD Fee,RTO Charges,Other Charges,Early COD Charges,GST,IGST,CGST,SGST,Tax,TDS,TCS",
			"Freight,Freight Charges,Shipping Charges,COD Charges,COD Fee,RTO Charges,Other Charges,Early COD Charges,GST,IGST,CGST,SGST,Tax,TDS,TCS"},
		{"in the order of the file", "tds*,FREIGHT (₹),gst", "tds*,FREIGHT (₹),gst"},
		{"a total that stands alone", "Total Charges", "Total Charges"},
		{"a total beside what it is of", "Total Deduction,GST,Freight", "GST,Freight"},
		{"two totals", "Total Deduction,Total Charges", "Total Deduction"},
		{"a rate is none", "Tax %,Freight", "Freight"},
		{"twice the same name", "GST,Freight,GST", "GST,Freight,GST"},
		{"none", "Weight,Zone", ""},
		{"names by their words", "GST @18%,GST (18%),IGST Amount,TDS u/s 194O,TDS (194O),COD Charges (Rs),COD Handling Charges,GST on freight,RTO Freight",
			"GST @18%,GST (18%),IGST Amount,TDS u/s 194O,TDS (194O),COD Charges (Rs),COD Handling Charges,GST on freight,RTO Freight"},
		{"more of them", "Freight excl. GST,Fuel Surcharge,TDSAmount,CGST & SGST,Excess Weight Charges,Weight Discrepancy Charge,Other Deductions,TDS on COD amount",
			"Freight excl. GST,Fuel Surcharge,TDSAmount,CGST & SGST,Excess Weight Charges,Weight Discrepancy Charge,Other Deductions,TDS on COD amount"},
		{"with the tax inside", "Freight Charges (Incl. GST),COD Charges inclusive of GST,TDS", "Freight Charges (Incl. GST),COD Charges inclusive of GST,TDS"},
		{"the tax inside and beside", "Freight incl. GST,Freight excl. GST,GST on freight", "Freight excl. GST,GST on freight"},
		{"a total by its words", "Total Courier Charges,GST", "GST"},
		{"such a total that stands alone", "Total Courier Charges (Rs)", "Total Courier Charges (Rs)"},
		{"a known total is the better one", "Total Fees,Total Charges", "Total Charges"},
		{"a known total beside names by their words", "COD Handling Charges,GST @18%,Total Deduction", "Total Deduction"},
		{"a total of one kind says nothing", "Total GST,Total Deduction", "Total Deduction"},
		{"so of a tax", "Total TDS,Total Charges", "Total Charges"},
		{"so of freight", "Total Freight,Total Deduction", "Total Deduction"},
		{"so beside single ones", "Total Freight,GST", "GST"},
	} {
		lines, mapping, err := readReport(ids+","+c.columns+"\nA1,100,90\n", noOrders)
		require.NoError(t, err, c.what)
		require.Equal(t, c.want, strings.Join(lines.Reports()[0].Charges, ","), c.what)
		require.Equal(t, c.want, strings.Join(mapping.Charges(), ","), c.what)
	}
}

// Names that have words of charges, and are of another amount, of a weight, a rate or a number.
func TestColumnsThatAreNoCharges(t *testing.T) {
	for _, column := range []string{
		"COD Amount (incl. GST)", "COD Amount (Freight included)", "Order Value excl. tax", "Amount after TDS", "Net of TDS", "COD less charges", "COD incl. charges",
		"Amount with GST", "Freight Value", "Net Payable incl. GST", "Taxable Value", "GST Taxable Amount", "Product Tax", "Order GST", "Invoice Amount (GST)",
		"Chargeable weight", "Charged Weight", "Charge Weight", "Freight Weight", "Weight Discrepancy", "Charge Zone", "Freight Type", "To Pay Freight",
		"GST No", "GSTIN", "GST Number", "TDS Certificate No", "Tax Invoice No", "GST %", "GST Rate", "TDS %", "Rate of freight", "Freight Status", "Freight Date",
		"Transaction Charges", "Customer Shipping Charges", "Freight 500 g", "COD & Freight", "Amount", "Deduction Date", "Tax Amount", "Freight Reversal", "Charges (Rs)", "",
		"TDS Section", "GST Section", "TDS 194O Section", "TDS u/s", "TDS on", "GST for", "Handling charges &", "Freight & COD Amount", "Freight COD Amount",
		"Total Freight & COD Amount", "Other charges COD Amount", "Freight and COD", "Total Freight Charges", "Total GST", "Total TDS deducted",
	} {
		_, mapping, err := readReport("AWB,COD Amount,Remitted Amount,"+column+"\nA1,100,90,5\n", noOrders)
		require.NoError(t, err, column)
		require.Empty(t, mapping.Charges(), column)
	}
}

// Charges change none of the two amounts, and keep the sign that they have.
func TestChargesOfALine(t *testing.T) {
	lines := mustRead(t, "AWB,COD Amount,Remitted Amount,Freight,GST,COD Fee\nA1,1000,929.20,60,10.80,\nA2,500,500,-,0,nil\nA3,500,500,(60),,Rs 5/-\n", noOrders)
	require.Equal(t, []map[string]domain.Paise{{"Freight": 6000, "GST": 1080}, {}, {"Freight": -6000, "COD Fee": 500}}, chargesOf(lines))
	require.Equal(t, domain.Paise(92920), lines.At(0).Remitted)
	require.Equal(t, domain.Paise(100000), lines.At(0).Collected)
}

// A column with a cell that is neither money nor blank is no charge, wherever in the file
// the cell stands: it is no fault either.
func TestColumnsThatAreNoAmounts(t *testing.T) {
	const head = "AWB,COD Amount,Remitted Amount,"
	for _, c := range []struct{ what, text, want string }{
		{"numbers of registrations", head + "GST,Freight\nA1,100,90,27AAPFU0939F1ZV,10\nA2,100,90,,10\n", "Freight"},
		{"a rate, in the last line", head + "GST,Freight\nA1,100,90,5,10\nA2,100,90,18%,10\n", "Freight"},
		{"then a total may stand alone", head + "Total Charges,GST\nA1,100,90,10,x\n", "Total Charges"},
		{"all of them", head + "GST\nA1,100,90,x\n", ""},
		{"footers and separators say nothing", head + "GST\nA1,100,90,5\n---,---,---,---\nTotal,100,90,five\n", "GST"},
	} {
		lines, mapping, err := readReport(c.text, noOrders)
		require.NoError(t, err, c.what)
		require.Equal(t, c.want, strings.Join(lines.Reports()[0].Charges, ","), c.what)
		require.Equal(t, c.want, strings.Join(mapping.Charges(), ","), c.what)
		for i := range lines.Len() {
			for _, charge := range lines.ChargesOf(lines.At(i)) {
				require.Less(t, int(charge.Column), len(lines.Reports()[0].Charges), c.what)
			}
		}
	}
	lines := mustRead(t, head+"GST,Freight\nA1,100,90,5,10\nA2,100,90,18%,10\n", noOrders)
	require.Equal(t, []map[string]domain.Paise{{"Freight": 1000}, {"Freight": 1000}}, chargesOf(lines))
}

// A total beside a single charge counts for nothing, though it comes to what was deducted.
func TestTotalBesideItsParts(t *testing.T) {
	lines, mapping, err := readReport("AWB,COD Amount,Freight,GST,Total Deduction,Remitted Amount\nA1,1000,60,10.80,400,600\n", noOrders)
	require.NoError(t, err)
	require.Equal(t, []string{"Freight", "GST"}, mapping.Charges())
	require.Equal(t, []map[string]domain.Paise{{"Freight": 6000, "GST": 1080}}, chargesOf(lines))
}

// A file that is read twice, for its dates, has each charge once.
func TestChargesOfAFileThatIsReadTwice(t *testing.T) {
	lines := mustRead(t, "AWB,COD Amount,Remittance Date,Freight\nA1,100,03/02/2026,5\nA2,100,03/25/2026,6\n", noOrders)
	require.Equal(t, []map[string]domain.Paise{{"Freight": 500}, {"Freight": 600}}, chargesOf(lines))
}

// Columns that a person names are those of charges, and no others.
func TestStatedCharges(t *testing.T) {
	const file = "AWB,COD Amount,Remitted Amount,Freight,Handling,Amount\nA1,100,90,1,2,3\n"
	state := func(columns ...string) ports.MappingChoice {
		return ports.MappingChoice{Columns: map[domain.Role]string{domain.RoleCharges: domain.JoinColumns(columns)}}
	}
	lines, mapping := only.Both(readAs(state("handling"), file, noOrders))(t)
	require.Equal(t, []string{"Handling"}, mapping.Charges())
	require.Equal(t, []map[string]domain.Paise{{"Handling": 200}}, chargesOf(lines))

	_, mapping, err := readAs(state("Charges", "Freight incl. GST", "GST"), "AWB,COD Amount,Remitted Amount,Charges,Freight incl. GST,GST\nA1,100,90,1,2,3\n", noOrders)
	require.NoError(t, err)
	require.Equal(t, []string{"Charges", "Freight incl. GST", "GST"}, mapping.Charges())

	_, mapping, err = readAs(state("Total Freight", "Total Fees", "GST"), "AWB,COD Amount,Remitted Amount,Total Freight,Total Fees,GST\nA1,100,90,1,2,3\n", noOrders)
	require.NoError(t, err)
	require.Equal(t, []string{"Total Freight", "Total Fees", "GST"}, mapping.Charges(), "no word makes them totals")

	_, mapping = only.Both(readAs(state("COD Amount", "Freight"), file, noOrders))(t)
	require.Equal(t, []string{"COD Amount", "Freight"}, mapping.Charges())
	require.Equal(t, "Amount", mapping[domain.RoleCODAmount], "a named column plays no other role")

	_, _, err = readAs(state("Freight", "Octroi"), file, noOrders)
	require.Equal(t, &domain.FileError{File: domain.CourierFile, Rule: domain.RuleNotThere, NoHeader: true, Line: 1, Roles: []domain.Role{domain.RoleCharges},
		Value: "Octroi", Found: []string{"AWB", "COD Amount", "Remitted Amount", "Freight", "Handling", "Amount"}}, err)

	both := state("Freight")
	both.Columns[domain.RoleCODAmount] = "Freight"
	_, _, err = readAs(both, file, noOrders)
	require.Equal(t, &domain.FileError{File: domain.CourierFile, Rule: domain.RuleTwoRoles, Roles: []domain.Role{domain.RoleCODAmount, domain.RoleCharges}, Column: "Freight"}, err)
}

// A saved mapping neither needs charges nor is spoilt by a column of them that is not there.
func TestSavedCharges(t *testing.T) {
	saved := mapped(t, "awb", "Docket", "cod_amount", "Cash", "remitted_amount", "Paid")
	const file = "Docket,Cash,Paid,Freight,Handling\nA1,100,90,1,2\n"
	lines, mapping := only.Both(readAs(ports.MappingChoice{Saved: &saved}, file, noOrders))(t)
	require.Equal(t, []string{"Freight"}, mapping.Charges(), "none are saved: they are detected")
	require.Equal(t, []map[string]domain.Paise{{"Freight": 100}}, chargesOf(lines))

	saved[domain.RoleCharges] = domain.JoinColumns([]string{"Freight incl. GST", "GST"})
	_, mapping = only.Both(readAs(ports.MappingChoice{Saved: &saved}, "Docket,Cash,Paid,Freight incl. GST,GST\nA1,100,90,1,2\n", noOrders))(t)
	require.Equal(t, []string{"Freight incl. GST", "GST"}, mapping.Charges())

	saved[domain.RoleCharges] = "Octroi"
	_, mapping, err := readAs(ports.MappingChoice{Saved: &saved}, "Docket,Cash,Paid,Freight incl. GST,GST,Total Fees\nA1,100,90,1,2,3\n", noOrders)
	require.NoError(t, err)
	require.Equal(t, []string{"GST"}, mapping.Charges(), "the one that is saved is not there: they are detected")

	saved[domain.RoleCharges] = domain.JoinColumns([]string{"Octroi", "Handling"})
	lines, mapping = only.Both(readAs(ports.MappingChoice{Saved: &saved}, file, noOrders))(t)
	require.Equal(t, []string{"Handling"}, mapping.Charges())
	require.Equal(t, []map[string]domain.Paise{{"Handling": 200}}, chargesOf(lines))
}

// What a courier has for no charge is none either where the columns are saved or named in the request.
func TestSavedColumnsOfACourier(t *testing.T) {
	text := only.Value(os.ReadFile("testdata/shiprocket/order_report.csv"))(t)
	_, saved := only.Both(readReport(string(text), noOrders))(t)
	require.Equal(t, []string{"COD Charges"}, saved.Charges())

	header, _, _ := strings.Cut(string(text), "\n")
	saved[domain.RoleCharges] = ""
	columns := map[domain.Role]string{}
	for role, name := range saved {
		if name != "" {
			columns[domain.Role(role)] = name
		}
	}
	for what, choice := range map[string]ports.MappingChoice{
		"saved":     {Saved: &saved},
		"by a name": {Named: []domain.NamedMapping{{Name: "ours", Header: domain.HashHeader(strings.Split(strings.TrimSpace(header), ",")), Mapping: saved}}},
		"asked for": {Asked: &domain.NamedMapping{Name: "ours", Mapping: saved}},
		"requested": {Columns: columns},
	} {
		_, mapping, err := readAs(choice, string(text), noOrders)
		require.NoError(t, err, what)
		require.Equal(t, []string{"COD Charges"}, mapping.Charges(), what)
	}
}

// The listing of a header's columns has charges as a run has them.
func TestChargesAreRecognised(t *testing.T) {
	recognitions, mapping, err := couriers.New(table.New()).Recognise(ports.Content{Bytes: []byte("AWB No,COD Amount,Remittance Date,Freight,GST\n")})
	require.NoError(t, err)
	require.Equal(t, []string{"Freight", "GST"}, mapping.Charges())
	require.Equal(t, []string{"Freight", "GST"}, recognitions[0].Mapping.Charges())
}

// A footer is one though the columns of charges have sums too.
func TestFootersWithCharges(t *testing.T) {
	const lines = "AWB,COD Amount,Remitted Amount,Freight,GST\nA1,100,90,8,2\nA2,200,180,16,4\n"
	read := mustRead(t, lines+"Total,300,270,24,6\n", noOrders)
	require.Equal(t, 2, read.Len())
	require.Empty(t, read.Warnings)
	read = mustRead(t, lines+"Total,310,270,24,6\n", noOrders)
	require.Len(t, read.Warnings, 1)
	require.Equal(t, domain.WarnFooterDiffers, read.Warnings[0].Code)
}

// What was remitted of the COD amount is no COD amount.
func TestRemittedCODAmount(t *testing.T) {
	lines, mapping := only.Both(readReport("AWB,COD Amount,COD Amount Remitted\nA1,100,90\n", noOrders))(t)
	require.Equal(t, "COD Amount Remitted", mapping[domain.RoleRemittedAmount])
	require.Equal(t, domain.Paise(9000), lines.At(0).Remitted)
}
