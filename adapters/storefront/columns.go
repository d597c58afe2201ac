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
)

// known lists the names that a column goes by, the best first, as
// domain.HeaderKey gives them (decisions, section 1). Shopify has no tracking
// column of its own; every app that adds one has its own name for it.
var known = [columnCount][]string{
	name:             {"name"},
	total:            {"total"},
	createdAt:        {"createdat"},
	paidAt:           {"paidat"},
	fulfilledAt:      {"fulfilledat"},
	outstanding:      {"outstandingbalance"},
	financialStatus:  {"financialstatus"},
	fulfilmentStatus: {"fulfillmentstatus", "fulfilmentstatus"},
	paymentMethod:    {"paymentmethod"},
	cancelledAt:      {"cancelledat", "canceledat"},
	currency:         {"currency"},
}

// tracking lists the names of columns with AWBs. An export may have several:
// what one app leaves blank another has filled in.
var tracking = []string{"trackingnumber", "trackingnumbers", "awb", "awbnumber", "awbno", "awbcode", "fulfillmenttrackingnumber",
	"fulfillmenttrackingnumbers", "fulfilmenttrackingnumber", "shippingtrackingnumber", "waybill", "waybillnumber", "trackingid", "trackingno"}

// layout is where an export has its columns; absent is -1.
type layout struct {
	columns  [columnCount]int
	tracking []int
}

// recognise reads a header. found says that it has all that is required. Two
// columns of one name are an error: nothing tells which is meant.
func recognise(cells [][]byte) (at layout, found bool, err error) {
	keys := make([]string, len(cells))
	for i, cell := range cells {
		keys[i] = domain.HeaderKey(string(cell))
	}
	for c := range known {
		at.columns[c] = absent
		for _, alias := range known[c] {
			if at.columns[c] = position(keys, alias); at.columns[c] != absent {
				break
			}
		}
	}
	if missing(at) != "" {
		return at, false, nil
	}
	for i, key := range keys {
		if slices.Contains(tracking, key) {
			at.tracking = append(at.tracking, i)
		}
	}
	for _, i := range at.columns {
		if i == absent {
			continue
		}
		if again := position(keys[i+1:], keys[i]); again != absent {
			return at, false, &domain.FileError{File: domain.StorefrontFile, Column: domain.Quotable(cells[i]),
				Problem: fmt.Sprintf("stands twice in the header, as columns %d and %d", i+1, i+again+2),
				Advice:  "rename or delete the one that is not meant"}
		}
	}
	return at, true, nil
}

const absent = -1

func position(keys []string, key string) int {
	for i, k := range keys {
		if k == key {
			return i
		}
	}
	return absent
}

// missing names what a header lacks, in the export's own words.
func missing(at layout) string {
	switch {
	case at.columns[name] == absent:
		return "Name"
	case at.columns[total] == absent:
		return "Total"
	case at.columns[createdAt] == absent && at.columns[paidAt] == absent && at.columns[fulfilledAt] == absent:
		return "Created at (or Paid at, or Fulfilled at)"
	}
	return ""
}

// noHeader is the error for a file in which no line is an export's header;
// cells is the line that looks most like one.
func noHeader(line int, cells [][]byte) error {
	at, _, _ := recognise(cells)
	return &domain.FileError{File: domain.StorefrontFile, Line: line, NoHeader: true,
		Problem: fmt.Sprintf("no column %s was found; the header found is: %s", missing(at), listed(cells)),
		Advice:  "send the orders export as Shopify writes it (Orders, Export, Plain CSV file)"}
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
