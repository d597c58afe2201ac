package domain

// WarningCode names a warning for programs: stable. New codes may be added, and
// clients must tolerate them (decisions, section 6).
type WarningCode string

// The codes, in the order in which they are told.
const (
	WarnNothingMatched        WarningCode = "nothing_matched"
	WarnFewMatched            WarningCode = "few_matched"
	WarnOutsideReport         WarningCode = "outside_report"
	WarnUnclaimedLines        WarningCode = "unclaimed_lines"
	WarnUnidentifiedMoney     WarningCode = "unidentified_money"
	WarnRepeatedLines         WarningCode = "repeated_lines"
	WarnRoundedAWBs           WarningCode = "rounded_awbs"
	WarnOrderIDColumn         WarningCode = "order_id_column"
	WarnAmbiguousDates        WarningCode = "ambiguous_dates"
	WarnUnknownPaymentMethods WarningCode = "unknown_payment_methods"
	WarnDeductions            WarningCode = "deductions"
	WarnFooterDiffers         WarningCode = "footer_differs"
	WarnOneNameTwoOrders      WarningCode = "one_name_two_orders"
	WarnReturnedWithAmount    WarningCode = "returned_with_amount"
	WarnEmptyReport           WarningCode = "empty_report"
)

// WarningCodes lists every code, in the order in which warnings are told.
func WarningCodes() []WarningCode {
	return []WarningCode{WarnNothingMatched, WarnFewMatched, WarnOutsideReport, WarnUnclaimedLines, WarnUnidentifiedMoney,
		WarnRepeatedLines, WarnRoundedAWBs, WarnOrderIDColumn, WarnAmbiguousDates, WarnUnknownPaymentMethods, WarnDeductions,
		WarnFooterDiffers, WarnOneNameTwoOrders, WarnReturnedWithAmount, WarnEmptyReport}
}

// Warning is a doubt about a whole run that an accountant should know of before
// acting on it, as values. The words are elsewhere, one catalogue per language.
type Warning struct {
	Code      WarningCode
	Count     int   // of what the code counts: orders or lines; see HasCount
	Amount    Paise // of what the code sums
	HasAmount bool  // Amount is told, be it 0

	// What else the sentence is made of. Each code says which it has.

	Of          int      // few_matched, rounded_awbs: out of how many
	File        File     // ambiguous_dates, rounded_awbs: whose column
	Column      string   // order_id_column, ambiguous_dates: the column taken, or turned month first
	OtherColumn string   // order_id_column: the one of the better name
	Share       int      // deductions: the like share, in hundredths of a percent
	Stated      Paise    // footer_differs: the footer's sum
	StatedCount int      // footer_differs: the footer's count; 0: it states a sum
	Line        int      // footer_differs: the footer's line, from 1
	Examples    []string // a few names, methods or AWBs, as the files write them, shortened
}

// HasCount says that Count is told: it counts something, or none of some.
func (w *Warning) HasCount() bool { return w.Count > 0 || w.Of > 0 || w.StatedCount > 0 }
