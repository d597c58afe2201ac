package books

import (
	"bufio"
	"encoding/xml"
	"fmt"
	"strings"

	"milaan/domain"
	"milaan/ports"
)

// Tally writes the vouchers of a run as TallyPrime imports them: data of its report Vouchers, after the chapter
// Understanding Integration: Transactions of Tally's developer reference.
type Tally struct{ Couriers ports.Couriers }

func (Tally) Format() domain.Format { return domain.FormatTally }

// Write writes the document of a run. It has neither company nor ledgers: the vouchers go to the company that is open, which has
// the ledgers.
func (t Tally) Write(create ports.CreateFile, run *ports.FinishedRun, _ domain.Branding) ([]domain.Warning, error) {
	vouchers, warnings := Of(run, t.Couriers)
	file, err := create("milaan-tally.xml")
	if err != nil {
		return nil, err
	}
	w := &markup{Writer: bufio.NewWriter(file)}
	w.raw("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<ENVELOPE>\n<HEADER><TALLYREQUEST>Import Data</TALLYREQUEST></HEADER>\n" +
		"<BODY><IMPORTDATA>\n<REQUESTDESC><REPORTNAME>Vouchers</REPORTNAME></REQUESTDESC>\n<REQUESTDATA>\n")
	for i := range vouchers {
		w.voucher(&vouchers[i])
	}
	w.raw("</REQUESTDATA>\n</IMPORTDATA></BODY>\n</ENVELOPE>\n")
	return warnings, w.Flush()
}

// markup writes XML. Its errors are those of Flush.
type markup struct{ *bufio.Writer }

func (w *markup) raw(s string) { _, _ = w.WriteString(s) }

// text writes an element that holds a text. What XML cannot hold becomes U+FFFD.
func (w *markup) text(element, text string) {
	w.raw("<" + element + ">")
	_ = xml.EscapeText(w, []byte(text))
	w.raw("</" + element + ">\n")
}

func (w *markup) voucher(v *Voucher) {
	_, _ = fmt.Fprintf(w, "<TALLYMESSAGE xmlns:UDF=\"TallyUDF\">\n<VOUCHER REMOTEID=\"%s\" VCHTYPE=\"%s\" ACTION=\"Create\" "+
		"OBJVIEW=\"Accounting Voucher View\">\n", v.ID, v.Kind)
	day := strings.ReplaceAll(v.On.String(), "-", "")
	w.text("DATE", day)
	w.text("EFFECTIVEDATE", day)
	w.text("GUID", v.ID)
	w.text("VOUCHERTYPENAME", v.Kind.String())
	w.text("VOUCHERNUMBER", v.Number)
	if v.Reference != "" {
		w.text("REFERENCE", v.Reference)
	}
	w.text("NARRATION", v.Narration)
	w.text("PERSISTEDVIEW", "Accounting Voucher View")
	for i := range v.Lines {
		w.line(&v.Lines[i])
	}
	w.raw("</VOUCHER>\n</TALLYMESSAGE>\n")
}

// line writes what a voucher says of a ledger. Tally has debits below 0.
func (w *markup) line(l *Line) {
	w.raw("<ALLLEDGERENTRIES.LIST>\n")
	w.text("LEDGERNAME", l.Ledger)
	w.text("ISDEEMEDPOSITIVE", yes(l.Amount > 0))
	w.text("ISPARTYLEDGER", yes(l.Courier))
	w.text("AMOUNT", decimal(-l.Amount))
	for _, b := range l.Bills {
		w.raw("<BILLALLOCATIONS.LIST>\n")
		w.text("NAME", b.Order)
		w.text("BILLTYPE", "Agst Ref")
		w.text("AMOUNT", decimal(-b.Amount))
		w.raw("</BILLALLOCATIONS.LIST>\n")
	}
	w.raw("</ALLLEDGERENTRIES.LIST>\n")
}

func yes(is bool) string {
	if is {
		return "Yes"
	}
	return "No"
}

// decimal writes paise as rupees with two decimals.
func decimal(p domain.Paise) string {
	sign := ""
	if p < 0 {
		sign = "-"
	}
	return fmt.Sprintf("%s%d.%02d", sign, p.Abs()/domain.Rupee, p.Abs()%domain.Rupee)
}
