package intake

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http/httptest"
	"sort"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"milaan/config"
	"milaan/domain"
)

// An account has four bodies in flight. A fifth waits, and keeps nobody else
// waiting.
func TestAnAccountHasFourBodiesInFlight(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		in := newTestIntake(256<<20, 10*time.Second)
		var held []Arrival
		for range requestsAtOnce {
			b, err := in.Read(arriving(t.Context(), bytes.NewReader([]byte("{}")), 2), "busy", unread)
			require.NoError(t, err)
			held = append(held, b)
		}
		began := time.Now()
		require.ErrorIs(t, in.takes(t, "busy", []byte("{}")), domain.ErrBusy)
		require.Equal(t, 10*time.Second, time.Since(began))

		fifth := make(chan error)
		go func() { fifth <- in.takes(t, "busy", []byte("{}")) }()
		synctest.Wait()
		began = time.Now()
		require.NoError(t, in.takes(t, "other", []byte("{}")))
		held[0].Release()
		require.NoError(t, <-fifth)
		require.Zero(t, time.Since(began))
		for _, b := range held {
			b.Release()
		}
		requireFree(t, in)
	})
}

// TestTwoAccountsLeaveRoomForAThird has two accounts send bodies slowly, twelve at a time. They
// may have to wait or be refused; bodies of a third account, small and as large as may be, are
// taken in at once.
func TestTwoAccountsLeaveRoomForAThird(t *testing.T) {
	for name, slow := range map[string]struct {
		length int64
		parts  []part
	}{
		"a byte a second, small":         {1 << 20, []part{{time.Second, 1}}},
		"a byte a second, large":         {MaxBody, []part{{time.Second, 1}}},
		"in chunks":                      {-1, []part{{0, 20 << 20}, {time.Second, 1}}},
		"stalled with a byte to go":      {MaxBody, []part{{0, MaxBody - 1}, {time.Hour, 1}}},
		"slow and steady":                {MaxBody, []part{{100 * time.Millisecond, 40 << 10}}},
		"stalled after a fast beginning": {MaxBody, []part{{0, firstBuffer + 1}, {time.Second, 1}}},
		"small, stalled":                 {1 << 20, []part{{0, 1<<20 - 1}, {time.Hour, 1}}},
	} {
		inBubble(t, name, func(t *testing.T) {
			in := newTestIntake(256<<20, 10*time.Second)
			text := make([]byte, MaxBody)
			var slowOnes sync.WaitGroup
			for i := range 12 {
				slowOnes.Go(func() {
					err := in.sends(t, fmt.Sprint("slow-", i%2), slow.length, slow.parts...)
					if !errors.Is(err, domain.ErrBusy) && !errors.Is(err, ErrSlow) {
						t.Errorf("a slow body got %v", err)
					}
				})
			}
			for range 4 {
				time.Sleep(1500 * time.Millisecond)
				synctest.Wait()
				began := time.Now()
				for _, length := range []int{MaxBody, 2, smallBody} {
					require.NoError(t, in.takes(t, "other", text[:length]), "another account's body of %d bytes", length)
				}
				require.LessOrEqual(t, time.Since(began), placePause, "another account had to wait")
			}
			slowOnes.Wait()
			requireFree(t, in)
		})
	}
}

// frame is a body which takes memory while it is unpacked, as one by zstd does.
type frame struct {
	io.Reader
	takes    int64
	arrived  int
	read     func(from io.Reader, into []byte, arrived int) (int, error)
	charge   func(bytes int64) (giveBack func(), err error)
	giveBack func()
}

func (*frame) Close() error { return nil }

func (f *frame) ReadBy(read func(io.Reader, []byte, int) (int, error), charge func(int64) (func(), error)) {
	f.read, f.charge = read, charge
}

func (f *frame) Read(p []byte) (n int, err error) {
	if f.giveBack == nil {
		if f.giveBack, err = f.charge(f.takes); err != nil {
			return 0, err
		}
	}
	n, err = f.read(f.Reader, p, f.arrived)
	if f.arrived += n; err != nil {
		f.giveBack()
	}
	return n, err
}

// TestUnpackingLeavesRoomForAThirdAccount has two accounts take all that they may have for unpacking.
func TestUnpackingLeavesRoomForAThirdAccount(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		in := newTestIntake(256<<20, 10*time.Second)
		sends := func(account string, parts ...part) error {
			c := &client{ResponseRecorder: httptest.NewRecorder(), parts: parts}
			return in.takesFrom(arrivingOver(t.Context(), c, &frame{Reader: io.LimitReader(c, 1<<20), takes: MostUnpacking}, -1), account)
		}
		var all sync.WaitGroup
		var busy atomic.Int32
		for i := range 4 {
			all.Go(func() {
				switch err := sends(fmt.Sprint("slow-", i%2), part{200 * time.Millisecond, 10 << 10}); {
				case errors.Is(err, domain.ErrBusy):
					busy.Add(1)
				case err != nil:
					t.Errorf("a slow body got %v", err)
				}
			})
		}
		for range 4 {
			time.Sleep(2 * time.Second)
			began := time.Now()
			require.NoError(t, sends("other", part{0, 1 << 20}))
			require.Zero(t, time.Since(began), "another account had to wait")
			require.GreaterOrEqual(t, figure(t, in, "milaan_body_bytes"), 2.0*MostUnpacking)
		}
		all.Wait()
		require.EqualValues(t, 2, busy.Load(), "an account has its share")
		requireFree(t, in)
		require.Zero(t, figure(t, in, "milaan_body_bytes"))
	})
}

