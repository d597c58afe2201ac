package intake

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"io"
	"log/slog"
	"math"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/iotest"
	"testing/synctest"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/stretchr/testify/require"

	"milaan/config"
	"milaan/domain"
	"milaan/ports"
	"milaan/tests/only"
)

// arriving is a request whose body comes from a reader.
func arriving(ctx context.Context, from io.Reader, length int64) *http.Request {
	return arrivingOver(ctx, httptest.NewRecorder(), from, length)
}

func arrivingOver(ctx context.Context, w http.ResponseWriter, from io.Reader, length int64) *http.Request {
	r := httptest.NewRequestWithContext(ctx, http.MethodPost, "/reconcile", from)
	r.ContentLength = length
	return r.WithContext(context.WithValue(ctx, uploadKey{}, newUpload(w, r, false, time.Second)))
}

// taking is an intake with the defaults but for what change sets.
func taking(change func(*Settings)) *Intake {
	settings := Settings{HTTP: config.Defaults().HTTP}
	change(&settings)
	return New(settings, func(netip.Addr) bool { return false }, slog.New(slog.DiscardHandler))
}

func newTestIntake(memory int64, wait time.Duration) *Intake {
	return taking(func(s *Settings) { s.BodyMemory, s.BodyWait = config.Bytes(memory), wait })
}

// figure is what an intake tells of itself by a name.
func figure(t *testing.T, in *Intake, name string) float64 {
	t.Helper()
	return sum(t, in.Collectors(), name, "")
}

// sum is of a metric's values with a label of that value; blank: of all.
func sum(t *testing.T, from []prometheus.Collector, name, label string) float64 {
	t.Helper()
	registry := prometheus.NewPedanticRegistry()
	registry.MustRegister(from...)
	families := only.Value(registry.Gather())(t)
	total := 0.0
	for _, family := range families {
		for _, m := range family.GetMetric() {
			if family.GetName() == name && (label == "" || m.GetLabel()[0].GetValue() == label) {
				total += m.GetGauge().GetValue() + m.GetCounter().GetValue()
			}
		}
	}
	return total
}

// inBubble runs a subtest with synctest's clock.
func inBubble(t *testing.T, name string, test func(t *testing.T)) {
	t.Helper()
	t.Run(name, func(t *testing.T) { synctest.Test(t, test) })
}

// unread takes no notice of what arrives.
func unread([]byte) {}

// takes reads a body that comes at once, and gives it back.
func (in *Intake) takes(t *testing.T, account string, text []byte) error {
	return in.takesFrom(arriving(t.Context(), bytes.NewReader(text), int64(len(text))), account)
}

func (in *Intake) takesFrom(r *http.Request, account string) error {
	b, err := in.Read(r, account, unread)
	if err == nil {
		b.Release()
	}
	return err
}

func TestBufferSizes(t *testing.T) {
	for length, want := range map[int64]int{
		0: 4 << 10, 1: 4 << 10, 4096: 4 << 10, 4097: 8 << 10, 1 << 20: 1 << 20, 1<<20 + 1: 2 << 20,
		16 << 20: 16 << 20, 16<<20 + 1: MaxBody, MaxBody: MaxBody,
		MaxBody + 1: halfUpload, halfUpload: halfUpload, halfUpload + 1: MaxUpload, MaxUpload: MaxUpload,
	} {
		require.Equal(t, want, bufferSize(length), length)
	}
	in := newTestIntake(MaxBody, time.Second)
	for _, length := range []int64{1, 4096, 4097, 16 << 20, MaxBody} {
		in.buffers.put(in.buffers.get(length))
		require.GreaterOrEqual(t, cap(in.buffers.get(length)), int(length))
	}
}

