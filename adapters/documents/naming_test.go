package documents_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"milaan/adapters/documents/naming"
	"milaan/domain"
	"milaan/domain/bank"
	"milaan/domain/verdict"
)

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
		"1 credit of ₹75 that names a courier and belongs to no payout: ask for the report that lists it.",
	}, naming.Statement(&f))
	one := bank.Findings{Payouts: f.Payouts[7:8]}
	require.Contains(t, naming.Statement(&one)[0], "1 payout of ", "one is no these")
	require.Contains(t, naming.Statement(&one)[0], "; the statement does not cover its days.")
	require.Equal(t, "Not in the statement", naming.Credit(&f.Payouts[6]))
	require.Equal(t, "Not in the statement, which does not cover its days", naming.Credit(&f.Payouts[7]))
	require.Equal(t, "Reversed: the bank returned the money", naming.Credit(&f.Payouts[8]))
	require.Empty(t, naming.Statement(new(bank.Findings)))
}
