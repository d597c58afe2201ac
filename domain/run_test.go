package domain_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"milaan/domain"
)

func TestDifferenceOfTallies(t *testing.T) {
	former := domain.Tally{StorefrontRows: 9, CourierRows: 8, Orders: 7, Due: 600, Remitted: 500, Shortfall: 100, AtRisk: 90, Unclaimed: 3, UnclaimedPaid: 40,
		Flags: domain.FlagCounts{domain.Missing: 1, domain.Reconciled: 6}}
	later := domain.Tally{StorefrontRows: 19, CourierRows: 7, Orders: 7, Due: 610, Remitted: 610, Unclaimed: 1, UnclaimedPaid: 10,
		Flags: domain.FlagCounts{domain.Reconciled: 7}}
	change := later.Minus(former)
	require.Equal(t, domain.Tally{StorefrontRows: 10, CourierRows: -1, Due: 10, Remitted: 110, Shortfall: -100, AtRisk: -90, Unclaimed: -2, UnclaimedPaid: -30,
		Flags: domain.FlagCounts{domain.Missing: -1, domain.Reconciled: 1}}, change)
	require.Equal(t, -1, change.Flags.Flagged())
	require.Zero(t, later.Minus(later))
}

func TestCouriersOfARun(t *testing.T) {
	require.Empty(t, domain.Run{}.Couriers())
	require.Equal(t, []string{"delhivery"}, domain.Run{CourierName: "delhivery"}.Couriers())
	require.Equal(t, []string{"delhivery", "xpressbees"}, domain.Run{CourierName: "delhivery+xpressbees"}.Couriers())
}
