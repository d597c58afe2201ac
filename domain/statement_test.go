package domain_test

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"milaan/domain"
)

var payers = []domain.Payer{
	{Courier: "delhivery", Names: []string{"DELHIVERY"}},
	{Courier: "shiprocket", Names: []string{"SHIPROCKET", "BIGFOOT RETAIL"}},
	{Courier: "dtdc", Names: []string{"DTDC"}},
}

// credited is a line of a statement in a test.
type credited struct {
	on        domain.Day
	amount    domain.Paise
	narration string
}

func statementOf(lines ...credited) *domain.Statement {
	s := new(domain.Statement)
	for i, l := range lines {
		s.Add(i+2, l.on, l.amount, []byte(l.narration))
	}
	return s
}

func payout(utr string, on domain.Day, paid domain.Paise) domain.Payout {
	return domain.Payout{UTR: []byte(utr), RemittedOn: on, Paid: paid}
}

// told writes for each payout what the statement says: its state, why it is missing, and
// the line of its credit.
func told(f domain.StatementFindings) (all []string) {
	for _, p := range f.Payouts {
		text := p.State.String()
		if p.State != domain.CreditMissing {
			text += fmt.Sprintf(" %d", p.Credit.Line)
		} else if p.Absence != domain.AbsenceUnexplained {
			text += " " + p.Absence.String()
		}
		all = append(all, text)
	}
	return all
}

// TestUTRsInNarrations holds by which texts of banks a UTR is found.
func TestUTRsInNarrations(t *testing.T) {
	for _, c := range []struct {
		utr, narration string
		matches        bool
	}{
		{"HDFCN520260301", "NEFT-HDFCN520260301-DELHIVERY", true},
		{"hdfcn520260301", "NEFT CR-HDFC0000001-DELHIVERY LIMITED-MERCHANT-HDFCN520260301", true},
		{"HDFC N5202/60301", "NEFT CR HDFCN520260301 DELHIVERY", true},
		{"HDFCN520260301", "neft*hdfc0000060*hdfcn520260301*delhivery", true},
		{"N520260301", "NEFT-HDFCN520260301-DELHIVERY", true},     // the bank puts its code before it
		{"520260301123", "IMPS520260301123/DELHIVERY/XX", true},   // and the way of payment
		{"520260301123", "UTR NO520260301123 CR", true},           // and what the number is
		{"520260301123", "NEFTCRHDFC520260301123", true},          // and both
		{"HDFCN520260301", "NEFT CR-HDFCN5202 60301-DELHI", true}, // a line is broken within it
		{"HDFCN520260301", "NEFT HDFCN5202603012 DELHIVERY", false},
		{"520260301123", "NEFT N520260301123", false},
		{"520260301123", "NEFT 1520260301123", false},
		{"520260301123", "NEFT HDFCNN520260301123", false},
		{"1234567", "NEFT 1234567", false}, // too short
		{"DELHIVERY", "NEFT DELHIVERY", false},
		{strings.Repeat("1", 65), strings.Repeat("1", 65), false},
		{"", "NEFT", false},
	} {
		s := statementOf(credited{100, 5, c.narration})
		state := s.Match([]domain.Payout{payout(c.utr, 50, 5)}, nil).Payouts[0].State
		require.Equal(t, c.matches, state == domain.CreditEqual, "%s in %s", c.utr, c.narration)
	}
}

