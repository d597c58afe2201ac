package httpapi

import (
	"bufio"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"milaan/domain"
	"milaan/ports"
	"milaan/tests/fakes/web"
	"milaan/tests/only"
)

// padded is a good body of exactly n bytes.
func padded(n int) string {
	return `{"shopify":"a","courier":"b"` + strings.Repeat(" ", n-len(`{"shopify":"a","courier":"b"}`)) + `}`
}

// unsized hides a body's length, so that it is sent in chunks.
type unsized struct{ io.Reader }

// raw is a connection on which a test speaks HTTP by hand.
type raw struct {
	net.Conn
	in *bufio.Reader
}

func (s *service) dial(t *testing.T) raw {
	t.Helper()
	return dial(t, s.server.Addr())
}

func dial(t *testing.T, to net.Addr) raw {
	t.Helper()
	conn := only.Value((&net.Dialer{}).DialContext(t.Context(), "tcp", to.String()))(t)
	t.Cleanup(func() { _ = conn.Close() })
	require.NoError(t, conn.SetDeadline(time.Now().Add(time.Minute)))
	return raw{conn, bufio.NewReader(conn)}
}

func (r raw) say(t *testing.T, format string, args ...any) {
	t.Helper()
	require.NoError(t, only.Err(fmt.Fprintf(r, strings.ReplaceAll(format, "\n", "\r\n"), args...)))
}

func (r raw) hear(t *testing.T) reply {
	t.Helper()
	answer, err := http.ReadResponse(r.in, nil)
	require.NoError(t, err)
	defer answer.Body.Close()
	body := only.Value(io.ReadAll(answer.Body))(t)
	if answer.Close { // ReadResponse has taken it out of the header
		answer.Header.Set("Connection", "close")
	}
	return reply{answer.StatusCode, answer.Header, string(body)}
}

// probe asks for /healthz, and leaves the connection open.
func (r raw) probe(t *testing.T) {
	t.Helper()
	r.say(t, "GET /healthz HTTP/1.1\nHost: milaan\n\n")
	require.Equal(t, 200, r.hear(t).status)
}

const head = "POST /reconcile HTTP/1.1\nHost: milaan\nContent-Type: application/json\n"

// A client that sends all of a large body before it reads sees its refusal,
// not a reset of the connection.
func TestARefusalReachesAClientThatSendsFirst(t *testing.T) {
	t.Parallel()
	s := start(t, func(s *Settings) { s.LingerTimeout = time.Minute }) // a busy machine may need more than the 2 s of the default
	filler := strings.Repeat("x", 1<<20)
	for name, c := range map[string]struct {
		header string
		size   int
		status int
	}{
		"no key":                {"Content-Length: %d\n\n", 20 << 20, 401},
		"no key, small":         {"Content-Length: %d\n\n", 1 << 20, 401},
		"too large":             {"Authorization: Bearer k\nContent-Length: %d\n\n", 26 << 20, 413},
		"too large, in chunks":  {"Authorization: Bearer k\nTransfer-Encoding: chunked\n\n%x\n", 27 << 20, 413},
		"no key, in chunks":     {"Transfer-Encoding: chunked\n\n%x\n", 20 << 20, 401},
		"asked for and refused": {"Authorization: Bearer k\nExpect: 100-continue\nTransfer-Encoding: chunked\n\n%x\n", 27 << 20, 413},
	} {
		t.Run(name, func(t *testing.T) {
			conn := s.dial(t)
			conn.say(t, head+c.header, c.size)
			for range c.size / len(filler) {
				conn.say(t, "%s", filler)
			}
			if strings.Contains(c.header, "chunked") {
				conn.say(t, "\n0\n\n")
			}
			got := conn.hear(t)
			if got.status == http.StatusContinue {
				got = conn.hear(t)
			}
			require.Equal(t, c.status, got.status)
			require.Equal(t, "close", got.header.Get("Connection"))
			require.ErrorIs(t, only.Err(conn.in.ReadByte()), io.EOF, "the connection ends")
		})
	}
}

