package httpapi

import (
	"cmp"
	"fmt"
	"net"
	"net/netip"
	"time"

	"milaan/adapters/httpapi/intake"
)

// Settings are how the service is reached and how much it takes on at once.
// What is zero has the default named with it.
type Settings struct {
	Addr    string // host:port to listen on; 127.0.0.1:8080
	TLSCert string // path of a PEM certificate chain; blank: no TLS
	TLSKey  string // path of its PEM key
	// TrustedProxies are whose X-Forwarded-Proto and X-Forwarded-For count.
	TrustedProxies []netip.Prefix
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
	s.IdleTimeout = cmp.Or(s.IdleTimeout, 2*time.Minute)
	s.DrainTimeout = cmp.Or(s.DrainTimeout, 30*time.Second)
	return s
}

// Check refuses settings that cannot work or would let requests in over plain
// HTTP (decisions, section 5: HTTPS only). Its error says what to set.
func (s Settings) Check() error {
	s = s.withDefaults()
	host, _, err := net.SplitHostPort(s.Addr)
	if err != nil {
		return fmt.Errorf("the address to listen on is %q and must be host:port, such as 127.0.0.1:8080", s.Addr)
	}
	switch {
	case s.TLSCert == "" && s.TLSKey != "":
		return fmt.Errorf("a TLS key is set without its certificate: set both")
	case s.TLSCert != "" && s.TLSKey == "":
		return fmt.Errorf("a TLS certificate is set without its key: set both")
	case s.TLSCert == "" && len(s.TrustedProxies) == 0 && !loopbackHost(host):
		return fmt.Errorf("other machines can reach %s, and the service speaks HTTPS only: set a TLS certificate and its key, "+
			"or the trusted proxies that end HTTPS before it, or listen on 127.0.0.1", s.Addr)
	}
	for name, d := range map[string]time.Duration{
		"the header timeout": s.HeaderTimeout, "the idle timeout": s.IdleTimeout, "the drain timeout": s.DrainTimeout, "the drain delay": s.DrainDelay,
	} {
		if d < 0 {
			return fmt.Errorf("%s is %s and must be longer than nothing", name, d)
		}
	}
	return s.Intake.Check()
}

// loopbackHost says that only this machine can reach a host.
func loopbackHost(host string) bool {
	a, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && a.Unmap().IsLoopback()
}
