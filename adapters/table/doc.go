// Package table turns CSV text into a header and cells, whatever the dialect:
// RFC 4180 and what spreadsheets and couriers make of it. A plain file is read
// exactly as encoding/csv reads it; tests hold the two against each other.
//
//	open.go    what kind of text it is, the delimiter, the header row
//	rows.go    the records below the header: the fast path
//	record.go  one record read plainly, for headers and odd records
package table
