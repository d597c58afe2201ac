package domain

import (
	"bytes"
	"slices"
	"strings"
	"unicode/utf8"
)

// Payment is how the customer was to pay.
type Payment uint8

// The ways of paying.
const (
	PaymentBlank   Payment = iota // no word about it: counts as cash on delivery
	PaymentCOD                    // cash on delivery
	PaymentPrepaid                // a method that is known to be prepaid
	PaymentUnknown                // given, and neither cash on delivery nor known: counts as prepaid
	PaymentManual                 // "manual": cash on delivery while the order is pending
	PaymentCash                   // "cash": the same, and where the order has an AWB
)

// longestMethod is how many bytes of a payment method are looked at: several times
// the longest that a shop shows its customers.
const longestMethod = 512

// PaymentOf reads a payment method (decisions, section 2). It may name several, as
// in Razorpay + Cash on Delivery: it is cash on delivery if one of them is.
// partPrepaid says that a part was paid beforehand and the rest is collected: there
// are several, or one says so, as in Gokwik PPCOD. No word counts as cash on
// delivery: some shops leave it blank for every such order.
func PaymentOf(cell []byte) (payment Payment, partPrepaid bool) {
	cell = Unwrapped(cell)
	if IsBlank(cell) {
		return PaymentBlank, false
	}
	method := strings.ToLower(string(cell[:min(len(cell), longestMethod)]))
	whole := readMethod(method)
	named := methodsOf(method, "+")
	for _, one := range named {
		switch m := readMethod(one); {
		case m.payment == PaymentCOD, m.payment == PaymentCash && payment != PaymentCOD:
			payment = m.payment
		case payment == PaymentCOD || payment == PaymentCash:
		case payment == PaymentBlank, m.payment == PaymentManual:
			payment = m.payment
		case m.payment == PaymentUnknown && payment == PaymentPrepaid:
			payment = PaymentUnknown
		}
	}
	return payment, len(named) > 1 || whole.partPrepaid || namesBoth(method)
}

// namesBoth says that a method names cash on delivery and a prepaid one side by
// side, without the plus that Shopify writes: Prepaid / COD.
func namesBoth(method string) bool {
	cod, prepaid := false, false
	for _, one := range methodsOf(method, ",;|/&") {
		switch readMethod(one).payment {
		case PaymentCOD:
			cod = true
		case PaymentPrepaid:
			prepaid = true
		}
	}
	return cod && prepaid
}

// methodsOf takes a method apart at some signs, but for those in parentheses, which
// list what one gateway takes: Razorpay Secure (UPI, Cards). Each is given once.
func methodsOf(method, signs string) []string {
	var all []string
	depth, from := 0, 0
	for i := 0; i <= len(method); i++ {
		switch {
		case i < len(method) && method[i] == '(':
			depth++
		case i < len(method) && method[i] == ')':
			depth = max(depth-1, 0)
		case i == len(method) || depth == 0 && strings.IndexByte(signs, method[i]) >= 0:
			one := strings.TrimSpace(method[from:i])
			if one != "" && !slices.Contains(all, one) && len(all) < maxMethods {
				all = append(all, one)
			}
			from = i + 1
		}
	}
	return all
}

// maxMethods is how many methods one order may name. Nobody pays in more ways.
const maxMethods = 8

type method struct {
	payment     Payment
	partPrepaid bool
}

// readMethod reads one method in small letters.
func readMethod(text string) method {
	words := strings.FieldsFunc(text, func(r rune) bool { return r < utf8.RuneSelf && !inWord(byte(r)) || isBlankRune(r) })
	joined := strings.Join(words, "")
	m := method{payment: PaymentUnknown, partPrepaid: saysPartPrepaid(words, joined)}
	switch {
	case namesCOD(text, joined):
		m.payment = PaymentCOD
	case joined == "cash":
		m.payment = PaymentCash
	case isKnownPrepaid(words, joined):
		m.payment = PaymentPrepaid
	case slices.Contains(words, "manual"):
		m.payment = PaymentManual
	}
	return m
}

// namesCOD says that a method names cash on delivery: it says so in full, or has
// cod in it, as in Cash on Delivery (COD), gokwik_cod, C.O.D. and Gokwik PPCOD, but
// not in a code.
func namesCOD(text, joined string) bool {
	for _, full := range [...]string{"cashondelivery", "payondelivery", "कैशऑनडिलीवरी"} {
		if strings.Contains(joined, full) {
			return true
		}
	}
	for rest := strings.ReplaceAll(text, ".", ""); ; {
		_, after, found := strings.Cut(rest, "cod")
		if !found {
			return false
		}
		if !strings.HasPrefix(after, "e") { // not a code
			return true
		}
		rest = after
	}
}

// saysPartPrepaid knows the words for a payment of which the courier collects the
// rest.
func saysPartPrepaid(words []string, joined string) bool {
	if strings.Contains(joined, "ppcod") || strings.Contains(joined, "partpaid") || strings.Contains(joined, "partpayment") {
		return true
	}
	return slices.ContainsFunc(words, func(word string) bool {
		return word == "advance" || strings.HasPrefix(word, "partial")
	})
}

// prepaidNames are the gateways, wallets and cards that shops in India take, and
// some abroad, wherever they stand in a method's name; its blanks and signs are
// left out. bogus is Shopify's gateway for testing.
var prepaidNames = [...]string{
	"razorpay", "payu", "paytm", "phonepe", "cashfree", "ccavenue", "easebuzz", "instamojo", "billdesk", "juspay", "pinelabs", "zaakpay",
	"worldline", "payglocal", "googlepay", "amazonpay", "applepay", "samsungpay", "mobikwik", "freecharge", "airtelmoney", "olamoney", "jiomoney", "jiopay", "bharatpe",
	"snapmint", "lazypay", "zestmoney", "axio", "paylater", "klarna", "afterpay", "sezzle", "paypal", "stripe", "braintree", "authorizenet", "2checkout", "mollie", "adyen",
	"shopifypayments", "shoppay", "giftcard", "giftvoucher", "storecredit", "netbanking", "banktransfer", "bankdeposit", "wiretransfer",
	"creditcard", "debitcard", "mastercard", "americanexpress", "bogus", "prepaid",
}

// prepaidWords are those that are too short to be looked for inside of others.
var prepaidWords = [...]string{
	"upi", "gpay", "bhim", "card", "cards", "visa", "rupay", "amex", "emi", "wallet", "wallets", "simpl", "cred", "neft", "imps", "rtgs", "online", "bnpl",
}

func isKnownPrepaid(words []string, joined string) bool {
	for _, name := range prepaidNames {
		if strings.Contains(joined, name) {
			return true
		}
	}
	return slices.ContainsFunc(words, func(word string) bool { return slices.Contains(prepaidWords[:], word) })
}

// IsRupees says that a currency is that of India, or not told.
func IsRupees(currency []byte) bool {
	s := Unwrapped(currency)
	if IsBlank(s) {
		return true
	}
	s = bytes.TrimSuffix(s, []byte("."))
	return slices.ContainsFunc(rupeeSigns[:], func(sign string) bool { return sign != "re" && equalFold(s, sign) })
}
