package servers

import (
	"crypto/ed25519"
	"crypto/rand"
	"encoding/pem"
	"os"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/crypto/ssh"

	"milaan/tests/needed"
	"milaan/tests/only"
)

// OpenSSH is a server of OpenSSH, which lets its owner in by a private key.
type OpenSSH struct {
	*daemon
	// HostKey is the fingerprint of its host key.
	HostKey string
	key     string
}

// NewOpenSSH starts a server that runs until the test ends.
func NewOpenSSH(t testing.TB) *OpenSSH {
	t.Helper()
	program := needed.Program(t, "/usr/sbin/sshd")
	s := &OpenSSH{daemon: newDaemon(t)}
	host, public := newKey(t)
	s.HostKey = ssh.FingerprintSHA256(public)
	own, public := newKey(t)
	s.key = own
	require.NoError(t, os.Mkdir(s.path("reports"), 0o700))
	config := "ListenAddress 127.0.0.1\nPort " + strconv.Itoa(s.port) + "\nHostKey " + s.write("host", host) +
		"\nAuthorizedKeysFile " + s.write("authorized", string(ssh.MarshalAuthorizedKey(public))) +
		"\nStrictModes no\nUsePAM yes\nPidFile none\nPasswordAuthentication yes\nPermitRootLogin no\nSubsystem sftp internal-sftp\n"
	s.start(program, "-D", "-e", "-f", s.write("sshd_config", config))
	return s
}

// newKey returns a private key as ssh-keygen writes it.
func newKey(t testing.TB) (private string, public ssh.PublicKey) {
	t.Helper()
	_, key := only.Both(ed25519.GenerateKey(rand.Reader))(t)
	block := only.Value(ssh.MarshalPrivateKey(key, ""))(t)
	public = only.Value(ssh.NewPublicKey(key.Public()))(t)
	return string(pem.EncodeToMemory(block)), public
}

// Settings returns how milaan connects to it, and reads the folder for reports.
func (s *OpenSSH) Settings() map[string]string {
	return map[string]string{"host": "127.0.0.1", "port": strconv.Itoa(s.port), "user": s.user, "private_key": s.key, "host_key": s.HostKey,
		"folder": s.path("reports")}
}

// Put stores a file in the folder for reports, or replaces it.
func (s *OpenSSH) Put(name, content string, modified time.Time) {
	s.Helper()
	require.NoError(s, os.Chtimes(s.write("reports/"+name, content), modified, modified))
	s.own()
}
