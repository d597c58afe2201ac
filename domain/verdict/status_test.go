package verdict

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
)

func statusOf(cell []byte) Status {
	var s statusReader
	return s.read(cell)
}

func TestRemittanceStatuses(t *testing.T) {
	for want, cells := range map[MoneyWord][]string{
		MoneyPaid: {
			"", "-", "----", "=_.*", "\u00a0", "Remitted", "REMITTED", "remitted.", "Paid", "paid!", "Settled", "Credited", "Transferred", "Disbursed",
			"Released", "Processed", "Completed", "Complete", "Success", "SUCCESSFUL", "Successfully Paid", "Done", "Closed", "Yes", "Y", "TRUE", "1",
			"Payment Processed", "Payment Done", "COD Remitted", "COD_REMITTED", "Remitted by NEFT", "Remitted via RTGS", "Paid to seller",
			"Credited to bank account", "Settled in account", "Amount transferred to merchant", "Remittance completed", "Fully paid",
			"Paid on 14-02-2026", "Remitted (UTR no 123456)", "Paid —", "₹ paid", "paid" + strings.Repeat(" ", longestStatus-8) + "paid", "Paid via UPI", "Paid by IMPS", "'Remitted", `="Paid"`, "Payment-Released",
		},
		MoneyUnpaid: {
			"Not Remitted", "NOT_REMITTED", "not-paid", "Unpaid", "UNPAID", "Un-paid", "Unsettled", "Unsuccessful", "Unremitted", "Non remitted", "Never paid",
			"Will be paid", "Will be remitted on 14-02-2026", "To be paid", "To be remitted", "Yet to be remitted", "Being processed", "Not yet paid",
			"Under process", "Pending", "PENDING.", "COD Pending", "Remittance Initiated", "Initiated", "Payment initiated", "Processing", "In process", "In-Progress",
			"Queued", "Scheduled", "Scheduled for 14 Feb", "Upcoming", "Due", "Overdue? due", "Awaiting", "Awaited", "On hold", "HOLD", "Withheld", "Failed",
			"Failure", "Payment failed", "Rejected", "Bounced", "Returned", "Cancelled", "Canceled", "Reversed", "Reversal", "Disputed", "In dispute",
			"Outstanding", "Yet paid", "To be", "Un", "Ungepaid", "No", "N", "n.", "False", "0", "Partially not paid", "Payment cancelled by bank",
		},
		MoneyUnknown: {
			"Partially Remitted", "Partially paid", "Paid on due date", "Part paid", "Remitted pending", "Settled; hold", "Paid but reversed", "Maybe", "Open", "Prepaid",
			"Hasn't been paid", "Isn't paid", "Incomplete", "In processing? nearly paid", "Remittance", "COD", "Overdue", "process", "progress", "to", "12", "yes no", "paid in part",
			"Remitted to someone else", "भुगतान", "Ｐａｉｄ", "p\u200baid", "Pa\xffid", "?", "Holding", "Initiating", "Repaid", "Postpaid", "Invoiced",
			"Paid\x80", "Paid \xff", "Paid Z", "Paid A", "Paid z", "Paid भ", "Paid ५", "Paid \u0940", "Paid \ufffd", "paid" + strings.Repeat(" ", longestStatus-7) + "paid", "NA", "N/A", "n/a", "n.a.", "null", "NULL", "none", "Nil", "NaN", "–", "Yes paid", "true 1", "Paid Rs 500", strings.Repeat("paid ", 300),
		},
	} {
		for _, cell := range cells {
			require.Equal(t, want, statusOf([]byte(cell)).Money, "%q", cell)
		}
	}
}

