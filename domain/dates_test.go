package domain_test

import (
	"bytes"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"milaan/domain"
)

// readColumn reads a column of dates as the readers of files do: from its top, and
// once more if the column turns out to be month first. It returns the first cell
// that could not be read at the end, or "".
func readColumn(cells []string) (days []domain.Day, faulty string) {
	var column domain.DateColumn
	for {
		days, faulty = make([]domain.Day, 0, len(cells)), ""
		doubtful := false
		for _, cell := range cells {
			day, reading := column.Read([]byte(cell))
			if reading == domain.Unreadable && faulty == "" {
				faulty, doubtful = cell, column.Doubtful()
			}
			if faulty != "" && !doubtful {
				return days, faulty
			}
			days = append(days, day)
		}
		if !column.TurnMonthFirst() {
			return days, faulty
		}
	}
}

// readDate reads a cell as a column of its own.
func readDate(cell string) (domain.Day, domain.Reading) {
	var column domain.DateColumn
	return column.Read([]byte(cell))
}

// requireDates reads each cell as a column of its own.
func requireDates(t *testing.T, want string, cells ...string) {
	t.Helper()
	for _, cell := range cells {
		day, reading := readDate(cell)
		require.Equal(t, domain.Given, reading, "%q", cell)
		require.Equal(t, want, day.String(), "%q", cell)
	}
}

func requireNoDates(t *testing.T, want domain.Reading, cells ...string) {
	t.Helper()
	for _, cell := range cells {
		day, reading := readDate(cell)
		require.Equal(t, want, reading, "%q was read as %s", cell, day)
		require.Equal(t, domain.NoDay, day, "%q", cell)
	}
}

func TestDatesAreReadAsFilesWriteThem(t *testing.T) {
	requireDates(t, "2026-02-03",
		"2026-02-03 11:22:33 +0530", "2026-02-03 11:22:33", "2026-02-03 11:22", "2026-02-03",
		"2026-02-03T11:22:33+05:30", "2026-02-03T11:22:33Z", "2026-02-03T11:22:33.123456Z", "2026-02-03t11:22:33z", "2026-02-03T11:22:33",
		"03-02-2026", "03-02-2026 11:22", "03-02-2026 11:22:33", "3-2-2026", "03-02-26",
		"03/02/2026", "03/02/2026 11:22", "03/02/2026 11:22:33 AM", "03/02/2026 01:22 PM", "3/2/2026", "3/2/26", "3/2/26 9:05", "03/02/26",
		"03-Feb-2026", "03-Feb-26", "3-Feb-2026", "03-feb-2026", "03-FEB-2026", "03-February-2026", "03-Feb-2026 11:22", "03-Feb-2026 11:22:33 pm",
		"3 Feb 26", "3 Feb 2026", "03 Feb 26", "3 February 2026", "3 Feb 26 11:22",
		"Feb 3, 2026", "Feb 03, 2026", "February 3, 2026", "feb 3, 2026", "Feb 3, 2026 11:22", "Feb 3, 2026 11:22 PM", "Feb 3, 2026, 11:22 pm",
		"46056", "46056.0", "46056.5", "46056.99999", "46056.9999999999999999",
		"03.02.2026", "3.2.2026", "03.02.26", "03.02.2026 11:22", "03.02.2026 11:22:33", "03.Feb.2026", "2026.02.03", "2026/02/03", "2026/2/3 11:22",
		"20260203", "20260203 11:22", "20260203T112200"[:8], "20260203T11:22:33Z", "20260203.0", "'20260203", `="20260203"`,
		"3rd February 2026", "3rd Feb 2026", "3RD feb 26", "03rd February 2026", "3rd-Feb-2026", "3rd February, 2026", "3rd February 2026 11:22 am",
		"February 3rd, 2026", "Feb 3rd 2026", "Feb 3rd, 2026 11:22", "3 Feb. 2026",
		"03-02-2026 - 11:30 am", "03/02/2026 - 11:30 PM", "3 Feb 2026 - 11:30 am", "3rd February 2026 - 11:30 am", "2026-02-03 - 11:30", "03-02-2026 11:30\u202fam", "03-02-2026\u00a011:30 am",
		"  2026-02-03", "2026-02-03 ", "\u00a003/02/2026\u00a0", "'03-02-2026", `="03-02-2026"`, `="46056"`, "\ufeff2026-02-03",
	)
}

