package domain_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"milaan/domain"
)

func TestDaysAreReadWithTheirFaults(t *testing.T) {
	var faults domain.Faults
	require.Equal(t, domain.DayFromDate(2026, time.August, 31), faults.ReadDay(domain.FieldFrom, "2026-08-31"))
	require.Equal(t, domain.NoDay, faults.ReadDay(domain.FieldFrom, ""))
	require.Empty(t, faults)
	for _, text := range []string{"2026-13-01", "2026-02-30", "31.08.2026", "9999999-01-01", " "} {
		var faults domain.Faults
		require.Equal(t, domain.NoDay, faults.ReadDay(domain.FieldTo, text))
		require.Equal(t, domain.Faults{{Field: domain.FieldTo, Rule: domain.RuleDay}}, faults, text)
	}
}
