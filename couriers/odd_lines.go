package couriers

import (
	"slices"
	"unicode/utf8"

	"milaan/domain"
	"milaan/domain/verdict"
)

// This file reads the lines that belong to no parcel: footers, notes, headers, and
// money without an id (guide: verdict 1). For an ordinary line it only looks at
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
	return has&oddByte != 0 && verdict.HasDigit(cell) && !verdict.IsTotal(cell)
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
	if !verdict.HasDigit(awb) && !verdict.HasDigit(orderID) {
		if skip, err := r.skipHeader(); skip || err != nil {
			return nil, nil, false, err
		}
	}
	if !isSurelyID(awb) && !r.exportHasAWB(awb) {
		if verdict.IsTotal(awb) {
			r.noteFooter()
			return nil, nil, false, nil
		}
		awb = nil
	}
	if !isSurelyID(orderID) && !r.exportHasOrder(orderID) {
		if verdict.IsTotal(orderID) {
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
// its cells has the word total, or if its amounts are the sums of the lines above it.
// Otherwise it is a note, or money that belongs to no parcel.
func (r *lineReader) addNameless() {
	if r.hasTotal() {
		r.noteFooter()
		return
	}
	hasMoney := false
	var amounts amounts
	var given [len(sumRoles)]bool
	for i, role := range sumRoles {
		amount, reading := domain.ReadPaise(r.cell(role)) // what is no amount is a note
		amounts[i], given[i] = amount, reading == domain.Given
		hasMoney = hasMoney || amount != 0
	}
	if !hasMoney {
		return
	}
	if r.statesSums(amounts, given) {
		r.noteFooter()
		return
	}
	for i, amount := range amounts {
		r.unidentified.sums[i] += amount
	}
	r.unidentified.lines++
}

// amounts are in the columns of sumRoles.
type amounts = [len(sumRoles)]domain.Paise

// sums are what the lines of a report come to as far as they have been summed, with the
// money that belongs to no parcel and without it.
type sums struct {
	lines       int
	all         amounts
	last        amounts // what they came to at the last footer
	lastNothing amounts // the money that belonged to no parcel there
}

func (r *lineReader) sumAbove() {
	lines := r.remittances.Lines()
	for ; r.sums.lines < len(lines); r.sums.lines++ {
		r.sums.all[0] += lines[r.sums.lines].Listed
		r.sums.all[1] += lines[r.sums.lines].Stated
	}
}

// statesSums says whether the amounts of the current line are, column by column, the sums of
// all lines above it or of those since the last footer.
func (r *lineReader) statesSums(stated amounts, given [len(sumRoles)]bool) bool {
	r.sumAbove()
	equal := func(from, unidentified amounts) bool {
		for i := range stated {
			if given[i] && stated[i] != r.sums.all[i]-from[i]+unidentified[i] {
				return false
			}
		}
		return true
	}
	var none, since amounts
	for i := range since {
		since[i] = r.unidentified.sums[i] - r.sums.lastNothing[i]
	}
	return equal(none, none) || equal(r.sums.last, none) || equal(none, r.unidentified.sums) || equal(r.sums.last, since)
}

// hasTotal says whether a cell of the current line has the word total, also in a
// column that is not read.
func (r *lineReader) hasTotal() bool {
	record := r.rows.Record()
	return verdict.MayHaveTotal(record) && slices.ContainsFunc(r.table.Cells(record), verdict.IsTotal)
}

func (r *lineReader) exportHasAWB(cell []byte) bool {
	key, reliable := verdict.AWBKey(cell)
	if !reliable || len(key) == 0 {
		return false
	}
	orders := r.orders()
	return orders != nil && orders.HasAWB(key)
}

func (r *lineReader) exportHasOrder(cell []byte) bool {
	key := verdict.OrderKey(cell)
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
// line. It returns an error for a line that is the header of another report. Where a table
// of charges or claims follows the report's lines, its header makes the next parcel an error.
func (r *lineReader) skipHeader() (again bool, err error) {
	if r.repeatsHeader() {
		r.tableBelow = nil
		return true, nil
	}
	record := r.rows.Record()
	r.looks.lines++
	r.looks.bytes += len(record)
	if r.looks.lines > mostLooks || r.looks.bytes > mostLookBytes {
		return false, nil
	}
	switch other := newHeader(r.table.Cells(record)); {
	case slices.Equal(other.keys, r.header.keys): // case and signs aside
		again = r.registry.knows(other)
		r.tableBelow = nil
	case r.registry.knows(other):
		err = r.twoReports()
	case len(r.remittances.Lines()) > 0 && r.registry.namesParcels(other):
		if r.tableBelow = nil; other.tellsOfCharges(r.header) {
			r.tableBelow = r.twoReports()
		}
	}
	return again, err
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
