package httpapi

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"testing/iotest"
	"testing/synctest"
	"time"

	"github.com/gin-gonic/gin"
	"github.com/stretchr/testify/require"

	"milaan/domain"
	"milaan/ports"
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

// testIntake is an intake with figures to look at.
type testIntake struct {
	*intake
	figures *figures
}

func newTestIntake(memory int64, wait time.Duration) testIntake {
	f := newFigures()
	return testIntake{newIntake(Settings{BodyMemory: memory, BodyWait: wait}.withDefaults(), f), f}
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
		require.Equal(t, []time.Time{time.Now().Add(5 * time.Second), {}}, w.deadlines)
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
			requireFree(t, in.intake)
		})
	}
}

// requireFree demands that no body holds memory any more.
func requireFree(t *testing.T, in *intake) {
	t.Helper()
	for _, l := range []*lane{in.budget.small, in.budget.large} {
		require.True(t, l.all.TryAcquire(l.size), "memory is kept back")
		l.all.Release(l.size)
	}
	in.budget.mu.Lock()
	defer in.budget.mu.Unlock()
	require.Empty(t, in.budget.accounts, "an account is remembered")
}

// zeros never ends.
type zeros struct{}

func (zeros) Read(p []byte) (int, error) { return len(p), nil }

// full takes all the memory of large bodies, as those of others would.
func full(t *testing.T, in testIntake) (giveBack func()) {
	t.Helper()
	n := in.budget.large.size
	require.True(t, in.budget.large.all.TryAcquire(n))
	return func() { in.budget.large.all.Release(n) }
}

func TestBodiesWaitTheirTurnForMemory(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		in := newTestIntake(maxBody, 10*time.Second)
		giveBack := full(t, in)
		served := make(chan error)
		go func() {
			b, err := in.read(arriving(t.Context(), bytes.NewReader(make([]byte, smallBody+1)), smallBody+1), "account-2", unread)
			if err == nil {
				b.release()
			}
			served <- err
		}()
		synctest.Wait()
		require.EqualValues(t, 1, figure(t, in.figures, "milaan_body_waiting"))
		time.Sleep(10*time.Second - 1) // synctest's clock
		giveBack()
		require.NoError(t, <-served, "there was room at the last moment")
		require.Zero(t, figure(t, in.figures, "milaan_body_waiting"))
	})
}

// client sends a body, so many bytes at a time, and keeps to the deadlines that
// it is given. It is the request's body and the connection of its answer.
type client struct {
	*httptest.ResponseRecorder
	parts []part

	mu       sync.Mutex
	deadline time.Time
}

// part of a body: so many bytes, a time after the ones before. The last is
// repeated.
type part struct {
	after time.Duration
	bytes int
}

func (c *client) SetReadDeadline(at time.Time) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.deadline = at
	return nil
}

func (c *client) Read(p []byte) (int, error) {
	next := c.parts[0]
	c.mu.Lock()
	left := time.Until(c.deadline)
	if c.deadline.IsZero() {
		left = time.Hour
	}
	c.mu.Unlock()
	if next.after > left {
		return 0, c.await(left)
	}
	time.Sleep(next.after) // synctest's clock
	n := min(len(p), next.bytes)
	if len(c.parts) > 1 {
		if c.parts[0].after, c.parts[0].bytes = 0, next.bytes-n; next.bytes == n {
			c.parts = c.parts[1:]
		}
	}
	return n, nil
}

// await waits for the deadline, which may be moved up meanwhile.
func (c *client) await(left time.Duration) error {
	for began := time.Now(); time.Since(began) < left; time.Sleep(time.Millisecond) {
		c.mu.Lock()
		over := !c.deadline.IsZero() && !c.deadline.After(time.Now())
		c.mu.Unlock()
		if over {
			break
		}
	}
	return os.ErrDeadlineExceeded
}

// sends takes in a body of a length, negative if nobody knows, from a client.
func (in testIntake) sends(t *testing.T, account string, length int64, parts ...part) (arrival, error) {
	c := &client{ResponseRecorder: httptest.NewRecorder(), parts: slices.Clone(parts)}
	return in.read(arrivingOver(t.Context(), c, c, length), account, unread)
}

