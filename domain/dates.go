package domain

import (
	"bytes"
	"encoding/binary"
)

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

func (c *DateColumn) learn(s []byte, day Day) {
	if c.known == nil {
		c.known = new(knownDays)
	}
	at, head, tail := c.known.place(s)
	p := &c.known[at]
	p.head, p.tail, p.day = head, tail, day
}

// turn switches the column to month first.
func (c *DateColumn) turn() { c.monthFirst, c.known = true, nil }

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
			if second, ok := plainTime(cell[dayText:]); ok && (second == 0 || cell[4] == '-') {
				return Moment{Day: day, Second: second}, Given
			}
		}
	}
	if at, ok := plainMoment(cell); ok && at.Day >= firstDay {
		c.oneWay = true
		c.learn(cell, at.Day)
		return at, Given
	}
	if d, ok := c.indianDay(cell); ok {
		c.learn(cell, d)
		return Moment{Day: d}, Given
	}
	return c.spelledMoment(cell)
}

// firstDay is 2000-01-01.
const firstDay Day = 10_957

// indianDay reads 03-02-2026 and 03/02/2026 without a detour, and leaves every
// doubt to spelledMoment.
func (c *DateColumn) indianDay(s []byte) (Day, bool) {
	if len(s) != 10 || s[2] != s[5] || s[2] != '-' && s[2] != '/' || c.monthFirst {
		return NoDay, false
	}
	year, month, day := twoDigits(s[6:])*100+twoDigits(s[8:]), twoDigits(s[3:]), twoDigits(s)
	if month > 12 {
		return NoDay, false
	}
	d, ok := civilDay(year, month, day)
	if !ok || d < firstDay {
		return NoDay, false
	}
	c.note(d, year, day, month, 0)
	return d, true
}

