package domain_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"milaan/domain"
)

func TestBillingCycles(t *testing.T) {
	for _, c := range []struct {
		name       string
		now        time.Time
		billingDay int
		start, end string
	}{
		{"the billing day itself", india(2026, 3, 10, 0, 0), 10, "2026-03-10", "2026-04-10"},
		{"the day before", india(2026, 3, 9, 23, 59), 10, "2026-02-10", "2026-03-10"},
		{"midnight is India's", time.Date(2026, 3, 9, 18, 30, 0, 0, time.UTC), 10, "2026-03-10", "2026-04-10"},
		{"a second before it", time.Date(2026, 3, 9, 18, 29, 59, 0, time.UTC), 10, "2026-02-10", "2026-03-10"},
		{"over the new year", india(2026, 1, 1, 12, 0), 15, "2025-12-15", "2026-01-15"},
		{"into the new year", india(2026, 12, 31, 12, 0), 31, "2026-12-31", "2027-01-31"},
		{"31 in February", india(2026, 2, 28, 0, 0), 31, "2026-02-28", "2026-03-31"},
		{"31 before February's last day", india(2026, 2, 27, 23, 59), 31, "2026-01-31", "2026-02-28"},
		{"31 in a leap year", india(2028, 2, 29, 0, 0), 31, "2028-02-29", "2028-03-31"},
		{"30 in a leap year, the 28th", india(2028, 2, 28, 12, 0), 30, "2028-01-30", "2028-02-29"},
		{"29 in a plain year", india(2026, 2, 28, 12, 0), 29, "2026-02-28", "2026-03-29"},
		{"29 in a leap year", india(2028, 2, 29, 12, 0), 29, "2028-02-29", "2028-03-29"},
		{"31 in April", india(2026, 4, 30, 0, 0), 31, "2026-04-30", "2026-05-31"},
		{"first of the month", india(2026, 2, 28, 23, 59), 1, "2026-02-01", "2026-03-01"},
		{"no leap day in 2100", india(2100, 2, 28, 0, 0), 31, "2100-02-28", "2100-03-31"},
	} {
		got := domain.BillingCycle(c.now, c.billingDay)
		require.Equal(t, c.start, got.Start.String(), c.name)
		require.Equal(t, c.end, got.End.String(), c.name)
	}
}

func TestBillingCyclesFollowOneAnother(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		day := rapid.IntRange(1, 31).Draw(t, "billing day")
		now := time.Unix(rapid.Int64Range(0, 4_102_444_800).Draw(t, "now"), rapid.Int64Range(0, 999_999_999).Draw(t, "nanoseconds"))
		c := domain.Account{BillingDay: day}.Cycle(now)

		require.False(t, now.Before(c.Start.Start()), "now is inside")
		require.True(t, now.Before(c.End.Start()), "now is inside")
		require.GreaterOrEqual(t, int(c.End-c.Start), 28)
		require.LessOrEqual(t, int(c.End-c.Start), 31)
		require.Equal(t, c, domain.BillingCycle(c.Start.Start(), day), "the first moment belongs to it")
		require.Equal(t, c, domain.BillingCycle(c.End.Start().Add(-1), day), "so does the last")
		require.Equal(t, c.End, domain.BillingCycle(c.End.Start(), day).Start, "the next one begins where it ends")
		require.Equal(t, c.Start, domain.BillingCycle(c.Start.Start().Add(-1), day).End, "the one before ends where it begins")

		y, m, d := c.Start.Date()
		require.Equal(t, min(day, time.Date(y, m+1, 0, 0, 0, 0, 0, time.UTC).Day()), d, "the last day of a shorter month stands in")
		require.Equal(t, time.Date(y, m, d, 0, 0, 0, 0, domain.Kolkata).Unix(), c.Start.Start().Unix(), "it begins at midnight in India")
	})
}

func india(year int, month time.Month, day, hour, minute int) time.Time {
	return time.Date(year, month, day, hour, minute, 0, 0, domain.Kolkata)
}

// TestDaysAreWrittenAsTimeWritesThem compares every day of the centuries that are
// read, and some days around them.
func TestDaysAreWrittenAsTimeWritesThem(t *testing.T) {
	for d := domain.DayFromDate(1599, 12, 1); d <= domain.DayFromDate(2401, 3, 1); d++ {
		want := ""
		if d != domain.NoDay {
			want = d.Start().Format(time.DateOnly)
		}
		if got := d.String(); got != want {
			require.Equal(t, want, got)
		}
	}
}

func TestADateIsEarlierThanNone(t *testing.T) {
	for _, c := range [][3]domain.Day{{3, 5, 3}, {5, 3, 3}, {domain.NoDay, 5, 5}, {5, domain.NoDay, 5}, {}} {
		require.Equal(t, c[2], c[0].Earlier(c[1]), c)
	}
}