func TestBodiesOfEverySizeArriveWhole(t *testing.T) {
	in := newTestIntake(MaxBody, time.Second)
	for _, n := range []int{0, 1, 4095, 4096, 4097, firstBuffer - 1, firstBuffer, firstBuffer + 1, 1 << 20, 1<<20 + 1} {
		sent := bytes.Repeat([]byte("0123456789abcdef-"), n/17+1)[:n]
		for name, c := range map[string]*http.Request{
			"length known":   arriving(t.Context(), bytes.NewReader(sent), int64(n)),
			"length unknown": arriving(t.Context(), iotest.HalfReader(bytes.NewReader(sent)), -1),
			"data with EOF":  arriving(t.Context(), iotest.DataErrReader(bytes.NewReader(sent)), -1),
		} {
			var seen int
			b, err := in.Read(c, "account-1", func(soFar []byte) {
				require.Greater(t, len(soFar), seen)
				require.True(t, bytes.Equal(sent[:len(soFar)], soFar), "%s, %d", name, n)
				seen = len(soFar)
			})
			require.NoError(t, err, "%s, %d", name, n)
			require.True(t, bytes.Equal(sent, b.Text), "%s, %d", name, n)
			b.Free()
			b.Release()
			b.Release()
		}
	}
	require.Zero(t, figure(t, in, "milaan_body_bytes"))
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

// unpacked is a body of many bytes of which few have come, and which takes long to unpack.
type unpacked struct {
	io.Reader
	read func(from io.Reader, into []byte, arrived int) (int, error)
}

func (unpacked) Close() error { return nil }

func (u *unpacked) ReadBy(read func(from io.Reader, into []byte, arrived int) (int, error), _ func(int64) (func(), error)) {
	u.read = read
}

func (u *unpacked) Read(p []byte) (int, error) {
	var few [10]byte
	if n, err := u.read(rand.Reader, few[:], 100); err != nil {
		return n, err
	}
	time.Sleep(time.Second) // unpacking
	return u.Reader.Read(p)
}

// What a body unpacks to gives its client no time: it would cost nothing. That unpacking takes the
// service long takes none away either.
func TestAnUnpackedBodyHasTheTimeOfWhatHasCome(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		in, w := newTestIntake(2*MaxBody, time.Second), &timed{ResponseRecorder: httptest.NewRecorder()}
		begun := time.Now()
		b, err := in.Read(arrivingOver(t.Context(), w, &unpacked{Reader: strings.NewReader(strings.Repeat(" ", 6<<20))}, -1), "account-1", unread)
		require.NoError(t, err)
		defer b.Release()
		require.Greater(t, time.Since(begun), 2*paceGrace)
		w.deadlines = slices.DeleteFunc(w.deadlines, time.Time.IsZero)
		require.Greater(t, len(w.deadlines), 10)
		for i, at := range w.deadlines {
			require.Equal(t, paceGrace+time.Duration(i)*time.Second, at.Sub(begun))
		}
	})
}

// The deadline of a body does not end the work on it: net/http would cancel the
// request.
func TestTheDeadlineOfABodyEndsWithIt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		in, w := newTestIntake(MaxBody, time.Second), &timed{ResponseRecorder: httptest.NewRecorder()}
		b := only.Value(in.Read(arrivingOver(t.Context(), w, bytes.NewReader([]byte("{}")), 2), "account-1", unread))(t)
		defer b.Release()
		require.Equal(t, []time.Time{time.Now().Add(5 * time.Second), {}}, w.deadlines)
	})
}

func TestBodiesThatFail(t *testing.T) {
	in := newTestIntake(MaxBody, time.Second)
	for name, c := range map[string]struct {
		from   io.Reader
		length int64
		want   error
	}{
		"ended early":     {bytes.NewReader(make([]byte, 9)), 10, ErrCutShort},
		"never began":     {bytes.NewReader(nil), 10, ErrCutShort},
		"client gone":     {iotest.ErrReader(errors.New("reset by peer")), 10, ErrClientGone},
		"gone, chunked":   {iotest.ErrReader(errors.New("reset by peer")), -1, ErrClientGone},
		"cut chunk":       {iotest.ErrReader(io.ErrUnexpectedEOF), -1, ErrCutShort},
		"one byte more":   {nil, MaxBody + 1, ErrTooLarge},
		"an endless body": {zeros{}, -1, ErrTooLarge},
	} {
		t.Run(name, func(t *testing.T) {
			require.ErrorIs(t, only.Err(in.Read(arriving(t.Context(), c.from, c.length), "account-1", unread)), c.want)
			require.Zero(t, figure(t, in, "milaan_body_bytes"))
			requireFree(t, in)
		})
	}
}

