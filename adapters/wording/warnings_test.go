package wording

import (
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"milaan/domain"
	"milaan/ports/peers"
)

// messages are whole warnings, for people to read.
var messages = []struct {
	warning domain.Warning
	want    string
}{
	{domain.Warning{Code: domain.WarnNothingMatched, Count: 1200},
		"None of the 1,200 orders of the export is in the report: check that both files are of the same shop and the same time, and that the report has the AWBs or the order ids of the export."},
	{domain.Warning{Code: domain.WarnNothingMatched, Count: 1},
		"The only order of the export is not in the report: check that both files are of the same shop and the same time, and that the report has the AWBs or the order ids of the export."},
	{domain.Warning{Code: domain.WarnFewMatched, Count: 12345, Of: 40000},
		"Only 12,345 of 40,000 shipped COD orders whose window has ended are in the report (30 %): check that it is the report of this shop and time, and reconcile with the other reports of that time."},
	{domain.Warning{Code: domain.WarnFewMatched, Count: 1, Of: 2},
		"Only 1 of 2 shipped COD orders whose window has ended is in the report (50 %): check that it is the report of this shop and time, and reconcile with the other reports of that time."},
	{domain.Warning{Code: domain.WarnFewMatched, Of: 2},
		"None of the 2 shipped COD orders whose window has ended is in the report: check that it is the report of this shop and time, and reconcile with the other reports of that time."},
	{domain.Warning{Code: domain.WarnFewMatched},
		"Few of the shipped COD orders whose window has ended are in the report: check that it is the report of this shop and time, and reconcile with the other reports of that time."},
	{domain.Warning{Code: domain.WarnOutsideReport, Count: 310, Amount: 40255050, HasAmount: true},
		"310 orders with ₹4,02,550.50 due are in no report, and few or none of the orders of the same courier and time are, so they are not called MISSING: reconcile with the report of that courier and time that may list them."},
	{domain.Warning{Code: domain.WarnOutsideReport, Count: 1},
		"1 order is in no report, and few or none of the orders of the same courier and time are, so it is not called MISSING: reconcile with the report of that courier and time that may list it."},
	{domain.Warning{Code: domain.WarnUnnamedCouriers, Count: 2, Report: 1, By: 2},
		"Reports with one header count as those of one courier, because nothing says whose they are, but the AWBs of some begin like none of the others: if they are of several couriers, name the courier of each report (in a request as courierName, on the command line after the file and a colon)."},
	{domain.Warning{Code: domain.WarnUnclaimedLines, Count: 5, Amount: 3895 * rs, HasAmount: true},
		"5 lines of the report with ₹3,895 remitted belong to no order of the export: check whether they are of another shop or another time, and export all orders of the report's time."},
	{domain.Warning{Code: domain.WarnUnclaimedLines, Count: 1, Named: 1, Amount: 499 * rs, HasAmount: true},
		"1 line of the report with ₹499 remitted names an order that is paid already, and counts for no order: check whether it is a second payment, or of another shop with the same numbers."},
	{domain.Warning{Code: domain.WarnUnclaimedLines, Count: 5, Named: 5, Amount: 3895 * rs, HasAmount: true},
		"5 lines of the report with ₹3,895 remitted name orders that are paid already, and count for no order: check whether they are second payments, or of another shop with the same numbers."},
	{domain.Warning{Code: domain.WarnUnclaimedLines, Count: 5, Named: 1, Amount: 3895 * rs, HasAmount: true},
		"5 lines of the report with ₹3,895 remitted count for no order: 1 of them names an order that is paid already (check whether it is a second payment, or of another shop with the same numbers), and the others belong to no order of the export (export all orders of the report's time)."},
	{domain.Warning{Code: domain.WarnUnclaimedLines, Count: 2, Named: 1, Amount: 3895 * rs, HasAmount: true},
		"2 lines of the report with ₹3,895 remitted count for no order: 1 of them names an order that is paid already (check whether it is a second payment, or of another shop with the same numbers), and the other belongs to no order of the export (export all orders of the report's time)."},
	{domain.Warning{Code: domain.WarnUnclaimedLines, Count: 1, HasAmount: true},
		"1 line of the report with ₹0 remitted belongs to no order of the export: check whether it is of another shop or another time, and export all orders of the report's time."},
	{domain.Warning{Code: domain.WarnUnidentifiedMoney, Count: 1, Amount: 500 * rs, HasAmount: true},
		"1 line of the report has money, ₹500 in all, but neither an AWB nor an order id, and counts for no order: ask the courier which parcels it is for, and get a report that has their ids."},
	{domain.Warning{Code: domain.WarnUnidentifiedMoney, Count: 2, Amount: 500 * rs, HasAmount: true},
		"2 lines of the report have money, ₹500 in all, but neither an AWB nor an order id, and count for no order: ask the courier which parcels they are for, and get a report that has their ids."},
	{domain.Warning{Code: domain.WarnRepeatedLines, Count: 1, Amount: 500 * rs, HasAmount: true},
		"1 line of the report repeats another one and is not counted again, ₹500 in all: if it is a payment of its own, get a report in which each payment has an AWB or a UTR of its own."},
	{domain.Warning{Code: domain.WarnRepeatedLines, Count: 12, HasAmount: true},
		"12 lines repeat other ones and are not counted again. Nothing is remitted on them."},
	{domain.Warning{Code: domain.WarnRepeatedLines, Count: 12},
		"12 lines of the report repeat other ones and are not counted again: if they are payments of their own, get a report in which each payment has an AWB or a UTR of its own."},
	{domain.Warning{Code: domain.WarnCorrectedPayout, Report: 1, By: 2, Payouts: 1, Count: 5, Amount: 4000 * rs, HasAmount: true},
		"A payout is listed by two reports in different ways, and the later report counts, so that 5 lines of the earlier one with ₹4,000 remitted count nowhere: if the other report is the newer one, give it last."},
	{domain.Warning{Code: domain.WarnPayoutListedTwice, Report: 1, By: 2, Payouts: 2, Count: 5, Amount: 4000 * rs, HasAmount: true},
		"2 payouts seem to be listed by two reports in different ways, and both reports count: if one of them is the corrected report, give it without the other."},
	{domain.Warning{Code: domain.WarnRoundedAWBs, Count: 3, Of: 120, File: domain.CourierFile, Examples: []string{"1.49026E+13"}},
		"A spreadsheet seems to have rounded 3 AWBs of 120 in the report, such as “1.49026E+13”, which name no parcel now: get the file again, and do not save it in a spreadsheet unless the AWB column is text."},
	{domain.Warning{Code: domain.WarnRoundedAWBs, Count: 1, File: domain.StorefrontFile},
		"A spreadsheet seems to have rounded 1 AWB in the export, which names no parcel now: get the file again, and do not save it in a spreadsheet unless the AWB column is text."},
	{domain.Warning{Code: domain.WarnRoundedAWBs, Count: 3},
		"A spreadsheet seems to have rounded 3 AWBs, which name no parcel now: get the file again, and do not save it in a spreadsheet unless the AWB column is text."},
	{domain.Warning{Code: domain.WarnRoundedAWBs, Count: 1, Of: 3, File: domain.LedgerFile, Examples: []string{"1.9E+12"}},
		"A spreadsheet seems to have rounded the AWBs of 1 open item of 3 that only the ledger has, such as “1.9E+12”, and they name no parcel now: give the ledger as Milaan has written it, or an export that has this order with its AWB in full."},
	{domain.Warning{Code: domain.WarnCutIDs, Count: 12, Line: 2, Column: "Order ID", Examples: []string{"1.49026E+15"}},
		"A spreadsheet seems to have cut digits off the ids in the column “Order ID” on 12 lines of the report, from line 2 on, such as “1.49026E+15”, so that several parcels or orders may count as one: export the report again with that column as text."},
	{domain.Warning{Code: domain.WarnRoundedUTRs, Count: 3, Examples: []string{"6.09912E+11"}},
		"A spreadsheet seems to have rounded the UTRs of 3 lines, such as “6.09912E+11”, so only their days show which payout they are of: get the file again, and do not save it in a spreadsheet unless the UTR column is text."},
	{domain.Warning{Code: domain.WarnOrderIDColumn, Column: "Reference No", OtherColumn: "Order ID"},
		"Order ids are read from the column “Reference No”, which names more orders of the export than “Order ID”: if that is wrong, name the right column for order_id yourself (in a request with courierName custom and columns, on the command line with --column)."},
	{domain.Warning{Code: domain.WarnOrderIDColumn, Column: "Reference No"},
		"Order ids are read from the column “Reference No”, which names the most orders of the export: if that is wrong, name the right column for order_id yourself (in a request with courierName custom and columns, on the command line with --column)."},
	{domain.Warning{Code: domain.WarnColumnsInDoubt, Examples: []string{"COD Amount", "COD Amount (INR)"}},
		"Some columns are not read, “COD Amount” and “COD Amount (INR)”, because the saved mapping does not name them and it is in doubt which role they have, so an amount, a date or a status may be absent: name the right ones yourself (in a request with courierName custom and columns, on the command line with --column), or get a report in which each column has a name of its own."},
	{domain.Warning{Code: domain.WarnUnknownSheets, Examples: []string{"Aprl"}},
		"A sheet was named that no file of this run has, “Aprl”, so what was read may lack a part or be of another month: check the name."},
	{domain.Warning{Code: domain.WarnCollectedOnly, Count: 3},
		"3 lines count as paid in full because they have a payment date, and a payout that was short is not seen: only what was collected is known from the columns that were named. If the report states what was paid out, name that column as remitted_amount too (in a request in columns, on the command line with --column)."},
	{domain.Warning{Code: domain.WarnCollectedOnly, Count: 3, Column: "Paid"},
		"3 lines count as paid in full because they have a payment date, and a payout that was short is not seen: the column “Paid” is not read, and has smaller amounts. If they are what was paid out, name that column as remitted_amount (in a request with courierName custom and columns, on the command line with --column)."},
	{domain.Warning{Code: domain.WarnAmbiguousDates, File: domain.CourierFile, Column: "Delivered Date"},
		"The dates in the column “Delivered Date” of the report can all be read day first or month first, and are read month first, which fits the other dates better: check one of them, and export dates as YYYY-MM-DD."},
	{domain.Warning{Code: domain.WarnAmbiguousDates, File: domain.StorefrontFile, Column: "Fulfilled at"},
		"The dates in the column “Fulfilled at” of the export can all be read day first or month first, and are read month first, which fits the other dates better: check one of them, and export dates as YYYY-MM-DD."},
	{domain.Warning{Code: domain.WarnAmbiguousDates, File: domain.CourierFile, Column: "Date", DayFirst: true},
		"The dates in the column “Date” of the report can all be read day first or month first, and are read day first, though month first fits the other dates as well: check one of them, and export dates as YYYY-MM-DD."},
	{domain.Warning{Code: domain.WarnAmbiguousDates},
		"The dates can all be read day first or month first, and are read month first, which fits the other dates better: check one of them, and export dates as YYYY-MM-DD."},
	{domain.Warning{Code: domain.WarnUnknownPaymentMethods, Count: 2, Amount: 1500 * rs, HasAmount: true, Examples: []string{"Gulmohar Wallet", "Barter"}},
		"2 pending orders have payment methods that are neither cash on delivery nor known as prepaid, such as “Gulmohar Wallet” and “Barter”, and count as prepaid, ₹1,500 in all: if cash is collected for them, write Cash on Delivery as the payment method in the export."},
	{domain.Warning{Code: domain.WarnUnknownPaymentMethods, Count: 1, Examples: []string{"A", "B", "C"}},
		"1 pending order has a payment method that is neither cash on delivery nor known as prepaid, such as “A”, “B” and “C”, and counts as prepaid: if cash is collected for it, write Cash on Delivery as the payment method in the export."},
	{domain.Warning{Code: domain.WarnDeductions, Count: 240, Of: 240, Share: 236, Amount: 5210 * rs, Unexplained: 5210 * rs, HasAmount: true},
		"240 of 240 paid orders are short by about 2.36 %, ₹5,210 in all, as if the courier had deducted its charges: check them against its invoice, or reconcile with a report that states amounts before deductions."},
	{domain.Warning{Code: domain.WarnDeductions, Count: 9, Of: 10, Kind: domain.DeductedAmount, Each: 20 * rs, Amount: 180 * rs, Unexplained: 180 * rs, HasAmount: true},
		"9 of 10 paid orders are short by ₹20, ₹180 in all, as if the courier had deducted its charges: check them against its invoice, or reconcile with a report that states amounts before deductions."},
	{domain.Warning{Code: domain.WarnDeductions, Count: 9, Of: 10, Kind: domain.DeductedCharges, Amount: 180 * rs, HasAmount: true},
		"9 of 10 paid orders are short by the charges that the report states, ₹180 in all: check these against your agreement with the courier."},
	{domain.Warning{Code: domain.WarnDeductions, Count: 240},
		"Most paid orders are short by a like share, as if the courier had deducted its charges: check them against its invoice, or reconcile with a report that states amounts before deductions."},
	{domain.Warning{Code: domain.WarnFooterDiffers, Line: 121, StatedCount: 119, Count: 118},
		"The footer in line 121 of the report states 119 lines, but 118 were read: check that the report is whole and as the courier sent it, and get it again if it is not."},
	{domain.Warning{Code: domain.WarnFooterDiffers, Line: 3, StatedCount: 1},
		"The footer in line 3 of the report states 1 line, but 0 were read: check that the report is whole and as the courier sent it, and get it again if it is not."},
	{domain.Warning{Code: domain.WarnFooterDiffers, Line: 121, Stated: 5000 * rs, Amount: 4500 * rs, HasAmount: true},
		"The footer in line 121 of the report states ₹5,000, but the lines read come to ₹4,500: check that the report is whole and as the courier sent it, and get it again if it is not."},
	{domain.Warning{Code: domain.WarnOneNameTwoOrders, Count: 2, Examples: []string{"#1001", "#1002"}},
		"2 orders of the export have the same name as another one with another date, such as “#1001” and “#1002”, and a line that gives the name alone may count for the wrong one: reconcile each store by itself, or have the AWBs in the export."},
	{domain.Warning{Code: domain.WarnOneNameTwoOrders, Count: 1},
		"1 order of the export has the same name as another one with another date, and a line that gives the name alone may count for the wrong one: reconcile each store by itself, or have the AWBs in the export."},
	{domain.Warning{Code: domain.WarnReturnedWithAmount, Count: 2, Amount: 1300 * rs, HasAmount: true},
		"2 returned orders are flagged only because the report has a COD amount for them, ₹1,300 in all: before you escalate, ask the courier whether that column states what was collected or what was to be collected."},
	{domain.Warning{Code: domain.WarnReturnedWithAmount, Count: 1},
		"1 returned order is flagged only because the report has a COD amount for it: before you escalate, ask the courier whether that column states what was collected or what was to be collected."},
	{domain.Warning{Code: domain.WarnLedgerFull, Count: 3, Amount: 4500 * rs, HasAmount: true},
		"3 open items are not in the ledger that this run writes, ₹4,500 in all, because it has no room for more, and the next run knows nothing of them: reconcile each store by itself, or give the next run what this one was given."},
	{domain.Warning{Code: domain.WarnLedgerFull, Count: 1},
		"1 open item is not in the ledger that this run writes, because it has no room for more, and the next run knows nothing of it: reconcile each store by itself, or give the next run what this one was given."},
	{domain.Warning{Code: domain.WarnItemsUnread},
		"The open items that this connection keeps cannot be read, and stay as they are, while passes go on without them: if a newer version of the program has written them, run that version again; if the service's secret was changed, set the earlier one beside it; else switch their keeping off and on again, which deletes them."},
	{domain.Warning{Code: domain.WarnLeavingWindow, Count: 3, Amount: 4500 * rs, HasAmount: true},
		"3 orders leave the window unpaid with the next day, with ₹4,500 still due, and are not looked at any more after that: claim the money from the courier now, or compare by hand with an export that has them."},
	{domain.Warning{Code: domain.WarnLeavingWindow, Count: 1},
		"1 order leaves the window unpaid with the next day, and is not looked at any more after that: claim the money from the courier now, or compare by hand with an export that has it."},
	{domain.Warning{Code: domain.WarnEmptyReport},
		"The report has a header and no lines below it: check that it is the whole report, and get it again if it is not."},
}

