package connecting_test

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"crypto/rand"
	"encoding/pem"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/crypto/ssh"

	"milaan/adapters/outbound"
	"milaan/adapters/sources"
	"milaan/domain"
	"milaan/ports"
	"milaan/tests/connecting"
	"milaan/tests/fakes/network"
	"milaan/tests/fakes/sftp"
	"milaan/tests/only"
)

// registry opens sources on this machine.
func registry(changes ...func(*sources.Params)) *sources.Registry {
	p := sources.Params{Settings: sources.Settings{AllowLoopback: true, Limits: sources.Limits{Pause: time.Millisecond}}, Guards: outbound.New(outbound.Settings{})}
	for _, change := range changes {
		change(&p)
	}
	return sources.New(p)
}

func open(ctx context.Context, r *sources.Registry, connector domain.Connector, settings domain.Settings) (ports.OpenSource, error) {
	return r.Open(ctx, ports.SourceAccess{AccountID: account, Source: domain.ReportSource{Connector: connector, Settings: settings}})
}

// listing opens a source, which is closed after the test, and lists all its files.
func listing(t *testing.T, r *sources.Registry, connector domain.Connector, settings domain.Settings) (ports.OpenSource, []ports.SourceFile) {
	t.Helper()
	opened := only.Value(open(t.Context(), r, connector, settings))(t)
	t.Cleanup(func() { require.NoError(t, opened.Close()) })
	return opened, only.Value(opened.List(t.Context(), time.Time{}))(t)
}

// list returns the names of all files of a source.
func list(t *testing.T, r *sources.Registry, connector domain.Connector, settings domain.Settings) []string {
	t.Helper()
	_, files := listing(t, r, connector, settings)
	names := []string{}
	for _, f := range files {
		names = append(names, f.Name)
	}
	return names
}

func failure(t *testing.T, err error) *domain.ConnectorError {
	t.Helper()
	e, ok := errors.AsType[*domain.ConnectorError](err)
	require.True(t, ok, "%v", err)
	return e
}

// opensNot holds by which rule, and which setting, a source of this machine fails to open.
func opensNot(t *testing.T, connector domain.Connector, settings domain.Settings, rule domain.ConnectorRule, setting string) {
	t.Helper()
	e := failure(t, only.Err(open(t.Context(), registry(), connector, settings)))
	require.Equal(t, rule, e.Rule)
	require.Equal(t, setting, e.Setting)
}

// Nobody signs in to a server that is not the one whose key was pinned.
func TestSFTPHostKeysArePinned(t *testing.T) {
	server := sftp.New(t, sftp.Options{HostKeys: []string{"ed25519", "rsa", "ecdsa"}})
	s := server.Settings()

	e := failure(t, only.Err(open(t.Context(), registry(), "sftp", connecting.With(s, "host_key", ""))))
	require.Equal(t, domain.ConnNoHostKey, e.Rule)
	require.Equal(t, "host_key", e.Setting)
	require.Contains(t, []string{server.HostKey(0), server.HostKey(1), server.HostKey(2)}, e.Value)
	require.True(t, e.NeedsAttention())
	shown := e.Value
	require.Empty(t, list(t, registry(), "sftp", connecting.With(s, "host_key", shown)), "what it shows can be pinned")

	other := ssh.FingerprintSHA256(sftp.NewKey(t, "ed25519").PublicKey())
	logins := server.Logins()
	e = failure(t, only.Err(open(t.Context(), registry(), "sftp", connecting.With(s, "host_key", other))))
	require.Equal(t, domain.ConnHostKey, e.Rule)
	require.Equal(t, "host_key", e.Setting)
	require.Equal(t, shown, e.Value)
	require.True(t, e.NeedsAttention())
	require.Equal(t, logins, server.Logins(), "no credential was shown")

	// Any of its keys will do, with or without the padding of base64.
	for i := range 3 {
		require.Empty(t, list(t, registry(), "sftp", connecting.With(s, "host_key", server.HostKey(i))), i)
	}
	require.Empty(t, list(t, registry(), "sftp", connecting.With(s, "host_key", server.HostKey(0)+"=")))
	for _, odd := range []string{"MD5:16:27:ac", "SHA256:", "SHA256:short", "nThbg6kXUpJWGl7E1IGOCspRomTxdCARLviKw6E5SY8", other + "x"} {
		faults := registry().Check(t.Context(), domain.ReportSource{Connector: "sftp", Settings: connecting.With(s, "host_key", odd)})
		require.Len(t, faults, 1, odd)
		require.Equal(t, domain.RuleForm, faults[0].Rule)
		require.True(t, strings.HasPrefix(faults[0].Value, "SHA256:"))
	}
}

