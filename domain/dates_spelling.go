package domain

import "bytes"

// Moment is a second of a day in Asia/Kolkata, or a day alone.
type Moment struct {
	Day    Day
	Second int32 // second of the day, from 1; 0: the time is not known
}

// Differs says whether two moments are different. If one of them has no time, only
// the days are compared.
func (m Moment) Differs(from Moment) bool {
	return m.Day != from.Day || m.Second != from.Second && m.Second != 0 && from.Second != 0
}

// WithoutSeconds says whether a moment has a time of whole minutes.
func (m Moment) WithoutSeconds() bool { return m.Second > 0 && (m.Second-1)%60 == 0 }

// SameMinute says whether two moments with a time are in the same minute.
func (m Moment) SameMinute(as Moment) bool {
	return m.Day == as.Day && (m.Second-1)/60 == (as.Second-1)/60
}

// firstDay is 2000-01-01.
const firstDay Day = 10_957

// readPlainMoment reads the form of nearly every export, YYYY-MM-DD with an Indian
// time or without a time. It returns false for any other form.
func readPlainMoment(s []byte) (Moment, bool) {
	if len(s) < dayText || s[4] != '-' || s[7] != '-' {
		return Moment{}, false
	}
	second, ok := readPlainTime(s[dayText:])
	if !ok {
		return Moment{}, false
	}
	century, year, month, day := readTwoDigits(s), readTwoDigits(s[2:]), readTwoDigits(s[5:]), readTwoDigits(s[8:])
	d, ok := civilDay(century*100+year, month, day)
	return Moment{Day: d, Second: second}, ok
}

// ReadDigits reads a day as Day.AppendDigits writes it. It returns false for any other text.
func ReadDigits(s []byte) (Day, bool) {
	if len(s) != len("20260331") {
		return NoDay, false
	}
	d, ok := civilDay(readTwoDigits(s)*100+readTwoDigits(s[2:]), readTwoDigits(s[4:]), readTwoDigits(s[6:]))
	return d, ok && d >= firstDay
}

// readPlainTime reads an Indian time of day, or an empty text as no time. The
// second counts as in Moment.
func readPlainTime(s []byte) (second int32, ok bool) {
	if len(s) == 0 {
		return 0, true
	}
	if len(s) != len(" 15:04:05 +0530") || s[0] != ' ' || s[3] != ':' || s[6] != ':' || string(s[9:]) != " +0530" {
		return 0, false
	}
	h, m, sec := readTwoDigits(s[1:]), readTwoDigits(s[4:]), readTwoDigits(s[7:])
	if h > 23 || m > 59 || sec > 59 {
		return 0, false
	}
	return int32((h*60+m)*60 + sec + 1), true
}

// readTwoDigits reads two digits. If one is no digit, it returns a number that is
// too large to be any part of a date.
func readTwoDigits(s []byte) int {
	a, b := s[0]-'0', s[1]-'0'
	if a > 9 || b > 9 {
		return 1 << 20
	}
	return int(a)*10 + int(b)
}

