package couriers

import (
	"bytes"
	"cmp"
	"slices"

	"milaan/domain"
	"milaan/domain/verdict"
)

// A spreadsheet keeps 15 digits of a number. Of a longer id that is no text it makes zeros of the others, or all are lost behind an
// exponent, and several parcels have one id then: they count as one, or as repeats. What the id was cannot be told, so a warning says
// what to do. AWBs with an exponent or with many zeros are left to the verdict, which takes them for rounded ones.

const (
	keptDigits = 15
	fewestCut  = 4 // honest ids end in as many zeros once in ten thousand reports
)

// cutIDs are the lines of a report whose id in one column has lost digits, or seems to.
type cutIDs struct {
	role   domain.Role
	sure   []int32 // with an exponent
	zeros  []int32 // with nothing but zeros behind the digits that are kept
	honest bool    // a long id has another digit there
}

// of returns the id of a line in the column, and the other one.
func (c *cutIDs) of(line *verdict.Remittance) (id, other []byte) {
	if c.role == domain.RoleAWB {
		return line.AWB, line.OrderID
	}
	return line.OrderID, line.AWB
}

// mayBeCut is called for every line, so it looks at no more than a length and a byte.
func mayBeCut(id []byte) bool { return len(id) > keptDigits || len(id) > 4 && id[len(id)-3] == '+' }

// add notes an id that may be cut, of the line at a place of the report.
func (c *cutIDs) add(id []byte, place int32) {
	if id[len(id)-3] == '+' {
		if _, reliable := verdict.AWBKey(id); !reliable {
			c.sure = append(c.sure, place)
		}
		return
	}
	if c.honest {
		return
	}
	zeros := true
	for i, b := range id {
		if b-'0' > 9 {
			return
		}
		zeros = zeros && (i < keptDigits || b == '0')
	}
	if c.zeros = append(c.zeros, place); !zeros {
		c.honest, c.zeros = true, nil
	}
}

// noteCut notes which ids of the line that was added last may be cut.
func (r *lineReader) noteCut(line *verdict.Remittance) {
	place := int32(len(r.remittances.Lines()) - 1)
	if mayBeCut(line.AWB) && !line.AWBRounded && !verdict.LooksRounded(line.AWB) {
		r.cut[0].add(line.AWB, place)
	}
	if mayBeCut(line.OrderID) {
		r.cut[1].add(line.OrderID, place)
	}
}

// found returns the lines whose id is cut. Zeros prove it if all long ids end in them, and some stand on several lines.
func (c *cutIDs) found(lines []verdict.Remittance) []int32 {
	compare := func(a, b int32) int {
		id, other := c.of(&lines[a])
		idOfB, otherOfB := c.of(&lines[b])
		return cmp.Or(bytes.Compare(id, idOfB), bytes.Compare(other, otherOfB), cmp.Compare(lines[a].Listed, lines[b].Listed),
			cmp.Compare(lines[a].Stated, lines[b].Stated))
	}
	sorted := slices.SortedFunc(slices.Values(c.zeros), compare)
	different, again := 0, false
	for i, place := range sorted {
		if i == 0 || compare(place, sorted[i-1]) != 0 {
			different++
		}
		if id, _ := c.of(&lines[place]); i > 0 && !again {
			before, _ := c.of(&lines[sorted[i-1]])
			again = bytes.Equal(id, before)
		}
	}
	if !again || different < fewestCut {
		return c.sure
	}
	return slices.Sorted(slices.Values(slices.Concat(c.sure, c.zeros)))
}

func (r *lineReader) cutWarnings() (all []domain.Warning) {
	const mostExamples = 3
	lines := r.remittances.Lines()
	for i := range r.cut {
		c := &r.cut[i]
		found := c.found(lines)
		if len(found) == 0 {
			continue
		}
		w := domain.Warning{Code: domain.WarnCutIDs, Count: len(found), Column: r.columnName(c.role), Line: int(lines[found[0]].Line)}
		for _, place := range found {
			id, _ := c.of(&lines[place])
			if text := domain.Quotable(id); !slices.Contains(w.Examples, text) {
				w.Examples = append(w.Examples, text)
			}
			if len(w.Examples) == mostExamples {
				break
			}
		}
		all = append(all, w)
	}
	return all
}
