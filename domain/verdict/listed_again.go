package verdict

import (
	"cmp"
	"slices"

	"milaan/domain"
)

// A report may list again what an older one lists, and know more of it: its UTR is known only later. The two lines are not alike, and
// yet they are the same money (guide: verdict 1, repeats). payments.go finds such lines of several reports, and this file those of a
// ledger. It also says what makes two lines the same money.

// lineAgain is a line that counts nowhere, because that of another report stands for it.
type lineAgain struct {
	order, line, kept int32 // order is noLine if the export has none for it
	byRuns            bool  // see findByRuns
}

// findByRuns finds such lines among those of a ledger, and says whether there are any. Before an export has the AWB of its order, nothing
// shows that what two runs list of a parcel is more than is due, so that the ledger has both as lines of one report. Here the days tell
// them apart on which a run had them last. Only orders that are paid too much are looked at, and no shared parcels.
func (m *matching) findByRuns() bool {
	if m.remittances.Remembered() < 2 {
		return false
	}
	for i := range m.orders.list {
		if c, due := &m.claims[i], m.orders.list[i].owesIfCollected(); c.lines > 1 && c.has(markByAWB) && c.remitted > due+partsWithin {
			m.leaveOutByRuns(m.linesOf(c), due)
		}
	}
	m.corrections.sortAgain()
	return len(m.corrections.again) > 0
}

// leaveOutByRuns is findByRuns for the lines of an order.
func (m *matching) leaveOutByRuns(lines []int32, due domain.Paise) {
	lines = slices.DeleteFunc(lines, func(l int32) bool { return !m.isRemembered(l) })
	if len(lines) > fewLines {
		return
	}
	seen := m.remittances.seen
	for k, later := range lines {
		for _, earlier := range lines[:k] {
			if !m.isRemembered(earlier) || !m.isRemembered(later) || seen[earlier] == seen[later] || !m.paysTooMuch(lines, earlier, later, due) {
				continue
			}
			goes, kept := earlier, later
			if by := cmp.Or(cmp.Compare(m.lines[earlier].says(), m.lines[later].says()), cmp.Compare(seen[earlier], seen[later])); by > 0 {
				goes, kept = later, earlier
			}
			m.repeats.marks[goes] |= corrected | listedAgain
			m.corrections.again = append(m.corrections.again, lineAgain{order: m.ownerOf(goes), line: goes, kept: kept, byRuns: true})
		}
	}
}

// isRemembered says whether a line is one of the ledger that counts, with a reliable AWB.
func (m *matching) isRemembered(l int32) bool {
	return int(l) < m.remittances.Remembered() && m.repeats.marks[l]&(corrected|leftOut|setAside) == 0 && m.lines[l].tellsParcel()
}

// paysTooMuch says whether two of some lines of one report are the same money, and their parcel has too much of one payout with both.
func (m *matching) paysTooMuch(lines []int32, i, k int32, due domain.Paise) bool {
	a, b := &m.lines[i], &m.lines[k]
	if a.Remitted < 0 || !m.remittances.isOneInLedger(a.Report, b.Report) || !m.sameMoney(i, k) {
		return false
	}
	both := domain.Paise(0)
	for _, l := range lines {
		line := &m.lines[l]
		if m.isRemembered(l) && m.remittances.isOneInLedger(line.Report, a.Report) && sameKey(line.AWB, a.AWB) &&
			(line.inPayoutOf(a) || line.inPayoutOf(b)) {
			both += line.Remitted
		}
	}
	if due > 0 || a.Listed > 0 && b.Listed > 0 {
		due = max(due, a.Listed, b.Listed)
	}
	return due > 0 && both > due+partsWithin
}

// isOneInLedger says whether two reports that stand for a ledger are one, or may be: in the ledger of an earlier version nothing tells
// couriers apart that nobody names.
func (r *Remittances) isOneInLedger(i, k uint16) bool {
	a, b := &r.reports[i], &r.reports[k]
	return i == k || (a.key == 0) != (b.key == 0) && a.Courier == b.Courier && a.bothAmounts() == b.bothAmounts()
}

// inPayoutOf says whether two lines may be of one payout: by the UTR if both have one, else by the day.
func (r *Remittance) inPayoutOf(s *Remittance) bool {
	if len(r.UTR) > 0 && len(s.UTR) > 0 {
		return sameUTR(r.UTR, s.UTR)
	}
	return r.RemittedOn == s.RemittedOn
}

// says is the greater the more a line says of its payment.
func (r *Remittance) says() (says int) {
	for i, has := range [...]bool{r.Listed != 0 && r.Stated != 0, len(r.OrderID) > 0, r.RemittedOn != domain.NoDay, len(r.UTR) > 0} {
		if has {
			says |= 1 << i
		}
	}
	return says
}

