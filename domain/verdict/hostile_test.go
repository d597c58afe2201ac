package verdict_test

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"milaan/domain"
	"milaan/domain/verdict"
	"milaan/tests/worked"
)

// Files that were made to be slow: each test compares what is needed for them with what is needed for an eighth of them.

// TestTotalsInALongCell: a cell is searched for a digit once, even if many of its
// words may be a total.
func TestTotalsInALongCell(t *testing.T) {
	for _, word := range []string{"totals ", "Subtotal-", "GrandTotal "} {
		worked.RequireLinear(t, 1500, func(n int) func() {
			cell := []byte(strings.Repeat(word, n) + "1")
			return func() { require.False(t, verdict.IsTotal(cell)) }
		})
	}
}

// TestManyLinesPayManySharers has many orders that share one AWB and as many lines, each
// with another order id.
func TestManyLinesPayManySharers(t *testing.T) {
	for other, id := range map[bool]func(i, n int) string{
		false: func(i, _ int) string { return fmt.Sprintf("X%d-C", i) },
		true:  func(i, n int) string { return strconv.Itoa(n + i) }, // an order that does not bear the AWB
	} {
		worked.RequireLinear(t, 300, func(n int) func() {
			var orders verdict.Orders
			orders.Reset()
			for i := range 2 * n {
				o := priced(strconv.Itoa(i), "A1", domain.Rupee)
				if i >= n {
					o.awbs = nil
				}
				o.addTo(&orders)
			}
			var lines verdict.Remittances
			for i := range n {
				lines.Add(paidOn("A1", id(i, n), domain.Rupee))
			}
			var r verdict.Reconciliation
			return func() {
				require.NoError(t, r.Decide(&orders, &lines, domain.TermsFor(nil, 0, nil)))
				sharer, named := r.Reason(n-1), r.Reason(2*n-1)
				require.True(t, sharer.Notes.Has(domain.NoteSharedAWB))
				require.Equal(t, domain.Rupee, sharer.Shared.Part)
				if other {
					require.Equal(t, strconv.Itoa(n), string(sharer.Other), "the first that a line names")
					require.Equal(t, "0", string(named.Other), "the first that bears the AWB")
				}
			}
		})
	}
}

// TestDetailsOfManyUTRs has one order that is paid with half as many UTRs as there are lines.
func TestDetailsOfManyUTRs(t *testing.T) {
	worked.RequireLinear(t, 600, func(n int) func() {
		p := pair{orders: []export{priced("#1", "A1", rupees(100))}}
		for i := range n {
			l := paidOn("A1", "1", domain.Rupee)
			l.UTR = fmt.Appendf(nil, "utr%07d", i/2)
			if i%2 > 0 {
				l.UTR, l.Listed = bytes.ToUpper(l.UTR), l.Listed+1 // the same UTR
			}
			p.lines = append(p.lines, l)
		}
		r := p.reconcile()
		return func() { require.Equal(t, n/2, bytes.Count(r.Details(0).UTR, []byte("utr"))) }
	})
}

// TestLinesOfManySharers has many orders that share one AWB and are paid by the sum of as
// many lines, and asks for the lines and the details of each.
func TestLinesOfManySharers(t *testing.T) {
	worked.RequireLinear(t, 200, func(n int) func() {
		var p pair
		for i := range n {
			p.orders = append(p.orders, priced(strconv.Itoa(i), "A1", domain.Rupee))
			l := paidOn("A1", "", domain.Rupee)
			l.UTR = fmt.Appendf(nil, "UTR%07d", i)
			p.lines = append(p.lines, l)
		}
		r := p.reconcile()
		return func() {
			for i := range n {
				require.Equal(t, verdict.MostSharedLines, bytes.Count(r.Details(i).UTR, []byte("UTR")))
				require.Len(t, slices.Collect(r.LinesOf(i)), verdict.MostSharedLines)
			}
		}
	})
}

// TestReasonsOfManySharers has many orders that share one AWB, and asks for the reason of each.
func TestReasonsOfManySharers(t *testing.T) {
	worked.RequireLinear(t, 500, func(n int) func() {
		var p pair
		for i := range n {
			p.orders = append(p.orders, priced(strconv.Itoa(i), "A1", domain.Rupee))
		}
		p.lines = append(p.lines, paidOn("A1", "", domain.Rupee))
		r := p.reconcile()
		return func() {
			for i := range n {
				require.Equal(t, n-1-domain.MostNamed, r.Reason(i).Shared.More)
			}
		}
	})
}

// TestMovementsOfManyCouriers has a ledger in which each order is of another courier, from the last one to the first.
func TestMovementsOfManyCouriers(t *testing.T) {
	worked.RequireLinear(t, 500, func(n int) func() {
		var previous ledger
		for i := range n {
			order := verdict.RememberedOrder{Order: priced(strconv.Itoa(i), "", rupees(100)).Order}
			order.Found = verdict.Finding{Flag: domain.Overdue, Courier: fmt.Sprintf("%09d", n-i)}
			previous.orders = append(previous.orders, order)
		}
		r := monthly{orders: []export{priced("#1", "A1", rupees(100))}}.run(t, domain.TermsFor(nil, 0, nil), previous)
		return func() {
			couriers, _ := r.Movements()
			require.GreaterOrEqual(t, len(couriers), n)
		}
	})
}

