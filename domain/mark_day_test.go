package domain_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"milaan/domain"
)

func TestDaysOfMarks(t *testing.T) {
	for year, good := range map[int]bool{26: false, 1999: false, 2000: true, 2026: true, 2100: true, 2101: false, 9999: false} {
		require.Equal(t, good, domain.GoodMarkDay(domain.DayFromDate(year, time.December, 31)), year)
	}
	require.True(t, domain.GoodMarkDay(domain.NoDay))
}
