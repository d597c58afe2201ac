package statement_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"milaan/adapters/statement"
	"milaan/adapters/table"
	"milaan/domain"
	"milaan/domain/bank"
	"milaan/ports"
)

func read(text string) (*bank.Statement, error) {
	var s bank.Statement
	err := statement.New(table.New()).Read(ports.Content{Bytes: []byte(text)}, &s)
	return &s, err
}

// told writes the days that a statement covers, its credits, and its debits with a minus.
func told(s *bank.Statement) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s to %s\n", s.From, s.To)
	for _, c := range s.Credits() {
		fmt.Fprintf(&b, "%d %s %s %s\n", c.Line, c.On, c.Amount, c.Narration)
	}
	for _, d := range s.Debits() {
		fmt.Fprintf(&b, "%d %s %s %s\n", d.Line, d.On, -d.Amount, d.Narration)
	}
	return b.String()
}

// statements are what banks write. Their people and numbers are invented.
var statements = []struct{ name, text, want string }{
	{"HDFC", `Statement of account,,,,,,
Account No :,XX1234,,,,,
********,********,********,********,********,********,********
Date,Narration,Chq./Ref.No.,Value Dt,Withdrawal Amt.,Deposit Amt.,Closing Balance
********,********,********,********,********,********,********
01/03/26,NEFT CR-HDFC0000001-DELHIVERY LTD-SHOP-HDFCN520260301,HDFCN520260301,01/03/26,,"1,29,999.50","2,00,000.00"
02/03/26,RENT,0001,02/03/26,"25,000.00",,"1,75,000.00"
14/03/26,UPI-SAMPLE BUYER,000000,14/03/26,,500.00,"1,75,500.00"
********,********,********,********,********,********,********
STATEMENT SUMMARY  :-,,,,,,
Opening Balance,,Dr Count,Cr Count,Debits,Credits,Closing Bal
"46,000.50",,1,2,"25,000.00","1,30,499.50","1,75,500.00"
Generated On: 31-Mar-2026,,,,,,
`, `2026-03-01 to 2026-03-14
6 2026-03-01 ₹1,29,999.50 NEFT CR-HDFC0000001-DELHIVERY LTD-SHOP-HDFCN520260301 HDFCN520260301
8 2026-03-14 ₹500 UPI-SAMPLE BUYER 000000
7 2026-03-02 -₹25,000 RENT 0001
`},
	{"ICICI", `S No.,Value Date,Transaction Date,Cheque Number,Transaction Remarks,Withdrawal Amount (INR ),Deposit Amount (INR ),Balance (INR )
1,03/02/2026,02/02/2026,-,NEFT-ICICN42026-BIGFOOT RETAIL,0.0,700.0,1000.0
2,15/02/2026,15/02/2026,-,BIL/ONL,50.0,0.0,950.0
`, `2026-02-02 to 2026-02-15
2 2026-02-02 ₹700 NEFT-ICICN42026-BIGFOOT RETAIL
3 2026-02-15 -₹50 BIL/ONL
`},
	{"SBI", "Account Name\t: SHOP\nTxn Date\tValue Date\tDescription\tRef No./Cheque No.\tDebit\tCredit\tBalance\n" +
		"1 Mar 2026\t1 Mar 2026\tBY TRANSFER-NEFT*HDFC0000060*N520260301*DELHIVERY\tTRANSFER FROM 3199\t \t7,000.00\t9,000.00\n" +
		"2 Mar 2026\t2 Mar 2026\tATM WDL\t \t500.00\t \t8,500.00\n**This is a computer generated statement\n",
		`2026-03-01 to 2026-03-02
3 2026-03-01 ₹7,000 BY TRANSFER-NEFT*HDFC0000060*N520260301*DELHIVERY TRANSFER FROM 3199
4 2026-03-02 -₹500 ATM WDL
`},
	{"Axis", `Tran Date,CHQNO,PARTICULARS,DR,CR,BAL,SOL
,,OPENING BALANCE,,,100.00,
01-03-2026,,NEFT/UTIBN52026030112/XPRESSBEES/HDFC, ,250.00,350.00,12
02-03-2026,,CHARGES,50.00, ,300.00,12
,,TRANSACTION TOTAL DR/CR,50.00,250.00,,
,,CLOSING BALANCE,,,300.00,
`, `2026-03-01 to 2026-03-02
3 2026-03-01 ₹250 NEFT/UTIBN52026030112/XPRESSBEES/HDFC
4 2026-03-02 -₹50 CHARGES
`},
	{"Kotak", `Sl. No.,Date,Description,Chq / Ref number,Amount,Dr / Cr,Balance,Dr / Cr
1,01/03/2026,NEFT DELHIVERY,NEFTINW-0001,"1,000.00",CR,"5,000.00",CR
2,02/03/2026,Transfer,REF-2,400.00,DR,"4,600.00",CR
`, `2026-03-01 to 2026-03-02
2 2026-03-01 ₹1,000 NEFT DELHIVERY NEFTINW-0001
3 2026-03-02 -₹400 Transfer REF-2
`},
	{"signed amounts, newest first", "Date;Details;Amount;Balance\n31-03-2026;Fee;-20.00;980\n01-03-2026;NEFT IN;+1000.00;1000\n", `2026-03-01 to 2026-03-31
3 2026-03-01 ₹1,000 NEFT IN
2 2026-03-31 -₹20 Fee
`},
	{"the word behind the amount", "Date,Transaction Id,Remarks,Amount(Rs.),Balance(Rs.)\n01/03/2026,S1,NEFT:IN,1000.00 (Cr),2000.00 (Cr)\n02/03/2026,S2,OUT,10.00(Dr),1990.00 (Cr)\n",
		`2026-03-01 to 2026-03-02
2 2026-03-01 ₹1,000 NEFT:IN S1
3 2026-03-02 -₹10 OUT S2
`},
	{"a dashboard's words", "id,created_at,type,amount,narration,utr\nx,2026-03-01 10:00:00,credit,10.5,payout,HDFCN520260301\nx,2026-03-02,debit,3,refund,\n", `2026-03-01 to 2026-03-02
2 2026-03-01 ₹10.50 payout HDFCN520260301
3 2026-03-02 -₹3 refund
`},
	{"month first", "Date,Description,Debit,Credit\n03/02/2026,a,,1\n03/15/2026,b,2,\n03/16/2026,c,,3\n", `2026-03-02 to 2026-03-16
2 2026-03-02 ₹1 a
4 2026-03-16 ₹3 c
3 2026-03-15 -₹2 b
`},
	{"a narration of several lines, and a date for several credits", "Date,Description,Debit,Credit\n01/03/2026,NEFT-HDFCN5202,,1\n,60301-DELHIVERY,,\n,,,\n,LTD,,\n,second,,2\n,out,5,\n,of the debit,,\nDate,Description,Debit,Credit\n02/03/2026,Opening Balance,,7\n03/03/2026,third,,3\n,1,,\n,2,,\n,3,,\n,4,,\n" +
		"Page 1 of 2,of it,,\nas on a day,,,9\n,,5,6\n,Closing Balance as on,,9\n,B/F,,9\n,BFL,,4\n04/03/2026,nothing,0,0\n,of nothing,,\n",
		`2026-03-01 to 2026-03-04
2 2026-03-01 ₹1 NEFT-HDFCN5202 60301-DELHIVERY LTD
6 2026-03-01 ₹2 second
11 2026-03-03 ₹3 third 1 2 3
21 2026-03-03 ₹4 BFL
7 2026-03-01 -₹5 out of the debit
`},
	{"a customer called Total", "Date,Description,Credit\n01/03/2026,TOTAL ENERGIES,5\n", "2026-03-01 to 2026-03-01\n2 2026-03-01 ₹5 TOTAL ENERGIES\n"},
	{"a credit below 0 is a debit", "Date,Description,Credit\n01/03/2026,reversed,-5\n", "2026-03-01 to 2026-03-01\n2 2026-03-01 -₹5 reversed\n"},
	{"signs in a column of debits", "Date,Description,Debit,Credit\n01/03/2026,a,-5,\n02/03/2026,b,7 Dr,\n03/03/2026,c,0.00,3\n", "2026-03-01 to 2026-03-03\n4 2026-03-03 ₹3 c\n2 2026-03-01 -₹5 a\n3 2026-03-02 -₹7 b\n"},
	{"days with dots", "Date,Narration,Debit,Credit\n01.03.2026,NEFT DELIVERY,,1000\n15.03.26,fee,5.50,\n1005.50,TOTAL,5.50,1000\n",
		`2026-03-01 to 2026-03-15
2 2026-03-01 ₹1,000 NEFT DELIVERY
3 2026-03-15 -₹5.50 fee
`},
	{"a spreadsheet's numbers of days", "Date,Narration,Debit,Credit\n12-03-2026,x,5,\n46094,NEFT DELHIVERY,,6000\n46095,RETURN,6000,\n46094,TOTAL,,6000\n46094,,,7\n46094,1,,7\n1500,cut,,7\n46094.50,carried,,7\n\"1,000.50\",sum,,7\n50000,Sanctioned limit,,50000\nDrawing power,of the account,50000,\n",
		"2026-03-12 to 2026-03-14\n3 2026-03-13 ₹6,000 NEFT DELHIVERY\n2 2026-03-12 -₹5 x\n4 2026-03-14 -₹6,000 RETURN\n"},
	{"unsigned amounts that all came in", "Date,Description,Amount,Balance\n02/03/2026,a,5,10\n02/03/2026,b,3,5\n01/03/2026,c,2,2\n",
		"2026-03-01 to 2026-03-02\n2 2026-03-02 ₹5 a\n3 2026-03-02 ₹3 b\n4 2026-03-01 ₹2 c\n"},
	{"credits alone of an account from which money went out", "Date,Description,Amount,Balance\n01/03/2026,a,5,10\n02/03/2026,b,3,6\n03/03/2026,c,2,20\n",
		"2026-03-01 to 2026-03-03\n2 2026-03-01 ₹5 a\n3 2026-03-02 ₹3 b\n4 2026-03-03 ₹2 c\n"},
	{"a number of a day in the first line, and more than a year", "Date,Narration,Debit,Credit\n46094,NEFT,,1\n01/06/2027,b,,2\n", "2026-03-13 to 2027-06-01\n2 2026-03-13 ₹1 NEFT\n3 2027-06-01 ₹2 b\n"},
	{"a column of numbers beside debits alone", "Date,Narration,Debit,Credit,Fee\n01/03/2026,a,,5,\n02/03/2026,b,3,,1\n", "2026-03-01 to 2026-03-02\n2 2026-03-01 ₹5 a\n3 2026-03-02 -₹3 b\n"},
	{"the same beside one of directions", "Date,Narration,Amount,Dr/Cr,Fee\n01/03/2026,a,5,CR,\n02/03/2026,b,3,DR,1\n", "2026-03-01 to 2026-03-02\n2 2026-03-01 ₹5 a\n3 2026-03-02 -₹3 b\n"},
	{"credits, and a column of no amounts that went out", "No,Date,Narration,Ref No,Credit,Left\n1,01/03/2026,NEFT,,6000,7000\n2,02/03/2026,no money,77,,7000\n", "2026-03-01 to 2026-03-02\n2 2026-03-01 ₹6,000 NEFT\n"},
	{"references without a narration", "Date,UTR,Credit\n01/03/2026,HDFCN520260301,5\n", "2026-03-01 to 2026-03-01\n2 2026-03-01 ₹5 HDFCN520260301\n"},
}

