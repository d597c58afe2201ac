package config

import (
	"fmt"
	"net"
	"net/mail"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
)

// check returns an error for each setting that cannot work or is not safe.
func (c Config) check(source sources) error {
	var problems []error
	refuse := func(variable, format string, args ...any) {
		problems = append(problems, fmt.Errorf(source.of(variable)+" "+format, args...))
	}
	c.HTTP.check(refuse)
	c.Identity.check(refuse)
	behindProxies := c.HTTP.PublicURL == "" && len(c.HTTP.TrustedProxies) > 0
	if c.Identity.OIDCClientID != "" && (c.HTTP.BaseURL() == "" || behindProxies) && len(problems) == 0 {
		refuse("PUBLIC_URL", "is not set, but %s is: set it to the https:// address by which people reach the service, because the "+
			"provider sends them back to it",
			Prefix+"OIDC_CLIENT_ID")
	}
	if c.Mail.SMTPURL != "" && c.HTTP.BaseURL() == "" && len(problems) == 0 {
		refuse("PUBLIC_URL", "is not set, but %s is: set it to the https:// address by which people reach the service, because each "+
			"mail has a link that ends such mails",
			Prefix+"SMTP_URL")
	}
	for _, s := range settings {
		if s.check == nil {
			continue
		}
		if err := s.check(s.field(&c)); err != nil {
			refuse(s.Name, "%w", err)
		}
	}
	c.Mail.check(refuse)
	c.Billing.check(refuse)
	c.OTP.check(refuse)
	if c.OTP.Way == OTPLog && !c.HTTP.onThisMachine() {
		refuse("OTP", "is log, which is for a service that only this machine can reach: whoever reads the log could verify any number; "+
			"set it to msg91, or %s to 127.0.0.1 without %s and with no other machine's %s", Prefix+"ADDR", Prefix+"TRUSTED_PROXIES",
			Prefix+"PUBLIC_URL")
	}
	return joinSorted(problems)
}

// check refuses a server without TLS, unless it is on this machine: mails name accounts, and
// the password would go over the network in clear.
func (m Mail) check(refuse func(variable, format string, args ...any)) {
	if m.SMTPURL == "" {
		if m.MailFrom != "" {
			refuse("SMTP_URL", "is not set, but %s is: set both", Prefix+"MAIL_FROM")
		}
		return
	}
	u, err := url.Parse(string(m.SMTPURL))
	if err != nil || u.Scheme != "smtp" && u.Scheme != "smtps" || u.Hostname() == "" || u.Path != "" && u.Path != "/" {
		refuse("SMTP_URL", "must be smtps://user:password@host:465, or smtp://user:password@host:587 for STARTTLS")
	}
	if _, err := mail.ParseAddress(m.MailFrom); err != nil {
		refuse("MAIL_FROM", "must be the sender of the mails, such as Milaan <milaan@example.com>")
	}
}

// check refuses a billing provider that is configured in part: notices that cannot be checked,
// or subscriptions that mean nothing here.
func (b Billing) check(refuse func(variable, format string, args ...any)) {
	all := []struct {
		variable string
		set      bool
	}{
		{"RAZORPAY_KEY_ID", b.RazorpayKeyID != ""}, {"RAZORPAY_KEY_SECRET", b.RazorpayKeySecret != ""},
		{"RAZORPAY_WEBHOOK_SECRETS", len(b.RazorpayWebhookSecrets) > 0}, {"RAZORPAY_PLANS", len(b.RazorpayPlans) > 0},
	}
	given := ""
	if b.RazorpayURL != "" {
		given = "RAZORPAY_URL"
		if u, err := url.Parse(b.RazorpayURL); err != nil || !isOrigin(b.RazorpayURL) || !isLoopback(u.Hostname()) {
			refuse("RAZORPAY_URL", "must be an address of this machine such as http://127.0.0.1:9000, without a path: it is for "+
				"development, so leave it unset to use Razorpay itself")
		}
	}
	for _, s := range all {
		if s.set {
			given = s.variable
		}
	}
	for _, s := range all {
		if given != "" && !s.set {
			refuse(s.variable, "is not set, but %s is: set all of MILAAN_RAZORPAY_KEY_ID, _KEY_SECRET, _WEBHOOK_SECRETS and _PLANS to sell "+
				"subscriptions, or none", Prefix+given)
		}
	}
}

// check refuses settings of MSG91 that are not whole, and those that nothing uses.
func (o OTP) check(refuse func(variable, format string, args ...any)) {
	switch o.Way {
	case OTPOff, OTPLog:
		for variable, value := range map[string]string{"MSG91_AUTH_KEY": string(o.MSG91AuthKey), "MSG91_TEMPLATE": o.MSG91Template,
			"MSG91_URL": o.MSG91URL} {
			if value != "" {
				refuse(variable, "is set, but %s is %s: set that to msg91, or unset this", Prefix+"OTP", o.Way)
			}
		}
		return
	case OTPMSG91:
	default:
		refuse("OTP", "is %q and must be off, log or msg91", o.Way)
		return
	}
	for variable, value := range map[string]string{"MSG91_AUTH_KEY": string(o.MSG91AuthKey), "MSG91_TEMPLATE": o.MSG91Template} {
		if value == "" {
			refuse(variable, "is not set, but %s is msg91: set it as the account at MSG91 says it", Prefix+"OTP")
		} else if strings.ContainsFunc(value, func(r rune) bool { return r <= ' ' || r > '~' }) {
			refuse(variable, "has a blank or a character that MSG91 does not use: set it as the account at MSG91 says it")
		}
	}
	u, err := url.Parse(o.MSG91URL)
	if o.MSG91URL != "" && (err != nil || !isOrigin(o.MSG91URL) || !isLoopback(u.Hostname())) {
		refuse("MSG91_URL", "is for development and must be an address of this machine without a path, such as http://127.0.0.1:9191")
	}
}

