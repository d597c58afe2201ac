package config

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"milaan/tests/only"
)

const (
	goodKey  = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f"
	otherKey = "101112131415161718191a1b1c1d1e1f202122232425262728292a2b2c2d2e2f"
)

func TestNothingSetGivesTheDefaults(t *testing.T) {
	c := only.Value(Load([]string{"HOME=/root", "MILAAN_ADDR="}))(t)
	want := Defaults()
	want.Secrets.DataDir = want.Storage.DataDir
	require.Equal(t, want, c)
	require.Equal(t, "127.0.0.1:8080", c.HTTP.Addr)
	require.False(t, c.HTTP.TLS())
}

func TestEverySettingIsRead(t *testing.T) {
	given := map[string]string{
		"MILAAN_ADDR":                      "0.0.0.0:8443",
		"MILAAN_TLS_CERT":                  "/tls/cert.pem",
		"MILAAN_TLS_KEY":                   "/tls/key.pem",
		"MILAAN_TRUSTED_PROXIES":           "10.0.0.0/8, 192.168.1.7",
		"MILAAN_CORS_ORIGINS":              "https://Tools.shop.example:443/, http://localhost:5173, http://localhost:80, http://localhost:443",
		"MILAAN_METRICS_ADDR":              "127.0.0.1:9100",
		"MILAAN_MAX_CONNECTIONS":           "100",
		"MILAAN_MAX_CONNECTIONS_PER_PEER":  "10",
		"MILAAN_BODY_MEMORY":               "1GiB",
		"MILAAN_UPLOAD_MEMORY":             "2GiB",
		"MILAAN_BODY_WAIT":                 "3s",
		"MILAAN_DRAIN_DELAY":               "7s",
		"MILAAN_DRAIN_TIMEOUT":             "1m",
		"MILAAN_DATA_DIR":                  "/var/lib/milaan",
		"MILAAN_RUN_RETENTION":             "2000h",
		"MILAAN_DATABASE_URL":              "postgres://milaan:p%40ss@db:5432/milaan",
		"MILAAN_SECRET_KEY":                goodKey,
		"MILAAN_OIDC_ISSUER":               "https://login.shop.example",
		"MILAAN_OIDC_AUDIENCE":             "milaan",
		"MILAAN_OIDC_CLIENT_ID":            "milaan-pages",
		"MILAAN_OIDC_CLIENT_SECRET":        "hush",
		"MILAAN_PUBLIC_URL":                "https://milaan.shop.example",
		"MILAAN_SANDBOX":                   "off",
		"MILAAN_SIGN_UP":                   "on",
		"MILAAN_WEBHOOK_ALLOW_LOOPBACK":    "true",
		"MILAAN_CONNECTION_ALLOW_LOOPBACK": "true",
		"MILAAN_CONNECTION_FOLDER":         "/srv/reports",
		"MILAAN_PASSES":                    "7",
		"MILAAN_SMTP_URL":                  "smtps://milaan:hush@mail.example.com:465",
		"MILAAN_MAIL_FROM":                 "Milaan <milaan@example.com>",
		"MILAAN_RAZORPAY_KEY_ID":           "rzp_live_1",
		"MILAAN_RAZORPAY_KEY_SECRET":       "hush",
		"MILAAN_RAZORPAY_WEBHOOK_SECRETS":  "hush one, hush two",
		"MILAAN_RAZORPAY_PLANS":            "plan_A1=pro, plan_B2=Solo",
		"MILAAN_RAZORPAY_URL":              "http://127.0.0.1:9000",
		"MILAAN_OTP":                       "msg91",
		"MILAAN_OTP_PER_HOUR":              "50",
		"MILAAN_MSG91_AUTH_KEY":            "hush91",
		"MILAAN_MSG91_TEMPLATE":            "661ddf18",
		"MILAAN_MSG91_URL":                 "http://127.0.0.1:9191",
		"MILAAN_BATCH_RETENTION":           "90m",
		"MILAAN_BATCH_QUOTA":               "64MiB",
		"MILAAN_LOG_LEVEL":                 "debug",
	}
	for _, s := range Settings() {
		require.Contains(t, given, s.Variable(), "the test sets every variable")
	}
	var environ []string
	for name, value := range given {
		environ = append(environ, name+"="+value)
	}
	c := only.Value(Load(environ))(t)
	key := make([]byte, 32)
	for i := range key {
		key[i] = byte(i)
	}
	require.Len(t, c.Warnings, 4)
	require.Contains(t, c.Warnings[0], "MILAAN_WEBHOOK_ALLOW_LOOPBACK is for development")
	require.Contains(t, c.Warnings[1], "MILAAN_CONNECTION_ALLOW_LOOPBACK is for development")
	require.Contains(t, c.Warnings[2], "MILAAN_MSG91_URL is for development")
	require.Contains(t, c.Warnings[3], "MILAAN_CONNECTION_FOLDER is /srv/reports, which is no folder")
	c.Warnings = nil
	require.Equal(t, Config{
		HTTP: HTTP{
			Addr: "0.0.0.0:8443", PublicURL: "https://milaan.shop.example", TLSCert: "/tls/cert.pem", TLSKey: "/tls/key.pem",
			TrustedProxies: Networks{netip.MustParsePrefix("10.0.0.0/8"), netip.MustParsePrefix("192.168.1.7/32")},
			Origins:        Origins{"https://tools.shop.example", "http://localhost:5173", "http://localhost", "http://localhost:443"}, MetricsAddr: "127.0.0.1:9100", MaxConnections: 100, MaxPerPeer: 10, BodyMemory: 1 << 30, UploadMemory: 2 << 30, BodyWait: 3 * time.Second, DrainDelay: 7 * time.Second, DrainTimeout: time.Minute,
		},
		Storage:   Storage{DataDir: "/var/lib/milaan", DatabaseURL: "postgres://milaan:p%40ss@db:5432/milaan", RunRetention: 2000 * time.Hour},
		Secrets:   Secrets{Keys: SecretKeys{key}, DataDir: "/var/lib/milaan"},
		Identity:  Identity{OIDCIssuer: "https://login.shop.example", OIDCAudience: "milaan", OIDCClientID: "milaan-pages", OIDCClientSecret: "hush", SignUp: true},
		Webhook:   Webhook{AllowLoopback: true},
		Batch:     Batch{Retention: 90 * time.Minute, Quota: 64 << 20},
		Autopilot: Autopilot{Passes: 7, ConnectionLoopback: true, ConnectionFolder: "/srv/reports"},
		Mail:      Mail{SMTPURL: "smtps://milaan:hush@mail.example.com:465", MailFrom: "Milaan <milaan@example.com>"},
		Billing: Billing{RazorpayKeyID: "rzp_live_1", RazorpayKeySecret: "hush", RazorpayWebhookSecrets: SecretList{"hush one", "hush two"},
			RazorpayPlans: BillingPlans{{"plan_A1", "pro"}, {"plan_B2", "solo"}}, RazorpayURL: "http://127.0.0.1:9000"},
		OTP: OTP{Way: OTPMSG91, PerHour: 50, MSG91AuthKey: "hush91", MSG91Template: "661ddf18", MSG91URL: "http://127.0.0.1:9191"},
		Log: Log{Level: slog.LevelDebug},
	}, c)
}

