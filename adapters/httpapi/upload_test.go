package httpapi

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"
	"testing/iotest"
	"testing/synctest"
	"time"

	"github.com/gin-gonic/gin"
	"github.com/stretchr/testify/require"

	"milaan/domain"
)

// arriving is a request whose body comes from a reader.
func arriving(ctx context.Context, from io.Reader, length int64) *gin.Context {
	return arrivingOver(ctx, httptest.NewRecorder(), from, length)
}

func arrivingOver(ctx context.Context, w http.ResponseWriter, from io.Reader, length int64) *gin.Context {
	r := httptest.NewRequestWithContext(ctx, http.MethodPost, "/reconcile", from)
	r.ContentLength = length
	c, _ := gin.CreateTestContext(w)
	c.Request = r
	c.Set(uploadKey, newUpload(c))
	return c
}

func newTestIntake(memory int64, wait time.Duration) *intake {
	return newIntake(Settings{BodyMemory: memory, BodyWait: wait}.withDefaults(), newFigures())
}

// unread takes no notice of what arrives.
func unread([]byte) {}

func TestBufferSizes(t *testing.T) {
	for length, want := range map[int64]int{
		0: 4 << 10, 1: 4 << 10, 4096: 4 << 10, 4097: 8 << 10, 1 << 20: 1 << 20, 1<<20 + 1: 2 << 20,
		16 << 20: 16 << 20, 16<<20 + 1: maxBody, maxBody: maxBody,
	} {
		require.Equal(t, want, bufferSize(length), length)
	}
	in := newTestIntake(maxBody, time.Second)
	for _, length := range []int64{1, 4096, 4097, 16 << 20, maxBody} {
		in.put(in.get(length))
		require.GreaterOrEqual(t, cap(in.get(length)), int(length))
	}
}

func TestBodiesOfEverySizeArriveWhole(t *testing.T) {
	in := newTestIntake(maxBody, time.Second)
	for _, n := range []int{0, 1, 4095, 4096, 4097, firstBuffer - 1, firstBuffer, firstBuffer + 1, 1 << 20, 1<<20 + 1} {
		sent := bytes.Repeat([]byte("0123456789abcdef-"), n/17+1)[:n]
		for name, c := range map[string]*gin.Context{
			"length known":   arriving(t.Context(), bytes.NewReader(sent), int64(n)),
			"length unknown": arriving(t.Context(), iotest.HalfReader(bytes.NewReader(sent)), -1),
			"data with EOF":  arriving(t.Context(), iotest.DataErrReader(bytes.NewReader(sent)), -1),
		} {
			var seen int
			b, err := in.read(c, "account-1", func(soFar []byte) {
				require.Greater(t, len(soFar), seen)
				require.True(t, bytes.Equal(sent[:len(soFar)], soFar), "%s, %d", name, n)
				seen = len(soFar)
			})
			require.NoError(t, err, "%s, %d", name, n)
			require.True(t, bytes.Equal(sent, b.text), "%s, %d", name, n)
			b.free()
			b.release()
			b.release()
		}
	}
	require.Zero(t, figure(t, in.figures, "milaan_body_bytes"))
}

// timed is a connection that remembers its read deadlines.
type timed struct {
	*httptest.ResponseRecorder
	deadlines []time.Time
}

func (w *timed) SetReadDeadline(at time.Time) error {
	w.deadlines = append(w.deadlines, at)
	return nil
}

// The deadline of a body does not end the work on it: net/http would cancel the
// request.
func TestTheDeadlineOfABodyEndsWithIt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		in, w := newTestIntake(maxBody, time.Second), &timed{ResponseRecorder: httptest.NewRecorder()}
		b, err := in.read(arrivingOver(t.Context(), w, bytes.NewReader([]byte("{}")), 2), "account-1", unread)
		require.NoError(t, err)
		defer b.release()
		require.Equal(t, []time.Time{time.Now().Add(time.Minute), {}}, w.deadlines)
	})
}

func TestBodiesThatFail(t *testing.T) {
	in := newTestIntake(maxBody, time.Second)
	for name, c := range map[string]struct {
		from   io.Reader
		length int64
		want   error
	}{
		"ended early":     {bytes.NewReader(make([]byte, 9)), 10, errCutShort},
		"never began":     {bytes.NewReader(nil), 10, errCutShort},
		"client gone":     {iotest.ErrReader(errors.New("reset by peer")), 10, errClientOff},
		"gone, chunked":   {iotest.ErrReader(errors.New("reset by peer")), -1, errClientOff},
		"cut chunk":       {iotest.ErrReader(io.ErrUnexpectedEOF), -1, errCutShort},
		"one byte more":   {nil, maxBody + 1, errTooLarge},
		"an endless body": {zeros{}, -1, errTooLarge},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := in.read(arriving(t.Context(), c.from, c.length), "account-1", unread)
			require.ErrorIs(t, err, c.want)
			require.Zero(t, figure(t, in.figures, "milaan_body_bytes"))
			requireFree(t, in)
		})
	}
}