func TestBanks(t *testing.T) {
	for _, c := range statements {
		s, err := read(c.text)
		require.NoError(t, err, c.name)
		require.Equal(t, c.want, told(s), c.name)
	}
}

// TestHeadersOfBanks reads a credit of ₹1,000 and a debit of ₹400 under headers that banks write.
func TestHeadersOfBanks(t *testing.T) {
	for header, rows := range map[string][2]string{
		"#,TRANSACTION DATE,VALUE DATE,TRANSACTION DETAILS,CHQ / REF NO.,DEBIT/CREDIT(₹),BALANCE(₹),Dr / Cr": {
			`1,14 Aug 2026 03:01 PM,14 Aug 2026,NEFT,R1,"+1,000.00","1,600.00",CR`, "2,14 Aug 2026 06:14 PM,14 Aug 2026,fee,R2,-400.00,1200.00,CR"},
		"Date,Narration,Ref No,Debit/Credit,Dr/Cr":                        {`14-08-2026,NEFT,R1,"1,000.00",CR`, "14-08-2026,fee,R2,400.00,DR"},
		"Date,Narration,Ref No,Dr/Cr,Debit/Credit,Balance":                {`14-08-2026,NEFT,R1,CR,"1,000.00",5`, "14-08-2026,fee,R2,DR,400.00,4"},
		"Date,GL Date,Narration,Ref No,Debit,Credit":                      {"14-08-2026,,NEFT,R1,,1000", "14-08-2026,,fee,R2,400,"},
		"Date,Narration,Chq/Ref No,Withdrawal (Dr)/ Deposit (Cr),Balance": {`14Aug2026,NEFT,R1,"1,000.00(Cr)",5(Cr)`, "14AUG26,fee,R2,400.00(Dr),4(Cr)"},
		"S.No,Transaction Date (dd/mm/yyyy),Value Date (dd/mm/yyyy),Particulars,Amount(INR),Debit/Credit,Balance(INR),Cheque Number,Branch Name(SOL)": {
			`2,14/08/2026,14/08/2026,NEFT,"	1,000.00",CR,"-,77,58,122.30",R1,MAIN`, "3,14/08/2026,14/08/2026,fee,400,DR,5,R2,MAIN"},
		"GL. Date,Value Date,Tran Id,Instrmnt Number,Particulars,Transaction Debit Amount,Transaction Credit Amount,Balance": {
			"14-08-2026,13-08-2026,R1,,NEFT,,1000,5", "14-08-2026,13-08-2026,,R2,fee,400,,4"},
		"Transaction Date,Transaction Details,Cheque ID,Value Date,Withdrawl Amt,Deposit Amt,Balance (INR)":   {"14/08/2026,NEFT,R1,14/08/2026,,1000,5", "14/08/2026,fee,R2,14/08/2026,400,,4"},
		"Date(Value Date),Particulars,Ref No./Cheque No.,Transaction Type,Debit(Rs),Credit(Rs),Balance(Rs)":   {"14-Aug-26 (13-Aug-26),NEFT,R1,Transfer,-,1000,5", "14-Aug-26 (13-Aug-26),fee,R2,Transfer,400,-,4"},
		"TRANS DATE,VALUE DATE,BRANCH,REF/CHQ.NO,DESCRIPTION,WITHDRAWS,DEPOSIT,BALANCE":                       {"14-08-2026,14-08-2026,7,R1,NEFT,,1000,5", "14-08-2026,14-08-2026,7,R2,fee,400,,4"},
		"Bank Reference,Value Date,Transaction Date & Time,Type,Payment Narration,Debit,Credit,Balance":       {"R1,13/08/2026,14/08/2026,C,NEFT,,1000,5", "R2,13/08/2026,14/08/2026,D,fee,400,,4"},
		"Date,Narration,Chq./ Ref.No.,Value Date,Withdrawal Amt.(Dr.),Deposit Amt.(Cr.),Running Balance(Cr.)": {"14/08/26,NEFT,R1,14/08/26,,1000,5", "14/08/26,fee,R2,14/08/26,400,,4"},
		"Txn Date,Description,Cheque No,Withdrawal (in Rs.),Deposits (in Rs.),Balance (in Rs.)":               {"14-08-2026,NEFT,R1,,1000,5", "14-08-2026,fee,R2,400,,4"},
		"Post Date,Value Date,Branch Code,Cheque Number,Account Description,Debit,Credit,Balance":             {"14/08/2026,14/08/2026,7,R1,NEFT,,1000,5", "14/08/2026,14/08/2026,7,R2,fee,400,,4"},
		"Date,Particular,Chq./Ref.no.,Withdrawal,Deposit,Balance Amount":                                      {"14-08-26,NEFT,R1,,1000,5", "14-08-26,fee,R2,400,,4"},
		"Date and Time,Details of transaction,Ref/Cheque No.,Amount Debit,Amount Credit":                      {"14-08-2026 10:22,NEFT,R1,,1000", "14-08-2026 10:22,fee,R2,400,"},
		"Date,Particulars,Ref No,Payments (Rs.),Receipts (Rs.),Balance":                                       {"14-08-2026,NEFT,R1,,1000,5", "14-08-2026,fee,R2,400,,4"},
		"Date,Particulars,Ref No,Receipts,Payments,Balance":                                                   {"14-08-2026,NEFT,R1,1000,,5", "14-08-2026,fee,R2,,400,4"},
		"Value Date,Trn Date,Txn Date,Narration,Ref No,Debit,Credit":                                          {"14-08-2026,, ,NEFT,R1,,1000", "14-08-2026,-,,fee,R2,400,"},
		"Date,Narration,Ref No,Debit,Credit,Amount,Amount":                                                    {"14-08-2026,NEFT,R1,,1000,,", "14-08-2026,fee,R2,400,,,"},
		"Date,Narration,Ref No,Amount,Dr/Cr,Transaction Type":                                                 {"14-08-2026,NEFT,R1,1000,CR,Transfer", "14-08-2026,fee,R2,400,DR,Charge"},
		"Date,Narration,Ref No,Balance,Dr/Cr,Amount,Dr/Cr":                                                    {"14-08-2026,NEFT,R1,5,CR,1000,CR", "14-08-2026,fee,R2,4,CR,400,DR"},
		"Dr/Cr,Date,Narration,Ref No,Debit/Credit":                                                            {"CR,14-08-2026,NEFT,R1,1000", "DR,14-08-2026,fee,R2,400"},
	} {
		s, err := read(header + "\n" + rows[0] + "\n" + rows[1] + "\n")
		require.NoError(t, err, header)
		require.Equal(t, "2026-08-14 to 2026-08-14\n2 2026-08-14 ₹1,000 NEFT R1\n3 2026-08-14 -₹400 fee R2\n", told(s), header)
	}
}

