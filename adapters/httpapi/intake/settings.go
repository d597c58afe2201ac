package intake

import (
	"cmp"
	"fmt"
	"time"
)

// Settings are how much is taken in at once, and how slowly. What is zero has
// the default named with it.
type Settings struct {
	MaxConnections        int // connections open at once; 4096
	MaxConnectionsPerPeer int // of one address, trusted proxies excepted; 512

	BodyMemory    int64         // bytes of request bodies in flight and what is made of them; 256 MiB
	BodyWait      time.Duration // how long a request waits for room in it; 10 s
	BodyTimeout   time.Duration // for a request's body to arrive; 60 s
	LingerTimeout time.Duration // for the rest of a refused body to be thrown away; 2 s
	WriteTimeout  time.Duration // for an answer to be taken; 60 s
}

func (s Settings) withDefaults() Settings {
	s.MaxConnections = cmp.Or(s.MaxConnections, 4096)
	s.MaxConnectionsPerPeer = cmp.Or(s.MaxConnectionsPerPeer, 512)
	s.BodyMemory = cmp.Or(s.BodyMemory, 256<<20)
	s.BodyWait = cmp.Or(s.BodyWait, 10*time.Second)
	s.BodyTimeout = cmp.Or(s.BodyTimeout, time.Minute)
	s.LingerTimeout = cmp.Or(s.LingerTimeout, 2*time.Second)
	s.WriteTimeout = cmp.Or(s.WriteTimeout, time.Minute)
	return s
}

// Check refuses settings that cannot work. Its error says what to set.
func (s Settings) Check() error {
	s = s.withDefaults()
	switch {
	case s.MaxConnections < 0 || s.MaxConnectionsPerPeer < 0:
		return fmt.Errorf("the connections are %d at most and %d of one address, and must be at least 1", s.MaxConnections, s.MaxConnectionsPerPeer)
	case s.BodyMemory < MaxBody:
		return fmt.Errorf("the memory for request bodies is %d bytes and must be at least %d, or the largest request could never be read",
			s.BodyMemory, MaxBody)
	}
	for name, d := range map[string]time.Duration{
		"the wait for body memory": s.BodyWait, "the body timeout": s.BodyTimeout, "the linger timeout": s.LingerTimeout, "the write timeout": s.WriteTimeout,
	} {
		if d < 0 {
			return fmt.Errorf("%s is %s and must be longer than nothing", name, d)
		}
	}
	return nil
}
