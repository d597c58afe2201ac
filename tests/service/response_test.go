package service

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"milaan/domain"
)

func (r Result) amounts() []json.Number { return []json.Number{r.CODAmount, r.Remitted, r.Shortfall} }

// TestFlags holds section 2.5 and the transitions of section 3.
func TestFlags(t *testing.T) {
	t.Parallel()
	s := Start(t, Options{})

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
}
