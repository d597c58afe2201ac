package ledger_test

import (
	"bytes"
	"encoding/csv"
	"encoding/hex"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"milaan/adapters/documents/ledger"
	"milaan/adapters/documents/xlsx"
	"milaan/domain"
	"milaan/domain/verdict"
	"milaan/ports"
)

// texts are those of one order and of one line of a report.
type texts struct{ name, tracking, awb, order, utr []byte }

// runOf is a run of an order that is short by half, and of its line, over a ledger; nil: over none.
func runOf(t require.TestingT, of texts, before []byte) *ports.FinishedRun {
	orders, lines := new(verdict.Orders), new(verdict.Remittances)
	orders.Reset()
	lines.Reset()
	var kept ports.Ledger
	if before != nil {
		var err error
		kept, err = newReader().Open(ports.Content{Bytes: before, Workbook: bytes.HasPrefix(before, []byte("PK"))})
		require.NoError(t, err)
		defer kept.Close()
		require.NoError(t, kept.Lines(lines))
	}
	if o, _ := orders.FindOrAdd(of.name); o != nil {
		o.Total, o.HasTotal, o.CreatedOn, o.Fulfilment, o.Payment = 100_00, true, march(1), verdict.Fulfilled, domain.PaymentCOD
		o.Financial = domain.FinancialPending
		orders.Track(o, of.tracking)
	}
	if kept != nil {
		require.NoError(t, kept.Orders(orders))
	}
	lines.Begin("delhivery")
	awb, reliable := verdict.AWBKey(of.awb)
	if !reliable {
		awb = of.awb
	}
	if order := verdict.OrderKey(of.order); len(awb)+len(order) > 0 {
		lines.Add(verdict.Remittance{AWB: awb, AWBRounded: !reliable, OrderID: order, UTR: of.utr, Listed: 50_00, Stated: 50_00,
			Collected: 50_00, Remitted: 50_00, RemittedOn: march(9), HasRemitted: true, Line: 2})
	}
	r := new(verdict.Reconciliation)
	require.NoError(t, r.Decide(orders, lines, domain.TermsFor(nil, 0, nil)))
	return ports.NewFinishedRun(r, domain.Run{}, domain.Mapping{}, nil)
}

// writers write the ledger of a run in each form in which a person or the service keeps it.
var writers = map[string]func(t require.TestingT, run *ports.FinishedRun) []byte{
	"text": func(t require.TestingT, run *ports.FinishedRun) []byte {
		var b bytes.Buffer
		require.NoError(t, ledger.WriteText(run, &b))
		return b.Bytes()
	},
	"CSV": func(t require.TestingT, run *ports.FinishedRun) []byte {
		var b bytes.Buffer
		to := csv.NewWriter(&b)
		to.UseCRLF = true
		require.NoError(t, ledger.Write(run, func(cells [][]byte) error {
			row := make([]string, len(cells))
			for i, cell := range cells {
				row[i] = domain.SpreadsheetMark(cell)
			}
			return to.Write(row)
		}))
		to.Flush()
		return b.Bytes()
	},
	"workbook": func(t require.TestingT, run *ports.FinishedRun) []byte {
		var b bytes.Buffer
		to := xlsx.New(&b, time.Unix(0, 0))
		begun := false
		require.NoError(t, ledger.Write(run, func(texts [][]byte) error {
			if !begun {
				begun = true
				var names []string
				for _, text := range texts {
					names = append(names, string(text))
				}
				return to.Hidden("Ledger", make([]int, len(names)), names...)
			}
			cells := make([]xlsx.Cell, len(texts))
			for i, text := range texts {
				cells[i] = xlsx.IDCell(text)
			}
			return to.Row(cells...)
		}))
		require.NoError(t, to.Close())
		return b.Bytes()
	},
}

// kinds counts the rows of orders and of lines.
func kinds(t require.TestingT, run *ports.FinishedRun) map[string]int {
	count := map[string]int{}
	require.NoError(t, ledger.Write(run, func(cells [][]byte) error {
		count[string(cells[0])]++
		return nil
	}))
	return count
}

