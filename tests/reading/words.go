package reading

import (
	"slices"
	"strings"
	"unicode"
)

// split parts a text into words: case aside, and with blanks for punctuation.
func split(text string) []string {
	return strings.FieldsFunc(strings.ToLower(text), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r)
	})
}

// holds reports whether the words contain one of the phrases. A phrase that ends
// in "…" is a stem: the last word begins with it.
func holds(words []string, phrases ...string) bool {
	for _, phrase := range phrases {
		wanted := strings.Fields(phrase)
		for start := 0; start+len(wanted) <= len(words); start++ {
			all := true
			for i, want := range wanted {
				if !means(words[start+i], want) {
					all = false
				}
			}
			if all {
				return true
			}
		}
	}
	return false
}

// means reports whether a word is the wanted one, or begins with the wanted stem.
func means(word, want string) bool {
	if stem, isStem := strings.CutSuffix(want, "…"); isStem {
		return strings.HasPrefix(word, stem)
	}
	return word == want
}

// What a remittance status says of the money.
const (
	paid    = "paid"
	unpaid  = "unpaid"
	unknown = "unknown"
)

var paidWords = []string{
	"remitted", "paid", "settled", "credited", "transferred", "disbursed", "released", "processed", "complete…", "success…", "done", "closed",
}

func readMoneyStatus(text string) string {
	words := split(text)
	whole := strings.Join(words, " ")
	if strings.Trim(text, "-=_*. ") == "" {
		return paid // a blank cell
	}
	if whole == "no" || whole == "n" || whole == "false" || whole == "0" {
		return unpaid
	}
	if holds(words, "not", "non", "never", "un…", "yet", "will", "being", "to be") {
		return unpaid
	}
	isPaid := holds(words, paidWords...)
	if !isPaid && holds(words, "pending", "initiated", "processing", "in process", "in progress", "queued", "scheduled", "upcoming", "due",
		"awaiting", "awaited", "hold", "withheld", "fail…", "reject…", "bounce…", "return…", "cancel…", "revers…", "disput…", "outstanding") {
		return unpaid
	}
	if whole == "yes" || whole == "y" || whole == "true" || whole == "1" {
		return paid
	}
	if !isPaid {
		return unknown
	}
	for _, word := range words {
		beside := holds([]string{word}, paidWords...) || isNumber(word) || holds([]string{word}, strings.Fields(
			"cod amount payment remittance to in on by via bank account seller merchant neft imps rtgs upi utr no fully")...)
		if !beside {
			return unknown
		}
	}
	return paid
}

// saysReversed reports whether money did not stay, by a remittance status.
func saysReversed(text string) bool {
	return readMoneyStatus(text) == unpaid &&
		holds(split(text), "fail…", "reject…", "bounce…", "return…", "cancel…", "revers…", "disput…")
}

// isNumber reports whether the word has digits only.
func isNumber(word string) bool {
	for _, r := range word {
		if !unicode.IsDigit(r) {
			return false
		}
	}
	return word != ""
}

// isReturned reports whether a shipment status says that the parcel came back.
func isReturned(status string) bool {
	return holds(split(status), "rto", "r t o", "rts", "return…")
}

// isOnItsWay reports whether the status of a parcel that comes back says that it has not
// arrived yet.
func isOnItsWay(status string) bool {
	words := split(status)
	return isReturned(status) && !holds(words, "delivered", "complete…", "received") &&
		holds(words, "transit", "initiated", "pending", "process", "processing", "undelivered", "dispatched", "out for", "ofd", "lock", "requested")
}

// neverLeft reports whether a shipment status says that the parcel never left.
func neverLeft(status string) bool {
	words := split(status)
	if holds(words, "cancel…", "not picked", "manifest…", "ready to ship") {
		return true
	}
	return holds(words, "pickup…") && !holds(words, "done", "complete…")
}

// partedAt parts the payment method cell of an order into the methods it names, each
// once. What a gateway lists in parentheses is no method of its own.
func partedAt(cell, signs string) []string {
	var all []string
	depth := 0
	for _, method := range strings.FieldsFunc(strings.ToLower(cell), func(r rune) bool {
		switch r {
		case '(':
			depth++
		case ')':
			depth = max(0, depth-1)
		}
		return depth == 0 && strings.ContainsRune(signs, r)
	}) {
		if method = strings.TrimSpace(method); method != "" && !slices.Contains(all, method) {
			all = append(all, method)
		}
	}
	return all
}

// methods are the methods of a cell as Shopify joins them.
func methods(cell string) []string { return partedAt(cell, "+") }

// namesCOD reports whether one method names cash on delivery, whatever else is known
// of the order.
func namesCOD(method string) bool {
	return holds(split(method), "cod", "cash on delivery", "pay on delivery", "कैश ऑन डिलीवरी", "ppcod")
}

// namesPrepaid reports whether one method is one of those of the cases that are known
// to be prepaid.
func namesPrepaid(method string) bool {
	return !namesCOD(method) && holds(split(method), "razorpay", "upi", "prepaid", "shopify payments", "wallet", "bogus")
}

// namesCash reports whether a payment method names cash on delivery, which for
// some names hangs on whether the order is pending or has an AWB. A manual method
// that says how it is prepaid is no cash.
func namesCash(cell string, pending, hasAWB bool) bool {
	for _, method := range methods(cell) {
		words := split(method)
		if namesCOD(method) {
			return true
		}
		if strings.Join(words, " ") == "cash" && (pending || hasAWB) {
			return true
		}
		if holds(words, "manual") && pending && !namesPrepaid(method) {
			return true
		}
	}
	return false
}

// saysPartPaid reports whether a payment method says that part was paid before, or
// names a prepaid one beside cash on delivery, by whatever sign they are parted.
func saysPartPaid(cell string) bool {
	beside := partedAt(cell, "+,;|/&")
	return len(methods(cell)) > 1 || holds(split(cell), "ppcod", "partial…", "part paid", "advance…") ||
		slices.ContainsFunc(beside, namesCOD) && slices.ContainsFunc(beside, namesPrepaid)
}
