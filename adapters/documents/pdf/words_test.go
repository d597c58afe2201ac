package pdf

import (
	"testing"

	"github.com/stretchr/testify/require"

	"milaan/adapters/documents/naming"
	"milaan/domain"
	"milaan/domain/verdict"
)

// TestMethod holds that the terms of a run are told.
func TestMethod(t *testing.T) {
	g := domain.Guidance{OffsetDays: 10, OffsetSource: domain.OffsetExplicit}
	require.Contains(t, method(&g, 0, false), "The courier has 10 days after delivery (as set for this run) to remit")
	require.Contains(t, method(&g, 0, false), "Every shortfall is flagged, every order has exactly one flag")
	require.Contains(t, method(&g, 5*domain.Rupee, true), "A shortfall of at most ₹5 is a small difference")
}

// TestCouriersOf holds that a run that names no courier has those of its reports.
func TestCouriersOf(t *testing.T) {
	r := findings{couriers: naming.Couriers{"dtdc": "DTDC"}}
	require.Equal(t, "DTDC, delhivery", r.couriersOf([]verdict.ReportTotals{{Courier: "dtdc"}, {}, {Courier: "delhivery"}, {Courier: "dtdc"}}))
	require.Empty(t, r.couriersOf(nil))
}