// Whatever texts an export and a report have, the next run reads the ledger, and finds in it the order and the line that it is
// given again: no text of a courier takes away what all couriers owe.
func TestNoTextMakesALedgerUnreadable(t *testing.T) {
	odd := rapid.SampledFrom([]string{"'", "=", `"`, `="`, " ", "\n", "\r\n", "\v", "\x00", "\x1b", "\ufffe", "\ufffd", "\u00a0", "\u2028", "\x80", "\xff",
		"_x000D_", "_x0041_", "#", ".0", "0", "9", "7", "E+3", ",", ";", "-c", "+", "@", "a", "Ж", "\t", "&lt;", "<", "😀"})
	drawn := rapid.Custom(func(t *rapid.T) []byte {
		parts := rapid.SliceOfN(rapid.OneOf(odd, rapid.StringN(0, 3, -1)), 0, 8).Draw(t, "parts")
		var text []byte
		for _, part := range parts {
			text = append(text, part...)
		}
		return append(text, rapid.SliceOfN(rapid.Byte(), 0, 2).Draw(t, "bytes")...)
	})
	rapid.Check(t, func(t *rapid.T) {
		of := texts{name: append([]byte("1"), drawn.Draw(t, "name")...), tracking: drawn.Draw(t, "tracking"), awb: drawn.Draw(t, "awb"),
			order: drawn.Draw(t, "order"), utr: drawn.Draw(t, "utr")}
		checkAgain(t, of)
	})
	for _, text := range []string{"''9", "'''9", `'="9"`, `="'9"`, "a\nb9", "9\r\n8", "9\v8", "x\x019", "9\ufffe", "##9", "#'9", "9\n\u00a0\n'", "9.0.0", `="9".0`, "1.9E+3\x80",
		string(bytes.Repeat([]byte("9"), 33_000)), string(bytes.Repeat([]byte("'9"), 20_000))} {
		checkAgain(t, texts{name: []byte("#1001"), utr: []byte(text), awb: []byte("190407608")})
		checkAgain(t, texts{name: []byte("#1001"), order: []byte("#1001"), awb: []byte(text)})
		checkAgain(t, texts{name: []byte(text), order: []byte(text)})
	}
}

func checkAgain(t require.TestingT, of texts) {
	first := runOf(t, of, nil)
	want := kinds(t, first)
	for form, write := range writers {
		require.Equal(t, want, kinds(t, runOf(t, of, write(t, first))), "%s: %q", form, of)
	}
}

// Ledgers from before texts were brought to that form fit their fingerprints as they are.
func TestALedgerWithALineEndInAText(t *testing.T) {
	of := texts{name: []byte("#1001"), awb: []byte("190407608"), utr: []byte("a\nb9")}
	rows := rowsOf(t, runOf(t, of, nil))
	at := len(rows) - 1
	require.Equal(t, "a b9", rows[at][column(rows, "UTR")])
	print := (&verdict.Remittance{AWB: of.awb, UTR: of.utr, Listed: 50_00, Stated: 50_00, RemittedOn: march(9)}).Fingerprint()
	rows[at][column(rows, "UTR")], rows[at][column(rows, "Fingerprint")] = "a\nb9", hex.EncodeToString(print[:])
	require.Equal(t, kinds(t, runOf(t, of, nil)), kinds(t, runOf(t, of, textOf(t, rows))))
}

// Ledgers from before whole numbers lost their commas and decimals have them, and are about the same lines.
func TestALedgerWithANumberInGroups(t *testing.T) {
	for _, is := range []struct{ of, before texts }{
		{texts{tracking: []byte("14902603000001"), awb: []byte("14902603000001")}, texts{awb: []byte("14,902,603,000,001")}},
		{texts{tracking: []byte("14902603000001"), awb: []byte("14902603000001")}, texts{awb: []byte("14902603000001.00")}},
		{texts{order: []byte("3001")}, texts{order: []byte("3,001")}},
	} {
		is.of.name, is.of.utr = []byte("#3001"), []byte("U1234567890")
		first := runOf(t, is.of, nil)
		require.Equal(t, domain.ShortPaid, first.Result(0).Flag)
		rows := rowsOf(t, first)
		line := verdict.Remittance{AWB: is.before.awb, OrderID: is.before.order, UTR: is.of.utr, Listed: 50_00, Stated: 50_00, RemittedOn: march(9)}
		print := line.Fingerprint()
		last := rows[len(rows)-1]
		last[column(rows, "AWB")], last[column(rows, "Order")] = string(is.before.awb), string(is.before.order)
		last[column(rows, "Fingerprint")] = hex.EncodeToString(print[:])
		again := runOf(t, is.of, textOf(t, rows))
		require.Equal(t, kinds(t, first), kinds(t, again), "%s", is.before)
		require.Equal(t, first.Result(0).Remitted, again.Result(0).Remitted)
	}
}
