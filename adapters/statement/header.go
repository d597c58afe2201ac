package statement

import (
	"slices"
	"strings"

	"milaan/domain"
)

// layout is where a statement has its columns; absent is -1.
type layout struct {
	keys       []string // of all columns
	columns    [roleCount]int
	references []int
}

const absent = -1

// nameKeys are columnNames made ready for comparing, each once.
var nameKeys = func() (keys [roleCount + 1][]string) {
	for r, names := range columnNames {
		for _, name := range names {
			if key := domain.HeaderKey(name); !slices.Contains(keys[r], key) {
				keys[r] = append(keys[r], key)
			}
		}
	}
	return keys
}()

// locate finds the columns of a line that may be a header. A column has one role. A column
// of one amount counts only if there is none for credits, and one of directions only beside
// it: else it is about the balance.
func locate(cells [][]byte) layout {
	keys := domain.HeaderKeys(cells)
	at := layout{keys: keys}
	for r := range at.columns {
		for _, name := range nameKeys[r] {
			if at.columns[r] = slices.Index(keys, name); at.columns[r] != absent {
				break
			}
		}
	}
	if at.columns[credit] != absent {
		at.columns[amount] = absent
	}
	switch sum := at.columns[amount]; {
	case sum == absent:
		at.columns[direction] = absent
	case isDirection(keys[sum]): // amounts of Debit/Credit have signs, or words in another column, which is not that of the balance before it
		at.columns[direction] = absent
		for i, key := range keys {
			if i != sum && (i == 0 || i-1 != at.columns[balance]) && isDirection(key) {
				at.columns[direction] = i
			}
		}
	default:
		if i := slices.IndexFunc(keys[sum:], isDirection); i > 0 {
			at.columns[direction] = sum + i // the next one; another one may follow the balance
		}
	}
	for i, key := range keys {
		if slices.Contains(nameKeys[reference], key) {
			at.references = append(at.references, i)
		}
	}
	return at
}

// isDirection says whether a column of this name may have the directions of amounts.
func isDirection(key string) bool { return slices.Contains(nameKeys[direction], key) }

// otherFile returns the error for a header with a name that no statement has; nil if there is none. A column of balances is a bank's,
// or that of a ledger of the books, which is refused: its debits are money received.
func (at *layout) otherFile(cells [][]byte) error {
	i := slices.IndexFunc(at.keys, func(key string) bool { return slices.Contains(booksNames, key) })
	if i < 0 && at.columns[balance] == absent {
		i = slices.IndexFunc(at.keys, func(key string) bool {
			return slices.Contains(otherNames, key) || slices.ContainsFunc(otherParts, func(part string) bool { return strings.Contains(key, part) })
		})
	}
	if i < 0 {
		return nil
	}
	return &domain.FileError{File: domain.StatementFile, Rule: domain.RuleOtherFile, Column: domain.Quotable(cells[i]), NoHeader: true}
}

// turnDate takes the next best column of dates; it returns false if there is none.
func (at *layout) turnDate() bool {
	names := nameKeys[date]
	for _, name := range names[slices.Index(names, at.keys[at.columns[date]])+1:] {
		if i := slices.Index(at.keys, name); i >= 0 {
			at.columns[date] = i
			return true
		}
	}
	return false
}

// lacks returns the names of a required column that is absent, by what may stand for it; nil
// if there is none.
func (at *layout) lacks() [][]string {
	switch {
	case at.columns[date] == absent:
		return [][]string{columnNames[date]}
	case at.columns[credit] == absent && at.columns[amount] == absent:
		return [][]string{columnNames[credit], columnNames[amount]}
	case at.columns[narration] == absent && len(at.references) == 0:
		return [][]string{columnNames[narration]}
	}
	return nil
}

// checkUnique returns an error if the name of a column stands twice in the header: nothing
// says which of the two is meant. A column of directions may follow the balance as well, and a balance decides nothing.
func (at *layout) checkUnique(cells [][]byte) error {
	for r, i := range at.columns {
		if i == absent || role(r) == direction || role(r) == debit || role(r) == balance {
			continue
		}
		if again := slices.Index(at.keys[i+1:], at.keys[i]); again != absent {
			return &domain.FileError{File: domain.StatementFile, Rule: domain.RuleColumnTwice, Column: domain.Quotable(cells[i]),
				Candidates: []domain.Candidate{{Place: i + 1}, {Place: i + again + 2}}}
		}
	}
	return nil
}

// explainNoHeader returns the error for a file in which no line is the header of a
// statement; cells is the line that looks most like one.
func explainNoHeader(line int, cells [][]byte) error {
	at := locate(cells)
	if err := at.otherFile(cells); err != nil {
		return err
	}
	return lacking(at.lacks(), line, cells)
}

func lacking(names [][]string, line int, cells [][]byte) *domain.FileError {
	e := &domain.FileError{File: domain.StatementFile, Rule: domain.RuleNoColumn, Line: line, NoHeader: true, LookedFor: names}
	for _, cell := range cells {
		e.Found = append(e.Found, domain.Quotable(cell))
	}
	return e
}

// lackingOne is the error for a statement of which the lines show that it lacks a column.
func lackingOne(names []string, header [][]byte) error {
	e := lacking([][]string{names}, 0, header)
	e.NoHeader = false
	return e
}
