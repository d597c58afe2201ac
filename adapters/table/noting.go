package table

import (
	"slices"

	"milaan/adapters/table/sheet"
	"milaan/domain"
	"milaan/ports"
)

// noting notes what is seen of a file, if anybody wants to know it.
type noting struct{ *ports.Seen }

// sampledRows is how many records are looked at for sample cells.
const sampledRows = 500

func (n noting) kind(k ports.Kind) {
	if n.Seen != nil {
		n.Kind = k
	}
}

// table notes a table whose header is known: its sheet, its header, sample cells and how
// many rows it has.
func (n noting) table(t *csvFile) {
	if n.Seen == nil {
		return
	}
	header := t.header[:min(len(t.header), ports.SeenColumns)]
	for len(header) > 0 && domain.IsBlank(header[len(header)-1]) {
		header = header[:len(header)-1]
	}
	n.Sheet, n.HeaderLine, n.Samples, n.Rows = t.sheet, t.headerLine, make([][]string, len(header)), 0
	n.Header = make([]string, len(header))
	for i, cell := range header {
		if n.Header[i] = string(cell); len(cell) > domain.MaxColumnName {
			n.Header[i] = domain.Quotable(cell)
		}
	}
	n.sample(t)
	for all := t.Rows(nil); all.Next(nil); {
		n.Rows++
	}
}

func (n noting) sample(t *csvFile) {
	columns := make([]int, len(n.Header))
	for i := range columns {
		columns[i] = i
	}
	cells := make([][]byte, len(columns))
	lacking := len(columns)
	for rows := t.Rows(columns); lacking > 0 && rows.Count() < sampledRows && rows.Next(cells); {
		for i, cell := range cells {
			of := n.Samples[i]
			if cell = domain.Unwrap(cell); len(of) == ports.SampleCells || domain.IsBlank(cell) {
				continue
			}
			if text := domain.Quotable(cell); !slices.Contains(of, text) {
				n.Samples[i] = append(of, text)
			}
			if len(n.Samples[i]) == ports.SampleCells {
				lacking--
			}
		}
	}
}

// likeliest notes the line of a text that looks most like a header; 0: there is none.
func (n noting) likeliest(t *csvFile, text []byte, line int) {
	if n.Seen == nil || line == 0 {
		return
	}
	u := &csvFile{file: t.file, sheet: t.sheet, maxRows: t.maxRows, dialect: t.dialect, line: t.line}
	found, _ := u.findHeader(text, headerLines, onLine(line)(u))
	if found {
		n.table(u)
	}
}

var kindsOf = map[sheet.Kind]ports.Kind{
	sheet.KindXLSX: ports.KindXLSX, sheet.KindXLS: ports.KindXLS, sheet.KindODS: ports.KindODS, sheet.KindHTML: ports.KindHTML,
	sheet.KindXML: ports.KindXML,
}