// TestChargesOfManyLinesTakenBack has an order with many lines, of which half take back what no other one has paid.
func TestChargesOfManyLinesTakenBack(t *testing.T) {
	worked.RequireLinear(t, 600, func(n int) func() {
		r, err := decide(domain.TermsFor(nil, 0, nil), func(orders *verdict.Orders, lines *verdict.Remittances) {
			priced("#1", "A1", rupees(100)).addTo(orders)
			lines.SetMapping(domain.Mapping{domain.RoleAWB: "AWB", domain.RoleCODAmount: "COD", domain.RoleRemittedAmount: "Paid"})
			for i := range n {
				l := paidOn("A1", "", domain.Paise((1+i)*(1-i%2*2)))
				l.Stated, l.Listed = l.Remitted, 1
				lines.Add(l)
				lines.AddCharge(0, 10)
			}
			lines.SetCharges([]string{"Freight"})
		})
		require.NoError(t, err)
		return func() { require.Positive(t, r.Details(0).Charges) }
	})
}

// TestCollectedOnManyLines has many lines of one AWB with one cod_amount: each names another order, each pays all of it, and half of them
// pay parts of it before the others pay it again.
func TestCollectedOnManyLines(t *testing.T) {
	for name, of := range map[string]func(i, n int) (id string, paid domain.Paise){
		"orders":   func(i, _ int) (string, domain.Paise) { return strconv.Itoa(i), rupees(100) },
		"payments": func(int, int) (string, domain.Paise) { return "1", rupees(100) },
		"parts": func(i, n int) (string, domain.Paise) {
			if i < n/2 {
				return "1", 1
			}
			return "1", rupees(99)
		},
	} {
		t.Run(name, func(t *testing.T) {
			worked.RequireLinear(t, 1000, func(n int) func() {
				orders, lines := fresh()
				priced("#1", "B1", rupees(100)).addTo(orders)
				lines.Begin("dtdc")
				lines.SetMapping(domain.Mapping{domain.RoleAWB: "AWB", domain.RoleCODAmount: "COD", domain.RoleRemittedAmount: "Paid"})
				for i := range n {
					id, paid := of(i, n)
					l := paidOn("A1", id, paid)
					l.UTR, l.RemittedOn = fmt.Appendf(nil, "UTR%09d", i), ago(20-20*i/n)
					l.Listed, l.Collected, l.Stated, l.HasRemitted = rupees(100), rupees(100), paid, true
					lines.Add(l)
				}
				var r verdict.Reconciliation
				return func() {
					require.NoError(t, r.Decide(orders, lines, domain.TermsFor(nil, 0, nil)))
					require.Len(t, r.Payouts(), n)
				}
			})
		})
	}
}

// TestManyCorrections has four reports that all list the same parcels again: each in a payout of its
// own, all in one, and all of one AWB that many orders share.
func TestManyCorrections(t *testing.T) {
	for name, of := range map[string]struct{ awb, utr func(i int) string }{
		"payouts":    {func(i int) string { return fmt.Sprint("A", i) }, func(i int) string { return fmt.Sprint("U", i/2) }},
		"one payout": {func(i int) string { return fmt.Sprint("A", i) }, func(int) string { return "U" }},
		"one parcel": {func(int) string { return "A" }, func(i int) string { return fmt.Sprint("U", i) }},
	} {
		t.Run(name, func(t *testing.T) {
			worked.RequireLinear(t, 200, func(n int) func() {
				var orders verdict.Orders
				orders.Reset()
				for i := range n {
					priced(strconv.Itoa(i), of.awb(i), rupees(100)).addTo(&orders)
				}
				var lines verdict.Remittances
				for report := range 4 {
					lines.Begin("dtdc")
					for i := range n {
						l := paidOn(of.awb(i), strconv.Itoa(i), rupees(domain.Paise(90+report)))
						l.UTR = []byte(of.utr(i))
						lines.Add(l)
					}
				}
				var r verdict.Reconciliation
				return func() {
					require.NoError(t, r.Decide(&orders, &lines, domain.TermsFor(nil, 0, nil)))
					require.Equal(t, name != "one parcel", corrects(&r) && len(r.Warnings()) > 0)
				}
			})
		})
	}
}

// TestManyMarksOfOneOrder asks for one order as often as it has lines, by texts of which none is its AWBs, and then for its dispute as
// often.
func TestManyMarksOfOneOrder(t *testing.T) {
	asked := func(n int) (marks []domain.MarkedOrder, chosen, blank []domain.ChosenOrder) {
		for i := range n {
			marks = append(marks, markOn("#1", fmt.Sprint("Z", i), ""))
			chosen, blank = append(chosen, marks[i].ChosenOrder), append(blank, domain.ChosenOrder{OrderID: "#1"})
		}
		return marks, chosen, blank
	}
	worked.RequireLinear(t, 100, func(n int) func() {
		p := pair{orders: []export{priced("#1", "", rupees(domain.Paise(2*n))), priced("#1", "", rupees(1))}}
		p.orders[1].namesake, p.orders[1].CreatedOn = true, ago(41)
		for i := range n {
			p.lines = append(p.lines, paidOn(fmt.Sprint("A", i), "1", domain.Rupee))
		}
		r := p.reconcile()
		marks, chosen, blank := asked(n)
		return func() {
			require.NotEmpty(t, r.Mark(marks))
			require.NotEmpty(t, r.Choose(chosen))
			require.Empty(t, r.Choose(blank))
		}
	})
}
