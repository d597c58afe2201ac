package domain_test

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"milaan/domain"
)

// TestAColumnThatReadsBothWaysIsTurnedIfDayFirstIsFarOff tests the rule of 92 days.
func TestAColumnThatReadsBothWaysIsTurnedIfDayFirstIsFarOff(t *testing.T) {
	asOf := domain.DayFromDate(2026, time.March, 10)
	for name, c := range map[string]struct {
		cells []string
		turns bool
	}{
		"day first is far off":              {[]string{"03/11/2026", "03/04/2026"}, true},
		"one far date is enough":            {[]string{"03/04/2026", "", "03/07/2026"}, true},
		"within 92 days":                    {[]string{"10/06/2026"}, false},
		"one day more":                      {[]string{"11/06/2026", "06/11/2026"}, false},
		"one day more, and month first not": {[]string{"03/11/2026", "02/07/2026"}, true},
		"month first is far off as well":    {[]string{"03/11/2026", "11/11/2026"}, false},
		"a date that has one reading":       {[]string{"03/11/2026", "13/03/2026"}, false},
		"a date with the year first":        {[]string{"03/11/2026", "2026-03-01"}, false},
		"a month by its name":               {[]string{"03/11/2026", "1 Mar 2026"}, false},
		"a serial":                          {[]string{"03/11/2026", "46082"}, false},
		"two digits of a year, a time":      {[]string{"3/11/26 11:22", "3/4/26"}, true},
		"no date":                           {[]string{"", "-"}, false},
		"a date before 2000 is none":        {[]string{"03/11/2026", "1999-12-31", "0000-00-00", "31/12/1999"}, true},
		"a zone moves both readings back":   {[]string{"11/06/2026 02:00 +0800", "06/11/2025"}, false},
	} {
		t.Run(name, func(t *testing.T) {
			var column domain.DateColumn
			for _, cell := range c.cells {
				_, reading := column.Read([]byte(cell))
				require.NotEqual(t, domain.Unreadable, reading, cell)
			}
			require.Equal(t, c.turns, column.TurnIfLater(asOf))
			require.False(t, column.TurnIfLater(asOf), "a column is turned once")
			day, _ := column.Read([]byte("03/11/2026"))
			want := domain.DayFromDate(2026, time.November, 3)
			if c.turns {
				want = domain.DayFromDate(2026, time.March, 11)
			}
			require.Equal(t, want, day)
		})
	}
}

// TestAColumnThatMixesDaysAndMonthsSaysSo is about columns that cannot be read
// either way.
func TestAColumnThatMixesDaysAndMonthsSaysSo(t *testing.T) {
	for name, c := range map[string]struct {
		cells []string
		mixed bool
	}{
		"day first":          {[]string{"13/02/2026", "03/04/2026"}, false},
		"month first":        {[]string{"02/13/2026", "03/04/2026"}, false},
		"both":               {[]string{"02/13/2026", "13/02/2026"}, true},
		"both, the day last": {[]string{"13.02.2026", "2/13/26 11:22"}, true},
		"neither part":       {[]string{"13/13/2026"}, false},
		"named":              {[]string{"02/13/2026", "13 Feb 2026"}, false},
	} {
		t.Run(name, func(t *testing.T) {
			var column domain.DateColumn
			for _, cell := range c.cells {
				column.Read([]byte(cell))
			}
			require.Equal(t, c.mixed, column.Mixed())
			column.TurnMonthFirst()
			require.Equal(t, c.mixed, column.Mixed())
		})
	}
}

// TestSlips compares the result with that of sorting the column, for all columns of up to
// three of some dates; 0 stands for no cell.
func TestSlips(t *testing.T) {
	dates := []domain.Day{0, 20000, 20366, 20367, 20733, 33149}
	for _, a := range dates {
		for _, b := range dates {
			for _, c := range dates {
				days := slices.DeleteFunc([]domain.Day{a, b, c}, func(d domain.Day) bool { return d == 0 })
				var latest domain.LatestDays
				for i, day := range days {
					latest.Add(day, i)
				}
				row, slipped := latest.FindSlip()
				sorted := slices.Sorted(slices.Values(days))
				n := len(sorted)
				require.Equal(t, n >= 2 && sorted[n-1]-sorted[n-2] > 366, slipped, days)
				if slipped {
					require.Equal(t, sorted[n-1], days[row], days)
				}
			}
		}
	}
}

func TestOrdersOfOneName(t *testing.T) {
	var orders domain.Orders
	orders.Reset()
	at := func(day domain.Day, second int32) domain.Moment { return domain.Moment{Day: day, Second: second} }
	first, _ := orders.FindOrAdd([]byte("#1001"))
	first.CreatedOn, first.CreatedSecond = 20000, 100
	second := orders.FindOrAddNamesake(first, at(20000, 200))
	require.Equal(t, 2, orders.Len())
	require.Equal(t, "#1001", string(second.Name))
	require.Equal(t, domain.Day(20000), second.CreatedOn)
	require.Equal(t, int32(200), second.CreatedSecond)

	other, isNew := orders.FindOrAdd([]byte("#1002"))
	require.True(t, isNew)
	require.Equal(t, "#1002", string(other.Name))
	latest, isNew := orders.FindOrAdd([]byte("1001"))
	require.False(t, isNew)
	require.Same(t, orders.At(1), latest, "the order that the last row was of")
	require.Same(t, orders.At(0), orders.FindOrAddNamesake(latest, at(20000, 100)), "one that is there")
	latest, _ = orders.FindOrAdd([]byte("#1001"))
	require.Same(t, orders.At(0), latest)
	require.Same(t, orders.At(0), orders.FindOrAddNamesake(latest, at(20000, 0)), "a day alone is that of the first")
	require.Equal(t, 3, orders.Len())
	require.Equal(t, 1, orders.Namesakes())
	for n := 3; n <= domain.MaxNamesakes; n++ {
		require.NotNil(t, orders.FindOrAddNamesake(orders.At(0), at(20000+domain.Day(n), 0)))
	}
	require.Nil(t, orders.FindOrAddNamesake(orders.At(0), at(30000, 0)))
	require.Equal(t, 1, orders.Namesakes())
	orders.Reset()
	require.Zero(t, orders.Namesakes())
}

// TestRememberedDaysAreReadAlike compares a column that has read many cells with a
// new one.
func TestRememberedDaysAreReadAlike(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var column domain.DateColumn
		for range 30 {
			head := rapid.SampledFrom([]string{"2026-03-31", "2026-02-30", "31-03-2026", "03/02/2026", "03.02.2026", "1999-12-31", "0000-00-00", "3/2/2026 1"}).Draw(t, "head")
			tail := rapid.SampledFrom([]string{"", "", " 11:22:33 +0530", " 23:59:59 +0530", " 24:00:00 +0530", " 11:22:33 +0000", "T11:22:33Z", " 11:22", "x", " "}).Draw(t, "tail")
			var first domain.DateColumn
			want, reading := first.ReadMoment([]byte(head + tail))
			got, gotReading := column.ReadMoment([]byte(head + tail))
			require.Equal(t, want, got, head+tail)
			require.Equal(t, reading, gotReading, head+tail)
		}
	})
}
