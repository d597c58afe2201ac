package config

import (
	"log/slog"
	"net"
	"strings"
	"time"
)

// Prefix begins the name of every variable.
const Prefix = "MILAAN_"

// Config has every setting, by section. A field's env tag is the name of its variable
// without the prefix. The tag default is its value if the variable is not set; for a
// field that then stays blank, the tag unset says what happens. Describe shows both, and
// the tag meaning.
type Config struct {
	HTTP      HTTP
	Storage   Storage
	Secrets   Secrets
	Identity  Identity
	Sandbox   Sandbox
	Webhook   Webhook
	Batch     Batch
	Autopilot Autopilot
	Mail      Mail
	Billing   Billing
	OTP       OTP
	Log       Log
	// Warnings are sentences for the log, about unknown variables that begin with the
	// prefix, settings for development, and settings that weaken a limit.
	Warnings []string `env:"-"`
}

// HTTP is how the service is reached, and how much it processes at once.
type HTTP struct {
	Addr           string        `env:"ADDR" default:"127.0.0.1:8080" meaning:"host:port to listen on"`
	PublicURL      string        `env:"PUBLIC_URL" unset:"MILAAN_ADDR, on this machine" meaning:"https:// address by which people reach the service, for links and OpenID Connect"`
	TLSCert        string        `env:"TLS_CERT" unset:"none" meaning:"path of a PEM certificate chain: serve HTTPS, with HTTP/2"`
	TLSKey         string        `env:"TLS_KEY" unset:"none" meaning:"path of the certificate's key, PEM"`
	TrustedProxies Networks      `env:"TRUSTED_PROXIES" unset:"none" meaning:"CIDRs of proxies that terminate HTTPS; their forwarded headers are trusted"`
	MetricsAddr    string        `env:"METRICS_ADDR" unset:"none: /metrics on MILAAN_ADDR" meaning:"host:port for /metrics, /healthz and /readyz, in plain HTTP"`
	MaxConnections int           `env:"MAX_CONNECTIONS" default:"4096" meaning:"open connections; at the limit an unused one is closed, else the new one"`
	MaxPerPeer     int           `env:"MAX_CONNECTIONS_PER_PEER" default:"512" meaning:"of these, how many one address (IPv6: a /64) may have; trusted proxies: no limit"`
	BodyMemory     Bytes         `env:"BODY_MEMORY" default:"256MiB" meaning:"memory for request bodies and for processing them; above it a request waits"`
	UploadMemory   Bytes         `env:"UPLOAD_MEMORY" default:"256MiB" meaning:"the same for uploads of the dashboard beyond 25 MB"`
	BodyWait       time.Duration `env:"BODY_WAIT" default:"10s" meaning:"how long a request waits for memory before it gets a 503"`
	DrainDelay     time.Duration `env:"DRAIN_DELAY" default:"0s" meaning:"how long a stopping service still accepts connections, with /readyz at 503"`
	DrainTimeout   time.Duration `env:"DRAIN_TIMEOUT" default:"30s" meaning:"how long requests and jobs then have to end; then they are cut off or given back"`
}

// BaseURL is the address by which people reach the service, without a path. It is blank if
// it is not set and other machines can reach MILAAN_ADDR, or the port is not known yet.
func (h HTTP) BaseURL() string {
	host, port, err := net.SplitHostPort(h.Addr)
	switch {
	case h.PublicURL != "":
		return strings.TrimSuffix(h.PublicURL, "/")
	case err != nil || !isLoopback(host) || port == "0":
		return ""
	case h.TLS():
		return "https://" + h.Addr
	}
	return "http://" + h.Addr
}

// TLS says whether the service itself serves HTTPS.
func (h HTTP) TLS() bool { return h.TLSCert != "" }

// Storage is where accounts, keys and the audit records of runs are kept.
type Storage struct {
	DataDir      string        `env:"DATA_DIR" default:"./milaan-data" meaning:"directory of the embedded database and the generated secret"`
	DatabaseURL  DatabaseURL   `env:"DATABASE_URL" unset:"the embedded database" meaning:"postgres://user:password@host:5432/database for PostgreSQL"`
	RunRetention time.Duration `env:"RUN_RETENTION" default:"17544h" meaning:"how long the counts and sums of runs are kept, at least 1488h, which is 62 days"`
	// Rebuild allows an embedded database of an earlier version to be rebuilt.
	Rebuild bool `env:"-"`
}

// Secrets are the service's secrets.
type Secrets struct {
	Keys    SecretKeys `env:"SECRET_KEY" unset:"generated in the data directory" meaning:"32 bytes in hex or base64: keep a copy; several, with commas: the first one seals"`
	DataDir string     `env:"-"` // Storage.DataDir, where a secret is generated if Keys has none
	// Lost says that the operator gives up everything that is sealed with a secret which
	// is not in Keys. It cannot be recovered.
	Lost bool `env:"-"`
}