func TestMessages(t *testing.T) {
	c := New()
	for _, m := range messages {
		require.Equal(t, m.want, c.Warning(&m.warning, nil))
	}
}

// TestMessagesOfSeveralReports holds what is said where there are several reports: of the
// one that the warning is about, or of all.
func TestMessagesOfSeveralReports(t *testing.T) {
	named, all := 2, 3
	for want, w := range map[string]domain.Warning{
		"None of the 12 orders of the export is in the reports: check that all files are of the same shop and the same time, and that the reports have the AWBs or the order ids of the export.":                                                                                                                                                                                       {Code: domain.WarnNothingMatched, Count: 12, Reports: all},
		"Only 1 of 2 shipped COD orders whose window has ended is in the reports (50 %): check that they are the reports of this shop and time, and reconcile with the other reports of that time.":                                                                                                                                                                                    {Code: domain.WarnFewMatched, Count: 1, Of: 2, Reports: all},
		"1 order is in no report, and few or none of the orders of the same courier and time are, so it is not called MISSING: reconcile with the report of that courier and time that may list it.":                                                                                                                                                                                   {Code: domain.WarnOutsideReport, Count: 1, Reports: all},
		"5 lines of the reports with ₹3,895 remitted belong to no order of the export: check whether they are of another shop or another time, and export all orders of the time of the reports.":                                                                                                                                                                                      {Code: domain.WarnUnclaimedLines, Count: 5, Amount: 3895 * rs, HasAmount: true, Reports: all},
		"1 line of the reports repeats another one and is not counted again: if it is a payment of its own, get a report in which each payment has an AWB or a UTR of its own.":                                                                                                                                                                                                        {Code: domain.WarnRepeatedLines, Count: 1, Reports: all},
		"1 returned order is flagged only because a report has a COD amount for it: before you escalate, ask the courier whether that column states what was collected or what was to be collected.":                                                                                                                                                                                   {Code: domain.WarnReturnedWithAmount, Count: 1, Reports: all},
		"1 line has money in report 2, ₹500 in all, but neither an AWB nor an order id, and counts for no order: ask the courier which parcels it is for, and get a report that has their ids.":                                                                                                                                                                                        {Code: domain.WarnUnidentifiedMoney, Count: 1, Amount: 500 * rs, HasAmount: true, Report: named},
		"A payout of report 2 (“N1”) is in report 3 again with other amounts, dates, UTRs or order ids, and report 3 counts. 1 line of report 2 with ₹800 remitted counts nowhere: if report 2 is the newer report, give it last.":                                                                                                                                                     {Code: domain.WarnCorrectedPayout, Report: 2, By: 3, Payouts: 1, Count: 1, Amount: 800 * rs, HasAmount: true, Reports: 3, Examples: []string{"N1"}},
		"3 payouts of report 2, such as “N1” and 2026-10-04, seem to be in report 3 again with other amounts, dates, UTRs or order ids. It may not be a correction, so both count, also 9 lines of report 2 with ₹800 remitted: if they are the same money, leave out of one report what the other lists; if report 3 is the corrected report and has all of report 2, give it alone.": {Code: domain.WarnPayoutListedTwice, Report: 2, By: 3, Payouts: 3, Count: 9, Amount: 800 * rs, HasAmount: true, Reports: 3, Examples: []string{"N1"}, PaidOn: []domain.Day{day(10, 4)}},
		"A spreadsheet seems to have rounded 3 AWBs of 120 in report 2, which name no parcel now: get the file again, and do not save it in a spreadsheet unless the AWB column is text.":                                                                                                                                                                                              {Code: domain.WarnRoundedAWBs, Count: 3, Of: 120, File: domain.CourierFile, Report: named},
		"A spreadsheet seems to have cut digits off the ids in the column “AWB No” on 9 lines of report 2, from line 5 on, such as “1490260300000010”, so that several parcels or orders may count as one: export the report again with that column as text.":                                                                                                                          {Code: domain.WarnCutIDs, Report: 2, Count: 9, Line: 5, Column: "AWB No", Examples: []string{"1490260300000010"}},
		"A spreadsheet seems to have rounded the UTRs of 1 line of report 2, so only its day shows which payout it is of: get the file again, and do not save it in a spreadsheet unless the UTR column is text.":                                                                                                                                                                      {Code: domain.WarnRoundedUTRs, Count: 1, Report: named},
		"Order ids are read from the column “B” of report 2, which names more orders of the export than “A”: if that is wrong, name the right column for order_id yourself (in a request with courierName custom and columns, on the command line with --column).":                                                                                                                     {Code: domain.WarnOrderIDColumn, Column: "B", OtherColumn: "A", Report: named},
		"The dates in the column “D” of report 2 can all be read day first or month first, and are read month first, which fits the other dates better: check one of them, and export dates as YYYY-MM-DD.":                                                                                                                                                                            {Code: domain.WarnAmbiguousDates, File: domain.CourierFile, Column: "D", Report: named},
		"The footer in line 121 of report 2 states 119 lines, but 118 were read: check that the report is whole and as the courier sent it, and get it again if it is not.":                                                                                                                                                                                                            {Code: domain.WarnFooterDiffers, Line: 121, StatedCount: 119, Count: 118, Report: named},
		"All 8 orders that one report lists (report 2) are prepaid: if it is a payment gateway's and not a courier's, leave it out; else find out whether the buyers of the 8 prepaid orders for which cash was collected have paid twice, and refund what was paid twice.":                                                                                                            {Code: domain.WarnPrepaidCollected, Count: 8, Of: 8, Report: 2, Reports: 3},
		"There is no line below the header of report 2: check that it is the whole report, and get it again if it is not.":                                                                                                                                                                                                                                                             {Code: domain.WarnEmptyReport, Report: named},
		"2 reports with one header count as those of one courier, because nothing says whose they are, but the AWBs of report 2 begin like none of report 3: if they are of several couriers, name the courier of each report (in a request as courierName, on the command line after the file and a colon).":                                                                          {Code: domain.WarnUnnamedCouriers, Count: 2, Report: named, By: 3, Reports: all},
	} {
		require.Equal(t, want, New().Warning(&w, surface(peers.API)))
	}
}

