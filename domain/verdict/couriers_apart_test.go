package verdict_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"milaan/domain"
	"milaan/domain/verdict"
)

// twoCouriers is sixty orders of thirty days, of which every second one is sent by a
// courier whose report is not given. tell says how the two couriers' orders differ.
func twoCouriers(tell func(i int, other bool) (carrier, awb string)) (p pair) {
	for i := range 60 {
		carrier, awb := tell(i, i%2 == 1)
		o := priced(fmt.Sprintf("#%d", 1000+i), awb, rupees(500))
		o.carrier, o.CreatedOn = carrier, ago(60-i/2)
		p.orders = append(p.orders, o)
		if i%2 == 0 {
			line := paidOn(awb, fmt.Sprint(1000+i), rupees(500))
			line.DeliveredOn, line.RemittedOn = o.CreatedOn+4, ago(5)
			p.lines = append(p.lines, line)
		}
	}
	last := paidOn("LAST", "", rupees(1))
	last.RemittedOn = ago(-20)
	p.lines = append(p.lines, last)
	return p
}

func flagCounts(r *verdict.Reconciliation) map[string]int {
	counts := map[string]int{}
	for _, flag := range flagsOf(r) {
		counts[flag]++
	}
	return counts
}

// TestAnotherCouriersParcels is about orders whose courier's report is not given: nothing
// proves that their money is missing.
func TestAnotherCouriersParcels(t *testing.T) {
	for name, tell := range map[string]func(i int, other bool) (carrier, awb string){
		"the export names the carrier": func(i int, other bool) (string, string) {
			return map[bool]string{false: "Delhivery", true: "DTDC Express"}[other], ""
		},
		"in any spelling": func(i int, other bool) (string, string) {
			return map[bool]string{false: "DELHIVERY", true: []string{"dtdc-express", "DTDC  Express"}[i/2%2]}[other], ""
		},
		"the form of the AWB": func(i int, other bool) (string, string) {
			return "", map[bool]string{false: fmt.Sprint(38061000000000 + i), true: fmt.Sprintf("D%08d", i)}[other]
		},
		"its first two characters": func(i int, other bool) (string, string) {
			return "", map[bool]string{false: fmt.Sprint(38061000000000 + i), true: fmt.Sprint(14902000000000 + i)}[other]
		},
		"the carrier before the form": func(i int, other bool) (string, string) {
			return map[bool]string{false: "Delhivery", true: "DTDC"}[other], fmt.Sprint(38061000000000 + i)
		},
		"no AWB is a form of its own": func(i int, other bool) (string, string) {
			return "", map[bool]string{false: fmt.Sprint(38061000000000 + i), true: ""}[other]
		},
	} {
		t.Run(name, func(t *testing.T) {
			r := twoCouriers(tell).reconcile()
			require.Equal(t, map[string]int{"RECONCILED": 30, "OVERDUE": 30}, flagCounts(r))
			require.Equal(t, domain.CauseOtherCourier, r.Reason(1).Cause)
			require.Contains(t, r.Warnings(), domain.Warning{Code: domain.WarnOutsideReport, Count: 30, Amount: rupees(15000), HasAmount: true})
		})
	}
	t.Run("nothing tells them apart", func(t *testing.T) {
		p := twoCouriers(func(i int, _ bool) (string, string) { return "", fmt.Sprint(38061000000000 + i) })
		require.Equal(t, map[string]int{"RECONCILED": 30, "OVERDUE": 30}, flagCounts(p.reconcile()), "half of them is not more than half")
		for i := range p.orders[:10] {
			if i%2 == 1 {
				p.lines = append(p.lines, paidOn("", fmt.Sprint(1000+i), rupees(500)))
			}
		}
		require.Positive(t, flagCounts(p.reconcile())["MISSING"])
	})
	t.Run("a small courier", func(t *testing.T) {
		p := twoCouriers(func(i int, other bool) (string, string) {
			return map[bool]string{false: "Delhivery", true: "DTDC"}[other], ""
		})
		p.orders = p.orders[:36] // eighteen each
		for i := range 4 {       // four of eighteen are one in five
			require.Equal(t, 18, flagCounts(p.reconcile())["OVERDUE"]+i)
			p.lines = append(p.lines, paidOn("", fmt.Sprint(1001+2*i), rupees(500)))
		}
		require.Equal(t, 14, flagCounts(p.reconcile())["MISSING"])
	})
}

// weekly is four weeks of orders with a payout each, of which one is left out.
func weekly(perWeek, leaveOut int) (p pair) {
	for i := range 4 * perWeek {
		o := priced(fmt.Sprintf("#%d", 1000+i), "", rupees(500))
		week := i / perWeek
		o.CreatedOn = ago(60 - 7*week - i%3)
		p.orders = append(p.orders, o)
		if week != leaveOut {
			line := paidOn("", fmt.Sprint(1000+i), rupees(500))
			line.RemittedOn = ago(48 - 7*week)
			p.lines = append(p.lines, line)
		}
	}
	last := paidOn("LAST", "", rupees(1))
	last.DeliveredOn, last.RemittedOn = ago(-20), domain.NoDay
	p.lines = append(p.lines, last)
	return p
}

