package runs_test

import (
	"regexp"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"milaan/adapters/storefront"
	"milaan/adapters/table"
	"milaan/app/runs"
	"milaan/couriers"
	"milaan/domain"
	"milaan/domain/verdict"
	"milaan/tests/fakes/storage"
	"milaan/tests/only"
)

// realDemo is the demo on the real engine.
func realDemo(t *testing.T) *runs.Demo {
	t.Helper()
	tables := table.New()
	clock := func() time.Time { return time.Date(2026, time.October, 1, 9, 0, 0, 0, time.UTC) }
	engine := runs.NewReconciling(runs.ReconcilingParams{Storefronts: storefront.New(tables), Couriers: couriers.New(tables), Clock: clock})
	return runs.NewDemo(runs.DemoParams{Reconciling: engine, Windows: storage.New(t, domain.Account{}).Windows, Names: demoNames{}, Clock: clock})
}

// TestSampleHasEveryFlag holds the contract's section 1: February and March
// 2026, every flag but AWAITING_NEXT_CYCLE, most orders in order.
func TestSampleHasEveryFlag(t *testing.T) {
	t.Parallel()
	demo := realDemo(t)
	for range 2 {
		outcome := only.Value(demo.Demo(t.Context(), "192.0.2.7"))(t)
		tally, guidance := outcome.Tally, outcome.Guidance

		require.Equal(t, 156, tally.Orders)
		require.Equal(t, tally.Orders, outcome.Len())
		require.Greater(t, tally.StorefrontRows, tally.Orders, "some orders have several lines")
		require.Equal(t, domain.FlagCounts{
			domain.Missing: 5, domain.ShortPaid: 7, domain.Overdue: 6, domain.RTOAnomaly: 3,
			domain.MinorDiff: 5, domain.Overpaid: 2, domain.Reconciled: 128,
		}, tally.Flags)
		require.Zero(t, tally.Unclaimed)
		require.Equal(t, "₹32,491.25", tally.AtRisk.String())
		require.Equal(t, tally.Due-tally.Remitted, tally.Shortfall, "nothing waits, so every rupee is accounted for")
		require.True(t, guidance.CoverageComplete)
		require.Equal(t, domain.DayFromDate(2026, time.March, 17), guidance.BatchAsOf)
		require.Equal(t, domain.DayFromDate(2026, time.March, 31), guidance.DataThrough)

		byOrderID, nothingDue := 0, 0
		for i := range outcome.Len() {
			r := outcome.Result(i)
			if r.MatchMode == verdict.MatchOrderID && r.Remitted != 0 {
				byOrderID++
			}
			if r.Due == 0 {
				nothingDue++
			}
			if r.Flag == domain.Missing || r.Flag == domain.Overdue {
				require.Positive(t, r.DaysOverdue)
			}
		}
		require.Equal(t, 4, byOrderID, "some orders are known by their name only")
		require.Equal(t, 27, nothingDue, "prepaid, cancelled and returned orders")
		outcome.Release()
	}
}

// TestSampleIsAboutNobody looks for what could be a person's: an address that
// is not set aside for examples, and numbers shaped like an Indian mobile
// number or identity number.
func TestSampleIsAboutNobody(t *testing.T) {
	t.Parallel()
	previews := &demoPreviews{}
	demo := runs.NewDemo(runs.DemoParams{Reconciling: previews, Windows: nil, Names: demoNames{}, Clock: nil})
	outcome := only.Value(demo.Sample(t.Context()))(t)
	outcome.Release()

	phone := regexp.MustCompile(`(?:^|\D)[6-9]\d{9}(?:\D|$)`)
	identity := regexp.MustCompile(`(?:^|\D)[2-9]\d{3}[ -]?\d{4}[ -]?\d{4}(?:\D|$)|\b[A-Z]{5}\d{4}[A-Z]\b`)
	address := regexp.MustCompile(`@[A-Za-z0-9.-]+`)
	for _, text := range [][]byte{previews.requests[0].Storefront, previews.requests[0].Courier} {
		require.Empty(t, phone.FindAllString(string(text), -1))
		require.Empty(t, identity.FindAllString(string(text), -1))
		for _, host := range address.FindAllString(string(text), -1) {
			require.Equal(t, "@example.com", host)
		}
	}
}
