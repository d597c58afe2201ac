package storefront

import (
	"slices"

	"milaan/domain"
)

// column is what a column of the export means to us.
type column uint8

const (
	name column = iota
	total
	createdAt
	paidAt
	fulfilledAt
	outstanding
	financialStatus
	fulfilmentStatus
	paymentMethod
	cancelledAt
	currency
	columnCount
	// An export may have several of each of these: one app fills in what another leaves blank.
	tracking  = columnCount
	carrier   = columnCount + 1
	nameLists = columnCount + 2
)

// layout is where an export of a provider has its columns; absent is -1.
type layout struct {
	provider *provider
	columns  [columnCount]int
	tracking []int
	carriers []int
	known    int      // how many columns that is
	lacks    []string // the names of a required column that is absent, of which one would do
}

// locate finds the columns of a header, whose keys are given.
func (p *provider) locate(keys []string) layout {
	at := layout{provider: p}
	for c := range at.columns {
		at.columns[c] = absent
		for _, alias := range p.keys[c] {
			if at.columns[c] = slices.Index(keys, alias); at.columns[c] != absent {
				at.known++
				break
			}
		}
	}
	for i, key := range keys {
		if slices.Contains(p.keys[tracking], key) {
			at.tracking = append(at.tracking, i)
			at.known++
		}
		if slices.Contains(p.keys[carrier], key) {
			at.carriers = append(at.carriers, i)
			at.known++
		}
	}
	at.lacks = at.listMissing()
	return at
}

// checkUnique returns an error if the name of a column stands twice in the header:
// nothing says which of the two is meant.
func (at layout) checkUnique(cells [][]byte, keys []string) error {
	for _, i := range at.columns {
		if i == absent {
			continue
		}
		if again := slices.Index(keys[i+1:], keys[i]); again != absent {
			return &domain.FileError{File: domain.StorefrontFile, Rule: domain.RuleColumnTwice, Column: domain.Quotable(cells[i]),
				Candidates: []domain.Candidate{{Place: i + 1}, {Place: i + again + 2}}}
		}
	}
	return nil
}

const absent = -1

// listMissing returns the names, in the export's own words, of a required column that
// the header lacks; nil if it lacks none.
func (at layout) listMissing() []string {
	for _, c := range []column{name, total} {
		if at.columns[c] == absent {
			return at.provider.Columns[c][:1]
		}
	}
	var dates []string
	for _, c := range []column{createdAt, paidAt, fulfilledAt} {
		if at.columns[c] != absent {
			return nil
		}
		dates = append(dates, at.provider.Columns[c][:min(1, len(at.provider.Columns[c]))]...)
	}
	return dates
}

// explainNoHeader returns the error for a file in which no line is an export's header;
// cells is the line that looks most like one.
func (r *Registry) explainNoHeader(line int, cells [][]byte) error {
	at, _, _ := r.recognise(cells)
	e := &domain.FileError{File: domain.StorefrontFile, Rule: domain.RuleNoColumn, Line: line, NoHeader: true, LookedFor: [][]string{at.lacks},
		Exporters: []domain.Exporter{at.provider.describe()}}
	for _, cell := range cells {
		e.Found = append(e.Found, domain.Quotable(cell))
	}
	return e
}
