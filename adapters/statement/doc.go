// Package statement reads the statements of banks: any table with a date, an amount that
// was credited and a narration, as CSV or as a workbook.
//
//	banks.go   what banks call their columns
//	header.go  which column is what
//	lines.go   from rows to credits and debits
package statement
