package verdict_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"milaan/domain"
	"milaan/domain/verdict"
)

// part is a line of a parcel: its UTR, its days ago, its cod_amount and what was remitted, in rupees, and its order.
type part struct {
	utr       string
	on        int
	cod, paid domain.Paise
	order     string
}

func collectedBy(utrs []string, parts []part, awb string) (collected []domain.Paise) {
	s := severalReports{pair: pair{orders: []export{priced("#1", "A1", rupees(1000))}}, ends: []int{len(parts)}, couriers: []string{"delhivery"}}
	for _, p := range parts {
		l := verdict.Remittance{AWB: []byte(awb), OrderID: []byte(p.order), UTR: []byte(p.utr), Listed: rupees(p.cod), Collected: rupees(p.cod), Stated: rupees(p.paid),
			Remitted: rupees(p.paid), HasRemitted: true}
		if p.on > 0 {
			l.RemittedOn = ago(p.on)
		}
		s.lines = append(s.lines, l)
	}
	r := s.reconcile(verdict.LineSum{})
	byUTR := map[string]domain.Paise{}
	for _, p := range r.Payouts() {
		byUTR[string(p.UTR)] = p.Collected / domain.Rupee
	}
	for _, utr := range utrs {
		collected = append(collected, byUTR[utr])
	}
	return collected
}

// TestACODCountsOnce holds what counts as collected of the lines of a parcel, by payout.
func TestACODCountsOnce(t *testing.T) {
	for name, c := range map[string]struct {
		parts []part
		want  []domain.Paise // of payouts U1, U2, …
	}{
		"in two parts":                     {[]part{{"U1", 9, 1000, 600, "1"}, {"U2", 5, 1000, 375, "1"}}, []domain.Paise{1000, 0}},
		"the later part is listed first":   {[]part{{"U2", 5, 1000, 375, "1"}, {"U1", 9, 1000, 600, "1"}}, []domain.Paise{1000, 0}},
		"the parts share the amount":       {[]part{{"U1", 9, 600, 600, "1"}, {"U2", 5, 400, 375, "1"}}, []domain.Paise{600, 400}},
		"taken back":                       {[]part{{"U1", 9, 1000, 975, "1"}, {"U2", 5, 1000, -975, "1"}}, []domain.Paise{1000, -1000}},
		"taken back below zero":            {[]part{{"U1", 9, 1000, 975, "1"}, {"U2", 5, -1000, -975, "1"}}, []domain.Paise{1000, -1000}},
		"taken back in parts":              {[]part{{"U1", 9, 1000, 975, "1"}, {"U2", 5, 1000, -600, "1"}, {"U3", 4, 1000, -375, "1"}}, []domain.Paise{1000, 0, -1000}},
		"and paid again":                   {[]part{{"U1", 9, 1000, 975, "1"}, {"U2", 5, 1000, -975, "1"}, {"U3", 4, 1000, 975, "1"}}, []domain.Paise{1000, -1000, 1000}},
		"taken back, paid before the run":  {[]part{{"U1", 5, 1000, -975, "1"}}, []domain.Paise{-1000}},
		"the freight of a return":          {[]part{{"U1", 5, 1000, -80, "1"}}, []domain.Paise{0}},
		"a weight discrepancy":             {[]part{{"U1", 9, 1000, 975, "1"}, {"U2", 5, 1000, -350, "1"}}, []domain.Paise{1000, 0}},
		"more was paid, and all goes back": {[]part{{"U1", 9, 1000, 1010, "1"}, {"U2", 5, 1000, -1000, "1"}}, []domain.Paise{1000, -1000}},
		"paid twice":                       {[]part{{"U1", 9, 1000, 975, "1"}, {"U2", 5, 1000, 975, "1"}}, []domain.Paise{1000, 1000}},
		"paid twice, once taken back":      {[]part{{"U1", 9, 1000, 975, "1"}, {"U2", 5, 1000, 975, "1"}, {"U3", 4, 1000, -975, "1"}}, []domain.Paise{1000, 1000, -1000}},
		"the second part is sent again":    {[]part{{"U1", 9, 1000, 600, "1"}, {"U2", 5, 1000, 375, "1"}, {"U3", 4, 1000, 375, "1"}}, []domain.Paise{1000, 0, 0}},
		"the first part is sent again":     {[]part{{"U1", 9, 1000, 600, "1"}, {"U2", 5, 1000, 375, "1"}, {"U3", 4, 1000, 600, "1"}}, []domain.Paise{1000, 0, 1000}},
		"two orders in a parcel":           {[]part{{"U1", 9, 500, 250, "1"}, {"U2", 5, 500, 250, "2"}}, []domain.Paise{500, 500}},
		"one line has no order id":         {[]part{{"U1", 9, 500, 250, "1"}, {"U2", 5, 500, 250, ""}}, []domain.Paise{500, 0}},
		"all deducted, then paid":          {[]part{{"U1", 9, 500, 0, "1"}, {"U2", 5, 500, 450, "1"}}, []domain.Paise{500, 0}},
		"without days":                     {[]part{{"U2", 0, 1000, -975, "1"}, {"U1", 0, 1000, 975, "1"}}, []domain.Paise{1000, -1000}},
		"each part that is taken back lists itself": {
			[]part{{"U1", 9, 1000, 1000, "1"}, {"U2", 5, -500, -500, "1"}, {"U3", 4, -500, -500, "1"}}, []domain.Paise{1000, -500, -500}},
	} {
		t.Run(name, func(t *testing.T) {
			utrs := []string{"U1", "U2", "U3"}[:len(c.want)]
			require.Equal(t, c.want, collectedBy(utrs, c.parts, "A1"))
			if name != "one line has no order id" {
				require.Equal(t, c.want, collectedBy(utrs, c.parts, ""), "told by order id")
			}
		})
	}
}

// TestPartsAddUp holds that a parcel that is paid in any parts is collected once, and not at all if as much is taken back, in whatever
// order its lines stand.
func TestPartsAddUp(t *testing.T) {
	utrs := []string{"U1", "U2", "U3", "U4", "U5", "U6", "U7", "U8"}
	rapid.Check(t, func(t *rapid.T) {
		left, n := domain.Paise(rapid.IntRange(1, 1000).Draw(t, "paid")), 0
		var parts []part
		back := rapid.Bool().Draw(t, "back")
		for _, sign := range []domain.Paise{1, -1} {
			if sign < 0 && !back {
				break
			}
			for rest := left; rest > 0; n++ {
				one := min(rest, domain.Paise(rapid.IntRange(1, 1000).Draw(t, "part")))
				if n%4 == 3 {
					one = rest
				}
				rest -= one
				parts = append(parts, part{utrs[n], 20 - n, 1000, sign * one, "1"})
			}
			n = 4
		}
		parts = rapid.Permutation(parts).Draw(t, "order")
		var sum domain.Paise
		for _, c := range collectedBy(utrs, slices.Clone(parts), "A1") {
			sum += c
		}
		if back {
			require.Zero(t, sum)
		} else {
			require.Equal(t, domain.Paise(1000), sum)
		}
	})
}
