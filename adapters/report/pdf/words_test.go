package pdf

import (
	"testing"

	"github.com/stretchr/testify/require"

	"milaan/domain"
)

// TestGuidance holds what is said about how far one report or several reach.
func TestGuidance(t *testing.T) {
	day := func(n int) domain.Day { return domain.DayFromDate(2026, 3, n) }
	g := domain.Guidance{BatchAsOf: day(9), DataThrough: day(18), GuaranteedCoverageDays: 14, AwaitingNextCycle: 1}
	require.Equal(t, []string{
		"All days overdue are counted up to 9 Mar 2026, the latest order date.",
		"The courier's report reaches to 18 Mar 2026; one that reaches to 23 Mar 2026 is past every order's window.",
		"1 order may still be paid in time: reconcile again with the next report.",
	}, guidance(&g, false))
	require.Equal(t, "The reports of all couriers reach to 18 Mar 2026; once they reach to 23 Mar 2026, they are past every order's window.", guidance(&g, true)[1])
	g.CoverageComplete = true
	require.Equal(t, "The courier's report reaches to 18 Mar 2026, past every order's window.", guidance(&g, false)[1])
	require.Equal(t, "The reports of all couriers reach to 18 Mar 2026, past every order's window.", guidance(&g, true)[1])
	g = domain.Guidance{AwaitingNextCycle: 12_345}
	require.Equal(t, []string{
		"The courier's report has no date, so how far it reaches is not known.",
		"12,345 orders may still be paid in time: reconcile again with the next report.",
	}, guidance(&g, false))
	require.Equal(t, "The reports of one courier have no date, so how far those of all couriers reach is not known.", guidance(&g, true)[0])
}

// TestMethod holds that the terms of a run are told.
func TestMethod(t *testing.T) {
	g := domain.Guidance{OffsetDays: 10, OffsetSource: domain.OffsetExplicit}
	require.Contains(t, method(&g, 0), "The courier has 10 days after delivery (as set for this run) to remit")
	require.Contains(t, method(&g, 0), "Every shortfall is flagged, every order has exactly one flag")
	require.Contains(t, method(&g, 5*domain.Rupee), "A shortfall of at most ₹5 is a minor difference")
}

// TestCouriersOf holds that a run that names no courier has those of its reports.
func TestCouriersOf(t *testing.T) {
	require.Equal(t, "dtdc, delhivery", couriersOf([]domain.ReportTotals{{Courier: "dtdc"}, {}, {Courier: "delhivery"}, {Courier: "dtdc"}}))
	require.Empty(t, couriersOf(nil))
}
