package verdict_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"milaan/domain"
	"milaan/domain/verdict"
)

// TestHint tests section 4: the one unclaimed line that looks like an order's own.
func TestHint(t *testing.T) {
	long := "K" + strings.Repeat("-", 95) + "1001"
	order := priced("#1001", "SF38061", rupees(1000))
	for _, c := range []struct {
		name  string
		order export
		lines []verdict.Remittance
		hint  string
	}{
		{"the same digits in the id", order, []verdict.Remittance{paidOn("", "KURTI-1001", rupees(1000))}, "KURTI-1001"},
		{"the same digits in the AWB", order, []verdict.Remittance{paidOn("38061SF", "x", rupees(1000))}, "38061SF"},
		{"another amount", order, []verdict.Remittance{paidOn("", "KURTI-1001", rupees(999))}, ""},
		{"other digits", order, []verdict.Remittance{paidOn("", "KURTI-1002", rupees(1000))}, ""},
		{"two such lines", order, []verdict.Remittance{paidOn("", "KURTI-1001", rupees(1000)), paidOn("", "SHIRT-1001", rupees(1000))}, ""},
		{"one of its two amounts", order, []verdict.Remittance{{OrderID: []byte("KURTI-1001"), Listed: rupees(1020), Stated: rupees(1000), Remitted: rupees(1000), RemittedOn: ago(9)}}, "KURTI-1001"},
		{"both amounts of one line", order, []verdict.Remittance{{OrderID: []byte("KURTI-1001"), Listed: rupees(1000), Stated: rupees(1000), Remitted: rupees(1000), RemittedOn: ago(9)}}, "KURTI-1001"},
		{"the id alone of two", order, []verdict.Remittance{paidOn("ZX9", "KURTI-1001", rupees(1000))}, "KURTI-1001"},
		{"the AWB alone of two", order, []verdict.Remittance{paidOn("38061SF", "77", rupees(1000))}, "38061SF"},
		{"an id of one, AWB of other", order, []verdict.Remittance{paidOn("38061SF", "", rupees(1000)), paidOn("", "KURTI-1001", rupees(1000))}, ""},
		{"an order without an AWB", priced("#1001", "", rupees(1000)), []verdict.Remittance{paidOn("", "KURTI-1001", rupees(1000))}, "KURTI-1001"},
		{"two lines for an order without an AWB", priced("#1001", "", rupees(1000)), []verdict.Remittance{paidOn("", "KURTI-1001", rupees(1000)), paidOn("", "SHIRT-1001", rupees(1000))}, ""},
		{"a paisa", priced("#1001", "", 1), []verdict.Remittance{paidOn("", "KURTI-1001", 1)}, "KURTI-1001"},
		{"a suffix of another parcel", order, []verdict.Remittance{paidOn("", "1001-R1", rupees(1000))}, "1001-R1"},
		{"a number as suffix", order, []verdict.Remittance{paidOn("", "1001_1", rupees(1000))}, "1001_1"},
		{"an order of its own digits and a suffix", order, []verdict.Remittance{paidOn("", "KURTI-1001", rupees(1000)), paidOn("", "1001_1", rupees(1000))}, ""},
		{"no suffix, for it is too long", order, []verdict.Remittance{paidOn("", "1001-2026", rupees(1000))}, ""},
		{"the suffix of another order", order, []verdict.Remittance{paidOn("", "1002-R1", rupees(1000))}, ""},
		{"no digits at all", priced("#KURTA", "", rupees(1000)), []verdict.Remittance{paidOn("", "SHIRT", rupees(1000))}, ""},
		{"an id of 100 bytes", order, []verdict.Remittance{paidOn("", long, rupees(1000))}, long},
		{"an id of 101 bytes", order, []verdict.Remittance{paidOn("", long[:1]+"-"+long[1:], rupees(1000))}, ""},
		{"by AWB and id the same line", order, []verdict.Remittance{paidOn("38061SF", "KURTI-1001", rupees(1000))}, "38061SF"},
		{"by AWB one, by id another", order, []verdict.Remittance{paidOn("38061SF", "x", rupees(1000)), paidOn("", "KURTI-1001", rupees(1000))}, ""},
		{"by AWB several, by id one", order, []verdict.Remittance{paidOn("38061SF", "x", rupees(1000)), paidOn("38061FS", "y", rupees(1000)), paidOn("", "KURTI-1001", rupees(1000))}, ""},
		{"the second of two AWBs", priced("#1001", "SF38061, SF38062", rupees(1000)), []verdict.Remittance{paidOn("38062SF", "x", rupees(1000))}, "38062SF"},
		{"one of each AWB", priced("#1001", "SF38061, SF38062", rupees(1000)), []verdict.Remittance{paidOn("38061SF", "x", rupees(1000)), paidOn("38062SF", "x", rupees(1000))}, ""},
		{"an AWB of one character", priced("#1001", "SF-7", rupees(1000)), []verdict.Remittance{paidOn("7", "KURTI-1001", rupees(1000))}, "7"},
		{"an AWB's digits are no id's", priced("#38061", "", rupees(1000)), []verdict.Remittance{paidOn("38061SF", "x", rupees(1000))}, ""},
		{"the same line twice is one", order, []verdict.Remittance{paidOn("38061SF", "x", rupees(1000)), paidOn("38061SF", "x", rupees(1000))}, "38061SF"},
		{"a rounded AWB is none", order, []verdict.Remittance{{AWB: []byte("38061"), AWBRounded: true, Listed: rupees(1000), RemittedOn: ago(9)}}, ""},
	} {
		reason := pair{orders: []export{c.order}, lines: c.lines}.reconcile().Reason(0)
		require.Equal(t, c.hint, string(reason.HintID), c.name)
		require.Equal(t, c.hint != "", reason.Notes.Has(domain.NoteHint), c.name)
		if c.hint != "" {
			require.Equal(t, c.order.Total, reason.HintAmount, c.name)
		}
	}
	// An order that is not flagged, or is listed, has no hint.
	waiting := order
	waiting.CreatedOn = asOf
	r := pair{orders: []export{waiting, priced("#2", "", rupees(1000))}, lines: []verdict.Remittance{paidOn("", "KURTI-1001", rupees(1000)), paidOn("", "2", 5), paidOn("", "X-2", rupees(1000))}}.reconcile()
	require.Equal(t, []string{"AWAITING_NEXT_CYCLE", "SHORT_PAID"}, flagsOf(r))
	require.False(t, r.Reason(0).Notes.Has(domain.NoteHint))
	require.False(t, r.Reason(1).Notes.Has(domain.NoteHint))
}