func TestEveryMonthIsKnownByItsName(t *testing.T) {
	for month := time.January; month <= time.December; month++ {
		requireDates(t, domain.DayFromDate(2026, month, 7).String(),
			"07-"+month.String()[:3]+"-2026", "7 "+month.String()+" 2026", month.String()[:3]+" 7, 2026", month.String()+" 7, 2026")
	}
}

// TestDaysOfTimesAndSerials: a time with a zone is a day in Kolkata, and spreadsheets
// count days.
func TestDaysOfTimesAndSerials(t *testing.T) {
	for cell, want := range map[string]string{
		"2026-02-03 23:59:59 +0530":     "2026-02-03",
		"2026-02-03 00:00:00 +0530":     "2026-02-03",
		"2026-02-03T18:29:59Z":          "2026-02-03",
		"2026-02-03T18:30:00Z":          "2026-02-04",
		"2026-02-03 18:30:00 UTC":       "2026-02-04",
		"2026-02-03 18:30:00 GMT":       "2026-02-04",
		"2026-02-03 18:30:00 +0000":     "2026-02-04",
		"2026-02-03 18:30:00 IST":       "2026-02-03",
		"2026-02-03T18:30:00":           "2026-02-03", // no zone: Asia/Kolkata
		"2026-02-03T01:00:00+08:00":     "2026-02-02",
		"2026-02-03T13:00:00-05:00":     "2026-02-03",
		"2026-02-03T13:30:00-05:00":     "2026-02-04",
		"2026-02-28 23:00:00 -0500":     "2026-03-01",
		"2024-02-28T20:00:00Z":          "2024-02-29",
		"2025-12-31T19:00:00.000Z":      "2026-01-01",
		"31-12-2025 19:00:00 +00:00":    "2026-01-01",
		"Dec 31, 2025 07:00:00 PM UTC":  "2026-01-01",
		"03-02-2026 12:00 AM":           "2026-02-03",
		"03-02-2026 12:00 AM +0800":     "2026-02-02",
		"03-02-2026 12:00 PM":           "2026-02-03",
		"2026-02-03 11:22:33 AM -0900":  "2026-02-04",
		"2026-02-03T23:59:60+05:30":     "2026-02-03", // a leap second
		"2026-02-03 01:29:59 PM -05:00": "2026-02-03",
		"36526":                         "2000-01-01", "36584": "2000-02-28", "36585": "2000-02-29", "36586": "2000-03-01",
		"80000": "2119-01-11", "44197": "2021-01-01", "46023": "2026-01-01", "46056": "2026-02-03", "46081.5": "2026-02-28", "46082": "2026-03-01",
	} {
		requireDates(t, want, cell)
	}
}

func TestCellsWithoutADate(t *testing.T) {
	requireNoDates(t, domain.Blank, "", " ", "\u00a0", "-", "--", "----", "NA", "N/A", "na", "n/a", "'-", `="N/A"`, `=""`,
		"0000-00-00", "0000-00-00 00:00:00", "0000-00-00T00:00:00", "====", "...",
		"00-00-0000", "00/00/0000", "00/00/0000 00:00", "–", "—", "nil", "Nil", "NIL", "none", "None", "null",
		// Before 2000: clocks that were never set, and zeros.
		"1970-01-01", "01-01-1970", "1970-01-01 00:00:00 +0530", "1970-01-01T00:00:00Z", "1999-12-31", "31/12/1999", "31-Dec-1999", "19991231", "31.12.1999 23:59",
		"0001-01-01", "01/01/0001 00:00:00", "0001-01-01T00:00:00Z", "1899-12-30", "30-12-1899", "Dec 30, 1899", "36525", "25570", "1999-12-31 18:29:59 UTC")
}

