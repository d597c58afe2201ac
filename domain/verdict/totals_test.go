package verdict_test

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"milaan/domain"
	"milaan/domain/verdict"
)

// severalReports is a pair whose lines are in several reports.
type severalReports struct {
	pair
	ends     []int    // after how many lines each report ends
	couriers []string // by report
}

func drawSeveral(t *rapid.T) severalReports {
	s := severalReports{pair: drawPair(t)}
	for range min(len(s.lines), rapid.IntRange(0, 2).Draw(t, "repeats")) {
		s.lines = append(s.lines, rapid.SampledFrom(s.lines).Draw(t, "repeat"))
	}
	n := rapid.IntRange(1, 5).Draw(t, "reports")
	for range n - 1 {
		s.ends = append(s.ends, rapid.IntRange(0, len(s.lines)).Draw(t, "end"))
	}
	slices.Sort(s.ends)
	s.ends = append(s.ends, len(s.lines))
	for range n {
		s.couriers = append(s.couriers, rapid.SampledFrom([]string{"", "dtdc", "delhivery"}).Draw(t, "courier"))
	}
	if rapid.Bool().Draw(t, "sent again") {
		s.sendAgain(rapid.IntRange(0, n-1).Draw(t, "which"), domain.Paise(rapid.IntRange(-1, 1).Draw(t, "more")))
	}
	return s
}

// sendAgain adds a report that lists what another one does, and pays more on each line.
func (s *severalReports) sendAgain(report int, more domain.Paise) {
	from := 0
	if report > 0 {
		from = s.ends[report-1]
	}
	for _, l := range s.lines[from:s.ends[report]] {
		l.Remitted += more
		l.Stated += more
		s.lines = append(s.lines, l)
	}
	s.ends, s.couriers = append(s.ends, len(s.lines)), append(s.couriers, s.couriers[report])
}

// fill adds the lines report by report. A report has the money without an id that
// unidentified says.
func (s severalReports) fill(remittances *verdict.Remittances, unidentified verdict.LineSum) {
	from := 0
	for i, end := range s.ends {
		remittances.Begin(s.couriers[i])
		for k, l := range s.lines[from:end] {
			l.Line = int32(k + 2)
			remittances.Add(l)
		}
		remittances.SetRows(end - from)
		remittances.SetUnidentified(unidentified)
		var m domain.Mapping
		m[domain.RoleCODAmount] = "COD"
		if i%2 == 0 {
			m[domain.RoleRemittedAmount] = "Paid"
		}
		remittances.SetMapping(m)
		from = end
	}
}

func (s severalReports) reconcile(unidentified verdict.LineSum) *verdict.Reconciliation {
	return mustDecide(s.terms, func(orders *verdict.Orders, remittances *verdict.Remittances) {
		for _, o := range s.orders {
			o.addTo(orders)
		}
		s.fill(remittances, unidentified)
	})
}

func plus(a, b verdict.LineSum) verdict.LineSum {
	return verdict.LineSum{Lines: a.Lines + b.Lines, Remitted: a.Remitted + b.Remitted}
}

