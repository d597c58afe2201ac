package ledger

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strconv"

	"milaan/domain/verdict"
	"milaan/ports"
)

// Write gives row every row of a run's ledger, the header first. The cells are valid until row returns.
func Write(run *ports.FinishedRun, row func(cells [][]byte) error) error {
	cells := make([][]byte, len(header))
	for i, name := range header {
		cells[i] = []byte(name)
	}
	if err := row(cells); err != nil {
		return err
	}
	write := func(kind string, fill func()) error {
		for i := range cells {
			cells[i] = cells[i][:0]
		}
		cells[0] = append(cells[0], kind...)
		fill()
		return row(cells)
	}
	err := write(rowOfRun, func() {
		cells[places["Order"]] = append(cells[places["Order"]], run.Run.Brand...)
		cells[countColumn] = writeCounts(cells[countColumn], run)
		cells[places["First seen"]] = run.Guidance.BatchAsOf.AppendTo(cells[places["First seen"]])
	})
	for o := range run.RememberedOrders() {
		if err != nil {
			return err
		}
		err = write(rowOfOrder, func() { fill(cells, orderFields, o) })
	}
	seen := map[[verdict.FingerprintSize]byte]int{}
	for l := range run.RememberedLines() {
		if err != nil {
			return err
		}
		seen[l.Print]++
		err = write(rowOfLine, func() {
			fill(cells, lineFields, l)
			last := &cells[len(cells)-1]
			*last = strconv.AppendInt(*last, int64(seen[l.Print]), 10)
		})
	}
	return err
}

// places are the columns by name.
var places = func() map[string]int {
	all := map[string]int{}
	for i, name := range header {
		all[name] = i
	}
	return all
}()

// countColumn has in the row of the run how many rows were written, because a ledger that was cut between two rows looks whole. It
// is a text, which no spreadsheet program alters, and of a column that orders and lines both have.
var countColumn = places["AWB"]

const counts = "%d orders and %d lines"

func writeCounts(cell []byte, run *ports.FinishedRun) []byte {
	orders, lines := run.KeptForNext()
	return fmt.Appendf(cell, counts, orders, lines)
}

// flagColumn never is blank in the row of an order.
var flagColumn = places["Flag"]

func fill[T any](cells [][]byte, fields []field[T], of *T) {
	for i := range fields {
		at := fields[i].at
		cells[at] = fields[i].write(cells[at], of)
	}
}

// textBlock is how much text WriteText writes at once.
const textBlock = 64 << 10

// WriteText writes the ledger of a run as CSV text that only Milaan reads again.
func WriteText(run *ports.FinishedRun, to io.Writer) error {
	text := make([]byte, 0, textBlock+textBlock/8)
	err := Write(run, func(cells [][]byte) error {
		for i, cell := range cells {
			if i > 0 {
				text = append(text, ',')
			}
			if slices.ContainsFunc(cell, needsQuotes) {
				cell = slices.Concat([]byte{'"'}, bytes.ReplaceAll(cell, []byte{'"'}, []byte(`""`)), []byte{'"'})
			}
			text = append(text, cell...)
		}
		if text = append(text, '\n'); len(text) < textBlock {
			return nil
		}
		_, err := to.Write(text)
		text = text[:0]
		return err
	})
	if err != nil {
		return err
	}
	_, err = to.Write(text)
	return err
}

func needsQuotes(sign byte) bool { return sign == '"' || sign == ',' || sign == '\r' || sign == '\n' }
