package books

import (
	"slices"
	"strings"

	"milaan/domain"
)

// charge is a kind of charges, each with a ledger of its own.
type charge uint8

const (
	codCharge charge = iota
	freight
	chargesTax
	taxDeducted
	otherCharge
	differences
)

// chargeWords are words in the names of columns of charges, by what they are for. The first that a name has decides: the
// tax on freight is a tax.
var chargeWords = []struct {
	charge charge
	words  []string
}{
	{taxDeducted, []string{"tds", "tcs", "withholding", "deducted", "collected"}}, // the last two after a tax
	{chargesTax, []string{"gst", "igst", "cgst", "sgst", "utgst", "tax", "cess", "vat"}},
	{freight, []string{"freight", "shipping", "shipment", "rto", "forward", "fwd", "reverse", "return", "courier", "delivery", "weight",
		"zone", "fuel"}},
	{codCharge, []string{"cod", "cash", "collection", "early", "remittance"}},
}

// Words beside that of a tax. Who claims the tax of a purchase back must not claim what is none.
var (
	without = []string{"excl", "excluding", "exclusive", "exclude", "excludes", "ex", "before", "pre", "without", "less", "net of"}
	within  = []string{"incl", "including", "include", "includes", "inclusive", "with", "after", "post", "and", "plus"}
	inside  = []string{"included", "inclusive"} // behind the word
	on      = []string{"taxable", "assessable", "exempt"}
)

// chargeOf says what a charge is for, by the words of the name of its column.
func chargeOf(column string) charge {
	words := wordsOf(column)
	for _, of := range chargeWords {
		for i, word := range words {
			switch {
			case !slices.Contains(of.words, word):
			case word == "deducted" || word == "collected":
				if i > 0 && words[i-1] == "tax" && statesTax(words, i-1) {
					return of.charge
				}
			case of.charge != chargesTax && of.charge != taxDeducted || statesTax(words, i):
				return of.charge
			}
		}
	}
	return otherCharge
}

// statesTax says whether the word of a tax says that a column has the tax, and not another charge with it or without it.
func statesTax(words []string, at int) bool {
	if slices.ContainsFunc(words, func(word string) bool { return slices.Contains(on, word) }) {
		return false
	}
	for i, word := range words[:at] {
		if slices.Contains(without, word) || slices.Contains(within, word) || slices.Contains(without, word+" "+words[i+1]) {
			return false
		}
	}
	alone := !slices.ContainsFunc(words, func(word string) bool { return !isTax(word) && !slices.Contains(inside, word) })
	return alone || at+1 == len(words) || !slices.Contains(inside, words[at+1])
}

func isTax(word string) bool { return slices.Contains(chargeWords[chargesTax-freight].words, word) }

// endings are what names write together with a word, or behind it.
var endings = []string{"charges", "charge", "fees", "fee", "amount", "amt", "cost", "es", "s"}

// wordsOf returns the words of a name without their endings.
func wordsOf(name string) []string {
	words := domain.ColumnWords(name)
	for i := range words {
		words[i] = withoutEnding(words[i])
	}
	return words
}

// withoutEnding returns the word of chargeWords that a word is but for its ending, or else the word.
func withoutEnding(word string) string {
	for _, ending := range endings {
		short, ends := strings.CutSuffix(word, ending)
		for _, of := range chargeWords {
			if ends && slices.Contains(of.words, short) {
				return short
			}
		}
	}
	return word
}
