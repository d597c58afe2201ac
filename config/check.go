package config

import (
	"fmt"
	"net"
	"net/mail"
	"net/netip"
	"net/url"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// minBodyMemory is enough for one request of the contract's 25 MB. With less, such
// a request could never be read.
const minBodyMemory Bytes = 32 << 20

// minUploadMemory is enough for one upload of 64 MiB.
const minUploadMemory Bytes = 80 << 20

// maxConnections is more than the file descriptors of any machine. maxDrain is longer
// than anybody waits for each of the two parts of a stop.
const (
	maxConnections = 1 << 20
	maxDrain       = time.Hour
)

// minQuota is enough for one batch of the contract's 25 MB. With less, such a batch
// could never be accepted.
const minQuota Bytes = 32 << 20

// The limits of the retention of batches. Results must be kept until a client asks for
// them again. They must not be kept for long, because the operator can read them.
const (
	minRetention = time.Minute
	maxRetention = 30 * 24 * time.Hour
)

// minRunRetention is longer than two billing cycles, so that the runs of an account are
// counted towards its cap until its cycle is over.
const minRunRetention = 62 * 24 * time.Hour

// check returns an error for each setting that cannot work or is not safe.
func (c Config) check(source sources) error {
	var problems []error
	refuse := func(variable, format string, args ...any) {
		problems = append(problems, fmt.Errorf(source.of(Prefix+variable)+" "+format, args...))
	}
	c.HTTP.check(refuse)
	c.Identity.check(refuse)
	behindProxies := c.HTTP.PublicURL == "" && len(c.HTTP.TrustedProxies) > 0
	if c.Identity.OIDCClientID != "" && (c.HTTP.BaseURL() == "" || behindProxies) && len(problems) == 0 {
		refuse("PUBLIC_URL", "is not set, but %s is: set it to the https:// address by which people reach the service, because the provider sends them back to it",
			Prefix+"OIDC_CLIENT_ID")
	}
	if c.Mail.SMTPURL != "" && c.HTTP.BaseURL() == "" && len(problems) == 0 {
		refuse("PUBLIC_URL", "is not set, but %s is: set it to the https:// address by which people reach the service, because each mail has a link that ends such mails",
			Prefix+"SMTP_URL")
	}
	if r := c.Batch.Retention; r < minRetention || r > maxRetention {
		refuse("BATCH_RETENTION", "is %s and must be from 1m to 720h, which is 30 days", r)
	}
	if r := c.Storage.RunRetention; r < minRunRetention {
		refuse("RUN_RETENTION", "is %s and must be at least 1488h, which is 62 days: runs are counted until a billing cycle is over", r)
	}
	if q := c.Batch.Quota; q != 0 && q < minQuota {
		refuse("BATCH_QUOTA", "is %d bytes and must be at least 32MiB, or the largest batch cannot be taken, or 0 for no limit", q)
	}
	if n := c.Autopilot.Passes; n < 1 || n > maxPasses {
		refuse("PASSES", "is %d and must be from 1 to %d", n, maxPasses)
	}
	if f := c.Autopilot.ConnectionFolder; f != "" && !filepath.IsAbs(f) {
		refuse("CONNECTION_FOLDER", "must be the whole path of a folder, beginning with /")
	}
	c.Mail.check(refuse)
	c.Billing.check(refuse)
	c.OTP.check(refuse)
	if c.OTP.Way == OTPLog && !c.HTTP.onThisMachine() {
		refuse("OTP", "is log, which is for a service that only this machine can reach: whoever reads the log could verify any number; "+
			"set it to msg91, or %s to 127.0.0.1 without %s and with no other machine's %s", Prefix+"ADDR", Prefix+"TRUSTED_PROXIES", Prefix+"PUBLIC_URL")
	}
	if err := c.Storage.DatabaseURL.check(); err != nil {
		refuse("DATABASE_URL", "%w", err)
	}
	return joinSorted(problems)
}

// maxPasses is more than one instance can make.
const maxPasses = 1000

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
			refuse("RAZORPAY_URL", "must be an address of this machine such as http://127.0.0.1:9000, without a path: it is for development, so leave it unset to use Razorpay itself")
		}
	}
	for _, s := range all {
		if s.set {
			given = s.variable
		}
	}
	for _, s := range all {
		if given != "" && !s.set {
			refuse(s.variable, "is not set, but %s is: set all of MILAAN_RAZORPAY_KEY_ID, _KEY_SECRET, _WEBHOOK_SECRETS and _PLANS to sell subscriptions, or none", Prefix+given)
		}
	}
}

// maxCodesPerHour is more than is needed, and few enough to be counted exactly.
const maxCodesPerHour = 2000

// check refuses settings of MSG91 that are not whole, and those that nothing uses.
func (o OTP) check(refuse func(variable, format string, args ...any)) {
	if o.PerHour < 1 || o.PerHour > maxCodesPerHour {
		refuse("OTP_PER_HOUR", "is %d and must be from 1 to %d", o.PerHour, maxCodesPerHour)
	}
	switch o.Way {
	case OTPOff, OTPLog:
		for variable, value := range map[string]string{"MSG91_AUTH_KEY": string(o.MSG91AuthKey), "MSG91_TEMPLATE": o.MSG91Template, "MSG91_URL": o.MSG91URL} {
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
	for variable, n := range map[string]int{"MAX_CONNECTIONS": h.MaxConnections, "MAX_CONNECTIONS_PER_PEER": h.MaxPerPeer} {
		if n < 1 || n > maxConnections {
			refuse(variable, "is %d and must be from 1 to %d", n, maxConnections)
		}
	}
	if h.UploadMemory < minUploadMemory {
		refuse("UPLOAD_MEMORY", "is %d bytes and must be at least 80MiB, or the largest upload cannot be read", h.UploadMemory)
	}
	if h.BodyMemory < minBodyMemory {
		refuse("BODY_MEMORY", "is %d bytes and must be at least 32MiB, or the largest request cannot be read", h.BodyMemory)
	}
	if d := h.DrainDelay; d < 0 || d > maxDrain {
		refuse("DRAIN_DELAY", "is %s and must be from 0s to 1h, such as 10s", d)
	}
	if d := h.DrainTimeout; d <= 0 || d > maxDrain {
		refuse("DRAIN_TIMEOUT", "is %s and must be longer than 0s and at most 1h, such as 30s", d)
	}
	if h.BodyWait <= 0 {
		refuse("BODY_WAIT", "is %s and must be longer than 0s, such as 10s", h.BodyWait)
	}
}

// check demands the audience: without it the service would accept a token that the
// provider made for another of its clients.
func (i Identity) check(refuse func(variable, format string, args ...any)) {
	if i.SignUp && i.OIDCClientID == "" {
		refuse("SIGN_UP", "is on, and people sign up at an OpenID Connect provider: set %s and %s, or switch it off", Prefix+"OIDC_ISSUER", Prefix+"OIDC_CLIENT_ID")
	}
	if i.OIDCIssuer == "" {
		for variable, value := range map[string]string{"OIDC_AUDIENCE": i.OIDCAudience, "OIDC_CLIENT_ID": i.OIDCClientID, "OIDC_CLIENT_SECRET": string(i.OIDCClientSecret)} {
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
		refuse("OIDC_AUDIENCE", "is not set, but %s is: set it to the aud that the provider's tokens for this service carry", Prefix+"OIDC_ISSUER")
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

// splitAddr returns the host of host:port.
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