func TestCodesMayGoToTheLogOfThisMachine(t *testing.T) {
	for _, here := range [][]string{nil, {"MILAAN_ADDR=[::1]:80"}, {"MILAAN_ADDR=localhost:80"}, {"MILAAN_PUBLIC_URL=http://localhost:8080"}} {
		c := only.Value(Load(append(here, "MILAAN_OTP=log")))(t)
		require.Len(t, c.Warnings, 1)
		require.Contains(t, c.Warnings[0], "MILAAN_OTP is log, which is for development")
	}
}

func TestValuesFromFiles(t *testing.T) {
	file := filepath.Join(t.TempDir(), "url")
	require.NoError(t, os.WriteFile(file, []byte("postgres://db/milaan\r\n"), 0o600))

	c := only.Value(Load([]string{"MILAAN_DATABASE_URL_FILE=" + file, "MILAAN_TLS_CERT_FILE=/tls/cert.pem", "MILAAN_TLS_KEY=/tls/key.pem"}))(t)
	require.Equal(t, DatabaseURL("postgres://db/milaan"), c.Storage.DatabaseURL)
	require.Equal(t, "/tls/cert.pem", c.HTTP.TLSCert, "a setting that is a path is not read as a file of paths")
	require.Empty(t, c.Warnings)

	_, err := Load([]string{"MILAAN_DATABASE_URL_FILE=" + file, "MILAAN_DATABASE_URL=postgres://db/milaan"})
	require.EqualError(t, err, "MILAAN_DATABASE_URL and MILAAN_DATABASE_URL_FILE are both set: keep one")

	require.ErrorContains(t, only.Err(Load([]string{"MILAAN_DATABASE_URL_FILE=" + file + ".away"})), "MILAAN_DATABASE_URL_FILE: open ")

	require.NoError(t, os.WriteFile(file, []byte("\ufeff \n"), 0o600))
	require.EqualError(t, only.Err(Load([]string{"MILAAN_SECRET_KEY_FILE=" + file})), "MILAAN_SECRET_KEY_FILE: "+file+" is empty: write the "+
		"value into it, or leave the variable out")
	require.NoError(t, os.WriteFile(file, []byte("\ufeffpostgres://db/milaan\r\n"), 0o600))
	require.Equal(t, DatabaseURL("postgres://db/milaan"), only.Value(Load([]string{"MILAAN_DATABASE_URL_FILE=" + file}))(t).Storage.DatabaseURL)
}

// If a setting came from a file, the error names the variable of the file.
func TestAFaultNamesTheVariableThatWasSet(t *testing.T) {
	for name, c := range map[string]struct{ content, want string }{
		"DATABASE_URL": {"mysql://u:hush@db/x", "MILAAN_DATABASE_URL_FILE is no PostgreSQL address"},
		"ADDR":         {"x", `MILAAN_ADDR_FILE is "x" and must be host:port`},
		"BODY_WAIT":    {"10", `MILAAN_BODY_WAIT_FILE: "10" is no length of time`},
		"SECRET_KEY":   {"00ff", "MILAAN_SECRET_KEY_FILE: holds 2 bytes"},
	} {
		file := filepath.Join(t.TempDir(), "setting")
		require.NoError(t, os.WriteFile(file, []byte(c.content), 0o600))
		require.ErrorContains(t, only.Err(Load([]string{"MILAAN_" + name + "_FILE=" + file})), c.want)
	}
}

