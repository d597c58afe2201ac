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
	return []ports.Reporter{
		reporter{domain.FormatXLSX, p.writeWorkbook}, reporter{domain.FormatCSV, p.writeCSV}, reporter{domain.FormatPDF, p.writePDF},
		reporter{domain.FormatDispute, p.writePacks}, books.Tally{Couriers: p.Couriers}, books.JournalCSV{Couriers: p.Couriers},
	}
}

type reporter struct {
	format domain.Format
	write  func(ports.CreateFile, *ports.FinishedRun, domain.Branding) ([]domain.Warning, error)
}

func (r reporter) Format() domain.Format { return r.format }

func (r reporter) Write(create ports.CreateFile, finished *ports.FinishedRun, b domain.Branding) ([]domain.Warning, error) {
	return r.write(create, finished, b)
}

func (p Params) read(finished *ports.FinishedRun, b domain.Branding) *run {
	return &run{FinishedRun: finished, wording: p.Languages.In(peers.DocumentLanguage), branding: b, reports: finished.ReportTotals(),
		charged: finished.StateCharges(), couriers: naming.CouriersOf(p.Couriers)}
}

// writeWorkbook writes one workbook with all sheets.
func (p Params) writeWorkbook(create ports.CreateFile, finished *ports.FinishedRun, b domain.Branding) ([]domain.Warning, error) {
	file, err := create("milaan.xlsx")
	if err != nil {
		return nil, err
	}
	return nil, p.read(finished, b).write(xlsx.New(file, p.Clock()))
}

// writeCSV writes a CSV file for each sheet of the workbook.
func (p Params) writeCSV(create ports.CreateFile, finished *ports.FinishedRun, b domain.Branding) ([]domain.Warning, error) {
	return nil, p.read(finished, b).write(&csvFiles{create: create})
}

// writePDF writes a document to read and to print.
func (p Params) writePDF(create ports.CreateFile, finished *ports.FinishedRun, b domain.Branding) ([]domain.Warning, error) {
	words := p.Languages.In(peers.DocumentLanguage) // they are read only for documents
	return nil, pdf.Reporter{Clock: p.Clock, Words: words, Couriers: naming.CouriersOf(p.Couriers)}.Write(create, finished, b)
}
