package domain

import "bytes"

// DateColumn reads the dates of one column. Numbers alone do not say whether
// 03/02 is February or March: dates are read day first, unless the column as a
// whole says otherwise (decisions, section 1).
type DateColumn struct {
	monthFirst     bool
	dayFirstProof  bool // some first part is over 12
	monthFirstHint bool // some second part is over 12
	oneWay         bool // some date cannot be read both ways

	latestDayFirst   Day // of the dates that can be read both ways, read day first
	latestMonthFirst Day // and read month first
}

// Read reads one cell: 2026-02-03 11:22:33 +0530, RFC 3339, 03-02-2026,
// 03/02/2026, 3/2/26, 03-Feb-2026, 3 Feb 26, Feb 3, 2026, each with or without a
// time, and the serial numbers of spreadsheets. A time with a zone is taken to
// the day that it falls on in Asia/Kolkata.
func (c *DateColumn) Read(cell []byte) (Day, Reading) {
	if d, ok := plainDay(cell); ok && d > NoDay {
		c.oneWay = true
		return d, Given
	}
	if d, ok := c.indianDay(cell); ok {
		return d, Given
	}
	return c.spelledDay(cell)
}

// indianDay reads 03-02-2026 and 03/02/2026 without a detour, and leaves every
// doubt to spelledDay.
func (c *DateColumn) indianDay(s []byte) (Day, bool) {
	if len(s) != 10 || s[2] != s[5] || s[2] != '-' && s[2] != '/' || c.monthFirst {
		return NoDay, false
	}
	day, month := twoDigits(s), twoDigits(s[3:])
	if month > 12 {
		return NoDay, false
	}
	d, ok := civilDay(twoDigits(s[6:])*100+twoDigits(s[8:]), month, day)
	if !ok || d <= NoDay {
		return NoDay, false
	}
	if day > 12 {
		c.dayFirstProof, c.oneWay = true, true
	} else if !c.oneWay {
		monthFirst, _ := civilDay(twoDigits(s[6:])*100+twoDigits(s[8:]), day, month)
		c.bothWays(d, monthFirst)
	}
	return d, true
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
	c.monthFirst = true
	return true
}

// farDays is from how many days after batch_as_of on a date is more likely one
// whose month stands first: couriers deliver and pay within a few weeks.
const farDays = 92

// TurnIfLater switches a column to month first if every date of it can be read
// both ways and day first puts one more than 92 days after asOf, which month
// first does not. It says whether it did: then the column must be read again from
// its top, and a warning says so (decisions, section 1).
func (c *DateColumn) TurnIfLater(asOf Day) bool {
	if c.monthFirst || c.oneWay || c.latestDayFirst <= asOf+farDays || c.latestMonthFirst > asOf+farDays {
		return false
	}
	c.monthFirst = true
	return true
}

// bothWays notes a date that can be read both ways.
func (c *DateColumn) bothWays(dayFirst, monthFirst Day) {
	c.latestDayFirst = max(c.latestDayFirst, dayFirst)
	c.latestMonthFirst = max(c.latestMonthFirst, monthFirst)
}

// Moment is a time of a day in Asia/Kolkata, to the second, or a day alone.
type Moment struct {
	Day    Day
	Second int32 // of the day, from 1; 0: no time is told
}

