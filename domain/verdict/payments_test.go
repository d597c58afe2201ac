package verdict_test

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"milaan/domain"
	"milaan/domain/verdict"
)

// relistedLine pays ₹500 for A1 in one payout.
func relistedLine(change func(*verdict.Remittance)) verdict.Remittance {
	l := paidOn("A1", "", rupees(500))
	l.Stated, l.HasRemitted, l.UTR = rupees(500), true, []byte("609912345678")
	change(&l)
	return l
}

// relistedReport is a report of a payout.
type relistedReport struct {
	courier string
	lines   []verdict.Remittance
}

// relistedBy decides about orders of ₹500, of which #2 and #3 have the AWBs A2 and A3.
func relistedBy(firstAWB string, reports ...relistedReport) *verdict.Reconciliation {
	return mustDecide(domain.TermsFor(nil, 0, nil), func(of *verdict.Orders, lines *verdict.Remittances) {
		for i, awb := range []string{firstAWB, "A2", "A3"} {
			priced(fmt.Sprint("#", i+1), awb, rupees(500)).addTo(of)
		}
		for _, report := range reports {
			lines.Begin(report.courier)
			var m domain.Mapping
			for _, l := range report.lines {
				if l.Listed != 0 {
					m[domain.RoleCODAmount] = "COD"
				}
				if l.Stated != 0 {
					m[domain.RoleRemittedAmount] = "Paid"
				}
			}
			lines.SetMapping(m)
			for _, l := range report.lines {
				lines.Add(l)
			}
		}
	})
}

// permuted calls a function with each order of some values.
func permuted[T any](values []T, do func([]T)) {
	if len(values) < 2 {
		do(values)
		return
	}
	for i, first := range values {
		permuted(slices.Concat(values[:i], values[i+1:]), func(rest []T) { do(append([]T{first}, rest...)) })
	}
}

