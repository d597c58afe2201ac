package webhook

import (
	"errors"
	"fmt"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"milaan/config"
	"milaan/domain"
)

// parsed reads an endpoint strictly: whatever two programs could understand
// differently is refused. The error is the rest of a sentence that begins with
// the field's name; it says what to do and repeats nothing of the URL.
func parsed(text string, plainHTTP bool) (*url.URL, error) {
	switch {
	case text == "":
		return nil, errors.New("must be given: the https:// URL that is to be called")
	case len(text) > domain.MaxEndpoint:
		return nil, fmt.Errorf("has %d bytes and may have at most %d: give a shorter URL", len(text), domain.MaxEndpoint)
	case !utf8.ValidString(text) || strings.ContainsFunc(text, unseen):
		return nil, errors.New("holds a blank or a character that cannot be seen: give the URL alone, with such characters percent-encoded")
	}
	u, err := url.Parse(text)
	switch {
	case err != nil || strings.Contains(text, `\`):
		return nil, errors.New("is no URL: give one such as https://shop.example/milaan")
	case u.Scheme == "http" && !plainHTTP, u.Scheme != "http" && u.Scheme != "https":
		return nil, errors.New("must begin with https:// (plain http is for endpoints on this machine, with " +
			config.Prefix + "WEBHOOK_ALLOW_LOOPBACK=true)")
	case u.Opaque != "" || u.Hostname() == "":
		return nil, errors.New("names no host: give a whole URL, such as https://shop.example/milaan")
	case u.User != nil:
		return nil, errors.New("holds a user name before its host: leave that out; the signature tells you that a call is ours")
	case strings.Contains(text, "#"):
		return nil, errors.New("holds a fragment, which is never sent: leave out # and what follows it")
	case !soundPort(u):
		return nil, errors.New("has a port that is no number from 1 to 65535: leave it out, or correct it")
	}
	return u, soundHost(u.Hostname())
}

// unseen are characters that a person who reads the URL does not see.
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

// soundHost accepts an address in its usual form, and a name of the letters
// that DNS has. International names come as the xn-- names that they are in DNS:
// Unicode has other digits and dots, which some programs turn into addresses.
func soundHost(host string) error {
	if a, err := netip.ParseAddr(host); err == nil {
		if a.Zone() != "" {
			return errors.New("names an address with a zone, which means something on one machine only: give a public host")
		}
		return nil
	}
	if !isASCII(host) {
		return errors.New("has a host with letters beyond a to z: write its name as DNS has it, beginning with xn--")
	}
	name := strings.TrimSuffix(host, ".")
	labels := strings.Split(name, ".")
	for _, label := range labels {
		if !soundLabel(label) {
			return errors.New("has a host that is no name: give one such as https://shop.example/milaan")
		}
	}
	if len(name) > maxName {
		return fmt.Errorf("has a host of more than %d characters: DNS has no such names", maxName)
	}
	// 127.1, 2130706433 and 0x7f.1 are names to some programs and addresses to
	// others. A name of the internet never ends in a number (RFC 3696, section 2).
	if last := labels[len(labels)-1]; isNumber(last) {
		return errors.New("has a host that ends in a number and is no address as one is usually written: give the host's name")
	}
	return nil
}

func isASCII(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return r >= utf8.RuneSelf })
}

// soundLabel allows the underscore besides letters, digits and hyphens: some
// providers hand out such names.
func soundLabel(label string) bool {
	if label == "" || len(label) > maxLabel || strings.HasPrefix(label, "-") || strings.HasSuffix(label, "-") {
		return false
	}
	return !strings.ContainsFunc(label, func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && r != '-' && r != '_'
	})
}

// isNumber says that a label is decimal, octal or hexadecimal.
func isNumber(label string) bool {
	digits := strings.ToLower(label)
	if rest, ok := strings.CutPrefix(digits, "0x"); ok {
		return strings.Trim(rest, "0123456789abcdef") == ""
	}
	return strings.Trim(digits, "0123456789") == ""
}

// ownName says that a name means this machine, whatever DNS says of it
// (RFC 6761, section 6.3).
func ownName(host string) bool {
	name := strings.ToLower(strings.TrimSuffix(host, "."))
	return name == "localhost" || strings.HasSuffix(name, ".localhost")
}
