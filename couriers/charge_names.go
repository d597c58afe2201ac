package couriers

import (
	"slices"
	"strings"

	"milaan/domain"
)

// Words in the names of columns of charges. A name with any other word is not one of charges: it may be of a weight, a
// number, a rate, or an amount that has a tax in it.
var (
	gstWords    = []string{"gst", "igst", "cgst", "sgst", "utgst", "cess"}
	taxWords    = append([]string{"tds", "tcs"}, gstWords...)
	chargeWords = []string{"freight", "surcharge", "charge", "charges", "fee", "fees", "deduction", "deductions"}
	// What they are for.
	causeWords = []string{"cod", "cash", "collection", "handling", "shipping", "shipment", "rto", "forward", "fwd", "reverse", "return",
		"fuel", "service", "processing", "early", "remittance", "other", "excess", "additional", "weight", "discrepancy"}
	plainWords  = []string{"amount", "amt", "rs", "inr", "total", "deducted"}
	linkWords   = []string{"on", "of", "for"}
	actWords    = []string{"u", "s", "us", "sec", "section", "under", "o", "c", "h", "q"} // of u/s 194O
	behindWords = slices.Concat(plainWords, actWords, []string{"cod", "rto", "forward", "fwd", "and", "plus"})
	headWords   = slices.Concat(taxWords, chargeWords, causeWords, linkWords, behindWords)

	inclusive = []string{"incl", "including", "inclusive"}
	exclusive = []string{"excl", "excluding", "exclusive"}
	tailWords = slices.Concat(gstWords, []string{"of", "and", "tax", "taxes"})
)

// chargeName is what the words of a column's name say of charges.
type chargeName struct {
	is      bool // it has charges
	total   bool // it may have the total of other columns
	tax     bool // it has GST alone
	withTax bool // it has a charge with its GST
}

// readChargeName reads a name such as COD Handling Charges (Rs), GST @18%, TDS u/s 194O or Freight incl. GST.
func readChargeName(name string) (read chargeName) {
	head := domain.ColumnWords(name)
	if cut := slices.IndexFunc(head, func(word string) bool { return isAnyOf(word, inclusive, exclusive) }); cut >= 0 {
		read.withTax = slices.Contains(inclusive, head[cut])
		if tail := head[cut+1:]; len(tail) == 0 || !areAllOf(tail, tailWords) {
			return chargeName{}
		}
		head = head[:cut]
	}
	if read.total = slices.Contains(head, "total"); read.total {
		head = slices.DeleteFunc(slices.Clone(head), func(word string) bool { return word == "total" || word == "courier" })
	}
	first, last := -1, -1 // of the words that say that it has charges
	for i, word := range head {
		if isAnyOf(word, chargeWords, taxWords) {
			if last = i; first < 0 {
				first = i
			}
		}
	}
	isPlain := func(word string) bool { return slices.Contains(plainWords, word) }
	if first < 0 || !areAllOf(head, headWords) || slices.ContainsFunc(head[:first], isPlain) {
		return chargeName{} // Amount (Freight)
	}
	for i, word := range head[1:] {
		if (word == "and" || word == "plus") && !isAnyOf(head[i], chargeWords, taxWords) {
			return chargeName{} // COD & Freight
		}
	}
	if behind := head[last+1:]; len(behind) > 0 && !slices.Contains(linkWords, behind[0]) && !areAllOf(behind, behindWords) {
		return chargeName{} // Charge Weight
	}
	read.is = read.total || slices.ContainsFunc(head, func(word string) bool {
		return isAnyOf(word, taxWords, causeWords) || word == "freight" || word == "surcharge"
	}) // Charges alone may be anything
	read.tax = isAnyOf(head[last], gstWords) || isAnyOf(head[first], gstWords)
	return read
}

// namesRate says whether a name has a percent sign that no number stands before, as a column of rates has.
func namesRate(name string) bool {
	for i := range len(name) {
		before := strings.TrimRight(name[:i], " ")
		if name[i] == '%' && (before == "" || before[len(before)-1] < '0' || before[len(before)-1] > '9') {
			return true
		}
	}
	return false
}

func isAnyOf(word string, lists ...[]string) bool {
	return slices.ContainsFunc(lists, func(list []string) bool { return slices.Contains(list, word) })
}

func areAllOf(words, list []string) bool {
	return !slices.ContainsFunc(words, func(word string) bool { return !slices.Contains(list, word) })
}
