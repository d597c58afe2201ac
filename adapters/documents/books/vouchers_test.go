package books_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"milaan/adapters/documents/books"
	"milaan/domain"
	"milaan/domain/bank"
	"milaan/domain/verdict"
	"milaan/ports"
	"milaan/tests/garbage"
)

func TestMain(m *testing.M) { garbage.Waits(m) }

// catalogue has the names of two couriers.
type catalogue struct{ ports.Couriers }

func (catalogue) Catalogue() []ports.CourierInfo {
	return []ports.CourierInfo{{ID: "delhivery", Name: "Delhivery"}, {ID: "dtdc", Name: "DTDC"}}
}

var couriers catalogue

func march(day int) domain.Day { return domain.DayFromDate(2026, time.March, day) }

// line is a line of a report, with what it states as charges by columns.
type line struct {
	order, utr      string
	collected, paid domain.Paise
	on              domain.Day
	charges         []domain.Paise
}

var columns = []string{"Freight Charges", "COD Fee", "GST", "TDS", "Other Charges"}

// runOf makes a run of orders that lines name, with a report of each courier, a second one of Delhivery, and a ledger.
func runOf(t require.TestingT, reports map[string][]line, statement *bank.Statement) *ports.FinishedRun {
	var orders verdict.Orders
	var remittances verdict.Remittances
	orders.Reset()
	remittances.Reset()
	for _, l := range reports["ledger"] {
		kept := verdict.RememberedLine{Courier: "delhivery", BothAmounts: true, Remittance: verdict.Remittance{OrderID: []byte(l.order), UTR: []byte(l.utr),
			Listed: l.collected, Collected: l.collected, Stated: l.paid, Remitted: l.paid, HasRemitted: true, RemittedOn: l.on}}
		for i, amount := range l.charges {
			kept.Charges = append(kept.Charges, domain.StatedCharge{Name: columns[i], Amount: amount})
		}
		require.Empty(t, remittances.Remember(&kept))
	}
	for _, report := range []string{"delhivery", "dtdc", "custom", "delhivery again"} {
		lines, given := reports[report]
		if !given {
			continue
		}
		courier, _, _ := strings.Cut(report, " ")
		remittances.Begin(courier)
		for _, l := range lines {
			if !strings.HasPrefix(l.order, "stray") {
				o, _ := orders.FindOrAdd([]byte(l.order))
				o.Total, o.HasTotal, o.CreatedOn = l.collected.Abs(), true, march(1)
			}
			remittances.Add(verdict.Remittance{OrderID: []byte(l.order), UTR: []byte(l.utr), Listed: l.collected, Collected: l.collected,
				Stated: l.paid, Remitted: l.paid, HasRemitted: true, RemittedOn: l.on})
			for i, amount := range l.charges {
				remittances.AddCharge(uint8(i), amount)
			}
		}
		remittances.SetCharges(columns)
		remittances.SetMapping(domain.Mapping{domain.RoleCODAmount: "COD", domain.RoleRemittedAmount: "Net"})
	}
	var r verdict.Reconciliation
	require.NoError(t, r.Decide(&orders, &remittances, domain.TermsFor(nil, 0, nil)))
	run := ports.NewFinishedRun(&r, domain.Run{}, domain.Mapping{}, nil)
	if statement != nil {
		findings := statement.Match(run.Payouts(), []bank.Payer{{Courier: "delhivery", Names: []string{"DELHIVERY"}}, {Courier: "dtdc", Names: []string{"DTDC"}}},
			run.EarlierPayouts()...)
		run.Statement = &findings
	}
	return run
}

// vouchersOf makes the vouchers of a run.
func vouchersOf(run *ports.FinishedRun) []books.Voucher {
	vouchers, _ := books.Of(run, couriers)
	return vouchers
}

// text writes vouchers a line each, for tests to compare.
func text(vouchers []books.Voucher) (all []string) {
	for _, v := range vouchers {
		s := fmt.Sprintf("%s %s:", v.Kind, v.On)
		for _, l := range v.Lines {
			s += fmt.Sprintf(" %s %s;", l.Ledger, l.Amount.Exact())
			for _, b := range l.Bills {
				s += fmt.Sprintf(" [%s %s]", b.Order, b.Amount.Exact())
			}
		}
		all = append(all, s)
	}
	return all
}