// TestAPaymentInSeveralReportsCountsOnce holds that the order of reports that say more or less of one payment decides nothing.
func TestAPaymentInSeveralReportsCountsOnce(t *testing.T) {
	t.Run("three reports", func(t *testing.T) {
		all := relistedLine(func(*verdict.Remittance) {})
		net := relistedLine(func(l *verdict.Remittance) { l.Listed = 0 })
		named := relistedLine(func(l *verdict.Remittance) { l.OrderID = []byte("1") })
		of := func(l verdict.Remittance) relistedReport { return relistedReport{"dtdc", []verdict.Remittance{l}} }
		permuted([]relistedReport{of(all), of(net), of(named)}, func(reports []relistedReport) {
			r := relistedBy("A1", reports...)
			require.Equal(t, rupees(500), r.Result(0).Remitted)
			requireTies(t, r)
		})
	})
	rapid.Check(t, func(t *rapid.T) {
		yes, seldom := rapid.Bool(), rapid.Map(rapid.IntRange(0, 4), func(n int) bool { return n == 0 })
		by := rapid.SampledFrom([]string{"the UTR", "the day", "either"}).Draw(t, "told by")
		amounts := rapid.SampledFrom([][]string{{"net", "both"}, {"net", "both", "gross"}}).Draw(t, "amounts")
		several := yes.Draw(t, "several payments")
		firstAWB := rapid.SampledFrom([]string{"A1", "A1", ""}).Draw(t, "AWB of #1")
		couriers := rapid.SampledFrom([][]string{{"dtdc"}, {"dtdc", "delhivery"}}).Draw(t, "couriers")
		reports := make([]relistedReport, rapid.IntRange(2, 4).Draw(t, "reports"))
		for i := range reports {
			ids, states := yes.Draw(t, "ids"), rapid.SampledFrom(amounts).Draw(t, "states")
			parcels := rapid.SampledFrom([][]string{{"A1"}, {"A1", "A2"}, {"A1", "A3"}, {"A1", "A2", "A3"}}).Draw(t, "parcels")
			if several {
				parcels = append(parcels, rapid.SampledFrom([][]string{{}, {"A1"}, {"A1", "A2"}}).Draw(t, "more")...)
			}
			reports[i].courier = rapid.SampledFrom(couriers).Draw(t, "courier")
			for _, awb := range parcels {
				reports[i].lines = append(reports[i].lines, relistedLine(func(l *verdict.Remittance) {
					l.AWB = []byte(awb)
					if several && yes.Draw(t, "half") {
						l.Listed, l.Stated, l.Remitted, l.Collected = rupees(250), rupees(250), rupees(250), rupees(250)
					} else if several && seldom.Draw(t, "less") {
						l.Stated, l.Remitted = rupees(480), rupees(480)
					}
					if ids && yes.Draw(t, "named") {
						if l.OrderID = []byte(awb[1:]); several && seldom.Draw(t, "as another order") {
							l.OrderID = []byte("1")
						}
					}
					switch states {
					case "net":
						l.Listed = 0
					case "gross":
						l.Stated, l.Remitted = 0, l.Listed
					}
					switch lacks := rapid.IntRange(0, 2).Draw(t, "lacks"); {
					case lacks == 0 && by != "the UTR":
						l.UTR = nil
					case lacks == 1 && by != "the day":
						l.RemittedOn = domain.NoDay
					}
				}))
			}
		}
		said, corrected := map[string]bool{}, false
		permuted(reports, func(reports []relistedReport) {
			r := relistedBy(firstAWB, reports...)
			requireTies(t, r)
			corrected = corrected || corrects(r)
			text := ""
			for i := range r.Len() {
				result := r.Result(i)
				listed := slices.ContainsFunc(reports, func(of relistedReport) bool {
					return slices.ContainsFunc(of.lines, func(l verdict.Remittance) bool { return string(l.AWB) == fmt.Sprint("A", i+1) })
				})
				require.True(t, i == 0 && firstAWB == "" || listed == (result.Remitted > 0), "%v", reports)
				text += fmt.Sprintf(" %s %v %v %v", result.OrderID, result.Flag, result.Due, result.Remitted)
			}
			said[text] = true
		})
		inCommon := !several && (by == "the UTR" || by == "the day" && len(couriers) == 1) && len(amounts) == 2 // to any two lines of a parcel
		require.True(t, corrected && !inCommon || len(said) == 1, "%v: %v", said, reports)
		require.False(t, inCommon && strings.Contains(slices.Collect(maps.Keys(said))[0], "OVERPAID"), "%v: %v", said, reports)
	})
}

