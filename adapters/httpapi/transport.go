package httpapi

import (
	"net/http"
	"net/netip"
	"slices"
	"strings"

	"milaan/adapters/httpapi/intake"
)

// transport decides whether a request came over HTTPS, and which client sent it.
type transport struct {
	loopback bool           // only this machine can reach the listener
	public   bool           // people reach the service by an address that is not this machine's
	trusted  []netip.Prefix // the proxies whose forwarded headers are believed
}

// secure says whether a request came over HTTPS, or over plain HTTP that never left this
// machine (guide: limits 6).
//
//   - Over TLS, it did.
//   - From a trusted proxy, it did if the proxy sends X-Forwarded-Proto: https.
//   - From any other peer, it did only on a loopback listener. If there are trusted
//     proxies, it must also have no forwarded headers: these come from a proxy that is
//     missing in the list.
func (t transport) secure(r *http.Request) bool {
	if r.TLS != nil {
		return true
	}
	peer := peerOf(r)
	if t.trusts(peer) {
		return forwardedHTTPS(r.Header)
	}
	return t.loopback && peer.IsLoopback() && (len(t.trusted) == 0 || !forwarded(r.Header))
}

// OverHTTPS says whether the client itself spoke HTTPS.
func (t transport) OverHTTPS(r *http.Request) bool {
	return r.TLS != nil || t.trusts(peerOf(r)) && forwardedHTTPS(r.Header)
}

// Local says whether a request never left this machine, on its way to a service that only
// this machine can reach: through no proxy, as far as the service knows.
func (t transport) Local(r *http.Request) bool {
	return t.private() && peerOf(r).IsLoopback() && !forwarded(r.Header)
}

// private says whether only this machine can reach the service, as far as the settings say.
func (t transport) private() bool { return t.loopback && !t.public && len(t.trusted) == 0 }

// Client returns what tells clients apart: their address, or for IPv6 the /64, because one
// client can use any address in it.
func (t transport) Client(r *http.Request) string {
	client := t.address(r)
	if client.Is6() {
		return intake.NetworkOf(client).String()
	}
	return client.String()
}

// Address returns the address of a client as text; blank if it is not known.
func (t transport) Address(r *http.Request) string {
	if client := t.address(r); client.IsValid() {
		return client.String()
	}
	return ""
}

// address returns the address of a client: the peer, or behind trusted proxies the nearest
// address that is not one of theirs.
func (t transport) address(r *http.Request) netip.Addr {
	client := peerOf(r)
	hops := strings.Split(strings.Join(r.Header.Values("X-Forwarded-For"), ","), ",")
	for _, hop := range slices.Backward(hops) {
		if !t.trusts(client) {
			break
		}
		a, ok := parseHop(hop)
		if !ok {
			break // and what stands left of it cannot be trusted either
		}
		client = a
	}
	return client
}

func (t transport) trusts(a netip.Addr) bool {
	return slices.ContainsFunc(t.trusted, func(p netip.Prefix) bool { return p.Contains(a) })
}

// peerOf returns the address at the other end of the connection; the zero Addr if it is
// unknown.
func peerOf(r *http.Request) netip.Addr {
	a, _ := parseHop(r.RemoteAddr)
	return a
}

// parseHop reads an address with a port or without one; some proxies add it in
// X-Forwarded-For.
func parseHop(s string) (netip.Addr, bool) {
	s = strings.TrimSpace(s)
	if ap, err := netip.ParseAddrPort(s); err == nil {
		return plainAddr(ap.Addr()), true
	}
	a, err := netip.ParseAddr(strings.Trim(s, "[]"))
	return plainAddr(a), err == nil
}

// plainAddr unmaps an IPv4-mapped IPv6 address and drops the zone.
func plainAddr(a netip.Addr) netip.Addr { return a.Unmap().WithZone("") }

// forwardedHTTPS says whether X-Forwarded-Proto is https for every hop.
func forwardedHTTPS(h http.Header) bool {
	hops := strings.Split(strings.Join(h.Values("X-Forwarded-Proto"), ","), ",")
	return !slices.ContainsFunc(hops, func(hop string) bool { return !strings.EqualFold(strings.TrimSpace(hop), "https") })
}

// forwarded says whether a request has headers that a proxy adds.
func forwarded(h http.Header) bool {
	for name := range h {
		if name == "Forwarded" || name == "Via" || name == "X-Real-Ip" || strings.HasPrefix(name, "X-Forwarded-") {
			return true
		}
	}
	return false
}
