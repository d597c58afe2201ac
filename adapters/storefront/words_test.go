package storefront

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"milaan/domain"
)

// provided makes a provider ready that has registered itself.
func provided(id string) *provider {
	p := newProvider(registered[slices.IndexFunc(registered, func(p Provider) bool { return p.ID == id })])
	return &p
}

func TestPaymentMethods(t *testing.T) {
	for _, c := range []struct {
		want    domain.Payment
		part    bool
		methods []string
	}{
		{domain.PaymentBlank, false, []string{"", " ", "\u00a0", "-", "NA", "n/a", "nan", "null"}},
		{domain.PaymentCOD, false, []string{"COD", "cod", "Cod", "Cash on Delivery", "Cash on Delivery (COD)", "cash_on_delivery", "CASH-ON-DELIVERY", "CashOnDelivery", "Cash  on\u00a0delivery",
			"GoKwik COD", "gokwik_cod", "C.O.D.", "c.o.d", "codpayment", "Pay on Delivery", "pay_on_delivery", "Pay on Delivery (Cash/UPI)", "कैश ऑन डिलीवरी", "कैश  ऑन\u00a0डिलीवरी (COD)",
			"'Cash on Delivery", `="COD"`, "Cash on Delivery (COD) + Cash on Delivery (COD)", "COD + ", "Manual COD", "Cash (COD)", "Shiprocket Checkout COD", "COD / Cash on Delivery", "WhatsApp COD", "WhatsAppCOD", "whatsapp_cod"}},
		{domain.PaymentCOD, true, []string{"Gokwik PPCOD", "ppcod", "PP-COD", "Partial COD", "Partially paid COD", "COD (part paid)", "COD with advance", "Advance + COD",
			"Razorpay + Cash on Delivery", "Cash on Delivery (COD) + Razorpay Secure (UPI, Cards)", "Gift Card + COD", "manual + COD", "Cash + COD", "something + cod", "COD + manual", "COD + Cash", "Razorpay (UPI) + COD", "Prepaid / COD", "UPI, COD", "COD & Razorpay", "WhatsApp PPCOD", "gokwikppcod"}},
		{domain.PaymentCash, false, []string{"cash", "Cash", "CASH", " cash ", "Cash + cash"}},
		{domain.PaymentCash, true, []string{"Cash + Razorpay", "razorpay + cash", "Gift card + Cash", "manual + Cash", "Cash + manual"}},
		{domain.PaymentManual, false, []string{"manual", "Manual", "MANUAL", "Manual payment", "Payment (manual)"}},
		{domain.PaymentManual, true, []string{"manual + Razorpay", "Razorpay + manual"}},
		{domain.PaymentPrepaid, false, []string{"Razorpay", "razorpay", "Razorpay Secure (UPI, Cards, Int'l cards, Wallets)", "1 Razorpay - UPI, Cards, Wallets, NetBanking", "PayU India", "payu_in", "Paytm", "PhonePe Payment Gateway (UPI, Cards & NetBanking)",
			"Cashfree Payments (UPI,Cards,Int'l cards,Wallets)", "Cashfree (UPI + Cards)", "CCAvenue", "Easebuzz - UPI, Cards, Wallets", "Instamojo", "BillDesk", "UPI", "UPI/Cards", "GPay", "Google Pay", "google_pay", "Credit Card", "Debit card", "card",
			"Netbanking", "Net Banking", "PayPal", "PayPal Express Checkout", "Stripe", "Shopify Payments", "shopify_payments", "Snapmint", "Simpl", "LazyPay", "gift_card", "Gift Card", "Store Credit", "shopify_store_credit",
			"Bank Transfer", "Bank Deposit", "bank transfer (manual)", "bogus", "(for testing) Bogus Gateway", "Gokwik Prepaid", "Prepaid", "Visa", "Amazon Pay", "amazon_payments", "Razorpay with a Promocode", "PayU + PayU"}},
		{domain.PaymentPrepaid, false, []string{"juspay", "Pine Labs", "zaakpay", "Worldline", "PayGlocal", "Apple Pay", "samsung_pay", "MobiKwik", "FreeCharge", "Airtel Money", "Ola Money", "JioMoney", "Jio Pay", "BharatPe",
			"PhonePe", "Cashfree", "Easebuzz", "ZestMoney", "axio", "Pay Later", "Klarna", "Afterpay", "Sezzle", "Braintree", "authorize.net", "2Checkout", "Mollie", "Adyen", "Shop Pay", "GiftCard", "Gift voucher", "Wire Transfer",
			"CreditCard", "DebitCard", "MasterCard", "American Express", "BHIM", "cards", "RuPay", "Amex", "EMI", "wallet", "Wallets", "CRED", "NEFT", "IMPS", "RTGS", "Online", "BNPL",
			"(UPI + Cards) Razorpay", "Razorpay) (UPI + Cards)", "((UPI) + Cards) Razorpay"}},
		{domain.PaymentPrepaid, true, []string{"Razorpay (UPI) + PayU", "Razorpay + Gift Card", "UPI + Store credit", "Razorpay (part paid)", "UPI advance"}},
		{domain.PaymentUnknown, false, []string{"Gokwik", "Shopflo", "Custom", "Promocode", "QR Code", "Barcode", "Simple", "Cupid", "cash payment", "cashier", "None", "Exchange", "Decode", "नकद", "Pay upon delivery", "Pay using cash", "UPI on delivery", "Card on Delivery", "x", "?", "+", "()"}},
		{domain.PaymentUnknown, true, []string{"Partial Payment", "Part payment", "a + b + c + d + e + f + g + h + COD", "Advance", "part paid", "Part-paid", "Partially paid", "Razorpay + Gokwik", "Gokwik + Razorpay", "Custom + Other"}},
	} {
		for _, method := range c.methods {
			payment, part := provided("shopify").readPayment([]byte(method))
			require.Equal(t, c.want, payment, "%q", method)
			require.Equal(t, c.part, part, "%q is part prepaid", method)
		}
	}
}

// TestAMethodIsNoPlaceForABook holds that what is sent as one costs little.
func TestAMethodIsNoPlaceForABook(t *testing.T) {
	for _, text := range []string{strings.Repeat("+ a", 1<<20), strings.Repeat("(", 1<<20), strings.Repeat("code", 1<<20), "COD" + strings.Repeat("x", 1<<20), strings.Repeat("a ", 100), strings.Repeat("a,", 100)} {
		cell, shopify := []byte(text), provided("shopify")
		require.LessOrEqual(t, testing.AllocsPerRun(3, func() { shopify.readPayment(cell) }), 20.0)
	}
}

func TestFinancialStatuses(t *testing.T) {
	for want, cells := range map[domain.Financial][]string{
		domain.FinancialBlank:      {"", " ", "-", "N/A", "\u00a0"},
		domain.FinancialPending:    {"pending", "Pending", "PENDING", "'pending", " pending\u00a0"},
		domain.FinancialPaid:       {"paid", "Paid"},
		domain.FinancialPartlyPaid: {"partially_paid", "Partially Paid", "partially paid", "PARTIALLY-PAID", "PartiallyPaid"},
		domain.FinancialVoided:     {"voided", "Voided"},
		domain.FinancialRefunded:   {"refunded", "Refunded"}, domain.FinancialPartlyRefunded: {"partially_refunded"},
		domain.FinancialOther: {"authorized", "expired", "unpaid", "void", "paid off"},
	} {
		for _, cell := range cells {
			require.Equal(t, want, provided("shopify").readFinancial([]byte(cell)), "%q", cell)
		}
	}
}
