//go:build !race

// With the race detector, the first large run of a service allocates more than the
// bound, each time by as much.

package bench_test

import (
	"fmt"
	"strings"
	"testing"

	"milaan/tests/service"
)

// TestFoundBodies sends bodies that TestHostileBodies has found, each to a service of
// its own, whose first large run makes the memory that later ones use again.
func TestFoundBodies(t *testing.T) {
	const report = "AWB No,COD Amount,Remittance Date,UTR\n"
	for _, c := range []struct {
		field, head, unit string
		size              int
	}{
		{"shopify", strings.Repeat("AWB,", 1990), "a\n\"", 100 << 10},
		{"shopify", service.OneOrder, ";|\xa0\x82\xa0\xb9", 1 << 20},
		{"courier", "Name,Total,Created at," + strings.Repeat("AWB,", 1990) + "\n", "\xac\x9e", 1 << 20},
		{"shopify", service.OneOrder, "\xac\x9e", 1 << 20},
		{"courier", report, "\n1", 1 << 20},
		{"courier", report, "1,1\n", 1 << 20},
		{"shopify", report, ";,\n'1", 1 << 20},
		{"both", report, "\n1", 1 << 20},
		{"both", report, ",\n\n\xc21\"", 1 << 20},
		{"both", report, "A1,5,2026-01-01\n", 1 << 20},
	} {
		startHostile(t).demand(t, fmt.Sprintf("%q in %s", c.unit, c.field), longFields[c.field](full(c.head, c.unit, c.size)))
	}
}
