package intake

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"milaan/domain"
	"milaan/ports"
	"milaan/tests/only"
)

// newCrowdedIntake is an intake in an instance with the least memory.
func newCrowdedIntake() *Intake {
	return taking(func(s *Settings) { s.Memory = NewMemory(0) })
}

// workbook takes in a body with a workbook that has the given number of bytes.
func (in *Intake) workbook(t *testing.T, account string, bytes int64) (Arrival, error) {
	t.Helper()
	return in.ReadUpload(arriving(t.Context(), strings.NewReader("PK"), 2), account, func([]byte) ports.WorkbookMemory {
		return ports.MemoryOfWorkbooks(bytes, 0, ports.MostUploadText)
	})
}

// taken is how many bytes of the instance's memory are charged.
func (in *Intake) taken(t *testing.T) int64 {
	t.Helper()
	m := in.budget.instance
	free := int64(0)
	for step := m.size; step > 0; step /= 2 {
		for m.all.TryAcquire(step) {
			free += step
		}
	}
	m.all.Release(free)
	return m.size - free
}

// TestWhatWorkbooksExpandToIsCharged holds that a workbook that expands to what such files
// have is charged for that alone, and another for all that it may have, before it has that.
func TestWhatWorkbooksExpandToIsCharged(t *testing.T) {
	in := newCrowdedIntake()
	usual := ports.MemoryOfWorkbooks(1<<20, 0, ports.MostUploadText)
	b := only.Value(in.workbook(t, "account-1", 1<<20))(t)
	require.Equal(t, usual.Bytes, in.taken(t))
	require.NoError(t, b.Claim(usual.Allotted))
	require.Equal(t, usual.Bytes, in.taken(t))
	require.NoError(t, b.Claim(1))
	require.Equal(t, usual.Most, in.taken(t))
	require.NoError(t, b.Claim(1<<30), "all is charged")
	b.Free()
	b.Keep(5)
	require.EqualValues(t, 5, in.taken(t))
	b.Release()
	require.Zero(t, in.taken(t))
	requireFree(t, in)
}

// TestWorkbooksThatExpandDoNotStopEachOther has many accounts claim at once more than was
// charged for their workbooks: one after the other has it, and who waits for too long is told
// to come again.
func TestWorkbooksThatExpandDoNotStopEachOther(t *testing.T) {
	for name, c := range map[string]struct {
		takes time.Duration
		want  int
	}{"fast": {time.Second, 8}, "slow": {4 * time.Second, 3}} {
		inBubble(t, name, func(t *testing.T) {
			in := newCrowdedIntake()
			var all sync.WaitGroup
			var mu sync.Mutex
			read := 0
			for i := range 8 {
				all.Go(func() {
					b, err := in.workbook(t, fmt.Sprint("account-", i), 1<<16)
					if err != nil {
						t.Error(err)
						return
					}
					defer b.Release()
					time.Sleep(time.Millisecond) // synctest's clock
					switch err := b.Claim(32 << 20); err {
					case nil:
						time.Sleep(c.takes)
						mu.Lock()
						defer mu.Unlock()
						read++
					default:
						if err != domain.ErrBusy {
							t.Error(err)
						}
					}
				})
			}
			all.Wait()
			require.Equal(t, c.want, read)
			require.Zero(t, in.taken(t))
			requireFree(t, in)
		})
	}
}

// TestDocumentsShareTheMemory holds that a document is charged for what it takes in place of
// what was charged for its run, waits for that like a request, and that several do not wait for
// each other.
func TestDocumentsShareTheMemory(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		in := newCrowdedIntake()
		size := in.budget.instance.size
		b := only.Value(in.Read(arriving(t.Context(), strings.NewReader("{}"), 2), "account-1", func([]byte) {}))(t)
		require.NoError(t, b.WithPlace(100<<20, func() error {
			require.EqualValues(t, 100<<20, in.taken(t))
			return nil
		}))
		b.Keep(5)
		require.EqualValues(t, 5, in.taken(t))
		giveBack := only.Value(in.budget.instance.Take(t.Context(), size-5))(t)
		began := time.Now()
		require.ErrorIs(t, b.WithPlace(100<<20, func() error { return nil }), domain.ErrBusy)
		require.Equal(t, 10*time.Second, time.Since(began))
		giveBack()
		b.Release()

		var all sync.WaitGroup
		for i := range 8 {
			all.Go(func() {
				b, err := in.Read(arriving(t.Context(), strings.NewReader("{}"), 2), fmt.Sprint("account-", i), func([]byte) {})
				if err == nil {
					defer b.Release()
					err = b.WithPlace(size, func() error {
						time.Sleep(time.Second) // synctest's clock
						return nil
					})
				}
				if err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
		requireFree(t, in)
	})
}

// TestAnAccountsWorkbooksAreReadInTurn holds that of one account's bodies with workbooks one is
// read at a time, and that other bodies, and other accounts, do not wait for it.
func TestAnAccountsWorkbooksAreReadInTurn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		in := newCrowdedIntake()
		first := only.Value(in.workbook(t, "account-1", 1000))(t)
		began, second := time.Now(), make(chan time.Duration)
		go func() {
			b, err := in.workbook(t, "account-1", 1000)
			if err != nil {
				t.Error(err)
			} else {
				b.Release()
			}
			second <- time.Since(began)
		}()
		synctest.Wait()
		require.NoError(t, in.takes(t, "account-1", []byte("{}")))
		only.Value(in.workbook(t, "account-2", 1000))(t).Release()
		require.Zero(t, time.Since(began))
		time.Sleep(3 * time.Second)
		first.Free()
		require.Equal(t, 3*time.Second, <-second)
		first.Release()
		requireFree(t, in)
	})
}

// TestJobsShareTheMemory holds that a job waits for the memory of bodies, and bodies for that of
// jobs.
func TestJobsShareTheMemory(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		in := newCrowdedIntake()
		giveBack, err := in.budget.instance.Take(t.Context(), 1<<40)
		require.NoError(t, err, "more than there is: all")
		require.NoError(t, in.takes(t, "account-1", make([]byte, smallBody)), "small bodies have memory of their own")
		require.ErrorIs(t, in.takes(t, "account-1", make([]byte, smallBody+1)), domain.ErrBusy)
		giveBack()
		require.NoError(t, in.takes(t, "account-1", make([]byte, smallBody+1)))
		requireFree(t, in)
	})
}

// TestGarbageIsCollectedBeforeWorkThatWouldPassTheLimit is not parallel, for Go has one limit.
func TestGarbageIsCollectedBeforeWorkThatWouldPassTheLimit(t *testing.T) {
	debug.FreeOSMemory() // so that little more is released meanwhile
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(-1))
	collections := func(room, work int64) uint32 {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		debug.SetMemoryLimit(int64(before.Sys-before.HeapReleased) + room)
		collectFor(work)
		runtime.ReadMemStats(&after)
		return after.NumForcedGC - before.NumForcedGC
	}
	require.Equal(t, uint32(1), collections(0, collectedFor))
	require.Zero(t, collections(4*collectedFor, collectedFor), "there is room")
	require.Zero(t, collections(0, collectedFor-1), "it is little")
}
