package config

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"net/netip"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Bytes is an amount of memory or of disk space. It is written in bytes or with a
// unit: 268435456, 256MiB, 1GB.
type Bytes int64

// The units, those with the longest suffix first. A single letter means a binary unit,
// as in most tools; libraries such as go-humanize read it as a decimal one.
var units = []struct {
	suffix string
	bytes  int64
}{
	{"kib", 1 << 10}, {"mib", 1 << 20}, {"gib", 1 << 30}, {"tib", 1 << 40},
	{"kb", 1e3}, {"mb", 1e6}, {"gb", 1e9}, {"tb", 1e12},
	{"k", 1 << 10}, {"m", 1 << 20}, {"g", 1 << 30}, {"t", 1 << 40}, {"b", 1},
}

// UnmarshalText reads an amount. It refuses negative ones and those that an int64
// cannot hold.
func (b *Bytes) UnmarshalText(text []byte) error {
	s, factor := strings.ToLower(strings.TrimSpace(string(text))), int64(1)
	for _, u := range units {
		if number, ok := strings.CutSuffix(s, u.suffix); ok {
			s, factor = strings.TrimSpace(number), u.bytes
			break
		}
	}
	n, err := strconv.ParseInt(s, 10, 64)
	if errors.Is(err, strconv.ErrRange) && n > 0 || err == nil && n > math.MaxInt64/factor {
		return fmt.Errorf("%q is too large: write a smaller amount", text)
	}
	if err != nil || n < 0 {
		return fmt.Errorf("%q is no amount: write bytes, or a whole number with a unit such as 256MiB or 20GiB", text)
	}
	*b = Bytes(n * factor)
	return nil
}

// Switch is written on or off.
type Switch bool

// UnmarshalText reads a switch.
func (s *Switch) UnmarshalText(text []byte) error {
	switch strings.ToLower(strings.TrimSpace(string(text))) {
	case "on":
		*s = true
	case "off":
		*s = false
	default:
		return fmt.Errorf("%q must be on or off", text)
	}
	return nil
}

// Networks are ranges of addresses, written as CIDRs or as single addresses, with
// commas or blanks between them.
type Networks []netip.Prefix

// UnmarshalText reads the ranges. It refuses a range of all addresses: a client in
// a range of proxies can claim to use HTTPS, and to have any address.
func (n *Networks) UnmarshalText(text []byte) error {
	var all Networks
	for s := range strings.FieldsFuncSeq(string(text), func(r rune) bool { return r == ',' || r == ' ' || r == '\t' || r == '\n' }) {
		p, err := netip.ParsePrefix(s)
		if err != nil {
			a, err := netip.ParseAddr(s)
			if err != nil {
				return fmt.Errorf("%q is no address range: write CIDRs such as 10.0.0.0/8,192.168.1.7", s)
			}
			p = netip.PrefixFrom(a.Unmap(), a.Unmap().BitLen())
		}
		if p.Bits() == 0 {
			return fmt.Errorf("%q trusts every address: name the proxy's own range", s)
		}
		all = append(all, p.Masked())
	}
	*n = all
	return nil
}

// Origins are those of pages, written with commas or blanks between them.
type Origins []string

// UnmarshalText reads origins as browsers send them: in lower case and without the usual port.
func (o *Origins) UnmarshalText(text []byte) error {
	var all Origins
	for s := range strings.FieldsSeq(strings.ReplaceAll(string(text), ",", " ")) {
		s = strings.TrimSuffix(strings.ToLower(s), "/")
		if !isOrigin(s) || strings.Contains(s, "*") {
			return fmt.Errorf("%q is no origin: write each page's scheme and host, such as https://tools.shop.example", s)
		}
		if strings.HasPrefix(s, "https:") {
			s = strings.TrimSuffix(s, ":443")
		}
		if strings.HasPrefix(s, "http:") {
			s = strings.TrimSuffix(s, ":80")
		}
		all = append(all, s)
	}
	*o = all
	return nil
}

// redacted is printed in place of a secret.
const redacted = "[redacted]"

// Secret is a text that is never printed. To use it, convert it to a string.
type Secret string

// String says only whether there is a secret.
func (s Secret) String() string {
	if s == "" {
		return ""
	}
	return redacted
}

// Format keeps the secret out of every verb of fmt.
func (s Secret) Format(f fmt.State, _ rune) { _, _ = fmt.Fprint(f, s.String()) }

// MarshalText keeps the secret out of JSON and of the log.
func (s Secret) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// DatabaseURL says where the database is. It prints without its password; to
// connect, convert it to a string.
type DatabaseURL string

// String is the URL without the password, and without the options, which may have
// one too.
func (u DatabaseURL) String() string {
	if u == "" {
		return ""
	}
	parsed, err := url.Parse(string(u))
	if err != nil || parsed.Host == "" && parsed.Path == "" {
		return redacted
	}
	shown := url.URL{Scheme: parsed.Scheme, Host: parsed.Host, Path: parsed.Path}
	if parsed.User != nil {
		shown.User = url.User(parsed.User.Username())
	}
	return shown.String()
}

// Format keeps the password out of every verb of fmt.
func (u DatabaseURL) Format(f fmt.State, _ rune) { _, _ = fmt.Fprint(f, u.String()) }

// MarshalText keeps the password out of JSON and of the log.
func (u DatabaseURL) MarshalText() ([]byte, error) { return []byte(u.String()), nil }