func TestShipmentStatuses(t *testing.T) {
	for _, c := range []struct {
		status              string
		returned, neverLeft bool
	}{
		{"", false, false}, {"Delivered", false, false}, {"-", false, false}, {"In transit", false, false},
		{"RTO", true, false}, {"rto delivered", true, false}, {"RTO_ACKNOWLEDGED", true, false}, {"RTO-DELIVERED", true, false}, {"RTO IN-TRANSIT", true, false},
		{"R.T.O.", true, false}, {"R T O initiated", true, false}, {"RTS", true, false}, {"Marked RTS", true, false}, {"Returned", true, false}, {"Return to origin", true, false},
		{"RETURNED_TO_SHIPPER", true, false}, {"In returning", true, false},
		{"Porto", false, false}, {"RTOS", false, false}, {"Unreturned", false, false}, {"rt o", false, false}, {"Delivered to Porto Alegre", false, false}, {"parts", false, false},
		{"CANCELED", false, true}, {"Cancelled", false, true}, {"Cancellation requested", false, true}, {"Not picked", false, true}, {"Not Picked Up", false, true},
		{"Manifested", false, true}, {"MANIFEST GENERATED", false, true}, {"Ready to ship", false, true}, {"READY_TO_SHIP", false, true},
		{"Pickup scheduled", false, true}, {"PICKUP EXCEPTION", false, true}, {"Out for pickup", false, true},
		{"Pickup done", false, false}, {"Pickup completed", false, false}, {"PICKUP COMPLETE", false, false},
		{"Picked up", false, false}, {"Shipped", false, false}, {"ready for ship", false, false}, {"RTO cancelled", true, true},
	} {
		got := statusOf([]byte(c.status))
		require.Equal(t, c.returned, got.Returned, "%q returned", c.status)
		require.Equal(t, c.neverLeft, got.NeverLeft, "%q never left", c.status)
	}
}

func TestStatusesOnTheWayBack(t *testing.T) {
	for status, onWay := range map[string]bool{"RTO IN-TRANSIT": true, "rto initiated": true, "RTO Pending": true, "RTO in process": true, "RTO processing": true,
		"RTO undelivered": true, "RTO_DISPATCHED": true, "RTO out for delivery": true, "RTO OFD": true, "RTO lock": true, "Return requested": true,
		"RTO": false, "RTO DELIVERED": false, "RTO OFD, delivered": false, "Return request completed": false, "RTO received in transit hub": false, "In transit": false,
		"RTO out of stock": false, "RTO transited": false} {
		require.Equal(t, onWay, statusOf([]byte(status)).OnWayBack, "%q", status)
	}
}

func TestStatusThatSaysNone(t *testing.T) {
	for status, none := range map[string]bool{"NA": true, "n/a": true, "null": true, "Nil": true, "none": true, "NaN": true, "'N/A": true, "–": true,
		"": false, "--": false, "Delivered": false, "NA delivered": false, "Nilesh": false} {
		require.Equal(t, none, statusOf([]byte(status)).None, "%q", status)
	}
}

// TestEveryStatusWordCounts changes each word of the lists: the status then means
// something else or nothing.
func TestEveryStatusWordCounts(t *testing.T) {
	for _, c := range []struct {
		list  meaning
		frame string // %s is the word
		holds func(Status) bool
	}{
		{unpaidWhatever, "%s paid", func(s Status) bool { return s.Money == MoneyUnpaid }},
		{unpaidUnless, "%s", func(s Status) bool { return s.Money == MoneyUnpaid }},
		{wentBack, "%s", func(s Status) bool { return s.Reversed }},
		{unpaidAlone, "%s", func(s Status) bool { return s.Money == MoneyUnpaid }},
		{paidWord, "%s", func(s Status) bool { return s.Money == MoneyPaid }},
		{paidAlone, "%s", func(s Status) bool { return s.Money == MoneyPaid }},
		{besidePaid, "paid %s", func(s Status) bool { return s.Money == MoneyPaid }},
		{returned, "it is %s now", func(s Status) bool { return s.Returned }},
		{onWayBack, "rto %s", func(s Status) bool { return s.OnWayBack }},
		{arrived, "rto transit %s", func(s Status) bool { return !s.OnWayBack }},
		{neverLeft, "it is %s now", func(s Status) bool { return s.NeverLeft }},
		{pickup, "it is %s now", func(s Status) bool { return s.NeverLeft }},
		{pickedUp, "pickup %s", func(s Status) bool { return !s.NeverLeft }},
	} {
		require.NotEmpty(t, statusWordLists[c.list])
		for _, word := range statusWordLists[c.list] {
			stem, isStem := strings.CutSuffix(word, "…")
			says := func(word string) bool { return c.holds(statusOf(fmt.Appendf(nil, c.frame, word))) }
			require.True(t, says(stem), "%q", word)
			require.True(t, says(strings.ToUpper(stem)), "%q in capitals", word)
			require.Equal(t, isStem, says(stem+"zz"), "%q goes on", word)
			require.False(t, says("z"+stem), "%q within a word", word)
			if first, second, two := strings.Cut(stem, " "); two {
				require.False(t, says(first+" or "+second), "%q apart", word)
			}
		}
	}
	require.Equal(t, MoneyUnpaid, statusOf([]byte("to be")).Money)
}