// TestTheDescriptionIsComplete holds that each default is what holds if nothing is set, and that
// each field is set by one variable.
func TestTheDescriptionIsComplete(t *testing.T) {
	var environ []string
	var c Config
	fields := map[any]bool{}
	for _, s := range Settings() {
		unset, meaning := s.Help()
		require.NotEmpty(t, meaning, s.Name)
		require.NotEmpty(t, unset, s.Name)
		require.NotEqual(t, s.Default == "", s.Unset == "", s.Name)
		require.False(t, fields[s.field(&c)], s.Name)
		fields[s.field(&c)] = true
		for _, text := range []string{s.Meaning, s.More} {
			require.False(t, strings.HasSuffix(text, "."), s.Name)
		}
		if s.Default != "" {
			environ = append(environ, s.Variable()+"="+s.Default)
		}
	}
	require.NotEmpty(t, environ, "the defaults that are values")
	set := only.Value(Load(environ))(t)
	require.Equal(t, only.Value(Load(nil))(t), set)
}

func TestRefusedSettingsSayWhatToSet(t *testing.T) {
	for name, c := range map[string]struct {
		environ []string
		want    string
	}{
		"plain HTTP for everyone":     {[]string{"MILAAN_ADDR=:8080"}, "MILAAN_ADDR is :8080, which other machines can reach, and the service speaks HTTPS only: set MILAAN_TLS_CERT and MILAAN_TLS_KEY, or MILAAN_TRUSTED_PROXIES to"},
		"plain HTTP by name":          {[]string{"MILAAN_ADDR=shop.example:80"}, "or listen on 127.0.0.1"},
		"no port":                     {[]string{"MILAAN_ADDR=127.0.0.1"}, `MILAAN_ADDR is "127.0.0.1" and must be host:port, such as 127.0.0.1:8080`},
		"port too high":               {[]string{"MILAAN_ADDR=127.0.0.1:70000"}, "must be host:port"},
		"certificate alone":           {[]string{"MILAAN_TLS_CERT=c.pem"}, "MILAAN_TLS_KEY is not set, but MILAAN_TLS_CERT is: set both"},
		"TLS key alone":               {[]string{"MILAAN_TLS_KEY=k.pem"}, "MILAAN_TLS_CERT is not set, but MILAAN_TLS_KEY is: set both"},
		"every proxy trusted":         {[]string{"MILAAN_TRUSTED_PROXIES=10.0.0.1,0.0.0.0/0"}, `MILAAN_TRUSTED_PROXIES: "0.0.0.0/0" trusts every address`},
		"scripts of everybody":        {[]string{"MILAAN_CORS_ORIGINS=*"}, `MILAAN_CORS_ORIGINS: "*" is no origin`},
		"scripts of all below":        {[]string{"MILAAN_CORS_ORIGINS=https://*.a.example"}, `MILAAN_CORS_ORIGINS: "https://*.a.example" is no origin`},
		"scripts of a path":           {[]string{"MILAAN_CORS_ORIGINS=https://a.example/x"}, `MILAAN_CORS_ORIGINS: "https://a.example/x" is no origin`},
		"scripts over plain HTTP":     {[]string{"MILAAN_CORS_ORIGINS=http://a.example"}, `MILAAN_CORS_ORIGINS: "http://a.example" is no origin`},
		"proxy by name":               {[]string{"MILAAN_TRUSTED_PROXIES=proxy.internal"}, `MILAAN_TRUSTED_PROXIES: "proxy.internal" is no address range`},
		"metrics on the same port":    {[]string{"MILAAN_METRICS_ADDR=127.0.0.1:8080"}, "MILAAN_METRICS_ADDR is the same as MILAAN_ADDR"},
		"metrics without port":        {[]string{"MILAAN_METRICS_ADDR=127.0.0.1"}, "MILAAN_METRICS_ADDR is"},
		"no connections":              {[]string{"MILAAN_MAX_CONNECTIONS=0"}, "MILAAN_MAX_CONNECTIONS is 0 and must be from 1 to 1048576"},
		"none for a peer":             {[]string{"MILAAN_MAX_CONNECTIONS_PER_PEER=-1"}, "MILAAN_MAX_CONNECTIONS_PER_PEER is -1 and must be from 1 to 1048576"},
		"connections in words":        {[]string{"MILAAN_MAX_CONNECTIONS=many"}, `MILAAN_MAX_CONNECTIONS: "many" is no whole number: write digits alone, such as 100`},
		"memory in words":             {[]string{"MILAAN_BODY_MEMORY=lots"}, `MILAAN_BODY_MEMORY: "lots" is no amount: write bytes, or a whole number with a unit such as 256MiB or 20GiB`},
		"memory of uploads too small": {[]string{"MILAAN_UPLOAD_MEMORY=64MiB"}, "MILAAN_UPLOAD_MEMORY is 67108864 bytes and must be at least 80MiB"},
		"memory too small":            {[]string{"MILAAN_BODY_MEMORY=1MiB"}, "MILAAN_BODY_MEMORY is 1048576 bytes and must be at least 48MiB"},
		"wait without unit":           {[]string{"MILAAN_BODY_WAIT=10"}, `MILAAN_BODY_WAIT: "10" is no length of time: write a number with a unit, such as 30s, 2m or 48h`},
		"no wait":                     {[]string{"MILAAN_BODY_WAIT=-1s"}, "MILAAN_BODY_WAIT is -1s and must be longer than 0s"},
		"no drain":                    {[]string{"MILAAN_DRAIN_TIMEOUT=0s"}, "MILAAN_DRAIN_TIMEOUT is 0s and must be longer than 0s and at most 1h"},
		"a delay of less than no":     {[]string{"MILAAN_DRAIN_DELAY=-1s"}, "MILAAN_DRAIN_DELAY is -1s and must be from 0s to 1h"},
		"other database":              {[]string{"MILAAN_DATABASE_URL=mysql://u:hush@db/x"}, "MILAAN_DATABASE_URL is no PostgreSQL address"},
		"password that breaks a URL":  {[]string{"MILAAN_DATABASE_URL=postgres://u:hush%zz@db/x"}, "MILAAN_DATABASE_URL is no PostgreSQL address"},
		"password with a sharp":       {[]string{"MILAAN_DATABASE_URL=postgres://u:12#hush@db/x"}, "MILAAN_DATABASE_URL is no PostgreSQL address"},
		"secret too short":            {[]string{"MILAAN_SECRET_KEY=00ff"}, "MILAAN_SECRET_KEY: holds 2 bytes and must hold at least 32: make one with `openssl rand -hex 32`"},
		"secret of one byte":          {[]string{"MILAAN_SECRET_KEY=" + strings.Repeat("00", 32)}, "MILAAN_SECRET_KEY: can be guessed"},
		"no secret after a comma":     {[]string{"MILAAN_SECRET_KEY=" + goodKey + ","}, "MILAAN_SECRET_KEY: secret 2 of 2 is blank"},
		"no secret before a comma":    {[]string{"MILAAN_SECRET_KEY=," + goodKey}, "MILAAN_SECRET_KEY: secret 1 of 2 is blank: write one secret, or several with a comma between two"},
		"a secret twice":              {[]string{"MILAAN_SECRET_KEY=" + goodKey + ", " + strings.ToUpper(goodKey)}, "MILAAN_SECRET_KEY: secret 2 of 2 is there twice"},
		"a short second secret":       {[]string{"MILAAN_SECRET_KEY=" + goodKey + ",00ff"}, "MILAAN_SECRET_KEY: secret 2 of 2 holds 2 bytes"},
		"secrets without comma":       {[]string{"MILAAN_SECRET_KEY=" + goodKey + "\n" + otherKey}, "MILAAN_SECRET_KEY: looks like several: write a comma between two secrets"},
		"secret as a sentence":        {[]string{"MILAAN_SECRET_KEY=correct horse battery staple"}, "MILAAN_SECRET_KEY: must be hexadecimal or base64"},
		"issuer without audience":     {[]string{"MILAAN_OIDC_ISSUER=https://login.example"}, "MILAAN_OIDC_AUDIENCE is not set, but MILAAN_OIDC_ISSUER is"},
		"audience without issuer":     {[]string{"MILAAN_OIDC_AUDIENCE=milaan"}, "MILAAN_OIDC_ISSUER is not set, but MILAAN_OIDC_AUDIENCE is"},
		"issuer over plain HTTP":      {[]string{"MILAAN_OIDC_ISSUER=http://login.example", "MILAAN_OIDC_AUDIENCE=milaan"}, "MILAAN_OIDC_ISSUER must be the provider's https:// address"},
		"client without issuer":       {[]string{"MILAAN_OIDC_CLIENT_ID=milaan"}, "MILAAN_OIDC_ISSUER is not set, but MILAAN_OIDC_CLIENT_ID is: set both"},
		"signing up nowhere":          {[]string{"MILAAN_SIGN_UP=on"}, "MILAAN_SIGN_UP is on, and people sign up at an OpenID Connect provider: set MILAAN_OIDC_ISSUER and MILAAN_OIDC_CLIENT_ID, or switch it off"},
		"signing up without client":   {[]string{"MILAAN_SIGN_UP=on", "MILAAN_OIDC_ISSUER=https://login.example", "MILAAN_OIDC_AUDIENCE=x"}, "MILAAN_SIGN_UP is on, and people sign up at"},
		"signing up perhaps":          {[]string{"MILAAN_SIGN_UP=maybe"}, `MILAAN_SIGN_UP: "maybe" must be on or off`},
		"secret without client":       {[]string{"MILAAN_OIDC_ISSUER=https://login.example", "MILAAN_OIDC_AUDIENCE=x", "MILAAN_OIDC_CLIENT_SECRET=hush"}, "MILAAN_OIDC_CLIENT_ID is not set, but MILAAN_OIDC_CLIENT_SECRET is: set both"},
		"client behind a proxy":       {[]string{"MILAAN_TRUSTED_PROXIES=127.0.0.1", "MILAAN_OIDC_ISSUER=https://login.example", "MILAAN_OIDC_AUDIENCE=x", "MILAAN_OIDC_CLIENT_ID=x"}, "MILAAN_PUBLIC_URL is not set, but MILAAN_OIDC_CLIENT_ID is: set it to the https:// address by which people reach the service"},
		"client without an address":   {[]string{"MILAAN_ADDR=:80", "MILAAN_TRUSTED_PROXIES=10.0.0.0/8", "MILAAN_OIDC_ISSUER=https://login.example", "MILAAN_OIDC_AUDIENCE=x", "MILAAN_OIDC_CLIENT_ID=x"}, "MILAAN_PUBLIC_URL is not set, but MILAAN_OIDC_CLIENT_ID is: set it to the https:// address by which people reach the service"},
		"address over plain HTTP":     {[]string{"MILAAN_PUBLIC_URL=http://milaan.example"}, "MILAAN_PUBLIC_URL must be an address such as https://milaan.example"},
		"address with a path":         {[]string{"MILAAN_PUBLIC_URL=https://milaan.example/app"}, "MILAAN_PUBLIC_URL must be an address"},
		"address with a query":        {[]string{"MILAAN_PUBLIC_URL=https://milaan.example?a=b"}, "MILAAN_PUBLIC_URL must be an address"},
		"address with a password":     {[]string{"MILAAN_PUBLIC_URL=https://asha:horse@milaan.example"}, "MILAAN_PUBLIC_URL must be an address"},
		"address without a host":      {[]string{"MILAAN_PUBLIC_URL=https://:8443"}, "MILAAN_PUBLIC_URL must be an address"},
		"address as a name":           {[]string{"MILAAN_PUBLIC_URL=milaan.example"}, "MILAAN_PUBLIC_URL must be an address"},
		"no passes":                   {[]string{"MILAAN_PASSES=0"}, `MILAAN_PASSES is 0 and must be from 1 to 1000`},
		"a folder somewhere":          {[]string{"MILAAN_CONNECTION_FOLDER=reports"}, `MILAAN_CONNECTION_FOLDER must be the whole path of a folder, beginning with /`},
		"mail without a sender":       {[]string{"MILAAN_SMTP_URL=smtps://mail.example.com"}, `MILAAN_MAIL_FROM must be the sender of the mails, such as Milaan <milaan@example.com>`},
		"mail by another protocol":    {[]string{"MILAAN_SMTP_URL=https://u:hush@mail.example.com", "MILAAN_MAIL_FROM=a@b.example"}, `MILAAN_SMTP_URL must be smtps://user:password@host:465, or smtp://user:password@host:587 for STARTTLS`},
		"mail without a link to us":   {[]string{"MILAAN_ADDR=0.0.0.0:8080", "MILAAN_TRUSTED_PROXIES=10.0.0.1", "MILAAN_SMTP_URL=smtps://mail.example.com", "MILAAN_MAIL_FROM=a@b.example"}, `MILAAN_PUBLIC_URL is not set, but MILAAN_SMTP_URL is: set it to the https:// address by which people reach the service, because each mail has a link that ends such mails`},
		"a sender without a server":   {[]string{"MILAAN_MAIL_FROM=a@b.example"}, `MILAAN_SMTP_URL is not set, but MILAAN_MAIL_FROM is: set both`},
		"billing in part":             {[]string{"MILAAN_RAZORPAY_KEY_ID=rzp", "MILAAN_RAZORPAY_KEY_SECRET=hush", "MILAAN_RAZORPAY_PLANS=plan_x=pro"}, `MILAAN_RAZORPAY_WEBHOOK_SECRETS is not set, but MILAAN_RAZORPAY_PLANS is: set all of MILAAN_RAZORPAY_KEY_ID, _KEY_SECRET, _WEBHOOK_SECRETS and _PLANS to sell subscriptions, or none`},
		"billing elsewhere alone":     {[]string{"MILAAN_RAZORPAY_URL=http://127.0.0.1:1"}, `MILAAN_RAZORPAY_PLANS is not set, but MILAAN_RAZORPAY_URL is: set all`},
		"billing at another machine":  {[]string{"MILAAN_RAZORPAY_KEY_ID=rzp", "MILAAN_RAZORPAY_KEY_SECRET=hush", "MILAAN_RAZORPAY_WEBHOOK_SECRETS=h", "MILAAN_RAZORPAY_PLANS=plan_x=pro", "MILAAN_RAZORPAY_URL=https://api.example.com"}, `MILAAN_RAZORPAY_URL must be an address of this machine such as http://127.0.0.1:9000, without a path`},
		"a plan that is none":         {[]string{"MILAAN_RAZORPAY_PLANS=plan_x=gold"}, `MILAAN_RAZORPAY_PLANS: "plan_x=gold" is not a plan of Razorpay and what it is here: write such as plan_x=pro, where the latter is solo, pro, enterprise`},
		"a plan without a name":       {[]string{"MILAAN_RAZORPAY_PLANS=pro"}, `MILAAN_RAZORPAY_PLANS: "pro" is not a plan of Razorpay`},
		"a plan that is a path":       {[]string{"MILAAN_RAZORPAY_PLANS=../x=pro"}, `MILAAN_RAZORPAY_PLANS: "../x=pro" is not a plan of Razorpay`},
		"a plan twice":                {[]string{"MILAAN_RAZORPAY_PLANS=plan_x=pro,plan_x=solo"}, `MILAAN_RAZORPAY_PLANS: "plan_x" is there twice: name each plan of Razorpay once`},
		"a blank webhook secret":      {[]string{"MILAAN_RAZORPAY_WEBHOOK_SECRETS=hush,"}, `MILAAN_RAZORPAY_WEBHOOK_SECRETS: has a blank secret: write one secret, or two with a comma between them`},
		"three webhook secrets":       {[]string{"MILAAN_RAZORPAY_WEBHOOK_SECRETS=a,b,c"}, `MILAAN_RAZORPAY_WEBHOOK_SECRETS: has 3 secrets and may have two: the new one and the one that it replaces`},
		"codes by another way":        {[]string{"MILAAN_OTP=sms"}, `MILAAN_OTP is "sms" and must be off, log or msg91`},
		"too few codes":               {[]string{"MILAAN_OTP_PER_HOUR=0"}, "MILAAN_OTP_PER_HOUR is 0 and must be from 1 to 2000"},
		"too many codes":              {[]string{"MILAAN_OTP_PER_HOUR=2001"}, "MILAAN_OTP_PER_HOUR is 2001 and must be from 1 to 2000"},
		"codes without a key":         {[]string{"MILAAN_OTP=msg91", "MILAAN_MSG91_TEMPLATE=x"}, "MILAAN_MSG91_AUTH_KEY is not set, but MILAAN_OTP is msg91: set it as the account at MSG91 says it"},
		"codes without a template":    {[]string{"MILAAN_OTP=msg91", "MILAAN_MSG91_AUTH_KEY=hush"}, "MILAAN_MSG91_TEMPLATE is not set, but MILAAN_OTP is msg91: set it as the account at MSG91 says it"},
		"a key on two lines":          {[]string{"MILAAN_OTP=msg91", "MILAAN_MSG91_TEMPLATE=x", "MILAAN_MSG91_AUTH_KEY=hush\r\nX: y"}, "MILAAN_MSG91_AUTH_KEY has a blank or a character that MSG91 does not use"},
		"a key that nothing uses":     {[]string{"MILAAN_MSG91_AUTH_KEY=hush"}, "MILAAN_MSG91_AUTH_KEY is set, but MILAAN_OTP is off: set that to msg91, or unset this"},
		"codes to another machine":    {[]string{"MILAAN_OTP=msg91", "MILAAN_MSG91_TEMPLATE=x", "MILAAN_MSG91_AUTH_KEY=hush", "MILAAN_MSG91_URL=https://sms.example"}, "MILAAN_MSG91_URL is for development and must be an address of this machine without a path, such as http://127.0.0.1:9191"},
		"codes to a path":             {[]string{"MILAAN_OTP=msg91", "MILAAN_MSG91_TEMPLATE=x", "MILAAN_MSG91_AUTH_KEY=hush", "MILAAN_MSG91_URL=http://127.0.0.1:9191/x"}, "MILAAN_MSG91_URL is for development"},
		"codes in a public log":       {[]string{"MILAAN_OTP=log", "MILAAN_ADDR=0.0.0.0:8443", "MILAAN_TLS_CERT=c", "MILAAN_TLS_KEY=k"}, "MILAAN_OTP is log, which is for a service that only this machine can reach: whoever reads the log could verify any number; set it to msg91, or MILAAN_ADDR to 127.0.0.1 without MILAAN_TRUSTED_PROXIES and with no other machine's MILAAN_PUBLIC_URL"},
		"codes in a log by a proxy":   {[]string{"MILAAN_OTP=log", "MILAAN_TRUSTED_PROXIES=127.0.0.1"}, "MILAAN_OTP is log"},
		"codes in a log by a name":    {[]string{"MILAAN_OTP=log", "MILAAN_PUBLIC_URL=https://milaan.example"}, "MILAAN_OTP is log"},
		"loopback perhaps":            {[]string{"MILAAN_WEBHOOK_ALLOW_LOOPBACK=maybe"}, `MILAAN_WEBHOOK_ALLOW_LOOPBACK: "maybe" is neither true nor false`},
		"runs of a cycle gone":        {[]string{"MILAAN_RUN_RETENTION=1487h59m"}, "MILAAN_RUN_RETENTION is 1487h59m0s and must be at least 1488h"},
		"results gone at once":        {[]string{"MILAAN_BATCH_RETENTION=59s"}, "MILAAN_BATCH_RETENTION is 59s and must be from 1m to 720h"},
		"results for ever":            {[]string{"MILAAN_BATCH_RETENTION=720h1s"}, "MILAAN_BATCH_RETENTION is 720h0m1s and must be from 1m to 720h"},
		"connections past counting":   {[]string{"MILAAN_MAX_CONNECTIONS=99999999999999999999"}, `MILAAN_MAX_CONNECTIONS: "99999999999999999999" is too large`},
		"too many connections":        {[]string{"MILAAN_MAX_CONNECTIONS=99999999999"}, `MILAAN_MAX_CONNECTIONS: "99999999999" is too large`},
		"an endless drain":            {[]string{"MILAAN_DRAIN_TIMEOUT=61m"}, "MILAAN_DRAIN_TIMEOUT is 1h1m0s and must be longer than 0s and at most 1h"},
		"an endless delay":            {[]string{"MILAAN_DRAIN_DELAY=61m"}, "MILAAN_DRAIN_DELAY is 1h1m0s and must be from 0s to 1h"},
		"more than there is":          {[]string{"MILAAN_BATCH_QUOTA=9000000000TiB"}, `MILAAN_BATCH_QUOTA: "9000000000TiB" is too large`},
		"a switch":                    {[]string{"MILAAN_SANDBOX=true"}, `MILAAN_SANDBOX: "true" must be on or off`},
		"quota for no batch":          {[]string{"MILAAN_BATCH_QUOTA=31MiB"}, "MILAAN_BATCH_QUOTA is 32505856 bytes and must be at least 32MiB"},
		"retention without unit":      {[]string{"MILAAN_BATCH_RETENTION=24"}, `MILAAN_BATCH_RETENTION: "24" is no length of time`},
		"unknown level":               {[]string{"MILAAN_LOG_LEVEL=loud"}, `MILAAN_LOG_LEVEL: "loud" is no level: write debug, info, warn or error`},
		"several, a line for each":    {[]string{"MILAAN_ADDR=x", "MILAAN_TLS_KEY=k"}, "host:port, such as 127.0.0.1:8080\nMILAAN_TLS_CERT is not set"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := Load(c.environ)
			require.ErrorContains(t, err, c.want)
			require.NotContains(t, err.Error(), "hush")
			require.NotContains(t, err.Error(), "horse")
		})
	}
}

