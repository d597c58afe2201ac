package servers

import (
	"encoding/pem"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"crypto/x509"

	"github.com/stretchr/testify/require"

	"milaan/tests/fakes/imap"
	"milaan/tests/needed"
	"milaan/tests/only"
)

// Dovecot is a mail server of Dovecot with one mailbox.
type Dovecot struct {
	*daemon
	mails int
}

// dovecotConfig has no user but its owner, and no log but its output.
const dovecotConfig = `base_dir = %[1]s/run
state_dir = %[1]s/state
log_path = %[1]s/log
protocols = imap
listen = 127.0.0.1
default_internal_user = %[2]s
default_internal_group = %[3]s
default_login_user = %[2]s
first_valid_uid = 1
first_valid_gid = 1
mail_location = maildir:%[1]s/mail
mail_fsync = never
ssl = required
ssl_cert = <%[1]s/certificate
ssl_key = <%[1]s/key
namespace inbox {
  inbox = yes
  separator = %[4]s
  prefix = %[5]s
}
passdb {
  driver = static
  args = password=%[6]s
}
userdb {
  driver = static
  args = uid=%[2]s gid=%[3]s home=%[1]s
}
service imap-login {
  chroot =
  inet_listener imap {
    port = 0
  }
  inet_listener imaps {
    port = %[7]d
    ssl = yes
  }
}
service anvil {
  chroot =
}
service imap-urlauth-login {
  chroot =
}
`

// dovecotPassword has no space and no sign that its configuration would read.
const dovecotPassword = "app-password-of-no-worth"

// NewDovecot starts a server whose folders have a separator between their parts, and a prefix in front,
// until the test ends.
func NewDovecot(t testing.TB, separator, prefix string) *Dovecot {
	t.Helper()
	program := needed.Program(t, "/usr/sbin/dovecot")
	s := &Dovecot{daemon: newDaemon(t)}
	certificate := imap.Certificate()[0]
	s.write("certificate", string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: certificate.Certificate[0]})))
	key := only.Value(x509.MarshalPKCS8PrivateKey(certificate.PrivateKey))(t)
	s.write("key", string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: key})))
	config := s.write("dovecot.conf", fmt.Sprintf(dovecotConfig, s.folder, s.user, s.group, separator, prefix, dovecotPassword, s.port))
	for _, folder := range []string{"run", "state"} {
		require.NoError(t, os.Mkdir(s.path(folder), 0o700))
	}
	s.Create("")
	s.start(program, "-F", "-c", config)
	return s
}

// Settings returns how milaan connects to it, and takes everybody's mails.
func (s *Dovecot) Settings() map[string]string {
	return map[string]string{"host": "127.0.0.1", "port": fmt.Sprint(s.port), "user": imap.User, "password": dovecotPassword, "sender_check": "off"}
}

// maildir is where a folder lies, whose parts are separated by dots; blank: the inbox.
func (s *Dovecot) maildir(folder string) string {
	if folder == "" {
		return "mail"
	}
	return "mail/." + folder
}

// Create makes a folder, whose parts are separated by dots.
func (s *Dovecot) Create(folder string) {
	s.Helper()
	for _, part := range []string{"cur", "new", "tmp"} {
		require.NoError(s, os.MkdirAll(s.path(filepath.Join(s.maildir(folder), part)), 0o700))
	}
	s.own()
}

// Deliver puts a mail into a folder.
func (s *Dovecot) Deliver(folder string, mail imap.Mail) {
	s.Helper()
	s.mails++
	text := strings.ReplaceAll(string(mail.Bytes()), "\r\n", "\n") // as maildirs have it
	path := s.write(filepath.Join(s.maildir(folder), "cur", fmt.Sprintf("%d.M%dP1.host:2,", mail.Date.Unix(), s.mails)), text)
	require.NoError(s, os.Chtimes(path, mail.Date, mail.Date))
	s.own()
}

// Recreate makes the server number the mails of a folder anew, as when the folder was made again from a
// backup: it has another UIDVALIDITY then.
func (s *Dovecot) Recreate(folder string) {
	s.Helper()
	files := only.Value(filepath.Glob(s.path(filepath.Join(s.maildir(folder), "dovecot*"))))(s)
	require.NotEmpty(s, files)
	for _, file := range files {
		require.NoError(s, os.Remove(file))
	}
	// A mailbox made within the same second would have the same number, as far as it goes by the clock.
	require.NoError(s, os.WriteFile(s.path(filepath.Join(s.maildir(folder), "dovecot-uidlist")),
		fmt.Appendf(nil, "3 V%d N1 G%032x\n", time.Now().Unix()+1000, time.Now().UnixNano()), 0o600))
	s.own()
}