func TestTheSlowestRate(t *testing.T) {
	const second = time.Second
	for name, c := range map[string]struct {
		length int64
		parts  []part
		want   error
		after  time.Duration
	}{
		"a byte a second":             {1 << 20, []part{{second, 1}}, errSlowBody, 5 * second},
		"a byte a second, in chunks":  {-1, []part{{second, 1}}, errSlowBody, 5 * second},
		"nothing at all":              {1 << 20, []part{{time.Hour, 1}}, errSlowBody, 5 * second},
		"a little slower":             {1 << 20, []part{{100 * time.Millisecond, 3200}}, errSlowBody, 5 * second},
		"a little faster":             {1 << 20, []part{{100 * time.Millisecond, 3600}}, nil, 29500 * time.Millisecond},
		"slow at first":               {1 << 20, []part{{4 * second, 1}, {0, 1 << 20}}, nil, 4 * second},
		"fast at first":               {2 << 20, []part{{0, 1 << 20}, {second, 1}}, errSlowBody, 32 * second},
		"slow for a tiny body":        {5, []part{{second, 1}}, nil, 5 * second},
		"too long for the whole body": {maxBody, []part{{100 * time.Millisecond, 4 << 10}}, errSlowBody, 60 * second},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				in, began := newTestIntake(256<<20, 10*time.Second), time.Now()
				b, err := in.sends(t, "account-1", c.length, c.parts...)
				if c.want != nil {
					require.ErrorIs(t, err, c.want)
				} else {
					require.NoError(t, err)
					b.release()
				}
				require.InDelta(t, c.after.Seconds(), time.Since(began).Seconds(), 0.5)
				requireFree(t, in.intake)
			})
		})
	}
}

// The time for which a body waits for us is not its client's.
func TestWaitingDoesNotMakeABodySlow(t *testing.T) {
	for name, length := range map[string]int64{"length known": 2 << 20, "length unknown": -1} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				in := newTestIntake(256<<20, 10*time.Second)
				giveBack := full(t, in)
				time.AfterFunc(8*time.Second, giveBack)
				var last error
				if length > 0 {
					b, err := in.sends(t, "account-1", length, part{4 * time.Second, 1}, part{0, 1 << 20}, part{time.Second, 64 << 10})
					require.NoError(t, err)
					b.release()
				} else {
					c := &client{ResponseRecorder: httptest.NewRecorder(), parts: []part{{4 * time.Second, 1}, {0, 1 << 20}, {time.Second, 64 << 10}}}
					body := io.LimitReader(c, 2<<20)
					var b arrival
					b, last = in.read(arrivingOver(t.Context(), c, body, -1), "account-1", unread)
					require.NoError(t, last)
					b.release()
				}
				requireFree(t, in.intake)
			})
		})
	}
}

// TestMemoryIsReservedWhenAFirstBufferIsFull is about clients that announce much
// and send little of it. They hold little, and from then on all that the body may
// become, so that it never waits for more: a body that grew by and by had to be
// thrown away where several waited for each other.
func TestMemoryIsReservedWhenAFirstBufferIsFull(t *testing.T) {
	for _, c := range []struct {
		length     int64
		sent, held int
	}{
		{1 << 20, 0, firstBuffer}, {1 << 20, firstBuffer - 1, firstBuffer}, {1 << 20, firstBuffer + 1, 1 << 20}, {1 << 20, 900 << 10, 1 << 20},
		{maxBody, 0, firstBuffer}, {maxBody, firstBuffer - 1, firstBuffer}, {maxBody, firstBuffer + 1, maxBody}, {maxBody, 3 << 20, maxBody},
		{-1, 0, firstBuffer}, {-1, firstBuffer - 1, firstBuffer}, {-1, firstBuffer + 1, smallBody}, {-1, smallBody + 1, maxBody},
		{1000, 999, 4 << 10}, {100 << 10, 99 << 10, 128 << 10},
	} {
		synctest.Test(t, func(t *testing.T) {
			in, done := newTestIntake(256<<20, 10*time.Second), make(chan error, 1)
			parts := []part{{time.Hour, 1}}
			if c.sent > 0 {
				parts = append([]part{{time.Second, c.sent}}, parts...)
			}
			go func() {
				_, err := in.sends(t, "account-1", c.length, parts...)
				done <- err
			}()
			time.Sleep(2 * time.Second)
			synctest.Wait()
			require.EqualValues(t, c.held, figure(t, in.figures, "milaan_body_bytes"), "%d of %d bytes", c.sent, c.length)
			require.ErrorIs(t, <-done, errSlowBody)
			requireFree(t, in.intake)
		})
	}
}

