package verdict_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"milaan/domain"
	"milaan/domain/verdict"
)

// TestFiguresOfAReason tests the values of a reason that the flag does not show.
func TestFiguresOfAReason(t *testing.T) {
	reason := func(lines ...line) domain.Reason { return reconcile(policyCase{}, lines).Reason(0) }
	paid := line{awb: "A1", id: "1001", collected: rupees(1000), remitted: rupees(1000), paid: days(9)}
	unpaid := line{awb: "A2", id: "1001", collected: rupees(3), paid: days(2)}
	require.Equal(t, ago(9), reason(paid, unpaid).RemittedOn, "money moved on that day alone")
	require.Equal(t, ago(9), reason(unpaid, paid).RemittedOn)
	require.Equal(t, ago(2), reason(paid, line{awb: "A2", id: "1001", remitted: 1, paid: days(2)}).RemittedOn, "a paisa moved")
	require.Equal(t, ago(2), reason(line{awb: "A2", id: "1001", remitted: 1, paid: days(2)}, paid).RemittedOn)

	back := reason(line{remitted: -rupees(3), paid: days(2)})
	require.Equal(t, rupees(3), back.TakenBack)
	require.True(t, back.Notes.Has(domain.NoteRefund))
	back = reason(paid, line{awb: "A1", id: "1001", remitted: -rupees(3), paid: days(2)})
	require.Equal(t, rupees(3), back.TakenBack)
	require.False(t, reason(paid, unpaid).Notes.Has(domain.NoteRefund))
	require.Zero(t, reason(paid, unpaid).TakenBack)

	short := paid
	short.remitted = rupees(900)
	one := reason(short)
	require.Zero(t, one.TakenBack)
	require.Equal(t, []int{1, 0}, []int{one.Parcels, one.ReturnedParcel})
	one = reason(line{collected: rupees(1000), returned: true})
	require.Equal(t, []int{1, 1}, []int{one.Parcels, one.ReturnedParcel})
	two := reason(paid, line{awb: "A2", id: "1001", collected: rupees(3), status: "rto"})
	require.Equal(t, []int{2, 1}, []int{two.Parcels, two.ReturnedParcel})
	none := reason()
	require.Equal(t, []int{0, 0}, []int{none.Parcels, none.ReturnedParcel})
}

// TestTheCouriersWords tests the last lines of section 4: the courier's statuses
// for an unpaid order that it lists.
func TestTheCouriersWords(t *testing.T) {
	type words struct {
		shipment, money string
		line            verdict.Remittance
	}
	on := func(ago int, shipment, money string) words {
		return words{shipment, money, verdict.Remittance{AWB: []byte("A1"), OrderID: []byte("1"), Listed: rupees(1000), DeliveredOn: asOf - domain.Day(ago), UTR: fmt.Append(nil, shipment, money, ago), ToBeCollected: true}}
	}
	for _, awb := range []string{"", "A1"} { // found by order id, and by AWB
		for _, c := range []struct {
			name   string
			change func(*export)
			lines  []words
			want   [2]string
		}{
			{"one line", nil, []words{on(30, "In transit", "Pending")}, [2]string{"In transit", "Pending"}},
			{"the latest-dated line", nil, []words{on(30, "Shipped", "Queued"), on(20, "Delivered", "Pending"), on(25, "In transit", "On hold")}, [2]string{"Delivered", "Pending"}},
			{"the lower one of a day", nil, []words{on(30, "Shipped", "Queued"), on(30, "Delivered", "Pending")}, [2]string{"Delivered", "Pending"}},
			{"of lines that say something", nil, []words{on(30, "Shipped", "Queued"), on(20, "", "")}, [2]string{"Shipped", "Queued"}},
			{"each by itself", nil, []words{on(30, "Shipped", ""), on(20, "", "Queued")}, [2]string{"Shipped", "Queued"}},
			{"a paisa due", func(o *export) { o.Total = 1 }, []words{on(30, "Shipped", "Queued")}, [2]string{"Shipped", "Queued"}},
			{"nothing due", func(o *export) { o.Total = 0 }, []words{on(30, "Shipped", "Queued")}, [2]string{}},
			{"it never left", func(o *export) { o.Cancelled = true }, []words{on(30, "Manifested", "")}, [2]string{"Manifested", ""}},
			{"nothing listed", nil, nil, [2]string{}},
		} {
			reason := mustDecide(domain.Terms{}, func(orders *verdict.Orders, remittances *verdict.Remittances) {
				priced("#0", "", rupees(1)).addTo(orders)
				o := priced("#1", awb, rupees(1000))
				if c.change != nil {
					c.change(&o)
				}
				o.addTo(orders)
				for _, w := range c.lines {
					if o.Total == 0 {
						w.line.Collected = w.line.Listed
					}
					w.line.Status, w.line.MoneyStatus = remittances.AddStatus([]byte(w.shipment)), remittances.AddStatus([]byte(w.money))
					w.line.HasStatus, w.line.NeverLeft = w.shipment != "", remittances.Status(w.line.Status).NeverLeft
					remittances.Add(w.line)
				}
			}).Reason(1)
			require.Equal(t, c.want, [2]string{string(reason.CourierStatus), string(reason.MoneyStatus)}, "%s, AWB %q", c.name, awb)
		}
	}
	// The reason of a paid order has no status of the courier.
	reason := mustDecide(domain.Terms{}, func(orders *verdict.Orders, remittances *verdict.Remittances) {
		priced("#1", "", rupees(1000)).addTo(orders)
		l := paidOn("", "1", 1)
		l.Status, l.MoneyStatus = remittances.AddStatus([]byte("Delivered")), remittances.AddStatus([]byte("Paid"))
		remittances.Add(l)
	}).Reason(0)
	require.Empty(t, reason.CourierStatus)
	require.Empty(t, reason.MoneyStatus)
}

