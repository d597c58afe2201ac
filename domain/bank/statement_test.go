package bank_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"milaan/domain"
	"milaan/domain/bank"
	"milaan/domain/verdict"
	"milaan/tests/worked"
)

var payers = []bank.Payer{
	{Courier: "delhivery", Names: []string{"DELHIVERY"}},
	{Courier: "shiprocket", Names: []string{"SHIPROCKET", "BIGFOOT RETAIL"}},
	{Courier: "dtdc", Names: []string{"DTDC"}},
	{Courier: "shadowfax", Names: []string{"SHADOWFAX"}},
}

// credited is a line of a statement in a test; a debit has an amount below 0.
type credited struct {
	on        domain.Day
	amount    domain.Paise
	narration string
}

func statementOf(lines ...credited) *bank.Statement {
	s := new(bank.Statement)
	for i, l := range lines {
		if l.amount < 0 {
			s.AddDebit(i+2, l.on, -l.amount, []byte(l.narration))
			continue
		}
		s.AddCredit(i+2, l.on, l.amount, []byte(l.narration))
	}
	return s
}

func payout(utr string, on domain.Day, paid domain.Paise) verdict.Payout {
	return verdict.Payout{UTR: []byte(utr), RemittedOn: on, Paid: paid}
}

func of(courier string, p verdict.Payout) verdict.Payout {
	p.Courier = courier
	return p
}

// oneOf returns the payout as one of which only this is known of its courier.
func oneOf(p verdict.Payout, couriers ...string) verdict.Payout {
	p.OneOf = couriers
	return p
}