// TestStatementsThatCannotBeRead holds what is said of them.
func TestStatementsThatCannotBeRead(t *testing.T) {
	noSides := domain.FileError{Rule: domain.RuleNoColumn, Found: []string{"Date", "Description", "Amount", "Indicator", "Balance"},
		LookedFor: [][]string{{"Dr / Cr", "Cr / Dr", "Debit / Credit", "Credit / Debit", "Dr or Cr", "D/C", "C/D", "Dr/Cr Indicator", "Cr/Dr Indicator",
			"Debit/Credit Indicator", "Transaction Type", "Txn Type", "Tran Type", "Type"}}}
	for _, c := range []struct {
		name, text string
		want       domain.FileError
	}{
		{"an amount", "Date,Description,Debit,Credit\n01/03/2026,a,,1\n02/03/2026,a,,1.2.3\n",
			domain.FileError{Rule: domain.RuleAmount, Line: 3, Column: "Credit", Value: "1.2.3"}},
		{"an amount that went out", "Date,Description,Debit,Credit\n01/03/2026,a,12 paid,\n",
			domain.FileError{Rule: domain.RuleAmount, Line: 2, Column: "Debit", Value: "12 paid"}},
		{"a date", "Date,Description,Debit,Credit\nsoon,a,,1\n", domain.FileError{Rule: domain.RuleDate, Line: 2, Column: "Date", Value: "soon"}},
		{"a date of what went out", "Date,Description,Debit,Credit\n15-Mar,RETURN,1,\n", domain.FileError{Rule: domain.RuleDate, Line: 2, Column: "Date", Value: "15-Mar"}},
		{"dates of both ways", "Date,Description,Debit,Credit\n31/03/2026,a,,1\n03/31/2026,a,,1\n",
			domain.FileError{Rule: domain.RuleMonthFirst, Line: 3, Column: "Date", Value: "03/31/2026"}},
		{"the same, and the month first in the first ones", "Date,Description,Debit,Credit\n03/31/2026,a,,1\n03/30/2026,a,,1\n31/03/2026,a,,1\n",
			domain.FileError{Rule: domain.RuleMonthFirst, Line: 2, Column: "Date", Value: "03/31/2026"}},
		{"words in place of amounts", "Date,Description,Debit/Credit,Value\n01/03/2026,a,CR,1\n", domain.FileError{Rule: domain.RuleNoColumn,
			Found: []string{"Date", "Description", "Debit/Credit", "Value"}, LookedFor: [][]string{{"Transaction Amount", "Transaction Amount (INR)",
				"Transaction Amt", "Txn Amount", "Txn Amount (INR)", "Tran Amount", "Amount", "Amount (INR)", "Amount (Rs)", "Amount INR", "Amount Rs", "Amt",
				"Withdrawal (Dr)/Deposit (Cr)", "Debit/Credit"}}}},
		{"no amount before a word", "Date,Description,Debit/Credit\n01/03/2026,a,1.2.3 CR\n",
			domain.FileError{Rule: domain.RuleAmount, Line: 2, Column: "Debit/Credit", Value: "1.2.3 CR"}},
		{"what is no date beside one", "Date,Description,Credit\n01/03/2026 (Closing),a,1\n",
			domain.FileError{Rule: domain.RuleDate, Line: 2, Column: "Date", Value: "01/03/2026 (Closing)"}},
		{"a direction", "Date,Description,Amount,Dr / Cr\n01/03/2026,a,1,maybe\n", domain.FileError{Rule: domain.RuleDirection, Line: 2, Column: "Dr / Cr", Value: "maybe"}},
		{"no lines", "Date,Description,Debit,Credit\nTotal,,0,0\n", domain.FileError{Rule: domain.RuleNoLines}},
		{"no dates, under a name that is known in two spellings", "Transaction Date & Time,Description,Debit,Credit\n-,NEFT,,1\n", domain.FileError{Rule: domain.RuleNoLines}},
		{"amounts of which only the balance says that some went out",
			"Date,Description,Amount,Indicator,Balance\n01/03/2026,NEFT,100,C,100\n02/03/2026,RETURN,100,D,0\n", noSides},
		{"the same, newest first", "Date,Description,Amount,Indicator,Balance\n02/03/2026,RETURN,100,D,0 Cr\n01/03/2026,NEFT,100,C,100 Cr\n", noSides},
		{"two columns", "Date,Description,Credit,CREDIT.\n", domain.FileError{Rule: domain.RuleColumnTwice, Column: "Credit", Candidates: []domain.Candidate{{Place: 3}, {Place: 4}}}},
		{"debits under a name that is not known", "No,Date,Narration,Cheque,Spent,Credit,Left\n1,01/03/2026,NEFT,,0.00,6000,7000\n2,02/03/2026,RETURN,,6000,,1000\n3,03/03/2026,fee,12,5,0,995\n",
			domain.FileError{Rule: domain.RuleUnreadDebits, Column: "Spent"}},
		{"nothing", "", domain.FileError{Rule: domain.RuleEmpty}},
	} {
		_, err := read(c.text)
		c.want.File = domain.StatementFile
		require.Equal(t, &c.want, err, c.name)
	}
	for column, text := range map[string]string{
		"settled_at":      "entity_id,type,debit,credit,amount,fee,tax,created_at,settled_at,settlement_id\npay_1,payment,0,976,1000,20,4,14/08/2026,16/08/2026,setl_1\n",
		"order_id":        "id,amount,currency,status,order_id,method,description,created_at\npay_1,1000,INR,failed,order_1,upi,x,14/08/2026\n",
		"Settlement Date": "Transaction Time,Settlement Date,Transaction Amount,Settlement UTR\n14/08/2026,15/08/2026,1000,R1\n",
		"AWB No":          "AWB No,Amount,Transaction Date,UTR\n14902608000001,1000,14/08/2026,R1\n",
		// The debit of a ledger of the books is what a statement has as a credit, whatever balance stands beside it.
		"Vch Type":     "Vch Type,Date,Particulars,Vch No.,Debit,Credit\nReceipt,14-Aug-26,Sales,1,1000,\n",
		"Voucher Type": "Date,Particulars,Voucher Type,Debit,Credit,Balance\n14-Aug-26,Sales,Receipt,1000,,1000 Dr\n",
		"Vch No.":      "Date,Particulars,Vch No.,Debit,Credit,Balance\n14-Aug-26,Sales,1,1000,,1000 Dr\n",
	} {
		_, err := read(text)
		require.Equal(t, &domain.FileError{File: domain.StatementFile, Rule: domain.RuleOtherFile, Column: column, NoHeader: true}, err)
	}
	for _, balance := range []string{"Balance", "Balance (in Rs.)", "Balance Amount", "Available Balance", "Account Balance", "Running Balance(Cr.)", "Closing Bal."} {
		_, err := read("Date,Narration,Order No,Debit,Credit," + balance + "\n14/08/2026,NEFT,7,,1,1\n")
		require.NoError(t, err, "a statement with a column of a bank's own orders")
	}
	for _, rows := range [][2]string{{"+5,,95", "3,,92"}, {"5 Cr,,95", "3,,92"}, {"-5,,105", "3,,102"}, {"5,CR,95", "3,CR,92"}} {
		_, err := read("Date,Narration,Amount,Dr/Cr,Balance\n01/03/2026,a," + rows[0] + "\n02/03/2026,b," + rows[1] + "\n")
		require.NoError(t, err, "what is owed of an overdraft falls by what comes in")
	}
	for missing, text := range map[string]string{"Transaction Date": "Description,Credit,Balance\n", "Deposit Amt": "Date,Description,Balance\n", "Narration": "Date,Credit,Balance\n"} {
		_, err := read(text)
		e, ok := errors.AsType[*domain.FileError](err)
		require.True(t, ok, "%v", err)
		require.Equal(t, []any{domain.RuleNoColumn, missing, true}, []any{e.Rule, e.LookedFor[0][0], e.NoHeader})
		require.Len(t, e.Found, 3)
	}
}