func TestVouchersOfPayouts(t *testing.T) {
	full := []line{{order: "#1", utr: "UTR20260001", collected: 1000_00, paid: 900_50, on: march(9),
		charges: []domain.Paise{60_00, 20_00, 14_40, 5_00, 0}}}
	short := []line{{order: "#1", utr: "UTR20260001", collected: 1000_00, paid: 800_00, on: march(9), charges: []domain.Paise{60_00}}}
	credit := func(on domain.Day, amount domain.Paise) *bank.Statement {
		var s bank.Statement
		s.Cover(march(1))
		s.AddCredit(1, on, amount, []byte("NEFT UTR20260001 DELHIVERY"))
		return &s
	}
	returned := credit(march(10), 900_50)
	returned.AddDebit(2, march(12), 900_50, []byte("RETURN UTR20260001"))
	inParts := credit(march(10), 500_00)
	inParts.AddCredit(2, march(11), 100_00, []byte("NEFT UTR20260001"))
	inParts.AddCredit(3, march(33), 200_00, []byte("NEFT UTR20260001"))
	inParts.AddCredit(4, march(65), 100_50, []byte("NEFT UTR20260001"))
	moves := func(lines ...move) *bank.Statement {
		s := new(bank.Statement)
		for i, l := range lines {
			if s.Cover(l.on); l.amount < 0 {
				s.AddDebit(i+1, l.on, -l.amount, []byte("RETURN UTR20260001"))
			} else if l.amount > 0 {
				s.AddCredit(i+1, l.on, l.amount, []byte("NEFT UTR20260001"))
			}
		}
		return s
	}
	const (
		charges  = " COD charges ₹20.00; Courier freight ₹60.00; GST on courier charges ₹14.40; TDS receivable ₹5.00; Courier differences, unexplained ₹0.10;"
		credited = "Receipt 2026-03-10: Bank Account ₹900.50;" + charges + " Delhivery COD receivable -₹1,000.00;"
		open     = "Receipt 2026-03-09: Courier receivable, not yet credited ₹900.50;" + charges + " Delhivery COD receivable -₹1,000.00;"
		back     = " COD charges -₹20.00; Courier freight -₹60.00; GST on courier charges -₹14.40; TDS receivable -₹5.00; " +
			"Courier differences, unexplained -₹0.10; Delhivery COD receivable ₹1,000.00;"
	)
	for name, c := range map[string]struct {
		lines     []line
		statement *bank.Statement
		want      []string
	}{
		"no statement":            {full, nil, []string{open}},
		"not in the statement":    {full, &bank.Statement{}, []string{open}},
		"credited":                {full, credit(march(10), 900_50), []string{credited}},
		"credited a month later":  {full, credit(march(33), 900_50), []string{open, "Contra 2026-04-02: Bank Account ₹900.50; Courier receivable, not yet credited -₹900.50;"}},
		"credited a month before": {full, credit(march(0), 900_50), []string{open, "Contra 2026-02-28: Bank Account ₹900.50; Courier receivable, not yet credited -₹900.50;"}},
		"credited in four parts": {full, inParts, []string{
			"Receipt 2026-03-10: Bank Account ₹600.00; Courier receivable, not yet credited ₹300.50;" + charges + " Delhivery COD receivable -₹1,000.00;",
			"Contra 2026-04-02: Bank Account ₹200.00; Courier receivable, not yet credited -₹200.00;",
			"Contra 2026-05-04: Bank Account ₹100.50; Courier receivable, not yet credited -₹100.50;"}},
		"credited in part": {full, credit(march(10), 900_00), []string{"Receipt 2026-03-10: Bank Account ₹900.00; Courier receivable, not yet credited ₹0.50;" +
			charges + " Delhivery COD receivable -₹1,000.00;"}},
		"returned":                   {full, returned, []string{credited, "Payment 2026-03-12: Bank Account -₹900.50;" + back}},
		"returned, credited before":  {full, moves(move{march(12), -900_50}), []string{"Payment 2026-03-12: Bank Account -₹900.50;" + back}},
		"returned, of a covered day": {full, moves(move{march(1), 0}, move{march(12), -900_50}), []string{"Payment 2026-03-12: Bank Account -₹900.50;" + back}},
		"from before the statement":  {full, moves(move{march(10), 0}), nil},
		"credited after it begins":   {full, moves(move{march(33), 900_50}), []string{open, "Contra 2026-04-02: Bank Account ₹900.50; Courier receivable, not yet credited -₹900.50;"}},
		"the second part":            {full, moves(move{march(33), 300_50}), []string{"Contra 2026-04-02: Bank Account ₹300.50; Courier receivable, not yet credited -₹300.50;"}},
		"sent again next month": {full, moves(move{march(9), 900_50}, move{march(10), -900_50}, move{march(33), 900_50}),
			[]string{open, "Contra 2026-04-02: Bank Account ₹900.50; Courier receivable, not yet credited -₹900.50;"}},
		"in part back next month": {full, moves(move{march(9), 900_50}, move{march(33), -400_00}),
			[]string{strings.Replace(credited, "03-10", "03-09", 1), "Contra 2026-04-02: Bank Account -₹400.00; Courier receivable, not yet credited ₹400.00;"}},
		"sent twice, one came back": {full, moves(move{march(9), 900_50}, move{march(33), 900_50}, move{march(34), -900_50}),
			[]string{strings.Replace(credited, "03-10", "03-09", 1)}},
		"returned in two months": {full, moves(move{march(9), 900_50}, move{march(12), -500_00}, move{march(34), -400_50}), []string{strings.Replace(credited, "03-10", "03-09", 1),
			"Contra 2026-04-03: Bank Account -₹400.50; Courier receivable, not yet credited ₹400.50;",
			"Payment 2026-03-12: Bank Account -₹500.00; Courier receivable, not yet credited -₹400.50;" + back}},
		"returned, sent again and returned again": {full, moves(move{march(9), 900_50}, move{march(12), -900_50}, move{march(33), 900_50}, move{march(34), -900_50}),
			[]string{strings.Replace(credited, "03-10", "03-09", 1), "Payment 2026-03-12: Bank Account -₹900.50;" + back}},
		"taken back, and debited": {[]line{{order: "#1", utr: "UTR20260001", collected: -100_00, paid: -90_00, on: march(9), charges: []domain.Paise{10_00}}},
			moves(move{march(10), -90_00}), []string{"Payment 2026-03-10: Bank Account -₹90.00; Courier freight -₹10.00; Delhivery COD receivable ₹100.00;"}},
		"deducted more than charges":       {short, nil, []string{"Receipt 2026-03-09: Courier receivable, not yet credited ₹800.00; Courier freight ₹60.00; Courier differences, unexplained ₹140.00; Delhivery COD receivable -₹1,000.00;"}},
		"charges that were not deducted":   {[]line{{order: "#1", utr: "UTR20260001", collected: 100_00, paid: 100_00, on: march(9), charges: []domain.Paise{60_00}}}, nil, []string{"Receipt 2026-03-09: Courier receivable, not yet credited ₹100.00; Delhivery COD receivable -₹100.00;"}},
		"a tax that is inside the freight": {[]line{{order: "#1", utr: "UTR20260001", collected: 100_00, paid: 40_00, on: march(9), charges: []domain.Paise{60_00, 0, 9_15}}}, nil, []string{"Receipt 2026-03-09: Courier receivable, not yet credited ₹40.00; Courier freight ₹60.00; Delhivery COD receivable -₹100.00;"}},
		"taken back":                       {[]line{{order: "#1", utr: "UTR20260001", collected: -100_00, paid: -90_00, on: march(9), charges: []domain.Paise{10_00}}}, nil, []string{"Payment 2026-03-09: Courier receivable, not yet credited -₹90.00; Courier freight -₹10.00; Delhivery COD receivable ₹100.00;"}},
		"freight alone":                    {[]line{{order: "#1", utr: "UTR20260001", collected: 0, paid: -60_00, on: march(9), charges: []domain.Paise{60_00}}}, nil, []string{"Payment 2026-03-09: Courier receivable, not yet credited -₹60.00; Courier freight ₹60.00;"}},
		"all deducted":                     {[]line{{order: "#1", utr: "UTR20260001", collected: 60_00, paid: 0, on: march(9)}}, nil, []string{"Journal 2026-03-09: Courier differences, unexplained ₹60.00; Delhivery COD receivable -₹60.00;"}},
		"all deducted, and credited":       {[]line{{order: "#1", utr: "UTR20260001", collected: 60_00, paid: 0, on: march(9)}}, credit(march(10), 50_00), []string{"Receipt 2026-03-10: Bank Account ₹50.00; Courier receivable, not yet credited -₹50.00; Courier differences, unexplained ₹60.00; Delhivery COD receivable -₹60.00;"}},
		"nothing":                          {[]line{{order: "#1", utr: "UTR20260001", on: march(9)}}, nil, nil},
		"without a date":                   {[]line{{order: "#1", utr: "UTR20260001", collected: 60_00, paid: 60_00}}, nil, []string{"Receipt 2026-03-01: Courier receivable, not yet credited ₹60.00; Delhivery COD receivable -₹60.00;"}},
	} {
		t.Run(name, func(t *testing.T) {
			require.Equal(t, c.want, text(vouchersOf(runOf(t, map[string][]line{"delhivery": c.lines}, c.statement))))
		})
	}
}