// requireFree demands that no body holds memory any more.
func requireFree(t *testing.T, in *Intake) {
	t.Helper()
	for _, l := range []*lane{in.budget.small, in.budget.large, in.budget.uploads} {
		require.True(t, l.all.TryAcquire(l.size), "memory is kept back")
		l.all.Release(l.size)
	}
	unpacking := max(int64(in.settings.BodyMemory)/8, MostUnpacking)
	require.True(t, in.budget.unpacking.TryAcquire(unpacking), "memory for unpacking is kept back")
	in.budget.unpacking.Release(unpacking)
	in.budget.mu.Lock()
	defer in.budget.mu.Unlock()
	require.Empty(t, in.budget.accounts, "an account is remembered")
}

// zeros never ends.
type zeros struct{}

func (zeros) Read(p []byte) (int, error) { return len(p), nil }

// full takes all the memory of large bodies, as those of others would.
func full(t *testing.T, in *Intake) (giveBack func()) {
	t.Helper()
	n := in.budget.large.size
	require.True(t, in.budget.large.all.TryAcquire(n))
	return func() { in.budget.large.all.Release(n) }
}

// Large bodies that take all there is keep no small one out, and others wait for them,
// but no longer than they may.
func TestBodiesWaitForMemory(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		in := newTestIntake(MaxBody, 10*time.Second)
		giveBack, large, began := full(t, in), make([]byte, smallBody+1), time.Now()
		require.NoError(t, in.takes(t, "small", []byte("{}")))
		require.ErrorIs(t, in.takes(t, "account-2", large), domain.ErrBusy)
		require.Equal(t, 10*time.Second, time.Since(began))

		gone, leave := context.WithCancel(t.Context())
		time.AfterFunc(time.Second, leave)
		require.ErrorIs(t, in.takesFrom(arriving(gone, bytes.NewReader(large), smallBody+1), "account-2"), ErrClientGone)

		served := make(chan error)
		go func() { served <- in.takes(t, "account-2", large) }()
		synctest.Wait()
		require.EqualValues(t, 1, figure(t, in, "milaan_body_waiting"))
		time.Sleep(10*time.Second - 1) // synctest's clock
		giveBack()
		require.NoError(t, <-served, "there was room at the last moment")
		require.Zero(t, figure(t, in, "milaan_body_waiting"))
	})
}

// client sends a body in pieces, and keeps to the deadlines that
// it is given. It is the request's body and the connection of its answer.
type client struct {
	*httptest.ResponseRecorder
	parts []part

	mu       sync.Mutex
	deadline time.Time
}

// part of a body: some bytes, a time after the ones before. The last is
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

// sends takes a body of a length, negative if nobody knows, from a client.
func (in *Intake) sends(t *testing.T, account string, length int64, parts ...part) error {
	return in.sendsAll(t, account, length, math.MaxInt64, parts...)
}

// sendsAll does so for one that ends after the given number of bytes.
func (in *Intake) sendsAll(t *testing.T, account string, length, ends int64, parts ...part) error {
	c := &client{ResponseRecorder: httptest.NewRecorder(), parts: slices.Clone(parts)}
	return in.takesFrom(arrivingOver(t.Context(), c, io.LimitReader(c, ends), length), account)
}

func TestTheSlowestRate(t *testing.T) {
	const second = time.Second
	for name, c := range map[string]struct {
		length int64
		parts  []part
		want   error
		after  time.Duration
	}{
		"a byte a second":             {1 << 20, []part{{second, 1}}, ErrSlow, 5 * second},
		"a byte a second, in chunks":  {-1, []part{{second, 1}}, ErrSlow, 5 * second},
		"nothing at all":              {1 << 20, []part{{time.Hour, 1}}, ErrSlow, 5 * second},
		"a little slower":             {1 << 20, []part{{100 * time.Millisecond, 3200}}, ErrSlow, 5 * second},
		"a little faster":             {1 << 20, []part{{100 * time.Millisecond, 3600}}, nil, 29500 * time.Millisecond},
		"slow at first":               {1 << 20, []part{{4 * second, 1}, {0, 1 << 20}}, nil, 4 * second},
		"fast at first":               {2 << 20, []part{{0, 1 << 20}, {second, 1}}, ErrSlow, 32 * second},
		"slow for a tiny body":        {5, []part{{second, 1}}, nil, 5 * second},
		"too long for the whole body": {MaxBody, []part{{100 * time.Millisecond, 4 << 10}}, ErrSlow, 60 * second},
	} {
		inBubble(t, name, func(t *testing.T) {
			in, began := newTestIntake(256<<20, 10*time.Second), time.Now()
			require.ErrorIs(t, in.sends(t, "account-1", c.length, c.parts...), c.want)
			require.InDelta(t, c.after.Seconds(), time.Since(began).Seconds(), 0.5)
			requireFree(t, in)
		})
	}
}

