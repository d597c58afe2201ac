package wording_test

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"milaan/adapters/wording"
	"milaan/domain"
	"milaan/ports/peers"
)

// terminal has the names that are used at a terminal.
type terminal struct{}

func (terminal) Surface() peers.Surface { return peers.CommandLine }
func (terminal) File(f domain.File, _ int) string {
	return map[domain.File]string{domain.StorefrontFile: "o.csv", domain.CourierFile: "r.csv", domain.StatementFile: "b.csv", domain.LedgerFile: "l.xlsx"}[f]
}
func (terminal) Field(f *domain.Fault) string { return "--" + f.Field.String() }
func (terminal) Column(_ int, role domain.Role, column string) string {
	return fmt.Sprintf("--column '%s=%s'", role, column)
}

// clients has the names for clients of the API; its files are called as at a terminal.
type clients struct{ terminal }

func (clients) Surface() peers.Surface { return peers.API }
func (clients) Column(_ int, role domain.Role, column string) string {
	return fmt.Sprintf(`courierName "custom" with columns {"%s": %q}`, role, column)
}

// faults are whole sentences about files, without the name of the file at their
// beginning: as clients of the API read them and, if that differs, at a terminal.
var faults = []struct {
	fault     domain.FileError
	want      string
	atTheTerm string
}{
	{fault: export(domain.RuleAmount, 2, "Total", "12x", 0), want: `, line 2, column "Total": "12x" is not an amount; write it like 1299.50`},
	{fault: report(domain.RuleAmount, 2, "COD Amount", "36130210000000", 0, domain.RoleCODAmount),
		want: `, line 2, column "COD Amount": "36130210000000" is larger than ₹10,00,00,00,000, the largest amount that is read; correct it, or check whether the column is one of amounts`},
	{fault: report(domain.RuleAmount, 2, "COD Amount", "12x", 1, domain.RoleCODAmount), want: `, line 2, column "COD Amount": "12x" is not an amount; 1 more cell of the column is faulty too; write it like 1299.50`},
	{fault: export(domain.RuleDate, 2, "Created at", "soon", 1234), want: `, line 2, column "Created at": "soon" is not a date; 1234 more cells of the column are faulty too; write it like 2026-03-31`},
	{fault: report(domain.RuleDate, 12345, "Remittance Date", "soon", 0, domain.RoleRemittanceDate),
		want: `, line 12345, column "Remittance Date": "soon" is not a date; write it like 2026-03-31 or 31-03-2026, or leave it blank if nothing was paid out yet`},
	{fault: report(domain.RuleDate, 2, "Delivered Date", "soon", 0, domain.RoleDeliveredDate),
		want: `, line 2, column "Delivered Date": "soon" is not a date; write it like 2026-03-31 or 31-03-2026`},
	{fault: export(domain.RuleMonthFirst, 2, "Created at", "03/15/2026", 2),
		want: `, line 2, column "Created at": "03/15/2026" is written month first, in a column with dates that are written day first; 2 more cells of the column are faulty too; write all its dates like 2026-03-31`},
	{fault: report(domain.RuleMonthFirst, 2, "Remittance Date", "03/15/2026", 0, domain.RoleRemittanceDate),
		want: `, line 2, column "Remittance Date": "03/15/2026" is a date with its month first, and other cells of the column have the day first; write all of them alike, best like 2026-03-31`},
	{fault: export(domain.RuleFarDate, 3, "Created at", "2062-03-02", 0),
		want: `, line 3, column "Created at": "2062-03-02" is more than a year after every other date of the column; correct it; if it is right, run the orders of that year by themselves`},
	{fault: report(domain.RuleFarDate, 3, "Remittance Date", "2062-03-02", 0, domain.RoleRemittanceDate),
		want: `, line 3, column "Remittance Date": "2062-03-02" is more than a year after every other date of the column; correct the date: it would say that the report reaches as far as that`},
	{fault: domain.FileError{File: domain.CourierFile, Rule: domain.RuleUnknownStatus, Line: 2, Column: "Status", Value: "Partially Remitted", More: 1, Amount: 129950},
		want: `, line 2, column "Status": "Partially Remitted" is not known to say whether the line's ₹1,299.50 was paid out; 1 more cell of the column is faulty too; write one such as Remitted, Paid, Settled or Credited where it was, and Pending, Initiated, On hold or Not paid where it was not; or give the column of what was paid out as remitted_amount, which decides by itself`},
	{fault: export(domain.RuleCurrency, 7, "Currency", "USD", 0),
		want: `, line 7, column "Currency": "USD" is not the rupee (INR), in which couriers collect cash and Milaan counts; leave the orders in another currency out of the export, or give the amounts in rupees and write INR`},
	{fault: export(domain.RuleNoName, 2, "Name", "", 0), want: `, line 2, column "Name": names no order although the row has a total; give the row its order's name, or delete it if it is the export's sum`},
	{fault: export(domain.RuleNoName, 2, "Name", "-", 0), want: `, line 2, column "Name": "-" names no order although the row has a total; give the row its order's name, or delete it if it is the export's sum`},
	{fault: domain.FileError{File: domain.StorefrontFile, Rule: domain.RuleTrackingNumbers, Line: 2, Column: "AWB", Value: "A1;A2", Limit: 50},
		want: `, line 2, column "AWB": "A1;A2" makes more than 50 tracking numbers for one order; check whether the column has slipped`},
	{fault: domain.FileError{File: domain.StorefrontFile, Rule: domain.RuleNamesakes, Line: 102, Column: "Created at", Value: "2026-06-09", Limit: 100},
		want: `, line 102, column "Created at": "2026-06-09" makes more than 100 orders of one name; check whether the column Name has the orders' names, or export fewer stores together`},
	{fault: domain.FileError{File: domain.StorefrontFile, Rule: domain.RuleBeyondHeader, Line: 3, Value: `o"ops`, Count: 100003, Limit: 2},
		want: `, line 3: "o\"ops" stands beyond the header's last column: the record has 100003 cells, the header 2; look for a stray comma in this line, or export the file again`},
	{fault: domain.FileError{File: domain.CourierFile, Rule: domain.RuleSecondHeader, Line: 4, Found: []string{"Waybill", "", "\x1b[31mAmount", strings.Repeat("n", 70)}},
		want: `, line 4: is the header of another report: Waybill, \x1b[31mAmount, ` + strings.Repeat("n", 60) + "…; there are two reports in one file; split the file at this line, and run by itself each part that lists payments"},
	{fault: domain.FileError{File: domain.CourierFile, Rule: domain.RuleSideTable, Line: 5, Column: "Amount Payable", Found: []string{"Particulars", "Amount Payable"},
		Candidates: []domain.Candidate{{Role: domain.RoleRemittedAmount, Column: "Amount Payable", Place: 8}}},
		want:      `, line 5, column "Amount Payable": is blank from this line on, and seems to be of another table beside the lines: Particulars, Amount Payable; delete these columns, or send courierName "custom" with columns {"remitted_amount": "Amount Payable"} if the column is the lines'`,
		atTheTerm: `, line 5, column "Amount Payable": is blank from this line on, and seems to be of another table beside the lines: Particulars, Amount Payable; delete these columns, or give --column 'remitted_amount=Amount Payable' if the column is the lines'`},
	{fault: domain.FileError{File: domain.CourierFile, Rule: domain.RuleRows, Line: 50002, Limit: 50000},
		want:      ", line 50002: has more than 50000 rows below its header; leave out what is of other months in both files alike, or compare the whole files with milaan reconcile on the command line, which has no limit",
		atTheTerm: ", line 50002: has more than 50000 rows below its header; leave out what is of other months in both files alike"},
	{fault: domain.FileError{File: domain.CourierFile, Report: 3, Rule: domain.RuleRowsTogether, Limit: 50000},
		want:      ": has, together with the reports before it, more than 50000 rows below the headers; give fewer reports at once, with the orders of their time, or compare the whole files with milaan reconcile on the command line, which has no limit",
		atTheTerm: ": has, together with the reports before it, more than 50000 rows below the headers; give fewer reports at once, with the orders of their time"},
	{fault: domain.FileError{File: domain.StorefrontFile, Rule: domain.RuleSandboxRows, Line: 102, Limit: 100},
		want: ", line 102: has more than 100 rows below its header, the most that the sandbox reads; send a part of the file with the sandbox key, or the whole file with the live key"},
	{fault: domain.FileError{File: domain.CourierFile, Report: 3, Rule: domain.RuleSandboxTogether, Limit: 100},
		want: ": has, together with the reports before it, more than 100 rows below the headers, the most that the sandbox reads; send fewer reports, or parts of them, with the sandbox key, or all of them with the live key"},
	{fault: domain.FileError{File: domain.CourierFile, Rule: domain.RuleQuoteOpen, Line: 2},
		want: ", line 2: opens a quotation mark that is never closed; write the cell in quotation marks and double those inside it, or export the file again"},
	{fault: domain.FileError{File: domain.StorefrontFile, Rule: domain.RuleQuoteTrailed, Line: 2},
		want: ", line 2: has text after a cell's closing quotation mark; write the cell in quotation marks and double those inside it, or export the file again"},
	{fault: domain.FileError{File: domain.CourierFile, Rule: domain.RuleSums, Limit: 11529215046068469},
		want: ": has amounts that add up to more than ₹11529215046068469; check whether a column of ids is read as one of amounts"},
	{fault: domain.FileError{File: domain.StatementFile, Rule: domain.RuleAmount, Line: 9, Column: "Deposit Amt.", Value: "1.2.3"},
		want: `, line 9, column "Deposit Amt.": "1.2.3" is not an amount; write it like 1299.50`},
	{fault: domain.FileError{File: domain.StatementFile, Rule: domain.RuleDate, Line: 9, Column: "Txn Date", Value: "soon"},
		want: `, line 9, column "Txn Date": "soon" is not a date; write it like 2026-03-31`},
	{fault: domain.FileError{File: domain.StatementFile, Rule: domain.RuleMonthFirst, Line: 9, Column: "Date", Value: "03/31/2026"},
		want: `, line 9, column "Date": "03/31/2026" is a date with its month first, and other cells of the column have the day first; write all of them alike, best like 2026-03-31`},
	{fault: domain.FileError{File: domain.StatementFile, Rule: domain.RuleDirection, Line: 9, Column: "Dr / Cr", Value: "maybe"},
		want: `, line 9, column "Dr / Cr": "maybe" does not say whether the amount beside it came in or went out; write Cr for a credit and Dr for a debit`},
	{fault: domain.FileError{File: domain.StatementFile, Rule: domain.RuleUnreadDebits, Column: "Spent"},
		want: `, column "Spent": has amounts only on lines without a credit, so it may be the column of debits; rename it to Debit if it is that, else delete it`},
	{fault: domain.FileError{File: domain.StatementFile, Rule: domain.RuleNoLines},
		want: ": has no line with a date below its header; download the statement again, as the bank writes it"},
	{fault: domain.FileError{File: domain.StatementFile, Rule: domain.RuleRows, Line: 50002, Limit: 50000},
		want: ", line 50002: has more than 50000 rows below its header; leave out the months that are not needed"},
	{fault: domain.FileError{File: domain.StatementFile, Rule: domain.RuleNoColumn, Line: 3, LookedFor: [][]string{numbered(6), {"Amount"}}, Found: []string{"Date", "Balance"}},
		want: `, line 3: no column such as c0, c1, c2, c3, c4 and 1 more; or Amount was found; the header found is: Date, Balance; download the statement with its dates, narrations and credits, or rename the column`},
	{fault: domain.FileError{File: domain.StatementFile, Rule: domain.RuleColumnTwice, Column: "Credit", Candidates: []domain.Candidate{{Place: 3}, {Place: 4}}},
		want: `, column "Credit": stands twice in the header, as columns 3 and 4; rename or delete the one that is not meant`},
	{fault: domain.FileError{File: domain.StatementFile, Rule: domain.RulePicture},
		want: ": is a picture, not a table; download the table as CSV or Excel, or ask whoever sent it for that"},
	{fault: domain.FileError{File: domain.StatementFile, Rule: domain.RuleArchive}, want: ": is an archive such as ZIP, not a table; unpack it and give the files that are in it"},
	{fault: domain.FileError{File: domain.StatementFile, Rule: domain.RuleDocument},
		want: ": is a document of another program, such as Word or Numbers, not a table; open it and save the table as CSV or Excel (.xlsx)"},
	{fault: domain.FileError{File: domain.StatementFile, Rule: domain.RuleEmpty}, want: ": is empty; export or download it again"},
	{fault: domain.FileError{File: domain.CourierFile, Rule: domain.RuleLedger}, want: ": is a ledger that Milaan has written; send it as previous",
		atTheTerm: ": is a ledger that Milaan has written; give it with --previous"},
	{fault: domain.FileError{File: domain.CourierFile, Rule: domain.RuleResults},
		want:      ": is a table of results that Milaan has written; send the file of the courier, the shop or the bank here, and the workbook or ledger.csv of that run as previous",
		atTheTerm: ": is a table of results that Milaan has written; give the file of the courier, the shop or the bank here, and the workbook or ledger.csv of that run with --previous"},
	{fault: domain.FileError{File: domain.LedgerFile, Rule: domain.RuleOpenItems},
		want: ": is the list of open items alone, without the lines that a run must know; give the whole workbook, or the ledger.csv that was saved with this list: what is noted in the workbook is read"},
	{fault: domain.FileError{File: domain.LedgerFile, Rule: domain.RuleLedgerVersion, Sheet: "Ledger", Line: 2, Column: "version", Value: "7"},
		want:      `, sheet "Ledger", line 2, column "version": "7" is a version of the ledger that this Milaan is too old to read; give a ledger that this service has written`,
		atTheTerm: `, sheet "Ledger", line 2, column "version": "7" is a version of the ledger that this Milaan is too old to read; install a newer Milaan, or give a ledger that this one has written`},
	{fault: domain.FileError{File: domain.LedgerFile, Rule: domain.RuleLedgerWord, Sheet: "Open items", Line: 4, Column: "state", Value: "paid?", Options: []string{"disputed", "promised"}},
		want: `, sheet "Open items", line 4, column "state": "paid?" is not one of the words that the cell may have: "disputed", "promised"; write one of these, or delete the row if it was added`},
	{fault: domain.FileError{File: domain.LedgerFile, Rule: domain.RuleLedgerAltered, Line: 9, Column: "fingerprint", Value: "9f3a"},
		want: `, line 9, column "fingerprint": the line was changed, because "9f3a" does not fit the rest of it; give the ledger as Milaan wrote it: of open items you may change State, Raised on, Promised until and Note, and nothing else`},
	{fault: domain.FileError{File: domain.LedgerFile, Rule: domain.RuleLedgerRounded, Line: 9, Column: "awb", Value: "1.49E+13"},
		want: `, line 9, column "awb": "1.49E+13" seems rounded by a spreadsheet, and the line has no order id, so it names no parcel now; write the whole AWB in the cell as text, or give the ledger as Milaan wrote it`},
	{fault: domain.FileError{File: domain.LedgerFile, Rule: domain.RuleLedgerTwice, Line: 9, Column: "order", Value: "#1001"},
		want: `, line 9, column "order": "#1001" stands in the ledger a second time; delete the row that was added, or give the ledger as Milaan wrote it`},
	{fault: domain.FileError{File: domain.LedgerFile, Rule: domain.RuleLedgerOrders, Line: 50002, Limit: 50000},
		want: ", line 50002: has more than 50000 orders; give the ledger as Milaan wrote it"},
	{fault: domain.FileError{File: domain.LedgerFile, Rule: domain.RuleLedgerRows, Value: "order", Count: 37, Limit: 40},
		want: `: has 37 rows of the kind "order" where 40 were written: it was cut, or rows were removed or added; give the ledger as Milaan wrote it, and mark what you do not claim any more as written off`},
	{fault: domain.FileError{File: domain.LedgerFile, Rule: domain.RuleLedgerCouriers, Limit: 20},
		want: ": has rows of more than 20 couriers; delete the rows of couriers from whom you claim nothing any more, and the counts in the row run"},
	{fault: domain.FileError{File: domain.LedgerFile, Rule: domain.RuleLedgerCharges, Limit: 32},
		want: ": has more than 32 charges on one line; give the ledger as Milaan wrote it"},
	{fault: domain.FileError{File: domain.LedgerFile, Rule: domain.RuleLedgerAllCharges, Line: 50007, Limit: 1600000},
		want: ", line 50007: has more than 1600000 charges; give the ledger as Milaan wrote it"},
	{fault: domain.FileError{File: domain.LedgerFile, Rule: domain.RuleRows, Line: 50002, Limit: 50000},
		want: ", line 50002: has more than 50000 rows below its header; give the ledger as Milaan wrote it"},
	{fault: domain.FileError{File: domain.LedgerFile, Rule: domain.RuleNoColumn, Line: 1, LookedFor: [][]string{{"due"}}, Found: []string{"order", "awb"}},
		want: ", line 1: no column due was found; the header found is: order, awb; give the workbook or the ledger.csv of the last run, with all columns that Milaan has written; more may be added"},
	{fault: domain.FileError{File: domain.LedgerFile, Rule: domain.RuleNoSheet, Value: "Ledger", Options: []string{"Open items"}},
		want: `: has no sheet of the name "Ledger"; its sheets are: "Open items"; give the workbook with all sheets that Milaan has written`},
	{fault: domain.FileError{File: domain.LedgerFile, Rule: domain.RuleNoName, Line: 3, Column: "Order", Value: "-"},
		want: `, line 3, column "Order": "-" names no order; delete the row if it was added, or give the ledger as Milaan wrote it`},
	{fault: domain.FileError{File: domain.LedgerFile, Rule: domain.RuleOtherFile},
		want: ": is not a ledger that Milaan has written; give the workbook or the ledger.csv of the last run"},
	{fault: domain.FileError{File: domain.StorefrontFile, Rule: domain.RuleNoOrders}, want: ": has no orders below its header; export the orders again"},
	{fault: domain.FileError{File: domain.StorefrontFile, Rule: domain.RuleNoDates}, want: ": has no order with a date (Created at, Paid at or Fulfilled at); export the orders with their dates"},

	{fault: domain.FileError{File: domain.StorefrontFile, Rule: domain.RuleNoColumn, Line: 1, Exporters: shopify, LookedFor: [][]string{{"Name"}}, Found: []string{`a "b"`, "", "\x1b[31m\u202eक्\u200dष", strings.Repeat("é", 50)}},
		want: `, line 1: no column Name was found; the header found is: a "b", \x1b[31m\u202e` + "क्\u200dष" + `, éééééééééééééééééééééééééééééé…; send the orders export as Shopify writes it (Orders, Export, Plain CSV file)`},
	{fault: domain.FileError{File: domain.StorefrontFile, Rule: domain.RuleNoColumn, Line: 1, Exporters: shopify, LookedFor: [][]string{{"Created at", "Paid at", "Fulfilled at"}}, Found: numbered(14)},
		want: `, line 1: no column Created at (or Paid at, or Fulfilled at) was found; the header found is: c0, c1, c2, c3, c4, c5, c6, c7, c8, c9, c10, c11 and 2 more; send the orders export as Shopify writes it (Orders, Export, Plain CSV file)`},
	{fault: domain.FileError{File: domain.CourierFile, Rule: domain.RuleNoColumn, Line: 3, Roles: []domain.Role{domain.RoleAWB, domain.RoleOrderID},
		LookedFor: [][]string{numbered(6), {"Order ID"}}, Found: numbered(14)},
		want:      `, line 3: no column was found for awb or order_id (looked for c0, c1, c2, c3, c4 and 1 more; or Order ID); the header found is: c0, c1, c2, c3, c4, c5, c6, c7, c8, c9, c10, c11 and 2 more; rename the column, or send courierName "custom" with columns {"awb": "its name"}`,
		atTheTerm: `, line 3: no column was found for awb or order_id (looked for c0, c1, c2, c3, c4 and 1 more; or Order ID); the header found is: c0, c1, c2, c3, c4, c5, c6, c7, c8, c9, c10, c11 and 2 more; rename the column, or give --column 'awb=its name'`},
	{fault: domain.FileError{File: domain.CourierFile, Rule: domain.RuleNoColumn, Roles: []domain.Role{domain.RoleRemittanceDate}, LookedFor: [][]string{{"Paid On"}}, Found: []string{"", ""}},
		want:      `: no column was found for remittance_date (looked for Paid On); the header found is: (blank); rename the column, or send courierName "custom" with columns {"remittance_date": "its name"}`,
		atTheTerm: `: no column was found for remittance_date (looked for Paid On); the header found is: (blank); rename the column, or give --column 'remittance_date=its name'`},
	{fault: domain.FileError{File: domain.CourierFile, Rule: domain.RuleNotThere, Line: 1, Value: `Docket "No"`, Roles: []domain.Role{domain.RoleAWB}, Found: []string{"AWB No", "COD"}},
		want:      `, line 1: there is no column "Docket \"No\"", which columns names for awb; the header found is: AWB No, COD; copy the column's name from the file's header`,
		atTheTerm: `, line 1: there is no column "Docket \"No\"", which --column names for awb; the header found is: AWB No, COD; copy the column's name from the file's header`},
	{fault: domain.FileError{File: domain.CourierFile, Rule: domain.RuleAmbiguous, Candidates: []domain.Candidate{
		{Role: domain.RoleAWB, Column: "AWB", Couriers: []string{"delhivery"}}, {Role: domain.RoleAWB, Column: `"Docket"`, Couriers: []string{"dtdc", "shadowfax"}},
		{Role: domain.RoleCODAmount, Column: "COD", Couriers: []string{"delhivery"}}, {Role: domain.RoleCODAmount, Column: "Amt", Couriers: []string{"dtdc"}}}},
		want:      `: the header is ambiguous: couriers that know it equally well read it differently: awb is "AWB" (delhivery) or "\"Docket\"" (dtdc, shadowfax); cod_amount is "COD" (delhivery) or "Amt" (dtdc); rename or delete the column that is not meant, or send courierName "custom" with columns {"awb": "AWB"}`,
		atTheTerm: `: the header is ambiguous: couriers that know it equally well read it differently: awb is "AWB" (delhivery) or "\"Docket\"" (dtdc, shadowfax); cod_amount is "COD" (delhivery) or "Amt" (dtdc); rename or delete the column that is not meant, or give --column 'awb=AWB'`},
	{fault: domain.FileError{File: domain.CourierFile, OfSource: true, Rule: domain.RuleNoColumn, Roles: []domain.Role{domain.RoleAWB}, LookedFor: [][]string{{"AWB"}}, Found: []string{"Docket"}},
		want: `: no column was found for awb (looked for AWB); the header found is: Docket; rename the column, or state it under columns in the settings of the source`},
	{fault: domain.FileError{File: domain.CourierFile, OfSource: true, Rule: domain.RuleNotThere, Line: 1, Value: "Docket No", Roles: []domain.Role{domain.RoleAWB}, Found: []string{"Docket"}},
		want: `, line 1: there is no column "Docket No", which the settings of the source state for awb; the header found is: Docket; state under columns in the settings of the source what the column is called in the file's header`},
	{fault: domain.FileError{File: domain.CourierFile, OfSource: true, Rule: domain.RuleAmbiguous, Candidates: []domain.Candidate{
		{Role: domain.RoleAWB, Column: "AWB", Couriers: []string{"delhivery"}}, {Role: domain.RoleAWB, Column: "Docket", Couriers: []string{"dtdc"}}}},
		want: `: the header is ambiguous: couriers that know it equally well read it differently: awb is "AWB" (delhivery) or "Docket" (dtdc); rename or delete the column that is not meant, or state the right one under columns in the settings of the source`},
	{fault: domain.FileError{File: domain.CourierFile, Rule: domain.RuleMappings, Options: []string{"Express", "Speedy"}},
		want:      `: has the header of several saved mappings that name different columns: "Express", "Speedy"; name one of them in the field mapping`,
		atTheTerm: `: has the header of several saved mappings that name different columns: "Express", "Speedy"; name one of them with --mapping`},
	{fault: domain.FileError{File: domain.CourierFile, Rule: domain.RuleNotThere, Roles: []domain.Role{domain.RoleAWB}, Value: "Docket", Found: []string{"A"}, Options: []string{"Express"}},
		want: `: there is no column "Docket", which the saved mapping "Express" names for awb; the header found is: A; name a mapping of this header, or none`},
	{fault: domain.FileError{File: domain.CourierFile, OfSource: true, Rule: domain.RuleSeveralSheets, Options: []string{"Jan", "Feb"}},
		want: `: has several sheets that could be meant: "Jan", "Feb"; delete the sheets that are not meant, or save each that is as a file of its own`},
	{fault: domain.FileError{File: domain.CourierFile, OfSource: true, Rule: domain.RuleRows, Line: 50002, Limit: 50000},
		want: ", line 50002: has more than 50000 rows below its header; leave out the months that are not needed"},
	{fault: domain.FileError{File: domain.CourierFile, OfSource: true, Rule: domain.RuleSecondHeader, Line: 4, Found: []string{"Waybill"}},
		want: ", line 4: is the header of another report: Waybill; there are two reports in one file; split the file in two at this line"},
	{fault: domain.FileError{File: domain.CourierFile, OfSource: true, Rule: domain.RuleSideTable, Line: 5, Column: "UTR", Found: []string{"UTR"},
		Candidates: []domain.Candidate{{Role: domain.RoleUTR, Column: "UTR", Place: 8}}},
		want: `, line 5, column "UTR": is blank from this line on, and seems to be of another table beside the lines: UTR; delete these columns, or state the column under columns in the settings of the source if it is the lines'`},
	{fault: domain.FileError{File: domain.StorefrontFile, Rule: domain.RuleColumnTwice, Column: "Total", Candidates: []domain.Candidate{{Place: 2}, {Place: 4}}},
		want: `, column "Total": stands twice in the header, as columns 2 and 4; rename or delete the one that is not meant`},
	{fault: domain.FileError{File: domain.CourierFile, Rule: domain.RuleColumnTwice, Column: "AWB", Roles: []domain.Role{domain.RoleAWB},
		Candidates: []domain.Candidate{{Column: "AWB", Place: 1}, {Column: "awb.", Place: 9}}},
		want: `, column "AWB": stands more than once in the header and would be awb: columns 1 ("AWB") and 9 ("awb."); rename or delete the one that is not meant`},
	{fault: domain.FileError{File: domain.CourierFile, Rule: domain.RuleColumnTwice, Column: "x", Roles: []domain.Role{domain.RoleAWB}, Candidates: make([]domain.Candidate, 15)},
		want: `, column "x": stands more than once in the header and would be awb: columns 0 and 0 and 0 and 0 and 0 and 0 and 0 and 0 and 0 and 0 and 0 and 0 and 3 more; rename or delete the one that is not meant`},
	{fault: domain.FileError{File: domain.CourierFile, Rule: domain.RuleTwoRoles, Column: "Amount", Roles: []domain.Role{domain.RoleCODAmount, domain.RoleRemittedAmount}},
		want: `, column "Amount": would be both cod_amount and remitted_amount; name another column for one of the two, or leave one out`},
	{fault: domain.FileError{File: domain.CourierFile, Rule: domain.RuleFarHeader, Line: 121, Limit: 100},
		want: ", line 121: is the header, but a header is looked for among the first 100 lines alone; delete the lines above it"},
	{fault: domain.FileError{File: domain.StorefrontFile, Rule: domain.RuleWide, Line: 1, Count: 3001, Limit: 2000},
		want: ", line 1: has 3001 cells, and no line above it is a header; a header has at most 2000; look for a line that has lost its end, or export the file again"},

	{fault: domain.FileError{File: domain.LedgerFile, Rule: domain.RuleWorkbook}, want: ": is an Excel workbook (.xlsx) or a ZIP archive, not CSV; give ledger.csv of the same run in its place, which is among the CSV files of its documents"},
	{fault: domain.FileError{File: domain.CourierFile, Rule: domain.RuleWorkbook}, want: ": is an Excel workbook (.xlsx) or a ZIP archive, not CSV; open it and save the sheet as 'CSV UTF-8'"},
	{fault: domain.FileError{File: domain.CourierFile, Rule: domain.RuleOldWorkbook}, want: ": is an old Excel workbook (.xls), not CSV; open it and save the sheet as 'CSV UTF-8'"},
	{fault: domain.FileError{File: domain.CourierFile, Rule: domain.RuleBrokenWorkbook},
		want: ": is a workbook that is damaged or not whole; download it again, or open it and save it as 'CSV UTF-8'"},
	{fault: domain.FileError{File: domain.CourierFile, Rule: domain.RulePassword}, want: ": is a workbook that is protected by a password; open it and save it without the password"},
	{fault: domain.FileError{File: domain.CourierFile, Report: 2, Rule: domain.RuleLargeWorkbook, Limit: 26214400},
		want: ": is a workbook whose cells have more than 26214400 bytes of text, alone or with the other workbooks of the run; delete the sheets and columns that are not needed, or export fewer months"},
	{fault: domain.FileError{File: domain.CourierFile, Rule: domain.RuleLargeWorkbook, Limit: 67153164, Count: 443},
		want: ": is a workbook of 443 bytes whose cells have more than 67153164 bytes of text, alone or with the other workbooks of the run, and no usual workbook of its size has as many; " +
			"open it, delete what is not needed, and save the sheet that is meant as 'CSV UTF-8', whose size has no such limit"},
	{fault: domain.FileError{File: domain.CourierFile, Rule: domain.RuleLongMerged, Line: 2, Column: "UTR", Value: "N123…", Limit: 1000},
		want: `, line 2, column "UTR": "N123…" is merged over several rows and has more than 1000 bytes of text; write each row's own value, or shorten it`},
	{fault: domain.FileError{File: domain.CourierFile, Rule: domain.RuleSeveralSheets, Options: []string{"Jan", "\x1bFeb"}},
		want:      `: has several sheets that could be meant: "Jan", "\x1bFeb"; name one or several in the field sheet, or * for all`,
		atTheTerm: `: has several sheets that could be meant: "Jan", "\x1bFeb"; name one or several with --sheet, or * for all`},
	{fault: domain.FileError{File: domain.CourierFile, Rule: domain.RuleContinued, Value: "Sheet2", Options: []string{"Sheet1"}},
		want:      `: has no header in "Sheet2", whose rows seem to go on below those of "Sheet1"; put all rows below one header, or name one sheet in the field sheet to read it alone`,
		atTheTerm: `: has no header in "Sheet2", whose rows seem to go on below those of "Sheet1"; put all rows below one header, or name one sheet with --sheet to read it alone`},
	{fault: domain.FileError{File: domain.CourierFile, OfSource: true, Rule: domain.RuleContinued, Value: "Sheet2", Options: []string{"Sheet1"}},
		want: `: has no header in "Sheet2", whose rows seem to go on below those of "Sheet1"; put all rows below one header, or delete the sheet that is not meant`},
	{fault: domain.FileError{File: domain.CourierFile, Rule: domain.RuleNoSheet, Value: "Mar", Options: []string{"Jan", "Feb"}},
		want:      `: has no sheet of the name "Mar"; its sheets are: "Jan", "Feb"; name one of them in the field sheet`,
		atTheTerm: `: has no sheet of the name "Mar"; its sheets are: "Jan", "Feb"; name one of them with --sheet`},
	{fault: domain.FileError{File: domain.CourierFile, Rule: domain.RulePDF},
		want: ": is a PDF document, not a table; download the table as CSV or Excel, or ask whoever sent it for that"},
	{fault: domain.FileError{File: domain.CourierFile, Rule: domain.RuleWebPage},
		want: ": is a web page (an HTML table), not CSV; open it in a spreadsheet and save it as 'CSV UTF-8'; if the page asks for a login, download the file again"},
	{fault: domain.FileError{File: domain.CourierFile, Rule: domain.RuleNotText}, want: ": is not UTF-8 text (it looks like UTF-16 or a binary file); save it as 'CSV UTF-8'"},
	{fault: domain.FileError{File: domain.StorefrontFile, Rule: domain.RuleTwoExports, Exporters: append(shopify, domain.Exporter{Storefront: "Cart"})},
		want: ": the header could be that of an export of Shopify or of Cart; export the orders again with all columns"},
	{fault: domain.FileError{File: domain.StorefrontFile, Rule: domain.RuleSwapped},
		want:      ": is a courier's report, and the courier file is the orders export: the two are swapped; send each in the other's place",
		atTheTerm: ": is a courier's report, and r.csv is the orders export: the two are swapped; give them in the other order: the orders export, then the report"},
	{fault: domain.FileError{File: domain.StorefrontFile, Report: 2, Rule: domain.RuleSwapped},
		want:      ": is a courier's report, and r.csv is the orders export: the two are swapped; send each in the other's place",
		atTheTerm: ": is a courier's report, and r.csv is the orders export: the two are swapped; give them in the other order: the orders export, then the report"},
	{fault: domain.FileError{File: domain.StorefrontFile, Rule: domain.RuleGivenTwice, Exporters: shopify},
		want: ": is a courier's report: the report was given twice; give the shop's orders export here (Shopify: Orders, Export, Plain CSV file)"},
	{fault: domain.FileError{File: domain.CourierFile, Rule: domain.RuleGivenTwice}, want: ": is the orders export: the export was given twice; give the courier's remittance report here"},
	{fault: domain.FileError{File: domain.StorefrontFile, Rule: domain.RuleOtherFile, Exporters: shopify},
		want: ": is a courier's report and not the shop's orders export; give the orders export here (Shopify: Orders, Export, Plain CSV file)"},
	{fault: domain.FileError{File: domain.CourierFile, Rule: domain.RuleNoColumn, OfBank: true, Roles: []domain.Role{domain.RoleAWB}, LookedFor: [][]string{{"AWB"}}, Found: []string{"Narration"}},
		want:      `: no column was found for awb (looked for AWB); the header found is: Narration; rename the column, or send courierName "custom" with columns {"awb": "its name"}; if it is a bank's statement, send it as bank`,
		atTheTerm: `: no column was found for awb (looked for AWB); the header found is: Narration; rename the column, or give --column 'awb=its name'; if it is a bank's statement, give it with --bank`},
	{fault: domain.FileError{File: domain.StatementFile, Rule: domain.RuleOtherFile, Column: "Settlement Date"},
		want: `, column "Settlement Date": no bank's statement has such a column: the file seems to be of a payment gateway, a courier, the shop or an accounting program; give the account's statement from the bank; if this file is one, delete the column`},
	{fault: domain.FileError{File: domain.CourierFile, Rule: domain.RuleOtherFile}, want: ": is an orders export and not a courier's report; give the courier's remittance report here"},
}

