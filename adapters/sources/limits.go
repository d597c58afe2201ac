package sources

import (
	"cmp"
	"time"
)

// Limits bound what a server can take and send. A zero one is its default.
type Limits struct {
	Idle      time.Duration // without a byte from the server, while it has something to do; 30 s
	Open      time.Duration // of connecting and signing in; 1 minute
	List      time.Duration // of one list; 3 minutes
	Read      time.Duration // of one file; 5 minutes
	Pause     time.Duration // before Open tries again, doubled every time; 500 ms
	Names     int           // of a list; 10,000
	OpenBytes int64         // that a server sends until it has signed somebody in; 256 KiB
	ListBytes int64         // of the answers of which a list is made; 16 MiB
}

func (l Limits) withDefaults() Limits {
	return Limits{
		Idle:      cmp.Or(l.Idle, 30*time.Second),
		Open:      cmp.Or(l.Open, time.Minute),
		List:      cmp.Or(l.List, 3*time.Minute),
		Read:      cmp.Or(l.Read, 5*time.Minute),
		Pause:     cmp.Or(l.Pause, 500*time.Millisecond),
		Names:     cmp.Or(l.Names, 10_000),
		OpenBytes: cmp.Or(l.OpenBytes, 256<<10),
		ListBytes: cmp.Or(l.ListBytes, 16<<20),
	}
}

// restBytes is how many bytes a server may send while nothing is asked of it.
const restBytes = 1 << 20
