package processes_test

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"milaan/tests/postgres"
)

// Settings that cannot work, or would let requests in over plain HTTP, stop
// the start; the message says what to set.
func TestUnsafeSettingsStopTheStart(t *testing.T) {
	t.Parallel()
	cert, key := selfSigned(t)
	const weak, password = "0123456789abcdef", "pa55-not-to-be-told"
	for _, c := range []struct {
		name     string
		settings []string
		says     []string
	}{
		{"plain HTTP for all", []string{"MILAAN_ADDR=0.0.0.0:0"}, []string{"MILAAN_ADDR", "MILAAN_TLS_CERT", "MILAAN_TRUSTED_PROXIES", "127.0.0.1"}},
		{"plain HTTP on every address", []string{"MILAAN_ADDR=:0"}, []string{"MILAAN_ADDR", "MILAAN_TLS_CERT"}},
		{"plain HTTP on IPv6", []string{"MILAAN_ADDR=[::]:0"}, []string{"MILAAN_ADDR", "MILAAN_TLS_CERT"}},
		{"certificate without key", []string{"MILAAN_TLS_CERT=" + cert}, []string{"MILAAN_TLS_KEY", "set both"}},
		{"key without certificate", []string{"MILAAN_TLS_KEY=" + key}, []string{"MILAAN_TLS_CERT", "set both"}},
		{"certificate that is none", []string{"MILAAN_TLS_CERT=" + key, "MILAAN_TLS_KEY=" + key}, []string{"certificate"}},
		{"certificate that is not there", []string{"MILAAN_TLS_CERT=nowhere.pem", "MILAAN_TLS_KEY=" + key}, []string{"certificate", "nowhere.pem"}},
		{"short secret key", []string{"MILAAN_SECRET_KEY=" + weak}, []string{"MILAAN_SECRET_KEY", "openssl rand -hex 32"}},
		{"every proxy trusted", []string{"MILAAN_TRUSTED_PROXIES=0.0.0.0/0"}, []string{"MILAAN_TRUSTED_PROXIES", "trusts every address"}},
		{"other database", []string{"MILAAN_DATABASE_URL=mysql://milaan:" + password + "@127.0.0.1/milaan"}, []string{"MILAAN_DATABASE_URL", "postgres://"}},
		{"database URL that cannot be read", []string{"MILAAN_DATABASE_URL=postgres://milaan:" + password + "%zz@127.0.0.1/milaan"}, []string{"MILAAN_DATABASE_URL", "percent-encoded"}},
		{"database port that cannot be read", []string{"MILAAN_DATABASE_URL=postgres://milaan:" + password + "@127.0.0.1:x/milaan"}, []string{"MILAAN_DATABASE_URL", "postgres://"}},
		{"database out of reach", []string{"MILAAN_DATABASE_URL=postgres://milaan:" + password + "@127.0.0.1:1/milaan"}, []string{"cannot reach PostgreSQL at 127.0.0.1, port 1", "check the database URL"}},
		{"metrics on the same address", []string{"MILAAN_ADDR=127.0.0.1:1", "MILAAN_METRICS_ADDR=127.0.0.1:1"}, []string{"MILAAN_METRICS_ADDR"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			in := newInstallation(t, "")
			in.hide("a bad secret key", weak)
			in.hide("a database password", password)
			r := in.launch(t, c.settings...)
			require.Equal(t, 1, r.exitCode(t), r.journal.text())
			for _, words := range c.says {
				require.Contains(t, r.journal.text(), words)
			}
			require.Empty(t, r.journal.address(), "it must not listen")
		})
	}
}

// A user who may not come in is told so at once, without the password.
func TestUnknownDatabaseStopsTheStart(t *testing.T) {
	alongside(t)
	in := newInstallation(t, postgres.Database(t)+"&database=not_there")
	r := in.launch(t)
	require.Equal(t, 1, r.exitCode(t))
	require.NotContains(t, r.journal.text(), "waiting for the database", "what does not mend itself is not waited for")
	require.Contains(t, r.journal.text(), "not_there")
}

// With a certificate the service speaks HTTPS, of both versions, and nothing
// else.
func TestTLS(t *testing.T) {
	alongside(t)
	in := newInstallation(t, "")
	cert, key := selfSigned(t)
	account := in.accounts(t, 1, -1)[0]
	r := in.launch(t, "MILAAN_TLS_CERT="+cert, "MILAAN_TLS_KEY="+key)
	await(t, "the service to listen", func() bool { return r.journal.address() != "" })
	r.url = r.journal.address()
	require.Regexp(t, `^https://127\.0\.0\.1:\d+$`, r.url)

	trusted := x509.NewCertPool()
	text, err := os.ReadFile(cert)
	require.NoError(t, err)
	require.True(t, trusted.AppendCertsFromPEM(text))
	for proto, protocols := range map[string]func(*http.Protocols){
		"HTTP/1.1": func(p *http.Protocols) { p.SetHTTP1(true) },
		"HTTP/2.0": func(p *http.Protocols) { p.SetHTTP2(true) },
	} {
		var only http.Protocols
		protocols(&only)
		transport := &http.Transport{TLSClientConfig: &tls.Config{RootCAs: trusted}, Protocols: &only}
		request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, r.url+"/reconcile", bytes.NewReader(runBody(proto)))
		require.NoError(t, err)
		request.Header.Set("Content-Type", "application/json")
		request.Header.Set("Authorization", "Bearer "+account.key)
		response, err := (&http.Client{Transport: transport, Timeout: patience}).Do(request)
		require.NoError(t, err)
		require.NoError(t, response.Body.Close())
		transport.CloseIdleConnections()
		require.Equal(t, http.StatusOK, response.StatusCode)
		require.Equal(t, proto, response.Proto)
		require.NotEmpty(t, response.Header.Get("Strict-Transport-Security"))
	}
	require.NotEqual(t, http.StatusOK, get(t, "http"+r.url[len("https"):]+"/healthz").status, "plain HTTP is not answered")
	_, err = tls.Dial("tcp", r.url[len("https://"):], &tls.Config{RootCAs: trusted, MaxVersion: tls.VersionTLS11})
	require.Error(t, err, "TLS before 1.2 is refused")
	r.stop(t)
}

// selfSigned makes a certificate for 127.0.0.1 and its key.
func selfSigned(t *testing.T) (certPath, keyPath string) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	require.NoError(t, err)
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "milaan test"}, IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour), IsCA: true, BasicConstraintsValid: true,
		KeyUsage: x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
	}
	certificate, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	require.NoError(t, err)
	secret, err := x509.MarshalPKCS8PrivateKey(key)
	require.NoError(t, err)
	dir := t.TempDir()
	write := func(name, kind string, content []byte) string {
		path := filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(path, pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: content}), 0o600))
		return path
	}
	return write("cert.pem", "CERTIFICATE", certificate), write("key.pem", "PRIVATE KEY", secret)
}
