package runs_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"milaan/app/runs"
	"milaan/domain"
	"milaan/ports"
	"milaan/tests/fakes/storage"
	"milaan/tests/only"
)

type historyBench struct {
	*storage.Store
	reading *runs.ReadingHistory
}

func newHistoryBench(t *testing.T) *historyBench {
	t.Helper()
	b := &historyBench{Store: storage.New(t, storage.ProAccount())}
	b.reading = &runs.ReadingHistory{History: b.History, Store: b.Runs, Clock: b.Clock}
	return b
}

func (b *historyBench) keep(run domain.Run) {
	require.NoError(b.T, b.Runs.Update(b.T.Context(), run.AccountID, func(book ports.RunBook) error { return book.Write(ports.Entry{Run: run}) }))
}

func TestWrongQuestionsAboutRuns(t *testing.T) {
	t.Parallel()
	b := newHistoryBench(t)
	b.keep(domain.Run{ID: "run-1", AccountID: "account-1", Source: domain.SourceAPI, At: b.Now})
	b.Add(domain.Account{ID: "account-2", Email: "ravi@shop.example", Plan: domain.Pro, Subscription: domain.SubscriptionActive, SubscribedOn: 1, PlanSince: 1, BillingDay: 1})
	for name, c := range map[string]struct {
		filter ports.RunFilter
		want   domain.Faults
	}{
		"labels": {ports.RunFilter{Brand: "a\nb", Courier: "\xff"}, domain.Faults{
			{Field: domain.FieldCourierName, Rule: domain.RuleLabel, Max: domain.MaxLabel}, {Field: domain.FieldBrand, Rule: domain.RuleLabel, Max: domain.MaxLabel}}},
		"source":   {ports.RunFilter{Source: "web"}, domain.Faults{{Field: domain.FieldSource, Rule: domain.RuleOneOf, Options: []string{"api", "batch", "dashboard", "autopilot"}}}},
		"days":     {ports.RunFilter{From: storage.LateEvening, To: storage.LateEvening}, domain.Faults{{Field: domain.FieldTo, Rule: domain.RuleNotBefore, Day: domain.DayFromDate(2026, time.September, 1)}}},
		"too many": {ports.RunFilter{Limit: 201}, domain.Faults{{Field: domain.FieldLimit, Rule: domain.RuleWhole, Min: 1, Max: 200}}},
		"less":     {ports.RunFilter{Limit: -1}, domain.Faults{{Field: domain.FieldLimit, Rule: domain.RuleWhole, Min: 1, Max: 200}}},
		"unknown":  {ports.RunFilter{After: "run-7"}, domain.Faults{{Field: domain.FieldAfter, Rule: domain.RuleCursor}}},
		"no id":    {ports.RunFilter{After: "\x00"}, domain.Faults{{Field: domain.FieldAfter, Rule: domain.RuleCursor}}},
	} {
		_, _, err := b.reading.Runs(t.Context(), "account-1", c.filter)
		require.Equal(t, c.want, domain.FaultsOf(err), name)
	}
	_, _, err := b.reading.Runs(t.Context(), "account-2", ports.RunFilter{After: "run-1"})
	require.Equal(t, domain.Faults{{Field: domain.FieldAfter, Rule: domain.RuleCursor}}, domain.FaultsOf(err), "another account's run")
	runs, _ := only.Both(b.reading.Runs(t.Context(), "account-2", ports.RunFilter{}))(t)
	require.Empty(t, runs)
}

// What an account is shown as used is what counts towards its cap.
func TestUsageIsWhatTheCapCounts(t *testing.T) {
	t.Parallel()
	b := newHistoryBench(t)
	b.Change(func(a *domain.Account) { a.BillingDay = 31 })
	for i, at := range []time.Time{b.Now.AddDate(0, 0, -2), b.Now, b.Now.Add(time.Hour)} { // the first is of the former cycle
		b.keep(domain.Run{ID: fmt.Sprint("run-", i), AccountID: "account-1", Source: domain.SourceDashboard, At: at})
	}
	usage := only.Value(b.reading.Usage(t.Context(), b.Account))(t)
	require.Equal(t, ports.Usage{Used: 2, Cap: 16, Limited: true, ResetsOn: domain.DayFromDate(2026, time.September, 30)}, usage)
	b.Change(func(a *domain.Account) { a.Plan = domain.Enterprise })
	usage = only.Value(b.reading.Usage(t.Context(), b.Account))(t)
	require.Equal(t, 2, usage.Used)
	require.False(t, usage.Limited)
}
