package outbound

import (
	"net/netip"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"milaan/domain"
)

// How many bytes a name and a label of it have at most: RFC 1035, section 2.3.4.
const (
	maxName  = 253
	maxLabel = 63
)

var (
	// label matches a label of a name. It may have underscores, because some hosting providers
	// use them.
	label = regexp.MustCompile(`^\w([\w-]*\w)?$`)
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
	if slices.ContainsFunc(labels, func(l string) bool { return len(l) > maxLabel || !label.MatchString(l) }) {
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
