package domain

import "time"

// Kolkata is Indian Standard Time. Every calendar day in this program is a day in
// this zone. Its offset has not changed since 1945, so no time zone data is needed.
var Kolkata = time.FixedZone("Asia/Kolkata", kolkataSeconds)

const (
	kolkataSeconds = (5*60 + 30) * 60
	daySeconds     = 24 * 60 * 60
)

// Day is a calendar day in Asia/Kolkata, counted from 1970-01-01.
type Day int32

// NoDay stands for a date that is missing.
const NoDay Day = 0

// DayOf is the day in Asia/Kolkata on which t falls.
func DayOf(t time.Time) Day {
	s := t.Unix() + kolkataSeconds
	return Day((s - mod(s, daySeconds)) / daySeconds)
}

// DayFromDate is the day with this date. A day after the end of the month counts on
// into the next month, as in time.Date.
func DayFromDate(year int, month time.Month, day int) Day {
	return Day(time.Date(year, month, day, 0, 0, 0, 0, time.UTC).Unix() / daySeconds)
}

// Start is the first moment of the day, in Asia/Kolkata.
func (d Day) Start() time.Time {
	return time.Unix(int64(d)*daySeconds-kolkataSeconds, 0).In(Kolkata)
}

// Earlier returns the earlier of two days. NoDay does not count.
func (d Day) Earlier(other Day) Day {
	if d == NoDay || other != NoDay && other < d {
		return other
	}
	return d
}

// Date returns year, month and day of the month.
func (d Day) Date() (int, time.Month, int) { return time.Unix(int64(d)*daySeconds, 0).UTC().Date() }

// civil is Date computed without a time.Time, because a reason may have four days. The day must be in
// the year 0 or later. It reverses civilDay: here a year begins in March, and 400 years have 146,097 days.
// The method is that of Neri and Schneider, which divides by little more than powers of two.
func (d Day) civil() (year, month, day uint32) {
	const era, perYear = 146_097, 2_939_745 // a quarter of a day in 1<<32 parts of a year
	quarters := 4*uint32(d+719_468) + 3     // of days since 0000-03-01
	years := uint64(quarters%era|3) * perYear
	year, ofYear := quarters/era*100+uint32(years>>32), uint32(years)/perYear/4
	months := 2141*ofYear + 197_913 // in 1<<16 parts; 3 is March
	month, day = months>>16, months&0xffff/2141+1
	if month > 12 {
		return year + 1, month - 12, day
	}
	return year, month, day
}

// String writes the day as 2026-03-31, and NoDay as an empty text.
func (d Day) String() string { return string(d.AppendTo(nil)) }

// AppendTo appends the text of String without allocating.
func (d Day) AppendTo(dst []byte) []byte { return d.appendParts(dst, "-") }

// AppendDigits appends the day as 20260331, or nothing for NoDay.
func (d Day) AppendDigits(dst []byte) []byte { return d.appendParts(dst, "") }

func (d Day) appendParts(dst []byte, separator string) []byte {
	if d == NoDay {
		return dst
	}
	y, m, n := d.civil()
	dst = append(dst, byte('0'+y/1000), byte('0'+y/100%10), byte('0'+y/10%10), byte('0'+y%10))
	dst = append(append(dst, separator...), byte('0'+m/10), byte('0'+m%10))
	return append(append(dst, separator...), byte('0'+n/10), byte('0'+n%10))
}

func mod(a, b int64) int64 { return ((a % b) + b) % b }

// Cycle is a billing cycle: from Start, inclusive, to End, exclusive.
type Cycle struct{ Start, End Day }

// BillingCycle is the cycle that contains now. A cycle starts at 00:00 Asia/Kolkata
// on the billing day; in a month that does not have that day, it starts on the
// month's last day (guide: limits 1).
func BillingCycle(now time.Time, billingDay int) Cycle { return cycleWith(DayOf(now), billingDay) }

// cycleWith is the cycle that contains a day.
func cycleWith(day Day, billingDay int) Cycle {
	y, m, _ := day.Date()
	start := billingDate(y, m, billingDay)
	if day < start {
		return Cycle{Start: billingDate(y, m-1, billingDay), End: start}
	}
	return Cycle{Start: start, End: billingDate(y, m+1, billingDay)}
}

func billingDate(year int, month time.Month, billingDay int) Day {
	last := DayFromDate(year, month+1, 0)
	return min(DayFromDate(year, month, 1)+Day(billingDay-1), last)
}