// Differs says that two moments are not the same, as far as both tell.
func (m Moment) Differs(from Moment) bool {
	return m.Day != from.Day || m.Second != from.Second && m.Second != 0 && from.Second != 0
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

// plainDay reads what nearly every export has, YYYY-MM-DD with an Indian time or
// none, and leaves everything else to the others.
func plainDay(s []byte) (Day, bool) {
	switch {
	case len(s) < 10 || s[4] != '-' || s[7] != '-':
		return NoDay, false
	case len(s) == 25 && string(s[19:]) == " +0530" && s[10] == ' ' && s[13] == ':' && s[16] == ':' &&
		twoDigits(s[11:]) < 24 && twoDigits(s[14:]) < 60 && twoDigits(s[17:]) < 60:
	case len(s) == 10:
	default:
		return NoDay, false
	}
	century, year, month, day := twoDigits(s), twoDigits(s[2:]), twoDigits(s[5:]), twoDigits(s[8:])
	return civilDay(century*100+year, month, day)
}

// twoDigits reads two digits, or gives a number too large for any use.
func twoDigits(s []byte) int {
	a, b := s[0]-'0', s[1]-'0'
	if a > 9 || b > 9 {
		return 1 << 20
	}
	return int(a)*10 + int(b)
}

func (c *DateColumn) spelledDay(cell []byte) (Day, Reading) {
	s := Unwrapped(cell)
	if IsBlank(s) || isZeroDate(s) {
		return NoDay, Blank
	}
	if d, ok := serialDay(s); ok {
		c.oneWay = true
		return d, Given
	}
	d, rest, ok := c.datePart(s)
	if !ok {
		return NoDay, Unreadable
	}
	shift, ok := timePart(rest)
	if !ok {
		return NoDay, Unreadable
	}
	if d += Day(shift); d <= NoDay {
		return NoDay, Blank // 1970-01-01 and before is a clock that was never set
	}
	return d, Given
}

// isZeroDate knows 0000-00-00, with or without a time of noughts.
func isZeroDate(s []byte) bool {
	if !bytes.HasPrefix(s, []byte("0000-00-00")) {
		return false
	}
	return len(bytes.Trim(s[len("0000-00-00"):], "0: T")) == 0
}

// The serial numbers read as dates: from 1970 to 2119, so that no plain
// number of another kind is taken for one.
const (
	serial1970  = 25_569
	firstSerial = serial1970 + 1
	lastSerial  = 80_000
)

// serialDay reads the number of days since 1899-12-30 with which a spreadsheet
// stores a date, the time of day as its fraction.
func serialDay(s []byte) (Day, bool) {
	whole, fraction, _ := bytes.Cut(s, []byte("."))
	n, rest := leadingNumber(whole)
	if len(whole) != 5 || len(rest) > 0 || n < firstSerial || n > lastSerial {
		return NoDay, false
	}
	if _, rest := leadingNumber(fraction); len(rest) > 0 {
		return NoDay, false
	}
	return Day(n - serial1970), true
}

// datePart reads the date at the beginning of s.
func (c *DateColumn) datePart(s []byte) (Day, []byte, bool) {
	if month, rest := leadingMonth(s); month > 0 { // Feb 3, 2026
		c.oneWay = true
		day, rest := leadingNumber(skip(rest, " -."))
		year, rest, ok := leadingYear(skip(rest, " ,-"))
		return dayAndRest(year, month, day, rest, ok)
	}
	first, rest := leadingNumber(s)
	digits := len(s) - len(rest)
	if digits == 0 || len(rest) == 0 {
		return NoDay, nil, false
	}
	separator := rest[0]
	if separator != '-' && separator != '/' && separator != ' ' {
		return NoDay, nil, false
	}
	rest = rest[1:]
	if month, after := leadingMonth(skip(rest, " ")); month > 0 && digits <= 2 { // 03-Feb-2026
		c.oneWay = true
		year, after, ok := leadingYear(skip(after, " -/,"))
		return dayAndRest(year, month, first, after, ok)
	}
	second, after := leadingNumber(rest)
	if width := len(rest) - len(after); separator == ' ' || width < 1 || width > 2 || len(after) == 0 || after[0] != separator {
		return NoDay, nil, false
	}
	after = after[1:]
	if digits == 4 { // 2026-02-03
		c.oneWay = true
		day, end := leadingNumber(after)
		width := len(after) - len(end)
		return dayAndRest(first, second, day, end, width >= 1 && width <= 2)
	}
	if digits > 2 {
		return NoDay, nil, false
	}
	year, end, ok := leadingYear(after)
	if first <= 12 && second <= 12 {
		dayFirst, _ := civilDay(year, second, first)
		monthFirst, _ := civilDay(year, first, second)
		c.bothWays(dayFirst, monthFirst)
	} else {
		c.oneWay = true
	}
	c.dayFirstProof = c.dayFirstProof || first > 12
	c.monthFirstHint = c.monthFirstHint || second > 12 && first <= 12
	if c.monthFirst {
		first, second = second, first
	}
	return dayAndRest(year, second, first, end, ok)
}

func dayAndRest(year, month, day int, rest []byte, ok bool) (Day, []byte, bool) {
	if !ok {
		return NoDay, nil, false
	}
	d, ok := civilDay(year, month, day)
	return d, rest, ok
}

// timePart reads what may follow a date: nothing, or a time of day with or
// without a zone. It returns by how many days the zone moves the date in
// Asia/Kolkata.
func timePart(s []byte) (days int, ok bool) {
	s = trimmed(s)
	if len(s) == 0 {
		return 0, true
	}
	if s[0] == 'T' || s[0] == 't' || s[0] == ',' {
		s = trimmed(s[1:])
	}
	hour, s := leadingNumber(s)
	if len(s) < 3 || s[0] != ':' {
		return 0, false
	}
	minute, rest := leadingNumber(s[1:])
	if len(s)-len(rest) != 3 {
		return 0, false
	}
	if len(rest) > 1 && rest[0] == ':' {
		second, after := leadingNumber(rest[1:])
		if len(rest)-len(after) != 3 || second > 60 {
			return 0, false
		}
		rest = after
		if len(rest) > 1 && rest[0] == '.' {
			_, rest = leadingNumber(rest[1:])
		}
	}
	rest = trimmed(rest)
	if hour > 23 || minute > 59 {
		return 0, false
	}
	if half := halfOfDay(rest); half != 0 {
		if hour == 0 || hour > 12 {
			return 0, false
		}
		if hour = hour % 12; half == 'p' {
			hour += 12
		}
		rest = trimmed(rest[2:])
	}
	zone, ok := zoneMinutes(rest)
	local := int64(hour*60 + minute - zone + kolkataSeconds/60)
	return int((local - mod(local, 24*60)) / (24 * 60)), ok
}

func halfOfDay(s []byte) byte {
	if len(s) < 2 || s[1]|0x20 != 'm' {
		return 0
	}
	if half := s[0] | 0x20; half == 'a' || half == 'p' {
		return half
	}
	return 0
}

// zoneMinutes reads a zone as minutes east of UTC. No zone means Asia/Kolkata.
func zoneMinutes(s []byte) (int, bool) {
	switch string(bytes.ToUpper(s)) {
	case "", "IST":
		return kolkataSeconds / 60, true
	case "Z", "UTC", "GMT":
		return 0, true
	}
	sign := 1
	switch s[0] {
	case '+':
	case '-':
		sign = -1
	default:
		return 0, false
	}
	digits := bytes.ReplaceAll(s[1:], []byte(":"), nil)
	n, rest := leadingNumber(digits)
	if len(rest) > 0 || len(digits) != 4 && len(digits) != 2 {
		return 0, false
	}
	if len(digits) == 2 {
		n *= 100
	}
	return sign * (n/100*60 + n%100), n/100 <= 14 && n%100 < 60
}

// leadingNumber reads the digits that s begins with; a run too long for any
// part of a date gives a number too large for any.
func leadingNumber(s []byte) (int, []byte) {
	n := 0
	for len(s) > 0 && s[0]-'0' <= 9 {
		if n < 1_000_000 {
			n = n*10 + int(s[0]-'0')
		}
		s = s[1:]
	}
	return n, s
}

// leadingYear reads a year of four digits, or of two, which are of this
// century.
func leadingYear(s []byte) (int, []byte, bool) {
	n, rest := leadingNumber(s)
	switch len(s) - len(rest) {
	case 2:
		return 2000 + n, rest, true
	case 4:
		return n, rest, true
	}
	return 0, s, false
}

var monthNames = [...]string{"january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november", "december"}

// leadingMonth reads an English month's name or its first three letters; 0 if
// s does not begin with one.
func leadingMonth(s []byte) (int, []byte) {
	n := 0
	for n < len(s) && (s[n]|0x20) >= 'a' && (s[n]|0x20) <= 'z' {
		n++
	}
	if n < 3 {
		return 0, s
	}
	word := s[:n]
	for i, name := range monthNames {
		if n <= len(name) && bytes.EqualFold(word, []byte(name[:n])) && (n == 3 || n == len(name) || name == "september" && n == 4) {
			return i + 1, s[n:]
		}
	}
	return 0, s
}

func skip(s []byte, signs string) []byte {
	return bytes.TrimLeft(s, signs)
}

// civilDay counts the days from 1970-01-01 to a date of the Gregorian
// calendar, years 1970 to 2199; false for a date that does not exist.
func civilDay(year, month, day int) (Day, bool) {
	if year < 1970 || year > 2199 || month < 1 || month > 12 || day < 1 || day > daysIn(year, month) {
		return NoDay, false
	}
	// Years begin in March here, so that the leap day is a year's last.
	if month <= 2 {
		year, month = year-1, month+12
	}
	return Day(365*year + year/4 - year/100 + year/400 + (153*(month-3)+2)/5 + day - 1 - 719_468), true
}

func daysIn(year, month int) int {
	switch month {
	case 4, 6, 9, 11:
		return 30
	case 2:
		if year%4 == 0 && (year%100 != 0 || year%400 == 0) {
			return 29
		}
		return 28
	}
	return 31
}