func TestSafeSettingsAreAccepted(t *testing.T) {
	for _, environ := range [][]string{
		{"MILAAN_ADDR=localhost:0", "MILAAN_METRICS_ADDR=localhost:0"},
		{"MILAAN_ADDR=[::1]:8080"},
		{"MILAAN_ADDR=:443", "MILAAN_TLS_CERT=c", "MILAAN_TLS_KEY=k"},
		{"MILAAN_ADDR=:80", "MILAAN_TRUSTED_PROXIES=10.0.0.0/8"},
		{"MILAAN_OIDC_ISSUER=http://127.0.0.1:9000", "MILAAN_OIDC_AUDIENCE=x"},
		{"MILAAN_OIDC_ISSUER=http://127.0.0.1:9000", "MILAAN_OIDC_AUDIENCE=x", "MILAAN_OIDC_CLIENT_ID=x"},
		{"MILAAN_PUBLIC_URL=https://milaan.example:8443/"},
		{"MILAAN_PUBLIC_URL=http://localhost:9000"},
		{"MILAAN_BATCH_QUOTA=0"},
		{"MILAAN_SANDBOX= Off"},
		{"MILAAN_BATCH_QUOTA=32MiB"},
		{"MILAAN_BATCH_QUOTA=1TiB"},
		{"MILAAN_BATCH_QUOTA=2TB"},
		{"MILAAN_DRAIN_DELAY=1h", "MILAAN_DRAIN_TIMEOUT=1h"},
		{"MILAAN_RUN_RETENTION=1488h"},
		{"MILAAN_RUN_RETENTION=876000h"},
		{"MILAAN_BATCH_RETENTION=1m"},
		{"MILAAN_BATCH_RETENTION=720h"},
	} {
		require.NoError(t, only.Err(Load(environ)), environ)
	}
}

