package config

import (
	"log/slog"
	"net"
	"strings"
	"time"
)

// Config has every setting, by section. What a field means and by which variable it is set is in
// the list of settings.
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
	Telemetry Telemetry // by variables with a prefix of their own
	// Warnings are sentences for the log, about unknown variables that begin with the
	// prefix, settings for development, and settings that weaken a limit.
	Warnings []string
}

// HTTP is how the service is reached, and how much it processes at once.
type HTTP struct {
	Addr, PublicURL                    string
	TLSCert, TLSKey                    string
	TrustedProxies                     Networks
	Origins                            Origins
	MetricsAddr                        string
	MaxConnections, MaxPerPeer         int
	BodyMemory, UploadMemory           Bytes
	BodyWait, DrainDelay, DrainTimeout time.Duration
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
	DataDir      string
	DatabaseURL  DatabaseURL
	RunRetention time.Duration
	// Rebuild allows an embedded database of an earlier version to be rebuilt.
	Rebuild bool
}

// Secrets are the service's secrets.
type Secrets struct {
	Keys    SecretKeys
	DataDir string // Storage.DataDir, where a secret is generated if Keys has none
	// Lost says that the operator gives up everything that is sealed with a secret which
	// is not in Keys. It cannot be recovered.
	Lost bool
}

// Identity says who signs session tokens and identifies people. If the issuer is blank, the
// service does.
type Identity struct {
	OIDCIssuer, OIDCAudience, OIDCClientID string
	OIDCClientSecret                       Secret
	SignUp                                 Switch
}

// Sandbox is whether accounts may try the API with a sandbox key.
type Sandbox struct{ On Switch }

// Webhook is how the endpoints of customers are called.
type Webhook struct{ AllowLoopback bool }

// Batch is how long and how much is kept of batches.
type Batch struct {
	Retention time.Duration
	Quota     Bytes
}

// Autopilot is how the shops and the report sources of accounts are reached, and how many
// passes an instance makes at once.
type Autopilot struct {
	Passes             int
	ConnectionLoopback bool
	ConnectionFolder   string
}

// Mail is how accounts are written to. Without a server nothing is sent.
type Mail struct {
	SMTPURL  Secret
	MailFrom string
}

// Billing is how subscriptions are sold, at Razorpay. Without its settings nothing is sold.
type Billing struct {
	RazorpayKeyID          string
	RazorpayKeySecret      Secret
	RazorpayWebhookSecrets SecretList
	RazorpayPlans          BillingPlans
	RazorpayURL            string
}

// OTP is how codes are sent by which accounts verify their phone numbers.
type OTP struct {
	Way           OTPWay
	PerHour       int
	MSG91AuthKey  Secret
	MSG91Template string
	MSG91URL      string
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
type Log struct{ Level slog.Level }

// Defaults are the settings that hold if no variable is set: an embedded database,
// and an address that only this machine can reach.
func Defaults() (c Config) {
	for _, s := range settings {
		if s.Default == "" {
			continue
		}
		if err := s.set(&c, s.Default); err != nil {
			panic(err) // a default is a constant of the list
		}
	}
	return c
}
