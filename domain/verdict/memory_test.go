package verdict

import (
	"fmt"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"milaan/domain"
	"milaan/tests/garbage"
)

func TestMain(m *testing.M) { garbage.Waits(m) }

// allocated is how many bytes do allocates on the heap, even if they are free
// again.
func allocated(do func()) int {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	do()
	runtime.ReadMemStats(&after)
	return int(after.TotalAlloc - before.TotalAlloc)
}

// unclaimedLines are lines that no order claims.
func unclaimedLines(n int, rounded bool) *Remittances {
	var lines Remittances
	lines.Reset()
	for i := range n {
		line := Remittance{AWB: fmt.Appendf(nil, "77%014d", i), OrderID: fmt.Appendf(nil, "X-55%060d", i), Listed: domain.Rupee, Stated: 2 * domain.Rupee, Remitted: domain.Rupee}
		if rounded {
			line = Remittance{AWB: fmt.Appendf(nil, "1.%013dE+16", i), AWBRounded: true, Remitted: domain.Rupee}
		}
		lines.Add(line)
	}
	return &lines
}

// TestWhatIsNotedOfUnclaimedLines limits this memory, because a run is charged only
// for its rows and texts.
func TestWhatIsNotedOfUnclaimedLines(t *testing.T) {
	const n = 20_000
	var orders Orders
	orders.Reset()
	o, _ := orders.FindOrAdd([]byte("#1"))
	o.Total, o.HasTotal, o.CreatedOn = domain.Rupee, true, 20_000
	t.Run("hints", func(t *testing.T) {
		lines := unclaimedLines(n, false)
		lines.Add(Remittance{AWB: []byte("x"), Remitted: 1, RemittedOn: 20_400})
		var r Reconciliation
		require.NoError(t, r.Decide(&orders, lines, domain.TermsFor(nil, 0, nil)))
		r.Reason(0)
		require.True(t, r.hints.ready)
		require.Less(t, cap(r.hints.looks), 4*n+n/20, "room for four of each line, made once") // the race detector has append allocate twice
	})
	t.Run("rounded", func(t *testing.T) {
		lines := unclaimedLines(n, true)
		var r roundedLines
		require.Less(t, allocated(func() {
			r.reset()
			for i := range lines.list {
				r.add(&lines.list[i])
			}
			r.fitsRounded([]byte("1.5E+16"))
		}), 100*n)
	})
}

// TestWarningsOfManyRowsTakeLittle has thousands of AWBs that are the same example,
// as written or as shown.
func TestWarningsOfManyRowsTakeLittle(t *testing.T) {
	for what, awb := range map[string]string{"alike": "1.49026E+13%.0s", "alike as shown": "1.49026E+13" + strings.Repeat(" ", 300) + "%s"} {
		allocs := func(n int) float64 {
			var orders Orders
			orders.Reset()
			var lines Remittances
			lines.Reset()
			for i := range n {
				o, _ := orders.FindOrAdd(fmt.Append(nil, i))
				orders.Track(o, fmt.Appendf(nil, awb, strconv.Itoa(i)))
				lines.Add(Remittance{AWB: fmt.Appendf(nil, awb, strconv.Itoa(i)), AWBRounded: true, OrderID: fmt.Append(nil, i)})
			}
			var r Reconciliation
			require.NoError(t, r.Decide(&orders, &lines, domain.TermsFor(nil, 0, nil)))
			require.NotEmpty(t, r.Warnings())
			return testing.AllocsPerRun(5, func() { r.Warnings() })
		}
		require.Less(t, allocs(5000), allocs(50)+20, what)
	}
}