func TestBaseURL(t *testing.T) {
	for want, h := range map[string]HTTP{
		"http://127.0.0.1:8080":       {Addr: "127.0.0.1:8080"},
		"http://[::1]:80":             {Addr: "[::1]:80"},
		"https://localhost:8443":      {Addr: "localhost:8443", TLSCert: "c"},
		"https://milaan.example":      {Addr: ":8443", PublicURL: "https://milaan.example/"},
		"https://milaan.example:8443": {Addr: "127.0.0.1:8080", PublicURL: "https://milaan.example:8443"},
	} {
		require.Equal(t, want, h.BaseURL())
	}
	for _, addr := range []string{":8080", "0.0.0.0:8443", "shop.example:443", "127.0.0.1:0", "x"} {
		require.Empty(t, HTTP{Addr: addr}.BaseURL(), addr)
	}
}

func TestMistypedVariablesAreWarnedOf(t *testing.T) {
	c := only.Value(Load([]string{"MILAAN_DATABSE_URL=postgres://db/x", "MILAAN_WEATHER=fine", "OTHER_ADDR=x"}))(t)
	require.Equal(t, []string{
		"MILAAN_DATABSE_URL is set and means nothing: did you mean MILAAN_DATABASE_URL?",
		"MILAAN_WEATHER is set and means nothing",
	}, c.Warnings)
}