// TestTheYear2000Begins tests the first day that counts as a date.
func TestTheYear2000Begins(t *testing.T) {
	requireDates(t, "2000-01-01",
		"2000-01-01", "01-01-2000", "1/1/00", "20000101", "1st January 2000", "36526", "1999-12-31 18:30:00 UTC", "2000-01-01 00:00:00 +0530")
}

// TestWordsForARemittanceToCome: such words mean no date in a column of
// remittances, and are a fault in any other column.
func TestWordsForARemittanceToCome(t *testing.T) {
	for _, cell := range []string{"Pending", "PENDING", "pending.", "Awaited", "awaited", "Not yet", "NOT YET", "not  yet", "Not-Yet", "To be remitted", "to be remitted", "'Pending", `="Awaited"`, " Pending\u00a0"} {
		column := domain.DateColumn{OfRemittances: true}
		_, reading := column.Read([]byte(cell))
		require.Equal(t, domain.Blank, reading, "%q", cell)
		_, reading = readDate(cell)
		require.Equal(t, domain.Unreadable, reading, "%q", cell)
	}
	for _, cell := range []string{"Paid", "soon", "yet", "not", "Pending since 3 Feb", "remitted"} {
		column := domain.DateColumn{OfRemittances: true}
		_, reading := column.Read([]byte(cell))
		require.Equal(t, domain.Unreadable, reading, "%q", cell)
	}
}

// TestMoments tells two times of one day apart.
func TestMoments(t *testing.T) {
	day := domain.DayFromDate(2026, time.February, 3)
	for cell, second := range map[string]int{
		"2026-02-03": 0, "03/02/2026": 0, "3 Feb 2026": 0, "46056": 0, "46056.0": 0, "20260203": 0,
		"2026-02-03 00:00:00 +0530": 1, "2026-02-03 00:00": 1, "2026-02-03T00:00:00+05:30": 1, "2026-02-02 18:30:00 UTC": 1,
		"2026-02-03 11:22:33 +0530": 40954, "2026-02-03T11:22:33+05:30": 40954, "2026-02-03T05:52:33Z": 40954, "03-02-2026 11:22:33": 40954, "03/02/2026 11:22:33 AM": 40954, "2026-02-03T05:52:33.987Z": 40954,
		"46056.5": 43201, "46056.474": 40955, "46056.4739930556": 40954, "03-02-2026 11:22": 40921, "03-02-2026 11:22 PM": 84121, "3rd February 2026 - 11:22 pm": 84121,
		"2026-02-03 23:59:59 +0530": 86400, "2026-02-03 23:59:60 +0530": 86400, "46056.99999999": 86400,
	} {
		at, reading := new(domain.DateColumn).ReadMoment([]byte(cell))
		require.Equal(t, domain.Given, reading, "%q", cell)
		require.Equal(t, domain.Moment{Day: day, Second: int32(second)}, at, "%q", cell)
	}
	noon, later, alone := domain.Moment{Day: day, Second: 43201}, domain.Moment{Day: day, Second: 43202}, domain.Moment{Day: day}
	require.False(t, noon.Differs(noon))
	require.True(t, noon.Differs(later))
	require.False(t, noon.Differs(alone), "as days where one lacks a time")
	require.False(t, alone.Differs(later))
	require.True(t, alone.Differs(domain.Moment{Day: day + 1}))
	require.True(t, noon.Differs(domain.Moment{Day: day + 1, Second: 43201}))
}