// A small body that was refused unread does not cost the connection.
func TestASmallRefusalKeepsTheConnection(t *testing.T) {
	s := start(t, nil)
	conn := s.dial(t)
	for range 2 {
		conn.say(t, head+"Content-Length: 9\n\n")
		conn.say(t, "some text")
		require.Equal(t, 401, conn.hear(t).status)
	}
	conn.say(t, head+"Authorization: Bearer k\nContent-Length: %d\n\n", len(goodBody))
	conn.say(t, "%s", goodBody)
	require.Equal(t, 200, conn.hear(t).status)
}

// net/http reads the rest of a small body before it answers. One that does not
// come keeps no answer back for longer than lingering does, whatever the path.
func TestAnUnreadBodyKeepsNoAnswerBack(t *testing.T) {
	t.Parallel()
	s := start(t, func(s *Settings) { s.LingerTimeout = 20 * time.Millisecond })
	for path, status := range map[string]int{"/healthz": 200, "/docs": 200, "/metrics": 200, "/demo": 200, "/nowhere": 404} {
		conn := s.dial(t)
		conn.say(t, "GET %s HTTP/1.1\nHost: milaan\nContent-Length: 100\n\n", path)
		require.Equal(t, status, conn.hear(t).status, path)
	}
}

func TestABodyIsNotAskedForBeforeTheKeyIsKnown(t *testing.T) {
	s := start(t, nil)
	conn := s.dial(t)
	conn.say(t, head+"Expect: 100-continue\nContent-Length: 20000000\n\n")
	got := conn.hear(t)
	demandError(t, got, 401, said(domain.ErrKey))

	conn = s.dial(t)
	conn.say(t, head+"Authorization: Bearer k\nExpect: 100-continue\nContent-Length: %d\n\n", len(goodBody))
	require.Equal(t, http.StatusContinue, conn.hear(t).status)
	conn.say(t, "%s", goodBody)
	require.Equal(t, 200, conn.hear(t).status)
}

func TestASlowBodyEnds(t *testing.T) {
	s := start(t, func(s *Settings) { s.BodyTimeout = 20 * time.Millisecond })
	for name, header := range map[string]string{"length known": "Content-Length: 100\n\n", "in chunks": "Transfer-Encoding: chunked\n\n64\n"} {
		t.Run(name, func(t *testing.T) {
			conn := s.dial(t)
			conn.say(t, head+"Authorization: Bearer k\n"+header+"{")
			demandError(t, conn.hear(t), http.StatusRequestTimeout, said(errSlowBody))
			require.ErrorIs(t, only.Err(conn.in.ReadByte()), io.EOF)
		})
	}
	require.NotContains(t, s.asked(), "check")
	require.Zero(t, figure(t, s.server.figures, "milaan_body_bytes"))
}

// late is a body that is a while in coming.
type late struct {
	io.Reader
	by time.Duration
}

func (l *late) Read(p []byte) (int, error) {
	time.Sleep(l.by) // synctest's clock
	l.by = 0
	return l.Reader.Read(p)
}

func TestAKeyMayBeRevokedWhileABodyIsSent(t *testing.T) {
	for path, media := range map[string]string{"/reconcile": "application/json", "/reconcile/batch": "application/json", "/report": "application/json",
		"/reconcile/files": "multipart/form-data; boundary=b"} {
		for by, want := range map[time.Duration]int{soonEnough: 1, soonEnough + 1: 3} {
			synctest.Test(t, func(t *testing.T) {
				s := &service{}
				s.admit = func(context.Context, string) (ports.Caller, error) {
					if slices.Contains(s.asked(), "again "+goodKey) {
						return ports.Caller{}, domain.ErrKey
					}
					return ports.Caller{}, nil
				}
				s.server = only.Value(New(s.params(nil)))(t)
				s.server.transport.loopback = true
				r, w := httptest.NewRequest(http.MethodPost, path, &late{strings.NewReader("{"), by}), httptest.NewRecorder()
				r.RemoteAddr, r.Header = "127.0.0.1:1", http.Header{"Content-Type": {media}, "Authorization": {"Bearer " + goodKey}}
				s.server.public.Handler.ServeHTTP(w, r)
				require.Equal(t, []string{"admit " + goodKey, "again " + goodKey, "revoked? " + goodKey + " 127.0.0.1"}[:want], s.asked(), path)
				require.Equal(t, map[bool]int{true: 400, false: 401}[want == 1], w.Code, path)
				require.Zero(t, figure(t, s.server.figures, "milaan_body_bytes"))
			})
		}
	}
}

