package cli

import (
	"fmt"
	"io"
	"path/filepath"
	"strconv"
	"strings"

	"milaan/domain"
	"milaan/ports"
)

// fewOrders is how many orders are listed whole without being asked for.
const fewOrders = 20

// writeReport writes a run for people: totals, how far the courier's file
// reaches, then the orders, flagged ones first and flag by flag.
func writeReport(w io.Writer, o *ports.Outcome, words ports.Wording, ordersPath, courierPath string, all bool) error {
	var b strings.Builder
	t := &o.Tally
	fmt.Fprintf(&b, "%s in %s against %s in %s\n\n", counted(t.Orders, "order"), printable(filepath.Base(shownPath(ordersPath))),
		counted(t.CourierRows, "line"), printable(filepath.Base(shownPath(courierPath))))
	if t.CourierRows == 0 {
		fmt.Fprintf(&b, "Warning: %s has a header and no lines below it; is it the whole report?\n\n", printable(filepath.Base(shownPath(courierPath))))
	}

	totals := newTable("", ">")
	totals.add("Due", t.Due.String())
	totals.add("Remitted", t.Remitted.String())
	totals.add("Shortfall", t.Shortfall.String())
	totals.add("At risk", t.AtRisk.String())
	totals.appendTo(&b, "")

	b.WriteByte('\n')
	flags := newTable("", ">", ">")
	sums := shortfalls(o.Reconciliation)
	for _, f := range domain.Flags() {
		if t.Flags[f] > 0 {
			flags.add(f.String(), strconv.Itoa(t.Flags[f]), sums[f].String())
		}
	}
	flags.appendTo(&b, "")

	b.WriteByte('\n')
	b.WriteString(guidance(&o.Guidance))
	if t.Unclaimed > 0 {
		fmt.Fprintf(&b, "No order of the export claims %s of the courier's file (%s remitted).\n", counted(t.Unclaimed, "line"), t.UnclaimedPaid)
	}
	b.WriteString("Columns read: " + columnsOf(o.Mapping) + ".\n")

	settled := t.Orders - t.Flags.Flagged()
	all = all || t.Orders <= fewOrders
	listing := list(o.Reconciliation, words, all)
	if len(listing.rows) > 0 {
		b.WriteByte('\n')
		listing.appendTo(&b, "")
	}
	if settled > 0 && !all {
		fmt.Fprintf(&b, "\n%s settled or not due yet; --all lists them too.\n", counted(settled, "more order"))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// guidance says in sentences what cycle_guidance says in fields.
func guidance(g *domain.Guidance) string {
	source := "Milaan's default"
	if g.OffsetSource == domain.OffsetExplicit {
		source = "as asked"
	}
	s := fmt.Sprintf("An order is overdue %s after delivery (%s)", counted(g.OffsetDays, "day"), source)
	if g.BatchAsOf != domain.NoDay {
		s += fmt.Sprintf(", as of %s, the latest order date", g.BatchAsOf)
	}
	s += ".\n"
	switch {
	case g.DataThrough == domain.NoDay:
		s += "The courier's file bears no date, so how far it reaches is not known.\n"
	case g.CoverageComplete:
		s += fmt.Sprintf("The courier's file reaches to %s and covers every order's window.\n", g.DataThrough)
	case g.BatchAsOf != domain.NoDay:
		s += fmt.Sprintf("The courier's file reaches to %s; one that reaches to %s will settle every order.\n",
			g.DataThrough, g.BatchAsOf+domain.Day(g.GuaranteedCoverageDays))
	}
	if g.AwaitingNextCycle > 0 {
		s += fmt.Sprintf("%s may still be paid in time: run again with the next remittance file.\n", counted(g.AwaitingNextCycle, "order"))
	}
	return s
}

// shortfalls adds up what each flag's orders lack.
func shortfalls(r *domain.Reconciliation) []domain.Paise {
	sums := make([]domain.Paise, len(domain.Flags()))
	for i := range r.Len() {
		result := r.Result(i)
		sums[result.Flag] += result.Shortfall
	}
	return sums
}

// columnsOf lists which column plays which role.
func columnsOf(m domain.Mapping) string {
	var read []string
	for _, role := range domain.Roles() {
		if m[role] != "" {
			read = append(read, role.String()+" = "+printable(m[role]))
		}
	}
	return strings.Join(read, ", ")
}

// list is the table of orders, in the export's order within each flag.
func list(r *domain.Reconciliation, words ports.Wording, all bool) *table {
	t := newTable("FLAG", "ORDER", "AWB", ">DUE", ">REMITTED", ">SHORTFALL", ">DAYS", "REASON")
	var reason []byte
	for _, f := range domain.Flags() {
		if f.Settled() && !all {
			continue
		}
		for i := range r.Len() {
			result := r.Result(i)
			if result.Flag != f {
				continue
			}
			days := ""
			if result.DaysOverdue > 0 {
				days = strconv.Itoa(result.DaysOverdue)
			}
			why := r.Reason(i)
			reason = words.AppendReason(reason[:0], &why)
			t.add(f.String(), string(result.OrderID), string(result.AWB), result.Due.String(), result.Remitted.String(),
				result.Shortfall.String(), days, string(reason))
		}
	}
	return t
}

// counted writes a number with its noun.
func counted(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return strconv.Itoa(n) + " " + noun + "s"
}
