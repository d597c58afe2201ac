package sources

import (
	"bufio"
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"strings"
	"sync"

	"milaan/domain"
)

// startTLSPort is the port on which mail servers begin without encryption. On any other one
// it is TLS from the first byte.
const startTLSPort = "143"

// What is wrong with a mail server before it speaks TLS, for the log.
var (
	errGreeting   = errors.New("imap: no greeting")
	errNoStartTLS = errors.New("imap: the server has no STARTTLS")
)

// wire is the connection of an IMAP client. It lets nothing through that grammar refuses, and
// keeps the first error, because the library returns only the text of it.
type wire struct {
	net.Conn
	answers grammar

	mu  sync.Mutex
	err error
}

// newWire returns the connection of a client, which reads something before anything of the server.
func newWire(conn net.Conn, before string) *wire {
	return &wire{Conn: conn, answers: grammar{server: bufio.NewReader(io.MultiReader(strings.NewReader(before), conn))}}
}

// Read reads what grammar accepts. After an error it returns that one for good, for the
// library reads on after one.
func (w *wire) Read(p []byte) (n int, err error) {
	if err := w.broken(); err != nil {
		return 0, err
	}
	n, err = w.answers.Read(p)
	w.keep(err)
	return n, err
}

// Write writes, and keeps the error.
func (w *wire) Write(p []byte) (int, error) {
	n, err := w.Conn.Write(p)
	w.keep(err)
	return n, err
}

// keep keeps the first error. The end of the connection is never the end of what was asked for.
func (w *wire) keep(err error) {
	if errors.Is(err, io.EOF) {
		err = io.ErrUnexpectedEOF
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.err = cmp.Or(w.err, err)
}

// broken returns the first error, or nil.
func (w *wire) broken() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.err
}

// dialMail connects to a mail server by TLS, from the first byte or by STARTTLS. Only to this
// machine, in development, is a connection left as it is if the server has neither.
func dialMail(ctx context.Context, network *network, host, port string) (*wire, error) {
	if port != startTLSPort {
		w, err := dialTLS(ctx, network, host, port)
		// A server that greets in plain text may still know STARTTLS.
		if _, greets := errors.AsType[tls.RecordHeaderError](err); !greets {
			return w, err
		}
	}
	plain, err := network.dial(ctx, host, port, false)
	if err != nil {
		return nil, err
	}
	w, err := startTLS(ctx, network, plain, host)
	if err != nil {
		_ = plain.Close() // the error says more
	}
	return w, err
}

func dialTLS(ctx context.Context, network *network, host, port string) (*wire, error) {
	plain, err := network.dial(ctx, host, port, false)
	if err != nil {
		return nil, err
	}
	secure := tls.Client(plain, network.tls(host))
	if err := secure.HandshakeContext(ctx); err != nil {
		_ = plain.Close() // the error says more
		return nil, err
	}
	return newWire(secure, ""), nil
}

// startTLS makes a plain connection a secure one before the library sees it, which could not
// check its bytes otherwise. Nothing that the server says before counts for anything.
func startTLS(ctx context.Context, network *network, plain net.Conn, host string) (*wire, error) {
	greeting, err := lineOf(plain)
	if err != nil {
		return nil, err
	}
	if !strings.HasPrefix(strings.ToUpper(greeting), "* OK") {
		return nil, &domain.ConnectorError{Rule: domain.ConnAnswer, Cause: errGreeting}
	}
	if _, err := io.WriteString(plain, "S STARTTLS\r\n"); err != nil {
		return nil, err
	}
	answer := "*"
	for lines := 0; strings.HasPrefix(answer, "*") && lines < mostLinesBefore; lines++ {
		if answer, err = lineOf(plain); err != nil {
			return nil, err
		}
	}
	if strings.HasPrefix(strings.ToUpper(answer), "S OK") {
		secure := tls.Client(plain, network.tls(host))
		if err := secure.HandshakeContext(ctx); err != nil {
			return nil, err
		}
		return newWire(secure, greeted), nil
	}
	if network.guard.IsOwn(host) {
		return newWire(plain, greeted), nil
	}
	return nil, &domain.ConnectorError{Rule: domain.ConnAnswer, Cause: errNoStartTLS}
}

// mostLinesBefore is how many lines a server may send before it answers STARTTLS.
const mostLinesBefore = 20

// greeted is the greeting that the library waits for on a connection that was greeted before.
const greeted = "* OK ready\r\n"

// lineOf reads a line byte by byte, so that nothing behind it is taken from TLS.
func lineOf(conn net.Conn) (string, error) {
	var text []byte
	for one := make([]byte, 1); len(text) < mostStatusBytes; {
		if _, err := io.ReadFull(conn, one); err != nil {
			return "", err
		}
		if one[0] == '\n' {
			return strings.TrimRight(string(text), "\r"), nil
		}
		text = append(text, one[0])
	}
	return "", &domain.ConnectorError{Rule: domain.ConnAnswer, Cause: errStatus}
}