// TestACollectedAmountIsOneThatALineHas is about an order of which the lines that list a COD amount are of a shared AWB.
func TestACollectedAmountIsOneThatALineHas(t *testing.T) {
	p := pair{orders: []export{priced("#1", "A1", rupees(500)), priced("#2", "A1", rupees(500))}}
	for _, remitted := range []domain.Paise{0, rupees(700)} {
		l := paidOn("A1", "", rupees(1000))
		l.Remitted, l.HasRemitted = remitted, true
		p.lines = []verdict.Remittance{l}
		r := p.reconcile()
		for i := range 2 {
			reason := r.Reason(i)
			require.True(t, reason.Notes.Has(domain.NoteSharedAWB))
			require.False(t, reason.Notes.Has(domain.NoteCollected), "no line of its own lists an amount")
		}
	}
}

// TestWhatIsRemittedIsNoListedAmount is about reports that state only what was paid out, or for which a line has no COD amount.
func TestWhatIsRemittedIsNoListedAmount(t *testing.T) {
	net := paidOn("A1", "", rupees(500))
	net.Listed, net.Stated, net.HasRemitted = 0, net.Remitted, true
	back := net
	back.Report, back.Collected, back.Remitted, back.Stated = 1, 0, -rupees(60), -rupees(60) // of a report with a cod_amount, which is 0
	for i, lines := range [][]verdict.Remittance{{net}, {net, back}} {
		p := pair{orders: []export{priced("#1", "A1", rupees(500))}, lines: lines}
		if i == 0 {
			p.orders[0].Payment = domain.PaymentPrepaid
		}
		reason := p.reconcile().Reason(0)
		require.Equal(t, i == 0, reason.Notes.Has(domain.NotePrepaidCollected))
		require.False(t, reason.Notes.Has(domain.NoteCollected))
		require.Empty(t, reason.Listings)
	}
}

// TestAReturnAtALoss is about a parcel that came back, of which the report states an amount and deducts the charge for the return.
func TestAReturnAtALoss(t *testing.T) {
	l := line{collected: rupees(1000), remitted: -rupees(80), paid: days(9), status: "rto"}
	for cause, c := range map[domain.Cause]policyCase{
		domain.CauseCourierCollected: {},
		domain.CauseMarkedPaid:       {order: order{financial: domain.FinancialPaid}},
	} {
		if l.collected = rupees(1000); cause == domain.CauseMarkedPaid {
			l.collected = -rupees(80)
		}
		r := reconcile(c, []line{l})
		reason := r.Reason(0)
		require.Equal(t, domain.ShortPaid, reason.Flag, "something was remitted, though less than nothing")
		require.Equal(t, rupees(1080), reason.Shortfall)
		require.Equal(t, cause, reason.Cause)
		warned := slices.ContainsFunc(r.Warnings(), func(w domain.Warning) bool {
			return w.Code == domain.WarnReturnedWithAmount && w.Count == 1 && w.Amount == rupees(1000)
		})
		require.Equal(t, cause == domain.CauseCourierCollected, warned)
	}
	l.collected, l.status = rupees(1000), "left"
	require.Equal(t, domain.CauseNone, reconcile(policyCase{}, []line{l}).Reason(0).Cause)

	for status, want := range map[string]string{"RTO": "RTO", "Delivered": ""} {
		r := mustDecide(domain.TermsFor(nil, 0, nil), func(orders *verdict.Orders, remittances *verdict.Remittances) {
			o := priced("#1", "A1", rupees(1000))
			o.addTo(orders)
			back := paidOn("A1", "", -rupees(80))
			back.Collected, back.Listed, back.HasStatus, back.Returned = rupees(1000), rupees(1000), true, status == "RTO"
			back.Status = remittances.AddStatus([]byte(status))
			remittances.Add(back)
		})
		require.Equal(t, domain.ShortPaid, r.Reason(0).Flag)
		require.Equal(t, want, string(r.Reason(0).CourierStatus))
	}
}
