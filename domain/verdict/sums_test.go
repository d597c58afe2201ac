package verdict

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"milaan/domain"
)

// largest is the largest amount of one cell.
const largest = domain.MaxRupees * 100

func TestSumsOfLargeFilesDoNotOverflow(t *testing.T) {
	var orders Orders
	var lines Remittances
	orders.Reset()
	check := func(total, outstanding, collected, remitted domain.Paise) error {
		orders.Reset()
		lines.Reset()
		for i, name := range []string{"1", "2"} {
			o, _ := orders.FindOrAdd([]byte(name))
			lines.Add(Remittance{AWB: []byte(name)})
			if i == 1 {
				o.Total, o.Outstanding = total, outstanding
				lines.At(i).Collected, lines.At(i).Remitted = collected, remitted
			}
		}
		orders.Rows, lines.Rows = 2, domain.MaxRows+1
		return CheckSums(&orders, &lines)
	}
	require.NoError(t, check(largest, largest, largest, -largest))
	require.NoError(t, check(mostMoney, 0, 0, -mostMoney))
	require.NoError(t, check(0, -mostMoney, mostMoney, 0))
	tooMuch := func(f domain.File) error {
		return &domain.FileError{File: f, Rule: domain.RuleSums, Limit: 11529215046068469}
	}
	require.Equal(t, tooMuch(domain.StorefrontFile), check(mostMoney, 1, 0, 0))
	require.Equal(t, tooMuch(domain.StorefrontFile), check(-mostMoney-1, 0, 0, 0))
	require.Equal(t, tooMuch(domain.CourierFile), check(0, 0, mostMoney, -1))
	require.Equal(t, tooMuch(domain.CourierFile), check(0, 0, 0, -mostMoney-1))
}

// TestFilesWithinTheContractNeedNoSums holds that the check may be left out for
// them, whatever their cells are.
func TestFilesWithinTheContractNeedNoSums(t *testing.T) {
	const amounts = 4 // of a row
	require.Less(t, float64(domain.MaxRows*amounts)*largest, float64(mostMoney))
	require.Less(t, float64(mostMoney)+amounts*largest, math.Exp2(63))
}