func TestOneAddressThatCanTakeAllConnectionsIsWarnedOf(t *testing.T) {
	for environ, want := range map[string][]string{
		"MILAAN_MAX_CONNECTIONS=512": {"MILAAN_MAX_CONNECTIONS is 512 and not larger than MILAAN_MAX_CONNECTIONS_PER_PEER, which is 512: one address can take all connections"},
		"MILAAN_MAX_CONNECTIONS=513": nil,
	} {
		require.Equal(t, want, only.Value(Load([]string{environ}))(t).Warnings)
	}
}

func TestAmountsOfMemory(t *testing.T) {
	for text, want := range map[string]Bytes{
		"0": 0, "268435456": 256 << 20, "256MiB": 256 << 20, "256 mib": 256 << 20, "1GB": 1e9, "2g": 2 << 30, "3TiB": 3 << 40, "1tb": 1e12, "1t": 1 << 40, "64k": 64 << 10, "9b": 9,
	} {
		var b Bytes
		require.NoError(t, b.UnmarshalText([]byte(text)), text)
		require.Equal(t, want, b, text)
	}
	for _, text := range []string{"", "MiB", "-1", "1.5GiB", "9223372036854775807k", "8388608TiB", "1PiB"} {
		var b Bytes
		require.Error(t, b.UnmarshalText([]byte(text)), text)
	}
}

