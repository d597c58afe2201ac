package verdict_test

import (
	"fmt"
	"strings"
	"testing"

	"milaan/domain"
	"milaan/domain/verdict"
)

// BenchmarkAlikeLines is a report of one order with long lines that differ only at
// their ends, in letters beyond ASCII that have two cases.
func BenchmarkAlikeLines(b *testing.B) {
	const rows = 50_000
	for _, letter := range []string{"x", "ß"} {
		b.Run(letter, func(b *testing.B) {
			text := strings.Repeat(letter, 440/len(letter))
			var orders verdict.Orders
			var remittances verdict.Remittances
			orders.Reset()
			remittances.Reset()
			o, _ := orders.FindOrAdd([]byte("#1"))
			o.Total, o.HasTotal, o.CreatedOn = 1, true, asOf
			for i := range rows {
				remittances.Add(verdict.Remittance{AWB: fmt.Appendf(nil, "%s%d", text, i), OrderID: []byte("1"), Listed: 1, Collected: 1})
			}
			var r verdict.Reconciliation
			for b.Loop() {
				if err := r.Decide(&orders, &remittances, domain.TermsFor(nil, 0, nil)); err != nil {
					b.Fatal(err)
				}
				if len(r.Result(0).AWB) < rows {
					b.Fatal("too short")
				}
			}
		})
	}
}
