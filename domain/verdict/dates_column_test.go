package verdict_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"milaan/domain"
	"milaan/domain/verdict"
)

// The orders are those of 10 February to 26 March 2026, so dates are expected up to 10 May.
func ordersOfMarch() (first, latest domain.Day) {
	return domain.DayFromDate(2026, time.February, 10), domain.DayFromDate(2026, time.March, 26)
}

// A column that can be read both ways is read in the way that puts more of its cells into
// the orders' time.
func TestAColumnThatReadsBothWaysIsSettledByTheOrders(t *testing.T) {
	for name, c := range map[string]struct {
		cells      []string
		turns, tie bool
	}{
		"a day of the orders":               {[]string{"03/11/2026", "03/04/2026"}, true, false},
		"03/06/2026 for orders of March":    {[]string{"03/06/2026", "03/07/2026"}, true, false},
		"day first fits":                    {[]string{"08/03/2026"}, false, false},
		"the more cells":                    {[]string{"08/03/2026", "03/11/2026", "03/11/2026"}, true, false},
		"the more cells, not days":          {[]string{"08/03/2026", "08/03/2026", "08/03/2026", "03/11/2026", "03/12/2026"}, false, false},
		"as many, and the same latest date": {[]string{"03/03/2026"}, false, false},
		"as many, and another latest date":  {[]string{"04/03/2026", "03/04/2026", "04/03/2026", "03/04/2026"}, false, false},
		"a tie":                             {[]string{"03/04/2026"}, false, true},
		"none fits either way":              {[]string{"06/07/2026"}, false, true},
		"the first order's day":             {[]string{"02/10/2026"}, true, false},
		"the day before it":                 {[]string{"02/09/2026"}, false, true},
		"the 45th day":                      {[]string{"05/10/2026"}, true, false},
		"the 46th day":                      {[]string{"05/11/2026"}, false, true},
		"a date that has one reading":       {[]string{"03/11/2026", "13/03/2026"}, false, false},
		"a date with the year first":        {[]string{"03/11/2026", "2026-03-01"}, false, false},
		"a month by its name":               {[]string{"03/11/2026", "1 Mar 2026"}, false, false},
		"a serial":                          {[]string{"03/11/2026", "46082"}, false, false},
		"two digits of a year, a time":      {[]string{"3/11/26 11:22", "3/4/26"}, true, false},
		"no date":                           {[]string{"", "-"}, false, false},
		"a date before 2000 is none":        {[]string{"03/11/2026", "1999-12-31", "0000-00-00", "31/12/1999"}, true, false},
	} {
		t.Run(name, func(t *testing.T) {
			var column domain.DateColumn
			for _, cell := range c.cells {
				_, _ = column.Read([]byte(cell))
			}
			turns, tie := column.Settle([]*domain.DateColumn{&column}, ordersOfMarch)
			require.Equal(t, []bool{c.turns, c.tie}, []bool{turns, tie})
			if turns {
				turns, tie = column.Settle([]*domain.DateColumn{&column}, ordersOfMarch)
				require.False(t, turns || tie, "a column is turned once")
			}
			day, _ := column.Read([]byte("03/11/2026"))
			want := domain.DayFromDate(2026, time.November, 3)
			if c.turns {
				want = domain.DayFromDate(2026, time.March, 11)
			}
			require.Equal(t, want, day)
		})
	}
}

// Another column of the file that can be read one way only decides, whatever the orders say.
func TestAColumnThatReadsBothWaysIsReadAsTheOthersAre(t *testing.T) {
	unasked := func() (_, _ domain.Day) {
		t.Fatal("the orders are not needed")
		return
	}
	of := func(cells ...string) *domain.DateColumn {
		c := new(domain.DateColumn)
		for _, cell := range cells {
			_, _ = c.Read([]byte(cell))
		}
		c.TurnMonthFirst()
		return c
	}
	both := of("05/03/2026")
	turns, tie := both.Settle([]*domain.DateColumn{both, of("13/02/2026")}, unasked)
	require.False(t, turns || tie)
	both = of("05/03/2026")
	turns, tie = both.Settle([]*domain.DateColumn{of("02/13/2026"), both}, unasked)
	require.True(t, turns)
	require.False(t, tie)

	turns, _ = of("03/11/2026").Settle([]*domain.DateColumn{of("13/02/2026"), of("02/13/2026"), of("14/02/2026")}, ordersOfMarch)
	require.True(t, turns, "where the others differ, the orders decide")
	both = of("03/11/2026")
	for _, other := range []*domain.DateColumn{of("2026-03-01"), of("04/04/2026"), of("")} {
		turns, _ = of("03/11/2026").Settle([]*domain.DateColumn{both, other}, ordersOfMarch)
		require.True(t, turns, "the other one says nothing of the order of day and month")
	}
	turns, tie = of("03/11/2026").Settle(nil, func() (_, _ domain.Day) { return domain.NoDay, domain.NoDay })
	require.False(t, turns || tie, "nobody knows the orders")
}

// Every cell counts once, however the column remembers it, and whatever it was read before.
func TestCellsThatAreCounted(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		date := rapid.Custom(func(t *rapid.T) string {
			text := fmt.Sprintf("%02d/%02d/%d", rapid.IntRange(1, 12).Draw(t, "first"), rapid.IntRange(1, 12).Draw(t, "second"), rapid.IntRange(2025, 2026).Draw(t, "year"))
			return text + rapid.SampledFrom([]string{"", "", " 11:30", " 10:00:00 +0530"}).Draw(t, "time")
		})
		var column domain.DateColumn
		for range rapid.IntRange(0, 20).Draw(t, "before") {
			_, _ = column.Read([]byte(date.Draw(t, "cell")))
		}
		column.Restart()
		first, latest := ordersOfMarch()
		within := func(year, month, day int) int {
			if d := domain.DayFromDate(year, time.Month(month), day); first <= d && d <= latest+45 {
				return 1
			}
			return 0
		}
		dayFirst, monthFirst := 0, 0
		for range rapid.IntRange(1, 400).Draw(t, "cells") {
			cell := date.Draw(t, "cell")
			_, _ = column.Read([]byte(cell))
			var a, b, year int
			_, err := fmt.Sscanf(cell, "%d/%d/%d", &a, &b, &year)
			require.NoError(t, err)
			dayFirst, monthFirst = dayFirst+within(year, b, a), monthFirst+within(year, a, b)
		}
		turns, _ := column.Settle(nil, ordersOfMarch)
		require.Equal(t, monthFirst > dayFirst, turns)
	})
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
	var orders verdict.Orders
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
	for n := 3; n <= verdict.MaxNamesakes; n++ {
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