func TestLedgersAndBills(t *testing.T) {
	run := runOf(t, map[string][]line{
		"custom": {{order: "#1", utr: "UTR1\n2", collected: 100_00, paid: 90_00, on: march(7)}, {order: "1", utr: "utr1\n2", collected: 50_00, paid: 50_00, on: march(9)},
			{order: "stray 9", utr: "UTR1\n2", collected: 5_00, paid: 5_00, on: march(8)}},
	}, nil)
	run.Books = domain.Books{Receivable: "Due from {courier}", NotCredited: " ", Difference: "Suspense", ByOrder: true}
	vouchers := vouchersOf(run)
	require.Equal(t, []string{"Receipt 2026-03-09: Courier receivable, not yet credited ₹145.00; Suspense ₹10.00; Due from Courier -₹155.00; [#1 -₹150.00] [stray 9 -₹5.00]"}, text(vouchers))
	require.Equal(t, "COD payout of Courier, UTR UTR1 2, remitted 7 Mar 2026 to 9 Mar 2026, 3 lines", vouchers[0].Narration)
	require.Equal(t, "UTR1 2", vouchers[0].Reference)
	require.True(t, vouchers[0].Lines[2].Courier)
}

// TestBillsBesideASharedAWB holds that a line of its own settles an order by its name, also one that has a shared AWB too, and one that
// only a ledger has.
func TestBillsBesideASharedAWB(t *testing.T) {
	var orders verdict.Orders
	var remittances verdict.Remittances
	orders.Reset()
	remittances.Reset()
	for i, awbs := range []string{"AWB1", "AWB1, AWB2"} {
		o, _ := orders.FindOrAdd([]byte([]string{"#1", "#2"}[i]))
		o.Total, o.HasTotal, o.CreatedOn = 500_00, true, march(1)
		require.True(t, orders.Track(o, []byte(awbs)))
	}
	require.Empty(t, orders.Remember(&verdict.RememberedOrder{Order: verdict.Order{Name: []byte("#3"), CreatedOn: march(1)}, AWBs: []byte("AWB3")}))
	remittances.Begin("delhivery")
	for _, awb := range []string{"AWB1", "AWB2", "AWB3"} {
		remittances.Add(verdict.Remittance{AWB: []byte(awb), Collected: 500_00, Remitted: 500_00, RemittedOn: march(9)})
	}
	var r verdict.Reconciliation
	require.NoError(t, r.Decide(&orders, &remittances, domain.TermsFor(nil, 0, nil)))
	run := ports.NewFinishedRun(&r, domain.Run{}, domain.Mapping{}, nil)
	run.Books.ByOrder = true
	require.Contains(t, text(vouchersOf(run))[0], "[AWB1 -₹500.00] [#2 -₹500.00] [#3 -₹500.00]")
}

