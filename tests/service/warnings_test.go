package service

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"milaan/domain"
	"milaan/tests/only"
)

// settled are n orders of the 1st of October of ₹1000 each, and one of the 20th,
// by which their windows have ended.
func settled(n int) (orders []Order) {
	for i := range n {
		orders = append(orders, Order{Name: fmt.Sprintf("#%d", 2001+i), Total: "1000.00", AWB: fmt.Sprintf("AWB%d", 2001+i)})
	}
	return append(orders, Order{Name: "#2999", Total: "1000.00", AWB: "AWB2999", CreatedAt: "2026-10-20"})
}

// paying are lines that pay orders with an amount.
func paying(amount string, orders ...Order) (lines []Line) {
	for _, o := range orders {
		lines = append(lines, Line{AWB: o.AWB, Collected: o.Total, Remitted: amount, RemittedOn: "2026-10-25", Status: "Delivered"})
	}
	return lines
}

func counting(code domain.WarningCode, count int, amount string) []Warning {
	w := Warning{Code: string(code), Amount: json.Number(amount)}
	if count > 0 {
		w.Count = &count
	}
	return []Warning{w}
}

// TestWarnings holds over HTTP which files have the warnings of section 6 of the decisions that no pair of TestPairs has, and that
// there is a case of each.
func TestWarnings(t *testing.T) {
	t.Parallel()
	s := Start(t, Options{})
	c := s.Customer(t, OnPlan(domain.Enterprise))
	six := settled(5)
	// Four weeks of orders, each of which is paid at once a fortnight later, but for the third.
	var weeks []Order
	var paidWeekly []Line
	for i := range 16 {
		on := time.Date(2026, 8, 1+7*(i/4), 0, 0, 0, 0, time.UTC)
		o := Order{Name: fmt.Sprintf("#%d", 4001+i), Total: "1000.00", AWB: fmt.Sprintf("AWB%d", 4001+i), CreatedAt: on.Format(time.DateOnly)}
		weeks = append(weeks, o)
		if i/4 != 2 {
			line := paying(o.Total, o)[0]
			line.RemittedOn = on.AddDate(0, 0, 14).Format(time.DateOnly)
			paidWeekly = append(paidWeekly, line)
		}
	}
	paid := paying("1000.00", six...)
	bare := func(awbs ...string) string { // with the header that three couriers have
		return "AWB Number,COD Amount (INR),Remittance Date\n" + strings.Join(awbs, ",1000.00,2026-10-25\n") + ",1000.00,2026-10-25\n"
	}
	cut := Line{AWB: six[0].AWB, OrderID: "1.49026E+15", Collected: "1000.00", Remitted: "1000.00", RemittedOn: "2026-10-25"}
	takenBack := Line{AWB: six[0].AWB, Collected: "1000.00", Remitted: "1000.00", RemittedOn: "2026-10-26", Status: "Reversed"}
	seen := map[string]bool{}
	for _, w := range []struct {
		orders []Order
		report string
		later  string // a second report; blank: there is none
		want   []Warning
		also   []string // codes that may stand beside them: the decisions leave it open
	}{
		{six, Report(paying("800.00", six...)...), Report(paid...), counting(domain.WarnCorrectedPayout, 6, "4800"), nil},
		{six, Report(paying("800.00", six...)...), Report(paid[1:]...), counting(domain.WarnPayoutListedTwice, 6, "4800"), nil},
		{six, bare("AWB2001", "AWB2002", "AWB2003"), bare("D00000001", "D00000002", "D00000003"), counting(domain.WarnUnnamedCouriers, 2, ""),
			[]string{"unclaimed_lines", "few_matched", "outside_report"}},
		{six, strings.NewReplacer("Date,Status", "Date,UTR", "Delivered", "6.09912E+11").Replace(Report(paid...)), "", counting(domain.WarnRoundedUTRs, 0, ""), nil},
		{six, Report(append(slices.Clone(paid[1:]), cut)...), "", counting(domain.WarnCutIDs, 1, ""), nil},
		{six, strings.ReplaceAll(Report(append(slices.Clone(paid), takenBack)...), ",Status\n", ",Remittance Status\n"), "", counting(domain.WarnReversedPayments, 1, "1000"), nil},
		{weeks, Report(paidWeekly...), "", counting(domain.WarnPayoutGap, 4, "4000"), nil},
	} {
		t.Run(w.want[0].Code, func(t *testing.T) {
			s.Clock.Advance(time.Minute) // past the window of duplicates and of the rate
			body := Body{"shopify": Export(w.orders...), "courier": w.report}
			if w.later != "" {
				body = Body{"shopify": Export(w.orders...), "reports": []Body{{"courier": w.report}, {"courier": w.later}}}
			}
			run := c.Run(t, body)
			run.Warnings = slices.DeleteFunc(run.Warnings, func(got Warning) bool { return slices.Contains(w.also, got.Code) })
			want := expected{Warnings: &w.want}
			require.Empty(t, strings.Join(want.warningDifferences(run), "\n"))
			seen[run.Warnings[0].Code] = true
			require.Regexp(t, `^[A-Z0-9][^{}]*: .*\.$`, run.Warnings[0].Message, "a sentence with the remedy")
		})
	}
	for _, file := range only.Value(filepath.Glob(filepath.Join(pairsDir, "*", "expected.json")))(t) {
		pair := decoded[expected](t, []byte(read(t, file)))
		for _, code := range pair.WarningsContain {
			seen[code] = true
		}
		if pair.Warnings != nil {
			for _, w := range *pair.Warnings {
				seen[w.Code] = true
			}
		}
	}
	for _, of := range []domain.WarningCode{domain.WarnLeavingWindow, domain.WarnItemsUnread, // of the autopilot alone
		domain.WarnColumnsInDoubt,                                                                      // of saved mappings
		domain.WarnUnknownSheets,                                                                       // of workbooks
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