// messagesOfLedgers are of runs that are given a ledger.
var messagesOfLedgers = map[string]domain.Warning{
	"The ledger and this run have different brands, “Asha” and “Kurta”: check that the ledger is of the same shop, and that the last run of this shop has written it.":                                                                                                                                                     {Code: domain.WarnLedgerApart, Count: 812, Examples: []string{"Asha", "Kurta"}},
	"None of the 812 orders of the ledger is in the other files of this run: check that the ledger is of the same shop, and that the last run of this shop has written it.":                                                                                                                                                {Code: domain.WarnLedgerApart, Count: 812},
	"3 lines have money, ₹2,100 in all, but no AWB, or neither a UTR nor a date, so the next run tells them from others by their ids and amounts alone, and a later payment that looks the same counts as one of them: get reports with the AWB and the UTR on each line.":                                                 {Code: domain.WarnWeakLines, Count: 3, Amount: 2100 * rs, HasAmount: true},
	"1 line has money, ₹700 in all, but no AWB, or neither a UTR nor a date, so the next run tells it from others by its ids and amount alone, and a later payment that looks the same counts as it: get reports with the AWB and the UTR on each line.":                                                                   {Code: domain.WarnWeakLines, Count: 1, Amount: 700 * rs, HasAmount: true},
	"2 open items were promised until a day that has passed, ₹1,998 in all, and are not paid: remind the courier, and enter the new day or another state.":                                                                                                                                                                 {Code: domain.WarnPromisesPassed, Count: 2, Amount: 1998 * rs, HasAmount: true},
	"1 open item was promised until a day that has passed, ₹999 in all, and is not paid: remind the courier, and enter the new day or another state.":                                                                                                                                                                      {Code: domain.WarnPromisesPassed, Count: 1, Amount: 999 * rs, HasAmount: true},
	"2 open items are not in the ledger that this run writes, ₹1,998 in all, because it has no room for more, and the next run knows nothing of them: reconcile each store by itself, or give the next run what this one was given.":                                                                                       {Code: domain.WarnLedgerFull, Count: 2, Amount: 1998 * rs, HasAmount: true},
	"A payout of the ledger (“N1”) is in the file again with other amounts, dates, UTRs or order ids, and the file counts. 1 line of the ledger with ₹800 remitted counts nowhere: if the file is older than what the ledger has, run again without it.":                                                                   {Code: domain.WarnCorrectedPayout, Report: 2, By: 1, Payouts: 1, Count: 1, Amount: 800 * rs, HasAmount: true, Examples: []string{"N1"}},
	"A payout of the ledger (“N1”) is in report 2 again with other amounts, dates, UTRs or order ids, and report 2 counts. 1 line of the ledger with ₹800 remitted counts nowhere: if report 2 is older than what the ledger has, run again without it.":                                                                   {Code: domain.WarnCorrectedPayout, Report: 3, By: 2, Reports: 2, Payouts: 1, Count: 1, Amount: 800 * rs, HasAmount: true, Examples: []string{"N1"}},
	"A payout of the ledger (“N1”) seems to be in report 2 again with other amounts, dates, UTRs or order ids. It may not be a correction, so both count, also 9 lines of the ledger with ₹800 remitted: if report 2 is the corrected report, run again without the ledger, with every report of the time that it covers.": {Code: domain.WarnPayoutListedTwice, Report: 3, By: 2, Reports: 2, Payouts: 1, Count: 9, Amount: 800 * rs, HasAmount: true, Examples: []string{"N1"}},
}

