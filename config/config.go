package config

import (
	"log/slog"
	"time"
)

// Prefix begins the name of every variable.
const Prefix = "MILAAN_"

// Config is every setting, by section. The tags are the variables' names
// without the prefix.
type Config struct {
	HTTP     HTTP
	Storage  Storage
	Secrets  Secrets
	Identity Identity
	Log      Log
	// Warnings are sentences for the log about variables that begin with the
	// prefix and mean nothing.
	Warnings []string `env:"-"`
}

// HTTP is how the service is reached and how much it takes on at once.
type HTTP struct {
	Addr           string        `env:"ADDR"`            // host:port to listen on
	TLSCert        string        `env:"TLS_CERT"`        // path of a PEM certificate chain; blank: no TLS
	TLSKey         string        `env:"TLS_KEY"`         // path of its PEM key
	TrustedProxies Networks      `env:"TRUSTED_PROXIES"` // whose forwarded headers count
	MetricsAddr    string        `env:"METRICS_ADDR"`    // host:port of /metrics alone; blank: on Addr
	BodyMemory     Bytes         `env:"BODY_MEMORY"`     // all request bodies in flight together
	BodyWait       time.Duration `env:"BODY_WAIT"`       // how long a request waits for room
	DrainTimeout   time.Duration `env:"DRAIN_TIMEOUT"`   // how long a stop waits for requests in flight
}

// TLS says that the service itself serves HTTPS.
func (h HTTP) TLS() bool { return h.TLSCert != "" }

// Storage is where accounts, keys and the audit history are kept.
type Storage struct {
	DataDir     string      `env:"DATA_DIR"`     // embedded database and generated keys
	DatabaseURL DatabaseURL `env:"DATABASE_URL"` // blank: SQLite in DataDir
}

// Secrets is what the service's own secrets are derived from.
type Secrets struct {
	Key     SecretKey `env:"SECRET_KEY"` // blank: generated in DataDir
	DataDir string    `env:"-"`          // the storage's
}

// Identity is who signs session tokens. A blank issuer is the built-in one.
type Identity struct {
	OIDCIssuer   string `env:"OIDC_ISSUER"`   // URL of an OpenID Connect provider
	OIDCAudience string `env:"OIDC_AUDIENCE"` // the aud that its tokens for us carry
}

// Log is what is written to the log.
type Log struct {
	Level slog.Level `env:"LOG_LEVEL"` // debug, info, warn or error
}

// Defaults are the settings that hold when nothing is set: an embedded
// database, reached from this machine only.
func Defaults() Config {
	return Config{
		HTTP: HTTP{
			Addr:         "127.0.0.1:8080",
			BodyMemory:   256 << 20,
			BodyWait:     10 * time.Second,
			DrainTimeout: 30 * time.Second,
		},
		Storage: Storage{DataDir: "./milaan-data"},
		Log:     Log{Level: slog.LevelInfo},
	}
}
