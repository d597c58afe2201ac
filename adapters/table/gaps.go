package table

import (
	"bytes"
	"slices"
	"strconv"

	"milaan/adapters/table/sheet"
	"milaan/domain"
)

// lastColumns is more columns than any sheet has.
const lastColumns = 1 << 14

// hasGaps says that the text of a sheet has sheet.Gap for separators.
func hasGaps(text []byte) bool { return bytes.IndexByte(text, sheet.Gap) >= 0 }

// withoutGaps returns the text of a sheet with separators in the place of sheet.Gap, or
// sheet.ErrLarge. Below the header, which is on a line from 1 and has the given number of columns, it writes
// none for columns that the header does not have; and at the first record that has a cell there,
// which ends the rows with an error, the text ends. So separators take at most as many bytes as
// the lines have columns that are read. header 0: there is none; the lines are written whole.
func (w *workbook) withoutGaps(text []byte, header, columns int) ([]byte, error) {
	if !hasGaps(text) {
		return text, nil
	}
	if header == 0 {
		columns = lastColumns
	}
	size := len(text) + separators(text, columns)
	if header > 0 { // the lines down to the header are whole
		size += headerLines * lastColumns
	}
	if int64(size) > w.most+headerLines*lastColumns {
		return nil, sheet.ErrLarge
	}
	if err := w.claims.claim(size); err != nil {
		return nil, err
	}
	whole := make([]byte, 0, size)
	for number := 1; len(text) > 0; number++ {
		end := bytes.IndexByte(text, '\n') + 1
		if end == 0 {
			end = len(text)
		}
		line := text[:end]
		text = text[end:]
		from := len(whole)
		if !hasGaps(line) || number <= header {
			whole = appendSeparated(whole, line, lastColumns)
			continue
		}
		whole = appendSeparated(whole, line, columns)
		if header == 0 {
			continue
		}
		record := whole[from:]
		if _, blank := sheetDialect.blankFrom(record, columns); blank || allSeparators(record) {
			continue // of the columns that the header has, it has as many as before
		}
		ends := !sheetDialect.blank(record) // else it may be passed over
		if err := w.claims.claim(len(line) + lastColumns); err != nil {
			return nil, err
		}
		if whole = appendSeparated(whole[:from], line, lastColumns); ends || int64(len(whole)) > w.most {
			break
		}
	}
	if int64(len(whole)) > w.most {
		return nil, sheet.ErrLarge
	}
	return whole, nil
}

// allSeparators says that no cell of a record is a value: whatever columns are read, it is passed
// over.
func allSeparators(record []byte) bool {
	cells, _, _ := (&csvFile{dialect: sheetDialect}).record(nil, record)
	return !slices.ContainsFunc(cells, func(cell []byte) bool {
		return !domain.IsSeparator(cell) && !domain.IsSeparator(domain.Unwrap(cell))
	})
}

// separators returns how many bytes the separators of all gaps take, of which each has at
// most the given number.
func separators(text []byte, most int) (n int) {
	for {
		_, count, rest, found := nextGap(text)
		if !found {
			return n
		}
		n, text = n+min(count, most), rest
	}
}

// nextGap returns what stands before the first gap of a text, how many separators it stands
// for, and what follows it.
func nextGap(text []byte) (before []byte, count int, rest []byte, found bool) {
	at := bytes.IndexByte(text, sheet.Gap)
	if at < 0 {
		return text, 0, nil, false
	}
	before, rest = text[:at], text[at+1:]
	digits, rest, _ := bytes.Cut(rest, []byte{sheet.Gap})
	count, _ = strconv.Atoi(string(digits)) // package sheet wrote them
	return before, count, rest, true
}

// appendSeparated appends a line with separators in the place of its gaps; beyond a column,
// with one for each gap.
func appendSeparated(dst, line []byte, columns int) []byte {
	column := 0
	for {
		before, count, rest, found := nextGap(line)
		dst = append(dst, before...)
		if !found {
			return dst
		}
		column += separatorsIn(before)
		for range min(count, max(1, columns-column)) {
			dst = append(dst, sheetDialect.comma)
		}
		column, line = column+count, rest
	}
}

// separatorsIn counts the separators of a part of a line between two gaps, which stand in no
// quoted cell.
func separatorsIn(part []byte) (n int) {
	quoted := false
	for _, b := range part {
		switch {
		case b == quote:
			quoted = !quoted
		case b == sheetDialect.comma && !quoted:
			n++
		}
	}
	return n
}
