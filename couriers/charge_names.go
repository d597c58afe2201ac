package couriers

import (
	"slices"
	"strings"
	"unicode"

	"milaan/domain"
)

// Words in the names of columns of charges. A name with any other word is not one of charges: it may be of a weight, a
// number, a rate, or an amount that has a tax in it.
var (
	gstWords    = []string{"gst", "igst", "cgst", "sgst", "utgst", "cess"}
	taxWords    = append([]string{"tds", "tcs"}, gstWords...)
	openWords   = []string{"charge", "charges", "fee", "fees", "deduction", "deductions"} // they do not say of what
	chargeWords = append([]string{"freight", "surcharge"}, openWords...)
	// What they are for.
	causeWords = []string{"cod", "cash", "collection", "handling", "shipping", "shipment", "rto", "forward", "fwd", "reverse", "return",
		"fuel", "service", "processing", "early", "remittance", "other", "excess", "additional", "weight", "discrepancy"}
	plainWords  = []string{"amount", "amt", "rs", "inr", "total", "deducted"}
	linkWords   = []string{"on", "of", "for"}
	andWords    = []string{"and", "plus"}
	actWords    = []string{"u", "s", "us", "sec", "section", "under"} // of u/s 194O
	actLetters  = []string{"o", "c", "h", "q"}
	behindWords = slices.Concat(plainWords, actWords, actLetters, andWords, []string{"rto", "forward", "fwd"})
	headWords   = slices.Concat(taxWords, chargeWords, causeWords, linkWords, behindWords)

	inclusive = []string{"incl", "including", "inclusive"}
	exclusive = []string{"excl", "excluding", "exclusive"}
	tailWords = slices.Concat(gstWords, []string{"of", "and", "tax", "taxes"})
)

type chargeName struct {
	is      bool // it has charges
	total   bool // it has the total of all charges
	tax     bool // it has GST alone
	withTax bool // it has a charge with its GST
	known   bool // the vocabulary, a courier or a person has it, and not its words alone
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
	if lacksNumber(name, head) {
		return chargeName{} // TDS Section
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
	if read.total && slices.ContainsFunc(head, func(word string) bool { return !isAnyOf(word, openWords, plainWords) }) {
		return chargeName{} // Total GST: part of another total, or of what single columns have
	}
	for i, word := range head[1:] {
		if slices.Contains(andWords, word) && !isAnyOf(head[i], chargeWords, taxWords) {
			return chargeName{} // COD & Freight
		}
	}
	if behind := head[last+1:]; len(behind) > 0 && !slices.Contains(linkWords, behind[0]) && !areAllOf(behind, behindWords) {
		return chargeName{} // Charge Weight, Freight COD Amount
	}
	read.is = read.total || slices.ContainsFunc(head, func(word string) bool {
		return isAnyOf(word, taxWords, causeWords) || word == "freight" || word == "surcharge"
	}) // Charges alone may be anything
	read.tax = isAnyOf(head[last], gstWords) || isAnyOf(head[first], gstWords)
	return read
}

// lacksNumber says whether a name lacks the number of an act's section, or ends where one should follow.
func lacksNumber(name string, words []string) bool {
	const digits = "0123456789"
	ofAct := func(word string) bool { return isAnyOf(word, actWords, actLetters) }
	if !strings.ContainsAny(name, digits) && slices.ContainsFunc(words, ofAct) {
		return true
	}
	end := strings.TrimRightFunc(name, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	return len(words) > 0 && isAnyOf(words[len(words)-1], linkWords, andWords, actWords) && !strings.ContainsAny(end[len(end)-1:], digits)
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
