package sources

import (
	"bytes"
	"context"
	"crypto/subtle"
	"encoding/pem"
	"errors"
	"io/fs"
	"net"
	"path"
	"slices"
	"strings"

	"github.com/pkg/sftp"
	"golang.org/x/crypto/ssh"

	"milaan/domain"
	"milaan/ports"
)

// sftpConnector is a folder of an SFTP server. The server is known by the fingerprint of its
// host key, without which nobody signs in.
func sftpConnector() connector {
	return connector{
		ConnectorInfo: ports.ConnectorInfo{
			ID: "sftp", Name: "SFTP", Files: true,
			Settings: []ports.SettingInfo{
				{Name: settingHost, Required: true, Example: "sftp.example.com"},
				{Name: settingPort, Default: "22", Example: "22"},
				{Name: settingUser, Required: true, Example: "milaan"},
				{Name: settingPassword, Secret: true, Exact: true},
				{Name: settingPrivateKey, Secret: true, Exact: true, Lines: true, Example: "-----BEGIN OPENSSH PRIVATE KEY-----"},
				{Name: settingPassphrase, Secret: true, Exact: true},
				{Name: settingHostKey, KeepsSecrets: true, Example: "SHA256:nThbg6kXUpJWGl7E1IGOCspRomTxdCARLviKw6E5SY8"},
				{Name: settingFolder, Default: ".", Example: "remittances", KeepsSecrets: true},
			},
		},
		checks:        map[string]ports.SettingCheck{settingHost: checkHost, settingPort: checkPort, settingHostKey: checkFingerprint},
		hostSetting:   settingHost,
		checkTogether: checkSFTP,
		host:          func(s domain.Settings) (string, string) { return s[settingHost], s[settingPort] },
		open:          openSFTP,
	}
}

// fingerprint matches what ssh-keygen -l shows of a key.
var fingerprint = lazily(`^SHA256:[A-Za-z0-9+/]{43}$`)

func checkFingerprint(value string, _ domain.Settings, _ ports.HostCheck) domain.Fault {
	return formUnless(fingerprint().MatchString(strings.TrimRight(value, "=")))
}

// checkSFTP says that there must be a password or a key, and that the key looks like one. Only
// openSFTP finds out whether the passphrase is right.
func checkSFTP(s domain.Settings) (faults domain.Faults) {
	wrong := func(is bool, setting string, rule domain.Rule, value string) {
		faults.Add(is, domain.Fault{Field: domain.FieldSetting, Setting: setting, Rule: rule, Value: value})
	}
	wrong(s[settingPassword] == "" && s[settingPrivateKey] == "", settingPassword, domain.RuleMissing, "")
	if s[settingPrivateKey] != "" {
		_, err := ssh.ParsePrivateKey(keyText(s))
		_, locked := errors.AsType[*ssh.PassphraseMissingError](err)
		wrong(locked && s[settingPassphrase] == "", settingPassphrase, domain.RuleMissing, "")
		form := ""
		if locked {
			form = easierKey(keyText(s))
		}
		wrong(form != "", settingPrivateKey, domain.RuleForm, form)
		wrong(err != nil && !locked, settingPrivateKey, domain.RuleForm, "-----BEGIN OPENSSH PRIVATE KEY-----")
	}
	return faults
}

// mostRounds is how often a key's passphrase may be hashed: ssh-keygen does it 24 times, or as
// it is told. Each time takes some milliseconds of a core, for every connection that is made.
const mostRounds = 200

// easierKey says which key can be used in place of one that has a passphrase; it is blank if the key is tried as it is.
func easierKey(key []byte) string {
	block, _ := pem.Decode(key)
	if block == nil {
		return ""
	}
	// What ssh-keygen writes; see PROTOCOL.key of OpenSSH.
	var header struct {
		Cipher, KDF, Options string
		Rest                 []byte `ssh:"rest"`
	}
	var hashed struct {
		Salt   string
		Rounds uint32
	}
	content, of := bytes.CutPrefix(block.Bytes, []byte("openssh-key-v1\x00"))
	switch {
	case !of || ssh.Unmarshal(content, &header) != nil || ssh.Unmarshal([]byte(header.Options), &hashed) != nil:
		return ""
	case header.Cipher != "aes256-ctr" && header.Cipher != "aes256-cbc": // the library knows no other
		return "a key of ssh-keygen with -Z aes256-ctr"
	case hashed.Rounds > mostRounds:
		return "a key of ssh-keygen with -a 200 or less"
	}
	return ""
}