// Bodies that arrive bit by bit do not stop each other half-way: those for which
// there is room are served, and the others hold next to nothing while they wait.
func TestBodiesDoNotStopEachOther(t *testing.T) {
	for name, c := range map[string]struct {
		memory, length int64
		part           part
		clients, want  int
		takes          int64 // while it is unpacked
	}{
		"one after the other":           {leastBodies, MaxBody, part{10 * time.Millisecond, piece}, 8, 8, 0},
		"one after the other, chunked":  {leastBodies, -1, part{10 * time.Millisecond, piece}, 8, 8, 0},
		"one after the other, unpacked": {leastBodies, -1, part{10 * time.Millisecond, piece}, 8, 8, MostUnpacking},
		"all unpacked at once":          {leastBodies, -1, part{10 * time.Millisecond, piece}, 8, 8, 1 << 20},
		"four, chunked":                 {64 << 20, -1, part{20 * time.Millisecond, piece}, 4, 4, 0},
		"sixteen at 2 MB a second":      {256 << 20, MaxBody, part{100 * time.Millisecond, 200 << 10}, 16, 6, 0},
		"thirty at once, too many":      {64 << 20, MaxBody, part{100 * time.Millisecond, 256 << 10}, 30, 1, 0},
		"small ones in the least space": {leastBodies, smallBody, part{100 * time.Millisecond, smallBody / 10}, 16, 16, 0},
	} {
		inBubble(t, name, func(t *testing.T) {
			in := newTestIntake(c.memory, 10*time.Second)
			var all sync.WaitGroup
			var served, busy atomic.Int32
			for i := range c.clients {
				all.Go(func() {
					from := &client{ResponseRecorder: httptest.NewRecorder(), parts: []part{c.part}}
					body := io.LimitReader(from, MaxBody)
					if c.takes > 0 {
						body = &frame{Reader: body, takes: c.takes}
					}
					b, err := in.Read(arrivingOver(t.Context(), from, body, c.length), fmt.Sprint("account-", i), unread)
					switch {
					case err == nil:
						served.Add(1)
						time.Sleep(100 * time.Millisecond)
						b.Release()
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
			requireFree(t, in)
		})
	}
}

// What is made of bodies counts in an account's share, until it is given back:
// two accounts which read their answers slowly, as many as they may have, keep
// nobody out.
func TestWorkCountsInAnAccountsShare(t *testing.T) {
	rows := bytes.Repeat([]byte("\n1,1,1"), 900<<10/6)
	for name, text := range map[string][]byte{"small": rows, "large": make([]byte, 8<<20), "largest": make([]byte, MaxBody)} {
		inBubble(t, name, func(t *testing.T) {
			in := newTestIntake(256<<20, 10*time.Second)
			read := func(account string, text []byte) error {
				b, err := in.Read(arriving(t.Context(), bytes.NewReader(text), int64(len(text))), account, unread)
				if err == nil {
					b.Free()
					if account != "other" {
						time.Sleep(30 * time.Second)
					}
					b.Release()
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
				for _, text := range [][]byte{text, rows, make([]byte, 131<<10), make([]byte, MaxBody)} {
					require.NoError(t, read("other", text))
				}
				require.LessOrEqual(t, time.Since(began), placePause, "another account had to wait")
			}
			all.Wait()
			requireFree(t, in)
		})
	}
}

// A body that stalls gives way to the next one of its own account as well, as
// when a client has lost its connection and comes again.
func TestABodyThatStallsGivesWayToItsAccount(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		in, done := newTestIntake(256<<20, 10*time.Second), make(chan error, 1)
		go func() { done <- in.sends(t, "account-1", MaxBody, part{0, 3 << 20}, part{time.Hour, 1}) }()
		synctest.Wait()
		began := time.Now()
		require.NoError(t, in.sends(t, "account-1", MaxBody, part{0, MaxBody}))
		require.Less(t, time.Since(began), 3*watchPause)
		require.ErrorIs(t, <-done, ErrSlow)
		requireFree(t, in)
	})
}

// leastBodies is the least that MILAAN_BODY_MEMORY may be.
const leastBodies = 48 << 20

// The parts take no more than all of them may, from the least size on.
func TestPartsOfTheBudget(t *testing.T) {
	for all := int64(leastBodies); all <= 1<<30; all += 4 << 20 {
		b := newBudget(Settings{HTTP: config.HTTP{BodyMemory: config.Bytes(all)}}, figures{})
		parts := int64(0)
		for _, g := range []*gate{b.small.begun, b.small.all, b.large.begun, b.large.all, b.unpacking} {
			parts += int64(sort.Search(int(all)+1, func(n int) bool { // of so many bytes and more it has none
				if !g.TryAcquire(int64(n)) {
					return true
				}
				g.Release(int64(n))
				return false
			})) - 1
		}
		require.LessOrEqual(t, parts, all)
	}
}
