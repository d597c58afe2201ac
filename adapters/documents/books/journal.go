package books

import (
	"bufio"
	"encoding/csv"
	"io"

	"milaan/domain"
	"milaan/ports"
)

// JournalCSV writes the vouchers of a run as the journal that Zoho Books and QuickBooks import: a row for each line of a
// voucher, and the rows with one number are one voucher.
type JournalCSV struct{ Couriers ports.Couriers }

// Format is the format of its documents.
func (JournalCSV) Format() domain.Format { return domain.FormatJournal }

// byteOrderMark has spreadsheets read the file as UTF-8.
const byteOrderMark = "\ufeff"

var journalHeader = []string{"Journal Date", "Journal Number", "Reference Number", "Notes", "Account", "Debit", "Credit"}

// Remark says what the document of a run leaves out.
func (j JournalCSV) Remark(run *ports.FinishedRun) string { return book(run, j.Couriers).remark() }

// Write writes the document of a run.
func (j JournalCSV) Write(create func(name string) (io.Writer, error), run *ports.FinishedRun, _ domain.Branding) error {
	file, err := create("milaan-journal.csv")
	if err != nil {
		return err
	}
	to := bufio.NewWriter(file)
	if _, err := to.WriteString(byteOrderMark); err != nil {
		return err
	}
	out := csv.NewWriter(to)
	out.UseCRLF = true
	if err := out.Write(journalHeader); err != nil {
		return err
	}
	for _, v := range Of(run, j.Couriers) {
		for _, l := range v.Lines {
			debit, credit := decimal(l.Amount), ""
			if l.Amount < 0 {
				debit, credit = "", decimal(-l.Amount)
			}
			row := []string{v.On.String(), v.Number, domain.SpreadsheetText(v.Reference), domain.SpreadsheetText(v.Narration),
				domain.SpreadsheetText(l.Ledger), debit, credit}
			if err := out.Write(row); err != nil {
				return err
			}
		}
	}
	if out.Flush(); out.Error() != nil {
		return out.Error()
	}
	return to.Flush()
}