func TestNoDateIsGuessed(t *testing.T) {
	requireNoDates(t, domain.Unreadable,
		"14Aug2026", // a bank alone writes it
		// Days that no calendar has.
		"2026-02-30", "2026-02-29", "2026-04-31", "2026-13-01", "2026-00-10", "2026-01-00", "2026-01-32", "2100-02-29",
		"30-02-2026", "31/04/2026", "30.02.2026", "30th February 2026", "30-02-1999", "32-01-2026", "00-01-2026", "01-00-2026", "29/2/25", "13/13/2026",
		"31-Feb-2026", "Feb 30, 2026", "Feb 0, 2026", "0 Feb 26", "2026-02-30 11:22:33 +0530", "2026-02-30T11:22:33Z",
		// Times and zones that do not exist.
		"2026-02-03 24:00", "2026-02-03 25:00:00", "2026-02-03 11:60", "2026-02-03 11:22:61", "2026-02-03 11:22:99 +0530", "2026-02-03 24:22:33 +0530",
		"2026-02-03 13:00 PM", "2026-02-03 0:30 AM", "2026-02-03 11:22:33 +0560", "2026-02-03 11:22:33 +1500", "2026-02-03 11:22:33 XYZ", "2026-02-03 11:22:33 +5",
		// Not a date, or only a part of one.
		"soon", "Paid", "2026", "02-2026", "Feb 2026", "03 Feb", "Feb 3", "03-02", "03/02/", "03-Foo-2026", "03-Fe-2026", "Febr 3, 2026", "Mayor 3, 2026",
		"03-02-206", "03-02-20266", "003-02-2026", "03-002-2026", "03/02-2026", "03-02/2026", "03 02 2026", "2026-02", "2026-2026-02", "20260203x",
		"03.02", "03.02.", "03.02-2026", "3.2", "20260230", "20261301", "12345678", "99999999", "00000000", "202602", "2026020", "202602031", "20260203.5", "20260203112233", "2026020311",
		"3th", "3rd", "3rd/02/2026", "3rd 02 2026", "3xx February 2026", "3rd of February 2026", "33rd February 2026", "3rdFebruary 2026",
		"2026-02-03 -05:00", "03-02-2026 - ", "03-02-2026 -", "03-02-2026 - soon", "03-02-2026 -11:30", "00-00-2026", "0000-00-00 soon", "none yet", "Pending", "Awaited", "Not yet", "To be remitted",
		"2026-02-03x", "0000-00-00x", "0000-00-00 soon", "2026-02-03 x", "2026-02-03 11", "2026-02-03 11:2", "2026-02-03 11:2:33", "2026-02-03 11:022", "2026-02-03 11:22:3", "03-02-2026 11:22 XM", "2026-02-03T", "2026-02-03 11:22:33 +0530 x",
		"03-Feb-2026 soon", "०३-०२-२०२६", "03–02–2026", "\xff",
		// Numbers that are not the serial number of a likely date.
		"1", "199", "1299.50", "12345", "20000", "25569", "99999", "123456", "1769817600", "-46056", "46056.5.1", "46,056", "46056x", "₹46056",
	)
}

func TestAColumnIsDayFirstUnlessAllOfItSaysOtherwise(t *testing.T) {
	for name, c := range map[string]struct {
		cells  []string
		want   []string
		faulty string
	}{
		"day first by default":               {cells: []string{"03/02/2026", "04/05/2026"}, want: []string{"2026-02-03", "2026-05-04"}},
		"a first part over 12":               {cells: []string{"03/02/2026", "13/02/2026"}, want: []string{"2026-02-03", "2026-02-13"}},
		"a second part over 12":              {cells: []string{"02/13/2026", "03/04/2026"}, want: []string{"2026-02-13", "2026-03-04"}},
		"a second part over 12 at the end":   {cells: []string{"03/04/2026", "05/06/2026", "02/13/2026"}, want: []string{"2026-03-04", "2026-05-06", "2026-02-13"}},
		"with dashes, blanks and times":      {cells: []string{"03-04-26", "", "N/A", "02-13-26 11:22", "12-31-2025 11:59 PM"}, want: []string{"2026-03-04", "", "", "2026-02-13", "2025-12-31"}},
		"both kinds of evidence":             {cells: []string{"13/02/2026", "02/13/2026"}, faulty: "02/13/2026"},
		"both kinds, the doubtful one first": {cells: []string{"02/13/2026", "13/02/2026"}, faulty: "02/13/2026"},
		"impossible either way":              {cells: []string{"03/04/2026", "13/13/2026"}, faulty: "13/13/2026"},
		"impossible once turned":             {cells: []string{"02/13/2026", "02/30/2026"}, faulty: "02/30/2026"},
		"year first is no evidence":          {cells: []string{"2026-02-13", "03/04/2026"}, want: []string{"2026-02-13", "2026-04-03"}},
		"a month's name is no evidence":      {cells: []string{"Feb 13, 2026", "13-Feb-2026", "03/04/2026"}, want: []string{"2026-02-13", "2026-02-13", "2026-04-03"}},
		"a serial is no evidence":            {cells: []string{"46056", "03/04/2026"}, want: []string{"2026-02-03", "2026-04-03"}},
		"turned, with other spellings":       {cells: []string{"02/13/2026", "2026-04-03", "3 Apr 26", "46056"}, want: []string{"2026-02-13", "2026-04-03", "2026-04-03", "2026-02-03"}},
		"no date stays a fault":              {cells: []string{"02/13/2026", "soon"}, faulty: "soon"},
	} {
		t.Run(name, func(t *testing.T) {
			days, faulty := readColumn(c.cells)
			require.Equal(t, c.faulty, faulty)
			if faulty == "" {
				var got []string
				for _, day := range days {
					got = append(got, day.String())
				}
				require.Equal(t, c.want, got)
			}
		})
	}
}