var shopify = []domain.Exporter{{Storefront: "Shopify", Steps: "Orders, Export, Plain CSV file"}}

func export(rule domain.FileRule, line int, column, value string, more int) domain.FileError {
	return domain.FileError{File: domain.StorefrontFile, Rule: rule, Line: line, Column: column, Value: value, More: more}
}

func report(rule domain.FileRule, line int, column, value string, more int, role domain.Role) domain.FileError {
	return domain.FileError{File: domain.CourierFile, Rule: rule, Line: line, Column: column, Value: value, More: more, Roles: []domain.Role{role}}
}

func numbered(n int) []string {
	names := make([]string, n)
	for i := range names {
		names[i] = "c" + strconv.Itoa(i)
	}
	return names
}

// TestWhatIsWrongWithFiles asks for the whole sentence of every rule, as it is read
// through the API and at a terminal.
func TestWhatIsWrongWithFiles(t *testing.T) {
	words, without := wording.New(), wording.Texts(t, "file_error.go", "Rule")
	for _, c := range faults {
		for surface, names := range map[string]peers.Names{"API": clients{}, "terminal": terminal{}} {
			want := c.want
			if surface == "terminal" && c.atTheTerm != "" {
				want = c.atTheTerm
			}
			err := fmt.Errorf("read: %w", &c.fault)
			require.Equal(t, names.File(c.fault.File, c.fault.Report)+want, words.Message(err, names), surface)
		}
		delete(without, string(c.fault.Rule))
	}
	require.Empty(t, without, "rules of domain.FileRule without a sentence")
}

// TestLogsHaveNoTextOfTheFile holds what a programmer reads of a fault.
func TestLogsHaveNoTextOfTheFile(t *testing.T) {
	for _, c := range faults {
		where := ""
		if c.fault.Line > 0 {
			where = ", line " + strconv.Itoa(c.fault.Line)
		}
		require.EqualError(t, &c.fault, c.fault.File.String()+where+": "+string(c.fault.Rule))
	}
}
