package autopilot_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"milaan/domain"
	"milaan/tests/fakes/storage"
)

// TestFormerSettingsGoOnForThirtyDays holds that a source with settings of an earlier version is
// read for 30 days from the first pass on, whatever restarts, with the day of its end, and that
// then the connection needs attention until the settings are new.
func TestFormerSettingsGoOnForThirtyDays(t *testing.T) {
	t.Parallel()
	b, c := connectedPass(t, storage.ProAccount(), "north", "south")
	b.put("north", "a.csv", domain.DayOf(b.Now), b.sell("#1", 500, 20))
	b.sources.places["north"].former = true
	pass := b.make(b.due(c))
	require.Equal(t, domain.PassStored, pass.Outcome)
	last := domain.DayOf(pass.StartedAt.AddDate(0, 0, 30))
	require.Equal(t, last, pass.Sources[0].RefusedFrom)
	require.Equal(t, domain.NoDay, pass.Sources[1].RefusedFrom)

	b.restart()
	b.sources.places["south"].fault = &domain.ConnectorError{Rule: domain.ConnUnreachable}
	b.Now = b.Now.AddDate(0, 0, 9)
	require.Equal(t, domain.PassFailed, b.make(b.ask(c)).Outcome)
	b.sources.places["south"].fault = nil
	b.Now = pass.StartedAt.AddDate(0, 0, 30).Add(-2 * time.Minute)
	b.sell("#2", 500, 5)
	pass = b.make(b.ask(c))
	require.Contains(t, []domain.PassOutcome{domain.PassStored, domain.PassUnchanged}, pass.Outcome)
	require.Equal(t, last, pass.Sources[0].RefusedFrom)

	b.Now = b.Now.Add(3 * time.Minute)
	pass = b.make(b.ask(c))
	require.Equal(t, domain.PassFailed, pass.Outcome)
	require.Equal(t, domain.ConnectorError{Rule: domain.ConnFormer, Connector: "shelf", Source: 1, Setting: "place"}, *pass.Failure)
	require.Equal(t, domain.ConnectionRefused, b.status(c).State)

	b.sources.places["north"].former = false
	pass = b.make(b.ask(c))
	require.Equal(t, domain.NoDay, pass.Sources[0].RefusedFrom)
	require.Equal(t, domain.ConnectionActive, b.status(c).State)
	b.sources.places["north"].former = true
	require.Equal(t, domain.DayOf(b.Now.AddDate(0, 0, 30)), b.make(b.ask(c)).Sources[0].RefusedFrom, "it begins anew")
}

// TestLeftOutMailsAreTold holds that a pass tells of the mails that its sources leave out, also
// if its inputs are those of the last one, and that it does not store who has sent them.
func TestLeftOutMailsAreTold(t *testing.T) {
	t.Parallel()
	b, c := connectedPass(t, storage.ProAccount(), "north")
	b.put("north", "a.csv", domain.DayOf(b.Now), b.sell("#1", 500, 20))
	left := domain.LeftOutMail{At: b.Now, Rule: domain.ConnOtherID, Value: "mx.other.example", From: "attacker@evil.example"}
	stored := left
	stored.From = ""
	require.Empty(t, b.make(b.due(c)).Sources[0].LeftOut)
	b.sources.places["north"].left = []domain.LeftOutMail{left}
	pass := b.make(b.due(c))
	require.Equal(t, domain.PassUnchanged, pass.Outcome)
	require.Equal(t, []domain.LeftOutMail{stored}, pass.Sources[0].LeftOut)
	b.sources.places["north"].left = nil
	require.Empty(t, b.make(b.due(c)).Sources[0].LeftOut)

	b.sources.places["west"] = &place{left: []domain.LeftOutMail{left}}
	found, err := b.managing.Test(t.Context(), b.Account.ID, "", b.changeOf("x", "west"))
	require.NoError(t, err)
	require.Equal(t, domain.ConnectorError{Rule: domain.ConnLeftOut, Connector: "shelf", Source: 1}, *found.Sources[0].Failure)
	require.Equal(t, []domain.LeftOutMail{left}, found.Sources[0].LeftOut, "a test says who has sent them")
}