// TestTotalsTieOut holds that every line and every rupee of any reports is in one of the
// totals, by report and by payout, and that the results are their matched part.
func TestTotalsTieOut(t *testing.T) {
	reached := map[string]bool{}
	check := func(t *rapid.T) {
		s := drawSeveral(t)
		unidentified := verdict.LineSum{Lines: rapid.IntRange(0, 2).Draw(t, "unidentified"), Remitted: domain.Paise(rapid.IntRange(0, 500).Draw(t, "₹ unidentified"))}
		r := s.reconcile(unidentified)
		var matched, unclaimed, repeated verdict.LineSum
		from := 0
		totals := r.ReportTotals()
		require.Len(t, totals, len(s.ends))
		for i, of := range totals {
			read := unidentified
			for _, l := range s.lines[from:s.ends[i]] {
				read = plus(read, verdict.LineSum{Lines: 1, Remitted: l.Remitted})
			}
			from = s.ends[i]
			require.Equal(t, read, of.Read)
			require.Equal(t, of.Read, plus(plus(of.Matched, of.Unclaimed), plus(plus(of.Repeated, of.Corrected), of.Unidentified)))
			require.Equal(t, i+1, of.Report)
			matched, unclaimed, repeated = plus(matched, of.Matched), plus(unclaimed, of.Unclaimed), plus(repeated, of.Repeated)
		}
		var results domain.Paise
		for i := range r.Len() {
			results += r.Result(i).Remitted
		}
		require.Equal(t, results, matched.Remitted)
		require.Equal(t, r.Tally.Remitted, matched.Remitted)
		require.Equal(t, verdict.LineSum{Lines: r.Tally.Unclaimed, Remitted: r.Tally.UnclaimedPaid}, unclaimed)

		var listed verdict.LineSum
		last := -1
		for line := range r.UnclaimedLines() {
			listed = plus(listed, verdict.LineSum{Lines: 1, Remitted: line.Remitted})
			place := int(line.Report)<<20 + int(line.Line)
			require.Greater(t, place, last, "in the order of the reports")
			last = place
		}
		require.Equal(t, unclaimed, listed)

		var paid domain.Paise
		for _, p := range r.Payouts() {
			paid += p.Paid
			require.Positive(t, p.Lines)
			if p.DeductedKnown {
				require.Equal(t, p.Collected-p.Paid, p.Deducted)
			}
			reached["several reports"] = reached["several reports"] || p.Report > 1
		}
		require.Equal(t, matched.Remitted+unclaimed.Remitted, paid)
		reached["repeats"] = reached["repeats"] || repeated.Lines > 0
		reached["unclaimed"] = reached["unclaimed"] || unclaimed.Lines > 0
		reached["corrected"] = reached["corrected"] || corrects(r)
	}
	kinds := []string{"several reports", "repeats", "unclaimed", "corrected"}
	for range 5 { // a hundred draws rarely have none of a kind
		rapid.Check(t, check)
		if !slices.ContainsFunc(kinds, func(kind string) bool { return !reached[kind] }) {
			break
		}
	}
	for _, what := range kinds {
		require.True(t, reached[what], "%s: the property was not tried on it", what)
	}
}

// TestDetailsAgreeWithTheLines holds that what is said of an order is what its lines say.
func TestDetailsAgreeWithTheLines(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := drawSeveral(t).reconcile(verdict.LineSum{})
		for i := range r.Len() {
			var lines []verdict.Remittance
			for line := range r.LinesOf(i) {
				lines = append(lines, *line)
			}
			d := r.Details(i)
			if len(lines) == 0 {
				require.Equal(t, verdict.OrderDetails{}, d)
				require.Zero(t, r.Result(i).Remitted)
				continue
			}
			require.Equal(t, int(lines[0].Report)+1, d.Report)
			delivered, utr, awbs := domain.NoDay, "", map[string]bool{}
			for _, line := range lines {
				awbs[strings.ToUpper(string(line.AWB))] = true
				delivered = max(delivered, line.DeliveredOn)
				utr = max(utr, string(line.UTR))
			}
			switch {
			case len(lines) >= verdict.MostSharedLines: // of a shared AWB there may be more, which are not listed
			case r.Reason(i).Notes&(domain.NoteBeside|domain.NoteReplaced) != 0, // some of the lines count for nothing but what was remitted
				r.Reason(i).Notes.Has(domain.NoteRepeats) && len(awbs) > 1: // and a repeat of another parcel for nothing
				require.LessOrEqual(t, d.DeliveredOn, delivered)
			default:
				require.Equal(t, delivered, d.DeliveredOn)
			}
			require.Equal(t, utr, string(d.UTR))
		}
	})
}

