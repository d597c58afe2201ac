package httpapi

import (
	"bufio"
	"io"
	"net"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"
)

// TestEveryRefusedUploadIsAnswered has many clients at once send all of a body that is refused,
// of every size and in pieces, before they read the answer. With MILAAN_SOAK they are
// thousands.
func TestEveryRefusedUploadIsAnswered(t *testing.T) {
	t.Parallel()
	const atOnce = 200
	uploads := map[string]int{"": 300, "short": 5_000}
	n, known := uploads[os.Getenv("MILAAN_SOAK")]
	if !known {
		n = 20_000
	}
	s := start(t, nil)
	piece := strings.Repeat("x", 64<<10)
	var clients errgroup.Group
	clients.SetLimit(atOnce)
	var answered atomic.Int32
	for i := range n {
		clients.Go(func() error {
			conn, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", s.server.Addr().String())
			if err != nil {
				return err
			}
			defer func() { _ = conn.Close() }()
			if err := conn.SetDeadline(time.Now().Add(time.Minute)); err != nil {
				return err
			}
			pieces := 1 + i%20
			header, end := "Content-Length: "+strconv.Itoa(pieces*len(piece)), ""
			if i%3 == 0 {
				header, end = "Transfer-Encoding: chunked", "\r\n0\r\n\r\n"
			}
			if _, err := io.WriteString(conn, strings.ReplaceAll(head, "\n", "\r\n")+header+"\r\n\r\n"); err != nil {
				return err
			}
			if end != "" {
				if _, err := io.WriteString(conn, strconv.FormatInt(int64(pieces*len(piece)), 16)+"\r\n"); err != nil {
					return err
				}
			}
			for range pieces {
				if _, err := io.WriteString(conn, piece); err != nil {
					return err
				}
			}
			if _, err := io.WriteString(conn, end+strings.Repeat("\r\n", i%2)); err != nil {
				return err
			}
			answer, err := http.ReadResponse(bufio.NewReader(conn), nil)
			if err != nil {
				return err
			}
			defer func() { _ = answer.Body.Close() }()
			if _, err := io.Copy(io.Discard, answer.Body); err != nil {
				return err
			}
			if answer.StatusCode == http.StatusUnauthorized {
				answered.Add(1)
			}
			return nil
		})
	}
	require.NoError(t, clients.Wait())
	require.EqualValues(t, n, answered.Load())
}

// TestARefusalReachesAClientThatSendsSlowly has a client send its refused body for longer than
// a connection may be silent, and read the answer only then.
func TestARefusalReachesAClientThatSendsSlowly(t *testing.T) {
	t.Parallel()
	const pieces, silence = 16, time.Second // a tenth of it lies between two pieces, as a busy machine delays them
	s := start(t, func(s *Settings) { s.LingerTimeout = silence })
	conn, piece := s.dial(t), strings.Repeat("x", 64<<10)
	conn.say(t, head+"Content-Length: %d\n\n", pieces*len(piece))
	pace := time.NewTicker(silence / 10)
	defer pace.Stop()
	for range pieces {
		<-pace.C
		conn.say(t, "%s", piece)
	}
	require.Equal(t, http.StatusUnauthorized, conn.hear(t).status)
}
