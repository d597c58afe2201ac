package cli

import (
	"bufio"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"milaan/adapters/cli/terminal"
	"milaan/adapters/wording"
	"milaan/domain"
	"milaan/domain/verdict"
	"milaan/ports"
	"milaan/ports/peers"
)

// fewOrders is up to how many orders are all listed without --all.
const fewOrders = 20

// report prints a run for people: totals, warnings, how far the reports reach, then the
// orders, flagged ones first and flag by flag, and what was asked for besides.
type report struct {
	run       *ports.FinishedRun
	in        *inputs
	warnings  []domain.Warning
	words     peers.Wording
	all       bool // orders that are not flagged too
	payouts   bool
	unclaimed bool
	screen    terminal.Screen
}

// flagColours has the colour of each flag: red for money to claim, yellow for orders to
// look into, purple for money paid too much, green and cyan where nothing is to be done.
var flagColours = map[string]string{
	domain.Missing.String(): terminal.Red, domain.ShortPaid.String(): terminal.Red, domain.RTOAnomaly.String(): terminal.Red,
	domain.Overdue.String(): terminal.Yellow, domain.Overpaid.String(): terminal.Purple,
	domain.MinorDiff.String(): terminal.Cyan, domain.AwaitingNextCycle.String(): terminal.Cyan, domain.Reconciled.String(): terminal.Green,
}

// write writes the report. It never holds the whole text in memory.
func (r *report) write(w io.Writer) error {
	b := bufio.NewWriterSize(w, 64<<10)
	t, reports := &r.run.Tally, r.run.ReportTotals()
	r.writeSentence(b, "", fmt.Sprintf("%s in %s against %s in %s", countOf(t.Orders, "order"), fileName(r.in.orders),
		countOf(verdict.LinesOf(reports), "line"), r.in.reportsText()))

	var awaiting, overpaid domain.Paise
	flags := terminal.NewTable("", ">", ">")
	for _, of := range r.run.FlagTotals() {
		flags.Add(of.Flag.String(), strconv.Itoa(of.Orders), of.Shortfall.Exact())
		switch of.Flag {
		case domain.AwaitingNextCycle:
			awaiting = of.Due // it has no shortfall yet
		case domain.Overpaid:
			overpaid = -of.Shortfall
		}
	}
	_ = b.WriteByte('\n')
	totals := terminal.NewTable("", ">")
	totals.Add("Due", t.Due.Exact())
	totals.Add("Remitted", t.Remitted.Exact())
	totals.Add("Awaiting", awaiting.Exact())
	totals.Add("Shortfall", t.Shortfall.Exact())
	if r.run.Accepts() {
		totals.Add(wording.AcceptedCharges, r.run.Accepted.Exact())
	}
	totals.Add("At risk", t.AtRisk.Exact())
	totals.AppendTo(b)
	r.writeSentence(b, "", wording.Totals(r.run.Accepts(), overpaid))

	_ = b.WriteByte('\n')
	flags.Screen, flags.Colours = r.screen, flagColours
	flags.AppendTo(b)

	_ = b.WriteByte('\n')
	for i := range r.warnings {
		r.writeSentence(b, warningWord, r.warningText(i))
	}
	if len(r.warnings) > 0 {
		_ = b.WriteByte('\n')
	}
	for _, s := range r.words.Guidance(&r.run.Guidance, len(r.in.reports), tableNames{r.in.names(), r.in.shortNames()}) {
		r.writeSentence(b, "", s)
	}
	r.writeReports(b, reports)

	listed := r.listed()
	if len(listed) > 0 {
		_ = b.WriteByte('\n')
		r.list(listed).AppendTo(b)
	}
	if rest := t.Orders - len(listed); rest > 0 {
		_ = b.WriteByte('\n')
		r.writeSentence(b, "", "Not flagged: "+countOf(rest, "more order")+"; --all lists them too.")
	}
	r.writeOpenItems(b)
	r.writeTotals(b, reports)
	return b.Flush()
}

const warningWord = "Warning:"

func (r *report) warningText(i int) string {
	return terminal.PrintableText(r.words.Warning(&r.warnings[i], r.in.names()))
}

// warnBeside writes the warnings of a run whose output has no place for them.
func (r *report) warnBeside(w io.Writer, colours terminal.ColourMode) error {
	beside := terminal.NewScreen(w, colours)
	for i := range r.warnings {
		if _, err := fmt.Fprintf(w, "%s %s\n", beside.Paint(terminal.Alarm, warningWord), r.warningText(i)); err != nil {
			return err
		}
	}
	return nil
}

// writeSentence writes a text on a line of its own, after a highlighted word. On a screen
// the text is broken into lines between words.
func (r *report) writeSentence(b terminal.Writer, word, text string) {
	if word != "" {
		text = word + " " + text
	}
	for rest := []byte(text); len(rest) > 0; word = "" {
		line := rest
		if rest = nil; r.screen.Width > 0 {
			line, rest = terminal.CutLine(line, r.screen.Width)
		}
		if after, found := strings.CutPrefix(string(line), word); found && word != "" {
			line = []byte(r.screen.Paint(terminal.Alarm, word) + after)
		}
		_, _ = b.Write(line)
		_ = b.WriteByte('\n')
	}
}

// fileName returns the name that the report uses for a file.
func fileName(path string) string { return terminal.PrintableText(filepath.Base(pathText(path))) }

// listed returns the indexes of the orders to list: flag by flag, and within a flag as in the export.
func (r *report) listed() []int32 {
	var byFlag [domain.AwaitingNextCycle + 1][]int32
	all := r.all || r.run.Tally.Orders <= fewOrders
	for i := range r.run.Len() {
		if f := r.run.Result(i).Flag; all || f.IsFlagged() {
			byFlag[f] = append(byFlag[f], int32(i))
		}
	}
	return slices.Concat(byFlag[:]...)
}

func mappingText(m domain.Mapping) string {
	var read []string
	for _, role := range domain.Roles() {
		if m[role] != "" {
			read = append(read, role.String()+" = "+terminal.PrintableText(shownColumns(m, role)))
		}
	}
	return strings.Join(read, ", ")
}

// shownColumns are the columns that have a role, as a person reads them.
func shownColumns(m domain.Mapping, role domain.Role) string {
	return strings.Join(domain.SplitColumns(m[role]), ", ")
}

// list returns the table of orders. Each row is made when the table asks for it, in the
// memory of the row before.
func (r *report) list(listed []int32) *terminal.Table {
	t := terminal.NewTable("FLAG", "ORDER", "AWB", ">DUE", ">REMITTED", ">SHORTFALL", ">DAYS", "REASON")
	t.Screen, t.Colours = r.screen, flagColours
	t.Rows = func(yield func([][]byte) bool) {
		var flag, due, remitted, shortfall, days, reason []byte
		var row [][]byte
		var why domain.Reason
		for _, i := range listed {
			why = r.run.Reason(int(i))
			reason = r.words.AppendReason(reason[:0], &why)
			result := r.run.Result(int(i))
			flag = append(flag[:0], result.Flag.String()...)
			due, remitted, shortfall = result.Due.AppendExact(due[:0]), result.Remitted.AppendExact(remitted[:0]),
				result.Shortfall.AppendExact(shortfall[:0])
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

func countOf(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return strconv.Itoa(n) + " " + noun + "s"
}