// keyText returns the private key in lines as files have them: browsers end the lines of a
// form with \r\n, and the last one not at all.
func keyText(s domain.Settings) []byte {
	return []byte(strings.TrimSpace(strings.ReplaceAll(s[settingPrivateKey], "\r\n", "\n")) + "\n")
}

// signer reads the private key, which takes long with a passphrase.
func signer(s domain.Settings) (ssh.Signer, error) {
	plain, err := ssh.ParsePrivateKey(keyText(s))
	if _, locked := errors.AsType[*ssh.PassphraseMissingError](err); locked {
		return ssh.ParsePrivateKeyWithPassphrase(keyText(s), []byte(s[settingPassphrase]))
	}
	return plain, err
}

// openSFTP connects. A server has a key of each of several kinds, and the fingerprint does
// not tell which of them it is of: so as long as the server shows another key, it is asked for
// one of another kind.
func openSFTP(ctx context.Context, network *network, access ports.SourceAccess) (place, error) {
	s := access.Source.Settings
	var key ssh.Signer
	if s[settingPrivateKey] != "" {
		var err error
		if key, err = signer(s); err != nil {
			return nil, &domain.ConnectorError{Rule: domain.ConnRefused, Setting: settingPassphrase, Cause: hushed(err)}
		}
	}
	kinds := ssh.SupportedAlgorithms().HostKeys
	var other *domain.ConnectorError
	for len(kinds) > 0 {
		shown := &shownKey{pinned: strings.TrimRight(s[settingHostKey], "=")}
		client, err := signInSFTP(ctx, network, s, key, kinds, shown)
		switch {
		case err == nil:
			return newSFTPFolder(client, s[settingFolder])
		case other != nil && shown.kind == "" && network.broken() == nil && ctx.Err() == nil:
			return nil, other // it has no more kinds
		case shown.matches || shown.kind == "":
			return nil, err
		case shown.pinned == "":
			return nil, &domain.ConnectorError{Rule: domain.ConnNoHostKey, Setting: settingHostKey, Value: shown.fingerprint}
		case other == nil:
			other = &domain.ConnectorError{Rule: domain.ConnHostKey, Setting: settingHostKey, Value: shown.fingerprint}
		}
		kinds = slices.DeleteFunc(kinds, func(algorithm string) bool { return keyKind(algorithm) == shown.kind })
	}
	return nil, other
}

// keyKind returns the kind of key that an algorithm signs with.
func keyKind(algorithm string) string {
	switch algorithm {
	case ssh.KeyAlgoRSASHA256, ssh.KeyAlgoRSASHA512:
		return ssh.KeyAlgoRSA
	}
	return algorithm
}

type shownKey struct {
	pinned      string // fingerprint; blank: none
	kind        string // blank: none was shown
	fingerprint string
	matches     bool
}

func (k *shownKey) check(_ string, _ net.Addr, key ssh.PublicKey) error {
	k.kind, k.fingerprint = key.Type(), ssh.FingerprintSHA256(key)
	k.matches = subtle.ConstantTimeCompare([]byte(k.fingerprint), []byte(k.pinned)) == 1
	if !k.matches {
		return errors.New("another host key")
	}
	return nil
}

