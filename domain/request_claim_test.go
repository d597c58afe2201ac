package domain

import (
	"strings"
	"testing"
	"time"
)

func TestGoodRequestKey(t *testing.T) {
	for key, good := range map[string]bool{
		"a": true, "~": true, "8e03978e-40d5-43e8-bc93-6894a57f9324": true, `"quoted"`: true, "order 7, again": true, "!": true,
		strings.Repeat("k", 255): true, strings.Repeat("k", 256): false,
		"": false, " ": false, strings.Repeat(" ", 255): false, "a\tb": false, "a\x00": false, "a\x7f": false, "clé": false, "\xff": false, "₹": false,
	} {
		if got := GoodRequestKey(key); got != good {
			t.Errorf("GoodRequestKey(%q) = %v", key, got)
		}
	}
}

func TestAClaimIsOver(t *testing.T) {
	at := time.Date(2026, time.November, 21, 10, 0, 0, 0, time.UTC)
	running := RequestClaim{At: at, Until: at.Add(RequestLease)}
	renewed := RequestClaim{At: at, Until: at.Add(time.Hour)}
	run, batch := RequestClaim{At: at, Until: at, RunID: "run"}, RequestClaim{At: at, Until: at, BatchID: "batch"}
	for _, c := range []struct {
		what  string
		claim RequestClaim
		now   time.Time
		over  bool
	}{
		{"in its lease", running, at.Add(RequestLease - 1), false},
		{"at the end of its lease", running, at.Add(RequestLease), true},
		{"renewed", renewed, at.Add(time.Hour - 1), false},
		{"read by a clock that is a lease behind", running, at.Add(-RequestLease), false},
		{"of a clock that was ahead", running, at.Add(-RequestLease - 1), true},
		{"a run after its lease", run, at.Add(time.Hour), false},
		{"a run within its span", run, at.Add(RequestKeySpan - 1), false},
		{"a run after its span", run, at.Add(RequestKeySpan), true},
		{"a run of a clock that is a span ahead", run, at.Add(-RequestKeySpan), false},
		{"a run of a clock that is further ahead", run, at.Add(-RequestKeySpan - 1), true},
		{"a batch within its span", batch, at.Add(RequestKeySpan - 1), false},
		{"a batch after its span", batch, at.Add(RequestKeySpan), true},
	} {
		if got := c.claim.Over(c.now); got != c.over {
			t.Errorf("%s: over is %v", c.what, got)
		}
	}
}
