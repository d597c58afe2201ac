package domain_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"milaan/domain"
)

func TestAlarmsHaveOnePeriodAsLongAsTheirCauseLasts(t *testing.T) {
	now := time.Date(2026, 11, 22, 10, 0, 0, 0, domain.Kolkata)
	today := domain.DayOf(now)
	c := domain.Connection{ID: "c", AccountID: "a", Sources: []domain.ReportSource{{ID: "s1"}, {ID: "s2"}}, CreatedAt: now.AddDate(0, 0, -30)}
	fresh := domain.PassResult{Sources: []domain.SourceResult{{SourceID: "s1", Through: today - 10}, {SourceID: "s2", Through: today}}}
	require.Empty(t, c.Alarms(fresh, now), "ten days are not over ten days")

	stale := domain.PassResult{Sources: []domain.SourceResult{{SourceID: "s1", Through: today - 11}, {SourceID: "s2", Through: today - 20}}}
	require.Equal(t, []int{2, 1}, c.StaleSources(stale, now), "the one that is most behind comes first")
	first := c.Alarms(stale, now)
	require.Equal(t, []domain.Mail{{AccountID: "a", Kind: domain.MailStale, ConnectionID: "c", Period: "s2 " + (today - 20).String(), CreatedAt: now}}, first)
	require.Equal(t, first[0].Period, c.Alarms(stale, now.AddDate(0, 0, 1))[0].Period)

	undated := domain.PassResult{Sources: []domain.SourceResult{{SourceID: "s1"}}}
	require.Equal(t, []int{1}, c.StaleSources(undated, now))
	removed := domain.PassResult{Sources: []domain.SourceResult{{SourceID: "s0", Through: today - 20}, {SourceID: "s1", Through: today}}}
	require.Empty(t, c.StaleSources(removed, now), "a source that is not there any more")
	c.CreatedAt = now
	require.Empty(t, c.StaleSources(undated, now), "a new connection has time to get its first report")
	c.CreatedAt = now.AddDate(0, 0, -30)
	c.Sources[0].Since = now.AddDate(0, 0, -10)
	require.Empty(t, c.StaleSources(undated, now), "and a new source of an old connection too")
	require.Equal(t, []int{1}, c.StaleSources(undated, now.AddDate(0, 0, 1)))

	c.FailingSince = now.Add(-domain.FailingLimit + time.Second)
	require.Empty(t, c.Alarms(fresh, now))
	require.Equal(t, domain.MailFailing, c.Alarms(fresh, now.Add(time.Second))[0].Kind)
	c.FailingSince = time.Time{}

	c.Watch(100_00, 0, now)
	require.Empty(t, c.Alarms(fresh, now), "no limit is set")
	c.Watch(100_00, 100_00, now)
	require.Empty(t, c.Alarms(fresh, now), "the limit itself is not beyond it")
	c.Watch(100_01, 100_00, now)
	c.Watch(200_00, 100_00, now.Add(time.Hour))
	above := c.Alarms(fresh, now.Add(time.Hour))
	require.Equal(t, domain.MailAtRisk, above[0].Kind)
	require.Equal(t, now.UTC().Format(time.RFC3339), above[0].Period, "of the first run beyond it")
	c.Watch(50_00, 100_00, now)
	require.Empty(t, c.Alarms(fresh, now))
}

func TestTheWeekOfADigestEndsOnMondayAtNine(t *testing.T) {
	monday := time.Date(2026, 11, 23, 9, 0, 0, 0, domain.Kolkata)
	for _, now := range []time.Time{monday, monday.Add(time.Hour), monday.AddDate(0, 0, 6), monday.AddDate(0, 0, 7).Add(-time.Second)} {
		from, to, period := domain.DigestWeek(now)
		require.True(t, to.Equal(monday), now)
		require.True(t, from.Equal(monday.AddDate(0, 0, -7)))
		require.Equal(t, "2026-W48", period)
	}
	_, to, period := domain.DigestWeek(monday.Add(-time.Second))
	require.True(t, to.Equal(monday.AddDate(0, 0, -7)))
	require.Equal(t, "2026-W47", period)
	_, _, period = domain.DigestWeek(time.Date(2027, 1, 1, 12, 0, 0, 0, domain.Kolkata))
	require.Equal(t, "2026-W53", period)
}
