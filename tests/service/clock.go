package service

import (
	"sync"
	"time"

	"milaan/domain"
)

// Morning is when the clock of every service begins, unless told otherwise:
// a Saturday in November, a month with 30 days.
var Morning = time.Date(2026, time.November, 21, 10, 0, 0, 0, domain.Kolkata)

// Clock is the service's time. It stands until a test moves it.
type Clock struct {
	mu  sync.Mutex
	now time.Time
}

// Now is the time that the service sees.
func (c *Clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

// Set moves the clock to a moment.
func (c *Clock) Set(now time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = now
}

func (c *Clock) Advance(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}