// TestOrdersThatCancelEachOtherOut holds that bills are written of a payout whose receivable sums to nothing.
func TestOrdersThatCancelEachOtherOut(t *testing.T) {
	run := runOf(t, map[string][]line{"delhivery": {{order: "#1", collected: 500_00, paid: 500_00, on: march(9)}, {order: "#2", collected: -500_00, paid: -500_00, on: march(9)},
		{order: "#3", paid: -10_00, on: march(9)}}}, nil)
	run.Books.ByOrder = true
	require.Equal(t, []string{"Payment 2026-03-09: Courier receivable, not yet credited -₹10.00; Courier differences, unexplained ₹10.00; " +
		"Delhivery COD receivable ₹500.00; [#2 ₹500.00] Delhivery COD receivable -₹500.00; [#1 -₹500.00]"}, text(vouchersOf(run)))
}

// TestAParcelInPartsIsCollectedOnce holds that orders are settled by their COD, whatever part of it is paid when, and opened again
// when all is taken back. The ids are those of what the reports list.
func TestAParcelInPartsIsCollectedOnce(t *testing.T) {
	first := []line{{order: "#1", collected: 1000_00, paid: 975_40, on: march(14)}, {order: "#3", collected: 1000_00, paid: 600_00, on: march(14), charges: []domain.Paise{24_60}}}
	second := []line{{order: "#3", collected: 1000_00, paid: 375_40, on: march(21), charges: []domain.Paise{24_60}}, {order: "#1", collected: 1000_00, paid: -975_40, on: march(21)}}
	of := func(reports map[string][]line) []books.Voucher {
		run := runOf(t, reports, nil)
		run.Books.ByOrder = true
		return vouchersOf(run)
	}
	both := of(map[string][]line{"delhivery": first, "delhivery again": second})
	require.Equal(t, []string{
		"Receipt 2026-03-14: Courier receivable, not yet credited ₹1,575.40; Courier freight ₹24.60; Courier differences, unexplained ₹400.00; " +
			"Delhivery COD receivable -₹2,000.00; [#1 -₹1,000.00] [#3 -₹1,000.00]",
		"Payment 2026-03-21: Courier receivable, not yet credited -₹600.00; Courier differences, unexplained -₹400.00; Delhivery COD receivable ₹1,000.00; [#1 ₹1,000.00]",
	}, text(both))
	alone := of(map[string][]line{"delhivery": second})
	require.NotEqual(t, text(both)[1], text(alone)[0], "the run does not know of the first part")
	require.Equal(t, both[1].ID, alone[0].ID)
}

