// Package smtp is a mail server on this machine for tests.
package smtp

import (
	"errors"
	"io"
	"net"
	"slices"
	"sync"
	"testing"
	"time"

	"milaan/tests/fakes/locked"
	"milaan/tests/fakes/network"

	"github.com/emersion/go-sasl"
	"github.com/emersion/go-smtp"
	"github.com/stretchr/testify/require"
)

// Mail is what the server has taken.
type Mail struct {
	From, To string
	Data     string // headers and text, as sent
}

// Server is a server on loopback, which takes every mail.
type Server struct {
	Addr string // host:port

	mu     sync.Mutex
	mails  []Mail
	refuse error
	lose   error
	user   string
	secret string
}

// New starts a server that ends with the test. A user, if it is not blank, must sign in.
func New(t testing.TB, user, password string) *Server {
	s := &Server{user: user, secret: password}
	server := smtp.NewServer(s)
	server.Domain, server.AllowInsecureAuth = "localhost", true
	server.ReadTimeout, server.WriteTimeout = time.Minute, time.Minute
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	s.Addr = listener.Addr().String()
	network.Serve(t, server.Serve, listener, server)
	return s
}

// Mails are the mails that were taken so far.
func (s *Server) Mails() []Mail {
	return locked.Get(&s.mu, func() []Mail { return slices.Clone(s.mails) })
}

// Refuse makes the server refuse every mail; nil: take it again.
func (s *Server) Refuse(err error) { locked.Do(&s.mu, func() { s.refuse = err }) }

// Lose makes the server take every mail and answer with an error all the same, as a connection
// that ends before the answer does; nil: answer as usual.
func (s *Server) Lose(err error) { locked.Do(&s.mu, func() { s.lose = err }) }

// NewSession fills smtp.Backend.
func (s *Server) NewSession(*smtp.Conn) (smtp.Session, error) { return &session{server: s}, nil }

type session struct {
	server   *Server
	from, to string
	signedIn bool
}

func (s *session) AuthMechanisms() []string { return []string{sasl.Plain} }

func (s *session) Auth(string) (sasl.Server, error) {
	return sasl.NewPlainServer(func(_, user, password string) error {
		if user != s.server.user || password != s.server.secret {
			return errors.New("refused")
		}
		s.signedIn = true
		return nil
	}), nil
}

func (s *session) Mail(from string, _ *smtp.MailOptions) error {
	if s.server.user != "" && !s.signedIn {
		return smtp.ErrAuthRequired
	}
	s.from = from
	return nil
}

func (s *session) Rcpt(to string, _ *smtp.RcptOptions) error {
	s.to = to
	return nil
}

func (s *session) Data(r io.Reader) error {
	data, err := io.ReadAll(r)
	if err != nil {
		return err
	}
	s.server.mu.Lock()
	defer s.server.mu.Unlock()
	if s.server.refuse != nil {
		return s.server.refuse
	}
	s.server.mails = append(s.server.mails, Mail{From: s.from, To: s.to, Data: string(data)})
	return s.server.lose
}

func (s *session) Reset()        {}
func (s *session) Logout() error { return nil }
