package domain

import "slices"

// WarningCode names a warning for programs and never changes. New codes may be
// added, and clients must accept codes that they do not know (guide: verdict 6).
type WarningCode string

// The codes in the order in which warnings are listed.
const (
	WarnNothingMatched        WarningCode = "nothing_matched"
	WarnFewMatched            WarningCode = "few_matched"
	WarnOutsideReport         WarningCode = "outside_report"
	WarnUnnamedCouriers       WarningCode = "unnamed_couriers"
	WarnUnclaimedLines        WarningCode = "unclaimed_lines"
	WarnUnidentifiedMoney     WarningCode = "unidentified_money"
	WarnRepeatedLines         WarningCode = "repeated_lines"
	WarnCorrectedPayout       WarningCode = "corrected_payout"
	WarnPayoutListedTwice     WarningCode = "payout_listed_twice"
	WarnRoundedAWBs           WarningCode = "rounded_awbs"
	WarnRoundedUTRs           WarningCode = "rounded_utrs"
	WarnCutIDs                WarningCode = "cut_ids"
	WarnOrderIDColumn         WarningCode = "order_id_column"
	WarnColumnsInDoubt        WarningCode = "columns_in_doubt"
	WarnUnknownSheets         WarningCode = "unknown_sheets"
	WarnCollectedOnly         WarningCode = "collected_only"
	WarnAmbiguousDates        WarningCode = "ambiguous_dates"
	WarnUnknownPaymentMethods WarningCode = "unknown_payment_methods"
	WarnDeductions            WarningCode = "deductions"
	WarnPayoutGap             WarningCode = "payout_gap"
	WarnPrepaidCollected      WarningCode = "prepaid_collected"
	WarnReversedPayments      WarningCode = "reversed_payments"
	WarnFooterDiffers         WarningCode = "footer_differs"
	WarnOneNameTwoOrders      WarningCode = "one_name_two_orders"
	WarnReturnedWithAmount    WarningCode = "returned_with_amount"
	WarnEmptyReport           WarningCode = "empty_report"
	WarnLedgerApart           WarningCode = "ledger_apart"       // the ledger seems to be of another shop
	WarnWeakLines             WarningCode = "weak_lines"         // lines that can be told from others by order id and amount only
	WarnPromisesPassed        WarningCode = "promises_passed"    // open items that were promised until a day that has passed
	WarnLedgerFull            WarningCode = "ledger_full"        // open items for which the ledger that the run writes has no room
	WarnItemsUnread           WarningCode = "items_unread"       // the kept open items cannot be read; only a pass of the autopilot has it
	WarnLeavingWindow         WarningCode = "leaving_window"     // only a pass of the autopilot has it
	WarnBeforeStatement       WarningCode = "before_statement"   // payouts without a voucher; only a document of vouchers has it
	WarnIncompletePayouts     WarningCode = "incomplete_payouts" // as before_statement
)

// WarningCodes lists every code in the order in which warnings are listed.
func WarningCodes() []WarningCode {
	return []WarningCode{WarnNothingMatched, WarnFewMatched, WarnOutsideReport, WarnUnnamedCouriers, WarnUnclaimedLines,
		WarnUnidentifiedMoney, WarnRepeatedLines, WarnCorrectedPayout, WarnPayoutListedTwice, WarnRoundedAWBs, WarnRoundedUTRs, WarnCutIDs,
		WarnOrderIDColumn, WarnColumnsInDoubt, WarnUnknownSheets, WarnCollectedOnly, WarnAmbiguousDates, WarnUnknownPaymentMethods,
		WarnDeductions, WarnPayoutGap, WarnPrepaidCollected, WarnReversedPayments, WarnFooterDiffers, WarnOneNameTwoOrders,
		WarnReturnedWithAmount, WarnEmptyReport, WarnLedgerApart, WarnWeakLines, WarnPromisesPassed, WarnLedgerFull, WarnItemsUnread,
		WarnLeavingWindow, WarnBeforeStatement, WarnIncompletePayouts}
}

// Warning is a doubt about a whole run, as values. An accountant should know of it
// before acting on the results. The catalogue of each language in adapters/wording
// has the words.
type Warning struct {
	Code      WarningCode
	Count     int   // of orders, lines or payouts, as the code says; see HasCount
	Amount    Paise // the sum that the code speaks of
	HasAmount bool  // the warning has an Amount, which may be 0

	// The other values of the sentence. Each field names the codes that have it.

	Report      int      // the report that the warning is about, from 1; 0: there is only one, or the warning is about all
	Reports     int      // how many reports the run has; 0: one
	By          int      // corrected_payout, payout_listed_twice: the report that lists payouts of Report again; unnamed_couriers: another
	Payouts     int      // corrected_payout, payout_listed_twice and those of vouchers: how many payouts; Examples are the UTRs of a few
	PaidOn      []Day    // the same codes: the days of a few that have no UTR
	Of          int      // few_matched, rounded_awbs: Count is out of this many; prepaid_collected: Report, or all, list so many and no others
	File        File     // ambiguous_dates, rounded_awbs: the file of the column
	Column      string   // order_id_column: the chosen one; ambiguous_dates: whose dates are in doubt; cut_ids; collected_only: an unread one
	DayFirst    bool     // ambiguous_dates: the column is read day first, for nothing says that it should not be
	OtherColumn string   // order_id_column: the column with the better name
	Gap         Gap      // payout_gap
	Kind        Deducted // deductions: how the orders are short
	Each        Paise    // deductions of DeductedAmount: by how much each order is short
	Share       int      // deductions of DeductedShare: the share deducted, in hundredths of a percent
	Unexplained Paise    // deductions: what of Amount no charge explains
	Stated      Paise    // footer_differs: the sum that the footer states
	StatedCount int      // footer_differs: the count that the footer states; 0: it states a sum
	Line        int      // footer_differs: the line of the footer, from 1; cut_ids: the first
	Named       int      // unclaimed_lines: how many of the lines name an order that was matched by AWB
	Examples    []string // a few names, methods or AWBs as the files write them, shortened; ledger_apart: the two brands
}

// Deducted is how most paid orders are short alike.
type Deducted uint8

// How orders are short alike.
const (
	DeductedShare   Deducted = iota // by a like share
	DeductedAmount                  // by the same amount
	DeductedCharges                 // by the charges that the reports state
)

// AddWarnings adds to the warnings of some documents of a run those of another one, of which each code is told once.
func AddWarnings(all, more []Warning) []Warning {
	for i := range more {
		if !slices.ContainsFunc(all, func(w Warning) bool { return w.Code == more[i].Code }) {
			all = append(all, more[i])
		}
	}
	return all
}

// HasCount says whether the warning has a Count, which may be 0 out of some.
func (w *Warning) HasCount() bool { return w.Count > 0 || w.Of > 0 || w.StatedCount > 0 }