// check returns what is wrong with the URL. The error does not repeat it.
func (u DatabaseURL) check() error {
	if u == "" {
		return nil
	}
	parsed, err := url.Parse(string(u))
	if err != nil || parsed.Scheme != "postgres" && parsed.Scheme != "postgresql" || parsed.Fragment != "" {
		return errors.New("is no PostgreSQL address: write postgres://user:password@host:5432/database, " +
			"special characters of the password percent-encoded, or leave it blank for the embedded database")
	}
	return nil
}

// SecretKeys are the service's secrets; blank if none is set. The first one signs
// and seals; all of them verify and open. They are never printed.
type SecretKeys [][]byte

const (
	minSecret   = 32 // bytes
	minDistinct = 8  // different values among the bytes; 32 random bytes have about 30
)

// UnmarshalText reads secrets of at least 32 bytes in hexadecimal or base64, with
// commas between them. The error does not repeat the text.
func (k *SecretKeys) UnmarshalText(text []byte) error {
	var all SecretKeys
	entries := strings.Split(string(text), ",")
	for i, entry := range entries {
		raw, err := parseSecretKey(strings.TrimSpace(entry))
		if err == nil && slices.ContainsFunc(all, func(other []byte) bool { return bytes.Equal(other, raw) }) {
			err = errors.New("is there twice: name each secret once")
		}
		switch {
		case err != nil && len(entries) == 1:
			return err
		case err != nil:
			return fmt.Errorf("secret %d of %d %w", i+1, len(entries), err)
		}
		all = append(all, raw)
	}
	*k = all
	return nil
}

func parseSecretKey(s string) ([]byte, error) {
	if s == "" {
		return nil, errors.New("is blank: write one secret, or several with a comma between two")
	}
	if lines := strings.Fields(s); len(lines) > 1 && len(lines[0]) == 2*minSecret {
		if _, err := hex.DecodeString(lines[0]); err == nil {
			return nil, errors.New("looks like several: write a comma between two secrets")
		}
	}
	raw, err := hex.DecodeString(s)
	if err != nil {
		s = strings.TrimRight(strings.NewReplacer("-", "+", "_", "/").Replace(s), "=")
		raw, err = base64.RawStdEncoding.DecodeString(s)
	}
	switch {
	case err != nil:
		return nil, errors.New("must be hexadecimal or base64: make one with `openssl rand -hex 32`")
	case len(raw) < minSecret:
		return nil, fmt.Errorf("holds %d bytes and must hold at least %d: make one with `openssl rand -hex 32`", len(raw), minSecret)
	case len(slices.Compact(slices.Sorted(slices.Values(raw)))) < minDistinct:
		return nil, errors.New("can be guessed: make one with `openssl rand -hex 32`")
	}
	return raw, nil
}

// String says only whether there are secrets.
func (k SecretKeys) String() string {
	if len(k) == 0 {
		return ""
	}
	return redacted
}

// Format keeps the secrets out of every verb of fmt.
func (k SecretKeys) Format(f fmt.State, _ rune) { _, _ = fmt.Fprint(f, k.String()) }

// MarshalText keeps the secrets out of JSON and of the log.
func (k SecretKeys) MarshalText() ([]byte, error) { return []byte(k.String()), nil }

// SecretList is one secret, or several that are valid at the same time.
type SecretList []Secret

// UnmarshalText reads secrets with commas between them. The error does not repeat the text.
func (l *SecretList) UnmarshalText(text []byte) error {
	var all SecretList
	for s := range strings.SplitSeq(string(text), ",") {
		if s = strings.TrimSpace(s); s == "" {
			return errors.New("has a blank secret: write one secret, or two with a comma between them")
		}
		all = append(all, Secret(s))
	}
	if len(all) > 2 {
		return fmt.Errorf("has %d secrets and may have two: the new one and the one that it replaces", len(all))
	}
	*l = all
	return nil
}

// BillingPlan says what a plan of the billing provider is here.
type BillingPlan struct {
	ID   string // the billing provider's
	Plan string // solo, pro or enterprise
}

// BillingPlans are written as plan_x=pro,plan_y=solo.
type BillingPlans []BillingPlan

var billedPlans = []string{"solo", "pro", "enterprise"}

// UnmarshalText reads the plans.
func (p *BillingPlans) UnmarshalText(text []byte) error {
	var all BillingPlans
	for entry := range strings.SplitSeq(string(text), ",") {
		id, plan, _ := strings.Cut(entry, "=")
		one := BillingPlan{ID: strings.TrimSpace(id), Plan: strings.ToLower(strings.TrimSpace(plan))}
		switch {
		case !planID.MatchString(one.ID), !slices.Contains(billedPlans, one.Plan):
			return fmt.Errorf("%q is not a plan of Razorpay and what it is here: write such as plan_x=pro, where the latter is %s",
				strings.TrimSpace(entry), strings.Join(billedPlans, ", "))
		case slices.ContainsFunc(all, func(other BillingPlan) bool { return other.ID == one.ID }):
			return fmt.Errorf("%q is there twice: name each plan of Razorpay once", one.ID)
		}
		all = append(all, one)
	}
	*p = all
	return nil
}

// planID is what the ids of Razorpay look like.
var planID = regexp.MustCompile(`^[0-9A-Za-z_-]{1,64}$`)
