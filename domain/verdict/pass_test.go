package verdict_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"milaan/domain"
	"milaan/domain/verdict"
)

// courierReport is a report of a courier, or "" for an unknown one, with a line of each day.
type courierReport struct {
	source  int // from 1; 0: of a request
	courier string
	days    []domain.Day
}

// decided compares 20 orders of day 0, of which the reports list all but the last, with
// reports.
func decided(t require.TestingT, reports []courierReport, absent ...string) *verdict.Reconciliation {
	var orders verdict.Orders
	orders.Reset()
	for i := range 20 {
		o, _ := orders.FindOrAdd(fmt.Appendf(nil, "#%d", 100+i))
		o.Total, o.HasTotal, o.CreatedOn = 500*domain.Rupee, true, ago(0)
		require.True(t, orders.Track(o, fmt.Appendf(nil, "14900%d", 100+i)))
	}
	var lines verdict.Remittances
	lines.Reset()
	for _, r := range reports {
		lines.Begin(r.courier)
		lines.SetSource(r.source, fmt.Sprint(r.source))
		for i, day := range r.days {
			lines.Add(verdict.Remittance{AWB: fmt.Appendf(nil, "14900%d", 100+i), Collected: 500 * domain.Rupee, Remitted: 500 * domain.Rupee, RemittedOn: day})
		}
		lines.SetRows(len(r.days))
	}
	for _, courier := range absent {
		lines.AddAbsent(courier)
	}
	var found verdict.Reconciliation
	require.NoError(t, found.Decide(&orders, &lines, domain.TermsFor(nil, 0, nil)))
	return &found
}

// all is a report of 19 lines of a day.
func all(source int, courier string, day domain.Day) courierReport {
	r := courierReport{source: source, courier: courier}
	for range 19 {
		r.days = append(r.days, day)
	}
	return r
}

// TestNoReportAtAll holds that a first pass whose sources have no report yet does not say OVERDUE without a warning.
func TestNoReportAtAll(t *testing.T) {
	require.Contains(t, decided(t, nil, "delhivery").Warnings(), domain.Warning{Code: domain.WarnNothingMatched, Count: 20})
}

// TestAbsentReports holds that a courier of which no report has come makes the coverage
// unknown, unless another report of the courier has a date.
func TestAbsentReports(t *testing.T) {
	north := all(0, "delhivery", ago(-30))
	for name, c := range map[string]struct {
		reports []courierReport
		absent  []string
		through domain.Day
		missing int
		empty   bool
	}{
		"none absent":             {[]courierReport{north}, nil, ago(-30), 1, false},
		"another courier":         {[]courierReport{north}, []string{"dtdc"}, domain.NoDay, 0, false},
		"an unknown courier":      {[]courierReport{north}, []string{""}, domain.NoDay, 0, false},
		"the same courier":        {[]courierReport{north}, []string{"delhivery"}, ago(-30), 1, false},
		"the same and another":    {[]courierReport{north}, []string{"delhivery", "dtdc"}, domain.NoDay, 0, false},
		"the same, without dates": {[]courierReport{all(0, "delhivery", domain.NoDay)}, []string{"delhivery"}, domain.NoDay, 0, false},
		"no report at all":        {nil, []string{"dtdc"}, domain.NoDay, 0, false},
		"an empty report":         {[]courierReport{{courier: "dtdc"}}, []string{"delhivery"}, domain.NoDay, 0, true},
	} {
		found := decided(t, c.reports, c.absent...)
		require.Equal(t, c.through, found.Guidance.DataThrough, name)
		require.Equal(t, c.missing, found.Tally.Flags[domain.Missing], name)
		if c.through == domain.NoDay {
			require.Zero(t, found.Guidance.Behind, name)
		}
		empty := false
		for _, w := range found.Warnings() {
			empty = empty || w.Code == domain.WarnEmptyReport
		}
		require.Equal(t, c.empty, empty, "%s: a report that has not come is not an empty one", name)
	}
}

