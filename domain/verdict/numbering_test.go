package verdict

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// TestNamesAreFoundHoweverTheyAreNumbered compares Orders with a plain map, for names that rise, fall, come again, have zeros before them
// or are no numbers, and looks for some of them in between.
func TestNamesAreFoundHoweverTheyAreNumbered(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var orders Orders
		orders.Reset()
		places := map[string]int{}
		next, step := 1000, rapid.SampledFrom([]int{-1, 1, 3}).Draw(t, "step")
		for range rapid.IntRange(1, 200).Draw(t, "orders") {
			name := fmt.Sprint("#", next)
			switch rapid.IntRange(0, 40).Draw(t, "kind") {
			case 0:
				name = fmt.Sprint(rapid.IntRange(990, 1010).Draw(t, "any number"))
			case 1:
				name = fmt.Sprint("0", next)
			case 2:
				name = fmt.Sprint("MH", next)
			case 3:
				name = fmt.Sprint("99999999999999999", next) // more than 19 digits, or 19 of them
			default:
				next += step
			}
			key := string(OrderKey([]byte(name)))
			place, known := places[key]
			if !known {
				place = len(places)
				places[key] = place
			}
			order, isNew := orders.FindOrAdd([]byte(name))
			require.Equal(t, !known, isNew, name)
			require.EqualValues(t, place, order.at, name)
			if rapid.IntRange(0, 20).Draw(t, "look") == 0 {
				require.Equal(t, -1, orders.Find([]byte("5")))
				require.Equal(t, place, orders.Find([]byte(key)), name)
			}
		}
		for key, place := range places {
			require.Equal(t, place, orders.Find([]byte(key)), key)
		}
	})
}
