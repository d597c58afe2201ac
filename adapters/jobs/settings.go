package jobs

import (
	"runtime"
	"time"
)

// Settings say how much one copy of the service does at once. What is zero has
// its default.
type Settings struct {
	// Deliveries is how many are made at once; 200. They wait for others most
	// of the time.
	Deliveries int
	// Batches is how many runs of batches are made at once; half of the
	// processors, at least one, so that the rest are there for requests.
	Batches int
	// Sweep is the time between two rounds of housekeeping; a minute: what is to be
	// deleted by a certain time is gone soon after.
	Sweep time.Duration
	// Takeover is how long nothing may be heard of a job that is being done
	// before another worker is given it; 12 s. It is renewed three times as
	// often.
	Takeover time.Duration
}

// WithDefaults fills in what is zero.
func (s Settings) WithDefaults() Settings {
	if s.Deliveries == 0 {
		s.Deliveries = 200
	}
	if s.Batches == 0 {
		s.Batches = max(1, runtime.GOMAXPROCS(0)/2)
	}
	if s.Sweep == 0 {
		s.Sweep = time.Minute
	}
	if s.Takeover == 0 {
		s.Takeover = 12 * time.Second
	}
	return s
}

func (s Settings) beat() time.Duration { return s.Takeover / 3 }
