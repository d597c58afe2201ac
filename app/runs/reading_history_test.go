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

// newHistoryBench has runs-1 to runs-n, an hour apart, each of which is at risk with as many
// rupees.
func newHistoryBench(t *testing.T, many int) *historyBench {
	t.Helper()
	b := &historyBench{Store: storage.New(t, storage.ProAccount())}
	b.reading = &runs.ReadingHistory{History: b.History, Store: b.Runs, Clock: b.Clock}
	for i := range many {
		n := i + 1
		b.keep(domain.Run{ID: fmt.Sprint("run-", n), AccountID: "account-1", Brand: fmt.Sprint("brand ", n%2), CourierName: "delhivery+dtdc", Source: domain.SourceAPI,
			At: b.Now.Add(time.Duration(n) * time.Hour), Tally: domain.Tally{Orders: 10, AtRisk: domain.Paise(n) * domain.Rupee}})
	}
	return b
}

func (b *historyBench) keep(run domain.Run) {
	require.NoError(b.T, b.Runs.Update(b.T.Context(), run.AccountID, func(book ports.RunBook) error { return book.Write(ports.Entry{Run: run}) }))
}

func idsOf(runs []domain.Run) (ids []string) {
	for _, r := range runs {
		ids = append(ids, r.ID)
	}
	return ids
}

func TestHistoryIsFiltered(t *testing.T) {
	t.Parallel()
	b := newHistoryBench(t, 4)
	b.keep(domain.Run{ID: "run-9", AccountID: "account-1", Brand: "brand 1", CourierName: "xpressbees", Source: domain.SourceDashboard, At: b.Now})
	for _, c := range []struct {
		filter ports.RunFilter
		want   []string
	}{
		{ports.RunFilter{Brand: " brand 1 "}, []string{"run-3", "run-1", "run-9"}},
		{ports.RunFilter{Courier: " DTDC "}, []string{"run-4", "run-3", "run-2", "run-1"}},
		{ports.RunFilter{Courier: "delhivery+dtdc"}, nil},
		{ports.RunFilter{Courier: "dtd_"}, nil},
		{ports.RunFilter{Source: domain.SourceDashboard}, []string{"run-9"}},
		{ports.RunFilter{From: b.Now.Add(2 * time.Hour), To: b.Now.Add(4 * time.Hour)}, []string{"run-3", "run-2"}},
		{ports.RunFilter{Brand: "brand 0", After: "run-4"}, []string{"run-2"}},
	} {
		runs, _ := only.Both(b.reading.Runs(t.Context(), "account-1", c.filter))(t)
		require.Equal(t, c.want, idsOf(runs), c.filter)
	}
}

func TestWrongQuestionsAboutRuns(t *testing.T) {
	t.Parallel()
	b := newHistoryBench(t, 1)
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
	b := newHistoryBench(t, 0)
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
