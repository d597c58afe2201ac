package connecting_test

import (
	"crypto/sha256"
	"encoding/hex"
	"testing"
	"time"

	"milaan/adapters/sources"
	"milaan/domain"
	"milaan/tests/connecting"
	"milaan/tests/fakes/ithink"
)

// TestSourceIThink runs what an API of days can have: its files have no names or bytes of
// their own, what was listed is what is read, and its host is a setting in development alone.
func TestSourceIThink(t *testing.T) {
	t.Parallel()
	connecting.Sources(t, connecting.Kind{Start: startIThink, Without: []string{
		"the bytes are those of the disk", "the verdicts are those of the disk", "a pattern chooses files, letter case aside", "old files are left out", "a long file is refused",
		"a file that vanishes is gone", "a file that changes after the list is not read",
	}})
}

func startIThink(t testing.TB) *connecting.Place {
	server := ithink.New(t)
	s := server.Settings()
	today := domain.DayOf(time.Now())
	days := map[string]domain.Day{}
	return &connecting.Place{
		Source: domain.ReportSource{Connector: "ithink", Settings: s},
		Params: sources.Params{Clock: func() time.Time { return today.Start().Add(12 * time.Hour) }},
		Back:   9 * 24 * time.Hour,
		Inline: true,
		// The files are days before today, in the order in which they are put.
		Put: func(name string, content []byte, _ time.Time) {
			if _, known := days[name]; !known {
				days[name] = today - 8 + domain.Day(len(days))
			}
			sum := sha256.Sum256(content)
			server.Pay(days[name].String(), ithink.Line{AWB: hex.EncodeToString(sum[:]), Order: "#1", Price: "1.00"})
		},
		Settled:  true,
		Listed:   func(name string) string { return "ithink-" + days[name].String() + ".csv" },
		Network:  server.Unruly,
		Together: true,
		Wrong: map[string]domain.Settings{
			"the token": connecting.With(s, "access_token", "wrong"),
			"the key":   connecting.With(s, "secret_key", "wrong"),
		},
	}
}
