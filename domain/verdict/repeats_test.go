package verdict_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"milaan/domain"
)

// TestOfLinesAlikeTheLowerHasTheStatus tests section 1 on repeats: the later status
// and the latest delivery count. The order of the lines decides which status is the
// later one.
func TestOfLinesAlikeTheLowerHasTheStatus(t *testing.T) {
	rto := line{awb: "A1", id: "1001", collected: rupees(1000), delivered: days(20), status: "rto"}
	left := line{awb: "A1", id: "1001", collected: rupees(1000), delivered: days(30), status: "left"}
	between := line{awb: "A1", id: "1001", delivered: days(25), status: "left", utr: "x"}
	never := line{awb: "A1", id: "1001", collected: rupees(1000), delivered: days(30), status: "never left"}
	blank := line{awb: "A1", id: "1001", collected: rupees(1000), delivered: days(10)}
	for _, c := range []struct {
		name  string
		order order
		lines []line
		want  domain.Flag
		cause domain.Cause
	}{
		{"delivered, though the other is dated later", order{}, report(rto, left), domain.Overdue, domain.CauseListed},
		{"returned", order{}, report(left, rto), domain.RTOAnomaly, domain.CauseCourierCollected},
		{"the status has the latest delivery of the two", order{}, report(func() line { l := left; l.delivered = days(20); return l }(), func() line { l := rto; l.delivered = days(30); return l }(), between), domain.RTOAnomaly, domain.CauseCourierCollected},
		{"a lower line without a status says nothing", order{}, report(left, rto, blank), domain.RTOAnomaly, domain.CauseCourierCollected},
		{"it never left after all", order{cancelled: true}, report(left, never), domain.Reconciled, domain.CauseNeverLeft},
		{"it left after all", order{cancelled: true}, report(never, left), domain.Overdue, domain.CauseListed},
	} {
		r := reconcile(policyCase{order: c.order}, c.lines)
		require.Equal(t, c.want.String(), r.Result(0).Flag.String(), c.name)
		require.Equal(t, c.cause, r.Reason(0).Cause, c.name)
	}
}

// TestRepeatsThatCountAreNoRepeats: repeats that count after all are not in the
// warning.
func TestRepeatsThatCountAreNoRepeats(t *testing.T) {
	half := line{remitted: rupees(500), paid: days(12)}
	for _, w := range reconcile(policyCase{}, report(half, half)).Warnings() {
		require.NotEqual(t, domain.WarnRepeatedLines, w.Code)
	}
	codes := map[domain.WarningCode]domain.Warning{}
	for _, w := range reconcile(policyCase{}, report(half, half, half)).Warnings() {
		codes[w.Code] = w
	}
	require.Equal(t, domain.Warning{Code: domain.WarnRepeatedLines, Count: 2, Amount: rupees(1000), HasAmount: true}, codes[domain.WarnRepeatedLines])

	// A line with a rounded AWB and no order id shows no parcel, so it is no repeat.
	rounded := line{awb: "1.49026E+13", rounded: true, remitted: rupees(500), paid: days(12)}
	r := reconcile(policyCase{}, report(rounded, rounded))
	require.Equal(t, rupees(1000), r.Tally.UnclaimedPaid)
	require.Equal(t, 2, r.Tally.Unclaimed)
	var many []line
	for range 12 {
		many = append(many, rounded)
	}
	require.Equal(t, rupees(6000), reconcile(policyCase{}, many).Tally.UnclaimedPaid)

	// With an order id, even of one character, it may be one.
	p := pair{orders: []export{priced("#1", "", rupees(500))}}
	for range 2 {
		l := paidOn("1.49026E+13", "1", rupees(500))
		l.AWBRounded = true
		p.lines = append(p.lines, l)
	}
	require.Equal(t, []string{"RECONCILED"}, flagsOf(p.reconcile()))
}

// TestManyRepeatsInNoOrder finds repeats among many lines with texts of any length.
// They are the same as among few lines.
func TestManyRepeatsInNoOrder(t *testing.T) {
	small := "x" + strings.Repeat("𐐨", 300) // 1,201 bytes, in characters of four
	large := "X" + strings.Repeat("𐐀", 300)
	long := strings.Repeat("a", 5000)
	var p pair
	p.orders = []export{priced("#1", "", rupees(1000))}
	once := map[string]bool{}
	var want domain.Paise
	for i, kind := range []int{0, 0, 1, 1, 0, 2, 3, 1, 3, 2, 2, 4, 0, 4, 5, 5, 6, 4, 6, 6, 7, 8, 7, 8} {
		awb := []string{"A1", "A2", small, "A1", long + "1", long + "2", "B1", "7", "8"}[kind]
		if kind == 2 && i%2 == 0 {
			awb = large
		}
		l := paidOn(awb, "1", domain.Paise(kind*7+1))
		l.Stated, l.HasRemitted = l.Remitted, true
		l.UTR = []byte(strings.Repeat("u", 900))
		p.lines = append(p.lines, l)
		if key := fmt.Sprint(kind); !once[key] {
			once[key] = true
			want += l.Remitted
		}
	}
	r := p.reconcile()
	require.Equal(t, want, r.Result(0).Remitted)
	reason := r.Reason(0)
	require.Equal(t, 24-9, reason.Repeats)
	require.Equal(t, 8, reason.Parcels)
}
