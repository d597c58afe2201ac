package verdict_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"milaan/domain"
	"milaan/domain/verdict"
)

// A spreadsheet drops zeros before a number, on either side. The results show the AWB as the
// storefront has it.
func TestLeadingZerosOfAWBs(t *testing.T) {
	for _, c := range []struct{ exported, reported, shown string }{
		{"0012345678901", "12345678901", "0012345678901"},
		{"12345678901", "0012345678901", "12345678901"},
		{"0012345678901", "0012345678901", "0012345678901"},
		{"A1, 0012345678901", "12345678901", "A1, 0012345678901"},
		{"https://track.example/p/0012345678901", "12345678901", "0012345678901"},
	} {
		r := mustDecide(domain.Terms{OffsetDays: 7}, func(orders *verdict.Orders, lines *verdict.Remittances) {
			order, _ := orders.FindOrAdd([]byte("#1"))
			order.Total, order.HasTotal, order.CreatedOn = 1000, true, 20_000
			require.True(t, orders.Track(order, []byte(c.exported)))
			key, reliable := verdict.AWBKey([]byte(c.reported))
			require.True(t, reliable)
			lines.Add(verdict.Remittance{AWB: key, Listed: 1000, Collected: 1000, Remitted: 1000, RemittedOn: 20_005})
		})
		result := r.Result(0)
		require.Equal(t, domain.Reconciled, result.Flag, c.exported)
		require.Equal(t, verdict.MatchAWB, result.MatchMode, c.exported)
		require.Equal(t, c.shown, string(result.AWB), c.exported)
	}
}

// Zeros alone, and a link without a number, are no AWB.
func TestBlankAWBs(t *testing.T) {
	orders := new(verdict.Orders)
	orders.Reset()
	for _, cell := range []string{"0", "0000", "'00", "https://track.example/find"} {
		order, _ := orders.FindOrAdd([]byte(cell + "1"))
		require.True(t, orders.Track(order, []byte(cell)))
		require.Empty(t, orders.AWBs(nil, order), cell)
	}
}
