package verdict_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"milaan/domain"
	"milaan/domain/verdict"
)

// Rules that look at several orders.

func priced(name, awbs string, total domain.Paise) export {
	return export{awbs: []byte(awbs), Order: verdict.Order{Name: []byte(name), Total: total, HasTotal: true, CreatedOn: ago(40), Fulfilment: verdict.Fulfilled}}
}

func paidOn(awb, id string, amount domain.Paise) verdict.Remittance {
	return verdict.Remittance{AWB: []byte(awb), OrderID: []byte(id), Listed: amount, Collected: amount, Remitted: amount, RemittedOn: ago(9)}
}

func flagsOf(r *verdict.Reconciliation) (flags []string) {
	for i := range r.Len() {
		flags = append(flags, r.Result(i).Flag.String())
	}
	return flags
}

// monthOf is this many orders, of which the first ones are listed, and paid what paid
// says.
func monthOf(orders, listed int, total func(i int) domain.Paise, paid func(total domain.Paise) domain.Paise) (p pair) {
	for i := range orders {
		name := fmt.Sprint(1000 + i)
		p.orders = append(p.orders, priced("#"+name, "", total(i)))
		if i < listed {
			line := paidOn("", name, total(i))
			line.Remitted, line.Stated, line.HasRemitted = paid(total(i)), paid(total(i)), true
			p.lines = append(p.lines, line)
		}
	}
	return p
}

// whole is for orders that are paid in full.
func whole(total domain.Paise) domain.Paise { return total }

// TestContradiction is about a line whose AWB and order id name different orders.
func TestContradiction(t *testing.T) {
	orders := []export{priced("#1", "A1", rupees(1000)), priced("#2", "A2", rupees(500))}
	r := pair{orders: orders, lines: []verdict.Remittance{paidOn("A1", "2", rupees(1000))}}.reconcile()
	require.Equal(t, []string{"RECONCILED", "MISSING"}, flagsOf(r))
	require.True(t, r.Reason(0).Notes.Has(domain.NoteContradiction))
	require.Equal(t, "#2", string(r.Reason(0).Other))
	require.True(t, r.Reason(1).Notes.Has(domain.NoteNamedOnOther))
	require.Equal(t, "#1", string(r.Reason(1).Other))
	r = pair{orders: orders, lines: []verdict.Remittance{paidOn("A1", "77", rupees(1000)), paidOn("A2", "2-C", rupees(500))}}.reconcile()
	require.Zero(t, (r.Reason(0).Notes|r.Reason(1).Notes)&domain.NoteContradiction, "an id that nobody has contradicts nothing, nor does a clone's")
}

// TestGuardKnowsEveryRow is about an order of several rows, of which any may have
// the rounded AWB.
func TestGuardKnowsEveryRow(t *testing.T) {
	const good, zeros = "38061777777777", "14902600000000"
	for name, c := range map[string]struct {
		rows []string
		line string
		want string
	}{
		"a later row's":                  {[]string{good, "1.49026E+13"}, "1.49026E+13", "OVERDUE"},
		"the first row's":                {[]string{"1.49026E+13", good}, "1.49026E+13", "OVERDUE"},
		"with a comma for the point":     {[]string{good, "14902612345678"}, "1,49026E+13", "OVERDUE"},
		"one of a later row's two":       {[]string{good, "38061777777778; 1.49026E+13"}, "1.49026E+13", "OVERDUE"},
		"the last of three":              {[]string{"1.5E+13", "1.6E+13", "1.49026E+13"}, "1.49026E+13", "OVERDUE"},
		"none of several":                {[]string{"1.5E+13", "1.6E+13", good}, "1.49026E+13", "MISSING"},
		"a later row's of zeros":         {[]string{good, zeros}, "1.49026E+13", "OVERDUE"},
		"a later row's of another zeros": {[]string{good, zeros}, "1.49E+12", "MISSING"},
	} {
		t.Run(name, func(t *testing.T) {
			r := mustDecide(domain.Terms{}, func(orders *verdict.Orders, remittances *verdict.Remittances) {
				for _, id := range []string{"#1", "#2"} { // the other one has them too, so that zeros are rounded
					priced(id, "", rupees(1000)).addTo(orders)
					o, _ := orders.FindOrAdd([]byte(id))
					for _, cell := range c.rows {
						require.True(t, orders.Track(o, []byte(strings.ReplaceAll(cell, "3806", "380"+id[1:]))))
					}
				}
				remittances.Add(verdict.Remittance{AWB: []byte("X"), OrderID: []byte("X"), DeliveredOn: ago(0)})
				remittances.Add(verdict.Remittance{AWB: []byte(c.line), AWBRounded: true, Listed: 5, Collected: 5})
			})
			require.Equal(t, []string{c.want, c.want}, flagsOf(r))
		})
	}
}

