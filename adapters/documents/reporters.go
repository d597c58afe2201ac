package documents

import (
	"go.uber.org/fx"

	"milaan/adapters/documents/books"
	"milaan/adapters/documents/naming"
	"milaan/adapters/documents/pdf"
	"milaan/adapters/documents/xlsx"
	"milaan/domain"
	"milaan/ports"
	"milaan/ports/peers"
)

// Module provides a reporter of each format.
func Module() fx.Option { return fx.Module("documents", fx.Provide(New)) }

// Params are what reporters need.
type Params struct {
	fx.In

	Couriers  ports.Couriers
	Languages peers.Languages
	Clock     ports.Clock
}

// New makes a reporter of each format.
func New(p Params) []ports.Reporter {
	vouchers := []ports.Reporter{books.Tally{Couriers: p.Couriers}, books.JournalCSV{Couriers: p.Couriers}}
	return append([]ports.Reporter{workbooks{p}, csvs{p}, pdfs{p}, packs{p}}, vouchers...)
}

func (p Params) read(finished *ports.FinishedRun, b domain.Branding) *run {
	r := &run{FinishedRun: finished, wording: p.Languages.In(peers.DocumentLanguage), branding: b, reports: finished.ReportTotals(),
		charged: finished.StateCharges(), couriers: naming.CouriersOf(p.Couriers)}
	return r
}

// workbooks writes one workbook with all sheets.
type workbooks struct{ Params }

func (workbooks) Format() domain.Format { return domain.FormatXLSX }

func (w workbooks) Write(create ports.CreateFile, finished *ports.FinishedRun, b domain.Branding) ([]domain.Warning, error) {
	file, err := create("milaan.xlsx")
	if err != nil {
		return nil, err
	}
	return nil, w.read(finished, b).write(xlsx.New(file, w.Clock()))
}

// csvs writes a CSV file for each sheet of the workbook.
type csvs struct{ Params }

func (csvs) Format() domain.Format { return domain.FormatCSV }

func (c csvs) Write(create ports.CreateFile, finished *ports.FinishedRun, b domain.Branding) ([]domain.Warning, error) {
	return nil, c.read(finished, b).write(&csvFiles{create: create})
}

// pdfs writes a document to read and to print.
type pdfs struct{ Params }

func (pdfs) Format() domain.Format { return domain.FormatPDF }

func (d pdfs) Write(create ports.CreateFile, finished *ports.FinishedRun, b domain.Branding) ([]domain.Warning, error) {
	words := d.Languages.In(peers.DocumentLanguage) // they are read only for documents
	return nil, pdf.Reporter{Clock: d.Clock, Words: words, Couriers: naming.CouriersOf(d.Couriers)}.Write(create, finished, b)
}