// A body that comes fast is not copied again and again while its buffer grows.
func TestFastBodiesAreHardlyCopied(t *testing.T) {
	in := newTestIntake(256<<20, 10*time.Second)
	var buffers []int
	b, err := in.read(arriving(t.Context(), bytes.NewReader(make([]byte, maxBody)), maxBody), "account-1", func(soFar []byte) {
		if size := cap(soFar); len(buffers) == 0 || buffers[len(buffers)-1] != size {
			buffers = append(buffers, size)
		}
	})
	require.NoError(t, err)
	b.release()
	require.Equal(t, []int{firstBuffer, maxBody}, buffers)
}

// What is made of a body is charged until the answer is written: at first as
// much as it may be for any of its length, or where that is not free for this
// one, then what it is.
func TestWhatIsMadeOfABodyIsCharged(t *testing.T) {
	const length, buffer = 100 << 10, 128 << 10
	body := make([]byte, length)
	for name, c := range map[string]struct {
		taken func(l *lane) int64 // by others
		work  func(l *lane) int64
	}{
		"free": {func(*lane) int64 { return 0 }, func(l *lane) int64 { return min(ports.WorkBytes(length), l.work) }},
		"full": {func(l *lane) int64 { return l.size - buffer - 2*ports.WorkBytesFor(body) }, func(*lane) int64 { return ports.WorkBytesFor(body) }},
	} {
		t.Run(name, func(t *testing.T) {
			in := newTestIntake(256<<20, 10*time.Second)
			small := in.budget.small
			require.True(t, small.all.TryAcquire(c.taken(small)))
			requireCharged(t, in, body, buffer, int(c.work(small)))
			small.all.Release(c.taken(small))
			requireFree(t, in.intake)
		})
	}
}

func requireCharged(t *testing.T, in testIntake, body []byte, buffer, work int) {
	t.Helper()
	charged := func() int { return int(figure(t, in.figures, "milaan_body_bytes")) }
	b, err := in.read(arriving(t.Context(), bytes.NewReader(body), int64(len(body))), "account-1", unread)
	require.NoError(t, err)
	require.Equal(t, buffer+work, charged())
	b.free()
	require.Equal(t, work, charged())
	b.keep(int64(work) + 1)
	require.Equal(t, work, charged())
	b.keep(1000)
	require.Equal(t, 1000, charged())
	b.release()
	require.Zero(t, charged())
}

// An account has four bodies in flight. A fifth waits, and keeps nobody else
// waiting.
func TestAnAccountHasFourBodiesInFlight(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		in := newTestIntake(256<<20, 10*time.Second)
		read := func(account string) (arrival, error) {
			return in.read(arriving(t.Context(), bytes.NewReader([]byte("{}")), 2), account, unread)
		}
		var held []arrival
		for range requestsAtOnce {
			b, err := read("busy")
			require.NoError(t, err)
			held = append(held, b)
		}
		began := time.Now()
		_, err := read("busy")
		require.ErrorIs(t, err, domain.ErrBusy)
		require.Equal(t, 10*time.Second, time.Since(began))

		fifth := make(chan error)
		go func() {
			b, err := read("busy")
			if err == nil {
				b.release()
			}
			fifth <- err
		}()
		synctest.Wait()
		began = time.Now()
		b, err := read("other")
		require.NoError(t, err)
		b.release()
		held[0].release()
		require.NoError(t, <-fifth)
		require.Zero(t, time.Since(began))
		for _, b := range held {
			b.release()
		}
		requireFree(t, in.intake)
	})
}

