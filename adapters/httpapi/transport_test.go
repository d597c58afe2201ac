package httpapi

import (
	"crypto/tls"
	"net/http"
	"net/netip"
	"testing"

	"github.com/stretchr/testify/require"
)

func prefixes(s ...string) []netip.Prefix {
	var all []netip.Prefix
	for _, p := range s {
		all = append(all, netip.MustParsePrefix(p))
	}
	return all
}

func incoming(peer string, overTLS bool, header ...string) *http.Request {
	r := &http.Request{RemoteAddr: peer, Header: http.Header{}}
	if overTLS {
		r.TLS = &tls.ConnectionState{}
	}
	for i := 0; i < len(header); i += 2 {
		r.Header.Add(header[i], header[i+1])
	}
	return r
}

// TestLocal holds which requests never left this machine, on the way to a service that
// nothing else can reach.
func TestLocal(t *testing.T) {
	for name, c := range map[string]struct {
		listener transport
		r        *http.Request
		want     bool
	}{
		"this machine":                     {transport{loopback: true}, incoming("127.0.0.1:1", false), true},
		"this machine over IPv6":           {transport{loopback: true}, incoming("[::1]:1", true), true},
		"others can reach the service":     {transport{}, incoming("127.0.0.1:1", true), false},
		"another machine":                  {transport{loopback: true}, incoming("203.0.113.9:1", true), false},
		"nobody knows":                     {transport{loopback: true}, incoming("", false), false},
		"a proxy of this machine":          {transport{loopback: true, trusted: prefixes("127.0.0.0/8")}, incoming("127.0.0.1:1", false), false},
		"a proxy of another machine":       {transport{loopback: true, trusted: prefixes("10.0.0.0/8")}, incoming("127.0.0.1:1", false), false},
		"a proxy that nobody has declared": {transport{loopback: true}, incoming("127.0.0.1:1", false, "X-Forwarded-Host", "milaan.example"), false},
		"another one":                      {transport{loopback: true}, incoming("127.0.0.1:1", false, "Forwarded", "for=203.0.113.9"), false},
		"one that says its name alone":     {transport{loopback: true}, incoming("127.0.0.1:1", false, "Via", "1.1 proxy"), false},
		"one that says the client alone":   {transport{loopback: true}, incoming("127.0.0.1:1", false, "X-Real-Ip", "203.0.113.9"), false},
		"an address for others":            {transport{loopback: true, public: true}, incoming("127.0.0.1:1", false), false},
	} {
		require.Equal(t, c.want, c.listener.Local(c.r), name)
	}
}