// TestNothingOfAStatementIsLost reads statements of drawn lines and holds them against a
// plain count.
func TestNothingOfAStatementIsLost(t *testing.T) {
	var b strings.Builder
	b.WriteString("Date,Narration,Withdrawal Amt.,Deposit Amt.\n")
	var sum domain.Paise
	for i := range 5000 {
		in, out := "", fmt.Sprintf("%d.50", i)
		if i%3 == 0 {
			in, out = out, ""
			sum += 2 * (domain.Paise(i)*domain.Rupee + 50)
		}
		sum -= domain.Paise(i)*domain.Rupee + 50
		fmt.Fprintf(&b, "%02d/%02d/2026,NEFT %d,%s,%s\n", 1+i%28, 1+i%12, i, out, in)
	}
	s, err := read(b.String())
	require.NoError(t, err)
	for _, c := range s.Credits() {
		sum -= c.Amount
	}
	for _, d := range s.Debits() {
		sum += d.Amount
	}
	require.Len(t, s.Credits(), 1667)
	require.Len(t, s.Debits(), 3333)
	require.Zero(t, sum)
}

// FuzzStatements holds that no text breaks the reader, and that a credit or a debit is above zero.
func FuzzStatements(f *testing.F) {
	for _, c := range statements {
		f.Add(c.text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		s, err := read(text)
		if err != nil {
			require.ErrorIs(t, err, domain.ErrFile)
			return
		}
		for _, c := range append(s.Credits(), s.Debits()...) {
			require.Positive(t, c.Amount)
			require.True(t, s.From <= c.On && c.On <= s.To)
		}
	})
}
