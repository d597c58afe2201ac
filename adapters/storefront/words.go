package storefront

import (
	"bytes"
	"slices"
	"strings"

	"milaan/domain"
	"milaan/domain/verdict"
)

// What the words of an export mean: those of the storefront itself, and how people
// pay in India, which is the same whatever the storefront.

func (p *provider) readFulfilment(cell []byte) fulfilment {
	cell = domain.Unwrap(cell)
	if domain.IsBlank(cell) {
		return fulfilment{}
	}
	for word, is := range p.Fulfilments { // without a copy
		if len(cell) == len(word) && bytes.EqualFold(cell, []byte(word)) {
			return fulfilment{is, word}
		}
	}
	return fulfilment{verdict.FulfilmentOther, string(bytes.ToLower(cell))}
}

func (p *provider) readFinancial(cell []byte) domain.Financial {
	cell = domain.Unwrap(cell)
	if domain.IsBlank(cell) {
		return domain.FinancialBlank
	}
	var room domain.Phrase
	if financial, known := p.Financials[string(room.Of(cell))]; known {
		return financial
	}
	return domain.FinancialOther
}

// longestMethod is how many bytes of a payment method are looked at: three that a
// shop shows its customers, one beside the other.
const longestMethod = 200

// readPayment reads a payment method (guide: verdict 2). It may name several, as
// in Razorpay + Cash on Delivery: it is cash on delivery if one of them is.
// partPrepaid says that a part was paid beforehand and the rest is collected: there
// are several, or one says so, as in Gokwik PPCOD. No word counts as cash on
// delivery: some shops leave it blank for every such order.
//
// Signs such as a plus stand between several methods. A method that is named twice
// counts once, and parentheses list what one gateway takes. Other signs are part of a
// method's name, as in Card/UPI. If such a sign stands between a prepaid method and
// cash on delivery, as in Prepaid / COD, a part was paid beforehand. A method is read
// as the first of these that it names: cash on delivery, cash alone, a known prepaid
// method, manual. So manual UPI is prepaid, and manual alone is cash while the order
// is pending.
func (p *provider) readPayment(cell []byte) (payment domain.Payment, partPrepaid bool) {
	cell = domain.Unwrap(cell)
	if domain.IsBlank(cell) {
		return domain.PaymentBlank, false
	}
	method := strings.ToLower(string(cell[:min(len(cell), longestMethod)]))
	var room [maxMethods]string
	named := splitMethods(room[:0], method, p.Joins)
	for _, one := range named {
		m, part := p.readMethod(one)
		partPrepaid = partPrepaid || part
		switch {
		case m == domain.PaymentCOD, m == domain.PaymentCash && payment != domain.PaymentCOD:
			payment = m
		case payment == domain.PaymentCOD || payment == domain.PaymentCash:
		case payment == domain.PaymentBlank, m == domain.PaymentManual:
			payment = m
		case m == domain.PaymentUnknown && payment == domain.PaymentPrepaid:
			payment = domain.PaymentUnknown
		}
	}
	switch {
	case len(named) == 0: // nothing but a plus
		payment = domain.PaymentUnknown
	case len(named) > 1:
		partPrepaid = true
	case payment == domain.PaymentCOD && !partPrepaid:
		partPrepaid = p.namesPrepaidToo(method)
	}
	return payment, partPrepaid
}

// namesPrepaidToo says that a method names a prepaid one beside cash on delivery,
// by other signs than the storefront joins methods by: Prepaid / COD.
func (p *provider) namesPrepaidToo(method string) bool {
	var room [maxMethods]string
	cod, prepaid := false, false
	for _, one := range splitMethods(room[:0], method, ",;|/&") {
		m, _ := p.readMethod(one)
		cod, prepaid = cod || m == domain.PaymentCOD, prepaid || m == domain.PaymentPrepaid
	}
	return cod && prepaid
}

// maxMethods is how many methods of one order are looked at. Nobody pays in more
// ways.
const maxMethods = 8

// splitMethods takes a method apart at some signs, but for those in parentheses, which
// list what one gateway takes: Razorpay Secure (UPI, Cards). Each is given once.
func splitMethods(all []string, method, signs string) []string {
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
func (p *provider) readMethod(text string) (payment domain.Payment, partPrepaid bool) {
	var letters strings.Builder // of all words together
	letters.Grow(len(text))
	prepaid, manual := false, false
	for word := range strings.FieldsFuncSeq(text, verdict.EndsWord) {
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
		return domain.PaymentCOD, partPrepaid
	case joined == "cash":
		return domain.PaymentCash, partPrepaid
	case prepaid || namesOneOf(joined, prepaidNames[:]) || namesOneOf(joined, p.Prepaid):
		if strings.Contains(joined, "delivery") { // UPI on delivery: paid at the door
			return domain.PaymentUnknown, partPrepaid
		}
		return domain.PaymentPrepaid, partPrepaid
	case manual:
		return domain.PaymentManual, partPrepaid
	}
	return domain.PaymentUnknown, partPrepaid
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
// left out.
var prepaidNames = [...]string{
	"razorpay", "payumoney", "payubiz", "paytm", "phonepe", "cashfree", "ccavenue", "easebuzz", "instamojo", "billdesk", "juspay",
	"pinelabs", "zaakpay",
	"worldline", "payglocal", "googlepay", "amazonpay", "applepay", "samsungpay", "mobikwik", "freecharge", "airtelmoney", "olamoney",
	"jiomoney", "jiopay", "bharatpe",
	"snapmint", "lazypay", "zestmoney", "axio", "paylater", "klarna", "afterpay", "sezzle", "paypal", "stripe", "braintree", "authorizenet",
	"2checkout", "mollie", "adyen",
	"giftcard", "giftvoucher", "storecredit", "netbanking", "banktransfer", "bankdeposit", "wiretransfer",
	"creditcard", "debitcard", "mastercard", "americanexpress", "prepaid",
}

func namesOneOf(joined string, names []string) bool {
	return slices.ContainsFunc(names, func(name string) bool { return strings.Contains(joined, name) })
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
