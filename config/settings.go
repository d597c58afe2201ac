package config

import (
	"cmp"
	"encoding"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// Prefix begins the name of every variable.
const Prefix = "MILAAN_"

// Setting is what one variable sets. The texts are Markdown.
type Setting struct {
	Name    string // of the variable, without the prefix
	Default string // its value if it is not set, as it is written; blank: none
	Unset   string // what holds then, if there is no default
	Meaning string // in a line, without a period at its end
	More    string // what else the guide says of it, as sentences; or blank
	field   func(*Config) any
	check   func(value any) error // of the field alone, or nil; check.go has what concerns several
	path    bool                  // the value is the path of a file anyway, which is not read here
}

func (s Setting) Variable() string { return Prefix + s.Name }

// Help returns what holds if it is not set, and what it means, as plain text.
func (s Setting) Help() (unset, meaning string) {
	return strings.ReplaceAll(cmp.Or(s.Default, s.Unset), "`", ""), strings.ReplaceAll(s.Meaning, "`", "")
}

// Settings are all that can be set, in the order in which they are described. The parser, the
// help and the guide are made of this list.
func Settings() []Setting { return settings }

var settings = []Setting{
	// How the service is reached, and how much it processes at once.
	{Name: "ADDR", field: func(c *Config) any { return &c.HTTP.Addr }, Default: "127.0.0.1:8080",
		Meaning: "host:port to listen on",
		More:    "The service refuses to start if other machines can reach it without HTTPS"},
	{Name: "PUBLIC_URL", field: func(c *Config) any { return &c.HTTP.PublicURL }, Unset: "`MILAAN_ADDR`, on this machine",
		Meaning: "`https://` address by which people reach the service, for links and OpenID Connect",
		More: "It has no path. Sign-in links and invitations begin with it, and the OpenID Connect provider sends people back to it. " +
			"No link is made of what a request says in `Host`"},
	{Name: "TLS_CERT", field: func(c *Config) any { return &c.HTTP.TLSCert }, Unset: "none", path: true,
		Meaning: "path of a PEM certificate chain: serve HTTPS, with HTTP/2"},
	{Name: "TLS_KEY", field: func(c *Config) any { return &c.HTTP.TLSKey }, Unset: "none", path: true,
		Meaning: "path of the certificate's key, PEM"},
	{Name: "TRUSTED_PROXIES", field: func(c *Config) any { return &c.HTTP.TrustedProxies }, Unset: "none",
		Meaning: "CIDRs of proxies that terminate HTTPS; their forwarded headers are trusted",
		More:    "They stand in front of the service, and have no limit of connections. See [TLS and proxies](tls.md)"},
	{Name: "CORS_ORIGINS", field: func(c *Config) any { return &c.HTTP.Origins }, Unset: "none",
		Meaning: "origins of pages whose scripts may call the API, such as `https://tools.shop.example`",
		More: "Several have commas between them. Such scripts send a key or a session token; cookies of the dashboard " +
			"are never taken from them"},
	{Name: "METRICS_ADDR", field: func(c *Config) any { return &c.HTTP.MetricsAddr }, Unset: "none: `/metrics` on `MILAAN_ADDR`",
		Meaning: "host:port for `/metrics`, `/healthz` and `/readyz`, in plain HTTP",
		More:    "It is a listener of its own"},
	{Name: "MAX_CONNECTIONS", field: func(c *Config) any { return &c.HTTP.MaxConnections }, Default: "4096",
		check:   within(1, maxConnections, fmt.Sprint("from 1 to ", maxConnections)),
		Meaning: "open connections; at the limit an unused one is closed, else the new one"},
	{Name: "MAX_CONNECTIONS_PER_PEER", field: func(c *Config) any { return &c.HTTP.MaxPerPeer }, Default: "512",
		check:   within(1, maxConnections, fmt.Sprint("from 1 to ", maxConnections)),
		Meaning: "of these, how many one address (IPv6: a /64) may have; trusted proxies: no limit",
		More:    "The start warns if one address can take all connections"},
	{Name: "BODY_MEMORY", field: func(c *Config) any { return &c.HTTP.BodyMemory }, Default: "256MiB",
		check:   within(minBodyMemory, math.MaxInt64, "at least 48MiB, or the largest request cannot be read"),
		Meaning: "memory for request bodies and for processing them; above it a request waits",
		More:    "One account gets about a third of it. It is at least `48MiB`"},
	{Name: "UPLOAD_MEMORY", field: func(c *Config) any { return &c.HTTP.UploadMemory }, Default: "256MiB",
		check:   within(minUploadMemory, math.MaxInt64, "at least 80MiB, or the largest upload cannot be read"),
		Meaning: "the same for uploads of the dashboard beyond 25 MB",
		More:    "They have up to 64 MB, and take nothing from `MILAAN_BODY_MEMORY`. It is at least `80MiB`"},
	{Name: "BODY_WAIT", field: func(c *Config) any { return &c.HTTP.BodyWait }, Default: "10s",
		check:   within[time.Duration](1, math.MaxInt64, "longer than 0s, such as 10s"),
		Meaning: "how long a request waits for memory before it gets a 503"},
	{Name: "DRAIN_DELAY", field: func(c *Config) any { return &c.HTTP.DrainDelay }, Default: "0s",
		check:   within(0, maxDrain, "from 0s to 1h, such as 10s"),
		Meaning: "how long a stopping service still accepts connections, with `/readyz` at 503",
		More:    "Set the time that your load balancer needs to notice, at most `1h`"},
	{Name: "DRAIN_TIMEOUT", field: func(c *Config) any { return &c.HTTP.DrainTimeout }, Default: "30s",
		check:   within(1, maxDrain, "longer than 0s and at most 1h, such as 30s"),
		Meaning: "how long requests and jobs then have to end; then they are cut off or given back",
		More:    "It is at most `1h`"},

	// Where accounts, keys and the audit records of runs are kept, and how long.
	{Name: "DATA_DIR", field: func(c *Config) any { return &c.Storage.DataDir }, Default: "./milaan-data",
		Meaning: "directory of the embedded database and the generated secret"},
	{Name: "DATABASE_URL", field: func(c *Config) any { return &c.Storage.DatabaseURL }, Unset: "the embedded database",
		check:   func(value any) error { return value.(*DatabaseURL).check() },
		Meaning: "`postgres://user:password@host:5432/database` for PostgreSQL"},
	{Name: "RUN_RETENTION", field: func(c *Config) any { return &c.Storage.RunRetention }, Default: "17544h",
		check:   within(minRunRetention, math.MaxInt64, "at least 1488h, which is 62 days: runs are counted until a billing cycle is over"),
		Meaning: "how long the counts and sums of runs are kept, at least `1488h`, which is 62 days",
		More:    "The history and the monthly cap need them. The default is two years; then they are deleted"},

	{Name: "SECRET_KEY", field: func(c *Config) any { return &c.Secrets.Keys }, Unset: "generated in the data directory",
		Meaning: "32 bytes in hex or base64: keep a copy; several, with commas: the first one seals",
		More:    "It signs session tokens, and seals webhooks, batches and connections. See [Changing the secret](secret.md)"},

	// Who signs session tokens and identifies people.
	{Name: "OIDC_ISSUER", field: func(c *Config) any { return &c.Identity.OIDCIssuer }, Unset: "the built-in issuer",
		Meaning: "`https://` address of the OpenID Connect provider that signs session tokens"},
	{Name: "OIDC_AUDIENCE", field: func(c *Config) any { return &c.Identity.OIDCAudience }, Unset: "none",
		Meaning: "the `aud` that the provider's tokens for this service carry"},
	{Name: "OIDC_CLIENT_ID", field: func(c *Config) any { return &c.Identity.OIDCClientID }, Unset: "nobody signs in there",
		Meaning: "the service as a client of the provider, at which people then sign in",
		More:    "See [signing in](dashboard.md#signing-in)"},
	{Name: "OIDC_CLIENT_SECRET", field: func(c *Config) any { return &c.Identity.OIDCClientSecret }, Unset: "none: a public client",
		Meaning: "the client's secret at the provider"},
	{Name: "SIGN_UP", field: func(c *Config) any { return &c.Identity.SignUp }, Default: "off",
		Meaning: "`on`: whoever signs in there and has no account makes one",
		More:    "It takes a verified e-mail address, and is for whoever [works for no account](accounts.md#people)"},

	{Name: "SANDBOX", field: func(c *Config) any { return &c.Sandbox.On }, Default: "on",
		Meaning: "`on` or `off`: `off` refuses sandbox keys, with which accounts try the API",
		More:    "See [The sandbox](sandbox.md)"},

	{Name: "WEBHOOK_ALLOW_LOOPBACK", field: func(c *Config) any { return &c.Webhook.AllowLoopback }, Default: "false",
		Meaning: "for development: `true` also allows endpoints on this machine, by https or plain http"},

	// How long and how much is kept of batches.
	{Name: "BATCH_RETENTION", field: func(c *Config) any { return &c.Batch.Retention }, Default: "24h",
		check:   within(minRetention, maxRetention, "from 1m to 720h, which is 30 days"),
		Meaning: "how long the results of a complete batch are kept, from `1m` to `720h`"},
	{Name: "BATCH_QUOTA", field: func(c *Config) any { return &c.Batch.Quota }, Default: "20GiB",
		check:   within(minQuota, math.MaxInt64, "at least 32MiB, or the largest batch cannot be taken, or 0 for no limit", 0),
		Meaning: "files and results that all batches together may keep; `0`: no limit",
		More:    "They are on the database's disk. Above the limit a new batch gets a 503"},

	// How the shops and the report sources of accounts are reached.
	{Name: "PASSES", field: func(c *Config) any { return &c.Autopilot.Passes }, Default: "32",
		check:   within(1, maxPasses, fmt.Sprint("from 1 to ", maxPasses)),
		Meaning: "passes of the autopilot that this instance makes at once",
		More:    "From 1 to 1000. See [The autopilot](autopilot.md)"},
	{Name: "CONNECTION_ALLOW_LOOPBACK", field: func(c *Config) any { return &c.Autopilot.ConnectionLoopback }, Default: "false",
		Meaning: "for development: `true` also allows shops and report sources on this machine",
		More:    "They need no TLS"},
	{Name: "CONNECTION_FOLDER", field: func(c *Config) any { return &c.Autopilot.ConnectionFolder }, Unset: "none: accounts have no folders",
		check: func(value any) error {
			if f := *value.(*string); f != "" && !filepath.IsAbs(f) {
				return errors.New("must be the whole path of a folder, beginning with /")
			}
			return nil
		},
		Meaning: "folder in which each account's reports lie in a folder with its id",
		More:    "Write its whole path. It is for report sources of the kind `folder`"},

	// How accounts are written to. Without a server nothing is sent.
	{Name: "SMTP_URL", field: func(c *Config) any { return &c.Mail.SMTPURL }, Unset: "none: no mail is sent",
		Meaning: "`smtps://user:password@host:465`, or `smtp://` with STARTTLS: sends digests and alerts",
		More:    "It sends invitations too. With STARTTLS the port is 587"},
	{Name: "MAIL_FROM", field: func(c *Config) any { return &c.Mail.MailFrom }, Unset: "none",
		Meaning: "sender of the mails, such as `Milaan <milaan@example.com>`"},

	// How subscriptions are sold, at Razorpay. Without these nothing is sold.
	{Name: "RAZORPAY_KEY_ID", field: func(c *Config) any { return &c.Billing.RazorpayKeyID }, Unset: "none: no subscriptions are sold",
		Meaning: "key of the Razorpay account at which subscriptions are paid for",
		More:    "[Subscriptions](accounts.md#subscriptions-by-razorpay) are made, fetched and cancelled with it"},
	{Name: "RAZORPAY_KEY_SECRET", field: func(c *Config) any { return &c.Billing.RazorpayKeySecret }, Unset: "none",
		Meaning: "the key's secret"},
	{Name: "RAZORPAY_WEBHOOK_SECRETS", field: func(c *Config) any { return &c.Billing.RazorpayWebhookSecrets }, Unset: "none",
		Meaning: "secret of Razorpay's webhook to `/hooks/razorpay`; the former one after a comma"},
	{Name: "RAZORPAY_PLANS", field: func(c *Config) any { return &c.Billing.RazorpayPlans }, Unset: "none",
		Meaning: "what Razorpay's plans are here: `plan_x=pro,plan_y=solo`"},
	{Name: "RAZORPAY_URL", field: func(c *Config) any { return &c.Billing.RazorpayURL }, Unset: "Razorpay's own",
		Meaning: "for development: address on this machine of a server that stands for Razorpay"},

	// How codes are sent by which accounts verify their phone numbers.
	{Name: "OTP", field: func(c *Config) any { return &c.OTP.Way }, Default: "off",
		Meaning: "how phone codes are sent: `off`, `msg91`, or `log` (to the log, on this machine alone)",
		More: "Accounts [verify their phone number](accounts.md#phone-numbers) by them. " +
			"`log` is for development, and is refused unless only this machine can reach the service"},
	{Name: "OTP_PER_HOUR", field: func(c *Config) any { return &c.OTP.PerHour }, Default: "200",
		check:   within(1, maxCodesPerHour, fmt.Sprint("from 1 to ", maxCodesPerHour)),
		Meaning: "phone codes in any 60 minutes, of all accounts together",
		More:    "From 1 to 2000: it bounds what somebody with many accounts can spend"},
	{Name: "MSG91_AUTH_KEY", field: func(c *Config) any { return &c.OTP.MSG91AuthKey }, Unset: "none",
		Meaning: "the authkey of the account at MSG91"},
	{Name: "MSG91_TEMPLATE", field: func(c *Config) any { return &c.OTP.MSG91Template }, Unset: "none",
		Meaning: "the id of the OTP template at MSG91, with `##OTP##` in its text"},
	{Name: "MSG91_URL", field: func(c *Config) any { return &c.OTP.MSG91URL }, Unset: "MSG91's own",
		Meaning: "for development: address of a program on this machine in its place",
		More:    "For example `http://127.0.0.1:9191`"},

	{Name: "LOG_LEVEL", field: func(c *Config) any { return &c.Log.Level }, Default: "info",
		Meaning: "`debug`, `info`, `warn` or `error`"},
}

// The limits. minBodyMemory is enough for one request of the contract's 25 MB, for unpacking it
// and for small ones beside it, minUploadMemory for one upload of 64 MiB, and minQuota for one
// batch of 25 MB: with less, such a one could never be taken, or would take more than it may.
const (
	minBodyMemory   Bytes = 48 << 20
	minUploadMemory Bytes = 80 << 20
	minQuota        Bytes = 32 << 20

	maxConnections  = 1 << 20   // more than the file descriptors of any machine
	maxDrain        = time.Hour // longer than anybody waits for each of the two parts of a stop
	maxPasses       = 1000      // more than one instance can make
	maxCodesPerHour = 2000      // more than is needed, and few enough to be counted exactly

	// Results must be kept until a client asks for them again. They must not be kept for
	// long, because the operator can read them.
	minRetention = time.Minute
	maxRetention = 30 * 24 * time.Hour

	// minRunRetention is longer than two billing cycles, so that the runs of an account are
	// counted towards its cap until its cycle is over.
	minRunRetention = 62 * 24 * time.Hour
)

// within checks that a number has one of the values that the text names.
func within[T int | Bytes | time.Duration](least, most T, text string, except ...T) func(any) error {
	return func(value any) error {
		n := *value.(*T)
		if least <= n && n <= most || len(except) > 0 && n == except[0] {
			return nil
		}
		unit := ""
		if _, is := any(n).(Bytes); is {
			unit = " bytes"
		}
		return fmt.Errorf("is %v%s and must be %s", n, unit, text)
	}
}

func (s Setting) set(c *Config, text string) error {
	var err error
	want := ""
	switch field := s.field(c).(type) {
	case *string:
		*field = text
	case *Secret:
		*field = Secret(text)
	case *DatabaseURL:
		*field = DatabaseURL(text)
	case *OTPWay:
		*field = OTPWay(text)
	case *bool:
		*field, err = strconv.ParseBool(text)
		want = "is neither true nor false"
	case *int:
		var n int64
		n, err = strconv.ParseInt(text, 10, 32)
		*field = int(n)
		want = "is no whole number: write digits alone, such as 100"
		if errors.Is(err, strconv.ErrRange) {
			want = "is too large: write a smaller number"
		}
	case *time.Duration:
		*field, err = time.ParseDuration(text)
		want = "is no length of time: write a number with a unit, such as 30s, 2m or 48h"
	case *slog.Level:
		err = field.UnmarshalText([]byte(text))
		want = "is no level: write debug, info, warn or error"
	case encoding.TextUnmarshaler:
		err = field.UnmarshalText([]byte(text))
	}
	if err != nil && want != "" {
		return fmt.Errorf("%q %s", text, want)
	}
	return err
}
