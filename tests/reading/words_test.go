package reading

import (
	"strings"
	"testing"
)

// The words of which remittance statuses are made: those that the rules name,
// their neighbours, and some that they do not name.
var moneyWords = strings.Fields(`not non never un unpaid unremitted under until yet will being be to
	pending initiated processing process progress in queued scheduled upcoming due awaiting awaited hold withheld
	fail failed failure reject rejected bounce bounced return returned cancel cancelled canceled reverse reversed revers dispute disputed outstanding
	no n false 0 yes y true 1 na nil none null
	remitted paid settled credited transferred disbursed released processed complete completed completely success successful successfully done closed
	remit pay settle credit transfer settlement unsettled repaid prepaid
	cod amount payment remittance on by via bank account seller merchant neft imps rtgs upi utr fully
	partial partially delivered date ok 12 123456 u1 x the of for and`)

// whole spellings, as couriers write them.
var moneyStatuses = []string{
	"Remitted", "REMITTED", "remitted.", "(Remitted)", "Remitted to Seller", "COD Remitted", "Amount Credited to Bank Account", "Paid via NEFT",
	"Paid - UTR No. 12345", "Transferred on 12/03", "Settled/Closed", "Payment Successful", "Fully Paid", "Not Remitted", "NOT_REMITTED", "not-remitted",
	"Non Remitted", "Non-Remitted", "Nonremitted", "Un-Paid", "Unpaid", "Un remitted", "Never remitted", "Yet to be Remitted", "To be paid", "To Be Remitted",
	"Will be remitted", "Being processed", "In Process", "In-Progress", "In transit", "Under process", "Remittance Initiated", "Remittance Pending",
	"Pending", "Due", "Overdue", "Paid on due date", "Partially Remitted", "Partly paid", "On Hold", "Payment on hold", "Paid but on hold", "Payment Failed", "Failed/Paid",
	"Bank rejected", "Cancelled", "Reversed", "Payment reversed", "Disputed", "Under dispute", "Outstanding", "Processed", "Processing", "Remittance processed",
	"Yes", "YES", "Y", "No", "N", "True", "False", "1", "0", "1.", "-", "--", "NA", "N/A", "n.a.", "?", "✓", "भुगतान", "Deducted", "Adjusted", "Paid (adjusted)",
	"Remitted 100%", "Remitted ✓", "REMITTED TO BANK VIA IMPS UTR 55", "remitted on 12 Jan", "Paid 12-01-2026",
}

var shipmentWords = strings.Fields(`rto r t o rts rt os return returned returning returns reverse not picked unpicked manifest manifested ready to ship shipped
	pickup pickups pick up done complete completed completes scheduled pending cancel cancelled canceled cancellation uncancelled in transit delivered lost`)

var shipmentStatuses = []string{
	"RTO", "R.T.O.", "R-T-O Delivered", "RTO_DELIVERED", "RTO-Initiated", "RTOdelivered", "RTO1", "Return to Origin", "RTS", "R.T.S.", "Not Returned", "Unreturned", "Delivered (RTO)",
	"Pickup Scheduled", "PICKUP_DONE", "Pickup completed", "Pickup not done", "Not Picked", "Not Picked Up", "Manifested", "Ready To Ship", "READY-TO-SHIP", "Ready for ship", "Canceled by seller", "cancelled",
	"Out for pickup", "Pick up pending", "Undelivered", "-", "NA",
}

var methodWords = []string{
	"cod", "COD", "cash", "Cash", "on", "delivery", "pay", "cash on delivery", "Cash on Delivery (COD)", "cash_on_delivery", "Cash-On-Delivery", "pay on delivery", "Pay on Delivery",
	"manual", "Manual", "ppcod", "Gokwik PPCOD", "GoKwik COD", "gokwik_cod", "partial", "Partial COD", "part paid", "advance", "Advance Paid", "कैश ऑन डिलीवरी", "Razorpay", "UPI",
	"Prepaid", "Shopify Payments", "Cash App", "bogus cash", "PPCOD-UPI", "partially paid", "Cash on delivery - 50 advance",
}

