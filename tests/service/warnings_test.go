package service

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"milaan/domain"
)

// warned is a case of two files and the warnings that they must have.
type warned struct {
	name            string
	orders, courier string
	later           string    // a second report; blank: there is none
	want            []Warning // all of them; a count or an amount that is blank is not looked at
	columns         Body      // that a person names; nil: they are detected
	also            []string  // codes that may stand beside them: the decisions leave it open
}

// settled are n orders of the 1st of October of ₹1000 each, and one of the 20th,
// by which their windows have ended.
func settled(n int) (orders []Order) {
	for i := range n {
		orders = append(orders, Order{Name: fmt.Sprintf("#%d", 2001+i), Total: "1000.00", AWB: fmt.Sprintf("AWB%d", 2001+i)})
	}
	return append(orders, Order{Name: "#2999", Total: "1000.00", AWB: "AWB2999", CreatedAt: "2026-10-20"})
}

// paying are lines that pay orders in full.
func paying(orders ...Order) (lines []Line) {
	for _, o := range orders {
		lines = append(lines, Line{AWB: o.AWB, Collected: o.Total, Remitted: o.Total, RemittedOn: "2026-10-25", Status: "Delivered"})
	}
	return lines
}

func counting(code domain.WarningCode, count int, amount string) Warning {
	w := Warning{Code: string(code)}
	if count > 0 {
		w.Count = &count
	}
	if amount != "" {
		w.Amount = json.Number(amount)
	}
	return w
}

func anyOf(code domain.WarningCode) Warning { return counting(code, 0, "") }

