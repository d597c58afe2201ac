// Package remarks limits the log lines about what may happen very often.
package remarks

import (
	"sync"
	"time"
)

// Limit allows Most lines about each thing in a minute; 0: one. The zero value is ready.
type Limit struct {
	Most int

	mu     sync.Mutex
	things map[string]*remark
}

type remark struct {
	begin time.Time // of the present minute
	said  int       // lines in it
	times int       // since the last line
}

// Due notes that a thing has happened once more. It returns whether to log it now, and how many
// times it has happened since the last log line about it. There must be few things.
func (l *Limit) Due(thing string, now time.Time) (times int, due bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	r := l.things[thing]
	if r == nil {
		if l.things == nil {
			l.things = map[string]*remark{}
		}
		r = new(remark)
		l.things[thing] = r
	}
	r.times++
	if since := now.Sub(r.begin); since < 0 || since >= time.Minute { // below 0: the clock was set back
		r.begin, r.said = now, 0
	}
	if r.said >= max(l.Most, 1) {
		return 0, false
	}
	r.said++
	times, r.times = r.times, 0
	return times, true
}