// TestPayoutsAndCredits holds what is said of a payout, by the lines of a statement that
// begins at line 2.
func TestPayoutsAndCredits(t *testing.T) {
	const one, two, three = "HDFCN520260301", "HDFCN520260308", "HDFCN520260315"
	with := func(utr string) string { return "NEFT-" + utr + "-DELHIVERY" }
	edge := credited{120, 1, "interest"}
	for _, c := range []struct {
		name    string
		payouts []domain.Payout
		lines   []credited
		want    []string
		others  []int
	}{
		{"by UTR, whatever the day",
			[]domain.Payout{payout(one, 10, 700), payout(two, 100, 700)}, []credited{{90, 700, with(one)}, {120, 700, with(two)}},
			[]string{"credited 2", "credited 3"}, nil},
		{"another amount",
			[]domain.Payout{payout(one, 100, 700)}, []credited{{100, 650, with(one)}, edge}, []string{"credited_other_amount 2"}, nil},
		{"a UTR comes before an equal amount, and its credit pays nobody else",
			[]domain.Payout{payout(one, 100, 700), payout("", 100, 650)}, []credited{{100, 650, with(one)}, edge}, []string{"credited_other_amount 2", "not_in_statement"}, nil},
		{"one credit for a payout that two reports list",
			[]domain.Payout{payout(one, 100, 700), payout(one, 100, 300)}, []credited{{100, 1000, with(one)}}, []string{"credited 2", "credited 2"}, nil},
		{"and another amount for it",
			[]domain.Payout{payout(one, 100, 700), payout(one, 100, 300)}, []credited{{100, 700, with(one)}}, []string{"credited_other_amount 2", "credited_other_amount 2"}, nil},
		{"two credits of one UTR",
			[]domain.Payout{payout(one, 100, 700), payout(one, 100, 300)}, []credited{{100, 300, with(one)}, {101, 700, with(one)}}, []string{"credited 3", "credited 2"}, nil},
		{"two credits of one UTR, the second another amount",
			[]domain.Payout{payout(one, 100, 700), payout(one, 100, 300)}, []credited{{100, 299, with(one)}, {101, 700, with(one)}}, []string{"credited 3", "credited_other_amount 2"}, nil},
		{"the credit of the right amount, of two with the UTR; the other one is left over",
			[]domain.Payout{payout(one, 100, 700)}, []credited{{100, 5, with(one)}, {101, 700, with(one)}}, []string{"credited 3"}, []int{2}},
		{"by amount and day",
			[]domain.Payout{payout("", 100, 700), payout(three, 110, 800)}, []credited{{103, 700, "NEFT COD"}, {107, 800, "IMPS"}, edge}, []string{"credited 2", "credited 3"}, nil},
		{"but not beyond three days",
			[]domain.Payout{payout("", 100, 700)}, []credited{{104, 700, "NEFT COD"}, {96, 700, "NEFT COD"}}, []string{"not_in_statement"}, nil},
		{"nor if two credits could be it",
			[]domain.Payout{payout("", 100, 700)}, []credited{{99, 700, "a"}, {101, 700, "b"}, edge}, []string{"not_in_statement"}, nil},
		{"nor if two payouts could be",
			[]domain.Payout{payout("", 100, 700), payout("", 103, 700)}, []credited{{99, 1, "a"}, {101, 700, "b"}, edge}, []string{"not_in_statement", "not_in_statement"}, nil},
		{"a courier's credits without a payout",
			[]domain.Payout{payout(one, 100, 700)}, []credited{{101, 20, "NEFT BIGFOOTRETAILSOL"}, {99, 10, "NEFTDTDC EXPRESS"}, {100, 7, "SALARY"}, {100, 700, with(one)}},
			[]string{"credited 5"}, []int{3, 2}},
		{"outside the days of the statement",
			[]domain.Payout{payout(one, 99, 700), payout(two, 118, 5), payout("", domain.NoDay, 5), payout("", 100, 0), payout("", 110, 5)},
			[]credited{{100, 1, ""}, {120, 1, ""}},
			[]string{"not_in_statement outside_statement", "not_in_statement outside_statement", "not_in_statement undated", "not_in_statement nothing_paid", "not_in_statement"}, nil},
		{"no statement to speak of", []domain.Payout{payout(one, 99, 700)}, nil, []string{"not_in_statement outside_statement"}, nil},
		{"the reference stands twice in the narration",
			[]domain.Payout{payout(one, 100, 700)}, []credited{{100, 700, with(one) + " " + one}}, []string{"credited 2"}, nil},
		{"of two UTRs in a narration the amount decides",
			[]domain.Payout{payout(one, 100, 700), payout(two, 100, 800)}, []credited{{100, 800, with(one) + " " + two}, edge}, []string{"not_in_statement", "credited 2"}, nil},
	} {
		f := statementOf(c.lines...).Match(c.payouts, payers)
		require.Equal(t, c.want, told(f), c.name)
		var others []int
		for _, o := range f.Others {
			others = append(others, o.Line)
		}
		require.Equal(t, c.others, others, c.name)
	}
}

// TestOtherCreditsNameTheirCourier also holds that what is shown of a narration is short.
func TestOtherCreditsNameTheirCourier(t *testing.T) {
	const long = "NEFT-BIGFOOT RETAIL SOLUTIONS PRIVATE LIMITED-COD REMITTANCE OF THE SELLER ASHA TEXTILES-HDFCN520260301 "
	f := statementOf(credited{9, 10, long + strings.Repeat("₹", 100)}).Match(nil, payers)
	require.Len(t, f.Others, 1)
	require.Equal(t, "shiprocket", f.Others[0].Courier)
	require.Equal(t, long+strings.Repeat("₹", (160-len(long))/len("₹"))+"…", f.Others[0].Narration)
	require.Equal(t, []domain.Day{9, 9}, []domain.Day{f.From, f.To})
}