// TestWhichPaymentsAreOne tests section 1 on repeats of several reports: what is put together, and what may not be.
func TestWhichPaymentsAreOne(t *testing.T) {
	line := func(says string, stated domain.Paise) verdict.Remittance {
		return relistedLine(func(l *verdict.Remittance) {
			if l.Stated, l.Remitted = rupees(stated), rupees(stated); !strings.Contains(says, "net") {
				l.Stated = 0
			}
			if !strings.Contains(says, "gross") {
				l.Listed = 0
			}
			if !strings.Contains(says, "UTR") {
				l.UTR = nil
			}
			if !strings.Contains(says, "day") {
				l.RemittedOn = domain.NoDay
			}
		})
	}
	whole := func(stated domain.Paise) (lines []verdict.Remittance) {
		for _, awb := range []string{"A1", "A2", "A3"} {
			l := line("gross, net, UTR", stated)
			l.AWB = []byte(awb)
			lines = append(lines, l)
		}
		return lines
	}
	report := func(courier string, lines ...verdict.Remittance) relistedReport {
		return relistedReport{courier, lines}
	}
	for name, c := range map[string]struct {
		reports  []relistedReport
		anyOrder bool
		want     domain.Paise
	}{
		"what says less than a corrected line is corrected too": {
			[]relistedReport{report("dtdc", line("net, UTR", 500)), report("dtdc", whole(500)...), report("dtdc", whole(480)...)}, false, 480,
		},
		"also if it comes between the two": {
			[]relistedReport{report("dtdc", whole(500)...), report("dtdc", line("net, UTR", 500)), report("dtdc", whole(480)...)}, false, 480,
		},
		"but not if it comes after them": {
			[]relistedReport{report("dtdc", whole(500)...), report("dtdc", whole(480)...), report("dtdc", line("net, UTR", 500))}, false, 980,
		},
		"two lines have nothing in common but with a corrected one": {
			[]relistedReport{report("dtdc", line("net, day", 500)), report("dtdc", line("gross, net, day, UTR", 500)), report("dtdc", line("gross, UTR", 500))}, true, 500,
		},
		"what counts goes before what is corrected": {
			[]relistedReport{report("dtdc", line("gross, net, day, UTR", 450)), report("dtdc", line("gross, net, UTR", 480)), report("delhivery", line("gross, UTR", 500))}, false, 480,
		},
		"two lines of one report are two payments": {
			[]relistedReport{report("dtdc", line("net, day", 500), line("net, UTR", 500)), report("dtdc", line("gross, net, day, UTR", 500))}, true, 1000,
		},
		"one that is like both of two that differ": {
			[]relistedReport{report("delhivery", line("gross, net, day, UTR", 480)), report("dtdc", line("gross, UTR", 500)), report("shadowfax", line("gross, net, UTR", 500))}, true, 980,
		},
	} {
		t.Run(name, func(t *testing.T) {
			permuted(c.reports, func(reports []relistedReport) {
				if c.anyOrder || slices.EqualFunc(reports, c.reports, func(a, b relistedReport) bool { return &a.lines[0] == &b.lines[0] }) {
					r := relistedBy("A1", reports...)
					require.Equal(t, rupees(c.want), r.Result(0).Remitted)
					requireTies(t, r)
				}
			})
		})
	}
}