// TestRoundedLineBeforeOtherCauses: the reason names the line that a person must
// look at first, whatever else the report does not prove.
func TestRoundedLineBeforeOtherCauses(t *testing.T) {
	reference := priced("#9", "", rupees(1))
	reference.CreatedOn, reference.Payment = ago(0), domain.PaymentPrepaid
	reconcile := func(through domain.Day) *verdict.Reconciliation {
		p := pair{orders: []export{priced("#1", "14902612345678", rupees(1000)), priced("#2", "38061777777777", rupees(1000)), reference}, lines: []verdict.Remittance{
			{AWB: []byte("1.49026E+13"), AWBRounded: true, Listed: 5, Collected: 5}, {AWB: []byte("X"), OrderID: []byte("X"), DeliveredOn: through}}}
		for i := range 20 { // far from the two, and listed
			o := priced(fmt.Sprintf("#3%03d", i), "", rupees(100))
			o.CreatedOn = ago(20)
			p.orders, p.lines = append(p.orders, o), append(p.lines, verdict.Remittance{OrderID: o.Name[1:], Remitted: o.Total})
		}
		for i := range 18 { // around the two, and not
			p.orders = append(p.orders, priced(fmt.Sprintf("#4%03d", i), "38061777777778", rupees(100)))
		}
		return p.reconcile()
	}
	for through, other := range map[domain.Day]domain.Cause{ago(27): domain.CauseNotCovered, ago(26): domain.CauseOtherCourier} {
		r := reconcile(through)
		require.Equal(t, []string{"OVERDUE", "OVERDUE"}, flagsOf(r)[:2])
		require.Equal(t, []domain.Cause{domain.CauseMayBeRounded, other}, []domain.Cause{r.Reason(0).Cause, r.Reason(1).Cause})
		require.Equal(t, rupees(2*1000+18*100), r.Tally.AtRisk)
		outside := slices.ContainsFunc(r.Warnings(), func(w domain.Warning) bool {
			return w.Code == domain.WarnOutsideReport && w.Count == 19 && w.Amount == rupees(1000+18*100)
		})
		require.Equal(t, other == domain.CauseOtherCourier, outside, "all but the one that is OVERDUE whatever the report's time")
	}
}

