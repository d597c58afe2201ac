package verdict_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"milaan/domain/verdict"
)

// chargedReport adds a report of lines with the charges that are given for each.
func chargedReport(r *verdict.Remittances, names []string, lines ...[]verdict.Charge) {
	r.Begin("")
	for _, charges := range lines {
		r.Add(verdict.Remittance{AWB: []byte("A1"), Listed: 100})
		for _, c := range charges {
			r.AddCharge(c.Column, c.Amount)
		}
	}
	r.SetCharges(names)
}

func chargesOf(r *verdict.Remittances) (all [][]verdict.Charge) {
	for i := range r.Len() {
		all = append(all, append([]verdict.Charge{}, r.ChargesOf(r.At(i))...))
	}
	return all
}

// Charges stay with their lines, whatever comes before and after them.
func TestChargesOfLines(t *testing.T) {
	freight, tax := verdict.Charge{Column: 0, Amount: 6000}, verdict.Charge{Column: 1, Amount: -1080}
	one, two := new(verdict.Remittances), new(verdict.Remittances)
	chargedReport(one, []string{"Freight", "GST"}, []verdict.Charge{freight, tax}, nil, []verdict.Charge{tax, {Column: 1}})
	chargedReport(two, nil, nil)
	chargedReport(two, []string{"Fee", "Tax"}, []verdict.Charge{tax}, []verdict.Charge{freight})
	one.Append(two)
	chargedReport(one, []string{"TDS"}, []verdict.Charge{freight})
	want := [][]verdict.Charge{{freight, tax}, {}, {tax}, {}, {tax}, {freight}, {freight}}
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
	chargedReport(one, []string{"TCS"}, []verdict.Charge{tax})
	require.Equal(t, []verdict.Charge{tax}, chargesOf(one)[6])

	one.Reset()
	chargedReport(one, nil, nil)
	require.Equal(t, [][]verdict.Charge{{}}, chargesOf(one))
}

// A column turns out to be none of charges when lines of it have been added already.
func TestColumnsThatAreNoCharges(t *testing.T) {
	r := new(verdict.Remittances)
	chargedReport(r, []string{"Fee"}, []verdict.Charge{{Column: 0, Amount: 5}})
	a, b, c := verdict.Charge{Column: 0, Amount: 1}, verdict.Charge{Column: 1, Amount: 2}, verdict.Charge{Column: 2, Amount: 3}
	chargedReport(r, []string{"Freight", "", "TDS"}, []verdict.Charge{a, b, c}, []verdict.Charge{b}, []verdict.Charge{c})
	c.Column = 1
	require.Equal(t, [][]verdict.Charge{{{Column: 0, Amount: 5}}, {a, c}, {}, {c}}, chargesOf(r))
	require.Equal(t, []string{"Freight", "TDS"}, r.Reports()[1].Charges)
}
