package verdict_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"milaan/domain"
	"milaan/domain/verdict"
)

// TestWhatADisputeSaysOfASharedAWB is about what is asked for of orders whose AWB other orders have too: what the lines of that AWB
// say may be about these.
func TestWhatADisputeSaysOfASharedAWB(t *testing.T) {
	later := priced("#9", "", 1)
	later.CreatedOn = asOf
	line := func(awb, id string, remitted domain.Paise, utr string) verdict.Remittance {
		l := dated(lists(awb, id, "delivered", remitted, remitted), 9, utr)
		l.DeliveredOn = ago(12)
		return l
	}
	other := func(remitted domain.Paise) []domain.Sharer {
		return []domain.Sharer{{Name: []byte("#2"), Remitted: remitted}}
	}
	for name, c := range map[string]struct {
		awbs  string // of the order that the dispute is about
		lines []verdict.Remittance
		want  verdict.Dispute // but for what is the same for all
		says  domain.Shared
	}{
		"the line names the other order": {"A1", []verdict.Remittance{line("A1", "2", rupees(700), "U1")}, verdict.Dispute{Asked: rupees(500)},
			domain.Shared{Lines: 1, Remitted: rupees(700), UTRs: [][]byte{[]byte("U1")}, Paid: true, Others: other(rupees(700))}},
		"paid and taken back": {"A1", []verdict.Remittance{line("A1", "2", rupees(1200), "U1"), line("A1", "2", -rupees(1200), "U2")}, verdict.Dispute{Asked: rupees(500)},
			domain.Shared{Lines: 2, TakenBack: rupees(1200), UTRs: [][]byte{[]byte("U1"), []byte("U2")}, Paid: true, Others: other(0)}},
		"a line twice": {"A1", []verdict.Remittance{line("A1", "", rupees(800), "U1"), line("A1", "", rupees(800), "U1")}, verdict.Dispute{Remitted: rupees(500)},
			domain.Shared{Lines: 1, Remitted: rupees(800), Part: rupees(500), UTRs: [][]byte{[]byte("U1")}, Paid: true, Others: other(rupees(300))}},
		"no money on it": {"A1", []verdict.Remittance{line("A1", "2", 0, "U1")}, verdict.Dispute{Asked: rupees(500)},
			domain.Shared{Lines: 1, Others: other(0)}},
		"lines of an AWB of its own": {"A1,B1", []verdict.Remittance{line("A1", "2", rupees(700), "U1"), func() verdict.Remittance {
			own := line("B1", "1", rupees(200), "U2")
			own.DeliveredOn = ago(20)
			return own
		}()}, verdict.Dispute{UTR: []byte("U2"), DeliveredOn: ago(20), Remitted: rupees(200), Asked: rupees(300)},
			domain.Shared{Lines: 1, Remitted: rupees(700), UTRs: [][]byte{[]byte("U1")}, Paid: true, Others: other(rupees(700))}},
		"money on its other shared AWB alone": {"A1,A2", []verdict.Remittance{line("A1", "2", 0, ""), line("A2", "2", rupees(700), "U1")}, verdict.Dispute{Asked: rupees(500)},
			domain.Shared{Lines: 1, MoreAWBs: 1, Paid: true, Others: other(0)}},
	} {
		t.Run(name, func(t *testing.T) {
			orders := []export{priced("#1", c.awbs, rupees(500)), priced("#2", "A1,A2", rupees(700)), later}
			r := pair{orders: orders, lines: c.lines}.reconcile()
			var d verdict.Dispute
			require.Equal(t, c.want.Asked > 0, r.Dispute(0, &d))
			require.Equal(t, string(c.want.UTR), string(d.UTR))
			require.Equal(t, c.want.DeliveredOn, d.DeliveredOn)
			require.Equal(t, c.want.Remitted, d.Remitted)
			require.Equal(t, c.want.Asked, d.Asked)
			c.says.AWB, c.says.DeliveredOn = []byte("A1"), ago(12)
			if len(c.says.UTRs) == 0 {
				require.Empty(t, d.Reason.Shared.UTRs)
				d.Reason.Shared.UTRs = nil
			}
			require.Equal(t, c.says, d.Reason.Shared)
		})
	}
}

// TestAnotherAnswersForItself holds that what one goroutine is told of an order stays when another one asks.
func TestAnotherAnswersForItself(t *testing.T) {
	line := dated(lists("A1", "2", "delivered", rupees(700), rupees(700)), 9, "U1")
	other := dated(lists("A2", "3", "delivered", rupees(700), rupees(700)), 9, "U2")
	r := pair{
		orders: []export{priced("#1", "A1", rupees(500)), priced("#2", "A1", rupees(700)), priced("#3", "A2", rupees(700)), priced("#4", "A2", rupees(500))},
		lines:  []verdict.Remittance{line, other},
	}.reconcile()
	r.Reason(0) // so that there is memory that two may have in common
	another := r.Another()
	told := r.Reason(0)
	another.Reason(2)
	require.Equal(t, []domain.Sharer{{Name: []byte("#2"), Remitted: rupees(700)}}, told.Shared.Others)
	require.Equal(t, [][]byte{[]byte("U1")}, told.Shared.UTRs)
}