// keyText returns a private key as ssh-keygen writes it.
func keyText(t *testing.T, passphrase string) (string, ssh.PublicKey) {
	public, private, err := ed25519.GenerateKey(rand.Reader)
	require.NoError(t, err)
	var block *pem.Block
	if passphrase == "" {
		block, err = ssh.MarshalPrivateKey(private, "")
	} else {
		block, err = ssh.MarshalPrivateKeyWithPassphrase(private, "", []byte(passphrase))
	}
	require.NoError(t, err)
	return string(pem.EncodeToMemory(block)), only.Value(ssh.NewPublicKey(public))(t)
}

func TestSFTPKeysSignIn(t *testing.T) {
	plain, public := keyText(t, "")
	server := sftp.New(t, sftp.Options{Authorized: public})
	s := connecting.With(server.Settings(), "password", "", "private_key", plain)
	require.Empty(t, list(t, registry(), "sftp", s))
	fromForm := strings.TrimSpace(strings.ReplaceAll(plain, "\n", "\r\n"))
	require.Empty(t, list(t, registry(), "sftp", connecting.With(s, "private_key", fromForm)))
	require.Empty(t, list(t, registry(), "sftp", connecting.With(s, "passphrase", "that it does not have")))
	strange, _ := keyText(t, "")
	require.Empty(t, list(t, registry(), "sftp", connecting.With(s, "private_key", strange, "password", sftp.Password)), "the password is tried too")
	opensNot(t, "sftp", connecting.With(s, "private_key", strange), domain.ConnRefused, "private_key")

	locked, public := keyText(t, "a phrase")
	server = sftp.New(t, sftp.Options{Authorized: public})
	s = connecting.With(server.Settings(), "password", "", "private_key", locked, "passphrase", "a phrase")
	require.Empty(t, list(t, registry(), "sftp", s))
	for setting, odd := range map[string]domain.Settings{
		"passphrase":  connecting.With(s, "passphrase", ""),
		"private_key": connecting.With(s, "private_key", "no key"),
		"password":    connecting.With(s, "private_key", "", "passphrase", ""),
	} {
		faults := registry().Check(t.Context(), domain.ReportSource{Connector: "sftp", Settings: odd})
		require.Len(t, faults, 1, setting)
		require.Equal(t, setting, faults[0].Setting)
		opensNot(t, "sftp", odd, domain.ConnRefused, setting)
	}
	logins := server.Logins()
	opensNot(t, "sftp", connecting.With(s, "passphrase", "another"), domain.ConnRefused, "passphrase")
	require.Equal(t, logins, server.Logins())
}

// A key whose passphrase takes minutes to try is refused before it is tried.
func TestSFTPKeysThatTakeLongAreRefused(t *testing.T) {
	text, _ := keyText(t, "a phrase")
	block, _ := pem.Decode([]byte(text))
	rounds := []byte{0, 0, 0, 16} // as the library writes them, after a salt of 16 bytes
	at := bytes.Index(block.Bytes, append([]byte("bcrypt\x00\x00\x00\x18\x00\x00\x00\x10"), block.Bytes[bytes.Index(block.Bytes, []byte("bcrypt"))+14:][:16]...)) + 30
	require.Equal(t, rounds, block.Bytes[at:at+4])
	server := sftp.New(t, sftp.Options{})
	for count, faults := range map[byte]int{200: 0, 201: 1} {
		block.Bytes[at+3] = count
		s := connecting.With(server.Settings(), "password", "", "private_key", string(pem.EncodeToMemory(block)), "passphrase", "a phrase")
		found := registry().Check(t.Context(), domain.ReportSource{Connector: "sftp", Settings: s})
		require.Len(t, found, faults, "%d rounds", count)
	}
}