// note remembers what a date whose parts are all numbers says of the column: the
// day that it is if its day stands first, and by how many days its zone has moved
// that.
func (c *DateColumn) note(dayFirst Day, year, first, second int, shift Day) {
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
	c.turn()
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
	c.turn()
	return true
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

// plainMoment reads what nearly every export has, YYYY-MM-DD with an Indian time
// or none, and leaves everything else to the others.
func plainMoment(s []byte) (Moment, bool) {
	if len(s) < dayText || s[4] != '-' || s[7] != '-' {
		return Moment{}, false
	}
	second, ok := plainTime(s[dayText:])
	if !ok {
		return Moment{}, false
	}
	century, year, month, day := twoDigits(s), twoDigits(s[2:]), twoDigits(s[5:]), twoDigits(s[8:])
	d, ok := civilDay(century*100+year, month, day)
	return Moment{Day: d, Second: second}, ok
}

// plainTime reads an Indian time of the day as in Moment, or none.
func plainTime(s []byte) (second int32, ok bool) {
	if len(s) == 0 {
		return 0, true
	}
	if len(s) != len(" 15:04:05 +0530") || s[0] != ' ' || s[3] != ':' || s[6] != ':' || string(s[9:]) != " +0530" {
		return 0, false
	}
	h, m, sec := twoDigits(s[1:]), twoDigits(s[4:]), twoDigits(s[7:])
	if h > 23 || m > 59 || sec > 59 {
		return 0, false
	}
	return int32((h*60+m)*60 + sec + 1), true
}

// twoDigits reads two digits, or gives a number too large for any use.
func twoDigits(s []byte) int {
	a, b := s[0]-'0', s[1]-'0'
	if a > 9 || b > 9 {
		return 1 << 20
	}
	return int(a)*10 + int(b)
}

func (c *DateColumn) spelledMoment(cell []byte) (Moment, Reading) {
	s := Unwrapped(cell)
	if saysNone(s) || isZeroDate(s) || c.OfRemittances && saysPending(s) {
		return Moment{}, Blank
	}
	d, ok := serialDate(s)
	var shift Day
	if !ok {
		var rest []byte
		if d, rest, ok = c.datePart(s); ok {
			d.second, shift, ok = timePart(rest)
		}
	}
	if !ok {
		return Moment{}, Unreadable
	}
	at := Moment{Day: d.day + shift, Second: d.second}
	if at.Day < firstDay {
		return Moment{}, Blank
	}
	if d.numbers {
		c.note(at.Day, d.year, d.first, d.other, shift)
	} else {
		c.oneWay = true
	}
	return at, Given
}

// saysPending knows the words that stand for the day of a remittance that has not
// been made.
func saysPending(s []byte) bool {
	var p Phrase
	switch string(p.Of(s)) {
	case "pending", "awaited", "notyet", "toberemitted":
		return true
	}
	return false
}

// isZeroDate knows 0000-00-00 and 00-00-0000, with or without a time of noughts.
func isZeroDate(s []byte) bool {
	if s[0] != '0' || len(s) < len("0000-00-00") {
		return false
	}
	switch string(s[:len("0000-00-00")]) {
	case "0000-00-00", "00-00-0000", "00/00/0000":
		return len(bytes.Trim(s[len("0000-00-00"):], "0: T")) == 0
	}
	return false
}

// date is a date as it is written.
type date struct {
	day    Day
	second int32 // as in Moment

	numbers            bool // all its parts are: which of the first two is the day is a matter of the column
	year, first, other int
}

// The serial numbers read as dates: from 1970 to 2119, so that no plain
// number of another kind is taken for one.
const (
	serial1970  = 25_569
	firstSerial = serial1970 + 1
	lastSerial  = 80_000
)

// serialDate reads the number of days since 1899-12-30 with which a spreadsheet
// stores a date, the time of day as its fraction.
func serialDate(s []byte) (date, bool) {
	whole, fraction, _ := bytes.Cut(s, []byte("."))
	n, rest := leadingNumber(whole)
	if len(whole) != 5 || len(rest) > 0 || n < firstSerial || n > lastSerial {
		return date{}, false
	}
	d := date{day: Day(n - serial1970)}
	if _, rest := leadingNumber(fraction); len(rest) > 0 {
		return date{}, false
	}
	part, unit := int64(0), int64(1)
	for _, c := range fraction[:min(len(fraction), 12)] {
		part, unit = part*10+int64(c-'0'), unit*10
	}
	if part > 0 {
		d.second = int32(min((part*daySeconds+unit/2)/unit, daySeconds-1)) + 1
	}
	return d, true
}

// datePart reads the date at the beginning of s.
func (c *DateColumn) datePart(s []byte) (date, []byte, bool) {
	if month, rest := leadingMonth(s); month > 0 { // Feb 3, 2026
		day, rest := leadingNumber(skip(rest, " -."))
		year, rest, ok := leadingYear(skip(withoutOrdinal(rest), " ,-"))
		return dayAndRest(year, month, day, rest, ok)
	}
	first, rest := leadingNumber(s)
	digits := len(s) - len(rest)
	if digits == len("20260203") {
		return compactDate(s)
	}
	ordinal := withoutOrdinal(rest)
	if digits == 0 || len(ordinal) == 0 {
		return date{}, nil, false
	}
	separator := ordinal[0]
	if separator != '-' && separator != '/' && separator != ' ' && separator != '.' {
		return date{}, nil, false
	}
	after := ordinal[1:]
	if month, after := leadingMonth(skip(after, " ")); month > 0 && digits <= 2 { // 03-Feb-2026
		year, after, ok := leadingYear(skip(after, " -/,."))
		return dayAndRest(year, month, first, after, ok)
	}
	second, rest := leadingNumber(after)
	if width := len(after) - len(rest); separator == ' ' || width < 1 || width > 2 || len(rest) == 0 || rest[0] != separator || len(ordinal) < len(s)-digits {
		return date{}, nil, false
	}
	rest = rest[1:]
	if digits == 4 { // 2026-02-03
		day, end := leadingNumber(rest)
		width := len(rest) - len(end)
		return dayAndRest(first, second, day, end, width >= 1 && width <= 2)
	}
	if digits > 2 {
		return date{}, nil, false
	}
	year, end, ok := leadingYear(rest)
	if !ok {
		return date{}, nil, false
	}
	c.dayFirstProof = c.dayFirstProof || first > 12
	c.monthFirstHint = c.monthFirstHint || second > 12 && first <= 12
	day, month := first, second
	if c.monthFirst {
		day, month = month, day
	}
	d, ok := civilDay(year, month, day)
	return date{day: d, numbers: true, year: year, first: first, other: second}, end, ok
}

// compactDate reads 20260203. A number of eight digits in which no year of ours
// stands first is of another kind.
func compactDate(s []byte) (date, []byte, bool) {
	year, rest := twoDigits(s)*100+twoDigits(s[2:]), s[len("20260203"):]
	if string(rest) == ".0" {
		rest = nil
	}
	return dayAndRest(year, twoDigits(s[4:]), twoDigits(s[6:]), rest, year >= 1900)
}

// withoutOrdinal takes off the letters of 1st, 2nd, 3rd and 4th.
func withoutOrdinal(s []byte) []byte {
	if len(s) > 2 && (s[2] == ' ' || s[2] == '-' || s[2] == ',') {
		for _, letters := range [...]string{"st", "nd", "rd", "th"} {
			if equalFold(s[:2], letters) {
				return s[2:]
			}
		}
	}
	return s
}

func dayAndRest(year, month, day int, rest []byte, ok bool) (date, []byte, bool) {
	if !ok {
		return date{}, nil, false
	}
	d, ok := civilDay(year, month, day)
	return date{day: d}, rest, ok
}

// timePart reads what may follow a date: a time of day with or without a zone,
// after blanks, a T, a comma or a dash. It returns the second of the day in
// Asia/Kolkata, from 1 and 0 for none, and by how many days the zone moves the
// date there.
func timePart(s []byte) (second int32, days Day, ok bool) {
	s = trimmed(s)
	if len(s) == 0 {
		return 0, 0, true
	}
	if s[0] == 'T' || s[0] == 't' || s[0] == ',' || len(s) > 1 && s[0] == '-' && s[1] == ' ' {
		s = trimmed(s[1:])
	}
	hour, s := leadingNumber(s)
	if len(s) < 3 || s[0] != ':' {
		return 0, 0, false
	}
	minute, rest := leadingNumber(s[1:])
	if len(s)-len(rest) != 3 {
		return 0, 0, false
	}
	seconds := 0
	if len(rest) > 1 && rest[0] == ':' {
		n, after := leadingNumber(rest[1:])
		if len(rest)-len(after) != 3 || n > 60 {
			return 0, 0, false
		}
		seconds, rest = min(n, 59), after
		if len(rest) > 1 && rest[0] == '.' {
			_, rest = leadingNumber(rest[1:])
		}
	}
	rest = trimmed(rest)
	if hour > 23 || minute > 59 {
		return 0, 0, false
	}
	if half := halfOfDay(rest); half != 0 {
		if hour == 0 || hour > 12 {
			return 0, 0, false
		}
		if hour = hour % 12; half == 'p' {
			hour += 12
		}
		rest = trimmed(rest[2:])
	}
	zone, ok := zoneMinutes(rest)
	local := int64(hour*60 + minute - zone + kolkataSeconds/60)
	inDay := mod(local, 24*60)
	return int32(inDay*60) + int32(seconds) + 1, Day((local - inDay) / (24 * 60)), ok
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
	switch {
	case len(s) == 0 || equalFold(s, "IST"):
		return kolkataSeconds / 60, true
	case equalFold(s, "Z") || equalFold(s, "UTC") || equalFold(s, "GMT"):
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
	n, digits := 0, 0
	for _, b := range s[1:] {
		if b == ':' {
			continue
		}
		if digits++; !isDigit(b) || digits > 4 {
			return 0, false
		}
		n = n*10 + int(b-'0')
	}
	switch digits {
	case 2:
		n *= 100
	case 4:
	default:
		return 0, false
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
// calendar, years 1 to 2199; false for a date that does not exist.
func civilDay(year, month, day int) (Day, bool) {
	if year < 1 || year > 2199 || month < 1 || month > 12 || day < 1 || day > daysIn(year, month) {
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