// TestALackingPayout is about a weekly report that was forgotten: one of four weeks of
// payouts is not there, and no order of it is MISSING.
func TestALackingPayout(t *testing.T) {
	r := weekly(4, 2).reconcile()
	require.Equal(t, map[string]int{"RECONCILED": 12, "OVERDUE": 4}, flagCounts(r))
	gap := domain.Gap{After: ago(41), Before: ago(27), Every: 7}
	for i := 8; i < 12; i++ {
		require.Equal(t, domain.CausePayoutGap, r.Reason(i).Cause)
		require.Equal(t, gap, r.Reason(i).Gap)
	}
	require.Contains(t, r.Warnings(), domain.Warning{Code: domain.WarnPayoutGap, Count: 4, Amount: rupees(2000), HasAmount: true, Gap: gap})
	require.Zero(t, flagCounts(weekly(10, 2).reconcile())["MISSING"], "of more orders")

	first := weekly(4, 0).reconcile()
	require.Zero(t, flagCounts(first)["MISSING"])
	require.Equal(t, domain.Gap{Before: ago(41), Every: 7}, first.Reason(0).Gap, "before the first payout")

	for name, change := range map[string]func(p *pair){
		"a line of the report is dated in the gap": func(p *pair) {
			line := paidOn("OTHER", "", rupees(1))
			line.RemittedOn = ago(34)
			p.lines = append(p.lines, line)
		},
		"fewer than eight lines": func(p *pair) {
			last := p.lines[len(p.lines)-1]
			*p = weekly(2, 2)
			p.lines[len(p.lines)-1] = last
		},
		"payouts that come as they like": func(p *pair) { p.lines[0].RemittedOn = ago(51) },
		"daily payouts": func(p *pair) {
			for i := range p.lines[:12] {
				p.lines[i].RemittedOn = ago(48 - i)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			p := weekly(4, 2)
			change(&p)
			require.Positive(t, flagCounts(p.reconcile())["MISSING"])
		})
	}

	// The next run, which may be another account's, must not be told of it.
	var used verdict.Reconciliation
	for _, leaveOut := range []int{2, 4} {
		var orders verdict.Orders
		var lines verdict.Remittances
		orders.Reset()
		p := weekly(4, leaveOut)
		for i := range p.orders {
			p.orders[i].addTo(&orders)
		}
		for _, line := range p.lines {
			lines.Add(line)
		}
		require.NoError(t, used.Decide(&orders, &lines, domain.TermsFor(nil, 0, nil)))
	}
	require.False(t, slices.ContainsFunc(used.Warnings(), func(w domain.Warning) bool { return w.Code == domain.WarnPayoutGap }))
}

// TestLinesShowWhoseBeginningsAre is about three orders of a courier whose report is given, but lists older parcels alone: the parcels
// of another courier with AWBs of the same form prove nothing about them.
func TestLinesShowWhoseBeginningsAre(t *testing.T) {
	line := func(awb string) verdict.Remittance {
		return verdict.Remittance{AWB: []byte(awb), RemittedOn: ago(-20), Listed: rupees(500), Collected: rupees(500), Remitted: rupees(500), HasRemitted: true}
	}
	for name, c := range map[string]struct {
		second, begins, carrier string
		remembered              bool // the lines are in a ledger
		want                    domain.Flag
		cause                   domain.Cause
	}{
		"another courier's lines have the beginning": {second: "xpressbees", begins: "1524260", want: domain.Overdue, cause: domain.CauseOutsideReport},
		"a ledger's have it":                         {second: "xpressbees", begins: "1524260", remembered: true, want: domain.Overdue, cause: domain.CauseOtherCourier},
		"the same courier's have it":                 {second: "delhivery", begins: "1524260", want: domain.Missing},
		"no lines have it":                           {second: "xpressbees", begins: "3806100", want: domain.Missing},
		"the carrier is a courier whose report is given": {second: "xpressbees", begins: "3806100", carrier: "Xpressbees Surface", want: domain.Overdue,
			cause: domain.CauseOutsideReport},
		"the carrier is a courier without a report": {second: "xpressbees", begins: "3806100", carrier: "DTDC", want: domain.Overdue, cause: domain.CauseOtherCourier},
	} {
		t.Run(name, func(t *testing.T) {
			r, err := decide(domain.TermsFor(nil, 0, nil), func(orders *verdict.Orders, remittances *verdict.Remittances) {
				for i := range 15 {
					o, _ := orders.FindOrAdd(fmt.Appendf(nil, "#%d", i))
					o.Total, o.HasTotal, o.CreatedOn = rupees(500), true, ago(30-i)
					begins := "1490260"
					if i >= 12 {
						begins = "1524261"
						if c.carrier != "" {
							o.Carrier = orders.Share([]byte(c.carrier))
						}
					}
					orders.Track(o, fmt.Appendf(nil, "%s%07d", begins, i))
				}
				if c.remembered {
					for i := range 2 {
						remembered := line(fmt.Sprintf("%s%07d", c.begins, 100+i))
						require.Empty(t, remittances.Remember(&verdict.RememberedLine{Remittance: remembered, Courier: c.second}))
					}
					c.begins = "3806100"
				}
				remittances.Begin("delhivery")
				for i := range 10 {
					remittances.Add(line(fmt.Sprintf("1490260%07d", i)))
				}
				remittances.Begin(c.second)
				for i := range 4 {
					remittances.Add(line(fmt.Sprintf("%s%07d", c.begins, 200+i)))
				}
			})
			require.NoError(t, err)
			for i := range 15 {
				switch reason := r.Reason(i); {
				case i < 10:
					require.Equal(t, domain.Reconciled, reason.Flag)
				case i < 12:
					require.Equal(t, domain.Missing, reason.Flag, "of the courier whose parcels are listed")
				default:
					require.Equal(t, c.want, reason.Flag)
					require.Equal(t, c.cause, reason.Cause)
				}
			}
		})
	}
}
