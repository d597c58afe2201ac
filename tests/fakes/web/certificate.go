package web

import (
	"crypto/x509"
	"encoding/pem"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"milaan/tests/only"
)

// Certificate is the one that net/http/httptest has for 127.0.0.1, and its key, in files.
func Certificate(t testing.TB) (cert, key string, trust *x509.CertPool) {
	t.Helper()
	lender := httptest.NewTLSServer(nil)
	defer lender.Close()
	secret := only.Value(x509.MarshalPKCS8PrivateKey(lender.TLS.Certificates[0].PrivateKey))(t)
	folder := t.TempDir()
	cert, key = filepath.Join(folder, "cert.pem"), filepath.Join(folder, "key.pem")
	require.NoError(t, os.WriteFile(cert, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: lender.Certificate().Raw}), 0o600))
	require.NoError(t, os.WriteFile(key, pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: secret}), 0o600))
	trust = x509.NewCertPool()
	trust.AddCert(lender.Certificate())
	return cert, key, trust
}
