package couriers

import (
	"bytes"
	"hash/maphash"
	"slices"
	"strings"
	"unicode/utf8"

	"milaan/domain"
	"milaan/domain/verdict"
)

// footer is a line that states a count or sums of the lines above it, as far as
// its cells say so beyond doubt.
type footer struct {
	line         int             // in the file
	after        int             // how many of the report's lines stand above it
	unidentified [2]domain.Paise // money above it that belongs to nobody, in the same columns
	states       [2]bool         // which sums it states
	sums         [2]domain.Paise // in the columns of sumRoles
	count        int             // 0: it states none
}

// sumRoles are the columns in which a footer states its sums.
var sumRoles = [2]domain.Role{domain.RoleCODAmount, domain.RoleRemittedAmount}

// footers are those of one report that state something.
type footers []footer

// mostFooters is how many are held against the lines: a report with more is made
// of footers.
const mostFooters = 500

// A footer of sums and counts is made of these words. One with another, such as
// deductions or freight, may state anything. countWords say that a number beside
// them is a count.
var (
	countWords = keySet(strings.Fields("count awb awbs order orders shipment shipments parcel parcels consignments lines rows " +
		"records entries no nos number qty quantity")...)
	sumWords = keySet(strings.Fields("total totals subtotal subtotals grandtotal grand sub sum amount amounts amt cod of for the in " +
		"and on by date all report inr rs rupees " +
		"remitted remittance collected paid utr jan feb mar apr may jun jul aug sep oct nov dec")...)
)

// longestLabelWord is more than the longest of them has.
const longestLabelWord = 16

// noteFooter notes what the current line, which is a footer, states.
func (r *lineReader) noteFooter() {
	r.sumAbove()
	r.sums.last, r.sums.lastNothing = r.sums.all, r.unidentified.sums
	if len(r.footers) >= mostFooters {
		return
	}
	counts, plain := footerLabel(r.rows.Record())
	if !plain {
		return
	}
	f := footer{after: r.remittances.Len() - r.first, unidentified: r.unidentified.sums}
	for i, role := range sumRoles {
		amount, reading := domain.ReadPaise(r.cell(role))
		f.sums[i], f.states[i] = amount, reading == domain.Given && amount != 0
	}
	for _, role := range []domain.Role{domain.RoleAWB, domain.RoleOrderID} {
		if n, isCount := statedCount(r.cell(role), counts); isCount {
			f.count = n
		}
	}
	if f.count > 0 || f.states != [2]bool{} {
		f.line = r.rows.Line()
		r.footers = append(r.footers, f)
	}
}

// footerLabel reads the words of a footer: whether one says that something is
// counted, and whether all are of a plain footer. Words with digits are numbers,
// dates and references.
func footerLabel(record []byte) (counts, plain bool) {
	for len(record) > 0 {
		var word []byte
		if word, record = nextWord(record); len(word) == 0 || verdict.HasDigit(word) || isSign(word) {
			continue
		}
		word = bytes.ToLower(word[:min(len(word), longestLabelWord)])
		isCount := countWords[string(word)]
		if !isCount && !sumWords[string(word)] && !verdict.IsTotal(word) {
			return false, false
		}
		counts = counts || isCount
	}
	return counts, true
}

// nextWord gives the first run of letters and digits of a text, or nothing, and
// what follows it. What is beyond ASCII counts as letters.
func nextWord(text []byte) (word, rest []byte) {
	start := 0
	for start < len(text) && !inWord(text[start]) {
		start++
	}
	end := start
	for end < len(text) && inWord(text[end]) {
		end++
	}
	return text[start:end], text[end:]
}

func inWord(b byte) bool { return verdict.InWord(b) || b >= utf8.RuneSelf }

// isSign knows the sign of the rupee, blanks and dashes beyond ASCII.
func isSign(word []byte) bool { return len(bytes.Trim(word, "₹₨\u00a0\u202f\ufeff–—")) == 0 }

// statedCount reads the count in an id cell of a footer: a whole number that
// stands alone, or the only one in the cell if a word says that it counts.
func statedCount(cell []byte, counts bool) (int, bool) {
	const longest = 7 // digits; an AWB has more
	n, numbers, words := 0, 0, 0
	for rest := domain.Unwrap(cell); len(rest) > 0; {
		var word []byte
		if word, rest = nextWord(rest); len(word) == 0 {
			continue
		}
		if !verdict.HasDigit(word) {
			words++
			continue
		}
		numbers++
		n = 0
		for _, b := range word {
			if b-'0' > 9 || len(word) > longest {
				return 0, false
			}
			n = n*10 + int(b-'0')
		}
	}
	return n, numbers == 1 && n > 0 && (words == 0 || counts)
}

// The ways in which a footer may have added the lines.
const (
	sumGross       = iota // as listed
	sumNet                // as stated
	sumRemitted           // what counts as remitted
	sumCollected          // what counts as collected
	sumGrossAbove0        // without reversals
	sumNetAbove0
	sumGrossOnce // without lines that repeat another
	sumNetOnce
	sumRemittedOnce
	sumReadings
)

// The ways in which it may have counted them.
const (
	countLines   = iota
	countPaid    // on which money moved
	countOnce    // without those that repeat another
	countParcels // each AWB once, or each order id where there is no AWB
	countReadings
)

// running is what the lines up to a place come to, read in every way.
type running struct {
	sums         [sumReadings]domain.Paise
	counts       [countReadings]int
	unidentified [2]domain.Paise
}