// TestNumbersOfContras holds that a contra has the id and the number of its month, whatever else the statement shows.
func TestNumbersOfContras(t *testing.T) {
	of := func(days ...int) (suffixes []string) {
		var s bank.Statement
		for i, day := range days {
			s.AddCredit(i+1, march(day), 10_00, []byte("NEFT UTR20260001"))
		}
		for _, v := range vouchersOf(runOf(t, map[string][]line{"delhivery": {{order: "#1", utr: "UTR20260001", collected: 50_00, paid: 50_00, on: march(9)}}}, &s)) {
			require.LessOrEqual(t, len(v.Number), 21)
			suffixes = append(suffixes, v.ID[len("milaan-")+32:]+" "+v.Number[len("COD-0123456789"):])
		}
		return suffixes
	}
	require.Equal(t, []string{" ", "-c202604 -C2604", "-c202605 -C2605"}, of(9, 33, 65))
	require.Equal(t, []string{"-c202605 -C2605"}, of(65))

	var s bank.Statement
	s.Cover(march(1))
	s.AddCredit(1, march(33), 100_00, []byte("NEFT DELHIVERY"))
	alike := []line{{order: "#1", collected: 50_00, paid: 50_00, on: march(31)}}
	vouchers := vouchersOf(runOf(t, map[string][]line{"delhivery": alike, "delhivery again": {{order: "#2", collected: 50_00, paid: 50_00, on: march(31)}}}, &s))
	require.Len(t, vouchers, 4)
	require.Regexp(t, `^COD-[0-9A-F]{8}-2-C2604$`, vouchers[3].Number, "programs take 21 characters")
}

// TestOneIDForAUTR holds that how the courier is told, the order of the files and how the UTR is written change no id.
func TestOneIDForAUTR(t *testing.T) {
	id := func(courier, utr string) string {
		return vouchersOf(runOf(t, map[string][]line{courier: {{order: "#1", utr: utr, collected: 50_00, paid: 50_00, on: march(9)}}}, nil))[0].ID
	}
	want := id("delhivery", "HDFCN520260001")
	require.Equal(t, []string{want, want, want}, []string{id("custom", "HDFCN520260001"), id("delhivery", "hdfcn 5202-60001"), id("dtdc", "HDFCN520260001")})
	require.Equal(t, want, id("delhivery", "NEFT UTR: HDFCN520260001"))
	require.Equal(t, id("delhivery", "609912345678"), id("delhivery", "609912345678.0"))
	require.NotEqual(t, want, id("delhivery", "HDFCN520260002"))
	require.NotEqual(t, id("delhivery", "17"), id("dtdc", "17"), "couriers may count their payouts")
}

func TestNarrationOfWhatIsTakenBack(t *testing.T) {
	var s bank.Statement
	s.AddDebit(1, march(10), 90_00, []byte("ACH UTR20260001"))
	run := runOf(t, map[string][]line{"delhivery": {{order: "#1", utr: "UTR20260001", collected: -90_00, paid: -90_00, on: march(9)}}}, &s)
	require.Equal(t, "COD payout of Delhivery, UTR UTR20260001, remitted 9 Mar 2026, debited 10 Mar 2026, 1 line", vouchersOf(run)[0].Narration)

	// A smaller debit with the UTR may be a charge of the bank.
	for amount, word := range map[domain.Paise]string{5_90: "debited", 900_50: "returned"} {
		var s bank.Statement
		s.Cover(march(1))
		s.AddCredit(1, march(10), 900_50, []byte("NEFT UTR20260001"))
		s.AddDebit(2, march(11), amount, []byte("CHG UTR20260001"))
		run := runOf(t, map[string][]line{"delhivery": {{order: "#1", utr: "UTR20260001", collected: 900_50, paid: 900_50, on: march(9)}}}, &s)
		require.Contains(t, vouchersOf(run)[0].Narration, "credited 10 Mar 2026, "+word+" 11 Mar 2026")
	}
}

// TestWhatIsLeftOutIsTold holds that whoever writes vouchers is told which payouts have none, and why.
func TestWhatIsLeftOutIsTold(t *testing.T) {
	s := new(bank.Statement)
	s.AddCredit(1, march(11), 5_00, []byte("NEFT UTR20260002"))
	s.AddDebit(2, march(12), 7_00, []byte("RETURN UTR20260003"))
	early := []line{{order: "#1", utr: "UTR20260001", collected: 50_00, paid: 50_00, on: march(9)}, {order: "#2", utr: "UTR20260002", collected: 5_00, paid: 5_00, on: march(9)},
		{order: "#3", utr: "UTR20260003", collected: 7_00, paid: 7_00, on: march(9)}, {order: "#4", utr: "UTR20260004", on: march(9)}}
	run := runOf(t, map[string][]line{"delhivery": early}, s)
	vouchers, warnings := books.Of(run, couriers)
	require.Len(t, vouchers, 2, "the one that is credited, and the return")
	require.Equal(t, []domain.Warning{{Code: domain.WarnBeforeStatement, Count: 2, Payouts: 2, Amount: 57_00, HasAmount: true,
		Examples: []string{"UTR20260001", "UTR20260003"}}}, warnings)
	write(t, books.JournalCSV{Couriers: couriers}, run)
	write(t, books.Tally{Couriers: couriers}, run)

	early = append(early, line{order: "#5", collected: 1, paid: 1, on: march(8)})
	for i := range 5 {
		early = append(early, line{order: fmt.Sprint("#1", i), utr: fmt.Sprint("UTR2026001", i), collected: 1, paid: 1, on: march(9)})
	}
	_, warnings = books.Of(runOf(t, map[string][]line{"delhivery": early}, s), couriers)
	require.Len(t, warnings, 1)
	require.Equal(t, 8, warnings[0].Count)
	require.Len(t, warnings[0].Examples, 4, "a header has room for a few names")
	require.Equal(t, []domain.Day{march(8)}, warnings[0].PaidOn)

	_, warnings = books.Of(runOf(t, map[string][]line{"delhivery": early}, nil), couriers)
	require.Empty(t, warnings)
}