func TestSecretKeyForms(t *testing.T) {
	want := only.Value(Load([]string{"MILAAN_SECRET_KEY=" + goodKey}))(t)
	for _, text := range []string{
		strings.ToUpper(goodKey),
		"AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=",
		"AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8",
	} {
		c, err := Load([]string{"MILAAN_SECRET_KEY=" + text})
		require.NoError(t, err, text)
		require.Equal(t, want.Secrets.Keys, c.Secrets.Keys, text)
	}
}

func TestSeveralSecretKeys(t *testing.T) {
	one := only.Value(Load([]string{"MILAAN_SECRET_KEY=" + goodKey}))(t)
	other := only.Value(Load([]string{"MILAAN_SECRET_KEY=" + otherKey}))(t)
	both := SecretKeys{one.Secrets.Keys[0], other.Secrets.Keys[0]}
	for _, text := range []string{
		goodKey + "," + otherKey,
		" " + goodKey + " ,\r\n\t" + otherKey + "\n",
		"AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=," + otherKey,
	} {
		c, err := Load([]string{"MILAAN_SECRET_KEY=" + text})
		require.NoError(t, err, text)
		require.Equal(t, both, c.Secrets.Keys, text)
	}
	// A secret in base64 may have several lines, as openssl writes a long one.
	long := base64.StdEncoding.EncodeToString([]byte("a secret of ninety-six bytes, which openssl writes on two lines, for it breaks them at 64 digits"))
	c := only.Value(Load([]string{"MILAAN_SECRET_KEY=" + long[:64] + "\n" + long[64:]}))(t)
	require.Len(t, c.Secrets.Keys, 1)
	require.Len(t, c.Secrets.Keys[0], 96)
}

