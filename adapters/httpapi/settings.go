package httpapi

import (
	"cmp"
	"net/netip"
	"time"

	"milaan/adapters/httpapi/intake"
)

// Settings say how the service is reached and how much it processes at once. A zero
// field has the default that its comment names. Package config refuses settings with
// which the service could not work or would serve plain HTTP to other machines
// (guide: limits 6: HTTPS only).
type Settings struct {
	Addr    string // host:port to listen on; 127.0.0.1:8080
	TLSCert string // path of a PEM certificate chain; blank: no TLS
	TLSKey  string // path of its PEM key
	// TrustedProxies are whose X-Forwarded-Proto and X-Forwarded-For count.
	TrustedProxies []netip.Prefix
	// PublicURL is the address by which people reach the service, such as
	// https://milaan.example; blank: not known.
	PublicURL   string
	SignInLinks bool // people sign in to the dashboard by links of the command line
	// RunRetention is how long runs are kept; 731 days.
	RunRetention time.Duration
	// MetricsAddr is host:port of a second, plain HTTP listener for /metrics,
	// /healthz and /readyz; blank: Addr serves /metrics.
	MetricsAddr string

	Intake        intake.Settings // what is taken in at once, and how slowly
	HeaderTimeout time.Duration   // for a request's header to arrive; 10 s
	IdleTimeout   time.Duration   // between two requests on a connection; 120 s
	DrainDelay    time.Duration   // between the order to stop and the end of the listener; 0
	DrainTimeout  time.Duration   // for requests in flight when the service stops; 30 s
}

func (s Settings) withDefaults() Settings {
	s.Addr = cmp.Or(s.Addr, "127.0.0.1:8080")
	s.HeaderTimeout = cmp.Or(s.HeaderTimeout, 10*time.Second)
	s.RunRetention = cmp.Or(s.RunRetention, 731*24*time.Hour)
	s.IdleTimeout = cmp.Or(s.IdleTimeout, 2*time.Minute)
	s.DrainTimeout = cmp.Or(s.DrainTimeout, 30*time.Second)
	return s
}
