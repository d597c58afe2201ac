package wording

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"milaan/domain"
	"milaan/tests/garbage"
)

func TestMain(m *testing.M) { garbage.Waits(m) }

func day(month, day int) domain.Day { return domain.DayFromDate(2026, time.Month(month), day) }

const rs = domain.Rupee

// base is a reason that most cases begin with: ₹650 due by 2026-10-08, as of
// 2026-10-20, in a report that reaches 2026-10-25.
func base(f domain.Flag, changes ...func(*domain.Reason)) domain.Reason {
	r := domain.Reason{Flag: f, Due: 650 * rs, Shortfall: 650 * rs, MinorGap: 2 * rs, DueBy: day(10, 8), AsOf: day(10, 20), DataThrough: day(10, 25)}
	for _, change := range changes {
		change(&r)
	}
	return r
}

func because(c domain.Cause) func(*domain.Reason) { return func(r *domain.Reason) { r.Cause = c } }

func noted(n domain.Notes) func(*domain.Reason) { return func(r *domain.Reason) { r.Notes |= n } }

func owing(due, remitted domain.Paise) func(*domain.Reason) {
	return func(r *domain.Reason) { r.Due, r.Remitted, r.Shortfall = due, remitted, due-remitted }
}

func listedAs(status, money string) func(*domain.Reason) {
	return func(r *domain.Reason) { r.CourierStatus, r.MoneyStatus = []byte(status), []byte(money) }
}

func paidOn(d domain.Day) func(*domain.Reason) { return func(r *domain.Reason) { r.RemittedOn = d } }

func reversing(status string, on domain.Day) func(*domain.Reason) {
	return func(r *domain.Reason) {
		r.Reversed = domain.Reversed{Status: []byte(status), On: on, Amount: r.Remitted}
		r.Notes |= domain.NoteReversed
	}
}

func paidWith(method string) func(*domain.Reason) {
	return func(r *domain.Reason) { r.Method = []byte(method) }
}

// listing is about lines with these COD amounts, each on one line.
func listing(amounts ...domain.Paise) func(*domain.Reason) {
	return func(r *domain.Reason) {
		for _, amount := range amounts[:min(len(amounts), domain.MostListings)] {
			r.Listings = append(r.Listings, domain.Listing{Amount: amount, Lines: 1})
		}
		r.ListedLines = len(amounts)
	}
}

func counted(by domain.Event) func(*domain.Reason) {
	return func(r *domain.Reason) { r.WindowDays, r.CountedFrom, r.CountedBy = 7, day(10, 1), by }
}

func charging(unexplained domain.Paise, charges ...domain.StatedCharge) func(*domain.Reason) {
	return func(r *domain.Reason) {
		r.Notes |= domain.NoteCharges
		r.Charges, r.Unexplained = charges, unexplained
		for _, c := range charges {
			r.Charged += c.Amount
		}
	}
}

func accepting(p domain.Paise) func(*domain.Reason) {
	return func(r *domain.Reason) { r.Accepted = p; r.Shortfall -= p }
}

func lacking(courier string) func(*domain.Reason) {
	return func(r *domain.Reason) {
		r.Gap = domain.Gap{After: day(9, 21), Before: day(10, 5), Every: 7, Courier: courier}
	}
}

func carriedBy(carrier string) func(*domain.Reason) {
	return func(r *domain.Reason) { r.Carrier = []byte(carrier) }
}

func behindIsOther(r *domain.Reason) { r.BehindIsOther = true }

func forCourier(r *domain.Reason) { r.ForCourier = true }

var freight, gst = domain.StatedCharge{Name: "Freight", Amount: 60 * rs}, domain.StatedCharge{Name: "GST", Amount: 1080}

func dueOn(d domain.Day) func(*domain.Reason) {
	return func(r *domain.Reason) { r.DueBy = d }
}

func reaching(d domain.Day) func(*domain.Reason) { return func(r *domain.Reason) { r.DataThrough = d } }

func behind(report int, courier string) func(*domain.Reason) {
	return func(r *domain.Reason) { r.Behind = domain.Behind{Report: report, Courier: courier} }
}

// correcting is about ₹500 in one report that another one corrects.
func correcting(report, by int) func(*domain.Reason) {
	return func(r *domain.Reason) {
		r.Notes |= domain.NoteCorrected
		r.Corrected = domain.Corrected{Report: report, By: by, Remitted: 500 * rs}
	}
}

func remembering(p domain.Paise) func(*domain.Reason) {
	return func(r *domain.Reason) { r.Notes |= domain.NoteRemembered; r.Remembered = p }
}

func inReports(n int) func(*domain.Reason) { return func(r *domain.Reason) { r.Reports = n } }

func about(name string) func(*domain.Reason) {
	return func(r *domain.Reason) { r.Other = []byte(name) }
}

func parcelsOf(back, all int) func(*domain.Reason) {
	return func(r *domain.Reason) { r.ReturnedParcel, r.Parcels = back, all }
}

func repeating(n int) func(*domain.Reason) { return func(r *domain.Reason) { r.Repeats = n } }

func hinting(id string, p domain.Paise) func(*domain.Reason) {
	return func(r *domain.Reason) {
		r.Notes |= domain.NoteHint
		r.HintID, r.HintAmount = []byte(id), p
	}
}

// sharing has others share AWB 1490, on which so much was remitted, and so much of it for this
// order. Each of the others has ₹600 if anything was remitted.
func sharing(remitted, part domain.Paise, more int, others ...string) func(*domain.Reason) {
	return func(r *domain.Reason) {
		r.Notes |= domain.NoteSharedAWB
		r.Shared = domain.Shared{AWB: []byte("1490"), Remitted: remitted, Part: part, More: more, Lines: 2, Paid: remitted != 0}
		for _, name := range others {
			r.Shared.Others = append(r.Shared.Others, domain.Sharer{Name: []byte(name), Remitted: min(remitted, 600*rs)})
		}
	}
}

// withBack is about an AWB on which so much was taken back, for other orders.
func withBack(p domain.Paise) func(*domain.Reason) {
	return func(r *domain.Reason) {
		r.Shared.Remitted -= p
		r.Shared.TakenBack, r.Shared.Paid = p, true
		r.Shared.Others[0].Remitted = r.Shared.Remitted - r.Shared.Part
	}
}

func deliveredOn(d domain.Day, utrs ...string) func(*domain.Reason) {
	return func(r *domain.Reason) {
		r.Shared.DeliveredOn = d
		for _, utr := range utrs {
			r.Shared.UTRs = append(r.Shared.UTRs, []byte(utr))
		}
	}
}

func beside(lines int, remitted domain.Paise, awb string) domain.Beside {
	return domain.Beside{Lines: lines, Remitted: remitted, AWB: []byte(awb)}
}

func backFor(p domain.Paise) func(*domain.Reason) {
	return func(r *domain.Reason) { r.ReturnedAmount = p }
}

func tookBack(p domain.Paise) func(*domain.Reason) {
	return func(r *domain.Reason) { r.Notes |= domain.NoteRefund; r.TakenBack = p }
}

