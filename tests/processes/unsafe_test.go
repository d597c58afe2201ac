package processes_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"milaan/tests/postgres"
)

// Settings that would let requests in over plain HTTP, or turn out not to work,
// stop the start; the message says what to set. config has each that it refuses.
func TestUnsafeSettingsStopTheStart(t *testing.T) {
	t.Parallel()
	_, key := selfSigned(t)
	const password = "pa55-not-to-be-told"
	for _, c := range []struct {
		name     string
		settings []string
		says     []string
	}{
		{"plain HTTP for all", []string{"MILAAN_ADDR=0.0.0.0:0"}, []string{"MILAAN_ADDR", "MILAAN_TLS_CERT", "MILAAN_TRUSTED_PROXIES", "127.0.0.1"}},
		{"certificate that is none", []string{"MILAAN_TLS_CERT=" + key, "MILAAN_TLS_KEY=" + key}, []string{"certificate"}},
		{"certificate that is not there", []string{"MILAAN_TLS_CERT=nowhere.pem", "MILAAN_TLS_KEY=" + key}, []string{"certificate", "nowhere.pem"}},
		{"database URL that cannot be read", []string{"MILAAN_DATABASE_URL=postgres://milaan:" + password + "%zz@127.0.0.1/milaan"}, []string{"MILAAN_DATABASE_URL", "percent-encoded"}},
		{"database port that cannot be read", []string{"MILAAN_DATABASE_URL=postgres://milaan:" + password + "@127.0.0.1:x/milaan"}, []string{"MILAAN_DATABASE_URL", "postgres://"}},
		{"database out of reach", []string{"MILAAN_DATABASE_URL=postgres://milaan:" + password + "@127.0.0.1:1/milaan"}, []string{"cannot reach PostgreSQL at 127.0.0.1, port 1", "check the database URL"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
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
	alongside(t)
	in := newInstallation(t, postgres.Database(t)+"&database=not_there")
	r := in.launch(t)
	require.Equal(t, 1, r.exitCode(t))
	require.NotContains(t, r.journal.text(), "waiting for the database", "what does not mend itself is not waited for")
	require.Contains(t, r.journal.text(), "not_there")
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
