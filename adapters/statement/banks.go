package statement

// role is what a column of a statement means to us.
type role uint8

const (
	date      role = iota
	narration      // what the bank writes about a line
	credit         // an amount that came in
	debit          // an amount that went out; it shows that there is a column for each
	amount         // an amount that came in or went out: direction says which, or else its sign
	direction      // Cr or Dr
	balance        // what the account has after a line
	roleCount
	reference = roleCount // a statement may have several such columns: of cheques and of transfers
)

// columnNames lists what banks call their columns, the best name first. Names are compared by
// domain.HeaderKey: case, blanks and signs do not matter, so Deposit Amt. is also
// "Deposit Amt" and DEPOSIT_AMT.
var columnNames = [roleCount + 1][]string{
	// The day of the transaction is better than the day from which it bears interest.
	date: {"Transaction Date", "Txn Date", "Tran Date", "Trans Date", "Trxn Date", "Transaction Dt", "Txn Dt", "Transaction Date & Time",
		"Transaction Date Time", "Transaction Date and Time", "Transaction Date (DD/MM/YYYY)", "Transaction Posted Date", "Txn Posted Date",
		"Posted Date", "Posting Date", "Post Date", "Booking Date", "Entry Date", "Trans Dt", "Trn Date", "Trn Dt",
		"Date of Transaction", "Date", "GL Date", "Date & Time", "Date and Time", "Date (Value Date)",
		"Date (DD/MM/YYYY)", "Created At", "Value Date", "Value Dt"},
	narration: {"Narration", "Transaction Narration", "Transaction Remarks", "Transaction Description", "Transaction Particulars",
		"Transaction Details", "Description", "Description/Narration", "Narration/Description", "Description Narration", "Particulars",
		"Remarks", "Details", "Transaction Detail", "Txn Description", "Payment Details", "Remark", "Details of Transaction",
		"Payment Narration", "Account Description", "Txn Remarks", "Tran Particulars", "Tran Particular", "Particular", "Narrative", "Naration"},
	credit: {"Deposit Amt", "Deposit Amount", "Deposit Amount (INR)", "Deposit Amt (INR)", "Deposit (INR)", "Deposits (INR)", "Deposit (Cr)",
		"Deposits", "Deposit", "Credit Amount", "Credit Amount (INR)", "Credit Amt", "Credit (INR)", "Credit (Cr) INR", "Credit (Rs)",
		"Credit(Cr)", "Credit", "Credits", "Cr Amount", "Cr Amt", "Amount Credited", "Received Amount", "Paid In", "CR",
		"Deposit (Rs)", "Deposits (Cr)", "Credits (INR)", "Credited Amount", "Money In", "Deposit Amt (Cr)", "Deposit (Cr Amount)",
		"Deposit (in Rs)", "Deposits (in Rs)", "Deposit Amount (Rs)", "Credit Amount (Rs)", "Transaction Credit Amount", "Amount Credit",
		"Deposit/Credit", "Receipts", "Receipts (Rs)", "Receipts (INR)", "Receipt Amount"},
	debit: {"Withdrawal Amt", "Withdrawal Amount", "Withdrawal Amount (INR)", "Withdrawal Amt (INR)", "Withdrawal (INR)",
		"Withdrawals (INR)", "Withdrawal (Dr)", "Withdrawals", "Withdrawal", "Debit Amount", "Debit Amount (INR)", "Debit Amt", "Debit (INR)",
		"Debit (Dr) INR", "Debit (Rs)", "Debit(Dr)", "Debit", "Debits", "Dr Amount", "Dr Amt", "Amount Debited", "Paid Out", "DR",
		"Withdrawal (Rs)", "Withdrawals (Dr)", "Debits (INR)", "Debited Amount", "Money Out", "Withdrawal Amt (Dr)", "Withdraw (Dr Amount)",
		"Withdrawal (in Rs)", "Withdrawals (in Rs)", "Withdrawal Amount (Rs)", "Debit Amount (Rs)", "Transaction Debit Amount", "Amount Debit",
		"Withdrawal/Debit", "Withdrawl", "Withdrawl Amt", "Withdrawl (Dr)", "Withdraws", "Payments", "Payments (Rs)",
		"Payments (INR)", "Payment Amount"},
	amount: {"Transaction Amount", "Transaction Amount (INR)", "Transaction Amt", "Txn Amount", "Txn Amount (INR)", "Tran Amount", "Amount",
		"Amount (INR)", "Amount (Rs)", "Amount INR", "Amount Rs", "Amt", "Withdrawal (Dr)/Deposit (Cr)", "Debit/Credit"},
	direction: {"Dr / Cr", "Cr / Dr", "Debit / Credit", "Credit / Debit", "Dr or Cr", "D/C", "C/D", "Dr/Cr Indicator", "Cr/Dr Indicator",
		"Debit/Credit Indicator", "Transaction Type", "Txn Type", "Tran Type", "Type"},
	balance: {"Closing Balance", "Running Balance", "Balance", "Balance (INR)", "Balance (Rs)", "Closing Balance (INR)",
		"Running Balance (INR)", "Bal", "Balance (in Rs)", "Balance Amount", "Running Balance (Cr)", "Closing Bal", "Account Balance",
		"Available Balance", "Available Balance (INR)"},
	reference: {"Chq/Ref No", "Chq/Ref Number", "Chq./Ref.No.", "Chq / Ref number", "Ref No./Cheque No.", "Ref No", "Ref Number",
		"Reference No", "Reference Number", "Reference", "Cheque/Reference No", "Cheque No/Reference No", "Cheque No/Ref No",
		"Cheque No / Reference", "Cheque/Ref No", "Cheque Ref No", "Chq No", "CHQNO", "Cheque No", "Cheque Number", "Instrument No",
		"Instrument ID", "Instrument Number", "Chq", "Chq Number", "Transaction ID", "Txn ID", "Tran ID",
		"Transaction Ref No", "Transaction Reference", "Transaction Reference No", "Bank Reference", "Bank Reference No", "UTR", "UTR No",
		"UTR Number", "RRN", "Ref/Cheque No", "Ref/Chq No", "Reference No/Cheque No", "Instrmnt Number", "Instr ID", "Inst No", "Cheque ID",
		"Cheque Details"},
}

// otherNames, and names with otherParts in them, are those of columns that files of gateways and couriers have. Those of booksNames
// are of ledgers of accounting programs, which may have balances too.
var (
	otherParts = []string{"settle", "awb", "waybill"}
	otherNames = []string{"orderid", "orderno", "ordernumber", "financialstatus"}
	booksNames = []string{"vchtype", "vchno", "vouchertype"}
)

// incoming and outgoing are what banks write in a column of directions, or behind an
// amount, by letters and signs.
var (
	incoming = []string{"cr", "c", "credit", "deposit", "+"}
	outgoing = []string{"dr", "d", "debit", "withdrawal", "-"}
)

// footers begin the texts of lines that are no transactions, by their letters.
var footers = []string{"openingbalance", "closingbalance", "openingbal", "closingbal", "openingamount", "balancebroughtforward",
	"balancecarriedforward", "broughtforward", "carriedforward", "balanceforward", "balancebf", "balancecf", "bf", "cf", "statementsummary",
	"summary", "crcount", "drcount", "creditcount", "debitcount", "noofcredit", "noofdebit",
	"numberofcredit", "numberofdebit", "availablebalance", "effectiveavailablebalance", "endofstatement"}