func TestASlowHeaderEnds(t *testing.T) {
	s := start(t, func(s *Settings) { s.HeaderTimeout = 20 * time.Millisecond })
	conn := s.dial(t)
	conn.say(t, "POST /reconcile HTTP/1.1\nHost:")
	_, err := io.ReadAll(conn.in)
	// If the line came too late even for its first bytes, they reset the
	// connection.
	require.NotErrorIs(t, err, os.ErrDeadlineExceeded, "the connection ends")
}

func TestAHeaderHasItsLimit(t *testing.T) {
	t.Parallel()
	s := start(t, nil)
	require.Equal(t, 200, s.call(t, "GET", "/healthz", "X-Filler", strings.Repeat("x", 30<<10)).status)
	require.Equal(t, 431, s.call(t, "GET", "/healthz", "X-Filler", strings.Repeat("x", 40<<10)).status)
}

// A client that leaves is no fault of ours: its request ends, what it held is
// given back, and the log has no error.
func TestClientsMayLeave(t *testing.T) {
	t.Run("while its files are reconciled", func(t *testing.T) {
		s := start(t, nil)
		ended := make(chan error, 1)
		working := make(chan struct{})
		s.reconcile = func(ctx context.Context, _ caller, _ request) (*outcome, error) {
			close(working)
			<-ctx.Done()
			ended <- ctx.Err()
			return nil, domain.ErrDatabase.Caused(ctx.Err())
		}
		ctx, leave := context.WithCancel(t.Context())
		go func() { <-working; leave() }()
		require.ErrorIs(t, only.Err(attempt(s.post(t, text(goodBody)).WithContext(ctx))), context.Canceled)
		require.ErrorIs(t, <-ended, context.Canceled)
		require.NoError(t, s.server.Stop(t.Context()))
		require.Contains(t, s.log.String(), "status=499")
		require.NotContains(t, s.log.String(), "request failed")
		require.EqualValues(t, 1, figure(t, s.server.figures, "milaan_runs_total", "outcome", "client_gone"))
	})
	t.Run("in the middle of its answer", func(t *testing.T) {
		s := start(t, nil)
		begun := make(chan struct{})
		s.write = func(w writer, _ *outcome, _ bool) error {
			chunk := []byte(strings.Repeat("x", 1<<20))
			for i := range 4096 {
				if _, err := w.Write(chunk); err != nil {
					return fmt.Errorf("write the results: %w", err)
				}
				if i == 0 {
					close(begun)
				}
			}
			return errors.New("nobody left")
		}
		conn := s.dial(t)
		conn.say(t, head+"Authorization: Bearer k\nContent-Length: %d\n\n%s", len(goodBody), goodBody)
		<-begun
		require.NoError(t, conn.Close())
		require.NoError(t, s.server.Stop(t.Context()))
		require.Equal(t, 1, s.released)
		require.Contains(t, s.log.String(), "the client went away")
		require.NotContains(t, s.log.String(), "level=ERROR")
		require.Zero(t, figure(t, s.server.figures, "milaan_body_bytes"))
	})
}

// Whoever is refused by the header holds no memory while the rest comes.
func TestRefusedRequestsHoldNoMemory(t *testing.T) {
	t.Parallel()
	s := start(t, func(s *Settings) { s.LingerTimeout = time.Minute })
	for _, refusal := range []error{domain.ErrKey, domain.ErrPhone, domain.ErrRate(time.Minute)} {
		s.admit = func(context.Context, string) (caller, error) { return caller{}, refusal }
		conn := s.dial(t)
		conn.say(t, head+"Authorization: Bearer k\nContent-Length: %d\n\n{", 20<<20)
		require.GreaterOrEqual(t, conn.hear(t).status, 400)
		require.Zero(t, figure(t, s.server.figures, "milaan_body_bytes"))
		require.NoError(t, conn.Close())
	}
}

