package shops

import (
	"net/url"
	"strconv"
	"strings"
)

type address struct {
	scheme, host, port string
	path               string // before the API's own, without a slash at its end
}

func (a address) url(path string) string {
	host := a.host
	if strings.Contains(host, ":") {
		host = "[" + host + "]"
	}
	if a.scheme == "https" && a.port != "443" || a.scheme == "http" && a.port != "80" {
		host += ":" + a.port
	}
	return a.scheme + "://" + host + a.path + path
}

// readURL reads the address of a shop. It refuses what two programs could understand
// differently.
func readURL(text string) (a address, ok bool) {
	if strings.ContainsAny(text, "\\#?@%; ") || strings.ContainsFunc(text, func(r rune) bool { return r < ' ' || r > '~' }) {
		return a, false
	}
	u, err := url.Parse(text)
	if err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Opaque != "" || u.Hostname() == "" || strings.HasSuffix(u.Host, ":") ||
		strings.Contains(u.Path, "//") {
		return a, false
	}
	a = address{scheme: u.Scheme, host: u.Hostname(), port: u.Port(), path: strings.TrimSuffix(u.Path, "/")}
	if a.port == "" {
		a.port = map[string]string{"https": "443", "http": "80"}[a.scheme]
	}
	port, err := strconv.ParseUint(a.port, 10, 16)
	return a, err == nil && port > 0
}
