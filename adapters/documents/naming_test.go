package documents_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"milaan/adapters/documents/naming"
	"milaan/domain"
	"milaan/domain/bank"
	"milaan/domain/verdict"
)

// TestGuidance holds what is said about how far one report or several reach.
func TestGuidance(t *testing.T) {
	day := func(n int) domain.Day { return domain.DayFromDate(2026, 3, n) }
	g := domain.Guidance{BatchAsOf: day(9), DataThrough: day(18), GuaranteedCoverageDays: 14, AwaitingNextCycle: 1}
	require.Equal(t, []string{
		"All days overdue are counted up to 9 Mar 2026, the latest order date.",
		"The courier's report reaches to 18 Mar 2026; one that reaches to 23 Mar 2026 is past every order's window.",
		"1 order may still be paid in time: reconcile again with the next report.",
	}, naming.Guidance(&g, false))
	require.Equal(t, "The reports of all couriers reach to 18 Mar 2026; once they reach to 23 Mar 2026, they are past every order's window.", naming.Guidance(&g, true)[1])
	g.CoverageComplete = true
	require.Equal(t, "The courier's report reaches to 18 Mar 2026, past every order's window.", naming.Guidance(&g, false)[1])
	require.Equal(t, "The reports of all couriers reach to 18 Mar 2026, past every order's window.", naming.Guidance(&g, true)[1])
	g.CoverageComplete, g.Behind = false, domain.Behind{Report: 2}
	require.Equal(t, "The reports of all couriers reach to 18 Mar 2026, and most behind is the courier of report 2; once they reach to 23 Mar 2026, they are past every order's window.", naming.Guidance(&g, true)[1])
	require.Equal(t, "The courier of report 2 is not known, so this report counts by itself: if others are of the same courier, name it for each of them.", naming.Guidance(&g, true)[2])
	g = domain.Guidance{AwaitingNextCycle: 12_345}
	require.Equal(t, []string{
		"The courier's report has no date, so how far it reaches is not known.",
		"12,345 orders may still be paid in time: reconcile again with the next report.",
	}, naming.Guidance(&g, false))
	require.Equal(t, "The reports of one courier have no date, so how far those of all couriers reach is not known.", naming.Guidance(&g, true)[0])
}

// TestStatement holds what is said of payouts and a bank statement.
func TestStatement(t *testing.T) {
	payout := func(paid domain.Paise, state bank.CreditState, absence bank.Absence) bank.CreditedPayout {
		return bank.CreditedPayout{Payout: verdict.Payout{Paid: paid}, State: state, Absence: absence}
	}
	f := bank.Findings{Payouts: []bank.CreditedPayout{
		payout(100_00, bank.CreditEqual, 0), payout(50_00, bank.CreditEqual, 0), payout(7_50, bank.CreditDiffers, 0),
		payout(2_50, bank.CreditDiffers, 0), payout(30_00, bank.CreditMissing, bank.AbsenceUndated), payout(0, bank.CreditMissing, bank.AbsenceNothingPaid),
		payout(10_00, bank.CreditMissing, 0), payout(20_00, bank.CreditMissing, bank.AbsenceOutside),
		payout(40_00, bank.CreditReversed, 0),
	}, Others: []bank.StatementLine{{Amount: 75_00}}}
	for _, i := range []int{2, 3} { // two payouts of one credit
		f.Payouts[i].Credits, f.Payouts[i].Received = []bank.StatementLine{{Line: 4, Amount: 9_00}}, 9_00
	}
	f.Earlier = []bank.CreditedPayout{payout(1_00, bank.CreditEqual, 0), payout(1_01, bank.CreditEqual, 0)}
	for i := range f.Earlier {
		f.Earlier[i].Credits, f.Earlier[i].Received, f.Earlier[i].Together = []bank.StatementLine{{Line: 5, Amount: 2_01}}, 2_01, 2
	}
	require.Equal(t, []string{
		"Credited: 2 payouts of ₹150.",
		"Credited with another amount: 2 payouts of ₹10, for which ₹9 came in.",
		"Reversed: 1 payout of ₹40; the bank returned the money, so it was not received.",
		"Not in the statement: 3 payouts of ₹60; the statement does not cover the days of 1 of these; the reports have no date for 1 of these.",
		"Nothing was paid out: 1 payout.",
		"Payouts of earlier runs: 2 payouts, for which ₹2.01 came in.",
		"1 credit of ₹75 that names a courier and belongs to no payout.",
	}, naming.Statement(&f))
	one := bank.Findings{Payouts: f.Payouts[7:8]}
	require.Contains(t, naming.Statement(&one)[0], "1 payout of ", "one is no these")
	require.Contains(t, naming.Statement(&one)[0], "; the statement does not cover its days.")
	require.Equal(t, "Not in the statement", naming.Credit(&f.Payouts[6]))
	require.Equal(t, "Not in the statement, which does not cover its days", naming.Credit(&f.Payouts[7]))
	require.Equal(t, "Reversed: the bank returned the money", naming.Credit(&f.Payouts[8]))
	require.Empty(t, naming.Statement(new(bank.Findings)))
}
