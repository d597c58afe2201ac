package jobs

import (
	"cmp"
	"runtime"
	"time"
)

// Settings say how much one instance does at once. A field that is zero has its
// default.
type Settings struct {
	// Deliveries is how many deliveries are made at once; 200. They spend most of their
	// time waiting for the endpoint.
	Deliveries int
	// Runners is how many runs of batches are made at once; half of the
	// processors, at least one, so that the rest are free for requests.
	Runners int
	// Passes is how many passes of the autopilot are made at once; 32. They spend most of
	// their time waiting for shops and servers.
	Passes int
	// Schedule is the time between two rounds that add the passes that are due; 5 s. Passes are due at
	// any second of the hour.
	Schedule time.Duration
	// Alarms is the time between two rounds that add the mails that are due; a minute.
	Alarms time.Duration
	// Billing is the time between two rounds that look for subscriptions to be fetched; a minute.
	Billing time.Duration
	// Sweep is the time between two rounds of housekeeping; a minute: what is to be
	// deleted by a certain time is gone soon after.
	Sweep time.Duration
	// Takeover is how long the lease of a job lasts; 10 s. The instance that does the
	// job renews it three times in that time; otherwise another one is given the job.
	Takeover time.Duration
}

// WithDefaults fills in what is zero.
func (s Settings) WithDefaults() Settings {
	s.Deliveries = cmp.Or(s.Deliveries, 200)
	s.Runners = cmp.Or(s.Runners, max(1, runtime.GOMAXPROCS(0)/2))
	s.Passes = cmp.Or(s.Passes, 32)
	s.Schedule = cmp.Or(s.Schedule, 5*time.Second)
	s.Alarms = cmp.Or(s.Alarms, time.Minute)
	s.Billing = cmp.Or(s.Billing, time.Minute)
	s.Sweep = cmp.Or(s.Sweep, time.Minute)
	s.Takeover = cmp.Or(s.Takeover, 10*time.Second)
	return s
}

func (s Settings) beat() time.Duration { return s.Takeover / 3 }