// TestPayoutsOfReports holds what is one payout.
func TestPayoutsOfReports(t *testing.T) {
	line := func(awb, utr string, on int, collected, remitted domain.Paise) verdict.Remittance {
		l := verdict.Remittance{AWB: []byte(awb), UTR: []byte(utr), Collected: rupees(collected), Listed: rupees(collected), Remitted: rupees(remitted), Stated: rupees(remitted)}
		if on > 0 {
			l.RemittedOn = ago(on)
		}
		return l
	}
	s := severalReports{
		pair: pair{orders: []export{priced("#1", "A1", rupees(100)), priced("#2", "", rupees(100))}, lines: []verdict.Remittance{
			line("A1", "U1", 9, 100, 90), line("A1", "u1", 9, 100, 90), line("X2", "", 8, 50, 50), line("X3", "", 0, 0, 0),
			line("X4", "u1", 8, 10, 9), line("X5", "", 8, 20, 20), line("X6", "", 0, 5, 5),
		}},
		ends: []int{4, 7}, couriers: []string{"dtdc", ""},
	}
	require.Equal(t, []verdict.Payout{
		{Report: 1, CourierReport: 1, Courier: "dtdc", UTR: []byte("U1"), RemittedOn: ago(8), Lines: 2, Collected: rupees(110), Paid: rupees(99)},
		{Report: 1, CourierReport: 1, Courier: "dtdc", RemittedOn: ago(8), Lines: 1, Collected: rupees(50), Paid: rupees(50), DeductedKnown: true},
		{Report: 2, CourierReport: 2, RemittedOn: ago(8), Lines: 1, Collected: rupees(20), Paid: rupees(20)},
		{Report: 2, CourierReport: 2, Lines: 1, Collected: rupees(5), Paid: rupees(5)},
	}, s.reconcile(verdict.LineSum{}).Payouts())
}

// TestAgeing holds on which days after its window an order is in which band.
func TestAgeing(t *testing.T) {
	var p pair
	for i, days := range []int{0, 7, 8, 14, 15, 30, 31} {
		o := priced(fmt.Sprint("#", i), fmt.Sprint("A", i), rupees(100))
		o.CreatedOn = ago(days + domain.TermsFor(nil, 0, nil).OffsetDays)
		p.orders, p.lines = append(p.orders, o), append(p.lines, paidOn(fmt.Sprint("A", i), "", rupees(60)))
	}
	p.orders = append(p.orders, priced("#latest", "", rupees(0)))
	p.orders[7].CreatedOn = asOf
	p.terms = domain.TermsFor(nil, 0, nil)
	require.Equal(t, []verdict.AgeBand{
		{From: 0, To: 7, Orders: 2, AtRisk: rupees(80)}, {From: 8, To: 14, Orders: 2, AtRisk: rupees(80)},
		{From: 15, To: 30, Orders: 2, AtRisk: rupees(80)}, {From: 31, To: -1, Orders: 1, AtRisk: rupees(40)},
	}, p.reconcile().Ageing())
}

// TestOneCouriersReportsEqualTheirJoinedFile holds guide: verdict 7: reports of one
// courier, cut anywhere, say what one file of the same lines says.
func TestOneCouriersReportsEqualTheirJoinedFile(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawSeveral(t)
		for i := range s.couriers {
			s.couriers[i] = "dtdc"
		}
		got := s.reconcile(verdict.LineSum{})
		if corrects(got) || s.listsAgain() {
			return // one file cannot say which of its lines are the newer ones
		}
		want := s.pair.run()
		want.tally.CourierRows = len(s.lines)
		found := foundBy(got)
		for i, result := range found.results { // the joined file is of no courier, which the payout that lacks would name
			found.results[i] = strings.ReplaceAll(result, "Courier:dtdc}", "Courier:}")
		}
		require.Equal(t, want, found)
	})
}

// corrects says whether a report corrects another one.
func corrects(r *verdict.Reconciliation) bool {
	return slices.ContainsFunc(r.ReportTotals(), func(t verdict.ReportTotals) bool { return t.Corrected.Lines > 0 })
}

