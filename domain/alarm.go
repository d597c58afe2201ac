package domain

import (
	"cmp"
	"fmt"
	"slices"
	"time"
)

// StaleSources returns the positions, from 1, of the report sources whose reports have no
// newer date than StaleAfter days ago, or no date at all although the source has had its
// settings for longer than that; the one that is most behind comes first. last is the result of
// the last pass that did not fail.
func (c *Connection) StaleSources(last PassResult, now time.Time) (stale []int) {
	today := DayOf(now)
	for i, s := range last.Sources {
		if i >= len(c.Sources) || c.Sources[i].ID != s.SourceID {
			continue // the sources have changed since then
		}
		through := s.Through
		if through == NoDay {
			through = DayOf(c.CreatedAt)
			if since := c.Sources[i].Since; !since.IsZero() {
				through = DayOf(since)
			}
		}
		if today-through > StaleAfter {
			stale = append(stale, i+1)
		}
	}
	slices.SortStableFunc(stale, func(a, b int) int {
		return cmp.Compare(last.Sources[a-1].Through, last.Sources[b-1].Through)
	})
	return stale
}

// Alarms returns the alerts that an account must get about a connection at a time. An alert
// that was sent before is returned again with the same Period, which is how storage knows it.
func (c *Connection) Alarms(last PassResult, now time.Time) (due []Mail) {
	add := func(kind MailKind, period string) {
		due = append(due, Mail{AccountID: c.AccountID, Kind: kind, ConnectionID: c.ID, Period: period, CreatedAt: now})
	}
	if !c.FailingSince.IsZero() && now.Sub(c.FailingSince) >= FailingLimit {
		add(MailFailing, c.FailingSince.UTC().Format(time.RFC3339))
	}
	if stale := c.StaleSources(last, now); len(stale) > 0 {
		most := last.Sources[stale[0]-1]
		add(MailStale, most.SourceID+" "+most.Through.String())
	}
	if !c.AboveSince.IsZero() {
		add(MailAtRisk, c.AboveSince.UTC().Format(time.RFC3339))
	}
	return due
}

// Watch sets AboveSince after a run with so much at risk.
func (s *ConnectionStatus) Watch(atRisk, alertAbove Paise, at time.Time) {
	switch above := alertAbove > 0 && atRisk > alertAbove; {
	case !above:
		s.AboveSince = time.Time{}
	case s.AboveSince.IsZero():
		s.AboveSince = at
	}
}

// BrandWeek is what a digest says about one brand: its last run of the week and the last run of
// the week before, if there are any, and its connection.
type BrandWeek struct {
	Brand      string
	Runs       int // of the week
	Last       Run // if Runs is more than 0
	Before     *Run
	Connection *Connection    // of the brand, if it has one
	Stale      []int          // report sources of it that are stale, as StaleSources returns them
	Sources    []SourceResult // of the last pass that did not fail
	OpenItems  []CourierSum   // the same
}

// State returns what was last found at risk of the brand, and when it was last compared; a zero time:
// never, as far as is known.
func (b *BrandWeek) State() (atRisk Paise, compared time.Time) {
	if b.Runs > 0 {
		return b.Last.Tally.AtRisk, b.Last.At
	}
	if b.Before != nil {
		atRisk, compared = b.Before.Tally.AtRisk, b.Before.At
	}
	if c := b.Connection; c != nil && c.LastRunAt.After(compared) {
		atRisk, compared = c.AtRisk, c.LastRunAt
	}
	if c := b.Connection; c != nil && !compared.IsZero() && c.LastRunAt.Equal(compared) && c.CheckedAt.After(compared) {
		compared = c.CheckedAt // the same files were compared again
	}
	return atRisk, compared
}

// Worth says whether there is something to say about the brand.
func (b *BrandWeek) Worth() bool {
	c := b.Connection
	if c != nil && slices.ContainsFunc(b.Sources, func(s SourceResult) bool {
		return c.Source(s.SourceID) > 0 && (s.RefusedFrom != NoDay || len(s.LeftOut) > 0)
	}) {
		return true
	}
	if atRisk, _ := b.State(); c != nil && atRisk > 0 {
		return true
	}
	return b.Last.Tally.Flags.Flagged() > 0 || len(b.Stale) > 0 || len(b.OpenItems) > 0 ||
		c != nil && (!c.FailingSince.IsZero() || c.State == ConnectionRefused)
}

// DigestWeek returns the start and the end of the week that a digest is about, and its
// period: the seven days before the last Monday 09:00 in Asia/Kolkata that is not after now.
func DigestWeek(now time.Time) (from, to time.Time, period string) {
	local := now.In(Kolkata)
	monday := time.Date(local.Year(), local.Month(), local.Day(), 9, 0, 0, 0, Kolkata)
	monday = monday.AddDate(0, 0, -int((local.Weekday()+6)%7))
	if monday.After(now) {
		monday = monday.AddDate(0, 0, -7)
	}
	year, week := monday.ISOWeek()
	return monday.AddDate(0, 0, -7), monday, fmt.Sprintf("%d-W%02d", year, week)
}

// DigestSpan is how long after the end of its week a digest is still sent.
const DigestSpan = 24 * time.Hour