func TestHTTPSOnly(t *testing.T) {
	const proto, xff = "X-Forwarded-Proto", "X-Forwarded-For"
	proxies := prefixes("10.0.0.0/8", "fd00::/8")
	local := prefixes("127.0.0.0/8")
	for name, c := range map[string]struct {
		loopback bool
		trusted  []netip.Prefix
		r        *http.Request
		want     bool
	}{
		"TLS from anywhere":                             {false, nil, incoming("203.0.113.9:1", true), true},
		"TLS from a proxy that says http":               {false, proxies, incoming("10.1.1.1:1", true, proto, "http"), true},
		"plain from anywhere":                           {false, nil, incoming("203.0.113.9:1", false), false},
		"plain from anywhere that claims https":         {false, nil, incoming("203.0.113.9:1", false, proto, "https"), false},
		"plain from a stranger beside proxies":          {false, proxies, incoming("203.0.113.9:1", false, proto, "https"), false},
		"proxy says https":                              {false, proxies, incoming("10.1.1.1:1", false, proto, "https"), true},
		"proxy says HTTPS":                              {false, proxies, incoming("10.1.1.1:1", false, proto, "HTTPS"), true},
		"proxy over mapped IPv4":                        {false, proxies, incoming("[::ffff:10.1.1.1]:1", false, proto, "https"), true},
		"proxy over IPv6":                               {false, proxies, incoming("[fd00::1%eth0]:1", false, proto, "https"), true},
		"proxy says http":                               {false, proxies, incoming("10.1.1.1:1", false, proto, "http"), false},
		"proxy says nothing":                            {false, proxies, incoming("10.1.1.1:1", false), false},
		"proxy says https behind http":                  {false, proxies, incoming("10.1.1.1:1", false, proto, "http, https"), false},
		"proxies both say https":                        {false, proxies, incoming("10.1.1.1:1", false, proto, "https", proto, "https"), true},
		"loopback":                                      {true, nil, incoming("127.0.0.1:1", false), true},
		"loopback of IPv6":                              {true, nil, incoming("[::1]:1", false), true},
		"loopback, headers of nobody we know":           {true, nil, incoming("127.0.0.1:1", false, proto, "http", xff, "1.2.3.4"), true},
		"loopback peer of an open listener":             {false, proxies, incoming("127.0.0.1:1", false), false},
		"loopback listener, trusted loopback, https":    {true, local, incoming("127.0.0.1:1", false, proto, "https"), true},
		"loopback listener, trusted loopback, silent":   {true, local, incoming("127.0.0.1:1", false), false},
		"loopback listener, other proxy, direct":        {true, proxies, incoming("127.0.0.1:1", false), true},
		"loopback listener, other proxy, forwarded":     {true, proxies, incoming("127.0.0.1:1", false, proto, "https"), false},
		"loopback listener, other proxy, forwarded for": {true, proxies, incoming("127.0.0.1:1", false, xff, "1.2.3.4"), false},
		"loopback listener, other proxy, RFC 7239":      {true, proxies, incoming("127.0.0.1:1", false, "Forwarded", "proto=https"), false},
		"no address at all":                             {true, nil, incoming("", false), false},
	} {
		t.Run(name, func(t *testing.T) {
			require.Equal(t, c.want, transport{loopback: c.loopback, trusted: c.trusted}.secure(c.r))
		})
	}
}

func TestClientAddress(t *testing.T) {
	const xff = "X-Forwarded-For"
	for name, c := range map[string]struct {
		r    *http.Request
		want string
	}{
		"peer":                       {incoming("203.0.113.9:1", false), "203.0.113.9"},
		"stranger's header":          {incoming("203.0.113.9:1", false, xff, "198.51.100.1"), "203.0.113.9"},
		"one proxy":                  {incoming("10.0.0.1:1", false, xff, "198.51.100.1"), "198.51.100.1"},
		"client's own claim":         {incoming("10.0.0.1:1", false, xff, "1.1.1.1, 198.51.100.1"), "198.51.100.1"},
		"two proxies":                {incoming("10.0.0.1:1", false, xff, "1.1.1.1, 198.51.100.1, 10.0.0.2"), "198.51.100.1"},
		"two header lines":           {incoming("10.0.0.1:1", false, xff, "1.1.1.1, 198.51.100.1", xff, "10.0.0.2"), "198.51.100.1"},
		"all of them proxies":        {incoming("10.0.0.1:1", false, xff, "10.0.0.3, 10.0.0.2"), "10.0.0.3"},
		"proxy without the header":   {incoming("10.0.0.1:1", false), "10.0.0.1"},
		"nonsense behind a proxy":    {incoming("10.0.0.1:1", false, xff, "198.51.100.1, unknown, 10.0.0.2"), "10.0.0.2"},
		"with a port":                {incoming("10.0.0.1:1", false, xff, "198.51.100.1:4711"), "198.51.100.1"},
		"IPv6 with a port":           {incoming("10.0.0.1:1", false, xff, "[2001:db8:1:2:3:4:5:6]:4711"), "2001:db8:1:2::/64"},
		"IPv6 in brackets":           {incoming("10.0.0.1:1", false, xff, "[2001:db8:1:2::6]"), "2001:db8:1:2::/64"},
		"IPv6 peer":                  {incoming("[2001:db8:1:2:ffff::1]:1", false), "2001:db8:1:2::/64"},
		"mapped IPv4 is IPv4":        {incoming("[::ffff:203.0.113.9]:1", false), "203.0.113.9"},
		"mapped IPv4 behind a proxy": {incoming("[::ffff:10.0.0.1]:1", false, xff, "::ffff:198.51.100.1"), "198.51.100.1"},
	} {
		t.Run(name, func(t *testing.T) {
			require.Equal(t, c.want, transport{trusted: prefixes("10.0.0.0/8")}.Client(c.r))
		})
	}
}