// TestResetForgetsAbsentReports holds that the memory of one run says nothing in the next.
func TestResetForgetsAbsentReports(t *testing.T) {
	var lines verdict.Remittances
	lines.AddAbsent("dtdc")
	lines.Reset()
	lines.Add(verdict.Remittance{AWB: []byte("1"), RemittedOn: 9})
	var orders verdict.Orders
	orders.Reset()
	var found verdict.Reconciliation
	require.NoError(t, found.Decide(&orders, &lines, domain.TermsFor(nil, 0, nil)))
	require.Equal(t, domain.Day(9), found.Guidance.DataThrough)
}

// TestSourceResults holds what each source contributed, and which are behind.
func TestSourceResults(t *testing.T) {
	c := domain.Connection{Sources: []domain.ReportSource{{ID: "s1", Courier: "delhivery"}, {ID: "s2"}, {ID: "s3", Courier: "dtdc"}}}
	results := func(reports ...courierReport) (results []domain.SourceResult, through domain.Day) {
		files := map[int]bool{}
		for _, r := range reports {
			files[r.source] = true
		}
		var absent []string
		for i, s := range c.Sources {
			if !files[i+1] {
				absent = append(absent, s.Courier)
			}
		}
		found := decided(t, reports, absent...)
		return verdict.SourceResults(&c, found.Reports()), found.Guidance.DataThrough
	}
	got, through := results(all(1, "delhivery", ago(-20)), all(2, "shadowfax", ago(-9)), all(2, "delhivery", ago(-30)), all(3, "dtdc", ago(-12)))
	require.Equal(t, ago(-9), through)
	require.Equal(t, []domain.SourceResult{
		{SourceID: "s1", Courier: "delhivery", Files: 1, Lines: 19, Through: ago(-20)},
		{SourceID: "s2", Courier: "delhivery+shadowfax", Files: 2, Lines: 38, Through: ago(-30), Behind: true},
		{SourceID: "s3", Courier: "dtdc", Files: 1, Lines: 19, Through: ago(-12)},
	}, got)

	got, through = results(all(2, "delhivery", ago(-30)), all(2, "", ago(-9)))
	require.Equal(t, domain.NoDay, through)
	require.Equal(t, []bool{false, false, true}, []bool{got[0].Behind, got[1].Behind, got[2].Behind}, "a report of the first one's courier has come elsewhere")
	require.Equal(t, "dtdc", got[2].Courier)
	got, _ = results()
	require.Equal(t, []bool{true, true, true}, []bool{got[0].Behind, got[1].Behind, got[2].Behind})
}

// TestUnknownCouriersCountBySource holds that reports of a source whose courier is not known,
// or is any courier without a profile, count as one courier's: a source with a file a day
// reaches as far as its last one. Those of a request count one by one, or by their name.
func TestUnknownCouriersCountBySource(t *testing.T) {
	for name, c := range map[string]struct {
		reports []courierReport
		through domain.Day
	}{
		"of one source":            {[]courierReport{all(1, "", ago(-3)), all(1, "", ago(-20)), all(1, "", domain.NoDay)}, ago(-20)},
		"of two sources":           {[]courierReport{all(1, "", ago(-3)), all(1, "", ago(-20)), all(2, "", ago(-9))}, ago(-9)},
		"custom of two sources":    {[]courierReport{all(1, "custom", ago(-3)), all(2, "custom", ago(-20)), all(1, "custom", ago(-7))}, ago(-7)},
		"custom and unknown":       {[]courierReport{all(1, "custom", ago(-3)), all(1, "", ago(-20))}, ago(-20)},
		"known beside unknown":     {[]courierReport{all(1, "", ago(-30)), all(1, "dtdc", ago(-3)), all(2, "dtdc", ago(-8))}, ago(-8)},
		"unknown of a request":     {[]courierReport{all(0, "", ago(-3)), all(0, "", ago(-20))}, ago(-3)},
		"custom of a request":      {[]courierReport{all(0, "custom", ago(-3)), all(0, "custom", ago(-20))}, ago(-20)},
		"several by turns":         {[]courierReport{all(2, "", ago(-3)), all(1, "", ago(-5)), all(2, "", ago(-7)), all(1, "", ago(-4))}, ago(-5)},
		"known ones of one source": {[]courierReport{all(1, "dtdc", ago(-30)), all(1, "delhivery", ago(-3))}, ago(-3)},
	} {
		require.Equal(t, c.through, decided(t, c.reports).Guidance.DataThrough, name)
	}
	var lines verdict.Remittances
	lines.Begin("")
	lines.SetSource(2, "2")
	lines.Restart()
	require.Equal(t, 2, lines.Reports()[0].Source, "a report that is read again is of the same source")
}