// TestReportsTime tests section 4 on the neighbours of an order: of twenty, more than
// half must be listed, and of fewer at least one in five.
func TestReportsTime(t *testing.T) {
	month := func(listed, unlisted int) pair {
		p := monthOf(listed+unlisted, listed, func(int) domain.Paise { return rupees(100) }, whole)
		p.lines = append(p.lines, verdict.Remittance{AWB: []byte("X"), DeliveredOn: ago(0)})
		return p
	}
	count := func(p pair) (missing int) { return p.reconcile().Tally.Flags[domain.Missing] }
	require.Equal(t, 9, count(month(11, 9)), "more than half")
	require.Equal(t, 0, count(month(10, 10)), "half")
	require.Equal(t, 15, count(month(4, 15)), "one in five")
	require.Equal(t, 0, count(month(3, 16)), "fewer")
	require.Equal(t, 20, count(month(0, 20)), "none at all: the condition is left out")

	// Orders of another week: 19 of their own are too few, and days are added. But on each
	// side of an order the nearest must be listed too.
	p := month(20, 0)
	for i := range 19 {
		o := priced(fmt.Sprintf("#2%03d", i), "", rupees(100))
		o.CreatedOn = ago(35)
		p.orders = append(p.orders, o)
	}
	require.Equal(t, 0, count(p))
	for i := range 6 {
		p.lines = append(p.lines, paidOn("", fmt.Sprintf("2%03d", 2*i), rupees(100)))
	}
	require.Equal(t, 0, count(p), "six of nineteen")
	for i := range 6 {
		p.lines = append(p.lines, paidOn("", fmt.Sprintf("2%03d", 2*i+1), rupees(100)))
	}
	require.Equal(t, 7, count(p))
	p.lines = p.lines[:len(p.lines)-12]
	o := priced("#2999", "", rupees(100))
	o.CreatedOn = ago(35)
	p.orders = append(p.orders, o)
	r := p.reconcile()
	require.Equal(t, 0, r.Tally.Flags[domain.Missing])
	require.Equal(t, domain.CauseOutsideReport, r.Reason(r.Len()-1).Cause)
	require.Contains(t, r.Warnings(), domain.Warning{Code: domain.WarnOutsideReport, Count: 20, Amount: rupees(2000), HasAmount: true})
}

// TestOneOrderOutsideTheReport has one order that would be MISSING without its
// neighbours, of which only three in twenty are listed. The report proves nothing
// about the others anyway.
func TestOneOrderOutsideTheReport(t *testing.T) {
	reference := priced("#9", "", rupees(1))
	reference.CreatedOn, reference.Payment = ago(0), domain.PaymentPrepaid
	p := pair{orders: []export{reference}, lines: []verdict.Remittance{{AWB: []byte("X"), DeliveredOn: ago(26)}}}
	for i := range 20 {
		name := fmt.Sprint(1000 + i)
		o := priced("#"+name, "", rupees(100))
		o.CreatedOn = ago(40)
		switch {
		case i < 3:
			p.lines = append(p.lines, verdict.Remittance{OrderID: []byte(name), Remitted: o.Total})
		case i > 3:
			o.CreatedOn = ago(39)
		}
		p.orders = append(p.orders, o)
	}
	r := p.reconcile()
	require.Equal(t, domain.CauseOutsideReport, r.Reason(4).Cause)
	require.Contains(t, r.Warnings(), domain.Warning{Code: domain.WarnOutsideReport, Count: 1, Amount: rupees(100), HasAmount: true})
}

// TestForeignCurrency tests section 1: rupees are never mixed with other money.
func TestForeignCurrency(t *testing.T) {
	reconcile := func(payment domain.Payment, lines ...verdict.Remittance) error {
		_, err := decide(domain.Terms{}, func(orders *verdict.Orders, remittances *verdict.Remittances) {
			o, _ := orders.FindOrAdd([]byte("#1"))
			orders.CurrencyColumn = "Currency"
			o.Currency, o.CurrencyLine, o.Payment, o.Total, o.HasTotal, o.CreatedOn = orders.Share([]byte("USD")), 7, payment, 100, true, asOf
			for _, l := range lines {
				remittances.Add(l)
			}
		})
		return err
	}
	var fault *domain.FileError
	require.ErrorAs(t, reconcile(domain.PaymentCOD), &fault)
	require.Equal(t, []any{domain.StorefrontFile, 7, "Currency", "USD"}, []any{fault.File, fault.Line, fault.Column, fault.Value})
	require.NoError(t, reconcile(domain.PaymentPrepaid))
	require.Error(t, reconcile(domain.PaymentPrepaid, paidOn("", "1", 100)))
}