// TestVouchersWithALedger holds that a payout of which a report lists a part again has a voucher of all of it, or none.
func TestVouchersWithALedger(t *testing.T) {
	again := line{order: "#1", utr: "UTR20260001", collected: 500_00, paid: 500_00, on: march(9)}
	before := line{order: "#2", utr: "UTR20260001", collected: 1000_00, paid: 940_00, on: march(9), charges: []domain.Paise{60_00}}
	with := func(kept ...line) *ports.FinishedRun {
		return runOf(t, map[string][]line{"delhivery": {again}, "ledger": kept}, nil)
	}
	other := line{order: "#3", utr: "UTR20260002", collected: 70_00, paid: 70_00, on: march(2)}
	run := with(again, before, other)
	require.Equal(t, []string{"Receipt 2026-03-09: Courier receivable, not yet credited ₹1,440.00; Courier freight ₹60.00; Delhivery COD receivable -₹1,500.00;"},
		text(vouchersOf(run)))
	before.on = march(-150)
	vouchers, warnings := books.Of(with(again, before, other), couriers)
	require.Empty(t, vouchers)
	require.Equal(t, []domain.Warning{{Code: domain.WarnIncompletePayouts, Count: 1, Payouts: 1, Amount: 1440_00, HasAmount: true, Examples: []string{"UTR20260001"}}}, warnings)
}

// TestPayoutsThatOnlyTheLedgerHas holds what is posted of a payout whose voucher an earlier run has written.
func TestPayoutsThatOnlyTheLedgerHas(t *testing.T) {
	kept := []line{{order: "#1", utr: "UTR20260001", collected: 100_00, paid: 90_00, on: march(29)}, {order: "#2", utr: "UTR20260001", collected: 50_00, paid: 50_00, on: march(29)}}
	const contra = "Contra 2026-04-02: Bank Account ₹140.00; Courier receivable, not yet credited -₹140.00;"
	for name, c := range map[string]struct {
		begin domain.Day
		lines []move
		want  []string
	}{
		"nothing":                  {march(32), nil, nil},
		"credited":                 {march(32), []move{{march(33), 140_00}}, []string{contra}},
		"in part":                  {march(32), []move{{march(33), 90_00}}, []string{strings.ReplaceAll(contra, "140", "90")}},
		"returned":                 {march(32), []move{{march(33), -140_00}}, []string{"Payment 2026-04-02: Bank Account -₹140.00; Courier differences, unexplained -₹10.00; Delhivery COD receivable ₹150.00;"}},
		"and come again":           {march(32), []move{{march(33), -140_00}, {march(36), 140_00}}, nil},
		"and come again in part":   {march(32), []move{{march(33), -140_00}, {march(36), 90_00}}, []string{"Contra 2026-04-02: Bank Account -₹50.00; Courier receivable, not yet credited ₹50.00;"}},
		"whole, in its own month":  {march(1), []move{{march(30), 140_00}}, []string{"Receipt 2026-03-30: Bank Account ₹140.00; Courier differences, unexplained ₹10.00; Delhivery COD receivable -₹150.00;"}},
		"a part, in its own month": {march(1), []move{{march(30), 90_00}}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			var s bank.Statement
			s.Cover(c.begin)
			for i, l := range c.lines {
				if l.amount < 0 {
					s.AddDebit(i+1, l.on, -l.amount, []byte("RETURN UTR20260001 DELHIVERY"))
				} else {
					s.AddCredit(i+1, l.on, l.amount, []byte("NEFT UTR20260001 DELHIVERY"))
				}
			}
			run := runOf(t, map[string][]line{"ledger": kept, "delhivery": {{order: "#3", utr: "UTR20260003", on: march(40)}}}, &s)
			require.Equal(t, c.want, text(vouchersOf(run)))
			require.Empty(t, run.Statement.Others, "they belong to a payout of an earlier run")
			if len(c.want) > 0 && c.lines[0].on > march(31) {
				of := vouchersOf(runOf(t, map[string][]line{"delhivery": kept}, &s))
				require.Equal(t, of[len(of)-1].ID, vouchersOf(run)[0].ID)
			}
		})
	}
}