func TestMessagesOfLedgers(t *testing.T) {
	for want, w := range messagesOfLedgers {
		require.Equal(t, want, New().Warning(&w, surface(peers.API)))
	}
}

// messagesOfVouchers are of documents, and of no run.
var messagesOfVouchers = map[string]domain.Warning{
	"No voucher is written of 2 payouts (“N1” and 2026-10-04) with ₹57 paid out because they are from before the first day of the bank statement, which does not show them whole: if they are not posted yet, write them with a statement that begins before them.": {Code: domain.WarnBeforeStatement, Count: 2, Payouts: 2, Amount: 57 * rs, HasAmount: true, Examples: []string{"N1"}, PaidOn: []domain.Day{day(10, 4)}},
	"No voucher is written of 1 payout (“N1”) with -₹7 paid out because it is from before the first day of the bank statement, which does not show it whole: if it is not posted yet, write it with a statement that begins before it.":                             {Code: domain.WarnBeforeStatement, Count: 1, Payouts: 1, Amount: -7 * rs, HasAmount: true, Examples: []string{"N1"}},
	"No voucher is written of 12 payouts with ₹57 paid out, such as “N1”, because the ledger may have forgotten lines of them: if they are not posted yet, write them from the reports that list them.":                                                             {Code: domain.WarnIncompletePayouts, Count: 12, Payouts: 12, Amount: 57 * rs, HasAmount: true, Examples: []string{"N1"}},
}

