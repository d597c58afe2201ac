package answer

import (
	"bufio"
	"io"
	"iter"

	"milaan/adapters/view"
	"milaan/domain"
)

func (w *Writer) WriteSecurityLog(out io.Writer, events iter.Seq2[domain.SecurityEvent, error], asCSV bool) error {
	if asCSV {
		return writeSecurityCSV(out, events)
	}
	x := &export{words: w, out: bufio.NewWriterSize(out, chunk)}
	list(x, "", events, func(e domain.SecurityEvent) { x.element(view.NewSecurityEvent(&e)) })
	x.text("\n")
	return x.flush()
}

// writeSecurityCSV writes texts in a form that no spreadsheet runs as formulas.
func writeSecurityCSV(to io.Writer, events iter.Seq2[domain.SecurityEvent, error]) error {
	out := view.NewCSV(to)
	_ = out.Write([]string{"at", "kind", "actor", "via", "whom", "detail", "address"})
	for e, err := range events {
		if err != nil {
			return err
		}
		record := []string{e.At.UTC().Format("2006-01-02T15:04:05.000Z"), string(e.Kind), e.By.Name, string(e.By.Way), e.Whom, e.Detail,
			e.By.Address}
		for i, text := range record {
			record[i] = domain.SpreadsheetText(text)
		}
		if err := out.Write(record); err != nil {
			return err
		}
	}
	out.Flush()
	return out.Error()
}
