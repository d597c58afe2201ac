package domain

import "encoding/binary"

// DateColumn reads the dates of one column. A cell alone does not say whether 03/02
// is in February or in March. Dates are read day first, unless the column as a
// whole shows that it is written month first (decisions, section 1).
type DateColumn struct {
	// OfRemittances says that the column has the days of remittances. In such a
	// column a word such as Pending means that there is no day yet.
	OfRemittances bool

	monthFirst     bool
	dayFirstProof  bool // the first part of some date is over 12
	monthFirstHint bool // the second part of some date is over 12
	oneWay         bool // some date can be read in one way only

	latestDayFirst   Day // the latest of the dates that can be read both ways, read day first
	latestMonthFirst Day // the latest of them, read month first

	known *knownDays
}

// knownDays remembers the days that cells of the column began with lately, because
// a file has few different days. It is a table of fixed size; the text decides on
// the place, and a new text replaces what is there.
type knownDays [1 << knownBits]struct {
	head, tail uint64 // the first and the last eight of the text's ten bytes
	day        Day    // NoDay: the place is free
}

const (
	knownBits = 7
	dayText   = len("2026-03-31")
)

// place is where a text of at least ten bytes belongs in the table.
func (k *knownDays) place(s []byte) (at uint64, head, tail uint64) {
	head, tail = binary.LittleEndian.Uint64(s), binary.LittleEndian.Uint64(s[dayText-8:])
	const mixing = 0x9e3779b97f4a7c15 // an odd number, so that every byte changes the highest bits
	return (head ^ tail>>3) * mixing >> (64 - knownBits), head, tail
}

// find returns the day with which a text begins, or NoDay if the table does not
// have it.
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

// switchToMonthFirst reads all further cells month first.
func (c *DateColumn) switchToMonthFirst() { c.monthFirst, c.known = true, nil }

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

// readIndianDay reads 03-02-2026 and 03/02/2026 quickly. It returns false for
// everything else and for every doubt; readSpelledMoment then reads the cell.
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

// noteNumbers records what a date written in numbers alone tells about the column.
// dayFirst is the date read day first, and shift is the number of days by which its
// zone has moved that.
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

// Mixed says that some dates of the column have the day first and others the month,
// so that neither way of reading fits all of them.
func (c *DateColumn) Mixed() bool { return c.dayFirstProof && c.monthFirstHint && !c.monthFirst }

// ReadsBothWays says that the column has dates so far, and that each of them can be
// read day first and month first.
func (c *DateColumn) ReadsBothWays() bool {
	return !c.monthFirst && !c.oneWay && c.latestDayFirst != NoDay
}

// ReadsMonthFirst says whether a cell is a date if it is read month first.
func ReadsMonthFirst(cell []byte) bool {
	c := DateColumn{monthFirst: true}
	_, reading := c.Read(cell)
	return reading == Given
}

// farDays is the number of days after batch_as_of from which a date is more likely
// one that is written month first: couriers deliver and pay within a few weeks.
const farDays = 92

// TurnIfLater switches a column to month first on two conditions: every date of it
// can be read both ways, and day first puts one of them more than 92 days after
// asOf, while month first does not. It says whether it did. Then the caller must
// read the column again from its top and give a warning (decisions, section 1).
func (c *DateColumn) TurnIfLater(asOf Day) bool {
	if !c.ReadsBothWays() || c.latestDayFirst <= asOf+farDays || c.latestMonthFirst > asOf+farDays {
		return false
	}
	c.switchToMonthFirst()
	return true
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
