// Package imap is a mail server on this machine for tests: imapmemserver by TLS with a
// self-made certificate, by STARTTLS, or in plain text. It misbehaves as a test says.
package imap

import (
	"crypto/tls"
	"io"
	"log"
	"net"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/emersion/go-imap/v2"
	"github.com/emersion/go-imap/v2/imapserver"
	"github.com/emersion/go-imap/v2/imapserver/imapmemserver"
	"github.com/stretchr/testify/require"

	"milaan/tests/fakes/locked"
	"milaan/tests/fakes/network"
	"milaan/tests/only"
)

// What New's servers have and whom they let in.
const (
	User     = "accounts@shop.example"
	Password = "an app password of no worth ₹"
	Mailbox  = "INBOX"
)

// Way is how a server is spoken to.
type Way uint8

// The ways.
const (
	TLS Way = iota
	StartTLS
	Plain
)

// Server is a server that runs until the test ends. It is safe for concurrent use.
type Server struct {
	*network.Unruly
	user *imapmemserver.User

	mu       sync.Mutex
	commands strings.Builder
	said     int
	refusal  *imap.Error
}

// New starts a server with an empty Mailbox.
func New(t testing.TB, way Way) *Server {
	s := &Server{Unruly: network.NewUnruly(t), user: imapmemserver.NewUser(User, Password)}
	s.Create(t, Mailbox)
	users := imapmemserver.New()
	users.AddUser(s.user)
	options := &imapserver.Options{
		NewSession: func(*imapserver.Conn) (imapserver.Session, *imapserver.GreetingData, error) {
			return session{users.NewSession().(imapserver.SessionIMAP4rev2), s}, nil, nil
		},
		Caps:         imap.CapSet{imap.CapIMAP4rev1: {}, imap.CapIMAP4rev2: {}},
		Logger:       log.New(io.Discard, "", 0),
		InsecureAuth: way == Plain,
		DebugWriter:  transcript{s},
	}
	secure := &tls.Config{Certificates: Certificate()}
	var listener net.Listener = s.Unruly
	switch way {
	case TLS:
		listener = tls.NewListener(s.Unruly, secure)
	case StartTLS:
		options.TLSConfig = secure
	}
	server := imapserver.New(options)
	network.Serve(t, server.Serve, listener, server, s.Unruly)
	return s
}

// Certificate returns a certificate that no authority has made, for example.com and this
// machine.
func Certificate() []tls.Certificate {
	s := httptest.NewTLSServer(nil)
	defer s.Close()
	return s.TLS.Certificates
}

// Settings returns how milaan connects to it, and takes everybody's mails.
func (s *Server) Settings() map[string]string {
	host, port := s.HostPort()
	return map[string]string{"host": host, "port": port, "user": User, "password": Password, "sender_check": "off"}
}

// Create adds a folder.
func (s *Server) Create(t testing.TB, mailbox string) {
	require.NoError(t, s.user.Create(mailbox, nil))
}

// Add delivers a mail, and returns its number.
func (s *Server) Add(t testing.TB, mailbox string, received time.Time, mail []byte, flags ...imap.Flag) imap.UID {
	data := only.Value(s.user.Append(mailbox, literal{strings.NewReader(string(mail))}, &imap.AppendOptions{Time: received, Flags: flags}))(t)
	return data.UID
}

// Remove deletes a mail for good.
func (s *Server) Remove(t testing.TB, mailbox string, uid imap.UID) {
	view := imapmemserver.NewUserSession(s.user)
	require.NoError(t, only.Err(view.Select(mailbox, nil)))
	set := imap.UIDSetNum(uid)
	require.NoError(t, view.Store(&imapserver.FetchWriter{}, set, &imap.StoreFlags{Op: imap.StoreFlagsAdd, Silent: true, Flags: []imap.Flag{imap.FlagDeleted}}, nil))
	require.NoError(t, view.Expunge(nil, &set))
	require.NoError(t, view.Close())
}

// Refuse makes the server answer every sign-in with an error; nil: as usual.
func (s *Server) Refuse(with *imap.Error) { locked.Do(&s.mu, func() { s.refusal = with }) }

// Commands returns what clients have said so far, and how many bytes the server has.
func (s *Server) Commands() (text string, said int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.commands.String(), s.said
}

// literal fills imap.LiteralReader.
type literal struct{ *strings.Reader }

// transcript notes what is said. What the server says begins with * or +, or with a tag and a
// status, or belongs to such a line; what clients say does not.
type transcript struct{ *Server }

func (t transcript) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if text := string(p); strings.HasPrefix(text, "T") && !strings.Contains(strings.SplitN(text, "\r\n", 2)[0], " OK") {
		t.commands.WriteString(text)
	} else {
		t.said += len(p)
	}
	return len(p), nil
}

// session is a client that has connected.
type session struct {
	imapserver.SessionIMAP4rev2
	of *Server
}

func (s session) Login(user, password string) error {
	s.of.mu.Lock()
	refusal := s.of.refusal
	s.of.mu.Unlock()
	if refusal != nil {
		return refusal
	}
	return s.SessionIMAP4rev2.Login(user, password)
}
