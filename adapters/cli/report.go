package cli

import (
	"bufio"
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

// report is a run for people: totals, what is doubtful of it, how far the
// courier's file reaches, then the orders, flagged ones first and flag by flag.
type report struct {
	run                     *ports.FinishedRun
	warnings                []domain.Warning
	words                   ports.Wording
	ordersPath, courierPath string
	all                     bool // settled orders too
	screen                  screen
}

// write writes the report. It holds none of it but what is being written.
func (r *report) write(w io.Writer) error {
	b := bufio.NewWriterSize(w, 64<<10)
	t := &r.run.Tally
	r.sentence(b, "", fmt.Sprintf("%s in %s against %s in %s", counted(t.Orders, "order"), fileName(r.ordersPath), counted(t.CourierRows, "line"), fileName(r.courierPath)))

	sums, awaiting, listed := r.sort()
	_ = b.WriteByte('\n')
	totals := newTable("", ">")
	totals.add("Due", t.Due.String())
	totals.add("Remitted", t.Remitted.String())
	totals.add("Awaiting", awaiting.String())
	totals.add("Shortfall", t.Shortfall.String())
	totals.add("At risk", t.AtRisk.String())
	totals.appendTo(b)
	r.sentence(b, "", tying(-sums[domain.Overpaid]))

	_ = b.WriteByte('\n')
	flags := newTable("", ">", ">")
	for _, f := range domain.Flags() {
		if t.Flags[f] > 0 {
			flags.add(f.String(), strconv.Itoa(t.Flags[f]), sums[f].String())
		}
	}
	flags.screen, flags.colours = r.screen, severity
	flags.appendTo(b)

	_ = b.WriteByte('\n')
	for i := range r.warnings {
		r.sentence(b, warningWord, warningText(r.words, &r.warnings[i]))
	}
	if len(r.warnings) > 0 {
		_ = b.WriteByte('\n')
	}
	for _, s := range guidance(&r.run.Guidance) {
		r.sentence(b, "", s)
	}
	r.sentence(b, "", "Columns read: "+columnsOf(r.run.Mapping)+".")

	if len(listed) > 0 {
		_ = b.WriteByte('\n')
		r.list(listed).appendTo(b)
	}
	if rest := t.Orders - len(listed); rest > 0 {
		_ = b.WriteByte('\n')
		r.sentence(b, "", counted(rest, "more order")+" settled or not due yet; --all lists them too.")
	}
	return b.Flush()
}

// tying says how the totals hang together, so that they can be checked. overpaid is
// what came too much.
func tying(overpaid domain.Paise) string {
	s := "Due = Remitted + Awaiting + Shortfall"
	if overpaid > 0 {
		s += "; At risk = Shortfall + " + overpaid.String() + " overpaid"
	}
	return s + "."
}

// warningWord begins every warning.
const warningWord = "Warning:"

func warningText(words ports.Wording, w *domain.Warning) string {
	return shown(string(words.AppendWarning(nil, w)))
}

// sentence writes a text of its own line, after a word that stands out. On a
// screen it is broken into lines between words.
func (r *report) sentence(b textWriter, word, text string) {
	if word != "" {
		text = word + " " + text
	}
	for rest := []byte(text); len(rest) > 0; word = "" {
		line := rest
		if rest = nil; r.screen.width > 0 {
			line, rest = cutLine(line, r.screen.width)
		}
		if after, found := strings.CutPrefix(string(line), word); found && word != "" {
			line = []byte(r.screen.painted(alarm, word) + after)
		}
		_, _ = b.Write(line)
		_ = b.WriteByte('\n')
	}
}

// fileName is what the report calls a file.
func fileName(path string) string { return shown(filepath.Base(shownPath(path))) }

// guidance says in sentences what cycle_guidance says in fields.
func guidance(g *domain.Guidance) (sentences []string) {
	source := "Milaan's default"
	if g.OffsetSource == domain.OffsetExplicit {
		source = "as asked"
	}
	overdue := fmt.Sprintf("An order is overdue %s after delivery (%s)", counted(g.OffsetDays, "day"), source)
	if g.BatchAsOf != domain.NoDay {
		overdue += fmt.Sprintf(", as of %s, the latest order date", g.BatchAsOf)
	}
	sentences = append(sentences, overdue+".")
	switch {
	case g.DataThrough == domain.NoDay:
		sentences = append(sentences, "The courier's file bears no date, so how far it reaches is not known.")
	case g.CoverageComplete:
		sentences = append(sentences, fmt.Sprintf("The courier's file reaches to %s, past every order's window.", g.DataThrough))
	case g.BatchAsOf != domain.NoDay:
		sentences = append(sentences, fmt.Sprintf("The courier's file reaches to %s; one that reaches to %s is past every order's window.",
			g.DataThrough, g.BatchAsOf+domain.Day(g.GuaranteedCoverageDays)))
	}
	if g.AwaitingNextCycle > 0 {
		sentences = append(sentences, counted(g.AwaitingNextCycle, "order")+" may still be paid in time: run again with the next remittance file.")
	}
	return sentences
}

// sort adds up what each flag's orders lack and what is awaited, and puts the places
// of the orders that are to be listed flag by flag, in the export's order within
// each.
func (r *report) sort() (sums []domain.Paise, awaiting domain.Paise, listed []int32) {
	t, flags := &r.run.Tally, domain.Flags()
	all := r.all || t.Orders <= fewOrders
	sums = make([]domain.Paise, len(flags))
	next, n := make([]int, len(flags)), 0 // by flag: where its next order goes
	for _, f := range flags {
		next[f] = n
		if all || f.IsFlagged() {
			n += t.Flags[f]
		}
	}
	listed = make([]int32, n)
	for i := range r.run.Len() {
		result := r.run.Result(i)
		sums[result.Flag] += result.Shortfall
		if result.Flag == domain.AwaitingNextCycle {
			awaiting += result.Due // it has no shortfall yet
		}
		if all || result.Flag.IsFlagged() {
			listed[next[result.Flag]] = int32(i)
			next[result.Flag]++
		}
	}
	return sums, awaiting, listed
}

// columnsOf lists which column plays which role.
func columnsOf(m domain.Mapping) string {
	var read []string
	for _, role := range domain.Roles() {
		if m[role] != "" {
			read = append(read, role.String()+" = "+shown(m[role]))
		}
	}
	return strings.Join(read, ", ")
}

// list is the table of orders. Its rows are made when they are looked at, in
// memory that the next one uses again.
func (r *report) list(listed []int32) *table {
	t := newTable("FLAG", "ORDER", "AWB", ">DUE", ">REMITTED", ">SHORTFALL", ">DAYS", "REASON")
	t.screen, t.colours = r.screen, severity
	t.rows = func(yield func([][]byte) bool) {
		var flag, due, remitted, shortfall, days, reason []byte
		var row [][]byte
		var why domain.Reason
		for _, i := range listed {
			why = r.run.Reason(int(i))
			reason = r.words.AppendReason(reason[:0], &why)
			result := r.run.Result(int(i))
			flag = append(flag[:0], result.Flag.String()...)
			due, remitted, shortfall = result.Due.AppendText(due[:0]), result.Remitted.AppendText(remitted[:0]), result.Shortfall.AppendText(shortfall[:0])
			if days = days[:0]; result.DaysOverdue > 0 {
				days = strconv.AppendInt(days, int64(result.DaysOverdue), 10)
			}
			if row = append(row[:0], flag, result.OrderID, result.AWB, due, remitted, shortfall, days, reason); !yield(row) {
				return
			}
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
