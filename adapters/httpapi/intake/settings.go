package intake

import (
	"cmp"
	"time"
)

// Settings limit how much is taken in at once, and how slowly. A zero field has the
// default that its comment names. BodyMemory must be at least MaxBody, and UploadMemory
// MaxUpload; package config demands more.
type Settings struct {
	MaxConnections        int // connections open at once; 4096
	MaxConnectionsPerPeer int // of one address that is not a trusted proxy's; 512

	BodyMemory    int64         // bytes of request bodies in flight and for the work on them; 256 MiB
	UploadMemory  int64         // the same for bodies beyond MaxBody, which have memory of their own; 256 MiB
	Memory        *Memory       // of the instance; nil: one of twice as many bytes as BodyMemory and UploadMemory have together
	BodyWait      time.Duration // how long a request waits for a part of it; 10 s
	BodyTimeout   time.Duration // for a request's body to arrive, and for a larger one than MaxBody as much longer as it is larger; 60 s
	LingerTimeout time.Duration // in which something of the rest of a refused body must arrive, which is thrown away; 2 s
	WriteTimeout  time.Duration // for an answer to be taken; 60 s
}

func (s Settings) withDefaults() Settings {
	s.MaxConnections = cmp.Or(s.MaxConnections, 4096)
	s.MaxConnectionsPerPeer = cmp.Or(s.MaxConnectionsPerPeer, 512)
	s.BodyMemory = cmp.Or(s.BodyMemory, 256<<20)
	s.UploadMemory = cmp.Or(s.UploadMemory, 256<<20)
	if s.Memory == nil {
		s.Memory = NewMemory(2 * (s.BodyMemory + s.UploadMemory))
	}
	s.BodyWait = cmp.Or(s.BodyWait, 10*time.Second)
	s.BodyTimeout = cmp.Or(s.BodyTimeout, time.Minute)
	s.LingerTimeout = cmp.Or(s.LingerTimeout, 2*time.Second)
	s.WriteTimeout = cmp.Or(s.WriteTimeout, time.Minute)
	return s
}