// warnedCases has a case of each code, and of what must not warn.
func warnedCases() []warned {
	six := settled(5)
	none := func(name, orders, courier string) warned { return warned{name: name, orders: orders, courier: courier} }
	var early, crowd []Order
	// Four weeks of orders, each of which is paid at once a fortnight later, but for the third.
	var weeks []Order
	var paidWeekly []Line
	for i := range 16 {
		on := time.Date(2026, 8, 1+7*(i/4), 0, 0, 0, 0, time.UTC)
		o := Order{Name: fmt.Sprintf("#%d", 4001+i), Total: "1000.00", AWB: fmt.Sprintf("AWB%d", 4001+i), CreatedAt: on.Format(time.DateOnly)}
		weeks = append(weeks, o)
		if i/4 != 2 {
			line := paying(o)[0]
			line.RemittedOn = on.AddDate(0, 0, 14).Format(time.DateOnly)
			paidWeekly = append(paidWeekly, line)
		}
	}
	for i := range 20 {
		early = append(early, Order{Name: fmt.Sprintf("#%d", 1001+i), Total: "500.00", AWB: fmt.Sprintf("AWB%d", 1001+i), CreatedAt: "2026-07-01"})
	}
	crowd = settled(60)
	var net []Line
	for i, o := range settled(12) {
		net = append(net, Line{AWB: o.AWB, Collected: "1000.00", Remitted: "980.00", RemittedOn: fmt.Sprintf("2026-10-%d", 21+i%4), Status: "Delivered"})
	}
	pending := append(settled(5), Order{Name: "#3001", Total: "750.00", Payment: "Gulmohar Club", Financial: "pending"})
	var back []Line
	for _, o := range settled(12) {
		back = append(back, Line{AWB: o.AWB, Collected: o.Total, RemittedOn: "2026-10-25", Status: "RTO Delivered"})
	}
	twice := paying(six...)
	part := func(remitted string) []Line {
		lines := paying(six...)
		for i := range lines {
			lines[i].Remitted = remitted
		}
		return lines
	}
	short := part("800.00")
	foreign := []Line{{AWB: "OTHER1", Collected: "100", Remitted: "100", RemittedOn: "2026-10-25"}, {AWB: "OTHER2", Collected: "250.50", Remitted: "250.50", RemittedOn: "2026-10-25"}}
	bare := func(awbs ...string) string { // with the header that three couriers have
		return "AWB Number,COD Amount (INR),Remittance Date\n" + strings.Join(awbs, ",1000.00,2026-10-25\n") + ",1000.00,2026-10-25\n"
	}
	return []warned{
		none("a good pair of files warns of nothing", Export(six...), Report(paying(six...)...)),
		none("a line that is not paid yet warns of nothing", Export(six...), Report(append(paying(six[1:]...), Line{AWB: six[0].AWB, Collected: "1000.00", Status: "Delivered"})...)),
		{name: "nothing_matched", orders: Export(six...), courier: Report(Line{AWB: "X1", Collected: "10", Remitted: "10", RemittedOn: "2026-11-10"}, Line{AWB: "X2", Collected: "20", Remitted: "20", RemittedOn: "2026-11-10"}),
			want: []Warning{anyOf(domain.WarnNothingMatched), counting(domain.WarnUnclaimedLines, 2, "30")}, also: []string{"few_matched"}},
		{name: "few_matched", orders: Export(settled(11)...), courier: Report(paying(settled(11)[:6]...)...), want: []Warning{anyOf(domain.WarnFewMatched)}},
		none("as many as 60 percent are not few", Export(settled(10)...), Report(paying(settled(10)[:6]...)...)),
		{name: "outside_report", orders: Export(append(early, crowd...)...), courier: Report(paying(crowd...)...), want: []Warning{counting(domain.WarnOutsideReport, 20, "")}},
		{name: "unclaimed_lines", orders: Export(six...), courier: Report(append(foreign, paying(six...)...)...), want: []Warning{counting(domain.WarnUnclaimedLines, 2, "350.5")}},
		{name: "unidentified_money", orders: Export(six...), courier: Report(append(paying(six...), Line{Collected: "500.25", Remitted: "500.25", RemittedOn: "2026-10-25", Status: "Delivered"})...),
			want: []Warning{counting(domain.WarnUnidentifiedMoney, 1, "500.25")}},
		none("a line with neither ids nor money is passed over", Export(six...), Report(append(paying(six...), Line{Status: "Note: see mail"})...)),
		{name: "repeated_lines", orders: Export(six...), courier: Report(append(twice, twice[0])...), want: []Warning{counting(domain.WarnRepeatedLines, 1, "")}},
		{name: "corrected_payout", orders: Export(six...), courier: Report(short...), later: Report(paying(six...)...), want: []Warning{counting(domain.WarnCorrectedPayout, 6, "4800")}},
		{name: "payout_listed_twice", orders: Export(six...), courier: Report(short...), later: Report(paying(six[1:]...)...), want: []Warning{counting(domain.WarnPayoutListedTwice, 6, "4800")}},
		{name: "unnamed_couriers", orders: Export(six...), courier: bare("AWB2001", "AWB2002", "AWB2003"), later: bare("D00000001", "D00000002", "D00000003"),
			want: []Warning{counting(domain.WarnUnnamedCouriers, 2, "")}, also: []string{"unclaimed_lines", "few_matched", "outside_report"}},
		{name: "reports of one courier need no name", orders: Export(six...), courier: bare("AWB2001", "AWB2002", "AWB2003"), later: bare("AWB2004", "AWB2005", "AWB2999")},
		{name: "two parts of a payout need no word", orders: Export(six...), courier: Report(part("400.00")...), later: Report(part("600.00")...)},
		{name: "rounded_awbs", orders: Export(append(six, Order{Name: "#3001", Total: "700.00", AWB: "1.49026E+13", CreatedAt: "2026-10-02"})...),
			courier: Report(append(paying(six...), Line{AWB: "14902612345678", OrderID: "3001", Collected: "700", Remitted: "700", RemittedOn: "2026-10-25"})...),
			want:    []Warning{anyOf(domain.WarnRoundedAWBs)}},
		{name: "rounded_utrs", orders: Export(six...), courier: strings.NewReplacer("Date,Status", "Date,UTR", "Delivered", "6.09912E+11").Replace(Report(paying(six...)...)), want: []Warning{anyOf(domain.WarnRoundedUTRs)}},
		{name: "cut_ids", orders: Export(six...), courier: Report(append(paying(six[1:]...), Line{AWB: six[0].AWB, OrderID: "1.49026E+15", Collected: "1000.00", Remitted: "1000.00", RemittedOn: "2026-10-25"})...),
			want: []Warning{counting(domain.WarnCutIDs, 1, "")}},
		{name: "order_id_column", orders: Export(Order{Name: "#1001", Total: "100.00"}, Order{Name: "#1002", Total: "200.00"}),
			courier: "AWB No,Channel Order ID,Order ID,COD Amount,Remittance Date\nA1,998001,1001,100.00,2026-10-10\nA2,998002,1002,200.00,2026-10-10\n",
			want:    []Warning{anyOf(domain.WarnOrderIDColumn)}},
		none("the better name needs no word", Export(Order{Name: "#1001", Total: "100.00"}, Order{Name: "#1002", Total: "200.00"}),
			"AWB No,Channel Order ID,Order ID,COD Amount,Remittance Date\nA1,1001,998001,100.00,2026-10-10\nA2,1002,998002,200.00,2026-10-10\n"),
		{name: "collected_only", orders: Export(six...), columns: Body{"awb": "Docket", "cod_amount": "At The Door", "remittance_date": "Sent On"},
			courier: "Docket,At The Door,Sent On\nAWB2001,1000.00,2026-10-25\nAWB2002,1000.00,2026-10-25\nAWB2003,1000.00,2026-10-25\nAWB2004,1000.00,\n",
			want:    []Warning{counting(domain.WarnCollectedOnly, 3, "")}},
		{name: "collected_only beside a column that is not read", orders: Export(six...),
			courier: "AWB No,COD Amount,Paid,Remittance Date\nAWB2001,1000.00,941.00,2026-10-25\nAWB2002,1000.00,941.00,2026-10-25\nAWB2003,1000.00,1000.00,2026-10-25\nAWB2004,1000.00,,\n",
			want:    []Warning{counting(domain.WarnCollectedOnly, 3, "")}},
		{name: "of a column with what was paid out, nothing has to be said", orders: Export(six...),
			columns: Body{"awb": "Docket", "cod_amount": "At The Door", "remitted_amount": "Sent To Bank", "remittance_date": "Sent On"},
			courier: "Docket,At The Door,Sent To Bank,Sent On\nAWB2001,1000.00,1000.00,2026-10-25\nAWB2002,1000.00,1000.00,2026-10-25\nAWB2003,1000.00,1000.00,2026-10-25\nAWB2004,1000.00,,\n"},
		{name: "nor of columns that are read so in any case", orders: Export(six...), columns: Body{"cod_amount": "COD Amount"},
			courier: "AWB No,COD Amount,Remittance Date\nAWB2001,1000.00,2026-10-25\nAWB2002,1000.00,2026-10-25\nAWB2003,1000.00,2026-10-25\nAWB2004,1000.00,2026-10-25\n"},
		{name: "ambiguous_dates", orders: Export(Order{Name: "#1001", Total: "100.00", AWB: "A1", CreatedAt: "2026-03-01"}, Order{Name: "#1002", Total: "200.00", AWB: "A2", CreatedAt: "2026-03-01"}),
			courier: "AWB No,COD Amount,Remittance Date\nA1,100.00,03/09/2026\nA2,200.00,03/10/2026\n", want: []Warning{anyOf(domain.WarnAmbiguousDates)}},
		none("dates that are plausible day first need no word", Export(Order{Name: "#1001", Total: "100.00", AWB: "A1"}, Order{Name: "#1002", Total: "200.00", AWB: "A2"}),
			"AWB No,COD Amount,Remittance Date\nA1,100.00,09/10/2026\nA2,200.00,10/10/2026\n"),
		{name: "unknown_payment_methods", orders: Export(pending...), courier: Report(paying(settled(5)...)...), want: []Warning{counting(domain.WarnUnknownPaymentMethods, 1, "")}},
		none("a known prepaid method needs no word", Export(append(settled(5), Order{Name: "#3001", Total: "750.00", Payment: "Razorpay", Financial: "pending"})...), Report(paying(settled(5)...)...)),
		{name: "deductions", orders: Export(settled(12)...), courier: Report(net...), want: []Warning{anyOf(domain.WarnDeductions)}},
		{name: "footer_differs", orders: Export(six...), courier: Report(append(paying(six...), Line{AWB: "Grand Total", Collected: "7000.00", Remitted: "7000.00"})...),
			want: []Warning{anyOf(domain.WarnFooterDiffers)}},
		none("a footer that agrees needs no word", Export(six...), Report(append(paying(six...), Line{AWB: "Grand Total", Collected: "6000.00", Remitted: "6000.00"})...)),
		{name: "one_name_two_orders", orders: Export(append(six, Order{Name: six[0].Name, Total: "700.00", AWB: "AWB3001", CreatedAt: "2026-10-03"})...),
			courier: Report(append(paying(six...), Line{AWB: "AWB3001", Collected: "700.00", Remitted: "700.00", RemittedOn: "2026-10-25"})...),
			want:    []Warning{anyOf(domain.WarnOneNameTwoOrders)}},
		{name: "returned_with_amount", orders: Export(settled(12)...), courier: Report(append(paying(settled(12)[4:]...), back[:4]...)...),
			want: []Warning{counting(domain.WarnReturnedWithAmount, 4, "4000")}},
		{name: "one returned with an amount", orders: Export(settled(12)...), courier: Report(append(paying(settled(12)[1:]...), back[0])...),
			want: []Warning{counting(domain.WarnReturnedWithAmount, 1, "1000")}},
		{name: "prepaid_collected", orders: Export(append(settled(5), Order{Name: "#3001", Total: "750.00", Payment: "Razorpay", Financial: "paid", AWB: "AWB3001"})...),
			courier: Report(append(paying(settled(5)...), Line{AWB: "AWB3001", Collected: "750.00", Remitted: "750.00", RemittedOn: "2026-10-25"})...),
			want:    []Warning{counting(domain.WarnPrepaidCollected, 1, "750")}},
		{name: "reversed_payments", orders: Export(six...),
			courier: strings.ReplaceAll(Report(append(paying(six...), Line{AWB: six[0].AWB, Collected: "1000.00", Remitted: "1000.00", RemittedOn: "2026-10-26", Status: "Reversed"})...),
				",Status\n", ",Remittance Status\n"),
			want: []Warning{counting(domain.WarnReversedPayments, 1, "1000")}},
		{name: "payout_gap", orders: Export(weeks...), courier: Report(paidWeekly...), want: []Warning{counting(domain.WarnPayoutGap, 4, "4000")}},
		none("what came back without an amount needs no word", Export(six...), Report(append(paying(six[1:]...), Line{AWB: six[0].AWB, RemittedOn: "2026-10-25", Status: "RTO Delivered"})...)),
		{name: "empty_report", orders: Export(six...), courier: Report(), want: []Warning{anyOf(domain.WarnEmptyReport)}, also: []string{"nothing_matched", "few_matched"}},
	}
}

