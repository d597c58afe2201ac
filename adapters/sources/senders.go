package sources

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/emersion/go-message/textproto"
	"golang.org/x/net/idna"
	"golang.org/x/net/publicsuffix"

	"milaan/domain"
	"milaan/ports"
)

// The settings of a mailbox that say whose mails are taken.
const (
	settingFrom        = "from"
	settingSenderCheck = "sender_check"
	settingAuthServID  = "authserv_id"

	senderProven = "required" // the default of settingSenderCheck
	senderAny    = "off"
)

// sender is an address of a mail, or all addresses of a domain. The zero one is nobody.
type sender struct {
	local  string // with small letters; blank: everybody of the domain
	domain string // as DNS has it: ASCII, with small letters
}

// is says whether an address is one of those that the sender stands for.
func (s sender) is(address sender) bool {
	return s.domain != "" && s.domain == address.domain && (s.local == "" || s.local == address.local)
}

// String writes it as it is entered.
func (s sender) String() string { return s.local + "@" + s.domain }

// entries splits a setting that may have several values.
func entries(setting string) []string {
	return strings.FieldsFunc(setting, func(r rune) bool { return r == ',' || r == ';' || unicode.IsSpace(r) })
}

// sendersOf reads the setting with the senders; false: one of them is neither an address nor
// @domain.
func sendersOf(setting string) (senders []sender, ok bool) {
	for _, entry := range entries(setting) {
		at := strings.LastIndex(entry, "@")
		if at < 0 {
			return nil, false
		}
		name, err := idna.Lookup.ToASCII(entry[at+1:])
		if _, suffix := publicsuffix.EffectiveTLDPlusOne(name); err != nil || suffix != nil || at > 0 && !isDotAtom(entry[:at]) {
			return nil, false
		}
		senders = append(senders, sender{lowerASCII(entry[:at]), name})
	}
	return senders, true
}

func checkSenders(value string, _ domain.Settings, _ ports.HostCheck) domain.Fault {
	senders, ok := sendersOf(value)
	return formUnless(ok && len(senders) > 0)
}

// checkProof is the check of the settings that belong together: a proof needs a sender and the
// id of who has checked it. Only attachments of one proven sender replace each other: those of several
// may have one name, and without a proof anybody could replace a report.
func checkProof(s domain.Settings) (faults domain.Faults) {
	senders, _ := sendersOf(s[settingFrom])
	one := len(senders) == 1 && senders[0].local != "" && s[settingSenderCheck] != senderAny
	faults.Add(s[settingSameName] == sameNameNewest && !one,
		domain.Fault{Field: domain.FieldSetting, Setting: settingSameName, Rule: domain.RuleOneSender})
	if s[settingSenderCheck] == senderAny {
		return faults
	}
	faults.Add(s[settingFrom] == "", domain.Fault{Field: domain.FieldSetting, Setting: settingFrom, Rule: domain.RuleUnproven})
	faults.Add(s[settingAuthServID] == "", domain.Fault{Field: domain.FieldSetting, Setting: settingAuthServID, Rule: domain.RuleTested})
	return faults
}

// formerSenders returns the settings of a mailbox without its senders, if an earlier version has
// saved them: then the sender was a part of the header From, and nothing was proven. setting is
// the one that must be entered anew; blank: they are of this version.
func formerSenders(s domain.Settings) (rest domain.Settings, setting string) {
	senders, ok := sendersOf(s[settingFrom])
	switch {
	case s[settingSenderCheck] == senderAny && ok:
		return s, ""
	case !ok || len(senders) == 0:
		setting = settingFrom
	case len(entries(s[settingAuthServID])) == 0:
		setting = settingAuthServID
	default:
		return s, ""
	}
	rest = maps.Clone(s)
	delete(rest, settingFrom)
	delete(rest, settingAuthServID)
	rest[settingSenderCheck] = senderAny
	return rest, setting
}

var errHeader = errors.New("imap: the header of a mail cannot be read")

// readHeader reads the header of a mail. It refuses what two programs could read differently.
func readHeader(text []byte) (textproto.Header, error) {
	if bytes.IndexByte(text, 0) >= 0 || bytes.Contains(bytes.ReplaceAll(text, []byte("\r\n"), nil), []byte("\r")) {
		return textproto.Header{}, errHeader
	}
	return textproto.ReadHeader(bufio.NewReader(io.MultiReader(bytes.NewReader(bytes.TrimRight(text, "\r\n")), strings.NewReader("\r\n\r\n"))))
}