// TestTheSourceBehindIsThatOfTheCoverage holds for any reports that the source that is marked
// is one without which the coverage would not end where it does.
func TestTheSourceBehindIsThatOfTheCoverage(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		couriers := rapid.SampledFrom([]string{"", "custom", "delhivery", "dtdc"})
		c := domain.Connection{}
		for range rapid.IntRange(1, 4).Draw(t, "sources") {
			c.Sources = append(c.Sources, domain.ReportSource{Courier: couriers.Draw(t, "stated")})
		}
		var reports []courierReport
		has := map[int]bool{}
		for range rapid.IntRange(0, 5).Draw(t, "reports") {
			r := courierReport{source: rapid.IntRange(1, len(c.Sources)).Draw(t, "source"), days: []domain.Day{rapid.SampledFrom([]domain.Day{domain.NoDay, ago(-3), ago(-9)}).Draw(t, "day")}}
			if r.courier = c.Sources[r.source-1].Courier; r.courier == "" {
				r.courier = couriers.Draw(t, "recognised")
			}
			reports, has[r.source-1] = append(reports, r), true
		}
		var absent []string
		for i, s := range c.Sources {
			if !has[i] {
				absent = append(absent, s.Courier)
			}
		}
		found := decided(t, reports, absent...)
		marked := 0
		for i, result := range verdict.SourceResults(&c, found.Reports()) {
			if !result.Behind {
				continue
			}
			marked++
			if !has[i] {
				require.Equal(t, domain.NoDay, found.Guidance.DataThrough)
				continue
			}
			require.Contains(t, daysOf(reports, i+1), found.Guidance.DataThrough)
		}
		require.Positive(t, marked)
	})
}

func daysOf(reports []courierReport, source int) (days []domain.Day) {
	for _, r := range reports {
		if r.source == source {
			days = append(days, r.days...)
		}
	}
	return days
}

// TestUnpaid holds which orders count as unpaid, and by how much.
func TestUnpaid(t *testing.T) {
	var orders verdict.Orders
	orders.Reset()
	add := func(name string, on domain.Day, awb string) *verdict.Order {
		o, _ := orders.FindOrAdd([]byte(name))
		o.Total, o.HasTotal, o.CreatedOn = 500*domain.Rupee, true, on
		orders.Track(o, []byte(awb))
		return o
	}
	add("paid", 100, "A1")
	add("short", 100, "A2")
	add("overpaid", 100, "A3")
	add("waits", 120, "A4")
	add("overdue", 100, "A5")
	add("prepaid", 100, "A6").Payment = domain.PaymentPrepaid
	var lines verdict.Remittances
	lines.Reset()
	for awb, rupees := range map[string]int64{"a1": 500, "a2": 400, "a3": 600} {
		lines.Add(verdict.Remittance{AWB: []byte(awb), Collected: domain.Paise(rupees) * domain.Rupee, Remitted: domain.Paise(rupees) * domain.Rupee, RemittedOn: 108})
	}
	var found verdict.Reconciliation
	require.NoError(t, found.Decide(&orders, &lines, domain.TermsFor(nil, 0, nil)))
	require.Equal(t, map[domain.Day]domain.OrderSum{
		100: {Orders: 2, Amount: 600 * domain.Rupee}, // what is short, and all that is overdue
		120: {Orders: 1, Amount: 500 * domain.Rupee},
	}, found.Unpaid())
}