// The time for which a body waits for us is not its client's.
func TestWaitingDoesNotMakeABodySlow(t *testing.T) {
	for name, length := range map[string]int64{"length known": 2 << 20, "length unknown": -1} {
		inBubble(t, name, func(t *testing.T) {
			in := newTestIntake(256<<20, 10*time.Second)
			giveBack := full(t, in)
			time.AfterFunc(8*time.Second, giveBack)
			require.NoError(t, in.sendsAll(t, "account-1", length, 2<<20, part{4 * time.Second, 1}, part{0, 1 << 20}, part{time.Second, 64 << 10}))
			requireFree(t, in)
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
		{MaxBody, 0, firstBuffer}, {MaxBody, firstBuffer - 1, firstBuffer}, {MaxBody, firstBuffer + 1, MaxBody}, {MaxBody, 3 << 20, MaxBody},
		{-1, 0, firstBuffer}, {-1, firstBuffer - 1, firstBuffer}, {-1, firstBuffer + 1, smallBody}, {-1, smallBody + 1, MaxBody},
		{1000, 999, 4 << 10}, {100 << 10, 99 << 10, 128 << 10},
	} {
		synctest.Test(t, func(t *testing.T) {
			in, done := newTestIntake(256<<20, 10*time.Second), make(chan error, 1)
			parts := []part{{time.Hour, 1}}
			if c.sent > 0 {
				parts = append([]part{{time.Second, c.sent}}, parts...)
			}
			go func() { done <- in.sends(t, "account-1", c.length, parts...) }()
			time.Sleep(2 * time.Second)
			synctest.Wait()
			require.EqualValues(t, c.held, figure(t, in, "milaan_body_bytes"), "%d of %d bytes", c.sent, c.length)
			require.ErrorIs(t, <-done, ErrSlow)
			requireFree(t, in)
		})
	}
}

// A body that comes fast is not copied again and again while its buffer grows.
func TestFastBodiesAreHardlyCopied(t *testing.T) {
	in := newTestIntake(256<<20, 10*time.Second)
	var buffers []int
	b := only.Value(in.Read(arriving(t.Context(), bytes.NewReader(make([]byte, MaxBody)), MaxBody), "account-1", func(soFar []byte) {
		if size := cap(soFar); len(buffers) == 0 || buffers[len(buffers)-1] != size {
			buffers = append(buffers, size)
		}
	}))(t)
	b.Release()
	require.Equal(t, []int{firstBuffer, MaxBody}, buffers)
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
			requireFree(t, in)
		})
	}
}

func requireCharged(t *testing.T, in *Intake, body []byte, buffer, work int) {
	t.Helper()
	charged := func() int { return int(figure(t, in, "milaan_body_bytes")) }
	b := only.Value(in.Read(arriving(t.Context(), bytes.NewReader(body), int64(len(body))), "account-1", unread))(t)
	require.Equal(t, buffer+work, charged())
	b.Free()
	require.Equal(t, work, charged())
	b.Keep(int64(work) + 1)
	require.Equal(t, work, charged())
	b.Keep(1000)
	require.Equal(t, 1000, charged())
	b.Release()
	require.Zero(t, charged())
}

// Whatever reads a body may panic, and then nothing stays taken.
func TestAPanicGivesMemoryBack(t *testing.T) {
	in := newTestIntake(256<<20, time.Second)
	require.Panics(t, func() {
		_, _ = in.Read(arriving(t.Context(), bytes.NewReader(make([]byte, largeBody)), largeBody), "account-1", func([]byte) { panic("a fault") })
	})
	require.Zero(t, figure(t, in, "milaan_body_bytes"))
	requireFree(t, in)
}
