package httpapi

import (
	"cmp"
	"fmt"
	"net"
	"net/netip"
	"time"
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

	MaxConnections        int // connections open at once; 4096
	MaxConnectionsPerPeer int // of one address, trusted proxies excepted; 512

	BodyMemory    int64         // bytes of request bodies in flight and what is made of them; 256 MiB
	BodyWait      time.Duration // how long a request waits for room in it; 10 s
	HeaderTimeout time.Duration // for a request's header to arrive; 10 s
	BodyTimeout   time.Duration // for a request's body to arrive; 60 s
	LingerTimeout time.Duration // for the rest of a refused body to be thrown away; 2 s
	WriteTimeout  time.Duration // for an answer to be taken; 60 s
	IdleTimeout   time.Duration // between two requests on a connection; 120 s
	DrainDelay    time.Duration // between the order to stop and the end of the listener; 0
	DrainTimeout  time.Duration // for requests in flight when the service stops; 30 s
}

func (s Settings) withDefaults() Settings {
	s.Addr = cmp.Or(s.Addr, "127.0.0.1:8080")
	s.MaxConnections = cmp.Or(s.MaxConnections, 4096)
	s.MaxConnectionsPerPeer = cmp.Or(s.MaxConnectionsPerPeer, 512)
	s.BodyMemory = cmp.Or(s.BodyMemory, 256<<20)
	s.BodyWait = cmp.Or(s.BodyWait, 10*time.Second)
	s.HeaderTimeout = cmp.Or(s.HeaderTimeout, 10*time.Second)
	s.BodyTimeout = cmp.Or(s.BodyTimeout, time.Minute)
	s.LingerTimeout = cmp.Or(s.LingerTimeout, 2*time.Second)
	s.WriteTimeout = cmp.Or(s.WriteTimeout, time.Minute)
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
	case s.MaxConnections < 0 || s.MaxConnectionsPerPeer < 0:
		return fmt.Errorf("the connections are %d at most and %d of one address, and must be at least 1", s.MaxConnections, s.MaxConnectionsPerPeer)
	case s.BodyMemory < maxBody:
		return fmt.Errorf("the memory for request bodies is %d bytes and must be at least %d, or the largest request could never be read",
			s.BodyMemory, maxBody)
	}
	for name, d := range map[string]time.Duration{
		"the wait for body memory": s.BodyWait, "the header timeout": s.HeaderTimeout, "the body timeout": s.BodyTimeout,
		"the linger timeout": s.LingerTimeout, "the write timeout": s.WriteTimeout, "the idle timeout": s.IdleTimeout, "the drain timeout": s.DrainTimeout,
		"the drain delay": s.DrainDelay,
	} {
		if d < 0 {
			return fmt.Errorf("%s is %s and must be longer than nothing", name, d)
		}
	}
	return nil
}

// loopbackHost says that only this machine can reach a host.
func loopbackHost(host string) bool {
	a, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && a.Unmap().IsLoopback()
}