// move is what the bank moved of a payout on a day; a debit is below 0, and 0 only says that the statement has the day.
type move struct {
	on     domain.Day
	amount domain.Paise
}

// drawn is a run that was drawn, and what it was made of.
type drawn struct {
	reports   map[string][]line
	statement *bank.Statement
}

func draw(t *rapid.T) (d drawn) {
	paise := func(name string, from, to int) domain.Paise {
		return domain.Paise(rapid.IntRange(from, to).Draw(t, name)) * 25
	}
	d.reports = map[string][]line{}
	var paid [4]domain.Paise
	n := 0
	for _, courier := range []string{"delhivery", "dtdc"} {
		for range rapid.IntRange(0, 8).Draw(t, "lines") {
			n++
			l := line{order: fmt.Sprintf("#%d", n), on: march(rapid.IntRange(24, 38).Draw(t, "day"))}
			if l.collected = paise("collected", 0, 40); rapid.IntRange(0, 5).Draw(t, "back") == 0 {
				l.collected = -l.collected
			}
			l.paid = l.collected
			for range rapid.IntRange(0, len(columns)).Draw(t, "charges") {
				charge := paise("charge", 0, 4)
				l.charges = append(l.charges, charge)
				l.paid -= charge
			}
			l.paid += paise("unexplained", -2, 2) * domain.Paise(rapid.IntRange(0, 1).Draw(t, "explained"))
			if utr := rapid.IntRange(0, 3).Draw(t, "UTR"); utr > 0 {
				l.utr = fmt.Sprintf("UTR2026000%d", utr)
				paid[utr] += l.paid
			}
			d.reports[courier] = append(d.reports[courier], l)
		}
	}
	if rapid.Bool().Draw(t, "statement") {
		d.statement = &bank.Statement{}
		for i := range rapid.IntRange(0, 8).Draw(t, "lines of the statement") {
			utr := rapid.IntRange(1, 3).Draw(t, "UTR of the statement")
			amount := []domain.Paise{paid[utr].Abs(), paise("amount", 1, 80)}[rapid.IntRange(0, 1).Draw(t, "whole")]
			narration := fmt.Appendf(nil, "NEFT UTR2026000%d", utr)
			on := march(rapid.IntRange(22, 40).Draw(t, "day of the statement"))
			switch {
			case amount == 0:
			case rapid.IntRange(0, 2).Draw(t, "debit") == 0:
				d.statement.AddDebit(i+1, on, amount, narration)
			default:
				d.statement.AddCredit(i+1, on, amount, narration)
			}
		}
	}
	return d
}

// leftOut says whether a payout has no voucher of its own, because an earlier statement may show more of it.
func leftOut(f *bank.Findings, p *bank.CreditedPayout) bool {
	switch p.State {
	case bank.CreditEqual:
		return false
	case bank.CreditReversed:
		return len(p.Credits) == 0 || p.RemittedOn < f.From
	}
	return p.RemittedOn < f.From
}

// undone says whether the voucher of a payout is reversed.
func undone(p *bank.CreditedPayout) bool {
	return p.State == bank.CreditReversed && (p.ReceivedAgain() == 0 || monthOf(p.RemittedOn) == monthOf(p.Debits[0].On))
}

func monthOf(day domain.Day) string { return day.String()[:len("2026-03")] }

// shown adds up by month the lines of a statement that belong to payouts, each once. Of payouts without a voucher of their own
// it has what comes in other months than theirs, and the return.
func shown(f *bank.Findings) map[string]domain.Paise {
	seen, sums := map[int]bool{}, map[string]domain.Paise{}
	for i := range f.Payouts {
		p := &f.Payouts[i]
		add := func(lines []bank.StatementLine, sign domain.Paise, returns bool) {
			for _, l := range lines {
				if seen[l.Line] {
					continue
				}
				seen[l.Line] = true
				if returned := returns && monthOf(l.On) == monthOf(lines[0].On); returned || !leftOut(f, p) || monthOf(l.On) != monthOf(p.RemittedOn) {
					sums[monthOf(l.On)] += sign * l.Amount
				}
			}
		}
		add(p.Credits, 1, false)
		add(p.Debits, -1, undone(p))
	}
	maps.DeleteFunc(sums, func(_ string, sum domain.Paise) bool { return sum == 0 })
	return sums
}