// sentences are whole reasons, for people to read.
var sentences = []struct {
	reason domain.Reason
	want   string
}{
	{base(domain.Reconciled, owing(0, 0), because(domain.CausePrepaid)),
		"Nothing due: prepaid order"},
	{base(domain.Reconciled, owing(0, 0), because(domain.CausePrepaid), paidWith("Gulmohar Wallet")),
		"Nothing due: prepaid order, payment method “Gulmohar Wallet”"},
	{base(domain.Reconciled, owing(0, 0), because(domain.CauseCancelled)),
		"Nothing due: cancelled order, and no line of the report is matched to it"},
	{base(domain.Reconciled, owing(0, 0), because(domain.CauseCancelled), sharing(0, 0, 0, "#1002")),
		"Nothing due: cancelled order, and nothing remitted for its AWB counts for it; its AWB 1490 is also that of #1002, with nothing remitted"},
	{base(domain.Reconciled, owing(0, 0), because(domain.CauseRestocked), sharing(600*rs, 0, 0, "#1002")),
		"Nothing due: restocked order, and nothing remitted for its AWB counts for it; its AWB 1490 is also that of #1002 (₹600): of the ₹600 remitted in 2 lines, ₹0 counts for this order"},
	{base(domain.Reconciled, owing(0, 0), because(domain.CauseRestocked)),
		"Nothing due: restocked order, and no line of the report is matched to it"},
	{base(domain.Reconciled, owing(0, 0), because(domain.CauseNeverLeft), listedAs("Pickup Pending", "")),
		"Nothing due: cancelled or restocked order, and the courier lists it as “Pickup Pending”, so the parcel had not left"},
	{base(domain.Reconciled, owing(0, 0), because(domain.CauseNeverLeft)),
		"Nothing due: cancelled or restocked order, and by the courier's status the parcel had not left"},
	{base(domain.Reconciled, owing(0, 0), because(domain.CauseNotShipped)),
		"Nothing due: not shipped, for it is unfulfilled, has no AWB, and no line of the report is matched to it"},
	{base(domain.Reconciled, owing(0, 0), because(domain.CauseReturned)),
		"Nothing due: returned, and the report states no cash collected"},
	{base(domain.Reconciled, owing(0, 0), because(domain.CauseReturned), listedAs("RTO Delivered", "")),
		"Nothing due: returned, listed as “RTO Delivered”, and the report states no cash collected"},
	{base(domain.Reconciled, owing(0, 0), because(domain.CauseReturned), tookBack(650*rs)),
		"Nothing due: returned, and the report states no cash collected; ₹650 that the courier took back is subtracted"},
	{base(domain.Reconciled, owing(0, 0), because(domain.CauseNothingOutstanding)),
		"Nothing due: part-paid order without an outstanding balance"},
	{base(domain.Reconciled, owing(0, 0), because(domain.CauseTotalZero)),
		"Nothing due: the order's total is ₹0 or less"},
	{base(domain.Reconciled, owing(0, 0), because(domain.CauseNoAmount)),
		"Nothing due: the order's total is blank, and the report has no COD amount for it"},
	{base(domain.Reconciled, owing(0, 0), because(domain.CauseReturnedAmount), noted(domain.NoteReturnedDeducted), backFor(650*rs)),
		"Nothing due: the ₹650 to be collected for returned parcels is all that was due"},
	{base(domain.Reconciled, owing(0, 0), because(domain.CauseReturnedAmount)),
		"Nothing due: all that was due was to be collected for returned parcels"},
	{base(domain.Reconciled, owing(0, 0)),
		"Nothing due: ₹0 due and ₹0 remitted"},

	{base(domain.Reconciled, owing(1299*rs, 1299*rs), paidOn(day(10, 12))),
		"Fully remitted: ₹1,299 by 2026-10-12"},
	{base(domain.Reconciled, owing(129999_50, 129999_50)),
		"Fully remitted: ₹1,29,999.50"},
	{base(domain.Reconciled, owing(600*rs, 600*rs), paidOn(day(10, 12)), noted(domain.NoteCollected), listing(650*rs)),
		"Fully remitted: ₹600 by 2026-10-12; the courier lists it with a COD amount of ₹650"},
	{base(domain.Reconciled, owing(600*rs, 600*rs), paidOn(day(10, 12)), noted(domain.NoteReturnedParcel|domain.NoteReturnedDeducted), parcelsOf(1, 2), backFor(50*rs)),
		"Fully remitted: ₹600 by 2026-10-12; 1 of its 2 parcels was returned; the ₹50 to be collected for returned parcels is not due"},
	{base(domain.Reconciled, owing(600*rs, 600*rs), paidOn(day(10, 12)), noted(domain.NoteRepeats), repeating(1)),
		"Fully remitted: ₹600 by 2026-10-12; the report repeats 1 line of it, which counts once"},
	{base(domain.Reconciled, owing(600*rs, 600*rs), paidOn(day(10, 12)), noted(domain.NoteRepeats), repeating(3)),
		"Fully remitted: ₹600 by 2026-10-12; the report repeats 3 lines of it, which count once"},
	{base(domain.Reconciled, owing(600*rs, 600*rs), paidOn(day(10, 12)), noted(domain.NoteRepeatsCounted), repeating(1)),
		"Fully remitted: ₹600 by 2026-10-12; 1 line of it looks like a repeat but counts, because the sum is what is due only with it"},
	{base(domain.Reconciled, owing(600*rs, 600*rs), paidOn(day(10, 12)), noted(domain.NoteRepeatsCounted), repeating(2)),
		"Fully remitted: ₹600 by 2026-10-12; 2 lines of it look like repeats but count, because the sum is what is due only with them"},
	{base(domain.Reconciled, owing(600*rs, 600*rs), paidOn(day(10, 12)), noted(domain.NoteLineAWBRounded)),
		"Fully remitted: ₹600 by 2026-10-12; the AWB of its line seems rounded by a spreadsheet, and the line was matched by order id"},
	{base(domain.Reconciled, owing(600*rs, 600*rs), paidOn(day(10, 12)), noted(domain.NotePrepaidCollected|domain.NoteCollected), paidWith("Razorpay"), listing(600*rs)),
		"Fully remitted: ₹600 by 2026-10-12; prepaid by its payment method “Razorpay”, but the courier lists it with a COD amount of ₹600"},
	{base(domain.Reconciled, owing(600*rs, 600*rs), paidOn(day(10, 12)), noted(domain.NotePrepaidCollected)),
		"Fully remitted: ₹600 by 2026-10-12; it counts as prepaid, but the courier's report has an amount for it"},
	{base(domain.Reconciled, owing(600*rs, 600*rs), paidOn(day(10, 12)), noted(domain.NotePrepaidCollected), paidWith("Razorpay")),
		"Fully remitted: ₹600 by 2026-10-12; prepaid by its payment method “Razorpay”, but the courier's report has an amount for it"},
	{base(domain.Reconciled, owing(600*rs, 600*rs), paidOn(day(10, 12)), noted(domain.NoteContradiction), about("#7103")),
		"Fully remitted: ₹600 by 2026-10-12; its line has the order id of #7103 but this order's AWB, which decides"},
	{base(domain.Reconciled, owing(600*rs, 600*rs), paidOn(day(10, 12)), noted(domain.NoteContradiction)),
		"Fully remitted: ₹600 by 2026-10-12; its line has the order id of another order but this order's AWB, which decides"},
	{base(domain.Reconciled, owing(600*rs, 600*rs), paidOn(day(10, 12)), sharing(1800*rs, 600*rs, 0, "#1002", "#1003")),
		"Fully remitted: ₹600 by 2026-10-12; its AWB 1490 is also that of #1002 (₹600) and #1003 (₹600): of the ₹1,800 remitted in 2 lines, ₹600 counts for this order"},
	{base(domain.Reconciled, owing(600*rs, 600*rs), paidOn(day(10, 12)), sharing(2400*rs, 600*rs, 1, "#1002", "#1003", "#1004"), func(r *domain.Reason) { r.Shared.MoreAWBs, r.Shared.Lines = 2, 1 }),
		"Fully remitted: ₹600 by 2026-10-12; its AWB 1490 is also that of #1002 (₹600), #1003 (₹600), #1004 (₹600) and 1 more order: of the ₹2,400 remitted in 1 line, ₹600 counts for this order; 2 more AWBs of it are shared too"},
	{base(domain.Overdue, because(domain.CauseListed), sharing(0, 0, 7, "#1002", "#1003", "#1004")),
		"Not remitted within the courier's window: ₹650 due by 2026-10-08, 12 days late as of 2026-10-20; the courier lists it, with nothing remitted; its AWB 1490 is also that of #1002, #1003, #1004 and 7 more orders, with nothing remitted"},
	{base(domain.Overdue, because(domain.CauseListed), listedAs("Delivered", "Paid"), counted(domain.EventDelivery), sharing(600*rs, 0, 0, "#1002")),
		"Not remitted within the courier's window: ₹650 due by 2026-10-08 (7 days after the delivery of its AWB on 2026-10-01), 12 days late as of 2026-10-20; the courier lists its AWB as “Delivered”, with the remittance status “Paid”, and nothing that it remitted counts for this order; its AWB 1490 is also that of #1002 (₹600): of the ₹600 remitted in 2 lines, ₹0 counts for this order"},
	{base(domain.Overdue, because(domain.CauseListed), sharing(600*rs, 0, 0, "#1002"), withBack(600*rs)),
		"Not remitted within the courier's window: ₹650 due by 2026-10-08, 12 days late as of 2026-10-20; the courier lists its AWB, and nothing that it remitted counts for this order; its AWB 1490 is also that of #1002, with ₹600 remitted and taken back"},
	{base(domain.Overdue, because(domain.CauseListed), sharing(600*rs, 0, 0, "#1002"), withBack(600*rs), tookBack(600*rs)),
		"Not remitted within the courier's window: ₹650 due by 2026-10-08, 12 days late as of 2026-10-20; the courier lists its AWB, and nothing that it remitted counts for this order; its AWB 1490 is also that of #1002, with ₹600 remitted and taken back"},
	{base(domain.Overdue, because(domain.CauseListed), sharing(600*rs, 0, 0, "#1002"), tookBack(650*rs), noted(domain.NoteCollected), listing(650*rs)),
		"Not remitted within the courier's window: ₹650 due by 2026-10-08, 12 days late as of 2026-10-20; the courier lists its AWB, with a COD amount of ₹650, and nothing that it remitted counts for this order; ₹650 that the courier took back is subtracted; its AWB 1490 is also that of #1002 (₹600): of the ₹600 remitted in 2 lines, ₹0 counts for this order"},
	{base(domain.ShortPaid, owing(600*rs, 100*rs), sharing(700*rs, 100*rs, 0, "#1002"), withBack(100*rs)),
		"Shortfall detected: ₹500 of ₹600 not remitted, ₹100 remitted; its AWB 1490 is also that of #1002 (₹500): of the ₹700 remitted and the ₹100 taken back in 2 lines, ₹100 counts for this order; dispute the difference"},
	{base(domain.Reconciled, owing(600*rs, 600*rs), paidOn(day(10, 12)), noted(domain.NoteOtherAWB), func(r *domain.Reason) { r.OwnAWB, r.LineAWB = []byte("1490"), []byte("1499") }),
		"Fully remitted: ₹600 by 2026-10-12; matched by order id: the export has AWB 1490, its line AWB 1499"},
	{base(domain.Reconciled, owing(600*rs, 600*rs), paidOn(day(10, 12)), noted(domain.NoteBeside), func(r *domain.Reason) { r.Beside = beside(1, 100*rs, "1499") }),
		"Fully remitted: ₹600 by 2026-10-12; a line that names it counts too, with ₹100 remitted and the AWB 1499, which no order has"},
	{base(domain.ShortPaid, owing(500*rs, 450*rs), noted(domain.NoteBeside), func(r *domain.Reason) { r.Beside = beside(2, -50*rs, "") }),
		"Shortfall detected: ₹50 of ₹500 not remitted, ₹450 remitted; a line that names it counts too, with -₹50 remitted; so does 1 more line; dispute the difference"},
	{base(domain.ShortPaid, owing(500*rs, 450*rs), noted(domain.NoteReplaced), func(r *domain.Reason) { r.Beside = beside(1, 450*rs, "1499") }),
		"Shortfall detected: ₹50 of ₹500 not remitted, ₹450 remitted; its earlier parcel came back or never left, and a line that names it is of the replacement, with ₹450 remitted and the AWB 1499; dispute the difference"},
	{base(domain.Reconciled, owing(0, 0), because(domain.CauseReturned), noted(domain.NoteIdle), func(r *domain.Reason) { r.Idle = beside(3, 0, "1499") }),
		"Nothing due: returned, and the report states no cash collected; a line that names it counts nowhere, for nothing is remitted on it (AWB 1499); so it is with 2 more lines"},
	{base(domain.Overpaid, owing(700*rs, 720*rs), paidOn(day(10, 12)), noted(domain.NoteOneUTR), func(r *domain.Reason) { r.UTR, r.Payments = []byte("N123"), 2 }),
		"Overpaid: ₹20 more than the ₹700 due, ₹720 remitted by 2026-10-12; 2 payments of it are under one UTR, N123; check it against the bank statement"},
	{base(domain.Reconciled, owing(600*rs, 600*rs), correcting(1, 2), inReports(2)),
		"Fully remitted: ₹600; ₹500 for it in report 1 does not count, because report 2 lists that payout again with changes"},
	{base(domain.Reconciled, owing(600*rs, 600*rs), correcting(3, 2), inReports(2)),
		"Fully remitted: ₹600; ₹500 for it in the ledger does not count, because report 2 lists that payout again with changes"},
	{base(domain.Reconciled, owing(600*rs, 600*rs), correcting(2, 1), inReports(1)),
		"Fully remitted: ₹600; ₹500 for it in the ledger does not count, because a later report lists that payout again with changes"},
	{base(domain.Reconciled, owing(600*rs, 600*rs), remembering(600*rs)),
		"Fully remitted: ₹600; by the ledger of an earlier run, ₹600 was remitted for it"},
	{base(domain.ShortPaid, owing(600*rs, -100*rs), remembering(-100*rs)),
		"Shortfall detected: ₹600 not remitted, and ₹100 taken back on balance; by the ledger of an earlier run, ₹100 was taken back for it on balance; dispute the difference"},
	{base(domain.Overdue, because(domain.CauseListed), listedAs("In Transit", ""), remembering(0)),
		"Not remitted within the courier's window: ₹650 due by 2026-10-08, 12 days late as of 2026-10-20; the courier lists it as “In Transit”, with nothing remitted; the ledger of an earlier run has lines of it"},
	{base(domain.Missing, because(domain.CauseFoundMissing), func(r *domain.Reason) { r.FoundOn = day(9, 30) }),
		"Not remitted: ₹650 due by 2026-10-08, 12 days late as of 2026-10-20; no line of the report, which reaches 2026-10-25, is matched to it by AWB or by order id; by the ledger, an earlier run found it MISSING, it is flagged since 2026-09-30, and no line has listed it since"},
	{base(domain.Missing, because(domain.CauseFoundMissing)),
		"Not remitted: ₹650 due by 2026-10-08, 12 days late as of 2026-10-20; no line of the report, which reaches 2026-10-25, is matched to it by AWB or by order id; by the ledger, an earlier run found it MISSING, and no line has listed it since"},
	{base(domain.Overdue, because(domain.CauseLedgerAlone)),
		"Not remitted within the courier's window: ₹650 due by 2026-10-08, 12 days late as of 2026-10-20; no line is matched to it by AWB or by order id, and the ledger alone has the order, so no neighbours show whether a line should: an earlier or later report may list it"},
	{base(domain.ShortPaid, owing(500*rs, 450*rs), noted(domain.NoteRefused), func(r *domain.Reason) { r.Refused = beside(1, 500*rs, "1499") }),
		"Shortfall detected: ₹50 of ₹500 not remitted, ₹450 remitted; dispute the difference; hint: an unclaimed line names it, with ₹500 remitted and the AWB 1499: it may be a second payment, or of another shop with the same numbers"},
	{base(domain.Reconciled, owing(600*rs, 600*rs), noted(domain.NoteRefused), func(r *domain.Reason) { r.Refused = beside(3, 600*rs, "") }),
		"Fully remitted: ₹600; hint: an unclaimed line names it, with ₹600 remitted, and so do 2 more lines: it may be a second payment, or of another shop with the same numbers"},
	{base(domain.Reconciled, owing(600*rs, 600*rs), paidOn(day(10, 12)), noted(domain.NoteNamesake), about("#1001")),
		"Fully remitted: ₹600 by 2026-10-12; the export has more than one order of this name"},
	{base(domain.Reconciled, owing(600*rs, 600*rs), paidOn(day(10, 12)), noted(domain.NoteNamesake), about("#1001"), func(r *domain.Reason) { r.LedgerNamesake = true }),
		"Fully remitted: ₹600 by 2026-10-12; with those of the ledger, there is more than one order of this name"},
	{base(domain.Reconciled, owing(600*rs, 600*rs), paidOn(day(10, 12)), tookBack(100*rs)),
		"Fully remitted: ₹600 by 2026-10-12; ₹100 that the courier took back is subtracted"},

	{base(domain.Overpaid, owing(700*rs, 720*rs), paidOn(day(10, 12))),
		"Overpaid: ₹20 more than the ₹700 due, ₹720 remitted by 2026-10-12; check it against the bank statement"},
	{base(domain.Overpaid, owing(0, 720*rs), paidOn(day(10, 12)), because(domain.CausePrepaid), paidWith("Razorpay")),
		"Overpaid: ₹720 remitted by 2026-10-12, with nothing due (prepaid order, payment method “Razorpay”); check it against the bank statement"},
	{base(domain.Overpaid, owing(0, 720*rs)),
		"Overpaid: ₹720 remitted, with nothing due; check it against the bank statement"},

	{base(domain.MinorDiff, owing(800*rs, 798*rs), paidOn(day(10, 12))),
		"Within tolerance: ₹2 of ₹800 not remitted, ₹798 remitted by 2026-10-12; up to ₹2 is tolerated"},
	{base(domain.MinorDiff, owing(0, -1*rs)),
		"Within tolerance: ₹1 taken back on balance, with nothing due; up to ₹2 is tolerated"},
	{base(domain.ShortPaid, owing(500*rs, 450*rs), paidOn(day(10, 12))),
		"Shortfall detected: ₹50 of ₹500 not remitted, ₹450 remitted by 2026-10-12; dispute the difference"},
	{base(domain.ShortPaid, owing(1000*rs, 880*rs), charging(4920, freight, gst)),
		"Shortfall detected: ₹120 of ₹1,000 not remitted, ₹880 remitted; ₹70.80 are charges that the courier states (Freight ₹60, GST ₹10.80), ₹49.20 are not explained; dispute these"},
	{base(domain.ShortPaid, owing(1000*rs, 92920), charging(0, freight, gst)),
		"Shortfall detected: ₹70.80 of ₹1,000 not remitted, ₹929.20 remitted; ₹70.80 are charges that the courier states (Freight ₹60, GST ₹10.80); check the charges against your agreement with the courier"},
	{base(domain.ShortPaid, owing(1000*rs, 880*rs), accepting(6000), charging(6000, freight)),
		"Shortfall detected: ₹60 of ₹1,000 not remitted, ₹880 remitted, and ₹60 of charges count as paid; ₹60 are charges that the courier states (Freight ₹60), ₹60 are not explained; dispute these"},
	{base(domain.Reconciled, owing(1000*rs, 92920), accepting(7080), charging(0, freight, gst), paidOn(day(10, 12))),
		"Fully remitted: ₹929.20 by 2026-10-12, and ₹70.80 of charges that count as paid, which is the ₹1,000 due; ₹70.80 are charges that the courier states (Freight ₹60, GST ₹10.80)"},
	{base(domain.Reconciled, owing(1000*rs, 100050), accepting(-50), charging(0, domain.StatedCharge{Name: "Freight", Amount: 40}), paidOn(day(10, 12))),
		"Fully remitted: ₹1,000.50 by 2026-10-12, less ₹0.50 of rounding in its charges, which is the ₹1,000 due; ₹0.40 are charges that the courier states (Freight ₹0.40)"},
	{base(domain.Reconciled, owing(0, -7080), accepting(7080), charging(0, freight, gst), paidOn(day(10, 12))),
		"Fully remitted: ₹70.80 taken back on balance by 2026-10-12, and ₹70.80 of charges that count as paid, which is the ₹0 due; ₹70.80 are charges that the courier states (Freight ₹60, GST ₹10.80)"},
	{base(domain.Overpaid, owing(900*rs, 100060), accepting(-60)),
		"Overpaid: ₹100 more than the ₹900 due, ₹1,000.60 remitted, less ₹0.60 of rounding in its charges; check it against the bank statement"},
	{base(domain.MinorDiff, owing(1000*rs, 99960), accepting(-60)),
		"Within tolerance: ₹1 of ₹1,000 not remitted, ₹999.60 remitted, less ₹0.60 of rounding in its charges; up to ₹2 is tolerated"},
	{base(domain.Overpaid, owing(900*rs, 92920), accepting(7080), charging(0, freight, gst)),
		"Overpaid: ₹100 more than the ₹900 due, ₹929.20 remitted, and ₹70.80 of charges that count as paid; ₹70.80 are charges that the courier states (Freight ₹60, GST ₹10.80); check it against the bank statement"},
	{base(domain.ShortPaid, owing(1500*rs, 1000*rs), noted(domain.NoteCollected|domain.NoteRefunded), listing(1000*rs, 500*rs)),
		"Shortfall detected: ₹500 of ₹1,500 not remitted, ₹1,000 remitted; the courier lists it with COD amounts of ₹1,000 and ₹500 on 2 lines; the storefront has refunded it; dispute the difference"},
	{base(domain.ShortPaid, owing(1500*rs, 1000*rs), noted(domain.NoteCollected), listing(1*rs, 2*rs, 3*rs, 4*rs)),
		"Shortfall detected: ₹500 of ₹1,500 not remitted, ₹1,000 remitted; the courier lists it with COD amounts of ₹1, ₹2, ₹3 and others on 4 lines; dispute the difference"},
	{base(domain.ShortPaid, owing(1500*rs, 1000*rs), noted(domain.NoteCollected), func(r *domain.Reason) {
		r.Listings, r.ListedLines = []domain.Listing{{Amount: 1000 * rs, Lines: 2}}, 2
	}), "Shortfall detected: ₹500 of ₹1,500 not remitted, ₹1,000 remitted; the courier lists it with a COD amount of ₹1,000 on each of 2 lines; dispute the difference"},
	{base(domain.ShortPaid, owing(1500*rs, 1000*rs), noted(domain.NoteRefunded), func(r *domain.Reason) { r.PartlyRefunded = true }),
		"Shortfall detected: ₹500 of ₹1,500 not remitted, ₹1,000 remitted; the storefront has refunded a part of it; dispute the difference"},
	{base(domain.Reconciled, owing(900*rs, 900*rs), noted(domain.NoteAdvance), func(r *domain.Reason) { r.Advance = 100 * rs }),
		"Fully remitted: ₹900; by the ledger of an earlier run, ₹100 of its total was not to be collected"},
	{base(domain.ShortPaid, owing(1000*rs, 900*rs), noted(domain.NoteCollected|domain.NotePerhapsAdvance), listing(900*rs)),
		"Shortfall detected: ₹100 of ₹1,000 not remitted, ₹900 remitted; the courier lists it with a COD amount of ₹900; it is marked paid, and the courier has paid all that it lists: ₹100 may have been paid to the shop before, so check that first; dispute the difference"},
	{base(domain.Reconciled, owing(600*rs, 600*rs), paidOn(day(10, 12)), reversing("Reversed", day(10, 19))),
		"Fully remitted: ₹600 by 2026-10-12; the courier lists it with the remittance status “Reversed” too, of 2026-10-19: ask the courier and the bank whether ₹600 was taken back"},
	{base(domain.ShortPaid, owing(700*rs, 600*rs), reversing("Bounced", domain.NoDay)),
		"Shortfall detected: ₹100 of ₹700 not remitted, ₹600 remitted; the courier lists it with the remittance status “Bounced” too: ask the courier and the bank whether ₹600 was taken back; dispute the difference"},
	{base(domain.Overdue, because(domain.CauseOutsideReport), noted(domain.NotePartPrepaid), paidWith("Gokwik PPCOD")),
		"Not remitted within the courier's window: ₹650 due by 2026-10-08, 12 days late as of 2026-10-20; no line of the report is matched to it by AWB or by order id, and few orders of its time are listed: an earlier or later report may list it; by its payment method “Gokwik PPCOD” a part of the ₹650 may have been prepaid, and no report says what was to be collected: check that first"},

	// What the courier's desk reads.
	{base(domain.ShortPaid, owing(700*rs, 600*rs), reversing("Bounced", day(10, 19)), forCourier),
		"You remitted ₹600, and ₹700 is due. You list it with the remittance status “Bounced” too, of 2026-10-19; please tell us whether you took ₹600 back."},
	{base(domain.Missing, noted(domain.NotePartPrepaid), counted(domain.EventDispatch), forCourier),
		"Your reports, which reach 2026-10-25, have no line with its AWB or its order id. Its payment method says that a part of its total of ₹650 may have been prepaid. Please tell us what was to be collected on delivery, and remit that: it was due by 2026-10-08, 7 days after its dispatch on 2026-10-01, as no delivery is known."},
	{base(domain.Overdue, because(domain.CauseListed), noted(domain.NotePartPrepaid), listedAs("Delivered", ""), dueOn(domain.NoDay), forCourier),
		"Your report lists it, but nothing was remitted. Its payment method says that a part of its total of ₹650 may have been prepaid. Please tell us what was to be collected on delivery, and remit that."},
	{base(domain.ShortPaid, owing(500*rs, 450*rs), paidOn(day(10, 12)), forCourier),
		"You remitted ₹450 by 2026-10-12, and ₹500 is due."},
	{base(domain.ShortPaid, owing(1000*rs, 880*rs), charging(4920, freight, gst), forCourier),
		"You remitted ₹880, and ₹1,000 is due. Your report states charges of ₹70.80 (Freight ₹60, GST ₹10.80); ₹49.20 is not explained."},
	{base(domain.ShortPaid, owing(500*rs, 450*rs), noted(domain.NoteCollected|domain.NoteRepeats), listing(500*rs), forCourier),
		"You remitted ₹450, and ₹500 is due. You list it with a COD amount of ₹500."},
	{base(domain.ShortPaid, owing(500*rs, 450*rs), noted(domain.NoteOtherAWB), func(r *domain.Reason) { r.OwnAWB, r.LineAWB = []byte("1490"), []byte("1499") }, forCourier),
		"You remitted ₹450, and ₹500 is due. Your report lists it under AWB 1499."},
	{base(domain.ShortPaid, owing(500*rs, -50*rs), tookBack(50*rs), forCourier),
		"You took back ₹50 more than you remitted, and ₹500 is due."},
	{base(domain.ShortPaid, owing(0, -50*rs), tookBack(50*rs), forCourier),
		"You took back ₹50 more than you remitted, although nothing is due for this order."},
	{base(domain.Missing, counted(domain.EventDispatch), forCourier),
		"Your reports, which reach 2026-10-25, have no line with its AWB or its order id. ₹650 was due by 2026-10-08, 7 days after its dispatch on 2026-10-01, as no delivery is known."},
	{base(domain.Missing, dueOn(domain.NoDay), forCourier),
		"Your reports have no line with its AWB or its order id. ₹650 is due."},
	{base(domain.Overdue, because(domain.CauseListed), listedAs("Delivered", "Initiated"), counted(domain.EventDelivery), forCourier),
		"Your report lists it as “Delivered”, with the remittance status “Initiated”, but nothing was remitted. ₹650 was due by 2026-10-08, 7 days after its delivery on 2026-10-01."},
	{base(domain.Overdue, because(domain.CauseListed), tookBack(650*rs), forCourier),
		"You paid ₹650 for it and took that back. ₹650 was due by 2026-10-08."},
	{base(domain.Overdue, because(domain.CauseListed), listedAs("Delivered", ""), counted(domain.EventDelivery), sharing(600*rs, 0, 0, "#1002"), deliveredOn(day(10, 1), "U56"), forCourier),
		"Your report lists its AWB as “Delivered”, but nothing that you remitted counts for this order. ₹650 was due by 2026-10-08, 7 days after the delivery of its AWB on 2026-10-01. AWB 1490 is also that of our order #1002. You remitted ₹600 for it in 2 lines (UTR U56), which counts for that order."},
	{base(domain.Overdue, because(domain.CauseListed), counted(domain.EventDelivery), sharing(600*rs, 0, 7, "#1002", "#1003", "#1004"), deliveredOn(day(9, 30), "U56", "U57"), forCourier,
		func(r *domain.Reason) { r.Shared.MoreAWBs = 1 }),
		"Your report lists its AWB, but nothing that you remitted counts for this order. ₹650 was due by 2026-10-08, 7 days after the delivery of its AWB on 2026-10-01. AWB 1490, delivered on 2026-09-30 by your report, is also that of our orders #1002, #1003, #1004 and 7 more orders. You remitted ₹600 for it in 2 lines (UTR U56, U57), which counts for those orders. This order shares 1 more AWB too."},
	{base(domain.Overdue, because(domain.CauseListed), listedAs("", "Paid"), dueOn(domain.NoDay), sharing(600*rs, 0, 0, "#1002"), withBack(600*rs), forCourier),
		"Your report lists its AWB, but nothing that you remitted counts for this order. ₹650 is due. AWB 1490 is also that of our order #1002. You remitted ₹600 for it and took that back."},
	{base(domain.Overdue, because(domain.CauseListed), sharing(600*rs, 0, 0, "#1002"), withBack(600*rs), tookBack(600*rs), deliveredOn(domain.NoDay, "U1", "U2"), forCourier),
		"Your report lists its AWB, but nothing that you remitted counts for this order. ₹650 was due by 2026-10-08. AWB 1490 is also that of our order #1002. You remitted ₹600 for it (UTR U1, U2) and took that back."},
	{base(domain.Overdue, because(domain.CauseListed), sharing(600*rs, 0, 0, "#1002"), tookBack(650*rs), forCourier),
		"Your report lists its AWB, but nothing that you remitted counts for this order. ₹650 was due by 2026-10-08. ₹650 that you took back is subtracted. AWB 1490 is also that of our order #1002. You remitted ₹600 for it in 2 lines, which counts for that order."},
	{base(domain.Overdue, because(domain.CauseListed), noted(domain.NotePartPrepaid), listedAs("Delivered", ""), sharing(600*rs, 0, 0, "#1002"), forCourier),
		"Your report lists its AWB as “Delivered”, but nothing that you remitted counts for this order. Its payment method says that a part of its total of ₹650 may have been prepaid. Please tell us what was to be collected on delivery, and remit that: it was due by 2026-10-08. AWB 1490 is also that of our order #1002. You remitted ₹600 for it in 2 lines, which counts for that order."},
	{base(domain.Overdue, because(domain.CauseListed), noted(domain.NotePartPrepaid), dueOn(domain.NoDay), sharing(600*rs, 0, 0, "#1002"), forCourier),
		"Your report lists its AWB, but nothing that you remitted counts for this order. Its payment method says that a part of its total of ₹650 may have been prepaid. Please tell us what was to be collected on delivery, and remit that. AWB 1490 is also that of our order #1002. You remitted ₹600 for it in 2 lines, which counts for that order."},
	{base(domain.Overdue, because(domain.CauseListed), listedAs("Delivered", ""), sharing(0, 0, 0, "#1002"), forCourier),
		"Your report lists it as “Delivered”, but nothing was remitted. ₹650 was due by 2026-10-08. AWB 1490 is also that of our order #1002."},
	{base(domain.ShortPaid, owing(500*rs, 450*rs), paidOn(day(10, 12)), sharing(1050*rs, 450*rs, 0, "#1002"), deliveredOn(day(10, 1), "U56"), forCourier),
		"Of what you remitted by 2026-10-12, ₹450 counts for this order, and ₹500 is due. AWB 1490, delivered on 2026-10-01 by your report, is also that of our order #1002. You remitted ₹1,050 for it in 2 lines (UTR U56); ₹450 of that counts for this order, and ₹600 for the other."},
	{base(domain.ShortPaid, owing(500*rs, 450*rs), sharing(1150*rs, 450*rs, 0, "#1002", "#1003"), withBack(100*rs), tookBack(100*rs), forCourier),
		"Of what you remitted, ₹450 counts for this order, and ₹500 is due. AWB 1490 is also that of our orders #1002 and #1003. You remitted ₹1,150 for it and took back ₹100, in 2 lines; on balance, ₹450 counts for this order, and ₹600 for the others."},
	{base(domain.ShortPaid, owing(1000*rs, 880*rs), charging(4920, freight, gst), sharing(1480*rs, 880*rs, 0, "#1002"), forCourier),
		"Of what you remitted, ₹880 counts for this order, and ₹1,000 is due. Of the charges that your report states, ₹70.80 counts for it (Freight ₹60, GST ₹10.80); ₹49.20 is not explained. AWB 1490 is also that of our order #1002. You remitted ₹1,480 for it in 2 lines; ₹880 of that counts for this order, and ₹600 for the other."},
	{base(domain.ShortPaid, owing(500*rs, -50*rs), tookBack(50*rs), sharing(0, -50*rs, 0, "#1002"), withBack(50*rs), forCourier),
		"By our books, you took back ₹50 more for this order than you remitted, and ₹500 is due. AWB 1490 is also that of our order #1002. You took back ₹50 for it, in 2 lines; -₹50 of that counts for this order, and ₹0 for the other."},
	{base(domain.MinorDiff, owing(0, -5*rs), tookBack(5*rs), sharing(600*rs, -5*rs, 0, "#1002"), withBack(5*rs), forCourier),
		"By our books, you took back ₹5 more for this order than you remitted, although nothing is due. AWB 1490 is also that of our order #1002. You remitted ₹600 for it and took back ₹5, in 2 lines; on balance, -₹5 counts for this order, and ₹600 for the other."},
	{base(domain.MinorDiff, owing(500*rs, 499*rs), sharing(1099*rs, 499*rs, 0, "#1002"), forCourier),
		"Of what you remitted, ₹499 counts for this order, and ₹500 is due. AWB 1490 is also that of our order #1002. You remitted ₹1,099 for it in 2 lines; ₹499 of that counts for this order, and ₹600 for the other."},
	{base(domain.ShortPaid, owing(500*rs, -50*rs), because(domain.CauseMarkedPaid), listedAs("RTO", ""), tookBack(50*rs), sharing(600*rs, -50*rs, 0, "#1002"), withBack(50*rs), forCourier),
		"By our books, you took back ₹50 on balance for this order, whose parcel came back by your report, listed as “RTO”. Please tell us whether it was delivered and ₹500 collected, or came back with nothing collected. AWB 1490 is also that of our order #1002. You remitted ₹600 for it and took back ₹50, in 2 lines; on balance, -₹50 counts for this order, and ₹600 for the other."},
	{base(domain.RTOAnomaly, because(domain.CauseCourierCollected), listedAs("RTO", ""), sharing(600*rs, 0, 0, "#1002"), forCourier),
		"Your report lists its AWB as returned (“RTO”), with a COD amount, but nothing that you remitted counts for this order. AWB 1490 is also that of our order #1002. You remitted ₹600 for it in 2 lines, which counts for that order."},
	{base(domain.RTOAnomaly, because(domain.CauseCourierCollected), noted(domain.NoteCollected), listing(650*rs), sharing(600*rs, 0, 0, "#1002"), forCourier),
		"Your report lists its AWB as returned, with a COD amount of ₹650, but nothing that you remitted counts for this order. AWB 1490 is also that of our order #1002. You remitted ₹600 for it in 2 lines, which counts for that order."},
	{base(domain.RTOAnomaly, because(domain.CauseMarkedPaid), listedAs("RTO", ""), sharing(600*rs, 0, 0, "#1002"), forCourier),
		"Your report lists its AWB as returned (“RTO”), but the customer has paid by our records, and nothing that you remitted counts for this order. AWB 1490 is also that of our order #1002. You remitted ₹600 for it in 2 lines, which counts for that order."},
	{base(domain.Overdue, because(domain.CauseNotCovered), forCourier),
		"We have found no line with its AWB or its order id in your reports so far, which reach 2026-10-25. ₹650 was due by 2026-10-08."},
	{base(domain.RTOAnomaly, because(domain.CauseCourierCollected), noted(domain.NoteCollected), listing(650*rs), listedAs("RTO", ""), forCourier),
		"Your report lists it as “RTO”, with a COD amount of ₹650, but nothing was remitted."},
	{base(domain.RTOAnomaly, because(domain.CauseMarkedPaid), listedAs("RTO", ""), forCourier),
		"Your report lists it as “RTO”, but the customer has paid by our records, and nothing was remitted."},
	{base(domain.RTOAnomaly, because(domain.CauseCourierCollected), noted(domain.NoteCollected), listing(650*rs), listedAs("RTO", ""), tookBack(650*rs), forCourier),
		"You paid ₹650 for it and took that back. Your report lists it as “RTO”, with a COD amount of ₹650."},
	{base(domain.RTOAnomaly, because(domain.CauseMarkedPaid), listedAs("RTO", ""), tookBack(650*rs), forCourier),
		"You paid ₹650 for it and took that back. Your report lists it as “RTO”; by our records the customer has paid."},
	{base(domain.RTOAnomaly, because(domain.CauseCourierCollected), tookBack(650*rs), forCourier),
		"You paid ₹650 for it and took that back, though COD was collected by your report or our records."},
	{base(domain.ShortPaid, owing(500*rs, -50*rs), because(domain.CauseCourierCollected), noted(domain.NoteCollected), listing(500*rs), listedAs("RTO", ""), tookBack(50*rs)),
		"Shortfall detected: ₹500 not remitted, and ₹50 taken back on balance; the courier lists it as “RTO”, with a COD amount of ₹500; ask the courier for proof of delivery"},
	{base(domain.ShortPaid, owing(500*rs, -50*rs), because(domain.CauseCourierCollected), noted(domain.NoteCollected), listing(500*rs), listedAs("RTO", ""), tookBack(50*rs), forCourier),
		"Your report lists it as “RTO”, with a COD amount of ₹500, and you took back ₹50 on balance. Please tell us whether it was delivered and ₹500 collected, or came back with nothing collected."},
	{base(domain.ShortPaid, owing(500*rs, -50*rs), because(domain.CauseMarkedPaid), listedAs("RTO", ""), tookBack(50*rs), forCourier),
		"You took back ₹50 on balance for a parcel that came back by your report, listed as “RTO”. Please tell us whether it was delivered and ₹500 collected, or came back with nothing collected."},
	{base(domain.Overdue, because(domain.CauseNotCovered), reaching(day(10, 12)), behind(2, "delhivery"), behindIsOther),
		"Not remitted within the courier's window: ₹650 due by 2026-10-08, 12 days late as of 2026-10-20; no line of the reports is matched to it by AWB or by order id; that its money is missing is proven only when those of delhivery reach further than 2026-10-12, too"},
	{base(domain.Overdue, because(domain.CauseNotCovered), reaching(domain.NoDay), behind(2, ""), behindIsOther),
		"Not remitted within the courier's window: ₹650 due by 2026-10-08, 12 days late as of 2026-10-20; no line of the reports is matched to it by AWB or by order id; that its money is missing is proven only when every courier's reports have dates and reach far enough"},
	{base(domain.ShortPaid, owing(500*rs, 450*rs), paidOn(day(10, 12)), noted(domain.NoteCollected), listing(480*rs)),
		"Shortfall detected: ₹50 of ₹500 not remitted, ₹450 remitted by 2026-10-12; the courier lists it with a COD amount of ₹480; dispute the difference"},
	{base(domain.ShortPaid, owing(500*rs, -50*rs), tookBack(50*rs)),
		"Shortfall detected: ₹500 not remitted, and ₹50 taken back on balance; dispute the difference"},
	{base(domain.ShortPaid, owing(500*rs, -50*rs), tookBack(550*rs)),
		"Shortfall detected: ₹500 not remitted, and ₹50 taken back on balance; ₹550 that the courier took back is subtracted; dispute the difference"},
	{base(domain.ShortPaid, owing(0, -50*rs), because(domain.CauseReturned), listedAs("RTO", "")),
		"Shortfall detected: ₹50 taken back on balance, with nothing due (returned, listed as “RTO”, and the report states no cash collected); dispute the difference"},

	{base(domain.RTOAnomaly, because(domain.CauseCourierCollected), noted(domain.NoteCollected), listing(650*rs), listedAs("RTO Delivered", "")),
		"Returned but COD collected: ₹650 not remitted; the courier lists it as “RTO Delivered”, with a COD amount of ₹650; ask the courier for proof of delivery"},
	{base(domain.RTOAnomaly, because(domain.CauseCourierCollected), listing(650*rs), listedAs("RTO Delivered", "Not Remitted")),
		"Returned but COD collected: ₹650 not remitted; the courier lists it as “RTO Delivered”, with a COD amount of ₹650 and the remittance status “Not Remitted”; ask the courier for proof of delivery"},
	{base(domain.RTOAnomaly, because(domain.CauseCourierCollected), listing(650*rs)),
		"Returned but COD collected: ₹650 not remitted; the courier lists it as returned, with a COD amount of ₹650; ask the courier for proof of delivery"},
	{base(domain.RTOAnomaly, because(domain.CauseMarkedPaid), listedAs("R.T.O.", "")),
		"Returned but COD collected: ₹650 not remitted; the courier lists it as “R.T.O.”, and the storefront has it marked paid; ask the courier for proof of delivery"},
	{base(domain.RTOAnomaly, because(domain.CauseMarkedPaid)),
		"Returned but COD collected: ₹650 not remitted; the courier lists it as returned, and the storefront has it marked paid; ask the courier for proof of delivery"},

	{base(domain.AwaitingNextCycle, dueOn(day(10, 27))),
		"Awaiting next remittance cycle: ₹650 expected by 2026-10-27"},
	{base(domain.AwaitingNextCycle, dueOn(domain.NoDay)),
		"Awaiting next remittance cycle: ₹650 expected for an order without a date"},
	{base(domain.AwaitingNextCycle, dueOn(day(10, 27)), listedAs("Out for Delivery", "")),
		"Awaiting next remittance cycle: ₹650 expected by 2026-10-27; the courier lists it as “Out for Delivery”, with nothing remitted"},
	{base(domain.AwaitingNextCycle, dueOn(day(10, 27)), because(domain.CauseListedByOther), noted(domain.NoteNamesake)),
		"Awaiting next remittance cycle: ₹650 expected by 2026-10-27; a line of the report has its name, but counts for another order of that name"},

	{base(domain.Missing, counted(domain.EventDelivery)),
		"Not remitted: ₹650 due by 2026-10-08 (7 days after its delivery on 2026-10-01), 12 days late as of 2026-10-20; no line of the report, which reaches 2026-10-25, is matched to it by AWB or by order id"},
	{base(domain.AwaitingNextCycle, dueOn(day(10, 27)), counted(domain.EventOrder)),
		"Awaiting next remittance cycle: ₹650 expected by 2026-10-27 (7 days after the order on 2026-10-01, as neither delivery nor dispatch is known)"},
	{base(domain.Overdue, because(domain.CauseListed), listedAs("Delivered", ""), tookBack(650*rs)),
		"Not remitted within the courier's window: ₹650 due by 2026-10-08, 12 days late as of 2026-10-20; the courier lists it as “Delivered”; it paid ₹650 and took that back"},
	{base(domain.Overdue, because(domain.CauseOtherCourier), carriedBy("DTDC")),
		"Not remitted within the courier's window: ₹650 due by 2026-10-08, 12 days late as of 2026-10-20; no line is matched to it by AWB or by order id, and no report lists a parcel of “DTDC”: get that courier's report"},
	{base(domain.Overdue, because(domain.CauseOtherCourier)),
		"Not remitted within the courier's window: ₹650 due by 2026-10-08, 12 days late as of 2026-10-20; no line is matched to it by AWB or by order id, and no report lists a parcel with an AWB of its form: another courier's report may list it"},
	{base(domain.Overdue, because(domain.CausePayoutGap), lacking("delhivery")),
		"Not remitted within the courier's window: ₹650 due by 2026-10-08, 12 days late as of 2026-10-20; no line is matched to it by AWB or by order id, and the payout that would list it seems to be absent, for delhivery pays every 7 days, but not between 2026-09-21 and 2026-10-05: get that payout's report"},
	{base(domain.Overdue, because(domain.CausePayoutGap), lacking("")),
		"Not remitted within the courier's window: ₹650 due by 2026-10-08, 12 days late as of 2026-10-20; no line is matched to it by AWB or by order id, and the payout that would list it seems to be absent, for payouts come every 7 days, but not between 2026-09-21 and 2026-10-05: get that payout's report"},
	{base(domain.Overdue, because(domain.CausePayoutGap), lacking("delhivery"), func(r *domain.Reason) { r.Gap.After = domain.NoDay }),
		"Not remitted within the courier's window: ₹650 due by 2026-10-08, 12 days late as of 2026-10-20; no line is matched to it by AWB or by order id, and the payout that would list it seems to be absent, for payouts come every 7 days, and the first in the reports is that of 2026-10-05: get that payout's report"},
	{base(domain.Reconciled, owing(0, 0), because(domain.CauseOnWayBack), listedAs("RTO OFD", "")),
		"Nothing due: on its way back, listed as “RTO OFD”, so no cash was collected"},
	{base(domain.Missing),
		"Not remitted: ₹650 due by 2026-10-08, 12 days late as of 2026-10-20; no line of the report, which reaches 2026-10-25, is matched to it by AWB or by order id"},
	{base(domain.Missing, noted(domain.NoteOwnAWBRounded)),
		"Not remitted: ₹650 due by 2026-10-08, 12 days late as of 2026-10-20; no line of the report, which reaches 2026-10-25, is matched to it by AWB or by order id; its AWB in the export seems rounded by a spreadsheet, so no line can be found by it: export AWBs as text"},
	{base(domain.Missing, hinting("14902612345000", 650*rs)),
		"Not remitted: ₹650 due by 2026-10-08, 12 days late as of 2026-10-20; no line of the report, which reaches 2026-10-25, is matched to it by AWB or by order id; hint: one unclaimed line, 14902612345000, looks like this order's, with ₹650"},
	{base(domain.Missing, hinting("", 650*rs), noted(domain.NoteNamesake)),
		"Not remitted: ₹650 due by 2026-10-08, 12 days late as of 2026-10-20; no line of the report, which reaches 2026-10-25, is matched to it by AWB or by order id; the export has more than one order of this name; hint: one unclaimed line looks like this order's, with ₹650"},
	{base(domain.Missing, dueOn(day(10, 21))),
		"Not remitted: ₹650 due by 2026-10-21, and the report reaches past that, to 2026-10-25; no line of it is matched to the order by AWB or by order id"},
	{base(domain.Missing, dueOn(day(10, 20))),
		"Not remitted: ₹650 due by 2026-10-20, and the report reaches past that, to 2026-10-25; no line of it is matched to the order by AWB or by order id"},
	{base(domain.Missing, dueOn(day(10, 25))),
		"Not remitted: ₹650 due by 2026-10-25, and the report, which reaches 2026-10-25, covers the whole export; no line of it is matched to the order by AWB or by order id"},
	{base(domain.Missing, dueOn(domain.NoDay)),
		"Not remitted: ₹650 for an order without a date, and the report, which reaches 2026-10-25, covers the whole export; no line of it is matched to the order by AWB or by order id"},
	{base(domain.Missing, dueOn(day(10, 19))),
		"Not remitted: ₹650 due by 2026-10-19, 1 day late as of 2026-10-20; no line of the report, which reaches 2026-10-25, is matched to it by AWB or by order id"},

	{base(domain.Overdue, because(domain.CauseListed), listedAs("Delivered", "Initiated")),
		"Not remitted within the courier's window: ₹650 due by 2026-10-08, 12 days late as of 2026-10-20; the courier lists it as “Delivered”, with the remittance status “Initiated”"},
	{base(domain.Overdue, because(domain.CauseListed), listedAs("Delivered", ""), noted(domain.NoteCollected), listing(650*rs)),
		"Not remitted within the courier's window: ₹650 due by 2026-10-08, 12 days late as of 2026-10-20; the courier lists it as “Delivered”, with a COD amount of ₹650 and nothing remitted"},
	{base(domain.Overdue, because(domain.CauseListed), listedAs("", "Not Remitted")),
		"Not remitted within the courier's window: ₹650 due by 2026-10-08, 12 days late as of 2026-10-20; the courier lists it with the remittance status “Not Remitted”"},
	{base(domain.Overdue, because(domain.CauseListed)),
		"Not remitted within the courier's window: ₹650 due by 2026-10-08, 12 days late as of 2026-10-20; the courier lists it, with nothing remitted"},
	{base(domain.Overdue, because(domain.CauseListed), dueOn(day(11, 9))),
		"Not remitted within the courier's window: ₹650 due by 2026-11-09, and the report, which reaches 2026-10-25, covers the whole export; the courier lists it, with nothing remitted"},
	{base(domain.Overdue, because(domain.CauseNotCovered), reaching(day(10, 12))),
		"Not remitted within the courier's window: ₹650 due by 2026-10-08, 12 days late as of 2026-10-20; no line of the report is matched to it by AWB or by order id, and the report reaches no further than 2026-10-12: a later one may list it"},
	{base(domain.Overdue, because(domain.CauseNotCovered), dueOn(day(10, 23))),
		"Not remitted within the courier's window: ₹650 due by 2026-10-23; no line of the report is matched to it by AWB or by order id, and the report reaches no further than 2026-10-25: a later one may list it"},
	{base(domain.Overdue, because(domain.CauseNotCovered), reaching(domain.NoDay)),
		"Not remitted within the courier's window: ₹650 due by 2026-10-08, 12 days late as of 2026-10-20; no line of the report is matched to it by AWB or by order id, and the report has no dates that tell how far it reaches"},
	{base(domain.Overdue, because(domain.CauseNotCovered), reaching(day(10, 12)), behind(2, "delhivery")),
		"Not remitted within the courier's window: ₹650 due by 2026-10-08, 12 days late as of 2026-10-20; no line of the reports is matched to it by AWB or by order id, and those of delhivery reach no further than 2026-10-12: a later one may list it"},
	{base(domain.Overdue, because(domain.CauseNotCovered), reaching(day(10, 12)), behind(2, "")),
		"Not remitted within the courier's window: ₹650 due by 2026-10-08, 12 days late as of 2026-10-20; no line of the reports is matched to it by AWB or by order id, and report 2, whose courier is not known, reaches no further than 2026-10-12: a later one may list it; if another report is of the same courier, name the courier of both"},
	{base(domain.Overdue, because(domain.CauseNotCovered), reaching(domain.NoDay), behind(2, "delhivery")),
		"Not remitted within the courier's window: ₹650 due by 2026-10-08, 12 days late as of 2026-10-20; no line of the reports is matched to it by AWB or by order id, and those of delhivery have no dates that tell how far they reach"},
	{base(domain.Overdue, because(domain.CauseNotCovered), reaching(domain.NoDay), behind(2, "")),
		"Not remitted within the courier's window: ₹650 due by 2026-10-08, 12 days late as of 2026-10-20; no line of the reports is matched to it by AWB or by order id, and report 2, whose courier is not known, has no dates that tell how far it reaches; if another report is of the same courier, name the courier of both"},
	{base(domain.Overdue, because(domain.CauseNotCovered), reaching(day(10, 12)), inReports(2)),
		"Not remitted within the courier's window: ₹650 due by 2026-10-08, 12 days late as of 2026-10-20; no line of the reports is matched to it by AWB or by order id, and they reach no further than 2026-10-12: a later one may list it"},
	{base(domain.Overdue, because(domain.CauseNotCovered), reaching(domain.NoDay), inReports(2)),
		"Not remitted within the courier's window: ₹650 due by 2026-10-08, 12 days late as of 2026-10-20; no line of the reports is matched to it by AWB or by order id, and they have no dates that tell how far they reach"},
	{base(domain.Missing, inReports(2)),
		"Not remitted: ₹650 due by 2026-10-08, 12 days late as of 2026-10-20; no line of the reports, which reach 2026-10-25, is matched to it by AWB or by order id"},
	{base(domain.Missing, dueOn(day(10, 23)), inReports(2)),
		"Not remitted: ₹650 due by 2026-10-23, and the reports reach past that, to 2026-10-25; no line of them is matched to the order by AWB or by order id"},
	{base(domain.Missing, dueOn(day(11, 9)), inReports(2)),
		"Not remitted: ₹650 due by 2026-11-09, and the reports, which reach 2026-10-25, cover the whole export; no line of them is matched to the order by AWB or by order id"},
	{base(domain.ShortPaid, owing(500*rs, 450*rs), noted(domain.NoteCollected|domain.NoteRepeats), listing(500*rs), repeating(1), inReports(2)),
		"Shortfall detected: ₹50 of ₹500 not remitted, ₹450 remitted; the courier lists it with a COD amount of ₹500; the reports repeat 1 line of it, which counts once; dispute the difference"},
	{base(domain.Overdue, because(domain.CauseOutsideReport)),
		"Not remitted within the courier's window: ₹650 due by 2026-10-08, 12 days late as of 2026-10-20; no line of the report is matched to it by AWB or by order id, and few orders of its time are listed: an earlier or later report may list it"},
	{base(domain.Overdue, because(domain.CauseMayBeRounded)),
		"Not remitted within the courier's window: ₹650 due by 2026-10-08, 12 days late as of 2026-10-20; no line of the report is matched to it by AWB or by order id, but an unclaimed line has a rounded AWB that may be its own: get the report with AWBs as text"},
	{base(domain.Overdue, because(domain.CauseListedByOther), noted(domain.NoteNamesake)),
		"Not remitted within the courier's window: ₹650 due by 2026-10-08, 12 days late as of 2026-10-20; a line of the report has its name, but counts for another order of that name"},
	{base(domain.Missing, noted(domain.NoteNamedOnOther), about("Order of Asha")),
		"Not remitted: ₹650 due by 2026-10-08, 12 days late as of 2026-10-20; no line of the report, which reaches 2026-10-25, is matched to it by AWB or by order id; a line that names it has the AWB of order “Order of Asha” and counts for that one"},
	{base(domain.Missing, noted(domain.NoteNamedOnOther), about("#7102")),
		"Not remitted: ₹650 due by 2026-10-08, 12 days late as of 2026-10-20; no line of the report, which reaches 2026-10-25, is matched to it by AWB or by order id; a line that names it has the AWB of order #7102 and counts for that one"},
	{base(domain.Overdue, noted(domain.NoteReturnedParcel), parcelsOf(1, 3), because(domain.CauseListed), listedAs("Lost in transit", "")),
		"Not remitted within the courier's window: ₹650 due by 2026-10-08, 12 days late as of 2026-10-20; the courier lists it as “Lost in transit”, with nothing remitted; 1 of its 3 parcels was returned"},
}

func TestSentences(t *testing.T) {
	c := New()
	for _, s := range sentences {
		require.Equal(t, s.want, string(c.AppendReason(nil, &s.reason)))
	}
}