// roundedAway is up to how much a footer may differ from a sum: some are rounded
// to whole rupees.
const roundedAway = domain.Rupee - 1

// check holds what the footers state against the lines. A footer may be about all
// lines, those below another footer, those above the next, or those of one UTR or
// day, net or gross, with or without repeats: it differs if no reading fits. The
// warning is about the first that does.
func (f footers) check(lines []verdict.Remittance, unidentified [2]domain.Paise) (w domain.Warning, differs bool) {
	if len(f) == 0 {
		return w, false
	}
	places := f.run(lines, unidentified)
	var groups []domain.Paise
	for i := range f {
		at := &f[i]
		for k, sum := range at.sums {
			if !at.states[k] || sumFits(places, i+1, sum) {
				continue
			}
			if groups == nil {
				groups = groupSums(lines)
			}
			if n, _ := slices.BinarySearch(groups, sum-roundedAway); n < len(groups) && groups[n] <= sum+roundedAway {
				continue
			}
			return domain.Warning{Code: domain.WarnFooterDiffers, Line: at.line, Stated: sum,
				Amount: nearest(places[i+1].sums[sumGross+k], places[i].sums[sumGross+k], sum), HasAmount: true}, true
		}
		if at.count > 0 && !countFits(places, i+1, at.count) && !sumFits(places, i+1, domain.Paise(at.count)*domain.Rupee) {
			return domain.Warning{Code: domain.WarnFooterDiffers, Line: at.line, StatedCount: at.count,
				Count: nearest(places[i+1].counts[countLines], places[i].counts[countLines], at.count)}, true
		}
	}
	return w, false
}

// run adds up the lines to every place: the top, each footer, and the end.
func (f footers) run(lines []verdict.Remittance, unidentified [2]domain.Paise) []running {
	places := make([]running, 1, len(f)+2)
	var seen verdict.SeenLines
	var now running
	next := 0
	for i := range len(lines) + 1 {
		for ; next < len(f) && f[next].after == i; next++ {
			now.unidentified = f[next].unidentified
			places = append(places, now)
		}
		if i == len(lines) {
			break
		}
		line := &lines[i]
		now.add(line, seen.IsNewLine(line), seen.IsNewParcel(line))
	}
	now.unidentified = unidentified
	return append(places, now)
}

func (n *running) add(line *verdict.Remittance, first, newParcel bool) {
	n.sums[sumGross] += line.Listed
	n.sums[sumNet] += line.Stated
	n.sums[sumRemitted] += line.Remitted
	n.sums[sumCollected] += line.Collected
	n.sums[sumGrossAbove0] += max(line.Listed, 0)
	n.sums[sumNetAbove0] += max(line.Stated, 0)
	n.counts[countLines]++
	if line.Remitted != 0 {
		n.counts[countPaid]++
	}
	if first {
		n.sums[sumGrossOnce] += line.Listed
		n.sums[sumNetOnce] += line.Stated
		n.sums[sumRemittedOnce] += line.Remitted
		n.counts[countOnce]++
	}
	if newParcel {
		n.counts[countParcels]++
	}
}

// sumFits says that the lines between a place and some other one come to a sum.
func sumFits(places []running, at int, sum domain.Paise) bool {
	for i := range places {
		for reading := range sumReadings {
			money := between(places[at].sums[reading], places[i].sums[reading], i < at)
			if near(money, sum) {
				return true
			}
			for k := range sumRoles {
				if near(money+between(places[at].unidentified[k], places[i].unidentified[k], i < at), sum) {
					return true
				}
			}
		}
	}
	return false
}

// between is what stands between two places, of which one is above the other.
func between(here, there domain.Paise, above bool) domain.Paise {
	if above {
		return here - there
	}
	return there - here
}

func near(a, b domain.Paise) bool { return max(a-b, b-a) <= roundedAway }

// countFits says that the given number of lines stand between a place and some other one.
func countFits(places []running, at, count int) bool {
	for i := range places {
		for reading := range countReadings {
			if n := places[at].counts[reading] - places[i].counts[reading]; max(n, -n) == count {
				return true
			}
		}
	}
	return false
}

// nearest is what the lines above a footer come to that is nearest to what it
// states: since the top, or since the footer before, where they came to before.
func nearest[N domain.Paise | int](all, before, stated N) N {
	if since := all - before; max(all-stated, stated-all) > max(since-stated, stated-since) {
		return since
	}
	return all
}

// groupSums gives the sums of the lines of each UTR and of each day of payment,
// sorted.
func groupSums(lines []verdict.Remittance) []domain.Paise {
	seed := maphash.MakeSeed()
	groups := map[uint64][3]domain.Paise{}
	add := func(key uint64, line *verdict.Remittance) {
		sums := groups[key]
		groups[key] = [...]domain.Paise{sums[0] + line.Listed, sums[1] + line.Stated, sums[2] + line.Remitted}
	}
	for i := range lines {
		line := &lines[i]
		if len(line.UTR) > 0 {
			add(maphash.Bytes(seed, line.UTR), line)
		}
		if line.RemittedOn != domain.NoDay {
			add(uint64(line.RemittedOn), line)
		}
	}
	all := make([]domain.Paise, 1, 3*len(groups)+1) // a sum of nothing is none
	for _, group := range groups {
		all = append(all, group[:]...)
	}
	slices.Sort(all)
	return all
}
