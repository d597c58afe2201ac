package domain

import "encoding/binary"

// DateColumn reads the dates of one column. Numbers alone do not say whether
// 03/02 is February or March: dates are read day first, unless the column as a
// whole says otherwise (decisions, section 1).
type DateColumn struct {
	// OfRemittances says that the column has the days of remittances, where a word
	// such as Pending says that there is none yet.
	OfRemittances bool

	monthFirst     bool
	dayFirstProof  bool // some first part is over 12
	monthFirstHint bool // some second part is over 12
	oneWay         bool // some date cannot be read both ways

	latestDayFirst   Day // of the dates that can be read both ways, read day first
	latestMonthFirst Day // and read month first

	known *knownDays
}

// knownDays are the days that the column's cells began with lately: a file has few
// different ones. A place is found from the text.
type knownDays [1 << knownBits]struct {
	head, tail uint64 // of a text of ten bytes
	day        Day    // NoDay: the place is free
}

const (
	knownBits = 7
	dayText   = len("2026-03-31")
)

// place is where the day of a text belongs, of at least ten bytes.
func (k *knownDays) place(s []byte) (at uint64, head, tail uint64) {
	head, tail = binary.LittleEndian.Uint64(s), binary.LittleEndian.Uint64(s[dayText-8:])
	const mixing = 0x9e3779b97f4a7c15 // odd: every byte moves the highest bits
	return (head ^ tail>>3) * mixing >> (64 - knownBits), head, tail
}

// find is the day that a text begins with, if it is among those known.
func (k *knownDays) find(s []byte) Day {
	at, head, tail := k.place(s)
	if p := &k[at]; p.head == head && p.tail == tail {
		return p.day
	}
	return NoDay
}

func (c *DateColumn) remember(s []byte, day Day) {
	if c.known == nil {
		c.known = new(knownDays)
	}
	at, head, tail := c.known.place(s)
	p := &c.known[at]
	p.head, p.tail, p.day = head, tail, day
}

// turn switches the column to month first.
func (c *DateColumn) switchToMonthFirst() { c.monthFirst, c.known = true, nil }

// Read reads the day of a cell: 2026-02-03 11:22:33 +0530, RFC 3339, 03-02-2026,
// 03/02/2026, 03.02.2026, 3/2/26, 03-Feb-2026, 3rd February 2026, Feb 3, 2026,
// 20260203, each with or without a time, and the serial numbers of spreadsheets. A
// time with a zone is taken to the day that it falls on in Asia/Kolkata. What is
// before the year 2000 is no date: clocks that were never set, and zeros.
func (c *DateColumn) Read(cell []byte) (Day, Reading) {
	at, reading := c.ReadMoment(cell)
	return at.Day, reading
}

// ReadMoment reads a cell as Read does, and the time of that day in Asia/Kolkata
// if there is one.
func (c *DateColumn) ReadMoment(cell []byte) (Moment, Reading) {
	if c.known != nil && len(cell) >= dayText {
		if day := c.known.find(cell); day != NoDay {
			if second, ok := readPlainTime(cell[dayText:]); ok && (second == 0 || cell[4] == '-') {
				return Moment{Day: day, Second: second}, Given
			}
		}
	}
	if at, ok := readPlainMoment(cell); ok && at.Day >= firstDay {
		c.oneWay = true
		c.remember(cell, at.Day)
		return at, Given
	}
	if d, ok := c.readIndianDay(cell); ok {
		c.remember(cell, d)
		return Moment{Day: d}, Given
	}
	return c.readSpelledMoment(cell)
}

// readIndianDay reads 03-02-2026 and 03/02/2026 without a detour, and leaves every
// doubt to readSpelledMoment.
func (c *DateColumn) readIndianDay(s []byte) (Day, bool) {
	if len(s) != 10 || s[2] != s[5] || s[2] != '-' && s[2] != '/' || c.monthFirst {
		return NoDay, false
	}
	year, month, day := readTwoDigits(s[6:])*100+readTwoDigits(s[8:]), readTwoDigits(s[3:]), readTwoDigits(s)
	if month > 12 {
		return NoDay, false
	}
	d, ok := civilDay(year, month, day)
	if !ok || d < firstDay {
		return NoDay, false
	}
	c.noteNumbers(d, year, day, month, 0)
	return d, true
}

// note remembers what a date whose parts are all numbers says of the column: the
// day that it is if its day stands first, and by how many days its zone has moved
// that.
func (c *DateColumn) noteNumbers(dayFirst Day, year, first, second int, shift Day) {
	if c.dayFirstProof = c.dayFirstProof || first > 12; first > 12 || second > 12 {
		c.oneWay = true
		return
	}
	if monthFirst, ok := civilDay(year, first, second); ok && !c.oneWay {
		c.latestDayFirst = max(c.latestDayFirst, dayFirst)
		c.latestMonthFirst = max(c.latestMonthFirst, monthFirst+shift)
	}
}

// Doubtful says that the last unreadable cells might be month-first dates:
// reading may go on to the column's end, and TurnMonthFirst then decides.
func (c *DateColumn) Doubtful() bool {
	return c.monthFirstHint && !c.dayFirstProof && !c.monthFirst
}

// TurnMonthFirst switches the column if its values call for it, and says
// whether it did: then the column must be read again from its top.
func (c *DateColumn) TurnMonthFirst() bool {
	if !c.Doubtful() {
		return false
	}
	c.switchToMonthFirst()
	return true
}

// Mixed says that some dates of the column have their day first and others their
// month, so that no reading fits all.
func (c *DateColumn) Mixed() bool { return c.dayFirstProof && c.monthFirstHint && !c.monthFirst }

// ReadsBothWays says that every date of the column does so far, and that there are
// some.
func (c *DateColumn) ReadsBothWays() bool {
	return !c.monthFirst && !c.oneWay && c.latestDayFirst != NoDay
}

// ReadsMonthFirst says that a cell is a date if its month stands first.
func ReadsMonthFirst(cell []byte) bool {
	c := DateColumn{monthFirst: true}
	_, reading := c.Read(cell)
	return reading == Given
}

// farDays is from how many days after batch_as_of on a date is more likely one
// whose month stands first: couriers deliver and pay within a few weeks.
const farDays = 92

// TurnIfLater switches a column to month first if every date of it can be read
// both ways and day first puts one more than 92 days after asOf, which month
// first does not. It says whether it did: then the column must be read again from
// its top, and a warning says so (decisions, section 1).
func (c *DateColumn) TurnIfLater(asOf Day) bool {
	if !c.ReadsBothWays() || c.latestDayFirst <= asOf+farDays || c.latestMonthFirst > asOf+farDays {
		return false
	}
	c.switchToMonthFirst()
	return true
}

// slipDays is from how many days after all others on a date is a slip of the
// pen, such as 2062 for 2026: no export and no report is of more than a year.
const slipDays = 366

// LatestDays finds the one date of a column that is far later than all others.
// The zero value is ready to use.
type LatestDays struct {
	latest, next Day
	row          int
}

// Add takes the day of a cell, and what the caller knows its row by.
func (l *LatestDays) Add(day Day, row int) {
	switch {
	case day > l.latest:
		l.latest, l.next, l.row = day, l.latest, row
	case day > l.next:
		l.next = day
	}
}

// Slip gives the row of the latest day if it is more than 366 days after the
// next latest one. A column of one date has no other to be compared with.
func (l *LatestDays) Slip() (row int, slipped bool) {
	return l.row, l.next != NoDay && l.latest-l.next > slipDays
}