// TestALineThatGoesOn holds that a narration of several lines is one.
func TestALineThatGoesOn(t *testing.T) {
	s := new(domain.Statement)
	s.Continue([]byte("nothing goes on here"))
	s.Add(2, 100, 700, []byte("NEFT-HDFCN5202"))
	s.Continue([]byte("60301-DELHIVERY"))
	f := s.Match([]domain.Payout{payout("HDFCN520260301", 50, 700)}, payers)
	require.Equal(t, domain.CreditEqual, f.Payouts[0].State)
	require.Equal(t, "NEFT-HDFCN5202 60301-DELHIVERY", f.Payouts[0].Credit.Narration)
}

// TestStatementsMatchWhateverTheirOrder draws payouts and statements of few amounts, days
// and UTRs, so that much collides. It holds that the order of lines changes nothing, that
// no credit is in two places, and that everything said of a credit is true.
func TestStatementsMatchWhateverTheirOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		utr := rapid.SampledFrom([]string{"", "HDFCN520260301", "N520260301", "ICIC0099887766", "12345678"})
		amount := rapid.Custom(func(t *rapid.T) domain.Paise { return domain.Paise(rapid.IntRange(0, 4).Draw(t, "amount")) })
		day := rapid.Custom(func(t *rapid.T) domain.Day { return domain.Day(rapid.IntRange(100, 108).Draw(t, "day")) })
		payouts := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) domain.Payout {
			return payout(utr.Draw(t, "utr"), day.Draw(t, "on"), amount.Draw(t, "paid"))
		}), 0, 8).Draw(t, "payouts")
		lines := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) credited {
			name := rapid.SampledFrom([]string{"", "DELHIVERY", "rent"}).Draw(t, "name")
			return credited{day.Draw(t, "on"), amount.Draw(t, "amount") + 1, "NEFT-" + utr.Draw(t, "utr") + "-" + utr.Draw(t, "other") + "-" + name}
		}), 0, 8).Draw(t, "lines")

		f := statementOf(lines...).Match(payouts, payers)
		shuffled := slices.Clone(lines)
		rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0)).Shuffle(len(shuffled), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
		require.Equal(t, withoutLines(f), withoutLines(statementOf(shuffled...).Match(payouts, payers)))

		payers := map[int]string{} // by line: the UTR that a credit pays
		sums := map[int]domain.Paise{}
		for i, p := range f.Payouts {
			require.Equal(t, payouts[i], p.Payout)
			if p.State == domain.CreditMissing {
				require.Zero(t, p.Credit)
				continue
			}
			utr, paid := payers[p.Credit.Line]
			require.True(t, !paid || utr != "" && utr == string(p.UTR), "a credit pays two payouts that have nothing in common")
			payers[p.Credit.Line], sums[p.Credit.Line] = string(p.UTR), sums[p.Credit.Line]+p.Paid
		}
		for _, p := range f.Payouts {
			if p.State != domain.CreditMissing {
				require.Equal(t, p.State == domain.CreditEqual, p.Credit.Amount == sums[p.Credit.Line])
			}
		}
		for _, o := range f.Others {
			_, paid := payers[o.Line]
			require.False(t, paid, "a credit that pays a payout is left over")
			require.Contains(t, o.Narration, "DELHIVERY")
		}
	})
}

// withoutLines removes the lines of credits, which their order changes, and sorts the
// credits that are left over.
func withoutLines(f domain.StatementFindings) domain.StatementFindings {
	f.Payouts = slices.Clone(f.Payouts)
	for i := range f.Payouts {
		f.Payouts[i].Credit.Line = 0
	}
	f.Others = slices.Clone(f.Others)
	for i := range f.Others {
		f.Others[i].Line = 0
	}
	slices.SortFunc(f.Others, func(a, b domain.Credit) int {
		return cmp.Or(cmp.Compare(a.On, b.On), cmp.Compare(a.Amount, b.Amount), strings.Compare(a.Narration, b.Narration))
	})
	return f
}

// TestLargeStatements holds that a statement which is made to be slow is not: its words
// are those that could each be the beginning of a UTR, and all amounts are the same.
func TestLargeStatements(t *testing.T) {
	s := new(domain.Statement)
	narration := []byte(strings.Repeat("in in ab cd ", 2000))
	for i := range 200 {
		s.Add(i, domain.Day(100+i%7), 700, narration)
	}
	for i := range 20_000 {
		s.Add(i, domain.Day(100+i%7), 700, []byte("NEFT DELHIVERY"))
	}
	payouts := make([]domain.Payout, 20_000)
	for i := range payouts {
		payouts[i] = payout(fmt.Sprintf("HDFCN%09d", i), 103, 700)
	}
	f := s.Match(payouts, payers)
	require.Len(t, f.Others, 20_000)
}
