package cli

import (
	"strings"

	"milaan/adapters/cli/terminal"
	"milaan/domain"
	"milaan/domain/verdict"
)

// writeOpenItems says how the open items have moved since the run whose ledger was given, and lists those that the
// export does not have.
func (r *report) writeOpenItems(b terminal.Writer) {
	if r.in.previous == "" {
		return
	}
	_ = b.WriteByte('\n')
	_, all := r.run.Movements()
	r.writeSentence(b, "", movementText(&all))
	var listed []int32
	for item := range r.run.OpenItems() {
		if item.Open && !item.Exported {
			listed = append(listed, int32(item.Order))
		}
	}
	if len(listed) > 0 {
		_ = b.WriteByte('\n')
		r.writeSentence(b, "", "Open, and not in "+fileName(r.in.orders)+":")
		r.list(listed).AppendTo(b)
	}
}

// movementText is the equation of a movement, and the sums beside it, without those of nothing.
func movementText(m *verdict.Movement) string {
	var s strings.Builder
	s.WriteString("Open items: " + m.Before.Amount.Exact() + " before")
	for _, part := range []struct {
		sign, word string
		amount     domain.Paise
	}{{" + ", "new", m.New.Amount}, {" + ", "changed", m.Changed.Amount}, {" - ", "partly paid", m.PartlyPaid.Amount},
		{" - ", "cleared", m.Cleared.Amount}, {" - ", "written off", m.WrittenOff.Amount}, {" + ", "reopened", m.Reopened.Amount}} {
		if part.amount != 0 {
			s.WriteString(part.sign + part.amount.Exact() + " " + part.word)
		}
	}
	s.WriteString(" = " + m.Now.Amount.Exact() + " now.")
	for _, beside := range []struct {
		word string
		sum  verdict.ItemSum
	}{{"awaited", m.Awaited}, {"overpaid", m.Overpaid}, {"recovered", m.Recovered}} {
		if beside.sum.Items > 0 {
			s.WriteString(" " + countOf(beside.sum.Items, "order") + " with " + beside.sum.Amount.Exact() + " " + beside.word + ".")
		}
	}
	return s.String()
}