func TestVouchersAddUp(t *testing.T) {
	names := domain.DefaultBooks()
	rapid.Check(t, func(t *rapid.T) {
		d := draw(t)
		run := runOf(t, d.reports, d.statement)
		run.Books.ByOrder = rapid.Bool().Draw(t, "bills")
		vouchers := vouchersOf(run)
		var credited, open, receivable, paid, collected, undonePaid, undoneCollected domain.Paise
		ids, month, inMonth := map[string]bool{}, map[string]domain.Day{}, map[string]domain.Paise{}
		for _, v := range vouchers {
			require.False(t, ids[v.ID], "%s is there twice", v.ID)
			ids[v.ID] = true
			var sum, moved domain.Paise
			for _, l := range v.Lines {
				require.NotZero(t, l.Amount)
				sum += l.Amount
				var bills domain.Paise
				for _, b := range l.Bills {
					bills += b.Amount
				}
				if len(l.Bills) > 0 {
					require.Equal(t, l.Amount, bills)
				}
				require.Equal(t, strings.HasSuffix(l.Ledger, " COD receivable"), l.Courier)
				switch {
				case l.Ledger == names.Bank:
					require.NotNil(t, d.statement, "nothing shows what is posted as received")
					credited, moved = credited+l.Amount, moved+l.Amount
					inMonth[monthOf(v.On)] += l.Amount
				case l.Ledger == names.NotCredited:
					open, moved = open+l.Amount, moved+l.Amount
				case l.Courier:
					receivable += l.Amount
				}
			}
			require.Zero(t, sum, "%v", v)
			switch {
			case strings.HasSuffix(v.ID, "-r"):
				undonePaid -= moved
			case v.Kind == books.Contra:
				require.Zero(t, moved)
				// A payout of nothing has no voucher, and the statement may show money for it all the same.
				of, posted := month[v.ID[:strings.LastIndexByte(v.ID, '-')]]
				require.True(t, !posted || monthOf(v.On) != monthOf(of), "a contra in the month of its payout")
				require.Equal(t, "-c"+strings.ReplaceAll(monthOf(v.On), "-", ""), v.ID[strings.LastIndexByte(v.ID, '-'):])
			default:
				paid += moved
				month[v.ID] = v.On
			}
		}
		var wantPaid, reversed domain.Paise
		payouts := run.Payouts()
		together := false
		for i, p := range payouts {
			if d.statement != nil {
				c := &run.Statement.Payouts[i]
				together = together || c.Together > 1
				if undone(c) {
					reversed, undoneCollected = reversed+p.Paid, undoneCollected+p.Collected
				}
				if leftOut(run.Statement, c) {
					continue
				}
			}
			wantPaid, collected = wantPaid+p.Paid, collected+p.Collected
		}
		require.Equal(t, wantPaid, paid)
		require.Equal(t, reversed, undonePaid)
		require.Equal(t, undoneCollected-collected, receivable)
		require.Equal(t, wantPaid-reversed, credited+open)
		if d.statement != nil && !together { // what belongs to several payouts is in the month of the first line
			maps.DeleteFunc(inMonth, func(_ string, sum domain.Paise) bool { return sum == 0 })
			require.Equal(t, shown(run.Statement), inMonth, "the bank has each month what the statement shows")
		}
	})
}

// TestPayoutsWithoutUTRStayTwo exports the reports of one courier and day one by one.
func TestPayoutsWithoutUTRStayTwo(t *testing.T) {
	first := []line{{order: "#1", collected: 100_00, paid: 90_00, on: march(7)}}
	second := []line{{order: "#2", collected: 70_00, paid: 70_00, on: march(7)}}
	idOf := func(lines []line) string {
		return vouchersOf(runOf(t, map[string][]line{"delhivery": lines}, nil))[0].ID
	}
	require.NotEqual(t, idOf(first), idOf(second))
	require.Equal(t, idOf(first), idOf(first))
}

// TestIDsStay holds that a payout has one id, in whatever order the lines are given and whatever the bank says.
func TestIDsStay(t *testing.T) {
	names := domain.DefaultBooks()
	rapid.Check(t, func(t *rapid.T) {
		d := draw(t)
		idsOf := func(statement *bank.Statement) (ids []string) {
			for _, v := range vouchersOf(runOf(t, d.reports, statement)) {
				// A payout of nothing is posted only for what the statement shows.
				ofNothing := !slices.ContainsFunc(v.Lines, func(l books.Line) bool { return l.Ledger != names.Bank && l.Ledger != names.NotCredited })
				if !strings.HasSuffix(v.ID, "-r") && !ofNothing {
					ids = append(ids, v.ID)
				}
			}
			slices.Sort(ids)
			return ids
		}
		all := idsOf(nil)
		for _, id := range idsOf(d.statement) {
			require.Contains(t, all, id)
		}
		// A UTR that both couriers have is a payout of the first, so the reports stay as they are.
		for _, lines := range d.reports {
			slices.Reverse(lines)
			for i := range lines {
				lines[i].utr = strings.ToLower(lines[i].utr)
			}
		}
		require.Equal(t, all, idsOf(nil))
	})
}
