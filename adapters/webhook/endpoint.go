package webhook

import (
	"net/netip"
	"net/url"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"milaan/domain"
)

// parse reads an endpoint strictly: it refuses what two programs could understand
// differently. A fault without a rule means that there is none. A fault repeats nothing of
// the URL.
func parse(text string, plainHTTP bool) (*url.URL, domain.Fault) {
	switch {
	case text == "":
		return nil, domain.Fault{Rule: domain.RuleMissing}
	case len(text) > domain.MaxEndpoint:
		return nil, domain.Fault{Rule: domain.RuleLength, Value: strconv.Itoa(len(text)), Max: domain.MaxEndpoint}
	case !utf8.ValidString(text) || strings.ContainsFunc(text, unseen):
		return nil, domain.Fault{Rule: domain.RuleUnseen}
	}
	u, err := url.Parse(text)
	switch {
	case err != nil || strings.Contains(text, `\`):
		return nil, domain.Fault{Rule: domain.RuleURL}
	case u.Scheme == "http" && !plainHTTP, u.Scheme != "http" && u.Scheme != "https":
		return nil, domain.Fault{Rule: domain.RuleHTTPS}
	case u.Opaque != "" || u.Hostname() == "":
		return nil, domain.Fault{Rule: domain.RuleNoHost}
	case u.User != nil:
		return nil, domain.Fault{Rule: domain.RuleUser}
	case strings.Contains(text, "#"):
		return nil, domain.Fault{Rule: domain.RuleFragment}
	case !soundPort(u):
		return nil, domain.Fault{Rule: domain.RulePort}
	}
	return u, domain.Fault{Rule: hostFault(u.Hostname()), Max: maxName}
}

// unseen says whether a character is invisible to a person who reads the URL.
func unseen(r rune) bool {
	return unicode.IsSpace(r) || unicode.IsControl(r) || unicode.Is(unicode.Cf, r)
}

func soundPort(u *url.URL) bool {
	if u.Port() == "" {
		return !strings.HasSuffix(u.Host, ":")
	}
	n, err := strconv.ParseUint(u.Port(), 10, 16)
	return err == nil && n > 0
}

const (
	maxName  = 253 // bytes of a name, RFC 1035, section 2.3.4
	maxLabel = 63
)

// hostFault returns the rule that a host breaks, if any. A host is an address in its usual
// form, or a name of the characters that DNS has. An international name must be given as
// its xn-- name: Unicode has other digits and dots, which some programs turn into addresses.
func hostFault(host string) domain.Rule {
	if a, err := netip.ParseAddr(host); err == nil {
		if a.Zone() != "" {
			return domain.RuleZone
		}
		return ""
	}
	if !isASCII(host) {
		return domain.RuleASCII
	}
	name := strings.TrimSuffix(host, ".")
	labels := strings.Split(name, ".")
	for _, label := range labels {
		if !soundLabel(label) {
			return domain.RuleHost
		}
	}
	if len(name) > maxName {
		return domain.RuleHostLength
	}
	// 127.1, 2130706433 and 0x7f.1 are names to some programs and addresses to
	// others. A name of the internet never ends in a number (RFC 3696, section 2).
	if last := labels[len(labels)-1]; isNumber(last) {
		return domain.RuleHostNumber
	}
	return ""
}

func isASCII(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return r >= utf8.RuneSelf })
}

// soundLabel allows the underscore besides letters, digits and hyphens, because some hosting
// providers use it.
func soundLabel(label string) bool {
	if label == "" || len(label) > maxLabel || strings.HasPrefix(label, "-") || strings.HasSuffix(label, "-") {
		return false
	}
	return !strings.ContainsFunc(label, func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && r != '-' && r != '_'
	})
}

// isNumber says whether a label is a decimal, octal or hexadecimal number.
func isNumber(label string) bool {
	digits := strings.ToLower(label)
	if rest, ok := strings.CutPrefix(digits, "0x"); ok {
		return strings.Trim(rest, "0123456789abcdef") == ""
	}
	return strings.Trim(digits, "0123456789") == ""
}

// ownName says whether a name means this machine, even if DNS has another address for it
// (RFC 6761, section 6.3).
func ownName(host string) bool {
	name := strings.ToLower(strings.TrimSuffix(host, "."))
	return name == "localhost" || strings.HasSuffix(name, ".localhost")
}
