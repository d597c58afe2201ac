package verdict_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"milaan/domain"
	"milaan/domain/verdict"
)

// TestWarningsAtTheEdge tests section 6 at its limits: what each warning counts,
// and what it does not.
func TestWarningsAtTheEdge(t *testing.T) {
	warned := pair.warnings
	month := func(orders, listed int, paid func(domain.Paise) domain.Paise) pair {
		return monthOf(orders, listed, func(int) domain.Paise { return rupees(100) }, paid)
	}

	// few_matched is about shipped COD orders that are not cancelled and whose window is over.
	for name, c := range map[string]struct {
		change func(*export)
		of     int
	}{
		"shipped":                      {func(*export) {}, 21},
		"prepaid":                      {func(o *export) { o.Payment = domain.PaymentPrepaid }, 20},
		"cancelled":                    {func(o *export) { o.Cancelled = true }, 20},
		"not shipped":                  {func(o *export) { o.Fulfilment = verdict.Unfulfilled }, 20},
		"not shipped, but with an AWB": {func(o *export) { o.Fulfilment, o.awbs = verdict.Unfulfilled, []byte("A1") }, 21},
		"inside its window":            {func(o *export) { o.FulfilledOn = ago(27) }, 20},
		"past its window":              {func(o *export) { o.FulfilledOn = ago(28) }, 21},
	} {
		p := month(20, 11, whole)
		o := priced("#1", "", rupees(100))
		c.change(&o)
		late := priced("#2", "", rupees(100)) // the latest order: its day is the reference day
		late.CreatedOn, late.Payment = ago(20), domain.PaymentPrepaid
		p.orders = append(p.orders, o, late)
		for i := range p.lines {
			p.lines[i].RemittedOn = ago(30) // coverage is not complete
		}
		require.Equal(t, domain.Warning{Code: domain.WarnFewMatched, Count: 11, Of: c.of}, warned(p)[domain.WarnFewMatched], name)
	}
	require.NotContains(t, warned(month(5, 3, whole)), domain.WarnFewMatched, "60 %")
	require.Contains(t, warned(month(37, 22, whole)), domain.WarnFewMatched, "59.5 %")

	// deductions: of at least half a percent, and shares that differ by at most one percent.
	// No two orders have the same total, so that no two are short by the same amount.
	shares := func(orders int, hundredths domain.Paise) pair {
		return monthOf(orders, orders, func(i int) domain.Paise { return rupees(domain.Paise(100 + i)) },
			func(total domain.Paise) domain.Paise { return total - total*hundredths/10_000 })
	}
	require.Contains(t, warned(shares(10, 50)), domain.WarnDeductions)
	require.NotContains(t, warned(shares(10, 48)), domain.WarnDeductions)
	for extra, contained := range map[domain.Paise]bool{100: true, 110: false} {
		p := shares(10, 300)
		for _, i := range []int{0, 4, 9} { // more than one in five
			p.lines[i].Remitted -= p.lines[i].Listed * extra / 10_000
			p.lines[i].Stated = p.lines[i].Remitted
		}
		_, found := warned(p)[domain.WarnDeductions]
		require.Equal(t, contained, found, "%d", extra)
	}
	for paid, contained := range map[domain.Paise]bool{rupees(200): true, 0: true} { // paid more, and not paid
		p := shares(10, 300)
		for _, i := range []int{0, 9} {
			p.lines[i].Remitted, p.lines[i].Stated = paid, paid
		}
		_, found := warned(p)[domain.WarnDeductions]
		require.Equal(t, contained, found, "%d", paid)
	}
	w := warned(shares(10, 300))[domain.WarnDeductions]
	require.Equal(t, domain.Warning{Code: domain.WarnDeductions, Count: 10, Of: 10, Amount: 3135, HasAmount: true, Share: 300, Unexplained: 3135}, w)
	huge := month(10, 10, whole)
	for i := range huge.orders {
		less := domain.Paise(1<<46 + i)
		huge.orders[i].Total = 1 << 50
		huge.lines[i].Listed, huge.lines[i].Remitted, huge.lines[i].Stated = 1<<50, 1<<50-less, 1<<50-less
	}
	require.Equal(t, 625, warned(huge)[domain.WarnDeductions].Share)

	// unknown_payment_methods: pending orders with an unknown method.
	p := month(10, 10, whole)
	for i, method := range []string{"Gokwik", "Shopflo", "Gokwik", "Custom", "Other", ""} {
		p.orders[i].Payment, p.orders[i].Financial = domain.PaymentUnknown, domain.FinancialPending
		p.orders[i].method = method
	}
	p.orders[6].Payment, p.orders[6].Financial = domain.PaymentUnknown, domain.FinancialPaid
	p.orders[7].Payment, p.orders[7].Financial = domain.PaymentPrepaid, domain.FinancialPending
	require.Equal(t, domain.Warning{Code: domain.WarnUnknownPaymentMethods, Count: 6, Amount: rupees(600), HasAmount: true, Examples: []string{"Gokwik", "Shopflo", "Custom"}}, warned(p)[domain.WarnUnknownPaymentMethods])

	// returned_with_amount: orders that are RTO_ANOMALY only because of the listed amount.
	p = month(20, 20, whole)
	for i := range 6 {
		p.lines[i].Remitted, p.lines[i].Stated, p.lines[i].Returned, p.lines[i].HasStatus = 0, 0, true, true
	}
	for i := range 2 {
		p.orders[i].Financial, p.orders[i].Payment = domain.FinancialPaid, domain.PaymentCOD
	}
	p.orders[2].Financial, p.orders[2].Payment = domain.FinancialPaid, domain.PaymentPrepaid
	require.Equal(t, domain.Warning{Code: domain.WarnReturnedWithAmount, Count: 4, Amount: rupees(400), HasAmount: true}, warned(p)[domain.WarnReturnedWithAmount])

	// rounded_awbs: one for each file, out of the orders or lines that have an AWB.
	p = month(10, 10, whole)
	for i, awb := range []string{"1.1E+13", "1.2E+13", "1.1E+13", "1.3E+13", "1.4E+13", "A5"} {
		p.orders[i].awbs = []byte(awb)
		p.lines[i].AWB, p.lines[i].AWBRounded = []byte(awb), awb != "A5"
	}
	p.lines[6].AWB = []byte("7")
	var rounded []domain.Warning
	for _, w := range p.reconcile().Warnings() {
		if w.Code == domain.WarnRoundedAWBs {
			rounded = append(rounded, w)
		}
	}
	some := []string{"1.1E+13", "1.2E+13", "1.3E+13"}
	require.Equal(t, []domain.Warning{{Code: domain.WarnRoundedAWBs, Count: 5, Of: 6, File: domain.StorefrontFile, Examples: some},
		{Code: domain.WarnRoundedAWBs, Count: 5, Of: 7, File: domain.CourierFile, Examples: some}}, rounded)
	zeros := month(10, 10, whole)
	zeros.lines[0].AWB, zeros.lines[1].AWB = []byte("14902600000"), []byte("14902600000")
	require.Equal(t, domain.Warning{Code: domain.WarnRoundedAWBs, Count: 2, Of: 2, File: domain.CourierFile, Examples: []string{"14902600000"}}, warned(zeros)[domain.WarnRoundedAWBs])
}