// A key that is locked with a cipher that the library does not know is refused as a key, and not for its passphrase.
func TestSFTPKeysOfUnknownCiphersAreRefused(t *testing.T) {
	text, _ := keyText(t, "a phrase")
	block, _ := pem.Decode([]byte(text))
	block.Bytes = bytes.Replace(block.Bytes, []byte("aes256-ctr"), []byte("aes128-ctr"), 1)
	s := connecting.With(sftp.New(t, sftp.Options{}).Settings(), "password", "", "private_key", string(pem.EncodeToMemory(block)), "passphrase", "a phrase")
	require.Equal(t, domain.Faults{{Field: domain.FieldSetting, Setting: "private_key", Rule: domain.RuleForm, Value: "a key of ssh-keygen with -Z aes256-ctr"}},
		registry().Check(t.Context(), domain.ReportSource{Connector: "sftp", Settings: s}))
	opensNot(t, "sftp", s, domain.ConnRefused, "private_key")
}

func TestSFTPQuestionsAreAnsweredWithThePassword(t *testing.T) {
	server := sftp.New(t, sftp.Options{Questions: true})
	require.Empty(t, list(t, registry(), "sftp", server.Settings()))
	opensNot(t, "sftp", connecting.With(server.Settings(), "password", "another"), domain.ConnRefused, "password")
	server.Refuse(true)
	opensNot(t, "sftp", server.Settings(), domain.ConnRefused, "password")
}

func TestSFTPListsFilesAlone(t *testing.T) {
	server := sftp.New(t, sftp.Options{})
	at := time.Now()
	file := func(text string) sftp.File { return sftp.File{Content: []byte(text), Modified: at} }
	server.Put("in", sftp.File{Folder: true})
	server.Put("in/a.csv", file("a"))
	server.Put("in/deeper.csv", sftp.File{Folder: true, Modified: at})
	server.Put("in/deeper.csv/b.csv", file("b"))
	server.Put("in/pipe.csv", sftp.File{Mode: fs.ModeNamedPipe, Modified: at})
	server.Put("in/device.csv", sftp.File{Mode: fs.ModeDevice, Modified: at})
	server.Put("archive/2026.csv", file("linked"))
	server.Put("in/link.csv", sftp.File{Link: "/archive/2026.csv", Modified: at})
	server.Put("in/folder.csv", sftp.File{Link: "/in", Modified: at})
	server.Put("in/lost.csv", sftp.File{Link: "/nowhere.csv", Modified: at})
	server.Put("in/odd\nname\x1b[2J\xff\u202e.csv", file("odd"))
	server.Put("in/timeless.csv", sftp.File{Content: []byte("t"), Modified: time.Unix(0, 0)})
	s := connecting.With(server.Settings(), "folder", "in/")
	names := []string{"a.csv", "link.csv", "odd%0Aname%1B[2J%FF%E280AE.csv", "timeless.csv"}
	require.Equal(t, names, list(t, registry(), "sftp", s))

	opened := only.Value(open(t.Context(), registry(), "sftp", s))(t)
	defer func() { require.NoError(t, opened.Close()) }()
	files := only.Value(opened.List(t.Context(), at.Add(-time.Hour)))(t)
	require.Len(t, files, 4, "one without a time may be new")
	for i, text := range []string{"a", "linked", "odd", "t"} {
		require.Equal(t, text, string(only.Value(opened.Read(t.Context(), files[i], 100))(t)))
	}
	for _, folder := range []string{"nowhere", "in/a.csv", "/in/lost.csv"} {
		opensNot(t, "sftp", connecting.With(s, "folder", folder), domain.ConnNoFolder, "folder")
	}
}

