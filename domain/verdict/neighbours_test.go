package verdict

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"milaan/domain"
)

// TestNeighboursAgreeWithThePlainWay compares the result with a simple program for
// the text of the decisions: of fewer than twenty orders one in five must be listed;
// else days are added on both sides until they have twenty orders, or all, and more than
// half of these must be listed, and of the nearest six others on each side as well.
func TestNeighboursAgreeWithThePlainWay(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	type order struct {
		day    domain.Day
		listed bool
	}
	within, outside := 0, 0
	for range 400 {
		span := []int{3, 20, 70, 400}[random.IntN(4)]
		var orders []order
		listedOne := 1 + random.IntN(8)
		for range 1 + random.IntN(90) {
			o := order{day: domain.Day(20_000 + random.IntN(span)), listed: random.IntN(listedOne) < 1+listedOne/3}
			if random.IntN(15) == 0 {
				o.day = domain.NoDay
			}
			orders = append(orders, o)
		}
		count := func(within func(domain.Day) bool) (concerned, listed int) {
			for _, o := range orders {
				if within(o.day) {
					concerned++
					if o.listed {
						listed++
					}
				}
			}
			return concerned, listed
		}
		side := func(day domain.Day, on func(domain.Day) bool) bool { // an unlisted order of the day aside
			for days := range domain.Day(1000) {
				concerned, listed := count(func(d domain.Day) bool { return d != domain.NoDay && on(d) && day-days <= d && d <= day+days })
				if concerned > 6 || days == 999 {
					return 2*listed > concerned-1 || concerned == 1
				}
			}
			return false
		}
		plain := func(day domain.Day) bool {
			if len(orders) < 20 {
				_, listed := count(func(domain.Day) bool { return true })
				return 5*listed >= len(orders)
			}
			for on := domain.Day(0); day != domain.NoDay && on < 1000; on++ {
				concerned, listed := count(func(d domain.Day) bool { return d != domain.NoDay && day-on <= d && d <= day+on })
				if concerned >= 20 {
					return 2*listed > concerned && side(day, func(d domain.Day) bool { return d <= day }) && side(day, func(d domain.Day) bool { return d >= day })
				}
			}
			concerned, listed := count(func(domain.Day) bool { return true })
			if day == domain.NoDay {
				return 2*listed > concerned
			}
			return 2*listed > concerned && side(day, func(d domain.Day) bool { return d <= day }) && side(day, func(d domain.Day) bool { return d >= day })
		}
		var n dayGroup
		n.reset()
		for _, o := range orders {
			n.marked.add(o.day)
		}
		n.makeRoom()
		for _, o := range orders {
			n.add(o.day, o.listed)
		}
		n.sum()
		for _, o := range orders {
			if o.listed {
				continue
			}
			want := plain(o.day)
			require.Equal(t, want, n.reported(o.day))
			require.Equal(t, want, n.reported(o.day), "asked again")
			if want {
				within++
			} else {
				outside++
			}
		}
	}
	require.Greater(t, min(within, outside), 1000, "both happen")
}

// TestWhatOrdersAreKnown tests what the readers of reports ask about the orders.
func TestWhatOrdersAreKnown(t *testing.T) {
	var o Orders
	o.Reset()
	for _, name := range []string{"#1", "#2"} {
		order, _ := o.FindOrAdd([]byte(name))
		require.True(t, o.Track(order, []byte("A"+name[1:])))
	}
	for known, at := range map[string]int{"1": 0, "2": 1, "1-C": 0, "2-c": 1} {
		require.Equal(t, at, o.Find([]byte(known)), known)
	}
	for _, unknown := range []string{"", "3", "3-C", "A1"} {
		require.Equal(t, -1, o.Find([]byte(unknown)), unknown)
	}
	require.True(t, o.HasAWB([]byte("A1")))
	require.True(t, o.HasAWB([]byte("a2")))
	require.False(t, o.HasAWB([]byte("1")))
	require.False(t, o.HasAWB(nil))
}
