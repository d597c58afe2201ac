package processes_test

import (
	"crypto/x509"
	"encoding/pem"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"milaan/tests/postgres"
)

// Settings that would let requests in over plain HTTP, or turn out not to work,
// stop the start; the message says what to set. config has each that it refuses.
func TestUnsafeSettingsStopTheStart(t *testing.T) {
	t.Parallel()
	_, key, _ := selfSigned(t)
	const password = "pa55-not-to-be-told"
	for _, c := range []struct {
		name     string
		settings []string
		says     []string
	}{
		{"plain HTTP for all", []string{"MILAAN_ADDR=0.0.0.0:0"}, []string{"MILAAN_ADDR", "MILAAN_TLS_CERT", "MILAAN_TRUSTED_PROXIES", "127.0.0.1"}},
		{"certificate that is none", []string{"MILAAN_TLS_CERT=" + key, "MILAAN_TLS_KEY=" + key}, []string{"certificate"}},
		{"database out of reach", []string{"MILAAN_DATABASE_URL=postgres://milaan:" + password + "@127.0.0.1:1/milaan"}, []string{"cannot reach PostgreSQL at 127.0.0.1, port 1", "check the database URL"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			in := newInstallation(t, "")
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
	postgres.OnlyWithBoth(t)
	alongside(t)
	in := newInstallation(t, postgres.Database(t)+"&database=not_there")
	r := in.launch(t)
	require.Equal(t, 1, r.exitCode(t))
	require.NotContains(t, r.journal.text(), "waiting for the database", "what does not mend itself is not waited for")
	require.Contains(t, r.journal.text(), "not_there")
}

// selfSigned writes a certificate for 127.0.0.1 and its key.
func selfSigned(t *testing.T) (certPath, keyPath string, trust *x509.CertPool) {
	t.Helper()
	server := httptest.NewTLSServer(nil)
	server.Close()
	secret, err := x509.MarshalPKCS8PrivateKey(server.TLS.Certificates[0].PrivateKey)
	require.NoError(t, err)
	dir := t.TempDir()
	write := func(name, kind string, content []byte) string {
		path := filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(path, pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: content}), 0o600))
		return path
	}
	trust = x509.NewCertPool()
	trust.AddCert(server.Certificate())
	return write("cert.pem", "CERTIFICATE", server.Certificate().Raw), write("key.pem", "PRIVATE KEY", secret), trust
}