// A file is never read in part: neither while it grows nor while it is replaced.
func TestSFTPFilesThatGrowAreNotRead(t *testing.T) {
	server := sftp.New(t, sftp.Options{})
	at := time.Now()
	server.Put("a.csv", sftp.File{Content: bytes.Repeat([]byte("a"), 100_000), Modified: at})
	opened, files := listing(t, registry(), "sftp", server.Settings())
	// It grows when it is opened, after the version was seen in the list.
	server.Before(func(request, file string) {
		if request == "Get" {
			server.Grow("a.csv", "more", at.Add(time.Second))
		}
	})
	_, err := opened.Read(t.Context(), files[0], 1<<20)
	require.Equal(t, domain.ConnGrowing, failure(t, err).Rule)
	require.Equal(t, "a.csv", failure(t, err).File)
	// It grows while it is read.
	server.Before(nil)
	files = only.Value(opened.List(t.Context(), time.Time{}))(t)
	stats := 0
	server.Before(func(request, file string) {
		if request == "Stat" {
			if stats++; stats == 2 {
				server.Grow("a.csv", "more", at.Add(2*time.Second))
			}
		}
	})
	_, err = opened.Read(t.Context(), files[0], 1<<20)
	require.Equal(t, domain.ConnGrowing, failure(t, err).Rule)
	require.GreaterOrEqual(t, stats, 2)
}

// A server cannot fill the memory with what nobody asked for.
func TestSFTPListsAreBounded(t *testing.T) {
	server := sftp.New(t, sftp.Options{})
	for i := range 2000 {
		server.Put(fmt.Sprintf("%s-%d.csv", strings.Repeat("n", 200), i), sftp.File{Modified: time.Now()})
	}
	r := registry(func(p *sources.Params) { p.Settings.Limits.ListBytes = 200_000 })
	opened := only.Value(open(t.Context(), r, "sftp", server.Settings()))(t)
	defer func() { require.NoError(t, opened.Close()) }()
	_, err := opened.List(t.Context(), time.Time{})
	require.Equal(t, domain.ConnManyBytes, failure(t, err).Rule)
	require.EqualValues(t, 200_000, failure(t, err).Limit)
	require.Len(t, list(t, registry(), "sftp", server.Settings()), 2000)
}

// Algorithms that are broken are not spoken.
func TestSFTPOldServersAreRefused(t *testing.T) {
	key := sftp.NewKey(t, "rsa")
	old := only.Value(ssh.NewSignerWithAlgorithms(key.(ssh.AlgorithmSigner), []string{ssh.KeyAlgoRSA}))(t)
	insecure := ssh.InsecureAlgorithms()
	for name, change := range map[string]func(*ssh.ServerConfig){
		"host key":     func(c *ssh.ServerConfig) { c.AddHostKey(old) },
		"key exchange": func(c *ssh.ServerConfig) { c.AddHostKey(key); c.KeyExchanges = insecure.KeyExchanges },
		"cipher":       func(c *ssh.ServerConfig) { c.AddHostKey(key); c.Ciphers = insecure.Ciphers },
	} {
		listener := network.NewUnruly(t)
		config := &ssh.ServerConfig{NoClientAuth: true}
		change(config)
		go func() {
			for {
				conn, err := listener.Accept()
				if err != nil {
					return
				}
				if c, _, _, err := ssh.NewServerConn(conn, config); err == nil {
					t.Errorf("signed in: %s", name)
					_ = c.Close()
				}
			}
		}()
		host, port := listener.HostPort()
		_, err := open(t.Context(), registry(), "sftp", domain.Settings{"host": host, "port": port, "user": "u", "password": "secret", "host_key": ssh.FingerprintSHA256(key.PublicKey())})
		require.Contains(t, []domain.ConnectorRule{domain.ConnAnswer, domain.ConnUnreachable}, failure(t, err).Rule, name)
		require.NotContains(t, err.Error(), "secret")
		require.NoError(t, listener.Close())
	}
}

// What is no SSH server gets no credentials, and is named.
func TestSFTPOtherServersAreNotUnderstood(t *testing.T) {
	listener := network.NewUnruly(t)
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			_, _ = conn.Write([]byte("HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n"))
			_ = conn.Close()
		}
	}()
	host, port := listener.HostPort()
	_, err := open(t.Context(), registry(), "sftp", domain.Settings{"host": host, "port": port, "user": "u", "password": "p"})
	require.Contains(t, []domain.ConnectorRule{domain.ConnAnswer, domain.ConnUnreachable}, failure(t, err).Rule)
}

