package domain_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"milaan/domain"
)

// chargedReport adds a report of lines with the charges that are given for each.
func chargedReport(r *domain.Remittances, names []string, lines ...[]domain.Charge) {
	r.Begin("")
	for _, charges := range lines {
		r.Add(domain.Remittance{AWB: []byte("A1"), Listed: 100})
		for _, c := range charges {
			r.AddCharge(c.Column, c.Amount)
		}
	}
	r.SetCharges(names)
}

func chargesOf(r *domain.Remittances) (all [][]domain.Charge) {
	for i := range r.Len() {
		all = append(all, append([]domain.Charge{}, r.ChargesOf(r.At(i))...))
	}
	return all
}

// Charges stay with their lines, whatever comes before and after them.
func TestChargesOfLines(t *testing.T) {
	freight, tax := domain.Charge{Column: 0, Amount: 6000}, domain.Charge{Column: 1, Amount: -1080}
	one, two := new(domain.Remittances), new(domain.Remittances)
	chargedReport(one, []string{"Freight", "GST"}, []domain.Charge{freight, tax}, nil, []domain.Charge{tax, {Column: 1}})
	chargedReport(two, nil, nil)
	chargedReport(two, []string{"Fee", "Tax"}, []domain.Charge{tax}, []domain.Charge{freight})
	one.Append(two)
	chargedReport(one, []string{"TDS"}, []domain.Charge{freight})
	want := [][]domain.Charge{{freight, tax}, {}, {tax}, {}, {tax}, {freight}, {freight}}
	require.Equal(t, want, chargesOf(one))
	var names [][]string
	for _, report := range one.Reports() {
		names = append(names, append([]string{}, report.Charges...))
	}
	require.Equal(t, [][]string{{"Freight", "GST"}, {}, {"Fee", "Tax"}, {"TDS"}}, names)

	before := one.UsedTexts()
	one.Restart()
	require.Equal(t, want[:6], chargesOf(one), "of the last report nothing is left")
	require.Less(t, one.UsedTexts(), before)
	chargedReport(one, []string{"TCS"}, []domain.Charge{tax})
	require.Equal(t, []domain.Charge{tax}, chargesOf(one)[6])

	one.Reset()
	chargedReport(one, nil, nil)
	require.Equal(t, [][]domain.Charge{{}}, chargesOf(one))
}

// A column turns out to be none of charges when lines of it have been added already.
func TestColumnsThatAreNoCharges(t *testing.T) {
	r := new(domain.Remittances)
	chargedReport(r, []string{"Fee"}, []domain.Charge{{Column: 0, Amount: 5}})
	a, b, c := domain.Charge{Column: 0, Amount: 1}, domain.Charge{Column: 1, Amount: 2}, domain.Charge{Column: 2, Amount: 3}
	chargedReport(r, []string{"Freight", "", "TDS"}, []domain.Charge{a, b, c}, []domain.Charge{b}, []domain.Charge{c})
	c.Column = 1
	require.Equal(t, [][]domain.Charge{{{Column: 0, Amount: 5}}, {a, c}, {}, {c}}, chargesOf(r))
	require.Equal(t, []string{"Freight", "TDS"}, r.Reports()[1].Charges)
}