// An account has four requests in flight, however they come: on connections of
// their own or as streams of one, with a length or without.
func TestTheFifthRequestOfAnAccountIsToldToComeAgain(t *testing.T) {
	cert, key, roots := web.Certificate(t)
	for name, files := range map[string][2]string{"HTTP/1.1": {}, "HTTP/2": {cert, key}} {
		t.Run(name, func(t *testing.T) {
			s := start(t, func(s *Settings) { s.BodyWait, s.TLSCert, s.TLSKey = 30*time.Millisecond, files[0], files[1] })
			s.admit = func(_ context.Context, secret string) (caller, error) {
				return caller{Account: domain.Account{ID: secret}}, nil
			}
			working, finish := make(chan struct{}), make(chan struct{})
			s.reconcile = func(_ context.Context, c caller, _ request) (*outcome, error) {
				if c.Account.ID == "busy" {
					working <- struct{}{}
					<-finish
				}
				return s.outcome(storedRun), nil
			}
			transport := &http.Transport{ForceAttemptHTTP2: true, TLSClientConfig: &tls.Config{RootCAs: roots}}
			defer transport.CloseIdleConnections()
			send := func(account string, body io.Reader, header ...string) int {
				r := s.post(t, body)
				if files[0] != "" {
					r.URL.Scheme = "https"
				}
				r.Header.Set("Authorization", "Bearer "+account)
				for _, name := range header {
					r.Header.Set(name, "100-continue")
				}
				answer, err := transport.RoundTrip(r)
				if err != nil {
					t.Error(err)
					return 0
				}
				_, _ = io.Copy(io.Discard, answer.Body)
				_ = answer.Body.Close()
				return answer.StatusCode
			}
			answers := make(chan int, 4)
			for range 4 {
				go func() { answers <- send("busy", text(goodBody)) }()
				<-working
			}
			require.Equal(t, 503, send("busy", text(goodBody)))
			require.Equal(t, 503, send("busy", unsized{text(goodBody)}))
			require.Equal(t, 503, send("busy", text(goodBody), "Expect"))
			require.Equal(t, 200, send("other", text(goodBody)))
			close(finish)
			for range 4 {
				require.Equal(t, 200, <-answers)
			}
			require.Zero(t, figure(t, s.server.figures, "milaan_body_bytes"))
		})
	}
}

// The connections of probes are not among those of clients.
func TestOperatorsConnectionsDoNotCount(t *testing.T) {
	s := start(t, func(s *Settings) { s.MetricsAddr = "127.0.0.1:0" })
	dial(t, s.server.metricsAt).probe(t)
	require.Zero(t, figure(t, s.server.figures, "milaan_connections"))
	s.dial(t).probe(t)
	require.EqualValues(t, 1, figure(t, s.server.figures, "milaan_connections"))
}

// The service keeps to its limits: those that are slow with their header give
// way, and those whose request is being served stay.
func TestTheServiceKeepsToItsConnections(t *testing.T) {
	s := start(t, func(s *Settings) { s.MaxConnections, s.MaxPerPeer = 3, 3 })
	working, finish := make(chan struct{}), make(chan struct{})
	s.reconcile = func(context.Context, caller, request) (*outcome, error) {
		working <- struct{}{}
		<-finish
		return s.outcome(storedRun), nil
	}
	busy := s.dial(t)
	busy.say(t, head+"Authorization: Bearer k\nContent-Length: %d\n\n%s", len(goodBody), goodBody)
	<-working
	slow := s.dial(t)
	slow.say(t, "POST /reconcile HTTP/1.1\nHost:")
	for range 10 {
		require.Equal(t, 200, s.call(t, "GET", "/healthz").status)
		s.dial(t).probe(t)
	}
	_, err := slow.in.ReadByte()
	require.Error(t, err, "the slow one had to give way")
	require.NotErrorIs(t, err, os.ErrDeadlineExceeded)

	for range 2 {
		conn := s.dial(t)
		conn.say(t, head+"Authorization: Bearer k\nContent-Length: %d\n\n%s", len(goodBody), goodBody)
		<-working
	}
	require.NotErrorIs(t, only.Err(io.ReadAll(s.dial(t).in)), os.ErrDeadlineExceeded, "the fourth is closed at once")
	require.Positive(t, figure(t, s.server.figures, "milaan_connections_refused_total", "reason", "peer_limit"))
	close(finish)
	require.Equal(t, 200, busy.hear(t).status)
}