// Identity says who signs session tokens and identifies people. If the issuer is blank, the
// service does.
type Identity struct {
	OIDCIssuer       string `env:"OIDC_ISSUER" unset:"the built-in issuer" meaning:"https:// address of the OpenID Connect provider that signs session tokens"`
	OIDCAudience     string `env:"OIDC_AUDIENCE" unset:"none" meaning:"the aud that the provider's tokens for this service carry"`
	OIDCClientID     string `env:"OIDC_CLIENT_ID" unset:"nobody signs in there" meaning:"the service as a client of the provider, at which people then sign in"`
	OIDCClientSecret Secret `env:"OIDC_CLIENT_SECRET" unset:"none: a public client" meaning:"the client's secret at the provider"`
	SignUp           Switch `env:"SIGN_UP" default:"off" meaning:"on: whoever signs in there and has no account makes one"`
}

// Sandbox is whether accounts may try the API with a sandbox key.
type Sandbox struct {
	On Switch `env:"SANDBOX" default:"on" meaning:"on or off: off refuses sandbox keys, with which accounts try the API"`
}

// Webhook is how the endpoints of customers are called.
type Webhook struct {
	AllowLoopback bool `env:"WEBHOOK_ALLOW_LOOPBACK" default:"false" meaning:"for development: true also allows endpoints on this machine, by https or plain http"`
}

// Batch is how long and how much is kept of batches.
type Batch struct {
	Retention time.Duration `env:"BATCH_RETENTION" default:"24h" meaning:"how long the results of a complete batch are kept, from 1m to 720h"`
	Quota     Bytes         `env:"BATCH_QUOTA" default:"20GiB" meaning:"files and results that all batches together may keep; 0: no limit"`
}

// Autopilot is how the shops and the report sources of accounts are reached, and how many
// passes an instance makes at once.
type Autopilot struct {
	Passes             int    `env:"PASSES" default:"32" meaning:"passes of the autopilot that this instance makes at once"`
	ConnectionLoopback bool   `env:"CONNECTION_ALLOW_LOOPBACK" default:"false" meaning:"for development: true also allows shops and report sources on this machine"`
	ConnectionFolder   string `env:"CONNECTION_FOLDER" unset:"none: accounts have no folders" meaning:"folder in which each account's reports lie in a folder with its id"`
}

// Mail is how accounts are written to. Without a server nothing is sent.
type Mail struct {
	SMTPURL  Secret `env:"SMTP_URL" unset:"none: no mail is sent" meaning:"smtps://user:password@host:465, or smtp:// with STARTTLS: sends digests and alerts"`
	MailFrom string `env:"MAIL_FROM" unset:"none" meaning:"sender of the mails, such as Milaan <milaan@example.com>"`
}

// Billing is how subscriptions are sold, at Razorpay. Without its settings nothing is sold.
type Billing struct {
	RazorpayKeyID          string       `env:"RAZORPAY_KEY_ID" unset:"none: no subscriptions are sold" meaning:"key of the Razorpay account at which subscriptions are paid for"`
	RazorpayKeySecret      Secret       `env:"RAZORPAY_KEY_SECRET" unset:"none" meaning:"the key's secret"`
	RazorpayWebhookSecrets SecretList   `env:"RAZORPAY_WEBHOOK_SECRETS" unset:"none" meaning:"secret of Razorpay's webhook to /hooks/razorpay; the former one after a comma"`
	RazorpayPlans          BillingPlans `env:"RAZORPAY_PLANS" unset:"none" meaning:"what Razorpay's plans are here: plan_x=pro,plan_y=solo"`
	RazorpayURL            string       `env:"RAZORPAY_URL" unset:"Razorpay's own" meaning:"for development: address on this machine of a server that stands for Razorpay"`
}

// OTP is how codes are sent by which accounts verify their phone numbers.
type OTP struct {
	Way           OTPWay `env:"OTP" default:"off" meaning:"how phone codes are sent: off, msg91, or log (to the log, on this machine alone)"`
	PerHour       int    `env:"OTP_PER_HOUR" default:"200" meaning:"phone codes in any 60 minutes, of all accounts together"`
	MSG91AuthKey  Secret `env:"MSG91_AUTH_KEY" unset:"none" meaning:"the authkey of the account at MSG91"`
	MSG91Template string `env:"MSG91_TEMPLATE" unset:"none" meaning:"the id of the OTP template at MSG91, with ##OTP## in its text"`
	MSG91URL      string `env:"MSG91_URL" unset:"MSG91's own" meaning:"for development: address of a program on this machine in its place"`
}

// OTPWay is how codes are sent.
type OTPWay string

// The ways.
const (
	OTPOff   OTPWay = "off"
	OTPLog   OTPWay = "log"
	OTPMSG91 OTPWay = "msg91"
)

// Log is which lines are written to the log.
type Log struct {
	Level slog.Level `env:"LOG_LEVEL" default:"info" meaning:"debug, info, warn or error"`
}

// Defaults are the settings that hold if no variable is set: an embedded database,
// and an address that only this machine can reach.
func Defaults() (c Config) {
	if err := parse(&c, map[string]string{}); err != nil {
		panic(err) // a default is a constant of this file
	}
	return c
}