func TestTrustedProxiesAreRanges(t *testing.T) {
	var n Networks
	require.NoError(t, n.UnmarshalText([]byte("10.1.2.3/8 fd00::/8 ::ffff:192.0.2.7")))
	want := []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8"), netip.MustParsePrefix("fd00::/8"), netip.MustParsePrefix("192.0.2.7/32")}
	require.Equal(t, want, []netip.Prefix(n))
}

func TestSecretsAreNeverPrinted(t *testing.T) {
	c, err := Load([]string{
		"MILAAN_SECRET_KEY=" + goodKey,
		"MILAAN_DATABASE_URL=postgres://milaan:hush@db:5432/milaan?sslpassword=hush",
		"MILAAN_OIDC_ISSUER=https://login.example", "MILAAN_OIDC_AUDIENCE=x", "MILAAN_OIDC_CLIENT_ID=x", "MILAAN_OIDC_CLIENT_SECRET=hush",
		"MILAAN_RAZORPAY_KEY_ID=rzp", "MILAAN_RAZORPAY_KEY_SECRET=hush", "MILAAN_RAZORPAY_WEBHOOK_SECRETS=hush", "MILAAN_RAZORPAY_PLANS=plan_x=pro",
	})
	require.NoError(t, err)
	var out bytes.Buffer
	for _, format := range []string{"%v", "%+v", "%#v", "%s", "%x", "%d", "%q"} {
		fmt.Fprintf(&out, format+format+format, c, c.Storage, c.Secrets)
		fmt.Fprintf(&out, format, c.Secrets.Keys)
	}
	slog.New(slog.NewTextHandler(&out, nil)).Info("settings", "all", c, "keys", c.Secrets.Keys, "url", c.Storage.DatabaseURL)
	slog.New(slog.NewJSONHandler(&out, nil)).Info("settings", "all", c)
	require.NoError(t, json.NewEncoder(&out).Encode(c))

	require.NotContains(t, out.String(), "hush")
	require.NotContains(t, strings.ToLower(out.String()), "1a1b1c", "in hexadecimal")
	require.NotContains(t, out.String(), "26 27 28", "in decimal")
	require.NotContains(t, out.String(), "GBkaGx", "in base64")
	require.Contains(t, out.String(), "postgres://milaan@db:5432/milaan")
}