// readSpelledMoment reads a date in any of the forms that Read lists.
func (c *DateColumn) readSpelledMoment(cell []byte) (Moment, Reading) {
	s := Unwrap(cell)
	if SaysNone(s) || isZeroDate(s) || c.OfRemittances && saysPending(s) {
		return Moment{}, Blank
	}
	d, ok := readSerialDate(s)
	var shift Day
	if !ok {
		var rest []byte
		if d, rest, ok = c.readDatePart(s); ok {
			d.second, shift, ok = readTimePart(rest)
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
		c.tally(c.noteNumbers(at.Day, d.year, d.first, d.other, shift), 1)
	} else {
		c.oneWay = true
	}
	return at, Given
}

// saysPending knows the words that stand in place of the day of a remittance that
// has not been made yet.
func saysPending(s []byte) bool {
	var p Phrase
	switch string(p.Of(s)) {
	case "pending", "awaited", "notyet", "toberemitted":
		return true
	}
	return false
}

// isZeroDate knows 0000-00-00 and 00-00-0000, alone or with a time of zeros.
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

type date struct {
	day    Day
	second int32 // counted as in Moment

	numbers            bool // all parts are numbers, so the column decides which of the first two is the day
	year, first, other int
}

// Serial numbers are read as dates from 1970 to 2119 only, so that no plain number
// of another kind is taken for a date.
const (
	serial1970  = 25_569
	firstSerial = serial1970 + 1
	lastSerial  = 80_000
)

// readSerialDate reads the number with which a spreadsheet stores a date: the days
// since 1899-12-30, with the time of day as the fraction.
func readSerialDate(s []byte) (date, bool) {
	whole, fraction, _ := bytes.Cut(s, []byte("."))
	n, rest := CutNumber(whole)
	if len(whole) != 5 || len(rest) > 0 || n < firstSerial || n > lastSerial {
		return date{}, false
	}
	d := date{day: Day(n - serial1970)}
	if _, rest := CutNumber(fraction); len(rest) > 0 {
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

func (c *DateColumn) readDatePart(s []byte) (date, []byte, bool) {
	if month, rest := cutMonth(s); month > 0 { // Feb 3, 2026
		day, rest := CutNumber(bytes.TrimLeft(rest, " -."))
		year, rest, ok := cutYear(bytes.TrimLeft(cutOrdinal(rest), " ,-"))
		return makeDate(year, month, day, rest, ok)
	}
	first, rest := CutNumber(s)
	digits := len(s) - len(rest)
	if digits == len("20260203") {
		return readCompactDate(s)
	}
	ordinal := cutOrdinal(rest)
	if digits == 0 || len(ordinal) == 0 {
		return date{}, nil, false
	}
	separator := ordinal[0]
	if separator != '-' && separator != '/' && separator != ' ' && separator != '.' {
		return date{}, nil, false
	}
	after := ordinal[1:]
	if month, after := cutMonth(bytes.TrimLeft(after, " ")); month > 0 && digits <= 2 { // 03-Feb-2026
		year, after, ok := cutYear(bytes.TrimLeft(after, " -/,."))
		return makeDate(year, month, first, after, ok)
	}
	second, rest := CutNumber(after)
	if width := len(after) - len(rest); separator == ' ' || width < 1 || width > 2 || len(rest) == 0 || rest[0] != separator ||
		len(ordinal) < len(s)-digits {
		return date{}, nil, false
	}
	rest = rest[1:]
	if digits == 4 { // 2026-02-03
		day, end := CutNumber(rest)
		width := len(rest) - len(end)
		return makeDate(first, second, day, end, width >= 1 && width <= 2)
	}
	if digits > 2 {
		return date{}, nil, false
	}
	year, end, ok := cutYear(rest)
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

// readCompactDate reads 20260203. A number of eight digits that does not begin with
// a year from 1900 on is something else.
func readCompactDate(s []byte) (date, []byte, bool) {
	year, rest := readTwoDigits(s)*100+readTwoDigits(s[2:]), s[len("20260203"):]
	if string(rest) == ".0" {
		rest = nil
	}
	return makeDate(year, readTwoDigits(s[4:]), readTwoDigits(s[6:]), rest, year >= 1900)
}

// cutOrdinal removes the letters of 1st, 2nd, 3rd and 4th from the beginning of s.
func cutOrdinal(s []byte) []byte {
	if len(s) > 2 && (s[2] == ' ' || s[2] == '-' || s[2] == ',') {
		for _, letters := range [...]string{"st", "nd", "rd", "th"} {
			if EqualFold(s[:2], letters) {
				return s[2:]
			}
		}
	}
	return s
}

// makeDate returns the date with these numbers and the rest of the text. It returns
// false if ok is false or the calendar has no such date.
func makeDate(year, month, day int, rest []byte, ok bool) (date, []byte, bool) {
	if !ok {
		return date{}, nil, false
	}
	d, ok := civilDay(year, month, day)
	return date{day: d}, rest, ok
}

// readTimePart reads what may follow a date: a time of day with or without a zone,
// after blanks, a T, a comma or a dash. It returns the second of the day in
// Asia/Kolkata, from 1, or 0 if there is no time; and by how many days the zone
// moves the date.
func readTimePart(s []byte) (second int32, days Day, ok bool) {
	s = Trim(s)
	if len(s) == 0 {
		return 0, 0, true
	}
	if s[0] == 'T' || s[0] == 't' || s[0] == ',' || len(s) > 1 && s[0] == '-' && s[1] == ' ' {
		s = Trim(s[1:])
	}
	hour, s := CutNumber(s)
	if len(s) < 3 || s[0] != ':' {
		return 0, 0, false
	}
	minute, rest := CutNumber(s[1:])
	if len(s)-len(rest) != 3 {
		return 0, 0, false
	}
	seconds := 0
	if len(rest) > 1 && rest[0] == ':' {
		n, after := CutNumber(rest[1:])
		if len(rest)-len(after) != 3 || n > 60 {
			return 0, 0, false
		}
		seconds, rest = min(n, 59), after
		if len(rest) > 1 && rest[0] == '.' {
			_, rest = CutNumber(rest[1:])
		}
	}
	rest = Trim(rest)
	if hour > 23 || minute > 59 {
		return 0, 0, false
	}
	if half := readHalfOfDay(rest); half != 0 {
		if hour == 0 || hour > 12 {
			return 0, 0, false
		}
		if hour %= 12; half == 'p' {
			hour += 12
		}
		rest = Trim(rest[2:])
	}
	zone, ok := readZone(rest)
	local := int64(hour*60 + minute - zone + kolkataSeconds/60)
	inDay := mod(local, 24*60)
	return int32(inDay*60) + int32(seconds) + 1, Day((local - inDay) / (24 * 60)), ok
}

// readHalfOfDay returns 'a' for a text that begins with am, 'p' for pm, or else 0.
func readHalfOfDay(s []byte) byte {
	if len(s) < 2 || s[1]|0x20 != 'm' {
		return 0
	}
	if half := s[0] | 0x20; half == 'a' || half == 'p' {
		return half
	}
	return 0
}

// readZone reads a zone as minutes east of UTC. An empty text means Asia/Kolkata.
func readZone(s []byte) (int, bool) {
	switch {
	case len(s) == 0 || EqualFold(s, "IST"):
		return kolkataSeconds / 60, true
	case EqualFold(s, "Z") || EqualFold(s, "UTC") || EqualFold(s, "GMT"):
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

// CutNumber reads the digits with which s begins, and returns the rest. For more
// digits than any part of a date has, the number is too large for any part.
func CutNumber(s []byte) (int, []byte) {
	n := 0
	for len(s) > 0 && s[0]-'0' <= 9 {
		if n < 1_000_000 {
			n = n*10 + int(s[0]-'0')
		}
		s = s[1:]
	}
	return n, s
}

// cutYear reads a year of four digits, or of two digits, which means this century.
func cutYear(s []byte) (int, []byte, bool) {
	n, rest := CutNumber(s)
	switch len(s) - len(rest) {
	case 2:
		return 2000 + n, rest, true
	case 4:
		return n, rest, true
	}
	return 0, s, false
}

var monthNames = [...]string{"january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
	"december"}

// cutMonth reads the English name of a month or its first three letters. It returns
// 0 if s does not begin with one.
func cutMonth(s []byte) (int, []byte) {
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

// civilDay counts the days from 1970-01-01 to a date of the Gregorian calendar in
// the years 1 to 2199. It returns false for a date that does not exist.
func civilDay(year, month, day int) (Day, bool) {
	if year < 1 || year > 2199 || month < 1 || month > 12 || day < 1 || day > daysIn(year, month) {
		return NoDay, false
	}
	// In this calculation a year begins in March, so that the leap day is its last day.
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
