package httpapi

import (
	"cmp"
	"strings"
	"time"

	"milaan/adapters/httpapi/intake"
	"milaan/config"
)

// Settings say how the service is reached and how much it processes at once: config.HTTP, which
// is HTTPS only (guide: limits 6), and what the intake adds. The timeouts are zero but in tests,
// and have the default that their comment names.
type Settings struct {
	intake.Settings

	HeaderTimeout time.Duration // for a request's header to arrive; 10 s
	IdleTimeout   time.Duration // between two requests on a connection; 120 s
}

func newSettings(c config.HTTP, m *intake.Memory) Settings {
	return Settings{Settings: intake.Settings{HTTP: c, Memory: m}}
}

func (s Settings) withDefaults() Settings {
	s.PublicURL = strings.TrimSuffix(s.PublicURL, "/")
	s.HeaderTimeout = cmp.Or(s.HeaderTimeout, 10*time.Second)
	s.IdleTimeout = cmp.Or(s.IdleTimeout, 2*time.Minute)
	return s
}