// told writes for each payout what the statement says: its state, why it is missing, its
// lines, and with how many payouts it shares them.
func told(f bank.Findings) (all []string) {
	for _, p := range f.Payouts {
		text := p.State.String()
		if p.State != bank.CreditMissing {
			for _, line := range p.Lines() {
				text += fmt.Sprintf(" %d", line.Line)
			}
			if p.Together > 1 {
				text += fmt.Sprintf(" of %d", p.Together)
			}
			if p.SentAgain {
				text += " again"
			}
		} else if p.Absence != bank.AbsenceUnexplained {
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
		state := s.Match([]verdict.Payout{payout(c.utr, 50, 5)}, nil).Payouts[0].State
		require.Equal(t, c.matches, state == bank.CreditEqual, "%s in %s", c.utr, c.narration)
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
		payouts []verdict.Payout
		lines   []credited
		want    []string
		others  []int
	}{
		{"by UTR, whatever the day",
			[]verdict.Payout{payout(one, 10, 700), payout(two, 100, 700)}, []credited{{90, 700, with(one)}, {120, 700, with(two)}},
			[]string{"credited 2", "credited 3"}, nil},
		{"another amount",
			[]verdict.Payout{payout(one, 100, 700)}, []credited{{100, 650, with(one)}, edge}, []string{"credited_other_amount 2"}, nil},
		{"a UTR comes before an equal amount, and its credit pays nobody else",
			[]verdict.Payout{payout(one, 100, 700), payout("", 100, 650)}, []credited{{100, 650, with(one)}, edge}, []string{"credited_other_amount 2", "not_in_statement"}, nil},
		{"one credit for a payout that two reports list",
			[]verdict.Payout{payout(one, 100, 700), payout(one, 100, 300)}, []credited{{100, 1000, with(one)}}, []string{"credited 2 of 2", "credited 2 of 2"}, nil},
		{"and another amount for it",
			[]verdict.Payout{payout(one, 100, 700), payout(one, 100, 300)}, []credited{{100, 700, with(one)}}, []string{"credited_other_amount 2 of 2", "credited_other_amount 2 of 2"}, nil},
		{"two credits of one UTR are compared as a sum",
			[]verdict.Payout{payout(one, 100, 1000)}, []credited{{100, 300, with(one)}, {101, 700, with(one)}}, []string{"credited 2 3"}, nil},
		{"of two payouts as well",
			[]verdict.Payout{payout(one, 100, 700), payout(one, 100, 300)}, []credited{{101, 700, with(one)}, {100, 300, with(one)}}, []string{"credited 3 2 of 2", "credited 3 2 of 2"}, nil},
		{"two credits of one UTR that sum to something else, although one is the payout",
			[]verdict.Payout{payout(one, 100, 700)}, []credited{{100, 5, with(one)}, {101, 700, with(one)}}, []string{"credited_other_amount 2 3"}, nil},
		{"by amount and day",
			[]verdict.Payout{payout("", 100, 700), payout(three, 110, 800)}, []credited{{103, 700, "NEFT COD"}, {107, 800, "IMPS"}, edge}, []string{"credited 2", "credited 3"}, nil},
		{"but not beyond three days",
			[]verdict.Payout{payout("", 100, 700)}, []credited{{104, 700, "NEFT COD"}, {96, 700, "NEFT COD"}}, []string{"not_in_statement"}, nil},
		{"nor if two credits could be it",
			[]verdict.Payout{payout("", 100, 700)}, []credited{{99, 700, "a"}, {101, 700, "b"}, edge}, []string{"not_in_statement"}, nil},
		{"nor if two payouts could be",
			[]verdict.Payout{payout("", 100, 700), payout("", 103, 700)}, []credited{{99, 1, "a"}, {101, 700, "b"}, edge}, []string{"not_in_statement", "not_in_statement"}, nil},
		{"a courier's credits without a payout",
			[]verdict.Payout{payout(one, 100, 700)}, []credited{{101, 20, "NEFT BIGFOOTRETAILSOL"}, {99, 10, "NEFTDTDC EXPRESS"}, {100, 7, "SALARY"}, {100, 700, with(one)}},
			[]string{"credited 5"}, []int{3, 2}},
		{"outside the days of the statement",
			[]verdict.Payout{payout(one, 99, 700), payout(two, 118, 5), payout("", domain.NoDay, 5), payout("", 100, 0), payout("", 117, 5)},
			[]credited{{100, 1, ""}, {120, 1, ""}},
			[]string{"not_in_statement outside_statement", "not_in_statement outside_statement", "not_in_statement undated", "not_in_statement nothing_paid", "not_in_statement"}, nil},
		{"no statement to speak of", []verdict.Payout{payout(one, 99, 700)}, nil, []string{"not_in_statement outside_statement"}, nil},
		{"the reference stands twice in the narration",
			[]verdict.Payout{payout(one, 100, 700)}, []credited{{100, 700, with(one) + " " + one}}, []string{"credited 2"}, nil},
		{"of two UTRs in a narration the amount decides",
			[]verdict.Payout{payout(one, 100, 700), payout(two, 100, 800)}, []credited{{100, 800, with(one) + " " + two}, edge}, []string{"not_in_statement", "credited 2"}, nil},
		{"a transfer that was returned",
			[]verdict.Payout{payout(one, 100, 700)}, []credited{{100, 700, with(one)}, {102, -700, "NEFT RETURN " + one}}, []string{"reversed 2 3"}, nil},
		{"returned, and sent again with the same UTR",
			[]verdict.Payout{payout(one, 100, 700)}, []credited{{100, 700, with(one)}, {101, -700, "RTN" + one}, {102, 700, with(one)}}, []string{"credited 2 4 3"}, nil},
		{"returned, and the transfer that is sent again has another UTR",
			[]verdict.Payout{payout(one, 100, 700)}, []credited{{100, 700, with(one)}, {101, -700, with(one)}, {102, 700, with(two)}}, []string{"reversed 2 3 again"}, []int{4}},
		{"whatever names nobody, weeks later",
			[]verdict.Payout{of("dtdc", payout(one, 100, 700))}, []credited{{100, 700, "DELHIVERY"}, {100, 700, one}, {101, -700, one}, {137, 700, "NEFT"}}, []string{"reversed 3 4 again"}, []int{2}},
		{"but not before the return, nor another amount, nor of another courier, nor what another payout has",
			[]verdict.Payout{of("dtdc", payout(one, 100, 700)), of("dtdc", payout(two, 102, 700))},
			[]credited{{100, 700, one}, {100, 700, "NEFT"}, {101, -700, one}, {102, 701, "DTDC"}, {102, 700, "DELHIVERY"}, {103, 700, two}},
			[]string{"reversed 2 4", "credited 7"}, []int{6, 5}},
		{"two that were returned, of which one was sent again",
			[]verdict.Payout{payout(one, 100, 700), payout(two, 100, 700)}, []credited{{100, 700, with(one)}, {100, 700, with(two)}, {101, -700, with(one)}, {101, -700, with(two)}, {137, 700, "NEFT"}},
			[]string{"reversed 2 4 again", "reversed 3 5"}, nil},
		{"returned, and sent again with the same UTR, of which an earlier statement has the first credit",
			[]verdict.Payout{payout(one, 99, 700)}, []credited{{101, -700, with(one)}, {103, 700, with(one)}}, []string{"reversed 3 2 again"}, nil},
		{"returned in part",
			[]verdict.Payout{payout(one, 100, 700)}, []credited{{100, 700, with(one)}, {101, -300, with(one)}}, []string{"credited_other_amount 2 3"}, nil},
		{"too much at first",
			[]verdict.Payout{payout(one, 100, 700)}, []credited{{100, 900, with(one)}, {101, -200, with(one)}}, []string{"credited 2 3"}, nil},
		{"returned, and the credit is in an earlier statement",
			[]verdict.Payout{payout(one, 99, 700)}, []credited{{101, -700, with(one)}, edge}, []string{"reversed 2"}, nil},
		{"a charge of the bank returns nothing",
			[]verdict.Payout{payout(one, 100, 700)}, []credited{{100, 5, "x"}, {101, -5, "CHARGES " + one}, edge}, []string{"not_in_statement"}, nil},
		{"a payout that takes money back, by a debit of its amount",
			[]verdict.Payout{payout(one, 100, -90), payout(two, 100, -90)}, []credited{{101, -90, with(one)}, {101, -5, "CHARGES " + two}, edge},
			[]string{"credited 2", "not_in_statement nothing_paid"}, nil},
		{"a credit without the UTR, and a debit with it",
			[]verdict.Payout{of("delhivery", payout(one, 100, 700))}, []credited{{100, 700, "NEFT DELHIVERY"}, {101, -700, with(one)}}, []string{"reversed 2 3"}, nil},
		{"money that goes out for something else",
			[]verdict.Payout{payout(one, 100, 700)}, []credited{{100, 700, with(one)}, {100, -700, "RENT"}}, []string{"credited 2"}, nil},
		{"another courier's credit of the same amount",
			[]verdict.Payout{of("delhivery", payout("", 100, 700))}, []credited{{100, 700, "NEFT SHADOWFAX TECH"}, edge}, []string{"not_in_statement"}, []int{2}},
		{"nor if it has digits of the UTR",
			[]verdict.Payout{of("delhivery", payout("20260301", 100, 700))}, []credited{{100, 700, "NEFT SHADOWFAX 20260301"}, edge}, []string{"not_in_statement"}, []int{2}},
		{"a credit that names both is both's",
			[]verdict.Payout{of("delhivery", payout("", 100, 700))}, []credited{{100, 700, "SHADOWFAX FOR DELHIVERY"}, edge}, []string{"credited 2"}, nil},
		{"the credit that names the courier, of two of the amount",
			[]verdict.Payout{of("delhivery", payout("", 100, 700))}, []credited{{99, 700, "UPI ASHA"}, {101, 700, "NEFT DELHIVERY"}, {100, 700, "DTDC"}, edge}, []string{"credited 3"}, []int{4}},
		{"the only credit that names nobody",
			[]verdict.Payout{of("delhivery", payout("", 100, 700))}, []credited{{99, 700, "NEFT"}, {100, 700, "DTDC"}, edge}, []string{"credited 2"}, []int{3}},
		{"two that name the courier",
			[]verdict.Payout{of("delhivery", payout("", 100, 700))}, []credited{{99, 700, "DELHIVERY"}, {101, 700, "DELHIVERY"}, edge}, []string{"not_in_statement"}, []int{2, 3}},
		{"of a courier that is not known, a credit that names one is not taken",
			[]verdict.Payout{of("custom", payout("", 100, 700))}, []credited{{99, 700, "DELHIVERY"}, edge}, []string{"not_in_statement"}, []int{2}},
		{"nor of a UTR that two couriers have",
			[]verdict.Payout{of("delhivery", payout(one, 100, 700)), of("dtdc", payout(one, 100, 300))}, []credited{{99, 1000, "DELHIVERY"}, edge},
			[]string{"not_in_statement", "not_in_statement"}, []int{2}},
		{"but by UTR",
			[]verdict.Payout{of("custom", payout(one, 100, 700))}, []credited{{99, 700, with(one)}}, []string{"credited 2"}, nil},
		{"of one of two couriers, the credit that names either",
			[]verdict.Payout{oneOf(payout("", 100, 700), "dtdc", "shadowfax")}, []credited{{99, 700, "UPI"}, {100, 700, "DELHIVERY"}, {101, 700, "DTDC"}, edge}, []string{"credited 4"}, []int{3}},
		{"if only one does",
			[]verdict.Payout{oneOf(payout("", 100, 700), "dtdc", "shadowfax")}, []credited{{99, 700, "SHADOWFAX"}, {101, 700, "DTDC"}, edge}, []string{"not_in_statement"}, []int{2, 3}},
		{"and it is not that of another payout",
			[]verdict.Payout{oneOf(payout("", 100, 700), "dtdc", "shadowfax"), of("dtdc", payout("", 104, 700))}, []credited{{101, 700, "SHADOWFAX"}, {103, 700, "DTDC"}, {120, 1, ""}}, []string{"credited 2", "credited 3"}, nil},
		{"equal payouts of two couriers",
			[]verdict.Payout{of("delhivery", payout("", 100, 700)), of("dtdc", payout("", 101, 700))}, []credited{{100, 700, "DTDC"}, {101, 700, "NEFT"}, edge}, []string{"credited 3", "credited 2"}, nil},
		{"what one payout has got, the next has not to choose from",
			[]verdict.Payout{of("dtdc", payout("", 100, 700)), of("dtdc", payout("", 104, 700)), of("dtdc", payout("", 108, 700))}, []credited{{102, 700, ""}, {106, 700, ""}, {110, 700, ""}}, []string{"credited 2", "credited 3", "credited 4"}, nil},
		{"one credit for the payouts of a courier and day",
			[]verdict.Payout{of("delhivery", payout(one, 100, 700)), of("delhivery", payout("", 100, 350)), of("delhivery", payout(two, 100, -50)), of("dtdc", payout("", 100, 5))},
			[]credited{{100, 1000, "NEFT DELHIVERY"}, edge}, []string{"credited 2 of 3", "credited 2 of 3", "credited 2 of 3", "not_in_statement"}, nil},
		{"which has the UTR of one of them",
			[]verdict.Payout{of("delhivery", payout(one, 100, 700)), of("delhivery", payout(two, 100, 300))},
			[]credited{{108, 1000, with(one)}}, []string{"credited 2 of 2", "credited 2 of 2"}, nil},
		{"and whose transfer was returned",
			[]verdict.Payout{of("delhivery", payout(one, 100, 700)), of("delhivery", payout(two, 100, 300))},
			[]credited{{100, 1000, with(one)}, {104, -1000, with(one)}}, []string{"reversed 2 3 of 2", "reversed 2 3 of 2"}, nil},
		{"of which the statement has the return alone",
			[]verdict.Payout{of("delhivery", payout(one, 99, 700)), of("delhivery", payout(two, 99, 300))},
			[]credited{{104, -1000, with(one)}, edge}, []string{"reversed 2 of 2", "reversed 2 of 2"}, nil},
		{"not if one has a credit of its own",
			[]verdict.Payout{of("delhivery", payout(one, 100, 700)), of("delhivery", payout(two, 100, 300))},
			[]credited{{100, 1000, with(one)}, {101, 300, with(two)}}, []string{"credited_other_amount 2", "credited 3"}, nil},
		{"nor of some of them, nor of two days",
			[]verdict.Payout{of("delhivery", payout("", 100, 1)), of("delhivery", payout("", 100, 2)), of("delhivery", payout("", 100, 4)), of("dtdc", payout("", 100, 8)), of("dtdc", payout("", 101, 16))},
			[]credited{{100, 3, "DELHIVERY"}, {100, 24, "DTDC"}, edge}, []string{"not_in_statement", "not_in_statement", "not_in_statement", "not_in_statement", "not_in_statement"}, []int{2, 3}},
		{"of a courier that is not known, of all its reports",
			[]verdict.Payout{{Report: 1, CourierReport: 1, UTR: []byte(one), RemittedOn: 100, Paid: 1}, {Report: 2, CourierReport: 1, UTR: []byte(two), RemittedOn: 100, Paid: 2},
				{Report: 3, CourierReport: 3, UTR: []byte(three), RemittedOn: 100, Paid: 4}},
			[]credited{{100, 3, "NEFT"}, {101, 7, "NEFT"}, edge}, []string{"credited 2 of 2", "credited 2 of 2", "not_in_statement"}, nil},
		{"or of those that one of its reports lists",
			[]verdict.Payout{{Report: 1, CourierReport: 1, UTR: []byte(one), RemittedOn: 100, Paid: 1}, {Report: 1, CourierReport: 1, UTR: []byte(two), RemittedOn: 100, Paid: 2},
				{Report: 2, CourierReport: 1, UTR: []byte(three), RemittedOn: 100, Paid: 5}},
			[]credited{{100, 3, "NEFT"}, {100, 7, "NEFT"}, edge}, []string{"credited 2 of 2", "credited 2 of 2", "not_in_statement"}, nil},
		{"or of those that one of its reports lists, under the UTR of one",
			[]verdict.Payout{{Report: 1, CourierReport: 1, UTR: []byte(one), RemittedOn: 100, Paid: 1}, {Report: 1, CourierReport: 1, UTR: []byte(two), RemittedOn: 100, Paid: 2},
				{Report: 2, CourierReport: 1, UTR: []byte(three), RemittedOn: 100, Paid: 5}},
			[]credited{{100, 3, one}, {100, 5, three}, edge}, []string{"credited 2 of 2", "credited 2 of 2", "credited 3"}, nil},
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
	s := new(bank.Statement)
	s.Continue([]byte("nothing goes on here"))
	s.AddCredit(2, 100, 700, []byte("NEFT-HDFCN5202"))
	s.Continue([]byte("60301-DELHIVERY"))
	f := s.Match([]verdict.Payout{payout("HDFCN520260301", 50, 700)}, payers)
	require.Equal(t, bank.CreditEqual, f.Payouts[0].State)
	require.Equal(t, "NEFT-HDFCN5202 60301-DELHIVERY", f.Payouts[0].First().Narration)
}

// TestLargeStatements holds that a statement which is made to be slow is not: its words
// are those that could each be the beginning of a UTR, and all amounts are the same.
func TestLargeStatements(t *testing.T) {
	s := new(bank.Statement)
	narration := []byte(strings.Repeat("in in ab cd ", 2000))
	for i := range 200 {
		s.AddCredit(i, domain.Day(100+i%7), 700, narration)
	}
	for i := range 20_000 {
		s.AddCredit(i, domain.Day(100+i%7), 700, []byte("NEFT DELHIVERY"))
	}
	payouts := make([]verdict.Payout, 20_000)
	for i := range payouts {
		payouts[i] = payout(fmt.Sprintf("HDFCN%09d", i), 103, 700)
	}
	require.Len(t, s.Match(payouts, payers).Others, 20_000)
}

// TestLongRowsOfEqualPayouts holds the same of payouts of which each leaves the next one
// credit less.
func TestLongRowsOfEqualPayouts(t *testing.T) {
	const days = 20_000
	s, payouts := new(bank.Statement), make([]verdict.Payout, 0, days)
	for i := range days {
		s.AddCredit(i+2, domain.Day(102+4*i), 700, []byte("NEFT"))
		payouts = append(payouts, payout("", domain.Day(100+4*i), 700))
	}
	for _, p := range s.Match(payouts, payers).Payouts {
		require.Equal(t, bank.CreditEqual, p.State)
	}
}

// TestManyPayoutsOfOneDay holds the same of payouts of one courier and day of which the latter half is credited each by itself, so
// that none of these credits is for all of them.
func TestManyPayoutsOfOneDay(t *testing.T) {
	worked.RequireLinear(t, 4000, func(n int) func() {
		s, payouts := new(bank.Statement), make([]verdict.Payout, 0, n)
		for i := range n {
			utr := fmt.Sprintf("HDFCN%09d", i)
			payouts = append(payouts, of("delhivery", payout(utr, 103, 700)))
			if i >= n/2 {
				s.AddCredit(i, 103, 700, []byte("NEFT "+utr))
			}
		}
		return func() { require.Equal(t, bank.CreditEqual, s.Match(payouts, payers).Payouts[n-1].State) }
	})
}

// TestManyPayoutsSentAgain holds the same of payouts that were returned and may all be sent again by credits of one amount: half of them
// take the credits of as many days, behind which the others, returned on one of these days each, have to look for theirs.
func TestManyPayoutsSentAgain(t *testing.T) {
	worked.RequireLinear(t, 4000, func(n int) func() {
		s, payouts := new(bank.Statement), make([]verdict.Payout, 0, n)
		for i := range n {
			utr, returned := fmt.Sprintf("HDFCN%09d", i), 104+max(i-n/2, 0)
			payouts = append(payouts, payout(utr, 103, 700*domain.Rupee))
			s.AddDebit(i, domain.Day(returned), 700*domain.Rupee, []byte("RETURN "+utr))
			s.AddCredit(i, domain.Day(105+i), 700*domain.Rupee, []byte("NEFT"))
		}
		return func() {
			for _, p := range s.Match(payouts, payers).Payouts {
				require.True(t, p.SentAgain)
			}
		}
	})
}

// TestNarrationsTakeNoMemory holds that the parts of a text in which a UTR is looked for are not kept: a year's statement has millions.
func TestNarrationsTakeNoMemory(t *testing.T) {
	allocs := func(words int) float64 {
		s := statementOf(credited{41, 100, strings.Repeat("BY TRANSFER-UPI/CR/412345678901 ", words)})
		return testing.AllocsPerRun(10, func() { s.Match([]verdict.Payout{payout("INVUTR26021401", 41, 200)}, payers) })
	}
	require.LessOrEqual(t, allocs(3), allocs(1)+10)
}
