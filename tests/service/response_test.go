package service

import (
	"encoding/json"
	"strconv"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"milaan/domain"
)

// TestResponse holds what POST /reconcile answers.
func TestResponse(t *testing.T) {
	t.Parallel()
	s := Start(t, Options{})

	t.Run("results has one element per order", func(t *testing.T) {
		c := s.Customer(t)
		run := c.Run(t, Small().With("shopify", Export(
			Order{Name: "#1001", Total: "1000.00", AWB: "AWB1001"},
			Order{Name: "#1002", Total: "500.00"},
			Order{Name: "#1001", Total: "1000.00"},
		)))
		require.Len(t, run.Results, 2, "two rows of one order are one order")
		require.Equal(t, "#1001", run.Results[0].OrderID)
		require.Equal(t, json.Number("1000"), run.Results[0].CODAmount, "repeated totals are not summed")
	})
	t.Run("duplicate and run_id are there only for a duplicate", func(t *testing.T) {
		c := s.Customer(t)
		first := c.Reconcile(t, Small())
		require.Equal(t, strconv.Itoa(len(first.Body)), first.Header.Get("Content-Length"), "what is known is told")
		require.NotContains(t, string(first.Body), `"duplicate"`)
		require.NotContains(t, string(first.Body), `"run_id"`)
		again := c.Reconcile(t, Small())
		run := again.Run(t)
		require.True(t, *run.Duplicate)
		require.Equal(t, first.Header.Get("X-Run-Id"), *run.RunID)
		require.NoError(t, uuid.Validate(*run.RunID))
		require.Equal(t, first.Run(t).Results, run.Results)
		require.Empty(t, again.Header.Get("X-Run-Id"), "nothing was stored")
	})
	t.Run("a stored run is named by X-Run-Id, every answer by X-Request-Id", func(t *testing.T) {
		c := s.Customer(t)
		a := c.Reconcile(t, Small())
		require.NoError(t, uuid.Validate(a.Header.Get("X-Run-Id")))
		require.NotEmpty(t, a.Header.Get("X-Request-Id"))
		require.Empty(t, c.Reconcile(t, Body{}).Header.Get("X-Run-Id"))
		require.Equal(t, "of-the.caller_1", s.Get(t, "/healthz", "X-Request-Id", "of-the.caller_1").Header.Get("X-Request-Id"))
		require.NotEqual(t, "a b", s.Get(t, "/healthz", "X-Request-Id", "a b").Header.Get("X-Request-Id"))
	})
	t.Run("every result has its ten fields", func(t *testing.T) {
		a := s.Customer(t).Reconcile(t, EightFlags())
		raw := decoded[struct{ Results []map[string]any }](t, a.Body)
		for _, r := range raw.Results {
			require.Len(t, r, 10)
			for _, field := range []string{"awb", "order_id", "cod_amount", "remitted", "shortfall", "days_overdue", "flag", "flag_reason", "status", "match_mode"} {
				require.Contains(t, r, field)
			}
		}
	})
	t.Run("order_id and awb are as the files write them", func(t *testing.T) {
		run := s.Customer(t).Run(t, Small().With("shopify", Export(Order{Name: "#SDA-1001-2026", Total: "1000.00", AWB: "awb1001"})))
		require.Equal(t, "#SDA-1001-2026", run.Results[0].OrderID)
		require.Equal(t, "awb1001", run.Results[0].AWB)
	})
	t.Run("amounts are numbers of rupees with at most two decimals", func(t *testing.T) {
		run := s.Customer(t).Run(t, Small().With("courier", Report(Line{AWB: "AWB1001", Remitted: "899.95", RemittedOn: "2026-10-10"})))
		require.Equal(t, []json.Number{"1000", "899.95", "100.05"}, run.Results[0].amounts())
	})
	t.Run("status is the fulfilment status", func(t *testing.T) {
		run := s.Customer(t).Run(t, Small().With("shopify", Export(
			Order{Name: "#1001", Total: "1000.00", AWB: "AWB1001", Fulfilment: "Fulfilled"},
			Order{Name: "#1002", Total: "10.00", Fulfilment: "unfulfilled"},
			Order{Name: "#1003", Total: "10.00", Fulfilment: "Partial"},
			Order{Name: "#1004", Total: "10.00", Cancelled: "2026-10-02 10:00:00 +0530"},
		)))
		var statuses []string
		for _, r := range run.Results {
			statuses = append(statuses, r.Status)
		}
		require.Equal(t, []string{"fulfilled", "unfulfilled", "partial", "cancelled"}, statuses)
	})
	t.Run("match_mode is awb, or order_id where the storefront knows no AWB", func(t *testing.T) {
		run := s.Customer(t).Run(t, Body{
			"shopify": Export(Order{Name: "#1001", Total: "10.00", AWB: "A1"}, Order{Name: "#1002", Total: "10.00"}),
			"courier": Report(Line{AWB: "A1", OrderID: "9", Remitted: "10", RemittedOn: "2026-10-10"}, Line{AWB: "A2", OrderID: "1002", Remitted: "10", RemittedOn: "2026-10-10"}),
		})
		require.Equal(t, [2]string{"awb", "order_id"}, [2]string{run.Results[0].MatchMode, run.Results[1].MatchMode})
		require.Equal(t, "A2", run.Results[1].AWB, "the courier's, where the storefront has none")
	})
}