// TestWarnings holds section 6 of the decisions over HTTP: which files have which
// warnings, and in which form.
func TestWarnings(t *testing.T) {
	t.Parallel()
	s := Start(t, Options{})
	c := s.Customer(t, OnPlan(domain.Enterprise))
	seen := map[string]bool{}
	for _, w := range warnedCases() {
		t.Run(w.name, func(t *testing.T) {
			s.Clock.Advance(time.Minute) // past the window of duplicates and of the rate
			body := Body{"shopify": w.orders, "courier": w.courier}
			if w.columns != nil {
				body["courierName"], body["columns"] = "custom", w.columns
			}
			if w.later != "" {
				body = Body{"shopify": w.orders, "reports": []Body{{"courier": w.courier}, {"courier": w.later}}}
			}
			a := c.Reconcile(t, body)
			run := a.Run(t)
			run.Warnings = slices.DeleteFunc(run.Warnings, func(got Warning) bool { return slices.Contains(w.also, got.Code) })
			want := expected{Warnings: &w.want}
			require.Empty(t, strings.Join(want.warningDifferences(run), "\n"))
			if len(w.want) == 0 {
				require.NotContains(t, string(a.Body), `"warnings"`, "absent if there are none")
			}
			for _, got := range run.Warnings {
				seen[got.Code] = true
				require.Regexp(t, `^[A-Z0-9][^{}]*: .*\.$`, got.Message, "a sentence with the remedy")
				require.NotContains(t, got.Message, "_lines", "words and no code")
			}
		})
	}
	for _, of := range []domain.WarningCode{domain.WarnLeavingWindow, domain.WarnItemsUnread, // of the autopilot alone
		domain.WarnColumnsInDoubt,                                                                      // of saved mappings
		domain.WarnLedgerApart, domain.WarnWeakLines, domain.WarnPromisesPassed, domain.WarnLedgerFull, // of ledgers
		domain.WarnBeforeStatement, domain.WarnIncompletePayouts} { // of vouchers
		seen[string(of)] = true
	}
	for _, code := range domain.WarningCodes() {
		require.True(t, seen[string(code)], "no files here have the warning %s", code)
	}
}