// TestWarnings tests section 6: each warning at its threshold, and just below it.
func TestWarnings(t *testing.T) {
	warned := pair.warnings
	month := func(orders, listed int, paid func(domain.Paise) domain.Paise) pair {
		return monthOf(orders, listed, func(i int) domain.Paise { return rupees(domain.Paise(500 + 10*i)) }, paid)
	}
	less := func(percent domain.Paise) func(domain.Paise) domain.Paise {
		return func(total domain.Paise) domain.Paise { return total - total*percent/100 }
	}
	require.Empty(t, warned(month(30, 30, whole)), "good files")

	require.Contains(t, warned(month(20, 0, whole)), domain.WarnEmptyReport)
	nothing := month(20, 0, whole)
	nothing.lines = []verdict.Remittance{paidOn("Z", "Z", 100)}
	require.Equal(t, 20, warned(nothing)[domain.WarnNothingMatched].Count)
	require.Equal(t, domain.Warning{Code: domain.WarnUnclaimedLines, Count: 1, Amount: 100, HasAmount: true}, warned(nothing)[domain.WarnUnclaimedLines])
	require.NotContains(t, warned(nothing), domain.WarnFewMatched)

	require.Equal(t, domain.Warning{Code: domain.WarnFewMatched, Count: 11, Of: 20}, warned(month(20, 11, whole))[domain.WarnFewMatched])
	require.NotContains(t, warned(month(20, 12, whole)), domain.WarnFewMatched)
	require.Contains(t, warned(month(5, 2, whole)), domain.WarnFewMatched)
	require.NotContains(t, warned(month(4, 1, whole)), domain.WarnFewMatched, "too few to say")

	deducted := warned(month(5, 5, less(3)))[domain.WarnDeductions]
	require.Equal(t, []int{5, 300}, []int{deducted.Count, deducted.Share})
	require.NotContains(t, warned(month(4, 4, less(3))), domain.WarnDeductions)
	fee := func(total domain.Paise) domain.Paise { return total - rupees(20) }
	require.Equal(t, domain.Warning{Code: domain.WarnDeductions, Count: 30, Of: 30, Amount: rupees(600), HasAmount: true, Kind: domain.DeductedAmount, Each: rupees(20), Unexplained: rupees(600)},
		warned(month(30, 30, fee))[domain.WarnDeductions], "the same amount, though 4 % to 2.5 %")
	inFull := func(orders, full int) pair {
		p := month(orders, orders, less(3))
		for i := range full {
			p.lines[i].Remitted, p.lines[i].Stated = p.lines[i].Listed, p.lines[i].Listed
		}
		return p
	}
	require.Equal(t, 8, warned(inFull(10, 2))[domain.WarnDeductions].Count, "four in five")
	require.NotContains(t, warned(inFull(10, 3)), domain.WarnDeductions)
	require.NotContains(t, warned(inFull(5, 1)), domain.WarnDeductions, "four are too few")

	repeated := month(10, 10, whole)
	repeated.lines = append(repeated.lines, repeated.lines[0])
	require.Equal(t, domain.Warning{Code: domain.WarnRepeatedLines, Count: 1, Amount: rupees(500), HasAmount: true}, warned(repeated)[domain.WarnRepeatedLines])

	unknown := month(10, 10, whole)
	unknown.orders[0].Payment, unknown.orders[0].Financial = domain.PaymentUnknown, domain.FinancialPending
	require.Equal(t, 1, warned(unknown)[domain.WarnUnknownPaymentMethods].Count)

	rounded := month(10, 10, whole)
	rounded.orders[0].awbs = []byte("1.49026E+13")
	require.Equal(t, domain.Warning{Code: domain.WarnRoundedAWBs, Count: 1, Of: 1, File: domain.StorefrontFile, Examples: []string{"1.49026E+13"}}, warned(rounded)[domain.WarnRoundedAWBs])
	rounded = month(10, 10, whole)
	rounded.lines[0].AWB, rounded.lines[0].AWBRounded = []byte("1.5E+13"), true
	require.Equal(t, domain.Warning{Code: domain.WarnRoundedAWBs, Count: 1, Of: 1, File: domain.CourierFile, Examples: []string{"1.5E+13"}}, warned(rounded)[domain.WarnRoundedAWBs])

	files := func(p pair) (files []domain.File) {
		for _, w := range p.reconcile().Warnings() {
			if w.Code == domain.WarnRoundedAWBs {
				files = append(files, w.File)
			}
		}
		return files
	}
	const zeros = "14902600000000"
	one, two := priced("#1", zeros, rupees(1000)), priced("#2", zeros, rupees(1000))
	conflicting := []verdict.Remittance{paidOn(zeros, "", rupees(400)), paidOn(zeros, "", rupees(600))}
	require.Equal(t, []domain.File{domain.CourierFile}, files(pair{orders: []export{one}, lines: conflicting}), "the export does not show that it was rounded")
	require.Equal(t, []domain.File{domain.StorefrontFile}, files(pair{orders: []export{one, two}, lines: []verdict.Remittance{paidOn("", "1", rupees(1000))}}))
	require.Equal(t, []domain.File{domain.StorefrontFile, domain.CourierFile}, files(pair{orders: []export{one, two}, lines: conflicting}))
	one.awbs = []byte(zeros + ", 1.49E+13")
	require.Equal(t, []string{zeros + ", 1.49E+13"}, warned(pair{orders: []export{one, priced("#3", "38061", rupees(1))}})[domain.WarnRoundedAWBs].Examples)
	require.Equal(t, []domain.File{domain.StorefrontFile, domain.CourierFile}, files(pair{orders: []export{one}, lines: conflicting}))

	returned := func(orders, anomalies int) pair {
		p := month(orders, orders, whole)
		for i := range anomalies {
			p.lines[i].Remitted, p.lines[i].Stated, p.lines[i].Returned, p.lines[i].HasStatus = 0, 0, true, true
		}
		return p
	}
	require.Equal(t, 2, warned(returned(39, 2))[domain.WarnReturnedWithAmount].Count)
	require.Equal(t, 1, warned(returned(60, 1))[domain.WarnReturnedWithAmount].Count, "from the first one on")
	require.NotContains(t, warned(returned(60, 0)), domain.WarnReturnedWithAmount)

	prepaid := priced("#1", "", rupees(1000))
	prepaid.Payment = domain.PaymentPrepaid
	require.Equal(t, domain.Warning{Code: domain.WarnPrepaidCollected, Count: 1, Amount: rupees(700), HasAmount: true},
		warned(pair{orders: []export{prepaid}, lines: []verdict.Remittance{paidOn("", "1", rupees(700))}})[domain.WarnPrepaidCollected])
	gateway := func(cod int) pair {
		p := month(8, 8, whole)
		for i := range p.orders[cod:] {
			p.orders[cod+i].Payment = domain.PaymentPrepaid
		}
		return p
	}
	require.Equal(t, 8, warned(gateway(0))[domain.WarnPrepaidCollected].Of, "every order that is listed is prepaid")
	require.Zero(t, warned(gateway(1))[domain.WarnPrepaidCollected].Of)
	besides := func(prepaid int) domain.Warning {
		p := month(12, 12, whole)
		for i := range p.orders[:prepaid] {
			p.orders[i].Payment = domain.PaymentPrepaid
		}
		r := mustDecide(p.terms, func(orders *verdict.Orders, lines *verdict.Remittances) {
			for i, o := range p.orders {
				o.addTo(orders)
				if i == 0 || i == 6 {
					lines.Begin([]string{"dtdc", ""}[i/6])
				}
				lines.Add(p.lines[(i+6)%12]) // the second report lists the first half
			}
		})
		for _, w := range r.Warnings() {
			if w.Code == domain.WarnPrepaidCollected {
				return w
			}
		}
		return domain.Warning{}
	}
	require.Equal(t, domain.Warning{Code: domain.WarnPrepaidCollected, Count: 6, Of: 6, Report: 2, Reports: 2,
		Amount: besides(6).Amount, HasAmount: true}, besides(6), "every order that the second report lists is prepaid")
	require.Zero(t, besides(5).Report)
}
