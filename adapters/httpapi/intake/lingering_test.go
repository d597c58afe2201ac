package intake

import (
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

// sent is a piece that is sent the given number of times, each time after a pause.
type sent struct {
	pause         time.Duration
	piece, pieces int
}

// sender is the connection of a client that sends, and then closes its side.
type sender struct {
	fakeConn
	sent

	mu       sync.Mutex
	deadline time.Time
	read     int
	half     bool // the answer has ended
	cutAfter time.Duration
	begun    time.Time
}

func (s *sender) SetReadDeadline(at time.Time) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.deadline = at
	return nil
}

// Read sleeps without the lock: a bubble's clock stands still while somebody waits for a lock.
func (s *sender) Read(into []byte) (int, error) {
	s.mu.Lock()
	pieces, left := s.pieces, time.Until(s.deadline)
	s.mu.Unlock()
	if pieces == 0 {
		return 0, io.EOF
	}
	if left < s.pause {
		time.Sleep(left) // synctest's clock
		return 0, os.ErrDeadlineExceeded
	}
	time.Sleep(s.pause)
	s.mu.Lock()
	defer s.mu.Unlock()
	n := min(len(into), s.piece)
	s.pieces--
	s.read += n
	return n, nil
}

func (s *sender) CloseWrite() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.half = true
	return nil
}

func (s *sender) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.closed {
		s.closed, s.cutAfter = true, time.Since(s.begun)
	}
	return nil
}

// refuse has an intake serve a request of a client that is refused without a look at its body,
// and end the connection.
func (in *Intake) refuse(t *testing.T, s *sender, header ...string) {
	t.Helper()
	s.from, s.begun = "192.0.2.1:1", time.Now()
	conn := in.public.admit(s)
	require.NotNil(t, conn)
	r := httptest.NewRequestWithContext(NoteConnection(t.Context(), conn), http.MethodPost, "/reconcile", s)
	r.ContentLength = MaxBody
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	refused := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusUnauthorized) })
	in.Handler(refused, func() bool { return false }).ServeHTTP(httptest.NewRecorder(), r)
	require.NoError(t, conn.Close())
}

// TestARefusedConnectionLingers ends connections whose clients still send: each is closed once
// the client has closed its side, and cut if it sends too little or too much.
func TestARefusedConnectionLingers(t *testing.T) {
	const second = time.Second
	for name, c := range map[string]struct {
		from  sent
		after time.Duration
		read  int
	}{
		"sends on for a while":    {sent{pause: second / 2, piece: lingerPiece, pieces: 100}, 50 * second, 100 * lingerPiece},
		"sends nothing":           {sent{pause: time.Hour, piece: 1, pieces: 1}, 2 * second, 0},
		"drips":                   {sent{pause: second * 9 / 10, piece: 1, pieces: 1000}, paceGrace, 5},
		"sends less than allowed": {sent{pause: second * 9 / 10, piece: 20 << 10, pieces: 1000}, paceGrace, 5 * 20 << 10},
		"sends all it can":        {sent{piece: lingerPiece, pieces: 1 << 30}, 0, lingerBytes},
		"has closed its side":     {sent{}, 0, 0},
	} {
		for _, header := range [][]string{nil, {"Expect", "100-continue"}} {
			inBubble(t, name, func(t *testing.T) {
				in, s := newTestIntake(MaxBody, second), sender{sent: c.from}
				in.refuse(t, &s, header...)
				in.AwaitLingering(t.Context())
				require.True(t, s.half, "the client sees the end of the answer")
				require.True(t, s.closed)
				require.InDelta(t, c.after.Seconds(), s.cutAfter.Seconds(), 0.5)
				require.Equal(t, c.read, s.read)
				require.Zero(t, in.public.open)
			})
		}
	}
}

// TestManyRefusedConnections holds that only a limited number of connections is read at once, and that further
// ones stay open for a while unread.
func TestManyRefusedConnections(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		in := newTestIntake(MaxBody, time.Second)
		all := make([]sender, lingerersAtOnce+1)
		for i := range all {
			all[i].sent = sent{pause: 500 * time.Millisecond, piece: lingerPiece, pieces: 10}
			in.refuse(t, &all[i])
			synctest.Wait()
		}
		in.AwaitLingering(t.Context())
		for i := range all[:lingerersAtOnce] {
			require.Equal(t, 10*lingerPiece, all[i].read)
		}
		last := &all[lingerersAtOnce]
		require.True(t, last.half)
		require.Zero(t, last.read)
		require.Equal(t, 2*time.Second, last.cutAfter)
	})
}

// TestALingeringConnectionGivesWay holds that a new connection takes the place of one that
// lingers.
func TestALingeringConnectionGivesWay(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		in := taking(func(s *Settings) { s.MaxConnections = 1 })
		s := &sender{sent: sent{pause: time.Second, piece: lingerPiece, pieces: 3}}
		in.refuse(t, s)
		synctest.Wait() // it reads
		require.NotNil(t, in.public.admit(&fakeConn{from: "192.0.2.2:1"}))
		require.True(t, s.closed)
		require.Zero(t, s.cutAfter)
		in.AwaitLingering(t.Context())
	})
}