// The spellings of guide: verdict 1, as package time writes them. One with a zone
// is read as the day in Asia/Kolkata at that time.
var (
	dateLayouts = []string{"2006-01-02", "02-01-2006", "02/01/2006", "2/1/2006", "02-Jan-2006", "2 Jan 2006", "Jan 2, 2006", "January 2, 2006",
		"02.01.2006", "2.1.2006", "20060102", "2006/01/02", "2 January 2006"}
	shortYears  = []string{"2/1/06", "02/01/06", "02-01-06", "2 Jan 06", "02-Jan-06"}
	timeLayouts = []string{"", " 15:04", " 15:04:05", " 03:04 PM", " 3:04:05 pm", " - 03:04 pm", ", 15:04"}
	zoned       = []string{"2006-01-02 15:04:05 -0700", time.RFC3339, time.RFC3339Nano, "02-01-2006 15:04:05 -07:00", "Jan 2, 2006 03:04:05 PM -0700"}
)

// drawMoment draws a second between 2000 and 2099, in some zone of whole
// quarters of an hour.
func drawMoment(t *rapid.T) time.Time {
	from, to := time.Date(2000, 1, 2, 0, 0, 0, 0, time.UTC).Unix(), time.Date(2099, 12, 30, 0, 0, 0, 0, time.UTC).Unix()
	east := rapid.IntRange(-12*4, 14*4).Draw(t, "zone") * 15 * 60
	return time.Unix(rapid.Int64Range(from, to).Draw(t, "second"), 0).In(time.FixedZone("", east))
}

func TestWrittenDatesAreReadAgain(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		at := drawMoment(t)
		var text string
		want := domain.DayFromDate(at.Date())
		layouts := dateLayouts
		layouts = append(layouts[:len(layouts):len(layouts)], shortYears...)
		if rapid.Bool().Draw(t, "zoned") {
			text = at.Format(rapid.SampledFrom(zoned).Draw(t, "layout"))
			want = domain.DayOf(at)
		} else {
			text = at.Format(rapid.SampledFrom(layouts).Draw(t, "layout") + rapid.SampledFrom(timeLayouts).Draw(t, "time"))
		}
		// A single cell shows month first only if it is no date when it is read day
		// first. All these are dates when they are read day first.
		if got, reading := readDate(text); reading != domain.Given || got != want {
			t.Fatalf("%q reads as %s (%v), want %s", text, got, reading, want)
		}
	})
}

