package couriers

import (
	"bytes"
	"slices"
	"unicode/utf8"

	"milaan/domain"
)

// This file reads the lines that belong to no parcel: footers, notes, headers, and
// money without an id (decisions, section 1). For an ordinary line it only looks at
// the ids.

// isSurelyID says whether an id cell is blank, or is an id: it has a digit and not the
// word total. It is called for every id of a report, so it takes one step per byte
// for the characters of nearly all ids.
func isSurelyID(cell []byte) bool {
	var has uint8
	for _, b := range cell {
		has |= idBytes[b]
	}
	if has == digitByte || len(cell) == 0 {
		return true
	}
	return has&oddByte != 0 && domain.HasDigit(cell) && !domain.IsTotal(cell)
}

// Classes of the bytes of an id: digits, and bytes that may be part of the word total
// or of a digit of another script.
const (
	digitByte = 1 << iota
	oddByte
)

var idBytes = func() (says [256]uint8) {
	for b := range says {
		switch {
		case '0' <= b && b <= '9':
			says[b] = digitByte
		case b|0x20 == 't', b >= utf8.RuneSelf:
			says[b] = oddByte
		}
	}
	return says
}()

// readIDs returns the id cells of the current line. ofParcel is false for a line that
// belongs to no parcel; nothing remains to be done with such a line.
func (r *lineReader) readIDs() (awb, orderID []byte, ofParcel bool, err error) {
	awb, orderID = r.cell(domain.RoleAWB), r.cell(domain.RoleOrderID)
	if isSurelyID(awb) && isSurelyID(orderID) && len(awb)+len(orderID) > 0 {
		return awb, orderID, true, nil
	}
	return r.readOddLine(awb, orderID)
}

// readOddLine reads a line whose id cells may be something else than ids, and returns
// those that are ids. What the export has as an id is always an id.
func (r *lineReader) readOddLine(awb, orderID []byte) (_, _ []byte, ofParcel bool, err error) {
	if !domain.HasDigit(awb) && !domain.HasDigit(orderID) {
		if skip, err := r.skipHeader(); skip || err != nil {
			return nil, nil, false, err
		}
	}
	if !isSurelyID(awb) && !r.exportHasAWB(awb) {
		if domain.IsTotal(awb) {
			r.noteFooter()
			return nil, nil, false, nil
		}
		awb = nil
	}
	if !isSurelyID(orderID) && !r.exportHasOrder(orderID) {
		if domain.IsTotal(orderID) {
			r.noteFooter()
			return nil, nil, false, nil
		}
		orderID = nil
	}
	if len(awb)+len(orderID) == 0 {
		r.addNameless()
		return nil, nil, false, nil
	}
	return awb, orderID, true, nil
}

// addNameless reads a line that has neither AWB nor order id. It is a footer if one of
// its cells has the word total. Otherwise it is a note, or money that belongs to no
// parcel.
func (r *lineReader) addNameless() {
	if r.hasTotal() {
		r.noteFooter()
		return
	}
	hasMoney := false
	for i, role := range sumRoles {
		amount, _ := domain.ReadPaise(r.cell(role)) // what is no amount is a note
		r.unidentified.sums[i] += amount
		hasMoney = hasMoney || amount != 0
	}
	if hasMoney {
		r.unidentified.lines++
	}
}

// hasTotal says whether a cell of the current line has the word total, also in a
// column that is not read.
func (r *lineReader) hasTotal() bool {
	const total = "total"
	record := r.rows.Record()
	for i := 0; i+len(total) <= len(record); i++ {
		if record[i]|0x20 == total[0] && bytes.EqualFold(record[i:i+len(total)], []byte(total)) {
			return slices.ContainsFunc(r.table.Cells(record), domain.IsTotal)
		}
	}
	return false
}

func (r *lineReader) exportHasAWB(cell []byte) bool {
	key, reliable := domain.AWBKey(cell)
	if !reliable || len(key) == 0 {
		return false
	}
	orders := r.orders()
	return orders != nil && orders.HasAWB(key)
}

func (r *lineReader) exportHasOrder(cell []byte) bool {
	key := domain.OrderKey(cell)
	if len(key) == 0 {
		return false
	}
	orders := r.orders()
	return orders != nil && orders.FindAsked(key) >= 0
}

// looks counts the lines, and their bytes, that were compared with the headers of
// other reports. That takes long, and a file may consist of such lines.
type looks struct{ lines, bytes int }

const (
	mostLooks     = 1000
	mostLookBytes = 1 << 20
)

// skipHeader says whether a line repeats the report's header; the caller skips such a
// line. It returns an error for a line that is the header of another report.
func (r *lineReader) skipHeader() (again bool, err error) {
	if r.repeatsHeader() {
		return true, nil
	}
	record := r.rows.Record()
	r.looks.lines++
	r.looks.bytes += len(record)
	if r.looks.lines > mostLooks || r.looks.bytes > mostLookBytes {
		return false, nil
	}
	cells := r.table.Cells(record)
	if !r.isHeader(cells) {
		return false, nil
	}
	if other := newHeader(cells); slices.Equal(other.keys, r.header.keys) {
		return true, nil // case and signs aside
	}
	return false, r.twoReports()
}

// repeatsHeader says whether a line has the header's words, each in its column.
func (r *lineReader) repeatsHeader() bool {
	for slot, column := range r.columns {
		if string(domain.Unwrap(r.cells[slot])) != r.header.words[column] {
			return false // nearly every line differs in the first
		}
	}
	cells := r.table.Cells(r.rows.Record())
	for i, word := range r.header.words {
		if i >= len(cells) && word != "" || i < len(cells) && string(cells[i]) != word {
			return false
		}
	}
	return true
}