// addressOf returns the address in the header From; the zero one if there is not exactly one
// address.
func addressOf(header textproto.Header) sender {
	if from := header.Values("From"); len(from) == 1 {
		return parseFrom(from[0])
	}
	return sender{}
}

// parseFrom reads the value of a header From. It is stricter than RFC 5322, because a mail server
// that checks the sender may read what is unusual in another way: it takes no group, no route,
// no several addresses, and no shown name with another address in it. What is shown beside the
// address decides nothing.
func parseFrom(value string) sender {
	name, address, ok := splitFrom(value)
	if !ok {
		return sender{}
	}
	if address == "" {
		name, address = "", name
	}
	if strings.Contains(name, "@") && name != address {
		return sender{}
	}
	local, host, ok := strings.Cut(address, "@")
	if !ok || !isDotAtom(local) {
		return sender{}
	}
	ascii, err := idna.Registration.ToASCII(lowerASCII(host)) // it maps no character to another one
	if _, suffix := publicsuffix.EffectiveTLDPlusOne(ascii); err != nil || suffix != nil {
		return sender{}
	}
	return sender{lowerASCII(local), ascii}
}

// splitFrom returns what stands before the angle brackets of a header and what is in them,
// without comments and quoted names. false: it is not one mailbox. A comment within an address
// makes it none.
func splitFrom(value string) (name, address string, ok bool) {
	const comment = "\x00" // which no header has
	text, ok := withoutComments(value, comment, func(string) string { return " " })
	if !ok || !utf8.ValidString(text) || strings.ContainsAny(text, ",;:[]\\") {
		return "", "", false
	}
	trim := func(text string) string { return strings.Trim(text, comment+" ") }
	name, rest, angled := strings.Cut(text, "<")
	if !angled {
		return trim(text), "", !strings.Contains(text, ">")
	}
	address, rest, closed := strings.Cut(rest, ">")
	return trim(name), strings.TrimSpace(address), closed && address != "" && trim(rest) == ""
}

// withoutComments returns the value of a header on one line, with a text in the place of each
// comment, and with what quoted returns for each quoted text. false: a comment or a quoted text
// has no end.
func withoutComments(value, comment string, quoted func(text string) string) (string, bool) {
	var out, in strings.Builder
	depth, inQuotes := 0, false
	for i := 0; i < len(value); i++ {
		c := value[i]
		switch {
		case c == '\\' && (depth > 0 || inQuotes):
			if i++; i == len(value) {
				return "", false
			}
			in.WriteByte(value[i])
		case inQuotes && c == '"':
			inQuotes = false
			out.WriteString(quoted(in.String()))
			in.Reset()
		case inQuotes:
			in.WriteByte(c)
		case c == '(':
			depth++
		case c == ')':
			if depth--; depth < 0 {
				return "", false
			}
			if depth == 0 {
				out.WriteString(comment)
				in.Reset()
			}
		case depth > 0:
		case c == '"':
			inQuotes = true
		case c == '\r', c == '\n', c == '\t':
			out.WriteByte(' ')
		default:
			out.WriteByte(c)
		}
	}
	return out.String(), depth == 0 && !inQuotes
}

// isDotAtom says whether a text is the part of an address before its @ that needs no quotes.
func isDotAtom(text string) bool {
	return text != "" && !strings.HasPrefix(text, ".") && !strings.HasSuffix(text, ".") && !strings.Contains(text, "..") &&
		!strings.ContainsFunc(text, func(r rune) bool {
			return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("!#$%&'*+-/=?^_`{|}~.", r))
		})
}

// lowerASCII makes the letters of ASCII small. Others stay, as some of them become a letter of
// ASCII.
func lowerASCII(text string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'A' && r <= 'Z' {
			return r + 'a' - 'A'
		}
		return r
	}, text)
}

// mentions says whether a text of a header has one of the senders in it, wherever that is.
func mentions(text string, senders []sender) bool {
	text = strings.ToLower(text)
	return slices.ContainsFunc(senders, func(s sender) bool {
		if s.local == "" {
			return strings.Contains(text, s.domain)
		}
		return strings.Contains(text, s.String())
	})
}