// requireFree demands that no body holds memory any more.
func requireFree(t *testing.T, in *intake) {
	t.Helper()
	require.Zero(t, figure(t, in.figures, "milaan_body_bytes"))
	in.mu.Lock()
	defer in.mu.Unlock()
	require.Empty(t, in.accounts, "memory is kept back")
}

// zeros never ends.
type zeros struct{}

func (zeros) Read(p []byte) (int, error) { return len(p), nil }

func TestBodiesWaitTheirTurnForMemory(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		in := newTestIntake(maxBody, 10*time.Second)
		b, err := in.read(arriving(t.Context(), bytes.NewReader(nil), -1), "account-1", unread)
		require.NoError(t, err)
		require.EqualValues(t, maxBody, figure(t, in.figures, "milaan_body_bytes"))

		served := make(chan error)
		go func() {
			b, err := in.read(arriving(t.Context(), bytes.NewReader([]byte("{}")), -1), "account-2", unread)
			if err == nil {
				b.release()
			}
			served <- err
		}()
		synctest.Wait()
		require.EqualValues(t, 1, figure(t, in.figures, "milaan_body_waiting"))
		time.Sleep(10*time.Second - 1) // synctest's clock
		b.release()
		require.NoError(t, <-served, "there was room at the last moment")
		require.Zero(t, figure(t, in.figures, "milaan_body_waiting"))
	})
}

// TestNobodyHoldsAllTheMemory is about an account whose bodies arrive slowly: it
// waits for itself, and others do not.
func TestNobodyHoldsAllTheMemory(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		in := newTestIntake(256<<20, 10*time.Second)
		read := func(account string, length int64) (arrival, error) {
			return in.read(arriving(t.Context(), bytes.NewReader(make([]byte, max(length, 0))), length), account, unread)
		}
		var held []arrival
		for range 4 {
			b, err := read("slow", -1)
			require.NoError(t, err)
			held = append(held, b)
		}
		refused := make(chan error)
		go func() {
			_, err := read("slow", -1)
			refused <- err
		}()
		synctest.Wait()
		for _, length := range []int64{-1, maxBody, smallBody, 2} {
			b, err := read("other", length)
			require.NoError(t, err, "another account's body of %d bytes has to wait", length)
			b.release()
		}
		require.ErrorIs(t, <-refused, domain.ErrBusy)
		for _, b := range held {
			b.release()
		}
		requireFree(t, in)
	})
}

// TestSmallBodiesHaveRoomOfTheirOwn is about large ones that take all there is.
func TestSmallBodiesHaveRoomOfTheirOwn(t *testing.T) {
	in := newTestIntake(maxBody, time.Second)
	b, err := in.read(arriving(t.Context(), bytes.NewReader(nil), -1), "large", unread)
	require.NoError(t, err)
	small, err := in.read(arriving(t.Context(), bytes.NewReader([]byte("{}")), 2), "small", unread)
	require.NoError(t, err)
	small.release()
	b.release()
	requireFree(t, in)
}

func TestBodiesWaitNoLongerThanTheyMay(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		in := newTestIntake(maxBody, 10*time.Second)
		b, err := in.read(arriving(t.Context(), bytes.NewReader(nil), -1), "account-1", unread)
		require.NoError(t, err)
		defer b.release()

		start := time.Now()
		_, err = in.read(arriving(t.Context(), bytes.NewReader([]byte("{}")), -1), "account-2", unread)
		require.ErrorIs(t, err, domain.ErrBusy)
		require.Equal(t, 10*time.Second, time.Since(start))

		gone, leave := context.WithCancel(t.Context())
		time.AfterFunc(time.Second, leave)
		_, err = in.read(arriving(gone, bytes.NewReader([]byte("{}")), -1), "account-2", unread)
		require.ErrorIs(t, err, errClientOff)
	})
}

// A refused body is thrown away as it comes; one that waits for 100 Continue
// is not asked for.
func TestLingeringReadsOnlyWhatIsOnItsWay(t *testing.T) {
	for expect, want := range map[string]int{"": 1 << 20, "100-continue": 0} {
		body := &counted{left: 1 << 20}
		c := arriving(t.Context(), body, -1)
		c.Request.Header.Set("Expect", expect)
		(&Server{}).lingering(c)
		require.Equal(t, want, body.read, expect)
	}
}

// counted is a body that knows how much of it was read.
type counted struct{ left, read int }

func (b *counted) Read(p []byte) (int, error) {
	n := min(len(p), b.left)
	b.left, b.read = b.left-n, b.read+n
	if n == 0 {
		return 0, io.EOF
	}
	return n, nil
}
