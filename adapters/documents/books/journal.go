package books

import (
	"milaan/adapters/view"
	"milaan/domain"
	"milaan/ports"
)

// JournalCSV writes the vouchers of a run as the journal that Zoho Books and QuickBooks import: a row for each line of a
// voucher, and the rows with one number are one voucher.
type JournalCSV struct{ Couriers ports.Couriers }

func (JournalCSV) Format() domain.Format { return domain.FormatJournal }

var journalHeader = []string{"Journal Date", "Journal Number", "Reference Number", "Notes", "Account", "Debit", "Credit"}

func (j JournalCSV) Write(create ports.CreateFile, run *ports.FinishedRun, _ domain.Branding) ([]domain.Warning, error) {
	vouchers, warnings := Of(run, j.Couriers)
	file, err := create("milaan-journal.csv")
	if err != nil {
		return nil, err
	}
	out := view.NewCSV(file)
	_ = out.Write(journalHeader) // its errors are those of Flush
	for _, v := range vouchers {
		for _, l := range v.Lines {
			debit, credit := decimal(l.Amount), ""
			if l.Amount < 0 {
				debit, credit = "", decimal(-l.Amount)
			}
			row := []string{v.On.String(), v.Number, domain.SpreadsheetText(v.Reference), domain.SpreadsheetText(v.Narration),
				domain.SpreadsheetText(l.Ledger), debit, credit}
			_ = out.Write(row)
		}
	}
	out.Flush()
	return warnings, out.Error()
}