// TestOrdersLeaveTheWindowOnce holds for any order of windows that each day's orders are
// counted once at most, and that no day of the window is.
func TestOrdersLeaveTheWindowOnce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		state, left := domain.PassState{}, 0
		last := domain.Day(0)
		for range rapid.IntRange(1, 10).Draw(t, "passes") {
			from := domain.Day(rapid.IntRange(100, 130).Draw(t, "from"))
			before := state.From
			var gone domain.OrderSum
			state, gone = state.MoveWindow(from)
			left += gone.Orders
			last = max(last, from)
			require.Equal(t, max(before, from), state.From)
			require.LessOrEqual(t, left, int(last-90), "no order twice")
			state.Unpaid = map[domain.Day]domain.OrderSum{}
			for day := domain.Day(90); day < 140; day++ { // one each day, as far as the window shows them
				if day >= from {
					state.Unpaid[day] = domain.OrderSum{Orders: 1, Amount: 1}
				}
			}
			require.Equal(t, from == state.From, state.Leaving(from).Orders == 1)
		}
	})
}

// TestPassWarnings holds that warnings of a pass quote nothing of the files, and that those of
// several reports are one.
func TestPassWarnings(t *testing.T) {
	got := domain.PassWarnings([]domain.Warning{
		{Code: domain.WarnUnclaimedLines, Count: 3, Amount: 300, HasAmount: true, Reports: 2},
		{Code: domain.WarnUnidentifiedMoney, Count: 1, Amount: 100, HasAmount: true, Report: 1},
		{Code: domain.WarnUnidentifiedMoney, Count: 2, Amount: 200, HasAmount: true, Report: 2},
		{Code: domain.WarnRoundedAWBs, Count: 1, Of: 4, File: domain.StorefrontFile, Examples: []string{"1.49E+9"}},
		{Code: domain.WarnRoundedAWBs, Count: 1, Of: 2, File: domain.CourierFile, Report: 2, Examples: []string{"1.49E+9"}},
		{Code: domain.WarnRoundedAWBs, Count: 1, Of: 2, File: domain.LedgerFile, Examples: []string{"1.49E+9"}},
		{Code: domain.WarnOrderIDColumn, Column: "A", OtherColumn: "B", Report: 1},
		{Code: domain.WarnFooterDiffers, Line: 7, Stated: 9, Amount: 8, HasAmount: true, Report: 1},
		{Code: domain.WarnFooterDiffers, Line: 8, StatedCount: 9, Count: 8, Report: 2},
	}, domain.OrderSum{Orders: 2, Amount: 700})
	require.Equal(t, []domain.Warning{
		{Code: domain.WarnUnclaimedLines, Count: 3, Amount: 300, HasAmount: true, Reports: 2},
		{Code: domain.WarnUnidentifiedMoney, Count: 3, Amount: 300, HasAmount: true},
		{Code: domain.WarnRoundedAWBs, Count: 1, Of: 4, File: domain.StorefrontFile},
		{Code: domain.WarnRoundedAWBs, Count: 1, Of: 2, File: domain.CourierFile},
		{Code: domain.WarnOrderIDColumn},
		{Code: domain.WarnFooterDiffers},
		{Code: domain.WarnLeavingWindow, Count: 2, Amount: 700, HasAmount: true},
	}, got)
	require.Empty(t, domain.PassWarnings(nil, domain.OrderSum{}))
}

// TestLinesOfAllReportsOfAPassAreToldApart has a pass with as many reports as there may be, after a ledger of as
// many couriers.
func TestLinesOfAllReportsOfAPassAreToldApart(t *testing.T) {
	orders, remittances := fresh()
	for i := range domain.MaxReports {
		line := verdict.RememberedLine{Remittance: lists(fmt.Sprint("A", i), "", "delivered", rupees(1), rupees(1)), Courier: fmt.Sprint("courier", i)}
		require.Empty(t, remittances.Remember(&line))
	}
	for i := range domain.MaxPassFiles {
		remittances.Begin("shadowfax")
		line := lists(fmt.Sprint("B", i), "", "delivered", rupees(2), rupees(2))
		line.UTR = fmt.Append(nil, "UTR", i)
		remittances.Add(line)
	}
	var r verdict.Reconciliation
	require.NoError(t, r.Decide(orders, remittances, domain.TermsFor(nil, 0, nil)))
	require.Len(t, r.Payouts(), domain.MaxPassFiles)
	for i, p := range r.Payouts() {
		require.Equal(t, "shadowfax", p.Courier, "payout %d", i)
	}
}
