package verdict_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"milaan/domain"
	"milaan/domain/verdict"
)

// TestUnnamedCouriers holds when reports that count as those of one courier seem to be of several.
func TestUnnamedCouriers(t *testing.T) {
	type report struct {
		awbs    []string
		courier string
		header  uint64
		source  int
	}
	of := func(form string, numbers ...int) (awbs []string) {
		for _, n := range numbers {
			awbs = append(awbs, fmt.Sprintf(form, n))
		}
		return awbs
	}
	sf, d := of("SF%08dIN", 1, 2, 3), of("D%08d", 1, 2, 3)
	warned := func(count, report, by, of int) []domain.Warning {
		return []domain.Warning{{Code: domain.WarnUnnamedCouriers, Count: count, Report: report, By: by, Reports: of}}
	}
	for name, c := range map[string]struct {
		reports []report
		want    []domain.Warning
	}{
		"two forms":                      {[]report{{awbs: sf, header: 7}, {awbs: d, header: 7}}, warned(2, 1, 2, 2)},
		"one form, two beginnings":       {[]report{{awbs: of("1490%06d", 1, 2, 3), header: 7}, {awbs: of("3861%06d", 1, 2, 3), header: 7}}, warned(2, 1, 2, 2)},
		"one beginning":                  {[]report{{awbs: of("1490%06d", 1, 2, 3), header: 7}, {awbs: of("1495%06d", 1, 2, 3), header: 7}}, nil},
		"a third has both":               {[]report{{awbs: sf, header: 7}, {awbs: d, header: 7}, {awbs: []string{sf[0], d[0]}, header: 7}}, nil},
		"the second is like the third":   {[]report{{awbs: sf, header: 7}, {awbs: d[:2], header: 7}, {awbs: of("D%08d", 7), header: 7}}, warned(3, 1, 2, 3)},
		"two parcels may be an accident": {[]report{{awbs: sf, header: 7}, {awbs: append(of("D%08d", 1), d[:2]...), header: 7}}, nil},
		"without AWBs":                   {[]report{{awbs: sf, header: 7}, {awbs: []string{"", "", ""}, header: 7}}, nil},
		"one courier is named":           {[]report{{awbs: sf, courier: "shadowfax", header: 7}, {awbs: d, header: 7}}, nil},
		"both are":                       {[]report{{awbs: sf, courier: "dtdc", header: 7}, {awbs: d, courier: "dtdc", header: 7}}, nil},
		"two headers":                    {[]report{{awbs: sf, header: 7}, {awbs: d, header: 8}}, nil},
		"headers that nobody knows":      {[]report{{awbs: sf}, {awbs: d}}, nil},
		"after others": {[]report{{awbs: sf, courier: "shadowfax", header: 7}, {awbs: d, header: 9}, {awbs: sf, header: 9}},
			warned(2, 2, 3, 3)},
		"of one source": {[]report{{awbs: sf, header: 7, source: 1}, {awbs: d, header: 8, source: 1}}, warned(2, 1, 2, 2)},
		"of two":        {[]report{{awbs: sf, header: 7, source: 1}, {awbs: d, header: 7, source: 2}}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			var orders verdict.Orders
			var lines verdict.Remittances
			var r verdict.Reconciliation
			orders.Reset()
			lines.Reset()
			priced("#1", "SF00000001IN", rupees(500)).addTo(&orders)
			require.Empty(t, lines.Remember(&verdict.RememberedLine{Remittance: paidOn("X1", "", rupees(1))}), "those of a ledger come before them")
			for _, report := range c.reports {
				lines.Begin(report.courier)
				lines.SetHeader(report.header)
				lines.SetSource(report.source)
				for _, awb := range report.awbs {
					lines.Add(paidOn(awb, "7", rupees(500)))
				}
			}
			require.NoError(t, r.Decide(&orders, &lines, domain.TermsFor(nil, 0, nil)))
			var found []domain.Warning
			for _, w := range r.Warnings() {
				if w.Code == domain.WarnUnnamedCouriers {
					found = append(found, w)
				}
			}
			require.Equal(t, c.want, found)
		})
	}
}
