package domain_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"milaan/domain"
)

// TestWhoHoldsTheLine: of orders that share AWBs, the reason names the first one
// with a line, whatever the order of the lines is.
func TestWhoHoldsTheLine(t *testing.T) {
	orders := []export{priced("#1", "A1", rupees(100)), priced("#2", "A2", rupees(200)), priced("#3", "A1, A2", rupees(300)), priced("#4", "A2, A1", rupees(300))}
	for _, lines := range [][]domain.Remittance{
		{paidOn("A1", "1", rupees(100)), paidOn("A2", "2", rupees(200))},
		{paidOn("A2", "2", rupees(200)), paidOn("A1", "1", rupees(100))},
	} {
		r := pair{orders: orders, lines: lines}.reconcile()
		for _, i := range []int{2, 3} {
			require.Equal(t, "#1", string(r.Reason(i).Other))
			require.Equal(t, domain.CauseListedByOther, r.Reason(i).Cause)
		}
		require.Empty(t, r.Reason(0).Other)
		require.Empty(t, r.Reason(1).Other)
	}
}

// TestWhatSharersOwe tests section 3 on the exact sum: what each order owes by its
// storefront columns alone.
func TestWhatSharersOwe(t *testing.T) {
	with := func(o export, change func(*export)) export { change(&o); return o }
	base := priced("#1", "A1", rupees(1000))
	for _, c := range []struct {
		name  string
		other export
		paid  domain.Paise
		want  []domain.Paise
		cause domain.Cause
	}{
		{"prepaid: nothing", with(priced("#2", "A1", rupees(500)), func(o *export) { o.Payment = domain.PaymentPrepaid }), rupees(1000), []domain.Paise{rupees(1000), 0}, domain.CausePrepaid},
		{"part-paid: the balance", with(priced("#2", "A1", rupees(500)), func(o *export) { o.Outstanding, o.HasOutstanding = rupees(200), true }), rupees(1200), []domain.Paise{rupees(1000), rupees(200)}, domain.CauseNone},
		{"part-paid with more: nothing", with(priced("#2", "A1", rupees(500)), func(o *export) {
			o.Outstanding, o.HasOutstanding, o.Financial = -rupees(5), true, domain.FinancialPartlyPaid
		}), rupees(1000), []domain.Paise{rupees(1000), 0}, domain.CauseNothingOutstanding},
		{"a total of nothing", priced("#2", "A1", 0), rupees(1000), []domain.Paise{rupees(1000), 0}, domain.CauseTotalZero},
	} {
		r := pair{orders: []export{base, c.other}, lines: []domain.Remittance{paidOn("A1", "", c.paid)}}.reconcile()
		require.Equal(t, c.want, []domain.Paise{r.Result(0).Remitted, r.Result(1).Remitted}, c.name)
		require.Equal(t, c.want, []domain.Paise{r.Result(0).Due, r.Result(1).Due}, c.name)
		require.True(t, r.Reason(1).Notes.Has(domain.NoteSharedSum), c.name)
		require.Equal(t, c.cause, r.Reason(1).Cause, c.name)
	}
	paisa := pair{orders: []export{priced("#1", "A1", 1), priced("#2", "A1", 0)}, lines: []domain.Remittance{paidOn("A1", "", 1)}}.reconcile()
	require.True(t, paisa.Reason(1).Notes.Has(domain.NoteSharedSum), "a paisa is a sum")
	nothing := pair{orders: []export{priced("#1", "A1", 0), priced("#2", "A1", 0)}, lines: []domain.Remittance{paidOn("A1", "", 0)}}.reconcile()
	require.False(t, nothing.Reason(1).Notes.Has(domain.NoteSharedSum), "nothing is none")
	require.True(t, nothing.Reason(1).Notes.Has(domain.NoteHeldByOther))
}