// TestTwoAccountsLeaveRoomForAThird is about two accounts whose bodies arrive
// slowly, and as many of them as may: they wait for themselves, and the largest
// body of a third account does not.
func TestTwoAccountsLeaveRoomForAThird(t *testing.T) {
	for name, slow := range map[string]struct {
		length int64
		parts  []part
	}{
		"a byte a second, small":       {1 << 20, []part{{time.Second, 1}}},
		"a byte a second, large":       {maxBody, []part{{time.Second, 1}}},
		"in chunks":                    {-1, []part{{0, 20 << 20}, {time.Second, 1}}},
		"stalled with a byte to go":    {maxBody, []part{{0, maxBody - 1}, {time.Hour, 1}}},
		"slow and steady":              {maxBody, []part{{100 * time.Millisecond, 40 << 10}}},
		"stalled where they look fast": {maxBody, []part{{0, firstBuffer + 1}, {time.Second, 1}}},
		"small, stalled":               {1 << 20, []part{{0, 1<<20 - 1}, {time.Hour, 1}}},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				in := newTestIntake(256<<20, 10*time.Second)
				text := make([]byte, maxBody)
				var slowOnes sync.WaitGroup
				for i := range 12 {
					slowOnes.Go(func() {
						_, err := in.sends(t, fmt.Sprint("slow-", i%2), slow.length, slow.parts...)
						if !errors.Is(err, domain.ErrBusy) && !errors.Is(err, errSlowBody) {
							t.Errorf("a slow body got %v", err)
						}
					})
				}
				for range 4 {
					time.Sleep(1500 * time.Millisecond)
					synctest.Wait()
					began := time.Now()
					for _, length := range []int64{maxBody, 2, smallBody} {
						b, err := in.read(arriving(t.Context(), bytes.NewReader(text[:length]), length), "other", unread)
						require.NoError(t, err, "another account's body of %d bytes", length)
						b.release()
					}
					require.LessOrEqual(t, time.Since(began), turnPause, "another account had to wait")
				}
				slowOnes.Wait()
				requireFree(t, in.intake)
			})
		})
	}
}

// Bodies that arrive bit by bit do not stop each other half-way: those for which
// there is room are served, and the others hold next to nothing while they wait.
func TestBodiesDoNotStopEachOther(t *testing.T) {
	for name, c := range map[string]struct {
		memory, length int64
		part           part
		clients, want  int
	}{
		"one after the other":           {32 << 20, maxBody, part{10 * time.Millisecond, piece}, 8, 8},
		"one after the other, chunked":  {32 << 20, -1, part{10 * time.Millisecond, piece}, 8, 8},
		"four, chunked":                 {64 << 20, -1, part{20 * time.Millisecond, piece}, 4, 4},
		"sixteen at 2 MB a second":      {256 << 20, maxBody, part{100 * time.Millisecond, 200 << 10}, 16, 6},
		"thirty, and more than can be":  {64 << 20, maxBody, part{100 * time.Millisecond, 256 << 10}, 30, 1},
		"small ones in the least space": {32 << 20, smallBody, part{100 * time.Millisecond, smallBody / 10}, 16, 16},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				in := newTestIntake(c.memory, 10*time.Second)
				var all sync.WaitGroup
				var served, busy atomic.Int32
				for i := range c.clients {
					all.Go(func() {
						from := &client{ResponseRecorder: httptest.NewRecorder(), parts: []part{c.part}}
						var body io.Reader = from
						if c.length < 0 {
							body = io.LimitReader(from, maxBody)
						}
						b, err := in.read(arrivingOver(t.Context(), from, body, c.length), fmt.Sprint("account-", i), unread)
						switch {
						case err == nil:
							served.Add(1)
							time.Sleep(100 * time.Millisecond)
							b.release()
						case errors.Is(err, domain.ErrBusy):
							busy.Add(1)
						default:
							t.Errorf("a body got %v", err)
						}
					})
				}
				all.Wait()
				require.GreaterOrEqual(t, int(served.Load()), c.want)
				require.EqualValues(t, c.clients, served.Load()+busy.Load())
				requireFree(t, in.intake)
			})
		})
	}
}

