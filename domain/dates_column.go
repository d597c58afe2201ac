package domain

import (
	"encoding/binary"
	"sync"
)

// DateColumn reads the dates of one column. A cell alone does not say whether 03/02
// is in February or in March. Dates are read day first, unless the column as a
// whole shows that it is written month first (guide: verdict 1).
type DateColumn struct {
	// OfRemittances says that the column has the days of remittances. In such a
	// column a word such as Pending means that there is no day yet.
	OfRemittances bool

	monthFirst     bool
	dayFirstProof  bool // the first part of some date is over 12
	monthFirstHint bool // the second part of some date is over 12
	oneWay         bool // some date can be read in one way only

	settled          bool // it was turned by Settle
	latestDayFirst   Day  // the latest of the dates that can be read both ways, read day first
	latestMonthFirst Day  // the latest of them, read month first

	both  map[twoDays]int // how many cells have each of them, without those that are counted in known
	known *knownDays
}

// twoDays are the days of a date that can be read day first and month first.
type twoDays struct{ dayFirst, monthFirst Day }

// knownDays remembers the days that cells of the column began with lately, because
// a file has few different days. It is a table of fixed size; the text decides on
// the place, and a new text replaces what is there.
type knownDays [1 << knownBits]knownDay

type knownDay struct {
	head, tail uint64 // the first and the last eight of the text's ten bytes
	twoDays           // dayFirst is the day; NoDay: the place is free. monthFirst is NoDay if there is no other way
	count      int    // of cells
}

const (
	knownBits = 8
	dayText   = len("2026-03-31")
)

// place is where a text of at least ten bytes belongs in the table.
func (k *knownDays) place(s []byte) (at uint64, head, tail uint64) {
	head, tail = binary.LittleEndian.Uint64(s), binary.LittleEndian.Uint64(s[dayText-8:])
	const mixing = 0x9e3779b97f4a7c15 // an odd number, so that every byte changes the highest bits
	return (head ^ tail>>3) * mixing >> (64 - knownBits), head, tail
}

// emptyDays are tables that no column uses: for a small file they would be most of what reading it allocates.
var emptyDays = sync.Pool{New: func() any { return new(knownDays) }}

// GiveBack lets other columns use the memory of this one, which must not be read any more.
func (c *DateColumn) GiveBack() {
	if c.known != nil {
		*c.known = knownDays{}
		emptyDays.Put(c.known)
	}
	c.known = nil
}

// find returns the day with which a text begins, or nil if the table does not have it.
func (k *knownDays) find(s []byte) *knownDay {
	at, head, tail := k.place(s)
	if p := &k[at]; p.head == head && p.tail == tail && p.dayFirst != NoDay {
		return p
	}
	return nil
}

func (c *DateColumn) remember(s []byte, days twoDays) {
	if c.known == nil {
		c.known = emptyDays.Get().(*knownDays)
	}
	at, head, tail := c.known.place(s)
	p := &c.known[at]
	c.tally(p.twoDays, p.count)
	*p = knownDay{head: head, tail: tail, twoDays: days, count: 1}
}

// tally counts cells with a date that can be read both ways. As soon as one date of the
// column can be read in one way only, nobody asks for the counts.
func (c *DateColumn) tally(days twoDays, cells int) {
	if days.monthFirst == NoDay || c.oneWay {
		return
	}
	if c.both == nil {
		c.both = map[twoDays]int{}
	}
	c.both[days] += cells
}

// Restart makes the column forget how many cells it has read. It keeps what it knows of
// the order of day and month.
func (c *DateColumn) Restart() { c.both, c.known = nil, nil }

// switchToMonthFirst reads all further cells month first.
func (c *DateColumn) switchToMonthFirst() {
	c.monthFirst = true
	c.Restart()
}

// Read reads the day of a cell. It accepts 2026-02-03 11:22:33 +0530, RFC 3339,
// 03-02-2026, 03/02/2026, 03.02.2026, 3/2/26, 03-Feb-2026, 3rd February 2026, Feb
// 3, 2026 and 20260203, each with or without a time, and the serial numbers of
// spreadsheets. A time with a zone gives the day in Asia/Kolkata at that time. A
// date before the year 2000 counts as Blank: it comes from zeros or from clocks
// that were never set.
func (c *DateColumn) Read(cell []byte) (Day, Reading) {
	at, reading := c.ReadMoment(cell)
	return at.Day, reading
}

// ReadMoment reads a cell as Read does, with the time of day in Asia/Kolkata if the
// cell has one.
func (c *DateColumn) ReadMoment(cell []byte) (Moment, Reading) {
	if c.known != nil && len(cell) >= dayText {
		if p := c.known.find(cell); p != nil {
			if second, ok := readPlainTime(cell[dayText:]); ok && (second == 0 || cell[4] == '-') {
				p.count++
				return Moment{Day: p.dayFirst, Second: second}, Given
			}
		}
	}
	if at, ok := readPlainMoment(cell); ok && at.Day >= firstDay {
		c.oneWay = true
		c.remember(cell, twoDays{dayFirst: at.Day})
		return at, Given
	}
	if days, ok := c.readIndianDay(cell); ok {
		c.remember(cell, days)
		return Moment{Day: days.dayFirst}, Given
	}
	return c.readSpelledMoment(cell)
}