// TestMemoryBesideTexts: a run is charged for AWBs beyond one per order, and for
// statuses, because a file with few rows may have very many.
func TestMemoryBesideTexts(t *testing.T) {
	var orders Orders
	orders.Reset()
	o, _ := orders.FindOrAdd([]byte("#1"))
	before := orders.UsedTexts()
	for i := range MaxAWBs {
		require.True(t, orders.Track(o, fmt.Append(nil, "A", i)))
	}
	require.GreaterOrEqual(t, orders.UsedTexts()-before, 80*(MaxAWBs-1))
	var lines Remittances
	lines.Reset()
	before = lines.UsedTexts()
	for i := range 2000 {
		lines.AddStatus(fmt.Append(nil, "word ", i))
	}
	require.GreaterOrEqual(t, lines.UsedTexts()-before, arenaBlock+60*2000)
}

// TestLargeTextsGo: a workspace that is kept for the next run does not keep a large
// cell.
func TestLargeTextsGo(t *testing.T) {
	const large = 2 * largeText
	name := []byte("a" + strings.Repeat("1", large))
	var orders Orders
	var lines Remittances
	var r Reconciliation
	for range 2 {
		orders.Reset()
		lines.Reset()
		o, _ := orders.FindOrAdd(name)
		o.CreatedOn = 20_000
		for i := range 2 * large / 5000 { // more than an AWB may have
			lines.Add(Remittance{AWB: fmt.Append(nil, "a", i, name), UTR: name})
			lines.list[i].OrderID = o.Name
		}
		require.NoError(t, r.Decide(&orders, &lines, domain.TermsFor(nil, 0, nil)))
		require.Greater(t, len(r.Result(0).AWB), 2*large)
	}
	orders.Reset()
	lines.Reset()
	r.Reset()
	require.LessOrEqual(t, cap(orders.list[:1][0].Name), largeText)
	require.LessOrEqual(t, cap(lines.list[:1][0].AWB), largeText)
	require.LessOrEqual(t, cap(orders.names.fold), largeText)
	require.LessOrEqual(t, cap(r.scratch.awb), largeText)
	require.LessOrEqual(t, cap(r.scratch.awbs[:cap(r.scratch.awbs)][0]), largeText)
}

// TestOwnStatusesGo: nor does it keep the export's words for a status, or those of a ledger.
func TestOwnStatusesGo(t *testing.T) {
	for _, mark := range []func(*Orders){func(o *Orders) { o.OwnStatuses = true }, func(o *Orders) { o.remembers = true }} {
		var orders Orders
		orders.Reset()
		o, _ := orders.FindOrAdd([]byte("#1"))
		o.FulfilmentText = "packed by asha"
		mark(&orders)
		orders.Reset()
		require.Empty(t, orders.list[:1][0].FulfilmentText)
		require.False(t, orders.OwnStatuses)
	}
}

// TestALongNameIsFoldedIntoMemoryMadeOnce has a name beyond ASCII, which is compared
// in the form that its spellings share: that takes as much memory as the name, beside
// the copy that is kept of it.
func TestALongNameIsFoldedIntoMemoryMadeOnce(t *testing.T) {
	name := []byte(strings.Repeat("\ufffd", 1<<20))
	var orders Orders
	orders.Reset()
	require.Less(t, allocated(func() { orders.FindOrAdd(name) }), 5*len(name)/2)
}

// TestTokensOfLargeFiles takes three AWBs for each order of an export beyond the
// contract's limit, and no more than MaxTokens of few orders.
func TestTokensOfLargeFiles(t *testing.T) {
	var orders Orders
	track := func(n, each int) (refused int) {
		orders.Reset()
		for i := range n {
			o, _ := orders.FindOrAdd([]byte(strconv.Itoa(i)))
			var cell strings.Builder
			for k := range each {
				cell.WriteString(strconv.Itoa(each*i+k) + " ")
			}
			if !orders.Track(o, []byte(cell.String())) {
				refused++
			}
		}
		return refused
	}
	require.Zero(t, track(domain.MaxRows+20_000, 3))
	require.Zero(t, track(MaxTokens/MaxAWBs, MaxAWBs))
	require.Equal(t, 7, track(MaxTokens/MaxAWBs+7, MaxAWBs))
}