func (r Result) amounts() []json.Number { return []json.Number{r.CODAmount, r.Remitted, r.Shortfall} }

// TestFlags holds section 2.5 and the transitions of section 3.
func TestFlags(t *testing.T) {
	t.Parallel()
	s := Start(t, Options{})

	t.Run("every row has one flag with its shortfall and its days overdue", func(t *testing.T) {
		run := s.Customer(t).Run(t, EightFlags())
		want := []struct {
			flag, reason string
			amounts      []json.Number
			overdue      int
		}{
			// Their windows end on 2026-10-08, twelve days before the last order.
			{"MISSING", "Not remitted", []json.Number{"900", "0", "900"}, 12},
			{"SHORT_PAID", "Shortfall detected", []json.Number{"500", "450", "50"}, 0},
			{"OVERDUE", "Not remitted within the courier's window", []json.Number{"650", "0", "650"}, 12},
			{"RTO_ANOMALY", "Returned but COD collected", []json.Number{"1200", "0", "1200"}, 0},
			{"MINOR_DIFF", "Within tolerance", []json.Number{"800", "798", "2"}, 0},
			{"OVERPAID", "Overpaid", []json.Number{"700", "720", "-20"}, 0},
			{"RECONCILED", "Fully remitted", []json.Number{"1000.5", "1000.5", "0"}, 0},
			{"AWAITING_NEXT_CYCLE", "Awaiting next remittance cycle", []json.Number{"400", "0", "0"}, 0},
		}
		require.Len(t, run.Results, len(want))
		for i, r := range run.Results {
			require.Equal(t, want[i].flag, r.Flag)
			require.True(t, strings.HasPrefix(r.FlagReason, want[i].reason), r.FlagReason)
			require.Equal(t, want[i].amounts, r.amounts(), r.Flag)
			require.Equal(t, want[i].overdue, r.DaysOverdue, r.Flag)
		}
	})
}

func (r Run) flags() []string {
	var flags []string
	for _, result := range r.Results {
		flags = append(flags, result.Flag)
	}
	return flags
}

// TestGuidance holds what an answer says of the cycle of payouts.
func TestGuidance(t *testing.T) {
	t.Parallel()
	s := Start(t, Options{})
	through := func(day string) Body {
		return Small().With("courier", Report(Line{AWB: "AWB1001", Remitted: "1000", RemittedOn: day}))
	}
	t.Run("offset_days and offset_source say what decides, explicit or default", func(t *testing.T) {
		c := s.Customer(t)
		g := c.Run(t, Named(1)).Guidance
		require.Equal(t, Guidance{OffsetDays: 7, OffsetSource: "default", BatchAsOf: "2026-10-01", DataThrough: g.DataThrough, Guaranteed: 14}, *g)
		g = c.Run(t, Named(2).With("overdue_threshold_days", 7)).Guidance
		require.Equal(t, "explicit", g.OffsetSource, "asked for, even if it is the default")
		c.Change(t, func(a *domain.Account) { a.OverdueDays = 12 })
		g = c.Run(t, Named(3)).Guidance
		require.Equal(t, [2]any{12, "explicit"}, [2]any{g.OffsetDays, g.OffsetSource}, "the account's own")
		g = c.Run(t, Named(4).With("overdue_threshold_days", 5)).Guidance
		require.Equal(t, 5, g.OffsetDays, "the request comes before the account")
	})
	t.Run("batch_as_of is the most recent order date", func(t *testing.T) {
		require.Equal(t, "2026-10-20", s.Customer(t).Run(t, EightFlags()).Guidance.BatchAsOf)
	})
	t.Run("courier_data_through is the latest date of the courier file or null", func(t *testing.T) {
		c := s.Customer(t)
		require.Equal(t, "2026-10-16", *c.Run(t, EightFlags()).Guidance.DataThrough)
		a := c.Reconcile(t, through(""))
		require.Nil(t, a.Run(t).Guidance.DataThrough)
		require.Contains(t, string(a.Body), `"courier_data_through":null`)
	})
	t.Run("coverage is complete from guaranteed_coverage_days after batch_as_of", func(t *testing.T) {
		c := s.Customer(t)
		require.False(t, c.Run(t, through("2026-10-14")).Guidance.CoverageComplete)
		require.True(t, c.Run(t, through("2026-10-15")).Guidance.CoverageComplete)
	})
	t.Run("guaranteed_coverage_days is 14 or the threshold if that is higher", func(t *testing.T) {
		c := s.Customer(t)
		for days, want := range map[int]int{1: 14, 14: 14, 15: 15, 30: 30} {
			require.Equal(t, want, c.Run(t, Small().With("overdue_threshold_days", days)).Guidance.Guaranteed)
		}
	})
	t.Run("awaiting_next_cycle_count counts the rows that wait", func(t *testing.T) {
		require.Equal(t, 1, s.Customer(t).Run(t, EightFlags()).Guidance.Awaiting)
	})
	t.Run("cycle_guidance is in every answer of POST reconcile", func(t *testing.T) {
		c := s.Customer(t)
		require.NotNil(t, c.Run(t, Small()).Guidance)
		require.NotNil(t, c.Run(t, Small()).Guidance, "in a duplicate too")
	})
}
