// Package ledger writes down what the next run remembers of this one, and reads it (guide: verdict 10). A ledger is a
// table of its own, which spreadsheet programs may open and save, with rows sorted and columns added:
//
//	form.go     its columns, each with how a cell is written and read
//	reading.go  from a table to orders and lines
//	writing.go  from a run to rows
package ledger