// TestEveryWord compares what the two make of words: alone, as couriers and payment
// services write them, and in pairs, of which go test takes a slice.
func TestEveryWord(t *testing.T) {
	t.Parallel()
	order := Order{Name: "#1", CreatedAt: old, Financial: "pending", Fulfilment: "fulfilled", Total: Rupees(1000), Currency: "INR", Tracking: awbA}
	line := Line{AWB: awbA, OrderID: "#1", CODAmount: Rupees(1000), RemittedAmount: Rupees(1000), RemittanceDate: "2026-01-20", UTR: "U1"}
	has := Columns{AWB: true, OrderID: true, CODAmount: "COD Amount", RemittanceDate: true, DeliveredDate: true, Status: true, RemittanceStatus: true, UTR: true}
	run := func(c *comparison, has Columns, o Order, lines ...Line) {
		c.add(Case{Orders: []Order{o, anchors[0]}, Lines: lines, Columns: has, OffsetDays: 7, MinorRupees: 2}, len(o.PaymentMethod)+100*len(lines))
	}
	n := 0
	sliced := func() bool { // whether it is the turn of a pair, at distances that no list of words is a multiple of
		n++
		return n%size(47, 11, 1) == 0
	}
	pairs := func(words, whole []string, separators []string, visit func(text string)) {
		for _, text := range whole {
			visit(text)
			visit(strings.ToUpper(text))
			visit(strings.ToLower(text))
		}
		for _, a := range words {
			visit(a)
			visit(strings.ToUpper(a))
			for _, b := range words {
				for _, separator := range separators {
					if sliced() {
						visit(a + separator + b)
					}
				}
			}
		}
	}
	t.Run("remittance status", func(t *testing.T) {
		c := newComparison()
		pairs(moneyWords, moneyStatuses, []string{" ", "-"}, func(text string) {
			l := line
			l.RemittanceStatus = text
			run(c, has, order, l)
			net := has
			net.RemittedAmount = "Remitted Amount"
			run(c, net, order, l)
		})
		for _, text := range moneyStatuses {
			for _, word := range moneyWords {
				if !sliced() {
					continue
				}
				l := line
				l.RemittanceStatus = text + " " + word
				run(c, has, order, l)
				l.RemittanceStatus = word + " " + text
				run(c, has, order, l)
			}
		}
		c.report(t)
	})
	t.Run("shipment status", func(t *testing.T) {
		c := newComparison()
		expected := has
		expected.CODAmount, expected.RemittedAmount = "Collectable Amount", "Remitted Amount"
		pairs(shipmentWords, shipmentStatuses, []string{" ", "-", ".", "_"}, func(text string) {
			l := line
			l.Status, l.RemittedAmount = text, blank
			paidOrder := order
			paidOrder.Financial = "paid"
			cancelled := paidOrder
			cancelled.CancelledAt = "2026-01-06"
			run(c, expected, order, l)
			run(c, expected, paidOrder, l)
			run(c, expected, cancelled, l)
		})
		for _, a := range shipmentWords {
			for _, b := range shipmentWords {
				if !sliced() {
					continue
				}
				l := line
				l.Status, l.RemittedAmount = "pickup "+a+" "+b, blank
				cancelled := order
				cancelled.CancelledAt = "2026-01-06"
				run(c, expected, cancelled, l)
				l.Status = a + " t " + b
				run(c, expected, order, l)
			}
		}
		c.report(t)
	})
	t.Run("payment method", func(t *testing.T) {
		c := newComparison()
		pairs(methodWords, nil, []string{" ", " + ", ", "}, func(text string) {
			for _, financial := range []string{"pending", "paid"} {
				for _, tracking := range []string{"", awbA} {
					for _, outstanding := range []Amount{blank, Rupees(0)} {
						for _, lines := range [][]Line{nil, {{OrderID: "#1", CODAmount: Rupees(400), RemittanceDate: "2026-01-20"}}} {
							o := order
							o.PaymentMethod, o.Financial, o.Tracking, o.Outstanding = text, financial, tracking, outstanding
							run(c, has, o, lines...)
						}
					}
				}
			}
		})
		c.report(t)
	})
}
