package webhook

import (
	"net/netip"
	"net/url"
	"regexp"
	"slices"
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

const maxName = 253 // bytes of a name, RFC 1035, section 2.3.4

var (
	// label matches a label of a name, of at most 63 characters. It may have underscores,
	// because some hosting providers use them.
	label = regexp.MustCompile(`^\w([\w-]{0,61}\w)?$`)
	// number matches a label that is a decimal, octal or hexadecimal number.
	number = regexp.MustCompile(`^([0-9]+|0[xX][0-9a-fA-F]*)$`)
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
	if strings.ContainsFunc(host, func(r rune) bool { return r >= utf8.RuneSelf }) {
		return domain.RuleASCII
	}
	name := strings.TrimSuffix(host, ".")
	labels := strings.Split(name, ".")
	if slices.ContainsFunc(labels, func(l string) bool { return !label.MatchString(l) }) {
		return domain.RuleHost
	}
	if len(name) > maxName {
		return domain.RuleHostLength
	}
	// 127.1, 2130706433 and 0x7f.1 are names to some programs and addresses to
	// others. A name of the internet never ends in a number (RFC 3696, section 2).
	if number.MatchString(labels[len(labels)-1]) {
		return domain.RuleHostNumber
	}
	return ""
}

// ownName says whether a name means this machine, even if DNS has another address for it
// (RFC 6761, section 6.3).
func ownName(host string) bool {
	name := strings.ToLower(strings.TrimSuffix(host, "."))
	return name == "localhost" || strings.HasSuffix(name, ".localhost")
}