// sameMoney says whether two lines of different reports are alike in all that both of them say, and that is enough: the parcel, an amount,
// and the UTR or the day of one payment.
func (m *matching) sameMoney(i, k int32) bool {
	a, b := &m.lines[i], &m.lines[k]
	dated, named := a.RemittedOn != domain.NoDay && b.RemittedOn != domain.NoDay, len(a.UTR) > 0 && len(b.UTR) > 0
	return a.paysLike(b) && (dated || named) && a.agreesWith(b)
}

// agreesWith says whether two lines of one parcel are alike in all that both of them say of their payments.
func (r *Remittance) agreesWith(s *Remittance) bool {
	return (r.RemittedOn == s.RemittedOn || r.RemittedOn == domain.NoDay || s.RemittedOn == domain.NoDay) &&
		(len(r.UTR) == 0 || len(s.UTR) == 0 || sameUTR(r.UTR, s.UTR)) &&
		(len(r.OrderID) == 0 || len(s.OrderID) == 0 || sameKey(r.OrderID, s.OrderID)) &&
		(r.Listed == s.Listed || r.Listed == 0 || s.Listed == 0) && (r.Stated == s.Stated || r.Stated == 0 || s.Stated == 0)
}

// movesLike says whether two lines both pay something, or both take something back.
func (r *Remittance) movesLike(s *Remittance) bool {
	return min(r.Remitted, s.Remitted) > 0 || max(r.Remitted, s.Remitted) < 0
}

// paysLike says whether two lines pay or take back for one parcel, and are alike in the amounts that both say. At least one is such.
func (r *Remittance) paysLike(s *Remittance) bool {
	listed, stated := r.Listed != 0 && s.Listed != 0, r.Stated != 0 && s.Stated != 0
	return sameKey(r.AWB, s.AWB) && r.movesLike(s) && (listed || stated) &&
		(!listed || r.Listed == s.Listed) && (!stated || r.Stated == s.Stated)
}

// doubtOtherUTRs looks at the overpaid orders if there are several reports.
func (m *matching) doubtOtherUTRs(decided []decision) {
	if len(m.remittances.reports) < 2 {
		return
	}
	for i := range decided {
		if decided[i].flag == domain.Overpaid {
			m.doubtOtherUTR(&m.claims[i])
		}
	}
}

// doubtOtherUTR notes what two reports list of an overpaid order alike but for the UTR: if it is one payout, its UTR is written in a way
// that is not known.
func (m *matching) doubtOtherUTR(of *claim) {
	lines := m.linesOf(of)
	if len(lines) < 2 || len(lines) > fewLines {
		return
	}
	for k, later := range lines {
		for _, earlier := range lines[:k] {
			a, b := &m.lines[earlier], &m.lines[later]
			if (m.repeats.marks[earlier] | m.repeats.marks[later]).counts() && a.Report != b.Report &&
				a.Remitted > 0 && a.paysLike(b) && a.RemittedOn == b.RemittedOn && a.RemittedOn != domain.NoDay &&
				len(a.UTR) > 0 && len(b.UTR) > 0 && !sameUTR(a.UTR, b.UTR) {
				m.corrections.noteOtherUTR(m, earlier, b.Report)
			}
		}
	}
}

// noteOtherUTR adds a line to what two reports seem to list twice under different UTRs.
func (c *corrections) noteOtherUTR(m *matching, line int32, by uint16) {
	of := c.relistedBy(pairOfReports{m.lines[line].Report, by, true})
	of.sum.add(m.lines[line].Remitted)
	c.hasher.Reset()
	c.hasher.utr(m.lines[line].UTR)
	other := otherUTR{of.pairOfReports, c.hasher.Sum64()}
	if _, known := c.otherUTRs[other]; known {
		return
	}
	if c.otherUTRs == nil {
		c.otherUTRs = map[otherUTR]struct{}{}
	}
	c.otherUTRs[other] = struct{}{}
	if of.payouts++; len(of.lines) < mostExamples {
		of.lines = append(of.lines, line)
	}
}

// otherUTR is a UTR of a report that another one seems to list under another UTR.
type otherUTR struct {
	pairOfReports

	utr uint64 // a hash
}

// sortAgain sorts the lines found. Each stays there once.
func (c *corrections) sortAgain() {
	slices.SortStableFunc(c.again, func(a, b lineAgain) int { return cmp.Or(cmp.Compare(a.order, b.order), cmp.Compare(a.line, b.line)) })
	c.again = slices.CompactFunc(c.again, func(a, b lineAgain) bool { return a.line == b.line })
}

// markAgain marks these lines. What they say of the parcel holds, as that of other repeats does.
func (c *corrections) markAgain(m *matching) {
	for i := range c.again {
		l := &c.again[i]
		m.repeats.marks[l.line] |= corrected | listedAgain
		from, kept := &m.lines[l.line], &m.lines[l.kept]
		kept.learn(from, from.HasStatus && (l.line > l.kept || !kept.HasStatus))
		m.remittances.learnReversed(kept, from)
		if l.order != noLine {
			m.claims[l.order].marks |= markListedAgain
		}
	}
}