func TestSourceSettingsHaveForms(t *testing.T) {
	good := domain.Settings{"host": "127.0.0.1", "port": "22", "user": "u", "password": "p"}
	bucket := domain.Settings{"endpoint": "https://127.0.0.1", "bucket": "acme", "access_key": "a", "secret_key": "s"}
	for _, c := range []struct {
		connector     domain.Connector
		of            domain.Settings
		setting, text string
		rule          domain.Rule // blank: none
	}{
		{"sftp", good, "port", "0", domain.RuleWhole},
		{"sftp", good, "port", "65536", domain.RuleWhole},
		{"sftp", good, "port", "+22", domain.RuleWhole},
		{"sftp", good, "port", "ssh", domain.RuleWhole},
		{"sftp", good, "port", " 2222 ", ""},
		{"sftp", good, "host", "sftp://127.0.0.1", domain.RuleHost},
		{"sftp", good, "host", "127.0.0.1:22", domain.RuleHost},
		{"sftp", good, "host", "münchen.example", domain.RuleASCII},
		{"sftp", good, "host", "LOCALHOST", ""},
		{"sftp", good, "user", strings.Repeat("u", 1001), domain.RuleLength},
		{"sftp", good, "user", "u\xff", domain.RuleLine},
		{"s3", bucket, "endpoint", "127.0.0.1", domain.RuleForm},
		{"s3", bucket, "endpoint", "ftp://127.0.0.1", domain.RuleForm},
		{"s3", bucket, "endpoint", "http://127.0.0.1:9000", ""},
		{"s3", bucket, "endpoint", "http://[::1]:9000/", ""},
		{"s3", bucket, "endpoint", "http://93.184.216.34", domain.RuleForm},
		{"s3", bucket, "endpoint", "https://user:pass@127.0.0.1", domain.RuleForm},
		{"s3", bucket, "endpoint", "https://127.0.0.1/bucket", domain.RuleForm},
		{"s3", bucket, "endpoint", "https://127.0.0.1?a=b", domain.RuleForm},
		{"s3", bucket, "endpoint", "https://127.0.0.1#a", domain.RuleForm},
		{"s3", bucket, "endpoint", "https://127.0.0.1:0", domain.RuleForm},
		{"s3", bucket, "endpoint", "https://127.0.0.1:", domain.RuleForm},
		{"s3", bucket, "endpoint", `https://127.0.0.1\@evil.example`, domain.RuleForm},
		{"s3", bucket, "bucket", "Acme", domain.RuleForm},
		{"s3", bucket, "bucket", "a/../b", domain.RuleForm},
		{"s3", bucket, "bucket", "ac", domain.RuleForm},
		{"s3", bucket, "region", "us east", domain.RuleForm},
		{"s3", bucket, "region", "auto", ""},
	} {
		faults := registry().Check(t.Context(), domain.ReportSource{Connector: c.connector, Settings: connecting.With(c.of, c.setting, c.text)})
		if c.rule == "" {
			require.Empty(t, faults, c.text)
			continue
		}
		require.Len(t, faults, 1, c.text)
		require.Equal(t, c.rule, faults[0].Rule, c.text)
		require.Equal(t, c.setting, faults[0].Setting)
		require.Equal(t, domain.FieldSetting, faults[0].Field)
	}
	require.Equal(t, "127.0.0.1:22", registry().Host(domain.ReportSource{Connector: "sftp", Settings: domain.Settings{"host": "127.0.0.1"}}))
	require.Equal(t, "s3.example:443", registry().Host(domain.ReportSource{Connector: "s3", Settings: domain.Settings{"endpoint": "https://S3.example/"}}))
	require.Empty(t, registry().Host(domain.ReportSource{Connector: "folder"}))
	require.Empty(t, registry().Host(domain.ReportSource{Connector: "nothing"}))
}