// What is made of bodies counts in an account's share, until it is given back:
// two accounts which read their answers slowly, as many as they may have, keep
// nobody out.
func TestWorkCountsInAnAccountsShare(t *testing.T) {
	rows := bytes.Repeat([]byte("\n1,1,1"), 900<<10/6)
	for name, text := range map[string][]byte{"small": rows, "large": make([]byte, 8<<20), "largest": make([]byte, maxBody)} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				in := newTestIntake(256<<20, 10*time.Second)
				read := func(account string, text []byte) error {
					b, err := in.read(arriving(t.Context(), bytes.NewReader(text), int64(len(text))), account, unread)
					if err == nil {
						b.free()
						if account != "other" {
							time.Sleep(30 * time.Second)
						}
						b.release()
					}
					return err
				}
				var all sync.WaitGroup
				for i := range 8 {
					all.Go(func() {
						if err := read(fmt.Sprint("slow-", i%2), text); err != nil && !errors.Is(err, domain.ErrBusy) {
							t.Errorf("a slow reader got %v", err)
						}
					})
				}
				for range 4 {
					time.Sleep(2 * time.Second)
					began := time.Now()
					for _, text := range [][]byte{text, rows, make([]byte, 131<<10), make([]byte, maxBody)} {
						require.NoError(t, read("other", text))
					}
					require.LessOrEqual(t, time.Since(began), turnPause, "another account had to wait")
				}
				all.Wait()
				requireFree(t, in.intake)
			})
		})
	}
}

// A body that stalls gives way to the next one of its own account as well, as
// when a client has lost its connection and comes again.
func TestABodyThatStallsGivesWayToItsAccount(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		in, done := newTestIntake(256<<20, 10*time.Second), make(chan error, 1)
		go func() {
			_, err := in.sends(t, "account-1", maxBody, part{0, 3 << 20}, part{time.Hour, 1})
			done <- err
		}()
		synctest.Wait()
		began := time.Now()
		b, err := in.sends(t, "account-1", maxBody, part{0, maxBody})
		require.NoError(t, err)
		require.Less(t, time.Since(began), 3*watchPause)
		b.release()
		require.ErrorIs(t, <-done, errSlowBody)
		requireFree(t, in.intake)
	})
}

// Whatever reads a body may panic, and then nothing stays taken.
func TestAPanicGivesMemoryBack(t *testing.T) {
	in := newTestIntake(256<<20, time.Second)
	require.Panics(t, func() {
		_, _ = in.read(arriving(t.Context(), bytes.NewReader(make([]byte, largeBody)), largeBody), "account-1", func([]byte) { panic("a fault") })
	})
	require.Zero(t, figure(t, in.figures, "milaan_body_bytes"))
	requireFree(t, in.intake)
}

// TestSmallBodiesHaveRoomOfTheirOwn is about large ones that take all there is.
func TestSmallBodiesHaveRoomOfTheirOwn(t *testing.T) {
	in := newTestIntake(maxBody, time.Second)
	defer full(t, in)()
	small, err := in.read(arriving(t.Context(), bytes.NewReader([]byte("{}")), 2), "small", unread)
	require.NoError(t, err)
	small.release()
}

func TestBodiesWaitNoLongerThanTheyMay(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		in := newTestIntake(maxBody, 10*time.Second)
		defer full(t, in)()
		large := func(ctx context.Context) *gin.Context {
			return arriving(ctx, bytes.NewReader(make([]byte, 2<<20)), 2<<20)
		}
		start := time.Now()
		_, err := in.read(large(t.Context()), "account-2", unread)
		require.ErrorIs(t, err, domain.ErrBusy)
		require.Equal(t, 10*time.Second, time.Since(start))

		gone, leave := context.WithCancel(t.Context())
		time.AfterFunc(time.Second, leave)
		_, err = in.read(large(gone), "account-2", unread)
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

// A crowd of refused clients is not listened to.
func TestLingeringHasItsLimit(t *testing.T) {
	for others, want := range map[int32]int{lingerers - 1: 1 << 20, lingerers: 0} {
		body, s := &counted{left: 1 << 20}, &Server{}
		s.lingers.Store(others)
		s.lingering(arriving(t.Context(), body, -1))
		require.Equal(t, want, body.read)
		require.Equal(t, others, s.lingers.Load())
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