// TestWhereWarningsStand holds that they stand in every answer to the same files,
// and not in the demo.
func TestWhereWarningsStand(t *testing.T) {
	t.Parallel()
	s := Start(t, Options{})
	c := s.Customer(t, OnPlan(domain.Enterprise))
	doubtful := EightFlags().With("courier", EightFlags()["courier"].(string)+"OTHER1,,100,100,2026-10-16,Delivered\n")
	want := c.Run(t, doubtful)
	require.Equal(t, []string{"unclaimed_lines", "returned_with_amount"}, want.codes())
	t.Run("a duplicate has those of the run", func(t *testing.T) {
		again := c.Run(t, doubtful)
		require.True(t, *again.Duplicate)
		require.Equal(t, want.Warnings, again.Warnings)
	})
	t.Run("a repeat by request key has them too", func(t *testing.T) {
		for range 2 {
			require.Equal(t, want.Warnings, c.Keyed(t, "/reconcile", "warned", doubtful.With("brand", "keyed")).Run(t).Warnings)
		}
	})
	t.Run("each result of a batch has its own", func(t *testing.T) {
		report := c.Complete(t, Jobs(Named("good"), doubtful.With("brand", "eight"), badFile().With("brand", "bad")))
		require.Empty(t, report.Results[0].Warnings)
		require.Equal(t, want.Warnings, report.Results[1].Warnings)
		require.Empty(t, report.Results[2].Warnings)
		require.NotNil(t, report.Results[2].Error)
	})
	t.Run("the demo has none", func(t *testing.T) {
		require.NotContains(t, string(s.Get(t, "/demo").Body), `"warnings"`)
	})
}
