package verdict_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"milaan/domain"
	"milaan/domain/verdict"
)

// TestLongReports: of a long report two cores find the AWBs, also those in small letters, each its half.
func TestLongReports(t *testing.T) {
	const rows = 20_001
	orders, remittances := fresh()
	for i := range rows {
		o, _ := orders.FindOrAdd(fmt.Appendf(nil, "#S%d", 7*i))
		o.Total, o.HasTotal, o.CreatedOn = domain.Paise(i), true, asOf
		orders.Track(o, fmt.Appendf(nil, "AB%d", i))
		remittances.Add(verdict.Remittance{AWB: fmt.Appendf(nil, "ab%d", i), Remitted: domain.Paise(i)})
	}
	var r verdict.Reconciliation
	require.NoError(t, r.Decide(orders, remittances, domain.TermsFor(nil, 0, nil)))
	require.Equal(t, rows, r.Tally.Flags[domain.Reconciled])
	require.Zero(t, r.Tally.Unclaimed)
}

// TestHalvesFindTheSame: what two cores find in halves is what one finds.
func TestHalvesFindTheSame(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		reconcile := drawPair(t).reconcile
		if several := drawSeveral(t); rapid.Bool().Draw(t, "several reports") {
			reconcile = func() *verdict.Reconciliation { return several.reconcile(verdict.LineSum{}) }
		}
		whole := reconcile()
		defer verdict.UseAnotherCore()()
		inHalves := reconcile()
		require.Equal(t, foundBy(whole), foundBy(inHalves))
		require.Equal(t, whole.Warnings(), inHalves.Warnings())
		require.Equal(t, whole.ReportTotals(), inHalves.ReportTotals())
	})
}

func TestAtOnceAnswersForAPanic(t *testing.T) {
	ended := false
	require.PanicsWithValue(t, "other", func() {
		verdict.AtOnce(func() { ended = true }, 1, func(int) { panic("other") })
	})
	require.True(t, ended)
}