func TestMessagesOfVouchers(t *testing.T) {
	for want, w := range messagesOfVouchers {
		require.Equal(t, want, New().Warning(&w, nil))
	}
}

// messagesOfPasses speak of the shop and its window, because nobody has exported its orders.
var messagesOfPasses = map[string]domain.Warning{
	"The only order of the window is not in the reports: check that the sources have the reports of this shop, and that these have the AWBs or the order ids of the shop.":                                                                                                                                                             {Code: domain.WarnNothingMatched, Count: 1},
	"Only 12 of 40 shipped COD orders that should have been paid by now are in the reports (30 %): check that the sources have all reports of this shop since the start of the window.":                                                                                                                                                {Code: domain.WarnFewMatched, Count: 12, Of: 40},
	"None of the 2 shipped COD orders that should have been paid by now is in the reports: check that the sources have all reports of this shop since the start of the window.":                                                                                                                                                        {Code: domain.WarnFewMatched, Of: 2, Reports: 3},
	"1 order with ₹499 due is in no report, and few or none of the orders of the same courier and time are, so it is not called MISSING: check that the sources have all reports of every courier.":                                                                                                                                    {Code: domain.WarnOutsideReport, Count: 1, Amount: 499 * rs, HasAmount: true},
	"1 line of the reports with ₹499 remitted belongs to no order that the shop has in the window: check whether it is of another shop or of an order from before the window.":                                                                                                                                                         {Code: domain.WarnUnclaimedLines, Count: 1, Amount: 499 * rs, HasAmount: true},
	"5 lines of the reports belong to no order that the shop has in the window: check whether they are of another shop or of an order from before the window.":                                                                                                                                                                         {Code: domain.WarnUnclaimedLines, Count: 5, Reports: 3},
	"2 lines of the reports have money, ₹500 in all, but neither an AWB nor an order id, and count for no order: ask the courier which parcels they are for, and get reports that have their ids.":                                                                                                                                     {Code: domain.WarnUnidentifiedMoney, Count: 2, Amount: 500 * rs, HasAmount: true},
	"1 line of the reports repeats another one and is not counted again: if it is a payment of its own, get a report in which each payment has an AWB or a UTR of its own.":                                                                                                                                                            {Code: domain.WarnRepeatedLines, Count: 1, Reports: 3},
	"A payout is listed by two reports in different ways, and the later report counts, so that 5 lines of the earlier one with ₹4,000 remitted count nowhere: if the earlier report is right, leave the later mail or file out.":                                                                                                       {Code: domain.WarnCorrectedPayout, Payouts: 1, Count: 5, Amount: 4000 * rs, HasAmount: true},
	"2 payouts seem to be listed by two reports in different ways, and both reports count: check which one is right, and leave the other mail or file out.":                                                                                                                                                                            {Code: domain.WarnPayoutListedTwice, Payouts: 2, Count: 5, Amount: 4000 * rs, HasAmount: true},
	"A spreadsheet seems to have rounded 3 AWBs of 120 in the reports, which name no parcel now: get the files again, and do not save them in a spreadsheet unless the AWB column is text.":                                                                                                                                            {Code: domain.WarnRoundedAWBs, Count: 3, Of: 120, File: domain.CourierFile, Reports: 3},
	"A spreadsheet seems to have rounded the UTRs of 2 lines of the reports, so only their days show which payout they are of: get the files again, and do not save them in a spreadsheet unless the UTR column is text.":                                                                                                              {Code: domain.WarnRoundedUTRs, Count: 2, Reports: 3},
	"A spreadsheet seems to have cut digits off the ids on 2 lines of the reports, so that several parcels or orders may count as one: get the files again, and do not save them in a spreadsheet unless the columns of AWBs and order ids are text.":                                                                                  {Code: domain.WarnCutIDs, Count: 2, Reports: 3},
	"A spreadsheet seems to have rounded 1 AWB of 120 of the shop's orders, which names no parcel now: enter it in the shop as the courier states it.":                                                                                                                                                                                 {Code: domain.WarnRoundedAWBs, Count: 1, Of: 120, File: domain.StorefrontFile},
	"Order ids of the reports are read from the column that names the most orders of the shop, and not from the one with the better name: if that is wrong, state the column for the order id in the settings of the source, under columns.":                                                                                           {Code: domain.WarnOrderIDColumn},
	"Some columns of the reports are not read because the saved mapping does not name them and it is in doubt which role they have, so an amount, a date or a status may be absent: state the right ones in the settings of the source, under columns, or get reports in which each column has a name of its own.":                     {Code: domain.WarnColumnsInDoubt},
	"1 line counts as paid in full because it has a payment date, and a short payout is not seen: if the reports state what was paid out, state that column as remitted_amount in the settings of the source, under columns.":                                                                                                          {Code: domain.WarnCollectedOnly, Count: 1},
	"The dates of a report can all be read day first or month first, and may have been read the wrong way: check one of them, and get reports with dates as YYYY-MM-DD.":                                                                                                                                                               {Code: domain.WarnAmbiguousDates, File: domain.CourierFile},
	"2 pending orders have payment methods that are neither cash on delivery nor known as prepaid, and count as prepaid, ₹1,500 in all: if cash is collected for them, call the payment method Cash on Delivery in the shop.":                                                                                                          {Code: domain.WarnUnknownPaymentMethods, Count: 2, Amount: 1500 * rs, HasAmount: true},
	"240 of 250 paid orders are short by about 2.36 %, ₹5,210 in all, of which no charge explains ₹10, as if the couriers had deducted their charges: check them against their invoices, or get reports that state amounts before deductions.":                                                                                         {Code: domain.WarnDeductions, Count: 240, Of: 250, Unexplained: 10 * rs, Share: 236, Amount: 5210 * rs, HasAmount: true},
	"A payout of delhivery seems to be absent: it pays every 7 days, but not between 2026-09-21 and 2026-10-05. 10 orders with ₹5,000 due would be in it and are not called MISSING: check that the sources have the report of that payout.":                                                                                           {Code: domain.WarnPayoutGap, Count: 10, Amount: 5000 * rs, HasAmount: true, Gap: domain.Gap{After: day(9, 21), Before: day(10, 5), Every: 7, Courier: "delhivery"}},
	"All 8 orders that the reports list are prepaid, with ₹1,300 in all: if a report is a payment gateway's and not a courier's, leave it out; else find out whether the buyers have paid twice, and refund what was paid twice.":                                                                                                      {Code: domain.WarnPrepaidCollected, Count: 8, Of: 8, Amount: 1300 * rs, HasAmount: true},
	"All 8 orders that one report lists are prepaid: if it is a payment gateway's and not a courier's, leave it out; else find out whether the buyers of the 9 prepaid orders for which cash was collected, ₹1,300 in all, have paid twice, and refund what was paid twice.":                                                           {Code: domain.WarnPrepaidCollected, Count: 9, Of: 8, Report: 2, Reports: 3, Amount: 1300 * rs, HasAmount: true},
	"The courier has collected cash for 2 prepaid orders, ₹1,300 in all: find out whether the buyers have paid twice, and refund what was paid twice.":                                                                                                                                                                                 {Code: domain.WarnPrepaidCollected, Count: 2, Amount: 1300 * rs, HasAmount: true},
	"2 orders, such as “#7”, count as paid, with ₹1,300, though the courier lists them with a remittance status that says that the money went back or did not arrive, such as Reversed: ask the courier and the bank whether it was taken back, and if it was, claim it again.":                                                        {Code: domain.WarnReversedPayments, Count: 2, Amount: 1300 * rs, HasAmount: true, Examples: []string{"#7"}},
	"The footer of a report states a total that its lines do not have: drop the latest reports on the page Reconcile to see which one it is, and get it again if it is not whole and as the courier sent it.":                                                                                                                          {Code: domain.WarnFooterDiffers, Reports: 3},
	"2 orders of the shop have the same name as another one with another date, and a line that gives the name alone may count for the wrong one: enter the AWBs in the shop, which tell them apart.":                                                                                                                                   {Code: domain.WarnOneNameTwoOrders, Count: 2},
	"2 returned orders are flagged only because a report has a COD amount for them, ₹1,300 in all: before you escalate, ask the courier whether that column states what was collected or what was to be collected.":                                                                                                                    {Code: domain.WarnReturnedWithAmount, Count: 2, Amount: 1300 * rs, HasAmount: true, Reports: 3},
	"At least one report has a header and no lines below it: check that it is the whole report, and get it again if it is not.":                                                                                                                                                                                                        {Code: domain.WarnEmptyReport, Reports: 3},
	"The open items that this connection keeps cannot be read, and stay as they are, while passes go on without them: if a newer version of the program has written them, run that version again; if the service's secret was changed, set the earlier one beside it; else switch their keeping off and on again, which deletes them.": {Code: domain.WarnItemsUnread},
	"3 orders leave the window unpaid with the next day, with ₹4,500 still due, and are not looked at any more after that: claim the money from the courier now, or compare by hand with an export that has them.":                                                                                                                     {Code: domain.WarnLeavingWindow, Count: 3, Amount: 4500 * rs, HasAmount: true},
	"2 reports of a source count as those of one courier, because the source names none, but the AWBs of some begin like none of the others: if they are of several couriers, give each courier a source of its own, and name it there.":                                                                                               {Code: domain.WarnUnnamedCouriers, Count: 2, Report: 1, By: 2, Reports: 2},
}

