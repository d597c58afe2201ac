package webhook

import (
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
func (s *Poster) parse(text string) (*url.URL, domain.Fault) {
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
	case u.Scheme == "http" && !s.settings.AllowLoopback, u.Scheme != "http" && u.Scheme != "https":
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
	return u, s.secure.CheckText(u.Hostname())
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
