package documents

import (
	"cmp"
	"slices"

	"milaan/adapters/documents/ledger"
	"milaan/adapters/documents/xlsx"
	"milaan/adapters/wording"
	"milaan/domain/verdict"
)

// openItems writes a row for each order that is flagged or awaited. The last columns are for people, who fill them
// in; the next run reads them.
func (r *run) openItems(to *page) {
	mine := ledger.ItemColumns()
	header := append([]string{mine[0], mine[1], "Courier", mine[2], "Dispatched on", "Due by", "Due", "Remitted", wording.AcceptedCharges,
		"Shortfall", "Flag", "Since"}, mine[3:]...)
	to.sheet("Open items", []int{12, 17, 13, 12, 13, 12, 13, 13, 13, 13, 18, 12, 12, 12, 14, 40}, header...)
	for item := range r.OpenItems() {
		if !item.Open {
			continue
		}
		result, now := r.Result(item.Order), &item.Now
		to.row(xlsx.IDCell(result.OrderID), xlsx.IDCell(result.AWB), xlsx.TextCell(r.couriers.Name(now.Courier)),
			xlsx.DayCell(result.OrderedOn), xlsx.DayCell(r.DispatchedOn(item.Order)), xlsx.DayCell(result.DueBy), xlsx.AmountCell(now.Due),
			xlsx.AmountCell(now.Remitted), xlsx.AmountCell(now.Accepted), xlsx.AmountCell(now.Shortfall), xlsx.TextCell(wording.Flag(now.Flag).Name),
			xlsx.DayCell(now.Since), xlsx.TextCell(now.Mark.State.String()), xlsx.DayCell(now.Mark.RaisedOn), xlsx.DayCell(now.Mark.PromisedUntil),
			xlsx.TextCell(now.Mark.Note))
	}
}

// movements writes how the open items have changed since the run before: a row for each courier and one for all.
func (r *run) movements(to *page) {
	header := []string{"Courier"}
	widths := []int{16}
	for _, name := range movementNames {
		header, widths = append(header, name), append(widths, 14)
	}
	to.sheet("Movements", widths, header...)
	couriers, all := r.Movements()
	for i := range couriers {
		to.row(movementCells(r.couriers.Name(couriers[i].Courier), &couriers[i])...)
	}
	to.row(movementCells("All", &all)...)
}

var movementNames = []string{"Open before", "New", "Changed", "Partly paid", "Cleared", "Written off", "Reopened", "Open now",
	"Recovered", "Awaited", "Overpaid", "Promise passed"}

func movementCells(courier string, m *verdict.Movement) []xlsx.Cell {
	cells := []xlsx.Cell{xlsx.TextCell(courier)}
	for _, sum := range []verdict.ItemSum{m.Before, m.New, m.Changed, m.PartlyPaid, m.Cleared, m.WrittenOff, m.Reopened, m.Now,
		m.Recovered, m.Awaited, m.Overpaid, m.Promises} {
		cells = append(cells, xlsx.AmountCell(sum.Amount))
	}
	return cells
}

// ledger writes what the next run remembers of this one. Its sheet is hidden: people fill in the one of open items.
func (r *run) ledger(to *page) {
	begun := false
	var cells []xlsx.Cell
	err := ledger.Write(r.FinishedRun, func(texts [][]byte) error {
		if !begun {
			begun = true
			var header []string
			for _, text := range texts {
				header = append(header, string(text))
			}
			return to.to.Hidden("Ledger", slices.Repeat([]int{14}, len(header)), header...)
		}
		cells = cells[:0]
		for _, text := range texts {
			cells = append(cells, xlsx.IDCell(text))
		}
		to.row(cells...)
		return to.err
	})
	to.err = cmp.Or(to.err, err)
}