// signInSFTP connects and signs in, if the host key is the pinned one.
func signInSFTP(
	ctx context.Context, network *network, s domain.Settings, key ssh.Signer, kinds []string, shown *shownKey,
) (*sftpClient, error) {
	conn, err := network.dial(ctx, s[settingHost], s[settingPort], false)
	if err != nil {
		return nil, err
	}
	modern := ssh.SupportedAlgorithms()
	config := &ssh.ClientConfig{
		Config:            ssh.Config{KeyExchanges: modern.KeyExchanges, Ciphers: modern.Ciphers, MACs: modern.MACs},
		User:              s[settingUser],
		Auth:              signIn(key, s[settingPassword]),
		HostKeyCallback:   shown.check,
		HostKeyAlgorithms: kinds,
		ClientVersion:     "SSH-2.0-Milaan",
	}
	connected, channels, requests, err := ssh.NewClientConn(conn, net.JoinHostPort(s[settingHost], s[settingPort]), config)
	if err != nil {
		_ = conn.Close() // the error of signing in says more
		// The library has no type for a refused login. It is what fails on a sound connection
		// after the host key.
		if shown.matches && ruleOf(err) == domain.ConnAnswer {
			refused := &domain.ConnectorError{Rule: domain.ConnRefused, Setting: settingPassword, Cause: hushed(err)}
			if s[settingPassword] == "" {
				refused.Setting = settingPrivateKey
			}
			return nil, refused
		}
		return nil, err
	}
	secure := ssh.NewClient(connected, channels, requests)
	// Files are read with several requests at a time, and so within a round trip of each
	// other. What a server says of their sizes is asked of the open file.
	client, err := sftp.NewClient(secure, sftp.UseFstat(true), sftp.MaxConcurrentRequestsPerFile(readAhead))
	if err != nil {
		return nil, errors.Join(err, secure.Close())
	}
	return &sftpClient{client, secure}, nil
}

// readAhead is how many parts of 32 KiB of a file are asked for at the same time.
const readAhead = 32

// signIn returns how somebody signs in: with the key if there is one, then with the password,
// for which some servers ask by questions.
func signIn(key ssh.Signer, password string) (methods []ssh.AuthMethod) {
	if key != nil {
		methods = append(methods, ssh.PublicKeys(key))
	}
	if password != "" {
		methods = append(methods, ssh.Password(password),
			ssh.KeyboardInteractive(func(_, _ string, questions []string, shows []bool) ([]string, error) {
				answers := make([]string, len(questions))
				for i := range questions {
					if shows[i] {
						return nil, errors.New("the server asks for something else than the password")
					}
					answers[i] = password
				}
				return answers, nil
			}))
	}
	return methods
}

type sftpClient struct {
	*sftp.Client
	secure *ssh.Client
}

// Close ends the connection first, so that the server cannot delay it.
func (c *sftpClient) Close() error { return errors.Join(c.secure.Close(), c.Client.Close()) }

type sftpFolder struct {
	client *sftpClient
	folder string
}

// newSFTPFolder makes sure that the folder is there, so that one that is not is never an
// empty one.
func newSFTPFolder(client *sftpClient, folder string) (place, error) {
	info, err := client.Stat(folder)
	switch {
	case errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrPermission) || err == nil && !info.IsDir():
		_ = client.Close() // the missing folder says more
		return nil, &domain.ConnectorError{Rule: domain.ConnNoFolder, Setting: settingFolder}
	case err != nil:
		_ = client.Close() // as above
		return nil, err
	}
	return &sftpFolder{client, folder}, nil
}

func (f *sftpFolder) close() error {
	_ = f.client.Close() // the connection is closed already, which it says
	return nil
}

func (f *sftpFolder) list(ctx context.Context, q query) ([]ports.SourceFile, error) {
	entries, err := f.client.ReadDirContext(ctx, f.folder)
	if err != nil {
		if errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrPermission) {
			return nil, &domain.ConnectorError{Rule: domain.ConnNoFolder, Setting: settingFolder}
		}
		return nil, err
	}
	if len(entries) > q.most {
		return nil, q.crowded(settingFolder)
	}
	var files []ports.SourceFile
	for _, entry := range entries {
		name := entry.Name()
		if !q.matches(name) {
			continue
		}
		handle := path.Join(f.folder, name)
		if entry.Mode()&fs.ModeSymlink != 0 {
			// A link counts as the file that it leads to: the server is the merchant's own.
			if entry, err = f.client.Stat(handle); errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrPermission) {
				continue
			} else if err != nil {
				return nil, err
			}
		}
		if entry.Mode().IsRegular() && q.wants(name, entry.ModTime()) {
			files = append(files, sourceFile(shown(name), entry, handle))
		}
	}
	return files, nil
}

func (f *sftpFolder) read(_ context.Context, file ports.SourceFile, limit int64) ([]byte, error) {
	name, _ := file.Handle.(string)
	opened, err := f.client.Open(name)
	if err != nil {
		return nil, goneOr(err)
	}
	defer func() { _ = opened.Close() }() // it was only read
	return readVersion(opened, file, limit)
}
