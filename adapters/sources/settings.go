package sources

import (
	"net/url"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"milaan/domain"
	"milaan/ports"
	"milaan/ports/peers"
)

// Names of settings that connectors have in common.
const (
	settingHost       = "host"
	settingPort       = "port"
	settingUser       = "user"
	settingPassword   = "password"
	settingPrivateKey = "private_key"
	settingPassphrase = "passphrase"
	settingHostKey    = "host_key"
	settingFolder     = "folder"
)

func (c *connector) checkSettings(given domain.Settings, hosts ports.HostCheck) domain.Faults {
	faults := c.Check(given, c.checks, hosts)
	if c.checkTogether != nil && len(faults) == 0 {
		return c.checkTogether(c.Complete(given))
	}
	return faults
}

// formUnless returns the rule of a value that has not the form that it must have.
func formUnless(good bool) domain.Fault {
	if good {
		return domain.Fault{}
	}
	return domain.Fault{Rule: domain.RuleForm}
}

func checkHost(value string, _ domain.Settings, hosts ports.HostCheck) domain.Fault {
	return hosts(value)
}

func checkPort(value string, _ domain.Settings, _ ports.HostCheck) domain.Fault {
	if n, err := strconv.ParseUint(value, 10, 16); err != nil || n == 0 {
		return domain.Fault{Rule: domain.RuleWhole, Min: 1, Max: 1<<16 - 1}
	}
	return domain.Fault{}
}

// checkURL is the check of a setting that is the URL of a server, without a path. Plain http
// is for this machine alone, which the guard refuses where it is not allowed.
func checkURL(value string, _ domain.Settings, hosts ports.HostCheck) domain.Fault {
	u, ok := serverURL(value)
	if !ok || u.Scheme == "http" && !peers.IsThisMachine(u.Hostname()) {
		return domain.Fault{Rule: domain.RuleForm}
	}
	return hosts(u.Hostname())
}

// serverURL reads the URL of a server. It is strict: it refuses what two programs could
// understand differently.
func serverURL(text string) (*url.URL, bool) {
	if !utf8.ValidString(text) || strings.ContainsAny(text, "\\#?@% ") || strings.ContainsFunc(text,
		func(r rune) bool { return !unicode.IsGraphic(r) }) {
		return nil, false
	}
	u, err := url.Parse(text)
	if err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Opaque != "" || u.Hostname() == "" || strings.HasSuffix(u.Host, ":") ||
		strings.Trim(u.Path, "/") != "" {
		return nil, false
	}
	if u.Port() != "" {
		if n, err := strconv.ParseUint(u.Port(), 10, 16); err != nil || n == 0 {
			return nil, false
		}
	}
	return u, true
}

// hostOf returns the host and the port of the URL of a server; blank if it is none.
func hostOf(server string) (host, port string) {
	if u, ok := serverURL(server); ok {
		host, port = u.Hostname(), portOf(u)
	}
	return host, port
}

func portOf(u *url.URL) string {
	switch {
	case u.Port() != "":
		return u.Port()
	case u.Scheme == "http":
		return "80"
	}
	return "443"
}
