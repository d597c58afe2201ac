package intake

import (
	"cmp"
	"time"

	"milaan/config"
)

// Settings limit how much is taken in at once, and how slowly. The operator sets the limits of
// config.HTTP. The others are zero but in tests, and have the default that their comment names.
type Settings struct {
	config.HTTP

	Memory        *Memory       // of the instance; nil: one of twice as many bytes as BodyMemory and UploadMemory have together
	BodyTimeout   time.Duration // for a request's body to arrive, and for a larger one than MaxBody as much longer as it is larger; 60 s
	LingerTimeout time.Duration // in which something of the rest of a refused body must arrive, which is thrown away; 2 s
	WriteTimeout  time.Duration // for an answer to be taken; 60 s
}

func (s Settings) withDefaults() Settings {
	if s.Memory == nil {
		s.Memory = NewMemory(2 * int64(s.BodyMemory+s.UploadMemory))
	}
	s.BodyTimeout = cmp.Or(s.BodyTimeout, time.Minute)
	s.LingerTimeout = cmp.Or(s.LingerTimeout, 2*time.Second)
	s.WriteTimeout = cmp.Or(s.WriteTimeout, time.Minute)
	return s
}