// readIndianDay reads 03-02-2026 and 03/02/2026 quickly. It returns false for
// everything else and for every doubt; readSpelledMoment then reads the cell.
func (c *DateColumn) readIndianDay(s []byte) (days twoDays, ok bool) {
	if len(s) != 10 || s[2] != s[5] || s[2] != '-' && s[2] != '/' || c.monthFirst {
		return twoDays{}, false
	}
	year, month, day := readTwoDigits(s[6:])*100+readTwoDigits(s[8:]), readTwoDigits(s[3:]), readTwoDigits(s)
	if month > 12 {
		return twoDays{}, false
	}
	d, ok := civilDay(year, month, day)
	if !ok || d < firstDay {
		return twoDays{}, false
	}
	return c.noteNumbers(d, year, day, month, 0), true
}

// noteNumbers records what a date written in numbers alone tells about the column, and
// returns the days that it can be read as. dayFirst is the date read day first, and shift
// is the number of days by which its zone has moved that.
func (c *DateColumn) noteNumbers(dayFirst Day, year, first, second int, shift Day) twoDays {
	if c.dayFirstProof = c.dayFirstProof || first > 12; first > 12 || second > 12 {
		c.oneWay = true
		return twoDays{dayFirst: dayFirst}
	}
	monthFirst, ok := civilDay(year, first, second)
	if !ok || c.monthFirst {
		return twoDays{dayFirst: dayFirst}
	}
	days := twoDays{dayFirst: dayFirst, monthFirst: monthFirst + shift}
	if !c.oneWay {
		c.latestDayFirst = max(c.latestDayFirst, days.dayFirst)
		c.latestMonthFirst = max(c.latestMonthFirst, days.monthFirst)
	}
	return days
}

// Doubtful says whether the cells that could not be read so far may be month-first
// dates. Then the caller reads on to the end of the column and asks TurnMonthFirst.
func (c *DateColumn) Doubtful() bool {
	return c.monthFirstHint && !c.dayFirstProof && !c.monthFirst
}

// TurnMonthFirst switches the column to month first if its values require it. It
// says whether it did; then the caller must read the column again from its top.
func (c *DateColumn) TurnMonthFirst() bool {
	if !c.Doubtful() {
		return false
	}
	c.switchToMonthFirst()
	return true
}

// ReadsBothWays says that the column has dates so far, and that each of them can be
// read day first and month first.
func (c *DateColumn) ReadsBothWays() bool {
	return !c.monthFirst && !c.oneWay && c.latestDayFirst != NoDay
}

// ReadsMonthFirst says whether a cell is a date if it is read month first. Of a cell that its column cannot read, and that leaves it
// without doubt, this says that other dates of the column have the day first.
func ReadsMonthFirst(cell []byte) bool {
	c := DateColumn{monthFirst: true}
	defer c.GiveBack()
	_, reading := c.Read(cell)
	return reading == Given
}

// afterOrders is up to how many days after the latest order the dates of orders and their
// reports are expected.
const afterOrders = 45

// Settle decides how a column is read of which every date can be read both ways: as the
// file's other columns of dates are, if one of them can be read in one way only; else in
// the way that puts more of its cells between the first order date and 45 days after the
// latest one, and day first if they are equal (guide: verdict 1). span returns these
// dates; NoDay means that they are not known, and then the column is read day first.
//
// turned means that the column is read month first from now on: the caller must read it
// again from its top, and give a warning. tie means that it stays day first, that the other
// way fits as well, and that it would give another latest date: the caller must give a
// warning.
func (c *DateColumn) Settle(others []*DateColumn, span func() (first, latest Day)) (turned, tie bool) {
	if !c.ReadsBothWays() {
		return false, false
	}
	dayFirst, monthFirst := 0, 0
	for _, other := range others {
		switch {
		case other == c:
		case other.monthFirst && !other.settled:
			monthFirst++
		case other.dayFirstProof:
			dayFirst++
		}
	}
	asOthers := dayFirst != monthFirst && (dayFirst == 0 || monthFirst == 0)
	if !asOthers {
		first, latest := span()
		if first == NoDay {
			return false, false
		}
		dayFirst, monthFirst = c.countWithin(first, latest+afterOrders)
	}
	if monthFirst > dayFirst {
		c.switchToMonthFirst()
		c.settled = true
		return true, false
	}
	return false, !asOthers && monthFirst == dayFirst && c.latestDayFirst != c.latestMonthFirst
}

// countWithin counts the cells that are between two days, read in each of the two ways.
func (c *DateColumn) countWithin(from, to Day) (dayFirst, monthFirst int) {
	count := func(days twoDays, cells int) {
		if from <= days.dayFirst && days.dayFirst <= to {
			dayFirst += cells
		}
		if from <= days.monthFirst && days.monthFirst <= to {
			monthFirst += cells
		}
	}
	for days, cells := range c.both {
		count(days, cells)
	}
	if c.known != nil {
		for i := range c.known {
			if p := &c.known[i]; p.dayFirst != NoDay {
				count(p.twoDays, p.count)
			}
		}
	}
	return dayFirst, monthFirst
}

// slipDays is the number of days after all other dates from which a date is a slip
// of the pen, such as 2062 for 2026. No export and no report covers more than a
// year.
const slipDays = 366

// LatestDays finds the one date of a column that is far later than all others. The
// zero value is ready to use.
type LatestDays struct {
	latest, next Day
	row          int
}

// Add adds the day of a cell. row is the number by which the caller knows the
// cell's row.
func (l *LatestDays) Add(day Day, row int) {
	switch {
	case day > l.latest:
		l.latest, l.next, l.row = day, l.latest, row
	case day > l.next:
		l.next = day
	}
}

// FindSlip returns the row of the latest day, and whether that day is more than 366
// days after the second latest. It is false for a column of a single date, which
// can be compared with no other.
func (l *LatestDays) FindSlip() (row int, slipped bool) {
	return l.row, l.next != NoDay && l.latest-l.next > slipDays
}