func TestStatusesAreKeptOnce(t *testing.T) {
	var r Remittances
	require.Zero(t, r.Status(r.AddStatus(nil)))
	r.Reset()
	cell := []byte("Delivered")
	delivered := r.AddStatus(cell)
	require.NotZero(t, delivered)
	cell[0] = 'x' // the memory of the report is used for something else
	require.Equal(t, "Delivered", string(r.Status(delivered).Text))
	require.Equal(t, delivered, r.AddStatus([]byte("Delivered")))
	require.NotEqual(t, delivered, r.AddStatus([]byte("RTO")))
	require.Zero(t, r.AddStatus([]byte("----")))
	require.Zero(t, r.AddStatus([]byte("----")))
	for i := range 3000 {
		require.Equal(t, StatusID(i+4), r.AddStatus(fmt.Appendf(nil, "status %d", i)))
	}
	require.Equal(t, delivered, r.AddStatus([]byte("Delivered")))
	for i := range 3000 {
		require.Equal(t, StatusID(i+4), r.AddStatus(fmt.Appendf(nil, "status %d", i)))
	}
	require.NotZero(t, r.AddStatus([]byte("Y")), "a character is a status")
	seventh := []byte("status 7")
	require.Zero(t, testing.AllocsPerRun(100, func() { r.AddStatus(seventh) }))

	prose := []byte(strings.Repeat("न", 5000) + " rto")
	long := r.Status(r.AddStatus(prose))
	require.LessOrEqual(t, len(long.Text), comparedStatus)
	require.True(t, strings.HasPrefix(string(prose), string(long.Text)))
	require.True(t, utf8.Valid(long.Text))
	require.Greater(t, len(long.Text), comparedStatus-utf8.UTFMax)
	require.Equal(t, MoneyUnknown, long.Money)

	r.Reset()
	require.Equal(t, StatusID(1), r.AddStatus([]byte("RTO")), "the next report begins anew")
}

// FuzzStatus reads anything as a status.
func FuzzStatus(f *testing.F) {
	for _, seed := range []string{"Not Remitted", "R.T.O.", "Paid on due date", "\xff", "भुगतान", "to  be"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, cell string) {
		if len(cell) > longestStatus/4 {
			t.Skip("prose")
		}
		got := statusOf([]byte(cell))
		if dotted := statusOf([]byte(strings.ReplaceAll(cell, " ", ". ."))); len(got.Text) > 0 && len(dotted.Text) > 0 && cell[0] != '\'' && cell[0] != '=' {
			require.Equal(t, got.Money, dotted.Money, "punctuation aside")
		}
		if got.Money == MoneyPaid && len(got.Text) > 0 {
			require.NotEqual(t, MoneyPaid, statusOf([]byte("not "+string(got.Text))).Money)
			require.NotEqual(t, MoneyPaid, statusOf([]byte(string(got.Text)+" perhaps")).Money)
		}
	})
}
