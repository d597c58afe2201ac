package intake

import (
	"bytes"
	"context"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"milaan/tests/only"
)

// slowReader is the connection of an answer to a client that takes it at a rate.
// It has the send buffer that Linux makes of sendBuffer: who writes to it once it
// is full waits until a third of it is free, or for the deadline.
type slowReader struct {
	*httptest.ResponseRecorder
	rate     int // bytes a second; 0: all at once
	deadline time.Time

	queued  int       // bytes that the client has not taken
	counted time.Time // when that was so
}

func (w *slowReader) SetWriteDeadline(at time.Time) error {
	w.deadline = at
	return nil
}

func (w *slowReader) Write(p []byte) (int, error) {
	if w.rate == 0 {
		return len(p), nil
	}
	const buffer = 2 * sendBuffer
	for left := len(p); ; {
		now := time.Now()
		w.queued -= min(w.queued, int(now.Sub(w.counted)*time.Duration(w.rate)/time.Second))
		w.counted = now
		fits := min(left, buffer-w.queued)
		w.queued += fits
		if left -= fits; left == 0 {
			return len(p), nil
		}
		wakes := time.Duration(buffer/3+1) * time.Second / time.Duration(w.rate)
		if until := time.Until(w.deadline); wakes > until {
			time.Sleep(until)
			return len(p) - left, context.DeadlineExceeded
		}
		time.Sleep(wakes)
	}
}

// pacedTo is how an answer is written to a client.
func pacedTo(w http.ResponseWriter) *pacedWriter {
	return &pacedWriter{ResponseWriter: w, upload: &upload{control: http.NewResponseController(w)}, most: time.Minute}
}

func TestAnswersHaveASlowestRate(t *testing.T) {
	const stalls = paceGrace + (pacedPiece+2*sendBuffer/3)*time.Second/slowestRate
	require.Less(t, stalls, 24*time.Second, "as is written in the description of the API")
	for name, c := range map[string]struct {
		size, rate int
		ends       time.Duration // of one that is cut off; 0: all is taken
	}{
		"at once":                         {11 << 20, 0, 0},
		"a byte a second":                 {11 << 20, 1, stalls},
		"a byte a second, a little":       {100, 1, 0},
		"far too slow":                    {11 << 20, 10 << 10, stalls},
		"too slow on average":             {11 << 20, 16 << 10, 80 * time.Second},
		"too slow on average for a while": {11 << 20, 24 << 10, 168 * time.Second},
		"just fast enough":                {11 << 20, 33 << 10, 0},
		"in two minutes":                  {11 << 20, 100 << 10, 0},
		"in a minute":                     {11 << 20, 200 << 10, 0},
	} {
		inBubble(t, name, func(t *testing.T) {
			client := &slowReader{ResponseRecorder: httptest.NewRecorder(), rate: c.rate}
			w, began := pacedTo(client), time.Now()
			n, err := w.Write(make([]byte, c.size))
			if c.ends == 0 {
				require.NoError(t, err)
				require.Equal(t, c.size, n)
				return
			}
			require.Error(t, err)
			require.InDelta(t, c.ends.Seconds(), time.Since(began).Seconds(), 1)
		})
	}
}

// A piece of an answer is given the time in which a client reads it and a third
// of what the system keeps for the connection: no more need be read before it is
// written to a connection that was full.
func TestAPieceIsTakenOnceItsShareIsRead(t *testing.T) {
	inner := only.Value((&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0"))(t)
	listener := newHouse(t, 1, 1).over(inner)
	t.Cleanup(func() { _ = listener.Close() })
	client := only.Value((&net.Dialer{}).DialContext(t.Context(), "tcp", inner.Addr().String()))(t)
	t.Cleanup(func() { _ = client.Close() })
	require.NoError(t, client.(*net.TCPConn).SetReadBuffer(64<<10))
	conn := only.Value(listener.Accept())(t)
	t.Cleanup(func() { _ = conn.Close() })

	piece := bytes.Repeat([]byte{' '}, pacedPiece)
	const warm = 32 // pieces read at once, for which a system lets a buffer grow
	go func() { _, _ = conn.Write(bytes.Repeat(piece, warm)) }()
	require.NoError(t, only.Err(io.CopyN(io.Discard, client, warm*pacedPiece)))
	full := false
	for written := 0; !full; {
		require.NoError(t, conn.SetWriteDeadline(time.Now().Add(100*time.Millisecond)))
		n, err := conn.Write(piece)
		written += n
		if err != nil {
			require.ErrorIs(t, err, os.ErrDeadlineExceeded)
			full = written >= 2*sendBuffer/3 // else this test stood still, and there is less to read than below
		}
		require.Less(t, written, 16<<20, "nobody reads")
	}
	ended := make(chan error, 1)
	require.NoError(t, conn.SetWriteDeadline(time.Now().Add(time.Minute)))
	go func() {
		_, err := conn.Write(piece)
		ended <- err
	}()
	require.NoError(t, only.Err(io.CopyN(io.Discard, client, pacedPiece+2*sendBuffer/3)))
	require.NoError(t, <-ended)
}
