package httpapi

import (
	"net/http"
	"net/netip"
	"slices"
	"strings"

	"milaan/adapters/httpapi/intake"
)

// transport knows whom to believe about how a request came and from whom.
type transport struct {
	loopback bool // the listener can be reached from this machine only
	trusted  []netip.Prefix
}

// secure says that a request came over HTTPS, or over plain HTTP that never
// left this machine (decisions, section 5).
//
//   - Over TLS: yes.
//   - From a trusted proxy: only if it says X-Forwarded-Proto: https.
//   - From any other peer: only on a loopback listener; and where proxies are
//     named, only without forwarded headers, which then come from a proxy that
//     was forgotten in the list.
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

// overHTTPS says that the client itself spoke HTTPS.
func (t transport) overHTTPS(r *http.Request) bool {
	return r.TLS != nil || t.trusts(peerOf(r)) && forwardedHTTPS(r.Header)
}

// client is the address that tells clients apart: the peer, or behind trusted
// proxies the nearest address that is not one of them. Of IPv6 it is the /64,
// for one client has as many addresses below it as it likes.
func (t transport) client(r *http.Request) string {
	client := peerOf(r)
	hops := strings.Split(strings.Join(r.Header.Values("X-Forwarded-For"), ","), ",")
	for _, hop := range slices.Backward(hops) {
		if !t.trusts(client) {
			break
		}
		a, ok := parseHop(hop)
		if !ok {
			break // what is left of a broken entry is not to be trusted either
		}
		client = a
	}
	if client.Is6() {
		return intake.NetworkOf(client).String()
	}
	return client.String()
}

func (t transport) trusts(a netip.Addr) bool {
	return slices.ContainsFunc(t.trusted, func(p netip.Prefix) bool { return p.Contains(a) })
}

// peerOf is the other end of the connection; the zero Addr if it has none.
func peerOf(r *http.Request) netip.Addr {
	ap, _ := netip.ParseAddrPort(r.RemoteAddr)
	return plainAddr(ap.Addr())
}

// parseHop reads an entry of X-Forwarded-For; some proxies add the port.
func parseHop(s string) (netip.Addr, bool) {
	s = strings.TrimSpace(s)
	if ap, err := netip.ParseAddrPort(s); err == nil {
		return plainAddr(ap.Addr()), true
	}
	a, err := netip.ParseAddr(strings.Trim(s, "[]"))
	return plainAddr(a), err == nil
}

func plainAddr(a netip.Addr) netip.Addr { return a.Unmap().WithZone("") }

// forwardedHTTPS says that every hop that the header tells of was HTTPS.
func forwardedHTTPS(h http.Header) bool {
	hops := strings.Split(strings.Join(h.Values("X-Forwarded-Proto"), ","), ",")
	return !slices.ContainsFunc(hops, func(hop string) bool { return !strings.EqualFold(strings.TrimSpace(hop), "https") })
}

// forwarded says that a proxy had the request in its hands.
func forwarded(h http.Header) bool {
	for name := range h {
		if name == "Forwarded" || strings.HasPrefix(name, "X-Forwarded-") {
			return true
		}
	}
	return false
}
