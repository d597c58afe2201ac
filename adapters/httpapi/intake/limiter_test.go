package intake

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"runtime"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"milaan/domain"
	"milaan/tests/only"
)

// takeAll takes the places that are free.
func takeAll(t *testing.T, from *gate, h *holding) (ends []*place) {
	t.Helper()
	for range runtime.GOMAXPROCS(0) {
		end := only.Value(h.acquirePlace(t.Context(), from))(t)
		ends = append(ends, end)
	}
	return ends
}

// bystander is a request that is let in, and holds nothing else.
func bystander(t *testing.T, in *Intake) *holding {
	t.Helper()
	return only.Value(in.budget.admit(t.Context(), "bystander", 1))(t)
}

const largeBody = 8 << 20

func TestLargeBodiesComeAFewAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		in := newTestIntake(256<<20, 10*time.Second)
		h := bystander(t, in)
		ends := takeAll(t, in.large, h)
		served := make(chan error)
		go func() { served <- in.takes(t, "account-1", make([]byte, largeBody)) }()
		synctest.Wait()
		require.EqualValues(t, 1, figure(t, in, "milaan_body_waiting"))
		require.EqualValues(t, firstBuffer, figure(t, in, "milaan_body_bytes"), "whoever waits for a place holds little")
		require.NoError(t, in.takes(t, "account-1", []byte("{}")), "small bodies need no place")

		began := time.Now()
		ends[0].end()
		ends[0].end()
		require.NoError(t, <-served)
		require.Zero(t, time.Since(began), "the next comes at once")
		require.Zero(t, figure(t, in, "milaan_body_waiting"))
		for _, end := range ends[1:] {
			end.end()
		}
		takeAll(t, in.large, h)
		require.Zero(t, time.Since(began), "the body has given its place back")
		h.release()
		requireFree(t, in)
	})
}

func TestSlowBodiesLoseTheirTurn(t *testing.T) {
	for name, c := range map[string]struct {
		moves bool
		after time.Duration
	}{"one that pauses": {false, placePause}, "one that takes long": {true, placeTime}} {
		inBubble(t, name, func(t *testing.T) {
			in := newTestIntake(256<<20, 10*time.Second)
			h := bystander(t, in)
			ends := takeAll(t, in.large, h)
			stop := make(chan struct{})
			if c.moves {
				go func() {
					for tick := time.NewTicker(placePause / 2); ; {
						select {
						case <-stop:
							return
						case <-tick.C:
						}
						for _, end := range ends {
							end.moved()
						}
					}
				}()
			}
			began := time.Now()
			takeAll(t, in.large, h)
			require.Equal(t, c.after, time.Since(began))
			close(stop)
			for _, end := range ends {
				end.end() // of a place that is over already
			}
			require.False(t, in.large.TryAcquire(1), "a place has ended twice")
		})
	}
}

// A large body that comes slowly has no place, and needs none when it is there.
func TestASlowBodyHasNoTurn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		in := newTestIntake(256<<20, 10*time.Second)
		h := bystander(t, in)
		done := make(chan struct{})
		go func() { // all places are taken, again and again, as long as the body takes
			defer close(done)
			for range 20 {
				for _, end := range takeAll(t, in.large, h) {
					end.end()
				}
				takeAll(t, in.large, h)
				time.Sleep(placePause)
			}
		}()
		began := time.Now()
		require.NoError(t, in.sends(t, "account-1", largeBody, part{100 * time.Millisecond, 400 << 10}))
		require.Less(t, time.Since(began), 3*time.Second)
		<-done
	})
}

// TestWhichBodiesComeFast tells a body of which all bytes are there, but which is read late because
// the cores are busy, from one whose client is late.
func TestWhichBodiesComeFast(t *testing.T) {
	const late = 20 * time.Millisecond
	for name, c := range map[string]struct {
		parts []part
		waits float64
	}{
		"read late":             {[]part{{0, 4000}, {late, firstBuffer - 4000}, {0, largeBody}}, 1},
		"its client is late":    {[]part{{0, 4000}, {0, 10000}, {late, largeBody}}, 0},
		"its client is so late": {[]part{{0, 4000}, {2 * late, firstBuffer - 4000}, {0, largeBody}}, 0},
	} {
		inBubble(t, name, func(t *testing.T) {
			in := newTestIntake(256<<20, 10*time.Second)
			h := bystander(t, in)
			ends := takeAll(t, in.large, h)
			served := make(chan error)
			go func() { served <- in.sends(t, "account-1", largeBody, c.parts...) }()
			time.Sleep(3 * late)
			synctest.Wait()
			require.EqualValues(t, c.waits, figure(t, in, "milaan_body_waiting"), "it waits for a place, of which there is none")
			for _, end := range ends {
				end.end()
			}
			require.NoError(t, <-served)
		})
	}
}

func TestNobodyWaitsForeverForATurn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		in := newTestIntake(256<<20, placePause/2)
		h := bystander(t, in)
		takeAll(t, in.large, h)
		require.ErrorIs(t, only.Err(h.acquirePlace(t.Context(), in.large)), domain.ErrBusy)
		gone, leave := context.WithCancel(t.Context())
		leave()
		require.ErrorIs(t, only.Err(h.acquirePlace(gone, in.large)), ErrClientGone)
	})
}

// TestDocumentsAreWrittenWithPlaces holds that only as many documents are written at once as
// there are cores, and what becomes of the others.
func TestDocumentsAreWrittenWithPlaces(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		in := newTestIntake(256<<20, 10*time.Second)
		ctx, leave := context.WithCancel(t.Context())
		defer leave()
		arrive := func(ctx context.Context, account string) Arrival {
			return only.Value(in.Read(arriving(ctx, bytes.NewReader([]byte("{}")), 2), account, unread))(t)
		}
		cores := runtime.GOMAXPROCS(0)
		arrivals, results, end := make([]Arrival, 2*cores), make(chan error, 2*cores), make(chan struct{})
		var writing, most atomic.Int32
		write := func() error {
			most.Store(max(most.Load(), writing.Add(1)))
			defer writing.Add(-1)
			<-end
			return io.ErrShortWrite
		}
		for i := range arrivals {
			arrivals[i] = arrive(t.Context(), fmt.Sprint("account-", i))
			go func() { results <- arrivals[i].WithPlace(0, write) }()
		}
		synctest.Wait()
		require.EqualValues(t, cores, writing.Load())
		require.EqualValues(t, cores, figure(t, in, "milaan_body_waiting"))

		late, gone := arrive(t.Context(), "late"), arrive(ctx, "gone")
		left := make(chan error)
		go func() { left <- gone.WithPlace(0, write) }()
		synctest.Wait()
		leave()
		require.ErrorIs(t, <-left, ErrClientGone)
		go func() {
			time.Sleep(9 * time.Second)
			for range arrivals {
				end <- struct{}{}
			}
		}()
		for range arrivals {
			require.ErrorIs(t, <-results, io.ErrShortWrite)
		}
		require.EqualValues(t, cores, most.Load())

		for range cores {
			go func() { results <- arrive(t.Context(), "long").WithPlace(0, write) }()
		}
		synctest.Wait()
		began := time.Now()
		require.ErrorIs(t, late.WithPlace(0, write), domain.ErrBusy)
		require.Equal(t, 10*time.Second, time.Since(began))
		close(end)
		for range cores {
			require.ErrorIs(t, <-results, io.ErrShortWrite)
		}
		require.PanicsWithValue(t, "x", func() { _ = late.WithPlace(0, func() error { panic("x") }) })
		require.True(t, in.writing.TryAcquire(int64(cores)), "every place was given back")
	})
}