// listsAgain says whether two reports may list one payment in lines that are not alike: in one file
// such lines are two payments.
func (s severalReports) listsAgain() bool {
	report := func(line int) int { return slices.IndexFunc(s.ends, func(end int) bool { return line < end }) }
	for i := range s.lines {
		for k := range s.lines[:i] {
			a, b := &s.lines[k], &s.lines[i]
			told := a.Listed == 0 || b.Listed == 0 || a.Listed == b.Listed
			alike := a.Listed == b.Listed && a.RemittedOn == b.RemittedOn && bytes.Equal(a.UTR, b.UTR) && bytes.EqualFold(a.OrderID, b.OrderID)
			if report(k) != report(i) && bytes.EqualFold(a.AWB, b.AWB) && a.Remitted > 0 && a.Stated == b.Stated && told && !alike {
				return true
			}
		}
	}
	return false
}

// TestTheOrderOfReportsDecidesOnlyTies holds that reports may be given in any order, unless one
// corrects another.
func TestTheOrderOfReportsDecidesOnlyTies(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawSeveral(t)
		for i := range s.lines { // of two lines with the same date, the lower one has the status
			s.lines[i].HasStatus, s.lines[i].Returned = false, false
		}
		s.takeBesideOut()
		in := s.reconcile(verdict.LineSum{})
		want := foundBy(in)
		order := make([]int, len(s.ends))
		for i := range order {
			order[i] = i
		}
		moved := severalReports{pair: s.pair}
		moved.lines = nil
		for _, i := range rapid.Permutation(order).Draw(t, "order") {
			from := 0
			if i > 0 {
				from = s.ends[i-1]
			}
			moved.lines = append(moved.lines, s.lines[from:s.ends[i]]...)
			moved.ends, moved.couriers = append(moved.ends, len(moved.lines)), append(moved.couriers, s.couriers[i])
		}
		out := moved.reconcile(verdict.LineSum{})
		if corrects(in) || corrects(out) {
			return
		}
		require.Equal(t, want.withoutBehind(), foundBy(out).withoutBehind())
	})
}

var behind = regexp.MustCompile(`Behind:\{[^}]*\}`)

// withoutBehind leaves out which report is behind. Several may be as far behind, and then
// it is the first of them.
func (f found) withoutBehind() found {
	f.guidance.Behind = domain.Behind{}
	f.results = slices.Clone(f.results)
	for i := range f.results {
		f.results[i] = behind.ReplaceAllString(f.results[i], "")
	}
	return f
}

// addRange adds some of the reports, with statuses and a warning each.
func (s severalReports) addRange(remittances *verdict.Remittances, first, end int) {
	for i := first; i < end; i++ {
		from := 0
		if i > 0 {
			from = s.ends[i-1]
		}
		remittances.Begin(s.couriers[i])
		for _, l := range s.lines[from:s.ends[i]] {
			l.Status, l.MoneyStatus = remittances.AddStatus([]byte("Status of "+string(l.UTR))), remittances.AddStatus([]byte("Paid"))
			remittances.Add(l)
		}
		remittances.SetRows(s.ends[i] - from)
		remittances.Warnings = append(remittances.Warnings, domain.Warning{Code: domain.WarnFooterDiffers, Line: i})
	}
}

// TestAppendedReportsAreAsIfReadThere holds that reports which were read apart say what
// they would say if they had been read one after the other.
func TestAppendedReportsAreAsIfReadThere(t *testing.T) {
	type saying struct {
		found    found
		totals   []verdict.ReportTotals
		warnings []domain.Warning
	}
	rapid.Check(t, func(t *rapid.T) {
		s := drawSeveral(t)
		say := func(fill func(*verdict.Remittances)) saying {
			r := mustDecide(s.terms, func(orders *verdict.Orders, remittances *verdict.Remittances) {
				for _, o := range s.orders {
					o.addTo(orders)
				}
				fill(remittances)
			})
			return saying{foundBy(r), r.ReportTotals(), r.Warnings()}
		}
		n := len(s.ends)
		cut := rapid.IntRange(1, n).Draw(t, "cut")
		want := say(func(remittances *verdict.Remittances) { s.addRange(remittances, 0, n) })
		got := say(func(remittances *verdict.Remittances) {
			s.addRange(remittances, 0, cut)
			if cut < n {
				var others verdict.Remittances
				others.Reset()
				s.addRange(&others, cut, n)
				remittances.Append(&others)
			}
		})
		require.Equal(t, want, got)
	})
}