func TestMessagesOfPasses(t *testing.T) {
	codes := map[domain.WarningCode]bool{domain.WarnUnknownSheets: true} // nobody names the sheets of a pass
	for want, w := range messagesOfPasses {
		codes[w.Code] = true
		require.Equal(t, want, New().Warning(&w, surface(peers.Passes)))
	}
	for _, others := range []map[string]domain.Warning{messagesOfLedgers, messagesOfVouchers} { // a pass has no ledger, and writes no vouchers
		for _, w := range others {
			codes[w.Code] = true
		}
	}
	require.ElementsMatch(t, domain.WarningCodes(), slices.Collect(maps.Keys(codes)), "messagesOfPasses and the two others have each code")
}

// TestNoMessageOfAPassSpeaksOfAnExport holds that what a person must do is done in the shop
// or with a report, in both languages. What leaves the window can still be exported.
func TestNoMessageOfAPassSpeaksOfAnExport(t *testing.T) {
	inHindi, languages := regexp.MustCompile(`[\x{0900}-\x{097F}]`), NewLanguages()
	for _, w := range messagesOfPasses {
		for _, bare := range []bool{false, true} {
			if bare {
				w = domain.Warning{Code: w.Code, File: w.File}
			}
			for _, code := range []string{"en", "hi"} {
				text := languages.In(code).Warning(&w, surface(peers.Passes))
				require.Equal(t, code == "hi", inHindi.MatchString(text))
				if w.Code != domain.WarnLeavingWindow {
					require.NotRegexp(t, `(?i)\bexport|एक्सपोर्ट|--column|courierName|reconcile with`, text)
				}
			}
		}
	}
}

