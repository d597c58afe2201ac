package storefront

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

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
	tracking = columnCount // of which an export may have several: what one app leaves blank another has filled in
)

// layout is where an export of a provider has its columns; absent is -1.
type layout struct {
	provider *provider
	columns  [columnCount]int
	tracking []int
	known    int    // how many columns that is
	lacks    string // what is required and absent, in the export's own words
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
	}
	at.lacks = at.missing()
	return at
}

// checkUnique refuses a header in which the name of a column stands twice: nothing
// tells which is meant.
func (at layout) checkUnique(cells [][]byte, keys []string) error {
	for _, i := range at.columns {
		if i == absent {
			continue
		}
		if again := slices.Index(keys[i+1:], keys[i]); again != absent {
			return &domain.FileError{File: domain.StorefrontFile, Column: domain.Quotable(cells[i]),
				Problem: fmt.Sprintf("stands twice in the header, as columns %d and %d", i+1, i+again+2),
				Advice:  "rename or delete the one that is not meant"}
		}
	}
	return nil
}

const absent = -1

// missing names what a header lacks, in the export's own words.
func (at layout) missing() string {
	for _, c := range []column{name, total} {
		if at.columns[c] == absent {
			return at.provider.Columns[c][0]
		}
	}
	var dates []string
	for _, c := range []column{createdAt, paidAt, fulfilledAt} {
		if at.columns[c] != absent {
			return ""
		}
		dates = append(dates, at.provider.Columns[c][:min(1, len(at.provider.Columns[c]))]...)
	}
	if len(dates) == 1 {
		return dates[0]
	}
	return fmt.Sprintf("%s (or %s)", dates[0], strings.Join(dates[1:], ", or "))
}

// noHeader is the error for a file in which no line is an export's header;
// cells is the line that looks most like one.
func (r *Registry) noHeader(line int, cells [][]byte) error {
	at, _, _ := r.recognise(cells)
	return &domain.FileError{File: domain.StorefrontFile, Line: line, NoHeader: true,
		Problem: fmt.Sprintf("no column %s was found; the header found is: %s", at.lacks, listed(cells)),
		Advice:  fmt.Sprintf("send the orders export as %s writes it (%s)", at.provider.Name, at.provider.Export)}
}

// listedColumns is how many columns of a header a message repeats.
const listedColumns = 12

func listed(cells [][]byte) string {
	var b strings.Builder
	for i, cell := range cells {
		if i == listedColumns {
			fmt.Fprintf(&b, " and %d more", len(cells)-i)
			break
		}
		if i > 0 {
			b.WriteString(", ")
		}
		fmt.Fprintf(&b, "%.40s", strings.Trim(strconv.QuoteToGraphic(domain.Quotable(cell)), `"`))
	}
	return b.String()
}
