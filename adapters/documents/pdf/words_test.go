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

// TestOpenItems holds the paragraph of a run with a ledger.
func TestOpenItems(t *testing.T) {
	sum := func(n int, amount domain.Paise) verdict.ItemSum { return verdict.ItemSum{Items: n, Amount: amount} }
	all := verdict.Movement{Before: sum(12, 9000_00), Cleared: sum(9, 8000_00), New: sum(1, 500_50), Now: sum(4, 1500_50)}
	const said = "Open items, by the ledger of the run before: 12 orders open before (₹9,000.00), 9 orders cleared (₹8,000.00), 1 order new (₹500.50), 4 orders open now (₹1,500.50)."
	require.Equal(t, said, openItems(&all))
	all.WrittenOff, all.Promises = sum(1, 10_00), sum(2, 20_00)
	require.Equal(t, said+" 1 order written off (₹10.00). 2 orders promised until a day that has passed (₹20.00).", openItems(&all))
}