// TestAPaymentOfAnOrderInParts tests section 1 on repeats of several reports where what two of them list of a parcel is not more than the
// ₹1,000 that its order owes: all that was paid may be, or the parcel's share is less, or more is taken back than was paid.
func TestAPaymentOfAnOrderInParts(t *testing.T) {
	lacks := map[string]func(*verdict.Remittance){
		"noUTR":  func(l *verdict.Remittance) { l.UTR = nil },
		"noID":   func(l *verdict.Remittance) { l.OrderID = nil },
		"net":    func(l *verdict.Remittance) { l.Listed, l.Collected = 0, l.Stated },
		"gross":  func(l *verdict.Remittance) { l.Stated, l.HasRemitted = 0, false },
		"unpaid": func(l *verdict.Remittance) { l.Stated, l.Remitted, l.RemittedOn, l.UTR = 0, 0, domain.NoDay, nil },
		"less":   func(l *verdict.Remittance) { l.Stated, l.Remitted = l.Stated-rupees(10), l.Remitted-rupees(10) },
	}
	for name, c := range map[string]struct {
		awbs    string
		reports string // of each line the AWB, the amount, how many days ago, and what it lacks
		want    domain.Paise
		repeats bool
	}{
		"the rest of a part-paid order":         {"A1", "A1 600 9 | A1 400 5 noUTR | A1 400 5", 1000, true},
		"the same without order ids":            {"A1", "A1 600 9 | A1 400 5 noID | A1 400 5", 1000, true},
		"the same, told by order ids":           {"", "- 600 9 | - 400 5 noUTR | - 400 5", 1000, true},
		"parts that are not more than is due":   {"A1", "A1 500 9 | A1 250 5 noUTR | A1 250 5", 1000, false},
		"beside a part that was taken back":     {"A1", "A1 600 9, A1 -600 7 | A1 400 5 noUTR | A1 400 5", 800, false},
		"beside a part that is corrected":       {"A1", "A1 600 9 | A1 600 9 less | A1 200 5 noUTR | A1 200 5", 990, false},
		"two parts of one parcel":               {"A1", "A1 500 9 noUTR | A1 500 9", 1000, false},
		"of a split order, the other part paid": {"A1,A2", "A2 700 9 | A1 300 5 noUTR | A1 300 5", 1000, true},
		"the other one unpaid":                  {"A1,A2", "A2 500 9 unpaid | A1 500 5 noUTR | A1 500 5", 500, true},
		"the other one not listed":              {"A1,A2", "A1 300 9 noUTR | A1 300 9", 300, true},
		"told by what was collected":            {"A1,A2", "A1 300 9 noUTR gross | A1 300 9 gross", 300, true},
		"told by what was remitted":             {"A1,A2", "A1 300 9 noUTR net | A1 300 9 net", 600, false},
		"split, as the reports alone say":       {"", "A2 500 9 | A1 200 5 noUTR | A1 200 5", 700, true},
		"parcels without AWBs":                  {"A1,A2", "- 500 9 noUTR | - 500 9", 1000, false},
		"money taken back":                      {"A1", "A1 1000 9 | A1 -1000 5 noUTR | A1 -1000 5", 0, true},
		"a part taken back":                     {"A1", "A1 400 9 | A1 -400 5 noID | A1 -400 5", 0, true},
		"most of it taken back":                 {"A1", "A1 1000 9 | A1 -600 5 noUTR | A1 -600 5", 400, true},
		"all of it listed twice":                {"A1", "A1 1000 9 noUTR, A1 -1000 5 noUTR | A1 1000 9, A1 -1000 5", 0, true},
		"taken back in two parts":               {"A1", "A1 1000 9 | A1 -500 5 noUTR | A1 -500 5", 0, false},
		"paid and taken back in two parts":      {"A1", "A1 500 9 noUTR, A1 -500 5 noUTR | A1 500 9, A1 -500 5", 0, false},
		"paid twice and taken back twice":       {"A1", "A1 1000 11, A1 1000 9 | A1 -1000 5 noUTR | A1 -1000 5", 0, false},
		"one of two parcels taken back":         {"A1,A2", "A1 500 9, A2 500 9 | A1 -500 5 noUTR | A1 -500 5", 500, true},
		"charges, after it was taken back":      {"A1", "A1 1000 9, A1 -1000 7 | A1 -40 5 noUTR | A1 -40 5", -80, false},
		"charges, never paid":                   {"A1", "A1 -40 5 noUTR | A1 -40 5", -80, false},
	} {
		t.Run(name, func(t *testing.T) {
			permuted(strings.Split(c.reports, "|"), func(reports []string) {
				r := mustDecide(domain.TermsFor(nil, 0, nil), func(of *verdict.Orders, lines *verdict.Remittances) {
					priced("#1", c.awbs, rupees(1000)).addTo(of)
					for _, report := range reports {
						lines.Begin("dtdc")
						lines.SetMapping(domain.Mapping{domain.RoleRemittedAmount: "Paid", domain.RoleCODAmount: "COD"})
						for text := range strings.SplitSeq(report, ",") {
							cells := strings.Fields(text)
							amount, _ := strconv.Atoi(cells[1])
							days, _ := strconv.Atoi(cells[2])
							l := paidOn(strings.Trim(cells[0], "-"), "1", rupees(domain.Paise(amount)))
							l.Stated, l.HasRemitted, l.RemittedOn, l.UTR = l.Remitted, true, ago(days), []byte("6099123456"+cells[2])
							for _, what := range cells[3:] {
								lacks[what](&l)
							}
							lines.Add(l)
						}
					}
				})
				want := []domain.Paise{rupees(c.want)}
				if corrects(r) {
					want = append(want, rupees(c.want+10)) // the other report may be the later one
				}
				require.Contains(t, want, r.Result(0).Remitted)
				require.Equal(t, c.repeats, r.Reason(0).Notes.Has(domain.NoteRepeats))
				requireTies(t, r)
			})
		})
	}
}
