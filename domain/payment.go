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

// longestMethod is how many bytes of a payment method are looked at: three that a
// shop shows its customers, one beside the other.
const longestMethod = 200

// PaymentOf reads a payment method (decisions, section 2). It may name several, as
// in Razorpay + Cash on Delivery: it is cash on delivery if one of them is.
// partPrepaid says that a part was paid beforehand and the rest is collected: there
// are several, or one says so, as in Gokwik PPCOD. No word counts as cash on
// delivery: some shops leave it blank for every such order.
//
// Shopify joins methods by a plus; that parts them into several. A method that is
// named twice is one, and what stands in parentheses is what one gateway takes. Other
// signs are part of a method's name, as in Card/UPI; only where they part a prepaid
// method from cash on delivery was a part paid beforehand: Prepaid / COD. A method is
// read by the first of these that it names: cash on delivery, cash alone, a known
// prepaid one, manual. So manual UPI is prepaid, and manual alone is cash while the
// order is pending.
func PaymentOf(cell []byte) (payment Payment, partPrepaid bool) {
	cell = Unwrapped(cell)
	if IsBlank(cell) {
		return PaymentBlank, false
	}
	method := strings.ToLower(string(cell[:min(len(cell), longestMethod)]))
	var room [maxMethods]string
	named := methodsOf(room[:0], method, "+")
	for _, one := range named {
		m, part := readMethod(one)
		partPrepaid = partPrepaid || part
		switch {
		case m == PaymentCOD, m == PaymentCash && payment != PaymentCOD:
			payment = m
		case payment == PaymentCOD || payment == PaymentCash:
		case payment == PaymentBlank, m == PaymentManual:
			payment = m
		case m == PaymentUnknown && payment == PaymentPrepaid:
			payment = PaymentUnknown
		}
	}
	switch {
	case len(named) == 0: // nothing but a plus
		payment = PaymentUnknown
	case len(named) > 1:
		partPrepaid = true
	case payment == PaymentCOD && !partPrepaid:
		partPrepaid = namesPrepaidToo(method)
	}
	return payment, partPrepaid
}

// namesPrepaidToo says that a method names a prepaid one beside cash on delivery,
// without the plus that Shopify writes: Prepaid / COD.
func namesPrepaidToo(method string) bool {
	var room [maxMethods]string
	cod, prepaid := false, false
	for _, one := range methodsOf(room[:0], method, ",;|/&") {
		m, _ := readMethod(one)
		cod, prepaid = cod || m == PaymentCOD, prepaid || m == PaymentPrepaid
	}
	return cod && prepaid
}

// maxMethods is how many methods of one order are looked at. Nobody pays in more
// ways.
const maxMethods = 8

// methodsOf takes a method apart at some signs, but for those in parentheses, which
// list what one gateway takes: Razorpay Secure (UPI, Cards). Each is given once.
func methodsOf(all []string, method, signs string) []string {
	depth, from := 0, 0
	for i := 0; i <= len(method) && len(all) < maxMethods; i++ {
		switch {
		case i < len(method) && method[i] == '(':
			depth++
		case i < len(method) && method[i] == ')':
			depth = max(depth-1, 0)
		case i == len(method) || depth == 0 && strings.IndexByte(signs, method[i]) >= 0:
			if one := strings.TrimSpace(method[from:i]); one != "" && !slices.Contains(all, one) {
				all = append(all, one)
			}
			from = i + 1
		}
	}
	return all
}

// readMethod reads one method in small letters.
func readMethod(text string) (payment Payment, partPrepaid bool) {
	var letters strings.Builder // of all words together
	letters.Grow(len(text))
	prepaid, manual := false, false
	for word := range strings.FieldsFuncSeq(text, endsWord) {
		letters.WriteString(word)
		prepaid = prepaid || isPrepaidWord(word)
		manual = manual || word == "manual"
		partPrepaid = partPrepaid || word == "advance" || strings.HasPrefix(word, "partial")
	}
	joined := letters.String()
	for _, part := range [...]string{"ppcod", "partpaid", "partpayment"} {
		_, after, found := strings.Cut(joined, part)
		if found && part == "ppcod" && strings.HasSuffix(joined[:len(joined)-len(after)], "appcod") { // WhatsApp COD
			found = strings.Contains(after, part)
		}
		partPrepaid = partPrepaid || found
	}
	switch {
	case namesCOD(text, joined):
		return PaymentCOD, partPrepaid
	case joined == "cash":
		return PaymentCash, partPrepaid
	case prepaid || namesPrepaid(joined):
		if strings.Contains(joined, "delivery") { // UPI on delivery: paid at the door
			return PaymentUnknown, partPrepaid
		}
		return PaymentPrepaid, partPrepaid
	case manual:
		return PaymentManual, partPrepaid
	}
	return PaymentUnknown, partPrepaid
}

// endsWord says that a character is part of no word.
func endsWord(r rune) bool {
	return r < utf8.RuneSelf && !inWord(byte(r)) || isBlankRune(r)
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

// prepaidNames are the gateways, wallets and cards that shops in India take, and
// some abroad, wherever they stand in a method's name; its blanks and signs are
// left out. bogus is Shopify's gateway for testing.
var prepaidNames = [...]string{
	"razorpay", "payumoney", "payubiz", "paytm", "phonepe", "cashfree", "ccavenue", "easebuzz", "instamojo", "billdesk", "juspay", "pinelabs", "zaakpay",
	"worldline", "payglocal", "googlepay", "amazonpay", "applepay", "samsungpay", "mobikwik", "freecharge", "airtelmoney", "olamoney", "jiomoney", "jiopay", "bharatpe",
	"snapmint", "lazypay", "zestmoney", "axio", "paylater", "klarna", "afterpay", "sezzle", "paypal", "stripe", "braintree", "authorizenet", "2checkout", "mollie", "adyen",
	"shopifypayments", "shoppay", "giftcard", "giftvoucher", "storecredit", "netbanking", "banktransfer", "bankdeposit", "wiretransfer",
	"creditcard", "debitcard", "mastercard", "americanexpress", "bogus", "prepaid",
}

func namesPrepaid(joined string) bool {
	return slices.ContainsFunc(prepaidNames[:], func(name string) bool { return strings.Contains(joined, name) })
}

// isPrepaidWord knows the names that are too short to be looked for inside of
// others.
func isPrepaidWord(word string) bool {
	switch word {
	case "payu", "upi", "gpay", "bhim", "card", "cards", "visa", "rupay", "amex", "emi", "wallet", "wallets", "simpl", "cred",
		"neft", "imps", "rtgs", "online", "bnpl":
		return true
	}
	return false
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