func TestDaysAreWrittenAndReadAgain(t *testing.T) {
	last := domain.DayFromDate(2199, time.December, 31)
	rapid.Check(t, func(t *rapid.T) {
		day := domain.Day(rapid.Int32Range(int32(domain.DayFromDate(2000, time.January, 1)), int32(last)).Draw(t, "day"))
		if again, reading := readDate(day.String()); reading != domain.Given || again != day {
			t.Fatalf("%s reads as %s (%v)", day, again, reading)
		}
		if again := domain.DayFromDate(day.Date()); again != day {
			t.Fatalf("%s has the date of %s", day, again)
		}
		if again := domain.DayOf(day.Start()); again != day {
			t.Fatalf("%s starts on %s", day, again)
		}
		if before := domain.DayOf(day.Start().Add(-time.Second)); before != day-1 {
			t.Fatalf("a second before %s is on %s", day, before)
		}
	})
}

func TestADateIsReadIfTheCalendarHasIt(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		year := rapid.IntRange(2000, 2199).Draw(t, "year")
		month, day := rapid.IntRange(0, 13).Draw(t, "month"), rapid.IntRange(0, 32).Draw(t, "day")
		at := time.Date(year, time.Month(month), day, 0, 0, 0, 0, time.UTC)
		exists := at.Year() == year && int(at.Month()) == month && at.Day() == day
		cells := []string{fmt.Sprintf("%04d-%02d-%02d", year, month, day), fmt.Sprintf("%02d-%02d-%04d", day, month, year)}
		for _, cell := range cells {
			got, reading := readDate(cell)
			if exists != (reading == domain.Given) || exists && got != domain.DayFromDate(year, time.Month(month), day) {
				t.Fatalf("%q reads as %s (%v)", cell, got, reading)
			}
		}
	})
}

func TestAMonthFirstColumnIsReadWhole(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		telling := time.Date(2026, time.Month(rapid.IntRange(1, 12).Draw(t, "month")), rapid.IntRange(13, 28).Draw(t, "day"), 0, 0, 0, 0, time.UTC)
		moments := append(rapid.SliceOfN(rapid.Custom(drawMoment), 0, 8).Draw(t, "others"), telling)
		moments = rapid.Permutation(moments).Draw(t, "order")
		layout := rapid.SampledFrom([]string{"01/02/2006", "1/2/2006", "01-02-2006 15:04"}).Draw(t, "layout")
		var cells []string
		var want []domain.Day
		for _, at := range moments {
			cells, want = append(cells, at.Format(layout)), append(want, domain.DayFromDate(at.Date()))
		}
		got, faulty := readColumn(cells)
		if faulty != "" {
			t.Fatalf("%q is refused in %q", faulty, cells)
		}
		require.Equal(t, want, got, "%q", cells)
	})
}

func FuzzReadDate(f *testing.F) {
	for _, seed := range []string{"2026-02-03 11:22:33 +0530", "2026-02-03T11:22:33.5Z", "03-02-2026", "3/2/26 9:05 pm", "03-Feb-2026", "3 Feb 26",
		"Feb 3, 2026, 11:22", "46056.5", "0000-00-00 00:00:00", "02/13/2026", "N/A", "'03-02-2026", "31-12-2199 23:00 UTC",
		"03.02.2026", "20260203", "3rd February 2026 - 11:30 am", "1999-12-31", "0001-01-01", "–", "nil"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, cell []byte) {
		before := bytes.Clone(cell)
		day, reading := new(domain.DateColumn).Read(cell)
		require.Equal(t, before, cell, "the cell was altered")
		if reading != domain.Given {
			require.Equal(t, domain.NoDay, day)
		}
		if reading == domain.Given {
			require.GreaterOrEqual(t, day, domain.DayFromDate(2000, time.January, 1))
		}
		if year, _, _ := day.Date(); day > domain.NoDay && year < 2200 {
			again, _ := readDate(day.String())
			require.Equal(t, day, again)
		}
		// What stands around a value changes nothing, except that the cell is not
		// read by the quick function.
		for _, dressed := range dressings(cell) {
			same, again := readDate(string(dressed))
			require.Equal(t, day, same, "%q", dressed)
			require.Equal(t, reading == domain.Unreadable, again == domain.Unreadable, "%q", dressed)
		}
	})
}
