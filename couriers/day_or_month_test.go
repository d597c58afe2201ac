package couriers_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"milaan/domain"
	"milaan/domain/verdict"
)

// TestReportsWhoseDatesReadBothWays holds how reports are read, beside orders of June, of
// which each date can be read day first and month first.
func TestReportsWhoseDatesReadBothWays(t *testing.T) {
	const head, delivered, other = "AWB No,Order ID,COD Amount,Remittance Date\n", "AWB No,Order ID,COD Amount,Remittance Date,Delivered Date\n",
		"AWB No,Order No,COD Amount,Remittance Date\n"
	day := func(month time.Month, of int) domain.Day { return domain.DayFromDate(2026, month, of) }
	june := map[string]domain.Day{"#1": day(time.June, 1), "#2": day(time.June, 10), "#3": day(time.June, 28)}
	withMay := map[string]domain.Day{"#8": day(time.May, 1), "#9": day(time.May, 4)}
	for name, c := range map[string]struct {
		before   map[string]domain.Day // orders of a ledger
		first    domain.Day            // of the orders' dates, if it is not 1 June
		reports  []string
		through  []string
		doubtful []string // with what the warnings say
	}{
		"8 May is no 5 August for an order of 1 May":     {withMay, 0, []string{head + "A8,,1,08/05/2026\n"}, []string{"2026-05-08"}, nil},
		"nor is 05/08, month first":                      {withMay, 0, []string{head + "A8,,1,05/08/2026\n"}, []string{"2026-05-08"}, []string{"1 Remittance Date false"}},
		"the order is known by its id":                   {withMay, 0, []string{head + ",#8,1,08/05/2026\n"}, []string{"2026-05-08"}, nil},
		"the AWB comes before the id":                    {withMay, 0, []string{head + "A3,#8,1,08/05/2026\n"}, []string{"2026-08-05"}, []string{"1 Remittance Date false"}},
		"45 days after the order":                        {map[string]domain.Day{"#8": day(time.April, 23)}, 0, []string{head + "A8,,1,06/07/2026\n"}, []string{"2026-06-07"}, []string{"1 Remittance Date false"}},
		"46 days after it, so the orders' time":          {map[string]domain.Day{"#8": day(time.April, 22)}, 0, []string{head + "A8,,1,06/07/2026\n"}, []string{"2026-07-06"}, []string{"1 Remittance Date true"}},
		"both within 45 days, so the orders' time":       {map[string]domain.Day{"#8": day(time.May, 6)}, 0, []string{head + "A8,,1,06/05/2026\n"}, []string{"2026-06-05"}, []string{"1 Remittance Date false"}},
		"the day of the order":                           {map[string]domain.Day{"#8": day(time.May, 8)}, 0, []string{head + "A8,,1,08/05/2026\n"}, []string{"2026-05-08"}, nil},
		"most lines decide":                              {withMay, 0, []string{head + "A8,,1,05/08/2026\nA9,,1,05/08/2026\nA3,,1,05/08/2026\n"}, []string{"2026-05-08"}, []string{"1 Remittance Date false"}},
		"a delivery shows it too":                        {nil, 0, []string{delivered + "A2,,1,07/07/2026,11/06/2026\n"}, []string{"2026-07-07"}, nil},
		"a zone moves the days":                          {withMay, 0, []string{head + "A8,,1,08/05/2026 20:00:00 +0000\n"}, []string{"2026-08-06"}, []string{"1 Remittance Date false"}},
		"no line's order is known":                       {nil, 0, []string{head + "A8,#8,1,08/05/2026\n"}, []string{"2026-05-08"}, nil},
		"such lines show no month first":                 {nil, 0, []string{head + "A8,#8,1,05/08/2026\n"}, []string{"2026-08-05"}, nil},
		"14 days after the first order":                  {nil, day(time.May, 24), []string{head + "A8,#8,1,07/06/2026\n"}, []string{"2026-06-07"}, nil},
		"15 days after it":                               {nil, day(time.May, 23), []string{head + "A8,#8,1,07/06/2026\n"}, []string{"2026-06-07"}, []string{"1 Remittance Date true"}},
		"45 days before the first order":                 {nil, day(time.May, 27), []string{head + "A8,#8,1,12/04/2026\n"}, []string{"2026-04-12"}, nil},
		"46 days before it":                              {nil, day(time.May, 28), []string{head + "A8,#8,1,12/04/2026\n"}, []string{"2026-04-12"}, []string{"1 Remittance Date true"}},
		"both near the first order, so the orders' time": {nil, 0, []string{head + "A8,#8,1,06/05/2026\n"}, []string{"2026-06-05"}, []string{"1 Remittance Date false"}},
		"another report shows it":                        {nil, 0, []string{head + "A8,,1,06/05/2026\n", head + "A1,,1,19/06/2026\n"}, []string{"2026-05-06", "2026-06-19"}, nil},
		"another report shows month first":               {nil, 0, []string{head + "A8,,1,05/06/2026\n", head + "A1,,1,06/19/2026\n"}, []string{"2026-05-06", "2026-06-19"}, []string{"1 Remittance Date false"}},
		"others contradict each other":                   {nil, 0, []string{head + "A8,,1,06/05/2026\n", head + "A1,,1,19/06/2026\n", head + "A1,,1,06/20/2026\n"}, []string{"2026-06-05", "2026-06-19", "2026-06-20"}, []string{"1 Remittance Date false"}},
		"one of another header shows nothing":            {nil, 0, []string{head + "A8,,1,06/05/2026\n", other + "A1,,1,19/06/2026\n"}, []string{"2026-06-05", "2026-06-19"}, []string{"1 Remittance Date false"}},
		"another report's lines show it":                 {nil, 0, []string{head + "A8,,1,06/05/2026\n", head + "A2,,1,09/07/2026\nA2,#2,1,07/07/2026\n"}, []string{"2026-05-06", "2026-07-09"}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			var orders verdict.Orders
			orders.Reset()
			for _, name := range []string{"#1", "#2", "#3"} {
				o, _ := orders.FindOrAdd([]byte(name))
				o.Total, o.HasTotal, o.CreatedOn = domain.Rupee, true, june[name]
				if name == "#1" && c.first != domain.NoDay {
					o.CreatedOn = c.first
				}
				orders.Track(o, []byte("A"+name[1:]))
			}
			for name, on := range c.before {
				require.Empty(t, orders.Remember(&verdict.RememberedOrder{Order: verdict.Order{Name: []byte(name), CreatedOn: on}, AWBs: []byte("A" + name[1:])}))
			}
			var texts [][]byte
			for _, text := range c.reports {
				texts = append(texts, []byte(text))
			}
			lines := readAll(t, func() *verdict.Orders { return &orders }, texts...)
			var run verdict.Reconciliation
			for range 2 { // what is settled stays so
				require.NoError(t, run.Decide(&orders, lines, domain.TermsFor(nil, 0, nil)))
				var through, doubtful []string
				for _, report := range run.Reports() {
					through = append(through, report.Through.String())
				}
				for _, w := range run.Warnings() {
					if w.Code == domain.WarnAmbiguousDates {
						doubtful = append(doubtful, fmt.Sprint(max(1, w.Report), " ", w.Column, " ", w.DayFirst))
					}
				}
				require.Equal(t, c.through, through)
				require.Equal(t, c.doubtful, doubtful)
			}
		})
	}
}