// TestEveryWarningHasWords holds that every code has a message with a remedy,
// whichever values it comes with.
func TestEveryWarningHasWords(t *testing.T) {
	require.Len(t, constants(t, "warning.go", "Warn"), len(domain.WarningCodes()), "WarningCodes lists them all")
	c := New()
	var worded []domain.WarningCode
	for code := range entries(english("warnings")) {
		worded = append(worded, domain.WarningCode(code))
	}
	require.ElementsMatch(t, domain.WarningCodes(), worded, "english.json has the words of every code")
	withRemedy := regexp.MustCompile(`^[A-Z1-9][^:]*: [^:]+\.$`)
	remains := regexp.MustCompile(`[{}\[\]#|"]|  |[^ ]\(|“”|\x00| [,:.;]`)
	said := map[string]bool{}
	for _, code := range domain.WarningCodes() {
		for values := range 1 << 9 {
			for _, n := range []int{1, 2} {
				w := domain.Warning{Code: code}
				set := func(bit int, do func()) {
					if values>>bit&1 == 1 {
						do()
					}
				}
				set(0, func() { w.Count = n })
				set(1, func() { w.Amount, w.HasAmount = 100, true })
				set(2, func() { w.Of = n })
				set(3, func() { w.File = domain.CourierFile })
				set(4, func() { w.Column = "Paid" })
				set(5, func() { w.OtherColumn = "Other \"one\"" })
				set(6, func() { w.Share, w.Stated = 200, 300 })
				set(7, func() { w.StatedCount, w.Line = n, 7 })
				set(8, func() { w.Examples = []string{"a", "b\x00c", "d"}[:n] })
				got := c.Warning(&w, nil)
				if !said[got] { // most codes leave most values out
					said[got] = true
					require.Regexp(t, withRemedy, got, "a sentence, and after a colon what to do")
					require.NotRegexp(t, remains, got)
				}
				if n == 1 && w.Count == 1 {
					require.NotRegexp(t, `\b1 (lines|orders|AWBs)\b`, got)
				}
			}
		}
	}
	unknown := domain.Warning{Code: "brand_new"}
	require.Equal(t, "brand_new", c.Warning(&unknown, nil))
}

// TestWarningsQuoteHarmlessly holds that columns and examples are as safe as what
// reasons repeat.
func TestWarningsQuoteHarmlessly(t *testing.T) {
	w := domain.Warning{Code: domain.WarnOrderIDColumn, Column: "a\"\n" + strings.Repeat("b", 100), OtherColumn: "\xff"}
	require.Contains(t, New().Warning(&w, nil), "column “a' "+strings.Repeat("b", 36)+"…”, which names more orders of the export than “\ufffd”:")
}