// onThisMachine says whether only this machine can reach the service, by all that is set.
func (h HTTP) onThisMachine() bool {
	host, err := splitAddr(h.Addr)
	if err != nil || !isLoopback(host) || len(h.TrustedProxies) > 0 {
		return false
	}
	u, err := url.Parse(h.PublicURL)
	return h.PublicURL == "" || err == nil && isLoopback(u.Hostname())
}

func (h HTTP) check(refuse func(variable, format string, args ...any)) {
	host, err := splitAddr(h.Addr)
	if err != nil {
		refuse("ADDR", "%w", err)
	} else if !h.TLS() && len(h.TrustedProxies) == 0 && !isLoopback(host) {
		refuse("ADDR", "is %s, which other machines can reach, and the service speaks HTTPS only: set %s and %s, "+
			"or %s to the addresses of the proxy that ends HTTPS, or listen on 127.0.0.1",
			h.Addr, Prefix+"TLS_CERT", Prefix+"TLS_KEY", Prefix+"TRUSTED_PROXIES")
	}
	if h.PublicURL != "" && !isOrigin(h.PublicURL) {
		refuse("PUBLIC_URL", "must be an address such as https://milaan.example, or http:// and an address of this machine, without a path")
	}
	switch {
	case h.TLSCert != "" && h.TLSKey == "":
		refuse("TLS_KEY", "is not set, but %s is: set both", Prefix+"TLS_CERT")
	case h.TLSKey != "" && h.TLSCert == "":
		refuse("TLS_CERT", "is not set, but %s is: set both", Prefix+"TLS_KEY")
	}
	if h.MetricsAddr != "" {
		if _, err := splitAddr(h.MetricsAddr); err != nil {
			refuse("METRICS_ADDR", "%w", err)
		} else if h.MetricsAddr == h.Addr && !strings.HasSuffix(h.Addr, ":0") {
			refuse("METRICS_ADDR", "is the same as %s: leave it blank to serve /metrics there", Prefix+"ADDR")
		}
	}
}

// check demands the audience: without it the service would accept a token that the
// provider made for another of its clients.
func (i Identity) check(refuse func(variable, format string, args ...any)) {
	if i.SignUp && i.OIDCClientID == "" {
		refuse("SIGN_UP", "is on, and people sign up at an OpenID Connect provider: set %s and %s, or switch it off", Prefix+"OIDC_ISSUER",
			Prefix+"OIDC_CLIENT_ID")
	}
	if i.OIDCIssuer == "" {
		for variable, value := range map[string]string{"OIDC_AUDIENCE": i.OIDCAudience, "OIDC_CLIENT_ID": i.OIDCClientID,
			"OIDC_CLIENT_SECRET": string(i.OIDCClientSecret)} {
			if value != "" {
				refuse("OIDC_ISSUER", "is not set, but %s is: set both", Prefix+variable)
			}
		}
		return
	}
	if i.OIDCClientSecret != "" && i.OIDCClientID == "" {
		refuse("OIDC_CLIENT_ID", "is not set, but %s is: set both", Prefix+"OIDC_CLIENT_SECRET")
	}
	u, err := url.Parse(i.OIDCIssuer)
	if err != nil || !isSafe(u) {
		refuse("OIDC_ISSUER", "must be the provider's https:// address, as its tokens' iss says it")
	}
	if i.OIDCAudience == "" {
		refuse("OIDC_AUDIENCE", "is not set, but %s is: set it to the aud that the provider's tokens for this service carry",
			Prefix+"OIDC_ISSUER")
	}
}

// isSafe says whether nobody on the way to an address can read or change what is sent.
func isSafe(u *url.URL) bool {
	return u.Host != "" && u.User == nil && (u.Scheme == "https" || u.Scheme == "http" && isLoopback(u.Hostname()))
}

// isOrigin says whether an address is safe and has nothing but scheme, host and port. A
// slash at the end may stay.
func isOrigin(address string) bool {
	u, err := url.Parse(address)
	if err != nil || !isSafe(u) || u.Hostname() == "" {
		return false
	}
	origin := url.URL{Scheme: u.Scheme, Host: u.Host}
	return origin.String() == strings.TrimSuffix(address, "/")
}

func splitAddr(addr string) (string, error) {
	host, port, err := net.SplitHostPort(addr)
	if err == nil {
		_, err = strconv.ParseUint(port, 10, 16)
	}
	if err != nil {
		return "", fmt.Errorf("is %q and must be host:port, such as 127.0.0.1:8080", addr)
	}
	return host, nil
}

// isLoopback says whether only this machine can reach the host.
func isLoopback(host string) bool {
	if host == "localhost" {
		return true
	}
	a, err := netip.ParseAddr(host)
	return err == nil && a.Unmap().IsLoopback()
}
